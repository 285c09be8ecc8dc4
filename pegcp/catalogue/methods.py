"""All methods by name, and the choice of one by its written form, such as ``ip1:scip`` or ``moves:order=off``.

The written form is ``NAME[:BACKEND][:OPTION=VALUE]...``, where NAME may be the path of a model or search file, and
OPTION a parameter of the solver: ``moves:cp-sat.linearization_level=2``.

Packages add methods through entry points of the group ``pegcp.methods``: each loads a
:class:`pegcp.method.Method`, or a function that returns one.
"""

import os
import re
from collections import UserDict
from collections.abc import Mapping
from dataclasses import dataclass, replace
from fnmatch import filter as filter_names
from functools import cache, partial
from pathlib import Path
from typing import Any

from pegcp import backends, machine
from pegcp.backends import external, inventory, planners
from pegcp.backends.info import check_word
from pegcp.backends.program import home
from pegcp.catalogue import portfolio
from pegcp.catalogue.modelfile import (
    SUFFIXES,
    ModelMethod,
    SearchMethod,
    bundled_models,
    bundled_searches,
    file_method,
    name_of,
)
from pegcp.errors import InputError, refuse_if, shown, suggestion
from pegcp.game import Objective, Problem
from pegcp.habits import SOLVERS, meaning
from pegcp.method import OUT_OF_TIME, Answer, Method, Options, Reason, Run, Status
from pegcp.search.certificate import certify

_CERTIFICATE_SECONDS = 2.0  # to look for one after a method has claimed that there is no solution
_NAME_IN_USE = "is the name of a method that ships with pegcp: choose another name"
# Names of the lesson on hashing for the same search with other options: what they say of it, and these options.
ALIASES: dict[str, tuple[str, Options]] = {
    "dfs-plain": ("Depth-first search without memory", {"table": "none", "symmetry": False, "size": 1009}),
    "dfs-chained": ("Depth-first search with chained hashing", {"table": "chained", "symmetry": False}),
    "dfs-double": ("Depth-first search with double hashing", {"table": "double", "symmetry": False}),
}


def _alias(name: str) -> Method:
    """Return the method that another name stands for; options that the name implies are left out."""
    (about, settings), dfs = ALIASES[name], bundled()["dfs"]
    form = ":".join(f"{key}={value}" for key, value in settings.items() if isinstance(value, str))

    assert isinstance(dfs, SearchMethod)
    return replace(
        dfs,
        name=name,
        summary=f"{about}; short for dfs:{form}:symmetry=off",
        settings=settings,
        options={key: value for key, value in dfs.options.items() if key not in settings},
    )


class _Bundled(UserDict[str, Any]):
    """Methods by name; the file of a method is read when the method is asked for."""

    def __getitem__(self, name: str) -> Method:
        method: Method = self.data[name]()
        return method


@cache
def bundled() -> Mapping[str, Method]:
    """Return the methods that ship with pegcp, by name."""
    methods = _Bundled({name_of(path): partial(file_method, path) for path in (*bundled_models(), *bundled_searches())})
    methods |= {name: partial(_alias, name) for name in ALIASES}
    methods |= {name: partial(planners.shipped_method, name) for name in planners.shipped_names()}
    methods["auto"] = cache(partial(portfolio.auto, methods))
    return methods


def added() -> dict[str, Method | Exception]:
    """Return the methods of other packages, and the user's own planners and solvers; for those that do not load, the
    error."""
    methods: dict[str, Method | Exception] = {**machine.plugins("pegcp.methods", Method)}
    for name in [*methods.keys() & bundled().keys()]:
        del methods[name]
        methods[f"{name} (plug-in)"] = InputError(_NAME_IN_USE)

    def add(program: planners.Planner | external.OwnSolver) -> None:
        method = planners.method(program) if isinstance(program, planners.Planner) else _solver_method(program)
        refuse_if(program.name in bundled(), _NAME_IN_USE)
        method.check_options({**method.options, "command": program.command})
        methods[program.name] = method

    for kind in inventory.OWN_PROGRAMS:
        try:
            kind.read_all(home() / kind.file, add)
        except InputError as error:
            methods[kind.file] = error
    return methods


def _solver_method(program: external.OwnSolver) -> ModelMethod:
    """Return the method that gives a model to a program of the user. Raises InputError."""
    model = bundled().get(program.model)
    if not isinstance(model, ModelMethod):
        raise InputError(f'there is no model "{program.model}"{suggestion(program.model, bundled())}')
    return replace(
        model,
        name=program.name,
        summary=f"{model.name} by {program.title}",
        backends=(program.name,),
        options={**model.options, "command": program.command},
    )


