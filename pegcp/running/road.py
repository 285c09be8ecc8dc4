"""Run one method on one problem in a child process, within limits, and judge its answer. Lists of solutions and sizes
of models are made in the same way.

:class:`Story` collects the messages of the run: its progress, its trace, its reply and its end; and makes its answer of
them.
"""

import platform
import signal
import threading
import time
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from functools import cache
from numbers import Integral
from typing import Any

from pegcp import machine
from pegcp.backends.planners import PlannerMethod
from pegcp.catalogue.choice import choose, choose_for, split, use_instead
from pegcp.catalogue.modelfile import ModelMethod
from pegcp.errors import InputError, clipped, refuse_if, suggestion
from pegcp.game import Objective, Problem
from pegcp.game.equivalence import COARSER, UP_TO_SYMMETRY, symmetries_of_solutions
from pegcp.method import Answer, Data, Limits, Listing, Number, Reason, Status, Wishes, check_number
from pegcp.results.judge import judge_answer
from pegcp.results.result import LONGEST_MESSAGE, MOST_SOLUTIONS, Result, Solutions, failed
from pegcp.running import host, worker
from pegcp.running.messages import Ended, Fault, Message, Reply, Update
from pegcp.running.task import Task

LONGEST_LOG = 20_000  # characters that are kept
_MOST_REPORTED = 100  # different things in the progress
_LONGEST_TRACE = 1000  # points

Progress = Data


def run(
    task: Task,
    on_progress: Callable[[Progress], None] | None = None,
    stop: threading.Event | None = None,
    sharers: int = 1,
) -> Result:
    """Make one run in a child process and check its answer. Setting ``stop`` ends it as INTERRUPTED; ``sharers`` runs
    share this machine's memory."""
    problem, choice = task.problem, task.choice
    about = {
        "backend": choice.backend,
        "versions": task.versions,
        "parameters": task.parameters,
        "provenance": {**_machine(), "started": datetime.now(UTC).isoformat(timespec="milliseconds")},
    }
    if refusal := choice.unsupported(problem, header_only=True):
        return failed(problem, choice.text, refusal.reason, refusal.message, **about)
    request = task.request(sharers)
    story = Story(task, request.limits, on_progress)
    follow = worker.follow_here if machine.IN_BROWSER else host.follow
    follow(request, story.take, stop, task.modules)
    began, statistics = time.perf_counter(), story.statistics
    result = judge_answer(
        problem, choice.text, replace(story.answer, statistics=statistics), task.limits, stop, log=story.log, **about
    )
    statistics |= {"check_seconds": time.perf_counter() - began, **story.end_trace(result)}  # those of the result
    return result


def run_task(
    task: Task,
    method: str | None,
    on_progress: Callable[[Progress], None] | None = None,
    stop: threading.Event | None = None,
) -> Result:
    """Run a task, whose result says which method answered: the one that was chosen, or a certificate for a model."""
    result = run(task, on_progress, stop)
    name = result.statistics.get("chosen", result.method)
    if method is None:
        return replace(result, method=name)
    is_certified = isinstance(task.choice.method, ModelMethod) and name == "certificate"
    return replace(result, message=f"a certificate answered: {method} was not run") if is_certified else result


def list_solutions(
    problem: Problem, method: str | None, limits: Limits, most: int, up_to: str, *, is_sample: bool
) -> Solutions:
    """List at most so many solutions within limits; see :func:`pegcp.solutions`."""
    problem = replace(problem, objective=Objective.COUNT)
    refuse_if(
        up_to not in ("", *COARSER),
        f'solutions are listed up to {" or ".join(COARSER)}, not "{up_to}"{suggestion(up_to, COARSER)}',
    )
    if up_to == "symmetry":
        symmetries_of_solutions(problem)  # or it says why not
    check_number("number of solutions", most, Integral)
    refuse_if(
        not 1 <= most <= MOST_SOLUTIONS,
        f"1 to {MOST_SOLUTIONS:,} solutions can be listed, not {most:,}",
    )
    choice = choose_for(problem, method or ("count" if is_sample else None))
    refuse_if(
        is_sample and choice.method.name != "count",
        f"solutions are drawn by the method count, not by {choice.method.name}",
    )
    refuse_if(
        choice.method.refusal(problem, header_only=True),
        f"{choice.text} lists no solutions, it looks for one{use_instead(problem)}",
    )
    result = run_task(
        Task(problem, choice, limits, Wishes(listing=Listing(most, up_to, is_sample), may_certify=True)),
        method,
    )
    refuse_if(result.reason is Reason.UNSUPPORTED, result.message)
    return Solutions(result)


