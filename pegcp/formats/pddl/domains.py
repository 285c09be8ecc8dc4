"""The PDDL domains that pegcp writes and reads: one row each, with the goals and objectives that they express; and
problems written in them.

Predicates and actions are read from the file of a domain: ``models/*.pddl``, and ``competition/*.pddl`` beside this one
for the domains of the planning competitions, which have other words for the same.
"""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import count
from pathlib import Path

from pegcp.errors import InputError, refuse_if, suggestion
from pegcp.formats.files import models_folder
from pegcp.formats.pddl.syntax import HOLE_TYPES, Action, Fact, Node, parse, read_actions, types
from pegcp.game import Board, DeadEnd, Exact, Nearest, Objective, OnePeg, Partial, Problem, draw

Costs = Mapping[str, int | Fact]  # of actions that cost something
COMPETITION = "competition"  # asks for the domain of the competitions that fits
# The competitions' words for predicates and types of models/.
_COMPETITION_WORDS = {
    "line": "in-line",
    "peg": "occupied",
    "vacant": "free",
    "between-moves": "move-ended",
    "on-its-way": "last-visited",
    "hole": "location",
}


@dataclass(frozen=True, eq=False)
class Domain:
    """A domain by its name in PDDL.

    ``takes``: the goals that it expresses, each with the objectives. ``means``: the objective of problems with a
    metric, None if its actions have no costs. ``measure``: the quantity that its problems always minimise; where it is
    empty, a cost of 1 can be added to each jump. ``like``: the file in ``competition/`` of a competition's domain.
    """

    name: str
    takes: Mapping[str, tuple[Objective, ...]]
    means: Objective | None
    measure: str = ""
    like: str = ""

    @property
    def stem(self) -> str:
        """The name of its file without the suffix, which names it everywhere but in PDDL."""
        return self.name.removeprefix("peg-")

    def fits(self, problem: Problem) -> bool:
        """Tell whether it expresses the goal with the objective."""
        return problem.objective in self.takes.get(problem.goal.kind, ())

    @cached_property
    def text(self) -> str:
        """The text of its file."""
        folder = Path(__file__).parent / "competition" if self.like else models_folder()
        text = (folder / f"{self.like or self.stem}.pddl").read_text(encoding="utf-8")
        return text.replace(f"(domain pegsolitaire-{self.like})", f"(domain {self.name})")

    @cached_property
    def sections(self) -> Sequence[Node]:
        """The sections of its file."""
        return parse(self.text, f"{self.stem}.pddl")[0].items[1:]

    def shown(self, word: str) -> str:
        """Return the domain's word for a predicate or type of pegcp."""
        return _COMPETITION_WORDS.get(word, word) if self.like else word

    def fact_text(self, fact: Fact, names: tuple[str, ...]) -> str:
        """Return a fact as it is written in the domain, with names for its holes."""
        return f"({' '.join((self.shown(fact[0]), *(names[hole] for hole in fact[1])))})"

    @cached_property
    def own_words(self) -> Mapping[str, str]:
        """Pegcp's word for each predicate that has another name in the domain."""
        return {word: own for own, word in _COMPETITION_WORDS.items()} if self.like else {}

    @cached_property
    def predicates(self) -> Mapping[str, int]:
        """Its predicates in pegcp's words, with the number of holes that each takes."""
        forms = [form for part in self.sections if part.head == ":predicates" for form in part.items[1:]]
        return {self.own_words.get(form.head, form.head): len(types(form.items[1:])) for form in forms}

    @cached_property
    def actions(self) -> Mapping[str, Action]:
        """Its actions by name, in pegcp's words."""
        return read_actions(self.sections, self.own_words)

    @cached_property
    def costs(self) -> Costs:
        """The costs of its actions that cost something; where none does, jumps may cost 1."""
        return costs_of(self.actions) or ({} if self.measure else {"jump": 1})

    def is_domain(self, sections: Sequence[Node]) -> bool:
        """Tell whether the domain of a file has the same actions and rules, whatever their costs."""
        theirs = read_actions(sections, self.own_words)
        kinds = {kind for action in theirs.values() for kinds in action.parameters.values() for kind in kinds}
        return (
            theirs.keys() == self.actions.keys()
            and _rules(sections) == _rules(self.sections)
            and kinds <= {self.shown("hole"), *HOLE_TYPES}
            and all(action.meaning == theirs[name].meaning for name, action in self.actions.items())
        )

    @property
    def has_rules(self) -> bool:
        """True if some of its predicates are derived."""
        return bool(_rules(self.sections))

    def with_costs(self) -> str:
        """Return its text with a cost of 1 for each jump."""
        text = self.text
        for before, after in _COSTS:
            text = re.sub(before, after, text, count=1)
        return text


