"""A time limit for the commands that do their work in this process."""

from __future__ import annotations

import signal
from collections.abc import Callable
from functools import wraps
from types import FrameType
from typing import Any

import click

from pegcp.cli.console import Exit, complain

_SOON = 0.05  # seconds until the next try to ring
_AGAIN = 1.0  # seconds until the alarm rings again, should something have swallowed it


class _TimeOver(BaseException):
    """The time is over. Not an Exception, so that no handler on the way catches it."""


def time_limit(seconds: float) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Gives a command the option ``--time-limit``, with a default; when the time is over, it ends without an answer.

    What does not return to Python, such as a linear program, must know the limit itself.
    """

    def decorated(command: Callable[..., Any]) -> Callable[..., Any]:
        @click.option("--time-limit", type=click.FloatRange(min=0.1), default=seconds, show_default=True, metavar="S")
        @wraps(command)
        def limited(*, time_limit: float, **options: Any) -> Any:
            rang = False  # what is raised may arrive as another error, an ImportError for example

            def ring(_: int, frame: FrameType | None) -> None:
                nonlocal rang
                while frame is not None:
                    if frame.f_code.co_filename.startswith("<frozen importlib"):
                        # An interrupted import would raise an error of its own: let it finish.
                        signal.setitimer(signal.ITIMER_REAL, _SOON, _AGAIN)
                        return
                    frame = frame.f_back
                rang = True
                raise _TimeOver

            before = signal.signal(signal.SIGALRM, ring)  # signals interrupt the main thread
            try:
                try:
                    signal.setitimer(signal.ITIMER_REAL, time_limit, _AGAIN)
                    return command(time_limit=time_limit, **options)
                finally:
                    signal.setitimer(signal.ITIMER_REAL, 0)
            except (_TimeOver, Exception) as error:
                if not rang and not isinstance(error, TimeoutError):
                    raise
                complain(f"stopped after {time_limit:g} s; --time-limit allows more, a smaller board needs less")
                return Exit.NO_ANSWER
            finally:
                signal.signal(signal.SIGALRM, before)

        return limited

    return decorated
