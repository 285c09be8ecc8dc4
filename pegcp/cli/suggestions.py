"""Suggestions of the line to type next: in place of a line that pegcp does not take, and after "no solution"."""

import shlex
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from difflib import get_close_matches
from itertools import pairwise
from os.path import isfile
from pathlib import Path

import click

from pegcp.backends import inventory
from pegcp.catalogue.methods import bundled, explain_name
from pegcp.catalogue.modelfile import SUFFIXES
from pegcp.cli.options import CHANGES, NotAProblem, are_jumps, join_domain
from pegcp.errors import NEAR, InputError
from pegcp.formats.pddl import are_files, is_domain
from pegcp.game import Problem
from pegcp.habits import COMMANDS, FILLERS, OBJECTIVES, OPTIONS, meaning
from pegcp.library import lookup
from pegcp.method import Evidence, Reason, Status
from pegcp.results.result import Result

_MOST_SLIPS = 12  # in a line that can be mended
_REPORTS = (".csv", ".html", ".md", ".tex")
_PICTURES = (".svg", ".png", ".html")
_NUMBERS = {"integer": "10", "integer range": "1", "float": "60"}  # where a number is missing


def next_line(group: click.Group, words: Sequence[str]) -> str:
    """Say what to type in place of a line that pegcp does not take; nothing where that is not known."""
    content = [*words[:1], *(word for word in words[1:] if word not in FILLERS)]  # a command may be one, too: "board"
    line = [part for word in content for part in (word.split("=", 1) if word.startswith("--") else [word])]
    for _ in range(_MOST_SLIPS):
        if (slip := _first_slip(group, line)) is None:
            notes = (explain_name(word, bundled()) for pair in words for word in pair.split("=") if word not in line)
            note = next((note for text in notes if (note := text.rpartition("type: ")[0])), "")
            return f"{note}type: {shlex.join(['pegcp', *_with_methods(line)])}"
        line = _mend(slip, line, group)
    return ""


def _first_slip(group: click.Group, line: Sequence[str]) -> click.UsageError | None:
    """Return what click finds wrong in a line."""
    command = group.commands.get(line[0])
    if command is None:
        return None if line[0] in ("--help", "--version") else click.UsageError("there is no such command")
    if {"-h", "--help"}.isdisjoint(line):
        with suppress(InputError):
            try:
                command.make_context(line[0], join_domain(line[1:]), click.Context(group, info_name="pegcp"))
            except click.UsageError as slip:
                return slip
    return None


def _mend(slip: click.UsageError, line: list[str], group: click.Group) -> list[str]:
    """Return the line with one slip mended; as it is where nobody knows how."""
    command, *rest = line
    if command not in group.commands:
        return _mend_command(command, rest, [*group.commands])
    parameters = {name: parameter for parameter in group.commands[command].params for name in parameter.opts}
    match slip:
        case NotAProblem():
            problems = ["english"] if slip.is_list and all(map(method_of, slip.typed)) else []
            rest.remove(slip.word)
            return [command, *problems, *rest, "-m", method_of(slip.word)]
        case click.NoSuchOption():
            return _mend_option(slip, line, parameters)
        case click.MissingParameter(param=click.Argument(name=name)):
            return [command, "english" if name in ("problem", "problems", "board") else "FILE", *rest]
        case click.MissingParameter(param=click.Option(opts=opts)) if "--method" in opts:
            return _with_method(line)
        case click.MissingParameter(param=click.Option() as option):
            return [*line, option.opts[-1], _example(option)]
        case click.BadOptionUsage(option_name=name) if name in line and parameters[name].type.name in _NUMBERS:
            return [*line, _example(parameters[name])]  # the line ends where the number belongs
        case click.BadParameter(param=click.Option(type=kind, opts=opts) as option) if {*opts} & {*line}:
            at = next(at for at, word in enumerate(line, 1) if word in opts)
            if isinstance(kind, click.Choice):
                return [*line[:at], meaning(line[at].lower(), OBJECTIVES, kind.choices) or line[at], *line[at + 1 :]]
            return [*line[:at], _example(option), *line[at:]] if kind.name in _NUMBERS else line
        case click.BadParameter() | click.BadOptionUsage():
            return line
    typed = slip.format_message().partition("argument")[2].partition("(")[2]
    extra = max((word for word in rest if typed.startswith(word)), key=len, default="")
    return _mend_extra(extra, [word for word in line if word != extra], slip.ctx) if extra else line


def _mend_command(name: str, rest: list[str], commands: Sequence[str]) -> list[str]:
    """Return a line whose command exists, in place of one whose does not."""
    subject = next(iter(rest), "")
    noun = meaning(subject, COMMANDS) or subject
    match meaning(name.lower().lstrip("-"), COMMANDS):
        case "--help" if noun in commands:
            return [noun, *rest[1:], *["--help"] * (name not in ("list", "ls"))]
        case "report" if subject and "." not in subject:
            return ["show", *rest]
        case "" if method := method_of(name):
            return ["solve", *rest, "-m", method]
        case "" if _is_problem(name):
            return ["solve", name, *rest]
        case "":
            return [*(get_close_matches(name.lower(), commands, 1, NEAR) or [name]), *rest]
        case right:
            command, *options = shlex.split(right)
            return [command, *rest, *options]


