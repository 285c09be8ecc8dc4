"""Problems as tasks of unified-planning: solved by its engines, validated by it, and the plans read back."""

from __future__ import annotations

from fractions import Fraction
from importlib import import_module
from typing import Any

import pytest
from asking import run_examples
from parts import need

import pegcp
from pegcp.errors import InputError, InvalidSolution
from pegcp.formats import pddl
from pegcp.game import lines_board
from pegcp.library.lookup import read_compact

pytestmark = [pytest.mark.usefixtures("own_folder", "up"), pytest.mark.thorough]


@pytest.fixture
def up() -> Any:
    """Loading it takes seconds."""
    need("unified_planning")
    shortcuts: Any = import_module("unified_planning.shortcuts")
    shortcuts.get_environment().credits_stream = None
    return shortcuts


@pytest.fixture
def plans() -> Any:
    need("unified_planning")
    return import_module("unified_planning.plans")


CASES = [
    pytest.param("triangle10:a2->?", {}, "fast-downward", None, marks=pytest.mark.slow),
    ("triangle10:a2->b2", {}, "pyperplan", None),
    pytest.param("triangle15:b3!", {}, "fast-downward-opt", 4, marks=pytest.mark.slow),
    pytest.param("triangle10:a2->?", {"objective": "fewest-moves"}, "symk-opt", 5, marks=pytest.mark.slow),
    ("triangle10:a1", {"objective": "nearest"}, "symk-opt", 2),
    pytest.param("triangle10:a1", {"objective": "fewest-pegs"}, "fast-downward-opt", 3, marks=pytest.mark.slow),
    ("triangle10:a2", {"objective": "fewest-jumps", "goal": "a2 -a1 -b2 *"}, "fast-downward-opt", 3),
]


@pytest.mark.parametrize(("name", "changes", "engine", "value"), CASES, ids=str)
def test_engines_solve_what_pegcp_solves(
    name: str, changes: dict[str, str], engine: str, value: int | None, up: Any, plans: Any
) -> None:
    need(engine.removesuffix("-opt"))
    problem = pegcp.problem(name, **changes)
    task = pegcp.to_unified_planning(problem)
    with up.OneshotPlanner(name=engine) as planner:
        result = planner.solve(task)
    assert result.status.name == ("SOLVED_SATISFICING" if value is None else "SOLVED_OPTIMALLY")
    replay = pegcp.check(problem, pegcp.from_plan(problem, result.plan))
    assert replay.value == value
    if value is not None:
        assert pegcp.solve(problem).objective == value
    with up.PlanValidator(name="sequential_plan_validator") as validator:
        assert validator.validate(task, result.plan)
        shorter = plans.SequentialPlan(result.plan.actions[:-1])
        assert not validator.validate(task, shorter)


@pytest.mark.parametrize(
    ("problem", "domain"),
    [
        ("line4:b1->c1", "jumps"),
        ("XoXX", "last-peg"),
        ("triangle6:a1!", "fools"),
        ("line4:b1->c1", "fewest-moves"),
        pytest.param("triangle10:a2->?", "fewest-moves", marks=pytest.mark.slow),
    ],
)
def test_each_domain_there_and_back(problem: str, domain: str, up: Any) -> None:
    need("fast-downward", "pyperplan")
    task = pegcp.to_unified_planning(problem, domain)
    with up.OneshotPlanner(name="pyperplan" if domain != "fewest-moves" else "fast-downward") as planner:
        plan = planner.solve(task).plan
    assert pegcp.check(problem, pegcp.from_plan(problem, plan))


def test_the_examples_in_docstrings() -> None:
    run_examples(import_module("pegcp.api"), lambda text: "unified_planning" in text)


@pytest.mark.long
def test_an_anytime_planner(up: Any) -> None:
    need("enhsp")
    task = pegcp.to_unified_planning("triangle10:a2->?", "fewest-moves")
    with up.AnytimePlanner(name="enhsp-any") as planner:
        result = next(iter(planner.get_solutions(task, timeout=20)))
    assert len(pegcp.check("triangle10:a2->?", pegcp.from_plan("triangle10:a2->?", result.plan)).positions) == 9


