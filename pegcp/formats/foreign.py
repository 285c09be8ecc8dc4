"""Data from outside, brought within bounds before it is decoded: numbers are finite, text is printable and of some
length."""

import json
from collections.abc import Mapping
from math import isfinite
from typing import Any

from pegcp.errors import InputError, clipped, shown

_LONGEST_TEXT = 100_000  # characters
_LONGEST_KEY = 1000  # characters
_LONGEST_DESCRIPTION = 5_000_000  # characters; a board of 100,000 lines takes half of that
_LARGEST_NUMBER = 10**300  # numbers beyond it are no floats; counts of solutions have fewer digits
GREATEST_AMOUNT = 1e15  # seconds or megabytes
_MOST_BRACKETS = 20  # brackets within brackets; certificates need four
_MOST_FIGURES = 500  # entries of statistics


def parse(data: bytes | str) -> dict[str, Any]:
    """Return the object of a JSON text, within bounds. Raises ValueError or TypeError."""
    try:
        values = bounded(json.loads(data))
    except RecursionError:
        raise ValueError("nested too deeply") from None
    if not isinstance(values, dict):
        raise TypeError(f"it is {shown(values)}, not an object")
    return values


def bounded(value: Any, name: str = "it", depth: int = _MOST_BRACKETS) -> Any:
    """Return data with finite numbers and printable text of some length. Raises ValueError or TypeError.

    ``name`` is the key of the value.
    """
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, int | float):
        if not -_LARGEST_NUMBER < value < _LARGEST_NUMBER or not isfinite(value):
            raise ValueError(f"{name} is not a number that can be used")
        return value
    if isinstance(value, str):
        return clipped(value, _LONGEST_DESCRIPTION if name == "description" else _LONGEST_TEXT)
    if depth < 0:
        raise ValueError(f"{name} is nested more than {_MOST_BRACKETS} deep")
    if isinstance(value, Mapping) and all(isinstance(key, str) for key in value):
        return {clipped(key, _LONGEST_KEY): bounded(item, key[:60], depth - 1) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [bounded(item, name, depth - 1) for item in value]
    raise TypeError(f"{name} holds {shown(value)}, which JSON cannot represent")


def check_statistics(statistics: Mapping[str, Any]) -> dict[str, Any]:
    """Return statistics whose seconds and megabytes are numbers. Raises InputError."""
    if len(statistics) > _MOST_FIGURES:
        raise InputError(f"statistics has {len(statistics):,} entries, more than {_MOST_FIGURES}")
    for key in [key for key in statistics if key.endswith(("_seconds", "_mb"))]:
        value = statistics[key]
        if value is not None and (type(value) not in (int, float) or not 0 <= value <= GREATEST_AMOUNT):
            raise InputError(f"{key} must be a number from 0, not {shown(value)}")
    return dict(statistics)
