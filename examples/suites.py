"""How the sets of "pegcp suite" were made: problems, runs of methods on them, answers with what shows them, grades.

    python examples/suites.py measure SET RUNS.jsonl [SECONDS]
                                    run the methods on the problems of the set, in order, until so many CPU seconds are
                                    spent; again: go on where it stopped
    python examples/suites.py write SET RUNS.jsonl
                                    print the description of the set, from what was measured
    python examples/suites.py tables SET
                                    print how many problems of the set have which grade

Those of graded-2026 come from random play backwards. A larger set is a larger ``COUNT``, measured for longer: what was
measured before is kept.
"""

from __future__ import annotations

import json
import random
import sys
import time
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from math import inf
from pathlib import Path
from typing import Any

import pegcp
from pegcp import library
from pegcp.comparison.agreement import confirm_verdicts, find_disagreements
from pegcp.comparison.experiment import make_tasks
from pegcp.comparison.store import ResultFile
from pegcp.errors import InputError
from pegcp.game import (
    Board,
    DeadEnd,
    Exact,
    Goal,
    Jump,
    Nearest,
    Objective,
    OnePeg,
    Partial,
    Position,
    Problem,
    graph_board,
    group_moves,
    write_move,
)
from pegcp.library import Row
from pegcp.method import Evidence, Reason, Status
from pegcp.results.result import Result
from pegcp.running.road import run
from pegcp.running.task import Task
from pegcp.theory import certificates
from pegcp.theory.equations import Equations, JumpCounts, NoSolution

SEED = "graded-2026"
SIZE = 300  # problems
COUNT = 2000  # candidates at most
PATIENCE = 100
LIMIT, LONGER = 5.0, 20.0  # seconds of a run; and where fewer than three methods have answered
GRADES = (0.01, 0.03, 0.1)  # seconds of the fastest method, up to which a problem has grade 1, 2, 3
IN_ONE = (0.1, 0.3, 1.0)  # seconds of the fastest method of one language, up to which it has grade 1, 2, 3 there
ANSWERS = 3  # if fewer methods answer: grade 5
QUOTA = {  # so many at most are added to what is in the set, by grade and what they turn out to be
    "solvable": (0, 0, 12, 16, 12), "unsolvable": (0, 8, 25, 30, 20), "optimum": (0, 3, 5, 12, 16),
    "open": (0, 0, 0, 0, 6),
}  # fmt: skip
BOARDS = {  # how often each board comes among the first hundred
    "english": 3, "french": 3, "wiegleb": 2, "diamond": 1, "square6": 2, "square7": 1, "square9": 1,
    "triangle15": 2, "triangle21": 3, "triangle28": 3, "triangle36": 2, "triangle66": 1, "triangle78": 1,
    "hexagon19": 3, "hexagon37": 2, "hexagon61": 1, "graph": 4,
}  # fmt: skip
KINDS = {  # how often each sort of problem comes; "played" are solvable, for they come from play backwards
    "played-exact": 4, "played-partial": 1, "exact": 10, "partial": 3, "one-peg": 2,
    "dead-end": 3, "moves": 1, "steps": 2, "pegs": 1,
}  # fmt: skip
LATER_BOARDS = {
    "english": 5, "french": 5, "wiegleb": 4, "diamond": 3, "square6": 4, "square7": 1, "triangle21": 1,
    "triangle28": 3, "triangle36": 4, "hexagon37": 2, "graph": 1,
}  # fmt: skip
LATER_KINDS = {  # "near": the goal is as far as some jumps take, and looks reachable
    "near-exact": 12, "near-partial": 2, "dead-end": 1, "moves": 1, "steps": 1, "pegs": 1,
}  # fmt: skip
LAST_BOARDS = {
    "english": 5, "french": 5, "wiegleb": 2, "diamond": 1, "square6": 2, "triangle28": 4, "triangle36": 4,
    "triangle66": 1, "hexagon37": 5, "hexagon61": 3, "graph": 5,
}  # fmt: skip
LAST_KINDS = {  # "count": there are numbers of jumps, whatever their order, that lead to the goal
    "count-exact": 16, "count-partial": 3, "count-one-peg": 2, "dead-end": 1, "moves": 1, "steps": 1, "pegs": 1,
}  # fmt: skip
HARD_BOARDS = {
    "french": 3, "wiegleb": 5, "diamond": 3, "square7": 2, "triangle36": 4, "hexagon37": 4, "hexagon61": 1, "graph": 1,
}  # fmt: skip
HARD_KINDS = {"count-exact": 8, "count-partial": 3, "dead-end": 4, "moves": 5}
STAGES = (
    (100, KINDS, BOARDS), (228, LATER_KINDS, LATER_BOARDS), (340, LAST_KINDS, LAST_BOARDS),
    (COUNT, HARD_KINDS, HARD_BOARDS),
)  # fmt: skip
SMALL = 37  # holes at most, where an optimum is asked
METHODS = {  # by objective: those that answer it, in the order in which they are asked
    Objective.ANY: "benders beam rounds budget bfs fast-downward smt-sweep sat-rounds ip-rounds asp-rounds",
    Objective.FEWEST_JUMPS: "fools-counts bfs asp-fools sat-fools fools fast-downward-opt symk",
    Objective.FEWEST_MOVES: "fewest-moves long-hop fast-downward-opt symk",
    Objective.FEWEST_STEPS: "sat-parallel parallel ip-parallel fast-downward-opt symk",
    Objective.FEWEST_PEGS: "rounds bfs ip-rounds fast-downward-opt symk",
}
LANGUAGES = {  # the methods of each
    "cp-sat": "benders rounds fools-counts fools long-hop parallel",
    "ip": "ip-rounds ip-parallel",
    "sat": "sat-rounds sat-fools sat-parallel",
    "asp": "asp-rounds asp-fools",
    "smt": "smt-sweep",
    "pddl": "fast-downward fast-downward-opt symk",
    "search": "beam budget bfs fewest-moves",
}
ONLY_FIND = "beam smt-sweep sat-rounds ip-rounds asp-rounds"  # without an end where there is no solution
ONLY_SAMPLED = "ip-rounds asp-rounds"
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


