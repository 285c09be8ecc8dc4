"""Model files, and the run loop that all backends share: try horizons in turn, optimise, or count solutions."""

import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from math import inf
from typing import Any, Literal

from pegcp.backends.backend import Backend, Figures
from pegcp.backends.horizons import Horizon, approach, solve
from pegcp.backends.model import ModelFile
from pegcp.game import Objective, Problem
from pegcp.method import OUT_OF_TIME, Answer, Options, Reason, Run, Status, Tally
from pegcp.modelling.formulation import AnyFormulation, Value

FIRST_TURN = 5.0  # seconds
# The function from variable to value of a solution; False: there is none; None: the time is over. Any other outcome,
# such as an error, is an Answer.
Outcome = Value | Answer | Literal[False] | None


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
        self.statistics: Figures = {"build_seconds": 0.0, "solve_seconds": 0.0}
        self._states: dict[Horizon, tuple[AnyFormulation, Any]] = {}
        self._last: AnyFormulation | None = None  # of which the sizes are reported

    def begin(self, formulation: AnyFormulation) -> object:  # noqa: ARG002
        """Give a formulation to the solver, and return the state that its searches share."""
        return None

    def search(self, formulation: AnyFormulation, state: Any, seconds: float) -> Outcome:
        """Search, or resume the search, for some seconds."""
        raise NotImplementedError

    def minimise(self, formulation: AnyFormulation, state: Any, values: range) -> Outcome:
        """Look for the best solution of one model with a value in a range."""
        raise NotImplementedError

    def count(self, formulation: AnyFormulation, state: Any, tally: Tally) -> Answer:  # noqa: ARG002
        """Hand all solutions to a tally; when stopped, those found so far."""
        return uncountable(f"{self.backend.name} finds one solution only")

    def answer(self) -> Answer:
        """Run, and conclude."""
        takes_turns = self.takes_turns and not self.options.get("bottom")
        if self.problem.objective is Objective.COUNT:
            answer = self._count_all()
        elif self.problem.sought is not None and self.minimises:
            answer = approach(self.problem, self.horizons, self._find_minimum, self.run)
        else:
            answer = solve(self.horizons, self._attempt, self.run, FIRST_TURN if takes_turns else inf)
        if self.horizons.refuted_horizons:
            self.statistics["refuted_horizons"] = self.horizons.refuted_horizons
        sizes = {} if self._last is None else self.backend.sizes(self._last.model)
        return replace(answer, statistics=sizes | self.statistics)

    def _attempt(self, horizon: Horizon, seconds: float) -> Answer:
        return self._ask(self.search, *self._build(horizon), min(seconds, self.run.remaining))

    def _find_minimum(self, horizon: Horizon, values: range) -> Answer:
        return self._ask(self.minimise, *self._build(horizon), values)

    def _count_all(self) -> Answer:
        if not self.horizons.open:
            return Answer(Status.INFEASIBLE)
        if not self.horizons.complete:
            return uncountable("a fixed horizon excludes some of them; leave out :horizon=N")
        formulation, state = self._build(self.horizons.open[-1])  # which has all solutions
        if not formulation.distinct:
            return uncountable("it cannot count with these options: one solution of the model may stand for several")
        return self._ask(self.count, formulation, state, Tally(self.problem, self.run, formulation.distinct))

    def _build(self, horizon: Horizon) -> tuple[AnyFormulation, object]:
        self.horizon = horizon
        self.statistics |= {} if horizon is None else {"horizon": horizon}
        self._report()
        began = time.perf_counter()
        if horizon not in self._states or not self.keeps_model:
            self._last = self.model.build(self.problem, horizon, self.options)
            self._states[horizon] = self._last, self.begin(self._last)
        self.statistics["build_seconds"] += time.perf_counter() - began
        self._report()
        return self._states[horizon]

    def _ask(self, work: Callable[..., Outcome], formulation: AnyFormulation, state: object, about: object) -> Answer:
        """Have the solver work on a model, if there is time, and conclude about that model."""
        began = time.perf_counter()
        outcome = work(formulation, state, about) if self.run.remaining > 0 else None
        self.statistics["solve_seconds"] += time.perf_counter() - began
        if outcome is None:
            return OUT_OF_TIME
        if callable(outcome):
            return Answer(Status.SOLVED, jumps=formulation.played(outcome))
        answer = outcome or Answer(Status.INFEASIBLE)
        if answer.status is Status.INFEASIBLE:  # the model of a refuted horizon is not needed again
            del self._states[self.horizon]
        return answer

    def add_figures(self, figures: Mapping[str, int]) -> None:
        """Add the figures of a search to those of the searches before it."""
        for name, number in figures.items():
            self.statistics[name] = self.statistics.get(name, 0) + number

    def _report(self) -> None:
        bound = {} if self.horizons.bound is None else {"bound": self.horizons.bound}
        self.run.report(self.statistics | bound)


def uncountable(why: str) -> Answer:
    """Return the answer where solutions cannot be counted."""
    return Answer(Status.UNKNOWN, Reason.UNSUPPORTED, message=f"its solutions cannot be counted: {why}")
