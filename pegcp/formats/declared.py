"""Decode data from outside by declared types: whatever does not fit is one error with the path of its key."""

import re
from collections.abc import Iterable
from typing import Any, TypeVar

from pegcp.errors import InputError, suggestion

T = TypeVar("T")
_FIELD = re.compile(r"(unknown|required) field `([^`]*)`")
_WORDS = {  # for the types of msgspec
    "int": "a whole number",
    "float": "a number",
    "str": "text",
    "bool": "true or false",
    "array": "a list",
    "object": "a table",
    "null": "nothing",
}


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
    """The message of msgspec in plain words, behind the path of the key."""
    if field := _FIELD.search(message):
        name, inside = field[2], f" in {path}" if path else ""
        if field[1] == "unknown":
            return f'unknown key "{name}"{inside}{suggestion(name, keys)}'
        return f'the key "{name}" is missing{inside}'
    types = re.sub("`([^`]*)`", lambda match: " or ".join(_WORDS.get(w, w) for w in match[1].split(" | ")), message)
    text = re.sub("^Invalid enum value '(.*)'$", r'it cannot be "\1"', types)
    return f"{path or 'the file'}: {text[:1].lower()}{text[1:]}"
