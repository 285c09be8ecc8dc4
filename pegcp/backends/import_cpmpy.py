"""Import CPMpy, if it is installed, without highspy, which cannot be loaded in one process with OR-tools."""

import sys
from contextlib import suppress
from importlib import import_module

sys.modules.setdefault("highspy", None)  # type: ignore[arg-type]
try:
    with suppress(ImportError):
        import_module("cpmpy")
finally:
    if sys.modules.get("highspy") is None:  # from now on the process can import it as before
        del sys.modules["highspy"]
