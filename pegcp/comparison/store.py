"""Read and write result files: one JSON object per line, appended and flushed to disk one by one.

A crash, a full disk or several writers at once cost no finished result: a line is written whole, under a lock, or
taken back; what is not a result is left where it is and skipped. A line counts for the run that its problem, method,
parameters and versions tell; the last one of a run counts.

Of several comparisons that append to one file each run is made by one: it reserves the run by a lock on a byte far
beyond the end of the file. The system releases the lock at any death of its owner, also on a shared file system, so
that no reservation is ever stale, and nothing has to be removed.
"""

import csv
import dataclasses
import errno
import json
import os
import re
import struct
import sys
from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, suppress
from io import TextIOWrapper
from math import inf
from pathlib import Path
from typing import BinaryIO

from pegcp.errors import InputError, PegcpError, plural
from pegcp.formats.files import open_file
from pegcp.formats.foreign import parse
from pegcp.game import Objective
from pegcp.method import Data, Reason, Status
from pegcp.results.reading import csv_rows, is_measured, read_measured, read_result
from pegcp.results.result import Result
from pegcp.running.task import Task, method_name, result_key

# A file without a complete result is empty, or its first line is torn.
_BEGINNING = re.compile(rb'\s{0,1000}|\{"key": "[0-9a-f]{0,16}(", "problem"[^\n]*)?')
_LONGEST_BEGINNING = 1001  # bytes
_MOST_WARNINGS = 25  # about a file
LONGEST_LINE = 64_000_000  # bytes
_MOST_VALUES = 4_000_000  # on a line: commas
_NO_RESULT = "not a line of results"
_FIRST_RESERVED_BYTE = 1 << 62  # the first of the bytes that are locked
_WRITING_BYTE = 0  # the byte that is locked while a line is written


class ResultFile(AbstractContextManager["ResultFile"]):
    """A file of results that several comparisons may append to at the same time. ``warn`` gets a
    message for each line that is not a result. Raises InputError if it cannot be written."""

    def __init__(self, path: str | Path, warn: Callable[[str], None] = lambda _: None) -> None:
        self.path, self.warn = Path(path), warn
        self._lines: dict[str, tuple[int, int, int]] = {}  # by run: the number of its line, its first byte, its bytes
        self._end = self._number = 0
        self._has_locks = True
        try:
            self._file = _open(self.path)
        except OSError as error:
            raise InputError(f"cannot write results: {error.strerror}", source=str(path)) from None
        self._fd = self._file.fileno()
        warnings = self._read_on()
        self._first_own = self._number + 1
        if not self._lines and not _BEGINNING.fullmatch(os.pread(self._fd, _LONGEST_BEGINNING, 0)):
            self._file.close()
            raise InputError("this is no file of results; choose another for --out", source=str(path))
        self._warn(warnings)

    def __exit__(self, *_: object) -> None:
        self._file.close()

    def reserve(self, task: Task) -> bool:
        """Tell whether this comparison may make a run: no other one that writes to the file is making it."""
        return self._lock(_byte(task))

    def release(self, task: Task) -> None:
        """Give a run free, after its result is in the file."""
        self._lock(_byte(task), is_taken=False)

    def find(self, task: Task, to_retry: Container[Reason] = ()) -> Result | None:
        """Return the result of a run, whoever wrote it, checked again; None if there is none, or if it has a reason
        ``to_retry`` and was there before this comparison began: others may have retried a run meanwhile."""
        number, result = self._find(task)
        return None if result is not None and number < self._first_own and result.reason in to_retry else result

    def _find(self, task: Task) -> tuple[int, Result | None]:
        """Return the number of the line of a run, 0 if there is none, and its result, as that of this task."""
        self._warn(self._read_on())
        number, start, length = self._lines.get(task.key, (0, 0, 0))
        if not number:
            return 0, None
        try:
            result = read_result(parse(os.pread(self._fd, length, start)))
            return number, dataclasses.replace(result, problem=task.problem, method=task.choice.text)
        except (InputError, ValueError, TypeError) as error:
            self._warn({getattr(error, "message", _NO_RESULT): [number]})
            self._lines.pop(task.key, None)
            return 0, None

    def append(self, task: Task, result: Result, *, replace: bool = False, retried: bool = False) -> Result:
        """Add the result of a run, wait until it is on disk, and return it. If there is one already, that one stays and
        is returned, unless ``replace`` and the new one is better; if a run was ``retried`` in vain, the line of the
        earlier result is repeated, so that no other comparison retries it. Raises PegcpError, and leaves the file as
        it was, if the disk is full."""
        while True:
            number, earlier = self._find(task)  # which may take a minute, so others must not wait for it
            best = result if earlier is None or (replace and _is_better(result, earlier)) else earlier
            if best is earlier and not retried:
                return best
            # A worker of an executor may have other versions.
            difference = {} if dict(best.versions) == task.versions else {"asked": task.versions}
            line = (json.dumps({"key": task.key, **best.to_json(), **difference}, ensure_ascii=False) + "\n").encode()
            self._lock(_WRITING_BYTE, waits=True)
            try:
                self._warn(self._read_on())
                if self._lines.get(task.key, (0,))[0] == number:
                    self._write(line)
                    return best
            finally:
                self._lock(_WRITING_BYTE, is_taken=False)

    def _write(self, line: bytes) -> None:
        """Write a line at the end of the file, under the lock."""
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

    def _lock(self, byte: int, *, is_taken: bool = True, waits: bool = False) -> bool:
        """Lock a byte, or unlock it; return False if another comparison has it. Where locks do not work, one warning
        says so, and each counts as taken."""
        try:
            if self._has_locks:
                _set_lock(self._fd, byte, is_taken=is_taken, waits=waits)
        except OSError as error:
            if error.errno in (errno.EAGAIN, errno.EACCES):
                return False
            self._has_locks = False
            self.warn(f"{self.path}: no locks here ({error.strerror}): other comparisons may make the same runs again")
        return True

    def _warn(self, faults: Mapping[str, list[int]]) -> None:
        for warning in _warnings(self.path, faults):
            self.warn(warning)

    def _read_on(self) -> dict[str, list[int]]:
        """Read the lines that were added since the last time; return the numbers of those that are no results."""
        faults: list[int] = []
        with open(self._fd, "rb", closefd=False) as file:
            file.seek(self._end)
            for line in _lines(file):
                if not line.endswith(b"\n"):
                    break  # another comparison may be writing it
                self._end = file.tell()
                self._number += 1
                try:
                    if (data := _parsed(line)) is not None:
                        self._lines[_key(data)] = self._number, self._end - len(line), len(line)
                except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
                    faults.append(self._number)
        return {_NO_RESULT: faults} if faults else {}


