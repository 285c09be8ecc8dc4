"""clingo: runs models that return a Formulation of answer-set rules."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from pegcp.backends.interface import (
    Ability,
    Answer,
    Backend,
    Figures,
    Formulation,
    HorizonLoop,
    InputError,
    Objective,
    Options,
    Outcome,
    Run,
    Tally,
    Value,
    check_word,
)
from pegcp.modelling.rules import Rules

if TYPE_CHECKING:
    import clingo

_FIGURES = {"conflicts": "conflicts", "branches": "choices", "restarts": "restarts"}
_NOT_OFFERED = ("seed", "supp-models", "no-ufs-check", "no-gamma")  # pegcp sets the seed; the others are unsound

ClingoFormulation = Formulation[Rules]


def _solve(
    loop: HorizonLoop, control: clingo.Control, seconds: float, see: Callable[[Value], bool | None]
) -> clingo.SolveResult:
    """Search for some seconds, and see each answer set, until False is returned for one."""

    def on_model(model: clingo.Model) -> bool | None:
        atoms = model.symbols(atoms=True)  # a file may show others
        made = {tuple(map(str, atom.arguments)) for atom in atoms if atom.name == "made"}
        return see(lambda step_and_jump: tuple(map(str, step_and_jump)) in made)

    with control.solve(on_model=on_model, async_=True) as handle:
        if not handle.wait(seconds):
            handle.cancel()
        result: clingo.SolveResult = handle.get()
    loop.add_figures({name: int(control.statistics["solving"]["solvers"][key]) for name, key in _FIGURES.items()})
    loop.statistics |= _size(control.statistics)
    return result


def _size(statistics: Any) -> Figures:
    program = statistics["problem"]["lp"]
    return {"variables": int(program["atoms"]), "constraints": int(program["rules"])}


def _control(rules: Rules, options: Options) -> clingo.Control:
    """Return a solver with the rules for one number of steps. Raises InputError for faulty rules or options."""
    import clingo

    messages: list[str] = []
    try:
        control = clingo.Control(
            [f"--{name}={value}" for name, value in options.items()], logger=lambda _, text: messages.append(text)
        )
        control.add("base", [], f"{rules.text}\n#program base.\n{rules.facts}query({rules.horizon}).")
        steps = [("step", [clingo.Number(t)]) for t in range(1, rules.horizon + 1)]
        control.ground([("base", []), *steps, ("check", [clingo.Number(rules.horizon)])])
    except RuntimeError as error:
        places = re.sub(r"<block>:(?=\d)", "line ", " ".join(messages).strip())
        line = re.match(r"line (\d+)", places)
        raise InputError(f"clingo: {error}: {places}", line=int(line[1]) if line else None) from None
    return control


class Clingo(Backend):
    """clingo on answer-set rules."""

    def begin(self, loop: HorizonLoop, formulation: ClingoFormulation) -> clingo.Control:
        """Ground the rules."""
        models = 0 if loop.problem.objective is Objective.COUNT else 1
        return _control(
            formulation.model,
            {"seed": loop.run.limits.seed, "models": models, **loop.model.parameters, **loop.parameters},
        )

    def search(self, loop: HorizonLoop, formulation: object, state: clingo.Control, seconds: float) -> Outcome:
        """Search for some seconds for an answer set."""
        solutions: list[Value] = []
        result = _solve(loop, state, seconds, solutions.append)
        return solutions[0] if solutions else False if result.unsatisfiable else None

    def count(self, loop: HorizonLoop, formulation: ClingoFormulation, state: clingo.Control, tally: Tally) -> Answer:
        """Hand all answer sets to a tally."""
        result = _solve(loop, state, loop.run.remaining, lambda value: tally.add(lambda: formulation.played(value)))
        return tally.answer(is_complete=bool(result.exhausted))

    def write(self, formulation: ClingoFormulation, format: str, rising: bool = False) -> dict[str, str]:  # noqa: A002
        """Write rules and facts for the horizon, or for clingo's own loop over rising horizons, which is incmode."""
        rules = formulation.model
        loop = f"{rules.text}\n#program base.\n{rules.facts}\n#include <incmode>.\n"
        return {"model.lp": loop if rising else rules.fixed}

    def check_parameter(self, name: str, value: str) -> None:
        """Raise InputError unless clingo's search or preprocessing has an option of that name, with that value."""
        import clingo

        control = clingo.Control()  # which must live as long as its configuration is read
        configuration: Any = control.configuration
        keys = (*configuration.solver.keys, *configuration.asp.keys, "configuration", "sat_prepro")
        check_word(
            self.name, "parameter", name, sorted({key.replace("_", "-") for key in keys}.difference(_NOT_OFFERED))
        )
        try:
            clingo.Control([f"--{name}={value}"])
        except RuntimeError as error:
            raise InputError(f"clingo.{name}: {error}") from None

    def presolved_sizes(self, native: Rules, run: Run, parameters: Mapping[str, str]) -> Figures:
        """Return the sizes of the ground program, and of clasp's constraints after its preprocessing."""
        control = _control(native, {"solve-limit": 0, **parameters})
        control.solve()
        solver = control.statistics["problem"]["generator"]
        rows = sum(int(solver[key]) for key in ("constraints", "constraints_binary", "constraints_ternary"))
        return _size(control.statistics) | {"variables_presolved": int(solver["vars"]), "constraints_presolved": rows}


CLINGO = Clingo(
    name="clingo",
    title="clingo",
    licence="MIT",
    distribution="clingo",
    modules=("clingo",),
    package="pegcp[asp]",
    formats=("asp",),
    abilities=frozenset({Ability.COUNTS}),
)
