"""The command ``why``."""

import click

from pegcp import api
from pegcp.cli.console import Exit, print_answer, progress_line
from pegcp.cli.options import examples, given_problem, json_option, method_option, solution_text, time_option
from pegcp.game import Problem

_STATUSES = {"order": Exit.ANSWERED, "agrees": Exit.ANSWERED, "unknown": Exit.NO_ANSWER}


@click.command(
    epilog=examples(
        "pegcp why triangle10 -m mine.py",
        "pegcp why english -m mine.lp solution.txt",
        "pegcp why XoXX -m moves 'd1-b1 a1-c1'",
    )
)
@given_problem
@click.argument("solution", required=False)
@method_option("A model file (.py, .lp, .mzn), a planning domain (.pddl), or the name of a model.", required=True)
@time_option(60)
@json_option
def why(problem: Problem, solution: str | None, method: str, time_limit: float, as_json: bool) -> int:
    """Say which lines of a model exclude a solution.

    SOLUTION is a file, - for standard input, or jumps; without one, pegcp finds one. Also says which rule of the game
    no line says, if the model accepts what is no solution. The model file is run in this process. Exit status: 0 the
    model agrees with the rules, 2 bad input, 3 not known in time, 4 the model is wrong.
    """
    if solution is not None:
        solution = solution_text(solution)
    with progress_line(f"asking {method}"):
        answer = api.why(problem, method, solution, time_limit=time_limit)
    print_answer(answer.to_json(), str(answer), as_json=as_json)
    return _STATUSES.get(answer.kind, Exit.WRONG_ANSWER)
