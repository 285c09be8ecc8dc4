"""Certificates: evidence, checkable without search, that a problem has no solution.

A certificate is a JSON object; its ``kind`` says what it shows. :data:`KINDS` has for each kind how it is found, how it
is told to the checker, and how it is told to people, in the order in which they are tried, the simplest first.

What is right is for the one-file checker (``pegcp/proofs/checker.py``) to say: :func:`verify` runs it. It knows trees
of cases only (docs/proof-format.md), so each kind is written as one.
"""

from __future__ import annotations

import json
import runpy
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import redirect_stdout
from dataclasses import replace
from functools import lru_cache
from io import StringIO
from pathlib import Path
from tempfile import TemporaryDirectory
from textwrap import indent
from typing import Any, NamedTuple

from pegcp import plain
from pegcp.errors import InputError, InvalidProof, plural, there
from pegcp.game.board import Board
from pegcp.game.goal import DeadEnd, Exact, OnePeg
from pegcp.game.picture import marked
from pegcp.game.problem import Problem
from pegcp.game.svg import position_svg
from pegcp.method import Limits, Reason, Run
from pegcp.theory.exhaustive_play import Cut
from pegcp.theory.jump_counts import JumpCounts
from pegcp.theory.pagoda import goal_weight, refuting, weight
from pegcp.theory.parity import invariant_sets, odd

PROGRAMS = Path(__file__).parent.parent / "proofs"  # the checker's: nothing of pegcp imports it
_MEMORY = 2000.0  # MB for a check, where the limits say nothing
LONG = 1_000_000  # bytes of a proof, for which loading compiled code is worth while
_LATE = 10.0  # seconds that the checker may take to begin and to end

_IN_BROWSER: bool = sys.platform == "emscripten"

Data = Mapping[str, Any]


class Unchecked(InputError):
    """An answer was not checked within the limits, or not at all; ``reason`` says why."""

    def __init__(self, reason: Reason, message: str) -> None:
        super().__init__(message)
        self.reason = reason


# What there is


def find(
    problem: Problem, *, pagoda: bool = True, cases: bool = False, run: Run | None = None
) -> dict[str, Any] | None:
    """A certificate that the problem has no solution, or None when there is none of these kinds.

    Never wrong, not complete: some unsolvable problems have none. Without ``pagoda`` no linear program is solved; those
    that are take no longer than the rest of the ``run``. ``cases`` are looked for on demand: they take seconds.
    Without OR-tools only certificates by class and count are found.
    """
    solver = there("ortools")
    programs = (run or Run()) if pagoda and solver else None
    if isinstance(problem.goal, DeadEnd) or problem.is_goal(problem.start.mask):
        return None  # any end of play does, or the start
    for kind, entry in KINDS.items():
        found = None if kind == "cases" and not (cases and solver) else entry.find(problem, programs)
        if found is not None:
            return {"kind": kind, **found}
    return None


def find_cases(
    problem: Problem, run: Run | None, nodes: int = 20_000, most: int | None = None, cuts: Sequence[Cut] = ()
) -> dict[str, Any] | None:
    """A tree of at most so many cases, one linear program each; None if none is found (:mod:`pegcp.theory.cases`).

    ``most``: it is about solutions of at most so many jumps. ``cuts`` are known.
    """
    if run is None or not run.remaining or not problem.board.lines:
        return None
    from pegcp.theory.cases import cases

    found = cases(JumpCounts(problem, most), run, nodes, cuts)
    if found is None:
        return None
    limits = {} if most is None else {"most": most}
    used = {"cuts": [[list(item) for item in cut.items()] for cut in found[0]]} if found[0] else {}
    return {"kind": "cases", **limits, **used, "tree": found[1]}


def verify(problem: Problem, certificate: Data, limits: Limits | None = None) -> str | None:
    """What is wrong with a certificate, or None if it proves that the problem has no solution.

    The checker runs in a process of its own. Raises Unchecked if the limits do not suffice.
    """
    try:
        text = json.dumps([{"type": "certificate", "certificate": for_checker(problem, certificate)}])
    except (InputError, KeyError, TypeError, ValueError, RecursionError) as error:
        return str(error)
    return _flaw(problem.text, text, limits or Limits())


@lru_cache(maxsize=100)
def _flaw(problem: str, parts: str, limits: Limits) -> str | None:
    """The fault that the checker finds in a folder with these parts; the lines of a result file share some."""
    with TemporaryDirectory() as folder:
        Path(folder, "problem.toml").write_text(problem, "utf-8", "surrogatepass")
        claim = f'{{"format": 2, "claim": {{"type": "infeasible"}}, "parts": {parts}}}'
        Path(folder, "claim.json").write_text(claim, "utf-8")
        try:
            checker(Path(folder), limits)
        except InvalidProof as error:
            return str(error)
        except (TimeoutError, MemoryError) as error:
            reason = Reason.MEMORY if isinstance(error, MemoryError) else Reason.TIME
            raise Unchecked(reason, f"the certificate was not checked: {error}") from None
        except InputError as error:
            raise Unchecked(Reason.ERROR, f"the certificate was not checked: {error.message}") from None
    return None


