"""Commands for the course work: the laboratory's comparison of hashing, made-to-order problems, state graphs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from pegcp.errors import InputError

if TYPE_CHECKING:
    from pegcp.game.problem import Problem
    from pegcp.result import Result

METHODS = ("dfs-plain", "dfs-chained", "dfs-double")
WRONG_ANSWER = 4


def compare_hashing(problems: list[Problem], plain: int, time_limit: float, seed: int) -> list[list[Result]]:
    """Run the lesson's searches on each problem, one after the other in this process so that CPU times are theirs.

    The first ``plain`` problems go to all three searches, the others to the two with a table only.
    """
    from pegcp.catalogue import choose
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


@click.command()
@click.argument("problems", nargs=-1, required=True)
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
    help="Draws the order of the jumps; 0 is the board's own order.",
)
@click.option("--json", "as_json", is_flag=True, help="Print a list of JSON objects.")
@click.pass_context
def lab(ctx: click.Context, problems: tuple[str, ...], plain: int, time_limit: float, seed: int, as_json: bool) -> None:
    """Compare depth-first search without a table, with chained and with double hashing.

    PROBLEMS are files of peg numbers on the 7 x 7 grid, or any other problems. The first two go to all three searches.
    """
    from pegcp.names import problem

    found = [problem(text) for text in problems]
    rows = compare_hashing(found, plain, time_limit, seed)
    if as_json:
        click.echo(json.dumps([result.to_json() for results in rows for result in results], ensure_ascii=False))
    else:
        _print_comparison(rows)
    for results in rows:
        if len({result.status for result in results if result.answered}) > 1:
            click.echo(f"the searches disagree on {results[0].problem.name}", err=True)
            ctx.exit(WRONG_ANSWER)
        if any(result.reason == "INVALID_SOLUTION" for result in results):
            click.echo("a solution failed its check: " + "; ".join(r.message for r in results if r.message), err=True)
            ctx.exit(WRONG_ANSWER)


def _print_comparison(rows: list[list[Result]]) -> None:
    from rich import box
    from rich.console import Console
    from rich.table import Table

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for column in (
        "board",
        "pegs",
        "search",
        "verdict",
        "CPU s",
        "ratio",
        "nodes",
        "stored",
        "slots",
        "load",
        "probes",
        "collisions",
    ):
        text = column in ("board", "search", "verdict")
        table.add_column(column, justify="left" if text else "right")
    for results in rows:
        fastest = min(result.statistics["cpu_seconds"] for result in results)
        for result in results:
            has: dict[str, Any] = {"table_size": "", "stored": "", "load_factor": "", "probes": "", "collisions": ""}
            has.update(result.statistics)
            table.add_row(
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
        table.add_section()
    console = Console(highlight=False, markup=False)
    if not console.is_terminal:
        console = Console(highlight=False, markup=False, width=160)
    console.print(table)


def _grouped(number: Any) -> str:
    return f"{number:,}" if isinstance(number, int) else str(number)


@click.command()
@click.argument("board")
@click.option("--pegs", type=int, required=True, help="Pegs of the start position.")
@click.option("--random", "scattered", is_flag=True, help="Pegs anywhere, solvable or not.")
@click.option("--finish", metavar="HOLE", help="Where the last peg of a solvable problem can be.")
@click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True)
@click.option(
    "--count", type=click.IntRange(min=1), default=1, show_default=True, help="Problems, of seeds SEED, SEED + 1, ..."
)
@click.option(
    "--numbers", is_flag=True, help="Write numbers of the 7 x 7 grid (English board) instead of problem files."
)
@click.option(
    "--output", "-o", type=click.Path(file_okay=False, path_type=Path), metavar="DIR", help="Folder to write to."
)
def generate(
    board: str,
    pegs: int,
    scattered: bool,
    finish: str | None,
    seed: int,
    count: int,
    numbers: bool,
    output: Path | None,
) -> None:
    """Make problems: solvable ones by playing backwards from one peg, or random ones."""
    from pegcp.formats.toml import problem_file
    from pegcp.library import generate as make
    from pegcp.names import board as find

    where = find(board)
    if scattered and finish is not None:
        raise InputError("--finish is for solvable problems, not for --random")
    if numbers and where != find("english"):
        raise InputError("--numbers is for the English board")
    if count > 1 and output is None and not numbers:
        raise InputError("several problem files to write: say where with -o DIR")
    for number in range(seed, seed + count):
        problem = make.scattered(where, pegs, number) if scattered else make.solvable(where, pegs, number, finish)
        text = grid_numbers(problem) if numbers else problem_file(problem)
        if output is None:
            click.echo(text, nl=False)
        else:
            _write(output / f"{problem.name}.{'txt' if numbers else 'toml'}", text)


def grid_numbers(problem: Problem) -> str:
    """The start position as the lab sheet writes it: numbers 7 * row + column on one line."""
    from pegcp.game.notation import hole_names

    names = hole_names(problem.board, "grid")
    return " ".join(name for i, name in enumerate(names) if problem.start.mask >> i & 1) + "\n"


def _write(path: Path, text: str) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise InputError(f"cannot write: {error.strerror}", source=str(path)) from None
    click.echo(path)


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
        whole = state_graph(wanted, symmetry)
        _write(output, written(wanted, whole, output.suffix.removeprefix(".")))
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


@click.command()
@click.argument("problem")
@click.option("--time-limit", type=click.FloatRange(min=0.1), default=60.0, show_default=True, metavar="S")
def budgets(problem: str, time_limit: float) -> None:
    """How often each jump can be made in any solution: one line for each class of jumps."""
    from pegcp.method import Limits, Run
    from pegcp.names import problem as find
    from pegcp.theory.budgets import budgets as find_budgets
    from pegcp.theory.budgets import by_name
    from pegcp.theory.equations import jump_classes

    wanted = find(problem)
    found = find_budgets(wanted, Run(Limits(time=time_limit)))
    if found is None:
        click.echo(f"{wanted.name} is infeasible: no numbers of jumps add up from the start to the goal")
        return
    classes = list(jump_classes(wanted).values())
    click.echo("from over to: at most how often (jumps alike by symmetry)")
    for first, (name, budget) in zip(dict.fromkeys(classes), by_name(wanted, found).items(), strict=True):
        click.echo(f"{name}: {budget} ({classes.count(first)})")


COMMANDS = (lab, generate, graph, budgets)
