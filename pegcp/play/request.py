"""What the page sends: a problem as text and the jumps made so far. Nothing of it is trusted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from pegcp import library, plain
from pegcp.errors import InputError, InvalidSolution
from pegcp.formats.toml import read_goal
from pegcp.game.board import Board, Jump
from pegcp.game.goal import Objective
from pegcp.game.position import Position
from pegcp.game.problem import Problem
from pegcp.game.rules import replay
from pegcp.library import lookup

LARGEST_BODY = 500_000  # bytes
MOST_HOLES = 400  # that the page draws


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
