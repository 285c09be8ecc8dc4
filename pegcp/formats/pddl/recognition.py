"""Peg solitaire under other names: a ground PDDL task whose actions are all single jumps, whatever its words are.

A jump makes facts about two holes false and about a third one true, or the complements of these facts, or both, and
changes nothing else. The problem file is then put into the words of ``models/jumps.pddl``.
"""

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace

from pegcp.errors import InputError
from pegcp.formats.pddl.actions import GroundAction
from pegcp.formats.pddl.facts import Reader
from pegcp.formats.pddl.grounding import GroundTask
from pegcp.formats.pddl.syntax import Form, Node, Symbol, feature

Key = tuple[str, ...]  # an action and its objects
_Hole = tuple[str, ...]  # the objects of a fact about it
_Ends = tuple[frozenset[_Hole], _Hole]  # the two holes that a jump empties, and the one that it fills
_NUMBER = re.compile(r"\d+")
_CELL = re.compile(r"[a-z]{1,2}[1-9]\d{0,2}|pos-\d+-\d+")
_STRUCTURE = ("and", "not", "preference", "")  # words of goals that are not predicates


class JumpTask:
    """A task of single jumps. Raises InputError, naming the action, for any other.

    ``jumps`` are its actions with the jumps that they are, both as a name and objects; ``has_costs`` is True if each
    costs 1.
    """

    def __init__(self, task: GroundTask, define: Node) -> None:
        self._task, self._define = task, define
        for action in task.lifted.values():
            if action.duration:
                raise action.error("not peg solitaire: a domain with durations must be that of a competition")
        self._full, self._empty = self._predicates()
        ends = {key: self._ends(key, action) for key, action in task.actions.items()}
        self._lines = self._find_lines(ends)
        holes = [*dict.fromkeys(hole for line in self._lines.values() for hole in line)]
        holes += [hole for name in (self._full, self._empty) for hole in task.start.get(name or "", ())]
        order = {name: number for number, name in enumerate(task.objects)}
        by_object = sorted(dict.fromkeys(holes), key=lambda hole: [(order.get(name, -1), name) for name in hole])
        self._names = _name_holes(by_object)
        self.jumps: dict[Key, Key] = {
            key: ("jump", *(self._names[hole] for hole in self._lines[jump])) for key, jump in ends.items()
        }
        costs = {action.cost for action in task.actions.values()}
        self.has_costs = costs == {1}
        if costs not in ({0}, {1}):
            odd = next(key for key, action in task.actions.items() if action.cost != 1)
            raise self._error(odd, "has a cost of its own: all jumps must cost 1, or nothing")

    def _error(self, key: Key, message: str) -> InputError:
        return self._task.lifted[key[0]].place.error(f"not peg solitaire: action ({' '.join(key)}) {message}")

    def _predicates(self) -> tuple[str | None, str | None]:
        """The predicates of pegs and of vacancies: a jump removes two such facts and adds one, or the reverse."""
        for action in self._task.actions.values():
            takes, gives = (Counter(fact[0] for fact in facts) for facts in (action.takes, action.gives))
            full = min((name for name in takes if takes[name] == 2 and gives[name] == 1), default=None)
            empty = min((name for name in gives if gives[name] == 2 and takes[name] == 1), default=None)
            if full or empty:
                return full, empty
        raise self._define.error(
            "not peg solitaire: no action is a jump, which empties two holes and fills one; "
            f"actions: {', '.join(self._task.lifted) or 'none'}"
        )

    def _ends(self, key: Key, action: GroundAction) -> _Ends:
        """The holes that a jump empties and fills. Raises InputError for an action that is no jump."""
        wants, refuses, takes, gives = (
            [{fact[1] for fact in facts if fact[0] == name} for name in (self._full, self._empty)]
            for facts in action[:4]
        )
        emptied = [holes for holes, name in ((takes[0], self._full), (gives[1], self._empty)) if name]
        filled = [holes for holes, name in ((gives[0], self._full), (takes[1], self._empty)) if name]
        pegs, vacancies = emptied[0], filled[0]
        for name, objects in (fact for facts in action[:4] for fact in facts):
            if name not in (self._full, self._empty):
                raise self._error(key, f"is not a single jump: it is about ({' '.join((name, *objects))}), too")
        if len(pegs) != 2 or len(vacancies) != 1 or pegs & vacancies or emptied[-1] != pegs or filled[-1] != vacancies:
            raise self._error(key, "is not a jump: it must empty two holes and fill a third")
        if wants[0] | refuses[1] != pegs or wants[1] | refuses[0] != vacancies:
            raise self._error(key, "must require the two pegs and the vacancy of its jump, and nothing else")
        return frozenset(pegs), next(iter(vacancies))

    def _find_lines(self, ends: Mapping[Key, _Ends]) -> dict[_Ends, tuple[_Hole, _Hole, _Hole]]:
        """The lines of jumps: the jump back goes over the same hole."""
        keys = {jump: key for key, jump in ends.items()}
        lines = {}
        for (pegs, to), key in keys.items():
            middles = [over for over in sorted(pegs) if (frozenset((over, to)), *(pegs - {over})) in keys]
            if len(middles) != 1:
                raise self._error(key, f"has {'more than one' if middles else 'no'} jump back")
            lines[pegs, to] = next(iter(pegs - {middles[0]})), middles[0], to
        return lines

    def translate(self, problem: Mapping[str, Form], reader: Reader) -> dict[str, Form]:
        """The sections of a problem file in the words of ``models/jumps.pddl``."""
        init, goal = problem[":init"], problem[":goal"]
        facts = [node for node in reader.start_facts(init) if node.head in (self._full, self._empty)]
        stated = {tuple(map(str, fact.items[1:])) for fact in facts}
        other = "peg" if self._full is None else "vacant" if self._empty is None else ""
        start = [init.with_words(other, name) for hole, name in self._names.items() if other and hole not in stated]
        start += [init.with_words("line", *(self._names[hole] for hole in line)) for line in self._lines.values()]
        return {
            **problem,
            ":objects": init.with_words(":objects", *self._names.values(), "-", "hole"),
            ":init": replace(init, items=(init.items[0], *start, *map(self._in_own_words, facts))),
            ":goal": replace(goal, items=(goal.items[0], self._in_own_words(goal.items[1]))),
        }

    def _in_own_words(self, node: Node) -> Node:
        """A condition with pegcp's words for facts about holes. Raises InputError for other facts."""
        if isinstance(node, Symbol):
            return node
        if node.head in _STRUCTURE:
            return replace(node, items=tuple(map(self._in_own_words, node.items)))
        name = self._names.get(tuple(map(str, node.items[1:])))
        if name is None or node.head not in (self._full, self._empty):
            raise node.error(feature(node) or f"{node} is not a fact about a hole")
        return node.with_words("peg" if node.head == self._full else "vacant", name)


def _name_holes(holes: list[_Hole]) -> dict[_Hole, str]:
    """Names of holes: their own; ``pos-ROW-COLUMN`` where two numbers are in them, or they have two coordinates."""
    numbers = [[int(n) for part in hole for n in _NUMBER.findall(part[:40])] for hole in holes]
    cells = all(len(hole) == 1 and _CELL.fullmatch(hole[0]) for hole in holes)
    if holes and not cells and all(len(pair) == 2 and max(pair) < 1000 for pair in numbers):
        top, first = (min(pair[i] for pair in numbers) for i in (0, 1))
        return {hole: f"pos-{row - top}-{column - first}" for hole, (row, column) in zip(holes, numbers, strict=True)}
    return {hole: "-".join(hole) for hole in holes}
