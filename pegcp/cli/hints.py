"""Hints at the line to type next: after a command or an option that pegcp does not have, and after "no solution"."""

import re
import shlex
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress

import click

from pegcp.catalogue.methods import bundled, explain_name
from pegcp.catalogue.modelfile import SUFFIXES
from pegcp.cli.options import CHANGES
from pegcp.errors import InputError, suggestion
from pegcp.game import Problem
from pegcp.habits import COMMANDS, OPTIONS, VACANCIES, meaning
from pegcp.library import lookup
from pegcp.method import Evidence, Reason, Status
from pegcp.results.result import Result


def command_hint(name: str, rest: Sequence[str], commands: Sequence[str]) -> str:
    """Say what to type in place of a command that does not exist, with the rest of the line."""
    nouns = [text for text in (meaning(word, COMMANDS) or word for word in rest[:1]) if text in commands]
    if nouns and name in ("list", "ls"):
        return f"; type: pegcp {nouns[0]}"
    if rest and rest[0] in commands and name in ("man", "usage", "docs"):
        return f"; type: pegcp {rest[0]} --help"
    if key := meaning(name.lower(), COMMANDS):
        subject = rest[0] if rest else ""
        if key == "compare" and subject.endswith(SUFFIXES):
            key = "mark"
        if key == "report" and subject and "." not in subject:
            key = "show"
        command, _, options = key.partition(" ")
        if command == "export":
            problem, *languages = [word for word in rest if not word.startswith("-")] or ["english"]
            return f"; {_export_hint(shlex.quote(problem), languages, options)}"
        return f"; type: {' '.join(' '.join(['pegcp', command, shlex.join(rest), options]).split())}"
    problem = " ".join(map(shlex.quote, rest[:1])) or "english"
    if method := method_hint(name):
        return f"; {method.replace('-m ', f'pegcp solve {problem} -m ', 1)}"
    with suppress(InputError):
        lookup.problem(name)
        return f"; type: pegcp solve {shlex.join([name, *rest])}"
    return suggestion(name, commands)


def _export_hint(problem: str, languages: Iterable[str], options: str = "") -> str:
    """Say how a model is written in one of these languages, of which some may be no language."""
    methods = re.findall(r"-m \S+", " ".join(method_hint(word) for word in languages if word != "pddl"))
    return f"type: pegcp export {problem} {[*methods, options or '-m pddl'][0]}"


def method_hint(name: str) -> str:
    """Say how a method, a solver or a language is asked for; nothing for any other name."""
    return explain_name(name, bundled())


def option_hint(error: click.NoSuchOption) -> str:
    """Say what to type in place of an option that a command does not have; nothing if no other option is meant."""
    name, context = error.option_name, error.ctx
    parameters = context.command.get_params(context) if context else []
    flags = {text: getattr(option, "is_flag", True) for option in parameters for text in option.opts}
    metavars = {text: option.make_metavar(context) for option in parameters for text in option.opts if context}
    right = meaning(name, OPTIONS, [key for key in OPTIONS if key.split()[0] in {*flags, "nothing"}])
    words = [part for text in sys.argv for part in (text.split("=", 1) if text.startswith(f"{name}=") else [text])]
    value = shlex.join(words[words.index(name) + 1 :][:1]) if name in words else ""
    if right == "--start" and name.strip("-") in VACANCIES and value.isalnum():
        value = f"'all but {value}'"
    is_method = right in ("--method", "--methods")
    with suppress(InputError):
        if is_method and context and value not in ("", "-") and not method_hint(value) and lookup.problem(value):
            return f"type: pegcp {context.info_name} {value}"
    if is_method:
        return method_hint(value) or 'type: -m METHOD, such as -m rounds:cp-sat; "pegcp models" lists methods'
    if right == "--json" and method_hint(value):
        return _export_hint("PROBLEM", [value])
    if right == "--json" and value.isalpha() and value != "json" and "--output" in flags:
        return f"type: -o FILE.{value}"
    if not right:
        return method_hint(name.strip("-"))
    return f"type: {right}" if flags.get(right, True) else f"type: {right} {value or metavars[right]}"


def argument_hint(message: str) -> str:
    """Say how the problem of two PDDL files, a method, or jumps are given; nothing for other faults of arguments."""
    if message.startswith("Missing option '--method"):
        return next(
            filter(None, (method_hint(word) for word in sys.argv[3:] if word != "pddl")),
            "type: -m pddl, or a model such as -m sat-rounds",
        )
    extra, command = message.partition("extra argument (")[2].rstrip(")."), sys.argv[1:2]
    if extra.endswith(".pddl"):
        problem = next((text for text in sys.argv[2:] if text.endswith(".pddl") and "domain" not in text), extra)
        return f"domain.pddl beside a problem is read with it; type: pegcp {command[0]} {shlex.quote(problem)}"
    if command in (["boards"], ["problems"]) and extra:
        return f"type: pegcp show {shlex.quote(extra)}"
    return f"type: --after {shlex.quote(extra)}" if command == ["next"] and extra else method_hint(extra)


def ask_why(result: Result) -> Iterator[str]:
    """Yield the question for a model file of one's own whose answer is wrong, or "no solution" without evidence."""
    words = click.get_current_context().params
    is_claim = result.status is Status.INFEASIBLE and result.evidence is Evidence.CLAIMED
    is_wrong = is_claim or result.reason is Reason.INVALID_SOLUTION
    if is_wrong and result.method.partition(":")[0].endswith(SUFFIXES) and words["problem"] != "-":
        options = (word for key in CHANGES if words.get(key) for word in (f"--{key}", words[key]))
        yield f"Which line says no:\n  {shlex.join(['pegcp', 'why', words['problem'], *options, '-m', result.method])}"


def after_no_solution(problem: Problem) -> Iterator[str]:
    """Yield two lines for each question that goes on from "no solution": what to ask, and the command to type."""
    words = click.get_current_context().params
    if words["problem"] == "-":  # which can be read once
        return
    options = {key: words[key] for key in ("start", "after", "legend", "board", "numbering") if words.get(key)}
    goal = {"goal": words["goal"]} if words.get("goal") else {}
    near = {"goal": f"near {words['goal']}"} if goal else {"objective": "nearest"}
    questions = {"Fewest pegs left": {"objective": "fewest-pegs"}, "Nearest end": near, "First jump that lost": goal}
    for question, changes in questions.items():
        with suppress(InputError):  # such as one peg anywhere, to which no end is near
            if "after" in options if changes is goal else lookup.problem(problem, **changes) != problem:
                flags = (word for key, value in (options | changes).items() for word in (f"--{key}", value))
                command = "next" if changes is goal else "solve"
                yield f"{question}:\n  {shlex.join(['pegcp', command, words['problem'], *flags])}"
