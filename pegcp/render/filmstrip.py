"""Pictures of solutions: a filmstrip in SVG."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from pegcp.errors import plural
from pegcp.game.board import Jump
from pegcp.game.jump_notation import write_move
from pegcp.game.problem import Problem
from pegcp.game.replay import check
from pegcp.game.svg import UNIT, WIDEST, document, extent, shapes

_LEAST_UNIT = 22.0  # pixels between neighbouring holes, so that the letters and numbers can be read
_LEAST_WIDTH = 140.0  # pixels of a picture


def solution_svg(problem: Problem, jumps: Sequence[Jump]) -> str:
    """Draw a solution: a picture for each move, with its jumps as arrows, and one of the last position.

    Raises InvalidSolution.
    """
    replay = check(problem, jumps)
    board = problem.board
    width, height = extent(board)
    gap = 0.7  # between pictures, in units
    width += gap
    columns = max(1, min(len(replay.moves) + 1, int(WIDEST / max(_LEAST_WIDTH, width * _LEAST_UNIT))))
    scale = min(UNIT, WIDEST / columns / width)
    caption = 16.0
    frames = []
    step = 0
    for number, move in enumerate([*replay.moves, ()]):
        path = write_move(board, move) if move else "end"
        x, y = number % columns * width * scale, number // columns * (height * scale + caption)
        text = f"{number + 1}. {path}" if move else path
        middle, size = (width - gap) * scale / 2, min(12.0, width * scale * 1.6 / len(text))
        frames += [
            f'<g transform="translate({x:.1f} {y:.1f})">',
            f'<text x="{middle:.1f}" y="{caption - 4:.1f}" text-anchor="middle" font-size="{size:.1f}" '
            f'fill="currentColor">{escape(text)}</text>',
            f'<g transform="translate(0 {caption:.0f})">',
            *shapes(board, replay.positions[step].mask, move, None, scale),
            "</g></g>",
        ]
        step += len(move)
    rows = -(-(len(replay.moves) + 1) // columns)
    return document(
        columns * width * scale,
        rows * (height * scale + caption),
        f"{problem.name}: {plural(len(jumps), 'jump')} in {plural(len(replay.moves), 'move')}",
        frames,
    )
