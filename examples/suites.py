"""How the sets of "pegcp suite" were made: problems, runs of methods on them, answers with what shows them, grades.

    python examples/suites.py measure SET RUNS.jsonl [SECONDS]
                                    run the methods on the problems of the set, in order, until so many CPU seconds are
                                    spent; again: go on where it stopped
    python examples/suites.py write SET RUNS.jsonl
                                    print the description of the set, from what was measured

Those of graded-2026 come from random play backwards. A larger set is a larger ``COUNT``, measured for longer: what was
measured before is kept.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy

import pegcp
from pegcp import library
from pegcp.comparison.agreement import confirmed, disagreements
from pegcp.comparison.schedule import run_all, tasks
from pegcp.comparison.store import read_results
from pegcp.game.board import Board, graph_board
from pegcp.game.goal import DeadEnd, Exact, Goal, Objective, OnePeg, Partial
from pegcp.game.position import Position
from pegcp.game.problem import Problem
from pegcp.library import suites
from pegcp.library.suites import Row
from pegcp.method import Evidence, Status
from pegcp.result import Result
from pegcp.theory import certificates

SEED = "graded-2026"
COUNT = 300
PATIENCE = 200
LIMIT = 10.0  # seconds of a run
GRADES = (0.5, 1.0, 3.0)  # CPU seconds of the fastest method, up to which a problem has grade 1, 2, 3
FEW = 2  # at most so many methods: grade 5
BOARDS = {  # each board, and how many jumps a problem on it may have
    "english": (8, 26), "french": (8, 28), "triangle15": (6, 13), "triangle21": (8, 18), "triangle28": (10, 24),
    "hexagon19": (6, 16), "hexagon37": (10, 28), "square6": (10, 28), "graph": (8, 20),
}  # fmt: skip
KINDS = {  # how often each sort of problem comes
    ("exact", True): 5, ("one peg", True): 3, ("partial", True): 3, ("exact", False): 5, ("one peg", False): 5,
    ("partial", False): 2, "dead end": 3, "moves": 2, "steps": 2, "pegs": 1,
}  # fmt: skip
METHODS = {  # by objective: those that answer it, one or more for each language
    Objective.ANY: "dfs bfs budget rounds sat-rounds ip-rounds asp-rounds smt-sweep fast-downward",
    Objective.FEWEST_JUMPS: "bfs fools fools-counts sat-fools asp-fools ip-state fast-downward-opt",
    Objective.FEWEST_MOVES: "fewest-moves long-hop fast-downward-opt",
    Objective.FEWEST_STEPS: "fewest-steps parallel sat-parallel ip-parallel fast-downward-opt",
    Objective.FEWEST_PEGS: "bfs rounds ip-rounds",
}
QUICK = {  # for sets without grades
    Objective.ANY: "dfs rounds budget",
    Objective.FEWEST_JUMPS: "fools-counts bfs",
    Objective.FEWEST_MOVES: "fewest-moves",
}


def csplib() -> Iterator[Problem]:
    """The reversals, Fool's Solitaire and long-hop of CSPLib 037, and the patterns and figures of the papers."""
    board = pegcp.board("english")
    for hole in board.holes:
        yield replace(pegcp.problem(f"english:{hole}"), name=f"reversal-{hole}")
    for hole in ["c1", "c2", "c3", "d1", "d2", "d3", "d4"]:
        yield replace(pegcp.problem(f"english:{hole}!"), name=f"fools-{hole}")
    yield replace(pegcp.problem("english", objective="fewest-moves"), name="long-hop")
    for name in library.problem_names():
        if not name.startswith(("army", "lab")):
            yield pegcp.problem(name)


def competitions() -> Iterator[Problem]:
    """The puzzles from which the planning competitions took theirs."""
    for path in sorted(Path(__file__).with_name("puzzles").glob("*.toml")):
        yield replace(pegcp.problem(str(path)), name=f"p{path.stem}")


def boards() -> Iterator[Problem]:
    """The own problems of growing boards of each family, and of the boards that ship."""
    sizes = {
        "triangle{}": (6, 10, 15, 21, 28, 36, 45), "square{}": range(3, 10), "rectangle4x{}": range(3, 9),
        "hexagon{}": (7, 19, 37, 61), "line{}": range(6, 25, 3), "cycle{}": range(4, 23, 3),
    }  # fmt: skip
    for name in [*(form.format(size) for form, some in sizes.items() for size in some), *library.board_names()]:
        problem = pegcp.problem(name)
        yield replace(problem, name=name, objective=Objective.ANY)


