"""Solvers by their command lines: programs that tell the truth, programs that do not, and programs that give up."""

from __future__ import annotations

import re
import sys
import time
from contextlib import suppress
from pathlib import Path

import psutil
import pytest
from asking import answer
from parts import need
from processes import soon

import pegcp
from pegcp.backends import inventory
from pegcp.backends.program import execute, failure, resolved_words
from pegcp.catalogue.choice import choose
from pegcp.comparison.agreement import find_disagreements
from pegcp.errors import InputError
from pegcp.formats.files import models_folder
from pegcp.method import Evidence, Limits, Reason, Run, Status, Wishes
from pegcp.results.result import Result

# A solver of formulas: argument 1 is the file, argument 2 how it says what it found.
SOLVER = """
import sys
from pysat.formula import CNF
from pysat.solvers import Solver
formula, how = CNF(from_file=sys.argv[1]), sys.argv[2]
with Solver("cadical195", bootstrap_with=formula) as solver:
    solved = solver.solve()
    values = " ".join(map(str, [*(solver.get_model() or []), 0]))
if how == "file":
    open(sys.argv[3], "w").write(f"SAT\\n{values}\\n" if solved else "UNSAT\\n")
elif how == "colours":
    print(f"\\x1b[92ms SATISFIABLE\\x1b[0m\\nv {values}" if solved else "\\x1b[91ms UNSATISFIABLE\\x1b[0m")
else:
    print(f"s SATISFIABLE\\nv {values}" if solved else "s UNSATISFIABLE")
"""


def by_command(tmp_path: Path, how: str, problem: str = "XoXX") -> Result:
    """The result of the solver, through the runner."""
    need("cadical")
    solver = tmp_path / "solver.py"
    solver.write_text(SOLVER)
    return pegcp.solve(problem, f"sat-rounds:command={sys.executable} {solver} {{file}} '{how}' {{solution}}")


@pytest.mark.thorough
@pytest.mark.parametrize(("problem", "status"), [("XoXX", Status.SOLVED), ("XXoXXoX", Status.INFEASIBLE)])
@pytest.mark.parametrize("how", ["say", "file", "colours"])
def test_a_truthful_program(tmp_path: Path, how: str, problem: str, status: Status) -> None:
    result = by_command(tmp_path, how, problem)
    assert (result.status, result.backend) == (status, "command")


def test_a_model_file_of_ones_own_is_given_to_the_program_too(tmp_path: Path) -> None:
    need("cadical")
    (tmp_path / "mine.py").write_text((models_folder() / "sat_moves.py").read_text())
    result = pegcp.solve("XoXX", f"{tmp_path / 'mine.py'}:command=false {{file}}")
    assert (result.backend, result.reason) == ("command", Reason.ERROR)
    with pytest.raises(InputError, match="one place for the file"):
        choose(f"{tmp_path / 'mine.py'}:command=false")


@pytest.mark.parametrize(
    ("script", "reason", "word"),
    [
        ("echo s SATISFIABLE; echo v $(seq 99) 0", Reason.INVALID_SOLUTION, "jump"),
        ("echo s SATISFIABLE", Reason.ERROR, "SAT competitions"),
        ("echo s SATISFIABLE; echo v 1 -2", Reason.ERROR, "no value of"),
        ("echo c time limit reached", Reason.TIME, "c time limit reached"),
        ("echo s SATISFIABLE; echo s UNSATISFIABLE", Reason.ERROR, "both"),
        ("kill -ABRT $$", Reason.ERROR, "SIGABRT"),
        ("echo I will not say", Reason.ERROR, "I will not say"),
        ("yes c xxxxxxxxx", Reason.TIME, ""),
        ("yes xxxxxxxxx | tr -d '\\n'", Reason.TIME, ""),
        ("sleep 100", Reason.TIME, ""),
    ],
)
def test_a_program_that_lies_floods_dies_or_says_nothing(
    tmp_path: Path, script: str, reason: Reason, word: str
) -> None:
    began = time.monotonic()
    result = by_script(tmp_path, script, seconds=0.3 if reason is Reason.TIME else 20.0)
    assert (result.status, result.reason) == (Status.UNKNOWN, reason), result.message
    assert word in result.message
    assert time.monotonic() - began < 20


