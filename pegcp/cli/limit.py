"""Ctrl-C, and a time limit for the commands that do their work in this process."""

from __future__ import annotations

import signal
import sys
from collections.abc import Callable
from functools import wraps
from types import FrameType
from typing import Any

import click

from pegcp.cli.console import Exit, complain

_AGAIN = 1.0  # seconds until a signal is repeated that a library has swallowed


class Interruption:
    """A signal handler that ends a command by KeyboardInterrupt.

    Python code that C code calls (pybind, protobuf) can lose an exception or turn it into another one, so the handler
    notes which signal came, and raises again every second until KeyboardInterrupt is being handled.
    """

    def __init__(self) -> None:
        self.signal = 0  # the first that came

    def __call__(self, signum: int, _frame: FrameType | None) -> None:
        """Note the signal and raise KeyboardInterrupt, unless one is being handled."""
        self.signal = self.signal or signum
        if not isinstance(sys.exception(), KeyboardInterrupt):
            signal.setitimer(signal.ITIMER_REAL, _AGAIN, _AGAIN)
            raise KeyboardInterrupt

    def install(self) -> None:
        """Handle Ctrl-C, where Python would, and the alarm that repeats it."""
        self.signal = 0
        if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
            signal.signal(signal.SIGINT, self)
            signal.signal(signal.SIGALRM, self)


interruption = Interruption()


def stop_alarm() -> None:
    """Do not raise again: the interruption was handled, or the work is done."""
    signal.setitimer(signal.ITIMER_REAL, 0)


def time_limit(seconds: float) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Give a command the option ``--time-limit``, with a default; it ends without an answer when the time is over.

    Code that does not return to Python, such as a linear program, must know the limit itself.
    """

    def decorated(command: Callable[..., Any]) -> Callable[..., Any]:
        @click.option(
            "--time-limit",
            type=click.FloatRange(min=0.1),
            default=seconds,
            show_default=True,
            metavar="S",
            help="Stop after S seconds.",
        )
        @wraps(command)
        def limited(*, time_limit: float, **options: Any) -> Any:
            before = signal.signal(signal.SIGALRM, interruption)
            try:
                signal.setitimer(signal.ITIMER_REAL, time_limit, _AGAIN)
                return command(time_limit=time_limit, **options)
            except BaseException as error:
                if interruption.signal != signal.SIGALRM and not isinstance(error, TimeoutError):
                    raise
                complain(f"stopped after {time_limit:g} s; try a longer --time-limit, or a smaller board")
                return Exit.NO_ANSWER
            finally:
                stop_alarm()
                signal.signal(signal.SIGALRM, before)

        return limited

    return decorated
