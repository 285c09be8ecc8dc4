"""The files that one result can be written to."""

from pathlib import Path

from pegcp.errors import InputError
from pegcp.formats.files import check_ending
from pegcp.formats.pddl import domain_for
from pegcp.game.drawn import ENDINGS, check_picture
from pegcp.game.problem import Problem

FORMATS = (*ENDINGS, ".html", ".json", ".txt", ".soln")


def check_format(path: Path, problem: Problem, *, animate: bool = False) -> None:
    """Check that a file ends in one of :data:`FORMATS`, and that the format suits the problem.

    Raises InputError, or Missing for .png without CairoSVG."""
    check_ending(path, FORMATS)
    if animate and path.suffix.lower() != ".svg":
        raise InputError("an animation is written to a file that ends in .svg", source=str(path))
    if path.suffix.lower() in ENDINGS:
        check_picture(path)
    if path.suffix.lower() == ".soln":
        domain_for(problem)
