"""The kit for teaching: exercises that mark themselves, commands that are commands, and pages that say what happens."""

from __future__ import annotations

import re
import runpy
import shlex
import subprocess
import sys
from functools import cache
from pathlib import Path
from statistics import median
from typing import Any

import click
import pytest
from asking import answer
from parts import need

import pegcp
from pegcp.cli.main import cli

ROOT = Path(__file__).parent.parent
EXERCISES = ROOT / "examples" / "exercises"
PAGES = sorted((ROOT / "docs" / "teaching").glob("*.md"))
# file: what it needs, the first board that it answers wrongly, a word of what is said
SKELETONS = {
    "cp_frame.py": ("cp-sat", "XXoXX", "no solution"),
    "ip_prefix.py": ("highs", "XXXXo", "impossible"),
    "sat_rounds.py": ("cadical", "XoX", "2 pegs are left"),
    "asp_jumps.lp": ("clingo", "XXo", "forbids a1-c1"),
    "mzn_moves.mzn": ("minizinc", "XXXo", "c1 is not vacant"),
    "cpmpy_moves.py": ("cpmpy-ortools", "XoXX", "no peg at d1"),
    "cp_early.py": ("cp-sat", "XXoX", "3 solutions"),
    "cp_slip.py": ("cp-sat", "XXo", "at t = 0, h = a1"),
    "jumps.pddl": ("pyperplan", "line4:b1->b1", "no peg at c1 to jump over"),
}
LOADING = (
    "cp_frame.py",
    "ip_prefix.py",
    "asp_jumps.lp",
    "mzn_moves.mzn",
    "cpmpy_moves.py",
    "cp_early.py",
    "cp_slip.py",
)  # those that take more than half a second
SLOWLY = ("XXXo", "XoXX", "triangle6:a1->?", "line4:b1->b1")  # for what starts a program for each answer


@pytest.fixture(scope="module")
def marking() -> dict[str, Any]:
    return runpy.run_path(str(EXERCISES / "mark.py"))


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[pytest.mark.thorough] * name.endswith(".mzn")) for name in SKELETONS]
)
def test_a_skeleton_is_wrong_and_told_where(name: str, marking: dict[str, Any]) -> None:
    part, board, word = SKELETONS[name]
    need(part)
    wrong = marking["mark"](EXERCISES / name, ("XXo", board) if name.endswith(".mzn") else ())
    assert wrong.startswith(f"{board}\n")
    assert "X" in wrong.splitlines()[2]
    assert word in wrong


def answers() -> dict[str, str]:
    """The missing lines, by file, as the page of solutions gives them."""
    page = (ROOT / "docs" / "teaching" / "solutions.md").read_text(encoding="utf-8")
    return dict(re.findall(r"In `(\w+\.\w+)`:\n\n```\w+\n(.*?)\n```", page, re.DOTALL))


