"""Options that several commands share: the problem and its changes, limits, examples below the help.

``_PEGCP_COMPLETE=bash_source pegcp`` prints the shell code that completes names of problems and methods (also zsh and
fish).
"""

import os
import re
import shlex
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial, reduce, wraps
from itertools import pairwise
from os.path import isfile
from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource
from click.shell_completion import CompletionItem

from pegcp import library
from pegcp.catalogue.choice import split
from pegcp.catalogue.methods import added, bundled, explain_name
from pegcp.catalogue.modelfile import SUFFIXES
from pegcp.cli.console import check_writable
from pegcp.formats import pddl
from pegcp.formats.files import is_path, read_text, read_toml
from pegcp.game import SCHEMES, Objective, Problem
from pegcp.habits import COMMANDS, NOUNS, SETS, meaning
from pegcp.library import lookup
from pegcp.method import Limits, make_limits
from pegcp.writing import check_ending

Command = Callable[..., object]
Decorator = Callable[[Command], Command]
Typed = str | tuple[str, ...] | None  # one word of a line, or several

# The options that change a problem, and those that say how a drawing or numbers are read
CHANGES = ("start", "after", "goal", "objective", "legend", "board", "numbering")
FILE = click.Path(path_type=Path)
_EXPERIMENT = re.compile(r"^(?:methods *=|\[\[runs\]\])", re.MULTILINE)  # in a file of TOML
_NO_METHODS = {"export": ("svg", "png", "html"), "solve": ("all",), "compare": ("all",)}  # which people type as one
_OF_SOLVERS = (".cnf", ".dzn", ".fzn", ".lp", ".mps", ".opb", ".smt2", ".wcnf")  # the endings of their files
THREADS = "Threads of a solver."


def complete_problems(_context: click.Context, _parameter: click.Parameter, typed: str) -> list[CompletionItem]:
    """Complete bundled problems, and a member of each family of boards."""
    return _completions(typed, [*library.all_problems(), *(family.example for family in library.FAMILIES)])


def complete_methods(_context: click.Context, _parameter: click.Parameter, typed: str) -> list[CompletionItem]:
    """Complete a method, or the last of a list with commas."""
    before, comma, _ = typed.rpartition(",")
    return _completions(typed, (before + comma + name for name in bundled()))


def _completions(typed: str, names: Iterable[str]) -> list[CompletionItem]:
    """List the names that begin as typed, or let the shell complete files."""
    return [CompletionItem(n) for n in names if n.startswith(typed)] or [CompletionItem(typed, type="file")]


def add_options(*options: Callable[[Command], Any]) -> Decorator:
    """Return a decorator that adds several options, which stand in this order in the help."""
    return lambda command: reduce(lambda inner, option: option(inner), reversed(options), command)


def _join_options(
    name: str, parts: Sequence[str], read: Callable[..., object], *options: Callable[[Command], Any]
) -> Decorator:
    """Return a decorator that adds options to a command. In place of the values of ``parts`` the command gets one of
    that name, which ``read`` makes of them."""

    def decorator(command: Command) -> Command:
        @wraps(command)
        def with_value(**values: Any) -> object:
            value = read(**{part: values.pop(part) for part in parts if part in values})
            return command(**{name: value}, **values)

        return add_options(*options)(with_value)

    return decorator


def method_to_type(word: str) -> str:
    """Return what to type after ``-m`` for a word that means a model file, a method, a solver or a language; nothing
    for others."""
    method = explain_name(word.partition("(")[0]).rpartition("type: -m ")[2]
    return word if word.endswith(SUFFIXES) or word == "pddl" else next(iter(shlex.split(method)), "")


class OtherWord(click.UsageError):
    """A word that does not fit its place, as a problem, a method or a set, but means something else."""

    def __init__(self, message: str, word: str, place: str = "") -> None:
        super().__init__(message)
        self.word, self.place = word, place


# What a word may be that is typed as a problem: how to tell, and what to say of it
OTHERS: dict[str, tuple[Callable[[str], object], str]] = {
    "FOOLS": (
        lambda word: word.startswith("fool") and not os.path.exists(word) and library.usual_problem(word),
        "is not a problem",
    ),
    "MODEL": (lambda word: word.endswith(SUFFIXES), "is a model file, not a problem"),
    "METHOD": (method_to_type, "is a method, not a problem"),
    "FOR-SOLVERS": (lambda word: word.endswith(_OF_SOLVERS), "is for a solver, and no problem"),
    "LIST": (lambda word: "," in word and all(map(library.is_name, word.split(","))), "names several problems"),
    "NOUN": (lambda word: meaning(word, COMMANDS, NOUNS) in NOUNS and not os.path.exists(word), "is not a problem"),
    "RANDOM": (lambda word: word == "random", "is not a problem"),
    "SET": (lambda word: meaning(word, SETS, library.set_names()), "is a set of problems"),
    "RESULTS": (
        lambda word: word.endswith((".json", ".jsonl")) and isfile(word) and '"fingerprint": "' in read_text(word),
        "has results, and is no problem",
    ),
    "EXPERIMENT": (
        lambda word: word.endswith(".toml") and isfile(word) and _EXPERIMENT.search(read_toml(Path(word))),
        "is an experiment, not a problem",
    ),
}


