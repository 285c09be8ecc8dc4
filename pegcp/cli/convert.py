"""The commands that write problem files and model files: ``generate``, ``export``, ``import``."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import partial
from pathlib import Path

import click

from pegcp.cli.console import check_writable, write
from pegcp.cli.options import (
    FILE,
    complete_problems,
    examples,
    force_option,
    given_problem,
    method_option,
    output_folder,
    seed_option,
)
from pegcp.errors import InputError
from pegcp.formats.files import file_name
from pegcp.formats.toml import problem_file
from pegcp.game.problem import Problem
from pegcp.library import generate as make
from pegcp.library import lookup
from pegcp.method import Limits, Run

_UNIQUE_ATTEMPTS, _UNIQUE_SECONDS = 1000, 60


@click.command(
    epilog=examples(
        "pegcp generate english --pegs 12",
        "pegcp generate triangle15 --pegs 8 --count 5 -o mine",
        "pegcp generate english --pegs 7 --goal d4 --unique",
    )
)
@click.argument("board", shell_complete=complete_problems)
@click.option("--pegs", type=int, required=True, metavar="N", help="Pegs in the start position.")
@click.option("--random", "scattered", is_flag=True, help="Place the pegs at random; the problem may have no solution.")
@click.option("--goal", default="one peg", show_default=True, metavar="GOAL", help='"one peg", or all last pegs: "d4".')
@click.option("--unique", is_flag=True, help="With one solution, up to order and symmetry.")
@seed_option
@click.option(
    "--count",
    default=1,
    show_default=True,
    metavar="N",
    help="Number of problems, with the seeds SEED, SEED + 1, ...",
)
@output_folder()
@force_option
def generate(
    board: str,
    pegs: int,
    scattered: bool,
    goal: str,
    unique: bool,
    seed: int,
    count: int,
    output: Path | None,
    force: bool,
) -> None:
    """Make random problems on a board, or on that of a problem.

    They have a solution, for they are made by playing backwards from the goal; with --random they may have none. For
    one that is unique, all solutions are counted: jumps without a common hole may change places, and images count once.
    """
    like = lookup.problem(board, goal=goal)
    if count < 1:
        raise InputError(f"--count must be at least 1, not {count}")
    if count > 1 and output is None:
        raise InputError("--count needs -o DIR: a folder for the problem files")
    make_problem = partial(make.scattered if scattered else make.solvable, like.board, pegs, goal=like.goal)
    one = partial(_unique, make_problem) if unique else make_problem
    problems = [one(number) for number in range(seed, seed + count)]
    if output is None:
        click.echo(problem_file(problems[0]), nl=False)
    else:
        _write_all(output, {f"{file_name(p.name)}.toml": problem_file(p) for p in problems}, force=force)


def _unique(make_problem: Callable[[int], Problem], seed: int) -> Problem:
    """Return the first of many random problems that has one solution. Raises InputError if there is none."""
    from pegcp.search.count import solutions

    run = Run(Limits(time=_UNIQUE_SECONDS, workers=1))
    with suppress(TimeoutError):
        for number in range(_UNIQUE_ATTEMPTS * seed, _UNIQUE_ATTEMPTS * (seed + 1)):
            if solutions(problem := make_problem(number), run, "symmetry") == 1:
                return problem
    raise InputError(
        f"no problem with one solution was found among {_UNIQUE_ATTEMPTS:,} or in {_UNIQUE_SECONDS} s; "
        "ask for fewer pegs, another goal or another seed"
    )


@click.command(
    epilog=examples(
        "pegcp export english -m pddl -o out",
        "pegcp export english -m ip1 -f mps",
    )
)
@given_problem
@method_option("pddl, pddl:encoding=NAME (or competition), or a model whose solver reads files.", required=True)
@click.option("--format", "-f", "format_", metavar="F", help='Format, such as mps or cnf; "pegcp backends" lists them.')
@output_folder()
@force_option
def export(
    problem: Problem,
    method: str,
    format_: str | None,
    output: Path | None,
    force: bool,
) -> None:
    """Write a problem as a model file for external solvers."""
    from pegcp.catalogue.exporting import export as compiled

    files = compiled(problem, method, format_)
    if output is None:
        if len(files) > 1:
            raise InputError(f"{len(files)} files to write ({', '.join(files)}): choose a folder with -o DIR")
        click.echo(next(iter(files.values())), nl=False)
        return
    _write_all(output, files, force=force)


def _write_all(folder: Path, texts: Mapping[str, str], *, force: bool) -> None:
    """Write files into a folder: all of them, or none if one exists. Raises InputError."""
    for name in texts:
        check_writable(folder / name, force=force)
    for name, text in texts.items():
        write(folder / name, text)


@click.command(
    name="import",
    epilog=examples("pegcp import problem.pddl", "pegcp import p01.pddl --domain other.pddl -o mine.toml"),
)
@click.argument("file", type=FILE)
@click.option("--domain", type=FILE, metavar="FILE", help="Domain file. [default: domain.pddl beside FILE]")
@click.option(
    "--output",
    "-o",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="PROBLEM-FILE",
    help="Write the problem file there.",
)
@force_option
def import_(file: Path, domain: Path | None, output: Path | None, force: bool) -> None:
    """Turn a PDDL problem into a problem file (TOML).

    Names in the domain do not matter if each of its actions is a single jump, by its preconditions and effects.
    """
    from pegcp.formats.pddl import read_files

    if output is not None:
        check_writable(output, force=force)
    text = problem_file(read_files(file, domain).problem)
    if output is None:
        click.echo(text, nl=False)
        return
    write(output, text)


COMMANDS = (generate, export, import_)