def pool(count: int) -> Iterator[Problem]:
    """So many problems, mixed: the first of them are a fair sample. Each is decided by its number alone."""
    for number in range(count):
        chance = random.Random(f"{SEED} {number}")
        found = None
        while found is None:
            kind = chance.choices(list(KINDS), list(KINDS.values()))[0]
            name = chance.choice(list(BOARDS))
            tries = (_problem(chance, kind, name, f"g{number:03}") for _ in range(PATIENCE))
            found = next((problem for problem in tries if problem is not None), None)
        yield found


def _board(chance: random.Random, name: str) -> Board:
    """The board of that name; or a random connected graph in which most vertices have three edges or less."""
    if name != "graph":
        return pegcp.board(name)
    size = chance.randint(14, 24)
    edges = {(chance.randint(max(0, v - 5), v - 1), v) for v in range(1, size)}
    while len(edges) < size + size // 4:
        edges.add(tuple(sorted(chance.sample(range(size), 2))))  # type: ignore[arg-type]
    return graph_board([str(v) for v in range(size)], [(str(a), str(b)) for a, b in sorted(edges)], "graph")


def _problem(chance: random.Random, kind: Any, on: str, name: str) -> Problem | None:
    """A problem of that sort, or None if none came of it."""
    board, jumps = _board(chance, on), chance.randint(*BOARDS[on])
    one_peg = kind in (("one peg", True), ("one peg", False))
    most = len(board.holes) - jumps - 1
    if most < 1:
        return None
    last = sum(1 << hole for hole in chance.sample(range(len(board.holes)), 1 if one_peg else chance.randint(1, most)))
    start = last
    for _ in range(jumps):
        ways = [jump for jump in board.jumps if start & jump.mask == 1 << jump.to]
        if not ways:
            return None
        start ^= chance.choice(ways).mask
    goal: Goal = Exact(last)
    objective = Objective.ANY
    match kind:
        case "dead end":
            goal, objective = DeadEnd(), Objective.FEWEST_JUMPS
        case "moves":
            objective = Objective.FEWEST_MOVES
        case "steps":
            objective = Objective.FEWEST_STEPS
        case "pegs":
            goal, objective = Partial(0), Objective.FEWEST_PEGS
        case (sort, solvable):
            if not solvable:  # another start of the same class, with as many pegs
                start = _swapped(chance, board, start)
            if sort == "one peg":
                goal = OnePeg()
            elif sort == "partial":
                fixed = sum(1 << hole for hole in range(len(board.holes)) if chance.random() < 0.6)
                goal = Partial(last & fixed, fixed & ~last)
    found = Problem(board, Position(board, start), goal, objective, name)
    if objective is Objective.ANY and found.is_goal(start):
        return None
    return None if certificates.find(found) is not None else found


def _swapped(chance: random.Random, board: Board, start: int) -> int:
    """A position with as many pegs, that no position class can tell from another: holes of lines are changed."""
    masks = sorted({jump.mask for jump in board.jumps})
    while True:
        other = start
        for _ in range(2 * chance.randint(1, 3)):
            other ^= chance.choice(masks)
        if other != start and other.bit_count() == start.bit_count():
            return other


def measure(name: str, runs: Path, seconds: float) -> None:
    """Run the methods on problem after problem, until so many CPU seconds are spent."""
    spent, methods = 0.0, _methods(name)
    for number, problem in enumerate(SETS[name]()):
        wanted = tasks([problem], methods[problem.objective].split(), time_limit=LIMIT, workers=1)
        results = run_all(wanted, out=runs)
        spent += sum(result.statistics.get("cpu_seconds", 0.0) for result in results)
        print(number, problem.name, problem.board.name, f"{spent:.0f}", *(r.verdict[:3] for r in results), flush=True)
        if spent > seconds:
            break


