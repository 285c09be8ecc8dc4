"""Domains with other names and other forms: recognised by what their actions do, or told why not."""

from __future__ import annotations

from pathlib import Path

import pytest
from asking import said
from parts import need

import pegcp
from pegcp.errors import InputError
from pegcp.formats import pddl
from pegcp.game.goal import Exact, Objective, Partial
from pegcp.game.problem import Problem

# A line of five holes: pegs at a, b and d; the last one at e.
STATE = "(full a) (full b) (empty c) (full d) (empty e)"
ROW = "(row a b c) (row c b a) (row b c d) (row d c b) (row c d e) (row e d c)"
HOP = """(:action hop :parameters (?x ?y ?z - spot)
  :precondition (and (row ?x ?y ?z) (full ?x) (full ?y) (empty ?z){wants})
  :effect (and (not (full ?x)) (not (full ?y)) (not (empty ?z)) (empty ?x) (empty ?y) (full ?z){does}))"""
SPOTS = "(:objects a b c d e - spot)"


def domain(*actions: str, types: str = "spot") -> str:
    return f"(define (domain other) (:types {types}) {' '.join(actions)})"


def task(objects: str, init: str, goal: str, more: str = "") -> str:
    return f"(define (problem p) (:domain other) {objects} (:init {init}) (:goal {goal}) {more})"


def read(of: str, problem: str) -> Problem:
    return pddl.read_problem(problem, "p.pddl", "p", (of, "d.pddl"))


PLAIN = domain(HOP.format(wants="", does=""))
GOAL = "(and (full e) (empty a) (empty b) (empty c) (empty d))"
STEPS = """(:action east :parameters (?x ?y ?z - spot ?way - dir)
  :precondition (and (next ?x ?y ?way) (next ?y ?z ?way) (full ?x) (full ?y) (empty ?z))
  :effect (and (not (full ?x)) (not (full ?y)) (not (empty ?z)) (empty ?x) (empty ?y) (full ?z)))"""
NEXT = " ".join(f"(next {x} {y} east) (next {y} {x} west)" for x, y in ("ab", "bc", "cd", "de"))
PEGS = """(:action over :parameters (?p ?q - peg ?x ?y ?z - spot)
  :precondition (and (row ?x ?y ?z) (at ?x ?p) (at ?y ?q) (empty ?z))
  :effect (and (not (at ?x ?p)) (not (at ?y ?q)) (not (empty ?z)) (empty ?x) (empty ?y) (at ?z ?p)))"""
TICK = HOP.format(wants=" (now ?t) (then ?t ?u)", does=" (not (now ?t)) (now ?u)").replace(
    "?z - spot)", "?z - spot ?t ?u - tick)"
)
MOVES = (
    HOP.format(wants=" (idle)", does=" (not (idle)) (hot ?z) (increase (total-cost) 1)").replace("hop", "first")
    + HOP.format(wants=" (hot ?x)", does=" (not (hot ?x)) (hot ?z)").replace("hop", "again")
    + "(:action rest :parameters (?x - spot) :precondition (hot ?x) :effect (and (idle) (not (hot ?x))))"
)


@pytest.mark.parametrize(
    ("of", "objects", "init", "goal"),
    [
        (PLAIN, SPOTS, f"{ROW} {STATE}", GOAL),
        (PLAIN.replace("- spot", ""), "(:objects a b c d e)", f"{ROW} {STATE}", GOAL),
        (PLAIN.replace("(not (empty ?z))", "(not (empty ?z)) (not (full ?y))"), SPOTS, f"{ROW} {STATE}", GOAL),
        (domain(STEPS, types="spot dir"), SPOTS[:-1] + " east west - dir)", f"{NEXT} {STATE}", GOAL),
        (
            domain(PEGS, types="spot peg"),
            SPOTS[:-1] + " p q r - peg)",
            f"{ROW} (at a p) (at b q) (empty c) (at d r) (empty e)",
            "(and (exists (?p - peg) (at e ?p)) (empty a) (empty b) (empty c) (empty d))",
        ),
        (
            domain(TICK, types="spot tick"),
            SPOTS[:-1] + " t0 t1 t2 - tick)",
            f"{ROW} {STATE} (now t0) (then t0 t1) (then t1 t2)",
            GOAL,
        ),
    ],
    ids=["renamed", "untyped", "twice", "directions", "pegs", "ticks"],
)
def test_forms_of_a_jump(of: str, objects: str, init: str, goal: str) -> None:
    found = read(of, task(objects, init, goal))
    assert (found.board.holes, len(found.board.lines)) == (("a", "b", "c", "d", "e"), 3)
    assert (found.start.pegs, found.goal, found.objective) == (["a", "b", "d"], Exact(0b10000), Objective.ANY)


