"""One jump per step in python-constraint, procedural: a constraint keeps positions, and remembers refuted ones.

Variables    moves[t] = number of the jump made at step t, t = 0 .. T-1; or None once the goal is reached
Constraints  for every t: moves[0] .. moves[t] can be played from the start; after the last step the goal holds
Implied      (bounds) no jump is made more often than its budget allows, and no pagoda function loses more than its
             slack (pegcp.theory.pagoda: Kiyomi and Matsui 2001)
Memory       (memory) no prefix leads to a position, up to the symmetries of the goal, that has been refuted
Symmetry     (order, where there is no memory) consecutive independent jumps are in rising order
Values       jumps that use the smallest share of budgets and slacks first

The library assigns the variables with most constraints first. Constraint t is on moves[0] .. moves[t], so the steps are
assigned in playing order, and constraint t is the first to see each value of moves[t]. So it need not replay the
prefix: it keeps the position after step t. A position that occurs again has been refuted, because chronological
backtracking abandons a prefix only after all its continuations have failed; a solution would have ended the search.
Budgets and slacks hold for whole solutions: a position that fails within them fails no matter how it was reached.
"""

from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from typing import Any, Literal

from constraint import Constraint, FunctionConstraint
from constraint import Problem as Model

from pegcp.game.symmetry import canonical_form
from pegcp.modelling import Formulation, Objective, Problem
from pegcp.modelling.backtracking import solver_class
from pegcp.theory.pagoda import budgets, pagodas, stock

BACKENDS = ("python-constraint",)
GOALS = ("exact", "one-peg", "partial")
OBJECTIVES = ("any", "count")


def build(
    problem: Problem,
    *,
    memory: bool = True,
    bounds: bool = True,
    order: bool = True,
    solver: Literal["optimized", "backtracking", "recursive"] = "optimized",
) -> Formulation[Model]:
    """Return the model; all solutions are counted without ``memory`` and ``order``."""
    T, jumps = problem.lengths[-1], problem.board.jumps
    counting = problem.objective is Objective.COUNT
    game = Game(problem, bounds, memory and not counting)
    domain: list[int | None] = [*sorted(range(len(jumps)), key=game.share.__getitem__)]
    if len(problem.lengths) > 1:
        domain.append(None)
    if solver != "recursive":  # the others take the last value of a domain first
        domain.reverse()

    model = Model(solver_class(solver))
    moves = [f"moves_t{t:02}" for t in range(T)]
    model.addVariables(moves, domain)
    for t in range(T):
        model.addConstraint(Prefix(game, t, last=t == T - 1), moves[: t + 1])
    if order and not memory and not counting:
        in_order = FunctionConstraint(lambda i, j: j is None or i <= j or not jumps[i].independent_of(jumps[j]))
        for neighbours in pairwise(moves):
            model.addConstraint(in_order, neighbours)

    return Formulation(
        model, lambda value: [jumps[j] for j in map(value, moves) if j is not None], distinct="jump sequences"
    )


class Game:
    """The position after each step, and what is left of budgets and slacks."""

    def __init__(self, problem: Problem, bounds: bool, memory: bool) -> None:
        jumps, steps = problem.board.jumps, problem.lengths[-1] + 1
        weights = pagodas(problem) if bounds else []
        budget = (budgets(problem) or dict.fromkeys(jumps, 0)) if bounds else {}
        self.stock = stock(jumps, budget, weights)
        self.share = [self.stock.share[jump] for jump in jumps]
        self.jumps = [(jump.mask, jump.needs, self.stock.uses[jump]) for jump in jumps]
        self.positions: list[int | None] = [problem.start.mask] * steps  # None: the goal was reached before
        self.left = [self.stock.start] * steps
        self.is_goal, self.memory, self.met = problem.is_goal, memory, set[int]()
        self.key: Callable[[int], int] = canonical_form(problem.goal_symmetries())


class Prefix(Constraint):  # type: ignore[misc]
    """The prefix up to step t can be played, within the stock, to a position that is not refuted."""

    def __init__(self, game: Game, t: int, last: bool) -> None:
        self.game, self.t, self.last = game, t, last

    def preProcess(self, *_: Any, **__: Any) -> None:  # noqa: N802
        """Start with no memory. (The library would try out values here, and they would be remembered.)"""
        self.game.met.clear()

    def __call__(  # pyright: ignore[reportIncompatibleMethodOverride]
        self, variables: Sequence[str], _: Any, assignments: Mapping[str, int | None], *__: Any
    ) -> bool:
        """Tell whether the value of moves[t] is good, after good values for the steps before."""
        t, game = self.t, self.game
        if variables[t] not in assignments:
            return True
        position, j = game.positions[t], assignments[variables[t]]
        if j is None or position is None:
            game.positions[t + 1] = None
            return j is None and (position is None or game.is_goal(position))
        mask, pegs, uses = game.jumps[j]
        if position & mask != pegs:
            return False
        left, after = game.left[t] - uses, position ^ mask
        if left & game.stock.guards != game.stock.guards or (self.last and not game.is_goal(after)):
            return False
        if game.memory:
            if (key := game.key(after)) in game.met:
                return False
            game.met.add(key)
        game.positions[t + 1], game.left[t + 1] = after, left
        return True