def pool() -> Iterator[tuple[Problem, list[Jump]]]:
    """The candidates, each with a solution if it was played. Each is decided by its number alone."""
    for number in range(COUNT):
        chance = random.Random(f"{SEED} {number}")
        found = None
        while found is None:
            some = next(some for end, *some in STAGES if number < end)
            kind, on = (chance.choices(list(of), list(of.values()))[0] for of in some)
            tries = (_problem(chance, kind, on, f"{on}-{kind}-{number:03}") for _ in range(PATIENCE))
            found = next((problem for problem in tries if problem is not None), None)
        yield found


def _board(chance: random.Random, name: str) -> Board:
    """The board of that name; or a random connected graph in which most vertices have three edges or less."""
    if name != "graph":
        return pegcp.board(name)
    size = chance.randint(14, 26)
    edges = {(chance.randint(max(0, v - 5), v - 1), v) for v in range(1, size)}
    while len(edges) < size + size // 6:
        edges.add(tuple(sorted(chance.sample(range(size), 2))))  # type: ignore[arg-type]
    return graph_board([str(v) for v in range(size)], [(str(a), str(b)) for a, b in sorted(edges)], "graph")


def _problem(chance: random.Random, kind: str, on: str, name: str) -> tuple[Problem, list[Jump]] | None:
    """A problem of that sort, or None if none came of it."""
    board, solution = _board(chance, on), list[Jump]()
    holes = len(board.holes)
    goal: Goal
    objective = Objective.ANY
    match kind:
        case "dead-end" | "pegs":
            start = _some(chance, holes, chance.uniform(0.6, 0.97))
            goal, objective = (
                (DeadEnd(), Objective.FEWEST_JUMPS) if kind == "dead-end" else (Partial(0), Objective.FEWEST_PEGS)
            )
        case "near-exact" | "near-partial":
            start = _some(chance, holes, chance.uniform(0.55, 0.78))
            last = _same_class(chance, board, start, start.bit_count() - chance.randint(8, 17))
            goal = _goal(chance, holes, last, kind)
        case "count-exact" | "count-partial" | "count-one-peg":
            start = _some(chance, holes, chance.uniform(0.55, 0.85))
            pegs = 1 if kind == "count-one-peg" else start.bit_count() - chance.randint(8, 30)
            last = _same_class(chance, board, start, max(1, pegs))
            goal = OnePeg() if kind == "count-one-peg" else _goal(chance, holes, last, kind)
        case "exact" | "partial" | "one-peg":
            start = _some(chance, holes, chance.uniform(0.6, 0.9))
            last = _same_class(chance, board, start, 1 if kind == "one-peg" else chance.randint(1, holes // 3))
            goal = OnePeg() if kind == "one-peg" else _goal(chance, holes, last, kind)
        case _:
            start = last = _some(chance, holes, chance.uniform(0.02, 0.2))
            for _ in range(holes if kind.startswith("played") else chance.randint(8, 18)):
                if ways := [jump for jump in board.jumps if start & jump.mask == 1 << jump.to]:
                    solution.insert(0, chance.choice(ways))
                    start ^= solution[0].mask
            goal = _goal(chance, holes, last, kind)
            objective = {"moves": Objective.FEWEST_MOVES, "steps": Objective.FEWEST_STEPS}.get(kind, objective)
    found = Problem(board, Position(board, start), goal, objective, name)
    if (objective is not Objective.ANY and holes > SMALL) or found.is_goal(start):
        return None
    if certificates.find(found) is not None or (kind.startswith("count") and not _countable(found)):
        return None
    return found, solution


def _countable(problem: Problem) -> bool:
    """True if some numbers of jumps lead to the goal, in whatever order: then no budget and no sum refutes it."""
    with suppress(NoSolution):
        return bool(Equations(JumpCounts(problem)).maximize(problem.board.jumps[0], 60.0)[1])
    return False


def _some(chance: random.Random, holes: int, share: float) -> int:
    """So many of the holes."""
    return sum(1 << hole for hole in chance.sample(range(holes), max(1, round(share * holes))))


def _goal(chance: random.Random, holes: int, last: int, kind: str) -> Goal:
    """Exactly that position, or two thirds of it."""
    if "partial" not in kind:
        return Exact(last)
    fixed = _some(chance, holes, 0.67)
    return Partial(last & fixed, fixed & ~last)


def _same_class(chance: random.Random, board: Board, start: int, pegs: int) -> int:
    """A position of so many pegs, or nearly, that no position class can tell from another: lines are changed in it."""
    masks = sorted({jump.mask for jump in board.jumps})
    best = start
    for _ in range(1000):
        start ^= chance.choice(masks)
        best = min(best, start, key=lambda position: abs(position.bit_count() - pegs))
    return best


def measure(name: str, runs: Path, seconds: float) -> None:
    """Ask the methods problem after problem, until so many seconds are over; those of grade 5 again, for longer."""
    began, kept = time.monotonic(), {row.name for row in library.suite(name).rows}
    with ResultFile(runs, print) as file:

        def ask(task: Task) -> Result | None:
            if time.monotonic() - began > seconds:
                return file.find(task)
            result = file.find(task) or run(task)
            file.append(task, result)
            return result

        for longer in (False, True):
            for problem, _, told in _measured(name, kept, ask, longer=longer):
                seen = " ".join(f"{result.method}:{result.verdict[:4]}:{_seconds(result):.2f}" for result in told)
                print(f"{time.monotonic() - began:.0f}", problem.name, _grade(told), _kind(told), seen, flush=True)


def _measured(
    name: str, kept: Collection[str], ask: Callable[[Task], Result | None], *, longer: bool
) -> Iterator[tuple[Problem, list[Jump], list[Result]]]:
    """The problems of a set with their results: those that were in it, and candidates until there are enough."""
    taken, size, room = Counter[tuple[str, int]](), 0, SIZE - len(kept)
    for problem, played in SETS[name]():
        added = problem.name not in kept
        if name == SEED and added and taken.total() >= room:
            continue
        told = _told(name, problem, ask, lambda told: added and _spare(told, taken))  # noqa: B023
        if told is None:
            continue
        if added:
            taken[_kind(told), _grade(told)] += 1
        if longer and name == SEED and _grade(told) == 5:
            told += _again(problem, told, ask)
        yield problem, played, told
        size += 1
        if name == SEED and size == SIZE:
            return


def _again(problem: Problem, told: list[Result], ask: Callable[[Task], Result | None]) -> list[Result]:
    """What those answer that had not enough time, until enough have answered."""
    more: list[Result] = []
    refuted = _kind(told) == "unsolvable"
    for before in told:
        if before.reason is Reason.TIME and _answers(told + more) < ANSWERS:
            hopeless = refuted and before.method in ONLY_FIND.split()
            result = None if hopeless else ask(_task(problem, before.method, LONGER))
            more += [] if result is None else [result]
    return more


def _task(problem: Problem, method: str, limit: float) -> Task:
    return make_tasks([problem], [method], time_limit=limit, workers=1)[0]


def _told(
    name: str, problem: Problem, ask: Callable[[Task], Result | None], spare: Callable[[list[Result]], bool]
) -> list[Result] | None:
    """What the methods answer that matter; None if one was not asked, or there are enough such problems."""
    told: list[Result] = []
    for method in _methods(name)[problem.objective].split():
        if name == SEED and not _matters(method, problem, told):
            continue
        result = ask(_task(problem, method, LIMIT))
        if result is None:
            return None
        told.append(result)
        if name == SEED and spare(told):
            return None
    return told


def _matters(method: str, problem: Problem, told: list[Result]) -> bool:
    """Every tenth problem is for all methods; others are for those that can tell more of the grades."""
    if problem.name[-1] == "0":
        return True
    if any(result.status is Status.INFEASIBLE for result in told):
        return method not in ONLY_FIND.split() and (method != "fast-downward" or _answers(told) < ANSWERS)
    if method == "symk":
        return _answers(told) < ANSWERS
    quick = any(result.method == "beam" and _settles(result) for result in told)
    return method not in ONLY_SAMPLED.split() and not (quick and method in ("budget", "bfs"))


def _spare(told: list[Result], taken: Counter[tuple[str, int]]) -> bool:
    """Whether there are enough problems of that sort: what is answered in so many seconds has no higher grade."""
    kind, grade = _kind(told), 1 + sum(_fastest(told) > most for most in GRADES)
    if kind == "open":
        return len(told) > ANSWERS and taken[kind, 5] >= QUOTA[kind][4]
    sure = kind == "solvable" or grade == 1 or _answers(told) >= ANSWERS
    return sure and taken[kind, grade] >= QUOTA[kind][grade - 1]


def _grade(told: list[Result]) -> int:
    """By the seconds of the fastest, or as few have answered."""
    return 1 + sum(_fastest(told) > most for most in GRADES) if _answers(told) >= ANSWERS else 5


def _kind(told: list[Result]) -> str:
    """What a problem turns out to be."""
    if any(result.status is Status.INFEASIBLE for result in told):
        return "unsolvable"
    settled = [result for result in told if _settles(result)]
    return "open" if not settled else "solvable" if settled[0].status is Status.SOLVED else "optimum"


def _by_language(told: list[Result]) -> dict[str, int]:
    """A grade in each language of which a method was asked: by its fastest method, 5 without an answer."""
    grades = {}
    asked = [result for result in told if result.reason is not Reason.UNSUPPORTED]
    for language in library.LANGUAGES:
        of = [result for result in asked if result.method in LANGUAGES[language].split()]
        grade = 1 + sum(_fastest(of) > most for most in IN_ONE) if _answers(of) else 5
        if of:
            grades[language] = grade
    return grades


def _answers(told: list[Result]) -> int:
    return len({result.method for result in told if _settles(result)})


def _fastest(told: list[Result]) -> float:
    return min((_seconds(result) for result in told if _settles(result)), default=inf)


def _seconds(result: Result) -> float:
    """Those of the method itself; CPU seconds of the whole run where these are fewer, the machine being shared."""
    own = sum(result.statistics.get(f"{part}_seconds") or 0.0 for part in ("build", "solve"))
    return float(min(own, result.statistics.get("cpu_seconds") or own))


def write(name: str, runs: Path) -> str:
    """The description of a set, from what was measured. Problems that were not measured are left out."""
    with ResultFile(runs, print) as file:
        kept = {row.name for row in library.suite(name).rows}
        measured = list(_measured(name, kept, file.find, longer=True))
    results = confirm_verdicts(result for _, _, told in measured for result in told)
    if faults := find_disagreements(results):
        raise SystemExit("\n".join(fault.message for fault in faults))
    graphs, rows = dict[str, str](), list[Row]()
    for problem, played, asked in measured:
        told, results = results[: len(asked)], results[len(asked) :]
        answer, shown, solution = _truth(problem, told, played)
        about = {"grade": _grade(told), "grades": _by_language(told)} if name == SEED else {}
        row = _described(problem, answer=answer, shown=shown, solution=solution, **about)
        if problem.board.name == "graph":
            graphs[problem.name] = _edges(problem.board)
            row = replace(row, board=problem.name)
        rows.append(row)
    origin = {"made by": "examples/suites.py", "limit": f"{LIMIT:g} s"}
    if name == SEED:
        origin |= {
            "seed": SEED,
            "limit of what fewer than 3 methods answer": f"{LONGER:g} s",
            "grades": _grades(GRADES, f"fewer than {ANSWERS} methods answered"),
            "grades in a language": _grades(IN_ONE, "none answered"),
        }
    return _file_text(TITLES[name], origin, graphs, rows)


def _grades(seconds: Sequence[float], hardest: str) -> str:
    """What the grades mean."""
    grades = [*(f"the fastest took at most {most:g} s" for most in seconds), "more", hardest]
    return "; ".join(f"{n}: {text}" for n, text in enumerate(grades, 1))


def tables(name: str) -> str:
    """How many problems have which grade, by what they are, and in each language."""
    rows = library.suite(name).rows
    kinds = ["solvable", "unsolvable", "optimum", "open"]
    lines = [["grade", "problems", *kinds], ["---"] * 6]
    for grade in range(1, 6):
        count = Counter(row.kind for row in rows if row.grade == grade)
        lines.append([str(grade), str(count.total()), *(str(count[kind]) for kind in kinds)])
    lines += [[], ["language", *map(str, range(1, 6)), "not asked"], ["---"] * 7]
    for language in library.LANGUAGES:
        counts = Counter(row.grades.get(language, 6) for row in rows)
        lines.append([language, *(str(counts[grade]) for grade in range(1, 7))])
    return "".join(f"| {' | '.join(line)} |\n" if line else "\n" for line in lines)


def _edges(board: Board) -> str:
    """The edges of a graph: each vertex of a line is next to its middle."""
    pairs = {tuple(sorted((over, end))) for a, over, b in board.lines for end in (a, b)}
    return " ".join(f"{a}-{b}" for a, b in sorted(pairs))


def _truth(problem: Problem, told: list[Result], played: list[Jump]) -> tuple[bool | int | None, str, str]:
    """The answer, what shows it, and the shortest of the best solutions."""
    solved = [result for result in told if result.jumps is not None]
    refuted = [result for result in told if result.status is Status.INFEASIBLE]
    optimal = [result for result in told if result.status is Status.OPTIMAL]
    if refuted:
        best_evidence = min((result.evidence for result in refuted if result.evidence), key=list(Evidence).index)
        by = ", ".join(sorted({result.method for result in refuted}))
        return False, "certificate" if best_evidence is Evidence.CERTIFICATE else f"{best_evidence}: {by}", ""
    if not solved:
        return (
            (True, "solution", _solution_text(problem.board, played))
            if played and problem.objective is Objective.ANY
            else (None, "", "")
        )
    best = min(solved, key=lambda result: (result.objective or 0, result.status is not Status.OPTIMAL, result.method))
    assert best.jumps is not None
    solution = _solution_text(problem.board, best.jumps)
    if problem.objective is Objective.ANY:
        return True, "solution", solution
    if not optimal:
        return None, f"solution with {best.objective}", solution
    if any(result.evidence is Evidence.REPLAYED for result in optimal):
        return int(best.objective or 0), "solution, none can have less", solution
    by = ", ".join(sorted({result.method for result in optimal}))
    word = "agreed" if any(result.evidence is Evidence.AGREED for result in optimal) else "claimed"
    return int(best.objective or 0), f"solution; {word}: {by}", solution


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
    SEED: "Random problems on seventeen sorts of boards, by five grades of hardness",
}
SETS: dict[str, Callable[[], Iterator[tuple[Problem, list[Jump]]]]] = {
    "csplib": lambda: ((problem, []) for problem in csplib()),
    "competitions": lambda: ((problem, []) for problem in competitions()),
    "boards": lambda: ((problem, []) for problem in boards()),
    SEED: pool,
}


def _described(problem: Problem, **about: Any) -> Row:
    """The row of a problem, with what is true ``about`` it. Raises InputError for a goal that no set has."""
    board, start, objective = problem.board, _holes(problem.board, problem.start.mask), problem.objective.value
    if isinstance(problem.goal, Nearest):
        raise InputError("a set has no goals with weights of holes")
    return Row(problem.name, board.name, start, problem.goal_forms.option, objective, **about)


def _solution_text(board: Board, jumps: Sequence[Jump]) -> str:
    """The moves of a solution, as the file of a set has them."""
    return " ".join(write_move(board, move) for move in group_moves(jumps))


def _file_text(title: str, about: dict[str, str], boards: dict[str, str], rows: Iterable[Row]) -> str:
    """The file of a set, a line for each problem."""
    defaults = vars(Row("", "", "", ""))
    fields = [{key: value for key, value in vars(row).items() if value != defaults[key]} for row in rows]
    lines = [json.dumps(values, ensure_ascii=False, separators=(",", ":")) for values in fields]
    head = json.dumps({"title": title, "about": about, "boards": boards}, indent=1)[:-2]
    return f'{head},\n "problems": [\n  ' + ",\n  ".join(lines) + "\n ]\n}\n"


def _holes(board: Board, pegs: int) -> str:
    """The holes of a bit mask, or all but the others if they are fewer."""
    vacancies = board.full & ~pegs
    full = 2 * pegs.bit_count() > len(board.holes)
    return " ".join(["all but", *board.names(vacancies)] if full and vacancies else board.names(pegs))


if __name__ == "__main__":
    if sys.argv[1] == "measure":
        measure(sys.argv[2], Path(sys.argv[3]), float((*sys.argv[4:], "inf")[0]))
    elif sys.argv[1] == "write":
        print(write(sys.argv[2], Path(sys.argv[3])), end="")
    else:
        print(tables(sys.argv[2]), end="")
