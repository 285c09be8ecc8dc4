"""The commands about files: problems (``generate``, ``export``, ``import``), models (``why``, ``mark``,
``contribute``), proofs and solutions (``prove``, ``check``)."""

import csv
import os
import re
import shlex
from collections.abc import Callable, Mapping
from contextlib import nullcontext, suppress
from functools import partial
from io import StringIO
from itertools import chain, product
from pathlib import Path

import click

from pegcp import library
from pegcp.catalogue import exporting, modelfile
from pegcp.catalogue.choice import split
from pegcp.catalogue.methods import bundled
from pegcp.cli.console import Exit, complain, print_answer, progress_line, show, write, write_all
from pegcp.cli.options import (
    FILE,
    complete_problems,
    examples,
    find_problem,
    force_option,
    json_option,
    memory_option,
    method_option,
    methods_option,
    output_folder,
    problem_argument,
    problem_options,
    read_solution_text,
    seed_option,
    time_option,
    with_limits,
    with_output,
    with_problem,
)
from pegcp.errors import (
    InputError,
    InvalidProof,
    InvalidSolution,
    clipped,
    line_and_column,
    plural,
    refuse_if,
    suggestion,
)
from pegcp.formats import numbers, pddl, solution, toml
from pegcp.formats.files import file_name, read_text
from pegcp.formats.readings import SolutionReading
from pegcp.game import Problem, group_moves, group_steps, write_move
from pegcp.library import generate as make
from pegcp.library import lookup
from pegcp.method import Answer, Evidence, Limits, Run, Status
from pegcp.render.table import Column, Table
from pegcp.running.task import read_solution

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
@click.option("--unique", is_flag=True, help="Make problems that have one solution only, up to order and symmetry.")
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
@output_folder(type=FILE, metavar="DIR|FILE", help="Folder to write to, or the .toml file of one problem.")
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
    texts = {
        f"{file_name(problem.name)}.toml": toml.problem_file(problem)
        for problem in map(make_problem, range(seed, seed + count))
    }
    write_all(output, texts, force=force)


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
@output_folder(type=FILE, metavar="DIR|FILE", help="Folder to write to; or a file, such as out.mps, if it is one.")
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

    kind = "" if output is None or output.is_dir() else output.suffix
    names = dict.fromkeys(split(methods))
    is_one = len(problems) == 1 and len(lookup.expand_name(problems[0])) == 1
    subjects = [find_problem(problems[0], **changes)] if is_one else read_problems(problems, **changes)
    files: dict[str, str] = {}
    for problem, method in product(subjects, names):
        folders = [file_name(problem.name)] * (len(subjects) > 1) + [file_name(method)] * (len(names) > 1)
        try:
            contents = exporting.export(problem, method, format_, kind[1:])
        except InputError as error:
            raise InputError(f"{problem.name}: {error}" if len(subjects) > 1 else str(error)) from None
        files |= {"/".join([*folders, name]): text for name, text in contents.items()}
    refuse_if(
        kind[1:] in exporting.METHODS and not any(name.endswith(kind) for name in files),
        f"{methods} writes {next(iter(files))}, no {kind}",
        output,
    )
    write_all(output, files, force=force)


