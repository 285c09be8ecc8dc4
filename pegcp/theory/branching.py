"""Looking for the cases of :mod:`pegcp.theory.whole`: linear programs say where to split and how the rows add up.

In each case a linear program looks for the numbers that come closest to the rows. If they do not come close enough, its
dual values say how often to take each row. If a count is not whole, the case is split there. If all are, the jumps are
made in all orders; where that does not lead to the goal, some jump was possible that was used up, and one of these must
be made more often: a case for each of them, and one more in which the jumps run out.
"""

from __future__ import annotations

from fractions import Fraction
from math import lcm

from ortools.math_opt.python import mathopt

from pegcp.method import Run
from pegcp.theory.whole import MOST_POSITIONS, Counts, Limits, Node, Split, Stuck, Sum

_NONE = 1e-6
_DENOMINATORS = (6, 60, 1000, 10**5, 10**7)


class _Givenup(Exception):
    """There is a solution, or the search takes too long."""


def cases(counts: Counts, run: Run, programs: int) -> list[Node] | None:
    """A tree of cases that settles a problem; None if there is a solution, or if none was found within the time and so
    many linear programs."""
    try:
        return _Branching(counts, run, programs).tree(counts.limits())
    except _Givenup:
        return None


class _Branching:
    """A linear program whose limits are changed from case to case."""

    def __init__(self, counts: Counts, run: Run, programs: int) -> None:
        self.counts, self.run, self.left = counts, run, programs
        self.positions = MOST_POSITIONS
        self.model = mathopt.Model()
        self.numbers = [self.model.add_variable(lb=low, ub=high) for low, high in counts.limits()]
        changes: list[mathopt.Variable] = []
        self.rows = []
        for row in counts.rows:
            less = self.model.add_variable(lb=0)
            changes.append(less)
            terms = mathopt.fast_sum(one * self.numbers[number] for number, one in row.terms.items()) - less
            if row.exact:
                changes.append(self.model.add_variable(lb=0))
                self.rows.append(self.model.add_linear_constraint(terms + changes[-1] == row.value))
            else:
                self.rows.append(self.model.add_linear_constraint(terms <= row.value))
        self.model.minimize(mathopt.fast_sum(changes))
        self.solver = mathopt.IncrementalSolver(self.model, mathopt.SolverType.GLOP)

    def tree(self, limits: Limits) -> list[Node]:
        """The cases within the limits. Raises _Givenup."""
        open_ = [limits]
        found: list[Node] = []
        while open_:
            if self.left <= 0 or self.run.remaining <= 0:
                raise _Givenup
            limits = open_.pop()
            nodes, more = self.settle(limits)
            found += nodes
            open_ += more
        return found

    def settle(self, limits: Limits) -> tuple[list[Node], list[Limits]]:
        """Nodes for a case, and the cases that they leave, the last one to come first."""
        values, duals = self.solved(limits)
        if duals is not None:
            return [duals], []
        assert values is not None
        jumps = len(self.counts.problem.board.jumps)
        for first, last in ((jumps, len(values)), (0, jumps)):  # where the last pegs are decides most
            broken, number = max((abs(values[i] - round(values[i])), i) for i in range(first, last))
            if broken > _NONE:
                split = Split(number, int(values[number]))
                return [split], _halves(limits, split)
        most = [round(value) for value in values[:jumps]]
        played = self.counts.play(most, self.positions)
        if played is None:
            raise _Givenup
        self.positions -= played.positions
        nodes: list[Node] = []
        more: list[Limits] = []
        for j in sorted(played.missed):
            if limits[j][1] <= most[j]:
                continue
            split = Split(j, most[j])
            other, limits = _halves(limits, split)
            nodes.append(split)
            more.append(other)
        return [*nodes, Stuck()], more

    def solved(self, limits: Limits) -> tuple[list[float] | None, Sum | None]:
        """The numbers that the rows allow; or how they add up to a contradiction. Raises _Givenup."""
        self.left -= 1
        for variable, (low, high) in zip(self.numbers, limits, strict=True):
            variable.lower_bound, variable.upper_bound = low, high
        try:
            result = self.solver.solve()
        except RuntimeError:
            raise _Givenup from None
        if result.termination.reason is not mathopt.TerminationReason.OPTIMAL:
            raise _Givenup
        if result.objective_value() <= _NONE:
            return result.variable_values(self.numbers), None
        duals = result.dual_values(self.rows)
        for limit in _DENOMINATORS:
            exact = [Fraction(value).limit_denominator(limit) for value in duals]
            factor = lcm(*(value.denominator for value in exact))
            for sign in (1, -1):
                times = {i: sign * int(factor * value) for i, value in enumerate(exact) if value}
                if self.counts.contradict(limits, times):
                    return None, Sum(times)
        raise _Givenup


def _halves(limits: Limits, split: Split) -> list[Limits]:
    """The limits of the case with more, and of that with less."""
    more, less = list(limits), list(limits)
    least, largest = limits[split.number]
    more[split.number], less[split.number] = (split.most + 1, largest), (least, split.most)
    return [more, less]
