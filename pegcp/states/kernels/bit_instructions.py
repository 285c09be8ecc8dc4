"""Machine instructions that numba does not offer by itself."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic
from numba.np import arrayobj

make_array: Any = arrayobj.make_array
get_item_pointer: Any = cgutils.get_item_pointer
get_function: Any = cgutils.get_or_insert_function


def machine(generator: Callable[..., Any]) -> Any:
    """A function for compiled functions, given by what generates its machine instructions."""
    return intrinsic(generator)


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
def fill_slot(_typing: Any, words: Any, _index: Any, _empty: Any, _word: Any) -> Any:
    """Put a word where ``empty`` stands, in one step that no other thread can divide; the word before."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        address = _address(context, builder, signature, arguments)
        before = builder.cmpxchg(address, arguments[2], arguments[3], "monotonic", "monotonic")
        return builder.extract_value(before, 0)

    return types.uint64(words, types.int64, types.uint64, types.uint64), generate


@machine
def prefetch(_typing: Any, words: Any, _index: Any) -> Any:
    """Ask for the memory of ``words[index]`` before it is needed."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        address = builder.bitcast(_address(context, builder, signature, arguments), ir.IntType(8).as_pointer())
        flag = ir.IntType(32)
        kind = ir.FunctionType(ir.VoidType(), [address.type, flag, flag, flag])
        function = get_function(builder.module, kind, "llvm.prefetch.p0")
        builder.call(function, [address, *(ir.Constant(flag, value) for value in (1, 3, 1))])  # to write, near, data
        return context.get_dummy_value()

    return types.void(words, types.int64), generate


def _address(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    kind = signature.args[0]
    array = make_array(kind)(context, builder, arguments[0])
    return get_item_pointer(context, builder, kind, array, [arguments[1]], wraparound=False)