def _open(path: Path) -> BinaryIO:
    """Open a file for reading and appending, or make it; not by a link to a file that is not there. Raises OSError."""
    with suppress(FileNotFoundError):
        return open_file(path, os.O_RDWR | os.O_APPEND)
    if path.is_symlink():
        raise FileNotFoundError(errno.ENOENT, "a link to a file that is not there", str(path))
    with suppress(FileExistsError):  # another comparison has made it just now
        os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666))
    return open_file(path, os.O_RDWR | os.O_APPEND)


def _byte(task: Task) -> int:
    """Return the number of the byte that reserves a run."""
    return _FIRST_RESERVED_BYTE + (int(task.key, 16) >> 2)


def _set_lock(fd: int, byte: int, *, is_taken: bool, waits: bool) -> None:
    """Lock a byte of a file, or unlock it. Raises OSError, with EAGAIN or EACCES if another one has it.

    On Linux the lock belongs to the open file, so that two comparisons of one process exclude each other, too.
    """
    import fcntl  # Windows has no such module

    if sys.platform == "linux":
        kind = fcntl.F_WRLCK if is_taken else fcntl.F_UNLCK
        fcntl.fcntl(
            fd,
            fcntl.F_OFD_SETLKW if waits else fcntl.F_OFD_SETLK,
            struct.pack("hhqqi0q", kind, os.SEEK_SET, byte, 1, 0),
        )
    else:
        kind = fcntl.LOCK_EX if is_taken else fcntl.LOCK_UN
        fcntl.lockf(fd, kind if waits else kind | fcntl.LOCK_NB, 1, byte)


_REASON_RANKS = ("refusal", "fault", "interruption", "limit", "completed")  # of reasons, the least first


