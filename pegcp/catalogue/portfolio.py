"""The choice of a method for a problem, from our measurements (examples/auto.toml), and ``auto``: several in turn."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import count
from math import inf
from typing import Any, assert_never

from pegcp import backends
from pegcp.game.goal import GOAL_KINDS, DeadEnd, Exact, Goal, Nearest, Objective, OnePeg, Partial
from pegcp.game.problem import Problem
from pegcp.method import OUT_OF_TIME, Answer, Method, Reason, Run, Status

Methods = Mapping[str, Method]  # those that ship, by name

SMALL = 20  # holes up to which searching all positions is quickest
PAGODA = 400  # holes from which the linear programs of certificates take longer than a second
MEDIUM = 36  # holes up to which all positions on the way to a dead end are listed in seconds
LARGE = 40  # holes from which budgets take longer to compute than a beam takes for an answer


def candidates(objective: Objective, holes: int) -> tuple[str, ...]:
    """Methods for an objective, the fastest in our measurements first."""
    small = holes <= SMALL
    match objective:
        case Objective.ANY:
            return ("dfs",) if small else ("beam",) if holes >= LARGE else ("budget",)
        case Objective.FEWEST_JUMPS:
            return ("bfs",) if holes <= MEDIUM else ("fools-counts", "bfs")
        case Objective.FEWEST_MOVES:
            return ("fewest-moves",) if holes <= 64 else ("beam",)
        case Objective.FEWEST_STEPS:
            return ("parallel",)
        case Objective.FEWEST_PEGS | Objective.NEAREST:
            return ("bfs",) if small else ("rounds", "bfs")
        case Objective.COUNT:
            return ("count",)
        case _:
            assert_never(objective)


def best_name(problem: Problem, methods: Methods) -> str | None:
    """The best of the measured methods that accepts the problem and is installed."""
    for name in candidates(problem.objective, len(problem.board.holes)):
        if installed(methods[name]) and methods[name].refusal(problem) is None:
            return name
    return None


def installed(method: Method) -> bool:
    """True if the first of the method's backends is installed; a search needs none."""
    info = backends.info(next(iter(method.backends), None))
    return info is None or info.version() is not None


def quick_certificate(problem: Problem, run: Run) -> Mapping[str, Any] | None:
    """Find a certificate quickly: a position class, or on boards of some hundred holes a pagoda function."""
    from pegcp.theory.certificates import find

    return find(problem, pagoda=len(problem.board.holes) <= PAGODA, seconds=run.remaining)


def turns(problem: Problem, methods: Methods) -> Iterator[tuple[str, float]]:
    """The methods of ``auto``, one after the other, each with its seconds.

    A beam finds most solutions in less than a tenth of a second, without the libraries that certificates need. The
    other problems are settled by certificates, jump counts and their cuts, jump budgets, or a longer beam; on small
    boards by depth-first search.
    """
    best, holes = best_name(problem, methods), len(problem.board.holes)
    if best is None:
        return
    small = holes <= SMALL
    if problem.objective is Objective.ANY:
        yield "beam", 0.1 if small else 1.0
    elif beam_first(problem):
        yield "beam", 5.0
    yield "certificate", inf
    if problem.objective is not Objective.ANY or small:
        yield best, inf
        return
    series = [("benders", 1.0)] if methods["benders"].refusal(problem) is None else []
    series = [*series, ("budget", 1.0), ("beam", 2.0)] if holes < LARGE else [("beam", 2.0), *series]
    yield from ((name, seconds * 4.0**n) for n in count() for name, seconds in series)


def beam_first(problem: Problem) -> bool:
    """True if a beam finds good solutions long before the best method finds any: dead ends in few moves."""
    few_moves = problem.objective is Objective.FEWEST_MOVES and isinstance(problem.goal, DeadEnd)
    return few_moves and len(problem.board.holes) > SMALL


def any_is_optimal(problem: Problem) -> bool:
    """True if all solutions have the same number of jumps, so that the first one has the fewest."""
    return problem.objective is Objective.FEWEST_JUMPS and len(problem.jump_counts) == 1


def perfect_end(problem: Problem) -> Problem | None:
    """The problem to reach the best end: one peg for the fewest pegs, for the nearest the position itself."""
    match problem.objective, problem.goal:
        case Objective.FEWEST_PEGS, Partial(0, 0):
            goal: Goal = OnePeg()
        case Objective.NEAREST, Nearest(pegs, weights) if all(weights):
            goal = Exact(pegs)
        case _:
            return None
    return replace(problem, goal=goal, objective=Objective.ANY)


def auto(methods: Methods) -> Method:
    """The default of ``pegcp solve`` as a method of its own; its statistics name the method ``chosen``."""

    def run(problem: Problem, run: Run, options: Mapping[str, Any], backend: str | None) -> Answer:
        del options, backend
        began, name, best_method = time.perf_counter(), "auto", "auto"
        question = replace(problem, objective=Objective.ANY) if any_is_optimal(problem) else problem
        answer = Answer(Status.UNKNOWN, Reason.UNSUPPORTED, message="no method supports this goal with this objective")
        best, perfect = answer, perfect_end(problem)
        if perfect and (found := _turn("beam", 1.0, perfect, run, methods)).jumps is not None:
            answer, name, question = found, "beam", perfect
        for name, seconds in turns(question, methods) if answer.jumps is None else ():
            answer = _turn(name, seconds, question, run, methods)
            if answer.status is Status.SOLVED and answer.reason is Reason.TIME:  # the next may find a better solution
                best, best_method = answer, name
            elif answer.status is not Status.UNKNOWN or answer.reason.sort in ("refusal", "fault"):
                break
            if not run.remaining:
                break
        if answer.status is Status.UNKNOWN and best.status is Status.SOLVED:
            answer, name = best, best_method
        if question is not problem and answer.jumps is not None:
            answer = replace(answer, status=Status.OPTIMAL, reason=Reason.COMPLETED, bound=problem.value(answer.jumps))
        built = answer.statistics.get("build_seconds", 0.0)
        spent = {"build_seconds": built, "solve_seconds": time.perf_counter() - began - run.pause.seconds - built}
        return replace(answer, statistics={**answer.statistics, **spent, "chosen": name})

    every = frozenset(objective.value for objective in Objective)
    return Method(
        "auto",
        "The default of pegcp solve: certificates and the methods that measured best, in turn",
        GOAL_KINDS,
        every,
        run,
    )


def _turn(name: str, seconds: float, problem: Problem, run: Run, methods: Methods) -> Answer:
    if name == "certificate":
        certificate = quick_certificate(problem, run)
        return OUT_OF_TIME if certificate is None else Answer(Status.INFEASIBLE, certificate=certificate)
    method = methods[name]
    if refusal := method.refusal(problem):
        return Answer(Status.UNKNOWN, Reason.UNSUPPORTED, message=refusal)
    return method.run(problem, run.within(seconds), method.options, next(iter(method.backends), None))
