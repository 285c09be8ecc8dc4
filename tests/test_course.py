"""The commands and the example for the course work, as they are typed."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from parts import need

import pegcp
from pegcp.cli.main import cli
from pegcp.errors import InputError

ROOT = Path(__file__).parent.parent


def typed(*arguments: str) -> Result:
    return CliRunner().invoke(cli, arguments)


def test_the_table_of_the_lab_sheet() -> None:
    example = ROOT / "examples" / "course" / "hashing.py"
    done = subprocess.run([sys.executable, example], capture_output=True, text=True, timeout=100, check=False)
    assert done.returncode == 0, done.stderr
    head, *rows = (line.split() for line in done.stdout.splitlines())
    assert [row[0] for row in rows] == ["board1"] * 3 + ["board2"] * 3 + ["board4"] * 2
    assert [row[3] for row in rows] == ["SOLVED"] * 3 + ["INFEASIBLE"] * 3 + ["SOLVED"] * 2
    chained, double = (dict(zip(head, row, strict=True)) for row in rows[-2:])
    assert (chained["nodes"], chained["stored"]) == (double["nodes"], double["stored"])
    for key in ("cpu_seconds", "table_size", "load_factor", "probes", "collisions"):
        assert float(double[key]) > 0


@pytest.mark.parametrize(
    ("text", "message"),
    [("9 18 5", "not a hole"), ("9 18 9", "given twice"), ("9 x", "not a hole"), ("", "no peg numbers")],
)
def test_bad_board_files(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "board.txt"
    path.write_text(text)
    done = typed("show", str(path))
    assert isinstance(done.exception, InputError)
    assert message in str(done.exception)


def test_generate_files(tmp_path: Path) -> None:
    done = typed("generate", "triangle15", "--pegs", "6", "--random", "--count", "2", "-o", str(tmp_path))
    assert done.exit_code == 0, done.output
    for path in done.stdout.split():
        assert len(pegcp.problem(path).start) == 6


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["line5", "--pegs", "9"], "1 to 5 pegs"),
        (["line5", "--pegs", "2", "--count", "2"], "-o DIR"),
    ],
)
def test_generate_bad_requests(arguments: list[str], message: str) -> None:
    error = typed("generate", *arguments).exception
    assert isinstance(error, InputError)
    assert message in str(error)


def test_graph(tmp_path: Path) -> None:
    need("networkx")
    done = typed("graph", "triangle15:a1->?", "--no-symmetry")
    assert done.stdout.splitlines()[-1].split() == ["total", "3,016", "4", "122", "4"]
    picture = tmp_path / "graph.svg"
    done = typed("graph", "XXXXoX", "-o", str(picture))
    assert done.exit_code == 0
    assert picture.read_text().startswith("<svg")
    assert "jumps away" in done.stdout
    late = CliRunner().invoke(cli, ["graph", "french:d4->?", "--time-limit", "0.1"], standalone_mode=False)
    assert late.return_value == 3
    assert "time limit" in late.stdout
