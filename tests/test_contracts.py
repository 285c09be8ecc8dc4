"""What the type checker cannot see of the contracts between the rooms."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path
from typing import cast

import pytest
from asking import answer, boards

import pegcp
import pegcp.backends
from pegcp import library, machine
from pegcp.backends import BACKENDS, backend
from pegcp.backends.inventory import infos
from pegcp.backends.planners import BY_COMMAND, shipped
from pegcp.catalogue.choice import Choice, choose
from pegcp.catalogue.methods import added, bundled
from pegcp.catalogue.modelfile import Source, bundled_models, bundled_searches, name_of, read_source
from pegcp.formats.files import models_folder
from pegcp.formats.toml import problem_file, read_problem
from pegcp.game import GOAL_KINDS, DeadEnd, Exact, Goal, Nearest, Objective, OnePeg, Partial, Problem
from pegcp.method import Answer, Method, Options, Run, Status


@pytest.mark.parametrize("name", BACKENDS)
def test_a_backend_is_registered_under_its_name(name: str) -> None:
    assert backend(name).name == name


OTHERS = """
from pegcp.backends.interface import Backend

class Right(Backend):
    def search(self, loop, formulation, state, seconds):
        return False

RIGHT = Right("right", "right")
NUMBER = 5

def right():
    return RIGHT

def number():
    return NUMBER
"""


@pytest.mark.parametrize(
    ("name", "fault"),
    [
        ("number", "others must be a pegcp.backends.interface.Backend, or return one"),
        ("NUMBER", "TypeError"),
        ("Right", "TypeError"),
        ("RIGHT", ""),
        ("right", ""),
    ],
)
def test_a_backend_of_another_package_that_is_none_is_missing_and_says_why(
    name: str, fault: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "others.py").write_text(OTHERS)
    (tmp_path / "others-1.0.dist-info").mkdir()
    (tmp_path / "others-1.0.dist-info" / "METADATA").write_text("Metadata-Version: 2.1\nName: others\nVersion: 1.0\n")
    points = f"[pegcp.backends]\nothers = others:{name}\n"
    (tmp_path / "others-1.0.dist-info" / "entry_points.txt").write_text(points)
    monkeypatch.syspath_prepend(tmp_path)
    machine.plugins.cache_clear()
    try:
        plugin = backend("others")
        if fault:
            assert plugin.version() is None
            assert fault in str(plugin.missing())
            assert fault in plugin.title
        else:
            assert plugin.name == "right"
    finally:
        sys.modules.pop("others", None)
        machine.plugins.cache_clear()


@pytest.mark.parametrize("group", ["pegcp.backends", "pegcp.methods"])
def test_a_plug_in_that_ends_the_program_ends_no_list(
    group: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "quitting.py").write_text("raise SystemExit(3)\n")
    (tmp_path / "quitting-1.0.dist-info").mkdir()
    (tmp_path / "quitting-1.0.dist-info" / "METADATA").write_text("Metadata-Version: 2.1\nName: quitting\nVersion: 1\n")
    (tmp_path / "quitting-1.0.dist-info" / "entry_points.txt").write_text(f"[{group}]\nquitting = quitting:thing\n")
    monkeypatch.syspath_prepend(tmp_path)
    machine.plugins.cache_clear()
    try:
        assert "SystemExit(3)" in str(machine.plugins(group, object)["quitting"])
    finally:
        machine.plugins.cache_clear()


def test_a_plug_in_with_the_name_of_a_method_that_ships_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(machine, "plugins", lambda *_: {"dfs": bundled()["bfs"]})
    assert "choose another name" in str(added()["dfs (plug-in)"])
    assert "dfs" not in added()


@pytest.mark.thorough
def test_registering_a_backend_imports_no_solver() -> None:
    """Of all that are registered, in a process of their own."""
    code = (
        "import sys\nfrom pegcp.backends import BACKENDS, backend, modules\n"
        "solvers = {module.partition('.')[0] for name in BACKENDS for module in backend(name).modules}\n"
        "print(sorted(solvers & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout == "[]\n"


TOY = '''"""A backend that knows one solution."""
from pegcp.backends.interface import Backend


class Toy(Backend):
    def search(self, loop, formulation, state, seconds):
        return formulation.model.get


TOY = Toy(name="toy", title="a toy", distribution="click", modules=("click",))
'''
TOY_MODEL = '''"""The first legal jump."""
from pegcp.modelling import Formulation

BACKENDS = ("toy",)
GOALS = ("one-peg",)


def build(problem):
    made = {jump: jump.is_legal(problem.start.mask) for jump in problem.board.jumps}
    return Formulation(made, lambda value: [jump for jump in made if value(jump)])
'''


def test_a_backend_is_one_file_and_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "toy.py").write_text(TOY, encoding="utf-8")
    (tmp_path / "mine.py").write_text(TOY_MODEL, encoding="utf-8")
    monkeypatch.setattr("pegcp.backends.__path__", [*pegcp.backends.__path__, str(tmp_path)])
    monkeypatch.setitem(BACKENDS, "toy", "toy:TOY")
    result = answer(pegcp.problem("XXo"), str(tmp_path / "mine.py"))
    assert (result.status, choose(str(tmp_path / "mine.py")).backend) == (Status.SOLVED, "toy")
    assert "toy" in [info.name for info in infos()]


IDLE = TOY.replace("def search(", "def look(")


def test_a_backend_without_a_search_says_what_to_define(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "idle.py").write_text(IDLE, encoding="utf-8")
    (tmp_path / "mine.py").write_text(TOY_MODEL, encoding="utf-8")
    monkeypatch.setattr("pegcp.backends.__path__", [*pegcp.backends.__path__, str(tmp_path)])
    monkeypatch.setitem(BACKENDS, "toy", "idle:TOY")
    with pytest.raises(NotImplementedError, match=r"Toy must define search\(self, loop, formulation, state, seconds\)"):
        choose(str(tmp_path / "mine.py")).run(pegcp.problem("XXo"), Run())


def test_names_are_unique() -> None:
    names = [name_of(path) for path in (*bundled_models(), *bundled_searches())]
    names += [name for name in shipped() if name != BY_COMMAND]
    assert len(set(names)) == len(names)
    backends = list(BACKENDS) + [name for name in shipped() if name != BY_COMMAND]
    assert len(set(backends)) == len(backends)


def test_every_goal_and_objective_is_answered_by_some_method() -> None:
    methods = bundled().values()
    for goal in GOAL_KINDS:
        assert any(goal in method.goals for method in methods), goal
    for objective in Objective:
        assert any(objective in method.objectives for method in methods), objective


def test_choosing_a_method_reads_its_file_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every run of every worker loads one."""
    paths: list[Path] = []

    def read(path: Path) -> Source:
        paths.append(path)
        return read_source(path)

    monkeypatch.setattr("pegcp.catalogue.modelfile.read_source", read)
    choose("dfs")
    assert [path.name for path in paths] == ["dfs.py"]


