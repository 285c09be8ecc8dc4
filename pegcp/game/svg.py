"""Pictures as SVG of positions and solutions, which may move, for notebooks, reports and files.

A picture has its own light ground, so it looks the same on light and dark pages; its colours are those that the pages
(``render/pages/style.css``) have in the light.
"""

from collections.abc import Iterable, Iterator, Sequence
from html import escape
from math import ceil, hypot
from pathlib import Path
from typing import NamedTuple

from pegcp.errors import Missing, need, plural
from pegcp.game.lattice import Point, Shape, column_heads, column_letters
from pegcp.habits import Guided
from pegcp.writing import check_ending, write_file

UNIT = 36.0  # pixels between neighbouring holes
WIDEST = 880.0  # pixels
GROUND, INK, PEG, VACANCY, ARROW, RIM = "#efe6d6", "#1d2125", "#1f4e8c", "#b5a588", "#b34700", "#fff"
RESPONSIVE = 'style="max-width:100%;height:auto"'  # of a picture inside a page
RADIUS = 0.36  # of a peg, in units
MARGIN = 0.6  # around a board, in units
_COORDINATE_DISTANCE = 0.85  # from a hole to the letter or number beside it, in units
_LABEL_HOLES = 12  # holes that a label names
_LEAST_UNIT = 22.0  # pixels between neighbouring holes in a strip, so that the letters and numbers can be read
_LEAST_WIDTH = 140.0  # pixels of a picture in a strip
_GAP = 0.7  # between pictures, in units
_CAPTION = 20.0  # pixels of a line above a picture
_JUMP_SECONDS = 0.5
_REST_SECONDS = 0.3  # between two jumps
_END_SECONDS = 2.0  # at the start, and at the end before it begins again
PICTURE_ENDINGS = (".svg", ".png")  # of files

Triple = tuple[int, int, int]


class Frame(NamedTuple):
    """A picture of a strip.

    ``pegs``: a bit mask. ``jumps`` (from, over, to) are drawn as arrows. ``labels`` are written into the holes, by
    default the names on graph boards.
    """

    pegs: int
    caption: str = ""
    jumps: Sequence[Triple] = ()
    labels: Sequence[str] | None = None


def position_svg(board: Shape, pegs: int, *, jumps: Sequence[Triple] = (), labels: Sequence[str] | None = None) -> str:
    """Return a position (a bit mask) as an SVG document, see :class:`Frame`; hovering over a hole shows its name.

    Lattice boards have the letters of the columns and the numbers of the rows beside them.
    """
    width, height = extent(board)
    scale = min(UNIT, WIDEST / width)
    picture = shapes(board, Frame(pegs, jumps=jumps, labels=labels), scale)
    return svg_document(width * scale, height * scale, _describe(board, pegs), picture)


def strip_svg(board: Shape, frames: Sequence[Frame], label: str) -> str:
    """Pictures of a board in rows, as one SVG document; ``label`` is read by screen readers."""
    width, height = extent(board)
    width += _GAP
    columns = max(1, min(len(frames), int(WIDEST / max(_LEAST_WIDTH, width * _LEAST_UNIT))))
    scale = min(UNIT, WIDEST / columns / width)
    top = _CAPTION * any(frame.caption for frame in frames)
    elements = []
    for number, frame in enumerate(frames):
        x, y = number % columns * width * scale, number // columns * (height * scale + top)
        size = min(12.0, width * scale * 1.6 / max(1, len(frame.caption)))
        caption = (
            f'<text x="{(width - _GAP) * scale / 2:.1f}" y="-6" text-anchor="middle" font-size="{size:.1f}" '
            f'fill="{INK}">{escape(frame.caption)}</text>'
        )
        picture = [*shapes(board, frame, scale), caption if frame.caption else ""]
        elements += [f'<g transform="translate({x:.1f} {y + top:.1f})">', *picture, "</g>"]
    return svg_document(
        (columns * width - _GAP) * scale, ceil(len(frames) / columns) * (height * scale + top), label, elements
    )


def _describe(board: Shape, pegs: int) -> str:
    """Return a position in words, for screen readers."""
    filled, vacant = ([hole for i, hole in enumerate(board.holes) if pegs >> i & 1 == peg] for peg in (1, 0))
    text = f"{board.name}: {plural(len(filled), 'peg')}"
    if filled and len(filled) <= min(_LABEL_HOLES, len(vacant)):
        return f"{text} at {' '.join(filled)}"
    return f"{text}, vacant at {' '.join(vacant)}" if 0 < len(vacant) <= _LABEL_HOLES else text


