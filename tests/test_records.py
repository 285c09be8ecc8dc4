"""What docs/records.md tells: the data are those whose checksums are told, and rows of each file hold again."""

from __future__ import annotations

import hashlib
import json
import lzma
import os
import subprocess
import sys
from functools import cache
from importlib import import_module
from itertools import pairwise, product
from pathlib import Path
from typing import Any

import pytest
from asking import answer
from parts import need

import pegcp
from pegcp.game import DeadEnd, Jump, Position, Problem, graph_board, group_moves
from pegcp.method import Run
from pegcp.search.count import solutions
from pegcp.states.graph import level_counts

RECORDS = Path(__file__).parent.parent / "examples" / "records"
SUMS = [line.split() for line in (RECORDS / "SHA256SUMS").read_text().splitlines()]


def rows(name: str) -> list[dict[str, Any]]:
    """A file of records, a line for each."""
    return [json.loads(line) for line in (RECORDS / name).read_text().splitlines()]


def test_checksums_of_all_files_of_data() -> None:
    assert {name for _, name in SUMS} == {path.name for path in RECORDS.glob("*.json*")}
    for told, name in SUMS:
        assert hashlib.sha256((RECORDS / name).read_bytes()).hexdigest() == told, name


def test_numbers_of_solutions() -> None:
    told = {row["problem"]: row["solutions"] for row in rows("solutions.jsonl")}
    for name in ("triangle15:a1->c5", "triangle15:b3->b3"):
        assert solutions(pegcp.problem(name), Run()) == told[name]
    # Published for one peg anywhere; the last peg can be in two holes of a4's kind.
    assert told["triangle15:a1->a1"] + 2 * told["triangle15:a1->a4"] + told["triangle15:a1->c5"] == 29_760
    assert told["english:d4->d4"] == 40_861_647_040_079_968
    ordered = {row["problem"]: row["up to order"] for row in rows("solutions.jsonl") if "up to order" in row}
    # The four first jumps from d4 are images of each other, and lead to where the only one from d1 leads.
    assert ordered["english:d4->d4"] == 8_126_848 == 4 * ordered["english:d1->d4"] == 4 * ordered["english:d4->d1"]
    # Played backwards on complements, the first vacancy and the last peg change places.
    for one, other in (("c1->f4", "d2->a5"), ("c1->c4", "d3->a3"), ("c2->c5", "c3->f3"), ("d2->d5", "d3->d6")):
        pairs = f"english:{one}", f"english:{other}"
        assert told[pairs[0]] == told[pairs[1]]
        assert len({ordered[pair] for pair in pairs if pair in ordered}) <= 1
    for one, other in (("c1->b4", "d2->a3"), ("c1->e4", "d3->a5"), ("d2->d3", "d3->d2")):
        assert told[f"french:{one}"] == told[f"french:{other}"]


def test_numbers_up_to_order_of_the_program_without_pegcp_are_the_same() -> None:
    ordered = {row["problem"]: row["up to order"] for row in rows("solutions.jsonl") if "up to order" in row}
    told = {row["problem"]: row["up to order"] for row in rows("forwards_order.jsonl")}
    both = ordered.keys() & told.keys()
    assert both == ordered.keys() & {name for name in ordered if name.startswith("english:")}
    assert {name: told[name] for name in both} == {name: ordered[name] for name in both}
    for one, other in (("c1->c4", "d3->a3"), ("c2->c5", "c3->f3")):  # each the other played backwards
        assert told[f"english:{one}"] == told[f"english:{other}"]
    assert len(told) == 21


