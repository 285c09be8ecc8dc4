"""Mark a solution of an exercise: ``python mark.py FILE``, a model file or a planning domain.

It asks the file about small boards, smallest first, and stops at the first wrong answer: it draws the position, and
says what is wrong and what is right. What is right is found by a search of all positions, on larger boards by
``pegcp.solve``. ``--points`` goes on and counts on how many boards the file is right; ``--set FILE`` takes the boards
from a file, a problem on each line; ``--seconds S`` are allowed for each answer, and for finding the right one. Exit
status: 0 all is well, 4 a wrong answer, 2 the file cannot be run.
"""

from __future__ import annotations

import argparse
import os
import signal
import sys
import traceback
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory

import pegcp
from pegcp import backends
from pegcp.blame.explain import explain
from pegcp.catalogue.choice import choose
from pegcp.formats.pddl.syntax import Node, parse
from pegcp.game import jump_name
from pegcp.game.equivalence import UP_TO_ORDER, in_normal_form
from pegcp.game.position import why_illegal
from pegcp.method import Answer, Limits, Reason, Run, Status

LINES = "XXo XoX XXX oXXo XoXX XXoX XXXo XXXX XXoXX XXoXo XoXoX XXXXo oXXoX XXoXXo XoXXXX"
BOARDS = "triangle6:a1->? triangle6:a2->? rectangle2x3:a1->? rectangle3x3:b2->? rectangle3x3:a1->?"
EXACT = "line4:b1->c1 line4:b1->b1 line6:b1->e1 triangle6:a2->b2 triangle10:a2->a2 triangle10:a2->b2 cycle6:1->4"
SMALL = 10  # pegs at the start up to which all positions are searched, and solutions are counted, too
SECONDS = 20.0  # for each board
LATE = Answer(Status.UNKNOWN, Reason.TIME)


class Unmarked(Exception):
    """The file cannot be run; the message says why."""


class Late(BaseException):
    """The time for a board is up; no ``except Exception`` of a student's file catches it."""


def mark(file: Path, names: Sequence[str] = (), seconds: float = SECONDS) -> str | None:
    """The fault on the first board that the file answers wrongly, with its picture; None if all is well."""
    return next((wrong for wrong in faults(file, names, seconds) if wrong), None)


def faults(file: Path, names: Sequence[str] = (), seconds: float = SECONDS) -> Iterator[str]:
    """For each board that the file takes its fault, with a picture; empty text where the file is right."""
    answers = domain if file.suffix == ".pddl" else model
    boards = [pegcp.problem(name) for name in names or f"{LINES} {BOARDS} {EXACT}".split()]
    taken = False
    for problem in boards:
        asked = [problem, replace(problem, objective=pegcp.Objective.COUNT)][: 1 + (len(problem.start) <= SMALL)]
        found = [(one, answer) for one in asked if (answer := answers(file, one, seconds)) is not None]
        wrong = next((text for one, answer in found if (text := fault(one, answer, seconds))), "")
        if found:
            taken = True
            yield f"{problem}\n{wrong}\n{lines(file, problem, seconds)}".rstrip() if wrong else ""
    if not taken:
        raise Unmarked("it takes none of the boards")


@contextmanager
def limited(seconds: float) -> Iterator[None]:
    """Raise Late when so many seconds are over; there is one timer, so that no limit can be within another."""

    def late(*_: object) -> None:
        raise Late

    if not hasattr(signal, "setitimer"):  # in a browser
        yield
        return
    before = signal.signal(signal.SIGALRM, late)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


@contextmanager
def quiet() -> Iterator[None]:
    """Send to nowhere what programs print: MiniZinc prints each solution."""
    sys.stdout.flush()
    kept = [os.dup(1), os.dup(2)]
    with Path(os.devnull).open("w") as nowhere:
        for number in (1, 2):
            os.dup2(nowhere.fileno(), number)
    try:
        yield
    finally:
        for number, copy in zip((1, 2), kept, strict=True):
            os.dup2(copy, number)
            os.close(copy)


