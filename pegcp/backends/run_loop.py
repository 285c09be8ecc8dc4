"""Model files, and the run loop that all backends share: try horizons in turn, optimise, or count solutions."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from math import inf
from typing import Any, TypeVar

from pegcp.backends.backend import Backend
from pegcp.backends.horizons import Horizon, approach, solve
from pegcp.backends.model import ModelFile
from pegcp.game.board import Jump
from pegcp.game.equivalence import in_normal_form
from pegcp.game.goal import Objective
from pegcp.game.problem import Problem
from pegcp.method import OUT_OF_TIME, Answer, Options, Reason, Run, Status, Tally
from pegcp.modelling.formulation import Formulation, Value

FIRST_TURN = 5.0  # seconds
T = TypeVar("T")
# The function from variable to value of a solution; False: there is none; None: the time is over. Any other outcome,
# such as an error, is an Answer.
Outcome = Value | Answer | bool | None


class HorizonLoop:
    """One run of a model on a solver, horizon after horizon if the model has horizons.

    A backend overrides :meth:`search`, and :meth:`begin` where the solver keeps a state between two searches. All
    conclusions about the problem are drawn in :mod:`pegcp.backends.horizons`. Figures of the solver go to
    ``statistics``, which become those of the answer.
    """

    keeps_model = True  # the built model is kept for the next turn; else each turn builds it afresh
    takes_turns = True  # horizons take turns; else each has all the time, as with the option ``bottom``
    minimises = False  # :meth:`minimise` can look for the best solution of a model

    def __init__(self, backend: Backend, model: ModelFile, problem: Problem, run: Run, options: Options) -> None:
        self.backend, self.model, self.problem, self.run, self.options = backend, model, problem, run, options
        self.parameters = backend.parameters(options)
        self.horizons = model.horizon_log(problem, options)
        self.horizon: Horizon = None
        self.statistics: dict[str, Any] = {"build_seconds": 0.0, "solve_seconds": 0.0}
        self._states: dict[Horizon, tuple[Formulation[Any], Any]] = {}
        self._last: Formulation[Any] | None = None  # of which the sizes are reported

    def begin(self, formulation: Formulation[Any]) -> object:  # noqa: ARG002
        """Give a formulation to the solver, and return the state that its searches share."""
        return None

    def search(self, formulation: Formulation[Any], state: Any, seconds: float) -> Outcome:
        """Search, or resume the search, for some seconds."""
        raise NotImplementedError

    def minimise(self, formulation: Formulation[Any], state: Any, values: range) -> Answer:
        """Look for the best solution of one model with a value in a range."""
        raise NotImplementedError

    def count(self, formulation: Formulation[Any], state: Any, tally: Tally) -> Answer:  # noqa: ARG002
        """Hand all solutions to a tally; when stopped, those found so far."""
        return uncountable(f"{self.backend.name} finds one solution only")

    def answer(self) -> Answer:
        """Run, and conclude."""
        takes_turns = self.takes_turns and not self.options.get("bottom")
        if self.problem.objective is Objective.COUNT:
            answer = self._counted()
        elif self.problem.sought is not None and self.minimises:
            answer = approach(self.problem, self.horizons, self._minimised, self.run)
        else:
            answer = solve(self.horizons, self._attempted, self.run, FIRST_TURN if takes_turns else inf)
        if self.horizons.refuted_horizons:
            self.statistics["refuted_horizons"] = self.horizons.refuted_horizons
        sizes = {} if self._last is None else self.backend.sizes(self._last.model)
        return replace(answer, statistics=sizes | self.statistics)

    def _attempted(self, horizon: Horizon, seconds: float) -> Answer:
        formulation, state = self._built(horizon)
        seconds = min(seconds, self.run.remaining)
        outcome = self._timed(lambda: self.search(formulation, state, seconds)) if seconds > 0 else None
        if outcome is None:
            return OUT_OF_TIME
        if callable(outcome):
            return Answer(Status.SOLVED, jumps=formulation.played(outcome))
        answer = outcome if isinstance(outcome, Answer) else Answer(Status.INFEASIBLE)
        if answer.status is Status.INFEASIBLE:  # the model of a refuted horizon is not needed again
            del self._states[horizon]
        return answer

    def _counted(self) -> Answer:
        if not self.horizons.open:
            return Answer(Status.INFEASIBLE)
        if not self.horizons.complete:
            return uncountable("a fixed horizon excludes some of them; leave out :horizon=N")
        formulation, state = self._built(self.horizons.open[-1])  # which has all solutions
        if not formulation.distinct:
            return uncountable("with these options one solution of the model may stand for several; change the options")
        tally = Tally(self.problem, self.run, formulation.distinct)
        return self._timed(lambda: self.count(formulation, state, tally))

    def _minimised(self, horizon: Horizon, values: range) -> Answer:
        formulation, state = self._built(horizon)
        return self._timed(lambda: self.minimise(formulation, state, values))

    def _built(self, horizon: Horizon) -> tuple[Formulation[object], object]:
        self.horizon = horizon
        self.statistics |= {} if horizon is None else {"horizon": horizon}
        self._report()
        began = time.perf_counter()
        if horizon not in self._states or not self.keeps_model:
            formulation = self.model.build(self.problem, horizon, self.options)
            self._last = formulation
            self._states[horizon] = formulation, self.begin(formulation)
        self.statistics["build_seconds"] += time.perf_counter() - began
        self._report()
        return self._states[horizon]

    def add_figures(self, figures: Mapping[str, int]) -> None:
        """Add the figures of a search to those of the searches before it."""
        for name, number in figures.items():
            self.statistics[name] = self.statistics.get(name, 0) + number

    def _report(self) -> None:
        bound = {} if self.horizons.bound is None else {"bound": self.horizons.bound}
        self.run.report(self.statistics | bound)

    def _timed(self, work: Callable[[], T]) -> T:
        began = time.perf_counter()
        outcome = work()
        self.statistics["solve_seconds"] += time.perf_counter() - began
        return outcome


def hint_values(problem: Problem, made: Sequence[Mapping[Any, Any]], jumps: Sequence[Jump]) -> dict[Any, int]:
    """Return a value for each variable of a jump: each jump as early as possible, in rounds in their order, or one a
    step where there are as many steps. Empty where the jumps do not fit."""
    ranks = {jump: rank for rank, jump in enumerate(made[0] if made else ())}
    are_rounds = [*ranks] != [*problem.board.jumps]
    if not are_rounds and len(made) >= len(jumps):
        placed = set(enumerate(in_normal_form(jumps)))
    else:
        placed, latest = set(), dict[int, tuple[int, float]]()
        for jump in jumps:
            holes = (jump.from_, jump.over, jump.to)
            t, rank = max(latest.get(hole, (-1, inf)) for hole in holes)
            t += not (are_rounds and ranks.get(jump, 0) > rank)
            latest.update(dict.fromkeys(holes, (t, ranks.get(jump, 0))))
            placed.add((t, jump))
    if any(t >= len(made) for t, _ in placed):
        return {}
    return {variable: int((t, jump) in placed) for t, step in enumerate(made) for jump, variable in step.items()}


def uncountable(why: str) -> Answer:
    """The answer where solutions cannot be counted."""
    return Answer(Status.UNKNOWN, Reason.UNSUPPORTED, message=f"its solutions cannot be counted: {why}")
