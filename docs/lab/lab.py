"""What the page asks of pegcp, in a worker of the browser: problems from text, their models, judged answers, and
which line is wrong."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Awaitable, Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from traceback import extract_tb
from typing import Any

import cp_model
import planner

import pegcp
from pegcp import backends
from pegcp.backends.interface import Backend, HorizonLoop, ModelFile
from pegcp.backends.solver_output import READERS
from pegcp.blame.explain import explain
from pegcp.catalogue.choice import Choice, choose
from pegcp.catalogue.methods import bundled
from pegcp.catalogue.modelfile import ModelMethod
from pegcp.checking import verification
from pegcp.comparison.agreement import confirm_verdicts, find_disagreements
from pegcp.errors import InputError, PegcpError, is_importable
from pegcp.formats.pddl import domain_for, unsupported
from pegcp.game import Jump, jump_name
from pegcp.method import OUT_OF_TIME, Answer, Limits, Reason, Run, Status
from pegcp.modelling.formulation import Formulation
from pegcp.modelling.rules import Rules
from pegcp.play.page import problem_data
from pegcp.results.judge import judge_answer
from pegcp.results.result import Result
from pegcp.theory import certificates

# The models that the page shows, and the format in which each is handed to a solver.
MODELS = {
    "sat-rounds": "cnf",
    "sat-moves": "cnf",
    "sat-fools": "cnf",
    "asp-rounds": "asp",
    "asp-fools": "asp",
    "mzn-rounds": "mzn",
    "mzn-moves": "mzn",
    "mzn-fools": "mzn",
    "smt-sweep": "smt2",
    "pddl": "pddl",
    **dict.fromkeys(("rounds", "moves", "parallel", "long-hop", "benders", "fools", "fools-counts"), "proto"),
}
# By format, what writes it.
_WRITERS = {"asp": "clingo", "cnf": "cadical", "mzn": "minizinc", "smt2": "z3", "proto": "cp-sat"}
EDITED = Path("/tmp/edited")  # the folder of this worker in which edited models are written

# (files of a model, seconds) -> (what the solver printed, its exit code)
Execute = Callable[[Mapping[str, str], float], Awaitable[tuple[str, int]]]
Call = Callable[[Mapping[str, str], float], tuple[str, int]]  # the same, and the caller waits
# What pegcp says of Python, and what the page says instead.
_WORDS = dict.fromkeys(
    ("; pegcp.boards() lists them", "; pegcp.problems() lists them"),
    "; try english, triangle15, rectangle3x4, or a map of X and o",
)
_results: dict[str, Result] = {}  # by row of the table
_labels: dict[str, str] = {}  # and what the page calls the row
if not is_importable("ortools"):  # as in the page
    cp_model.install()


def read(text: str) -> pegcp.Problem:
    """Return the problem that a name, a map, TOML or PDDL means."""
    return pegcp.problem(text.strip("\n") if "\n" in text.strip() else text.strip())


def about(text: str) -> dict[str, Any]:
    """Return what the page draws and says of a problem before anything is solved; forget the results."""
    problem = read(text)
    forget()
    certificate = certificates.find(problem, seconds=0)
    why = certificate and verification.explain(problem, certificate)
    sizes = f"{len(problem.board.holes)} holes, {len(problem.board.jumps)} jumps, {len(problem.start)} pegs"
    return {
        **problem_data(problem),
        "sizes": sizes,
        "why": why,
        "picture": certificate and certificates.certificate_svg(problem, certificate),
        "refusals": {method: refusal(problem, method) for method in [*MODELS, "dfs-plain"]},
        "domain": None if refusal(problem, "pddl") else domain_for(problem).stem,
    }


def forget() -> None:
    """Forget the results of all rows, before they are run anew."""
    _results.clear()


def refusal(problem: pegcp.Problem, method: str) -> str:
    """Return why a method does not take a problem; empty if it does."""
    if method == "pddl":
        return unsupported(problem.goal.kind, problem.objective) or ""
    return bundled()[method].refusal(problem, header_only=True)


def with_pegs(text: str, holes: list[int]) -> str:
    """Return the text of the problem with pegs in these holes at the start."""
    problem = read(text)
    start = pegcp.Position(problem.board, sum(1 << hole for hole in holes))
    return replace(problem, start=start).text


def source(method: str, text: str = "XoXX") -> str:
    """Return the model file, as it ships; for PDDL the domain that fits the problem."""
    if method == "pddl":
        return pegcp.export(read(text), "pddl")["domain.pddl"]
    path = bundled()[method].path
    assert path is not None
    return path.read_text(encoding="utf-8")


def compiled(text: str, method: str, edited: str | None) -> dict[str, str]:
    """Return the files that a solver gets: the model with the facts of the problem."""
    problem = read(text)
    if method == "pddl":
        files = pegcp.export(problem, "pddl")
        return files if edited is None else {**files, "domain.pddl": edited}
    chosen = _chosen(method, edited)
    model = _model(chosen, problem)
    horizons = model.horizons_to_try(problem, chosen.all_options).open
    if not horizons:
        raise InputError("no number of jumps leads from the start to the goal, so there are no facts to show")
    formulation = model.build(problem, horizons[0], chosen.all_options)  # the least; solving goes on from there
    return _files(formulation, MODELS[method])


def add_cpsat(run: Any, schema: str) -> None:
    """Let models for CP-SAT be solved by a function of this page."""

    def solve(*given: bytes | bool) -> bytes:
        content: bytes = run(*given).to_bytes()
        return content

    cp_model.install(cp_model.Engine(solve, schema))


async def solve(text: str, method: str, edited: str | None, seconds: float, execute: Execute | None) -> str:
    """Solve a problem, and return the answer as JSON: by pegcp's own backend, or by a program that reads files."""
    problem, run = read(text), Run(Limits(time=seconds, workers=1))
    if fault := refusal(problem, method.partition(":")[0]):
        answer = Answer(Status.UNKNOWN, Reason.UNSUPPORTED, message=fault)
    elif method == "pddl":
        answer = _planned(problem, compiled(text, method, edited), seconds)
    elif execute is not None:
        answer = await _executed(problem, _chosen(method, edited), MODELS[method], seconds, execute)
    elif MODELS.get(method) == "proto":  # CP-SAT counts as absent, but for its stand-in
        chosen = _chosen(method, edited)
        answer = backends.backend("cp-sat").answer(_model(chosen, problem), problem, run, chosen.all_options)
    else:
        answer = _chosen(method, edited).run(problem, run)
    names = None if answer.jumps is None else [problem.board.jump_names(jump) for jump in answer.jumps]
    return json.dumps({**vars(answer), "jumps": names}, default=str)


