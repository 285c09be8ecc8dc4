"""Data from outside, brought within bounds before it is decoded: numbers are finite, text is printable and of some
length; then decoded by declared types: whatever does not fit is one error with the path of its key."""

import json
import re
from collections.abc import Iterable, Mapping
from math import isfinite
from typing import Any, TypeVar

from pegcp.errors import InputError, clipped, refuse_if, shown, suggestion

T = TypeVar("T")
_LONGEST_TEXT = 100_000  # characters
_LONGEST_KEY = 1000  # characters
_LONGEST_DESCRIPTION = 5_000_000  # characters; a board of 100,000 lines takes half of that
_LARGEST_NUMBER = 10**300  # numbers beyond it are no floats; counts of solutions have fewer digits
GREATEST_AMOUNT = 1e15  # seconds or megabytes
_MOST_BRACKETS = 20  # brackets within brackets; certificates need four
_MOST_FIGURES = 500  # entries of statistics
_WORDS = {  # for the types of msgspec
    "int": "a whole number",
    "float": "a number",
    "str": "text",
    "bool": "true or false",
    "array": "a list",
    "object": "a table",
    "null": "nothing",
}


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
    refuse_if(len(statistics) > _MOST_FIGURES, f"statistics has {len(statistics):,} entries, more than {_MOST_FIGURES}")
    for key, value in statistics.items():
        is_amount = value is None or (type(value) in (int, float) and 0 <= value <= GREATEST_AMOUNT)
        refuse_if(
            key.endswith(("_seconds", "_mb")) and not is_amount, f"{key} must be a number from 0, not {shown(value)}"
        )
    return dict(statistics)


def convert(data: Any, kind: type[T], source: str, keys: Iterable[str] = (), *, strict: bool = True) -> T:
    """Return plain data (of JSON or TOML) as an instance of ``kind``, a type that msgspec understands.

    ``keys`` are suggested in place of an unknown key; unless ``strict``, text may stand for a number. Raises
    InputError such as ``night.toml: runs[1].seeds: expected a whole number or a list, got text``.
    """
    import msgspec

    try:
        return msgspec.convert(data, kind, strict=strict)
    except msgspec.ValidationError as error:
        message, _, path = str(error).replace(" - at `key` in `$", " - at `$").partition(" - at `$")
        raise InputError(_plain(message, path.rstrip("`").lstrip("."), keys), source=source) from None


def _plain(message: str, path: str, keys: Iterable[str]) -> str:
    """Return the message of msgspec in plain words, behind the path of the key."""
    if field := re.search(r"(unknown|required) field `([^`]*)`", message):
        name, inside = field[2], f" in {path}" if path else ""
        if field[1] == "unknown":
            return f'unknown key "{name}"{inside}{suggestion(name, keys)}'
        return f'the key "{name}" is missing{inside}'
    types = re.sub("`([^`]*)`", lambda match: " or ".join(_WORDS.get(w, w) for w in match[1].split(" | ")), message)
    text = re.sub("^Invalid enum value '(.*)'$", r'it cannot be "\1"', types)
    return f"{path or 'the file'}: {text[:1].lower()}{text[1:]}"
