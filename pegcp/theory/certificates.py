"""Certificates: evidence, checkable without search, that a problem has no solution.

Outside this module a certificate is a JSON object; its ``kind`` says what it shows. Here each kind is a class that
finds, writes and explains. :data:`KINDS` has them in the order in which they are tried, the simplest first.

What is right is for the one-file checker (``pegcp/proofs/checker.py``) to say: :func:`verify` runs it.
"""

from __future__ import annotations

import json
import subprocess
import sys
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any, ClassVar, Self, assert_never

from pegcp import plain
from pegcp.errors import InputError, plural
from pegcp.game.board import Board
from pegcp.game.goal import DeadEnd, Exact, Nearest, OnePeg, Partial
from pegcp.game.picture import marked
from pegcp.game.problem import Problem
from pegcp.game.svg import position_svg
from pegcp.method import Limits, Reason, Run
from pegcp.theory.counts import JumpCounts
from pegcp.theory.pagoda import least_weight, refuting, weight
from pegcp.theory.parity import invariant_sets, odd
from pegcp.theory.play import Cut

CHECKER = Path(__file__).parent.parent / "proofs" / "checker.py"  # a program: nothing of pegcp imports it
_MEMORY = 2000.0  # MB for a check, where the limits say nothing

Data = Mapping[str, Any]


class Unchecked(InputError):
    """A certificate was not checked within the limits, or not at all; ``reason`` says why."""

    def __init__(self, reason: Reason, message: str) -> None:
        super().__init__(f"the certificate was not checked: {message}")
        self.reason = reason


class Certificate(ABC):
    """One kind of evidence."""

    kind: ClassVar[str]

    @classmethod
    @abstractmethod
    def find(cls, problem: Problem, programs: Run | None) -> Self | None:
        """A certificate of this kind, or None. ``programs``: linear programs may be solved for it, within its time."""

    @classmethod
    @abstractmethod
    def read(cls, problem: Problem, data: Data) -> Self:
        """The certificate of a JSON object, as :meth:`data` writes it. It has been verified, or found here."""

    @abstractmethod
    def data(self, board: Board) -> dict[str, Any]:
        """The keys of the JSON object besides ``kind``."""

    @abstractmethod
    def explain(self, problem: Problem) -> str:
        """Why there is no solution, in words."""


class Invariant(Certificate):
    """What no jump changes, or lets grow: start and target differ in it. A target may leave holes free."""

    @classmethod
    def find(cls, problem: Problem, programs: Run | None) -> Self | None:
        """An invariant that tells the start from the target of the goal, where it has one."""
        return None if _target(problem) is None else cls.against(problem, programs)

    @classmethod
    @abstractmethod
    def against(cls, problem: Problem, programs: Run | None) -> Self | None:
        """An invariant that tells the start from the one target of the problem, or None."""

    def explain(self, problem: Problem) -> str:
        """The invariant, drawn on the board."""
        target = _target(problem)
        assert target is not None
        return self.drawn(problem.board, problem.start.mask, *target)

    @abstractmethod
    def excluded(self, board: Board, start: int) -> int:
        """The holes (a bit mask) that it rules out for a single last peg."""

    @abstractmethod
    def labels(self, board: Board) -> list[str]:
        """What to write into each hole of a picture; nothing where the hole does not matter."""

    @abstractmethod
    def drawn(self, board: Board, start: int, pegs: int, free: int) -> str:
        """The invariant in words and in a picture."""


def _target(problem: Problem) -> tuple[int, int] | None:
    """The pegs and the free holes (bit masks) of the goal; None for one peg anywhere, which has many targets."""
    match problem.goal:
        case Exact() | Partial() | DeadEnd() | Nearest():
            return problem.final_pegs, problem.board.full & ~problem.final_pegs & ~problem.final_vacancies
        case OnePeg():
            return None
        case _:
            assert_never(problem.goal)


