"""How solvers say what they have found: one module for each convention of the field.

Each has ``read(said, code)``: from all that a program wrote and its exit code to the values of the variables, by their
names where the variables of a formulation have names, else by the variables themselves; False: it says that there is
no solution; None: it says neither. What is no value is left out, what contradicts itself raises ValueError. A wrong
value does no harm, as every solution is replayed; so "no solution" is read strictly, a solution leniently.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from importlib import import_module
from typing import Any

Said = Mapping[Any, int] | bool | None  # never True

_MODULES = {
    "cnf": "sat",
    "opb": "pseudo_boolean",
    "xcsp3": "xcsp",
    "lp": "linear",
    "mps": "linear",
    "mzn": "minizinc",
    "fzn": "minizinc",
    "smt2": "smt",
    "asp": "answer_sets",
}
FORMATS = tuple(_MODULES)  # those that programs read, and answer by a convention


def reader(format: str) -> Callable[[str, int], Said]:  # noqa: A002
    """How the answers to files of a format are read."""
    found: Callable[[str, int], Said] = import_module(f"{__name__}.{_MODULES[format]}").read
    return found


def verdict(lines: Iterable[str], yes: Iterable[str], no: Iterable[str]) -> bool | None:
    """What the lines that are one of these words say. Raises ValueError if they say both."""
    said = {line.strip() for line in lines}
    found, refuted = not said.isdisjoint(yes), not said.isdisjoint(no)
    if found and refuted:
        raise ValueError("it says both that there is a solution and that there is none")
    return True if found else False if refuted else None


def competition(said: str) -> bool | None:
    """What the lines ``s`` of the competitions say. Raises ValueError if they say both."""
    return verdict(said.splitlines(), ("s SATISFIABLE", "s OPTIMUM FOUND"), ("s UNSATISFIABLE",))


def whole(value: str) -> int:
    """A number that stands for a whole one, such as ``0.9999999``. Raises ValueError for others."""
    number = float(value)
    if abs(number - round(number)) > 1e-4:  # OverflowError for what is infinite is an ArithmeticError
        raise ValueError(f"{value} is no whole number")
    return round(number)
