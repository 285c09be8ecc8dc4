"""A time limit for the commands that do their work in this process."""

from __future__ import annotations

import signal
from collections.abc import Callable
from functools import wraps
from types import FrameType, TracebackType
from typing import Any

import click

from pegcp.cli.console import complain
from pegcp.cli.status import Exit

_SOON = 0.05  # seconds until the next try to ring
_AGAIN = 1.0  # seconds until the alarm rings again, should something have swallowed it


class _TimeOver(BaseException):
    """The time is over. Not an Exception, so that no handler on the way catches it."""


def time_limit(seconds: float) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Gives a command the option ``--time-limit``, with a default; when the time is over, it ends without an answer.

    What does not return to Python, such as a linear program, must know the limit itself.
    """

    def decorated(command: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(command)
        def limited(*arguments: Any, time_limit: float, **options: Any) -> Any:
            alarm = _Alarm(time_limit)
            try:
                with alarm:
                    return command(*arguments, time_limit=time_limit, **options)
            except (_TimeOver, Exception) as error:
                if not alarm.rang and not isinstance(error, TimeoutError):
                    raise
                complain(f"stopped after {time_limit:g} s; --time-limit allows more, a smaller board needs less")
                return Exit.NO_ANSWER

        option = click.option(
            "--time-limit", type=click.FloatRange(min=0.1), default=seconds, show_default=True, metavar="S"
        )
        return option(limited)

    return decorated


class _Alarm:
    """A context that raises _TimeOver after that many wall seconds. (Signals interrupt the main thread.)"""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self.rang = False  # what is raised may arrive as another error, an ImportError for example

    def __enter__(self) -> None:
        self.before = signal.signal(signal.SIGALRM, self._ring)
        signal.setitimer(signal.ITIMER_REAL, self.seconds, _AGAIN)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, self.before)

    def _ring(self, _: int, frame: FrameType | None) -> None:
        while frame is not None:
            if frame.f_code.co_filename.startswith("<frozen importlib"):
                # An interrupted import would raise an error of its own: let it finish.
                signal.setitimer(signal.ITIMER_REAL, _SOON, _AGAIN)
                return
            frame = frame.f_back
        self.rang = True
        raise _TimeOver
