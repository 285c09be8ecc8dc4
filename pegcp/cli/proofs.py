"""The commands ``prove`` and ``check``: proofs that others can check, and solutions."""

import os
from pathlib import Path

import click

from pegcp import library
from pegcp.cli.console import Exit, complain, print_answer, progress_line
from pegcp.cli.options import (
    FILE,
    complete_problems,
    examples,
    json_option,
    memory_option,
    output_folder,
    problem_options,
    read_problem,
    solution_text,
    time_option,
    with_limits,
    with_problem,
)
from pegcp.errors import InputError, InvalidProof, InvalidSolution, clipped, line_and_column, plural, refuse_if
from pegcp.formats import numbers, solution
from pegcp.game import Objective, Problem, group_moves, group_steps, write_move
from pegcp.method import Answer, Evidence, Limits, Run, Status

_SUFFIXES = (".pddl", ".toml")  # of files that are problems


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
    from pegcp.proofs.writing import prove as write

    refuse_if(bound is not None and bound < 1, f"--bound must be at least 1, not {bound}")
    with progress_line(f"proving {problem.name}") as on_progress:
        proof = write(problem, output, Run(limits, report=on_progress), bound)
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
    if not solutions:
        if os.path.isdir(problem):  # False, where Path.is_dir raises, for a name that is too long
            return _check_folder(Path(problem), None, limits, cnf, verified, as_json)
        is_problem = library.is_name(problem) or problem.endswith(_SUFFIXES)
        refuse_if(is_problem, "no solution to check; name its file, or - for standard input", problem)
        refuse_if(not os.path.exists(problem), "there is no such file or folder", problem)
        raise InputError(f"to check a solution name its problem, too: pegcp check PROBLEM {problem}", source=problem)
    numbering = changes["numbering"]
    *others, last = solutions
    is_problem = last.suffix in _SUFFIXES or library.is_name(str(last))
    if is_problem and os.path.isfile(problem) and not problem.endswith(_SUFFIXES):  # it came last
        problem, solutions = str(last), (*others, Path(problem))
    try:
        subject = read_problem(problem, **changes)
    except InputError:
        if numbering is None or numbers.are_numbers(problem):
            raise
        subject = read_problem(problem, **changes | {"numbering": None})  # it is that of the solution
    statuses = []
    for path in solutions:
        try:
            if os.path.isdir(path):
                status = _check_folder(path, subject, limits, cnf, verified, as_json)
            else:
                refuse_if(cnf or verified, f"--{'verified' if verified else 'cnf'} is for proof folders", path)
                status = _check_solution(path, subject, numbering, limits, as_json)
        except InputError as error:
            if len(solutions) == 1:
                raise
            complain(str(error))
            status = Exit.BAD_INPUT
        statuses.append(status)
    return max(statuses)


def _check_solution(path: Path, problem: Problem, numbering: str | None, limits: Limits, as_json: bool) -> int:
    """Replay a solution file and print the verdict."""
    from pegcp.play.advice import check_solution

    text = solution_text(str(path))
    reading = solution.ReadSolution([], [], "")
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
        replay = check_solution(problem, reading, Run(limits))
    except InvalidSolution as error:
        if reading.jumps and error.step is None and not (end := problem.start.after(*reading.jumps)).is_dead_end():
            count = plural(len(reading.jumps), "legal jump")
            verdict = f"{path}: {count}, but not yet a solution of {problem.name}:\n{end}\n{error.message}"
        else:
            where = ""
            if error.step is not None and error.step <= len(reading.places):
                line, _ = line_and_column(text, reading.places[error.step - 1])
                where = f", line {line} ({clipped(text.splitlines()[line - 1].strip(), 60)}),"
            verdict = f"{path}{where} is not a solution of {problem.name}: {error.message}"
        about |= {"valid": False, "reason": error.message, "step": error.step}
        if error.lost:
            about, verdict = about | {"lost": error.lost}, f"{verdict}\nThe game was {error.lost}."
        return print_answer(about if as_json else verdict, Exit.WRONG_ANSWER)
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
    in_parallel = f", {plural(steps, 'parallel step')}" if problem.objective is Objective.FEWEST_STEPS else ""
    verdict = (
        f"{path} solves {problem.name}: {plural(jumps, 'jump')} in {plural(moves, 'move')} "
        f"({plural(replay.sweeps, 'sweep')}){in_parallel}; the goal ({problem.goal_text}) is reached"
    )
    return print_answer(about if as_json else verdict)


def _check_folder(
    folder: Path, problem: Problem | None, limits: Limits, cnf: Path | None, verified: bool, as_json: bool
) -> int:
    """Verify a proof folder and print the claim."""
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
