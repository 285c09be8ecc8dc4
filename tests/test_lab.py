"""The commands for the course work, as they are typed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import pegcp
from pegcp.cli.convert import grid_numbers
from pegcp.cli.main import cli
from pegcp.errors import InputError

BOARDS = [str(Path(__file__).parent.parent / "examples" / "course" / f"board{n}.txt") for n in (1, 2, 4)]


def typed(*arguments: str) -> Result:
    return CliRunner().invoke(cli, arguments)


@pytest.mark.thorough
def test_lab() -> None:
    done = typed("lab", *BOARDS, "--json")
    assert done.exit_code == 0, done.output
    rows = json.loads(done.stdout)
    assert [(row["problem"], row["method"]) for row in rows] == [
        (board, method)
        for board in ("board1", "board2", "board4")
        for method in ("dfs-plain", "dfs-chained", "dfs-double")
        if (board, method) != ("board4", "dfs-plain")
    ]
    assert [row["status"] for row in rows] == ["SOLVED"] * 3 + ["INFEASIBLE"] * 3 + ["SOLVED"] * 2
    chained, double = rows[-2:]
    assert chained["statistics"]["nodes"] == double["statistics"]["nodes"]
    assert chained["statistics"]["stored"] == double["statistics"]["stored"]
    for key in ("cpu_seconds", "table_size", "load_factor", "probes", "collisions"):
        assert double["statistics"][key] > 0


def test_lab_table() -> None:
    done = typed("lab", BOARDS[1], "--plain", "1")
    assert done.exit_code == 0
    for word in ("board2", "dfs-plain", "dfs-chained", "dfs-double", "INFEASIBLE", "collisions"):
        assert word in done.stdout


@pytest.mark.parametrize(
    ("text", "message"),
    [("9 18 5", "not a hole"), ("9 18 9", "given twice"), ("9 x", "not a number"), ("", "no peg numbers")],
)
def test_bad_board_files(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "board.txt"
    path.write_text(text)
    done = typed("lab", str(path))
    assert isinstance(done.exception, InputError)
    assert message in str(done.exception)


def test_one_peg_is_solved_at_once(tmp_path: Path) -> None:
    path = tmp_path / "board.txt"
    path.write_text("24\n")
    rows = json.loads(typed("lab", str(path), "--json").stdout)
    assert [row["jumps"] for row in rows] == [[], [], []]


def test_generate_numbers(tmp_path: Path) -> None:
    done = typed("generate", "english", "--pegs", "10", "--numbers", "--count", "3")
    lines = done.stdout.splitlines()
    assert [len(line.split()) for line in lines] == [10, 10, 10]
    path = tmp_path / "board.txt"
    path.write_text(lines[0])
    assert grid_numbers(pegcp.problem(str(path))) == lines[0] + "\n"
    assert json.loads(typed("lab", str(path), "--json").stdout)[1]["status"] == "SOLVED"


def test_generate_files(tmp_path: Path) -> None:
    done = typed("generate", "triangle15", "--pegs", "6", "--random", "--count", "2", "-o", str(tmp_path))
    assert done.exit_code == 0, done.output
    for path in done.stdout.split():
        assert len(pegcp.problem(path).start) == 6


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["line5", "--pegs", "9"], "1 to 5 pegs"),
        (["line5", "--pegs", "2", "--numbers"], "English board"),
        (["line5", "--pegs", "2", "--count", "2"], "-o DIR"),
        (["line5", "--pegs", "2", "--random", "--finish", "a1"], "--finish"),
    ],
)
def test_generate_bad_requests(arguments: list[str], message: str) -> None:
    error = typed("generate", *arguments).exception
    assert isinstance(error, InputError)
    assert message in str(error)


def test_graph(tmp_path: Path) -> None:
    done = typed("graph", "triangle15:a1->?", "--no-symmetry")
    assert done.stdout.splitlines()[-1].split() == ["total", "3,016", "4", "122", "4"]
    picture = tmp_path / "graph.svg"
    done = typed("graph", "XXXXoX", "-o", str(picture))
    assert done.exit_code == 0
    assert picture.read_text().startswith("<svg")
    assert "jumps away" in done.stdout
    late = CliRunner().invoke(cli, ["graph", "french:d4->?", "--time-limit", "0.5"], standalone_mode=False)
    assert late.return_value == 3
    assert "time limit" in late.stdout


def test_budgets() -> None:
    done = typed("budgets", "english")
    assert done.exit_code == 0
    assert "c2 c3 c4" in done.stdout
    assert "infeasible" in typed("budgets", "french:d1->?").stdout
