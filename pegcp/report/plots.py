"""Plots as SVG: cactus (how many instances within which time) and scatter (two methods against each other).

Text and axes take the colour of their surroundings; series differ in colour and in dashes.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape
from math import ceil, floor, inf, log10

from pegcp.comparison.scores import by_method, seconds
from pegcp.errors import InputError
from pegcp.result import Result

_WIDTH, _HEIGHT = 640, 420
_LEFT, _RIGHT, _TOP, _BOTTOM = 64, 16, 16, 52
_COLOURS = ("#3b7dd8", "#d9480f", "#2b8a3e", "#ae3ec9", "#b8860b", "#0c8599", "#e03177", "#787f87")
_DASHES = ("", "7 3", "2 3", "9 3 2 3")
_LEAST = 0.01  # seconds; faster runs are drawn here
_MOST_MARKS = 60  # of a line; more would hide it
_LONG_NAME = 32  # characters


def cactus(results: Sequence[Result]) -> str:
    """Wall time (log) over the number of instances settled within it, one line for each method."""
    series = {
        method: sorted(max(seconds(run), _LEAST) for run in runs.values() if seconds(run) < inf)
        for method, runs in by_method(results).items()
    }
    most = max([1, *map(len, series.values())])
    axis = _LogAxis([time for times in series.values() for time in times], _HEIGHT - _BOTTOM, _TOP)

    def x(number: float) -> float:
        return _LEFT + (_WIDTH - _LEFT - _RIGHT) * number / most

    parts = [*_frame("instances settled", "wall seconds"), *_marks(axis, horizontal=True)]
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


def scatter(results: Sequence[Result], first: str, second: str) -> str:
    """Wall times of two methods on the instances that both took; what is not settled lies on the outer lines."""
    runs = by_method(results)
    both = [(run, runs[second][i]) for i, run in runs[first].items() if i in runs[second]]
    times = [max(seconds(run), _LEAST) for pair in both for run in pair if seconds(run) < inf]
    edge = 14
    x_axis = _LogAxis(times, _LEFT, _WIDTH - _RIGHT - edge)
    y_axis = _LogAxis(times, _HEIGHT - _BOTTOM, _TOP + edge)
    parts = [
        *_frame(f"{first}, wall seconds", f"{second}, wall seconds"),
        *_marks(x_axis, horizontal=False),
        *_marks(y_axis, horizontal=True),
        f'<line x1="{_LEFT}" y1="{_HEIGHT - _BOTTOM}" x2="{_WIDTH - _RIGHT - edge}" y2="{_TOP + edge}" '
        'stroke="currentColor" stroke-opacity=".5" stroke-dasharray="4 4"/>',
    ]
    for one, other in both:
        x = x_axis(max(seconds(one), _LEAST)) if seconds(one) < inf else _WIDTH - _RIGHT - edge / 2
        y = y_axis(max(seconds(other), _LEAST)) if seconds(other) < inf else _TOP + edge / 2
        label = f"{one.problem.name}, seed {one.parameters.get('seed', 0)}"
        parts.append(
            f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4" fill="none" stroke="{_COLOURS[0]}" stroke-width="1.5">'
            f"<title>{escape(label)}</title></circle>"
        )
    return _svg(f"Scatter plot: {first} against {second}, {len(both)} instances", parts, _HEIGHT)


def png(svg: str) -> bytes:
    """A plot as a PNG image, on white, at twice its size. Raises InputError if the converter is not installed."""
    try:
        from resvg_py import svg_to_bytes
    except ImportError:
        raise InputError('PNG needs a converter; install it with: pip install "pegcp[png]"') from None
    return bytes(svg_to_bytes(svg_string=svg, background="white", zoom=2))


class _LogAxis:
    """Maps times to places between two ends of an axis, by their logarithms, over whole decades."""

    def __init__(self, times: Sequence[float], begin: float, end: float) -> None:
        self.low = floor(log10(min(times, default=0.1)))
        self.high = max(self.low + 1, ceil(log10(max(times, default=1))))
        self.begin, self.end = begin, end

    def __call__(self, time: float) -> float:
        return self.begin + (self.end - self.begin) * (log10(time) - self.low) / (self.high - self.low)

    def decades(self) -> Iterator[float]:
        return (10.0**power for power in range(self.low, self.high + 1))


def _frame(x_title: str, y_title: str) -> Iterator[str]:
    right, bottom = _WIDTH - _RIGHT, _HEIGHT - _BOTTOM
    yield f'<path d="M{_LEFT},{_TOP}V{bottom}H{right}" fill="none" stroke="currentColor"/>'
    yield f'<text x="{(_LEFT + right) / 2}" y="{_HEIGHT - 12}" text-anchor="middle">{escape(x_title)}</text>'
    middle = (_TOP + bottom) / 2
    yield f'<text x="16" y="{middle}" text-anchor="middle" transform="rotate(-90 16 {middle})">{escape(y_title)}</text>'


def _marks(axis: _LogAxis, *, horizontal: bool) -> Iterator[str]:
    """Grid lines and labels for the decades of an axis."""
    for time in axis.decades():
        place, label = axis(time), f"{time:,.0f}" if time >= 1 else f"{time:g}"
        if horizontal:
            line = f'x1="{_LEFT}" x2="{_WIDTH - _RIGHT}" y1="{place:.1f}" y2="{place:.1f}"'
            yield f'<text x="{_LEFT - 6}" y="{place + 4:.1f}" text-anchor="end">{label}</text>'
        else:
            line = f'x1="{place:.1f}" x2="{place:.1f}" y1="{_TOP}" y2="{_HEIGHT - _BOTTOM}"'
            yield f'<text x="{place:.1f}" y="{_HEIGHT - _BOTTOM + 18}" text-anchor="middle">{label}</text>'
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
