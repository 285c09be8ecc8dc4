"""Methods: what a comparison runs. A method is a model on a backend, or a search.

A method is written ``NAME[:BACKEND][:OPTION=VALUE]...``, such as ``moves``, ``ip1:scip`` or ``moves:order=off``; NAME
may be the path of a model file, and OPTION a parameter of the solver (:mod:`pegcp.backends.parameters`).

Packages add methods through entry points of the group ``pegcp.methods``: each loads a
:class:`pegcp.method.Method`, or a function that returns one.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache, partial
from importlib.metadata import entry_points
from itertools import count
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING, Any, assert_never

from pegcp import backends
from pegcp.backends import external, planners, planning
from pegcp.backends.backend_info import home
from pegcp.backends.parameters import check as check_parameter
from pegcp.backends.planners import Planner
from pegcp.catalogue.modelfile import SUFFIXES, Header, bundled_models, bundled_searches, load, name_of, read_header
from pegcp.errors import InputError, suggestion, there
from pegcp.game.goal import GOAL_KINDS, DeadEnd, Objective
from pegcp.game.problem import Problem
from pegcp.method import OUT_OF_TIME, Answer, Method, Reason, Run, Runner, Status

if TYPE_CHECKING:
    from pegcp.backends.model import Model

SMALL = 20  # holes up to which searching all positions is quickest
PAGODA = 400  # holes from which the linear programs of certificates take longer than a second
MEDIUM = 36  # holes up to which all positions on the way to a dead end are listed in seconds
LARGE = 40  # holes from which budgets take longer to compute than a beam takes for an answer


@dataclass(frozen=True)
class Chosen:
    """A method together with a backend and options: what its written form means."""

    method: Method
    backend: str | None
    options: Mapping[str, Any]
    text: str

    def run(self, problem: Problem, run: Run) -> Answer:
        """Answer a problem, in this process; or say why the method cannot take it."""
        return self._refused(problem) or self.method.run(problem, run, self.parameters, self.backend)

    def _refused(self, problem: Problem) -> Answer | None:
        refusal = self.method.refusal(problem)
        if refusal is None:
            return None
        return Answer(Status.UNKNOWN, Reason.UNSUPPORTED, message=refusal + use_instead(problem))

    @property
    def planner(self) -> Planner | None:
        """The planner that the method is, if it is one."""
        entry = backends.entry(self.backend)
        return entry if isinstance(entry, Planner) else None

    @property
    def has_model(self) -> bool:
        """Whether there is a model to look at; a search has none."""
        return self.method.model is not None or self.planner is not None

    def look(self, problem: Problem, run: Run) -> Answer:
        """What the solver makes of the problem before it searches, among the statistics; of what has a model."""
        from pegcp.backends.model_statistics import look

        if refused := self._refused(problem):
            return refused
        if self.planner is not None:
            return Answer(Status.UNKNOWN, statistics=planning.look(self.planner, problem, run, self.parameters))
        assert self.method.model is not None
        assert self.backend is not None
        backends.solver(self.backend).load()
        return Answer(Status.UNKNOWN, statistics=look(self.backend, self.method.model(), problem, run, self.parameters))

    @property
    def parameters(self) -> dict[str, Any]:
        """All options with their values."""
        return {**self.method.options, **self.options}


def loaded(header: Header) -> Model:
    """The model of a header, loaded. Raises Missing if the library it is written in is not there."""
    from pegcp.backends.model import Model

    try:
        module = load(header.path)
    except ModuleNotFoundError as error:
        wanted = (error.name or "").partition(".")[0]
        for solver in map(backends.solver, header.backends):
            if wanted in solver.modules and not there(wanted):
                raise solver.missing() from None
        raise InputError(f"it cannot be imported: {error}", source=str(header.path)) from None
    horizons = module.horizons if header.has_horizons else None
    return Model(header.path, module.build, horizons, header.measures, header.parameters)


def model_method(path: Path) -> Method:
    """The method of a model file. Raises InputError if its header is faulty."""
    header = read_header(path, "build")

    def model() -> Model:
        return loaded(header)

    def run(problem: Problem, run: Run, options: Mapping[str, Any], backend: str | None) -> Answer:
        if backend == external.NAME:
            return external.run(header.backends, model(), problem, run, options)
        solver = backends.solver(backend or header.backends[0]).load()
        return solver.run(model(), problem, run, options)

    options = {
        **header.options,
        **({"horizon": 0} if header.has_horizons else {}),
        **({"command": ""} if external.formats(header.backends) else {}),
    }
    return replace(_method(header, run, options), model=model, parameters=header.parameters)


def search_method(path: Path) -> Method:
    """The method of a search file; a goal that no number of jumps leads to is settled before the search."""
    header = read_header(path, "search")

    def run(problem: Problem, run: Run, options: Mapping[str, Any], _backend: str | None) -> Answer:
        if not problem.jump_counts:
            from pegcp.theory.certificates import find

            return Answer(Status.INFEASIBLE, certificate=find(problem, pagoda=False))
        search = load(header.path).search
        began = time.perf_counter()
        answer: Answer = search(problem, run, **options)
        built = answer.statistics.get("build_seconds", 0.0)
        solved = time.perf_counter() - began - run.pause.seconds - built
        return replace(answer, statistics={**answer.statistics, "solve_seconds": solved})

    return _method(header, run, header.options)


def _method(header: Header, run: Runner, options: Mapping[str, Any]) -> Method:
    def refuse(problem: Problem) -> str | None:
        reason: str | None = load(header.path).refuse(problem) if header.refuses else None
        return reason

    return Method(
        header.name,
        header.summary,
        header.goals,
        header.objectives,
        run,
        header.backends,
        options,
        header.choices,
        refuse,
        header.path,
    )


def _auto() -> Method:
    """The choice of ``pegcp solve`` as a method, so that it can be compared; ``chosen`` in the statistics tells it."""

    def run(problem: Problem, run: Run, options: Mapping[str, Any], backend: str | None) -> Answer:
        del options, backend
        began, name, best_name = time.perf_counter(), "auto", "auto"
        answer = Answer(Status.UNKNOWN, Reason.UNSUPPORTED, message="no method takes this goal with this objective")
        best = answer
        for name, seconds in _turns(problem):
            if name == "certificate":
                certificate = _certificate(problem, run)
                answer = OUT_OF_TIME if certificate is None else Answer(Status.INFEASIBLE, certificate=certificate)
            else:
                until = min(run.limits.time, run.limits.time - run.remaining + seconds)
                answer = choose(name).run(problem, replace(run, limits=replace(run.limits, time=until)))
            if answer.status is Status.SOLVED and answer.reason is Reason.TIME:  # the next may find a better one
                best, best_name = answer, name
            elif answer.status is not Status.UNKNOWN or answer.reason.sort in ("refusal", "fault"):
                break
            if not run.remaining:
                break
        if answer.status is Status.UNKNOWN and best.status is Status.SOLVED:
            answer, name = best, best_name
        built = answer.statistics.get("build_seconds", 0.0)
        spent = {"build_seconds": built, "solve_seconds": time.perf_counter() - began - run.pause.seconds - built}
        return replace(answer, statistics={**answer.statistics, **spent, "chosen": name})

    every = frozenset(objective.value for objective in Objective)
    return Method("auto", "The method that pegcp solve takes when it is told none", GOAL_KINDS, every, run)


def _turns(problem: Problem) -> Iterator[tuple[str, float]]:
    """The methods of ``auto``, one after the other, each with its seconds: by what measured best (examples/auto.toml).

    A beam finds most solutions in less than a tenth of a second, and then there was no need to load what certificates
    need. What it does not find is refuted, or found, by jump counts and their cuts, by jump budgets, or by a longer
    beam; on small boards depth first.
    """
    best, holes = _taker(problem), len(problem.board.holes)
    if best is None:
        return
    small = holes <= SMALL
    if problem.objective is Objective.ANY:
        yield "beam", 0.1 if small else 1.0
    elif _beam_first(problem):
        yield "beam", 5.0
    yield "certificate", inf
    if problem.objective is not Objective.ANY or small:
        yield best, inf
        return
    turns = [("benders", 1.0)] if bundled()["benders"].refusal(problem) is None else []
    turns = [*turns, ("budget", 1.0), ("beam", 2.0)] if holes < LARGE else [("beam", 2.0), *turns]
    yield from ((name, seconds * 4.0**n) for n in count() for name, seconds in turns)


def _beam_first(problem: Problem) -> bool:
    """Whether a beam finds good solutions long before the best method finds any: dead ends in few moves."""
    few_moves = problem.objective is Objective.FEWEST_MOVES and isinstance(problem.goal, DeadEnd)
    return few_moves and len(problem.board.holes) > SMALL


class _Bundled(Mapping[str, Method]):
    """Methods by name, of which each file is read when its method is asked for."""

    def __init__(self) -> None:
        self._waiting: dict[str, Callable[[], Method]] = {
            **{name_of(path): partial(model_method, path) for path in bundled_models()},
            **{name: partial(planning.method, planner) for name, planner in planners.shipped().items()},
            **{name_of(path): partial(search_method, path) for path in bundled_searches()},
            "auto": _auto,
        }
        self._read: dict[str, Method] = {}

    def __getitem__(self, name: str) -> Method:
        if name not in self._read:
            self._read[name] = self._waiting[name]()
        return self._read[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._waiting)

    def __len__(self) -> int:
        return len(self._waiting)


@cache
def bundled() -> Mapping[str, Method]:
    """The methods that ship with pegcp, by name."""
    return _Bundled()


def added() -> dict[str, Method | Exception]:
    """Methods from other packages, and the user's own planners and solvers; for what does not load, the error."""
    found = dict(plugins())
    for file, own in _OWN.items():
        try:
            for method in own():
                if method.name in bundled():
                    fault = f"[{method.name}] is the name of a method that ships; take another"
                    raise InputError(fault, source=str(home() / file))
                found[method.name] = method
        except InputError as error:
            found[file] = error
    return found


