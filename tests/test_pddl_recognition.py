"""Domains of other names and forms: recognised by what their ground actions do, or refused."""

from __future__ import annotations

import tracemalloc
from pathlib import Path
from typing import Any

import pytest
from asking import said
from competition import competition_file
from parts import need

import pegcp
from pegcp.errors import InputError, InvalidSolution
from pegcp.formats import pddl
from pegcp.formats.solution import read_solution
from pegcp.game import Exact, Objective, Partial, Problem

# A line of five holes: pegs at a, b and d; the last one at e.
STATE = "(full a) (full b) (empty c) (full d) (empty e)"
ROW = "(row a b c) (row c b a) (row b c d) (row d c b) (row c d e) (row e d c)"
HOP = """(:action hop :parameters (?x ?y ?z - spot)
  :precondition (and (row ?x ?y ?z) (full ?x) (full ?y) (empty ?z){wants})
  :effect (and (not (full ?x)) (not (full ?y)) (not (empty ?z)) (empty ?x) (empty ?y) (full ?z){does}))"""
SPOTS = "(:objects a b c d e - spot)"


def domain(*actions: str, types: str = "spot") -> str:
    return (
        f"(define (domain other) (:requirements :typing) (:types {types}) (:predicates (row ?x ?y ?z) (full ?x)"
        " (empty ?x) (next ?x ?y ?d) (at ?x ?p) (now ?t) (then ?t ?u) (idle) (hot ?x)) (:functions (total-cost))"
        f" {' '.join(actions)})"
    )


def task(objects: str, init: str, goal: str, more: str = "") -> str:
    return f"(define (problem p) (:domain other) {objects} (:init {init}) (:goal {goal}) {more})"


def read(of: str, problem: str) -> Problem:
    return pddl.read_problem(problem, "p.pddl", "p", (of, "d.pddl"))


PLAIN = domain(HOP.format(wants="", does=""))
GOAL = "(and (full e) (empty a) (empty b) (empty c) (empty d))"
STEPS = """(:action leap :parameters (?x ?y ?z - spot ?way - dir)
  :precondition (and (next ?x ?y ?way) (next ?y ?z ?way) (full ?x) (full ?y) (empty ?z))
  :effect (and (not (full ?x)) (not (full ?y)) (not (empty ?z)) (empty ?x) (empty ?y) (full ?z)))"""
NEXT = " ".join(f"(next {x} {y} east) (next {y} {x} west)" for x, y in ("ab", "bc", "cd", "de"))
FULL_ONLY = PLAIN.replace("(empty ?z))\n", "(not (full ?z)))\n").replace("(not (empty ?z)) (empty ?x) (empty ?y) ", "")
EMPTY_ONLY = (
    PLAIN.replace("(full ?x) (full ?y) (empty", "(not (empty ?x)) (not (empty ?y)) (empty")
    .replace("(not (full ?x)) (not (full ?y)) ", "")
    .replace(" (full ?z)))", "))")
)
MOVES = (
    HOP.format(wants=" (idle)", does=" (not (idle)) (hot ?z) (increase (total-cost) 1)").replace("hop", "first")
    + HOP.format(wants=" (hot ?x)", does=" (not (hot ?x)) (hot ?z)").replace("hop", "again")
    + "(:action rest :parameters (?x - spot) :precondition (hot ?x) :effect (and (idle) (not (hot ?x))))"
)

TIMED = """(:durative-action hop :parameters (?x ?y ?z - spot) :duration (= ?duration 1)
  :condition (and (at start (row ?x ?y ?z)) (at start (full ?x)) (at start (full ?y)) (at start (empty ?z)))
  :effect (and (at start (not (full ?x))) (at start (not (full ?y))) (at start (not (empty ?z)))
    (at end (empty ?x)) (at end (empty ?y)) (at end (full ?z))))"""


FORMS = [
    (PLAIN, SPOTS, f"{ROW} {STATE}", GOAL),
    (PLAIN.replace("- spot", ""), "(:objects a b c d e)", f"{ROW} {STATE}", GOAL),
    (PLAIN.replace("(not (empty ?z))", "(not (empty ?z)) (not (full ?y))"), SPOTS, f"{ROW} {STATE}", GOAL),
    (domain(STEPS, types="spot dir"), SPOTS[:-1] + " east west - dir)", f"{NEXT} {STATE}", GOAL),
    (FULL_ONLY, SPOTS, f"{ROW} (full a) (full b) (full d)", "(and (full e) (not (full a)) (not (full b)))"),
    (EMPTY_ONLY, SPOTS, f"{ROW} (empty c) (empty e)", "(and (not (empty e)) (empty a) (empty b) (empty c) (empty d))"),
]
NAMES = ["renamed", "untyped", "twice", "directions", "full only", "empty only"]


