"""A stranger's files: whatever pegcp is asked to do, what was there before stays as it was."""

from __future__ import annotations

import errno
import os
import random
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NoReturn

import pytest
from asking import said, typed

import pegcp
from pegcp.catalogue.choice import choose
from pegcp.cli.console import same_file
from pegcp.formats.files import make_private_folder, temporary_folder
from pegcp.method import Run
from pegcp.writing import write_file

NAMES = ("pegcp-results", "pegcp-abcdefgh", "pegcp-bars", "pegcp-minizinc-x", ".pegcp-mine", ".pegcp-xyz")
COMMANDS = (
    ("solve", "XoXX", "-m", "dfs"),
    ("solve", "XoXX", "-m", "dfs", "-o", "solution.html"),
    ("compare", "XoXX", "-m", "dfs,bfs", "--out", "results.jsonl", "--report", "report.html"),
    ("report", "results.jsonl", "-o", "other.html"),
    ("prove", "XoX", "-o", "proof"),
    ("check", "proof"),
    ("export", "XoXX", "-m", "pddl", "-o", "out"),
    ("show", "XoXX"),
    ("play", "XoXX", "-o", "page.html"),
    ("generate", "english", "--pegs", "5", "-o", "made"),
    ("graph", "triangle10"),
    ("next", "XoXX"),
    ("explain", "XoX"),
    ("suite", "boards"),
)


