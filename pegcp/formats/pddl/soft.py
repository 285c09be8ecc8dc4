"""Soft goals in PDDL: a preference for each hole with its weight in the metric, or the facts of ``nearest.pddl``."""

from __future__ import annotations

from pegcp.formats.pddl.facts import Reader
from pegcp.formats.pddl.syntax import Form, Node
from pegcp.game.goal import Nearest


def has_preferences(goal: Node) -> bool:
    """Whether a goal has preferences."""
    parts = (goal, *goal.items) if isinstance(goal, Form) else ()
    return any(isinstance(part, Form) and part.head == "preference" for part in parts)


def read_preferences(
    reader: Reader, goal: Form, metric: Form | None, index: dict[str, int]
) -> tuple[Nearest, int | None]:
    """The soft goal of preferences such as ``(preference g7 (free pos-1-3))``, one for a hole; and N, if there is one.

    The metric is ``maximize (- N SUM)`` or ``minimize SUM``, where SUM adds up ``(* (is-violated g7) 10)`` and so on.
    Raises InputError, saying where, for anything else.
    """
    if metric is None:
        raise reader.error(goal, "preferences without a metric: it says what each of them weighs")
    named: dict[str, tuple[int, bool]] = {}
    for part in goal.items[1:] if goal.head == "and" else (goal,):
        if not isinstance(part, Form) or part.head != "preference" or len(part.items) != 3:
            raise reader.error(part, f"{part} beside preferences is not understood; expected (preference NAME FACT)")
        name = reader.symbol(part.items[1], "the name of a preference")
        kind, holes = reader.fact(part.items[2])
        if kind not in ("peg", "vacant"):
            raise reader.error(part.items[2], f"{part.items[2]} is not understood in a preference")
        hole = index[holes[0]]
        if name in named or hole in (other for other, _ in named.values()):
            raise reader.error(part, f"{part} is a second preference of that name or for that hole")
        named[name] = hole, kind == "peg"
    weights = [0] * len(index)
    total, most = _sum(reader, metric)
    for violated, weight in _terms(reader, total):
        name = reader.symbol(violated, "the name of a preference")
        if name not in named:
            raise reader.error(violated, f'there is no preference "{name}"')
        if weights[named[name][0]]:
            raise reader.error(violated, f'"{name}" is weighed twice')
        weights[named[name][0]] = weight
    return Nearest(sum(1 << hole for hole, peg in named.values() if peg), tuple(weights)), most


def _sum(reader: Reader, metric: Form) -> tuple[Node, int | None]:
    """The sum that is to be small, and the number that it is taken from, if any."""
    match metric.items[1:]:
        case (direction, total) if str(direction) == "minimize":
            return total, None
        case (direction, Form(items=(_, constant, total)) as difference) if (
            str(direction) == "maximize" and difference.head == "-"
        ):
            return total, reader.number(constant)
    raise reader.error(metric, "the metric of preferences is understood as (maximize (- NUMBER SUM)) or (minimize SUM)")


def _terms(reader: Reader, node: Node) -> list[tuple[Node, int]]:
    """The preferences of a sum, each with its weight."""
    match node:
        case Form(head="+", items=(_, *terms)):
            return [found for term in terms for found in _terms(reader, term)]
        case Form(head="is-violated", items=(_, name)):
            return [(name, 1)]
        case Form(head="*", items=(_, one, other)):
            counted, factor = (one, other) if isinstance(one, Form) else (other, one)
            if isinstance(counted, Form) and counted.head == "is-violated" and len(counted.items) == 2:
                return [(counted.items[1], reader.number(factor))]
    raise reader.error(node, f"{node} is not understood in the metric; expected (* (is-violated NAME) NUMBER)")
