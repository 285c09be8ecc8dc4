"""Reading a PDDL problem file together with its domain, which lies where collections of problems keep it."""

import re
from collections.abc import Iterator
from contextlib import nullcontext, suppress
from pathlib import Path

from pegcp.errors import InputError
from pegcp.formats.files import read_file
from pegcp.formats.pddl.read import PlanningTask, read_task
from pegcp.formats.pddl.syntax import decode

_MOST_BYTES = 10_000_000  # bytes
_COMMENT = re.compile(r";[^\n\r]*")
_ITS_DOMAIN = re.compile(r"\(\s*:domain\s+([^\s()]+)", re.IGNORECASE)
_DOMAIN = re.compile(r"\(\s*define\s*\(\s*domain\s+([^\s()]+)", re.IGNORECASE)


def read_files(path: Path, domain: Path | None = None) -> PlanningTask:
    """Read a problem file and its domain: the file ``domain``, or else the one that belongs to it.

    That is ``p01-domain.pddl``, ``domain-p01.pddl``, ``domain-01.pddl`` or ``domain.pddl`` in the folder of
    ``p01.pddl`` or one folder up, where it may lie in the folder ``domains``. Raises InputError, also if two files
    define the domain and make different problems.
    """
    text = _read(path)

    def task(file: Path | None) -> PlanningTask:
        return read_task(text, str(path), path.stem, (_read(file), str(file)) if file else None)

    bare = _COMMENT.sub("", text)
    if domain is not None or _DOMAIN.search(bare):  # it has its domain in it
        return task(domain)
    wanted = [name.lower() for name in _ITS_DOMAIN.findall(bare)[:1]]
    files: dict[str, Path] = {}  # that define its domain, by their texts
    beside: list[Path] = []  # that define another
    for file in _domain_files(path):
        is_beside = file.parent == path.parent
        with nullcontext() if is_beside else suppress(InputError):  # a file that is not may belong to anything
            content = _COMMENT.sub("", _read(file))
            if {*wanted} & {name.lower() for name in _DOMAIN.findall(content)}:
                files.setdefault(content, file)
            elif is_beside:
                beside.append(file)
    # A domain beside it is read all the same: the error says what is wrong with it.
    first = next(iter([*files.values(), *beside]), None)
    problem = task(first)
    for other in [*files.values()][1:]:
        second = problem
        with suppress(InputError):
            second = task(other)
        if second != problem:
            raise InputError(
                f"{first} and {other} both define its domain, and make different problems of it; "
                f"choose one: pegcp import {path} --domain FILE",
                source=str(path),
            )
    return problem


def _read(path: Path) -> str:
    return decode(read_file(path, _MOST_BYTES))


def _domain_files(path: Path) -> Iterator[Path]:
    """Return the files that may define the domain of a problem, the nearest first."""
    own = [path.stem, *re.findall(r"\d.*", path.stem)]  # of p01 also 01
    after = [f"domain{sign}{name}" for name in own for sign in ("-", "_", "")]
    names = [f"{path.stem}-domain", f"{path.stem}_domain", *after, "domain"]
    up = path.parent / ".."
    folders = (path.parent, path.parent / "domains", up, up / "domains", up / "domain")
    return filter(Path.is_file, (folder / f"{name}.pddl" for folder in folders for name in names))