@pytest.mark.parametrize(("of", "objects", "init", "goal"), FORMS, ids=NAMES)
def test_forms_of_a_jump(of: str, objects: str, init: str, goal: str) -> None:
    found = read(of, task(objects, init, goal))
    assert (found.board.holes, len(found.board.lines)) == (("a", "b", "c", "d", "e"), 3)
    assert (found.start.pegs, found.objective) == (["a", "b", "d"], Objective.ANY)
    assert found.goal == (Partial(0b10000, 0b11) if of == FULL_ONLY else Exact(0b10000))


def test_jumps_that_cost_one() -> None:
    one = domain(HOP.format(wants="", does=" (increase (total-cost) 1)"))
    init = f"{ROW} {STATE} (= (total-cost) 0)"
    found = read(one, task(SPOTS, init, "(full e)", "(:metric minimize (total-cost))"))
    assert (found.objective, found.goal) == (Objective.FEWEST_JUMPS, Partial(0b10000))


def test_coordinates_without_a_word_for_empty() -> None:
    """A square of nine: jumps along rows and columns, forwards and backwards, and stones at two coordinates."""
    actions = []
    for a, b in ("xy", "yx"):
        for way, order in (("up", (1, 2, 3)), ("down", (3, 2, 1))):
            held = [f"?x{i} ?y" if a == "x" else f"?x ?y{i}" for i in order]
            actions.append(
                f"(:action {a}{way} :parameters (?{a}1 ?{a}2 ?{a}3 ?{b} - n) :precondition (and (succ ?{a}1 ?{a}2)"
                f" (succ ?{a}2 ?{a}3) (num ?{b}) (stone {held[0]}) (stone {held[1]}) (not (stone {held[2]})))"
                f" :effect (and (not (stone {held[0]})) (not (stone {held[1]})) (stone {held[2]})))"
            )
    init = "(succ n1 n2) (succ n2 n3) (num n1) (num n2) (num n3) (stone n1 n1) (stone n1 n2) (stone n3 n3)"
    found = read(domain(*actions, types="n"), task("(:objects n1 n2 n3 - n)", init, "(not (stone n1 n1))"))
    assert found.board == pegcp.board("rectangle3x3")
    assert (found.start.pegs, found.goal) == (["a1", "b1", "c3"], Partial(0, 1))


INIT = f"{ROW} {STATE}"
REFUSED = [
    (domain(), INIT, "actions: none"),
    (PLAIN.replace("(row ?x", "(not ?x"), INIT, "hop"),
    (domain(HOP.format(wants=" (not (full ?x))", does="")), INIT, "hop"),
    (domain(HOP.format(wants=" (empty ?y)", does="")), INIT, "hop"),
    (domain(HOP.format(wants=" (full ?w)", does="")), INIT, "hop.*parameter"),
    (domain(HOP.format(wants=" (or (full ?x))", does="")), INIT, "hop"),
    (domain(HOP.format(wants=" (not (and (full ?x) (full ?y)))", does="")), INIT, "hop"),
    (domain(HOP.format(wants=" (idle)", does=" (not (idle))")), INIT + "(idle)", "hop.*idle"),
    (domain(HOP.format(wants="", does=" (increase (total-cost) 3)")), INIT, "hop.*cost"),
    (domain(HOP.format(wants="", does=" (increase (steps) 1)")), INIT, "hop.*only total-cost"),
    (PLAIN, f"{INIT} (row a a b) (row b a a)", "hop a a b.*no jump back"),
    (PLAIN, f"{INIT} (row a b a)", "a b a.* is not a line"),
    (PLAIN.replace("(row ?x ?y ?z)", ""), INIT, "hop"),
    (PLAIN.replace("(full ?y) (empty", "(empty"), INIT, "hop"),
    (PLAIN.replace("(empty ?z))\n", ")\n"), INIT, "hop"),
    (PLAIN.replace("- spot", "- (either rock stone)"), INIT, "no action is a jump"),
    (PLAIN[:-1] + " (:action put :effect (full a)))", INIT, "put"),
    (PLAIN[:-1] + " (:action hop :effect (full a)))", INIT, "two actions"),
    (PLAIN[:-1] + " (:derived (full ?x) (row ?x ?x ?x)))", INIT, ":derived"),
    (PLAIN, f"(row a b c) {STATE}", "no jump back"),
    (PLAIN, f"{INIT} (full z)", "unknown object z"),
    (PLAIN, f"{INIT} (= (total-cost) 3)", "total-cost"),
    (PLAIN, f"{INIT} (full c)", "both"),
    (PLAIN, INIT.replace("(full d)", ""), "whether d"),
    (domain(MOVES), INIT + "(idle)", "first"),
    (domain(HOP.format(wants="", does="") + MOVES), INIT + "(idle)", "first"),
    (domain(TIMED), INIT, "hop.*durations"),
]


