"""The ground of all commands: output, exit statuses, Ctrl-C."""

from __future__ import annotations

import json
import os
import shlex
import shutil
import signal
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from enum import IntEnum
from itertools import islice
from pathlib import Path
from textwrap import fill
from traceback import walk_stack
from types import FrameType
from typing import TYPE_CHECKING, Any, TextIO

import click

from pegcp.cli import end_at_once
from pegcp.errors import InputError, refuse_if
from pegcp.game.svg import picture_file
from pegcp.method import Reason
from pegcp.results.result import Result
from pegcp.writing import write_file

if TYPE_CHECKING:
    from pegcp.comparison.scores import Review

_LINE_CHARACTERS = 1000  # characters in a line where there is no terminal


class Exit(IntEnum):
    """Exit statuses. "No solution" is an answer."""

    ANSWERED = 0
    BAD_INPUT = 2
    NO_ANSWER = 3
    WRONG_ANSWER = 4
    INTERRUPTED = 130


_STATUSES = {
    Reason.INVALID_SOLUTION: Exit.WRONG_ANSWER,
    Reason.UNSUPPORTED: Exit.BAD_INPUT,
    Reason.MISSING: Exit.BAD_INPUT,
    Reason.INTERRUPTED: Exit.INTERRUPTED,
}


def status_of_result(result: Result) -> Exit:
    """Return the exit status for a result."""
    return Exit.ANSWERED if result.answered else _STATUSES.get(result.reason, Exit.NO_ANSWER)


def status_of_comparison(review: Review) -> Exit:
    """Return the exit status for a comparison: answered if at least one run is and no two results disagree."""
    status = Exit.ANSWERED if any(result.answered for result in review.results) else Exit.NO_ANSWER
    return Exit.WRONG_ANSWER if review.disagreements else status


def show(*items: Any, status: Exit = Exit.ANSWERED, as_json: bool = False) -> Exit:
    """Print tables and text, as wide as the terminal; without a terminal, as wide as COLUMNS or the text.

    For programs only the rows of the first table are printed. Return the exit status of the command.
    """
    if as_json:
        return print_answer(items[0].records(), status)
    from rich.console import Console

    console = Console(highlight=False, markup=False)
    if not console.is_terminal and "COLUMNS" not in os.environ:
        console.width = _LINE_CHARACTERS
    with console.capture() as capture:  # rich ends the program when the reader of a pipe is gone; click does not
        for item in items:
            console.print(item)
    click.echo("\n".join(line.rstrip() for line in capture.get().split("\n")), nl=False)
    return status


def is_terminal(stream: TextIO | None) -> bool:
    """Tell whether an output is a terminal; one that was closed is None."""
    return stream is not None and stream.isatty()


def show_text(text: str) -> None:
    """Print a text; on a terminal lines that are too long are cut, and the last line says so."""
    if is_terminal(sys.stdout):
        width = shutil.get_terminal_size().columns
        lines = text.rstrip("\n").split("\n")
        if any(len(line) > width for line in lines):
            text = "\n".join([*(line[:width] for line in lines), "Lines are cut: use a wider terminal or less -S."])
    click.echo(text)


def write(path: Path, content: str | bytes, *, err: bool = False, announce: bool = True) -> None:
    """Write a file, making its folder, and print its path. Raises InputError."""
    write_file(path, content)
    if announce:
        click.echo(path, err=err)


def write_all(target: Path | None, texts: Mapping[str, str], *, force: bool, announce: bool = True) -> None:
    """Write files into a folder, which may have others; none if one exists, unless ``force``. A target with the ending
    of a single file is that file. Without a target print the text of a single file. Raises InputError."""
    target = None if target == Path("-") else target
    is_file = target is not None and not target.is_dir() and any(name.endswith(target.suffix or "/") for name in texts)
    if len(texts) > 1 and (target is None or is_file):
        names = ", ".join(islice(texts, 5)) + ", ..." * (len(texts) > 5)
        folder = "DIR" if target is None else shlex.quote(target.stem)
        raise InputError(f"{len(texts)} files to write ({names}): choose a folder with -o {folder}")
    if target is not None:
        paths = {target if is_file else target / name: text for name, text in texts.items()}
        for path in paths:
            check_writable(path, force=force)
        for path, text in paths.items():
            write(path, text, announce=announce)
    else:
        click.echo("".join(texts.values()), nl=False)


def check_writable(path: Path, *, force: bool = False) -> None:
    """Check, before any work, that a file can be written, and that nothing is lost: only ``force`` replaces a file that
    is not empty. Raises InputError."""
    try:
        refuse_if(not force and path.is_file() and path.stat().st_size, "the file exists; --force replaces it", path)
        os.close(os.open(path, os.O_WRONLY | os.O_APPEND | os.O_NONBLOCK))
    except FileNotFoundError as error:
        folder = next(parent for parent in path.absolute().parents if parent.exists())
        refuse_if(path.is_symlink(), f"cannot write: {error.strerror}", path)
        refuse_if(not os.access(folder, os.W_OK | os.X_OK), f"cannot write: no permission to write into {folder}", path)
    except (OSError, ValueError) as error:
        raise InputError(f"cannot write: {getattr(error, 'strerror', None) or error}", source=str(path)) from None