@click.command(
    name="import",
    epilog=examples("pegcp import problem.pddl", "pegcp import p01.pddl --domain other.pddl -o mine.toml"),
)
@click.argument("file", type=FILE)
@click.option("--domain", type=FILE, metavar="FILE", help="Domain file. [default: domain.pddl beside FILE]")
@with_output("Write the problem file there.", metavar="PROBLEM-FILE")
def import_(file: Path, domain: Path | None, output: Path | None) -> None:
    """Turn a PDDL problem, a drawing or numbers into a problem file (TOML).

    Names in the domain do not matter if each of its actions is a single jump, by its preconditions and effects.
    """
    file = file / "problem.pddl" if file.is_dir() else file
    task = None if domain else pddl.read_named(str(file))
    if task is None and domain is None and not (file.exists() and "(define" in read_text(str(file))):
        text = toml.problem_file(find_problem(str(file)))
    else:
        text = toml.problem_file((task or pddl.read_files(file, domain)).problem)
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
    from pegcp.blame.explain import explain_or_solve

    jumps = None if solution is None else tuple(read_solution(problem, read_solution_text(solution)).jumps)
    with progress_line(f"asking {method}"):
        answer = explain_or_solve(problem, method, jumps, time_limit)
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
        refuse_if(not path.exists() and str(path) not in bundled(), "there is no such file", path)
    in_folders = (file for path in paths for file in (sorted(path.iterdir()) if path.is_dir() else [path]))
    files = [file for file in in_folders if file in paths or file.suffix in suffixes]
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
        faults = [(trial.problem.name, trial.fault) for trial in trials if trial.fault]
        points = str(len(trials) - len(faults))
        rows.append((file.name, points, str(len(trials)), ": ".join(faults[0]) if faults else ""))
        command = ["pegcp", "why", *(name for name, _ in faults[:1]), "-m", str(file)]
        commands += [f"Which line: {shlex.join(command)}"] if faults and file.suffix != ".pddl" else []
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
                (Column("kit"), Column("for", prose=18), Column("licence", 1), Column("how", 2, prose=40)),
                tuple((each.name, each.place, each.licence, each.use) for each in KITS.values()),
            ),
            '"pegcp contribute KIT -o DIR" writes one, and says how to hand it in.',
            as_json=as_json,
        )
        return
    refuse_if(kit not in KITS, f'there is no kit "{kit}"{suggestion(kit, KITS)}; "pegcp contribute" lists them')
    refuse_if(output is None, f"choose a folder: pegcp contribute {kit} -o DIR")
    files = KITS[kit].files()
    write_all(output, files, force=force, announce=False)
    click.echo(f"{output}: {plural(len(files), 'file')} for {KITS[kit].place}; {KITS[kit].use}")


_SUFFIXES = (".pddl", ".toml")  # of files that are problems
_JUMP = re.compile(r"[a-z]+\d+(?:[-x>]+\w+)*")  # or a sweep, as one word
_HEAD_CHARACTERS = 1000  # of a file of pegcp solve, which have the name of its problem
_NAMED = re.compile(r'\A{"problem": "([^"]+)"|\A(?:# )?(\S+) by \S+: [A-Z]+')


@click.command(
    epilog=examples(
        "pegcp prove 'english:d2!' -o fools-d2",
        "pegcp prove english --bound 13 -o thirteen-steps",
        "pegcp prove english --objective fewest-moves -o eighteen-moves",
    )
)
@with_problem()
@click.option(
    "--bound",
    type=int,
    metavar="N",
    help="Prove a lower bound N of the objective; without one, of parallel steps.",
)
@output_folder(help="Folder to write to: new, or empty.", required=True)
@with_limits(time_option(default=600), memory_option(show_default="none"))
def prove(problem: Problem, bound: int | None, output: Path, limits: Limits) -> int:
    """Prove that there is no solution, or none that is better.

    With an objective such as fewest-jumps, pegcp proves that no solution has fewer jumps; with count, how many
    sequences of jumps are solutions. DIR gets the problem, the claim with its certificates, and the solver's proofs;
    "pegcp check DIR" verifies them without any solver. Not supported: the objective nearest, and bounds of three or
    more pegs left.
    """
    from pegcp.proofs.writing import prove as write_proof

    refuse_if(
        output.suffix in (".json", ".txt", ".drat", ".zip"),
        f"a proof is a folder of files, not a {output.suffix}; type: -o {output.with_suffix('')}",
    )
    refuse_if(bound is not None and bound < 1, f"--bound must be at least 1, not {bound}")
    with progress_line(f"proving {problem.name}") as on_progress:
        proof = write_proof(problem, output, Run(limits, report=on_progress), bound)
    if isinstance(proof, Answer):
        if proof.status is Status.SOLVED:
            moves = " ".join(write_move(problem.board, move) for move in group_moves(proof.jumps or ()))
            reason = proof.message or f"{problem.name} has a solution"
            click.echo(f"Nothing to prove: {reason}{f': {moves}' if moves else '.'}")
        else:
            click.echo(f"No proof for {problem.name}: {proof.message}")
        return Exit.NO_ANSWER
    size = sum(file.stat().st_size for file in output.iterdir())
    click.echo(f"Wrote {output}, a proof about {problem.name} ({max(size / 1000, 1):,.0f} kB): {proof}.")
    return Exit.ANSWERED


