"""Planners as methods: their answers against known values, and how their failures are told."""

from __future__ import annotations

import json
import re
import runpy
import stat
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, get_args

import pytest
from asking import said
from parts import need

import pegcp
from pegcp.backends import planners
from pegcp.catalogue.choice import choose, split
from pegcp.catalogue.methods import bundled
from pegcp.errors import InputError, Missing
from pegcp.formats import pddl
from pegcp.formats.solution import read_solution
from pegcp.game import Exact, Objective, Partial, Position, Problem
from pegcp.method import Limits, Reason, Run, Status, Wishes
from pegcp.results.judge import judge_answer
from pegcp.results.result import Result
from pegcp.running.host import environment

pytestmark = pytest.mark.usefixtures("own_folder")
DATA = Path(__file__).parent / "data"
PLANNERS = [name for name in planners.shipped() if name != planners.BY_COMMAND]
OPTIMAL = ["fast-downward-opt", "symk", "enhsp-opt", "pyperplan:search=astar:heuristic=lmcut"]


def answer(problem: Problem, method: str, **limits: Any) -> Result:
    chosen = choose(method)
    assert not chosen.method.refusal(problem)
    return judge_answer(problem, method, chosen.run(problem, Run(Limits(**limits))))


def puzzle(number: int) -> tuple[Problem, dict[str, Any]]:
    """One of the published English puzzles, for the fewest moves."""
    english = pegcp.board("english")
    assert english.cells is not None
    found = next(p for p in json.loads((DATA / "english_puzzles.json").read_text("utf-8")) if p["id"] == number)
    start = sum(1 << english.cells.index(tuple(cell)) for cell in found["pegs"])
    goal = Exact(1 << english.cells.index(tuple(found["target"])))
    return Problem(english, Position(english, start), goal, Objective.FEWEST_MOVES, f"puzzle {number}"), found


@pytest.mark.parametrize(
    "method",
    [
        pytest.param(name, marks=pytest.mark.slow if name in ("tamer", "enhsp") else pytest.mark.thorough)
        for name in PLANNERS
    ],
)
def test_every_planner_answers_yes_and_no(method: str) -> None:
    need(method.partition(":")[0])
    yes = answer(pegcp.problem("line6:b1->?"), method)
    assert yes.status is Status.SOLVED
    assert yes.statistics["solve_seconds"] > 0
    no = answer(pegcp.problem("XoXoX"), method, time=10)
    # Tamer does not say whether it has looked everywhere.
    assert no.status is (Status.UNKNOWN if method == "tamer" else Status.INFEASIBLE)


@pytest.mark.parametrize("name", ["pyperplan", "tamer"])
def test_python_finds_nothing_in_the_folder_of_a_program(name: str) -> None:
    need(name)
    planner = planners.shipped()[name]
    assert planner.command_line(planner.options, Run())[1] == "-P"


@pytest.mark.long
def test_the_english_centre() -> None:
    need("fast-downward")
    assert answer(pegcp.problem("english"), "fast-downward", time=30).status is Status.SOLVED


@pytest.mark.parametrize(
    ("name", "jumps"),
    [
        ("triangle15:b3!", 4),
        pytest.param("english:d1!", 6, marks=pytest.mark.thorough),
        pytest.param("english:d4!", 6, marks=pytest.mark.slow),
        pytest.param("triangle15:c5!", 7, marks=pytest.mark.slow),
    ],
)
def test_fools_solitaire_is_proved(name: str, jumps: int) -> None:
    need("fast-downward")
    result = answer(pegcp.problem(name), "fast-downward-opt")
    assert (result.status, result.objective, result.bound) == (Status.OPTIMAL, jumps, jumps)