def test_every_skeleton_has_its_solution_on_the_page_of_solutions() -> None:
    files = {path.name for path in EXERCISES.iterdir() if path.is_file()} - {"mark.py"}
    assert answers().keys() == SKELETONS.keys() == files


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[pytest.mark.thorough] * (name in LOADING)) for name in SKELETONS]
)
def test_the_solution_of_the_lesson_is_right(
    name: str, marking: dict[str, Any], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    need(SKELETONS[name][0])
    lines = (EXERCISES / name).read_text(encoding="utf-8").splitlines()
    if name == "cp_slip.py":  # the line that is wrong is named, and replaced
        begin = pegcp.why("triangle10", str(EXERCISES / name)).lines[0].number - 1
        end = begin + 1
    else:
        begin = end = max(i for i, line in enumerate(lines) if re.match(r"\s*[#%;]+ MISSING", line))
        while lines[end].strip()[:1] in "#%;" and lines[end].strip():
            end += 1
    indent = lines[begin][: len(lines[begin]) - len(lines[begin].lstrip())]
    lines[begin:end] = [indent + line for line in answers()[name].splitlines()]
    solved = tmp_path / name
    solved.write_text("\n".join(lines), encoding="utf-8")
    (tmp_path / "boards").write_text("\n".join(SLOWLY), encoding="utf-8")
    few = ["--set", str(tmp_path / "boards")] * (solved.suffix == ".mzn")
    assert marking["main"]([str(solved), *few]) == 0, capsys.readouterr().out


NUMBERS = """
from ortools.sat.python.cp_model import CpModel
from pegcp.modelling import Formulation

def build(problem):
    return Formulation(CpModel(), lambda value: [3])
"""


@pytest.mark.parametrize(
    ("name", "text", "told"),
    [
        ("none.py", None, "cannot read"),
        ("slip.py", "def build(problem):\n    return jump\n", "line 2: NameError"),
        ("slip.pddl", "(define (domain", "slip.pddl:1:9: this"),
        (
            "slip.pddl",
            "(define (domain d) (:action a\n:parameters (?x) :effect (p ?y)))",
            "slip.pddl:2:29: ?y is no parameter",
        ),
        ("slip.pddl", "(define (domain d) (:actions))", "pyperplan cannot read it"),
        ("slip.py", NUMBERS, "slip.py:6: jumps() of a model must return a list of jumps, not [3]"),
    ],
)
def test_a_file_that_cannot_be_run_is_told_in_a_line(
    name: str, text: str | None, told: str, marking: dict[str, Any], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    need("pyperplan")
    if text is not None:
        (tmp_path / name).write_text(text, encoding="utf-8")
    assert marking["main"]([str(tmp_path / name)]) == 2
    assert told in capsys.readouterr().out


SLEEPY = """
from pathlib import Path
from time import sleep

BACKENDS, GOALS, OBJECTIVES = ("cp-sat",), ("exact", "one-peg"), ("any",)


def build(problem):
    try:
        sleep(10)
    except Exception:
        pass
    Path(__file__).with_name("awake").touch()
"""


def test_a_file_that_does_not_end_is_stopped_and_wrong(
    marking: dict[str, Any], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "sleepy.py").write_text(SLEEPY, encoding="utf-8")
    (tmp_path / "boards").write_text("XXo\n", encoding="utf-8")
    line = [str(tmp_path / "sleepy.py"), "--set", str(tmp_path / "boards"), "--seconds", "0.1"]
    assert marking["main"](line) == 4
    assert "no answer" in capsys.readouterr().out
    assert not (tmp_path / "awake").exists()


@pytest.mark.thorough
def test_points_are_counted_over_the_boards_of_a_set(
    marking: dict[str, Any], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    need("cp-sat")
    (tmp_path / "boards").write_text("# by hand\nXXo\n\nXXoXX\nXoX\n", encoding="utf-8")
    file = str(EXERCISES / "cp_frame.py")
    assert marking["main"]([file, "--points", "--set", str(tmp_path / "boards")]) == 4
    assert f"{file}: 2 of 3 points" in capsys.readouterr().out
    assert marking["main"]([file, "--set", str(tmp_path / "nowhere")]) == 2


def test_a_file_that_takes_none_of_the_boards_gets_no_mark(
    marking: dict[str, Any], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "boards").write_text("line4:b1!\n", encoding="utf-8")
    assert marking["main"]([str(EXERCISES / "sat_rounds.py"), "--set", str(tmp_path / "boards")]) == 2
    assert "none of the boards" in capsys.readouterr().out


@pytest.mark.thorough
@pytest.mark.parametrize("line", [0, 1])
def test_half_of_the_frame_axiom_passes_as_the_lesson_says(line: int, marking: dict[str, Any], tmp_path: Path) -> None:
    need("cp-sat")
    half = answers()["cp_frame.py"].splitlines()[line]
    text = (
        (EXERCISES / "cp_frame.py").read_text(encoding="utf-8").replace("            pass\n", f"            {half}\n")
    )
    (tmp_path / "half.py").write_text(text, encoding="utf-8")
    assert marking["mark"](tmp_path / "half.py") is None


def commands() -> list[str]:
    """Every command on a line of its own in the pages, each of the cheat sheet among them."""
    told = "\n".join(page.read_text(encoding="utf-8") for page in PAGES)
    return re.findall(r"^!?(pegcp .*)$", told, re.MULTILINE)


def test_the_commands_of_the_pages_are_commands() -> None:
    shown = commands()
    names = {shlex.split(command, comments=True)[1] for command in shown}
    assert names == set(cli.commands), "the cheat sheet has every command, and no other"
    for command in shown:
        arguments = shlex.split(command.partition(";")[0], comments=True)[1:]
        with click.Context(cli) as context:
            name, found, rest = cli.resolve_command(context, arguments)
            assert found is not None, command
            found.make_context(name, rest, parent=context)


CONF = """
import sys
sys.path.insert(0, {folder!r})
extensions = ["myst_nb", "checked_pages"]
nb_execution_mode = "force"
nb_execution_raise_on_error = {stops}
"""
PAGE = """---
file_format: mystnb
orphan: true
kernelspec:
  name: python3
---

# A page

```{{code-cell}}
{cell}
```
"""
BAD = {
    "status": "!false",
    "untrue": "number = 12\n```\n\nThere are 13.\n<!-- holds: number == 13 -->\n\n```{code-cell}\nnumber",
    "other-status": "!exit 4  # exit status 3",
    "first-line": "%%bash\nfalse\necho on",
    "nothing": "print('one proves nothing')",
    "none": "print('triangle10 by dfs:', None)",
}


def built(cells: dict[str, str], folder: Path, *, stops: bool) -> subprocess.CompletedProcess[str]:
    """What sphinx -W says of a site whose pages have these cells. The site of the docs stops at a cell that fails."""
    (folder / "conf.py").write_text(CONF.format(folder=str(ROOT / "docs"), stops=stops), encoding="utf-8")
    (folder / "index.md").write_text("# The pages\n", encoding="utf-8")
    for name, cell in cells.items():
        (folder / f"{name}.md").write_text(PAGE.format(cell=cell), encoding="utf-8")
    command = [sys.executable, "-m", "sphinx", "-W", "--keep-going", "-q", "-b", "xml", str(folder), f"{folder}/site"]
    return subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)


@pytest.mark.thorough
def test_pages_with_a_command_that_fails_or_an_output_that_looks_like_it_are_not_built(tmp_path: Path) -> None:
    need("myst_nb")
    done = built(BAD, tmp_path, stops=False)
    assert done.returncode != 0
    assert [name for name in BAD if f"{name}.md" not in done.stderr] == []


@pytest.mark.thorough
def test_a_site_stops_at_a_cell_that_fails(tmp_path: Path) -> None:
    need("myst_nb")
    assert built({"status": BAD["status"]}, tmp_path, stops=True).returncode != 0


@pytest.mark.thorough
def test_pages_that_say_how_their_commands_end_are_built(tmp_path: Path) -> None:
    need("myst_nb")
    good = {
        "said": "status = 4\n!echo rejected; exit {status}  # exit status 4\n!true",
        "tagged": ":tags: [expected]\nprint('UNSUPPORTED')",
        "true": "number = 13\n```\n\nThere are 13.\n<!-- holds: number\n== 13 -->\n\n```{code-cell}\nnumber",
    }
    done = built(good, tmp_path, stops=True)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(
    ("paragraph", "numbers"),
    [
        ("There are 29,760 of them.", ["29,760"]),
        ("There are 29,760 of them.\n<!-- holds: number == 29760 -->", []),
        ("There are 29,760 of them.\n<!-- holds: number == 180 -->", ["29,760"]),
        ("In 2006 it took 90 minutes, `pegcp solve 12345`, [here](page12.md), on triangle15.", []),
        ("```{code-cell}\nprint(1234)\n```", []),
    ],
)
def test_a_number_of_a_lesson_that_nothing_checks_is_named(paragraph: str, numbers: list[str]) -> None:
    need("myst_nb")
    unchecked = runpy.run_path(str(ROOT / "docs" / "checked_pages.py"))["unchecked"]
    assert [text.split(" in ")[0] for text in unchecked(f"---\n---\n\n# A lesson\n\n{paragraph}\n")] == numbers


def test_lessons_ask_for_a_guess_before_their_cells() -> None:
    for lesson in ("modelling", "symmetry", "planning", "proofs"):
        text = (ROOT / "docs" / "teaching" / f"{lesson}.md").read_text(encoding="utf-8")
        assert text.count("**Guess") >= 3, lesson
        assert "](../pictures/" in (ROOT / "docs" / "teaching" / f"{lesson}-sheet.md").read_text(encoding="utf-8")


def conflicts(page: str) -> dict[str, list[int]]:
    """The rows of the table of conflicts on a page of lesson 2."""
    text = (ROOT / "docs" / "teaching" / page).read_text(encoding="utf-8")
    rows = re.findall(r"^\| `(moves|rounds)` \| ([\d, |]+) \|$", text, re.MULTILINE)
    return {name: [int(cell.replace(",", "")) for cell in cells.split("|") if cell.strip()] for name, cells in rows}


def test_the_sheet_and_the_slides_of_lesson_2_have_the_same_conflicts() -> None:
    assert conflicts("symmetry-sheet.md").keys() == {"moves", "rounds"}
    assert conflicts("symmetry-sheet.md") == conflicts("symmetry-slides.md")


MOST = "rounds:early=off:pagoda=off"  # has so many conflicts that it takes five seconds


@pytest.mark.parametrize(
    "longest",
    [pytest.param(False, marks=pytest.mark.long), pytest.param(True, marks=pytest.mark.slow)],
    ids=["others", "longest"],
)
def test_the_sheet_of_lesson_2_has_the_conflicts_that_the_lesson_measures(longest: bool) -> None:
    """Within a quarter: another version of the solver counts others."""
    need("cp-sat")
    lesson = (ROOT / "docs" / "teaching" / "symmetry.md").read_text(encoding="utf-8")
    switches = re.findall(r'"((?:moves|rounds)(?::\w+=off)*)"', lesson.partition("switches = [")[2].partition("]")[0])
    told = conflicts("symmetry-sheet.md")
    problem = pegcp.problem("triangle15:b3->b3")
    asked = 0
    for method, number in zip(switches, [*told["moves"], *told["rounds"]], strict=True):
        if (method == MOST) is longest:
            seeds = range(1 if method.startswith("rounds") else 3)  # rounds takes no chances
            measured = median(answer(problem, method, seed=seed).statistics["conflicts"] for seed in seeds)
            assert number == pytest.approx(measured, rel=0.25), method
            asked += 1
    assert asked == (1 if longest else 6)


@pytest.mark.parametrize(("method", "number"), [("count", 852), ("rounds", 30), ("moves", 30)])
def test_the_solutions_that_lesson_2_counts(method: str, number: int) -> None:
    need("cp-sat")
    result = answer(pegcp.problem("rectangle3x4:a1->?", objective="count"), method)
    assert result.objective == number
    assert f"{number}" in (ROOT / "docs" / "teaching" / "solutions.md").read_text(encoding="utf-8")


@pytest.mark.parametrize(("method", "number"), [("count", 29760), pytest.param("rounds", 180, marks=pytest.mark.slow)])
def test_the_solutions_on_the_sheet_of_lesson_2(method: str, number: int) -> None:
    need("cp-sat")
    result = answer(pegcp.problem("triangle15:a1->?", objective="count"), method)
    assert result.objective == number
    assert f"| {number:,} |" in (ROOT / "docs" / "teaching" / "symmetry-sheet.md").read_text(encoding="utf-8")


def test_the_sheet_of_lesson_2_has_the_solutions_with_neighbours_in_rising_order() -> None:
    """Counted here by all sequences of jumps."""
    problem = pegcp.problem("triangle15:a1->?")
    jumps = problem.board.jumps

    @cache
    def number(pegs: int, last: int) -> int:
        total = int(problem.is_goal(pegs))
        for j, (a, b, c) in enumerate(jumps):
            if pegs >> a & 1 and pegs >> b & 1 and not pegs >> c & 1:
                total += 0 if last > j and jumps[last].independent_of(jumps[j]) else number(pegs ^ jumps[j].mask, j)
        return total

    sheet = (ROOT / "docs" / "teaching" / "symmetry-sheet.md").read_text(encoding="utf-8")
    assert f"| {number(problem.start.mask, -1)} |" in sheet


def test_a_model_that_is_too_strict_is_told_what_it_forbids(
    marking: dict[str, Any], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    need("cp-sat")
    text = (
        (ROOT / "models" / "moves.py")
        .read_text("utf-8")
        .replace("    return Form", "    model.add_bool_or([])\n    return Form")
    )
    (tmp_path / "strict.py").write_text(text, encoding="utf-8")
    assert marking["main"]([str(tmp_path / "strict.py")]) == 4
    assert "Too strict: your model forbids a1-c1." in capsys.readouterr().out


@pytest.mark.long
def test_a_board_of_a_course_is_marked(
    marking: dict[str, Any], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    need("cp-sat")
    (tmp_path / "boards").write_text("lab4\n", encoding="utf-8")
    for file, told in ((EXERCISES / "cp_frame.py", "0 of 1 points"), (ROOT / "models" / "rounds.py", "1 of 1 points")):
        marking["main"]([str(file), "--points", "--set", str(tmp_path / "boards"), "--seconds", "20"])
        assert told in capsys.readouterr().out
