"""A problem of a domain that is recognised by what its actions do, in pegcp's words."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import product

from pegcp.errors import InputError
from pegcp.formats.pddl.facts import Reader
from pegcp.formats.pddl.structure import Action, Atom, JumpAction, Key, Structure
from pegcp.formats.pddl.syntax import Form, Node, Symbol, types

Line = tuple[Key, Key, Key]
Place = tuple[frozenset[Key], Key]  # two pegs, and the vacancy
Way = tuple[JumpAction, dict[str, str]]  # an action and the objects of its parameters
_MOST = 3_000_000  # values of parameters that are tried
_NUMBERS = re.compile(r"\d+")


class Translation:
    """A problem of a recognised domain in pegcp's words: its ``sections`` in ``structure.domain``."""

    def __init__(self, structure: Structure, sections: Mapping[str, Form], reader: Reader) -> None:
        self.structure, self.reader = structure, reader
        source = reader.source
        self.objects = {
            **structure.constants,
            **types(sections[":objects"].items[1:] if ":objects" in sections else ()),
        }
        self.facts: dict[str, dict[Key, None]] = {}  # in the order of the file
        for node in sections[":init"].items[1:]:
            if isinstance(node, Form) and node.head not in ("=", "not"):
                self._check(node)
                self.facts.setdefault(node.head, {})[tuple(map(str, node.items[1:]))] = None
        self._having: dict[tuple[str, int, str], list[Key]] = {}
        for predicate, having in self.facts.items():
            for args in having:
                for place, arg in enumerate(args):
                    self._having.setdefault((predicate, place, arg), []).append(args)
        self._check_pegs()
        found = [(jump, values) for jump in structure.jumps for values in self._where(jump)]
        places = [(frozenset(jump.at(values)[:2]), jump.at(values)[2]) for jump, values in found]
        lines = self._lines(set(places))
        self.ways: dict[Line, list[Way]] = {}  # the jumps of the board, and what makes them
        for at, (jump, values) in zip(places, found, strict=True):
            self.ways.setdefault(lines[at], []).append((jump, values))
            goes_on = [atom for atom in jump.action.wants if atom.predicate == structure.on_its_way]
            if any(atom.on(values) != lines[at][0] for atom in goes_on):
                raise structure.error(jump.action, f"{goes_on[0]}: a move goes on with the peg that jumps")
        for line, ways in self.ways.items() if structure.between else ():
            if not any(
                self._possible(action, bound)
                for action in structure.ends
                if (bound := self.match(action, {}, structure.ending(action), line[2])) is not None
            ):
                raise InputError(f"not peg solitaire: no move can end at {' '.join(line[2])}", source=source)
            if {structure.between, structure.on_its_way} - {a.predicate for jump, _ in ways for a in jump.action.wants}:
                told = " ".join(" ".join(key) for key in line)
                raise InputError(f"not peg solitaire: not all jumps of a move can be made at {told}", source=source)
        self.full, self.empty = (self._holes(predicate) for predicate in (structure.full, structure.empty))
        keys = dict.fromkeys([*(key for line in self.ways for key in line), *self.full, *self.empty])
        order = {name: i for i, name in enumerate(self.objects)}
        self.keys = sorted(keys, key=lambda key: [order.get(part, -1) for part in key])
        if not self.keys:
            raise InputError("no holes: no jump is ever possible, and no hole is full or empty", source=source)
        self.names = self._names()
        self.sections = self._translated(sections)

    def _holes(self, predicate: str) -> list[Key]:
        """The holes of which a predicate is true at the start."""
        return [self.structure.key(Atom(predicate, args)) for args in self.facts.get(predicate, ())]

    def of_type(self, name: str, wanted: str) -> bool:
        """Whether an object is of a type."""
        type_, seen = self.objects.get(name, ""), set[str]()
        while type_ != wanted and type_ not in seen:
            seen.add(type_)
            type_ = self.structure.supertypes.get(type_, "object")
        return type_ == wanted or wanted == "object"

    def _where(self, jump: JumpAction) -> Iterator[dict[str, str]]:
        """The objects with which a jump can ever be possible, by parameter: those that something static is about."""
        wanted = {arg for key in (*jump.pegs, jump.to) for arg in key}
        known = {arg for atom in self._statics(jump.action) for arg in atom.args}
        loose = next((arg for arg in sorted(wanted) if arg.startswith("?") and arg not in known), None)
        if loose is not None:
            raise self.structure.error(jump.action, f"no relation that never changes says which hole {loose} can be")
        yield from (values for values in self._possible(jump.action, {}, jump.which) if len(set(jump.at(values))) == 3)

    def _statics(self, action: Action) -> list[Atom]:
        """What an action wants that never changes, equality left out; first what says most."""
        statics = [atom for atom in action.wants if atom.predicate not in {*self.structure.changing, "="}]
        return sorted(statics, key=lambda atom: -len(atom.args))

    def _possible(self, action: Action, values: dict[str, str], pegs: Key = ()) -> list[dict[str, str]]:
        """The values of parameters, beside those that are given, with which an action can ever be possible, whatever
        the pegs are."""
        statics = [atom for atom in self._statics(action) if set(atom.args).isdisjoint(pegs)]
        fixed = Action(
            action.name,
            action.place,
            action.parameters,
            wants=[atom for atom in action.wants if atom.predicate == "="],
            refuses=[atom for atom in action.refuses if atom.predicate not in self.structure.changing],
        )
        found = self.joined(action, statics, values, self._candidates)
        return [values for values in found if fixed.fault(values, self.facts) is None]

    def _check_pegs(self) -> None:
        """See that no hole has two pegs, and that all pegs can do the same where they are objects."""
        structure = self.structure
        full = [Atom(structure.full, args) for args in self.facts.get(structure.full, ())]
        pegs = Counter(peg for atom in full for peg in structure.beside(atom))
        holes = Counter(" ".join(structure.key(atom)) for atom in full)
        for one, count in (*pegs.most_common(1), *holes.most_common(1)):
            if count > 1:
                told = f"{one} in {count} holes" if one in pegs else f"{count} pegs at {one}"
                raise InputError(f"{told} at the start", source=self.reader.source)
        self.pegs = sorted(pegs)
        for jump in structure.jumps:
            action = jump.action
            for peg, parameter in product(self.pegs, jump.which):
                if not self.of_type(peg, action.parameters[parameter]):
                    told = f"it takes pegs of type {action.parameters[parameter]}, and {peg} is none"
                    raise structure.error(action, told)
                for atom in self._statics(action):
                    if atom.args == (parameter,) and (peg,) not in self.facts.get(atom.predicate, ()):
                        raise structure.error(action, f"{atom} is not true of the peg {peg}: pegs are alike here")

    def joined(
        self,
        action: Action,
        atoms: Iterable[Atom],
        values: dict[str, str],
        candidates: Callable[[Atom, Mapping[str, str]], Iterable[tuple[str, ...]]],
    ) -> list[dict[str, str]]:
        """The values of parameters, beside those that are given, with which facts among the candidates are the atoms.

        Raises InputError where there are too many.
        """
        found = [values]
        for atom in atoms:
            found = [
                more
                for some in found
                for args in candidates(atom, some)
                if (more := self.match(action, some, atom, args)) is not None
            ]
            if len(found) > _MOST:
                raise self.structure.error(action, "more jumps than can be listed")
        return found

    def _candidates(self, atom: Atom, some: Mapping[str, str]) -> Iterable[tuple[str, ...]]:
        """The facts of the start that can go together with values of parameters."""
        for place, arg in enumerate(atom.args):
            if arg in some:
                return self._having.get((atom.predicate, place, some[arg]), [])
        return self.facts.get(atom.predicate, [])

    def match(
        self, action: Action, some: Mapping[str, str], atom: Atom, args: tuple[str, ...]
    ) -> dict[str, str] | None:
        """Values of parameters with those that a fact gives; None if they do not go together."""
        if len(args) != len(atom.args):
            return None
        values = dict(some)
        for parameter, value in zip(atom.args, args, strict=True):
            if not parameter.startswith("?"):
                if parameter != value:
                    return None
                continue
            type_ = action.parameters.get(parameter, "object")
            if values.setdefault(parameter, value) != value or not self.of_type(value, type_):
                return None
        return values

    def _lines(self, places: set[Place]) -> dict[Place, Line]:
        """The jumps, with the hole in the middle found out: that which the jump back goes over, too."""
        lines: dict[Place, Line] = {}
        for pegs, to in sorted(places, key=lambda place: (sorted(place[0]), place[1])):
            middles = [over for over in pegs if (frozenset((over, to)), *(pegs - {over})) in places]
            if len(middles) != 1:
                told = " and ".join(" ".join(key) for key in sorted(pegs))
                why = "back" if not middles else "in one way only"
                raise InputError(
                    f"not peg solitaire: pegs at {told} can jump to {' '.join(to)}, and cannot jump {why}",
                    source=self.reader.source,
                )
            (from_,) = pegs - {middles[0]}
            lines[pegs, to] = from_, middles[0], to
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

    def _translated(self, sections: Mapping[str, Form]) -> dict[str, Form]:
        structure, init = self.structure, sections[":init"]
        at = (init.line, init.column)

        def form(*items: str | Form) -> Form:
            return Form(tuple(Symbol(item, *at) if isinstance(item, str) else item for item in items), *at)

        pegs, empty = set(self.full), set(self.empty)
        facts = [form("line", *(self.names[key] for key in line)) for line in self.ways]
        facts += [form("peg", self.names[key]) for key in self.keys if key in pegs]
        facts += [
            form("vacant", self.names[key]) for key in self.keys if key in empty or not (structure.empty or key in pegs)
        ]
        facts += [form("between-moves")] if structure.between in self.facts and structure.between else []
        facts += [node for node in init.items[1:] if isinstance(node, Form) and node.head == "="]
        if structure.on_its_way and structure.on_its_way in self.facts:
            raise self.reader.error(init, f"({structure.on_its_way} ...) at the start: a move has begun")
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
            case Form(head="exists", items=(_, Form(items=some), Form(head=head) as fact)) if head == structure.full:
                kinds = types(some)
                everyone = all(self.of_type(peg, kind) for peg in self.pegs for kind in kinds.values())
                return self._fact(fact, True, tuple(kinds)) if everyone else node
            case Form(head="not", items=(_, Form(head=head) as fact)) if head in (structure.full, structure.empty):
                return self._fact(fact, (head == structure.full) ^ True)
            case Form(head=head) if head and head in (structure.full, structure.empty):
                return self._fact(node, head == structure.full)
            case Form(head=head, items=(head_node,)) if head and head == structure.between:
                return Form((Symbol("between-moves", head_node.line, head_node.column),), node.line, node.column)
            case _:
                return node

    def _check(self, fact: Form, some: Key = ()) -> None:
        """See that a fact has as many objects as in the domain, and that they are declared, or ``some``."""
        strange = next((item for item in fact.items[1:] if str(item) not in {*self.objects, *some}), None)
        if strange is not None:
            raise self.reader.error(strange, f"{fact}: unknown object {strange}")
        if len(fact.items) - 1 != self.structure.arity.get(fact.head, len(fact.items) - 1):
            raise self.reader.error(fact, f"{fact} has not as many objects as in the actions of the domain")

    def _fact(self, fact: Form, peg: bool, some: Key = ()) -> Form:
        """Whether a hole has a peg; ``some`` stands for any."""
        self._check(fact, some)
        atom = Atom(fact.head, tuple(map(str, fact.items[1:])))
        key, which = self.structure.key(atom), self.structure.beside(atom) if fact.head == self.structure.full else ()
        if which != some:
            raise self.reader.error(fact, f"the goal is about one peg, {' '.join(which)}: pegs are alike here")
        if key not in self.names:
            raise self.reader.error(fact, f"{fact}: there is no such hole")
        words = ("peg" if peg else "vacant", self.names[key])
        return Form(tuple(Symbol(word, fact.line, fact.column) for word in words), fact.line, fact.column)

    def _check_count(self, jumps: int) -> None:
        """See that a count of steps goes on for as long as there are pegs to jump over."""
        structure, orders = self.structure, list[dict[str, str]]()
        counted = [
            jump.action for jump in structure.jumps if structure.count in {a.predicate for a in jump.action.takes}
        ]
        for action in counted:
            (now,) = (atom.args[0] for atom in action.takes if atom.predicate == structure.count)
            (then,) = (atom.args[0] for atom in action.gives if atom.predicate == structure.count)
            about = [atom for atom in self._statics(action) if not {now, then}.isdisjoint(atom.args)]
            ways = self.joined(action, about, {}, self._candidates)
            orders.append({values[now]: values[then] for values in ways if {now, then} <= values.keys()})
            if [sorted(atom.args) for atom in about] != [sorted((now, then))] or orders[-1] != orders[0]:
                raise structure.error(action, f"({structure.count} ...) is not understood")
        at, steps = next(iter(self.facts.get(structure.count, [("",)])))[0], 0
        while at in orders[0] and steps < jumps:
            at, steps = orders[0][at], steps + 1
        if steps < jumps or len(self.facts.get(structure.count, ())) > 1:
            told = f"({structure.count} ...) allows {steps} jumps, and there may be {jumps}"
            raise structure.error(counted[0], told)
