"""All solutions of a problem, up to symmetry and the order of independent jumps: a file that is shown to be complete.

Run it with:  python examples/records/all_solutions.py make FOLDER FILE
              python examples/records/all_solutions.py check FOLDER FILE
              python examples/records/all_solutions.py list FOLDER FILE [NUMBER]     (all, or so many at random)

FOLDER is a certificate of the number of sequences, such as examples/proved/english-count. FILE, compressed by xz, has a
row for each solution: a byte for each jump, its number among the jumps of the board in the order of their holes. The
row is the least that the orders of the solution and of its images have, and the rows rise.

``make`` takes from pegcp's engine the positions that solutions pass. ``check`` does not: it replays each row, holds it
against its images, and counts its orders, by the sets of jumps that can be made first. Different rows stand for
different sequences, so if all are as many as ``pegcp check FOLDER`` shows that there are, no row is missing. One line
of JSON, with the SHA-256 of the rows; the number of sequences must be less than 2 ** 63.
"""

from __future__ import annotations

import hashlib
import json
import lzma
import random
from argparse import ArgumentParser
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import numpy as np
from words import Array, Word, compiled, enter, image_tables, in_words, least, slot, tell

import pegcp
from pegcp.errors import InputError
from pegcp.game import Jump, Problem
from pegcp.game.equivalence import symmetries_of_solutions
from pegcp.method import Limits, Run
from pegcp.search.count import solutions
from pegcp.states.winnable import winnable


class Rules(NamedTuple):
    """The jumps of a problem in the order of their holes."""

    flips: Array
    needs: Array
    apart: Array  # which two have no hole in common
    images: Array  # for each symmetry of the problem, to which each is carried


def jump_rules(problem: Problem) -> Rules:
    """Return the jumps of a problem."""
    jumps = sorted(problem.board.jumps)
    flips, needs = in_words(jumps)
    symmetries = symmetries_of_solutions(problem)
    images = [[jumps.index(Jump(*(p[hole] for hole in jump))) for jump in jumps] for p in symmetries]
    return Rules(flips, needs, flips[:, None] & flips == 0, np.array(images))


