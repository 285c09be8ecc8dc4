"""Playing: a page for the browser, and the jumps that keep the goal in reach."""

from pegcp.habits import guide_calls

guide_calls(__name__)
