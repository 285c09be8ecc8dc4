"""The choice of a method for a problem, from our measurements (examples/auto.toml), and ``auto``: several in turn."""

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from heapq import heappop, heappush
from itertools import count
from math import inf

from pegcp.backends import inventory
from pegcp.game import GOAL_KINDS, DeadEnd, Nearest, Objective, OnePeg, Partial, Problem, fixed_goal
from pegcp.method import OUT_OF_TIME, Answer, Method, Options, Reason, Run, Status
from pegcp.search.certificate import certify

Methods = Mapping[str, Method]  # those that ship, by name

SMALL_HOLES = 20  # holes up to which searching all positions is quickest
BEAM_HOLES = 40  # holes from which budgets take longer to compute than a beam takes for an answer


def best_name(problem: Problem, methods: Methods) -> str | None:
    """Return the best of the measured methods that accepts the problem and is installed."""
    for name in _candidates(problem.objective, len(problem.board.holes)):
        info = inventory.info(next(iter(methods[name].backends), None))  # a search needs none
        if (info is None or info.version() is not None) and not methods[name].refusal(problem):
            return name
    return None


def _candidates(objective: Objective, holes: int) -> tuple[str, ...]:
    """Return the methods for an objective on a board, the fastest in our measurements first."""
    match objective:
        case Objective.ANY:
            return ("dfs",) if holes <= SMALL_HOLES else ("budget",) if holes < BEAM_HOLES else ("beam",)
        case Objective.FEWEST_JUMPS:
            return ("bfs",) if holes <= 36 else ("fools-counts", "bfs")  # so many are listed on the way to a dead end
        case Objective.FEWEST_MOVES:
            return ("fewest-moves",) if holes <= 64 else ("beam",)
        case Objective.FEWEST_STEPS:
            return ("parallel",)
        case Objective.FEWEST_PEGS | Objective.NEAREST:
            return ("bfs",) if holes <= SMALL_HOLES else ("rounds", "bfs")
        case Objective.COUNT:
            return ("count",)


def turns(problem: Problem, methods: Methods) -> Iterator[tuple[str, float]]:
    """Yield the methods of ``auto``, one after the other, each with its seconds.

    A beam finds most solutions in less than a tenth of a second, without the libraries that certificates need, and good
    dead ends in few moves long before the best method finds any. The other problems are settled by certificates, jump
    counts and their cuts, jump budgets, or a longer beam; on small boards by depth-first search.
    """
    best, holes = str(best_name(problem, methods)), len(problem.board.holes)
    small = holes <= SMALL_HOLES
    if problem.objective is Objective.ANY:
        yield "beam", 0.1 if small else 1.0
    elif problem.objective is Objective.FEWEST_MOVES and isinstance(problem.goal, DeadEnd) and not small:
        yield "beam", 5.0
    yield "certificate", inf
    if problem.objective in (Objective.FEWEST_PEGS, Objective.NEAREST):
        yield "bfs", 1.0
    if problem.objective is not Objective.ANY or small:
        yield best, inf
        return
    series = [] if methods["benders"].refusal(problem) else [("benders", 1.0)]
    series = [*series, ("budget", 1.0), ("beam", 2.0)] if holes < BEAM_HOLES else [("beam", 2.0), *series]
    yield from ((name, seconds * 4.0**n) for n in count() for name, seconds in series)


def simplest(problem: Problem) -> Problem:
    """Return the problem to find any solution where all have the same number of jumps; else the problem itself."""
    any_is_optimal = problem.objective is Objective.FEWEST_JUMPS and len(problem.lengths) == 1
    return replace(problem, objective=Objective.ANY) if any_is_optimal else problem


def best_ends(problem: Problem) -> Iterator[tuple[int, Problem]]:
    """Yield the problems to reach one end each, with its value, the best first: one peg, or near positions."""
    match problem.objective, problem.goal:
        case Objective.FEWEST_PEGS, Partial(0, 0):
            yield 1, replace(problem, goal=OnePeg(), objective=Objective.ANY)
        case Objective.NEAREST, Nearest() as goal:
            holes_with_weight = sum(1 << hole for hole, weight in enumerate(goal.weights) if weight)
            for distance, flips in _lightest_sets(goal.weights):
                pegs = (goal.pegs ^ flips) & holes_with_weight
                end = fixed_goal(problem.board, pegs, holes_with_weight & ~pegs)
                yield distance, replace(problem, goal=end, objective=Objective.ANY)
        case _:
            pass


