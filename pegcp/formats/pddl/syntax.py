"""Parse the brackets of PDDL to nested lists with their places in the text."""

from __future__ import annotations

import re
from bisect import bisect_right
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
        words = [str(item) if isinstance(item, Symbol) else f"({item.head} ...)" for item in self.items[:6]]
        return f"({' '.join(words)}{' ...' if len(self.items) > 6 else ''})"

    @property
    def head(self) -> str:
        """The first word, or nothing if the list does not begin with one."""
        return self.items[0].text if self.items and isinstance(self.items[0], Symbol) else ""


Node = Symbol | Form


def parse(text: str, source: str) -> list[Node]:
    """Read the top-level expressions. Raises InputError for brackets that do not match, and for limits exceeded."""
    lines = [0, *(match.end() for match in re.finditer("\n", text))]  # where they begin
    levels: list[list[Node]] = [[]]  # the items of the lists around the current word
    places: list[tuple[int, int]] = []  # and the places of their brackets
    for number, match in enumerate(_TOKEN.finditer(text)):
        token = match[0]
        line = bisect_right(lines, match.start())
        column = match.start() - lines[line - 1] + 1
        if number >= _MOST or len(places) > _DEEPEST:
            limit = f"more than {_MOST:,} words" if number >= _MOST else f"brackets more than {_DEEPEST} deep"
            raise InputError(f"{limit} are not supported", source=source, line=line, column=column)
        if token == "(":
            places.append((line, column))
            levels.append([])
        elif token == ")":
            if not places:
                raise InputError('a ")" without its "("', source=source, line=line, column=column)
            form = Form(tuple(levels.pop()), *places.pop())
            levels[-1].append(form)
        elif not token.startswith(";"):
            levels[-1].append(Symbol(token.lower(), line, column))
    if places:
        line, column = places[-1]
        raise InputError('this "(" is never closed', source=source, line=line, column=column)
    return levels[0]


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
