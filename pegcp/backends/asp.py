"""clingo: runs models that return a Formulation of answer-set rules."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from pegcp.backends import run_loop
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
    totals: run_loop.Totals = {}
    arguments = [f"--seed={run.limits.seed}", f"--models={0 if problem.objective is Objective.COUNT else 1}"]
    arguments += [f"--{name}={value}" for name, value in {**model.parameters, **given("clingo", options)}.items()]

    def begin(formulation: Formulation[Rules]) -> run_loop.Search:
        control = _control(formulation.model, arguments)
        return lambda seconds: _solve(control, formulation, seconds, totals)

    def count(formulation: Formulation[Rules], tally: Tally) -> Answer:
        return _solve(_control(formulation.model, arguments), formulation, run.remaining, totals, tally)

    return run_loop.run(model, problem, run, options, begin, totals, count=count)


def write(formulation: Formulation[Rules], format: str, options: Mapping[str, Any]) -> dict[str, str]:  # noqa: A002, ARG001
    """Rules and facts for the horizon of the options; or for clingo's program, which tries one number of steps after
    the other by itself (its incmode)."""
    rules = formulation.model
    if options.get("horizon"):
        return {"model.lp": rules.fixed}
    return {"model.lp": f"{rules.text}\n#program base.\n{rules.facts}\n#include <incmode>.\n"}


def _control(rules: Rules, arguments: list[str]) -> clingo.Control:
    """A solver with the rules for one number of steps. Raises InputError if they are faulty."""
    import clingo

    said: list[str] = []
    try:
        control = clingo.Control(arguments, logger=lambda _, text: said.append(text))
        control.add("base", [], f"{rules.text}\n#program base.\n{rules.facts}query({rules.horizon}).")
        steps = [("step", [clingo.Number(t)]) for t in range(1, rules.horizon + 1)]
        control.ground([("base", []), *steps, ("check", [clingo.Number(rules.horizon)])])
    except RuntimeError as error:
        raise InputError(f"clingo: {error}: {' '.join(said).strip()}") from None
    return control


def _solve(
    control: clingo.Control,
    formulation: Formulation[Rules],
    seconds: float,
    totals: run_loop.Totals,
    tally: Tally | None = None,
) -> Answer:
    """Search for some seconds for an answer set, or for all of them, which go to a tally."""
    found: list[tuple[Jump, ...]] = []

    def on_model(model: clingo.Model) -> bool:
        made = {tuple(term.number for term in atom.arguments) for atom in model.symbols(shown=True)}
        if tally is not None:
            return tally.add(lambda: formulation.played(made.__contains__))
        found.append(formulation.played(made.__contains__))
        return False

    with control.solve(on_model=on_model, async_=True) as handle:
        if not handle.wait(seconds):
            handle.cancel()
        result = handle.get()
    told = control.statistics
    for name, key in _TOLD.items():
        totals[name] = totals.get(name, 0) + int(told["solving"]["solvers"][key])
    program = told["problem"]["lp"]
    totals |= {"variables": int(program["atoms"]), "constraints": int(program["rules"])}
    if tally is not None and tally.count:
        return tally.answer(whole=bool(result.exhausted))
    if found:
        return Answer(Status.SOLVED, jumps=found[0])
    return Answer(Status.INFEASIBLE) if result.unsatisfiable else OUT_OF_TIME
