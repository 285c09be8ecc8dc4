"""What the page asks of pegcp, in a worker of the browser: problems from text, their models, and judged answers."""

from __future__ import annotations

import json
import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import cp_model

import pegcp
from pegcp import backends
from pegcp.backends.model import ModelFile
from pegcp.backends.solver_output import READERS
from pegcp.catalogue.methods import Choice, choose
from pegcp.catalogue.registry import bundled
from pegcp.checking import verification
from pegcp.comparison.agreement import confirm_verdicts
from pegcp.errors import InputError, PegcpError, there
from pegcp.game.board import Jump
from pegcp.method import OUT_OF_TIME, Answer, Limits, Reason, Run, Status
from pegcp.play.page.problem_data import problem_data
from pegcp.results.judge import judge_answer
from pegcp.results.result import Result
from pegcp.theory import certificates

# The models that the page shows, and the format in which each is handed to a solver.
MODELS = {
    "sat-rounds": "cnf",
    "sat-moves": "cnf",
    "asp-rounds": "asp",
    "mzn-rounds": "mzn",
    "mzn-moves": "mzn",
    "smt-sweep": "smt2",
    "pddl": "pddl",
    **dict.fromkeys(("rounds", "moves", "parallel", "long-hop", "benders", "fools", "fools-counts"), "proto"),
}
EDITED = Path("/tmp/edited")  # the folder of this worker in which edited models are written

# (files of a model, seconds) -> (what the solver printed, its exit code)
Execute = Callable[[Mapping[str, str], float], Awaitable[tuple[str, int]]]
_results: dict[str, Result] = {}  # by row of the table
if not there("ortools"):  # as in the page
    cp_model.install()


def read(text: str) -> pegcp.Problem:
    """Return the problem that a name, a map, TOML or PDDL means."""
    return pegcp.problem(text.strip("\n") if "\n" in text.strip() else text.strip())


def about(text: str) -> dict[str, Any]:
    """Return what the page draws and says of a problem before anything is solved; forget the results."""
    problem = read(text)
    _results.clear()
    certificate = certificates.find(problem, pagoda=False)
    why = certificate and verification.explain(problem, certificate)
    sizes = f"{len(problem.board.holes)} holes, {len(problem.board.jumps)} jumps, {len(problem.start)} pegs"
    return {
        **problem_data(problem),
        "sizes": sizes,
        "why": why,
        "picture": certificate and certificates.certificate_svg(problem, certificate),
    }


def with_pegs(text: str, holes: list[int]) -> str:
    """Return the text of the problem with pegs in these holes at the start."""
    problem = read(text)
    start = pegcp.Position(problem.board, sum(1 << hole for hole in holes))
    return replace(problem, start=start).text


def source(method: str) -> str:
    """Return the model file, as it ships; the domain for PDDL."""
    if method == "pddl":
        return pegcp.export(pegcp.problem("XoXX"), "pddl")["domain.pddl"]
    path = bundled()[method].path
    assert path is not None
    return path.read_text(encoding="utf-8")


def compiled(text: str, method: str, edited: str | None) -> dict[str, str]:
    """Return the files that a solver gets: the model with the facts of the problem."""
    if method == "pddl":
        return pegcp.export(read(text), "pddl")
    chosen = _chosen(method, edited)
    formulation = _model(chosen, read(text)).build_for_export(read(text), chosen.parameters, rising=True)
    return _files(chosen, formulation, MODELS[method], 1)


def add_cpsat(run: Any, schema: str) -> None:
    """Let models for CP-SAT be solved by a function of this page."""

    def solve(*given: bytes | bool) -> bytes:
        content: bytes = run(*given).to_bytes()
        return content

    cp_model.install(cp_model.Engine(solve, schema))


