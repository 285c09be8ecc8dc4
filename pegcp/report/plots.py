"""The cactus plot as SVG: how many instances a method settles within which time. The page draws its own, see plots.js.

Text and axes take the colour of their surroundings; series differ in colour and in dashes.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape
from math import ceil, floor, inf, log10

from pegcp.comparison.scores import WALL, Measure, by_method
from pegcp.result import Result

_WIDTH, _HEIGHT = 640, 420
_LEFT, _RIGHT, _TOP, _BOTTOM = 64, 16, 16, 52
_COLOURS = ("#3b7dd8", "#d9480f", "#2b8a3e", "#ae3ec9", "#b8860b", "#0c8599", "#e03177", "#787f87")
_DASHES = ("", "7 3", "2 3", "9 3 2 3")
_LEAST = 0.001  # what took less is drawn here
_MOST_TICKS = 9  # of an axis
_MOST_MARKS = 60  # of a line; more would hide it
_LONG_NAME = 32  # characters


def cactus(results: Sequence[Result], by: Measure = WALL) -> str:
    """What it took (log) over the number of instances settled with it, one line for each method."""
    series = {
        method: sorted(max(by.cost(run), _LEAST) for run in runs.values() if by.cost(run) < inf)
        for method, runs in by_method(results, by).items()
    }
    most = max([1, *map(len, series.values())])
    axis = _LogAxis([time for times in series.values() for time in times], _HEIGHT - _BOTTOM, _TOP)

    def x(number: float) -> float:
        return _LEFT + (_WIDTH - _LEFT - _RIGHT) * number / most

    parts = [*_frame("instances settled", by.title), *_marks(axis)]
    parts += [
        f'<text x="{x(number):.1f}" y="{_HEIGHT - _BOTTOM + 18}" text-anchor="middle">{number}</text>'
        for number in _steps(most)
    ]
    for index, (method, times) in enumerate(series.items()):
        places = [(f"{x(i):.1f}", f"{axis(time):.1f}") for i, time in enumerate(times, start=1)]
        marks = [f'<circle cx="{cx}" cy="{cy}" r="3"/>' for cx, cy in places] if len(places) <= _MOST_MARKS else []
        line = f'<polyline points="{" ".join(map(",".join, places))}" fill="none"/>'
        parts.append(f"<g {_stroke(index)}><title>{escape(method)}: {len(times)}</title>{line}{''.join(marks)}</g>")
    names = [f"{method} ({len(times)})" for method, times in series.items()]
    columns = 2 if max(map(len, names), default=0) <= _LONG_NAME else 1
    parts += _legend(names, columns)
    return _svg("Cactus plot: " + ", ".join(names), parts, _HEIGHT + 20 * ceil(len(names) / columns) + 8)


class _LogAxis:
    """Maps figures to places between two ends of an axis, by their logarithms."""

    def __init__(self, figures: Sequence[float], begin: float, end: float) -> None:
        low, high = log10(min(figures, default=0.1)), log10(max(figures, default=1))
        room = max(0.05 * (high - low), 0.1)
        self.low, self.high = low - room, high + room
        self.begin, self.end = begin, end

    def __call__(self, figure: float) -> float:
        return self.begin + (self.end - self.begin) * (log10(figure) - self.low) / (self.high - self.low)

    def ticks(self) -> list[float]:
        """Round figures within the axis: as fine as there is room for."""
        powers = range(floor(self.low), ceil(self.high) + 1)
        found: list[float] = []
        for sizes in ((1,), (1, 3), (1, 2, 5), range(1, 10)):
            finer = [size * 10.0**power for power in powers for size in sizes]
            finer = [figure for figure in finer if self.low <= log10(figure) <= self.high]
            if len(finer) <= _MOST_TICKS or not found:
                found = finer
        return found


def _frame(x_title: str, y_title: str) -> Iterator[str]:
    right, bottom = _WIDTH - _RIGHT, _HEIGHT - _BOTTOM
    yield f'<path d="M{_LEFT},{_TOP}V{bottom}H{right}" fill="none" stroke="currentColor"/>'
    yield f'<text x="{(_LEFT + right) / 2}" y="{_HEIGHT - 12}" text-anchor="middle">{escape(x_title)}</text>'
    middle = (_TOP + bottom) / 2
    yield f'<text x="16" y="{middle}" text-anchor="middle" transform="rotate(-90 16 {middle})">{escape(y_title)}</text>'


def _marks(axis: _LogAxis) -> Iterator[str]:
    """Grid lines and labels of the upright axis."""
    for figure in axis.ticks():
        place, label = axis(figure), f"{figure:,.0f}" if figure >= 1 else f"{figure:g}"
        yield f'<text x="{_LEFT - 6}" y="{place + 4:.1f}" text-anchor="end">{label}</text>'
        line = f'x1="{_LEFT}" x2="{_WIDTH - _RIGHT}" y1="{place:.1f}" y2="{place:.1f}"'
        yield f'<line {line} stroke="currentColor" stroke-opacity=".2"/>'


def _steps(most: int) -> list[int]:
    """About six round numbers from 0 to ``most``."""
    step = next(size * 10**power for power in range(10) for size in (1, 2, 5) if size * 10**power * 6 >= most)
    return list(range(0, most + 1, step))


def _stroke(index: int) -> str:
    colour, dash = _COLOURS[index % len(_COLOURS)], _DASHES[index % len(_DASHES)]
    return f'stroke="{colour}" fill="{colour}" stroke-width="2"' + (f' stroke-dasharray="{dash}"' if dash else "")


def _legend(names: Sequence[str], columns: int) -> Iterator[str]:
    for index, name in enumerate(names):
        x, y = _LEFT + (index % columns) * (_WIDTH - _LEFT) / columns, _HEIGHT + 12 + 20 * (index // columns)
        yield f'<line x1="{x}" y1="{y - 4}" x2="{x + 28}" y2="{y - 4}" {_stroke(index)}/>'
        yield f'<text x="{x + 36}" y="{y}">{escape(name)}</text>'


def _svg(label: str, parts: Sequence[str], height: float) -> str:
    size = f'viewBox="0 0 {_WIDTH} {height:g}" width="{_WIDTH}" height="{height:g}"'
    text = 'font-family="system-ui, sans-serif" font-size="13" fill="currentColor"'
    head = f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img" aria-label="{escape(label)}" {text}>'
    return "\n".join([head, *parts, "</svg>\n"])
