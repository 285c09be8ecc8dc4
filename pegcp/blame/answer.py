"""The answer to why: a sentence, and the lines of the file that it is about, or the rule of the game that is broken."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from textwrap import shorten

from pegcp.game import Jump, Problem, jump_name

SENTENCES = {  # that a model must say
    1: "the first position is the start",
    2: "each step makes exactly one jump",
    3: "a jump that is made finds two pegs and a vacancy, and leaves the reverse",
    4: "a hole that changes is changed by a jump: a frame axiom is missing",
    5: "the last position is the goal",
}
Fault = tuple[int, int, str]  # the number of a sentence, of a step, and what happens there


@dataclass(frozen=True)
class Line:
    """A line of a model file: its number, its text, and an instance by meaning.

    ``excludes``: False for a line that only defines what a line before it uses.
    """

    number: int
    text: str
    place: str = ""
    excludes: bool = True


@dataclass(frozen=True)
class Why:
    """The answer: ``says`` in one sentence, and the lines that exclude, or the rule that is missing.

    ``kind``: ``excludes``, ``impossible`` (no solution at all), ``order`` (only this order is excluded), ``accepts``
    (what is no solution; ``rule`` is the sentence that no line says, ``step`` where), ``agrees`` or ``unknown``.
    ``step`` is the step, from 1, at which model and rules part; ``jumps`` the solution that was asked about.
    """

    kind: str
    says: str
    path: str = ""
    lines: tuple[Line, ...] = ()
    step: int | None = None
    rule: int | None = None
    jumps: tuple[str, ...] = ()

    def __str__(self) -> str:
        rows = [self.says]
        for line in self.lines:
            begin, end = ("", f": at {line.place}" if line.place else "") if line.excludes else ("  from ", "")
            rows.append(
                f"{begin}{Path(self.path).name}:{line.number} `{shorten(line.text, 100, placeholder='...')}`{end}"
            )
        return "\n".join(rows)

    def to_json(self) -> dict[str, object]:
        """Return the answer for programs."""
        return asdict(self)


def broken_rule(problem: Problem, steps: Sequence[Sequence[Jump]], pegs: Sequence[int], kind: str) -> Fault | None:
    """Return the first rule that is broken by the jumps of each step and the positions before and after them.

    ``kind``: a step has a ``single`` jump, ``independent`` ones, or ``several`` one after the other.
    """
    board = problem.board

    def difference(position: int, right: int) -> tuple[str, str]:
        """Return the content of the first hole in which a position differs, and the hole."""
        hole = (position ^ right) & -(position ^ right)
        return "a peg" if position & hole else "no peg", board.holes[hole.bit_length() - 1]

    if pegs[0] != problem.start.mask:
        peg, hole = difference(pegs[0], problem.start.mask)
        return 1, 0, f"the first position has {peg} at {hole}, the start has not"
    for t, (jumps, position, after) in enumerate(zip(steps, pegs, pegs[1:], strict=False)):
        names = " and ".join(jump_name(board, jump) for jump in jumps)
        holes = [hole for jump in jumps for hole in jump]
        if kind == "single" and len(jumps) > 1:
            return 2, t, f"step {t + 1} makes {len(jumps)} jumps, {names}"
        if kind == "single" and not jumps and (len(problem.lengths) == 1 or any(steps[t + 1 :])):
            return 2, t, f"step {t + 1} makes no jump"
        if kind == "independent" and len(set(holes)) < len(holes):
            return 2, t, f"step {t + 1} makes {names}, which have a hole in common"
        for jump in jumps:
            if not jump.is_legal(position):
                peg, hole = difference(position & jump.mask, jump.needs)
                return 3, t, f"step {t + 1} makes {jump_name(board, jump)}, but finds {peg} at {hole}"
            position ^= jump.mask
        if position != after:
            peg, hole = difference(after, position)
            if board.hole(hole) in holes:
                return 3, t, f"step {t + 1} makes {names}, but leaves {peg} at {hole}"
            what = "appears, and no jump lands there" if peg == "a peg" else "vanishes, and no jump takes it"
            return 4, t, f"between step {t + 1} and {t + 2} the peg at {hole} {what}"
    return None if problem.is_goal(pegs[-1]) else (5, len(steps), "the last position is not the goal")
