"""Domains of other names: all actions of a PDDL task on all objects, and peg solitaire in it, whatever its words are.

An action is a jump if it makes facts about two holes false and about a third one true, or the complements of these
facts, or both, and changes nothing else. If all are, the problem file is put into the words of ``models/jumps.pddl``.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence, Set
from dataclasses import replace

from pegcp.errors import InputError, suggestion
from pegcp.formats.pddl.facts import Reader, cell_of
from pegcp.formats.pddl.syntax import OBJECT, Action, Fact, GroundAction, Kinds, Node, feature, read_actions, types

_MOST_ACTIONS = 50_000
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


Key = tuple[str, ...]  # an action and its objects
Binding = dict[str, str]  # parameter to object
_Facts = dict[tuple[str, ...], None]  # by their objects
_Hole = tuple[str, ...]  # the objects of a fact about it
_Ends = tuple[frozenset[_Hole], _Hole]  # the two holes that a jump empties, and the one that it fills


class GroundTask:
    """A task: ``objects`` by name with their types, ``lifted`` actions as in the file, and ``actions`` on objects.

    Ground actions leave out what never changes. ``start`` has the objects of the facts by predicate, and those of each
    type ``hole`` under ``- hole``. Raises InputError, with its place, for a construct that is not
    supported, and for more actions than can be listed.
    """

    def __init__(self, domain: Sequence[Node], problem: Mapping[str, Node], reader: Reader) -> None:
        for section in [section for section in domain if section.head not in _SECTIONS]:
            raise section.error(feature(section) or f"{section} is not supported in a domain")

        def listed(head: str) -> dict[str, Kinds]:
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
        self.start["="] = {(name, name): None for name in self.objects}
        self._list_types(listed(":types"), problem[":init"])
        self.actions: dict[tuple[str, ...], GroundAction] = {}
        self._words = 0  # that were looked at, or written
        unbound = {
            name: action.ground({word: word for word in action.parameters}) for name, action in self.lifted.items()
        }
        declared = {form.head for section in domain if section.head == ":predicates" for form in section.items}
        for name, action in self.lifted.items() if declared else ():
            predicates = {fact[0] for facts in unbound[name][:4] for fact in facts}
            for word in sorted(predicates - declared - self.start.keys()):
                raise action.error(f'the predicate "{word}" is not declared{suggestion(word, sorted(declared))}')
        self._ground(unbound)

    def _list_types(self, supertypes: Mapping[str, Kinds], place: Node) -> None:
        """List the objects of each type, and of each list of types that a parameter may have."""
        total = 0
        for name, kinds in self.objects.items():
            new = {*OBJECT, *kinds}
            while new:
                total += len(new)
                place.require(total <= _MOST_KINDS, f"more than {_MOST_KINDS:,} objects with their types")
                for kind in new:
                    self.start[f"- {kind}"][name,] = None
                above = (kind for below in new for kind in supertypes.get(below, OBJECT))
                new = {kind for kind in above if (name,) not in self.start[f"- {kind}"]}
        for choices in {choices for action in self.lifted.values() for choices in action.parameters.values()}:
            self.start[_type_predicate(choices)] |= {name: None for kind in choices for name in self.start[f"- {kind}"]}

    def _ground(self, unbound: Mapping[str, GroundAction]) -> None:
        """List each action on objects, by its name and these; ``unbound`` are the actions on their parameters."""
        changing = {fact[0] for action in unbound.values() for fact in (*action.takes, *action.gives)}
        for name, action in self.lifted.items():
            action.place.require("=" not in changing, f"action {name}: an effect with = is not supported")
            lists = [[fact for fact in facts if fact[0] in changing] for facts in unbound[name][:4]]
            static = [[fact for fact in facts if fact[0] not in changing] for facts in unbound[name][:2]]
            size = len(action.parameters) + sum(1 + len(words) for facts in lists for _, words in facts)
            for binding in self._bindings(action, *static):
                self._look(action, size)
                wants, refuses, takes, gives = ([_put(fact, binding) for fact in facts] for facts in lists)
                takes = [fact for fact in takes if fact not in gives]
                key = (name, *(binding[word] for word in action.parameters))
                self.actions[key] = GroundAction(wants, refuses, takes, gives, unbound[name].cost)
                if len(self.actions) > _MOST_ACTIONS:
                    raise action.error(f"the task has more than {_MOST_ACTIONS:,} ground actions, too many to list")

    def _bindings(self, action: Action, required: list[Fact], forbidden: list[Fact]) -> list[Binding]:
        """Return the objects for which the static facts that an action requires hold, and the forbidden do not."""
        relations = sorted(required, key=lambda fact: -len(fact[1]))
        relations += [(_type_predicate(kinds), (word,)) for word, kinds in action.parameters.items()]
        bound = {word for _, words in required for word in words} - action.parameters.keys()
        bindings: list[Binding] = [{word: word for word in bound}]
        for predicate, words in relations:
            fixed = [i for i, word in enumerate(words) if word in bound]
            rows: dict[tuple[str, ...], list[tuple[str, ...]]] = defaultdict(list)
            self._look(action, len(words) * len(self.start[predicate]))
            for row in self.start[predicate]:
                if len(row) == len(words) and len(set(zip(words, row, strict=True))) == len(set(words)):
                    rows[tuple(row[i] for i in fixed)].append(row)
            size = 1 + len(words) + (len(bound) if len(fixed) < len(words) else 0)
            longer: list[Binding] = []
            for binding in bindings:
                for row in rows[tuple(binding[words[i]] for i in fixed)]:
                    self._look(action, size)
                    longer.append({**binding, **dict(zip(words, row, strict=True))})
            bindings, bound = longer, bound.union(words)
        self._look(action, len(bindings) * sum(1 + len(words) for _, words in forbidden))
        return [
            binding
            for binding in bindings
            if not any(_put(fact, binding)[1] in self.start[fact[0]] for fact in forbidden)
        ]

    def _look(self, action: Action, words: int) -> None:
        """Count words that are looked at. Raises InputError when they are too many."""
        self._words += words
        if self._words > _MOST_WORDS:
            raise action.error(f"more than {_MOST_WORDS:,} words: its parameters can be bound in too many ways")


class JumpTask(GroundTask):
    """A task of single jumps. Raises InputError, naming the action, for any other.

    ``jumps`` are its actions with the jumps that they are, both as a name and objects; ``has_costs`` is True if each
    costs 1.
    """

    def __init__(self, define: Node, problem: Mapping[str, Node], reader: Reader) -> None:
        super().__init__(define.items[1:], problem, reader)
        for action in [action for action in self.lifted.values() if action.duration]:
            raise action.error("not peg solitaire: a domain with durations must be that of a competition")
        self._full, self._empty = self._predicates(define)
        ends = {key: self._ends(key, action) for key, action in self.actions.items()}
        jumps = {*ends.values()}
        lines = {key: self._line(key, jump, jumps) for key, jump in ends.items()}
        holes = [hole for line in lines.values() for hole in line]
        holes += [hole for name in (self._full, self._empty) for hole in self.start.get(name or "", ())]
        order = {name: number for number, name in enumerate(self.objects)}
        by_object = sorted(dict.fromkeys(holes), key=lambda hole: [(order.get(name, -1), name) for name in hole])
        self._names = _name_holes(by_object)
        self.jumps: dict[Key, Key] = {
            key: ("jump", *(self._names[hole] for hole in line)) for key, line in lines.items()
        }
        costs = {key: action.cost for key, action in self.actions.items()}
        self.has_costs = {*costs.values()} == {1}
        for odd in [key for key, cost in costs.items() if cost != 1] if any(costs.values()) else ():
            raise self._error(odd, "has a cost of its own: all jumps must cost 1, or nothing")

    def _error(self, key: Key, message: str) -> InputError:
        return self.lifted[key[0]].place.error(f"not peg solitaire: action ({' '.join(key)}) {message}")

    def _predicates(self, define: Node) -> tuple[str | None, str | None]:
        """Return the predicates of pegs and of vacancies: a jump removes two such facts and adds one, or the
        reverse."""
        for action in self.actions.values():
            takes, gives = (Counter(fact[0] for fact in facts) for facts in (action.takes, action.gives))
            full = min((name for name in takes if takes[name] == 2 and gives[name] == 1), default=None)
            empty = min((name for name in gives if gives[name] == 2 and takes[name] == 1), default=None)
            if full or empty:
                return full, empty
        raise define.error(
            "not peg solitaire: no action is a jump, which empties two holes and fills one; "
            f"actions: {', '.join(self.lifted) or 'none'}"
        )

    def _ends(self, key: Key, action: GroundAction) -> _Ends:
        """Return the holes that a jump empties and fills. Raises InputError for an action that is no jump."""
        facts = (fact for facts in action[:4] for fact in facts)
        for name, objects in [fact for fact in facts if fact[0] not in (self._full, self._empty)]:
            raise self._error(key, f"is not a single jump: it is about ({' '.join((name, *objects))}), too")
        full, empty = (
            [{fact[1] for fact in facts if fact[0] == name} for facts in action[:4]]
            for name in (self._full, self._empty)
        )
        # By either predicate: what a jump empties and what it fills.
        changes = [(full[2], full[3])] * bool(self._full) + [(empty[3], empty[2])] * bool(self._empty)
        pegs, vacancies = changes[0]
        if len(pegs) != 2 or len(vacancies) != 1 or pegs & vacancies or changes[0] != changes[-1]:
            raise self._error(key, "is not a jump: it must empty two holes and fill a third")
        if (full[0] | empty[1], empty[0] | full[1]) != (pegs, vacancies):
            raise self._error(key, "must require the two pegs and the vacancy of its jump, and nothing else")
        return frozenset(pegs), next(iter(vacancies))

    def _line(self, key: Key, jump: _Ends, jumps: Set[_Ends]) -> tuple[_Hole, _Hole, _Hole]:
        """Return the line of a jump: the jump back goes over the same hole."""
        pegs, to = jump
        middles = [over for over in pegs if (frozenset((over, to)), *(pegs - {over})) in jumps]
        if len(middles) != 1:
            raise self._error(key, f"has {'more than one' if middles else 'no'} jump back")
        return next(iter(pegs - {*middles})), middles[0], to

    def translate(self, problem: Mapping[str, Node], reader: Reader) -> dict[str, Node]:
        """Return the sections of a problem file in the words of ``models/jumps.pddl``."""
        init, goal = problem[":init"], problem[":goal"]
        facts = [node for node in reader.start_facts(init) if node.head in (self._full, self._empty)]
        holes = {tuple(map(str, fact.items[1:])) for fact in facts}
        other = "peg" if self._full is None else "vacant" if self._empty is None else ""
        start = [init.with_words(other, name) for hole, name in self._names.items() if other and hole not in holes]
        start += [init.with_words("line", *line) for _, *line in self.jumps.values()]
        return {
            **problem,
            ":objects": init.with_words(":objects", *self._names.values(), "-", "hole"),
            ":init": replace(init, items=(init.items[0], *start, *map(self._in_own_words, facts))),
            ":goal": replace(goal, items=(goal.items[0], self._in_own_words(goal.items[1]))),
        }

    def _in_own_words(self, node: Node) -> Node:
        """Return a condition with pegcp's words for facts about holes. Raises InputError for other facts."""
        if node.text or node.head in ("and", "not", "preference", ""):
            return replace(node, items=tuple(map(self._in_own_words, node.items)))
        name = self._names.get(tuple(map(str, node.items[1:])))
        if name is None or node.head not in (self._full, self._empty):
            raise node.error(feature(node) or f"{node} is not a fact about a hole")
        return node.with_words("peg" if node.head == self._full else "vacant", name)


def _type_predicate(kinds: Kinds) -> str:
    """Return the name of the facts that say which objects have one of some types."""
    return f"- {' '.join(kinds)}"


def _put(fact: Fact, binding: Binding) -> Fact:
    """Return a fact with objects in place of parameters."""
    return fact[0], tuple([binding.get(word, word) for word in fact[1]])


def _name_holes(holes: list[_Hole]) -> dict[_Hole, str]:
    """Return the names of holes: their own; ``pos-ROW-COLUMN`` where two numbers are in them, or they have two
    coordinates."""
    numbers = [[int(n) for part in hole for n in re.findall(r"\d+", part[:40])] for hole in holes]
    cells = all(len(hole) == 1 and cell_of(hole[0]) for hole in holes)
    if holes and not cells and all(len(pair) == 2 and max(pair) < 1000 for pair in numbers):
        top, first = (min(pair[i] for pair in numbers) for i in (0, 1))
        return {hole: f"pos-{row - top}-{column - first}" for hole, (row, column) in zip(holes, numbers, strict=True)}
    return {hole: "-".join(hole) for hole in holes}