def test_temporal_plans_come_back(up: Any, plans: Any) -> None:
    need("tamer")
    problem = pegcp.problem("triangle10:a2->?", objective="fewest-steps")
    task = pegcp.to_unified_planning(problem)
    with up.OneshotPlanner(name="tamer") as planner:
        planner.skip_checks = True
        plan = planner.solve(task).plan
    replay = pegcp.check(problem, pegcp.from_plan(problem, plan))
    assert replay.value == 6
    at_once = plans.TimeTriggeredPlan([(Fraction(0), step, duration) for _, step, duration in plan.timed_actions])
    with pytest.raises(InvalidSolution, match="begins while"):
        pegcp.from_plan(problem, at_once)


def test_partial_order_plans_come_back(plans: Any) -> None:
    problem = pegcp.problem("XXooXX", goal="c1 d1")
    task = pegcp.to_unified_planning(problem)
    objects = task.environment.expression_manager.ObjectExp
    steps = [
        plans.ActionInstance(task.action("jump"), tuple(objects(task.object(f"{c}1")) for c in names))
        for names in ("abc", "fed")
    ]
    jumps = pegcp.from_plan(problem, plans.PartialOrderPlan({steps[0]: [], steps[1]: []}))
    assert len(pegcp.check(problem, jumps).moves) == 2
    with pytest.raises(InputError, match="ContingentPlan"):
        pegcp.from_plan(problem, plans.ContingentPlan(None))


@pytest.mark.parametrize("domain", ["fewest-moves", "parallel"])
def test_a_task_without_a_metric_has_no_numbers(domain: str) -> None:
    kind = pegcp.to_unified_planning("triangle10:a2->b2", domain).kind
    assert not any("NUMERIC" in feature or "REAL" in feature for feature in kind.features)


@pytest.mark.parametrize(
    ("name", "changes", "metric"),
    [
        ("triangle10:a2->b2", {}, None),
        ("triangle10:a2!", {}, "MinimizeSequentialPlanLength"),
        ("line6:b1->e1", {"objective": "fewest-moves"}, "MinimizeActionCosts"),
        ("line6:b1->e1", {"objective": "fewest-steps"}, "MinimizeMakespan"),
        ("line6:b1->e1", {"objective": "nearest"}, "MinimizeActionCosts"),
    ],
)
def test_the_objective_is_a_metric(name: str, changes: dict[str, str], metric: str | None) -> None:
    task = pegcp.to_unified_planning(pegcp.problem(name, **changes))
    assert [type(found).__name__ for found in task.quality_metrics] == ([metric] if metric else [])


def test_a_plan_of_the_written_files_is_read_too(up: Any, plans: Any) -> None:
    """A task read from PDDL has one action with parameters for all jumps."""
    from unified_planning.io import PDDLReader

    problem = pegcp.problem("XoXX")
    files = pegcp.export(problem, "pddl")
    task = PDDLReader().parse_problem_string(files["domain.pddl"], files["problem.pddl"])
    holes = [up.ObjectExp(task.object(name)) for name in ("d1", "c1", "b1")]
    plan = plans.SequentialPlan([plans.ActionInstance(task.action("jump"), tuple(holes))])
    assert pegcp.from_plan(problem, plan) == pegcp.from_plan(problem, "(jump d1 c1 b1)")


def test_odd_names_are_kept() -> None:
    board = lines_board(["peg", "Peg", "jump", "a.b"], [("peg", "Peg", "jump"), ("Peg", "jump", "a.b")])
    task = pegcp.to_unified_planning(read_compact(board, "peg->?", "odd"))
    assert [item.name for item in task.all_objects] == ["peg-2", "peg-3", "jump-2", "a-b"]


