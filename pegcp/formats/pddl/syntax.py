"""The brackets of PDDL: text to nested lists that know where they stand."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from pegcp.errors import InputError

_TOKEN = re.compile(r"\(|\)|;[^\n]*|[^\s();]+")


_DEEPEST = 100  # brackets within brackets
_MOST = 1_000_000  # words and brackets


@dataclass(frozen=True, slots=True)
class Symbol:
    """A word, in small letters (PDDL does not distinguish them)."""

    text: str
    line: int
    column: int

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True, slots=True)
class Form:
    """A bracketed list."""

    items: tuple[Symbol | Form, ...]
    line: int
    column: int

    def __str__(self) -> str:
        # Deep nesting and long lists are cut: this is for messages.
        shown = [str(item) if isinstance(item, Symbol) else f"({item.head} ...)" for item in self.items[:6]]
        return f"({' '.join(shown)}{' ...' if len(self.items) > 6 else ''})"

    @property
    def head(self) -> str:
        """The first word, or nothing if the list does not begin with one."""
        return self.items[0].text if self.items and isinstance(self.items[0], Symbol) else ""


Node = Symbol | Form


def parse(text: str, source: str) -> list[Node]:
    """The top-level expressions. Raises InputError for brackets that do not match."""
    done: list[Node] = []
    open_: list[tuple[int, int, list[Node]]] = []
    line, line_start, position = 1, 0, 0
    for number, match in enumerate(_TOKEN.finditer(text)):
        breaks = text.count("\n", position, match.start())
        if breaks:
            line += breaks
            line_start = text.rfind("\n", position, match.start()) + 1
        position = match.start()
        column = position - line_start + 1
        token = match[0]
        if token.startswith(";"):
            continue
        if number >= _MOST or len(open_) > _DEEPEST:
            limit = f"more than {_MOST:,} words" if number >= _MOST else f"brackets more than {_DEEPEST} deep"
            raise InputError(f"{limit} are not read", source=source, line=line, column=column)
        if token == "(":
            open_.append((line, column, []))
            continue
        if token == ")":
            if not open_:
                raise InputError('a ")" too many', source=source, line=line, column=column)
            at_line, at_column, items = open_.pop()
            node: Node = Form(tuple(items), at_line, at_column)
        else:
            node = Symbol(token.lower(), line, column)
        (open_[-1][2] if open_ else done).append(node)
    if open_:
        at_line, at_column, _ = open_[-1]
        raise InputError('this "(" is never closed', source=source, line=at_line, column=at_column)
    return done


def typed(items: Iterable[Node]) -> list[tuple[Node, str]]:
    """The names of a list, each with its type; ``object`` for those that have none."""
    names: list[tuple[Node, str]] = []
    waiting: list[Node] = []
    words = iter(items)
    for word in words:
        if str(word) == "-":
            kind = str(next(words, ""))
            names += [(name, kind) for name in waiting]
            waiting = []
        else:
            waiting.append(word)
    return names + [(name, "object") for name in waiting]


def types(items: Iterable[Node]) -> dict[str, str]:
    """The types of a list by its names."""
    return {str(name): kind for name, kind in typed(items)}
