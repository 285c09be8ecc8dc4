"""Importing this module imports CPMpy, where it is installed, without HiGHS's own package.

That package and OR-tools cannot be loaded in one process.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from importlib import import_module


@contextmanager
def without_highspy() -> Iterator[None]:
    """Keep CPMpy from loading HiGHS's own package; afterwards the process can import it as before."""
    if "highspy" in sys.modules:
        yield
        return
    sys.modules["highspy"] = None  # type: ignore[assignment]
    try:
        yield
    finally:
        del sys.modules["highspy"]


with without_highspy(), suppress(ModuleNotFoundError):
    import_module("cpmpy")
