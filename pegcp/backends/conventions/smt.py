"""SMT-LIB: ``sat`` or ``unsat``, and the values of the constants, by ``get-value`` or ``get-model``.

The SMT-LIB standard, version 2.6, sections 3.9 and 4.2.6.
"""

from __future__ import annotations

import re

from pegcp.backends.conventions import Said, verdict

_VALUE = re.compile(
    r"\(\s*(?:define-fun\s+)?(\w+)\s+(?:\(\)\s+\(_ BitVec \d+\)\s+)?(#b[01]+|#x[0-9a-fA-F]+|\(_ bv\d+ \d+\))"
)
_BASES = {"#b": 2, "#x": 16}


def read(said: str, code: int) -> Said:  # noqa: ARG001 - it has no meaning here
    """The values of bit vectors; an error about values that there are none of is expected after ``unsat``."""
    found = verdict(said.splitlines(), ("sat",), ("unsat",))
    if not found:
        return found
    return {constant: _number(value) for constant, value in _VALUE.findall(said)}


def _number(value: str) -> int:
    base = _BASES.get(value[:2])
    return int(value.split()[1].removeprefix("bv")) if base is None else int(value[2:], base)
