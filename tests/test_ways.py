"""A method ends in the same way in this process and through the runner, whatever its reason is."""

from __future__ import annotations

import json
import re
import sys
import threading
from pathlib import Path

import pytest
from asking import typed
from processes import becomes_true, one_run, processes_of_runs

import pegcp
from pegcp import machine
from pegcp.api import solve
from pegcp.catalogue.choice import choose
from pegcp.comparison.agreement import find_disagreements
from pegcp.comparison.experiment import make_tasks
from pegcp.method import Answer, Limits, Reason, Run, Status
from pegcp.results.judge import judge_answer
from pegcp.results.result import Result
from pegcp.running.road import run

ROGUE = Path(__file__).parent / "data" / "rogue"
LIE = "import sys; open(sys.argv[1], 'w').write('(jump a1 b1 c1)')"
CASES = {
    "completed": ("XoXX", "dfs", 20.0, "SOLVED"),
    "completed by auto": ("XoXX", "auto", 20.0, "SOLVED"),
    "refuted": ("XoX", "auto", 20.0, "INFEASIBLE"),
    "time": ("square8:a1->a1", "dfs-plain", 0.3, "UNKNOWN TIME"),
    "time, auto": ("square30:a1->a1", "auto", 0.2, "UNKNOWN TIME"),
    "memory": ("XoXX", "rogue:does=soft-memory", 20.0, "UNKNOWN MEMORY"),
    "unsupported": ("english:d4!", "moves", 20.0, "UNKNOWN UNSUPPORTED"),
    "missing": ("XoXX", "rogue:does=miss", 20.0, "UNKNOWN MISSING"),
    "error": ("XoXX", "rogue:does=fail", 20.0, "UNKNOWN ERROR"),
    "cheat": ("XoXX", "rogue:does=cheat", 20.0, "UNKNOWN INVALID_SOLUTION"),
    "lie": ("XoXX", "LIE", 20.0, "UNKNOWN INVALID_SOLUTION"),
}


