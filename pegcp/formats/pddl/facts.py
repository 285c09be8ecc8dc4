"""The facts of one PDDL problem file in pegcp's own words; and its soft goal, a weighted preference for each hole."""

from __future__ import annotations

import re

from pegcp.errors import InputError, suggestion
from pegcp.formats.pddl.actions import HOLE_TYPES
from pegcp.formats.pddl.domains import Domain
from pegcp.formats.pddl.syntax import Form, Node, Symbol, typed
from pegcp.game.board import MOST_HOLES, check_hole_name
from pegcp.game.goal import HEAVIEST, Nearest


class Reader:
    """One problem file: its source for error messages, its domain, its holes with the places of their names."""

    domain: Domain

    def __init__(self, source: str) -> None:
        self.source = source
        self.holes: dict[str, Node] = {}

    def error(self, node: Node, message: str) -> InputError:
        """An error with the place of ``node`` in the file."""
        return InputError(message, source=self.source, line=node.line, column=node.column)

    def require(self, condition: bool, node: Node, message: str) -> None:
        """Raise an error about ``node`` if a condition does not hold."""
        if not condition:
            raise self.error(node, message)

    def symbol(self, node: Node, kind: str) -> str:
        """The text of a word. Raises InputError for a list."""
        if not isinstance(node, Symbol):
            raise self.error(node, f"expected {kind}, found {node}")
        return node.text

    def objects(self, section: Form) -> None:
        """Read the holes. Raises InputError for other types, two holes of a name, odd names, and too many holes."""
        for item, kind in typed(section.items[1:]):
            name = self.symbol(item, "the name of an object")
            self.require(
                kind in HOLE_TYPES, item, f'objects of type "{kind}" are not supported; holes are of type hole'
            )
            self.require(name not in self.holes, item, f'object "{name}" is declared twice')
            self.require(len(self.holes) < MOST_HOLES, item, f"a board has at most {MOST_HOLES:,} holes")
            try:
                check_hole_name(name.replace("-", "_"))
            except InputError as error:
                raise self.error(item, error.message) from None
            self.holes[name] = item

    def fact(self, node: Node) -> tuple[str, tuple[str, ...]]:
        """A fact in pegcp's words. Raises InputError for an unknown predicate or object."""
        if not isinstance(node, Form) or not node.head:
            raise self.error(node, f"expected a fact, found {node}")
        predicate = self.domain.own_words.get(node.head, node.head)
        size = self.domain.predicates.get(predicate)
        if size is None or self.domain.shown(predicate) != node.head:
            hint = suggestion(node.head, map(self.domain.shown, self.domain.predicates))
            raise self.error(node, f'the domain {self.domain.name} has no predicate "{node.head}"{hint}')
        self.require(len(node.items) == size + 1, node, f"{node.head} takes {size} objects, not {len(node.items) - 1}")
        return predicate, tuple(map(self.hole, node.items[1:]))

    def hole(self, node: Node) -> str:
        """The name of a declared object."""
        name = self.symbol(node, "an object")
        if name not in self.holes:
            raise self.error(node, f'unknown object "{name}"{suggestion(name, self.holes)}')
        return name

    def weight(self, node: Node) -> int:
        """A weight: an integer, perhaps written as ``3.0``."""
        text = self.symbol(node, "a number")
        fits = re.fullmatch(r"\d{1,9}(\.0{0,9})?", text) and int(text.partition(".")[0]) <= HEAVIEST
        self.require(bool(fits), node, f'the weight "{text[:40]}" is not an integer from 0 to {HEAVIEST:,}')
        return int(text.partition(".")[0])


def has_preferences(goal: Node) -> bool:
    """True if a goal has preferences."""
    parts = (goal, *goal.items) if isinstance(goal, Form) else ()
    return any(isinstance(part, Form) and part.head == "preference" for part in parts)


def read_preferences(
    reader: Reader, goal: Form, metric: Form | None, index: dict[str, int]
) -> tuple[Nearest, int | None]:
    """The soft goal of preferences such as ``(preference g7 (free pos-1-3))``, one for a hole; and N, if there is one.

    The metric is ``maximize (- N SUM)`` or ``minimize SUM``, where SUM adds up ``(* (is-violated g7) 10)`` and so on.
    Raises InputError, saying where, for anything else.
    """
    if metric is None:
        raise reader.error(goal, "preferences need a metric with their weights")
    targets: dict[str, tuple[int, bool]] = {}  # by the names of preferences
    for part in goal.items[1:] if goal.head == "and" else (goal,):
        match part:
            case Form(head="preference", items=(_, Symbol(text=name), fact)):
                predicate, holes = reader.fact(fact)
            case _:
                raise reader.error(part, f"expected a preference such as (preference NAME FACT), found {part}")
        reader.require(predicate in ("peg", "vacant"), part, f"{part} is not about a peg or a vacancy")
        second = name in targets or index[holes[0]] in (hole for hole, _ in targets.values())
        reader.require(not second, part, f"{part} is a second preference of that name or for that hole")
        targets[name] = index[holes[0]], predicate == "peg"
    weights = [0] * len(index)
    total, most = _sum(reader, metric)
    for violation, weight in _terms(reader, total):
        name = reader.symbol(violation, "the name of a preference")
        reader.require(name in targets, violation, f'there is no preference "{name}"')
        reader.require(not weights[targets[name][0]], violation, f'the metric has a second weight for "{name}"')
        weights[targets[name][0]] = weight
    return Nearest(sum(1 << hole for hole, peg in targets.values() if peg), tuple(weights)), most


def _sum(reader: Reader, metric: Form) -> tuple[Node, int | None]:
    """The sum that is to be small, and the number that it is taken from, if any."""
    match metric.items[1:]:
        case (Symbol(text="minimize"), total):
            return total, None
        case (Symbol(text="maximize"), Form(head="-", items=(_, constant, total))):
            return total, reader.weight(constant)
    raise reader.error(metric, "the metric of preferences must be (maximize (- NUMBER SUM)) or (minimize SUM)")


def _terms(reader: Reader, node: Node) -> list[tuple[Node, int]]:
    """The preferences of a sum, each with its weight."""
    match node:
        case Form(head="+", items=(_, *terms)):
            return [term for part in terms for term in _terms(reader, part)]
        case Form(head="is-violated", items=(_, name)):
            return [(name, 1)]
        case Form(head="*", items=(_, Form(head="is-violated", items=(_, name)), factor)):
            return [(name, reader.weight(factor))]
        case Form(head="*", items=(_, factor, Form(head="is-violated", items=(_, name)))):
            return [(name, reader.weight(factor))]
    raise reader.error(node, f"expected (* (is-violated NAME) NUMBER) in the metric, found {node}")
