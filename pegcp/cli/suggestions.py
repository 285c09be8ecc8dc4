"""Suggestions of the line to type next: in place of a line that pegcp does not take, and after "no solution"."""

import re
import shlex
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import pairwise, product
from os.path import exists, isfile, splitext
from pathlib import Path
from select import select

import click

from pegcp import library
from pegcp.backends import inventory
from pegcp.catalogue.choice import choose, split
from pegcp.catalogue.methods import bundled, explain_name
from pegcp.catalogue.modelfile import SUFFIXES
from pegcp.cli.options import CHANGES, OTHERS, OtherWord, are_jumps, join_domain, method_of, method_to_type
from pegcp.errors import InputError, accepts
from pegcp.game import Problem
from pegcp.habits import COMMANDS, FILLERS, NOUNS, OBJECTIVES, OPTIONS, SETS, meaning, nearest
from pegcp.library import lookup
from pegcp.method import Evidence, Reason, Status
from pegcp.results.result import Result

_MOST_SLIPS = 12  # in a line that can be mended
_NUMBERS = {"integer": "10", "integer range": "4", "float": "60"}  # where a number is missing

# What stands in a line and what to type in place of the line. A row fits where each of its three facts is empty, or
# names one of those that hold; the first that fits is taken. Facts in capitals are kinds of words, others are the words
# themselves; the template may hold any of the parts of the line.
Row = tuple[str, str, str, str]

_COMMANDS: tuple[Row, ...] = (  # what the rest of the line has, what stands for the command, the word after it
    ("", "list ls", "COMMAND", "{noun} {others}"),
    ("", "--help", "COMMAND", "{noun} {others} --help"),
    ("", "PROBLEM", "COMMAND", "{noun} {name} {others}"),
    ("", "UNKNOWN", "COMMAND", "{noun} {others}"),
    ("", "report", "STEM", "show {after}"),
    ("", "mark", "PROBLEM", "solve {after}"),
    (".toml", "export", "", "import {word} -o {others}"),
    ("", "METHOD", "", "solve {after} -m {method}"),
    ("COMMAND", "OPTION", "", "{later} {name} {earlier}"),
    ("", "PROBLEM", "", "solve {name} {after}"),
    ("PROBLEM", "UNKNOWN-OPTION", "", "solve {name} {after}"),
)

