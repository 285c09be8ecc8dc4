"""The package as people import it: its names, its examples, what it shows in a terminal and in a notebook."""

from __future__ import annotations

import importlib
import inspect
import json
import pkgutil
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest
from asking import run_examples
from parts import need

import pegcp
from pegcp.errors import InputError
from pegcp.game import Position, graph_board
from pegcp.method import Answer, Reason, Status
from pegcp.results.judge import judge_answer
from pegcp.results.result import failed

PACKAGE = Path(pegcp.__file__).parent
FUNCTIONS = [name for name in pegcp.__all__ if inspect.isfunction(getattr(pegcp, name))]


def modules_with_examples() -> list[str]:
    names = ["pegcp", *(module.name for module in pkgutil.walk_packages([str(PACKAGE)], "pegcp."))]
    return [n for n in names if re.search("^ *>>> ", source(n), re.MULTILINE)]


def source(module: str) -> str:
    path = PACKAGE.parent.joinpath(*module.split("."))
    file = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
    return file.read_text(encoding="utf-8")


@pytest.mark.thorough
@pytest.mark.parametrize("module", modules_with_examples())
def test_examples_in_docstrings(module: str) -> None:
    run_examples(importlib.import_module(module), lambda text: "unified_planning" not in text)  # test_unified has those


@pytest.mark.parametrize("name", FUNCTIONS)
def test_every_public_function_has_an_example(name: str) -> None:
    doc = getattr(pegcp, name).__doc__ or ""
    assert ">>> " in doc
    assert f"pegcp.{name}(" in doc


def test_the_face_is_what_tab_offers_and_no_name_means_two_things() -> None:
    assert dir(pegcp) == sorted(pegcp.__all__)
    for name in pegcp.__all__:
        assert getattr(pegcp, name) is not None
        assert not (PACKAGE / f"{name}.py").exists()
        assert not (PACKAGE / name).exists()
    for module in pkgutil.walk_packages([str(PACKAGE)], "pegcp."):
        if module.name.count(".") == 1 and module.name not in ("pegcp.__main__", "pegcp.planning_engine"):
            importlib.import_module(module.name)
    assert inspect.isfunction(pegcp.export)
    assert inspect.isfunction(pegcp.next_jumps)
    with pytest.raises(AttributeError, match="no attribute 'Any'"):
        pegcp.Any  # noqa: B018


def test_one_problem_and_one_method_stand_for_themselves() -> None:
    (result,) = pegcp.compare("XoXX", "dfs")
    assert (result.problem.name, result.method, result.verdict) == ("XoXX", "dfs", "SOLVED")


def test_what_ships_is_listed() -> None:
    assert {"english", "triangle15"} & set(pegcp.boards()) == {"english"}
    assert all(pegcp.problem(name) for name in pegcp.problems())
    assert {"moves", "dfs", "fast-downward"} <= set(pegcp.methods())