def _of_program(program: external.Program) -> Method:
    """The method that gives a model to a program of the user. Raises InputError."""
    model = bundled().get(program.model)
    if model is None or model.model is None:
        fault = f'[{program.name}] there is no model "{program.model}"{suggestion(program.model, bundled())}'
        raise InputError(fault, source=str(home() / external.OWN))
    external.read_command(program.command, model.name, model.backends)
    asked = model.run

    def run(problem: Problem, run: Run, options: Mapping[str, Any], _backend: str | None) -> Answer:
        return asked(problem, run, options, external.NAME)

    options = {**model.options, "command": program.command}
    summary = f"{model.name} by {program.title}"
    return replace(model, name=program.name, summary=summary, run=run, backends=(program.name,), options=options)


_OWN: dict[str, Callable[[], list[Method]]] = {  # the user's files
    planners.OWN: lambda: list(map(planning.method, planners.own())),
    external.OWN: lambda: list(map(_of_program, external.own())),
}


@cache
def plugins() -> dict[str, Method | Exception]:
    """Methods from other packages; for a plug-in that does not load, the error."""
    found: dict[str, Method | Exception] = {}
    for point in entry_points(group="pegcp.methods"):
        try:
            loaded = point.load()
            method = loaded if isinstance(loaded, Method) else loaded()
            if not isinstance(method, Method):
                raise TypeError(f"{point.value} is not a pegcp Method")
            found[point.name] = method
        except Exception as error:  # noqa: BLE001 - a broken plug-in must not take the others down
            found[point.name] = error
    return found


