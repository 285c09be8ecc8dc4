"""A fuzzer over everything that reads: mutated inputs, of which each is read or refused with one clear error.

Input number N is the same on every machine. Run by hand:

    python tests/fuzzing.py FIRST COUNT

which prints a JSON object: inputs made, escapes (what was raised besides clear errors), the slowest input, the peak.
"""

from __future__ import annotations

import json
import random
import re
import resource
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import pegcp
from pegcp.api import show
from pegcp.catalogue.choice import choose
from pegcp.catalogue.modelfile import file_method
from pegcp.checking import checker, verification
from pegcp.comparison import store
from pegcp.comparison.experiment import make_tasks, read_experiment
from pegcp.errors import InputError, InvalidSolution
from pegcp.formats.foreign import parse
from pegcp.formats.pddl import export, read_plan
from pegcp.formats.pddl import read_problem as read_pddl
from pegcp.formats.solution import read_solution
from pegcp.formats.toml import problem_file, read_board, read_goal, read_pegs, read_problem
from pegcp.game import SCHEMES, Objective, OnePeg, Position, Problem, read_hole, read_jumps, replay_solution
from pegcp.library import lookup
from pegcp.method import Answer, Status
from pegcp.results.judge import judge_answer
from pegcp.running.messages import decode_foreign
from pegcp.running.road import Story
from pegcp.theory import certificates

ENGLISH = pegcp.problem("english")
LINE = pegcp.problem("XXo")
SOLVED = judge_answer(LINE, "dfs", Answer(Status.SOLVED, jumps=(LINE.board.jumps[0],)), parameters={"seed": 0})
REFUTED = pegcp.problem("english:c1->d4")
CERTIFICATE = certificates.find(REFUTED)
FINISHES = certificates.find(pegcp.problem("square8:a1->?"))

BOARDS = (
    'name = "mine"\nlattice = "square"\nlegend = { hole = "o", outside = "." }\nmap = """\n. o o\no o o\n"""\n',
    'lattice = "triangular"\nlegend = { hole = "o" }\nmap = """\n  o\n o o\no o o\n"""\n',
    'holes = "0 1 2 3"\nedges = "0-1 1-2 2-3"\n',
    'lines = ["a b c", "c d e"]\ndefault = "a"\n',
    'map = ""\nlegend = { hole = "o" }',
    'edges = [["a", "b"], 3]',
    'legend = { hole = "o" }\nmap = "\\n\\no"',
)
PROBLEMS = (
    'board = "english"\nstart = "all but d4"\ngoal = { pegs = ["d4"], vacancies = "c1" }\nobjective = "any"\n',
    'lattice = "square"\nlegend = { peg = "X", vacancy = "o" }\nstart = """\nXXo\noXX\n"""\ngoal = "one peg"\n',
    'edges = "0-1 1-2"\nstart = [0, 1]\ngoal = "dead end"\nobjective = "fewest-jumps"\n',
    'edges = "0-1 1-2"\nstart = "0 1"\ngoal = "2 *"\nobjective = "count"\n',
    problem_file(ENGLISH),
    'lattice = "square"\nstart = "X"\nlegend = { peg = "X" }',
    'board = "english"\nstart = true',
)
EXPERIMENTS = (
    'name = "x"\nproblems = ["XoXX", "line4:*->?"]\nmethods = ["dfs", "moves:order=off"]\n',
    'problems = ["XoXX"]\nmethods = ["bfs"]\ntime-limit = 10\nmemory-limit = 100\nworkers = 1\nseeds = [1, 2]\n'
    '[[runs]]\nmethods = ["dfs"]\n[[published]]\nname = "1999"\nvalues = { XoXX = 3 }\n',
)
SOLUTIONS = (
    "d2 d3 d4\nd5-d3",
    "(jump d2 d3 d4)\n(jump d5 d4 d3)\n",
    '{"jumps": [["d2", "d3", "d4"]]}',
    "(9 16 23) (23 30 37)",
    "61 47 13",
    "d2-d4-f4 # a sweep\nd6xd4",
    "((1,3)->(3,3))",
    "{}",
    "[[[1, 2, 3]]]",
    '{"jumps": ' + "1" * 5000 + "}",
    "((0,1) (0,2))",
    "\u0663 \u0664 \u0665",
)
PLANS = (
    "0: (JUMP d2 d3 d4) [1]\n; cost 1\n",
    "(jump-new-move d2 d3 d4)\n(end-move d4)\n",
    "(take d4)\n(stop)\n(middle-vacant c1 d1 e1)\n(jump pos-1-3 pos-2-3 pos-3-3)\n",
)
PDDL = tuple(
    text
    for name in ("XXo", "triangle6:1->?", "line4:a1!")
    for file, text in export(pegcp.problem(name)).items()
    if "domain" not in file
)
NAMES = (
    "english:c1->d4", "triangle15:5!", "rectangle4x6", "hexagon19:?", "XoXX", "lab1", "square6:a1->?", "cycle8:0",
    "line9", "wiegleb:e1", "french:*",
)  # fmt: skip
WRITTEN = ("d2 d4", "all but d4", "one peg", "d4 *", "-d4 d3", "dead end", "?", "fewest-moves", "61", "(1,3)", "17")
METHODS = ("moves:order=off", "ip1:scip", "dfs:symmetry=off", "planner:command=x {domain} {problem} {plan}", "bfs")
RESULTS = (json.dumps({"key": "k", **SOLVED.to_json()}), json.dumps(judge_answer(REFUTED, "c", Answer(
    Status.INFEASIBLE, certificate=CERTIFICATE)).to_json()))  # fmt: skip
