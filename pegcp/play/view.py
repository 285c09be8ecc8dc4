"""What the page is given: boards, problems, methods and results as plain data. Holes are numbers, from 0."""

from __future__ import annotations

from typing import Any, assert_never

from pegcp import library
from pegcp.catalogue import methods as catalogue
from pegcp.errors import InputError
from pegcp.formats.toml import default_objective
from pegcp.game.goal import DeadEnd, Exact, Nearest, OnePeg, Partial
from pegcp.game.problem import Problem
from pegcp.game.svg import coordinates
from pegcp.library import lookup
from pegcp.result import Result
from pegcp.theory.parity import class_sets

_ALWAYS = ("rounds", "moves", "dfs", "bfs")  # methods that come first in the list, where they fit


def problem_view(problem: Problem) -> dict[str, Any]:
    """A problem with its board: all that is needed to play it."""
    board = problem.board
    return {
        "name": problem.name,
        "text": problem.text,
        "ships": _ships(problem),
        "goal": {
            "text": problem.goal_text,
            "kind": problem.goal.kind,
            "given": _given(problem),
            "pegs": _holes(problem.final_pegs),
            "vacancies": _holes(problem.final_vacancies),
        },
        "start": _holes(problem.start.mask),
        "board": {
            "name": board.name,
            "title": board.title or board.name,
            "own": f"{board.name}:{lookup.own_problem(board)}",
            "holes": list(board.holes),
            "places": [list(place) for place in board.places],
            "lines": [list(line) for line in board.lines],
            "sets": [_holes(mask) for mask in class_sets(board)],
            "signs": [list(sign) for sign in coordinates(board)],
        },
    }


def _ships(problem: Problem) -> bool:
    """Whether the board ships, so that start and goal say the rest of the problem."""
    try:
        same = library.board(problem.board.name) == problem.board
    except InputError:
        return False
    return same and not isinstance(problem.goal, Nearest) and problem.objective is default_objective(problem.goal)


def _given(problem: Problem) -> str:
    """The goal as people write it, for :func:`pegcp.formats.toml.read_goal`; without the weights of holes."""
    names = problem.board.names
    match problem.goal:
        case OnePeg():
            return "one peg"
        case DeadEnd():
            return "dead end"
        case Exact(pegs):
            return " ".join(names(pegs))
        case Partial(pegs, vacancies):
            return " ".join([*names(pegs), *(f"-{hole}" for hole in names(vacancies)), "*"])
        case Nearest(pegs, _):
            return " ".join(["near", *names(pegs)])
        case _:
            assert_never(problem.goal)


def boards() -> list[str]:
    """The boards to choose from: those that ship, and an example of each family."""
    return [*library.board_names(), *(family.example for family in library.FAMILIES)]


def methods(problem: Problem) -> list[str]:
    """The methods that take a problem and whose parts are installed; the best known for it first.

    None of them runs a command or a file of the page's choice.
    """
    found = [
        method.name
        for method in catalogue.bundled().values()
        if method.mismatch(problem) is None and catalogue.installed(method) and "command" not in method.options
    ]
    try:
        best = [catalogue.best_for(problem).method.name]
    except InputError:
        best = []
    first = [name for name in dict.fromkeys([*best, *_ALWAYS]) if name in found]
    return [*first, *(name for name in found if name not in first)]


def result_view(result: Result) -> dict[str, Any]:
    """What the page says of a result: the verdict and what it rests on, the jumps, and the text of its page."""
    return {
        "verdict": result.verdict,
        "status": result.status.value,
        "evidence": result.rests_on,
        "jumps": None if result.jumps is None else [list(jump) for jump in result.jumps],
        "moves": len(result.moves),
        "objective": result.objective,
        "seconds": result.statistics.get("wall_seconds"),
        "text": str(result),
    }


def _holes(mask: int) -> list[int]:
    return [hole for hole in range(mask.bit_length()) if mask >> hole & 1]
