"""PDDL written, read back, and understood alike by independent parsers; plans read back."""

from __future__ import annotations

import json
import runpy
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from competition import army_file, competition_file
from hypothesis import given
from hypothesis import strategies as st
from parts import need

import pegcp
from pegcp.catalogue.choice import choose
from pegcp.errors import InputError, InvalidSolution
from pegcp.formats import pddl
from pegcp.formats.pddl.domains import DOMAINS
from pegcp.formats.solution import read_solution
from pegcp.game import (
    Exact,
    Jump,
    Objective,
    OnePeg,
    Partial,
    Position,
    Problem,
    graph_board,
    lines_board,
    replay_solution,
)
from pegcp.method import Run

ROOT = Path(__file__).parents[1]

DATA = Path(__file__).parent / "data"

# One problem for each domain and kind of board, with a plan that solves it.
CASES = [
    "english",
    "english:c1->?",
    "english:d1!",
    "french:c1->d4",
    "triangle15",
    "triangle15:b2!",
    "hexagon19:a1->?",
    "cycle8:0->?",
    "line9:c1->?",
    "XXoX",
]


def problems() -> list[Problem]:
    found = [pegcp.problem(name) for name in CASES]
    found += [pegcp.problem(name, objective="fewest-moves") for name in ("english", "triangle15", "line6:b1->?")]
    found.append(pegcp.problem("english", goal="d1 -d7 *"))
    board = graph_board(
        ["1", "Peg", "peg", "a.b", "b_c"], [("1", "Peg"), ("Peg", "peg"), ("peg", "a.b"), ("a.b", "b_c")]
    )
    found.append(Problem(board, Position(board, 0b01111), OnePeg()))
    return found


PROBLEMS = problems()
IDS = [f"{p.name} {p.goal.kind} {p.objective}" for p in PROBLEMS]


@pytest.mark.parametrize("problem", PROBLEMS, ids=IDS)
def test_what_is_written_reads_back(problem: Problem) -> None:
    files = pddl.export(problem)
    back = pddl.read_problem(files["problem.pddl"], "problem.pddl", "again")
    assert back == problem
    assert back.fingerprint == problem.fingerprint
    names = json.loads(files["names.json"])
    assert tuple(names.values()) == problem.board.holes
    assert len({name.lower() for name in names}) == len(names)


def each_domain() -> list[Any]:
    """The problems: each domain first with its smallest one, and the odd names; the others are slow."""
    found: list[Any] = []
    seen: set[str] = set()
    for problem in sorted(PROBLEMS, key=lambda problem: len(problem.board.lines)):
        domain = pddl.domain_for(problem).name
        found.append(pytest.param(problem, marks=pytest.mark.slow if domain in seen else ()))
        seen.add(domain)
    return found


def test_the_names_of_holes_are_safe_and_distinct() -> None:
    board = lines_board(["Hole", "hole", "h", "0", "a.b", "a_b"], [("0", "h", "hole"), ("a.b", "a_b", "0")])
    names = list(json.loads(pddl.export(Problem(board, Position(board, 1), OnePeg()))["names.json"]))
    assert names == ["hole-2", "hole-3", "h", "h0", "a-b", "a_b"]


@pytest.mark.thorough
@pytest.mark.parametrize("problem", each_domain(), ids=lambda p: f"{p.name} {p.goal.kind} {p.objective}")
def test_an_independent_parser_agrees(problem: Problem, tmp_path: Path) -> None:
    """The ``pddl`` package finds the objects and facts that the problem has."""
    need("pddl")
    import pddl as reader

    for name, text in pddl.export(problem).items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    domain = reader.parse_domain(tmp_path / "domain.pddl")
    task = reader.parse_problem(tmp_path / "problem.pddl")
    assert task.domain_name == domain.name
    assert len(task.objects) == len(problem.board.holes)
    facts = [str(fact) for fact in task.init]
    assert sum(fact.startswith("(line ") for fact in facts) == len(problem.board.jumps)
    assert sum(fact.startswith("(peg ") for fact in facts) == len(problem.start)
    assert sum(fact.startswith("(vacant ") for fact in facts) == len(problem.board.holes) - len(problem.start)