_OPTIONS: tuple[Row, ...] = (  # the command or an option that it has, the other option and its meaning, its value
    ("models", "UNKNOWN ARGUMENT", "PROBLEM", "backends --for {word} {before} {others}"),
    ("", "TWICE", "", "{command} {before} {after}"),
    ("export", "--list-formats --formats", "", "backends"),
    ("", "BY-METHOD", "", "{command} {before} -m {flag} {after}"),
    ("", "SETTING", "", "{command} {before} -m {setting} {others}"),
    ("", "--help", "", "{command} --help"),
    ("--suite", "--list", "", "suite {suite}"),
    ("solve", "--show", "", "solve {before} -o solution.svg {after}"),
    ("problem", "--list", "", "problems"),
    ("", "ELSEWHERE", "", "{elsewhere}"),
    ("", "UNKNOWN SPARE", "", ""),
    ("", "nothing solutions", "", "{command} {before} {after}"),
    ("", "ARGUMENT", "", "{command} {word} {before} {others}"),
    ("", "--json", "METHOD", "export {before} {others} -m {method}"),
    ("", "--json", "NONE json", "{command} {before} --json {others}"),
    ("", "--json", "FILE PROBLEM", "{command} {word} {before} {others}"),
    ("report", "picture.svg", ".png .pdf .pgf .svg", "report {before} --output {word} {others}"),
    ("report", "picture.svg", "scatter growth", "report {before} --output {word}.svg {others}"),
    ("report", "--scatter", "FILE", "report {before} --output scatter.svg {after}"),
    ("report", "--scatter", "", "report {before} --output scatter.svg {others}"),
    ("report", "--growth", "FILE", "report {before} --output growth.svg {after}"),
    ("report", "--growth", "", "report {before} --output growth.svg {others}"),
    ("report", "picture.png", "", "report {before} --output cactus.png {others}"),
    ("report", "picture.svg", "FILE", "report {before} --output cactus.svg {after}"),
    ("report", "picture.svg", "", "report {before} --output cactus.svg {others}"),
    ("solve", "--json -o --output", "NAME", "{command} {before} -o solution.{ending} {others}"),
    ("report", "--json -o --output", "NAME", "{command} {before} -o report.{ending} {others}"),
    ("compare", "--json -o --output", "NAME", "{command} {before} --report report.{ending} {others}"),
    ("", "--out", ".csv .html .md .tex", "{command} {before} --report {word} {others}"),
    ("", "--out", ".xls .xlsx", "{command} {before} --report {stem}.csv {others}"),
    ("solve", "--output", "STEM", "{command} {before} --output {word}.txt {others}"),
    ("", "--method --methods", "METHOD", "{command} {before} -m {method} {others}"),
    ("--workers", "--method", "NUMBER", "{command} {before} --workers {word} {others}"),
    ("--board", "-b", "PROBLEM", "{command} {before} --board {word} {others}"),
    ("", "--method --methods", "PROBLEM", "{command} {before} {after}"),
    ("", "--method --methods --start", "HOLE", "{command} {vacant}"),
    ("", "--method --methods", "SOME", "{command} {before} -m rounds:cp-sat {others}"),
    ("", "FLAG", "true 1 on yes", "{command} {before} {right} {others}"),
    ("", "FLAG", "", "{command} {before} {right} {after}"),
    ("", "WITH-FILE", ".csv .html .md .tex .svg .png", "{command} {before} {right} {word} {others}"),
    ("compare report", "report.tex report.md", "", "{command} {before} {right} {usual} {after}"),
    ("", "report.tex report.md", "", ""),
    ("", "WITH-VALUE", "NUMBER", "{command} {before} {right} {usual} {others}"),
    ("", "WITH-VALUE", "", "{command} {before} {right} {usual} {after}"),
    ("--seeds", "--seed", "NUMBER", "{command} {before} --seeds {word}, {others}"),  # that one, not so many
    (
        "--start",
        "--vacancy --vacant --hole --empty --remove --removed",
        "SOME",
        "{command} {before} --start {but} {others}",
    ),
    ("", "--start", "SOME", "{command} {before} --start {start} {others}"),
    ("", "", "SOME", "{command} {before} {right} {word} {others}"),
    ("", "EXAMPLE", "", "{command} {before} {right} {example} {others}"),
)