def write_picture(path: Path | None, svg: str) -> None:
    """Write a picture to a file, if one is given, and say so on standard error."""
    if path is not None:
        write(path, picture_file(path, svg), err=True)


def same_file(path: Path, other: Path) -> bool:
    """Compare two paths, of files that need not exist: True if they lead to the same file."""
    both_exist = path.exists() and other.exists()
    return path.samefile(other) if both_exist else os.path.realpath(path) == os.path.realpath(other)


def print_answer(answer: object, status: Exit = Exit.ANSWERED) -> Exit:
    """Print a text as it is, or data as JSON; return the exit status of the command.

    On a terminal prose is broken between words; a command to type stays whole, so that it can be copied.
    """
    text = answer if isinstance(answer, str) else json.dumps(answer)
    width = shutil.get_terminal_size().columns if text is answer and is_terminal(sys.stdout) else sys.maxsize
    lines = (
        line if len(line) <= width or line.startswith("  pegcp ") else fill(line, width, break_on_hyphens=False)
        for line in text.split("\n")
    )
    click.echo("\n".join(lines))
    return status


@contextmanager
def progress_line(name: str, *, log: bool = False) -> Iterator[Callable[[Mapping[str, object]], None]]:
    """Show progress on standard error: on a terminal one changing line with the elapsed time and the progress. With
    ``log``, or without a terminal, print the lines of the log."""
    try:
        if log or not is_terminal(sys.stderr):
            yield lambda progress: click.echo(progress["log"], err=True) if "log" in progress else None
            return
        from rich.markup import escape

        from pegcp.render.progress import ProgressBar, progress_text

        with ProgressBar() as bar:
            task = bar.add_task(escape(f"{name}, Ctrl-C stops"))

            def show_progress(progress: Mapping[str, object]) -> None:
                if "log" in progress:
                    bar.console.print(progress["log"], markup=False, soft_wrap=True)
                else:
                    bar.update(task, description=escape(f"{name}, {progress_text(progress) or 'Ctrl-C stops'}"))

            yield show_progress
    except KeyboardInterrupt:
        raise click.Abort from None  # for which click writes no empty line


def complain(message: str) -> None:
    """Print an error on standard error; where that cannot be written, the exit status alone tells of it."""
    with suppress(OSError):
        click.echo(f"pegcp: {message}", err=True)


# Ctrl-C --------------------------------------------------------------------------------------------------------------

_REPEAT_SECONDS = 1.0  # seconds until a signal is repeated that a library has swallowed


class Interruption:
    """A signal handler that ends a command by KeyboardInterrupt.

    Python code that C code calls (pybind, protobuf) can lose an exception or turn it into another one, so the handler
    notes which signal came, and raises again every second until KeyboardInterrupt is being handled. A module that is
    being imported may be such code, and print the exception, too: the first signal waits there for the second.
    """

    signal = 0  # the first that came

    def __call__(self, signum: int, frame: FrameType | None) -> None:
        """Note the signal and raise KeyboardInterrupt, unless one is being handled."""
        waits = not self.signal and any("importlib" in f.f_code.co_filename for f, _ in walk_stack(frame))
        self.signal = self.signal or signum
        if not isinstance(sys.exception(), (KeyboardInterrupt, click.Abort)):
            signal.setitimer(signal.ITIMER_REAL, _REPEAT_SECONDS, _REPEAT_SECONDS)
            if not waits:
                raise KeyboardInterrupt

    def install(self) -> None:
        """Handle Ctrl-C, where Python would, other signals to end, where nobody would, and the alarm that repeats."""
        self.signal = 0
        signal.signal(signal.SIGALRM, self)
        for signum in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            if signal.getsignal(signum) in (signal.default_int_handler, signal.SIG_DFL, end_at_once):
                signal.signal(signum, self)

    def end(self) -> None:
        """Leave the status of the command as it is: a second Ctrl-C while Python ends would end it by the signal."""
        stop_alarm()
        for signum, handler in (
            (signal.SIGINT, signal.SIG_IGN),
            (signal.SIGTERM, end_at_once),
            (signal.SIGHUP, end_at_once),
        ):
            if signal.getsignal(signum) is self:
                signal.signal(signum, handler)


interruption = Interruption()


def stop_alarm() -> None:
    """Do not raise again: the interruption was handled, or the work is done."""
    with suppress(KeyboardInterrupt):  # a second Ctrl-C, while this is done
        signal.setitimer(signal.ITIMER_REAL, 0)
