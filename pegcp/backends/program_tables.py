"""Read planners.toml and solvers.toml: those that ship, and the user's own in the folder ``PEGCP_HOME``, by default the
current one.

A program is a table, whose keys are the fields of a class."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import fields
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

from pegcp.backends.backend_info import BackendInfo, home
from pegcp.errors import InputError, suggestion
from pegcp.formats.files import read_file

Row = TypeVar("Row", bound=BackendInfo)
_LARGEST = 1_000_000  # bytes


def read_rows(path: Path, kind: type[Row], **given: Any) -> list[Row]:
    """The rows of a file; ``given`` are fields that all have, and that are no keys. Raises InputError."""
    source = str(path)
    try:
        tables = tomllib.loads(read_file(path, _LARGEST).decode("utf-8"))
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise InputError(f"not TOML: {error}", source=source) from None
    keys = {field.name: str(field.type) for field in fields(kind) if field.name not in ("name", *given)}
    rows = []
    for name, table in tables.items():
        try:
            if not re.fullmatch(r"[a-z][a-z0-9-]*", name) or not isinstance(table, dict):
                raise InputError("table names may use lower-case letters, digits and hyphens only: [my-planner]")
            row = {
                key.replace("-", "_"): _value(keys, key.replace("-", "_"), value)
                for key, value in _merged(table, tables).items()
            }
            rows.append(kind(name=name, **{"title": name, **row}, **given))
        except InputError as error:
            raise InputError(f"[{name}] {error.message}", source=source) from None
    return rows


def _merged(table: Mapping[str, Any], tables: Mapping[str, Any]) -> dict[str, Any]:
    """A table, with the keys of the one that it is like."""
    own = {key: value for key, value in table.items() if key != "like"}
    if "like" not in table:
        return own
    other = tables.get(str(table["like"]))
    if not isinstance(other, dict) or "like" in other:
        raise InputError(f'there is no table "{table["like"]}" to be like, or it is itself like another')
    both = {key: {**other[key], **own[key]} for key in own if isinstance(own[key], dict) and key in other}
    return {**other, **own, **both}


def _texts(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(item, str) for item in value)


# What the types of fields are in TOML: the words for it, whether a value is that, and what it becomes.
_KINDS: dict[str, tuple[str, Callable[[Any], bool], Callable[[Any], Any]]] = {
    "str": ("text", lambda value: isinstance(value, str), str),
    "bool": ("true or false", lambda value: isinstance(value, bool), bool),
    "tuple[str, ...]": ("a list of texts", _texts, tuple),
    "bool | tuple[str, str]": (
        "true, false, or a text with options and a pattern",
        lambda value: isinstance(value, bool) or (_texts(value) and len(value) == 2),
        lambda value: value if isinstance(value, bool) else tuple(value),
    ),
    "Options": (
        "a table of texts",
        lambda value: isinstance(value, dict) and all(isinstance(item, str) for item in value.values()),
        dict,
    ),
    "Mapping[str, tuple[str, ...]]": (
        "a table of lists of texts",
        lambda value: isinstance(value, dict) and all(map(_texts, value.values())),
        lambda value: {key: tuple(items) for key, items in value.items()},
    ),
    "Mapping[str, tuple[int, ...]]": (
        "a table of lists of numbers",
        lambda value: (
            isinstance(value, dict)
            and all(isinstance(items, list) and all(type(item) is int for item in items) for items in value.values())
        ),
        lambda value: {key: tuple(items) for key, items in value.items()},
    ),
}


def _value(keys: Mapping[str, str], key: str, value: Any) -> Any:
    if key not in keys:
        raise InputError(f'unknown key "{key}"{suggestion(key, keys)}; keys: {", ".join(keys)}')
    words, fits, convert = _KINDS[keys[key]]
    if not fits(value):
        raise InputError(f"{key} is {words}")
    return convert(value)


def own_rows(name: str, kind: type[Row], **given: Any) -> tuple[Row, ...]:
    """The rows of the user's own file, if there is one. Raises InputError."""
    path = home() / name
    any_kind: Any = kind
    return _read_once(path, path.stat().st_mtime_ns, any_kind, tuple(given.items())) if path.is_file() else ()


@cache
def _read_once(path: Path, _changed: int, kind: Any, given: tuple[tuple[str, Any], ...]) -> tuple[Any, ...]:
    rows = tuple(read_rows(path, kind, **dict(given)))
    for row in rows:
        if not row.command.strip():
            raise InputError(f"[{row.name}] has no command", source=str(path))
    return rows
