"""Claim runs, so that of several comparisons that append to one file each run is made by one.

A claim is a lock on one byte of an empty file beside the results. The system releases it at any death of its owner,
also on a shared file system, so that no claim is ever stale.
"""

from __future__ import annotations

import os
import struct
import sys
from collections.abc import Callable
from contextlib import suppress
from errno import EACCES, EAGAIN
from pathlib import Path


class Claims:
    """The claims of one comparison on the runs of a file of results. Where locks do not work, ``warn`` is told once,
    and each run counts as claimed."""

    def __init__(self, results: Path, warn: Callable[[str], None]) -> None:
        self.path, self._warn = Path(f"{results}.claims"), warn
        self._fd: int | None = None
        self._works, self._is_own = True, False

    def take(self, key: str) -> bool:
        """Tell whether the run of a key is this comparison's now: no other one is making it."""
        while self._works:
            try:
                self._lock(key)
                if self._is_current():
                    return True
                self._open()  # the comparison that made the file has removed it
            except OSError as error:
                if error.errno in (EAGAIN, EACCES):
                    return False
                self._works = False
                self._warn(
                    f"{self.path}: no locks here ({error.strerror}): other comparisons may make the same runs again"
                )
        return True

    def release(self, key: str) -> None:
        """Give a run free: its result is in the file."""
        if self._works and self._fd is not None:
            _set_lock(self._fd, is_taken=False, start=_byte(key))

    def close(self) -> None:
        """Give all runs free; remove the file, if this comparison made it and no other one uses it."""
        if self._fd is None:
            return
        with suppress(OSError):
            if self._is_own and self._is_current():
                _set_lock(self._fd, is_taken=True, start=0, length=0)
                self.path.unlink()
        os.close(self._fd)
        self._fd = None

    def _lock(self, key: str) -> None:
        """Lock the byte of a key. Raises OSError with EAGAIN or EACCES if another comparison has."""
        if self._fd is None:
            self._open()
        assert self._fd is not None
        _set_lock(self._fd, is_taken=True, start=_byte(key))

    def _open(self) -> None:
        """Open the file, or make it."""
        if self._fd is not None:
            os.close(self._fd)
            self._fd = None
        flags = os.O_RDWR | os.O_NOFOLLOW
        try:
            self._fd, self._is_own = os.open(self.path, flags | os.O_CREAT | os.O_EXCL, 0o666), True
        except FileExistsError:
            self._fd, self._is_own = os.open(self.path, flags), False

    def _is_current(self) -> bool:
        """Tell whether the file that is open is the one that others find."""
        try:
            return self._fd is not None and os.path.samestat(os.stat(self.path), os.fstat(self._fd))
        except FileNotFoundError:
            return False


def _byte(key: str) -> int:
    """Return the place of a key, 16 hexadecimal digits, among the bytes of a file."""
    return int(key, 16) >> 2


def _set_lock(fd: int, *, is_taken: bool, start: int, length: int = 1) -> None:
    """Lock bytes, or unlock them. A length of 0 means all from the start. Raises OSError.

    On Linux the lock belongs to the open file, so that two comparisons of one process exclude each other, too.
    """
    import fcntl  # Windows has no such module

    if sys.platform == "linux":
        kind = fcntl.F_WRLCK if is_taken else fcntl.F_UNLCK
        fcntl.fcntl(fd, fcntl.F_OFD_SETLK, struct.pack("hhqqi0q", kind, os.SEEK_SET, start, length, 0))
    else:
        fcntl.lockf(fd, fcntl.LOCK_EX | fcntl.LOCK_NB if is_taken else fcntl.LOCK_UN, length, start)