@pytest.mark.thorough
@pytest.mark.parametrize("name", ["triangle15:b2!", "cycle8:0->?"])
def test_fast_downward_translates(name: str, tmp_path: Path) -> None:
    need("up_fast_downward")
    for file, text in pddl.export(pegcp.problem(name)).items():
        (tmp_path / file).write_text(text, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "fast_downward.translate", "domain.pddl", "problem.pddl"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert (tmp_path / "output.sas").is_file()


def test_what_has_no_domain_is_refused() -> None:
    with pytest.raises(InputError, match="cannot count"):
        pddl.export(pegcp.problem("english", objective="count"))
    with pytest.raises(InputError, match="dead-end"):
        pddl.export(pegcp.problem("english:d4!", objective="fewest-steps"))


# --- problem files of the competitions


def test_competition_problems_are_understood() -> None:
    puzzles = json.loads((DATA / "english_puzzles.json").read_text("utf-8"))
    english = pegcp.board("english")
    for puzzle in puzzles[::5]:
        pegs = {(r, c) for r, c in puzzle["pegs"]}
        read = pddl.read_problem(competition_file(pegs, tuple(puzzle["target"])), "p.pddl", "p")
        assert read.board == english
        assert english.cells is not None
        assert {english.cells[english.hole(hole)] for hole in read.start.pegs} == pegs
        assert read.goal == Exact(1 << english.cells.index(tuple(puzzle["target"])))
        assert read.objective is Objective.FEWEST_MOVES
    assert pddl.read_problem(competition_file({(3, 3)}, (3, 3), metric=False)).objective is Objective.ANY


def test_a_small_triangle_comes_back_as_one() -> None:
    problem = pegcp.problem("triangle10")
    assert pddl.read_problem(pddl.export(problem)["problem.pddl"]) == problem


@pytest.mark.thorough
def test_army_problems_are_understood() -> None:
    read = 0
    for army in json.loads((DATA / "row5_army.json").read_text("utf-8")):
        if "rect" not in army["cells"]:
            continue
        width, height = army["cells"]["rect"]
        problem = pddl.read_problem(army_file(width, height, army["pegs"], army["goal_pegs"]), army["name"])
        assert problem.board.lattice is not None or width < 3
        assert len(problem.start) == len(army["pegs"])
        assert isinstance(problem.goal, Partial)
        assert problem.goal.pegs.bit_count() == len(army["goal_pegs"])
        assert len(problem.board.lines) == width * max(0, height - 2) + height * max(0, width - 2)
        read += 1
    assert read >= 10


HEAD = "(define (problem p) (:domain peg-jumps) (:objects a b c - hole) "
INIT = "(:init (line a b c) (line c b a) (peg a) (peg b) (vacant c)) "
GOAL = "(:goal (peg c)))"
SOFT = pddl.export(pegcp.problem("XoXX", goal="near a1"))["problem.pddl"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "no .define"),
        ("; nothing", "no .define"),
        ("(define (domain d))", "this is a PDDL domain"),
        ("(a (b)", "never closed"),
        ("(a))", '"\\)"'),
        ('board = "english"', "expected .define"),
        (HEAD + INIT + GOAL + HEAD + INIT + GOAL, "a second problem"),
        (HEAD.replace("peg-jumps", "blocks") + INIT + GOAL, 'domain "blocks"'),
        (HEAD + INIT.replace("(peg b)", "(peg d)") + GOAL, 'unknown object "d"'),
        (HEAD + INIT.replace("(peg b)", "(on b)") + GOAL, '"on"'),
        (HEAD + INIT.replace("(peg b)", "(peg b c)") + GOAL, "peg takes 1 objects, not 2"),
        (HEAD + INIT.replace("(peg b)", "") + GOAL, "does not say whether b holds a peg"),
        (HEAD + INIT.replace("(peg b)", "(peg b) (vacant b)") + GOAL, "both with and without"),
        (HEAD + INIT.replace("(line c b a)", "") + GOAL, "one direction only"),
        (HEAD + INIT.replace("(line c b a)", "(line c b c)") + GOAL, "is not a line"),
        (HEAD.replace("a b c - hole", "a b c - hole a") + INIT + GOAL, "declared twice"),
        (HEAD.replace("- hole", "- block") + INIT + GOAL, 'type "block"'),
        (HEAD.replace("- hole", "-") + INIT + GOAL, 'type ""'),
        (HEAD.replace("a b c", "a b c -") + INIT + GOAL, 'type ""'),
        (SOFT.replace("(weight a1)", "(weight z1)"), 'unknown object "z1"'),
        (HEAD + INIT + "(:goal (or (peg c) (peg b))))", "disjunction"),
        (HEAD + INIT + "(:goal (forall (?h - block) (peg ?h))))", "quantifier"),
        (HEAD + INIT + "(:goal (and (peg c) (vacant c))))", "both with and without"),
        (HEAD + INIT + "(:constraints (and)) " + GOAL, ":constraints"),
        (HEAD + INIT + "(:metric maximize (total-cost)) " + GOAL, "the metric must be"),
        (HEAD + INIT, "never closed"),
        (HEAD + INIT + ")", "no goal"),
        (HEAD + "(:init (= (total-cost) 3))" + GOAL, "total-cost"),
        ("(define (problem p) (:domain peg-jumps) (:objects) (:init) (:goal (and)))", "no holes"),
        (competition_file({(3, 3)}, (3, 3)).replace("(move-ended)", ""), "move-ended"),
    ],
)
def test_what_is_not_understood_is_named(text: str, message: str) -> None:
    with pytest.raises(InputError, match=message) as caught:
        pddl.read_problem(text, "bad.pddl")
    assert caught.value.source == "bad.pddl"
    assert caught.value.line == 1 if message == "no .define" else caught.value.line is not None