def _check_problems(context: click.Context, parameter: click.Parameter, typed: Typed) -> Typed:
    """Return problems as they were typed. Raises OtherWord, and MissingParameter if only their board was typed."""
    is_default = context.get_parameter_source(parameter.name or "") is ParameterSource.DEFAULT
    if is_default and context.params.get("board"):
        raise click.MissingParameter(ctx=context, param=parameter)
    words = [typed] if isinstance(typed, str) else typed or ()
    for word in (word for word in words if word not in library.all_problems()):
        if ":" in word and word.endswith(("-", "=")):
            lookup.problem(word)  # which says that a shell takes what follows
        for is_other, message in OTHERS.values():
            if is_other(word):
                raise OtherWord(f'"{word}" {message}', word, "AS-PROBLEM")
    for pair in pairwise(words):
        if pair[1].isdigit() and library.usual_problem(" ".join(pair)):
            raise OtherWord(f'"{" ".join(pair)}" is one word', pair[1])
    return typed


def check_set(_context: click.Context, _parameter: click.Parameter, name: str | None) -> str | None:
    """Return the name of a set as it was typed. Raises OtherWord for one that there is not."""
    if name is not None and name not in library.set_names():
        raise OtherWord(f'there is no set "{name}"', name, "AS-SET")
    return name


def check_methods(context: click.Context, _parameter: click.Parameter, typed: Typed) -> str | None:
    """Return methods as they were typed, as one list. Raises OtherWord for the name of a solver or a language."""
    texts = [typed] if isinstance(typed, str) else typed or ()
    for text in texts:
        names = split(text)
        if context.info_name in ("solve", "why") and len(texts) * len(names) > 1 and all(map(method_to_type, names)):
            raise OtherWord(f"{' and '.join([*texts])} are several methods", text, "AS-METHOD")
        for name in names:
            if method_of(name) != name or name in _NO_METHODS.get(str(context.info_name), ()):
                about = f'there is no method "{name.partition(":")[0]}"'
                raise OtherWord(f"{about}{'; without -m those of the tour run' * (name == 'all')}", text, "AS-METHOD")
    return ",".join(texts) or None


def method_of(name: str) -> str:
    """Return what to type for a method that may have options; the name itself where that is not known."""
    word = name.partition(":")[0]
    is_ours = word in bundled() or word in added() or method_to_type(word) == word
    return name if is_ours else method_to_type(word) or name


def problem_argument(name: str = "problem", **about: Any) -> Decorator:
    """Add an argument that names a problem, or several."""
    return click.argument(name, shell_complete=complete_problems, callback=_check_problems, **about)


problem_options = add_options(
    click.option("--start", metavar="HOLES", help='Pegs at the start: "d4 e4 f4" or "all but d4".'),
    click.option("--after", metavar="JUMPS", help='Make these jumps first: "d2-d4 b3-d3".'),
    click.option("--goal", metavar="GOAL", help='"one peg", "dead end", or last pegs: "d4", "d4 *" (others free).'),
    click.option(
        "--objective", metavar="NAME", type=click.Choice([*map(str, Objective)]), help=f"{', '.join(Objective)}."
    ),
    click.option("--legend", metavar="'S=M ...'", help="What signs mean: '*=peg O=vacancy .=outside'."),
    click.option("--board", metavar="NAME", help="Board of a drawing, of bits or of numbers."),
    click.option(
        "--numbering", metavar="N", type=click.Choice(SCHEMES), help=f"How holes are numbered: {', '.join(SCHEMES)}."
    ),
)


def find_problem(problem: str, **changes: str | None) -> Problem:
    """Return the problem that a person means (:func:`pegcp.problem`); say on standard error how it was read."""
    subject = lookup.problem(problem, **changes)
    if subject.read_as:
        click.echo(f"read as: {subject.read_as}", err=True)
    return subject


