"""The searches: verdicts on boards with known answers, shortest solutions, hash tables, levels on both kernels."""

from __future__ import annotations

import json
import random
import re
import subprocess
import sys
from itertools import product
from pathlib import Path

import pytest
from asking import answer

import pegcp
from pegcp.catalogue.choice import choose
from pegcp.catalogue.methods import bundled
from pegcp.errors import InputError
from pegcp.game import Problem
from pegcp.method import Limits, Reason, Run, Status
from pegcp.search import bfs
from pegcp.states import levels
from pegcp.states.hash_tables import ChainedTable, DoubleTable, next_prime
from pegcp.states.levels import Levels

DATA = Path(__file__).parent / "data"
LESSON = ("dfs-plain", "dfs-chained", "dfs-double")
SEARCHES = (*LESSON, "bfs", "bidirectional", "beam", "budget", "dfs")
ONE_LINE = re.compile(r"0*(1|110|11(01)*(11)*01|11(01)*00(11)*(10)*11|11(01)*1101(11)*(10)*11)0*")
SHEET = {
    "2 3 4 9 10 14 15 16 17 19 20 21": False,
    "2 3 4 9 10 14 15 16 17 19": True,
}
TWENTY = "3 4 9 15 16 17 19 20 22 23 25 26 27 30 31 33 34 38 45 46"


def twenty(last: int) -> Problem:
    hole = {4: "e1", 22: "b4", 24: "d4", 25: "e4", 46: "e7"}[last]
    found = pegcp.problem(TWENTY)
    return pegcp.problem("english", start=" ".join(found.start.pegs), goal=hole)


@pytest.mark.parametrize(
    "method", [pytest.param(method, marks=pytest.mark.thorough if method == "budget" else ()) for method in SEARCHES]
)
@pytest.mark.parametrize("numbers", SHEET)
def test_lab_boards(method: str, numbers: str) -> None:
    result = answer(pegcp.problem(numbers), method)
    assert result.status is (Status.SOLVED if SHEET[numbers] else Status.INFEASIBLE)


PLAIN = (*LESSON, "dfs", "bfs", "bidirectional", "count")
WITHOUT_LIBRARIES = """
import sys
blocked = ("numpy numba llvmlite psutil networkx ortools scipy fcntl resource").split()
sys.modules.update(dict.fromkeys(blocked))
import pegcp
from pegcp.catalogue.choice import choose
from pegcp.method import Run
for method in sys.argv[1:]:
    objective = "count" if method == "count" else "any"
    print(choose(method).run(pegcp.problem("triangle10:a2->b2", objective=objective), Run()).status)
"""


def test_plain_searches_run_without_large_libraries() -> None:
    command = [sys.executable, "-c", WITHOUT_LIBRARIES, *PLAIN]
    ended = subprocess.run(command, capture_output=True, text=True, check=False)
    assert ended.stdout.split() == ["SOLVED"] * (len(PLAIN) - 1) + ["OPTIMAL"], ended.stderr


@pytest.mark.long
@pytest.mark.parametrize("method", ["dfs-double", "beam", "budget"])
def test_twenty_pegs(method: str) -> None:
    assert answer(pegcp.problem(TWENTY), method).status is Status.SOLVED


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("last", "method", "status"),
    [
        (25, "bidirectional", "SOLVED"),
        (46, "dfs-double", "SOLVED"),
        (22, "bidirectional", "INFEASIBLE"),
        (24, "budget", "INFEASIBLE"),
    ],
)
def test_twenty_pegs_towards(last: int, method: str, status: str) -> None:
    assert answer(twenty(last), method).status == status


@pytest.mark.slow
def test_twenty_pegs_towards_22_by_every_table() -> None:
    for method in ("budget", "dfs-chained", "dfs-double", "bfs:symmetry=off"):
        result = answer(twenty(22), method, 200)
        assert result.status is Status.INFEASIBLE
        if method != "budget":
            assert result.statistics["nodes"] in (941_383, 941_382)  # all positions, with or without the start


@pytest.mark.parametrize(
    "holes", [5, pytest.param(7, marks=pytest.mark.thorough), pytest.param(9, marks=pytest.mark.slow)]
)
def test_all_lines(holes: int) -> None:
    for marks in product("oX", repeat=holes):
        text = "".join(marks)
        digits = text.replace("o", "0").replace("X", "1")
        if "1" not in digits:
            continue
        expected = bool(ONE_LINE.fullmatch(digits) or ONE_LINE.fullmatch(digits[::-1]))
        result = answer(pegcp.problem(text), "bfs")
        assert (result.status is Status.SOLVED) == expected, text
        assert result.status is (Status.SOLVED if expected else Status.INFEASIBLE)


