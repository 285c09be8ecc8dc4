"""The encodings beside the domain that fits: what planners find in them is what breadth-first search says."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import pytest
from asking import answer
from parts import need

import pegcp
from pegcp.errors import InputError, InvalidSolution
from pegcp.formats import pddl
from pegcp.game import DeadEnd, Exact, Goal, Objective, OnePeg, Partial, Position, Problem
from pegcp.method import Reason, Status

pytestmark = pytest.mark.usefixtures("own_folder")
BOARDS = ("line6", "triangle10", "cycle8", "rectangle3x4")
# An encoding, with a planner that proves that there is no plan.
PROVERS = [
    ("fast-downward:encoding=parallel", Exact.kind),
    pytest.param("symk:encoding=parallel", Partial.kind, marks=pytest.mark.slow),
    pytest.param("enhsp:encoding=parallel", OnePeg.kind, marks=pytest.mark.slow),
]
FORMS = [
    ("triangle10:a2->b2", "parallel", "any"),
    ("triangle10:a2->?", "parallel", "fewest-steps"),
    ("triangle10:a2!", "derived", "any"),
    ("triangle10:a2!", "derived", "fewest-jumps"),
]


def scattered(kind: str, count: int, objective: Objective = Objective.ANY) -> Iterator[Problem]:
    """Random small problems; in more than half of them the goal is what some jumps lead to."""
    chance = random.Random(kind)
    for number in range(count):
        board = pegcp.board(BOARDS[number % len(BOARDS)])
        start = last = sum(1 << hole for hole in chance.sample(range(len(board.holes)), 5))
        for _ in range(chance.randrange(1, 5)):
            possible = [jump for jump in board.jumps if jump.is_legal(last)]
            last = last ^ chance.choice(possible).mask if possible else last
        if chance.random() < 0.4:
            last = chance.randrange(1, board.full)
        goals: dict[str, Goal] = {
            Exact.kind: Exact(last),
            OnePeg.kind: OnePeg(),
            DeadEnd.kind: DeadEnd(),
            Partial.kind: Partial(last & 0b110110110110, ~last & 0b1011001101 & board.full),
        }
        yield Problem(board, Position(board, start), goals[kind], objective, f"{kind} {number}")


@pytest.mark.thorough
@pytest.mark.parametrize(("method", "kind"), PROVERS)
def test_verdicts_are_those_of_search(method: str, kind: str) -> None:
    need(method.partition(":")[0])
    verdicts = set()
    for problem in scattered(kind, 8 if kind == Partial.kind else 4):
        result = answer(problem, method)
        assert result.status is answer(problem, "bfs").status, problem.text
        verdicts.add(result.status)
    assert verdicts == {Status.SOLVED, Status.INFEASIBLE}


@pytest.mark.thorough
@pytest.mark.parametrize(
    "method", ["fast-downward-opt", *(pytest.param(name, marks=pytest.mark.slow) for name in ("symk", "enhsp-opt"))]
)
def test_fewest_steps_are_proved_without_durations(method: str) -> None:
    need(method)
    for kind in (Exact.kind, OnePeg.kind):
        for problem in scattered(kind, 1, Objective.FEWEST_STEPS):
            one, other = answer(problem, method), answer(problem, "sat-parallel")
            assert (one.status, one.objective) == (other.status, other.objective), problem.text
    result = answer(pegcp.problem("triangle10:a2->?", objective="fewest-steps"), method)
    assert (result.status, result.objective) == (Status.OPTIMAL, 6)


@pytest.mark.long
@pytest.mark.parametrize(
    "method",
    [
        "fast-downward-opt:encoding=derived:search=astar(blind())",
        pytest.param("symk:encoding=derived", marks=pytest.mark.slow),
    ],
)
def test_dead_ends_by_derived_predicates(method: str) -> None:
    need(method.partition(":")[0])
    for problem in scattered(DeadEnd.kind, 2, Objective.FEWEST_JUMPS):
        one, other = answer(problem, method), answer(problem, "bfs")
        assert (one.status, one.objective) == (other.status, other.objective), problem.text
    result = answer(pegcp.problem("triangle15:b2!"), method)
    assert (result.status, result.objective, result.bound) == (Status.OPTIMAL, 6, 6)


@pytest.mark.thorough
def test_landmark_cut_does_not_take_derived_predicates() -> None:
    need("fast-downward")
    result = answer(pegcp.problem("triangle10:a2!"), "fast-downward-opt:encoding=derived")
    assert (result.status, result.reason) == (Status.UNKNOWN, Reason.UNSUPPORTED)


def test_a_refusal_names_the_domains_that_fit() -> None:
    with pytest.raises(InputError, match=r"fewest-jumps; domains that do: fools, derived$"):
        pegcp.export("triangle10:a2!", "pddl:encoding=jumps")
    with pytest.raises(InputError, match=r"domains that do: jumps, parallel, fewest-moves, pegsolitaire-netbenefit"):
        pegcp.export("english", "pddl:encoding=fools")
    with pytest.raises(InputError, match=r'did you mean "parallel"\?.* or derived or .* or competition$'):
        pegcp.export("english", "pddl:encoding=paralel")
    with pytest.raises(InputError, match='no option "domain"'):
        pegcp.export("english", "pddl:domain=parallel")
    result = answer(pegcp.problem("english"), "fast-downward:encoding=derived")
    assert (result.reason, "domains that do" in result.message) == (Reason.UNSUPPORTED, True)
    with pytest.raises(InputError, match="plain or parallel or derived"):
        pegcp.solve("english", "fast-downward:encoding=jumps")
    with pytest.raises(InputError, match="takes plain"):
        pegcp.solve("XoXX", "pyperplan:encoding=derived")


def files(name: str, encoding: str, objective: str) -> dict[str, str]:
    return pegcp.export(pegcp.problem(name, objective=objective), f"pddl:encoding={encoding}")


@pytest.mark.thorough
@pytest.mark.parametrize(("name", "encoding", "objective"), FORMS[1:3])
def test_independent_parsers_read_the_files(name: str, encoding: str, objective: str) -> None:
    """unified-planning has no derived predicates."""
    written = files(name, encoding, objective)
    for file, text in written.items():
        Path(file).write_text(text, encoding="utf-8")
    holes = len(pegcp.problem(name).board.holes)
    need("pddl")
    import pddl as reader

    domain, task = reader.parse_domain("domain.pddl"), reader.parse_problem("problem.pddl")
    assert (task.domain_name, len(task.objects)) == (domain.name, holes)
    if encoding != "derived":
        need("up_fast_downward")
        from unified_planning.io import PDDLReader

        domain, problem = list(written)[:2]
        assert len(PDDLReader().parse_problem(domain, problem).all_objects) == holes


@pytest.mark.parametrize(("name", "encoding", "objective"), FORMS)
def test_what_is_written_reads_back(name: str, encoding: str, objective: str) -> None:
    back = pddl.read_problem(files(name, encoding, objective)["problem.pddl"])
    problem = pegcp.problem(name)  # ten holes in a triangle are holes of a square lattice, too, with the same lines
    assert (back.board.lines, back.start.mask, back.goal) == (problem.board.lines, problem.start.mask, problem.goal)


def test_the_jumps_of_a_step_have_no_hole_in_common() -> None:
    problem = pegcp.problem("line4:b1->c1")
    plan = "(next-step)\n(jump d1 c1 b1)\n(next-step)\n(jump a1 b1 c1)\n"
    assert len(pddl.read_plan(problem, plan)) == 2
    for wrong, step in ((plan.replace("(next-step)\n(jump a1", "(jump a1"), 3), (plan.partition("\n")[2], 1)):
        with pytest.raises(InvalidSolution, match="fresh") as caught:
            pddl.read_plan(problem, wrong)
        assert caught.value.step == step