def measure_models(problem: Problem, text: str, limits: Limits) -> list[Result]:
    """Return the sizes of the model of each of the methods (:meth:`pegcp.backends.interface.Backend.model_statistics`).

    Raises InputError for a search.
    """
    choices = [choose(name) for name in split(text)]
    for choice in choices:
        refuse_if(
            not isinstance(choice.method, ModelMethod | PlannerMethod),
            f"{choice.text} is a search: it has no model to look at",
        )
    return [run(Task(problem, choice, limits, Wishes(sizes_only=True))) for choice in choices]


@cache
def _machine() -> dict[str, object]:
    return {
        "host": platform.node(),
        "system": f"{platform.system()} {platform.release()}",
        "processor": machine.processor(),
        "cores": machine.cores(),
        "memory_mb": round(machine.memory()),
    }


class Story:
    """Takes the messages of a run. ``progress`` has the latest value of everything that was reported; ``trace`` when
    which objective and bound; ``fault`` says what was wrong first. ``limits`` are those that hold."""

    def __init__(
        self, task: Task, limits: Limits | None = None, on_progress: Callable[[Progress], None] | None = None
    ) -> None:
        self.task, self.limits, self.on_progress = task, limits or task.limits, on_progress
        self.progress: dict[str, Any] = {}
        self.trace: list[tuple[float, Number | None, Number | None]] = []  # seconds, objective and bound by then
        self.log = ""
        self.reply: Answer | None = None
        self.fault = ""
        self.end = Ended()

    def take(self, message: Message) -> bool:
        """Take in a message; return False if the run is to be stopped."""
        match message:
            case Update():
                self._take_update(message)
            case Reply():
                try:
                    self.reply = _read(message, self.task)
                except InputError as error:
                    self.fault = self.fault or f"the method's answer cannot be read: {error}"
            case Fault():
                self.fault = self.fault or message.text
            case Ended():
                self.end = message
        return not self.fault

    def _take_update(self, update: Update) -> None:
        values = dict(update.values)
        log = values.pop("log", None)
        if len(self.progress.keys() | values) > _MOST_REPORTED:
            self.fault = self.fault or f"the method reports more than {_MOST_REPORTED} different things"
            return
        self.progress.update(values)
        point = self.progress.get("objective"), self.progress.get("bound")
        if point != (self.trace[-1][1:] if self.trace else (None, None)):
            self.trace.append((update.at_seconds, *point))
        if len(self.trace) > _LONGEST_TRACE:
            del self.trace[1:-1:2]  # thinner, from the first point to the latest
        if log is not None:
            self.log = f"{self.log}{log}\n"[-LONGEST_LOG:]
        if self.on_progress is not None:
            self.on_progress({**self.progress, **({} if log is None else {"log": log})})

    @property
    def statistics(self) -> dict[str, object]:
        """The figures of the run. Of one that was stopped: all but starting, compiling and building was solving."""
        progress, end = self.progress, self.end
        figures = {k: v for k, v in progress.items() if k not in ("bound", "jumps", "objective", "compiling")}
        start, compilation, building = (progress.get(f"{key}_seconds") for key in ("start", "compile", "build"))
        if self.reply is not None:
            figures |= self.reply.statistics
        elif end.stopped is None or start is None:
            figures |= {"build_seconds": None, "solve_seconds": None}
        else:
            elsewhere = start + (compilation or 0.0) + (building or 0.0)
            figures |= {"build_seconds": building or 0.0, "solve_seconds": max(0.0, end.wall_seconds - elsewhere)}
        return figures | {key: vars(end)[key] for key in ("wall_seconds", "cpu_seconds", "peak_memory_mb")}

    def end_trace(self, result: Result) -> dict[str, list[list[object]]]:
        """Return the ``trace`` for the statistics, with the result as its last point; empty where there is none."""
        if not self.trace or result.problem.objective in (Objective.ANY, Objective.COUNT):
            return {}
        bound = result.objective if result.status is Status.OPTIMAL else result.bound
        points = *self.trace, (self.end.wall_seconds, result.objective, bound)
        return {"trace": [list(point) for point in points]}  # as in JSON

    @property
    def answer(self) -> Answer:
        """The answer of the method, or why there is none; of a run that was stopped, what it has reported."""
        reason, answer = self.end.stopped or Reason.ERROR, self.reply
        if self.fault or (answer is None and self.end.stopped is None):
            return Answer(Status.UNKNOWN, Reason.ERROR, message=self.fault or _explain(self.end))
        if answer is None:
            message = self.limits.explain_stop(reason)
            if reason is Reason.MEMORY and self.task.limits.memory is None:
                message += ", the share of this machine's memory; --memory-limit sets another"
            message += f"; {self.end.survivors} of its processes could not be ended" * bool(self.end.survivors)
            answer = Answer(Status.UNKNOWN, reason, message=message)
        if answer.status is Status.UNKNOWN and answer.bound is None:
            answer = replace(answer, bound=_to_int(self.progress.get("bound")))
        jumps = self.progress.get("jumps")
        if answer.status is Status.UNKNOWN and answer.reason.sort in ("limit", "interruption") and jumps:
            answer = replace(answer, status=Status.SOLVED, jumps=jumps)
        return answer