@pytest.mark.long
@pytest.mark.parametrize(
    "method", [pytest.param(m, marks=pytest.mark.slow if m in ("symk", "enhsp-opt") else ()) for m in OPTIMAL]
)
def test_optimal_planners_agree(method: str) -> None:
    need(method.partition(":")[0])
    if not method.startswith("enhsp"):  # its heuristic does not see far in that domain
        assert answer(pegcp.problem("triangle15:b3!"), method).objective == 4
    if not method.startswith("pyperplan"):
        moves = answer(pegcp.problem("triangle15:a1->a1", objective="fewest-moves"), method)
        assert (moves.status, moves.objective) == (Status.OPTIMAL, 10)


@pytest.mark.thorough
@pytest.mark.parametrize("number", [4, *(pytest.param(number, marks=pytest.mark.slow) for number in (36, 78))])
def test_fewest_moves_of_puzzles(number: int) -> None:
    need("fast-downward")
    problem, known = puzzle(number)
    result = answer(problem, "fast-downward-opt")
    assert (result.status, result.objective) == (Status.OPTIMAL, known["min_moves"])


@pytest.mark.slow
def test_fewest_moves_of_all_puzzles_but_the_central_game() -> None:
    need("symk")
    numbers = [
        p["id"]
        for p in json.loads((DATA / "english_puzzles.json").read_text("utf-8"))
        if p["solvable"] and p["min_moves"] <= 12
    ]
    assert len(numbers) == 51
    for number in numbers:
        problem, known = puzzle(number)
        result = answer(problem, "symk", time=300)
        assert (result.status, result.objective) == (Status.OPTIMAL, known["min_moves"]), number


@pytest.mark.slow
def test_every_reversal_of_the_english_board() -> None:
    need("fast-downward")
    for hole in pegcp.board("english").holes:
        assert answer(pegcp.problem(f"english:{hole}"), "fast-downward", time=300).status is Status.SOLVED, hole


def test_satisficing_planners_do_not_claim_optima() -> None:
    need("fast-downward")
    result = answer(pegcp.problem("triangle15:b3!"), "fast-downward")
    assert result.status is Status.SOLVED
    assert result.bound is None


@pytest.mark.thorough
def test_a_star_claims_optima_with_admissible_heuristics_only() -> None:
    need("fast-downward")
    for search, proved in (("astar(ff())", False), ("astar(blind())", True)):
        result = answer(pegcp.problem("triangle6:a1!"), f"fast-downward-opt:search={search}")
        assert (result.status is Status.OPTIMAL) == proved
        assert (result.bound is not None) == proved


@pytest.mark.long
def test_a_seed_shuffles_fast_downward() -> None:
    need("fast-downward")
    problem = pegcp.problem("triangle15")
    method = "fast-downward:search=lazy_greedy([ff()],randomize_successors=true,random_seed={seed})"
    found = [answer(problem, method, seed=seed).jumps for seed in (0, 0, 1, 2)]
    assert found[0] == found[1]
    assert len(set(found)) > 1


def test_pyperplan_refuses_costs() -> None:
    refusal = bundled()["pyperplan"].refusal(pegcp.problem("triangle15", objective="fewest-moves"))
    assert "fewest-moves" in refusal


@pytest.mark.thorough
def test_a_time_limit_stops_the_planner() -> None:
    need("fast-downward")
    result = answer(pegcp.problem("square7:d4!"), "fast-downward:search=astar(blind())", time=0.7)
    assert (result.status, result.reason) == (Status.UNKNOWN, Reason.TIME)
    assert result.statistics["solve_seconds"] < 3


@pytest.mark.thorough
def test_an_exhausted_iteration_is_no_proof() -> None:
    need("fast-downward")
    search = "iterated([lazy_greedy([blind()],max_time=0.05)])"
    result = answer(pegcp.problem("english:d1"), f"fast-downward:search={search}")
    assert (result.status, result.reason) == (Status.UNKNOWN, Reason.COMPLETED)
    assert "gave up" in result.message


# --- any planner, by its command line