@pytest.mark.long
def test_a_file_of_all_solutions_is_complete_or_refused(tmp_path: Path) -> None:
    folder, file = RECORDS.parent / "proved" / "triangle15-count", tmp_path / "solutions.xz"

    def run(command: str, *number: str) -> subprocess.CompletedProcess[str]:
        line = [sys.executable, str(RECORDS / "all_solutions.py"), command, str(folder), str(file), *number]
        environment = {**os.environ, "NUMBA_DISABLE_JIT": "1"}  # it is faster so than to be compiled
        return subprocess.run(line, capture_output=True, text=True, timeout=200, check=False, env=environment)

    assert not run("make").returncode
    assert json.loads(run("check").stdout) == rows("all_solutions.jsonl")[0]
    written = {*run("list").stdout.splitlines()}
    problem = pegcp.problem("triangle15:a1->?")
    told = pegcp.solutions(problem, up_to="symmetry").written()
    listed = ([move.split("-") for move in solution] for solution in told)
    assert written == {" ".join(f"{a}-{b}" for move in moves for a, b in pairwise(move)) for moves in listed}
    sample = {*run("list", "10").stdout.splitlines()}
    assert len(sample) == 10
    assert sample < written
    assert {*run("list", "1000").stdout.splitlines()} == written

    data = lzma.decompress(file.read_bytes())
    solutions = [data[i : i + 13] for i in range(0, len(data), 13)]
    first = solutions[0]  # its fifth and sixth jump, d4-b2 and b5-b3, have no hole in common
    other_order = bytes([*first[:4], first[5], first[4], *first[6:]])
    jumps, mirror = sorted(problem.board.jumps), [*problem.symmetries()][1]
    image = bytes(jumps.index(Jump(*(mirror[hole] for hole in jumps[jump]))) for jump in first)
    forged = [
        ("the rows stand for", solutions[:40] + solutions[41:]),
        ("row 8 is not after the row before it", [*solutions[:7], *solutions[6:]]),
        ("is not the least of its orders and images", sorted([*solutions, other_order])),
        ("is not the least of its orders and images", sorted([*solutions, image])),
        ("row 90 is no solution", [*solutions[:-1], solutions[-1][::-1]]),
    ]
    for fault, lines in forged:
        file.write_bytes(lzma.compress(b"".join(lines)))
        refused = run("check")
        assert refused.returncode == 1
        assert fault in refused.stderr
        assert not refused.stdout


