"""The commands that look at one problem without solving it: ``show``, ``explain``, ``check``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from pegcp.cli import completion
from pegcp.cli.console import complain, print_json
from pegcp.cli.limit import time_limit
from pegcp.cli.options import (
    examples,
    find,
    given_problem,
    json_option,
    limit_options,
    problem_argument,
    problem_options,
)
from pegcp.cli.status import Exit
from pegcp.errors import InputError, InvalidProof, InvalidSolution, plural
from pegcp.game.board import in_steps
from pegcp.game.goal import Objective
from pegcp.method import Evidence, Limits, Run

if TYPE_CHECKING:
    from pegcp.game.problem import Problem


@click.command(
    epilog=examples(
        "pegcp show english", "pegcp show 'english:c1->d4' --after \"c3-c1\"", "pegcp show english -m rounds,ip-rounds"
    )
)
@time_limit(60)
@given_problem
@click.option(
    "--methods",
    "-m",
    metavar="A,B",
    shell_complete=completion.methods,
    help="Models: what their solvers make of the problem before they search.",
)
def show(problem: Problem, time_limit: float, methods: str | None) -> int:
    """A picture of a problem, its counts and certificates.

    With -m instead the sizes of its models, and what follows at the root; nothing is solved.
    """
    from pegcp.render.show import show as describe

    if methods is None:
        click.echo(describe(problem))
        return Exit.ANSWERED
    from pegcp.cli.console import show as print_table
    from pegcp.comparison.sizes import looks, sizes_table

    found = looks(problem, methods, Limits(time=time_limit))
    print_table(sizes_table(found))
    return Exit.ANSWERED if any("variables" in result.statistics for result in found) else Exit.NO_ANSWER


@click.command(epilog=examples("pegcp explain 'english:c1->e5'", "pegcp explain army5"))
@time_limit(60)
@given_problem
def explain(problem: Problem, time_limit: float) -> int:
    """Why a problem has no solution, when a certificate shows it."""
    from pegcp.theory import certificates

    certificate = certificates.find(problem, cases=True, run=Run(Limits(time=time_limit)))
    if certificate is None:
        click.echo(f'No certificate found: {problem.name} may have a solution; "pegcp solve" decides.')
        return Exit.NO_ANSWER
    click.echo(certificates.explain(problem, certificate))
    return Exit.ANSWERED


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
        told = f"check takes a proof folder, or a problem and a solution: pegcp check {problem} solution.txt"
        raise InputError(f"{told} (- reads standard input)", source=problem)
    if cnf is not None or verified:
        raise InputError(f"--{'verified' if verified else 'cnf'} is for proof folders", source=str(solution))
    return _check_solution(solution, find(problem, **changes), numbering, as_json)


def _check_solution(solution: Path, wanted: Problem, numbering: str, as_json: bool) -> int:
    from pegcp.formats.solution import is_plan, read_solution
    from pegcp.game import check as checker
    from pegcp.library.lookup import read_text

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
    from pegcp.proofs.checking import check as check_proof
    from pegcp.proofs.checking import check_verified

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
        told = {"accepted": True, "evidence": claim.evidence, **({"verified": True} if verified else {})}
        print_json({"folder": str(folder), **told, **about, **numbers})
    elif claim.evidence is Evidence.PROOF:
        too = " The checker that is proved right in Coq accepts it, too." if verified else ""
        click.echo(f"{folder} proves it: {claim}.{too}\n{claim.problem}")
    else:
        click.echo(f"{folder}: {claim}. That is a second run, not a proof.\n{claim.problem}")
    return Exit.ANSWERED