def with_problem(**about: Any) -> Decorator:
    """Add the argument PROBLEM, which may have a ``default``, and the options that change it.

    The command gets one ``problem``; what cannot be read is an InputError.
    """
    return _join_options("problem", ("problem", *CHANGES), find_problem, problem_argument(**about), problem_options)


def join_domain(words: Sequence[str]) -> list[str]:
    """Return the words of a line; a PDDL domain and its problem, in either order, are one word."""
    for at, pair in enumerate(pairwise(words)):
        is_value = at > 0 and words[at - 1] in ("-m", "--method", "--methods", "--domain")
        if not is_value and pddl.are_files(pair) and any(pddl.is_domain(Path(word)) for word in pair):
            return [*words[:at], " ".join(pair), *words[at + 2 :]]
    return [*words]


def are_jumps(typed: str) -> bool:
    """Tell whether jumps were typed, and not the name of a file."""
    looks_so = re.search(r"\d.*[\s,>x-]|[\s,>x-].*\d", typed) is not None
    return looks_so and not is_path(typed) and not os.path.exists(typed)


def read_solution_text(typed: str) -> str:
    """Return the text of a file of jumps, of standard input for ``-``, or jumps that were typed in its place."""
    return typed if are_jumps(typed) else read_text(typed)


class Quantity(click.types.FloatParamType):
    """A number, which may have a unit: ``90``, ``90s``, ``1.5m``, ``2GB``."""

    def __init__(self, units: Mapping[str, float]) -> None:
        self.units = units

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """Return the number in the first unit. Raises BadParameter."""
        unit = next((unit for unit in self.units if str(value).lower().endswith(unit)), "")
        return super().convert(value[: -len(unit)] if unit else value, param, ctx) * self.units.get(unit, 1)


SECONDS = Quantity({"ms": 0.001, "min": 60, "sec": 1, "m": 60, "s": 1, "h": 3600})
MEGABYTES = Quantity({"gb": 1000, "mb": 1, "g": 1000, "m": 1})


# Options in their usual form; a command adds what is its own, such as ``help`` or ``default``.
time_option = partial(
    click.option, "--time-limit", type=SECONDS, show_default=True, metavar="S", help="Stop after S seconds, or 5m."
)
memory_option = partial(
    click.option,
    "--memory-limit",
    type=MEGABYTES,
    show_default=True,
    metavar="MB",
    help="Stop at MB megabytes of all processes; files in memory (/dev/shm, tmpfs) do not count.",
)
workers_option = partial(click.option, "--workers", default=2, show_default=True, metavar="N", help=THREADS)
seed_option = partial(click.option, "--seed", default=0, show_default=True, metavar="N", help="Random seed.")
method_option = partial(
    click.option,
    "--method",
    "-m",
    metavar="M",
    multiple=True,
    callback=check_methods,
    shell_complete=complete_methods,
)
methods_option = partial(
    click.option,
    "--methods",
    "--method",
    "-m",
    metavar="A,B",
    multiple=True,
    callback=check_methods,
    shell_complete=complete_methods,
)
json_option = partial(click.option, "--json", "as_json", is_flag=True, help="Print JSON instead of text.")
force_option = partial(click.option, "--force", is_flag=True, help="Replace files that exist.")
output_folder = partial(
    click.option,
    "--output",
    "-o",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="DIR",
    help="Folder to write to.",
)


def with_limits(*options: Decorator) -> Decorator:
    """Add the option --time-limit and other limits; the command gets one ``limits``."""
    return _join_options("limits", ("time_limit", "memory_limit", "workers", "seed"), _read_limits, *options)


def _read_limits(time_limit: float, memory_limit: float | None = None, workers: int = 2, seed: int = 0) -> Limits:
    """Return limits, of 23 days at most, which clocks take."""
    return make_limits(min(time_limit, 2e6), memory_limit and min(memory_limit, 1e9), workers, seed)


def with_output(about: str, *endings: str, check: Callable[[Path], object] = Path, metavar: str = "FILE") -> Decorator:
    """Add the options ``--output`` and ``--force``; the command gets one ``output``: None, or a file that has one of
    some endings, passes a check and can be written. What does not is an InputError, before any work."""

    def writable(output: Path | None, force: bool) -> Path | None:
        if output is not None:
            if endings:
                check_ending(output, endings)
            check(output)
            check_writable(output, force=force)
        return output

    return _join_options(
        "output",
        ("output", "force"),
        writable,
        click.option("--output", "-o", type=click.Path(dir_okay=False, path_type=Path), metavar=metavar, help=about),
        force_option(),
    )


def examples(*lines: str) -> str:
    """Format the end of a command's help."""
    return "\b\nExamples:\n" + "\n".join(f"  {line}" for line in lines)
