"""The theory in Coq (formal/): it assumes nothing, and the checker made from it agrees with the one-file checker."""

from __future__ import annotations

import json
import os
import random
import re
import shutil
import subprocess
import sys
from pathlib import Path

import forging
import pytest
from parts import do_without, need
from test_proofs import OTHER_TEXTS

from pegcp.checking import checker
from pegcp.checking.verification import VERIFIED, check_verified
from pegcp.errors import InputError
from pegcp.method import Limits

ROOT = Path(__file__).parent.parent
FORMAL = ROOT / "formal"
SOURCES = sorted(FORMAL.glob("*.v"))


def words(text: str) -> str:
    return " ".join(text.split())


def test_nothing_is_assumed_or_left_open() -> None:
    assert len(SOURCES) == 15
    for file in SOURCES:
        assert not re.search(r"\b(Axiom|Admitted|admit|Parameter|Conjecture)\b", file.read_text()), file.name


def test_the_documentation_quotes_theorems_as_they_are() -> None:
    theory = words("".join(file.read_text() for file in SOURCES))
    for page in (ROOT / "docs" / "proofs.md", FORMAL / "README.md"):
        quoted = re.findall(r"```coq\n(.*?)```", page.read_text(), re.DOTALL)
        assert quoted, page.name
        for block in quoted:
            for statement in block.strip().split("\n\n"):
                assert words(statement) in theory, statement


def test_without_the_program_it_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("pegcp.checking.verification.VERIFIED", tmp_path / "check")
    with pytest.raises(InputError, match="formal/build"):
        check_verified(ROOT / "examples" / "proved" / "english-class")


def is_built() -> bool:
    """Whether formal/build has been run since its sources were changed; it takes two minutes."""
    sources = [*SOURCES, FORMAL / "reader.ml", FORMAL / "build"]
    return VERIFIED.exists() and VERIFIED.stat().st_mtime > max(file.stat().st_mtime for file in sources)


@pytest.mark.parametrize(
    "longest",
    [pytest.param(False, marks=pytest.mark.thorough), pytest.param(True, marks=pytest.mark.slow)],
    ids=["few", "every"],
)
def test_the_verified_checker(longest: bool, tmp_path: Path) -> None:
    """Folders that ship and no false claim; Print Assumptions are in the build. The slow tier builds it if need be."""
    need("coqc", "ocamlopt", "cadical")
    if longest and not is_built():
        subprocess.run([FORMAL / "build"], check=True)
    elif not is_built():
        do_without("the verified checker", "run formal/build")
    assumed = (FORMAL / "made" / "assumptions").read_text().splitlines()
    theorems = (FORMAL / "Assumptions.v").read_text().count("Print Assumptions")
    assert assumed == ["Closed under the global context"] * theorems
    for folder in sorted((ROOT / "examples" / "proved").iterdir()):
        if folder.name == "english-c1-fewest-moves":  # two minutes and 4 GB: no symmetry helps
            continue
        if folder.name.endswith("-count"):  # of which it says that it does not cover them
            continue
        if folder.name in ("english-fewest-moves", "square6-fewest-moves") and not longest:
            continue
        said = subprocess.run([VERIFIED, folder], capture_output=True, text=True, check=False)
        command = [sys.executable, str(checker.__file__), str(folder), "--time", "1000"]
        file = subprocess.run(command, capture_output=True, text=True, check=False)
        assert (said.returncode, said.stdout) == (file.returncode, file.stdout)
    it_writes_the_very_formulas(tmp_path)
    it_refuses_what_is_too_large(tmp_path)
    it_says_that_it_counts_nothing(tmp_path)
    it_waits_for_no_file_and_follows_no_link(tmp_path / "odd")
    it_reads_a_problem_in_one_way(tmp_path / "readings")
    with pytest.raises(MemoryError, match="5 MB"):
        check_verified(ROOT / "examples" / "proved" / "triangle15-steps", Limits(60, 5))
    outcome = forging.against_verified(500 if longest else 200, 0)
    assert outcome.wrong == []
    assert outcome.verdicts["proved, accepted by the file"] > 20


