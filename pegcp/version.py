"""The version of pegcp."""

__version__ = "1.0.0rc1"
