"""Import CPMpy, if it is installed, without highspy, which cannot be loaded in one process with OR-tools."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from importlib import import_module


@contextmanager
def without_highspy() -> Iterator[None]:
    """Keep CPMpy from importing highspy; afterwards the process can import it as before."""
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
