"""Proof folders: what is written is accepted, by a file that needs nothing, and whatever is forged is refused."""

from __future__ import annotations

import ast
import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from functools import cache
from hashlib import sha256
from itertools import combinations, permutations
from pathlib import Path
from typing import Any, cast

import forging
import independent
import pytest
from asking import answer
from click.testing import CliRunner
from independent import number_of_solutions, truth
from parts import need
from processes import becomes_true

import pegcp
from pegcp.checking import checker, two_sided
from pegcp.checking.checker import Clause, Rejected, follow
from pegcp.checking.verification import Claim, verify_folder
from pegcp.cli.main import cli
from pegcp.errors import InputError, InvalidProof
from pegcp.formats.toml import read_problem
from pegcp.game import DeadEnd, Exact, Goal, Nearest, Objective, OnePeg, Position, Problem, lattice_board, lines_board
from pegcp.game.lattice import lattice
from pegcp.library import board_names, problem_names
from pegcp.method import Answer, Limits, Run, Status
from pegcp.modelling.ordering import outside_in
from pegcp.proofs.lrat import trimmed
from pegcp.proofs.writing import prove
from pegcp.theory import cases, certificates
from pegcp.theory.parity import bits
from pegcp.theory.regions import packing, regions

ROOT = Path(__file__).parent.parent
PROVED = ROOT / "examples" / "proved"
FILE = Path(checker.__file__)

Formula = list[Clause]


def made(claim: Claim | Answer) -> Claim:
    assert isinstance(claim, Claim), claim
    return claim


def edited(folder: Path, **changes: Any) -> dict[str, Any]:
    """The claim file of a folder, after changes to it; None takes a key away."""
    data: dict[str, Any] = json.loads((folder / "claim.json").read_bytes()) | changes
    data = {key: value for key, value in data.items() if value is not None}
    (folder / "claim.json").write_text(json.dumps(data))
    return data


def verdict(folder: Path, *options: str) -> tuple[int, str]:
    """Run the file by itself, elsewhere, with nothing but Python: exit status and output."""
    command = [sys.executable, "-I", "-S", str(FILE), str(folder), *options]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert not done.stderr, done.stderr
    return done.returncode, done.stdout


def judged(folder: Path) -> tuple[int, str]:
    """The same in this process, without limits."""
    try:
        return 0, str(checker.Folder(str(folder)).check()["says"])
    except Rejected as error:
        return 4, f"rejected: {error}"
    except checker.Unusable as error:
        return 2, str(error)


# The file


