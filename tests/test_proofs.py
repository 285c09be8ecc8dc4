"""Proof folders: what is written is accepted, without any solver, and whatever is changed in it is refused."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from hashlib import sha256
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
from parts import need

import pegcp
from pegcp.catalogue.methods import choose
from pegcp.errors import InputError, InvalidProof
from pegcp.game.goal import DeadEnd, Nearest, Objective
from pegcp.game.problem import Problem
from pegcp.method import Answer, Limits, Run, Status
from pegcp.modelling.cnf import Clauses
from pegcp.modelling.formulation import Formulation
from pegcp.modelling.ordering import outside_in
from pegcp.proofs import reading
from pegcp.proofs.folder import Claim, check
from pegcp.proofs.lrat import Checker, coded, trimmed
from pegcp.proofs.writing import prove
from pegcp.theory import certificates

PROVED = Path(__file__).parent.parent / "examples" / "proved"

Formula = list[list[int]]


# The checker of LRAT


def number(value: int) -> bytes:
    out = b""
    while value > 127:
        out, value = out + bytes([value & 127 | 128]), value >> 7
    return out + bytes([value])


def add(clause: int, literals: list[int], hints: list[int]) -> bytes:
    return b"".join(
        [b"a", number(2 * clause), *(number(coded(x)) for x in literals), b"\0", *map(hinted, hints), b"\0"]
    )


def hinted(clause: int) -> bytes:
    return number(2 * clause)


def delete(*clauses: int) -> bytes:
    return b"d" + b"".join(map(hinted, clauses)) + b"\0"


SQUARE = [[1, 2], [1, -2], [-1, 2], [-1, -2]]
GOOD = [add(5, [1], [1, 2]), delete(1, 2), add(6, [], [5, 3, 4])]


def followed(formula: Formula, proof: bytes, variables: int = 2) -> None:
    checker = Checker(formula, variables)
    checker.feed(proof)
    checker.finish()


def test_a_proof_by_hand() -> None:
    followed(SQUARE, b"".join(GOOD))
    with pytest.raises(InvalidProof, match="after clause 5 names the clause 3, which is not a unit"):
        followed(SQUARE, GOOD[0] + GOOD[1] + add(6, [], [3, 5, 4]))


@pytest.mark.parametrize(
    ("proof", "fault"),
    [
        (b"", "without the empty clause"),
        (GOOD[0], "ends after clause 5 without"),
        (b"".join(GOOD)[:-1], "cut off"),
        (b"".join(GOOD) + b"d\0", "comes after the empty clause"),
        (b"x", "neither an addition nor a deletion"),
        (add(6, [1], [1, 2]), "does not have the next number"),
        (add(5, [3], [1, 2]), "literal that the formula has not"),
        (add(5, [1, -1], [1]), "a literal and its negation"),
        (add(5, [1], [1]), "does not follow"),
        (add(5, [1], []), "does not follow"),
        (add(5, [], [1, 2]), "names the clause 1, which is not a unit"),
        (add(5, [1], [9]), "names the clause 9, which is not there"),
        (add(5, [1], [5]), "names the clause 5, which is not there"),
        (GOOD[0] + GOOD[1] + add(6, [1], [1, 2]), "names the clause 1, which is not there"),
        (delete(1) + delete(1), "names the clause 1, which is not there"),
        (b"a" + b"\xff" * 12 + b"\0", "a number that is too large"),
        (b"a\x0a\x02\0\x03\0", "names the clause 1, which is not there"),  # a negative hint, as RAT has
    ],
)
def test_bad_steps(proof: bytes, fault: str) -> None:
    with pytest.raises(InvalidProof, match=fault):
        followed(SQUARE, proof)


def test_a_step_of_any_length(monkeypatch: pytest.MonkeyPatch) -> None:
    """Steps are put together from pieces, and none may be too long."""
    from pegcp.proofs import lrat

    monkeypatch.setattr(lrat, "PIECE", 1)
    followed(SQUARE, b"".join(GOOD))
    monkeypatch.setattr(lrat, "LONGEST_STEP", 50)
    with pytest.raises(InvalidProof, match="longer than 50 bytes"):
        followed(SQUARE, add(5, [1] * 60, [1, 2]))


def pigeons(n: int) -> Formula:
    """One pigeon more than holes."""
    clauses = [[p * n + h + 1 for h in range(n)] for p in range(n + 1)]
    return clauses + [[-(a * n + h + 1), -(b * n + h + 1)] for h in range(n) for a, b in combinations(range(n + 1), 2)]


@pytest.fixture(scope="module")
def pigeon_proof(tmp_path_factory: pytest.TempPathFactory) -> tuple[Formula, bytes]:
    """A formula, and a proof with deletions that a solver wrote and pegcp trimmed."""
    need("cadical")
    from pegcp.backends.sat import refute

    model = Clauses()
    model.clauses = pigeons(4)
    model.names = [str(i + 1) for i in range(20)]
    raw = tmp_path_factory.mktemp("proof") / "raw"
    with open(raw, "w+b") as file:
        answer = refute(Formulation(model, lambda _: []), file, Run())
    assert answer.status is Status.INFEASIBLE
    return model.clauses, b"".join(trimmed(raw, len(model.clauses)))


def slowly(formula: Formula, proof: bytes) -> bool:
    """Whether a proof is right, by another checker: sets, no numbers of steps, everything from the definition."""
    there = {i: set(clause) for i, clause in enumerate(formula, start=1)}
    at, newest = 0, len(formula)

    def one() -> int:
        nonlocal at
        value = shift = 0
        while proof[at] > 127:
            value, shift, at = value | (proof[at] & 127) << shift, shift + 7, at + 1
        value, at = value | proof[at] << shift, at + 1
        return value

    def some() -> list[int]:
        return list(iter(one, 0))

    try:
        while at < len(proof):
            at += 1
            if proof[at - 1] == ord("d"):
                for hint in some():
                    assert hint % 2 == 0
                    del there[hint // 2]
                continue
            assert proof[at - 1] == ord("a")
            assert one() == 2 * (newest + 1)
            literals = [-(x // 2) if x % 2 else x // 2 for x in some()]
            hints = some()
            assert all(0 < abs(x) <= 20 and -x not in literals for x in literals)
            true = {-x for x in literals}
            for hint in hints:
                assert hint % 2 == 0
                (*left,) = {x for x in there[hint // 2] if -x not in true}
                if not left:
                    break
                (unit,) = left
                true.add(unit)
            else:
                return False
            newest += 1
            there[newest] = set(literals)
            if not literals:
                return at == len(proof)
    except (AssertionError, KeyError, ValueError, IndexError):
        pass
    return False


def accepted(formula: Formula, proof: bytes) -> bool:
    try:
        followed(formula, proof, 20)
    except InvalidProof:
        return False
    return True


def test_changed_proofs(pigeon_proof: tuple[Formula, bytes]) -> None:
    """Two checkers agree about every proof in which a byte is changed, left out or added; few are still right."""
    formula, proof = pigeon_proof
    assert accepted(formula, proof)
    assert slowly(formula, proof)
    chance = random.Random(1)
    right = 0
    for _ in range(2000):
        at = chance.randrange(len(proof))
        new = bytes([chance.choice([*proof, chance.randrange(256)])])
        changed = proof[:at] + chance.choice([new, b"", new + proof[at : at + 1]]) + proof[at + 1 :]
        assert accepted(formula, changed) == slowly(formula, changed)
        right += changed != proof and accepted(formula, changed)
    assert right < 200


def test_no_proof_of_what_can_be(pigeon_proof: tuple[Formula, bytes]) -> None:
    """With any clause left out the pigeons fit, and no proof is accepted, however it is changed."""
    formula, proof = pigeon_proof
    chance = random.Random(2)
    for left_out in range(len(formula)):
        fits = [clause if i != left_out else [1, -1] for i, clause in enumerate(formula)]
        assert not accepted(fits, proof)
        for _ in range(20):
            at = chance.randrange(len(proof))
            assert not accepted(fits, proof[:at] + bytes([chance.choice(proof)]) + proof[at + 1 :])


# The second reading


def formula_of(problem: Problem, name: str, horizon: int) -> tuple[set[frozenset[str]], dict[str, Any]]:
    """The clauses of a model over the names of its variables, and the options of its method."""
    chosen = choose(name)
    assert chosen.method.path is not None
    assert chosen.method.model is not None
    model = chosen.method.model()
    options = {key: chosen.parameters[key] for key in reading.MODELS[chosen.method.name]}
    made: Clauses = model.build(problem, horizon if model.has_horizons else None, options).model
    named = {x: made.names[abs(x) - 1] if x > 0 else f"-{made.names[abs(x) - 1]}" for x in _literals(made)}
    return {frozenset(named[x] for x in clause) for clause in _whole(made)}, options


def _whole(made: Clauses) -> Formula:
    return [*made.clauses, *([literal] for literal in made.assumed)]


def _literals(made: Clauses) -> set[int]:
    return {x for clause in _whole(made) for x in clause}


@pytest.mark.parametrize("name", reading.MODELS)
def test_both_readings_say_the_same(name: str, random_problem: Callable[[int], Problem]) -> None:
    """Clause by clause, with every option on and off; nothing is shared by the model and the reading."""
    asked = 0
    for seed in range(150):
        problem = random_problem(seed)
        if choose(name).method.refusal(problem) is not None or not problem.jump_counts:
            continue
        switches = "".join(
            f":{option}={'on' if seed >> i & 1 else 'off'}" for i, option in enumerate(reading.MODELS[name])
        )
        for horizon in (
            {problem.jump_counts[-1], problem.jump_counts[-1] // 2}
            if name != "sat-moves"
            else {problem.jump_counts[-1]}
        ):
            said, options = formula_of(problem, name + switches, horizon)
            read = reading.clauses(problem, name, horizon, options, outside_in(problem.board))
            assert said - read == set(), problem.text
            assert read - said <= {frozenset()}, problem.text
            asked += 1
    assert asked > 20


# Folders


@pytest.fixture(scope="module")
def proved(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A proof by clauses alone that a dead end on the triangle takes six jumps."""
    need("cadical")
    folder = tmp_path_factory.mktemp("proved") / "folder"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(certificates, "find_bound", lambda *_: None)
        claim = prove(pegcp.problem("triangle15:a1!"), folder, Run())
    assert isinstance(claim, Claim)
    assert str(claim) == "the fewest jumps are 6"
    return folder


