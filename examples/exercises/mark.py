"""Mark a solution of an exercise: ``python mark.py FILE``, a model file or a planning domain.

It asks the file about small boards, smallest first, and stops at the first wrong answer: it draws the position, and
says what is wrong and what is right. What is right is found by a search of all positions. Exit status: 0 all is well,
4 a wrong answer, 2 the file cannot be run.
"""

from __future__ import annotations

import sys
import traceback
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import pegcp
from pegcp.catalogue.methods import choose
from pegcp.game.board import jump_name
from pegcp.game.equivalence import UP_TO_ORDER, in_normal_form
from pegcp.game.rules import why_illegal
from pegcp.method import Answer, Limits, Reason, Run, Status

LINES = "XXo XoX XXX oXXo XoXX XXoX XXXo XXXX XXoXX XXoXo XoXoX XXXXo oXXoX XXoXXo XoXXXX"
BOARDS = "triangle6:a1->? triangle6:a2->? rectangle2x3:a1->? rectangle3x3:b2->? rectangle3x3:a1->?"
EXACT = "line4:b1->c1 line4:b1->b1 line6:b1->e1 triangle6:a2->b2 triangle10:a2->a2 triangle10:a2->b2 cycle6:1->4"
COUNTED = 9  # jumps of a solution up to which solutions are counted, too
SECONDS = 20.0  # for each board


class Unmarked(Exception):
    """The file cannot be run; the message says why."""


def mark(file: Path) -> str | None:
    """What is wrong on the first board that the file answers wrongly, with its picture; None if all is well."""
    answers = domain if file.suffix == ".pddl" else model
    for name in f"{LINES} {BOARDS} {EXACT}".split():
        problem = pegcp.problem(name)
        for asked in (problem, replace(problem, objective=pegcp.Objective.COUNT)):
            answer = answers(file, asked)
            wrong = None if answer is None else fault(asked, answer)
            if wrong is not None:
                return f"{problem}\n{wrong}"
    return None


def model(file: Path, problem: pegcp.Problem) -> Answer | None:
    """The answer of a model file; None if it does not take the goal or the objective."""
    try:
        method = choose(str(file))
        if method.method.mismatch(problem) is not None:
            return None
        answer = method.run(problem, Run(Limits(time=SECONDS, workers=1)))
    except pegcp.PegcpError as error:
        raise Unmarked(str(error)) from None
    except Exception as error:  # noqa: BLE001 -- whatever a student's file may raise
        lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if Path(frame.filename) == file]
        place = f"line {lines[-1]}: " if lines else ""
        raise Unmarked(f"{place}{type(error).__name__}: {error}") from None
    if answer.status is Status.UNKNOWN and answer.reason is not Reason.TIME:
        raise Unmarked(answer.message)
    return answer


def domain(file: Path, problem: pegcp.Problem) -> Answer | None:
    """The answer of pyperplan by a planning domain, for one exact position; None for other goals."""
    if problem.goal.kind != "exact" or problem.objective is not pegcp.Objective.ANY:
        return None
    try:
        from pyperplan.planner import SEARCHES, search_plan
    except ImportError:
        raise Unmarked('to mark domains it takes a planner: pip install "pegcp[planners]"') from None
    with TemporaryDirectory() as folder:
        task = Path(folder, "problem.pddl")
        task.write_text(pegcp.export(problem, "pddl")["problem.pddl"], encoding="utf-8")
        try:
            plan = search_plan(str(file), str(task), SEARCHES["bfs"], None)
        except (Exception, SystemExit) as error:  # noqa: BLE001 -- its reader raises many kinds, and leaves at some
            raise Unmarked(f"pyperplan cannot read it: {error}") from None
    if plan is None:
        return Answer(Status.INFEASIBLE)
    try:
        return Answer(Status.SOLVED, jumps=tuple(pegcp.from_plan(problem, "\n".join(step.name for step in plan))))
    except pegcp.PegcpError as error:
        raise Unmarked(f"on {problem.name} the plan is none of jumps: {error}") from None


def fault(problem: pegcp.Problem, answer: Answer) -> str | None:
    """What is wrong with an answer, and what is right; None if it is right."""
    solutions = list(played(problem, problem.start.mask, ()))
    right = f"Right: {written(problem, solutions[0])} is a solution." if solutions else "Right: no solution."
    if answer.status is Status.UNKNOWN:
        return f"Yours: no answer in {SECONDS:g} s.\n{right}"
    if not answer.status.has_solution:
        return f"Yours: no solution.\n{right}" if solutions else None
    jumps = answer.jumps or ()
    try:
        pegcp.check(problem, jumps)
    except pegcp.InvalidSolution as error:
        before = problem.start.after(*jumps[: (error.step or len(jumps) + 1) - 1])
        place = "It ends here" if error.step is None else "Before that jump"
        where = f" {place}:\n{before}" if before != problem.start else ""
        return f"Yours: {written(problem, jumps)}. But {error}.{where}\n{right}"
    if problem.objective is pegcp.Objective.COUNT and len(jumps) <= COUNTED:
        sequences = {tuple(in_normal_form(s)) for s in solutions} if answer.counted == UP_TO_ORDER else solutions
        if answer.objective != len(sequences):
            return f"Yours: {answer.objective} solutions, counted {answer.counted}.\nRight: {len(sequences)}."
    return None


def written(problem: pegcp.Problem, jumps: Sequence[pegcp.Jump]) -> str:
    """Jumps by their names."""
    return " ".join(jump_name(problem.board, jump) for jump in jumps) or "no jumps"


def played(problem: pegcp.Problem, position: int, jumps: tuple[pegcp.Jump, ...]) -> Iterable[tuple[pegcp.Jump, ...]]:
    """Every way to the goal."""
    if problem.is_goal(position):
        yield jumps
    for jump in problem.board.jumps:
        if why_illegal(problem.board, position, jump) is None:
            yield from played(problem, position ^ jump.mask, (*jumps, jump))


def main(arguments: Sequence[str]) -> int:
    """Mark a file; the exit status."""
    if len(arguments) != 1:
        print("python mark.py FILE: a model file (.py, .lp) or a planning domain (.pddl)")
        return 2
    try:
        wrong = mark(Path(arguments[0]).resolve())
    except Unmarked as error:
        print(f"{arguments[0]}: {error}")
        return 2
    print(f"{arguments[0]} is right on all boards." if wrong is None else f"{arguments[0]} is wrong here:\n{wrong}")
    return 0 if wrong is None else 4


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
