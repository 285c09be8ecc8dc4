"""What other projects take of peg solitaire, in the form in which they take it: ``pegcp contribute TARGET -o DIR``.

A kit is a function that returns files by path. Files that are the same on every run lie beside this one.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pegcp
from pegcp.catalogue.suites import files as suite_files
from pegcp.formats.pddl.plan import write_plan
from pegcp.library import suites
from pegcp.version import __version__

HERE = Path(__file__).parent
Kit = Callable[[], dict[str, str]]

# Problems of PDDL kits, with their optimum: the cost of a best plan, the actions where actions have no costs.
SOLVABLE = {
    "row-of-four": ("XoXX", "any"),
    "row-of-six": ("line6:b1->e1", "any"),
    "triangle": ("triangle10:a2->b2", "any"),
    "triangle-moves": ("triangle10:a2->b2", "fewest-moves"),
    "lab": ("lab4", "any"),
    "english": ("english", "any"),
}
UNSOLVABLE = {"row-of-three": "XoX", "row-without-an-end": "XXoXXX", "small-triangle": "triangle6:a1->?"}


def _files_of(target: str) -> dict[str, str]:
    return {path.name: path.read_text(encoding="utf-8") for path in sorted((HERE / target).iterdir()) if path.is_file()}


def _pddl_cases() -> Iterator[tuple[str, dict[str, str], list[str], int | None]]:
    """Yield the name of each problem, its PDDL files, a plan (none if there is none), and its optimum."""
    for name, (text, objective) in SOLVABLE.items():
        problem = pegcp.problem(text, objective=objective)
        result = pegcp.solve(problem, "fewest-moves" if objective == "fewest-moves" else "dfs")
        files = {key: value for key, value in pegcp.export(problem, "pddl").items() if key.endswith(".pddl")}
        plan = write_plan(problem, result.jumps or ()).splitlines()
        actions = [line for line in plan if line.startswith("(")]
        yield name, files, actions, len(actions) if result.objective is None else int(result.objective)
    for name, text in UNSOLVABLE.items():
        files = {key: value for key, value in pegcp.export(text, "pddl").items() if key.endswith(".pddl")}
        yield name, files, [], None


def unified_planning() -> dict[str, str]:
    """Test cases for the engines of unified-planning: a package with ``get_test_cases()``."""
    files, cases = {f"pegcp_cases/{name}": text for name, text in _files_of("unified-planning").items()}, []
    for name, texts, actions, optimum in _pddl_cases():
        folder = f"pegcp_cases/{name}"
        files |= {f"{folder}/{file}": text for file, text in texts.items()}
        if actions:
            files[f"{folder}/valid.plan"] = "\n".join(actions) + "\n"
            files[f"{folder}/invalid_short.plan"] = "\n".join(actions[:-1]) + "\n"
            files[f"{folder}/invalid_twice.plan"] = "\n".join([actions[0], *actions]) + "\n"
        cases.append({"name": name, "solvable": bool(actions), "optimum": optimum})
    return files | {"pegcp_cases/cases.json": json.dumps(cases, indent=1) + "\n"}


def vscode_pddl() -> dict[str, str]:
    """Tests and a drawing for the PDDL extension of VS Code: ``*.ptest.json`` and ``*.planviz.json``."""
    files: dict[str, str] = {}
    for name, texts, actions, _ in _pddl_cases():
        files |= {f"{name}/{file}": text for file, text in texts.items()}
        files |= {f"{name}/domain.planviz.json": json.dumps({"customVisualization": "peg.js"}) + "\n"}
        files |= {f"{name}/{file}": text for file, text in _files_of("vscode-pddl").items()}
        case: dict[str, object] = {"label": name, "description": f"pegcp {__version__}", "problem": "problem.pddl"}
        if actions:
            files[f"{name}/expected.plan"] = "\n".join(actions) + "\n"
            case |= {"expectedPlans": ["expected.plan"]}
        tests = {
            "defaultDomain": "domain.pddl",
            "defaultProblem": "problem.pddl",
            "defaultOptions": "",
            "cases": [case],
        }
        files[f"{name}/{name}.ptest.json"] = json.dumps(tests, indent=2) + "\n"
    return files


def benchexec() -> dict[str, str]:
    """A benchmark of BenchExec: its definition, a tool info for pegcp, and the tasks of the set ``csplib``."""
    files = dict(suite_files(suites.suite("csplib"), ["toml"]))
    expected = {entry["name"]: entry["answer"] for entry in json.loads(files["manifest.json"])["problems"]}
    for path in [path for path in files if path.startswith("toml/") and path.endswith(".toml")]:
        name = Path(path).stem
        verdict = expected.get(name)
        rows = ["format_version: '2.0'", f"input_files: '{Path(path).name}'", "properties:"]
        rows += ["  - property_file: ../solvable.prp"]
        if verdict is not None:
            rows += [f"    expected_verdict: {str(verdict is not False).lower()}"]
        files[path.replace(".toml", ".yml")] = "\n".join(rows) + "\n"
    return files | _files_of("benchexec")


def cpmpy() -> dict[str, str]:
    """A model for ``examples/csplib`` of CPMpy: problem 037 of CSPLib."""
    return {f"examples/csplib/{name}": text for name, text in _files_of("cpmpy").items()}


def minizinc_challenge() -> dict[str, str]:
    """A model with twenty instances and a toy, in the form of the MiniZinc Challenge; each file names the licence."""
    licence = "% SPDX-License-Identifier: Apache-2.0; written by pegcp\n"
    files = {name: licence + text for name, text in _files_of("minizinc-challenge").items()}
    names = ["XoXX", *(f"english:{hole}" for hole in pegcp.board("english").holes)]
    for number, name in enumerate(names[:21]):
        data = pegcp.export(name, "mzn-moves")["model.dzn"]
        files[f"{f'instance-{number:02}' if number else 'toy'}.dzn"] = licence + data
    return files


TARGETS: dict[str, Kit] = {
    "unified-planning": unified_planning,
    "vscode-pddl": vscode_pddl,
    "benchexec": benchexec,
    "cpmpy": cpmpy,
    "minizinc-challenge": minizinc_challenge,
}
