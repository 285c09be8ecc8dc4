"""A method ends in the same way in this process and through the runner, whatever its reason is."""

from __future__ import annotations

import sys
import threading
from pathlib import Path

import pytest

import pegcp
from pegcp.api import solve
from pegcp.catalogue import registry
from pegcp.catalogue.methods import choose
from pegcp.comparison.agreement import disagreements
from pegcp.comparison.schedule import tasks
from pegcp.method import Answer, Limits, Reason, Run, Status
from pegcp.results.judge import checked
from pegcp.results.result import Result
from pegcp.running.run import run

ROGUE = Path(__file__).parent / "data" / "rogue"
LIE = "import sys; open(sys.argv[1], 'w').write('(jump a1 b1 c1)')"
CASES = {
    "completed": ("XoXX", "dfs", 20.0, "SOLVED"),
    "completed by auto": ("XoXX", "auto", 20.0, "SOLVED"),
    "refuted": ("XoX", "auto", 20.0, "INFEASIBLE"),
    "time": ("english:c3!", "fools", 1.0, "UNKNOWN TIME"),
    "time, auto": ("triangle28:a1->?", "auto", 0.2, None),
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
    registry.plugins.cache_clear()


def method_of(text: str, folder: Path) -> str:
    (folder / "lie.py").write_text(LIE)
    return f"planner:command={sys.executable} {folder / 'lie.py'} {{plan}}" if text == "LIE" else text


def here(problem: str, method: str, seconds: float) -> Result:
    question = pegcp.problem(problem)
    try:
        answer = choose(method).run(question, Run(Limits(time=seconds)))
    except pegcp.Missing as error:
        answer = Answer(Status.UNKNOWN, Reason.MISSING, message=str(error))
    return checked(question, method, answer)


@pytest.mark.parametrize("case", CASES)
def test_the_verdict_is_that_of_the_method_in_this_process(case: str, tmp_path: Path) -> None:
    problem, text, seconds, verdict = CASES[case]
    method = method_of(text, tmp_path)
    inside, outside = here(problem, method, seconds), solve(problem, method, time_limit=seconds)
    assert (inside.status, inside.reason) == (outside.status, outside.reason), outside.message
    assert verdict in (None, outside.verdict)


def test_a_planner_that_lies_is_told_as_wrong_through_the_runner(tmp_path: Path) -> None:
    result = solve("XoXX", method_of("LIE", tmp_path))
    assert "the planner's plan is invalid" in result.message
    assert disagreements([result])


def test_an_interrupted_run_is_interrupted() -> None:
    stop = threading.Event()
    stop.set()
    assert run(tasks(["XoXX"], ["auto"])[0], stop=stop).reason is Reason.INTERRUPTED


def test_the_best_solution_survives_the_limit_of_memory() -> None:
    result = solve("XXo", "rogue:does=report-and-eat", memory_limit=300)
    assert (result.verdict, len(result.jumps or ())) == ("SOLVED MEMORY", 1)


@pytest.mark.thorough
@pytest.mark.parametrize("seed", range(3))
def test_a_beam_keeps_its_solution_at_the_limit_of_memory(seed: int) -> None:
    problem = pegcp.problem("english", objective="fewest-moves")
    result = solve(problem, "beam", memory_limit=110, time_limit=60, seed=seed)
    assert result.verdict == "SOLVED MEMORY"
    assert result.objective
