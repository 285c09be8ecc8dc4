"""CP-SAT on the page of models: the stand-in for its Python interface writes the same models as OR-tools itself."""

from __future__ import annotations

import importlib
import importlib.util
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import ortools.sat.python
import pytest
from google.protobuf import text_format
from ortools.sat.cp_model_pb2 import CpModelProto, CpSolverResponse
from ortools.sat.python import cp_model as original
from ortools.sat.sat_parameters_pb2 import SatParameters

import pegcp
from pegcp import backends
from pegcp.catalogue.methods import bundled
from pegcp.catalogue.modelfile import ModelMethod
from pegcp.method import Limits, Run, Status
from pegcp.results.judge import judge_answer

LAB = Path(__file__).parent.parent / "docs" / "lab"
MODELS = [name for name, method in bundled().items() if method.backends == ("cp-sat",)]
FEW = (
    "lab3", "XoXX", "XXoXX", "XXo", "X", "triangle15:b3->a1", "triangle10:a2->b2", "triangle6:a1->?", "line6:c1->?",
    "rectangle3x4:a1->?", "cycle8:0->4", "square4:a1->?",
    "line4:a1!", "line5:c1!", "line6:a1!", *(f"triangle10:{hole}!" for hole in ("a1", "a2", "b2")), "triangle15:b3!",
)  # fmt: skip
LARGE = (
    "english", "english:c1->d4", "cross", "pyramid", "army3", "hexagon19:c3->?", "triangle15:a1->?",
    "triangle10:a1->?", "english:c1!", "english:d4!",
    *(f"triangle{size}:{hole}!" for size in (15, 21) for hole in ("a1", "a2", "b2", "a3", "b3")),
)  # fmt: skip


@pytest.fixture(scope="module")
def stand_in() -> Iterator[Any]:
    """The module of the page."""
    sys.path.insert(0, str(LAB))
    try:
        yield importlib.import_module("cp_model")
    finally:
        sys.path.remove(str(LAB))


def module(name: str) -> Any:
    """The model file, imported afresh."""
    path = bundled()[name].path
    assert path is not None
    spec = importlib.util.spec_from_file_location(f"model_{path.stem}", path)
    assert spec is not None
    assert spec.loader is not None
    model = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(model)
    return model


def schema() -> str:
    """The parameters of OR-tools in the language of protobuf, as the solver of the page hands them out."""
    lines = ["message SatParameters {"]
    for enum in SatParameters.DESCRIPTOR.enum_types:
        lines.append(f"enum {enum.name} {{ // values")
        lines += [f"{value.name} = {value.number};  // such" for value in enum.values] + ["}"]
    types = {1: "double", 5: "int32", 3: "int64", 8: "bool", 9: "string", 11: "SatParameters"}
    for field in SatParameters.DESCRIPTOR.fields:
        label = "repeated" if field.is_repeated else "optional"
        kind = field.enum_type.name if field.enum_type else types[field.type]
        lines.append(f"  {label} {kind}\n {field.name} = {field.number}; // words")
    return "\n".join([*lines, "}"])


def solve(model: bytes, parameters: bytes, every: bool) -> bytes:
    """Solve by OR-tools, and answer in the form of the solver of the page."""
    native, solver, events = original.CpModel(), original.CpSolver(), list[bytes]()
    native.proto.parse_text_format(text_format.MessageToString(CpModelProto.FromString(model)))
    solver.parameters.merge_text_format(text_format.MessageToString(SatParameters.FromString(parameters)))

    class Collect(original.CpSolverSolutionCallback):
        def on_solution_callback(self) -> None:
            solution = CpSolverResponse(solution=list(self.response_proto.solution))
            events.append(solution.SerializeToString())

    solver.solve(native, Collect() if every else None)
    answer: bytes = text_format.Parse(str(solver.response_proto), CpSolverResponse()).SerializeToString()
    *solutions, last = (len(event).to_bytes(4, "little") + event for event in (*events, answer))
    count = len(events).to_bytes(4, "little")
    return count + b"".join(b"\1" + solution for solution in solutions) + last if every else answer


