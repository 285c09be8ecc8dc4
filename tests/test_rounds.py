"""Rounds: a fixed order loses nothing, and each solution is left once."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from itertools import islice

import pytest

import pegcp
from pegcp.catalogue import portfolio
from pegcp.catalogue.choice import best_for, choose, choose_for
from pegcp.catalogue.methods import bundled
from pegcp.game import GOAL_KINDS, Board, Exact, Nearest, Objective, Position, Problem, replay_solution
from pegcp.method import OUT_OF_TIME, Answer, Limits, Method, Options, Reason, Run, Status


def answer(method: str, problem: Problem, **about: object) -> Answer:
    found = choose(method).run(problem, Run(Limits(workers=1), **about))  # type: ignore[arg-type]
    if found.jumps is not None:
        replay_solution(problem, found.jumps)
    return found


@dataclass(frozen=True, kw_only=True)
class Scripted(Method):
    """A method that answers as it is told."""

    script: Callable[[Problem], Answer]

    def run(self, problem: Problem, run: Run, options: Options, backend: str | None) -> Answer:  # noqa: ARG002
        return self.script(problem)


def auto_of(scripts: Mapping[str, Callable[..., Answer]]) -> portfolio.Auto:
    """``auto`` with some methods that answer as they are told."""
    takes_all = GOAL_KINDS, frozenset(map(str, Objective))
    return portfolio.auto(
        {**bundled(), **{name: Scripted(name, "", *takes_all, script=scripts[name]) for name in scripts}}
    )


def always(answer: Answer) -> Callable[[Problem], Answer]:
    return lambda _: answer


def one_by_one(problems: list[Problem], answers: list[Answer]) -> Callable[[Problem], Answer]:
    return lambda problem: answers[problems.index(problem)]


def reached(board: Board, start: int, jumps: int) -> set[int]:
    level = {start}
    for _ in range(jumps):
        level = {p ^ jump.mask for p in level for jump in board.jumps if jump.is_legal(p)}
    return level


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("name", "options"),
    [
        pytest.param(name, options, marks=() if name == "triangle10" and options != ":early=off" else pytest.mark.slow)
        for name in ("rectangle3x4", "triangle10", "line9", "cycle6")
        for options in ("", ":pagoda=off", ":early=off", ":pagoda=off:early=off")
    ],
)
def test_no_final_position_is_lost_or_gained(name: str, options: str) -> None:
    board = pegcp.board(name)
    start = Position(board, board.full & ~(1 << 4))
    for depth in (1, 3, 4):
        level = reached(board, start.mask, depth)
        others = (p for p in range(board.full + 1) if p.bit_count() == len(start) - depth and p not in level)
        for position in [*islice(sorted(level), 8), *islice(others, 3)]:
            found = answer(f"rounds{options}", Problem(board, start, Exact(position)))
            assert found.status is (Status.SOLVED if position in level else Status.INFEASIBLE), board.names(position)


@pytest.mark.thorough
@pytest.mark.parametrize(("name", "jumps"), [("rectangle3x4", 6), ("triangle10", 5), ("rectangle3x5", 5)])
def test_early_leaves_each_solution_once_up_to_the_order_of_independent_jumps(name: str, jumps: int) -> None:
    board = pegcp.board(name)
    start = Position(board, board.full & ~1)
    final = max(reached(board, start.mask, jumps))
    problem = Problem(board, start, Exact(final), Objective.COUNT)
    expected = answer("moves", problem).objective
    assert answer("rounds", problem).objective == expected
    assert answer("rounds:pagoda=off", problem).objective == expected


@pytest.mark.thorough
@pytest.mark.parametrize(
    "name", ["english:d1", *(pytest.param(name, marks=pytest.mark.slow) for name in ("wiegleb", "square9:e5"))]
)
def test_boards_that_one_jump_per_step_does_not_reach(name: str) -> None:
    assert answer("rounds", pegcp.problem(name)).status is Status.SOLVED


@pytest.mark.parametrize(
    ("name", "chosen", "status"),
    [
        ("english", "beam", Status.SOLVED),
        ("XXXoXXX", "beam", Status.INFEASIBLE),
        pytest.param("fig7", "benders", Status.INFEASIBLE, marks=pytest.mark.thorough),
        ("triangle15:a1", "beam", Status.SOLVED),
        ("english:d1!", "bfs", Status.OPTIMAL),
    ],
)
def test_the_choice_of_solve(name: str, chosen: str, status: Status) -> None:
    found = choose("auto").run(pegcp.problem(name), Run())
    assert (found.statistics["chosen"], found.status) == (chosen, status)
    assert choose_for(pegcp.problem(name)).text in ("auto", chosen)


@pytest.mark.parametrize(
    ("name", "objective", "chosen", "bound"),
    [
        ("english", "fewest-pegs", "beam", 1),
        ("english", "nearest", "beam", 0),
        ("XXoXX", "fewest-pegs", "bfs", 2),
        ("triangle10:a1", "nearest", "beam", 2),
    ],
)
def test_auto_first_tries_for_the_best_end(name: str, objective: str, chosen: str, bound: int) -> None:
    problem = pegcp.problem(name, objective=objective)
    found = choose("auto").run(problem, Run())
    assert (found.status, found.bound, found.statistics["chosen"]) == (Status.OPTIMAL, bound, chosen)
    assert choose_for(problem).text == "auto"


def test_the_lightest_sets_come_first() -> None:
    weights = (3, 0, 1, 1, 5, 2)
    sets = list(portfolio._lightest_sets(weights))
    totals = [sum(weight for hole, weight in enumerate(weights) if flips >> hole & 1) for _, flips in sets]
    assert [total for total, _ in sets] == totals == sorted(totals)
    assert sorted(flips for _, flips in sets) == [flips for flips in range(64) if not flips & 2]


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("name", "seed", "distance"),
    [
        ("kralenspel", 1, 1),
        pytest.param("diamond32", 2, 2, marks=pytest.mark.slow),
        ("asymmetric", 3, 2),
        pytest.param("diamond", 4, 1, marks=pytest.mark.slow),
    ],
)
def test_auto_finds_the_nearest_end_on_large_boards_at_once(name: str, seed: int, distance: int) -> None:
    """Rounds proves the second optimum in 20 seconds; the others follow from parity, and from one solution each.

    Which of the methods that take turns has the best end first depends on the machine.
    """
    problem, chance = pegcp.problem(name), random.Random(seed)
    target = sum(1 << hole for hole in range(len(problem.board.holes)) if chance.random() < 0.3)
    nearest = replace(problem, goal=Nearest(target, (1,) * len(problem.board.holes)), objective=Objective.NEAREST)
    result = pegcp.solve(nearest, time_limit=10)
    assert result.objective == distance


def test_a_nearest_end_is_the_optimum_only_if_all_nearer_ones_are_ruled_out() -> None:
    problem = pegcp.problem("english", objective="nearest")
    ends = [end for _, end in islice(portfolio.best_ends(problem), 4)]
    reached = Answer(Status.SOLVED, jumps=())
    for first, status in ((Answer(Status.INFEASIBLE), Status.OPTIMAL), (OUT_OF_TIME, Status.SOLVED)):
        answers = [first, Answer(Status.INFEASIBLE), OUT_OF_TIME, reached]
        scripts = {
            "beam": one_by_one(ends, answers),
            "bfs": always(OUT_OF_TIME),
            "rounds": always(OUT_OF_TIME),
        }
        found = auto_of(scripts).run(problem, Run(), {}, None)
        assert (found.status, found.bound) == (status, None if status is Status.SOLVED else 1)


def test_auto_keeps_the_better_of_two_ends() -> None:
    """The beam reaches an end before all nearer ones are ruled out; then rounds finds a worse end, or a better one."""
    problem = pegcp.problem("english", objective="nearest")
    solution = pegcp.solve("english").jumps
    assert solution is not None
    earlier = Answer(Status.SOLVED, Reason.TIME, jumps=solution[:29])
    for jumps, better in ((20, 29), (31, 31)):
        later = Answer(Status.SOLVED, Reason.TIME, jumps=solution[:jumps])
        auto = auto_of({"beam": always(OUT_OF_TIME), "bfs": always(earlier), "rounds": always(later)})
        assert auto.run(problem, Run(), {}, None).jumps == solution[:better]


def test_auto_begins_with_a_beam_for_a_dead_end_in_few_moves_and_keeps_what_it_found() -> None:
    """The stopped search after the beam finds nothing."""
    problem = pegcp.problem("french:d4!", objective="fewest-moves")
    jumps = tuple(problem.board.jumps[:3])
    answers = {
        "beam": Answer(Status.SOLVED, Reason.TIME, jumps=jumps),
        "fewest-moves": Answer(Status.UNKNOWN, Reason.TIME),
    }
    auto = auto_of({"beam": lambda _: answers["beam"], "fewest-moves": lambda _: answers["fewest-moves"]})
    assert choose_for(problem).text == "auto"
    found = auto.run(problem, Run(), {}, None)
    assert (found.status, found.jumps, found.statistics["chosen"]) == (Status.SOLVED, jumps, "beam")
    answers["fewest-moves"] = Answer(Status.OPTIMAL, jumps=jumps[:1])
    found = auto.run(problem, Run(), {}, None)
    assert (found.status, found.jumps, found.statistics["chosen"]) == (Status.OPTIMAL, jumps[:1], "fewest-moves")


def test_auto_stays_within_its_time() -> None:
    found = choose("auto").run(pegcp.problem("fig8"), Run(Limits(time=0.05)))
    assert (found.status, found.reason) == (Status.UNKNOWN, Reason.TIME)


def test_the_default_on_large_boards() -> None:
    assert best_for(pegcp.problem("wiegleb")).method.name == "beam"
    assert best_for(pegcp.problem("english")).method.name == "budget"
    assert best_for(pegcp.problem("triangle15:a1")).method.name == "dfs"
    assert best_for(pegcp.problem("english:c2!")).method.name == "bfs"
    assert best_for(pegcp.problem("french:c2!")).method.name == "fools-counts"


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("hole", "rounds"),
    [
        ("d3", 4),
        *(pytest.param(place, 5, marks=pytest.mark.slow) for place in ("c1", "c2", "d2", "c3")),
        *(pytest.param(place, 6, marks=pytest.mark.slow) for place in ("d1", "d4")),
    ],
)
def test_from_the_bottom_the_fewest_rounds_are_proved(hole: str, rounds: int) -> None:
    """As the SAT solvers and clingo say."""
    answer = choose("rounds:bottom=on").run(pegcp.problem(f"english:{hole}"), Run(Limits(time=100, workers=1)))
    assert answer.status is Status.SOLVED
    assert answer.statistics["horizon"] == rounds
    assert answer.statistics["refuted_horizons"] == list(range(1, rounds))


def test_where_all_solutions_are_equally_long_the_first_is_optimal() -> None:
    problem = pegcp.problem("english", objective="fewest-jumps")
    answer = choose_for(problem).run(problem, Run())
    assert (answer.status, answer.bound) == (Status.OPTIMAL, 31)
