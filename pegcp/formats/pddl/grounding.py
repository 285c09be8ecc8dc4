"""Grounding: all actions of a PDDL task on all objects on which they can ever be possible."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from pegcp.errors import InputError
from pegcp.formats.pddl.actions import Action, Fact, GroundAction, read_actions
from pegcp.formats.pddl.syntax import Form, Node, Symbol, types

_MOST_ACTIONS = 50_000
_MOST_TRIALS = 1_000_000  # partial choices of objects
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

Bound = dict[str, str]  # objects by the parameters that they stand for


class GroundTask:
    """A task: its objects with their types, the facts that are true at the start, and its ground actions.

    Raises InputError, saying where, for a domain that is not understood, and for more actions than can be listed.
    """

    def __init__(self, domain: Sequence[Node], source: str, problem: Mapping[str, Form], problem_source: str) -> None:
        self.supertypes: dict[str, str] = {}
        self.objects: dict[str, str] = {}
        for section in domain:
            if not isinstance(section, Form) or section.head not in _SECTIONS:
                message = f"{section} is not understood in a domain"
                raise InputError(message, source=source, line=section.line, column=section.column)
            if section.head == ":types":
                self.supertypes = types(section.items[1:])
            elif section.head == ":constants":
                self.objects = dict(sorted(types(section.items[1:]).items()))
        self.objects |= types(problem[":objects"].items[1:]) if ":objects" in problem else {}
        self.lifted = read_actions(domain, source, {})
        for action in self.lifted.values():
            either = next((kind for kind in action.parameters.values() if kind.startswith("(")), None)
            if either is not None:
                raise action.error(f"the type {either} is not understood")
        self.start = self._start(problem[":init"], problem_source)
        self._facts: dict[tuple[str, int, str], list[Fact]] = {}
        for fact in self.start:
            self._facts.setdefault((fact[0], -1, ""), []).append(fact)
            for place, name in enumerate(fact[1]):
                self._facts.setdefault((fact[0], place, name), []).append(fact)
        self._trials = 0
        lifted = {
            name: action.ground({word: word for word in action.parameters}) for name, action in self.lifted.items()
        }
        self.changing = {fact[0] for action in lifted.values() for fact in (*action.takes, *action.gives)}
        self.actions: dict[tuple[str, ...], GroundAction] = {}
        for name, action in self.lifted.items():
            if "=" in self.changing:
                raise action.error("an effect with = is not understood")
            for bound in self._bindings(action):
                key = (name, *(bound[parameter] for parameter in action.parameters))
                self.actions[key] = self._ground(lifted[name], bound)
                if len(self.actions) > _MOST_ACTIONS:
                    raise action.error(f"there are more than {_MOST_ACTIONS:,} actions on certain objects")

    def _ground(self, action: GroundAction, bound: Bound) -> GroundAction:
        """The action on these objects, without what never changes."""
        wants, refuses, takes, gives = (
            [(name, tuple([bound.get(word, word) for word in words])) for name, words in facts if name in self.changing]
            for facts in action[:4]
        )
        return GroundAction(wants, refuses, [fact for fact in takes if fact not in gives], gives, action.cost)

    def _start(self, section: Form, source: str) -> dict[Fact, None]:
        facts: dict[Fact, None] = {}
        for node in section.items[1:]:
            match node:
                case Form(head="=", items=(_, Form(head="total-cost"), Symbol(text="0"))):
                    continue
                case Form(head=head, items=(_, *words)) if head not in ("", "=", "not"):
                    wrong = next((word for word in words if str(word) not in self.objects), None)
                    if wrong is None:
                        facts[head, tuple(map(str, words))] = None
                        continue
                    message = f"{node}: unknown object {wrong}"
                case _:
                    message = f"{node} is not understood at the start"
            raise InputError(message, source=source, line=node.line, column=node.column)
        return facts

    def _bindings(self, action: Action) -> Iterator[Bound]:
        """Yield the objects with which everything holds that an action wants and that never changes."""
        literals = list(action.literals(action.condition, {word: word for word in action.parameters}))
        static = [literal for literal in literals if literal.fact[0] not in self.changing]
        joined = [fact for fact, holds, _ in static if holds and fact[0] != "="]
        choices: list[Bound] = [{}]
        for fact in sorted(joined, key=lambda fact: -len(fact[1])):
            choices = [more for bound in choices for more in self._matches(action, fact, bound)]
        for parameter, kind in action.parameters.items():
            if choices and parameter not in choices[0]:
                fitting = [name for name in self.objects if self.is_of_type(name, kind)]
                self._count(action, len(choices) * len(fitting))
                choices = [{**bound, parameter: name} for bound in choices for name in fitting]
        tested = [(fact, holds) for fact, holds, _ in static if not holds or fact[0] == "="]
        for bound in choices:
            if all(self._is_true(fact, bound) == holds for fact, holds in tested):
                yield bound

    def _is_true(self, fact: Fact, bound: Bound) -> bool:
        names = tuple(bound.get(word, word) for word in fact[1])
        return len(set(names)) == 1 if fact[0] == "=" else (fact[0], names) in self.start

    def _matches(self, action: Action, wanted: Fact, bound: Bound) -> Iterator[Bound]:
        """Yield the choices of more objects with which a fact of the start is the one that is wanted."""
        predicate, words = wanted
        place, name = -1, ""
        for number, word in enumerate(words):
            if not word.startswith("?") or word in bound:
                place, name = number, str(bound.get(word, word))
        candidates = self._facts.get((predicate, place, name), [])
        self._count(action, len(candidates))
        for _, names in candidates:
            more = dict(bound)
            if len(names) == len(words) and all(
                name == word
                if not word.startswith("?")
                else more.setdefault(word, name) == name and self.is_of_type(name, action.parameters[word])
                for word, name in zip(words, names, strict=True)
            ):
                yield more

    def _count(self, action: Action, trials: int) -> None:
        self._trials += trials
        if self._trials > _MOST_TRIALS:
            raise action.error(f"there are more than {_MOST_TRIALS:,} choices of its objects")

    def is_of_type(self, name: str, kind: str) -> bool:
        """Whether an object is of a type."""
        own, seen = self.objects[name], set[str]()
        while own not in (kind, *seen):
            seen.add(own)
            own = self.supertypes.get(own, "object")
        return own == kind or kind == "object"
