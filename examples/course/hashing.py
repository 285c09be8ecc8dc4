"""The lab sheet's table: depth-first search without a table of failed positions, with chained and with double hashing.

Run it with:  python examples/course/hashing.py BOARD...   (files of peg numbers on the 7 x 7 grid, or any problems)

The first two boards go to all three searches, the others to the two with hashing; one after the other in this process,
so that the CPU times are theirs.
"""

import sys
from pathlib import Path

import pegcp
from pegcp.catalogue.choice import choose
from pegcp.method import Run
from pegcp.results.judge import judge_answer

FIGURES = ("cpu_seconds", "nodes", "stored", "table_size", "load_factor", "probes", "collisions")
METHODS = ("dfs-plain", "dfs-chained", "dfs-double")


def main(boards: list[str]) -> None:
    """Print a line for each search of each board."""
    print(f"{'board':12} {'pegs':>4} {'search':12} {'verdict':12}" + "".join(f"{name:>12}" for name in FIGURES))
    for number, board in enumerate(boards):
        problem = pegcp.problem(board)
        for method in METHODS if number < 2 else METHODS[1:]:
            result = judge_answer(problem, method, choose(method).run(problem, Run()))
            told = [result.statistics.get(name, "-") for name in FIGURES]
            figures = "".join(f"{value:12.4f}" if isinstance(value, float) else f"{value:>12}" for value in told)
            print(f"{problem.name:12} {len(problem.start):4} {method:12} {result.verdict:12}{figures}")


if __name__ == "__main__":
    here = Path(__file__).parent
    main(sys.argv[1:] or [str(here / f"board{number}.txt") for number in (1, 2, 4)])
