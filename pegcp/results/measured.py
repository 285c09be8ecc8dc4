"""Take in runs that were measured elsewhere: solutions are replayed, other verdicts stay claims."""

from __future__ import annotations

import csv
import os
from collections.abc import Iterator, Mapping
from typing import Annotated, TextIO

from msgspec import Meta, Struct

from pegcp.errors import InputError, InvalidSolution, shown
from pegcp.formats.declared import convert
from pegcp.formats.foreign import GREATEST_AMOUNT, bounded
from pegcp.formats.solution import read_any_solution
from pegcp.library import lookup
from pegcp.method import Answer, Reason, Status
from pegcp.results.judge import find_fault, make_result
from pegcp.results.result import Result, failed

COLUMNS = ("problem", "method", "seconds", "verdict", "plan", "seed", "time_limit")
_SOME = ("solved", "sat", "satisfiable", "optimal")
_NONE = ("infeasible", "unsat", "unsatisfiable", "unsolvable")
_VERDICTS = {
    **dict.fromkeys((*_SOME, *_NONE, "unknown"), Reason.COMPLETED),
    **dict.fromkeys(("time", "timeout"), Reason.TIME),
    **dict.fromkeys(("memory", "memout"), Reason.MEMORY),
}
_NUMBERS: dict[str, type] = {"seconds": float, "seed": int, "time_limit": float}


_Amount = Annotated[float, Meta(ge=0, le=GREATEST_AMOUNT)]


class _Measured(Struct, forbid_unknown_fields=True):
    """A run elsewhere: ``plan`` is a solution in any notation."""

    problem: str
    method: str
    seconds: _Amount | None = None
    verdict: str = ""
    plan: str = ""
    seed: Annotated[int, Meta(ge=0, le=2**31 - 1)] = 0
    time_limit: _Amount | None = None


def is_measured(data: Mapping[str, object]) -> bool:
    """Tell whether an object is a run that was measured elsewhere, and no result of pegcp."""
    return "fingerprint" not in data and {"problem", "method"} <= data.keys() <= set(COLUMNS)


def read_measured(data: Mapping[str, object], source: str) -> Result:
    """Return the result of a run that was measured elsewhere. Raises InputError."""
    try:
        row = convert(bounded(data), _Measured, source)
        if row.problem == "-" or os.path.exists(row.problem):
            raise InputError("a problem is named here, and not read from a file")
        problem = lookup.problem(row.problem)
    except (InputError, ValueError, TypeError) as error:
        raise InputError(getattr(error, "message", str(error)), source=source) from None
    verdict = row.verdict.lower() or ("solved" if row.plan else "unknown")
    if verdict not in _VERDICTS:
        raise InputError(f"unknown verdict {shown(row.verdict)}; verdicts are {', '.join(_VERDICTS)}", source=source)
    seed = {"seed": row.seed} | ({} if row.time_limit is None else {"time_limit": row.time_limit})
    about: dict[str, object] = {"parameters": seed, "provenance": {"host": "elsewhere", "elsewhere": source}}
    statistics = {} if row.seconds is None else {"wall_seconds": row.seconds}
    status, jumps, message, fault = Status.UNKNOWN, None, "", ""
    try:
        if row.plan:
            status, jumps = Status.SOLVED, tuple(read_any_solution(problem, row.plan, source).jumps)
            status = Status.OPTIMAL if verdict == "optimal" else status
        elif verdict in _NONE:
            status = Status.INFEASIBLE
        elif verdict in _SOME:
            message = f"{verdict} is claimed, and there is no solution to replay"
        answer = Answer(status, _VERDICTS[verdict], jumps, statistics=statistics, message=message)
        replay, fault = find_fault(problem, row.method, answer, None)
        if not fault:
            return make_result(problem, row.method, answer, replay, **about)
    except (InputError, InvalidSolution) as error:
        fault = str(error)
    return failed(problem, row.method, Reason.INVALID_SOLUTION, fault, statistics=statistics, **about)


def csv_rows(file: TextIO, source: str) -> Iterator[Result]:
    """Yield the results of a table with a head of :data:`COLUMNS`. Raises InputError, and csv.Error for other text."""
    rows = csv.DictReader(file)
    unknown = set(rows.fieldnames or ()) - set(COLUMNS)
    if unknown or not {"problem", "method"} <= set(rows.fieldnames or ()):
        fault = f", not {', '.join(sorted(unknown))}" if unknown else "; problem and method must be there"
        raise InputError(f"a table of runs has the columns {', '.join(COLUMNS)}{fault}", source=source)
    for row in rows:
        place = f"{source}:{rows.line_num}"
        data: dict[str, object] = {key: text for key, text in row.items() if text}
        try:
            data |= {key: kind(data[key]) for key, kind in _NUMBERS.items() if key in data}
        except ValueError as error:
            raise InputError(str(error), source=place) from None
        yield read_measured(data, place)
