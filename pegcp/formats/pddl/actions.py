"""The actions of PDDL domains: as in their files, and on certain objects."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple

from pegcp.errors import InputError, suggestion
from pegcp.formats.pddl.syntax import Form, Node, Symbol, feature, types, walk

Fact = tuple[str, tuple[Any, ...]]  # a predicate and its objects: numbers of holes, or names
HOLE_TYPES = ("hole", "location", "object")
_KEYS = {":parameters", ":precondition", ":condition", ":effect", ":duration"}
_NUMBER = re.compile(r"\d{1,6}(\.\d{1,6})?")
_NO_PREDICATES = ("", "and", "not", "or", "exists", "forall", "when", "imply", "assign", "decrease", "preference")


class Literal(NamedTuple):
    """A fact or its negation (``holds``), and the time of a durative action at which it counts (``when``)."""

    fact: Fact
    holds: bool
    when: str


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


@dataclass(frozen=True, eq=False)
class Action:
    """An action as in its file; ``duration`` is empty for an action without one.

    ``words`` are pegcp's names for predicates that have other names in the file.
    """

    name: str
    parameters: Mapping[str, str]  # with their types
    condition: Node | None
    effect: Node | None
    duration: str
    place: Node
    source: str
    words: Mapping[str, str]

    def error(self, message: str, place: Node | None = None) -> InputError:
        """An error that names the action, with its place or that of a part."""
        place, fault = place or self.place, f"action {self.name}: {message}"
        return InputError(fault, source=self.source, line=place.line, column=place.column)

    def literals(
        self,
        node: Node | None,
        values: Mapping[str, Any],
        everything: Sequence[Any] = (),
        when: str = "",
        holds: bool = True,
    ) -> Iterator[Literal]:
        """Yield the literals of the condition or the effect, costs left out, with ``values`` for parameters.

        ``everything`` are the objects of ``forall``, which is not supported without them. ``when`` and ``holds`` are
        those of the form around the node. Raises InputError for anything but conjunctions of literals.
        """
        match node:
            case None | Form(items=()) | Form(head="increase"):
                pass
            case Form(head="and", items=(_, *parts)) if holds:
                for part in parts:
                    yield from self.literals(part, values, everything, when, holds)
            case Form(head="not", items=(_, part)):
                yield from self.literals(part, values, everything, when, not holds)
            case Form(head="at" | "over", items=(_, Symbol(text="start" | "end" | "all" as time), Form() as part)):
                yield from self.literals(part, values, everything, time, holds)
            case Form(head="forall", items=(_, Form(head=variable) as kinds, part)) if (
                holds and everything and types(kinds.items) in [{variable: kind} for kind in HOLE_TYPES]
            ):
                for item in everything:
                    yield from self.literals(part, {**values, variable: item}, everything, when, holds)
            case Form(head=head, items=(_, *words)) if head not in _NO_PREDICATES:
                yield Literal((self.words.get(head, head), self._values(words, values)), holds, when)
            case _:
                raise self.error(feature(node) or f"{node} is not supported", node)

    def _values(self, words: Iterable[Node], values: Mapping[str, Any]) -> tuple[Any, ...]:
        for word in words:
            if isinstance(word, Form):
                raise self.error(feature(word) or f"{word} is not supported", word)
            if word.text.startswith("?") and word.text not in values:
                parameters = [str(name) for name in values if str(name).startswith("?")]
                raise self.error(f"{word} is no parameter{suggestion(word.text, parameters)}", word)
        return tuple(values.get(str(word), str(word)) for word in words)

    def cost(self, values: Mapping[str, Any]) -> int | Fact:
        """The cost: the number that the effect adds to ``total-cost``, or the fact that stands for it."""
        parts = self.effect.items if isinstance(self.effect, Form) and self.effect.head == "and" else (self.effect,)
        costs = [part for part in parts if isinstance(part, Form) and part.head == "increase"]
        match costs:
            case []:
                return 0
            case [Form(items=(_, Form(head="total-cost"), Symbol(text=number)))] if number.isdigit():
                return int(number[:9])
            case [Form(items=(_, Form(head="total-cost"), Form(head=head, items=(_, *words))))]:
                return head, self._values(words, values)
        raise self.error(
            f"{' '.join(map(str, costs))} is not supported: only total-cost can be increased, once", costs[0]
        )

    def ground(self, values: Mapping[str, Any], everything: Sequence[Any] = ()) -> GroundAction:
        """The action with ``values`` for its parameters. A fact that is taken and given stays true."""
        conditions = list(self.literals(self.condition, values, everything))
        effects = dict.fromkeys(self.literals(self.effect, values, everything))
        gives = dict.fromkeys(effect.fact for effect in effects if effect.holds)
        takes = dict.fromkeys(effect.fact for effect in effects if not effect.holds and effect.fact not in gives)
        wants, refuses = ([part.fact for part in conditions if part.holds is holds] for holds in (True, False))
        return GroundAction(wants, refuses, list(takes), list(gives), self.cost(values))

    @property
    def predicates(self) -> set[str]:
        """The predicates that it is about."""
        values = {name: name for name in self.parameters}
        return {part.fact[0] for node in (self.condition, self.effect) for part in self.literals(node, values, ("*",))}

    @property
    def meaning(self) -> tuple[object, ...]:
        """A form of the action without the names of its parameters: equal for actions that do the same.

        Costs and types are left out, and when a line must be one: lines never change.
        """
        values = {name: number for number, name in enumerate(self.parameters)}
        condition, effect = (self.literals(part, values, ("*",)) for part in (self.condition, self.effect))
        timeless = (part._replace(when="") if part.fact[0] == "line" else part for part in condition)
        return len(values), self.duration, frozenset(timeless), frozenset(effect)


@lru_cache(20_000)  # the plans of one run have many actions in common
def grounded(action: Action, objects: tuple[int, ...], holes: int) -> GroundAction:
    """An action on the holes ``objects`` of a board with ``holes`` holes."""
    return action.ground(dict(zip(action.parameters, objects, strict=True)), range(holes))


def read_actions(sections: Iterable[Node], source: str, words: Mapping[str, str]) -> dict[str, Action]:
    """The actions of a domain by their names. Raises InputError for two of one name, and for inconstant durations."""
    actions: dict[str, Action] = {}
    for section in sections:
        if not isinstance(section, Form) or section.head not in (":action", ":durative-action"):
            continue
        parts = section.items[2:]
        keys = dict(zip(map(str, parts[::2]), parts[1::2], strict=False))
        parameters = keys.get(":parameters")
        action = Action(
            " ".join(map(str, section.items[1:2])),
            types(parameters.items) if isinstance(parameters, Form) else {},
            keys.get(":precondition", keys.get(":condition")),
            keys.get(":effect"),
            _duration(keys.get(":duration")) if section.head == ":durative-action" else "",
            section,
            source,
            words,
        )
        odd = next((part for part in parts[::2] if str(part) not in _KEYS), None)
        if odd is not None:
            raise action.error(feature(odd) or f"{odd} is not supported in an action{suggestion(str(odd), _KEYS)}", odd)
        if len(parts) != 2 * len(keys):
            raise action.error("a part has no value, or is there twice", parts[-1])
        if action.name in actions:
            raise action.error("two actions have this name")
        if section.head == ":durative-action" and not action.duration:
            raise action.error("the only duration supported is (= ?duration NUMBER)")
        actions[action.name] = action
    return actions


def idle_functions(domain: Iterable[Node]) -> frozenset[str]:
    """The functions of a domain that no action mentions, but for ``total-cost``."""
    names, words = set[str](), {"total-cost"}
    for section in domain:
        if isinstance(section, Form) and section.head == ":functions":
            names |= {item.head for item in section.items if isinstance(item, Form)}
        else:
            words |= {str(node) for node in walk(section) if isinstance(node, Symbol)}
    return frozenset(names - words)


def _duration(node: Node | None) -> str:
    match node:
        case Form(head="=", items=(_, Symbol(text="?duration"), Symbol(text=number))) if _NUMBER.fullmatch(number):
            return number
    return ""