def fake_planner(tmp_path: Path, body: str) -> str:
    """A planner that is a Python script; its command template."""
    script = tmp_path / "fake planner.py"
    script.write_text("import sys, time\ndomain, problem, plan = sys.argv[1:4]\n" + body, encoding="utf-8")
    script.chmod(script.stat().st_mode | stat.S_IXUSR)
    return f"planner:command='{sys.executable}' -I -S '{script}' {{domain}} {{problem}} {{plan}}"


@pytest.mark.parametrize(
    ("body", "status", "reason", "message"),
    [
        ("open(plan, 'w').write('(JUMP D1 C1 B1)\\n(jump a1 b1 c1)\\n; cost = 2\\n')", "SOLVED", "COMPLETED", ""),
        ("open(plan, 'w').write('(jump a1 b1 c1)')", "UNKNOWN", "INVALID_SOLUTION", "jump 1"),
        ("open(plan, 'w').write('(jump d1 c1 b1)')", "UNKNOWN", "INVALID_SOLUTION", "goal"),
        ("open(plan, 'w').write('')", "UNKNOWN", "INVALID_SOLUTION", "goal"),
        ("open(plan, 'w').write('(beam me up)')", "UNKNOWN", "INVALID_SOLUTION", 'unknown action "beam"'),
        ("open(plan, 'wb').write(bytes(range(256)))", "UNKNOWN", "INVALID_SOLUTION", "step 1"),
        ("print('I know nothing')", "UNKNOWN", "COMPLETED", "without a plan"),
        ("print('Segmentation fault'); sys.exit(139)", "UNKNOWN", "ERROR", "exit code 139.*Segmentation fault"),
        ("import os; os.kill(os.getpid(), 9)", "UNKNOWN", "ERROR", "SIGKILL"),
        ("time.sleep(60)", "UNKNOWN", "TIME", "time limit"),
    ],
)
def test_any_planner_by_its_command(tmp_path: Path, body: str, status: str, reason: str, message: str) -> None:
    result = answer(pegcp.problem("line4:b1->c1"), fake_planner(tmp_path, body), time=0.5 if "sleep" in body else 20)
    assert (result.status, result.reason) == (status, reason), result.message
    assert re.search(message, result.message)


DEAD_END = pegcp.problem("XXXoXX", goal="dead end", objective="fewest-jumps")
LONGER = pddl.write_plan(DEAD_END, read_solution(DEAD_END, "f1-d1 c1-e1 a1-c1"))
SHORTER = pddl.write_plan(DEAD_END, read_solution(DEAD_END, "b1-d1 e1-c1"))


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("plans", "ending", "costs", "reason"),
    [
        ((LONGER, SHORTER, LONGER), "", [3, 2, 3], "COMPLETED"),
        ((LONGER, SHORTER[:20]), "time.sleep(60)", [3], "TIME"),
        ((LONGER, SHORTER[: SHORTER.index("(stop)")]), "time.sleep(60)", [3], "TIME"),
        ((SHORTER[:20],), "time.sleep(60)", [], "TIME"),
        ((SHORTER[:20],), "", [], "INVALID_SOLUTION"),
    ],
)
def test_the_best_of_numbered_plans_is_kept(
    tmp_path: Path, plans: tuple[str, ...], ending: str, costs: list[int], reason: str
) -> None:
    written = "".join(
        f"open(plan + '.{n}', 'w').write({plan!r}); time.sleep(0.02)\n" for n, plan in enumerate(plans, start=1)
    )
    result = answer(DEAD_END, fake_planner(tmp_path, written + ending), time=0.5)
    assert result.reason == reason, result.message
    assert result.objective == min(costs, default=None)
    assert result.statistics.get("plan_cost") == min(costs, default=None)
    assert result.statistics.get("plans", len(costs)) == len(costs)


