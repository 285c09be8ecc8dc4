"""Prove the fewest moves of many problems, check each proof three ways, and print a table of what that costs.

Run it with:  python examples/proved_moves.py FOLDER [PROBLEM...]

Without problems: every pair of a vacancy and a last peg, up to symmetry, on some boards. A proof that is in FOLDER
already is only checked: by ``pegcp check``, by ``checker.py`` alone, and by the program verified in Coq, if
``formal/build`` has made it. Seconds are of CPU. Linux only, for the limits below.
"""

from __future__ import annotations

import ctypes
import json
import os
import resource
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryFile

import pegcp
from pegcp.checking import checker
from pegcp.checking.verification import VERIFIED
from pegcp.theory.parity import bits, possible_finishes

CPU, WALL, MEMORY = 150, 900, 6000  # seconds of a process, seconds in all, MB
BOARDS = ("triangle10", "triangle15", "triangle21", "english", "french", "square6", "triangle28", "triangle36")
PR_SET_CHILD_SUBREAPER = 36  # so that processes which a program leaves behind can be waited for, and count
COLUMNS = ("problem", "fewest moves", "prove", "bytes", "pegcp check", "checker.py alone", "formal/check")


def pairs(name: str) -> list[str]:
    """List the pairs of a vacancy and a last peg that the position classes allow, up to symmetry."""
    board = pegcp.board(name)
    seen: set[tuple[int, int]] = set()
    names = []
    for vacancy in range(len(board.holes)):
        for finish in sorted(bits(possible_finishes(board, board.full & ~(1 << vacancy)))):
            if (vacancy, finish) not in seen:
                seen |= {(s[vacancy], s[finish]) for s in board.symmetries.subgroup(1000)}
                names.append(f"{name}:{board.holes[vacancy]}->{board.holes[finish]}")
    return names


def limit() -> None:
    """Limit the CPU time and the address space of this process."""
    resource.setrlimit(resource.RLIMIT_CPU, (CPU, CPU))
    most = (MEMORY + 2000) << 20
    resource.setrlimit(resource.RLIMIT_AS, (most, most))


def run(*command: str | Path) -> tuple[bool, str, str]:
    """Run a program; return whether it succeeded, its last line, and its CPU seconds and MB with all descendants."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    largest, status = 0, 0
    with TemporaryFile("w+") as output:
        timed = ["timeout", "--kill-after=5", str(WALL), *map(str, command)]
        process = subprocess.Popen(timed, stdout=output, stderr=output, preexec_fn=limit)
        with suppress(ChildProcessError):
            while True:  # the program, and what it leaves behind
                pid, code, used = os.wait4(-1, 0)
                largest = max(largest, used.ru_maxrss // 1000)
                if pid == process.pid:
                    process.returncode = status = os.waitstatus_to_exitcode(code)
        output.seek(0)
        *_, line = ["no output", *output.read().splitlines()]
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return status == 0, line, f"{seconds:.1f} s, {largest} MB"


def row(name: str, folder: Path) -> list[str]:
    """Prove and check one problem: the cells of its row."""
    cells = [name, "", "made before"]
    if not folder.exists():
        limits = ["--time-limit", str(WALL), "--memory-limit", str(MEMORY)]
        success, line, cost = run("pegcp", "prove", name, "--objective", "fewest-moves", *limits, "-o", folder)
        cells[2] = cost if success else f"did not fit: {line} ({cost})"
        if not success:
            return cells
    claim = json.loads((folder / "claim.json").read_text())
    cells[1] = f"{'' if 'solution' in claim else 'at least '}{claim['claim'].get('least', 'no solution')}"
    cells.append(str(sum(file.stat().st_size for file in folder.iterdir())))
    for command in (
        ["pegcp", "check", folder, "--time-limit", str(WALL), "--memory-limit", str(MEMORY)],
        [sys.executable, "-S", checker.__file__, folder, "--time", str(WALL), "--memory", str(MEMORY)],
        [VERIFIED, folder] if VERIFIED.exists() else ["echo", "not built"],
    ):
        success, line, cost = run(*command)
        cells.append(cost if success else f"did not fit: {line} ({cost})")
    return cells


if __name__ == "__main__":
    if len(sys.argv) < 2 or sys.argv[1].startswith("-"):
        sys.exit(__doc__)
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    print("|", " | ".join(COLUMNS), "|\n|" + "---|" * len(COLUMNS), flush=True)
    for problem in sys.argv[2:] or [pair for board in BOARDS for pair in pairs(board)]:
        file_name = problem.replace(":", "-").replace("->", "-to-")
        print("|", " | ".join(row(problem, Path(sys.argv[1], file_name))), "|", flush=True)
