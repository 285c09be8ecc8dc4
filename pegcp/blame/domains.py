"""Which precondition or effect of a planning domain excludes a solution, or allows what is no jump.

A solution is played by the actions of the file, next to those of the bundled domain that has the same ones.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from pegcp.blame.answer import Line, Why
from pegcp.errors import InputError
from pegcp.formats import pddl
from pegcp.formats.files import read_file
from pegcp.formats.pddl.actions import Action, Fact, read_actions
from pegcp.formats.pddl.domains import DOMAINS, start_facts
from pegcp.formats.pddl.syntax import Node, decode, parse
from pegcp.game.board import Jump, jump_name
from pegcp.game.problem import Problem

_MOST_BYTES = 1_000_000
Parts = dict[tuple[Fact, bool], Node]  # by what each says of some holes: a fact, and whether it holds


def explain_domain(problem: Problem, path: Path, jumps: Sequence[Jump]) -> Why:
    """Return which part of an action excludes a solution; or which part is missing, if it allows more than jumps."""
    text, board, source = decode(read_file(path, _MOST_BYTES)), problem.board, str(path)
    actions = read_actions([item for node in parse(text, source) for item in node.items], {})
    domain = next((row for row in DOMAINS if row.fits(problem) and actions.keys() == row.actions.keys()), None)
    if domain is None:
        raise InputError(f"no bundled domain for {problem.name} has the actions {', '.join(actions)}", source=source)
    played = tuple(jump_name(board, jump) for jump in jumps)
    number = {hole: h for h, hole in enumerate(board.holes)}
    facts = set(start_facts(problem, domain))
    plan = re.findall(r"\((.+)\)", pddl.write_plan(problem, jumps, domain.stem))
    for step, (name, *words) in enumerate(map(str.split, plan), start=1):
        mine, right, holes = actions[name], domain.actions[name], [number[word] for word in words]
        if len(mine.parameters) != len(holes):
            raise mine.error(f"expected {len(holes)} parameters")
        condition, effect = (_parts(mine, node, holes, board.full) for node in (mine.condition, mine.effect))
        wanted, outcome = (_parts(right, node, holes, board.full) for node in (right.condition, right.effect))
        after = facts - {fact for fact, _ in outcome} | {fact for fact, holds in outcome if holds}
        checks = (
            ("excludes a solution", "its precondition {} does not hold", _differing(condition, facts), None),
            ("excludes a solution", "its effect {} is wrong", _differing(effect, after), None),
            ("accepts what is no jump", "it lacks the precondition {}", _missing(wanted, condition), mine.condition),
            ("accepts what is no jump", "it lacks the effect {}", _missing(outcome, effect), mine.effect),
        )
        for does, fault, parts, place in checks:
            if parts:
                excludes, about = does.startswith("excludes"), f"step {step}, {' '.join([name, *words])}"
                at = (parts[0] if excludes else place or mine.place).line
                line = Line(at, text.splitlines()[at - 1].strip(), about, excludes)
                says = f"The domain {does} at {about}: {fault.format(parts[0])}."
                return Why(does.split()[0], says, source, (line,), step, None if excludes else 3, played)
        facts = after
    return Why("agrees", "The domain plays the solution as the game does.", source, jumps=played)


def _parts(action: Action, node: Node | None, holes: Sequence[int], full: int) -> Parts:
    """The parts of a condition or an effect on certain holes."""
    values = dict(zip(action.parameters, holes, strict=True))
    parts = node.items[1:] if node is not None and node.head == "and" else [node]
    everything = range(full.bit_length())
    return {(fact, holds): part for part in parts if part for fact, holds, _ in action.facts(part, values, everything)}


def _differing(parts: Parts, facts: set[Fact]) -> list[Node]:
    """The parts that do not hold."""
    return [part for (fact, holds), part in parts.items() if (fact in facts) is not holds]


def _missing(right: Parts, parts: Parts) -> list[Node]:
    """The parts that are missing."""
    return [part for literal, part in right.items() if literal not in parts]
