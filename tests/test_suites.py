"""Sets of problems: their descriptions, and the files that are made of them."""

from __future__ import annotations

import json
from hashlib import sha256
from pathlib import Path

import pytest

from pegcp.catalogue.suites import files
from pegcp.errors import InputError, InvalidSolution
from pegcp.library import suites


@pytest.mark.parametrize("name", suites.names())
def test_solutions_are_solutions(name: str) -> None:
    found = suites.suite(name)
    assert all((row.jumps(found.problem(row)) is not None) >= (row.answer is True) for row in found.rows)


def test_the_manifest_tells_the_files() -> None:
    made = dict(files(suites.suite("csplib"), ["toml"]))
    for problem in json.loads(made["manifest.json"])["problems"]:
        for file in problem["tasks"][0]["files"]:
            assert sha256(made[file["path"]].encode()).hexdigest() == file["sha256"]


def test_what_cannot_be_written() -> None:
    with pytest.raises(InputError):
        suites.suite("nosuch")
    with pytest.raises(InputError):
        list(files(suites.suite("csplib"), ["nosuch"]))


ROW: list[object] = ["a", "line4 d =1 any", 1, True, "solution", ""]
ODD: list[object] = [{}, -1, 2.5]


@pytest.mark.parametrize(
    "problems",
    [
        "[",
        "[[]]",
        "[3]",
        json.dumps([ROW, ROW]),
        *(json.dumps([[*ROW[:n], odd, *ROW[n + 1 :]]]) for n in range(6) for odd in ODD),
        *(
            json.dumps([[*ROW[:1], text, *ROW[2:]]])
            for text in ("nowhere d =1 any", "line4 x =1 any", "line4 d", "line4 d =1 best")
        ),
        *(json.dumps([[*ROW[:5], solution]]) for solution in ("zz", "0", "--", "00zz")),
        json.dumps([[*ROW[:3], False, "certificate", "00"]]),
    ],
)
def test_a_damaged_description_is_refused(problems: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(suites, "FOLDER", tmp_path)
    for described in (json.dumps([ROW]), problems):
        text = f'{{"title": "odd", "about": {{}}, "boards": {{}}, "problems": {described}}}'
        (tmp_path / "odd.json").write_text(text, encoding="utf-8")
        suites.suite.cache_clear()
        if described != problems:
            assert "toml/a.toml" in dict(files(suites.suite("odd"), ["toml"]))
    with pytest.raises((InputError, InvalidSolution)):
        list(files(suites.suite("odd"), ["toml"]))
    suites.suite.cache_clear()
