"""pegcp: peg solitaire in every declarative form, side by side, with answers you can trust."""

from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

from pegcp.names import board, problem

if TYPE_CHECKING:
    from pegcp.comparison.runner import solve
    from pegcp.comparison.schedule import compare
    from pegcp.result import Limits, Result, Status

__all__ = ["Limits", "Result", "Status", "board", "compare", "problem", "solve"]

_LAZY = {
    "compare": "pegcp.comparison.schedule",
    "solve": "pegcp.comparison.runner",
    "Limits": "pegcp.result",
    "Result": "pegcp.result",
    "Status": "pegcp.result",
}


def __getattr__(name: str) -> Any:
    """Load what runs methods only when it is used."""
    if name not in _LAZY:
        raise AttributeError(f"module pegcp has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(_LAZY[name]), name)
