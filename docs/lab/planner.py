"""A planner for the page: grounds a PDDL task and searches depth first, remembering all states. It reads any STRIPS
domain that pegcp can ground, also one that is wrong: which jumps a plan makes is left to the rules of the game."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence

from pegcp.formats.pddl.facts import Reader
from pegcp.formats.pddl.grounding import GroundTask
from pegcp.formats.pddl.syntax import Fact, Node, literals, parse

Plan = list[tuple[str, ...]]  # actions: a name and objects
_OFTEN = 1000  # states between two looks at the clock


def find_plan(files: Mapping[str, str], seconds: float) -> Plan | None:
    """Return a plan for the domain and the problem, or None if there is none.

    Raises InputError for a construct that is not supported, and TimeoutError.
    """
    ends = time.monotonic() + seconds
    domain, problem = (_sections(files[name], name) for name in ("domain.pddl", "problem.pddl"))
    sections = {section.head: section for section in problem}
    task = GroundTask(domain, sections, Reader())
    bits: dict[Fact, int] = {}

    def mask(facts: Sequence[Fact]) -> int:
        return sum({bits.setdefault(fact, 1 << len(bits)) for fact in facts})

    actions: list[tuple[tuple[str, ...], int, int, int, int]] = []
    for action in task.actions.values():
        for binding in task.bindings.get(action.name, ()):
            wants, refuses, takes, gives = map(mask, action.ground(binding)[:4])
            actions.append(
                ((action.name, *(binding[word] for word in action.parameters)), wants, refuses, takes, gives)
            )
    aims: tuple[list[Fact], list[Fact]] = [], []  # what is to be false, and true
    for part, holds, *_ in literals(sections[":goal"].items[1]):
        aims[holds].append((part.head, tuple(map(str, part.items[1:]))))
    avoided, wanted = map(mask, aims)
    # What an action only adds, and nobody wants to be false, can do no harm: such an action need not wait for others.
    shunned = avoided | sum({bit for _, _, refuses, *_ in actions for bit in bits.values() if bit & refuses})
    harmless = [action for action in actions if not action[3] and not action[4] & shunned]
    start = sum(
        bit for (name, objects), bit in bits.items() if objects in task.start.get(name, ())
    )  # facts that no action or goal is about do not matter
    parents: dict[int, tuple[int, tuple[str, ...]]] = {start: (start, ())}
    stack = [start]
    while stack:
        state = stack.pop()
        if state & wanted == wanted and not state & avoided:
            plan: Plan = []
            while parents[state][1]:
                state, name = parents[state]
                plan.append(name)
            return plan[::-1]
        if len(parents) % _OFTEN == 0 and time.monotonic() > ends:
            raise TimeoutError
        free = (row for row in harmless if row[4] & ~state and state & row[1] == row[1] and not state & row[2])
        first = next(free, None)
        for name, wants, refuses, takes, gives in actions if first is None else [first]:
            if state & wants == wants and not state & refuses:
                after = state & ~takes | gives
                if after not in parents:
                    parents[after] = state, name
                    stack.append(after)
    return None


def _sections(text: str, source: str) -> Sequence[Node]:
    (define,) = parse(text, source)
    return define.items[1:]