TASK = make_tasks(["XXo"], ["dfs"], time_limit=5)[0]
OWN = judge_answer(LINE, "dfs", Answer(Status.SOLVED, jumps=(LINE.board.jumps[0],)), parameters=TASK.parameters)
OTHERS = (
    *RESULTS,
    json.dumps(OWN.to_json()),
    json.dumps(replace(OWN, parameters={**TASK.parameters, "seed": 1}).to_json()),
)
LINES = tuple(text.replace("{", f'{{"key": "{TASK.key}", ', 1) for text in OTHERS)  # of this run and of others
ANSWERS = (
    '{"status": "SOLVED", "reason": "COMPLETED", "jumps": [[0, 1, 2]], "objective": 3, "bound": 1.5, "message": ""}',
    '{"status": "INFEASIBLE", "reason": "COMPLETED", "certificate": {"kind": "count"}, "statistics": {"a_mb": 1}}',
)
REPORTS = ('{"bound": 3, "nodes": 10, "jumps": [[0, 1, 2]], "log": "x"}', '{"bound": null, "a_seconds": 1.5}')
HEADERS = (
    '"""A model."""\nfrom typing import Literal\nBACKENDS = ("cp-sat",)\nGOALS = ("exact",)\nOBJECTIVES = ("any",)\n'
    'def build(problem, *, order: bool = True, a: Literal["x", "y"] = "x"): ...\n',
)
CERTIFICATES = tuple(json.dumps(found) for found in (CERTIFICATE, FINISHES) if found)
SCRAPS = (
    "'''", '"""', '"', "'", "[", "]", "{", "}", "=", "\n", "\\", "-", "->", "(", ")", " ", "\t", "\0", "\u2028", "\x1b",
    "é", "²", "9" * 5000, "nan", "NaN", "Infinity", "1e999", "-1", "0", "null", "true", "1" + "0" * 400, ".", ",", ":",
    "#", ";", "*", "?", "!", "../", "\ufeff", "\ud800", '"\\ud800"', "x" * 300, "[[", "]]", "a.b.c.d", "\r\n", "=" * 50,
)  # fmt: skip


def mutated(chance: random.Random, corpus: tuple[str, ...]) -> str:
    """One of the texts with a few pieces cut, doubled, many times repeated, replaced, or taken from another text."""
    text = chance.choice(corpus)
    for _ in range(chance.choice((0, 1, 1, 2, 3, 5))):
        at, end = sorted((chance.randint(0, len(text)), chance.randint(0, len(text))))
        piece = text[at:end]
        other = chance.choice(corpus)
        start = chance.randint(0, len(other))
        scrap = (
            chance.choice(SCRAPS),
            chance.choice(SCRAPS),
            piece,
            piece[:40] * chance.choice((2, 30, 300)),
            chance.choice(SCRAPS)[:40] * chance.choice((2, 30, 3000)),
            other[start : start + chance.randint(0, 60)],
            "".join(chr(chance.choice((chance.randint(0, 127), chance.randint(0, 0x2FFF)))) for _ in range(3)),
            str(chance.choice((0, 1, -1, 2**31, 10**20, 0.5, chance.randint(0, 99)))),
        )[chance.randrange(8)]
        text = (text[:at] + scrap + text[end if chance.random() < 0.6 else at :])[:40_000]
    return text


