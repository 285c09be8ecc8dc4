"""The PDDL domains that pegcp writes and reads: one row each, with what their files do not say.

Predicates and actions stand in the file of a domain, ``models/*.pddl``, and are read from there. The domains of the
planning competitions are some of these under other names.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from typing import NamedTuple

from pegcp.errors import InputError
from pegcp.formats.folders import models_folder
from pegcp.formats.pddl.syntax import Form, Node, Symbol, parse
from pegcp.game.goal import DeadEnd, Exact, Nearest, Objective, OnePeg, Partial
from pegcp.game.problem import Problem

Fact = tuple[str, tuple[int, ...]]  # a predicate and its holes
_OWN = "peg-"  # begins the names of the domains in models/
COMPETITION = "competition"  # asks for the domain of the competitions that fits
# The competitions' words for what the files in models/ call otherwise.
_RENAMED = {
    "line": "in-line",
    "peg": "occupied",
    "vacant": "free",
    "between-moves": "move-ended",
    "on-its-way": "last-visited",
    "hole": "location",
}
_FREE = ("(increase (total-cost) 0)",)  # what does not matter to what an action is
_ONE_PEG = re.compile(r"\n    \((?:hand-empty|holding)\)|\n\n  \(:(?:durative-)?action take.*(?=\)\n\Z)", re.DOTALL)


class Grounded(NamedTuple):
    """An action on certain holes: what it wants to be true, what it makes false and then true, and its cost.

    ``cost`` is a number, or the hole whose weight is to be paid, as a tuple.
    """

    wants: list[Fact]
    takes: list[Fact]
    gives: list[Fact]
    cost: int | tuple[int, ...]

    def paid(self, problem: Problem) -> int:
        """The cost, as a number."""
        if isinstance(self.cost, int):
            return self.cost
        assert problem.sought is not None
        return problem.sought.weights[self.cost[0]]


@dataclass(frozen=True, eq=False)
class Action:
    """An action of a domain as its file has it."""

    name: str
    parameters: tuple[str, ...]
    condition: Form
    effect: Form
    durative: bool


@lru_cache(20_000)  # plans of a series have the same actions again and again
def grounded(action: Action, objects: tuple[int, ...], holes: int) -> Grounded:
    """An action on the holes ``objects`` of a board with ``holes`` holes."""
    value = dict(zip(action.parameters, objects, strict=True))
    made = Grounded([fact for fact, _ in _facts(action.condition, value, holes)], [], [], 0)
    for fact, holds in _facts(action.effect, value, holes):
        (made.gives if holds else made.takes).append(fact)
    for grows in _walk(action.effect):
        if isinstance(grows, Form) and grows.head == "increase":
            by = grows.items[2]
            made = made._replace(cost=int(str(by)) if isinstance(by, Symbol) else _values(by, value))
    return made


def _facts(node: Form, value: Mapping[str, int], holes: int) -> Iterator[tuple[Fact, bool]]:
    """Yield the facts of a condition or effect, and whether each must hold. Times (at start, at end) are ignored."""
    parts = [part for part in node.items if isinstance(part, Form)]
    match node.head:
        case "and" | "at":
            for part in parts:
                yield from _facts(part, value, holes)
        case "not":
            yield from ((fact, not holds) for fact, holds in _facts(parts[0], value, holes))
        case "forall":
            variable = parts[0].head
            for hole in range(holes):
                yield from _facts(parts[1], {**value, variable: hole}, holes)
        case "increase" | "":
            pass
        case predicate:
            yield (predicate, _values(node, value)), True


def _values(node: Form, value: Mapping[str, int]) -> tuple[int, ...]:
    return tuple(value[str(item)] for item in node.items[1:])


def _walk(node: Node) -> Iterator[Node]:
    yield node
    for item in node.items if isinstance(node, Form) else ():
        yield from _walk(item)


@dataclass(frozen=True, eq=False)
class Domain:
    """A domain by its name in PDDL.

    ``takes``: the goals that it expresses, each with the objectives. ``means``: the objective that its metric stands
    for, None if its actions have no costs. ``measure``: what its problems always minimise; where there is nothing, a
    cost of 1 can be added to each jump. ``like``: the file of a domain of the competitions, which has other names.
    """

    name: str
    takes: Mapping[str, tuple[Objective, ...]]
    means: Objective | None
    measure: str = ""
    like: str = ""

    @property
    def stem(self) -> str:
        """The name of its file without the suffix: what it is called everywhere but in PDDL."""
        return self.name.removeprefix(_OWN)

    def fits(self, problem: Problem) -> bool:
        """Whether it expresses the goal with the objective."""
        return problem.objective in self.takes.get(problem.goal.kind, ())

    def prefers(self, problem: Problem) -> bool:
        """Whether it expresses a soft goal by preferences."""
        return bool(self.like) and problem.objective is Objective.NEAREST

    @cached_property
    def text(self) -> str:
        """The file that has its predicates and actions; without what is for one peg anywhere in the competitions'."""
        text = (models_folder() / f"{self.like or self.stem}.pddl").read_text(encoding="utf-8")
        return _ONE_PEG.sub("", text) if self.like else text

    @cached_property
    def _sections(self) -> list[Form]:
        (define,) = parse(self.text, f"{self.stem}.pddl")
        assert isinstance(define, Form)
        return [section for section in define.items if isinstance(section, Form)]

    def shown(self, word: str) -> str:
        """What the domain calls a predicate or type of the file."""
        return _RENAMED.get(word, word) if self.like else word

    @cached_property
    def words(self) -> frozenset[str]:
        """All words of the file but variables and keywords."""
        words = (node.text for section in self._sections for node in _walk(section) if isinstance(node, Symbol))
        return frozenset(word for word in words if word[0].isalpha())

    @cached_property
    def predicates(self) -> Mapping[str, int]:
        """Its predicates, with the number of holes that each takes."""
        (section,) = (section for section in self._sections if section.head == ":predicates")
        return {form.head: len(_variables(form)) for form in section.items if isinstance(form, Form)}

    @cached_property
    def actions(self) -> Mapping[str, Action]:
        """Its actions by name."""
        found = {}
        for section in self._sections:
            if section.head in (":action", ":durative-action"):
                keys = dict(zip(section.items[2::2], section.items[3::2], strict=True))
                part = {str(key): form for key, form in keys.items() if isinstance(form, Form)}
                condition = part.get(":precondition") or part[":condition"]
                name, durative = str(section.items[1]), section.head == ":durative-action"
                found[name] = Action(name, _variables(part[":parameters"]), condition, part[":effect"], durative)
        return found

    def is_told_by(self, sections: Sequence[Node]) -> bool:
        """Whether sections of a file have the same actions and rules; jumps may cost 1 where there are no costs."""
        free = _FREE if self.measure else (*_FREE, "(increase (total-cost) 1)")
        own = _canonical_actions(self._sections, _RENAMED if self.like else {}, free)
        return _canonical_actions(sections, {}, free) == own

    @property
    def has_rules(self) -> bool:
        """Whether some of its predicates are derived."""
        return any(section.head == ":derived" for section in self._sections)

    def written(self, problem: Problem, *, costs: bool) -> str:
        """The domain for a problem: its file, with ``costs`` where each jump costs 1."""
        if self.like:
            text = self.text[self.text.index("(define") :].replace(f"{_OWN}{self.like}", self.name)
            text = re.sub(r"(?<=[ (])[a-z-]+(?=[ )])", lambda word: self.shown(word[0]), text)
            more = ":typing :preferences" if self.prefers(problem) else ":typing"
            about = f";; The domain of the planning competitions, the same as {self.like}.pddl but for names.\n\n"
            return about + text.replace(":typing", more, 1)
        text = self.text
        for before, after in _COSTS if costs else ():
            text, times = re.subn(before, after, text, count=1)
            assert times == 1, f"{self.stem}.pddl has no place for {after}"
        return text