def _read(reply: Reply, task: Task) -> Answer:
    """Return the answer of a reply, with its list of solutions as it was asked for. Raises InputError."""
    answer, listing, jumps = reply.answer, task.wishes.listing, task.problem.board.jumps
    refuse_if(
        any(not 0 <= number < len(jumps) for solution in reply.solutions for number in solution),
        f"solutions are lists of numbers of jumps, below {len(jumps)}",
    )
    number_of_solutions = len(reply.solutions) + len(answer.solutions)
    is_longer = number_of_solutions > (listing.most if listing else 0)  # each is going to be replayed
    refuse_if(is_longer, f"it lists {number_of_solutions:,} solutions")
    notion = COARSER.get(listing.up_to if listing else "")
    is_other = answer.counted != notion if notion else answer.counted == UP_TO_SYMMETRY
    refuse_if(
        listing and answer.counted and is_other,
        f"it lists solutions {answer.counted}, which is not what was asked for",
    )
    solutions = tuple(tuple(jumps[number] for number in solution) for solution in reply.solutions)
    return replace(
        answer,
        message=clipped(answer.message, LONGEST_MESSAGE),
        objective=_to_int(answer.objective),
        bound=_to_int(answer.bound),
        solutions=solutions or answer.solutions,
    )


def _to_int(value: Number | None) -> Number | None:
    """Return the same number, as an int if it is whole."""
    return int(value) if value is not None and value == int(value) else value


def _explain(end: Ended) -> str:
    """Say how a method ended that gave no answer."""
    text = f"the method ended with exit status {end.exit_code} and without an answer"
    if end.exit_code is not None and end.exit_code < 0:
        names = {entry.value: entry.name for entry in signal.Signals}
        names[signal.SIGKILL] += " (perhaps by the system, for lack of memory)"
        text = f"the method was killed by {names.get(-end.exit_code, f'signal {-end.exit_code}')}"
    stderr = end.stderr.strip()
    return f"{text}: {stderr}" if stderr else text
