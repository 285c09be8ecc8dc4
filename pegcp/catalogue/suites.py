"""Write a set of problems in the formats of many languages, with the answer of each."""

import json
from collections.abc import Iterator, Sequence
from hashlib import sha256
from pathlib import PurePath

from pegcp.catalogue.exporting import export
from pegcp.catalogue.methods import choose
from pegcp.errors import refuse_if, suggestion
from pegcp.formats.toml import problem_file
from pegcp.game import Problem
from pegcp.library import Row, Suite
from pegcp.version import __version__

METHODS = {  # by format: those that write it, in the order in which they are asked
    "cnf": "sat-rounds sat-fools sat-parallel",
    "opb": "cpmpy-rounds",
    "xcsp3": "cpmpy-rounds",
    "lp": "ip-rounds ip-state ip-parallel",
    "mps": "ip-rounds ip-state ip-parallel",
    "smt2": "smt-sweep",
    "mzn": "mzn-rounds",
    "asp": "asp-rounds asp-fools",
    "pddl": "pddl",
    "toml": "",
}
PROPERTY = "solvable.prp"


def files(suite: Suite, formats: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yield paths and texts, problem by problem, and last the manifest. Raises InputError, and Missing without a
    library.

    ``FORMAT/NAME.ENDING`` is a problem, and ``FORMAT/NAME.yml`` its task definition for BenchExec; a domain has
    the name that Lab expects.
    """
    for name in formats:
        refuse_if(
            name not in METHODS,
            f'there is no format "{name}"{suggestion(name, METHODS)}; choose from {", ".join(METHODS)}',
        )
    problems = []
    yield PROPERTY, "The problem has a solution.\n"
    for row in suite.rows:
        problem = suite.problem(row)
        jumps, tasks = row.jumps(problem), []
        for name in formats:
            for task, method, expected in _tasks(problem, row, name):
                texts = _texts(problem, name, task, method)
                yield from texts.items()
                data = {path: text.encode() for path, text in texts.items()}
                about = [{"path": p, "bytes": len(d), "sha256": sha256(d).hexdigest()} for p, d in data.items()]
                tasks.append({"format": name, "method": method, "expected": expected, "files": about})
                if name != "toml":
                    yield f"{name}/{task}.yml", _definition([PurePath(path).name for path in texts], expected, name)
        solution = None if jumps is None else [problem.board.jump_names(jump) for jump in jumps]
        problems.append(
            {
                "name": row.name,
                "grade": row.grade or None,
                "languages": row.grades,
                "answer": row.answer,
                "shown_by": row.shown,
                "solution": solution,
                "definition": problem.text,
                "fingerprint": problem.fingerprint,
                "tasks": tasks,
            }
        )
    head = {"suite": suite.name, "title": suite.title, "pegcp": __version__, "description_sha256": suite.sha256}
    yield "manifest.json", json.dumps({**head, "about": suite.about, "problems": problems}, indent=1) + "\n"


def _tasks(problem: Problem, row: Row, name: str) -> list[tuple[str, str, bool | None]]:
    """Return the tasks of a problem in a format: the name of each, the method, and whether it has a solution.

    A model whose horizon measures the objective gives two tasks: the optimum, and one less.
    """
    solvable = row.answer if row.answer is None or isinstance(row.answer, bool) else True
    if name in ("toml", "pddl"):
        return [(row.name, METHODS[name], solvable)]
    for method in map(choose, METHODS[name].split()):
        if method.method.model is not None and method.method.refusal(problem) is None:
            log = method.method.model().horizon_log(problem, method.parameters)
            if not log.measured:
                text = method.text if log.all[-1] is None else f"{method.text}:horizon={log.all[-1]}"
                return [(row.name, text, solvable)]
            answers = [] if type(row.answer) is not int else [(row.answer, True), (row.answer - 1, False)]
            return [(f"{row.name}-{n}", f"{method.text}:horizon={n}", yes) for n, yes in answers if n in log.all]
    return []


def _texts(problem: Problem, name: str, task: str, method: str) -> dict[str, str]:
    """Return the texts of the files of a task, by path."""
    if name == "toml":
        return {f"toml/{task}.toml": problem_file(problem)}
    texts = export(problem, method, name)
    if name == "pddl":
        return {f"pddl/domain_{task}.pddl": texts["domain.pddl"], f"pddl/{task}.pddl": texts["problem.pddl"]}
    names = {file: f"-{file}" if len(texts) > 1 else PurePath(file).suffix for file in texts}
    return {f"{name}/{task}{names[file]}": text for file, text in texts.items()}


def _definition(inputs: list[str], expected: bool | None, language: str) -> str:
    """Return a task definition of BenchExec; it is JSON, and so YAML."""
    verdict = {} if expected is None else {"expected_verdict": expected}
    data: dict[str, object] = {
        "format_version": "2.0",
        "input_files": inputs,
        "properties": [{"property_file": f"../{PROPERTY}", **verdict}],
        "options": {"language": language},
    }
    return json.dumps(data, indent=1) + "\n"
