"""Options that several commands share."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from pegcp.game.problem import Problem


def problem_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """``--start``, ``--goal`` and ``--objective``, which change a problem."""
    for option in reversed(
        (
            click.option("--start", metavar="HOLES", help='Pegs at the start: "d4 e4 f4" or "all but d4".'),
            click.option(
                "--goal", metavar="GOAL", help='"one peg", "dead end", or last pegs: "d4", "d4 *" (others free).'
            ),
            click.option("--objective", metavar="NAME", help="any, fewest-jumps, fewest-moves or count."),
        )
    ):
        command = option(command)
    return command


def find(text: str, start: str | None, goal: str | None, objective: str | None) -> Problem:
    """The problem of a command line. Raises InputError."""
    from pegcp.names import problem

    return problem(text, start=start, goal=goal, objective=objective)


def limit_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """``--time-limit``, ``--memory-limit`` and ``--workers`` of one run."""
    for option in reversed(
        (
            click.option("--time-limit", type=click.FloatRange(min=0.1), default=60.0, show_default=True, metavar="S"),
            click.option(
                "--memory-limit",
                type=click.FloatRange(min=1),
                metavar="MB",
                help="For all processes of a run [3/4 of the machine].",
            ),
            click.option(
                "--workers", type=click.IntRange(min=1), default=2, show_default=True, help="Threads of a solver."
            ),
        )
    ):
        command = option(command)
    return command