class WithoutData(Certificate):
    """A certificate of which the kind says everything: the problem itself shows it."""

    @classmethod
    def find(cls, problem: Problem, programs: Run | None) -> Self | None:  # noqa: ARG003
        """The certificate, if it is right."""
        return cls() if cls.holds(problem) else None

    @classmethod
    @abstractmethod
    def holds(cls, problem: Problem) -> bool:
        """Whether it is right."""

    @classmethod
    def read(cls, problem: Problem, data: Data) -> Self:  # noqa: ARG003
        """There is nothing to read."""
        return cls()

    def data(self, board: Board) -> dict[str, Any]:  # noqa: ARG002
        """Nothing."""
        return {}


class PegCount(WithoutData):
    """A jump removes one peg and leaves at least one, so the numbers of pegs do not fit."""

    kind = "count"

    @classmethod
    def holds(cls, problem: Problem) -> bool:
        """The start has no more pegs than the goal, or the goal has none."""
        least, most = problem.goal_pegs
        return len(problem.start) <= least or most <= 0

    def explain(self, problem: Problem) -> str:
        """The numbers."""
        least, most = problem.goal_pegs
        needs = "no peg" if most == 0 else plural(least, "peg")
        return (
            f"The start has {plural(len(problem.start), 'peg')}, the goal needs {needs}. "
            "Every jump removes one peg and leaves at least one."
        )


class NoJump(WithoutData):
    """The start is not the goal, and no jump is possible."""

    kind = "dead-end"

    @classmethod
    def holds(cls, problem: Problem) -> bool:
        """No jump is possible."""
        return problem.start.is_dead_end()

    def explain(self, problem: Problem) -> str:  # noqa: ARG002
        """One sentence."""
        return "No jump is possible at the start, and the start is not the goal."


@dataclass(frozen=True)
class Parity(Invariant):
    """A set of holes (a bit mask) that meets every line in none or two holes.

    A jump changes the three holes of its line, so the parity of the pegs on the set never changes; start and goal
    differ in it (the position class, :mod:`pegcp.theory.parity`).
    """

    kind = "class"
    holes: int

    @classmethod
    def against(cls, problem: Problem, programs: Run | None) -> Self | None:  # noqa: ARG003
        """The smallest set on which start and target differ."""
        free = problem.board.full & ~problem.final_pegs & ~problem.final_vacancies
        differ = problem.start.mask ^ problem.final_pegs
        return next((cls(holes) for holes in invariant_sets(problem.board, free) if odd(holes & differ)), None)

    @classmethod
    def read(cls, problem: Problem, data: Data) -> Self:
        """``holes``: names."""
        return cls(problem.board.mask(data["holes"]))

    def data(self, board: Board) -> dict[str, Any]:
        """``holes``: names."""
        return {"holes": board.names(self.holes)}

    def excluded(self, board: Board, start: int) -> int:
        """The holes of the set, or the others."""
        return board.full & ~self.holes if odd(self.holes & start) else self.holes

    def labels(self, board: Board) -> list[str]:
        """``#`` on the set."""
        return ["#" if self.holes >> hole & 1 else "" for hole in range(len(board.holes))]

    def drawn(self, board: Board, start: int, pegs: int, free: int) -> str:  # noqa: ARG002
        """The set, and the numbers of pegs on it."""
        picture = marked(board, [label or "." for label in self.labels(board)])
        before, after = ((self.holes & mask).bit_count() for mask in (start, pegs))
        return (
            "Every jump changes none or two of the holes marked #: the number of pegs there stays odd or stays even.\n"
            f"{_indented(picture)}\n"
            f"The start has {before} there ({_parity(before)}), the goal {after} ({_parity(after)})."
        )


