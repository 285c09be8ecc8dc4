"""Playing: which jumps keep the goal in reach, and a page in a browser, from a server or as one file without one."""
