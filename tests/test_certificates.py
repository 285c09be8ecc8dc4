"""Certificates: what they find, that they are never wrong, and that tampered ones are refused."""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import pegcp
from pegcp import library
from pegcp.checking.verification import explain, verify
from pegcp.errors import InputError
from pegcp.game import Board, DeadEnd, Exact, Goal, Objective, OnePeg, Partial, Position, Problem, lattice_board
from pegcp.game.lattice import lattice
from pegcp.method import Answer, Limits, Reason, Status
from pegcp.results.judge import judge_answer
from pegcp.theory.certificates import find
from pegcp.theory.parity import class_sets, position_class

DATA = Path(__file__).parent / "data"


def english_puzzle(puzzle: dict[str, Any]) -> Problem:
    board = pegcp.board("english")
    assert board.cells is not None
    index = {cell: i for i, cell in enumerate(board.cells)}
    pegs = sum(1 << index[r, c] for r, c in puzzle["pegs"])
    row, column = puzzle["target"]
    return Problem(board, Position(board, pegs), Exact(1 << index[row, column]))


def army(facts: dict[str, Any]) -> Problem:
    width, height = facts["cells"]["rect"]
    board = lattice_board([(y, x) for x in range(width) for y in range(height)], lattice("square"))
    assert board.cells is not None
    index = {cell: i for i, cell in enumerate(board.cells)}
    pegs, goal = (sum(1 << index[y, x] for x, y in facts[key]) for key in ("pegs", "goal_pegs"))
    return Problem(board, Position(board, pegs), Partial(goal))


@pytest.mark.long
def test_english_puzzles() -> None:
    """Of the 22 unsolvable ones 20 have a certificate; of the solvable ones none has."""
    puzzles = json.loads((DATA / "english_puzzles.json").read_text())
    without, settled = [], []
    for puzzle in puzzles:
        problem = english_puzzle(puzzle)
        certificate = find(problem)
        if certificate is None:
            without += [puzzle["id"]] * (not puzzle["solvable"])
        else:
            assert not puzzle["solvable"]
            settled.append((problem, certificate))
    assert sum(not puzzle["solvable"] for puzzle in puzzles) == 22
    assert without == [43, 100]
    for problem, certificate in random.Random(2).sample(settled, 3):
        assert verify(problem, certificate) is None


@pytest.mark.thorough
@pytest.mark.parametrize(
    "facts", json.loads((DATA / "row5_army.json").read_text()), ids=lambda facts: str(facts["name"])
)
def test_armies(facts: dict[str, Any]) -> None:
    """Every unsolvable army of the planning competition has a certificate."""
    problem = army(facts)
    certificate = find(problem)
    assert (certificate is None) == facts["solvable"]
    if certificate is not None:
        assert verify(problem, certificate) is None


def test_bundled_problems() -> None:
    found = {name: find(pegcp.problem(name)) for name in library.problem_names()}
    kinds = {name: certificate["kind"] for name, certificate in found.items() if certificate is not None}
    assert kinds == {"lab2": "finishes", "army5": "pagoda"}


def test_hopeless_positions_on_a_line() -> None:
    """About half of them have a certificate, no other position has."""
    chance = random.Random(3)
    board = pegcp.board("line9")
    solvable = [False] * (board.full + 1)
    for position in sorted(range(board.full + 1), key=int.bit_count):
        solvable[position] = position.bit_count() == 1 or any(
            jump.is_legal(position) and solvable[position ^ jump.mask] for jump in board.jumps
        )
    hopeless = settled = 0
    for position in chance.sample(range(board.full + 1), 60):
        answer = solvable[position]
        hopeless += not answer
        problem = Problem(board, Position(board, position), OnePeg())
        certificate = find(problem)
        assert certificate is None or not answer
        settled += certificate is not None
    assert solvable.count(False) == 439
    assert settled >= 0.45 * hopeless > 10


def reachable(board: Board, start: int) -> set[int]:
    seen = {start}
    queue = [start]
    for position in queue:
        for jump in board.jumps:
            if jump.is_legal(position) and position ^ jump.mask not in seen:
                seen.add(position ^ jump.mask)
                queue.append(position ^ jump.mask)
    return seen


SMALL = ("triangle15", "triangle10", "hexagon7", "line9", "cycle7", "cycle8", "rectangle3x4", "square3")


