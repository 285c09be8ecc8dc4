"""Every method of the catalogue with every combination of its options, and what one of them says of a problem."""

from __future__ import annotations

import contextlib
import tempfile
import traceback
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import product
from typing import Any

from pegcp.backends import inventory
from pegcp.catalogue.choice import Choice, choose
from pegcp.catalogue.methods import bundled
from pegcp.game import Objective, Problem
from pegcp.method import Method, Reason, Run
from pegcp.results.judge import judge_answer
from pegcp.results.result import Result, failed

from .brute_force import Truth

# Values to try for options that are neither switches nor choices: numbers and planners' searches.
TRIED: dict[tuple[str, str], tuple[Any, ...]] = {
    ("beam", "width"): (1, 4, 100),
    ("dfs", "size"): (1, 7),
    ("dfs-chained", "size"): (1, 7, 1009),
    ("dfs-double", "size"): (1, 7, 1009),
    ("fast-downward", "search"): (
        "eager_wastar([ff()],w=3)",
        "lazy_greedy([ff()],preferred=[ff()])",
        "astar(blind())",
        "ehc(ff())",
    ),
    ("fast-downward-opt", "search"): ("astar(lmcut())", "astar(blind())", "eager_greedy([ff()])"),
    ("pyperplan", "search"): ("wastar", "astar", "gbf", "bfs", "ids", "ehs"),
    ("pyperplan", "heuristic"): ("hadd", "hmax"),
    ("symk", "search"): ("sym_bd()", "sym_fw()"),
}
HORIZONS = (0, 1, 3)
GIVES_UP = ("search=ehc", "search=ehs", "solver=min-conflicts", "certificate")  # may end without an answer
# What is not too much to ask of a test with many problems:
PLAYS = 2000  # jump sequences, of a search without memory
HOLES = 7  # of a search through lists of positions
LITERALS = 500  # one for each jump in each step, of a model; fewer of the models that are slow


@dataclass(frozen=True)
class Combination:
    """A method with one value for each of its options, on one backend."""

    text: str
    method: Method
    chosen: Choice = field(compare=False)

    @property
    def planner(self) -> bool:
        return self.method.path is None

    @property
    def searches(self) -> bool:
        return self.method.path is not None and self.chosen.backend is None

    def option(self, name: str) -> Any:
        return self.chosen.all_options.get(name)

    @property
    def may_give_up(self) -> bool:
        """Whether the method may end without an answer although it had time."""
        return bool(self.option("horizon")) or any(part in self.text for part in GIVES_UP)

    def takes(self, problem: Problem) -> bool:
        return not self.method.refusal(problem)

    def too_long(self, problem: Problem, truth: Truth) -> bool:
        """Whether this may take seconds, by the size of the search or of the model."""
        counting = problem.objective is Objective.COUNT
        literals = len(problem.board.jumps) * (problem.lengths[-1] if problem.lengths else 0)
        match self.method.name:
            case "lpg" if problem.objective is Objective.FEWEST_STEPS and not problem.board.lines:
                return True  # it crashes on durative actions that are never possible
            case "tamer" if not truth.solvable:  # it seldom ends where there is no plan
                return True
            case _ if self.planner:
                return literals > LITERALS // 2
            case "long-hop":
                return literals > LITERALS // 10
            case "ip1" | "ip-state" | "ip-parallel" | "ip-rounds" | "mzn-rounds" | "mzn-moves":
                return literals > LITERALS // 4
            case _ if self.option("solver") == "min-conflicts":
                return literals > LITERALS // 4
            case "constraint-positions" if not self.option("consistent"):
                return len(problem.board.holes) > HOLES
            case "constraint":
                without_memory = counting or not self.option("memory")
            case "constraint-replay" | "dfs-plain":
                without_memory = True
            case "dfs":
                without_memory = self.option("table") == "none"
            case _:
                without_memory = counting and self.chosen.backend == "cp-sat"
        modelled = self.chosen.backend == "cp-sat" and literals > LITERALS
        return modelled or (without_memory and truth.plays > PLAYS)


@cache
def combinations() -> tuple[Combination, ...]:
    """All of them, for the methods that are installed."""
    return tuple(_combinations())


def usual(name: str) -> Combination:
    """A method as it is when nothing is chosen."""
    chosen = choose(name)
    return Combination(name, chosen.method, chosen)


def one_by_one(name: str) -> Iterator[Combination]:
    """A method as it is, and with each other value of one of its switches and choices."""
    usually = usual(name)
    yield usually
    for option, default in usually.method.options.items():
        values = usually.method.option_values.get(option) or (("on", "off") if isinstance(default, bool) else ())
        for value in values:
            if value != _written(default):
                yield usual(f"{name}:{option}={value}")


def _combinations() -> Iterator[Combination]:
    for method in bundled().values():
        if method.name == "planner":  # any planner by its command line: there is none to give
            continue
        for backend in method.backends or (None,):
            known = None if backend is None else inventory.info(backend)
            if known is None or known.version() is not None:
                yield from _of_method(method, backend)


def _of_method(method: Method, backend: str | None) -> Iterator[Combination]:
    names = [name for name in method.options if name != "command"]  # of a program: there is none to give
    values = [_values(method, name, method.options[name]) for name in names]
    for chosen_values in product(*values):
        options = dict(zip(names, chosen_values, strict=True))
        written = [f"{name}={_written(value)}" for name, value in options.items()]
        named_backend = [backend] if backend is not None and len(method.backends) > 1 else []
        text = ":".join([method.name, *named_backend, *written])
        yield Combination(text, method, choose(text))


def _values(method: Method, name: str, default: Any) -> tuple[Any, ...]:
    if name in method.option_values:
        return method.option_values[name]
    if isinstance(default, bool):
        return (False, True)
    if name == "horizon":
        return HORIZONS
    tried = TRIED.get((method.name, name))
    assert tried is not None, f"say in TRIED which values of the option {name} of {method.name} to try"
    return tried


def _written(value: Any) -> str:
    return {True: "on", False: "off"}[value] if isinstance(value, bool) else str(value)


@dataclass(frozen=True)
class Said:
    """What a method said of a problem: the checked result, and all that it reported on the way."""

    combination: Combination
    result: Result
    reports: tuple[Mapping[str, Any], ...]


def ask(combination: Combination, problem: Problem, run: Run) -> Said:
    """Run the method in this process, as the child process of the runner does; an exception is an ERROR."""
    reports: list[Mapping[str, Any]] = []
    try:
        with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):  # planners write files
            answer = combination.chosen.run(problem, replace(run, report=lambda news: reports.append(dict(news))))
        result = judge_answer(problem, combination.text, answer, backend=combination.chosen.backend)
    except Exception:  # noqa: BLE001 - whatever a method raises is a fault of the method
        result = failed(problem, combination.text, Reason.ERROR, traceback.format_exc())
    return Said(combination, result, tuple(reports))
