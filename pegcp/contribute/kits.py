"""The kits, one row each, and what fills them in."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from pegcp.catalogue.exporting import files
from pegcp.formats import pddl
from pegcp.formats.files import models_folder
from pegcp.formats.pddl.domains import pddl_names, safe_name
from pegcp.game import Problem
from pegcp.library import lookup, suite
from pegcp.modelling.rules import data
from pegcp.version import __version__

_FILES = Path(__file__).parent / "files"
_ENDING = ".jinja"  # of templates
_BOARDS = ("cross", "plus", "fireplace", "arrow", "reversal-d4")  # of the set csplib, the easiest first


@dataclass(frozen=True)
class Kit:
    """A kit: the place that takes it, the licence of that place, and how to hand it in.

    ``values`` fill in the templates of its folder; ``texts`` are what pegcp writes besides.
    """

    name: str
    place: str
    licence: str
    use: str
    values: Callable[[], dict[str, object]] = dict
    texts: Callable[[], dict[str, str]] = dict

    def files(self) -> dict[str, str]:
        """Return the texts by path. Raises Missing if a library is absent that writes one of them."""
        from jinja2 import Environment, FileSystemLoader, StrictUndefined

        environment = Environment(
            loader=FileSystemLoader(_FILES), undefined=StrictUndefined, keep_trailing_newline=True, trim_blocks=True
        )
        environment.globals |= {"version": __version__, **self.values()}
        files = {
            path.relative_to(_FILES / self.name).as_posix(): path.read_text(encoding="utf-8")
            for path in sorted((_FILES / self.name).rglob("*.*"))
            if path.is_file()
        }
        return {
            name.removesuffix(_ENDING): environment.from_string(text).render() if name.endswith(_ENDING) else text
            for name, text in files.items()
        } | self.texts()


def _csplib(name: str) -> tuple[Problem, str]:
    """Return a problem of the set csplib, and its solution as a plan."""
    problems = suite("csplib")
    (row,) = problems.chosen(name)
    problem = problems.problem(row)
    return problem, pddl.write_plan(problem, row.jumps(problem) or ())


def _planning_cases() -> list[tuple[str, Problem, str | None, int | None]]:
    """Return name, problem, plan and optimum of each case; a problem without a plan has no solution."""
    return [
        *((name.replace("-", "_"), *_csplib(name), None) for name in _BOARDS),
        ("fools_d1", *_csplib("fools-d1"), 6),
        ("unsolvable", lookup.problem("line7:b1->f1"), None, None),
    ]


def _planning_texts(folder: str) -> dict[str, str]:
    """Return domains, problems, plans, and wrong plans: one without its first action, one without its last jump."""
    texts: dict[str, str] = {}
    for name, problem, plan, _ in _planning_cases():
        files = pddl.export(problem)
        texts |= {_domain(problem): files["domain.pddl"], f"{name}.pddl": files["problem.pddl"]}
        if plan is not None:
            steps = plan.splitlines(keepends=True)
            last = max(i for i, step in enumerate(steps) if step.startswith("(jump"))
            plans = {"valid": steps, "invalid1": steps[1:], "invalid2": steps[:last] + steps[last + 1 :]}
            texts |= {f"{name}_{kind}.plan": "".join(lines) for kind, lines in plans.items()}
    return {f"{folder}/{name}": text for name, text in texts.items()}


def _domain(problem: Problem) -> str:
    return f"domain-{pddl.domain_for(problem).stem}.pddl"


def _planning_values() -> dict[str, object]:
    """Return the cases by name, what the editor's tests are, and what a picture needs to know."""
    cases = _planning_cases()
    rows = {name: (_domain(problem), plan is not None, optimum) for name, problem, plan, optimum in cases}
    board = cases[0][1].board
    tests = [
        {"label": name, "domain": domain, "problem": f"{name}.pddl", "expectedPlans": [f"{name}_valid.plan"] * solvable}
        for name, (domain, solvable, _) in rows.items()
    ]
    return {
        "cases": rows,
        "places": json.dumps(dict(zip(pddl_names(board), board.places, strict=True))),
        "starts": json.dumps({safe_name(p.name, "p-"): [*p.start] for _, p, _, _ in cases if p.board == board}),
        "tests": json.dumps({"defaultOptions": "", "cases": tests}, indent=2),
    }


