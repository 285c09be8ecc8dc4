"""The page itself: its files, put together for the server or into one file that needs none."""

from __future__ import annotations

import base64
import json
import re
from hashlib import sha256
from html import escape
from pathlib import Path
from typing import Any

from pegcp.game.problem import Problem
from pegcp.play import exchange, winnable_table
from pegcp.render import SHARED

_FOLDER = Path(__file__).parent
_MODULES = (  # each after those it imports
    "game.js",
    "drawing.js",
    "board.js",
    "here.js",
    "search.js",
    "files.js",
    "server.js",
    "app.js",
)
FILES = {"play.css": "text/css", **dict.fromkeys(_MODULES, "text/javascript")}
_POLICY = (
    "default-src 'none'; script-src 'nonce-{0}'; style-src 'nonce-{0}'; img-src data:; base-uri 'none'; "
    "form-action 'none'"
)


def read(name: str) -> str:
    """The text of one of :data:`FILES`."""
    if name == "drawing.js":  # which the report shares, as a script
        return f"{SHARED[name]}\nexport {{ Drawing, make }};\n"
    text = (_FOLDER / name).read_text(encoding="utf-8")
    return SHARED["look.css"] + text if name == "play.css" else text


def online(problem: Problem) -> str:
    """The page for a server, which has the other files."""
    style = '<link rel="stylesheet" href="play.css">'
    return _filled(problem, style, '<script type="module" src="app.js"></script>', {"server": True})


def offline(problem: Problem) -> str:
    """One file: it plays and undoes anywhere, and hints where the winnable set is small enough to be in it."""
    texts: dict[str, str] = {}
    for name in _MODULES:
        text = read(name)
        for imported, address in texts.items():
            text = text.replace(f'"./{imported}"', f'"{address}"')
        texts[name] = "data:text/javascript;base64," + base64.b64encode(text.encode()).decode()
    # Nothing else in the file may run: a name that wanted to would have to know the hash of itself.
    nonce = sha256(f"{problem.name}\n{problem.text}\n{texts['app.js']}".encode()).hexdigest()[:32]
    policy = f'<meta http-equiv="Content-Security-Policy" content="{_POLICY.format(nonce)}">'
    style = f'{policy}\n<style nonce="{nonce}">{read("play.css")}</style>'
    script = f'<script type="module" nonce="{nonce}" src="{texts["app.js"]}"></script>'
    return _filled(problem, style, script, {"server": False, "table": winnable_table.packed(problem)})


def _filled(problem: Problem, style: str, script: str, data: dict[str, Any]) -> str:
    data |= {
        "problem": exchange.problem_view(problem) | {"methods": exchange.methods(problem) if data["server"] else []}
    }
    parts = {
        "title": escape(problem.name),
        "style": style,
        "data": json.dumps(data).replace("<", "\\u003c"),
        "script": script,
    }
    return re.sub(r"\{(title|style|data|script)\}", lambda place: parts[place[1]], read("index.html"))