@given(st.text(alphabet="()abc :-;=\n01dl", max_size=200))
def test_any_text_gives_a_problem_or_one_error(text: str) -> None:
    for attempt in (text, HEAD + text, HEAD + INIT + text + ")"):
        try:
            pddl.read_problem(attempt, "fuzz.pddl")
        except InputError as caught:
            located = caught.line is not None
            assert located


def test_deep_nesting_is_an_error_not_a_crash() -> None:
    with pytest.raises(InputError):
        pddl.read_problem("(" * 100_000 + ")" * 100_000, "deep.pddl")


# --- plans


def names(problem: Problem, jumps: list[Jump]) -> list[list[str]]:
    return [list(problem.board.jump_names(jump)) for jump in jumps]


def test_plans_are_read_in_every_spelling() -> None:
    problem = pegcp.problem("line4:c1->a1")
    wanted = [["d1", "c1", "b1"]]
    problem = Problem(problem.board, Position(problem.board, problem.board.mask(["c1", "d1"])), OnePeg())
    for text in (
        "(jump d1 c1 b1)",
        "(JUMP D1 C1 B1)\n; cost = 1 (unit cost)\n",
        "; a comment\n\n0.000: (jump d1 c1 b1) [1.000]\n",
        "0: ( jump  d1 c1 b1 )\n1:   (TAKE B1) [1]\n",
        "(jump d1 c1 b1) ; the only jump\r\n",
        "(jump-new-move d1 c1 b1)\n(end-move b1)\n; cost = 1 (general cost)",
        "(jump pos-0-3 pos-0-2 pos-0-1)",
    ):
        jumps = pddl.read_plan(problem, text)
        assert names(problem, jumps) == wanted, text
        replay_solution(problem, jumps)
    assert pddl.read_plan(problem, "; nothing to do\n") == []


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("(jump d2 d3 d4)\n(fly d2 d3)", 'step 2: unknown action "fly"'),
        ("(jump d2 d3)", "step 1: jump takes 3 holes, not 2"),
        ("(jump d2 d3 z9)", 'step 1: english has no hole "z9"'),
        ("(jump d2 d3 d4", "step 1: .* is not an action"),
        ("(jump d2 d3 d4) (jump", "step 1"),
        ("()", "step 1: unknown action"),
    ],
)
def test_a_bad_step_is_named(text: str, message: str) -> None:
    with pytest.raises(InputError, match=message) as caught:
        pddl.read_plan(pegcp.problem("english"), text, "bad.plan")
    assert caught.value.line == text.count("\n") + 1


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("english", "(jump-new-move d2 d3 d4)\n(jump-new-move b3 c3 d3)", r"step 2 .*\(between-moves\)"),
        ("english", "(jump-continue-move d2 d3 d4)", r"step 1 .*\(on-its-way d2\)"),
        ("english", "(jump-new-move d2 d3 d4)\n(end-move d2)", r"step 2 .*\(on-its-way d2\)"),
        ("english:d4->?", "(jump d2 d3 d4)\n(take d4)\n(take b3)", r"step 3 .*\(hand-empty\)"),
        ("english:d4->?", "(jump d2 d3 d4)\n(take d2)", r"step 2 .*\(peg d2\)"),
        ("english:d4!", "(stop)\n(jump d2 d3 d4)", r"step 2 .*\(playing\)"),
        ("english:d4!", "(middle-vacant d3 d4 d5)", r"step 1 .*\(stopped\)"),
        ("english:d4!", "(stop)\n(ends-vacant d2 d3 d4)", r"step 2 .*\(vacant d2\)"),
        ("english:d4!", "(stop)\n(middle-vacant d3 d4 d5)", r"ends without .*\(blocked"),
        ("english", "(jump-new-move d2 d3 d4)\n(next-step)", "jump-new-move and next-step"),
    ],
)
def test_bookkeeping_is_checked(name: str, text: str, message: str) -> None:
    with pytest.raises(InvalidSolution, match=message):
        pddl.read_plan(pegcp.problem(name), text)


