"""Positions as SVG, for notebooks and reports; the colours suit light and dark pages."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from math import hypot

from pegcp.game.board import Board, Jump

UNIT = 36.0  # pixels between neighbouring holes
WIDEST = 880.0  # pixels
PEG, VACANCY, EDGE, ARROW = "#3b7dd8", "#8888", "#8886", "#e0533d"
RADIUS = 0.36  # of a peg, in units
MARGIN = 0.6  # around a board, in units


def position_svg(board: Board, pegs: int, *, jumps: Sequence[Jump] = (), names: bool | None = None) -> str:
    """A position (a bit mask) as an SVG document; hovering over a hole shows its name.

    ``jumps`` are drawn as arrows; ``names`` writes the names into the holes (by default on graph boards).
    """
    width, height = extent(board)
    scale = min(UNIT, WIDEST / width)
    label = f"{board.name}: {counted(pegs.bit_count(), 'peg')}"
    return document(width * scale, height * scale, label, drawn(board, pegs, jumps, names, scale))


def counted(number: int, what: str) -> str:
    """A number with its noun, in the plural where it is not one."""
    return f"{number} {what}{'s' * (number != 1)}"


def extent(board: Board) -> tuple[float, float]:
    """Width and height of a board with its margin, in units."""
    return max(x for x, _ in board.places) + 2 * MARGIN, max(y for _, y in board.places) + 2 * MARGIN


def document(width: float, height: float, label: str, body: Iterable[str]) -> str:
    """A whole SVG document of some pixels, with a label for those who cannot see it."""
    label = escape(label, quote=True)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" height="{height:.0f}" '
        f'viewBox="0 0 {width:.1f} {height:.1f}" role="img" aria-label="{label}" '
        f'style="max-width:100%;height:auto" font-family="system-ui, sans-serif">\n' + "\n".join(body) + "\n</svg>\n"
    )


def drawn(board: Board, pegs: int, jumps: Sequence[Jump], names: bool | None, scale: float) -> list[str]:
    """The shapes of a board with its pegs; ``scale`` is pixels a unit."""
    names = board.lattice is None if names is None else names
    places = [((x + MARGIN) * scale, (y + MARGIN) * scale) for x, y in board.places]
    segments = sorted({tuple(sorted(two)) for a, over, b in board.lines for two in ((a, over), (over, b))})
    path = " ".join(
        f"M{places[a][0]:.1f} {places[a][1]:.1f}L{places[b][0]:.1f} {places[b][1]:.1f}" for a, b in segments
    )
    shapes = [f'<path d="{path}" stroke="{EDGE}" stroke-width="{0.05 * scale:.2f}" fill="none"/>'] if path else []
    for i, (hole, (x, y)) in enumerate(zip(board.holes, places, strict=True)):
        peg = pegs >> i & 1
        radius, fill = (RADIUS, PEG) if peg else (RADIUS * (0.9 if names else 0.45), VACANCY)
        shapes.append(
            f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius * scale:.1f}" fill="{fill}">'
            f"<title>{escape(hole)}: {'peg' if peg else 'vacancy'}</title></circle>"
        )
        if names:
            size = scale * min(0.38, 0.9 * RADIUS * 2 / len(hole))
            shapes.append(
                f'<text x="{x:.1f}" y="{y + size * 0.36:.1f}" text-anchor="middle" font-size="{size:.1f}" '
                f'fill="{"#fff" if peg else "currentColor"}" pointer-events="none">{escape(hole)}</text>'
            )
    shapes += [_arrow(places[jump.from_], places[jump.over], places[jump.to], scale) for jump in jumps]
    return shapes


def _arrow(start: tuple[float, float], over: tuple[float, float], end: tuple[float, float], scale: float) -> str:
    """An arrow along a jump, bent at the hole it jumps over where the board is not a lattice."""
    (x, y), (to_x, to_y) = over, end
    length = hypot(to_x - x, to_y - y) or 1.0
    dx, dy = (to_x - x) / length * scale, (to_y - y) / length * scale
    neck_x, neck_y = to_x - 0.35 * dx, to_y - 0.35 * dy
    corners = ((to_x, to_y), (neck_x - 0.2 * dy, neck_y + 0.2 * dx), (neck_x + 0.2 * dy, neck_y - 0.2 * dx))
    head = " ".join(f"{corner_x:.1f},{corner_y:.1f}" for corner_x, corner_y in corners)
    return (
        f'<g pointer-events="none"><path d="M{start[0]:.1f} {start[1]:.1f}L{x:.1f} {y:.1f}L{neck_x:.1f} {neck_y:.1f}" '
        f'stroke="{ARROW}" stroke-width="{0.15 * scale:.2f}" stroke-linejoin="round" fill="none"/>'
        f'<polygon points="{head}" fill="{ARROW}"/></g>'
    )