def checker(folder: Path, limits: Limits, *options: str, compiled: bool = False) -> str:
    """What the checker says of a folder that it accepts. It runs in a process of its own, within the limits.

    ``compiled``: refutations are followed by compiled code. Raises InvalidProof, saying what is wrong first;
    TimeoutError or MemoryError at the limits; InputError where nothing can be checked.
    """
    program = [str(PROGRAMS / "compiled.py")] if compiled else ["-S", str(PROGRAMS / "checker.py")]
    memory = _MEMORY if limits.memory is None else limits.memory
    command = [sys.executable, "-I", *program, str(folder.absolute()), *options]
    command += ["--time", f"{limits.time:g}", "--memory", f"{memory:g}"]
    try:
        done = _ended(command, limits.time + _LATE)
    except subprocess.TimeoutExpired:
        raise TimeoutError(f"it takes more than {limits.time:g} s") from None
    said = (done.stdout.strip() or done.stderr.strip()).rpartition("\n")[2]
    match done.returncode:
        case 0:
            return said
        case 4:
            raise InvalidProof(said.removeprefix("rejected: "))
        case 3 if said.endswith("MB"):
            raise MemoryError(said.removeprefix("stopped: "))
        case status if status == 3 or status < 0:
            raise TimeoutError(said.removeprefix("stopped: ") or f"the check was ended by signal {-status}")
        case _:
            raise InputError(plain.shown(said), source=str(folder))


def _ended(command: list[str], seconds: float) -> subprocess.CompletedProcess[str]:
    """Run the checker. In a browser there are no processes: there it runs in this one, without limits."""
    if not _IN_BROWSER:
        return subprocess.run(command, capture_output=True, text=True, timeout=seconds, check=False)
    main = runpy.run_path(str(PROGRAMS / "checker.py"))["main"]
    with redirect_stdout(StringIO()) as output:
        status = main(command[4:])
    return subprocess.CompletedProcess(command, status, output.getvalue(), "")


def for_checker(problem: Problem, certificate: Data) -> dict[str, Any]:
    """A certificate as the checker reads it. Raises InputError if it has not the form of its kind."""
    name = certificate.get("kind")
    if not isinstance(name, str) or name not in KINDS:
        raise InputError(f'unknown kind of certificate "{plain.shown(str(name))}"')
    try:
        return KINDS[name].tree(problem, certificate)
    except (KeyError, TypeError, ValueError, AttributeError, RecursionError):
        raise InputError("it has not the form of its kind") from None


def explain(problem: Problem, certificate: Data) -> str:
    """Why the problem has no solution, in words, with the sets and weights drawn on the board.

    Raises InputError if the certificate is not right, Unchecked if that takes too long.
    """
    flaw = verify(problem, certificate)
    if flaw:
        raise InputError(f"the certificate is wrong: {flaw}")
    return KINDS[certificate["kind"]].explain(problem, certificate)


def picture(problem: Problem, certificate: Data) -> str | None:
    """The start with the set or the weights of a certificate, as SVG; None for a certificate of another kind."""
    if certificate["kind"] not in ("class", "pagoda"):
        return None
    return position_svg(problem.board, problem.start.mask, labels=_labels(problem.board, certificate))


# Numbers of pegs, and no jump


def _count(problem: Problem, programs: Run | None) -> dict[str, Any] | None:  # noqa: ARG001
    """The start has no more pegs than the goal, or the goal has none."""
    least, most = problem.goal_pegs
    return {} if len(problem.start) <= least or most <= 0 else None


def _why_count(problem: Problem, certificate: Data) -> str:  # noqa: ARG001
    least, most = problem.goal_pegs
    needs = "no peg" if most == 0 else plural(least, "peg")
    return (
        f"The start has {plural(len(problem.start), 'peg')}, the goal needs {needs}. "
        "Every jump removes one peg and leaves at least one."
    )


def _dead_end(problem: Problem, programs: Run | None) -> dict[str, Any] | None:  # noqa: ARG001
    """No jump is possible."""
    return {} if problem.start.is_dead_end() else None


# Position classes and pagoda functions: what no jump changes, or lets grow