def test_a_log_has_long_lines_in_pieces_and_the_last_line(tmp_path: Path) -> None:
    """A report of a run has a greatest length."""
    reported: list[str] = []
    run = Run(report=lambda report: reported.append(report["log"]), wishes=Wishes(log=True))
    program = "print('x' * 3_000_000); print('last', end='')"
    execute([sys.executable, "-c", program], run, 60, str(tmp_path / "log"))
    assert max(map(len, reported)) < 100_000
    assert "".join(reported) == "x" * 3_000_000 + "last"
    assert reported[-1] == "last"


def test_lines_of_output_end_alike(tmp_path: Path) -> None:
    program = r"import sys; sys.stdout.buffer.write(b'one\r\ntwo\rthree\n')"
    assert execute([sys.executable, "-c", program], Run(), 60, str(tmp_path / "log")) == (0, "one\ntwo\nthree\n")


def test_a_word_of_a_command_may_be_longer_than_a_name_of_a_file() -> None:
    assert resolved_words(f"sh -c {'x' * 300}") == ("sh", "-c", "x" * 300)


def test_a_stopped_program_takes_along_what_it_has_started(tmp_path: Path) -> None:
    """Also into process groups of their own, as MiniZinc does with its solvers."""
    started = tmp_path / "started"
    program = (
        "import subprocess, sys, time, pathlib\n"
        "solver = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(100)'], process_group=0)\n"
        f"pathlib.Path({str(started)!r}).write_text(str(solver.pid))\n"
        "time.sleep(100)\n"
    )

    def look() -> None:
        if started.exists() and started.read_text():
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        execute([sys.executable, "-c", program], Run(Limits(time=60)), 60, str(tmp_path / "log"), poll=look)
    end = time.monotonic() + 10
    with suppress(psutil.NoSuchProcess):
        while psutil.Process(int(started.read_text())).status() != psutil.STATUS_ZOMBIE:
            assert time.monotonic() < end
            time.sleep(0.05)


def test_a_program_that_denies_a_solution_is_contradicted(tmp_path: Path) -> None:
    denial = by_script(tmp_path, "echo s UNSATISFIABLE")
    assert (denial.status, denial.evidence) == (Status.INFEASIBLE, Evidence.CLAIMED)
    (contradiction,) = find_disagreements([denial, answer(pegcp.problem("XoXX"), "dfs")])
    assert "dfs" in str(contradiction)


@pytest.mark.parametrize(
    ("method", "word"),
    [
        ("sat-rounds:command=true", "{file}"),
        ("sat-rounds:command=true {mps}", "{cnf}"),
        (
            "sat-rounds:command=true {file} {dom}",
            "nothing fills {dom} in the command; places: {file}, {cnf}, {solution}, {seconds}, {seed}",
        ),
        ("sat-rounds:command=true {fil}", "did you mean .file"),
        ("sat-rounds:command=sh -c 'true {flie}'", "did you mean .file"),
        ("sat-rounds:command=kissat", "such as: kissat {file}"),
        ("sat-rounds:command=true {cnf} {lp}", "{cnf}"),
        ("sat-rounds:command='true {file}", "words"),
        ("moves:command=true {file}", "command"),
        ("dfs:command=true {file}", "command"),
    ],
)
def test_commands_that_cannot_be(method: str, word: str) -> None:
    with pytest.raises(InputError, match=re.escape(word) if "{" in word else word):
        choose(method)


@pytest.mark.parametrize("home", [True, False])
def test_words_that_are_files_of_the_user_are_taken_from_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, home: bool
) -> None:
    """In the folder where the user stands, or in PEGCP_HOME; the program itself is looked for on the path alone."""
    for name in ("solver.py", "python"):
        (tmp_path / name).write_text(SOLVER)
    if home:
        monkeypatch.setenv("PEGCP_HOME", str(tmp_path))
    else:
        monkeypatch.delenv("PEGCP_HOME", raising=False)
        monkeypatch.chdir(tmp_path)
    assert resolved_words("python solver.py {file} say") == ("python", str(tmp_path / "solver.py"), "{file}", "say")
    assert resolved_words("./python ../x") == (str(tmp_path / "python"), str(tmp_path.parent / "x"))
    assert resolved_words("{python} -m there") == ("{python}", "-m", "there")


