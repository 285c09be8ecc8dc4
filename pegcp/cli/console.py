"""How the commands print, write files, and what they tell the shell.

Whether a file can be written is found out before the work for it. If it cannot, the user sees one line.
"""

from __future__ import annotations

import errno
import io
import json
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from enum import IntEnum
from pathlib import Path
from queue import SimpleQueue
from threading import Thread
from typing import TYPE_CHECKING, Any, TypeVar

import click

from pegcp.errors import InputError, PegcpError
from pegcp.formats.files import write_file
from pegcp.method import Reason

if TYPE_CHECKING:
    from rich.console import RenderableType

    from pegcp.result import Result

T = TypeVar("T")

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

    class Ours(Console):
        def on_broken_pipe(self) -> None:
            raise BrokenPipeError  # which is no error, see main

    out = Ours(highlight=False, markup=False)
    if not out.is_terminal and "COLUMNS" not in os.environ:
        out = Ours(highlight=False, markup=False, width=_WIDE)
    for item in what:
        out.print(item)


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
def aside(show: Callable[[T], None], *, needed: bool = False) -> Iterator[Callable[[T], None]]:
    """Print reports in a thread of its own, so that a blocked terminal does not hold up the run.

    When nothing can be printed any more, what is ``needed`` raises that OSError; the rest goes on without.
    """
    waiting: SimpleQueue[T | None] = SimpleQueue()
    failed: list[OSError] = []

    def work() -> None:
        try:
            while (item := waiting.get()) is not None:
                show(item)
        except OSError as error:  # nobody is there to read
            failed.append(error)

    def tell(item: T) -> None:
        if needed and failed:
            raise failed[0]
        waiting.put(item)

    thread = Thread(target=work, daemon=True)
    thread.start()
    try:
        yield tell
    finally:
        waiting.put(None)
        thread.join()
    if needed and failed:
        raise failed[0]


@contextmanager
def heard_or_not() -> Iterator[None]:
    """Standard error may be full or closed: then this and the interpreter's own last attempt go nowhere."""
    try:
        yield
    except OSError:
        _to_nowhere(2)


def _to_nowhere(descriptor: int) -> None:
    os.dup2(os.open(os.devnull, os.O_WRONLY), descriptor)


def complain(message: str) -> None:
    """Print an error; standard error may be closed."""
    with heard_or_not():
        click.echo(f"pegcp: {message}", err=True)


def prepare() -> None:
    """Make standard output take every character, as an escape if need be. Raises PegcpError if there is none."""
    for descriptor in range(3):  # else the next file that is opened would take its place
        try:
            os.fstat(descriptor)
        except OSError:
            os.open(os.devnull, os.O_RDWR)
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    if sys.stdout is None:
        raise PegcpError("there is no standard output to write to")


def finish() -> None:
    """Flush standard output. Raises OSError once; later attempts go nowhere."""
    try:
        if sys.stdout is not None:
            sys.stdout.flush()
    except OSError:
        _to_nowhere(1)
        raise