@pytest.fixture
def copy(proved: Path, tmp_path: Path) -> Path:
    """A copy of it, to change."""
    folder = tmp_path / "copy"
    folder.mkdir()
    for file in proved.iterdir():
        (folder / file.name).write_bytes(file.read_bytes())
    return folder


def manifest(folder: Path, **changes: Any) -> dict[str, Any]:
    """The manifest of a folder, after changes to it."""
    data: dict[str, Any] = json.loads((folder / "manifest.json").read_bytes()) | changes
    (folder / "manifest.json").write_text(json.dumps(data))
    return data


def sealed(folder: Path, name: str, data: bytes) -> None:
    """Write a file as whoever made the folder would: with its size and hash in the manifest."""
    (folder / name).write_bytes(data)
    files = manifest(folder)["files"] | {name: {"bytes": len(data), "sha256": sha256(data).hexdigest()}}
    manifest(folder, files=files)


def test_accepted_without_a_solver(proved: Path) -> None:
    """In a Python that has none."""
    program = (
        "import sys; sys.modules |= dict.fromkeys(['pysat', 'pysolvers', 'ortools', 'unified_planning', 'clingo']);"
        f"from pathlib import Path; from pegcp.proofs.folder import check; print(check(Path({str(proved)!r})))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout == "the fewest jumps are 6\n"


def test_every_changed_byte_is_refused(copy: Path) -> None:
    chance = random.Random(3)
    for file in sorted(copy.iterdir()):
        data = file.read_bytes()
        at = chance.randrange(len(data))
        file.write_bytes(data[:at] + bytes([data[at] ^ 1 << chance.randrange(7)]) + data[at + 1 :])
        if file.name != "manifest.json":
            with pytest.raises(InvalidProof):
                check(copy)
        for changed in (
            (data[: len(data) // 2], data + b"\n", b"") if file.name != "manifest.json" else (data[:99], b"")
        ):
            file.write_bytes(changed)
            with pytest.raises(InvalidProof):
                check(copy)
        file.unlink()
        with pytest.raises(InvalidProof, match=f"{file.name}: cannot read"):
            check(copy)
        file.write_bytes(data)
    check(copy)


def test_changes_of_the_claim_are_refused(copy: Path) -> None:
    original = manifest(copy)
    for changes, fault in (
        ({"claim": {"kind": "least", "of": "jumps", "number": 7}}, "no part shows that 6 jumps are not enough"),
        ({"claim": {"kind": "least", "of": "steps", "number": 2}}, "no part shows that 0 steps are not enough"),
        ({"claim": {"kind": "infeasible"}}, "no part shows that there is no solution"),
        ({"claim": {"kind": "least", "of": "holes", "number": 6}}, "unknown claim"),
        ({"claim": {"kind": "least", "of": "pegs", "number": 6}}, "no part shows that no solution leaves only 1"),
        ({"claim": {"kind": "least", "of": "jumps", "number": "6"}}, "not a whole number"),
        ({"claim": 5}, "not an object"),
        ({"format": 2}, "the folder has format 2, this version of pegcp reads 1"),
        ({"fingerprint": "0" * 16}, "another problem"),
        ({"parts": original["parts"][:-1]}, "no part shows that 5 jumps are not enough"),
        ({"parts": 5}, "parts must be a list"),
        ({"parts": [{"kind": "word of honour"}]}, "no kind of part 'word of honour'"),
        ({"files": {}}, "the seal of problem.toml is None, not an object"),
    ):
        manifest(copy, **(original | changes))
        with pytest.raises(InvalidProof, match=fault):
            check(copy)
    last = original["parts"][-1]
    for part, fault in (
        (last | {"horizon": 6}, "formula-05.cnf:.*the problem does not say that"),
        (last | {"horizon": 10**9}, "not a whole number"),
        (last | {"model": "sat-parallel", "options": {"early": True, "symmetry": True}}, "does not say that"),
        (last | {"options": {"order": False, "symmetry": True}}, "does not say that"),
        (last | {"options": {"order": False, "symmetry": False}}, "does not say that"),
        (last | {"options": {}}, "the options of 'sat-fools' must be order, symmetry"),
        (last | {"model": "fools"}, "the options of 'fools' must be none"),
        (last | {"proof": "proof-04.lrat"}, "proof-04.lrat: the step after clause"),
        (last | {"formula": "formula-04.cnf"}, "formula-04.cnf:.*the problem does not say that"),
        (last | {"formula": "../formula-05.cnf"}, "no name of a file"),
        (last | {"formula": "/etc/passwd"}, "no name of a file"),
        (last | {"proof": "manifest.json"}, "manifest.json: the step after clause"),
    ):
        manifest(copy, **(original | {"parts": [*original["parts"][:-1], part]}))
        with pytest.raises(InvalidProof, match=fault):
            check(copy)


def test_a_formula_that_says_more_is_refused(copy: Path) -> None:
    """Whoever makes the folder seals it, too."""
    text = (copy / "formula-05.cnf").read_text()
    names = {line.split(" ", 2)[2]: line.split(" ", 2)[1] for line in text.splitlines() if line.startswith("c ")}
    for clause, fault in (
        (f"-{names['peg_t00_a3']} 0", "does not say that -peg_t00_a3"),
        (f"{names['jump_t01_a3_a2_a1']} 0", "does not say that jump_t01_a3_a2_a1"),
        ("0", "does not say that the empty clause"),
        ("1", "not a line of a formula"),
        ("99999999 0", "not a line of a formula"),
        ("1 x 0", "not a line of a formula"),
        ("p cnf 99999999999 1", "not a line of a formula"),
        ("c 1", "not a line of a formula"),
    ):
        sealed(copy, "formula-05.cnf", f"{text}{clause}\n".encode())
        with pytest.raises(InvalidProof, match=f"formula-05.cnf:{text.count(chr(10)) + 1}: .*{fault}"):
            check(copy)
    sealed(copy, "formula-05.cnf", text.replace(f"c {names['peg_t01_a1']} peg_t01_a1\n", "").encode())
    with pytest.raises(InvalidProof, match="has no name"):
        check(copy)


def test_a_worse_solution_and_another_problem(copy: Path) -> None:
    with pytest.raises(InvalidProof, match=r"another problem: its fingerprint is .* that of the problem asked for"):
        check(copy, pegcp.problem("triangle15:a2!"))
    sealed(copy, "solution.json", b'[["a3", "a2", "a1"]]')
    with pytest.raises(InvalidProof, match=r"solution.json: after 1 jump the goal \(a dead end\) is not reached"):
        check(copy)
    sealed(copy, "problem.toml", pegcp.problem("triangle15:a2!").text.encode())
    with pytest.raises(InvalidProof, match=r"another problem: its fingerprint is .* that of the manifest"):
        check(copy)
    manifest(copy, fingerprint=pegcp.problem("triangle15:a2!").fingerprint)
    with pytest.raises(InvalidProof, match=r"formula-00.cnf:.* the problem does not say that"):
        check(copy)


def test_jumps_cannot_be_added_to_refute(tmp_path: Path, copy: Path) -> None:
    """A problem with a solution of 13 jumps has none of 14: that says nothing about the problem."""
    problem = pegcp.problem("triangle15:a1->a1")
    name = "sat-moves"
    chosen = choose(name)
    assert chosen.method.path is not None
    longer = replace(problem, start=pegcp.problem("triangle15:a1->a1").start)
    said = reading.clauses(longer, name, 14, {"order": True, "symmetry": True})
    numbers = {name: i for i, name in enumerate(sorted({x.lstrip("-") for clause in said for x in clause}), start=1)}
    clauses = [[-numbers[x[1:]] if x[0] == "-" else numbers[x] for x in clause] for clause in said]
    from pegcp.backends.sat import dimacs, refute

    model = Clauses()
    model.names, model.clauses = list(numbers), clauses
    with open(tmp_path / "raw", "w+b") as file:
        assert refute(Formulation(model, lambda _: []), file, Run()).status is Status.INFEASIBLE
    sealed(copy, "problem.toml", problem.text.encode())
    sealed(copy, "formula.cnf", dimacs(model).encode())
    sealed(copy, "proof.lrat", b"".join(trimmed(tmp_path / "raw", len(clauses))))
    (copy / "solution.json").unlink()
    part = {"kind": "clauses", "model": name, "options": {"order": True, "symmetry": True}, "horizon": 14}
    files = {key: value for key, value in manifest(copy)["files"].items() if key != "solution.json"}
    manifest(
        copy,
        parts=[part | {"formula": "formula.cnf", "proof": "proof.lrat"}],
        claim={"kind": "infeasible"},
        fingerprint=problem.fingerprint,
        files=files,
    )
    with pytest.raises(InvalidProof, match="no part shows that there is no solution"):
        check(copy)


def test_what_is_no_file_is_not_read(copy: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    proof = copy / "proof-05.lrat"
    proof.rename(copy / "elsewhere")
    proof.symlink_to(copy / "elsewhere")
    with pytest.raises(InvalidProof, match=r"proof-05.lrat: cannot read the file"):
        check(copy)
    proof.unlink()
    os.mkfifo(proof)
    with pytest.raises(InvalidProof, match=r"proof-05.lrat: not a regular file"):
        check(copy)
    proof.unlink()
    proof.mkdir()
    with pytest.raises(InvalidProof, match=r"proof-05.lrat: (not a regular file|cannot read)"):
        check(copy)
    monkeypatch.setitem(__import__("pegcp.proofs.folder").proofs.folder._LARGEST, "json", 100)
    with pytest.raises(InvalidProof, match=r"manifest.json: larger than 100 bytes"):
        check(copy)


@pytest.mark.parametrize("text", ["", "[]", "{}", "null", '{"format": 1}', "[" * 100_000, '{"format": NaN}', "\xff"])
def test_manifests_that_are_none(tmp_path: Path, text: str) -> None:
    (tmp_path / "manifest.json").write_text(text, encoding="latin-1")
    with pytest.raises(InvalidProof, match=r"manifest\.json"):
        check(tmp_path)


def test_no_folder(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such folder"):
        check(tmp_path / "none")


# Writing


def problems_without_solution(random_problem: Callable[[int], Problem]) -> Iterator[Problem]:
    bfs = choose("bfs")
    for seed in range(200):
        problem = random_problem(seed)
        if not isinstance(problem.goal, DeadEnd) and bfs.run(problem, Run()).status is Status.INFEASIBLE:
            yield problem


@pytest.mark.parametrize("kind", ["certificate", "clauses"])
def test_no_solution_is_proved(
    kind: str, random_problem: Callable[[int], Problem], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With a certificate where there is one, else by clauses."""
    need("cadical")
    if kind == "clauses":
        monkeypatch.setattr(certificates, "find", lambda *_, **__: None)
    kinds = Counter[str]()
    for i, problem in enumerate(problems_without_solution(random_problem)):
        if not problem.jump_counts:
            continue
        claim = prove(problem, tmp_path / str(i), Run())
        assert isinstance(claim, Claim)
        assert (claim.problem, claim.measure) == (problem, None)
        kinds.update(part["kind"] for part in manifest(tmp_path / str(i))["parts"])
    assert kinds[kind] >= 5


def test_parallel_steps(tmp_path: Path) -> None:
    need("cadical")
    claim = prove(pegcp.problem("triangle15:a1"), tmp_path / "7", Run(), bound=7)
    assert str(claim) == "every solution has at least 7 steps"
    manifest(tmp_path / "7", claim={"kind": "least", "of": "steps", "number": 8})
    with pytest.raises(InvalidProof, match="no part shows that 7 steps are not enough"):
        check(tmp_path / "7")


def test_the_fewest_rounds(tmp_path: Path) -> None:
    need("cadical")
    problem = pegcp.problem("english:c1")
    assert str(prove(problem, tmp_path / "p", Run(), rounds=True)) == "the fewest rounds are 5"
    claim = manifest(tmp_path / "p")["claim"]
    for changes, fault in (
        ({"number": 6}, "no part shows that 5 rounds are not enough"),
        ({"order": claim["order"][::-1]}, "formula-04.cnf:.* the problem does not say that"),
        ({"order": claim["order"][1:]}, "each jump of the board once"),
        ({"order": 5}, "each jump of the board once"),
        ({"of": "steps"}, "the claim is not about rounds"),
    ):
        manifest(tmp_path / "p", claim=claim | changes)
        with pytest.raises(InvalidProof, match=fault):
            check(tmp_path / "p")
    assert str(prove(problem, tmp_path / "q", Run(), bound=4, rounds=True)) == "every solution has at least 4 rounds"
    enough = prove(problem, tmp_path / "r", Run(), bound=6, rounds=True)
    assert isinstance(enough, Answer)
    assert enough.status is Status.SOLVED
    with pytest.raises(InputError, match="dead-end"):
        prove(pegcp.problem("triangle15:a1!"), tmp_path / "s", Run(), rounds=True)


def test_the_fewest_parallel_steps(tmp_path: Path) -> None:
    need("cadical")
    problem = pegcp.problem("triangle15:a1", objective="fewest-steps")
    claim = prove(problem, tmp_path / "p", Run())
    assert isinstance(claim, Claim)
    assert claim.jumps is not None
    assert str(claim) == f"the fewest steps are {problem.value(claim.jumps)}"


@pytest.mark.parametrize(
    ("text", "said", "kinds"),
    [
        ("triangle15:a1", "the fewest pegs are 1", []),
        ("line9", "the fewest pegs are 4", ["exhaustion"]),
        ("cycle9", "the fewest pegs are 2", ["certificate"]),
        ("square4:a1", "the fewest pegs are 2", ["certificate"]),
    ],
)
def test_the_fewest_pegs(text: str, said: str, kinds: list[str], tmp_path: Path) -> None:
    problem = pegcp.problem(text, objective="fewest-pegs")
    assert str(prove(problem, tmp_path / "p", Run())) == said
    found = manifest(tmp_path / "p")
    assert [part["kind"] for part in found["parts"]] == kinds
    more = found["claim"] | {"number": found["claim"]["number"] + 1}
    manifest(tmp_path / "p", claim=more)
    with pytest.raises(InvalidProof, match=f"no part shows that no solution leaves only {more['number'] - 1}"):
        check(tmp_path / "p")


def test_how_near_an_end_can_be(tmp_path: Path, random_problem: Callable[[int], Problem]) -> None:
    """Against the search that goes the other way."""
    for seed in range(30):
        chance, one = random.Random(seed), random_problem(seed)
        holes = len(one.board.holes)
        near = Nearest(chance.getrandbits(holes), tuple(chance.randrange(4) for _ in range(holes)))
        problem = replace(one, goal=near, objective=Objective.NEAREST)
        claim = prove(problem, tmp_path / str(seed), Run())
        assert isinstance(claim, Claim)
        assert claim.optimal
        assert claim.jumps is not None
        assert claim.least == problem.value(claim.jumps) == choose("bfs").run(problem, Run()).bound
        manifest(tmp_path / str(seed), claim={"kind": "least", "of": "distance", "number": claim.least + 1})
        with pytest.raises(InvalidProof, match=f"no end is at a distance of {claim.least}"):
            check(tmp_path / str(seed))
    manifest(tmp_path / "29", claim={"kind": "least", "of": "pegs", "number": 0})
    assert check(tmp_path / "29").measure == "pegs"
    assert str(prove(pegcp.problem("triangle15:a1!"), tmp_path / "dead", Run())) == "the fewest jumps are 6"
    manifest(tmp_path / "dead", claim={"kind": "least", "of": "distance", "number": 0})
    with pytest.raises(InvalidProof, match="no goal to be near to"):
        check(tmp_path / "dead")


@pytest.mark.parametrize("folder", sorted(path.name for path in PROVED.iterdir()))
def test_proofs_that_ship(folder: str) -> None:
    claim = check(PROVED / folder)
    assert claim.measure is None or claim.optimal


def test_nothing_to_prove(tmp_path: Path) -> None:
    need("cadical")
    for text, bound, status in (
        ("triangle15:a1", None, Status.SOLVED),
        ("triangle15:a1", 12, Status.SOLVED),
        ("triangle15:a1!", 7, Status.SOLVED),
        ("XXoX", None, Status.SOLVED),
    ):
        answer = prove(pegcp.problem(text), tmp_path / "none", Run(), bound)
        assert isinstance(answer, Answer)
        assert answer.status is status
    late = prove(pegcp.problem("english:c2!"), tmp_path / "late", Run(Limits(time=0.0)))
    assert isinstance(late, Answer)
    assert late.message == "time limit"
    large = prove(pegcp.problem("triangle21", objective="fewest-moves"), tmp_path / "large", Run(Limits(memory=1.0)), 9)
    assert isinstance(large, Answer)
    assert large.message == "memory limit"
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "file").touch()
    with pytest.raises(InputError, match="must be new or empty"):
        prove(pegcp.problem("XXoX"), tmp_path / "full", Run())


def test_commands(tmp_path: Path) -> None:
    need("cadical")

    def run(*arguments: str) -> tuple[int, str]:
        done = subprocess.run([sys.executable, "-m", "pegcp", *arguments], capture_output=True, text=True, cwd=tmp_path)
        return done.returncode, done.stdout + done.stderr

    assert run("prove", "triangle15:b3!", "-o", "p")[0] == 0
    code, said = run("check", "p")
    assert (code, said.splitlines()[0]) == (0, "p proves it: the fewest jumps are 4.")
    assert run("check", "triangle15:b3!", "p")[0] == 0
    code, said = run("check", "triangle15:a1!", "p")
    assert (code, said[:18]) == (4, "p proves nothing: ")
    (tmp_path / "p" / "certificate.json").write_bytes(b"{}")
    code, said = run("check", "p")
    assert code == 4
    assert "certificate.json" in said
    assert run("check", "nowhere") == (2, "pegcp: nowhere: there is no such folder\n")
    assert run("prove", "triangle15:a1", "-o", "q")[0] == 3


def test_proofs_in_a_comparison(tmp_path: Path) -> None:
    """They are a row of their own, and what other methods claim is agreed on; folders that are there are checked."""
    need("cadical")
    from click.testing import CliRunner

    from pegcp.cli.main import cli

    def evidence() -> dict[str, str]:
        command = ["compare", "triangle15:b3!", "-m", "fools,bfs", "--prove", str(tmp_path), "--json"]
        rows = json.loads(CliRunner().invoke(cli, command, standalone_mode=False).stdout)
        return {row["method"]: row["evidence"] for row in rows}

    fingerprint = pegcp.problem("triangle15:b3!").fingerprint
    for _ in range(2):
        assert evidence() == {"fools": "agreed", "bfs": "agreed", "prove": "proof"}
        assert [file.name for file in tmp_path.iterdir()] == [fingerprint]
    (tmp_path / fingerprint / "manifest.json").write_text("{}")
    with pytest.raises(InvalidProof, match=fingerprint):
        CliRunner().invoke(
            cli,
            ["compare", "triangle15:b3!", "-m", "bfs", "--prove", str(tmp_path)],
            standalone_mode=False,
            catch_exceptions=False,
        )


def test_bounds_by_cases(tmp_path: Path) -> None:
    """A certificate for all numbers of jumps at once; it is one for these only, and for this problem."""
    problem = pegcp.problem("triangle15:a1!")
    assert str(prove(problem, tmp_path / "p", Run())) == "the fewest jumps are 6"
    parts = manifest(tmp_path / "p")["parts"]
    assert [part["kind"] for part in parts] == ["bound"]
    certificate = json.loads((tmp_path / "p" / "certificate.json").read_text())
    for changed, fault in (
        (certificate | {"most": 6}, "certificate.json: (case|.* cases)"),
        (certificate | {"most": 4}, "no part shows that 5 jumps are not enough|case"),
        (certificate | {"tree": certificate["tree"][:-1]}, "certificate.json: .* not settled"),
        ({"kind": "count"}, "certificate.json: a certificate of kind count shows no bound"),
    ):
        sealed(tmp_path / "p", "certificate.json", json.dumps(changed).encode())
        with pytest.raises(InvalidProof, match=fault):
            check(tmp_path / "p")
    sealed(tmp_path / "p", "certificate.json", json.dumps(certificate).encode())
    check(tmp_path / "p")
    manifest(tmp_path / "p", parts=[{"kind": "certificate", "file": "certificate.json"}])
    with pytest.raises(InvalidProof, match="a dead end can always be reached"):
        check(tmp_path / "p")
