"""What solvers print, form by form: solutions, "no solution", giving up at a limit or otherwise, and crashes."""

from __future__ import annotations

import pytest

from pegcp.backends.solver_output import READERS
from pegcp.method import Reason

TIME, MEMORY, OPEN, UNSUPPORTED = Reason.TIME, Reason.MEMORY, Reason.COMPLETED, Reason.UNSUPPORTED
ERROR = Reason.ERROR
NO = False
INSTANTIATION = "<instantiation id='sol1' type='solution'> <list> a b c d </list> <values> 1x2 0 * </values>"
CBC_LOG = "Welcome to the CBC MILP Solver\nCbc0010I After 0 nodes, 1 on tree, 1e+50 best solution, best possible 0\n"
GUROBI_LOG = "Set parameter TimeLimit to value 5\nGurobi Optimizer version 11.0.0 build v11.0.0rc2\n\n"
SCIP_LOG = "SCIP version 8.0.3 [precision: 8 byte]\n\nfeasible solution found by trivial heuristic\n\n"
HIGHS_LOG = (
    "Running HiGHS 1.7.0\nPresolving model\n\nSolving report\n  Status            {0}\n  Solution status   {1}\n"
)
HIGHS_FILE = "Model status\n{0}\n\n# Primal solution values\n{1}\n"
HIGHS_VALUES = (
    "Feasible\nObjective 0\n# Columns 2\nx_a 1\ny 0\n# Rows 1\nr1 1\n\n# Dual solution values\nFeasible\nx_a 0\n"
)
HIGHS_TABLE = """Columns
    Index Status        Lower        Upper       Primal  Type        Name
        0                   0            1            1  Integer     x_a
        1                   0            1            0  Integer     y
Rows
    Index Status        Lower        Upper       Primal  Name
        0                   1            1            1  r1

Model status: Optimal
"""
GLPK = "Problem:    \nStatus:     INTEGER {0}\nObjective:  obj = 0 (MINimum)\n\n   No. Column name       Activity\n"
CPLEX = (
    '<?xml version = "1.0"?>\n<CPLEXSolution>\n <header solutionStatusString="{0}"/>\n <variables>\n'
    '  <variable name="x_a" index="0" value="1"/>\n  <variable name="y" index="1" value="-0"/>\n </variables>\n'
)
GUROBI_JSON = (
    '{"SolutionInfo": {"Status": 2, "SolCount": 1},\n "Vars": [{"VarName": "x_a", "X": 1}, {"VarName":"y","X":0}]}'
)
CLINGO_JSON = """{{
  "Solver": "clingo version 5.6.2", "Input": ["model.asp"],
  "Call": [ {{ "Witnesses": [ {{ "Value": [ "made(2,7)" ] }}, {{
          "Value": [
            "made(1,2)", "made(2,0)"
          ] }} ] }} ],
  "Result": "{0}",
  "Models": {{ "Number": 2, "More": "yes" }}
}}
"""
CLINGO_JSON_NO = '{\n  "Call": [\n    {\n    }\n  ],\n  "Result": "UNSATISFIABLE",\n  "Models": {"Number": 0}\n}\n'
STREAM = '{"type": "statistics", "statistics": {"flatTime": 0.1}}\n'
CNF, OPB, ARRAY = {1: 1, 2: 0, 3: 1}, {"x1": 1, "x2": 0, "x3": 1}, {(0, 0): 0, (0, 1): 1, (1, 0): 1, (1, 1): 0}
LINEAR, BITS, ATOMS, XCSP = {"x_a": 1, "y": 0}, {"p00": 5, "m00": 10}, {(1, 2): 1, (2, 0): 1}, {"a": 1, "b": 1, "c": 0}

