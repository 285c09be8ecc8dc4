"""Suggestions of the line to type next: in place of a line that pegcp does not take, and after "no solution"."""

import re
import shlex
from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import chain, pairwise
from os.path import exists, isfile, splitext
from pathlib import Path

import click

from pegcp import library
from pegcp.backends import inventory
from pegcp.catalogue.methods import choose, explain_name
from pegcp.catalogue.modelfile import SUFFIXES
from pegcp.cli.options import CHANGES, OtherWord, are_jumps, join_domain, method_to_type, target_of
from pegcp.errors import InputError, accepts
from pegcp.game import Problem
from pegcp.habits import COMMANDS, FILLERS, NOUNS, OBJECTIVES, OPTIONS, meaning, nearest
from pegcp.library import lookup
from pegcp.method import Evidence, Reason, Status
from pegcp.results.result import Result

_MOST_SLIPS = 12  # in a line that can be mended
_REPORTS = (".csv", ".html", ".md", ".tex")
_PICTURES = (".svg", ".png", ".html")
_PLOTS = ("scatter", "growth", "cactus")
_TRUE = ("true", "1", "on", "yes")  # values of what takes none
_NUMBERS = {"integer": "10", "integer range": "4", "float": "60"}  # where a number is missing


def next_line(group: click.Group, words: Sequence[str]) -> str:
    """Say what to type in place of a line that pegcp does not take; nothing where that is not known."""
    content = [*words[:1], *(word for word in words[1:] if word not in FILLERS)]  # a command may be one, too: "board"
    text = shlex.join([part for word in content for part in _option_and_value(word)])
    text = re.sub(r", (?=\w)", ",", text)  # one list, with blanks after its commas
    text = re.sub(r"(?<= )[a-z]+ \d+(?!\S)", lambda board: library.usual_problem(board[0]) or board[0], text, count=1)
    line, left_out = shlex.split(text), ""
    for _ in range(_MOST_SLIPS):
        slip = _first_slip(group, line)
        if slip is None:
            others = (word for pair in words for word in pair.split("=") if word not in line)
            notes = (explain_name(word).rpartition("type: ")[0] for word in others)
            return f"{next(filter(None, notes), '')}{left_out}type: {shlex.join(['pegcp', *_with_folder(line)])}"
        mended = _mend(slip, line, group)
        if mended == line and (at := _place(slip, line)):
            left_out += f'"pegcp {line[0]} --help" shows the usage; without {line[at]}, '
            mended = [*line[:at], *line[at + 1 :]]
            value = "".join(mended[at : at + 1])
            has_value = line[at].startswith("-") and not value.startswith("-")
            takes_problems = not {"problem", "problems"}.isdisjoint(_options(group, line[0]))
            takes_it = exists(value) or (takes_problems and _is_problem(value))
            if has_value and (value.isdigit() or not takes_it or _first_slip(group, mended) is not None):
                del mended[at : at + 1]
        line = mended
    return ""


def _option_and_value(word: str) -> Sequence[str]:
    """Return the two words of ``--option=value``, and of ``/option:value``, as it is written on Windows."""
    option, _, value = word.partition(":")
    if (
        re.fullmatch(r"/(?:[A-Za-z-]+|\?)|-(?![fmo])[a-z-]{3,}|-(?:methods?|models?|output|format)", option)
        and not word.startswith("--")
        and not exists(word)
    ):
        return (f"-{'-' * (len(option) > 2)}{option[1:]}", *[value] * bool(value))
    return word.split("=", 1) if word.startswith("--") else [word]


def _first_slip(group: click.Group, line: Sequence[str]) -> click.UsageError | None:
    """Return what click finds wrong in a line."""
    command = group.commands.get(line[0])
    if command is None:
        return None if line[0] in ("--help", "--version", "-h", "-V") else click.UsageError("there is no such command")
    if {"-h", "--help"}.isdisjoint(line):
        with suppress(InputError):
            try:
                command.make_context(line[0], join_domain(line[1:]), click.Context(group, info_name="pegcp"))
            except click.UsageError as slip:
                return slip
    return None


