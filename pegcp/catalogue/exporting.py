"""Compile a problem with a method: to files, byte for byte reproducible, or to a native model object."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

from pegcp import backends
from pegcp.backends import planning
from pegcp.backends.backend import Backend
from pegcp.backends.run_loop import Model
from pegcp.catalogue.methods import Chosen, choose
from pegcp.errors import InputError
from pegcp.formats import pddl
from pegcp.game.problem import Problem
from pegcp.modelling.formulation import Formulation


def export(problem: Problem, method: str, format: str | None = None) -> dict[str, str]:  # noqa: A002
    """File names and texts of a problem compiled by a method; ``pddl`` and every planner give PDDL.

    ``pddl:encoding=NAME`` takes another domain than the one that fits, such as ``parallel``, or ``competition`` for
    that of the planning competitions.
    ``format`` is one of the backend's formats, by default its first. Raises InputError when the method has none, or
    cannot take the problem, and Missing where that needs a library that is not there.
    """
    if _is_pddl(method):
        return _pddl(problem, format, _encoding(method, problem))
    chosen = _chosen(problem, method)
    model, writer = _model(chosen)
    if not writer.formats:
        raise InputError(f"backend {writer.name} has no export format")
    format = format or writer.formats[0]  # noqa: A001
    if format not in writer.formats:
        raise InputError(f'{method} cannot be exported as "{format}"; formats: {", ".join(writer.formats)}')
    _check_numbers(problem)
    built = model.build_for_export(problem, chosen.parameters, rising=format == "asp")
    return writer.write(built, format, chosen.parameters)


def plan(problem: Problem, method: str, solution: Path) -> str:
    """A solution from a file as a plan of the domain that :func:`export` writes. Raises InputError, InvalidSolution."""
    from pegcp.formats.solution import read_solution
    from pegcp.library.lookup import read_text

    if not _is_pddl(method):
        raise InputError(f"a solution is written as a plan of pddl, not of {method}", source=str(solution))
    jumps = read_solution(problem, read_text(solution), str(solution))
    return pddl.write_plan(problem, jumps, _encoding(method, problem))


def formulation(problem: Problem, method: str) -> Formulation[Any]:
    """The formulation that a model file makes of a problem, with the horizon of the options, else the last.

    Its ``jumps`` also takes what holds the values: a CpSolver, a result of MathOpt, a solution of python-constraint.
    Raises InputError when the method has no model or cannot take the problem, and Missing where the library that the
    model is written in is not there.
    """
    chosen = _chosen(problem, method)
    if chosen.planner is not None:
        raise InputError(f"{method} plans in PDDL: use to_unified_planning, or export")
    model, backend = _model(chosen)
    _check_numbers(problem)
    built = model.build_whole(problem, chosen.parameters)
    return replace(built, jumps=lambda solution: built.jumps(backend.reader(solution)))


def _chosen(problem: Problem, method: str) -> Chosen:
    chosen = choose(method)
    refusal = chosen.method.refusal(problem)
    if refusal is not None:
        raise InputError(refusal)
    return chosen


def _model(chosen: Chosen) -> tuple[Model, Backend]:
    """The model of a method, and the backend that writes it; the solver itself may be missing."""
    if chosen.backend is None or chosen.method.model is None:
        raise InputError(f"{chosen.text} is a search: there is nothing to export")
    return chosen.method.model(), backends.backend(chosen.backend)


def _check_numbers(problem: Problem) -> None:
    if not problem.jump_counts:
        raise InputError("the goal needs more pegs than the start has: there is no model to export")


def _is_pddl(method: str) -> bool:
    """Whether a method is ``pddl``, or a planner."""
    return method.partition(":")[0] == "pddl" or choose(method).planner is not None


def _encoding(method: str, problem: Problem) -> str | None:
    """The domain that the method asks for, or None for the one that fits."""
    name, _, option = method.partition(":")
    if name != "pddl":
        chosen = _chosen(problem, method)
        assert chosen.planner is not None
        return planning.encoding(chosen.planner, problem, chosen.parameters)
    key, _, domain = option.partition("=")
    if option and key != "encoding":
        raise InputError(f'pddl has no option "{key}"; options: encoding')
    return domain or None


def _pddl(problem: Problem, format: str | None, domain: str | None) -> dict[str, str]:  # noqa: A002
    if format not in (None, "pddl"):
        raise InputError(f'planning models are exported as pddl, not as "{format}"')
    return pddl.export(problem, domain=domain)
