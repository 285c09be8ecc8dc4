"""What the commands print with, and where they write: one console, one shape of table, one way to write a file."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from pegcp.errors import InputError

if TYPE_CHECKING:
    from rich.console import Console, RenderableType
    from rich.table import Table

_WIDE = 160  # columns where there is no terminal


def console(*, markup: bool = False) -> Console:
    """The console of standard output: as wide as the terminal, or wide where there is none."""
    from rich.console import Console

    made = Console(highlight=False, markup=markup)
    return made if made.is_terminal else Console(highlight=False, markup=markup, width=_WIDE)


def table(title: str, *columns: str) -> Table:
    """An empty table; a column whose name begins with ``>`` is set to the right."""
    from rich import box
    from rich.table import Table

    made = Table(title=title or None, title_justify="left", title_style="bold", box=box.SIMPLE_HEAD, pad_edge=False)
    for column in columns:
        made.add_column(column.lstrip(">"), justify="right" if column.startswith(">") else "left", overflow="fold")
    return made


def show(*what: RenderableType) -> None:
    """Print tables and text."""
    out = console()
    for item in what:
        out.print(item)


def counted(number: int, noun: str) -> str:
    """A number with its noun."""
    return f"{number} {noun}{'' if number == 1 else 's'}"


def write(path: Path, text: str) -> None:
    """Write a file and say so; its folder is made. Raises InputError."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise InputError(f"cannot write: {error.strerror}", source=str(error.filename or path)) from None
    click.echo(path)
