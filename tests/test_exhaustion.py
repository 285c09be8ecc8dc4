"""Evidence by exhaustion: the same as searches find, and no change passes."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

import pegcp
from pegcp.catalogue.methods import choose
from pegcp.errors import InputError, InvalidProof
from pegcp.game.goal import Nearest, Objective
from pegcp.game.problem import Problem
from pegcp.method import Answer, Evidence, Run, Status
from pegcp.proofs.exhaustion import fewest, keeps
from pegcp.proofs.verify_folder import check
from pegcp.proofs.writing import prove


@pytest.mark.thorough
def test_the_same_as_searches(random_problem: Callable[[int], Problem]) -> None:
    kinds = set()
    for seed in range(150):
        problem = replace(random_problem(seed), objective=Objective.FEWEST_MOVES)
        found = fewest(problem, Run())
        moves = choose("fewest-moves").run(problem, Run())
        assert (found is None) == (moves.status is Status.INFEASIBLE), problem.text
        if found is not None:
            assert moves.jumps is not None
            assert found["moves"] == moves.bound, problem.text
            jumps = choose("bfs").run(replace(problem, objective=Objective.FEWEST_JUMPS), Run())
            assert jumps.jumps is not None
            assert found["jumps"] == len(jumps.jumps)
        kinds.add((problem.goal.kind, found is None))
    assert len(kinds) >= 6


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    problem = pegcp.problem("triangle10:a2->b2", objective=Objective.FEWEST_MOVES.value)
    claim = prove(problem, tmp_path / "p", Run())
    assert not isinstance(claim, Answer)
    assert claim.least == choose("fewest-moves").run(problem, Run()).bound
    return tmp_path / "p"


def test_changed_claims_are_refused(folder: Path) -> None:
    claim = check(folder)
    assert claim.evidence is Evidence.RERUN
    given = json.loads((folder / "claim.json").read_bytes())
    for said, fault in (
        ({"type": "rerun", "of": "moves", "least": claim.least + 1}, f"the solution has {claim.least} moves"),
        ({"type": "rerun", "of": "moves", "least": claim.least - 1}, f"the solution has {claim.least} moves"),
        ({"type": "rerun"}, "it says too much"),
        ({"type": "rerun", "of": "steps", "least": 2}, "does not find the fewest 'steps'"),
        ({"type": "rerun", "of": "distance", "least": 1}, "needs a position to end near"),
    ):
        (folder / "claim.json").write_text(json.dumps(given | {"claim": said}))
        with pytest.raises(InvalidProof, match=fault):
            check(folder)
    del given["solution"]
    for said, fault in (
        ({"type": "rerun", "of": "moves", "least": claim.least + 1}, f"finds {claim.least} moves"),
        ({"type": "rerun"}, "finds a solution"),
    ):
        (folder / "claim.json").write_text(json.dumps(given | {"claim": said}))
        with pytest.raises(InvalidProof, match=fault):
            check(folder)


def test_weights_of_a_goal_are_looked_at() -> None:
    """A symmetry that carries a hole to one of another weight would make two positions one that are not the same."""
    near = Nearest(0, (1, 2, 3, 2, 1))
    problem = replace(pegcp.problem("XXoXX"), goal=near, objective=Objective.NEAREST)
    assert keeps((4, 3, 2, 1, 0), problem)
    assert not keeps((4, 3, 2, 1, 0), replace(problem, goal=Nearest(0, (1, 2, 3, 2, 2))))
    assert not keeps((0,) * 5, problem)


@pytest.mark.thorough
def test_how_near_an_end_can_be(tmp_path: Path, random_problem: Callable[[int], Problem]) -> None:
    """Against the search that goes the other way."""
    for seed in range(12):
        chance, one = random.Random(seed), random_problem(seed)
        holes = len(one.board.holes)
        near = Nearest(chance.getrandbits(holes), tuple(chance.randrange(4) for _ in range(holes)))
        problem = replace(one, goal=near, objective=Objective.NEAREST)
        claim = prove(problem, tmp_path / str(seed), Run())
        assert not isinstance(claim, Answer)
        assert claim.jumps is not None
        assert claim.least == problem.value(claim.jumps) == choose("bfs").run(problem, Run()).bound


def test_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    from pegcp.proofs import exhaustion

    with pytest.raises(InputError, match="boards of up to 64 holes, not 81"):
        fewest(pegcp.problem("square9"), Run())
    monkeypatch.setattr(exhaustion, "_MOST", 1)
    with pytest.raises(InputError, match="a level of 1 positions is too large"):
        fewest(pegcp.problem("triangle15:a1"), Run())
