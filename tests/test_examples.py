"""The examples run as a newcomer runs them, and the README tells the truth."""

from __future__ import annotations

import doctest
import re
import runpy
import subprocess
import sys
import tomllib
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest

import pegcp

ROOT = Path(__file__).parent.parent


def run(name: str, *arguments: str) -> str:
    """What an example prints; here, where libraries are loaded and processes warm."""
    path = str(ROOT / "examples" / name)
    with redirect_stdout(StringIO()) as printed, patch.object(sys, "argv", [path, *arguments]):
        runpy.run_path(path, run_name="__main__")
    return printed.getvalue()


@pytest.mark.thorough
def test_solve() -> None:
    assert "english by rounds: SOLVED\n31 jumps in" in run("solve.py")


@pytest.mark.long
def test_compare() -> None:
    table = run("compare.py")
    assert table.count("SOLVED") == 6
    assert table.count("INFEASIBLE") == 6


@pytest.mark.long
def test_fools() -> None:
    table = run("fools.py")
    for line in ("a1: 6 jumps (OPTIMAL), by jump counts 6", "a3: 7 jumps (OPTIMAL)", "b3: 4 jumps (OPTIMAL)"):
        assert line in table


@pytest.mark.thorough
def test_own_model() -> None:
    table = run("own_model.py")
    assert table.count("by pegs_only: SOLVED") == 2
    assert table.count("by moves: SOLVED") == 2


@pytest.mark.thorough
def test_a_missing_extra_is_one_line() -> None:
    missing = "import importlib.util as u; u.find_spec = lambda name: None\n"
    code = f"{missing}import runpy; runpy.run_path({str(ROOT / 'examples' / 'export_pddl.py')!r}, run_name='__main__')"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 1
    assert done.stderr.count("\n") == 1
    assert "pegcp[planners]" in done.stderr


# kind: holes, jumps, symmetries
BOARDS = {
    "cube": (27, 54, 48),
    "square": (24, 54, 2),
    "diagonal": (16, 48, 8),
    "triangular": (13, 30, 12),
    "hexagonal": (16, 40, 4),
    "graph": (10, 60, 120),
    "lines": (7, 18, 12),
}


def test_boards_of_ones_own() -> None:
    for kind, figures in BOARDS.items():
        board = pegcp.board(str(ROOT / "examples" / "boards" / f"{kind}.toml"))
        assert (len(board.holes), len(board.jumps), board.symmetries.order) == figures, kind


@pytest.mark.thorough
def test_the_example_solves_boards_of_ones_own(capsys: pytest.CaptureFixture[str]) -> None:
    runpy.run_path(str(ROOT / "examples" / "own_board.py"))["main"]([])
    printed = capsys.readouterr().out
    assert printed.count(": SOLVED") + printed.count(": OPTIMAL") == len(BOARDS)
    assert "The Petersen graph: 10 holes, 60 jumps, 120 symmetries" in printed


def test_every_example_is_tested_or_described() -> None:
    told = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "tests").glob("test_*.py"))
    told += (ROOT / "examples" / "README.md").read_text(encoding="utf-8")
    assert [path.name for path in (ROOT / "examples").glob("*.*") if path.name not in told] == []


@pytest.mark.thorough
def test_readme_python() -> None:
    assert doctest.testfile(str(ROOT / "README.md"), module_relative=False).failed == 0


@pytest.mark.thorough
def test_positions_in_the_readme_can_be_solved(tmp_path: Path) -> None:
    texts = re.findall(r"```toml\n(.*?)```", (ROOT / "README.md").read_text(encoding="utf-8"), re.DOTALL)
    assert texts
    for number, text in enumerate(texts):
        file = tmp_path / f"{number}.toml"
        file.write_text(text, encoding="utf-8")
        assert pegcp.solve(str(file)).status == "SOLVED"


@pytest.mark.thorough
def test_pictures_are_those_that_the_script_makes() -> None:
    script = runpy.run_path(str(ROOT / "docs" / "make_pictures.py"))
    for name, picture in script["drawn"]().items():
        assert (ROOT / "docs" / "pictures" / name).read_text(encoding="utf-8") == picture, name


def test_links_and_pictures_in_the_readme_lead_somewhere() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    targets = re.findall(r"\]\((?!https:)([^)#]+)\)", readme) + re.findall(r'src="([^"]+)"', readme)
    assert len(targets) > 8
    assert [target for target in targets if not (ROOT / target).exists()] == []


def test_links_of_the_pages_lead_somewhere_in_the_repository() -> None:
    lost = []
    for folder in ("docs", "docs/teaching", "models", "examples"):
        for page in (ROOT / folder).glob("*.md"):
            targets = re.findall(r"\]\((?!https?:)([^)#]+)[^)]*\)", page.read_text(encoding="utf-8"))
            lost += [(page.name, target) for target in targets if not (page.parent / target).exists()]
    assert lost == []


def test_the_conda_recipe_asks_for_what_the_package_asks_for() -> None:
    recipe = (ROOT / "packaging" / "conda" / "recipe.yaml").read_text(encoding="utf-8")
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    wanted = {re.sub(r" *;.*", "", line).replace("ortools", "ortools-python") for line in project["dependencies"]}
    run = recipe.split("  run:\n")[1].split("\ntests:")[0]
    graph = project["optional-dependencies"]["graph"]  # conda has no extras
    assert {line.strip(" -").replace(" ", "") for line in run.splitlines() if line.strip()} == {
        *wanted, *graph, "python>=${{python_min}}",
    }  # fmt: skip
    assert f'version: "{pegcp.__version__}"' in recipe


def test_the_plug_in_of_the_documentation_works() -> None:
    from pegcp.method import Limits, Method, Run

    text = (ROOT / "docs" / "solvers.md").read_text(encoding="utf-8")
    held: dict[str, Any] = {}
    exec(re.findall(r"```python\n(.*?)```", text, re.DOTALL)[0], held)
    method = held["method"]
    assert isinstance(method, Method)
    problem = pegcp.problem("triangle10:a2->b2")
    answer = method.run(problem, Run(Limits(time=60)), {}, None)
    assert pegcp.check(problem, answer.jumps or ()).moves


def test_readme_commands_are_those_of_ci() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert readme.count("python3 -m venv") == 2
    ci = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    assert "$(readme 'pegcp compare')" in ci
    assert "$(readme '-m pytest')" in ci


@pytest.mark.parametrize("name", ["english", "french:c1->?", "english:d4!", "triangle15:a1->?", "english:c1->d4"])
def test_names_in_the_readme_mean_something(name: str) -> None:
    assert pegcp.problem(name).board.holes
