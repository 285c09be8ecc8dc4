"""Results as JSON; and data from outside (children, result files, executors), brought within bounds and decoded by
declared types."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from math import isfinite
from typing import Annotated, Any, NoReturn

from msgspec import Meta, Struct

from pegcp.errors import InputError, InvalidSolution, clipped, shown
from pegcp.formats.declared import convert
from pegcp.formats.toml import read_problem
from pegcp.game.board import Jump
from pegcp.game.equivalence import COARSER, UP_TO_SYMMETRY
from pegcp.method import Answer, Reason, Status
from pegcp.result import LONGEST_MESSAGE, Result
from pegcp.running.judge import examine, make_result
from pegcp.running.task import Task

_LONGEST_TEXT = 100_000  # characters
_LONGEST_KEY = 1000  # characters
_LONGEST_DESCRIPTION = 5_000_000  # characters; a board of 100,000 lines takes half of that
_LARGEST = 10**300  # numbers beyond it are no floats; counts of solutions have fewer digits
_GREATEST_AMOUNT = 1e15  # seconds or megabytes
_DEEPEST = 20  # brackets within brackets; certificates need four
_MOST_FIGURES = 500  # entries of statistics

Number = int | float
_Small = Annotated[int, Meta(ge=0, le=2**31 - 1)]
_Amount = Annotated[float, Meta(ge=0, le=_GREATEST_AMOUNT)]
_Point = Annotated[list[Annotated[float, Meta(ge=-1e6, le=1e6)]], Meta(min_length=2, max_length=3)]


class _Report(Struct, kw_only=True):
    """Progress of a run, of which these two are used."""

    bound: Number | None = None
    objective: Number | None = None


class _Verdict(_Report, kw_only=True):
    """The part that answers of methods and results have in common."""

    status: Status
    reason: Reason
    certificate: dict[str, Any] | None = None
    statistics: dict[str, Any] | None = None
    message: str = ""
    counted: str | None = None


class _Claim(_Verdict, kw_only=True):
    """The answer of a method in a child process; jumps are triples of numbers of holes."""

    jumps: list[tuple[int, int, int]] | None = None
    solutions: list[list[_Small]] = []


class _Parameters(Struct):
    """Parameters of a run that must make sense; options of its method are beside them."""

    seed: _Small = 0
    workers: _Small = 1
    time_limit: _Amount = 0
    memory_limit: _Amount | None = None


class _Row(_Verdict, kw_only=True):
    """A result, see :meth:`pegcp.Result.to_json`; jumps are triples of names of holes."""

    problem: str
    description: str
    fingerprint: str
    method: str
    backend: str | None
    versions: dict[str, str]
    parameters: dict[str, Any]
    provenance: dict[str, Any]
    jumps: list[tuple[str, str, str]] | None = None
    log: str = ""
    board: str | None = None
    coordinates: list[_Point] | None = None


def parse(data: bytes | str, *, lenient: bool = False) -> dict[str, Any]:
    """Return the object of a JSON text, within bounds. Raises ValueError or TypeError.

    ``NaN`` and ``Infinity`` are not JSON. Solvers write them for "no value"; ``lenient`` reads them as None.
    """
    try:
        values = bounded(json.loads(data, parse_constant=(lambda _: None) if lenient else _refuse))
    except RecursionError:
        raise ValueError("nested too deeply") from None
    if not isinstance(values, dict):
        raise TypeError(f"it is {shown(values)}, not an object")
    return values


def _refuse(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is not a number")


def bounded(value: Any, name: str = "it", depth: int = _DEEPEST) -> Any:
    """Return data with finite numbers and printable text of some length. Raises ValueError or TypeError.

    ``name`` is the key of the value.
    """
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, int | float):
        if not -_LARGEST < value < _LARGEST or not isfinite(value):
            raise ValueError(f"{name} is not a number that can be used")
        return value
    if isinstance(value, str):
        return clipped(value, _LONGEST_DESCRIPTION if name == "description" else _LONGEST_TEXT)
    if depth < 0:
        raise ValueError(f"{name} is nested more than {_DEEPEST} deep")
    if isinstance(value, Mapping) and all(isinstance(key, str) for key in value):
        return {clipped(key, _LONGEST_KEY): bounded(item, key[:60], depth - 1) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [bounded(item, name, depth - 1) for item in value]
    raise TypeError(f"{name} holds {shown(value)}, which JSON cannot represent")


def _check_statistics(statistics: Mapping[str, Any]) -> dict[str, Any]:
    """Return statistics whose seconds and megabytes are numbers. Raises InputError."""
    if len(statistics) > _MOST_FIGURES:
        raise InputError(f"statistics has {len(statistics):,} entries, more than {_MOST_FIGURES}")
    for key in [key for key in statistics if key.endswith(("_seconds", "_mb"))]:
        value = statistics[key]
        if value is not None and (type(value) not in (int, float) or not 0 <= value <= _GREATEST_AMOUNT):
            raise InputError(f"{key} is {shown(value)}, which is no amount")
    return dict(statistics)


# Children -------------------------------------------------------------------------------------------------------------


def read_report(line: bytes) -> dict[str, Any]:
    """Return the progress on a line that a child wrote. Raises InputError, ValueError or TypeError."""
    report = _check_statistics(parse(line, lenient=True))
    convert(report, _Report, "")
    return report


def read_jumps(value: Any) -> tuple[Jump, ...] | None:
    """Return jumps that a child reported, triples of numbers of holes. Raises InputError."""
    jumps = convert(value, list[tuple[int, int, int]] | None, "jumps")  # type: ignore[arg-type]
    return None if jumps is None else tuple(Jump(*jump) for jump in jumps)


def read_answer(line: bytes, task: Task) -> Answer:
    """Return the answer that a child wrote. Raises InputError, ValueError or TypeError."""
    claim = convert(parse(line, lenient=True), _Claim, "")
    if len(claim.solutions) > (task.listing.most if task.listing else 0):  # each is going to be replayed
        raise InputError(f"it lists {len(claim.solutions):,} solutions")
    notion = COARSER.get(task.listing.up_to if task.listing else "")
    if task.listing and claim.counted and (claim.counted != notion if notion else claim.counted == UP_TO_SYMMETRY):
        raise InputError(f"it lists solutions {claim.counted}, which is not what was asked for")
    jumps = task.problem.board.jumps
    if any(number >= len(jumps) for solution in claim.solutions for number in solution):
        raise InputError(f"solutions are lists of numbers of jumps, below {len(jumps)}")
    solutions = tuple(tuple(jumps[number] for number in solution) for solution in claim.solutions)
    return replace(
        _answer(claim, None if claim.jumps is None else tuple(Jump(*jump) for jump in claim.jumps)),
        message=clipped(claim.message, LONGEST_MESSAGE),
        objective=to_int(claim.objective),
        bound=to_int(claim.bound),
        solutions=solutions,
    )


def to_int(value: Number | None) -> Number | None:
    """Return the same number, as an int if it is whole."""
    return int(value) if value is not None and value == int(value) else value


def _answer(data: _Verdict, jumps: tuple[Jump, ...] | None) -> Answer:
    return Answer(
        data.status,
        data.reason,
        jumps,
        data.objective,
        data.bound,
        data.certificate,
        _check_statistics(data.statistics or {}),
        data.message,
        data.counted or "",
    )


# Results --------------------------------------------------------------------------------------------------------------


def write_result(result: Result) -> dict[str, Any]:
    """Return a result as the object of the JSON contract; jumps are triples of hole names."""
    problem, board = result.problem, result.problem.board
    return {
        "problem": problem.name,
        "fingerprint": problem.fingerprint,
        "board": board.name,
        "method": result.method,
        "backend": result.backend,
        "status": result.status.value,
        "reason": result.reason.value,
        "jumps": None if result.jumps is None else [list(board.jump_names(jump)) for jump in result.jumps],
        "moves": len(result.moves) if result.replay else None,
        "objective": result.objective,
        "counted": result.counted or None,
        "bound": result.bound,
        "certificate": None if result.certificate is None else dict(result.certificate),
        "evidence": None if result.evidence is None else result.evidence.value,
        "agrees_with": result.agrees_with or None,
        "statistics": dict(result.statistics),
        "versions": dict(result.versions),
        "parameters": dict(result.parameters),
        "provenance": dict(result.provenance),
        "message": result.message,
        "description": problem.text,
        **({"log": result.log} if result.log else {}),
        **({} if board.coordinates is None else {"coordinates": [list(point) for point in board.coordinates]}),
    }


def read_result(data: Mapping[str, Any]) -> Result:
    """Return the result that :func:`write_result` wrote, its solution and certificate checked again. Raises
    InputError."""
    try:
        row = convert(bounded(data), _Row, "")
        convert(row.parameters, _Parameters, "")
        problem = read_problem(row.description, source="result", name=row.problem)
        holes, points = len(problem.board.holes), row.coordinates
        if points is not None and (len(points) != holes or len({len(point) for point in points}) != 1):
            raise InputError(f"coordinates: expected {holes} points of two numbers or of three")
        about = {"name": row.board, "coordinates": points and tuple(map(tuple, points))}
        problem = problem.with_board(**{key: value for key, value in about.items() if value is not None})
        if problem.fingerprint != row.fingerprint:
            raise InputError(f"the description of {row.problem} does not have its fingerprint {row.fingerprint}")
        hole = problem.board.hole
        answer = _answer(row, None if row.jumps is None else tuple(Jump(*map(hole, jump)) for jump in row.jumps))
        replay, fault = examine(problem, row.method, answer, None)
        if fault:
            raise InputError(fault)
        return make_result(
            problem,
            row.method,
            answer,
            replay,
            backend=row.backend,
            versions=row.versions,
            parameters=row.parameters,
            provenance=row.provenance,
            log=row.log,
        )
    except InputError as error:
        raise InputError(f"not a result: {error.message}") from None
    except (TypeError, ValueError, AttributeError, InvalidSolution) as error:
        raise InputError(f"not a result: {error}") from None
