"""Problems made to order: solvable ones by playing backwards from the goal, and random ones."""

import random
from array import array
from collections.abc import Iterator, MutableSequence

from pegcp.errors import InputError, refuse_if
from pegcp.game import Board, Goal, Objective, OnePeg, Position, Problem

_ONE_PEG = OnePeg()
_ATTEMPTS = [1_000 << doubling for doubling in range(9)]  # positions tried before each restart


def solvable(board: Board, pegs: int, seed: int = 0, goal: Goal = _ONE_PEG) -> Problem:
    """Return a problem with that many pegs that can be reduced to one peg, or to an exact goal.

    Plays backwards from the goal by random depth-first search with restarts. The same arguments give the same problem.
    Raises InputError if there is no such position, or none among half a million tried; or for another goal.
    """
    _check(board, pegs)
    ends = Problem(board, Position(board, board.full), goal).targets
    if ends is None:
        raise InputError(f"problems are made for the goals one peg and exact, not for {goal.kind}")
    chance = random.Random(f"solvable {pegs} {seed}")
    for patience in (patience for patience in _ATTEMPTS if patience >= pegs):  # each jump adds one peg
        chance.shuffle(ends)
        for number, position in enumerate(_backwards(board, ends, chance), start=1):
            if position.bit_count() == pegs:
                return Problem(board, Position(board, position), goal, Objective.ANY, f"{board.name}-{pegs}-{seed}")
            if number > patience:
                break
        else:
            raise InputError(f"no position of {pegs} pegs on board {board.name} can be reduced to the goal")
    raise InputError(
        f"none of {sum(_ATTEMPTS):,} positions played backwards on board {board.name} has {pegs} pegs; "
        "ask for fewer pegs or another seed"
    )


def scattered(board: Board, pegs: int, seed: int = 0, goal: Goal = _ONE_PEG) -> Problem:
    """Return a problem with that many pegs at random places; it may or may not be solvable. Raises InputError."""
    _check(board, pegs)
    holes = random.Random(f"scattered {pegs} {seed}").sample(range(len(board.holes)), pegs)
    start = Position(board, sum(1 << hole for hole in holes))
    return Problem(board, start, goal, Objective.ANY, f"{board.name}-{pegs}-random-{seed}")


def _backwards(board: Board, ends: list[int], chance: random.Random) -> Iterator[int]:
    """Yield the positions (bit masks) that can be reduced to one of the ends, each once, depth first."""
    jumps, holes = board.jumps, len(board.holes)
    entered: set[int] = set()
    # A position, and the moves from it: numbers of ends, then numbers of jumps.
    stack: list[tuple[int, MutableSequence[int]]] = [(0, [*range(len(ends))])]
    while stack:
        before, choices = stack[-1]
        if not choices:
            stack.pop()
            continue
        choice = choices.pop()
        position = before ^ jumps[choice].mask if before else ends[choice]
        if position not in entered:
            entered.add(position)
            yield position
            pegs = [bit == "1" for bit in reversed(f"{position:0{holes}b}")]  # quick to read, on large boards too
            earlier = array(
                "I", [n for n, (from_, over, to) in enumerate(jumps) if pegs[to] and not (pegs[from_] or pegs[over])]
            )
            chance.shuffle(earlier)
            stack.append((position, earlier))


def _check(board: Board, pegs: int) -> None:
    refuse_if(not 1 <= pegs <= len(board.holes), f"board {board.name} takes 1 to {len(board.holes)} pegs, not {pegs}")
