"""Domains with other names and other forms: recognised by what their actions do, or told why not."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from asking import said, typed
from competition import competition_file
from parts import need

import pegcp
from pegcp.errors import InputError, InvalidSolution
from pegcp.formats import pddl
from pegcp.formats.solution import read_solution
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

REST = MOVES[MOVES.index("(:action rest") :]


FORMS = [
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
]
NAMES = ["renamed", "untyped", "twice", "directions", "pegs", "ticks"]


@pytest.mark.parametrize(("of", "objects", "init", "goal"), FORMS, ids=NAMES)
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
        (PLAIN.replace("(row ?x", "(not ?x"), task(SPOTS, STATE, GOAL), r"hop: \(not \?x"),
        (PLAIN, task(SPOTS, f"{ROW} {STATE} (full ?a)", GOAL), r"unknown object \?a"),
        (domain(HOP.format(wants=" (not (full ?x))", does="")), task(SPOTS, STATE, GOAL), "hop: .* no other hole"),
        (domain(HOP.format(wants=" (empty ?y)", does="")), task(SPOTS, STATE, GOAL), "hop: .* no other hole"),
        (domain(HOP.format(wants=" (not (empty ?z))", does="")), task(SPOTS, STATE, GOAL), "hop: .* no other hole"),
        (PLAIN.replace("(row ?x ?y ?z)", ""), task(SPOTS, STATE, GOAL), "hop: no relation .* which hole \\?x"),
        (PLAIN.replace("(full ?y) (empty", "(empty"), task(SPOTS, STATE, GOAL), "hop: it takes a peg at \\?y"),
        (PLAIN.replace("(empty ?z))\n", ")\n"), task(SPOTS, STATE, GOAL), "hop: it does not ask that \\?z is empty"),
        (domain(HOP.format(wants=" (awake)", does=" (not (awake))")), task(SPOTS, STATE, GOAL), "hop: \\(awake\\)"),
        (
            domain(HOP.format(wants=" (full ?w)", does="")),
            task(SPOTS, STATE, GOAL),
            "hop: \\?w in \\(full \\?w\\) is no parameter",
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
        (PLAIN, task(SPOTS, f"{ROW} {STATE}", "(full f)"), "\\(full f\\): unknown object f"),
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


@pytest.mark.parametrize(
    ("parameters", "wants", "peg", "message"),
    [
        ("?p ?q - ball", "", "?p", "type ball, and p is none"),
        ("?p - peg ?q - ball", "", "?p", "type ball, and p is none"),
        ("?p ?q - peg", "(hot ?q)", "?p", r"\(hot \?q\) is not true of the peg r"),
        ("?p ?q - peg", "(then ?p ?q)", "?p", r"\(then \?p \?q\) is about one peg"),
        ("?p ?q - peg", "(not (hot ?p))", "?p", r"\(hot \?p\) is about one peg"),
        ("?p ?q - peg", "(not (= ?p q))", "?p", r"\(= \?p q\) is about one peg"),
        ("?p ?q ?r - peg", "", "?r", r"\?r is none of two that it takes"),
        ("?p ?q - peg", "", "q", "q is none of two that it takes"),
        ("?p ?q - peg ?w - spot", "", "?p", r"does not ask for anything of \?w"),
    ],
)
def test_pegs_that_are_objects_are_alike(parameters: str, wants: str, peg: str, message: str) -> None:
    """What only some pegs may do is not peg solitaire: the rest of the board would be read without it."""
    of = PEGS.replace("?p ?q - peg", parameters).replace("(at ?z ?p)", f"(at ?z {peg})")
    start = f"{ROW} (at a p) (at b q) (empty c) (at d r) (empty e) (hot p) (hot q)"
    wrong = domain(of.replace("(empty ?z))\n", f"(empty ?z) {wants})\n"), types="spot peg ball")
    with pytest.raises(InputError, match=message):
        read(wrong, task(SPOTS[:-1] + " p q r - peg)", start, "(empty a)"))


def test_what_is_true_of_all_pegs_does_not_matter() -> None:
    of = PEGS.replace("(empty ?z))\n", "(empty ?z) (hot ?p) (hot ?q) (not (= ?p ?q)))\n")
    start = f"{ROW} (at a p) (at b q) (empty c) (at d r) (empty e) (hot p) (hot q) (hot r) (at a p)"
    found = read(domain(of, types="spot peg"), task(SPOTS[:-1] + " p q r - peg)", start, "(empty a)"))
    assert (found.start.pegs, len(found.board.lines)) == (["a", "b", "d"], 3)
    for more, message in (("(at a s)", "2 pegs at a"), ("(at e r)", "r in 2 holes")):
        with pytest.raises(InputError, match=message):
            read(domain(of, types="spot peg"), task(SPOTS[:-1] + " p q r s - peg)", start + more, "(empty a)"))


@pytest.mark.parametrize(
    ("before", "after", "message"),
    [
        ("(not (idle)) (hot ?z)", "(not (idle)) (warm ?z)", r"again: \(hot ...\) is not understood beside \(warm"),
        ("(not (idle)) (hot ?z)", "(not (idle))", r"first: \(idle\) is not understood"),
        (REST, REST + HOP.format(wants="", does=""), "hop: it is in no move"),
        (MOVES[: MOVES.index("(:action again")], "", "rest: it is neither a jump nor the end"),
    ],
)
def test_all_jumps_keep_the_same_book_of_moves(before: str, after: str, message: str) -> None:
    assert MOVES.count(before) == 1
    with pytest.raises(InputError, match=message):
        read(domain(MOVES.replace(before, after)), task(SPOTS, f"{ROW} {STATE} (idle)", GOAL))


def test_a_move_goes_on_with_the_peg_that_jumps() -> None:
    other = MOVES.replace("(empty ?z) (hot ?x))", "(empty ?z) (hot ?y))").replace(
        "(not (hot ?x)) (hot ?z)", "(not (hot ?y)) (hot ?z)"
    )
    with pytest.raises(InputError, match=r"again: \(hot \?y\): a move goes on with the peg that jumps"):
        read(domain(other), task(SPOTS, f"{ROW} {STATE} (idle)", GOAL))


@pytest.mark.parametrize(
    ("goal", "message"),
    [
        ("(not (at e p))", "about one peg, p"),
        ("(at e ?p)", r"unknown object \?p"),
        ("(exists (?p - spot) (at e ?p))", '"exists" is not understood'),
        ("(exists (?q - peg) (at e p))", "about one peg, p"),
        ("(exists (?q - peg) (at ?q e))", "about one peg, e"),
        ("(exists (?x - peg) (empty ?x))", '"exists" is not understood'),
    ],
)
def test_a_goal_is_about_any_peg(goal: str, message: str) -> None:
    start = f"{ROW} (at a p) (at b q) (empty c) (at d r) (empty e)"
    with pytest.raises(InputError, match=message):
        read(domain(PEGS, types="spot peg"), task(SPOTS[:-1] + " p q r - peg)", start, goal))


@pytest.mark.parametrize(
    "rest",
    [
        REST.replace("- spot", "- ball"),
        REST.replace("(hot ?x) :effect", "(and (hot ?x) (row a ?x b)) :effect"),
        REST.replace("?x - spot", "").replace("?x", "b"),
    ],
)
def test_a_move_can_end_at_every_hole(rest: str) -> None:
    with pytest.raises(InputError, match="no move can end at c"):
        read(domain(MOVES.replace(REST, rest), types="spot ball"), task(SPOTS, f"{ROW} {STATE} (idle)", GOAL))


def test_moves_may_end_by_an_action_for_each_hole() -> None:
    each = "".join(REST.replace("?x - spot", "").replace("rest", f"rest-{x}").replace("?x", x) for x in "abcde")
    wanted = task(SPOTS, f"{ROW} {STATE} (idle)", f"{GOAL[:-1]} (idle))")
    found = pddl.read_task(wanted, "p.pddl", "p", (domain(MOVES.replace(REST, each)), "d.pddl"))
    assert pddl.write_plan(found, read_solution(found.problem, "a-c c-e")).splitlines()[2] == "(rest-e)"


# --- plans in the words of the domain


def _timed() -> str:
    """A hop that takes two units of time: it takes at its start, and gives at its end."""
    wants = "".join(f"(at start {fact})" for fact in ("(row ?x ?y ?z)", "(full ?x)", "(full ?y)", "(empty ?z)"))
    takes = "".join(f"(at start (not {fact}))" for fact in ("(full ?x)", "(full ?y)", "(empty ?z)"))
    gives = "".join(f"(at end {fact})" for fact in ("(empty ?x)", "(empty ?y)", "(full ?z)"))
    return f"""(:durative-action hop :parameters (?x ?y ?z - spot) :duration (= ?duration 2)
        :condition (and {wants}) :effect (and {takes} {gives}))"""


PLAYED = {
    **dict(zip(NAMES, FORMS, strict=True)),
    "moves": (domain(MOVES), SPOTS, f"{ROW} {STATE} (idle) (= (total-cost) 0)", f"{GOAL[:-1]} (idle))"),
    "timed": (domain(_timed()), SPOTS, f"{ROW} {STATE}", GOAL),
}


def played(name: str) -> pddl.Task:
    of, objects, init, goal = PLAYED[name]
    return pddl.read_task(task(objects, init, goal), "p.pddl", "p", (of, "d.pddl"))


PLANS = {
    "renamed": "(hop a b c)\n(hop c d e)\n",
    "untyped": "(hop a b c)\n(hop c d e)\n",
    "twice": "(hop a b c)\n(hop c d e)\n",
    "directions": "(leap a b c east)\n(leap c d e east)\n",
    "pegs": "(over p q a b c)\n(over p r c d e)\n",
    "ticks": "(hop a b c t0 t1)\n(hop c d e t1 t2)\n",
    "moves": "(first a b c)\n(again c d e)\n(rest e)\n",
    "timed": "0.000: (hop a b c) [2.000]\n2.020: (hop c d e) [2.000]\n",
}


@pytest.mark.parametrize("name", PLAYED)
def test_a_solution_is_a_plan_in_the_words_of_the_domain(name: str) -> None:
    found = played(name)
    jumps = read_solution(found.problem, "a-c c-e")
    text = pddl.write_plan(found, jumps)
    assert text.partition(";")[0] == PLANS[name]
    assert pddl.read_plan(found, text) == jumps
    assert pddl.metric_value(found, text) == (3 if name == "moves" else 2)


@pytest.mark.thorough
@pytest.mark.parametrize("name", PLAYED)
def test_unified_planning_accepts_these_plans(name: str) -> None:
    need("unified_planning")
    from unified_planning.engines import plan_validator
    from unified_planning.io import PDDLReader

    of, objects, init, goal = PLAYED[name]
    reader = PDDLReader()
    wanted: Any = reader.parse_problem_string(of, task(objects, init, goal))
    timed = name == "timed"
    validator = plan_validator.TimeTriggeredPlanValidator() if timed else plan_validator.SequentialPlanValidator()
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


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (("free ?to)) :effect", "free ?to)) :effect"), ""),
        (("(in-line ?from ?over ?to)\n", ""), "which hole \\?from"),
        (("(:action end-move", "(:predicates end-move"), "no action ends a move"),
        (("(:action jump-continue-move", "(:action end-move) (:action jump-continue-move"), "end-move: it is neither"),
        (
            (
                "(last-visited ?to)))\n  (:action jump",
                "(last-visited ?to) (not (in-line ?to ?to ?to))))\n  (:action jump",
            ),
            "jump-new",
        ),
        (("(and (move-ended) (in", "(and (move-ended) (occupied ?by) (in"), "is no parameter"),
    ],
)
def test_a_domain_that_has_a_known_name_must_have_its_actions(change: tuple[str, str], message: str) -> None:
    """Those that the literature calls learned, or damages to test validators, have the competition's words."""
    problem = competition_file({(3, 1), (3, 2)}, (3, 3), metric=False)
    if not message:
        assert read(SEQUENTIAL, problem) == pddl.read_problem(problem)
    else:
        with pytest.raises(InputError, match=message):
            read(SEQUENTIAL.replace(*change), problem)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (("(at start (not (empty ?z)))", "(at end (not (empty ?z)))"), "takes \\(empty \\?z\\) at end"),
        (("(at end (empty ?x))", "(at start (empty ?x))"), "gives \\(empty \\?x\\) at start"),
        (("(at start (full ?y))", "(over all (full ?y))"), "wants \\(full \\?y\\) later"),
        (("(= ?duration 2)", "(<= ?duration 2)"), "a duration that is not"),
    ],
)
def test_when_an_action_takes_and_gives(change: tuple[str, str], message: str) -> None:
    of, objects, init, goal = PLAYED["timed"]
    with pytest.raises(InputError, match=message):
        read(of.replace(*change), task(objects, init, goal))


