"""Reads and writes the files that a user names, safely.

Only regular files are read, up to a size: a pipe without a writer or an endless device is refused. A file is written
beside its place and moved there when it is whole.
"""

from __future__ import annotations

import errno
import fcntl
import os
import shutil
import stat
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import BinaryIO

from pegcp.errors import InputError

LARGEST = 64_000_000  # bytes
_PREFIX = "pegcp-"
_NEW = 60.0  # seconds in which a temporary folder may not be locked yet


def open_file(path: str | Path, flags: int = 0) -> BinaryIO:
    """Open a regular file to be read. ``flags``: more for :func:`os.open`. Raises OSError, for other files, too."""
    handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC | flags)
    if stat.S_ISREG(os.fstat(handle).st_mode):
        return os.fdopen(handle, "rb")
    os.close(handle)
    if os.path.isdir(path):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
    raise OSError(errno.EINVAL, "not a regular file", str(path))


def read_file(path: str | Path, most: int = LARGEST) -> bytes:
    """Read a regular file of at most ``most`` bytes. Raises InputError."""
    try:
        with open_file(path) as file:
            data = file.read(most + 1)
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or error
        raise InputError(f"cannot read the file: {why}", source=str(path)) from None
    if len(data) > most:
        raise InputError(f"the file is larger than {most / 1_000_000:g} MB", source=str(path))
    return data


def write_file(path: Path, content: str | bytes) -> None:
    """Write a file beside its place and put it there when it is whole. Raises OSError; then nothing has changed.

    What is no regular file, such as a pipe, is written to as it is; a link stays a link.
    """
    data = content.encode() if isinstance(content, str) else content
    place = Path(os.path.realpath(path))
    if place.exists() and not place.is_file():
        place.write_bytes(data)
        return
    unfinished = place.with_name(f".{place.name[:100]}.{os.getpid()}")
    try:
        with open(unfinished, "xb") as file:
            file.write(data)
        if place.exists():
            shutil.copymode(place, unfinished)
        os.replace(unfinished, place)
    finally:
        unfinished.unlink(missing_ok=True)


@contextmanager
def temporary_folder(where: Path | None = None) -> Iterator[Path]:
    """Make a folder in ``where`` or among the temporary files; the caller removes it. Folders of killed processes
    there are removed first."""
    parent, prefix = (Path(tempfile.gettempdir()), _PREFIX) if where is None else (where, f".{_PREFIX}")
    _remove_left(parent, prefix)
    folder = Path(tempfile.mkdtemp(prefix=prefix, dir=parent))
    handle = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)  # until this process has gone
        yield folder
    finally:
        os.close(handle)


@cache
def _remove_left(parent: Path, prefix: str) -> None:
    """Remove temporary folders of this user whose process has gone; once is enough."""
    with suppress(OSError), os.scandir(parent) as entries:
        for entry in entries:
            if not entry.name.startswith(prefix) or not entry.is_dir(follow_symlinks=False):
                continue
            with suppress(OSError):
                about = entry.stat(follow_symlinks=False)
                if about.st_uid != os.getuid() or time.time() - about.st_mtime < _NEW:
                    continue
                handle = os.open(entry, os.O_RDONLY | os.O_NOFOLLOW)
                try:
                    fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
                    shutil.rmtree(entry, ignore_errors=True)
                finally:
                    os.close(handle)
