"""Positions in bulk: what can be reached, what can be won, how many solutions there are, and the fewest moves.

Run it with:  python examples/state_spaces.py [central | single-vacancy [BOARD ...] | puzzles | fools BOARD ...]

Prints wall and CPU seconds of each task in this process, after a first run on a smaller problem that compiles what has
not been compiled yet, or reads it from the cache.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import product
from pathlib import Path
from typing import Any

import pegcp
from pegcp.catalogue.choice import choose
from pegcp.game import Objective, Problem
from pegcp.method import Limits, Run, Status
from pegcp.search.count import solutions
from pegcp.states.graph import level_counts
from pegcp.states.winnable import build
from pegcp.theory.parity import possible_finishes

_MEMORY = 8000  # MB
_PUZZLES = Path(__file__).parent.parent / "tests" / "data" / "english_puzzles.json"


def run() -> Run:
    """Limits for one task."""
    return Run(Limits(time=3600, workers=2))


def timed(task: str, work: Callable[[], object]) -> None:
    """Print what a task gives and what it took."""
    wall, cpu = time.perf_counter(), time.process_time()
    found = work()
    print(
        f"{task:44} {found!s:>24} {time.perf_counter() - wall:8.2f} s {time.process_time() - cpu:8.2f} s CPU",
        flush=True,
    )


def fewest(problem: Problem) -> object:
    """The fewest moves, proved."""
    answer = choose("fewest-moves").run(problem, run())
    return answer.bound if answer.status is Status.OPTIMAL else answer.status


def shortest(problem: Problem) -> object:
    """The fewest jumps, proved; or more than how many they are, if memory does not suffice."""
    answer = choose("bfs").run(problem, Run(Limits(time=3600, memory=_MEMORY, workers=2)))
    return answer.bound if answer.status is Status.OPTIMAL else f"at least {answer.bound}"


def small() -> int:
    """What the other tasks do, on a small board."""
    problem = pegcp.problem("triangle21:a1")
    fewest(replace(problem, objective=Objective.FEWEST_MOVES))
    return sum(level.positions for level in level_counts(problem, run())) + solutions(problem, run())


def central() -> None:
    """The central game of the English board, and the triangle."""
    problem = pegcp.problem("english")
    timed(
        "positions that can be reached, up to symmetry", lambda: sum(c.positions for c in level_counts(problem, run()))
    )
    timed("winnable positions, up to symmetry", lambda: len(build(problem, run())))
    timed("solutions (the winnable set made first)", lambda: solutions(problem, run()))
    timed("solutions (the winnable set kept)", lambda: solutions(problem, run()))
    timed("fewest moves (the winnable set kept)", lambda: fewest(pegcp.problem("english", objective="fewest-moves")))
    for hole in ("a1", "a2", "a3", "b3"):
        triangle = pegcp.problem(f"triangle15:{hole}->?")
        timed(f"solutions of the triangle from {hole}", partial(solutions, triangle, run()))


def single_vacancy(names: Sequence[str]) -> None:
    """Fewest moves for every pair of start vacancy and last peg that the position classes allow, up to symmetry."""
    for board in map(pegcp.board, names):
        seen = set()
        holes = range(len(board.holes))
        for start, finish in product(holes, holes):
            pair = min((p[start], p[finish]) for p in board.symmetries.elements())
            if pair in seen or not possible_finishes(board, board.full & ~(1 << start)) >> finish & 1:
                continue
            seen.add(pair)
            name = f"{board.name}:{board.holes[start]}->{board.holes[finish]}"
            timed(f"fewest moves {name}", partial(fewest, pegcp.problem(name, objective="fewest-moves")))


def puzzles() -> None:
    """Fewest moves of all puzzles behind the competitions' pegsol (the sequential optimal track), each proved."""
    board = pegcp.board("english")
    name = dict(zip(board.cells or (), board.holes, strict=True))

    def right(puzzle: Mapping[str, Any]) -> bool:
        start = " ".join(name[row, column] for row, column in puzzle["pegs"])
        goal = name[tuple(puzzle["target"])]
        problem = pegcp.problem("english", start=start, goal=goal, objective="fewest-moves")
        return bool(fewest(problem) == (puzzle["min_moves"] if puzzle["solvable"] else Status.INFEASIBLE))

    found = [p for p in json.loads(_PUZZLES.read_text(encoding="utf-8")) if "/seq-" in " ".join(p["used_in"])]
    timed(f"fewest moves of {len(found)} puzzles, right", lambda: sum(map(right, found)))


def fools(names: Sequence[str]) -> None:
    """Fool's Solitaire from every class of start vacancies of some boards, or from one vacancy (``french:c1``)."""
    for text in names:
        board = pegcp.board(text.split(":")[0])
        wanted = [text] if ":" in text else [f"{text}:{board.holes[orbit[0]]}" for orbit in board.symmetries.orbits]
        for name in wanted:
            timed(f"fewest jumps to a dead end {name}", partial(shortest, pegcp.problem(f"{name}!")))


if __name__ == "__main__":
    timed("a small board first, with the machine code", small)
    match sys.argv[1:]:
        case ["single-vacancy", *names]:
            single_vacancy(names or ["english"])
        case ["puzzles"]:
            puzzles()
        case ["fools", *names]:
            fools(names)
        case _:
            central()
