"""The class of every solver, the loop in which it runs a model, and the names that a backend is written with."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping, Set
from dataclasses import dataclass, field, replace
from functools import partial
from inspect import signature
from math import inf
from pathlib import Path
from typing import Any, ClassVar, Literal

from pegcp.backends.horizons import Horizon, Horizons, approach, solve
from pegcp.backends.info import Ability, BackendInfo, check_word
from pegcp.errors import InputError, InvalidSolution, Missing, refuse_if
from pegcp.game import Jump, Objective, Problem
from pegcp.method import OUT_OF_TIME, Answer, Data, Method, Options, Reason, Run, Status, Tally, stopped, watch
from pegcp.modelling.formulation import AnyFormulation, Formulation, Value, by_hole, by_step
from pegcp.modelling.steps import hint_values

__all__ = [
    "OUT_OF_TIME",
    "Ability",
    "Answer",
    "AnyFormulation",
    "Backend",
    "BackendInfo",
    "Data",
    "Figures",
    "Formulation",
    "HorizonLoop",
    "InputError",
    "InvalidSolution",
    "Jump",
    "Method",
    "Missing",
    "ModelFile",
    "Objective",
    "Options",
    "Outcome",
    "Problem",
    "Reason",
    "Run",
    "State",
    "Status",
    "Tally",
    "Value",
    "check_word",
    "hint_values",
    "refuse_if",
    "stopped",
    "uncountable",
    "watch",
]

FIRST_TURN = 5.0  # seconds
Figures = dict[str, Any]
State = Any  # what a solver has begun with a formulation; only its backend knows the type
# The function from variable to value of a solution; False: there is none; None: the time is over. Any other outcome,
# such as an error, is an Answer.
Outcome = Value | Answer | Literal[False] | None


@dataclass(frozen=True)
class ModelFile:
    """A model file that has been loaded: its functions ``build`` and ``horizons``.

    A model with ``horizons`` is built for one horizon, and ``horizons`` lists those to try; ``measures`` is the
    objective that the horizon measures, if any; ``parameters`` are those of its solver by name. The option ``horizon``
    of such a model fixes the horizon; 0 does not. With the option ``bottom`` horizons take no turns: each is refuted
    before the next one is tried, so that the one with a solution is the least.
    """

    path: Path
    build_with: Callable[..., object]
    horizons: Callable[..., Iterable[int]] | None = None
    measures: Objective | None = None
    parameters: Mapping[str, bool | int | float | str] = field(default_factory=dict)

    def horizons_to_try(self, problem: Problem, options: Options) -> Horizons:
        """Return the horizons to try: that of the options, else those of the model. Raises InputError if they do not
        rise."""
        if self.horizons is None or not problem.lengths:
            return Horizons([None] if problem.lengths else [])
        is_measured = self.measures is problem.objective
        horizons = tuple(self.horizons(problem, **options_of(self.horizons, options)))
        if not (horizon := options.get("horizon")):
            return Horizons(horizons, measured=is_measured)
        # The model has every solution of the problem with an only horizon, and with the last one where a larger horizon
        # admits all solutions of a smaller one: horizons that measure nothing, of solutions that are equally long.
        admits_smaller = self.measures is None and len(problem.lengths) == 1
        is_complete = horizons[-1:] == (horizon,) if admits_smaller else horizons == (horizon,)
        return Horizons([horizon], measured=is_measured, complete=is_complete)

    def build(self, problem: Problem, horizon: int | None, options: Options) -> AnyFormulation:
        """Build the formulation of a problem with a horizon (None for a model without).

        Raises InputError if the model file returns anything else.
        """
        arguments = () if horizon is None else (horizon,)
        others = {key: value for key, value in options_of(self.build_with, options).items() if key != "horizon"}
        formulation: Any = self.build_with(problem, *arguments, **others)
        refuse_if(
            not isinstance(formulation, Formulation),
            f"build must return a Formulation, not {type(formulation).__name__}",
            self.path,
        )
        board = problem.board
        for name, keys, by_key in (("made", board.jumps, by_step), ("peg", board.holes, by_hole)):
            rows = getattr(formulation, name)
            if any(isinstance(row, list | tuple) for row in rows):
                refuse_if(
                    {*map(len, rows)} != {len(keys)},
                    f"each of {name} must have {len(keys)} variables, or say by which keys it has them",
                    self.path,
                )
                formulation = replace(formulation, **{name: by_key(board, rows)})
        return formulation  # type: ignore[no-any-return]


def options_of(function: Callable[..., object], options: Options) -> dict[str, object]:
    """Return the options that a function of the model takes."""
    return {key: value for key, value in options.items() if key in signature(function).parameters}


@dataclass(frozen=True)
class Backend(BackendInfo):
    """A solver that runs models.

    A subclass defines :meth:`search`; all else is optional. It imports the solver inside methods, never when its module
    is imported. What a run needs to know is in its ``loop``.
    """

    # Imported before a model file is, and before the clock of a run starts; by default the modules.
    preload: tuple[str, ...] = field(default=(), kw_only=True)
    keeps_model: ClassVar[bool] = True  # the built model is kept for the next turn; else each turn builds it afresh
    takes_turns: ClassVar[bool] = True  # horizons take turns; else each has all the time, as with the option ``bottom``
    minimises: ClassVar[bool] = False  # :meth:`minimise` can look for the best solution of a model

    def answer(self, model: ModelFile, problem: Problem, run: Run, options: Options) -> Answer:
        """Build the model of the problem, solve it within the limits, and decode."""
        return HorizonLoop(self, model, problem, run, options).answer()

    def begin(self, loop: HorizonLoop, formulation: AnyFormulation) -> State:
        """Give a formulation to the solver, and return the state that its searches share."""
        return None

    def search(self, loop: HorizonLoop, formulation: AnyFormulation, state: State, seconds: float) -> Outcome:
        """Search, or resume the search, for some seconds."""
        raise NotImplementedError(f"{type(self).__name__} must define search(self, loop, formulation, state, seconds)")

    def minimise(self, loop: HorizonLoop, formulation: AnyFormulation, state: State, values: range) -> Outcome:
        """Look for the best solution of one model with a value in a range."""
        raise NotImplementedError

    def count(self, loop: HorizonLoop, formulation: AnyFormulation, state: State, tally: Tally) -> Answer:
        """Hand all solutions to a tally; when stopped, those found so far."""
        return uncountable(f"{self.name} finds one solution only")

    def write(self, formulation: AnyFormulation, format: str, rising: bool = False) -> dict[str, str]:  # noqa: A002
        """Write a formulation in one of the ``formats``: texts by file name. The solver itself may be missing."""
        raise InputError(f"backend {self.name} has no export format")

    def reader(self, solution: object) -> Value:
        """Return the function from variable to value of a solution.

        The solution is a mapping, the set of variables that are true, or the function itself.
        """
        match solution:
            case Mapping():
                return solution.__getitem__
            case Set():
                return solution.__contains__
            case _ if callable(solution):
                return solution
            case _:
                raise InputError(f"{self.name} cannot read values from {type(solution).__name__}")

    def sizes(self, native: Any) -> Figures:
        """Return the sizes of a model; none of a backend that does not know them.

        The same names for all: ``variables``, ``constraints`` (rows, clauses, rules), ``literals`` (of clauses,
        non-zeros of rows).
        """
        return {}

    def presolved_sizes(self, native: Any, run: Run, parameters: Mapping[str, str]) -> Figures:
        """Return the sizes of a model after the solver's presolve, with ``_presolved`` in their names; none of a
        backend that does not know them."""
        return {}

    def model_statistics(self, model: ModelFile, problem: Problem, run: Run, options: Options) -> Figures:
        """Return the sizes of the model with the given or the first horizon; none if every horizon is refuted.

        Raises InputError for a backend that has none of them.
        """
        horizons = model.horizons_to_try(problem, options).open
        if not horizons:
            return {}
        began = time.perf_counter()
        native = model.build(problem, horizons[0], options).model
        build_seconds = time.perf_counter() - began
        sizes = self.sizes(native) | self.presolved_sizes(native, run, self.parameters(options))
        refuse_if(not sizes, f"{self.name} reports no sizes")
        return {"build_seconds": build_seconds, **({} if horizons[0] is None else {"horizon": horizons[0]}), **sizes}

    def parameters(self, options: Options) -> dict[str, str]:
        """Return the options that are parameters of this solver, ``SOLVER.PARAMETER=VALUE``, by their names there."""
        begin = f"{self.name}."
        return {key.removeprefix(begin): value for key, value in options.items() if key.startswith(begin)}

    def check_parameter(self, name: str, value: str) -> None:
        """Raise InputError unless the solver has a parameter of that name, which takes that value.

        Parameters that pegcp itself sets do not count: limits, threads, the seed, logs and files.
        """
        raise InputError(f"{self.name} takes no parameters")


class HorizonLoop:
    """One run of a model on a solver, horizon after horizon if the model has horizons.

    All conclusions about the problem are drawn in :mod:`pegcp.backends.horizons`. Figures of the solver go to
    ``statistics``, which become those of the answer; ``searches`` counts those that have ended; ``last_state`` is what
    the backend returned when the last model was begun.
    """

    def __init__(self, backend: Backend, model: ModelFile, problem: Problem, run: Run, options: Options) -> None:
        self.backend, self.model, self.problem, self.run, self.options = backend, model, problem, run, options
        self.parameters = backend.parameters(options)
        self.horizons = model.horizons_to_try(problem, options)
        self.statistics: Figures = {"build_seconds": 0.0, "solve_seconds": 0.0}
        self.searches = 0
        self.last_state: State = None
        self._states: dict[Horizon, tuple[AnyFormulation, State]] = {}
        self._last: AnyFormulation | None = None  # of which the sizes are reported

    def answer(self) -> Answer:
        """Count the solutions, approach the best one, or search horizon after horizon; conclude about the problem."""
        takes_turns = self.backend.takes_turns and not self.options.get("bottom")
        if self.problem.objective is Objective.COUNT:
            answer = self._count_all()
        elif self.problem.sought is not None and self.backend.minimises and self.model.horizons is not None:
            answer = approach(self.problem, self.horizons, partial(self._attempt, self.backend.minimise), self.run)
        else:
            search = partial(self._attempt, self.backend.search)
            answer = solve(self.horizons, search, self.run, FIRST_TURN if takes_turns else inf)
        if self.horizons.refuted_horizons:
            self.statistics["refuted_horizons"] = self.horizons.refuted_horizons
        sizes = {} if self._last is None else self.backend.sizes(self._last.model)
        return replace(answer, statistics=sizes | self.statistics)

    def _count_all(self) -> Answer:
        if not self.horizons.open:
            return Answer(Status.INFEASIBLE)
        if not self.horizons.complete:
            return uncountable("a fixed horizon excludes some of them; leave out :horizon=N")
        return self._attempt(_count, self.horizons.open[-1], inf)  # which has all solutions

    def _attempt(self, work: Callable[..., Outcome], horizon: Horizon, extent: float | range) -> Answer:
        """Build the model of a horizon, unless it is kept, and have the solver work on it, for some seconds or on a
        range of values; conclude about that model."""
        self.statistics |= {} if horizon is None else {"horizon": horizon}
        self._report()
        began = time.perf_counter()
        if horizon not in self._states or not self.backend.keeps_model:
            self._last = self.model.build(self.problem, horizon, self.options)
            self.last_state = self.backend.begin(self, self._last)
            self._states[horizon] = self._last, self.last_state
        formulation, state = self._states[horizon]
        self.statistics["build_seconds"] += time.perf_counter() - began
        self._report()
        began = time.perf_counter()
        extent = extent if isinstance(extent, range) else min(extent, self.run.remaining)
        outcome = work(self, formulation, state, extent) if self.run.remaining > 0 else None
        self.statistics["solve_seconds"] += time.perf_counter() - began
        self.searches += 1
        if outcome is None:
            return OUT_OF_TIME
        if callable(outcome):
            return Answer(Status.SOLVED, jumps=formulation.played(outcome))
        answer = outcome or Answer(Status.INFEASIBLE)
        if answer.status is Status.INFEASIBLE:  # the model of a refuted horizon is not needed again
            del self._states[horizon]
        return answer

    def add_figures(self, figures: Mapping[str, int]) -> None:
        """Add the figures of a search to those of the searches before it."""
        for name, number in figures.items():
            self.statistics[name] = self.statistics.get(name, 0) + number

    def report_log(self, lines: str) -> None:
        """Report lines of the solver."""
        for line in lines.splitlines():
            self.run.report({"log": line})

    def _report(self) -> None:
        self.run.report(self.statistics | ({} if self.horizons.bound is None else {"bound": self.horizons.bound}))


def _count(loop: HorizonLoop, formulation: AnyFormulation, state: object, _seconds: float) -> Answer:
    if not formulation.distinct:
        return uncountable("it cannot count with these options: one solution of the model may stand for several")
    return loop.backend.count(loop, formulation, state, Tally(loop.problem, loop.run, formulation.distinct))


def uncountable(why: str) -> Answer:
    """Return the answer where solutions cannot be counted."""
    return Answer(Status.UNKNOWN, Reason.UNSUPPORTED, message=f"its solutions cannot be counted: {why}")