def split(text: str, separator: str = ",") -> list[str]:
    """Methods separated by commas, or their parts by colons; those in brackets and quotes, and commas between numbers,
    do not separate."""
    parts, depth, quoted = [""], 0, False
    for at, character in enumerate(text):
        quoted ^= character == '"'
        depth += {"(": 1, "[": 1, "{": 1, ")": -1, "]": -1, "}": -1}.get(character, 0)
        between_numbers = text[at - 1 : at].isdigit() and text[at + 1 : at + 2].isdigit()
        if character == separator and depth <= 0 and not quoted and not between_numbers:
            parts.append("")
        else:
            parts[-1] += character
    return parts


def choose(text: str) -> Chosen:
    """The method that a written form means. Raises InputError for an unknown name, backend or option."""
    # A command is the last option and may have colons of its own.
    text_before, has_command, command = text.partition(":command=")
    name, *rest = split(text_before, ":")
    rest += [f"command={command}"] if has_command else []
    method = model_method(Path(os.path.abspath(name))) if name.endswith(SUFFIXES) else _named(name)
    backend: str | None = None
    options: dict[str, Any] = {}
    for part in rest:
        key, equals, value = part.partition("=")
        if not equals:
            if part not in method.backends:
                known = ", ".join(method.backends) or "none to choose"
                raise InputError(
                    f'{name} has no backend "{part}"{suggestion(part, method.backends)}; backends: {known}'
                )
            backend = part
        elif key in method.options:
            options[key] = _option(method, key, value)
        elif "." in key:
            options[key] = value
        else:
            known = ", ".join(method.options) or "none"
            raise InputError(f'{name} has no option "{key}"{suggestion(key, method.options)}; options: {known}')
    parameters = [key for key in options if key not in method.options]
    solvers = [key.partition(".")[0] for key in parameters]
    backend = backend or next((name for name in (*solvers, *method.backends) if name in method.backends), None)
    for key in parameters:
        _check_parameter(method, backend, key, options[key])
    if "command" in options and method.name in bundled() and method.model is not None:
        external.read_command(options["command"], method.name, method.backends)
        backend = external.NAME
    return Chosen(method, backend, options, text)


