"""An example of a model of one's own: CP-SAT with pegs only, jumps as tables of three holes before and after.

Variables    peg[t, h] = 1 iff hole h holds a peg before step t;  line[t] = the line along which step t jumps
Constraints  the three holes of line[t] change from 110 to 001 or from 011 to 100; all other holes stay as they are
"""

from ortools.sat.python.cp_model import CpModel

from pegcp.modelling import Formulation, Jump, Problem, Value
from pegcp.modelling.clauses import begins_at_start, ends_in_goal

BACKENDS = ("cp-sat",)
GOALS = ("exact",)
OBJECTIVES = ("any",)


def build(problem: Problem) -> Formulation[CpModel]:
    """The model of a problem with an exact goal."""
    board, T = problem.board, problem.lengths[-1]
    model = CpModel()
    peg = [[model.new_bool_var(f"peg_t{t:02}_{h}") for h in board.holes] for t in range(T + 1)]
    along = [[model.new_bool_var(f"line_t{t:02}_{i}") for i in range(len(board.lines))] for t in range(T)]

    for t in range(T):
        model.add_exactly_one(along[t])
        for chosen, (a, over, b) in zip(along[t], board.lines, strict=True):
            holes = [peg[t][a], peg[t][over], peg[t][b], peg[t + 1][a], peg[t + 1][over], peg[t + 1][b]]
            model.add_allowed_assignments(holes, [(1, 1, 0, 0, 0, 1), (0, 1, 1, 1, 0, 0)]).only_enforce_if(chosen)
        for h in range(len(board.holes)):
            touching = [chosen for chosen, line in zip(along[t], board.lines, strict=True) if h in line]
            model.add(peg[t][h] == peg[t + 1][h]).only_enforce_if(*(~chosen for chosen in touching))
    begins_at_start(model, problem, peg[0])
    ends_in_goal(model, problem, peg[T])

    def jumps(value: Value) -> list[Jump]:
        made = []
        for t in range(T):
            a, over, b = next(line for chosen, line in zip(along[t], board.lines, strict=True) if value(chosen))
            made.append(Jump(a, over, b) if value(peg[t][a]) else Jump(b, over, a))
        return made

    return Formulation(model, jumps)
