"""The actions of PDDL domains: what they want and do, as they stand and on certain objects."""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from pegcp.errors import InputError
from pegcp.formats.pddl.syntax import Form, Node, Symbol

Fact = tuple[str, tuple[Any, ...]]  # a predicate, and the objects that it is about
_NUMBER = re.compile(r"\d{1,6}(\.\d{1,6})?")


@dataclass(frozen=True)
class Atom:
    """A fact of parameters or constants."""

    predicate: str
    args: tuple[str, ...]

    def __str__(self) -> str:
        return f"({' '.join((self.predicate, *self.args))})"


class Step(NamedTuple):
    """An action on certain objects: what it wants to be true and false, what it makes false and then true."""

    wants: list[Fact]
    refuses: list[Fact]
    takes: list[Fact]
    gives: list[Fact]

    def missing(self, true: Container[Fact]) -> Iterable[Fact]:
        """What it wants and is not true."""
        return (fact for fact in self.wants if not _holds(fact, true))

    def fault(self, true: Container[Fact]) -> str | None:
        """What is not as it must be; None if nothing is."""
        for fact in self.missing(true):
            return f"{told(fact)} is not true"
        return next((f"{told(fact)} is true" for fact in self.refuses if _holds(fact, true)), None)

    def play(self, true: set[Fact]) -> None:
        """Change what is true."""
        true.difference_update(self.takes)
        true.update(self.gives)


def _holds(fact: Fact, true: Container[Fact]) -> bool:
    return len(set(fact[1])) < 2 if fact[0] == "=" else fact in true


def told(fact: Fact) -> str:
    """A fact as PDDL has it."""
    return f"({' '.join((fact[0], *map(str, fact[1])))})"


@dataclass(eq=False)
class Action:
    """An action as it stands: its parameters with their types, what it wants and does, and its cost.

    ``later``: what must hold at other times than its start, too; ``weighs``: parameters whose weights are paid. A
    variable that is no parameter stands for every object.
    """

    name: str
    place: Node
    source: str
    parameters: dict[str, str]
    duration: str = ""
    wants: list[Atom] = field(default_factory=list)
    refuses: list[Atom] = field(default_factory=list)
    takes: list[Atom] = field(default_factory=list)
    gives: list[Atom] = field(default_factory=list)
    later: list[Atom] = field(default_factory=list)
    cost: int = 0
    weighs: list[str] = field(default_factory=list)

    @property
    def atoms(self) -> list[Atom]:
        """All that it wants and does."""
        return [*self.wants, *self.refuses, *self.takes, *self.gives]

    def error(self, why: str) -> InputError:
        """An error about the action."""
        told = f"not peg solitaire: action {self.name}: {why}"
        return InputError(told, source=self.source, line=self.place.line, column=self.place.column)

    def on(self, values: Mapping[str, Any], everything: Sequence[Any] = ()) -> Step:
        """The action with these objects for its parameters; constants stand for themselves."""

        def facts(atoms: list[Atom]) -> list[Fact]:
            made: dict[Fact, None] = {}
            for atom in atoms:
                free = [arg for arg in atom.args if arg.startswith("?") and arg not in values]
                every = [{**values, free[0]: one} for one in everything] if free else [values]
                made |= {(atom.predicate, tuple(some.get(arg, arg) for arg in atom.args)): None for some in every}
            return list(made)

        gives = facts(self.gives)
        takes = [fact for fact in facts(self.takes) if fact not in gives]  # what is given again does not change
        return Step(facts(self.wants), facts(self.refuses), takes, gives)

    def price(self, objects: Sequence[int], weights: Sequence[int]) -> int:
        """What it costs on certain objects, with these weights of theirs."""
        values = dict(zip(self.parameters, objects, strict=True))
        return self.cost + sum(weights[values[parameter]] for parameter in self.weighs)


def read_action(section: Form, source: str) -> Action:
    """The action of a section of a domain. Raises InputError for what is no list of literals."""
    keys = dict(zip(map(str, section.items[2::2]), section.items[3::2], strict=False))
    parameters = keys.get(":parameters")
    name = " ".join(map(str, section.items[1:2]))
    found = Action(name, section, source, typed(parameters.items) if isinstance(parameters, Form) else {})
    if section.head == ":durative-action":
        match keys.get(":duration"):
            case Form(head="=", items=(_, Symbol(text="?duration"), Symbol(text=number))) if _NUMBER.fullmatch(number):
                found.duration = number
            case _:
                raise found.error("its duration is not (= ?duration NUMBER)")
    condition = keys.get(":precondition", keys.get(":condition"))
    if condition is not None:
        _literals(found, condition, found.wants, found.refuses)
    if ":effect" in keys:
        _literals(found, keys[":effect"], found.gives, found.takes)
    return found


def _literals(action: Action, node: Node, yes: list[Atom], no: list[Atom]) -> None:
    """Take in a condition or an effect: what is wanted or given, and what is refused or taken."""
    match node:
        case Form(items=()):
            pass
        case Form(head="and", items=(_, *parts)):
            for part in parts:
                _literals(action, part, yes, no)
        case Form(head="at" | "over", items=(_, Symbol(text="start" | "end" | "all" as when), part)):
            positive, negative = list[Atom](), list[Atom]()
            _literals(action, part, positive, negative)
            wrong = positive if when == "start" else negative
            if yes is not action.gives:
                action.later += [atom for atom in (*positive, *negative) if when != "start"]
            elif wrong:
                raise action.error(f"it {'gives' if when == 'start' else 'takes'} {wrong[0]} at {when}")
            yes += positive
            no += negative
        case Form(head="not", items=(_, part)):
            _literals(action, part, no, yes)
        case Form(head="forall", items=(_, Form(items=some), part)) if action.parameters.keys().isdisjoint(typed(some)):
            _literals(action, part, yes, no)
        case Form(head="increase", items=(_, Form(head="total-cost"), Symbol(text=number))) if number.isdigit():
            action.cost += int(number)
        case Form(head="increase", items=(_, Form(head="total-cost"), Form(head="weight", items=(_, weighed)))):
            action.weighs.append(str(weighed))
        case Form(head=head, items=items) if head not in _NO_PREDICATES and all(
            isinstance(item, Symbol) for item in items
        ):
            yes.append(Atom(head, tuple(map(str, items[1:]))))
        case _:
            raise action.error(f"{node} is not understood")


_NO_PREDICATES = ("not", "or", "forall", "exists", "when", "imply", "increase", "decrease", "assign", "preference")


def typed(items: Iterable[Node]) -> dict[str, str]:
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