def method_of(name: str) -> Method:
    """Return the method of a name, or of the path of a model or search file. Raises InputError if there is none, or if
    it does not load."""
    refuse_if(
        name.endswith(".pddl"),
        f"{name}: a planner plays a planning domain; pegcp why PROBLEM -m {name} compares it with the rules",
    )
    if name.endswith(SUFFIXES):
        return file_method(Path(os.path.abspath(name)))
    if (method := bundled().get(name)) is not None:
        return method
    more = added()
    match more.get(name):
        case Method() as plugin:
            return plugin
        case Exception() as error:
            raise InputError(f"the plug-in {name} does not load: {type(error).__name__}: {error}")
    for kind in inventory.OWN_PROGRAMS:
        if isinstance(fault := more.get(kind.file), InputError):
            raise fault
    refuse_if(
        os.path.isfile(name),
        "a model file is Python (.py), answer-set rules (.lp) or MiniZinc (.mzn); "
        '"pegcp models" lists those to begin with',
        name,
    )
    file = next((f"{name}{suffix}" for suffix in SUFFIXES if os.path.isfile(f"{name}{suffix}")), "")
    about = f"type: -m {file}" if file else explain_name(name)
    hint = f": {about}" if about else suggestion(name, [*bundled(), *more])
    raise InputError(f'unknown method "{name}"{hint}; "pegcp models" lists all')


def explain_name(name: str) -> str:
    """Say which methods run on a solver or read a language, and what to type; empty for any other name."""
    methods, name = bundled(), name.lower().replace(" ", "-")
    target = meaning(name, SOLVERS) or name
    solver = backends.find(target)
    if target in methods:
        return f"type: -m {target}" if name == target else f"{name} is {target} here; type: -m {target}"
    if solver is None and not meaning(name, SOLVERS):
        matches = ",".join(filter_names(methods, name))  # a pattern, such as sat*
        return f"type: -m {matches}" if matches else ""
    form = next((place for place in re.findall(r"\{(\w+)\}", target) if place != "solution"), target)
    solvers = {target} if solver is not None else {info.name for info in inventory.infos() if form in info.formats}
    names = [key for key, method in methods.items() if not solvers.isdisjoint(method.backends)]
    if not names:  # a backend of another package, which only models of others name
        return ""
    at_hand = (key for key in names if (info := inventory.info(methods[key].backends[0])) and info.version())
    example, listing = next((key for key in names if "rounds" in key), next(at_hand, names[0])), ", ".join(names)
    if solver is not None:
        about = f"a backend of {listing}" if name == target else f"{target}, a backend of {listing}"
        is_default = methods[example].backends[0] == target
        return f"{name} is {about}; type: -m {example if is_default else f'{example}:{target}'}"
    if form == target:
        return f"{listing}; type: -m {example}"
    return f"{name} runs {listing} by its command line; type: -m '{example}:command={target}'"


@dataclass(frozen=True)
class Choice:
    """A method together with a backend and options: the meaning of a written form."""

    method: Method
    backend: str | None
    options: Options
    text: str
    label: str = ""  # by which an experiment calls it

    def unsupported(self, problem: Problem, *, header_only: bool = False) -> Answer | None:
        """Return the answer to a problem that the method does not take (:meth:`Method.refusal`), with one that does;
        None if it takes it."""
        why = self.method.refusal(problem, header_only=header_only)
        return Answer(Status.UNKNOWN, Reason.UNSUPPORTED, message=why + use_instead(problem)) if why else None

    def run(self, problem: Problem, run: Run) -> Answer:
        """Answer a problem in this process."""
        answer = self.unsupported(problem) or self.method.run(problem, run, self.all_options, self.backend)
        if not isinstance(answer, Answer):  # of a plug-in
            raise TypeError(f"method {self.method.name} must return a pegcp.method.Answer, not {shown(answer)}")
        return answer

    def certify_or_run(self, problem: Problem, run: Run) -> Answer:
        """Answer a problem by a certificate, where one is quick to find and the method is a model; else by the method.

        Where the method claims that there is no solution, look longer for a certificate.
        """
        before = certify(problem, run.remaining) if isinstance(self.method, ModelMethod) else OUT_OF_TIME
        if before.certificate is not None:
            return replace(before, statistics={**before.statistics, "chosen": "certificate", "solve_seconds": 0.0})
        answer, after = self.run(problem, run), OUT_OF_TIME
        if answer.status is Status.INFEASIBLE and answer.certificate is None:
            after = certify(problem, min(_CERTIFICATE_SECONDS, run.remaining / 2), cases=True)
            answer = replace(answer, certificate=after.certificate)
        seconds = sum(part.statistics.get("certificate_seconds", 0.0) for part in (before, answer, after))
        return replace(answer, statistics={**answer.statistics, "certificate_seconds": seconds})

    def size_model(self, problem: Problem, run: Run) -> Answer:
        """Return the sizes of the model, without a search. The method must be a model or a planner."""
        assert isinstance(self.method, ModelMethod | planners.PlannerMethod)
        refusal, sizes = self.unsupported(problem), self.method.sizes
        return refusal or Answer(Status.UNKNOWN, statistics=sizes(problem, run, self.all_options, self.backend))

    @property
    def all_options(self) -> dict[str, object]:
        """All options with their values."""
        return {**self.method.options, **self.options}


