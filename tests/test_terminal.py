"""What people see: commands on pseudo-terminals of several widths, piped, and completed by Tab."""

from __future__ import annotations

import errno
import fcntl
import json
import os
import pty
import re
import struct
import subprocess
import sys
import termios
from pathlib import Path
from xml.etree import ElementTree

import click
import pytest
from asking import said
from click.testing import CliRunner

import pegcp
from pegcp.cli import console
from pegcp.cli.main import cli

WIDTHS = [80, *(pytest.param(width, marks=pytest.mark.thorough) for width in (60, 100, 200))]
ESCAPES = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")


def terminal(width: int, *arguments: str | Path, folder: Path | None = None, stderr: bool = False) -> list[str]:
    """The lines that a command prints in that width, with or without errors; 80 is that of a pseudo-terminal."""
    if width != 80:
        return said(*arguments, columns=width)[0].split("\n")
    master, slave = pty.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 40, width, 0, 0))
    environment = {key: value for key, value in os.environ.items() if key not in ("COLUMNS", "LINES", "NO_COLOR")}
    command = [sys.executable, "-m", "pegcp", *map(str, arguments)]
    process = subprocess.Popen(
        command,
        stdin=slave,
        stdout=slave,
        stderr=slave if stderr else subprocess.DEVNULL,
        env={**environment, "TERM": "xterm"},
        cwd=folder,
    )
    os.close(slave)
    printed = b""
    while True:
        try:
            more = os.read(master, 65536)
        except OSError as error:  # how Linux says that nobody is left to write
            if error.errno != errno.EIO:
                raise
            break
        if not more:
            break
        printed += more
    os.close(master)
    process.wait(60)
    return ESCAPES.sub("", printed.decode()).replace("\r", "").split("\n")


def piped(*arguments: str | Path, status: int = 0, stdin: str | None = None) -> tuple[str, str]:
    out, err, _, ended = said(*arguments, stdin=stdin)
    assert ended == status, out + err
    return out, err


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Runs that are made already, so that comparing them is quick."""
    file = tmp_path_factory.mktemp("results") / "results.jsonl"
    pegcp.compare(["triangle15:a1->?", "XXXXoXXXXXXXXXXX"], ["dfs:size=100003", "dfs", "fools-counts"], out=file)
    return file


@pytest.mark.thorough
@pytest.mark.parametrize("width", WIDTHS)
def test_a_comparison_fits_and_names_stay_whole(width: int, results: Path) -> None:
    problems = ["triangle15:a1->?", "XXXXoXXXXXXXXXXX"]
    lines = terminal(width, "compare", *problems, "--methods", "dfs:size=100003,dfs,fools-counts", "--out", results)
    assert max(map(len, lines)) <= width
    rows = [line.split() for line in lines if line.split()[:1] in ([p] for p in problems)]
    assert [row[1] for row in rows] == ["dfs:size=100003", "dfs", "fools-counts"] * 2
    head = next(line for line in lines if "verdict" in line)
    assert ("solve s" in head) == (width >= 80)
    assert "objective" not in head
    assert "jumps" in head
    assert ("build s" in head) == (width >= 100)
    assert any("Hidden columns" in line for line in lines) == (width < 200)


@pytest.mark.thorough
@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("against", [False, True])
def test_a_report_fits(width: int, against: bool, results: Path) -> None:
    more: list[str | Path] = [results, "--against"] if against else []
    lines = said("report", results, *more, columns=width)[0].split("\n")
    assert max(map(len, lines)) <= width
    assert {"dfs:size=100003", "dfs"} <= {(line.split() or [""])[0] for line in lines}
    head = next(line for line in lines if "method" in line)
    assert ("ratio" if against else "settled") in head
    assert "─" in "".join(lines)


@pytest.mark.thorough
def test_a_piped_comparison_has_all_columns_and_says_everything_once() -> None:
    out, err = piped("compare", "XoXX", "--methods", "dfs,bfs,fools-counts")
    assert "MB" in out
    assert "Hidden columns" not in out
    assert out.count("SOLVED") == 2
    assert err.count("SOLVED in") == 2
    assert err.count("UNSUPPORTED") == 1


@pytest.mark.thorough
@pytest.mark.parametrize("width", [60, 200])
@pytest.mark.parametrize("command", ["boards", "problems", "models", "backends"])
def test_lists_fit(command: str, width: int) -> None:
    lines = said(command, columns=width)[0].split("\n")
    assert max(map(len, lines)) <= width
    names = {"boards": "asymmetric", "problems": "pattern-cross", "models": "constraint-positions"}
    name = names.get(command, "cp-sat-mathopt")
    assert any(line.split()[:1] == [name] for line in lines) or command == "problems"


@pytest.mark.thorough
@pytest.mark.parametrize(
    "command",
    [
        ("solve", "XoXX", "-m", "dfs"),
        pytest.param(("prove", "oXXo", "-o", "proof"), marks=pytest.mark.long),
        pytest.param(("next", "XoXX"), marks=pytest.mark.slow),
    ],
)
def test_long_work_shows_a_clock(command: tuple[str, ...], tmp_path: Path) -> None:
    lines = terminal(80, *command, folder=tmp_path, stderr=True)
    assert re.search(r"\d:\d\d:\d\d ", "\n".join(lines))


@pytest.mark.thorough
def test_one_board_and_one_model_in_full() -> None:
    board, _ = piped("show", "triangle15")
    assert "a5  b5  c5  d5  e5" in board
    assert "classes    4: a1 (3) a2 (6) a3 (3) b3 (3)" in board
    model, about = piped("models", "moves")
    assert "order=on" in about
    assert model.startswith('"""')
    assert "heuristic=hadd" in piped("models", "pyperplan")[0]
    assert 'did you mean "moves"' in piped("models", "mvoes", status=2)[1]