@click.command(
    epilog=examples(
        "pegcp check english solution.txt",
        "pegcp check lab4 plans/*.txt",
        "echo d2-d4 | pegcp check english -",
        "pegcp check fools-d2",
        "pegcp check 'english:d2!' fools-d2",
        "pegcp check --verified fools-d2",
    )
)
@click.argument("problem", shell_complete=complete_problems)
@click.argument("solutions", nargs=-1, metavar="[SOLUTION]...", type=click.Path(path_type=Path, allow_dash=True))
@problem_options
@click.option("--cnf", type=FILE, metavar="FILE", help="Write the formula that a proof folder refutes.")
@click.option("--verified", is_flag=True, help="Also run formal/check, the checker verified in Coq.")
@with_limits(time_option(default=60), memory_option(default=2000))
@json_option()
def check(
    problem: str,
    solutions: tuple[Path, ...],
    cnf: Path | None,
    verified: bool,
    limits: Limits,
    as_json: bool,
    **changes: str | None,
) -> int:
    """Check solutions, PDDL plans, or a proof folder.

    pegcp replays a solution and names the first impossible jump, or shows the position that a legal beginning reaches.
    A folder written by "pegcp prove" is verified without any solver; with a PROBLEM before it, the proof must be about
    that problem.
    """
    if not solutions and not os.path.isdir(problem):  # False, where Path.is_dir raises, for a name that is too long
        raise _lack_of_argument(problem, changes)
    if not solutions:
        return _check_folder(Path(problem), None, limits, cnf, verified, as_json)
    numbering, words = changes["numbering"], [str(word).rstrip(",") for word in solutions]
    if len(words) > 1 and all(_JUMP.fullmatch(word) and not os.path.exists(word) for word in words):
        solutions = (Path(" ".join(words)),)  # one sequence, word by word
    *others, last = solutions
    is_problem = last.suffix in _SUFFIXES or library.is_name(str(last))
    if is_problem and os.path.isfile(problem) and not problem.endswith(_SUFFIXES):  # it came last
        problem, solutions = str(last), (*others, Path(problem))
    try:
        subject = find_problem(problem, **changes)
    except InputError:
        if numbering is None or numbers.are_numbers(problem):
            raise
        subject = find_problem(problem, **changes | {"numbering": None})  # it is that of the solution
    statuses = []
    for path in solutions:
        try:
            if os.path.isdir(path):
                statuses.append(_check_folder(path, subject, limits, cnf, verified, as_json))
            else:
                refuse_if(cnf or verified, f"--{'verified' if verified else 'cnf'} is for proof folders", path)
                statuses.append(_check_solution(path, subject, numbering, limits, as_json))
        except InputError as error:
            if len(solutions) == 1:
                raise
            complain(str(error))
            statuses.append(Exit.BAD_INPUT)
    return max(statuses)


def _lack_of_argument(name: str, changes: Mapping[str, str | None]) -> InputError:
    """Return the error about a problem without a solution, or a solution without its problem."""
    if name == "-" or (os.path.exists(name) and not name.endswith(_SUFFIXES)):
        head = "" if name == "-" else read_text(name)[:_HEAD_CHARACTERS]
        subject = shlex.quote(changes["board"] or "".join(chain(*_NAMED.findall(head)[:1])) or "PROBLEM")
        return InputError(f"to check a solution name its problem, too: pegcp check {subject} {name}", source=name)
    fault = "there is no such file or folder"
    with nullcontext() if os.path.exists(name) else suppress(InputError):
        lookup.problem(name, **changes)
        fault = "no solution to check; name its file, or - for standard input"
    return InputError(fault, source=name)


