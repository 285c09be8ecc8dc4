"""Scores, tables, plots and the page; the page in headless Chromium."""

from __future__ import annotations

import csv
import io
import json
import random
import re
import sys
import time
from dataclasses import replace
from html.parser import HTMLParser
from io import StringIO
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner
from parts import need
from rich.console import Console

from pegcp.cli.main import cli
from pegcp.comparison.agreement import find_disagreements
from pegcp.comparison.experiment import Experiment, Part, Published, make_tasks
from pegcp.comparison.scores import (
    WALL,
    measure,
    measures,
    review,
    scores,
    shifted_geometric_mean,
)
from pegcp.comparison.store import read_results
from pegcp.errors import InputError, Missing
from pegcp.game import Jump, Objective, Problem
from pegcp.library import lookup
from pegcp.method import Answer, Reason, Status
from pegcp.report import FORMATS, Comparison, summary, write_report
from pegcp.report.files import latex, markdown, page_html
from pegcp.report.tables import (
    cell,
    growth_table,
    growths,
    interval,
    options_table,
    problem_table,
    score_table,
)
from pegcp.results.judge import judge_answer
from pegcp.results.reading import read_result
from pegcp.results.result import Result, failed

NASTY = "<script>alert('x')</script>\"&é[b]_$%{}\\|"


def play(problem: Problem) -> tuple[Jump, ...]:
    """Any solution, by depth-first search."""
    stack: list[tuple[int, tuple[Jump, ...]]] = [(problem.start.mask, ())]
    seen = set()
    while stack:
        position, jumps = stack.pop()
        if problem.is_goal(position):
            return jumps
        if position not in seen:
            seen.add(position)
            legal = (jump for jump in problem.board.jumps if jump.is_legal(position))
            stack += [(position ^ jump.mask, (*jumps, jump)) for jump in legal]
    raise AssertionError("no solution")


TRIANGLE = lookup.problem("triangle15")
LINE = lookup.problem("XXXoXXoX")
FOOLS = lookup.problem("triangle15:b3!")
SOLUTIONS = {p.fingerprint: play(p) for p in (TRIANGLE, FOOLS)}


def ran(
    problem: Problem, method: str, seconds: float | None, seed: int = 0, reason: Reason = Reason.TIME, **more: Any
) -> Result:
    """A run that took some seconds, or None: that ended for the reason."""
    about: dict[str, Any] = {
        "parameters": {"seed": seed, "time_limit": 10.0},
        "versions": {"pegcp": "1"},
        "provenance": {"host": "somewhere", "system": "Linux", "cores": 2},
    }
    if seconds is None:
        return replace(
            failed(problem, method, reason, "it is over", statistics={"wall_seconds": 10.1}, **about), **more
        )
    jumps = SOLUTIONS.get(problem.fingerprint)
    status = (
        Status.INFEASIBLE if jumps is None else Status.SOLVED if problem.objective is Objective.ANY else Status.OPTIMAL
    )
    return judge_answer(problem, method, Answer(status, jumps=jumps, statistics={"wall_seconds": seconds}), **about)


RESULTS = [
    ran(TRIANGLE, "fast", 1.0, 0),
    ran(TRIANGLE, "fast", 3.0, 1),
    ran(LINE, "fast", 2.0, 0),
    ran(TRIANGLE, "slow", 4.0, 0),
    ran(TRIANGLE, "slow", None, 1),
    ran(LINE, "slow", None, 0, Reason.ERROR),
    ran(FOOLS, "slow", 5.0, 0),
    ran(FOOLS, "fast", None, 0, bound=4),
    ran(FOOLS, "other", None, 0, Reason.UNSUPPORTED),
    ran(TRIANGLE, "other", None, 0, Reason.UNSUPPORTED),
]


# Statistics


def test_intervals_are_those_of_a_sample() -> None:
    chance = random.Random(2)
    low, high = interval([chance.gauss(3, 1) for _ in range(50)]) or (0, 0)
    assert 0.4 < high - low < 0.7  # 2 * 1.96 / sqrt(50)
    assert interval([1.0, 2.0]) is None


def test_what_an_option_is_worth() -> None:
    def made(problem: Problem, method: str, seconds: float | None, **options: Any) -> Result:
        result = ran(problem, method, seconds)
        return replace(result, parameters={**result.parameters, **options})

    problems = [lookup.problem("X" * n + "o") for n in range(3, 9)]
    results = [made(p, "m", 2.0, early=True, order="on") for p in problems]
    results += [made(p, "m:order=off", 1.0, early=True, order="off") for p in problems[1:]]
    results += [made(problems[0], "m:order=off", None, early=True, order="off")]
    results += [made(p, "m:order=off:early=off", 8.0, early=False, order="off") for p in problems]
    early, order = sorted(options_table(results, WALL).rows)
    assert early == ("m:early=off", "6", "1", "5", "1", "0", "8.00", "8.00 to 8.00")
    assert order == ("m:order=off", "6", "5", "1", "0", "1", "0.50", "0.50 to 0.50")
    assert not options_table(RESULTS, WALL).rows


def test_how_methods_grow() -> None:
    lines = [lookup.problem("X" * n + "o") for n in range(4, 14)]
    results = [ran(p, "m", 0.1 * 1.5 ** p.lengths[-1] if i < 6 else None) for i, p in enumerate(lines)]
    (growth,) = growths(results, WALL)
    assert (growth.stops, len(growth.points)) == (9, 6)
    assert growth.factor == pytest.approx(1.5)
    assert growth_table(results, WALL).rows == (("m", "3 to 8", "9", "1.50"),)


