"""The commands ``compare`` and ``report``."""

import csv
import logging
import os
from dataclasses import replace
from pathlib import Path
from urllib.parse import quote

import click

from pegcp import library
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
from pegcp.errors import InputError, shown, suggestion
from pegcp.method import Reason

_MARK_CHARACTERS = 10_000  # characters of a report that have its mark


def _read_seeds(_: click.Context, __: click.Parameter, text: str | None) -> int | list[int] | None:
    """Read a number of seeds, or a list of them."""
    try:
        seeds = [int(seed) for seed in text.split(",") if seed.strip()] if text is not None else None
    except ValueError:
        raise InputError(f"--seeds takes a number of seeds, or a list such as 3,4, not {shown(text)}") from None
    return seeds[0] if seeds is not None and text is not None and "," not in text else seeds


def _read_shard(_: click.Context, __: click.Parameter, text: str | None) -> slice:
    """Read which part of the runs to make: of those of each method the i-th, the (i+n)-th, ..."""
    number, _slash, parts = (text or "1/1").partition("/")
    if not (number.isdecimal() and parts.isdecimal() and 1 <= int(number) <= int(parts)):
        raise InputError(f"--shard takes a part and the number of parts, such as 1/8, not {shown(text)}")
    return slice(int(number) - 1, None, int(parts))


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
@click.option("--seeds", metavar="N", callback=_read_seeds, help="Seeds 0 to N-1; or a list: 3,4. [default: 1]")
@click.option("--workers", type=int, metavar="N", help=f"{THREADS} [default: 2]")
@click.option("--jobs", default=1, show_default=True, metavar="N", help="Runs at a time, if cores allow.")
@click.option("--on", metavar="PLACE", help="Make the runs on a cluster: dask:ADDRESS, dask-slurm:QUEUE, ray:auto.")
@click.option("--shard", metavar="I/N", callback=_read_shard, help="Make only part I of N parts of the runs: 1/8.")
@click.option("--out", type=FILE, metavar="FILE", help="Append results to FILE; do not repeat the runs it has.")
@click.option("--retry", is_flag=True, help="With --out: repeat the runs that failed or hit a limit.")
@click.option("--log", is_flag=True, help="Keep the end of each solver's log with its result.")
@click.option("--report", type=FILE, metavar="FILE", help="Also write a report: .html, .csv, .md, .tex.")
@click.option("--force", is_flag=True, help="Replace the file of --report, whatever it is; never that of --out.")
@json_option
def compare(
    problems: tuple[str, ...],
    suite: str | None,
    experiment: Path | None,
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
    from pegcp.catalogue.methods import split
    from pegcp.comparison.experiment import choose_runs
    from pegcp.comparison.live import Live
    from pegcp.comparison.places import place_or
    from pegcp.comparison.schedule import Interrupted, run_all
    from pegcp.comparison.table import results_table
    from pegcp.report import check_report, write_report
    from pegcp.report.tables import problem_table

    if retry and out is None:
        raise InputError("--retry needs --out FILE: it repeats failed runs of that file")
    if report is not None:
        check_report(report)
        if out is not None and same_file(out, report):
            raise InputError("--out and --report name the same file; choose two files", source=str(out))
        check_writable(report, force=force or (out is not None and _is_report_of(report, out)))
    if methods is not None and methods.rstrip().endswith(","):
        raise InputError('the list of methods ends with a comma: write it in quotes, as in -m "moves, dfs"')
    if suite is not None:
        problems = (*problems, f"{library.suite(suite).name}:*")
    plan = choose_runs(problems, split(methods) if methods else [], experiment, options)
    part = sorted(range(len(plan.tasks)), key=lambda at: plan.tasks[at].method.text)[shard]
    tasks = [replace(plan.tasks[at], log=log) for at in sorted(part)]
    status = Exit.ANSWERED
    if on is not None:
        logging.disable()  # what goes wrong on a cluster, one line says here
    with place_or(on) as elsewhere, Live(tasks) as live:
        try:
            results = run_all(
                tasks,
                jobs=jobs,
                executor=elsewhere,
                out=out,
                retry=retry,
                on_event=live.event,
                warn=complain,
                shuffled=plan.shuffled,
            )
        except Interrupted as interruption:
            stop_alarm()
            results, status = interruption.results, Exit.INTERRUPTED
    if as_json:
        print_json([result.to_json() for result in results])
    else:
        show(results_table(plan.label(results), plan.name, plan.texts, problem_table))
    if report is not None:
        write_report(report, results, plan, mark="" if out is None else _mark(report, out))
    return status or status_of_comparison(results)


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
        unsaved = (Reason.INTERRUPTED, Reason.MISSING)
        return all((row["fingerprint"], row["seed"]) in runs for row in rows if row["reason"] not in unsaved)


@click.command(
    epilog=examples(
        "pegcp report monday.jsonl tuesday.jsonl -o report.html",
        "pegcp report results.jsonl -m moves,rounds -o scatter.pdf",
        "pegcp report old.jsonl new.jsonl --against",
    )
)
@click.argument("results", nargs=-1, required=True, type=FILE, metavar="RESULTS...")
@click.option(
    "--output",
    "-o",
    type=FILE,
    metavar="FILE",
    help="Write a report: .html, .csv, .md, .tex; or a plot, such as cactus.pdf.",
)
@methods_option("Only the runs of these methods.")
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
    methods: str | None,
    measure: str | None,
    against: bool,
    force: bool,
) -> int:
    """Merge result files, print a summary, and write a report."""
    from pegcp.catalogue.methods import split
    from pegcp.comparison import scores
    from pegcp.comparison.agreement import confirm_verdicts
    from pegcp.comparison.experiment import Experiment, read_experiment
    from pegcp.comparison.merging import arrange, separate
    from pegcp.comparison.store import read_results
    from pegcp.report import check_report, summary, write_report
    from pegcp.report.tables import change_tables, changes

    by = None if measure is None else scores.measure(measure)
    if against and len(results) != 2:
        raise InputError(f"--against needs two files, before and after, not {len(results)}")
    if output is not None:
        check_report(output)
        if any(same_file(output, path) for path in (*results, *([experiment] if experiment else []))):
            raise InputError("the report would replace its own input; choose another file", source=str(output))
        check_writable(output, force=force)
    rows, warnings = read_results(results)
    if not rows:
        reason = f" ({warnings[0]})" if warnings else ""
        raise InputError(f"no results in {', '.join(map(str, results))}{reason}")
    for warning in warnings:
        complain(warning)
    if experiment is None:  # a paper does not name files
        title = "Comparison" if output is not None and output.suffix.lower() == ".tex" else results[0].stem
        plan, rows = Experiment(title), arrange(rows)
    else:
        plan, number = read_experiment(experiment), len(rows)
        rows = plan.select(rows)
        if not rows:
            raise InputError("no result is of a run of this experiment", source=str(experiment))
        if len(rows) < number:
            complain(f"{experiment}: {number - len(rows)} of {number} runs are of no run of this experiment, left out")
    rows = plan.label(confirm_verdicts(rows))
    if methods is not None:
        names = dict.fromkeys(row.method for row in rows)
        if unknown := [name for name in split(methods) if name not in names]:
            raise InputError(f'no run is by "{unknown[0]}"{suggestion(unknown[0], names)}; methods: {", ".join(names)}')
        rows = [row for name in split(methods) for row in rows if row.method == name]
    by = by or scores.measures(rows)[0]
    tables = []
    if against:
        pairs = changes(*(separate(arrange(confirm_verdicts(read_results([path])[0])))[0] for path in results))
        rows = [replace(run, method=f"{run.method} ({name})") for pair in pairs for name, run in vars(pair).items()]
        tables = change_tables(pairs, by)
        show(*(item for table in tables for item in (table, table.note)))
    else:
        show(summary(rows, by, plan.parts))
    if output is not None:
        write_report(output, rows, plan, by=by, extra=tables)
        click.echo(output)
    return status_of_comparison(separate(rows)[0])
