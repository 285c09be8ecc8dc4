"""The command ``solve``."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from pegcp.cli.console import counted, print_json
from pegcp.cli.options import find, limit_options, problem_options
from pegcp.cli.status import of_result
from pegcp.errors import InputError

if TYPE_CHECKING:
    from pegcp.result import Result


@click.command()
@click.argument("problem")
@problem_options
@click.option(
    "--method", "-m", metavar="M", help='NAME[:BACKEND][:OPTION=VALUE]... or a model file; see "pegcp models".'
)
@click.option("--planner-command", metavar="TEMPLATE", help='Any planner: "mine {domain} {problem} {plan}".')
@limit_options
@click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True)
@click.option("--hint", type=click.Path(path_type=Path), metavar="FILE", help="How a solution begins; for cp-sat.")
@click.option("--progress", is_flag=True, help="Print bounds and counts on the way, on standard error.")
@click.option("--log", is_flag=True, help="Print the solver's own log, on standard error.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def solve(
    problem: str,
    start: str | None,
    goal: str | None,
    objective: str | None,
    method: str | None,
    planner_command: str | None,
    time_limit: float,
    memory_limit: float | None,
    workers: int,
    seed: int,
    hint: Path | None,
    progress: bool,
    log: bool,
    as_json: bool,
) -> int:
    """Solve a problem by one method, and check the answer."""
    from pegcp.comparison.runner import solve as run
    from pegcp.formats.solution import read_solution
    from pegcp.names import read_text

    if planner_command is not None:
        if method is not None:
            raise InputError("--method and --planner-command: choose one")
        method = f"planner:command={planner_command}"
    wanted = find(problem, start, goal, objective)
    result = run(
        wanted,
        method,
        time_limit=time_limit,
        memory_limit=memory_limit,
        workers=workers,
        seed=seed,
        hint=() if hint is None else read_solution(wanted, read_text(hint), str(hint)),
        log=log,
        on_progress=_progress(progress),
    )
    if as_json:
        print_json(result.to_json())
    else:
        click.echo(_report(result))
    return of_result(result)


def _progress(wanted: bool) -> Callable[[Mapping[str, Any]], None]:
    """Prints what a run reports: lines of a log always, and if wanted figures whenever one has changed."""
    shown: dict[str, Any] = {}

    def show(progress: Mapping[str, Any]) -> None:
        if "log" in progress:
            click.echo(progress["log"], err=True)
            return
        figures = {key: value for key, value in progress.items() if key != "jumps"}
        if wanted and figures != shown:
            shown.update(figures)
            click.echo(", ".join(f"{key} {value}" for key, value in figures.items()), err=True)

    return show


def _report(result: Result) -> str:
    """A result for people: the verdict, the moves, where they lead, and the time."""
    from pegcp.game.picture import draw
    from pegcp.method import Reason

    problem, board = result.problem, result.problem.board
    head = f"{problem.name} by {result.method}: {result.status}"
    if result.reason is not Reason.COMPLETED:
        head += f" ({result.reason})"
    lines = [head]
    if result.replay is not None and result.jumps is not None:
        counts = f"{counted(len(result.jumps), 'jump')} in {counted(result.moves or 0, 'move')}"
        if result.objective is not None:
            counts += f"; {_value(result)}"
        lines.append(counts)
        paths = ((move[0].from_, *(jump.to for jump in move)) for move in result.replay.moves)
        lines += ["  " + "-".join(board.holes[hole] for hole in path) for path in paths]
        lines.append(draw(board, result.replay.positions[-1].mask))
    elif result.objective is not None:
        lines.append(_value(result))
    elif result.bound is not None:
        lines.append(f"{problem.objective} is at least {result.bound}")
    if result.certificate is not None:
        from pegcp.theory.certificates import explain as in_words

        lines.append(in_words(problem, result.certificate))
    lines += [result.caution, result.message]
    lines.append(_figures(result.statistics))
    return "\n".join(line for line in lines if line)


def _value(result: Result) -> str:
    """The value of the objective; of a count, with what was counted."""
    what = f" ({result.counted})" if result.counted else ""
    return f"{result.problem.objective} = {result.objective:,}{what}"


def _figures(statistics: Mapping[str, Any]) -> str:
    seconds = [
        f"{key} {statistics[f'{key}_seconds']:.2f} s"
        for key in ("build", "solve", "wall")
        if statistics.get(f"{key}_seconds") is not None
    ]
    memory = [f"{statistics['peak_memory_mb']:.0f} MB"] if "peak_memory_mb" in statistics else []
    return ", ".join(seconds + memory)