def test_moves_and_costs() -> None:
    costs = f"{ROW} {STATE} (idle) (= (total-cost) 0)"
    found = read(domain(MOVES), task(SPOTS, costs, GOAL, "(:metric minimize (total-cost))"))
    assert found.objective is Objective.FEWEST_MOVES
    one = domain(HOP.format(wants="", does=" (increase (total-cost) 1)"))
    found = read(one, task(SPOTS, costs.replace("(idle)", ""), "(full e)", "(:metric minimize (total-cost))"))
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


@pytest.mark.parametrize(
    ("of", "problem", "message"),
    [
        (domain(), task(SPOTS, STATE, GOAL), "no action takes"),
        (PLAIN.replace("(row ?x ?y ?z)", ""), task(SPOTS, STATE, GOAL), "hop: no relation .* which hole \\?x"),
        (PLAIN.replace("(full ?y) (empty", "(empty"), task(SPOTS, STATE, GOAL), "hop: it takes a peg at \\?y"),
        (PLAIN.replace("(empty ?z))", ")"), task(SPOTS, STATE, GOAL), "hop: it does not ask that \\?z is empty"),
        (domain(HOP.format(wants=" (awake)", does=" (not (awake))")), task(SPOTS, STATE, GOAL), "hop: \\(awake\\)"),
        (
            domain(HOP.format(wants=" (full ?w)", does="")),
            task(SPOTS, STATE, GOAL),
            "hop: a fourth hole in \\(full \\?w",
        ),
        (domain(HOP.format(wants=" (or (full ?x))", does="")), task(SPOTS, STATE, GOAL), "hop: \\(or"),
        (
            PLAIN[:-1] + " (:action put :effect (full a)))",
            task(SPOTS, STATE, GOAL),
            "put: it is neither .*\\(full a\\)",
        ),
        (PLAIN, task(SPOTS, STATE + "(row a b c)", GOAL), "cannot jump back"),
        (
            PLAIN.replace("(not (full ?y))", "(not (full ?y ?z))"),
            task(SPOTS, STATE, GOAL),
            "hop: \\(full \\?y \\?z\\) has 2",
        ),
        (PLAIN, task(SPOTS, f"{ROW} {STATE} (row a b)", GOAL), "\\(row a b\\)"),
        (PLAIN, task(SPOTS, f"{ROW} {STATE}", "(full)"), "\\(full\\)"),
        (PLAIN, task(SPOTS, f"{ROW} {STATE}", "(full f)"), "\\(full f\\): there is no such hole"),
        (PLAIN, task(SPOTS, f"{ROW} {STATE}", "(or (full a))"), '"or" is not understood'),
        (PLAIN, task(SPOTS, f"{ROW} {STATE}", GOAL, "(:metric minimize (total-cost))"), "no action .* costs"),
        (
            domain(HOP.format(wants="", does=" (increase (total-cost) 3)")),
            task(SPOTS, f"{ROW} {STATE}", GOAL),
            "a cost of 3",
        ),
        (
            domain(PEGS, types="spot peg"),
            task(SPOTS[:-1] + " p q r - peg)", f"{ROW} (at a p) (at b q) (empty c) (at d r) (empty e)", "(at e p)"),
            "about one peg, p",
        ),
        (
            domain(TICK, types="spot tick"),
            task(SPOTS[:-1] + " t0 t1 - tick)", f"{ROW} {STATE} (now t0) (then t0 t1)", GOAL),
            "hop: \\(now ...\\) allows 1 jump",
        ),
    ],
)
def test_what_does_not_fit_is_told(of: str, problem: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        read(of, problem)


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
        ("triangle15:a1->a1", "fewest-moves", None),
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