def _canonical_actions(sections: Sequence[Node], words: Mapping[str, str], free: tuple[str, ...]) -> set[str]:
    """The actions and rules among sections, each written in one way, without what is ``free``."""
    found = set()
    for section in sections:
        if isinstance(section, Form) and section.head in (":action", ":durative-action", ":derived"):
            parts = [item for item in section.items if not (isinstance(item, Symbol) and item.text == ":parameters")]
            given = next((item for item in parts if isinstance(item, Form)), None)
            names = {name: f"?{i}" for i, name in enumerate(_variables(given) if given is not None else ())}
            found.add(" ".join(_canonical(item, {**words, **names}, free) for item in parts))
    return found


def _canonical(node: Node, words: Mapping[str, str], free: tuple[str, ...]) -> str:
    if isinstance(node, Symbol):
        return words.get(node.text, node.text)
    parts = [_canonical(item, words, free) for item in node.items]
    if any(part.startswith("?") for part in parts) and "-" in parts:  # types of parameters do not matter
        parts = [part for part in parts if part.startswith("?")]
    if node.head == "and":
        parts = ["and", *sorted(set(parts[1:]).difference(free))]
    return parts[1] if len(parts) == 2 and node.head == "and" else f"({' '.join(parts)})"


def _variables(form: Form) -> tuple[str, ...]:
    return tuple(str(item) for item in form.items if str(item).startswith("?"))


