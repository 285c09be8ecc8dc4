"""Writing proof folders: what a problem's claim is, what shows it, and the solver's proof made short.

:mod:`pegcp.proofs.folder` says what is in a folder and checks it.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterable
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, assert_never

from pegcp import backends
from pegcp.catalogue.methods import best_for, choose
from pegcp.errors import InputError, InvalidProof
from pegcp.game.board import Jump, grouped, in_steps
from pegcp.game.goal import DeadEnd, Objective
from pegcp.game.problem import Problem
from pegcp.method import Answer, Evidence, Limits, Run, Status
from pegcp.modelling.ordering import outside_in
from pegcp.proofs import folder as folders
from pegcp.proofs import reading
from pegcp.proofs.exhaustion import levels, record
from pegcp.proofs.lrat import trimmed
from pegcp.result import Result, checked
from pegcp.states.levels import stopped
from pegcp.theory import certificates
from pegcp.version import __version__


def prove(
    problem: Problem, folder: Path, run: Run, bound: int | None = None, *, rounds: bool = False
) -> folders.Claim | Answer:
    """Write a proof folder, and check it.

    Without ``bound`` it shows the optimum of the objective where there is one, and else that there is no solution. With
    it, that a solution has so many jumps, moves, steps or pegs at least; or so many parallel steps, where any solution
    will do. With ``rounds`` it is about rounds through all jumps in one fixed order.

    Returns the claim; or an answer that says why there is none: the problem has a solution, or the time is over. Raises
    InputError where nothing can be proved.
    """
    if folder.exists() and any(folder.iterdir() if folder.is_dir() else [folder]):
        raise InputError("the folder for a proof must be new or empty", source=str(folder))
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        with TemporaryDirectory(dir=folder.parent, prefix=f".{folder.name}-") as beside:
            made = _write(problem, Path(beside, "proof"), run, bound, rounds)
            if made is None:
                Path(beside, "proof").rename(folder)
    except OSError as error:
        raise InputError(f"cannot write: {error.strerror}", source=str(error.filename or folder)) from None
    return folders.check(folder, problem) if made is None else made


def _write(problem: Problem, folder: Path, run: Run, bound: int | None, rounds: bool) -> Answer | None:
    """Write a new folder; or an answer that says why there is nothing to write."""
    folder.mkdir()
    writer = _Writer(problem, folder, run)
    match problem.objective:
        case _ if rounds:
            answer = writer.fewest_rounds(bound)
        case Objective.FEWEST_JUMPS:
            answer = writer.fewest_jumps(bound)
        case Objective.FEWEST_MOVES:
            answer = writer.fewest_moves(bound)
        case Objective.FEWEST_STEPS:
            answer = writer.fewest_steps(bound)
        case Objective.FEWEST_PEGS | Objective.NEAREST:
            answer = writer.nearest_end(bound)
        case Objective.ANY | Objective.COUNT:
            answer = writer.no_solution() if bound is None else writer.fewest_steps(bound)
        case _:
            assert_never(problem.objective)
    if answer is None:
        writer.finish()
    return answer


def proved(results: Iterable[Result], folder: Path, limits: Limits) -> list[Result]:
    """Results of the method ``prove`` for the problems of which a verdict is only claimed, or agreed on.

    Each proof is written to a folder of its own in ``folder``, named by the fingerprint of the problem, within the
    limits; one that is there already is checked again. Raises InvalidProof if it proves nothing.
    """
    problems = {result.problem.fingerprint: result.problem for result in results if _wanting(result)}
    found = []
    for fingerprint, problem in problems.items():
        where, began, run = folder / fingerprint, time.perf_counter(), Run(limits)
        try:
            made = folders.check(where, problem) if where.exists() else prove(problem, where, run)
        except InvalidProof as error:
            raise InvalidProof(f"{where}: {error}") from None
        answer = made if isinstance(made, Answer) else _answer(made)
        spent = time.perf_counter() - began
        statistics = {"build_seconds": 0.0, "solve_seconds": spent, "wall_seconds": spent}
        result = checked(problem, "prove", replace(answer, statistics=statistics))
        found.append(result if isinstance(made, Answer) else replace(result, evidence=Evidence.PROOF))
    return found


def _wanting(result: Result) -> bool:
    """Whether a proof would be better evidence for the verdict, and can be written."""
    if result.evidence not in (Evidence.CLAIMED, Evidence.AGREED):
        return False
    if result.status is Status.OPTIMAL:
        dead_end = isinstance(result.problem.goal, DeadEnd)
        match result.problem.objective:
            case Objective.FEWEST_JUMPS:
                return dead_end
            case Objective.FEWEST_STEPS:
                return not dead_end
            case objective:
                return objective in (Objective.FEWEST_MOVES, Objective.FEWEST_PEGS, Objective.NEAREST)
    return result.status is Status.INFEASIBLE


def _answer(claim: folders.Claim) -> Answer:
    if claim.measure is None:
        return Answer(Status.INFEASIBLE)
    return Answer(Status.OPTIMAL, jumps=claim.jumps, bound=claim.least)


class _Writer:
    """A folder that is being filled."""

    def __init__(self, problem: Problem, folder: Path, run: Run) -> None:
        self.problem, self.folder, self.run = problem, folder, run
        self.parts: list[dict[str, Any]] = []
        self.claim: dict[str, Any] = {"kind": "infeasible"}
        self.files: dict[str, dict[str, Any]] = {}
        self.made_by = {"pegcp": __version__}

    def no_solution(self) -> Answer | None:
        """A certificate, or clauses with as many steps as there can be."""
        if self.certificate():
            return None
        if isinstance(self.problem.goal, DeadEnd):
            return Answer(Status.SOLVED, message="a dead end can always be reached")
        return self.clauses("sat-moves", max(self.problem.jump_counts))

    def fewest_steps(self, bound: int | None) -> Answer | None:
        """No solution in one parallel step less; without a bound also one with the fewest, of the best method."""
        if bound is None:
            answer = best_for(self.problem).run(self.problem, self.run)
            if answer.jumps is None:
                return self.no_solution() if answer.status is Status.INFEASIBLE else answer
            self.solution(answer.jumps)
            bound = len(in_steps(answer.jumps))
        self.claim = {"kind": "least", "of": "steps", "number": bound}
        return None if bound == 0 or self.certificate() else self.clauses("sat-parallel", bound - 1)

    def fewest_rounds(self, bound: int | None) -> Answer | None:
        """No solution in one round less; without a bound also one with the fewest."""
        chosen, order = choose("sat-rounds"), outside_in(self.problem.board)
        fault = chosen.method.refusal(self.problem)
        if fault is not None:
            raise InputError(fault)
        if bound is None:
            answer = chosen.run(self.problem, self.run)
            if answer.jumps is None:
                return self.no_solution() if answer.status is Status.INFEASIBLE else answer
            self.solution(answer.jumps)
            bound = folders.rounds(answer.jumps, order)
        names = [" ".join(self.problem.board.jump_names(jump)) for jump in order]
        self.claim = {"kind": "least", "of": "rounds", "number": bound, "order": names}
        return None if bound == 0 else self.clauses("sat-rounds", bound - 1)

    def fewest_jumps(self, bound: int | None) -> Answer | None:
        """Cases for as many numbers of jumps as possible, clauses for each of the others; without a bound also a
        solution with the fewest jumps, of a model."""
        if not isinstance(self.problem.goal, DeadEnd):
            raise InputError("fewest jumps are proved for the goal dead end; other goals: --objective any")
        if bound is None:
            answer = choose("fools-counts").run(self.problem, self.run)
            if answer.jumps is None:
                return answer
            self.solution(answer.jumps)
            bound = len(answer.jumps)
        self.claim = {"kind": "least", "of": "jumps", "number": bound}
        smaller = [jumps for jumps in self.problem.jump_counts if jumps < bound]
        left: list[int] = []
        for jumps in reversed(smaller):
            found = certificates.find_bound(self.problem, jumps, self.run)
            if found is not None:
                self.parts.append({"kind": "bound", "file": "certificate.json"})
                self.write("certificate.json", [_json(found)])
                break
            left.append(jumps)
        return next(filter(None, (self.clauses("sat-fools", jumps) for jumps in reversed(left))), None)

    def fewest_moves(self, bound: int | None) -> Answer | None:
        """All positions that can be reached; without a bound also a solution with the fewest moves, of a search."""
        if bound is None:
            answer = choose("fewest-moves").run(self.problem, self.run)
            if answer.jumps is None:
                return self.no_solution() if answer.status is Status.INFEASIBLE else answer
            self.solution(answer.jumps)
            bound = len(grouped(answer.jumps))
        self.claim = {"kind": "least", "of": "moves", "number": bound}
        return self.positions()

    def nearest_end(self, bound: int | None) -> Answer | None:
        """A certificate against one peg, or all positions that can be reached; without a bound also a solution that
        ends nearest, or with the fewest pegs, of the best method."""
        if bound is None:
            answer = best_for(self.problem).run(self.problem, self.run)
            if answer.jumps is None:
                return self.no_solution() if answer.status is Status.INFEASIBLE else answer
            self.solution(answer.jumps)
            bound = self.problem.value(answer.jumps)
            assert bound is not None
        pegs = self.problem.objective is Objective.FEWEST_PEGS
        self.claim = {"kind": "least", "of": "pegs" if pegs else "distance", "number": bound}
        least = self.problem.least_value
        if least is not None and bound <= least:
            return None
        return None if pegs and bound == 2 and self.certificate(folders.one_peg(self.problem)) else self.positions()

    def positions(self) -> Answer | None:
        """Write all positions that can be reached, in numbers and hashes."""
        try:
            records = [record(level) for level in levels(self.problem, self.run)]
        except (TimeoutError, MemoryError) as error:
            return stopped(error)
        self.parts.append({"kind": "exhaustion", "file": "levels.json"})
        self.write("levels.json", [_json(records)])
        return None

    def solution(self, jumps: Iterable[Jump]) -> None:
        """Write a solution."""
        self.write("solution.json", [_json([self.problem.board.jump_names(jump) for jump in jumps])])

    def certificate(self, problem: Problem | None = None) -> bool:
        """Write a certificate, if there is one, of this or another problem."""
        found = certificates.find(problem or self.problem, cases=True, run=self.run)
        if found is not None:
            self.parts.append({"kind": "certificate", "file": "certificate.json"})
            self.write("certificate.json", [_json(found)])
        return found is not None

    def clauses(self, name: str, horizon: int) -> Answer | None:
        """Write a formula and its proof; or an answer, if the formula has a solution or the time is over."""
        chosen = choose(name)
        backends.solver("cadical").load()  # or it says how to get it
        from pegcp.backends import sat as solver

        options = {key: chosen.parameters[key] for key in reading.MODELS[name]}
        assert chosen.method.model is not None
        model = chosen.method.model()
        formulation = model.build(self.problem, horizon if model.has_horizons else None, options)
        formula, proof = f"formula-{horizon:02}.cnf", f"proof-{horizon:02}.lrat"
        entry = backends.solver("cadical")
        self.made_by |= {entry.title: entry.version() or ""}
        with TemporaryDirectory() as elsewhere:
            raw = Path(elsewhere, proof)
            with open(raw, "w+b") as file:
                answer = solver.refute(formulation, file, self.run)
            if answer.status is not Status.INFEASIBLE:
                return answer
            self.write(formula, [solver.dimacs(formulation.model).encode()])
            self.write(proof, trimmed(raw, len(solver.whole(formulation.model))))
        self.parts.append(
            {
                "kind": "clauses",
                "model": name,
                "options": options,
                "horizon": horizon,
                "formula": formula,
                "proof": proof,
            }
        )
        return None

    def write(self, name: str, pieces: Iterable[bytes]) -> None:
        """Write a file, and note its size and hash."""
        digest, size = sha256(), 0
        with open(self.folder / name, "wb") as file:
            for piece in pieces:
                file.write(piece)
                digest.update(piece)
                size += len(piece)
        self.files[name] = {"bytes": size, "sha256": digest.hexdigest()}

    def finish(self) -> None:
        """Write the problem, and the manifest last."""
        self.write("problem.toml", [self.problem.text.encode()])
        manifest = {
            "format": folders.FORMAT,
            "name": self.problem.name,
            "fingerprint": self.problem.fingerprint,
            "claim": self.claim,
            "parts": self.parts,
            "files": self.files,
            "made_by": self.made_by,
        }
        self.write(folders.MANIFEST, [_json(manifest)])


def _json(value: Any) -> bytes:
    return json.dumps(value, indent=1).encode() + b"\n"