@dataclass(frozen=True)
class Pagoda(Invariant):
    """Whole weights, one for each hole, that no jump lets grow; the goal weighs more than the start.

    See :mod:`pegcp.theory.pagoda`.
    """

    kind = "pagoda"
    weights: tuple[int, ...]

    @classmethod
    def against(cls, problem: Problem, programs: Run | None) -> Self | None:
        """By a linear program."""
        weights = refuting(problem, programs.remaining) if programs is not None and programs.remaining else None
        return None if weights is None else cls(weights)

    @classmethod
    def read(cls, problem: Problem, data: Data) -> Self:
        """``weights``: whole numbers by hole, 0 where not given."""
        return cls(tuple(data["weights"].get(hole, 0) for hole in problem.board.holes))

    def data(self, board: Board) -> dict[str, Any]:
        """``weights`` by hole, without those that are 0."""
        return {"weights": {hole: value for hole, value in zip(board.holes, self.weights, strict=True) if value}}

    def excluded(self, board: Board, start: int) -> int:  # noqa: ARG002
        """The holes that weigh more than the start."""
        before = weight(self.weights, start)
        return sum(1 << hole for hole, value in enumerate(self.weights) if value > before)

    def labels(self, board: Board) -> list[str]:  # noqa: ARG002
        """The weights that are not 0."""
        return [str(value or "") for value in self.weights]

    def drawn(self, board: Board, start: int, pegs: int, free: int) -> str:
        """The weights, and what start and goal weigh."""
        picture = marked(board, [label or "." for label in self.labels(board)])
        before, after = weight(self.weights, start), least_weight(self.weights, pegs, free)
        return (
            "Weigh the pegs by the numbers drawn here (. is 0). Whatever jumps, weight(from) + weight(over) is at "
            "least weight(to),\nso the weight never grows:\n"
            f"{_indented(picture)}\n"
            f"The start weighs {before}, the goal at least {after}."
        )


@dataclass(frozen=True)
class Finishes(Certificate):
    """For one peg anywhere: ``cases``, each an invariant and the holes (a bit mask) where it rules out the last peg."""

    kind = "finishes"
    cases: tuple[tuple[int, Invariant], ...]

    @classmethod
    def find(cls, problem: Problem, programs: Run | None) -> Self | None:
        """Sets that rule out most holes first, pagoda functions for what they leave."""
        if _target(problem) is not None:
            return None
        board, start = problem.board, problem.start.mask
        left = board.full
        cases: list[tuple[int, Invariant]] = []
        sets = {Parity(holes): Parity(holes).excluded(board, start) for holes in invariant_sets(board, 0)}
        while sets:
            best = max(sets, key=lambda parity: (sets[parity] & left).bit_count())
            if not sets[best] & left:
                break
            cases.append((sets[best] & left, best))
            left &= ~sets[best]
        while left:
            pagoda = Pagoda.against(replace(problem, goal=Exact(left & -left)), programs)
            if pagoda is None:
                return None
            new = pagoda.excluded(board, start) & left
            cases.append((new, pagoda))
            left &= ~new
        return cls(tuple(cases))

    @classmethod
    def read(cls, problem: Problem, data: Data) -> Self:
        """``cases``: objects with ``finishes``, names, and the keys of their invariant."""
        found = []
        for case in data["cases"]:
            invariant = Parity.read(problem, case) if case["kind"] == Parity.kind else Pagoda.read(problem, case)
            found.append((problem.board.mask(case["finishes"]), invariant))
        return cls(tuple(found))

    def data(self, board: Board) -> dict[str, Any]:
        """``cases``."""
        return {"cases": [{"finishes": board.names(holes), **_written(board, case)} for holes, case in self.cases]}

    def explain(self, problem: Problem) -> str:
        """Case by case."""
        board, start = problem.board, problem.start.mask
        return "\n\n".join(
            f"The last peg cannot be at {' '.join(board.names(holes))}.\n"
            f"{invariant.drawn(board, start, holes & -holes, 0)}"
            for holes, invariant in self.cases
            if holes
        )


