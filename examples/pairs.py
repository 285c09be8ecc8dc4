"""One vacancy to one peg: of all pairs that the position class allows, which can be solved, and why the others cannot.

Run it with:  python examples/pairs.py BOARD... > pairs.md

Prints a page: for each board and each start, up to symmetry, the finishes. A solution is replayed before it counts;
what is impossible has a certificate, which is checked, or was exhausted from both ends; what nothing settles is open.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator

import pegcp
from pegcp.catalogue.choice import choose
from pegcp.checking.verification import verify
from pegcp.game import Board, Exact, Position, Problem, replay_solution
from pegcp.method import Limits, Run, Status
from pegcp.theory.certificates import find
from pegcp.theory.parity import bits, possible_finishes

SECONDS = 60.0
EXHAUSTION = 1800.0  # seconds for all positions that can be on the way, where nothing else settles a pair
MEMORY = 21_000  # MB for the same
SMALL = 21  # holes of boards of which all positions are soon seen
HEAD = """# One vacancy to one peg

All pairs of a first vacancy and a last peg that the [position class](glossary.md) allows, up to symmetry, on boards
that start full, made by `examples/pairs.py`. Every solution was replayed, every certificate checked. "Exhaustion": no
certificate is known; all positions that can be on the way were listed (on large boards by
[`bidirectional`](algorithms.md#bounds)).
`pegcp explain 'BOARD:START->FINISH'` draws the reason.
"""


def pairs(board: Board) -> Iterator[tuple[str, list[Problem]]]:
    """For each start, up to symmetry, the problems with a finish that its class allows, up to symmetry."""
    seen: set[int] = set()
    for vacancy in range(len(board.holes)):
        if vacancy in seen:
            continue
        symmetries = list(board.symmetries.subgroup(1000))
        seen |= {p[vacancy] for p in symmetries}
        start = Position(board, board.full & ~(1 << vacancy))
        finishes = set(bits(possible_finishes(board, start.mask)))
        found = []
        for finish in sorted(finishes):
            if finish == min(p[finish] for p in symmetries if p[vacancy] == vacancy):
                name = f"{board.name}:{board.holes[vacancy]}->{board.holes[finish]}"
                found.append(Problem(board, start, Exact(1 << finish), name=name))
        yield board.holes[vacancy], found


def verdict(problem: Problem) -> str:
    """``solvable``, the kind of evidence that there is no solution, or ``open``."""
    run = Run(Limits(time=SECONDS, workers=1))
    certificate = find(problem, seconds=SECONDS)
    if certificate is None:
        answer = choose("rounds" if len(problem.board.holes) > SMALL else "dfs").run(problem, run)
        if answer.jumps is not None:
            replay_solution(problem, answer.jumps)
            return "solvable"
        certificate = find(problem, cases=True, seconds=SECONDS)
    if certificate is not None:
        assert verify(problem, certificate) is None
        return str(certificate["kind"])
    answer = choose("bidirectional").run(problem, Run(Limits(time=EXHAUSTION, memory=MEMORY)))
    if answer.jumps is not None:
        replay_solution(problem, answer.jumps)
    return {Status.SOLVED: "solvable", Status.INFEASIBLE: "exhaustion"}.get(answer.status, "open")


def main() -> None:
    """The page."""
    print(HEAD)
    for name in sys.argv[1:]:
        board = pegcp.board(name)
        rows, counts = [], dict[str, int]()
        for start, problems in pairs(board):
            by: dict[str, list[str]] = {}
            for problem in problems:
                by.setdefault(verdict(problem), []).append(board.names(problem.final_pegs)[0])
            for kind, finishes in by.items():
                counts[kind] = counts.get(kind, 0) + len(finishes)
            others = "; ".join(f"{' '.join(finishes)}: {kind}" for kind, finishes in by.items() if kind != "solvable")
            rows.append(f"| {start} | {' '.join(by.get('solvable', [])) or '-'} | {others or '-'} |")
        told = ", ".join(f"{number} {kind}" for kind, number in counts.items())
        print(f"## {board.name}\n\n{told}.\n\n| vacancy | solvable finishes | impossible: why |\n|---|---|---|")
        print("\n".join(rows), end="\n\n", flush=True)


if __name__ == "__main__":
    main()
