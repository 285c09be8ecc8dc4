"""SAT solvers of python-sat: run models that return a Formulation of Clauses."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import IO, Any

from pegcp.backends.backend import Backend, Figures, Options
from pegcp.backends.run_loop import HorizonRun
from pegcp.method import OUT_OF_TIME, Answer, Run, Status, Tally
from pegcp.modelling.cnf import Clauses
from pegcp.modelling.formulation import Formulation, Value

_FIGURES = {"conflicts": "conflicts", "branches": "decisions", "propagations": "propagations", "restarts": "restarts"}
_TURN = 2_000  # conflicts: the solvers take no limit of time, so they are stopped after some, at first after so many
_SHORT = 0.5  # seconds; a turn that took less is followed by one of twice as many conflicts

Model = Formulation[Clauses]


class SatRun(HorizonRun):
    """A run on one of the solvers. They have no random seed, and use one thread."""

    backend: PySat
    last: _Search | None = None

    def begin(self, formulation: Model) -> _Search:
        """Give the formula to the solver, which keeps what it has if only clauses are added."""
        self.statistics |= size(formulation.model)
        self.last = _Search(self, formulation.model, self.last)
        return self.last

    def search(self, formulation: Model, state: _Search, seconds: float) -> Value | bool | None:  # noqa: ARG002
        """Search, or go on searching, for some seconds."""
        return state.search(seconds)

    def count(self, formulation: Model, state: _Search, tally: Tally) -> Answer:
        """Solve again and again; each solution is ruled out by a clause on the jumps made."""
        made = [variable for step in formulation.made for variable in step.values()]
        more, value = True, None
        while more and callable(value := state.search(self.run.remaining)):
            more = tally.add(partial(formulation.played, value))
            state.rule_out([-variable if value(variable) else variable for variable in made])
        return tally.answer(whole=value is False)


class _Search:
    """The search for a solution of one formula, on from the one before if that has the first of its clauses."""

    def __init__(self, run: SatRun, model: Clauses, before: _Search | None) -> None:
        self.run, self.backend = run, run.backend
        self.clauses, self.assumed = model.clauses, model.assumed
        self.native: Any
        self.turn, self.figures = _TURN, dict[str, int]()
        if before is not None and self.backend.goes_on and before.clauses == self.clauses[: len(before.clauses)]:
            self.native, self.figures = before.native, before.figures
            self.native.append_formula(self.clauses[len(before.clauses) :])
        else:
            self.native = self._native()

    def _native(self) -> Any:
        from pysat.solvers import Solver

        units = [] if self.backend.goes_on else [[literal] for literal in self.assumed]
        native: Any = Solver(self.backend.solver)
        if self.backend.settings:
            native.configure(dict(self.backend.settings))  # before it has clauses
        native.append_formula([*self.clauses, *units])
        return native

    def rule_out(self, clause: list[int]) -> None:
        """Add a clause, after a solution that it rules out."""
        self.clauses.append(clause)
        if self.backend.goes_on:
            self.native.add_clause(clause)
        else:
            self.native = self._native()

    def search(self, seconds: float) -> Value | bool | None:
        """Search, or go on searching, for some seconds."""
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            began = time.monotonic()
            self.native.conf_budget(self.turn)
            solvable = _solve(self.native, self.assumed if self.backend.goes_on else [])
            self._add_figures()
            if solvable:
                return self.backend.reader(self.native)
            if solvable is False:
                return False
            if time.monotonic() - began < _SHORT or not self.backend.goes_on:
                self.turn *= 2
            if not self.backend.goes_on:
                self.native = self._native()
        return None

    def _add_figures(self) -> None:
        """Add the solver's figures since the last time to the statistics; Kissat has none."""
        if self.backend.goes_on:
            figures, totals = self.native.accum_stats(), self.run.statistics
            for name, key in _FIGURES.items():
                totals[name] = totals.get(name, 0) + figures[key] - self.figures.get(key, 0)
            self.figures = figures
            self.run.run.report({"conflicts": totals["conflicts"]})


