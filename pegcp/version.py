"""The version of pegcp."""

__version__ = "0.1.0"
