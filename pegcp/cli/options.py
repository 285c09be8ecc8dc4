"""What several commands share: the problem and what changes it, limits, examples below the help."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from pegcp.cli import completion
from pegcp.game.goal import Objective

if TYPE_CHECKING:
    from pegcp.game.problem import Problem

Command = Callable[..., Any]

problem_argument = click.argument("problem", shell_complete=completion.problems)


def _together(*options: Callable[[Command], Command]) -> Callable[[Command], Command]:
    """Several options as one decorator."""

    def decorated(command: Command) -> Command:
        for option in reversed(options):
            command = option(command)
        return command

    return decorated


# --start, --after, --goal and --objective, which change a problem
problem_options = _together(
    click.option("--start", metavar="HOLES", help='Pegs at the start: "d4 e4 f4" or "all but d4".'),
    click.option("--after", metavar="JUMPS", help='Jumps that have been made: "d2-d4 b3-d3".'),
    click.option("--goal", metavar="GOAL", help='"one peg", "dead end", or last pegs: "d4", "d4 *" (others free).'),
    click.option("--objective", metavar="NAME", shell_complete=completion.objectives, help=", ".join(Objective) + "."),
)
# the limits of one run
limit_options = _together(
    click.option("--time-limit", type=click.FloatRange(min=0.1), default=60.0, show_default=True, metavar="S"),
    click.option(
        "--memory-limit",
        type=click.FloatRange(min=1),
        metavar="MB",
        help="For all processes of a run [3/4 of the machine].",
    ),
    click.option("--workers", type=click.IntRange(min=1), default=2, show_default=True, help="Threads of a solver."),
)


json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON in place of text.")


def output_file(about: str) -> Callable[[Command], Command]:
    """The option ``--output``: a file."""
    kind = click.Path(dir_okay=False, path_type=Path)
    return click.option("--output", "-o", type=kind, metavar="FILE", help=about)


def output_folder(about: str = "Folder to write to.", *, required: bool = False) -> Callable[[Command], Command]:
    """The option ``--output``: a folder."""
    kind = click.Path(file_okay=False, path_type=Path)
    return click.option("--output", "-o", type=kind, metavar="DIR", help=about, required=required)


def find(text: str, **changes: str | None) -> Problem:
    """The problem of a command line, changed by its :func:`problem_options`. Raises InputError."""
    from pegcp.library.lookup import problem

    return problem(text, **changes)


def examples(*lines: str) -> str:
    """The end of a command's help."""
    return "\b\nExamples:\n" + "\n".join(f"  {line}" for line in lines)
