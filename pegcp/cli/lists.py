"""The commands that list what there is: ``boards``, ``problems``, ``models``, ``backends``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from pegcp.cli import completion
from pegcp.cli.console import show
from pegcp.cli.options import examples

if TYPE_CHECKING:
    from pegcp.method import Method


@click.command(epilog=examples("pegcp boards", "pegcp boards triangle15"))
@click.argument("name", required=False, shell_complete=completion.problems)
def boards(name: str | None) -> None:
    """The boards that ship with pegcp; or one board in full."""
    from pegcp import library
    from pegcp.render.columns import Column, Listing

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
    show(table, families)


def _show_board(name: str) -> None:
    """One board: the names of its holes, counts, and its own problem."""
    from pegcp.game.picture import labelled
    from pegcp.library import lookup
    from pegcp.render.show import aligned, board_rows

    board = lookup.board(name)
    rows = [*board_rows(board), ("problem", f'{lookup.own_problem(board)}; "pegcp show {name}" shows it')]
    click.echo(f"{labelled(board, board.holes)}\n\n{aligned(rows)}")


@click.command(epilog=examples("pegcp problems", "pegcp problems | grep fig"))
def problems() -> None:
    """The problems that ship with pegcp."""
    from pegcp import library
    from pegcp.library.lookup import problem
    from pegcp.render.columns import Column, Listing

    table = Listing(
        "Problems",
        Column("name"),
        Column("board", 2),
        Column("pegs", 1, right=True),
        Column("goal", prose=18),
        Column("objective", 1),
    )
    for name in library.all_problems():
        found = problem(name)
        table.add(name, found.board.name, str(len(found.start)), found.goal_text, found.objective.value)
    show(table, "BOARD:HOLE, BOARD:HOLE->HOLE, BOARD:HOLE->? and BOARD:HOLE! name more problems on every board.")


@click.command(epilog=examples("pegcp models", "pegcp models moves"))
@click.argument("name", required=False, shell_complete=completion.methods)
def models(name: str | None) -> None:
    """The methods: models, planners, searches; or one in full."""
    from pegcp.catalogue.methods import added, bundled, choose
    from pegcp.render.columns import Column, Listing

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
    show(
        table,
        "A method is written NAME[:BACKEND][:OPTION=VALUE]..., such as moves:order=off.",
        '"pegcp models NAME" shows its backends, its options, and the model itself.',
    )


def _goals(method: Method) -> str:
    from pegcp.game.goal import GOAL_KINDS

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
    from pegcp.backends import entries
    from pegcp.errors import how_to_install
    from pegcp.render.columns import Column, Listing

    table = Listing(
        "Backends",
        Column("name"),
        Column("solver", 1, prose=18),
        Column("version"),
        Column("licence", 1),
        Column("exports", 2),
        Column("package", prose=18),
    )
    for entry in entries():
        version = entry.version()
        how = "" if version else entry.package
        table.add(entry.name, entry.title, version or "missing", entry.licence, " ".join(entry.formats), how)
    show(table, f"What is missing is installed with: {how_to_install('PACKAGE')}")


COMMANDS = (boards, problems, models, backends)