def contents(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.thorough
def test_folders_called_like_ours_are_left_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In the temporary folder, at home, in the folder where the user stands; old ones."""
    places = [tmp_path / name for name in ("tmp", "home", "here")]
    for place in places:
        for name in NAMES:
            (place / name / "work").mkdir(parents=True)
            (place / name / "work" / "data.txt").write_text(name)
            os.utime(place / name, (1.0, 1.0))
    theirs = {place: {name: contents(place / name) for name in NAMES} for place in places}
    for name, value in {"TMPDIR": places[0], "HOME": places[1], "XDG_CACHE_HOME": places[1]}.items():
        monkeypatch.setenv(name, str(value))
    monkeypatch.setattr(tempfile, "tempdir", None)
    monkeypatch.chdir(places[2])
    subprocess.run([sys.executable, "-m", "pegcp", *COMMANDS[0]], capture_output=True, check=True)
    for command in COMMANDS:
        typed(*command)
        for place in places:
            assert {name: contents(place / name) for name in NAMES} == theirs[place], command
    assert sorted(path.name for path in places[0].iterdir()) == sorted(NAMES)  # and nothing of ours stays there


@pytest.mark.parametrize(
    "command",
    [
        ("solve", "XoXX", "-o", "mine.txt"),
        ("export", "XoXX", "-m", "pddl", "-o", "out"),
        ("generate", "line4", "--pegs", "2", "-o", "made"),
        ("graph", "triangle10", "-o", "mine.json"),
        ("play", "XoXX", "-o", "mine.html"),
        ("compare", "XoXX", "-m", "dfs", "--report", "mine.html"),
        ("compare", "XoXX", "-m", "dfs", "--out", "mine.txt"),
        ("import", "problem.pddl", "-o", "mine.toml"),
    ],
    ids=" ".join,
)
def test_a_file_that_exists_is_not_replaced(
    command: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for name, text in pegcp.export("XoXX", "pddl").items():
        Path(name).write_text(text)
    for name in ("mine.txt", "mine.json", "mine.html", "mine.toml", "out/domain.pddl"):
        Path(name).parent.mkdir(exist_ok=True)
        Path(name).write_text("mine")
    Path("made").mkdir()
    for number in range(3):
        Path("made", f"line4-solvable-2-{number}.toml").write_text("mine")
    before = contents(tmp_path)
    complaint = typed(*command, status=2) if command[0] != "generate" else ""
    assert "--force" in complaint or "--out" in command or command[0] == "generate"
    assert {name: text for name, text in contents(tmp_path).items() if name in before} == before
    if "--out" not in command and command[0] != "generate":
        said(*command, "--force")
        assert contents(tmp_path) != before


def test_a_report_does_not_replace_its_input(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    said("compare", "XoXX", "-m", "dfs", "--out", "night.jsonl")
    Path("night.jsonl").rename("night.md")
    before = Path("night.md").read_bytes()
    Path("link.md").symlink_to("night.md")
    os.link("night.md", "other.md")
    for name in ("night.md", "link.md", "other.md", "./night.md"):
        assert "input" in typed("report", "night.md", "-o", name, "--force", status=2)
    assert Path("night.md").read_bytes() == before


def test_two_paths_of_one_file(tmp_path: Path) -> None:
    one, link = tmp_path / "one", tmp_path / "link"
    link.symlink_to(one)
    assert same_file(one, link)
    one.touch()
    assert same_file(one, link)
    assert not same_file(one, tmp_path / "other")


def test_a_file_with_two_names_keeps_both(tmp_path: Path) -> None:
    one, other = tmp_path / "one", tmp_path / "other"
    one.write_text("before")
    os.link(one, other)
    write_file(one, "after")
    assert other.read_text() == "after"


def test_a_file_in_a_folder_that_takes_no_new_one_is_written_in_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "file"
    file.write_text("before")
    number = file.stat().st_ino
    monkeypatch.setattr(os, "access", lambda *_: False)
    write_file(file, "after")
    assert (file.read_text(), file.stat().st_ino) == ("after", number)


def test_a_pipe_of_the_shell_is_written_to() -> None:
    ours, theirs = os.pipe()
    write_file(Path(f"/dev/fd/{theirs}"), "after")
    os.close(theirs)
    with open(ours) as reader:
        assert reader.read() == "after"


def test_a_cache_is_for_its_user_alone_whatever_the_umask(tmp_path: Path) -> None:
    before = os.umask(0o002)
    try:
        make_private_folder(tmp_path / "pegcp" / "compiled")
    finally:
        os.umask(before)
    make_private_folder(tmp_path / "pegcp" / "compiled")
    assert (tmp_path / "pegcp" / "compiled").stat().st_mode & 0o777 == 0o700


@pytest.mark.parametrize("mode", [0o770, 0o707])
def test_a_cache_that_others_can_write_to_is_not_read(mode: int, tmp_path: Path) -> None:
    (tmp_path / "cache").mkdir()
    (tmp_path / "cache").chmod(mode)
    with pytest.raises(PermissionError, match="others"):
        make_private_folder(tmp_path / "cache")


@pytest.mark.parametrize("where", ["parent", "link", "target"])
def test_a_cache_whose_way_others_can_change_is_not_used(where: str, tmp_path: Path) -> None:
    """Who can write to a folder on the way can put another folder in place of one that was checked."""
    shared, mine = tmp_path / "shared", tmp_path / "mine"
    mine.mkdir(mode=0o700)
    shared.mkdir()
    shared.chmod(0o777)
    cache = {"parent": shared / "cache", "link": shared / "link" / "cache", "target": mine / "link" / "cache"}[where]
    (shared / "link").symlink_to(mine)
    (mine / "link").symlink_to(shared)
    with pytest.raises(PermissionError, match="others"):
        make_private_folder(cache)
    shared.chmod(0o1777)  # as /tmp
    make_private_folder(cache)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give folders away")
@pytest.mark.parametrize("place", ["", "pegcp", "pegcp/compiled"])
def test_a_cache_below_a_folder_of_another_user_is_not_used(place: str, tmp_path: Path) -> None:
    folder = tmp_path / "cache" / "pegcp" / "compiled"
    make_private_folder(folder)
    os.chown(tmp_path / "cache" / place, 12345, -1)
    with pytest.raises(PermissionError, match="another user"):
        make_private_folder(folder)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give links away")
def test_a_link_of_another_user_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "pegcp").symlink_to(tmp_path / "mine")
    make_private_folder(tmp_path / "pegcp" / "play")
    os.chown(tmp_path / "pegcp", 12345, -1, follow_symlinks=False)
    with pytest.raises(PermissionError, match="another user"):
        make_private_folder(tmp_path / "pegcp" / "play")


def test_play_does_not_write_into_a_cache_that_others_can_change(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    tmp_path.chmod(0o777)
    assert "-o FILE" in typed("play", "XoXX", "--no-browser", status=2)
    assert list(tmp_path.rglob("*.html")) == []


@pytest.fixture
def machine_code(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty cache."""
    compiled = pytest.importorskip("pegcp.states.kernels.compiled")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr(compiled, "_cache_folder", compiled._cache_folder.__wrapped__)
    return tmp_path / "pegcp" / "compiled"


def test_runs_report_that_compiled_code_is_not_cached(machine_code: Path) -> None:
    from pegcp.states.kernels.compiled import compiling_for

    machine_code.mkdir(parents=True)
    machine_code.chmod(0o777)
    reports: list[object] = []
    compiling_for(Run(report=lambda report: reports.append(report.get("log"))))
    compiling_for(Run())
    assert reports == [
        f"{machine_code}: others can write to the folder (chmod go-w ends that); compiled code is not cached"
    ]


def successor(number: int) -> int:
    return number + 1


def test_a_compiled_function_makes_no_folder_until_it_is_called(machine_code: Path) -> None:
    from pegcp.states.kernels.compiled import compiled

    function = compiled(successor)
    assert not machine_code.exists()
    assert function(1) == 2
    assert machine_code.exists()


@pytest.mark.thorough
def test_a_full_disk_or_a_damaged_file_in_the_cache_ends_no_run(
    machine_code: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from pegcp.states.kernels.compiled import compiled

    def full(*_: object) -> NoReturn:
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as disk:
        disk.setattr(os, "replace", full)
        assert compiled(successor)(1) == 2
    assert list(machine_code.iterdir()) == []
    assert compiled(successor)(1) == 2
    (file,) = machine_code.iterdir()
    good = file.read_bytes()
    chance = random.Random(0)
    damaged = [good[:5], b"", *(_flip(good, chance.randrange(len(good))) for _ in range(4))]
    for content in damaged:
        file.write_bytes(content)
        function = compiled(successor)
        assert function(1) == 2
        assert file.read_bytes() != content
    stamp = file.stat().st_mtime_ns
    assert compiled(successor)(1) == 2
    assert file.stat().st_mtime_ns == stamp  # it was read


def _flip(data: bytes, at: int) -> bytes:
    return data[:at] + bytes([data[at] ^ 4]) + data[at + 1 :]


@pytest.mark.parametrize("before", [0o600, 0o640])
def test_nobody_else_reads_a_file_that_is_being_written(
    before: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file, modes = tmp_path / "file", list[int]()
    file.touch()
    file.chmod(before)
    chown = os.chown

    def noted(path: Path, *arguments: int) -> None:
        modes.append(Path(path).stat().st_mode & 0o777)
        chown(path, *arguments)

    monkeypatch.setattr(os, "chown", noted)
    write_file(file, "after")
    assert modes == [0o600]
    assert file.stat().st_mode & 0o777 == before


def test_a_temporary_folder_is_removed_although_ctrl_c_comes_while_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    remove, signals = tempfile.TemporaryDirectory.cleanup, [KeyboardInterrupt, KeyboardInterrupt]

    def interrupted(folder: tempfile.TemporaryDirectory[str]) -> None:
        if signals:
            raise signals.pop()
        remove(folder)

    monkeypatch.setattr(tempfile.TemporaryDirectory, "cleanup", interrupted)
    with pytest.raises(KeyboardInterrupt), temporary_folder("pegcp-", str(tmp_path)) as folder:
        Path(folder, "file").touch()
    assert list(tmp_path.iterdir()) == []


def test_the_temporary_folder_may_be_here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(tempfile, "tempdir", ".")
    assert pegcp.solve("XoXX", "dfs").answered
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("method", ["planner:command=true {domain} {problem} {plan}", "sat-rounds:command=true {file}"])
def test_a_program_leaves_the_current_folder_of_its_caller_alone(
    method: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("domain.pddl", "plan.txt", "plan.txt.1", "planner.log", "solution.sol", "solver.log", "model.cnf"):
        Path(name).write_text("mine")
    before = contents(tmp_path)
    run = Run()
    choose(method).run(pegcp.problem("XoXX"), run)
    assert contents(tmp_path) == before
    folder = run.folder
    assert any(folder.iterdir())
    del run
    assert not folder.exists()
