"""The commands that look at what there is, and at one problem, without solving: ``boards``, ``problems``, ``models``,
``backends``, ``show``, ``explain``."""

from __future__ import annotations

import click

from pegcp import library
from pegcp.cli import console
from pegcp.cli.console import Exit
from pegcp.cli.limit import time_limit
from pegcp.cli.options import complete_methods, complete_problems, examples, given_problem, methods_option
from pegcp.errors import how_to_install
from pegcp.game.goal import GOAL_KINDS
from pegcp.game.picture import labelled
from pegcp.game.problem import Problem
from pegcp.library import lookup
from pegcp.method import Limits, Method, Run
from pegcp.render.columns import Column, Listing


@click.command(epilog=examples("pegcp boards", "pegcp boards triangle15"))
@click.argument("name", required=False, shell_complete=complete_problems)
def boards(name: str | None) -> None:
    """The boards that ship with pegcp; or one board in full."""
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
    """One board: the names of its holes, counts, and its own problem."""
    from pegcp.render.show import aligned, board_rows

    board = lookup.board(name)
    rows = [*board_rows(board), ("problem", f'{lookup.own_problem(board)}; "pegcp show {name}" shows it')]
    click.echo(f"{labelled(board, board.holes)}\n\n{aligned(rows)}")


@click.command(epilog=examples("pegcp problems", "pegcp problems | grep fig"))
def problems() -> None:
    """The problems that ship with pegcp."""
    table = Listing(
        "Problems",
        Column("name"),
        Column("board", 2),
        Column("pegs", 1, right=True),
        Column("goal", prose=18),
        Column("objective", 1),
    )
    for name in library.all_problems():
        found = lookup.problem(name)
        table.add(name, found.board.name, str(len(found.start)), found.goal_text, found.objective.value)
    console.show(
        table, "BOARD:HOLE, BOARD:HOLE->HOLE, BOARD:HOLE->? and BOARD:HOLE! name more problems on every board."
    )


@click.command(epilog=examples("pegcp models", "pegcp models moves"))
@click.argument("name", required=False, shell_complete=complete_methods)
def models(name: str | None) -> None:
    """The methods: models, planners, searches; or one in full."""
    from pegcp.catalogue.methods import choose
    from pegcp.catalogue.registry import added, bundled

    if name is not None:
        _show_method(choose(name).method)
        return
    table = Listing(
        "Methods", Column("name"), Column("goals", 2), Column("objectives", 1), Column("what it is", prose=18)
    )
    for known, method in [*bundled().items(), *added().items()]:
        if isinstance(method, Exception):
            table.add(known, "", "", f"does not load: {type(method).__name__}: {method}")
        else:
            table.add(known, _goals(method), " ".join(sorted(method.objectives)), method.summary)
    console.show(
        table,
        "A method is written NAME[:BACKEND][:OPTION=VALUE]..., such as moves:order=off.",
        '"pegcp models NAME" shows its backends, its options, and the model itself.',
    )


def _goals(method: Method) -> str:
    return "all" if method.goals == GOAL_KINDS else " ".join(sorted(method.goals))


def _show_method(method: Method) -> None:
    """One method: what it takes, its options, and its file."""
    from pegcp.catalogue.methods import option_text

    click.echo(f"{method.name}: {method.summary}\n")
    click.echo(f"goals       {_goals(method)}")
    click.echo(f"objectives  {' '.join(sorted(method.objectives))}")
    if method.without:
        besides = ", ".join(f"{goal} with {objective}" for goal, objective in sorted(method.without))
        click.echo(f"but not     {besides}")
    if method.backends:
        click.echo(f"backends    {' '.join(method.backends)}")
    for number, (key, value) in enumerate(method.options.items()):
        takes = method.values(key)
        among = f"  ({', '.join(takes)})" if takes else ""
        click.echo(f"{'options' if number == 0 else '':<12}{key}={option_text(value)}{among}")
    for number, (name, value) in enumerate(method.parameters.items()):
        text = str(value).lower() if isinstance(value, bool) else value
        click.echo(f"{'parameters' if number == 0 else '':<12}{method.backends[0]}.{name}={text}")
    if method.path is not None:
        click.echo(f"file        {method.path}\n")
        click.echo(method.path.read_text(encoding="utf-8"), nl=False)


@click.command(epilog=examples("pegcp backends", "pegcp backends | grep missing"))
def backends() -> None:
    """The solvers and planners, and how to install what is missing."""
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
    console.show(table, f"What is missing is installed with: {how_to_install('PACKAGE')}")


@click.command(
    epilog=examples(
        "pegcp show english", "pegcp show 'english:c1->d4' --after \"c3-c1\"", "pegcp show english -m rounds,ip-rounds"
    )
)
@time_limit(60)
@given_problem
@methods_option("Models: what their solvers make of the problem before they search.")
def show(problem: Problem, time_limit: float, methods: str | None) -> int:
    """A picture of a problem, its counts and certificates.

    With -m instead the sizes of its models, and what follows at the root; nothing is solved.
    """
    from pegcp.render.show import describe

    if methods is None:
        click.echo(describe(problem))
        return Exit.ANSWERED
    from pegcp.comparison.model_sizes import looks, sizes_table

    found = looks(problem, methods, Limits(time=time_limit))
    console.show(sizes_table(found))
    return Exit.ANSWERED if any("variables" in result.statistics for result in found) else Exit.NO_ANSWER


@click.command(epilog=examples("pegcp explain 'english:c1->e5'", "pegcp explain army5"))
@time_limit(60)
@given_problem
def explain(problem: Problem, time_limit: float) -> int:
    """Why a problem has no solution, when a certificate shows it."""
    from pegcp.theory import certificates

    certificate = certificates.find(problem, cases=True, run=Run(Limits(time=time_limit)))
    if certificate is None:
        click.echo(f'No certificate found: {problem.name} may have a solution; "pegcp solve" decides.')
        return Exit.NO_ANSWER
    click.echo(certificates.explain(problem, certificate))
    return Exit.ANSWERED


COMMANDS = (boards, problems, models, backends, show, explain)