def test_derived_predicates_are_refused() -> None:
    with pytest.raises(InputError, match="unified-planning"):
        pegcp.to_unified_planning(pegcp.problem("triangle15:b3!"), "derived")


def test_a_large_task_is_refused_before_unified_planning_lists_its_values(up: Any) -> None:
    task, hole = up.Problem("large"), up.UserType("hole")
    task.add_objects(up.Object(f"h{i}", hole) for i in range(500))
    task.add_fluent(up.Fluent("line", up.BoolType(), a=hole, over=hole, b=hole), default_initial_value=False)
    with pytest.raises(InputError, match="large is too large: its fluents have 125,000,000 values"):
        pegcp.from_unified_planning(task)


# --- pegcp as an engine


@pytest.fixture
def engine(up: Any) -> Any:
    factory = up.get_environment().factory
    if "pegcp" not in factory.engines:
        factory.add_engine("pegcp", "pegcp.planning_engine", "Pegcp")
    return lambda task, **how: up.OneshotPlanner(name="pegcp").solve(task, timeout=60, **how)


@pytest.mark.parametrize(
    ("name", "objective", "status"),
    [
        ("line6:c1!", None, "SOLVED_OPTIMALLY"),
        ("line6:b1->?", None, "SOLVED_SATISFICING"),
        ("line4:b1->c1", "fewest-steps", "SOLVED_OPTIMALLY"),
        ("XoXoX", None, "UNSOLVABLE_PROVEN"),
    ],
)
def test_pegcp_is_an_engine(name: str, objective: str | None, status: str, up: Any, engine: Any) -> None:
    task = pegcp.to_unified_planning(pegcp.problem(name, objective=objective))
    result = engine(task)
    assert result.status.name == status
    if result.plan is not None:
        with up.PlanValidator(problem_kind=task.kind, plan_kind=result.plan.kind) as validator:
            assert validator.validate(task, result.plan)


def other_names(objective: str) -> Any:
    """A task of a competition with some of its words changed."""
    from unified_planning.io import PDDLReader

    files = pddl.export(pegcp.problem("triangle10:a2->b2", objective=objective), domain="competition")
    text = [files[f"{part}.pddl"].replace("jump", "hop").replace("occupied", "taken") for part in ("domain", "problem")]
    return PDDLReader().parse_problem_string(*text)


def test_the_engine_takes_single_jumps_of_other_names(up: Any, engine: Any) -> None:
    task = other_names("any")
    result = engine(task)
    with up.PlanValidator(problem_kind=task.kind, plan_kind=result.plan.kind) as validator:
        assert validator.validate(task, result.plan)


@pytest.mark.parametrize(("objective", "action"), [("fewest-moves", "hop-new-move"), ("fewest-steps", "hop")])
def test_moves_and_durations_of_other_names_are_refused(objective: str, action: str, engine: Any) -> None:
    result = engine(other_names(objective))
    assert result.status.name == "UNSUPPORTED_PROBLEM"
    assert action in result.log_messages[0].message


VALIDATED = [
    *(
        pytest.param("line6:b1->e1", objective, domain, marks=pytest.mark.slow)
        for objective, domain in (
            ("any", None),
            ("fewest-moves", None),
            ("fewest-moves", "pegsolitaire-sequential"),
            ("fewest-steps", None),
            ("fewest-steps", "parallel"),
            ("nearest", None),
        )
    ),
    ("line4:b1!", None, None),
    ("line4:b1->c1", "fewest-moves", "pegsolitaire-sequential"),
    ("line4:b1->c1", "fewest-steps", "parallel"),
    *(pytest.param("line4:b1->c1", value, None, marks=pytest.mark.long) for value in ("fewest-steps", "nearest")),
]


