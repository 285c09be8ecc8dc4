"""PDDL as others write it: the folders of the competitions, forty spellings, and plans in the words of the file."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from asking import answer, typed
from competition import ENGLISH, Cell, competition_file
from parts import need

import pegcp
from pegcp.errors import InputError, InvalidSolution
from pegcp.formats import pddl
from pegcp.game import DeadEnd, Exact, Nearest, Objective, Partial
from pegcp.method import Status

# The domains of IPC 2008 and 2011 as their files have them: words in capitals, a declared root of the types, lines that
# hold over all of an action with a duration, and no cost for what costs nothing.
_HEAD = """;; Peg Solitaire domain

(define (domain pegsolitaire-{kind})
    (:requirements :typing{more})
    (:types location - object)
    (:predicates
        (IN-LINE ?x ?y ?z - location)
        (occupied ?l - location)
        (free ?l - location)
"""
_PARAMETERS = ":parameters (?from - location ?over - location ?to - location)"
_BEFORE = "(IN-LINE ?from ?over ?to) (occupied ?from) (occupied ?over) (free ?to)"
_AFTER = "(not (occupied ?from)) (not (occupied ?over)) (not (free ?to)) (free ?from) (free ?over) (occupied ?to)"
SEQUENTIAL = (
    _HEAD.format(kind="sequential", more=" :action-costs")
    + f"""        (move-ended)
        (last-visited ?l - location)
    )
    (:functions (total-cost) - number)

    (:action jump-new-move {_PARAMETERS}
     :precondition (and (move-ended) {_BEFORE})
     :effect (and (not (move-ended)) {_AFTER} (last-visited ?to) (increase (total-cost) 1))
    )
    (:action jump-continue-move {_PARAMETERS}
     :precondition (and (last-visited ?from) {_BEFORE})
     :effect (and {_AFTER} (not (last-visited ?from)) (last-visited ?to))
    )
    (:action end-move
     :parameters (?loc - location)
     :precondition (last-visited ?loc)
     :effect (and (move-ended) (not (last-visited ?loc)))
    )
)
"""
)
TEMPORAL = (
    _HEAD.format(kind="temporal", more=" :durative-actions")
    + f"""    )
    (:durative-action jump
     {_PARAMETERS}
     :duration (= ?duration 1)
     :condition (and
                    (over all (IN-LINE ?from ?over ?to))
                    (at start (occupied ?from))
                    (at start (occupied ?over))
                    (at start (free ?to))
                )
     :effect (and
                 (at start (not (occupied ?from)))
                 (at start (not (occupied ?over)))
                 (at start (not (free ?to)))
                 (at end (free ?from))
                 (at end (free ?over))
                 (at end (occupied ?to))
             )
    )
)
"""
)
NETBENEFIT = (
    _HEAD.format(kind="netbenefit", more=" :durative-actions :goal-utilities")
    + f"""    )
    (:action jump
     {_PARAMETERS}
     :precondition (and {_BEFORE})
     :effect (and {_AFTER})
    )
)
"""
)
CROSS: set[Cell] = {(1, 3), (2, 3), (3, 1), (3, 2), (3, 3), (3, 4), (3, 5), (4, 3), (5, 3)}
ROW = [(0, column) for column in range(6)]
WEIGHTS = {cell: 1 + abs(cell[0] - 3) + abs(cell[1] - 3) for cell in ENGLISH}
_TRACKS: dict[str, tuple[str, str, Objective]] = {
    "sequential": (SEQUENTIAL, competition_file(CROSS, (3, 3)), Objective.FEWEST_MOVES),
    "temporal": (TEMPORAL, competition_file(CROSS, (3, 3), kind="temporal"), Objective.FEWEST_STEPS),
    "net-benefit": (
        NETBENEFIT,
        competition_file(CROSS, (3, 3), kind="netbenefit", weights=WEIGHTS),
        Objective.NEAREST,
    ),
}
FOLDERS = {  # of the collections, with their tracks
    "ipc-2008/peg-solitaire-net-benefit-optimal-strips": "net-benefit",
    "ipc-2008/peg-solitaire-sequential-optimal-strips": "sequential",
    "ipc-2008/peg-solitaire-sequential-satisficing-strips": "sequential",
    "ipc-2008/peg-solitaire-temporal-satisficing-strips": "temporal",
    "ipc-2011/peg-solitaire-sequential-multi-core": "sequential",
    "ipc-2011/peg-solitaire-sequential-optimal": "sequential",
    "ipc-2011/peg-solitaire-sequential-satisficing": "sequential",
    "ipc-2011/peg-solitaire-temporal-satisficing": "temporal",
}
LAYOUTS = {  # problem, domain
    "same folder": ("p07.pddl", "domain.pddl"),
    "by name": ("p07.pddl", "p07-domain.pddl"),
    "by number": ("problem07.pddl", "domain07.pddl"),
    "one folder up": ("instances/instance-7.pddl", "domain.pddl"),
    "a domain each": ("instances/instance-7.pddl", "domains/domain-7.pddl"),
    "a folder each": ("problems/p07.pddl", "domain/domain.pddl"),
}


def laid_out(folder: Path, layout: str, problem: str, domain: str) -> Path:
    for name, text in zip(LAYOUTS[layout], (problem, domain), strict=True):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    return folder / LAYOUTS[layout][0]


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("folder", FOLDERS)
def test_all_folders_of_the_competitions_are_read_with_their_own_domain(
    folder: str, layout: str, tmp_path: Path
) -> None:
    domain, text, objective = _TRACKS[FOLDERS[folder]]
    file = laid_out(tmp_path / folder, layout, text, domain)
    problem = pegcp.problem(str(file))
    assert (problem.objective, problem.board.cells) == (objective, tuple(ENGLISH))
    pegs = {cell for i, cell in enumerate(problem.board.cells or ()) if problem.start.mask >> i & 1}
    assert pegs == CROSS
    # The domain was read, not known by its name: one that has other rules is refused.
    changed = domain.replace("(free ?over)", "(occupied ?over)")
    (tmp_path / folder / LAYOUTS[layout][1]).write_text(changed, encoding="utf-8")
    with pytest.raises(InputError, match=r"domain.*\.pddl"):
        pegcp.problem(str(file))


@pytest.mark.thorough
@pytest.mark.parametrize("track", ["sequential", "temporal"])  # unified-planning reads no preferences
def test_unified_planning_reads_the_same_files(track: str) -> None:
    need("unified_planning")
    from unified_planning.io import PDDLReader

    domain, _, objective = _TRACKS[track]
    text = competition_file({(0, 0), (0, 1)}, (0, 2), kind=track, cells=ROW)
    task: Any = PDDLReader().parse_problem_string(domain, text)
    assert pegcp.from_unified_planning(task).objective is objective


@pytest.mark.thorough
def test_the_engine_solves_the_temporal_files() -> None:
    need("unified_planning")
    from unified_planning.io import PDDLReader
    from unified_planning.shortcuts import OneshotPlanner, PlanValidator, get_environment

    get_environment().factory.add_engine("pegcp", "pegcp.planning_engine", "Pegcp")
    text = competition_file({(0, 0), (0, 1), (0, 4), (0, 5)}, (0, 1), kind="temporal", cells=ROW)
    task: Any = PDDLReader().parse_problem_string(TEMPORAL, text)
    planner: Any
    validator: Any
    with OneshotPlanner(name="pegcp") as planner, PlanValidator(name="pegcp") as validator:
        result = planner.solve(task)
        assert result.status.name == "SOLVED_OPTIMALLY"
        assert validator.validate(task, result.plan).status.name == "VALID"


def test_the_nearest_domain_that_defines_it_is_read_and_two_that_differ_are_named(tmp_path: Path) -> None:
    file = laid_out(tmp_path, "one folder up", _TRACKS["sequential"][1], TEMPORAL)  # another domain: known by name
    assert pegcp.problem(str(file)).objective is Objective.FEWEST_MOVES
    (tmp_path / "domain.pddl").write_bytes(b";" * 11_000_000)
    assert pegcp.problem(str(file)).objective is Objective.FEWEST_MOVES
    (tmp_path / "domain.pddl").write_text("(((", encoding="utf-8")
    assert pegcp.problem(str(file)).objective is Objective.FEWEST_MOVES
    (file.parent / "domain.pddl").write_text("(((", encoding="utf-8")
    with pytest.raises(InputError, match=r"instances/domain\.pddl:1:3"):
        pegcp.problem(str(file))
    row = "(define (problem p) (:domain other) (:objects a b c d - spot)"
    row += " (:init {} (f a) (f b) (e c) (e d)) (:goal (f c)))"
    hop = (
        "(define (domain other) (:types spot) (:predicates (row ?x ?y ?z) (col ?x ?y ?z) (f ?x) (e ?x)) (:action hop"
        " :parameters (?x ?y ?z) :precondition (and (row ?x ?y ?z) (f ?x) (f ?y) (e ?z))"
        " :effect (and (not (f ?x)) (not (f ?y)) (not (e ?z)) (e ?x) (e ?y) (f ?z))))"
    )
    lines = "(row a b c) (row c b a) (row b c d) (row d c b) (col a b c) (col c b a)"
    file = laid_out(tmp_path / "two", "same folder", row.format(lines), hop)
    (tmp_path / "domain.pddl").write_text(f"; the same but for this comment\n{hop}", encoding="utf-8")
    assert len(pegcp.problem(str(file)).board.lines) == 2
    (tmp_path / "domain.pddl").write_text(hop.replace("(row ?x ?y ?z) (f", "(col ?x ?y ?z) (f"), encoding="utf-8")
    with pytest.raises(InputError, match=r"two/domain\.pddl and .*two/\.\./domain\.pddl.*differ") as caught:
        pegcp.problem(str(file))
    assert "--domain" in caught.value.message
    assert "a-b-c" in typed("import", file, "--domain", tmp_path / "domain.pddl")


# --- forty spellings

# Pegs at a and b, a vacancy at c; the last peg at c.
DOMAIN = SEQUENTIAL
PROBLEM = """(define (problem p) (:domain pegsolitaire-sequential)
(:objects a b c - location)
(:init (= (total-cost) 0) (move-ended) (IN-LINE a b c) (IN-LINE c b a) (occupied a) (occupied b) (free c))
(:goal (and (free a) (free b) (occupied c)))
(:metric minimize (total-cost)))
"""


def put(before: str, after: str) -> Callable[[str], str]:
    def change(text: str) -> str:
        assert before in text
        return text.replace(before, after)

    return change


METRIC = "(:metric minimize (total-cost))"
READ: dict[str, Callable[[str], str]] = {
    "the move must have ended": put("(occupied c)))", "(occupied c) (move-ended)))"),
    "nested and": put("(free b) (occupied c)))", "(and (free b) (and (occupied c)))))"),
    "and without parts": put("(occupied c)))", "(occupied c) (and)))"),
    "not in the start": put("(free c))", "(free c) (not (occupied c)) (not (last-visited a)))"),
    "and in the start": put("(occupied a) (occupied b)", "(and (occupied a) (occupied b))"),
    "negated goal": put("(free a) (free b)", "(not (occupied a)) (free b)"),
    "double negation": put("(occupied c)))", "(not (not (occupied c)))))"),
    "a goal for all": put(
        "(and (free a) (free b) (occupied c))", "(and (forall (?x - location) (not (free c))) (free a) (free b))"
    ),
    "cost 0.0": put("(total-cost) 0)", "(total-cost) 0.0)"),
    "cost 0.": put("(total-cost) 0)", "(total-cost) 0.)"),
    "cost 00": put("(total-cost) 0)", "(total-cost) 00)"),
    "length": put(METRIC, f"{METRIC} (:length (:serial 3) (:parallel 2))"),
    "either": put("- location)", "- (either location hole))"),
    "types one by one": put("a b c - location", "a - location b - object c - hole"),
    "untyped": put(" - location", ""),
    "a zero at the end": lambda text: text + "\0",
    "Ctrl-Z at the end": lambda text: text + "\r\n\x1a\0\n",
    "BOM": lambda text: "\ufeff" + text,
    "CRLF": lambda text: text.replace("\n", "\r\n"),
    "CR": lambda text: text.replace("\n", "\r"),
    "capitals": str.upper,
    "requirements of the problem": put("(:objects", "(:requirements :typing :made-up) (:objects"),
    "requirements without any": put("(:objects", "(:requirements) (:objects"),
    "comments everywhere": lambda text: re.sub(r"([()])", "; (((\n\\1;)))\n", text),
    "tabs and form feeds": lambda text: text.replace(" ", "\t\f"),
    "sections in another order": lambda text: text.replace(METRIC, "").replace("(:objects", f"{METRIC}\n(:objects"),
    "bare cost": put("minimize (total-cost)", "minimize total-cost"),
    "a sum of one": put("minimize (total-cost)", "minimize (+ (total-cost))"),
    "a sum with zero": put("minimize (total-cost)", "minimize (+ 0 (total-cost))"),
    "once the cost": put("minimize (total-cost)", "minimize (* 1.0 (total-cost))"),
    "maximize minus the cost": put("minimize (total-cost)", "maximize (- (total-cost))"),
    "maximize ten minus the cost": put("minimize (total-cost)", "maximize (- 10 (total-cost))"),
    "domain in the same file": lambda text: DOMAIN + text,
    "domain after it in the same file": lambda text: text + DOMAIN,
}


@pytest.mark.parametrize("name", READ)
def test_what_is_clear_is_read(name: str, tmp_path: Path) -> None:
    file = tmp_path / "p.pddl"
    if name.startswith("domain"):
        (tmp_path / "domain.pddl").write_text(NETBENEFIT, encoding="utf-8")  # of something else
    file.write_bytes(READ[name](PROBLEM).encode())
    problem = pegcp.problem(str(file))
    assert (problem.start.mask, problem.objective) == (0b011, Objective.FEWEST_MOVES)
    assert problem.goal == Exact(0b100)
    plan = pddl.write_plan(problem, [pegcp.Jump(0, 1, 2)])
    assert ("end-move" in plan) == (name == "the move must have ended")


def test_bytes_that_are_not_utf8_do_no_harm_in_a_comment(tmp_path: Path) -> None:
    file = tmp_path / "p.pddl"
    file.write_bytes("; Jérôme\n".encode("latin-1") + PROBLEM.encode())
    assert pegcp.problem(str(file)).goal == Exact(0b100)
    file.write_bytes(PROBLEM.encode("utf-16"))
    assert pegcp.problem(str(file)).goal == Exact(0b100)
    file.write_bytes(PROBLEM.replace("a b c -", "é b c -").encode("latin-1"))
    with pytest.raises(InputError, match=r"p\.pddl:2:11: .*UTF-8"):
        pegcp.problem(str(file))
    file.write_bytes(PROBLEM.replace("a b c -", "a\0 b c -").encode())
    with pytest.raises(InputError, match=r"p\.pddl:2:12: .*invisible"):
        pegcp.problem(str(file))


DOMAINS_READ: dict[str, Callable[[str], str]] = {
    "constants": lambda text: text.replace("(:predicates", "(:constants a - location)\n(:predicates"),
    "parameters of one type": put("?from - location ?over - location ?to - location", "?from ?over ?to - location"),
    "either": put("?from - location", "?from - (either location object)"),
    "other names of parameters": lambda text: text.replace("?over", "?through"),
    "functions that no action mentions": put("(total-cost) -", "(total-cost) (stepped-on ?x - location) -"),
    "a cost of 0": put("(not (last-visited ?from))", "(increase (total-cost) 0) (not (last-visited ?from))"),
}


@pytest.mark.parametrize("name", DOMAINS_READ)
def test_domains_in_other_spellings_are_the_same(name: str) -> None:
    text = PROBLEM.replace("(:objects a b c", "(:objects b c") if name == "constants" else PROBLEM
    text = text.replace("(move-ended)", "(move-ended) (= (stepped-on a) 3)") if "functions" in name else text
    task = pddl.read_task(text, "p.pddl", "p", (DOMAINS_READ[name](DOMAIN), "d.pddl"))
    assert (task.domain.name, task.problem.objective) == ("pegsolitaire-sequential", Objective.FEWEST_MOVES)
    assert len(task.problem.board.holes) == 3


REFUSED: dict[str, tuple[Callable[[str], str], str, str]] = {
    "or": (put("(free a)", "(or (free a) (free b))"), "4:13", "disjunction"),
    "exists": (put("(free a)", "(exists (?x - location) (free ?x))"), "4:13", "quantifier"),
    "imply": (put("(free a)", "(imply (free b) (free a))"), "4:13", "implication"),
    "when": (put("(free a)", "(when (free b) (free a))"), "4:13", "conditional effect"),
    "constraints": (put(METRIC, f"(:constraints (and)) {METRIC}"), "5:1", "constraints on the way"),
    "sometime": (put("(free a)", "(sometime (free a))"), "4:13", "constraint on the way"),
    "timed fact": (put("(move-ended)", "(move-ended) (at 5 (free a))"), "3:40", "timed fact"),
    "number in the goal": (put("(free a)", "(< (total-cost) 5)"), "4:13", "number"),
    "a start that costs": (put("(total-cost) 0)", "(total-cost) 5)"), "3:8", r"\(= \(total-cost\) 0\)"),
    "both ways": (put("(free c))", "(free c) (not (free c)))"), "3:112", "both with and without not"),
    "both costs": (put("(total-cost)))", "(+ (total-cost) (total-time))))"), "5:1", "only metric"),
    "total-time": (put("minimize (total-cost)", "minimize (total-time)"), "5:1", "only metric"),
    "most moves": (put("minimize", "maximize"), "5:1", "metric must be"),
    "derived": (put(METRIC, f"(:derived (x)) {METRIC}"), "5:1", "derived predicate"),
    "a slip": (put("(:init", "(:int"), "3:1", "did you mean .*:init"),
    "goals without and": (put("(and (free a) (free b) (occupied c))", "(free a) (free b)"), "4:1", "one condition"),
    "goals without and in brackets": (put("(and (free a)", "((free a)"), "4:8", "expected a fact"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_not_read_is_named_with_its_place(name: str) -> None:
    change, place, message = REFUSED[name]
    with pytest.raises(InputError, match=message) as caught:
        pddl.read_problem(change(PROBLEM), "p.pddl")
    assert f"{caught.value.line}:{caught.value.column}" == place


FAULTY = [
    ("(free ?to))", "(free ?ovr))", r"\?ovr is no parameter \(did you mean .*\?over"),
    (":precondition (and (move", ":preconditon (and (move", "did you mean .*:precondition"),
    ("(and (move-ended)", "(or (move-ended)", "disjunction"),
    ("(last-visited ?to) (increase", "(when (free ?to) (free ?to)) (increase", "conditional effect"),
]


@pytest.mark.parametrize(("before", "after", "message"), FAULTY)
def test_a_fault_in_an_action_has_the_place_of_the_word(before: str, after: str, message: str) -> None:
    text = DOMAIN.replace(before, after, 1)
    with pytest.raises(InputError, match=message) as caught:
        pddl.read_problem(PROBLEM, "p.pddl", "p", (text, "d.pddl"))
    assert caught.value.source == "d.pddl"
    assert caught.value.line in (15, 16, 17)
    assert (caught.value.column or 0) > 5


# --- plans in the words of the file


def test_solutions_of_a_file_are_plans_in_its_words(tmp_path: Path) -> None:
    file = laid_out(tmp_path, "same folder", competition_file({(3, 2), (3, 3)}, (3, 4)), SEQUENTIAL)
    plan = tmp_path / "plan.soln"
    typed("solve", file, "-o", plan)
    assert plan.read_text("utf-8") == "(jump-new-move pos-3-2 pos-3-3 pos-3-4)\n; cost = 1\n"
    assert "is reached" in typed("check", file, plan)
    plan.write_text("(jump-continue-move pos-3-2 pos-3-3 pos-3-4)\n", encoding="utf-8")
    assert "(last-visited pos-3-2) is not true" in typed("check", file, plan, status=4)
    plan.write_text(
        "(jump-new-move pos-3-2 pos-3-3 pos-3-4)\n(jump-new-move pos-3-4 pos-3-3 pos-3-2)", encoding="utf-8"
    )
    assert "(move-ended) is not true" in typed("check", file, plan, status=4)


@pytest.mark.thorough
@pytest.mark.parametrize("track", ["sequential", "temporal"])
def test_another_validator_takes_the_plans_of_a_file(track: str, tmp_path: Path) -> None:
    need("unified_planning")
    from unified_planning.engines import plan_validator
    from unified_planning.io import PDDLReader

    domain, text, _ = _TRACKS[track]
    file = laid_out(tmp_path, "one folder up", text, domain)
    typed("solve", file, "-o", tmp_path / "plan.soln")
    reader = PDDLReader()
    task: Any = reader.parse_problem_string(domain, text)
    timed = track == "temporal"
    validator = plan_validator.TimeTriggeredPlanValidator() if timed else plan_validator.SequentialPlanValidator()
    validator.skip_checks = True
    plan = reader.parse_plan_string(task, (tmp_path / "plan.soln").read_text("utf-8"))
    assert validator.validate(task, plan).status.name == "VALID"


def test_a_plan_in_the_words_of_another_domain_is_checked_by_name(tmp_path: Path) -> None:
    other = NETBENEFIT.replace("jump", "hop").replace("netbenefit", "mine").replace("IN-LINE", "row")
    text = competition_file({(3, 2), (3, 3)}, (3, 4), kind="netbenefit").replace("netbenefit", "mine")
    file = laid_out(tmp_path, "same folder", text.replace("IN-LINE", "row"), other)
    plan = tmp_path / "plan.soln"
    typed("solve", file, "-o", plan)
    assert "(hop pos-3-2 pos-3-3 pos-3-4)" in plan.read_text("utf-8")
    assert "is reached" in typed("check", file, plan)


def test_a_problem_that_was_changed_is_written_in_a_domain_that_fits() -> None:
    problem = pddl.read_problem(PROBLEM, "p.pddl")
    assert pddl.write_plan(problem, [pegcp.Jump(0, 1, 2)]).startswith("(jump-new-move a b c)")
    changed = pegcp.problem(problem, goal="one peg")
    assert pddl.write_plan(changed, [pegcp.Jump(0, 1, 2)]).startswith("(jump a b c)\n(take c)")
    with pytest.raises(InvalidSolution):
        pddl.write_plan(problem, [])


# --- costs


@pytest.mark.thorough
def test_an_honest_planner_is_not_accused() -> None:
    """Without a metric the number of actions is not what the objective counts."""
    need("fast-downward")
    for goal in ("c1", "one peg"):
        problem = pegcp.problem("line4:b1->?", goal=goal, objective="fewest-pegs")
        result = answer(problem, "fast-downward-opt")
        assert (result.status, result.objective, result.message) == (Status.OPTIMAL, 1, "")


PREFERENCES = competition_file({(0, 0), (0, 1)}, (0, 2), kind="netbenefit", cells=[(0, c) for c in range(3)])


@pytest.mark.parametrize(
    ("goal", "target", "weights"),
    [
        ("(and (preference p (and (not (occupied pos-0-0)))))", 0, (1, 0, 0)),
        ("(and (and (preference p (occupied pos-0-2))) (preference q (not (free pos-0-1))))", 0b110, (0, 2, 1)),
    ],
)
def test_preferences_in_other_spellings(goal: str, target: int, weights: tuple[int, ...]) -> None:
    sum_ = "(+ (* 2 (is-violated q)) (is-violated p))" if "q" in goal else "(is-violated p)"
    text = re.sub(r"\(:goal.*\)\)\n", f"(:goal {goal})\n(:metric maximize (- {sum_}))", PREFERENCES, flags=re.DOTALL)
    assert pddl.read_problem(text, "p.pddl").goal == Nearest(target, weights)


def test_a_dead_end_is_told_by_all_lines_in_any_direction() -> None:
    text = pddl.export(pegcp.problem("line5:b1!"))["problem.pddl"]
    for part, other in (("(blocked b1 c1 d1)", "(blocked d1 c1 b1)"), ("(stopped)", "")):
        assert pddl.read_problem(put(part, other)(text)).goal == DeadEnd()
    for pattern in (r"\(blocked b1 c1 d1\)", r"\(blocked.*\)"):
        with pytest.raises(InputError, match="every line"):
            pddl.read_problem(re.sub(pattern, "", text))


def test_the_goal_of_all_holes_is_a_partial_one_for_no_hole() -> None:
    text = PROBLEM.replace("(and (free a) (free b) (occupied c))", "()")
    assert pddl.read_problem(text, "p.pddl").goal == Partial(0)


def fault_of(before: str, after: str) -> str:
    """What is said of files for fewest moves whose domain has other words."""
    files = pddl.export(pegcp.problem("XXoXX", objective="fewest-moves"), domain="fewest-moves")
    assert before in files["domain.pddl"]
    with pytest.raises(InputError) as caught:
        pddl.read_problem(files["problem.pddl"], domain=(files["domain.pddl"].replace(before, after), "d"))
    return caught.value.message


def test_costs_of_a_domain_that_is_known_are_told_as_such() -> None:
    fault = fault_of("(increase (total-cost) 1)", "(increase (total-cost) 2)")
    assert fault == "the actions are those of peg-fewest-moves, but their costs are not: jump-new-move 1"


def test_a_cost_of_1_for_each_action_means_the_fewest_jumps() -> None:
    """The other actions of a plan are as many in each."""
    files = pddl.export(pegcp.problem("XoXX", objective="fewest-jumps"))
    domain = files["domain.pddl"].replace("(holding) (vacant ?h)", "(holding) (vacant ?h) (increase (total-cost) 1)")
    assert domain != files["domain.pddl"]
    task = pddl.read_task(files["problem.pddl"], "p.pddl", "p", (domain, "d.pddl"))
    assert task.problem.objective is Objective.FEWEST_JUMPS
    assert pddl.write_plan(task, pegcp.from_plan("XoXX", "(jump d1 c1 b1)\n(jump a1 b1 c1)")).endswith("; cost = 3\n")


def test_a_predicate_that_is_not_declared_is_told_as_such() -> None:
    assert 'the predicate "pog" is not declared' in fault_of("(peg ?from)", "(pog ?from)")
