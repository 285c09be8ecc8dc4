"""A model file as the backends see it: its functions, with or without horizons."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from inspect import signature
from pathlib import Path
from typing import Any

from pegcp.backends.horizons import HorizonLog
from pegcp.errors import InputError
from pegcp.game.goal import Objective
from pegcp.game.problem import Problem
from pegcp.modelling.formulation import Formulation

Options = Mapping[str, Any]


@dataclass(frozen=True)
class Model:
    """A model file that has been loaded: its functions ``build`` and ``horizons``.

    A model with ``horizons`` fixes one, and says which ones to try; ``measures`` is the objective that the horizon
    measures, if any; ``parameters`` are those of its solver by name. The option ``horizon`` of such a model gives one
    horizon; 0 gives none.
    """

    path: Path
    build_with: Callable[..., Any]
    horizons: Callable[..., Iterable[int]] | None = None
    measures: Objective | None = None
    parameters: Mapping[str, bool | int | float | str] = field(default_factory=dict)

    def horizon_log(self, problem: Problem, options: Options) -> HorizonLog:
        """The horizons to try: that of the options, or else those of the model. Raises InputError if they do not
        rise."""
        if not problem.jump_counts:
            return HorizonLog([])
        if self.horizons is None:
            return HorizonLog([None])
        measured = self.measures is problem.objective
        horizons = tuple(self.horizons(problem, **_options_of(self.horizons, options)))
        horizon = options.get("horizon")
        if not horizon:
            return HorizonLog(horizons, measured=measured)
        return HorizonLog([horizon], measured=measured, complete=self._covers_all(problem, horizons, horizon))

    def _covers_all(self, problem: Problem, horizons: tuple[int, ...], horizon: int) -> bool:
        """Whether every solution has the horizon: it is the only one, or the last of those that hold each other.

        Horizons that measure something do not; nor may those of a problem whose solutions differ in length.
        """
        if horizons == (horizon,):
            return True
        return horizons[-1:] == (horizon,) and self.measures is None and len(problem.jump_counts) == 1

    def build(self, problem: Problem, horizon: int | None, options: Options) -> Formulation[Any]:
        """The formulation of a problem with a horizon (None for a model without). Raises InputError if it is none."""
        arguments = () if horizon is None else (horizon,)
        others = {key: value for key, value in options.items() if key != "horizon"}
        formulation = self.build_with(problem, *arguments, **_options_of(self.build_with, others))
        if not isinstance(formulation, Formulation):
            fault = f"build must return a Formulation, not {type(formulation).__name__}"
            raise InputError(fault, source=str(self.path))
        return formulation

    def build_whole(self, problem: Problem, options: Options) -> Formulation[Any]:
        """The formulation with the given horizon, else the last, which has all solutions."""
        return self.build(problem, self.horizon_log(problem, options).open[-1], options)

    def build_for_export(self, problem: Problem, options: Options, rising: bool = False) -> Formulation[Any]:
        """The formulation with the given horizon, else the first.

        Raises InputError if the horizon is what is looked for, unless ``rising``: a program tries one after the other.
        """
        log = self.horizon_log(problem, options)
        if log.measured and log.complete and not rising:
            fault = f"the horizon is what {problem.objective} looks for; say which one to export with :horizon=N"
            raise InputError(fault)
        return self.build(problem, log.open[0], options)


def _options_of(function: Callable[..., Any], options: Options) -> dict[str, Any]:
    """Those of the options that a function of the model takes."""
    return {key: value for key, value in options.items() if key in signature(function).parameters}
