"""The checker of one file, faster code for its long work, and the process that they run in."""
