"""Convert a proof about clauses from bytes to numbers and back, in compiled code."""

import numpy as np
from numpy.typing import NDArray

from pegcp.states.kernels.compiled import Number, compiled, inlined

Bytes = NDArray[np.uint8]
Numbers = NDArray[np.int32]

ADD = 97  # the letter a
_LARGEST = 2**31 - 1
_BITS = 28  # of a number before its last byte


def literal_code(literal: int) -> int:
    """Encode a literal as proofs do: twice its variable, plus one if negated."""
    return 2 * abs(literal) + (literal < 0)


def numbers_of(data: Bytes, before: Numbers) -> Numbers:
    """Return the numbers ``before`` and those of a proof, up to the first that is malformed, and -1 for that one."""
    numbers = np.empty(len(before) + np.count_nonzero(data < 128) + 1, np.int32)
    numbers[: len(before)] = before
    return numbers[: _decoded(data, numbers, len(before))]


def bytes_of(numbers: Numbers) -> bytes:
    """Return the bytes of a proof."""
    data = np.empty(5 * len(numbers), np.uint8)
    return data[: _encoded(numbers, data)].tobytes()


@compiled
def _decoded(data: Bytes, numbers: Numbers, count: Number) -> Number:
    """Append the numbers of a proof to ``count`` others, up to the first that is malformed; return their new number."""
    value, shift = np.int64(0), 0
    for byte in data:
        value |= np.int64(byte & 127) << shift
        shift += 7
        if byte < 128 or shift > _BITS:
            # A last byte of 0 is written for the number 0 alone, which ends a list.
            bad = byte > 127 or value > _LARGEST or (byte == 0 and shift > 7)
            numbers[count] = -1 if bad else value
            count += 1
            if bad:
                break
            value, shift = np.int64(0), 0
    return count


@compiled
def _encoded(numbers: Numbers, data: Bytes) -> Number:
    """Write the bytes of a proof; return how many."""
    size = 0
    for number in numbers:
        value = number
        while value > 127:
            data[size] = value & 127 | 128
            value >>= 7
            size += 1
        data[size] = value
        size += 1
    return size


@inlined
def end_of(numbers: Numbers, at: Number) -> Number:
    """Return the index of the next 0; the length if there is none, or a malformed number before it."""
    while at < len(numbers) and numbers[at] > 0:
        at += 1
    return at if at < len(numbers) and numbers[at] == 0 else len(numbers)