@compiled
def count_images(row: Array, rules: Rules) -> int:
    """Return how many images a solution has; 0 if one of its orders, or of an image's, is less than it."""
    order, same = np.empty_like(row), 0
    for image in rules.images:
        for n in range(row.size):
            jump = image[row[n]]
            place = at = n
            while at and rules.apart[jump, order[at - 1]]:
                at -= 1
                if order[at] > jump:
                    place = at
            order[place + 1 : n + 1] = order[place:n].copy()
            order[place] = jump
        differ = np.flatnonzero(order != row)
        if not differ.size:
            same += 1
        elif order[differ[0]] < row[differ[0]]:
            return 0
    return int(rules.images.shape[0] // same)


@compiled
def count_orders(row: Array, apart: Array) -> Word:
    """Return how many orders the jumps of a solution have: added up over the sets of jumps that can be its first."""
    none, one, before = np.uint64(0), np.uint64(1), np.zeros(row.size, np.uint64)
    for n in range(row.size):
        for m in range(n):
            before[n] |= np.uint64(not apart[row[n], row[m]]) << np.uint64(m)
    orders = {none: one}
    for _ in range(row.size):
        later = {none: none}
        for made, number in orders.items():
            for n in range(row.size):
                more = made | one << np.uint64(n)
                if more != made and not before[n] & ~made:
                    later[more] = later.get(more, none) + number
        del later[none]
        orders = later
    return orders[(one << np.uint64(row.size)) - one]


@compiled
def search(
    depth: int, position: Word, barred: Array, passed: Array, symmetries: Array, rules: Rules, rows: Array, number: int
) -> int:
    """Add the solutions that begin like the last of the rows to those before it; return how many there are then.

    A jump is barred if one before that is larger could come after it.
    """
    if depth == rows.shape[1]:
        found = count_images(rows[number], rules) > 0
        rows[number + found] = rows[number]
        return number + found
    for jump in np.flatnonzero(~barred & (position & rules.flips == rules.needs)):
        after = position ^ rules.flips[jump]
        if passed[slot(passed, least(after, symmetries))]:
            rows[number, depth] = jump
            later = barred & rules.apart[jump]
            later[:jump] = rules.apart[jump, :jump]
            number = search(depth + 1, after, later, passed, symmetries, rules, rows, number)
    return number


def make(problem: Problem) -> bytes:
    """Return the rows of all solutions of a problem."""
    run, rules = Run(Limits(time=3600, memory=8_000, workers=1)), jump_rules(problem)
    number, table = solutions(problem, run, "symmetry"), winnable(problem, run)
    symmetries = image_tables([*table.classes.symmetries])
    passed = np.zeros(1 << len(table).bit_length() + 1, np.uint64)
    for pegs in range(len(problem.start)):
        enter(np.array([least(np.uint64(mask), symmetries) for mask in table.level(pegs)], np.uint64), passed)
    rows = np.zeros((number + 1, *problem.lengths), np.uint8)
    barred = rules.images.min(0) < np.arange(len(rules.flips))  # an image of such a first jump is less
    assert search(0, np.uint64(problem.start.mask), barred, passed, symmetries, rules, rows, 0) == number
    return rows[:-1].tobytes()


def read_rows(problem: Problem, file: Path) -> Array:
    """Return the rows of a file. Raise InputError if it is not made of rows of numbers of jumps."""
    try:
        data = np.frombuffer(lzma.decompress(file.read_bytes()), np.uint8)
    except lzma.LZMAError as error:
        raise InputError(f"{file} is not all of a file that 'make' has written: {error}") from error
    (length,), jumps = problem.lengths, len(problem.board.jumps)
    if not data.size or data.size % length:
        raise InputError(f"{file} holds {data.size:,} bytes, which are no rows of {length} jumps: 'make' it again")
    if data.max() >= jumps:
        place = np.argmax(data >= jumps)
        raise InputError(f"row {place // length + 1} of {file} has jump {data[place]}; the last one is {jumps - 1}")
    return data.reshape(-1, length)


def check(problem: Problem, number: int, rows: Array) -> dict[str, object]:
    """Return what there is to say of the rows of a file. Raise SystemExit if one is wrong or missing."""
    rules = jump_rules(problem)
    positions, legal = np.full(len(rows), problem.start.mask, np.uint64), (rows < len(rules.flips)).all(1)
    for jumps in rows.T:
        legal &= positions & rules.flips[jumps] == rules.needs[jumps]
        positions ^= rules.flips[jumps]
    legal &= [problem.is_goal(position) for position in positions.tolist()]
    rising = [True, *(before < after for before, after in pairwise(map(bytes, rows)))]
    images, orders = np.array([(count_images(row, rules), count_orders(row, rules.apart)) for row in rows], np.uint64).T
    faults = {"is no solution": legal, "is not after the row before it": rising}
    for fault, holds in (faults | {"is not the least of its orders and images": images}).items():
        if not np.all(holds):
            raise SystemExit(f"row {np.argmin(holds) + 1} {fault}")
    sequences, digest = int(images @ orders), hashlib.sha256(rows.tobytes()).hexdigest()
    if sequences != number:
        raise SystemExit(f"the rows stand for {sequences:,} of {number:,} sequences")
    return {"up to order": int(images.sum()), "up to symmetry": len(rows), "sequences": sequences, "sha256": digest}


def run(command: str, folder: Path, file: Path, number: int | None) -> None:
    """Make, check or list a file. Raise InputError or OSError if something given is not what it should be."""
    problem = pegcp.problem(str(folder / "problem.toml"))
    claim = json.loads((folder / "claim.json").read_text())["claim"]
    if "number" not in claim or len(problem.lengths) > 1:
        raise InputError(f"{folder} does not show how many solutions of a number of jumps there are")
    if number is not None and number < 0:
        raise InputError(f"{number} solutions cannot be listed; the number is 0 or more")
    if command == "make":
        file.write_bytes(lzma.compress(make(problem)))
        return
    rows = read_rows(problem, file)
    if command == "check":
        tell({"number": folder.name, **check(problem, claim["number"], rows)})
        return
    jumps = [
        f"{a}-{c}" for a, _, c in (map(problem.board.holes.__getitem__, jump) for jump in sorted(problem.board.jumps))
    ]
    for row in rows if number is None else random.sample(list(rows), min(number, len(rows))):
        print(*(jumps[jump] for jump in row))


def main() -> None:
    """Do what the command line says; one line and exit status 2 for what cannot be read."""
    parser = ArgumentParser(description="All solutions of a problem: a file that is shown to be complete.")
    parser.add_argument("command", choices=("make", "check", "list"))
    parser.add_argument("folder", type=Path, help="certificate of the number of sequences")
    parser.add_argument("file", type=Path)
    parser.add_argument("number", type=int, nargs="?", help="so many at random")
    try:
        run(**vars(parser.parse_args()))
    except (InputError, OSError) as error:
        parser.exit(2, f"all_solutions.py: {error}\n")


if __name__ == "__main__":
    main()
