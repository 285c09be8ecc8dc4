"""Proof folders that a stranger can check: Fool's Solitaire, parallel steps of the central game.

Run it with:  python examples/proofs.py FOLDER [english | triangle]

Prints for each what is proved, by what, how large the folder is, and the CPU seconds that it took to prove and to
check. Folders that are there already are only checked.
"""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path

import pegcp
from pegcp.method import Limits, Run
from pegcp.proofs.folder import check
from pegcp.proving import prove

WANTED: dict[str, list[tuple[str, str, int | None]]] = {
    "english": [
        *((f"fools-{hole}", f"english:{hole}!", None) for hole in ("d1", "d4", "c1", "d3", "d2", "c3", "c2")),
        ("thirteen-steps", "english", 13),
    ],
    "triangle": [(f"fools-{hole}", f"triangle15:{hole}!", None) for hole in ("a1", "a2", "a3", "b3")],
}


def kinds(folder: Path) -> str:
    """What shows the claim."""
    parts = json.loads((folder / "manifest.json").read_text())["parts"]
    return " + ".join("cases" if part["kind"] == "bound" else f"{part['kind']} {part['horizon']}" for part in parts)


def main() -> None:
    """Prove and check each."""
    folder = Path(sys.argv[1])
    print(f"{'folder':16} {'claim':28} {'by':16} {'MB':>7} {'prove s':>8} {'check s':>8}")
    for name, text, bound in WANTED[sys.argv[2] if len(sys.argv) > 2 else "english"]:
        problem, where = pegcp.problem(text), folder / name
        began = time.process_time()
        if not where.exists():
            prove(problem, where, Run(Limits(time=3600)), bound)
        proved = time.process_time()
        claim = check(where, problem)
        checked = time.process_time()
        size = sum(file.stat().st_size for file in where.iterdir()) / 1e6
        print(
            f"{name:16} {claim!s:28} {kinds(where):16} {size:7.2f} {proved - began:8.2f} {checked - proved:8.2f}",
            flush=True,
        )


if __name__ == "__main__":
    main()
