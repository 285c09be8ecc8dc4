"""A model file as the backends see it: its functions, with or without horizons."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from inspect import signature
from pathlib import Path
from typing import Any

from pegcp.backends.horizons import Book
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

    def book(self, problem: Problem, options: Options) -> Book:
        """The horizons to try: that of the options, or else those of the model. Raises InputError if they do not
        rise."""
        if not problem.jump_counts:
            return Book([])
        if self.horizons is None:
            return Book([None])
        measured = self.measures is problem.objective
        horizons = tuple(self.horizons(problem, **self._of(self.horizons, options)))
        given = options.get("horizon")
        if not given:
            return Book(horizons, measured=measured)
        return Book([given], measured=measured, complete=self._has_all(problem, horizons, given))

    def _has_all(self, problem: Problem, horizons: tuple[int, ...], given: int) -> bool:
        """Whether every solution has the given horizon: it is the only one, or the last of those that hold each other.

        Horizons that measure something do not; nor may those of a problem whose solutions differ in length.
        """
        if horizons == (given,):
            return True
        return horizons[-1:] == (given,) and self.measures is None and len(problem.jump_counts) == 1

    @staticmethod
    def _of(function: Callable[..., Any], options: Options) -> dict[str, Any]:
        """Those of the options that a function of the model takes."""
        return {key: value for key, value in options.items() if key in signature(function).parameters}

    def build(self, problem: Problem, horizon: int | None, options: Options) -> Formulation[Any]:
        """The formulation of a problem with a horizon (None for a model without). Raises InputError if it is none."""
        arguments = () if horizon is None else (horizon,)
        told = self._of(self.build_with, {key: value for key, value in options.items() if key != "horizon"})
        formulation = self.build_with(problem, *arguments, **told)
        if not isinstance(formulation, Formulation):
            fault = f"build must return a Formulation, not {type(formulation).__name__}"
            raise InputError(fault, source=str(self.path))
        return formulation

    def build_whole(self, problem: Problem, options: Options) -> Formulation[Any]:
        """The formulation with the given horizon, else the last, which has all solutions."""
        return self.build(problem, self.book(problem, options).open[-1], options)

    def build_for_export(self, problem: Problem, options: Options, rising: bool = False) -> Formulation[Any]:
        """The formulation with the given horizon, else the first.

        Raises InputError if the horizon is what is looked for, unless ``rising``: a program tries one after the other.
        """
        book = self.book(problem, options)
        if book.measured and book.complete and not rising:
            fault = f"the horizon is what {problem.objective} looks for; say which one to export with :horizon=N"
            raise InputError(fault)
        return self.build(problem, book.open[0], options)