def commands() -> dict[str, click.Command]:
    return dict(cli.commands)


@pytest.mark.parametrize("name", commands())
def test_help_ends_with_two_examples_that_parse(name: str) -> None:
    done = CliRunner().invoke(cli, [name, "--help"], prog_name="pegcp")
    examples = done.output.rstrip().split("Examples:\n")[1].split("\n")
    assert len(examples) >= 2
    assert all(f"pegcp {name}" in example for example in examples)


def test_help_says_how_to_switch_completion_on() -> None:
    assert 'eval "$(_PEGCP_COMPLETE=bash_source pegcp)"' in CliRunner().invoke(cli, ["--help"]).output


@pytest.mark.parametrize("name", [n for n, c in commands().items() if {p.name for p in c.params} & {"problem"}])
def test_after_is_everywhere(name: str) -> None:
    assert "after" in {parameter.name for parameter in commands()[name].params}


@pytest.mark.thorough
def test_after_moves_the_start() -> None:
    shown, _ = piped("show", "english", "--after", "d2-d4 b3-d3")
    assert "3  X o o X X X X" in shown
    assert "pegs             30" in shown
    solved, _ = piped("solve", "XoXX", "--after", "d1-b1", "-m", "dfs", "--json")
    assert len(json.loads(solved)["jumps"]) == 1
    _, err = piped("solve", "english", "--after", "d2-d4 d2-d4", status=2)
    assert err == "pegcp: --after: jump 2 (d2-d4) is impossible: there is no peg at d2 to jump\n"


@pytest.mark.thorough
def test_a_legal_beginning() -> None:
    out, _ = piped("check", "english", "-", stdin="d2-d4 b3-d3", status=4)
    assert out.startswith("-: 2 legal jumps,")
    assert "\n   a b c d e f g\n1      X X X\n" in out
    out, _ = piped("check", "XoXX", "-", stdin="d1-b1 a1-c1")
    assert "solves XoXX" in out
    assert "is not a solution" in piped("check", "XXooX", "-", stdin="a1-c1", status=4)[0]


