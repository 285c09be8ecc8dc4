"""Write one result to a file: a picture, a page, data, or moves that ``pegcp check`` reads."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

from pegcp.errors import InputError
from pegcp.formats.files import check_ending, write_file
from pegcp.formats.pddl import domain_for, write_plan
from pegcp.game.problem import Problem
from pegcp.report.page import player
from pegcp.result import Result

FORMATS = (".svg", ".html", ".json", ".txt", ".soln")


def check_format(path: Path, problem: Problem) -> None:
    """Check that a file ends in one of :data:`FORMATS`, and that the format suits the problem. Raises InputError."""
    check_ending(path, FORMATS)
    if path.suffix.lower() == ".soln":
        domain_for(problem)


def solution_file(path: Path, result: Result) -> bytes:
    """Make the content of the file: a filmstrip (.svg), a page with a player (.html), a plan for the problem's PDDL
    domain (.soln), or text. Raises InputError for a result that the format cannot show."""
    match path.suffix.lower():
        case ".json":
            return (json.dumps(result.to_json(), ensure_ascii=False) + "\n").encode()
        case ".html":
            return _page(result).encode()
        case ".txt":
            return "".join(f"{line}\n" for line in _commented(result)).encode()
        case ".soln":
            if result.jumps is None:
                raise InputError(f"there is no solution to write: {result.verdict}", source=str(path))
            return write_plan(result.problem, result.jumps).encode()
        case _:
            picture = result._repr_svg_()
            if picture is None:
                why = "; -o page.html says why" if result.certificate is not None else ""
                raise InputError(f"no solution to draw: {result.verdict}{why}", source=str(path))
            return picture.encode()


def save(result: Result, path: Path) -> None:
    """Write a result to a file, see :meth:`pegcp.Result.save`."""
    check_format(path, result.problem)
    write_file(path, solution_file(path, result))


def _commented(result: Result) -> Iterator[str]:
    """List the moves, one a line, and everything else as comments."""
    text = str(result).split("\n")
    yield f"# {text[0]}"
    yield from result.moves or [f"# {line}".rstrip() for line in text[1:]]


def _page(result: Result) -> str:
    """Make a page with a player and the result in words; without a solution, with its proof drawn."""
    if result.jumps is None:
        return player(result, str(result), result._repr_svg_() or "")
    return player(result, str(result).replace(f"\n{result.positions()[-1]}", ""), "")