_WORDS: tuple[Row, ...] = (  # the command, the word that has no place where it stands, how it stands there
    ("export", ".svg .png .html", "AS-TARGET AS-VALUE AS-ANY", "show {before} {word} {after}"),
    ("export", ".toml", "AS-TARGET AS-VALUE AS-ANY", "import {before} {word} {after}"),
    ("export", "TO-WRITE", "AS-TARGET", "export {before} {word} -m {written} {after}"),
    ("export", "TO-WRITE", "AS-ANY", "export {before} -o {word} -m {written} {after}"),
    ("", "FORMAT", "AS-VALUE", "{command} {before} {word} -m {method} {after}"),
    ("", "METHOD", "AS-VALUE", "{command} {earlier} -m {method} {after}"),
    ("", "METHOD", "AS-ANY", "{command} {before} -m {method} {after}"),
    ("", "", "AS-TARGET AS-OBJECTIVE AS-VALUE AS-ANY", ""),
    ("", "SET", "AS-SET", "{command} {before} {set} {after}"),
    ("suite", "PROBLEM", "AS-SET", "show {word}"),
    ("compare", "PROBLEM", "AS-SET", "compare {earlier} {word} {after}"),
    ("", "", "AS-SET", "suite"),
    ("solve compare", "all", "AS-METHOD", "compare {earlier} {after}"),
    ("export", "svg png html", "AS-METHOD", "show {earlier} {after} -o picture.{word}"),
    ("export", "mps xcsp3", "AS-METHOD", "export {before} {method} -f {word} {after}"),
    ("", "MISNAMED", "AS-METHOD", "{command} {before} {method} {after}"),
    ("", "", "AS-METHOD", "compare {before} {word} {after}"),
    ("export", "TO-WRITE", "LATER", "export {before} -o {word} {after}"),
    ("report", ".html .csv .md .tex .svg .pdf .png .pgf", "", "report {before} -o {word} {after}"),
    ("", "FOOLS", "AS-PROBLEM", "{command} {before} {name} {after}"),
    ("compare", "METHOD", "ALONE", "compare {before} english -m {method} {after}"),
    ("show", "BUNDLED", "AS-PROBLEM", "models {before} {word} {after}"),
    ("solve compare show export why", "METHOD", "AS-PROBLEM", "{command} {before} -m {method} {after}"),
    ("", "METHOD", "AS-PROBLEM", "models {before} {method} {after}"),
    ("", "FOR-SOLVERS", "AS-PROBLEM", "{command} {before} {board} {after}"),
    ("", "LIST", "AS-PROBLEM", "compare {before} {list} {after}"),
    ("show", "NOUN", "AS-PROBLEM", "{noun} {before} {after}"),
    ("generate", "RANDOM", "AS-PROBLEM", "generate {before} english --random {after}"),
    ("", "RANDOM", "AS-PROBLEM", "generate {before} english --pegs 10 {after}"),
    ("compare export", "NOUN", "BESIDE", "{command} {before} {after}"),
    ("export", "SET", "", "export {before} {set}:* {after}"),
    ("solve compare", "SET", "", "compare {before} {set}:* {after}"),
    ("", "SET", "AS-PROBLEM", "suite {before} {set} {after}"),
    ("", "NOUN", "AS-PROBLEM", "{noun} {before} {after}"),
    ("", "RESULTS", "AS-PROBLEM", "report {word}"),
    ("", "EXPERIMENT", "AS-PROBLEM", "compare {before} --experiment {word} {after}"),
    ("boards problems", "PROBLEM", "", "show {word}"),
    ("models", "METHOD", "", "models {method}"),
    ("", "ASSIGNMENT", "", "{command} {before} {setting} {after}"),
    ("next", "JUMPS", "", "next {before} --after {word} {after}"),
    ("", "OBJECTIVE", "", "{command} {before} {after} --objective {objective}"),
    ("solve compare show export why", "METHOD", "", "{command} {before} {after} -m {method}"),
    ("", ".svg .png .html", "", "{command} {before} {after} -o {word}"),
    ("generate", ".toml", "", "generate {before} {after} -o {word}"),
    ("solve", "NUMBER", "", ""),
    ("solve", "JUMPS", "", "check {before} {after} {word}"),
    ("solve", "PROBLEM", "NO-METHOD", "compare {before} {word} -m auto {after}"),
    ("solve", "PROBLEM", "", "compare {before} {word} {after}"),
    ("solve", "FILE", "", "check {before} {after} {word}"),
    ("", "SWITCH", "", "{command} {before} {after} --{word}"),
)


def next_line(group: click.Group, words: Sequence[str]) -> str:
    """Say what to type in place of a line that pegcp does not take; nothing where that is not known."""
    content = [*words[:1], *(word for word in words[1:] if word not in FILLERS)]  # a command may be one, too: "board"
    text = shlex.join([part for word in content for part in _option_and_value(word)])
    text = re.sub(r", (?=\w)", ",", text)  # one list, with blanks after its commas
    text = re.sub(r"(?<= )--start(?= [a-z]\d+(?: -|\Z))", "--vacancy", text)  # a start of one hole is its vacancy
    left_out = ""
    for turn in range(_MOST_SLIPS):
        text = re.sub(
            r"(?<= )[a-z]+ \d+(?:x\d+)?(?!\S)", lambda board: library.usual_problem(board[0]) or board[0], text, count=1
        )
        line = shlex.split(text)
        slip = _first_slip(group, line)
        if slip is None:
            others = (word for pair in words for word in pair.split("=") if word not in line)
            notes = (explain_name(word).rpartition("type: ")[0] for word in others)
            swap = '"pegcp backends" lists the solvers; ' * (
                "rounds:cp-sat" in {*line} - {*words}
            )  # for an unknown one
            return f"{next(filter(None, notes), swap)}{left_out}type: {shlex.join(['pegcp', *_with_folder(line)])}"
        better_line, at = _mend(slip, line, group), _place(slip, line)
        without = [*line[:at], *line[at + 1 :]]
        if at and (better_line == line or (better_line == without and line[at] in OPTIONS["nothing"].split())):
            left_out += f'"pegcp {line[0]} --help" shows the usage; without {line[at]}, '
        if turn and getattr(slip, "place", "") == "AS-SET":
            left_out += f"{slip.message}; "
        if at and better_line == line:
            value, takes_problems = "".join(without[at : at + 1]), {"problem", "problems"} & {*_options(group, line[0])}
            is_value = line[at].startswith("-") and not value.startswith("-")
            is_path = not value.isdigit() and (exists(value) or (takes_problems and _is_problem(value)))
            is_kept = not is_value or (is_path and _first_slip(group, without) is None)
            better_line = without if is_kept else [*without[:at], *without[at + 1 :]]
        text = shlex.join(better_line)
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
    return word.split("=", 1) if word.startswith("--") else [word.removeprefix("board=")]


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
        case OtherWord(word=word) if word in rest:
            return _mend_word(line.index(word, 1), line, {}, slip.place)
        case click.NoSuchOption():
            return _mend_option(slip, line, group)
        case click.MissingParameter(param=click.Argument(name=name)):
            return _with_argument(str(name), line)
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
            right = nearest(value.lower(), OBJECTIVES, kind.choices) if isinstance(kind, click.Choice) else right
            is_problem = value.startswith("-") or _is_problem(value) or exists(value)  # which stays
            return [*line[: at + 1], right or value, *line[at + 1 + (kind.name not in _NUMBERS or not is_problem) :]]
        case click.BadOptionUsage(option_name=name) if parameter := _options(group, command).get(name):
            # the line ends where the number belongs
            return [*line, _example(parameter, line)] if parameter.type.name in _NUMBERS else line
        case _ if at := _place(slip, line):
            return _mend_word(at, line, _options(group, command))
    return line


