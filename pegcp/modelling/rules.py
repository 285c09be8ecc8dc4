"""Answer-set rules and MiniZinc: a problem as facts or as data, and a file of statements as a model.

Files of rules follow clingo's incremental mode: ``base`` is grounded once, ``step(t)`` for t = 1, 2, ..., and
``check(t)`` asks, where its external atom ``query(t)`` holds, whether the position after step t satisfies the goal. The
atoms ``made(t,J)`` are the solution: jump number J is made in step t, and the jumps of a step are made in rising order.

A file in MiniZinc declares the data of :func:`data`, the variables ``made[t, j]`` with the same meaning, and the
function ``peg(t, h)``: hole h holds a peg after step t. It may have the variables ``moves[t] = j``, too.
"""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from pegcp.modelling import ByJump, DeadEnd, Formulation, Jump, OnePeg, Problem, Value
from pegcp.modelling.ordering import first_of_class, from_counts, outside_in, round_counts

_MOVES = re.compile(r":\s*moves\b")  # a declaration in MiniZinc
_PART = re.compile(r"^#program\s+(\w+)(?:\((\w+)\))?\s*\.", re.MULTILINE)  # of a file of rules


@dataclass(frozen=True)
class Rules:
    """The rules of a model, the facts of a problem, and a number of steps."""

    text: str
    facts: str
    horizon: int

    @property
    def fixed(self) -> str:
        """The program for this number of steps alone, without parts, which every grounder reads."""
        first, *parts = _PART.split(self.text)
        texts = [first]
        for name, parameter, body in zip(parts[::3], parts[1::3], parts[2::3], strict=True):
            times = {"step": range(1, self.horizon + 1), "check": [self.horizon]}.get(name)
            if times is None:
                texts.append(body)
            else:
                texts += [re.sub(rf"\b{parameter}\b", str(t), body) for t in times]
        return "".join([*texts, f"query({self.horizon}).\n", self.facts])


def facts(problem: Problem) -> str:
    """Return the problem as facts, one a line; holes are strings, jumps numbers, outermost first."""
    board, order = problem.board, outside_in(problem.board)
    hole = [f'"{name}"' for name in board.holes]
    sets = {"start": problem.start.mask, "final_peg": problem.final_pegs, "final_vacancy": problem.final_vacancies}
    facts = [
        *(f"hole({name})" for name in hole),
        *(f"jump({number},{','.join(hole[h] for h in jump)})" for number, jump in enumerate(order)),
        *(f"leader({number})" for number in first_of_class(problem, order)),
        *(f"{kind}({name})" for h, name in enumerate(hole) for kind, mask in sets.items() if mask >> h & 1),
        *([problem.goal.kind.replace("-", "_")] if isinstance(problem.goal, OnePeg | DeadEnd) else []),
    ]
    return "".join(f"{fact}.\n" for fact in facts)


@dataclass(frozen=True)
class RuleFile:
    """A file of rules as a model, with the functions of a model file.

    ``text``: the rules; ``steps``: the horizons, as in its header; ``counted``: the name for what is counted when
    answer sets are counted.
    """

    text: str
    steps: str
    counted: str = ""

    def horizons(self, problem: Problem) -> list[int]:
        """Return the numbers of steps to try, rising."""
        return sorted(read_horizons(self.steps)(problem))

    def build(self, problem: Problem, horizon: int) -> Formulation[Rules]:
        """Return the rules and facts for a number of steps."""
        board, order = problem.board, outside_in(problem.board)
        holes = {hole: f'"{hole}"' for hole in board.holes}

        def jumps(value: Value) -> list[Jump]:
            return [jump for t in range(1, horizon + 1) for j, jump in enumerate(order) if value((t, j))]

        return Formulation(
            Rules(self.text, facts(problem), horizon),
            jumps,
            distinct=self.counted,
            made=[ByJump(board, order, [f"made({t + 1},{j})" for j in range(len(order))]) for t in range(horizon)],
            peg=[{hole: f"peg({t},{name})" for hole, name in holes.items()} for t in range(horizon + 1)],
        )


@dataclass(frozen=True)
class MiniZinc:
    """A model in MiniZinc with its data."""

    text: str
    data: str


def data(problem: Problem, steps: int) -> str:
    """Return the problem as MiniZinc data: holes and jumps are numbered from 1, outermost jumps first."""
    board = problem.board
    rows = [", ".join(str(hole + 1) for hole in jump) for jump in outside_in(board)]
    table = f"[| {' | '.join(rows)} |]" if rows else "array2d(1..0, 1..3, [])"
    sets = {"start": problem.start.mask, "final_pegs": problem.final_pegs, "final_vacancies": problem.final_vacancies}
    lines = [
        f"holes = {len(board.holes)}; % {' '.join(board.holes)}",
        f"jumps = {len(rows)};",
        f"steps = {steps};",
        f"jump = {table};",
        *(
            f"{name} = {{{', '.join(str(h + 1) for h in range(len(board.holes)) if mask >> h & 1)}}};"
            for name, mask in sets.items()
        ),
        f"one_peg = {str(isinstance(problem.goal, OnePeg)).lower()};",
    ]
    return "\n".join(lines) + "\n"


class MiniZincFile(RuleFile):
    """A file in MiniZinc as a model, with the functions of a model file."""

    def build(self, problem: Problem, horizon: int) -> Formulation[MiniZinc]:  # type: ignore[override]
        """Return the model and the data for a number of steps."""
        board, order = problem.board, outside_in(problem.board)

        def jumps(value: Value) -> list[Jump]:
            return [jump for t in range(horizon) for j, jump in enumerate(order) if value((t, j))]

        return Formulation(
            MiniZinc(self.text, data(problem, horizon)),
            jumps,
            moves=[f"moves[{t + 1}]" for t in range(horizon) if _MOVES.search(self.text)],
            made=[ByJump(board, order, [f"made[{t + 1}, {j + 1}]" for j in range(len(order))]) for t in range(horizon)],
            peg=[{hole: f"peg({t}, {h + 1})" for h, hole in enumerate(board.holes)} for t in range(horizon + 1)],
        )


def read_horizons(text: str) -> Callable[[Problem], set[int]]:
    """Read the horizons in the header of a rule file: return a function from a problem to its horizons.

    The header lists numbers, ranges ``2..10``, ``rounds`` (those of the other models in rounds), ``most`` (the largest
    number of jumps), ``jumps`` (all numbers of jumps) or ``counts`` (those from the least that jump counts allow). No
    horizon is larger than the largest number of jumps. Raises ValueError for anything else.
    """
    words: dict[str, Callable[[Problem], Iterable[int]]] = {
        "jumps": lambda problem: problem.lengths,
        "counts": from_counts,
        "most": lambda problem: problem.lengths[-1:],
        "rounds": round_counts,
    }
    parts = [part.strip() for part in text.split(",")]
    ranges = [part.partition("..") for part in parts if part not in words]
    numbers = {n for first, dots, last in ranges for n in range(int(first), int(last if dots else first) + 1)}

    def horizons(problem: Problem) -> set[int]:
        by_word = {n for part in parts if part in words for n in words[part](problem)}
        return by_word | {min(n, problem.lengths[-1]) for n in numbers}

    return horizons
