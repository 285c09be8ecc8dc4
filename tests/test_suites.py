"""Sets of problems: their descriptions, and the files that are made of them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import Any

import click
import pytest
from asking import said, typed

from pegcp import library, writing
from pegcp.catalogue.exporting import files
from pegcp.catalogue.methods import bundled
from pegcp.cli.main import cli
from pegcp.comparison.agreement import engine
from pegcp.errors import InputError, InvalidSolution
from pegcp.library import lookup
from pegcp.method import Method, Reason
from pegcp.results.result import failed


@pytest.mark.parametrize("name", library.set_names())
def test_solutions_are_solutions(name: str) -> None:
    found = library.suite(name)
    assert all((row.jumps(found.problem(row)) is not None) >= (row.answer is True) for row in found.rows)


def test_methods_that_agree_are_of_several_engines() -> None:
    agreed = 0
    for row in library.suite("graded-2026").rows:
        names = row.shown.partition("agreed: ")[2].split(", ")
        if all(isinstance(bundled().get(name), Method) for name in names):  # a method of then may be gone
            problem = lookup.problem("XoX")
            assert len({engine(failed(problem, name, Reason.TIME, "")) for name in names}) > 1, row.name
            agreed += 1
    assert agreed > 50


def test_grades_in_languages_are_in_the_manifest() -> None:
    found = library.suite("graded-2026")
    row = found.chosen("hexagon19-exact-021")[0]
    made = dict(files(replace(found, rows=(row,)), ["toml"]))
    [problem] = json.loads(made["manifest.json"])["problems"]
    assert problem["languages"] == row.grades
    assert problem["languages"].keys() >= {"cp-sat", "sat", "smt", "pddl", "search"}


def test_the_manifest_tells_the_files() -> None:
    made = dict(files(library.suite("csplib"), ["toml"]))
    for problem in json.loads(made["manifest.json"])["problems"]:
        for file in problem["tasks"][0]["files"]:
            assert sha256(made[file["path"]].encode()).hexdigest() == file["sha256"]


def test_what_cannot_be_written() -> None:
    with pytest.raises(InputError):
        library.suite("nosuch")
    with pytest.raises(InputError):
        list(files(library.suite("csplib"), ["nosuch"]))


@pytest.mark.parametrize(
    ("which", "chosen"),
    [
        ("cycle4", ["cycle4"]),
        ("line*", ["line6", "line9", "line12", "line15", "line18", "line21", "line24"]),
        ("line?+unsolvable", ["line6", "line9"]),
        ("open", ["square8", "diamond"]),
    ],
)
def test_problems_are_chosen_by_patterns(which: str, chosen: list[str]) -> None:
    assert lookup.expand_name(f"boards:{which}") == [f"boards:{name}" for name in chosen]


def test_problems_are_chosen_by_grade_and_answer() -> None:
    found = library.suite("graded-2026")
    assert {row.grade for row in found.chosen("grade[45]")} == {4, 5}
    assert {row.name[-1] for row in found.chosen("*[05]+*solvable")} == {"0", "5"}
    assert all(row.grades["sat"] < 3 for row in found.chosen("sat-grade[12]"))
    assert {row.grade for row in found.chosen("*-grade1")} == {1, 2, 3, 5}  # grade 4 is 0.1 s of the best of all
    optima = found.chosen("optimum+grade?")
    assert all(type(row.answer) is int for row in optima)
    assert len(optima) == sum(type(row.answer) is int for row in found.rows)


@pytest.mark.thorough
@pytest.mark.parametrize("asked", [["boards:cycle[47]"], ["--suite", "tiny"]])
def test_a_comparison_takes_a_set(asked: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if "--suite" in asked:
        rows = [
            row
            for row in json.loads((library.SETS / "boards.json").read_text())["problems"]
            if row["name"][:5] == "cycle"
        ]
        tiny = {"title": "tiny", "about": {}, "boards": {}, "problems": rows[:2]}
        (tmp_path / "tiny.json").write_text(json.dumps(tiny))
        monkeypatch.setattr(library, "SETS", tmp_path)
    results = json.loads(said("compare", *asked, "-m", "dfs", "--json")[0])
    assert [(found["problem"].partition(":")[2], found["status"]) for found in results] == [
        ("cycle4", "SOLVED"),
        ("cycle7", "INFEASIBLE"),
    ]


def test_no_such_set() -> None:
    assert "set" in typed("compare", "--suite", "english", "-m", "dfs", status=2)
    assert "boards" in typed("compare", "boards:zz*", "-m", "dfs", status=2)


def test_a_set_is_listed_in_a_terminal() -> None:
    assert max(map(len, said("suite", "graded-2026", columns=80)[0].splitlines())) <= 80


SUMS = """
from dataclasses import replace
from hashlib import sha256
from pegcp.catalogue.methods import bundled
from pegcp.catalogue.exporting import files
from pegcp.cli.main import cli
from pegcp.library import suite
boards = suite("boards")
rows = tuple(boards.chosen("[ct]*e[46]"))
made = files(replace(boards, rows=rows), ["cnf", "mps", "smt2", "asp", "pddl", "toml"])
made = len(rows), sha256(repr(list(made)).encode()).hexdigest()
"""


@pytest.mark.long
def test_a_set_is_the_same_with_every_hash_seed() -> None:
    """In this process, whose seed is random, and in one with another."""
    here: dict[str, object] = {}
    exec(SUMS, here)
    seed = "2" if os.environ.get("PYTHONHASHSEED") == "1" else "1"
    command = [sys.executable, "-c", f"{SUMS}print(made)"]
    environment = {**os.environ, "PYTHONHASHSEED": seed}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == str(here["made"])


ROW: dict[str, object] = {
    "name": "a",
    "board": "line4",
    "start": "b1 c1",
    "goal": "a1",
    "answer": True,
    "solution": "c1-a1",
}
WRONG = [*(("solution", wrong) for wrong in ("zz", "a1", "a1-c1", "c1-a1 c1-a1")), ("answer", False)]


@pytest.mark.parametrize(("key", "wrong"), WRONG)
def test_a_wrong_solution_or_answer_is_refused(
    key: str, wrong: object, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(library, "SETS", tmp_path)
    for row in (ROW, ROW | {key: wrong}):
        text = json.dumps({"title": "odd", "about": {}, "boards": {}, "problems": [row]})
        (tmp_path / "odd.json").write_text(text, encoding="utf-8")
        library.suite.cache_clear()
        if row is ROW:
            assert "toml/a.toml" in dict(files(library.suite("odd"), ["toml"]))
    with pytest.raises((InputError, InvalidSolution)):
        list(files(library.suite("odd"), ["toml"]))
    library.suite.cache_clear()


def test_a_set_with_a_goal_near_a_position_is_listed(monkeypatch: pytest.MonkeyPatch) -> None:
    found = library.suite("csplib")
    row = library.Row("near", "line4", "a1 c1 d1", "near a1 c1", "nearest", answer=None)
    near = replace(found, boards={}, rows=(row,))
    monkeypatch.setattr(library, "suite", lambda _: near)
    assert "nearest" in said("suite", "csplib")[0]


@pytest.mark.parametrize("own", [False, True], ids=["new folder", "folder of the user"])
def test_an_interrupted_set_leaves_nothing_and_the_same_command_writes_it(
    own: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if own:
        (tmp_path / "set").mkdir()
    command = ["suite", "csplib", "--formats", "toml", "-o", str(tmp_path / "set")]
    written: list[Path] = []

    def interrupted(path: Path, mode: str) -> Any:
        if len(written) == 3:
            raise KeyboardInterrupt
        written.append(path)
        return open(path, mode)

    monkeypatch.setattr(writing, "open", interrupted, raising=False)
    with pytest.raises(click.Abort):
        cli.main(command, standalone_mode=False)
    assert len(written) == 3
    assert not any((tmp_path / "set").glob("**/*"))
    assert (tmp_path / "set").exists() == own
    monkeypatch.undo()
    cli.main(command, standalone_mode=False)
    assert (tmp_path / "set" / "manifest.json").is_file()


def test_an_interrupted_set_leaves_the_file_of_somebody_else(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def slow(path: Path, mode: str) -> Any:
        path.write_text("mine")  # another program was quicker
        return open(path, mode)

    monkeypatch.setattr(writing, "open", slow, raising=False)
    with pytest.raises(InputError, match="exists"):
        cli.main(["suite", "csplib", "--formats", "toml", "-o", str(tmp_path / "set")], standalone_mode=False)
    assert [file.read_text() for file in (tmp_path / "set").glob("**/*") if file.is_file()] == ["mine"]


@pytest.mark.parametrize("name", library.set_names())
def test_agreed_truth_rests_on_two_engines(name: str) -> None:
    shares = {"fools-counts": "fools", "budget": "dfs", "fools": "fools", "rounds": "fools", "benders": "fools"}
    for row in library.suite(name).rows:
        kind, _, methods = row.shown.rpartition("agreed: ")
        if kind or row.shown.startswith("agreed: "):
            assert len({shares.get(method, method) for method in methods.split(", ")}) > 1, row
