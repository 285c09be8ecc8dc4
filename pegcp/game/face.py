"""The face of the package, handed down: so that ``problem.solve()`` and the like need no room above their own."""

from __future__ import annotations

from types import ModuleType
from typing import Any

_handed: list[ModuleType] = []


def hand_down(package: ModuleType) -> None:
    """Take the face; the package does this when it is imported."""
    _handed[:] = [package]


def face() -> Any:
    """The package, with all that it offers."""
    return _handed[0]
