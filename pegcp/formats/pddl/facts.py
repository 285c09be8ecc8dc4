"""The facts of one PDDL problem file in pegcp's own words; and its soft goal, a weighted preference for each hole."""

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from pegcp.errors import InputError, suggestion
from pegcp.formats.pddl.domains import Domain
from pegcp.formats.pddl.syntax import HOLE_TYPES, Node, feature, literals, typed
from pegcp.game import HEAVIEST, MOST_HOLES, Cell, Nearest, check_hole_name, column_letters

Facts = dict[str, dict[tuple[str, ...], Node]]  # by predicate and holes, with their places
_OPPOSITE = {"peg": "vacant", "vacant": "peg", "wanted-peg": "wanted-vacant", "wanted-vacant": "wanted-peg"}
_LETTERS = re.compile(r"([a-z]{1,2})([1-9]\d{0,2})")
_COLUMNS = {column_letters(column): column for column in range(26 * 27)}


@dataclass
class Reader:
    """One problem file: its domain, and its holes with the places of their names.

    ``functions`` are those of the domain's file: as no action may mention others than costs, their values mean nothing.
    ``zero`` is True if the start says that the cost begins at 0, ``weights`` are those that it gives to holes.
    """

    domain: Domain = field(init=False)
    holes: dict[str, Node] = field(default_factory=dict)
    functions: set[str] = field(default_factory=set)
    zero: bool = False
    weights: dict[str, int] = field(default_factory=dict)

    def objects(self, section: Node) -> None:
        """Read the holes. Raises InputError for other types, two holes of a name, odd names, and too many holes."""
        for item, kinds in typed(section.items[1:]):
            name = word(item, "the name of an object")
            item.require(
                {*kinds} <= {*HOLE_TYPES},
                f'objects of type "{" or ".join(kinds)}" are not supported; holes are of type hole',
            )
            item.require(name not in self.holes, f'object "{name}" is declared twice')
            item.require(len(self.holes) < MOST_HOLES, f"a board has at most {MOST_HOLES:,} holes")
            try:
                check_hole_name(name.replace("-", "_"))
            except InputError as error:
                raise item.error(error.message) from None
            self.holes[name] = item

    def fact(self, node: Node) -> tuple[str, tuple[str, ...]]:
        """Return a fact in pegcp's words. Raises InputError for an unknown predicate or object."""
        predicate = self.domain.own_words.get(node.head, node.head)
        size = self.domain.predicates.get(predicate)
        if size is None or self.domain.shown(predicate) != node.head:
            raise node.error(
                feature(node)
                or f'the domain {self.domain.name} has no predicate "{node.head}"'
                + suggestion(node.head, map(self.domain.shown, self.domain.predicates))
            )
        node.require(len(node.items) == size + 1, f"{node.head} takes {size} objects, not {len(node.items) - 1}")
        return predicate, tuple(map(self.hole, node.items[1:]))

    def literals(self, condition: Node) -> Iterator[tuple[Node, bool]]:
        """Yield the facts of a conjunction, each with True, or with False where it is negated.

        What is no conjunction comes as it is.
        """
        for node, holds, when, values in literals(condition, tuple(self.holes)):
            node.require(not when, f"(at {when} {node}) is a timed fact, which pegcp does not read")
            yield (_put(node, values) if values else node), holds

    def facts(self, parts: Iterable[tuple[Node, bool]], allowed: Collection[str], fault: str) -> Facts:
        """Return facts; those that are not peg or not vacant are their opposites. Raises InputError, saying where."""
        facts: Facts = defaultdict(dict)
        for node, holds in parts:
            predicate, holes = self.fact(node)
            predicate = predicate if holds else _OPPOSITE.get(predicate, "")
            node.require(predicate in allowed, f"{node} {fault}")
            node.require(
                holes not in facts[_OPPOSITE.get(predicate, "")],
                f"{' '.join(holes)} is given both with and without a peg",
            )
            facts[predicate][holes] = node
        return facts

    def start_facts(self, section: Node) -> Iterator[Node]:
        """Yield the facts that are true at the start; read the weights of holes, and set ``zero`` for a cost of 0.

        What is not stated is false, so a negation says nothing new. Raises InputError where it contradicts a fact.
        """
        truths: dict[str, bool] = {}  # of what is stated
        for node, holds in (literal for part in section.items[1:] for literal in self.literals(part)):
            match node:
                case Node(head="=", items=(_, Node(head="total-cost"), number)):
                    node.require(number_of(number) == 0, f"expected (= (total-cost) 0), found {node}")
                    self.zero = True
                case Node(head="=", items=(_, Node(head="weight", items=(_, hole)), number)) if (
                    self.holes and "settled" in self.domain.predicates
                ):
                    self.weights[self.hole(hole)] = weight_of(number)
                case Node(head="=", items=(_, Node(head=function), number)) if function in self.functions:
                    number.require(number_of(number) is not None, f"expected a number, found {number}")
                case _:
                    node.require(
                        truths.setdefault(" ".join(map(str, node.items)), holds) == holds,
                        f"{node} is there both with and without not",
                    )
                    if holds:
                        yield node

    def hole(self, node: Node) -> str:
        """Return the name of a declared object."""
        name = word(node, "an object")
        if name not in self.holes:
            raise node.error(f'unknown object "{name}"{suggestion(name, self.holes)}')
        return name


