"""The headers of model files: what they say, and that every slip is an error with its place."""

from __future__ import annotations

import sys
import traceback
from pathlib import Path
from types import ModuleType

import pytest
from asking import answer
from parts import need

import pegcp
from pegcp import backends
from pegcp.catalogue.choice import choose
from pegcp.catalogue.modelfile import ModelMethod, bundled_models, file_method
from pegcp.errors import InputError
from pegcp.game import Objective
from pegcp.method import Status

BUILD = "def build(problem):\n    pass\n"
HORIZONS = "def horizons(problem):\n    return [1]\n\ndef build(problem, horizon):\n    pass\n"


def header(tmp_path: Path, source: str) -> None:
    file = tmp_path / "mine.py"
    file.write_text(source, encoding="utf-8")
    file_method(file)


def test_what_a_header_says() -> None:
    methods = {m.name: m for m in map(file_method, bundled_models()) if isinstance(m, ModelMethod)}
    models = {name: methods[name].load() for name in ("fools", "long-hop", "rounds")}
    assert models["fools"].measures is Objective.FEWEST_JUMPS
    assert models["long-hop"].measures is Objective.FEWEST_MOVES
    assert (models["rounds"].horizons is not None, models["rounds"].measures) == (True, None)
    assert methods["ip1"].backends == ("highs", "scip", "cp-sat-mathopt")
    assert methods["constraint"].option_values["solver"] == ("optimized", "backtracking", "recursive")


@pytest.mark.parametrize(
    ("source", "line", "message"),
    [
        ("BACKENDS = 5\n" + BUILD, 1, "BACKENDS must be a tuple of names"),
        ("BACKENDS = ()\n" + BUILD, 1, "BACKENDS must be a tuple of names"),
        ('BACKENDS = "cp-sat"\n' + BUILD, 1, "BACKENDS must be a tuple of names"),
        ('BACKENDS = ("cpsat",)\n' + BUILD, 1, 'did you mean "cp-sat"'),
        ('BACKENDS: tuple[str, ...] = ("cpsat",)\n' + BUILD, 1, 'did you mean "cp-sat"'),
        ("\nGOALS = ([1],)\n" + BUILD, 2, "unknown name [1] in GOALS"),
        ('GOALS = ("onepeg",)\n' + BUILD, 1, 'did you mean "one-peg"'),
        ('GOALS = {"one-peg"}\n' + BUILD, 1, "GOALS must be a tuple"),
        ("GOALS = tuple()\n" + BUILD, 1, "must be a literal"),
        ('OBJECTIVES = ("fewest_jumps",)\n' + BUILD, 1, 'did you mean "fewest-jumps"'),
        ('OBJECTIVES = ("any", "count")\nBACKENDS = ("cp-sat", "scip")\n' + BUILD, 1, "scip cannot count solutions"),
        ('HORIZON = "fewest_jumps"\n' + HORIZONS, 1, 'did you mean "fewest-jumps"'),
        ("HORIZON = 3\n" + HORIZONS, 1, "HORIZON names the objective"),
        ('HORIZON = ["any"]\n' + HORIZONS, 1, "HORIZON names the objective"),
        ('HORIZON = "fewest-jumps"\n' + BUILD, 1, "needs a function horizons"),
        ('HORIZONS = "fewest-jumps"\n' + HORIZONS, 1, "did you mean HORIZON"),
        ('BACKEND = ("scip",)\n' + BUILD, 1, "did you mean BACKENDS"),
        ("def build(problem, *, n: Literal[5] = 5):\n    pass\n", 1, "texts"),
        (
            'def build(problem, *, n: Literal["abc"] = "a"):\n    pass\n',
            1,
            "option n",
        ),
        ("def build(problem, *, n: Literal[m] = 5):\n    pass\n", 1, "must be a literal"),
        ('def build(problem, *, n=b"x"):\n    pass\n', 1, "must be a number, text, True or False"),
        ("def build(problem, *, n=None):\n    pass\n", 1, "must be a number, text, True or False"),
        ("def build(problem, *, n):\n    pass\n", 1, "option n needs a default"),
        ("def built(problem):\n    pass\n", None, "needs a function build"),
        ("def build(problem:\n", 1, "not valid Python"),
        ("x = " + "(" * 10_000 + ")" * 10_000 + "\n" + BUILD, None, "not valid Python"),
        ("GOALS = " + "-" * 5_000 + "1\n" + BUILD, None, "mine.py"),
        ("\0" + BUILD, None, "not valid Python"),
        ("#" * 1_000_001 + "\n" + BUILD, None, "larger than 1 MB"),
    ],
)
def test_a_slip_in_a_header_is_an_error_with_its_line(
    tmp_path: Path, source: str, line: int | None, message: str
) -> None:
    with pytest.raises(InputError) as caught:
        header(tmp_path, source)
    assert message in str(caught.value)
    assert "mine.py" in str(caught.value)
    if line is not None:
        assert caught.value.line == line


