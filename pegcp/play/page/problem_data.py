"""A problem as plain data for the page; holes are numbers, from 0."""

from contextlib import suppress
from typing import Any, assert_never

from pegcp import library
from pegcp.errors import InputError
from pegcp.formats.toml import default_objective
from pegcp.game import DeadEnd, Exact, Nearest, OnePeg, Partial, Problem
from pegcp.library import lookup
from pegcp.render.page import board_data
from pegcp.theory.parity import bits, class_sets

MOST_HOLES = 400  # that the page draws


def problem_data(problem: Problem) -> dict[str, object]:
    """Describe a problem for the page. Raises InputError for a board that is too large to draw.

    ``ships``: the board is bundled, so its name, the start and the goal are enough, and ``text`` is null.
    """
    board = problem.board
    if len(board.holes) > MOST_HOLES:
        raise InputError(f"a board to play on has at most {MOST_HOLES} holes, not {len(board.holes):,}")
    ships = _ships(problem)
    return {
        "name": problem.name,
        "text": None if ships else problem.text,
        "ships": ships,
        "objective": problem.objective.value,
        "goal": {
            "text": problem.goal_text,
            "kind": problem.goal.kind,
            "option": _written_goal(problem),
            "pegs": list(bits(problem.final_pegs)),
            "vacancies": list(bits(problem.final_vacancies)),
        },
        "start": list(bits(problem.start.mask)),
        "board": {
            **board_data(board),
            "title": board.title or board.name,
            "own": f"{board.name}:{lookup.own_problem(board)}",
            "sets": [list(bits(mask)) for mask in class_sets(board)],
        },
    }


def board_problems() -> list[dict[str, Any]]:
    """Describe the default problem of each bundled board, and of an example of each family."""
    names = [*library.board_names(), *(family.example for family in library.FAMILIES)]
    return [problem_data(lookup.problem(name)) for name in names]


def _ships(problem: Problem) -> bool:
    plain = not isinstance(problem.goal, Nearest) and problem.objective is default_objective(problem.goal)
    with suppress(InputError):
        return plain and library.board(problem.board.name) == problem.board
    return False


def _written_goal(problem: Problem) -> str:
    """Write the goal as :func:`pegcp.formats.toml.read_goal` reads it, without the weights of holes."""
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