def _planned(problem: pegcp.Problem, files: Mapping[str, str], seconds: float) -> Answer:
    """Look for a plan, and return the jumps that it makes."""
    board, names, began = problem.board, json.loads(files["names.json"]), time.monotonic()
    try:
        plan = planner.find_plan(files, seconds)
    except TimeoutError:
        return OUT_OF_TIME
    statistics = {"solve_seconds": time.monotonic() - began}
    if plan is None:
        return Answer(Status.INFEASIBLE, statistics=statistics)
    steps = [objects for action, *objects in plan if action.startswith("jump") and len(objects) >= 3]
    if plan and not steps:
        raise InputError("no action of the plan has a name that begins with jump, and three holes")
    jumps = tuple(Jump(*(board.hole(names[name]) for name in objects[:3])) for objects in steps)
    return Answer(Status.SOLVED, jumps=jumps, statistics=statistics)


async def _executed(problem: pegcp.Problem, chosen: Choice, format_: str, seconds: float, execute: Execute) -> Answer:
    """Try horizon after horizon; one that does not cover all solutions has half of the time that is left."""
    model, deadline = _model(chosen, problem), time.monotonic() + seconds
    horizons = model.horizons_to_try(problem, chosen.all_options)
    statistics: dict[str, Any] = {"build_seconds": 0.0, "solve_seconds": 0.0}
    for horizon in horizons.all:
        began = time.monotonic()
        formulation = model.build(problem, horizon, chosen.all_options)
        files = _files(formulation, format_)
        built = time.monotonic()
        remaining = deadline - built
        output, code = await execute(files, remaining if horizon == horizons.all[-1] else remaining / 2)
        statistics["build_seconds"] += built - began
        statistics["solve_seconds"] += time.monotonic() - built
        statistics["horizon"] = horizon
        reading = READERS[format_](output, code)
        if reading.refuted:
            horizons.open.remove(horizon)
        elif reading.clear and reading.values:
            jumps = formulation.played(partial(_value, reading.values))
            return replace(
                horizons.conclude_solution(horizon, Answer(Status.SOLVED, jumps=jumps)), statistics=statistics
            )
        elif code:
            raise _slip(formulation.model, output)
    return replace(OUT_OF_TIME if horizons.open else horizons.conclude_refutation(), statistics=statistics)