@dataclass(frozen=True)
class Cases(Certificate):
    """A tree of cases in each of which no jump counts lead to the goal (:mod:`pegcp.theory.cases`).

    With ``most`` it is about solutions of at most so many jumps.
    """

    kind = "cases"
    cuts: list[Cut]
    tree: list[list[Any]]
    most: int | None = None

    @classmethod
    def find(cls, problem: Problem, programs: Run | None) -> Self | None:
        """By some hundreds of linear programs, seldom thousands."""
        return None if programs is None else cls.within(problem, programs, 5_000)

    @classmethod
    def within(
        cls, problem: Problem, run: Run, nodes: int, most: int | None = None, cuts: Sequence[Cut] = ()
    ) -> Self | None:
        """Cases of at most so many nodes, one linear program each, or None; ``cuts`` are known."""
        if not run.remaining or not problem.board.lines:
            return None
        from pegcp.theory.cases import cases

        found = cases(JumpCounts(problem, most), run, nodes, cuts)
        return None if found is None else cls(*found, most)

    @classmethod
    def read(cls, problem: Problem, data: Data) -> Self:  # noqa: ARG003
        """``cuts``, ``tree`` and ``most``, in numbers."""
        return cls([dict(cut) for cut in data.get("cuts", [])], data["tree"], data.get("most"))

    def data(self, board: Board) -> dict[str, Any]:  # noqa: ARG002
        """``tree``; ``cuts`` and ``most`` if there are any."""
        cuts = {"cuts": [[list(item) for item in cut.items()] for cut in self.cuts]} if self.cuts else {}
        return {**({} if self.most is None else {"most": self.most}), **cuts, "tree": self.tree}

    def explain(self, problem: Problem) -> str:
        """How many cases there are, the first of them, and a cut."""
        board = problem.board
        names = [" ".join(board.jump_names(jump)) for jump in board.jumps] + list(board.holes)
        told = [
            "Say how often each jump is made: the start, less the pegs that these jumps take, and with those that they "
            "put, must be the goal."
        ]
        sums = [dict(node[1]) for node in self.tree if node[0] == "sum"]
        order = " in an order that can be played" if self.cuts else ""
        told.append(f"No numbers do that{order}. This is shown in {plural(len(sums), 'case')}.")
        if self.tree[0][0] == "split":
            told.append(f"The first two: {names[self.tree[0][1]]} at most {self.tree[0][2]}, or more.")
        if self.cuts:
            limits = "".join(f"    {names[j]}: {limit}\n" for j, limit in self.cuts[0].items())
            told.append(
                "Cases come from play, too. Play every way within these limits: the goal is not reached. "
                f"So every solution makes one of these jumps more often:\n{limits}".rstrip()
            )
        if sums:
            marks = [str(sums[0].get(hole, 0) or ".") for hole in range(len(board.holes))]
            told.append(
                "In the first case, weigh the holes like this, and no numbers within its limits give the goal its "
                f"weight:\n{_indented(marked(board, marks))}"
            )
        return "\n".join(told)


KINDS: tuple[type[Certificate], ...] = (PegCount, NoJump, Parity, Pagoda, Finishes, Cases)


def find(
    problem: Problem, *, pagoda: bool = True, cases: bool = False, run: Run | None = None
) -> dict[str, Any] | None:
    """A certificate that the problem has no solution, or None when there is none of these kinds.

    Never wrong, not complete: some unsolvable problems have none. Without ``pagoda`` no linear program is solved; those
    that are take no longer than the rest of the ``run``. ``cases`` are looked for on demand: they take seconds.
    """
    programs = (run or Run()) if pagoda else None
    if _trivial(problem):
        return None
    for kind in KINDS:
        found = None if kind is Cases and not cases else kind.find(problem, programs)
        if found is not None:
            return _written(problem.board, found)
    return None


def verify(problem: Problem, certificate: Data, limits: Limits | None = None) -> str | None:
    """What is wrong with a certificate, or None if it proves that the problem has no solution.

    The checker runs in a process of its own. Raises Unchecked if the limits do not suffice.
    """
    flaw, _ = _checked(problem, {"certificate": certificate}, limits or Limits())
    return flaw


def find_bound(problem: Problem, most: int, run: Run) -> dict[str, Any] | None:
    """A certificate that no solution has at most ``most`` jumps, or None."""
    found = Cases.within(problem, run, 20_000, most)
    return None if found is None else _written(problem.board, found)


