"""Playing: a page for the browser, and the jumps that keep the goal in reach."""
