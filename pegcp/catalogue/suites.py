"""Write a set of problems in the formats of many languages, with the answer of each."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from hashlib import sha256
from pathlib import PurePath
from typing import Any

from pegcp.catalogue.exporting import export
from pegcp.catalogue.methods import choose
from pegcp.errors import InputError, suggestion
from pegcp.formats.toml import problem_file
from pegcp.game.problem import Problem
from pegcp.library.suites import Row, Suite
from pegcp.version import __version__

METHODS = {  # by format: those that write it, in the order in which they are asked
    "cnf": "sat-rounds sat-fools sat-parallel",
    "wcnf": "sat-rounds sat-fools sat-parallel",
    "opb": "cpmpy-rounds",
    "xcsp3": "cpmpy-rounds",
    "lp": "ip-rounds ip-state ip-parallel",
    "mps": "ip-rounds ip-state ip-parallel",
    "smt2": "smt-sweep",
    "mzn": "mzn-rounds",
    "fzn": "mzn-rounds",
    "asp": "asp-rounds asp-fools",
    "pddl": "pddl",
    "toml": "",
}
PROPERTY = "solvable.prp"


def files(suite: Suite, formats: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Paths and texts, problem by problem, and last the manifest. Raises InputError, and Missing without a library.

    ``FORMAT/NAME.ENDING`` is a problem, and ``FORMAT/NAME.yml`` its task definition for BenchExec; a domain is where
    Lab looks for it.
    """
    for name in formats:
        if name not in METHODS:
            raise InputError(f'there is no format "{name}"{suggestion(name, METHODS)}; choose of {", ".join(METHODS)}')
    about = []
    yield PROPERTY, "The problem has a solution.\n"
    for row in suite.rows:
        problem = suite.problem(row)
        jumps, tasks = row.jumps(problem), []
        for name in formats:
            for task, method, expected, texts in _tasks(problem, row, name):
                task_files = []
                for path, text in texts.items():
                    yield path, text
                    data = text.encode()
                    task_files.append({"path": path, "bytes": len(data), "sha256": sha256(data).hexdigest()})
                tasks.append({"format": name, "method": method, "expected": expected, "files": task_files})
                if name != "toml":
                    yield f"{name}/{task}.yml", _definition([PurePath(path).name for path in texts], expected, name)
        solution = None if jumps is None else [problem.board.jump_names(jump) for jump in jumps]
        grades = {"grade": row.grade or None, "languages": row.grades}
        known = {**grades, "answer": row.answer, "shown_by": row.shown, "solution": solution}
        definition = {"definition": problem.text, "fingerprint": problem.fingerprint}
        about.append({"name": row.name, **known, **definition, "tasks": tasks})
    head = {"suite": suite.name, "title": suite.title, "pegcp": __version__, "description_sha256": suite.sha256}
    yield "manifest.json", json.dumps({**head, "about": suite.about, "problems": about}, indent=1) + "\n"


def _tasks(problem: Problem, row: Row, name: str) -> Iterator[tuple[str, str, bool | None, dict[str, str]]]:
    """Each task of a problem in a format: its name, the method, whether it has a solution, and its files.

    A model whose horizon measures the objective gives two tasks: the optimum, and one less.
    """
    if name == "toml":
        yield row.name, "", _solvable(row), {f"toml/{row.name}.toml": problem_file(problem)}
        return
    for method in METHODS[name].split():
        if method == "pddl":
            contents = export(problem, method)
            names = {"domain.pddl": f"domain_{row.name}.pddl", "problem.pddl": f"{row.name}.pddl"}
            texts = {f"pddl/{names[file]}": contents[file] for file in names}
            yield row.name, method, _solvable(row), texts
            return
        chosen = choose(method)
        if chosen.method.refusal(problem) is not None or chosen.method.model is None:
            continue
        log = chosen.method.model().horizon_log(problem, chosen.parameters)
        horizons: list[tuple[str, int | None, bool | None]] = [(row.name, log.all[-1], _solvable(row))]
        if log.measured:
            known = [] if type(row.answer) is not int else [(row.answer, True), (row.answer - 1, False)]
            horizons = [(f"{row.name}-{n}", n, expected) for n, expected in known if n in log.all]
        for task, horizon, expected in horizons:
            text = method if horizon is None else f"{method}:horizon={horizon}"
            contents = export(problem, text, name)
            single = len(contents) == 1
            named = {
                f"{task}{PurePath(file).suffix}" if single else f"{task}-{file}": contents[file] for file in contents
            }
            yield task, text, expected, {f"{name}/{file}": content for file, content in named.items()}
        return


def _solvable(row: Row) -> bool | None:
    return row.answer if row.answer is None or isinstance(row.answer, bool) else True


def _definition(inputs: list[str], expected: bool | None, language: str) -> str:
    """A task definition of BenchExec; it is JSON, and so YAML."""
    verdict = {} if expected is None else {"expected_verdict": expected}
    data: dict[str, Any] = {
        "format_version": "2.0",
        "input_files": inputs,
        "properties": [{"property_file": f"../{PROPERTY}", **verdict}],
        "options": {"language": language},
    }
    return json.dumps(data, indent=1) + "\n"
