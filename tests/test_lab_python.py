"""What the page "Models here" asks of pegcp, without a browser: the same functions, and a solver that is played."""

from __future__ import annotations

import asyncio
import json
import runpy
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from asking import answer
from parts import need

import pegcp
from pegcp.errors import InputError

FOLDER = Path(__file__).parent.parent / "docs" / "lab"
sys.path.insert(0, str(FOLDER))  # as in the page, where lab.py and planner.py lie side by side
try:
    LAB = runpy.run_path(str(FOLDER / "lab.py"))
finally:
    sys.path.remove(str(FOLDER))
CENTRAL = "triangle10:a2->b2"


async def refuses(_files: Mapping[str, str], _seconds: float) -> tuple[str, int]:
    """A solver that finds no solution, whatever it is asked."""
    return "s UNSATISFIABLE", 20


def solve(text: str, method: str, edited: str | None = None, execute: Any = None) -> dict[str, Any]:
    """Solve and judge; the row of the table."""
    answer = asyncio.run(LAB["solve"](text, method, edited, 20.0, execute))
    (row,) = LAB["judge"](text, method, method, answer)["rows"]
    assert isinstance(row, dict)
    return row


@pytest.fixture(autouse=True)
def _no_results() -> None:
    LAB["about"]("XoXX")


def test_a_search_is_replayed_and_its_jumps_are_numbers_of_holes() -> None:
    row = solve("XoXX", "dfs-plain")
    assert (row["verdict"], row["evidence"], len(row["jumps"]), row["moves"]) == (
        "SOLVED",
        "replayed",
        2,
        ["d1-b1", "a1-c1"],
    )


def test_a_program_that_refutes_every_horizon_settles_the_problem() -> None:
    row = solve("XXoXX", "sat-rounds", execute=refuses)
    assert (row["verdict"], row["evidence"]) == ("INFEASIBLE", "claimed")


def test_an_answer_with_a_jump_that_is_not_possible_is_refused() -> None:
    answer = json.loads(asyncio.run(LAB["solve"]("XoXX", "dfs-plain", None, 20.0, None)))
    answer["jumps"].reverse()
    (row,) = LAB["judge"]("XoXX", "row", "dfs-plain", json.dumps(answer))["rows"]
    assert row["verdict"] == "UNKNOWN INVALID_SOLUTION"
    assert "jump 1" in row["message"]


def test_a_changed_model_is_the_one_that_is_compiled() -> None:
    shipped = LAB["source"]("asp-rounds")
    files = LAB["compiled"]("XoXX", "asp-rounds", shipped.replace("#show made/2.", "#show made/2. extra."))
    assert "extra." in "".join(files.values())


@pytest.mark.parametrize("method", LAB["MODELS"])
def test_every_model_of_the_page_has_a_source_and_files(method: str) -> None:
    text = "triangle6:a1!" if "fools" in method else "XoXX"
    assert len(LAB["source"](method, text)) > 200
    assert all(LAB["compiled"](text, method, None).values())


def test_a_click_on_a_hole_changes_the_start_alone() -> None:
    problem = pegcp.problem("english:c1->d4")
    changed = LAB["read"](LAB["with_pegs"]("english:c1->d4", [0, 1]))
    assert (changed.start.mask, changed.goal, changed.board) == (3, problem.goal, problem.board)


def test_a_certificate_is_drawn_where_it_has_a_picture() -> None:
    assert LAB["about"]("english:c1->e5")["picture"].startswith("<svg")
    assert LAB["about"]("english")["picture"] is None


def test_each_change_of_a_python_model_is_run() -> None:
    """A change, another one, and the file as it ships."""
    shipped = LAB["source"]("moves")
    wrong = 'raise ValueError("{}")\n\n\ndef build('
    for word in ("first", "second"):
        with pytest.raises(ValueError, match=word):
            asyncio.run(LAB["solve"]("XoXX", "moves", shipped.replace("def build(", wrong.format(word)), 20.0, None))
    assert solve("XoXX", "moves", shipped)["verdict"] == "SOLVED"


