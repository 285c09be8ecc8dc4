"""Parts that are not installed: one error, which says what to type here. The tests hide modules that are there."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Callable, Sequence
from importlib.machinery import ModuleSpec
from pathlib import Path

import pytest
from asking import typed

import pegcp
from pegcp import errors
from pegcp.backends import inventory
from pegcp.backends.interface import Backend, BackendInfo
from pegcp.catalogue.choice import choose
from pegcp.catalogue.methods import bundled
from pegcp.method import Run
from pegcp.states.graph import level_counts, state_graph


class _Hidden:
    """A finder that says of some modules that they are not there."""

    def __init__(self, names: set[str]) -> None:
        self.names = names

    def find_spec(self, name: str, _path: Sequence[str] | None = None, _target: object = None) -> ModuleSpec | None:
        if name.partition(".")[0] in self.names:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
        return None


Hide = Callable[..., None]


@pytest.fixture
def hide(monkeypatch: pytest.MonkeyPatch) -> Hide:
    """Hides modules, and the models that import them, until the test ends."""

    def hide(*names: str) -> None:
        for name in list(sys.modules):
            if name.partition(".")[0] in names or name.startswith("_pegcp_file_"):
                monkeypatch.delitem(sys.modules, name)
        monkeypatch.setattr(sys, "meta_path", [_Hidden(set(names)), *sys.meta_path])

    return hide


@pytest.mark.parametrize("name", [info.name for info in inventory.infos() if info.modules])
@pytest.mark.usefixtures("own_folder")
def test_a_backend_without_its_library_says_what_to_type(name: str, hide: Hide) -> None:
    info = inventory.info(name)
    assert info is not None
    hide(*info.modules)
    load = info.require if isinstance(info, Backend) else lambda: choose(name).run(pegcp.problem("XXo"), Run())
    with pytest.raises(pegcp.Missing) as caught:
        load()
    assert str(caught.value).endswith(errors.how_to_install(info.package))


@pytest.mark.parametrize(
    ("method", "module", "extra"),
    [("cpmpy-rounds", "cpmpy", "cpmpy"), ("choco-rounds", "pychoco", "choco"), ("bdd", "oxidd", "bdd")],
)
def test_a_model_in_a_library_that_is_not_there(method: str, module: str, extra: str, hide: Hide) -> None:
    hide(module)
    with pytest.raises(pegcp.Missing, match=rf"pegcp\[{extra}\]"):
        pegcp.model(pegcp.problem("XXo"), method)


def test_an_export_by_a_library_that_is_not_there(hide: Hide) -> None:
    hide("cpmpy")
    with pytest.raises(pegcp.Missing, match=r"pegcp\[cpmpy\]"):
        pegcp.export(pegcp.problem("triangle15"), "cpmpy-rounds")


@pytest.mark.parametrize("method", ["sat-rounds", "asp-rounds", "smt-sweep"])
def test_texts_need_no_solver(method: str, hide: Hide) -> None:
    wanted = pegcp.export(pegcp.problem("XXo"), method)
    hide("pysat", "pysolvers", "clingo", "bitwuzla", "cvc5", "z3")
    assert pegcp.export(pegcp.problem("XXo"), method) == wanted
    assert pegcp.model(pegcp.problem("XXo"), method).model


def test_a_model_of_the_user_that_imports_what_is_not_there(tmp_path: Path) -> None:
    mine = tmp_path / "mine.py"
    text = Path(bundled()["rounds"].path or "").read_text(encoding="utf-8")
    mine.write_text(text.replace("\nfrom ortools", "\nimport nowhere_to_be_found\nfrom ortools", 1), encoding="utf-8")
    with pytest.raises(pegcp.InputError, match=r"mine\.py.*nowhere_to_be_found"):
        pegcp.model(pegcp.problem("XXo"), str(mine))


def test_a_task_of_unified_planning_without_it(hide: Hide) -> None:
    hide("unified_planning")
    with pytest.raises(pegcp.Missing, match=r"pegcp\[planners\]"):
        pegcp.to_unified_planning("XXo")


def test_the_command_next_without_numpy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(errors, "is_importable", lambda name: name != "numpy")
    assert "needs the package numpy; install it with: " in typed("next", "XoXX", status=2)


@pytest.mark.parametrize("pip", [True, False])
def test_what_to_type_runs_in_an_environment_with_and_without_pip(pip: bool, hide: Hide) -> None:
    if not pip:
        hide("pip")
    command = errors.how_to_install("pegcp[sat,asp]")
    assert command.endswith(" install 'pegcp[sat,asp]'")
    assert command.startswith(sys.executable) == errors.is_importable("pip")
    assert (f"--python {sys.executable}" in command) != errors.is_importable("pip")


WITHOUT_NUMBA = """
import sys, warnings
sys.modules["numba"] = None
warnings.simplefilter("error")
import pegcp
from pegcp.catalogue.choice import choose
from pegcp.method import Run
from pegcp.results.judge import judge_answer
for text in sys.argv[1:]:
    name, objective, method = text.split()
    problem = pegcp.problem(name, objective=objective)
    result = judge_answer(problem, method, choose(method).run(problem, Run()))
    print(result.status, result.objective)
"""


@pytest.mark.long
def test_small_boards_without_numba() -> None:
    asked = {
        "triangle10:a2->? any bfs": "SOLVED None",
        "triangle15:a1->? count count": "OPTIMAL 29760",
        "triangle15:a1 fewest-moves fewest-moves": "OPTIMAL 10",
        "triangle15:b3! fewest-jumps bfs": "OPTIMAL 4",
    }
    command = [sys.executable, "-c", WITHOUT_NUMBA, *asked]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert done.stderr == ""
    assert done.stdout.splitlines() == list(asked.values())


@pytest.mark.thorough
def test_a_board_without_coordinates_is_drawn_without_scipy_and_networkx() -> None:
    code = (
        "import sys; sys.modules['scipy'] = sys.modules['networkx'] = None; import pegcp; pegcp.board('cycle8').places"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=False)
    assert done.stderr == ""


def test_a_data_frame_without_pandas_says_what_to_install(hide: Hide) -> None:
    table = pegcp.compare(["XXo"], ["dfs"])
    hide("pandas")
    with pytest.raises(pegcp.Missing, match="install pandas"):
        table.to_dataframe()


def test_positions_are_counted_without_networkx_and_a_graph_of_them_says_what_to_install(hide: Hide) -> None:
    problem = pegcp.problem("XoXX")
    hide("networkx")
    assert [counts.positions for counts in level_counts(problem, Run())] == [1, 1, 1]
    for graph in (pegcp.graph, state_graph):
        with pytest.raises(pegcp.Missing, match=re.escape("pegcp[graph]")):
            graph(problem)


def test_a_backend_without_package_and_command_is_named() -> None:
    assert "needs Mine" in str(BackendInfo("mine", "Mine").missing())