Reader = Callable[[str, random.Random, Path], object]


def _problem(found: Problem, chance: random.Random) -> None:
    """What everybody does with a problem."""
    assert read_problem(found.text, pegcp.board) == found
    str(found.start)
    if chance.random() < 0.02 and len(found.board.holes) <= 60:
        show(found)
        if certificates.find(found, seconds=0) is None:
            problem_file(found)


def _read_board(text: str, chance: random.Random, _: Path) -> None:
    board = read_board(text, "input")
    if len(board.holes) <= 50:
        _problem(Problem(board, Position(board, board.full), OnePeg()), chance)


def _read_problem(text: str, chance: random.Random, _: Path) -> None:
    _problem(read_problem(text, pegcp.board, "input"), chance)


def _read_file(text: str, chance: random.Random, folder: Path) -> None:
    path = folder / f"input.{chance.choice(('txt', 'toml', 'pddl'))}"
    data = text.encode("utf-8", "surrogatepass")
    if chance.random() < 0.1:
        data = data + bytes(chance.randrange(256) for _ in range(5))
    path.write_bytes(data)
    _problem(lookup.problem(str(path)), chance)


def _read_experiment(text: str, _: random.Random, folder: Path) -> None:
    path = folder / "experiment.toml"
    path.write_bytes(text.encode("utf-8", "surrogatepass"))
    read_experiment(path)


def _read_solution(text: str, chance: random.Random, _: Path) -> None:
    problem = ENGLISH if chance.random() < 0.7 else pegcp.problem("cycle8")
    numbering = chance.choice(SCHEMES if problem is ENGLISH else ["letters", "zero", "one"])
    replay_solution(problem, read_solution(problem, text, "input", numbering))


def _read_written(text: str, chance: random.Random, _: Path) -> None:
    board = ENGLISH.board
    match chance.randrange(6):
        case 0:
            read_hole(board, text, chance.choice(SCHEMES))
        case 1:
            read_pegs(board, text)
        case 2:
            read_goal(board, text)
        case 3:
            read_jumps(board, text)
        case 4:
            pegcp.problem("english", start=text)
        case _:
            pegcp.problem("XoXX", goal=text, objective=chance.choice(list(Objective)))


def _read_header(text: str, _: random.Random, folder: Path) -> None:
    path = folder / "model.py"
    path.write_bytes(text.encode("utf-8", "surrogatepass"))
    file_method(path)


def _read_result(text: str, _: random.Random, folder: Path) -> None:
    path = folder / "results.jsonl"
    path.write_bytes(text.encode("utf-8", "surrogatepass") + b"\n")
    results, warnings = store.read_results([path])
    assert results or warnings or not text.strip()
    for result in results:
        json.dumps(result.to_json(), ensure_ascii=False).encode()
        str(result)


def _read_kept(text: str, _: random.Random, folder: Path) -> None:
    """Nothing but a result of the run is ever taken for it."""
    path = folder / "kept.jsonl"
    path.write_bytes(text.encode("utf-8", "surrogatepass") + b"\n")
    with store.ResultFile(path) as file:
        found = file.find(TASK)
    if found is not None:
        assert found.problem == LINE
        assert found.method.partition(":")[0] == "dfs"
        assert found.parameters == TASK.parameters


def _read_claim(text: str, _: random.Random, __: Path) -> None:
    """What a child may say is a progress, an answer, or a fault."""
    for form in (f'["Update", {{"values": {text}}}]', f'["Reply", {{"answer": {text}}}]', text):
        story = Story(TASK)
        story.take(decode_foreign(form.encode("utf-8", "surrogatepass")))
        answer = replace(story.answer, statistics=story.statistics)
        json.dumps(judge_answer(LINE, "m", answer).to_json(), ensure_ascii=False).encode()


