"""Models in answer-set rules: their headers, answers, counts, limits, exports."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from parts import need, share

import pegcp
from pegcp import backends
from pegcp.catalogue.choice import choose
from pegcp.catalogue.exporting import export
from pegcp.catalogue.methods import bundled
from pegcp.catalogue.modelfile import ModelMethod, file_method
from pegcp.errors import InputError
from pegcp.game import Objective, Problem
from pegcp.method import Answer, Limits, Reason, Run, Status
from pegcp.results.judge import judge_answer
from pegcp.results.result import Result

RULES = '%* Mine. *%\n% STEPS = "1..3, most"\n#program base.\n'


def setup_module() -> None:
    need("clingo")


def told(problem: Problem, method: str, seconds: float = 60) -> Answer:
    return choose(method).run(problem, Run(Limits(time=seconds, workers=1)))


def answer(problem: Problem, method: str, seconds: float = 60) -> Result:
    return judge_answer(problem, method, told(problem, method, seconds))


@pytest.mark.thorough
@pytest.mark.parametrize("hole", ["c1", pytest.param("d3", marks=pytest.mark.slow)])
def test_english_reversals(hole: str) -> None:
    assert answer(pegcp.problem(f"english:{hole}"), "asp-rounds").status is Status.SOLVED


@pytest.mark.parametrize(
    ("name", "jumps"), [("english:d1!", 6), ("english:d4!", 6), ("triangle15:a3!", 7), ("triangle15:b3!", 4)]
)
def test_fools_solitaire(name: str, jumps: int) -> None:
    result = answer(pegcp.problem(name), "asp-fools")
    assert (result.status, result.objective, result.bound) == (Status.OPTIMAL, jumps, jumps)


def test_the_first_jump_is_a_leader_in_the_order_of_the_jumps() -> None:
    """Two equal lines, drawn so that the order of the jumps, outermost first, is not that of the names of the holes."""
    problem = pegcp.problem(
        'lines = [["a","b","c"], ["d","e","f"]]\nstart = ["a","b","d","e"]\ngoal = "dead end"\n'
        "coordinates = {a = [0, 0], b = [1, 0], c = [0, 1], d = [9, 9], e = [8, 0], f = [0, 8]}\n"
    )
    assert answer(problem, "asp-fools").objective == 2


def test_a_header_gives_parameters_of_the_solver(tmp_path: Path) -> None:
    file = tmp_path / "mine.lp"
    file.write_text(
        RULES.replace("#program", "% PARAMETERS = {'configuration': 'crafty', 'restarts': 'no'}\n#program", 1)
    )
    assert file_method(file).parameters == {"configuration": "crafty", "restarts": "no"}


@pytest.mark.thorough
@share(8, 60)
def test_counts_are_those_of_moves(seeds: range, random_problem: Callable[[int], Problem]) -> None:
    counts = set()
    for seed in seeds:
        problem = replace(random_problem(seed), objective=Objective.COUNT)
        if not choose("asp-rounds").method.refusal(problem):
            result, other = answer(problem, "asp-rounds"), answer(problem, "moves")
            assert (result.status, result.objective) == (other.status, other.objective), problem.text
            counts.add(result.objective)
    assert len(counts) > 2


@pytest.mark.long
def test_a_count_that_is_stopped() -> None:
    for seconds in (0.7, 10):  # a busy machine has not begun after less
        found = told(pegcp.problem("triangle15:a1->?", objective="count"), "asp-rounds", seconds)
        if found.status.has_solution:
            break
    assert (found.status, found.reason) == (Status.SOLVED, Reason.TIME)
    assert "there may be more" in found.message


@pytest.mark.thorough
def test_time_limit_gives_the_bound() -> None:
    for seconds in (0.5, 10):  # a busy machine has not begun after less
        result = answer(pegcp.problem("english:c2!"), "asp-fools", seconds)
        if result.bound is not None and result.bound > 3:
            break
    assert (result.status, result.reason) == (Status.UNKNOWN, Reason.TIME)
    assert result.bound is not None
    assert 4 <= result.bound <= 13


@pytest.mark.parametrize(
    ("method", "name", "steps"),
    [("asp-rounds", "triangle15:a1->?", 4), ("asp-fools", "triangle15:b3!", 4), ("asp-rounds", "XXo", 1)],
)
def test_the_exported_rules_run_as_clingo_runs_them(method: str, name: str, steps: int, tmp_path: Path) -> None:
    """Step by step, as clingo's own program does it when it reads ``#include <incmode>``."""
    import clingo

    file = tmp_path / "model.lp"
    file.write_text(export(pegcp.problem(name), method)["model.lp"], encoding="utf-8")
    control = clingo.Control(logger=lambda *_: None)
    control.load(str(file))
    control.ground([("base", [])])
    found: list[str] = []
    t = -1
    while not found and t < steps:
        t += 1
        number = [clingo.Number(t)]
        control.ground([("step", number), ("check", number)] if t else [("check", number)])
        control.assign_external(clingo.Function("query", number), True)
        control.solve(on_model=lambda model: found.extend(map(str, model.symbols(shown=True))))
        control.release_external(clingo.Function("query", number))
    assert t == steps
    assert found