@settings(deadline=None, max_examples=10)
@given(st.sampled_from(SMALL), st.data())
def test_never_wrong(name: str, data: st.DataObject) -> None:
    """Against exhaustion, for every kind of goal."""
    board = pegcp.board(name)
    masks = st.integers(0, board.full)
    start = data.draw(masks)
    one, other = data.draw(masks), data.draw(masks)
    kinds: tuple[Goal, ...] = (Exact(one), Partial(one & ~other, other & ~one), OnePeg(), DeadEnd())
    goal = data.draw(st.sampled_from(kinds))
    problem = Problem(board, Position(board, start), goal)
    certificate = find(problem)
    if certificate is None:
        return
    assert explain(problem, certificate)  # which verifies it
    assert not any(problem.is_goal(position) for position in reachable(board, start))


@pytest.mark.parametrize(
    "name", ["english", "french", "triangle15", "hexagon19", "square6", "cycle9", "line6", "wiegleb"]
)
def test_position_class_is_invariant_and_complete(name: str) -> None:
    """Every jump keeps it, and there are as many independent sets as holes beyond the rank of the lines."""
    board = pegcp.board(name)
    draw = random.Random(5)
    for _ in range(20):
        position = draw.getrandbits(len(board.holes))
        for jump in board.jumps:
            assert position_class(board, position) == position_class(board, position ^ jump.mask)
    rank, rows = 0, [1 << a | 1 << o | 1 << b for a, o, b in board.lines]
    while rows:
        pivot = rows.pop()
        if pivot:
            rank += 1
            low = pivot & -pivot
            rows = [row ^ pivot if row & low else row for row in rows]
    assert len(class_sets(board)) == len(board.holes) - rank


def test_simple_reasons() -> None:
    board = pegcp.board("english")

    def kind(pegs: str, goal: Goal) -> str | None:
        certificate = find(Problem(board, Position(board, board.mask(pegs.split())), goal))
        return None if certificate is None else str(certificate["kind"])

    assert kind("", OnePeg()) == "count"
    assert kind("d4", Exact(board.mask(["d3", "d4"]))) == "count"
    assert kind("d4", Exact(0)) == "count"
    assert kind("d4", Partial(0, board.full)) == "count"
    assert kind("d4", Exact(board.mask(["d2"]))) == "count"
    assert kind("d4 d6", OnePeg()) == "dead-end"
    assert kind("d3 d4", Exact(board.mask(["d1"]))) == "class"
    assert kind("d4", OnePeg()) is None
    assert kind("d3 d4", OnePeg()) is None
    assert kind("", DeadEnd()) is None
    assert kind("", Partial(0, 1)) is None


def test_explanations_draw_the_evidence() -> None:
    lab2 = pegcp.problem("lab2")
    certificate = find(lab2)
    assert certificate is not None
    text = explain(lab2, certificate)
    assert "The last peg cannot be at" in text
    assert "The start has 8 pegs on them (even), the goal 1 (odd)." in text
    army5 = pegcp.problem("army5")
    certificate = find(army5)
    assert certificate is not None
    text = explain(army5, certificate)
    assert "The start weighs 77, the goal at least 102." in text
    assert "  34  34  68 102  68  34  34 " in text


@pytest.mark.parametrize(
    "changes",
    [
        lambda weights: {"weights": weights | {"e1": weights["e1"] + 1}},
        lambda weights: {"weights": weights | {"e1": 1.5}},
        lambda weights: {"weights": weights | {"zz": 1}},
        lambda _: {"kind": "class", "holes": ["e1"]},
        lambda _: {"kind": "class", "holes": []},
        lambda _: {"kind": ["list"]},
        lambda _: {"kind": "finishes"},
        lambda _: {"kind": "count"},
        lambda _: {"kind": "cases", "weights": {1, 2}},
    ],
)
def test_tampered_certificates_are_refused(changes: Callable[[dict[str, int]], dict[str, Any]]) -> None:
    problem = pegcp.problem("army5")
    certificate = find(problem)
    assert certificate is not None
    bad = certificate | changes(certificate["weights"])
    result = judge_answer(problem, "test", Answer(Status.INFEASIBLE, certificate=bad))
    assert (result.status, result.reason) == (Status.UNKNOWN, Reason.INVALID_SOLUTION)


@pytest.mark.parametrize(
    "certificate",
    [
        pytest.param({"kind": "dead-end"}, id="a jump is possible"),
        pytest.param({"kind": "count"}, id="the numbers of pegs fit"),
        pytest.param({"kind": "class", "holes": ["b1"]}, id="a jump changes the set"),
        pytest.param({"kind": "pagoda", "weights": {"a1": 1, "b1": 1, "c1": 1}}, id="the weights are equal"),
        pytest.param({"kind": "pagoda", "weights": {"a1": 1, "b1": -1}}, id="one of the jumps adds weight"),
    ],
)
def test_what_is_not_so_is_not_explained(certificate: dict[str, object]) -> None:
    """There is no solution, and the checker can see it; but not for the reason that is given."""
    problem = pegcp.problem("XXo", goal="a1")
    with pytest.raises(InputError, match="wrong"):
        explain(problem, certificate)


