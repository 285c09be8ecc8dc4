"""Reads the files that a user names, safely (:mod:`pegcp.writing` writes them), and makes folders.

Only regular files are read, up to a size: a pipe without a writer or an endless device is refused.
"""

import errno
import os
import re
import stat
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, nullcontext
from os.path import isfile  # unlike Path.is_file it takes any text
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import BinaryIO

from pegcp.errors import InputError, line_and_column, refuse_if
from pegcp.writing import FLAGS

PACKAGE = Path(__file__).parent.parent
LARGEST_FILE_BYTES = 64_000_000  # bytes
MOST_FILE_BYTES = 10_000_000
MOST_TOML_CHARACTERS = 500_000  # a map of 10,000 holes takes 20,000


def models_folder() -> Path:
    """Return the folder of the bundled models: in the installed package, or in the checkout."""
    packaged = PACKAGE / "_models"
    return packaged if packaged.is_dir() else PACKAGE.parent / "models"


def open_file(path: str | Path, flags: int = 0) -> BinaryIO:
    """Open a regular file to be read. ``flags``: more for :func:`os.open`. Raises OSError, for other files, too."""
    handle = os.open(path, os.O_RDONLY | FLAGS | flags)
    if stat.S_ISREG(os.fstat(handle).st_mode):
        return os.fdopen(handle, "rb")
    os.close(handle)
    if os.path.isdir(path):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
    raise OSError(errno.EINVAL, "not a regular file", str(path))


def read_file(path: str | Path, most: int = LARGEST_FILE_BYTES, *, standard_input: bool = False) -> bytes:
    """Read a regular file of at most ``most`` bytes, or the standard input. Raises InputError."""
    what = "standard input" if standard_input else "the file"
    try:
        with nullcontext(sys.stdin.buffer) if standard_input else open_file(path) as file:
            data = file.read(most + 1)
    except (AttributeError, OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or ("there is none" if standard_input else error)
        raise InputError(f"cannot read {what}: {why}", source=str(path)) from None
    refuse_if(len(data) > most, f"{what} is larger than {most / 1_000_000:g} MB", source=path)
    return data


def is_path(text: str) -> bool:
    """Tell whether a text is a path (``./mine``) or a name with a suffix (``mine.toml``)."""
    return "/" in text or bool(Path(text).suffix)


def beside(folder: Path, text: str) -> Path | None:
    """Return the file in a folder that a path or a name with a suffix refers to; None for other texts."""
    return folder / text if is_path(text) and isfile(folder / text) else None


def read_toml(path: Path) -> str:
    """Return the text of a TOML file. Raises InputError if it cannot be read."""
    return not_too_long(read_text(path), str(path))


def not_too_long(text: str, source: str) -> str:
    """Return a text. Raises InputError if it is too long for TOML or a map."""
    refuse_if(
        len(text) > MOST_TOML_CHARACTERS,
        f"TOML, drawings and numbers are read up to {MOST_TOML_CHARACTERS:,} characters",
        source=source,
        line=1,
        column=1,
    )
    return text


def read_text(path: str | Path) -> str:
    """Return the text of a file (UTF-8); ``-`` is standard input. Raises InputError if it cannot be read."""
    data = read_file(path, MOST_FILE_BYTES, standard_input=str(path) == "-")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line, column = line_and_column(data.decode("latin-1"), error.start)  # a character for each byte
        raise InputError("not UTF-8 text", source=str(path), line=line, column=column) from None


@contextmanager
def temporary_folder(prefix: str, place: str | None = None) -> Iterator[str]:
    """Make a temporary folder, and remove it at the end, although another Ctrl-C may come meanwhile."""
    folder = TemporaryDirectory(prefix=prefix, dir=place, ignore_cleanup_errors=True)
    with ExitStack() as stack:
        for _ in range(3):
            stack.callback(folder.cleanup)
        yield folder.name


def file_name(name: str) -> str:
    """Return a name made safe as a file name: no separators, no leading dots, at most 100 characters."""
    return re.sub(r"[^\w.+-]+", "_", name)[:100].lstrip(".") or "_"


def make_private_folder(folder: Path) -> None:
    """Make a folder of the cache into which nobody else can bring anything, or check that it is one.

    What is read there is code, and what is written there must not end elsewhere. So each folder on the way and each
    link is the user's or the system's, and others cannot write to it but to a sticky one, such as ``/tmp``: then nobody
    else can put another folder in its place, now or later. Raises OSError that says which is not so.
    """
    folder = folder.absolute()
    for place in (*reversed(folder.parents), folder):
        if not os.path.lexists(place):
            place.mkdir(mode=0o700, exist_ok=True)
        if hasattr(os, "geteuid"):  # Windows has no such owners
            target = place.resolve(strict=True)
            for way in (place, *(reversed(target.parents) if target != place else ()), target):
                _check_place(way, is_last=place == folder and way == target)


def _check_place(place: Path, is_last: bool) -> None:
    """Raise OSError if a folder or link on the way to a private folder, or that folder, is open to other users."""
    about = place.lstat()
    if about.st_uid != os.geteuid() and (is_last or about.st_uid != 0):
        raise PermissionError(errno.EPERM, "the folder belongs to another user", str(place))
    is_private_group = about.st_gid == about.st_uid  # as most systems make one for each user
    others = stat.S_IWOTH | (0 if is_private_group and not is_last else stat.S_IWGRP)
    is_safe = stat.S_ISLNK(about.st_mode) or (about.st_mode & stat.S_ISVTX and not is_last)
    if about.st_mode & others and not is_safe:
        raise PermissionError(errno.EPERM, "others can write to the folder (chmod go-w ends that)", str(place))
