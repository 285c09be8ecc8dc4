"""The command line: what scripts depend on, and what people see when something is wrong."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

import pegcp
from pegcp.cli.main import cli
from pegcp.game.board import Jump
from pegcp.game.check import check
from pegcp.game.goal import Objective


def run(*arguments: str | Path, status: int = 0, stdin: str | None = None, **environment: str) -> str:
    """The output of a command, after looking at its exit status; errors are one line, never a traceback."""
    command = [sys.executable, "-m", "pegcp", *map(str, arguments)]
    environment = {**os.environ, "COLUMNS": "150", **environment}
    done = subprocess.run(
        command, capture_output=True, text=True, input=stdin, env=environment, timeout=100, check=False
    )
    assert done.returncode == status, done.stdout + done.stderr
    assert "Traceback" not in done.stderr
    return done.stdout + done.stderr


def test_version() -> None:
    assert run("--version") == f"pegcp, version {pegcp.__version__}\n"


def test_nothing_heavy_is_loaded_to_answer_the_version_and_list_boards() -> None:
    code = (
        "import sys; sys.argv[1:] = ['boards']\n"
        "import pegcp.cli.main\n"
        "try: pegcp.cli.main.main()\n"
        "except SystemExit: pass\n"
        "heavy = {'ortools', 'unified_planning', 'numpy', 'networkx', 'constraint', 'matplotlib', 'psutil', 'scipy'}\n"
        "print('loaded:', sorted(heavy & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout.endswith("loaded: []\n")


def test_lists() -> None:
    assert "english" in run("boards")
    assert "triangle15" in run("boards")
    assert "fig7" in run("problems")
    models = run("models")
    for name in ("moves", "parallel", "fools", "constraint", "fast-downward", "pyperplan", "dfs"):
        assert f"\n {name} " in models
    assert "pip install" in run("backends") or "cp-sat" in run("backends")


def test_show_draws_and_counts() -> None:
    shown = run("show", "english")
    for part in ("33", "76", "8 of the board", "32, vacancies d4"):
        assert part in shown


def test_solve_prints_a_solution_that_check_accepts(tmp_path: Path) -> None:
    printed = run("solve", "triangle15:a1->?", "--method", "dfs", "--json")
    answer = json.loads(printed)
    contract = (
        "problem fingerprint method backend status reason jumps moves objective bound certificate statistics versions"
    )
    assert set(contract.split()) <= answer.keys()
    assert {"build_seconds", "solve_seconds", "wall_seconds", "peak_memory_mb"} <= answer["statistics"].keys()
    assert (answer["status"], answer["reason"]) == ("SOLVED", "COMPLETED")
    problem = pegcp.problem("triangle15:a1->?")
    assert answer["fingerprint"] == problem.fingerprint
    jumps = [Jump(*(problem.board.hole(hole) for hole in jump)) for jump in answer["jumps"]]
    assert len(check(problem, jumps).moves) == answer["moves"]
    solution = tmp_path / "solution.json"
    solution.write_text(printed)
    assert "solves triangle15:a1->?" in run("check", "triangle15:a1->?", solution)
    assert "not a solution" in run("check", "triangle15:a1->a1", solution, status=4)


def test_check_names_the_first_bad_jump() -> None:
    said = run("check", "english", "-", stdin="d2 d3 d4\nd5 d4 d3\nd2 d3 d4\n", status=4)
    assert "jump 3 (d2-d4) is impossible: there is no peg at d2 to jump" in said


def test_infeasible_is_an_answer_with_its_certificate() -> None:
    answer = json.loads(run("solve", "english:c1->e5", "--json"))
    assert (answer["status"], answer["jumps"], answer["certificate"]["kind"]) == ("INFEASIBLE", None, "class")
    assert "stays even" in run("explain", "english:c1->e5")
    assert "No certificate" in run("explain", "english", status=3)


def test_a_time_limit_without_an_answer_is_status_3() -> None:
    answer = json.loads(run("solve", "square8:a1->a1", "-m", "dfs-plain", "--time-limit", "1", "--json", status=3))
    assert (answer["status"], answer["reason"]) == ("UNKNOWN", "TIME")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("solve", "englsh"), 'did you mean "english"'),
        (("solve", "english:z9"), 'no hole "z9"'),
        (("solve", "english", "-m", "mvoes"), 'did you mean "moves"'),
        (("solve", "english", "-m", "moves:ordr=off"), 'did you mean "order"'),
        (("solve", "english", "-m", "moves:order=maybe"), "on or off"),
        (("solve", "english", "-m", "ip1:sicp"), 'did you mean "scip"'),
        (("solve", "english", "-m", "fools"), "takes goals of kind dead-end"),
        (("solve", "nowhere.toml"), "no file"),
        (("solve", "english", "--goal", "d9"), 'no hole "d9"'),
        (("solve", "english", "--objective", "fastest"), "fewest-jumps"),
        (("solve", "english", "--time-limit", "0"), "time-limit"),
        (("sovle", "english"), 'did you mean "solve"'),
        (("export", "english", "-m", "dfs"), "nothing to export"),
        (("export", "english", "-m", "moves", "-f", "xml"), "formats: proto"),
        (("export", "english", "-m", "pddl"), "-o DIR"),
        (("export", "english:d4!", "-m", "fools"), "horizon=N"),
        (("check", "english", "nowhere.txt"), "cannot read"),
        (("import", "nowhere.pddl"), "cannot read"),
    ],
)
def test_bad_input_is_one_clear_error_and_status_2(arguments: tuple[str, ...], said: str) -> None:
    assert said in run(*arguments, status=2)


@pytest.mark.parametrize(
    ("method", "name"), [("moves", "english"), ("parallel", "triangle15:a1"), ("fools:horizon=4", "triangle15:b3!")]
)
def test_exports_are_the_same_bytes_under_any_hash_seed(method: str, name: str) -> None:
    first, second = (run("export", name, "-m", method, PYTHONHASHSEED=seed) for seed in ("1", "2"))
    assert first == second
    assert "jump_t0" in first


def test_pddl_goes_out_and_comes_back(tmp_path: Path) -> None:
    for seed in ("1", "2"):
        run("export", "english:c1->d4", "-m", "pddl", "-o", tmp_path / seed, PYTHONHASHSEED=seed)
    for path in (tmp_path / "1").iterdir():
        assert path.read_bytes() == (tmp_path / "2" / path.name).read_bytes()
    back = tmp_path / "back.toml"
    run("import", tmp_path / "1" / "problem.pddl", "-o", back)
    assert pegcp.problem(str(back)) == pegcp.problem("english:c1->d4")


def test_the_help_has_every_command_in_a_section_and_every_objective() -> None:
    told = CliRunner().invoke(cli, ["--help"]).output
    assert all(f"\n  {name} " in told for name in cli.commands)
    assert "\nProofs:\n" in told
    assert "Commands:" not in told
    told = CliRunner().invoke(cli, ["solve", "--help"]).output
    assert all(objective in told for objective in Objective)
