"""Winnable sets against exhaustion and published counts; their files; the command next."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from asking import masks
from click.testing import CliRunner, Result

import pegcp
from pegcp.api import next_jumps
from pegcp.cli.main import cli
from pegcp.errors import InputError
from pegcp.game.board import Jump
from pegcp.game.goal import Objective
from pegcp.game.position import Position
from pegcp.game.problem import Problem
from pegcp.game.replay import check
from pegcp.method import Run
from pegcp.play import advice as asked
from pegcp.states import winnable as tables
from pegcp.states.winnable import BadTable, build, read, table_path, winnable, write

DATA = Path(__file__).parent / "data"


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Tables go to a folder of the test; machine code stays where it is."""
    monkeypatch.setattr(tables, "cache_folder", lambda: tmp_path / "cache")


def reachable(problem: Problem, position: int) -> set[int]:
    found = {position}
    queue = [position]
    for p in queue:
        for jump in problem.board.jumps:
            if jump.is_legal(p) and p ^ jump.mask not in found:
                found.add(p ^ jump.mask)
                queue.append(p ^ jump.mask)
    return found


@pytest.mark.usefixtures("kernel")
def test_winnable_sets_against_exhaustion(tmp_path: Path, random_problem: Callable[[int], Problem]) -> None:
    lengths = set()
    for seed in range(25):
        problem = random_problem(seed)

        @cache
        def solvable(position: int, problem: Problem = problem) -> bool:
            return problem.is_goal(position) or any(
                solvable(position ^ jump.mask) for jump in problem.board.jumps if jump.is_legal(position)
            )

        made = build(problem, Run())
        write(made, tmp_path / "table")
        for table in (made, read(problem, tmp_path / "table")):
            positions = reachable(problem, problem.start.mask)
            for position in positions:
                assert (position in table) == solvable(position), seed
                solution = table.solution(position)
                assert (solution is not None) == solvable(position)
                if solution is not None:
                    check(replace(problem, start=Position(problem.board, position)), solution)
            if problem.goal.kind != "dead-end":
                winning = {made.classes.canonical(p) for p in positions if solvable(p)}
                assert len(table) == len(winning)
                for pegs in range(len(problem.board.holes) + 1):
                    level = set(masks(table.level(pegs)))
                    assert level == {p for p in winning if p.bit_count() == pegs}
        lengths.add(len(made))
    assert len(lengths) > 5


@pytest.mark.thorough
def test_english_winnable_classes() -> None:
    problem = pegcp.problem("english")
    published = json.loads((DATA / "published_counts.json").read_text())["english33_center"]
    table = winnable(problem, Run())
    counts = [len(table.level(32 - made)) for made in range(32)]
    assert counts == published["winning_positions_per_jump_mod_symmetry"] or (
        counts[:31] == published["winning_positions_per_jump_mod_symmetry"][:31]
    )
    assert sum(counts) == len(table) == 1_679_072
    assert table_path(problem).exists()
    assert len(winnable(replace(problem, objective=Objective.COUNT), Run())) == 1_679_072  # from the file
    # The one way to lose at once: six jumps to a dead end, and how many of them must be taken back.
    fools = pegcp.solve("english:d4!", "bfs").jumps
    assert fools is not None
    back = next_jumps(problem, fools).taken_back
    assert back
    assert next_jumps(problem, fools[: len(fools) - back]).solvable
    assert not next_jumps(problem, fools[: len(fools) - back + 1]).solvable


@pytest.mark.parametrize("flaw", ["empty", "before", "cut", "flipped", "foreign", "folder", "pipe"])
def test_bad_files_are_refused_and_made_again(flaw: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tables, "_KEPT", 1)
    problem = pegcp.problem("triangle15:a1->?")
    path = table_path(problem)
    size = len(winnable(problem, Run()))
    text = path.read_bytes()
    path.unlink()
    reasons = {
        "empty": "damaged",
        "before": "damaged",
        "cut": "damaged",
        "flipped": "damaged",
        "foreign": "another problem",
        "folder": "directory",
        "pipe": "not a regular file",
    }
    if flaw == "folder":
        path.mkdir()
    elif flaw == "pipe":
        os.mkfifo(path)
    elif flaw == "foreign":
        other = pegcp.problem("triangle15:a2->?")
        winnable(other, Run())
        path.write_bytes(table_path(other).read_bytes())
    else:
        middle = len(text) // 2
        flipped = text[:middle] + bytes([text[middle] ^ 1]) + text[middle + 1 :]
        path.write_bytes({"empty": b"", "before": b"x" * 40 + text[40:], "cut": text[:-1], "flipped": flipped}[flaw])
        with pytest.raises(BadTable, match=reasons[flaw]):
            read(problem, path)
    said: list[str] = []
    again = winnable(problem, Run(report=lambda progress: said.append(str(progress.get("log", "")))))
    assert len(again) == size
    assert any(reasons[flaw] in line for line in said)
    if flaw not in ("folder", "pipe"):  # which stay
        assert path.read_bytes() == text
        assert [file.name for file in path.parent.glob(f"{path.name}?*")] == []


