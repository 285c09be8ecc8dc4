"""The command that writes proofs: ``prove``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from pegcp.cli.options import examples, given_problem, limit_options, output_folder
from pegcp.cli.status import Exit
from pegcp.method import Answer, Evidence, Limits, Run, Status

if TYPE_CHECKING:
    from pegcp.game.problem import Problem


@click.command(
    epilog=examples("pegcp prove 'english:d2!' -o fools-d2", "pegcp prove english --bound 13 -o thirteen-steps")
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
    rejects it without any solver. Fewest moves, and mostly fewest pegs, are left to a second run of another program.
    """
    from pegcp.proofs.writing import prove as write

    made = write(problem, output, Run(limits), bound, rounds=rounds)
    if isinstance(made, Answer):
        if made.status is Status.SOLVED:
            click.echo(f"nothing to prove: {made.message or f'{problem.name} has such a solution'}")
        else:
            click.echo(f"no proof of {problem.name}: {made.message}")
        return Exit.NO_ANSWER
    size = sum(file.stat().st_size for file in output.iterdir())
    verb = "proves" if made.evidence is Evidence.PROOF else "says"
    click.echo(f"{output} {verb} of {problem.name}: {made} ({size / 1e6:.1f} MB)")
    return Exit.ANSWERED