@pytest.fixture(autouse=True)
def rogue(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.syspath_prepend(str(ROGUE))
    monkeypatch.setenv("ROGUE_PIDS", str(tmp_path / "pids"))
    machine.plugins.cache_clear()


def method_of(text: str, folder: Path) -> str:
    (folder / "lie.py").write_text(LIE)
    return f"planner:command={sys.executable} {folder / 'lie.py'} {{plan}}" if text == "LIE" else text


def here(problem: str, method: str, seconds: float) -> Result:
    question = pegcp.problem(problem)
    try:
        answer = choose(method).run(question, Run(Limits(time=seconds)))
    except pegcp.Missing as error:
        answer = Answer(Status.UNKNOWN, Reason.MISSING, message=str(error))
    return judge_answer(question, method, answer)


@pytest.mark.parametrize("case", CASES)
def test_the_verdict_is_that_of_the_method_in_this_process(case: str, tmp_path: Path) -> None:
    problem, text, seconds, verdict = CASES[case]
    method = method_of(text, tmp_path)
    inside, outside = here(problem, method, seconds), solve(problem, method, time_limit=seconds)
    assert (inside.status, inside.reason) == (outside.status, outside.reason), outside.message
    assert outside.verdict == verdict


def test_every_reason_has_a_case() -> None:
    """But one: only a run in a process of its own can be interrupted, as below."""
    verdicts = [verdict.split() for *_, verdict in CASES.values()]
    seen = {Reason(words[1]) if len(words) > 1 else Reason.COMPLETED for words in verdicts}
    assert seen == {*Reason} - {Reason.INTERRUPTED}


def test_a_planner_that_lies_is_told_as_wrong_through_the_runner(tmp_path: Path) -> None:
    result = solve("XoXX", method_of("LIE", tmp_path))
    assert "the planner's plan is invalid" in result.message
    assert find_disagreements([result])


def test_an_interrupted_run_is_interrupted() -> None:
    stop = threading.Event()
    stop.set()
    assert run(make_tasks(["XoXX"], ["auto"])[0], stop=stop).reason is Reason.INTERRUPTED


def test_the_best_solution_survives_the_limit_of_memory() -> None:
    result = one_run("XXo", "rogue:does=report-and-eat", memory_limit=300)
    assert (result.verdict, len(result.jumps or ())) == ("SOLVED MEMORY", 1)


@pytest.mark.long
@pytest.mark.parametrize("seed", [0, *(pytest.param(seed, marks=pytest.mark.slow) for seed in (1, 2))])
def test_a_beam_keeps_its_solution_at_the_limit_of_memory(seed: int) -> None:
    problem = pegcp.problem("english", objective="fewest-moves")
    result = solve(problem, "beam", memory_limit=110, time_limit=60, seed=seed)
    assert result.verdict == "SOLVED MEMORY"
    assert result.objective


def test_many_problems_are_exported_by_many_methods(tmp_path: Path) -> None:
    typed("export", "triangle6:*", "XoXX", "-m", "pddl,pddl:encoding=parallel", "-o", tmp_path / "out")
    files = {path.relative_to(tmp_path / "out").as_posix() for path in (tmp_path / "out").rglob("*.pddl")}
    assert len(files) == 7 * 2 * 2
    assert "XoXX/pddl_encoding_parallel/domain.pddl" in files
    single = pegcp.export("XoXX", "pddl:encoding=parallel")
    assert (tmp_path / "out/XoXX/pddl_encoding_parallel/problem.pddl").read_text() == single["problem.pddl"]
    assert "12 files to write" not in typed("export", "XoXX", "-m", "sat-rounds", "-f", "cnf")
    assert "choose a folder" in typed("export", "XoXX", "XXoX", "-m", "pddl", status=2)
    assert "XoXX: " in typed("export", "XoXX", "XXoX", "-m", "fools", "-o", tmp_path / "no", status=2)
    assert not (tmp_path / "no").exists()


def test_many_solutions_are_checked_in_one_call(tmp_path: Path) -> None:
    (tmp_path / "right").write_text("d1-b1 a1-c1")
    (tmp_path / "wrong").write_text("a1-c1")
    text = typed("check", "XoXX", tmp_path / "right", tmp_path / "wrong", tmp_path / "right", status=4)
    assert text.count(" solves XoXX") == 2
    assert text.count("is not a solution") == 1
    assert typed("check", "XoXX", tmp_path / "right", tmp_path / "right").count(" solves XoXX") == 2


def test_backends_that_take_a_problem_are_listed_with_their_encodings() -> None:
    text = typed("backends", "--for", "lab4")
    assert re.search(r"^ fast-downward +\S+ +fast-downward +plain parallel$", text, re.MULTILINE)
    assert re.search(r"^ pyperplan +\S+ +pyperplan +plain$", text, re.MULTILINE)
    assert "asp-fools" not in text
    rows = json.loads(typed("backends", "--for", "XoXX", "--json"))
    assert {"name", "methods", "encodings"} <= rows[0].keys()


@pytest.mark.thorough
@pytest.mark.parametrize("method", ["moves", pytest.param("ip1:scip", marks=pytest.mark.long)])
def test_a_hint_is_where_a_solver_begins(method: str) -> None:
    solution = pegcp.solve("triangle15:a1->?", "dfs").jumps
    assert solution is not None
    hinted = pegcp.solve("triangle15:a1->?", method, hint=solution, time_limit=60)
    assert set(hinted.jumps or ()) == set(solution)
    assert hinted.parameters["hint"].startswith(f"{pegcp.board('triangle15').jump_names(solution[0])[0]}-")
    again = pegcp.solve("triangle15:a1->?", hint=hinted)
    assert again.method == "moves"
    assert again.jumps == hinted.jumps or method != "moves"


def test_a_hint_for_a_method_that_takes_none_is_refused() -> None:
    with pytest.raises(pegcp.InputError, match=r"dfs takes no hint; models on cp-sat, .* do, such as moves"):
        pegcp.solve("XoXX", "dfs", hint="d1-b1 a1-c1")
    with pytest.raises(pegcp.InputError):
        pegcp.solve("XoXX", "moves", hint="d1-z1")
    with pytest.raises(pegcp.InputError, match="impossible"):
        pegcp.solve("XoXX", "moves", hint="a1-c1")


def test_better_solutions_come_one_by_one() -> None:
    values = [result.objective or 0 for result in pegcp.improve("english:c1!", "fools", time_limit=30)]
    assert values == sorted(values, reverse=True)
    assert values[-1] == 9  # Beasley 1985


def test_leaving_the_loop_ends_the_run() -> None:
    for _ in pegcp.improve("english:c1!", "fools"):
        break
    assert becomes_true(lambda: not processes_of_runs())
