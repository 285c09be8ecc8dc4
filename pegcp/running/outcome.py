"""How a run ended, and what its method claims."""

from __future__ import annotations

import json
import signal
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from pegcp.errors import InputError
from pegcp.method import Answer, Reason, Status
from pegcp.running.task import Task

_MOST_REPORTED = 100  # different things in the progress
_LONGEST_TRACE = 1000  # points

Progress = Mapping[str, Any]
Point = tuple[float, int | float | None, int | float | None]  # seconds, the objective and the bound by then


@dataclass
class Outcome:
    """How a run ended, and all that it reported.

    ``stopped`` says why it was stopped from outside (TIME, MEMORY, INTERRUPTED, or ERROR for a ``fault``), None if it
    ended by itself; ``answer`` is its answer, as JSON if it comes from a child; ``progress`` has the latest value
    of everything it reported, and ``trace`` when which objective and bound; ``exit_code`` is that of the worker,
    negative for a signal.
    Seconds and MB are those of all processes of the run together, and of loading its library.
    """

    stopped: Reason | None = None
    fault: str = ""
    memory_limit: float = 0.0
    answer: bytes | Answer | None = None
    progress: dict[str, Any] = field(default_factory=dict)
    trace: list[Point] = field(default_factory=list)
    exit_code: int | None = None
    stderr: str = ""
    wall_seconds: float = 0.0
    cpu_seconds: float = 0.0
    peak_memory_mb: float = 0.0

    def add_fault(self, fault: str) -> None:
        """Note what is wrong, unless something was before."""
        self.stopped, self.fault = self.stopped or Reason.ERROR, self.fault or fault

    def add_report(self, line: bytes) -> Progress:
        """Take in a line of progress; return all progress so far, nothing if the line is malformed: a fault."""
        from pegcp.running.serialization import read_report  # it needs msgspec

        try:
            report = read_report(line)
            if len(self.progress.keys() | report) > _MOST_REPORTED:
                raise ValueError(f"it reports more than {_MOST_REPORTED} different things")
        except (InputError, ValueError, TypeError) as error:
            self.add_fault(f"the method's progress cannot be read: {error}")
            return {}
        return self.add_values(report)

    def add_values(self, report: dict[str, Any]) -> Progress:
        """Take in progress; return all progress so far."""
        log = {"log": report.pop("log")} if "log" in report else {}
        seconds = report.pop("at_seconds", None)
        self.progress.update(report)
        values = self.progress.get("objective"), self.progress.get("bound")
        latest = self.trace[-1][1:] if self.trace else (None, None)
        if seconds is not None and values != latest and len(self.trace) < _LONGEST_TRACE:
            self.trace.append((seconds, *values))
        return self.progress | log

    def add_end(self, line: bytes) -> None:
        """Take in the keeper's last line: how the run ended, and what it used."""
        end = json.loads(line)
        stopped = end.pop("stopped")
        self.stopped = self.stopped or (Reason(stopped) if stopped else None)
        vars(self).update(end)


def read_claim(outcome: Outcome, task: Task) -> Answer:
    """Return the claim of a method, or why there is none. A run that was stopped claims what it reported before."""
    if outcome.fault:
        return Answer(Status.UNKNOWN, Reason.ERROR, message=outcome.fault)
    if isinstance(outcome.answer, Answer):
        return outcome.answer
    from pegcp.running.serialization import read_answer, read_jumps, to_int  # it needs msgspec

    if outcome.answer is not None:
        try:
            answer = read_answer(outcome.answer, task)
        except (InputError, ValueError, TypeError) as error:
            return Answer(Status.UNKNOWN, Reason.ERROR, message=f"the method's answer cannot be read: {error}")
        if answer.status is not Status.UNKNOWN or answer.bound is not None:
            return answer
        return replace(answer, bound=to_int(outcome.progress.get("bound")))
    if outcome.stopped is None:
        return Answer(Status.UNKNOWN, Reason.ERROR, message=_explain_end(outcome))
    message = {
        Reason.TIME: f"stopped after {task.limits.time:g} s",
        Reason.MEMORY: f"stopped with more than {outcome.memory_limit:,.0f} MB"
        + (", the share of this machine's memory; --memory-limit sets another" if task.limits.memory is None else ""),
        Reason.INTERRUPTED: "interrupted",
    }[outcome.stopped]
    try:
        jumps = read_jumps(outcome.progress.get("jumps"))
    except InputError as error:
        return Answer(Status.UNKNOWN, Reason.ERROR, message=f"the method's progress cannot be read: {error}")
    status = Status.UNKNOWN if jumps is None else Status.SOLVED
    return Answer(status, outcome.stopped, jumps, bound=to_int(outcome.progress.get("bound")), message=message)


def _explain_end(outcome: Outcome) -> str:
    code = outcome.exit_code
    if code is not None and code < 0:
        try:
            name = signal.Signals(-code).name
        except ValueError:
            name = f"signal {-code}"
        text = f"the method was killed by {name}"
        text += " (perhaps by the system, for lack of memory)" if name == "SIGKILL" else ""
    else:
        text = f"the method ended with exit status {code} and without an answer"
    stderr = outcome.stderr.strip()
    return f"{text}: {stderr}" if stderr else text
