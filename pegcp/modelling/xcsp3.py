"""XCSP3: models of CPMpy whose constraints are logic and sums, written as XCSP3-core.

The format is that of Boussemart, Lecoutre, Audemard and Piette, XCSP3: an integrated format for benchmarking
combinatorial constrained problems (specifications 3.2, section 4.1 for intensional constraints).
"""

import re
from typing import Any

from pegcp.errors import refuse_if

_OPERATORS = {"->": "imp", "sum": "add", "==": "eq", "!=": "ne", "<=": "le", "<": "lt", ">=": "ge", ">": "gt"}
_OPERATORS |= {"and": "and", "or": "or", "not": "not"}


def xcsp3(model: Any) -> str:
    """Return the text of a CPMpy model without objective. Raises InputError for an operator that is not supported."""
    from cpmpy.expressions.core import Expression
    from cpmpy.expressions.utils import flatlist
    from cpmpy.expressions.variables import NegBoolView
    from cpmpy.transformations.get_variables import get_variables

    variables = get_variables(model.constraints)
    ids = {
        v.name: v.name if re.fullmatch(r"[A-Za-z]\w*", v.name, re.ASCII) else f"x{i}" for i, v in enumerate(variables)
    }

    def text_of(expression: Any) -> str:
        if isinstance(expression, NegBoolView):
            return f"not({text_of(expression._bv)})"
        if not isinstance(expression, Expression):
            return str(int(expression))
        if expression.name in ids:
            return ids[expression.name]
        refuse_if(expression.name not in _OPERATORS, f'CPMpy operator "{expression.name}" cannot be written as XCSP3')
        parts = ",".join(map(text_of, expression.args))
        single = len(expression.args) == 1 and expression.name != "not"
        return parts if single else f"{_OPERATORS[expression.name]}({parts})"

    terms = [text if "(" in text else f"eq({text},1)" for text in map(text_of, flatlist(model.constraints))]
    lines = [
        '<instance format="XCSP3" type="CSP">',
        "  <variables>",
        *(f'    <var id="{ids[variable.name]}">{variable.lb}..{variable.ub}</var>' for variable in variables),
        "  </variables>",
        "  <constraints>",
        *(f"    <intension>{term}</intension>" for term in terms),
        "  </constraints>",
        "</instance>",
    ]
    return "\n".join(lines) + "\n"
