"""Write proof folders: choose the claim about a problem, and find the parts that show it.

:mod:`pegcp.checking.checker` checks them, and writes the formulas that a solver refutes here; proof-format.md
describes a folder.
"""

import json
import os
from collections.abc import Sequence
from dataclasses import replace
from math import inf
from pathlib import Path

from pegcp import backends
from pegcp.catalogue.choice import Choice, best_for, choose
from pegcp.checking import checker
from pegcp.checking.verification import CHECK_LIMITS, Claim, verify_folder
from pegcp.errors import InputError, plural, refuse_if
from pegcp.formats.files import temporary_folder
from pegcp.game import DeadEnd, Exact, Jump, Nearest, Objective, OnePeg, Problem
from pegcp.method import OUT_OF_TIME, Answer, Limits, Reason, Run, Status, Wishes, stopped, watch
from pegcp.running.road import run as run_task
from pegcp.running.task import Task
from pegcp.theory import cases, certificates
from pegcp.theory.parity import bits
from pegcp.theory.regions import packing, regions_to_open
from pegcp.version import __version__
from pegcp.writing import check_new_folder, write_folder

_REFUTATION = Path(__file__).with_name("refutation.py")
# Of the time, and seconds at most, for a solution that leaves nothing to prove
_SOLUTION_TIME_SHARE, _SOLUTION_SECONDS = 0.25, 60.0
_NOUNS = {
    Objective.FEWEST_JUMPS: ("of", "jump"),
    Objective.FEWEST_MOVES: ("of", "move"),
    Objective.FEWEST_PEGS: ("that leaves", "peg"),
}
_MOST_PROVED_PEGS = 2  # of which it is proved that a solution must leave as many


def prove(problem: Problem, folder: Path, run: Run, bound: int | None = None) -> Claim | Answer:
    """Write a folder, and check it; nothing is left behind if the check refuses it, or does not end in time.

    Without ``bound`` it shows the optimum of the objective where there is one, and else that there is no solution. With
    it, that a solution has at least so many jumps, moves, steps or pegs; or so many parallel steps, if the objective is
    any solution. With the objective count and no bound, it shows how many solutions there are.

    Returns the claim; or an answer that says why there is none: the problem has a solution, or the time is over. Raises
    InputError where nothing can be proved.
    """
    refuse_if(isinstance(problem.goal, Nearest), "soft goals have no proof: that no end is nearer can only be claimed")
    check_new_folder(folder)
    try:
        with temporary_folder("pegcp-proof-") as scratch:
            writer = _Writer(problem, Path(scratch), run)
            writer.write(bound)
            claim = verify_folder(
                writer.folder, problem, Limits(max(run.remaining, CHECK_LIMITS.time), run.limits.memory)
            )
            files = sorted(writer.folder.iterdir(), key=lambda file: file.name == "claim.json")
            write_folder(folder, {file.name: file.read_bytes() for file in files})
            return claim
    except NoProof as error:
        return error.answer
    except (TimeoutError, MemoryError) as error:
        return Unproved(**vars(stopped(error)))
    except OSError as error:
        raise InputError(f"cannot write: {error.strerror}", source=str(error.filename or folder)) from None


class Unproved(Answer):
    """An answer that says why there is no proof: it is false."""

    def __bool__(self) -> bool:
        return False

    def __str__(self) -> str:
        return self.message or f"no proof: {self.status} {self.reason}"


class NoProof(Exception):
    """There is no proof; the ``answer`` says why: the problem has a solution, or none was found."""

    def __init__(self, answer: Answer) -> None:
        self.answer = Unproved(**vars(answer))


