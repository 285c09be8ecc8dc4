"""A model file that has been loaded: what backends build and solve."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from inspect import signature
from pathlib import Path

from pegcp.backends.horizons import HorizonLog
from pegcp.errors import InputError
from pegcp.game import Objective, Problem
from pegcp.method import Options
from pegcp.modelling.formulation import AnyFormulation, Formulation, by_hole, by_step


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

    def horizon_log(self, problem: Problem, options: Options) -> HorizonLog:
        """Return the horizons to try: that of the options, else those of the model. Raises InputError if they do not
        rise."""
        if not problem.lengths:
            return HorizonLog([])
        if self.horizons is None:
            return HorizonLog([None])
        measured = self.measures is problem.objective
        horizons = tuple(self.horizons(problem, **options_of(self.horizons, options)))
        if not (horizon := options.get("horizon")):
            return HorizonLog(horizons, measured=measured)
        # The model has every solution of the problem with an only horizon, and with the last one where a larger horizon
        # admits all solutions of a smaller one: horizons that measure nothing, of solutions that are equally long.
        admits_smaller = self.measures is None and len(problem.lengths) == 1
        is_complete = horizons[-1:] == (horizon,) if admits_smaller else horizons == (horizon,)
        return HorizonLog([horizon], measured=measured, complete=is_complete)

    def build(self, problem: Problem, horizon: int | None, options: Options) -> AnyFormulation:
        """Build the formulation of a problem with a horizon (None for a model without).

        Raises InputError if the model file returns anything else.
        """
        arguments = () if horizon is None else (horizon,)
        others = {key: value for key, value in options_of(self.build_with, options).items() if key != "horizon"}
        formulation = self.build_with(problem, *arguments, **others)
        if not isinstance(formulation, Formulation):
            raise InputError(
                f"build must return a Formulation, not {type(formulation).__name__}", source=str(self.path)
            )
        board = problem.board
        for name, keys in (("made", board.jumps), ("peg", board.holes)):
            rows = getattr(formulation, name)
            if not any(isinstance(row, list | tuple) for row in rows):
                continue
            if {*map(len, rows)} != {len(keys)}:
                fault = f"each of {name} must have {len(keys)} variables, or say by which keys it has them"
                raise InputError(fault, source=str(self.path))
            by_key = {"made": by_step(board, rows)} if name == "made" else {"peg": by_hole(board, rows)}
            formulation = replace(formulation, **by_key)
        return formulation

    def build_for_export(self, problem: Problem, options: Options, rising: bool = False) -> Formulation[object]:
        """Build the formulation with the given horizon, else the first.

        Raises InputError where the horizon measures the objective, unless ``rising``: the program that reads the file
        tries one horizon after the other.
        """
        log = self.horizon_log(problem, options)
        if log.measured and log.complete and not rising:
            raise InputError(
                f"the horizon is the objective {problem.objective} itself: choose one to export, with :horizon=N"
            )
        return self.build(problem, log.open[0], options)


def options_of(function: Callable[..., object], options: Options) -> dict[str, object]:
    """Return the options that a function of the model takes."""
    return {key: value for key, value in options.items() if key in signature(function).parameters}
