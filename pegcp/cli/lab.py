"""The command ``lab``: the course's comparison of hashing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from pegcp.cli import completion
from pegcp.cli.console import print_json, show
from pegcp.cli.options import examples
from pegcp.cli.status import Exit

if TYPE_CHECKING:
    from pegcp.game.problem import Problem
    from pegcp.result import Result

METHODS = ("dfs-plain", "dfs-chained", "dfs-double")


def compare_hashing(problems: list[Problem], plain: int, time_limit: float, seed: int) -> list[list[Result]]:
    """Run the lesson's searches on each problem, one after the other in this process so that CPU times are theirs.

    The first ``plain`` problems go to all three searches, the others to the two with a table only.
    """
    from pegcp.catalogue.methods import choose
    from pegcp.method import Limits, Run
    from pegcp.result import checked

    limits = Limits(time=time_limit, seed=seed)
    return [
        [
            checked(problem, method, choose(method).run(problem, Run(limits)))
            for method in METHODS
            if number < plain or method != "dfs-plain"
        ]
        for number, problem in enumerate(problems)
    ]


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
@click.option("--json", "as_json", is_flag=True, help="Print a list of JSON objects.")
@click.pass_context
def lab(ctx: click.Context, problems: tuple[str, ...], plain: int, time_limit: float, seed: int, as_json: bool) -> None:
    """Compare depth-first searches with and without hashing.

    Without a table of failed positions, with chained and with double hashing.

    PROBLEMS are files of peg numbers on the 7 x 7 grid, or any other problems. The first two go to all three searches.
    """
    from pegcp.library.lookup import problem

    found = [problem(text) for text in problems]
    rows = compare_hashing(found, plain, time_limit, seed)
    if as_json:
        print_json([result.to_json() for results in rows for result in results])
    else:
        _print_comparison(rows)
    for results in rows:
        if len({result.status for result in results if result.answered}) > 1:
            click.echo(f"the searches disagree on {results[0].problem.name}", err=True)
            ctx.exit(Exit.WRONG_ANSWER)
        if any(result.reason == "INVALID_SOLUTION" for result in results):
            click.echo("a solution failed its check: " + "; ".join(r.message for r in results if r.message), err=True)
            ctx.exit(Exit.WRONG_ANSWER)


def _print_comparison(rows: list[list[Result]]) -> None:
    from pegcp.render.columns import Column, Listing

    found = Listing(
        "",
        Column("board"),
        Column("pegs", 2, right=True),
        Column("search"),
        Column("verdict"),
        Column("CPU s", right=True),
        Column("ratio", 1, right=True),
        Column("nodes", 1, right=True),
        Column("stored", 3, right=True),
        Column("slots", 5, right=True),
        Column("load", 4, right=True),
        Column("probes", 6, right=True),
        Column("collisions", 3, right=True),
    )
    for results in rows:
        fastest = min(result.statistics["cpu_seconds"] for result in results)
        for result in results:
            has: dict[str, Any] = {"table_size": "", "stored": "", "load_factor": "", "probes": "", "collisions": ""}
            has.update(result.statistics)
            found.add(
                result.problem.name,
                str(len(result.problem.start)),
                result.method,
                result.status.value if result.answered else f"{result.status} ({result.reason})",
                f"{has['cpu_seconds']:.4f}",
                f"{has['cpu_seconds'] / fastest:.1f}" if fastest else "",
                *(
                    _grouped(has[key])
                    for key in ("nodes", "stored", "table_size", "load_factor", "probes", "collisions")
                ),
            )
        found.end_section()
    show(found)


def _grouped(number: Any) -> str:
    return f"{number:,}" if isinstance(number, int) else str(number)
