"""A game as a file: a problem, a list of jumps, PDDL, a picture, an animation."""

from __future__ import annotations

import io
import zipfile
from dataclasses import replace

from pegcp.catalogue.exporting import export
from pegcp.errors import InputError
from pegcp.game.board import grouped
from pegcp.game.goal import Objective, Partial
from pegcp.game.svg import position_svg
from pegcp.game.written import written
from pegcp.play.request import Game
from pegcp.render.filmstrip import solution_svg
from pegcp.render.raster import gif

TYPES = {
    "toml": "application/toml",
    "txt": "text/plain",
    "pddl": "application/zip",
    "svg": "image/svg+xml",
    "gif": "image/gif",
}


def exported(game: Game, kind: str) -> bytes:
    """The file. ``toml`` and ``pddl`` are the problem from here; the others show the jumps. Raises InputError."""
    played = replace(game.problem, goal=Partial(0), objective=Objective.ANY)  # whether or not it is won
    match kind:
        case "toml":
            return game.from_here.text.encode()
        case "txt":
            board = game.problem.board
            return "".join(f"{written(board, move)}\n" for move in grouped(game.jumps)).encode()
        case "pddl":
            return _zipped(export(game.from_here, "pddl"))
        case "svg" if game.jumps:
            return solution_svg(played, game.jumps).encode()
        case "svg":
            return position_svg(game.problem.board, game.positions[-1]).encode()
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