def test_no_bit_of_a_file_can_change_what_it_says(tmp_path: Path) -> None:
    problem, path = pegcp.problem("triangle6:a1->?"), tmp_path / "table"
    made = build(problem, Run())
    write(made, path)
    text, refused = path.read_bytes(), 0
    for place in range(len(text)):
        path.write_bytes(text[:place] + bytes([text[place] ^ 1 << place % 8]) + text[place + 1 :])
        try:
            assert read(problem, path).levels == made.levels
        except (BadTable, OSError):
            refused += 1
    assert refused > len(text) / 2


@pytest.mark.parametrize(
    ("sizes", "positions"),
    [
        (np.zeros(3, np.int64), np.zeros(3, np.uint64)),
        (np.zeros((1, 2)), np.zeros(0, np.uint64)),
        (np.array([[14, -1], [3, 5]]), np.zeros(4, np.uint64)),
        (np.array([[14, 99]]), np.zeros(1, np.uint64)),
        (np.array([[14, 1]]), np.zeros((1, 2), np.uint64)),
        (np.array([[14, 1]]), np.array(["d4"])),
    ],
)
def test_levels_of_other_sizes_than_the_file_says(sizes: Any, positions: Any, tmp_path: Path) -> None:
    problem, path = pegcp.problem("triangle15"), tmp_path / "table.npz"
    write(build(problem, Run()), path)
    with np.load(path) as found:
        described = found["problem"]
    with path.open("wb") as file:
        np.savez(file, problem=described, sizes=sizes, positions=positions)
    with pytest.raises(BadTable, match="damaged"):
        read(problem, path)


def test_a_full_disk_costs_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tables, "_KEPT", 1)

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.replace", full)
    said: list[str] = []
    problem = pegcp.problem("triangle15:a1->?")
    table = winnable(problem, Run(report=lambda progress: said.append(str(progress.get("log", "")))))
    assert problem.start.mask in table
    assert "No space left" in "".join(said)
    assert list(table_path(problem).parent.iterdir()) == []


@pytest.mark.thorough
def test_several_processes_make_the_same_table(tmp_path: Path) -> None:
    text = (
        "import pegcp; from pegcp.method import Run; from pegcp.states import winnable as w; w._KEPT = 1\n"
        "for _ in range(3):\n"
        "    t = w.winnable(pegcp.problem('triangle15:a1->?'), Run())\n"
        "    assert len(t) == 390\n"
        "    w.write(t, w.table_path(t.problem))\n"
    )
    command, own = [sys.executable, "-c", text], {**os.environ, "XDG_CACHE_HOME": str(tmp_path)}
    processes = [subprocess.Popen(command, env=own, stderr=subprocess.PIPE) for _ in "123"]
    assert [process.communicate()[1] for process in processes] == [b"", b"", b""]
    assert len(list((tmp_path / "pegcp" / "winnable").iterdir())) == 1


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
    assert found.taken_back == next((back for back, p in enumerate(reversed(positions)) if wins(p)), None), seed
    return found.solvable is False


def test_advice_against_exhaustion(random_problem: Callable[[int], Problem]) -> None:
    assert {as_advised(seed, random_problem(seed)) for seed in range(60)} == {True, False}


@pytest.mark.thorough
@pytest.mark.parametrize("how", ["beams", "tables"])
def test_advice_of_each_kind_against_exhaustion(
    how: str, random_problem: Callable[[int], Problem], monkeypatch: pytest.MonkeyPatch
) -> None:
    seeds = range(100, 200)
    if how == "tables":
        monkeypatch.setattr(asked, "_QUICK", 0.0)
    for seed in seeds:
        as_advised(seed, random_problem(seed))


@pytest.mark.parametrize(
    ("goal", "after", "back"), [("c1 d1", "a1-c1 d1-b1", 1), ("a1 b1 d1", "a1-c1", 1), ("c1 d1", "a1-c1", 0)]
)
def test_a_goal_that_was_left_again(goal: str, after: str, back: int) -> None:
    assert next_jumps(pegcp.problem("XXoX", goal=goal), after).taken_back == back


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
