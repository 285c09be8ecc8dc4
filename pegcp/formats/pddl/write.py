"""Writing PDDL: the domain that fits a problem, and the problem itself."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import assert_never

from pegcp.errors import InputError
from pegcp.formats.folders import models_folder
from pegcp.game.board import Board
from pegcp.game.goal import DeadEnd, Exact, Nearest, Objective, OnePeg, Partial
from pegcp.game.picture import draw
from pegcp.game.problem import Problem
from pegcp.theory.parity import class_sets

# Words that a hole or a problem must not be called: PDDL's own, and the names in the domains.
_WORDS = """
and or not forall exists when imply either oneof assign at over all start end always sometime within at-most-once
sometime-after sometime-before always-within hold-during hold-after preference derived define domain problem
requirements types constants predicates functions action parameters precondition effect objects init goal metric
minimize maximize number object undefined increase decrease scale-up scale-down total-cost total-time
hole line peg vacant jump take hand-empty holding between-moves on-its-way jump-new-move jump-continue-move end-move
playing stopped blocked stop middle-vacant ends-vacant ends-filled
wanted-peg wanted-vacant weight settled turn next peg-as-wanted vacant-as-wanted peg-too-many peg-missing
fresh next-step set set-1 set-2 set-3 set-4 member pegs-on game sweep move end-game jump-again end-sweep
"""
RESERVED = frozenset(_WORDS.split())
GOALS = (Exact.kind, OnePeg.kind, Partial.kind, DeadEnd.kind, Nearest.kind)  # that a domain in models/ can express

# The domains in models/ that are used only when asked for, with the goals and objectives that they express.
_PATTERNS = (Exact.kind, Partial.kind)
ENCODINGS: dict[str, tuple[tuple[str, ...], tuple[Objective, ...]]] = {
    "parallel": ((*_PATTERNS, OnePeg.kind, Nearest.kind), (Objective.ANY, Objective.FEWEST_STEPS)),
    "derived": ((DeadEnd.kind,), (Objective.ANY, Objective.FEWEST_JUMPS)),
    "counters": (_PATTERNS, (Objective.ANY,)),
    "sweeps": (_PATTERNS, (Objective.ANY,)),
}
_COUNTERS = 4  # of counters.pddl

# What the domains minimise that have a measure of their own.
_MEASURES = {
    "fewest-moves.pddl": "total-cost",
    "nearest.pddl": "total-cost",
    "parallel.pddl": "total-cost",
    "steps.pddl": "total-time",
}


@dataclass(frozen=True)
class Compiled:
    """A problem in PDDL, and the way back.

    ``model`` is the file of the domain in ``models/``, to which costs are added where jumps are counted; ``names[i]``
    is the PDDL name of hole i.
    """

    model: str
    domain: str
    problem: str
    names: tuple[str, ...]


def unsupported(goal: str, objective: Objective) -> str | None:
    """Why there is no PDDL for a kind of goal with an objective, or None if there is."""
    match objective:
        case Objective.COUNT:
            return "PDDL asks for one plan, it cannot count solutions"
        case Objective.FEWEST_MOVES if goal == DeadEnd.kind:
            return "the PDDL domain of dead ends counts jumps, not moves"
        case Objective.FEWEST_PEGS | Objective.FEWEST_STEPS if goal == DeadEnd.kind:
            return "the PDDL domain of dead ends counts jumps, not pegs or steps"
        case Objective.NEAREST if goal != Nearest.kind:
            return "the objective nearest needs a position to end near"
        case (
            Objective.ANY
            | Objective.FEWEST_JUMPS
            | Objective.FEWEST_MOVES
            | Objective.FEWEST_STEPS
            | Objective.FEWEST_PEGS
            | Objective.NEAREST
        ):
            return None
        case _:
            assert_never(objective)


def model_name(problem: Problem) -> str:
    """The file in ``models/`` whose domain fits the goal and objective of the problem."""
    reason = unsupported(problem.goal.kind, problem.objective)
    if reason is not None:
        raise InputError(reason)
    if problem.objective is Objective.FEWEST_MOVES:
        return "fewest-moves.pddl"
    if problem.objective is Objective.FEWEST_STEPS:
        return "steps.pddl"
    match problem.goal:
        case DeadEnd():
            return "fools.pddl"
        case OnePeg():
            return "last-peg.pddl"
        case Exact():
            return "jumps.pddl"
        case Partial() | Nearest():
            return "jumps.pddl" if problem.sought is None else "nearest.pddl"
        case _:
            assert_never(problem.goal)


def pddl_names(board: Board) -> tuple[str, ...]:
    """A PDDL name for every hole: the hole's own in small letters where that is a name, unique and not reserved."""
    taken: set[str] = set(RESERVED)
    names = []
    for hole in board.holes:
        name = safe_name(hole, "h")
        number = 2
        unique = name
        while unique in taken:
            unique = f"{name}-{number}"
            number += 1
        taken.add(unique)
        names.append(unique)
    return tuple(names)