def test_models_import_only_what_models_are_written_with() -> None:
    for path in models_folder().glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            names = [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            names += [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            for name in names:
                rooms = ("modelling", "theory", "game", "method")
                allowed = name.partition(".")[0] != "pegcp" or name.split(".")[1:2] in [[room] for room in rooms]
                assert allowed, f"{path.name}: {name}"


GOALS: dict[str, Goal] = {
    goal.kind: goal for goal in (Exact(1), OnePeg(), Partial(1, 2), DeadEnd(), Nearest(1, (1, 0, 2, 1)))
}


def test_every_goal_and_objective_is_written_and_read_back() -> None:
    assert GOALS.keys() == GOAL_KINDS
    start = pegcp.problem("XoXX").start
    for goal in GOALS.values():
        for objective in Objective:
            if objective is Objective.NEAREST and not isinstance(goal, Nearest):
                continue
            problem = Problem(start.board, start, goal, objective)
            assert read_problem(problem_file(problem)) == problem


def test_no_problem_is_called_like_a_board() -> None:
    """The problem would hide the board."""
    known = {board.name for board in boards()}
    for name in library.problem_names():
        assert name not in known
        assert not any(family.sizes(name) for family in library.FAMILIES), name


def test_the_catalogue_lists_every_model() -> None:
    catalogue = (models_folder() / "README.md").read_text("utf-8")
    for path in models_folder().iterdir():
        assert path.suffix in ("", ".md") or f"({path.name})" in catalogue, path.name


def test_a_method_that_returns_no_answer_is_named() -> None:
    class Wrong(Method):
        def run(self, problem: Problem, run: Run, options: Options, backend: str | None) -> Answer:  # noqa: ARG002
            return cast("Answer", "hello")

    choice = Choice(Wrong("wrong", "", GOAL_KINDS, frozenset({"any"})), None, {}, "wrong")
    with pytest.raises(TypeError, match=r"method wrong must return a pegcp\.method\.Answer, not 'hello'"):
        choice.run(pegcp.problem("XXo"), Run())