def test_an_impossible_jump_is_left_to_the_checker() -> None:
    problem = pegcp.problem("english")
    jumps = pddl.read_plan(problem, "(jump-new-move d2 d3 d4)\n(end-move d4)\n(jump-new-move d2 d3 d4)\n(end-move d4)")
    with pytest.raises(InvalidSolution, match="jump 2") as caught:
        replay_solution(problem, jumps)
    assert caught.value.step == 2


# --- solutions written as plans, and problems under the competitions' names


def forms() -> list[tuple[Problem, str]]:
    """Every goal with every objective that a domain expresses, on a line of six holes, with each such domain."""
    goals = [
        ("exact", "e1"),
        ("one-peg", None),
        ("dead-end", "dead end"),
        ("partial", "e1 -a1 *"),
        ("nearest", "near e1"),
    ]
    found = []
    for kind, goal in goals:
        for objective in Objective:
            if pddl.unsupported(kind, objective) is None:
                start = pegcp.problem("line6:b1->?", goal=goal)
                problem = Problem(start.board, start.start, start.goal, objective)
                found += [(problem, domain.stem) for domain in DOMAINS if domain.fits(problem)]
    return found


def paired_forms() -> list[Any]:
    """Each domain, each kind of goal and each objective once; all of them with each other are slow."""
    found: list[Any] = []
    seen: set[object] = set()
    for problem, domain in forms():
        pairs = {domain, problem.goal.kind, problem.objective}
        found.append(pytest.param(problem, domain, marks=pytest.mark.slow if pairs <= seen else ()))
        seen |= pairs
    return found


def form_name(form: Any) -> str:
    return form if isinstance(form, str) else f"{form.goal.kind} {form.objective}"


SOLUTION = "d1-b1 a1-c1 f1-d1 c1-e1"


@pytest.mark.parametrize(("problem", "domain"), forms(), ids=form_name)
def test_a_solution_is_written_as_a_plan(problem: Problem, domain: str) -> None:
    jumps = read_solution(problem, SOLUTION)
    value = replay_solution(problem, jumps).value
    text = pddl.write_plan(problem, jumps, domain)
    plan = pddl.read_whole_plan(problem, text, domain=domain)
    assert replay_solution(problem, plan.jumps).value == value
    if domain in ("steps", "pegsolitaire-temporal"):  # the end of the plan: validators want gaps between the steps
        assert value is None or value <= plan.cost < value + 1.2
    else:
        assert plan.cost == (text.count("(") if value is None else value)
    task = pddl.read_task(pddl.export(problem, domain=domain)["problem.pddl"])
    if task.problem.objective is not problem.objective:  # no metric says that an exact goal has the fewest pegs
        assert pddl.metric_value(task, text) == text.count("(")
    else:
        assert pddl.metric_value(task, text) == (plan.cost if task.most is None else task.most - (value or 0))


def _is_said(problem: Problem) -> bool:
    """Whether a file can say the goal with the objective; others read back as what they come to.

    Where the last pegs are given every solution leaves as many; and a position to end near is nothing for other
    objectives.
    """
    if problem.goal.kind == "nearest":
        return problem.objective is Objective.NEAREST
    return problem.objective is not Objective.FEWEST_PEGS or problem.goal.kind == "partial"


