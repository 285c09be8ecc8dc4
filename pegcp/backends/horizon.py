"""Models with a horizon: which horizons to try, and building the model of one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import ModuleType
from typing import Any

from pegcp.errors import InputError
from pegcp.game.problem import Problem
from pegcp.modelling.formulation import Formulation


def horizons(model: ModuleType, problem: Problem, options: Mapping[str, Any]) -> tuple[Iterable[int | None], bool]:
    """The horizons to try, None for a model without, and whether they cover all solutions."""
    if not hasattr(model, "horizons"):
        return [None] if problem.jump_counts else [], True
    if options.get("horizon"):
        return [options["horizon"]], False
    return model.horizons(problem) if problem.jump_counts else [], True


def build_for_export(model: ModuleType, problem: Problem, options: Mapping[str, Any]) -> Formulation[Any]:
    """The model of the given horizon, else of the first. Raises InputError where no horizon is better than another."""
    tried, unfixed = horizons(model, problem, options)
    if unfixed and getattr(model, "HORIZON", None) == problem.objective:
        raise InputError(f"the horizon is what {problem.objective} looks for; say which one to export with :horizon=N")
    return build(model, problem, next(iter(tried)), options)


def build(model: ModuleType, problem: Problem, horizon: int | None, options: Mapping[str, Any]) -> Formulation[Any]:
    """The model of a problem with a horizon (None for a model without). Raises InputError if it is no Formulation."""
    arguments = () if horizon is None else (horizon,)
    formulation = model.build(problem, *arguments, **{key: value for key, value in options.items() if key != "horizon"})
    if not isinstance(formulation, Formulation):
        raise InputError(f"build must return a Formulation, not {type(formulation).__name__}", source=model.__file__)
    return formulation
