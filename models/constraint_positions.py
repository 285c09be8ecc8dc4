"""A path of positions in python-constraint, each one jump after the last: for boards of up to about 20 holes.

Variables    state[t] = the position after t jumps, t = 0 .. T
Domains      positions in the class of the start with t pegs fewer; or goal positions that were reached earlier
Constraints  state[t+1] is one jump after state[t]; or the same position, which satisfies the goal
             state[0] = start; state[T] satisfies the goal
Consistency  (consistent) before the search, positions without a predecessor in the previous step are removed

There are no variables for jumps: two positions determine the jump between them. Every constraint is on two variables,
which suits the library's forward checking and its choice of the smallest domain: the search grows from both ends. It
has no memory, and without the consistency it meets the same dead ends in the middle repeatedly. The consistency is
breadth-first search in the language of constraints, and leaves little to search: a tree of constraints that is
consistent from the root on is solved from the leaves without backtracking (Freuder 1982).
"""

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from itertools import pairwise
from typing import Any, Literal

from constraint import FunctionConstraint
from constraint import Problem as Model

from pegcp.modelling import Formulation, Jump, Problem
from pegcp.modelling.backtracking import solver_class
from pegcp.theory.parity import class_sets

BACKENDS = ("python-constraint",)
GOALS = ("exact", "one-peg", "partial")
OBJECTIVES = ("any",)
MOST_HOLES = 20  # the domains list all positions of a board: a million of 20 holes, in seconds


def refuse(problem: Problem) -> str | None:
    """Refuse large boards: all positions of a board are listed."""
    holes = len(problem.board.holes)
    return (
        f"it lists all positions, so it takes at most {MOST_HOLES} holes, not {holes}" if holes > MOST_HOLES else None
    )


def build(
    problem: Problem,
    *,
    consistent: bool = True,
    solver: Literal["optimized", "backtracking", "recursive", "min-conflicts"] = "backtracking",
    forwardcheck: bool = True,
) -> Formulation[Model]:
    """Return the model; ``consistent`` as above."""
    T, pegs, is_goal = problem.lengths[-1], len(problem.start), problem.is_goal
    jumps = {(jump.mask, jump.needs): jump for jump in problem.board.jumps}
    positions = same_class(problem)
    state = [f"state_t{t:02}" for t in range(T + 1)]

    @cache
    def leads_to(p: int) -> set[int]:
        return {p ^ mask for mask, pegs in jumps if p & mask == pegs} | ({p} if is_goal(p) else set())

    model = Model(solver_class(solver, forwardcheck))
    model.addVariable(state[0], [problem.start.mask])
    for t in range(1, T + 1):
        usual = [p for p in positions if p.bit_count() == pegs - t]
        early = [p for p in positions if pegs - t < p.bit_count() <= pegs and is_goal(p)]
        model.addVariable(state[t], [*usual, *early] or [0])  # a domain must not be empty; no jump leads to 0
    for neighbours in pairwise(state):
        model.addConstraint(Step(leads_to, consistent), neighbours)
    model.addConstraint(FunctionConstraint(is_goal), state[T:])

    def played(value: Callable[[str], int]) -> list[Jump]:
        return [jumps[p ^ q, p & (p ^ q)] for p, q in pairwise(map(value, state)) if p != q]

    return Formulation(model, played)


class Step(FunctionConstraint):  # type: ignore[misc]
    """The later of two positions is one that the earlier leads to."""

    def __init__(self, leads_to: Callable[[int], set[int]], consistent: bool) -> None:
        super().__init__(lambda p, q: q in leads_to(p))
        self.leads_to, self.consistent = leads_to, consistent

    def preProcess(self, variables: Sequence[str], domains: Mapping[str, list[int]], *_: Any, **__: Any) -> None:  # noqa: N802
        """Make the later domain consistent with the earlier."""
        if self.consistent:
            before, after = (domains[variable] for variable in variables)
            reached = {q for p in before for q in self.leads_to(p)}
            after[:] = [q for q in after if q in reached]


def same_class(problem: Problem) -> list[int]:
    """Return the positions whose parity on every class set is that of the start."""
    start, sets = problem.start.mask, class_sets(problem.board)
    return [
        p for p in range(problem.board.full + 1) if not any(((p ^ start) & holes).bit_count() % 2 for holes in sets)
    ]