def _options(group: click.Group, command: str) -> dict[str, click.Parameter]:
    """Return the parameters of a command by their names."""
    return {
        name: parameter
        for parameter in group.commands[command].params
        for name in (*parameter.opts, *parameter.secondary_opts)
    }


def _kinds(word: str) -> set[str]:
    """Return what a word may be: itself, its ending and the kinds of words in the tables."""
    stem, ending = splitext(word)
    kinds = {
        "NONE": not word,
        "SOME": word,
        "STEM": word and not ending,
        "NAME": word.isalpha(),
        "NUMBER": word.isdigit(),
        "PROBLEM": _is_problem(word),
        "FILE": exists(word),
        "TO-WRITE": not exists(word) and method_to_type(ending[1:]),
        "FORMAT": method_of(word) != word and any(word in info.formats for info in inventory.infos()),
        "METHOD": word and all(map(method_to_type, word.split(","))),
        "BUNDLED": word in bundled(),
        "OBJECTIVE": word == "count" or (meaning(word, OBJECTIVES) and not method_to_type(word)),
        "ASSIGNMENT": stem.partition("=")[0].isalpha() and "=" in word,
        "JUMPS": are_jumps(word),
    }
    others = {kind: is_other(word) for kind, (is_other, _) in OTHERS.items()}
    return {word, ending, *_hold(others | kinds)}


def _hold(kinds: Mapping[str, object]) -> list[str]:
    """Return the kinds that hold."""
    return [kind for kind, holds in kinds.items() if holds]


def _forms(word: str, command: str) -> dict[str, str | Sequence[str]]:
    """Return what may be typed for a word, by the names in the tables."""
    (stem, ending), methods = splitext(word), ",".join(map(method_of, split(word)))
    return {
        "word": word,
        "stem": stem,
        "written": method_to_type(ending[1:]),
        "board": [stem] * library.is_name(stem),
        "list": word.split(","),
        "method": methods.partition(":command=")[0] if command == "export" else methods,
        "name": library.usual_problem(word),
        "noun": meaning(word, COMMANDS, NOUNS) or word,
        "objective": "count" if word == "count" else meaning(word, OBJECTIVES),
        "set": meaning(word, SETS, library.set_names()),
        "but": f"all but {word.removeprefix('all but ')}",
        "start": f"all but {word}" if word.isalnum() else word,  # of one peg there is nothing to solve
        "ending": word.replace("latex", "tex").replace("markdown", "md"),
    }