def model(file: Path, problem: pegcp.Problem, seconds: float) -> Answer | None:
    """The answer of a model file; None if it does not take the goal or the objective."""
    try:
        method = choose(str(file))
        if method.method.refusal(problem, header_only=True):
            return None
        if method.backend is not None:
            backends.backend(method.backend).require()
        for name in backends.modules(method.backend):
            import_module(name)  # one that is cut short would harm the next boards
        with limited(1.2 * seconds), quiet() if file.suffix == ".mzn" else nullcontext():
            answer = method.run(problem, Run(Limits(time=seconds, workers=1)))
    except Late:
        return LATE
    except pegcp.PegcpError as error:
        raise Unmarked(str(error)) from None
    except Exception as error:  # noqa: BLE001 -- whatever a student's file may raise
        lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if Path(frame.filename) == file]
        place = f"line {lines[-1]}: " if lines else ""
        raise Unmarked(f"{place}{type(error).__name__}: {error}") from None
    if answer.status is Status.UNKNOWN and answer.reason is not Reason.TIME:
        raise Unmarked(answer.message)
    return answer


def domain(file: Path, problem: pegcp.Problem, seconds: float) -> Answer | None:
    """The answer of pyperplan by a planning domain, for one exact position; None for other goals."""
    if problem.goal.kind != "exact" or problem.objective is not pegcp.Objective.ANY:
        return None
    try:
        from pyperplan.planner import SEARCHES, search_plan
    except ImportError:
        raise Unmarked('to mark domains it takes a planner: pip install "pegcp[planners]"') from None
    check_domain(file)
    with TemporaryDirectory() as folder:
        task = Path(folder, "problem.pddl")
        task.write_text(pegcp.export(problem, "pddl")["problem.pddl"], encoding="utf-8")
        try:
            with limited(seconds):
                plan = search_plan(str(file), str(task), SEARCHES["bfs"], None)
        except Late:
            return LATE
        except (Exception, SystemExit) as error:  # noqa: BLE001 -- its reader raises many kinds, and leaves at some
            raise Unmarked(f"pyperplan cannot read it: {error}") from None
    if plan is None:
        return Answer(Status.INFEASIBLE)
    try:
        return Answer(Status.SOLVED, jumps=tuple(pegcp.from_plan(problem, "\n".join(step.name for step in plan))))
    except pegcp.PegcpError as error:
        raise Unmarked(f"on {problem.name} the plan is none of jumps: {error}") from None


def check_domain(file: Path) -> None:
    """Check the brackets of a planning domain, and that its actions use their own parameters; pyperplan does not say
    where they are wrong. Raises InputError."""
    for define in parse(file.read_text(encoding="utf-8"), file.name):
        for action in [form for form in forms(define) if form.head == ":action"]:
            keys = [item.text for item in action.items]
            at = keys.index(":parameters") + 1 if ":parameters" in keys else len(keys)
            bound = [form.items[1:2] for form in forms(action) if form.head in ("forall", "exists")]
            declared = {
                str(word) for items in (action.items[at : at + 1], *bound) for node in items for word in words(node)
            }
            for word in words(action):
                if word.text.startswith("?") and word.text not in declared:
                    fault = f"{word} is no parameter of the action {action.items[1]}"
                    raise pegcp.InputError(fault, source=file.name, line=word.line, column=word.column)


def forms(node: Node) -> Iterator[Node]:
    """Yield a bracketed list and those within it."""
    if not node.text:
        yield node
        for item in node.items:
            yield from forms(item)


def words(node: Node) -> Iterator[Node]:
    """Yield the words of a bracketed list."""
    for item in node.items:
        yield from words(item)
    if node.text:
        yield node


def fault(problem: pegcp.Problem, answer: Answer, seconds: float) -> str:
    """The fault of an answer, and the right one; empty if it is right."""
    if answer.status is Status.UNKNOWN:
        return f"Yours: no answer in {seconds:g} s.\n{right(problem, seconds)}"
    if not answer.status.has_solution:
        jumps = solution(problem, seconds)
        return f"Too strict: your model forbids {written(problem, jumps)}." if jumps is not None else ""
    jumps = answer.jumps or ()
    try:
        pegcp.check(problem, jumps)
    except pegcp.InvalidSolution as error:
        before = problem.start.after(*jumps[: (error.step or len(jumps) + 1) - 1])
        place = "It ends here" if error.step is None else "Before that jump"
        where = f" {place}:\n{before}" if before != problem.start else ""
        return f"Yours: {written(problem, jumps)}. But {error}.{where}\n{right(problem, seconds)}"
    if problem.objective is pegcp.Objective.COUNT:
        try:
            with limited(seconds):
                solutions = list(played(problem, problem.start.mask, ()))
        except Late:
            return ""
        sequences = {tuple(in_normal_form(s)) for s in solutions} if answer.counted == UP_TO_ORDER else solutions
        if answer.objective != len(sequences):
            return f"Yours: {answer.objective} solutions, counted {answer.counted}.\nRight: {len(sequences)}."
    return ""