OUTPUTS = [
    # SAT: solutions
    ("cnf", "c hello\ns SATISFIABLE\nv 1 -2\nv 3 0\n", 10, CNF),
    ("cnf", "s  SATISFIABLE\nv  1 -2 3 0\n", 10, CNF),
    ("cnf", "S SATISFIABLE\nV 1 -2 3 0\n", 10, CNF),
    ("cnf", "s\tSATISFIABLE\r\nv 1 -2 3\r\n".replace("\r", ""), 0, CNF),
    ("cnf", "s SATISFIABLE\nv 1\nv -2\nv 3\nv 0\nc exit 10\n", 10, CNF),
    ("cnf", "v 1 -2 3 0\ns SATISFIABLE\n", 10, CNF),
    ("cnf", "| 1 2 3 |\nSATISFIABLE\nSAT\n1 -2 3 0\n", 10, CNF),
    ("cnf", "sat\n1 -2 3\n", 0, CNF),
    ("cnf", "SAT\n1 -2\n3 0\n", 0, CNF),
    ("cnf", "Instance Satisfiable\n1 -2 3 Random Seed Used\t0\nMax Decision Level\t2\nRESULT:\tSAT\n", 0, CNF),
    ("cnf", "SAT\n[1, -2, 3]\n", 0, CNF),
    ("cnf", "o 0\ns OPTIMUM FOUND\nv 101\n", 30, CNF),
    ("cnf", "s SATISFIABLE\nv 1 -2 3 0\nSegmentation fault\n", -11, CNF),
    ("cnf", "v 1 -2 3 0\nc stopped before the verdict\n", 0, CNF),
    # SAT: no solution
    ("cnf", "s UNSATISFIABLE\n", 20, NO),
    ("cnf", "s  UNSATISFIABLE\nc 5 conflicts\n", 0, NO),
    ("cnf", "UNSAT\n", 20, NO),
    ("cnf", "WARNING: for repeatability\nUNSATISFIABLE\n", 20, NO),
    ("cnf", "Instance Unsatisfiable\nRESULT:\tUNSAT\n", 0, NO),
    ("cnf", "c timeout: 900\nc set time limit to 900 s\ns UNSATISFIABLE\n", 20, NO),
    # SAT: no verdict, with or without a crash
    ("cnf", "s UNKNOWN\n", 0, OPEN),
    ("cnf", "c UNKNOWN\nc raising signal\n", 0, OPEN),
    ("cnf", "INDETERMINATE\n", 0, OPEN),
    ("cnf", "INDET\n*** INTERRUPTED ***\n", 1, OPEN),
    ("cnf", "c caught signal 14 (SIGALRM)\nc raising signal 14 (SIGALRM)\n", -14, TIME),
    ("cnf", "timeout\n", 0, TIME),
    ("cnf", "c time limit of 5 seconds reached\ns UNKNOWN\n", 0, TIME),
    ("cnf", "s UNSUPPORTED\n", 0, UNSUPPORTED),
    ("cnf", "c out of memory\n", 1, MEMORY),
    ("cnf", "terminate called after throwing an instance of 'std::bad_alloc'\n", -6, MEMORY),
    ("cnf", "s UNSATISFIABLE\ns UNKNOWN\n", 0, OPEN),
    ("cnf", "s UNSATISFIABLE\n", -11, ERROR),
    ("cnf", "s UNSATISFIABLE\n", 10, ERROR),
    ("cnf", "s UNSATISFIABLE\nTraceback (most recent call last):\nValueError\n", 1, ERROR),
    ("cnf", "s SATISFIABLE\nv 1 0\n", 20, ERROR),
    ("cnf", "s SATISFIABLE\n", 10, ERROR),
    ("cnf", "the formula is not UNSATISFIABLE\n", 0, ERROR),
    ("cnf", "", 20, ERROR),
    ("cnf", "", 124, ERROR),
    # pseudo-Boolean
    ("opb", "s SATISFIABLE\nv x1 -x2\nv x3\n", 0, OPB),
    ("opb", "o 0\ns OPTIMUM FOUND\nv x1 ~x2 x3\n", 30, OPB),
    ("opb", "c clasp\ns  SATISFIABLE\nV  x1 -x2 x3 \n", 10, OPB),
    ("opb", "s SATISFIABLE\nv x1=1 x2=0 x3=1\n", 0, OPB),
    ("opb", "SCIP Status        : problem is solved [optimal solution found]\nx1   1 (obj:0)\nx3   1\n", 0, {"x1": 1}),
    ("opb", "s UNSATISFIABLE\n", 20, NO),
    ("opb", "o 3\ns UNKNOWN\n", 0, OPEN),
    ("opb", "s UNSUPPORTED\n", 0, UNSUPPORTED),
    # XCSP3
    ("xcsp3", "s SATISFIABLE\nv <instantiation>\nv  <list> a b c d </list>\nv <values> 1x2 0 * </values>\n", 0, XCSP),
    ("xcsp3", f"S SATISFIABLE\nV {INSTANTIATION} </instantiation>\n", 0, XCSP),
    ("xcsp3", f"{INSTANTIATION}\n</instantiation>\n", 0, XCSP),
    ("xcsp3", "s SATISFIABLE\nv <instantiation> <list> a b </list> <values> 1 </values>\n", 0, {"a": None, "b": None}),
    ("xcsp3", "s UNSATISFIABLE\n", 0, NO),
    ("xcsp3", "s UNSUPPORTED\nc constraint circuit\n", 0, UNSUPPORTED),
    ("xcsp3", "c Timeout\ns UNKNOWN\n", 0, TIME),
    # MiniZinc
    ("mzn", "made = array2d(1..2, 1..2, [0, 1, 1, 0]);\n----------\n==========\n", 0, ARRAY),
    ("mzn", "made = array2d(0..1, 0..1, [0, 1, 1, 0]);\n----------\n", 0, ARRAY),
    ("mzn", "made = \n[| 0, 1\n | 1, 0\n |];\nx = 3;\n----------\n", 0, ARRAY),
    ("mzn", "made = \n[|    1: 2:\n | 1: 0, 1\n | 2: 1, 0\n |];\n----------\n", 0, ARRAY),
    ("mzn", '{"made" : [[0, 1], [1, 0]], "x" : 1}\n----------\n', 0, ARRAY),
    ("mzn", "made = array2d(1..2,1..2,[false,true,true,false]);\n----------\n", 0, ARRAY),
    (
        "mzn",
        "made = [| 1, 1 | 1, 1 |];\n----------\nmade = [| 0, 1 | 1, 0 |];\n----------\n% Time limit exceeded!\n",
        0,
        ARRAY,
    ),
    ("mzn", STREAM + '{"type": "solution", "output": {"json": {"made": [[0, 1], [1, 0]]}}, "time": 5}\n', 0, ARRAY),
    (
        "mzn",
        '{"type":"solution","output":{"default":"made = array2d(1..2,1..2,[0,1,1,0]);\\n"},"sections":["default"]}\n'
        '{"type":"status","status":"SATISFIED"}\n',
        0,
        ARRAY,
    ),
    (
        "mzn",
        '{"type": "solution", "output": {"dzn": "made = \\n[| 0, 1\\n | 1, 0\\n |];\\n"}, "sections": ["dzn"]}\n',
        0,
        ARRAY,
    ),
    ("mzn", "=====UNSATISFIABLE=====\n", 0, NO),
    ("mzn", STREAM + '{"type": "status", "status": "UNSATISFIABLE", "time": 8}\n', 0, NO),
    ("mzn", "=====UNKNOWN=====\n", 0, OPEN),
    ("mzn", "% Time limit exceeded!\n=====UNKNOWN=====\n", 0, TIME),
    ("mzn", STREAM + '{"type": "status", "status": "UNKNOWN"}\n', 0, OPEN),
    ("mzn", "=====UNSATorUNBOUNDED=====\n", 0, OPEN),
    ("mzn", "%%  Search engine stopped\n%%  reason: time limit reached\n", 0, TIME),
    ("mzn", "%% stopped, reason: time limit\n", 0, TIME),
    ("mzn", "=====ERROR=====\n", 1, ERROR),
    ("mzn", "=====UNSATISFIABLE=====\nError: evaluation error\n", 1, ERROR),
    # SMT
    ("smt2", "sat\n((p00 #b101)\n (m00 #x0a))\n", 0, BITS),
    ("smt2", "sat\n((p00 (_ bv5 4)) (m00 (_ bv10 4)))\n", 0, BITS),
    (
        "smt2",
        "sat\n(\n  (define-fun p00 () (_ BitVec 4)\n    #b0101)\n  (define-fun m00 () (_ BitVec 4) #xa)\n)\n",
        0,
        BITS,
    ),
    (
        "smt2",
        "sat\n(model\n(define-fun |p00| () (_ BitVec 4) #b0101)\n(define-fun m00 () (_ BitVec 4) #b1010)\n)\n",
        0,
        BITS,
    ),
    ("smt2", "sat\n(= p00 0b0101)\n(= m00 0b1010)\n(= b true)\n", 0, {**BITS, "b": 1}),
    ("smt2", "sat\n2 0101 p00\n3 1010 m00\n", 10, BITS),
    ("smt2", "sat\n2 5 p00\n3 a m00\n", 10, BITS),
    ("smt2", "sat\n2 5 p00\n3 10 m00\n", 10, BITS),
    ("smt2", "sat\nb0\n#0\n0 0101 p00#0\n1 1010 m00#0\n.\n", 0, BITS),
    ("smt2", "p00 : BITVECTOR(4) = 0bin0101;\nm00 : BITVECTOR(4) = 0hexa;\nsat\n", 0, BITS),
    ("smt2", "sat\nASSERT( p00 = 0x5  );\nASSERT( m00 = 0xA  );\n", 0, BITS),
    ("smt2", "sat\n[p00 = 5, m00 = 10]\n", 0, BITS),
    ("smt2", "unsat\n", 0, NO),
    ("smt2", 'unsat\n(error "line 40 column 12: model is not available")\n', 1, NO),
    ("smt2", "unsat\n", 1, ERROR),
    ("smt2", "unsupported\nunsat\n", 0, NO),
    ("smt2", "unknown (INCOMPLETE)\n", 0, OPEN),
    ("smt2", "unknown\n", 0, OPEN),
    ("smt2", 'unknown\n(:reason-unknown "timeout")\n', 1, TIME),
    ("smt2", '(error "out of memory")\n', 101, MEMORY),
    ("smt2", "timeout\n", 0, TIME),
    ("smt2", "cvc5 interrupted by timeout.\n", -6, TIME),
    ("smt2", "[btor>main] ALARM TRIGGERED: time limit 1 seconds reached\nunknown\n", 0, TIME),
    # answer sets
    ("asp", "Answer: 1\nmade(1,2) made(2,0)\nSATISFIABLE\n\nModels       : 1+\n", 10, ATOMS),
    ("asp", "Answer: 1\nmade(1,7)\nAnswer: 2 (Time: 0.002s)\nmade(1,2) made(2,0)\nOPTIMUM FOUND\n", 30, ATOMS),
    ("asp", CLINGO_JSON.format("SATISFIABLE"), 10, ATOMS),
    ("asp", "DLV 2.1.1\n\n{made(1,2), made(2,0)}\n", 0, ATOMS),
    ("asp", "Best model: {made(1,2), made(2,0)}\nCost ([Weight:Level]): <[0:1]>\n", 0, ATOMS),
    ("asp", "smodels version 2.34. Reading...done\nAnswer: 1\nStable Model: made(1,2) made(2,0) \nTrue\n", 0, ATOMS),
    ("asp", "ANSWER\nmade(1,2). made(2,0).\n", 10, ATOMS),
    ("asp", "Answer: 1\nmade(1,2) made(2,0)\nSATISFIABLE\n\nTIME LIMIT   : 1\n", 11, ATOMS),
    ("asp", "Solving...\nUNSATISFIABLE\n", 20, NO),
    ("asp", CLINGO_JSON_NO, 20, NO),
    ("asp", "INCOHERENT\n", 0, NO),
    ("asp", "INCONSISTENT\n", 20, NO),
    ("asp", "smodels version 2.34. Reading...done\nFalse\nDuration: 0.000\n", 0, NO),
    ("asp", "UNKNOWN\n\nTIME LIMIT   : 1\nModels       : 0+\n", 0, TIME),
    ("asp", '{\n  "Result": "UNKNOWN",\n  "Models": {"Number": 0, "More": "yes"}\n}\n', 0, OPEN),
    ("asp", "UNKNOWN\n\nINTERRUPTED  : 1\n", 1, OPEN),
    # CBC
    (
        "mps",
        "Optimal - objective value 0.0\n      0 x_a          0.9999999       0\n**    1 y   1e-09   0\n",
        0,
        LINEAR,
    ),
    ("lp", "Stopped on time - objective value 3.00000000\n      0 x_a      1      0\n", 0, {"x_a": 1}),
    (
        "lp",
        "Stopped on time (no integer solution - continuous used) - objective value 0\n      0 x_a  0.5  0\n",
        0,
        {"x_a": None},
    ),
    ("lp", "Infeasible - objective value 0.00000000\n      0 x_a    1   0\n", 0, NO),
    ("lp", "Integer infeasible - objective value 0.00000000\n", 0, NO),
    ("lp", CBC_LOG + "Result - Problem proven infeasible\n\nNo feasible solution found\nTotal time: 0.01\n", 0, NO),
    ("lp", CBC_LOG + "Problem is infeasible - 0.00 seconds\n", 0, NO),
    ("lp", CBC_LOG + "Presolve determined that the problem was infeasible with tolerance of 1e-08\n", 0, NO),
    (
        "lp",
        CBC_LOG + "Cbc0020I Exiting on maximum time\nResult - Stopped on time limit\nNo feasible solution found\n",
        0,
        TIME,
    ),
    ("lp", CBC_LOG + "Cbc0003I Exiting on maximum nodes\n", 0, OPEN),
    ("lp", CBC_LOG + "Stopped on time limit\nInfeasible - objective value 0.00000000\n", 0, TIME),
    ("lp", "Integer infeasible - objective value 0.00000000\n", -11, ERROR),
    # GLPK
    (
        "lp",
        GLPK.format("OPTIMAL") + "     1 x_a    *       1       0      1\n     2 y    *    0      0      1\n",
        0,
        LINEAR,
    ),
    ("lp", GLPK.format("OPTIMAL") + "     1 x_long_name\n        *         1      0     1\n", 0, {"x_long_name": 1}),
    ("lp", GLPK.format("NON-OPTIMAL") + "     1 x_a    *       1       0      1\n", 0, {"x_a": 1}),
    ("lp", GLPK.format("EMPTY"), 0, NO),
    ("lp", "OPTIMAL LP SOLUTION FOUND\nPROBLEM HAS NO INTEGER FEASIBLE SOLUTION\n", 0, NO),
    ("lp", "PROBLEM HAS NO PRIMAL FEASIBLE SOLUTION\n", 0, NO),
    ("lp", "TIME LIMIT EXCEEDED; SEARCH TERMINATED\n" + GLPK.format("UNDEFINED"), 0, TIME),
    ("lp", GLPK.format("UNDEFINED"), 0, OPEN),
    ("lp", "s mip 3 2 n 0\n", 0, NO),
    # lp_solve
    ("mps", "Actual values of the variables:\nx_a  1\ny  0\n\nDual values with limits:\nx_a 0 0 1\n", 0, LINEAR),
    ("mps", "\nThis problem is infeasible\n", 2, NO),
    ("mps", "\nlp_solve stopped by timeout\n", 7, TIME),
    ("mps", "\nThis problem is unbounded\n", 3, OPEN),
    # SCIP
    ("lp", "solution status: optimal solution found\nobjective value: 0\nx_a 1 \t(obj:0)\n", 0, {"x_a": 1}),
    (
        "lp",
        SCIP_LOG
        + "SCIP Status        : problem is solved [optimal solution found]\n\nprimal solution (original space):\n"
        "=================================\n\nobjective value:       0\nx_a        0.99999999 \t(obj:0)\n",
        0,
        {"x_a": 1},
    ),
    ("lp", SCIP_LOG + "SCIP Status        : problem is solved [infeasible]\nno solution available\n", 0, NO),
    ("lp", "solution status: infeasible\n", 0, NO),
    ("lp", SCIP_LOG + "SCIP Status        : solving was interrupted [time limit reached]\n", 0, TIME),
    ("lp", SCIP_LOG + "SCIP Status        : solving was interrupted [node limit reached]\n", 0, OPEN),
    ("lp", SCIP_LOG + "SCIP Status        : solving was interrupted [memory limit reached]\n", 0, MEMORY),
    ("lp", SCIP_LOG + "SCIP Status        : problem is solved [infeasible or unbounded]\n", 0, OPEN),
    # HiGHS
    ("lp", HIGHS_LOG.format("Optimal", "feasible") + HIGHS_FILE.format("Optimal", HIGHS_VALUES), 0, LINEAR),
    ("lp", HIGHS_TABLE, 0, LINEAR),
    ("lp", HIGHS_LOG.format("Infeasible", "-") + "Model status        : Infeasible\n", 0, NO),
    ("lp", HIGHS_FILE.format("Infeasible", "None"), 0, NO),
    ("lp", HIGHS_FILE.format("Time limit reached", HIGHS_VALUES), 1, LINEAR),
    ("lp", HIGHS_LOG.format("Time limit reached", "-") + "Model status        : Time limit reached\n", 1, TIME),
    ("lp", HIGHS_FILE.format("Unknown", "Infeasible"), 0, OPEN),
    ("lp", "Model status        : Bound on objective reached\n", 0, OPEN),
    # Gurobi
    (
        "lp",
        GUROBI_LOG + "Optimal solution found (tolerance 1.00e-04)\n# Objective value = 0\nx_a 1e0\ny -0\n",
        0,
        LINEAR,
    ),
    ("lp", GUROBI_JSON, 0, LINEAR),
    ("lp", GUROBI_LOG + "Model is infeasible\nBest objective -, best bound -, gap -\n", 0, NO),
    ("lp", GUROBI_LOG + "Solution count 0\n\nTime limit reached\nBest objective -, best bound 0.0\n", 0, TIME),
    ("lp", GUROBI_LOG + "Time limit reached\n# Objective value = 3\nx_a 1\ny 0\n", 0, LINEAR),
    ("lp", GUROBI_LOG + "Model is infeasible or unbounded\n", 0, OPEN),
    # CPLEX and others
    ("lp", CPLEX.format("integer optimal solution"), 0, LINEAR),
    (
        "lp",
        "MIP - Integer optimal solution:  Objective =  0.0\nVariable Name   Solution Value\nx_a   1.000000\n",
        0,
        {"x_a": 1},
    ),
    ("lp", "MIP - Integer infeasible.\n", 0, NO),
    ("lp", "MIP - Integer infeasible or unbounded.\n", 0, OPEN),
    ("lp", "MIP - Time limit exceeded, no integer solution.\n", 0, TIME),
    ("lp", "optimal\nx_a = 1\ny = 0\n", 0, LINEAR),
    ("lp", "optimal\nx_a nan\ny 1-\n", 0, {"x_a": None, "y": None}),
    ("lp", "SOLUTION STATUS : INTEGER_OPTIMAL\n0  x_a  SB  1.0e+00  0  1\n1  y  SB  0.0  0  1\n", 0, LINEAR),
    ("lp", "PROBLEM STATUS  : PRIMAL_INFEASIBLE\n", 0, NO),
    ("lp", "status: INFEASIBLE\n", 0, NO),
    ("lp", "the model is infeasible or unbounded; x 1\n", 0, OPEN),
]