def same(standing_in: Any, real: Any, folder: Path) -> bool:
    """Tell whether two models are equal, as text and as the bytes that the solver reads."""
    real.export_to_file(str(folder / "real.pb"))
    return str(standing_in.proto) == str(real.proto) and bytes(standing_in.proto) == (folder / "real.pb").read_bytes()


@pytest.mark.parametrize(
    "texts",
    [pytest.param(FEW, marks=pytest.mark.long), pytest.param(LARGE, marks=pytest.mark.slow)],
    ids=["few", "large"],
)
@pytest.mark.parametrize("name", MODELS)
def test_the_stand_in_writes_the_same_models(
    stand_in: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, name: str, texts: tuple[str, ...]
) -> None:
    is_exact = "exact" in bundled()[name].goals
    problems = [pegcp.problem(text) for text in texts if text.endswith("!") is not is_exact]
    assert len(problems) > 5
    ours = module(name)
    monkeypatch.setitem(sys.modules, "ortools.sat.python.cp_model", stand_in)
    theirs = module(name)
    assert theirs.CpModel is stand_in.CpModel
    assert ours.CpModel is original.CpModel
    monkeypatch.undo()
    for problem in problems:
        horizon = next(iter(ours.horizons(problem)), None) if hasattr(ours, "horizons") else None
        arguments = (problem,) if horizon is None else (problem, horizon)
        standing_in, real = theirs.build(*arguments), ours.build(*arguments)
        assert same(standing_in.model, real.model, tmp_path), problem.name
        if real.learn:
            for formulation in (standing_in, real):  # a cut, and assumptions
                formulation.learn(lambda _: 0)
            assert same(standing_in.model, real.model, tmp_path), problem.name


