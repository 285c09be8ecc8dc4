"""SAT solvers of python-sat: run models that return a Formulation of Clauses."""

from __future__ import annotations

import time
from collections.abc import Mapping
from functools import partial
from types import MappingProxyType
from typing import IO, Any

from pegcp.backends import run_loop
from pegcp.backends.model import Model
from pegcp.backends.parameters import given
from pegcp.game.problem import Problem
from pegcp.method import OUT_OF_TIME, Answer, Run, Status, Tally
from pegcp.modelling.cnf import Clauses
from pegcp.modelling.formulation import Formulation, Value

_TOLD = {"conflicts": "conflicts", "branches": "decisions", "propagations": "propagations", "restarts": "restarts"}
_TURN = 2_000  # conflicts: the solvers take no limit of time, so they are stopped after some, at first after so many
_SHORT = 0.5  # seconds; a turn that took less is followed by one of twice as many conflicts


class Solver:
    """One of the solvers, as a backend. ``resumes``: it can go on after it was stopped, and with more clauses;
    ``settings``: parameters of its own, by their names there."""

    def __init__(self, name: str, resumes: bool = True, settings: Mapping[str, int] = MappingProxyType({})) -> None:
        self.name, self.resumes, self.settings = name, resumes, settings

    def run(self, model: Model, problem: Problem, run: Run, options: Mapping[str, Any]) -> Answer:
        """Solve the model within the limits. The solvers have no random seed, and use one thread."""
        own = {name: int(value) for name, value in given("cadical", options).items()}
        solver = Solver(self.name, self.resumes, {**self.settings, **own})
        totals: run_loop.Totals = {}
        last: _Search | None = None

        def begin(formulation: Formulation[Clauses]) -> run_loop.Search:
            nonlocal last
            totals.update(size(formulation.model))
            last = _Search(solver, formulation.model, run, totals, last)
            return last.search

        def count(formulation: Formulation[Clauses], tally: Tally) -> Answer:
            """Solve again and again; each solution is ruled out by a clause on the jumps made."""
            assert last is not None
            made = [variable for step in formulation.made for variable in step.values()]
            more, value = True, None
            while more and callable(value := last.search(run.remaining)):
                more = tally.add(partial(formulation.played, value))
                last.rule_out([-variable if value(variable) else variable for variable in made])
            return tally.answer(whole=value is False)

        return run_loop.run(model, problem, run, options, begin, totals, count=count)

    def write(self, formulation: Formulation[Clauses], format: str, options: Mapping[str, Any]) -> dict[str, str]:  # noqa: A002, ARG002
        """The clauses in DIMACS format, with the names of the variables.

        As wcnf all of them are hard, for a solver of maximum satisfiability.
        """
        names, clauses, hard = formulation.model.names, whole(formulation.model), format == "wcnf"
        lines = [f"c {number} {name}" for number, name in enumerate(names, start=1)]
        lines += [] if hard else [f"p cnf {len(names)} {len(clauses)}"]
        lines += [" ".join(map(str, ["h"] * hard + clause + [0])) for clause in clauses]
        return {f"model.{format}": "\n".join(lines) + "\n"}


def size(model: Clauses) -> dict[str, int]:
    """How large a formula is."""
    clauses = whole(model)
    return {"variables": len(model.names), "constraints": len(clauses), "literals": sum(map(len, clauses))}


class _Search:
    """The search for a solution of one formula, on from the one before if that has the first of its clauses."""

    def __init__(
        self,
        solver: Solver,
        model: Clauses,
        run: Run,
        totals: run_loop.Totals,
        before: _Search | None = None,
    ) -> None:
        self.solver, self.run, self.totals = solver, run, totals
        self.clauses, self.assumed = model.clauses, model.assumed
        self.native: Any
        self.turn, self.told = _TURN, dict[str, int]()
        if before is not None and solver.resumes and before.clauses == self.clauses[: len(before.clauses)]:
            self.native, self.told = before.native, before.told
            self.native.append_formula(self.clauses[len(before.clauses) :])
        else:
            self.native = self._native()

    def _native(self) -> Any:
        from pysat.solvers import Solver as Native

        units = [] if self.solver.resumes else [[literal] for literal in self.assumed]
        native: Any = Native(self.solver.name)
        if self.solver.settings:
            native.configure(self.solver.settings)  # before it has clauses
        native.append_formula([*self.clauses, *units])
        return native

    def rule_out(self, clause: list[int]) -> None:
        """Add a clause, after a solution that it rules out."""
        self.clauses.append(clause)
        if self.solver.resumes:
            self.native.add_clause(clause)
        else:
            self.native = self._native()

    def search(self, seconds: float) -> Value | bool | None:
        """Search, or go on searching, for some seconds."""
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            began = time.monotonic()
            self.native.conf_budget(self.turn)
            solvable = self.native.solve_limited(assumptions=self.assumed if self.solver.resumes else [])
            self._count()
            if solvable:
                return set(self.native.get_model()).__contains__
            if solvable is False:
                return False
            if time.monotonic() - began < _SHORT or not self.solver.resumes:
                self.turn *= 2
            if not self.solver.resumes:
                self.native = self._native()
        return None

    def _count(self) -> None:
        """Add what the solver tells, since the last time, to the totals; Kissat tells nothing."""
        if self.solver.resumes:
            told = self.native.accum_stats()
            for name, key in _TOLD.items():
                self.totals[name] = self.totals.get(name, 0) + told[key] - self.told.get(key, 0)
            self.told = told
            self.run.report({"conflicts": self.totals["conflicts"]})


def refute(formulation: Formulation[Clauses], proof: IO[bytes], run: Run) -> Answer:
    """Solve one formula by CaDiCaL within the time; if it has no solution, write the proof, in LRAT, to a file."""
    import pysolvers
    from pysat.solvers import Cadical195

    native: Any = Cadical195()
    native.configure({"lrat": 1, "binary": 1})
    native.prfile = proof  # python-sat itself asks for the proof before the solver can be told in which form
    stream = pysolvers.cadical195_tracepr(native.cadical, proof)
    try:
        native.append_formula(whole(formulation.model))
        solvable = None
        while solvable is None and run.remaining > 0:
            native.conf_budget(_TURN)
            solvable = native.solve_limited()
        if solvable is None:
            return OUT_OF_TIME
        if not solvable:
            pysolvers.flushpr(stream)
            return Answer(Status.INFEASIBLE)
        return Answer(Status.SOLVED, jumps=formulation.played(set(native.get_model()).__contains__))
    finally:
        native.delete()


def whole(model: Clauses) -> list[list[int]]:
    """The clauses with those that are assumed in this formula."""
    return [*model.clauses, *([literal] for literal in model.assumed)]


# Restarts as rare as for satisfiable formulas: a third of the time on the 33 reversals, and no more for refutations.
cadical = Solver("cadical195", settings={"stabilizeonly": 1})
glucose = Solver("glucose42")
kissat = Solver("kissat404", resumes=False)
