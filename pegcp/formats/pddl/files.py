"""Reading a PDDL problem file together with its domain, which lies where collections of problems keep it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from pegcp.errors import InputError
from pegcp.formats.files import read_file
from pegcp.formats.pddl.read import Task, read_task
from pegcp.formats.pddl.syntax import decode

_LARGEST = 10_000_000  # bytes
_COMMENT = re.compile(r";[^\n\r]*")
_ITS_DOMAIN = re.compile(r"\(\s*:domain\s+([^\s()]+)", re.IGNORECASE)
_DOMAIN = re.compile(r"\(\s*define\s*\(\s*domain\s+([^\s()]+)", re.IGNORECASE)


def read_files(path: Path, domain: Path | None = None) -> Task:
    """Read a problem file and its domain: the file ``domain``, or else the one that belongs to it.

    That is ``p01-domain.pddl``, ``domain-p01.pddl``, ``domain-01.pddl`` or ``domain.pddl`` in the folder of
    ``p01.pddl`` or one folder up, where it may lie in the folder ``domains``. Raises InputError, also if two files
    define the domain and make different problems.
    """
    text = _read(path)
    if domain is not None:
        return read_task(text, str(path), path.stem, (_read(domain), str(domain)))
    bare = _COMMENT.sub("", text)
    wanted = _ITS_DOMAIN.search(bare)
    if _DOMAIN.search(bare):  # it has its domain in it
        return read_task(text, str(path), path.stem)
    texts: dict[str, Path] = {}
    beside: list[Path] = []
    for file in _domain_files(path):
        try:
            content = _read(file)
        except InputError:
            if file.parent == path.parent:
                raise
            continue  # it may belong to anything
        names = _DOMAIN.findall(_COMMENT.sub("", content))
        if wanted and wanted[1].lower() in map(str.lower, names):
            texts.setdefault(content, file)
        elif file.parent == path.parent:
            beside.append(file)
    if not texts:  # a domain in the same folder is read all the same: the error says what is wrong with it
        own = (_read(beside[0]), str(beside[0])) if beside else None
        return read_task(text, str(path), path.stem, own)
    (content, file), *others = texts.items()
    task = read_task(text, str(path), path.stem, (content, str(file)))
    for content, other in others:
        second = None
        with suppress(InputError):
            second = read_task(text, str(path), path.stem, (content, str(other)))
        if second not in (None, task):
            raise InputError(
                f"{file} and {other} both define its domain, and make different problems of it; "
                f"choose one: pegcp import {path} --domain FILE",
                source=str(path),
            )
    return task


def _read(path: Path) -> str:
    return decode(read_file(path, _LARGEST))


def _domain_files(path: Path) -> Iterator[Path]:
    """Return the files that may define the domain of a problem, the nearest first."""
    own = [path.stem, *re.findall(r"\d.*", path.stem)]  # of p01 also 01
    names = [f"{path.stem}-domain", f"{path.stem}_domain"]
    names += [*(f"domain{sign}{name}" for name in own for sign in ("-", "_", "")), "domain"]
    up = path.parent / ".."
    folders = (path.parent, path.parent / "domains", up, up / "domains", up / "domain")
    files = (folder / f"{name}.pddl" for folder in folders for name in names)
    return filter(Path.is_file, files)
