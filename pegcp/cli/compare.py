"""The commands ``compare`` and ``report``."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from pegcp.cli.console import (
    Exit,
    check_writable,
    complain,
    print_json,
    same_file,
    show,
    status_of_comparison,
    stop_alarm,
)
from pegcp.cli.options import (
    FILE,
    THREADS,
    complete_problems,
    examples,
    force_option,
    json_option,
    methods_option,
    problem_options,
)
from pegcp.errors import InputError
from pegcp.library import lookup, suites

if TYPE_CHECKING:
    from pegcp.comparison.experiment import Experiment

_LIMITS = ("time_limit", "memory_limit", "seeds", "workers")


@click.command(
    epilog=examples(
        "pegcp compare english triangle15 --methods moves,dfs",
        "pegcp compare english -m moves,rounds --seeds 5 --out results.jsonl",
        "pegcp compare --experiment mine.toml --report mine.html",
    )
)
@click.argument("problems", nargs=-1, metavar="[PROBLEM]...", shell_complete=complete_problems)
@problem_options
@click.option("--suite", metavar="NAME", help='Add all problems of a set; "pegcp suite" lists the sets.')
@click.option("--experiment", type=FILE, metavar="FILE", help="Read what to run from a TOML file.")
@methods_option("Methods, separated by commas. [default: those of the tour]")
@click.option("--time-limit", type=float, metavar="S", help="Seconds for each run. [default: 60]")
@click.option(
    "--memory-limit",
    type=float,
    metavar="MB",
    help="Megabytes for all processes of a run. [default: 3/4 of the machine]",
)
@click.option("--seeds", type=int, metavar="N", help="Run with the seeds 0 to N-1. [default: 1]")
@click.option("--workers", type=int, metavar="N", help=f"{THREADS} [default: 2]")
@click.option("--jobs", default=1, show_default=True, metavar="N", help="Runs at a time, if cores allow.")
@click.option("--out", type=FILE, metavar="FILE", help="Append results to FILE; do not repeat the runs it has.")
@click.option("--retry", is_flag=True, help="With --out: repeat the runs that failed or hit a limit.")
@click.option("--log", is_flag=True, help="Keep the end of each solver's log with its result.")
@click.option("--report", type=FILE, metavar="FILE", help="Also write a report: .html, .csv, .md, .tex.")
@force_option
@json_option
def compare(
    problems: tuple[str, ...],
    suite: str | None,
    experiment: Path | None,
    methods: str | None,
    jobs: int,
    out: Path | None,
    retry: bool,
    log: bool,
    report: Path | None,
    force: bool,
    as_json: bool,
    **options: Any,
) -> int:
    """Run methods side by side, and check every answer.

    BOARD:* names one problem for each hole of a board. Without any PROBLEM, a tour runs: eleven languages (twelve with
    MiniZinc) in about ten seconds on two cores.
    """
    from pegcp.comparison.live import Live
    from pegcp.comparison.schedule import Interrupted, run_all
    from pegcp.comparison.table import results_table
    from pegcp.report import check_format, write_report

    if retry and out is None:
        raise InputError("--retry needs --out FILE: it repeats failed runs of that file")
    if report is not None:
        check_format(report)
        if out is not None and same_file(out, report):
            raise InputError("--out and --report name the same file; choose two files", source=str(out))
        check_writable(report, force=force)
    if suite is not None:
        problems = (*problems, f"{suites.suite(suite).name}:*")
    plan = _plan(problems, experiment, methods, {key: value for key, value in options.items() if value is not None})
    tasks = [replace(task, log=log) for task in plan.tasks]
    status = Exit.ANSWERED
    with Live(tasks) as live:
        try:
            results = run_all(tasks, jobs=jobs, out=out, retry=retry, on_event=live.event, warn=complain)
        except Interrupted as interruption:
            stop_alarm()
            results, status = interruption.results, Exit.INTERRUPTED
    if as_json:
        print_json([result.to_json() for result in results])
    else:
        show(results_table(results, plan.name))
    if report is not None:
        write_report(report, results, plan)
    return status or status_of_comparison(results)


def _plan(
    problems: tuple[str, ...], experiment: Path | None, methods: str | None, options: Mapping[str, Any]
) -> Experiment:
    """Choose the runs; ``options`` are limits, and changes of the problems."""
    from pegcp.catalogue.methods import split
    from pegcp.comparison.experiment import TOUR, Experiment, read_experiment
    from pegcp.comparison.schedule import tasks

    if experiment is not None:
        if problems or methods or options:
            raise InputError("an experiment file sets problems, methods and limits itself: leave out those options")
        return read_experiment(experiment)
    tour = read_experiment(TOUR)
    if not problems:
        if methods or options:
            raise InputError("the tour sets its own methods and limits; to choose them, name at least one problem")
        return tour
    limits = {key: value for key, value in options.items() if key in _LIMITS}
    changes = {key: value for key, value in options.items() if key not in _LIMITS}
    tour_methods = {task.method.text: task.method.method for task in tour.tasks}
    runs = []
    for text in (name for problem in problems for name in lookup.each(problem)):
        problem = lookup.problem(text, **changes)
        takers = [name for name, method in tour_methods.items() if method.refusal(problem) is None]
        runs += tasks([problem], split(methods) if methods else takers, **limits)
    return Experiment("Comparison", "", tuple(runs))


@click.command(
    epilog=examples(
        "pegcp report monday.jsonl tuesday.jsonl -o report.html", "pegcp report old.jsonl new.jsonl --against"
    )
)
@click.argument("results", nargs=-1, required=True, type=FILE, metavar="RESULTS...")
@click.option("--output", "-o", type=FILE, metavar="FILE", help="Write the report to FILE: .html, .csv, .md, .tex.")
@click.option("--experiment", type=FILE, metavar="FILE", help="Take title, parts and published values from this file.")
@click.option(
    "--measure",
    metavar="NAME",
    help="run (build + solve), solve, build, cpu, wall, memory, nodes, conflicts, size. "
    "[default: run, or wall where build and solve are unknown]",
)
@click.option("--against", is_flag=True, help="Compare two files, before and after.")
@force_option
def report(
    results: tuple[Path, ...],
    output: Path | None,
    experiment: Path | None,
    measure: str | None,
    against: bool,
    force: bool,
) -> int:
    """Merge result files, print a summary, and write a report."""
    from pegcp.comparison import scores
    from pegcp.comparison.agreement import confirmed
    from pegcp.comparison.experiment import Experiment, read_experiment
    from pegcp.comparison.store import read_results
    from pegcp.report import check_format, summary, write_report
    from pegcp.report.pairs import change_tables, changes
    from pegcp.report.tables import listing

    by = None if measure is None else scores.measure(measure)
    if against and len(results) != 2:
        raise InputError(f"--against needs two files, before and after, not {len(results)}")
    if output is not None:
        check_format(output)
        if any(same_file(output, path) for path in (*results, *([experiment] if experiment else []))):
            raise InputError("the report would replace its own input; choose another file", source=str(output))
        check_writable(output, force=force)
    rows, warnings = read_results(results)
    rows = confirmed(rows)
    if not rows:
        reason = f" ({warnings[0]})" if warnings else ""
        raise InputError(f"no results in {', '.join(map(str, results))}{reason}")
    for warning in warnings:
        complain(warning)
    plan = Experiment(results[0].stem) if experiment is None else read_experiment(experiment)
    by = by or scores.measures(rows)[0]
    tables = []
    if against:
        pairs = changes(*(confirmed(read_results([path])[0]) for path in results))
        rows = [replace(run, method=f"{run.method} ({name})") for pair in pairs for name, run in vars(pair).items()]
        tables = change_tables(pairs, by)
        for table in tables:
            show(listing(table), table.note)
    else:
        show(summary(rows, by, plan.parts))
    if output is not None:
        write_report(output, rows, plan, by=by, extra=tables)
        click.echo(output)
    return status_of_comparison(rows)