def _class(problem: Problem, programs: Run | None) -> dict[str, Any] | None:  # noqa: ARG001
    """The smallest set of holes on which the parity of the pegs differs at start and goal; each line meets it in none
    or two holes, so no jump changes that parity (:mod:`pegcp.theory.parity`)."""
    if isinstance(problem.goal, OnePeg):
        return None
    free = problem.board.full & ~problem.final_pegs & ~problem.final_vacancies
    differ = problem.start.mask ^ problem.final_pegs
    holes = next((holes for holes in invariant_sets(problem.board, free) if odd(holes & differ)), None)
    return None if holes is None else {"holes": problem.board.names(holes)}


def _pagoda(problem: Problem, programs: Run | None) -> dict[str, Any] | None:
    """Whole weights by hole, without those that are 0, which no jump lets grow; the goal weighs more than the start.
    By a linear program (:mod:`pegcp.theory.pagoda`)."""
    if isinstance(problem.goal, OnePeg) or programs is None or not programs.remaining:
        return None
    weights = refuting(problem, programs.remaining)
    if weights is None:
        return None
    return {"weights": {hole: value for hole, value in zip(problem.board.holes, weights, strict=True) if value}}


def _weights(board: Board, certificate: Data) -> list[int]:
    """The weight of each hole; 1 on a set, 0 elsewhere."""
    if certificate["kind"] == "class":
        mask = board.mask(certificate["holes"])
        return [mask >> hole & 1 for hole in range(len(board.holes))]
    weights = [0] * len(board.holes)
    for name, value in certificate["weights"].items():
        weights[board.hole(name)] = value
    return weights


def _fit_kind(problem: Problem, certificate: Data) -> None:
    """Raise InputError unless set or weights rule out the goal in the way that their kind is explained.

    The checker's sums add up for other reasons, too: those would be explained wrongly.
    """
    weights, start = _weights(problem.board, certificate), problem.start.mask
    if certificate["kind"] == "class":
        fits = all(weights[a] + weights[over] + weights[b] in (0, 2) for a, over, b in problem.board.lines)
        free = problem.board.full & ~problem.final_pegs & ~problem.final_vacancies
        differs = weight(weights, free) == 0 and (weight(weights, start) - weight(weights, problem.final_pegs)) % 2 == 1
    else:
        fits = all(weights[jump.from_] + weights[jump.over] >= weights[jump.to] for jump in problem.board.jumps)
        differs = goal_weight(problem, weights) > weight(weights, start)
    if not fits or not differs:
        what = "jumps change it" if not fits else "it does not tell the goal from the start"
        raise InputError(f"no certificate of kind {certificate['kind']}: {what}")


def _sum(problem: Problem, certificate: Data) -> list[Any]:
    """The node of a tree in which the equations of the holes are taken as often as they weigh."""
    return ["sum", [[hole, value] for hole, value in enumerate(_weights(problem.board, certificate)) if value]]


def _labels(board: Board, certificate: Data) -> list[str]:
    """What to write into each hole of a picture: ``#`` on a set, the weights that are not 0."""
    mark = "#" if certificate["kind"] == "class" else ""
    return [(mark or str(value)) if value else "" for value in _weights(board, certificate)]


def _why_weights(problem: Problem, certificate: Data) -> str:
    """The set or the weights, drawn on the board, and what start and goal have of it."""
    board, start, pegs = problem.board, problem.start.mask, problem.final_pegs
    picture = indent(marked(board, [label or "." for label in _labels(board, certificate)]), "    ")
    weights = _weights(board, certificate)
    if certificate["kind"] == "class":
        before, after = (weight(weights, mask) for mask in (start, pegs))
        return (
            "Every jump changes none or two of the holes marked #: the number of pegs there stays odd or stays even.\n"
            f"{picture}\n"
            f"The start has {before} there ({_parity(before)}), the goal {after} ({_parity(after)})."
        )
    return (
        "Weigh the pegs by the numbers drawn here (. is 0). Whatever jumps, weight(from) + weight(over) is at "
        "least weight(to),\nso the weight never grows:\n"
        f"{picture}\n"
        f"The start weighs {weight(weights, start)}, the goal at least {goal_weight(problem, weights)}."
    )


def _finishes(problem: Problem, programs: Run | None) -> dict[str, Any] | None:
    """For one peg anywhere: sets that rule out most holes first, pagoda functions for what they leave. ``cases`` are
    their certificates, each with ``finishes``, the holes where it rules out the last peg."""
    if not isinstance(problem.goal, OnePeg):
        return None
    board, start, left = problem.board, problem.start.mask, problem.board.full
    cases: list[dict[str, Any]] = []
    sets = {holes: board.full & ~holes if odd(holes & start) else holes for holes in invariant_sets(board, 0)}
    while sets:
        best = max(sets, key=lambda holes: (sets[holes] & left).bit_count())
        if not sets[best] & left:
            break
        cases.append({"finishes": board.names(sets[best] & left), "kind": "class", "holes": board.names(best)})
        left &= ~sets[best]
    while left:
        found = _pagoda(replace(problem, goal=Exact(left & -left)), programs)
        if found is None:
            return None
        weights = _weights(board, {"kind": "pagoda", **found})
        before = weight(weights, start)
        out = left & sum(1 << hole for hole, value in enumerate(weights) if value > before)
        cases.append({"finishes": board.names(out), "kind": "pagoda", **found})
        left &= ~out
    return {"cases": cases}


