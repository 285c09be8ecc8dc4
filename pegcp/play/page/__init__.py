"""The page to play on: one file of HTML, put together from the files of this folder, that needs no network."""

import base64
import json
import re
from contextlib import suppress
from hashlib import sha256
from html import escape
from pathlib import Path
from typing import Any

from pegcp import library
from pegcp.errors import InputError, refuse_if
from pegcp.formats import files, signs, toml
from pegcp.game import Nearest, Problem
from pegcp.library import lookup
from pegcp.render.page import board_data, page_file
from pegcp.theory import certificates, parity

MOST_HOLES = 400  # that the page draws

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
    from pegcp.play.winnable_table import pack_winnable_set  # which needs numpy

    certificate = certificates.find(problem, seconds=_SECONDS)
    data = {
        "problem": problem_data(problem),
        "boards": board_problems(),
        "signs": signs.USES,
        "table": pack_winnable_set(problem),
        "reason": None if certificate is None else certificates.explain(problem, certificate),
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
        files.make_private_folder(folder)
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


# A problem as plain data; holes are numbers, from 0 -------------------------------------------------------------------


def problem_data(problem: Problem) -> dict[str, object]:
    """Describe a problem for the page. Raises InputError for a board that is too large to draw.

    ``ships``: the board is bundled, so its name, the start and the goal are enough, and ``text`` is null.
    """
    board = problem.board
    refuse_if(
        len(board.holes) > MOST_HOLES, f"a board to play on has at most {MOST_HOLES} holes, not {len(board.holes):,}"
    )
    ships = _ships(problem)
    return {
        "name": problem.name,
        "text": None if ships else problem.text,
        "ships": ships,
        "objective": problem.objective.value,
        "goal": {
            "text": problem.goal_text,
            "kind": problem.goal.kind,
            "option": problem.goal_forms.option,
            "pegs": list(parity.bits(problem.final_pegs)),
            "vacancies": list(parity.bits(problem.final_vacancies)),
        },
        "start": list(parity.bits(problem.start.mask)),
        "board": {
            **board_data(board),
            "title": board.title or board.name,
            "own": f"{board.name}:{lookup.own_form(board)}",
            "sets": [list(parity.bits(mask)) for mask in parity.class_sets(board)],
        },
    }


def board_problems() -> list[dict[str, Any]]:
    """Describe the default problem of each bundled board, and of an example of each family."""
    names = [*library.board_names(), *(family.example for family in library.FAMILIES)]
    return [problem_data(lookup.problem(name)) for name in names]


def _ships(problem: Problem) -> bool:
    plain = not isinstance(problem.goal, Nearest) and problem.objective is toml.default_objective(problem.goal)
    with suppress(InputError):
        return plain and library.board(problem.board.name) == problem.board
    return False