def _place(slip: click.UsageError, line: Sequence[str]) -> int:
    """Return where the word is that is to blame for a slip; 0 if that is not known."""
    match slip:
        case click.NoSuchOption(option_name=name) | click.BadOptionUsage(option_name=name):
            return next((at for at, word in enumerate(line) if word.startswith(name)), 0)
        case click.BadParameter(param=click.Option(opts=opts)):
            return next((at for at, word in enumerate(line) if word in opts), 0)
    typed = slip.format_message().partition("argument")[2].partition("(")[2]  # more than one may be left over
    places = [at for at, word in enumerate(line[1:], 1) if typed.startswith((f"{word} ", f"{word})"))]
    return places[-1] if places else 0


def _mend(slip: click.UsageError, line: list[str], group: click.Group) -> list[str]:
    """Return the line with one slip mended; as it is where nobody knows how."""
    command, *rest = line
    if command not in group.commands:
        return _mend_command(command, rest, [*group.commands])
    match slip:
        case OtherWord():
            return [
                slip.command or command,
                *chain.from_iterable(slip.words if word == slip.word else [word] for word in rest),
            ]
        case click.NoSuchOption():
            return _mend_option(slip, line, group)
        case click.MissingParameter(param=click.Argument(name=name)):
            if "--board" in rest[:-1]:
                at = line.index("--board")
                return [command, line[at + 1], *line[1:at], *line[at + 2 :]]
            arguments = {"check": ["english", "solution.txt"], "mark": ["mine.py"]}.get(command)
            return [command, *(arguments or ["english" if name in ("problem", "problems", "board") else "FILE"]), *rest]
        case click.MissingParameter(param=click.Option(opts=opts)) if "--method" in opts:
            return _with_method(line)
        case click.MissingParameter(param=click.Option(name="pegs")) if re.fullmatch(r"\d+|.*\.toml", rest[0]) and (
            not exists(rest[0])
        ):
            return [command, "english", *rest]  # its size, or the file to write, came first
        case click.MissingParameter(param=click.Option() as option):
            pairs = enumerate(pairwise(line[1:]), 2)
            free = (at for at, pair in pairs if not any(word.startswith("-") for word in pair))
            at = next((at for at in free if option.name == "output" or line[at].isdigit()), len(line))
            value = splitext("".join(line[at : at + 1]))[0] or _example(option, line)
            return [*line[:at], *line[at + 1 :], option.opts[-1], value]
        case click.BadParameter(param=click.Option(type=kind) as option) if at := _place(slip, line):
            value = "".join(line[at + 1 : at + 2])
            right = _example(option, line) if kind.name in _NUMBERS else value
            is_problem = value.startswith("-") or _is_problem(value) or exists(value)  # which stays
            if isinstance(kind, click.Choice):
                right = nearest(value.lower(), OBJECTIVES, kind.choices) or value
            return [*line[: at + 1], right, *line[at + 1 + (kind.name not in _NUMBERS or not is_problem) :]]
        case click.BadOptionUsage(option_name=name) if parameter := _options(group, command).get(name):
            # the line ends where the number belongs
            return [*line, _example(parameter, line)] if parameter.type.name in _NUMBERS else line
        case _ if at := _place(slip, line):
            return _mend_extra(at, line, slip.ctx, group)
    return line


