"""The command line: what scripts depend on, and what people see when something is wrong."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from asking import typed
from click.testing import CliRunner

import pegcp
from pegcp.cli.main import cli
from pegcp.game import Jump, Objective, replay_solution
from pegcp.method import Status

PROVED = Path(__file__).parents[1] / "examples" / "proved"


def in_child(*arguments: str | Path, **environment: str) -> str:
    """The output of a command in a process of its own."""
    command = [sys.executable, "-m", "pegcp", *map(str, arguments)]
    environment = {**os.environ, **environment}
    return subprocess.run(command, capture_output=True, text=True, env=environment, timeout=100, check=True).stdout


@pytest.mark.thorough
def test_version() -> None:
    assert in_child("--version") == f"pegcp, version {pegcp.__version__}\n"


@pytest.mark.thorough
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
    assert "english" in typed("boards")
    assert "triangle15" in typed("boards")
    assert "fig7" in typed("problems")
    models = typed("models")
    for name in ("moves", "parallel", "fools", "constraint", "fast-downward", "pyperplan", "dfs"):
        assert f"\n {name} " in models
    assert "pip install" in typed("backends") or "cp-sat" in typed("backends")


def test_show_speaks_of_one_jump() -> None:
    assert "solution length  1 jump\n" in typed("show", "XXo")


def test_the_help_shows_no_ranges_of_numbers() -> None:
    for name in cli.commands:
        assert "x>=" not in typed(name, "--help")


@pytest.mark.parametrize(("command", "default"), [("next", "4000"), ("graph", "none"), ("check", "2000")])
def test_the_help_says_the_limit_of_memory_that_holds(command: str, default: str) -> None:
    words = " ".join(typed(command, "--help").split())
    assert re.search(rf"--memory-limit MB [^[]*\[default: \(?{default}\)?\]", words)


def test_show_draws_and_counts() -> None:
    shown = typed("show", "english")
    for part in ("33", "76", "8 of the board", "32, vacancies d4"):
        assert part in shown


def test_solve_prints_a_solution_that_check_accepts(tmp_path: Path) -> None:
    printed = typed("solve", "triangle15:a1->?", "--method", "dfs", "--json")
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
    assert len(replay_solution(problem, jumps).moves) == answer["moves"]
    solution = tmp_path / "solution.json"
    solution.write_text(printed)
    assert "solves triangle15:a1->?" in typed("check", "triangle15:a1->?", solution)
    assert "not a solution" in typed("check", "triangle15:a1->a1", solution, status=4)


def test_check_names_the_first_bad_jump() -> None:
    said = typed("check", "english", "-", stdin="d2 d3 d4\nd5 d4 d3\nd2 d3 d4\n", status=4)
    assert "jump 3 (d2-d4) is impossible: there is no peg at d2 to jump" in said


def test_a_run_that_was_stopped_says_how_to_go_on() -> None:
    text = typed("solve", "english:c1", "-m", "dfs-plain", "--time-limit", "0.2", status=3)
    assert "--time-limit 2; without -m" in text


def test_a_value_that_is_not_known_to_be_the_best_is_at_most_that() -> None:
    best = pegcp.solve("triangle10:a2!")
    assert f"fewest-jumps = {best.objective}" in str(best)
    good = replace(best, status=Status.SOLVED, bound=1)
    assert f"fewest-jumps at most {best.objective}; fewest-jumps at least 1" in str(good)
    assert f"; fewest-jumps at most {best.objective}" in typed("check", "triangle10:a2!", " ".join(best.moves))


def test_check_goes_through_all_solutions_and_folders(tmp_path: Path) -> None:
    texts = {"right": "d1-b1 a1-c1", "wrong": "a1-c1", "words": "hello there"}
    files = [tmp_path / name for name in texts]
    for file, text in zip(files, texts.values(), strict=True):
        file.write_text(text)
    text = typed("check", "XoXX", *files, PROVED / "english-class", files[0], status=4)
    assert text.count("right solves XoXX") == 2
    assert "wrong, line 1 (a1-c1), is not a solution" in text
    assert "english-class proves nothing: problem.toml: this is not the problem XoXX" in text
    assert 'no hole "hello"' in text
    typed("check", "XoXX", files[0], files[2], status=2)


def test_infeasible_is_an_answer_with_its_certificate() -> None:
    answer = json.loads(typed("solve", "english:c1->e5", "--json"))
    assert (answer["status"], answer["jumps"], answer["certificate"]["kind"]) == ("INFEASIBLE", None, "class")
    assert "stays even" in typed("explain", "english:c1->e5")
    assert "No certificate" in typed("explain", "XoXX", status=3)


def test_show_fits_80_columns() -> None:
    lines = typed("show", "asymmetric").splitlines()
    assert max(map(len, lines)) < 80
    assert any(line.endswith(" e3 (2)") or line.lstrip().startswith("e3 (2)") for line in lines)


@pytest.mark.parametrize("name", ["english:c1->e5", "army5", "o", "rectangle1x5"])
def test_an_explanation_fits_80_columns(name: str) -> None:
    assert max(map(len, typed("explain", name).splitlines())) <= 80


def test_explain_suggests_no_command_that_cannot_be_typed() -> None:
    lines = typed("explain", "XoXX", "--goal", "dead end", status=3)
    assert "solve 'XoXX goal" not in lines
    assert "same problem and options" in lines


def test_a_time_limit_without_an_answer_is_status_3() -> None:
    answer = json.loads(typed("solve", "square8:a1->a1", "-m", "dfs-plain", "--time-limit", "0.3", "--json", status=3))
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
        (("solve", "english", "-m", "fools"), "only dead-end goals"),
        (("solve", "english", "-m", "moves:order"), "such as order=on"),
        (("solve", "XoXX", "-m", "planner"), "needs a command"),
        (("solve", "XoXX", "--objective", "nearest"), 'such as the goal "near a1"'),
        (("solve", "nowhere.toml"), "no file"),
        (("solve", "english", "--goal", "deadend"), 'did you mean "dead end"'),
        (("solve", "english", "--goal"), '"pegcp solve --help"'),
        (("solve", "english", "--goal", "d9"), 'no hole "d9"'),
        (("solve", "english", "--start", "lost.txt"), '--start: there is no file "lost.txt"'),
        (("solve", "english", "--goal", "none/lost.toml"), '--goal: there is no file "none/lost.toml"'),
        (("solve", "XoXX", "--goal", "z9"), "--goal: XoXX's board has no hole"),
        (("solve", "english", "--objective", "fastest"), "fewest-jumps"),
        (("solve", "english", "--time-limit", "0"), "time limit"),
        (("prove", "XoX", "--bound", "0", "-o", "proof"), "--bound"),
        (("compare", "XoXX", "-m", "dfs", "--seeds", "0"), "seed"),
        (("compare", "XoXX", "-m", "dfs", "--seeds", ""), "--seeds takes a number of seeds"),
        (("solve", "XXo", "--legend", "X"), 'pegcp: --legend: cannot read "X"'),
        (("check", "XoXX", "n" * 300), "cannot read"),
        (("sovle", "english"), "type: pegcp solve english"),
        (("export", "english", "-m", "dfs"), "no model to export"),
        (("export", "english", "-m", "moves", "-f", "xml"), "cp-sat: proto"),
        (("export", "english", "-m", "pddl"), "-o DIR"),
        (("export", "english:d4!", "-m", "fools"), "horizon=N"),
        (("check", "english", "nowhere.txt"), "cannot read"),
        (("import", "nowhere.pddl"), "there is no file"),
        (("check", PROVED / "english-class", "--cnf", "x.cnf"), "english-class: the folder has no formula"),
        (("solve", "My-Board9"), 'unknown board "My-Board9"'),
        (("show", "fig99"), '"pegcp problems" lists them'),
        (("backends", "nosuch"), '"pegcp backends" lists them'),
        (("backends", "kissat"), "command=kissat"),
        (("check", "nofolder"), "nofolder: there is no such file or folder"),
        (("check", "XoXX", PROVED), "it is no proof folder"),
        (("why", "XoXX", "nowhere", "-m", "moves"), "nowhere: cannot read"),
        (("solve", "XoXX", "-m", "moves", "--up-to", "order"), "leave out -m moves"),
        (("next", "english", "--after", "d2-d4 zz"), "pegcp: --after: english has no"),
        (("next", "english", "--after", "d2-d4 d2-d4"), "pegcp: --after: jump 2"),
        (("solve", "XoXX", "--time-limit", "nan"), "not nan"),
        (("generate", "line4", "--pegs", "2", "--count", "0"), "--count"),
    ],
)
def test_bad_input_is_one_clear_error_and_status_2(arguments: tuple[str | Path, ...], said: str) -> None:
    assert said in typed(*arguments, status=2)


@pytest.mark.thorough
@pytest.mark.parametrize("most", ["1e15", "1e300", "inf"])
def test_limits_larger_than_clocks_take_are_none(most: str) -> None:
    for command in (("check", PROVED / "english-class"), ("solve", "XoXX", "-m", "dfs")):
        typed(*command, "--time-limit", most, "--memory-limit", most)


SEEDED = """
import ast, sys, pegcp
for problem, method in ast.literal_eval(sys.argv[1]):
    print(*sorted(pegcp.export(problem, method).items()))
