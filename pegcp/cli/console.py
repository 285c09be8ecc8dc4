"""How the commands print, write files, and what they tell the shell.

Whether a file can be written is found out before the work for it. If it cannot, the user sees one line.
"""

from __future__ import annotations

import errno
import json
import os
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from enum import IntEnum
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from pegcp.errors import InputError
from pegcp.formats.files import write_file
from pegcp.method import Reason

if TYPE_CHECKING:
    from rich.console import RenderableType

    from pegcp.result import Result

_WIDE = 1000  # characters in a line where there is no terminal


class Exit(IntEnum):
    """Answered (a proof that there is no solution is an answer), or why not."""

    ANSWERED = 0
    BAD_INPUT = 2
    NO_ANSWER = 3
    WRONG_ANSWER = 4
    INTERRUPTED = 130


_OTHERS = {
    Reason.INVALID_SOLUTION: Exit.WRONG_ANSWER,
    Reason.UNSUPPORTED: Exit.BAD_INPUT,
    Reason.MISSING: Exit.BAD_INPUT,
    Reason.INTERRUPTED: Exit.INTERRUPTED,
}


def of_result(result: Result) -> Exit:
    """The exit status that a result stands for."""
    return Exit.ANSWERED if result.answered else _OTHERS.get(result.reason, Exit.NO_ANSWER)


def of_comparison(results: Sequence[Result]) -> Exit:
    """Answered if something was and nothing disagrees."""
    from pegcp.comparison.agreement import disagreements

    if disagreements(results):
        return Exit.WRONG_ANSWER
    return Exit.ANSWERED if any(result.answered for result in results) else Exit.NO_ANSWER


def show(*what: RenderableType) -> None:
    """Print tables and text, as wide as the terminal; where there is none, as wide as COLUMNS or the text."""
    from rich.console import Console

    console = Console(highlight=False, markup=False)
    if not console.is_terminal and "COLUMNS" not in os.environ:
        console.width = _WIDE
    with console.capture() as capture:  # rich would end the program if nobody reads
        for item in what:
            console.print(item)
    click.echo(capture.get(), nl=False)


def write(path: Path, content: str | bytes, *, err: bool = False, say: bool = True) -> None:
    """Write a file and say so; its folder is made. Raises InputError."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_file(path, content)
    except OSError as error:
        raise InputError(f"cannot write: {error.strerror}", source=str(error.filename or path)) from None
    if say:
        click.echo(path, err=err)


def check_writable(path: Path, *, force: bool = False) -> None:
    """Check, before any work, that a file can be written, and that nothing is lost by it: a file that exists and is not
    empty is replaced only by ``force``. Raises InputError."""
    try:
        if path.is_file() and path.stat().st_size and not force:
            raise InputError("the file exists; --force replaces it", source=str(path))
        if path.exists() or path.is_symlink():
            os.close(os.open(path, os.O_WRONLY | os.O_APPEND | os.O_NONBLOCK))
        else:
            _check_new(path)
    except (OSError, ValueError) as error:
        raise InputError(f"cannot write: {getattr(error, 'strerror', None) or error}", source=str(path)) from None


def _check_new(path: Path) -> None:
    """Check that a new file can be made at a path. Raises OSError."""
    if len(os.fsencode(path.name)) > 255:
        raise OSError(errno.ENAMETOOLONG, os.strerror(errno.ENAMETOOLONG))
    parent = next(parent for parent in path.absolute().parents if parent.exists())
    if not parent.is_dir():
        raise OSError(errno.ENOTDIR, os.strerror(errno.ENOTDIR))
    if not os.access(parent, os.W_OK | os.X_OK):
        raise OSError(errno.EACCES, os.strerror(errno.EACCES))


def same_file(one: Path, other: Path) -> bool:
    """Whether two paths lead to one file, which need not exist."""
    if one.exists() and other.exists():
        return one.samefile(other)
    return os.path.realpath(one) == os.path.realpath(other)


def print_json(value: Any) -> None:
    """Print JSON."""
    click.echo(json.dumps(value))


@contextmanager
def progress_line(name: str, *, log: bool = False) -> Iterator[Callable[[Mapping[str, Any]], None]]:
    """Show on a terminal that work goes on: one changing line with the elapsed time and the last report. With ``log``,
    or without a terminal, print the lines of the log. All of it on standard error."""
    if log or sys.stderr is None or not sys.stderr.isatty():
        yield lambda report: click.echo(report["log"], err=True) if "log" in report else None
        return
    from rich.markup import escape

    from pegcp.comparison.live import Running
    from pegcp.comparison.table import said

    with Running() as bar:
        task = bar.add_task(escape(f"{name}, Ctrl-C stops"))

        def show_report(report: Mapping[str, Any]) -> None:
            if "log" in report:
                bar.console.print(report["log"], markup=False, soft_wrap=True)
            else:
                bar.update(task, description=escape(f"{name}, {said(report) or 'Ctrl-C stops'}"))

        yield show_report


def complain(message: str) -> None:
    """Print an error on standard error."""
    click.echo(f"pegcp: {message}", err=True)


def flush_output() -> None:
    """Flush standard output. Raises OSError if it cannot be written; Python's own attempt at exit then goes nowhere."""
    try:
        if sys.stdout is not None:
            sys.stdout.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        raise