# Where costs go: the requirement, the function before the first action or rule, and the effect of a jump.
_COSTS = (
    (r":typing", r"\g<0> :action-costs"),
    (r"\n\n  \(:(action|derived) ", r"\n  (:functions (total-cost) - number)\g<0>"),
    (r"\n( *)\(vacant \?from\) +\(vacant \?over\) +\(peg \?to\)", r"\g<0>\n\1(increase (total-cost) 1)"),
)
_JUMPS = (Objective.ANY, Objective.FEWEST_JUMPS)
_ENDS = (Exact.kind, OnePeg.kind, Partial.kind, Nearest.kind)  # every goal but dead ends
_FIXED = (Exact.kind, Partial.kind)  # that files of the competitions have
# Of those that express a problem the first is used, if no other is asked for.
DOMAINS = (
    Domain(
        "peg-jumps",
        {Exact.kind: (*_JUMPS, Objective.FEWEST_PEGS), Partial.kind: _JUMPS, Nearest.kind: _JUMPS},
        Objective.FEWEST_JUMPS,
    ),
    Domain("peg-last-peg", {OnePeg.kind: (*_JUMPS, Objective.FEWEST_PEGS)}, Objective.FEWEST_JUMPS),
    Domain("peg-fools", {DeadEnd.kind: _JUMPS}, Objective.FEWEST_JUMPS),
    Domain("peg-derived", {DeadEnd.kind: _JUMPS}, Objective.FEWEST_JUMPS),
    Domain("peg-fools-moves", {DeadEnd.kind: (Objective.FEWEST_MOVES,)}, Objective.FEWEST_MOVES, "total-cost"),
    Domain(
        "peg-nearest",
        {Partial.kind: (Objective.FEWEST_PEGS,), Nearest.kind: (Objective.FEWEST_PEGS, Objective.NEAREST)},
        Objective.NEAREST,
        "total-cost",
    ),
    Domain("peg-steps", dict.fromkeys(_ENDS, (Objective.FEWEST_STEPS,)), Objective.FEWEST_STEPS, "total-time"),
    Domain(
        "peg-parallel",
        dict.fromkeys(_ENDS, (Objective.ANY, Objective.FEWEST_STEPS)),
        Objective.FEWEST_STEPS,
        "total-cost",
    ),
    Domain(
        "peg-fewest-moves",
        dict.fromkeys(_ENDS, (Objective.ANY, Objective.FEWEST_MOVES)),
        Objective.FEWEST_MOVES,
        "total-cost",
    ),
    Domain(
        "pegsolitaire-sequential",
        dict.fromkeys(_FIXED, (Objective.FEWEST_MOVES,)),
        Objective.FEWEST_MOVES,
        "total-cost",
        "fewest-moves",
    ),
    Domain(
        "pegsolitaire-temporal",
        dict.fromkeys(_FIXED, (Objective.FEWEST_STEPS,)),
        Objective.FEWEST_STEPS,
        "total-time",
        "steps",
    ),
    Domain(
        "pegsolitaire-netbenefit",
        {**dict.fromkeys(_FIXED, (Objective.ANY,)), Nearest.kind: (Objective.NEAREST,)},
        None,
        like="jumps",
    ),
    Domain("pegsolitaire-invasion", dict.fromkeys(_FIXED, (Objective.ANY,)), None, like="jumps"),
)
GOALS = tuple(dict.fromkeys(goal for domain in DOMAINS for goal in domain.takes))  # that some domain expresses