def _value(values: Mapping[Any, int | None], variable: Any) -> int:
    return values.get(getattr(variable, "name", variable)) or 0


def _slip(model: object, output: str) -> InputError:
    """Return the error that a program prints of a model, with its line there."""
    lines = [line.strip() for line in output.splitlines() if line.strip()]
    text = next((line for line in lines if "error" in line), lines[0] if lines else "the solver says nothing")
    place = re.search(r":(\d+):", text)
    message = re.sub(r"^.*?\berror: *|^\S*:\d+:[\d:.-]* *", "", text)
    line = None if place is None else int(place[1])
    if line is not None and isinstance(model, Rules):
        line = _line_of_rule(model, line)
    return InputError(message, line=line)


def _line_of_rule(rules: Rules, line: int) -> int | None:
    """Return the line of a model of rules from which a line of the program for its steps was made."""
    numbered = "\n".join(f"{text} %@{number}" for number, text in enumerate(rules.text.splitlines(), start=1))
    made = replace(rules, text=numbered).fixed.splitlines()[line - 1 : line]
    mark = re.search(r"%@(\d+)$", made[0]) if made else None
    return int(mark[1]) if mark else None


def judge(text: str, row: str, method: str, answer: str, label: str = "") -> dict[str, Any]:
    """Replay an answer by the rules of the game, keep the result, and return all rows, confirmed by each other, and
    those that are wrong."""
    problem, data = read(text), json.loads(answer)
    board = problem.board
    jumps = (
        None if data["jumps"] is None else tuple(Jump(*(board.hole(name) for name in names)) for names in data["jumps"])
    )
    claim = Answer(Status(data["status"]), Reason(data["reason"]), jumps=jumps, message=data["message"],
                   certificate=data["certificate"], statistics=data["statistics"])  # fmt: skip
    _results[row] = judge_answer(problem, method, claim)
    _labels[row] = label or method
    rows = [_row(key, result) for key, result in zip(_results, confirm_verdicts(_results.values()), strict=True)]
    return {"rows": rows, "wrong": list(_wrong(problem))}


def _row(key: str, result: Result) -> dict[str, Any]:
    figures = {name: result.statistics.get(name) for name in ("horizon", "build_seconds", "solve_seconds")}
    return {
        "row": key,
        "verdict": result.verdict,
        "evidence": result.rests_on,
        "message": result.message,
        "jumps": None if result.jumps is None else [list(jump) for jump in result.jumps],
        "moves": result.moves,
        **figures,
    }


def _wrong(problem: pegcp.Problem) -> Iterator[dict[str, Any]]:
    """Yield the rows that are wrong: what is wrong, and for one that denies a solution its jumps."""
    keys = {id(result): row for row, result in _results.items()}
    for item in find_disagreements(_results.values()):
        for result in item.wrong:
            row, others = keys[id(result)], [other for other in item.results if other.jumps is not None]
            best = min((other for other in others if other is not result), key=_least, default=None)
            if best is None:
                says, jumps = f"Its answer is no solution: {result.message}.", None
            else:
                names = " ".join(jump_name(problem.board, jump) for jump in best.jumps or ())
                claim = "" if result.jumps is None else f" with {problem.objective} below {result.objective}"
                says = f"It says that there is no solution{claim}, but {_labels[keys[id(best)]]} has one: {names}."
                jumps = [list(jump) for jump in best.jumps or ()]
            yield {"row": row, "says": says, "jumps": jumps}