def _find_line(
    rows: Sequence[Row], facts: Sequence[Iterable[str]], parts: Mapping[str, str | Sequence[str]]
) -> list[str]:
    """Return the line of the first row that fits, with its parts; nothing where none does."""
    texts = {key: shlex.join([part] * bool(part) if isinstance(part, str) else part) for key, part in parts.items()}
    for *wanted, line in rows:
        if all(not words or {*words.split()} & {*fact} for words, fact in zip(wanted, facts, strict=True)):
            return shlex.split(line.format(**texts))
    return []


def _mend_command(name: str, rest: list[str], commands: Sequence[str]) -> list[str]:
    """Return a line whose command exists, in place of one whose does not."""
    word, subject = re.sub(r"\A(?:list|show|get|run|make)-", "", name.lower().lstrip("-")), "".join(rest[:1])
    right, later = meaning(word, COMMANDS, NOUNS), next((word for word in rest if word in commands), "")
    is_option, parts = name.startswith("-"), _forms(subject, "")
    kinds = {
        "UNKNOWN": not right and not is_option,
        "PROBLEM": not right and _is_problem(join_domain([name, *rest])[0]),
        "METHOD": not right and method_to_type(name),
        "OPTION": is_option,
        "UNKNOWN-OPTION": not right and is_option,
        "export": right.startswith("export"),
    }
    facts = (
        (splitext("".join(rest[1:]))[1], "COMMAND" * bool(later), "PROBLEM" * any(map(_is_problem, rest))),
        (name, right, *_hold(kinds)),
        (*_kinds(subject), "COMMAND" * (parts["noun"] in commands and not is_option)),
    )
    parts |= {"name": name, "after": rest, "others": rest[1:], "later": later, "method": method_to_type(name)}
    command, *options = shlex.split(right or nearest(word, COMMANDS, commands)) or [name]
    parts["earlier"] = [word for word in rest if word != later]
    return _find_line(_COMMANDS, facts, parts) or [command, *rest, *options]


def _mend_option(slip: click.NoSuchOption, line: list[str], group: click.Group) -> list[str]:
    """Return a line with what stands for an option that the command does not have, and for its value."""
    name, at, options = slip.option_name, _place(slip, line), _options(group, line[0])
    before, own = line[1:at], line[at].removeprefix(name)
    after = [own, *line[at + 1 :]] if own else line[at + 1 :]
    value = after[0] if after and (not after[0].startswith("-") or after[0] == "-") else ""
    others = after[bool(value) :]
    right, *usual = _option_to_type(name, options, group.commands)
    plain, is_unknown = name.strip("-"), right == "UNKNOWN"
    flag, setting = method_to_type(plain), f"rounds:cp-sat.{plain}={value}"
    command = meaning(plain, COMMANDS, group.commands) if is_unknown and "problem" in options else ""
    elsewhere, is_path = [*shlex.split(command), *before, *after], _is_problem(value) or exists(value)
    example = _example(options[right], line) if right in options and not usual else ""
    kinds = {
        "SETTING": "_" in name and (is_unknown or right == "--method") and accepts(choose, setting),
        "BY-METHOD": is_unknown and flag,
        "TWICE": (is_unknown and flag in line) or (usual and right in before),
        "ELSEWHERE": command[:1].isalpha() and isinstance(_first_slip(group, elsewhere), click.MissingParameter | None),
        "SPARE": right == "ARGUMENT" and not is_path and not _first_slip(group, [line[0], *before, *others]),
        "FLAG": getattr(options.get(right), "is_flag", False),
        "WITH-FILE": usual and right in ("--report", "--output"),
        "WITH-VALUE": usual,
        "EXAMPLE": example and example != options[right].metavar,
    }
    vacant = [f"{word}:{value}" if value and _is_problem(f"{word}:{value}") else word for word in before + others]
    value_kinds = (*_kinds(value), "HOLE" * (vacant != before + others))
    parts = _forms(value, line[0]) | {
        "command": line[0],
        "before": before,
        "others": others,
        "after": after,
        "right": right,
        "usual": usual,
        "vacant": vacant,
        "flag": flag,
        "setting": setting,
        "example": example,
        "suite": line[line.index("--suite") + 1 :][:1] if "--suite" in line else [],
        "elsewhere": elsewhere,
    }
    return _find_line(_OPTIONS, ((line[0], *options), (name, right, *usual, *_hold(kinds)), value_kinds), parts) or line


