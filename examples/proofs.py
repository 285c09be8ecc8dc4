"""Proof folders that a stranger can check: the shortest games from every vacancy, and thirteen parallel steps.

Run it with:  python examples/proofs.py FOLDER [BOARD...]

The board is the English one if none is named. Prints for each folder what is proved, by what, how large it is, and the
seconds that it took to prove and to check. Folders that are there already are only checked; what takes more than ten
minutes is left open.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pegcp
from pegcp.checking.verification import verify_folder
from pegcp.method import Answer, Limits, Run
from pegcp.proofs.writing import prove

SECONDS = 600


def wanted(boards: list[str]) -> Iterator[tuple[str, str, int | None]]:
    """Names of folders, problems, and bounds: Fool's Solitaire once for all vacancies that are images of each other."""
    for name in boards:
        board = pegcp.board(name)
        for hole in (board.holes[orbit[0]] for orbit in board.symmetries.orbits):
            yield f"{name}-fools-{hole}", f"{name}:{hole}!", None
        if name == "english":
            yield "english-thirteen-steps", "english", 13


def kinds(folder: Path) -> str:
    """What shows the claim."""
    return " + ".join(part["type"] for part in json.loads((folder / "claim.json").read_text())["parts"])


def main() -> None:
    """Prove and check each."""
    if len(sys.argv) < 2 or sys.argv[1].startswith("-"):
        sys.exit(__doc__)
    folder = Path(sys.argv[1])
    print(f"{'folder':22} {'claim':32} {'by':16} {'MB':>7} {'prove s':>8} {'check s':>8}")
    for name, text, bound in wanted(sys.argv[2:] or ["english"]):
        problem, where = pegcp.problem(text), folder / name
        began = time.perf_counter()
        made = None if where.exists() else prove(problem, where, Run(Limits(time=SECONDS)), bound)
        proved = time.perf_counter()
        if isinstance(made, Answer):
            print(f"{name:22} open: {made.message} ({proved - began:.0f} s)", flush=True)
            continue
        claim = verify_folder(where, problem)
        checked = time.perf_counter()
        size = sum(file.stat().st_size for file in where.iterdir()) / 1e6
        print(
            f"{name:22} {claim!s:32} {kinds(where):16} {size:7.2f} {proved - began:8.2f} {checked - proved:8.2f}",
            flush=True,
        )


if __name__ == "__main__":
    main()
