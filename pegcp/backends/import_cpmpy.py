"""Import CPMpy, if it is installed, without highspy, which cannot be loaded in one process with OR-tools."""

import sys
from contextlib import suppress
from importlib import import_module

is_there = "highspy" in sys.modules  # perhaps None, if the program around wants it so
try:
    if not is_there:
        sys.modules["highspy"] = None  # type: ignore[assignment]
    with suppress(ImportError):
        import_module("cpmpy")
finally:
    if not is_there:  # from now on the process can import it as before
        sys.modules.pop("highspy", None)