def test_scores_are_what_they_are_by_hand() -> None:
    found = {score.method: score for score in scores(RESULTS)}
    fast, slow, other, best = (found[name] for name in ("fast", "slow", "other", "virtual best"))
    assert (fast.runs, fast.settled, fast.timeouts, fast.failures, fast.fastest) == (4, 3, 1, 0, 3)
    assert (slow.runs, slow.settled, slow.timeouts, slow.failures, slow.fastest) == (4, 2, 1, 1, 1)
    assert (other.runs, other.settled, other.par2, other.mean) == (0, 0, None, None)
    assert (best.runs, best.settled) == (4, 4)
    assert fast.par2 == pytest.approx((1 + 3 + 2 + 20) / 4)
    assert slow.par2 == pytest.approx((4 + 20 + 20 + 5) / 4)
    assert best.par2 == pytest.approx((1 + 3 + 2 + 5) / 4)
    assert fast.mean == pytest.approx((2 * 4 * 3) ** (1 / 3) - 1)
    assert slow.mean == pytest.approx((5 * 6) ** (1 / 2) - 1)
    assert [score.method for score in scores(RESULTS)] == ["fast", "slow", "other", "virtual best"]


def test_the_shifted_geometric_mean() -> None:
    assert shifted_geometric_mean([]) is None
    assert shifted_geometric_mean([3.0]) == pytest.approx(3.0)
    assert shifted_geometric_mean([0.0, 3.0]) == pytest.approx(1.0)


def test_a_board_has_one_name_in_results_that_were_read_from_a_file() -> None:
    runs = [ran(lookup.problem(name), "m", None) for name in ("english", "english:c1", "XoXX")]
    written = [run.to_json() for run in runs]
    assert [read_result(line).problem.board.name for line in written] == [run.problem.board.name for run in runs]


def test_a_solution_that_is_not_proved_best_settles_nothing() -> None:
    half = replace(ran(FOOLS, "m", 1.0), status=Status.SOLVED, reason=Reason.TIME, bound=3)
    assert scores([half])[0].settled == 0
    assert cell([half]) == f"<= {len(SOLUTIONS[FOOLS.fingerprint])} TIME"


def test_contradictory_verdicts_disagree() -> None:
    assert find_disagreements([*RESULTS, judge_answer(TRIANGLE, "slow", Answer(Status.INFEASIBLE))])
    assert not find_disagreements(RESULTS)


def test_different_counts_of_solutions_disagree() -> None:
    problem = replace(TRIANGLE, objective=Objective.COUNT)
    jumps = SOLUTIONS[TRIANGLE.fingerprint]

    def count(method: str, number: int, reason: Reason = Reason.COMPLETED) -> Result:
        status = Status.OPTIMAL if reason is Reason.COMPLETED else Status.SOLVED
        return judge_answer(problem, method, Answer(status, reason, jumps, objective=number, counted="solutions"))

    assert not find_disagreements([count("a", 7), count("b", 7), count("c", 3, Reason.TIME)])
    (found,) = find_disagreements([count("a", 7), count("b", 8)])
    assert found.message == "a counts 7, b counts 8 solutions"


def test_scores_by_other_measures() -> None:
    def one(method: str, solve: float, **more: Any) -> Result:
        figures = {"wall_seconds": 1 + solve, "build_seconds": 0.5, "solve_seconds": solve, **more}
        return replace(ran(TRIANGLE, method, 1.0), statistics=figures)

    results = [one("a", 1.0, nodes=10), one("b", 2.0, conflicts=7), replace(ran(TRIANGLE, "c", None), statistics={})]
    assert [by.name for by in measures(results)] == ["run", "solve", "build", "wall", "nodes", "conflicts"]
    first, second = scores(results, measure("run"))[:2]
    assert (first.method, second.method) == ("a", "b")
    assert first.mean == pytest.approx(1.5)
    assert second.mean == pytest.approx(2.5)
    by_nodes = {score.method: score for score in scores(results, measure("nodes"))}
    assert (by_nodes["a"].settled, by_nodes["b"].runs, by_nodes["c"].runs, by_nodes["a"].par2) == (1, 0, 0, None)
    assert measures([*results, ran(LINE, "a", 1.0)])[0] is WALL  # one run tells nothing else
    with pytest.raises(InputError, match=r'no measure "node" .did you mean "nodes"'):
        measure("node")


# Tables


@pytest.mark.parametrize("ending", [".html", ".md", ".tex"])
def test_a_report_says_below_its_tables_what_was_not_run(ending: str, tmp_path: Path) -> None:
    missing = failed(LINE, "absent", Reason.MISSING, "Mini is not installed: apt install mini")
    write_report(tmp_path / f"report{ending}", review([*RESULTS[:3], missing]))
    (line,) = (line for line in (tmp_path / f"report{ending}").read_text().splitlines() if "absent" in line)
    assert "Not run: absent (Mini is not installed: apt install mini)" in line
    write_report(tmp_path / f"none{ending}", review([missing]))
    assert "Not run: absent" in (tmp_path / f"none{ending}").read_text()


def test_the_report_in_the_terminal_has_problems_by_methods() -> None:
    console = Console(file=StringIO(), width=60)
    console.print(summary(review([*RESULTS, failed(LINE, "absent", Reason.MISSING, "Mini is not installed")])))
    assert isinstance(console.file, StringIO)
    text = console.file.getvalue()
    assert re.search(r"XXXoXXoX +inf\. 2\.00 +ERROR", text)
    assert "Not run: absent (Mini is not installed)" in text
    for note in ("median over seeds", "PAR2: mean, with twice the time limit"):  # how to read each table, once
        assert " ".join(text.split()).count(note) == 1


