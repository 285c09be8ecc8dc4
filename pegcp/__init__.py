"""pegcp: peg solitaire in every declarative form, side by side, with answers you can trust."""

from typing import TYPE_CHECKING, Any

from pegcp.names import board, problem
from pegcp.version import __version__

if TYPE_CHECKING:
    from pegcp.comparison.runner import solve
    from pegcp.comparison.schedule import compare
    from pegcp.method import Limits, Status
    from pegcp.next_jumps import next_jumps
    from pegcp.result import Result

__all__ = ["Limits", "Result", "Status", "__version__", "board", "compare", "next_jumps", "problem", "solve"]

_LAZY = {
    "compare": "pegcp.comparison.schedule",
    "solve": "pegcp.comparison.runner",
    "Limits": "pegcp.method",
    "Result": "pegcp.result",
    "Status": "pegcp.method",
    "next_jumps": "pegcp.next_jumps",
}


def __getattr__(name: str) -> Any:
    """Load what runs methods only when it is used."""
    if name not in _LAZY:
        raise AttributeError(f"module pegcp has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(_LAZY[name]), name)
