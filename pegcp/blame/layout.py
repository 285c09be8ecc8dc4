"""The jumps of a solution on the steps of a model: the representative that the order of the model asks for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from pegcp.game.board import Jump
from pegcp.game.problem import Problem

Steps = list[list[Jump]]  # the jumps of each step


def layouts(
    problem: Problem, jumps: Sequence[Jump], made: Sequence[Mapping[Jump, Any]], single: bool
) -> Iterator[Steps]:
    """Yield ways to place a solution, or an image of it, on the steps of a model, the most usual first.

    ``made`` has the variables of each step in its order; ``single``: a step has one jump. An order comes first that
    is the least of all that independent jumps allow, of the least image; then the jumps as they are.
    """
    number = {jump: j for j, jump in enumerate(dict.fromkeys(jump for step in made for jump in step))}
    in_rounds = list(made[0]) != list(problem.board.jumps) if made else False
    images = [[Jump(*(symmetry[hole] for hole in jump)) for jump in jumps] for symmetry in problem.symmetries()]
    least = (_least(image, number) for image in images)
    sequences = {
        tuple(order): None for order in sorted(least, key=lambda order: [number.get(jump, -1) for jump in order])
    }
    for order in sequences:
        if single and len(order) <= len(made):
            yield [[jump] for jump in order] + [[] for _ in made[len(order) :]]
        if (steps := _earliest(order, made, in_rounds)) is not None:
            yield steps
            yield steps if in_rounds else _spread(steps)
    if single and len(jumps) <= len(made):
        yield [[jump] for jump in jumps] + [[] for _ in made[len(jumps) :]]


def _least(jumps: Sequence[Jump], number: Mapping[Jump, int]) -> list[Jump]:
    """The least order by these numbers that changes places of independent jumps only."""
    rest, order = list(jumps), list[Jump]()
    while rest:
        free = [i for i, jump in enumerate(rest) if all(jump.independent_of(before) for before in rest[:i])]
        order.append(rest.pop(min(free, key=lambda i: number.get(rest[i], -1))))
    return order


def _earliest(jumps: Sequence[Jump], made: Sequence[Mapping[Jump, Any]], together: bool) -> Steps | None:
    """Each jump in the earliest step that is possible; ``together``: with jumps before it that it depends on, if it
    comes later in the order of the step. None if there are too few steps."""
    orders = [{jump: i for i, jump in enumerate(step)} for step in made]
    steps: Steps = [[] for _ in made]
    for jump in jumps:
        first = 0
        for t, step in enumerate(steps):
            before = [other for other in step if not jump.independent_of(other)]
            if before:
                later = together and jump in orders[t] and all(orders[t][other] < orders[t][jump] for other in before)
                first = t if later else t + 1
        place = next((t for t in range(first, len(made)) if jump in orders[t]), None)
        if place is None:
            return None
        steps[place] = sorted([*steps[place], jump], key=orders[place].__getitem__)
    return steps


def _spread(steps: Steps) -> Steps:
    """The same jumps with no step empty, if there are enough: steps with several jumps are split."""
    filled = [step for step in steps if step]
    while len(filled) < len(steps) and any(len(step) > 1 for step in filled):
        t = max(t for t, step in enumerate(filled) if len(step) > 1)
        filled[t : t + 1] = [filled[t][:-1], filled[t][-1:]]
    return filled + [[] for _ in steps[len(filled) :]]
