"""Playing: which jumps keep the goal in reach, and a page for the browser, one file that needs no network."""
