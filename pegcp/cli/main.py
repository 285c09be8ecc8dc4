"""The command line. Exit status: 0 answered, 2 bad input or usage, 3 no answer within the limits, 4 a wrong answer."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from pegcp.cli.compare import compare, report
from pegcp.cli.lab import COMMANDS
from pegcp.errors import InputError, InvalidSolution, PegcpError, suggestion
from pegcp.version import __version__

if TYPE_CHECKING:
    from pegcp.game.problem import Problem
    from pegcp.result import Result

ANSWERED, BAD_INPUT, NO_ANSWER, WRONG_ANSWER, INTERRUPTED = 0, 2, 3, 4, 130


class _Group(click.Group):
    """Suggests the nearest command for an unknown one."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """As click does, with a hint."""
        name = args[0]
        if self.get_command(ctx, name) is None and not name.startswith("-"):
            ctx.fail(f'there is no command "{name}"{suggestion(name, self.list_commands(ctx))}')
        return super().resolve_command(ctx, args)

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        """In the order in which they are defined."""
        return list(self.commands)


@click.group(cls=_Group, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(__version__, prog_name="pegcp")
def cli() -> None:
    """Peg solitaire in every declarative form, side by side.

    PROBLEM is a bundled name (english, english:c1, english:c1->d4, french:c1->?, english:d4!, triangle15:a1->?), a line
    such as XoXX, or a file: a problem or board file (TOML), PDDL, or numbers on the 7 x 7 grid.
    """


def main() -> None:
    """Run the command line; errors become one line on standard error."""
    try:
        status = cli.main(standalone_mode=False)
    except click.exceptions.Abort:
        status = INTERRUPTED
    except KeyboardInterrupt:
        status = INTERRUPTED
    except click.ClickException as error:
        error.show()
        status = error.exit_code
    except PegcpError as error:
        click.echo(f"pegcp: {error}", err=True)
        status = BAD_INPUT
    except BrokenPipeError:
        sys.stderr.close()
        status = ANSWERED
    sys.exit(status if isinstance(status, int) else ANSWERED)


def _problem_options(command: Callable[..., Any]) -> Callable[..., Any]:
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


def _find(text: str, start: str | None, goal: str | None, objective: str | None) -> Problem:
    from pegcp.names import problem

    return problem(text, start=start, goal=goal, objective=objective)


def _table(title: str, *columns: str) -> Any:
    from rich import box
    from rich.table import Table

    table = Table(title=title, title_justify="left", title_style="bold", box=box.SIMPLE_HEAD, pad_edge=False)
    for column in columns:
        table.add_column(column.lstrip(">"), justify="right" if column.startswith(">") else "left", overflow="fold")
    return table


def _print(*tables: Any) -> None:
    from rich.console import Console

    console = Console(highlight=False, markup=False)
    if not console.is_terminal:
        console = Console(highlight=False, markup=False, width=160)
    for table in tables:
        console.print(table)


@cli.command()
def boards() -> None:
    """The boards that ship with pegcp, and families by size."""
    from pegcp import library

    table = _table("Boards", "name", ">holes", ">jumps", ">symmetries", "problem", "title")
    for name in library.board_names():
        board = library.board(name)
        table.add_row(
            name, str(len(board.holes)), str(len(board.jumps)), str(board.symmetries.order), board.default, board.title
        )
    families = _table("Families", "name", "example", "title")
    for family in library.FAMILIES:
        families.add_row(family.form, family.example, family.title)
    _print(table, families)


@cli.command()
def problems() -> None:
    """The problems that ship with pegcp."""
    from pegcp import library
    from pegcp.names import problem

    table = _table("Problems", "name", "board", ">pegs", "goal", "objective")
    for name in [*library.board_names(), *library.problem_names()]:
        found = problem(name)
        title = found.goal_text
        table.add_row(name, found.board.name, str(len(found.start)), title, found.objective.value)
    _print(table)
    click.echo("BOARD:HOLE, BOARD:HOLE->HOLE, BOARD:HOLE->? and BOARD:HOLE! name more problems on every board.")


@cli.command()
def models() -> None:
    """The methods: models with their backends, planners, and searches."""
    from pegcp.catalogue import bundled, plugins
    from pegcp.game.goal import GOAL_KINDS

    table = _table("Methods", "name", "goals", "objectives", "what it is")
    for name, method in [*bundled().items(), *plugins().items()]:
        if isinstance(method, Exception):
            table.add_row(name, "", "", f"does not load: {type(method).__name__}: {method}")
            continue
        goals = "all" if method.goals == GOAL_KINDS else " ".join(sorted(method.goals))
        options = [f"{key}={_written(value)}" for key, value in method.options.items()]
        details = f"backends: {' '.join(method.backends)}" if len(method.backends) > 1 else ""
        details += f"{'; ' if details and options else ''}{'options: ' + ' '.join(options) if options else ''}"
        about = method.summary + (f"\n  {details}" if details else "")
        table.add_row(name, goals, " ".join(sorted(method.objectives)), about)
    _print(table)
    click.echo("A method is written NAME[:BACKEND][:OPTION=VALUE]..., such as moves:order=off.")


def _written(value: object) -> str:
    return {True: "on", False: "off"}[value] if isinstance(value, bool) else str(value)


@cli.command()
def backends() -> None:
    """The solvers and planners: version, or how to install what is missing."""
    from pegcp.backends import entries

    table = _table("Backends", "name", "solver", "version", "exports", "how to install")
    for entry in entries():
        version = entry.version()
        table.add_row(
            entry.name, entry.title, version or "missing", " ".join(entry.formats), "" if version else entry.install
        )
    _print(table)


@cli.command()
@click.argument("problem")
@_problem_options
def show(problem: str, start: str | None, goal: str | None, objective: str | None) -> None:
    """A picture of a problem, its counts, symmetries, class and certificates."""
    from pegcp.render.show import show as describe

    click.echo(describe(_find(problem, start, goal, objective)))


def _limit_options(command: Callable[..., Any]) -> Callable[..., Any]:
    for option in reversed(
        (
            click.option("--time-limit", type=click.FloatRange(min=0.1), default=60.0, show_default=True, metavar="S"),
            click.option(
                "--memory-limit", type=click.FloatRange(min=1), metavar="MB", help="For all processes of a run."
            ),
            click.option(
                "--workers", type=click.IntRange(min=1), default=2, show_default=True, help="Threads of a solver."
            ),
        )
    ):
        command = option(command)
    return command


@cli.command()
@click.argument("problem")
@_problem_options
@click.option(
    "--method", "-m", metavar="M", help='NAME[:BACKEND][:OPTION=VALUE]... or a model file; see "pegcp models".'
)
@click.option("--planner-command", metavar="TEMPLATE", help='Any planner: "mine {domain} {problem} {plan}".')
@_limit_options
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
    wanted = _find(problem, start, goal, objective)
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
        click.echo(json.dumps(result.to_json(), ensure_ascii=False))
    else:
        click.echo(_report(result))
    return exit_status(result)


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


def exit_status(result: Result) -> int:
    """The exit status that a result stands for."""
    from pegcp.method import Reason

    if result.answered:
        return ANSWERED
    return {
        Reason.INVALID_SOLUTION: WRONG_ANSWER,
        Reason.UNSUPPORTED: BAD_INPUT,
        Reason.MISSING: BAD_INPUT,
        Reason.INTERRUPTED: INTERRUPTED,
    }.get(result.reason, NO_ANSWER)


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
        counts = f"{_count(len(result.jumps), 'jump')} in {_count(result.moves or 0, 'move')}"
        if result.objective is not None:
            counts += f"; {problem.objective} = {result.objective:,}"
        lines.append(counts)
        paths = ((move[0].from_, *(jump.to for jump in move)) for move in result.replay.moves)
        lines += ["  " + "-".join(board.holes[hole] for hole in path) for path in paths]
        lines.append(draw(board, result.replay.positions[-1].mask))
    elif result.bound is not None:
        lines.append(f"{problem.objective} is at least {result.bound}")
    if result.certificate is not None:
        from pegcp.theory.certificates import explain as in_words

        lines.append(in_words(problem, result.certificate))
    if result.message:
        lines.append(result.message)
    lines.append(_figures(result.statistics))
    return "\n".join(line for line in lines if line)


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"


def _figures(statistics: Mapping[str, Any]) -> str:
    seconds = [
        f"{key} {statistics[f'{key}_seconds']:.2f} s"
        for key in ("build", "solve", "wall")
        if statistics.get(f"{key}_seconds") is not None
    ]
    memory = [f"{statistics['peak_memory_mb']:.0f} MB"] if "peak_memory_mb" in statistics else []
    return ", ".join(seconds + memory)


def _each(text: str) -> list[str]:
    """The problems that ``BOARD:*`` stands for: one for every hole."""
    name, colon, rest = text.rpartition(":")
    if not (colon and rest.startswith("*")):
        return [text]
    from pegcp import names

    return [f"{name}:{hole}{rest[1:]}" for hole in names.board(name).holes]


@cli.command()
@click.argument("problems", nargs=-1, required=True, metavar="PROBLEM...")
@_problem_options
@click.option("--method", "-m", required=True, metavar="M", help="pddl, or a method whose backend has a file format.")
@click.option("--format", "-f", "format_", metavar="F", help='A format of the backend; see "pegcp backends".')
@click.option(
    "--output", "-o", type=click.Path(file_okay=False, path_type=Path), metavar="DIR", help="Folder to write to."
)
def export(
    problems: tuple[str, ...],
    start: str | None,
    goal: str | None,
    objective: str | None,
    method: str,
    format_: str | None,
    output: Path | None,
) -> None:
    """Write a problem as a model file for external solvers.

    Several problems, or BOARD:* for one from every hole (also BOARD:*! and BOARD:*->?), make a numbered benchmark
    in PDDL.
    """
    from pegcp.export import export as compiled
    from pegcp.export import series

    found = [_find(text, start, goal, objective) for problem in problems for text in _each(problem)]
    files = compiled(found[0], method, format_) if len(found) == 1 else series(found, method, format_)
    if output is None:
        if len(files) > 1:
            raise InputError(f"{len(files)} files to write ({', '.join(files)}): say where with -o DIR")
        click.echo(next(iter(files.values())), nl=False)
        return
    try:
        output.mkdir(parents=True, exist_ok=True)
        for name, text in files.items():
            (output / name).parent.mkdir(exist_ok=True)
            (output / name).write_text(text, encoding="utf-8")
            click.echo(output / name)
    except OSError as error:
        raise InputError(f"cannot write: {error.strerror}", source=str(error.filename or output)) from None


@cli.command()
@click.argument("problem")
@click.argument("solution", type=click.Path(path_type=Path, allow_dash=True))
@_problem_options
@click.option(
    "--numbering", default="letters", show_default=True, help="letters, zero, one, grid, row-column or blocks."
)
def check(
    problem: str, solution: Path, start: str | None, goal: str | None, objective: str | None, numbering: str
) -> int:
    """Replay a solution or plan file; an impossible jump is named, with the reason."""
    from pegcp.formats.solution import read_solution
    from pegcp.game.check import check as replay
    from pegcp.names import read_text

    wanted = _find(problem, start, goal, objective)
    text = sys.stdin.read() if str(solution) == "-" else read_text(solution)
    jumps = read_solution(wanted, text, str(solution), numbering)
    try:
        found = replay(wanted, jumps)
    except InvalidSolution as error:
        click.echo(f"{solution} is not a solution of {wanted.name}: {error}")
        return WRONG_ANSWER
    click.echo(
        f"{solution} solves {wanted.name}: {_count(len(jumps), 'jump')} in "
        f"{_count(len(found.moves), 'move')} ({_count(found.sweeps, 'sweep')}); "
        f"the goal ({wanted.goal_text}) is reached"
    )
    return ANSWERED


@cli.command()
@click.argument("problem")
@_problem_options
def explain(problem: str, start: str | None, goal: str | None, objective: str | None) -> int:
    """Why a problem has no solution, when a certificate shows it."""
    from pegcp.theory import certificates

    wanted = _find(problem, start, goal, objective)
    certificate = certificates.find(wanted)
    if certificate is None:
        click.echo(f'No certificate found: {wanted.name} may have a solution; "pegcp solve" decides.')
        return NO_ANSWER
    click.echo(certificates.explain(wanted, certificate))
    return ANSWERED


@cli.command(name="import")
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--output", "-o", type=click.Path(dir_okay=False, path_type=Path), metavar="PROBLEM-FILE")
def import_(file: Path, output: Path | None) -> None:
    """Turn a PDDL problem into a problem file."""
    from pegcp.formats.pddl import read_problem
    from pegcp.formats.toml import problem_file
    from pegcp.names import read_text

    text = problem_file(read_problem(read_text(file), str(file), file.stem))
    if output is None:
        click.echo(text, nl=False)
        return
    try:
        output.write_text(text, encoding="utf-8")
    except OSError as error:
        raise InputError(f"cannot write: {error.strerror}", source=str(output)) from None
    click.echo(output)


cli.add_command(compare)
cli.add_command(report)
for command in COMMANDS:
    cli.add_command(command)

if __name__ == "__main__":
    main()
