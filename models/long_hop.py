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

from ortools.sat.python.cp_model import CpModel, IntVar, LiteralT

from pegcp.modelling import Board, Formulation, Jump, Problem, Value, by_hole, by_step
from pegcp.modelling.clauses import begins_at_start, ends_in_goal
from pegcp.theory.regions import crossed, least_moves, opened

BACKENDS = ("cp-sat",)
GOALS = ("exact", "one-peg", "partial")
OBJECTIVES = ("any", "fewest-moves")
HORIZON = "fewest-moves"


def refuse(problem: Problem) -> str | None:
    """A line is used once in a move because no peg lands in a hole that it has jumped over: not so on some graphs."""
    hole = crossed(problem.board)
    return None if hole is None else f"on this board a peg may land in {hole} after jumping over it"


def horizons(problem: Problem) -> Iterable[int]:
    """The numbers of moves that a solution can have."""
    return range(least_moves(problem), problem.jump_counts[-1] + 1)


def build(problem: Problem, horizon: int, *, regions: bool = True, order: bool = True) -> Formulation[CpModel]:
    """Is there a solution of exactly ``horizon`` moves?

    ``regions`` adds the implied constraints, ``order`` puts moves in order.
    """
    T = horizon
    model = CpModel()
    x = Variables(model, problem.board, T)
    for t in range(T):
        one_round_trip(model, x, t)
        pegs_before_and_after(model, x, t)
    counts = problem.jump_counts
    model.add_linear_constraint(sum(m for row in x.made for m in row), counts[0], counts[-1])
    begins_at_start(model, problem, x.peg[0])
    ends_in_goal(model, problem, x.peg[T])
    for region in opened(problem) if regions else []:
        model.add_bool_or(x.begins[t][h] for t in range(T) for h in x.H if region >> h & 1)
    for t in range(T - 1) if order else []:
        in_order(model, x, t)

    return Formulation(model, x.played, made=by_step(problem.board, x.made), peg=by_hole(problem.board, x.peg))


class Variables:
    """The variables above; ``follow[i]`` are the jumps (j, k) of ``then[t][i]``."""

    def __init__(self, model: CpModel, board: Board, T: int) -> None:
        def literals(name: str, labels: Sequence[str], steps: int = T) -> list[list[IntVar]]:
            return [[model.new_bool_var(f"{name}_t{t:02}_{label}") for label in labels] for t in range(steps)]

        jumps = self.jumps = board.jumps
        self.holes, self.T = board.holes, T
        self.J, self.H = range(len(jumps)), range(len(board.holes))
        names = ["_".join(board.jump_names(jump)) for jump in jumps]
        self.follow = [
            (j, k) for j in self.J for k in self.J if jumps[j].to == jumps[k].from_ and jumps[j].over != jumps[k].over
        ]
        self.peg = literals("peg", board.holes, T + 1)
        self.made, self.first, self.last = literals("made", names), literals("first", names), literals("last", names)
        self.begins, self.ends = literals("begins", board.holes), literals("ends", board.holes)
        self.then = literals("then", [f"{names[j]}_{names[k]}" for j, k in self.follow])

    def played(self, value: Value) -> list[Jump]:
        """The jumps of all moves, each from its first jump along ``then``."""
        found = []
        for t in range(self.T):
            follower = {j: k for literal, (j, k) in zip(self.then[t], self.follow, strict=True) if value(literal)}
            j: int | None = next(j for j in self.J if value(self.first[t][j]))
            while j is not None:
                found.append(self.jumps[j])
                j = follower.get(j)
        return found


def one_round_trip(model: CpModel, x: Variables, t: int) -> None:
    """The jumps of move t, one after the other, are a circuit through 0; it begins and ends once."""
    arcs: list[tuple[int, int, LiteralT]] = [(0, j + 1, x.first[t][j]) for j in x.J]
    arcs += [(j + 1, 0, x.last[t][j]) for j in x.J]
    arcs += [(j + 1, j + 1, ~x.made[t][j]) for j in x.J]
    arcs += [(j + 1, k + 1, x.then[t][i]) for i, (j, k) in enumerate(x.follow)]
    if arcs:  # on a board without jumps none can be the first, as it must be one
        model.add_circuit(arcs)
    model.add_exactly_one(x.first[t])
    model.add_exactly_one(x.last[t])
    model.add_exactly_one(x.begins[t])
    model.add_exactly_one(x.ends[t])


def pegs_before_and_after(model: CpModel, x: Variables, t: int) -> None:
    """What move t needs and does, hole by hole; and the next move does not go on with its peg."""
    before, after = x.peg[t], x.peg[t + 1]
    for j, jump in enumerate(x.jumps):
        model.add_implication(x.first[t][j], x.begins[t][jump.from_])
        model.add_implication(x.last[t][j], x.ends[t][jump.to])
        model.add_bool_and(before[jump.over], ~after[jump.over]).only_enforce_if(x.made[t][j])
        model.add_bool_or(~x.made[t][j], ~before[jump.to], x.begins[t][jump.to])
        model.add_bool_or(~x.made[t][j], ~after[jump.from_], x.ends[t][jump.from_])
    for h in x.H:
        over = [x.made[t][j] for j in x.J if x.jumps[j].over == h]
        model.add_at_most_one(over)
        model.add_implication(x.begins[t][h], before[h])
        model.add_implication(x.ends[t][h], after[h])
        model.add_bool_or(~x.begins[t][h], x.ends[t][h], ~after[h])
        model.add_bool_or(~before[h], after[h], x.begins[t][h], *over)
        model.add_bool_or(before[h], ~after[h], x.ends[t][h])
        if t + 1 < x.T:
            model.add_implication(x.ends[t][h], ~x.begins[t + 1][h])


def in_order(model: CpModel, x: Variables, t: int) -> None:
    """Moves t and t+1 meet in a hole, or begin in rising holes."""
    meet = [model.new_bool_var(f"meet_t{t:02}_{h}") for h in x.holes]
    for h in x.H:
        for step in (t, t + 1):
            model.add_bool_or(~meet[h], *(x.made[step][j] for j in x.J if h in x.jumps[j]))
        for g in range(h + 1, len(x.H)):
            model.add_bool_or(~x.begins[t][g], ~x.begins[t + 1][h], *meet)
