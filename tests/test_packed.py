"""Packed levels: what was packed comes back, nothing else does, and nothing is unpacked that has no room."""

from __future__ import annotations

import random
from contextlib import suppress

import numpy as np
import pytest
import zstandard

import pegcp
from pegcp.method import Run
from pegcp.states.kernels.marks import Array
from pegcp.states.levels import Levels
from pegcp.states.packed import Packing
from pegcp.theory.parity import position_class

TOO_LARGE = "\n".join(["XXXXXXXXXXX"] * 4 + ["XXXXXoXXXXX"])  # 55 holes have no ranks
MANY_CLASSES = "XXoXX\n" * 1 + "\n".join("X . " * 9 for _ in range(4))  # no jump touches most of the holes


def packed(name: str, jumps: int) -> tuple[Packing, Array]:
    """How a level is packed, and the level."""
    problem = pegcp.problem(name)
    levels = Levels(problem, Run())
    found = levels.level([problem.start.mask])
    for _ in range(jumps):
        found = levels.after(found)
    return Packing(levels.words.sets, problem.start.mask, len(problem.start) - jumps), levels.array(found)


@pytest.mark.parametrize("name", ["english", "triangle15:a1->?", "french:d4", "square6:a1", TOO_LARGE, MANY_CLASSES])
def test_a_level_comes_back(name: str) -> None:
    for jumps in (0, 1, 5):
        packing, level = packed(name, jumps)
        for fast in (True, False):
            assert packing.unpack(packing.pack(level, fast), len(level)).tolist() == level.tolist()
            assert packing.unpack(packing.pack(level[:0], fast), 0).tolist() == []


def test_gaps_of_all_sizes_come_back() -> None:
    packing, level = packed(TOO_LARGE, 0)
    start = int(level[0])
    others = {(start | 1 << 49) ^ 1 << at for at in range(49)}  # other vacancies
    every = level[:0].__class__(len(others), level.dtype)
    every[:] = sorted(others)
    assert packing.unpack(packing.pack(every), len(every)).tolist() == sorted(others)


def test_gaps_about_as_large_as_a_byte_come_back() -> None:
    packing, _ = packed("english", 5)
    assert packing.ranks is not None
    level = packing.ranks.positions(np.cumsum([3, 254, 255, 256, 1]), packing.member, packing.pegs)
    assert packing.unpack(packing.pack(level), len(level)).tolist() == level.tolist()


def test_no_position_is_there_twice() -> None:
    packing, _ = packed("english", 5)
    with pytest.raises(ValueError, match="not rising"):
        packing.unpack(zstandard.compress(bytes([3, 0])), 2)


def test_there_is_no_rank_after_the_last() -> None:
    packing, _ = packed("english", 5)
    assert packing.ranks is not None
    last = packing.ranks.row(packing.member, packing.pegs)[0][-1:] - 1
    assert len(packing.ranks.positions(last, packing.member, packing.pegs)) == 1
    with pytest.raises(ValueError, match="no rank"):
        packing.ranks.positions(last + 1, packing.member, packing.pegs)


def test_no_peg_is_off_the_board() -> None:
    packing, level = packed(TOO_LARGE, 0)
    for outside in (int(level[0]) ^ 1, int(level[0]) ^ 1 ^ 1 << 60):  # a peg less; it has gone elsewhere
        with pytest.raises(ValueError, match="other positions"):
            packing.unpack(zstandard.compress(bytes([255]) + outside.to_bytes(8, "little")), 1)


@pytest.mark.parametrize("name", ["english", TOO_LARGE])
def test_nothing_but_positions_of_the_class_is_unpacked(name: str) -> None:
    packing, level = packed(name, 5)
    text = zstandard.decompress(packing.pack(level))
    chance, read = random.Random(1), 0
    for _ in range(300):
        damaged = bytearray(text)
        for _ in range(chance.randint(1, 3)):
            damaged[chance.randrange(len(text))] = chance.randrange(256)
        with suppress(ValueError):
            found = packing.unpack(zstandard.compress(bytes(damaged[: chance.choice([len(text), -1])])), len(level))
            assert (found[1:] > found[:-1]).all()
            assert {mask.bit_count() for mask in found.tolist()} == {packing.pegs}
            if packing.ranks:
                classes = {position_class(packing.board, mask) for mask in found.tolist()}
                assert classes == {position_class(packing.board, packing.member)}
            read += 1
    assert read or not packing.ranks


@pytest.mark.parametrize("text", [b"", b"x", zstandard.compress(b""), zstandard.compress(bytes(10**8))])
def test_what_is_no_level_is_refused(text: bytes) -> None:
    packing, _ = packed("english", 0)
    with pytest.raises(ValueError):  # noqa: PT011
        packing.unpack(text, 1)
    with pytest.raises(ValueError):  # noqa: PT011
        packing.unpack(text[:-1], 10**8)
