"""Which combinations are asked about which problem, and the tally of what they said."""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from itertools import product

from hypothesis import HealthCheck, assume, settings

from pegcp.comparison.agreement import find_disagreements
from pegcp.game import Problem
from pegcp.method import Limits, Reason, Run
from pegcp.running.road import run as run_in_child
from pegcp.running.task import Task

from .brute_force import Game, Truth
from .combinations import Combination, Said, ask
from .faults import unfinished, untrue

SECONDS = 20.0  # more than nearly every run on these boards needs
PLANNERS = 20  # askings that one of a planner counts as
TRIVIAL = 5  # one problem of so many may be without play

HEALTH = (HealthCheck.filter_too_much, HealthCheck.too_slow, HealthCheck.large_base_example)

Asking = Callable[[Combination, Problem, Run], Said]


class Campaign:
    """A block of problems.

    Every combination has its turn: a problem is put to so many of those that take it, the ones asked least so far, of
    all methods alike. Planners start processes: one asking of theirs counts as several. Those that said something wrong
    are the ``suspects``, and the only ones that are asked while Hypothesis shrinks the problem.
    """

    def __init__(self, combinations: Iterable[Combination], each: int) -> None:
        self.combinations, self.each = list(combinations), each
        random.Random(0).shuffle(self.combinations)
        self.asked: Counter[str] = Counter()
        self.verdicts: Counter[str] = Counter()
        self.seen: set[str] = set()
        self.trivial = 0
        self.suspects: list[Combination] = []

    def truth(self, problem: Problem) -> tuple[Game, Truth]:
        """The truth about a new problem. One met before, and one of too many without play, Hypothesis drops."""
        game = Game(problem)
        if self.suspects:
            return game, game.truth()
        assume(problem.fingerprint not in self.seen)
        truth = game.truth()
        if truth.plays == 1 or truth.fewest_jumps == 0:
            assume(self.trivial * TRIVIAL <= len(self.seen))
            self.trivial += 1
        self.seen.add(problem.fingerprint)
        return game, truth

    def turn(self, problem: Problem, truth: Truth) -> list[Combination]:
        """The combinations that are asked about this problem."""
        if self.suspects:
            return [suspect for suspect in self.suspects if suspect.takes(problem)]
        able = [c for c in self.combinations if c.takes(problem) and not c.too_long(problem, truth)]
        return sorted(able, key=lambda c: self.asked[c.text] * (PLANNERS if c.planner else 1))[: self.each]

    def put(
        self, problem: Problem, seed: int, workers: int, askings: Sequence[Asking] = (ask,), stopped: bool = False
    ) -> None:
        """Ask, in each of some ways, and compare all that is said with the truth. Raises AssertionError.

        A run that is ``stopped`` may leave questions open.
        """
        game, truth = self.truth(problem)
        turn = self.turn(problem, truth)
        results, faults, wrong = [], [], []
        for combination, asking in product(turn, askings):
            self.asked[combination.text] += 1
            run = Run(Limits(time=SECONDS, workers=workers, seed=seed))
            said = asking(combination, problem, run)
            results.append(said.result)
            self.verdicts[verdict(said)] += 1
            found = list(untrue(problem, game, truth, said))
            found += [] if stopped else unfinished(problem, truth, said)
            faults += [f"{combination.text}, seed {seed}, {workers} workers: {fault}" for fault in found]
            wrong += [combination] if found else []
        faults += [f"the runner says that methods disagree: {found.message}" for found in find_disagreements(results)]
        if faults and not self.suspects:
            self.suspects = wrong[:1] or turn
        assert not faults, "\n".join([*faults, problem.text, str(truth)])

    def report(self) -> str:
        """The tally as text, for :func:`summary`."""
        return json.dumps({"problems": len(self.seen), "asked": self.asked, "verdicts": self.verdicts})


def examples(count: int) -> settings:
    """The settings of Hypothesis for a block of so many problems."""
    return settings(max_examples=count, deadline=None, database=None, suppress_health_check=HEALTH)


def verdict(said: Said) -> str:
    status, reason = said.result.status.value, said.result.reason
    return status if reason is Reason.COMPLETED else f"{status} ({reason.value})"


def in_child(combination: Combination, problem: Problem, run: Run) -> Said:
    """What the runner makes of it, in a child process; only the last of what was reported is known."""
    reported: dict[str, object] = {}
    result = run_in_child(Task(problem, combination.chosen, run.limits), reported.update)
    return Said(combination, result, (reported,))


def summary(reports: Iterable[str]) -> str:
    """Several tallies together, in words."""
    problems, asked, verdicts = 0, Counter[str](), Counter[str]()
    for report in reports:
        data = json.loads(report)
        problems += data["problems"]
        asked.update(data["asked"])
        verdicts.update(data["verdicts"])
    methods = {text.partition(":")[0] for text in asked}
    least, most, answers = min(asked.values(), default=0), max(asked.values(), default=0), asked.total()
    counts = ", ".join(f"{kind} {number:,}" for kind, number in sorted(verdicts.items()))
    return (
        f"{problems:,} problems, {len(methods)} methods in {len(asked)} combinations, each asked {least:,} to {most:,} "
        f"times; {answers:,} answers: {counts}"
    )
