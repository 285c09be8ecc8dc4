"""The pseudo-Boolean competitions' lines ``s`` and ``v``: https://www.cril.univ-artois.fr/PB24/."""

from __future__ import annotations

from pegcp.backends.conventions import Said, competition


def read(said: str, code: int) -> Said:  # noqa: ARG001 - it has no meaning here
    """The variables that are true."""
    found = competition(said)
    if not found:
        return found
    words = [word for line in said.splitlines() if line.startswith("v ") for word in line[2:].split()]
    return {word: 1 for word in words if not word.startswith("-")}
