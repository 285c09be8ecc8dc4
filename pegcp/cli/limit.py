"""Ctrl-C, and a time limit for the commands that do their work in this process."""

from __future__ import annotations

import re
import signal
import threading
from collections.abc import Callable
from functools import wraps
from types import FrameType
from typing import Any

import click

from pegcp.cli.console import Exit, complain

_SOON = 0.05  # seconds until a signal that came during an import is sent again
_MOST_TIMES = 200  # that it is
_SWALLOWS = re.compile(r"^<frozen importlib|[\\/]google[\\/]protobuf[\\/]")  # files
_AGAIN = 1.0  # seconds until the alarm rings again, should something have swallowed it


class _TimeOver(BaseException):
    """The time is over. Not an Exception, so that no handler on the way catches it."""


def outside_imports(act: Callable[[], Any]) -> Callable[[int, FrameType | None], None]:
    """Make a signal handler that acts when no import is going on, and not in Python code that the C code of protobuf
    calls: there some swallow what is raised, or raise another error."""
    times = 0

    def send_again(signum: int) -> None:
        if signal.getsignal(signum) is handle:
            signal.pthread_kill(threading.main_thread().ident or 0, signum)

    def handle(signum: int, frame: FrameType | None) -> None:
        nonlocal times
        while frame is not None:
            if _SWALLOWS.search(frame.f_code.co_filename) and times < _MOST_TIMES:
                times += 1
                timer = threading.Timer(_SOON, send_again, [signum])
                timer.daemon = True
                timer.start()
                return
            frame = frame.f_back
        act()

    return handle


def raise_interrupt() -> None:
    """Raise KeyboardInterrupt."""
    raise KeyboardInterrupt


def time_limit(seconds: float) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Give a command the option ``--time-limit``, with a default; when the time is over, it ends without an answer.

    What does not return to Python, such as a linear program, must know the limit itself.
    """

    def decorated(command: Callable[..., Any]) -> Callable[..., Any]:
        @click.option("--time-limit", type=click.FloatRange(min=0.1), default=seconds, show_default=True, metavar="S")
        @wraps(command)
        def limited(*, time_limit: float, **options: Any) -> Any:
            over = False  # what is raised may arrive as another error

            def end() -> None:
                nonlocal over
                over = True
                raise _TimeOver

            before = signal.signal(signal.SIGALRM, outside_imports(end))  # signals interrupt the main thread
            try:
                try:
                    signal.setitimer(signal.ITIMER_REAL, time_limit, _AGAIN)
                    return command(time_limit=time_limit, **options)
                finally:
                    signal.setitimer(signal.ITIMER_REAL, 0)
            except (_TimeOver, Exception) as error:
                if not over and not isinstance(error, TimeoutError):
                    raise
                complain(f"stopped after {time_limit:g} s; --time-limit allows more, a smaller board needs less")
                return Exit.NO_ANSWER
            finally:
                signal.signal(signal.SIGALRM, before)

        return limited

    return decorated
