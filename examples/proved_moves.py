"""Fewest moves, proved: for each problem a folder, the bound, bytes, and what it takes to prove and to check.

Run it with:  python examples/proved_moves.py FOLDER [PROBLEM...]

Without problems: all English pairs of a vacancy and a last peg, the French ones, 6 x 6, and triangles. Folders that are
there are only checked. Seconds are of CPU, for the one-file checker with what Python takes to start; what needs more
time or memory than the limits below is left open.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path
from tempfile import TemporaryFile

import pegcp
from pegcp.game.goal import Exact, Objective
from pegcp.game.problem import Problem
from pegcp.method import Answer, Limits, Run
from pegcp.proofs import checker
from pegcp.proofs.verify_folder import VERIFIED
from pegcp.proofs.writing import prove
from pegcp.theory.parity import bits, possible_finishes

PROVING, CHECKING, MEMORY = 900.0, 600.0, 6000.0  # seconds, seconds, MB
BOARDS = ("english", "triangle10", "triangle15", "square6", "triangle21", "french", "triangle28", "triangle36")


def pairs(name: str) -> list[str]:
    """Pairs of a first vacancy and a last peg that the position classes allow, up to symmetry."""
    board = pegcp.board(name)
    seen: set[tuple[int, int]] = set()
    names = []
    for vacancy in range(len(board.holes)):
        for finish in sorted(bits(possible_finishes(board, board.full & ~(1 << vacancy)))):
            if (vacancy, finish) not in seen:
                seen |= {(s[vacancy], s[finish]) for s in board.symmetries.subgroup(1000)}
                names.append(f"{name}:{board.holes[vacancy]}->{board.holes[finish]}")
    return names


def spent(command: list[str]) -> tuple[int, float, float, str]:
    """Exit status, CPU seconds, MB and the output of a program."""
    with TemporaryFile("w+") as output:
        process = subprocess.Popen(command, stdout=output)
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        output.seek(0)
        return process.returncode, used.ru_utime + used.ru_stime, used.ru_maxrss / 1000, output.read().strip()


def row(problem: Problem, folder: Path) -> str:
    """What there is to say of a problem."""
    began = time.process_time()
    made = None if folder.exists() else prove(problem, folder, Run(Limits(PROVING, MEMORY)))
    proving = time.process_time() - began
    if isinstance(made, Answer):
        return f"open: {made.message} ({proving:.0f} s)"
    size = sum(file.stat().st_size for file in folder.iterdir())
    limits = ["--time", str(CHECKING), "--memory", str(MEMORY)]
    status, seconds, memory, said = spent([sys.executable, "-S", checker.__file__, str(folder), *limits])
    text = f"{size} bytes | proved in {proving:.1f} s | {said} | {seconds:.1f} s, {memory:.0f} MB"
    if VERIFIED.exists() and status == 0:
        verified, seconds, _, said = spent([str(VERIFIED), str(folder)])
        text += f" | {said if verified else 'verified program: the same'}, {seconds:.1f} s"
    return text


def main() -> None:
    """Prove and check each."""
    where = Path(sys.argv[1])
    for name in sys.argv[2:] or [pair for board in BOARDS for pair in pairs(board)]:
        problem = pegcp.problem(name, objective=Objective.FEWEST_MOVES.value)
        assert isinstance(problem.goal, Exact)
        folder = where / name.replace(":", "-").replace("->", "-to-")
        print(f"{name:20} | {row(problem, folder)}", flush=True)


if __name__ == "__main__":
    main()
