"""Counting: what is counted is named, 0 is a count, and the start counts where it is the goal."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from parts import need

import pegcp
from pegcp.catalogue.methods import bundled, choose
from pegcp.cli.main import cli
from pegcp.comparison.agreement import disagreements
from pegcp.comparison.store import read_results
from pegcp.errors import InputError
from pegcp.game.board import Jump
from pegcp.game.goal import DeadEnd, Exact, Goal, Objective, OnePeg, Partial
from pegcp.game.position import Position
from pegcp.game.problem import Problem
from pegcp.method import SEQUENCES, Answer, Limits, Reason, Run, Status
from pegcp.modelling.ordering import in_normal_form
from pegcp.result import Result, checked
from pegcp.states.counting import solutions

TRACES = "up to the order of independent jumps"
COUNTING = {
    "count": SEQUENCES,
    "count:up_to_order=on": TRACES,
    "dfs": SEQUENCES,
    "dfs:symmetry=off": SEQUENCES,
    "constraint": SEQUENCES,
    "constraint:bounds=off": SEQUENCES,
    "constraint-replay": SEQUENCES,
    "moves:order=off": SEQUENCES,
    "moves:order=full": TRACES,
    "rounds": TRACES,
    "asp-rounds": TRACES,
}
COUNTERS = sorted(name for name, method in bundled().items() if "count" in method.objectives)


def test_every_method_that_counts_is_tested() -> None:
    assert {method.partition(":")[0] for method in COUNTING} | {"certificate"} == set(COUNTERS)


def answer(method: str, problem: Problem) -> Result:
    backend = choose(method).backend
    need(*([] if backend is None else [backend]))
    return checked(problem, method, choose(method).run(problem, Run(Limits(time=60, workers=1))))


def counts(problem: Problem) -> dict[str, int]:
    """By exhaustion."""
    sequences, forms = 0, set[tuple[Jump, ...]]()
    stack: list[tuple[int, tuple[Jump, ...]]] = [(problem.start.mask, ())]
    while stack:
        position, played = stack.pop()
        if problem.is_goal(position):
            sequences += 1
            forms.add(tuple(in_normal_form(played)))
        stack += [(position ^ jump.mask, (*played, jump)) for jump in problem.board.jumps if jump.is_legal(position)]
    return {SEQUENCES: sequences, TRACES: len(forms)}


def problems() -> Iterator[Problem]:
    for name, starts in (
        ("line5", (0b01011, 0b11011)),
        ("rectangle2x3", (0b011011, 0b1)),
        ("rectangle3x3", (0x1FE, 0x1B)),
    ):
        board = pegcp.board(name)
        for start in (0, *starts):
            goals: list[Goal] = [Exact(start), Exact(1), OnePeg(), DeadEnd(), Partial(start), Partial(0), Partial(0, 1)]
            for goal in goals:
                yield Problem(board, Position(board, start), goal, Objective.COUNT, f"{name} {start:b} {goal}")


@pytest.mark.parametrize("method", COUNTING)
def test_counts_are_those_of_exhaustion_and_say_what_is_counted(method: str) -> None:
    tried = 0
    for problem in problems():
        if choose(method).method.refusal(problem) is None:
            tried += 1
            count = counts(problem)[COUNTING[method]]
            result = answer(method, problem)
            assert result.objective == count, problem.name
            assert result.status is (Status.OPTIMAL if count else Status.INFEASIBLE)
            assert result.counted == (COUNTING[method] if count else "")
    assert tried > 30


def test_counts_by_every_kernel(kernel: str, random_problem: Callable[[int], Problem]) -> None:
    found = set()
    for seed in range(100):
        problem = random_problem(seed)
        if len(problem.start) <= 7 and len(problem.board.jumps) <= 30:
            count = counts(problem)
            numbers = {
                SEQUENCES: solutions(problem, Run(Limits(workers=2))),
                TRACES: solutions(problem, Run(), up_to_order=True),
            }
            assert numbers == count, (seed, kernel)
            found.add(count[TRACES])
    assert len(found) > 4


@pytest.mark.parametrize("method", [*COUNTING, "certificate"])
def test_a_count_of_0_is_a_count(method: str) -> None:
    impossible = pegcp.problem("XXXXX" if method != "certificate" else "english:c1->e5", objective="count")
    result = answer(method, impossible)
    assert (result.status, result.objective) == (Status.INFEASIBLE, 0)
    assert Result.from_json(json.loads(json.dumps(result.to_json()))) == result


def test_a_count_of_0_through_the_command_line() -> None:
    done = CliRunner().invoke(cli, ["solve", "XXXXX", "--objective", "count", "--json"])
    data = json.loads(done.stdout)
    assert done.exit_code == 0
    assert (data["status"], data["objective"], data["jumps"], data["counted"]) == ("INFEASIBLE", 0, None, None)
    assert "count = 0\n" in CliRunner().invoke(cli, ["solve", "XXXXX", "--objective", "count"]).stdout


def test_lines_of_before_are_read_with_the_count_that_they_mean() -> None:
    result = answer("dfs", pegcp.problem("XXXXX", objective="count"))
    data: dict[str, Any] = {**result.to_json(), "objective": None}
    del data["counted"]
    assert Result.from_json(data) == result
    with pytest.raises(InputError, match="objective 5"):
        Result.from_json({**data, "objective": 5})


def test_what_is_counted_is_shown() -> None:
    run = CliRunner().invoke
    shown = run(cli, ["solve", "XoXX", "--objective", "count", "-m", "moves:order=full"]).stdout
    assert f"count = 1 ({TRACES})" in shown
    data = json.loads(run(cli, ["solve", "XoXX", "--objective", "count", "-m", "dfs", "--json"]).stdout)
    assert (data["objective"], data["counted"]) == (counts(pegcp.problem("XoXX"))[SEQUENCES], SEQUENCES)


def count(
    problem: Problem, method: str, objective: int | None, counted: str, reason: Reason = Reason.COMPLETED
) -> Result:
    """A made-up count, on a problem that has a solution."""
    jumps = answer("dfs", problem).jumps
    status = Status.OPTIMAL if reason is Reason.COMPLETED else Status.SOLVED
    return checked(problem, method, Answer(status, reason, jumps, objective, counted=counted))


def test_only_equal_notions_are_compared(tmp_path: Path) -> None:
    problem = pegcp.problem("XoXX", objective="count")
    one, same, other = (
        count(problem, "a", 2, SEQUENCES),
        count(problem, "b", 2, SEQUENCES),
        count(problem, "c", 1, TRACES),
    )
    wrong, unnamed = count(problem, "d", 3, SEQUENCES), count(problem, "e", 7, "")
    assert not disagreements([one, same, other, unnamed])
    (found,) = disagreements([one, same, other, wrong, unnamed])
    assert found.message == f"a counts 2, b counts 2, d counts 3 {SEQUENCES}"
    assert set(map(id, found.results)) == {id(one), id(same), id(wrong)}
    refuted = checked(problem, "r", Answer(Status.INFEASIBLE))
    assert len(disagreements([other, refuted])) == 1
    # Through result files too.
    file = tmp_path / "results.jsonl"
    file.write_text("".join(json.dumps(result.to_json()) + "\n" for result in (one, other, wrong)))
    results, warnings = read_results([file])
    assert not warnings
    assert len(disagreements(results)) == 1


def test_more_found_before_a_stop_than_there_are() -> None:
    problem = pegcp.problem("XoXX", objective="count")
    whole = count(problem, "whole", 2, SEQUENCES)
    fewer, more = (count(problem, "part", n, SEQUENCES, Reason.TIME) for n in (1, 3))
    assert not disagreements([whole, fewer])
    assert not disagreements([fewer, more])
    assert not disagreements([whole, count(problem, "part", 3, TRACES, Reason.TIME)])
    (found,) = disagreements([whole, more])
    assert found.message == f"part has found 3 {SEQUENCES}, whole counts 2"


@pytest.mark.parametrize("objective", [None, 0, -1, 1.5])
def test_counts_that_cannot_be(objective: float | None) -> None:
    problem = pegcp.problem("XoXX", objective="count")
    jumps = answer("dfs", problem).jumps
    result = checked(problem, "m", Answer(Status.OPTIMAL, jumps=jumps, objective=objective, counted=SEQUENCES))
    assert result.reason is Reason.INVALID_SOLUTION


def test_a_model_that_does_not_say_what_its_solutions_are_is_not_counted(tmp_path: Path) -> None:
    path = tmp_path / "unsaid.py"
    text = (Path(__file__).parent.parent / "models" / "constraint_replay.py").read_text()
    path.write_text(text.replace(', distinct="jump sequences"', ""))
    result = answer(str(path), pegcp.problem("XoXX", objective="count"))
    assert (result.status, result.reason) == (Status.UNKNOWN, Reason.UNSUPPORTED)
