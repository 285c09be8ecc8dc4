"""The commands ``prove`` and ``check``: proofs that a stranger can check, and solutions."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import click

from pegcp.cli.console import Exit, complain, print_json, progress_line
from pegcp.cli.options import (
    examples,
    find,
    given_problem,
    json_option,
    limit_options,
    output_folder,
    problem_argument,
    problem_options,
)
from pegcp.errors import InputError, InvalidProof, InvalidSolution, plural
from pegcp.formats.solution import is_plan, read_solution
from pegcp.game import replay as checker
from pegcp.game.board import grouped, in_steps
from pegcp.game.goal import Objective
from pegcp.game.jump_notation import written
from pegcp.game.problem import Problem
from pegcp.library.lookup import read_text
from pegcp.method import Answer, Evidence, Limits, Run, Status


@click.command(
    epilog=examples(
        "pegcp prove 'english:d2!' -o fools-d2",
        "pegcp prove english --bound 13 -o thirteen-steps",
        "pegcp prove english --objective fewest-moves -o eighteen-moves",
    )
)
@given_problem
@click.option(
    "--bound",
    type=click.IntRange(min=1),
    metavar="N",
    help="Prove that a solution has N jumps at least (or moves, steps, pegs); where any will do, N parallel steps.",
)
@click.option("--rounds", is_flag=True, help="About rounds through all jumps in one order, as in the model rounds.")
@output_folder("Folder to write to: new, or empty.", required=True)
@limit_options(600.0, most="none")
def prove(problem: Problem, bound: int | None, rounds: bool, output: Path, limits: Limits) -> int:
    """Write a proof that a stranger can check.

    That there is no solution; or, for an objective such as fewest-jumps, that there is none with fewer jumps. The
    folder holds the problem, the claim with its certificates, and the solver's proofs; "pegcp check DIR" accepts or
    rejects it without any solver. Soft goals, and that three pegs or more must be left, have no proof.
    """
    from pegcp.proofs.writing import prove as write

    with progress_line(f"proving {problem.name}") as on_progress:
        made = write(problem, output, Run(limits, report=on_progress), bound, rounds=rounds)
    if isinstance(made, Answer):
        if made.status is Status.SOLVED:
            moves = " ".join(written(problem.board, move) for move in grouped(made.jumps or ()))
            reason = made.message or f"{problem.name} has a solution"
            click.echo(f"Nothing to prove: {reason}{f': {moves}' if moves else ''}")
        else:
            click.echo(f"no proof of {problem.name}: {made.message}")
        return Exit.NO_ANSWER
    size = sum(file.stat().st_size for file in output.iterdir())
    click.echo(f"{output} proves of {problem.name}: {made} ({_size(size)})")
    return Exit.ANSWERED


def _size(size: int) -> str:
    """A number of bytes in words."""
    return f"{plural(size, 'byte')}" if size < 10_000 else f"{size / 1e6:.1f} MB"


@click.command(
    epilog=examples(
        "pegcp check english solution.txt",
        "echo d2-d4 | pegcp check english -",
        "pegcp check fools-d2",
        "pegcp check 'english:d2!' fools-d2",
        "pegcp check --verified fools-d2",
    )
)
@problem_argument
@click.argument("solution", required=False, type=click.Path(path_type=Path, allow_dash=True))
@problem_options
@click.option(
    "--numbering", default="letters", show_default=True, help="letters, zero, one, grid, row-column or blocks."
)
@click.option("--cnf", type=click.Path(path_type=Path), metavar="FILE", help="Write the formula of a proof folder.")
@click.option("--verified", is_flag=True, help="Ask formal/check, too, which is proved right in Coq.")
@limit_options(60.0, 2000.0)
@json_option
def check(
    problem: str,
    solution: Path | None,
    numbering: str,
    cnf: Path | None,
    verified: bool,
    limits: Limits,
    as_json: bool,
    **changes: str | None,
) -> int:
    """Replay a solution or plan file; name an impossible jump. Or check a proof folder.

    The reason is given. Of a legal beginning it shows where it leads. A folder that "pegcp prove" wrote is checked
    without any solver, within the limits; with a PROBLEM before it, it must be about that problem.
    """
    folder = Path(problem) if solution is None else solution
    if folder.is_dir():
        wanted = None if solution is None else find(problem, **changes)
        return _check_folder(folder, wanted, limits, cnf, verified, as_json)

    if solution is None:
        try:
            find(problem, **changes)
        except InputError as error:
            raise error if folder.exists() else InputError("there is no such file or folder", source=problem) from None
        usage = f"check takes a proof folder, or a problem and a solution: pegcp check {problem} solution.txt"
        raise InputError(f"{usage} (- reads standard input)", source=problem)
    if cnf is not None or verified:
        raise InputError(f"--{'verified' if verified else 'cnf'} is for proof folders", source=str(solution))
    return _check_solution(solution, find(problem, **changes), numbering, as_json)


def _check_solution(solution: Path, wanted: Problem, numbering: str, as_json: bool) -> int:
    text = read_text(solution)
    jumps = None
    about = {"problem": wanted.name, "fingerprint": wanted.fingerprint, "solution": str(solution)}
    try:
        jumps = read_solution(wanted, text, str(solution), numbering)
        found = checker.check(wanted, jumps)
    except InvalidSolution as error:
        if as_json:
            print_json(about | {"valid": False, "reason": str(error), "step": error.step})
        elif jumps is not None and error.step is None and not (here := wanted.start.after(*jumps)).is_dead_end():
            click.echo(
                f"{solution} is legal so far, {plural(len(jumps), 'jump')}, but no solution of {wanted.name} yet:"
            )
            click.echo(f"{here}\n{error}")
        else:
            click.echo(f"{solution} is not a solution of {wanted.name}: {error}")
        return Exit.WRONG_ANSWER
    steps = len(in_steps(jumps))
    cost = _cost(wanted, text) if is_plan(wanted, text) else {}
    if as_json:
        pegs = len(wanted.start) - len(jumps)
        numbers = {"jumps": len(jumps), "moves": len(found.moves), "sweeps": found.sweeps, "steps": steps, "pegs": pegs}
        print_json(about | {"valid": True, **numbers, "objective": found.value, **cost})
        return Exit.ANSWERED
    in_parallel = f", {plural(steps, 'parallel step')}" if wanted.objective is Objective.FEWEST_STEPS else ""
    click.echo(
        f"{solution} solves {wanted.name}: {plural(len(jumps), 'jump')} in "
        f"{plural(len(found.moves), 'move')} ({plural(found.sweeps, 'sweep')}){in_parallel}; "
        f"the goal ({wanted.goal_text}) is reached"
    )
    if cost:
        value = f"{cost['metric_value']:g}" if "metric_value" in cost else cost["message"]
        click.echo(f"as the problem file counts ({cost['metric'] or 'actions, it has no metric'}): {value}")
    return Exit.ANSWERED


def _cost(problem: Problem, plan: str) -> dict[str, Any]:
    """The metric of the file of a problem and its value of a plan, or why it has none; nothing without such a file."""
    from pegcp.formats.pddl import metric_value, task_of

    task = task_of(problem)
    if task is None:
        return {}
    try:
        return {"metric": task.metric, "metric_value": metric_value(task, plan)}
    except InvalidSolution as error:
        return {"metric": task.metric, "message": f"nothing, {error}"}


def _check_folder(
    folder: Path, problem: Problem | None, limits: Limits, cnf: Path | None, verified: bool, as_json: bool
) -> int:
    from pegcp.proofs.verify_folder import check as check_proof
    from pegcp.proofs.verify_folder import check_verified

    if cnf is not None and os.path.lexists(cnf):
        raise InputError("the file is there already, and nothing is overwritten", source=str(cnf))
    try:
        claim = check_proof(folder, problem, limits, cnf)
        if verified:
            check_verified(folder, limits)
    except InvalidProof as error:
        if as_json:
            print_json({"folder": str(folder), "accepted": False, "reason": str(error)})
        else:
            click.echo(f"{folder} proves nothing: {error}")
        return Exit.WRONG_ANSWER
    except (TimeoutError, MemoryError) as error:
        complain(f"{folder}: {str(error) or 'stopped at a limit'}; --time-limit and --memory-limit allow more")
        return Exit.NO_ANSWER
    if as_json:
        about = {"problem": claim.problem.name, "fingerprint": claim.problem.fingerprint, "says": str(claim)}
        numbers = {"measure": claim.measure, "least": claim.least, "optimal": claim.jumps is not None}
        verdict = {"accepted": True, "evidence": Evidence.PROOF, **({"verified": True} if verified else {})}
        print_json({"folder": str(folder), **verdict, **about, **numbers})
    else:
        too = " The checker that is proved right in Coq accepts it, too." if verified else ""
        click.echo(f"{folder} proves it: {claim}.{too}\n{claim.problem}")
    return Exit.ANSWERED
