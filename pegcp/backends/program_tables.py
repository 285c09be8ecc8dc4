"""Read planners.toml and solvers.toml: a table for each program, whose keys are the fields of a class.

Those that ship lie beside this module, the user's own in the folder ``PEGCP_HOME``, by default the current one.
"""

import re
from collections.abc import Callable
from dataclasses import fields
from pathlib import Path
from typing import TypeVar

from pegcp.backends.backend import BackendInfo
from pegcp.errors import InputError, suggestion
from pegcp.formats.declared import convert
from pegcp.formats.texts import read_toml
from pegcp.formats.toml import parse_toml

Row = TypeVar("Row", bound=BackendInfo)


def read_programs(path: Path, kind: type[Row], check: Callable[[Row], object] = lambda _: None) -> list[Row]:
    """Return the programs of a file, if it is there, each after a check. Raises InputError, naming the table."""
    keys = {field.name.replace("_", "-") for field in fields(kind)} - {"name", "formats"}
    programs = []
    for name, table in parse_toml(read_toml(path), str(path)).items() if path.is_file() else ():
        try:
            if not re.fullmatch(r"[a-z][a-z0-9-]*", name) or not isinstance(table, dict):
                raise InputError(
                    "table names may use lower-case letters, digits and hyphens only, such as [my-planner]"
                )
            for key in table.keys() - keys:
                raise InputError(f'unknown key "{key}"{suggestion(key, keys)}; keys: {", ".join(sorted(keys))}')
            values = {"title": name, **{key.replace("-", "_"): value for key, value in table.items()}}
            programs.append(convert({**values, "name": name}, kind, str(path)))
            check(programs[-1])
        except InputError as error:
            raise InputError(f"[{name}] {error.message}", source=str(path)) from None
    return programs
