"""The choice of a method by its written form, such as ``ip1:scip`` or ``moves:order=off``, or for a problem.

The written form is ``NAME[:BACKEND][:OPTION=VALUE]...``, where NAME may be the path of a model or search file, and
OPTION a parameter of the solver: ``moves:cp-sat.linearization_level=2``.
"""

from dataclasses import dataclass, replace

from pegcp import backends
from pegcp.backends import external, planners
from pegcp.backends.info import check_word
from pegcp.catalogue import portfolio
from pegcp.catalogue.methods import bundled, explain_name, method_of
from pegcp.catalogue.modelfile import ModelMethod
from pegcp.errors import InputError, refuse_if, shown, suggestion
from pegcp.game import Objective, Problem
from pegcp.habits import SOLVERS, meaning
from pegcp.method import OUT_OF_TIME, Answer, Method, Options, Reason, Run, Status
from pegcp.search.certificate import certify

_CERTIFICATE_SECONDS = 2.0  # to look for one after a method has claimed that there is no solution


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
    values = dict(setting.split("=", 1) for setting in settings if "=" in setting)
    parameters = {key: value for key, value in values.items() if "." in key and key not in method.options}
    options = {key: _option(method, name, key, value) for key, value in values.items() if key not in parameters}
    words = [_backend(method, name, word) for word in settings if "=" not in word]
    solvers = [*words[::-1], *(key.partition(".")[0] for key in parameters), *method.backends]
    backend = next((solver for solver in solvers if solver in method.backends), None)
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


def _backend(method: Method, name: str, word: str) -> str:
    """Return the backend that a word without a value names. Raises InputError if the method does not have it."""
    example = f"{word}={option_text(method.options.get(word))}"
    refuse_if(word in method.options, f"option {word} of {name} needs a value, such as {example}")
    is_ours = (meaning(word.lower(), SOLVERS) or word.lower()) in method.backends
    other = "" if is_ours else explain_name(word)
    refuse_if(other, f'{name} has no backend "{word}": {other}')
    check_word(name, "backend", word, method.backends)
    return word


def option_text(value: object) -> str:
    """Return the value of an option as text: ``on`` and ``off`` for true and false."""
    return {True: "on", False: "off"}[value] if isinstance(value, bool) else str(value)


def _option(method: Method, name: str, key: str, value: str) -> object:
    """Return the value of an option, as its default has it. Raises InputError for another option, or another value."""
    check_word(name, "option", key, method.options)
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
