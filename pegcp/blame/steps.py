"""The values of a model's variables that mean the steps of a solution, and reading the steps from a solution."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from pegcp.game import Board, Jump
from pegcp.modelling.formulation import AnyFormulation, ByJump, Value, Variable
from pegcp.modelling.steps import Steps

# How a solver's model takes the value of a variable, by the module of its class; CP-SAT and CPMpy as the default.
_FIXES: Mapping[str, Callable[[Any, Variable, bool], object]] = {
    "pegcp.modelling.cnf": lambda model, literal, value: model.add(literal if value else -literal),
    "pegcp.modelling.smt": lambda model, term, value: model.add(term if value else f"(not {term})"),
    "ortools.math_opt.python.model": lambda model, variable, value: model.add_linear_constraint(variable == value),
    "constraint.problem": lambda model, choice, value: model._variables[choice[0]].__setitem__(
        slice(None), [other for other in model._variables[choice[0]] if (other == choice[1]) == value]
    ),
    "pychoco.model": lambda model, variable, value: model.arithm(variable, "=", int(value)).post(),
    "": lambda model, variable, value: model.add(variable == value),
}
# The field of a model that is text, and the text for a value.
_TEXTS: Mapping[str, tuple[str, Callable[[str, bool], str]]] = {
    "pegcp.modelling.rules": ("facts", lambda atom, value: f":- {'not ' * value}{atom}.\n"),
    "pegcp.modelling.mzn": ("data", lambda term, value: f"constraint {term} = {int(value)};\n"),
}
_FIRST_STEP = {"pegcp.modelling.rules": 1, "pegcp.modelling.mzn": 0}  # where made is read by step and jump number


def fix_values(formulation: AnyFormulation, steps: Steps, positions: Sequence[int], pegs: int) -> AnyFormulation:
    """Return the formulation with the values of some steps, and those of the first ``pegs`` holes of positions."""
    rows = [
        (variable, jump in step)
        for step, variables in zip(steps, formulation.made, strict=False)
        for jump, variable in variables.items()
    ]
    holes = [
        (variable, bool(position >> h & 1))
        for position, variables in zip(positions, formulation.peg, strict=False)
        for h, variable in enumerate(variables.values())
    ]
    model, library = formulation.model, type(formulation.model).__module__
    if library in _TEXTS:
        name, row = _TEXTS[library]
        texts = [row(variable, value) for variable, value in rows + holes[:pegs]]
        return replace(formulation, model=replace(model, **{name: getattr(model, name) + "".join(texts)}))
    for variable, value in rows + holes[:pegs]:
        _FIXES.get(library, _FIXES[""])(model, variable, value)
    return formulation


def with_choices(formulation: AnyFormulation, board: Board) -> AnyFormulation:
    """Return a formulation for python-constraint that says ``made``: a variable and the value that means a jump there.

    What a value means is read from a solution of that value alone. Other formulations are returned as they are.
    """
    if type(formulation.model).__module__ != "constraint.problem":
        return formulation
    made = []
    for name, domain in formulation.model._variables.items():
        meanings = ((formulation.jumps(lambda _, value=value: value) or [], value) for value in domain)
        choices = dict(sorted((jumps[0], (name, value)) for jumps, value in meanings if jumps))
        made.append(ByJump(board, [*choices], [*choices.values()]))
    return replace(formulation, made=made)


def read_steps(formulation: AnyFormulation, value: Value) -> Steps:
    """Return the jumps that a solution of a model makes in each step."""
    first = _FIRST_STEP.get(type(formulation.model).__module__)

    def is_made(t: int, j: int, variable: Variable) -> bool:
        if isinstance(variable, tuple):
            return bool(value(variable[0]) == variable[1])
        if bit := re.match(r"\(= \(\(_ extract (\d+) \d+\) (\w+)\)", str(variable)):
            return bool(value(bit[2]) >> int(bit[1]) & 1)
        return bool(value(variable if first is None else (t + first, j)))

    return [
        [jump for j, (jump, variable) in enumerate(step.items()) if isinstance(jump, Jump) and is_made(t, j, variable)]
        for t, step in enumerate(formulation.made)
    ]
