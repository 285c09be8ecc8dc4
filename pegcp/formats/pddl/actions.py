"""The actions of PDDL domains: as in their files, and on certain objects."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple

from pegcp.errors import InputError, suggestion
from pegcp.formats.pddl.syntax import Node, feature, literals, types, walk

Values = Mapping[str, Any]  # objects of parameters, by their names
Fact = tuple[str, tuple[Any, ...]]  # a predicate and its objects: numbers of holes, or names
_KEYS = {":parameters", ":precondition", ":condition", ":effect", ":duration"}
_DURATION = re.compile(r"\(= \?duration (\d{1,6}(?:\.\d{1,6})?)\)")
_NO_PREDICATES = ("", "and", "not", "or", "exists", "forall", "when", "imply", "assign", "decrease", "preference")


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
    words: Mapping[str, str]

    def error(self, message: str, place: Node | None = None) -> InputError:
        """Return an error that names the action, with its place or that of a part."""
        return (place or self.place).error(f"action {self.name}: {message}")

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
            if not word.text:
                raise self.error(feature(word) or f"{word} is not supported", word)
            if word.text.startswith("?") and word.text not in values:
                parameters = [str(name) for name in values if str(name).startswith("?")]
                raise self.error(f"{word} is no parameter{suggestion(word.text, parameters)}", word)
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
        effects = list(self.facts(self.effect, values, everything))
        gives = dict.fromkeys(fact for fact, holds, _ in effects if holds)
        takes = dict.fromkeys(fact for fact, holds, _ in effects if not holds and fact not in gives)
        facts: tuple[list[Fact], list[Fact]] = [], []  # that are refused, and wanted
        for fact, holds, _ in self.facts(self.condition, values, everything):
            facts[holds].append(fact)
        return GroundAction(facts[True], facts[False], list(takes), list(gives), self.cost(values))

    @property
    def meaning(self) -> tuple[object, ...]:
        """A form of the action without the names of its parameters: equal for actions that do the same.

        Costs and types are left out, and when a line must be one: lines never change.
        """
        condition, effect = (self.facts(part, self.numbers, ("*",)) for part in (self.condition, self.effect))
        timeless = ((fact, holds, "" if fact[0] == "line" else when) for fact, holds, when in condition)
        return len(self.numbers), self.duration, frozenset(timeless), frozenset(effect)


@lru_cache(20_000)  # the plans of one run have many actions in common
def grounded(action: Action, objects: tuple[int, ...], holes: int) -> GroundAction:
    """Return an action on the holes ``objects`` of a board with ``holes`` holes."""
    return action.ground(dict(zip(action.parameters, objects, strict=True)), range(holes))


def read_actions(sections: Iterable[Node], words: Mapping[str, str]) -> dict[str, Action]:
    """Return the actions of a domain by their names. Raises InputError for two of one name, and for inconstant
    durations."""
    actions: dict[str, Action] = {}
    for section in [part for part in sections if part.head in (":action", ":durative-action")]:
        keys, values = section.items[2::2], section.items[3::2]
        parts = dict(zip(map(str, keys), values, strict=False))
        duration = _DURATION.fullmatch(str(parts.get(":duration", "")))
        action = Action(
            " ".join(map(str, section.items[1:2])),
            types(parts[":parameters"].items) if ":parameters" in parts else {},
            parts.get(":precondition", parts.get(":condition")),
            parts.get(":effect"),
            duration[1] if duration and section.head == ":durative-action" else "",
            section,
            words,
        )
        for odd in [key for key in keys if str(key) not in _KEYS]:
            raise action.error(feature(odd) or f"{odd} is not supported in an action{suggestion(str(odd), _KEYS)}", odd)
        if len(keys) + len(values) != 2 * len(parts):
            raise action.error("a part has no value, or is there twice", section.items[-1])
        section.require(action.name not in actions, f"action {action.name}: two actions have this name")
        if section.head == ":durative-action" and not action.duration:
            raise action.error("the only duration supported is (= ?duration NUMBER)")
        actions[action.name] = action
    return actions


def idle_functions(domain: Sequence[Node]) -> frozenset[str]:
    """Return the functions of a domain that no action mentions, but for ``total-cost``."""
    names = {item.head for section in domain if section.head == ":functions" for item in section.items}
    words = {str(node) for section in domain if section.head != ":functions" for node in walk(section)}
    return frozenset(names - words - {"", "total-cost"})
