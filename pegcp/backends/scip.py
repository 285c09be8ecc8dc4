"""SCIP, a constraint integer solver, through MathOpt."""

from pegcp.backends.mathopt import Solver

_solver = Solver("scip")
run, export = _solver.run, _solver.export
