"""The SAT competitions' lines ``s`` and ``v`` and exit codes 10 and 20; and MiniSat's words.

https://satcompetition.github.io/2024/output.html.
"""

from __future__ import annotations

import re

from pegcp.backends.conventions import Said, verdict

_YES = ("s SATISFIABLE", "SATISFIABLE", "SAT")
_NO = ("s UNSATISFIABLE", "UNSATISFIABLE", "UNSAT")
_CODES = {10: True, 20: False}
_LITERALS = re.compile(r"(v )?\s*(-?\d+\s+)*-?\d+\s*")


def read(said: str, code: int) -> Said:
    """The variables that are true. MiniSat writes them to a file of its own, without the ``v``."""
    lines = said.splitlines()
    found = verdict(lines, _YES, _NO)
    if found is not None and code in _CODES and _CODES[code] is not found:
        raise ValueError(f"its exit code {code} contradicts its words")
    if not found:
        return found
    words = [word for line in lines if _LITERALS.fullmatch(line) for word in line.removeprefix("v ").split()]
    return {int(word): 1 for word in words if word.isdigit() and word != "0"}