def _solve(native: Any, assumptions: Sequence[int]) -> bool | None:
    """Let a solver search for one turn. Raises KeyboardInterrupt after Ctrl-C, where python-sat has another error."""
    import pysolvers

    try:
        solvable: bool | None = native.solve_limited(assumptions=list(assumptions))
    except pysolvers.error as error:
        if "interrupt" in str(error):
            raise KeyboardInterrupt from None
        raise
    return solvable


def all_clauses(model: Clauses) -> list[list[int]]:
    """The clauses with those that are assumed in this formula."""
    return [*model.clauses, *([literal] for literal in model.assumed)]


def size(model: Clauses) -> Figures:
    """How large a formula is."""
    clauses = all_clauses(model)
    return {"variables": len(model.names), "constraints": len(clauses), "literals": sum(map(len, clauses))}


@dataclass(frozen=True)
class PySat(Backend):
    """One of the solvers. ``solver`` is its name in python-sat; ``goes_on``: it can go on after it was stopped, and
    with more clauses; ``settings``: parameters by their names in the solver."""

    distribution: str = "python-sat"
    modules: tuple[str, ...] = ("pysat",)
    package: str = "pegcp[sat]"
    formats: tuple[str, ...] = ("cnf", "wcnf")
    counts: bool = field(default=True, kw_only=True)
    solver: str = ""
    goes_on: bool = True
    settings: Mapping[str, int] = field(default_factory=dict)
    runs = SatRun

    def reader(self, solution: Any) -> Value:
        """The variables that are true in the last solution of a solver of python-sat."""
        if not hasattr(solution, "get_model"):
            return super().reader(solution)
        return set(solution.get_model() or ()).__contains__

    def write(self, formulation: Model, format: str, options: Options) -> dict[str, str]:  # noqa: A002, ARG002
        """The clauses in DIMACS format, with the names of the variables.

        As wcnf all of them are hard, for a solver of maximum satisfiability.
        """
        names, clauses, hard = formulation.model.names, all_clauses(formulation.model), format == "wcnf"
        lines = [f"c {number} {name}" for number, name in enumerate(names, start=1)]
        lines += [] if hard else [f"p cnf {len(names)} {len(clauses)}"]
        lines += [" ".join(map(str, ["h"] * hard + clause + [0])) for clause in clauses]
        return {f"model.{format}": "\n".join(lines) + "\n"}

    def statistics(self, native: Clauses, run: Run, parameters: Mapping[str, str]) -> Figures:  # noqa: ARG002
        """Sizes of the formula."""
        return size(native)


def refute(formulation: Model, proof: IO[bytes], run: Run) -> Answer:
    """Solve one formula by CaDiCaL within the time; if it has no solution, write the proof, in LRAT, to a file."""
    import pysolvers
    from pysat.solvers import Cadical195

    native: Any = Cadical195()
    native.configure({"lrat": 1, "binary": 1})
    native.prfile = proof  # python-sat itself asks for the proof before the solver can be told in which form
    stream = pysolvers.cadical195_tracepr(native.cadical, proof)
    try:
        native.append_formula(all_clauses(formulation.model))
        solvable = None
        while solvable is None and run.remaining > 0:
            native.conf_budget(_TURN)
            solvable = _solve(native, [])
        if solvable is None:
            return OUT_OF_TIME
        if not solvable:
            pysolvers.flushpr(stream)
            return Answer(Status.INFEASIBLE)
        return Answer(Status.SOLVED, jumps=formulation.played(CADICAL.reader(native)))
    finally:
        native.delete()


# Restarts as rare as for satisfiable formulas: a third of the time on the 33 reversals, and no more for refutations.
CADICAL = PySat(
    name="cadical",
    title="CaDiCaL 1.9.5 (in python-sat)",
    licence="MIT",
    solver="cadical195",
    settings={"stabilizeonly": 1},
)
GLUCOSE = PySat(name="glucose", title="Glucose 4.2.1 (in python-sat)", licence="MIT", solver="glucose42")
KISSAT = PySat(name="kissat", title="Kissat 4.0.4 (in python-sat)", licence="MIT", solver="kissat404", goes_on=False)
