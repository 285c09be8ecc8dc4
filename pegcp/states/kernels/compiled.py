"""Compile functions with numba, and cache their machine code. Without numba no level is an array."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from hashlib import sha256
from importlib import import_module
from pathlib import Path
from pickle import UnpicklingError
from typing import Any, TypeVar

from platformdirs import user_cache_path

from pegcp.errors import need
from pegcp.formats.files import make_private_folder
from pegcp.method import Run

F = TypeVar("F", bound=Callable[..., Any])
Word = Any  # in compiled functions: an unsigned number of 64 bits
Number = Any  # in compiled functions: a signed number of 64 bits

need("a search of all positions", "numba", "numba")
numba: Any = import_module("numba")
_event: Any = import_module("numba.core.event")

# A folder for each text of these files: numba's own cache looks at one file at a time, not at those that it imports.
_TEXT = sha256(b"".join(path.read_bytes() for path in sorted(Path(__file__).parent.glob("*.py"))))
_FOLDER = user_cache_path("pegcp", appauthor=False) / "compiled" / _TEXT.hexdigest()[:16]
_NOT_CACHED = ""  # or why machine code is neither read there nor kept
try:
    make_private_folder(_FOLDER)  # numba runs what lies there: code of another user must not be taken
except OSError as error:
    _NOT_CACHED = f"{_FOLDER}: {error.strerror}; compiled code is not cached"


def compiled(function: F) -> F:
    """Compile a function when it is first called, and cache its machine code in the user's cache folder.

    Where that folder cannot be used, each process compiles it again. The function runs without Python's global lock.
    """
    dispatcher: Any = numba.njit(nogil=True)(function)
    folder, numba.config.CACHE_DIR = numba.config.CACHE_DIR, str(_FOLDER)
    with suppress(RuntimeError):  # no folder
        if not _NOT_CACHED:
            dispatcher.enable_caching()
            _survive_full_disks(dispatcher._cache)
    numba.config.CACHE_DIR = folder
    return dispatcher  # type: ignore[no-any-return]


def _survive_full_disks(cache: Any) -> None:
    """Let a run go on where numba cannot read the cache, of which a full disk may have cut a file, or write to it."""
    load, save = cache.load_overload, cache.save_overload

    def load_or_not(*arguments: Any) -> Any:
        with suppress(OSError, EOFError, UnpicklingError, ValueError):
            return load(*arguments)
        return None

    def save_or_not(*arguments: Any) -> None:
        with suppress(OSError, EOFError, UnpicklingError, ValueError):
            save(*arguments)

    cache.load_overload, cache.save_overload = load_or_not, save_or_not


def inlined(function: F) -> F:
    """Compile a small function into each compiled function that calls it."""
    dispatcher: Any = numba.njit(forceinline=True)(function)
    return dispatcher  # type: ignore[no-any-return]


class _Clock(_event.Listener):  # type: ignore[misc]
    """Pauses the clock of a run while numba compiles, and reports how many functions it has begun and the seconds.

    Numba compiles for one thread at a time, and the functions that a function calls within it.
    """

    run = Run()
    functions = depth = 0

    def on_start(self, _: Any) -> None:
        """Pause the run when numba begins with a function."""
        self.depth += 1
        if self.depth == 1:
            self.run.pause.turn(on=True)
            self.functions += 1
            self.run.report({"compiling": self.functions})

    def on_end(self, _: Any) -> None:
        """Let the run go on when numba has compiled a function and those that it calls."""
        self.depth -= 1
        if self.depth == 0:
            self.run.pause.turn(on=False)
            self.run.report({"compiling": None, "compile_seconds": self.run.pause.seconds})


_CLOCK = _Clock()
_event.register("numba:compile", _CLOCK)


def compiling_for(run: Run) -> None:
    """Report compilation to this run from now on, and charge none of it to the run."""
    _CLOCK.run = run
    if _NOT_CACHED:
        run.report({"log": _NOT_CACHED})