LINES = ("X", "XXo", "XXX", "XoXX", "XXXX", "XXoXo", "XXoXXo", "XXoXoXXX", "XXoXXXoX", "XXXXoXXXXo")


@pytest.mark.thorough
@pytest.mark.parametrize("hole", ["a2", "b3"])
def test_triangle_from_each_start_class(hole: str) -> None:
    problem = pegcp.problem(f"triangle15:{hole}->?")
    for method in SEARCHES:
        assert answer(problem, method).status is Status.SOLVED, method


@pytest.mark.parametrize(("hole", "jumps"), [("a1", 6), ("a2", 6), ("a3", 7), ("b3", 4)])
def test_triangle_shortest_dead_ends(hole: str, jumps: int) -> None:
    result = answer(pegcp.problem(f"triangle15:{hole}!"), "bfs")
    assert (result.status, result.objective, result.bound) == (Status.OPTIMAL, jumps, jumps)


@pytest.mark.parametrize(("hole", "jumps"), [("d1", 6), ("d4", 6)])
def test_english_shortest_dead_ends(hole: str, jumps: int) -> None:
    assert answer(pegcp.problem(f"english:{hole}!"), "bfs").objective == jumps


@pytest.mark.long
def test_puzzles_agree_with_exhaustion() -> None:
    english = pegcp.board("english")
    assert english.cells is not None
    name = {cell: english.holes[i] for i, cell in enumerate(english.cells)}
    for puzzle in json.loads((DATA / "english_puzzles.json").read_text()):
        if len(puzzle["pegs"]) > 5:
            continue
        start = " ".join(name[r, c] for r, c in puzzle["pegs"])
        problem = pegcp.problem("english", start=start, goal=name[puzzle["target"][0], puzzle["target"][1]])
        for method in ("budget", "bfs", "dfs-double"):
            assert answer(problem, method).status == ("SOLVED" if puzzle["solvable"] else "INFEASIBLE"), puzzle["id"]


@pytest.mark.parametrize(
    ("method", "name"),
    [("dfs-plain", "french:d4->?"), ("dfs-double", "french:d4->?"), ("bfs", "french:d4->?"), ("beam", "cross2")],
)
def test_time_limit(method: str, name: str) -> None:
    result = answer(pegcp.problem(name), method, 0.1)
    assert (result.status, result.reason) == (Status.UNKNOWN, Reason.TIME)


def test_bfs_bound_when_stopped_after_the_last_level(monkeypatch: pytest.MonkeyPatch) -> None:
    def too_late(*_: object) -> None:
        raise TimeoutError

    monkeypatch.setattr(Levels, "trace", too_late)
    result = bfs.search(pegcp.problem("english:d4!"), Run())
    assert (result.reason, result.bound) == (Reason.TIME, 6)


def test_bfs_bounds_when_stopped() -> None:
    result = answer(pegcp.problem("french:d4!"), "bfs", 0.2)
    assert result.status is Status.UNKNOWN or result.objective == 10
    assert result.bound is not None
    assert result.bound >= 2


def test_english_centre_by_beam() -> None:
    assert answer(pegcp.problem("english"), "beam").status is Status.SOLVED


@pytest.mark.parametrize(
    "name", ["square12:c3->?", "square9:e5", "wiegleb:e1->?", "diamond:e3->?", "army4", "pattern0", "fig10"]
)
def test_beam_on_large_boards_armies_and_from_behind(name: str) -> None:
    result = answer(pegcp.problem(name), "beam")
    assert result.status is Status.SOLVED
    assert result.statistics["width"] < 1000


def test_beam_wide_enough_is_a_proof() -> None:
    unsolvable = pegcp.problem("english", start="d1 e1 d2 e2 d3 e3", goal="one peg")
    result = answer(unsolvable, "beam:width=1")
    assert result.status is answer(unsolvable, "bfs").status is Status.INFEASIBLE


def test_boards_of_more_than_64_holes() -> None:
    problem = pegcp.problem("square9", start="a1 b1 d1 e1 g1 h1 i9 h9", goal="one peg")
    assert {answer(problem, method).status for method in ("bfs", "bidirectional", "dfs-double", "budget")} == {
        Status.INFEASIBLE
    }
    assert answer(pegcp.problem("square9", start="a1 b1 d1 e1", goal="one peg"), "bfs").status is Status.INFEASIBLE
    assert answer(pegcp.problem("square9", start="i9 h9 f9", goal="one peg"), "bfs").status is Status.SOLVED