@pytest.mark.thorough
@pytest.mark.parametrize(("problem", "domain"), paired_forms(), ids=form_name)
def test_written_plans_cost_what_another_validator_says(problem: Problem, domain: str) -> None:
    need("unified_planning")
    from unified_planning.engines import plan_validator
    from unified_planning.io import PDDLReader

    if domain == "derived":
        pytest.skip("unified-planning reads no rules")
    files = pddl.export(problem, domain=domain)
    reader = PDDLReader()
    task: Any = reader.parse_problem_string(files["domain.pddl"], files["problem.pddl"])
    text = pddl.write_plan(problem, read_solution(problem, SOLUTION), domain)
    timed = domain in ("steps", "pegsolitaire-temporal")
    validator = plan_validator.TimeTriggeredPlanValidator() if timed else plan_validator.SequentialPlanValidator()
    validator.skip_checks = True
    found: Any = validator.validate(task, reader.parse_plan_string(task, text))
    assert found.status.name == "VALID"
    cost = pddl.read_whole_plan(problem, text, domain=domain).cost
    assert all(float(value) == cost for value in (found.metric_evaluations or {}).values())


@pytest.mark.parametrize(("problem", "domain"), forms(), ids=form_name)
def test_every_form_reads_back(problem: Problem, domain: str) -> None:
    back = pddl.read_problem(pddl.export(problem, domain=domain)["problem.pddl"])
    assert (back.fingerprint == problem.fingerprint) == _is_said(problem)


def test_the_table_of_what_can_be_said_is_true() -> None:
    table = runpy.run_path(str(ROOT / "examples" / "planning_tables.py"))["round_trips"]()
    assert (ROOT / "examples" / "planning" / "round_trips.txt").read_text(encoding="utf-8") == f"{table}\n"


@pytest.mark.thorough
@pytest.mark.parametrize(("problem", "domain"), paired_forms(), ids=form_name)
def test_every_task_of_unified_planning_reads_back(problem: Problem, domain: str) -> None:
    need("unified_planning")
    if domain == "derived":
        pytest.skip("unified-planning has no rules")
    back = pegcp.problem(pegcp.to_unified_planning(problem, domain))
    assert (back.fingerprint == problem.fingerprint) == _is_said(problem)


# --- agreement with unified-planning's validator


def full_plans() -> list[tuple[Problem, list[str]]]:
    """Plans with all bookkeeping, one for each domain."""
    line = pegcp.problem("line6:b1->?")
    jumps = [("d1", "c1", "b1"), ("a1", "b1", "c1"), ("f1", "e1", "d1"), ("c1", "d1", "e1")]
    moves = []
    for i, jump in enumerate(jumps):
        moves.append(f"(jump-new-move {' '.join(jump)})")
        if i + 1 < len(jumps):
            moves.append(f"(end-move {jump[2]})")
    exact = Problem(line.board, line.start, Exact(line.board.mask(["e1"])))
    moving = Problem(line.board, line.start, Exact(line.board.mask(["e1"])), Objective.FEWEST_MOVES)
    dead = pegcp.problem("line6:c1!")
    stopped = ["(jump a1 b1 c1)", "(jump d1 c1 b1)", "(jump f1 e1 d1)", "(stop)"]
    stopped += [
        "(ends-vacant a1 b1 c1)",
        "(middle-vacant b1 c1 d1)",
        "(ends-vacant c1 d1 e1)",
        "(middle-vacant d1 e1 f1)",
    ]
    soft = pegcp.problem("line6:b1->?", goal="near e1")
    settled = [f"(jump {' '.join(j)})" for j in jumps[:3]] + ["(stop)"]
    settled += ["(vacant-as-wanted a1 b1)", "(vacant-as-wanted b1 c1)", "(peg-too-many c1 d1)"]
    settled += ["(peg-too-many d1 e1)", "(peg-missing e1 f1)", "(vacant-as-wanted f1 a1)"]
    return [
        (line, [f"(jump {' '.join(j)})" for j in jumps] + ["(take e1)"]),
        (exact, [f"(jump {' '.join(j)})" for j in jumps]),
        (moving, moves),
        (dead, stopped),
        (soft, settled),
    ]


def verdict(problem: Problem, plan: list[str]) -> bool:
    """Whether pegcp accepts a plan."""
    try:
        replay_solution(problem, pddl.read_plan(problem, "\n".join(plan)))
    except (InputError, InvalidSolution):
        return False
    return True


