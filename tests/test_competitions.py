"""Files of the planning competitions: read, solved, and their plans read back and checked."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from asking import answer, said
from competition import ENGLISH, Cell, army_file, competition_file
from hypothesis import given
from hypothesis import strategies as st
from parts import need

import pegcp
from pegcp.errors import InputError, InvalidSolution
from pegcp.formats import pddl
from pegcp.game import Exact, Nearest, Objective, Partial, replay_solution
from pegcp.method import Status

DATA = Path(__file__).parent / "data"

# A cross of nine pegs round the middle, which ends there; and what the holes of the English board weigh in the track.
CROSS: set[Cell] = {(1, 3), (2, 3), (3, 1), (3, 2), (3, 3), (3, 4), (3, 5), (4, 3), (5, 3)}
WEIGHTS = {(r, c): 1 + (3 - abs(r - 3)) * (3 - abs(c - 3)) for r, c in ENGLISH}
LINE = [(0, c) for c in range(6)]


def written(tmp_path: Path, text: str) -> pegcp.Problem:
    path = tmp_path / "p01.pddl"
    path.write_text(text, encoding="utf-8")
    return pegcp.problem(str(path))


def test_files_of_the_unsolvability_competition_have_a_plain_goal(tmp_path: Path) -> None:
    problem = written(tmp_path, competition_file(CROSS, (3, 3), kind="netbenefit"))
    assert (problem.goal, problem.objective) == (Exact(1 << problem.board.hole("d4")), Objective.ANY)
    assert answer(problem, "bfs").status is Status.SOLVED
    unsolvable = written(tmp_path, competition_file(CROSS, (3, 4), kind="netbenefit"))
    assert answer(unsolvable, "certificate").certificate is not None


def test_preferences_are_a_soft_goal(tmp_path: Path) -> None:
    problem = written(tmp_path, competition_file(CROSS, (3, 4), kind="netbenefit", weights=WEIGHTS))
    board = problem.board
    assert isinstance(problem.goal, Nearest)
    assert board.names(problem.goal.pegs) == ["e4"]
    assert dict(zip(board.cells or (), problem.goal.weights, strict=True)) == WEIGHTS
    assert problem.objective is Objective.NEAREST
    result = answer(problem, "bfs")
    assert (result.status, result.bound) == (Status.OPTIMAL, result.objective)
    assert result.replay is not None
    assert result.replay.positions[-1].pegs in (["b4", "e4"], ["e4", "f4"])  # e4 alone is in another class
    assert result.objective == WEIGHTS[3, 1]


@pytest.mark.parametrize(
    "metric",
    [
        "(:metric minimize (+ (* 3 (is-violated g0)) (is-violated g1)))",
        "(:metric maximize (- 100 (+ (* (is-violated g0) 3.0) (+ (* (is-violated g1) 1)))))",
    ],
)
def test_the_metric_of_preferences_in_several_spellings(metric: str) -> None:
    weights = dict.fromkeys(LINE, 1)
    text = competition_file({(0, 0), (0, 1)}, (0, 0), kind="netbenefit", cells=LINE, weights=weights)
    head, _, _ = text.partition("(:metric")
    goal = pddl.read_problem(head + metric + ")", "p.pddl").goal
    assert goal == Nearest(1, (3, 1, 0, 0, 0, 0))


@pytest.mark.thorough
def test_temporal_files_ask_for_the_fewest_steps(tmp_path: Path) -> None:
    problem = written(tmp_path, competition_file(CROSS, (3, 3), kind="temporal"))
    assert problem.objective is Objective.FEWEST_STEPS
    result = answer(problem, "parallel")
    assert (result.status, result.objective, result.bound) == (Status.OPTIMAL, 7, 7)
    assert written(tmp_path, competition_file(CROSS, (3, 3), False, "temporal")).objective is Objective.ANY


PLAN = """0.000: (jump pos-0-0 pos-0-1 pos-0-2) [1.000]
0.000: (jump pos-0-5 pos-0-4 pos-0-3) [1.000]
1.001: (jump pos-0-3 pos-0-2 pos-0-1) [1.000]
"""


def row() -> pegcp.Problem:
    pegs = {(0, 0), (0, 1), (0, 4), (0, 5)}
    text = competition_file(pegs, (0, 1), kind="temporal", cells=LINE)
    return pddl.read_problem(text, "p01.pddl")


def test_temporal_plans_are_read_and_checked() -> None:
    problem = row()
    assert replay_solution(problem, pddl.read_plan(problem, PLAN)).value == 2
    late_first = "\n".join(reversed(PLAN.splitlines()))
    assert replay_solution(problem, pddl.read_plan(problem, late_first)).value == 2
    shouting = PLAN.upper().replace("[1.000]", "[1.0000])")
    assert replay_solution(problem, pddl.read_plan(problem, shouting)).value == 2
    with pytest.raises(InvalidSolution, match=r"step 3 .* begins while step 2 .* is using d1") as caught:
        pddl.read_plan(problem, PLAN.replace("1.001", "0.600"))
    assert caught.value.step == 3
    # A plan of a sequential planner has no times to check.
    assert len(pddl.read_plan(problem, PLAN.replace("[1.000]", "").replace("1.001", "0.500"))) == 3


@pytest.mark.thorough
@pytest.mark.parametrize("name", ["satprob01", pytest.param("satprob05", marks=pytest.mark.slow)])
def test_armies_that_reach_row_four(name: str, tmp_path: Path) -> None:
    army = next(a for a in json.loads((DATA / "row5_army.json").read_text("utf-8")) if a["name"] == name)
    width, height = army["cells"]["rect"]
    problem = written(tmp_path, army_file(width, height, army["pegs"], army["goal_pegs"]))
    assert answer(problem, "beam").status is Status.SOLVED


WEIGHED = competition_file({(0, 0), (0, 1)}, (0, 0), kind="netbenefit", cells=LINE, weights=dict.fromkeys(LINE, 1))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda t: t.replace("(:init", "(:init (= (stepped-on pos-0-0) 0)"), "stepped-on"),
        (lambda t: t.replace("netbenefit)", "temporal)").partition("(:metric")[0] + ")", "metric"),
        (lambda t: t.partition("(:metric")[0] + ")", "metric"),
        (lambda t: t.replace("(preference g2 ", "(preference g1 "), "a second preference"),
        (lambda t: t.replace("(preference g2 (free pos-0-2))", "(free pos-0-2)"), "preference"),
        (lambda t: t.replace("(free pos-0-2))", "(free pos-0-2) x)"), "preference"),
        (lambda t: t.replace("(free pos-0-2))", "(in-line pos-0-0 pos-0-1 pos-0-2))"), "in-line"),
        (lambda t: t.replace("(is-violated g2)", "(is-violated g9)"), 'no preference "g9"'),
        (lambda t: t.replace("(is-violated g2)", "(is-violated g1)"), "second weight"),
        (lambda t: t.replace("(is-violated g2) 1)", "(is-violated g2) -1)"), '"-1"'),
        (lambda t: t.replace("(is-violated g2) 1)", "(is-violated g2) 10000000)"), "1,000,000"),
        (lambda t: t.replace("(* (is-violated g2) 1)", "(total-cost)"), "in the metric"),
        (lambda t: t.replace("maximize", "minimize"), "in the metric"),
        (lambda t: t.replace("maximize (-", "maximize (+"), "the metric must be"),
    ],
)  # fmt: skip
def test_what_is_not_understood_in_a_soft_goal_is_named(change: Callable[[str], str], message: str) -> None:
    with pytest.raises(InputError, match=message) as caught:
        pddl.read_problem(change(WEIGHED), "bad.pddl")
    assert (caught.value.source, caught.value.line is not None) == ("bad.pddl", True)


@given(st.data())
def test_a_file_cut_or_changed_gives_a_problem_or_one_error(data: st.DataObject) -> None:
    text = data.draw(st.sampled_from((WEIGHED, competition_file({(0, 1)}, (0, 1), kind="temporal", cells=LINE))))
    words = text.replace("(", " ( ").replace(")", " ) ").split()
    for _ in range(data.draw(st.integers(1, 3))):
        place, other = (data.draw(st.integers(0, len(words) - 1)) for _ in range(2))
        words[place] = data.draw(st.sampled_from(("", "(", ")", "0", "and", words[other])))
    try:
        pddl.read_problem(" ".join(words), "changed.pddl")
    except InputError as caught:
        located = caught.line is not None
        assert located


# --- the new objectives in pegcp's own domains


@pytest.mark.parametrize(
    "problem",
    [
        pegcp.problem("triangle15:a1", objective="nearest"),
        pegcp.problem("triangle15:a1", objective="fewest-pegs"),
        pegcp.problem("triangle15:a1", objective="fewest-pegs", goal="-a1 *"),
        pegcp.problem("triangle15:a2->?", objective="fewest-steps"),
        pegcp.problem("triangle15:a2->b2", objective="fewest-steps"),
        pegcp.problem("triangle15:a2", objective="fewest-jumps", goal="a2 *"),
    ],
    ids=lambda problem: problem.name,
)
def test_new_objectives_are_written_and_read_back(problem: pegcp.Problem) -> None:
    files = pddl.export(problem)
    assert pddl.read_problem(files["problem.pddl"]) == problem


@pytest.mark.thorough
@pytest.mark.parametrize("method", ["fast-downward-opt", pytest.param("symk", marks=pytest.mark.slow)])
@pytest.mark.parametrize("changes", [{"objective": "nearest"}, {"objective": "fewest-pegs"}])
@pytest.mark.usefixtures("own_folder")
def test_optimal_planners_end_as_near_as_a_search(method: str, changes: dict[str, str]) -> None:
    need(method)
    problem = pegcp.problem("triangle10:a1", **changes)
    one, other = answer(problem, method), answer(problem, "bfs")
    assert (one.status, one.objective) == (Status.OPTIMAL, other.objective)


@pytest.mark.slow
@pytest.mark.usefixtures("own_folder")
def test_a_temporal_planner() -> None:
    need("tamer")
    result = answer(row(), "tamer", 100)
    assert (result.status, result.objective) == (Status.SOLVED, 2)


SETTLED = """(jump d1 c1 b1)
(stop)
(vacant-as-wanted a1 b1)
(peg-as-wanted b1 c1)
(vacant-as-wanted c1 d1)
"""


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (SETTLED + "(vacant-as-wanted d1 a1)", None),
        (SETTLED, "settled d1"),
        (SETTLED + "(peg-too-many d1 a1)", "step 6 .*peg d1"),
        (SETTLED + "(vacant-as-wanted a1 b1)", "step 6 .*turn a1"),
        (SETTLED + "(vacant-as-wanted d1 a1)\n(jump b1 c1 d1)", "step 7 .*playing"),
        ("(vacant-as-wanted a1 b1)", "step 1 .*stopped"),
    ],
)
def test_settling_is_checked(text: str, message: str | None) -> None:
    problem = pegcp.problem("XXoo", start="c1 d1", goal="near b1")
    if message is None:
        assert replay_solution(problem, pddl.read_plan(problem, text)).value == 0
        return
    with pytest.raises(InvalidSolution, match=message):
        pddl.read_plan(problem, text)


def test_partial_goals_stay_hard_when_pegs_are_counted() -> None:
    problem = pegcp.problem("triangle10:a1", objective="fewest-pegs", goal="-a1 *")
    assert problem.goal == Partial(0, 1)
    result = answer(problem, "bfs")
    assert result.objective == 3
    assert result.replay is not None
    assert "a1" not in result.replay.positions[-1].pegs


@pytest.mark.long
@pytest.mark.parametrize("method", ["rounds", "ip-rounds:cp-sat-mathopt"])
def test_models_end_as_near_as_a_search(method: str) -> None:
    for problem in (
        pegcp.problem("XXoXX", objective="fewest-pegs"),
        pegcp.problem("triangle6:a1", objective="nearest"),
        pegcp.problem("cycle6:0", goal="near 1 3", objective="nearest"),
    ):
        one, other = answer(problem, method), answer(problem, "bfs")
        assert (one.status, one.objective, one.bound) == (Status.OPTIMAL, other.objective, other.objective)


@pytest.mark.long
def test_jump_counts_bound_what_can_be_reached_on_large_boards() -> None:
    """e5 alone is in another position class than the start; two more pegs are not."""
    result = answer(pegcp.problem("english:c1->e5", objective="nearest"), "rounds")
    assert (result.status, result.objective, result.bound) == (Status.OPTIMAL, 2, 2)


def test_what_is_stopped_keeps_its_solution_and_its_bound() -> None:
    problem = pegcp.problem("triangle10:a1", objective="nearest")
    result = answer(problem, "rounds:horizon=1")
    assert result.status is Status.SOLVED
    assert result.bound is not None
    assert result.objective is not None
    assert result.bound <= 2 < result.objective


@pytest.mark.slow
def test_the_central_game_takes_thirteen_steps() -> None:
    result = answer(pegcp.problem("english", objective="fewest-steps"), "parallel", 300)
    assert (result.status, result.objective, result.bound) == (Status.OPTIMAL, 13, 13)


# --- under their names


@pytest.mark.parametrize(
    ("name", "changes"),
    [
        ("english", {"objective": "fewest-moves"}),
        ("english", {"objective": "fewest-steps", "goal": "d1 -d7 *"}),
        ("english:c1->e5", {}),
        ("french:c1->d4", {"objective": "fewest-steps"}),
        ("triangle15:a1->a1", {"objective": "fewest-moves"}),
        ("hexagon19:a1->a1", {}),
        ("cycle8:0->1", {"objective": "fewest-moves"}),
    ],
)
def test_problems_under_the_names_of_the_competitions_read_back(name: str, changes: dict[str, str]) -> None:
    problem = pegcp.problem(name, **changes)
    files = pddl.export(problem, domain="competition")
    assert "(in-line " in files["problem.pddl"]
    assert "pegsolitaire-" in files["domain.pddl"]
    back = pddl.read_problem(files["problem.pddl"])
    assert back.fingerprint == problem.fingerprint
    if problem.board.cells is not None:
        assert "pos-0-" in files["problem.pddl"]


@pytest.mark.parametrize("changes", [{}, {"goal": "near d4"}])
def test_what_the_competitions_cannot_say_is_refused(changes: dict[str, str]) -> None:
    with pytest.raises(InputError, match="competition"):
        pddl.export(pegcp.problem("english:d4->?", **changes), domain="competition")


def test_a_cost_is_what_the_file_counts() -> None:
    """A sweep of two jumps as two moves; and what is left of the weight of all holes."""
    task = pddl.read_task(competition_file({(0, 0), (0, 1), (0, 3)}, (0, 4), cells=LINE))
    jumps = [
        f"(jump-new-move {a} {b} {c})"
        for a, b, c in (["pos-0-0", "pos-0-1", "pos-0-2"], ["pos-0-2", "pos-0-3", "pos-0-4"])
    ]
    assert pddl.metric_value(task, "\n".join([jumps[0], "(end-move pos-0-2)", jumps[1]])) == 2
    plan = "\n".join(jumps).replace("-new-move", "")
    with pytest.raises(InvalidSolution, match="step 1"):
        pddl.metric_value(task, plan)
    weights = dict.fromkeys(LINE, 3)
    soft = competition_file({(0, 0), (0, 1), (0, 3)}, (0, 5), kind="netbenefit", cells=LINE, weights=weights)
    assert pddl.metric_value(pddl.read_task(soft), plan) == -3


@pytest.mark.usefixtures("own_folder")
def test_a_solution_is_handed_to_planning_tools() -> None:
    assert said("solve", "XXoX", "-m", "dfs", "-o", "plan.soln")[3] == 0
    assert Path("plan.soln").read_text("utf-8").startswith("(jump ")
    assert said("solve", "XXoX", "--objective", "count", "-o", "count.soln")[3] == 2


def test_an_empty_goal_asks_for_nothing() -> None:
    text = competition_file({(0, 0)}, (0, 0), kind="netbenefit", cells=LINE)
    head, _, _ = text.partition("(:goal")
    assert pddl.read_problem(f"{head}(:goal ()))").goal == Partial(0)
