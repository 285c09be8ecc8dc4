"""The commands that list boards, problems, methods and backends, or show a problem without solving it."""

from __future__ import annotations

import click

from pegcp import library
from pegcp.cli import console
from pegcp.cli.console import Exit
from pegcp.cli.limit import time_limit
from pegcp.cli.options import complete_methods, complete_problems, examples, given_problem, methods_option
from pegcp.errors import how_to_install
from pegcp.game.goal import GOAL_KINDS
from pegcp.game.picture import draw_labels
from pegcp.game.problem import Problem
from pegcp.library import lookup
from pegcp.method import Limits, Method, Run
from pegcp.render.columns import Column, Listing


@click.command(epilog=examples("pegcp boards", "pegcp boards triangle15"))
@click.argument("name", required=False, shell_complete=complete_problems)
def boards(name: str | None) -> None:
    """List the boards, or show one."""
    if name is not None:
        _show_board(name)
        return
    table = Listing(
        "Boards",
        Column("name"),
        Column("holes", right=True),
        Column("jumps", 2, right=True),
        Column("symmetries", 3, right=True),
        Column("problem", 1),
        Column("title", prose=18),
    )
    for shipped in library.board_names():
        board = library.board(shipped)
        sizes = (str(len(board.holes)), str(len(board.jumps)), str(board.symmetries.order))
        table.add(shipped, *sizes, board.default or "", board.title)
    families = Listing("Families", Column("name"), Column("example"), Column("title", prose=18))
    for family in library.FAMILIES:
        families.add(family.form, family.example, family.title)
    console.show(table, families)


def _show_board(name: str) -> None:
    """Show a board: the names of its holes, counts, and its default problem."""
    from pegcp.render.show import aligned, board_rows

    board = lookup.board(name)
    rows = [*board_rows(board), ("problem", f'{lookup.own_problem(board)} ("pegcp show {name}")')]
    click.echo(f"{draw_labels(board, board.holes)}\n\n{aligned(rows)}")


@click.command(epilog=examples("pegcp problems", "pegcp problems | grep fig"))
def problems() -> None:
    """List the named problems."""
    table = Listing(
        "Problems",
        Column("name"),
        Column("board", 2),
        Column("pegs", 1, right=True),
        Column("goal", prose=18),
        Column("objective", 1),
    )
    for name in library.all_problems():
        problem = lookup.problem(name)
        table.add(name, problem.board.name, str(len(problem.start)), problem.goal_text, problem.objective.value)
    console.show(
        table, "BOARD:HOLE, BOARD:HOLE->HOLE, BOARD:HOLE->? and BOARD:HOLE! name more problems on every board."
    )


@click.command(epilog=examples("pegcp models", "pegcp models moves"))
@click.argument("name", required=False, shell_complete=complete_methods)
def models(name: str | None) -> None:
    """List the methods (models, planners, searches), or show one."""
    from pegcp.catalogue.methods import choose
    from pegcp.catalogue.registry import added, bundled

    if name is not None:
        _show_method(choose(name).method)
        return
    table = Listing(
        "Methods",
        Column("name"),
        Column("description", prose=50),
        Column("goals", 1),
        Column("objectives", 2, prose=18),
    )
    for method_name, method in [*bundled().items(), *added().items()]:
        if isinstance(method, Exception):
            table.add(method_name, f"cannot be loaded: {type(method).__name__}: {method}", "", "")
        else:
            table.add(method_name, method.summary, _goals(method), " ".join(sorted(method.objectives)))
    console.show(
        table,
        "Write a method as NAME[:BACKEND][:OPTION=VALUE]..., such as moves:order=off.",
        '"pegcp models NAME" shows goals, objectives, backends, options, and the model itself.',
    )


def _goals(method: Method) -> str:
    return "all" if method.goals == GOAL_KINDS else " ".join(sorted(method.goals))


def _show_method(method: Method) -> None:
    """Show a method: its goals, objectives, backends, options, and its file."""
    from pegcp.catalogue.methods import option_text

    click.echo(f"{method.name}: {method.summary}\n")
    click.echo(f"goals       {_goals(method)}")
    click.echo(f"objectives  {' '.join(sorted(method.objectives))}")
    if method.without:
        excluded = ", ".join(f"{goal} with {objective}" for goal, objective in sorted(method.without))
        click.echo(f"but not     {excluded}")
    if method.backends:
        click.echo(f"backends    {' '.join(method.backends)}")
    for number, (key, value) in enumerate(method.options.items()):
        choices = f"  ({', '.join(method.values(key))})" if method.values(key) else ""
        click.echo(f"{'options' if number == 0 else '':<12}{key}={option_text(value)}{choices}")
    for number, (name, value) in enumerate(method.parameters.items()):
        text = str(value).lower() if isinstance(value, bool) else value
        click.echo(f"{'parameters' if number == 0 else '':<12}{method.backends[0]}.{name}={text}")
    if method.path is not None:
        click.echo(f"file        {method.path}\n")
        click.echo(method.path.read_text(encoding="utf-8"), nl=False)


@click.command(epilog=examples("pegcp backends", "pegcp backends | grep missing"))
def backends() -> None:
    """List solvers and planners, and how to install missing ones."""
    from pegcp.backends import infos

    table = Listing(
        "Backends",
        Column("name"),
        Column("solver", 1, prose=18),
        Column("version"),
        Column("licence", 1),
        Column("exports", 2),
        Column("package", prose=18),
    )
    for info in infos():
        version = info.version()
        how = "" if version else info.package
        table.add(info.name, info.title, version or "missing", info.licence, " ".join(info.formats), how)
    console.show(table, f"To install a missing one: {how_to_install('PACKAGE')}")


@click.command(
    epilog=examples(
        "pegcp show english", "pegcp show 'english:c1->d4' --after \"c3-c1\"", "pegcp show english -m rounds,ip-rounds"
    )
)
@time_limit(60)
@given_problem
@methods_option("Show the sizes of these models, and their bounds at the root.")
def show(problem: Problem, time_limit: float, methods: str | None) -> int:
    """Show a problem: picture, counts, symmetries, certificate.

    With -m: the sizes of its models after building and after presolve, and the bound at the root. Nothing is solved.
    """
    from pegcp.render.show import describe

    if methods is None:
        click.echo(describe(problem))
        return Exit.ANSWERED
    from pegcp.comparison.model_sizes import looks, sizes_table

    sizes = looks(problem, methods, Limits(time=time_limit))
    console.show(sizes_table(sizes))
    return Exit.ANSWERED if any("variables" in result.statistics for result in sizes) else Exit.NO_ANSWER


@click.command(epilog=examples("pegcp explain 'english:c1->e5'", "pegcp explain army5"))
@time_limit(60)
@given_problem
def explain(problem: Problem, time_limit: float) -> int:
    """Explain why a problem has no solution, if a certificate shows it."""
    from pegcp.theory import certificates

    certificate = certificates.find(problem, cases=True, run=Run(Limits(time=time_limit)))
    if certificate is None:
        click.echo(f"No certificate found: {problem.name} may have a solution. Try: pegcp solve '{problem.name}'")
        return Exit.NO_ANSWER
    click.echo(certificates.explain(problem, certificate))
    return Exit.ANSWERED


COMMANDS = (boards, problems, models, backends, show, explain)
