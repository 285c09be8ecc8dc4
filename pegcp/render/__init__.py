"""Pictures of boards and solutions."""

from pathlib import Path

# Shared by the pages: the class that draws a board, and the style sheet.
SHARED = {name: Path(__file__).with_name(name).read_text("utf-8") for name in ("drawing.js", "style.css")}
