"""The facts of one PDDL problem file in pegcp's own words; and its soft goal, a weighted preference for each hole."""

from __future__ import annotations

import re

from pegcp.errors import InputError, suggestion
from pegcp.formats.pddl.actions import HOLE_TYPES
from pegcp.formats.pddl.domains import Domain
from pegcp.formats.pddl.recognition import RecognisedTask
from pegcp.formats.pddl.syntax import Form, Node, Symbol, typed
from pegcp.game.board import MOST_HOLES, check_hole_name
from pegcp.game.goal import HEAVIEST, Nearest


class Reader:
    """One problem file: its source for error messages, its domain, its holes with the places of their names.

    ``kinds`` are the types that holes may have. ``recognised`` is the task where its domain is none of pegcp's.
    ``has_costs``: whether some action costs something.
    """

    domain: Domain

    def __init__(self, source: str) -> None:
        self.source = source
        self.holes: dict[str, Node] = {}
        self.kinds: tuple[str, ...] = HOLE_TYPES
        self.recognised: RecognisedTask | None = None
        self.has_costs = True

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
        for item, kind in typed(section.items[1:]):
            name = self.symbol(item, "the name of an object")
            if kind not in self.kinds:
                raise self.error(
                    item, f'objects of type "{kind}" are not understood; holes are of type {self.kinds[0]}'
                )
            self.declare(name, item)

    def declare(self, name: str, node: Node) -> None:
        """Add a hole. Raises InputError for a second one of that name, an odd or long name, and too many holes."""
        if name in self.holes:
            raise self.error(node, f'object "{name}" is declared twice')
        try:
            check_hole_name(name.replace("-", "_"))
        except InputError as error:
            raise self.error(node, error.message) from None
        if len(self.holes) == MOST_HOLES:
            raise self.error(node, f"a board has at most {MOST_HOLES:,} holes")
        self.holes[name] = node

    def fact(self, node: Node) -> tuple[str, tuple[str, ...]]:
        """A fact in pegcp's words; the empty word for what a recognised task says beside the board.

        Raises InputError for an unknown predicate or object.
        """
        if not isinstance(node, Form) or not node.head:
            raise self.error(node, f"expected a fact, found {node}")
        if self.recognised is not None:
            return self._recognised_fact(self.recognised, node)
        kind = self.domain.own_words.get(node.head, node.head)
        takes = self.domain.predicates.get(kind)
        if takes is None or self.domain.shown(kind) != node.head:
            hint = suggestion(node.head, map(self.domain.shown, self.domain.predicates))
            raise self.error(node, f'"{node.head}" is not understood in the domain {self.domain.name}{hint}')
        names = tuple(self.symbol(item, "an object") for item in node.items[1:])
        if len(names) != takes:
            raise self.error(node, f"{node.head} takes {takes} objects, not {len(names)}")
        for item in node.items[1:]:
            self.hole(item)
        return kind, names

    def _recognised_fact(self, task: RecognisedTask, node: Form) -> tuple[str, tuple[str, ...]]:
        try:
            fact = task.read_fact((node.head, tuple(map(str, node.items[1:]))))
        except KeyError:
            raise self.error(node, f"{node}: there is no such hole") from None
        return ("", ()) if fact is None else fact

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


def has_preferences(goal: Node) -> bool:
    """Whether a goal has preferences."""
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
        raise reader.error(goal, "preferences without a metric: it says what each of them weighs")
    named: dict[str, tuple[int, bool]] = {}
    for part in goal.items[1:] if goal.head == "and" else (goal,):
        if not isinstance(part, Form) or part.head != "preference" or len(part.items) != 3:
            raise reader.error(part, f"{part} beside preferences is not understood; expected (preference NAME FACT)")
        name = reader.symbol(part.items[1], "the name of a preference")
        kind, holes = reader.fact(part.items[2])
        if kind not in ("peg", "vacant"):
            raise reader.error(part.items[2], f"{part.items[2]} is not understood in a preference")
        hole = index[holes[0]]
        if name in named or hole in (other for other, _ in named.values()):
            raise reader.error(part, f"{part} is a second preference of that name or for that hole")
        named[name] = hole, kind == "peg"
    weights = [0] * len(index)
    total, most = _sum(reader, metric)
    for violated, weight in _terms(reader, total):
        name = reader.symbol(violated, "the name of a preference")
        if name not in named:
            raise reader.error(violated, f'there is no preference "{name}"')
        if weights[named[name][0]]:
            raise reader.error(violated, f'"{name}" is weighed twice')
        weights[named[name][0]] = weight
    return Nearest(sum(1 << hole for hole, peg in named.values() if peg), tuple(weights)), most


def _sum(reader: Reader, metric: Form) -> tuple[Node, int | None]:
    """The sum that is to be small, and the number that it is taken from, if any."""
    match metric.items[1:]:
        case (direction, total) if str(direction) == "minimize":
            return total, None
        case (direction, Form(items=(_, constant, total)) as difference) if (
            str(direction) == "maximize" and difference.head == "-"
        ):
            return total, reader.number(constant)
    raise reader.error(metric, "the metric of preferences is understood as (maximize (- NUMBER SUM)) or (minimize SUM)")


def _terms(reader: Reader, node: Node) -> list[tuple[Node, int]]:
    """The preferences of a sum, each with its weight."""
    match node:
        case Form(head="+", items=(_, *terms)):
            return [found for term in terms for found in _terms(reader, term)]
        case Form(head="is-violated", items=(_, name)):
            return [(name, 1)]
        case Form(head="*", items=(_, one, other)):
            counted, factor = (one, other) if isinstance(one, Form) else (other, one)
            if isinstance(counted, Form) and counted.head == "is-violated" and len(counted.items) == 2:
                return [(counted.items[1], reader.number(factor))]
    raise reader.error(node, f"{node} is not understood in the metric; expected (* (is-violated NAME) NUMBER)")