def cell_of(hole: str) -> Cell | None:
    """Return the cell of ``pos-ROW-COLUMN``, as the competitions name holes, or of ``d4``, letter = column."""
    if match := re.fullmatch(r"pos-(0|[1-9]\d{0,2})-(0|[1-9]\d{0,2})", hole):
        return int(match[1]), int(match[2])
    match = _LETTERS.fullmatch(hole)
    return (int(match[2]) - 1, _COLUMNS[match[1]]) if match else None


def word(node: Node, kind: str) -> str:
    """Return the text of a word. Raises InputError for a list."""
    node.require(node.text != "", f"expected {kind}, found {node}")
    return node.text


def weight_of(node: Node) -> int:
    """Return a weight: an integer, perhaps written as ``3.0``."""
    number = number_of(node)
    is_weight = number is not None and number <= HEAVIEST and number.is_integer()
    node.require(is_weight, f'the weight "{str(node)[:40]}" is not an integer from 0 to {HEAVIEST:,}')
    return int(number or 0)


def _put(node: Node, names: Mapping[str, str]) -> Node:
    """Return a condition with the names of objects in place of variables."""
    return replace(node, text=names.get(node.text, node.text), items=tuple(_put(item, names) for item in node.items))


def read_preferences(
    reader: Reader, goal: Node, metric: Node | None, index: dict[str, int]
) -> tuple[Nearest, int | None]:
    """Return the soft goal of preferences such as ``(preference g7 (free pos-1-3))``, one for a hole; and N, if there
    is one.

    The metric is ``maximize (- N SUM)`` or ``minimize SUM``, where SUM adds up ``(* (is-violated g7) 10)`` and so on.
    Raises InputError, saying where, for anything else.
    """
    if metric is None:
        raise goal.error("preferences need a metric with their weights")
    targets: dict[str, tuple[str, int]] = {}  # predicates and holes by the names of preferences
    for part, _ in reader.literals(goal):
        match part:
            case Node(head="preference", items=(_, Node(text=name), condition)) if name:
                facts = reader.facts(reader.literals(condition), ("peg", "vacant"), "is not about a peg or a vacancy")
            case _:
                raise part.error(f"expected a preference such as (preference NAME FACT), found {part}")
        part.require(sum(map(len, facts.values())) == 1, f"{part} is not about one hole")
        (target,) = ((predicate, index[hole]) for predicate, holes in facts.items() for (hole,) in holes)
        part.require(
            name not in targets and target[1] not in (hole for _, hole in targets.values()),
            f"{part} is a second preference of that name or for that hole",
        )
        targets[name] = target
    weights: dict[int, int] = {}
    terms, most = read_metric(metric)
    for violation, weight in terms:
        violation.require(
            violation.head == "is-violated" and len(violation.items) == 2,
            f"expected (* (is-violated NAME) NUMBER) in the metric, found {violation}",
        )
        name = word(violation.items[1], "the name of a preference")
        violation.require(name in targets, f'there is no preference "{name}"')
        hole = targets[name][1]
        violation.require(hole not in weights, f'the metric has a second weight for "{name}"')
        weights[hole] = weight
    pegs = sum(1 << hole for predicate, hole in targets.values() if predicate == "peg")
    return Nearest(pegs, tuple(weights.get(hole, 0) for hole in index.values())), most


def read_metric(metric: Node) -> tuple[list[tuple[Node, int]], int | None]:
    """Return the quantities whose sum a metric makes small, each with its weight; and the number that the sum is taken
    from, if any."""
    match metric.items[1:]:
        case (Node(text="minimize"), total):
            return _terms(total), None
        case (Node(text="maximize"), Node(head="-", items=(_, *constants, total))) if len(constants) < 2:
            return _terms(total), sum(map(weight_of, constants))
    raise metric.error("the metric must be (minimize QUANTITY) or (maximize (- NUMBER QUANTITY))")


def _terms(node: Node) -> list[tuple[Node, int]]:
    """Return the quantities that a quantity adds up, each with its weight."""
    match node:
        case Node(head="+", items=(_, *parts)):
            return [term for part in parts for term in _terms(part)]
        case Node(head="*", items=(_, *factors)) if len(factors) == 2:
            number, total = sorted(factors, key=lambda factor: factor.text == "")
            return _terms(total) if number_of(number) == 1 else [(total, weight_of(number))]
    return [] if number_of(node) == 0 else [(node, 1)]


def number_of(node: Node) -> float | None:
    """Return the number that a word is; None for what is no number."""
    return float(node.text) if re.fullmatch(r"\d{1,9}(\.\d{0,9})?", node.text) else None
