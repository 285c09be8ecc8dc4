"""A solution that a solver begins with, better and better solutions, and ending a run from outside."""

import threading

import pytest

import pegcp
from pegcp.backends.info import Ability
from pegcp.backends.inventory import infos
from pegcp.game import jump_name
from pegcp.method import Limits
from pegcp.running.task import make_task

CROSS = pegcp.problem("cross")


def other_solution() -> pegcp.Result:
    return pegcp.solve(CROSS, "dfs")


@pytest.mark.thorough
def test_a_hint_is_a_result_or_jumps_or_their_names() -> None:
    hint = other_solution()
    assert hint.jumps is not None
    for given in (hint, hint.jumps, " ".join(hint.moves or [])):
        task = make_task(CROSS, "rounds", Limits(), hint=given)
        assert task.parameters["hint"] == " ".join(jump_name(CROSS.board, jump) for jump in hint.jumps)


@pytest.mark.thorough
@pytest.mark.parametrize("method", [pytest.param("rounds", marks=pytest.mark.long), "ip-state"])
def test_a_hint_is_found_again(method: str) -> None:
    result = pegcp.solve(CROSS, method, hint=other_solution(), workers=1)
    assert result.answered
    assert method == "rounds" or result.statistics.get("conflicts", 0) == 0


def test_every_backend_that_takes_a_hint_says_so() -> None:
    names = {info.name for info in infos() if Ability.HINTS in info.abilities}
    assert names == {"cp-sat", "highs", "scip", "cp-sat-mathopt"}


@pytest.mark.thorough
def test_the_beginning_of_a_solution_is_a_hint_and_impossible_jumps_are_none() -> None:
    jumps = other_solution().jumps or ()
    assert pegcp.solve(CROSS, "moves", hint=jumps[:2]).answered
    assert [result.method for result in pegcp.improve(CROSS, hint=jumps[:2])] == ["moves"]
    with pytest.raises(pegcp.InputError, match="impossible"):
        pegcp.solve(CROSS, "rounds", hint=[*jumps, *jumps])


@pytest.mark.thorough
def test_better_solutions_come_one_by_one() -> None:
    problem = pegcp.problem("english", goal="near c1 d1 e1 a3 a4 a5")
    results = list(pegcp.improve(problem, time_limit=60))
    values = [result.objective for result in results if result.objective is not None]
    assert len(results) > 1
    assert values == sorted(values, reverse=True)
    assert all(result.replay is not None for result in results)
    assert results[-1].status is pegcp.Status.OPTIMAL
    with pytest.raises(pegcp.InputError, match="nosuch"):
        next(pegcp.improve(problem, "nosuch"))


def test_whoever_stops_asking_stops_the_run() -> None:
    interrupter = threading.Event()
    result = pegcp.solve(
        "csplib:fools-c2", "fools", interrupter=interrupter, on_progress=lambda _: interrupter.set(), time_limit=60
    )
    assert result.reason is pegcp.Reason.INTERRUPTED


def test_what_is_wrong_is_said_at_once() -> None:
    for ask in (pegcp.solve, pegcp.improve):
        with pytest.raises(pegcp.InputError, match=r"must be a threading\.Event, not 5"):
            ask(CROSS, interrupter=5)  # type: ignore[arg-type]
    with pytest.raises(pegcp.InputError, match="unknown board"):
        pegcp.improve("nix")
    elsewhere = pegcp.solve("XoXX", "dfs")
    with pytest.raises(pegcp.InputError, match="on another board than cross"):
        pegcp.solve(CROSS, "moves", hint=elsewhere)
    with pytest.raises(pegcp.InputError, match="on another board than cross"):
        pegcp.why(CROSS, "moves", elsewhere)
