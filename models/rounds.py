"""Rounds: a round goes once through all jumps in one fixed order, and makes each or leaves it out.

In `parallel` the jumps of a step have no hole in common. Here a step is an exists-step of planning as satisfiability
(Rintanen, Heljanko and Niemela 2006): its jumps need only be possible one after the other, so that half a dozen rounds
are enough for any board tried. The order is fixed beforehand, outermost jumps first: pegs travel inwards in one round.

Variables    made[r, j] = 1 iff jump j is made in round r
             a hole has a literal before the first round, and a new one after each jump that touches it
Constraints  jump made -> pegs before at from and over, none at to;  at each of the three holes, with x before and x'
             after:  from' = from and not made,  over' = over and not made,  not to' = not to and not made
             first literals = start; last literals satisfy the goal
Implied      pagoda: the jumps together lose no more weight than the start has more than the goal (see pegcp.budgets)
Symmetry     early: between a jump and its place in the round before, a jump is made that touches one of its holes; so
             every jump stands as early as it can, and each solution is left once up to the order of independent jumps
Horizon      few rounds are quick to search, and as many rounds as jumps are always enough
"""

from collections.abc import Iterable, Sequence
from itertools import product

from ortools.sat.python.cp_model import CpModel, IntVar

from pegcp.board import Board, Jump
from pegcp.budgets import pagodas
from pegcp.clauses import fix
from pegcp.formulation import Formulation
from pegcp.problem import OnePeg, Problem

BACKENDS = ("cp-sat",)
GOALS = ("exact", "one-peg", "partial")
OBJECTIVES = ("any", "count")


def horizons(problem: Problem) -> Iterable[int]:
    """A few rounds, then more, then as many as jumps."""
    most = problem.jump_counts[-1]
    return sorted({min(rounds, most) for rounds in (6, 9, 14, most)})


def build(problem: Problem, horizon: int, *, pagoda: bool = True, early: bool = True) -> Formulation[CpModel]:
    """The model with ``horizon`` rounds; ``pagoda`` and ``early`` switch the implied constraints.

    With ``early``, solutions are counted up to the order of independent jumps.
    """
    board, jumps = problem.board, outside_in(problem.board)
    slots = list(product(range(horizon), range(len(jumps))))

    model = CpModel()
    peg = [model.new_bool_var(f"start_{hole}") for hole in board.holes]
    fix(model, peg, problem.start.mask, board.full & ~problem.start.mask)
    made: list[IntVar] = []
    touching: list[list[int]] = [[] for _ in board.holes]  # slots of the jumps so far that touch a hole
    for slot, (r, j) in enumerate(slots):
        name = f"r{r:02}_" + "_".join(board.jump_names(jumps[j]))
        made.append(model.new_bool_var(name))
        if early and r:
            since = {other for hole in jumps[j] for other in touching[hole] if other > slot - len(jumps)}
            model.add_bool_or(~made[slot], *(made[other] for other in sorted(since)))
        for hole in jumps[j]:
            touching[hole].append(slot)
            before, peg[hole] = peg[hole], model.new_bool_var(f"{board.holes[hole]}_after_{name}")
            x, after = (~before, ~peg[hole]) if hole == jumps[j].to else (before, peg[hole])
            model.add_bool_and(x, ~after).only_enforce_if(made[slot])
            model.add_implication(after, x)
            model.add_bool_or(after, ~x, made[slot])
    fix(model, peg, problem.final_pegs, problem.final_vacancies)
    if isinstance(problem.goal, OnePeg):
        model.add_exactly_one(peg)
    for weight in pagodas(problem) if pagoda else []:
        costs = [weight.cost(jumps[j]) for _, j in slots]
        model.add(sum(cost * literal for cost, literal in zip(costs, made, strict=True) if cost) <= weight.slack)

    def literals(played: Sequence[Jump]) -> list[IntVar] | None:
        found = slots_in_order(jumps, played)
        return [made[slot] for slot in found] if not found or max(found) < len(slots) else None

    return Formulation(
        model,
        lambda value: [jumps[j] for slot, (_, j) in enumerate(slots) if value(made[slot])],
        literals=literals,
        distinct="up to the order of independent jumps" if early else "",
    )


def outside_in(board: Board) -> list[Jump]:
    """The jumps, those first that begin farthest from the middle of the board."""
    x0, y0 = (sum(axis) / len(board.holes) for axis in zip(*board.places, strict=True))

    def distance(hole: int) -> float:
        x, y = board.places[hole]
        return float(round((x - x0) ** 2 + (y - y0) ** 2, 6))

    return sorted(board.jumps, key=lambda jump: -distance(jump.from_))


def slots_in_order(jumps: Sequence[Jump], played: Sequence[Jump]) -> list[int]:
    """The earliest slots, counted through all rounds, in which jumps played one after the other can stand."""
    latest: dict[int, int] = {}
    found = []
    for jump in played:
        after = max((latest.get(hole, -1) for hole in jump), default=-1)
        slot = after + 1 + (jumps.index(jump) - after - 1) % len(jumps)
        found.append(slot)
        latest |= dict.fromkeys(jump, slot)
    return found