def extent(board: Shape) -> tuple[float, float]:
    """Width and height of a board with its margin, in units."""
    margin = _margin(board)
    return max(x for x, _ in board.places) + margin + MARGIN, max(y for _, y in board.places) + margin + MARGIN


def _margin(board: Shape) -> float:
    """Return the margin on the left and above, in units: wider where letters and numbers go."""
    return MARGIN if board.lattice is None else MARGIN + _COORDINATE_DISTANCE * 0.75


def svg_document(width: float, height: float, label: str, body: Iterable[str]) -> str:
    """Return an SVG document of that size in pixels; ``label`` is read by screen readers."""
    ground = f'<rect width="{width:.1f}" height="{height:.1f}" rx="8" fill="{GROUND}"/>'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" height="{height:.0f}" '
        f'viewBox="0 0 {width:.1f} {height:.1f}" role="img" aria-label="{escape(label)}" '
        f'{RESPONSIVE} font-family="system-ui, sans-serif">\n' + "\n".join(filter(None, (ground, *body))) + "\n</svg>\n"
    )


def hole_points(board: Shape, scale: float) -> list[Point]:
    """Return the middle of each hole in a picture, in pixels."""
    margin = _margin(board)
    return [((x + margin) * scale, (y + margin) * scale) for x, y in board.places]


def shapes(board: Shape, frame: Frame, scale: float) -> list[str]:
    """Return the SVG elements of a board with its pegs; ``scale`` is pixels a unit."""
    labels = board.holes if frame.labels is None and board.lattice is None else frame.labels
    margin, places = _margin(board), hole_points(board, scale)
    path = " ".join(
        f"M{places[a][0]:.1f} {places[a][1]:.1f}L{places[b][0]:.1f} {places[b][1]:.1f}" for a, b in board.edges
    )
    lines = [f'<path d="{path}" stroke="{VACANCY}" stroke-width="{0.05 * scale:.2f}" fill="none"/>'] if path else []
    elements = [
        f'<text class="coordinate" x="{(x + margin) * scale:.1f}" y="{(y + margin + 0.11) * scale:.1f}" '
        f'text-anchor="middle" font-size="{0.32 * scale:.1f}" fill="{INK}" opacity="0.7">{text}</text>'
        for x, y, text in coordinate_signs(board)
    ]
    for i, (hole, (x, y)) in enumerate(zip(board.holes, places, strict=True)):
        peg = frame.pegs >> i & 1
        radius, fill = (RADIUS, PEG) if peg else (RADIUS * (0.9 if labels else 0.45), VACANCY)
        elements.append(
            f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius * scale:.1f}" fill="{fill}">'
            f"<title>{escape(hole)}: {'peg' if peg else 'vacancy'}</title></circle>"
        )
        if labels and labels[i]:
            size = scale * min(0.38, 0.9 * RADIUS * 2 / len(labels[i]))
            elements.append(
                f'<text x="{x:.1f}" y="{y + size * 0.36:.1f}" text-anchor="middle" font-size="{size:.1f}" '
                f'fill="{RIM if peg else INK}" pointer-events="none">{escape(labels[i])}</text>'
            )
    arrows = [
        _arrow(places[start], places[over], places[end], scale, RADIUS if labels else 0.0)
        for start, over, end in frame.jumps
    ]
    return [*lines, *arrows, *elements] if labels else [*lines, *elements, *arrows]  # arrows leave names readable


def coordinate_signs(board: Shape) -> Iterator[tuple[float, float, str]]:
    """Yield the letters of the columns and the numbers of the rows, each with its point (x, y), in the units of
    ``places``.

    There are none on graph boards.
    """
    if board.lattice is None or board.cells is None:
        return
    place = board.lattice.place
    shift = board.places[0][0] - place(*board.cells[0])[0]
    for row, column in column_heads(board.cells, board.lattice):
        (x, y), (below_x, below_y) = place(row, column), place(row + 1, column)
        down = 1 - _COORDINATE_DISTANCE
        yield shift + x + (below_x - x) * down, y + (below_y - y) * down, column_letters(column)
    for row in sorted({row for row, _ in board.cells}):
        x, y = place(row, min(c for r, c in board.cells if r == row) if board.lattice.staggered else 0)
        yield shift + x - _COORDINATE_DISTANCE, y, str(row + 1)