def test_cells_never_average_a_time_out() -> None:
    table = problem_table(RESULTS, [Published("1999", {"triangle15": 77})])
    assert table.head == ("problem", "fast", "slow", "other", "1999")
    best = len(SOLUTIONS[FOOLS.fingerprint])
    assert table.rows == (
        ("triangle15", "2.00", "1/2", "n/a", "77"),
        ("XXXoXXoX", "inf. 2.00", "ERROR", "", ""),
        ("triangle15:b3!", ">= 4 TIME", f"{best}: 5.00", "n/a", ""),
    )
    three = [ran(TRIANGLE, "m", 1.0, 0), ran(TRIANGLE, "m", 2.0, 1), ran(TRIANGLE, "m", None, 2)]
    assert cell(three) == "2/3 2.00"


def test_markdown_and_latex_show_names_as_they_are() -> None:
    results = [ran(replace(TRIANGLE, name=NASTY), NASTY, 1.0)]
    text = markdown(NASTY, [score_table(results), problem_table(results)])
    rows = [line for line in text.splitlines() if line.startswith("|")]
    assert len({len(re.findall(r"(?<!\\)\|", row)) for row in rows if "PAR2" in row or NASTY[:3] in row}) <= 2
    assert "<script>" not in text.replace("\\<", "")
    tex = latex(NASTY, [score_table(results), problem_table(results)])
    assert r"\textless{}script\textgreater{}" in tex
    assert r"\_\$\%\{\}\textbackslash{}|" in tex
    assert tex.count(r"\begin{tabular}") == tex.count(r"\end{tabular}") == 2


def test_the_csv_has_every_run_and_no_formulas() -> None:
    results = [*RESULTS, ran(replace(TRIANGLE, name="=1+1"), "m", 1.0)]
    rows = list(csv.DictReader(io.StringIO(_csv(results))))
    assert len(rows) == len(results)
    assert rows[0]["method"] == "fast"
    assert rows[0]["wall_seconds"] == "1.0"
    assert rows[0]["host"] == "somewhere"
    assert len(rows[0]["jumps"].split()) == 13
    assert rows[-1]["problem"] == "'=1+1"


def _csv(results: list[Result]) -> str:
    from pegcp.report.files import csv_text

    return csv_text(results)


def test_problems_by_methods_are_the_table_of_a_comparison_of_more_than_two_problems() -> None:
    two = [ran(problem, method, 1.0) for problem in (TRIANGLE, FOOLS) for method in ("a", "b")]
    assert re.search(r"^ triangle15 +a +SOLVED", str(Comparison(two)), re.M)
    three = [*two, ran(LINE, "a", 2.0), ran(LINE, "b", None)]
    text = str(Comparison(three, "Mine"))
    assert re.search(r"^ problem +a +b$", text, re.M)
    assert re.search(r"^ XXXoXXoX +inf\. 2\.00 +TIME$", text, re.M)
    assert text.startswith("Mine")
    assert "inf.: no solution" in text
    assert "2.00</td>" in Comparison(three)._repr_html_()
    more = [*three, *(ran(problem, method, 3.0) for problem in (TRIANGLE, FOOLS, LINE) for method in ("c", "d"))]
    assert re.search(r"^ method +triangle15 +triangle15:b3! +XXXoXXoX$", str(Comparison(more)), re.M)
    assert re.search(r"^ b +1\.00 .* TIME$", str(Comparison(more)), re.M)
    assert re.search(r"^ problem +method", str(Comparison([*three, ran(TRIANGLE, "e", 1.0)])), re.M)  # not of all


# Plots


def plotted(folder: Path, name: str, results: list[Result]) -> str:
    write_report(folder / name, review(results))
    return (folder / name).read_text("utf-8")


def test_the_plots_have_the_figures_of_the_runs(tmp_path: Path) -> None:
    cactus = plotted(tmp_path, "cactus.pgf", RESULTS)
    assert r"coordinates {(1,1) (2,2) (3,3)}; \addlegendentry{fast (3)}" in cactus
    assert r"coordinates {(1,4) (2,5)}; \addlegendentry{slow (2)}" in cactus
    assert cactus.count("{") == cactus.count("}")
    scatter = plotted(tmp_path, "my-scatter.pgf", [run for run in RESULTS if run.method != "other"])
    assert "coordinates {(1,4) (3,10) (2,10) (10,5)}" in scatter  # what is not settled stands at twice the largest cost
    assert "runs at 10 are not settled" in scatter
    lines = [lookup.problem("X" * n + "o") for n in range(4, 8)]
    growth = [ran(problem, "m", None if number == 2 else 1.0 + number) for number, problem in enumerate(lines)]
    assert r"{(3,1) (4,2)}; \addlegendentry{m (stops at 5)}" in plotted(tmp_path, "growth.pgf", growth)


def test_a_wrong_answer_is_not_in_a_plot(tmp_path: Path) -> None:
    wrong = judge_answer(TRIANGLE, "liar", Answer(Status.INFEASIBLE, statistics={"wall_seconds": 0.1}))
    assert r"coordinates {}; \addlegendentry{liar (0)}" in plotted(tmp_path, "cactus.pgf", [*RESULTS, wrong])


