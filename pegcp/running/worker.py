"""Answer one request, in a process of its own or in this one, and report on the way."""

import os
import signal
import sys
import tempfile
import time
import traceback
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import NoReturn

from pegcp.catalogue.choice import Choice
from pegcp.catalogue.methods import method_of
from pegcp.errors import Missing, PegcpError, refuse_if
from pegcp.formats.toml import read_problem
from pegcp.method import Answer, Reason, Run, Status
from pegcp.running.messages import Ended, Message, Reply, Request, Update, encode

_LONGEST_MESSAGE = 10_000  # characters
_LATE = "it answered after the time limit"


def work(request: Request, channel: int, errors: int, started: float, note: Callable[[bool], None]) -> NoReturn:
    """Answer the request, write updates and the answer to the channel, and end this process. ``note`` is told
    whether the method compiles."""
    for signum in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGCHLD):
        signal.signal(signum, signal.SIG_DFL)
    with suppress(OSError):
        Path("/proc/self/oom_score_adj").write_text("1000", "ascii")  # Linux ends this process before others
    os.dup2(0, 1)  # nowhere
    os.dup2(errors, 2)
    sys.path[:] = request.path
    os.environ.clear()
    os.environ.update(request.environment)
    tempfile.tempdir = None
    os.chdir(request.folder)
    file = open(channel, "wb")  # noqa: SIM115 - it is open until the end of the process

    def say(message: Message) -> None:
        if isinstance(message, Update) and "compiling" in message.values:
            note(bool(message.values["compiling"]))
        file.write(encode(message))
        file.flush()

    code, worker = 1, os.getpid()
    try:
        message = _make_reply(request, started, say)
        if os.getpid() == worker:  # not a fork that the method has made and that came back
            say(message)
        code = 0
        sys.stderr.flush()
    except SystemExit as error:
        code = error.code if isinstance(error.code, int) else 1
        sys.stderr.write(f"{'' if error.code is None else error.code}\n")
    except BaseException:  # noqa: BLE001 - whatever it is, the host is told by standard error and exit code
        traceback.print_exc()
    finally:
        os._exit(code)  # at once: to take down a solver's libraries takes a tenth of a second, or for ever


def follow_here(request: Request, take: Callable[[Message], object], *_: object) -> None:
    """Give the messages of a run, as :func:`pegcp.running.host.follow` does, in this process: in a browser, where there
    are no others and no threads.

    The method itself keeps its limit of time; nothing keeps that of memory.
    """
    began, cpu_before = time.monotonic(), time.process_time()
    take(_make_reply(request, began, take))
    take(Ended(None, 0, "", time.monotonic() - began, time.process_time() - cpu_before))


def _make_reply(request: Request, started: float, say: Callable[[Message], object]) -> Reply:
    answer = answer_request(request, started, say)
    numbers = (
        {jump: number for number, jump in enumerate(read_problem(request.problem).board.jumps)}
        if answer.solutions
        else {}
    )
    return Reply(
        replace(answer, solutions=()),
        [[numbers.get(jump, -1) for jump in solution] for solution in answer.solutions],
    )


def choice_of(request: Request) -> Choice:
    """Return the method of a request, with the backend and the options that were chosen for it. Raises InputError."""
    return Choice(method_of(request.method.partition(":")[0]), request.backend, request.options, request.method)


def answer_request(request: Request, started: float, say: Callable[[Message], object]) -> Answer:
    """Answer a request, and report on the way; every Exception becomes an answer."""

    def report(values: Mapping[str, object]) -> None:
        say(Update(dict(values), round(time.monotonic() - started, 3)))

    try:
        problem = read_problem(request.problem, name=request.name)
        choice = choice_of(request)
        refuse_if(
            choice.method.fingerprint != request.fingerprint,
            "the file was changed after this run was asked for",
            choice.method.path,
        )
        run = Run(request.limits, started, report, request.wishes)
        start = time.monotonic() - started
        report({"start_seconds": start})
        wishes = run.wishes
        ask = choice.size_model if wishes.sizes_only else choice.certify_or_run if wishes.may_certify else choice.run
        answer = ask(problem, run)
        answering = time.monotonic() - started - start
        if answer.reason is Reason.COMPLETED and not (run.remaining or wishes.listing):  # its solution and bound count
            status = Status.SOLVED if answer.status.has_solution else Status.UNKNOWN
            answer = replace(answer, status=status, reason=Reason.TIME, certificate=None, message=_LATE)
        compilation = {"compile_seconds": run.pause.seconds} if run.pause.seconds else {}
        statistics = {"start_seconds": start, **compilation, **answer.statistics}
        building = statistics.setdefault("build_seconds", 0.0)
        elsewhere = building + run.pause.seconds + statistics.get("certificate_seconds", 0.0)
        statistics.setdefault("solve_seconds", max(0.0, answering - elsewhere))
        return replace(answer, statistics=statistics)
    except MemoryError:
        reason, message = Reason.MEMORY, "out of memory"
    except PegcpError as error:
        reason, message = Reason.MISSING if isinstance(error, Missing) else Reason.ERROR, str(error)
    except Exception as error:  # noqa: BLE001 - whatever a method raises becomes a row of the table
        traceback.print_exc()
        frame, reason = traceback.extract_tb(error.__traceback__)[-1], Reason.ERROR
        # Some libraries give advice before the fault.
        text = str(error).strip().rpartition("\n")[2] if isinstance(error, ImportError) else str(error)
        message = f"{type(error).__name__}: {text} ({os.path.basename(frame.filename)}, line {frame.lineno})"
    return Answer(Status.UNKNOWN, reason, message=message[:_LONGEST_MESSAGE])
