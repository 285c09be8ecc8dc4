"""How functions are compiled. Without numba no level is an array (:data:`pegcp.states.levels.LARGE`)."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from hashlib import sha256
from importlib import import_module
from pathlib import Path
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


# Where machine code is kept: one folder for each text of these files, since numba looks at one file at a time.
_TEXT = sha256(b"".join(path.read_bytes() for path in sorted(Path(__file__).parent.glob("*.py"))))
_FOLDER = user_cache_path("pegcp", appauthor=False) / "compiled" / _TEXT.hexdigest()[:16]
_NOT_KEPT = ""  # or why no machine code is read there or kept
try:
    make_private_folder(_FOLDER)  # numba runs what lies there: code of another user must not be taken
except OSError as error:
    _NOT_KEPT = f"{_FOLDER}: {error.strerror}; machine code is not kept"


def compiled(function: F) -> F:
    """Compile a function when it is first called, and keep its machine code in the cache folder of the user.

    Where no folder can be written it is compiled again in each process. While it runs, other threads run too.
    """
    found: Any = numba.njit(nogil=True)(function)
    elsewhere, numba.config.CACHE_DIR = numba.config.CACHE_DIR, str(_FOLDER)
    with suppress(RuntimeError):  # no folder
        if not _NOT_KEPT:
            found.enable_caching()
            _survive_full_disks(found._cache)
    numba.config.CACHE_DIR = elsewhere
    return found  # type: ignore[no-any-return]


def _survive_full_disks(cache: Any) -> None:
    """Let a run go on where its machine code cannot be read from the cache, or kept there."""
    load, save = cache.load_overload, cache.save_overload

    def load_or_not(*arguments: Any) -> Any:
        with suppress(OSError, EOFError, ValueError):
            return load(*arguments)
        return None

    def save_or_not(*arguments: Any) -> None:
        with suppress(OSError):
            save(*arguments)

    cache.load_overload, cache.save_overload = load_or_not, save_or_not


def inlined(function: F) -> F:
    """Compile a small function into each compiled function that calls it."""
    found: Any = numba.njit(forceinline=True)(function)
    return found  # type: ignore[no-any-return]


class _Clock(_event.Listener):  # type: ignore[misc]
    """Pauses a run while machine code is made, and reports how many functions it has come to and the seconds.

    Numba makes code for one thread at a time, and begins with functions that others call while it is at these.
    """

    run = Run()
    functions = depth = 0

    def on_start(self, _: Any) -> None:
        """Numba begins with a function."""
        self.depth += 1
        if self.depth == 1:
            self.run.pause.turn(on=True)
            self.functions += 1
            self.run.report({"compiling": self.functions})

    def on_end(self, _: Any) -> None:
        """Numba has made a function."""
        self.depth -= 1
        if self.depth == 0:
            self.run.pause.turn(on=False)
            self.run.report({"compiling": None, "compile_seconds": self.run.pause.seconds})


_CLOCK = _Clock()
_event.register("numba:compile", _CLOCK)


def compiling_for(run: Run) -> None:
    """From now on machine code is made for this run, and in none of its time."""
    _CLOCK.run = run
    if _NOT_KEPT:
        run.report({"log": _NOT_KEPT})
