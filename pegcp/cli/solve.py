"""The commands ``solve``, ``compare`` and ``report``."""

import csv
import os
from dataclasses import replace
from pathlib import Path
from urllib.parse import quote

import click

from pegcp import library
from pegcp.catalogue.choice import split
from pegcp.cli import console
from pegcp.cli.options import (
    FILE,
    MEGABYTES,
    SECONDS,
    THREADS,
    OtherWord,
    check_set,
    examples,
    force_option,
    json_option,
    memory_option,
    method_option,
    methods_option,
    problem_argument,
    problem_options,
    seed_option,
    time_option,
    with_limits,
    with_output,
    with_problem,
    workers_option,
)
from pegcp.cli.suggestions import ask_further, ask_why
from pegcp.errors import InputError, refuse_if, shown
from pegcp.game import Objective, Problem
from pegcp.method import Limits, Reason, Status, Wishes
from pegcp.results.result import FORMATS, MOST_SOLUTIONS, check_format
from pegcp.running.road import list_solutions, run_task
from pegcp.running.task import make_task

_NUMBER = click.IntRange(1, MOST_SOLUTIONS)  # of solutions in a list
_NUMBER.name = "integer"  # as messages call it
_PAPER = ".tex"  # the ending of a report that does not name files
_MARK_CHARACTERS = 10_000  # characters of a report that have its mark


@click.command(
    epilog=examples(
        "pegcp solve 'english:c1->f4' -m moves --time-limit 60",
        "pegcp solve english -o solution.svg",
        "pegcp solve 'triangle15:b3->?' --all 100",
    )
)
@with_problem()
@method_option(
    help='NAME[:BACKEND][:OPTION=VALUE]... or a model file; see "pegcp models". [default: chosen for the problem]'
)
@with_limits(time_option(default=60), memory_option(show_default="3/4 of the machine"), workers_option(), seed_option())
@click.option("--all", "most", type=_NUMBER, metavar="N", help="List all solutions, up to N.")
@click.option("--sample", type=_NUMBER, metavar="N", help="List N solutions, drawn at random.")
@click.option(
    "--up-to",
    type=click.Choice(["order", "symmetry"]),
    help="Count, or list, one of the solutions that are equal up to order, or up to order and symmetry.",
)
@click.option("--log", is_flag=True, help="Print the solver's log on standard error.")
@with_output(
    "Also write the answer: .svg, .animated.svg, .png, .html, .json, .txt, .soln (a PDDL plan).",
    *FORMATS,
)
@json_option()
def solve(
    problem: Problem,
    method: str | None,
    limits: Limits,
    most: int | None,
    sample: int | None,
    up_to: str | None,
    log: bool,
    output: Path | None,
    as_json: bool,
) -> int:
    """Solve a problem by one method, and check the answer.

    Exit status: 0 answered (also if there is no solution), 2 bad input, 3 stopped at a limit, 4 wrong answer.
    """
    refuse_if(most is not None and sample is not None, "--all cannot be combined with --sample: choose one")
    objective = click.get_current_context().params["objective"]
    refuse_if(
        (most or sample or up_to) and objective not in (None, Objective.ANY, Objective.COUNT),
        f"--all, --sample and --up-to are about all solutions: leave out --objective {objective}",
    )
    if (number := most if sample is None else sample) is not None:
        refuse_if(log or output, "a list cannot be combined with --log or -o; --json prints it for other programs")
        listing = list_solutions(problem, method, limits, number, up_to or "", is_sample=sample is not None)
        answer = [*listing.to_json()] if as_json else "\n".join([*map(" ".join, listing.written()), str(listing)])
        return console.print_answer(answer, console.status_of_result(listing.result))
    if up_to is not None:
        refuse_if(
            method not in (None, "count"),
            f"--up-to is for the method count: leave out -m {method}, or type --objective count",
        )
        problem, method = replace(problem, objective=Objective.COUNT), f"count:up_to={up_to}"
    if output is not None:
        check_format(output, problem)
    with console.progress_line(problem.name, log=log) as on_progress:
        result = run_task(make_task(problem, method, limits, log=log), method, on_progress)
    if log and not result.log:
        click.echo(f"{result.method} writes no log; a solver does, such as that of -m moves", err=True)
    more = {"read_as": problem.read_as} if problem.read_as else {}
    choice = "; without -m, pegcp chooses the method" if method else ""
    advice = [
        *(ask_further(problem) if result.status is Status.INFEASIBLE and not as_json else ()),
        *([f"For more time: --time-limit {10 * limits.time:g}{choice}"] if result.reason is Reason.TIME else ()),
        *ask_why(result),
    ]
    console.print_answer(result.to_json() | more if as_json else "\n".join([str(result), *advice]))
    if output is not None:
        console.write(output, result.as_file(output), err=True)
    return console.status_of_result(result)


def _read_seeds(text: str) -> int | list[int]:
    """Read a number of seeds, or a list of them."""
    try:
        return [int(seed) for seed in text.split(",") if seed.strip()] if "," in text else int(text)
    except ValueError:
        raise InputError(f"--seeds takes a number of seeds, or a list such as 3,4, not {shown(text)}") from None


