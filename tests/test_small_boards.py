"""Boards on which there is little or nothing to play: no jumps, one hole, a start that is the goal."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import pytest
from parts import need

import pegcp
from pegcp.catalogue.methods import bundled, choose
from pegcp.game.board import Board, graph_board
from pegcp.game.goal import DeadEnd, Exact, Goal, Nearest, Objective, OnePeg, Partial
from pegcp.game.position import Position
from pegcp.game.problem import Problem
from pegcp.method import Limits, Method, Reason, Run, Status
from pegcp.result import Result, checked
from pegcp.states.graph import level_counts

IN_PROCESS = [name for name, method in bundled().items() if method.path is not None]
WITHOUT_JUMPS = (pegcp.board("square2"), pegcp.board("line1"), graph_board(list("abcd"), [("a", "b"), ("c", "d")]))


def combinations(name: str) -> list[str]:
    """The method as it is, and with each other choice of one of its options."""
    usual = {True: "on", False: "off"}
    options = bundled()[name].options
    return [
        name,
        *(
            f"{name}:{key}={value}"
            for key, default in options.items()
            for value in _choices(bundled()[name], key)
            if value != usual.get(default, default)
        ),
    ]


def _choices(method: Method, key: str) -> tuple[str, ...]:
    return method.choices.get(key) or (("on", "off") if isinstance(method.options[key], bool) else ())


def answer(method: str, problem: Problem) -> Result:
    return checked(problem, method, choose(method).run(problem, Run(Limits(time=60, workers=1))))


def problems(board: Board, objective: Objective) -> Iterator[Problem]:
    """Starts with no peg, some and all; goals of all kinds, satisfied or not."""
    last = board.full & ~(board.full >> 1)
    goals: list[Goal] = [Exact(0), Exact(1), Exact(board.full), OnePeg(), DeadEnd()]
    goals += [Partial(0), Partial(1), Partial(last), Partial(0, 1), Partial(0, board.full)]
    soft: list[Goal] = [Nearest(pegs, (1,) * len(board.holes)) for pegs in (0, 1, board.full)]
    goals = soft if objective is Objective.NEAREST else goals
    for start, goal in product(sorted({0, 1, 3 & board.full, board.full}), goals):
        yield Problem(board, Position(board, start), goal, objective, f"{board.name} {start:b} {goal}")


@pytest.mark.parametrize("objective", Objective)
@pytest.mark.parametrize("name", IN_PROCESS)
def test_a_board_without_jumps_is_solved_where_the_start_is_the_goal(name: str, objective: Objective) -> None:
    need(*bundled()[name].backends[:1])
    tried = 0
    for board in WITHOUT_JUMPS:
        for problem in problems(board, objective):
            if bundled()[name].refusal(problem) is not None:
                continue
            for method in combinations(name):
                result = answer(method, problem)
                if result.reason is Reason.UNSUPPORTED or "min-conflicts" in method:
                    continue
                tried += 1
                solved = problem.is_goal(problem.start.mask)
                assert result.reason is Reason.COMPLETED, (method, problem.name, result.message)
                if name == "certificate":
                    assert result.status in (Status.UNKNOWN, Status.INFEASIBLE)
                    assert not solved or result.status is Status.UNKNOWN
                    continue
                assert (result.jumps == ()) == solved, (method, problem.name, result.status)
                assert (result.status is Status.INFEASIBLE) == (not solved), (method, problem.name, result.status)
    assert tried or objective.value not in bundled()[name].objectives


@pytest.mark.parametrize("method", combinations("parallel"))
def test_parallel_steps_where_no_step_is_possible(method: str) -> None:
    problem = pegcp.problem("square2", start="a1 b1", goal="a1 *")
    assert answer(method, problem).jumps == ()


HORIZONS = {
    "long-hop": False,
    "parallel": False,
    "parallel:early=on": True,
    "rounds": True,
    "ip1": False,
    "ip-state": False,
    "ip-parallel": True,
}


@pytest.mark.parametrize("method", HORIZONS)
def test_a_given_horizon_where_no_step_is_possible(method: str) -> None:
    """Steps may be empty (True), or each must have a jump."""
    problem = pegcp.problem("square2", start="a1 b1", goal="a1 *")
    result = answer(f"{method}:horizon=2", problem)
    assert result.reason is Reason.COMPLETED
    assert (result.jumps == ()) == HORIZONS[method]
    assert result.jumps == () or "horizon 2" in result.message


def test_the_certificate_without_jumps_says_so() -> None:
    problem = pegcp.problem("square2", start="a1 b1", goal="one peg")
    for method in ("bfs", "beam", "bidirectional", "budget", "dfs-plain"):
        assert answer(method, problem).certificate == {"kind": "dead-end"}


def test_the_levels_of_a_board_without_jumps() -> None:
    problem = pegcp.problem("square2", start="a1 b1", goal="one peg")
    assert [counts[:2] for counts in level_counts(problem, Run())] == [(1, 0)]
