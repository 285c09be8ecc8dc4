"""Fewest moves (long-hop): a step is a whole move, and a move is a round trip through a graph of jumps.

Variables    peg[t, h] = 1 iff hole h holds a peg before move t, t = 0 .. T
             made[t, j] = 1 iff jump j belongs to move t; first[t, j], last[t, j] = 1 iff it begins, ends it
             then[t, j, k] = 1 iff jump k follows jump j in move t
             begins[t, h], ends[t, h] = 1 iff move t begins, ends in hole h
Constraints  circuit: 0 -> first jump -> then ... -> last jump -> 0, the jumps that are not made left aside. The same
             hole may be visited again, a line is used once (its middle has no peg any more)
             the pegs jumped over are there before and not after; where the peg lands is vacant, or where it began
             a hole becomes vacant only if the move begins there or a jump passes over it; full only if it ends there
             peg[0] = start; peg[T] satisfies the goal; no move goes on with the peg of the one before
Objective    T grows from a lower bound; the first T with a solution is the optimum
Implied      a full region (see pegcp.theory.regions) costs a move that begins in it: Merson; Barker and Korf (2012)
Symmetry     moves without a common hole commute: next to each other they begin in rising holes
"""

from collections.abc import Iterable, Sequence

from ortools.sat.python.cp_model import CpModel, IntVar

from pegcp.game.board import grouped
from pegcp.modelling import Formulation, Jump, Problem, Value
from pegcp.modelling.clauses import begins_at_start, ends_in_goal
from pegcp.modelling.ordering import moves_in_order
from pegcp.theory.regions import landing_apart, least_moves, opened

BACKENDS = ("cp-sat",)
GOALS = ("exact", "one-peg", "partial")
OBJECTIVES = ("any", "fewest-moves")
HORIZON = "fewest-moves"


def horizons(problem: Problem) -> Iterable[int]:
    """The numbers of moves that a solution can have."""
    return range(least_moves(problem), problem.jump_counts[-1] + 1)


def build(problem: Problem, horizon: int, *, regions: bool = True, order: bool = True) -> Formulation[CpModel]:
    """Is there a solution of exactly ``horizon`` moves?

    ``regions`` adds the implied constraints, ``order`` puts moves in order. Raises InputError for boards on which a peg
    can land in a hole that it has jumped over in the same move (some graphs; no lattice).
    """
    board, jumps, T = landing_apart(problem.board), problem.board.jumps, horizon
    J, H = range(len(jumps)), range(len(board.holes))
    names = ["_".join(board.jump_names(jump)) for jump in jumps]
    follow = [(j, k) for j in J for k in J if jumps[j].to == jumps[k].from_ and jumps[j].over != jumps[k].over]

    model = CpModel()

    def literals(name: str, labels: Sequence[str], steps: int = T) -> list[list[IntVar]]:
        return [[model.new_bool_var(f"{name}_t{t:02}_{label}") for label in labels] for t in range(steps)]

    peg = literals("peg", board.holes, T + 1)
    made, first, last = literals("made", names), literals("first", names), literals("last", names)
    begins, ends = literals("begins", board.holes), literals("ends", board.holes)
    then = literals("then", [f"{names[j]}_{names[k]}" for j, k in follow])
    for t in range(T):
        model.add_circuit(
            [(0, j + 1, first[t][j]) for j in J]
            + [(j + 1, 0, last[t][j]) for j in J]
            + [(j + 1, j + 1, ~made[t][j]) for j in J]
            + [(j + 1, k + 1, then[t][i]) for i, (j, k) in enumerate(follow)]
        )
        model.add_exactly_one(first[t])
        model.add_exactly_one(last[t])
        model.add_exactly_one(begins[t])
        model.add_exactly_one(ends[t])
        before, after = peg[t], peg[t + 1]
        for j, jump in enumerate(jumps):
            model.add_implication(first[t][j], begins[t][jump.from_])
            model.add_implication(last[t][j], ends[t][jump.to])
            model.add_bool_and(before[jump.over], ~after[jump.over]).only_enforce_if(made[t][j])
            model.add_bool_or(~made[t][j], ~before[jump.to], begins[t][jump.to])
            model.add_bool_or(~made[t][j], ~after[jump.from_], ends[t][jump.from_])
        for h in H:
            over = [made[t][j] for j in J if jumps[j].over == h]
            model.add_at_most_one(over)
            model.add_implication(begins[t][h], before[h])
            model.add_implication(ends[t][h], after[h])
            model.add_bool_or(~begins[t][h], ends[t][h], ~after[h])
            model.add_bool_or(~before[h], after[h], begins[t][h], *over)
            model.add_bool_or(before[h], ~after[h], ends[t][h])
            if t + 1 < T:
                model.add_implication(ends[t][h], ~begins[t + 1][h])
    counts = problem.jump_counts
    model.add_linear_constraint(sum(m for row in made for m in row), counts[0], counts[-1])
    begins_at_start(model, problem, peg[0])
    ends_in_goal(model, problem, peg[T])
    if regions:
        for region in opened(problem):
            model.add_bool_or(begins[t][h] for t in range(T) for h in H if region >> h & 1)
    if order:
        for t in range(T - 1):
            meet = [model.new_bool_var(f"meet_t{t:02}_{h}") for h in board.holes]
            for h in H:
                for step in (t, t + 1):
                    model.add_bool_or(~meet[h], *(made[step][j] for j in J if h in jumps[j]))
                for g in range(h + 1, len(board.holes)):
                    model.add_bool_or(~begins[t][g], ~begins[t + 1][h], *meet)

    def played(value: Value) -> list[Jump]:
        found = []
        for t in range(T):
            follower = {j: k for literal, (j, k) in zip(then[t], follow, strict=True) if value(literal)}
            j: int | None = next(j for j in J if value(first[t][j]))
            while j is not None:
                found.append(jumps[j])
                j = follower.get(j)
        return found

    def hinted(beginning: Sequence[Jump]) -> list[IntVar] | None:
        groups = moves_in_order(beginning) if order else grouped(beginning)
        if len(groups) > T:
            return None
        begun = [first[t][jumps.index(move[0])] for t, move in enumerate(groups)]
        return begun + [made[t][jumps.index(jump)] for t, move in enumerate(groups) for jump in move]

    return Formulation(model, played, literals=hinted)