class _Writer:
    """A folder that is being written, in a temporary one. A part that is found is added to ``parts``.

    Methods that add parts raise NoProof where there are none.
    """

    def __init__(self, problem: Problem, folder: Path, run: Run) -> None:
        self.problem, self.folder, self.run = problem, folder, run
        self.parts: list[dict[str, object]] = []
        self.claim: dict[str, object] = {"type": "infeasible"}
        self.jumps: tuple[Jump, ...] | None = None
        self.programs = {"pegcp": __version__}

    def write(self, bound: int | None) -> None:
        """Write the folder."""
        objective = self.problem.objective
        if bound is not None and bound > len(self.problem.start):  # more than a solution can have
            self.no_solution()
        elif objective is Objective.FEWEST_JUMPS and not isinstance(self.problem.goal, DeadEnd):
            raise InputError("fewest jumps are proved for the goal dead end; other goals: --objective any")
        elif bound is not None:
            if objective in _NOUNS:
                self.counterexample(bound)
            self.none_below(bound)
        elif objective is Objective.ANY:
            self.counterexample()
            self.no_solution()
        else:
            self.optimum()
        self.finish()

    def no_solution(self) -> None:
        """Show that there is no solution: by a certificate, or by clauses for each number of jumps."""
        if isinstance(self.problem.goal, DeadEnd):
            raise NoProof(Answer(Status.SOLVED, message="a dead end can always be reached"))
        if not self.add(certificates.find(self.problem, cases=True, seconds=self.run.remaining)):
            self.clauses("sat-moves", *self.problem.lengths)

    def optimum(self) -> None:
        """Find a best solution by the objective, and show that none is better; or show that there is no solution.

        Where solutions are counted, whoever checks the folder makes their positions again.
        """
        objective = self.problem.objective
        choice = choose("fools-counts") if objective is Objective.FEWEST_JUMPS else best_for(self.problem)
        answer = self.solve(self.problem, choice)
        if answer.status is Status.INFEASIBLE:
            self.no_solution()
        elif objective is Objective.COUNT and answer.status is Status.OPTIMAL:
            self.claim = {"type": "count", "number": answer.objective}
            generators, _ = self.symmetries(checker.read_problem(self.problem.text.encode()))
            self.parts.append({"type": "levels", "symmetries": generators})
        elif objective is Objective.COUNT or answer.jumps is None:
            raise NoProof(answer)
        else:
            self.jumps, value = answer.jumps, self.problem.value(answer.jumps)
            assert value is not None
            self.none_below(value)

    def solve(self, problem: Problem, choice: Choice, seconds: float = inf) -> Answer:
        """Solve a problem in a child process, where Ctrl-C reaches the method whatever its solver does."""
        seconds = min(seconds, self.run.remaining)
        if seconds <= 0:
            return OUT_OF_TIME
        task = Task(problem, choice, replace(self.run.limits, time=seconds), Wishes(may_certify=True))
        result = run_task(task, self.run.report)
        return Answer(result.status, result.reason, result.jumps, result.objective, message=result.message)

    def counterexample(self, bound: float = inf) -> None:
        """Look for a solution that leaves nothing to prove, for a part of the time: one that is better than a bound."""
        seconds = min(_SOLUTION_TIME_SHARE * self.run.remaining, _SOLUTION_SECONDS)
        answer = self.solve(self.problem, best_for(self.problem), seconds)
        value = None if answer.jumps is None else self.problem.value(answer.jumps)
        if answer.jumps is not None and (value is None or value < bound):
            preposition, noun = _NOUNS.get(self.problem.objective, ("", ""))
            size = "" if value is None or not noun else f" {preposition} {plural(int(value), noun)}"
            message = f"{self.problem.name} has a solution{size}"
            raise NoProof(Answer(Status.SOLVED, jumps=answer.jumps, message=message))

    def none_below(self, bound: int) -> None:
        """Show that no solution is better by the objective than a bound; if any will do, by its parallel steps."""
        ways = {
            Objective.FEWEST_JUMPS: self.fewest_jumps,
            Objective.FEWEST_MOVES: self.fewest_moves,
            Objective.FEWEST_PEGS: self.fewest_pegs,
        }
        ways.get(self.problem.objective, self.fewest_steps)(bound)

    def fewest_steps(self, bound: int) -> None:
        """Show that one parallel step fewer is not enough; where no solution is at hand there may be none at all."""
        if self.jumps is not None or not self.add(certificates.find(self.problem, seconds=self.run.remaining)):
            self.claim = {"type": "steps", "least": bound}
            self.clauses("sat-parallel", *range(bound)[-1:])

    def fewest_jumps(self, bound: int) -> None:
        """Add cases for as many numbers of jumps as possible, clauses for each of the others."""
        self.claim = {"type": "jumps", "least": bound}
        numbers, others = [jumps for jumps in self.problem.lengths if jumps < bound], list[int]()
        while numbers and not self.add(cases.find_cases(self.problem, self.run.remaining, most=numbers[-1])):
            others.insert(0, numbers.pop())
        self.clauses("sat-moves", *others)

    def fewest_moves(self, bound: int) -> None:
        """Divide the moves between both sides; whoever checks the folder makes the positions again."""
        from pegcp.checking.two_sided import ends
        from pegcp.states.chains import MOST_HOLES, ChainSets

        if not isinstance(self.problem.goal, Exact | OnePeg) or len(self.problem.board.holes) > MOST_HOLES:
            message = f"fewest moves are proved for exact goals and one peg, on boards of at most {MOST_HOLES} holes"
            raise NoProof(Answer(Status.UNKNOWN, Reason.UNSUPPORTED, message=message))
        self.claim = {"type": "moves", "least": bound}
        if bound == 0:
            return
        check_limits = watch(self.run)

        def tick(positions: int) -> None:
            check_limits()
            self.run.report({"nodes": positions})

        problem = checker.read_problem(self.problem.text.encode())
        generators, group = self.symmetries(problem)
        regions = packing(regions_to_open(self.problem))
        sets = ChainSets(ends(problem, group, regions), bound - 1, tick)
        moves = sets.meet()
        if moves is not None:
            message = f"{self.problem.name} has a solution of {plural(moves, 'move')}"
            raise NoProof(Answer(Status.SOLVED, message=message))
        forward, backward = sets.chains
        self.parts.append(
            {
                "type": "two-sided",
                "forward": forward,
                "backward": backward,
                "symmetries": generators,
                "regions": [list(bits(region)) for region in regions],
            }
        )

    def symmetries(self, problem: checker.Problem) -> tuple[list[list[int]], list[checker.Symmetry]]:
        """Find generators of the symmetries of jumps and goal, and their group."""
        generators: list[list[int]] = []
        group = checker.symmetries(problem, generators)
        for symmetry in self.problem.goal_symmetries(checker.MOST_SYMMETRIES).elements:
            if symmetry not in group:
                generators.append([*symmetry])
                group = checker.symmetries(problem, generators)
        return generators, group

    def fewest_pegs(self, bound: int) -> None:
        """Add a certificate against one peg."""
        least = len(self.problem.start) - max(self.problem.lengths, default=0)
        self.claim = {"type": "pegs", "least": bound}
        if bound > max(least, _MOST_PROVED_PEGS):
            raise NoProof(
                Answer(
                    Status.UNKNOWN,
                    Reason.UNSUPPORTED,
                    message=f"a bound of {bound} pegs left cannot be proved; pegcp proves bounds of one and two",
                )
            )
        one_peg = replace(self.problem, goal=OnePeg(), objective=Objective.ANY)
        if bound > least and not self.add(certificates.find(one_peg, cases=True, seconds=self.run.remaining), one_peg):
            raise NoProof(Answer(Status.UNKNOWN, message="no certificate against one peg was found"))

    def add(self, certificate: dict[str, object] | None, problem: Problem | None = None) -> bool:
        """Add a certificate of this or another problem, if one was found; return whether it was."""
        if certificate is not None:
            self.parts.append(
                {"type": "certificate", "certificate": certificates.for_checker(problem or self.problem, certificate)}
            )
        return certificate is not None

    def clauses(self, model: str, *horizons: int, order: Sequence[int] = ()) -> None:
        """Write refutations of formulas. Raises NoProof if one has a solution, or the time is over."""
        problem = replace(self.problem, objective=Objective.ANY)
        for horizon in horizons:
            solver = backends.backend("cadical").require()  # or it says how to get it
            path = os.fsencode(self.folder / f"proof-{horizon:02}.lrat").hex()
            options = f"model={model}:horizon={horizon}:order={' '.join(map(str, order))}:proof={path}"
            answer = self.solve(problem, choose(f"{_REFUTATION}:{options}"))
            refuse_if(answer.reason in (Reason.ERROR, Reason.MISSING), answer.message)
            if answer.jumps is not None or answer.reason is not Reason.COMPLETED:
                raise NoProof(answer)
            self.programs |= {solver.title: solver.version() or ""}
            self.parts.append({"type": model, "horizon": horizon})

    def finish(self) -> None:
        """Write the problem, and last the claim."""
        (self.folder / "problem.toml").write_bytes(self.problem.text.encode())
        solution = [self.problem.board.jump_names(jump) for jump in self.jumps or ()]
        claim = {
            "format": checker.FORMAT,
            "claim": self.claim,
            "parts": self.parts,
            **({} if self.jumps is None else {"solution": solution}),
            "about": {"name": self.problem.name, "made_by": self.programs},
        }
        lines = (f"{json.dumps(key)}: {json.dumps(value)}" for key, value in claim.items())
        (self.folder / "claim.json").write_bytes(("{\n " + ",\n ".join(lines) + "\n}\n").encode())