def test_a_plot_that_cannot_be_made_says_why(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(InputError, match="two methods, not 3; type: -m A,B, of fast, slow, other"):
        write_report(tmp_path / "scatter.pgf", review(RESULTS))
    with pytest.raises(InputError, match=r"must end in cactus\.pgf or scatter\.pgf or growth\.pgf"):
        write_report(tmp_path / "plot.pgf", review(RESULTS))
    with pytest.raises(InputError, match="nothing to plot"):
        write_report(tmp_path / "cactus.pgf", review([ran(TRIANGLE, "slow", None)]))
    monkeypatch.setattr("pegcp.errors.is_importable", lambda module: module != "matplotlib")
    with pytest.raises(Missing, match=r"needs the package matplotlib; install it with: .*pegcp\[pictures\]"):
        write_report(tmp_path / "cactus.pdf", review(RESULTS))


@pytest.mark.thorough
def test_matplotlib_writes_the_plots(tmp_path: Path) -> None:
    need("matplotlib")
    results = [run for run in RESULTS if run.method != "other"]
    for name in ("cactus", "scatter", "growth"):
        for ending, start in ((".svg", b"<?xml"), (".pdf", b"%PDF"), (".png", b"\x89PNG")):
            write_report(tmp_path / f"{name}{ending}", review(results))
            assert (tmp_path / f"{name}{ending}").read_bytes().startswith(start)
    assert "matplotlib.pyplot" not in sys.modules


def test_the_report_of_some_methods_has_them_in_the_order_as_typed(tmp_path: Path) -> None:
    results = store(tmp_path / "one.jsonl", RESULTS)
    scatter = tmp_path / "scatter.pgf"
    assert invoke("report", results, "-m", "slow,fast", "-o", scatter)[0] == 0
    assert "xlabel={slow: wall seconds}, ylabel={fast: wall seconds}" in scatter.read_text()
    with pytest.raises(InputError, match=r'no run is by "fats" \(did you mean "fast"'):
        invoke("report", results, "-m", "fats")


# Files


@pytest.mark.thorough
def test_every_format_is_written(tmp_path: Path) -> None:
    starts = {".html": b"<!doctype html>", ".csv": b"problem,", ".md": b"# Title", ".tex": b"% Title"}
    for suffix in FORMATS:
        path = tmp_path / f"report{suffix}"
        write_report(path, review(RESULTS), Experiment("Title"))
        assert path.read_bytes().startswith(starts[suffix])
    with pytest.raises(InputError, match=r"must end in cactus\.pdf"):
        write_report(tmp_path / "report.pdf", review(RESULTS))
    with pytest.raises(InputError, match=r"must end in \.html"):
        write_report(tmp_path / "report.doc", review(RESULTS))
    with pytest.raises(InputError, match="cannot write"):
        write_report(tmp_path / "report.md" / "report.md", review(RESULTS))


# The commands


def store(path: Path, results: list[Result]) -> Path:
    path.write_text("".join(json.dumps(result.to_json()) + "\n" for result in results), "utf-8")
    return path


def invoke(*arguments: str | Path) -> tuple[int, str, str]:
    """Exit status, standard output and standard error of a command."""
    result = CliRunner().invoke(cli, [str(a) for a in arguments], standalone_mode=False)
    if result.exception is not None:
        raise result.exception
    return int(result.return_value), result.stdout, result.stderr


def test_a_file_without_results_is_one_line(tmp_path: Path) -> None:
    page, results = tmp_path / "page.html", store(tmp_path / "one.jsonl", RESULTS[:4])
    page.write_text("<p>\n" * 200)
    with pytest.raises(InputError, match="no results in"):
        invoke("report", page)
    assert len(invoke("report", results, page)[2].splitlines()) == 1


def test_one_problem_is_not_called_problems(tmp_path: Path) -> None:
    write_report(tmp_path / "report.html", review(RESULTS[:1]))
    assert "1 run: 1 problem, 1 method<" in (tmp_path / "report.html").read_text("utf-8")


@pytest.mark.thorough
def test_the_command_merges_files_and_writes_a_report(tmp_path: Path) -> None:
    one, two = store(tmp_path / "one.jsonl", RESULTS[:4]), store(tmp_path / "two.jsonl", RESULTS[4:])
    with two.open("a") as file:
        file.write('{"torn')
    status, out, err = invoke("report", one, two, "-o", tmp_path / "report.html")
    assert status == 0
    assert [line.split()[:3] for line in out.splitlines() if line.startswith(" fast")] == [["fast", "4", "3"]]
    assert "two.jsonl:7: torn line, skipped" in err
    assert "10 runs" in (tmp_path / "report.html").read_text("utf-8")
    (tmp_path / "wrong.jsonl").write_text("")
    store(tmp_path / "wrong.jsonl", [judge_answer(TRIANGLE, "liar", Answer(Status.INFEASIBLE))])
    status, out, _ = invoke("report", one, tmp_path / "wrong.jsonl")
    assert status == 4
    assert "DISAGREEMENT on triangle15: liar claims that it is infeasible, fast and slow solved it" in " ".join(
        out.split()
    )
    (tmp_path / "empty").write_text("")
    with pytest.raises(InputError, match="no results in"):
        invoke("report", tmp_path / "empty")


@pytest.mark.thorough
def test_before_and_after(tmp_path: Path) -> None:
    lines = [lookup.problem("X" * n + "o") for n in range(3, 13)]
    old = [ran(p, "m", 2.0) for p in lines] + [ran(FOOLS, "m", None), ran(TRIANGLE, "m", 1.0), ran(LINE, "gone", 1.0)]
    new = [ran(p, "m", 1.0) for p in lines] + [ran(FOOLS, "m", 5.0), ran(TRIANGLE, "m", 1.01)]
    one, two, page = store(tmp_path / "old.jsonl", old), store(tmp_path / "new.jsonl", new), tmp_path / "page.html"
    status, out, _ = invoke("report", one, two, "--against", "-o", page)
    assert status == 0
    tables = [part.splitlines() for part in re.split(r"^(?=Before and after|Changed)", out, flags=re.M)[1:]]
    assert tables[0][4].split() == ["m", "12", "11", "0", "1", "0", "0.53", "0.50", "to", "0.61"]
    assert tables[1][4].split() == ["triangle15:b3!", "m", "TIME", f"{len(SOLUTIONS[FOOLS.fingerprint])}:", "5.00"]
    text = page.read_text("utf-8")
    assert "m (before)" in text
    assert "m (after)" in text
    assert "Changed verdicts" in text
    for suffix in FORMATS[1:4]:
        invoke("report", one, two, "--against", "-o", tmp_path / f"page{suffix}")
    assert "Before and after" in (tmp_path / "page.md").read_text()


def test_before_and_after_of_two_methods(tmp_path: Path) -> None:
    one, two = (store(tmp_path / f"{m}.jsonl", [ran(TRIANGLE, m, t)]) for m, t in (("a", 4.0), ("b", 1.0)))
    assert " b " in invoke("report", one, two, "--against", "--measure", "wall")[1]
    three = store(tmp_path / "c.jsonl", [ran(TRIANGLE, "c", 1.0), ran(TRIANGLE, "d", 1.0)])
    for arguments, message in ((("report", one, three), "no run in common"), (("report", one), "two files")):
        with pytest.raises(InputError, match=message):
            invoke(*arguments, "--against")


@pytest.mark.thorough
def test_what_a_run_told_is_kept(tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    assert invoke("compare", "triangle15:b3!", "-m", "fools", "--log", "--out", out)[0] == 0
    (result,), _ = read_results([out])
    assert "CpSolverResponse" in result.log
    *_, (seconds, objective, bound) = result.statistics["trace"]
    assert (objective, bound) == (4, 4)
    assert 0 < seconds <= result.statistics["wall_seconds"]
    assert read_result(result.to_json()).log == result.log
    invoke("compare", "triangle15:b3!", "-m", "fools", "--out", tmp_path / "quiet.jsonl")
    assert '"log"' not in (tmp_path / "quiet.jsonl").read_text()


@pytest.mark.thorough
def test_the_command_compare_does_it_all(tmp_path: Path) -> None:
    out, page = tmp_path / "out.jsonl", tmp_path / "page.html"
    status, text, err = invoke("compare", "XoXX", "XXXoXXoX", "-m", "dfs,constraint", "--out", out, "--report", page)
    assert status == 0
    assert "INFEASIBLE" in text
    assert "4/4" in err
    assert len(read_results([out])[0]) == 4
    assert page.read_text("utf-8").startswith("<!doctype html>")
    status, text, _ = invoke("compare", "XoXX", "--methods", "dfs", "--json")
    (data,) = json.loads(text)
    assert data["status"] == "SOLVED"
    assert invoke("compare", "english:d4!", "-m", "moves")[0] == 3
    (tmp_path / "e.toml").write_text('problems = ["XoXX"]\nmethods = ["dfs"]')
    assert invoke("compare", "--experiment", tmp_path / "e.toml")[0] == 0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["XoXX", "--retry"], "--retry needs --out"),
        (["--experiment", "e.toml", "XoXX"], "an experiment file"),
        (["--time-limit", "3"], "the tour"),
        (["XoXX", "-m", "dsf"], "did you mean"),
        (["XoXX", "--report", "x.pdf"], "must end in"),
    ],
)
def test_bad_usage_of_compare(arguments: list[str], message: str) -> None:
    with pytest.raises(InputError, match=message):
        invoke("compare", *arguments)


