"""LRAT in compiled code: the checker's refutations, followed faster.

:func:`follow` accepts what :func:`pegcp.proofs.checker.follow` accepts, and leaves it to that one to say what is wrong
with the others; ``python compiled.py FOLDER`` is the checker with it. docs/proof-format.md says how a proof is written.
"""

from __future__ import annotations

from itertools import chain

import numpy as np
from numpy.typing import NDArray

from pegcp.proofs import checker
from pegcp.proofs.checker import Clause
from pegcp.states.kernels.clause_proofs import ADD, Numbers, end_of, literal_code, numbers_of
from pegcp.states.kernels.compiled import Number, compiled


def follow(clauses: list[Clause], variables: int, data: bytes) -> None:
    """Follow a proof that the clauses, over variables 1 to ``variables``, have no solution. Raises Rejected at the
    first bad step."""
    formula = np.fromiter(chain.from_iterable((*map(literal_code, clause), 0) for clause in clauses), np.int32)
    numbers = numbers_of(np.frombuffer(data, np.uint8), formula)
    where = np.empty(len(clauses) + (len(numbers) - len(formula)) // 4 + 2, np.int64)  # a step has four or more
    if not _follow(numbers, len(formula), len(clauses), where, np.zeros(2 * variables + 2, np.int64)):
        checker.follow(clauses, variables, data)


@compiled
def _follow(numbers: Numbers, at: Number, newest: Number, where: NDArray[np.int64], true: NDArray[np.int64]) -> bool:
    """Whether the steps from a place on derive the empty clause, each from those before it and the clauses there.

    ``where`` becomes the place of each clause, by its number; ``true[literal]`` is the last step in which the literal
    was true.
    """
    place = np.int64(0)
    for clause in range(1, newest + 1):
        where[clause] = place
        place = end_of(numbers, place) + 1
    while at < len(numbers) and numbers[at] == ADD:
        step = newest + 1
        middle = end_of(numbers, at + 1)
        end = end_of(numbers, middle + 1)
        if end >= len(numbers) or numbers[at + 1] != step << 1:
            return False
        for i in range(at + 2, middle):
            if not 2 <= numbers[i] < len(true):
                return False
            true[numbers[i] ^ 1] = step
        contradicted = False
        for i in range(middle + 1, end):
            clause = numbers[i] >> 1
            if numbers[i] & 1 or clause > newest:
                return False
            unit, k = np.int32(0), where[clause]
            while numbers[k]:
                if true[numbers[k] ^ 1] != step:
                    if unit and unit != numbers[k]:
                        return False
                    unit = numbers[k]
                k += 1
            if not unit:
                contradicted = True
                break
            true[unit] = step
        if not contradicted:
            return False
        if middle == at + 2:
            return True
        newest, where[step], at = step, at + 2, end + 1
    return False
