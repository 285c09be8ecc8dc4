"""The command ``solve``."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from pegcp.cli import completion
from pegcp.cli.console import aside, check_writable, print_json, write
from pegcp.cli.options import examples, given_problem, json_option, limit_options, output_file
from pegcp.cli.status import of_result
from pegcp.errors import InputError
from pegcp.method import Limits

if TYPE_CHECKING:
    from pegcp.game.board import Jump
    from pegcp.game.problem import Problem
    from pegcp.result import Result

Progress = Callable[[Mapping[str, Any]], None]


@click.command(
    epilog=examples("pegcp solve 'english:c1->d4' -m moves --time-limit 60", "pegcp solve english -o solution.svg")
)
@given_problem
@click.option(
    "--method",
    "-m",
    metavar="M",
    shell_complete=completion.methods,
    help='NAME[:BACKEND][:OPTION=VALUE]... or a model file; see "pegcp models".',
)
@limit_options(workers=True, seed=True)
@click.option("--hint", type=click.Path(path_type=Path), metavar="FILE", help="How a solution begins; for cp-sat.")
@click.option("--progress", is_flag=True, help="Print bounds and counts on the way, on standard error.")
@click.option("--log", is_flag=True, help="Print the solver's own log, on standard error.")
@output_file("Also write the answer to a file: .svg, .png, .gif, .html, .json, .txt.")
@click.option("--animate", is_flag=True, help="With -o FILE.svg: an animation in place of a filmstrip.")
@json_option
def solve(
    problem: Problem,
    method: str | None,
    limits: Limits,
    hint: Path | None,
    progress: bool,
    log: bool,
    output: Path | None,
    animate: bool,
    as_json: bool,
) -> int:
    """Solve a problem by one method, and check the answer."""
    from pegcp.comparison.runner import solve as run
    from pegcp.formats.solution import read_solution
    from pegcp.library.lookup import read_text

    if animate and output is None:
        raise InputError("--animate needs -o FILE.svg")
    if output is not None:
        from pegcp.report.solution import check_format

        check_format(output, animate=animate)
        check_writable(output)
    begun = [] if hint is None else read_solution(problem, read_text(hint), str(hint))
    with _progress(problem.name, progress, log) as on_progress:
        result = run(
            problem,
            method,
            time_limit=limits.time,
            memory_limit=limits.memory,
            workers=limits.workers,
            seed=limits.seed,
            hint=begun,
            log=log,
            on_progress=on_progress,
        )
    if as_json:
        print_json(result.to_json())
    else:
        click.echo(str(result))
    _tell_of_hint(result, begun)
    if output is not None:
        from pegcp.report.solution import solution_file

        write(output, solution_file(output, result, animate=animate), err=True)
    return of_result(result)


@contextmanager
def _progress(name: str, wanted: bool, log: bool) -> Iterator[Progress]:
    """Shows the reports of a run: one changing line on a terminal, or lines of figures and of the log."""
    if wanted or log or not sys.stderr.isatty():
        with aside(_lines(wanted)) as on_progress:
            yield on_progress
        return
    from rich.console import Console
    from rich.markup import escape
    from rich.progress import Progress as Bar
    from rich.progress import SpinnerColumn, TextColumn, TimeElapsedColumn

    columns = (SpinnerColumn("line"), TimeElapsedColumn(), TextColumn("{task.description}"))
    with Bar(*columns, console=Console(stderr=True), transient=True, refresh_per_second=4) as bar:
        task = bar.add_task(escape(f"{name}, Ctrl-C stops"))
        yield lambda report: bar.update(task, description=escape(", ".join([name, *_figures(report)])))


def _figures(report: Mapping[str, Any]) -> list[str]:
    return [
        f"{key.replace('_', ' ')} {value}" for key, value in _told(report).items() if isinstance(value, int | float)
    ]


def _told(report: Mapping[str, Any]) -> dict[str, Any]:
    """What people are told of a report: how far the search has come, not how long it took to get there."""
    return {key: value for key, value in report.items() if key != "jumps" and not key.endswith("_seconds")}


def _lines(wanted: bool) -> Progress:
    shown: dict[str, Any] = {}

    def show(progress: Mapping[str, Any]) -> None:
        if "log" in progress:
            click.echo(progress["log"], err=True)
            return
        figures = _told(progress)
        if wanted and figures and figures != shown:
            shown.update(figures)
            click.echo(", ".join(f"{key} {value}" for key, value in figures.items()), err=True)

    return show


def _tell_of_hint(result: Result, hint: list[Jump]) -> None:
    """Say when a solution was found that does not make the jumps of the hint."""
    left_out = Counter(hint) - Counter(result.jumps or ())
    if result.jumps is not None and left_out:
        from pegcp.game.board import jump_name

        names = " ".join(jump_name(result.problem.board, jump) for jump in left_out.elements())
        click.echo(f"The hint was not followed: the solution does not make {names}.", err=True)