@pytest.mark.parametrize("comment", ["% N = the number of holes", "% T = {1, 2", "% X = jumps (both ways)"])
def test_a_comment_of_a_file_of_rules_may_have_an_equals_sign(tmp_path: Path, comment: str) -> None:
    file = tmp_path / "mine.lp"
    file.write_text(f'{comment}\n% GOALS = ("exact",)\n% STEPS = "2..10, most"\n', encoding="utf-8")
    assert file_method(file).goals == {"exact"}
    file.write_text('% GOAL = ("exact",)\n% STEPS = "2..10, most"\n', encoding="utf-8")
    with pytest.raises(InputError, match="did you mean GOALS"):
        file_method(file)


MINE = '''"""A model that can be edited."""
from pegcp.modelling import Formulation

BACKENDS = ("cp-sat",)


def build(problem, *, {option}=1):
    from ortools.sat.python.cp_model import CpModel

    model = CpModel()
    model.new_bool_var("{name}")
    return Formulation(model, lambda value: {jumps})
'''


def names(file: Path) -> list[str]:
    return [variable.name for variable in pegcp.model("XoXX", str(file)).native.proto.variables]


def test_an_edited_model_is_another_model(tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text(MINE.format(option="n", name="a", jumps="[]"), encoding="utf-8")
    first, modules = pegcp.model("XoXX", str(file)), set(sys.modules)
    assert choose(str(file)).all_options == {"n": 1}
    file.write_text(MINE.format(option="m", name="b", jumps="[]"), encoding="utf-8")
    assert (names(file), choose(str(file)).all_options) == (["b"], {"m": 1})
    assert [variable.name for variable in first.native.proto.variables] == ["a"]
    assert set(sys.modules) == modules


def test_a_model_that_was_chosen_stays_the_one_that_it_was(tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text(MINE.format(option="n", name="a", jumps="[]"), encoding="utf-8")
    before = choose(str(file))
    file.write_text(MINE.format(option="n", name="b", jumps="[]"), encoding="utf-8")
    after, problem = choose(str(file)), pegcp.problem("XoXX")
    for _ in range(2):
        for choice, name in ((before, "a"), (after, "b")):
            assert isinstance(choice.method, ModelMethod)
            built = choice.method.load().build(problem, None, {})
            assert [variable.name for variable in built.native.proto.variables] == [name]
    assert before.method.fingerprint != after.method.fingerprint


@pytest.mark.parametrize("ending", ["lp", "mzn"])
def test_edited_rules_are_other_rules(tmp_path: Path, ending: str) -> None:
    file = tmp_path / f"mine.{ending}"
    for text in ("first", "second"):
        file.write_text(f'% STEPS = "3"\n% {text}\n', encoding="utf-8")
        assert text in pegcp.model("XoXX", str(file)).native.text
    file.write_text('% STEP = "4"\n', encoding="utf-8")
    with pytest.raises(InputError, match="did you mean STEPS"):
        choose(str(file))


@pytest.mark.thorough
def test_every_way_to_run_a_model_sees_the_edit(tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    for jumps, verdict in (
        ("[]", "UNKNOWN INVALID_SOLUTION"),
        ("[jump for jump in problem.board.jumps if jump.is_legal(problem.start.mask)]", "SOLVED"),
    ):
        file.write_text(MINE.format(option="n", name="a", jumps=jumps), encoding="utf-8")
        assert pegcp.solve("XXo", str(file)).verdict == verdict
        (result,) = pegcp.compare("XXo", str(file), out=tmp_path / "results.jsonl")
        assert result.verdict == verdict


HELPED = """from helper import NAME
from ortools.sat.python.cp_model import CpModel
from pegcp.modelling import Formulation


def build(problem):
    model = CpModel()
    model.new_bool_var(NAME)
    return Formulation(model, lambda value: [])
"""


def test_modules_beside_a_model_belong_to_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two folders have modules of one name, and one of them is edited; that of the program stays as it is."""
    own = ModuleType("helper")
    monkeypatch.setitem(sys.modules, "helper", own)
    prints = set()
    for folder, name in (("one", "a"), ("two", "b"), ("one", "c")):
        (tmp_path / folder).mkdir(exist_ok=True)
        (tmp_path / folder / "helper.py").write_text("from deeper import NAME\n", encoding="utf-8")
        (tmp_path / folder / "deeper.py").write_text(f"NAME = {name!r}\n", encoding="utf-8")
        file = tmp_path / folder / "mine.py"
        file.write_text(HELPED, encoding="utf-8")
        assert names(file) == [name]
        prints.add(choose(str(file)).method.fingerprint)
    assert len(prints) == 3
    assert sys.modules["helper"] is own
    assert "deeper" not in sys.modules
    assert not list(tmp_path.rglob("__pycache__"))


def test_a_traceback_shows_the_lines_of_the_model_that_ran(tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    for line in ("x = 1 / 0", "y = 1 / 0"):  # as long as the other, and written in the same moment
        file.write_text(f"def build(problem):\n    {line}\n", encoding="utf-8")
        with pytest.raises(ZeroDivisionError) as caught:
            pegcp.model("XoXX", str(file))
        assert traceback.extract_tb(caught.value.__traceback__)[-1].line == line


def test_a_model_that_raises_when_it_is_loaded_is_forgotten(tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text("1 / 0\n" + MINE.format(option="n", name="a", jumps="[]"), encoding="utf-8")
    modules = set(sys.modules)
    with pytest.raises(ZeroDivisionError):
        pegcp.model("XoXX", str(file))
    assert set(sys.modules) == modules
    file.write_text(MINE.format(option="n", name="a", jumps="[]"), encoding="utf-8")
    assert names(file) == ["a"]


def test_one_value_of_a_literal_is_one_value(tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text('def build(problem, *, n: Literal["abc"] = "abc"):\n    pass\n', encoding="utf-8")
    assert choose(f"{file}:n=abc").all_options == {"n": "abc"}
    with pytest.raises(InputError, match="it takes abc"):
        choose(f"{file}:n=a")


def test_a_missing_file(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"none\.py: cannot read"):
        file_method(tmp_path / "none.py")


def test_a_value_sets_no_other_parameter() -> None:
    with pytest.raises(InputError, match="other parameters"):
        backends.backend("cp-sat").check_parameter("linearization_level", "2 output_drat_proof: true")


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("moves:cp-sat.linearisation_level=2", 'did you mean "linearization_level"'),
        ("moves:cp-sat.linearization_level=x", "integer"),
        ("moves:cp-sat.num_workers=9", "no parameter"),
        ("moves:cp-sat.max_time_in_seconds=9", "no parameter"),
        ("moves:highs.presolve=off", "moves runs on cp-sat"),
        ("ip-rounds:scip:highs.presolve=off", "ip-rounds runs on scip"),
        ("dfs:cp-sat.linearization_level=2", "no solver"),
        ("ip-rounds:highs.presolve=of", "presolve"),
        ("ip-rounds:scip.presolves=off", 'did you mean "presolve"'),
        ("sat-rounds:cadical.restartint=1", "cadical takes no parameters"),
        ("asp-rounds:clingo.heuristics=Vsids", 'did you mean "heuristic"'),
        ("asp-rounds:clingo.heuristic=x", "heuristic"),
        ("asp-rounds:clingo.seed=1", "no parameter"),
        ("smt-sweep:bitwuzla.rewrite-level=1", "bitwuzla takes no parameters"),
        ("mzn-rounds:minizinc.solvers=gecode", 'did you mean "solver"'),
    ],
)
def test_parameters_of_solvers_that_there_are_not(text: str, why: str) -> None:
    solvers = ("cp-sat", "highs", "cadical", "glucose", "clingo", "minizinc", "bitwuzla")
    need(*(name for name in solvers if f":{name}." in text))
    with pytest.raises(InputError, match=why):
        choose(text)


@pytest.mark.parametrize(
    "text",
    [
        "moves:cp-sat.linearization_level=2:order=off",
        "rounds:cp-sat.restart_algorithms=[LUBY_RESTART]",
        "ip-rounds:highs.presolve=off",
        "asp-rounds:clingo.heuristic=Vsids",
        pytest.param("mzn-rounds:minizinc.solver=gecode", marks=pytest.mark.thorough),
    ],
)
def test_parameters_of_solvers(text: str) -> None:
    """They choose their solver, are told, and reach it."""
    need(text.partition(":")[2].partition(".")[0])
    chosen = choose(text)
    (name,) = (key for key in chosen.all_options if "." in key)
    assert name.partition(".")[0] == chosen.backend
    assert answer(pegcp.problem("XoXX"), text).status is Status.SOLVED
