"""Where the commands write and read: what goes wrong there is one clear line and the right status."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from asking import said, typed
from click.testing import CliRunner

import pegcp
from pegcp.cli.main import cli
from pegcp.comparison.experiment import read_experiment
from pegcp.errors import InputError
from pegcp.formats.files import file_name
from pegcp.running import road

BOARD = 'lattice = "square"\nlegend = { hole = "o" }\nmap = """\nooo\nooo\n"""\n'
PROBLEM = 'name = "{}"\nlattice = "square"\nlegend = {{ peg = "X", vacancy = "o" }}\nstart = "XXo"\ngoal = "one peg"\n'


def run(*arguments: str, folder: Path, shell: str = "", **environment: str) -> subprocess.CompletedProcess[bytes]:
    """The command line in a process of its own, in a folder; ``shell`` redirects its input and output."""
    command = [sys.executable, "-m", "pegcp", *arguments]
    script = ["bash", "-c", f'"$@" {shell}', "bash", *command]
    root = str(Path(__file__).parent.parent)
    return subprocess.run(
        script,
        cwd=folder,
        input=b"",
        capture_output=True,
        timeout=60,
        check=False,
        env={**os.environ, "PYTHONPATH": root, **environment},
    )


def one_line(text: bytes) -> bool:
    return len(text.decode().strip().splitlines()) == 1 and b"Traceback" not in text


@pytest.mark.parametrize("name", ["../../evil", "/tmp/evil", "..", "a/b", ".hidden", "", "x" * 5000, "a\0b", "é"])
def test_names_of_files_are_names(name: str) -> None:
    assert "/" not in file_name(name)
    assert 0 < len(file_name(name)) <= 100
    assert file_name(name) not in (".", "..")


@pytest.mark.usefixtures("own_folder")
def test_problems_are_written_into_the_folder_that_was_named(tmp_path: Path) -> None:
    (tmp_path / "board.toml").write_text('name = "../../evil"\n' + BOARD)
    typed("generate", "board.toml", "--pegs", "2", "-o", "a/b/c")
    assert [path.parent for path in tmp_path.rglob("*evil*")] == [tmp_path / "a" / "b" / "c"]


def test_bundled_names_win_over_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("english", "triangle15", "XoXX", "mine"):
        Path(name).write_text(BOARD)
    Path("problem.toml").write_text('board = "english"\nstart = "all but d4"\ngoal = "d4"\n')
    Path("experiment.toml").write_text('problems = ["english"]\nmethods = ["dfs"]\n')
    assert len(pegcp.board("english").holes) == 33
    assert len(pegcp.problem("english").board.holes) == 33
    assert len(pegcp.problem("triangle15").board.holes) == 15
    assert len(pegcp.problem("XoXX").board.holes) == 4
    assert len(pegcp.problem("problem.toml").board.holes) == 33
    assert len(read_experiment(Path("experiment.toml")).tasks[0].problem.board.holes) == 33
    assert len(pegcp.problem("./english").board.holes) == 6
    assert len(pegcp.board("./mine").holes) == 6
    with pytest.raises(InputError, match=r'write "\./mine"'):
        pegcp.problem("mine")


@pytest.mark.parametrize(
    ("option", "path"),
    [
        ("--report", "folder.html/report.txt/report.html"),
        ("--report", "folder.html"),
        ("--report", "fifo.html"),
        ("--out", "none/out.jsonl"),
        ("--out", "folder.html"),
        ("--out", "fifo.html"),
        ("--out", "/dev/full"),
    ],
)
def test_what_cannot_be_written_is_found_before_the_runs(
    option: str, path: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("folder.html").mkdir()
    Path("folder.html/report.txt").touch()
    os.mkfifo("fifo.html")
    monkeypatch.setattr(road, "run", lambda *_: pytest.fail("a run was made"))
    with pytest.raises(InputError, match="cannot write"):
        CliRunner().invoke(
            cli, ["compare", "XoXX", "-m", "dfs", option, path], standalone_mode=False, catch_exceptions=False
        )


@pytest.mark.usefixtures("own_folder")
def test_looking_whether_a_report_can_be_written_leaves_it_alone(tmp_path: Path) -> None:
    old = tmp_path / "old.html"
    old.write_text("as it was")
    for name in ("old.html", "new.html"):
        typed("compare", "nonsense", "--report", name, status=2)
    assert old.read_text() == "as it was"
    assert not (tmp_path / "new.html").exists()
    both = ("--out", "old.html", "--report", "old.html")
    assert "choose another file" in typed("compare", "XoXX", "-m", "dfs", *both, status=2)
    assert old.read_text() == "as it was"


@pytest.mark.thorough
@pytest.mark.parametrize(
    "arguments",
    [
        ["boards", "--json"],
        ["show", "english"],
        ["compare", "XoXX", "-m", "dfs"],
    ],
)
def test_output_to_a_full_disk_is_an_error_of_one_line(arguments: list[str], tmp_path: Path) -> None:
    done = run(*arguments, folder=tmp_path, shell="> /dev/full")
    assert done.returncode == 2
    told = b"\n".join(line for line in done.stderr.splitlines() if b"1/1" not in line)  # the progress of compare
    assert one_line(told), done.stderr
    assert told.startswith(b"pegcp: ")


@pytest.mark.thorough
def test_an_error_that_cannot_be_written_keeps_its_exit_status(tmp_path: Path) -> None:
    assert run("solve", "nonsense", folder=tmp_path, shell="2> /dev/full").returncode == 2


@pytest.mark.thorough
def test_a_reader_that_goes_away_is_no_error(tmp_path: Path) -> None:
    done = run("boards", folder=tmp_path, shell="| head -1; exit ${PIPESTATUS[0]}")
    assert (done.returncode, done.stderr) == (0, b"")


@pytest.mark.parametrize("stdin", [bytes(range(256)), b"x" * 11_000_000], ids=["bytes", "too much"])
def test_odd_input_is_an_error_of_one_line(stdin: bytes) -> None:
    assert one_line(typed("check", "english", "-", stdin=stdin, status=2).encode())


@pytest.mark.thorough
def test_an_input_that_was_closed_is_an_error_of_one_line(tmp_path: Path) -> None:
    done = run("check", "english", "-", folder=tmp_path, shell="<&-")
    assert done.returncode == 2
    assert one_line(done.stderr), done.stderr


def test_endless_files_are_refused() -> None:
    assert "/dev/zero" in typed("check", "english", "/dev/zero", status=2)


@pytest.mark.thorough
def test_names_that_the_terminal_cannot_show(tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_text(PROBLEM.format("Weiß 围棋"), "utf-8")
    done = run("compare", "mine.toml", "-m", "dfs", folder=tmp_path, PYTHONIOENCODING="ascii")
    assert done.returncode == 0, done.stderr
    assert rb"Wei\xdf \u56f4\u68cb" in done.stderr
    assert "Weiß 围棋".encode() in done.stdout or rb"Wei\xdf \u56f4\u68cb" in done.stdout
    done = run("show", "nön", folder=tmp_path, PYTHONIOENCODING="ascii")
    assert done.returncode == 2
    assert one_line(done.stderr)


@pytest.mark.long
def test_json_for_a_terminal_that_cannot_show_it(tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_text(PROBLEM.format("Weiß 围棋"), "utf-8")
    done = run("solve", "mine.toml", "-m", "dfs", "--json", folder=tmp_path, PYTHONIOENCODING="ascii")
    assert json.loads(done.stdout)["problem"] == "Weiß 围棋", done.stderr


@pytest.mark.thorough
def test_raw_escape_characters_never_reach_the_terminal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    odd = "\x1b[31mred\x07\x9b1m\u202e"
    written = odd.replace("\x1b", "\\u001b").replace("\x07", "\\u0007").replace("\x9b", "\\u009b")
    (tmp_path / "mine.toml").write_text(PROBLEM.format(written), "utf-8")
    (tmp_path / "odd\x1b[31m.toml").write_text(PROBLEM.format("").partition("\n")[2], "utf-8")
    (tmp_path / "board.toml").write_text(f'name = "{written}"\ntitle = "{written}"\n' + BOARD, "utf-8")
    (tmp_path / "broken.toml").write_text(f'"{written}" = 3\n', "utf-8")
    for arguments in (
        ["show", "mine.toml"],
        ["solve", "mine.toml", "-m", "dfs"],
        ["solve", "mine.toml", "-m", "dfs", "--json"],
        ["compare", "mine.toml", "-m", "dfs"],
        ["show", "odd\x1b[31m.toml"],
        ["show", "board.toml"],
        ["show", "broken.toml"],
        ["show", odd],
        ["show", f"{odd}.toml"],
        ["solve", "english", "-m", odd],
        ["show", "english", "--start", odd],
        ["show", "english", "--goal", f"d4 {odd}"],
        ["explain", "mine.toml"],
        ["generate", "board.toml", "--pegs", "2"],
    ):
        _, _, text, status = said(*arguments)
        assert status in (0, 2, 3)
        assert not {"\x1b", "\x07", "\x9b", "\u202e"} & {*text}, arguments


def test_an_answer_in_words_is_not_made_as_json_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(pegcp.Result, "to_json")
    monkeypatch.delattr(pegcp.Solutions, "to_json")
    assert "SOLVED" in typed("solve", "XoXX", "-m", "dfs")
    assert "1 solution" in typed("solve", "XoXX", "--all", "5")
