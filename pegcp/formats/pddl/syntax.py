"""Parse the brackets of PDDL to nested lists with their places in the text."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from pegcp.errors import InputError

_NO_TEXT = re.compile(r"[\x00-\x1f\x7f\ud800-\udfff]")
_TOKEN = re.compile(r"\(|\)|;[^\n]*|[^\s();]+")
HOLE_TYPES = ("hole", "location", "object")
_MOST_BRACKETS = 100  # brackets within brackets
_MOST_TOKENS = 1_000_000  # words and brackets
_ENDINGS = " \t\r\n\0\x1a"  # some systems end a file with zeros or with Ctrl-Z
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
    """A place in a file."""

    source: str
    line: int
    column: int

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

    The other arguments are those of the form around the node.
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
            holds and objects and types(kinds.items) in [{variable: kind} for kind in HOLE_TYPES]
        ):
            for item in objects:
                yield from literals(part, objects, holds, when, {**values, variable: item})
        case Node():
            yield node, holds, when, values


def decode(data: bytes) -> str:
    """Return the text of a file: UTF-8 or UTF-16; bytes that are neither, such as Latin-1 in comments, stay as marks.

    :func:`parse` refuses these marks outside comments.
    """
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return data.decode("utf-16", "surrogatepass")
    return data.decode("utf-8-sig", "surrogateescape")


def parse(text: str, source: str) -> list[Node]:
    """Read the top-level expressions. Raises InputError for brackets that do not match, and for limits exceeded."""
    lines = re.sub("\r\n?", "\n", text.rstrip(_ENDINGS)).split("\n")
    tokens = ((row, match) for row, line in enumerate(lines, start=1) for match in _TOKEN.finditer(line))
    levels: list[list[Node]] = [[]]  # the items of the lists around the current word
    places: list[Place] = []  # and the places of their brackets
    for number, (row, match) in enumerate(tokens):
        token, place = match[0], Place(source, row, match.start() + 1)
        if number >= _MOST_TOKENS or len(places) > _MOST_BRACKETS:
            limit = (
                f"more than {_MOST_TOKENS:,} words"
                if number >= _MOST_TOKENS
                else f"brackets more than {_MOST_BRACKETS} deep"
            )
            raise place.error(f"{limit} are not supported")
        if token == "(":
            places.append(place)
            levels.append([])
        elif token == ")":
            place.require(bool(places), 'a ")" without its "("')
            opening, items = places.pop(), tuple(levels.pop())
            levels[-1].append(Node(source, opening.line, opening.column, "", items))
        elif not token.startswith(";"):
            if odd := _NO_TEXT.search(token):
                fault = "a byte that is not UTF-8 text" if odd[0] >= "\ud800" else "an invisible character"
                raise replace(place, column=place.column + odd.start()).error(fault)
            levels[-1].append(Node(source, row, place.column, token.lower()))
    for place in places[-1:]:
        raise place.error('this "(" is never closed')
    return levels[0]


def walk(node: Node) -> Iterator[Node]:
    """Yield a node and all nodes in it."""
    yield node
    for item in node.items:
        yield from walk(item)


def feature(node: Node) -> str:
    """Return what PDDL calls a construct that pegcp does not read, such as "a disjunction"; empty for any other."""
    name = _FEATURES.get(node.head, "")
    return name and f"{node} is {name}, which pegcp does not read"


def kinds_of(kind: str) -> list[str]:
    """Return the types that a type in a list stands for: ``(either hole location)`` for two."""
    return kind.strip("()").split()[1:] if kind.startswith("(either ") else [kind]


def typed(items: Iterable[Node]) -> list[tuple[Node, str]]:
    """Return the names of a list, each with its type; ``object`` for those that have none."""
    names: list[tuple[Node, str]] = []
    words, kind = [*items], "object"
    while words:  # from the end: a type stands after its names
        word = words.pop()
        if str(word) == "-":
            kind = ""  # no type stands after it
        elif words and str(words[-1]) == "-":
            words.pop()
            kind = word.text or f"({' '.join(map(str, word.items))})"
        else:
            names.append((word, kind))
    return names[::-1]


def types(items: Iterable[Node]) -> dict[str, str]:
    """Return the types of a list by its names."""
    return {str(name): kind for name, kind in typed(items)}