def costs_of(actions: Mapping[str, Action]) -> Costs:
    """Return the costs of actions that cost something."""
    return {name: cost for name, action in actions.items() if (cost := action.cost(action.numbers))}


def _rules(sections: Sequence[Node]) -> list[Node]:
    """Return the derived predicates."""
    return [section for section in sections if section.head == ":derived"]


# Where costs go: the requirement, the function before the first action or rule, and the effect of a jump.
_COSTS = (
    (r":typing", r"\g<0> :action-costs"),
    (r"\n\n  \(:(action|derived) ", r"\n  (:functions (total-cost) - number)\g<0>"),
    (r"\n( *)\(vacant \?from\) +\(vacant \?over\) +\(peg \?to\)", r"\g<0>\n\1(increase (total-cost) 1)"),
)
_JUMPS = (Objective.ANY, Objective.FEWEST_JUMPS)
_ENDS = (Exact.kind, OnePeg.kind, Partial.kind, Nearest.kind)  # every goal but dead ends
_FIXED = (Exact.kind, Partial.kind)  # the goals of competition files
# By default a problem is written in the first domain that expresses it.
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
        "sequential",
    ),
    Domain(
        "pegsolitaire-temporal",
        dict.fromkeys(_FIXED, (Objective.FEWEST_STEPS,)),
        Objective.FEWEST_STEPS,
        "total-time",
        "temporal",
    ),
    Domain("pegsolitaire-netbenefit", dict.fromkeys(_FIXED, (Objective.ANY,)), None, like="netbenefit"),
    Domain("pegsolitaire-invasion", dict.fromkeys(_FIXED, (Objective.ANY,)), None, like="netbenefit"),
)
GOALS = tuple(dict.fromkeys(goal for domain in DOMAINS for goal in domain.takes))  # expressed by some domain


def unsupported(goal: str, objective: Objective) -> str | None:
    """Return the reason why no domain expresses a kind of goal with an objective; None if one does."""
    if objective is Objective.COUNT:
        return "PDDL asks for one plan, it cannot count solutions"
    is_said = any(objective in domain.takes.get(goal, ()) for domain in DOMAINS)
    return None if is_said else f"no PDDL domain expresses the goal {goal} with the objective {objective}"


def domain_for(problem: Problem, name: str | None = None) -> Domain:
    """Return the domain of that name (that of its file), by default the one that fits best.

    Raises InputError if it does not express the problem.
    """
    if reason := unsupported(problem.goal.kind, problem.objective):
        raise InputError(reason)
    choices = (*(domain.stem for domain in DOMAINS), COMPETITION)
    refuse_if(
        name not in (None, *choices),
        f'option encoding of pddl cannot be "{name}"{suggestion(str(name), choices)}: it takes {" or ".join(choices)}',
    )
    fitting = [domain for domain in DOMAINS if domain.fits(problem)]
    meant = [row for row in fitting if name in (None, row.stem) or (name == COMPETITION and row.like)]
    refuse_if(
        not meant,
        f'the domain "{name}" does not fit the goal ({problem.goal_text}) and the objective {problem.objective}; '
        f"domains that do: {', '.join(domain.stem for domain in fitting)}",
    )
    return meant[0]


def costs_jumps(problem: Problem, domain: Domain) -> bool:
    """Tell whether the cost of a plan in this domain is its number of jumps."""
    return problem.objective is Objective.FEWEST_JUMPS and not domain.measure


@cache
def reserved() -> frozenset[str]:
    """Return words that cannot name a hole or a problem: PDDL's keywords and the words of the domains."""
    words = (re.findall(r"(?<![?:\w-])[a-z][\w-]*", re.sub(";.*", "", domain.text)) for domain in DOMAINS)
    return frozenset(_KEYWORDS.split()).union(_COMPETITION_WORDS.values(), *words)


_KEYWORDS = """
and or not forall exists when imply either oneof assign at over all start end always sometime within at-most-once
sometime-after sometime-before always-within hold-during hold-after preference derived define domain problem
requirements types constants predicates functions action parameters precondition effect objects init goal metric
minimize maximize number object undefined increase decrease scale-up scale-down total-cost total-time
"""


def start_facts(problem: Problem, domain: Domain) -> list[Fact]:
    """Return the facts that are true at the start of a problem in a domain."""
    holes, sought = range(len(problem.board.holes)), problem.sought
    facts: list[Fact] = [
        *(("line", tuple(jump)) for jump in problem.board.jumps),
        *(("peg" if problem.start.mask >> hole & 1 else "vacant", (hole,)) for hole in holes),
        ("between-moves", ()),
        ("playing", ()),
        *([("hand-empty", ())] if isinstance(problem.goal, OnePeg) else []),
    ]
    if sought is not None:
        facts += [
            ("turn", (0,)),
            *(("wanted-peg" if sought.pegs >> hole & 1 else "wanted-vacant", (hole,)) for hole in holes),
            *(("next", (hole, (hole + 1) % len(holes))) for hole in holes),
        ]
    return [fact for fact in facts if fact[0] in domain.predicates]


