"""What to type next: after a command or an option that pegcp does not have, and after "no solution"."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any

import click

from pegcp.errors import InputError, suggestion
from pegcp.game.goal import Objective
from pegcp.game.problem import Problem
from pegcp.habits import COMMANDS, LISTS, OPTIONS, QUIET, meaning
from pegcp.library import lookup


def command_hint(name: str, rest: Sequence[str], commands: Sequence[str]) -> str:
    """Say what to type in place of a command that does not exist, with the rest of the line."""
    if name in LISTS.split():
        listed = meaning(rest[0], COMMANDS, commands) or rest[0] if rest else ""
        lists = "boards, problems, suite, models and backends are lists"
        return f"; type: pegcp {listed}" if listed in commands else f"; {lists}; type: pegcp boards"
    if key := meaning(name.lower(), COMMANDS):
        command, _, options = key.partition(" ")
        return f"; type: {' '.join(' '.join(['pegcp', command, shlex.join(rest), options]).split())}"
    problem = " ".join(map(shlex.quote, rest[:1])) or "english"
    if method := method_hint(name):
        return f"; {method.replace('-m ', f'pegcp solve {problem} -m ', 1)}"
    if near := suggestion(name, commands):
        return near
    with suppress(InputError):
        lookup.problem(name)
        return f"; type: pegcp solve {shlex.join([name, *rest])}"
    return ""


def method_hint(name: str) -> str:
    """Say how a method, a solver or a language is asked for; nothing for any other name."""
    from pegcp.catalogue.registry import bundled
    from pegcp.catalogue.synonyms import explain_name

    methods = bundled()
    return f"type: -m {name}" if name in methods else explain_name(name, methods)


def option_hint(error: click.NoSuchOption) -> str:
    """Say what to type in place of an option that a command does not have; nothing if no other option is meant."""
    name, context = error.option_name, error.ctx
    if context is None:
        return ""
    if name in QUIET.split():
        return "leave it out: standard output has the answer only"
    options = {text: option for option in context.command.get_params(context) for text in option.opts}
    right = meaning(name, OPTIONS, options)
    values = [text for before, text in zip(sys.argv, sys.argv[1:], strict=False) if before == name]
    values += [text.partition("=")[2] for text in sys.argv if text.startswith(f"{name}=")]
    value = shlex.quote(values[0]) if values else ""
    if right in ("--method", "--methods"):
        return method_hint(value) or 'type: -m METHOD, such as -m rounds:cp-sat; "pegcp models" lists methods'
    if right == "--json" and value.isalpha() and value != "json":
        return f"type: -o FILE.{value}" if "--output" in options else "type: --json"
    if right and not getattr(options[right], "is_flag", True):
        return f"type: {right} {value or options[right].make_metavar(context)}"
    return f"type: {right}" if right else ""


def argument_hint() -> str:
    """Say how the problem of two PDDL files is asked for; nothing if the arguments are others."""
    files = [text for text in sys.argv[2:] if text.endswith(".pddl")]
    problems = [text for text in files if "domain" not in text.rpartition("/")[2]]
    if len(files) == 2 and len(problems) == 1:
        return f"domain.pddl beside a problem is read with it; type: pegcp {sys.argv[1]} {shlex.quote(problems[0])}"
    return ""


def after_no_solution(problem: Problem, words: Mapping[str, Any]) -> Iterator[str]:
    """Yield a line for each question that goes on from "no solution": what to ask, and the command to type.

    ``words`` are the argument and the options with which the problem was asked for.
    """
    if words["problem"] == "-":  # it has been read
        return
    options = {key: words[key] for key in ("start", "after", "legend", "board", "numbering") if words.get(key)}
    goal = words.get("goal")
    questions: dict[str, Mapping[str, str]] = {}
    if problem.objective is not Objective.FEWEST_PEGS:
        questions["Fewest pegs left"] = options | {"objective": Objective.FEWEST_PEGS.value}
    if problem.objective is not Objective.NEAREST:
        near = {"goal": f"near {goal}"} if goal else {"objective": Objective.NEAREST.value}
        questions["Nearest end"] = options | near
    for question, changes in questions.items():
        with suppress(InputError):  # such as one peg anywhere, to which no end is near
            lookup.problem(words["problem"], **changes)
            yield f"{question}: {_command('solve', words['problem'], changes)}"
    if words.get("after"):
        changes = options | ({"goal": goal} if goal else {})
        yield f"First jump that lost: {_command('next', words['problem'], changes)}"


def _command(name: str, problem: str, changes: Mapping[str, str]) -> str:
    """Write a command as a shell takes it."""
    return shlex.join(
        ["pegcp", name, problem, *(word for key, value in changes.items() for word in (f"--{key}", value))]
    )