def clingo(files: Mapping[str, str], seconds: float) -> tuple[str, int]:
    """The program clingo, as a program of the page."""
    command = [sys.executable, "-m", "clingo", "1", f"--time-limit={seconds + 1:.0f}"]
    run = subprocess.run(
        command, input="\n".join(files.values()), capture_output=True, text=True, timeout=60, check=False
    )
    return run.stdout + run.stderr, int("ERROR" in run.stderr)


def minizinc(files: Mapping[str, str], _seconds: float) -> tuple[str, int]:
    """The program MiniZinc, as a program of the page."""
    command = ["minizinc", "--output-mode", "dzn", "-"]
    run = subprocess.run(
        command, input="\n".join(files.values()), capture_output=True, text=True, timeout=60, check=False
    )
    return run.stdout + run.stderr, run.returncode


@pytest.mark.long
@pytest.mark.parametrize(
    ("method", "old", "new", "named"),
    [
        ("sat-rounds", "model.add(after, -x, made[i])", "model.add(after, x, made[i])", "model.add(after, x, made[i])"),
        ("asp-rounds", "final_peg(H), not peg(t,H)", "final_peg(H), peg(t,H)", "final_peg(H), peg(t,H)"),
        ("mzn-moves", "(bState[0, h] = (h in start))", "(bState[0, h] != (h in start))", "!= (h in start)"),
        ("pddl", "(vacant ?to))\n    :effect", "(peg ?to))\n    :effect", "(peg ?to))"),
    ],
)
def test_why_names_the_changed_line_in_each_language(method: str, old: str, new: str, named: str) -> None:
    """The programs of the page take the place of backends that are not installed."""
    program = {"asp": clingo, "mzn": minizinc}.get(method[:3])
    if program:
        need(program.__name__)
    text = "XoXX" if method == "mzn-moves" else CENTRAL
    jumps = answer(pegcp.problem(text), "dfs").jumps
    shipped = LAB["source"](method, text)
    assert old in shipped
    why = LAB["why"](text, method, shipped.replace(old, new), [list(jump) for jump in jumps or ()], 60.0, program)
    assert why["kind"] == "excludes", why["says"]
    assert any(named in line["text"] for line in why["lines"])


@pytest.mark.thorough
def test_why_names_the_rule_that_no_line_says() -> None:
    need("clingo")
    changed = LAB["source"]("asp-rounds").replace("before(t,J,O), not before(t,J,D)", "not before(t,J,D)")
    why = LAB["why"](CENTRAL, "asp-rounds", changed, None, 60.0, clingo)
    assert (why["kind"], why["rule"]) == ("accepts", 3)


def judged(row: str, method: str, answer: dict[str, Any], text: str = CENTRAL) -> dict[str, Any]:
    plain: dict[str, Any] = {"reason": "COMPLETED", "message": "", "certificate": None, "jumps": None, "statistics": {}}
    result: dict[str, Any] = LAB["judge"](text, row, method, json.dumps({**plain, **answer}), f"the row {row}")
    return result


def test_a_row_that_denies_a_solution_is_wrong_and_gets_it() -> None:
    LAB["about"](CENTRAL)
    judged("one", "asp-rounds", {"status": "INFEASIBLE"})
    problem = pegcp.problem(CENTRAL)
    jumps = answer(problem, "dfs").jumps or ()
    names = [problem.board.jump_names(jump) for jump in jumps]
    (wrong,) = judged("two", "sat-rounds", {"status": "SOLVED", "jumps": names})["wrong"]
    assert (wrong["row"], wrong["jumps"]) == ("one", [list(jump) for jump in jumps])
    assert "the row two has one" in wrong["says"]
    LAB["forget"]()
    assert judged("one", "asp-rounds", {"status": "INFEASIBLE"})["wrong"] == []