def final_facts(problem: Problem, domain: Domain) -> list[Fact]:
    """Return the facts that must be true at the end of a plan."""
    holes = range(len(problem.board.holes))
    if isinstance(problem.goal, OnePeg):
        return [("holding", ()), *(("vacant", (hole,)) for hole in holes)]
    facts: list[Fact] = [
        ("stopped", ()),
        *(("settled", (hole,)) for hole in holes),
        *(("blocked", line) for line in problem.board.lines if isinstance(problem.goal, DeadEnd)),
        *(("peg", (hole,)) for hole in holes if problem.final_pegs >> hole & 1),
        *(("vacant", (hole,)) for hole in holes if problem.final_vacancies >> hole & 1),
    ]
    return [fact for fact in facts if fact[0] in domain.predicates]


def pddl_names(board: Board) -> tuple[str, ...]:
    """Return a unique PDDL name for each hole, near its own name in lower case, and not reserved."""
    names: dict[str, None] = {}
    for hole in board.holes:
        name = safe_name(hole, "h")
        choices = (name if number == 1 else f"{name}-{number}" for number in count(1))
        names[next(choice for choice in choices if choice not in names and choice not in reserved())] = None
    return tuple(names)


def names_in(board: Board, domain: Domain) -> tuple[str, ...]:
    """Return the names of holes in a domain: ``pos-ROW-COLUMN`` in those of the competitions, where the holes are
    cells."""
    cells = tuple(f"pos-{row}-{column}" for row, column in board.cells or ())
    return cells if domain.like and cells else pddl_names(board)


def safe_name(text: str, prefix: str) -> str:
    """Return a PDDL name near the text: small ASCII letters, digits, ``_`` and ``-``, a letter first."""
    name = re.sub(r"[^a-z0-9_-]+", "-", text.lower()).strip("-")
    return name if name[:1].isalpha() else f"{prefix}{name}"


def export(problem: Problem, *, domain: str | None = None, metric: bool = True) -> dict[str, str]:
    """Return file names and texts: the domain, the problem, and the hole of each PDDL object.

    ``domain`` is the name of a file in ``models/``, by default of the one that fits. ``metric`` adds, where the
    objective is the fewest jumps, a cost of 1 for each. The same problem always gives the same texts. Raises InputError
    if no domain expresses the goal and objective, or not that one.
    """
    row = domain_for(problem, domain)
    jumps_cost = metric and costs_jumps(problem, row)
    costs = "total-cost" if jumps_cost else row.measure
    measure = "" if problem.objective is Objective.ANY else costs  # any plan will do, whatever it costs
    board = problem.board
    names = names_in(board, row)
    title = safe_name(problem.name, "p-")
    title = f"peg-{title}" if title in reserved() else title
    weights = problem.sought.weights if problem.sought is not None and "settled" in row.predicates else ()
    lines = [
        *(f";; {line}".rstrip() for line in _about(problem)),
        f"(define (problem {title})",
        f"  (:domain {row.name})",
        "  (:objects",
        # The comment keeps the hole's own name where PDDL does not allow it.
        *(
            f"    {name} - {row.shown('hole')}{'' if name == hole or name.startswith('pos-') else f' ; {hole}'}"
            for name, hole in zip(names, board.holes, strict=True)
        ),
        "  )",
        "  (:init",
        *(f"    {row.fact_text(fact, names)}" for fact in start_facts(problem, row)),
        *(f"    (= (weight {name}) {weight})" for name, weight in zip(names, weights, strict=False)),
        *(["    (= (total-cost) 0)"] if costs == "total-cost" else []),
        "  )",
        "  (:goal (and",
        *(f"    {row.fact_text(fact, names)}" for fact in final_facts(problem, row)),
        "  ))",
        *([f"  (:metric minimize ({measure}))"] if measure else []),
        ")",
    ]
    text = "\n".join(lines) + "\n"
    objects = json.dumps(dict(zip(names, board.holes, strict=True)), indent=0, ensure_ascii=False)
    return {
        "domain.pddl": row.with_costs() if jumps_cost else row.text,
        "problem.pddl": text,
        "names.json": objects + "\n",
    }


def _about(problem: Problem) -> list[str]:
    """Return the lines of the opening comment: the problem in words, with a picture of the start."""
    name = "".join(c if c.isprintable() else "?" for c in problem.name)
    on_lattice = problem.board.lattice is not None
    picture = ["X = peg, o = vacancy", *draw(problem.board, problem.start.mask).splitlines(), ""] if on_lattice else []
    return [f"{name}: {len(problem.start)} pegs, to {problem.goal_text}", "", *picture]
