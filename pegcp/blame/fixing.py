"""Give variables of a model their values, in the language of each solver."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from pegcp.modelling.cnf import Clauses
from pegcp.modelling.mzn import MiniZinc
from pegcp.modelling.rules import Rules
from pegcp.modelling.smt import Script


def fixed(model: Any, values: Iterable[tuple[Any, Any]]) -> Any:
    """A model in which variables have these values."""
    if isinstance(model, Rules):
        rows = [f":- {'not ' * value}{atom}." for atom, value in values]
        return replace(model, facts=model.facts + "\n".join(rows) + "\n")
    if isinstance(model, MiniZinc):
        rows = [f"constraint {term} = {int(value)};" for term, value in values]
        return replace(model, text=model.text + "\n" + "\n".join(rows) + "\n")
    library = type(model).__module__.partition(".")[0]
    for variable, value in values:
        if isinstance(model, Clauses):
            model.add(variable if value else -variable)
        elif isinstance(model, Script):
            model.add(variable if value else f"(not {variable})")
        elif library == "constraint":
            model._variables[variable][:] = [value]
        elif library == "cpmpy":
            model += variable == value
        elif library == "pychoco":
            model.arithm(variable, "=", int(value)).post()
        else:
            add = model.add if hasattr(model, "add") else model.add_linear_constraint
            add(variable == value)
    return model
