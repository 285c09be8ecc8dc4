"""CP-SAT's Python interface where OR-tools cannot be installed: models for this page, and a solver made for browsers.

It has what the CP-SAT models of pegcp use, under the names of ortools.sat.python.cp_model, and writes the same
protocol buffers. :func:`install` puts it in the place of that module; all other parts of OR-tools stay absent.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterable, Iterator
from enum import IntEnum
from types import ModuleType
from typing import Any

from protobuf import Message, Repeated, field_bytes, read_fields

CHOOSE_FIRST, CHOOSE_LOWEST_MIN, CHOOSE_HIGHEST_MAX, CHOOSE_MIN_DOMAIN_SIZE, CHOOSE_MAX_DOMAIN_SIZE = range(5)
SELECT_MIN_VALUE, SELECT_MAX_VALUE, SELECT_LOWER_HALF, SELECT_UPPER_HALF, SELECT_MEDIAN_VALUE = range(5)
INT_MIN, INT_MAX = -(1 << 63), (1 << 63) - 1


class LinearExpr:
    """A sum of variables with coefficients, and an offset."""

    def __init__(self, parts: list[tuple[int, int]], offset: int = 0) -> None:
        self.parts, self.offset = parts, offset

    def terms(self) -> dict[int, int]:
        """The coefficients, none of them 0, by the index of the variable."""
        terms: dict[int, int] = {}
        for index, coefficient in self.parts:
            terms[index] = terms.get(index, 0) + coefficient
        return {index: terms[index] for index in sorted(terms) if terms[index]}

    def __add__(self, other: Any) -> LinearExpr:
        other = linear(other)
        return LinearExpr(self.parts + other.parts, self.offset + other.offset)

    def __mul__(self, factor: int) -> LinearExpr:
        return LinearExpr([(index, factor * coefficient) for index, coefficient in self.parts], factor * self.offset)

    def __neg__(self) -> LinearExpr:
        return self * -1

    def __sub__(self, other: Any) -> LinearExpr:
        return self + -linear(other)

    def __radd__(self, other: Any) -> LinearExpr:
        return self + linear(other)

    def __rsub__(self, other: Any) -> LinearExpr:
        return -self + linear(other)

    def __rmul__(self, factor: int) -> LinearExpr:
        return self * factor

    def within(self, other: Any, *domain: int) -> BoundedLinearExpression:
        """The condition that the difference to another expression lies in a domain."""
        return BoundedLinearExpression(self - other, domain)

    def __eq__(self, other: object) -> BoundedLinearExpression:  # type: ignore[override]
        return self.within(other, 0, 0)

    def __ne__(self, other: object) -> BoundedLinearExpression:  # type: ignore[override]
        return self.within(other, INT_MIN, -1, 1, INT_MAX)

    def __le__(self, other: Any) -> BoundedLinearExpression:
        return self.within(other, INT_MIN, 0)

    def __lt__(self, other: Any) -> BoundedLinearExpression:
        return self.within(other, INT_MIN, -1)

    def __ge__(self, other: Any) -> BoundedLinearExpression:
        return self.within(other, 0, INT_MAX)

    def __gt__(self, other: Any) -> BoundedLinearExpression:
        return self.within(other, 1, INT_MAX)

    def __hash__(self) -> int:
        return id(self)


class Literal(LinearExpr):
    """A variable, or the negation of one that is 0 or 1, which has the index -1 - i."""

    def __init__(self, index: int, proto: Message) -> None:
        super().__init__([(index, 1)] if index >= 0 else [(-1 - index, -1)], int(index < 0))
        self.index, self.proto = index, proto

    @property
    def name(self) -> str:
        """The name of the variable."""
        return self.proto.name  # type: ignore[no-any-return]

    def __invert__(self) -> Literal:
        if self.proto.domain not in ([0, 1], [0, 0], [1, 1]):
            raise TypeError(f"{self} is not a Boolean variable, and has no negation")
        return Literal(-1 - self.index, self.proto)

    def __hash__(self) -> int:
        return self.index

    def __str__(self) -> str:
        return self.name if self.index >= 0 else f"not({self.name})"


IntVar = Literal
LiteralT = Literal | bool | int


class BoundedLinearExpression:
    """The condition that an expression has a value in a domain, a list of bounds."""

    def __init__(self, expression: LinearExpr, domain: Iterable[int]) -> None:
        self.vars, self.coeffs = list(terms := expression.terms()), list(terms.values())
        self.domain = [bound if bound in (INT_MIN, INT_MAX) else bound - expression.offset for bound in domain]

    def __bool__(self) -> bool:
        if self.domain[0] == self.domain[-1]:  # x == y: True for a variable and itself
            return not self.vars and self.domain[0] == 0
        raise NotImplementedError(f"{self.__class__.__name__} has no truth value: add it to the model")


def linear(value: Any) -> LinearExpr:
    """Return an expression for an expression or a whole number."""
    if isinstance(value, LinearExpr):
        return value
    if value != int(value):
        raise TypeError(f"{value!r} is neither a whole number nor a linear expression")
    return LinearExpr([], int(value))


class Constraint:
    """A constraint of a model."""

    def __init__(self, proto: Message) -> None:
        self.proto = proto

    def only_enforce_if(self, *literals: Any) -> Constraint:
        """Let the constraint hold only where literals are true."""
        self.proto.enforcement_literal.extend(literal.index for literal in flat(literals))
        return self


def flat(literals: tuple[Any, ...]) -> list[Any]:
    """Return the literals that are given one by one, or as one iterable."""
    one = len(literals) == 1 and not isinstance(literals[0], (LinearExpr, int))
    return list(literals[0] if one else literals)


class CpModel:
    """A model: variables, constraints, an objective, the order of the search."""

    def __init__(self) -> None:
        self.proto = Message("Model")
        self.constants: dict[int, Literal] = {}

    def __getattr__(self, name: str) -> Any:
        kind = "bool_or" if name == "add_at_least_one" else name[4:]
        if name.startswith("add_") and kind in ("bool_or", "bool_and", "bool_xor", "at_most_one", "exactly_one"):
            return lambda *literals: self._boolean(kind, flat(literals))
        snake = re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower()
        if snake != name and not name.startswith("_"):
            return getattr(self, snake.replace("_x_or", "_xor"))
        raise AttributeError(f"the CpModel of this page has no {name}: it has what the models of pegcp use")

    def _boolean(self, kind: str, literals: Iterable[Any]) -> Constraint:
        row = self.proto.constraints.add()
        getattr(row, kind).literals.extend(map(self._index, literals))
        return Constraint(row)

    def _index(self, literal: Any) -> int:
        return literal.index if isinstance(literal, Literal) else self.new_constant(int(literal)).index

    def new_int_var(self, least: int, most: int, name: str) -> Literal:
        """Return a new variable with values between two bounds."""
        variable = self.proto.variables.add()
        variable.domain.extend((least, most))
        variable.__dict__["name"] = name
        return Literal(len(self.proto.variables) - 1, variable)

    def new_bool_var(self, name: str) -> Literal:
        """Return a new variable that is 0 or 1."""
        return self.new_int_var(0, 1, name)

    def new_constant(self, value: int) -> Literal:
        """Return a variable with this value alone; the same for the same value."""
        if value not in self.constants:
            self.constants[value] = self.new_int_var(value, value, "")
        return self.constants[value]

    def add(self, condition: BoundedLinearExpression | bool) -> Constraint:
        """Add a condition on a linear expression."""
        if isinstance(condition, bool):
            return self._boolean("bool_or", [True] if condition else [])
        row = self.proto.constraints.add()
        for name in ("vars", "coeffs", "domain"):
            getattr(row.linear, name).extend(getattr(condition, name))
        return Constraint(row)

    def add_linear_constraint(self, expression: Any, least: int, most: int) -> Constraint:
        """Bound a linear expression, or a number, on both sides."""
        if isinstance(expression, int):
            return self._boolean("bool_and" if least <= expression <= most else "bool_or", [])
        return self.add(BoundedLinearExpression(linear(expression), (least, most)))

    def add_implication(self, premise: Any, conclusion: Any) -> Constraint:
        """Let one literal imply another."""
        return self._boolean("bool_and", [conclusion]).only_enforce_if(premise)

    def add_circuit(self, arcs: Iterable[tuple[int, int, Any]]) -> Constraint:
        """Let the arcs whose literals are true be a circuit through all nodes without a loop."""
        row = self.proto.constraints.add()
        for tail, head, literal in arcs:
            row.circuit.tails.append(tail)
            row.circuit.heads.append(head)
            row.circuit.literals.append(self._index(literal))
        return Constraint(row)

    def add_all_different(self, *expressions: Any) -> Constraint:
        """Let expressions have different values."""
        row = self.proto.constraints.add()
        self._write(row.all_diff.exprs, flat(expressions))
        return Constraint(row)

    def add_decision_strategy(self, variables: Iterable[Any], choice: int, reduction: int) -> None:
        """Search in this order of variables and values."""
        strategy = self.proto.search_strategy.add()
        strategy.__dict__ |= {"variable_selection_strategy": choice, "domain_reduction_strategy": reduction}
        self._write(strategy.exprs, variables)

    def _write(self, messages: Repeated, expressions: Iterable[Any]) -> None:
        for expression in map(linear, expressions):
            message, terms = messages.add(), expression.terms()
            message.vars.extend(terms)
            message.coeffs.extend(terms.values())
            message.__dict__["offset"] = expression.offset

    def add_hint(self, variable: Literal, value: int) -> None:
        """Let the search try a value of a variable first."""
        negated = variable.index < 0
        self.proto.solution_hint.vars.append(-1 - variable.index if negated else variable.index)
        self.proto.solution_hint.values.append(1 - value if negated else int(value))

    def minimize(self, expression: Any) -> None:
        """Make a linear expression as small as possible."""
        self._objective(linear(expression), 1)

    def maximize(self, expression: Any) -> None:
        """Make a linear expression as large as possible."""
        self._objective(-linear(expression), -1)

    def _objective(self, expression: LinearExpr, scaling: int) -> None:
        self.proto.__dict__["objective"] = objective = Message("Objective")
        terms = expression.terms()
        objective.vars.extend(terms)
        objective.coeffs.extend(terms.values())
        objective.__dict__ |= {"offset": float(expression.offset), "scaling_factor": float(scaling)}

    def clear_objective(self) -> None:
        """Want nothing more than a solution."""
        self.proto.__dict__.pop("objective", None)

    def has_objective(self) -> bool:
        """Tell whether there is an objective."""
        return self.proto.has_objective()  # type: ignore[no-any-return]

    def add_assumptions(self, literals: Iterable[Literal]) -> None:
        """Assume that literals are true."""
        self.proto.assumptions.extend(literal.index for literal in literals)

    def clear_assumptions(self) -> None:
        """Assume nothing."""
        self.proto.assumptions.clear()

    def validate(self) -> str:
        """Return no message: what is wrong is said by the solver."""
        return ""


class CpSolverStatus(IntEnum):
    """What a search says of a model."""

    UNKNOWN = 0
    MODEL_INVALID = 1
    FEASIBLE = 2
    INFEASIBLE = 3
    OPTIMAL = 4


UNKNOWN, MODEL_INVALID, FEASIBLE, INFEASIBLE, OPTIMAL = CpSolverStatus


class Engine:
    """The solver: a function of model, parameters, and whether to report all solutions; and its list of parameters."""

    def __init__(self, solve: Callable[[bytes, bytes, bool], bytes], schema: str) -> None:
        text = re.sub(r"//.*", "", schema)
        self.solve, self.fields = solve, read_fields(text)
        enums = re.findall(r"enum \w+ {(.*?)}", text, re.DOTALL)
        self.words = {name: int(number) for body in enums for name, number in re.findall(r"(\w+) = (\d+);", body)}
        self.words |= {"true": 1, "false": 0}


class Parameters:
    """Parameters of the solver, each as text."""

    texts: list[str]

    def __init__(self) -> None:
        self.__dict__["texts"] = []

    def __setattr__(self, name: str, value: Any) -> None:
        self.merge_text_format(f"{name}: {str(value).lower() if isinstance(value, bool) else value}")

    def merge_text_format(self, text: str) -> None:
        """Set a parameter: NAME: VALUE, or for several values NAME: [VALUE, VALUE]."""
        self.texts.append(text)

    def content(self, engine: Engine) -> bytes:
        """The bytes that the solver reads. Raises ValueError for what it does not know."""
        parts = []
        for text in self.texts:
            name, _, words = text.partition(": ")
            number, kind, _ = engine.fields.get(name, (0, "", False))
            for word in words.strip("[]").split(", "):
                try:
                    parts.append(field_bytes(number, kind, self._value(engine, kind, word)))
                except (KeyError, ValueError):
                    raise ValueError(f"CP-SAT has no parameter {name} with the value {word}") from None
        return b"".join(parts)

    def _value(self, engine: Engine, kind: str, word: str) -> Any:
        if kind in ("double", "string"):
            return float(word) if kind == "double" else word.strip("\"'")
        return int(word) if kind.startswith(("int", "uint")) else engine.words[word]


class _Solution:
    """What the solver answered."""

    response_proto: Message

    def value(self, expression: Any) -> int:
        """The value of an expression."""
        expression, values = linear(expression), self.response_proto.solution
        return expression.offset + sum(factor * values[index] for index, factor in expression.parts)  # type: ignore[no-any-return]

    @property
    def objective_value(self) -> float:
        """The value of the objective."""
        return self.response_proto.objective_value  # type: ignore[no-any-return]

    @property
    def best_objective_bound(self) -> float:
        """The bound that has been proved."""
        return self.response_proto.best_objective_bound  # type: ignore[no-any-return]

    @property
    def num_conflicts(self) -> int:
        """The number of conflicts of the search."""
        return self.response_proto.num_conflicts  # type: ignore[no-any-return]


class CpSolverSolutionCallback(_Solution):
    """A function that is called for each solution; in this page after the search, one after the other."""

    stopped = False

    def on_solution_callback(self) -> None:
        """Look at a solution."""

    def stop_search(self) -> None:
        """Look at no more solutions."""
        self.stopped = True


class CpSolver(_Solution):
    """The solver, which runs in a worker of its own while this one waits."""

    engine: Engine  # set by :func:`install`
    log_callback: Callable[[str], None] | None = None  # neither is called
    best_bound_callback: Callable[[float], None] | None = None

    def __init__(self) -> None:
        self.parameters = Parameters()

    def solve(self, model: CpModel, callback: CpSolverSolutionCallback | None = None) -> CpSolverStatus:
        """Solve a model."""
        content = self.engine.solve(bytes(model.proto), self.parameters.content(self.engine), callback is not None)
        *solutions, response = [content] if callback is None else read_events(content)
        self.response_proto = Message.read("Response", response)
        for solution in solutions:
            assert callback is not None
            callback.response_proto = Message.read("Response", solution)
            callback.on_solution_callback()
            if callback.stopped:
                break
        return CpSolverStatus(self.response_proto.status)

    def status_name(self, status: int) -> str:
        """The name of a status."""
        return CpSolverStatus(status).name

    def solution_info(self) -> str:
        """The solver's own words."""
        return self.response_proto.solution_info  # type: ignore[no-any-return]


def read_events(content: bytes) -> Iterator[bytes]:
    """Read the solutions that the search met, and its last word: the number of events, then kind, length, bytes."""
    count, at = int.from_bytes(content[:4], "little"), 4
    for event in range(count + 1):
        kind = 1
        if event < count:
            kind, at = content[at], at + 1
        end = at + 4 + int.from_bytes(content[at : at + 4], "little")
        if kind == 1:
            yield content[at + 4 : end]
        at = end


def install(engine: Engine | None = None) -> None:
    """Let ``from ortools.sat.python import cp_model`` mean this module; with an engine, let it solve."""
    package = ModuleType("ortools.sat.python")
    package.cp_model = sys.modules[__name__]  # type: ignore[attr-defined]
    sys.modules |= {package.__name__: package, f"{package.__name__}.cp_model": sys.modules[__name__]}
    if engine is not None:
        CpSolver.engine = engine
