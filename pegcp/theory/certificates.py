"""Certificates: evidence, checkable without search, that a problem has no solution.

Outside this module a certificate is a JSON object; its ``kind`` says what it shows. Here each kind is a class that
finds, checks and explains. :data:`KINDS` has them in the order in which they are tried, the simplest first.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self, assert_never

from pegcp.errors import InputError
from pegcp.game.board import Board
from pegcp.game.goal import DeadEnd, Exact, Nearest, OnePeg, Partial
from pegcp.game.picture import marked
from pegcp.game.problem import Problem
from pegcp.game.svg import counted, position_svg
from pegcp.method import Run
from pegcp.theory.cases import Node
from pegcp.theory.counts import Counts
from pegcp.theory.pagoda import growing, least_weight, refuting, weight
from pegcp.theory.parity import invariant_sets, odd
from pegcp.theory.play import Cut

Data = Mapping[str, Any]


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
        """The certificate that :meth:`data` wrote. Raises InputError if it is malformed or not for this goal."""

    @abstractmethod
    def data(self, board: Board) -> dict[str, Any]:
        """The keys of the JSON object besides ``kind``."""

    @abstractmethod
    def flaw(self, problem: Problem) -> str | None:
        """What is wrong with the certificate, or None if it proves that there is no solution."""

    @abstractmethod
    def explain(self, problem: Problem) -> str:
        """Why there is no solution, in words; the certificate has no flaw."""


class Evidence(Certificate):
    """A certificate that compares the start with one target: an exact position, or one with free holes."""

    @classmethod
    def find(cls, problem: Problem, programs: Run | None) -> Self | None:
        """Evidence against the target of the goal, where it has one."""
        return None if _target(problem) is None else cls.against(problem, programs)

    @classmethod
    @abstractmethod
    def against(cls, problem: Problem, programs: Run | None) -> Self | None:
        """Evidence that the one target of the problem cannot be reached, or None."""

    def flaw(self, problem: Problem) -> str | None:
        """What is wrong with the evidence, or None."""
        target = _target(problem)
        if target is None:
            return f'one peg anywhere takes a certificate of kind "{Finishes.kind}", not "{self.kind}"'
        return self.unsound(problem.board) or self.misses(problem.board, problem.start.mask, *target)

    def explain(self, problem: Problem) -> str:
        """The evidence, drawn on the board."""
        target = _target(problem)
        assert target is not None
        return self.drawn(problem.board, problem.start.mask, *target)

    @abstractmethod
    def unsound(self, board: Board) -> str | None:
        """What is wrong with the evidence whatever it is held against, or None."""

    @abstractmethod
    def misses(self, board: Board, start: int, pegs: int, free: int) -> str | None:
        """Why sound evidence does not rule out a target, or None if it does."""

    @abstractmethod
    def excluded(self, board: Board, start: int) -> int:
        """The holes (a bit mask) that sound evidence rules out for a single last peg."""

    @abstractmethod
    def labels(self, board: Board) -> list[str]:
        """What to write into each hole of a picture; nothing where the hole does not matter."""

    @abstractmethod
    def drawn(self, board: Board, start: int, pegs: int, free: int) -> str:
        """The evidence in words and in a picture."""


def _target(problem: Problem) -> tuple[int, int] | None:
    """The pegs and the free holes (bit masks) of the goal; None for one peg anywhere, which has many targets."""
    match problem.goal:
        case Exact() | Partial() | DeadEnd() | Nearest():
            return problem.final_pegs, problem.board.full & ~problem.final_pegs & ~problem.final_vacancies
        case OnePeg():
            return None
        case _:
            assert_never(problem.goal)


class Evident(Certificate):
    """A certificate without data: the problem itself shows it."""

    @classmethod
    def find(cls, problem: Problem, programs: Run | None) -> Self | None:  # noqa: ARG003
        """The certificate, if it has no flaw."""
        return cls() if cls().flaw(problem) is None else None

    @classmethod
    def read(cls, problem: Problem, data: Data) -> Self:  # noqa: ARG003
        """There is nothing to read."""
        return cls()

    def data(self, board: Board) -> dict[str, Any]:  # noqa: ARG002
        """Nothing."""
        return {}


class PegCount(Evident):
    """A jump removes one peg and leaves at least one, so the numbers of pegs do not fit."""

    kind = "count"

    def flaw(self, problem: Problem) -> str | None:
        """The numbers fit."""
        pegs = len(problem.start)
        least, most = problem.goal_pegs
        if pegs > least and most > 0:
            return f"from {pegs} pegs the goal's {least} can be reached as far as the numbers go"
        return None

    def explain(self, problem: Problem) -> str:
        """The numbers."""
        least, most = problem.goal_pegs
        needs = "no peg" if most == 0 else f"{least} peg{'s' * (least != 1)}"
        return (
            f"The start has {len(problem.start)} pegs, the goal needs {needs}. "
            "Every jump removes one peg and leaves at least one."
        )


class NoJump(Evident):
    """The start is not the goal, and no jump is possible."""

    kind = "dead-end"

    def flaw(self, problem: Problem) -> str | None:
        """A jump is possible."""
        return None if problem.start.is_dead_end() else "a jump is possible at the start"

    def explain(self, problem: Problem) -> str:  # noqa: ARG002
        """One sentence."""
        return "No jump is possible at the start, and the start is not the goal."


@dataclass(frozen=True)
class Parity(Evidence):
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
        return cls(_mask(problem.board, data.get("holes"), "holes"))

    def data(self, board: Board) -> dict[str, Any]:
        """``holes``: names."""
        return {"holes": board.names(self.holes)}

    def unsound(self, board: Board) -> str | None:
        """A line meets the set in one or three holes."""
        for line in board.lines:
            if sum(self.holes >> hole & 1 for hole in line) % 2:
                names = " ".join(board.holes[hole] for hole in line)
                return f"the line {names} meets the set in an odd number of holes"
        return None

    def misses(self, board: Board, start: int, pegs: int, free: int) -> str | None:
        """The goal leaves a hole of the set free, or the parities are the same."""
        if self.holes & free:
            return f"the goal leaves {' '.join(board.names(self.holes & free))} free"
        return None if odd(self.holes & (start ^ pegs)) else "start and goal have the same parity on the set"

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
class Pagoda(Evidence):
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
        weights, board = data.get("weights"), problem.board
        if not isinstance(weights, Mapping) or not all(type(value) is int for value in weights.values()):
            raise InputError("weights must be whole numbers by hole")
        _mask(board, list(weights), "weights")
        return cls(tuple(weights.get(hole, 0) for hole in board.holes))

    def data(self, board: Board) -> dict[str, Any]:
        """``weights`` by hole, without those that are 0."""
        return {"weights": {hole: value for hole, value in zip(board.holes, self.weights, strict=True) if value}}

    def unsound(self, board: Board) -> str | None:
        """A jump lets the weight grow."""
        jump = growing(board, self.weights)
        return None if jump is None else f"the jump {' '.join(board.jump_names(jump))} would make the weight grow"

    def misses(self, board: Board, start: int, pegs: int, free: int) -> str | None:  # noqa: ARG002
        """The goal may be as light as the start."""
        before, after = weight(self.weights, start), least_weight(self.weights, pegs, free)
        return None if before < after else f"the start weighs {before}, the goal may weigh {after}"

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
    """For one peg anywhere: ``cases``, each evidence with the holes (a bit mask) that it rules out for the last peg."""

    kind = "finishes"
    cases: tuple[tuple[int, Evidence], ...]

    @classmethod
    def find(cls, problem: Problem, programs: Run | None) -> Self | None:
        """Sets that rule out most holes first, pagoda functions for what they leave."""
        if _target(problem) is not None:
            return None
        board, start = problem.board, problem.start.mask
        left = board.full
        cases: list[tuple[int, Evidence]] = []
        sets = {Parity(holes): Parity(holes).excluded(board, start) for holes in invariant_sets(board, 0)}
        while sets:
            best = max(sets, key=lambda evidence: (sets[evidence] & left).bit_count())
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
        """``cases``: objects with ``finishes``, names, and the keys of their evidence."""
        if _target(problem) is not None:
            raise InputError(f'kind "{cls.kind}" is for the goal one peg anywhere')
        cases = data.get("cases")
        if not isinstance(cases, list) or not all(isinstance(case, Mapping) for case in cases):
            raise InputError("cases must be a list of objects")
        found = []
        for case in cases:
            kind = _kind(case)
            if not issubclass(kind, Evidence):
                raise InputError(f"a case cannot be of kind {kind.kind}")
            found.append((_mask(problem.board, case.get("finishes"), "finishes"), kind.read(problem, case)))
        return cls(tuple(found))

    def data(self, board: Board) -> dict[str, Any]:
        """``cases``."""
        return {"cases": [{"finishes": board.names(holes), **_written(board, case)} for holes, case in self.cases]}

    def flaw(self, problem: Problem) -> str | None:
        """A hole that the evidence of its case, or no case at all, rules out."""
        board, start = problem.board, problem.start.mask
        covered = 0
        for holes, evidence in self.cases:
            missed = holes & ~evidence.excluded(board, start)
            flaw = evidence.unsound(board) if holes else None
            if flaw or missed:
                last = (missed or holes) & -(missed or holes)
                return f"for the last peg at {board.names(last)[0]}: {flaw or evidence.misses(board, start, last, 0)}"
            covered |= holes
        missing = board.names(board.full & ~covered)
        return f"nothing rules out the last peg at {' '.join(missing)}" if missing else None

    def explain(self, problem: Problem) -> str:
        """Case by case."""
        board, start = problem.board, problem.start.mask
        return "\n\n".join(
            f"The last peg cannot be at {' '.join(board.names(holes))}.\n"
            f"{evidence.drawn(board, start, holes & -holes, 0)}"
            for holes, evidence in self.cases
            if holes
        )


@dataclass(frozen=True)
class Cases(Certificate):
    """A tree of cases in each of which no jump counts lead to the goal (:mod:`pegcp.theory.cases`).

    With ``most`` it is about solutions of at most so many jumps.
    """

    kind = "cases"
    cuts: list[Cut]
    tree: list[Node]
    most: int | None = None

    @classmethod
    def find(cls, problem: Problem, programs: Run | None) -> Self | None:
        """By some hundreds of linear programs."""
        return None if programs is None else cls.within(problem, programs, 2_000)

    @classmethod
    def within(
        cls, problem: Problem, run: Run, nodes: int, most: int | None = None, cuts: Sequence[Cut] = ()
    ) -> Self | None:
        """Cases of at most so many nodes, one linear program each, or None; ``cuts`` are known."""
        if not run.remaining or not problem.board.lines:
            return None
        from pegcp.theory.cases import cases

        found = cases(Counts(problem, most), run, nodes, cuts)
        return None if found is None else cls(*found, most)

    @classmethod
    def read(cls, problem: Problem, data: Data) -> Self:  # noqa: ARG003
        """``cuts``, ``tree`` and ``most``, in numbers."""
        cuts = [{j: limit for j, limit in cut} for cut in data.get("cuts", [])]
        return cls(cuts, data["tree"], data.get("most"))

    def data(self, board: Board) -> dict[str, Any]:  # noqa: ARG002
        """``tree``; ``cuts`` and ``most`` if there are any."""
        cuts = {"cuts": [[list(item) for item in cut.items()] for cut in self.cuts]} if self.cuts else {}
        return {**({} if self.most is None else {"most": self.most}), **cuts, "tree": self.tree}

    def flaw(self, problem: Problem) -> str | None:
        """A case that is not settled, or that longer solutions are left."""
        if self.most is not None and self.most < max(problem.jump_counts, default=0):
            return f"it is only about solutions of at most {self.most} jumps"
        return self.open_case(problem)

    def open_case(self, problem: Problem) -> str | None:
        """A case that is not settled, or None."""
        from pegcp.theory.cases import MOST_NODES, MOST_POSITIONS, parts
        from pegcp.theory.play import play

        counts = Counts(problem, self.most)
        if len(self.tree) > MOST_NODES:
            return f"more than {MOST_NODES:,} nodes"
        positions = MOST_POSITIONS
        for number, cut in enumerate(self.cuts):
            played = play(problem, cut, counts.longest, positions)
            if played is None:
                return f"the cuts have more than {MOST_POSITIONS:,} positions to play through"
            if played.solved:
                return f"cut {number}: the goal is reached"
            if not played.used_up <= cut.keys():
                return "BUG"
            positions -= played.positions
        open_ = [counts.limits()]
        for i, node in enumerate(self.tree):
            if not open_:
                return f"node {i} comes after the last"
            limits = open_.pop()
            if node[0] == "sum":
                if not counts.contradict(limits, dict(node[1])):
                    return f"node {i}: the rows can hold together"
            else:
                open_ += reversed(parts(limits, node, self.cuts))
        return f"{len(open_)} cases are not settled" if open_ else None

    def explain(self, problem: Problem) -> str:
        """How many cases there are, the first of them, and a cut."""
        board = problem.board
        names = [" ".join(board.jump_names(jump)) for jump in board.jumps] + list(board.holes)
        told = [
            "Say how often each jump is made: the start, less the pegs that these jumps take, and with those that they "
            "put, must be the goal."
        ]
        sums = [dict(node[1]) for node in self.tree if node[0] == "sum"]
        told.append(f"No numbers do that{' and can be played' if self.cuts else ''}: {counted(len(sums), 'case')}.")
        if self.tree[0][0] == "split":
            told.append(f"The first two: {names[self.tree[0][1]]} at most {self.tree[0][2]}, or more.")
        if self.cuts:
            limits = "".join(f"    {names[j]}: {limit}\n" for j, limit in self.cuts[0].items())
            told.append(
                "Some are divided by what can be played. Play every way within these limits: the goal is not reached. "
                f"So a solution makes one of these jumps more often:\n{limits}".rstrip()
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


def verify(problem: Problem, certificate: Data) -> str | None:
    """What is wrong with a certificate, or None if it proves that the problem has no solution."""
    if problem.is_goal(problem.start.mask):
        return "the start satisfies the goal"
    if _trivial(problem):
        return "a dead end can always be reached"
    try:
        return _kind(certificate).read(problem, certificate).flaw(problem)
    except InputError as error:
        return error.message


def find_bound(problem: Problem, most: int, run: Run) -> dict[str, Any] | None:
    """A certificate that no solution has at most ``most`` jumps, or None."""
    found = Cases.within(problem, run, 20_000, most)
    return None if found is None else _written(problem.board, found)


def refute(problem: Problem, run: Run, cuts: Sequence[Cut]) -> dict[str, Any] | None:
    """A certificate that no jump counts satisfy the cuts, or None."""
    found = Cases.within(problem, run, 20_000, cuts=cuts)
    return None if found is None else _written(problem.board, found)


def verify_bound(problem: Problem, certificate: Data) -> int:
    """How many jumps a solution has at least by a certificate, which need not show that there is none.

    Raises InputError, saying what is wrong with it.
    """
    if _kind(certificate) is not Cases:
        raise InputError(f"a certificate of kind {certificate['kind']} shows no bound")
    found = Cases.read(problem, certificate)
    flaw = found.open_case(problem)
    if flaw:
        raise InputError(flaw)
    return Counts(problem, found.most).longest + 1


def explain(problem: Problem, certificate: Data) -> str:
    """Why the problem has no solution, in words, with the sets and weights drawn on the board.

    Raises InputError if the certificate is not right.
    """
    flaw = verify(problem, certificate)
    if flaw:
        raise InputError(f"the certificate is wrong: {flaw}")
    return _kind(certificate).read(problem, certificate).explain(problem)


def picture(problem: Problem, certificate: Data) -> str | None:
    """The start with the set or the weights of a certificate, as SVG; None for a certificate of another kind."""
    found = _kind(certificate).read(problem, certificate)
    if not isinstance(found, Evidence):
        return None
    return position_svg(problem.board, problem.start.mask, labels=found.labels(problem.board))


def _trivial(problem: Problem) -> bool:
    """Whether there is a solution, as everybody knows: the start is the goal, or a dead end is."""
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


def _mask(board: Board, names: object, what: str) -> int:
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        raise InputError(f"{what} must be hole names")
    return board.mask(names)


def _parity(number: int) -> str:
    return "odd" if number % 2 else "even"


def _indented(text: str) -> str:
    return "\n".join(f"    {line}".rstrip() for line in text.splitlines())
