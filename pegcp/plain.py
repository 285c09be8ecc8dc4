"""Plain data from outside: what children report and result files hold, validated once, where it comes in.

Afterwards numbers are finite and can be printed, text can be written to any file, and nothing is nested too deeply or
larger than the limits below. Each function raises ValueError or TypeError and says why.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from math import isfinite
from typing import Any

from pegcp.errors import printable

LONGEST_TEXT = 100_000  # characters
_LONGEST_DESCRIPTION = 5_000_000  # characters; a board of 100,000 lines takes half of that
LONGEST_MESSAGE = 2_000  # characters that are kept of a message
_LARGEST = 10**300  # numbers beyond it are not floats; the solutions that anybody counted have fewer digits
_GREATEST_AMOUNT = 1e15  # seconds or megabytes
_FARTHEST = 1e6  # that a hole is drawn from the middle
_DEEPEST = 20  # brackets within brackets; certificates need four
_MOST_FIGURES = 500  # entries of statistics


def parse(data: bytes | str, *, lenient: bool = False) -> Any:
    """The value that a JSON text stands for. ``NaN`` and ``Infinity``, which are not JSON, are refused.

    Solvers say them where they have no number: to the ``lenient`` they mean none.
    """
    try:
        return json.loads(data, parse_constant=(lambda _: None) if lenient else _refuse)
    except RecursionError:
        raise ValueError("nested too deeply") from None


def _refuse(constant: str) -> None:
    raise ValueError(f"{constant} is not a number")


def number(name: str, value: Any) -> int | float | None:
    """A finite number, or None."""
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise TypeError(f"{name} is {shown(value)}, not a number")
    if not -_LARGEST < value < _LARGEST or not isfinite(value):
        raise ValueError(f"{name} is not a number that can be used")
    return value


def amount(name: str, value: Any) -> int | float:
    """A number of seconds or megabytes: not negative, and no more than there can be."""
    found = number(name, value)
    if found is None or not 0 <= found <= _GREATEST_AMOUNT:
        raise ValueError(f"{name} is {shown(value)}, which cannot be")
    return found


def whole(name: str, value: Any, least: int = 0, most: int = 2**31 - 1) -> int:
    """A whole number within bounds."""
    if type(value) is not int or not least <= value <= most:
        raise ValueError(f"{name} is {shown(value)}, not a whole number from {least} to {most}")
    return value


def text(name: str, value: Any, most: int = LONGEST_TEXT) -> str:
    """Text that can be written anywhere: control characters but line breaks and tabs, and halves of characters, are
    shown as escapes; what is longer than ``most`` characters is cut."""
    if not isinstance(value, str):
        raise TypeError(f"{name} is {shown(value)}, not text")
    return printable(value if len(value) <= most else f"{value[:most]}...", keep="\n\t")


def file_name(name: str) -> str:
    """A name made safe as a file name: no separators, no leading dots, at most 100 characters."""
    return re.sub(r"[^\w.+-]+", "_", name)[:100].lstrip(".") or "_"


def points(name: str, value: Any, count: int) -> tuple[tuple[float, ...], ...]:
    """So many points, all of two numbers or all of three."""
    if not isinstance(value, list) or not all(isinstance(point, list) for point in value):
        raise TypeError(f"{name} is {shown(value)}, not a list of points")
    if len(value) != count or {len(point) for point in value} not in ({2}, {3}):
        raise ValueError(f"{name} is not {count} points of two or three numbers each")
    found = [[number(name, x) for x in point] for point in value]
    if any(x is None or abs(x) > _FARTHEST for point in found for x in point):
        raise ValueError(f"{name} has a point without a number, or too far away")
    return tuple(tuple(float(x) for x in point if x is not None) for point in found)


def description(value: Any) -> str:
    """The canonical text of a problem."""
    if not isinstance(value, str) or len(value) > _LONGEST_DESCRIPTION:
        raise ValueError(f"the description is {shown(value)}, not the text of a problem")
    return value


def mapping(name: str, value: Any) -> dict[str, Any]:
    """An object of JSON with everything in it validated."""
    if not isinstance(value, Mapping):
        raise TypeError(f"{name} is {shown(value)}, not an object")
    return {text(name, key, 1000): _anything(name, item, _DEEPEST) for key, item in value.items()}


def statistics(value: Any) -> dict[str, Any]:
    """Statistics of a run: an object in which seconds and megabytes are numbers."""
    found = mapping("statistics", value)
    if len(found) > _MOST_FIGURES:
        raise ValueError(f"statistics has {len(found):,} entries, more than {_MOST_FIGURES}")
    for key, figure in found.items():
        if key.endswith(("_seconds", "_mb")) and figure is not None:
            amount(key, figure)
    return found


def _anything(name: str, value: Any, depth: int) -> Any:
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, int | float):
        return number(name, value)
    if isinstance(value, str):
        return text(name, value)
    if depth == 0:
        raise ValueError(f"{name} is nested more than {_DEEPEST} deep")
    if isinstance(value, Mapping):
        return {text(name, key, 1000): _anything(name, item, depth - 1) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_anything(name, item, depth - 1) for item in value]
    raise TypeError(f"{name} holds {shown(value)}, which JSON has not")


def shown(value: Any) -> str:
    """A value for a message, cut to 60 characters."""
    if isinstance(value, list | tuple | Mapping):
        return "a list" if not isinstance(value, Mapping) else "an object"
    try:
        written = repr(value)
    except ValueError:  # Python refuses to write thousands of digits
        return "a number with thousands of digits"
    return written if len(written) <= 60 else f"{written[:60]}..."
