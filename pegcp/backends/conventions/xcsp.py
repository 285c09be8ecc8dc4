"""The XCSP3 competitions' lines ``s`` and ``v``, with an instantiation in XML: https://www.xcsp.org/competitions/."""

from __future__ import annotations

import re

from pegcp.backends.conventions import Said, competition, whole

_SOLUTION = re.compile(r"<list>(.*?)</list>\s*<values>(.*?)</values>", re.DOTALL)


def read(said: str, code: int) -> Said:  # noqa: ARG001 - it has no meaning here
    """The values of the last instantiation; ``2x3`` stands for three times the value 2."""
    found = competition(said)
    if not found:
        return found
    written = _SOLUTION.findall("\n".join(line.removeprefix("v ") for line in said.splitlines()))
    if not written:
        return {}
    names, values = (part.split() for part in written[-1])
    told: list[str] = []
    for value in values:
        number, times, count = value.partition("x")
        told += [number] * (min(int(count), len(names)) if times else 1)
    return {name: whole(value) for name, value in zip(names, told, strict=True) if value != "*"}
