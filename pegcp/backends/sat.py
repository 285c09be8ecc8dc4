"""SAT solvers of python-sat: run models that return a Formulation of Clauses."""

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import IO, Any

from pegcp.backends.interface import (
    OUT_OF_TIME,
    Ability,
    Answer,
    Backend,
    Figures,
    Formulation,
    HorizonLoop,
    Outcome,
    Run,
    Status,
    Tally,
    Value,
)
from pegcp.modelling.cnf import Clauses

_FIGURES = {"conflicts": "conflicts", "branches": "decisions", "propagations": "propagations", "restarts": "restarts"}
_FIRST_CONFLICTS = 2_000  # of a search; the solvers take no limit of time, so they stop after some conflicts
_TURN_SECONDS = 0.5  # seconds; after a shorter turn the next one has twice as many conflicts

SatFormulation = Formulation[Clauses]
State = tuple[list[list[int]], Any]  # the clauses of a formula, and a solver that has them


def _solve(native: Any, assumptions: Sequence[int], conflicts: int) -> bool | None:
    """Search for one turn. Raises KeyboardInterrupt after Ctrl-C, in place of python-sat's own error."""
    import pysolvers

    native.conf_budget(conflicts)
    try:
        solvable: bool | None = native.solve_limited(assumptions=list(assumptions))
    except pysolvers.error as error:
        if "interrupt" in str(error):
            raise KeyboardInterrupt from None
        raise
    return solvable


def all_clauses(model: Clauses) -> list[list[int]]:
    """Return the clauses of a formula, with its assumptions as unit clauses."""
    return [*model.clauses, *([literal] for literal in model.assumed)]


@dataclass(frozen=True)
class PySat(Backend):
    """One of the solvers. They have no random seed, and use one thread.

    ``solver`` is its name in python-sat; ``settings``: parameters by their names in the solver.
    """

    solver: str = ""
    settings: Mapping[str, int] = field(default_factory=dict)

    def begin(self, loop: HorizonLoop, formulation: SatFormulation) -> State:
        """Return a solver with the formula: that of the last one, if the formula begins with all of its clauses."""
        from pysat.solvers import Solver

        before, native = loop.last_state or ([], None)
        clauses = formulation.model.clauses
        if native is None or before != clauses[: len(before)]:
            native, before = Solver(self.solver), []
            if self.settings:
                native.configure(dict(self.settings))
        native.append_formula(clauses[len(before) :])
        return clauses, native

    def search(self, loop: HorizonLoop, formulation: SatFormulation, state: State, seconds: float) -> Outcome:
        """Search, or resume the search, for some seconds."""
        (_, native), deadline, conflicts = state, time.monotonic() + seconds, _FIRST_CONFLICTS
        while (began := time.monotonic()) < deadline:
            before = native.accum_stats()
            solvable = _solve(native, formulation.model.assumed, conflicts)
            after = native.accum_stats()
            loop.add_figures({name: after[key] - before[key] for name, key in _FIGURES.items()})
            loop.run.report({"conflicts": loop.statistics["conflicts"]})
            if solvable is not None:
                return self.reader(native) if solvable else False
            if time.monotonic() - began < _TURN_SECONDS:
                conflicts *= 2
        return None

    def count(self, loop: HorizonLoop, formulation: SatFormulation, state: State, tally: Tally) -> Answer:
        """Solve repeatedly; a clause on the jumps made excludes each solution found."""
        variables = [variable for step in formulation.made for variable in step.values()]
        while callable(value := self.search(loop, formulation, state, loop.run.remaining)):
            if not tally.add(partial(formulation.played, value)):
                break
            state[1].add_clause([-variable if value(variable) else variable for variable in variables])
        return tally.answer(is_complete=value is False)

    def reader(self, solution: Any) -> Value:
        """Read the last solution of a solver of python-sat."""
        if not hasattr(solution, "get_model"):
            return super().reader(solution)
        return set(solution.get_model() or ()).__contains__

    def write(self, formulation: SatFormulation, format: str, rising: bool = False) -> dict[str, str]:  # noqa: A002
        """Write the clauses in DIMACS format, with the names of the variables."""
        names, clauses = formulation.model.names, all_clauses(formulation.model)
        lines = [
            *(f"c {number} {name}" for number, name in enumerate(names, start=1)),
            f"p cnf {len(names)} {len(clauses)}",
            *(" ".join(map(str, [*clause, 0])) for clause in clauses),
        ]
        return {"model.cnf": "\n".join(lines) + "\n"}

    def sizes(self, native: Clauses) -> Figures:
        """Return the sizes of a formula."""
        clauses = all_clauses(native)
        return {"variables": len(native.names), "constraints": len(clauses), "literals": sum(map(len, clauses))}


def refute(formulation: SatFormulation, proof: IO[bytes], run: Run) -> Answer:
    """Solve one formula by CaDiCaL within the time; if it has no solution, write the proof, in LRAT, to a file."""
    import pysolvers
    from pysat.solvers import Cadical195

    native: Any = Cadical195()
    with native:
        native.configure({"lrat": 1, "binary": 1})
        native.prfile = proof  # python-sat itself asks for the proof before the solver can be told in which form
        stream = pysolvers.cadical195_tracepr(native.cadical, proof)
        native.append_formula(all_clauses(formulation.model))
        solvable = None
        while solvable is None and run.remaining > 0:
            solvable = _solve(native, [], _FIRST_CONFLICTS)
        if solvable is None:
            return OUT_OF_TIME
        if solvable:
            return Answer(Status.SOLVED, jumps=formulation.played(CADICAL.reader(native)))
        pysolvers.flushpr(stream)
        return Answer(Status.INFEASIBLE)


# Restarts as rare as for satisfiable formulas: a third of the time on the 33 reversals, and no more for refutations.
CADICAL = PySat(
    name="cadical",
    title="CaDiCaL 1.9.5 (in python-sat)",
    licence="MIT",
    distribution="python-sat",
    modules=("pysat",),
    package="pegcp[sat]",
    formats=("cnf",),
    abilities=frozenset({Ability.COUNTS}),
    solver="cadical195",
    settings={"stabilizeonly": 1},
)
GLUCOSE = replace(CADICAL, name="glucose", title="Glucose 4.2.1 (in python-sat)", solver="glucose42", settings={})
