"""Pictures of boards and solutions."""

from pathlib import Path

DRAWING = Path(__file__).with_name("drawing.js").read_text("utf-8")  # the class that draws a board in a page
