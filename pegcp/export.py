"""Exports: a problem in the format of an external solver. The same bytes on every run, under any hash seed."""

from __future__ import annotations

from pegcp import backends
from pegcp.catalogue import Chosen, choose, loaded
from pegcp.errors import InputError
from pegcp.game.problem import Problem
from pegcp.modelfile import read_header


def export(problem: Problem, method: str, format: str | None = None) -> dict[str, str]:  # noqa: A002
    """File names and texts of a problem compiled by a method; ``pddl`` and every planner give PDDL.

    ``format`` is one of the backend's formats, by default its first. Raises InputError when the method has none, or
    cannot take the problem.
    """
    if method == "pddl":
        return _pddl(problem, format)
    chosen = choose(method)
    refusal = chosen.method.refusal(problem)
    if refusal is not None:
        raise InputError(refusal)
    if _takes_pddl(chosen):
        return _pddl(problem, format)
    if chosen.backend is None or chosen.method.path is None:
        raise InputError(f"{method} is a search: there is nothing to export")
    solver = backends.solver(chosen.backend)
    formats = solver.formats
    if not formats:
        raise InputError(f"backend {chosen.backend} has no export format")
    if format is not None and format not in formats:
        raise InputError(f'{method} cannot be exported as "{format}"; formats: {", ".join(formats)}')
    if not problem.jump_counts:
        raise InputError("the goal needs more pegs than the start has: there is no model to export")
    model = loaded(read_header(chosen.method.path, "build"))
    return solver.load().export(model, problem, chosen.parameters, format or formats[0])


def series(problems: list[Problem], method: str, format: str | None = None) -> dict[str, str]:  # noqa: A002
    """File names and texts of several problems as a planning benchmark. Raises InputError for other formats."""
    if not (method == "pddl" or _takes_pddl(choose(method))) or format not in (None, "pddl"):
        raise InputError("several problems at once are exported as pddl only")
    from pegcp.formats import pddl

    return pddl.benchmark(problems)


def _takes_pddl(chosen: Chosen) -> bool:
    entry = backends.entry(chosen.backend)
    return entry is not None and "pddl" in entry.formats


def _pddl(problem: Problem, format: str | None) -> dict[str, str]:  # noqa: A002
    if format not in (None, "pddl"):
        raise InputError(f'planning models are exported as pddl, not as "{format}"')
    from pegcp.formats import pddl

    return pddl.export(problem)
