"""Writing PDDL: the domain that fits a problem, and the problem itself."""

from __future__ import annotations

import json
import re

from pegcp.formats.pddl.actions import Fact
from pegcp.formats.pddl.domains import Domain, costs_jumps, domain_for, final_facts, reserved, start_facts
from pegcp.game.board import Board
from pegcp.game.goal import Objective
from pegcp.game.picture import draw
from pegcp.game.problem import Problem


def pddl_names(board: Board) -> tuple[str, ...]:
    """A PDDL name for every hole: the hole's own in small letters where that is a name, unique and not reserved."""
    taken = set(reserved())
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


def names_in(board: Board, domain: Domain) -> tuple[str, ...]:
    """The names of holes in a domain: ``pos-ROW-COLUMN`` in those of the competitions, where the holes are cells."""
    if domain.like and board.cells is not None:
        return tuple(f"pos-{row}-{column}" for row, column in board.cells)
    return pddl_names(board)


def safe_name(text: str, prefix: str) -> str:
    """A PDDL name near the text: small ASCII letters, digits, ``_`` and ``-``, a letter first."""
    name = re.sub(r"[^a-z0-9_-]+", "-", text.lower()).strip("-")
    return name if name[:1].isalpha() else f"{prefix}{name}"


def export(problem: Problem, *, domain: str | None = None, metric: bool = True) -> dict[str, str]:
    """File names and texts: the domain, the problem, and which PDDL object is which hole.

    ``domain`` is the name of a file in ``models/``, by default of the one that fits. ``metric`` adds, where the
    objective is the fewest jumps, a cost of 1 for each. The same problem gives the same texts, always. Raises
    InputError if the goal and objective have no domain, or not that one.
    """
    chosen = domain_for(problem, domain)
    counting = metric and costs_jumps(problem, chosen)
    costs = "total-cost" if counting else chosen.measure
    measure = "" if problem.objective is Objective.ANY else costs  # any plan will do, whatever it costs
    board = problem.board
    names = names_in(board, chosen)
    title = safe_name(problem.name, "p-")
    title = f"peg-{title}" if title in reserved() else title
    weights = problem.sought.weights if problem.sought is not None and "settled" in chosen.predicates else ()
    type_ = chosen.shown("hole")
    goal = [_written(fact, names, chosen) for fact in final_facts(problem, chosen)]
    metric_ = f"(:metric minimize ({measure}))" if measure else ""
    if chosen.prefers(problem):
        preferences, metric_ = _preferences(problem, names, chosen)
        goal += preferences
    lines = [
        *(f";; {line}".rstrip() for line in _about(problem)),
        f"(define (problem {title})",
        f"  (:domain {chosen.name})",
        "  (:objects",
        # The comment keeps the hole's own name where PDDL does not allow it.
        *(
            f"    {name} - {type_}{'' if name == hole or name.startswith('pos-') else f' ; {hole}'}"
            for name, hole in zip(names, board.holes, strict=True)
        ),
        "  )",
        "  (:init",
        *(f"    {_written(fact, names, chosen)}" for fact in start_facts(problem, chosen)),
        *(f"    (= (weight {name}) {weight})" for name, weight in zip(names, weights, strict=False)),
        *(["    (= (total-cost) 0)"] if costs == "total-cost" else []),
        "  )",
        "  (:goal (and",
        *(f"    {fact}" for fact in goal),
        "  ))",
        *([f"  {metric_}"] if metric_ else []),
        ")",
    ]
    text = "\n".join(lines) + "\n"
    objects = json.dumps(dict(zip(names, board.holes, strict=True)), indent=0, ensure_ascii=False)
    return {
        "domain.pddl": chosen.written(problem, costs=counting),
        "problem.pddl": text,
        "names.json": objects + "\n",
    }


def _preferences(problem: Problem, names: tuple[str, ...], domain: Domain) -> tuple[list[str], str]:
    """A preference for each hole, and the metric: the weight of all less that of those that are violated."""
    assert problem.sought is not None
    pegs, weights = problem.sought.pegs, problem.sought.weights
    facts: list[Fact] = [("peg" if pegs >> hole & 1 else "vacant", (hole,)) for hole in range(len(names))]
    wanted = [f"(preference g{i} {_written(fact, names, domain)})" for i, fact in enumerate(facts)]
    terms = " ".join(f"(* (is-violated g{i}) {weight})" for i, weight in enumerate(weights))
    return wanted, f"(:metric maximize (- {sum(weights)} (+ {terms})))"


def _written(fact: Fact, names: tuple[str, ...], domain: Domain) -> str:
    predicate, holes = fact
    return f"({' '.join((domain.shown(predicate), *(names[hole] for hole in holes)))})"


def _about(problem: Problem) -> list[str]:
    """The opening comment: what the problem is, with a picture of the start."""
    name = "".join(c if c.isprintable() else "?" for c in problem.name)
    about = [f"{name}: {len(problem.start)} pegs, to {problem.goal_text}", ""]
    if problem.board.lattice is not None:
        about += ["X = peg, o = vacancy", *draw(problem.board, problem.start.mask).splitlines(), ""]
    return about
