"""Jump counts with Benders cuts, procedural: choose how often each jump is made, play it, and learn from what fails.

How often each jump is made determines the last position, whatever the order (Kiyomi and Matsui 2001). The master
problem chooses the counts, the subproblem plays in every way that they allow. If the goal is not reached, every
solution departs from that play at some jump that was legal but used up, so it makes one of these jumps more often. That
is the cut (Hooker and Ottosson 2003: logic-based Benders decomposition).

Variables    x[j] = how often jump j is made; last[h] = 1 iff hole h holds a peg in the last position
Constraints  last = start + sum of x[j] * (+1 where j lands, -1 where it leaves or jumps over); last satisfies the goal
Cuts         for counts z that cannot be played: x[j] > z[j] for one of the jumps j that were legal but used up
Symmetry     symmetry: the images of a cut under the symmetries of the problem are cuts, too
Search       keep: the longest play so far is fixed, and the master chooses its continuation, as long as there is one
Refutation   the certificate consists of the cuts, and of a proof by cases that no counts satisfy them
"""

from collections import Counter
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from ortools.sat.python.cp_model import CpModel, IntVar

from pegcp.modelling import Formulation, Jump, Problem, Value
from pegcp.modelling.clauses import ends_in_goal
from pegcp.modelling.ordering import touching
from pegcp.theory.cases import Cut, Play, cut_images, find_cases, play

BACKENDS = ("cp-sat",)
GOALS = ("exact", "one-peg", "partial")
OBJECTIVES = ("any",)
PARAMETERS = {"linearization_level": 1}  # the equations of the counts are the argument


def build(problem: Problem, *, keep: bool = True, symmetry: bool = True) -> Formulation[CpModel]:
    """Return the master problem, which learns cuts."""
    board, most = problem.board, problem.lengths[-1]
    number = {jump: j for j, jump in enumerate(board.jumps)}

    model = CpModel()
    x = [model.new_int_var(0, most, "jump_" + "_".join(board.jump_names(jump))) for jump in board.jumps]
    last = [model.new_bool_var(f"last_{hole}") for hole in board.holes]
    takes, lands = touching(board)
    for h in range(len(board.holes)):
        model.add(last[h] == (problem.start.mask >> h & 1) + sum(x[j] for j in lands[h]) - sum(x[j] for j in takes[h]))
    ends_in_goal(model, problem, last)

    literals: dict[tuple[int, int], IntVar] = {}

    def more(j: int, z: int) -> IntVar:
        """x[j] > z."""
        if (j, z) not in literals:
            literals[j, z] = literal = model.new_bool_var(f"{x[j].name}_more_than_{z}")
            model.add(x[j] > z).only_enforce_if(literal)
            model.add(x[j] <= z).only_enforce_if(~literal)
        return literals[j, z]

    cuts: list[Cut] = []

    def add(cut: Cut) -> None:
        if cut not in cuts:
            cuts.append(cut)
            model.add_bool_or([more(j, z) for j, z in cut.items()])

    @lru_cache(maxsize=1)  # jumps and learn ask for the same counts, one after the other
    def played(counts: tuple[int, ...]) -> Play:
        outcome = play(problem, dict(enumerate(counts)))
        assert outcome is not None
        return outcome

    def counts(value: Value) -> tuple[int, ...]:
        return tuple(value(variable) for variable in x)

    def jumps(value: Value) -> list[Jump] | None:
        outcome = played(counts(value))
        return outcome.jumps if outcome.solved else None

    def learn(value: Value) -> None:
        """Cut off counts that cannot be played, and fix the longest play of them."""
        outcome = played(counts(value))
        for image in cut_images(problem, outcome.cut) if symmetry else [outcome.cut]:
            add(image)
        if keep:
            model.clear_assumptions()
            model.add_assumptions([more(number[jump], times - 1) for jump, times in Counter(outcome.jumps).items()])

    def refuted(seconds: float) -> Mapping[str, Any] | None:
        return find_cases(problem, seconds, cuts=cuts)

    return Formulation(model, jumps, unordered=True, learn=learn, refuted=refuted)