def split(text: str, separator: str = ",") -> list[str]:
    """Split a list of methods at its commas, or a method at its colons.

    Separators in brackets and quotes, and commas between numbers, do not count.
    """
    parts, depth, in_quotes = [""], 0, False
    for at, character in enumerate(text):
        in_quotes ^= character == '"'
        depth += {"(": 1, "[": 1, "{": 1, ")": -1, "]": -1, "}": -1}.get(character, 0)
        between_numbers = text[at - 1 : at].isdigit() and text[at + 1 : at + 2].isdigit()
        if character == separator and depth <= 0 and not in_quotes and not between_numbers:
            parts.append("")
        else:
            parts[-1] += character
    return [part.strip() for part in parts]


def choose(text: str) -> Choice:
    """Read the written form of a method. Raises InputError for an unknown name, backend or option."""
    refuse_if(
        not isinstance(text, str),
        f'a method is given by its name, such as "moves", not by {shown(text)}; '
        "pegcp.compare(problem, methods) takes several, and numbers have names, such as most=5",
    )
    # A command is the last option and may have colons of its own.
    text_before, has_command, command = text.partition(":command=")
    name, *settings = split(text_before, ":")
    settings += [f"command={command}"] if has_command else []
    method = method_of(name)
    backend: str | None = None
    options: dict[str, object] = {}
    parameters: dict[str, str] = {}
    for setting in settings:
        key, equals, value = setting.partition("=")
        if not equals:
            example = f"{setting}={option_text(method.options.get(setting))}"
            refuse_if(setting in method.options, f"option {setting} of {name} needs a value, such as {example}")
            is_ours = (meaning(setting.lower(), SOLVERS) or setting.lower()) in method.backends
            other = "" if is_ours else explain_name(setting)
            refuse_if(other, f'{name} has no backend "{setting}": {other}')
            check_word(name, "backend", setting, method.backends)
            backend = setting
        elif key in method.options:
            options[key] = _option(method, key, value)
        elif "." in key:
            parameters[key] = value
        else:
            check_word(name, "option", key, method.options)
    solvers = [key.partition(".")[0] for key in parameters]
    backend = backend or next((solver for solver in (*solvers, *method.backends) if solver in method.backends), None)
    for key, value in parameters.items():
        solver, _, parameter = key.partition(".")
        refuse_if(
            solver != backend,
            f"{key} is a parameter of {solver}, but {method.name} runs on {backend or 'no solver'}",
        )
        backends.backend(solver).require().check_parameter(parameter, value)
    method.check_options(options)
    if options.get("command") and backends.find(backend) is not None:
        backend = external.NAME
    return Choice(method, backend, {**options, **parameters}, text)


def option_text(value: object) -> str:
    """Return the value of an option as text: ``on`` and ``off`` for true and false."""
    return {True: "on", False: "off"}[value] if isinstance(value, bool) else str(value)


def _option(method: Method, key: str, value: str) -> object:
    default, words = method.options[key], method.values(key)
    try:
        if words and value not in words:
            raise ValueError
        if isinstance(default, bool):
            return value == "on"
        if value[:1] == value[-1:] == '"':  # they keep commas and colons together
            value = value[1:-1]
        return type(default)(value) if default is not None else value
    except ValueError:
        values = " or ".join(words) or {int: "a whole number", float: "a number"}.get(type(default), "text")
        raise InputError(
            f'option {key} of {method.name} cannot be "{value}"{suggestion(value, words)}: it takes {values}'
        ) from None


def use_instead(problem: Problem) -> str:
    """Return the end of a refusal: a method that takes the problem, if there is one."""
    name = portfolio.best_name(problem, bundled())
    return "" if name is None else f". Try: -m {name}"


def choose_for(problem: Problem, text: str | None = None) -> Choice:
    """Read the written form of a method. Without one return the default of ``pegcp solve``: the best model, or ``auto``
    where a search is best, or where a beam may reach the best end before the model does. Raises InputError."""
    if text is not None:
        return choose(text)
    best, is_end = best_for(problem), problem.objective in (Objective.FEWEST_PEGS, Objective.NEAREST)
    return choose("auto") if is_end or not isinstance(best.method, ModelMethod) else best


def best_for(problem: Problem) -> Choice:
    """Return the fastest measured method for this kind of problem. Raises InputError if there is none."""
    name = portfolio.best_name(problem, bundled())
    refuse_if(name is None, f"no method supports a {problem.goal.kind} goal with the objective {problem.objective}")
    return choose(str(name))
