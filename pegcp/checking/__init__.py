"""The checker of one file, and the process that it runs in."""
