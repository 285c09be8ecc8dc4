"""All solutions, listed: by every method the same, each replayed, none twice, and whether they are all."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import combinations, permutations
from pathlib import Path
from typing import Any

import pytest
from asking import typed
from parts import need

import pegcp
from pegcp.catalogue.choice import choose
from pegcp.errors import InputError
from pegcp.game import Exact, Jump, Objective, OnePeg, Position, Problem, graph_board
from pegcp.game.equivalence import SEQUENCES, UP_TO_ORDER, UP_TO_SYMMETRY, representative
from pegcp.method import Answer, Limits, Listing, Reason, Run, Status, Wishes
from pegcp.results.judge import judge_answer
from pegcp.results.result import Result
from pegcp.running import host
from pegcp.running.messages import Reply
from pegcp.search.count import solutions
from pegcp.states.solution_numbers import SolutionNumbers

METHODS = {  # what each lists
    "count": SEQUENCES,
    "moves:order=off": SEQUENCES,
    "moves": UP_TO_ORDER,
    "rounds": UP_TO_ORDER,
    "constraint": SEQUENCES,
    "constraint-replay": SEQUENCES,
    "asp-rounds": UP_TO_ORDER,
    "sat-moves": SEQUENCES,
    "sat-rounds": UP_TO_ORDER,
}
COMPLETE = graph_board("abcde", combinations("abcde", 2))
PROBLEMS = {
    "line": pegcp.problem("XXoXoX"),
    "none": pegcp.problem("XXXXX"),
    "no jump": pegcp.problem("X"),
    "lengths": pegcp.problem("rectangle3x3", start="a1 b1 a2 b2 c2", goal="c1 *"),
    "many": pegcp.problem("square4", start="a1 b1 b2 c2 d3 b3", goal="one peg"),
    # Two jumps may empty and fill the same holes: each of two neighbours over the other into a third one.
    "triangles": Problem(COMPLETE, Position(COMPLETE, 0b00011), OnePeg()),
}


def listed(name: str, method: str, most: int = 10_000, up_to: str = "") -> Result:
    """The checked list of a method, made in this process."""
    problem = replace(PROBLEMS[name], objective=Objective.COUNT)
    run = Run(Limits(time=20, workers=1), wishes=Wishes(listing=Listing(most, up_to)))
    return judge_answer(problem, method, choose(method).run(problem, run))


@pytest.mark.parametrize("method", METHODS)
def test_every_method_lists_the_same(method: str) -> None:
    backend = choose(method).backend
    need(*([backend] if backend else []))
    for name in PROBLEMS:
        found, oracle = listed(name, method), listed(name, "count")
        notion = METHODS[method]
        assert found.status is oracle.status, (name, found)
        assert found.counted == (notion if found.jumps is not None else "")
        assert set(found.solutions) == {representative(found.problem, s, notion) for s in oracle.solutions}, name
        assert len(found.solutions) == found.objective


@pytest.mark.usefixtures("kernel")
@pytest.mark.parametrize("name", PROBLEMS)
def test_numbers_up_to_order_and_symmetry_are_those_of_lists(name: str) -> None:
    problem = replace(PROBLEMS[name], objective=Objective.COUNT)
    for up_to in ("", "order", "symmetry"):
        assert solutions(problem, Run(), up_to) == len(listed(name, "count", up_to=up_to).solutions)


@pytest.mark.usefixtures("kernel")
@pytest.mark.parametrize("ordered", [False, True])
def test_the_solutions_of_all_ranks(ordered: bool) -> None:
    numbers = SolutionNumbers(PROBLEMS["many"], Run(), ordered=ordered, keep=True)
    total = numbers[PROBLEMS["many"].start.mask]
    assert [numbers.solution(rank) for rank in range(total)] == [
        *listed("many", "count", up_to="order" if ordered else "").solutions
    ]
    with pytest.raises(IndexError):
        numbers.solution(total)


def test_samples() -> None:
    problem = pegcp.problem("triangle15:b3->?", objective="count")  # 12 solutions up to order, 6 of them up to symmetry

    def drawn(most: int, up_to: str, seed: int = 0) -> Answer:
        run = Run(Limits(seed=seed, workers=1), wishes=Wishes(listing=Listing(most, up_to, sample=True)))
        return choose("count").run(problem, run)

    for up_to, number in (("order", 12), ("symmetry", 6)):
        every = drawn(number, up_to)
        assert (every.status, len(set(every.solutions))) == (Status.OPTIMAL, number)
        once = [drawn(1, up_to, seed).solutions[0] for seed in range(20)]
        assert len(set(once)) > number // 2
        assert set(once) <= set(every.solutions)
    assert len(drawn(5, "").solutions) == 5
    with pytest.raises(InputError, match="by the method count"):
        pegcp.solutions("XXoXoX", "moves", sample=True)


def test_up_to_order_and_symmetry() -> None:
    whole = {up_to: listed("many", "count", up_to=up_to) for up_to in ("", "order", "symmetry")}
    assert [found.counted for found in whole.values()] == [SEQUENCES, UP_TO_ORDER, UP_TO_SYMMETRY]
    assert len(whole[""].solutions) > len(whole["order"].solutions) > 0
    for found in whole.values():
        same = {representative(found.problem, s, found.counted) for s in whole[""].solutions}
        assert set(found.solutions) == same
    count = listed("line", "count", up_to="order"), listed("line", "count", up_to="symmetry")
    assert [len(found.solutions) for found in count] == [1, 1]


def on_complete_graph(holes: str) -> Problem:
    """Three pegs, from which one must be left in the first hole."""
    board = graph_board(list(holes), list(combinations(holes, 2)), f"K{len(holes)}")
    return Problem(board, Position(board, 0b1110), Exact(0b1))


def test_no_two_listed_solutions_are_equal_by_one_of_many_symmetries() -> None:
    problem = on_complete_graph("abcdef")
    found = pegcp.solutions(problem, "count", up_to="symmetry")
    images = [p for p in permutations(range(6)) if p[0] == 0 and {p[4], p[5]} == {4, 5}]
    classes = [{tuple(Jump(*(p[hole] for hole in jump)) for jump in jumps) for p in images} for jumps in found]
    assert found.complete
    assert set.union(*classes) == set(pegcp.solutions(problem, "count"))
    assert sum(map(len, classes)) == len(set.union(*classes))


def test_solutions_are_not_listed_up_to_more_symmetries_than_can_be() -> None:
    with pytest.raises(InputError, match="K7"):
        pegcp.solutions(on_complete_graph("abcdefg"), "count", up_to="symmetry")


def test_a_list_that_is_cut_says_so() -> None:
    number = len(listed("many", "count").solutions)
    cut, exact = (listed("many", "count", most) for most in (number - 1, number))
    assert (cut.status, len(cut.solutions), cut.message) == (Status.SOLVED, number - 1, "there are more")
    assert (exact.status, len(exact.solutions)) == (Status.OPTIMAL, number)


@pytest.mark.parametrize("method", ["count", "constraint", "rounds", "sat-rounds", "asp-rounds"])
def test_a_list_without_time_is_no_refutation(method: str) -> None:
    backend = choose(method).backend
    need(*([backend] if backend else []))
    problem = pegcp.problem("triangle15", objective="count")
    answer = choose(method).run(problem, Run(Limits(time=0.0, workers=1), wishes=Wishes(listing=Listing(5))))
    assert answer.status in (Status.UNKNOWN, Status.SOLVED)
    assert answer.reason is Reason.TIME


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (lambda good: (*good, good[0]), "twice"),
        (lambda good: (*good[1:], good[0][::-1]), "of the list"),
        (lambda good: (*good, (Jump(0, 1, 2),)), "not reached"),
        (lambda good: good[1:], "are counted"),
    ],
)
def test_what_is_listed_is_not_believed(change: Any, why: str) -> None:
    good = listed("many", "count")
    wrong = change(good.solutions)
    count = len(good.solutions) if "counted" in why else len(wrong)
    answer = Answer(Status.OPTIMAL, jumps=good.jumps, objective=count, counted=SEQUENCES, solutions=wrong)
    result = judge_answer(good.problem, "m", answer)
    assert result.reason is Reason.INVALID_SOLUTION
    assert why in result.message
    assert not result.solutions
    unordered = replace(answer, counted=UP_TO_ORDER, solutions=good.solutions, objective=len(good.solutions))
    assert judge_answer(good.problem, "m", unordered).reason is Reason.INVALID_SOLUTION


@pytest.mark.parametrize(
    ("up_to", "claimed"), [("", UP_TO_SYMMETRY), ("symmetry", SEQUENCES), ("order", UP_TO_SYMMETRY)]
)
def test_a_notion_that_nobody_asked_for(up_to: str, claimed: str, monkeypatch: pytest.MonkeyPatch) -> None:
    good = listed("line", "count")
    number = {jump: n for n, jump in enumerate(good.problem.board.jumps)}
    answer = Answer(Status.OPTIMAL, jumps=good.solutions[0], objective=1, counted=claimed)
    claim = Reply(answer, [[number[jump] for jump in good.solutions[0]]])
    monkeypatch.setattr(host, "follow", lambda _, take, *__: take(claim))
    found = pegcp.solutions(PROBLEMS["line"], "count", up_to=up_to)
    assert (found.result.reason, len(found)) == (Reason.ERROR, 0)
    assert "not what was asked for" in found.result.message


def test_a_long_list_is_checked_within_the_limit() -> None:
    good = listed("many", "count")
    answer = Answer(
        Status.OPTIMAL, jumps=good.jumps, objective=good.objective, counted=SEQUENCES, solutions=good.solutions
    )
    result = judge_answer(good.problem, "m", answer, Limits(time=-1.0))
    assert (result.status, result.reason) == (Status.UNKNOWN, Reason.TIME)
    assert "only 0 of" in result.message


def test_the_command_and_its_json(tmp_path: Path) -> None:
    shown = typed("solve", "XXoXoX", "--all", "9", "-m", "count")
    about, *lines = json.loads(typed("solve", "XXoXoX", "--all", "9", "-m", "count", "--json"))
    assert (about["solutions"], about["complete"], about["notion"]) == (len(lines), True, SEQUENCES)
    for line in lines:
        pegcp.check("XXoXoX", " ".join(line["solution"]))
    assert "that is all" in shown
    assert "ip1 lists no solutions" in typed("solve", "XXoXoX", "--all", "9", "-m", "ip1", status=2)
    assert "--json" in typed("solve", "XXoXoX", "--all", "9", "-o", tmp_path / "x.svg", status=2)
    assert "count = 1 (up to the order of independent jumps)" in typed("solve", "XXoXoX", "--up-to", "order")
    assert "--sample" in typed("solve", "XXoXoX", "--all", "1", "--sample", "1", status=2)
    for option in (("--all", "9"), ("--up-to", "order")):
        assert "--objective fewest-moves" in typed("solve", "XXoXoX", *option, "--objective", "fewest-moves", status=2)


def test_in_python() -> None:
    found = pegcp.solutions("XXoXoX", "count", up_to="symmetry")
    assert [len(jumps) for jumps in found] == [3]
    assert found.complete
    assert len(pegcp.solutions("triangle10:a2->b2", sample=3)) == 3
    wrongs: list[dict[str, Any]] = [{"up_to": "ordr"}, {"most": 0}, {"sample": 0}, {"method": "ip1"}]
    for wrong in wrongs:
        with pytest.raises(InputError):
            pegcp.solutions("XXoXoX", **wrong)


def test_a_board_with_too_many_symmetries_is_refused_in_words() -> None:
    edges = [("0", "1"), *(("01"[i > 6], str(i)) for i in range(2, 12))]  # two centres with five leaves each
    board = graph_board([str(i) for i in range(12)], edges)
    problem = Problem(board, Position(board, board.full & ~(1 << 7)), OnePeg(), Objective.COUNT)
    answer = choose("count:up_to=symmetry").run(problem, Run())
    assert (answer.status, answer.reason) == (Status.UNKNOWN, Reason.UNSUPPORTED)
    assert "too many symmetries: list or count its solutions up to order" in answer.message
