"""Evidence by exhaustion: the same as searches find, repeatable by a program of thirty lines, and no change passes."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

import pegcp
from pegcp.catalogue.methods import choose
from pegcp.errors import InputError, InvalidProof
from pegcp.game.goal import Objective
from pegcp.game.problem import Problem
from pegcp.method import Answer, Run, Status
from pegcp.proofs.exhaustion import levels, record, repeated
from pegcp.proofs.folder import check
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


def test_the_same_as_searches(random_problem: Callable[[int], Problem]) -> None:
    kinds = set()
    for seed in range(150):
        problem = replace(random_problem(seed), objective=Objective.FEWEST_MOVES)
        found = repeated(problem, [record(level) for level in levels(problem, Run())])
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
    assert str(claim) == f"the fewest moves are {choose('fewest-moves').run(problem, Run()).bound}"
    return tmp_path / "p"


def reseal(folder: Path, name: str, value: Any) -> None:
    data = json.dumps(value).encode()
    (folder / name).write_bytes(data)
    manifest = json.loads((folder / "manifest.json").read_bytes())
    manifest["files"][name] = {"bytes": len(data), "sha256": sha256(data).hexdigest()}
    (folder / "manifest.json").write_text(json.dumps(manifest))


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
            reseal(folder, "levels.json", [*good[:i], change, *good[i + 1 :]])
            with pytest.raises(InvalidProof, match=rf"levels.json: the level after {i} jumps is"):
                check(folder)
        reseal(folder, "levels.json", good[:i])
        with pytest.raises(InvalidProof, match=rf"the level after {i} jumps is .*, the file says nothing"):
            check(folder)
    reseal(folder, "levels.json", [*good, good[0]])
    with pytest.raises(InvalidProof, match=f"there are {len(good)} levels, the file has {len(good) + 1}"):
        check(folder)
    reseal(folder, "levels.json", {})
    with pytest.raises(InvalidProof, match="not a list of levels"):
        check(folder)
    reseal(folder, "levels.json", good)
    claim = check(folder)
    manifest = json.loads((folder / "manifest.json").read_bytes())
    for claimed, fault in (
        ({"kind": "least", "of": "moves", "number": claim.least + 1}, f"no part shows that {claim.least} moves"),
        ({"kind": "infeasible"}, "no part shows that there is no solution"),
        ({"kind": "least", "of": "steps", "number": 2}, "no part shows that 0 steps"),
    ):
        (folder / "manifest.json").write_text(json.dumps(manifest | {"claim": claimed}))
        with pytest.raises(InvalidProof, match=fault):
            check(folder)


def test_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    from pegcp.proofs import exhaustion

    with pytest.raises(InputError, match="boards of up to 64 holes, not 81"):
        next(levels(pegcp.problem("square9"), Run()))
    monkeypatch.setattr(exhaustion, "_MOST", 1)
    with pytest.raises(InputError, match="a level of 1 positions is too large"):
        list(levels(pegcp.problem("triangle15:a1"), Run()))
