"""Pictures of boards and solutions."""

from pathlib import Path

# What the pages share: the class that draws a board, and their look.
SHARED = {name: Path(__file__).with_name(name).read_text("utf-8") for name in ("drawing.js", "look.css")}
