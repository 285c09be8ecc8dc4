"""Optional parts that some tests need: what is there, and how to get what is not.

A test that needs a missing part is skipped, and the run ends with a line for each missing part. With PEGCP_ALL_PARTS in
the environment, as in CI, such a test fails instead.
"""

from __future__ import annotations

import os
import shutil
from typing import NoReturn

import pytest

from pegcp.backends import inventory
from pegcp.errors import how_to_install, is_importable

MISSING = "missing optional part"

_MODULES = {
    "numba": "pegcp",
    "selenium": "axe-core-python selenium",
    "axe_core_python": "axe-core-python selenium",
    "benchexec": "benchexec",
    "myst_nb": "furo ipykernel myst-nb sphinx",
    "distributed": "pegcp[dask]",
    "cairosvg": "pegcp[pictures]",
    "dask_jobqueue": "pegcp[dask]",
    "matplotlib": "pegcp[pictures]",
    "ray": "pegcp[ray]",
    "networkx": "pegcp[graph]",
    "pddl": "pegcp[test]",
    "pycsp3": "pegcp[test]",
    "unified_planning": "pegcp[planners]",
    "up_fast_downward": "pegcp[planners]",
}
_PROGRAMS = {
    "coqc": "install the package coq of your system, version 8.16 or later",
    "ocamlopt": "install the package ocaml of your system",
    "chromium": "install the package chromium of your system",
    "clasp": "install the package clasp of your system",
    "bash": "install the package bash of your system",
    "chromedriver": "install the package chromium-driver of your system",
    "npm": "install Node.js with npm",
    "java": "install a Java runtime, version 17 or later",
}


def share(few: int, every: int) -> pytest.MarkDecorator:
    """Gives a test ``seeds`` of random problems: ``few`` where it stands, and the rest of them all in the slow tier."""
    rest = pytest.param(range(few, every), marks=pytest.mark.slow)
    return pytest.mark.parametrize("seeds", [range(few), rest], ids=["few", "rest"])


def need(*parts: str, at_import: bool = False) -> None:
    """Go on only if the parts are there: modules, programs, or backends and planners by their names.

    ``at_import``: the whole file needs them.
    """
    for part in parts:
        how = _how_to_get(part)
        if how is not None:
            do_without(part, how, at_import=at_import)


def do_without(part: str, how: str, *, at_import: bool = False) -> NoReturn:
    """Skip the test for want of a part, or fail where all are to be there."""
    message = f"{MISSING}: {part}; to get it: {how}"
    if os.environ.get("PEGCP_ALL_PARTS"):
        pytest.fail(message)
    pytest.skip(message, allow_module_level=at_import)


def _how_to_get(part: str) -> str | None:
    """None if the part is there."""
    if part in _MODULES:
        return None if is_importable(part) else how_to_install(_MODULES[part])
    if part in _PROGRAMS:
        return None if shutil.which(part) is not None else _PROGRAMS[part]
    entry = inventory.info(part)
    assert entry is not None, f"unknown part {part}"
    if entry.version() is None:
        return str(entry.missing())
    return _how_to_get("java") if part.startswith("enhsp") else None