def _read_certificate(text: str, _: random.Random, __: Path) -> None:
    try:
        data = parse(text)
    except (ValueError, TypeError):
        return
    for problem in (REFUTED, LINE):
        with suppress(InputError, checker.Rejected):  # in this process: another one would take a tenth of a second
            told = certificates.for_checker(problem, data)
            checker.Certificate(checker.read_problem(problem.text.encode()), told).check()
            verification.explain(problem, data)


READERS: tuple[tuple[str, tuple[str, ...], Reader], ...] = (
    ("board", BOARDS, _read_board),
    ("problem", PROBLEMS, _read_problem),
    ("file", (*PROBLEMS, *BOARDS, *PDDL, "2 3 4 9", "XoXX"), _read_file),
    ("experiment", EXPERIMENTS, _read_experiment),
    ("solution", (*SOLUTIONS, *PLANS), _read_solution),
    ("plan", PLANS, lambda text, *_: read_plan(ENGLISH, text)),
    ("pddl", PDDL, lambda text, *_: read_pddl(text)),
    ("name", NAMES, lambda text, chance, _: _problem(pegcp.problem(text), chance)),
    ("written", (*WRITTEN, *SOLUTIONS), _read_written),
    ("method", METHODS, lambda text, *_: choose(text)),
    ("header", HEADERS, _read_header),
    ("result", RESULTS, _read_result),
    ("kept", LINES, _read_kept),
    ("claim", (*ANSWERS, *REPORTS), _read_claim),
    ("certificate", CERTIFICATES, _read_certificate),
)
PLACED = ("board", "problem", "solution")  # their errors say where
KEYED = re.compile(
    r'[a-z_]+(, [a-z_]+)*(\.\S+)*(, row \d+)?(, column \d+)?: |unknown key "|a (board|problem) needs |board\. needs '
)


def misplaced(text: str, error: InputError) -> str:
    """Say if an error has no place: the key of a TOML file, or a line and column in the text or just behind its end."""
    lines = text.split("\n")
    if error.source == "input" and error.line is None and KEYED.match(error.message):
        return ""
    if error.source != "input" or error.line is None or error.column is None or not 1 <= error.line <= len(lines):
        return f"no place: {error}"
    if not 1 <= error.column <= len(lines[error.line - 1].expandtabs()) + 1:
        return f"no column: {error}"
    return ""


def attempt(number: int, folder: Path) -> tuple[str, str, float, str]:
    """Make an input and read it: the reader, the input, seconds of CPU, and what escaped (nothing, if all is well)."""
    chance = random.Random(number)
    name, corpus, read = READERS[number % len(READERS)]
    text = mutated(chance, corpus)
    escaped = ""
    began = time.process_time()
    try:
        read(text, chance, folder)
    except (InputError, InvalidSolution) as error:
        said = str(error)
        if len(said) > 20_000 or any(c in said for c in "\x1b\x07\u202e") or said.encode("utf-8", "replace") == b"":
            escaped = f"odd message {said[:200]!r}"
        if name in PLACED and isinstance(error, InputError):
            escaped = escaped or misplaced(text, error)
    except BaseException as error:  # noqa: BLE001 - this is what the fuzzer is for
        escaped = f"{type(error).__name__}: {str(error)[:300]}"
    return name, text, time.process_time() - began, escaped


def campaign(first: int, count: int) -> dict[str, Any]:
    """Try the inputs with these numbers."""
    escapes: list[str] = []
    slowest = (0.0, "", 0)
    with tempfile.TemporaryDirectory() as folder:
        for number in range(first, first + count):
            name, _, seconds, escaped = attempt(number, Path(folder))
            slowest = max(slowest, (seconds, name, number))
            if escaped and len(escapes) < 20:
                escapes.append(f"{number} ({name}): {escaped}")
    return {"inputs": count, "escapes": escapes, "slowest": slowest, "peak_mb": round(peak())}


def peak() -> float:
    """The most memory that this process ever had, in MB."""
    about = Path("/proc/self/status")  # getrusage counts the process that started this one, too
    if about.exists():
        found = re.search(r"VmHWM:\s*(\d+) kB", about.read_text())
        assert found is not None
        return int(found[1]) * 1024 / 1e6
    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit / 1e6


if __name__ == "__main__":
    print(json.dumps(campaign(int(sys.argv[1]), int(sys.argv[2]))))