@pytest.mark.thorough
def test_a_script_where_the_user_stands_is_started(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    need("cadical")
    (tmp_path / "mysat.py").write_text(SOLVER)
    monkeypatch.chdir(tmp_path)
    result = pegcp.solve("XoXX", f"sat-rounds:command={sys.executable} mysat.py {{file}} say")
    assert result.status is Status.SOLVED, result.message


def test_a_script_may_have_braces_of_its_own() -> None:
    choose("sat-rounds:command=sh -c 'cat {file} | awk {print} > ${HOME}/x'")


def by_script(
    tmp_path: Path, script: str, method: str = "sat-rounds", problem: str = "XoXX", seconds: float = 20.0
) -> Result:
    """The result of a fake program, in this process: how runs in processes of their own end is tests/test_ways.py."""
    path = tmp_path / "program.sh"
    path.write_text(script)
    return answer(pegcp.problem(problem), f"{method}:command=sh {path} {{file}}", seconds)


@pytest.mark.parametrize(
    ("method", "script", "status", "reason", "word"),
    [
        ("sat-rounds", "echo s UNKNOWN", Status.UNKNOWN, Reason.COMPLETED, "sh: s UNKNOWN"),
        ("sat-rounds", "echo s UNSUPPORTED", Status.UNKNOWN, Reason.UNSUPPORTED, "sh: s UNSUPPORTED"),
        ("sat-rounds", "echo s UNSATISFIABLE; kill -SEGV $$", Status.UNKNOWN, Reason.ERROR, "SIGSEGV"),
        ("sat-rounds", "exit 20", Status.UNKNOWN, Reason.ERROR, "exit code 20"),
        ("sat-rounds", "echo Error: no room; echo bye; exit 1", Status.UNKNOWN, Reason.ERROR, "Error: no room"),
        ("ip-rounds", "echo Cbc0020I Exiting on maximum time", Status.UNKNOWN, Reason.TIME, "Cbc0020I"),
        ("ip-rounds", "echo Result - Problem proven infeasible", Status.INFEASIBLE, Reason.COMPLETED, ""),
        ("ip-rounds", "echo Optimal solution found", Status.UNKNOWN, Reason.ERROR, "{solution}"),
        ("ip-rounds", "echo optimal; echo r00_a1_b1_c1 1-", Status.UNKNOWN, Reason.ERROR, "no value of r00_a1_b1_c1"),
        ("ip-rounds", "echo optimal; echo r00_a1_b1_c1 1", Status.UNKNOWN, Reason.INVALID_SOLUTION, "a1-c1"),
        (
            "ip-rounds",
            "echo Stopped on time - objective value 0; echo 0 r00_d1_c1_b1 1 0; echo 1 r01_a1_b1_c1 0.9999999 0",
            Status.SOLVED,
            Reason.COMPLETED,
            "",
        ),
        ("mzn-rounds", "echo =====UNKNOWN=====", Status.UNKNOWN, Reason.COMPLETED, "sh: =====UNKNOWN====="),
    ],
)
def test_what_a_program_says_is_the_result(
    tmp_path: Path, method: str, script: str, status: Status, reason: Reason, word: str
) -> None:
    result = by_script(tmp_path, script, method)
    assert (result.status, result.reason) == (status, reason), result.message
    assert word in result.message


@pytest.mark.thorough
def test_a_solution_counts_from_a_program_that_crashed_or_was_stopped(tmp_path: Path) -> None:
    """The last one through the runner."""
    need("cadical")
    from pysat.formula import CNF
    from pysat.solvers import Solver

    with Solver("cadical195", CNF(from_string=pegcp.export("XoXX", "sat-rounds")["model.cnf"])) as solver:
        assert solver.solve()
        said = f"echo s SATISFIABLE; echo v {' '.join(map(str, solver.get_model() or []))} 0"
    assert by_script(tmp_path, f"{said}; kill -ABRT $$").status is Status.SOLVED
    assert by_script(tmp_path, f"{said}; sleep 100", seconds=soon()).status is Status.SOLVED
    command = f"sat-rounds:command=sh {tmp_path / 'program.sh'} {{file}}"
    assert pegcp.solve("XoXX", command, time_limit=soon()).status is Status.SOLVED


@pytest.mark.thorough
def test_a_program_that_gives_up_is_asked_for_the_other_horizons(tmp_path: Path) -> None:
    """Triangle15 has two: the program gives up at the first one."""
    solver = tmp_path / "solver.py"
    solver.write_text(SOLVER)
    asked = tmp_path / "asked"
    script = f"[ -e {asked} ] || {{ touch {asked}; echo s UNKNOWN; exit; }}; exec {sys.executable} {solver} $1 say"
    need("cadical")
    result = by_script(tmp_path, script, problem="triangle15")
    assert result.status is Status.SOLVED
    assert result.statistics["horizon"] == 13


def test_a_program_that_is_not_there() -> None:
    result = pegcp.solve("XoXX", "sat-rounds:command=no-such-program {file}")
    assert result.reason is Reason.MISSING
    assert result.message == 'cannot start "no-such-program": it is not on the path'


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("program", "method"),
    [
        ("minizinc", "mzn-rounds:command=minizinc --solver gecode {file}"),
        ("z3", f"smt-sweep:command={Path(sys.executable).with_name('z3')} {{file}}"),
        ("clingo", f"asp-rounds:command={sys.executable} -m clingo {{file}}"),
        ("clasp", "cpmpy-rounds:command=clasp {opb}"),
    ],
)
def test_programs_of_the_field(program: str, method: str) -> None:
    need(program)
    results = [answer(pegcp.problem(text), method) for text in ("XoXX", "XXoXXoX")]
    assert [result.status for result in results] == [Status.SOLVED, Status.INFEASIBLE]