def write(name: str, runs: Path) -> str:
    """The description of a set, from what was measured. Problems that were not measured are left out."""
    results, _ = read_results([runs])
    results = confirmed(results)
    faults = disagreements(results)
    if faults:
        raise SystemExit("\n".join(fault.message for fault in faults))
    found: dict[str, list[Result]] = {}
    for result in results:
        found.setdefault(result.problem.fingerprint, []).append(result)
    graphs, rows = dict[str, str](), list[Row]()
    for problem in SETS[name]():
        told = found.get(problem.fingerprint)
        if told is None or len({result.method for result in told}) < len(_methods(name)[problem.objective].split()):
            continue
        text = suites.written(problem)
        if problem.board.name == "graph":
            on = f"{problem.name}-graph"
            graphs[on] = _edges(problem.board)
            text = f"{on} {text.partition(' ')[2]}"
        answer, shown, solution = _truth(problem, told)
        grade = _grade(told) if name == SEED else 0
        rows.append(Row(problem.name, text, grade, answer, shown, solution))
    about = {"made by": "examples/suites.py", "limit": f"{LIMIT:g} s"}
    if name == SEED:
        grades = [f"the fastest took at most {most:g} s" for most in GRADES]
        grades += ["more", f"at most {FEW} methods answered within the limit"]
        about |= {"seed": SEED, "grades": "; ".join(f"{n}: {text}" for n, text in enumerate(grades, 1))}
    return suites.described(TITLES[name], about, graphs, rows)


def _edges(board: Board) -> str:
    """The edges of a graph: each vertex of a line is next to its middle."""
    pairs = {tuple(sorted((over, end))) for a, over, b in board.lines for end in (a, b)}
    return " ".join(f"{a}-{b}" for a, b in sorted(pairs))


def _truth(problem: Problem, told: list[Result]) -> tuple[bool | int | None, str, str]:
    """The answer, what shows it, and the shortest of the best solutions."""
    solved = [result for result in told if result.jumps is not None]
    refuted = [result for result in told if result.status is Status.INFEASIBLE]
    optimal = [result for result in told if result.status is Status.OPTIMAL]
    if refuted:
        best_evidence = min((result.evidence for result in refuted if result.evidence), key=list(Evidence).index)
        by = ", ".join(sorted({result.method for result in refuted}))
        return False, "certificate" if best_evidence is Evidence.CERTIFICATE else f"{best_evidence}: {by}", ""
    if not solved:
        return None, "", ""
    best = min(solved, key=lambda result: (result.objective or 0, result.status is not Status.OPTIMAL, result.method))
    assert best.jumps is not None
    place = {jump: n for n, jump in enumerate(problem.board.jumps)}
    solution = "".join(numpy.base_repr(place[jump], 36).lower().zfill(2) for jump in best.jumps)
    if problem.objective is Objective.ANY:
        return True, "solution", solution
    if not optimal:
        return None, f"solution with {best.objective}", solution
    if any(result.evidence is Evidence.REPLAYED for result in optimal):
        return int(best.objective or 0), "solution, none can have less", solution
    by = ", ".join(sorted({result.method for result in optimal}))
    return int(best.objective or 0), f"solution; {'agreed' if len(optimal) > 1 else 'claimed'}: {by}", solution


def _grade(told: list[Result]) -> int:
    """By the CPU seconds of the fastest method that settled the problem."""
    settled = [result for result in told if _settles(result)]
    if len({result.method for result in settled}) <= FEW < len(told):
        return 5
    fastest = float(min(result.statistics["cpu_seconds"] for result in settled))
    return 1 + sum(fastest > most for most in GRADES)


def _settles(result: Result) -> bool:
    """Whether a method answered the question: what it found is an optimum, where one is wanted."""
    return result.status in (Status.OPTIMAL, Status.INFEASIBLE) or (
        result.status is Status.SOLVED and result.problem.objective is Objective.ANY
    )


def _methods(name: str) -> dict[Objective, str]:
    return METHODS if name == SEED else QUICK


TITLES = {
    "csplib": "CSPLib 037: the 33 reversals, Fool's Solitaire, long-hop, and figures of the papers",
    "competitions": "The puzzles behind the pegsol problems of the planning competitions",
    "boards": "One problem on growing boards of each family, and on the boards that ship",
    SEED: "Random problems on nine sorts of boards, by five grades of hardness",
}
SETS: dict[str, Callable[[], Iterator[Problem]]] = {
    "csplib": csplib,
    "competitions": competitions,
    "boards": boards,
    SEED: lambda: pool(COUNT),
}

if __name__ == "__main__":
    if sys.argv[1] == "measure":
        measure(sys.argv[2], Path(sys.argv[3]), float((*sys.argv[4:], "inf")[0]))
    else:
        print(write(sys.argv[2], Path(sys.argv[3])), end="")
