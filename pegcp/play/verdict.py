"""The verdict on a solution that a person wrote: the replay, or what is wrong and which jump lost the game."""

from contextlib import suppress
from dataclasses import replace

from pegcp.errors import InvalidSolution
from pegcp.formats.solution import ReadSolution
from pegcp.game import Problem, Replay
from pegcp.game.replay import check
from pegcp.method import Run


def check_solution(problem: Problem, read: ReadSolution, run: Run) -> Replay:
    """Replay a solution that was read.

    Raises InvalidSolution, which also says which jump lost the game where that is found in the time of the run.
    """
    try:
        return replace(check(problem, read.jumps), read_as=read.read_as)
    except InvalidSolution as error:
        legal, lost = read.jumps[: error.step - 1 if error.step else None], ""
        if legal:
            with suppress(ImportError):  # tables need optional parts
                from pegcp.play.advice import find_next_jumps

                lost = find_next_jumps(problem, legal, run).lost
        raise InvalidSolution(error.message, step=error.step, lost=lost, read_as=read.read_as) from None
