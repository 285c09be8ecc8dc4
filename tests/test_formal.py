"""The theory in Coq (formal/): it assumes nothing, and the checker made from it agrees with the one-file checker."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import forging
import pytest
from parts import need

from pegcp.errors import InputError
from pegcp.proofs import checker
from pegcp.proofs.checking import VERIFIED, check_verified

ROOT = Path(__file__).parent.parent
FORMAL = ROOT / "formal"
SOURCES = sorted(FORMAL.glob("*.v"))


def words(text: str) -> str:
    return " ".join(text.split())


def test_nothing_is_assumed_or_left_open() -> None:
    assert len(SOURCES) == 11
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
    monkeypatch.setattr("pegcp.proofs.checking.VERIFIED", tmp_path / "check")
    with pytest.raises(InputError, match="formal/build"):
        check_verified(ROOT / "examples" / "proved" / "english-class")


@pytest.mark.thorough
def test_the_verified_checker() -> None:
    """Builds it if it is not there. Every folder that ships and no false claim; Print Assumptions are in the build."""
    need("coqc", "ocamlopt", "cadical")
    sources = [*SOURCES, FORMAL / "reader.ml", FORMAL / "build"]
    if not VERIFIED.exists() or VERIFIED.stat().st_mtime < max(file.stat().st_mtime for file in sources):
        subprocess.run([FORMAL / "build"], check=True)
    assumed = (FORMAL / "made" / "assumptions").read_text().splitlines()
    theorems = (FORMAL / "Assumptions.v").read_text().count("Print Assumptions")
    assert assumed == ["Closed under the global context"] * theorems
    for folder in sorted((ROOT / "examples" / "proved").iterdir()):
        said = subprocess.run([VERIFIED, folder], capture_output=True, text=True, check=False)
        file = subprocess.run([sys.executable, checker.__file__, folder], capture_output=True, text=True, check=False)
        if any(word in (folder / "claim.json").read_text() for word in ("sat-parallel", "sat-moves", "rerun")):
            assert said.returncode == 2
        else:
            assert (said.returncode, said.stdout) == (file.returncode, file.stdout)
    outcome = forging.against_verified(500, 0)
    assert outcome.wrong == []
    assert outcome.verdicts["proved, accepted by the file"] > 10