@pytest.mark.long
def test_objectives_are_written_the_same(stand_in: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    near = pegcp.problem("cycle6:0", goal="near 1 3", objective="nearest")
    count = pegcp.problem("triangle10:a2->b2", objective="count")
    for name, problem, arguments in (("rounds", near, (2,)), ("moves", count, ())):
        real = module(name).build(problem, *arguments).model
        with monkeypatch.context() as patch:
            patch.setitem(sys.modules, "ortools.sat.python.cp_model", stand_in)
            ours = module(name).build(problem, *arguments).model
        assert ours.has_objective() is real.has_objective() is (name == "rounds")
        assert same(ours, real, tmp_path)


def test_what_an_editor_may_write_means_the_same(stand_in: Any, tmp_path: Path) -> None:
    def write(interface: Any) -> Any:
        model = interface.CpModel()
        x, y, z = (model.new_bool_var(name) for name in "xyz")
        n = model.NewIntVar(-2, 5, "n")
        model.add(x + 2 * y - ~z + x >= 2).only_enforce_if(z, ~x)
        for condition in (n != 2, n >= 3, n > -x, sum([x, y, z]) < 3, 2 * n - 3 <= 4 * y + 1, 0 * n + x == 0, x == n):
            model.add(condition)
        model.add(True)
        model.Add(3 > 4)
        model.AddBoolOr([x, ~y])
        model.add_bool_or(True, x, False, 1)
        model.add_bool_or([])
        model.add_bool_xor(x, ~y, z)
        model.AddBoolXOr(x, y)
        model.add_at_least_one(x, y)
        model.add_at_most_one(literal for literal in (x, ~y))
        model.add_all_different(x, n + 3, -2 * n)
        model.add_linear_constraint(3, 1, 2)
        model.add_linear_constraint(n - 4 * z + 1, 1, 2)
        model.add_circuit([(0, 1, x), (1, 0, ~y), (1, 1, True)])
        model.add_hint(n, 3)
        model.add_hint(~x, 1)
        model.add_decision_strategy([~x, n], interface.CHOOSE_MIN_DOMAIN_SIZE, interface.SELECT_MAX_VALUE)
        model.add_decision_strategy([x], interface.CHOOSE_FIRST, interface.SELECT_MIN_VALUE)
        model.minimize(n)
        model.maximize(2 * (x + y) + 3 - z)
        model.add_assumptions([x, ~z])
        return model

    assert same(write(stand_in), write(original), tmp_path)


def test_what_the_page_has_not_is_said_in_one_sentence(stand_in: Any) -> None:
    with pytest.raises(AttributeError, match="has no add_cumulative"):
        stand_in.CpModel().add_cumulative([], [], 1)
    with pytest.raises(TypeError, match="no negation"):
        _ = ~stand_in.CpModel().new_int_var(0, 5, "n")


@pytest.mark.long
@pytest.mark.parametrize("name", MODELS)
def test_pegcp_runs_on_the_stand_in(stand_in: Any, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    method = bundled()[name]
    assert isinstance(method, ModelMethod)
    own = method.load()  # which other tests ask, too, so before the stand-in is there
    monkeypatch.setitem(sys.modules, "ortools.sat.python.cp_model", stand_in)
    monkeypatch.setattr(ortools.sat.python, "cp_model", stand_in)
    monkeypatch.setattr(stand_in.CpSolver, "engine", stand_in.Engine(solve, schema()), raising=False)
    theirs = module(name)
    model = replace(own, build_with=theirs.build, horizons=getattr(theirs, "horizons", None))
    cases = {"line6:b1->?": Status.SOLVED, "XXoXX": Status.INFEASIBLE}
    for text, status in cases.items() if "exact" in method.goals else [("triangle10:a1!", Status.OPTIMAL)]:
        problem = pegcp.problem(text)
        answer = backends.backend("cp-sat").answer(model, problem, Run(Limits(time=60, workers=1)), method.options)
        result = judge_answer(problem, name, answer)
        assert result.status is status, result.message
        assert (result.jumps is None) is (status is Status.INFEASIBLE)


def test_parameters_mean_the_same(stand_in: Any) -> None:
    words = {
        "num_workers": 3, "cp_model_presolve": False, "max_time_in_seconds": 2.5, "initial_polarity": "POLARITY_TRUE",
        "restart_algorithms": "[LUBY_RESTART, LBD_MOVING_AVERAGE_RESTART]", "extra_subsolvers": '"no_lp"',
        "random_seed": -1,
    }  # fmt: skip
    ours, expected = stand_in.Parameters(), SatParameters()
    for name, value in words.items():
        setattr(ours, name, value)
        text_format.Merge(f"{name}: {str(value).lower() if isinstance(value, bool) else value}", expected)
    engine = stand_in.Engine(solve, schema())
    assert SatParameters.FromString(ours.content(engine)) == expected
    for text in ("num_wokers: 3", "initial_polarity: NORTH", "num_workers: many"):
        wrong = stand_in.Parameters()
        wrong.merge_text_format(text)
        with pytest.raises(ValueError, match=r"CP-SAT has no parameter \w+ with the value \w+"):
            wrong.content(engine)


@pytest.mark.thorough
def test_all_models_are_built_where_or_tools_is_not_to_be_had() -> None:
    code = f"""
import sys

class Blocker:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in ("ortools", "google"):
            raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)

sys.meta_path.insert(0, Blocker())
sys.path.insert(0, {str(LAB)!r})
import cp_model
import pegcp
from pegcp.catalogue.choice import choose
from pegcp.theory.cases import find_cases

cp_model.install(cp_model.Engine(lambda *model: b"", ""))  # knows nothing
cp_model.Parameters.content = lambda *_: b""
for name in {MODELS!r}:
    method = choose(name).method
    problem = pegcp.problem("XXoXX" if "exact" in method.goals else "line6:a1!")
    model = method.load()
    horizon = model.horizons_to_try(problem, method.options).all[0]
    print(name, len(str(model.build(problem, horizon, method.options).model.proto)) > 100)
print(find_cases(pegcp.problem("XXoXX"), 5.0))
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.stdout.splitlines() == [*(f"{name} True" for name in MODELS), "None"], done.stderr