@pytest.mark.thorough
def test_a_plan_file_that_is_written_again_is_read_again(tmp_path: Path) -> None:
    body = f"open(plan, 'w').write({LONGER!r}); time.sleep(0.4); open(plan, 'w').write({SHORTER!r})"
    found = pegcp.solve(DEAD_END, fake_planner(tmp_path, body), time_limit=20)
    assert found.statistics["plans"] == 2
    assert [value for _, value, _ in found.statistics["trace"]] == [3, 2, 2]


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("open(plan, 'w').truncate(3_000_000_000)", "larger than 10 MB"),
        ("import os; os.symlink('/dev/zero', plan); os.mkfifo(plan + '.1'); os.mkdir(plan + '.2')", "without a plan"),
        ("import os, shutil; shutil.rmtree(os.getcwd()); time.sleep(0.2)", "without a plan"),
    ],
)
def test_what_is_no_plan_file_is_not_read(tmp_path: Path, body: str, message: str) -> None:
    result = pegcp.solve(DEAD_END, fake_planner(tmp_path, body), time_limit=20)
    assert result.status is Status.UNKNOWN
    assert message in result.message


def test_planners_that_go_on_after_the_first_plan() -> None:
    need("fast-downward")
    search = "iterated([lazy_greedy([ff()]),lazy_wastar([ff()],w=3),astar(blind())],repeat_last=false)"
    result = answer(pegcp.problem("triangle6:a1!"), f"fast-downward:search={search}")
    assert result.status is Status.SOLVED


@pytest.mark.thorough
def test_symk_finds_several_plans() -> None:
    need("symk")
    result = answer(pegcp.problem("triangle6:a1!"), "symk:search=symk_bd(plan_selection=top_k(num_plans=3))")
    assert (result.status, result.statistics["plans"]) == (Status.SOLVED, 3)


def test_an_empty_plan_is_fine_if_the_goal_holds(tmp_path: Path) -> None:
    result = answer(pegcp.problem("XoX", goal="a1 c1"), fake_planner(tmp_path, "open(plan, 'w').close()"))
    assert result.status is Status.SOLVED
    assert result.jumps == ()


def test_a_command_that_does_not_exist() -> None:
    with pytest.raises(Missing, match="nowhere-to-be-found"):
        answer(pegcp.problem("XXo"), "planner:command=nowhere-to-be-found {domain} {plan}")


