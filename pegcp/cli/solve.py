"""The command ``solve``."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from pegcp import api
from pegcp.cli.console import check_writable, print_answer, progress_line, status_of_result, write
from pegcp.cli.hints import after_no_solution
from pegcp.cli.options import examples, given_problem, json_option, limit_options, method_option, output_file
from pegcp.errors import InputError
from pegcp.game import Objective, Problem
from pegcp.method import Limits, Status


@click.command(
    epilog=examples(
        "pegcp solve 'english:c1->f4' -m moves --time-limit 60",
        "pegcp solve english -o solution.svg",
        "pegcp solve 'triangle15:b3->?' --all 100",
    )
)
@given_problem
@method_option(
    'NAME[:BACKEND][:OPTION=VALUE]... or a model file; see "pegcp models". [default: chosen for the problem]'
)
@limit_options(workers=True, seed=True)
@click.option("--all", "most", type=int, metavar="N", help="List all solutions, up to N.")
@click.option("--sample", type=int, metavar="N", help="List N solutions, drawn at random.")
@click.option(
    "--up-to",
    type=click.Choice(["order", "symmetry"]),
    help="Count, or list, one of the solutions that are equal up to order, or up to order and symmetry.",
)
@click.option("--log", is_flag=True, help="Print the solver's log on standard error.")
@output_file("Also write the answer: .svg, .animated.svg, .png, .html, .json, .txt, .soln (a PDDL plan).")
@json_option
def solve(
    problem: Problem,
    method: str | None,
    limits: Limits,
    most: int | None,
    sample: int | None,
    up_to: str | None,
    log: bool,
    output: Path | None,
    force: bool,
    as_json: bool,
) -> int:
    """Solve a problem by one method, and check the answer.

    Exit status: 0 answered (also if there is no solution), 2 bad input, 3 stopped at a limit, 4 wrong answer.
    """
    limit: dict[str, Any] = {
        "time_limit": limits.time,
        "memory_limit": limits.memory,
        "workers": limits.workers,
        "seed": limits.seed,
    }
    if most is not None and sample is not None:
        raise InputError("--all cannot be combined with --sample: choose one")
    asked = click.get_current_context().params["objective"]
    if (most or sample or up_to) and asked not in (None, Objective.ANY, Objective.COUNT):
        raise InputError(f"--all, --sample and --up-to are about all solutions: leave out --objective {asked}")
    if most is not None or sample is not None:
        if log or output is not None:
            raise InputError("a list cannot be combined with --log or -o; --json prints it for other programs")
        number = {"most": most} if sample is None else {"sample": sample}
        return _list(problem, method, as_json, {"up_to": up_to or "", **number, **limit})
    if up_to is not None:
        if method is not None and method != "count":
            raise InputError(f"--up-to is for the method count: leave out -m {method}, or type --objective count")
        problem, method = replace(problem, objective=Objective.COUNT), f"count:up_to={up_to}"
    if output is not None:
        from pegcp.results.result import check_format

        check_format(output, problem)
        check_writable(output, force=force)
    with progress_line(problem.name, log=log) as on_progress:
        result = api.solve(problem, method, **limit, log=log, on_progress=on_progress)
    read_as = {"read_as": problem.read_as} if problem.read_as else {}
    more = after_no_solution(problem) if result.status is Status.INFEASIBLE else ()
    print_answer(result.to_json() | read_as, "\n".join([str(result), *more]), as_json=as_json)
    if output is not None:
        write(output, result.as_file(output), err=True)
    return status_of_result(result)


def _list(problem: Problem, method: str | None, as_json: bool, options: Mapping[str, Any]) -> int:
    """List solutions, one a line, and a summary: last on the terminal, first in JSON."""
    listing = api.solutions(problem, method, **options)
    text = "\n".join([*map(" ".join, listing.written()), str(listing)])
    print_answer(list(listing.to_json()), text, as_json=as_json)
    return status_of_result(listing.result)