def unsupported(goal: str, objective: Objective) -> str | None:
    """Why there is no PDDL for a kind of goal with an objective, or None if there is."""
    if any(objective in domain.takes.get(goal, ()) for domain in DOMAINS):
        return None
    if objective is Objective.COUNT:
        return "PDDL asks for one plan, it cannot count solutions"
    return f"no PDDL domain expresses the goal {goal} with the objective {objective}"


def domain_for(problem: Problem, name: str | None = None) -> Domain:
    """The domain of that name (that of its file), by default the one that fits best.

    Raises InputError if it does not express the problem.
    """
    reason = unsupported(problem.goal.kind, problem.objective)
    if reason is not None:
        raise InputError(reason)
    fitting = [domain for domain in DOMAINS if domain.fits(problem)]
    for domain in fitting:
        if name in (None, domain.stem) or (name == COMPETITION and domain.like):
            return domain
    known = ", ".join(domain.stem for domain in fitting)
    raise InputError(
        f'the domain "{name}" does not fit the goal ({problem.goal_text}) and the objective {problem.objective}; '
        f"domains that do: {known}"
    )


def costs_jumps(problem: Problem, domain: Domain) -> bool:
    """Whether the cost of a plan in this domain is its number of jumps."""
    return problem.objective is Objective.FEWEST_JUMPS and not domain.measure


@cache
def reserved() -> frozenset[str]:
    """Words that a hole or a problem must not be called: PDDL's own, and those of the domains."""
    return frozenset(_KEYWORDS.split()).union(_RENAMED.values(), *(domain.words for domain in DOMAINS))


_KEYWORDS = """
and or not forall exists when imply either oneof assign at over all start end always sometime within at-most-once
sometime-after sometime-before always-within hold-during hold-after preference derived define domain problem
requirements types constants predicates functions action parameters precondition effect objects init goal metric
minimize maximize number object undefined increase decrease scale-up scale-down total-cost total-time
"""


def start_facts(problem: Problem, domain: Domain) -> list[Fact]:
    """What is true at the start of a problem in a domain."""
    board, start = problem.board, problem.start.mask
    holes = range(len(board.holes))
    facts: list[Fact] = [("line", tuple(jump)) for jump in board.jumps]
    facts += [("peg" if start >> hole & 1 else "vacant", (hole,)) for hole in holes]
    facts += [(begins, ()) for begins in ("between-moves", "playing") if begins in domain.predicates]
    if "settled" in domain.predicates:
        assert problem.sought is not None
        wanted = problem.sought.pegs
        facts.append(("turn", (0,)))
        facts += [("wanted-peg" if wanted >> hole & 1 else "wanted-vacant", (hole,)) for hole in holes]
        facts += [("next", (hole, (hole + 1) % len(board.holes))) for hole in holes]
    if isinstance(problem.goal, OnePeg):
        facts.append(("hand-empty", ()))
    return facts


def final_facts(problem: Problem, domain: Domain) -> list[Fact]:
    """What must be true at the end of a plan."""
    holes = range(len(problem.board.holes))
    facts: list[Fact] = [("stopped", ())] if "stopped" in domain.predicates else []
    facts += [("settled", (hole,)) for hole in holes if "settled" in domain.predicates]
    if isinstance(problem.goal, DeadEnd):
        facts += [("blocked", line) for line in problem.board.lines]
    if isinstance(problem.goal, OnePeg):
        return [("holding", ()), *(("vacant", (hole,)) for hole in holes)]
    facts += [("peg", (hole,)) for hole in holes if problem.final_pegs >> hole & 1]
    return facts + [("vacant", (hole,)) for hole in holes if problem.final_vacancies >> hole & 1]
