"""Doors: what a command opens, writes, starts and leaves behind, whatever the files and folders around it are."""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner

from pegcp.cli.main import cli
from pegcp.errors import InputError
from pegcp.formats.files import read_file
from pegcp.writing import write_file

PEGCP = str(Path(sysconfig.get_path("scripts"), "pegcp"))


def refused(*arguments: str) -> str:
    result = CliRunner().invoke(cli, arguments, standalone_mode=False)
    assert isinstance(result.exception, InputError), result.output
    return str(result.exception)


@pytest.mark.parametrize(
    "command",
    [
        ("solve", "XoXX", "-m", "{}.py"),
        ("report", "{}"),
        ("check", "XoXX", "{}"),
        ("compare", "--experiment", "{}"),
        ("import", "{}"),
    ],
    ids=lambda command: " ".join(command),
)
def test_a_pipe_that_nobody_writes_to_is_refused(command: tuple[str, ...], tmp_path: Path) -> None:
    for ending in ("", ".py"):
        os.mkfifo(tmp_path / f"pipe{ending}")
    assert "not a regular file" in refused(*(word.format(tmp_path / "pipe") for word in command))


def test_only_regular_files_up_to_a_size_are_read(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_bytes(b"12345")
    assert read_file(file, 5) == b"12345"
    for path, word in (
        (file, "larger"),
        (tmp_path, "directory"),
        ("/dev/zero", "regular"),
        (tmp_path / "no", "No such"),
    ):
        with pytest.raises(InputError, match=word):
            read_file(path, 4)
    assert "not a regular file" in refused("report", "/dev/zero")


def test_files_are_written_whole_or_not_at_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file, link = tmp_path / "file", tmp_path / "link"
    file.write_text("before")
    file.chmod(0o640)
    link.symlink_to(file)
    write_file(link, "after")
    assert (file.read_text(), link.is_symlink(), file.stat().st_mode & 0o777) == ("after", True, 0o640)
    write_file(Path(os.devnull), "x")
    long = tmp_path / ("n" * 255)
    write_file(long, "x")
    long.unlink()

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", full)
    with pytest.raises(InputError, match="No space"):
        write_file(file, "later")
    assert file.read_text() == "after"
    refused("play", "XoXX", "-o", str(tmp_path / "new.html"))
    assert sorted(path.name for path in tmp_path.iterdir()) == ["file", "link"]


HOSTILE = (
    "pegcp",
    "multiprocessing",
    "subprocess",
    "json",
    "numpy",
    "numba",
    "ortools",
    "click",
    "signal",
    "pyperplan",
)


@pytest.fixture
def hostile(tmp_path: Path) -> Callable[[], list[str]]:
    """A folder whose modules leave marks, and which did."""
    marks = tmp_path / "marks"
    (tmp_path / "here").mkdir()
    for name in HOSTILE:
        (tmp_path / "here" / f"{name}.py").write_text(
            f"open({str(marks)!r}, 'a').write('{name} ')\nraise SystemExit(9)\n"
        )
    return lambda: marks.read_text().split() if marks.exists() else []


@pytest.mark.thorough
@pytest.mark.parametrize(
    "arguments",
    [
        "compare XoXX -m dfs",
        pytest.param("compare XoXX -m moves,pyperplan", marks=pytest.mark.long),
        "next XoXX",
    ],
)
def test_nothing_in_the_current_folder_is_imported(
    arguments: str, hostile: Callable[[], list[str]], tmp_path: Path
) -> None:
    done = subprocess.run(
        [PEGCP, *arguments.split()], cwd=tmp_path / "here", capture_output=True, text=True, check=False
    )
    assert hostile() == []
    assert done.returncode in (0, 3), done.stderr  # 3: a planner is missing


@pytest.mark.thorough
def test_next_answers_without_machine_code(tmp_path: Path) -> None:
    """The first answer on a machine is there before numba is even loaded."""
    text = "import sys, pegcp; print(pegcp.next_jumps('english', 'd2-d4').solvable, 'numba' in sys.modules)"
    environment = {**os.environ, "XDG_CACHE_HOME": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, "-P", "-c", text], env=environment, capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == ["True", "False"]
    assert list(tmp_path.iterdir()) == []
