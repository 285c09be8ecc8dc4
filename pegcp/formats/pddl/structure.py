"""Peg solitaire recognised in PDDL by what its actions do, whatever they are called.

A jump makes a fact of two holes false and of a third one true: its *full* facts. It may do the reverse with a second
predicate, the *empty* facts. Where the three holes can stand is what conditions that never change allow: a relation
of three objects, steps in a direction, coordinates, or an action for each jump. Pegs may be objects: then a full fact
has a peg beside its hole. What else an action does must be the bookkeeping of moves, or a count of steps that never
ends early.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from itertools import permutations

from pegcp.errors import InputError
from pegcp.formats.pddl.domains import DOMAINS, Domain
from pegcp.formats.pddl.syntax import Form, Node, Symbol, parse, types

Key = tuple[str, ...]  # the objects that stand for a hole
Facts = Mapping[str, Collection[Key]]  # by predicate, of which objects it is true
_NUMBER = re.compile(r"\d{1,6}(\.\d{1,6})?")
_NO_FACTS = ("not", "or", "forall", "exists", "when", "imply", "increase", "decrease", "assign", "preference")
_MOST_OBJECTS = 8  # of a fact: the places of a hole in it are found by trying


@dataclass(frozen=True)
class Atom:
    """A fact, of objects or parameters."""

    predicate: str
    args: tuple[str, ...]

    def __str__(self) -> str:
        return f"({' '.join((self.predicate, *self.args))})"

    def on(self, values: Mapping[str, str]) -> Key:
        """The objects that it is about."""
        return tuple(values.get(arg, arg) for arg in self.args)


@dataclass
class Action:
    """An action as it stands: its parameters with their types, what it wants and does, and its cost."""

    name: str
    place: Node
    parameters: dict[str, str]
    duration: str = ""
    wants: list[Atom] = field(default_factory=list)
    refuses: list[Atom] = field(default_factory=list)
    gives: list[Atom] = field(default_factory=list)
    takes: list[Atom] = field(default_factory=list)
    cost: int = 0

    def fault(self, values: Mapping[str, str], true: Facts) -> str | None:
        """What is not as it must be for the action on these objects, of what is true; None if nothing is missing."""
        for atoms, holds in ((self.wants, True), (self.refuses, False)):
            for atom in atoms:
                args = atom.on(values)
                met = len(set(args)) < 2 if atom.predicate == "=" else args in true.get(atom.predicate, ())
                if met != holds:
                    return f"{Atom(atom.predicate, args)} is {'not ' if holds else ''}true"
        return None


@dataclass(frozen=True)
class JumpAction:
    """An action that is a jump: the keys of two pegs and of a vacancy; ``which``: the pegs, where they are objects."""

    action: Action
    pegs: tuple[Key, Key]
    to: Key
    which: Key

    def at(self, values: Mapping[str, str]) -> tuple[Key, Key, Key]:
        """The holes of the pegs and the vacancy."""
        first, second, to = (tuple(values.get(arg, arg) for arg in key) for key in (*self.pegs, self.to))
        return first, second, to


class Structure:
    """What the actions of a domain are. Raises InputError, naming the action and the atom, for another game."""

    def __init__(self, text: str, source: str) -> None:
        self.source = source
        self.name, self.supertypes, self.actions = "", dict[str, str](), list[Action]()
        self.constants: dict[str, str] = {}
        self.duration = ""
        self.lasting: list[tuple[Action, Atom]] = []  # what must hold at other times than the start of an action
        self._read(text)
        self.arity = self._arities()
        self.changing = {atom.predicate for action in self.actions for atom in (*action.gives, *action.takes)}
        for action, atom in self.lasting:
            if atom.predicate in self.changing:
                raise self.error(action, f"it wants {atom} later than at its start")
        self.full, self.empty = self._predicates()
        self.places = self._places()
        self.jumps = [self._jump(action) for action in self.actions if self._is_jump(action)]
        self.between = self.on_its_way = self.count = ""
        for jump in self.jumps:
            self._examine(jump)
        self.ends = [action for action in self.actions if not self._is_jump(action)]
        for action in self.ends:
            self._examine_other(action)
        for action in self.actions:
            known = {arg for atom in action.wants if atom.predicate != "=" for arg in atom.args}
            for parameter in action.parameters.keys() - known:
                raise self.error(action, f"it does not ask for anything of {parameter}")
        wanted = {atom.predicate for jump in self.jumps for atom in jump.action.wants}
        books = {self.between, self.on_its_way}
        for action in (jump.action for jump in self.jumps) if self.on_its_way else ():
            if not (self.ends and books <= wanted):
                told = "goes on with" if self.ends else "ends"
                raise self.error(action, f"no action {told if self.between else 'begins'} a move")
            if books.isdisjoint(atom.predicate for atom in action.wants):
                raise self.error(action, "it is in no move")

    def error(self, action: Action, why: str) -> InputError:
        """An error about an action."""
        message = f"not peg solitaire: action {action.name}: {why}"
        return InputError(message, source=self.source, line=action.place.line, column=action.place.column)

    # Reading

    def _read(self, text: str) -> None:
        for define in parse(text, self.source):
            if not isinstance(define, Form) or define.head != "define":
                raise InputError(f"expected (define (domain ...) ...), found {define}", source=self.source)
            for section in define.items[1:]:
                match section:
                    case Form(head="domain", items=(_, name)):
                        self.name = str(name)
                    case Form(head=":types"):
                        self.supertypes.update(types(section.items[1:]))
                    case Form(head=":constants"):
                        self.constants.update(types(section.items[1:]))
                    case Form(head=":derived"):
                        raise InputError("derived predicates are not understood", source=self.source)
                    case Form(head=":action" | ":durative-action"):
                        self.actions.append(self._action(section))
                    case _:
                        pass

    def _action(self, section: Form) -> Action:
        keys = dict(zip(map(str, section.items[2::2]), section.items[3::2], strict=False))
        parameters = keys.get(":parameters")
        found = Action(
            " ".join(map(str, section.items[1:2])),
            section,
            types(parameters.items) if isinstance(parameters, Form) else {},
            self._duration(section, keys.get(":duration")) if section.head == ":durative-action" else "",
        )
        condition = keys.get(":precondition", keys.get(":condition"))
        if condition is not None:
            self._literals(found, condition, found.wants, found.refuses)
        if ":effect" in keys:
            self._literals(found, keys[":effect"], found.gives, found.takes)
        for atom in (*found.wants, *found.refuses, *found.gives, *found.takes):
            for arg in atom.args:
                if arg.startswith("?") and arg not in found.parameters:
                    raise self.error(found, f"{arg} in {atom} is no parameter")
        found.gives = list(dict.fromkeys(found.gives))
        # What is taken and given again does not change, whatever the order.
        found.takes = [atom for atom in dict.fromkeys(found.takes) if atom not in found.gives]
        return found

    def _duration(self, section: Form, node: Node | None) -> str:
        """How long an action takes: as long as all others."""
        match node:
            case Form(head="=", items=(_, Symbol(text="?duration"), Symbol(text=number))) if _NUMBER.fullmatch(number):
                if self.duration in ("", number):
                    self.duration = number
                    return number
        told = f"a duration that is not (= ?duration {self.duration or 'NUMBER'}), the same for all actions"
        raise InputError(f"not peg solitaire: {told}", source=self.source, line=section.line, column=section.column)

    def _literals(self, action: Action, node: Node, yes: list[Atom], no: list[Atom]) -> None:
        match node:
            case Form(items=()):
                pass
            case Form(head="and", items=(_, *parts)):
                for part in parts:
                    self._literals(action, part, yes, no)
            case Form(head="at" | "over", items=(_, Symbol(text="start" | "end" | "all" as when), part)):
                positive, negative = list[Atom](), list[Atom]()
                self._literals(action, part, positive, negative)
                wrong = positive if when == "start" else negative
                if yes is not action.gives:
                    self.lasting += [(action, atom) for atom in (*positive, *negative) if when != "start"]
                elif wrong:
                    raise self.error(action, f"it {'gives' if when == 'start' else 'takes'} {wrong[0]} at {when}")
                yes += positive
                no += negative
            case Form(head="not", items=(_, part)):
                self._literals(action, part, no, yes)
            case Form(head="increase", items=(_, Form(head="total-cost"), Symbol(text=number))) if number.isdigit():
                action.cost += int(number)
            case Form(head=head, items=items) if head not in _NO_FACTS and not any(isinstance(i, Form) for i in items):
                yes.append(Atom(head, tuple(map(str, items[1:]))))
            case _:
                raise self.error(action, f"{node} is not understood")

    def _arities(self) -> dict[str, int]:
        """How many objects each predicate is about: as many in all actions."""
        found: dict[str, int] = {}
        for action in self.actions:
            for atom in (*action.wants, *action.refuses, *action.takes, *action.gives):
                if found.setdefault(atom.predicate, len(atom.args)) != len(atom.args):
                    raise self.error(action, f"{atom} has {len(atom.args)} objects, elsewhere {found[atom.predicate]}")
                if len(atom.args) > _MOST_OBJECTS:
                    raise self.error(action, f"{atom} has more than {_MOST_OBJECTS} objects")
        return found

    # What the actions are

    def _is_jump(self, action: Action) -> bool:
        return self.full in _moved(action.takes, action.gives)

    def _predicates(self) -> tuple[str, str]:
        """The predicate of full holes, and that of empty ones, if there is one."""
        for action in self.actions:
            for full in sorted(_moved(action.takes, action.gives)):
                return full, min(_moved(action.gives, action.takes), default="")
        raise InputError(
            "not peg solitaire: no action takes a fact of two holes and gives it to a third; actions: "
            + ", ".join(action.name for action in self.actions),
            source=self.source,
        )

    def _places(self) -> tuple[int, ...]:
        """The places of a full fact that are its hole: those that an empty fact has, too; all where there is none."""
        jump = next(filter(self._is_jump, self.actions))
        pegs = [atom.args for atom in jump.takes if atom.predicate == self.full]
        if not self.empty:
            return tuple(range(len(pegs[0])))
        empty = {atom.args for atom in jump.gives if atom.predicate == self.empty}
        for places in permutations(range(len(pegs[0])), len(next(iter(empty)))):
            if {tuple(args[place] for place in places) for args in pegs} == empty:
                return places
        raise self.error(jump, f"it empties other holes than it takes pegs from: {jump.gives[0]}")

    def key(self, atom: Atom) -> Key:
        """The hole of a full or empty fact."""
        return atom.args if atom.predicate == self.empty else tuple(atom.args[place] for place in self.places)

    def _jump(self, action: Action) -> JumpAction:
        def keys(atoms: list[Atom], predicate: str) -> list[Key]:
            return [self.key(atom) for atom in atoms if predicate and atom.predicate == predicate]

        full, empty = self.full, self.empty
        (first, second), (to,) = keys(action.takes, full), keys(action.gives, full)
        wanted, taken = ([a for a in atoms if a.predicate == full] for atoms in (action.wants, action.takes))
        missing = next((key for key in (first, second) if key not in map(self.key, wanted)), None)
        if missing is not None:
            raise self.error(action, f"it takes a peg at {' '.join(missing)} and does not ask for one")
        if set(wanted) != set(taken):
            raise self.error(action, f"it does not take the pegs that it asks for: {wanted[0]}")
        if empty and (set(keys(action.gives, empty)) != {first, second} or to not in keys(action.takes, empty)):
            raise self.error(action, f"({empty} ...) is not the reverse of ({full} ...)")
        vacant = {*keys(action.wants, empty), *keys(action.refuses, full)}
        if vacant != {to} or to in keys(action.refuses, empty):
            raise self.error(action, f"it does not ask that {' '.join(to)} is empty, and no other hole")
        (landing,) = (self.beside(atom) for atom in action.gives if atom.predicate == full)
        which = tuple(arg for atom in taken for arg in self.beside(atom))
        strange = next((arg for arg in which if arg not in action.parameters or which.count(arg) > 1), None)
        if strange or not set(landing) <= set(which):
            raise self.error(action, f"the peg {strange or landing[0]} is none of two that it takes")
        about = [atom for atom in action.wants if len(atom.args) > 1]
        about += [atom for atom in action.refuses if atom.predicate != "=" or not set(atom.args) <= set(which)]
        for atom in about:
            if atom.predicate != full and not set(which).isdisjoint(atom.args):
                raise self.error(action, f"{atom} is about one peg: pegs are alike here")
        return JumpAction(action, (first, second), to, which)

    def beside(self, atom: Atom) -> Key:
        """The peg of a full fact, where pegs are objects."""
        return tuple(arg for place, arg in enumerate(atom.args) if place not in self.places)

    def ending(self, action: Action) -> Atom:
        """What the end of a move takes: where the peg is that was on its way."""
        return next(atom for atom in action.takes if atom.predicate == self.on_its_way)

    def _examine(self, jump: JumpAction) -> None:
        """See that a jump does nothing else but bookkeeping of moves or a count of steps."""
        action = jump.action
        known = {*jump.pegs, jump.to}
        others: list[list[Atom]] = []
        for atoms in (action.wants, action.refuses, action.takes, action.gives):
            board = [atom for atom in atoms if atom.predicate in (self.full, self.empty)]
            strange = next((atom for atom in board if self.key(atom) not in known), None)
            if strange is not None:
                raise self.error(action, f"a fourth hole in {strange}")
            others.append([atom for atom in atoms if atom.predicate in self.changing and atom not in board])
        wants, refuses, takes, gives = others
        match wants, refuses, takes, gives:
            case [], [], [], []:
                books = ("", "", "")
            case [Atom(args=()) as free], [], [taken], [Atom(args=way) as given] if free == taken and way == jump.to:
                books = (free.predicate, given.predicate, "")
            case [Atom(args=way) as wanted], [], [taken], [given] if (
                wanted == taken and way in jump.pegs and given == Atom(wanted.predicate, jump.to)
            ):
                books = ("", wanted.predicate, "")
            case [Atom(args=(now,)) as wanted], [], [taken], [Atom(args=(then,)) as given] if (
                wanted == taken and given.predicate == wanted.predicate and {(now,), (then,)}.isdisjoint(known)
            ):
                books = ("", "", wanted.predicate)
            case _:
                strange = next(iter([*wants, *refuses, *takes, *gives]))
                raise self.error(action, f"{strange} is not understood")
        kept = self.between, self.on_its_way, self.count
        for old, new in zip(kept, books, strict=True):
            if old and new and old != new:
                raise self.error(action, f"({new} ...) is not understood beside ({old} ...)")
        self.between, self.on_its_way, self.count = (old or new for old, new in zip(kept, books, strict=True))

    def _examine_other(self, action: Action) -> None:
        """See that another action ends a move."""
        match [a for a in action.wants if a.predicate in self.changing], action.refuses, action.takes, action.gives:
            case [wanted, *more], [], [taken], [Atom(args=()) as given] if (
                wanted == taken
                and wanted.predicate == self.on_its_way
                and given.predicate == self.between
                and all(atom == Atom(self.full, wanted.args) for atom in more)
            ):
                return
        board = [atom for atom in (*action.takes, *action.gives) if atom.predicate in (self.full, self.empty)]
        strange = next(iter([*board, *action.takes, *action.gives, *action.wants]), None)
        raise self.error(action, f"it is neither a jump nor the end of a move: {strange or 'it does nothing'}")

    @property
    def has_costs(self) -> bool:
        """Whether some action costs something."""
        return any(action.cost for action in self.actions)

    @property
    def domain(self) -> Domain:
        """The domain of pegcp that says the same. Raises InputError for other costs."""
        moves, durative = bool(self.on_its_way), any(jump.action.duration for jump in self.jumps)
        for action in self.actions if self.has_costs else ():
            begins = not moves or any(atom.predicate == self.between for atom in action.wants)
            if action.cost != begins:
                raise self.error(action, f"a cost of {action.cost} here is neither one for each jump nor for each move")
        name = "peg-steps" if durative else "peg-fewest-moves" if moves else "peg-jumps"
        return next(domain for domain in DOMAINS if domain.name == name)


def _moved(two: list[Atom], one: list[Atom]) -> set[str]:
    """The predicates of two of these facts, and of one of those."""
    here, there = (Counter(atom.predicate for atom in atoms) for atoms in (two, one))
    return {name for name, count in here.items() if count == 2 and there[name] == 1}
