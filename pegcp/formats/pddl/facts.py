"""The facts of one PDDL problem file in pegcp's own words."""

from __future__ import annotations

import re

from pegcp.errors import InputError, suggestion
from pegcp.formats.pddl.domains import Domain
from pegcp.formats.pddl.syntax import Form, Node, Symbol
from pegcp.game.board import LONGEST_NAME, MOST_HOLES
from pegcp.game.goal import HEAVIEST

_TYPES = ("hole", "location", "object")


class Reader:
    """One file: its source for error messages, its domain, its objects."""

    domain: Domain

    def __init__(self, source: str) -> None:
        self.source = source
        self.holes: dict[str, Node] = {}

    def error(self, node: Node, message: str) -> InputError:
        """An error that says where in the file."""
        return InputError(message, source=self.source, line=node.line, column=node.column)

    def symbol(self, node: Node, what: str) -> str:
        """The text of a word. Raises InputError for a list."""
        if not isinstance(node, Symbol):
            raise self.error(node, f"expected {what}, found {node}")
        return node.text

    def objects(self, section: Form) -> None:
        """Declare the objects of their section: holes."""
        items = iter(section.items[1:])
        for item in items:
            name = self.symbol(item, "the name of an object")
            if name == "-":
                type_ = next(items, None)
                kind = "" if type_ is None else self.symbol(type_, "a type")
                if kind not in _TYPES:
                    told = f'objects of type "{kind}" are not understood; holes are of type {_TYPES[0]}'
                    raise self.error(item, told)
                continue
            if name in self.holes:
                raise self.error(item, f'object "{name}" is declared twice')
            if len(name) > LONGEST_NAME:
                raise self.error(item, f"names have at most {LONGEST_NAME} characters")
            if len(self.holes) == MOST_HOLES:
                raise self.error(item, f"a board has at most {MOST_HOLES:,} holes")
            self.holes[name] = item

    def fact(self, node: Node) -> tuple[str, tuple[str, ...]]:
        """A fact in pegcp's words. Raises InputError for an unknown predicate or object."""
        if not isinstance(node, Form) or not node.head:
            raise self.error(node, f"expected a fact, found {node}")
        own = {self.domain.shown(name): name for name in self.domain.predicates}
        known = {shown: self.domain.predicates[name] for shown, name in own.items()}
        if node.head not in known:
            hint = suggestion(node.head, known)
            raise self.error(node, f'"{node.head}" is not understood in the domain {self.domain.name}{hint}')
        holes = tuple(self.symbol(item, "an object") for item in node.items[1:])
        if len(holes) != known[node.head]:
            raise self.error(node, f"{node.head} takes {known[node.head]} objects, not {len(holes)}")
        for item in node.items[1:]:
            self.hole(item)
        return own[node.head], holes

    def hole(self, node: Node) -> str:
        """An object that has been declared."""
        name = self.symbol(node, "an object")
        if name not in self.holes:
            raise self.error(node, f'unknown object "{name}"{suggestion(name, self.holes)}')
        return name

    def number(self, node: Node) -> int:
        """A weight: a whole number."""
        text = self.symbol(node, "a number")
        if not re.fullmatch(r"\d{1,9}(\.0{0,9})?", text):
            raise self.error(node, f'"{text[:40]}" is not a whole number that a hole can weigh')
        number = int(text.partition(".")[0])
        if number > HEAVIEST:
            raise self.error(node, f"a hole weighs at most {HEAVIEST:,}")
        return number
