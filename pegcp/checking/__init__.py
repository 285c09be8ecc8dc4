"""The checker of one file, faster code for long bounds on moves, and the process that they run in."""
