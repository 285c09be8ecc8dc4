"""Problems made to order: solvable ones by playing backwards from one peg, and random ones."""

from __future__ import annotations

import random
from array import array
from collections.abc import MutableSequence

from pegcp.errors import InputError
from pegcp.game.board import Board
from pegcp.game.goal import Objective, OnePeg
from pegcp.game.hole_notation import read_hole
from pegcp.game.position import Position
from pegcp.game.problem import Problem

_PATIENCE = [1_000 << doubling for doubling in range(9)]  # positions looked at before starting afresh; then give up


def solvable(board: Board, pegs: int, seed: int = 0, finish: str | None = None) -> Problem:
    """A problem with that many pegs that can be reduced to one peg (at the hole ``finish``, if given).

    Jumps are taken back at random from one peg; where no more can be, the last ones are replayed and others tried. A
    bad beginning is given up for a fresh one. The same arguments give the same problem. Raises InputError if there is
    no such position, or if none is found among half a million looked at.
    """
    _check(board, pegs)
    chance = random.Random(f"solvable {pegs} {seed}")
    last_holes = [read_hole(board, finish)] if finish is not None else list(range(len(board.holes)))
    for patience in _PATIENCE:
        chance.shuffle(last_holes)
        found, complete = _backwards(board, last_holes, pegs, chance, patience)
        if found is not None:
            return _problem(board, found, f"{board.name}-{pegs}-{seed}")
        if complete:
            where = f" at {board.holes[last_holes[0]]}" if finish is not None else ""
            raise InputError(f"no position of {pegs} pegs on board {board.name} can be reduced to one peg{where}")
    raise InputError(
        f"none of {sum(_PATIENCE):,} positions played backwards on board {board.name} has {pegs} pegs; "
        "ask for fewer pegs or another seed"
    )


def scattered(board: Board, pegs: int, seed: int = 0) -> Problem:
    """A problem with that many pegs at random places; it may or may not be solvable. Raises InputError."""
    _check(board, pegs)
    holes = random.Random(f"scattered {pegs} {seed}").sample(range(len(board.holes)), pegs)
    return _problem(board, sum(1 << hole for hole in holes), f"{board.name}-{pegs}-random-{seed}")


def _backwards(
    board: Board, lasts: list[int], pegs: int, chance: random.Random, patience: int
) -> tuple[int | None, bool]:
    """A position of that many pegs from which one of the last ones can be reached, or None; and were all tried?"""
    flips = [(jump.mask, 1 << jump.to) for jump in board.jumps]
    entered: set[int] = set()
    # A position, and what to flip in it to go on. These are numbers of jumps, which take less room than positions.
    stack: list[tuple[int, MutableSequence[int]]] = [(0, lasts[:])]
    while stack:
        before, ways = stack[-1]
        if not ways:
            stack.pop()
            continue
        way = ways.pop()
        position = before ^ flips[way][0] if before else 1 << way
        if position.bit_count() == pegs:
            return position, False
        if position not in entered:
            entered.add(position)
            if len(entered) > patience:
                return None, False
            earlier = array("I", [n for n, (mask, peg) in enumerate(flips) if position & mask == peg])
            chance.shuffle(earlier)
            stack.append((position, earlier))
    return None, True


def _check(board: Board, pegs: int) -> None:
    if not 1 <= pegs <= len(board.holes):
        raise InputError(f"board {board.name} takes 1 to {len(board.holes)} pegs, not {pegs}")


def _problem(board: Board, mask: int, name: str) -> Problem:
    return Problem(board, Position(board, mask), OnePeg(), Objective.ANY, name)
