"""Readers of the output of solvers, by the conventions of the field.

A reader takes the output of a program and its exit code. It returns the values of the variables, by their names where
the variables of a formulation have names, else by the variables themselves; False if the program reports that there is
no solution; None if it reports no verdict. Words that are not values are ignored; a contradiction raises ValueError.
Every solution is replayed, so a wrong value does no harm: solutions are read leniently, and "no solution" strictly.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

Values = Mapping[Any, int]
Verdict = Values | bool | None  # never True


@dataclass(frozen=True)
class Convention:
    """The lines and exit codes that mean yes and no, and the reader of values."""

    yes: tuple[str, ...]
    no: tuple[str, ...]
    values: Callable[[str], Values]
    codes: Mapping[int, bool] = field(default_factory=dict)

    def __call__(self, output: str, code: int) -> Verdict:
        """The verdict of a program. Raises ValueError if its lines, or its exit code, contradict each other."""
        lines = {line.strip() for line in output.splitlines()}
        solved, refuted = not lines.isdisjoint(self.yes), not lines.isdisjoint(self.no)
        if solved and refuted:
            raise ValueError("it reports both a solution and that there is none")
        if (solved or refuted) and self.codes.get(code, solved) is not solved:
            raise ValueError(f"its exit code {code} contradicts its output")
        return self.values(output) if solved else False if refuted else None


_LITERALS = re.compile(r"(v )?\s*(-?\d+\s+)*-?\d+\s*")


def _clauses(output: str) -> Values:
    """The variables that are true; MiniSat writes them without ``v``."""
    lines = [line.removeprefix("v ") for line in output.splitlines() if _LITERALS.fullmatch(line)]
    return {int(word): 1 for line in lines for word in line.split() if word.isdigit() and word != "0"}


def _pseudo_boolean(output: str) -> Values:
    """The variables that are true."""
    words = [word for line in output.splitlines() if line.startswith("v ") for word in line[2:].split()]
    return {word: 1 for word in words if not word.startswith("-")}


_INSTANTIATION = re.compile(r"<list>(.*?)</list>\s*<values>(.*?)</values>", re.DOTALL)


def _xcsp3(output: str) -> Values:
    """The values of the last instantiation; ``2x3`` stands for three times the value 2."""
    instantiations = _INSTANTIATION.findall("\n".join(line.removeprefix("v ") for line in output.splitlines()))
    names, values = (part.split() for part in (instantiations[-1] if instantiations else ("", "")))
    repeated: list[str] = []
    for value in values:
        number, times, count = value.partition("x")
        repeated += [number] * (min(int(count), len(names)) if times else 1)
    return {name: _whole_number(value) for name, value in zip(names, repeated, strict=True) if value != "*"}


def _whole_number(value: str) -> int:
    """Round a number that is nearly an integer, such as ``0.9999999``. Raises ValueError, OverflowError for others."""
    number = float(value)
    if abs(number - round(number)) > 1e-4:
        raise ValueError(f"{value} is not an integer")
    return round(number)


_MADE = re.compile(
    r"""\bmade"?\s*[=:]\s*(?:array2d\(\s*1\.\.\d+\s*,\s*1\.\.(?P<columns>\d+)\s*,\s*)?(?P<rows>\[[^;}]*\])"""
)


def _minizinc(output: str) -> Values:
    """The array ``made`` by step and jump, from 0, as MiniZinc writes it, or as JSON."""
    array = _MADE.search(output)
    if array is None:
        return {}
    rows = [re.findall(r"\d+|true|false", row) for row in re.split(r"[|\]]\s*,?", array["rows"])]
    if array["columns"]:
        (values, *_), columns = rows, int(array["columns"]) or 1
        rows = [values[i : i + columns] for i in range(0, len(values), columns)]
    steps = enumerate(row for row in rows if row)
    return {(t, j): int(value in ("1", "true")) for t, row in steps for j, value in enumerate(row)}


_CONSTANT = re.compile(
    r"\(\s*(?:define-fun\s+)?(\w+)\s+(?:\(\)\s+\(_ BitVec \d+\)\s+)?(#b[01]+|#x[0-9a-fA-F]+|\(_ bv\d+ \d+\))"
)
_BASES = {"#b": 2, "#x": 16}


