"""Compile a problem with a method, to files, byte for byte reproducible, or to a native model object; and a set of
problems in the formats of many languages, with the answer of each."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from hashlib import sha256
from pathlib import PurePath

from pegcp import backends
from pegcp.backends.interface import Backend, ModelFile, check_word
from pegcp.backends.planners import PlannerMethod, encoding
from pegcp.catalogue.choice import Choice, choose
from pegcp.catalogue.methods import bundled
from pegcp.catalogue.modelfile import ModelMethod
from pegcp.errors import InputError, refuse_if, suggestion
from pegcp.formats import pddl
from pegcp.formats.toml import problem_file
from pegcp.game import Problem
from pegcp.habits import SOLVERS, meaning
from pegcp.library import Row, Suite
from pegcp.method import Options
from pegcp.modelling.formulation import Formulation
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


def export(
    problem: Problem,
    method: str,
    format: str | None = None,  # noqa: A002
    ending: str = "",
) -> dict[str, str]:
    """Compile a problem with a method: texts by file name; ``pddl`` and every planner give PDDL.

    ``pddl:encoding=NAME`` takes another domain than the one that fits, such as ``parallel``, or ``competition`` for
    that of the planning competitions.
    ``format`` is one of the backend's formats, by default the one that the ``ending`` of a file names, else its first.
    Raises InputError when the method has none, or cannot take the problem, and Missing where that needs a library that
    is not installed.
    """
    name, _, option = str(method).partition(":")
    choice = None if name == "pddl" else _choose(problem, method)
    if choice is None or isinstance(choice.method, PlannerMethod):
        refuse_if(
            format not in (None, "pddl"), f'planning models have the format pddl, not "{format}", and a folder is none'
        )
        key, _, domain = option.partition("=")
        if choice is not None and isinstance(choice.method, PlannerMethod):
            domain = encoding(choice.method.planner, problem, choice.all_options) or ""
        elif option:
            check_word("pddl", "option", key, ("encoding",))
        return pddl.export(problem, domain=domain or None)
    options, model, writer = _compiler(problem, choice)
    usual = ending if ending in writer.formats else next(iter(writer.formats), "a file")
    format = format if format in METHODS else meaning(format or "", SOLVERS) or format or usual  # noqa: A001
    folder = " -o out" * (format in ("mzn", "pddl"))  # which are several files
    other = f"type: -m {METHODS[format].split()[0]} -f {format}{folder}" if METHODS.get(format) else ""
    refuse_if(
        format not in writer.formats,
        f"{method} cannot be exported as {format}; formats of backend {writer.name}: "
        f"{', '.join(writer.formats) or 'none'}{'; ' * bool(other)}{other}",
    )
    horizons = model.horizons_to_try(problem, options)
    refuse_if(
        horizons.measured and horizons.complete and format != "asp",
        f"the horizon is the objective {problem.objective} itself: choose one to export, with :horizon=N",
    )  # such a program tries one after the other
    return writer.write(model.build(problem, horizons.open[0], options), format, rising=not options.get("horizon"))


def formulation(problem: Problem, method: str) -> Formulation[object]:
    """Return the formulation of a problem by a model, with the horizon of the options, else the last.

    Its ``jumps`` also reads a solver's own solution: a CpSolver, a result of MathOpt, a solution of python-constraint.
    Raises InputError when the method has no model or cannot take the problem, and Missing where the library that the
    model is written in is not installed.
    """
    options, model, backend = _compiler(problem, _choose(problem, method))
    last = model.horizons_to_try(problem, options).open[-1]  # which has all solutions
    of_problem = model.build(problem, last, options)
    return replace(of_problem, jumps=lambda solution: of_problem.jumps(backend.reader(solution)))


def _choose(problem: Problem, method: str) -> Choice:
    """Read the written form of a method. Raises InputError if it does not take the problem."""
    choice = choose(method)
    refuse_if(refusal := choice.method.refusal(problem), refusal)
    return choice


def _compiler(problem: Problem, choice: Choice) -> tuple[Options, ModelFile, Backend]:
    """Return the options and the model of a method, and the backend that writes it; the solver itself may be
    missing."""
    refuse_if(
        isinstance(choice.method, PlannerMethod), f"{choice.text} plans in PDDL: use to_unified_planning, or export"
    )
    if not isinstance(choice.method, ModelMethod):
        raise InputError(f"{choice.text} is a search: it has no model to export")
    refuse_if(not problem.lengths, "the goal needs more pegs than the start has: there is no model to export")
    return choice.all_options, choice.method.load(), backends.backend(str(choice.backend))


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
            for task, method, is_solvable in _tasks(problem, row, name):
                texts = _texts(problem, name, task, method)
                yield from texts.items()
                data = {path: text.encode() for path, text in texts.items()}
                about = [{"path": p, "bytes": len(d), "sha256": sha256(d).hexdigest()} for p, d in data.items()]
                tasks.append({"format": name, "method": method, "expected": is_solvable, "files": about})
                if name != "toml":
                    yield f"{name}/{task}.yml", _definition([PurePath(path).name for path in texts], is_solvable, name)
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
    for text in METHODS[name].split():
        method = bundled()[text]
        if isinstance(method, ModelMethod) and not method.refusal(problem):
            horizons = method.load().horizons_to_try(problem, method.options)
            if not horizons.measured:
                return [(row.name, f"{text}:horizon={horizons.all[-1]}" if horizons.all[-1] else text, solvable)]
            answers = [] if type(row.answer) is not int else [(row.answer, True), (row.answer - 1, False)]
            return [(f"{row.name}-{n}", f"{text}:horizon={n}", yes) for n, yes in answers if n in horizons.all]
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


def _definition(inputs: list[str], is_solvable: bool | None, language: str) -> str:
    """Return a task definition of BenchExec; it is JSON, and so YAML."""
    verdict = {} if is_solvable is None else {"expected_verdict": is_solvable}
    data: dict[str, object] = {
        "format_version": "2.0",
        "input_files": inputs,
        "properties": [{"property_file": f"../{PROPERTY}", **verdict}],
        "options": {"language": language},
    }
    return json.dumps(data, indent=1) + "\n"
