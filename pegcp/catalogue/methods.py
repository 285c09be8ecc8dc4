"""The choice of a method by its written form, such as ``moves``, ``ip1:scip`` or ``moves:order=off``.

It is ``NAME[:BACKEND][:OPTION=VALUE]...``, where NAME may be the path of a model or search file, and OPTION a
parameter of the solver: ``moves:cp-sat.linearization_level=2``.
"""

import os
import time
from dataclasses import dataclass, replace
from pathlib import Path

from pegcp import backends
from pegcp.backends import external, inventory, planners
from pegcp.backends.backend import check_word
from pegcp.backends.planners import Planner
from pegcp.catalogue.modelfile import SUFFIXES
from pegcp.catalogue.portfolio import best_name, default_name, need_name
from pegcp.catalogue.registry import bundled, file_method, named
from pegcp.errors import InputError, shown, suggestion
from pegcp.game import Problem
from pegcp.method import Answer, Method, Options, Reason, Run, Status
from pegcp.theory import certificates

_CERTIFICATE_SECONDS = 2.0  # seconds


@dataclass(frozen=True)
class Choice:
    """A method together with a backend and options: the meaning of a written form."""

    method: Method
    backend: str | None
    options: Options
    text: str
    label: str = ""  # by which an experiment calls it

    def run(self, problem: Problem, run: Run) -> Answer:
        """Answer a problem in this process, or return the reason why the method cannot take it."""
        return self._refusal(problem) or self.method.run(problem, run, self.parameters, self.backend)

    def _refusal(self, problem: Problem) -> Answer | None:
        if refusal := self.method.refusal(problem):
            return Answer(Status.UNKNOWN, Reason.UNSUPPORTED, message=refusal + use_instead(problem))
        return None

    @property
    def planner(self) -> Planner | None:
        """The planner of the method, if the method is one."""
        info = inventory.info(self.backend)
        return info if isinstance(info, Planner) else None

    @property
    def has_model(self) -> bool:
        """True if the method has a model, as every method but a search."""
        return self.method.model is not None or self.planner is not None

    def certify_or_run(self, problem: Problem, run: Run) -> Answer:
        """Answer a problem by a certificate, where one is quick to find and the method is a model; else by the method.

        Where the method claims that there is no solution, look longer for a certificate.
        """
        is_asked, began = self.method.is_model and self.method.mismatch(problem) is None, time.perf_counter()
        certificate = certificates.find_quickly(problem, run.remaining) if is_asked else None
        seconds = time.perf_counter() - began
        if certificate is not None:
            statistics = {"chosen": "certificate", "solve_seconds": 0.0, "certificate_seconds": seconds}
            return Answer(Status.INFEASIBLE, certificate=certificate, statistics=statistics)
        answer, began = self.run(problem, run), time.perf_counter()
        if answer.status is Status.INFEASIBLE and answer.certificate is None:
            certificate = certificates.find(problem, cases=True, seconds=min(_CERTIFICATE_SECONDS, run.remaining / 2))
            answer, seconds = replace(answer, certificate=certificate), seconds + time.perf_counter() - began
        certifying = seconds + answer.statistics.get("certificate_seconds", 0.0)
        return replace(answer, statistics={**answer.statistics, "certificate_seconds": certifying})

    def size_model(self, problem: Problem, run: Run) -> Answer:
        """Return the sizes of the model, without a search. The method must have a model."""
        if refusal := self._refusal(problem):
            return refusal
        if self.planner is not None:
            return Answer(Status.UNKNOWN, statistics=planners.sizes(self.planner, problem, run, self.parameters))
        assert self.method.model is not None
        assert self.backend is not None
        solver = backends.backend(self.backend).loaded()
        statistics = solver.model_statistics(self.method.model(), problem, run, self.parameters)
        return Answer(Status.UNKNOWN, statistics=statistics)

    @property
    def parameters(self) -> dict[str, object]:
        """All options with their values."""
        return {**self.method.options, **self.options}


def split(text: str, separator: str = ",") -> list[str]:
    """Split a list of methods at its commas, or a method at its colons.

    Separators in brackets and quotes, and commas between numbers, do not count.
    """
    parts, depth, quoted = [""], 0, False
    for at, character in enumerate(text):
        quoted ^= character == '"'
        depth += {"(": 1, "[": 1, "{": 1, ")": -1, "]": -1, "}": -1}.get(character, 0)
        between_numbers = text[at - 1 : at].isdigit() and text[at + 1 : at + 2].isdigit()
        if character == separator and depth <= 0 and not quoted and not between_numbers:
            parts.append("")
        else:
            parts[-1] += character
    return [part.strip() for part in parts]


def method_of(name: str) -> Method:
    """Return the method of a name, or of the path of a model or search file. Raises InputError."""
    if name.endswith(".pddl"):
        raise InputError(
            f"{name}: a planner plays a planning domain; pegcp why PROBLEM -m {name} compares it with the rules"
        )
    return file_method(Path(os.path.abspath(name))) if name.endswith(SUFFIXES) else named(name)


def choose(text: str) -> Choice:
    """Read the written form of a method. Raises InputError for an unknown name, backend or option."""
    if not isinstance(text, str):
        raise InputError(f'a method is given by its name, such as "moves", not by {shown(text)}')
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
        if not equals and setting in method.options:
            raise InputError(
                f"option {setting} of {name} needs a value, such as {setting}={option_text(method.options[setting])}"
            )
        if not equals:
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
        if solver != backend:
            raise InputError(f"{key} is a parameter of {solver}, but {method.name} runs on {backend or 'no solver'}")
        backends.backend(solver).loaded().check_parameter(parameter, value)
    method.check(options)
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
        fault = f'option {key} of {method.name} cannot be "{value}"{suggestion(value, words)}: it takes {values}'
        raise InputError(fault) from None


def use_instead(problem: Problem) -> str:
    """Return the end of a refusal: a method that takes the problem, if there is one."""
    name = best_name(problem, bundled())
    return "" if name is None else f". Try: -m {name}"


def choose_for(problem: Problem, text: str | None = None) -> Choice:
    """Read the written form of a method. Without one return the default of ``pegcp solve``: the best model, or ``auto``
    where a search is best or methods take turns. Raises InputError."""
    return choose(default_name(problem, bundled()) if text is None else text)


def best_for(problem: Problem) -> Choice:
    """Return the fastest measured method for this kind of problem."""
    return choose(need_name(problem, bundled()))
