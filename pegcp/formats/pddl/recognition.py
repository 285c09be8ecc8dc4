"""Peg solitaire recognised in a ground PDDL task, whatever its words are; and its plans read and written.

A jump makes facts about two holes false and about a third one true, or the complements of these facts, or both. Beside
that it may do the bookkeeping of moves. Any other action is refused.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import NamedTuple

from pegcp.errors import InputError, suggestion
from pegcp.formats.pddl.actions import Fact, GroundAction, fact_text
from pegcp.formats.pddl.domains import DOMAINS, Domain
from pegcp.formats.pddl.grounding import GroundTask
from pegcp.formats.pddl.plan_steps import Step, short

Hole = tuple[str, ...]  # the objects of a fact about it
Key = tuple[str, ...]  # an action and its objects
Meaning = tuple[str, tuple[Hole, ...]]  # an action of pegcp's domain and its holes
_NUMBER = re.compile(r"\d+")
_CELL = re.compile(r"[a-z]{1,2}[1-9]\d{0,2}|pos-\d+-\d+")


class _Jump(NamedTuple):
    """A ground action that is a jump: two pegs, the vacancy, and what it does beside."""

    key: Key
    pegs: frozenset[Hole]
    to: Hole
    other: GroundAction


class RecognisedTask:
    """A task that is peg solitaire. Raises InputError, naming the action, for any other.

    ``domain`` is pegcp's domain for it, ``lines`` are its jumps in both directions, ``names`` the names of its holes.
    ``full`` and ``empty`` are the predicates of pegs and of vacancies, one of them None where only the other is used.
    ``between_moves`` is the fact that no move has begun, None where the task does not count moves.
    """

    def __init__(self, task: GroundTask, source: str) -> None:
        self.task, self.source = task, source
        self.full, self.empty = self._predicates()
        self.between_moves: Fact | None = None
        self.meanings: dict[Key, Meaning] = {}
        possible = set(task.start).union(*(action.gives for action in task.actions.values()))
        jumps, others = list[_Jump](), dict[Key, GroundAction]()
        for key, action in task.actions.items():
            jump = self._jump(key, action)
            if jump is not None:
                jumps.append(jump)
            elif all(self._is_of_board(fact) or fact in possible for fact in action.wants):
                others[key] = action
        middles = self._middles(jumps)
        self.lines = list(dict.fromkeys(middles.values()))
        self._read_jumps(jumps, middles)
        self._read_ends(others)
        self._check_moves()
        self.domain = self._domain()
        self.keys: dict[Meaning, Key] = {}
        for key, meaning in self.meanings.items():
            self.keys.setdefault(meaning, key)
        held = [fact[1] for fact in task.start if self._is_of_board(fact)]
        order = {name: number for number, name in enumerate(task.objects)}
        holes = dict.fromkeys([*(hole for line in self.lines for hole in line), *held])
        self.names = _names(sorted(holes, key=lambda hole: [(order.get(name, -1), name) for name in hole]))

    def _error(self, key: Key, message: str) -> InputError:
        error = self.task.lifted[key[0]].error(f"({' '.join(key)}) {message}")
        error.message = f"not peg solitaire: {error.message}"
        return error

    def _is_of_board(self, fact: Fact) -> bool:
        return fact[0] in (self.full, self.empty)

    def _predicates(self) -> tuple[str | None, str | None]:
        """The predicates of pegs and of vacancies: of two facts that a jump takes, or gives, and one the other way."""
        for action in self.task.actions.values():
            takes, gives = (Counter(fact[0] for fact in facts) for facts in (action.takes, action.gives))
            full = min((name for name in takes if takes[name] == 2 and gives[name] == 1), default=None)
            empty = min((name for name in gives if gives[name] == 2 and takes[name] == 1), default=None)
            if full or empty:
                return full, empty
        message = "not peg solitaire: no action is a jump, which takes a fact of two holes and gives it to a third"
        raise InputError(f"{message}; actions: {', '.join(self.task.lifted) or 'none'}", source=self.source)

    def _jump(self, key: Key, action: GroundAction) -> _Jump | None:
        """The jump that a ground action is; None if it changes no hole. Raises InputError for other changes."""

        def holes(facts: list[Fact], predicate: str | None) -> set[Hole]:
            return {fact[1] for fact in facts if fact[0] == predicate}

        emptied = [holes(action.takes, self.full)] if self.full else []
        filled = [holes(action.gives, self.full)] if self.full else []
        emptied += [holes(action.gives, self.empty)] if self.empty else []
        filled += [holes(action.takes, self.empty)] if self.empty else []
        if not any(emptied) and not any(filled):
            return None
        pegs, vacancies = emptied[0], filled[0]
        if len(pegs) != 2 or len(vacancies) != 1 or pegs & vacancies or emptied[-1] != pegs or filled[-1] != vacancies:
            raise self._error(key, "does not take two pegs and put one elsewhere")
        if holes(action.wants, self.full) | holes(action.refuses, self.empty) != pegs:
            raise self._error(key, "does not ask for the two pegs that it takes, and no others")
        if holes(action.wants, self.empty) | holes(action.refuses, self.full) != vacancies:
            raise self._error(key, "does not ask for the vacancy that it fills, and no other")
        return _Jump(key, frozenset(pegs), next(iter(vacancies)), self._other(action))

    def _other(self, action: GroundAction) -> GroundAction:
        """The action without its facts about pegs and vacancies."""
        wants, refuses, takes, gives = ([fact for fact in facts if not self._is_of_board(fact)] for facts in action[:4])
        return GroundAction(wants, refuses, takes, gives, action.cost)

    def _middles(self, jumps: list[_Jump]) -> dict[tuple[frozenset[Hole], Hole], tuple[Hole, Hole, Hole]]:
        """The lines of the jumps: the jump back goes over the same hole."""
        places = {(jump.pegs, jump.to): jump for jump in jumps}
        lines = {}
        for (pegs, to), jump in places.items():
            middles = [over for over in sorted(pegs) if (frozenset((over, to)), *(pegs - {over})) in places]
            if len(middles) != 1:
                raise self._error(jump.key, f"has {'more than one' if middles else 'no'} jump back")
            lines[pegs, to] = next(iter(pegs - {middles[0]})), middles[0], to
        return lines

    def _read_jumps(
        self, jumps: list[_Jump], middles: dict[tuple[frozenset[Hole], Hole], tuple[Hole, Hole, Hole]]
    ) -> None:
        """Find the meaning of each jump: a jump alone, or one that begins a move or goes on with one."""
        self.on_its_way: dict[Fact, Hole] = {}  # the facts that say which peg the move is made by
        for jump in jumps:
            for fact in jump.other.gives:
                if self.on_its_way.setdefault(fact, jump.to) != jump.to:
                    raise self._error(jump.key, f"does something else: {fact_text(fact)}")
        for key, pegs, to, other in jumps:
            line = middles[pegs, to]
            begin = other.wants[0] if len(other.wants) == 1 and other.wants == other.takes else None
            single = begin is not None and len(other.gives) == 1 and not other.refuses
            if not any(other[:4]):
                self.meanings[key] = "jump", line
            elif single and begin not in self.on_its_way and self.between_moves in (None, begin):
                self.between_moves = begin
                self.meanings[key] = "jump-new-move", line
            elif single and self.on_its_way.get(begin or ("", ())) == line[0]:
                self.meanings[key] = "jump-continue-move", line
            else:
                facts = [*other.wants, *other.refuses, *other.takes, *other.gives]
                raise self._error(key, f"does something else: {', '.join(map(fact_text, facts))}")

    def _read_ends(self, actions: dict[Key, GroundAction]) -> None:
        """See that each action that is no jump ends a move."""
        for key, action in actions.items():
            wants, refuses, takes, gives, _ = self._other(action)
            hole = self.on_its_way.get(wants[0]) if len(wants) == 1 else None
            conditions = [fact for fact in (*action.wants, *action.refuses) if self._is_of_board(fact)]
            pegs = [fact for fact in action.wants if fact == (self.full, hole)]
            if hole is None or refuses or takes != wants or gives != [self.between_moves] or conditions != pegs:
                raise self._error(key, "is neither a jump nor the end of a move")
            self.meanings[key] = "end-move", (hole,)

    def _check_moves(self) -> None:
        """See that all jumps begin moves and go on with them, and that a move can end wherever it leads."""
        if not self.on_its_way:
            return
        holes = list(self.on_its_way.values())
        if len(set(holes)) < len(holes) or self.on_its_way.keys() & self.task.start.keys():
            raise InputError("not peg solitaire: a move has begun at the start", source=self.source)
        needed: list[Meaning] = [("end-move", (line[2],)) for line in self.lines]
        needed += [(name, line) for line in self.lines for name in ("jump-new-move", "jump-continue-move")]
        possible = set(self.meanings.values())
        for name, where in needed:
            if (name, where) not in possible:
                at = " ".join("-".join(hole) for hole in where)
                raise InputError(f"not peg solitaire: no action is {name} at {at}", source=self.source)

    def _domain(self) -> Domain:
        """The domain of pegcp that says the same. Raises InputError for costs and times that are not understood."""
        costs = {key: self.task.actions[key].cost for key in self.meanings}
        self.has_costs = any(costs.values())
        for key, cost in costs.items() if self.has_costs else ():
            if cost != (self.meanings[key][0] in ("jump", "jump-new-move")):
                raise self._error(key, "has a cost that is neither one for each jump nor one for each move")
        durations = {action.duration for action in self.task.lifted.values()}
        self.duration = min(durations)
        for action in self.task.lifted.values() if any(durations) else ():
            names = {word: word for word in action.parameters}
            early = [literal.when == "start" for literal in action.literals(action.effect, names) if not literal.holds]
            early += [literal.when == "end" for literal in action.literals(action.effect, names) if literal.holds]
            early += [
                literal.when == "start"
                for literal in action.literals(action.condition, names)
                if literal.fact[0] in self.task.changing
            ]
            if len(durations) > 1 or self.on_its_way or None in (self.full, self.empty) or not all(early):
                raise action.error("with durations, a jump takes at its start and gives at its end, all in one time")
        name = "peg-steps" if self.duration else "peg-fewest-moves" if self.on_its_way else "peg-jumps"
        return next(domain for domain in DOMAINS if domain.name == name)

    # Facts

    def read_fact(self, fact: Fact) -> tuple[str, tuple[str, ...]] | None:
        """A fact in pegcp's words; None if it is about something else. Raises KeyError for a hole that is none."""
        if fact == self.between_moves:
            return "between-moves", ()
        if not self._is_of_board(fact):
            return None
        return "peg" if fact[0] == self.full else "vacant", (self.names[fact[1]],)

    # Plans

    def read_plan(self, steps: Iterable[Step]) -> Iterator[Step]:
        """Yield the actions of a plan as those of pegcp's domain.

        Raises InputError, naming the step, for an unknown action or object, and InvalidSolution for an action that is
        impossible where it stands.
        """
        true = set(self.task.start)
        for step in steps:
            if step.action not in self.task.lifted:
                raise step.fault(f'unknown action "{short(step.action)}"{suggestion(step.action, self.task.lifted)}')
            unknown = next((name for name in step.names if name not in self.task.objects), None)
            if unknown is not None:
                raise step.fault(f'there is no object "{short(unknown)}"{suggestion(unknown, self.task.objects)}')
            key = (step.action, *step.names)
            action = self.task.actions.get(key)
            if action is None:
                raise step.invalid("is impossible: the domain has no such action on these objects")
            fault = action.fault(true)
            if fault is not None:
                raise step.invalid(f"is impossible: {fault}")
            action.apply(true)
            name, holes = self.meanings[key]
            yield replace(step, action=name, names=tuple(self.names[hole] for hole in holes))

    def write_step(self, action: str, names: tuple[str, ...]) -> Key:
        """The action of the task, with its objects, for an action of pegcp's domain on holes."""
        holes = {name: hole for hole, name in self.names.items()}
        return self.keys[action, tuple(holes[name] for name in names)]


def _names(holes: list[Hole]) -> dict[Hole, str]:
    """Names of holes: their own; ``pos-ROW-COLUMN`` where two numbers are in them, or they have two coordinates."""
    numbers = [[int(n) for part in hole for n in _NUMBER.findall(part[:40])] for hole in holes]
    cells = all(len(hole) == 1 and _CELL.fullmatch(hole[0]) for hole in holes)
    if holes and not cells and all(len(pair) == 2 and max(pair) < 1000 for pair in numbers):
        top, left = (min(pair[i] for pair in numbers) for i in (0, 1))
        return {hole: f"pos-{row - top}-{column - left}" for hole, (row, column) in zip(holes, numbers, strict=True)}
    return {hole: "-".join(hole) for hole in holes}
