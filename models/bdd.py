"""Decision diagrams: a set of positions is one diagram, and a jump is made in all its positions at once.

A position is the set of its pegs, and a set of positions a family of sets. A zero-suppressed diagram (Minato 1993)
stores the common parts of its sets once, so that millions of positions take thousands of nodes. All reachable positions
are then computed level by level, one for each number of jumps (Burch and others 1990, symbolic model checking).

Variables    one for each hole, in the order of the board: true iff the hole has a peg
Jump         from F over O to D: select the sets with F and O and without D; remove F and O from them, add D
Level        the union, over all jumps, of the previous level after the jump; backwards from the goal, jumps are undone
Goal         the sets with the pegs and without the vacancies of the goal; for a dead end, without those in which a
             jump is possible
"""

from itertools import count, pairwise, takewhile

from oxidd.zbdd import ZBDDFunction as Family
from oxidd.zbdd import ZBDDManager

from pegcp.game import DeadEnd
from pegcp.modelling import Formulation, Jump, Problem, Value
from pegcp.modelling.reachability import Reachability

BACKENDS = ("oxidd",)
GOALS = ("exact", "one-peg", "partial", "dead-end")
OBJECTIVES = ("any", "fewest-jumps")

NODES, CACHE = 1 << 26, 1 << 20  # the most that a run may have; memory is taken as it is needed


def build(problem: Problem) -> Formulation[Reachability[Family]]:
    """Return the start, the jumps and the goal."""
    board = problem.board
    holes = range(len(board.holes))
    manager = ZBDDManager(NODES, CACHE, 1)
    manager.add_vars(len(holes))

    def made(positions: Family, jump: Jump) -> Family:
        return positions.subset1(jump.from_).subset1(jump.over).subset0(jump.to).change(jump.to)

    def undone(positions: Family, jump: Jump) -> Family:
        without = positions.subset1(jump.to).subset0(jump.from_).subset0(jump.over)
        return without.change(jump.from_).change(jump.over)

    def goal(positions: Family) -> Family:
        for h in holes:
            if problem.final_pegs >> h & 1:
                positions = positions.subset1(h).change(h)
            if problem.final_vacancies >> h & 1:
                positions = positions.subset0(h)
        if isinstance(problem.goal, DeadEnd):
            for jump in board.jumps:
                positions = positions - made(positions, jump).change(jump.to).change(jump.from_).change(jump.over)
        return positions

    def position(pegs: int) -> Family:
        one = manager.base()
        for h in holes:
            one = one.change(h) if pegs >> h & 1 else one
        return one

    def every(pegs: int) -> Family:
        """Return all positions with so many pegs."""
        families = [manager.base(), *[manager.empty()] * pegs]
        for h in reversed(holes):
            families = [manager.base(), *(more | fewer.change(h) for fewer, more in pairwise(families))]
        return families[pegs]

    def jumps(value: Value) -> list[Jump]:
        positions = list(takewhile(lambda position: position is not None, map(value, count())))
        flips = {(jump.mask, jump.needs): jump for jump in board.jumps}
        return [flips[p ^ q, p & ~q] for p, q in pairwise(positions)]

    model = Reachability(position, every, made, undone, goal)
    return Formulation(model, jumps)
