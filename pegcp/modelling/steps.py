"""A solution on the steps of a model: where its jumps go."""

from collections.abc import Mapping, Sequence
from typing import Any

from pegcp.game.equivalence import UP_TO_SYMMETRY, representative
from pegcp.modelling import Jump, Problem
from pegcp.modelling.formulation import AnyFormulation, Variable

Steps = list[list[Jump]]  # the jumps of each step
Variables = Sequence[Mapping[Any, Variable]]  # of the jumps of each step, in the model's order


def layouts(problem: Problem, jumps: Sequence[Jump], made: Variables, *, is_single: bool) -> list[Steps]:
    """Return ways to place a solution on the steps of a model, the most usual first; none for a model without steps.

    ``made`` has the variables of each step in its order; ``is_single``: a step has one jump. The representative of all
    equal solutions by the order of the model comes first, then the jumps as they are.
    """
    ranks = {jump: j for j, jump in enumerate(dict.fromkeys([*(jump for step in made for jump in step), *jumps]))}
    in_rounds = bool(made) and list(made[0]) != list(problem.board.jumps)
    ways: list[Steps] = []
    for order in (representative(problem, jumps, UP_TO_SYMMETRY, ranks), jumps) if made else ():
        earliest = _earliest(order, made, ranks if in_rounds else {})
        ways += [[[jump] for jump in order]] if is_single else []
        ways += [earliest] if in_rounds else [_spread(earliest, len(made)), earliest]
    return [way + [[]] * (len(made) - len(way)) for way in ways if len(way) <= len(made)]


def _earliest(order: Sequence[Jump], made: Variables, ranks: Mapping[Jump, int]) -> Steps:
    """Return each jump in the earliest step that is possible; with ``ranks`` also after smaller ones in the same
    step."""
    steps: Steps = []
    for jump in order:
        first = 0
        for t, step in enumerate(steps):
            if before := [other for other in step if not jump.independent_of(other)]:
                first = t if ranks and all(ranks[other] < ranks[jump] for other in before) else t + 1
        number = next((t for t in range(first, len(made)) if jump in made[t]), len(made))
        steps += [[] for _ in range(len(steps), number + 1)]
        steps[number].append(jump)
    return steps


def _spread(steps: Steps, number: int) -> Steps:
    """Return the same jumps in this number of steps, none of them empty: the last steps with several jumps are
    split."""
    split_steps = [[*step] for step in steps if step]
    for t in reversed(range(len(split_steps))):
        while len(split_steps[t]) > 1 and len(split_steps) < number:
            split_steps.insert(t + 1, [split_steps[t].pop()])
    return split_steps


def hint_values(problem: Problem, jumps: Sequence[Jump], formulation: AnyFormulation) -> list[tuple[Variable, bool]]:
    """Return the values of the variables of jumps that mean a solution, or the beginning of one, as far as that goes;
    none if the model has no place for it."""
    made = formulation.made
    ways = layouts(problem, jumps, made, is_single=len(made) in problem.lengths) if jumps else []
    steps = ways[0][: 1 + max(t for t, step in enumerate(ways[0]) if step)] if ways else []
    return [(variable, jump in step) for step, row in zip(steps, made, strict=False) for jump, variable in row.items()]