@pytest.mark.thorough
def test_programs_of_the_user(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    need("cadical")
    (tmp_path / "solver.py").write_text(SOLVER)
    (tmp_path / "solvers.toml").write_text(
        f"""[asked-its-version]  # no other test has this name: a process asks once
title = "a solver of mine"
model = "sat-rounds"
command = "{sys.executable} solver.py {{file}} say"
version-command = "{sys.executable} -c 'print(1.5)'"
"""
    )
    monkeypatch.setenv("PEGCP_HOME", str(tmp_path))
    mine = pegcp.solve("XXoXXoX", "asked-its-version")
    assert (mine.status, mine.backend) == (Status.INFEASIBLE, "asked-its-version")
    assert mine.versions["asked-its-version"] == "1.5"
    assert inventory.info("asked-its-version") is not None


def test_nothing_is_started_for_a_file_that_lies_here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "solvers.toml").write_text(
        f"""[trap]
model = "sat-rounds"
command = "{sys.executable} {{file}}"
version-command = "{sys.executable} -c 'open(1 * chr(109), chr(119))'"
"""
    )
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("PEGCP_HOME", raising=False)
    trap = inventory.info("trap")
    assert trap is not None
    assert trap.version() == "found"
    assert not (tmp_path / "m").exists()
    monkeypatch.setenv("PEGCP_HOME", str(tmp_path))  # and the trap works
    assert trap.version() == "unknown"
    assert (tmp_path / "m").exists()


@pytest.mark.parametrize(
    ("row", "word"),
    [
        ('[x]\nmodel = "mves"\ncommand = "a {file}"', "moves"),
        ('[x]\nmodel = "moves"\ncommand = "a {file}"', "file"),
        ('[x]\nmodel = "sat-rounds"\ncommand = "a"', "{cnf}"),
        ('[x]\nmodel = "sat-rounds"', "command"),
        ('[dfs]\nmodel = "sat-rounds"\ncommand = "a {file}"', "ships"),
        ('[x]\nmodle = "sat-rounds"', "model"),
    ],
)
def test_faulty_rows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, row: str, word: str) -> None:
    (tmp_path / "solvers.toml").write_text(row)
    monkeypatch.setenv("PEGCP_HOME", str(tmp_path))
    with pytest.raises(InputError, match=word):
        choose("x")
    assert choose("dfs").backend is None


def test_a_name_in_both_tables_is_an_error_for_that_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    planner = 'command = "a {domain} {problem} {plan}"\n'
    (tmp_path / "planners.toml").write_text(f"[twin]\n{planner}[mine]\n{planner}")
    (tmp_path / "solvers.toml").write_text('[twin]\nmodel = "sat-rounds"\ncommand = "a {file}"\n')
    monkeypatch.setenv("PEGCP_HOME", str(tmp_path))
    with pytest.raises(InputError, match=r"^the method twin does not load: two programs .* rename one of them in plan"):
        choose("twin")
    assert choose("mine").backend == "mine"


def test_the_error_of_a_program_in_python_is_the_last_line_of_its_traceback() -> None:
    log = 'Reading a.lp\nTraceback (most recent call last):\n  File "solver.py", line 3\n    f()\nOSError: full\nBye'
    assert failure(1, log) == "(exit code 1): OSError: full"
    assert failure(1, "Solving\nno such file: a.lp\nBye\n") == "(exit code 1): no such file: a.lp"
