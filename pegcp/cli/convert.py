"""The commands that write problem files and model files: ``generate``, ``export``, ``import``."""

from collections.abc import Callable
from contextlib import suppress
from functools import partial
from itertools import islice, product
from pathlib import Path

import click

from pegcp.cli.console import check_writable, write, write_all
from pegcp.cli.options import (
    FILE,
    complete_problems,
    examples,
    force_option,
    methods_option,
    output_folder,
    problem_options,
    read_problem,
    seed_option,
)
from pegcp.errors import InputError
from pegcp.formats.files import file_name
from pegcp.formats.toml import problem_file
from pegcp.game import Problem
from pegcp.library import generate as make
from pegcp.library import lookup
from pegcp.method import Limits, Run

_ATTEMPTS, _SECONDS = 1000, 60  # to find a problem with a property


@click.command(
    epilog=examples(
        "pegcp generate english --pegs 12",
        "pegcp generate triangle15 --pegs 8 --count 5 -o mine",
        "pegcp generate english --pegs 7 --goal d4 --unique",
        "pegcp generate english --pegs 20 --grade 4",
    )
)
@click.argument("board", shell_complete=complete_problems)
@click.option("--pegs", type=int, required=True, metavar="N", help="Pegs in the start position.")
@click.option("--random", "scattered", is_flag=True, help="Place the pegs at random; the problem may have no solution.")
@click.option("--goal", default="one peg", show_default=True, metavar="GOAL", help='"one peg", or all last pegs: "d4".')
@click.option("--unique", is_flag=True, help="With one solution, up to order and symmetry.")
@click.option(
    "--grade", type=click.IntRange(1, 5), metavar="N", help="How hard for dfs: 1 is up to 100 nodes, 5 over 100,000."
)
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
    grade: int | None,
    seed: int,
    count: int,
    output: Path | None,
    force: bool,
) -> None:
    """Make random problems on a board, or on that of a problem.

    They have a solution, for they are made by playing backwards from the goal; with --random they may have none. For
    one that is unique, all solutions are counted: jumps without a common hole may change places, and images count once.
    A grade is the same on any machine.
    """
    like = lookup.problem(board, goal=goal)
    if count < 1:
        raise InputError(f"--count must be at least 1, not {count}")
    if count > 1 and output is None:
        raise InputError("--count needs -o DIR: a folder for the problem files")
    make_problem = partial(make.scattered if scattered else make.solvable, like.board, pegs, goal=like.goal)
    one = partial(_first, make_problem, unique=unique, grade=grade) if unique or grade else make_problem
    problems = [one(number) for number in range(seed, seed + count)]
    if output is None:
        click.echo(problem_file(problems[0]), nl=False)
    else:
        write_all(output, {f"{file_name(p.name)}.toml": problem_file(p) for p in problems}, force=force)


def _first(make_problem: Callable[[int], Problem], seed: int, *, unique: bool, grade: int | None) -> Problem:
    """Return the first of many random problems that is unique and of a grade. Raises InputError if there is none."""
    from pegcp.search import dfs
    from pegcp.search.count import solutions

    run = Run(Limits(time=_SECONDS, workers=1))
    with suppress(TimeoutError):
        for number in range(_ATTEMPTS * seed, _ATTEMPTS * (seed + 1)):
            problem = make_problem(number)
            is_graded = grade is None or dfs.grade(problem) == grade
            if is_graded and (not unique or solutions(problem, run, "symmetry") == 1):
                return problem
            if not run.remaining:
                break
    properties = " and ".join(["one solution"] * unique + [f"grade {grade}"] * (grade is not None))
    raise InputError(
        f"no problem with {properties} was found among {_ATTEMPTS:,} or in {_SECONDS} s; "
        "ask for another number of pegs, goal or seed"
    )


@click.command(
    epilog=examples(
        "pegcp export english -m pddl -o out",
        "pegcp export english -m ip1 -f mps",
        "pegcp export 'english:*' lab4 -m pddl,pddl:encoding=parallel -o out",
    )
)
@click.argument("problems", nargs=-1, required=True, metavar="PROBLEM...", shell_complete=complete_problems)
@problem_options
@methods_option("pddl, pddl:encoding=NAME (or competition), or a model whose solver reads files.", required=True)
@click.option("--format", "-f", "format_", metavar="F", help='Format, such as mps or cnf; "pegcp backends" lists them.')
@output_folder()
@force_option
def export(
    problems: tuple[str, ...],
    methods: str,
    format_: str | None,
    output: Path | None,
    force: bool,
    **changes: str | None,
) -> None:
    """Write problems as model files for external solvers.

    Of several problems or methods each has a folder of its own: DIR/PROBLEM/METHOD.
    """
    from pegcp.catalogue.exporting import export as compiled
    from pegcp.catalogue.methods import split
    from pegcp.comparison.schedule import read_problems

    names = dict.fromkeys(split(methods))
    is_one = len(problems) == 1 and len(lookup.each(problems[0])) == 1
    chosen = [read_problem(problems[0], **changes)] if is_one else read_problems(problems, **changes)
    files: dict[str, str] = {}
    for problem, method in product(chosen, names):
        folders = [file_name(problem.name)] * (len(chosen) > 1) + [file_name(method)] * (len(names) > 1)
        try:
            texts = compiled(problem, method, format_)
        except InputError as error:
            raise InputError(f"{problem.name}: {error}" if len(chosen) > 1 else str(error)) from None
        files |= {"/".join([*folders, name]): text for name, text in texts.items()}
    if output is None:
        if len(files) > 1:
            listed = ", ".join(islice(files, 5)) + ", ..." * (len(files) > 5)
            raise InputError(f"{len(files)} files to write ({listed}): choose a folder with -o DIR")
        click.echo(next(iter(files.values())), nl=False)
        return
    write_all(output, files, force=force)


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
