"""The pseudo-Boolean competitions' lines ``s`` and ``v``: https://www.cril.univ-artois.fr/PB24/."""

from __future__ import annotations

from typing import Any

from pegcp.backends.conventions import Said, competition


def name(variable: Any) -> str:
    """The files number the variables, and say in comments what their names are."""
    return str(variable.name)


def read(said: str, code: int) -> Said:  # noqa: ARG001 - they have no meaning here
    """The variables that are true."""
    found = competition(said)
    if not found:
        return found
    words = [word for line in said.splitlines() if line.startswith("v ") for word in line[2:].split()]
    return {word: 1 for word in words if not word.startswith("-")}
