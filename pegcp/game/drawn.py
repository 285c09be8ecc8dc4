"""Pictures as files: SVG, or PNG by CairoSVG."""

from pathlib import Path

from pegcp.errors import Missing, need
from pegcp.game.svg import RESPONSIVE
from pegcp.writing import check_ending, write_file

ENDINGS = (".svg", ".png")


class Drawn:
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
    check_ending(path, ENDINGS)
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
