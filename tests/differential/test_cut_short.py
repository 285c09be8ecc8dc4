"""What a method says when it is stopped, at whatever moment, is true: status, bound, count, and all that it reported.

Searches look at the clock, and so do the loops over horizons: the clock of these tests runs out after so many looks.
Solvers stop a little before their time: those of these tests give up at solves that are chosen.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import cache
from math import inf, isfinite
from typing import Any
from unittest.mock import patch

import pytest
from hypothesis import given, seed
from hypothesis import strategies as st
from ortools.math_opt.python import mathopt
from ortools.sat.python import cp_model

import pegcp
from pegcp.catalogue.choice import choose
from pegcp.game import Objective, Problem
from pegcp.method import Limits, Run, Status
from pegcp.running.road import run as run_in_child
from pegcp.running.task import Task

from .brute_force import Game, Truth
from .campaign import Asking, Campaign, examples
from .combinations import Combination, Said, ask, combinations
from .faults import untrue
from .problems import problems

WITHOUT_CLOCK = ("certificate", "constraint", "constraint-positions", "constraint-replay")
MEASURED = (Objective.FEWEST_JUMPS, Objective.FEWEST_MOVES, Objective.FEWEST_STEPS)
LOOKS = 40
LARGER = ("triangle15:a1!", "triangle15:b3->?", "square4:a1->?", "square4:b2!")
TIERS: list[list[pytest.MarkDecorator]] = [[], [pytest.mark.slow], [pytest.mark.long], [pytest.mark.slow]]


def with_a_clock() -> list[Combination]:
    return [c for c in combinations() if c.method.name not in WITHOUT_CLOCK and not c.planner]


def over_horizons() -> list[Combination]:
    return [c for c in with_a_clock() if "horizon=0" in c.text or c.method.name == "budget"]


@dataclass(frozen=True)
class Watched(Run):
    """A run whose time is over after so many looks at the clock, which until then shows ``left`` seconds."""

    looks: int = LOOKS
    left: float = 20.0
    looked: list[None] = field(default_factory=list)

    @property
    def remaining(self) -> float:
        self.looked.append(None)
        return self.left if len(self.looked) <= self.looks else 0.0


def by_the_clock(looks: int) -> Asking:
    """Asking with a clock that runs out after so many looks."""
    return lambda combination, problem, run: ask(combination, problem, Watched(run.limits, looks=looks))


def by_the_solver(solves: range) -> Asking:
    """Asking with solvers that give up at the solves of these numbers."""

    def asking(combination: Combination, problem: Problem, run: Run) -> Said:
        with solvers_that_give_up(solves):
            return ask(combination, problem, Watched(run.limits))

    return asking


def cut_by_the_clock(block: int, count: int) -> Campaign:
    campaign = Campaign(with_a_clock(), each=min(20, 2 * count))

    @seed(block)
    @examples(count)
    @given(problems(), st.integers(0, 9), st.integers(0, LOOKS))
    def what_is_said_is_true(problem: Problem, seed: int, looks: int) -> None:
        campaign.put(problem, seed, 1, [by_the_clock(looks // part) for part in (1, 4, 16)], stopped=True)

    what_is_said_is_true()
    return campaign


def cut_by_the_solver(block: int, count: int) -> Campaign:
    """Horizons that measure the objective: the first ones, in turn, are left open once, or more often, or for good."""
    campaign = Campaign(over_horizons(), each=min(20, 2 * count))

    @seed(block)
    @examples(count)
    @given(problems(MEASURED), st.integers(0, 9), st.integers(1, 3))
    def what_is_said_is_true(problem: Problem, seed: int, times: int) -> None:
        askings = [by_the_solver(range(first, first + times)) for first in range(6)]
        askings += [by_the_solver(range(first, 10_000)) for first in range(2)]
        campaign.put(problem, seed, 1, askings, stopped=True)

    what_is_said_is_true()
    return campaign


@contextmanager
def solvers_that_give_up(solves: range) -> Iterator[None]:
    """CP-SAT and MathOpt end without an answer at the solves of these numbers, if they were given a time limit."""
    numbers = iter(range(10_000))
    solve, solve_mathopt = cp_model.CpSolver.solve, mathopt.solve

    def give_up(solver: cp_model.CpSolver, *arguments: Any) -> Any:
        if isfinite(solver.parameters.max_time_in_seconds) and next(numbers) in solves:
            solver.parameters.max_time_in_seconds = 0.0
        return solve(solver, *arguments)

    def give_up_mathopt(model: mathopt.Model, solver: mathopt.SolverType, **arguments: Any) -> mathopt.SolveResult:
        if solver is mathopt.SolverType.GLOP or (number := next(numbers)) not in solves:
            return solve_mathopt(model, solver, **arguments)
        sign = 1 if model.objective.is_maximize else -1
        limit = mathopt.Limit.NODE if solver is mathopt.SolverType.GSCIP and number % 2 else mathopt.Limit.TIME
        nothing = mathopt.ObjectiveBounds(primal_bound=-sign * inf, dual_bound=sign * inf)
        reason = mathopt.TerminationReason.NO_SOLUTION_FOUND
        return mathopt.SolveResult(termination=mathopt.Termination(reason, limit, "", objective_bounds=nothing))

    with patch.object(cp_model.CpSolver, "solve", give_up), patch.object(mathopt, "solve", give_up_mathopt):
        yield


Cut = Callable[[int, int], Campaign]
CUTS = [(cut_by_the_clock, 35), (cut_by_the_solver, 25)]
FEWER_CUTS = [(cut_by_the_clock, 5), (cut_by_the_solver, 2)]


@pytest.mark.thorough
@pytest.mark.timeout(900)
@pytest.mark.parametrize(("cut", "count"), FEWER_CUTS)
def test_a_block(cut: Cut, count: int, record_property: Callable[[str, object], None]) -> None:
    block_is_true(0, count, cut, record_property)


@pytest.mark.slow
@pytest.mark.timeout(3600)
@pytest.mark.parametrize(("cut", "count"), CUTS)
@pytest.mark.parametrize("block", [pytest.param(n, id=f"block-{n}") for n in range(1, 6)])
def test_many_blocks(block: int, cut: Cut, count: int, record_property: Callable[[str, object], None]) -> None:
    block_is_true(block, count, cut, record_property)


def block_is_true(block: int, count: int, cut: Cut, record_property: Callable[[str, object], None]) -> None:
    campaign = cut(block, count)
    record_property("cut short", campaign.report())
    assert campaign.verdicts["UNKNOWN (TIME)"] >= count // 5, campaign.verdicts  # the clock does cut


@cache
def larger(name: str) -> tuple[Problem, Game, Truth]:
    """A problem on a board where searches look at the clock before they have an answer."""
    problem = pegcp.problem(name)
    game = Game(problem)
    return problem, game, game.truth()


@pytest.mark.thorough
@pytest.mark.parametrize("name", [pytest.param(name, marks=marks) for name, marks in zip(LARGER, TIERS, strict=True)])
@pytest.mark.parametrize("looks", [pytest.param(0, marks=pytest.mark.slow), 3])
def test_larger_boards(name: str, looks: int) -> None:
    problem, game, truth = larger(name)
    stopped = 0
    for combination in with_a_clock():
        if combination.takes(problem) and (combination.searches or combination.method.name in ("fools", "long-hop")):
            said = ask(combination, problem, Watched(looks=looks, left=0.05))
            stopped += said.result.status is Status.UNKNOWN
            assert not list(untrue(problem, game, truth, said)), combination.text
    assert stopped


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("name", "method", "reports"),
    [
        ("square4:b2!", "bfs:symmetry=off", 4),
        ("triangle15:a1!", "ip-state", 4),
        ("triangle15:b3->?", "fewest-moves", 3),
    ],
)
def test_interrupted_in_a_child_process(name: str, method: str, reports: int) -> None:
    """The runner keeps what was reported before it was told to stop."""
    problem, game, truth = larger(name)
    if method == "fewest-moves":
        problem = replace(problem, objective=Objective.FEWEST_MOVES)
    stop = threading.Event()
    reported: list[Mapping[str, Any]] = []

    def on_progress(news: Mapping[str, Any]) -> None:
        reported.append(dict(news))
        if len(reported) == reports:
            stop.set()

    chosen = choose(method)
    result = run_in_child(Task(problem, chosen, Limits(workers=1)), on_progress, stop)
    said = Said(Combination(method, chosen.method, chosen), result, tuple(reported))
    assert not list(untrue(problem, game, truth, said))
