"""Domains of other names: the objects on which the actions of a PDDL task are possible, and peg solitaire in it,
whatever its words are.

An action is a jump if it makes facts about two holes false and about a third one true, or the complements of these
facts, or both, and changes nothing else. If all are, the problem file is put into the words of ``models/jumps.pddl``.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence, Set
from dataclasses import replace
from itertools import chain, islice
from operator import itemgetter

from pegcp.errors import suggestion
from pegcp.formats.pddl.domains import Costs, costs_of
from pegcp.formats.pddl.facts import Reader, cell_of
from pegcp.formats.pddl.syntax import OBJECT, Action, Fact, Kinds, Node, feature, put, read_actions, types

_MOST_ACTIONS = 50_000  # on objects
_MOST_WORDS = 3_000_000  # looked at to bind the parameters of all actions
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
_Row = tuple[str, ...]  # the objects of a fact
_Hole = _Row  # the objects of a fact about it
_Ends = tuple[frozenset[_Hole], _Hole]  # the two holes that a jump empties, and the one that it fills


class GroundTask:
    """A task: ``objects`` by name with their types, and ``actions`` as in the file.

    ``start`` has the objects of the facts by predicate, and those of each type ``hole`` under ``- hole``. ``bindings``
    has for each action the objects of its parameters that agree with what never changes, and ``forms`` its facts that
    change: those that it wants, refuses, takes and gives. Both leave out actions without such objects. Raises
    InputError, with its place, for a construct that is not supported, and for more actions than can be listed.
    """

    def __init__(self, domain: Sequence[Node], problem: Mapping[str, Node], reader: Reader) -> None:
        for section in [section for section in domain if section.head not in _SECTIONS]:
            raise section.error(feature(section) or f"{section} is not supported in a domain")

        def listed(head: str) -> dict[str, Kinds]:
            sections = (section for section in (*domain, *problem.values()) if section.head == head)
            return types(item for section in sections for item in section.items[1:])

        self.objects = dict(sorted(listed(":constants").items())) | listed(":objects")
        self.start: dict[str, dict[_Row, None]] = defaultdict(dict)
        for node in reader.start_facts(problem[":init"]):
            names = tuple(map(str, node.items[1:]))
            unknown = sorted({*names} - self.objects.keys())
            node.require(not unknown, feature(node) or f"{node}: unknown object {' '.join(unknown)}")
            self.start[node.head][names] = None
        self.start["="] = {(name, name): None for name in self.objects}
        self._list_types(listed(":types"), problem[":init"])
        self.actions = read_actions(domain, {})
        self.bindings: dict[str, list[Binding]] = {}
        self.forms: dict[str, list[list[Fact]]] = {}
        self._ground({form.head for section in domain if section.head == ":predicates" for form in section.items})

    def _list_types(self, supertypes: Mapping[str, Kinds], place: Node) -> None:
        """List the objects of each type."""
        pairs = [(name, kind) for name, kinds in self.objects.items() for kind in (*OBJECT, *kinds)]
        for name, kind in pairs:
            if (name,) not in self.start[f"- {kind}"]:
                self.start[f"- {kind}"][name,] = None
                pairs += [(name, above) for above in supertypes.get(kind, ())]
                place.require(len(pairs) <= _MOST_KINDS, f"more than {_MOST_KINDS:,} objects with their types")

    def _ground(self, declared: Set[str]) -> None:
        """Bind the parameters of all actions. Raises InputError for a predicate that is not among the declared ones."""
        forms = {
            name: action.ground({word: word for word in action.parameters}) for name, action in self.actions.items()
        }
        changing = {fact[0] for form in forms.values() for fact in (*form.takes, *form.gives)}
        known = declared | self.start.keys()
        for name, (*lists, _) in forms.items():
            action = self.actions[name]
            for word in sorted({fact[0] for facts in lists for fact in facts} - known) if declared else ():
                raise action.error(f'the predicate "{word}" is not declared{suggestion(word, sorted(declared))}')
            static, changes = (
                [[fact for fact in facts if (fact[0] in changing) is sign] for facts in lists] for sign in (False, True)
            )
            if bindings := self._bind(action, *static[:2]):
                self.bindings[name], self.forms[name] = bindings, changes
            action.require(
                sum(map(len, self.bindings.values())) <= _MOST_ACTIONS,
                f"the task has more than {_MOST_ACTIONS:,} ground actions",
            )

    def _bind(self, action: Action, required: list[Fact], forbidden: list[Fact]) -> list[Binding]:
        """Return the objects for which the facts that an action requires are true, and the forbidden are not."""
        relations: list[tuple[Collection[_Row], _Row]] = [
            *((self.start[name], words) for name, words in sorted(required, key=lambda fact: -len(fact[1]))),
            *(
                ([*dict.fromkeys(row for kind in kinds for row in self.start[f"- {kind}"])], (word,))
                for word, kinds in action.parameters.items()
            ),
        ]
        most = _MOST_WORDS // len(self.actions)
        fault = f"more than {most:,} words: its parameters can be bound in too many ways"
        action.require(sum(len(words) * len(rows) for rows, words in relations) <= most, fault)
        bound = {word for _, words in required for word in words} - action.parameters.keys()
        bindings: list[Binding] = [{word: word for word in bound}]
        for rows, words in relations:
            fixed = [i for i, word in enumerate(words) if word in bound]
            index: dict[_Row, list[_Row]] = defaultdict(list)  # by their objects of words that are bound
            for row in rows:
                if len(row) == len(words) and len(set(zip(words, row, strict=True))) == len(set(words)):
                    index[tuple(row[i] for i in fixed)].append(row)
            longer = (
                {**binding, **dict(zip(words, row, strict=True))}
                for binding in bindings
                for row in index.get(tuple(binding[words[i]] for i in fixed), ())
            )
            bound = bound.union(words)
            bindings = [*islice(longer, most // (1 + len(bound)) + 1)]
            action.require(len(bindings) * (1 + len(bound) + len(forbidden)) <= most, fault)
        return [
            binding
            for binding in bindings
            if not any(put(fact, binding)[1] in self.start[fact[0]] for fact in forbidden)
        ]


class JumpTask(GroundTask):
    """A task of single jumps. Raises InputError, naming the action, for any other.

    ``jumps`` are its actions with the jumps that they are, both as a name and objects; ``costs`` are those of jumps.
    """

    def __init__(self, define: Node, problem: Mapping[str, Node], reader: Reader) -> None:
        super().__init__(define.items[1:], problem, reader)
        self._is_peg = self._read_predicates(define)
        ends: dict[Key, _Ends] = {}
        for name in self.forms:
            holes = self._read_holes(name)
            for binding in self.bindings[name]:
                *pegs, to = (tuple(binding.get(word, word) for word in hole) for hole in holes)
                ends[name, *(binding[word] for word in self.actions[name].parameters)] = frozenset(pegs), to
        jumps = {*ends.values()}
        lines = {key: self._line(key, jump, jumps) for key, jump in ends.items()}
        order = {name: number for number, name in enumerate(self.objects)}
        every = {*chain(*lines.values(), *(self.start[name] for name in self._is_peg))}
        self._names = _name_holes(sorted(every, key=lambda hole: [(order.get(name, -1), name) for name in hole]))
        self.jumps: dict[Key, Key] = {
            key: ("jump", *(self._names[hole] for hole in line)) for key, line in lines.items()
        }
        costs = costs_of(self.actions)
        self.costs: Costs = {"jump": 1} if costs else {}
        for name in self.forms if costs else ():
            self.actions[name].require(costs.get(name) == 1, "not peg solitaire: all jumps must cost 1, or nothing")

    def _read_predicates(self, define: Node) -> dict[str, bool]:
        """Return the predicates of pegs (True) and of vacancies: a jump removes two such facts and adds one, or the
        reverse."""
        for _, _, *effects in self.forms.values():
            takes, gives = (Counter(fact[0] for fact in facts) for facts in effects)
            names = {
                takes[name] == 2: name for name in sorted(takes, reverse=True) if {takes[name], gives[name]} == {1, 2}
            }
            if names:
                return {name: is_peg for is_peg, name in names.items()}
        raise define.error(
            "not peg solitaire: no action is a jump, which empties two holes and fills one; "
            f"actions: {', '.join(self.actions) or 'none'}"
        )

    def _read_holes(self, name: str) -> list[_Hole]:
        """Return the holes of an action on its parameters: two that it empties, and one that it fills.

        Raises InputError for an action that is no jump.
        """
        form, action = self.forms[name], self.actions[name]
        action.require(not action.duration, "not peg solitaire: a domain with durations must be that of a competition")
        for fact in [fact for facts in form for fact in facts if fact[0] not in self._is_peg]:
            raise action.error(
                f"not peg solitaire: it is not a single jump, for it is about ({' '.join((fact[0], *fact[1]))}), too"
            )
        wants, refuses, takes, gives = ({(fact[1], self._is_peg[fact[0]]) for fact in facts} for facts in form)
        before, changes = (
            right | {(hole, not is_peg) for hole, is_peg in wrong}
            for right, wrong in ((wants, refuses), (takes, gives))
        )
        is_jump = sorted(is_peg for _, is_peg in before) == [False, True, True] and len(dict(before)) == 3
        is_whole = changes == before and sum(map(len, form[2:])) == 3 * len(self._is_peg)
        action.require(
            is_jump and is_whole,
            "not peg solitaire: a jump requires two pegs and a vacancy, and leaves two vacancies and a peg",
        )
        return [hole for hole, _ in sorted(before, key=itemgetter(1), reverse=True)]

    def _line(self, key: Key, jump: _Ends, jumps: Set[_Ends]) -> tuple[_Hole, _Hole, _Hole]:
        """Return the line of a jump: the jump back goes over the same hole."""
        pegs, to = jump
        middles = [over for over in pegs if (frozenset((over, to)), *(pegs - {over})) in jumps]
        fault = f"not peg solitaire: ({' '.join(key)}) has {'more than one' if middles else 'no'} jump back"
        self.actions[key[0]].require(len(middles) == 1, fault)
        return next(iter(pegs - {*middles})), middles[0], to

    def translate(self, problem: Mapping[str, Node], reader: Reader) -> dict[str, Node]:
        """Return the sections of a problem file in the words of ``models/jumps.pddl``."""
        init, goal = problem[":init"], problem[":goal"]
        facts = [node for node in reader.start_facts(init) if node.head in self._is_peg]
        holes = {tuple(map(str, fact.items[1:])) for fact in facts}
        # Where one of the predicates is missing, what is not said to hold is the other.
        others = {True: ["vacant"], False: ["peg"]}[next(iter(self._is_peg.values()))] if len(self._is_peg) == 1 else []
        start = [
            init.with_words(other, name) for hole, name in self._names.items() for other in others if hole not in holes
        ]
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
        if name is None or node.head not in self._is_peg:
            raise node.error(feature(node) or f"{node} is not a fact about a hole")
        return node.with_words("peg" if self._is_peg[node.head] else "vacant", name)


def _name_holes(holes: list[_Hole]) -> dict[_Hole, str]:
    """Return the names of holes: their own; ``pos-ROW-COLUMN`` where two numbers are in them, or they have two
    coordinates."""
    numbers = [[int(n) for part in hole for n in re.findall(r"\d+", part[:40])] for hole in holes]
    cells = all(len(hole) == 1 and cell_of(hole[0]) for hole in holes)
    if holes and not cells and all(len(pair) == 2 and max(pair) < 1000 for pair in numbers):
        top, first = (min(pair[i] for pair in numbers) for i in (0, 1))
        return {hole: f"pos-{row - top}-{column - first}" for hole, (row, column) in zip(holes, numbers, strict=True)}
    return {hole: "-".join(hole) for hole in holes}