def safe_name(text: str, prefix: str) -> str:
    """A PDDL name near the text: small ASCII letters, digits, ``_`` and ``-``, a letter first."""
    name = re.sub(r"[^a-z0-9_-]+", "-", text.lower()).strip("-")
    return name if name[:1].isalpha() else f"{prefix}{name}"


def model_file(problem: Problem, domain: str | None = None) -> str:
    """The file in ``models/`` of a domain, by default of the one that fits. Raises InputError if it does not fit."""
    model = model_name(problem)
    if domain is None or f"{domain}.pddl" == model:
        return model
    goal, objective = problem.goal.kind, problem.objective
    others = [name for name, (goals, objectives) in ENCODINGS.items() if goal in goals and objective in objectives]
    if goal != DeadEnd.kind:
        others.append("fewest-moves")
    if domain not in others:
        known = ", ".join((model.removesuffix(".pddl"), *others))
        raise InputError(
            f'the domain "{domain}" does not fit the goal ({problem.goal_text}) and the objective {objective}; '
            f"domains that do: {known}"
        )
    return f"{domain}.hddl" if domain == "sweeps" else f"{domain}.pddl"


def counts_jumps(problem: Problem, model: str) -> bool:
    """Whether the cost of a plan in this domain is its number of jumps."""
    return problem.objective is Objective.FEWEST_JUMPS and model not in _MEASURES


def _with_costs(rules: str) -> str:
    """A domain without costs, in which a jump costs 1."""
    structure = "\n\n  (:derived " if "(:derived " in rules else "\n\n  (:action "
    for before, after in (
        ("(:requirements :strips :typing", "(:requirements :strips :typing :action-costs"),
        (structure, f"\n  (:functions (total-cost) - number){structure}"),
        (
            "(vacant ?from) (vacant ?over) (peg ?to)",
            "(vacant ?from) (vacant ?over) (peg ?to)\n                 (increase (total-cost) 1)",
        ),
    ):
        rules = rules.replace(before, after, 1)
    return rules


def compiled(
    problem: Problem, number: int | None = None, *, domain: str | None = None, metric: bool = True
) -> Compiled:
    """The problem in PDDL. Raises InputError if the goal and objective have no domain, or not that one.

    ``number`` goes into the name of the PDDL problem, for series. ``domain`` is a file in ``models/``, by default the
    one that fits; see ``ENCODINGS``. ``metric`` adds, where the objective is the fewest jumps, a cost of 1 for each.
    The same problem gives the same text, always.
    """
    model = model_file(problem, domain)
    counting = metric and counts_jumps(problem, model)
    rules = (models_folder() / model).read_text(encoding="utf-8")
    rules = _with_costs(rules) if counting else rules
    measure = "total-cost" if counting else _MEASURES.get(model)
    board = problem.board
    names = pddl_names(board)
    title = safe_name(problem.name, "p-")
    title = f"peg-{title}" if title in RESERVED else title
    suffix = "" if number is None else f"-{number:02}"
    found = re.search(r"\(define \(domain ([\w-]+)\)", rules)
    assert found is not None
    lines = [
        *(f";; {line}".rstrip() for line in _about(problem)),
        f"(define (problem {title}{suffix})",
        f"  (:domain {found[1]})",
        "  (:objects",
        # The comment keeps the hole's own name where PDDL does not allow it.
        *(
            f"    {name} - hole{'' if name == hole else f' ; {hole}'}"
            for name, hole in zip(names, board.holes, strict=True)
        ),
        "  )",
        *(["  (:htn :parameters () :ordered-subtasks (and (game)))"] if model == "sweeps.hddl" else []),
        "  (:init",
        *(f"    {fact}" for fact in _init(problem, model, names)),
        *(["    (= (total-cost) 0)"] if measure == "total-cost" else []),
        "  )",
        "  (:goal (and",
        *(f"    {fact}" for fact in _goal(problem, model, names)),
        "  ))",
        *([f"  (:metric minimize ({measure}))"] if measure else []),
        ")",
    ]
    return Compiled(model, rules, "\n".join(lines) + "\n", names)


def _about(problem: Problem) -> list[str]:
    """The opening comment: what the problem is, with a picture of the start."""
    name = "".join(c if c.isprintable() else "?" for c in problem.name)
    about = [f"{name}: {len(problem.start)} pegs, to {problem.goal_text}", ""]
    if problem.board.lattice is not None:
        about += ["X = peg, o = vacancy", *draw(problem.board, problem.start.mask).splitlines(), ""]
    return about


