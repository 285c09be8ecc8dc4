"""Clauses for SAT solvers, and a step of jumps as clauses: the part that the SAT models share."""

from collections.abc import Sequence

from pegcp.modelling import Board, DeadEnd, OnePeg, Problem
from pegcp.modelling.ordering import touching

Literals = Sequence[int]


class Clauses:
    """A formula in conjunctive normal form over variables with names.

    A literal is the number of a variable, from 1, or minus that number for its negation. ``assumed`` are literals that
    hold in this formula but need not hold in a longer one that begins with the same clauses; a solver can go on from
    one to the other.
    """

    def __init__(self) -> None:
        self.names: list[str] = []
        self.clauses: list[list[int]] = []
        self.assumed: list[int] = []

    def variable(self, name: str) -> int:
        """Return a new variable."""
        self.names.append(name)
        return len(self.names)

    def add(self, *literals: int) -> None:
        """Require that one of the literals is true. Without literals the formula has no solution."""
        if not literals:
            impossible = self.variable("impossible")
            self.clauses += [[impossible], [-impossible]]
        else:
            self.clauses.append(list(literals))

    def implies(self, condition: int, *literals: int) -> None:
        """If the condition is true, all of the literals are."""
        for literal in literals:
            self.add(-condition, literal)

    def at_most_one(self, literals: Sequence[int], about: str) -> None:
        """At most one of the literals is true: a sequential counter (Sinz 2005). ``about`` is a name for its variables.

        ``{about}_upto_{i}`` is true if one of the literals number 0 to i is.
        """
        up_to = 0
        for i, literal in enumerate(literals):
            if i > 0:
                self.add(-up_to, -literal)
            if i < len(literals) - 1:
                before, up_to = up_to, self.variable(f"{about}_upto_{i}")
                self.add(-literal, up_to)
                if i > 0:
                    self.add(-before, up_to)

    def exactly_one(self, literals: Sequence[int], about: str) -> None:
        """Exactly one of the literals is true. ``about`` is a name for the variables that it takes."""
        self.add(*literals)
        self.at_most_one(literals, about)


def step(model: Clauses, board: Board, before: Literals, made: Literals, after: Literals) -> None:
    """Channel the jumps made in a step with the pegs before and after it.

    ``before`` and ``after`` have a literal for each hole (peg or not), ``made`` one for each jump of the board. A jump
    made has its pegs and its vacancy before and the reverse after; a hole that changes is changed by a jump.
    """
    for literal, jump in zip(made, board.jumps, strict=True):
        model.implies(literal, before[jump.from_], before[jump.over], -before[jump.to])
        model.implies(literal, -after[jump.from_], -after[jump.over], after[jump.to])
    takes, lands = touching(board)
    for hole in range(len(board.holes)):
        model.add(-before[hole], after[hole], *(made[j] for j in takes[hole]))
        model.add(before[hole], -after[hole], *(made[j] for j in lands[hole]))


def begins_at_start(model: Clauses, problem: Problem, first: Literals) -> None:
    """Require that the first position (a literal for each hole: peg or not) is the start of the problem."""
    for hole, literal in enumerate(first):
        model.add(literal if problem.start.mask >> hole & 1 else -literal)


def ends_in_goal(model: Clauses, problem: Problem, last: Literals) -> None:
    """Require that the last position (a literal for each hole: peg or not) satisfies the goal of the problem."""
    for hole, literal in enumerate(last):
        if (problem.final_pegs | problem.final_vacancies) >> hole & 1:
            model.add(literal if problem.final_pegs >> hole & 1 else -literal)
    if isinstance(problem.goal, OnePeg):
        model.exactly_one(last, "last")
    elif isinstance(problem.goal, DeadEnd):
        for jump in problem.board.jumps:
            model.add(-last[jump.from_], -last[jump.over], last[jump.to])
