"""SMT solvers: run models that return a Formulation of an SMT-LIB script."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any

from pegcp.backends import run_loop
from pegcp.backends.model import Model
from pegcp.game.problem import Problem
from pegcp.method import Answer, Run
from pegcp.modelling.formulation import Formulation, Value
from pegcp.modelling.smt import Script, Values

# Values that satisfy the script; False: there are none; None: not known after so many seconds. The seed comes last.
Check = Callable[[Script, float, int], Values | bool | None]


class Solver:
    """One of the solvers, as a backend. Each turn begins anew; they use one thread."""

    def __init__(self, check: Check) -> None:
        self.check = check

    def run(self, model: Model, problem: Problem, run: Run, options: Mapping[str, Any]) -> Answer:
        """Solve the model within the limits."""
        totals: run_loop.Totals = {}

        def begin(formulation: Formulation[Script]) -> run_loop.Search:
            totals["bits"] = formulation.model.bits * len(formulation.model.names)

            def search(seconds: float) -> Value | bool | None:
                values = self.check(formulation.model, seconds, run.limits.seed)
                return values.__getitem__ if isinstance(values, Mapping) else values

            return search

        return run_loop.run(model, problem, run, options, begin, totals)

    def write(self, formulation: Formulation[Script], format: str, options: Mapping[str, Any]) -> dict[str, str]:  # noqa: A002, ARG002
        """The script, which asks for the values of all constants."""
        script = formulation.model
        return {"model.smt2": script.text + f"(check-sat)\n(get-value ({' '.join(script.names)}))\n"}


def _milliseconds(seconds: float) -> int:
    return max(1, min(round(seconds * 1000), (1 << 31) - 1))


def _z3(script: Script, seconds: float, seed: int) -> Values | bool | None:
    import z3

    z3.set_param("sat.random_seed", seed)
    solver = z3.Solver()  # that for QF_BV takes several times as long here
    solver.set("timeout", _milliseconds(seconds))
    solver.from_string(script.text)
    result = solver.check()
    if result == z3.unknown:
        return None
    if result == z3.unsat:
        return False
    found: Any = solver.model()
    values = {constant.name(): found[constant].as_long() for constant in found.decls()}
    return {name: values.get(name, 0) for name in script.names}  # of what does not matter any value will do


def _bitwuzla(script: Script, seconds: float, seed: int) -> Values | bool | None:
    import bitwuzla

    options = bitwuzla.Options()
    options.set(bitwuzla.Option.PRODUCE_MODELS, True)
    options.set(bitwuzla.Option.TIME_LIMIT_PER, _milliseconds(seconds))
    options.set(bitwuzla.Option.SEED, seed % (1 << 32))
    parser = bitwuzla.Parser(bitwuzla.TermManager(), options)
    parser.parse(script.text, True, False)  # the text itself, not the name of a file
    solver = parser.bitwuzla()
    result = solver.check_sat()
    if result == bitwuzla.Result.UNKNOWN:
        return None
    if result == bitwuzla.Result.UNSAT:
        return False
    return {constant.symbol(): int(solver.get_value(constant).value(10)) for constant in parser.get_declared_funs()}


def _cvc5(script: Script, seconds: float, seed: int) -> Values | bool | None:
    cvc5: Any = import_module("cvc5")  # whose types leave most of it out
    solver = cvc5.Solver()
    options: dict[str, str | int] = {
        "produce-models": "true",
        "tlimit-per": _milliseconds(seconds),
        "seed": seed,
        "sat-random-seed": seed,
    }
    for option, value in options.items():
        solver.setOption(option, str(value))
    parser = cvc5.InputParser(solver)
    parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, script.text, "script")
    symbols = parser.getSymbolManager()
    while not (command := parser.nextCommand()).isNull():
        command.invoke(solver, symbols)
    result = solver.checkSat()
    if result.isUnknown():
        return None
    if result.isUnsat():
        return False
    return {
        str(constant): int(solver.getValue(constant).getBitVectorValue(10)) for constant in symbols.getDeclaredTerms()
    }


z3, bitwuzla, cvc5 = Solver(_z3), Solver(_bitwuzla), Solver(_cvc5)
