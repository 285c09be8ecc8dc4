"""Import CPMpy, if it is installed, without highspy, which cannot be loaded in one process with OR-tools."""

from __future__ import annotations

import sys
from contextlib import suppress
from importlib import import_module

is_loaded = "highspy" in sys.modules
try:
    if not is_loaded:
        sys.modules["highspy"] = None  # type: ignore[assignment]
    with suppress(ImportError):
        import_module("cpmpy")
finally:
    if not is_loaded:  # from now on the process can import it as before
        del sys.modules["highspy"]
