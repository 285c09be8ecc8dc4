"""A graph board in characters: its holes where they lie, and dots along its edges."""

from __future__ import annotations

from collections.abc import Sequence
from textwrap import fill

_WIDEST = 100  # characters
_MOST = 60  # holes; more are listed
_DOT = "."

Line = tuple[int, int, int]


def sketch(places: Sequence[tuple[float, float]], lines: Sequence[Line], tokens: Sequence[str]) -> str:
    """The tokens of the holes in their places; on boards too large for that, one token after the other."""
    longest = max(map(len, tokens))
    width = max(x for x, _ in places)
    across = max(longest + 2, 5)  # characters a unit; lines are about twice as high as characters are wide
    columns = round(width * across) + longest
    if len(tokens) > _MOST or columns > _WIDEST:
        return fill(" ".join(tokens), _WIDEST, break_long_words=False, break_on_hyphens=False)
    down = across / 2
    spots = [(round(x * across), round(y * down)) for x, y in places]
    rows = [[" "] * columns for _ in range(max(row for _, row in spots) + 1)]
    for a, b in sorted({(min(two), max(two)) for one, over, other in lines for two in ((one, over), (over, other))}):
        (x, y), (u, v) = ((spot[0] + len(tokens[hole]) // 2, spot[1]) for hole, spot in ((a, spots[a]), (b, spots[b])))
        steps = max(abs(u - x) // 2, abs(v - y), 1)
        for step in range(steps + 1):
            rows[round(y + (v - y) * step / steps)][round(x + (u - x) * step / steps)] = _DOT
    for (column, row), token in zip(spots, tokens, strict=True):
        for at in range(column - 1, column + len(token) + 1):
            if 0 <= at < columns:
                rows[row][at] = " "
    for (column, row), token in zip(spots, tokens, strict=True):
        rows[row][column : column + len(token)] = token
    return "\n".join("".join(row).rstrip() for row in rows)
