"""HiGHS, a mixed-integer solver, through MathOpt."""

from pegcp.backends.mathopt import Solver

_solver = Solver("highs")
run, export = _solver.run, _solver.export