def _check_parameter(method: Method, backend: str | None, key: str, value: str) -> None:
    """See that an option with a point in its name is a parameter of the backend. Raises InputError."""
    solver, _, name = key.partition(".")
    if solver != backend:
        raise InputError(f"{method.name} runs on {backend or 'no solver'}, and {key} is of {solver}")
    if backends.solver(solver).version() is None:
        raise backends.solver(solver).missing()
    check_parameter(solver, name, value)


def _named(name: str) -> Method:
    if name in bundled():
        return bundled()[name]
    if name in added():
        found = added()[name]
        if isinstance(found, Exception):
            raise InputError(f"the plug-in {name} does not load: {type(found).__name__}: {found}")
        return found
    for file in _OWN:
        broken = added().get(file)
        if isinstance(broken, InputError):
            raise broken
    known = [*bundled(), *added()]
    raise InputError(f'unknown method "{name}"{suggestion(name, known)}; "pegcp models" lists them')


def option_text(value: object) -> str:
    """The value of an option as it is written: ``on`` and ``off`` for true and false."""
    if isinstance(value, bool):
        return "on" if value else "off"
    return str(value)


def _option(method: Method, key: str, value: str) -> Any:
    default = method.options[key]
    takes = method.values(key)
    try:
        if takes and value not in takes:
            raise ValueError
        if isinstance(default, bool):
            return value == "on"
        if value[:1] == value[-1:] == '"':  # which keep what would separate
            value = value[1:-1]
        return type(default)(value) if default is not None else value
    except ValueError:
        kind = " or ".join(takes) or type(default).__name__
        raise InputError(
            f'option {key} of {method.name} cannot be "{value}"{suggestion(value, takes)}: it takes {kind}'
        ) from None


def use_instead(problem: Problem) -> str:
    """The end of a refusal: the name of a method that takes the problem, if there is one."""
    name = _taker(problem)
    return "" if name is None else f"; use {name}"


def _taker(problem: Problem) -> str | None:
    """The best of the measured methods that accepts the problem and is installed."""
    for name in _good_for(problem.objective, len(problem.board.holes)):
        method = bundled()[name]
        if installed(method) and method.refusal(problem) is None:
            return name
    return None


def installed(method: Method) -> bool:
    """Whether the first of the method's backends is there; a search needs none."""
    entry = backends.entry(next(iter(method.backends), None))
    return entry is None or entry.version() is not None


def _certificate(problem: Problem, run: Run) -> Mapping[str, Any] | None:
    """A certificate that is quick to find: a position class, or on boards of some hundred holes a pagoda function."""
    from pegcp.theory.certificates import find

    return find(problem, pagoda=len(problem.board.holes) <= PAGODA, run=run)


def certified_or(chosen: Chosen, problem: Problem, run: Run) -> Chosen:
    """The method ``certificate`` in place of a model, where it is quick to find: no hopeless search is begun."""
    is_model = chosen.method.path is not None and bool(chosen.method.backends)
    hopeless = is_model and chosen.method.mismatch(problem) is None and _certificate(problem, run) is not None
    return choose("certificate") if hopeless else chosen


def default_for(problem: Problem) -> Chosen:
    """What ``pegcp solve`` takes: ``auto`` where methods take turns, else the best one."""
    takes_turns = problem.objective is Objective.ANY or _beam_first(problem)
    return choose("auto") if takes_turns and _taker(problem) is not None else best_for(problem)


def best_for(problem: Problem) -> Chosen:
    """The method that answers this kind of problem best: a certificate where there is one, then what measured best."""
    if _certificate(problem, Run()) is not None:
        return choose("certificate")
    name = _taker(problem)
    if name is None:
        raise InputError(f"no method takes the goal {problem.goal.kind} with the objective {problem.objective}")
    return choose(name)


def _good_for(objective: Objective, holes: int) -> tuple[str, ...]:
    """Methods for an objective, the fastest in our measurements first."""
    small = holes <= SMALL
    match objective:
        case Objective.ANY:
            return ("dfs",) if small else ("beam",) if holes >= LARGE else ("budget",)
        case Objective.FEWEST_JUMPS:
            return ("bfs",) if holes <= MEDIUM else ("fools-counts", "bfs")
        case Objective.FEWEST_MOVES:
            return ("fewest-moves",) if holes <= 64 else ("beam",)
        case Objective.FEWEST_STEPS:
            return ("fewest-steps",) if small else ("parallel",)
        case Objective.FEWEST_PEGS | Objective.NEAREST:
            return ("bfs",) if small else ("rounds", "bfs")
        case Objective.COUNT:
            return ("count",)
        case _:
            assert_never(objective)