def refute(problem: Problem, run: Run, cuts: Sequence[Cut]) -> dict[str, Any] | None:
    """A certificate that no jump counts satisfy the cuts, or None."""
    found = Cases.within(problem, run, 20_000, cuts=cuts)
    return None if found is None else _written(problem.board, found)


def verify_bound(problem: Problem, certificate: Data, limits: Limits | None = None) -> int:
    """How many jumps a solution has at least by a certificate, which need not show that there is none.

    Raises InputError, saying what is wrong with it; Unchecked if the limits do not suffice.
    """
    flaw, said = _checked(problem, {"certificate": certificate, "bound": True}, limits or Limits())
    if flaw:
        raise InputError(flaw)
    return int(said.removeprefix("at least "))


def _checked(problem: Problem, given: Data, limits: Limits) -> tuple[str | None, str]:
    """What the checker finds wrong first, or None, and what it says. Raises Unchecked."""
    try:
        text = json.dumps({"problem": problem.text, **given})
    except (TypeError, ValueError, RecursionError):
        return "it cannot be written as JSON", ""
    return _said(text, limits.time, _MEMORY if limits.memory is None else limits.memory)


@lru_cache(maxsize=1000)
def _said(text: str, seconds: float, memory: float) -> tuple[str | None, str]:
    """What the checker says of a problem and a certificate; the lines of a result file share some."""
    command = [sys.executable, "-I", "-S", str(CHECKER), "-", "--time", str(seconds), "--memory", str(memory)]
    try:
        done = subprocess.run(command, input=text, capture_output=True, text=True, timeout=seconds, check=False)
    except subprocess.TimeoutExpired:
        raise Unchecked(Reason.TIME, f"it takes more than {seconds:g} s") from None
    said = done.stdout.strip()
    match done.returncode:
        case 0:
            return None, said
        case 4:
            return said.removeprefix("rejected: "), said
        case 3:
            raise Unchecked(Reason.MEMORY if said.endswith("MB") else Reason.TIME, said.removeprefix("stopped: "))
        case status if status < 0:
            raise Unchecked(Reason.TIME, f"its check was ended by signal {-status}")
        case _:
            last = (done.stdout or done.stderr).strip().rpartition("\n")[2]
            raise Unchecked(Reason.ERROR, plain.shown(last))


def explain(problem: Problem, certificate: Data) -> str:
    """Why the problem has no solution, in words, with the sets and weights drawn on the board.

    Raises InputError if the certificate is not right, Unchecked if that takes too long.
    """
    flaw = verify(problem, certificate)
    if flaw:
        raise InputError(f"the certificate is wrong: {flaw}")
    return _kind(certificate).read(problem, certificate).explain(problem)


def picture(problem: Problem, certificate: Data) -> str | None:
    """The start with the set or the weights of a certificate, as SVG; None for a certificate of another kind."""
    found = _kind(certificate).read(problem, certificate)
    if not isinstance(found, Invariant):
        return None
    return position_svg(problem.board, problem.start.mask, labels=found.labels(problem.board))


def _trivial(problem: Problem) -> bool:
    """Whether there is a solution in any case: the start satisfies the goal, or any end of play does."""
    match problem.goal:
        case DeadEnd() | Nearest():
            return True
        case Exact() | Partial() | OnePeg():
            return problem.is_goal(problem.start.mask)
        case _:
            assert_never(problem.goal)


def _kind(data: Data) -> type[Certificate]:
    """The class that reads a JSON object. Raises InputError."""
    name = data.get("kind")
    for kind in KINDS:
        if kind.kind == name:
            return kind
    raise InputError(f'unknown kind of certificate "{name}"')


def _written(board: Board, certificate: Certificate) -> dict[str, Any]:
    return {"kind": certificate.kind, **certificate.data(board)}


def _parity(number: int) -> str:
    return "odd" if number % 2 else "even"


def _indented(text: str) -> str:
    return "\n".join(f"    {line}".rstrip() for line in text.splitlines())