def test_a_row_that_calls_too_much_the_least_is_wrong() -> None:
    text = "triangle10:a2!"
    LAB["about"](text)
    for row, method, status in (("long", "pddl", "OPTIMAL"), ("short", "asp-fools", "SOLVED")):
        by = "pddl" if row == "long" else "sat-fools"
        data = json.loads(asyncio.run(LAB["solve"](text, by, None, 20.0, None)))
        answer = judged(row, method, {**data, "status": status}, text)
    assert [wrong["row"] for wrong in answer["wrong"]] == ["long"]


@pytest.mark.parametrize(
    "text", ["XoXX", "triangle10:a2!", CENTRAL, pytest.param("english:c3->?", marks=pytest.mark.slow)]
)
def test_the_planner_of_the_page_finds_plans_that_are_solutions(text: str) -> None:
    assert solve(text, "pddl")["verdict"] == "SOLVED"


def test_the_planner_tries_everything_before_it_says_that_there_is_no_plan() -> None:
    assert solve("XXoXX", "pddl")["verdict"] == "INFEASIBLE"


def test_a_wrong_domain_is_found_by_the_rules_of_the_game() -> None:
    changed = LAB["source"]("pddl", CENTRAL).replace("(peg ?over) (vacant", "(vacant")
    assert solve(CENTRAL, "pddl", changed)["verdict"] == "UNKNOWN INVALID_SOLUTION"
    changed = LAB["source"]("pddl", CENTRAL).replace("(:action jump", "(:action jump foo")
    with pytest.raises(InputError) as error:
        solve(CENTRAL, "pddl", changed)
    told = LAB["explained"](error.value)
    assert "foo is not supported" in told["message"]
    assert told["line"] == 1 + changed[: changed.index("(:action jump")].count("\n")


def error_of(method: str, old: str, new: str, execute: Any = None) -> dict[str, Any]:
    """What the page says of a change that cannot be run, and the line of the change."""
    changed = LAB["source"](method.partition(":")[0]).replace(old, new)
    with pytest.raises(Exception) as error:  # noqa: PT011 - whatever a model file raises
        solve(CENTRAL, method, changed, execute)
    told: dict[str, Any] = LAB["explained"](error.value)
    assert "/tmp" not in told["message"]
    assert "\n" not in told["message"]
    return {**told, "at": 1 + changed[: changed.index(new)].count("\n")}


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("def build(", "def build((", "syntax"),
        ("model = Clauses()", "model = Klauses()", "Klauses"),
        ("model = Clauses()", "model = 1 / 0", "ZeroDivisionError"),
        ('GOALS = ("exact",', 'GOALS = ("exat",', "exat"),
    ],
)
def test_an_error_of_a_python_model_has_its_line_and_no_path(old: str, new: str, words: str) -> None:
    told = error_of("sat-rounds", old, new)
    assert words.lower() in told["message"].lower()
    assert told["line"] == told["at"]


def test_an_error_of_rules_has_the_line_of_the_model_also_where_steps_are_repeated() -> None:
    need("clingo")

    async def execute(files: Mapping[str, str], seconds: float) -> tuple[str, int]:
        return clingo(files, seconds)

    told = error_of("asp-rounds", ":- query(t), one_peg", ":- query(t) one_peg", execute)
    assert "syntax error" in told["message"]
    assert told["line"] == told["at"]


def test_an_error_of_z3_is_one_line() -> None:
    need("z3")
    told = error_of("smt-sweep:z3", "(bvand p m) m)", "(bvand p mm) m)")
    assert "unknown constant mm" in told["message"]


def test_no_advice_is_for_a_command_line_that_is_not_there() -> None:
    row = solve("triangle10:a2!", "sat-rounds")
    assert row["verdict"] == "UNKNOWN UNSUPPORTED"
    assert "-m" not in row["message"]
    with pytest.raises(InputError) as error:
        LAB["about"]("engish")
    assert LAB["explained"](error.value)["message"].startswith('unknown board "engish" (did you mean "english"?); try ')
