"""Models with a horizon: which horizons to try, and building the model of one."""

from __future__ import annotations

from collections.abc import Mapping
from types import ModuleType
from typing import Any

from pegcp.backends.book import Book
from pegcp.errors import InputError
from pegcp.game.problem import Problem
from pegcp.modelling.formulation import Formulation


def open_book(model: ModuleType, problem: Problem, options: Mapping[str, Any]) -> Book:
    """The horizons to try: that of the options, or else those of the model. Raises InputError if they do not rise."""
    if not hasattr(model, "horizons"):
        return Book([None] if problem.jump_counts else [])
    measured = getattr(model, "HORIZON", None) == problem.objective
    if options.get("horizon"):
        return Book([options["horizon"]], measured=measured, complete=False)
    return Book(model.horizons(problem) if problem.jump_counts else [], measured=measured)


def build_for_export(model: ModuleType, problem: Problem, options: Mapping[str, Any]) -> Formulation[Any]:
    """The model of the given horizon, else of the first. Raises InputError where no horizon is better than another."""
    book = open_book(model, problem, options)
    if book.measured and book.complete:
        raise InputError(f"the horizon is what {problem.objective} looks for; say which one to export with :horizon=N")
    return build(model, problem, book.open[0], options)


def build(model: ModuleType, problem: Problem, horizon: int | None, options: Mapping[str, Any]) -> Formulation[Any]:
    """The model of a problem with a horizon (None for a model without). Raises InputError if it is no Formulation."""
    arguments = () if horizon is None else (horizon,)
    formulation = model.build(problem, *arguments, **{key: value for key, value in options.items() if key != "horizon"})
    if not isinstance(formulation, Formulation):
        raise InputError(f"build must return a Formulation, not {type(formulation).__name__}", source=model.__file__)
    return formulation
