"""A page to play on, in a browser: from a server on this machine, or as one file that needs none."""