def test_it_imports_nothing_more() -> None:
    """What must be trusted: a name that is added here must be added to docs/proofs.md, with a reason."""
    tree = ast.parse(FILE.read_text())
    found = {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
    found |= {node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    allowed = {"collections.abc", "itertools", "json", "os", "resource", "signal", "stat", "struct", "sys"}
    assert found == allowed | {"tomllib", "typing"}
    names = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    assert not names & {"__import__", "eval", "exec", "compile", "globals"}


def test_it_runs_when_copied_out(tmp_path: Path) -> None:
    copy = tmp_path / "checker.py"
    shutil.copy(FILE, copy)
    command = [sys.executable, "-I", "-S", str(copy), str(PROVED / "english-c1-rounds")]
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, check=True)
    assert done.stdout == "proved: the fewest rounds are 5\n"


def test_its_problems_are_those_of_pegcp(random_problem: Callable[[int], Problem]) -> None:
    """Holes, jumps, start, goal and the numbers of jumps, on all boards and problems that ship, and on random ones."""
    problems = [random_problem(seed) for seed in range(150)]
    problems += [pegcp.problem(name) for name in (*board_names(), *problem_names())]
    for jumps in ("diagonal", "both"):
        board = lattice_board([(row, column) for row in range(4) for column in range(5)], lattice("square", jumps))
        problems.append(Problem(board, Position(board, board.full & ~1), OnePeg()))
    for problem in problems:
        if isinstance(problem.goal, Nearest):  # of which nothing can be proved
            problem = replace(problem, goal=DeadEnd(), objective=Objective.ANY)
        read = checker.read_problem(problem.text.encode())
        assert tuple(read.holes) == problem.board.holes
        assert read.jumps == [tuple(jump) for jump in problem.board.jumps]
        assert (read.start, read.pegs, read.vacancies) == (
            problem.start.mask, problem.final_pegs, problem.final_vacancies)  # fmt: skip
        assert range(read.fewest, read.longest + 1) == problem.lengths
        assert read.is_goal(read.start) == problem.is_goal(problem.start.mask)


# Formulas


def fewest(problem: checker.Problem, model: str, horizon: int, order: list[int]) -> bool:
    """Decide by a solver whether a formula can be satisfied."""
    from pysat.solvers import Cadical195

    _, clauses = checker.formula(problem, model, horizon, order)
    with Cadical195(bootstrap_with=list(map(list, clauses))) as solver:
        return bool(solver.solve())


def test_formulas_say_what_brute_force_says() -> None:
    """Of each model and horizon: whether there is a solution. No clause loses one."""
    need("cadical")
    asked = Counter[tuple[str, bool]]()
    chance = random.Random(1)
    for _ in range(40):
        problem = forging.some_problem(chance)
        read = checker.read_problem(problem.text.encode())
        order = [problem.board.jumps.index(jump) for jump in outside_in(problem.board)]
        least = truth(problem.text.encode(), tuple(order))
        for horizon in range(min(5, max(read.longest, -1) + 1)):
            wanted = {
                "sat-parallel": least["steps"] is not None and least["steps"] <= horizon,
                "sat-rounds": least["rounds"] is not None and least["rounds"] <= horizon,
            }
            wanted["sat-moves"] = horizon in ends(read)
            for model, there_is_one in wanted.items():
                assert fewest(read, model, horizon, order) == there_is_one, (model, horizon, problem.text)
                asked[model, there_is_one] += 1
    assert len(asked) == 6, asked


def ends(problem: checker.Problem) -> set[int]:
    """The numbers of jumps after which the goal is reached."""
    level, made, found = {problem.start}, 0, set()
    while level:
        if any(map(problem.is_goal, level)):
            found.add(made)
        level = {p ^ holes for p in level for holes, pegs in problem.masks if p & holes == pegs}
        made += 1
    return found


def test_the_formulas_of_what_ships_are_those_of_the_specification(tmp_path: Path) -> None:
    """Byte for byte: their SHA-256 is in pegcp/checking/proof-format.md."""
    table = (ROOT / "pegcp" / "checking" / "proof-format.md").read_text()
    for folder in sorted(PROVED.iterdir()):
        for proof in folder.glob("*.lrat"):
            assert verdict(folder, "--cnf", str(tmp_path / folder.name))[0] == 0
            assert sha256((tmp_path / folder.name).read_bytes()).hexdigest() in table
            assert sha256(proof.read_bytes()).hexdigest() in table


# Refutations


def number(value: int) -> bytes:
    return forging.coded(value)


def add(clause: int, literals: list[int], hints: list[int]) -> bytes:
    codes = [2 * clause, *(forging.literal_code(x) for x in literals)]
    return b"a" + b"".join(map(number, codes)) + b"\0" + b"".join(number(2 * hint) for hint in hints) + b"\0"


SQUARE: Formula = [(1, 2), (1, -2), (-1, 2), (-1, -2)]
GOOD = [add(5, [1], [1, 2]), add(6, [], [5, 3, 4])]


def test_a_proof_by_hand() -> None:
    follow(SQUARE, 2, b"".join(GOOD))


@pytest.mark.parametrize(
    ("proof", "fault"),
    [
        (b"", "after clause 4 adds no clause"),
        (GOOD[0], "after clause 5 adds no clause"),
        (b"".join(GOOD)[:-1], "cut off"),
        (b"x", "adds no clause"),
        (b"d\x02\0", "adds no clause"),
        (add(6, [1], [1, 2]), "does not have the next number"),
        (add(5, [3], [1, 2]), "a literal of a variable"),
        (add(5, [1], [1]), "does not follow"),
        (add(5, [1], []), "does not follow"),
        (add(5, [], [1, 2]), "names clause 1, which is not a unit"),
        (add(5, [1], [9]), "names clause 9, which does not exist"),
        (add(5, [1], [5]), "names clause 5, which does not exist"),
        (b"a" + b"\xff" * 12 + b"\0\0", "a malformed number"),
        (b"a\x0a\x82\0\0\x02\x04\0", "a malformed number"),  # a zero that ends no list
        (b"a\x0a\x02\0\x03\0", "names clause 1, which does not exist"),  # a negative hint, as RAT has
    ],
)
def test_bad_steps(proof: bytes, fault: str) -> None:
    with pytest.raises(Rejected, match=fault):
        follow(SQUARE, 2, proof)


def pigeons(n: int) -> Formula:
    """One pigeon more than holes."""
    clauses: Formula = [tuple(p * n + h + 1 for h in range(n)) for p in range(n + 1)]
    return clauses + [(-(a * n + h + 1), -(b * n + h + 1)) for h in range(n) for a, b in combinations(range(n + 1), 2)]


def accepted(formula: Formula, proof: bytes) -> bool:
    try:
        follow(formula, 20, proof)
    except Rejected:
        return False
    return True


def refuted_pigeons(file: Path) -> Formula:
    """Write the solver's own proof to a file; returns the formula that it refutes."""
    need("cadical")
    from pegcp.backends.sat import refute
    from pegcp.modelling.cnf import Clauses
    from pegcp.modelling.formulation import Formulation

    formula, model = pigeons(4), Clauses()
    model.clauses, model.names = list(map(list, formula)), [str(i + 1) for i in range(20)]
    with open(file, "w+b") as proof:
        assert refute(Formulation(model, lambda _: []), proof, Run()).status is Status.INFEASIBLE
    return formula


@pytest.mark.thorough
def test_a_proof_that_a_full_disk_cut_off_is_refused(tmp_path: Path) -> None:
    raw = tmp_path / "raw"
    formula = refuted_pigeons(raw)
    proof = raw.read_bytes()
    for size in {*range(0, len(proof), 7), *range(len(proof) - 40, len(proof))}:
        raw.write_bytes(proof[:size])
        with pytest.raises(ValueError, match="not complete"):
            trimmed(raw, len(formula))


def test_ctrl_c_in_a_sat_solver_is_ctrl_c() -> None:
    need("cadical")
    import pysolvers

    from pegcp.backends import sat

    class Native:
        def conf_budget(self, conflicts: int) -> None:
            assert conflicts == 1

        def solve_limited(self, **_: object) -> bool:
            raise pysolvers.error("Caught keyboard interrupt")

    with pytest.raises(KeyboardInterrupt):
        sat._solve(cast("Any", Native()), [], 1)


@pytest.mark.thorough
@pytest.mark.parametrize("signum", [signal.SIGINT, pytest.param(signal.SIGTERM, marks=pytest.mark.long)])
def test_a_signal_ends_prove_while_a_solver_looks_for_the_optimum(signum: signal.Signals, tmp_path: Path) -> None:
    """CP-SAT takes an interrupt for itself: it stops, and the proof would go on. ``timeout`` sends the other signal."""
    process = subprocess.Popen(
        [sys.executable, "-m", "pegcp", "prove", "english:c2!", "-o", tmp_path / "proof"],
        env={**os.environ, "TMPDIR": str(tmp_path)},
        preexec_fn=lambda: signal.signal(signum, signal.SIG_DFL),  # pytest's parent may ignore it
    )
    assert becomes_true(lambda: any(tmp_path.glob("pegcp-proof-*")))
    time.sleep(0.4)
    process.send_signal(signum)
    assert process.wait(20) == 128 + signum
    assert list(tmp_path.iterdir()) == []


@pytest.mark.long
def test_two_signals_end_prove_while_clauses_are_refuted(tmp_path: Path) -> None:
    """The handler of python-sat jumps into a frame that is gone: a host must never have it."""
    need("cadical")
    process = subprocess.Popen(
        [sys.executable, "-m", "pegcp", "prove", "english", "--bound", "13", "-o", tmp_path / "proof"],
        env={**os.environ, "TMPDIR": str(tmp_path)},
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    assert becomes_true(lambda: any(raw.is_file() and raw.stat().st_size for raw in tmp_path.rglob("proof")), 60)
    for _ in range(2):
        process.send_signal(signal.SIGINT)
        time.sleep(0.003)
    assert process.wait(20) in (128 + signal.SIGINT, -signal.SIGINT)  # the second may come at the very end
    assert becomes_true(lambda: list(tmp_path.iterdir()) == [])


@pytest.mark.thorough
def test_no_library_of_a_solver_is_loaded_by_who_asks_for_a_proof(tmp_path: Path) -> None:
    need("cadical")
    code = (
        "import signal, sys, pegcp; before = signal.getsignal(signal.SIGINT)\n"
        f"print(pegcp.prove('triangle10:a2->b2', {str(tmp_path / 'proof')!r}, bound=3))\n"
        "assert signal.getsignal(signal.SIGINT) is before and not {'pysolvers', 'pysat'} & sys.modules.keys()"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert (done.stdout, done.returncode) == ("every solution has at least 3 steps\n", 0), done.stderr
    assert list(tmp_path.glob("proof/*.lrat"))


def test_a_claim_is_not_parsed_without_limits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The process that asks has no limit of memory; only the checker reads a claim."""
    prove(pegcp.problem("XoX"), tmp_path / "proof", Run())
    monkeypatch.setattr(checker, "parse", None)
    assert verify_folder(tmp_path / "proof").measure is None


def test_many_moves_are_checked_by_faster_code(tmp_path: Path) -> None:
    from pegcp.checking.verification import _has_long_moves

    claim = tmp_path / "claim.json"
    for forward, is_long in ((4, False), (5, True), (10**9, False)):
        claim.write_text(json.dumps({"parts": [{"type": "two-sided", "forward": forward, "backward": 4}]}))
        assert _has_long_moves(tmp_path) == is_long
    claim.unlink()
    assert not _has_long_moves(tmp_path)


@pytest.mark.thorough
def test_changed_proofs(tmp_path: Path) -> None:
    """No proof in which a byte is changed is accepted of a formula that has solutions: without a clause pigeons fit."""
    formula = refuted_pigeons(tmp_path / "raw")
    proof = trimmed(tmp_path / "raw", len(formula))
    assert accepted(formula, proof)
    chance, right = random.Random(1), 0
    for _ in range(400):
        at = chance.randrange(len(proof))
        new = bytes([chance.choice([*proof, chance.randrange(256)])])
        changed = proof[:at] + chance.choice([new, b"", new + proof[at : at + 1]]) + proof[at + 1 :]
        fits = [*formula]
        fits[chance.randrange(len(formula))] = (1, -1)
        right += accepted(fits, changed)
    assert right == 0


# Folders


LONG = {"english-fewest-moves", "english-c1-fewest-moves", "square6-fewest-moves"}  # by plain code up to a minute
LONGEST = "english-count"  # ten minutes and 3 GB


@cache
def checked_by_plain_code(folder: str) -> dict[str, Any]:
    return checker.Folder(str(PROVED / folder)).check()


@pytest.mark.parametrize("by_numpy", [False, pytest.param(True, marks=pytest.mark.long)], ids=["plain", "numpy"])
@pytest.mark.parametrize("folder", sorted({path.name for path in PROVED.iterdir()} - LONG - {LONGEST}))
def test_proofs_that_ship(folder: str, by_numpy: bool) -> None:
    said = checked_by_plain_code(folder)
    assert re.search("the fewest .* are|there is no solution|there are .* solutions", said["says"])
    assert not by_numpy or checker.Folder(str(PROVED / folder)).check(meet=two_sided.meet) == said


@pytest.mark.slow
@pytest.mark.parametrize("by_numpy", [True, False], ids=["numpy", "plain"])
@pytest.mark.parametrize("folder", sorted(LONG))
def test_long_proofs_that_ship(folder: str, by_numpy: bool) -> None:
    """Those of the English board are also checked by .ci/run, with the command of a reader."""
    meet = two_sided.meet if by_numpy else checker.meet
    assert "the fewest moves are" in checker.Folder(str(PROVED / folder)).check(meet=meet)["says"]


@pytest.mark.slow
@pytest.mark.timeout(3600)
def test_all_sequences_of_the_central_game_are_counted_by_the_checker() -> None:
    """As many as George Bell has found."""
    says = checker.Folder(str(PROVED / LONGEST)).check()["says"]
    assert says == "there are 40861647040079968 solutions, as sequences of jumps"


@pytest.fixture(scope="module")
def proved(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """That a dead end on the triangle takes four jumps, by cases and a formula; each can be used alone."""
    need("cadical")
    folder = tmp_path_factory.mktemp("proved")
    writer = forging.Writer(pegcp.problem("triangle15:b3!"), folder, Run())
    with pytest.MonkeyPatch.context() as patch:
        find = cases.find_cases

        def find_few(problem: Problem, seconds: float, most: int) -> object:
            return find(problem, seconds, most=most) if most < 3 else None

        patch.setattr(cases, "find_cases", find_few)
        writer.optimum()
        writer.finish()
    assert judged(folder) == (0, "the fewest jumps are 4")
    assert [part["type"] for part in edited(folder)["parts"]] == ["certificate", "sat-moves"]
    return folder


@pytest.fixture
def copy(proved: Path, tmp_path: Path) -> Path:
    """A copy of it, to change."""
    return Path(shutil.copytree(proved, tmp_path / "copy"))


@pytest.mark.thorough
def test_changes_of_the_claim_are_refused(copy: Path) -> None:
    good = edited(copy)
    claim, parts = good["claim"], good["parts"]
    for changes, fault in (
        ({"claim": claim | {"least": 5}}, "no part shows that 4 jumps are not enough"),
        ({"claim": claim | {"least": 3}}, "part 2 is not needed"),
        ({"claim": {"type": "infeasible"}}, "a solution, and the claim that there is none"),
        ({"claim": {"type": "infeasible"}, "solution": None}, "no part shows that 4 jumps are not enough"),
        ({"claim": {"type": "steps", "least": 4}}, "'certificate' cannot show a claim of type steps"),
        ({"claim": {"type": "pegs", "least": 2}}, "part 1"),
        ({"claim": {"type": "moves", "least": 4}}, "cannot show a claim of type moves"),
        ({"claim": claim | {"least": 2**31}}, "not from 0 to 14"),
        ({"claim": claim | {"least": True}}, "least: True"),
        ({"claim": claim | {"more": 1}}, "unexpected key: 'more'"),
        ({"parts": parts[:1]}, "no part shows that 3 jumps are not enough"),
        ({"parts": parts * 1000}, "more than 16 items"),
        ({"parts": [*parts, parts[0]]}, "part 3 is not needed"),
        ({"parts": [parts[0], parts[1] | {"horizon": 10_000}]}, "horizon: 10000"),
        (
            {"parts": [parts[0], parts[1] | {"type": "sat-parallel"}]},
            "'sat-parallel' cannot show a claim of type jumps",
        ),
        ({"parts": [parts[0], parts[1] | {"formula": "x.cnf"}]}, "unexpected key: 'formula'"),
        ({"solution": good["solution"][:-1]}, "the solution does not reach the goal"),
        ({"solution": good["solution"][::-1]}, "jump 1 is not possible"),
        ({"format": 3}, "format 3; this program reads 2"),
    ):
        edited(copy, **(good | changes))
        code, said = judged(copy)
        assert (code, fault in said) == (4, True), (changes, said)
    edited(copy, **good)
    assert judged(copy)[0] == 0


def test_folders_that_are_none(copy: Path, tmp_path: Path) -> None:
    good = (copy / "claim.json").read_bytes()
    for data in (b"", b"[]", b"{}", b"null", b"[" * 100_000, b'{"format": NaN}', b"\xff", good[:99]):
        (copy / "claim.json").write_bytes(data)
        code, said = judged(copy)
        assert (code, said.startswith("rejected: claim.json")) == (4, True), said
    (copy / "claim.json").write_bytes(good)
    proof = copy / "proof-03.lrat"
    proof.rename(copy / "elsewhere")
    assert "proof-03.lrat: cannot read" in judged(copy)[1]
    proof.symlink_to(copy / "elsewhere")
    assert "proof-03.lrat: cannot read" in judged(copy)[1]
    proof.unlink()
    os.mkfifo(proof)
    assert "proof-03.lrat: not a regular file" in judged(copy)[1]
    assert "claim.json: cannot read" in judged(tmp_path / "none")[1]
    with pytest.raises(InputError, match="no such folder"):
        verify_folder(tmp_path / "none")


def folder_of(tmp_path: Path, text: str, claim: dict[str, Any], parts: list[Any], **files: bytes) -> Path:
    folder = tmp_path / "forged"
    folder.mkdir(parents=True)
    (folder / "problem.toml").write_text(text)
    (folder / "claim.json").write_text(json.dumps({"format": 2, "claim": claim, "parts": parts}))
    for name, data in files.items():
        (folder / name.replace("_", "-").replace("-lrat", ".lrat")).write_bytes(data)
    return folder


TWO_READINGS = """holes = ["", "a b", "c", "b"]
lines = ["-a b-c"]
start = ["c", "b"]
goal = "one peg"
objective = "any"
"""


def test_a_text_with_two_readings_is_refused(tmp_path: Path) -> None:
    """No hole is called nothing, nor ``a b``: where one reader sees a jump, another may see none."""
    stuck = {"type": "certificate", "certificate": {"tree": [["stuck"]]}}
    folder = folder_of(tmp_path, TWO_READINGS, {"type": "infeasible"}, [stuck])
    assert judged(folder)[0] == 4
    for options in ([], ["--verified"]):
        status, said = by_command("check", str(folder), *options)
        assert (status, "not a hole name" in said) == (4, True), said


LISTED = pegcp.problem("cycle5:0->?").text
DRAWN = pegcp.problem("triangle10:a2->b2").text


@pytest.mark.parametrize("text", [LISTED, DRAWN])
def test_the_canonical_text_is_read(text: str) -> None:
    checker.read_problem(text.encode())
    independent.read(text.encode())


OTHER_TEXTS = [
    (LISTED, "\n", "\r\n"),  # CRLF
    (LISTED, "holes", "\ufeffholes"),  # a byte-order mark
    (LISTED, "\ngoal", " # a comment\ngoal"),  # a comment
    (LISTED, "\ngoal", "\n\ngoal"),  # an empty line
    (LISTED, "goal =", '"goal" ='),  # a quoted key
    (LISTED, '["0", "1", "2", "3", "4"]', '["1", "0", "2", "3", "4"]'),  # holes in another order
    (LISTED, '"0-1-2"', '"2-1-0"'),  # a line from its other end
    (LISTED, '"0-1-2"', '"0-1-2", "0-1-2"'),  # a line twice
    (LISTED, '"0-1-2"', '"0 1 2"'),  # a line with blanks
    (LISTED, '"0"', "'0'"),  # a literal string
    (LISTED, '"0"', '"\\u0030"'),  # an escape
    (LISTED, '"0"', "0"),  # a number for a name
    (LISTED, "0", "\u0660"),  # a digit of another alphabet
    (LISTED, "0", "\u00e9"),  # a letter of another alphabet
    (LISTED, "0", "e\u0301"),  # a letter in two characters
    (LISTED, "0", "a" * 101),  # a long name
    (LISTED, "0", "a-b"),  # a dash in a name
    (LISTED, '"one peg"', '["one", "peg"]'),  # words for a goal
    (LISTED, 'goal = "one peg"', "[goal]\npegs = []\nvacancies = []"),  # a table
    (LISTED, 'goal = "one peg"', "goal.pegs = []\ngoal.vacancies = []"),  # keys with dots
    (LISTED, 'goal = "one peg"', 'goal = "dead end"\ngoal = "one peg"'),  # the goal twice
    (LISTED, '"any"', '"nearest"'),  # an objective without its goal
    (LISTED, 'objective = "any"\n', ""),  # no objective
    (DRAWN, '"triangular"\n', '"triangular"\njumps = "None"\n'),  # jumps that there are not
    (DRAWN, '"?" }', '"?", hole = "." }'),  # another legend
    (DRAWN, 'peg = "X", vacancy = "o"', 'vacancy = "o", peg = "X"'),  # a legend in another order
    (DRAWN, '"""\n   ', '"""\n    '),  # a row that is moved
    (DRAWN, '\n"""', ' \n"""'),  # a blank at the end of a row
    (DRAWN, '"""\n   ', '"""\n\n   '),  # an empty row above
    (DRAWN, '\n"""', '\n\n"""'),  # an empty row below
    (DRAWN, "\n", "\n "),  # a margin
    (DRAWN, '"""', "'''"),  # a literal drawing
]


@pytest.mark.parametrize(("text", "old", "new"), OTHER_TEXTS)
def test_another_text_of_a_problem_is_refused(text: str, old: str, new: str) -> None:
    """By the file, and by the reader that finds the truth for the forgeries."""
    changed = text.replace(old, new).encode()
    assert changed != text.encode()
    with pytest.raises(Rejected):
        checker.read_problem(changed)
    with pytest.raises(ValueError):  # noqa: PT011
        independent.read(changed)


def test_small_and_capital_letters_are_different_names() -> None:
    text = LISTED.replace('"0', '"a').replace("-0", "-a").replace('"1', '"A').replace("-1-", "-A-").replace("-1", "-A")
    game = independent.read(text.encode())
    assert game.holes[:2] == ("a", "A")
    assert tuple(checker.read_problem(text.encode()).holes) == game.holes
    assert read_problem(text).text == text


@pytest.mark.parametrize("name", ["", "a b", "a-b", "\u00e9", "\u0661", "a" * 101, "a\n"])
def test_no_reader_takes_a_name_that_others_could_misread(name: str) -> None:
    with pytest.raises(InputError, match="not a hole name"):
        lines_board(["a", "b", name], [])
    with pytest.raises(Rejected, match="not a hole name"):
        checker.read_problem(f'holes = {json.dumps([name], ensure_ascii=False)}\nlines = []\nstart = []\n'
                             'goal = []\nobjective = "any"\n'.encode())  # fmt: skip


def by_command(*arguments: str) -> tuple[int, str]:
    """The exit status of a command and what it says."""
    done = CliRunner().invoke(cli, list(arguments), standalone_mode=False)
    return done.return_value if done.exception is None else 2, f"{done.output}{done.exception or ''}"


def test_odd_files_in_a_folder(copy: Path) -> None:
    """What means nothing is not looked at; what cannot be a file of the folder is refused as it is."""
    (copy / "zz.lrat").symlink_to("nowhere")
    assert by_command("check", str(copy))[0] == 0
    claim = (copy / "claim.json").read_text()
    (copy / "claim.json").write_text(claim.replace('"claim"', '"format": 2, "claim"', 1))
    assert by_command("check", str(copy)) == (4, f"{copy} proves nothing: claim.json: an object has a key twice\n")
    (copy / "claim.json").unlink()
    (copy / "claim.json").mkdir()
    assert by_command("check", str(copy)) == (4, f"{copy} proves nothing: claim.json: not a regular file\n")


def test_a_folder_that_is_missing() -> None:
    status, said = by_command("check", "nofolder")
    assert (status, "no such" in said) == (2, True)


def test_the_formula_overwrites_nothing(copy: Path) -> None:
    before = (copy / "proof-03.lrat").read_bytes()
    status, said = by_command("check", str(copy), "--cnf", str(copy / "proof-03.lrat"))
    assert (status, "exists" in said) == (2, True), said
    assert (copy / "proof-03.lrat").read_bytes() == before


def test_the_limit_of_a_check_is_wall_time(monkeypatch: pytest.MonkeyPatch) -> None:
    clocks: list[Any] = []
    monkeypatch.setattr(signal, "signal", lambda *_: None)
    monkeypatch.setattr(signal, "setitimer", lambda which, seconds: clocks.append((which, seconds > 0)))
    monkeypatch.setattr("resource.setrlimit", lambda *_: None)
    checker.limit(0, 1000)
    assert clocks == [(signal.ITIMER_REAL, True)]


TWO_UNITS = bytes.fromhex("610600020400")  # "clauses 1 and 2 contradict each other"
COLLIDING = """holes = ["a", "b", "c", "a_after_r00_a_b_c", "start_a", "x"]
lines = ["a-b-c", "a_after_r00_a_b_c-start_a-x"]
start = ["a", "b", "start_a"]
goal = ["c", "start_a"]
objective = "any"
"""


def test_a_renamed_variable(tmp_path: Path) -> None:
    """The proof is of another formula: nothing that the folder says can change the one that is written."""
    longest = {"type": "sat-moves", "horizon": 31}
    text = pegcp.problem("english").text
    folder = folder_of(tmp_path, text, {"type": "infeasible"}, [longest], proof_31_lrat=TWO_UNITS)
    (folder / "formula-31.cnf").write_text("c 1 peg_t00_d1\np cnf 1 2\n1 0\nc 1 peg_t00_d4\n-1 0\n")
    code, said = judged(folder)
    assert (code, "proof-31.lrat: the step after clause" in said) == (4, True)


def test_exact_numbers_of_jumps_for_another_claim(tmp_path: Path) -> None:
    """That no solution has 1 jump, of two, says nothing about steps; and nothing about fewer jumps."""
    text = pegcp.problem("XXoXX", goal="c1 d1 e1").text
    for kind, least, part, fault in (
        ("steps", 2, "sat-moves", "'sat-moves' cannot show"),
        ("jumps", 2, "sat-fools", "'sat-fools' cannot show"),
        ("jumps", 2, "sat-moves", "part 1"),
    ):
        parts = [{"type": part, "horizon": n} for n in range(least)]
        code, said = judged(folder_of(tmp_path / part / kind, text, {"type": kind, "least": least}, parts))
        assert (code, fault in said) == (4, True), said


def test_one_number_of_jumps_says_nothing_of_fewer(tmp_path: Path) -> None:
    text = pegcp.problem("triangle15:b3!").text
    parts = [{"type": "sat-moves", "horizon": 2}]
    code, said = judged(folder_of(tmp_path, text, {"type": "jumps", "least": 3}, parts))
    assert (code, "no part shows that" in said) == (4, True), said


def test_names_that_collide() -> None:
    need("cadical")
    problem = checker.read_problem(COLLIDING.encode())
    order = list(range(len(problem.jumps)))
    assert [fewest(problem, "sat-rounds", horizon, order) for horizon in (0, 1, 2)] == [False, True, True]
    variables, _ = checker.formula(problem, "sat-rounds", 2, order)
    assert variables == len(problem.holes) + 4 * 2 * len(problem.jumps)


def test_a_solution_that_contradicts_the_claim(copy: Path) -> None:
    longer = json.loads((PROVED / "triangle15-fools-a3" / "claim.json").read_text())["solution"]
    shutil.copy(PROVED / "triangle15-fools-a3" / "problem.toml", copy)
    edited(copy, solution=longer)
    assert judged(copy) == (4, "rejected: the solution has 7 jumps, the claim is 4")


@pytest.mark.long
def test_costs_are_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Before work begins where that can be, else by the limits; never with a traceback."""
    monkeypatch.setattr(checker, "MOST_LITERALS", 100_000)
    holes = [f"h{i}" for i in range(1000)]
    lines = [f"h{i}-h{i + 1}-h{i + 2}" for i in range(998)]
    wide = f"holes = {json.dumps(holes)}\nlines = {json.dumps(lines)}\nstart = {json.dumps(holes[1:])}\n"
    wide += 'goal = ["h0"]\nobjective = "any"\n'
    splits = {"tree": [["split", i % 1000, 0] for i in range(20_000)]}
    for parts, claim, fault in (
        (
            [{"type": "certificate", "certificate": splits}],
            {"type": "infeasible"},
            "the tree is too large",
        ),
        ([{"type": "sat-moves", "horizon": 998}], {"type": "infeasible"}, "is too large"),
        ([{"type": "sat-moves", "horizon": 2**31}], {"type": "infeasible"}, "horizon: "),
        (
            [{"type": "certificate", "certificate": {}}] * 10_000,
            {"type": "infeasible"},
            "more than 1,001 items",
        ),
        ([], {"type": "steps", "least": 2**31 - 1}, "least: "),
    ):
        folder = folder_of(tmp_path, wide, claim, parts)
        code, said = judged(folder)
        assert (code, fault in said) == (4, True), said
        shutil.rmtree(folder)
    _, clauses = checker.formula(checker.read_problem(pegcp.problem("XoXX").text.encode()), "sat-parallel", 1, [])
    repeated = b"".join(add(len(clauses) + 1 + i, [*clauses[0]], [1]) for i in range(200_000))
    folder = folder_of(tmp_path, pegcp.problem("XoXX").text, {"type": "steps", "least": 2},
                       [{"type": "sat-parallel", "horizon": 1}], proof_01_lrat=repeated)  # fmt: skip
    assert verdict(folder, "--time", "0.05") == (3, "stopped: it takes more than 0.05 s\n")
    assert verdict(folder, "--memory", "25")[0] == 3


FAULTS = ("open cases", "the last hint", "ranges in a sum", "a part for each value", "replay", "the horizon")


@pytest.mark.slow
def test_planted_faults_are_found() -> None:
    """The campaign is sensitive. By hand against each fault: python tests/forging.py --faults 20000."""
    need("cadical")
    chance = random.Random(1)
    forger = forging.Forger(chance, forging.genuine(chance, 40))
    for fault in FAULTS:
        assert forging.noticed(fault, forger, 20_000), fault


@pytest.mark.long
@pytest.mark.parametrize("number", [300, pytest.param(4_000, marks=pytest.mark.slow)])
def test_forgeries(number: int) -> None:
    """By hand more: python tests/forging.py 1000000."""
    need("cadical")
    outcome = forging.campaign(number, folders=min(number // 50, 40))
    assert outcome.wrong == []
    assert outcome.verdicts["rejected"] > number // 3


# Moves


def random_lines(chance: random.Random) -> Problem:
    """A board without any geometry, and a goal of one peg or exact."""
    size = chance.randint(3, 8)
    triples = [t for t in permutations(range(size), 3) if t[0] < t[2]]
    names = [f"h{i}" for i in range(size)]
    lines = [tuple(names[hole] for hole in t) for t in chance.sample(triples, min(len(triples), chance.randint(1, 9)))]
    board = lines_board(names, [(a, b, c) for a, b, c in lines])
    start = chance.randrange(1, 1 << size)
    goals: list[Goal] = [OnePeg(), Exact(chance.randrange(1 << size)), Exact(1 << chance.randrange(size))]
    return Problem(board, Position(board, start), chance.choice(goals))


def moves_are_bounded(chance: random.Random) -> bool:
    """Ask of a random problem for bounds up to one too high, with the symmetries that keep its jumps and goal."""
    problem = random_lines(chance) if chance.random() < 0.5 else forging.some_problem(chance)
    if not isinstance(problem.goal, OnePeg | Exact):
        return False
    read, least = checker.read_problem(problem.text.encode()), truth(problem.text.encode())["moves"]
    some = [[*symmetry] for symmetry in problem.goal_symmetries(checker.MOST_SYMMETRIES).elements]
    group = checker.symmetries(read, chance.sample(some, min(len(some), chance.randint(0, 3))))
    packed = [list(bits(region)) for region in packing(regions(problem.board)) if chance.random() < 0.9]
    merson = checker.merson_regions(read, packed)
    for total in range((least if least is not None else min(read.count, 4)) + 2):
        for meet in (checker.meet, two_sided.meet):
            runs = meet(read, group, merson, total)
            assert runs == (least if least is not None and least <= total else None), (problem.text, total)
    return True


@pytest.mark.parametrize(
    "number",
    [
        30,
        pytest.param(100_000, marks=[pytest.mark.slow, pytest.mark.timeout(7200)]),
    ],
)
def test_bounds_on_moves_are_those_of_brute_force(number: int) -> None:
    """By plain Python and by numpy, with regions that start or goal fill or not; claims one too high are refused."""
    chance = random.Random(number)
    assert sum(moves_are_bounded(chance) for _ in range(number)) > number // 3


def test_only_symmetries_of_jumps_and_goal_are_taken() -> None:
    chance, kept = random.Random(1), Counter[bool]()
    for _ in range(400):
        problem = random_lines(chance)
        read = checker.read_problem(problem.text.encode())
        permutation = chance.sample(range(len(read.holes)), len(read.holes))
        keeps = {tuple(permutation[hole] for hole in jump) for jump in read.jumps} == set(read.jumps) and (
            isinstance(problem.goal, OnePeg)
            or sum(1 << permutation[hole] for hole in range(len(read.holes)) if read.pegs >> hole & 1) == read.pegs
        )
        kept[keeps] += 1
        try:
            group = checker.symmetries(read, [permutation])
        except Rejected:
            assert not keeps
        else:
            assert keeps
            assert all(tuple(g[s] for s in h) in group for g in group for h in group)
    assert kept[True] > 5


def test_symmetries_of_a_drawing_that_its_jumps_have_not() -> None:
    """A row of five holes, of which two lines are listed: turned round, one jump is none."""
    text = 'holes = ["a", "b", "c", "d", "e"]\nlines = ["a-b-c"]\nstart = ["a", "b"]\ngoal = ["c"]\nobjective = "any"\n'
    problem = checker.read_problem(text.encode())
    with pytest.raises(Rejected, match="must keep the jumps"):
        checker.symmetries(problem, [[4, 3, 2, 1, 0]])
    with pytest.raises(Rejected, match="must keep the goal"):
        checker.symmetries(problem, [[2, 1, 0, 3, 4]])
    for wrong in ([0, 1, 2, 3], [0, 0, 2, 3, 4], [0, 1, 2, 3, 5], [0, 1, 2, 3, True], "01234", 5):
        with pytest.raises(Rejected, match="must keep the jumps"):
            checker.symmetries(problem, [wrong])


def test_moves_that_cannot_be_claimed(tmp_path: Path) -> None:
    text = pegcp.problem("triangle10:a2->b2", objective="fewest-moves").text
    least = truth(text.encode())["moves"]
    assert least is not None
    sides = {"type": "two-sided", "forward": 2, "backward": least - 3, "symmetries": []}
    for i, (goal, least_, part, fault) in enumerate((
        (None, least, sides, ""),
        (None, least + 1, sides, f"does not show that {least} moves"),
        (None, least + 1, sides | {"forward": 3}, f"there is a solution of {least} moves"),
        (None, least, sides | {"forward": -1}, "forward: -1"),
        (None, least, sides | {"backward": 10**6}, "backward: "),
        (None, least, sides | {"symmetries": [[0]] * 11}, "more than 10 items"),
        (None, least, sides | {"regions": [[0], [6], [9]]}, ""),
        (None, least + 1, sides | {"forward": 3, "regions": [[0], [6], [9]]}, f"there is a solution of {least} moves"),
        (None, least, sides | {"regions": [[0], [1]]}, "must begin or end in it"),
        (None, least, sides | {"regions": [[0], [6, 0]]}, "holes of its own"),
        (None, least, sides | {"regions": [[0], []]}, "holes of its own"),
        (None, least, sides | {"regions": [[10]]}, "regions: 10"),
        (None, least, sides | {"regions": [0]}, "regions: not a list"),
        (None, least, sides | {"regions": [[]] * 11}, "more than 10 items"),
        (None, least, {"type": "sat-parallel", "horizon": 3}, "cannot show a claim of type moves"),
        ('"dead end"', least, sides, "exact or one peg"),
    )):  # fmt: skip
        changed = text if goal is None else text.replace('goal = ["b2"]', f"goal = {goal}")
        folder = folder_of(tmp_path / str(i), changed, {"type": "moves", "least": least_}, [part])
        code, said = judged(folder)
        assert (code, fault in said) == (4 if fault else 0, True), said


def test_a_start_that_is_the_goal_takes_no_moves(tmp_path: Path) -> None:
    text = pegcp.problem("XXoX", goal="a1 b1 d1", objective="fewest-moves").text
    part = {"type": "two-sided", "forward": 0, "backward": 0, "symmetries": []}
    assert judged(folder_of(tmp_path / "0", text, {"type": "moves", "least": 0}, []))[0] == 0
    code, said = judged(folder_of(tmp_path / "1", text, {"type": "moves", "least": 1}, [part]))
    assert (code, "a solution of 0 moves" in said) == (4, True), said


@pytest.mark.parametrize(("least", "status"), [(0, 4), (1, 0), (2, 4)])
def test_a_peg_that_goes_on_where_it_landed_makes_one_move(tmp_path: Path, least: int, status: int) -> None:
    """Two runs in turn may be one move: the solution of two jumps is worth one."""
    text = pegcp.problem("XXoXo", goal="e1").text
    part = {"type": "two-sided", "forward": 1, "backward": least - 2, "symmetries": []}
    part = part if least > 1 else part | {"forward": 0, "backward": 0}
    folder = folder_of(tmp_path, text, {"type": "moves", "least": least}, [part] if least else [])
    edited(folder, solution=[["a1", "b1", "c1"], ["c1", "d1", "e1"]])
    assert judged(folder)[0] == status


@pytest.mark.thorough
def test_fewest_moves_are_proved_and_a_bound_too_high_is_refuted(tmp_path: Path) -> None:
    problem = pegcp.problem("triangle10:a2->b2", objective="fewest-moves")
    claim = made(prove(problem, tmp_path / "p", Run()))
    assert claim.least == truth(problem.text.encode())["moves"]
    assert claim.jumps is not None
    answer = prove(problem, tmp_path / "q", Run(), claim.least + 1)
    assert isinstance(answer, Answer)
    assert (answer.status, problem.value(answer.jumps or ())) == (Status.SOLVED, claim.least)


@pytest.mark.thorough
@pytest.mark.parametrize(("name", "number"), [("triangle15:b3->?", 1550), ("XXoXoX", 1), ("rectangle3x3:a1!", None)])
def test_counts_are_proved(name: str, number: int | None, tmp_path: Path) -> None:
    problem = pegcp.problem(name, objective="count")
    claim = made(prove(problem, tmp_path / "p", Run()))
    assert (claim.measure, claim.jumps) == ("count", None)
    assert claim.least == number_of_solutions(problem.text.encode()) == (number or claim.least)
    assert f"there are {claim.least} solutions" in claim.says


def test_counts_that_cannot_be_claimed(tmp_path: Path) -> None:
    text = pegcp.problem("triangle10:a2->b2", objective="count").text
    number = number_of_solutions(text.encode())
    reflection = [2 if hole == 1 else 1 if hole == 2 else hole for hole in range(10)]
    levels: dict[str, Any] = {"type": "levels", "symmetries": []}
    cases: list[tuple[dict[str, Any], dict[str, Any], str]] = [
        ({"number": number}, levels, ""),
        ({"number": number + 1}, levels, f"there are {number} solutions"),
        ({"number": float(number)}, levels, "not an integer"),
        ({"number": True}, levels, "not an integer"),
        ({"number": number, "least": number}, levels, "unexpected key"),
        ({"least": number}, levels, '"number" is missing'),
        ({"number": number}, {"type": "levels"}, '"symmetries" is missing'),
        ({"number": number}, levels | {"horizon": 3}, "unexpected key"),
        ({"number": number}, levels | {"symmetries": [reflection]}, "must keep the jumps"),
        ({"number": number}, levels | {"symmetries": [[9, 8, 7, 6, 5, 4, 3, 2, 1, 0]]}, "must keep the jumps"),
        ({"number": number}, {"type": "sat-moves", "horizon": 3}, "cannot show a claim of type count"),
    ]
    for i, (claim, part, fault) in enumerate(cases):
        code, said = judged(folder_of(tmp_path / str(i), text, {"type": "count"} | claim, [part]))
        assert (code, fault in said) == (4 if fault else 0, True), said
    code, said = judged(folder_of(tmp_path / "none", text, {"type": "count", "number": number}, []))
    assert (code, "no part shows" in said) == (4, True)
    code, said = judged(folder_of(tmp_path / "two", text, {"type": "count", "number": number}, [levels, levels]))
    assert (code, "part 2 is not needed" in said) == (4, True)
    folder = folder_of(tmp_path / "solution", text, {"type": "count", "number": number}, [levels])
    edited(folder, solution=[])
    assert (judged(folder)[0], "how many" in judged(folder)[1]) == (4, True)


def test_symmetries_of_a_count_keep_vacancies_that_the_goal_wants() -> None:
    text = pegcp.problem("XoXoX", start="a1 b1 d1", goal="c1 *").text.replace("vacancies = []", 'vacancies = ["a1"]')
    with pytest.raises(checker.Rejected, match="must keep the goal"):
        checker.symmetries(checker.read_problem(text.encode()), [[4, 3, 2, 1, 0]])


@pytest.mark.parametrize("fault", ["the number of solutions", "symmetries of the goal", "ways that meet"])
def test_faults_in_counting_are_noticed(fault: str, tmp_path: Path) -> None:
    wrong, accepted = forging.faulty(fault), list[str]()
    for start, goal in (("XXoooXX", "c1 e1"), ("XXoXo", "e1")):
        text = pegcp.problem(start, goal=goal, objective="count").text
        for symmetries in ([], [[*range(len(start))][::-1]]):
            part = {"type": "levels", "symmetries": symmetries}
            for claimed in range(4):
                where = tmp_path / f"{start}-{claimed}-{len(symmetries)}"
                folder = folder_of(where, text, {"type": "count", "number": claimed}, [part])
                with suppress(wrong.Rejected):
                    wrong.Folder(str(folder)).check()
                    accepted += [text] * (claimed != number_of_solutions(text.encode()))
    assert accepted


def test_soft_goals_have_no_proof(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="soft goals"):
        prove(pegcp.problem("XXoX", goal="near a1"), tmp_path / "p", Run())


# Certificates


@pytest.mark.parametrize(
    "node",
    [
        pytest.param(["sum", [[3, -1]]], id="an inequality taken -1 times"),
        pytest.param(["sum", [[3, 1]]], id="an inequality that is odd"),
        pytest.param(["sum", [[1, 1]]], id="an equation that holds"),
    ],
)
def test_a_case_with_a_solution_is_not_closed_by_a_sum(node: Any) -> None:
    """The jump of ``XXo`` is made once, in the fourth node; the others are closed rightly. Row 3: at most two jumps."""
    problem = checker.Problem(["a1", "b1", "c1"], [(0, 1, 2), (2, 1, 0)], 0b011, ("exact", 0b100, 0b011))
    tree = [["split", 1, 0], ["split", 0, 0], ["sum", [[0, -1]]], node, ["sum", [[2, 1], [1, 1]]]]
    with pytest.raises(Rejected, match=r"^node 4: (the rows|row 3)"):
        checker.Certificate(problem, {"tree": tree, "most": 2}).check()


@pytest.mark.parametrize("rest", [[], [["sum", [[1, 1]]]]])
def test_a_cut_leaves_the_case_where_a_jump_is_made_once_more(rest: list[Any]) -> None:
    problem = checker.Problem(["a1", "b1", "c1"], [(0, 1, 2), (2, 1, 0)], 0b011, ("exact", 0b100, 0b011))
    with pytest.raises(Rejected, match=r"left open|^node 2: the rows"):
        checker.Certificate(problem, {"tree": [["cut", 0], *rest], "cuts": [[[0, 0]]]}).check()


def test_no_node_comes_after_the_last_case() -> None:
    problem = checker.Problem(["a1", "b1", "c1"], [(0, 1, 2), (2, 1, 0)], 0b001, ("exact", 0b100, 0b011))
    checker.Certificate(problem, {"tree": [["stuck"]]}).check()
    with pytest.raises(Rejected, match="after the last case"):
        checker.Certificate(problem, {"tree": [["stuck"], ["stuck"]]}).check()


def test_the_tree_of_the_specification() -> None:
    """The example that pegcp/checking/proof-format.md works out by hand."""
    text = (ROOT / "pegcp" / "checking" / "proof-format.md").read_text()
    blocks = text.split("```")
    problem = next(block.removeprefix("toml\n") for block in blocks if block.startswith("toml"))
    tree = json.loads(next(block for block in blocks if block.startswith('json\n{"tree"')).removeprefix("json"))
    read = checker.read_problem(problem.encode())
    checker.Certificate(read, tree).check()
    for i in range(len(tree["tree"])):
        with pytest.raises(Rejected):
            checker.Certificate(read, {"tree": tree["tree"][:i] + tree["tree"][i + 1 :]}).check()


# Writing


@pytest.mark.long
def test_no_solution_is_proved(
    random_problem: Callable[[int], Problem], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By clauses, where certificates are not asked for."""
    need("cadical")
    monkeypatch.setattr(certificates, "find", lambda *_, **__: None)
    proofs = 0
    for seed in range(60):
        problem = random_problem(seed)
        if isinstance(problem.goal, DeadEnd) or not problem.lengths or max(problem.lengths) > 6:
            continue
        if proofs < 2 and answer(problem, "bfs").status is Status.INFEASIBLE:
            assert made(prove(problem, tmp_path / str(seed), Run())).measure is None
            proofs += 1
    assert proofs == 2


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("text", "objective", "bound", "said"),
    [
        ("triangle10:a2->b2", "fewest-steps", None, "the fewest steps are"),
        pytest.param("triangle15:a1", "any", 7, "every solution has at least 7 steps", marks=pytest.mark.long),
        pytest.param("triangle15:a1", "fewest-pegs", None, "the fewest pegs are 1", marks=pytest.mark.long),
        ("square4:a1", "fewest-pegs", None, "the fewest pegs are 2"),
        ("english:c1->e5", "any", 13, "there is no solution"),
    ],
)
def test_claims(text: str, objective: str, bound: int | None, said: str, tmp_path: Path) -> None:
    """The kinds of claims, and that a larger bound is refused."""
    need("cadical")
    problem, folder = pegcp.problem(text, objective=objective), tmp_path / "proof"
    claim = made(prove(problem, folder, Run(), **({} if bound is None else {"bound": bound})))
    assert said in str(claim)
    if claim.measure is not None:
        data = edited(folder, solution=None)
        edited(folder, claim=data["claim"] | {"least": claim.least + 1})
        with pytest.raises(InvalidProof):
            verify_folder(folder)


@pytest.mark.parametrize("objective", ["fewest-moves", "fewest-pegs"])
def test_a_bound_that_is_too_large_leaves_nothing(tmp_path: Path, objective: str) -> None:
    answer = prove(pegcp.problem("XoXX", objective=objective), tmp_path / "p", Run(), bound=3)
    assert isinstance(answer, Answer)
    assert list(tmp_path.iterdir()) == []


def test_a_board_without_jumps_leaves_all_pegs(tmp_path: Path) -> None:
    """No certificate is needed for that, and the checker takes none."""
    problem = pegcp.problem("square2", start="a1 b1", goal="one peg", objective="fewest-pegs")
    assert str(prove(problem, tmp_path / "p", Run(), bound=2)) == "every solution has at least 2 pegs"


def test_what_is_refused_is_not_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(certificates, "find", lambda *_, **__: {"kind": "cases", "tree": [["sum", []]]})
    with pytest.raises(InvalidProof):
        prove(pegcp.problem("english:c1->e5"), tmp_path / "p", Run())
    assert list(tmp_path.iterdir()) == []


def test_no_folder_is_removed_because_of_its_name(tmp_path: Path) -> None:
    theirs = tmp_path / ".pegcp-mine" / "proof"
    theirs.mkdir(parents=True)
    os.utime(theirs.parent, (0, 0))
    assert not isinstance(prove(pegcp.problem("XoXoX"), tmp_path / "p", Run()), Answer)
    assert theirs.exists()


def test_an_empty_folder_for_a_proof_keeps_its_mode(tmp_path: Path) -> None:
    folder = tmp_path / "p"
    folder.mkdir()
    folder.chmod(0o2770)
    assert not isinstance(prove(pegcp.problem("XoXoX"), folder, Run()), Answer)
    assert folder.stat().st_mode & 0o7777 == 0o2770


def test_a_folder_that_cannot_take_a_proof_is_refused_before_the_work(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    (tmp_path / "dangling").symlink_to(tmp_path / "nowhere")
    for name in ("file", "dangling", "file/p"):
        with pytest.raises(InputError, match="folder"):
            prove(pegcp.problem("english"), tmp_path / name, Run())


def test_nothing_to_prove(tmp_path: Path) -> None:
    need("cadical")
    for text, bound in (("triangle15:a1", 12), ("triangle15:b3!", 5), ("triangle15:b3!", 99), ("XXoX", None)):
        answer = prove(pegcp.problem(text), tmp_path / "none", Run(), bound)
        assert isinstance(answer, Answer)
        assert answer.status is Status.SOLVED
    late = prove(pegcp.problem("english:c2!"), tmp_path / "late", Run(Limits(time=0.0)))
    assert isinstance(late, Answer)
    assert late.message == "time limit"
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "file").touch()
    with pytest.raises(InputError, match="must be new or empty"):
        prove(pegcp.problem("XXoX"), tmp_path / "full", Run())


@pytest.mark.thorough
def test_commands(proved: Path, tmp_path: Path) -> None:
    run = by_command
    assert "proves: the fewest jumps are 4." in run("check", str(proved))[1]
    assert run("check", "triangle15:a1!", str(proved))[0] == 4
    code, said = run("check", str(proved), "--json", "--cnf", str(tmp_path / "x.cnf"))
    assert (code, json.loads(said)["evidence"], json.loads(said)["problem"]) == (0, "proof", proved.name)
    assert (tmp_path / "x.cnf").read_text().startswith("p cnf ")
    code, said = run("check", "english")
    assert (code, "solution" in said) == (2, True)
    moves = tmp_path / "moves"
    moves.write_text("a1-c1")
    assert "fewest-steps at most 1" in run("check", "XXo", str(moves), "--objective", "fewest-steps")[1]
    assert json.loads(run("check", "XXo", str(moves), "--json")[1])["steps"] == 1
    assert run("prove", "triangle15:a1", "-o", str(tmp_path / "q"))[0] == 3
