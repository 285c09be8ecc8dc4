"""Solutions as an SVG that plays by itself, over and over, without a script: for pages and slides."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pegcp.errors import plural
from pegcp.game.board import Jump
from pegcp.game.check import check
from pegcp.game.problem import Problem
from pegcp.game.svg import PEG, RADIUS, UNIT, WIDEST, centres, document, drawn, extent

_JUMP = 0.9  # seconds
_FLIGHT = 0.5  # the part of it that the peg is in the air, in its middle
_END = 3.0  # seconds at the last position


def animated_svg(problem: Problem, jumps: Sequence[Jump]) -> str:
    """A solution as an animation: each peg flies over the one that it takes. Raises InvalidSolution if it is not one.

    Where animations are not shown, it is a picture of the start.
    """
    check(problem, jumps)
    board = problem.board
    width, height = extent(board)
    scale = min(UNIT, WIDEST / width)
    seconds = len(jumps) * _JUMP + _END
    label = f"{problem.name}: {plural(len(jumps), 'jump')}, played one after the other"
    shapes = drawn(board, 0, (), None, scale)
    shapes += _pegs(problem, jumps, scale, seconds)
    shapes += _flights(centres(board, scale), jumps, scale, seconds)
    return document(width * scale, height * scale, label, shapes)


def _pegs(problem: Problem, jumps: Sequence[Jump], scale: float, seconds: float) -> Iterator[str]:
    """A peg for each hole that ever holds one, visible while it does."""
    events: dict[int, list[tuple[float, int]]] = {}
    for hole in range(len(problem.board.holes)):
        if problem.start.mask >> hole & 1:
            events[hole] = [(0.0, 1)]
    for number, jump in enumerate(jumps):
        leaves, lands = _times(number)
        for hole, at, there in ((jump.from_, leaves, 0), (jump.over, lands, 0), (jump.to, lands, 1)):
            events.setdefault(hole, [(0.0, 0)]).append((at, there))
    for hole, (x, y) in enumerate(centres(problem.board, scale)):
        if hole in events:
            first = events[hole][0][1]
            yield (
                f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{RADIUS * scale:.1f}" fill="{PEG}" opacity="{first}">'
                f"{_animate('opacity', events[hole], seconds, 'discrete')}</circle>"
            )


def _flights(
    places: Sequence[tuple[float, float]], jumps: Sequence[Jump], scale: float, seconds: float
) -> Iterator[str]:
    """The peg in flight, drawn larger than pegs at rest."""
    if not jumps:
        return
    seen = [(0.0, "0")]
    across: list[tuple[float, str]] = []
    down: list[tuple[float, str]] = []
    for number, jump in enumerate(jumps):
        leaves, lands = _times(number)
        seen += [(leaves, "1"), (lands, "0")]
        for at, hole in ((leaves, jump.from_), ((leaves + lands) / 2, jump.over), (lands, jump.to)):
            across.append((at, f"{places[hole][0]:.1f}"))
            down.append((at, f"{places[hole][1]:.1f}"))
    for track in (across, down):
        track.insert(0, (0.0, track[0][1]))
    yield (
        f'<circle cx="{across[0][1]}" cy="{down[0][1]}" r="{RADIUS * 1.2 * scale:.1f}" fill="{PEG}" stroke="#fff" '
        f'stroke-width="{0.08 * scale:.1f}" opacity="0">'
        f"{_animate('opacity', seen, seconds, 'discrete')}{_animate('cx', across, seconds, 'linear')}"
        f"{_animate('cy', down, seconds, 'linear')}</circle>"
    )


def _times(number: int) -> tuple[float, float]:
    """When the peg of a jump leaves and when it lands, in seconds."""
    return (number + (1 - _FLIGHT) / 2) * _JUMP, (number + (1 + _FLIGHT) / 2) * _JUMP


def _animate(what: str, events: Sequence[tuple[float, object]], seconds: float, mode: str) -> str:
    """An attribute with a value at each time (``discrete``), or moving between them (``linear``); the last stays."""
    steps = [*events, (seconds, events[-1][1])] if mode == "linear" else events
    return (
        f'<animate attributeName="{what}" calcMode="{mode}" dur="{seconds:.2f}s" repeatCount="indefinite" '
        f'values="{";".join(str(value) for _, value in steps)}" '
        f'keyTimes="{";".join(f"{at / seconds:.5f}" for at, _ in steps)}"/>'
    )
