"""Readers are linear, or refuse with the limit named.

Each of these inputs took minutes, or gigabytes, or ended in a traceback. Linear work on them takes a second or two;
what grows with the square of their length runs into the time limit of the test.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

import pytest

import pegcp
from pegcp.api import show
from pegcp.comparison.experiment import make_tasks, read_experiment
from pegcp.errors import InputError, InvalidSolution
from pegcp.formats.pddl import read_plan
from pegcp.formats.pddl import read_problem as read_pddl
from pegcp.formats.solution import read_solution
from pegcp.game import replay_solution
from pegcp.library import lookup

pytestmark = pytest.mark.timeout(60)

MAP = 'lattice = "{}"\nlegend = {{ peg = "X", vacancy = "o" }}\nstart = """\n{}\n"""\n'
DEEP = "nested too deeply"


def solution(text: str, numbering: str = "letters", name: str = "english") -> Callable[[Path], object]:
    return lambda _: read_solution(pegcp.problem(name), text, numbering=numbering)


def plan(text: str, name: str = "square100") -> Callable[[Path], object]:
    return lambda _: read_plan(pegcp.problem(name), text)


def written(folder: Path, text: str, suffix: str) -> Path:
    path = folder / f"input.{suffix}"
    path.write_text(text, "utf-8")
    return path


def file(text: str, suffix: str = "toml") -> Callable[[Path], object]:
    """Read a problem, and show what was read."""
    return lambda folder: show(lookup.problem(str(written(folder, text, suffix))))


def experiment(text: str) -> Callable[[Path], object]:
    return lambda folder: read_experiment(written(folder, text, "toml"))


def pddl(text: str) -> Callable[[Path], object]:
    return lambda _: read_pddl(text)


def graph(edges: list[tuple[object, object]]) -> Callable[[Path], object]:
    text = " ".join(f"{a}-{b}" for a, b in edges)
    return file(f'edges = "{text}"\nstart = "{edges[0][0]}"\n')


def lines(number: int) -> Callable[[Path], object]:
    text = ",".join(f"a{i} b{i} c{i}" for i in range(number))
    return file(f'lines = "{text}"\nstart = "a1"\n')


def holes(number: int) -> Callable[[Path], object]:
    return file(f'holes = "{" ".join(f"h{i}" for i in range(number))}"\nlines = ""\nstart = "h1"\n')


def pddl_holes(number: int) -> Callable[[Path], object]:
    objects = " ".join(f"h{i}" for i in range(number))
    facts = " ".join(f"(peg h{i})" for i in range(number))
    return pddl(
        f"(define (problem p) (:domain peg-jumps) (:objects {objects} - hole) (:init {facts}) (:goal (and (peg h0))))"
    )


RANDOM = random.Random(1)
GRID = [(f"h{i}.{j}", f"h{i + a}.{j + 1 - a}") for i in range(30) for j in range(30) for a in (0, 1)]
ALL = " ".join(pegcp.board("square100").holes)

# What is read, and a part of the error if it is refused.
INPUTS: dict[str, tuple[Callable[[Path], object], str]] = {
    "blanks": (solution("d2" + " " * 200_000 + "d3"), "no jump"),
    "blanks-on-lines": (solution(("d2" + " \t" * 500 + "\n") * 400), "three holes"),
    "hyphens": (solution("d2" + "-" * 200_000), "no hole"),
    "spaced-hyphens": (solution("d2 " + "-" * 100_000 + " " * 100_000), "no hole"),
    "parentheses": (solution("(" * 300_000), "without its other half"),
    "json-brackets": (solution("[" * 2_000_000), DEEP),
    "json-jumps": (solution('{"jumps": [' + ",".join(['["d2","d3","d4"]'] * 20_000) + "]}"), ""),
    "jumps-on-the-last-holes": (solution("ct100 cu100 cv100\n" * 20_000, name="square100"), ""),
    "jumps-by-number": (solution("9997 9998 9999\n" * 20_000, "zero", "square100"), ""),
    "plan": (plan("(jump ct100 cu100 cv100)\n" * 8_000), ""),
    "plan-by-cell": (plan("(jump pos-99-97 pos-99-98 pos-99-99)\n" * 8_000), ""),
    "plan-open": (plan("(jump d2 d3 d4" + " " * 200_000), "not an action"),
    "plan-digits": (plan("1" * 300_000), "not an action"),
    "star-of-15": (graph([("c", f"l{i}") for i in range(15)]), ""),
    "star-of-50": (graph([("c", f"l{i}") for i in range(50)]), ""),
    "star-of-20000": (graph([("c", f"l{i}") for i in range(20_000)]), "at most 100,000 lines; these edges make 199,99"),
    "path": (graph([(i, i + 1) for i in range(9_000)]), ""),
    "grid": (graph(list(GRID)), ""),
    "random-graph": (graph([(f"h{RANDOM.randrange(700)}", f"g{RANDOM.randrange(700)}") for _ in range(2_000)]), ""),
    "some-holes-without-lines": (holes(40), ""),
    "holes-without-lines": (holes(200), ""),
    "more-holes-without-lines": (holes(9_999), ""),
    "too-many-holes": (holes(10_001), "at most 10,000 holes"),
    "lines": (lines(3_000), ""),
    "too-many-lines": (lines(20_000), "at most 10,000 holes|500,000 characters"),
    "map": (file(MAP.format("square", "\n".join(["X " * 60] * 60))), ""),
    "large-map": (file(MAP.format("square", "\n".join(["X " * 200] * 200))), "at most 10,000 holes, not 40,000"),
    "tall-map": (file(MAP.format("square", "X\n" * 4_000)), ""),
    "wide-map": (file(MAP.format("triangular", " ".join("X" * 4_000))), ""),
    "far-map": (file(MAP.format("square", "X" + " " * 200_000 + "X")), ""),
    "diagonal-map": (file(MAP.format("square", "\n".join(" " * i + "X" for i in range(900)))), "spans 810,000 places"),
    "tabs": (file(MAP.format("square", "\t" * 100_000 + "X")), ""),
    "dots": (file(".".join("a" * 10_000) + " = 1\n"), "a key of more than"),
    "quoted-dots": (file('"a" . ' * 10_000 + "a = 1\n"), "a key of more than"),
    "dots-in-a-table": (file(f"[{'.'.join('a' * 10_000)}]\nx = 1\n"), "a key of more than"),
    "dots-inside": (file(f"x = {{ {'.'.join('a' * 10_000)} = 1 }}\n"), "a key of more than"),
    "dots-in-a-map": (
        file(MAP.format("square", ".".join("X" * 200)).replace("legend = {", 'legend = { outside = ".",')), "",
    ),
    "tables": (file("".join(f"[a{i}.b.c.d]\n" for i in range(20_000))), "unknown key"),
    "toml-brackets": (file("x = " + "[" * 100_000), DEEP),
    "toml-braces": (file("x = " + "{a=" * 100_000), DEEP),
    "too-much-toml": (file("# " + "x" * 500_000), "up to 500,000 characters"),
    "digits-of-a-name": (file(f'edges = "{"1" * 5_000}-2 2-3"\nstart = "2"\n'), "1 to 100 of"),
    "numbers": (file("9 " * 1_000_000, "txt"), "read up to"),
    "digits": (file("9" * 5_000_000, "txt"), "read up to"),
    "marks": (file("X" * 5_000_000, "txt"), "characters"),
    "too-large-a-file": (file("X" * 10_000_001, "txt"), "larger than 10 MB"),
    "unknown-keys": (experiment("".join(f"key{i} = 1\n" for i in range(30_000))), "unknown key"),
    "unknown-problems": (
        experiment('methods = ["dfs"]\nproblems = [' + ",".join(f'"nope{i}"' for i in range(20_000)) + "]"), "nope0",
    ),
    "unknown-methods": (
        experiment('problems = ["XoXX"]\nmethods = [' + ",".join(f'"nope{i}"' for i in range(20_000)) + "]"), "nope0",
    ),
    "seeds": (experiment('problems = ["XoXX"]\nmethods = ["dfs"]\nseeds = 2000000000\n'), r"seeds.*10000"),
    "runs": (
        experiment('problems = ["square60:*"]\nmethods = ["dfs"]\nseeds = 10000\n'),
        "at most 100,000 runs",
    ),
    "tables-of-runs": (
        experiment('problems = ["XoXX"]\nmethods = ["dfs"]\nseeds = 9000\n' + '[[runs]]\nproblems = ["XoX"]\n' * 50),
        "at most 100,000 runs",
    ),
    "seeds-of-a-comparison": (lambda _: make_tasks(["XoXX"], ["dfs"], seeds=2_000_000_000), "at most 100,000 runs"),
    "pddl-objects": (pddl_holes(3_000), ""),
    "too-many-pddl-objects": (pddl_holes(10_001), "at most 10,000 holes"),
    "pddl-words": (pddl("() " * 1_000_000), "more than 1,000,000 words"),
    "pddl-brackets": (pddl("(" * 2_000_000), "brackets more than 100 deep"),
    "pddl-breaks": (pddl("\n" * 1_000_000), "no \\(define"),
    "pddl-word": (
        pddl(f"(define (problem p) (:domain peg-jumps) (:objects {'x' * 1_000_000} - hole) (:init) (:goal (and)))"),
        "1 to 100 of",
    ),
    "pddl-fools": (lambda _: pddl_fools(), ""),
    "name-of-a-hole": (lambda _: lookup.problem("english:" + "x" * 1_000_000), "no hole"),
    "name-of-a-board": (lambda _: lookup.problem("y" * 1_000_000), "unknown board"),
    "line": (lambda _: lookup.problem("x" * 1_000_000), "unknown board"),
    "start": (lambda _: lookup.problem("square100", start="a1 " * 100_000), "given twice"),
    "all-holes": (lambda _: lookup.problem("square100", start=ALL, goal=ALL), ""),
}  # fmt: skip


def pddl_fools() -> object:
    """A goal that blocks thousands of lines."""
    from pegcp.formats.pddl import export

    problem = pegcp.problem("square60:a1!")
    text = next(text for name, text in export(problem).items() if name.startswith("problem"))
    assert read_pddl(text).goal == problem.goal
    return text


SLOW = (
    "path",
    "star-of-50",
    "more-holes-without-lines",
    "pddl-words",
    "grid",
    "jumps-by-number",
    "random-graph",
    "tables",
    "lines",
    "pddl-fools",
    "holes-without-lines",
    "tables-of-runs",
    "runs",
    "jumps-on-the-last-holes",
)


@pytest.mark.thorough
@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.slow) if name in SLOW else name for name in INPUTS]
)
def test_input_of_any_size_is_read_or_refused(name: str, tmp_path: Path) -> None:
    read, refusal = INPUTS[name]
    if not refusal:
        read(tmp_path)
        return
    with pytest.raises(InputError, match=refusal) as caught:
        read(tmp_path)
    assert len(str(caught.value)) < 5_000


def test_the_words_of_pddl_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pegcp.formats.pddl.syntax._MOST_TOKENS", 1_000)
    with pytest.raises(InputError, match="more than 1,000 words"):
        read_pddl("() " * 1_000)


def test_long_solutions_are_checked_jump_by_jump() -> None:
    problem = pegcp.problem("rectangle2x5000", start="all but a5000")
    with pytest.raises(InvalidSolution, match="jump 1 "):
        replay_solution(problem, problem.board.jumps[:1] * 9_000)


def test_a_search_for_symmetries_that_is_given_up_leaves_a_part(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pegcp.game.symmetry._MOST_WORK", 1_000)
    problem = pegcp.problem("cycle50")
    group = problem.board.symmetries
    assert not group.complete
    assert group.order < 100
    assert len(list(group.elements())) == group.order
    known = set(problem.board.lines)
    for p in group.generators:
        assert all((min(p[a], p[b]), p[over], max(p[a], p[b])) in known for a, over, b in problem.board.lines)
    assert "at least" in show(problem)
