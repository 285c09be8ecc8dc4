"""Peg solitaire recognised in PDDL by what its actions do, whatever they are called.

A jump makes a fact of two holes false and of a third one true: its *full* facts. It may do the reverse with a second
predicate, the *empty* facts. Where the three holes can stand is what conditions that never change allow: a relation
of three objects, steps in a direction, coordinates, or an action for each jump. Pegs may be objects: then a full fact
has a peg beside its hole. What else an action does must be the bookkeeping of moves, or a count of steps that never
ends early.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import permutations

from pegcp.errors import InputError
from pegcp.formats.pddl.domains import DOMAINS, Domain
from pegcp.formats.pddl.syntax import Form, Node, Symbol, parse

Key = tuple[str, ...]  # the objects that stand for a hole
Line = tuple[Key, Key, Key]
Made = dict[tuple[str, tuple[str, ...]], tuple[str, tuple[str, ...]]]  # an action and holes: an action and objects
_MOST = 3_000_000  # values of parameters that are tried
_MOST_OBJECTS = 8  # of a fact: the places of a hole in it are found by trying
_NUMBERS = re.compile(r"\d+")


@dataclass(frozen=True)
class _Atom:
    predicate: str
    args: tuple[str, ...]

    def __str__(self) -> str:
        return f"({' '.join((self.predicate, *self.args))})"


@dataclass
class _Action:
    """An action as it stands: its parameters with their types, what it wants and does, and its cost."""

    name: str
    place: Node
    parameters: dict[str, str]
    durative: bool
    wants: list[_Atom] = field(default_factory=list)
    refuses: list[_Atom] = field(default_factory=list)
    gives: list[_Atom] = field(default_factory=list)
    takes: list[_Atom] = field(default_factory=list)
    cost: int = 0


@dataclass(frozen=True)
class _Jump:
    """An action that is a jump: the keys of two pegs and of a vacancy, and the peg that lands if it is told."""

    action: _Action
    pegs: tuple[Key, Key]
    to: Key


class Structure:
    """What the actions of a domain are. Raises InputError, naming the action and the atom, for another game."""

    def __init__(self, text: str, source: str) -> None:
        self.source = source
        self.name, self.supertypes, self.actions = "", dict[str, str](), list[_Action]()
        self.constants: dict[str, str] = {}
        self._read(text)
        self.arity = self._arities()
        self.changing = {atom.predicate for action in self.actions for atom in (*action.gives, *action.takes)}
        self.full, self.empty = self._predicates()
        self.places = self._places()
        self.jumps = [self._jump(action) for action in self.actions if self._is_jump(action)]
        self.between = self.on_its_way = self.count = ""
        for jump in self.jumps:
            self._examine(jump)
        for action in self.actions:
            if not self._is_jump(action):
                self._examine_other(action)

    def error(self, action: _Action, why: str) -> InputError:
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
                        self.supertypes.update(typed(section.items[1:]))
                    case Form(head=":constants"):
                        self.constants.update(typed(section.items[1:]))
                    case Form(head=":derived"):
                        raise InputError("derived predicates are not understood", source=self.source)
                    case Form(head=":action" | ":durative-action"):
                        self.actions.append(self._action(section))
                    case _:
                        pass

    def _action(self, section: Form) -> _Action:
        keys = dict(zip(map(str, section.items[2::2]), section.items[3::2], strict=False))
        parameters = keys.get(":parameters")
        found = _Action(
            str(section.items[1]),
            section,
            typed(parameters.items) if isinstance(parameters, Form) else {},
            section.head == ":durative-action",
        )
        condition = keys.get(":precondition", keys.get(":condition"))
        if condition is not None:
            self._literals(found, condition, found.wants, found.refuses)
        if ":effect" in keys:
            self._literals(found, keys[":effect"], found.gives, found.takes)
        found.gives = list(dict.fromkeys(found.gives))
        # What is taken and given again does not change, whatever the order.
        found.takes = [atom for atom in dict.fromkeys(found.takes) if atom not in found.gives]
        return found

    def _literals(self, action: _Action, node: Node, yes: list[_Atom], no: list[_Atom]) -> None:
        match node:
            case Form(items=()):
                pass
            case Form(head="and", items=(_, *parts)):
                for part in parts:
                    self._literals(action, part, yes, no)
            case Form(head="at" | "over", items=(_, Symbol(text="start" | "end" | "all"), part)):
                self._literals(action, part, yes, no)
            case Form(head="not", items=(_, part)):
                self._literals(action, part, no, yes)
            case Form(head="increase", items=(_, Form(head="total-cost"), Symbol(text=number))) if number.isdigit():
                action.cost += int(number)
            case Form(head=head, items=items) if head not in (
                "or",
                "forall",
                "exists",
                "when",
                "imply",
                "increase",
                "decrease",
                "assign",
                "preference",
            ) and not any(isinstance(item, Form) for item in items):
                yes.append(_Atom(head, tuple(map(str, items[1:]))))
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

    def _is_jump(self, action: _Action) -> bool:
        return any(
            sum(a.predicate == name for a in action.takes) == 2 and sum(a.predicate == name for a in action.gives) == 1
            for name in ({self.full} if self.full else self.changing)
        )

    def _predicates(self) -> tuple[str, str]:
        """The predicate of full holes, and that of empty ones, if there is one."""
        self.full = self.empty = ""
        jump = next(filter(self._is_jump, self.actions), None)
        if jump is None:
            raise InputError(
                "not peg solitaire: no action takes a fact of two holes and gives it to a third; actions: "
                + ", ".join(action.name for action in self.actions),
                source=self.source,
            )

        def counted(atoms: list[_Atom], times: int) -> set[str]:
            names = [atom.predicate for atom in atoms]
            return {name for name in names if names.count(name) == times}

        full = sorted(counted(jump.takes, 2) & counted(jump.gives, 1))
        empty = sorted(counted(jump.gives, 2) & counted(jump.takes, 1))
        return full[0], empty[0] if empty else ""

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

    def key(self, atom: _Atom) -> Key:
        """The hole of a full or empty fact."""
        return atom.args if atom.predicate == self.empty else tuple(atom.args[place] for place in self.places)

    def _jump(self, action: _Action) -> _Jump:
        first, second = (self.key(atom) for atom in action.takes if atom.predicate == self.full)
        (to,) = (self.key(atom) for atom in action.gives if atom.predicate == self.full)
        wanted = [atom for atom in action.wants if atom.predicate == self.full]
        missing = next((key for key in (first, second) if key not in map(self.key, wanted)), None)
        if missing is not None:
            raise self.error(action, f"it takes a peg at {' '.join(missing)} and does not ask for one")
        if self.empty:
            given = {self.key(atom) for atom in action.gives if atom.predicate == self.empty}
            if given != {first, second} or to not in [self.key(a) for a in action.takes if a.predicate == self.empty]:
                raise self.error(action, f"({self.empty} ...) is not the reverse of ({self.full} ...)")
        vacant = [self.key(a) for a in action.wants if self.empty and a.predicate == self.empty]
        vacant += [self.key(a) for a in action.refuses if a.predicate == self.full]
        if to not in vacant:
            raise self.error(action, f"it does not ask that {' '.join(to)} is empty")
        return _Jump(action, (first, second), to)

    def _examine(self, jump: _Jump) -> None:
        """See that a jump does nothing else but bookkeeping of moves or a count of steps."""
        action = jump.action
        known = {*jump.pegs, jump.to}
        others: list[list[_Atom]] = []
        for atoms in (action.wants, action.refuses, action.takes, action.gives):
            board = [atom for atom in atoms if atom.predicate in (self.full, self.empty)]
            strange = next((atom for atom in board if self.key(atom) not in known), None)
            if strange is not None:
                raise self.error(action, f"a fourth hole in {strange}")
            others.append([atom for atom in atoms if atom.predicate in self.changing and atom not in board])
        wants, refuses, takes, gives = others
        match wants, refuses, takes, gives:
            case [], [], [], []:
                return
            case [_Atom(args=()) as free], [], [taken], [_Atom(args=way) as given] if free == taken and way == jump.to:
                self.between, self.on_its_way = free.predicate, given.predicate
                return
            case [_Atom(args=way) as wanted], [], [taken], [given] if (
                wanted == taken and way in jump.pegs and given == _Atom(wanted.predicate, jump.to)
            ):
                self.on_its_way = wanted.predicate
                return
            case [_Atom(args=(now,)) as wanted], [], [taken], [_Atom(args=(then,)) as given] if (
                wanted == taken and given.predicate == wanted.predicate and {(now,), (then,)}.isdisjoint(known)
            ):
                self.count = wanted.predicate
                return
        strange = next(iter([*wants, *refuses, *takes, *gives]))
        raise self.error(action, f"{strange} is not understood")

    def _examine_other(self, action: _Action) -> None:
        """See that another action ends a move."""
        match [a for a in action.wants if a.predicate in self.changing], action.refuses, action.takes, action.gives:
            case [wanted, *more], [], [taken], [_Atom(args=()) as given] if (
                wanted == taken
                and wanted.predicate == self.on_its_way
                and given.predicate == self.between
                and all(atom == _Atom(self.full, wanted.args) for atom in more)
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
        moves, durative = bool(self.on_its_way), any(jump.action.durative for jump in self.jumps)
        for action in self.actions if self.has_costs else ():
            begins = not moves or any(atom.predicate == self.between for atom in action.wants)
            if action.cost != begins:
                raise self.error(action, f"a cost of {action.cost} here is neither one for each jump nor for each move")
        name = "peg-steps" if durative else "peg-fewest-moves" if moves else "peg-jumps"
        return next(domain for domain in DOMAINS if domain.name == name)


def typed(items: tuple[Node, ...]) -> dict[str, str]:
    """Names with their types; ``object`` for those that have none."""
    found: dict[str, str] = {}
    waiting: list[str] = []
    words = iter(map(str, items))
    for word in words:
        if word == "-":
            found.update(dict.fromkeys(waiting, next(words, "object")))
            waiting = []
        else:
            waiting.append(word)
    return {**found, **dict.fromkeys(waiting, "object")}


class Translation:
    """A problem of a recognised domain in pegcp's words: its ``sections`` in ``structure.domain``."""

    def __init__(self, structure: Structure, sections: Mapping[str, Form], source: str) -> None:
        self.structure, self.source = structure, source
        self.objects = {
            **structure.constants,
            **typed(sections[":objects"].items[1:] if ":objects" in sections else ()),
        }
        self.facts: dict[str, list[tuple[str, ...]]] = {}
        for node in sections[":init"].items[1:]:
            if isinstance(node, Form) and node.head not in ("=", "not"):
                self._check_arity(node)
                self.facts.setdefault(node.head, []).append(tuple(map(str, node.items[1:])))
        self._having: dict[tuple[str, int, str], list[tuple[str, ...]]] = {}
        for predicate, having in self.facts.items():
            for args in having:
                for place, arg in enumerate(args):
                    self._having.setdefault((predicate, place, arg), []).append(args)
        found = [(jump, *where) for jump in structure.jumps for where in self._where(jump)]
        lines = self._lines({(pegs, to) for _, pegs, to, _ in found})
        self.keys = list(dict.fromkeys(key for line in lines for key in line))
        for predicate in (structure.full, structure.empty):
            for args in self.facts.get(predicate, ()):
                self.keys.append(structure.key(_Atom(predicate, args)))
        order = {name: i for i, name in enumerate(self.objects)}
        self.keys = sorted(dict.fromkeys(self.keys), key=lambda key: [order.get(part, -1) for part in key])
        self.names = self._names()
        self.sections = self._translated(sections, lines)
        self.made = self._made(found, lines)

    def _made(self, found: Iterable[tuple[_Jump, frozenset[Key], Key, tuple[str, ...]]], lines: list[Line]) -> Made:
        """What the actions of ``structure.domain``, each with its holes, are in the domain that is translated."""
        at = {(frozenset(line[:2]), line[2]): line for line in lines}
        made: Made = {}
        for jump, pegs, to, objects in found:
            wanted = {atom.predicate for atom in jump.action.wants}
            name = {self.structure.between: "jump-new-move", self.structure.on_its_way: "jump-continue-move"}
            role = next((name[word] for word in name if word and word in wanted), "jump")
            made[role, tuple(self.names[key] for key in at[pegs, to])] = jump.action.name, objects
        for action in self.structure.actions:
            if len(action.parameters) == len(self.structure.places) and any(
                atom.predicate == self.structure.between for atom in action.gives
            ):
                made.update({("end-move", (self.names[key],)): (action.name, key) for key in self.keys})
        return made

    def _of_type(self, name: str, wanted: str) -> bool:
        type_, seen = self.objects.get(name, ""), set[str]()
        while type_ != wanted and type_ not in seen:
            seen.add(type_)
            type_ = self.structure.supertypes.get(type_, "object")
        return type_ == wanted or wanted == "object"

    def _where(self, jump: _Jump) -> Iterator[tuple[frozenset[Key], Key, tuple[str, ...]]]:
        """The places of two pegs and of a vacancy where a jump can ever be possible, with the objects of its action
        (fewer than it has parameters where pegs are objects)."""
        action = jump.action
        statics = [
            atom for atom in action.wants if atom.predicate not in self.structure.changing and atom.predicate != "="
        ]
        wanted = {arg for key in (*jump.pegs, jump.to) for arg in key}
        known = {arg for atom in statics for arg in atom.args}
        loose = next((arg for arg in sorted(wanted) if arg.startswith("?") and arg not in known), None)
        if loose is not None:
            raise self.structure.error(action, f"no relation that never changes says which hole {loose} can be")
        statics.sort(key=lambda atom: -len(atom.args))
        found: list[dict[str, str]] = [{}]
        for atom in statics:
            found = [
                more
                for some in found
                for args in self._candidates(atom, some)
                if (more := self._match(action, some, atom, args)) is not None
            ]
            if len(found) > _MOST:
                raise self.structure.error(action, "more jumps than can be listed")
        same = [atom.args for atom in action.wants if atom.predicate == "="]
        other = [atom.args for atom in action.refuses if atom.predicate == "="]
        refused = [
            atom for atom in action.refuses if atom.predicate not in self.structure.changing and atom.predicate != "="
        ]
        for values in found:
            value = {arg: values.get(arg, arg) for key in (*jump.pegs, jump.to) for arg in key} | values
            if any(value.get(a, a) != value.get(b, b) for a, b in same) or any(
                value.get(a, a) == value.get(b, b) for a, b in other
            ):
                continue
            if any(tuple(value.get(a, a) for a in atom.args) in self.facts.get(atom.predicate, ()) for atom in refused):
                continue
            first, second, to = (tuple(value[arg] for arg in key) for key in (*jump.pegs, jump.to))
            if len({first, second, to}) == 3:
                yield frozenset((first, second)), to, tuple(value[p] for p in action.parameters if p in value)

    def _candidates(self, atom: _Atom, some: dict[str, str]) -> list[tuple[str, ...]]:
        """The facts of a predicate that can go together with values of parameters."""
        for place, arg in enumerate(atom.args):
            if arg in some:
                return self._having.get((atom.predicate, place, some[arg]), [])
        return self.facts.get(atom.predicate, [])

    def _match(
        self, action: _Action, some: dict[str, str], atom: _Atom, args: tuple[str, ...]
    ) -> dict[str, str] | None:
        """Values of parameters with those that a static fact gives; None if they do not go together."""
        if len(args) != len(atom.args):
            return None
        values = dict(some)
        for parameter, value in zip(atom.args, args, strict=True):
            if not parameter.startswith("?"):
                if parameter != value:
                    return None
                continue
            type_ = action.parameters.get(parameter, "object")
            if values.setdefault(parameter, value) != value or not self._of_type(value, type_):
                return None
        return values

    def _lines(self, places: set[tuple[frozenset[Key], Key]]) -> list[Line]:
        """The jumps, with the hole in the middle found out: that which the jump back goes over, too."""
        lines: list[Line] = []
        for pegs, to in sorted(places, key=lambda place: (sorted(place[0]), place[1])):
            middles = [over for over in pegs if (frozenset((over, to)), *(pegs - {over})) in places]
            if len(middles) != 1:
                told = " and ".join(" ".join(key) for key in sorted(pegs))
                why = "back" if not middles else "in one way only"
                raise InputError(
                    f"not peg solitaire: pegs at {told} can jump to {' '.join(to)}, and cannot jump {why}",
                    source=self.source,
                )
            (from_,) = pegs - {middles[0]}
            lines.append((from_, middles[0], to))
        return lines

    def _names(self) -> dict[Key, str]:
        """Names of holes: their own; ``pos-ROW-COLUMN`` where two numbers are in them, or they have two coordinates."""
        numbers = [[int(n) for part in key for n in _NUMBERS.findall(part)] for key in self.keys]
        grid = all(re.fullmatch(r"[a-z]{1,2}[1-9]\d{0,2}|pos-\d+-\d+", key[0]) for key in self.keys if len(key) == 1)
        if all(len(pair) == 2 and max(pair) < 1000 for pair in numbers) and not (grid and len(self.keys[0]) == 1):
            top, left = (min(pair[i] for pair in numbers) for i in (0, 1))
            return {
                key: f"pos-{row - top}-{column - left}" for key, (row, column) in zip(self.keys, numbers, strict=True)
            }
        return {key: "-".join(key) for key in self.keys}

    def _translated(self, sections: Mapping[str, Form], lines: list[Line]) -> dict[str, Form]:
        structure, init = self.structure, sections[":init"]
        at = (init.line, init.column)

        def form(*items: str | Form) -> Form:
            return Form(tuple(Symbol(item, *at) if isinstance(item, str) else item for item in items), *at)

        pegs = {structure.key(_Atom(structure.full, args)) for args in self.facts.get(structure.full, ())}
        empty = {structure.key(_Atom(structure.empty, args)) for args in self.facts.get(structure.empty, ())}
        facts = [form("line", *(self.names[key] for key in line)) for line in lines]
        facts += [form("peg", self.names[key]) for key in self.keys if key in pegs]
        facts += [
            form("vacant", self.names[key]) for key in self.keys if key in empty or not (structure.empty or key in pegs)
        ]
        facts += [form("between-moves")] if structure.between in self.facts and structure.between else []
        facts += [node for node in init.items[1:] if isinstance(node, Form) and node.head == "="]
        if structure.on_its_way and structure.on_its_way in self.facts:
            raise InputError(f"({structure.on_its_way} ...) at the start: a move has begun", source=self.source)
        if structure.count:
            self._check_count(len(pegs) - 1)
        found = {":objects": form(":objects", *self.names.values()), ":init": form(":init", *facts)}
        found[":goal"] = Form((sections[":goal"].items[0], *map(self._goal, sections[":goal"].items[1:])), *at)
        return {**found, **({":metric": sections[":metric"]} if ":metric" in sections else {})}

    def _goal(self, node: Node) -> Node:
        """A goal in pegcp's words; what is not understood stays as it is, and is refused later."""
        structure = self.structure
        match node:
            case Form(head="and" | "preference", items=(head, *parts)):
                return Form((head, *(self._goal(part) for part in parts)), node.line, node.column)
            case Form(head="exists", items=(_, _, Form(head=head) as fact)) if head == structure.full:
                return self._goal(fact) if len(structure.places) < len(fact.items) - 1 else node
            case Form(head="not", items=(_, Form(head=head) as fact)) if head in (structure.full, structure.empty):
                return self._fact(fact, (head == structure.full) ^ True)
            case Form(head=head) if head and head in (structure.full, structure.empty):
                named = [str(item) for i, item in enumerate(node.items[1:]) if i not in structure.places]
                if head == structure.full and any(not name.startswith("?") for name in named):
                    raise InputError(
                        f"the goal is about one peg, {named[0]}: pegs are alike here",
                        source=self.source, line=node.line, column=node.column,
                    )  # fmt: skip
                return self._fact(node, head == structure.full)
            case Form(head=head, items=(head_node,)) if head and head == structure.between:
                return Form((Symbol("between-moves", head_node.line, head_node.column),), node.line, node.column)
            case _:
                return node

    def _check_arity(self, fact: Form) -> None:
        if len(fact.items) - 1 != self.structure.arity.get(fact.head, len(fact.items) - 1):
            told = f"{fact} has not as many objects as in the actions of the domain"
            raise InputError(told, source=self.source, line=fact.line, column=fact.column)

    def _fact(self, fact: Form, peg: bool) -> Form:
        self._check_arity(fact)
        key = self.structure.key(_Atom(fact.head, tuple(map(str, fact.items[1:]))))
        if key not in self.names:
            raise InputError(f"{fact}: there is no such hole", source=self.source, line=fact.line, column=fact.column)
        words = ("peg" if peg else "vacant", self.names[key])
        return Form(tuple(Symbol(word, fact.line, fact.column) for word in words), fact.line, fact.column)

    def _check_count(self, jumps: int) -> None:
        """See that a count of steps goes on for as long as there are pegs to jump over."""
        structure = self.structure
        action = next(jump.action for jump in structure.jumps)
        now = next(atom.args[0] for atom in action.takes if atom.predicate == structure.count)
        then = next(atom.args[0] for atom in action.gives if atom.predicate == structure.count)
        after = next(
            (
                atom
                for atom in action.wants
                if set(atom.args) == {now, then} and atom.predicate not in structure.changing
            ),
            None,
        )
        if after is None:
            raise structure.error(action, f"({structure.count} ...) is not understood")
        order = after.args.index(now)
        following = {args[order]: args[1 - order] for args in self.facts.get(after.predicate, ())}
        at, steps = (self.facts.get(structure.count) or [("",)])[0][0], 0
        while at in following and steps < jumps:
            at, steps = following[at], steps + 1
        if steps < jumps:
            raise structure.error(action, f"({structure.count} ...) allows {steps} jumps, and there may be {jumps}")
