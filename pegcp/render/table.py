"""Tables that fit the terminal by dropping empty columns, and then the least important ones."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import Console, ConsoleOptions, RenderResult
    from rich.text import Text

_GAP_CHARACTERS = 3  # characters between two columns
_NOTHING = ("", "-")


@dataclass(frozen=True)
class Column:
    """A column: its ``name``, whether it is aligned to the ``right``, and how it behaves in a narrow terminal.

    Columns of a low ``rank`` get room first; those of rank 0 are always shown. Text may be wrapped down to a width of
    ``prose`` characters; 0: never.
    """

    name: str
    rank: int = 0
    right: bool = False
    prose: int = 0


@dataclass(frozen=True)
class Table:
    """A table, which is laid out when it is printed: title, columns, rows of text, and a note on how to read it.

    ``""`` and ``"-"`` stand for nothing. ``styles`` has the style of each row that stands out, by its number.
    """

    title: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[str | Text, ...], ...]
    note: str = ""
    styles: Mapping[int, str] = field(default_factory=dict)

    @property
    def head(self) -> tuple[str, ...]:
        """The names of the columns."""
        return tuple(column.name for column in self.columns)

    def records(self) -> list[dict[str, int | str | None]]:
        """Return the rows for programs: by the names of the columns, with numbers as such and None for nothing."""
        return [
            {
                column.name: int(text) if column.right and text.isdecimal() else None if text in _NOTHING else text
                for column, text in zip(self.columns, map(str, cells), strict=True)
            }
            for cells in self.rows
        ]

    def transpose(self, corner: str) -> Table:
        """Return the table with its rows as columns, and another word in its corner."""
        (_, *names), *rows = zip(self.head, *self.rows, strict=True)
        columns = (Column(corner), *(Column(str(name), 1, right=True) for name in names))
        return Table(self.title, columns, tuple(rows), self.note)

    def filled_columns(self) -> list[int]:
        """List the columns that are not empty."""
        return [
            number
            for number, column in enumerate(self.columns)
            if column.rank == 0 or any(str(cells[number]) not in _NOTHING for cells in self.rows)
        ]

    def choose_columns(self, width: int) -> list[int]:
        """Choose the columns for a width, by rank while there is room."""
        columns: list[int] = []
        for number in sorted(self.filled_columns(), key=lambda number: self.columns[number].rank):
            if self.columns[number].rank == 0 or self._width([*columns, number]) <= width:
                columns.append(number)
        return sorted(columns)

    def _width(self, columns: Sequence[int]) -> int:
        """Add up the least widths of columns, with a blank on either side."""
        return sum(self._widths(number)[0] + _GAP_CHARACTERS for number in columns) - _GAP_CHARACTERS + 2

    def _widths(self, number: int) -> tuple[int, int]:
        """Measure the least width of a column, and that of its longest line."""
        from rich.cells import cell_len

        texts = [self.columns[number].name, *(str(cells[number]) for cells in self.rows)]
        widest = max(cell_len(line) for text in texts for line in text.split("\n"))
        return min(widest, self.columns[number].prose or widest), widest

    def markup(self) -> str:
        """Return the table with all its columns in HTML, which scrolls sideways where it is too wide."""
        columns = self.filled_columns()
        styles = {number: " style='text-align:right'" if self.columns[number].right else "" for number in columns}
        head = "".join(f"<th scope='col'{styles[n]}>{escape(self.columns[n].name)}</th>" for n in columns)
        rows = ("".join(f"<td{styles[n]}>{escape(str(cells[n]))}</td>" for n in columns) for cells in self.rows)
        body = "".join(f"<tr>{row}</tr>" for row in rows)
        top = (f"<caption>{escape(self.title)}</caption>" if self.title else "") + f"<thead><tr>{head}</tr></thead>"
        return f"<div style='overflow-x:auto'><table>{top}<tbody>{body}</tbody></table></div>"

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """Lay out the table; below it, name the hidden columns, and say how to read it."""
        from rich import box, table
        from rich.text import Text

        columns = self.choose_columns(options.max_width)
        grid = table.Table(
            title=Text(self.title) if self.title else None,
            title_justify="left",
            title_style="bold",
            box=box.SIMPLE_HEAD,
            pad_edge=False,
            padding=(0, 1),
        )
        room = options.max_width - self._width(columns)
        for number in columns:
            column, (least, widest) = self.columns[number], self._widths(number)
            width = min(widest, least + max(room, 0))
            room -= width - least
            grid.add_column(
                Text(column.name),
                justify="right" if column.right else "left",
                overflow="fold",
                no_wrap=room >= 0 and not column.prose,
                width=width if room >= 0 else None,
            )
        for row, cells in enumerate(self.rows):
            texts = (cells[number] for number in columns)
            grid.add_row(*(Text(t) if isinstance(t, str) else t for t in texts), style=self.styles.get(row))
        yield grid
        names = [self.columns[number].name for number in self.filled_columns() if number not in columns]
        hidden = f"Hidden columns (the terminal is too narrow): {', '.join(names)}" if names else ""
        yield from (Text(words, "dim") for words in (hidden, self.note and f"{self.note}\n") if words)


def figure(value: object, decimals: int | None = None) -> str:
    """Return a number for people; a dash for anything else."""
    if not isinstance(value, int | float):
        return "-"
    if decimals is not None:
        return f"{value:,.{decimals}f}"
    return f"{int(value):,}" if value == int(value) else f"{value:,g}"


def cost_figure(cost: float | None) -> str:
    """Return a cost for people: without decimals from 1,000, else with two or three."""
    return figure(cost, 0 if not cost or cost >= 1000 else 2 if cost >= 0.1 else 3)
