"""The commands about problem files and model files: ``generate``, ``export``, ``import``, ``why``, ``mark``,
``contribute``."""

import csv
import shlex
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from io import StringIO
from itertools import product
from pathlib import Path

import click

from pegcp import api
from pegcp.catalogue import exporting, modelfile
from pegcp.catalogue.methods import split
from pegcp.cli.console import Exit, print_answer, progress_line, show, write, write_all
from pegcp.cli.options import (
    FILE,
    examples,
    force_option,
    json_option,
    method_option,
    methods_option,
    output_folder,
    problem_argument,
    problem_options,
    read_problem,
    seed_option,
    solution_text,
    time_option,
    with_output,
    with_problem,
)
from pegcp.errors import InputError, plural, refuse_if, suggestion
from pegcp.formats import pddl, toml
from pegcp.formats.files import file_name, read_text
from pegcp.game import Problem
from pegcp.library import generate as make
from pegcp.library import lookup
from pegcp.method import Limits, Run
from pegcp.render.table import Column, Table

_ATTEMPTS, _SECONDS = 1000, 60  # to find a problem with a property


@click.command(
    epilog=examples(
        "pegcp generate english --pegs 12",
        "pegcp generate triangle15 --pegs 8 --count 5 -o mine",
        "pegcp generate english --pegs 7 --goal d4 --unique",
        "pegcp generate english --pegs 20 --grade 4",
    )
)
@problem_argument("board")
@click.option("--pegs", type=int, required=True, metavar="N", help="Pegs in the start position.")
@click.option("--random", "scattered", is_flag=True, help="Place the pegs at random; the problem may have no solution.")
@click.option("--goal", default="one peg", show_default=True, metavar="GOAL", help='"one peg", or all last pegs: "d4".')
@click.option("--unique", is_flag=True, help="With one solution, up to order and symmetry.")
@click.option(
    "--grade", type=click.IntRange(1, 5), metavar="N", help="How hard for dfs: 1 is up to 100 nodes, 5 over 100,000."
)
@seed_option()
@click.option(
    "--count",
    default=1,
    show_default=True,
    metavar="N",
    help="Number of problems, with the seeds SEED, SEED + 1, ...",
)
@output_folder()
@force_option()
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
    refuse_if(count < 1, f"--count must be at least 1, not {count}")
    refuse_if(count > 1 and output is None, "--count needs -o DIR: a folder for the problem files")
    make_problem = partial(make.scattered if scattered else make.solvable, like.board, pegs, goal=like.goal)
    if unique or grade:
        make_problem = partial(_first, make_problem, unique=unique, grade=grade)
    problems = map(make_problem, range(seed, seed + count))
    write_all(output, {f"{file_name(p.name)}.toml": toml.problem_file(p) for p in problems}, force=force)


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
@problem_argument("problems", nargs=-1, required=True, metavar="PROBLEM...")
@problem_options
@methods_option(help="pddl, pddl:encoding=NAME (or competition), or a model whose solver reads files.", required=True)
@click.option("--format", "-f", "format_", metavar="F", help='Format, such as mps or cnf; "pegcp backends" lists them.')
@output_folder()
@force_option()
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
    from pegcp.comparison.experiment import read_problems

    names = dict.fromkeys(split(methods))
    is_one = len(problems) == 1 and len(lookup.each(problems[0])) == 1
    subjects = [read_problem(problems[0], **changes)] if is_one else read_problems(problems, **changes)
    files: dict[str, str] = {}
    for problem, method in product(subjects, names):
        folders = [file_name(problem.name)] * (len(subjects) > 1) + [file_name(method)] * (len(names) > 1)
        try:
            contents = exporting.export(problem, method, format_)
        except InputError as error:
            raise InputError(f"{problem.name}: {error}" if len(subjects) > 1 else str(error)) from None
        files |= {"/".join([*folders, name]): text for name, text in contents.items()}
    write_all(output, files, force=force)


@click.command(
    name="import",
    epilog=examples("pegcp import problem.pddl", "pegcp import p01.pddl --domain other.pddl -o mine.toml"),
)
@click.argument("file", type=FILE)
@click.option("--domain", type=FILE, metavar="FILE", help="Domain file. [default: domain.pddl beside FILE]")
@with_output("Write the problem file there.", metavar="PROBLEM-FILE")
def import_(file: Path, domain: Path | None, output: Path | None) -> None:
    """Turn a PDDL problem into a problem file (TOML).

    Names in the domain do not matter if each of its actions is a single jump, by its preconditions and effects.
    """
    task = (None if domain else pddl.read_named(str(file))) or pddl.read_files(file, domain)
    text = toml.problem_file(task.problem)
    if output is None:
        click.echo(text, nl=False)
    else:
        write(output, text)


_STATUSES = {"order": Exit.ANSWERED, "agrees": Exit.ANSWERED, "unknown": Exit.NO_ANSWER}  # of the kinds of answers


