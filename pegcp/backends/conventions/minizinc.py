"""MiniZinc's words, for its models and for FlatZinc: ``----------`` after a solution, and ``=====UNSATISFIABLE=====``.

The MiniZinc handbook, "FlatZinc and Flattening", section "Output".
"""

from __future__ import annotations

import re

from pegcp.backends.conventions import Said, verdict

_MADE = re.compile(
    r"""\bmade"?\s*[=:]\s*(?:array2d\(\s*1\.\.\d+\s*,\s*1\.\.(?P<columns>\d+)\s*,\s*)?(?P<rows>\[[^;}]*\])"""
)


def read(said: str, code: int) -> Said:  # noqa: ARG001 - it has no meaning here
    """The array ``made`` by step and jump, from 0, as MiniZinc writes it, as FlatZinc does, or as JSON."""
    found = verdict(said.splitlines(), ("----------",), ("=====UNSATISFIABLE=====",))
    if not found:
        return found
    written = _MADE.search(said)
    if written is None:
        return {}
    rows = [re.findall(r"\d+|true|false", row) for row in re.split(r"[|\]]\s*,?", written["rows"])]
    if written["columns"]:
        (values, *_), columns = rows, int(written["columns"]) or 1
        rows = [values[i : i + columns] for i in range(0, len(values), columns)]
    made = [row for row in rows if row]
    return {(t, j): int(value in ("1", "true")) for t, row in enumerate(made) for j, value in enumerate(row)}
