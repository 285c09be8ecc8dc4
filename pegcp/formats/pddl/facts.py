"""The words of the PDDL domains that are understood, and the facts of one file in pegcp's own words."""

from __future__ import annotations

import re

from pegcp.errors import InputError, suggestion
from pegcp.formats.pddl.syntax import Form, Node, Symbol
from pegcp.game.board import LONGEST_NAME, MOST_HOLES
from pegcp.game.goal import HEAVIEST, Objective

_OWN = {"line": 3, "peg": 1, "vacant": 1}
_PLAIN = {"in-line": 3, "occupied": 1, "free": 1}
# The facts of each domain, with the number of holes they take.
DOMAINS: dict[str, dict[str, int]] = {
    "peg-jumps": _OWN,
    "peg-last-peg": {**_OWN, "hand-empty": 0, "holding": 0},
    "peg-fewest-moves": {**_OWN, "between-moves": 0, "on-its-way": 1, "hand-empty": 0, "holding": 0},
    "peg-fools": {**_OWN, "playing": 0, "stopped": 0, "blocked": 3},
    "pegsolitaire-sequential": {"in-line": 3, "occupied": 1, "free": 1, "move-ended": 0, "last-visited": 1},
    "peg-nearest": {
        **_OWN,
        "playing": 0,
        "stopped": 0,
        "settled": 1,
        "wanted-peg": 1,
        "wanted-vacant": 1,
        "turn": 1,
        "next": 2,
    },
    "peg-steps": {**_OWN, "hand-empty": 0, "holding": 0},
    "peg-parallel": {**_OWN, "hand-empty": 0, "holding": 0},
    "peg-derived": {**_OWN, "blocked": 3},
    "pegsolitaire-invasion": _PLAIN,
    "pegsolitaire-netbenefit": _PLAIN,
    "pegsolitaire-temporal": _PLAIN,
}
# The objective that the metric of a domain means, and what it minimises.
METRICS = {
    "peg-jumps": (Objective.FEWEST_JUMPS, "(total-cost)"),
    "peg-last-peg": (Objective.FEWEST_JUMPS, "(total-cost)"),
    "peg-fools": (Objective.FEWEST_JUMPS, "(total-cost)"),
    "peg-fewest-moves": (Objective.FEWEST_MOVES, "(total-cost)"),
    "pegsolitaire-sequential": (Objective.FEWEST_MOVES, "(total-cost)"),
    "peg-nearest": (Objective.NEAREST, "(total-cost)"),
    "peg-steps": (Objective.FEWEST_STEPS, "(total-time)"),
    "peg-parallel": (Objective.FEWEST_STEPS, "(total-cost)"),
    "peg-derived": (Objective.FEWEST_JUMPS, "(total-cost)"),
    "pegsolitaire-temporal": (Objective.FEWEST_STEPS, "(total-time)"),
}
# The competitions' words for the same facts.
SAME = {
    "in-line": "line",
    "occupied": "peg",
    "free": "vacant",
    "move-ended": "between-moves",
    "last-visited": "on-its-way",
}
_TYPES = ("hole", "location", "object")
Fact = tuple[str, tuple[str, ...]]


class Reader:
    """One file: its source for error messages, its domain, its objects."""

    def __init__(self, source: str) -> None:
        self.source = source
        self.domain = ""
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
        """Declare the objects of their section."""
        pending: list[Symbol] = []
        items = iter(section.items[1:])
        for item in items:
            name = self.symbol(item, "the name of an object")
            if name == "-":
                type_ = next(items, None)
                kind = "" if type_ is None else self.symbol(type_, "a type")
                if kind not in _TYPES:
                    raise self.error(
                        item, f'objects of type "{kind}" are not understood; holes are of type {_TYPES[0]}'
                    )
                self.declare(pending)
                pending = []
            else:
                assert isinstance(item, Symbol)
                pending.append(item)
        self.declare(pending)

    def declare(self, names: list[Symbol]) -> None:
        """Declare holes."""
        for name in names:
            if name.text in self.holes:
                raise self.error(name, f'object "{name}" is declared twice')
            if len(name.text) > LONGEST_NAME:
                raise self.error(name, f"names have at most {LONGEST_NAME} characters")
            self.holes[name.text] = name
            if len(self.holes) > MOST_HOLES:
                raise self.error(name, f"a board has at most {MOST_HOLES:,} holes")

    def fact(self, node: Node) -> Fact:
        """A fact in pegcp's words. Raises InputError for an unknown predicate or object."""
        if not isinstance(node, Form) or not node.head:
            raise self.error(node, f"expected a fact, found {node}")
        known = DOMAINS[self.domain]
        if node.head not in known:
            hint = suggestion(node.head, known)
            raise self.error(node, f'"{node.head}" is not understood in the domain {self.domain}{hint}')
        holes = tuple(self.symbol(item, "an object") for item in node.items[1:])
        if len(holes) != known[node.head]:
            raise self.error(node, f"{node.head} takes {known[node.head]} objects, not {len(holes)}")
        for item in node.items[1:]:
            self.hole(item)
        return SAME.get(node.head, node.head), holes

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
