"""The page of one result: a player of its solution, or why there is none."""

from __future__ import annotations

from collections.abc import Sequence

from pegcp.game.board import Jump
from pegcp.game.problem import Problem
from pegcp.render.page import board_data, problem_data, render_page


def player(problem: Problem, method: str, jumps: Sequence[Jump] | None, text: str, picture: str) -> str:
    """Render a page that plays a solution, or says why there is none: ``text``, and a ``picture`` (SVG), of a solution
    for paper."""
    holes = None if jumps is None else [hole for jump in jumps for hole in jump]
    data = {
        "methods": [method],
        "boards": [board_data(problem.board)],
        "problems": [problem_data(problem, 0, 0)],
        "runs": [{"problem": 0, "method": 0, "jumps": holes}],
    }
    return render_page(
        "solution.html",
        ("page.js", "drawing.js", "player.js", "solution.js"),
        data,
        title=f"{problem.name} by {method}",
        solved=jumps is not None,
        text=text,
        picture=picture,
    )