def test_a_wrong_certificate_is_not_explained() -> None:
    with pytest.raises(InputError, match="the certificate is wrong"):
        explain(pegcp.problem("army5"), {"kind": "pagoda", "weights": {}})


def test_finishes_must_cover_the_board() -> None:
    problem = pegcp.problem("lab2")
    certificate = find(problem)
    assert certificate is not None
    assert verify(problem, certificate) is None
    fewer = {"kind": "finishes", "cases": certificate["cases"][1:]}
    assert "rules out" in (verify(problem, fewer) or "")
    swapped = copy.deepcopy(certificate)
    swapped["cases"][0]["finishes"] = list(problem.board.holes)
    assert "separate" in (verify(problem, swapped) or "")  # the first case does not rule out all holes
    assert "malformed" in (verify(problem, {"kind": "finishes", "cases": [1]}) or "")


EVERYTHING = {"kind": "cases", "cuts": [[]], "tree": [["cut", 0]]}  # play whatever can be played


@pytest.mark.parametrize(
    ("limits", "reason"),
    [(Limits(time=0.2), Reason.TIME), pytest.param(Limits(memory=20), Reason.MEMORY, marks=pytest.mark.long)],
)
@pytest.mark.thorough
def test_a_check_keeps_the_limits_of_the_run(limits: Limits, reason: Reason) -> None:
    answer = Answer(Status.INFEASIBLE, certificate=EVERYTHING)
    result = judge_answer(pegcp.problem("square18"), "test", answer, limits)
    assert (result.status, result.reason) == (Status.UNKNOWN, reason)


def test_no_certificate_for_what_can_be_done() -> None:
    solved = Problem(pegcp.board("english"), Position(pegcp.board("english"), 1), OnePeg(), Objective.ANY)
    assert "satisfies the goal" in str(verify(solved, {"kind": "dead-end"}))
    fools = pegcp.problem("english:d4!")
    assert "separate" in str(verify(fools, {"kind": "class", "holes": []}))


def test_free_holes_with_negative_weights_count_for_the_goal() -> None:
    """A weight may be negative at the rim; a goal that leaves such a hole free may have a peg there."""
    board = pegcp.board("line4")
    certificate = {"kind": "pagoda", "weights": {"a1": -1, "b1": 1, "d1": 1}}
    start, end = Position(board, board.mask(["a1", "b1"])), board.mask(["d1"])
    assert verify(Problem(board, start, Partial(end, board.mask(["a1"]))), certificate) is None
    assert verify(Problem(board, start, Partial(end)), certificate) is not None


def test_a_model_is_not_asked_what_a_certificate_shows() -> None:
    """By ``solve``, for there only the answer counts; in a comparison the model has to find out itself."""
    result = pegcp.solve("army5", "moves", time_limit=30)
    assert (result.method, result.status) == ("moves", Status.INFEASIBLE)
    assert (result.evidence, result.statistics["chosen"]) == ("certificate", "certificate")
    assert "a certificate answered: moves was not run" in str(result)
    assert result.to_json()["message"] == "a certificate answered: moves was not run"
    assert result.statistics["certificate_seconds"] > 0
    assert (result.statistics["build_seconds"], result.statistics["solve_seconds"]) == (0, 0)


@pytest.mark.thorough
@pytest.mark.parametrize("method", [None, "moves"])
def test_solve_looks_for_a_certificate_of_what_is_only_claimed(method: str | None) -> None:
    """No quick certificate rules this line out, but a tree of cases does; the time of looking is not the method's."""
    result = pegcp.solve("oXXXX", method)
    assert (result.status, result.evidence, result.message) == (Status.INFEASIBLE, "certificate", "")
    assert method in (None, result.method)
    spent = [result.statistics[f"{part}_seconds"] for part in ("build", "solve", "certificate", "start")]
    assert sum(spent) < result.statistics["wall_seconds"]
    assert result.statistics["certificate_seconds"] > 0


def test_no_certificate_is_looked_for_in_the_host(monkeypatch: pytest.MonkeyPatch) -> None:
    def find(*_: object, **__: object) -> None:
        raise AssertionError

    monkeypatch.setattr("pegcp.theory.certificates.find", find)
    for method in (None, "moves"):
        assert pegcp.solve("english:c1->e5", method).evidence == "certificate"
    assert pegcp.solutions("english:c1->e5").complete


def test_weights_too_large_for_a_float_are_no_certificate() -> None:
    """On boards of some hundred holes the common denominator of the dual values can have a thousand digits."""
    problem = pegcp.problem("rectangle12x12", start="a8 a9 c10 a11 c11 b12 f12", goal="one peg")
    assert find(problem) is None
