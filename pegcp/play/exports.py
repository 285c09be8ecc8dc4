"""A game as a file that the page cannot write itself: PDDL, an animation."""

from __future__ import annotations

import io
import zipfile

from pegcp.catalogue.exporting import export
from pegcp.errors import InputError
from pegcp.play.request import Game
from pegcp.render.raster import gif

TYPES = {"pddl": "application/zip", "gif": "image/gif"}


def exported(game: Game, kind: str) -> bytes:
    """The file: ``pddl`` is the problem from here, ``gif`` shows the jumps. Raises InputError."""
    match kind:
        case "pddl":
            return _zipped(export(game.from_here, "pddl"))
        case "gif":
            return gif(game.problem.start, game.jumps)
        case _:
            raise InputError(f'a game is written as {", ".join(TYPES)}, not as "{kind[:20]}"')


def _zipped(files: dict[str, str]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    return out.getvalue()
