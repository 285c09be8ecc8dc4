"""A solution as a picture that moves: SVG with its own clock, which runs wherever pictures are shown."""

from collections.abc import Sequence

from pegcp.game.layout import Point, Shape
from pegcp.game.svg import PEG, RADIUS, UNIT, WIDEST, Frame, Triple, document, extent, hole_points, shapes

_JUMP_SECONDS = 0.5
_REST_SECONDS = 0.3  # between two jumps
_END_SECONDS = 2.0  # at the start, and at the end before it begins again


def animation_svg(board: Shape, pegs: int, jumps: Sequence[Triple], label: str) -> str:
    """A solution (jumps from a position, a bit mask) as an SVG document that plays it again and again."""
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
    return document(width * scale, height * scale, label, [*shapes(board, Frame(0), scale), *circles])


def _circle(track: list[tuple[float, Point]], until: float, duration: float, scale: float) -> str:
    """A peg that goes along a track, points with their times, and is captured at a time."""
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
        ends = f'keyTimes="0;{until / duration:.4f}" values="1;0" calcMode="discrete"'
        parts.append(f'<animate attributeName="opacity" {clock} {ends}/>')
    return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{RADIUS * scale:.1f}" fill="{PEG}">{"".join(parts)}</circle>'