async def solve(text: str, method: str, edited: str | None, seconds: float, execute: Execute | None) -> str:
    """Solve a problem, and return the answer as JSON: by pegcp's own backend, or by a program that reads files."""
    problem, chosen = read(text), _chosen(method, edited)
    run = Run(Limits(time=seconds, workers=1))
    if execute is not None:
        answer = await _executed(problem, chosen, MODELS[method], seconds, execute)
    elif chosen.backend == "cp-sat":  # which counts as absent, but for its stand-in
        answer = backends.backend("cp-sat").run(_model(chosen, problem), problem, run, chosen.parameters)
    else:
        answer = chosen.run(problem, run)
    names = None if answer.jumps is None else [problem.board.jump_names(jump) for jump in answer.jumps]
    return json.dumps({**vars(answer), "jumps": names}, default=str)


async def _executed(problem: pegcp.Problem, chosen: Choice, format_: str, seconds: float, execute: Execute) -> Answer:
    """Try horizon after horizon; one that does not cover all solutions has half of the time that is left."""
    model, deadline = _model(chosen, problem), time.monotonic() + seconds
    log = model.horizon_log(problem, chosen.parameters)
    statistics: dict[str, Any] = {"build_seconds": 0.0, "solve_seconds": 0.0}
    for horizon in log.all:
        began = time.monotonic()
        formulation = model.build(problem, horizon, chosen.parameters)
        files = _files(chosen, formulation, format_, horizon)
        built = time.monotonic()
        remaining = deadline - built
        output, code = await execute(files, remaining if horizon == log.all[-1] else remaining / 2)
        statistics["build_seconds"] += built - began
        statistics["solve_seconds"] += time.monotonic() - built
        statistics["horizon"] = horizon
        reading = READERS[format_](output, code)
        if reading.refuted:
            log.refute(horizon)
        elif reading.clear and reading.values:
            jumps = formulation.played(partial(_value, reading.values))
            return replace(log.solved(horizon, Answer(Status.SOLVED, jumps=jumps)), statistics=statistics)
        elif code:
            return Answer(Status.UNKNOWN, Reason.ERROR, message=output[-400:].strip(), statistics=statistics)
    return replace(OUT_OF_TIME if log.open else log.refuted(), statistics=statistics)


def _value(values: Mapping[Any, int | None], variable: Any) -> int:
    return values.get(getattr(variable, "name", variable)) or 0


def judge(text: str, row: str, method: str, answer: str) -> list[dict[str, Any]]:
    """Replay an answer by the rules of the game, keep the result, and return all rows, confirmed by each other."""
    problem, data = read(text), json.loads(answer)
    board = problem.board
    jumps = (
        None if data["jumps"] is None else tuple(Jump(*(board.hole(name) for name in names)) for names in data["jumps"])
    )
    claim = Answer(Status(data["status"]), Reason(data["reason"]), jumps=jumps, message=data["message"],
                   certificate=data["certificate"], statistics=data["statistics"])  # fmt: skip
    _results[row] = judge_answer(problem, method, claim)
    return [_row(key, result) for key, result in zip(_results, confirm_verdicts(_results.values()), strict=True)]


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


def _chosen(method: str, edited: str | None) -> Choice:
    if edited is None:
        return choose(method)
    path = bundled()[method.partition(":")[0]].path
    assert path is not None
    EDITED.mkdir(exist_ok=True)
    (EDITED / path.name).write_text(edited, encoding="utf-8")
    return choose(f"{EDITED / path.name}{method[len(method.partition(':')[0]) :]}")


def _model(chosen: Choice, problem: pegcp.Problem) -> ModelFile:
    refusal = chosen.method.refusal(problem)
    if refusal is not None or chosen.method.model is None:
        raise InputError(refusal or f"{chosen.text} has no model")
    model: ModelFile = chosen.method.model()
    return model


def _files(chosen: Choice, formulation: Any, format_: str, horizon: int | None) -> dict[str, str]:
    writer = backends.backend(chosen.backend or "")
    return writer.write(formulation, format_, {**chosen.parameters, "horizon": horizon})


def explained(error: BaseException) -> str:
    """Return what to show of an error: the sentence of pegcp's own, the last line of any other."""
    return str(error) if isinstance(error, PegcpError) else f"{type(error).__name__}: {error}"