@pytest.mark.thorough
@pytest.mark.parametrize("ending", ["svg", "html", "json", "txt"])
def test_solutions_in_files(ending: str, tmp_path: Path) -> None:
    file = tmp_path / f"solution.{ending}"
    piped("solve", "triangle15:a1->?", "-m", "dfs", "-o", file)
    match ending:
        case "svg":
            assert "13 jumps in" in (ElementTree.parse(file).getroot().get("aria-label") or "")
        case "html":
            page = file.read_text()
            assert page.startswith("<!doctype html>")
            assert 'id="player"' in page
        case _:
            assert "solves triangle15:a1->?" in piped("check", "triangle15:a1->?", file)[0]


@pytest.mark.thorough
def test_a_proof_in_a_file(tmp_path: Path) -> None:
    piped("solve", "english:c1->e5", "-o", tmp_path / "proof.html")
    assert "<svg" in (tmp_path / "proof.html").read_text()
    piped("solve", "english:c1->e5", "-o", tmp_path / "proof.svg")
    assert (
        ElementTree.parse(tmp_path / "proof.svg").getroot().get("aria-label")
        == "english:c1->e5: why there is no solution"
    )
    piped("solve", "english:c1->e5", "-o", tmp_path / "proof.txt")
    assert "# The start has 12 " in (tmp_path / "proof.txt").read_text()


@pytest.mark.thorough
@pytest.mark.parametrize(("file", "why"), [("solution.doc", "must end in"), ("/dev/null/folder.svg", "cannot write")])
def test_files_that_cannot_be_written_are_told_before_the_work(file: str, why: str, tmp_path: Path) -> None:
    assert why in piped("solve", "english:c3!", "-o", tmp_path / file, status=2)[1]


def offered_by(**environment: str) -> str:
    """What the shell's function gets that asks for completions."""
    with CliRunner().isolation(env=environment) as (out, _, _), pytest.raises(SystemExit):
        cli.main([], prog_name="pegcp")
    return out.getvalue().decode()


def completed(line: str) -> list[str]:
    words = f"pegcp {line}"
    asked = {"COMP_WORDS": words, "COMP_CWORD": str(len(words.split()) - 1)}
    return [entry.split(",", 1)[1] for entry in offered_by(_PEGCP_COMPLETE="bash_complete", **asked).split()]


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("line", "offered"),
    [
        ("sol", ["solve"]),
        ("solve eng", ["english"]),
        ("solve english -m fools", ["fools", "fools-counts"]),
        ("compare english -m dfs,roun", ["dfs,rounds"]),
        ("solve english --objective fewest-m", ["fewest-moves"]),
        ("models roun", ["rounds"]),
        ("solve english --he", ["--help"]),
        ("solve ./my", ["./my"]),
    ],
)
def test_tab_completes(line: str, offered: list[str]) -> None:
    assert set(offered) <= set(completed(line))


@pytest.mark.thorough
@pytest.mark.parametrize("command", [("show", "english"), ("explain", "line7:b1->f1")])
def test_prose_fits_a_terminal_of_60_columns(command: tuple[str, ...]) -> None:
    """Lines are broken between words: the words are those of a wider terminal."""
    lines = terminal(60, *command)
    assert max(map(len, lines)) <= 60
    assert " ".join(lines).split() == said(*command, columns=80)[0].split()


@pytest.mark.thorough
def test_a_drawing_that_is_wider_than_the_terminal_is_cut_and_says_so() -> None:
    lines = terminal(80, "show", "rectangle50x2")
    assert max(map(len, lines)) <= 80
    assert "less -S" in [line for line in lines if line][-1]
    assert max(map(len, piped("show", "rectangle50x2")[0].splitlines())) > 80


def test_ctrl_c_leaves_no_empty_line(capsys: pytest.CaptureFixture[str]) -> None:
    @click.command()
    def interrupted() -> None:
        with console.progress_line("XoXX"):
            raise KeyboardInterrupt

    with pytest.raises(click.Abort):
        interrupted.main([], standalone_mode=False)
    assert capsys.readouterr().err == ""