# The page


class Parser(HTMLParser):
    """Collects tags and their attributes."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))


def test_the_page_is_self_contained_and_runs_only_its_own_script() -> None:
    text = page_html(review([*RESULTS, ran(replace(TRIANGLE, name=NASTY), NASTY, 1.0)]), Experiment(NASTY))
    parser = Parser()
    parser.feed(text)
    assert [a for t, a in parser.tags if t == "script"] == [{"type": "application/json", "id": "data"}, {}]
    for tag, attributes in parser.tags:
        for key, value in attributes.items():
            assert not key.startswith("on"), (tag, key)
            assert "://" not in (value or "") or key == "xmlns", (tag, key, value)
    assert "url(" not in text
    assert "@import" not in text


def many(count: int) -> list[Result]:
    rng = random.Random(1)
    english = lookup.problem("english:d4->?")
    SOLUTIONS.setdefault(english.fingerprint, _english(english))
    problems = [replace(english, name=f"english {i}") for i in range(5)] + [TRIANGLE, FOOLS, LINE]
    found: list[Result] = []
    while len(found) < count:
        problem, method = rng.choice(problems), f"method {rng.randrange(7)}"
        seconds = rng.lognormvariate(0, 2)
        found.append(ran(problem, method, seconds if seconds < 10 else None, len(found)))
    return found


def _english(problem: Problem) -> tuple[Jump, ...]:
    from pegcp.api import solve

    jumps = solve(problem, "dfs").jumps
    assert jumps is not None
    return jumps


def load(browser: Any, folder: Path, results: list[Result], title: str = "Report") -> None:
    plan = Experiment(title, published=(Published("1999", {"triangle15": 77}),))
    write_report(folder / "page.html", review(results), plan)
    browser.get((folder / "page.html").as_uri())


def find(browser: Any, selector: str) -> Any:
    return browser.find_element("css selector", selector)


def texts(browser: Any, selector: str) -> list[str]:
    script = "return [...document.querySelectorAll(arguments[0])].filter(n => n.offsetParent).map(n => n.textContent)"
    found: list[str] = browser.execute_script(script, selector)
    return found


@pytest.mark.thorough
def test_nothing_in_a_name_is_executed(browser: Any, tmp_path: Path) -> None:
    nasty = [
        NASTY,
        "</script><script>document.title='hit'</script>",
        "<img src=x onerror=\"document.title='hit'\">",
        "ünï ☃ 漢",
    ]
    results = [ran(replace(TRIANGLE, name=name), name, 1.0, i) for i, name in enumerate(nasty)]
    results += [replace(ran(TRIANGLE, "m", None, 9, Reason.ERROR), message=nasty[1] + nasty[2])]
    load(browser, tmp_path, results, nasty[1])
    assert browser.title == nasty[1]
    assert find(browser, "h1").text == nasty[1]
    assert texts(browser, "#runs tbody th") == [*nasty, "triangle15"]
    assert len(browser.find_elements("css selector", "img")) == 0
    for kind, dialog in (("run", "player"), ("about", "details")):
        for button in browser.find_elements("css selector", f"#runs tbody button[data-{kind}]"):
            browser.execute_script("arguments[0].click()", button)
            assert find(browser, f"#{dialog}-title").text.split(" by ")[0] in [*nasty, "triangle15"]
            browser.execute_script("document.getElementById(arguments[0]).close()", dialog)
    assert browser.title == nasty[1]
    assert [e for e in browser.get_log("browser") if e["level"] == "SEVERE"] == []


@pytest.mark.thorough
def test_tables_sort_and_filter(browser: Any, tmp_path: Path) -> None:
    load(browser, tmp_path, RESULTS)
    column = texts(browser, "#runs thead th").index("wall seconds") + 1
    wall, cells = f"#runs thead th:nth-child({column})", f"#runs tbody td:nth-child({column})"
    browser.execute_script("arguments[0].click()", find(browser, f"{wall} button"))
    rising = [float(text) for text in texts(browser, cells)]
    assert rising == sorted(rising)
    assert find(browser, wall).get_attribute("aria-sort") == "ascending"
    browser.execute_script("arguments[0].click()", find(browser, f"{wall} button"))
    assert [float(text) for text in texts(browser, cells)] == rising[::-1]
    find(browser, "input[data-table=runs]").send_keys("triangle15 SLOW")
    assert set(texts(browser, "#runs tbody td:nth-child(2)")) == {"slow"}
    assert texts(browser, "[data-count=runs]") == ["3 of 10"]
    assert texts(browser, "#problems-wall tbody tr:first-child td") == ["2.00", "1/2", "n/a", "77"]


@pytest.mark.thorough
def test_the_player_steps_plays_and_scrubs(browser: Any, tmp_path: Path) -> None:
    from selenium.webdriver.common.keys import Keys

    load(browser, tmp_path, RESULTS)
    browser.execute_script("document.querySelector('button[data-run]').click()")

    def said() -> str:
        return str(find(browser, "#player-step").text)

    def pegs() -> int:
        return len(browser.find_elements("css selector", "#player-board circle.peg:not(.moving)"))

    assert (said(), pegs()) == ("0 of 13: start; 14 pegs left", 14)
    keys = browser.switch_to.active_element
    keys.send_keys(Keys.ARROW_RIGHT, Keys.ARROW_RIGHT)
    first, second = SOLUTIONS[TRIANGLE.fingerprint][:2]
    names_ = TRIANGLE.board.jump_names(second)
    assert said() == f"2 of 13: {names_[0]} over {names_[1]} to {names_[2]}; 12 pegs left"
    keys.send_keys(Keys.ARROW_LEFT)
    assert (said()[:7], pegs()) == ("1 of 13", 13)
    assert TRIANGLE.board.jump_names(first)[2] in said()
    keys.send_keys(Keys.END)
    assert (said()[-10:], pegs()) == ("1 peg left", 1)
    keys.send_keys(Keys.HOME)
    assert pegs() == 14
    browser.execute_script(
        "const s = document.getElementById('player-scrub'); s.value = 11; s.dispatchEvent(new Event('input'))"
    )
    assert (said()[:7], pegs()) == ("11 of 1", 3)
    keys.send_keys(" ")
    assert find(browser, "[data-go=play]").text == "Pause"
    deadline = time.monotonic() + 8
    while pegs() > 1 and time.monotonic() < deadline:
        time.sleep(0.1)
    assert pegs() == 1
    find(browser, "[data-go=close]").click()
    assert not find(browser, "#player").is_displayed()


def choose(browser: Any, id_: str, value: str) -> None:
    browser.execute_script(
        "const e = document.getElementById(arguments[0]); e.value = arguments[1];"
        "e.dispatchEvent(new Event('change', {bubbles: true}))",
        id_,
        value,
    )


def points(browser: Any, plot: str) -> int:
    return len(browser.find_elements("css selector", f"#{plot} .point"))


@pytest.mark.thorough
def test_plots_of_pairs_are_chosen(browser: Any, tmp_path: Path) -> None:
    load(browser, tmp_path, [*RESULTS, *(ran(p, "third", 2.0) for p in (TRIANGLE, LINE))])
    assert points(browser, "scatter") == 4
    choose(browser, "first", "3")
    label = find(browser, "#scatter svg").get_attribute("aria-label")
    assert label == "third against slow, 2 instances"
    assert points(browser, "scatter") == 2


def telling(problem: Problem, method: str, seed: int = 0, **statistics: Any) -> Result:
    """A run that tells more than its wall time."""
    result = ran(problem, method, 1.0, seed)
    return replace(result, statistics={"wall_seconds": 1.0, "build_seconds": 0.0, "solve_seconds": 0.5, **statistics})


@pytest.mark.thorough
def test_what_is_measured_is_chosen(browser: Any, tmp_path: Path) -> None:
    results = [
        telling(TRIANGLE, "a", nodes=700, peak_memory_mb=80),
        telling(TRIANGLE, "b", solve_seconds=0.25, conflicts=9),
    ]
    load(browser, tmp_path, results)
    assert [option.text for option in browser.find_elements("css selector", "#measure option")] == [
        *("build and solve seconds", "solve seconds", "build seconds", "wall seconds"),
        *("MB of memory", "nodes", "conflicts"),
    ]
    assert texts(browser, "table.heat tbody td")[:2] == ["0.50", "0.25"]
    assert points(browser, "cactus") == 2
    choose(browser, "measure", "nodes")
    assert texts(browser, "table.heat tbody td")[:2] == ["700.00", "-"]
    assert points(browser, "cactus") == 1
    assert "nodes" in find(browser, "#cactus svg").get_attribute("aria-label")


@pytest.mark.thorough
def test_boards_methods_and_verdicts_are_chosen(browser: Any, tmp_path: Path) -> None:
    load(browser, tmp_path, RESULTS)
    assert find(browser, "#chosen").text == ""
    choose(browser, "board", LINE.board.name)
    assert texts(browser, "#runs tbody th") == ["XXXoXXoX", "XXXoXXoX"]
    assert texts(browser, "#problems-wall tbody th") == ["XXXoXXoX"]
    assert points(browser, "cactus") == 1
    assert find(browser, "#chosen").text.startswith("2 of 10 runs.")
    choose(browser, "board", "")
    browser.execute_script("document.querySelector('#methods input').click()")
    assert set(texts(browser, "#runs tbody td:nth-child(2)")) == {"slow", "other"}
    assert texts(browser, "#problems-wall thead th") == ["problem", "slow", "other", "1999"]
    choose(browser, "verdict", "OPTIMAL")
    assert texts(browser, "#runs tbody th") == ["triangle15:b3!"]


@pytest.mark.thorough
def test_scores_are_those_of_all_runs_and_the_page_says_so(browser: Any, tmp_path: Path) -> None:
    load(browser, tmp_path, RESULTS)
    rows = texts(browser, "#scores-wall tbody th")
    choose(browser, "board", LINE.board.name)
    assert texts(browser, "#scores-wall tbody th") == rows
    assert "scores are those of all runs" in browser.find_element("id", "chosen").text


@pytest.mark.thorough
def test_the_spread_and_the_bounds_are_drawn(browser: Any, tmp_path: Path) -> None:
    lines = [lookup.problem("X" * n + "o") for n in range(3, 13)]
    results = [ran(p, m, 1.0 + i, seed) for p in lines for i, m in enumerate("abc") for seed in range(2)]
    traced = {"trace": [[0.1, None, 2], [0.5, 9, 3], [2.0, 6, 6]], "wall_seconds": 2.0}
    load(browser, tmp_path, [*results, replace(ran(FOOLS, "a", 2.0), statistics=traced)])
    assert points(browser, "spread") == 6
    assert points(browser, "bounds") == 2 + 3
    load(browser, tmp_path, RESULTS[2:3])
    for plot in ("spread", "bounds"):
        assert not find(browser, f"#{plot}").is_displayed()


@pytest.mark.thorough
def test_a_trace_from_elsewhere_breaks_nothing(browser: Any, tmp_path: Path) -> None:
    traces = ["x", [1], [[1, "2", 3]], [[None, 1, 2]], [[{"a": 1}, 1, 2]], []]
    results = [replace(ran(FOOLS, "m", 1.0, i), statistics={"trace": t}) for i, t in enumerate(traces)]
    load(browser, tmp_path, results)
    assert len(texts(browser, "#runs tbody tr")) == len(traces)
    assert [e for e in browser.get_log("browser") if e["level"] == "SEVERE"] == []


def given(browser: Any, selector: str) -> tuple[str, str]:
    """The name and the text of the file that a button gives."""
    script = """
    const [selector, done] = arguments;
    const click = HTMLAnchorElement.prototype.click, make = URL.createObjectURL;
    let blob;
    URL.createObjectURL = (given) => { blob = given; return make(given); };
    HTMLAnchorElement.prototype.click = function () { blob.text().then((text) => done([this.download, text])); };
    document.querySelector(selector).click();
    URL.createObjectURL = make;
    HTMLAnchorElement.prototype.click = click;
    """
    name, text = browser.execute_async_script(script, selector)
    return name, text


@pytest.mark.thorough
def test_the_page_gives_files(browser: Any, tmp_path: Path) -> None:
    load(browser, tmp_path, [*RESULTS, ran(replace(lookup.problem("XXXo"), name='=1+1, "_{%\\'), "m", 1.0)])
    _, text = given(browser, "[data-csv=runs]")
    assert list(csv.DictReader(io.StringIO(text)))[-1]["problem"] == "'=1+1, \"_{%\\"
    find(browser, "input[data-table=runs]").send_keys("XXXoXXoX")
    name, text = given(browser, "[data-csv=runs]")
    assert name == "runs.csv"
    rows = list(csv.DictReader(io.StringIO(text)))
    assert [(row["method"], row["verdict"]) for row in rows] == [("fast", "INFEASIBLE"), ("slow", "UNKNOWN ERROR")]
    name, text = given(browser, "[data-svg=cactus]")
    assert name == "cactus.svg"
    ElementTree.fromstring(text)


@pytest.mark.thorough
def test_what_is_behind_a_run(browser: Any, tmp_path: Path) -> None:
    log = "line <b>one</b>\nline two"
    load(browser, tmp_path, [replace(ran(TRIANGLE, "moves:order=off", 1.0), log=log), ran(TRIANGLE, "moves", 1.0)])
    for index, lines in enumerate([log, ""]):
        browser.execute_script(f"document.querySelector('[data-about=\"{index}\"]').click()")
        assert browser.execute_script("return document.querySelector('#details-log pre').textContent") == lines
        assert "time_limit 10.0" in find(browser, "#details-about").text
        find(browser, "#details-close").click()


@pytest.mark.thorough
def test_the_page_of_a_solution_plays_it(browser: Any, tmp_path: Path) -> None:
    result = ran(replace(TRIANGLE, name=NASTY), NASTY, 1.0)
    (tmp_path / "page.html").write_bytes(result.as_file(tmp_path / "page.html"))
    browser.get((tmp_path / "page.html").as_uri())
    assert find(browser, "h1").text == f"{NASTY} by {NASTY}"
    assert not find(browser, "[data-go=close]").is_displayed()
    find(browser, "[data-go=next]").click()
    assert find(browser, "#player-step").text.startswith("1 of 13")
    find(browser, "body").send_keys("\ue010")  # End
    assert find(browser, "#player-step").text.endswith("1 peg left")
    assert [e for e in browser.get_log("browser") if e["level"] == "SEVERE"] == []


@pytest.mark.thorough
def test_the_page_of_a_solution_has_lines_and_corners_and_on_paper_a_filmstrip(browser: Any, tmp_path: Path) -> None:
    english = lookup.problem("english")
    SOLUTIONS.setdefault(english.fingerprint, _english(english))
    ran(english, "m", 1.0).save(tmp_path / "page.html")
    browser.get((tmp_path / "page.html").as_uri())
    drawn = [len(browser.find_elements("css selector", f"#player-board {part}")) for part in (".line", ".wanted")]
    assert drawn == [len(english.board.lines), 1]
    assert find(browser, "#player-goal").text == "Goal: one peg, in d4"
    parts = ("#player-board", "#player-goal", ".paper")
    shown = [find(browser, part).is_displayed() for part in parts]
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
    try:
        shown += [find(browser, part).is_displayed() for part in parts]
    finally:
        browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})
    assert shown == [True, True, False, False, True, True]


@pytest.mark.thorough
def test_costs_have_shades_by_their_logarithm(browser: Any, tmp_path: Path) -> None:
    costs: dict[str, list[float | None]] = {
        "a": [0.1, 0.1, 9.0],
        "b": [2.0, 2.0],
        "c": [5.0, 15.0],
        "d": [1.0, None],
        "e": [None],
    }
    load(browser, tmp_path, [ran(TRIANGLE, m, cost, n) for m, own in costs.items() for n, cost in enumerate(own)])
    cells = browser.find_elements("css selector", "table.heat tbody td")[:5]
    assert [cell.get_attribute("data-shade") for cell in cells] == ["0", "5", "7", None, None]
    assert [cell.get_attribute("class") or "" for cell in cells] == ["", "", "", "open", "open"]


@pytest.mark.thorough
@pytest.mark.parametrize("look", ["light", "dark"])
@pytest.mark.parametrize("player", [False, True])
def test_the_page_passes_the_accessibility_check(browser: Any, tmp_path: Path, look: str, player: bool) -> None:
    need("axe_core_python")
    from axe_core_python import selenium as axe_module

    wrong = judge_answer(TRIANGLE, "wrong", Answer(Status.INFEASIBLE))
    load(browser, tmp_path, [*RESULTS, wrong])
    for table in ("runs", f"scores-{measures(RESULTS)[0].name}"):  # no column is cut off
        place = f"document.getElementById('{table}').parentElement"
        assert browser.execute_script(f"return {place}.scrollWidth <= {place}.clientWidth")
    browser.execute_script("document.documentElement.dataset.look = arguments[0]", look)
    if player:
        browser.execute_script("document.querySelector('button[data-run]').click()")
    found = axe_module.Axe().run(browser)
    assert [(v["id"], [n["html"][:200] for n in v["nodes"]]) for v in found["violations"]] == []
    assert len(found["passes"]) > 20


@pytest.mark.thorough
def test_the_page_fits_a_phone(browser: Any, tmp_path: Path) -> None:
    load(browser, tmp_path, RESULTS)
    browser.execute_cdp_cmd(
        "Emulation.setDeviceMetricsOverride", {"width": 360, "height": 740, "deviceScaleFactor": 2, "mobile": True}
    )
    try:
        assert browser.execute_script("return document.documentElement.scrollWidth") <= 360
        browser.execute_script("document.querySelector('button[data-run]').click()")
        box = find(browser, "#player").rect
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= 360
    finally:
        browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


@pytest.mark.thorough
def test_a_large_report_is_small_and_opens(browser: Any, tmp_path: Path) -> None:
    load(browser, tmp_path, many(2000))
    assert (tmp_path / "page.html").stat().st_size < 10_000_000
    assert texts(browser, "[data-count=runs]") == ["2000 of 2000, the first 200 shown"]
    assert len(texts(browser, "#runs tbody tr")) == 200
    find(browser, "[data-all=runs]").click()
    assert len(texts(browser, "#runs tbody tr")) == 2000
    print("opened in ms:", browser.execute_script("return performance.getEntriesByType('navigation')[0].loadEventEnd"))


@pytest.mark.thorough
def test_the_csv_of_runs_has_all_rows_and_digits_and_print_has_headings(browser: Any, tmp_path: Path) -> None:
    load(browser, tmp_path, [*many(250), ran(TRIANGLE, "precise", 0.012345)])
    _, text = given(browser, "[data-csv=runs]")
    rows = list(csv.DictReader(io.StringIO(text)))
    assert len(rows) == 251
    assert rows[-1]["wall seconds"] == "0.012345"
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
    try:
        assert texts(browser, "#runs thead th")[0] == "problem"
        assert find(browser, "#runs thead th").is_displayed()
        display = "return getComputedStyle(document.querySelector('#runs thead button')).display"
        assert browser.execute_script(display) == "contents"  # a button would not be repeated on each sheet
    finally:
        browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})


@pytest.mark.thorough
def test_the_line_of_growth_ends_where_the_method_stops(browser: Any, tmp_path: Path) -> None:
    lines = [lookup.problem("X" * n + "o") for n in range(4, 10)]
    results = [ran(p, "m", None if number == 3 else 1.0 + number) for number, p in enumerate(lines)]
    todo = tuple(replace(task, choice=replace(task.choice, text="m")) for task in make_tasks(lines, ["dfs"]))
    (tmp_path / "page.html").write_text(
        page_html(review(results), Experiment("G", tasks=todo, parts=(Part("", todo, grows=True),)))
    )
    browser.get((tmp_path / "page.html").as_uri())
    points = find(browser, "#growth polyline").get_attribute("points")
    assert len(points.split()) == 3
    assert len(browser.find_elements("css selector", "#growth .point")) == 5
