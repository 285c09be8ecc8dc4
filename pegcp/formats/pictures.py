"""Find pictures of a board in a text, and read the jumps that lead from one to the next."""

import re
from collections.abc import Collection, Iterator, Sequence
from functools import partial
from itertools import chain, combinations, pairwise, permutations, product

from pegcp.errors import InputError
from pegcp.formats.signs import RARE, USES
from pegcp.game import Board, Jump, Problem

_SIGNS = (re.compile(r"\S"), re.compile(r"\b[A-Za-z]([^A-Za-z\s])(?!\S)"))  # on holes; also behind a name of each
_MOST_SIGNS = 5


def read_pictures(
    problem: Problem, text: str, source: str, faults: list[tuple[int, InputError]]
) -> Iterator[tuple[list[Jump], str]]:
    """Yield the jumps between positions that are drawn one after the other, or that two signs in each of them mark; and
    which of both, in words.

    ``faults`` gets how many jumps there are before a position to which none leads, and an error about that.
    """
    board, words = problem.board, "the positions one after the other"
    for item in _SIGNS:
        rows = re.sub(r"\][\s,;]*\[", "\n", text).replace("-1", "#")  # lists in lists
        places_and_items = [*find_pictures(board, re.sub("[][(){}|,;\"'\ufe0f]", " ", rows), item)]
        pictures = [items for _, items in places_and_items]
        signs = {*chain(*pictures)}
        if len(pictures) < 2 or len(signs) > min(_MOST_SIGNS, len(pictures)):
            continue
        subsets = ({*some} for size in range(1, len(signs)) for some in combinations(sorted(signs), size))
        # As the signs are used by most; forwards, where they are not surely used otherwise.
        for pegs, order in sorted(product(subsets, (1, -1)), key=partial(_oddity, signs)):
            masks = [sum(1 << hole for hole, sign in enumerate(items) if sign in pegs) for items in pictures][::order]
            masks.insert(0, problem.start.mask)  # which may be left out
            steps = [
                next((j for j in board.jumps if j.mask == a ^ b and j.is_legal(a)), a == b) for a, b in pairwise(masks)
            ]
            if all(steps):
                yield (
                    [jump for jump in steps if isinstance(jump, Jump)],
                    words if order > 0 else f"{words}, the last first",
                )
                break  # backwards, with a peg for each vacancy, this would be a game, too
            if order > 0 and (first := steps.index(False)):
                fault = "no single jump leads from the position that is drawn before to this one"
                faults.append((first, InputError(fault, source=source, line=places_and_items[first][0][0] + 1)))
        ends = {(jump.from_, jump.to): jump for jump in board.jumps}
        for a, b in permutations([sign for sign in signs if all(items.count(sign) == 1 for items in pictures)], 2):
            jumps = [ends.get((items.index(a), items.index(b))) for items in pictures]
            if all(jumps):
                yield [jump for jump in jumps if jump], f"jumps from {a} to {b} in the positions"


def _oddity(signs: Collection[str], choice: tuple[Collection[str], int]) -> tuple[int, bool, int]:
    """Return how many signs are never used so, whether the positions go backwards, and how many signs seldom are."""
    pegs, order = choice
    uses = [(USES.get(sign, "pv"), RARE.get(sign, ""), "vp"[sign in pegs]) for sign in signs]
    never = sum(use not in usual + rare for usual, rare, use in uses)
    return never, order < 0, sum(use not in usual for usual, _, use in uses)


def find_pictures(board: Board, text: str, item: re.Pattern[str]) -> Iterator[tuple[range, list[str]]]:
    """Yield the lines of each picture of a board in a text, and the items on its holes.

    Its rows have an item for each hole, or for each place of a grid that may be wider than the board; several pictures
    may stand side by side, and each row behind its name.
    """
    cells = board.cells or ()
    rows = [[c for r, c in cells if r == row] for row in range(1 + max((r for r, _ in cells), default=-1))]
    wide = 1 + max((c for _, c in cells), default=0)
    lines = [(number, items) for number, line in enumerate(text.split("\n")) if (items := item.findall(line))]
    first = 0
    while first < len(lines):
        part = lines[first : first + len(rows)]
        block = [items for _, items in part]
        if len(block[0]) == len(cells):  # all in one row
            layout, height = [block[0]], 1
        else:
            behind_names = [items[1:][: len(row)] for row, items in zip(rows, block, strict=False)]
            has_names = len({items[0] for items in block}) == len(block)
            ways = (
                (block, [items[1:] for items in block], behind_names)[: 3 if has_names else 1]
                if len(block) == len(rows)
                else ()
            )
            layout = next((way for signs in ways for way in _lay(rows, wide, signs)), [])
            height = len(rows) if layout else 1
        yield from ((range(part[0][0], part[height - 1][0] + 1), items) for items in layout)
        first += height


def _lay(rows: Sequence[Sequence[int]], wide: int, drawn: Sequence[Sequence[str]]) -> Iterator[list[list[str]]]:
    """Yield the items on the holes of a board, by its columns in each row, of pictures that are drawn side by side."""
    times = len(drawn[0]) // len(rows[0])
    if times and all(len(items) == times * len(row) for row, items in zip(rows, drawn, strict=True)):
        parts = [
            [items[i * len(row) :][: len(row)] for row, items in zip(rows, drawn, strict=True)] for i in range(times)
        ]
        yield [[*chain(*part)] for part in parts]
    widths = {*map(len, drawn)}
    for left in range(max(widths) - wide + 1) if len(widths) == 1 else ():
        on_board = [items[left + c] for row, items in zip(rows, drawn, strict=True) for c in row]
        if len({*on_board}) < 6:
            beside = [
                sign
                for row, items in zip(rows, drawn, strict=True)
                for c, sign in enumerate(items)
                if c - left not in row
            ]
            if not {*on_board} & {*beside}:
                yield [on_board]
