"""Parse the brackets of PDDL to nested lists with their places in the text; and the actions of domains, as in their
files, and on certain objects."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from pegcp.errors import InputError, suggestion

_TOKEN = re.compile(r"\(|\)|;[^\n]*|[^\s();]+")
Kinds = tuple[str, ...]  # the types that a name may have: two for ``(either hole location)``
OBJECT: Kinds = ("object",)
HOLE_TYPES = ("hole", "location", "object")
_MOST_BRACKETS = 100  # brackets within brackets
_MOST_TOKENS = 1_000_000  # words and brackets
# What PDDL calls the constructs that have no meaning here.
_FEATURES = {
    "or": "a disjunction",
    "imply": "an implication",
    "exists": "a quantifier",
    "forall": "a quantifier",
    "when": "a conditional effect",
    "preference": "a preference",
    "always": "a constraint on the way",
    "sometime": "a constraint on the way",
    "within": "a constraint on the way",
    "at-most-once": "a constraint on the way",
    ":constraints": "constraints on the way",
    ":derived": "a derived predicate",
    ":axiom": "a derived predicate",
    ":process": "a process of PDDL+",
    ":event": "an event of PDDL+",
    "at": "a timed fact",
    **dict.fromkeys(("=", "<", ">", "<=", ">=", "increase", "decrease", "assign", "+", "-", "*", "/"), "a number"),
}


@dataclass(frozen=True, slots=True)
class Place:
    """A place in a file. What differs in its place alone is equal."""

    source: str = field(compare=False)
    line: int = field(compare=False)
    column: int = field(compare=False)

    def error(self, message: str) -> InputError:
        """Return an error at this place."""
        return InputError(message, source=self.source, line=self.line, column=self.column)

    def require(self, condition: bool, message: str) -> None:
        """Raise an error at this place if a condition does not hold."""
        if not condition:
            raise self.error(message)


@dataclass(frozen=True, slots=True)
class Node(Place):
    """A word, in small letters (PDDL does not distinguish them), or a bracketed list, whose ``text`` is empty."""

    text: str
    items: tuple[Node, ...] = ()

    def __str__(self) -> str:
        # Deep nesting and long lists are cut: this is for messages.
        words = [item.text or f"({item.head} ...)" for item in self.items[:6]]
        return self.text or f"({' '.join(words)}{' ...' if len(self.items) > 6 else ''})"

    @property
    def head(self) -> str:
        """The first word of a list, or nothing if it does not begin with one."""
        return self.items[0].text if self.items else ""

    def with_words(self, *words: str) -> Node:
        """Return a list of words at this place."""
        return replace(self, text="", items=tuple(Node(self.source, self.line, self.column, word) for word in words))


# A fact in a condition or an effect, or its negation (False); the time of a durative action at which it counts; and the
# objects of variables of ``forall``.
Literal = tuple[Node, bool, str, Mapping[str, Any]]


def literals(
    node: Node | None, objects: Sequence[Any] = (), holds: bool = True, when: str = "", values: Mapping[str, Any] = {}
) -> Iterator[Literal]:
    """Yield the parts of conjunctions, also of those over all ``objects``; what is no conjunction comes as it is.

    The other arguments are those of the form around the node. Raises InputError for a part that begins with no word.
    """
    match node:
        case Node(head="and", items=(_, *parts)) if holds:
            for part in parts:
                yield from literals(part, objects, holds, when, values)
        case None | Node(text="", items=()) if holds:
            pass
        case Node(head="not", items=(_, part)):
            yield from literals(part, objects, not holds, when, values)
        case Node(head="at" | "over", items=(_, Node(text="start" | "end" | "all" as time), Node(text="") as part)):
            yield from literals(part, objects, holds, time, values)
        case Node(head="forall", items=(_, Node(head=variable) as kinds, part)) if (
            holds and objects and types(kinds.items) in [{variable: (kind,)} for kind in HOLE_TYPES]
        ):
            for item in objects:
                yield from literals(part, objects, holds, when, {**values, variable: item})
        case Node():
            node.require(node.head != "", f"expected a fact, found {node}")
            yield node, holds, when, values


def parse(text: str, source: str) -> list[Node]:
    """Read the top-level expressions. Raises InputError for brackets that do not match, and for limits exceeded."""
    # Some systems end a file with zeros or with Ctrl-Z.
    lines = re.sub("\r\n?", "\n", text.rstrip(" \t\r\n\0\x1a")).split("\n")
    tokens = ((row, match) for row, line in enumerate(lines, start=1) for match in _TOKEN.finditer(line))
    nodes: list[Node] = []
    levels = [(Place(source, 1, 1), nodes)]  # the lists around the current word, with the places of their brackets
    for number, (row, match) in enumerate(tokens):
        token, place = match[0], Place(source, row, match.start() + 1)
        place.require(number < _MOST_TOKENS, f"more than {_MOST_TOKENS:,} words are not supported")
        place.require(len(levels) <= _MOST_BRACKETS + 1, f"brackets more than {_MOST_BRACKETS} deep are not supported")
        if token == "(":
            levels.append((place, []))
        elif token == ")":
            place.require(len(levels) > 1, 'a ")" without its "("')
            opening, items = levels.pop()
            levels[-1][1].append(Node(source, opening.line, opening.column, "", tuple(items)))
        elif not token.startswith(";"):
            if odd := re.search(r"[\x00-\x1f\x7f\ud800-\udfff]", token):
                fault = "a byte that is not UTF-8 text" if odd[0] >= "\ud800" else "an invisible character"
                raise replace(place, column=place.column + odd.start()).error(fault)
            levels[-1][1].append(Node(source, row, place.column, token.lower()))
    levels[-1][0].require(len(levels) == 1, 'this "(" is never closed')
    return nodes


def feature(node: Node) -> str:
    """Return what PDDL calls a construct that pegcp does not read, such as "a disjunction"; empty for any other."""
    name = _FEATURES.get(node.head, "")
    return name and f"{node} is {name}, which pegcp does not read"


def typed(items: Iterable[Node]) -> list[tuple[Node, Kinds]]:
    """Return the names of a list, each with its types; ``object`` for those that have none."""
    names: list[tuple[Node, Kinds]] = []
    words, kinds = [*items], OBJECT
    while words:  # from the end: a type stands after its names
        word = words.pop()
        if str(word) == "-":
            kinds = ("",)  # no type stands after it
        elif words and str(words[-1]) == "-":
            words.pop()
            kinds = tuple(map(str, word.items[1:] if word.head == "either" else ())) or (str(word),)
        else:
            names.append((word, kinds))
    return names[::-1]


def types(items: Iterable[Node]) -> dict[str, Kinds]:
    """Return the types of a list by its names."""
    return {str(name): kinds for name, kinds in typed(items)}


# Actions --------------------------------------------------------------------------------------------------------------

Values = Mapping[str, Any]  # objects of parameters, by their names
Fact = tuple[str, tuple[Any, ...]]  # a predicate and its objects: numbers of holes, or names
_KEYS = {":parameters", ":precondition", ":condition", ":effect", ":duration"}
_NO_PREDICATES = ("and", "not", "or", "exists", "forall", "when", "imply", "assign", "decrease", "preference")


class GroundAction(NamedTuple):
    """An action on certain objects.

    ``wants`` must be true before and ``refuses`` false; ``takes`` is false afterwards and ``gives`` true. ``cost`` is a
    number, or the fact whose number is the cost, such as the weight of a hole.
    """

    wants: list[Fact]
    refuses: list[Fact]
    takes: list[Fact]
    gives: list[Fact]
    cost: int | Fact


def put(fact: Fact, values: Values) -> Fact:
    """Return a fact with objects in place of parameters."""
    return fact[0], tuple([values.get(word, word) for word in fact[1]])


@dataclass(frozen=True, eq=False)
class Action(Place):
    """An action as in its file; ``duration`` is empty for an action without one.

    ``words`` are pegcp's names for predicates that have other names in the file.
    """

    name: str
    parameters: Mapping[str, Kinds]  # with their types
    condition: Node | None
    effect: Node | None
    duration: str
    words: Mapping[str, str]

    def error(self, message: str, part: Node | None = None) -> InputError:
        """Return an error that names the action, with its place or that of a part."""
        text = f"action {self.name}: {message}"
        return part.error(text) if part else super().error(text)

    @property
    def numbers(self) -> Mapping[str, int]:
        """The numbers of the parameters, which are objects where only the form of the action is of interest."""
        return {name: number for number, name in enumerate(self.parameters)}

    def facts(
        self, node: Node | None, values: Values, everything: Sequence[Any] = ()
    ) -> Iterator[tuple[Fact, bool, str]]:
        """Yield the facts of the condition or the effect, costs left out, with ``values`` for parameters.

        Each comes with False where it is negated, and with the time of a durative action at which it counts.
        ``everything`` are the objects of ``forall``, which is not supported without them. Raises InputError for
        anything but conjunctions of literals.
        """
        for part, holds, when, items in literals(node, everything):
            if part.head in _NO_PREDICATES:
                raise self.error(feature(part) or f"{part} is not supported", part)
            if part.head != "increase":
                objects = self._values(part.items[1:], {**values, **items})
                yield (self.words.get(part.head, part.head), objects), holds, when

    def _values(self, words: Iterable[Node], values: Values) -> tuple[Any, ...]:
        for word in words:
            if not word.text or (word.text.startswith("?") and word.text not in values):
                fault = f"{word} is no parameter{suggestion(word.text, self.parameters)}"
                raise self.error(feature(word) or fault, word)
        return tuple(values.get(str(word), str(word)) for word in words)

    def cost(self, values: Values) -> int | Fact:
        """Return the cost: the number that the effect adds to ``total-cost``, or the fact that stands for it."""
        costs = [part for part, *_ in literals(self.effect) if part.head == "increase"]
        match costs:
            case []:
                return 0
            case [Node(items=(_, Node(head="total-cost"), Node(text=number)))] if number.isdigit():
                return int(number[:9])
            case [Node(items=(_, Node(head="total-cost"), Node(head=head, items=(_, *words))))]:
                return head, self._values(words, values)
        raise self.error(
            f"{' '.join(map(str, costs))} is not supported: only total-cost can be increased, once", costs[0]
        )

    def ground(self, values: Values, everything: Sequence[Any] = ()) -> GroundAction:
        """Return the action with ``values`` for its parameters. A fact that is taken and given stays true."""
        conditions, effects = (list(self.facts(part, values, everything)) for part in (self.condition, self.effect))
        wants, refuses = ([fact for fact, holds, _ in conditions if holds is truth] for truth in (True, False))
        gives = dict.fromkeys(fact for fact, holds, _ in effects if holds)
        takes = dict.fromkeys(fact for fact, holds, _ in effects if not holds and fact not in gives)
        return GroundAction(wants, refuses, list(takes), list(gives), self.cost(values))

    @property
    def meaning(self) -> tuple[object, ...]:
        """A form of the action without the names of its parameters: equal for actions that do the same.

        Costs and types are left out, and when a line must be one: lines never change.
        """
        condition, effect = (self.facts(part, self.numbers, ("*",)) for part in (self.condition, self.effect))
        timeless = ((fact, holds, "" if fact[0] == "line" else when) for fact, holds, when in condition)
        return len(self.numbers), self.duration, frozenset(timeless), frozenset(effect)


def read_actions(sections: Iterable[Node], words: Mapping[str, str]) -> dict[str, Action]:
    """Return the actions of a domain by their names. Raises InputError for two of one name, and for inconstant
    durations."""
    actions: dict[str, Action] = {}
    for section in [part for part in sections if part.head in (":action", ":durative-action")]:
        keys, values = section.items[2::2], section.items[3::2]
        parts = dict(zip(map(str, keys), values, strict=False))
        duration = re.fullmatch(r"\(= \?duration (\d{1,6}(?:\.\d{1,6})?)\)", str(parts.get(":duration", "")))
        action = Action(
            section.source,
            section.line,
            section.column,
            " ".join(map(str, section.items[1:2])),
            types(parts[":parameters"].items) if ":parameters" in parts else {},
            parts.get(":precondition", parts.get(":condition")),
            parts.get(":effect"),
            duration[1] if duration and section.head == ":durative-action" else "",
            words,
        )
        for odd in [key for key in keys if str(key) not in _KEYS]:
            raise action.error(feature(odd) or f"{odd} is not supported in an action{suggestion(str(odd), _KEYS)}", odd)
        action.require(len(keys) + len(values) == 2 * len(parts), "a part has no value, or is there twice")
        action.require(action.name not in actions, "two actions have this name")
        is_timed = section.head == ":durative-action"
        action.require(not is_timed or action.duration != "", "the only duration supported is (= ?duration NUMBER)")
        actions[action.name] = action
    return actions
