"""SMT solvers: run models that return a Formulation of an SMT-LIB script."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from importlib import import_module
from typing import Any

from pegcp.backends.interface import Backend, Figures, Formulation, HorizonLoop, Outcome
from pegcp.modelling.smt import Script


@dataclass(frozen=True)
class Smt(Backend):
    """One of the solvers. Each turn begins anew; they use one thread.

    ``check``: the function that checks a script within some seconds, with a seed.
    """

    check: Callable[[Script, float, int], Outcome] = field(kw_only=True)

    def search(
        self,
        loop: HorizonLoop,
        formulation: Formulation[Script],
        state: None,
        seconds: float,
    ) -> Outcome:
        """Check the script within some seconds."""
        return self.check(formulation.model, seconds, loop.run.limits.seed)

    def write(self, formulation: Formulation[Script], format: str, rising: bool = False) -> dict[str, str]:  # noqa: A002
        """Write the script, which asks for the values of all constants."""
        script = formulation.model
        return {"model.smt2": script.text + f"(check-sat)\n(get-value ({' '.join(script.names)}))\n"}

    def sizes(self, native: Script) -> Figures:
        """Return the sizes of the script."""
        return {"variables": len(native.names), "constraints": native.text.count("(assert ")}


def _milliseconds(seconds: float) -> int:
    return max(1, min(round(seconds * 1000), (1 << 31) - 1))


def _z3(script: Script, seconds: float, seed: int) -> Outcome:
    import z3

    z3.set_param("sat.random_seed", seed)
    solver = z3.Solver()  # that for QF_BV takes several times as long here
    solver.set("timeout", _milliseconds(seconds))
    solver.from_string(script.text)
    if (result := solver.check()) != z3.sat:
        return False if result == z3.unsat else None
    assignment: Any = solver.model()
    values = {constant.name(): assignment[constant].as_long() for constant in assignment.decls()}
    return lambda name: values.get(name, 0)  # constants without a value may have any


def _bitwuzla(script: Script, seconds: float, seed: int) -> Outcome:
    import bitwuzla

    options = bitwuzla.Options()
    options.set(bitwuzla.Option.PRODUCE_MODELS, True)
    options.set(bitwuzla.Option.TIME_LIMIT_PER, _milliseconds(seconds))
    options.set(bitwuzla.Option.SEED, seed % (1 << 32))
    parser = bitwuzla.Parser(bitwuzla.TermManager(), options)
    parser.parse(script.text, True, False)  # the text itself, not the name of a file
    solver = parser.bitwuzla()
    if (result := solver.check_sat()) != bitwuzla.Result.SAT:
        return False if result == bitwuzla.Result.UNSAT else None
    return {c.symbol(): int(solver.get_value(c).value(10)) for c in parser.get_declared_funs()}.__getitem__


def _cvc5(script: Script, seconds: float, seed: int) -> Outcome:
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
    if not (result := solver.checkSat()).isSat():
        return False if result.isUnsat() else None
    terms = symbols.getDeclaredTerms()
    return {str(term): int(solver.getValue(term).getBitVectorValue(10)) for term in terms}.__getitem__


Z3 = Smt(
    name="z3",
    title="Z3",
    licence="MIT",
    distribution="z3-solver",
    modules=("z3",),
    package="pegcp[smt]",
    formats=("smt2",),
    check=_z3,
)
# Both give the bits to CaDiCaL.
BITWUZLA = replace(
    Z3,
    name="bitwuzla",
    title="Bitwuzla",
    distribution="bitwuzla",
    modules=("bitwuzla",),
    check=_bitwuzla,
    engine="cadical",
)
CVC5 = replace(
    BITWUZLA,
    name="cvc5",
    title="cvc5",
    licence="BSD-3-Clause",
    distribution="cvc5",
    modules=("cvc5",),
    check=_cvc5,
)