@click.command(
    epilog=examples(
        "pegcp why triangle10 -m mine.py",
        "pegcp why english -m mine.lp solution.txt",
        "pegcp why XoXX -m moves 'd1-b1 a1-c1'",
    )
)
@with_problem()
@click.argument("solution", required=False)
@method_option(help="A model file (.py, .lp, .mzn), a planning domain (.pddl), or the name of a model.", required=True)
@time_option(default=60)
@json_option()
def why(problem: Problem, solution: str | None, method: str, time_limit: float, as_json: bool) -> int:
    """Say which lines of a model exclude a solution.

    SOLUTION is a file, - for standard input, or jumps; without one, pegcp finds one. Also says which rule of the game
    no line says, if the model accepts what is no solution. The model file is run in this process. Exit status: 0 the
    model agrees with the rules, 2 bad input, 3 not known in time, 4 the model is wrong.
    """
    jumps = None if solution is None else solution_text(solution)
    with progress_line(f"asking {method}"):
        answer = api.why(problem, method, jumps, time_limit=time_limit)
    is_mine = answer.kind == "agrees" and method.endswith(modelfile.SUFFIXES)
    more = f"\nAsk it small problems, which show more:\n  {shlex.join(['pegcp', 'mark', method])}" * is_mine
    return print_answer(
        answer.to_json() if as_json else f"{answer}{more}", _STATUSES.get(answer.kind, Exit.WRONG_ANSWER)
    )


@click.command(epilog=examples("pegcp mark mine.py", "pegcp mark submissions -o points.csv"))
@click.argument("paths", nargs=-1, required=True, type=FILE, metavar="FILE|FOLDER...")
@click.option("--problems", type=FILE, metavar="FILE", help="Ask the problems on the lines of FILE, not the usual 27.")
@time_option(default=20)
@with_output("Also write the table to a file: .csv.", ".csv")
@json_option()
def mark(paths: tuple[Path, ...], problems: Path | None, time_limit: float, output: Path | None, as_json: bool) -> int:
    """Mark model files, or all of a folder, by small problems.

    Each file runs within limits, in a process of its own. A planning domain has a point for each problem on which its
    actions are those of the game.
    """
    from pegcp.testing import PROBLEMS, check_method

    suffixes = (*modelfile.SUFFIXES, ".pddl")
    for path in paths:
        refuse_if(path.suffix in suffixes and not path.exists(), "there is no such file", path)
    files = [
        file
        for path in paths
        for file in (
            [path] if not path.is_dir() else sorted(file for file in path.iterdir() if file.suffix in suffixes)
        )
    ]
    refuse_if(not files, f"there are no model files ({', '.join(suffixes)})", paths[0])
    lines = PROBLEMS if problems is None else read_text(problems).splitlines()
    names = [name for line in lines if (name := line.partition("#")[0].strip())]
    rows, commands = [], []
    for file in files:
        try:
            trials = check_method(str(file), names, time_limit=time_limit)
        except InputError as error:
            if files == [*paths] and len(files) == 1:
                raise
            rows.append((file.name, "0", "", str(error)))
            continue
        wrong = [trial for trial in trials if trial.fault]
        first = f"{wrong[0].problem.name}: {wrong[0].fault}" if wrong else ""
        rows.append((file.name, str(len(trials) - len(wrong)), str(len(trials)), first))
        if wrong and file.suffix != ".pddl":
            commands.append(f"Which line: {shlex.join(['pegcp', 'why', wrong[0].problem.name, '-m', str(file)])}")
    columns = (
        Column("file", prose=16), Column("points", right=True), Column("of", right=True), Column("fault", prose=40),
    )  # fmt: skip
    show(Table("Points", columns, tuple(rows)), *commands, as_json=as_json)
    if output is not None:
        text = StringIO()
        csv.writer(text, lineterminator="\n").writerows([[column.name for column in columns], *rows])
        write(output, text.getvalue(), err=as_json)
    return Exit.WRONG_ANSWER if any(fault for *_, fault in rows) else Exit.ANSWERED


@click.command(epilog=examples("pegcp contribute", "pegcp contribute unified-planning -o DIR"))
@click.argument("kit", required=False)
@output_folder()
@force_option()
@json_option()
def contribute(kit: str | None, output: Path | None, force: bool, as_json: bool) -> None:
    """Write peg solitaire for a library of problems or a test suite.

    Without a name, list the kits: what takes each, under which licence, and how.
    """
    from pegcp.contribute.kits import KITS

    if kit is None:
        show(
            Table(
                "Kits",
                (Column("kit"), Column("for", prose=18), Column("licence", 1), Column("how", prose=18)),
                tuple((each.name, each.place, each.licence, each.use) for each in KITS.values()),
            ),
            '"pegcp contribute KIT -o DIR" writes one.',
            as_json=as_json,
        )
        return
    refuse_if(kit not in KITS, f'there is no kit "{kit}"{suggestion(kit, KITS)}; "pegcp contribute" lists them')
    refuse_if(output is None, f"choose a folder: pegcp contribute {kit} -o DIR")
    files = KITS[kit].files()
    write_all(output, files, force=force, announce=False)
    click.echo(f"{output}: {plural(len(files), 'file')} for {KITS[kit].place}; {KITS[kit].use}")
