"""clingo: runs models that return a Formulation of answer-set rules."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from pegcp.backends import attempts
from pegcp.backends.model import Model
from pegcp.backends.parameters import given
from pegcp.errors import InputError
from pegcp.game.board import Jump
from pegcp.game.goal import Objective
from pegcp.game.problem import Problem
from pegcp.method import OUT_OF_TIME, Answer, Run, Status, Tally
from pegcp.modelling.formulation import Formulation
from pegcp.modelling.rules import Rules

if TYPE_CHECKING:
    import clingo

_TOLD = {"conflicts": "conflicts", "branches": "choices", "restarts": "restarts"}


def run(model: Model, problem: Problem, run: Run, options: Mapping[str, Any]) -> Answer:
    """Solve the model, horizon after horizon, by one solver that keeps what it has learned; or count its solutions."""
    totals: attempts.Totals = {}
    shots = _Shots(run, totals, options, counting=problem.objective is Objective.COUNT)

    def begin(formulation: Formulation[Rules]) -> attempts.Search:
        shots.ground(formulation.model)
        return lambda seconds: shots.solve(formulation, seconds)

    def count(formulation: Formulation[Rules], tally: Tally) -> Answer:
        return shots.solve(formulation, run.remaining, tally)

    return attempts.run(model, problem, run, options, begin, totals, count=count)


def write(formulation: Formulation[Rules], format: str, options: Mapping[str, Any]) -> dict[str, str]:  # noqa: A002, ARG001
    """Rules and facts for the horizon of the options; or for clingo's program, which tries one number of steps after
    the other by itself (its incmode)."""
    rules = formulation.model
    if options.get("horizon"):
        return {"model.lp": rules.fixed}
    return {"model.lp": f"{rules.text}\n#program base.\n{rules.facts}\n#include <incmode>.\n"}


class _Shots:
    """One solver for all horizons: steps are added as they are needed."""

    def __init__(self, run: Run, totals: attempts.Totals, options: Mapping[str, Any], counting: bool) -> None:
        import clingo

        self.run, self.totals = run, totals
        self.said: list[str] = []
        arguments = [f"--seed={run.limits.seed}", f"--models={0 if counting else 1}"]
        arguments += [f"--{name}={value}" for name, value in given("clingo", options).items()]
        try:
            self.control = clingo.Control(arguments, logger=lambda _, text: self.said.append(text))
        except RuntimeError as error:
            raise InputError(str(error)) from None
        self.steps = -1
        self.asked: set[int] = set()

    def ground(self, rules: Rules) -> None:
        """Add the steps that are missing for these rules. Raises InputError if they are faulty."""
        from clingo import Number

        try:
            if self.steps < 0:
                self.control.add("base", [], f"{rules.text}\n#program base.\n{rules.facts}")
                self.control.ground([("base", [])])
                self.steps = 0
            for t in range(self.steps + 1, rules.horizon + 1):
                self.control.ground([("step", [Number(t)])])
            self.control.ground([("check", [Number(rules.horizon)])])
        except RuntimeError as error:
            raise InputError(f"clingo: {error}: {' '.join(self.said).strip()}") from None
        self.steps = max(self.steps, rules.horizon)
        self.asked.add(rules.horizon)

    def solve(self, formulation: Formulation[Rules], seconds: float, tally: Tally | None = None) -> Answer:
        """Search for some seconds for an answer set, or for all of them, which go to a tally."""
        from clingo import Function, Number

        for horizon in self.asked:
            query = Function("query", [Number(horizon)])
            self.control.assign_external(query, horizon == formulation.model.horizon)
        found: list[tuple[Jump, ...]] = []

        def on_model(model: clingo.Model) -> bool:
            made = {tuple(term.number for term in atom.arguments) for atom in model.symbols(shown=True)}
            if tally is not None:
                return tally.add(lambda: formulation.played(made.__contains__))
            found.append(formulation.played(made.__contains__))
            return False

        with self.control.solve(on_model=on_model, async_=True) as handle:
            if not handle.wait(seconds):
                handle.cancel()
            result = handle.get()
        self._tell()
        if tally is not None and tally.count:
            return tally.answer(whole=bool(result.exhausted))
        if found:
            return Answer(Status.SOLVED, jumps=found[0])
        return Answer(Status.INFEASIBLE) if result.unsatisfiable else OUT_OF_TIME

    def _tell(self) -> None:
        """Add what clingo tells of its search to the totals."""
        told = self.control.statistics
        for name, key in _TOLD.items():
            self.totals[name] = self.totals.get(name, 0) + int(told["solving"]["solvers"][key])
        program = told["problem"]["lp"]
        self.totals |= {"variables": int(program["atoms"]), "constraints": int(program["rules"])}