def _read_shard(text: str) -> slice:
    """Read which part of the runs to make: of those of each method the i-th, the (i+n)-th, ..."""
    number, _, parts = text.partition("/")
    refuse_if(
        not (number.isdecimal() and parts.isdecimal() and 1 <= int(number) <= int(parts)),
        f"--shard takes a part and the number of parts, such as 1/8, not {shown(text)}",
    )
    return slice(int(number) - 1, None, int(parts))


@click.command(
    epilog=examples(
        "pegcp compare english triangle15 --methods moves,dfs",
        "pegcp compare english -m moves,rounds --seeds 5 --out results.jsonl",
        "pegcp compare --experiment mine.toml --report mine.html",
    )
)
@problem_argument("problems", nargs=-1, metavar="[PROBLEM]...")
@problem_options
@click.option(
    "--suite", metavar="NAME", callback=check_set, help='Add all problems of a set; "pegcp suite" lists the sets.'
)
@click.option("--experiment", "experiment_file", type=FILE, metavar="FILE", help="Read what to run from a TOML file.")
@methods_option(help="Methods, separated by commas. [default: those of the tour]")
@click.option("--time-limit", type=SECONDS, metavar="S", help="Seconds for each run. [default: 60]")
@click.option(
    "--memory-limit",
    type=MEGABYTES,
    metavar="MB",
    help="Megabytes for all processes of a run. [default: 3/4 of the machine]",
)
@click.option("--seeds", metavar="N", type=_read_seeds, help="Seeds 0 to N-1; or a list: 3,4. [default: 1]")
@click.option("--workers", type=int, metavar="N", help=f"{THREADS} [default: 2]")
@click.option("--jobs", default=1, show_default=True, metavar="N", help="Runs at a time, if cores allow.")
@click.option("--on", metavar="PLACE", help="Make the runs on a cluster: dask:ADDRESS, dask-slurm:QUEUE, ray:auto.")
@click.option(
    "--shard", metavar="I/N", type=_read_shard, default="1/1", help="Make only part I of N parts of the runs: 1/8."
)
@click.option("--out", type=FILE, metavar="FILE", help="Append results to FILE; do not repeat the runs it has.")
@click.option("--retry", is_flag=True, help="With --out: repeat the runs that failed or hit a limit.")
@click.option("--log", is_flag=True, help="Keep the end of each solver's log with its result.")
@click.option("--report", type=FILE, metavar="FILE", help="Also write a report: .html, .csv, .md, .tex.")
@click.option("--force", is_flag=True, help="Replace the file of --report, whatever it is; never that of --out.")
@json_option()
def compare(
    problems: tuple[str, ...],
    suite: str | None,
    experiment_file: Path | None,
    methods: str | None,
    jobs: int,
    on: str | None,
    shard: slice,
    out: Path | None,
    retry: bool,
    log: bool,
    report: Path | None,
    force: bool,
    as_json: bool,
    **options: object,
) -> int:
    """Run methods side by side, and check every answer.

    BOARD:* names one problem for each hole of a board. Without any PROBLEM, a tour runs: eleven languages (twelve with
    MiniZinc) in about ten seconds on two cores.
    """
    from pegcp.comparison import experiment, live, schedule, scores
    from pegcp.report import tables, write_report

    _check_outputs(out, report, retry=retry, force=force)
    if suite is not None:
        problems = (*problems, f"{library.suite(suite).name}:*")
    selection = experiment.choose_runs(problems, split(methods) if methods else [], experiment_file, options)
    part = sorted(range(len(selection.tasks)), key=lambda at: selection.tasks[at].choice.text)[shard]
    tasks = [replace(selection.tasks[at], wishes=Wishes(log=log)) for at in sorted(part)]
    about, status = {"jobs": jobs, "out": out, "retry": retry, "shuffled": selection.shuffled}, console.Exit.ANSWERED
    try:
        results = live.run_all(tasks, on, warn=console.complain, **about)
    except schedule.Interrupted as interruption:
        console.stop_alarm()
        results, status = interruption.results, console.Exit.INTERRUPTED
    review = scores.review(selection.label(results))
    if as_json:
        console.print_answer([result.to_json() for result in results])
    else:
        console.show(tables.results_table(review, selection.name, selection.texts))
    if report is not None:
        write_report(report, review, selection, mark="" if out is None else _mark(report, out))
    return status or console.status_of_comparison(review)


def _check_outputs(out: Path | None, report: Path | None, *, retry: bool, force: bool) -> None:
    """Raise InputError, before any run, for a file of results or a report that cannot be written."""
    from pegcp.report import FORMATS as REPORTS

    refuse_if(
        out is not None and out.suffix in REPORTS and not out.exists(),
        f"--out is for lines of JSON; for a report, type: --report {out}",
    )
    refuse_if(retry and out is None, "--retry needs --out FILE: it repeats failed runs of that file")
    _check_report(report, out, force=force or (out is not None and report is not None and _is_report_of(report, out)))