@pytest.mark.thorough
def test_boards_with_very_many_symmetries() -> None:
    edges = " ".join(f"v{a}-v{b}" for a in range(6) for b in range(a))
    from pegcp.formats.toml import read_board

    board = read_board(f'edges = "{edges}"', "complete6", "complete6")
    from pegcp.library.lookup import read_compact

    problem = read_compact(board, "v1->?", "complete6")
    assert board.symmetries.order == 720
    for method in ("bfs", "bidirectional", "beam", "budget"):
        assert answer(problem, method).status is Status.SOLVED


@pytest.mark.parametrize("kind", [ChainedTable, DoubleTable])
def test_hash_tables(kind: type[ChainedTable] | type[DoubleTable]) -> None:
    table = kind(5)
    chance = random.Random(1)
    keys = {chance.getrandbits(40) for _ in range(5000)} | {0}
    for key in keys:
        assert key not in table
        table.add(key)
    assert all(key in table for key in keys)
    assert not any(key in table for key in range(1, 1000) if key not in keys)
    counts = table.statistics()
    assert counts["stored"] == len(keys)
    assert 0 < counts["load_factor"] <= table.full
    assert counts["collisions"] > 0
    assert counts["probes"] >= len(keys)


def test_where_all_solutions_are_equally_long_any_solution_has_the_fewest_jumps() -> None:
    problem = pegcp.problem("triangle10:a2->b2", objective="fewest-jumps")
    result = answer(problem, "bidirectional")
    assert (result.status, result.objective, result.bound) == (Status.OPTIMAL, 8, 8)


def test_next_prime() -> None:
    assert [next_prime(n) for n in (0, 5, 6, 8, 90, 1009, 1010)] == [5, 5, 7, 11, 97, 1009, 1013]


@pytest.mark.thorough
def test_a_dead_end_two_jumps_ahead_where_memory_is_short(monkeypatch: pytest.MonkeyPatch) -> None:
    """Levels from more positions than ``most`` cannot be made: what is known then, against the whole search."""
    problem = pegcp.problem("english:c1!")
    from pegcp.states.array_level import ArrayLevel

    monkeypatch.setattr(levels, "ARRAY_POSITIONS", 1)
    sizes = [1]
    level = Levels(problem).first()
    while len(sizes) < 9:
        level = level.after()
        sizes.append(len(level))
    after = ArrayLevel.after
    bounds = []
    for jumps in range(4, 9):

        def some(self: ArrayLevel, most: int = sizes[jumps] - 1) -> ArrayLevel:
            if len(self) > most:
                raise MemoryError
            return after(self)

        with monkeypatch.context() as patched:
            patched.setattr(ArrayLevel, "after", some)
            patched.setattr(bfs, "_PART_POSITIONS", 1 + sizes[jumps] // 7)
            answer = bfs.search(problem, Run(Limits(time=60, workers=1)))
        bounds.append((answer.bound, answer.status is Status.OPTIMAL))
        if answer.status is Status.OPTIMAL:
            assert answer.jumps is not None
            assert pegcp.check(problem, answer.jumps).value == 9
        else:
            assert (answer.status, answer.reason) == (Status.UNKNOWN, Reason.MEMORY)
    assert bounds == [(7, False), (8, False), (9, False), (9, True), (9, True)]


@pytest.mark.parametrize("table", ["none", "chained", "double"])
def test_an_alias_of_dfs_is_dfs_with_another_table(table: str) -> None:
    """It makes the same jumps; what the name implies is no option of it."""
    alias = "dfs-plain" if table == "none" else f"dfs-{table}"
    problem = pegcp.problem("triangle10:a2->c3")
    short, long = (answer(problem, method) for method in (alias, f"dfs:table={table}:symmetry=off"))
    assert short.status is long.status is Status.INFEASIBLE
    for name in ("nodes", "stored", "probes", "collisions"):
        assert short.statistics.get(name) == long.statistics.get(name)
    assert ("stored" in short.statistics) == (table != "none")
    assert f"dfs:table={table}" in bundled()[alias].summary
    with pytest.raises(InputError, match="table"):
        choose(f"{alias}:table=set")


@pytest.mark.parametrize("table", ["chained", "double"])
def test_hash_tables_hold_the_same_positions_as_a_set(table: str) -> None:
    problem = pegcp.problem("triangle10:a2->c3")
    results = [answer(problem, f"dfs:table={name}") for name in ("set", f"{table}:size=7")]
    assert len({(result.status, result.statistics["nodes"], result.statistics["stored"]) for result in results}) == 1