@pytest.mark.parametrize(
    ("method", "name", "solvable"),
    [
        ("asp-rounds:horizon=4", "triangle15:a1->?", True),
        ("asp-rounds:horizon=3", "triangle15:a1->?", False),
        ("asp-fools:horizon=4", "triangle15:b3!", True),
        ("asp-fools:horizon=3", "triangle15:b3!", False),
    ],
)
def test_the_rules_for_one_horizon_need_no_parts(method: str, name: str, solvable: bool) -> None:
    import clingo

    control = clingo.Control(logger=lambda *_: None)
    control.add("base", [], export(pegcp.problem(name), method)["model.lp"])
    control.ground([("base", [])])
    assert control.solve().satisfiable is solvable


def header(tmp_path: Path, text: str) -> None:
    path = tmp_path / "mine.lp"
    path.write_text(text, encoding="utf-8")
    file_method(path)


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ('% STEPS = "1"\n% BACKENDS = ("clingoo",)\n', 2, 'did you mean "clingo"'),
        ('% STEPS = "1"\n% BACKENDS = ("scip",)\n% OBJECTIVES = ("any", "count")\n', 3, "scip cannot count solutions"),
        ('% STEPS = "1"\n% GOALS = ("onepeg",)\n', 2, 'did you mean "one-peg"'),
        ('% STEPS = "1"\n% HORIZON = "fewest_jumps"\n', 2, 'did you mean "fewest-jumps"'),
        ('% STEPS = "1"\n% OBJECTIVES = ()\n', 2, "tuple of names"),
        ('% STEPS = "1"\n% OBJECTIVES = any\n', 2, "literal"),
        ('% STEPS = "1"\n% GOALS = (\n', 2, "not valid"),
        ('% GOAL = ("one-peg",)\n', 1, "did you mean GOALS"),
        ('% STEPS = "some"\n', 1, "2..10, most"),
        ("made(1,1).\n", None, "2..10, most"),
    ],
)
def test_a_slip_in_a_header_is_an_error_with_its_line(
    tmp_path: Path, text: str, line: int | None, message: str
) -> None:
    with pytest.raises(InputError) as caught:
        header(tmp_path, text)
    assert message in str(caught.value)
    assert caught.value.line == line


def test_your_own_rules(tmp_path: Path) -> None:
    path = bundled()["asp-rounds"].path
    assert path is not None
    mine = tmp_path / "mine.lp"
    mine.write_text(path.read_text("utf-8").replace('STEPS = "rounds"', 'STEPS = "5, most"'), encoding="utf-8")
    result = answer(pegcp.problem("triangle10:a2->?"), str(mine))
    assert (result.status, result.statistics["horizon"]) == (Status.SOLVED, 5)
    mine.write_text(RULES + "this is no rule\n", encoding="utf-8")
    with pytest.raises(InputError, match="syntax error"):
        told(pegcp.problem("XXo"), str(mine))


def test_a_program_for_no_step_has_no_step() -> None:
    """Where the start satisfies the goal; a program that is started by its command line gets it."""
    problem = pegcp.problem("Xoo")
    method = choose("asp-rounds").method
    assert isinstance(method, ModelMethod)
    formulation = method.load().build(problem, 0, {})
    files = backends.backend("clingo").write(formulation, "asp")
    assert "query(0)." in files["model.lp"]
    assert "#include <incmode>" not in files["model.lp"]
    assert "#include <incmode>" in backends.backend("clingo").write(formulation, "asp", rising=True)["model.lp"]
