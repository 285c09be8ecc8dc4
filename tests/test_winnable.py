"""Winnable sets against exhaustion and published counts; the command next."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest
from asking import masks
from click.testing import CliRunner, Result

import pegcp
from pegcp.api import next_jumps
from pegcp.cli.main import cli
from pegcp.errors import InputError
from pegcp.game import Jump, Objective, Position, Problem, replay_solution
from pegcp.method import Run
from pegcp.play import advice as asked
from pegcp.states import winnable as tables
from pegcp.states.winnable import build, winnable

DATA = Path(__file__).parent / "data"


@pytest.fixture(autouse=True)
def no_set_of_another_test(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tables, "_LATEST", [])


def reachable(problem: Problem, position: int) -> set[int]:
    found = {position}
    queue = [position]
    for p in queue:
        for jump in problem.board.jumps:
            if jump.is_legal(p) and p ^ jump.mask not in found:
                found.add(p ^ jump.mask)
                queue.append(p ^ jump.mask)
    return found


def test_winnable_sets_against_exhaustion(kernel: str, random_problem: Callable[[int], Problem]) -> None:
    lengths = set()
    for seed in range(25 if kernel == "lists" else 17):
        problem = random_problem(seed)

        @cache
        def solvable(position: int, problem: Problem = problem) -> bool:
            return problem.is_goal(position) or any(
                solvable(position ^ jump.mask) for jump in problem.board.jumps if jump.is_legal(position)
            )

        table = build(problem, Run())
        positions = reachable(problem, problem.start.mask)
        for position in positions:
            assert (position in table) == solvable(position), seed
            solution = table.solution(position)
            assert (solution is not None) == solvable(position)
            if solution is not None:
                replay_solution(replace(problem, start=Position(problem.board, position)), solution)
        if problem.goal.kind != "dead-end":
            winning = {table.classes.canonical(p) for p in positions if solvable(p)}
            assert len(table) == len(winning)
            for pegs in range(len(problem.board.holes) + 1):
                level = set(masks(table.level(pegs)))
                assert level == {p for p in winning if p.bit_count() == pegs}
        lengths.add(len(table))
    assert len(lengths) > 5


@pytest.mark.long
def test_english_winnable_classes() -> None:
    problem = pegcp.problem("english")
    published = json.loads((DATA / "published_counts.json").read_text())["english33_center"]
    table = winnable(problem, Run())
    counts = [len(table.level(32 - made)) for made in range(32)]
    assert counts == published["winning_positions_per_jump_mod_symmetry"] or (
        counts[:31] == published["winning_positions_per_jump_mod_symmetry"][:31]
    )
    assert sum(counts) == len(table) == 1_679_072
    again = winnable(replace(problem, objective=Objective.COUNT), Run())
    assert all(again.levels[pegs].words is level.words for pegs, level in table.levels.items())  # kept
    fools = pegcp.solve("english:d4!", "bfs").jumps
    assert fools is not None
    assert not next_jumps(problem, fools).solvable


def typed(*arguments: str) -> Result:
    return CliRunner().invoke(cli, ["next", *arguments], standalone_mode=False)


def test_next_command() -> None:
    done = typed("triangle15:a1->?", "--after", "a3-a1", "--json")
    found = json.loads(done.stdout)
    assert set(found) == {"solvable", "jumps"}
    assert found["solvable"] is True
    assert all(set(jump) == {"jump", "solvable"} and len(jump["jump"]) == 3 for jump in found["jumps"])
    assert done.return_value == 0
    assert "The goal can be reached" in typed("triangle15:a1->?").stdout
    assert isinstance(typed("english", "--after", "d2-d4 d2-d4").exception, InputError)
    assert "no jump is possible" in typed("english", "--start", "a3 g5").stdout


def test_next_on_every_goal() -> None:
    for name, solvable in (("english:c1!", True), ("english", True), ("XXoXXoX", False), ("line9:a1->i1", False)):
        found = next_jumps(name, "d2-d4") if name == "english" else next_jumps(name)
        assert found.solvable is solvable, name
    army = pegcp.problem("square5", start="a4 b4 c4 d4 e4 a5 b5 c5 d5 e5", goal="c2 *")
    assert next_jumps(army).solvable
    assert not next_jumps(replace(army, goal=pegcp.problem("square5", goal="a1 *").goal)).solvable


def as_advised(seed: int, problem: Problem) -> bool:
    """Whether the position after some random jumps is lost; all that is advised there is what exhaustion says."""

    @cache
    def wins(position: int) -> bool:
        after = [position ^ jump.mask for jump in problem.board.jumps if jump.is_legal(position)]
        return problem.is_goal(position) or any(map(wins, after))

    choice, made, positions = random.Random(seed), list[Jump](), [problem.start.mask]
    for _ in range(choice.randint(0, 6)):
        legal = [jump for jump in problem.board.jumps if jump.is_legal(positions[-1])]
        if legal:
            made.append(choice.choice(legal))
            positions.append(positions[-1] ^ made[-1].mask)
    position = positions[-1]
    found = next_jumps(problem, made)
    assert found.solvable is wins(position), seed
    legal = [jump for jump in problem.board.jumps if jump.is_legal(position)]
    assert found.jumps == tuple((jump, wins(position ^ jump.mask)) for jump in legal), seed
    return found.solvable is False


def test_advice_against_exhaustion(random_problem: Callable[[int], Problem]) -> None:
    assert {as_advised(seed, random_problem(seed)) for seed in range(60)} == {True, False}


@pytest.mark.thorough
@pytest.mark.parametrize("how", ["beams", "tables"])
def test_advice_of_each_kind_against_exhaustion(
    how: str, random_problem: Callable[[int], Problem], monkeypatch: pytest.MonkeyPatch
) -> None:
    seeds = range(100, 150)
    if how == "tables":
        monkeypatch.setattr(asked, "_QUICK", 0.0)
    for seed in seeds:
        as_advised(seed, random_problem(seed))


def test_a_goal_that_was_left_again_is_out_of_reach() -> None:
    assert next_jumps(pegcp.problem("XXoX", goal="a1 b1 d1"), "a1-c1").solvable is False


def test_next_without_enough_time_or_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(asked, "_QUICK", 0.0)
    found = next_jumps("english", "d2-d4", time_limit=0.001)
    assert found.solvable is None
    assert {solvable for _, solvable in found.jumps} == {None}
    said: list[str] = []
    found = next_jumps("english", memory_limit=1, on_progress=lambda progress: said.append(progress.get("log", "")))
    assert found.solvable is None
    assert "d2-d4" in said[0]  # what is known is told before the table is made


@pytest.mark.thorough
def test_next_without_a_table(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(asked, "within_reach", lambda _: False)
    monkeypatch.setattr(asked, "_QUICK", 0.0)
    assert next_jumps("triangle15:a1->?", time_limit=100).solvable
    assert next_jumps("XXoXXoX", time_limit=100).solvable is False
