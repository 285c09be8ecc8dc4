"""A winnable set packed into the page: small enough for a file, quick to unpack (by ``page/winnable_table.js``)."""

import base64
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pegcp.game import Board, DeadEnd, Problem
from pegcp.method import Limits, Run
from pegcp.states import frame, winnable
from pegcp.states.levels import Level
from pegcp.theory.parity import bits, class_sets

LONGEST_TABLE = 2_000_000  # characters in a page
MOST_HOLES = 52  # numbers of a page are exact up to 2**53
_FULL, _FEW = 35, 21  # on boards with more holes than that the set is too large, unless the start has few pegs
_LIMITS = Limits(time=120.0, memory=4000.0)


def pack_winnable_set(problem: Problem) -> dict[str, Any] | None:
    """Return the winnable set of a problem for a page; None if it takes too long, or is too large."""
    holes = len(problem.board.holes)
    if holes > MOST_HOLES or (holes > _FULL and len(problem.start) > _FEW) or isinstance(problem.goal, DeadEnd):
        return None
    try:
        table = winnable.winnable(problem, Run(_LIMITS))
    except (TimeoutError, MemoryError):
        return None
    if sum(map(len, _levels(table).values())) * 5 // 4 > LONGEST_TABLE:  # a gap takes more than a byte
        return None
    data = _pack(table, kept_holes(problem.board))
    return data if len(data["data"]) <= LONGEST_TABLE else None


def kept_holes(board: Board) -> list[int]:
    """Return holes that distinguish the positions of one class: all but one for each parity, which the others imply."""
    sets = class_sets(board)
    rest = [next(hole for hole in bits(row) if sum(other >> hole & 1 for other in sets) == 1) for row in sets]
    return [hole for hole in range(len(board.holes)) if hole not in rest]


def _levels(table: winnable.Winnable) -> dict[int, Level]:
    """Return the levels of a page. Of a problem that is its own reversal, the others follow from those."""
    fewest = 0 if table.classes.reversal is None else len(table.problem.board.holes) / 2
    return {pegs: level for pegs, level in table.levels.items() if pegs >= fewest}


def _pack(table: winnable.Winnable, holes: list[int]) -> dict[str, Any]:
    """Return the set with positions as numbers of the kept holes: all its positions are of one class."""
    codes: list[NDArray[np.uint8]] = []
    levels = []
    for pegs, level in _levels(table).items():
        positions = np.fromiter(level, np.uint64, len(level))
        numbers = np.zeros(len(positions), np.uint64)
        for bit, hole in enumerate(holes):
            numbers |= (positions >> np.uint64(hole) & np.uint64(1)) << np.uint64(bit)
        numbers.sort()
        ranks = numbers.astype(np.int64)
        gaps = ranks - np.append(-1, ranks[:-1]) - 1
        low = max(0, int(gaps.mean() * 0.7).bit_length())
        levels.append([pegs, len(gaps), low])
        codes.append(_rice(gaps, low))
    text = np.packbits(np.concatenate(codes)) if codes else np.zeros(0, np.uint8)
    return {
        "holes": len(table.problem.board.holes),
        "reversal": table.classes.reversal,
        "symmetries": [list(element) for element in frame.group(table.problem).elements],
        "kept": holes,
        "levels": levels,
        "data": base64.b64encode(text.tobytes()).decode(),
    }


def _rice(gaps: NDArray[np.int64], low: int) -> NDArray[np.uint8]:
    """Return an array of bits: each gap as a quotient in unary (ones, then a zero) and ``low`` bits."""
    ends = np.cumsum((gaps >> low) + 1 + low)
    bits = np.ones(int(ends[-1]) if len(ends) else 0, np.uint8)
    for place in range(low + 1):  # the zero, and the bits from the lowest
        bits[ends - 1 - place] = gaps >> place & 1 if place < low else np.zeros_like(gaps)
    return bits
