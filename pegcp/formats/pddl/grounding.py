"""Grounding: all actions of a PDDL task on all objects for which their static preconditions hold."""

from collections import defaultdict
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
_Facts = dict[tuple[str, ...], None]  # by their objects


class GroundTask:
    """A task: ``objects`` by name with their types, ``lifted`` actions as in the file, and ``actions`` on objects.

    Ground actions leave out what never changes. ``start`` has the objects of the facts by predicate, and those of each
    type ``hole`` under ``- hole``. Raises InputError, with its place, for a construct that is not
    supported, and for more actions than can be listed.
    """

    def __init__(self, domain: Sequence[Node], problem: Mapping[str, Form], reader: Reader) -> None:
        for section in domain:
            if section.head not in _SECTIONS:
                raise section.error(feature(section) or f"{section} is not supported in a domain")

        def listed(head: str) -> dict[str, str]:
            sections = (section for section in (*domain, *problem.values()) if section.head == head)
            return types(item for section in sections for item in section.items[1:])

        self.objects = dict(sorted(listed(":constants").items())) | listed(":objects")
        self.lifted = read_actions(domain, {})
        self.start: dict[str, _Facts] = defaultdict(dict)
        for node in reader.start_facts(problem[":init"]):
            names = tuple(map(str, node.items[1:]))
            unknown = sorted({*names} - self.objects.keys())
            node.require(not unknown, feature(node) or f"{node}: unknown object {' '.join(unknown)}")
            self.start[node.head][names] = None
        self._list_types(listed(":types"), problem[":init"])
        self.actions: dict[tuple[str, ...], GroundAction] = {}
        self._words = 0  # that were looked at, or written
        self._ground()

    def _list_types(self, supertypes: Mapping[str, str], place: Node) -> None:
        """List the objects of each type, and of each list of types that a parameter may have."""
        total = 0
        for name, kind in self.objects.items():
            kinds, new = {"object"}, {*kinds_of(kind)}
            while new:
                kinds |= new
                new = {above for below in new for above in kinds_of(supertypes.get(below, "object"))} - kinds
            total += len(kinds)
            place.require(total <= _MOST_KINDS, f"more than {_MOST_KINDS:,} objects with their types")
            for kind in kinds:
                self.start[f"- {kind}"][name,] = None
        for kind in {kind for action in self.lifted.values() for kind in action.parameters.values()}:
            self.start[f"- {kind}"] |= {name: None for part in kinds_of(kind) for name in self.start[f"- {part}"]}

    def _ground(self) -> None:
        """List each action on objects, by its name and these."""
        unbound = {
            name: action.ground({word: word for word in action.parameters}) for name, action in self.lifted.items()
        }
        changing = {fact[0] for action in unbound.values() for fact in (*action.takes, *action.gives)}
        for name, action in self.lifted.items():
            if len(action.parameters) > _MOST_PARAMETERS:
                raise action.error(f"more than {_MOST_PARAMETERS} parameters are not supported")
            if "=" in changing:
                raise action.error("an effect with = is not supported")
            lists = [[fact for fact in facts if fact[0] in changing] for facts in unbound[name][:4]]
            size = len(action.parameters) + sum(1 + len(words) for facts in lists for _, words in facts)
            required, forbidden = ([fact for fact in facts if fact[0] not in changing] for facts in unbound[name][:2])
            for binding in self._bindings(action, required, forbidden):
                self._look(action, size)
                wants, refuses, takes, gives = (
                    [(predicate, tuple([binding.get(word, word) for word in words])) for predicate, words in facts]
                    for facts in lists
                )
                takes = [fact for fact in takes if fact not in gives]
                key = (name, *(binding[word] for word in action.parameters))
                self.actions[key] = GroundAction(wants, refuses, takes, gives, unbound[name].cost)
                if len(self.actions) > _MOST_ACTIONS:
                    raise action.error(f"the task has more than {_MOST_ACTIONS:,} ground actions, too many to list")

    def _bindings(self, action: Action, required: list[Fact], forbidden: list[Fact]) -> Iterator[Binding]:
        """Return the objects for which the static facts that an action requires hold, and the forbidden do not."""
        relations = sorted((fact for fact in required if fact[0] != "="), key=lambda fact: -len(fact[1]))
        relations += [(f"- {kind}", (word,)) for word, kind in action.parameters.items()]
        equal = [fact for fact in required if fact[0] == "="]
        bound: set[str] = set()
        joins: list[tuple[Fact, set[str], list[Fact]]] = []  # with the words bound before, and facts that bind no more
        for fact in relations:
            if joins and action.parameters.keys() & {*fact[1]} <= bound:
                joins[-1][2].append(fact)
            else:
                joins.append((fact, bound, []))
            bound = bound.union(fact[1])
        bindings: Iterator[Binding] = iter([{}])
        for join in joins:
            bindings = self._join(action, bindings, *join)
        return (
            binding
            for binding in bindings
            if all(self._is_true(action, fact, binding) for fact in equal)
            and not any(self._is_true(action, fact, binding) for fact in forbidden)
        )

    def _join(
        self, action: Action, bindings: Iterator[Binding], fact: Fact, bound: set[str], tests: list[Fact]
    ) -> Iterator[Binding]:
        """Yield the bindings that also make a fact true and pass some tests; words that are ``bound`` have a value."""
        words: tuple[str, ...] = fact[1]
        fixed = [i for i, word in enumerate(words) if word not in action.parameters or word in bound]
        rows: dict[tuple[str, ...], list[tuple[str, ...]]] = defaultdict(list)
        for row in self.start[fact[0]]:
            self._look(action, len(words))
            if len(row) == len(words) and len(set(zip(words, row, strict=True))) == len(set(words)):
                rows[tuple(row[i] for i in fixed)].append(row)
        for binding in bindings:
            for row in rows[tuple(binding.get(words[i], words[i]) for i in fixed)]:
                self._look(action, 1 + len(words))
                more = {**binding, **dict(zip(words, row, strict=True))}
                if all(self._is_true(action, test, more) for test in tests):
                    yield more

    def _is_true(self, action: Action, fact: Fact, binding: Binding) -> bool:
        self._look(action, 1 + len(fact[1]))
        names = tuple(binding.get(word, word) for word in fact[1])
        return len(set(names)) == 1 if fact[0] == "=" else names in self.start[fact[0]]

    def _look(self, action: Action, words: int) -> None:
        """Count words that are looked at. Raises InputError when they are too many."""
        self._words += words
        if self._words > _MOST_WORDS:
            raise action.error(f"more than {_MOST_WORDS:,} words: its parameters can be bound in too many ways")
