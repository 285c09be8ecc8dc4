"""Evidence by exhaustion: the same as searches find, repeatable by a program of thirty lines, and no change passes."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

import pegcp
from pegcp.catalogue.methods import choose
from pegcp.errors import InputError, InvalidProof
from pegcp.game.goal import Nearest, Objective
from pegcp.game.problem import Problem
from pegcp.method import Answer, Evidence, Run, Status
from pegcp.proofs.checking import check
from pegcp.proofs.exhaustion import keeps, levels, record, repeated
from pegcp.proofs.writing import prove


def slowly(problem: Problem) -> list[dict[str, Any]]:
    """The same levels from sets of (position, hole where the last peg landed) and the moves to them."""
    images = list(problem.goal_symmetries())

    def carried(mask: int, p: Any) -> int:
        return sum(1 << p[hole] for hole in range(len(p)) if mask >> hole & 1)

    states = {(problem.start.mask, None): 0}
    found = []
    while states:
        best: dict[int, int] = {}
        holes: dict[int, int] = {}
        for (position, last), moves in states.items():
            for p in images:
                image, hole = carried(position, p), 0 if last is None else 1 << p[last]
                if moves < best.get(image, 1000):
                    best[image], holes[image] = moves, 0
                if moves == best[image]:
                    holes[image] |= hole
        least = sorted({min(carried(position, p) for p in images) for position, _ in states})
        data = b"".join(position.to_bytes(8, "little") for position in least)
        data += bytes(best[position] for position in least)
        data += b"".join(holes[position].to_bytes(8, "little") for position in least)
        found.append({"positions": len(least), "sha256": sha256(data).hexdigest()})
        after: dict[Any, int] = {}
        for (position, last), moves in states.items():
            for jump in problem.board.jumps:
                if jump.is_legal(position):
                    state, more = (position ^ jump.mask, jump.to), moves + (jump.from_ != last)
                    after[state] = min(more, after.get(state, 1000))
        states = after
    return found


@pytest.mark.parametrize("name", ["triangle15:a1", "triangle15:b3!", "triangle10:a2->?", "rectangle3x4:a1->?", "XoXX"])
def test_another_program_makes_the_same_levels(name: str) -> None:
    problem = pegcp.problem(name)
    assert [record(level) for level in levels(problem, Run())] == slowly(problem)


@pytest.mark.thorough
def test_the_same_as_searches(random_problem: Callable[[int], Problem]) -> None:
    kinds = set()
    for seed in range(150):
        problem = replace(random_problem(seed), objective=Objective.FEWEST_MOVES)
        found = repeated(problem, [record(level) for level in levels(problem, Run())], Run())
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


def changed(folder: Path, name: str, value: Any) -> None:
    (folder / name).write_text(json.dumps(value))


def test_changed_levels_are_refused(folder: Path) -> None:
    good = json.loads((folder / "levels.json").read_bytes())
    for i, level in enumerate(good):
        digest = level["sha256"]
        for change in (
            level | {"positions": level["positions"] + 1},
            level | {"sha256": digest[1:] + digest[:1]},
            {"positions": level["positions"]},
            level | {"more": 1},
            None,
        ):
            changed(folder, "levels.json", [*good[:i], change, *good[i + 1 :]])
            with pytest.raises(InvalidProof, match=rf"levels.json: the level after {i} jumps is"):
                check(folder)
        changed(folder, "levels.json", good[:i])
        with pytest.raises(InvalidProof, match=rf"the level after {i} jumps is .*, the file says nothing"):
            check(folder)
    changed(folder, "levels.json", [*good, good[0]])
    with pytest.raises(InvalidProof, match=f"there are {len(good)} levels, the file has {len(good) + 1}"):
        check(folder)
    changed(folder, "levels.json", {})
    with pytest.raises(InvalidProof, match="not a list of levels"):
        check(folder)
    changed(folder, "levels.json", good)
    claim = check(folder)
    assert claim.evidence is Evidence.RERUN
    given = json.loads((folder / "claim.json").read_bytes())
    for said, fault in (
        ({"type": "rerun", "of": "moves", "least": claim.least + 1}, f"the least is {claim.least}, the claim says"),
        ({"type": "rerun", "of": "moves", "least": claim.least - 1}, f"the solution has {claim.least} moves"),
        ({"type": "rerun"}, "there is a solution"),
        ({"type": "rerun", "of": "steps", "least": 2}, "does not find the fewest 'steps'"),
        ({"type": "rerun", "of": "distance", "least": 1}, "no goal to be near to"),
    ):
        changed(folder, "claim.json", given | {"claim": said})
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
        next(levels(pegcp.problem("square9"), Run()))
    monkeypatch.setattr(exhaustion, "_MOST", 1)
    with pytest.raises(InputError, match="a level of 1 positions is too large"):
        list(levels(pegcp.problem("triangle15:a1"), Run()))
