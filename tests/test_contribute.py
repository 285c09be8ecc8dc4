"""Kits for other projects: each holds against the rules of its place, with its own tools where they are installed."""

from __future__ import annotations

import importlib.util
import json
import re
import shutil
import subprocess
import sys
import warnings
import xml.etree.ElementTree as ET
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from asking import typed
from parts import need

import pegcp


@pytest.fixture
def kit(tmp_path: Path, request: pytest.FixtureRequest) -> Path:
    typed("contribute", request.param, "-o", tmp_path)
    return tmp_path


def load(path: Path, name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_kits_are_listed() -> None:
    assert "benchexec" in typed("contribute")
    assert 'there is no kit for "benchexc" (did you mean "benchexec"?)' in typed("contribute", "benchexc", status=2)
    assert "choose a folder with -o DIR" in typed("contribute", "cpmpy", status=2)


@pytest.mark.thorough
@pytest.mark.parametrize("kit", ["unified-planning"], indirect=True)
def test_plans_for_unified_planning_are_valid_or_invalid_by_its_own_validator(kit: Path) -> None:
    need("unified_planning")
    from unified_planning.engines import ValidationResultStatus
    from unified_planning.shortcuts import PlanValidator, get_environment

    get_environment().credits_stream = None
    cases = load(kit / "pegcp_cases" / "__init__.py", "pegcp_cases").get_test_cases()
    assert len(cases) == 9
    assert sum(case.solvable for case in cases.values()) == 6
    for name, case in cases.items():
        if name == "english":  # takes its validator half a minute
            continue
        with warnings.catch_warnings(action="ignore"), PlanValidator(problem_kind=case.problem.kind) as engine:
            validator: Any = engine
            right = [validator.validate(case.problem, plan).status for plan in case.valid_plans]
            wrong = [validator.validate(case.problem, plan).status for plan in case.invalid_plans]
        assert right == [ValidationResultStatus.VALID] * case.solvable, name
        assert wrong == [ValidationResultStatus.INVALID] * 2 * case.solvable, name
    assert cases["triangle-moves"].optimum == pegcp.solve("triangle10:a2->b2", objective="fewest-moves").objective
    assert cases["english"].optimum == 31
    assert cases["small-triangle"].optimum is None


@pytest.mark.thorough
@pytest.mark.parametrize("kit", ["vscode-pddl"], indirect=True)
def test_tests_for_vs_code_name_files_that_are_there(kit: Path) -> None:
    tests = sorted(kit.glob("*/*.ptest.json"))
    assert len(tests) == 9
    for path in tests:
        manifest = json.loads(path.read_text())
        assert set(manifest) <= {"defaultDomain", "defaultProblem", "defaultOptions", "cases"}
        for case in manifest["cases"]:
            assert set(case) <= {"label", "description", "domain", "problem", "options", "expectedPlans"}
            for name in (manifest["defaultDomain"], case["problem"], *case.get("expectedPlans", ())):
                assert (path.parent / name).is_file()
        drawing = json.loads((path.parent / "domain.planviz.json").read_text())["customVisualization"]
        assert "function visualizePlanHtml(plan, width)" in (path.parent / drawing).read_text()
    assert "solves" in typed("check", kit / "english" / "problem.pddl", kit / "english" / "expected.plan")
    if shutil.which("node"):
        plan = {"steps": [{"fullActionName": "jump d2 d3 d4"}]}
        code = f"console.log(require('./english/peg.js').visualizePlanHtml({json.dumps(plan)}, 300))"
        shown = subprocess.run(["node", "-e", code], cwd=kit, capture_output=True, text=True, check=True).stdout
        assert "d2 jumps over d3 to d4" in shown


@pytest.mark.thorough
@pytest.mark.parametrize("kit", ["benchexec"], indirect=True)
def test_the_benchmark_has_tasks_with_verdicts(kit: Path) -> None:
    root = ET.parse(kit / "benchmark.xml").getroot()
    assert root.attrib["tool"] == ".pegcp_tool"
    pattern = root.findtext("tasks/include")
    assert pattern is not None
    definitions = sorted(kit.glob(pattern))
    assert len(definitions) == len(json.loads((kit / "manifest.json").read_text())["problems"])
    for path in definitions:
        text = path.read_text()
        task = re.search(r"input_files: '(.+)'", text)
        verdict = re.search(r"expected_verdict: (true|false)$", text, re.MULTILINE)
        assert task is not None
        assert (kit / "toml" / task[1]).is_file()
        if verdict is not None and path.stem in ("arrow", "cross"):
            assert pegcp.solve(str(kit / "toml" / task[1])).status.has_solution is (verdict[1] == "true")
    if importlib.util.find_spec("benchexec") is None:
        return
    command = [sys.executable, "-m", "benchexec.test_tool_info", "--no-container", ".pegcp_tool"]
    said = subprocess.run(command, cwd=kit, capture_output=True, text=True, check=True)
    assert "Command line" in said.stdout + said.stderr


@pytest.mark.thorough
@pytest.mark.parametrize("kit", ["cpmpy"], indirect=True)
def test_the_model_for_cpmpy_solves_a_small_board_and_refutes_another(kit: Path) -> None:
    need("cpmpy-ortools")
    module = load(kit / "examples" / "csplib" / "prob037_peg_solitaire.py", "prob037")
    model, (moves, _) = module.peg_solitaire(".ooo\noooo\noooo")
    assert model.solve(solver="ortools", time_limit=60)
    holes, _, jumps = module.read_board(".ooo\noooo\noooo")
    names = [f"{chr(97 + column)}{row + 1}" for row, column in holes]
    played = [f"{names[jumps[move][0]]}-{names[jumps[move][2]]}" for move in moves.value()]
    assert len(pegcp.check("rectangle4x3:a1", played).moves) <= 10
    model, _ = module.peg_solitaire("ooo\no.o\nooo")
    assert model.solve(solver="ortools", time_limit=60) is False
    holes, _, jumps = module.read_board(module.ENGLISH)
    assert (len(holes), len(jumps)) == (33, 76)


@pytest.mark.thorough
@pytest.mark.parametrize("kit", ["minizinc-challenge"], indirect=True)
def test_the_challenge_form_of_minizinc(kit: Path) -> None:
    instances = sorted(kit.glob("instance-*.dzn"))
    assert len(instances) == 20
    for path in (kit / "peg_solitaire.mzn", kit / "toy.dzn", *instances):
        assert path.read_text().startswith("% SPDX-License-Identifier: ")
    model = (kit / "peg_solitaire.mzn").read_text()
    assert "symmetry_breaking_constraint(" in model
    assert ":: output" in model
    searches = re.findall(r"int_search\(\w+, (\w+), \w+, (\w+)\)", model)
    assert searches == [("first_fail", "complete")]
    if shutil.which("minizinc"):
        command = ["minizinc", "peg_solitaire.mzn", "toy.dzn"]
        said = subprocess.run(command, cwd=kit, capture_output=True, text=True, check=True, timeout=60)
        assert "moves = " in said.stdout
