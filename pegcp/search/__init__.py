"""Searches: procedural solvers, one file each.

A search file describes itself like a model file (see :mod:`pegcp.modelfile`) and defines
``search(problem, run, **options) -> Answer``.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from pegcp.modelfile import Header, read_header


def headers() -> Iterator[Header]:
    """Headers of the bundled searches."""
    for path in sorted(Path(__file__).parent.glob("[!_]*.py")):
        yield read_header(path, "search")