def _least(result: Result) -> float:
    return result.objective if isinstance(result.objective, int | float) else 0


def why(
    text: str, method: str, edited: str, jumps: list[list[int]] | None, seconds: float, call: Call | None
) -> dict[str, Any]:
    """Return which lines of a model exclude a solution, or which rule of the game none says of what it accepts.

    A model for a program of the page needs ``call``, which runs it.
    """
    problem = read(text)
    name, _, backend_name = method.partition(":")
    if name == "pddl":
        return explain(problem, str(_written("domain.pddl", edited)), None, seconds).to_json()
    path = str(_written(_path(name).name, edited))
    of_page = backends.backend("cp-sat") if MODELS[name] == "proto" else None
    backend = of_page if call is None else InPage(name=MODELS[name], title=name, call=call)
    given = None if jumps is None else [Jump(*jump) for jump in jumps]
    return explain(problem, f"{path}:{backend_name}".rstrip(":"), given, seconds, backend=backend).to_json()


@dataclass(frozen=True, kw_only=True)
class InPage(Backend):
    """A program of the page as a backend; its ``name`` is the format that it reads."""

    call: Call

    def search(self, loop: HorizonLoop, formulation: Formulation[Any], state: None, seconds: float) -> Any:  # noqa: ARG002
        """Solve the model by the program."""
        files = _files(formulation, self.name)
        files = {next(iter(files)): "\n".join(files.values())}  # a file of data may hold no constraints
        output, code = self.call(files, seconds)
        reading = READERS[self.name](output, code)
        if reading.refuted:
            return False
        if reading.clear and reading.values:
            return partial(_value, reading.values)
        if code:
            raise _slip(formulation.model, output)
        return None


def _path(name: str) -> Path:
    path = bundled()[name].path
    assert path is not None
    return path


def _written(name: str, edited: str) -> Path:
    """Return the file with an edited model."""
    EDITED.mkdir(exist_ok=True)
    (EDITED / name).write_text(edited, encoding="utf-8")
    return EDITED / name


def _chosen(method: str, edited: str | None) -> Choice:
    if edited is None:
        return choose(method)
    name, colon, backend = method.partition(":")
    return choose(f"{_written(_path(name).name, edited)}{colon}{backend}")


def _model(chosen: Choice, problem: pegcp.Problem) -> ModelFile:
    fault = chosen.method.refusal(problem)
    if fault or not isinstance(chosen.method, ModelMethod):
        raise InputError(fault or f"{chosen.text} has no model")
    return chosen.method.load()


def _files(formulation: Formulation[Any], format_: str) -> dict[str, str]:
    """Return the files of a model for its horizon alone."""
    return backends.backend(_WRITERS[format_]).write(formulation, format_)


def explained(error: BaseException) -> dict[str, Any]:
    """Return what to show of an error: a sentence, and the line of the edited model, or None."""
    if isinstance(error, PegcpError):
        place = getattr(error, "source", None)
        is_model = not place or place == "domain.pddl" or Path(place).parent == EDITED
        text = getattr(error, "message", str(error)) if is_model else str(error)
        for words, instead in _WORDS.items():
            text = text.replace(words, instead)
        return {"message": text, "line": getattr(error, "line", None) if is_model else None}
    places = [frame.lineno for frame in extract_tb(error.__traceback__) if Path(frame.filename).parent == EDITED]
    line = error.lineno if isinstance(error, SyntaxError) else places[-1] if places else None
    text = str(error)
    if script := re.search(r'\(error "line (\d+) column \d+: (.*?)"', text):
        text = f"line {script[1]} of the script, as it is with the facts of this position: {script[2]}"
    return {"message": f"{type(error).__name__}: {text.splitlines()[0] if text else ''}".rstrip(": "), "line": line}
