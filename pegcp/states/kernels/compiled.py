"""How functions are compiled, and the machine instructions that numba does not offer by itself."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import Any, TypeVar

from llvmlite import ir
from numba import config as _config
from numba import njit, types
from numba.core import cgutils
from numba.extending import intrinsic
from numba.np import arrayobj

from pegcp.states.cache import cache_folder

F = TypeVar("F", bound=Callable[..., Any])
Word = Any  # in compiled functions: an unsigned number of 64 bits
Number = Any  # in compiled functions: a signed number of 64 bits

config: Any = _config
make_array: Any = arrayobj.make_array
get_item_pointer: Any = cgutils.get_item_pointer


def machine(generator: Callable[..., Any]) -> Any:
    """A function for compiled functions, given by what generates its machine instructions."""
    return intrinsic(generator)


def _folder() -> str:
    """Where machine code is kept: one folder for each text of these files, since numba looks at one file at a time."""
    text = sha256()
    for path in sorted(Path(__file__).parent.glob("*.py")):
        text.update(path.read_bytes())
    return str(cache_folder() / "compiled" / text.hexdigest()[:16])


_FOLDER = _folder()


def compiled(function: F) -> F:
    """Compile a function when it is first called, and keep its machine code in the cache folder of the user.

    Where no folder can be written it is compiled again in each process. While it runs, other threads run too.
    """
    found: Any = njit(nogil=True)(function)
    elsewhere, config.CACHE_DIR = config.CACHE_DIR, _FOLDER
    with suppress(RuntimeError):  # no folder
        found.enable_caching()
    config.CACHE_DIR = elsewhere
    return found  # type: ignore[no-any-return]


def inlined(function: F) -> F:
    """Compile a small function into each compiled function that calls it."""
    found: Any = njit(forceinline=True)(function)
    return found  # type: ignore[no-any-return]


@machine
def lowest(_typing: Any, _word: Any) -> Any:
    """The number of the lowest bit of a 64-bit word that is not 0."""

    def generate(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return builder.cttz(arguments[0], ir.Constant(ir.IntType(1), 1))

    return types.int64(types.uint64), generate


@machine
def ones(_typing: Any, _word: Any) -> Any:
    """How many bits of a 64-bit word are 1."""

    def generate(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return builder.ctpop(arguments[0])

    return types.int64(types.uint64), generate


@machine
def add_bits(_typing: Any, words: Any, _index: Any, _bits: Any) -> Any:
    """``words[index] |= bits`` in one step that no other thread can divide; the word before."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        address = _address(context, builder, signature, arguments)
        return builder.atomic_rmw("or", address, arguments[2], "monotonic")

    return types.uint64(words, types.int64, types.uint64), generate


@machine
def fill_slot(_typing: Any, words: Any, _index: Any, _word: Any) -> Any:
    """Put a word where 0 stands, in one step that no other thread can divide; the word before."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        address = _address(context, builder, signature, arguments)
        nothing = ir.Constant(ir.IntType(64), 0)
        before = builder.cmpxchg(address, nothing, arguments[2], "monotonic", "monotonic")
        return builder.extract_value(before, 0)

    return types.uint64(words, types.int64, types.uint64), generate


def _address(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    kind = signature.args[0]
    array = make_array(kind)(context, builder, arguments[0])
    return get_item_pointer(context, builder, kind, array, [arguments[1]], wraparound=False)
