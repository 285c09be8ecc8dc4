"""Sets of problems: their descriptions, and the files that are made of them."""

from __future__ import annotations

import json
from hashlib import sha256

import pytest

from pegcp.catalogue.suites import files
from pegcp.errors import InputError
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
