"""The shell blocks of the pages run as a reader runs them."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import click
import pytest
from asking import said

import pegcp
from pegcp.cli.main import cli
from pegcp.method import Evidence

ROOT = Path(__file__).parent.parent
PAGES = (
    "README.md",
    "docs/start.md",
    "docs/planning.md",
    "docs/planners.md",
    "docs/solvers.md",
    "docs/experiments.md",
    "docs/proofs.md",
)
PARSED = (
    "--experiment ",
    "pegcp report",
    "planning_tables.py planners",
    "examples/solvers.py",
    "pegcp show english -m",
)  # takes long, or the reader's own results; what models show of themselves is in test_looking
FIRST = ("README.md", "docs/start.md")  # the blocks of the other pages are long
INSTALLS = "-m venv"


def blocks() -> list[tuple[str, str]]:
    """Pages and their shell blocks, but for those that install pegcp."""
    return [
        (page, block)
        for page in PAGES
        for block in re.findall(r"```sh\n(.*?)```", (ROOT / page).read_text(encoding="utf-8"), re.DOTALL)
        if INSTALLS not in block
    ]


def commands(block: str) -> list[str]:
    """The commands of a block, each with the text that it reads from the block and without its comment."""
    found: list[str] = []
    end = ""
    for line in block.replace("\\\n", " ").splitlines():
        if end or not line.strip():
            found[-1:] = [f"{found[-1]}\n{line}"] if found else []
            end = "" if line == end else end
        else:
            found.append(re.sub(r"\s{2,}# .*", "", line))
            end = (re.findall(r"<<(\w+)", line) or [""])[0]
    return found


def missing(command: str) -> str | None:
    """The first program that a command needs and that is not installed."""
    words = shlex.split(command.split("\n")[0])
    programs = [words[0], *re.findall(r":command=(\S+)", command), *(["minizinc"] if "mzn-" in command else [])]
    return next((name for name in programs if name not in ("export", "printf") and shutil.which(name) is None), None)


def in_a_shell(command: str) -> tuple[int, str]:
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, timeout=120, check=False)
    return done.returncode, done.stdout[-500:] + done.stderr[-500:]


def in_this_process(command: str) -> tuple[int, str]:
    _, _, printed, status = said(*shlex.split(command, comments=True)[1:])
    return status, printed[-1000:]


def is_plain(command: str) -> bool:
    """Whether a command of pegcp asks nothing of the shell but quotes."""
    return command.startswith("pegcp ") and not re.search(r"[|<>&;$*?~`\\\n]", re.sub(r"'[^']*'", "", command))


def parse(command: str) -> None:
    """Read a command's options without running it."""
    words = shlex.split(command)
    with click.Context(cli) as context:
        name, found, rest = cli.resolve_command(context, words[1:])
        assert found is not None
        found.make_context(name, rest, parent=context)


ELSEWHERE = {command for page, block in blocks() for command in commands(block) if page != "README.md"}


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("page", "block"),
    [
        pytest.param(page, block, id=f"{page}-{i}", marks=() if page in FIRST else pytest.mark.long)
        for i, (page, block) in enumerate(blocks())
    ],
)
def test_a_shell_block_runs(page: str, block: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("examples", "models", "pegcp"):
        (tmp_path / name).symlink_to(ROOT / name)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    monkeypatch.setenv("BROWSER", "true")
    skipped = [f"{program} is not installed" for command in commands(block) if (program := missing(command))]
    run = [command for command in commands(block) if not missing(command) and not any(p in command for p in PARSED)]
    for command in commands(block):
        if command.startswith("pegcp") and any(part in command for part in PARSED):
            parse(command)
    if page == "README.md":  # each command once
        run = [command for command in run if command not in ELSEWHERE]
    for command in run:  # the first of the README in a shell, as a newcomer types it
        is_first = page == "README.md" and command == run[0]
        status, printed = in_this_process(command) if is_plain(command) and not is_first else in_a_shell(command)
        assert status == 0, f"{page}: {command}\n{printed}"
    if skipped and not run:
        pytest.skip(", ".join(skipped))


def test_commands_are_taken_apart_with_what_they_read() -> None:
    assert commands("pegcp a  # why\npegcp b \\\n  c\npegcp d - <<END\nX o\nEND\n") == [
        "pegcp a", "pegcp b    c", "pegcp d - <<END\nX o\nEND",
    ]  # fmt: skip


def test_what_a_shell_must_take_apart_is_not_plain() -> None:
    assert is_plain("pegcp solve 'english:c1->?' -m dfs")
    assert not any(map(is_plain, ("pegcp a > b", "pegcp a | c", "pegcp a\nb", "pegcp a *.json", "python -m pegcp")))


def test_a_program_that_is_not_there_is_named() -> None:
    assert missing("pegcp-not-there solve") == "pegcp-not-there"
    assert missing("python3 -m x -m 'sat:command=none-such {file}'") == "none-such"


def test_every_page_installs_with_the_same_command() -> None:
    """The environment has pip, so that what pages say after it (``.venv/bin/pip install``) goes there."""
    pages = [
        ROOT / "README.md",
        ROOT / "CONTRIBUTING.md",
        *(ROOT / "docs").glob("*.md"),
        *(ROOT / "docs/teaching").glob("*.md"),
    ]
    lines = [line for page in pages for line in page.read_text("utf-8").splitlines() if INSTALLS in line]
    assert len(lines) == 5
    assert [line for line in lines if not line.startswith("python3 -m venv .venv && .venv/bin/pip install -q ")] == []


VERDICTS = ("english:d4!", "triangle15:a1->a1 --objective fewest-moves")


@pytest.mark.thorough
@pytest.mark.parametrize("written", VERDICTS)
def test_what_the_program_claims_no_row_of_the_pages_calls_proved(written: str) -> None:
    """Searches claim; rows that name one of them may speak of proofs only with a link, or of ``pegcp prove``."""
    name, _, objective = written.partition(" --objective ")
    result = pegcp.solve(pegcp.problem(name, objective=objective or None), "fewest-moves" if objective else "bfs")
    assert result.evidence is Evidence.CLAIMED
    assert f"not verified: only {result.method} says so (pegcp prove looks for a proof)" in str(result)
    rows = [
        row
        for page in (ROOT / "README.md", *(ROOT / "docs").glob("*.md"), *(ROOT / "models").glob("*.md"))
        for row in page.read_text("utf-8").splitlines()
        if f"`{result.method}`" in row and re.search(r"\bproved\b", row)
    ]
    assert [row for row in rows if "[proved](proofs.md)" not in row and "pegcp prove" not in row] == []


def test_the_files_and_names_of_the_road_exist() -> None:
    page = (ROOT / "docs" / "architecture.md").read_text("utf-8")
    road = page.partition("## The road of one problem")[2].partition("## What one has to know")[0]
    steps = re.findall(r"`([\w/]+\.py)`(?:, `([\w.]+)`)?", road)
    assert len(steps) > 30
    for name, what in steps:
        path = next(path for path in (ROOT / "pegcp" / name, ROOT / name) if path.is_file() or path.parent == ROOT)
        definition = rf"^ *(def|class) {what.rpartition('.')[2]}\b" if what else ""
        assert re.search(definition, path.read_text("utf-8"), re.M), (name, what)