@pytest.mark.thorough
def test_importing_the_package_loads_nothing_heavy() -> None:
    code = (
        "import sys, pegcp; pegcp.problem('english').start.after('d2-d4')\n"
        "print(sorted({'numpy', 'ortools', 'rich', 'scipy', 'numba', 'unified_planning'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout == "[]\n"


def test_reprs_say_what_the_thing_is() -> None:
    problem = pegcp.problem("english", objective="fewest-moves")
    assert repr(problem.board) == "<Board english: 33 holes, 76 jumps>"
    assert repr(problem) == (
        "<Problem english objective=fewest-moves on english: 32 pegs, goal exactly d4, fewest-moves>"
    )
    assert repr(pegcp.position("XoXX")) == "<Position on XoXX's board: 3 pegs, 0xd>"


def test_positions_by_name() -> None:
    start = pegcp.problem("english").start
    assert (start["d4"], start["d2"]) == (False, True)
    assert list(start) == start.pegs
    assert "d4" not in start
    for name in start.legal_jumps():
        assert len(start.after(name)) == 31
    assert start.after("d2-d4", "b3-d3").mask == start.after("d2 d3 d4").after("(b3 c3 d3)").mask
    assert start.after(next(start.jumps())) == start.after("d2-d4")


@pytest.mark.parametrize(
    ("jumps", "why"),
    [
        (["d2-d4", "d2-d4"], r"jump 2 \(d2-d4\) is impossible: there is no peg at d2 to jump"),
        (["d1-d3"], "d3 is not vacant"),
        (["d1-d4"], "no jump leads from d1 to d4"),
        (["d1-z4"], 'no hole "z4"'),
    ],
)
def test_an_impossible_jump_says_why(jumps: list[str], why: str) -> None:
    with pytest.raises(InputError, match=why):
        pegcp.problem("english").start.after(*jumps)
    with pytest.raises(InputError, match='no hole "z4"'):
        pegcp.problem("english").start["z4"]


def test_jumps_are_named_by_three_holes_where_two_are_not_enough() -> None:
    board = graph_board(["a", "b", "c", "d"], [("a", "b"), ("b", "c"), ("a", "d"), ("d", "c")])
    position = Position(board, board.mask(["a", "b", "d"]))
    assert position.legal_jumps() == ["(a b c)", "(a d c)"]
    assert position.after("(a d c)").pegs == ["b", "c"]


def alternative(svg: str) -> str:
    root = ElementTree.fromstring(svg)
    assert root.get("role") == "img"
    return root.get("aria-label") or ""


def test_notebooks_show_pictures_with_words_for_them() -> None:
    board, problem = pegcp.board("english"), pegcp.problem("english:c1->d4")
    assert alternative(board._repr_svg_()) == "english: 0 pegs"
    assert "d4" in [text.text for text in ElementTree.fromstring(board._repr_svg_()).iter() if text.text]
    assert alternative(problem.start._repr_svg_()) == "english: 32 pegs, vacant at c1"
    for html in (problem._repr_html_(), pegcp.problem("fig5")._repr_html_()):
        figure = ElementTree.fromstring(html)
        assert figure.tag == "figure"
        assert figure.findtext("figcaption")
    letters = [e.text for e in ElementTree.fromstring(problem.start._repr_svg_()).iter() if e.get("class")]
    assert letters == [*"abcdefg", *"1234567"]


def test_a_proof_is_shown_and_drawn() -> None:
    problem = pegcp.problem("english:c1->e5")
    result = pegcp.solve(problem, "certificate")
    figure = ElementTree.fromstring(result._repr_html_())
    assert "stays odd or stays even" in (figure.findtext("pre") or "")
    assert [e.text for e in figure.iter() if e.text == "#"] == ["#"] * 12
    assert "stays odd or stays even" in str(result)
    assert (pegcp.explain(problem) or "nothing") in str(result)
    assert pegcp.explain("XoXX") is None


def test_ten_guesses(tmp_path: Path) -> None:
    """What somebody types who knows Python and has read nothing; written down before it was tried."""
    problem = pegcp.problem("triangle10:a2->?")
    result = pegcp.solve(problem, "dfs")
    assert (result.seconds or 0) > 0
    assert len(result.moves) == len(pegcp.check(problem, " ".join(result.moves)).moves)
    result.save(tmp_path / "solution.svg")
    assert (tmp_path / "solution.svg").read_text("utf-8").startswith("<svg")
    position = pegcp.position("X X o X")
    assert position == pegcp.position("XXoX") == pegcp.problem("XXoX").start
    assert pegcp.position("english:c1").pegs == pegcp.problem("english:c1").start.pegs
    assert position.outcome() is None
    assert position.after("a1-c1").outcome() is None
    assert position.after("a1-c1", "d1-b1").outcome() == 1
    assert "no solution" in str(pegcp.prove("XoX", tmp_path / "proof"))
    assert "symmetries" in pegcp.show("english")
    assert {"english", "moves"} <= {*pegcp.boards(), *pegcp.methods()}
    assert len(pegcp.compare("XoXX", "dfs")) == 1


def test_what_is_said_is_shown_and_not_dumped() -> None:
    explained = pegcp.explain("english:c1->e5")
    assert explained is not None
    assert repr(explained) == explained
    for view in (explained, pegcp.show("XoX")):
        ElementTree.fromstring(view._repr_html_())
    assert pegcp.check("XoXX", "d1-b1 a1-c1")._repr_svg_().count("<g transform") == 3


def test_a_result_is_a_page_of_text() -> None:
    problem = pegcp.problem("XoXX")
    jumps = tuple(problem.board.jumps[i] for i in (3, 0))
    result = judge_answer(problem, "mine", Answer(Status.SOLVED, jumps=jumps))
    assert str(result) == "XoXX by mine: SOLVED\n2 jumps in 2 moves\n  d1-b1 a1-c1\n   a b c d\n1  o o X o"
    assert repr(result) == "<Result XoXX by mine: SOLVED; 2 jumps in 2 moves>"
    assert [position.pegs for position in result.positions()] == [["a1", "c1", "d1"], ["a1", "b1"], ["c1"]]
    assert pegcp.check(problem, result.moves).positions == tuple(result.positions())


@pytest.mark.thorough
def test_comparisons() -> None:
    table = pegcp.compare(["XoXX", "XoX"], ["dfs", "bfs"])
    assert [r.verdict for r in table] == ["SOLVED", "SOLVED", "INFEASIBLE", "INFEASIBLE"]
    assert isinstance(table[:2], pegcp.Comparison)
    assert list(table[:2]) == [table[0], table[1]]
    assert table.disagreements == []
    assert {score.method for score in table.scores()} == {"dfs", "bfs", "virtual best"}
    assert table.scores() == table.scores("run")
    assert "virtual best" in repr(table.scores())
    assert "virtual best" in table.scores()._repr_html_()
    assert all(score.par2 is None for score in table.scores("memory"))
    with pytest.raises(pegcp.InputError, match="there is no measure"):
        table.scores("beauty")
    assert "objective" not in str(table)  # no column without a value
    rows = [[cell.text for cell in row] for row in ElementTree.fromstring(table._repr_html_()).iter("tr")]
    assert rows[0][:3] == ["problem", "method", "verdict"]
    assert {"evidence", "jumps", "build s", "solve s", "wall s"} <= set(rows[0])  # however narrow the window is
    assert [row[:2] for row in rows[1:]] == [[r.problem.name, r.method] for r in table]


@pytest.mark.thorough
def test_a_comparison_reports_and_becomes_a_data_frame(tmp_path: Path) -> None:
    table = pegcp.compare(["XoXX"], ["dfs"])
    table.report(tmp_path / "report.csv")
    assert "XoXX" in (tmp_path / "report.csv").read_text()
    frame = table.to_dataframe()
    assert list(frame["jumps"]) == ["d1-c1-b1 a1-b1-c1"]


@pytest.mark.parametrize("method", ["moves", "rounds", "parallel", "ip1:highs", "ip-state:scip", "constraint"])
def test_models_can_be_taken_in_hand(method: str) -> None:
    problem = pegcp.problem("XXoX")
    built = pegcp.model(problem, method)
    match method.split(":")[0]:
        case "moves" | "rounds" | "parallel":
            from ortools.sat.python.cp_model import CpSolver

            solver = CpSolver()
            solver.solve(built.native)
            jumps = built.jumps(solver)
        case "constraint":
            jumps = built.jumps(built.native.getSolution())
        case _:
            from ortools.math_opt.python import mathopt

            jumps = built.jumps(mathopt.solve(built.native, mathopt.SolverType.HIGHS))
    assert jumps is not None
    assert pegcp.check(problem, jumps).positions[-1].pegs


def test_an_own_constraint_changes_the_answer() -> None:
    from ortools.sat.python.cp_model import CpSolver

    built = pegcp.model("XoXX", "moves:order=off")
    built.native.add_bool_or([])
    solver = CpSolver()
    assert solver.status_name(solver.solve(built.native)) == "INFEASIBLE"
    with pytest.raises(InputError, match="no solution to read: INFEASIBLE"):
        built.jumps(solver)


NONE = [("dfs", "is a search"), ("fast-downward", "PDDL"), ("fools", "dead-end")]


@pytest.mark.parametrize(("method", "why"), NONE)
def test_no_model_where_there_is_none(method: str, why: str) -> None:
    with pytest.raises(InputError, match=why):
        pegcp.model("english", method)


def test_a_domain_that_does_not_fit_is_refused() -> None:
    with pytest.raises(InputError, match="domains that do: last-peg, parallel, fewest-moves"):
        pegcp.to_unified_planning("triangle10:a2->?", "fools")


@pytest.mark.parametrize(("thing", "word"), [({"d4": 1}, "dict"), (5, "int"), (None, "NoneType")])
def test_what_is_no_problem_is_refused_and_said_what_one_is(thing: Any, word: str) -> None:
    with pytest.raises(InputError, match=word):
        pegcp.solve(thing)


def test_a_replay_is_shown_as_moves_and_the_last_position() -> None:
    replay = pegcp.check("XoXX", "d1-b1 a1-c1")
    assert str(replay) == "d1-b1 a1-c1\n   a b c d\n1  o o X o"
    assert repr(replay) == "<Replay: 2 jumps in 2 moves>"


def test_variables_of_a_model_are_asked_for_by_names_of_holes() -> None:
    need("cp-sat")
    built = pegcp.model("XoXX", "moves")
    with pytest.raises(KeyError, match="z9"):
        built.peg[1]["z9"]
    with pytest.raises(InputError, match="z9"):
        built.made[1]["z9-a1"]
    assert len(repr(built)) < 100
    assert "CpModel" in repr(built)


@pytest.mark.thorough
@pytest.mark.parametrize(("method", "objective"), [("fewest-moves", "fewest-moves"), ("dfs", None)])
def test_a_result_is_the_same_after_json(method: str, objective: str | None) -> None:
    result = pegcp.solve(pegcp.problem("triangle15:a1->?", objective=objective), method)
    assert ("trace" in result.statistics) == (objective is not None)
    assert pegcp.read_result(json.loads(json.dumps(result.to_json()))) == result
    with pytest.raises(InputError, match="reason"):
        pegcp.read_result({key: value for key, value in result.to_json().items() if key != "reason"})


@pytest.mark.parametrize(
    ("call", "why"),
    [
        (lambda: pegcp.solve("english", 5), 'given by its name, such as "moves", not by 5'),  # type: ignore[arg-type]
        (lambda: pegcp.model("english", 5), 'given by its name, such as "moves", not by 5'),  # type: ignore[arg-type]
        (lambda: pegcp.export("english", 5), 'given by its name, such as "moves", not by 5'),  # type: ignore[arg-type]
        (lambda: pegcp.compare("XoXX", 5), 'given by its name, such as "moves", not by 5'),  # type: ignore[arg-type]
        (lambda: pegcp.compare(5, "dfs"), "expected a problem"),  # type: ignore[arg-type]
        (lambda: pegcp.solve("XoXX", time_limit="5"), "time limit must be a number, not '5'"),  # type: ignore[arg-type]
        (lambda: pegcp.solve("XoXX", workers=2.5), "workers must be a whole number, not 2.5"),  # type: ignore[arg-type]
        (lambda: pegcp.solve("XoXX", seed=True), "seed must be a whole number, not True"),
        (lambda: pegcp.next_jumps("XoXX", time_limit="5"), "time limit must be a number"),  # type: ignore[arg-type]
        (lambda: pegcp.compare("XoXX", "dfs", seeds="3"), "number of seeds must be a"),  # type: ignore[arg-type]
        (lambda: pegcp.Problem("english", "d4", "d4"), r'pegcp.problem\("english", start='),  # type: ignore[arg-type]
        (lambda: pegcp.Board("english"), r'pegcp.board\("english"\)'),  # type: ignore[arg-type]
        (lambda: pegcp.board(5), "expected the name of a board"),  # type: ignore[arg-type]
        (lambda: pegcp.problem("english", goal="z9"), '^goal: english has no hole "z9"'),
        (lambda: pegcp.next_jumps("XoXX", "z1-a1"), "^after: "),
    ],
)
def test_a_wrong_argument_is_told_in_a_sentence(call: Callable[[], object], why: str) -> None:
    with pytest.raises(InputError, match=why):
        call()


def test_a_result_without_a_library_says_how_to_install_it() -> None:
    message = "sat-rounds needs python-sat; install it with: pip install 'pegcp[sat]'"
    result = failed(pegcp.problem("XoXX"), "sat-rounds", Reason.MISSING, message)
    assert message in repr(result)
    assert message in str(result)


def test_results_of_a_file_are_a_comparison(tmp_path: Path) -> None:
    table = pegcp.compare(["XoXX", "XXoXX"], "dfs", out=tmp_path / "r.jsonl")
    with (tmp_path / "r.jsonl").open("a") as file:
        file.write("{}\n")
    with pytest.warns(UserWarning, match=r"r.jsonl:\d+: not a result"):
        again = pegcp.load(tmp_path / "r.jsonl")
    assert [run.verdict for run in again] == [run.verdict for run in table] == ["SOLVED", "INFEASIBLE"]
    with pytest.raises(InputError, match=r"pegcp\.position"):
        pegcp.Position("english")  # type: ignore[arg-type]


def test_a_wrong_solution_whose_reason_says_so_is_no_result() -> None:
    data = pegcp.solve("XoXX", "dfs").to_json()
    with pytest.raises(InputError, match="2 pegs are left"):
        pegcp.read_result({**data, "jumps": [["d1", "c1", "b1"]], "reason": "INVALID_SOLUTION"})


@pytest.mark.parametrize("jumps", [5, None, ["d2-d4", 5], [None]])
def test_what_is_no_jump_is_told_in_a_sentence(jumps: Any) -> None:
    for ask in (pegcp.check, pegcp.next_jumps, lambda problem, jumps: pegcp.problem(problem).start.after(jumps)):
        with pytest.raises(InputError, match="jumps are text, such as"):
            ask("english", jumps)


@pytest.mark.parametrize("board", [(5,), (None,), ("english",)])
def test_a_position_of_no_board_is_told_in_a_sentence(board: tuple[Any, ...]) -> None:
    with pytest.raises(InputError, match="a position needs a board and a bit mask"):
        pegcp.Position(*board)


@pytest.mark.parametrize("option", ["start", "after"])
def test_a_change_that_is_no_text_is_told_in_a_sentence(option: str) -> None:
    with pytest.raises(InputError, match=f"{option}: expected text that names holes or jumps, not 5"):
        pegcp.problem("english", **{option: 5})  # type: ignore[arg-type]


def test_jumps_holes_and_arrays_as_programs_have_them() -> None:
    result = pegcp.solve("XoXX", "dfs")
    names: Any = result.to_json()["jumps"]
    pairs: Any = [(first, last) for first, _, last in names]
    number: Any = 5
    for jumps in (result, names, pairs):
        assert len(pegcp.check("XoXX", jumps).moves) == 2
    with pytest.raises(pegcp.InputError, match="jumps are text"):
        pegcp.check("XoXX", [number])
    start = pegcp.position("english")
    assert pegcp.problem("english", start=start.pegs).start == start
    assert pegcp.problem("english", after=["d2-d4", "b3-d3"]).start == start.after("d2-d4 b3-d3")
    drawing: Any = np.array([[np.nan, 1, 1, 0], [1, 1, 1, 1], [1, 1, 0, 1]])
    assert pegcp.problem(drawing).start.pegs == pegcp.problem(" XXo\nXXXX\nXXoX").start.pegs
