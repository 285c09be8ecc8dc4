"""Names of solvers and languages that people give in place of a method."""

import re
from collections.abc import Mapping

from pegcp import backends
from pegcp.backends import inventory
from pegcp.method import Method

# What a name stands for: a backend, a method, the format of a language, or the command line of a program.
SYNONYMS = {
    **dict.fromkeys(("cp", "cpsat", "cp_sat", "ortools", "or-tools"), "cp-sat"),
    **dict.fromkeys(("csp", "python_constraint"), "python-constraint"),
    **dict.fromkeys(("fd", "downward", "fastdownward"), "fast-downward"),
    **dict.fromkeys(("sat", "cnf", "dimacs", "pysat", "python-sat"), "cnf"),
    **dict.fromkeys(("pb", "opb", "pseudo-boolean", "cpmpy"), "opb"),
    **dict.fromkeys(("xcsp", "xcsp3", "pycsp3"), "xcsp3"),
    **dict.fromkeys(("ip", "ilp", "mip", "milp", "lp", "mps", "mathopt"), "lp"),
    **dict.fromkeys(("smt", "smt2", "smtlib", "smt-lib"), "smt2"),
    **dict.fromkeys(("mzn", "flatzinc"), "mzn"),
    **dict.fromkeys(("asp", "potassco"), "asp"),
    **dict.fromkeys(("pddl", "planning", "planners"), "pddl"),
    **{name: f"{name} {{cnf}}" for name in ("kissat", "cryptominisat5", "lingeling", "picosat")},
    **dict.fromkeys(("a*", "astar", "lmcut"), "fast-downward-opt"),
    **dict.fromkeys(("lama", "ff", "gbfs", "wastar"), "fast-downward"),
    **dict.fromkeys(("ida", "ida*", "iddfs", "depth-first", "hashing"), "dfs"),
    **dict.fromkeys(("brute-force", "bruteforce", "backtrack", "backtracking"), "dfs-plain"),
    **dict.fromkeys(("breadth-first", "dijkstra"), "bfs"),
    **dict.fromkeys(("beam-search", "heuristic"), "beam"),
    "minisat": "minisat {cnf} {solution}",
    **{name: f"{name} {{opb}}" for name in ("roundingsat", "clasp")},
    "cbc": "cbc {lp} solve solu {solution}",
    **dict.fromkeys(("glpk", "glpsol"), "glpsol --lp {lp} -o {solution}"),
    **dict.fromkeys(("gurobi", "gurobi_cl"), "gurobi_cl ResultFile={solution} {lp}"),
    "cplex": 'cplex -c "read {lp}" optimize "write {solution}"',
    "lp_solve": "lp_solve -S3 -fmps {mps}",
    **{name: f"minizinc --solver {name} {{mzn}}" for name in ("gecode", "chuffed")},
    **dict.fromkeys(("yices", "yices-smt2"), "yices-smt2 {smt2}"),
    **{name: f"{name} {{smt2}}" for name in ("boolector", "mathsat")},
    **{name: f"{name} {{asp}}" for name in ("dlv", "dlv2")},
}


def explain_name(name: str, methods: Mapping[str, Method]) -> str:
    """Say which methods run on a solver or read a language, and what to type; empty for any other name."""
    name = name.lower()
    meaning = SYNONYMS.get(name, name)
    solver = backends.find(meaning)
    if meaning in methods:
        return f"type: -m {meaning}" if name == meaning else f"{name} is {meaning} here; type: -m {meaning}"
    if solver is None and name not in SYNONYMS:
        return ""
    form = next((place for place in re.findall(r"\{(\w+)\}", meaning) if place != "solution"), meaning)
    solvers = {meaning} if solver is not None else {info.name for info in inventory.infos() if form in info.formats}
    names = [key for key, method in methods.items() if not solvers.isdisjoint(method.backends)]
    if not names:  # a backend of another package, which only models of others name
        return ""
    example = next((key for key in names if "rounds" in key), names[0])
    listing = ", ".join(names)
    if solver is not None:
        default = methods[example].backends[0] == meaning
        about = (
            f"{name} is a backend of {listing}" if name == meaning else f"{name} is {meaning}, a backend of {listing}"
        )
        return f"{about}; type: -m {example if default else f'{example}:{meaning}'}"
    if form == meaning:
        return f"{listing}; type: -m {example}"
    return f"{name} runs {listing} by its command line; type: -m '{example}:command={meaning}'"
