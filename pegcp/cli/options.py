"""Options that several commands share: the problem and its changes, limits, examples below the help.

``_PEGCP_COMPLETE=bash_source pegcp`` prints the shell code that completes names of problems and methods (also zsh and
fish).
"""

import os
import re
from collections.abc import Callable, Iterable
from functools import wraps
from pathlib import Path
from typing import Any

import click
from click.shell_completion import CompletionItem

from pegcp import library
from pegcp.formats.texts import is_path, read_text
from pegcp.game import SCHEMES, Objective, Problem
from pegcp.library import lookup
from pegcp.method import make_limits

Command = Callable[..., object]

# The options that change a problem, and those that say how a drawing or numbers are read
CHANGES = ("start", "after", "goal", "objective", "legend", "board", "numbering")
FILE = click.Path(path_type=Path)
TIME, MEMORY, THREADS = (
    "Stop after S seconds.",
    "Stop at MB megabytes of all processes; files in memory (/dev/shm, tmpfs) do not count.",
    "Threads of a solver.",
)


def complete_problems(_context: click.Context, _parameter: click.Parameter, typed: str) -> list[CompletionItem]:
    """Complete bundled problems, and a member of each family of boards."""
    return _completions(typed, [*library.all_problems(), *(family.example for family in library.FAMILIES)])


def complete_methods(_context: click.Context, _parameter: click.Parameter, typed: str) -> list[CompletionItem]:
    """Complete a method, or the last of a list with commas."""
    from pegcp.catalogue.registry import bundled

    before, comma, _ = typed.rpartition(",")
    return _completions(typed, (before + comma + name for name in bundled()))


def _completions(typed: str, names: Iterable[str]) -> list[CompletionItem]:
    """List the names that begin as typed, or let the shell complete files."""
    items = [CompletionItem(name) for name in names if name.startswith(typed)]
    return items or [CompletionItem(typed, type="file")]


problem_argument = click.argument("problem", shell_complete=complete_problems)


def problem_options(command: Command) -> Command:
    """Add the options that change a problem, and those that say how a drawing or numbers are read."""
    objectives = click.Choice([objective.value for objective in Objective])
    for option in (
        click.option(
            "--numbering",
            metavar="N",
            type=click.Choice(SCHEMES),
            help=f"How holes are numbered: {', '.join(SCHEMES)}.",
        ),
        click.option("--board", metavar="NAME", help="Board of a drawing, of bits or of numbers."),
        click.option("--legend", metavar="'S=M ...'", help="What signs mean: '*=peg O=vacancy .=outside'."),
        click.option("--objective", metavar="NAME", type=objectives, help=f"{', '.join(Objective)}."),
        click.option("--goal", metavar="GOAL", help='"one peg", "dead end", or last pegs: "d4", "d4 *" (others free).'),
        click.option("--after", metavar="JUMPS", help='Make these jumps first: "d2-d4 b3-d3".'),
        click.option("--start", metavar="HOLES", help='Pegs at the start: "d4 e4 f4" or "all but d4".'),
    ):
        command = option(command)
    return command


def read_problem(text: str, **changes: str | None) -> Problem:
    """Return the problem that a person means; say on standard error how a drawing or numbers were read."""
    problem = lookup.problem(text, **changes)
    if problem.read_as:
        click.echo(f"read as: {problem.read_as}", err=True)
    return problem


def solution_text(typed: str) -> str:
    """Return the text of a file of jumps, of standard input for ``-``, or jumps that were typed in its place."""
    are_jumps = re.search(r"\d.*[\s,>x-]|[\s,>x-].*\d", typed) and not is_path(typed)
    return typed if are_jumps and not os.path.exists(typed) else read_text(typed)


def given_problem(command: Command, default: str | None = None) -> Command:
    """Add the argument PROBLEM and the options that change it; the command gets one ``problem``, or an InputError."""

    @wraps(command)
    def with_problem(problem: str, **options: Any) -> Any:
        changes = {name: options.pop(name) for name in CHANGES}
        return command(problem=read_problem(problem, **changes), **options)

    optional: dict[str, Any] = {} if default is None else {"default": default}  # a default of None is one, too
    argument = click.argument("problem", **optional, shell_complete=complete_problems)
    return argument(problem_options(with_problem))


def time_option(seconds: float) -> Callable[[Command], Command]:
    """Add the option --time-limit, with a default."""
    return click.option("--time-limit", type=float, default=seconds, show_default=True, metavar="S", help=TIME)


seed_option = click.option("--seed", default=0, show_default=True, metavar="N", help="Random seed.")


def limit_options(
    time: int = 60,
    memory: int | None = None,
    *,
    unlimited: str = "3/4 of the machine",
    workers: bool = False,
    seed: bool = False,
) -> Callable[[Command], Command]:
    """Add the options --time-limit and --memory-limit, and more if asked for; the command gets one ``limits``.

    ``unlimited`` is shown as the default where ``memory`` is None.
    """
    default = unlimited if memory is None else True
    options: list[Callable[[Command], Any]] = [
        time_option(time),
        click.option("--memory-limit", type=float, default=memory, show_default=default, metavar="MB", help=MEMORY),
        *[click.option("--workers", default=2, show_default=True, metavar="N", help=THREADS)] * workers,
        *[seed_option] * seed,
    ]

    def decorated(command: Command) -> Command:
        @wraps(command)
        def limited(
            time_limit: float, memory_limit: float | None, workers: int = 2, seed: int = 0, **rest: object
        ) -> object:
            time, memory = min(time_limit, 2e6), memory_limit and min(memory_limit, 1e9)  # clocks take 23 days at most
            return command(limits=make_limits(time, memory, workers, seed), **rest)

        for option in reversed(options):
            limited = option(limited)
        return limited

    return decorated


def method_option(about: str, *, required: bool = False) -> Callable[[Command], Command]:
    """Add the option ``--method``: one method in its written form."""
    return click.option("--method", "-m", metavar="M", required=required, shell_complete=complete_methods, help=about)


def methods_option(about: str, *, required: bool = False) -> Callable[[Command], Command]:
    """Add the option ``--methods``: a list of methods."""
    return click.option(
        "--methods",
        "--method",
        "-m",
        required=required,
        metavar="A,B",
        multiple=True,
        callback=lambda _context, _parameter, texts: ",".join(texts) or None,
        shell_complete=complete_methods,
        help=about,
    )


json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON instead of text.")


force_option = click.option("--force", is_flag=True, help="Replace files that exist.")


def output_file(about: str) -> Callable[[Command], Command]:
    """Add the options ``--output``, a file, and ``--force``."""
    kind = click.Path(dir_okay=False, path_type=Path)
    output = click.option("--output", "-o", type=kind, metavar="FILE", help=about)
    return lambda command: output(force_option(command))


def output_folder(about: str = "Folder to write to.", *, required: bool = False) -> Callable[[Command], Command]:
    """Add the option ``--output``: a folder."""
    kind = click.Path(file_okay=False, path_type=Path)
    return click.option("--output", "-o", type=kind, metavar="DIR", help=about, required=required)


def examples(*lines: str) -> str:
    """Format the end of a command's help."""
    return "\b\nExamples:\n" + "\n".join(f"  {line}" for line in lines)
