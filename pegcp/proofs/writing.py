"""Writing proof folders: what a problem's claim is, what shows it, and the solver's proof made short.

:mod:`pegcp.proofs.checker` checks them, and writes the formulas that a solver refutes here; docs/proof-format.md says
what is in a folder.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterable
from dataclasses import replace
from math import inf
from pathlib import Path
from shutil import copyfileobj
from tempfile import TemporaryDirectory
from typing import Any, assert_never

from pegcp import backends
from pegcp.catalogue.methods import Chosen, best_for, choose
from pegcp.errors import InputError, InvalidProof, plural
from pegcp.game.board import Jump
from pegcp.game.goal import DeadEnd, Exact, Nearest, Objective, OnePeg
from pegcp.game.problem import Problem
from pegcp.method import OUT_OF_TIME, Answer, Evidence, Limits, Reason, Run, Status, stopped, watch
from pegcp.modelling.cnf import Clauses
from pegcp.modelling.formulation import Formulation
from pegcp.modelling.ordering import outside_in
from pegcp.proofs import checker
from pegcp.proofs.lrat import trimmed
from pegcp.proofs.verify_folder import LIMITS, Claim, check
from pegcp.result import Result
from pegcp.running.judge import checked
from pegcp.running.run import run as run_task
from pegcp.running.task import Task
from pegcp.theory import certificates
from pegcp.version import __version__

_SHARE, _LONGEST = 0.25, 60.0  # of the time, and seconds at most, for a solution that leaves nothing to prove
_NOUNS = {
    Objective.FEWEST_JUMPS: ("of", "jump"),
    Objective.FEWEST_MOVES: ("of", "move"),
    Objective.FEWEST_PEGS: ("that leaves", "peg"),
}
_MOST_PEGS = 2  # of which it is proved that a solution must leave as many


def prove(
    problem: Problem, folder: Path, run: Run, bound: int | None = None, *, rounds: bool = False
) -> Claim | Answer:
    """Write a folder, and check it; what the check refuses, or has no time for, is not left behind.

    Without ``bound`` it shows the optimum of the objective where there is one, and else that there is no solution. With
    it, that a solution has so many jumps, moves, steps or pegs at least; or so many parallel steps, where any solution
    will do. With ``rounds`` it is about rounds through all jumps in one fixed order.

    Returns the claim; or an answer that says why there is none: the problem has a solution, or the time is over. Raises
    InputError where nothing can be proved.
    """
    if isinstance(problem.goal, Nearest):
        raise InputError("soft goals have no proof: that no end is nearer can only be claimed")
    check_folder(folder)
    try:
        with TemporaryDirectory(prefix="pegcp-proof-", ignore_cleanup_errors=True) as scratch:
            proof = Path(scratch, "proof")
            answer = _write(problem, proof, run, bound, rounds)
            if answer is not None:
                return answer
            claim = check(proof, problem, Limits(max(run.remaining, LIMITS.time), run.limits.memory))
            _publish(proof, folder)
            return claim
    except (TimeoutError, MemoryError) as error:
        return stopped(error)
    except OSError as error:
        raise InputError(f"cannot write: {error.strerror}", source=str(error.filename or folder)) from None


def _publish(proof: Path, folder: Path) -> None:
    """Copy the files of a proof to its folder, the claim last: all of them, or none. Raises OSError."""
    is_new = not folder.exists()
    folder.mkdir(parents=True, exist_ok=True)
    copies: list[Path] = []
    try:
        for file in sorted(proof.iterdir(), key=lambda file: file.name == "claim.json"):
            with open(folder / file.name, "xb") as copy, file.open("rb") as original:
                copies.append(folder / file.name)
                copyfileobj(original, copy)
    except BaseException:  # Ctrl-C, too
        for path in copies:
            path.unlink()
        if is_new:
            folder.rmdir()
        raise


def check_folder(folder: Path) -> None:
    """Check that a proof can be written to a folder, which must be new or empty. Raises InputError."""
    try:
        if os.path.lexists(folder):
            if not folder.is_dir() or any(folder.iterdir()):
                raise InputError("the folder for a proof must be new or empty", source=str(folder))
            parent = folder
        else:
            parent = next(parent for parent in folder.absolute().parents if parent.exists())
        if not (parent.is_dir() and os.access(parent, os.W_OK | os.X_OK)):
            raise InputError("the folder for a proof cannot be written", source=str(folder))
    except OSError as error:
        raise InputError(f"the folder for a proof cannot be written: {error.strerror}", source=str(folder)) from None


def _write(problem: Problem, folder: Path, run: Run, bound: int | None, rounds: bool) -> Answer | None:
    """Write a new folder; or an answer that says why there is nothing to write."""
    folder.mkdir()
    writer = _Writer(problem, folder, run)
    if bound is not None and bound > len(problem.start):  # more than a solution can have
        answer = writer.no_solution()
    elif rounds:
        answer = writer.fewest_rounds(bound)
    elif problem.objective is Objective.FEWEST_JUMPS and not isinstance(problem.goal, DeadEnd):
        raise InputError("fewest jumps are proved for the goal dead end; other goals: --objective any")
    elif bound is None:
        answer = writer.optimum()
    else:
        searched = problem.objective in _NOUNS
        answer = (writer.refuted(problem, bound) if searched else None) or writer.none_below(bound)
    if answer is None:
        writer.finish()
    return answer


def proved(results: Iterable[Result], folder: Path, limits: Limits) -> list[Result]:
    """Results of the method ``prove`` for the problems of which a verdict is only claimed, or agreed on.

    Each is written to a folder of its own in ``folder``, named by the fingerprint of the problem, within the limits;
    one that is there already is checked again. Raises InvalidProof if it shows nothing.
    """
    problems = {result.problem.fingerprint: result.problem for result in results if _wanting(result)}
    found = []
    for fingerprint, problem in problems.items():
        where, began, run = folder / fingerprint, time.perf_counter(), Run(limits)
        try:
            made = check(where, problem, limits) if where.exists() else prove(problem, where, run)
        except InvalidProof as error:
            raise InvalidProof(f"{where}: {error}") from None
        except (TimeoutError, MemoryError) as error:
            made = stopped(error)
        if isinstance(made, Answer):
            answer = made
        elif made.measure is None:
            answer = Answer(Status.INFEASIBLE)
        else:
            answer = Answer(Status.OPTIMAL, jumps=made.jumps, bound=made.least)
        spent = time.perf_counter() - began
        statistics = {"build_seconds": 0.0, "solve_seconds": spent, "wall_seconds": spent}
        result = checked(problem, "prove", replace(answer, statistics=statistics))
        found.append(result if isinstance(made, Answer) else replace(result, evidence=Evidence.PROOF))
    return found


def _wanting(result: Result) -> bool:
    """Whether a proof would be better evidence for the verdict, and can be written."""
    if result.evidence not in (Evidence.CLAIMED, Evidence.AGREED):
        return False
    if result.status is not Status.OPTIMAL:
        return result.status is Status.INFEASIBLE
    objective, of_goal = result.problem.objective, Objective.FEWEST_STEPS
    if isinstance(result.problem.goal, DeadEnd):
        of_goal = Objective.FEWEST_JUMPS
    if objective is Objective.FEWEST_PEGS:
        return result.objective is not None and result.objective <= _MOST_PEGS
    return objective in (of_goal, Objective.FEWEST_MOVES)


class _Writer:
    """A folder that is being filled, in a temporary one."""

    def __init__(self, problem: Problem, folder: Path, run: Run) -> None:
        self.problem, self.folder, self.run = problem, folder, run
        self.parts: list[dict[str, Any]] = []
        self.claim: dict[str, Any] = {"type": "infeasible"}
        self.jumps: tuple[Jump, ...] | None = None
        self.made_by = {"pegcp": __version__}

    def no_solution(self) -> Answer | None:
        """A certificate, or clauses with as many steps as there can be."""
        self.claim = {"type": "infeasible"}
        if isinstance(self.problem.goal, DeadEnd):
            return Answer(Status.SOLVED, message="a dead end can always be reached")
        if self.certificate():
            return None
        return next(filter(None, (self.clauses("sat-moves", jumps) for jumps in self.problem.jump_counts)), None)

    def optimum(self) -> Answer | None:
        """A solution that is the best by the objective, and that none is better; or that there is no solution."""
        if self.problem.objective in (Objective.ANY, Objective.COUNT):
            return self.refuted(replace(self.problem, objective=Objective.ANY)) or self.no_solution()
        named = {Objective.FEWEST_JUMPS: "fools-counts", Objective.FEWEST_MOVES: "fewest-moves"}
        name = named.get(self.problem.objective)
        answer = self.solve(self.problem, best_for(self.problem) if name is None else choose(name))
        if answer.jumps is None:
            return self.no_solution() if answer.status is Status.INFEASIBLE else answer
        self.jumps = answer.jumps
        value = self.problem.value(answer.jumps)
        assert value is not None
        return self.none_below(value)

    def solve(self, problem: Problem, method: Chosen, seconds: float = inf) -> Answer:
        """The checked answer of a method in a child process, where Ctrl-C reaches it whatever its solver does."""
        seconds = min(seconds, self.run.remaining)
        if seconds <= 0:
            return OUT_OF_TIME
        limits = replace(self.run.limits, time=seconds)
        result = run_task(Task(problem, method, limits), self.run.report)
        return Answer(result.status, result.reason, result.jumps, message=result.message)

    def refuted(self, problem: Problem, bound: float = inf) -> Answer | None:
        """A solution that leaves nothing to prove, which a method gets a part of the time to find: any at all, or one
        that is better than a bound by the objective of the problem."""
        answer = self.solve(problem, best_for(problem), min(_SHARE * self.run.remaining, _LONGEST))
        if answer.jumps is None:
            return None
        value = problem.value(answer.jumps)
        if value is not None and value >= bound:
            return None
        noun = _NOUNS.get(problem.objective)
        worth = "" if value is None or noun is None else f" {noun[0]} {plural(int(value), noun[1])}"
        return Answer(Status.SOLVED, jumps=answer.jumps, message=f"{problem.name} has a solution{worth}")

    def none_below(self, bound: int) -> Answer | None:
        """No solution is better by the objective than a bound; of any solution, than so many parallel steps."""
        match self.problem.objective:
            case Objective.FEWEST_JUMPS:
                return self.fewest_jumps(bound)
            case Objective.FEWEST_MOVES:
                return self.fewest_moves(bound)
            case Objective.NEAREST:
                raise AssertionError("soft goals are refused before")
            case Objective.FEWEST_PEGS:
                return self.fewest_pegs(bound)
            case Objective.FEWEST_STEPS | Objective.ANY | Objective.COUNT:
                return self.fewest_steps(bound)
            case _:
                assert_never(self.problem.objective)

    def fewest_steps(self, bound: int) -> Answer | None:
        """No solution in one parallel step less; where none is at hand there may be no solution at all."""
        if self.jumps is None and self.certificate(cases=False):
            return None
        self.claim = {"type": "steps", "least": bound}
        return None if bound == 0 else self.clauses("sat-parallel", bound - 1)

    def fewest_rounds(self, bound: int | None) -> Answer | None:
        """No solution in one round less; without a bound also one with the fewest."""
        chosen, order = choose("sat-rounds"), outside_in(self.problem.board)
        fault = chosen.method.refusal(self.problem)
        if fault is not None:
            raise InputError(fault)
        numbers = {jump: j for j, jump in enumerate(self.problem.board.jumps)}
        self.claim = {"type": "rounds", "least": bound, "order": [numbers[jump] for jump in order]}
        if bound is not None:
            return None if bound == 0 else self.clauses("sat-rounds", bound - 1)
        answer: Answer | None = self.solve(self.problem, chosen)
        places = {jump: place for place, jump in enumerate(order)}
        while answer is not None:  # the model's solution may have more rounds than there must be
            if answer.jumps is None:
                return self.no_solution() if answer.status is Status.INFEASIBLE else answer
            self.jumps = answer.jumps
            rounds, last = 0, len(order)
            for jump in answer.jumps:
                rounds, last = rounds + (places[jump] <= last), places[jump]
            self.claim["least"] = rounds
            answer = None if rounds == 0 else self.clauses("sat-rounds", rounds - 1)
        return None

    def fewest_jumps(self, bound: int) -> Answer | None:
        """Cases for as many numbers of jumps as possible, clauses for each of the others."""
        self.claim = {"type": "jumps", "least": bound}
        smaller = [jumps for jumps in self.problem.jump_counts if jumps < bound]
        left: list[int] = []
        for jumps in reversed(smaller):
            if self.shown_by(self.problem, certificates.find_cases(self.problem, self.run, most=jumps)):
                break
            left.append(jumps)
        return next(filter(None, (self.clauses("sat-moves", jumps) for jumps in reversed(left))), None)

    def fewest_moves(self, bound: int) -> Answer | None:
        """Positions from both sides, which whoever checks the folder makes again."""
        if not isinstance(self.problem.goal, Exact | OnePeg):
            message = "fewest moves are proved for exact goals and for one peg"
            return Answer(Status.UNKNOWN, Reason.UNSUPPORTED, message=message)
        self.claim = {"type": "moves", "least": bound}
        if bound == 0:
            return None
        from pegcp.proofs.moves import walk

        tick, most = watch(self.run), bound - 1

        def heard(positions: int) -> None:
            tick()
            self.run.report({"nodes": positions})

        problem = checker.read_problem(self.problem.text.encode())
        generators, group = self.symmetries(problem)
        try:
            runs, (forward, backward) = walk(problem, group, most, most, most, heard)
        except OverflowError as error:
            return Answer(Status.UNKNOWN, Reason.UNSUPPORTED, message=f"fewest moves: {error}")
        if runs is not None:
            return Answer(Status.SOLVED, message=f"{self.problem.name} has a solution of {plural(runs, 'move')}")
        sides = {"forward": forward, "backward": backward, "symmetries": generators}
        self.parts.append({"type": "two-sided", **sides})
        return None

    def symmetries(self, problem: checker.Problem) -> tuple[list[list[int]], list[checker.Symmetry]]:
        """Some generators of the symmetries of jumps and goal, and their group."""
        generators: list[list[int]] = []
        group = checker.symmetries(problem, generators)
        for symmetry in self.problem.goal_symmetries(checker.MOST_SYMMETRIES).elements:
            if symmetry not in group:
                generators.append([*symmetry])
                group = checker.symmetries(problem, generators)
        return generators, group

    def fewest_pegs(self, bound: int) -> Answer | None:
        """A certificate against one peg."""
        least = self.problem.least_value
        one_peg = replace(self.problem, goal=OnePeg(), objective=Objective.ANY)
        if (least is not None and bound <= least) or (bound == _MOST_PEGS and self.certificate(one_peg)):
            self.claim = {"type": "pegs", "least": bound}
            return None
        if bound > _MOST_PEGS:
            fault = f"that a solution leaves {bound} pegs cannot be proved, only that it leaves two"
            return Answer(Status.UNKNOWN, Reason.UNSUPPORTED, message=fault)
        return Answer(Status.UNKNOWN, message="no certificate against one peg was found")

    def certificate(self, problem: Problem | None = None, cases: bool = True) -> bool:
        """Add a certificate, if there is one, of this or another problem."""
        problem = problem or self.problem
        return self.shown_by(problem, certificates.find(problem, cases=cases, run=self.run))

    def shown_by(self, problem: Problem, certificate: dict[str, Any] | None) -> bool:
        """Add a certificate, if there is one."""
        if certificate is not None:
            told = certificates.for_checker(problem, certificate)
            self.parts.append({"type": "certificate", "certificate": told})
        return certificate is not None

    def clauses(self, model: str, horizon: int) -> Answer | None:
        """Write the refutation of a formula; or an answer, if it has a solution or the time is over."""
        solver_info = backends.backend("cadical").loaded()  # or it says how to get it
        from pegcp.backends import sat as solver

        order = self.claim.get("order", [])
        try:
            problem = checker.read_problem(self.problem.text.encode())
            variables, written = checker.formula(problem, model, horizon, order)
        except checker.Rejected as error:
            raise InputError(str(error)) from None
        clauses = Clauses()
        clauses.names, clauses.clauses = [""] * variables, list(map(list, written))
        jumps, holes = self.problem.board.jumps, len(problem.holes)
        made = dict(enumerate(jumps * horizon, start=1 + holes * (horizon + 1)))
        if model == "sat-rounds":
            made = {1 + holes + 4 * i: jumps[j] for i, j in enumerate(order * horizon)}
        self.made_by |= {solver_info.title: solver_info.version() or ""}
        with TemporaryDirectory(dir=self.folder.parent) as elsewhere:
            raw = Path(elsewhere, "proof")
            with open(raw, "w+b") as file:
                wanted = Formulation(clauses, lambda value: [jump for one, jump in made.items() if value(one)])
                answer = solver.refute(wanted, file, self.run)
            if answer.status is not Status.INFEASIBLE:
                return answer
            try:
                proof = trimmed(raw, len(written))
            except ValueError as error:
                raise InputError(str(error)) from None
            (self.folder / f"proof-{horizon:02}.lrat").write_bytes(proof)
        self.parts.append({"type": model, "horizon": horizon})
        return None

    def finish(self) -> None:
        """Write the problem, and the claim last."""
        (self.folder / "problem.toml").write_bytes(self.problem.text.encode())
        claim: dict[str, Any] = {"format": checker.FORMAT, "claim": self.claim}
        claim["parts"] = self.parts
        if self.jumps is not None:
            claim["solution"] = [self.problem.board.jump_names(jump) for jump in self.jumps]
        claim["about"] = {"name": self.problem.name, "made_by": self.made_by}
        lines = (f"{json.dumps(key)}: {json.dumps(value)}" for key, value in claim.items())
        (self.folder / "claim.json").write_bytes(("{\n " + ",\n ".join(lines) + "\n}\n").encode())
