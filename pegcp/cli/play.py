"""The commands ``play``, ``next`` and ``graph``."""

import webbrowser
from collections.abc import Sequence
from pathlib import Path

import click

from pegcp.cli.console import Exit, print_answer, progress_line, write
from pegcp.cli.options import (
    examples,
    json_option,
    memory_option,
    problem_argument,
    problem_options,
    read_problem,
    time_option,
    with_limits,
    with_output,
    with_problem,
    workers_option,
)
from pegcp.game import Problem
from pegcp.method import Limits, Run, stopped


@click.command(epilog=examples("pegcp play english", "pegcp play triangle15 -o triangle.html"))
@with_problem(default="english")
@click.option("--browser/--no-browser", default=True, show_default=True, help="Open the page in the browser.")
@with_output("Write the page to FILE (.html), and do not open it.", ".html")
def play(problem: Problem, browser: bool, output: Path | None) -> None:
    """Play in the browser, with hints.

    The page is one file, which needs no server and no network. It is written into your cache folder, or to FILE.
    """
    from pegcp.play.page import cache_path, html

    page = html(problem)
    path = output or cache_path(page)
    write(path, page)
    if browser and output is None and not webbrowser.open(path.as_uri()):
        click.echo("no browser could be started; open the page yourself", err=True)


@click.command(epilog=examples("pegcp graph triangle15", "pegcp graph triangle10 -o graph.svg"))
@with_problem()
@click.option("--symmetry/--no-symmetry", default=True, show_default=True, help="Count positions up to symmetry.")
@with_limits(time_option(default=60), memory_option(show_default="none"), workers_option())
@with_output("Write the graph of positions of a small board: .svg, .graphml or .json.")
def graph(problem: Problem, symmetry: bool, limits: Limits, output: Path | None) -> int:
    """Count the reachable positions by number of jumps.

    With -o FILE: write the graph of positions instead, for small boards; that needs pegcp[graph].
    """
    from pegcp.states.graph import level_counts, shortest_path, state_graph, written

    if output is not None:
        positions = state_graph(problem, symmetry)
        write(output, written(problem, positions, output.suffix.removeprefix(".")))
        path = shortest_path(positions)
        distance = "the goal is out of reach" if path is None else f"the goal is {len(path) - 1} jumps away"
        click.echo(f"{len(positions):,} positions, {positions.size():,} edges; {distance}")
        return Exit.ANSWERED
    levels: list[Sequence[int]] = []
    click.echo(f"{'jumps':>5} {'positions':>13} {'goals':>9} {'dead ends':>11} {'one peg':>8}")
    try:
        for counts in level_counts(problem, Run(limits), symmetry):
            click.echo(_row(str(len(levels)), counts))
            levels.append(counts)
    except (TimeoutError, MemoryError) as error:
        click.echo(f"stopped at the {stopped(error).message}: {sum(counts[0] for counts in levels):,} positions so far")
        return Exit.NO_ANSWER
    click.echo(_row("total", [sum(column) for column in zip(*levels, strict=True)]))
    return Exit.ANSWERED


def _row(name: str, counts: Sequence[int]) -> str:
    """Return a line of the positions, goals, dead ends and single pegs of a level."""
    return "{:>5} {:>13,} {:>9,} {:>11,} {:>8,}".format(name, *counts)


@click.command(name="next", epilog=examples("pegcp next english", "pegcp next english --after 'd2-d4 b3-d3'"))
@problem_argument()
@problem_options
@with_limits(time_option(default=60), memory_option(default=4000), workers_option())
@json_option()
def next_(problem: str, after: str | None, limits: Limits, as_json: bool, **changes: str | None) -> int:
    """List the jumps that keep the goal in reach."""
    from pegcp.play.advice import find_next_jumps

    with progress_line(problem) as on_progress:
        jumps = find_next_jumps(read_problem(problem, **changes), after or "", Run(limits, report=on_progress))
    status = Exit.NO_ANSWER if jumps.solvable is None else Exit.ANSWERED
    return print_answer(jumps.to_json() if as_json else str(jumps), status)
