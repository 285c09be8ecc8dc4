"""Certificates: evidence, checkable without search, that a problem has no solution.

A certificate is a JSON object with a ``kind``. :data:`KINDS` has for each kind the functions that find it, translate it
for the checker and explain it to people, in the order in which they are tried, the simplest first.

The one-file checker (``pegcp/checking/checker.py``, run by :mod:`pegcp.checking.verification`) alone decides whether a
certificate is right. It reads only trees of cases (proof-format.md), so each kind is translated into one.
"""

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from math import inf
from textwrap import fill, indent
from typing import Any, NamedTuple

from pegcp.errors import InputError, clipped, is_importable, line_width, plural, refuse_if, shown
from pegcp.game import Board, DeadEnd, Exact, OnePeg, Problem
from pegcp.game.lattice import draw_labels
from pegcp.game.svg import Frame, strip_svg
from pegcp.theory.cases import Keys, find_cases
from pegcp.theory.pagoda import free_holes, goal_weight, refuting, weight
from pegcp.theory.parity import invariant_sets, odd

Data = Mapping[str, Any]
_CAPTION_CHARACTERS = 40  # of the names of holes above a picture


def find(problem: Problem, *, cases: bool = False, seconds: float = 60.0) -> Keys | None:
    """Return a certificate that the problem has no solution, or None.

    Some unsolvable problems have no certificate of these kinds. Linear programs take at most these ``seconds``; with 0,
    and where OR-tools is not installed, only certificates without them are found. Finding ``cases`` takes a while.
    """
    deadline = time.monotonic() + seconds if is_importable("ortools") else -inf
    if isinstance(problem.goal, DeadEnd) or problem.is_goal(problem.start.mask):
        return None  # there is a solution: play until the end, or no jump
    for name, kind in KINDS.items():
        keys = kind.find(problem, deadline) if cases or name != "cases" else None
        if keys is not None:
            return {"kind": name, **keys}
    return None


def for_checker(problem: Problem, certificate: Data) -> Keys:
    """Translate a certificate for the checker. Raises InputError if it is malformed."""
    name = certificate.get("kind")
    if not isinstance(name, str) or name not in KINDS:
        raise InputError(f'unknown kind of certificate "{shown(str(name))}"')
    refuse_if(not _has_form(certificate), f"malformed certificate of kind {name}")
    return KINDS[name].tree(problem, certificate)


def _has_form(certificate: object) -> bool:
    """Tell whether a certificate of a known kind has the keys that are read here, with values of their types."""
    match certificate:
        case {"kind": "class", "holes": [*names]}:
            return all(isinstance(name, str) for name in names)
        case {"kind": "pagoda", "weights": dict(weights)}:
            return all(isinstance(name, str) and type(value) is int for name, value in weights.items())
        case {"kind": "finishes", "cases": [*cases]}:
            return all(
                isinstance(case, dict)
                and case.get("kind") in ("class", "pagoda")
                and _has_form(case)
                and _has_form({"kind": "class", "holes": case.get("finishes")})
                for case in cases
            )
        case {"kind": "count" | "dead-end" | "cases"}:
            return True  # the checker reads the tree
        case _:
            return False


def explain(problem: Problem, certificate: Data) -> str:
    """Explain a certificate that has been verified, with the sets and weights drawn on the board.

    Sentences are wrapped; drawings and lists, which are indented, stay as they are.
    """
    lines = KINDS[certificate["kind"]].explain(problem, certificate).split("\n")
    return "\n".join(line if line.startswith(" ") else fill(line, line_width()) for line in lines)


def certificate_svg(problem: Problem, certificate: Data) -> str:
    """Draw the start as SVG, with the set or the weights of a certificate; a picture for each of several sets."""
    parts = certificate.get("cases", [certificate])
    return strip_svg(
        problem.board,
        [Frame(problem.start.mask, _caption(part), labels=_labels(problem.board, part)) for part in parts],
        f"{problem.name}: why there is no solution",
    )


def _caption(certificate: Data) -> str:
    if finishes := certificate.get("finishes"):
        return f"no last peg at {clipped(' '.join(finishes), _CAPTION_CHARACTERS)}"
    return "weights in the first case" if certificate["kind"] == "cases" else ""


# Numbers of pegs, and no jump


def _count(problem: Problem, *_: object) -> Keys | None:
    """Find that the start has no more pegs than the goal, or that the goal has none."""
    least, most = problem.goal_pegs
    return {} if len(problem.start) <= least or most <= 0 else None


def _explain_count(problem: Problem, *_: object) -> str:
    least, most = problem.goal_pegs
    if most <= 0:
        return "Every jump leaves at least one peg, but the goal has no peg."
    return (
        f"Every jump removes one peg. The start has {plural(len(problem.start), 'peg')} and the goal needs "
        f"{plural(least, 'peg')}, so no jump may be made; but the start is not the goal."
    )


