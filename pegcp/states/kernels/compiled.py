"""Compile functions with numba, and cache their machine code. Without numba no level is an array."""

import pickle
import sys
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from hashlib import sha256
from importlib import import_module
from inspect import getfile
from pathlib import Path
from typing import Any, TypeVar

from platformdirs import user_cache_path

from pegcp.errors import InputError, need
from pegcp.formats.files import LARGEST_FILE_BYTES, make_private_folder, read_file
from pegcp.method import Run
from pegcp.writing import write_file

F = TypeVar("F", bound=Callable[..., object])
Word = Any  # in compiled functions: an unsigned number of 64 bits
Number = Any  # in compiled functions: a signed number of 64 bits

need("a search of all positions", "numba", "numba")
numba: Any = import_module("numba")


def compiled(function: F) -> F:
    """Compile a function when it is first called, and cache its machine code in the user's cache folder.

    Where that folder cannot be used, each process compiles it again. The function runs without Python's global lock.
    A loop is compiled in a tenth of the time that the assignment of a slice takes.
    """
    dispatcher: Any = numba.njit(nogil=True, no_cfunc_wrapper=True)(function)
    dispatcher._cache = _Cache(function)
    return dispatcher  # type: ignore[no-any-return]


@cache
def _cache_folder() -> tuple[Path | None, str]:
    """Return the folder of machine code, which is the user's alone; or None and why there is none."""
    folder = user_cache_path("pegcp", appauthor=False) / "compiled"
    try:
        make_private_folder(folder)  # what lies there is run: code of another user must not be taken
    except OSError as error:
        return None, f"{error.filename or folder}: {error.strerror}; compiled code is not cached"
    return folder, ""


@cache
def _text(folder: Path) -> bytes:
    """Return a digest of this room and of a folder of functions: machine code has parts of all that they call."""
    files = {*Path(__file__).parent.glob("*.py"), *folder.glob("*.py")}
    return sha256(b"\0".join(path.read_bytes() for path in sorted(files))).digest()


class _Cache:
    """The machine code of a function, a file for each of its signatures, in place of numba's own cache.

    A file begins with a digest of what follows: one that a full disk has cut, or that is damaged, is written anew.
    """

    def __init__(self, function: Callable[..., object]) -> None:
        self.function = function

    def _path(self, signature: object, codegen: Any) -> Path | None:
        folder, _ = _cache_folder()
        if folder is None:
            return None
        name, text = self.function.__qualname__, _text(Path(getfile(self.function)).parent).hex()
        key = repr((name, text, sys.version, numba.__version__, str(signature), codegen.magic_tuple()))
        return folder / f"{sha256(key.encode()).hexdigest()[:32]}.code"

    def load_overload(self, signature: object, context: Any) -> object:
        """Return the machine code of a signature, None if it is not there."""
        context.refresh()
        path, rebuild = self._path(signature, context.codegen()), numba.core.compiler.CompileResult._rebuild
        with suppress(InputError):  # there is no such file
            data = b"" if path is None else read_file(path, LARGEST_FILE_BYTES)
            if data and sha256(data[32:]).digest() == data[:32]:
                return rebuild(context, *pickle.loads(data[32:]))
        return None

    def save_overload(self, signature: object, result: Any) -> None:
        """Keep the machine code of a signature, unless the disk is full."""
        path = self._path(signature, result.codegen)
        if path is not None:
            data = numba.core.serialize.dumps(result._reduce())
            with suppress(InputError):
                write_file(path, sha256(data).digest() + data)


def inlined(function: F) -> F:
    """Compile a small function into each compiled function that calls it."""
    dispatcher: Any = numba.njit(forceinline=True, no_cfunc_wrapper=True, no_cpython_wrapper=True)(function)
    return dispatcher  # type: ignore[no-any-return]


class _Clock(numba.core.event.Listener):  # type: ignore[misc]
    """Pauses the clock of a run while numba compiles, and reports how many functions it has begun and the seconds.

    Numba compiles for one thread at a time, and the functions that a function calls within it.
    """

    run = Run()
    functions = depth = 0

    def on_start(self, _: object) -> None:
        """Pause the run when numba begins with a function."""
        self.depth += 1
        if self.depth == 1:
            self.run.pause.turn(on=True)
            self.functions += 1
            self.run.report({"compiling": self.functions})

    def on_end(self, _: object) -> None:
        """Let the run go on when numba has compiled a function and those that it calls."""
        self.depth -= 1
        if self.depth == 0:
            self.run.pause.turn(on=False)
            self.run.report({"compiling": None, "compile_seconds": self.run.pause.seconds})


_CLOCK = _Clock()
numba.core.event.register("numba:compile", _CLOCK)


def compiling_for(run: Run) -> None:
    """Report compilation to this run from now on, and charge none of it to the run."""
    _CLOCK.run = run
    _, fault = _cache_folder()
    if fault:
        run.report({"log": fault})
