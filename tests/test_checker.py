"""The replay: against one written on sets of names, and on solutions that were tampered with."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import pegcp
from pegcp.errors import InvalidSolution
from pegcp.formats.solution import read_solution
from pegcp.game import (
    DeadEnd,
    Exact,
    Jump,
    Nearest,
    Objective,
    OnePeg,
    Partial,
    Position,
    Problem,
    group_moves,
    replay_solution,
)
from pegcp.game.position import replay, why_illegal

BOARDS = ("english", "triangle15", "hexagon19", "line9", "cycle8", "rectangle4x6")
CENTRAL = (
    "d2-d4 d5-d3 b5-d5 c7-c5 d5-b5 d7-d5 a5-c5 d5-b5 a3-a5 a5-c5 c3-a3 f5-d5 d5-b5 "
    "e7-e5 e4-e6 e2-e4 b5-b3 a3-c3 d3-b3 c1-c3 c4-c2 e1-c1 c1-c3 g3-e3 g5-g3 b3-d3 d3-f3 g3-e3 e3-e5 e6-e4 f4-d4"
)


def first_bad_jump(problem: Problem, jumps: list[Jump]) -> int | None:
    """An independent replay: sets of hole names, lines as sets of names with their middle."""
    board = problem.board
    lines = {(frozenset((board.holes[a], board.holes[b])), board.holes[over]) for a, over, b in board.lines}
    pegs = set(problem.start.pegs)
    for step, jump in enumerate(jumps, start=1):
        start, over, to = board.jump_names(jump)
        if start == to or (frozenset((start, to)), over) not in lines:
            return step
        if start not in pegs or over not in pegs or to in pegs:
            return step
        pegs = (pegs - {start, over}) | {to}
    return None


@st.composite
def games(draw: st.DrawFn) -> tuple[Problem, list[Jump]]:
    """A position on some board and a legal game from it."""
    board = pegcp.board(draw(st.sampled_from(BOARDS)))
    start = draw(st.integers(0, board.full))
    position, jumps = start, []
    for _ in range(draw(st.integers(0, 12))):
        legal = [jump for jump in board.jumps if jump.is_legal(position)]
        if not legal:
            break
        jumps.append(draw(st.sampled_from(legal)))
        position ^= jumps[-1].mask
    return Problem(board, Position(board, start), Exact(position)), jumps


@given(games())
def test_legal_games_pass(game: tuple[Problem, list[Jump]]) -> None:
    problem, jumps = game
    assert first_bad_jump(problem, jumps) is None
    result = replay_solution(problem, jumps)
    assert len(result.positions) == len(jumps) + 1
    assert [len(position) for position in result.positions] == [len(problem.start) - n for n in range(len(jumps) + 1)]
    assert [jump for move in result.moves for jump in move] == jumps
    assert all(a.to == b.from_ for move in result.moves for a, b in pairwise(move))
    assert all(one[-1].to != other[0].from_ for one, other in pairwise(result.moves))
    assert result.sweeps == sum(len(move) > 1 for move in result.moves)


@given(games(), st.data())
def test_tampered_games_are_rejected_at_the_first_bad_jump(
    game: tuple[Problem, list[Jump]], data: st.DataObject
) -> None:
    problem, jumps = game
    holes = st.integers(0, len(problem.board.holes) - 1)
    any_jump = st.one_of(st.builds(Jump, holes, holes, holes), st.sampled_from(problem.board.jumps))
    at = data.draw(st.integers(0, len(jumps)))
    edit = data.draw(st.sampled_from(("insert", "replace", "drop", "swap")))
    changed = list(jumps)
    if edit == "insert" or at == len(jumps):
        changed.insert(at, data.draw(any_jump))
    elif edit == "replace":
        changed[at] = data.draw(any_jump)
    elif edit == "drop":
        del changed[at]
    else:
        changed[at], changed[-1] = changed[-1], changed[at]
    assume(changed != jumps)
    bad = first_bad_jump(problem, changed)
    if bad is None:
        assert replay(problem.board, problem.start.mask, changed)
        return
    with pytest.raises(InvalidSolution) as caught:
        replay_solution(problem, changed)
    assert caught.value.step == bad
    assert str(caught.value).startswith(f"jump {bad} (")


@pytest.mark.parametrize(
    ("jump", "reason"),
    [
        (("d2", "d3", "d5"), "is not a line"),
        (("d1", "d2", "d3"), "d3 is not vacant"),
        (("d4", "d3", "d2"), "no peg at d4 to jump"),
        (("d3", "d4", "d5"), "no peg at d4 to jump over"),
        (("d2", "d2", "d2"), "is not a line"),
    ],
)
def test_reasons(jump: tuple[str, str, str], reason: str) -> None:
    problem = pegcp.problem("english")
    board = problem.board
    found = why_illegal(board, problem.start.mask, Jump(*(board.hole(name) for name in jump)))
    assert found is not None
    assert reason in found


def test_holes_off_the_board_are_named() -> None:
    problem = pegcp.problem("english")
    with pytest.raises(InvalidSolution, match=r"jump 1 \(\(0, 1, 33\)\) is impossible: a hole is not on board english"):
        replay_solution(problem, [Jump(0, 1, 33)])
    with pytest.raises(InvalidSolution, match="not on board"):
        replay_solution(problem, [Jump(-1, 1, 2)])


def test_goals_that_are_missed() -> None:
    central = pegcp.problem("english")
    board, start = central.board, central.start
    jumps = read_solution(central, CENTRAL)
    assert replay_solution(Problem(board, start, OnePeg()), jumps).value is None
    with pytest.raises(InvalidSolution, match=r"no peg at d1 and a peg too many at d4"):
        replay_solution(Problem(board, start, Exact(board.mask(["d1"]))), jumps)
    with pytest.raises(InvalidSolution, match="3 pegs are left"):
        replay_solution(Problem(board, start, OnePeg()), jumps[:-2])
    with pytest.raises(InvalidSolution, match="is still possible"):
        replay_solution(Problem(board, start, DeadEnd()), jumps[:-1])
    with pytest.raises(InvalidSolution, match="a peg too many at d4"):
        replay_solution(Problem(board, start, Partial(0, board.mask(["d4"]))), jumps)
    assert replay_solution(Problem(board, start, Partial(board.mask(["d4"]))), jumps).positions[-1].pegs == ["d4"]


def test_objective_values() -> None:
    central = pegcp.problem("english")
    jumps = read_solution(central, CENTRAL)
    board, start, goal = central.board, central.start, central.goal
    hard = [objective for objective in Objective if objective is not Objective.NEAREST]
    values = {objective: replay_solution(Problem(board, start, goal, objective), jumps).value for objective in hard}
    fewest = {"fewest-jumps": 31, "fewest-moves": 26, "fewest-steps": 21, "fewest-pegs": 1}
    assert values == {"any": None, "count": None, **fewest}
    weights = tuple(range(len(board.holes)))
    soft = Nearest(board.mask(["c1", "d4", "e7"]), weights)
    assert replay_solution(Problem(board, start, soft, Objective.NEAREST), jumps).value == board.hole(
        "c1"
    ) + board.hole("e7")


def test_moves_are_maximal_runs_of_one_peg() -> None:
    a, b, c = Jump(0, 1, 2), Jump(2, 3, 4), Jump(0, 1, 2)
    assert group_moves([a, b, c]) == ((a, b), (c,))
    assert group_moves([]) == ()