def _stuck(problem: Problem, certificate: Data) -> Keys:
    """Return the tree of one case in which no jump is made."""
    kind = certificate["kind"]
    refuse_if(KINDS[kind].find(problem, -inf) is None, "jumps are possible, and the numbers of pegs allow a solution")
    return {"tree": [["stuck"]]} | ({"most": 0} if kind == "count" else {})


# Position classes and pagoda functions: sets whose parity no jump changes, weights that no jump increases


def _class(problem: Problem, *_: object) -> Keys | None:
    """Return the smallest set of holes on which the parity of the pegs differs at start and goal.

    Each line meets the set in none or two holes, so no jump changes that parity (:mod:`pegcp.theory.parity`).
    """
    if isinstance(problem.goal, OnePeg):
        return None
    difference = problem.start.mask ^ problem.final_pegs
    sets = invariant_sets(problem.board, free_holes(problem))
    holes = next((holes for holes in sets if odd(holes & difference)), None)
    return None if holes is None else {"holes": problem.board.names(holes)}


def _pagoda(problem: Problem, deadline: float) -> Keys | None:
    """Return the weights other than 0 of a pagoda function by which the goal weighs more than the start, by hole.

    They come from a linear program (:mod:`pegcp.theory.pagoda`).
    """
    seconds = deadline - time.monotonic()
    weights = None if isinstance(problem.goal, OnePeg) or seconds <= 0 else refuting(problem, seconds)
    if weights is None:
        return None
    return {"weights": {hole: value for hole, value in zip(problem.board.holes, weights, strict=True) if value}}


def _weights(board: Board, certificate: Data) -> list[int]:
    """Return the weight of each hole; 1 on a set, 0 elsewhere; those of the first case."""
    match certificate["kind"]:
        case "cases":
            weights = dict(next((node[1] for node in certificate["tree"] if node[0] == "sum"), ()))
        case "class":
            weights = {board.hole(name): 1 for name in certificate["holes"]}
        case _:
            weights = {board.hole(name): value for name, value in certificate.get("weights", {}).items()}
    return [weights.get(hole, 0) for hole in range(len(board.holes))]


def _sum(problem: Problem, certificate: Data) -> list[list[int]]:
    """Return how often to take the equation of each hole for a sum that rules out the goal.

    Raises InputError unless the set or the weights rule out the goal in the way that their kind is explained. The
    checker accepts any sum that is a contradiction, also for other reasons, which the explanation would not give.
    """
    weights, start = _weights(problem.board, certificate), problem.start.mask
    if certificate["kind"] == "class":
        invariant = all(weights[a] + weights[over] + weights[b] in (0, 2) for a, over, b in problem.board.lines)
        is_odd = (weight(weights, start) - weight(weights, problem.final_pegs)) % 2 == 1
        differs = is_odd and weight(weights, free_holes(problem)) == 0
    else:
        invariant = all(weights[jump.from_] + weights[jump.over] >= weights[jump.to] for jump in problem.board.jumps)
        differs = goal_weight(problem, weights) > weight(weights, start)
    fault = "it does not separate the start from the goal" if invariant else "a jump violates it"
    refuse_if(not (invariant and differs), f"wrong certificate of kind {certificate['kind']}: {fault}")
    return [[hole, value] for hole, value in enumerate(weights) if value]


def _labels(board: Board, certificate: Data) -> list[str] | None:
    """Return the label of each hole in a picture: ``#`` on a set, or its weight; empty where that is 0. None without
    any."""
    mark = "#" if certificate["kind"] == "class" else ""
    labels = [(mark or str(value)) if value else "" for value in _weights(board, certificate)]
    return labels if any(labels) else None


def _draw(board: Board, labels: Sequence[str]) -> str:
    return indent(draw_labels(board, [label or "." for label in labels], coordinates=True), "    ")


def _explain_weights(problem: Problem, certificate: Data) -> str:
    """Return the set or the weights, drawn on the board, and their sums for start and goal."""
    board, start, goal = problem.board, problem.start.mask, problem.final_pegs
    picture, weights = _draw(board, _labels(board, certificate) or ()), _weights(board, certificate)
    if certificate["kind"] == "class":
        before, after = weight(weights, start), weight(weights, goal)
        return (
            "Every jump changes either no hole or two of the holes marked #, so the number "
            f"of pegs on them stays odd or stays even.\n{picture}\n"
            f"The start has {plural(before, 'peg')} on them ({'odd' if before % 2 else 'even'}), "
            f"the goal {after} ({'odd' if after % 2 else 'even'})."
        )
    return (
        "Give each peg the weight of its hole (. is 0). For every jump, weight(from) + weight(over) is at least "
        f"weight(to), so the total weight of the pegs never grows:\n{picture}\n"
        f"The start weighs {weight(weights, start)}, the goal at least {goal_weight(problem, weights)}."
    )


