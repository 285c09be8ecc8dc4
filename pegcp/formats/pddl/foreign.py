"""Peg solitaire in a domain of other names, recognised by what its actions do to the objects of a problem.

A jump makes a fact of two holes false and of a third one true: its *full* facts. It may do the reverse with a second
predicate, the *empty* facts. Where the three holes can stand is what conditions that never change allow: a relation
of three objects, steps in a direction, coordinates, or an action for each jump. What else an action does must be the
bookkeeping of moves, or a count of steps that never ends early.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import NoReturn

from pegcp.errors import InputError, InvalidSolution, suggestion
from pegcp.formats.pddl.actions import Action, Atom, Fact, Step, read_action, told, typed
from pegcp.formats.pddl.domains import DOMAINS
from pegcp.formats.pddl.facts import Line, Reader, Start
from pegcp.formats.pddl.steps import Written, short
from pegcp.formats.pddl.syntax import Form, Node, Symbol

Key = tuple[str, ...]  # the objects that stand for a hole
Place = tuple[frozenset[Key], Key]  # two pegs, and the vacancy
Meant = tuple[str, tuple[Key, ...]]  # an action of pegcp's domain and its holes
_MOST = 300_000  # objects of parameters that are tried
_NUMBERS = re.compile(r"\d+")


class Foreign(Reader):
    """A problem of a domain of other names. Raises InputError, naming the action and the atom, for another game."""

    def __init__(self, domain: list[Node], domain_source: str, source: str) -> None:
        super().__init__(source)
        self.title, self.supertypes, self.actions = "", dict[str, str](), dict[str, Action]()
        self.types = dict[str, str]()  # of objects and constants
        self.arity = dict[str, int]()
        self._read(domain, domain_source)
        self.has_costs = any(action.cost for action in self.actions.values())
        self.changing = {atom.predicate for a in self.actions.values() for atom in (*a.takes, *a.gives)}
        self._check_actions()

    def recognise(self, sections: Mapping[str, Form]) -> None:
        """Find out what the actions do to the objects of a problem."""
        if ":objects" in sections:
            self.types |= typed(sections[":objects"].items[1:])
        self.facts = list(dict.fromkeys(self._facts(sections[":init"])))
        self._having: defaultdict[tuple[object, ...], list[Key]] = defaultdict(list)
        for predicate, args in self.facts:
            self._having[predicate,].append(args)
            for at, arg in enumerate(args):
                self._having[predicate, at, arg].append(args)
        self.known = frozenset(self.facts)
        every = [(a, values, step) for a in self.actions.values() for values, step in self._possible(a)]
        self.full, self.empty = self._predicates([step for *_, step in every])
        self.between = self.on_its_way = self.count = ""
        self.ticks: defaultdict[Place, dict[str, str]] = defaultdict(dict)
        jumps = [(a, values, step, self._jump(a, step)) for a, values, step in every if self._is_jump(step)]
        lines = self._lines({place for *_, (_, place) in jumps})
        self.meant: dict[tuple[str, Key], Meant] = {}  # what the actions are, by their names and objects
        for action, objects, step, (role, place) in jumps:
            self._check_move(action, step, role, lines[place])
            self.meant[action.name, objects] = role, lines[place]
        for action, objects, step in every:
            if not self._is_jump(step):
                self.meant[action.name, objects] = "end-move", (self._end(action, step),)
        self.ways: defaultdict[Meant, list[tuple[str, Key]]] = defaultdict(list)
        for way, meant in self.meant.items():
            self.ways[meant].append(way)
        self._check_roles()
        self.lines = dict.fromkeys(holes for _, holes in self.ways if len(holes) == 3)
        if self.count:
            self._check_count(Counter(predicate for predicate, _ in self.facts)[self.full] - 1)
        self._name_holes(sections[":init"])

    def _read(self, defines: list[Node], source: str) -> None:
        for define in defines:
            if not isinstance(define, Form) or define.head != "define":
                raise InputError(f"expected (define (domain ...) ...), found {define}", source=source)
            for section in define.items[1:]:
                match section:
                    case Form(head="domain", items=(_, name)):
                        self.title = str(name)
                    case Form(head=":types"):
                        self.supertypes.update(typed(section.items[1:]))
                    case Form(head=":constants"):
                        self.types.update(typed(section.items[1:]))
                    case Form(head=":derived"):
                        raise InputError("derived predicates are not understood", source=source)
                    case Form(head=":action" | ":durative-action"):
                        action = read_action(section, source)
                        if action.name in self.actions:
                            raise action.error("a second action of that name")
                        self.actions[action.name] = action
                    case _:
                        pass

    def _check_actions(self) -> None:
        for action in self.actions.values():
            free = [(a, arg) for a in action.atoms for arg in a.args if arg[:1] == "?" and arg not in action.parameters]
            for atom, arg in free:
                raise action.error(f"{arg} in {atom} is no parameter")
            for parameter in action.parameters:
                if parameter[:1] != "?":
                    raise action.error(f"{parameter} is no variable")
            for atom in action.atoms:
                number = self.arity.setdefault(atom.predicate, len(atom.args))
                if number != len(atom.args):
                    raise action.error(f"{atom} has {len(atom.args)} objects, elsewhere {number}")
            for atom in action.later:
                if atom.predicate in self.changing:
                    raise action.error(f"it wants {atom} later than at its start")
            if action.weighs:
                raise action.error("its cost is not a number")
            if action.duration != next(iter(self.actions.values())).duration:
                raise action.error("its duration is not that of the other actions")

    @property
    def duration(self) -> str:
        """How long each action takes, as it is written; nothing where they have no durations."""
        return next(iter(self.actions.values())).duration

    def _facts(self, section: Form) -> Iterator[tuple[str, Key]]:
        for node in section.items[1:]:
            if isinstance(node, Form) and node.head not in ("=", "not"):
                yield node.head, self._objects(node)

    def _objects(self, fact: Form) -> Key:
        """The objects of a fact. Raises InputError if one is not declared, or they are not as many as in the domain."""
        for item in fact.items[1:]:
            if str(item) not in self.types:
                raise self.error(item, f"{fact}: unknown object {item}")
        if len(fact.items) - 1 != self.arity.get(fact.head, len(fact.items) - 1):
            raise self.error(fact, f"{fact} has not as many objects as in the actions of the domain")
        return tuple(map(str, fact.items[1:]))

    def of_type(self, name: str, wanted: str) -> bool:
        """Whether an object is of a type."""
        type_, seen = self.types.get(name, ""), set[str]()
        while type_ != wanted and type_ not in seen:
            seen.add(type_)
            type_ = self.supertypes.get(type_, "object")
        return type_ == wanted or wanted == "object"

    # On which objects an action is possible

    def _possible(self, action: Action) -> Iterator[tuple[Key, Step]]:
        """On which objects an action can ever be possible, and what it wants and does there of what changes."""
        statics = [atom for atom in action.wants if atom.predicate not in {*self.changing, "="}]
        found: list[dict[str, str]] = [{}]
        for atom in sorted(statics, key=lambda atom: -len(atom.args)):  # first what says most
            found = [more for some in found for more in self._matches(action, atom, some)]
            self._check_number(action, len(found))
        told_of = {arg for atom in statics for arg in atom.args}
        loose = [parameter for parameter in action.parameters if parameter not in told_of]
        if len(loose) > 1:
            raise action.error(f"no relation that never changes says what {loose[0]} can be")
        for parameter in loose:
            names = [name for name in self.types if self.of_type(name, action.parameters[parameter])]
            self._check_number(action, len(found) * len(names))
            found = [{**some, parameter: name} for some in found for name in names]
        for values in found:
            wants, refuses, takes, gives = action.on(values)
            fixed = Step([f for f in wants if f[0] == "="], [f for f in refuses if f[0] not in self.changing], [], [])
            if fixed.fault(self.known) is None and not any(fact in wants for fact in refuses):
                wants, refuses = ([fact for fact in facts if fact[0] in self.changing] for facts in (wants, refuses))
                yield tuple(values[name] for name in action.parameters), Step(wants, refuses, takes, gives)

    @staticmethod
    def _check_number(action: Action, number: int) -> None:
        if number > _MOST:
            raise action.error("more jumps than can be listed")

    def _matches(self, action: Action, atom: Atom, some: dict[str, str]) -> Iterator[dict[str, str]]:
        """The values of parameters, beside those that are given, with which an atom is a fact of the start."""
        known = next((place for place, arg in enumerate(atom.args) if arg in some), None)
        narrow = (atom.predicate,) if known is None else (atom.predicate, known, some[atom.args[known]])
        for args in self._having.get(narrow, ()):
            values = dict(some)
            for arg, value in zip(atom.args, args, strict=True):
                type_ = action.parameters.get(arg)
                if (values.setdefault(arg, value) if type_ else arg) != value or not self.of_type(
                    value, type_ or "object"
                ):
                    break
            else:
                yield values

    # What the actions are

    def _predicates(self, steps: list[Step]) -> tuple[str, str]:
        """The predicate of full holes, and that of empty ones, if there is one."""
        for step in steps:
            taken, given = (Counter(predicate for predicate, _ in facts) for facts in (step.takes, step.gives))
            full = min((name for name in taken if (taken[name], given[name]) == (2, 1)), default=None)
            if full is not None:
                return full, min((name for name in given if (taken[name], given[name]) == (1, 2)), default="")
        told = "not peg solitaire: no action takes a fact of two holes and gives it to a third"
        raise InputError(f"{told}; actions: {', '.join(self.actions)}", source=self.source)

    def _is_jump(self, step: Step) -> bool:
        return len(_of(self.full, step.takes)) == 2 and len(_of(self.full, step.gives)) == 1

    def _jump(self, action: Action, step: Step) -> tuple[str, Place]:
        """What a jump is called in pegcp's domain, and where it is. Raises InputError for what else it wants."""
        pegs, (to,) = _of(self.full, step.takes), _of(self.full, step.gives)
        for peg in pegs:
            if peg not in _of(self.full, step.wants):
                raise action.error(f"it takes a peg at {' '.join(peg)} and does not ask for one")
        if set(_of(self.full, step.wants)) != set(pegs):
            raise action.error("it does not take the pegs that it asks for")
        if self.empty and (set(_of(self.empty, step.gives)) != set(pegs) or _of(self.empty, step.takes) != [to]):
            raise action.error(f"({self.empty} ...) is not the reverse of ({self.full} ...)")
        vacant = {*_of(self.full, step.refuses), *(_of(self.empty, step.wants) if self.empty else ())}
        if vacant != {to} or not set(_of(self.empty, step.refuses)) <= set(pegs):
            raise action.error(f"it does not ask that {' '.join(to)} is empty, and no other hole")
        place = frozenset(pegs), to
        others = [[fact for fact in facts if fact[0] not in (self.full, self.empty)] for facts in step]
        match others:
            case [], [], [], []:
                return "jump", place
            case [(between, ()) as free], [], [taken], [(on_its_way, at)] if free == taken and at == to:
                self._keep(action, "between", between)
                self._keep(action, "on_its_way", on_its_way)
                return "jump-new-move", place
            case [(on_its_way, at) as wanted], [], [taken], [given] if (
                wanted == taken and at in pegs and given == (on_its_way, to)
            ):
                self._keep(action, "on_its_way", on_its_way)
                return "jump-continue-move", place
            case [(count, (now,)) as wanted], [], [taken], [(other, (then,))] if wanted == taken and count == other:
                self._keep(action, "count", count)
                if self.ticks[place].setdefault(now, then) == then:
                    return "jump", place
        raise action.error(f"{told(next(fact for facts in others for fact in facts))} is not understood")

    def _keep(self, action: Action, book: str, predicate: str) -> None:
        """See that all jumps keep the same books."""
        old = getattr(self, book)
        if old not in ("", predicate):
            raise action.error(f"({predicate} ...) is not understood beside ({old} ...)")
        setattr(self, book, predicate)

    def _lines(self, places: set[Place]) -> dict[Place, tuple[Key, Key, Key]]:
        """The jumps, with the hole in the middle found out: that which the jump back goes over, too."""
        lines = {}
        for pegs, to in sorted(places, key=lambda place: (sorted(place[0]), place[1])):
            middles = [over for over in pegs if (frozenset((over, to)), *(pegs - {over})) in places]
            if len(middles) != 1:
                told = " and ".join(" ".join(key) for key in sorted(pegs))
                why = "back" if not middles else "in one way only"
                self._refuse(f"pegs at {told} can jump to {' '.join(to)}, and cannot jump {why}")
            (from_,) = pegs - {middles[0]}
            lines[pegs, to] = from_, middles[0], to
        return lines

    def _refuse(self, why: str) -> NoReturn:
        raise InputError(f"not peg solitaire: {why}", source=self.source)

    def _check_move(self, action: Action, step: Step, role: str, line: tuple[Key, Key, Key]) -> None:
        at = _of(self.on_its_way, step.wants)
        if role == "jump-continue-move" and at != [line[0]]:
            raise action.error(f"({self.on_its_way} {' '.join(at[0])}): a move goes on with the peg that jumps")

    def _end(self, action: Action, step: Step) -> Key:
        """Where an action that is no jump ends a move. Raises InputError for any other action."""
        match step:
            case [wanted, *more], [], [taken], [given] if (
                wanted == taken
                and (taken[0], given) == (self.on_its_way, (self.between, ()))
                and set(more) <= {(self.full, wanted[1])}
            ):
                return wanted[1]
        strange = next((told(fact) for facts in reversed(step) for fact in facts), "it does nothing")
        raise action.error(f"it is neither a jump nor the end of a move: {strange}")

    def _check_roles(self) -> None:
        """See that moves begin, go on and end everywhere, what actions cost, and what pegcp's domain says the same."""
        moves = bool(self.on_its_way)
        for role, holes in self.ways:
            action = self.actions[self.ways[role, holes][0][0]]
            if len(holes) == 3 and moves:
                if role == "jump":
                    raise action.error("it is in no move")
                if not {("jump-new-move", holes), ("jump-continue-move", holes)} <= self.ways.keys():
                    self._refuse(f"not all jumps of a move can be made at {' '.join(map(' '.join, holes))}")
                if ("end-move", holes[2:]) not in self.ways:
                    self._refuse(f"no move can end at {' '.join(holes[2])}")
            if self.has_costs and action.cost != (role in ("jump", "jump-new-move")):
                told = f"a cost of {action.cost} here is neither one for each jump nor for each move"
                raise action.error(told)
            if self.duration and moves:
                raise action.error("moves with durations are not understood")
        name = "peg-steps" if self.duration else "peg-fewest-moves" if moves else "peg-jumps"
        self.domain = next(domain for domain in DOMAINS if domain.name == name)

    def _check_count(self, jumps: int) -> None:
        """See that a count of steps goes on for as long as there are pegs to jump over."""
        orders = [self.ticks.get((frozenset(line[:2]), line[2])) for line in self.lines]
        order = orders[0] or {}
        if any(other != order for other in orders):
            self._refuse(f"({self.count} ...) is not the same for all jumps")
        begun = [args[0] for predicate, args in self.facts if predicate == self.count]
        at, steps = (begun or [""])[0], 0
        while at in order and steps < jumps:
            at, steps = order[at], steps + 1
        if steps < jumps or len(begun) > 1:
            self._refuse(f"({self.count} ...) allows {steps} jumps, and there may be {jumps}")

    # The problem in pegcp's words

    def _name_holes(self, section: Form) -> None:
        """Names of holes: their own; ``pos-ROW-COLUMN`` where two numbers are in them, or they have two coordinates."""
        order = {name: i for i, name in enumerate(self.types)}
        board = [args for predicate, args in self.facts if predicate in (self.full, self.empty)]
        holes = {*board, *(hole for line in self.lines for hole in line)}
        keys = sorted(holes, key=lambda key: [order.get(part, -1) for part in key])
        numbers = [[int(n) for part in key for n in _NUMBERS.findall(part)] for key in keys]
        grid = all(re.fullmatch(r"[a-z]{1,2}[1-9]\d{0,2}|pos-\d+-\d+", "-".join(key)) for key in keys)
        if keys and not grid and all(len(pair) == 2 and max(pair) < 1000 for pair in numbers):
            top, left = (min(pair[i] for pair in numbers) for i in (0, 1))
            names = [f"pos-{row - top}-{column - left}" for row, column in numbers]
        else:
            names = ["-".join(key) for key in keys]
        self.names = dict(zip(keys, names, strict=True))
        at = section.line, section.column
        self.objects(Form((section.items[0], *(Symbol(name, *at) for name in names)), *at))

    def start(self, section: Form) -> Start:
        """What the start says. Raises InputError where it is no start of a game."""
        numbers = [node for node in section.items[1:] if isinstance(node, Form) and node.head == "="]
        cost = [self.costs_begin(node) for node in numbers]
        for key, name in self.names.items():
            peg, vacancy = (self.full, key) in self.known, (self.empty, key) in self.known or not self.empty
            if peg and self.empty and vacancy:
                raise self.error(section, f"{name} is given both with and without a peg")
            if not peg and not vacancy:
                raise self.error(section, f"the start does not say whether {name} holds a peg")
        if self.between and (self.between, ()) not in self.known:
            raise self.error(section, f"without ({self.between}) at the start no jump is ever possible")
        if self.on_its_way and any(predicate == self.on_its_way for predicate, _ in self.facts):
            raise self.error(section, f"({self.on_its_way} ...) at the start: a move has begun")
        lines: set[Line] = {(self.names[a], self.names[over], self.names[b]) for a, over, b in self.lines}
        pegs = {self.names[args] for predicate, args in self.facts if predicate == self.full}
        return Start(lines, pegs, any(cost))

    def fact(self, node: Node) -> tuple[str, tuple[str, ...]]:
        """A fact of a goal in pegcp's words. Raises InputError for what is none."""
        match node:
            case Form(head="not", items=(_, Form(head=head) as denied)) if head and head in (self.full, self.empty):
                kind, holes = self.fact(denied)
                return "vacant" if kind == "peg" else "peg", holes
            case Form(head=head) if head and head in (self.full, self.empty):
                key = self._objects(node)
                if key not in self.names:
                    raise self.error(node, f"{node}: there is no such hole")
                return "peg" if head == self.full else "vacant", (self.names[key],)
            case Form(head=head, items=(_,)) if head and head == self.between:
                return "between-moves", ()
        head = node.head if isinstance(node, Form) else str(node)
        raise self.error(node, f'"{head}" is not understood in a goal of the domain {self.title}')

    # Plans in the words of the domain: each is played from the start

    def read(self, plan: Iterable[Written]) -> Iterator[tuple[Written, Meant]]:
        """The actions of a plan, each with what it means.

        Raises InputError, naming the step, for what is no action on these objects, and InvalidSolution for one that is
        impossible where it stands.
        """
        true = set[Fact](self.known)
        for written in plan:
            step = self._bound(written)
            fault = step.fault(true)
            meant = self.meant.get((written.action, written.names))
            if fault is not None or meant is None:
                told = f"step {written.number} of the plan ({short(written.text)}) is impossible"
                raise InvalidSolution(f"{told}: {fault or 'a hole twice'}", step=written.number)
            step.play(true)
            yield written, meant

    def _bound(self, step: Written) -> Step:
        """The action of a step on its objects."""
        if step.action not in self.actions:
            raise step.fault(f'unknown action "{short(step.action)}"{suggestion(step.action, self.actions)}')
        action = self.actions[step.action]
        if len(step.names) != len(action.parameters):
            raise step.fault(f"{action.name} takes {len(action.parameters)} objects, not {len(step.names)}")
        for name, type_ in zip(step.names, action.parameters.values(), strict=True):
            if name not in self.types:
                raise step.fault(f'there is no object "{short(name)}"{suggestion(name, self.types)}')
            if not self.of_type(name, type_):
                raise step.fault(f"{name} is no {type_}")
        return action.on(dict(zip(action.parameters, step.names, strict=True)))

    def write(self, steps: Iterable[Meant]) -> Iterator[tuple[str, Key]]:
        """The actions and objects for steps in the words of pegcp's domain. Raises InputError where there are none."""
        true = set[Fact](self.known)
        for meant in steps:
            for name, objects in self.ways[meant]:
                step = self.actions[name].on(dict(zip(self.actions[name].parameters, objects, strict=True)))
                if step.fault(true) is None:
                    step.play(true)
                    yield name, objects
                    break
            else:
                raise InputError(
                    f"no action of {self.title} is {meant[0]} {' '.join('-'.join(key) for key in meant[1])}"
                )


def _of(predicate: str, facts: list[Fact]) -> list[Key]:
    """What a predicate is true of among facts."""
    return [args for name, args in facts if name == predicate]
