"""CP-SAT as a solver of integer programs, through MathOpt."""

from pegcp.backends.mathopt import Solver

_solver = Solver("cp-sat-mathopt")
run, export = _solver.run, _solver.export