class Validator:
    """unified-planning's opinion on plans for a problem."""

    def __init__(self, problem: Problem) -> None:
        from unified_planning.io import PDDLReader

        self.reader = PDDLReader()
        files = pddl.export(problem)
        self.task: Any = self.reader.parse_problem_string(files["domain.pddl"], files["problem.pddl"])

    def __call__(self, plan: list[str]) -> bool:
        from unified_planning.engines.plan_validator import SequentialPlanValidator
        from unified_planning.engines.results import ValidationResultStatus

        try:
            read = self.reader.parse_plan_string(self.task, "\n".join(plan))
        except Exception:  # noqa: BLE001 - it raises what its parser happens to
            return False
        validator = SequentialPlanValidator()
        validator.skip_checks = True
        status: Any = validator.validate(self.task, read).status
        return bool(status == ValidationResultStatus.VALID)


def broken(plan: list[str]) -> list[list[str]]:
    """Plans near a plan, most of them wrong: a step left out, doubled, exchanged with the next, on other holes."""
    others: list[list[str]] = []
    for i, step in enumerate(plan):
        others.append(plan[:i] + plan[i + 1 :])
        others.append([*plan[:i], step, *plan[i:]])
        if i + 1 < len(plan):
            others.append([*plan[:i], plan[i + 1], step, *plan[i + 2 :]])
        words = step.strip("()").split()
        if len(words) == 4:
            others.append([*plan[:i], f"({words[0]} {words[3]} {words[2]} {words[1]})", *plan[i + 1 :]])
            others.append([*plan[:i], f"({words[0]} {words[2]} {words[1]} {words[3]})", *plan[i + 1 :]])
        others.append([*plan[:i], f"({words[0]} {' '.join(['a1'] * (len(words) - 1))})", *plan[i + 1 :]])
        others.append([*plan[:i], step.replace("(", "(x-", 1), *plan[i + 1 :]])
    return others


@pytest.mark.thorough
@pytest.mark.parametrize("every", [False, pytest.param(True, marks=pytest.mark.slow)], ids=["some", "every"])
@pytest.mark.parametrize(
    ("problem", "plan"), full_plans(), ids=["one-peg", "exact", "fewest-moves", "dead-end", "nearest"]
)
def test_the_two_validators_agree(problem: Problem, plan: list[str], every: bool) -> None:
    theirs = Validator(problem)
    assert verdict(problem, plan)
    assert theirs(plan)
    wrong = 0
    others = broken(plan)
    for other in others if every else others[::3]:
        if problem.goal.kind in ("one-peg", "dead-end", "nearest") and all(step.startswith("(jump ") for step in other):
            continue  # a bare list of jumps: a solution for pegcp, half a plan for PDDL
        assert verdict(problem, other) == theirs(other), other
        wrong += not verdict(problem, other)
    assert wrong > (len(plan) if every else len(plan) // 3)


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("name", "objective"),
    [
        ("line6:c1!", None),
        ("line6:b1->e1", "fewest-moves"),
        *(pytest.param(name, None, marks=pytest.mark.slow) for name in ("line6:b1->?", "triangle15:a1->?")),
    ],
)
@pytest.mark.usefixtures("own_folder")
def test_plans_of_planners_pass_both_validators(name: str, objective: str | None) -> None:
    need("up_fast_downward")
    problem = pegcp.problem(name, objective=objective)
    run = Run()
    jumps = choose("fast-downward").run(problem, run).jumps
    assert jumps is not None
    replay_solution(problem, jumps)
    assert Validator(problem)((run.folder / "plan.txt").read_text("utf-8").splitlines())


@pytest.mark.thorough
@pytest.mark.parametrize("problem", [p for p in PROBLEMS if len(p.board.holes) < 10], ids=lambda p: p.name)
def test_unified_planning_reads_what_is_written(problem: Problem) -> None:
    task = Validator(problem).task
    assert len(task.all_objects) == len(problem.board.holes)
    true = [str(fact) for fact, value in task.explicit_initial_values.items() if value.is_true()]
    assert sum(fact.startswith("line(") for fact in true) == len(problem.board.jumps)
    assert sum(fact.startswith("peg(") for fact in true) == len(problem.start)