def _matrix(problem: Problem, mask: int) -> list[list[int]]:
    """Return a position by rows: 1 for a peg, 0 for a vacancy, -1 outside of the board."""
    cells = problem.board.cells or ()
    at = {cell: mask >> hole & 1 for hole, cell in enumerate(cells)}
    rows, columns = (range(1 + max(cell[i] for cell in cells)) for i in (0, 1))
    return [[at.get((row, column), -1) for column in columns] for row in rows]


def _matrices() -> dict[str, object]:
    """Return the problems as matrices, and the three easiest as a list in JSON."""
    problems = [_csplib(name)[0] for name in _BOARDS]
    instances = [{"start": _matrix(p, p.start.mask), "goal": _matrix(p, p.final_pegs)} for p in problems]
    lines = ",\n  ".join(map(json.dumps, instances[:3]))
    return {"instances": dict(zip(_BOARDS, instances, strict=True)), "first": instances[0], "easy": f"[\n  {lines}\n]"}


def _model(name: str) -> str:
    """Return the text of a bundled model."""
    return (models_folder() / name).read_text(encoding="utf-8")


def _minizinc_texts() -> dict[str, str]:
    """Return the data of a toy and of the reversals of the English board."""
    problems = {"toy": _csplib("cross")[0]}
    problems |= {row.name: suite("csplib").problem(row) for row in suite("csplib").chosen("reversal-*")}
    licence = (_FILES / "licence.txt").read_text(encoding="utf-8")
    return {f"peg_solitaire/{name}.dzn": licence + data(p, p.lengths[-1]) for name, p in problems.items()}


def _csplib_texts() -> dict[str, str]:
    """Return models, as they are, and data: each with the metadata that CSPLib wants."""
    models = {
        "models/rounds.mzn": ("Rounds of jumps", "MiniZinc", _model("mzn_rounds.mzn")),
        "models/moves.mzn": ("One jump per step", "MiniZinc", _model("mzn_moves.mzn")),
        "models/rounds.lp": ("Rounds of jumps as answer-set rules", "ASP", _model("asp_rounds.lp")),
        "models/jumps.pddl": ("Jumps as actions", "PDDL", _model("jumps.pddl")),
    }
    for name in _BOARDS:
        problem, _ = _csplib(name)
        models |= {
            f"data/{name}.dzn": (f"{name}: data of moves.mzn", "MiniZinc", data(problem, problem.lengths[-1])),
            f"data/{name}.pddl": (f"{name}: a problem of jumps.pddl", "PDDL", pddl.export(problem)["problem.pddl"]),
        }
    texts: dict[str, str] = {}
    for path, (title, kind, text) in models.items():
        texts |= {path: text, f"{path}.metadata": f"---\nTitle: {title}\nType: {kind}\n---\n"}
    return {f"Problems/prob037/{path}": text for path, text in texts.items()}


KITS = {
    kit.name: kit
    for kit in (
        Kit(
            "unified-planning",
            "test cases of the unified-planning library",
            "Apache-2.0",
            "with this folder on PYTHONPATH: python up_test_cases/report.py -p pegcp_cases",
            _planning_values,
            lambda: _planning_texts("pegcp_cases/peg_solitaire/pddl_files"),
        ),
        Kit(
            "cpmpy",
            "CPMpy, examples/csplib",
            "Apache-2.0",
            "a pull request; python examples/csplib/prob037_peg_solitaire.py runs it",
            _matrices,
        ),
        Kit(
            "dcp-bench", "DCP-Bench-Open, dataset", "Apache-2.0", "a pull request, after self_consistency.py", _matrices
        ),
        Kit(
            "csplib",
            "CSPLib, problem 037: models, data, results, and an erratum",
            "CC-BY-4.0",
            "a pull request; their site is built from these files",
            _matrices,
            _csplib_texts,
        ),
        Kit(
            "vscode-pddl",
            "the extension PDDL of Visual Studio Code: tests and a picture of each plan",
            "Apache-2.0",
            "open the folder in the editor; the tests are in the view PDDL Tests",
            _planning_values,
            lambda: _planning_texts("."),
        ),
        Kit(
            "benchexec",
            "BenchExec: tasks, their properties, and pegcp as a tool",
            "Apache-2.0",
            "PYTHONPATH=. benchexec benchmark.xml",
            texts=lambda: dict(files(suite("csplib"), ["pddl"])),
        ),
        Kit(
            "minizinc-challenge",
            "the MiniZinc Challenge: a model, its data, and a toy",
            "MIT",
            "an archive by mail; how hard the instances are is not yet measured",
            texts=_minizinc_texts,
        ),
    )
}
