"""The kits for others, each held against the rules of the place that takes it."""

import importlib
import json
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner
from parts import need

from pegcp.cli.main import cli
from pegcp.contribute.kits import KITS


def _write(kit: str, folder: Path) -> Path:
    """Write a kit by the command, and return its folder."""
    result = CliRunner().invoke(cli, ["contribute", kit, "-o", str(folder / kit)], catch_exceptions=False)
    assert result.exit_code == 0
    return folder / kit


def _run(script: Path, *arguments: str) -> str:
    process = subprocess.run([sys.executable, script, *arguments], capture_output=True, text=True, check=False)
    assert process.returncode == 0, process.stderr
    return process.stdout


def test_kits_are_listed_and_nothing_is_overwritten(tmp_path: Path) -> None:
    listed = CliRunner().invoke(cli, ["contribute", "--json"])
    assert [row["kit"] for row in json.loads(listed.output)] == list(KITS)
    (tmp_path / "peg.js").write_text("mine")
    refused = CliRunner().invoke(cli, ["contribute", "vscode-pddl", "-o", str(tmp_path)])
    assert "--force" in str(refused.exception)
    assert [path.name for path in tmp_path.iterdir()] == ["peg.js"]
    unknown = CliRunner().invoke(cli, ["contribute", "csplip", "-o", str(tmp_path)])
    assert 'did you mean "csplib"' in str(unknown.exception)


@pytest.mark.slow
def test_unified_planning_accepts_the_valid_plans_and_refuses_the_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    need("unified_planning")
    from unified_planning.engines import SequentialPlanValidator, ValidationResultStatus

    monkeypatch.syspath_prepend(_write("unified-planning", tmp_path))
    cases = importlib.import_module("pegcp_cases.peg_solitaire").get_test_cases()
    for name, case in cases.items():
        assert len(case.valid_plans) == case.solvable
        assert len(case.invalid_plans) == 2 * case.solvable
        if name in ("arrow", "fireplace", "reversal_d4"):
            continue  # the validator is slow
        verdicts = [
            SequentialPlanValidator().validate(case.problem, plan).status
            for plan in (*case.valid_plans, *case.invalid_plans)
        ]
        valid, invalid = ValidationResultStatus.VALID, ValidationResultStatus.INVALID
        assert verdicts == ([valid, invalid, invalid] if case.solvable else []), name
    assert {name: case.optimum for name, case in cases.items() if case.optimum} == {"fools_d1": 6}
    assert not cases["unsolvable"].solvable


@pytest.mark.long
def test_the_example_of_cpmpy_prints_a_solution_of_each_board(tmp_path: Path) -> None:
    need("cpmpy-ortools")
    script = next(_write("cpmpy", tmp_path).rglob("prob037*.py"))
    lines = _run(script, "--problem", "plus").splitlines()
    assert sum(line.startswith("jump from") for line in lines) == 8
    assert sum("X" in line for line in lines[-8:]) == 1


AGAIN = """
import json, runpy
from contextlib import redirect_stdout
from io import StringIO

with redirect_stdout(StringIO()) as printed:
    names = runpy.run_path({script!r}, run_name="__main__")
model = names["model"]
for name, value in json.loads(printed.getvalue()).items():
    model += names[name] == value
print(model.solve())
"""


@pytest.mark.long
def test_the_script_for_the_benchmark_agrees_with_what_it_prints(tmp_path: Path) -> None:
    need("cpmpy-ortools")
    folder = next(_write("dcp-bench", tmp_path).rglob("*.json")).parent
    (script,) = folder.glob("*.cpmpy.py")
    text = script.read_text()
    instances = json.loads((folder / "csplib_037_peg_solitaire.json").read_text())
    head, _, rest = text.partition("# Data\n")
    data, mark, model = rest.partition("# End of data\n")
    own: dict[str, object] = {}
    exec(data, own)
    assert {key: own[key] for key in instances[0]} == instances[0]
    for instance in instances[:1]:
        changed = "".join(f"{key} = {value}\n" for key, value in instance.items())
        script.write_text(head + "# Data\n" + changed + mark + model)
        script.with_name("again.py").write_text(AGAIN.format(script=str(script)))
        assert _run(script.with_name("again.py")) == "True\n"


def test_what_goes_to_csplib_has_metadata(tmp_path: Path) -> None:
    root = _write("csplib", tmp_path) / "Problems" / "prob037"
    files = [path for part in ("models", "data") for path in (root / part).iterdir() if path.suffix != ".metadata"]
    assert len(files) > 10
    for path in files:
        lines = path.with_name(path.name + ".metadata").read_text().splitlines()
        assert lines[0] == lines[-1] == "---"
        kind = next(line.removeprefix("Type: ") for line in lines if line.startswith("Type: "))
        assert kind == "MiniZinc" or (root.parent.parent / "Languages" / kind / "specification.md").is_file()
        compile(path.read_text(), path.name, "exec") if path.suffix == ".py" else None
    assert "**6** moves" in (root / "results" / "pegcp.inline.md").read_text()


def test_the_picture_in_the_editor_shows_every_position(tmp_path: Path) -> None:
    folder = _write("vscode-pddl", tmp_path)
    manifest = json.loads((folder / "peg.ptest.json").read_text())
    for case in manifest["cases"]:
        for name in (case["domain"], case["problem"], *case["expectedPlans"]):
            assert (folder / name).is_file()
        assert (folder / case["domain"].replace(".pddl", ".planviz.json")).is_file()
    need("npm")
    plan = [line.strip("()\n") for line in (folder / "cross_valid.plan").open() if line.startswith("(")]
    script = f"""const {{visualizePlanHtml: draw}} = require({json.dumps(str(folder / "peg.js"))});
    const plan = {{problem: {{name: "csplib-cross"}}, steps: {json.dumps(plan)}.map(s => ({{fullActionName: s}}))}};
    console.log(JSON.stringify(draw(plan, 500)));"""
    drawn = json.loads(subprocess.run(["node", "-e", script], capture_output=True, text=True, check=True).stdout)
    assert drawn.count("#3b7cd8") == sum(range(1, 7))  # 6 pegs, then 5, ..., 1
    assert drawn.count("<circle") == 6 * 33


def test_tasks_and_tool_of_benchexec(tmp_path: Path) -> None:
    folder = _write("benchexec", tmp_path)
    benchmark = ElementTree.parse(folder / "benchmark.xml").getroot()
    assert benchmark.get("tool") == "pegcp_bench.tool"
    pattern = benchmark.findtext("tasks/include")
    assert pattern is not None
    assert len(list(folder.glob(pattern))) > 50
    need("benchexec")
    where = ["--tool-directory", str(Path(sys.executable).parent)]
    subprocess.run(
        [sys.executable, "-m", "benchexec.test_tool_info", "pegcp_bench.tool", "--no-container", *where],
        cwd=folder,
        check=True,
    )


@pytest.mark.thorough
def test_the_challenge_gets_licences_and_a_complete_search(tmp_path: Path) -> None:
    folder = _write("minizinc-challenge", tmp_path) / "peg_solitaire"
    files = list(folder.iterdir())
    assert len(files) == 1 + 1 + 33  # the model, the toy, the reversals
    assert all(
        path.read_text().startswith("% Copyright") and "Permission is hereby" in path.read_text() for path in files
    )
    model = (folder / "peg_solitaire.mzn").read_text()
    assert ":: output" in model
    assert "complete)" in model
    need("minizinc")
    command = ["minizinc", str(folder / "peg_solitaire.mzn"), str(folder / "toy.dzn")]
    output = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert "moves = " in output
