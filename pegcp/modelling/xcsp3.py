"""XCSP3: models of CPMpy whose constraints are logic and sums, written as XCSP3-core.

The format is that of Boussemart, Lecoutre, Audemard and Piette, XCSP3: an integrated format for benchmarking
combinatorial constrained problems (specifications 3.2, section 4.1 for intensional constraints).
"""

from __future__ import annotations

import re
from typing import Any
from xml.etree import ElementTree

from cpmpy.expressions.core import Expression
from cpmpy.expressions.utils import flatlist
from cpmpy.expressions.variables import NegBoolView
from cpmpy.transformations.get_variables import get_variables

from pegcp.errors import InputError

_OPERATORS = {
    "and": "and",
    "or": "or",
    "->": "imp",
    "not": "not",
    "sum": "add",
    "==": "eq",
    "!=": "ne",
    "<=": "le",
    "<": "lt",
    ">=": "ge",
    ">": "gt",
}


def xcsp3(model: Any) -> str:
    """The text of a CPMpy model without objective. Raises InputError for an expression that has no place in it."""
    variables = get_variables(model.constraints)
    ids = {
        v.name: v.name if re.fullmatch(r"[A-Za-z]\w*", v.name, re.ASCII) else f"x{i}" for i, v in enumerate(variables)
    }

    def written(expression: Any) -> str:
        if isinstance(expression, NegBoolView):
            return f"not({written(expression._bv)})"
        if not isinstance(expression, Expression):
            return str(int(expression))
        if expression.name in ids:
            return ids[expression.name]
        if expression.name not in _OPERATORS:
            raise InputError(f"XCSP3 has no word for CPMpy's {expression.name} here")
        parts = ",".join(map(written, expression.args))
        return (
            f"{_OPERATORS[expression.name]}({parts})" if len(expression.args) > 1 or expression.name == "not" else parts
        )

    instance = ElementTree.Element("instance", format="XCSP3", type="CSP")
    declared = ElementTree.SubElement(instance, "variables")
    for variable in variables:
        ElementTree.SubElement(declared, "var", id=ids[variable.name]).text = f"{variable.lb}..{variable.ub}"
    constraints = ElementTree.SubElement(instance, "constraints")
    for constraint in flatlist(model.constraints):
        text = written(constraint)
        ElementTree.SubElement(constraints, "intension").text = text if "(" in text else f"eq({text},1)"
    ElementTree.indent(instance)
    return ElementTree.tostring(instance, "unicode") + "\n"
