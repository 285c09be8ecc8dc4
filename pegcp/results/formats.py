"""The files that one result can be written to."""

from pathlib import Path

from pegcp.formats.files import check_ending
from pegcp.formats.pddl import domain_for
from pegcp.game.problem import Problem

FORMATS = (".svg", ".html", ".json", ".txt", ".soln")


def check_format(path: Path, problem: Problem) -> None:
    """Check that a file ends in one of :data:`FORMATS`, and that the format suits the problem. Raises InputError."""
    check_ending(path, FORMATS)
    if path.suffix.lower() == ".soln":
        domain_for(problem)
