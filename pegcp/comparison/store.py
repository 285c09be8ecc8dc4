"""Read and write result files: one JSON object per line, appended and flushed to disk one by one.

A crash, a full disk or several writers at once cost no finished result: a line is written whole, under a lock, or
taken back; what is not a result is left where it is and skipped. A line counts for the run that its problem, method,
parameters and versions tell; the last one of a run counts.
"""

from __future__ import annotations

import json
import os
import stat
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO

from pegcp.errors import InputError, PegcpError
from pegcp.formats.files import open_file
from pegcp.result import Result
from pegcp.running.messages import parse
from pegcp.running.task import Task, method_name, result_key

LONGEST_LINE = 64_000_000  # bytes


class ResultFile:
    """A file of results that several comparisons may append to at the same time. ``warn`` gets a
    message for each line that is not a result. Raises InputError if it cannot be written."""

    def __init__(self, path: str | Path, warn: Callable[[str], None] = lambda _: None) -> None:
        warnings: list[str] = []  # held back until the file is known to hold results
        self.path, self.warn = Path(path), warnings.append
        self._lines: dict[str, tuple[int, dict[str, Any]]] = {}  # by run: the number of the line, and what it holds
        self._read = self._number = 0
        try:
            self._fd = os.open(self.path, os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC | os.O_NONBLOCK, 0o666)
        except OSError as error:
            raise InputError(f"cannot write results: {error.strerror}", source=str(path)) from None
        if not stat.S_ISREG(os.fstat(self._fd).st_mode):
            os.close(self._fd)
            raise InputError("cannot write results: not a regular file", source=str(path))
        self._refresh()
        if not self._lines and not _is_begun(os.pread(self._fd, 1000, 0)):
            os.close(self._fd)
            raise InputError("the file holds something else than results: choose another file", source=str(path))
        self.warn = warn
        for warning in warnings:
            warn(warning)

    def __enter__(self) -> ResultFile:
        return self

    def __exit__(self, *_: object) -> None:
        os.close(self._fd)

    def find(self, task: Task) -> Result | None:
        """Return the result of a run, whoever wrote it, checked again; None if there is none."""
        self._refresh()
        number, line = self._lines.get(task.key, (0, None))
        if line is None:
            return None
        try:
            return Result.from_json(line)
        except InputError as error:
            self.warn(f"{self.path}:{number}: {error.message}, left alone")
        del self._lines[task.key]
        return None

    def append(self, task: Task, result: Result, *, replace: bool = False) -> None:
        """Add the result of a run and wait until it is on disk. If there is one already, that one stays, unless
        ``replace``. Raises PegcpError, and leaves the file as it was, if the disk is full."""
        line = (json.dumps({"key": task.key, **result.to_json()}, ensure_ascii=False) + "\n").encode()
        with self._locked():
            earlier = self.find(task)
            if earlier is not None and (not replace or _substance(earlier) == _substance(result)):
                return
            size = os.fstat(self._fd).st_size
            is_torn = size > 0 and os.pread(self._fd, 1, size - 1) != b"\n"
            data = b"\n" + line if is_torn else line
            try:
                while data:
                    data = data[os.write(self._fd, data) :]
                os.fsync(self._fd)
            except OSError as error:
                os.ftruncate(self._fd, size)
                raise PegcpError(
                    f"{self.path}: cannot write results: {error.strerror}; what is in the file is complete"
                ) from None

    @contextmanager
    def _locked(self) -> Iterator[None]:
        import fcntl  # Windows has no such module

        fcntl.flock(self._fd, fcntl.LOCK_EX)
        try:
            yield
        finally:
            fcntl.flock(self._fd, fcntl.LOCK_UN)

    def _refresh(self) -> None:
        """Read the lines that were added since the last time."""
        if os.fstat(self._fd).st_size <= self._read:
            return
        with open(self._fd, "rb", closefd=False) as file:
            file.seek(self._read)
            for line in _lines(file):
                if not line.endswith(b"\n"):
                    break  # another comparison may be writing it
                self._read = file.tell()
                self._number += 1
                try:
                    if (data := _parsed(line)) is not None:
                        self._lines[_key(data)] = self._number, data
                except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
                    self.warn(f"{self.path}:{self._number}: not a line of results, left alone")


def _substance(result: Result) -> tuple[object, ...]:
    """Return the part of a result that a later comparison can add to: not its figures."""
    return result.verdict, result.evidence, result.statistics.keys()


def _is_begun(start: bytes) -> bool:
    """Tell whether a file without a complete result is empty, or one whose first line is torn."""
    return not start.strip() or (start.startswith(b'{"key"') and b"\n" not in start.rstrip())


def _lines(file: BinaryIO) -> Iterator[bytes]:
    """Yield the lines of a file; in place of one that is too long a mark that is no result."""
    while line := file.readline(LONGEST_LINE):
        if len(line) == LONGEST_LINE:
            while len(line) == LONGEST_LINE:
                line = file.readline(LONGEST_LINE)
            line = b"...\n"
        yield line


def _parsed(line: bytes) -> dict[str, Any] | None:
    """Return the object on a line, None if the line is empty. Raises ValueError or TypeError."""
    return parse(line) if line.strip() else None


def _key(data: Mapping[str, Any]) -> str:
    """Return the fingerprint of the run whose result is on a line, see :attr:`pegcp.running.task.Task.key`."""
    method = method_name(data["method"])
    return result_key(data["fingerprint"], method, data["backend"], data["parameters"], data["versions"])


def read_results(paths: Iterable[str | Path]) -> tuple[list[Result], list[str]]:
    """Return the results in some files, each run once, and warnings about lines that are not results.

    Raises InputError for a file that cannot be read.
    """
    results: dict[str, Result] = {}
    warnings: list[str] = []
    for path in paths:
        objects, faults = 0, []
        try:
            with open_file(path) as file:
                for number, line in enumerate(_lines(file), start=1):
                    try:
                        if (data := _parsed(line)) is not None:
                            objects += 1
                            result = Result.from_json(data)
                            results.pop(_key(data), None)
                            results[_key(data)] = result
                    except InputError as error:
                        faults.append(f"{path}:{number}: {error.message}, skipped")
                    except (ValueError, TypeError):
                        fault = "not a line of results" if line.endswith(b"\n") else "torn line"
                        faults.append(f"{path}:{number}: {fault}, skipped")
            warnings += faults if objects or len(faults) < 2 else [f"{path}: no line is a result, skipped"]
        except OSError as error:
            raise InputError(f"cannot read results: {error.strerror}", source=str(path)) from None
    return list(results.values()), warnings