def _arrow(start: Point, over: Point, end: Point, scale: float, gap: float) -> str:
    """Return an arrow along a jump, bent at the hole it jumps over where the board is not a lattice; it ends some units
    (a gap) before the middle of the last hole."""
    (x, y), (end_x, end_y) = over, end
    length = hypot(end_x - x, end_y - y) or 1.0
    dx, dy = (end_x - x) / length * scale, (end_y - y) / length * scale
    to_x, to_y = end_x - gap * dx, end_y - gap * dy
    neck_x, neck_y = to_x - 0.35 * dx, to_y - 0.35 * dy
    corners = ((to_x, to_y), (neck_x - 0.2 * dy, neck_y + 0.2 * dx), (neck_x + 0.2 * dy, neck_y - 0.2 * dx))
    head = " ".join(f"{corner_x:.1f},{corner_y:.1f}" for corner_x, corner_y in corners)
    line = f'd="M{start[0]:.1f} {start[1]:.1f}L{x:.1f} {y:.1f}L{neck_x:.1f} {neck_y:.1f}" fill="none"'
    rim = f'stroke="{RIM}" stroke-width'  # sets the arrow off from the pegs where both are the same grey
    return (
        f'<g pointer-events="none"><path {line} stroke-linejoin="round" {rim}="{0.25 * scale:.2f}"/>'
        f'<polyline points="{head} {head}" fill="{RIM}" {rim}="{0.1 * scale:.2f}"/>'
        f'<polygon points="{head}" fill="{ARROW}"/>'
        f'<path {line} stroke="{ARROW}" stroke-linejoin="round" stroke-width="{0.15 * scale:.2f}"/></g>'
    )


def animation_svg(board: Shape, pegs: int, jumps: Sequence[Triple], label: str) -> str:
    """Return a solution (jumps from a position, a bit mask) as an SVG document that plays it again and again."""
    width, height = extent(board)
    scale = min(UNIT, WIDEST / width)
    points = hole_points(board, scale)
    duration = 2 * _END_SECONDS + len(jumps) * (_JUMP_SECONDS + _REST_SECONDS)
    tracks = {hole: [(0.0, points[hole])] for hole in range(len(points)) if pegs >> hole & 1}  # of the peg in a hole
    circles = []
    for number, (start, over, end) in enumerate(jumps):
        time = _END_SECONDS + number * (_JUMP_SECONDS + _REST_SECONDS)
        way = zip((0.0, 0.5, 1.0), (points[start], points[over], points[end]), strict=True)
        tracks[end] = [*tracks.pop(start), *((time + part * _JUMP_SECONDS, point) for part, point in way)]
        circles.append(_circle(tracks.pop(over), time + _JUMP_SECONDS / 2, duration, scale))
    circles += [_circle(track, duration, duration, scale) for track in tracks.values()]
    return svg_document(width * scale, height * scale, label, [*shapes(board, Frame(0), scale), *circles])


def _circle(track: list[tuple[float, Point]], until: float, duration: float, scale: float) -> str:
    """Return a peg that goes along a track, points with their times, and is captured at a time."""
    (_, (x, y)), *moves = track
    times = ";".join(f"{time / duration:.4f}" for time, _ in [*track, (duration, ())])
    clock = f'dur="{duration:.1f}s" repeatCount="indefinite"'
    parts = [
        f'<animate attributeName="{name}" {clock} keyTimes="{times}" values="{";".join(values)}"/>'
        for name, axis in (("cx", 0), ("cy", 1))
        for values in [[f"{point[axis]:.1f}" for _, point in [*track, track[-1]]]]
        if moves
    ]
    if until < duration:
        parts.append(
            f'<animate attributeName="opacity" {clock} keyTimes="0;{until / duration:.4f}" values="1;0" '
            'calcMode="discrete"/>'
        )
    return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{RADIUS * scale:.1f}" fill="{PEG}">{"".join(parts)}</circle>'


class Drawn(Guided):
    """A thing with a picture, which notebooks show."""

    def _repr_svg_(self) -> str:
        raise NotImplementedError

    def save(self, path: str | Path) -> None:
        """Write the picture to a file: .svg, or .png, which needs CairoSVG.

        Raises InputError for another ending, and if the file cannot be written; Missing without CairoSVG.
        """
        check_picture(Path(path))
        write_file(Path(path), picture_file(Path(path), self._repr_svg_()))


def check_picture(path: Path) -> None:
    """Check the ending of a picture's file. Raises InputError, or Missing for .png without CairoSVG."""
    check_ending(path, PICTURE_ENDINGS)
    if path.suffix.lower() == ".png":
        need("a picture as PNG", "pegcp[pictures]", "cairosvg")


def picture_file(path: Path, svg: str) -> bytes:
    """Return the content of a picture's file. Raises Missing where CairoSVG finds no Cairo."""
    if path.suffix.lower() != ".png":
        return svg.encode()
    try:
        from cairosvg import svg2png
    except OSError:
        raise Missing("a picture as PNG needs the library Cairo: install your system's package of it") from None
    return bytes(svg2png(bytestring=svg.replace(RESPONSIVE, "").encode(), scale=2) or b"")
