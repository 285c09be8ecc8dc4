"""The command ``graph``."""

from __future__ import annotations

from pathlib import Path

import click

from pegcp.cli.console import check_writable, write


@click.command()
@click.argument("problem")
@click.option("--symmetry/--no-symmetry", default=True, show_default=True, help="Count positions up to symmetry.")
@click.option("--time-limit", type=click.FloatRange(min=0.1), default=600.0, show_default=True, metavar="S")
@click.option(
    "--output",
    "-o",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Write the whole graph of a small board: .svg, .graphml or .json.",
)
@click.pass_context
def graph(ctx: click.Context, problem: str, symmetry: bool, time_limit: float, output: Path | None) -> None:
    """Count the positions that can be reached, level by level; write the graph of a small board."""
    from pegcp.method import Limits, Run
    from pegcp.names import problem as find
    from pegcp.states.graph import level_counts, shortest_path, state_graph, written

    wanted = find(problem)
    if output is not None:
        check_writable(output)
        whole = state_graph(wanted, symmetry)
        write(output, written(wanted, whole, output.suffix.removeprefix(".")))
        jumps = shortest_path(wanted, whole, symmetry)
        solution = "the goal is out of reach" if jumps is None else f"the goal is {len(jumps)} jumps away"
        click.echo(f"{len(whole):,} positions, {whole.size():,} edges; {solution}")
        return
    total = goals = 0
    click.echo(f"{'jumps':>5} {'positions':>12} {'goals':>9}")
    try:
        for jumps_made, (count, reached) in enumerate(level_counts(wanted, Run(Limits(time=time_limit)), symmetry)):
            click.echo(f"{jumps_made:>5} {count:>12,} {reached:>9,}")
            total, goals = total + count, goals + reached
    except TimeoutError:
        click.echo(f"time limit: {total:,} positions so far")
        ctx.exit(3)
    click.echo(f"{'total':>5} {total:>12,} {goals:>9,}")
