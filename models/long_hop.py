"""Fewest moves (long-hop): a step is a whole move, and a move is a round trip through a graph of jumps.

Variables    peg[t, h] = 1 iff hole h holds a peg before move t, t = 0 .. T
             made[t, j] = 1 iff jump j belongs to move t; first[t, j], last[t, j] = 1 iff it begins, ends it
             then[t, j, k] = 1 iff jump k follows jump j in move t
             begins[t, h], ends[t, h] = 1 iff move t begins, ends in hole h
Constraints  first, last, begins, ends: one of each in every move
             circuit: 0 -> first jump -> then ... -> last jump -> 0, through the jumps that are made. A hole may be
             visited again; a line is used once, because its middle has then lost its peg
             the pegs jumped over are there before the move and not after; the peg lands in vacancies, or where it began
             a hole becomes vacant only if the move begins there or a jump passes over it; full only if it ends there
             peg[0] = start; peg[T] satisfies the goal; no move continues with the peg of the previous one
Objective    T grows from a lower bound; the first T with a solution is the optimum
Implied      a full region (see pegcp.theory.regions) costs a move that begins in it: Merson; Barker and Korf (2012)
Symmetry     moves without a common hole commute: next to each other they begin in rising holes
"""

from collections.abc import Iterable, Sequence

from ortools.sat.python.cp_model import CpModel, IntVar, LiteralT

from pegcp.modelling import Formulation, Jump, Problem, Value, by_hole, by_step
from pegcp.modelling.clauses import begins_at_start, ends_in_goal
from pegcp.theory.regions import find_revisited_hole, least_moves, regions_to_open

BACKENDS = ("cp-sat",)
GOALS = ("exact", "one-peg", "partial")
OBJECTIVES = ("any", "fewest-moves")
HORIZON = "fewest-moves"


def refuse(problem: Problem) -> str | None:
    """Return a line is used once in a move because no peg lands in a hole that it has jumped over: not so on some
    graphs."""
    hole = find_revisited_hole(problem.board)
    return None if hole is None else f"on this board a peg may land in {hole} after jumping over it"


def horizons(problem: Problem) -> Iterable[int]:
    """Return the numbers of moves that a solution can have."""
    return range(least_moves(problem), problem.lengths[-1] + 1)


def build(problem: Problem, horizon: int, *, regions: bool = True, order: bool = True) -> Formulation[CpModel]:
    """Is there a solution of exactly ``horizon`` moves?

    ``regions`` adds the implied constraints, ``order`` puts moves in order.
    """
    board, jumps, T = problem.board, problem.board.jumps, horizon
    J, H = range(len(jumps)), range(len(board.holes))
    names = ["_".join(board.jump_names(jump)) for jump in jumps]
    follow = [(j, k) for j in J for k in J if jumps[j].to == jumps[k].from_ and jumps[j].over != jumps[k].over]

    model = CpModel()

    def literals(name: str, labels: Sequence[str], steps: int = T) -> list[list[IntVar]]:
        return [[model.new_bool_var(f"{name}_t{t:02}_{label}") for label in labels] for t in range(steps)]

    peg = literals("peg", board.holes, T + 1)
    made, first, last = (literals(name, names) for name in ("made", "first", "last"))
    begins, ends = (literals(name, board.holes) for name in ("begins", "ends"))
    then = literals("then", [f"{names[j]}_{names[k]}" for j, k in follow])
    for t in range(T):
        arcs: list[tuple[int, int, LiteralT]] = [(0, j + 1, first[t][j]) for j in J]
        arcs += [(j + 1, 0, last[t][j]) for j in J]
        arcs += [(j + 1, j + 1, ~made[t][j]) for j in J]
        arcs += [(j + 1, k + 1, then[t][i]) for i, (j, k) in enumerate(follow)]
        if arcs:  # on a board without jumps none can be the first, as it must be one
            model.add_circuit(arcs)
        for one in (first, last, begins, ends):
            model.add_exactly_one(one[t])
        for j, (a, b, c) in enumerate(jumps):
            model.add_implication(first[t][j], begins[t][a])
            model.add_implication(last[t][j], ends[t][c])
            model.add_bool_and(peg[t][b], ~peg[t + 1][b]).only_enforce_if(made[t][j])
            model.add_bool_or(~made[t][j], ~peg[t][c], begins[t][c])
            model.add_bool_or(~made[t][j], ~peg[t + 1][a], ends[t][a])
        for h in H:
            over = [made[t][j] for j in J if jumps[j].over == h]
            model.add_at_most_one(over)
            model.add_implication(begins[t][h], peg[t][h])
            model.add_implication(ends[t][h], peg[t + 1][h])
            model.add_bool_or(~begins[t][h], ends[t][h], ~peg[t + 1][h])
            model.add_bool_or(~peg[t][h], peg[t + 1][h], begins[t][h], *over)
            model.add_bool_or(peg[t][h], ~peg[t + 1][h], ends[t][h])
    for t in range(1, T):
        for h in H:
            model.add_implication(ends[t - 1][h], ~begins[t][h])
    for t in range(1, T) if order else ():
        meet = [model.new_bool_var(f"meet_t{t:02}_{hole}") for hole in board.holes]
        for h in H:
            for near in (t - 1, t):
                model.add_bool_or(~meet[h], *(made[near][j] for j in J if h in jumps[j]))
            for g in range(h + 1, len(H)):
                model.add_bool_or(~begins[t - 1][g], ~begins[t][h], *meet)
    counts = problem.lengths
    model.add_linear_constraint(sum(literal for move in made for literal in move), counts[0], counts[-1])
    for region in regions_to_open(problem) if regions else []:
        model.add_bool_or(begins[t][h] for t in range(T) for h in H if region >> h & 1)
    begins_at_start(model, problem, peg[0])
    ends_in_goal(model, problem, peg[T])

    def played(value: Value) -> list[Jump]:
        """Return the jumps of all moves, each from its first jump along ``then``."""
        found = []
        for t in range(T):
            follower = {j: k for literal, (j, k) in zip(then[t], follow, strict=True) if value(literal)}
            j: int | None = next(j for j in J if value(first[t][j]))
            while j is not None:
                found.append(jumps[j])
                j = follower.get(j)
        return found

    return Formulation(model, played, made=by_step(board, made), peg=by_hole(board, peg))
