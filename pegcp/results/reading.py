"""Read results back from JSON: rows of result files, and what executors return."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, replace
from typing import Annotated

from msgspec import Meta, Struct

from pegcp.errors import InputError, InvalidSolution
from pegcp.formats.declared import convert
from pegcp.formats.foreign import GREATEST_AMOUNT, bounded, check_statistics
from pegcp.formats.toml import read_problem
from pegcp.game.board import Jump
from pegcp.method import Answer
from pegcp.results.judge import find_fault, make_result
from pegcp.results.result import Result

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
    jumps: list[tuple[str, str, str]] | None = None
    log: str = ""
    board: str | None = None
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
        if points is not None and (len(points) != holes or len({len(point) for point in points}) != 1):
            raise InputError(f"coordinates: expected {holes} points of two numbers or of three")
        about = {"name": row.board, "coordinates": points and tuple(map(tuple, points))}
        problem = problem.with_board(**{key: value for key, value in about.items() if value is not None})
        if problem.fingerprint != row.fingerprint:
            raise InputError(f"the description of {row.problem} does not have its fingerprint {row.fingerprint}")
        hole = problem.board.hole
        jumps = None if row.jumps is None else tuple(Jump(*map(hole, jump)) for jump in row.jumps)
        claim = {key: value for key, value in data.items() if key in _OF_ANSWER and value is not None}
        answer = replace(convert(claim, Answer, ""), jumps=jumps)
        check_statistics(answer.statistics)
        replay, fault = find_fault(problem, row.method, answer, None)
        if fault:
            raise InputError(fault)
        run = {key: getattr(row, key) for key in ("backend", "versions", "parameters", "provenance", "log")}
        return make_result(problem, row.method, answer, replay, **run)
    except InputError as error:
        raise InputError(f"not a result: {error.message}") from None
    except (TypeError, ValueError, AttributeError, InvalidSolution) as error:
        raise InputError(f"not a result: {error}") from None
