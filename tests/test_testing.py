"""``pegcp.testing`` and the commands that use it: what is right is known from elsewhere, and wrong is found."""

from __future__ import annotations

import csv
import shutil
import sys
from pathlib import Path

import pytest
from asking import typed
from independent import truth

import pegcp
from pegcp import backends, machine
from pegcp.errors import InputError
from pegcp.testing import OF_BACKENDS, PROBLEMS, check_method, games

EXERCISES = Path(__file__).parents[1] / "examples" / "exercises"


def test_a_right_method_has_all_points() -> None:
    trials = check_method("dfs", [*PROBLEMS[:8], "line4:b1->c1"])
    assert [trial.fault for trial in trials] == [""] * 9


@pytest.mark.parametrize(
    ("status", "fault"),
    [
        ("Answer(Status.INFEASIBLE)", "it finds no solution, but d1-b1 a1-c1 is one"),
        ("Answer(Status.SOLVED, jumps=())", "UNKNOWN INVALID_SOLUTION"),
        ("Answer(Status.UNKNOWN, message='gave up')", "gave up"),
        ("1 / 0", "ZeroDivisionError"),
    ],
)
def test_each_fault_of_a_search_is_named(status: str, fault: str, tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text(
        "'''Mine.'''\nfrom pegcp.method import Answer, Status\nGOALS = ('one-peg',)\nOBJECTIVES = ('any', 'count')\n\n"
        f"def search(problem, run, options=None):\n    return {status}\n"
    )
    (trial,) = check_method(str(file), ["XoXX"])
    assert fault in trial.fault


def test_wrong_counts_and_optima_are_found(tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text(
        "'''Mine.'''\nfrom pegcp.method import Answer, Status\nGOALS = ('one-peg',)\n"
        "OBJECTIVES = ('count', 'fewest-moves')\n\ndef search(problem, run, options=None):\n"
        "    from pegcp.game.notation import jumps_of\n    jumps = jumps_of(problem.board, ['d1-b1', 'a1-c1'])\n"
        "    return Answer(Status.OPTIMAL, jumps=tuple(jumps), objective=7, counted='jump sequences')\n"
    )
    counting = pegcp.problem("XoXX", objective="count")
    (trial,) = check_method(str(file), [counting])
    assert trial.fault == "it counts 7 solutions, and there are 1"


@pytest.mark.parametrize("name", ["XoXX", "triangle6:a2->b2", "triangle10:a2->b2", "XoXXXX", "rectangle3x3:b2->?"])
def test_all_games_are_those_of_other_code(name: str) -> None:
    problem = pegcp.problem(name)
    fewest = truth(problem.text.encode())
    played = list(games(problem))
    assert min(map(len, played), default=None) == fewest["jumps"]
    assert min((len(pegcp.check(problem, game).moves) for game in played), default=None) == fewest["moves"]


@pytest.mark.thorough
def test_a_library_is_asked_six_problems() -> None:
    trials = pegcp.testing.check_backend("cp-sat")
    assert [trial.problem.name for trial in trials] == list(OF_BACKENDS)
    assert [str(trial.result.status) for trial in trials if trial.result is not None] == ["SOLVED"] * 2 + [
        "INFEASIBLE", "SOLVED", "INFEASIBLE", "INFEASIBLE",
    ]  # fmt: skip


@pytest.mark.thorough
def test_the_command_shows_the_program_and_asks_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "library" in typed("backends", "cadical")
    assert "there is no backend" in typed("backends", "cadicl", status=2)
    # A program that always says that there is no solution falls into the traps.
    program = tmp_path / "liar"
    program.write_text("#!/bin/sh\necho 's UNSATISFIABLE'\nexit 20\n")
    program.chmod(0o755)
    (tmp_path / "solvers.toml").write_text(
        f'[liar]\ntitle = "A liar"\nmodel = "sat-rounds"\ncommand = "{program} {{cnf}}"\n'
    )
    monkeypatch.setenv("PEGCP_HOME", str(tmp_path))
    text = typed("backends", "liar", status=4)
    assert f"{program} model.cnf" in " ".join(text.split())
    assert "it finds no solution, but d1-b1 a1-c1 is one" in text


@pytest.mark.thorough
def test_a_class_is_marked(tmp_path: Path) -> None:
    for name in ("cp_early.py", "cp_frame.py", "jumps.pddl"):
        shutil.copy(EXERCISES / name, tmp_path / name)
    (tmp_path / "broken.py").write_text("x = (")
    problems = tmp_path / "small.txt"
    problems.write_text("XoXX\nXXoXX  # the frame is missing here\nline4:b1->c1\n")
    text = typed("mark", tmp_path, "--problems", problems, "-o", tmp_path / "points.csv", status=4)
    assert "Which line: pegcp why XXoXX -m" in text
    rows = list(csv.reader((tmp_path / "points.csv").open()))
    assert [row[:3] for row in rows] == [
        ["file", "points", "of"],
        ["broken.py", "0", ""],
        ["cp_early.py", "3", "3"],
        ["cp_frame.py", "2", "3"],
        ["jumps.pddl", "0", "1"],
    ]
    assert "not valid Python" in typed("mark", tmp_path / "broken.py", status=2)
    assert "no model files" in typed("mark", EXERCISES.parent / "boards", status=2)
    assert "no such file" in typed("mark", tmp_path / "nosuch.py", tmp_path / "broken.py", status=2)


def test_one_problem_may_stand_for_itself() -> None:
    assert [trial.problem.name for trial in check_method("dfs", "XoXX")] == ["XoXX"]


def test_problems_with_too_many_games_are_refused() -> None:
    with pytest.raises(InputError, match="english has 32 pegs"):
        check_method("dfs", ["english"])


def test_a_backend_can_be_a_plug_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "ours-1.0.dist-info").mkdir()
    (tmp_path / "ours-1.0.dist-info" / "METADATA").write_text("Metadata-Version: 2.1\nName: ours\nVersion: 1.0\n")
    (tmp_path / "ours-1.0.dist-info" / "entry_points.txt").write_text(
        "[pegcp.backends]\nours = ours:OURS\nbroken = nothing:AT_ALL\n"
    )
    (tmp_path / "ours.py").write_text(
        "from dataclasses import replace\nfrom pegcp.backends.sat import CADICAL\n"
        "OURS = replace(CADICAL, name='ours', title='Our own')\n"
    )
    (tmp_path / "mine.py").write_text(
        Path(backends.__file__).parents[2].joinpath("models/sat_rounds.py").read_text().replace('("cadical"', '("ours"')
    )
    monkeypatch.syspath_prepend(tmp_path)
    machine.plugins.cache_clear()
    try:
        assert {"ours", "broken"} <= set(pegcp.backends())  # type: ignore[operator]
        result = pegcp.solve("XoXX", str(tmp_path / "mine.py"))
        assert (result.status, result.backend) == ("SOLVED", "ours")
        with pytest.raises(InputError, match='unknown method "ours"'):
            pegcp.solve("XoXX", "ours")
        assert "does not load: ModuleNotFoundError" in backends.backend("broken").title
    finally:
        sys.modules.pop("ours", None)
        machine.plugins.cache_clear()