@pytest.mark.parametrize("command", ["check", "list"])
def test_a_file_that_is_not_all_solutions_is_said_in_one_line(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.syspath_prepend(str(RECORDS))
    main, file = import_module("all_solutions").main, tmp_path / "solutions.xz"
    proved = RECORDS.parent / "proved"
    short = lzma.compress(bytes(13))[:-10]
    given = [
        ("triangle15-count", short, [], "solutions.xz is not all of a file that 'make' has written"),
        ("triangle15-count", b"", [], "solutions.xz is not all of a file that 'make' has written"),
        ("triangle15-count", bytes(13), [], "solutions.xz is not all of a file that 'make' has written"),
        ("triangle15-count", lzma.compress(b""), [], "holds 0 bytes, which are no rows of 13 jumps"),
        ("triangle15-count", lzma.compress(bytes(25)), [], "holds 25 bytes, which are no rows of 13 jumps"),
        ("triangle15-count", lzma.compress(bytes(20) + b"$" + bytes(5)), [], "row 2 of"),
        ("triangle15-count", lzma.compress(bytes(13)), ["-1"], "the number is 0 or more"),
        ("english-class", lzma.compress(bytes(31)), [], "does not show how many solutions"),
        ("triangle15-fools-a1", lzma.compress(bytes(13)), [], "does not show how many solutions"),
        ("none", b"", [], "none"),
    ]
    for folder, data, number, fault in given:
        file.write_bytes(data)
        monkeypatch.setattr(sys, "argv", ["all_solutions.py", command, str(proved / folder), str(file), *number])
        with pytest.raises(SystemExit) as refusal:
            main()
        told = capsys.readouterr()
        assert refusal.value.code == 2
        assert fault in told.err
        assert (told.err.count("\n"), told.out) == (1, "")


@pytest.mark.slow
def test_numbers_up_to_order_on_a_square(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(RECORDS))
    forwards = import_module("forwards")
    board = forwards.Board(forwards.ROWS["square5"])
    start, goals = board.names.index("c2"), ["c1", "c4"]
    seen = forwards.reached(board, start)
    told = forwards.orders(board, start, [board.names.index(goal) for goal in goals], seen)
    problems = [pegcp.problem(f"square5:c2->{goal}") for goal in goals]
    assert told == [{"up to order": solutions(problem, Run(), "order")} for problem in problems]


def test_numbers_and_sweeps_of_the_program_without_pegcp_are_the_same() -> None:
    numbers = {row["problem"]: row["solutions"] for row in rows("solutions.jsonl")}
    told = {row["problem"]: row for row in rows("forwards.jsonl")}
    for problem, row in told.items():
        assert numbers[problem] % 2**64 == row["solutions modulo 2**64"]
    assert [sum(name.startswith(board) for name in told) for board in ("english", "french")] == [21, 10]
    compared = [row for row in rows("sweeps.jsonl") if row["problem"] in told]
    assert len(compared) == len(told) == 31
    for row in compared:
        for length in ("longest sweep", "longest last sweep"):
            assert told[row["problem"]][length] == row[length]
    sweeps = {row["problem"]: row for row in rows("sweeps.jsonl")}
    ordered = {row["problem"]: row["up to order"] for row in rows("solutions.jsonl") if "up to order" in row}
    held = swept = compared_up_to_order = 0
    for row in rows("triangles.jsonl"):
        for finish, number in row["solutions modulo 2**64"].items():
            name = row["problem"].removesuffix("?") + finish
            if name in numbers:
                assert numbers[name] % 2**64 == number
                held += 1
                if name in ordered:
                    assert row["up to order"][finish] == ordered[name]
                    compared_up_to_order += 1
            if name in sweeps:
                assert all(
                    row[length][finish] == sweeps[name][length] for length in ("longest sweep", "longest last sweep")
                )
                swept += 1
    assert swept == len(sweeps) - len(compared)
    assert held == sum(number > 0 for name, number in numbers.items() if name.startswith("triangle"))
    assert compared_up_to_order == sum(name.startswith("triangle") for name in ordered)


def test_numbers_on_triangles_are_those_of_the_images_and_of_the_same_played_backwards() -> None:
    for name, key in product(
        ("triangle10", "triangle15", "triangle21", "triangle28"), ("solutions modulo 2**64", "up to order")
    ):
        board, told = pegcp.board(name), dict[tuple[int, int], int]()
        symmetries = [*board.symmetries.elements()]
        for row in rows("triangles.jsonl"):
            start = row["problem"].removesuffix("->?").removeprefix(f"{name}:")
            for finish, number in row.get(key, {}).items() if start in board.holes else ():
                first, last = map(board.holes.index, (start, finish))
                for image in symmetries:
                    assert told.setdefault((image[first], image[last]), number) == number
        assert told
        assert all(told.get((last, first), number) == number for (first, last), number in told.items())
        page = (RECORDS.parent.parent / "docs" / "records.md").read_text()
        assert (name, key) != ("triangle28", "up to order") or f"{max(told.values()):,}" in page


def test_solutions_with_the_longest_sweeps() -> None:
    for row in rows("sweeps.jsonl"):
        problem = pegcp.problem(row["problem"])
        lengths = []
        for which in ("solution with the longest", "solution that ends with the longest"):
            moves = [move.split("-") for move in row[which].split()]
            jumps = [f"{a}-{b}" for move in moves for a, b in pairwise(move)]
            assert problem.is_goal(problem.start.after(*jumps).mask)
            lengths.append([len(move) - 1 for move in moves])
        assert (max(lengths[0]), lengths[1][-1]) == (row["longest sweep"], row["longest last sweep"])


def test_graphs_of_five_vertices() -> None:
    need("networkx")
    import networkx as nx

    told = next(row for row in rows("graphs.jsonl") if row["vertices"] == 5 and row["kind"] == "connected graphs")
    fewest, freely, short = [], 0, []
    for graph in nx.graph_atlas_g():
        if len(graph) != 5 or not nx.is_connected(graph):
            continue
        board = graph_board([str(v) for v in graph], [(str(a), str(b)) for a, b in graph.edges])
        ends = []
        for hole in range(5):
            problem = Problem(board, Position(board, board.full & ~(1 << hole)), DeadEnd())
            levels = enumerate(level_counts(problem, Run(), symmetry=False))
            ends.append([4 - jumps for jumps, level in levels if level.dead_ends])
        fewest.append(min(map(min, ends)))
        freely += all(min(end) == 1 for end in ends)
        short.append(max(map(len, nx.find_cliques(nx.complement(graph)))) - max(map(max, ends)))
    assert (len(fewest), fewest.count(1), freely) == (told["graphs"], told["solvable"], told["freely solvable"])
    assert {str(number): short.count(number) for number in set(short)} == told["alpha minus Fool's number"]


def fewest_pegs(edges: list[tuple[str, str]], start: str = "") -> list[int]:
    """The fewest pegs that can be left on a graph, for each first vacancy, or for one."""
    board = graph_board(sorted({vertex for edge in edges for vertex in edge}), edges)
    fewest = []
    for hole in [board.holes.index(start)] if start else range(len(board.holes)):
        problem = Problem(board, Position(board, board.full & ~(1 << hole)), DeadEnd())
        jumps = max(jumps for jumps, level in enumerate(level_counts(problem, Run())) if level.dead_ends)
        fewest.append(len(problem.start) - jumps)
    return fewest


def path(n: int) -> list[tuple[str, str]]:
    """The edges of a path of n vertices, v0, v1 and so on."""
    return [(f"v{i}", f"v{i + 1}") for i in range(n - 1)]


def pendants(vertex: str, number: int) -> list[tuple[str, str]]:
    """Edges from a vertex to vertices that have no other."""
    return [(vertex, f"{vertex}p{i}") for i in range(number)]


@pytest.mark.thorough
def test_graphs_of_published_theorems() -> None:
    """The theorems of Beeler and Hoilman, as K. Harish states them.

    Beeler and Hoilman, Discrete Mathematics 311 (2011), and Australasian Journal of Combinatorics 52 (2012), 127-134.
    K. Harish, Peg solitaire on unicyclic graphs, 2026, Propositions 2.1 and 2.3, and the program that he holds against
    them (doi:10.5281/zenodo.21285775).
    """
    for n in range(3, 8):
        assert min(fewest_pegs(pendants("a", n))) == n - 1, "stars"
        fewest = fewest_pegs(path(n))
        assert (min(fewest) == 1) == (n == 3 or n % 2 == 0), "paths"
        assert max(fewest) > 1, "paths"
        assert (max(fewest_pegs([*path(n), ("v0", f"v{n - 1}")])) == 1) == (n == 3 or n % 2 == 0), "cycles"
    for left in range(1, 5):
        for right in range(1, left + 1):
            fewest = fewest_pegs([("a", "b"), *pendants("a", left), *pendants("b", right)])
            assert (max(fewest) == 1) == (left == right != 1), "double stars"
            assert min(fewest) == (1 if left <= right + 1 else left - right), "double stars"
    for blades in (1, 2):
        for others in range(2 * blades + 3):
            rim = [(f"p{i}", f"q{i}") for i in range(blades)]
            spokes = [("a", vertex) for blade in rim for vertex in blade]
            fewest = fewest_pegs([*rim, *spokes, *pendants("a", others)])
            assert min(fewest) == (1 if others <= 2 * blades else others - 2 * blades + 1), "windmills"
            # The theorem of 2012 has only the first of these exceptions; Harish found the other.
            exceptional = (others, blades) in ((0, 2), (1, 1))
            assert (max(fewest) == 1) == (others < 2 * blades and not exceptional), "windmills"


@pytest.mark.thorough
@pytest.mark.parametrize(("vertex", "number", "shortest"), [(1, 1, 6), (3, 2, 6), (0, 1, 7), (2, 2, 7), (4, 3, 9)])
def test_caterpillars_of_a_published_theorem(vertex: int, number: int, shortest: int) -> None:
    """Paths with pendants at one vertex are solvable from the last vertex but one (K. Harish 2026, Theorem 4.3)."""
    for n in range(shortest, 12, 2):
        assert fewest_pegs([*path(n), *pendants(f"v{vertex}", number)], f"v{n - 2}") == [1]
    # Proposition 4.1: on long paths of an even number of vertices one pendant is too much from the sixth vertex on.
    if (vertex, number) == (1, 1):
        for n, at in ((14, 5), (14, 6)):
            assert min(fewest_pegs([*path(n), *pendants(f"v{at}", 1)])) > 1


@pytest.mark.thorough
def test_peg_duotaire() -> None:
    told = {row["vacancy"]: (row["nim-value"], row["misere"]) for row in rows("duotaire.jsonl")}
    assert len(told) >= 25
    for board, holes in (("triangle10", "a1 a2 b3"), ("triangle15", "a1 a2 a3 b3")):
        jumps = pegcp.board(board).jumps

        @cache
        def value(position: int, jumps: tuple[Jump, ...] = jumps) -> int:
            after = {value(position ^ jump.mask) for jump in jumps if jump.is_legal(position)}
            return min(set(range(len(after) + 1)) - after)

        @cache
        def first_wins(position: int, jumps: tuple[Jump, ...] = jumps) -> bool:
            after = [position ^ jump.mask for jump in jumps if jump.is_legal(position)]
            return not after or not all(map(first_wins, after))

        for hole in holes.split():
            start = pegcp.problem(f"{board}:{hole}").start.mask
            found = value(start), "first" if first_wins(start) else "second"
            assert told[f"{board}:{hole}"] == found


def test_peg_duotaire_up_and_down() -> None:
    told = {row["vacancy"]: row for row in rows("duotaire.jsonl")}
    from_above = rows("duotaire_down.jsonl")
    assert [row["vacancy"] for row in from_above] == [name for name in told if not name.startswith("square6")]
    assert all(told[row["vacancy"]].items() >= row.items() for row in from_above)
    boards = ("triangle", "square5", "english", "square6")
    assert [sum(name.startswith(board) for name in told) for board in boards] == [12, 6, 7, 6]
    central = told["english:d4"]
    assert (central["classes"], central["classes lost"], central["largest value"]) == (23_475_688, 5_636_571, 11)


@pytest.mark.slow
def test_a_full_table_of_peg_duotaire_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(RECORDS))
    duotaire = import_module("duotaire")
    monkeypatch.setattr(duotaire, "MOST_SLOT_BITS", 4)
    with pytest.raises(MemoryError, match="the table of positions is full"):
        list(duotaire.down("triangle10"))