def _init(problem: Problem, model: str, names: tuple[str, ...]) -> list[str]:
    facts = [f"(line {names[j.from_]} {names[j.over]} {names[j.to]})" for j in problem.board.jumps]
    facts += [f"({'peg' if problem.start.mask >> i & 1 else 'vacant'} {name})" for i, name in enumerate(names)]
    if model == "fewest-moves.pddl":
        facts.append("(between-moves)")
    if model == "nearest.pddl":
        facts += ["(playing)", f"(turn {names[0]})", *_wanted(problem, names)]
    if model == "fools.pddl":
        facts.append("(playing)")
    if model == "counters.pddl":
        for holes, name in _counted(problem):
            facts.append(f"(= (pegs-on {name}) {(holes & problem.start.mask).bit_count()})")
            facts += [f"(= (member {name} {hole}) {holes >> i & 1})" for i, hole in enumerate(names)]
    match problem.goal:
        case OnePeg():
            facts.append("(hand-empty)")
        case DeadEnd():
            pass
        case Exact() | Partial() | Nearest():
            pass
        case _:
            assert_never(problem.goal)
    return facts


def _wanted(problem: Problem, names: tuple[str, ...]) -> Iterator[str]:
    assert problem.sought is not None
    for i, (name, weight) in enumerate(zip(names, problem.sought.weights, strict=True)):
        yield f"({'wanted-peg' if problem.sought.pegs >> i & 1 else 'wanted-vacant'} {name})"
        yield f"(= (weight {name}) {weight})"
        yield f"(next {name} {names[(i + 1) % len(names)]})"


def _counted(problem: Problem) -> Iterator[tuple[int, str]]:
    """The sets of holes whose pegs are counted, with their names in the domain."""
    sets = (*class_sets(problem.board), *[0] * _COUNTERS)
    for number, holes in enumerate(sets[:_COUNTERS], start=1):
        yield holes, f"set-{number}"


def _goal(problem: Problem, model: str, names: tuple[str, ...]) -> list[str]:
    also = ["(stopped)"] if model in ("nearest.pddl", "fools.pddl") else []
    if model == "nearest.pddl":
        also += [f"(settled {name})" for name in names]
    if model == "counters.pddl":
        also += [f"(>= (pegs-on {name}) {(s & problem.final_pegs).bit_count()})" for s, name in _counted(problem)]
    match problem.goal:
        case DeadEnd():
            lines = problem.board.lines
            return also + [f"(blocked {names[a]} {names[over]} {names[b]})" for a, over, b in lines]
        case OnePeg():
            return ["(holding)", *(f"(vacant {name})" for name in names)]
        case Exact() | Partial() | Nearest():
            pegs, vacancies = problem.final_pegs, problem.final_vacancies
            return also + [
                f"({'peg' if pegs >> i & 1 else 'vacant'} {name})"
                for i, name in enumerate(names)
                if (pegs | vacancies) >> i & 1
            ]
        case _:
            assert_never(problem.goal)


def _names_map(problem: Problem, names: tuple[str, ...]) -> dict[str, str]:
    return dict(zip(names, problem.board.holes, strict=True))


def export(problem: Problem, *, domain: str | None = None, metric: bool = True) -> dict[str, str]:
    """File names and texts: the domain, the problem, and which PDDL object is which hole. Raises InputError.

    ``domain`` and ``metric`` as in :func:`compiled`.
    """
    pddl = compiled(problem, domain=domain, metric=metric)
    names = json.dumps(_names_map(problem, pddl.names), indent=0, ensure_ascii=False)
    suffix = pddl.model[-5:]
    return {f"domain{suffix}": pddl.domain, f"problem{suffix}": pddl.problem, "names.json": names + "\n"}


def benchmark(problems: Iterable[Problem], domain: str | None = None) -> dict[str, str]:
    """File names and texts of a benchmark: ``MODEL/domain.pddl``, ``MODEL/p01.pddl``, ... for each domain needed, with
    ``-costs`` after MODEL where jumps cost 1; in HDDL ``.hddl``.

    ``domain`` as in :func:`compiled`. There are no folders if one domain is enough. ``problems.json`` tells which file
    is which. Raises InputError.
    """
    groups: dict[str, list[Problem]] = {}
    for problem in problems:
        model = model_file(problem, domain)
        costs = "-costs" if counts_jumps(problem, model) else ""
        groups.setdefault(model[:-5] + costs, []).append(problem)
    files: dict[str, str] = {}
    index: dict[str, object] = {}
    for model, members in groups.items():
        folder = f"{model}/" if len(groups) > 1 else ""
        digits = max(2, len(str(len(members))))
        for number, problem in enumerate(members, start=1):
            pddl = compiled(problem, number, domain=domain)
            suffix = pddl.model[-5:]
            files[f"{folder}domain{suffix}"] = pddl.domain
            file = f"{folder}p{number:0{digits}}{suffix}"
            files[file] = pddl.problem
            index[file] = {
                "problem": problem.name,
                "fingerprint": problem.fingerprint,
                "holes": _names_map(problem, pddl.names),
            }
    files["problems.json"] = json.dumps(index, indent=1, ensure_ascii=False) + "\n"
    return files
