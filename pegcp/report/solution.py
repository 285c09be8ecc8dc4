"""One result in a file: as a picture, a page, data, or moves that ``pegcp check`` reads."""

from __future__ import annotations

import json
from collections.abc import Iterator
from html import escape
from io import BytesIO
from pathlib import Path

from pegcp.errors import InputError, Missing
from pegcp.game.svg import position_svg
from pegcp.report.plots import png
from pegcp.result import Result

FORMATS = (".svg", ".gif", ".html", ".json", ".txt")
_FRAME = 700  # milliseconds


def check_format(path: Path) -> None:
    """See that a file ends in one of :data:`FORMATS`, and that what it needs is there. Raises InputError, Missing."""
    if path.suffix.lower() not in FORMATS:
        raise InputError(f'a solution is written as {", ".join(FORMATS)}, not "{path.suffix}"', source=str(path))
    if path.suffix.lower() == ".gif":
        try:
            import PIL.Image  # noqa: F401
            import resvg_py  # noqa: F401
        except ImportError:
            raise Missing('an animation needs an extra; install it with: pip install "pegcp[gif]"') from None


def solution_file(path: Path, result: Result) -> bytes:
    """What goes into the file. Raises InputError for a result without a solution or a picture of its proof."""
    match path.suffix.lower():
        case ".json":
            return (json.dumps(result.to_json(), ensure_ascii=False) + "\n").encode()
        case ".html":
            return _page(result).encode()
        case ".txt":
            return "".join(f"{line}\n" for line in _commented(result)).encode()
        case ".svg":
            picture = result._repr_svg_()
            if picture is None:
                raise InputError(f"there is nothing to draw: {result.verdict}", source=str(path))
            return picture.encode()
        case _:
            if result.jumps is None:
                raise InputError(f"there is no solution to play: {result.verdict}", source=str(path))
            return animation(result)


def _commented(result: Result) -> Iterator[str]:
    """One move a line, and everything else as comments."""
    text = str(result).split("\n")
    yield f"# {text[0]}"
    yield from result.solution or [f"# {line}".rstrip() for line in text[1:]]


def _page(result: Result) -> str:
    title = escape(f"{result.problem.name} by {result.method}")
    return (
        f'<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta name="viewport" content="width=device-width, initial-scale=1">\n<title>{title}</title>\n'
        "<style>:root { color-scheme: light dark; font-family: system-ui, sans-serif }\n"
        "body { max-width: 60rem; margin: 1rem auto; padding: 0 1rem } pre { overflow-x: auto }</style>\n</head>\n"
        f"<body>\n<h1>{title}</h1>\n{result._repr_html_()}\n<pre>{escape(str(result))}</pre>\n</body>\n</html>\n"
    )


def animation(result: Result) -> bytes:
    """The positions one after the other, each jump shown before it is made."""
    from PIL import Image

    frames = []
    positions = result.positions()
    for position, jump in zip(positions, [*(result.jumps or ()), None], strict=True):
        svg = position_svg(position.board, position.mask, jumps=[jump] if jump else [])
        frames.append(Image.open(BytesIO(png(svg))).convert("P", palette=Image.Palette.ADAPTIVE))
    out = BytesIO()
    times = [_FRAME] * (len(frames) - 1) + [4 * _FRAME]
    frames[0].save(out, "GIF", save_all=True, append_images=frames[1:], duration=times, loop=0)
    return out.getvalue()