@pytest.mark.parametrize(("of", "init", "message"), REFUSED)
def test_other_games_are_refused_with_the_name_of_the_action(of: str, init: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        read(of, task(SPOTS, init, "(full e)"))


@pytest.mark.parametrize(
    "goal", ["(full)", "(full z)", "(or (full a))", "(row a b c)", "(not (row a b c))", "(not (idle))"]
)
def test_goals_that_are_not_about_holes_are_refused(goal: str) -> None:
    with pytest.raises(InputError, match=r"p.pddl:1:\d+"):
        read(PLAIN, task(SPOTS, INIT, goal))


def test_a_metric_needs_actions_that_cost_something() -> None:
    with pytest.raises(InputError, match="costs"):
        read(PLAIN, task(SPOTS, f"{INIT} (= (total-cost) 0)", GOAL, "(:metric minimize (total-cost))"))


@pytest.mark.parametrize("most", [5_000, pytest.param(50_000, marks=pytest.mark.slow)])
def test_a_domain_without_end_is_refused_soon(most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pegcp.formats.pddl.grounding._MOST_ACTIONS", most)
    monkeypatch.setattr("pegcp.formats.pddl.grounding._MOST_WORDS", 40 * most)
    many = " ".join(f"o{i}" for i in range(200))
    with pytest.raises(InputError, match="more than"):
        read(PLAIN.replace("(row ?x ?y ?z)", ""), task(f"(:objects {many} - spot)", "(full o1)", "(full o2)"))
    wide = domain(
        HOP.format(wants=" (row ?p ?q ?r) (row ?s ?t ?u)", does="").replace("?z - spot)", "?z ?p ?q ?r ?s ?t ?u)")
    )
    with pytest.raises(InputError, match="more than"):
        read(
            wide,
            task(
                f"(:objects {many})", " ".join(f"(row o{i} o{i} o{j})" for i in range(200) for j in (1, 2)), "(full o1)"
            ),
        )


# --- plans in the words of the domain

PLAYED = dict(zip(NAMES, FORMS, strict=True))


def played(name: str) -> pddl.PlanningTask:
    of, objects, init, goal = PLAYED[name]
    return pddl.read_task(task(objects, init, goal), "p.pddl", "p", (of, "d.pddl"))


PLANS = {
    "renamed": "(hop a b c)\n(hop c d e)\n",
    "untyped": "(hop a b c)\n(hop c d e)\n",
    "twice": "(hop a b c)\n(hop c d e)\n",
    "directions": "(leap a b c east)\n(leap c d e east)\n",
    "full only": "(hop a b c)\n(hop c d e)\n",
    "empty only": "(hop a b c)\n(hop c d e)\n",
}


@pytest.mark.parametrize("name", PLAYED)
def test_a_solution_is_a_plan_in_the_words_of_the_domain(name: str) -> None:
    found = played(name)
    jumps = read_solution(found.problem, "a-c c-e")
    text = pddl.write_plan(found, jumps)
    assert text.partition(";")[0] == PLANS[name]
    assert pddl.read_plan(found, text) == jumps
    assert pddl.metric_value(found, text) == 2


@pytest.mark.thorough
@pytest.mark.parametrize("name", PLAYED)
def test_unified_planning_accepts_these_plans(name: str) -> None:
    need("unified_planning")
    from unified_planning.engines import plan_validator
    from unified_planning.io import PDDLReader

    of, objects, init, goal = PLAYED[name]
    reader = PDDLReader()
    wanted: Any = reader.parse_problem_string(of, task(objects, init, goal))
    validator = plan_validator.SequentialPlanValidator()
    validator.skip_checks = True
    assert validator.validate(wanted, reader.parse_plan_string(wanted, PLANS[name]))


SEQUENTIAL = """(define (domain pegsolitaire-sequential)
  (:action jump-new-move :parameters (?from ?over ?to) :precondition (and (move-ended) (in-line ?from ?over ?to)
    (occupied ?from) (occupied ?over) (free ?to)) :effect (and (not (move-ended)) (not (occupied ?from))
    (not (occupied ?over)) (not (free ?to)) (free ?from) (free ?over) (occupied ?to) (last-visited ?to)))
  (:action jump-continue-move :parameters (?from ?over ?to) :precondition (and (last-visited ?from) (in-line ?from ?over
    ?to) (occupied ?from) (occupied ?over) (free ?to)) :effect (and (not (occupied ?from)) (not (occupied ?over))
    (not (free ?to)) (free ?from) (free ?over) (occupied ?to) (not (last-visited ?from)) (last-visited ?to)))
  (:action end-move :parameters (?at) :precondition (last-visited ?at) :effect (and (move-ended)
    (not (last-visited ?at)))))"""


LINE = [(0, column) for column in range(6)]
LEARNED = [
    ("(in-line ?from ?over ?to)\n", "", "jump-new-move"),
    ("(:action end-move", "(:predicates end-move", "jump-new-move"),
    ("(:action jump-continue-move", "(:action end-move) (:action jump-continue-move", "end-move"),
    (
        "(last-visited ?to)))\n  (:action jump",
        "(last-visited ?to) (not (in-line ?to ?to ?to))))\n  (:action jump",
        "jump",
    ),
    ("(and (move-ended) (in", "(and (move-ended) (occupied ?by) (in", "parameter"),
    ("(occupied ?over) (free ?to)) :effect", "(free ?to)) :effect", "jump-new-move"),
]


def test_a_domain_of_a_known_name_is_known_by_its_actions() -> None:
    problem = competition_file({(3, 1), (3, 2)}, (3, 3), metric=False)
    assert read(SEQUENTIAL, problem) == pddl.read_problem(problem)


@pytest.mark.parametrize(("before", "after", "message"), LEARNED)
def test_a_domain_of_a_known_name_with_other_actions_is_refused(before: str, after: str, message: str) -> None:
    """Those that the literature calls learned, or damages to test validators, have the competition's words."""
    assert before in SEQUENTIAL
    with pytest.raises(InputError, match=message):
        read(SEQUENTIAL.replace(before, after), competition_file({(0, 1), (0, 2)}, (0, 3), metric=False, cells=LINE))


@pytest.mark.parametrize(
    ("name", "before", "after", "message"),
    [
        ("renamed", "(hop a b c)\n", "", "step 1 "),
        ("renamed", "(hop c d e)", "(hop c d f)", "step 2.*f"),
        ("renamed", "(hop c d e)", "(hop e d c)", "step 2 "),
        ("renamed", "(hop a b c)", "(hop a b e)", "step 1 .*objects"),
        ("renamed", "(hop c d e)", "(hop c d)", "step 2 .*objects"),
        ("renamed", "(hop c d e)", "", "goal"),
        ("renamed", "hop c", "hip c", "step 2 .*hip"),
        ("renamed", "(hop c", "hop c", "step 2: .*action"),
        ("directions", "d e east", "d e west", "step 2 .*objects"),
        ("full only", "(hop c d e)", "(hop e d c)", "step 2 "),
        ("empty only", "(hop c d e)", "(hop e d c)", "step 2 "),
    ],
)
def test_plans_that_lie(name: str, before: str, after: str, message: str) -> None:
    with pytest.raises((InputError, InvalidSolution), match=message):
        pddl.metric_value(played(name), PLANS[name].replace(before, after))


@pytest.mark.usefixtures("own_folder")
def test_the_domain_lies_beside_its_problem() -> None:
    Path("p01.pddl").write_text(task(SPOTS, f"{ROW} {STATE}", GOAL), "utf-8")
    assert "put its file beside" in said("import", "p01.pddl")[1]
    Path("other.pddl").write_text(PLAIN, "utf-8")
    assert "e" in said("import", "p01.pddl", "--domain", "other.pddl")[0]
    Path("other.pddl").rename("domain.pddl")
    assert pegcp.problem("p01.pddl").start.pegs == ["a", "b", "d"]


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("name", "objective", "goal"),
    [
        ("triangle10:a2->a2", "fewest-moves", None),
        ("triangle10:a1", "fewest-steps", "a2 -a1 *"),
        ("line6:b1->e1", None, None),
        ("triangle10:a1", "fewest-jumps", "a2 -a1 *"),
    ],
)
def test_what_unified_planning_writes_reads_back(name: str, objective: str | None, goal: str | None) -> None:
    need("unified_planning")
    from unified_planning.io import PDDLReader, PDDLWriter
    from unified_planning.shortcuts import get_environment

    get_environment().credits_stream = None
    problem = pegcp.problem(name, objective=objective, goal=goal)
    assert pegcp.from_unified_planning(pegcp.to_unified_planning(problem)) == problem
    if problem.objective is not Objective.FEWEST_JUMPS:
        files = pddl.export(problem, domain="competition")
        writer = PDDLWriter(PDDLReader().parse_problem_string(files["domain.pddl"], files["problem.pddl"]))
        assert read(writer.get_domain(), writer.get_problem()) == problem


def test_the_help_of_import_says_which_domains_of_other_names_are_read() -> None:
    from pegcp.cli.files import import_

    assert "single jump" in (import_.help or "")


@pytest.mark.parametrize("parameters", [200, 25])
def test_few_words_for_very_many_actions_are_refused_without_their_memory(
    parameters: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Three parameters are free among 99 objects, the others are bound: a million bindings, each of many words."""
    from pegcp.formats.pddl.facts import Reader
    from pegcp.formats.pddl.grounding import GroundTask
    from pegcp.formats.pddl.syntax import parse

    names = [f"?p{number}" for number in range(parameters)]
    objects = " ".join(f"o{number}" for number in range(99))
    action = f"(:action a :parameters ({' '.join(names)}) :precondition (s {' '.join(names[3:])}) :effect (q ?p0))"
    init = f"(:init (s {' '.join(f'o{number % 99}' for number in range(parameters - 3))}))"
    domain = parse(action, "d")
    sections = {form.head: form for form in parse(f"(:objects {objects}) {init}", "p")}
    monkeypatch.setattr("pegcp.formats.pddl.grounding._MOST_WORDS", 50_000)
    tracemalloc.start()
    try:
        with pytest.raises(InputError, match="too many ways"):
            GroundTask(domain, sections, Reader())
        assert tracemalloc.get_traced_memory()[1] < 10_000_000
    finally:
        tracemalloc.stop()


def test_costs_count_however_deep_in_a_conjunction_they_stand() -> None:
    files = pddl.export(pegcp.problem("XoXX", objective="fewest-jumps"))
    domain = files["domain.pddl"].replace("(increase (total-cost) 1)", "(and (increase (total-cost) 1))")
    assert domain != files["domain.pddl"]
    read = pddl.read_problem(files["problem.pddl"], domain=(domain, "domain.pddl"))
    assert read.objective is Objective.FEWEST_JUMPS


def test_a_time_in_a_goal_is_refused_at_its_place() -> None:
    text = pddl.export(pegcp.problem("triangle15:a1->a1"))["problem.pddl"]
    begin, peg, end = text.rpartition("(peg a1)")
    with pytest.raises(InputError, match="a timed fact") as caught:
        pddl.read_problem(f"{begin}(at end {peg}){end}")
    assert caught.value.line == text.count("\n", 0, len(begin)) + 1


def test_thousands_of_static_conditions_are_no_recursion() -> None:
    conditions = " ".join(f"(s{number} ?x o1)" for number in range(1500))
    facts = " ".join(f"(s{number} o2 o1)" for number in range(1500))
    domain = f"(define (domain d) (:action a :parameters (?x) :precondition (and {conditions}) :effect (q ?x)))"
    problem = f"(define (problem p) (:domain d) (:objects o1 o2) (:init {facts}) (:goal (q o2)))"
    with pytest.raises(InputError, match="no action is a jump"):
        pddl.read_problem(problem, domain=(domain, "d"))
