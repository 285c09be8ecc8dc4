"""The board to play on that the first page of the site shows: front.js and front.css, made by conf.py.

The drawing, the rules, the board and the colours are those of the page to play on.
"""

from __future__ import annotations

import json
import re
from pathlib import Path

import pegcp
from pegcp.play.page import problem_data

DOCS = Path(__file__).parent
PAGE, SHARED = DOCS.parent / "pegcp" / "play" / "page", DOCS.parent / "pegcp" / "render" / "pages"


def build(folder: Path) -> None:
    """Write the script and the style into a folder."""
    files = (SHARED / "drawing.js", PAGE / "game.js", PAGE / "board.js", DOCS / "front.js")
    modules = "\n".join(file.read_text(encoding="utf-8") for file in files)
    script = re.sub(r"^import .*\n|^export (?=const|class|function)", "", modules, flags=re.MULTILINE)
    problem = json.dumps(problem_data(pegcp.problem("triangle15:a1->?")))
    (folder / "front.js").write_text(f"(() => {{\nconst PROBLEM = {problem};\n{script}}})();\n", encoding="utf-8")
    style, rules = (file.read_text(encoding="utf-8") for file in (SHARED / "style.css", PAGE / "play.css"))
    colours = re.findall(r"^  --.*\n", style, re.MULTILINE)
    kept = re.findall(r"^\.wood .*\n", style, re.MULTILINE) + re.findall(r"^#board .*}\n", rules, re.MULTILINE)
    text = f"#front {{\n  color-scheme: light dark;\n{''.join(colours)}}}\n{''.join(kept)}"
    (folder / "front.css").write_text(text, encoding="utf-8")