def _check_solution(path: Path, problem: Problem, numbering: str | None, limits: Limits, as_json: bool) -> int:
    """Replay a solution, of a file, of standard input, or typed as jumps, and print the verdict."""
    from pegcp.play.advice import replay_or_explain

    text = read_solution_text(str(path))
    reading = SolutionReading([], [], "")
    about: dict[str, object] = {
        "problem": problem.name,
        "fingerprint": problem.fingerprint,
        "solution": str(path),
    }
    try:
        reading = solution.read_any_solution(problem, text, str(path), numbering)
        if reading.read_as:
            click.echo(f"read as: {reading.read_as}", err=True)
            about["read_as"] = reading.read_as
        replay = replay_or_explain(problem, reading, Run(limits))
    except InvalidSolution as error:
        about |= {"valid": False, "reason": error.message, "step": error.step}
        about |= {"lost": error.lost} if error.lost else {}
        return print_answer(
            about if as_json else _describe_fault(path, problem, text, reading, error), Exit.WRONG_ANSWER
        )
    jumps, moves, steps = map(len, (reading.jumps, replay.moves, group_steps(reading.jumps)))
    about |= {
        "valid": True,
        "jumps": jumps,
        "moves": moves,
        "sweeps": replay.sweeps,
        "steps": steps,
        "pegs": len(problem.start) - jumps,
        "objective": replay.value,
    }
    value = "" if replay.value is None else f"; {problem.objective} at most {replay.value}"
    verdict = (
        f"{path} solves {problem.name}: {plural(jumps, 'jump')} in {plural(moves, 'move')} "
        f"({plural(replay.sweeps, 'sweep')}); the goal ({problem.goal_text}) is reached{value}"
    )
    return print_answer(about if as_json else verdict)


def _describe_fault(path: Path, problem: Problem, text: str, reading: SolutionReading, error: InvalidSolution) -> str:
    """Return what is wrong with a solution, in words: the position that a legal beginning reaches, or the jump and its
    line; and which jump lost the game."""
    lost = f"\nThe game was {error.lost}." if error.lost else ""
    if reading.jumps and error.step is None and not (end := problem.start.after(*reading.jumps)).is_dead_end():
        count = plural(len(reading.jumps), "legal jump")
        return f"{path}: {count}, but not yet a solution of {problem.name}:\n{end}\n{error.message}{lost}"
    where = ""
    if error.step is not None and error.step <= len(reading.places):
        line, _ = line_and_column(text, reading.places[error.step - 1])
        where = f", line {line} ({clipped(text.splitlines()[line - 1].strip(), 60)}),"
    return f"{path}{where} is not a solution of {problem.name}: {error.message}{lost}"


def _check_folder(
    folder: Path, problem: Problem | None, limits: Limits, cnf: Path | None, verified: bool, as_json: bool
) -> int:
    """Verify a proof folder and print the verdict."""
    from pegcp.checking import verification

    plans = "" if problem is None else f"; to check the plans in it, type: pegcp check {problem.name} {folder}/*"
    refuse_if(not (folder / "claim.json").exists(), f"it is no proof folder, for it has no claim.json{plans}", folder)
    refuse_if(cnf is not None and os.path.lexists(cnf), "the file exists; choose another name", cnf)
    try:
        claim = verification.verify_folder(folder, problem, limits, cnf)
        if verified:
            verification.check_verified(folder, limits)
    except InvalidProof as error:
        fault = {"folder": str(folder), "accepted": False, "reason": str(error)}
        return print_answer(fault if as_json else f"{folder} proves nothing: {error}", Exit.WRONG_ANSWER)
    except (TimeoutError, MemoryError) as error:
        complain(f"{folder}: {str(error) or 'stopped at a limit'}; try a larger --time-limit or --memory-limit")
        return Exit.NO_ANSWER
    verdict_of_coq = " The checker verified in Coq accepts it, too." if verified else ""
    facts = {
        "folder": str(folder),
        "accepted": True,
        "evidence": Evidence.PROOF,
        **({"verified": True} if verified else {}),
        "problem": claim.problem.name,
        "fingerprint": claim.problem.fingerprint,
        "says": str(claim),
        "measure": claim.measure,
        "least": claim.least,
        "optimal": claim.jumps is not None,
    }
    return print_answer(facts if as_json else f"{folder} proves: {claim}.{verdict_of_coq}\n{claim.problem}")
