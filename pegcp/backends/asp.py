"""clingo: runs models that return a Formulation of answer-set rules."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import replace
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
    """Solve the model, horizon after horizon; or count its solutions."""
    totals: attempts.Totals = {}
    if problem.objective is Objective.COUNT:
        return _counted(model, problem, run, options, totals)

    def begin(formulation: Formulation[Rules]) -> attempts.Search:
        shot = _Shot(model, formulation.model, run, totals, options)
        return lambda seconds: shot.solve(formulation, seconds)

    return attempts.run(model, problem, run, options, begin, totals)


def _counted(model: Model, problem: Problem, run: Run, options: Mapping[str, Any], totals: attempts.Totals) -> Answer:
    """Count the answer sets of the last horizon, which has all solutions; when stopped, those found so far."""
    began = time.perf_counter()
    book = model.book(problem, options)
    formulation = attempts.countable(book, lambda horizon: model.build(problem, horizon, options))
    if isinstance(formulation, Answer):
        return formulation
    shot = _Shot(model, formulation.model, run, totals, options, counting=True)
    built = time.perf_counter()
    answer = shot.solve(formulation, run.remaining, Tally(problem, run, formulation.distinct))
    totals |= {"build_seconds": built - began, "solve_seconds": time.perf_counter() - built}
    return replace(answer, statistics=totals)


def write(formulation: Formulation[Rules], format: str, options: Mapping[str, Any]) -> dict[str, str]:  # noqa: A002, ARG001
    """Rules and facts for the horizon of the options; or for clingo's program, which tries one number of steps after
    the other by itself (its incmode)."""
    rules = formulation.model
    if options.get("horizon"):
        return {"model.lp": rules.fixed}
    return {"model.lp": f"{rules.text}\n#program base.\n{rules.facts}\n#include <incmode>.\n"}


class _Shot:
    """A solver with the rules for one number of steps. Raises InputError if they are faulty."""

    def __init__(
        self,
        model: Model,
        rules: Rules,
        run: Run,
        totals: attempts.Totals,
        options: Mapping[str, Any],
        counting: bool = False,
    ) -> None:
        import clingo

        self.totals = totals
        said: list[str] = []
        arguments = [f"--seed={run.limits.seed}", f"--models={0 if counting else 1}"]
        arguments += [f"--{name}={value}" for name, value in {**model.parameters, **given("clingo", options)}.items()]
        try:
            self.control = clingo.Control(arguments, logger=lambda _, text: said.append(text))
            self.control.add("base", [], f"{rules.text}\n#program base.\n{rules.facts}query({rules.horizon}).")
            steps = [("step", [clingo.Number(t)]) for t in range(1, rules.horizon + 1)]
            self.control.ground([("base", []), *steps, ("check", [clingo.Number(rules.horizon)])])
        except RuntimeError as error:
            raise InputError(f"clingo: {error}: {' '.join(said).strip()}") from None

    def solve(self, formulation: Formulation[Rules], seconds: float, tally: Tally | None = None) -> Answer:
        """Search for some seconds for an answer set, or for all of them, which go to a tally."""
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
