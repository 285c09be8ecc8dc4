"""Compile a problem with a method: to files, byte for byte reproducible, or to a native model object."""

from dataclasses import replace

from pegcp import backends
from pegcp.backends import planners
from pegcp.backends.interface import Backend, ModelFile, check_word
from pegcp.catalogue.methods import Choice, choose
from pegcp.errors import InputError, refuse_if
from pegcp.formats import pddl
from pegcp.game import Problem
from pegcp.method import Options
from pegcp.modelling.formulation import Formulation


def export(problem: Problem, method: str, format: str | None = None) -> dict[str, str]:  # noqa: A002
    """Compile a problem with a method: texts by file name; ``pddl`` and every planner give PDDL.

    ``pddl:encoding=NAME`` takes another domain than the one that fits, such as ``parallel``, or ``competition`` for
    that of the planning competitions.
    ``format`` is one of the backend's formats, by default its first. Raises InputError when the method has none, or
    cannot take the problem, and Missing where that needs a library that is not installed.
    """
    name, _, option = str(method).partition(":")
    planner = None if name == "pddl" else choose(method).planner
    if name == "pddl" or planner is not None:
        refuse_if(format not in (None, "pddl"), f'planning models are exported as pddl, not as "{format}"')
        key, _, domain = option.partition("=")
        if planner is not None:
            domain = planners.encoding(planner, problem, _accepting(problem, method).parameters) or ""
        elif option:
            check_word("pddl", "option", key, ("encoding",))
        return pddl.export(problem, domain=domain or None)
    options, model, writer = _compiler(problem, method)
    format = format or next(iter(writer.formats), "a file")  # noqa: A001
    refuse_if(
        format not in writer.formats,
        f"{method} cannot be exported as {format}; formats of backend {writer.name}: "
        f"{', '.join(writer.formats) or 'none'}",
    )
    log = model.horizon_log(problem, options)
    refuse_if(
        log.measured and log.complete and format != "asp",
        f"the horizon is the objective {problem.objective} itself: choose one to export, with :horizon=N",
    )  # such a program tries one after the other
    of_problem = model.build(problem, log.open[0], options)
    return writer.write(of_problem, format, rising=not options.get("horizon"))


def formulation(problem: Problem, method: str) -> Formulation[object]:
    """Return the formulation of a problem by a model, with the horizon of the options, else the last.

    Its ``jumps`` also reads a solver's own solution: a CpSolver, a result of MathOpt, a solution of python-constraint.
    Raises InputError when the method has no model or cannot take the problem, and Missing where the library that the
    model is written in is not installed.
    """
    options, model, backend = _compiler(problem, method)
    of_problem = model.build(problem, model.horizon_log(problem, options).open[-1], options)  # which has all solutions
    return replace(of_problem, jumps=lambda solution: of_problem.jumps(backend.reader(solution)))


def _accepting(problem: Problem, method: str) -> Choice:
    """Return the method of that name. Raises InputError if it does not take the problem."""
    choice = choose(method)
    refusal = choice.method.refusal(problem)
    refuse_if(refusal, refusal or "")
    return choice


def _compiler(problem: Problem, method: str) -> tuple[Options, ModelFile, Backend]:
    """Return the options and the model of a method, and the backend that writes it; the solver itself may be
    missing."""
    choice = _accepting(problem, method)
    refuse_if(choice.planner, f"{method} plans in PDDL: use to_unified_planning, or export")
    if choice.backend is None or choice.method.model is None:
        raise InputError(f"{method} is a search: it has no model to export")
    refuse_if(not problem.lengths, "the goal needs more pegs than the start has: there is no model to export")
    return choice.parameters, choice.method.model(), backends.backend(choice.backend)
