"""Which programs of the field answer what they are given, and whether lies are caught: the table of docs/solvers.md.

    python examples/solvers.py [SECONDS]

Each program answers problems of the set ``boards``, whose answers are known. Then it lies: it gets the file of a
problem without a solution in place of one that has some, and the other way round. Programs that are not there are left
out.
"""

from __future__ import annotations

import shutil
import sys
import tempfile
from pathlib import Path

import pegcp
from pegcp import library
from pegcp.comparison.agreement import find_disagreements
from pegcp.method import Reason, Status

SOLVABLE = ["square4", "triangle10", "rectangle4x3"]
UNSOLVABLE = ["line9", "triangle6", "hexagon7"]
HORIZON = 14  # rounds or steps of the files for lies
PYTHON = sys.executable
BIN = Path(PYTHON).parent
JARS = {"ACE": "solvers/ace/ACE-*.jar", "Choco": "solvers/choco/choco-parsers-*.jar"}  # that come with pycsp3
PROGRAMS = [  # format, model, program, what follows it
    ("cnf", "sat-rounds", "minisat", "{cnf} {solution}"),
    ("cnf", "sat-rounds", "cryptominisat5", "--verb 0 {cnf}"),
    ("cnf", "sat-rounds", "cadical", "-q {cnf}"),
    ("cnf", "sat-rounds", "clasp", "{cnf}"),
    ("opb", "cpmpy-rounds", "clasp", "{opb}"),
    ("xcsp3", "cpmpy-rounds", "ACE", "{xcsp3}"),
    ("xcsp3", "cpmpy-rounds", "Choco", "{xcsp3}"),
    ("lp", "ip-rounds", "cbc", "{lp} solve solu {solution}"),
    ("mps", "ip-rounds", "cbc", "{mps} solve solu {solution}"),
    ("lp", "ip-rounds", "glpsol", "--lp {lp} -o {solution}"),
    ("mps", "ip-rounds", "glpsol", "--freemps {mps} -o {solution}"),
    ("mps", "ip-rounds", "lp_solve", "-S3 -fmps {mps}"),
    ("mzn", "mzn-rounds", "minizinc", "--solver gecode {mzn}"),
    ("smt2", "smt-sweep", "z3", "{smt2}"),
    ("asp", "asp-rounds", "clingo", "{asp}"),
    ("asp", "asp-rounds", "gringo", "{asp} | clasp"),
]


def command(program: str, rest: str) -> str:
    """The command line, or nothing where the program is not there."""
    if program in JARS:
        import pycsp3  # type: ignore[import-untyped]

        [jar] = Path(pycsp3.__file__).parent.glob(JARS[program])
        return f"java -cp {jar} {'ace' if program == 'ACE' else 'org.chocosolver.parser.xcsp.ChocoXCSP'} {rest}"
    found = shutil.which(program) or shutil.which(program, path=BIN)
    return f"{found} {rest}" if found else ""


def asked(model: str, line: str, problems: list[str], seconds: float) -> list[pegcp.Result]:
    """The answers of a program, each with the file that it is given."""
    return list(
        pegcp.compare([f"boards:{name}" for name in problems], f"{model}:command=sh -c '{line}'", time_limit=seconds)
    )


def right(result: pegcp.Result) -> bool:
    """Whether the verdict is what the set knows."""
    row = library.find_row(result.problem)
    assert row is not None
    return result.status is (Status.SOLVED if row.answer else Status.INFEASIBLE)


def caught(results: list[pegcp.Result]) -> int:
    """How many answers are refused by the replay, or contradict what the set knows."""
    return sum(result.reason is Reason.INVALID_SOLUTION or bool(find_disagreements([result])) for result in results)


def main(seconds: float) -> None:
    """Print the table, a row as soon as it is done."""
    print("| format | program | verdicts right | lies caught |\n|---|---|---|---|")
    for form, model, program, rest in PROGRAMS:
        line = command(program, rest)
        if not line:
            continue
        truths = asked(model, line, [*SOLVABLE, *UNSOLVABLE], seconds)
        with tempfile.TemporaryDirectory() as folder:
            lies = []
            for true, false in [*zip(SOLVABLE, UNSOLVABLE, strict=True), *zip(UNSOLVABLE, SOLVABLE, strict=True)]:
                files = pegcp.export(f"boards:{false}", f"{model}:horizon={HORIZON}", form)
                other = Path(folder) / next(iter(files))
                other.write_text("\n".join(files.values()))
                place = f"{{{form}}}"
                lies += asked(model, f"{line.replace(place, str(other))} # {place}", [true], seconds)
        good = sum(map(right, truths))
        lies = [lie for lie in lies if not right(lie) and lie.reason in (Reason.COMPLETED, Reason.INVALID_SOLUTION)]
        print(f"| `{form}` | {program} | {good} of {len(truths)} | {caught(lies)} of {len(lies)} |", flush=True)
        for result in truths:
            if not right(result):
                print(form, program, result.problem.name, result.verdict, result.message, file=sys.stderr)


if __name__ == "__main__":
    main(float((*sys.argv[1:], "20")[0]))