def _option_to_type(name: str, options: Iterable[str], commands: Container[str]) -> list[str]:
    """Return what an option means for a command with some options: one of them, maybe with its value."""
    table = {
        key: words for key, words in OPTIONS.items() if key.split()[0] in (*options, "ARGUMENT", "--help", "nothing")
    }
    is_command = not meaning(name, table) and name.strip("-") in commands
    names = [option for option in options if option.startswith("-")]
    return shlex.split("" if is_command else nearest(name, table, names)) or ["UNKNOWN"]


def _mend_word(at: int, line: list[str], options: Iterable[str], place: str = "") -> list[str]:
    """Return a line with a word that has no place where it stands in the place where it belongs."""
    word, before, after = line[at], line[1:at], line[at + 1 :]
    if line[at - 2] in ("--goal", "--start", "--after") and (re.fullmatch(r"[a-z]\w*\d", word) or are_jumps(word)):
        return [*line[: at - 1], f"{line[at - 1]} {word}", *after]
    end = next((place for place in range(at, len(line)) if line[place].startswith("-")), len(line))
    for begin, stop in product(range(1, at), () if place or "-" in word else range(end, at, -1)):  # english c1 f4
        if name := library.usual_problem(" ".join(line[begin:stop])):
            return [*line[:begin], name, *line[stop:]]
    key, _, value = word.partition("=")
    parts = _forms(word, line[0]) | {
        "command": line[0],
        "before": before,
        "earlier": before[:-1],
        "after": after,
        "setting": ["--vacancy" if key == "start" else f"--{key}", value],
    }
    kinds = {"SWITCH": meaning(f"--{word}", OPTIONS, options), "MISNAMED": parts["method"] != word}
    is_alone = all(other.startswith("-") or method_to_type(other) for other in before + after)
    places = {
        "LATER": before,
        "BESIDE": before + after,
        "ALONE": is_alone,
        "NO-METHOD": {"-m", "--method"}.isdisjoint(line),
    }
    return _find_line(_WORDS, ((line[0],), (*_kinds(word), *_hold(kinds)), (place, *_hold(places))), parts) or line


def _is_problem(text: str) -> bool:
    """Tell whether a word names a problem; standard input is left unread."""
    return text not in ("", "-") and accepts(lookup.problem, text)


def _has_input() -> bool:
    """Tell whether a pipe or a file is there to be read as standard input."""
    # Windows has no such file, and cannot ask a pipe
    return (Path("/dev/stdin").is_fifo() or isfile("/dev/stdin")) and bool(select([0], [], [], 0)[0])


def _with_argument(name: str, line: list[str]) -> list[str]:
    """Return the line with the argument that it lacks: the board of an option, standard input, or an example."""
    if "--board" in line[1:-1]:
        at = line.index("--board")
        return [line[0], line[at + 1], *line[1:at], *line[at + 2 :]]
    subject = "-" if _has_input() else "english" if name in ("problem", "problems", "board") else "FILE"
    examples = {"check": ["english", "solution.txt"], "mark": ["mine.py"]}
    return [line[0], *examples.get(line[0], [subject]), *line[1:]]


def _with_method(line: list[str]) -> list[str]:
    """Return the line with a method, as a word, a format or the name of the file to write says."""
    places = {"-o": "AS-TARGET", "--output": "AS-TARGET", "--objective": "AS-OBJECTIVE"}
    for at in range(1, len(line)):
        place = places.get(line[at - 1], "AS-VALUE" if line[at - 1].startswith("-") else "AS-ANY")
        if (mended := _mend_word(at, line, (), place)) != line:
            return mended
    return [*line, "-m", "pddl"] if line[0] == "export" else ["explain", *line[1:]]


def _with_folder(line: list[str]) -> list[str]:
    """Return the line with a folder to write to, where several files are written."""
    has_files = not {"pddl", "mzn-rounds"}.isdisjoint(line) or sum(map(library.is_name, line)) > 1
    are_several = {"export": has_files, "generate": "--count" in line}.get(line[0])
    if not are_several or not {"-h", "--help"}.isdisjoint(line):
        return line
    at = next((at for at, word in enumerate(line) if word in ("-o", "--output")), len(line))
    return [
        *line[:at],
        *(line[at : at + 1] or ["-o"]),
        splitext([*line[at + 1 : at + 2], "out"][0])[0],
        *line[at + 2 :],
    ]


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
