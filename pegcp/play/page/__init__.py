"""The page to play on: one file of HTML, put together from the files of this folder, that needs no network."""

import base64
import json
import re
from hashlib import sha256
from html import escape
from pathlib import Path

from pegcp.errors import InputError
from pegcp.formats.files import make_private_folder
from pegcp.formats.signs import USES
from pegcp.game import Problem
from pegcp.play.page.problem_data import board_problems, problem_data
from pegcp.render.page import page_file
from pegcp.theory import certificates

_SECONDS = 2.0  # to look for a certificate that there is no solution
_FOLDER = Path(__file__).parent
_MODULES = (
    "game.js",
    "links.js",
    "files.js",
    "board.js",
    "winnable_table.js",
    "search.js",
    "dead_ends.js",
    "duotaire.js",
    "advice.js",
    "app.js",
)
_IMPORTS_AND_EXPORTS = re.compile(r"^import .*\n|^export (?=const|class|function|async)", re.MULTILINE)


def html(problem: Problem) -> str:
    """Return the page, which opens with a problem. Raises InputError for a board that is too large to draw.

    The set of winnable positions is in it where that is small enough. The security policy of the page names the script
    and the style by their hashes: nothing else runs, and nothing is loaded.
    """
    from pegcp.play.winnable_table import packed  # which needs numpy

    certificate = certificates.find(problem, seconds=_SECONDS)
    reason = None if certificate is None else certificates.explain(problem, certificate)
    data = {
        "problem": problem_data(problem),
        "boards": board_problems(),
        "signs": USES,
        "table": packed(problem),
        "reason": reason,
    }
    script, style = _script(), page_file("style.css") + _read("play.css")
    policy = (
        f"default-src 'none'; script-src '{_hash(script)}'; style-src '{_hash(style)}'; img-src data:; "
        "base-uri 'none'; form-action 'none'"
    )
    parts = {
        "title": escape(problem.name),
        "policy": policy,
        "style": style,
        "data": json.dumps(data, separators=(",", ":")).replace("<", "\\u003c"),
        "script": script,
    }
    return re.sub(r"\{(title|policy|style|data|script)\}", lambda place: parts[place[1]], _read("index.html"))


def cache_path(page: str) -> Path:
    """Return the file in the user's cache folder for a page: its folder is named after the content.

    Raises InputError if another user could replace it.
    """
    from platformdirs import user_cache_path

    folder = user_cache_path("pegcp", appauthor=False) / "play" / sha256(page.encode()).hexdigest()[:24]
    try:
        make_private_folder(folder)
    except OSError as error:
        message = f"cannot keep the page there: {error.strerror}; -o FILE writes it elsewhere"
        raise InputError(message, source=str(error.filename or folder)) from None
    return folder / "page.html"


def _script() -> str:
    """Return the modules as one script, so that a page in a file can load them: no name at their top occurs twice."""
    return "\n".join(_IMPORTS_AND_EXPORTS.sub("", text) for text in (page_file("drawing.js"), *map(_read, _MODULES)))


def _hash(text: str) -> str:
    return f"sha256-{base64.b64encode(sha256(text.encode()).digest()).decode()}"


def _read(name: str) -> str:
    return (_FOLDER / name).read_text(encoding="utf-8")
