"""The commands that look at one problem without solving it: ``show``, ``budgets``, ``explain``, ``check``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from pegcp.cli.limit import time_limit
from pegcp.cli.options import examples, find, problem_argument, problem_options
from pegcp.cli.status import Exit
from pegcp.errors import InvalidProof, InvalidSolution, plural

if TYPE_CHECKING:
    from pegcp.game.problem import Problem


@click.command(epilog=examples("pegcp show english", "pegcp show 'english:c1->d4' --after \"c3-c1\""))
@problem_argument
@problem_options
@time_limit(60)
def show(problem: str, time_limit: float, **changes: str | None) -> None:  # noqa: ARG001
    """A picture of a problem, its counts and certificates."""
    from pegcp.render.show import show as describe

    click.echo(describe(find(problem, **changes)))


@click.command(epilog=examples("pegcp budgets english", "pegcp budgets triangle15:c4"))
@problem_argument
@problem_options
@time_limit(60)
def budgets(problem: str, time_limit: float, **changes: str | None) -> None:
    """How often each jump can be made in any solution.

    One line for each class of jumps that are alike by symmetry.
    """
    from pegcp.method import Limits, Run
    from pegcp.theory.budgets import budgets as find_budgets
    from pegcp.theory.budgets import by_name
    from pegcp.theory.equations import jump_classes

    wanted = find(problem, **changes)
    found = find_budgets(wanted, Run(Limits(time=time_limit)))
    if found is None:
        click.echo(f"{wanted.name} is infeasible: no numbers of jumps add up from the start to the goal")
        return
    classes = list(jump_classes(wanted).values())
    click.echo("from over to: at most how often (jumps alike by symmetry)")
    for first, (name, budget) in zip(dict.fromkeys(classes), by_name(wanted, found).items(), strict=True):
        click.echo(f"{name}: {budget} ({classes.count(first)})")


@click.command(epilog=examples("pegcp explain 'english:c1->e5'", "pegcp explain army5"))
@problem_argument
@problem_options
@time_limit(60)
def explain(problem: str, time_limit: float, **changes: str | None) -> int:
    """Why a problem has no solution, when a certificate shows it."""
    from pegcp.method import Limits, Run
    from pegcp.theory import certificates

    wanted = find(problem, **changes)
    certificate = certificates.find(wanted, cases=True, run=Run(Limits(time=time_limit)))
    if certificate is None:
        click.echo(f'No certificate found: {wanted.name} may have a solution; "pegcp solve" decides.')
        return Exit.NO_ANSWER
    click.echo(certificates.explain(wanted, certificate))
    return Exit.ANSWERED


@click.command(
    epilog=examples(
        "pegcp check english solution.txt",
        "echo d2-d4 | pegcp check english -",
        "pegcp check fools-d2",
        "pegcp check 'english:d2!' fools-d2",
    )
)
@problem_argument
@click.argument("solution", required=False, type=click.Path(path_type=Path, allow_dash=True))
@problem_options
@click.option(
    "--numbering", default="letters", show_default=True, help="letters, zero, one, grid, row-column or blocks."
)
def check(problem: str, solution: Path | None, numbering: str, **changes: str | None) -> int:
    """Replay a solution or plan file; name an impossible jump. Or check a proof folder.

    The reason is given. Of a legal beginning it shows where it leads. A folder that "pegcp prove" wrote is checked
    without any solver; with a PROBLEM before it, it must be about that problem.
    """
    if solution is None:
        return _check_folder(Path(problem), None)
    if solution.is_dir():
        return _check_folder(solution, find(problem, **changes))
    from pegcp.formats.solution import read_solution
    from pegcp.game import check as checker
    from pegcp.library.lookup import read_text

    wanted = find(problem, **changes)
    text = read_text(solution)
    jumps = read_solution(wanted, text, str(solution), numbering)
    try:
        found = checker.check(wanted, jumps)
    except InvalidSolution as error:
        if error.step is None and not (here := wanted.start.after(*jumps)).is_dead_end():
            click.echo(
                f"{solution} is legal so far, {plural(len(jumps), 'jump')}, but no solution of {wanted.name} yet:"
            )
            click.echo(f"{here}\n{error}")
        else:
            click.echo(f"{solution} is not a solution of {wanted.name}: {error}")
        return Exit.WRONG_ANSWER
    click.echo(
        f"{solution} solves {wanted.name}: {plural(len(jumps), 'jump')} in "
        f"{plural(len(found.moves), 'move')} ({plural(found.sweeps, 'sweep')}); "
        f"the goal ({wanted.goal_text}) is reached"
    )
    return Exit.ANSWERED


def _check_folder(folder: Path, problem: Problem | None) -> int:
    from pegcp.proofs import folder as proof_folder

    try:
        claim = proof_folder.check(folder, problem)
    except InvalidProof as error:
        click.echo(f"{folder} proves nothing: {error}")
        return Exit.WRONG_ANSWER
    click.echo(f"{folder} proves it: {claim}.\n{claim.problem}")
    return Exit.ANSWERED
