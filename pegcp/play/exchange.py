"""What the page and the server say to each other, as plain data; holes are numbers, from 0.

The page sends a problem as text and the jumps made so far; nothing of it is trusted. It is given boards, problems,
methods and results.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, assert_never

from pegcp import library, plain
from pegcp.catalogue import methods as catalogue
from pegcp.catalogue.portfolio import installed
from pegcp.catalogue.registry import bundled
from pegcp.errors import InputError, InvalidSolution
from pegcp.formats.toml import default_objective, read_goal
from pegcp.game.board import Board, Jump
from pegcp.game.goal import DeadEnd, Exact, Nearest, Objective, OnePeg, Partial
from pegcp.game.position import Position
from pegcp.game.problem import Problem
from pegcp.game.rules import replay
from pegcp.game.svg import coordinates
from pegcp.library import lookup
from pegcp.result import Result
from pegcp.theory.parity import class_sets

LARGEST_BODY = 500_000  # bytes
MOST_HOLES = 400  # that the page draws
_ALWAYS = ("rounds", "moves", "dfs", "bfs")  # methods that come first in the list, where they fit


@dataclass(frozen=True)
class Game:
    """A problem, jumps made from its start, and the positions (bit masks) from the start to the one on the board."""

    problem: Problem
    jumps: tuple[Jump, ...]
    positions: tuple[int, ...]

    @property
    def from_here(self) -> Problem:
        """What is still to be solved."""
        return replace(self.problem, start=Position(self.problem.board, self.positions[-1]))


def body(data: bytes) -> dict[str, Any]:
    """The object in the body of a request. Raises InputError."""
    try:
        return plain.mapping("request", plain.parse(data))
    except (ValueError, TypeError, RecursionError):
        raise InputError("the request is not a JSON object that can be read") from None


def game(data: dict[str, Any]) -> Game:
    """The problem and the jumps of a request. Raises InputError."""
    found = problem(data)
    jumps = tuple(_jumps(data.get("jumps", [])))
    try:
        return Game(found, jumps, tuple(replay(found.board, found.start.mask, jumps)))
    except InvalidSolution as error:
        raise InputError(str(error)) from None


def problem(data: dict[str, Any]) -> Problem:
    """The problem of a request: ``problem`` is what a problem file may hold; ``start`` and ``goal`` replace its own.

    A board is meant by its name only if it ships: no file is opened for a request. Raises InputError.
    """
    try:
        text, name = plain.text("problem", data.get("problem"), LARGEST_BODY), plain.text("name", data.get("name", ""))
        goal = plain.text("goal", data.get("goal", ""))
    except (ValueError, TypeError) as error:
        raise InputError(str(error)) from None
    found = lookup.from_text(text, "", name or "game", library.board)
    if goal:
        found = replace(found, goal=read_goal(found.board, goal), objective=Objective.ANY)
    if data.get("start") is not None:
        found = replace(found, start=Position(found.board, _mask(found.board, data["start"])))
    return checked(found)


def checked(problem: Problem) -> Problem:
    """The same problem, if the page can draw it. Raises InputError."""
    if len(problem.board.holes) > MOST_HOLES:
        raise InputError(f"a board to play on has at most {MOST_HOLES} holes, not {len(problem.board.holes):,}")
    return problem


def _mask(board: Board, holes: Any) -> int:
    if not isinstance(holes, list) or not all(type(hole) is int and 0 <= hole < len(board.holes) for hole in holes):
        raise InputError("the pegs of a start are a list of numbers of holes")
    return sum(1 << hole for hole in set(holes))


def _jumps(triples: Any) -> Sequence[Jump]:
    if not isinstance(triples, list) or len(triples) > MOST_HOLES:
        raise InputError("the jumps of a game are a list, shorter than the board has holes")
    for triple in triples:
        if not isinstance(triple, list) or len(triple) != 3 or not all(type(hole) is int for hole in triple):
            raise InputError("a jump is three numbers of holes")
    return [Jump(*triple) for triple in triples]


# What the page is given ---------------------------------------------------------------------------------------------


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
        for method in bundled().values()
        if method.mismatch(problem) is None and installed(method) and "command" not in method.options
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
