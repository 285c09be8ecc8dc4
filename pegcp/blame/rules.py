"""The rule of the game that an answer breaks: the five sentences that a model must say."""

from collections.abc import Iterator, Sequence

from pegcp.game import Jump, Problem, jump_name

SENTENCES = {
    1: "the first position is the start",
    2: "each step makes exactly one jump",
    3: "a jump that is made finds two pegs and a vacancy, and leaves the reverse",
    4: "a hole that changes is changed by a jump: a frame axiom is missing",
    5: "the last position is the goal",
}
Fault = tuple[int, int, str]  # the number of a sentence, of a step, and what happens there


def broken_rule(problem: Problem, steps: Sequence[Sequence[Jump]], pegs: Sequence[int], kind: str) -> Fault | None:
    """Return the first rule that is broken by the jumps of each step and the positions before and after them.

    ``kind``: a step has a ``single`` jump, ``independent`` ones, or ``several`` one after the other.
    """
    return next(_faults(problem, steps, pegs, kind), None)


def _faults(problem: Problem, steps: Sequence[Sequence[Jump]], pegs: Sequence[int], kind: str) -> Iterator[Fault]:
    board = problem.board

    def difference(position: int, right: int) -> tuple[str, str]:
        """The content of the first hole in which a position differs, and the hole."""
        hole = (position ^ right) & -(position ^ right)
        return "a peg" if position & hole else "no peg", board.holes[hole.bit_length() - 1]

    if pegs[0] != problem.start.mask:
        peg, hole = difference(pegs[0], problem.start.mask)
        yield 1, 0, f"the first position has {peg} at {hole}, the start has not"
    for t, (jumps, position, after) in enumerate(zip(steps, pegs, pegs[1:], strict=False)):
        names = " and ".join(jump_name(board, jump) for jump in jumps)
        touched = [hole for jump in jumps for hole in jump]
        if kind == "single" and len(jumps) > 1:
            yield 2, t, f"step {t + 1} makes {len(jumps)} jumps, {names}"
        if kind == "single" and not jumps and (len(problem.jump_counts) == 1 or any(steps[t + 1 :])):
            yield 2, t, f"step {t + 1} makes no jump"
        if kind == "independent" and len(set(touched)) < len(touched):
            yield 2, t, f"step {t + 1} makes {names}, which have a hole in common"
        for jump in jumps:
            if not jump.is_legal(position):
                peg, hole = difference(position & jump.mask, jump.needs)
                yield 3, t, f"step {t + 1} makes {jump_name(board, jump)}, but finds {peg} at {hole}"
            position ^= jump.mask
        if position != after:
            peg, hole = difference(after, position)
            if board.hole(hole) in touched:
                yield 3, t, f"step {t + 1} makes {names}, but leaves {peg} at {hole}"
            what = "appears, and no jump lands there" if peg == "a peg" else "vanishes, and no jump takes it"
            yield 4, t, f"between step {t + 1} and {t + 2} the peg at {hole} {what}"
    if not problem.is_goal(pegs[-1]):
        yield 5, len(steps), "the last position is not the goal"
