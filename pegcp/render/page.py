"""Pages of HTML that need no network. Their security policy lets only their own script run, by its hash."""

import json
from base64 import b64encode
from collections.abc import Mapping, Sequence
from hashlib import sha256
from pathlib import Path

from pegcp.game import Board, Objective, Problem, svg
from pegcp.theory.parity import bits

_ESCAPES = {ord(mark): f"\\u{ord(mark):04x}" for mark in "&<>"}  # in JSON


def page_file(name: str) -> str:
    """Return a script, style or template of the pages."""
    return Path(__file__).with_name("pages").joinpath(name).read_text("utf-8")


def render_page(template: str, scripts: Sequence[str], data: Mapping[str, object], **about: object) -> str:
    """Render a template with its style, script and data; no text in the data can become markup."""
    from jinja2 import Environment, PackageLoader

    script = '"use strict";\n' + "\n".join(map(page_file, scripts))
    environment = Environment(
        loader=PackageLoader("pegcp.render", "pages"), autoescape=True, trim_blocks=True, lstrip_blocks=True
    )
    return environment.get_template(template).render(
        about,
        style=page_file("style.css") + page_file("report.css"),
        script=script,
        script_hash=b64encode(sha256(script.encode()).digest()).decode(),
        data=json.dumps(data, ensure_ascii=False, separators=(",", ":")).translate(_ESCAPES),
    )


def board_data(board: Board) -> dict[str, object]:
    """Return what the script draws a board by."""
    return {
        "name": board.name,
        "holes": board.holes,
        "places": [[round(x, 3), round(y, 3)] for x, y in board.places],
        "lines": board.lines,
        "signs": [[round(x, 3), round(y, 3), text] for x, y, text in svg.coordinate_signs(board)],
    }


def problem_data(problem: Problem, board: int, row: int) -> dict[str, object]:
    """Return what the script knows of a problem, with the number of its board and of its row in a table."""
    is_one_peg = problem.final_pegs.bit_count() == 1
    return {
        "name": problem.name,
        "row": row,
        "board": board,
        "pegs": list(bits(problem.start.mask)),
        "lastPegs": list(bits(problem.final_pegs)),
        "goal": problem.goal_text.replace("exactly", "one peg, in") if is_one_peg else problem.goal_text,
        "objective": None if problem.objective is Objective.ANY else problem.objective,
    }
