"""clingo's words: ``Answer: 1`` with the atoms in the next line, ``SATISFIABLE``, ``UNSATISFIABLE``.

The Potassco user guide, section 3.1; also those of DLV and others that follow it.
"""

from __future__ import annotations

import re
from itertools import pairwise

from pegcp.backends.conventions import Said, verdict

_ATOM = re.compile(r"made\((\d+),(\d+)\)")


def read(said: str, code: int) -> Said:  # noqa: ARG001 - 10, 20 and 30 say no more than the words
    """The atoms of the last answer set, by step, from 1, and number of the jump."""
    lines = said.splitlines()
    found = verdict(lines, ("SATISFIABLE", "OPTIMUM FOUND"), ("UNSATISFIABLE",))
    if not found:
        return found
    answers = [after for line, after in pairwise(lines) if line.startswith("Answer")]
    return {(int(t), int(jump)): 1 for t, jump in _ATOM.findall(answers[-1] if answers else "")}