@pytest.mark.parametrize(
    ("name", "change", "message"),
    [
        ("renamed", ("(hop a b c)\n", ""), "step 1 .*\\(full c\\) is not true"),
        ("renamed", ("(hop c d e)", "(hop c d f)"), 'step 2: there is no object "f"'),
        ("renamed", ("(hop c d e)", "(hop e d c)"), "step 2 .*\\(full e\\) is not true"),
        ("renamed", ("(hop c d e)", "(hop b c d)"), "step 2 .*\\(full b\\) is not true"),
        ("renamed", ("(hop a b c)", "(hop a b e)"), "step 1 .*\\(row a b e\\) is not true"),
        ("renamed", ("(hop c d e)", "(hop c d e e)"), "step 2: hop takes 3 objects, not 4"),
        ("renamed", ("(hop c d e)", "(hop c d)"), "step 2: hop takes 3 objects, not 2"),
        ("renamed", ("(hop c d e)", ""), "the goal .* is not reached"),
        ("renamed", ("hop c", "hip c"), 'step 2: unknown action "hip"'),
        ("renamed", ("(hop c", "hop c"), "step 2: .* is not an action"),
        ("directions", ("d e east", "d e west"), "step 2 .*\\(next c d west\\) is not true"),
        ("directions", ("d e east", "d east e"), "step 2: east is no spot"),
        ("pegs", ("over p r", "over q r"), "step 2 .*\\(at c q\\) is not true"),
        ("ticks", ("t1 t2", "t0 t1"), "step 2 .*\\(now t0\\) is not true"),
        ("ticks", ("t0 t1", "t0 t2"), "step 1 .*\\(then t0 t2\\) is not true"),
        ("moves", ("(again", "(first"), "step 2 .*\\(idle\\) is not true"),
        ("moves", ("(rest e)\n", ""), "ends without making \\(between-moves\\) true"),
        ("moves", ("(rest e)", "(rest c)"), "step 3 .*\\(hot c\\) is not true"),
        ("timed", ("2.020", "1.000"), "step 2 .*begins while step 1"),
        ("timed", ("2.020", "2.000"), "step 2 .*begins while step 1"),
        ("timed", ("[2.000]", "[1.000]"), "step 1 .*takes 2"),
    ],
)
def test_plans_that_lie(name: str, change: tuple[str, str], message: str) -> None:
    with pytest.raises((InputError, InvalidSolution), match=message):
        pddl.metric_value(played(name), PLANS[name].replace(*change))


@pytest.mark.usefixtures("own_folder")
def test_check_and_solve_speak_the_words_of_the_file() -> None:
    of, objects, init, goal = PLAYED["pegs"]
    Path("p01.pddl").write_text(task(objects, init, goal), "utf-8")
    Path("domain.pddl").write_text(of, "utf-8")
    Path("mine.plan").write_text(PLANS["pegs"], "utf-8")
    assert said("check", "p01.pddl", "mine.plan")[0].endswith(
        "as the problem file counts (actions, it has no metric): 2\n"
    )
    typed("solve", "p01.pddl", "-m", "dfs", "-o", "own.soln")
    assert Path("own.soln").read_text("utf-8").partition(";")[0] == PLANS["pegs"]
    Path("lie.plan").write_text(PLANS["pegs"].replace("over p r", "over q r"), "utf-8")
    assert "(at c q) is not true" in typed("check", "p01.pddl", "lie.plan", status=4)
    assert "unknown action" in typed("check", "p01.pddl", "mine.plan", "--start", "a b d e", status=2)


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
