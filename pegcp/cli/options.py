"""What several commands share: the problem and what changes it, limits, examples below the help.

``_PEGCP_COMPLETE=bash_source pegcp`` prints what completes names of problems and methods when Tab is pressed; zsh and
fish likewise.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import wraps
from pathlib import Path
from typing import Any

import click
from click.shell_completion import CompletionItem

from pegcp import library
from pegcp.game.goal import Objective
from pegcp.game.problem import Problem
from pegcp.library import lookup
from pegcp.method import Limits

Command = Callable[..., Any]

CHANGES = ("start", "after", "goal", "objective")  # of a problem, by its options


def complete_problems(_context: click.Context, _parameter: click.Parameter, typed: str) -> list[CompletionItem]:
    """Bundled problems, and a member of each family of boards."""
    return _offered(typed, [*library.all_problems(), *(family.example for family in library.FAMILIES)])


def complete_methods(_context: click.Context, _parameter: click.Parameter, typed: str) -> list[CompletionItem]:
    """Names of methods; of a list with commas the last."""
    from pegcp.catalogue.registry import bundled

    before, comma, _ = typed.rpartition(",")
    return _offered(typed, (before + comma + name for name in bundled()))


def _offered(typed: str, names: Iterable[str]) -> list[CompletionItem]:
    """What the shell offers: the names that begin so, else files."""
    found = [CompletionItem(name) for name in names if name.startswith(typed)]
    return found or [CompletionItem(typed, type="file")]


problem_argument = click.argument("problem", shell_complete=complete_problems)


def problem_options(command: Command) -> Command:
    """The options --start, --after, --goal and --objective, which change a problem."""
    for option in (
        click.option(
            "--objective",
            metavar="NAME",
            type=click.Choice([one.value for one in Objective]),
            help=", ".join(Objective) + ".",
        ),
        click.option("--goal", metavar="GOAL", help='"one peg", "dead end", or last pegs: "d4", "d4 *" (others free).'),
        click.option("--after", metavar="JUMPS", help='Jumps that have been made: "d2-d4 b3-d3".'),
        click.option("--start", metavar="HOLES", help='Pegs at the start: "d4 e4 f4" or "all but d4".'),
    ):
        command = option(command)
    return command


def given_problem(command: Command, default: str | None = None) -> Command:
    """Gives a command the argument PROBLEM and the options that change it, as one ``problem``. May raise InputError."""

    @wraps(command)
    def found(problem: str, **options: Any) -> Any:
        changes = {name: options.pop(name) for name in CHANGES}
        return command(problem=find(problem, **changes), **options)

    argument = (
        click.argument("problem", default=default, shell_complete=complete_problems) if default else problem_argument
    )
    return argument(problem_options(found))


def limit_options(
    time: float = 60.0,
    memory: float | None = None,
    *,
    most: str = "3/4 of the machine",
    workers: bool = False,
    seed: bool = False,
) -> Callable[[Command], Command]:
    """Gives a command the options --time-limit and --memory-limit, and more if wanted, as one ``limits``.

    ``most`` says what may be used where there is no default limit of memory.
    """
    among: dict[str, tuple[str, click.ParamType[Any], float | None, str, str | None]] = {
        "time": ("--time-limit", click.FloatRange(min=0.1), time, "S", None),
        "memory": ("--memory-limit", click.FloatRange(min=1), memory, "MB", None if memory else f"[default: {most}]"),
    }
    if workers:
        among["workers"] = ("--workers", click.IntRange(min=1), 2, "N", "Threads of a solver.")
    if seed:
        among["seed"] = ("--seed", click.IntRange(min=0), 0, "N", None)

    def decorated(command: Command) -> Command:
        @wraps(command)
        def limited(**options: Any) -> Any:
            given = {name: options.pop(name) for name in among}
            for name, largest in (("time", 2e6), ("memory", 1e9)):  # clocks take no more (23 days); nan is that, too
                given[name] = given[name] and min(largest, given[name])
            return command(limits=Limits(**given), **options)

        for name, (option, kind, default, metavar, about) in reversed(among.items()):
            limited = click.option(
                option, name, type=kind, default=default, show_default=default is not None, metavar=metavar, help=about
            )(limited)
        return limited

    return decorated


def method_option(about: str, *, required: bool = False) -> Callable[[Command], Command]:
    """The option ``--method``: one method in its written form."""
    return click.option("--method", "-m", metavar="M", required=required, shell_complete=complete_methods, help=about)


def methods_option(about: str) -> Callable[[Command], Command]:
    """The option ``--methods``: some of them."""
    return click.option("--methods", "-m", metavar="A,B", shell_complete=complete_methods, help=about)


json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON in place of text.")


force_option = click.option("--force", is_flag=True, help="Replace files that exist.")


def output_file(about: str) -> Callable[[Command], Command]:
    """The options ``--output``, a file, and ``--force``."""
    kind = click.Path(dir_okay=False, path_type=Path)
    output = click.option("--output", "-o", type=kind, metavar="FILE", help=about)
    return lambda command: output(force_option(command))


def output_folder(about: str = "Folder to write to.", *, required: bool = False) -> Callable[[Command], Command]:
    """The option ``--output``: a folder."""
    kind = click.Path(file_okay=False, path_type=Path)
    return click.option("--output", "-o", type=kind, metavar="DIR", help=about, required=required)


def find(text: str, **changes: str | None) -> Problem:
    """The problem of a command line, changed by its :func:`problem_options`. Raises InputError."""
    return lookup.problem(text, **changes)


def examples(*lines: str) -> str:
    """The end of a command's help."""
    return "\b\nExamples:\n" + "\n".join(f"  {line}" for line in lines)