def _mend_command(name: str, rest: list[str], commands: Sequence[str]) -> list[str]:
    """Return a line whose command exists, in place of one whose does not."""
    subject = next(iter(rest), "")
    word = re.sub(r"\A(?:list|show|get|run|make)-", "", name.lower().lstrip("-"))
    noun, right = meaning(subject, COMMANDS, commands), meaning(word, COMMANDS, NOUNS)
    match right:
        case "" | "--help" if noun in commands and not name.startswith("-"):
            of_problem = [name] if not right and _is_problem(name) else []
            return [noun, *of_problem, *rest[1:], *["--help"] * (right == "--help" and name not in ("list", "ls"))]
        case "report" if subject and "." not in subject:
            return ["show", *rest]
        case "mark" if _is_problem(subject):
            return ["solve", *rest]
        case _ if right.startswith("export") and "".join(rest[1:]).endswith(".toml"):
            return ["import", subject, "-o", *rest[1:]]
        case "" if method_to_type(name):
            return ["solve", *rest, "-m", method_to_type(name)]
        case _ if name.startswith("-") and (later := next((word for word in rest if word in commands), "")):
            return [later, name, *(word for word in rest if word != later)]
        case "" if _is_problem(join_domain([name, *rest])[0]) or (name[:1] == "-" and any(map(_is_problem, rest))):
            return ["solve", name, *rest]
    command, *options = shlex.split(right or nearest(word, COMMANDS, commands)) or [name]
    return [command, *rest, *options]


def _options(group: click.Group, command: str) -> dict[str, click.Parameter]:
    """Return the parameters of a command by their names."""
    return {
        name: parameter
        for parameter in group.commands[command].params
        for name in (*parameter.opts, *parameter.secondary_opts)
    }


def _mend_option(slip: click.NoSuchOption, line: list[str], group: click.Group) -> list[str]:
    """Return a line with what stands for an option that the command does not have, and for its value."""
    name, at, options = slip.option_name, _place(slip, line), _options(group, line[0])
    before, own = line[:at], line[at].removeprefix(name)
    after = [own, *line[at + 1 :]] if own else line[at + 1 :]
    has_value = bool(after) and (not after[0].startswith("-") or after[0] == "-")
    value, others = (after[0], after[1:]) if has_value else ("", after)
    table = {
        key: words for key, words in OPTIONS.items() if key.split()[0] in (*options, "ARGUMENT", "--help", "nothing")
    }
    names = [option for option in options if option.startswith("-")]
    is_command = not meaning(name, table) and name.strip("-") in group.commands
    right, *usual = shlex.split("" if is_command else nearest(name, table, names)) or [""]
    methods = [*map(method_to_type, value.split(","))]
    method = ",".join(methods) if all(methods) else ""
    match right:
        case "" | "ARGUMENT" if line[0] == "models" and _is_problem(value):
            return ["backends", "--for", value, *before[1:], *others]
        case "" if flag := method_to_type(name.strip("-")):
            return [*before, *["-m", flag] * (flag not in line), *after]
        case "" | "--method" if "_" in name and accepts(
            choose, parameter := f"rounds:cp-sat.{name.strip('-')}={value}"
        ):
            return [*before, "-m", parameter, *others]
        case "":
            command = meaning(name.strip("-"), COMMANDS, group.commands)
            other = [*shlex.split(command), *before[1:], *after]
            fits = "problem" in options and command[:1].isalpha()
            return other if fits and isinstance(_first_slip(group, other), click.MissingParameter | None) else line
        case "--help":
            return [line[0], right]
        case "nothing" if name == "--list" and "--suite" in line[:-1]:
            return ["suite", line[line.index("--suite") + 1]]
        case "nothing" if name == "--list" and "problem" in options:
            return ["problems"]
        case "nothing" | "solutions":
            return [*before, *after]
        case "ARGUMENT" if not _is_problem(value) and not exists(value) and not _first_slip(group, before + others):
            return line
        case "ARGUMENT":
            return [line[0], *after[:has_value], *before[1:], *others]
        case "--json" if method:
            return ["export", *before[1:], *others, "-m", method]
        case "--json" if value in ("", "json"):
            return [*before, right, *others]
        case "--json" if isfile(value) or _is_problem(value):
            return [line[0], value, *before[1:], *others]
        case "--output" if line[0] != "report" and "".join(usual).startswith("report"):
            return line
        case "--output" if line[0] == "report" and "".join(usual).startswith("picture"):
            plot = next((plot for plot in _PLOTS if plot in f"{name} {value}"), "cactus")
            ending = next((ending for ending in ("png", "pdf", "pgf") if ending in f"{name} {value}"), "svg")
            return [*before, right, f"{plot}.{ending}", *(after if isfile(value) else others)]
        case "--json" | "-o" | "--output" if value.isalpha() and line[0] in ("solve", "report", "compare"):
            stem = "solution" if line[0] == "solve" else "report"
            file = f"{stem}.{value.replace('latex', 'tex').replace('markdown', 'md')}"
            return [*before, "--report" if line[0] == "compare" else "-o", file, *others]
        case "--out" if value.endswith((*_REPORTS, ".xls", ".xlsx")):
            return [*before, "--report", re.sub(r"xlsx?$", "csv", value), *others]
        case "--output" if value and line[0] == "solve" and not Path(value).suffix:
            return [*before, right, f"{value}.txt", *others]
        case "--method" | "--methods" if not method and _is_problem(value):
            return [*before, *after]
        case "--method" if value.isdigit() and "--workers" in options:
            return [*before, "--workers", *after]
        case "--method" | "--methods" if not method and any(_is_problem(f"{word}:{value}") for word in before + others):
            return [*before, "--start", _vacancy(value), *others]
        case "--method" | "--methods" if value:
            method = method.partition(":command=")[0] if line[0] == "export" else method
            return [*before, "-m", method or "rounds:cp-sat", *others]
        case _ if getattr(options[right], "is_flag", False):
            return [*before, right, *(others if value.lower() in _TRUE else after)]
        case _ if usual and right in before:
            return [*before, *after]
        case "--report" | "--output" if usual and value.endswith((*_REPORTS, *_PICTURES)):
            return [*before, right, value, *others]
        case _ if usual:
            return [*before, right, *usual, *(others if value.isdigit() else after)]
        case "--seeds" if name == "--seed" and value.isdigit():  # that one, not so many
            return [*before, right, f"{value},", *others]
        case "--start" if value:
            return [*before, right, _vacancy(value), *others]
    value = value or _example(options[right], line)
    return line if value == options[right].metavar else [*before, right, value, *others]


