"""Every method on boards of four or five holes: it refuses what its header leaves out, and the rest it answers truly.

There is every kind of goal with every objective, a goal out of reach, and a board without a jump, where the start is
the goal or nothing is. The random problems of :mod:`test_against_brute_force` are larger and have fewer of each.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from itertools import product

import pytest
from asking import answer
from parts import need

import pegcp
from pegcp.backends.planners import shipped
from pegcp.catalogue.methods import bundled
from pegcp.game import (
    GOAL_KINDS,
    Board,
    DeadEnd,
    Exact,
    Goal,
    Nearest,
    Objective,
    OnePeg,
    Partial,
    Position,
    Problem,
    graph_board,
)
from pegcp.method import Limits, Reason, Run, Status

from .brute_force import Game, Truth
from .combinations import Combination, ask, one_by_one, usual
from .faults import unfinished, untrue

LINE, CYCLE = pegcp.board("line4"), pegcp.board("cycle5")
APART = graph_board(list("abcd"), [("a", "b"), ("c", "d")], "apart")  # no jump
METHODS = [name for name, method in bundled().items() if method.path is not None]
# MiniZinc is a process for each problem.
IN_PROCESS = [
    pytest.param(name, marks=pytest.mark.thorough if bundled()[name].backends == ("minizinc",) else ())
    for name in METHODS
]
PLANNERS = [*shipped()]
SELECTIVE = ("long-hop", "smt-sweep")  # they refuse some boards, whatever their headers say


def goals(board: Board) -> tuple[Goal, ...]:
    """One of each kind."""
    third, second = min(0b100, board.full), 0b10 & board.full
    return OnePeg(), Exact(third), Partial(third), DeadEnd(), Nearest(second, (1,) * len(board.holes))


def problems(board: Board, start: int, *more: Goal) -> Iterator[Problem]:
    """Every kind of goal with every objective, and some more goals."""
    for goal, objective in [*product(goals(board), Objective), *((goal, Objective.ANY) for goal in more)]:
        if objective is not Objective.NEAREST or isinstance(goal, Nearest):
            yield Problem(board, Position(board, start), goal, objective, f"{board.name} {start:b} {goal} {objective}")


def on_the_line() -> list[Problem]:
    return [*problems(LINE, 0b1101, Exact(0b10), Partial(0b10, 0b100))]


def paired(method: str, asked: Iterable[Problem]) -> list[Problem]:
    """Of the problems that a method takes those with a start, a kind of goal or an objective for the first time."""
    seen: set[object] = set()
    taken = [problem for problem in asked if not bundled()[method].refusal(problem)]
    return [p for p in taken if len(seen) < len(seen := seen | {p.start, p.goal.kind, p.objective})]


def without_a_jump() -> list[Problem]:
    return [*problems(APART, 0b100, Exact(0)), *problems(APART, 0b110)]


def elsewhere() -> list[Problem]:
    """More starts and boards."""
    square, hole = pegcp.board("square2"), pegcp.board("line1")
    found = [*problems(CYCLE, 0b1101, Exact(0b10)), *problems(square, 0, Exact(0)), *problems(square, square.full)]
    return [*found, *problems(hole, 1, Exact(0))]


@cache
def known(problem: Problem) -> tuple[Game, Truth]:
    game = Game(problem)
    return game, game.truth()


def examine(combination: Combination, asked: list[Problem]) -> None:
    method = combination.method
    need(*([combination.chosen.backend] if combination.chosen.backend else []))
    answered = 0
    for problem in asked:
        goal, objective = problem.goal.kind, problem.objective.value
        taken = goal in method.goals and objective in method.objectives and (goal, objective) not in method.without
        refusal, (game, truth) = method.refusal(problem), known(problem)
        if not refusal and combination.too_long(problem, truth):
            continue
        said = ask(combination, problem, Run(Limits(time=60, workers=1)))
        about = combination.text, problem.name, said.result.message
        if not refusal:
            assert taken, about
            assert not [*untrue(problem, game, truth, said), *unfinished(problem, truth, said)], about
            answered += said.result.answered
        else:
            assert not taken or method.name in SELECTIVE, about
            assert (said.result.status, said.result.reason) == (Status.UNKNOWN, Reason.UNSUPPORTED), about
            assert said.result.message.startswith(refusal), about
    assert answered or method.name in ("certificate", *SELECTIVE)


def test_every_kind_of_goal_is_tried() -> None:
    assert {goal.kind for goal in goals(LINE)} == GOAL_KINDS


@pytest.mark.parametrize("name", IN_PROCESS)
def test_a_method_answers_what_it_takes_and_refuses_the_rest(name: str) -> None:
    examine(usual(name), on_the_line())


@pytest.mark.parametrize("name", IN_PROCESS)
def test_a_board_without_a_jump(name: str) -> None:
    examine(usual(name), paired(name, without_a_jump()))


@pytest.mark.thorough
@pytest.mark.usefixtures("own_folder")
@pytest.mark.parametrize("name", [name for name in PLANNERS if name not in ("planner", "tamer")])
def test_a_planner_answers_what_it_takes_and_refuses_the_rest(name: str) -> None:
    """But Tamer, which seldom ends: the slow blocks ask it. Java starts slowly, and so does SymK."""
    step = 3 if name.startswith("enhsp") or name == "symk" else 2
    refused = [problem for problem in on_the_line() if bundled()[name].refusal(problem)]
    examine(usual(name), [*paired(name, on_the_line())[::step], *refused])


@pytest.mark.thorough
@pytest.mark.parametrize("crossed", [False, pytest.param(True, marks=pytest.mark.slow)], ids=["paired", "crossed"])
@pytest.mark.parametrize("name", METHODS)
def test_each_option_of_a_method(name: str, crossed: bool) -> None:
    """Some problems for each option, of every kind of goal and with every objective; all of them are slow."""
    some = [*on_the_line()[::2], *without_a_jump()[1::5]]
    assert {problem.objective for problem in some} == set(Objective)
    assert {problem.goal.kind for problem in some} == GOAL_KINDS
    for combination in one_by_one(name):
        if not combination.may_give_up or name == "certificate":
            examine(combination, some if crossed else paired(name, some))
    others = [*elsewhere(), *without_a_jump()]
    examine(usual(name), others if crossed else paired(name, others))


HORIZONS = {
    "long-hop": False,
    "parallel": False,
    "rounds": True,
    "ip1": False,
    "ip-state": False,
    "ip-parallel": True,
}


@pytest.mark.parametrize("method", HORIZONS)
def test_a_given_horizon_where_no_step_is_possible(method: str) -> None:
    """Steps may be empty (True), or each must have a jump."""
    problem = pegcp.problem("square2", start="a1 b1", goal="a1 *")
    result = answer(problem, f"{method}:horizon=2")
    assert result.reason is Reason.COMPLETED
    assert (result.jumps == ()) == HORIZONS[method]
    assert result.jumps == () or "horizon 2" in result.message


def test_the_certificate_without_jumps_says_so() -> None:
    problem = pegcp.problem("square2", start="a1 b1", goal="one peg")
    for method in ("bfs", "beam", "bidirectional", "budget", "dfs-plain"):
        assert answer(problem, method).certificate == {"kind": "dead-end"}