def it_writes_the_very_formulas(where: Path) -> None:
    """Of every model, for every kind of goal, byte for byte as the one-file checker does."""
    seen = set()
    for i, files in enumerate(forging.genuine(random.Random(3), 60)):
        folder = where / str(i)
        folder.mkdir()
        for name, data in files.items():
            (folder / name).write_bytes(data)
        goal = checker.read_problem(files["problem.toml"]).goal
        kinds = {part["type"] for part in json.loads(files["claim.json"])["parts"]} & set(forging.MODELS)
        if not kinds:
            continue
        seen |= {(kind, goal) for kind in kinds}
        subprocess.run([VERIFIED, "--cnf", where / f"{i}.verified", folder], check=True, stdout=subprocess.DEVNULL)
        checker.Folder(str(folder)).check(cnf=str(where / f"{i}.file"))
        written = [file.read_bytes() for file in sorted(where.glob(f"{i}.verified*"))]
        assert written
        assert written == [file.read_bytes() for file in sorted(where.glob(f"{i}.file*"))], folder
    assert {kind for kind, _ in seen} == set(forging.MODELS)
    assert {goal for _, goal in seen} == {"exact", "partial", "one peg", "dead end"}


def it_waits_for_no_file_and_follows_no_link(where: Path) -> None:
    """A pipe, a link, a folder in place of a file."""
    good = ROOT / "examples" / "proved" / "english-class"
    for i, name in enumerate(("claim.json", "problem.toml") * 3):
        folder = Path(shutil.copytree(good, where / str(i)))
        (folder / name).unlink()
        [os.mkfifo, os.mkdir, lambda path, name=name: os.symlink(good / name, path)][i // 2](folder / name)
        told = subprocess.run([VERIFIED, folder], capture_output=True, text=True, check=False, timeout=10)
        assert (told.returncode, "not a regular file" in told.stdout) == (4, True), told.stdout


def it_reads_a_problem_in_one_way(where: Path) -> None:
    """It refuses each text that is not canonical, as the one-file checker does."""
    for i, (text, old, new) in enumerate(OTHER_TEXTS):
        folder = where / str(i)
        folder.mkdir(parents=True)
        (folder / "problem.toml").write_bytes(text.replace(old, new).encode())
        (folder / "claim.json").write_text(
            json.dumps({"format": 2, "claim": {"type": "jumps", "least": 0}, "parts": []})
        )
        told = subprocess.run([VERIFIED, folder], capture_output=True, text=True, check=False, timeout=10)
        assert told.returncode == 4, (old, new, told.stdout)
        (folder / "problem.toml").write_bytes(text.encode())
        told = subprocess.run([VERIFIED, folder], capture_output=True, text=True, check=False, timeout=10)
        assert told.returncode == 0, told.stdout


def it_says_that_it_counts_nothing(where: Path) -> None:
    """A claim that the one-file checker knows, and it does not, is not covered; it is not rejected."""
    claim = {"format": 2, "claim": {"type": "count", "number": 1}, "parts": [{"type": "levels", "symmetries": []}]}
    (where / "claim.json").write_text(json.dumps(claim))
    told = subprocess.run([VERIFIED, where], capture_output=True, text=True, check=False, timeout=10)
    assert told.stdout.startswith("not covered: a claim of how many solutions there are")
    assert told.returncode == 2


def it_refuses_what_is_too_large(where: Path) -> None:
    """Before it works: the formula of 35 steps of 1,600 jumps each, a tree of too many nodes, a wide board."""
    rows = {"wide": "X " * 1001, "big": "X " * 800}
    stuck = {"type": "certificate", "certificate": {"tree": [["stuck"]] * 20_001}}
    for name, parts, said in [
        ("big", [{"type": "sat-moves", "horizon": 35}], "rejected: the formula is too large"),
        ("big", [stuck], "rejected: a tree has too many nodes or cuts"),
        ("wide", [stuck], "not covered: a board of more than 1,000 holes"),
    ]:
        lattice = 'lattice = "square"\njumps = "orthogonal"\nlegend = { peg = "X", vacancy = "o", free = "?" }\n'
        drawing = f'start = """\n{rows[name].strip()}\n"""\ngoal = "one peg"\nobjective = "any"\n'
        (where / "problem.toml").write_text(lattice + drawing)
        (where / "claim.json").write_text(json.dumps({"format": 2, "claim": {"type": "infeasible"}, "parts": parts}))
        (where / "proof-35.lrat").write_bytes(b"")
        told = subprocess.run([VERIFIED, where], capture_output=True, text=True, check=False, timeout=10)
        assert told.stdout.strip() == said
