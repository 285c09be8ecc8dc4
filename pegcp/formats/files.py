"""Reads and writes the files that a user names, safely.

Only regular files are read, up to a size: a pipe without a writer or an endless device is refused.
"""

from __future__ import annotations

import errno
import os
import secrets
import stat
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO

from pegcp.errors import InputError

LARGEST = 64_000_000  # bytes


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
    """Write a file; a reader sees the old content or the new one, never a part. Raises OSError, and changes nothing.

    The content goes to a temporary file in the same folder, which then takes the place of ``path``, with the mode of
    the file that was there; a symbolic link stays one. A file with several names or of another owner, and what is no
    regular file, such as a pipe, is written in place.
    """
    data = content.encode() if isinstance(content, str) else content
    place = Path(os.path.realpath(path))
    before = place.stat() if place.exists() else None
    if before is not None and not (
        stat.S_ISREG(before.st_mode) and before.st_nlink == 1 and before.st_uid == os.geteuid()
    ):
        place.write_bytes(data)
        return
    unfinished = place.with_name(f".pegcp-{secrets.token_hex(8)}")
    handle = os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o666)
    try:
        with open(handle, "wb") as file:
            file.write(data)
        if before is not None:
            os.chmod(unfinished, stat.S_IMODE(before.st_mode))
        os.replace(unfinished, place)
    except BaseException:  # Ctrl-C, too
        os.unlink(unfinished)
        raise


def is_safe_cache(folder: Path) -> bool:
    """Whether what lies in a folder was put there by this user: the folder, or the nearest parent that exists, belongs
    to the user, and others cannot write to it."""
    for place in (folder, *folder.parents):
        with suppress(FileNotFoundError):
            about = place.stat()
            return about.st_uid == os.geteuid() and not about.st_mode & 0o022
    return False