def _is_better(result: Result, earlier: Result) -> bool:
    """Tell whether a result says more than an earlier one of the same run: by its verdict, its solution, its bound, and
    its certificate; or as much in other words."""

    def worth(run: Result) -> tuple[object, ...]:
        sign = 1 if run.problem.objective is Objective.COUNT else -1
        value = -inf if run.objective is None else sign * run.objective
        status = run.answered + (run.status in (Status.OPTIMAL, Status.INFEASIBLE))
        bound = -inf if run.bound is None else run.bound
        return status, value, bound, _REASON_RANKS.index(run.reason.sort), run.certificate is not None

    if worth(result) != worth(earlier):
        return worth(result) > worth(earlier)
    return result.verdict != earlier.verdict or not result.statistics.keys() <= earlier.statistics.keys()


def _lines(file: BinaryIO) -> Iterator[bytes]:
    """Yield the lines of a file; in place of one that is too long a mark that is no result."""
    while line := file.readline(LONGEST_LINE):
        if len(line) == LONGEST_LINE:
            while len(line) == LONGEST_LINE:
                line = file.readline(LONGEST_LINE)
            line = b"...\n"
        yield line


def _parsed(line: bytes) -> dict[str, object] | None:
    """Return the object on a line, None if the line is empty. Raises ValueError or TypeError."""
    if line.count(b",") > _MOST_VALUES:
        raise ValueError("more values than fit in memory")
    return parse(line) if line.strip() else None


def _key(data: Data) -> str:
    """Return the fingerprint of the run whose result is on a line, see :attr:`pegcp.running.task.Task.key`."""
    return result_key(
        data["fingerprint"],
        method_name(data["method"]),
        data["backend"],
        data["parameters"],
        data.get("asked", data["versions"]),
    )


def read_results(paths: Iterable[str | Path]) -> tuple[list[Result], list[str]]:
    """Return the results in some files, each run once, and warnings about lines that are not results.

    A file may also have runs that were measured elsewhere (:func:`pegcp.results.reading.read_measured`); a table
    (.csv) has no others. The last line of a run in a file counts, and the last file of those of one machine.

    Raises InputError for a file that cannot be read.
    """
    results: dict[tuple[str, object], Result] = {}
    warnings: list[str] = []
    for path in map(str, paths):
        in_file: dict[str, Result] = {}
        faults: dict[str, list[int]] = {}
        try:
            with open_file(path) as file:
                is_table = path.lower().endswith(".csv")
                for key, result in _read_table(file, path) if is_table else _read_lines(file, path, faults):
                    in_file.pop(key, None)  # a run stands where its last line does
                    in_file[key] = result
        except (OSError, UnicodeDecodeError, csv.Error) as error:
            raise InputError(f"cannot read results: {getattr(error, 'strerror', None) or error}", source=path) from None
        warnings += _warnings(path, faults)
        for key, result in in_file.items():
            results.pop(run := (key, result.provenance.get("host")), None)
            results[run] = result
    return list(results.values()), warnings


def _read_table(file: BinaryIO, path: str) -> Iterator[tuple[str, Result]]:
    """Yield the runs in a table with their lines."""
    with TextIOWrapper(file, "utf-8", newline="") as text:
        yield from ((f"{path}:{number}", run) for number, run in enumerate(csv_rows(text, path)))


def _read_lines(file: BinaryIO, path: str, faults: dict[str, list[int]]) -> Iterator[tuple[str, Result]]:
    """Yield the results on the lines of a file with their runs; ``faults`` gets the numbers of other lines."""
    for number, line in enumerate(_lines(file), start=1):
        source = f"{path}:{number}"
        try:
            if (data := _parsed(line)) is not None:
                result = read_measured(data, source) if is_measured(data) else read_result(data)
                yield source if is_measured(data) else _key(data), result
        except InputError as error:
            faults.setdefault(error.message, []).append(number)
        except (ValueError, TypeError):
            faults.setdefault(_NO_RESULT if line.endswith(b"\n") else "torn line", []).append(number)


def _warnings(path: str | Path, faults: Mapping[str, list[int]]) -> list[str]:
    """Return a warning for each of the first faults, which says how many lines have it."""
    kinds = list(faults.items())
    more = plural(sum(len(lines) for _, lines in kinds[_MOST_WARNINGS:]), "more line")
    return [
        f"{path}:{first}: {fault}, skipped" + (f", and {plural(len(others), 'more line')}" if others else "")
        for fault, (first, *others) in kinds[:_MOST_WARNINGS]
    ] + [f"{path}: {more} skipped"] * (len(kinds) > _MOST_WARNINGS)
