"""pegcp: peg solitaire in every declarative form, side by side, with answers you can trust."""

__version__ = "0.1.0"

from pegcp.names import board, problem

__all__ = ["board", "problem"]