@pytest.mark.parametrize(("form", "output", "code", "expected"), OUTPUTS)
def test_outputs(form: str, output: str, code: int, expected: object) -> None:
    reading = READERS[form](output, code)
    if isinstance(expected, dict):
        assert not reading.refuted
        assert {name: reading.values.get(name, 0) for name in expected} == expected
    elif expected is NO:
        assert reading.refuted
        assert not reading.values
    else:
        assert (reading.refuted, reading.reason) == (False, expected)
        if expected is not ERROR:
            assert reading.words
            assert reading.words in " ".join(output.split())


@pytest.mark.parametrize(("form", "output", "code"), [row[:3] for row in OUTPUTS if row[3] is NO])
def test_no_solution_is_read_strictly(form: str, output: str, code: int) -> None:
    """Not from a program that crashed, was stopped, gave up, or has a solution, too."""
    read = READERS[form]
    for other in (-11, -6, 139, 3, None):
        assert not read(output, other).refuted
    assert not read(output + "time limit reached\n", code).refuted
    solutions = [text for f, text, _, values in OUTPUTS if f == form and isinstance(values, dict)]
    for solution in (text for text in solutions if read(text, 0).clear):
        both = read(f"{solution}\n{output}", 0)
        assert both.refuted <= (form in ("lp", "mps")), solution  # the relaxation may have a solution
        assert not both.values or both.reason is not ERROR


@pytest.mark.parametrize("form", READERS)
def test_nothing_is_read_from_nothing(form: str) -> None:
    for code in (0, 1, 10, 20, -9, None):
        reading = READERS[form]("", code)
        assert (reading.refuted, reading.reason, dict(reading.values)) == (False, ERROR, {})
