"""Every method, with every combination of its options, against brute force on random small problems.

A block is a seed of Hypothesis and so many problems; its number runs it again (``-m slow -k block-17``). A failure
prints the shrunk problem as a problem file, with the combination of options.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from itertools import product

import pytest
from hypothesis import given, seed
from hypothesis import strategies as st
from parts import need

import pegcp
from pegcp.catalogue.methods import bundled
from pegcp.game import DeadEnd, Exact, Goal, Objective, OnePeg, Position, Problem
from pegcp.method import Limits, Run

from .brute_force import Game
from .campaign import SECONDS, Campaign, examples, in_child
from .combinations import Combination, ask, combinations, one_by_one, usual
from .faults import unfinished, untrue
from .problems import GRAPHS, on_graph, problems

LEAST = 1  # times that every combination is asked in a block


def examine(block: int, count: int, campaign: Campaign) -> None:
    @seed(block)
    @examples(count)
    @given(problems(), st.integers(0, 9), st.sampled_from((1, 1, 1, 2)))
    def answers_are_true(problem: Problem, seed: int, workers: int) -> None:
        campaign.put(problem, seed, workers)

    answers_are_true()
    assert len(campaign.seen) == count


def in_this_process() -> list[Combination]:
    """Without planners, which take most of the time, and with one horizon less."""
    return [c for c in combinations() if not c.planner and c.option("horizon") != 3]


Record = Callable[[str, object], None]


def block_is_true(block: int, count: int, campaign: Campaign, record_property: Record) -> None:
    examine(block, count, campaign)
    record_property("in full", campaign.report())
    rare = [c.text for c in campaign.combinations if campaign.asked[c.text] < LEAST]
    assert not rare, f"asked less than {LEAST} times: {rare}"


@pytest.mark.long
@pytest.mark.timeout(900)
def test_20_problems(record_property: Record) -> None:
    """A sample of combinations; the slow tier asks each of them."""
    campaign = Campaign(in_this_process(), each=11)
    examine(1, 20, campaign)
    record_property("in full", campaign.report())


@pytest.mark.slow
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("block", [pytest.param(n, id=f"block-{n}") for n in range(2, 12)])
def test_20_000_problems(block: int, record_property: Record) -> None:
    block_is_true(block, 2_000, Campaign(combinations(), each=1), record_property)


@pytest.mark.thorough
@pytest.mark.parametrize("name", [pytest.param("ip1", marks=pytest.mark.long), "fewest-moves", "pyperplan"])
def test_in_child_processes(name: str) -> None:
    """A sample through the runner: the problem as text, the answer as JSON."""
    combination = next(c for c in combinations() if c.method.name == name)
    for problem in (
        pegcp.problem("triangle10:a2->?", objective="count"),
        pegcp.problem("triangle10:a2->?", objective="fewest-moves"),
        pegcp.problem("triangle10:a1!"),
        pegcp.problem("triangle10:a1->?"),
    ):
        if combination.takes(problem):
            game = Game(problem)
            truth = game.truth()
            said = in_child(combination, problem, Run(Limits(time=60)))
            assert not [*untrue(problem, game, truth, said), *unfinished(problem, truth, said)]
            return
    raise AssertionError(f"{name} takes none of these problems")


@pytest.mark.long
def test_graphs_with_many_symmetries() -> None:
    """The searches that use symmetries, on graphs of which some have too many to list them all."""
    searches = [c for c in combinations() if c.option("symmetry") or c.method.name == "fewest-moves"]
    searches = [c for c in searches if c.searches and c.method.name not in ("beam", "budget")]
    goals: tuple[Goal, ...] = (OnePeg(), DeadEnd(), Exact(1))
    chance = random.Random(0)
    for board, goal in product(map(on_graph, GRAPHS), goals):
        start = chance.choice([board.full & ~1, chance.randrange(1, board.full)])
        problem = Problem(board, Position(board, start), goal)
        game = Game(problem)
        truth = game.truth()
        objectives = [objective for objective in Objective if objective is not Objective.NEAREST]
        for combination, objective in product(chance.sample(searches, len(searches) // 4), objectives):
            asked = replace(problem, objective=objective)
            if combination.takes(asked):
                said = ask(combination, asked, Run())
                faults = [*untrue(asked, game, truth, said), *unfinished(asked, truth, said)]
                assert not faults, (combination.text, asked.text, truth)


@pytest.mark.slow
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("name", [name for name, method in bundled().items() if method.path is not None])
def test_random_positions(name: str, random_problem: Callable[[int], Problem]) -> None:
    """Each option and each solver of a method, on random positions of boards of up to 14 holes."""
    method = bundled()[name]
    asked = [*one_by_one(name), *(usual(f"{name}:{backend}") for backend in method.backends[1:])]
    need(*(backend for backend in method.backends if backend is not None))
    objectives = [Objective(objective) for objective in method.objectives if objective != Objective.NEAREST]
    askings = Counter[str]()
    for number in range(70):
        problem = replace(random_problem(number), objective=objectives[number % len(objectives)])
        game = Game(problem)
        truth = game.truth()
        for combination in asked:
            if combination.takes(problem) and not combination.too_long(problem, truth):
                said = ask(combination, problem, Run(Limits(time=SECONDS, workers=1)))
                faults = [*untrue(problem, game, truth, said), *unfinished(problem, truth, said)]
                assert not faults, (combination.text, problem.text, truth)
                askings[combination.text] += 1
    assert all(askings[combination.text] for combination in asked)
