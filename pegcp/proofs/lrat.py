"""LRAT in compiled code: the checker's refutations, followed faster, and what makes proofs short.

:func:`follow` says what :func:`pegcp.proofs.checker.follow` says, of every proof; ``python compiled.py FOLDER`` is the
checker with it. The proof is read in pieces and never held as a whole.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from pegcp.proofs import kernels
from pegcp.proofs.checker import LONGEST_STEP, Rejected

PIECE = 1 << 20  # bytes that are followed at a time

_FAULTS = {
    kernels.NO_STEP: "is none, or comes after the empty clause",
    kernels.MALFORMED: "has a malformed number",
    kernels.NOT_NEXT: "does not have the next number",
    kernels.NO_LITERAL: "has a literal that the formula has not",
    kernels.BOTH: "has a literal and its negation",
    kernels.NO_CLAUSE: "names the clause {clause}, which is not there",
    kernels.OPEN: "names the clause {clause}, which is not a unit then",
    kernels.NOT_IMPLIED: "does not follow from the clauses that it names",
    kernels.GOES_ON: "is none, or comes after the empty clause",
}


def follow(clauses: Sequence[Sequence[int]], variables: int, pieces: Iterable[bytes]) -> None:
    """Follow a proof that the clauses, over variables 1 to ``variables``, have no solution. Raises Rejected at the
    first bad step."""
    checker = _Checker(clauses, variables)
    for piece in pieces:
        checker.feed(piece)
    checker.finish()


class _Checker:
    """What is known after the bytes of a proof that were fed."""

    def __init__(self, clauses: Sequence[Sequence[int]], variables: int) -> None:
        lengths = np.fromiter((len(clause) for clause in clauses), np.int64, len(clauses))
        size = int(lengths.sum()) + len(clauses)
        given = np.fromiter((code for clause in clauses for code in (len(clause), *map(coded, clause))), np.int32, size)
        self._arena: Any = given
        self._where = np.full(len(clauses) + 1, -1, np.int64)
        self._where[1:] = np.cumsum(lengths + 1) - (lengths + 1)
        self._true = kernels.zeros(2 * variables + 2)
        self._counts = kernels.zeros(kernels.COUNTS)
        self._counts[kernels.NEWEST] = len(clauses)
        self._counts[kernels.USED] = self._counts[kernels.LIVE] = size
        self._left = b""

    def feed(self, data: bytes) -> None:
        """Follow the next bytes. Raises Rejected."""
        for first in range(0, len(data), PIECE):
            self._follow(self._left + data[first : first + PIECE])

    def _follow(self, data: bytes) -> None:
        if len(data) > LONGEST_STEP:
            raise Rejected(f"{self._step()} is longer than {LONGEST_STEP:,} bytes")
        self._make_room(len(data))
        room = kernels.zeros(len(data)), kernels.zeros(len(data))
        self._counts[kernels.AT] = 0
        fault = kernels.follow(np.frombuffer(data, np.uint8), self._arena, self._where, self._true, self._counts, *room)
        if fault != kernels.FOLLOWED:
            told = _FAULTS[int(fault)].format(clause=int(self._counts[kernels.WRONG]))
            raise Rejected(f"{self._step()} {told}")
        self._left = data[int(self._counts[kernels.AT]) :]

    def _step(self) -> str:
        return f"the step after clause {int(self._counts[kernels.NEWEST])}"

    def _make_room(self, more: int) -> None:
        """Room for what so many bytes can add: each number takes a byte or more, each clause four."""
        used, live = int(self._counts[kernels.USED]), int(self._counts[kernels.LIVE])
        if used + more > len(self._arena):
            if live < used // 2:
                kernels.compact(self._arena, self._where, self._counts)
                used = int(self._counts[kernels.USED])
            if used + more > len(self._arena):
                self._arena = np.concatenate([self._arena[:used], np.empty(used + more, np.int32)])
        newest = int(self._counts[kernels.NEWEST])
        if newest + more // 4 + 2 > len(self._where):
            self._where = np.concatenate([self._where, np.full(newest + more, -1, np.int64)])

    def finish(self) -> None:
        """The proof is over. Raises Rejected if it ends in a step or before the empty clause."""
        if self._left:
            raise Rejected(f"{self._step()} is cut off")
        if not self._counts[kernels.DONE]:
            raise Rejected(f"it ends after clause {int(self._counts[kernels.NEWEST])} without the empty clause")


def coded(literal: int) -> int:
    """A literal as proofs write it: twice its variable, plus one if negated."""
    return 2 * abs(literal) + (literal < 0)


def trimmed(proof: Path, clauses: int) -> Iterable[bytes]:
    """The bytes of a proof from a solver, without the steps that the empty clause does not need.

    ``clauses``: how many the formula has. New clauses are numbered one after the other, as the checker wants them.
    Raises ValueError if there is no empty clause in it.
    """
    data = np.memmap(proof, np.uint8, "r")
    empty, largest = kernels.places(data, kernels.zeros(0))
    if not empty:
        raise ValueError("the solver's proof has no empty clause")
    place, used, renumbered = (kernels.zeros(int(largest) + clauses + 1) for _ in range(3))
    kernels.places(data, place)
    kernels.last_uses(data, place, empty, used)
    # What follows from the first clauses alone a solver says, and numbers, before it is given the others.
    given = np.flatnonzero(place[1:] == 0)[:clauses] + 1
    renumbered[given] = np.arange(1, clauses + 1)
    counts = kernels.zeros(2)
    counts[0] = clauses
    number = 1
    out = np.empty(8 * LONGEST_STEP, np.uint8)
    while number <= empty:
        number = kernels.rewrite(data, place, used, renumbered, number, empty, out, counts)
        if not counts[1]:
            raise ValueError(f"the solver's clause {number:,} is longer than {LONGEST_STEP:,} bytes")
        yield out[: int(counts[1])].tobytes()