@pytest.mark.parametrize(
    ("command", "message"),
    [
        ("mine {dom} {problem} {plan}", r"nothing fills \{dom\} .*did you mean \"domain\""),
        ("mine {domain} {problem} {plan} {sead}", r"nothing fills \{sead\}"),
        ("mine {domain} {problem} {plan} {command}", r"nothing fills \{command\}"),
        ("mine {domain} {problem}", r"no \{plan\}.* > \{plan\}"),
    ],
)
def test_a_command_that_cannot_work_is_refused_before_it_runs(
    command: str, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, err, _, status = said("solve", "XXo", "-m", f"planner:command={command}")
    assert status == 2
    assert re.search(message, err)
    (tmp_path / "planners.toml").write_text(f'[mine]\ncommand = "{command}"', encoding="utf-8")
    monkeypatch.setenv("PEGCP_HOME", str(tmp_path))
    with pytest.raises(InputError, match=message) as caught:
        choose("mine")
    assert caught.value.source == str(tmp_path / "planners.toml")


def test_a_planner_may_print_its_plan_or_name_the_file_itself(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    printed = "planner:command=sh -c 'test -n ${HOME} && cat {domain} >/dev/null && echo \\(jump a1 b1 c1\\) > {plan}'"
    problem = pegcp.problem("XXo", goal="c1")
    assert answer(problem, printed).status is Status.SOLVED
    row = """[mine]\ncommand = "sh -c 'echo \\\\(jump a1 b1 c1\\\\) > sas_plan'"\nplan = "sas_plan"\n"""
    (tmp_path / "planners.toml").write_text(row, encoding="utf-8")
    monkeypatch.setenv("PEGCP_HOME", str(tmp_path))
    assert answer(problem, "mine").status is Status.SOLVED


FAST_DOWNWARD = """No feature defined for FunctionCallNode 'lmcat'.
Usage error occurred.
Peak memory: 10412 KB
search exit code: 33
INFO     Planner time: 0.11s
"""
PYTHON = """Traceback (most recent call last):
  File "plan.py", line 1, in <module>
    main()

  File "plan.py", line 9, in main
KeyError: 'end-move'
done after 3 s
"""
ARGUMENTS = """usage: mine [-h] [-l {debug,info,warning,error}]
            domain problem
mine: error: argument -s: invalid choice: 'foo'
see the manual
"""
JAVA = "starting\nException in thread main java.lang.NullPointerException: goal\n\tat Main.java:3\n"


@pytest.mark.parametrize(
    ("log", "line"),
    [
        (FAST_DOWNWARD, "No feature defined for FunctionCallNode 'lmcat'."),
        (PYTHON, "KeyError: 'end-move'"),
        (ARGUMENTS, "mine: error: argument -s: invalid choice: 'foo'"),
        (JAVA, "Exception in thread main java.lang.NullPointerException: goal"),
        ("mine: unrecognized option '--foo'\nUsage: mine FILE\n", "mine: unrecognized option '--foo'"),
        ("all is lost\n\n", "all is lost"),
    ],
)
def test_a_planner_that_failed_shows_its_error_and_not_its_last_line(log: str, line: str) -> None:
    result = planners.shipped()[planners.BY_COMMAND].read_answer({}, 33, log)
    assert (result.status, result.reason) == (Status.UNKNOWN, Reason.ERROR)
    assert result.message.split("\n") == [f"the planner failed (exit code 33): {line}", "--log prints all that it says"]


def test_the_same_failure_of_two_runs_is_told_in_the_same_words(tmp_path: Path) -> None:
    method = fake_planner(tmp_path, "sys.exit(f'error: cannot read {domain}')")
    messages = {answer(pegcp.problem("XXo"), method).message for _ in range(2)}
    assert len(messages) == 1
    assert "cannot read domain.pddl" in messages.pop()


def test_a_row_without_a_distribution_may_be_python_or_lie_in_a_package(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "plan.py").write_text("import sys\nopen(sys.argv[1], 'w').write('(jump a1 b1 c1)')", encoding="utf-8")
    rows = """[python]\ncommand = "{python} plan.py {plan}"\n
[absent]\ncommand = "{no_such_package}/plan {plan}"\nmodules = ["no_such_package"]\n"""
    (tmp_path / "planners.toml").write_text(rows, encoding="utf-8")
    monkeypatch.setenv("PEGCP_HOME", str(tmp_path))
    assert answer(pegcp.problem("XXo", goal="c1"), "python").status is Status.SOLVED
    with pytest.raises(Missing, match="absent needs no_such_package"):
        answer(pegcp.problem("XXo"), "absent")


TRUE = "ff: goal can be simplified to TRUE. The empty plan solves it"
FALSE = "ff: goal can be simplified to FALSE. No plan will solve it"


@pytest.mark.parametrize(
    ("name", "code", "log", "status"),
    [
        ("lpg", 0, TRUE, "SOLVED"),
        ("lpg", 1, TRUE, "SOLVED"),
        ("planner", 1, TRUE, "SOLVED"),
        ("lpg", 1, FALSE, "INFEASIBLE"),
        ("planner", 0, FALSE, "INFEASIBLE"),
        ("fast-downward", 11, "", "INFEASIBLE"),
        ("fast-downward", 12, "", "UNKNOWN"),
        ("fast-downward", 0, "", "UNKNOWN"),
        ("pyperplan", 0, "", "UNKNOWN"),
        ("pyperplan", 0, "Task unsolvable", "INFEASIBLE"),
        ("symk", 12, "BOUND: 2147483647 < 2147483647", "INFEASIBLE"),
        ("symk", 12, "", "UNKNOWN"),
        ("planner", 11, "", "UNKNOWN"),
        ("planner", 0, "", "UNKNOWN"),
        ("enhsp", 0, "Problem unsolvable", "INFEASIBLE"),
        ("enhsp", 0, "Unsolvable Problem", "UNKNOWN"),
    ],
)
def test_a_verdict_without_a_plan_needs_words_or_a_documented_exit_code(
    name: str, code: int, log: str, status: str
) -> None:
    """Goals that hold at the start, of which some planners write no plan: they ask for the fewest pegs."""
    problem = pegcp.problem("line4:b1->?", goal="a1 c1 d1", objective="fewest-pegs")
    planner = planners.shipped()[name]
    task = pddl.PlanningTask(problem, pddl.domain_for(problem))
    found = planners.conclude(planner, problem, {}, planners.PlanFiles("plan.txt", task, Run()), code, log)
    assert found.status == status, found.message
    assert (found.jumps == ()) == (status == "SOLVED")


def test_an_empty_plan_that_is_none_is_found_out() -> None:
    problem = pegcp.problem("XXo")
    task = pddl.PlanningTask(problem, pddl.domain_for(problem))
    plans = planners.PlanFiles("plan.txt", task, Run())
    found = planners.conclude(planners.shipped()["lpg"], problem, {}, plans, 1, "goal can be simplified to TRUE")
    assert (found.status, found.reason) == (Status.UNKNOWN, Reason.INVALID_SOLUTION)


def test_the_keys_of_a_table_are_documented() -> None:
    page = (Path(__file__).parents[1] / "docs" / "planners.md").read_text(encoding="utf-8")
    named = re.findall(r"^\| `([a-z-]+)` \|", page, re.MULTILINE)
    fields = set(planners.Planner.__dataclass_fields__) - {"name", "formats", "abilities"}
    assert sorted(named) == sorted(name.replace("_", "-") for name in fields)
    meanings = {*get_args(planners.Meaning), "doubtful", "empty"}
    (row,) = re.findall(r"^\| `says` \| (.*) \|", page, re.MULTILINE)
    assert set(re.findall(r"`([a-z]+)`", row)) == meanings


def test_a_command_may_have_colons_and_commas() -> None:
    chosen = choose("planner:command=java -cp a:b Main {domain} {problem} {plan} s=f(x,y)")
    assert chosen.options["command"] == "java -cp a:b Main {domain} {problem} {plan} s=f(x,y)"
    assert split("dfs,fast-downward:search=lazy_greedy([ff()],preferred=[ff()]),symk") == [
        "dfs",
        "fast-downward:search=lazy_greedy([ff()],preferred=[ff()])",
        "symk",
    ]


def test_the_log_is_kept_and_reported(tmp_path: Path) -> None:
    reported: list[Any] = []
    chosen = choose(fake_planner(tmp_path, "print('ö' * 10, flush=True); print('error', file=sys.stderr)"))
    run = Run(report=reported.append, wishes=Wishes(log=True))
    chosen.run(pegcp.problem("XXo"), run)
    assert (run.folder / "planner.log").read_text("utf-8").splitlines() == ["ö" * 10, "error"]
    assert reported == [{"log": "ö" * 10}, {"log": "error"}]


@pytest.mark.thorough
def test_the_example_by_hand() -> None:
    need("fast-downward")
    example = Path(__file__).parent.parent / "examples" / "export_pddl.py"
    done = subprocess.run([sys.executable, str(example)], capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr
    assert "checked: 13 jumps" in done.stdout


ROWS = """
[mine]
title = "a planner of mine"
command = "sh ./mine.sh {plan} {seed}"
exit = { unsolvable = [7] }
says.doubtful = ["perhaps"]

[best]
command = "sh ./mine.sh {plan} {seed}"
exit = { unsolvable = [7] }
says.doubtful = ["perhaps"]
optimal = true
"""


@pytest.fixture
def own_rows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of a planners.toml, and of a planner that knows one plan."""
    (tmp_path / "planners.toml").write_text(ROWS, encoding="utf-8")
    (tmp_path / "mine.sh").write_text(f"echo '{SHORTER}' > $1", encoding="utf-8")
    monkeypatch.setenv("PEGCP_HOME", str(tmp_path))
    return tmp_path


def test_rows_of_ones_own(own_rows: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = answer(DEAD_END, "mine")
    assert first.status is Status.SOLVED, first.message
    proved = answer(DEAD_END, "best")
    assert (proved.status, proved.evidence) == (Status.OPTIMAL, "claimed")
    assert answer(DEAD_END, "best:optimal=no").status is Status.SOLVED
    assert "best" in said("backends")[0]
    assert "a planner of mine" in said("models")[0]
    assert choose("mine").method.summary == "a planner of mine"
    (own_rows / "mine.sh").write_text("exit 7", encoding="utf-8")
    assert answer(DEAD_END, "best").status is Status.INFEASIBLE
    (own_rows / "mine.sh").write_text("echo perhaps; exit 7", encoding="utf-8")
    assert answer(DEAD_END, "best").status is Status.UNKNOWN
    monkeypatch.chdir(own_rows.parent)
    monkeypatch.setenv("PEGCP_HOME", own_rows.name)
    assert environment()["PEGCP_HOME"] == str(own_rows)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[mine", "not valid TOML"),
        ("[mine]\ncomand = 'x'", 'unknown key "comand".*"command"'),
        ("[mine]\ncommand = 3", "command: expected text"),
        ("[mine]\ntitle = 'x'", "needs a command"),
        ("[symk]\ncommand = 'x {plan}'", "ships"),
        ("[mine]\ncommand = 'x'\nexit.solvable = [1]", 'exit: .*"solvable"'),
    ],
)
def test_a_faulty_row_is_named(own_rows: Path, text: str, message: str) -> None:
    (own_rows / "planners.toml").write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=message) as caught:
        choose("mine")
    assert caught.value.source == str(own_rows / "planners.toml")
    assert caught.value.line == (1 if "TOML" in message else None)
    assert choose("dfs").method.name == "dfs"


@pytest.mark.thorough
def test_a_wrong_claim_is_a_disagreement(own_rows: Path) -> None:
    """A planner that says it has no plan where there is one: the comparison ends with exit status 4."""
    (own_rows / "mine.sh").write_text("exit 7", encoding="utf-8")
    out, err, _, code = said("compare", "XXo", "--methods", "dfs,mine")
    assert code == 4, out + err
    assert "disagree" in (out + err).lower()


LIES = {  # what becomes of each: what is claimed, and known to be wrong, is for comparisons
    **dict.fromkeys(("better-and-worse", "cost-told-lower", "plan-in-the-past"), "OPTIMAL 2"),
    **dict.fromkeys(("plan-then-crash", "told-as-three"), "SOLVED 2"),
    "not-the-best": "OPTIMAL 3",
    "no-plan-exists": "INFEASIBLE",
    "proof-then-crash": "UNKNOWN ERROR",
    "plan-is-a-device": "UNKNOWN COMPLETED",
    **dict.fromkeys(("another-problem", "binary", "empty-plan", "forbidden-action"), "UNKNOWN INVALID_SOLUTION"),
    **dict.fromkeys(("half-a-plan", "impossible-jump", "no-such-action"), "UNKNOWN INVALID_SOLUTION"),
    **dict.fromkeys(("no-such-hole", "too-large", "wrong-end"), "UNKNOWN INVALID_SOLUTION"),
}


@pytest.mark.thorough
@pytest.mark.parametrize("how", LIES)
@pytest.mark.usefixtures("own_folder")
def test_what_becomes_of_a_lie(how: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """In this process but for the crashes."""
    examples = Path(__file__).parents[1] / "examples"
    lie = runpy.run_path(str(examples / "planners" / "liar.py"))["lie"]

    def execute(command: list[str], run: Run, *_: object, poll: Callable[[], None]) -> tuple[int, str]:
        code = lie(how, *(run.folder / file for file in command[3:]))
        poll()
        return code, ""

    if "crash" not in how:
        monkeypatch.setattr(planners, "execute", execute)
    monkeypatch.setenv("PEGCP_HOME", str(examples / "planners"))
    result = answer(pegcp.problem(str(examples / "planning" / "two_moves.toml")), f"liar:how={how}")
    told = result.reason if result.status is Status.UNKNOWN else result.objective
    assert " ".join(str(part) for part in (result.status, told) if part is not None) == LIES[how]
    if result.status in (Status.OPTIMAL, Status.INFEASIBLE):
        assert result.evidence == "claimed"


@pytest.mark.parametrize(
    ("body", "options", "status", "message"),
    [
        ("sys.exit(11)", "", "UNKNOWN", "exit code 11"),
        ("sys.exit(11)", ":exit.unsolvable=11,12", "INFEASIBLE", ""),
        ("sys.exit(1)", ":exit.unsolvable=11,12", "UNKNOWN", r"exit code 1\)"),
        ("print('no: none')", ':says.unsolvable="no: none"', "INFEASIBLE", ""),
        ("print('no: none'); import os; os.abort()", ':says.unsolvable="no: none"', "UNKNOWN", "SIGABRT"),
        ("print('search exit code: 11'); sys.exit(11)", "", "INFEASIBLE", ""),
        ("print('iterated('); print('search exit code: 11'); sys.exit(11)", "", "UNKNOWN", "gave up"),
        ("print('search exit code: 22'); sys.exit(22)", "", "UNKNOWN", "memory"),
        ("open(plan, 'w').write('(jump d1 c1 b1)\\n(jump a1 b1 c1)\\n')", ":optimal=yes", "OPTIMAL", ""),
        ("open(plan, 'w').write('(jump d1 c1 b1)\\n(jump a1 b1 c1)\\n'); sys.exit(3)", ":optimal=yes", "SOLVED", ""),
    ],
)
def test_what_a_planner_claims(tmp_path: Path, body: str, options: str, status: str, message: str) -> None:
    method = fake_planner(tmp_path, body).replace("planner:", f"planner{options}:")
    result = answer(pegcp.problem("line4:b1->c1", objective="fewest-jumps"), method)
    assert result.status == status, result.message
    assert re.search(message, result.message)
    assert (result.evidence == "claimed") == (status == "INFEASIBLE")


def test_an_optimum_that_its_own_plan_beats_is_none(tmp_path: Path) -> None:
    """Two jumps of one peg, as two moves: the file counts 2, and the moves are 1."""
    problem = pegcp.problem("XXoXo", goal="e1", objective="fewest-moves")
    plan = "(jump-new-move a1 b1 c1)\n(end-move c1)\n(jump-new-move c1 d1 e1)\n"
    method = fake_planner(tmp_path, f"open(plan, 'w').write({plan!r})").replace("planner:", "planner:optimal=yes:")
    result = answer(problem, method)
    assert (result.status, result.objective, result.statistics["plan_cost"]) == (Status.SOLVED, 1, 2)
    assert "least cost" in result.message


@pytest.mark.parametrize("option", ["exit.unsolvable=eleven", "optimal=perhaps", "exit.solved=0"])
def test_options_that_mean_nothing_are_refused(option: str) -> None:
    with pytest.raises(InputError):
        choose(f"planner:{option}:command=true")


@pytest.mark.thorough
@pytest.mark.parametrize("method", ["fast-downward", "lpg", "tamer"])
def test_a_start_that_satisfies_the_goal_needs_no_planner(method: str) -> None:
    """Tamer crashes on a goal without conditions, and LPG writes no empty plan."""
    need(method)
    board = pegcp.board("line1")
    result = answer(Problem(board, Position(board, 0), Partial(0)), method)
    assert (result.status, result.jumps) == (Status.SOLVED, ())
