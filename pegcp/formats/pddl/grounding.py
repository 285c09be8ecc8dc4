"""Grounding: all actions of a PDDL task on all objects for which their static preconditions hold."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping, Sequence

from pegcp.formats.pddl.actions import Action, Fact, GroundAction, read_actions
from pegcp.formats.pddl.facts import Reader
from pegcp.formats.pddl.syntax import Form, Node, feature, kinds_of, types

_MOST_ACTIONS = 50_000
_MOST_PARAMETERS = 30  # of an action
_MOST_WORDS = 2_000_000  # looked at to bind parameters; of all ground actions together
_MOST_KINDS = 100_000  # types of objects, of all objects together
_SECTIONS = (
    "domain",
    ":requirements",
    ":types",
    ":constants",
    ":predicates",
    ":functions",
    ":action",
    ":durative-action",
)

Binding = dict[str, str]  # parameter to object
Test = tuple[Fact, bool]  # a static fact that must be true, or false


class GroundTask:
    """A task: ``objects`` by name with their types, ``lifted`` actions as in the file, and ``actions`` on objects.

    Ground actions leave out what never changes. ``start`` has the objects of the facts by predicate, and those of each
    type ``hole`` under ``- hole``. Raises InputError, with its place, for a construct that is not
    supported, and for more actions than can be listed.
    """

    def __init__(self, domain: Sequence[Node], problem: Mapping[str, Form], reader: Reader) -> None:
        supertypes: dict[str, str] = {}
        self.objects: dict[str, str] = {}
        for section in domain:
            if section.head not in _SECTIONS:
                raise section.error(feature(section) or f"{section} is not supported in a domain")
            if section.head == ":types":
                supertypes = types(section.items[1:])
            elif section.head == ":constants":
                self.objects = dict(sorted(types(section.items[1:]).items()))
        self.objects |= types(problem[":objects"].items[1:]) if ":objects" in problem else {}
        self.lifted = read_actions(domain, {})
        self.start: dict[str, dict[tuple[str, ...], None]] = {}
        for node in reader.start_facts(problem[":init"]):
            names = tuple(map(str, node.items[1:]))
            unknown = next((name for name in names if name not in self.objects), None)
            fault = " is not supported in the start" if node.head == "=" else f": unknown object {unknown}"
            node.require(unknown is None, feature(node) or f"{node}{fault}")
            self.start.setdefault(node.head, {})[names] = None
        total = 0
        for name, kind in self.objects.items():
            kinds, new = {"object"}, kinds_of(kind)
            while new:
                kinds.update(new)
                new = [
                    above for below in new for above in kinds_of(supertypes.get(below, "object")) if above not in kinds
                ]
            total += len(kinds)
            problem[":init"].require(total <= _MOST_KINDS, f"more than {_MOST_KINDS:,} objects with their types")
            for kind in kinds:
                self.start.setdefault(f"- {kind}", {})[name,] = None
        for action in self.lifted.values():
            for kind in action.parameters.values():
                if kind.startswith("("):
                    self.start[f"- {kind}"] = {
                        name: None for part in kinds_of(kind) for name in self.start.get(f"- {part}", ())
                    }
        self._looked_at = self._written = 0  # words
        self.actions = dict(self._ground())

    def _ground(self) -> Iterator[tuple[tuple[str, ...], GroundAction]]:
        """Yield each action on objects, by its name and these."""
        unbound = {
            name: action.ground({word: word for word in action.parameters}) for name, action in self.lifted.items()
        }
        changing = {fact[0] for action in unbound.values() for fact in (*action.takes, *action.gives)}
        number = 0
        for name, action in self.lifted.items():
            if len(action.parameters) > _MOST_PARAMETERS:
                raise action.error(f"more than {_MOST_PARAMETERS} parameters are not supported")
            if "=" in changing:
                raise action.error("an effect with = is not supported")
            lists = [[fact for fact in facts if fact[0] in changing] for facts in unbound[name][:4]]
            size = len(action.parameters) + sum(1 + len(words) for facts in lists for _, words in facts)
            static = [[fact for fact in facts if fact[0] not in changing] for facts in unbound[name][:2]]
            for binding in self._bindings(action, *static):
                number += 1
                self._written += size
                if number > _MOST_ACTIONS or self._written > _MOST_WORDS:
                    raise action.error(f"the task has more than {number - 1:,} ground actions, too many to list")
                wants, refuses, takes, gives = (
                    [(predicate, tuple([binding.get(word, word) for word in words])) for predicate, words in facts]
                    for facts in lists
                )
                takes = [fact for fact in takes if fact not in gives]
                key = (name, *(binding[word] for word in action.parameters))
                yield key, GroundAction(wants, refuses, takes, gives, unbound[name].cost)

    def _bindings(self, action: Action, required: list[Fact], forbidden: list[Fact]) -> Iterator[Binding]:
        """The objects for which the static facts that an action requires hold, and the forbidden do not."""
        relations = deque(sorted((fact for fact in required if fact[0] != "="), key=lambda fact: -len(fact[1])))
        relations += [(f"- {kind}", (word,)) for word, kind in action.parameters.items()]
        tested = [(fact, True) for fact in required if fact[0] == "="] + [(fact, False) for fact in forbidden]
        bindings: Iterator[Binding] = iter([{}])
        bound: frozenset[str] = frozenset()
        while relations:
            fact = relations.popleft()
            after = bound.union(fact[1])
            tests: list[Test] = []  # relations that bind nothing more; generators must not stand in long rows
            while relations and action.parameters.keys() & relations[0][1] <= after:
                tests.append((relations.popleft(), True))
            bindings = self._join(action, bindings, fact, bound, tests)
            bound = after
        return (binding for binding in bindings if self._hold(action, tested, binding))

    def _join(
        self, action: Action, bindings: Iterator[Binding], fact: Fact, bound: frozenset[str], tests: list[Test]
    ) -> Iterator[Binding]:
        """Yield the bindings that also make a fact true and pass some tests; words that are ``bound`` have a value."""
        words: tuple[str, ...] = fact[1]
        fixed = [i for i, word in enumerate(words) if word not in action.parameters or word in bound]
        rows: dict[tuple[str, ...], list[tuple[str, ...]]] = {}
        for row in self.start.get(fact[0], ()):
            self._look(action, len(words))
            if len(row) == len(words) and len(set(zip(words, row, strict=True))) == len(set(words)):
                rows.setdefault(tuple(row[i] for i in fixed), []).append(row)
        for binding in bindings:
            for row in rows.get(tuple(binding.get(words[i], words[i]) for i in fixed), ()):
                self._look(action, 1 + len(words))
                more = {**binding, **dict(zip(words, row, strict=True))}
                if self._hold(action, tests, more):
                    yield more

    def _hold(self, action: Action, tests: list[Test], binding: Binding) -> bool:
        """True if all tests hold."""
        self._look(action, sum(1 + len(words) for (_, words), _ in tests))
        return all(self._is_true(fact, binding) == holds for fact, holds in tests)

    def _look(self, action: Action, words: int) -> None:
        """Count words that are looked at. Raises InputError when they are too many."""
        self._looked_at += words
        if self._looked_at > _MOST_WORDS:
            raise action.error("its parameters can be bound to objects in too many ways")

    def _is_true(self, fact: Fact, binding: Binding) -> bool:
        names = tuple(binding.get(word, word) for word in fact[1])
        return len(set(names)) == 1 if fact[0] == "=" else names in self.start.get(fact[0], ())