def lines(file: Path, problem: pegcp.Problem, seconds: float) -> str:
    """The lines of the file that are wrong, or the rule that no line says; empty where that is not known."""
    one = replace(problem, objective=pegcp.Objective.ANY)
    try:
        jumps = solution(one, seconds)
        with limited(seconds), quiet() if file.suffix == ".mzn" else nullcontext():
            why = explain(one, str(file), jumps, seconds)
    except (Late, Exception):  # noqa: BLE001 -- the mark stands without it
        return ""
    return "" if why.kind in ("agrees", "unknown") else str(why)


def right(problem: pegcp.Problem, seconds: float) -> str:
    """What is right, in a sentence."""
    jumps = solution(problem, seconds)
    return "Right: no solution." if jumps is None else f"Right: {written(problem, jumps)} is a solution."


def solution(problem: pegcp.Problem, seconds: float) -> tuple[pegcp.Jump, ...] | None:
    """A solution, or None if there is none. Raises Unmarked if that is not known in this time."""
    one = replace(problem, objective=pegcp.Objective.ANY)
    try:
        if len(problem.start) <= SMALL:
            with limited(seconds):
                return next(iter(played(one, one.start.mask, ())), None)
        result = pegcp.solve(one, time_limit=seconds)
        if result.answered:
            return result.jumps
    except Late:
        pass
    raise Unmarked(f"what is right on {problem.name} is not known in {seconds:g} s; --seconds gives more")


def written(problem: pegcp.Problem, jumps: Sequence[pegcp.Jump]) -> str:
    """Jumps by their names."""
    return " ".join(jump_name(problem.board, jump) for jump in jumps) or "no jumps"


def played(problem: pegcp.Problem, position: int, jumps: tuple[pegcp.Jump, ...]) -> Iterable[tuple[pegcp.Jump, ...]]:
    """Yield every way to the goal."""
    if problem.is_goal(position):
        yield jumps
    for jump in problem.board.jumps:
        if why_illegal(problem.board, position, jump) is None:
            yield from played(problem, position ^ jump.mask, (*jumps, jump))


def plural(number: int) -> str:
    """A number of problems."""
    return "the one problem" if number == 1 else f"all {number} problems"


def main(arguments: Sequence[str]) -> int:
    """Mark a file; the exit status."""
    parser = argparse.ArgumentParser("mark.py", description="Mark a model file (.py, .lp, .mzn) or a domain (.pddl).")
    parser.add_argument("file", type=Path)
    parser.add_argument("--points", action="store_true", help="count on how many boards it is right")
    parser.add_argument("--set", type=Path, help="a file with a problem on each line, in place of the small boards")
    parser.add_argument("--seconds", type=float, default=SECONDS, help=f"for each board [{SECONDS:g}]")
    told = parser.parse_args(arguments)
    try:
        lines = [] if told.set is None else told.set.read_text(encoding="utf-8").splitlines()
        names = [line.strip() for line in lines if line.strip() and not line.startswith("#")]
        marks: list[str] = []
        for result in faults(told.file.resolve(), names, told.seconds):
            marks.append(result)
            if result and not told.points:
                break
    except (Unmarked, pegcp.InputError, OSError) as error:
        print(f"{told.file}: {error}")
        return 2
    wrong = next(filter(None, marks), "")
    if told.points:
        print(f"{told.file}: {marks.count('')} of {len(marks)} points")
    print(f"{told.file} is wrong here:\n{wrong}" if wrong else f"{told.file} is right on {plural(len(marks))}.")
    return 4 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