def _mend_extra(at: int, line: list[str], context: click.Context | None, group: click.Group) -> list[str]:
    """Return a line with a word for which the command has no place where it belongs."""
    extra, rest = line[at], [*line[:at], *line[at + 1 :]]
    problem = str(context.params.get("problem") if context else "")
    key, equals, value = extra.partition("=")
    objective = "count" if extra == "count" else meaning(extra, OBJECTIVES)
    begin = line.index(problem) if problem in line else len(line)
    end = next((place for place in range(begin, len(line)) if line[place].startswith("-")), len(line))
    for stop in range(end, begin + 1, -1 if "-" not in extra else 1):  # such as: english c1 f4
        if other := library.usual_problem(" ".join(line[begin:stop])):
            return [*line[:begin], other, *line[stop:]]
    match line[0]:
        case _ if line[at - 2] in ("--goal", "--start", "--after") and re.fullmatch(r"[a-z]\w*\d", extra):
            return [*line[: at - 1], f"{line[at - 1]} {extra}", *line[at + 1 :]]
        case "boards" | "problems" if _is_problem(extra):
            return ["show", extra]
        case "models" if method_to_type(extra):
            return ["models", extra]
        case _ if equals and key.isalpha():
            return [*line[:at], f"--{key}", _vacancy(value) if key == "start" else value, *line[at + 1 :]]
        case "next" if are_jumps(extra):
            jumps = [word for word in line if are_jumps(word) and word != problem]
            return [*(word for word in line if word not in (*jumps, "--after")), "--after", " ".join(jumps)]
        case _ if objective and (extra == "count" or not method_to_type(extra)):
            return [*rest, "--objective", objective]
        case _ if method_to_type(extra):
            return [*rest, "-m", method_to_type(extra)]
        case _ if extra.endswith(_PICTURES) or (line[0] == "generate" and extra.endswith(".toml")):
            return [*rest, "-o", extra]
        case "solve" if are_jumps(extra) or (isfile(extra) and problem):
            return ["check", *rest[1:], extra]
        case "solve" if _is_problem(extra) and not extra.isdigit():
            return ["compare", *line[1:]]
        case _ if meaning(f"--{extra}", OPTIONS, _options(group, line[0])):
            return [*rest, f"--{extra}"]
    return line