"""
TEXTS = [("line6:b1", "sat-rounds"), ("triangle6:a1", "asp-rounds"), ("triangle6:a1", "mzn-rounds")]
TEXTS += [(name, "pddl") for name in ("triangle10:b2!", "cycle8:0->?", "rectangle3x4")]
BY_CP_SAT = [("line6:b1", "moves"), ("triangle15:a1", "parallel"), ("triangle15:b3!", "fools:horizon=4")]


@pytest.mark.thorough
@pytest.mark.parametrize("asked", [TEXTS, pytest.param(BY_CP_SAT, marks=pytest.mark.slow)], ids=["texts", "cp-sat"])
def test_exports_are_the_same_bytes_under_any_hash_seed(asked: list[tuple[str, str]]) -> None:
    first, second = (
        subprocess.run(
            [sys.executable, "-c", SEEDED, repr(asked)],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    )
    assert first == second
    assert first.count("\n") >= len(asked)


def test_pddl_goes_out_and_comes_back(tmp_path: Path) -> None:
    back = tmp_path / "back.toml"
    typed("export", "english:c1->d4", "-m", "pddl", "-o", tmp_path / "out")
    typed("import", tmp_path / "out" / "problem.pddl", "-o", back)
    assert pegcp.problem(str(back)) == pegcp.problem("english:c1->d4")


def test_the_help_has_every_command_in_a_section_and_every_objective() -> None:
    told = CliRunner().invoke(cli, ["--help"]).output
    assert all(f"\n  {name} " in told for name in cli.commands)
    assert "\nProofs:\n" in told
    assert "Commands:" not in told
    told = CliRunner().invoke(cli, ["solve", "--help"]).output
    assert all(objective in told for objective in Objective)


def test_the_board_of_a_map_is_a_board(tmp_path: Path) -> None:
    file = tmp_path / "map.txt"
    file.write_text("X X o X\nX X X X\n")
    assert "X" in typed("generate", file, "--pegs", "2")
    assert len(pegcp.board(str(file)).holes) == 8


def test_what_is_no_regular_file_is_not_said_to_be_absent() -> None:
    assert "no regular file" in typed("solve", "/dev/null", status=2)


def test_a_picture_of_no_solution_is_that_of_its_certificate(tmp_path: Path) -> None:
    typed("solve", "XXoXX", "-o", tmp_path / "x.svg")
    assert (tmp_path / "x.svg").read_text("utf-8").count(">no last peg at ") == 2
    text = typed("solve", "XXoXX", "-o", tmp_path / "x.animated.svg", status=2)
    assert "no solution to draw: INFEASIBLE" in text


def test_a_lost_game_is_one_object_of_json(tmp_path: Path) -> None:
    (tmp_path / "lost.txt").write_text("a3-a1\nc3-a3\nc5-c3\n")
    answer = json.loads(typed("check", "triangle15", tmp_path / "lost.txt", "--json", status=4))
    assert answer["lost"].startswith("lost by jump 3, c5-c3")
    assert "The game was lost by jump 3" in typed("check", "triangle15", tmp_path / "lost.txt", status=4)


def test_jumps_may_be_typed_in_place_of_a_file() -> None:
    assert "solves XoXX: 2 jumps" in typed("check", "XoXX", "d1-b1 a1-c1")
    assert "1 legal jump, but not yet a solution" in typed("check", "english", "d2-d4", status=4)
    assert "nix.txt: cannot read the file" in typed("check", "english", "nix.txt", status=2)
