"""Bits of 64-bit words: counted by arithmetic that LLVM recognises, and set by an atomic instruction."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic
from numba.np import arrayobj

from pegcp.states.kernels.compiled import Number, Word, inlined

if TYPE_CHECKING:
    from llvmlite.ir import IRBuilder, Value
    from numba.core.base import BaseContext
    from numba.core.typing.templates import Signature

    Generator = tuple[Signature, Callable[..., Value]]  # what numba asks of an instruction: its types and its code

_array: Any = arrayobj
_code: Any = cgutils
_intrinsic: Callable[..., Any] = intrinsic
_ONE, _TWO, _FOUR, _TOP = np.uint64(1), np.uint64(2), np.uint64(4), np.uint64(56)
_PAIRS, _QUADS = np.uint64(0x5555555555555555), np.uint64(0x3333333333333333)
_OCTETS, _UNITS = np.uint64(0x0F0F0F0F0F0F0F0F), np.uint64(0x0101010101010101)


@inlined
def ones(word: Word) -> Number:
    """Count the bits of a word that are 1: one instruction of most processors."""
    word -= word >> _ONE & _PAIRS
    word = (word & _QUADS) + (word >> _TWO & _QUADS)
    return np.int64((word + (word >> _FOUR) & _OCTETS) * _UNITS >> _TOP)


@inlined
def lowest(word: Word) -> Number:
    """Return the number of the lowest bit of a word that is not 0."""
    return ones(~word & (word - _ONE))


@_intrinsic
def add_bits(_typing: object, words: types.Array, _index: object, _bits: object) -> Generator:
    """``words[index] |= bits`` as one atomic instruction; return the word before."""

    def generate(context: BaseContext, builder: IRBuilder, signature: Signature, arguments: Sequence[Value]) -> Value:
        kind = signature.args[0]
        array = _array.make_array(kind)(context, builder, arguments[0])
        address = _code.get_item_pointer(context, builder, kind, array, [arguments[1]], wraparound=False)
        return builder.atomic_rmw("or", address, arguments[2], "monotonic")

    return types.uint64(words, types.int64, types.uint64), generate