@pytest.mark.slow
def test_peg_duotaire_on_a_square(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(RECORDS))
    duotaire = import_module("duotaire")
    told = {row["vacancy"]: row for row in rows("duotaire.jsonl")}
    for hole, row in [*duotaire.board_up("square5"), *duotaire.down("square5")]:
        assert told[f"square5:{hole}"].items() >= row.items()
    counts = level_counts(pegcp.problem("square5:c3->?"), Run())
    assert sum(level.positions for level in counts) == told["square5:c3"]["classes"]


@pytest.mark.parametrize("highest", [3, pytest.param(4, marks=pytest.mark.slow)])
def test_smallest_armies(highest: int, monkeypatch: pytest.MonkeyPatch) -> None:
    need("cp-sat")
    monkeypatch.syspath_prepend(str(RECORDS))
    armies = import_module("armies")
    published = {"square": [2, 4, 8, 20], "hexagonal": [2, 3, 5, 9, 17, 36], "diagonal": [2, 3, 5, 8, 13, 23, 46]}
    told = rows("armies.jsonl")
    assert {(row["jumps"], row["level"]) for row in told} == {
        (kind, level) for kind, sizes in published.items() for level in range(1, len(sizes) + 1)
    }
    for row in told:
        fewest = published[row["jumps"]][row["level"] - 1]
        assert row["by pagoda"] <= row["at least"] <= fewest
        if row["level"] <= highest:
            assert row["at least"] == fewest
            assert armies.bound(armies.Field(row["jumps"], row["level"]), 60) == (row["by pagoda"], fewest)
        if "pegs" not in row:
            continue
        pegs = {(x, y) for x, y in row["army"]}
        assert len(pegs) == row["pegs"] == fewest
        assert max(y for _, y in pegs) <= -row["level"]
        for (a, b), (c, d), (e, f) in row["solution"]:
            way = c - a, d - b
            assert (e - c, f - d) == way
            assert way in armies.WAYS[row["jumps"]]
            assert {(a, b), (c, d)} <= pegs
            assert (e, f) not in pegs
            pegs = pegs - {(a, b), (c, d)} | {(e, f)}
        assert (0, 0) in pegs