@pytest.mark.parametrize(("name", "objective", "domain"), VALIDATED, ids=str)
def test_pegcp_validates_as_unified_planning_does(
    name: str, objective: str | None, domain: str | None, up: Any, plans: Any, engine: Any
) -> None:
    """The plan, and the same without each of its steps, with two exchanged, and with one twice."""
    task = pegcp.to_unified_planning(pegcp.problem(name, objective=objective), domain)
    plan = engine(task).plan
    timed = isinstance(plan, plans.TimeTriggeredPlan)
    steps = list(plan.timed_actions if timed else plan.actions)
    lies = [steps[:i] + steps[i + 1 :] for i in range(len(steps))]
    lies += [steps[::-1], [steps[1], steps[0], *steps[2:]]]
    if not timed:  # unified-planning's validator lets the same action run twice at a time
        lies += [[*steps, steps[-1]]]
    else:
        lies += [[(start / 2, step, length) for start, step, length in steps]]
        lies += [[(Fraction(round(start)), step, length) for start, step, length in steps]]
        lies += [[(start, step, length / 2) for start, step, length in steps]]
    theirs: Any = import_module("unified_planning.engines.plan_validator")
    other = theirs.TimeTriggeredPlanValidator() if timed else theirs.SequentialPlanValidator()
    verdicts = []
    for attempt in (steps, *lies):
        given = plans.TimeTriggeredPlan(attempt) if timed else plans.SequentialPlan(attempt)
        found = [validator.validate(task, given) for validator in (up.PlanValidator(name="pegcp"), other)]
        assert len({one.status for one in found}) == 1
        if not timed:
            assert len({(one.reason, str(one.inapplicable_action)) for one in found}) == 1
        if found[0]:
            assert found[0].metric_evaluations == found[1].metric_evaluations
        verdicts.append(bool(found[0]))
    assert verdicts[0]
    assert not verdicts[-1] or not timed
    assert not all(verdicts)


@pytest.mark.long
def test_a_task_that_was_changed_is_not_taken_for_the_one_that_pegcp_made(up: Any, engine: Any) -> None:
    def asked(change: Any) -> str:
        task = pegcp.to_unified_planning("line6:b1->?")
        change(task)
        return str(engine(task).status.name)

    def harder(task: Any) -> None:
        task.action("jump").add_precondition(task.fluent("vacant")(task.object("a1")))

    def leap(task: Any) -> None:
        task.action("jump").add_effect(task.fluent("vacant")(task.object("a1")), False)

    def other(task: Any) -> None:
        task.add_action(up.InstantaneousAction("rest"))

    def trajectory(task: Any) -> None:
        task.add_trajectory_constraint(up.Always(task.fluent("peg")(task.object("a1"))))

    def either(task: Any) -> None:
        task.add_goal(up.Or(*(task.fluent("peg")(task.object(f"{c}1")) for c in "abc")))

    assert asked(lambda _: None) == "SOLVED_SATISFICING"
    assert [asked(change) for change in (harder, leap, other, trajectory, either)] == ["UNSUPPORTED_PROBLEM"] * 5


def test_an_action_of_another_task_is_in_no_plan(up: Any, plans: Any, engine: Any) -> None:
    task, other = (pegcp.to_unified_planning("XoXX") for _ in range(2))
    easy = other.action("jump")
    easy.clear_preconditions()
    plan = engine(task).plan
    forged = plans.SequentialPlan([plans.ActionInstance(easy, plan.actions[0].actual_parameters), *plan.actions[1:]])
    with up.PlanValidator(name="pegcp") as validator:
        assert validator.validate(task, plan)
        assert not validator.validate(task, forged)


def test_the_engine_refuses_all_other_tasks(up: Any) -> None:
    """Those that unified-planning ships to test engines."""
    examples: Any = import_module("unified_planning.test.examples")
    engine: Any = import_module("pegcp.planning_engine").Pegcp()
    up.get_environment().credits_stream = None
    cases = [*examples.get_example_problems().values()]
    assert len(cases) > 50
    for case in cases[::3]:
        assert engine._solve(case.problem).status.name == "UNSUPPORTED_PROBLEM"
        for plan in (*case.valid_plans, *case.invalid_plans):
            assert engine._validate(case.problem, plan).status.name == "UNKNOWN"
