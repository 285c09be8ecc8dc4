"""Pictures as pixels: PNG, and GIF that moves; each with an extra."""

from __future__ import annotations

from collections.abc import Sequence
from io import BytesIO

from pegcp.errors import need
from pegcp.game.board import Jump
from pegcp.game.position import Position
from pegcp.game.svg import position_svg

_FRAME = 700  # milliseconds


def check_parts(ending: str) -> None:
    """Check that the converter to ``.png`` or ``.gif`` is installed. Raises Missing."""
    if ending == ".gif":
        need("an animation", "pegcp[gif]", "PIL", "resvg_py")
    else:
        need("a PNG", "pegcp[png]", "resvg_py")


def png(svg: str) -> bytes:
    """An SVG as a PNG image, on white, at twice its size. Raises Missing if the converter is not installed."""
    check_parts(".png")
    from resvg_py import svg_to_bytes

    return bytes(svg_to_bytes(svg_string=svg, background="white", zoom=2))


def gif(start: Position, jumps: Sequence[Jump]) -> bytes:
    """The positions from a start, each jump shown before it is made. Raises Missing, InputError."""
    check_parts(".gif")
    from PIL import Image

    frames, position = [], start
    for jump in [*jumps, None]:
        svg = position_svg(position.board, position.mask, jumps=[jump] if jump else [])
        frames.append(Image.open(BytesIO(png(svg))).convert("P", palette=Image.Palette.ADAPTIVE))
        position = position.after(jump) if jump else position
    out = BytesIO()
    times = [_FRAME] * (len(frames) - 1) + [4 * _FRAME]
    frames[0].save(out, "GIF", save_all=True, append_images=frames[1:], duration=times, loop=0)
    return out.getvalue()