def _vacancy(holes: str) -> str:
    """Return what to type for the holes of a start: of one peg there is nothing to solve, it is the vacancy."""
    return f"all but {holes}" if holes.isalnum() else holes


def _is_problem(text: str) -> bool:
    """Tell whether a word names a problem; standard input is left unread."""
    return text not in ("", "-") and accepts(lookup.problem, text)


def _with_method(line: list[str]) -> list[str]:
    """Return the line with a method, as a word, a format or the name of the file to write says."""
    is_export, formats = line[0] == "export", {name for info in inventory.infos() for name in info.formats}
    for at, word in enumerate(line[1:], 1):
        suffix = word.rpartition(".")[2]
        if is_export and f".{suffix}" in (*_PICTURES, ".toml"):
            return ["import" if suffix == "toml" else "show", *line[1:]]
        option = line[at - 1] if line[at - 1].startswith("-") else ""
        method = method_to_type(suffix if is_export and not isfile(word) else word)
        if method and option != "--objective":
            before = [option, word] if option and word != method and word in formats else []
            if option in ("-o", "--output"):
                before = [option, target_of(word)]
            return [*line[: at - bool(option)], *before, "-m", method, *line[at + 1 :]]
    return [*line, "-m", "pddl" if is_export else "moves"]


def _with_folder(line: list[str]) -> list[str]:
    """Return the line with a folder to write to, where several files are written."""
    has_files = not {"pddl", "mzn-rounds"}.isdisjoint(line) or sum(map(library.is_name, line)) > 1
    are_several = has_files if line[0] == "export" else "--count" in line
    has_folder = not {"-h", "--help", "-o", "--output"}.isdisjoint(line)
    return [*line, "-o", "out"] if are_several and line[0] in ("export", "generate") and not has_folder else line


def _example(parameter: click.Parameter, line: Sequence[str]) -> str:
    """Return a value that a parameter takes, which may depend on the rest of the line."""
    board = next((word for word in line[1:] if parameter.name == "pegs" and library.is_name(word)), "")
    if _is_problem(board):
        holes = len(lookup.problem(board).board)
        return str(holes * 3 // 5 if "--grade" in line else max(2, min(10, holes // 3)))
    return _NUMBERS.get(parameter.type.name) or parameter.metavar or (parameter.name or "").upper()


def ask_why(result: Result) -> Iterator[str]:
    """Yield the question for a model file of one's own whose answer is wrong, or "no solution" without evidence."""
    words = click.get_current_context().params
    is_wrong = result.reason is Reason.INVALID_SOLUTION or (
        result.status is Status.INFEASIBLE and result.evidence is Evidence.CLAIMED
    )
    if is_wrong and result.method.partition(":")[0].endswith(SUFFIXES) and words["problem"] != "-":
        options = (word for key in CHANGES if words.get(key) for word in (f"--{key}", words[key]))
        yield f"Which line says no:\n  {shlex.join(['pegcp', 'why', words['problem'], *options, '-m', result.method])}"


def ask_further(problem: Problem) -> Iterator[str]:
    """Yield the questions that go on from "no solution", each with the command to type on a second line."""
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