def _bit_vectors(output: str) -> Values:
    """The values of bit vectors, by ``get-value`` or ``get-model``."""

    def number(value: str) -> int:
        base = _BASES.get(value[:2])
        return int(value.split()[1].removeprefix("bv")) if base is None else int(value[2:], base)

    return {constant: number(value) for constant, value in _CONSTANT.findall(output)}


_ATOM = re.compile(r"made\((\d+),(\d+)\)")


def _answer_set(output: str) -> Values:
    """The atoms of the last answer set, by step, from 1, and number of the jump."""
    answers = [after for line, after in pairwise(output.splitlines()) if line.startswith("Answer")]
    return {(int(t), int(jump)): 1 for t, jump in _ATOM.findall(answers[-1] if answers else "")}


_INFEASIBLE = re.compile(
    r"^(?:Integer infeasible|Infeasible) - objective value"  # CBC's file
    r"|^Status: +INTEGER EMPTY|PROBLEM HAS NO (?:INTEGER|PRIMAL) FEASIBLE SOLUTION"  # GLPK
    r"|^This problem is infeasible$"  # lp_solve
    r"|^solution status: infeasible$|^SCIP Status +: problem is solved \[infeasible\]"  # SCIP
    r"|^Model status +: Infeasible$|^Model status\nInfeasible$|^  Status +Infeasible$"  # HiGHS
    r"|^Model is infeasible$",  # Gurobi
    re.MULTILINE,
)
_FEASIBLE = re.compile(
    r"\b(?:optimal|feasible)\b|^Actual values of the variables|^# Objective value", re.IGNORECASE | re.MULTILINE
)
_VALUE = re.compile(r"(?<!\S)([A-Za-z]\w*)\s+(?:(?:\*|NL|NU|B|NF|NS)\s+)?([-+]?\d+(?:\.\d*)?(?:[eE][-+]?\d+)?)(?!\S)")


def _linear(output: str, _: int) -> Verdict:
    """Solutions of integer programs in the formats of CBC, GLPK, lp_solve, SCIP, HiGHS and Gurobi.

    They share no convention, but each writes the name of a variable followed by its value, perhaps with a number before
    and a basis status between. Some omit variables that are 0; constraints have other names than variables.
    """
    if _INFEASIBLE.search(output):
        return False
    if not _FEASIBLE.search(output):
        return None
    values: dict[str, int] = {}
    for variable, value in _VALUE.findall(output.partition("\nDual value")[0]):  # lp_solve's name variables again
        with suppress(ValueError, OverflowError):
            values[variable] = _whole_number(value)
    return values


_COMPETITION = ("s SATISFIABLE", "s OPTIMUM FOUND"), ("s UNSATISFIABLE",)
# By the formats that programs read.
READERS: dict[str, Callable[[str, int], Verdict]] = {
    # https://satcompetition.github.io/2024/output.html, and MiniSat's words
    "cnf": Convention(
        ("s SATISFIABLE", "SATISFIABLE", "SAT"),
        ("s UNSATISFIABLE", "UNSATISFIABLE", "UNSAT"),
        _clauses,
        {10: True, 20: False},
    ),
    "opb": Convention(*_COMPETITION, _pseudo_boolean),  # https://www.cril.univ-artois.fr/PB24/
    "xcsp3": Convention(*_COMPETITION, _xcsp3),  # https://www.xcsp.org/competitions/
    "lp": _linear,
    "mps": _linear,
    # The MiniZinc handbook, "FlatZinc and Flattening", section "Output".
    "mzn": Convention(("----------",), ("=====UNSATISFIABLE=====",), _minizinc),
    "smt2": Convention(("sat",), ("unsat",), _bit_vectors),  # the SMT-LIB standard, version 2.6, sections 3.9, 4.2.6
    # The Potassco user guide, section 3.1; also DLV and others that follow it.
    "asp": Convention(("SATISFIABLE", "OPTIMUM FOUND"), ("UNSATISFIABLE",), _answer_set),
}