def _mend_option(slip: click.NoSuchOption, line: list[str], options: Mapping[str, click.Parameter]) -> list[str]:
    """Return a line with what stands for an option that the command does not have, and for its value."""
    name = slip.option_name
    at = next((at for at, word in enumerate(line) if word.startswith(name)), 0)
    before, own = line[:at], line[at].removeprefix(name)
    after = [own, *line[at + 1 :]] if own else line[at + 1 :]
    has_value = bool(after) and (not after[0].startswith("-") or after[0] == "-")
    value, others = (after[0], after[1:]) if has_value else ("", after)
    keys = [key for key in OPTIONS if key.split()[0].lower() in {*options, "nothing"}]
    right, *usual = shlex.split(meaning(name, OPTIONS, keys)) or [""]
    if right == "--out" and value.endswith(_REPORTS):
        right = "--report"
    methods = [*map(method_of, value.split(","))]
    method = ",".join(methods) if all(methods) else ""
    match right:
        case "" if flag := method_of(name.strip("-")):
            return [*before, "-m", flag, *after]
        case "":
            near = get_close_matches(name, options, 1, NEAR)
            return [*before, *near, *after] if near else line
        case "nothing" | "SOLUTIONS":
            return [*before, *after]
        case "PROBLEM" | "BOARD":
            return [line[0], *after[:has_value], *before[1:], *others]
        case "--json" if method:
            return ["export", *before[1:], *others, "-m", method]
        case "--json" if value in ("", "json"):
            return [*before, right, *others]
        case "--json":
            return [*before, "-o", f"solution.{value}", *others] if value.isalpha() and "-o" in options else line
        case "--method" | "--methods" if not method and _is_problem(value):
            return [*before, *after]
        case "--method" | "--methods":
            return [*before, "-m", method or "rounds:cp-sat", *others]
        case _ if getattr(options[right], "is_flag", False):
            return [*before, right, *after]
        case "--report" | "--output" if usual and value.endswith(_REPORTS if right == "--report" else _PICTURES):
            return [*before, right, value, *others]
        case _ if usual:
            return [*before, right, *usual, *(others if "." in value else after)]
        case "--start" if value.isalnum():  # of one peg there is nothing to solve
            return [*before, right, f"all but {value}", *others]
    return [*before, right, value or _example(options[right]), *others]


def _mend_extra(extra: str, line: list[str], context: click.Context | None) -> list[str]:
    """Return a line with a word for which the command has no place where it belongs."""
    problem = str(context.params.get("problem") if context else "")
    match line[0]:
        case "boards" | "problems":
            return ["show", extra]
        case "next":
            return [*line, "--after", extra]
        case _ if extra == "count" or (meaning(extra, OBJECTIVES) and not method_of(extra)):
            return [*line, "--objective", meaning(extra, OBJECTIVES)]
        case "solve" if "-m" in line and method_of(extra):
            return ["compare", *line[1:], "-m", method_of(extra)]
        case _ if method := method_of(extra):
            return [*line, "-m", method]
        case _ if _is_problem(f"{problem}:{extra}"):
            return [f"{problem}:{extra}" if word == problem else word for word in line]
        case _ if extra.endswith(_PICTURES):
            return [*line, "-o", extra]
        case "solve" if are_jumps(extra) or isfile(extra):
            return ["check", *line[1:], extra]
    return [*line, extra]


def _is_problem(text: str) -> bool:
    """Tell whether a word names a problem; standard input is left unread."""
    with suppress(InputError):
        return text not in ("", "-") and bool(lookup.problem(text))
    return False


def _with_method(line: list[str]) -> list[str]:
    """Return the line with a method, as a word, a format or the name of the file to write says."""
    is_export = line[0] == "export"
    for at, word in enumerate(line[1:], 1):
        stem, _, suffix = word.rpartition(".")
        is_value = line[at - 1].startswith("-")
        if are_files([word]):
            if not is_export and is_domain(Path(word)):
                return [line[0], "english", "-m", *line[1:]]
        elif line[at - 1] != "--objective" and (method := method_of(suffix if is_export else word)):
            if is_value and word != method and word in {name for info in inventory.infos() for name in info.formats}:
                return [*line, "-m", method]
            folder = ["-o", stem] if stem and is_export else []
            return [*line[: at - is_value], *folder, "-m", method, *line[at + 1 :]]
    return [*line, "-m", "pddl" if is_export else "mine.py"]


def _with_methods(line: list[str]) -> Iterator[str]:
    """Yield the words of a line, with a method for each name of a solver or a language after ``-m``."""
    for before, word in pairwise(["", *line]):
        names = word.split(",") if before in ("-m", "--method", "--methods") else []
        yield ",".join(method_of(name) or name for name in names) or word


def _example(parameter: click.Parameter) -> str:
    """Return a value that a parameter takes."""
    if isinstance(parameter.type, click.Choice):
        return str(parameter.type.choices[-1])
    return _NUMBERS.get(parameter.type.name) or parameter.metavar or (parameter.name or "").upper()


def method_of(word: str) -> str:
    """Return the method that a word means: a model file, a method, a solver or a language; nothing for others."""
    _, _, method = explain_name(word.partition("(")[0], bundled()).rpartition("type: -m ")
    return word if word.endswith(SUFFIXES) or word == "pddl" else next(iter(shlex.split(method)), "")


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
