"""Writes the files that a user names, safely."""

import os
import secrets
import stat
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from pegcp.errors import InputError, refuse_if

_ENDINGS = {  # of other programs, and those that are written here in their place
    **dict.fromkeys((".gif", ".mp4", ".webm", ".mov", ".avi"), ".animated.svg"),
    **dict.fromkeys((".plan", ".pddl", "sas_plan"), ".soln"),
    **dict.fromkeys((".jpg", ".jpeg", ".bmp", ".webp"), ".png"),
    **dict.fromkeys((".pdf", ".tex"), ".svg"),
    ".htm": ".html",
    ".latex": ".tex",
    ".markdown": ".md",
}
_MODELS = (".cnf", ".dzn", ".fzn", ".lp", ".mps", ".mzn", ".opb", ".smt2", ".wcnf")
FLAGS = sum(getattr(os, name, 0) for name in ("O_NONBLOCK", "O_CLOEXEC", "O_BINARY"))  # no system has them all


def write_file(path: Path, content: str | bytes) -> None:
    """Write a file, making its folder; a reader sees the old content or the new one, never a part. Raises InputError.

    The content goes to a temporary file in the same folder, which then takes the place of ``path``, with the mode and
    the group of the file that was there; a symbolic link stays one. A file with several names, of another owner or
    group, or in a folder that takes no new file, and what is no regular file, such as a pipe, is written in place.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        _put_in_place(path, content.encode() if isinstance(content, str) else content)
    except OSError as error:
        raise InputError(f"cannot write: {error.strerror}", source=str(path)) from None


def check_new_folder(folder: Path) -> None:
    """Raise InputError unless a folder is new or empty, and can be written."""
    try:
        refuse_if(
            os.path.lexists(folder) and (not folder.is_dir() or any(folder.iterdir())),
            "the folder must be new or empty",
            folder,
        )
        place = next(path for path in (folder, *folder.absolute().parents) if path.exists())
        refuse_if(not (place.is_dir() and os.access(place, os.W_OK | os.X_OK)), "the folder cannot be written", folder)
    except OSError as error:
        raise InputError(f"the folder cannot be written: {error.strerror}", source=str(folder)) from None


def write_folder(folder: Path, files: Mapping[str, str | bytes]) -> None:
    """Write new files into a folder: all of them, or none, for half a folder would be in the way of the next try.

    Raises InputError.
    """
    paths: list[Path] = []
    try:
        for name, content in files.items():
            path, data = folder / name, content.encode() if isinstance(content, str) else content
            for parent in reversed(path.parents):
                if not parent.exists():
                    parent.mkdir()
                    paths.append(parent)
            with open(path, "xb") as file:
                paths.append(path)
                file.write(data)
    except BaseException as error:  # Ctrl-C, too
        for path in reversed(paths):
            with suppress(OSError):  # somebody else has put something there
                path.rmdir() if path.is_dir() else path.unlink()
        if isinstance(error, OSError):
            raise InputError(f"cannot write: {error.strerror}", source=str(error.filename or folder)) from None
        raise


def check_ending(path: Path, endings: Sequence[str]) -> None:
    """Raise InputError unless a file name has one of some endings."""
    ending = _ENDINGS.get(path.suffix.lower() or path.stem, endings[0] * (not path.suffix))  # such as a folder
    of_models = '; "pegcp export" writes models' * (path.suffix in _MODELS)
    other = f"; type: {path.stem}{ending}" if ending.endswith(tuple(endings)) else of_models
    refuse_if(
        path.suffix.lower() not in endings,
        f'the file name must end in {", ".join(endings)}, not "{path.suffix}"{other}',
        path,
    )


def _put_in_place(path: Path, data: bytes) -> None:
    """Write a file by the way of a temporary one, where that can take its place. Raises OSError."""
    place = Path(os.path.realpath(path))
    before = path.stat() if path.exists() else None  # a pipe of the shell has no place
    if before is not None and not _can_be_replaced(place, before):
        path.write_bytes(data)
        return
    unfinished = place.with_name(f".pegcp-{secrets.token_hex(8)}")
    mode = 0o666 if before is None else 0o600  # until it has the mode of the old one
    handle = os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_EXCL | FLAGS, mode)
    try:
        with open(handle, "wb") as file:
            file.write(data)
        if before is not None:
            os.chown(unfinished, -1, before.st_gid)
            os.chmod(unfinished, stat.S_IMODE(before.st_mode))
        os.replace(unfinished, place)
    except BaseException:  # Ctrl-C, too
        os.unlink(unfinished)
        raise


def _can_be_replaced(place: Path, before: os.stat_result) -> bool:
    """Tell whether a new file can take the place of one, so that the owner, the group and all its names stay."""
    alone = stat.S_ISREG(before.st_mode) and before.st_nlink == 1
    own = before.st_uid == os.geteuid() and before.st_gid in (os.getegid(), *os.getgroups())
    return alone and own and os.access(place.parent, os.W_OK | os.X_OK)