def _finishes_tree(problem: Problem, certificate: Data) -> dict[str, Any]:
    """For each case: the last peg is at one of its finishes, which it rules out; or elsewhere. In the end nowhere."""
    board, tree, left = problem.board, list[Any](), set(range(len(problem.board.holes)))
    one_peg = len(board.holes)  # the row that says so
    for case in certificate["cases"]:
        finishes = sorted(map(board.hole, case["finishes"]))
        weights = _weights(board, case)
        for finish in finishes:
            _fit_kind(replace(problem, goal=Exact(1 << finish)), case)
        least = min((weights[hole] for hole in finishes), default=0)
        tree += [["last", finishes], ["sum", [*_sum(problem, case)[1], [one_peg, -least]]]]
        left -= set(finishes)
    if left:
        raise InputError(f"nothing rules out the last peg at {' '.join(board.holes[hole] for hole in sorted(left))}")
    return {"tree": [*tree, ["sum", [[one_peg, 1]]]]}


def _why_finishes(problem: Problem, certificate: Data) -> str:
    """Case by case."""
    board = problem.board
    return "\n\n".join(
        f"The last peg cannot be at {' '.join(case['finishes'])}.\n"
        f"{_why_weights(replace(problem, goal=Exact(board.mask(case['finishes'][:1]))), case)}"
        for case in certificate["cases"]
        if case["finishes"]
    )


# Cases


def _why_cases(problem: Problem, certificate: Data) -> str:
    """How many cases there are, the first of them, and a cut."""
    board, cuts = problem.board, certificate.get("cuts", [])
    told = [
        "Say how often each jump is made: the start, less the pegs that these jumps take, and with those that they "
        "put, must be the goal."
    ]
    sums = [dict(node[1]) for node in certificate["tree"] if node[0] == "sum"]
    order = " in an order that can be played" if cuts else ""
    told.append(f"No numbers do that{order}. This is shown in {plural(len(sums), 'case')}.")
    if cuts:
        limits = "".join(f"    {' '.join(board.jump_names(board.jumps[j]))}: {limit}\n" for j, limit in cuts[0])
        told.append(
            "Cases come from play, too. Play every way within these limits: the goal is not reached. "
            f"So every solution makes one of these jumps more often:\n{limits}".rstrip()
        )
    if sums:
        marks = [str(sums[0].get(hole, 0) or ".") for hole in range(len(board.holes))]
        told.append(
            "In the first case, weigh the holes like this, and no numbers within its limits give the goal its "
            f"weight:\n{indent(marked(board, marks), '    ')}"
        )
    return "\n".join(told)


class Kind(NamedTuple):
    """How certificates of a kind are found, told to the checker, and told to people.

    ``find`` gives the keys besides ``kind``, or None; linear programs are solved within the run, and none without one.
    """

    find: Callable[[Problem, Run | None], dict[str, Any] | None]
    tree: Callable[[Problem, Data], dict[str, Any]]
    explain: Callable[[Problem, Data], str]


def _one_sum(problem: Problem, certificate: Data) -> dict[str, Any]:
    _fit_kind(problem, certificate)
    return {"tree": [_sum(problem, certificate)]}


def _stuck(problem: Problem, find: Callable[[Problem, Run | None], Data | None], **about: int) -> dict[str, Any]:
    """The tree of one case in which no jump is made, if what is said of it is so."""
    if find(problem, None) is None:
        raise InputError("jumps are possible, and the numbers of pegs fit")
    return {**about, "tree": [["stuck"]]}


KINDS = {
    "count": Kind(_count, lambda problem, _: _stuck(problem, _count, most=0), _why_count),
    "dead-end": Kind(
        _dead_end,
        lambda problem, _: _stuck(problem, _dead_end),
        lambda *_: "No jump is possible at the start, and the start is not the goal.",
    ),
    "class": Kind(_class, _one_sum, _why_weights),
    "pagoda": Kind(_pagoda, _one_sum, _why_weights),
    "finishes": Kind(_finishes, _finishes_tree, _why_finishes),
    "cases": Kind(
        lambda problem, programs: find_cases(problem, programs, 5_000),
        lambda _, certificate: {key: value for key, value in certificate.items() if key != "kind"},
        _why_cases,
    ),
}


def _parity(number: int) -> str:
    return "odd" if number % 2 else "even"