def _check_report(report: Path | None, *inputs: Path | None, force: bool) -> None:
    """Raise InputError for a report, if there is one, that cannot be written, or would replace what it is made of."""
    from pegcp.report import check_report

    if report is None:
        return
    check_report(report)
    is_input = any(path is not None and console.same_file(report, path) for path in inputs)
    refuse_if(is_input, "the report would replace its own input; choose another file", report)
    console.check_writable(report, force=force)


def _mark(report: Path, out: Path) -> str:
    """Return the words in a report that name the file of its results."""
    return f"by pegcp compare from {quote(os.path.relpath(os.path.realpath(out), os.path.realpath(report.parent)))}"


def _is_report_of(report: Path, out: Path) -> bool:
    """Tell whether a file is a report of the results in another one, which the same command may write again."""
    from pegcp.comparison.store import read_results
    from pegcp.report.files import RUN_COLUMNS

    if not report.is_file() or not out.is_file():
        return False
    with report.open(encoding="utf-8", errors="replace", newline="") as file:
        if report.suffix.lower() != ".csv":
            return _mark(report, out) in file.read(_MARK_CHARACTERS)
        rows = csv.DictReader(file)  # which has no place for a mark
        if tuple(rows.fieldnames or ()) != RUN_COLUMNS:
            return False
        runs = {(run.problem.fingerprint, str(run.parameters.get("seed", ""))) for run in read_results([out])[0]}
        return all(
            (row["fingerprint"], row["seed"]) in runs
            for row in rows
            if row["reason"] not in (Reason.INTERRUPTED, Reason.MISSING)  # which are in no file
        )


def _check_results(_context: click.Context, _parameter: click.Parameter, typed: tuple[Path, ...]) -> tuple[Path, ...]:
    """Return the files of results. Raises OtherWord for one that is to be written."""
    for path in typed:
        if (
            path.suffix in (".html", ".csv", ".md", ".tex", ".svg", ".pdf", ".png", ".pgf")
            and typed[1:]
            and not path.exists()
        ):
            raise OtherWord(f"{path} is a report to write", str(path), "AS-RESULT")
    return typed


@click.command(
    epilog=examples(
        "pegcp report monday.jsonl tuesday.jsonl -o report.html",
        "pegcp report results.jsonl -m moves,rounds -o scatter.pdf",
        "pegcp report old.jsonl new.jsonl --against",
    )
)
@click.argument("results", nargs=-1, required=True, type=FILE, metavar="RESULTS...", callback=_check_results)
@click.option(
    "--output",
    "-o",
    type=FILE,
    metavar="FILE",
    help="Write a report: .html, .csv, .md, .tex; or a plot, such as cactus.pdf.",
)
@methods_option(help="Report only the runs of these methods.")
@click.option(
    "--experiment",
    "file",
    type=FILE,
    metavar="FILE",
    help="Take title, parts and published values from this file.",
)
@click.option(
    "--measure",
    metavar="NAME",
    help="run (build + solve), solve, build, cpu, wall, memory, nodes, conflicts, size. "
    "[default: run, or wall where build and solve are unknown]",
)
@click.option("--against", is_flag=True, help="Compare two files, before and after.")
@force_option()
def report(
    results: tuple[Path, ...],
    output: Path | None,
    file: Path | None,
    methods: str | None,
    measure: str | None,
    against: bool,
    force: bool,
) -> int:
    """Merge result files, print a summary, and write a report."""
    from pegcp.comparison import agreement, experiment, scores, store
    from pegcp.report import summary, tables, write_report

    refuse_if(against and len(results) != 2, f"--against needs two files, before and after, not {len(results)}")
    _check_report(output, *results, file, force=force)
    rows, warnings = store.read_results(results)
    about = f"{', '.join(map(str, results))}{f' ({warnings[0]})' if warnings else ''}"
    refuse_if(not rows, f"no results in {about}; pegcp compare --out FILE writes such files")
    title = "Comparison" if output is not None and output.suffix.lower() == _PAPER else results[0].stem
    selection = experiment.Experiment(title) if file is None else experiment.read_experiment(file)
    own = scores.arrange(rows) if file is None else selection.select(rows)
    refuse_if(not own, "no result is of a run of this experiment", file)
    others = f"{file}: {len(rows) - len(own)} of {len(rows)} runs are of no run of this experiment, left out"
    for warning in (*warnings, *[others] * (len(own) < len(rows))):
        console.complain(warning)
    rows = selection.label(agreement.confirm_verdicts(own))
    rows = rows if methods is None else scores.runs_by(split(methods), rows)
    by = scores.measures(rows)[0] if measure is None else scores.measure(measure)
    review, pairs = scores.review(rows), []
    if against:
        runs = (agreement.confirm_verdicts(store.read_results([path])[0]) for path in results)
        changes = tables.changes(*(scores.separate(scores.arrange(part))[0] for part in runs))
        rows = [replace(run, method=f"{run.method} ({name})") for pair in changes for name, run in vars(pair).items()]
        review, pairs = scores.review(rows), tables.change_tables(changes, by)
        console.show(*pairs)
    else:
        console.show(summary(review, by, selection.parts))
    if output is not None:
        write_report(output, review, selection, by=by, extra=pairs)
        click.echo(output)
    return console.status_of_comparison(review)
