"""The command ``lab``: the course's comparison of hashing."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from pegcp.cli import completion
from pegcp.cli.console import print_json, show
from pegcp.cli.options import examples, find, json_option
from pegcp.cli.status import of_comparison
from pegcp.method import Limits, Run

if TYPE_CHECKING:
    from pegcp.comparison.table import Shown
    from pegcp.result import Result

METHODS = ("dfs-plain", "dfs-chained", "dfs-double")


@click.command(epilog=examples("pegcp lab board1.txt board2.txt", "pegcp lab fig5 fig7 fig8 --plain 1"))
@click.argument("problems", nargs=-1, required=True, shell_complete=completion.problems)
@click.option(
    "--plain",
    type=click.IntRange(min=0),
    default=2,
    show_default=True,
    metavar="N",
    help="How many boards, from the first, also go to the search without a table.",
)
@click.option("--time-limit", type=click.FloatRange(min=0.1), default=60.0, show_default=True, metavar="S")
@click.option(
    "--seed",
    type=click.IntRange(min=0),
    default=0,
    show_default=True,
    help="Shuffles the jumps; 0 leaves them in the board's order.",
)
@json_option
def lab(problems: tuple[str, ...], plain: int, time_limit: float, seed: int, as_json: bool) -> int:
    """Compare depth-first searches with and without hashing.

    Without a table of failed positions, with chained and with double hashing.

    PROBLEMS are files of peg numbers on the 7 x 7 grid, or any other problems. The first two go to all three searches.
    """
    from pegcp.catalogue.methods import choose
    from pegcp.comparison.table import results_table
    from pegcp.result import checked

    limits = Limits(time=time_limit, seed=seed)
    results = [  # one after the other in this process, so that the CPU times are theirs
        checked(problem, method, choose(method).run(problem, Run(limits)))
        for number, problem in enumerate([find(text) for text in problems])
        for method in METHODS
        if number < plain or method != "dfs-plain"
    ]
    if as_json:
        print_json([result.to_json() for result in results])
    else:
        show(results_table(results, shown=_columns(results)))
    return of_comparison(results)


def _columns(results: list[Result]) -> Shown:
    from pegcp.comparison.table import columns, statistic
    from pegcp.render.columns import Column

    name, search, _, verdict, *_ = columns(results, {})
    return (
        name,
        (Column("pegs", 2, right=True), lambda result: str(len(result.problem.start))),
        search,
        verdict,
        statistic("CPU s", "cpu_seconds", 0, 4),
        statistic("nodes", "nodes", 1),
        statistic("stored", "stored", 3),
        statistic("slots", "table_size", 5),
        statistic("load", "load_factor", 4, 2),
        statistic("probes", "probes", 6),
        statistic("collisions", "collisions", 3),
    )
