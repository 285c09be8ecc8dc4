"""Read results from outside: rows of result files, what executors return, and runs that were measured elsewhere.

Solutions are replayed and certificates verified again; other verdicts of runs elsewhere stay claims.
"""

import csv
import os
from collections.abc import Iterator, Mapping
from dataclasses import fields, replace
from typing import Annotated, Any, TextIO

from msgspec import Meta, Struct

from pegcp.errors import InputError, InvalidSolution, refuse_if, shown
from pegcp.formats.foreign import GREATEST_AMOUNT, bounded, check_statistics, convert
from pegcp.formats.solution import read_any_solution
from pegcp.formats.toml import read_problem
from pegcp.game import Jump
from pegcp.library import lookup
from pegcp.method import Answer, Reason, Status
from pegcp.results.judge import judge_answer
from pegcp.results.result import Result, failed

_Small = Annotated[int, Meta(ge=0, le=2**31 - 1)]
_Amount = Annotated[float, Meta(ge=0, le=GREATEST_AMOUNT)]
_Point = Annotated[list[Annotated[float, Meta(ge=-1e6, le=1e6)]], Meta(min_length=2, max_length=3)]


class _Parameters(Struct):
    """Parameters of a run that must make sense; options of its method are beside them."""

    seed: _Small = 0
    workers: _Small = 1
    time_limit: _Amount = 0
    memory_limit: _Amount | None = None


class _Row(Struct, kw_only=True):
    """A result, see :meth:`pegcp.Result.to_json`, but for its answer; jumps are triples of names of holes."""

    problem: str
    description: str
    fingerprint: str
    method: str
    backend: str | None
    versions: dict[str, str]
    parameters: dict[str, object]
    provenance: dict[str, object]
    reason: str
    board: str
    jumps: list[tuple[str, str, str]] | None = None
    log: str = ""
    coordinates: list[_Point] | None = None


_OF_ANSWER = {entry.name for entry in fields(Answer)} - {"jumps", "solutions"}


def read_result(data: Mapping[str, object]) -> Result:
    """Return the result that :meth:`pegcp.Result.to_json` wrote, its solution and certificate checked again.

    Raises InputError.
    """
    try:
        data = bounded(data)
        row = convert(data, _Row, "")
        convert(row.parameters, _Parameters, "")
        problem = read_problem(row.description, source="result", name=row.problem)
        holes, points = len(problem.board.holes), row.coordinates
        is_wrong = points is not None and (len(points) != holes or len({len(point) for point in points}) != 1)
        refuse_if(is_wrong, f"coordinates: expected {holes} points of two numbers or of three")
        coordinates = {} if points is None else {"coordinates": tuple(map(tuple, points))}
        problem = problem.with_board(name=row.board, **coordinates)
        refuse_if(
            problem.fingerprint != row.fingerprint,
            f"the description of {row.problem} does not have its fingerprint {row.fingerprint}",
        )
        jumps = None if row.jumps is None else tuple(Jump(*map(problem.board.hole, jump)) for jump in row.jumps)
        claim = {key: value for key, value in data.items() if key in _OF_ANSWER and value is not None}
        answer = replace(convert(claim, Answer, ""), jumps=jumps)
        check_statistics(answer.statistics)
        run = {key: getattr(row, key) for key in ("backend", "versions", "parameters", "provenance", "log")}
        result = judge_answer(problem, row.method, answer, **run)
        refuse_if((result.status, result.reason) != (answer.status, answer.reason), result.message)
        return result
    except (InputError, InvalidSolution, TypeError, ValueError, AttributeError) as error:
        raise InputError(f"not a result: {getattr(error, 'message', error)}") from None


# Runs that were measured elsewhere ------------------------------------------------------------------------------

COLUMNS = ("problem", "method", "seconds", "verdict", "plan", "seed", "time_limit")
_SOLVED_WORDS = ("solved", "sat", "satisfiable", "optimal")
_INFEASIBLE_WORDS = ("infeasible", "unsat", "unsatisfiable", "unsolvable")
_VERDICTS = {
    **dict.fromkeys((*_SOLVED_WORDS, *_INFEASIBLE_WORDS, "unknown"), Reason.COMPLETED),
    **dict.fromkeys(("time", "timeout"), Reason.TIME),
    **dict.fromkeys(("memory", "memout"), Reason.MEMORY),
}


class _Measured(Struct, forbid_unknown_fields=True):
    """A run elsewhere: ``plan`` is a solution in any notation."""

    problem: str
    method: str
    seconds: _Amount | None = None
    verdict: str = ""
    plan: str = ""
    seed: _Small = 0
    time_limit: _Amount | None = None


def is_measured(data: Mapping[str, object]) -> bool:
    """Tell whether an object is a run that was measured elsewhere, and no result of pegcp."""
    return "fingerprint" not in data and {"problem", "method"} <= data.keys() <= set(COLUMNS)


def read_measured(data: Mapping[str, object], source: str) -> Result:
    """Return the result of a run that was measured elsewhere; its numbers may be text. Raises InputError."""
    try:
        row = convert(bounded(data), _Measured, source, strict=False)
        refuse_if(
            row.problem == "-" or os.path.exists(row.problem), "a problem is named here, and not read from a file"
        )
        problem = lookup.problem(row.problem)
    except (InputError, ValueError, TypeError) as error:
        raise InputError(getattr(error, "message", str(error)), source=source) from None
    verdict = row.verdict.lower() or ("solved" if row.plan else "unknown")
    refuse_if(
        verdict not in _VERDICTS,
        f"unknown verdict {shown(row.verdict)}; verdicts are {', '.join(_VERDICTS)}",
        source,
    )
    limit = {} if row.time_limit is None else {"time_limit": row.time_limit}
    provenance = {"host": "elsewhere", "elsewhere": source}
    about: dict[str, Any] = {"parameters": {"seed": row.seed, **limit}, "provenance": provenance}
    status = Status.INFEASIBLE if verdict in _INFEASIBLE_WORDS else Status.UNKNOWN
    statistics = {} if row.seconds is None else {"wall_seconds": row.seconds}
    answer = Answer(status, _VERDICTS[verdict], statistics=statistics)
    try:
        if row.plan:
            jumps = tuple(read_any_solution(problem, row.plan, source).jumps)
            answer = replace(answer, status=Status.OPTIMAL if verdict == "optimal" else Status.SOLVED, jumps=jumps)
        elif verdict in _SOLVED_WORDS:
            answer = replace(answer, message=f"{verdict} is claimed, and there is no solution to replay")
        return judge_answer(problem, row.method, answer, **about)
    except (InputError, InvalidSolution) as error:
        return failed(problem, row.method, Reason.INVALID_SOLUTION, str(error), statistics=statistics, **about)


def csv_rows(file: TextIO, source: str) -> Iterator[Result]:
    """Yield the results of a table with a head of :data:`COLUMNS`. Raises InputError, and csv.Error for other text."""
    rows = csv.DictReader(file)
    unknown = set(rows.fieldnames or ()) - set(COLUMNS)
    if unknown or not {"problem", "method"} <= set(rows.fieldnames or ()):
        fault = f", not {', '.join(sorted(unknown))}" if unknown else "; problem and method must be there"
        if "fingerprint" in unknown:
            fault = "; this is a report: give the file of results (--out) that it was made of"
        raise InputError(f"a table of runs has the columns {', '.join(COLUMNS)}{fault}", source=source)
    for row in rows:
        yield read_measured({key: text for key, text in row.items() if text}, f"{source}:{rows.line_num}")