def _finishes(problem: Problem, deadline: float) -> Keys | None:
    """For one peg anywhere: ``cases``, each a certificate with ``finishes``, the holes for which it rules out the peg.

    Sets come first, those that rule out most holes before the others; pagoda functions rule out the remaining holes.
    """
    if not isinstance(problem.goal, OnePeg):
        return None
    board, start, possible = problem.board, problem.start.mask, problem.board.full
    sets = {holes: board.full & ~holes if odd(holes & start) else holes for holes in invariant_sets(board, 0)}
    cases: list[Keys] = []
    while possible:
        best = max(sets, key=lambda holes: (sets[holes] & possible).bit_count(), default=0)
        if sets.get(best, 0) & possible:
            out, case = sets[best], {"kind": "class", "holes": board.names(best)}
        else:
            pagoda = _pagoda(replace(problem, goal=Exact(possible & -possible)), deadline)
            if pagoda is None:
                return None
            case = {"kind": "pagoda", **pagoda}
            weights = _weights(board, case)
            out = sum(1 << hole for hole, value in enumerate(weights) if value > weight(weights, start))
        cases.append({"finishes": board.names(out & possible), **case})
        possible &= ~out
    return {"cases": cases}


def _finishes_tree(problem: Problem, certificate: Data) -> Keys:
    """Return a tree that divides by the hole of the last peg: for each case its finishes, which it rules out."""
    board, tree, possible = problem.board, list[Any](), set(range(len(problem.board.holes)))
    one_peg = len(board.holes)  # the number of the row of that goal
    for case in certificate["cases"]:
        finishes = sorted(map(board.hole, case["finishes"]))
        weights = _weights(board, case)
        least = min((weights[hole] for hole in finishes), default=0)
        # If the lightest finish outweighs the start, so do all; on a set, all are inside or all outside.
        kinds = {weights[finish]: finish for finish in finishes if case["kind"] == "class" or weights[finish] == least}
        sums = [_sum(replace(problem, goal=Exact(1 << finish)), case) for finish in kinds.values()]
        tree += [["last", finishes], ["sum", [*sums[0], [one_peg, -least]]]] if sums else []
        possible -= set(finishes)
    names = " ".join(board.holes[hole] for hole in sorted(possible))
    refuse_if(possible, f"no case rules out the last peg at {names}")
    return {"tree": [*tree, ["sum", [[one_peg, 1]]]]}


def _explain_finishes(problem: Problem, certificate: Data) -> str:
    return "\n\n".join(
        f"The last peg cannot be at {' '.join(case['finishes'])}.\n"
        f"{_explain_weights(replace(problem, goal=Exact(problem.board.mask(case['finishes'][:1]))), case)}"
        for case in certificate["cases"]
        if case["finishes"]
    )


# Cases


def _explain_cases(problem: Problem, certificate: Data) -> str:
    """Return the number of cases, the first case, and a cut."""
    board, cuts = problem.board, certificate.get("cuts", [])
    sums = [node for node in certificate["tree"] if node[0] == "sum"]
    lines = [
        "Count how often each jump is made. Each jump takes pegs from two holes and puts one into a third; all jumps "
        "together must turn the start into the goal.",
        f"No such counts exist{' that can be played in some order' if cuts else ''}. "
        f"This is shown in {plural(len(sums), 'case')}.",
    ]
    if cuts:
        lines.append(
            "Some cases were played through: if no jump listed here is made more often than its number says, the "
            "goal is not reached.\nSo every solution makes one of them more often:"
        )
        lines += [f"    {' '.join(board.jump_names(board.jumps[j]))}: {limit}" for j, limit in cuts[0]]
    if labels := _labels(board, certificate):
        lines.append(
            "In the first case, give the holes these weights. No counts within the limits of the case lead from the "
            f"weight of the start to that of the goal:\n{_draw(board, labels)}"
        )
    return "\n".join(lines)


class Kind(NamedTuple):
    """The functions that find certificates of a kind, translate them for the checker, and explain them to people.

    ``find`` returns the keys besides ``kind``, or None. Its second argument is the time, on the monotonic clock, until
    which it may solve linear programs.
    """

    find: Callable[[Problem, float], Keys | None]
    tree: Callable[[Problem, Data], Keys]
    explain: Callable[[Problem, Data], str]


def _one_sum(problem: Problem, certificate: Data) -> Keys:
    return {"tree": [["sum", _sum(problem, certificate)]]}


KINDS = {
    "count": Kind(_count, _stuck, _explain_count),
    "dead-end": Kind(
        lambda problem, _: {} if problem.start.is_dead_end() else None,
        _stuck,
        lambda *_: "No jump is possible at the start, and the start is not the goal.",
    ),
    "class": Kind(_class, _one_sum, _explain_weights),
    "pagoda": Kind(_pagoda, _one_sum, _explain_weights),
    "finishes": Kind(_finishes, _finishes_tree, _explain_finishes),
    "cases": Kind(
        lambda problem, deadline: find_cases(problem, deadline - time.monotonic(), 5_000),
        lambda _, certificate: {key: value for key, value in certificate.items() if key != "kind"},
        _explain_cases,
    ),
}
