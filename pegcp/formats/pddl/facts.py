"""The facts of one PDDL problem file in pegcp's own words."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from pegcp.errors import InputError, suggestion
from pegcp.formats.pddl.domains import Domain
from pegcp.formats.pddl.syntax import Form, Node, Symbol
from pegcp.game.board import LONGEST_NAME, MOST_HOLES
from pegcp.game.goal import HEAVIEST
from pegcp.game.lattice import Cell

Line = tuple[str, str, str]
_TYPES = ("hole", "location", "object")
_GRID = re.compile(r"pos-(0|[1-9]\d{0,2})-(0|[1-9]\d{0,2})")


@dataclass(frozen=True)
class Start:
    """The start: lines, pegs, whether costs begin at 0; what is wanted of holes, and what they weigh."""

    lines: set[Line]
    pegs: set[str]
    cost: bool
    wanted: dict[str, bool] = field(default_factory=dict)
    weights: dict[str, int] = field(default_factory=dict)


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

    def start(self, section: Form) -> Start:
        """What the start says. Raises InputError where it is no start of a game."""
        lines: dict[Line, Node] = {}
        held: dict[str, str] = {}
        cost = False
        others: set[str] = set()
        wanted: dict[str, bool] = {}
        weights: dict[str, int] = {}
        for node in section.items[1:]:
            match node:
                case Form(head="=", items=(_, Form(head="weight", items=(_, weighed)), number)) if (
                    "settled" in self.domain.predicates
                ):
                    weights[self.hole(weighed)] = self.number(number)
                    continue
                case Form(head="="):
                    cost = self.costs_begin(node)
                    continue
            kind, holes = self.fact(node)
            if kind == "line":
                self._check_line(holes, node)
                lines[holes[0], holes[1], holes[2]] = node
            elif kind in ("peg", "vacant"):
                if held.get(holes[0], kind) != kind:
                    raise self.error(node, f"{holes[0]} is given both with and without a peg")
                held[holes[0]] = kind
            elif kind in ("wanted-peg", "wanted-vacant"):
                if wanted.setdefault(holes[0], kind == "wanted-peg") != (kind == "wanted-peg"):
                    raise self.error(node, f"{holes[0]} is wanted both with and without a peg")
            elif kind in ("between-moves", "hand-empty", "playing", "turn", "next"):
                others.add(kind)
            else:
                raise self.error(node, f"{node} is not understood at the start: play must not have begun")
        for name, place in self.holes.items():
            if name not in held:
                raise self.error(place, f"the start does not say whether {name} holds a peg")
        for needed in ("between-moves", "playing"):
            if needed in self.domain.predicates and needed not in others:
                shown = self.domain.shown(needed)
                raise self.error(section, f"without ({shown}) at the start no jump is ever possible")
        for (a, over, b), place in lines.items():
            if (b, over, a) not in lines:
                told = f"{a} {over} {b} is a line in one direction only; on a board pegs jump both ways"
                raise self.error(place, told)
        return Start(set(lines), {hole for hole, kind in held.items() if kind == "peg"}, cost, wanted, weights)

    def costs_begin(self, node: Form) -> bool:
        """That costs begin at 0. Raises InputError for any other number."""
        if [str(item) for item in node.items[1:]] != ["(total-cost)", "0"]:
            raise self.error(node, f"{node} is not understood; the only number is (= (total-cost) 0)")
        return True

    def _check_line(self, line: tuple[str, ...], place: Node) -> None:
        """See that a line has three holes; those that are named by their cells must be adjacent in a row."""
        if len(set(line)) < 3:
            raise self.error(place, f"{' '.join(line)} is not a line: a hole is there twice")
        cells = [cell for cell in map(grid_cell, line) if cell is not None]
        if len(cells) == 3:
            (ra, ca), (ro, co), (rb, cb) = cells
            if (ro - ra, co - ca) != (rb - ro, cb - co) or max(abs(ro - ra), abs(co - ca)) != 1:
                told = f"{' '.join(line)} is not a line of the board: the holes are not adjacent in a row"
                raise self.error(place, told)


def grid_cell(hole: str) -> Cell | None:
    """The cell of ``pos-ROW-COLUMN``, as the competitions name holes."""
    match = _GRID.fullmatch(hole)
    return (int(match[1]), int(match[2])) if match else None