def test_positions_with_a_solution_on_a_small_triangle(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Held against all positions from which one peg is reached, found by jumps that are taken back."""
    monkeypatch.syspath_prepend(str(RECORDS))
    monkeypatch.setattr(sys, "argv", ["unique.py", "triangle10"])
    import_module("unique").main()
    printed = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    board = pegcp.board("triangle10")
    level = {1 << hole for hole in range(10)}
    assert [row["pegs"] for row in printed] == [*range(1, 1 + len(printed))]
    for row in printed:
        assert row["solvable"] == len(level)
        assert row["one solution"] <= row["solvable"]
        level = {
            mask ^ jump.mask for mask in level for jump in board.jumps if mask & jump.mask == jump.mask & ~jump.needs
        }
    assert [row["one solution"] for row in printed[:2]] == [10, 12]  # 3 of 15 pairs jump either way


@pytest.mark.slow
def test_positions_with_one_solution() -> None:
    command = [sys.executable, str(RECORDS / "unique.py"), "triangle15"]
    said = subprocess.run(command, capture_output=True, text=True, timeout=200, check=True).stdout
    assert said == (RECORDS / "unique.jsonl").read_text()


def test_first_levels_with_diagonals() -> None:
    told = json.loads((RECORDS / "diagonals.json").read_text())
    problem = pegcp.problem(str(RECORDS / "english_diagonal.toml"))
    levels = level_counts(problem, Run(), symmetry=False)
    assert told["jumps"] == len(problem.board.jumps)
    for pegs in range(32, 28, -1):
        assert next(levels).positions == told["by pegs"][str(pegs)][0]


@pytest.mark.parametrize("name", ["triangle10:a2->?", "triangle15:b3->?"])
def test_fewest_moves_on_a_triangle(name: str) -> None:
    told = next(row for row in rows("triangles.jsonl") if row["problem"] == name)
    result = answer(pegcp.problem(name, objective="fewest-moves"), "fewest-moves")
    assert result.bound == told["fewest moves"] == len(group_moves(result.jumps or ()))


def test_the_board_of_49_holes() -> None:
    told = rows("board49.jsonl")
    levels = [row["positions"] for row in told if "jumps" in row]
    assert levels[-1] == 262_677_951
    found = level_counts(pegcp.problem(str(RECORDS / "board49.toml")), Run())
    assert [counts.positions for counts, _ in zip(found, range(7), strict=False)] == levels[:7]
    assert [(row["pegs"], row["reached"]) for row in told if "pegs" in row] == [(1, 0), (2, 19), (3, 142), (4, 1768)]


@pytest.mark.thorough
def test_levels_on_disk_have_the_sizes_of_levels_in_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("zstandard")
    monkeypatch.syspath_prepend(RECORDS)
    on_disk: Any = import_module("levels_on_disk")
    monkeypatch.setattr(on_disk, "_SHARD", 2000)
    problem = pegcp.problem("triangle21:a1->?")
    expected = [counts.positions for counts in level_counts(problem, Run())]
    begun = on_disk.level_sizes(problem, Run(), tmp_path)
    assert [next(begun) for _ in range(8)] == expected[:8]
    assert list(on_disk.level_sizes(problem, Run(), tmp_path)) == expected
    assert {file.name.split("-")[0] for file in tmp_path.iterdir()} == {"levels.json", str(len(expected))}


def test_levels_on_disk_leave_a_folder_with_other_files_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("zstandard")
    monkeypatch.syspath_prepend(RECORDS)
    on_disk: Any = import_module("levels_on_disk")
    (tmp_path / "1-run-1").write_text("mine")
    with pytest.raises(SystemExit, match="other files"):
        next(on_disk.level_sizes(pegcp.problem("XoXX"), Run(), tmp_path))
    assert [file.name for file in tmp_path.iterdir()] == ["1-run-1"]


def test_solutions_with_the_fewest_moves() -> None:
    told = rows("moves.jsonl")
    assert [sum(row["problem"].startswith(name) for row in told) for name in ("triangle36", "square6")] == [8, 21]
    bounds = rows("bounds.jsonl")
    assert bounds[0]["at most"] < 28  # OEIS A127500: from 19 to 28
    for row in [*told, *({**row, "fewest moves": row["at most"]} for row in bounds)]:
        if row["fewest moves"]:
            problem = pegcp.problem(row["problem"])
            moves = [move.split("-") for move in row["solution"].split()]
            jumps = [f"{a}-{b}" for move in moves for a, b in pairwise(move)]
            assert problem.is_goal(problem.start.after(*jumps).mask)
            assert len(moves) == row["fewest moves"]


def test_fewest_moves_of_vacancies_and_pairs_agree() -> None:
    best: dict[str, list[int]] = {}
    for row in rows("moves.jsonl"):
        best.setdefault(row["problem"].partition("->")[0], []).append(row["fewest moves"] or 99)
    for row in rows("triangles.jsonl"):
        assert min(best.get(row["problem"].partition("->")[0], [99])) == (row["fewest moves"] or 99)
    published = [5, 9, 9, 12, 13]  # OEIS A127500
    sizes = [10, 15, 21, 28, 36]
    assert [min(min(best[key]) for key in best if key.startswith(f"triangle{n}:")) for n in sizes] == published


@pytest.mark.parametrize(("name", "start"), [("triangle10", "a2"), ("triangle15", "b3")])
def test_fewest_moves_from_one_end(name: str, start: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(RECORDS))
    within = import_module("one_end").within
    pairs = [row for row in rows("moves.jsonl") if row["problem"].startswith(f"{name}:{start}->")]
    ends, _ = within(name, start, max(row["fewest moves"] or 0 for row in pairs))
    for row in pairs:
        assert ends.get(row["problem"].partition("->")[2]) == row["fewest moves"]


@pytest.mark.slow
def test_fewest_moves_from_both_ends() -> None:
    command = [sys.executable, str(RECORDS / "both_ends.py"), "triangle15", "pairs"]
    said = subprocess.run(command, capture_output=True, text=True, timeout=200, check=True).stdout
    assert said.splitlines() == [
        line for line in (RECORDS / "moves.jsonl").read_text().splitlines() if '"triangle15:' in line
    ]