def _lightest_sets(weights: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Yield the sets of holes that have a weight, as bit masks, by their total weight, which comes first."""
    holes = sorted((weight, hole) for hole, weight in enumerate(weights) if weight)
    heap = [(0, 0, 0)]  # total weight, set, index of the first hole that it may be extended by
    while heap:
        total, holes_of_set, first = heappop(heap)
        yield total, holes_of_set
        for index, (weight, hole) in enumerate(holes[first:], start=first + 1):
            heappush(heap, (total + weight, holes_of_set | 1 << hole, index))


@dataclass(frozen=True, kw_only=True)
class Auto(Method):
    """The default of ``pegcp solve`` as a method of its own; its statistics name the method ``chosen``.

    ``methods``: those that take turns, by name.
    """

    methods: Methods = field(repr=False, compare=False)

    def refuse(self, problem: Problem) -> str | None:
        """Return a reason where no method takes the problem, else None."""
        has_method = best_name(simplest(problem), self.methods) is not None
        return None if has_method else "no method supports this goal with this objective"

    def run(self, problem: Problem, run: Run, options: Options, backend: str | None) -> Answer:  # noqa: ARG002
        """Answer by one method after the other."""
        began, question = time.perf_counter(), simplest(problem)
        answer, name, best, best_method, certifying = OUT_OF_TIME, "auto", OUT_OF_TIME, "auto", 0.0
        for name, answer in self._answers(question, run):
            certifying += answer.statistics.get("certificate_seconds", 0.0)
            if answer.status is Status.SOLVED and answer.reason is Reason.TIME:  # the next may find a better solution
                value, least = (None if item.jumps is None else problem.value(item.jumps) for item in (answer, best))
                if least is None or (value is not None and value < least):
                    best, best_method = answer, name
            elif answer.status is not Status.UNKNOWN or answer.reason.sort in ("refusal", "fault"):
                break
        if best.jumps is not None and answer.status in (Status.UNKNOWN, Status.SOLVED):
            answer, name = replace(best, bound=answer.bound), best_method
        if question is not problem and answer.jumps is not None:
            answer = replace(answer, status=Status.OPTIMAL, reason=Reason.COMPLETED, bound=problem.value(answer.jumps))
        building = answer.statistics.get("build_seconds", 0.0)
        solving = time.perf_counter() - began - run.pause.seconds - building - certifying
        seconds = {"build_seconds": building, "solve_seconds": solving, "certificate_seconds": certifying}
        return replace(answer, statistics={**answer.statistics, **seconds, "chosen": name})

    def _answers(self, problem: Problem, run: Run) -> Iterator[tuple[str, Answer]]:
        """Yield the answers of the methods of ``auto``, each with its name, as long as there is time."""
        yield "beam", self._try_ends(problem, run)
        for name, seconds in turns(problem, self.methods):
            yield name, self._turn(name, seconds, problem, run)
            if not run.remaining:
                return

    def _try_ends(self, problem: Problem, run: Run) -> Answer:
        """Try the best ends by a beam, for a sixth of the time: each for a moment, then for longer those that are open.

        An end that is reached is the optimum if all better ones are ruled out.
        """
        limit, best, ends = run.remaining, OUT_OF_TIME, best_ends(problem)
        open_ends: list[tuple[int, Problem]] = []
        for seconds, share in ((0.05, 0.9), (1.0, 0.83)):
            open_ends = []
            for value, end in ends:
                is_over = run.remaining < share * limit
                answer = OUT_OF_TIME if is_over else self._turn("beam", seconds, end, run)
                open_ends += [(value, end)] if answer.jumps is None and answer.status is Status.UNKNOWN else []
                if answer.jumps is not None:
                    run.report({"objective": value, "jumps": answer.jumps})
                    best = replace(answer, bound=value)
                if is_over or answer.jumps is not None:
                    break
            open_ends = [(value, end) for value, end in open_ends if best.bound is None or value < best.bound]
            ends = iter(open_ends)
        if best.bound is None or open_ends:
            return replace(best, bound=None, reason=Reason.TIME, message="time limit")
        return replace(best, status=Status.OPTIMAL)

    def _turn(self, name: str, seconds: float, problem: Problem, run: Run) -> Answer:
        if name == "certificate":
            return certify(problem, run.remaining)
        method = self.methods[name]
        return method.run(problem, run.within(seconds), method.options, next(iter(method.backends), None))


def auto(methods: Methods) -> Auto:
    """Return the method ``auto``, in which these methods take turns."""
    return Auto(
        "auto",
        "The default of pegcp solve: certificates and the methods that measured best, in turn",
        GOAL_KINDS,
        frozenset(map(str, Objective)),
        methods=methods,
    )
