"""The commands that list what there is: ``boards``, ``problems``, ``models``, ``backends``."""

from __future__ import annotations

import click

from pegcp.cli import console


@click.command()
def boards() -> None:
    """The boards that ship with pegcp, and families by size."""
    from pegcp import library

    table = console.table("Boards", "name", ">holes", ">jumps", ">symmetries", "problem", "title")
    for name in library.board_names():
        board = library.board(name)
        table.add_row(
            name, str(len(board.holes)), str(len(board.jumps)), str(board.symmetries.order), board.default, board.title
        )
    families = console.table("Families", "name", "example", "title")
    for family in library.FAMILIES:
        families.add_row(family.form, family.example, family.title)
    console.show(table, families)


@click.command()
def problems() -> None:
    """The problems that ship with pegcp."""
    from pegcp import library
    from pegcp.names import problem

    table = console.table("Problems", "name", "board", ">pegs", "goal", "objective")
    for name in [*library.board_names(), *library.problem_names()]:
        found = problem(name)
        title = found.goal_text
        table.add_row(name, found.board.name, str(len(found.start)), title, found.objective.value)
    console.show(table)
    click.echo("BOARD:HOLE, BOARD:HOLE->HOLE, BOARD:HOLE->? and BOARD:HOLE! name more problems on every board.")


@click.command()
def models() -> None:
    """The methods: models with their backends, planners, and searches."""
    from pegcp.catalogue import bundled, option_text, plugins
    from pegcp.game.goal import GOAL_KINDS

    table = console.table("Methods", "name", "goals", "objectives", "what it is")
    for name, method in [*bundled().items(), *plugins().items()]:
        if isinstance(method, Exception):
            table.add_row(name, "", "", f"does not load: {type(method).__name__}: {method}")
            continue
        goals = "all" if method.goals == GOAL_KINDS else " ".join(sorted(method.goals))
        options = [f"{key}={option_text(value)}" for key, value in method.options.items()]
        details = f"backends: {' '.join(method.backends)}" if len(method.backends) > 1 else ""
        details += f"{'; ' if details and options else ''}{'options: ' + ' '.join(options) if options else ''}"
        besides = ", ".join(f"{goal} with {objective}" for goal, objective in sorted(method.without))
        details += f"{'; ' if details and besides else ''}{'not ' + besides if besides else ''}"
        about = method.summary + (f"\n  {details}" if details else "")
        table.add_row(name, goals, " ".join(sorted(method.objectives)), about)
    console.show(table)
    click.echo("A method is written NAME[:BACKEND][:OPTION=VALUE]..., such as moves:order=off.")


@click.command()
def backends() -> None:
    """The solvers and planners: version, or how to install what is missing."""
    from pegcp.backends import entries

    table = console.table("Backends", "name", "solver", "version", "exports", "how to install")
    for entry in entries():
        version = entry.version()
        table.add_row(
            entry.name, entry.title, version or "missing", " ".join(entry.formats), "" if version else entry.install
        )
    console.show(table)


COMMANDS = (boards, problems, models, backends)
