"""Result files: one JSON object per line, appended and flushed to disk one by one.

A crash, a full disk or several writers at once cost no finished result: a line is written whole, under a lock, or
taken back; what is not a result is left where it is and skipped. Each line has a ``key`` that identifies its run; the
last line of a key counts.
"""

from __future__ import annotations

import fcntl
import json
import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import Any

from pegcp.comparison.runner import result_key
from pegcp.errors import InputError, PegcpError
from pegcp.result import Result
from pegcp.version import __version__


class ResultFile:
    """A file of results that several comparisons may append to at the same time. Raises InputError if it cannot be
    written."""

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)
        self._lines: dict[str, dict[str, Any]] = {}
        self._read = 0
        try:
            self._fd = os.open(self.path, os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC, 0o666)
        except OSError as error:
            raise InputError(f"cannot write results: {error.strerror}", source=str(path)) from None

    def __enter__(self) -> ResultFile:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        os.close(self._fd)

    def find(self, key: str) -> Result | None:
        """The result of a run, whoever wrote it; None if there is none that can be read."""
        self._refresh()
        data = self._lines.get(key)
        try:
            return None if data is None else Result.from_json(data)
        except InputError:
            return None

    def append(self, key: str, result: Result, *, replace: bool = False) -> None:
        """Add a result and wait until it is on disk. If there is one for the key already, that one stays, unless
        ``replace``. Raises PegcpError, and leaves the file as it was, if the disk is full."""
        line = (json.dumps({"key": key, **result.to_json()}, ensure_ascii=False) + "\n").encode()
        with self._locked():
            self._refresh()
            if key in self._lines and not replace:
                return
            size = os.fstat(self._fd).st_size
            torn = size > 0 and os.pread(self._fd, 1, size - 1) != b"\n"
            data = b"\n" + line if torn else line
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
        fcntl.flock(self._fd, fcntl.LOCK_EX)
        try:
            yield
        finally:
            fcntl.flock(self._fd, fcntl.LOCK_UN)

    def _refresh(self) -> None:
        """Take in the lines that were added since the last look."""
        size = os.fstat(self._fd).st_size
        if size <= self._read:
            return
        data = os.pread(self._fd, size - self._read, self._read)
        complete = data[: data.rfind(b"\n") + 1]
        self._read += len(complete)
        for line in complete.splitlines():
            try:
                parsed = json.loads(line)
                self._lines[str(parsed["key"])] = parsed
            except (ValueError, TypeError, KeyError):
                continue  # read_results tells


def read_results(paths: Iterable[str | Path]) -> tuple[list[Result], list[str]]:
    """The results in some files, each run once, and warnings about lines that are not results.

    Raises InputError for a file that cannot be read.
    """
    found: dict[str, Result] = {}
    warnings = []
    for path in paths:
        try:
            lines = Path(path).read_bytes().split(b"\n")
        except OSError as error:
            raise InputError(f"cannot read results: {error.strerror}", source=str(path)) from None
        for number, line in enumerate(lines, start=1):
            if not line.strip():
                continue
            data = None
            try:
                data = json.loads(line)
                result = Result.from_json(data)
            except (ValueError, RecursionError):
                torn = number == len(lines)
                warnings.append(f"{path}:{number}: {'torn line' if torn else 'not a line of results'}, skipped")
                continue
            except (InputError, TypeError, AttributeError) as error:
                message = error.message if isinstance(error, InputError) else "not a result"
                warnings.append(f"{path}:{number}: {message}{_newer(data)}, skipped")
                continue
            name = result.method.partition(":")[0]
            key = data.get("key") or result_key(
                result.problem.fingerprint, name, result.backend, result.parameters, result.versions
            )
            found.pop(str(key), None)
            found[str(key)] = result
    return list(found.values()), warnings


def _newer(data: Any) -> str:
    """A hint if the line was written by a later version."""
    versions = data.get("versions") if isinstance(data, dict) else None
    version = versions.get("pegcp") if isinstance(versions, dict) else None
    newer = isinstance(version, str) and _parts(version) > _parts(__version__)
    return f" (written by pegcp {version}, this is {__version__})" if newer else ""


def _parts(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in version.split(".") if part.isdigit())
