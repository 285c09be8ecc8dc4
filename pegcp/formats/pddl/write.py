"""Write PDDL: the domain that fits a problem, and the problem itself."""

import json
import re
from itertools import count

from pegcp.formats.pddl.domains import Domain, costs_jumps, domain_for, final_facts, reserved, start_facts
from pegcp.game import Board, Objective, Problem, draw


def pddl_names(board: Board) -> tuple[str, ...]:
    """A unique PDDL name for each hole, near its own name in lower case, and not reserved."""
    names: dict[str, None] = {}
    for hole in board.holes:
        name = safe_name(hole, "h")
        choices = (name if number == 1 else f"{name}-{number}" for number in count(1))
        names[next(choice for choice in choices if choice not in names and choice not in reserved())] = None
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
    """File names and texts: the domain, the problem, and the hole of each PDDL object.

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
        "domain.pddl": row.written(problem, costs=jumps_cost),
        "problem.pddl": text,
        "names.json": objects + "\n",
    }


def _about(problem: Problem) -> list[str]:
    """The lines of the opening comment: the problem in words, with a picture of the start."""
    name = "".join(c if c.isprintable() else "?" for c in problem.name)
    on_lattice = problem.board.lattice is not None
    picture = ["X = peg, o = vacancy", *draw(problem.board, problem.start.mask).splitlines(), ""] if on_lattice else []
    return [f"{name}: {len(problem.start)} pegs, to {problem.goal_text}", "", *picture]
