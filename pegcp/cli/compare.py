"""The commands ``compare`` and ``report``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from pegcp.cli.console import Exit, check_writable, complain, of_comparison, print_json, same_file, show
from pegcp.cli.options import (
    complete_problems,
    examples,
    find,
    force_option,
    json_option,
    methods_option,
    problem_options,
)
from pegcp.errors import InputError
from pegcp.game.problem import Problem
from pegcp.library import lookup, suites

if TYPE_CHECKING:
    from pegcp.comparison.experiment import Experiment
    from pegcp.result import Result

_LIMITS = ("time_limit", "memory_limit", "seeds", "workers")


@click.command(
    epilog=examples(
        "pegcp compare english triangle15 --methods moves,dfs",
        "pegcp compare english -m moves,rounds --seeds 5 --out results.jsonl",
    )
)
@click.argument("problems", nargs=-1, metavar="[PROBLEM]...", shell_complete=complete_problems)
@problem_options
@click.option("--suite", metavar="NAME", help='All problems of a set; "pegcp suite" lists them.')
@click.option("--experiment", type=click.Path(path_type=Path), metavar="FILE", help="What to run: a TOML file.")
@methods_option("Methods, separated by commas; by default those of the tour.")
@click.option("--time-limit", type=click.FloatRange(min=0.1), metavar="S", help="Wall seconds per run [60].")
@click.option(
    "--memory-limit",
    type=click.FloatRange(min=1),
    metavar="MB",
    help="For all processes of a run together [3/4 of the machine].",
)
@click.option("--seeds", type=click.IntRange(min=1), metavar="N", help="Run with the seeds 0 .. N-1 [1].")
@click.option("--workers", type=click.IntRange(min=1), metavar="N", help="Threads of a solver [2].")
@click.option(
    "--jobs", type=click.IntRange(min=1), default=1, show_default=True, help="Runs at a time, as cores allow."
)
@click.option("--out", type=click.Path(path_type=Path), metavar="FILE", help="Keep results in FILE; skip what it has.")
@click.option("--retry", is_flag=True, help="With --out: run again what failed or hit a limit.")
@click.option("--log", is_flag=True, help="Keep the end of each solver's own log with the result.")
@click.option(
    "--prove",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="DIR",
    help="Write a proof folder to DIR for each verdict that is only claimed, as far as that can be done.",
)
@click.option("--report", type=click.Path(path_type=Path), metavar="FILE", help="Write a report (HTML).")
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
    prove: Path | None,
    report: Path | None,
    force: bool,
    as_json: bool,
    **given: Any,
) -> int:
    """Run methods side by side, and check every answer.

    BOARD:* stands for one problem from every hole. Without a problem: the tour of eleven languages, twelve where
    MiniZinc is installed, in about a minute on two cores.
    """
    from pegcp.comparison.live import Live
    from pegcp.comparison.schedule import Interrupted, run_all
    from pegcp.comparison.table import results_table

    if retry and out is None:
        raise InputError("--retry needs --out: it runs again what failed there")
    if report is not None:
        from pegcp.report import check_format

        check_format(report)
        if out is not None and same_file(out, report):
            raise InputError("--out and --report: choose two files", source=str(out))
        check_writable(report, force=force)
    if suite is not None:
        problems = (*problems, f"{suites.suite(suite).name}:*")
    plan = _plan(problems, experiment, methods, {key: value for key, value in given.items() if value is not None})
    todo = [replace(task, log=True) for task in plan.tasks] if log else plan.tasks
    status = Exit.ANSWERED
    with Live(todo) as live:
        try:
            results = run_all(todo, jobs=jobs, out=out, retry=retry, on_event=live.event, warn=complain)
        except Interrupted as interruption:
            results, status = interruption.results, Exit.INTERRUPTED
    if prove is not None and status is Exit.ANSWERED:
        results = _proved(results, prove, plan)
    if as_json:
        print_json([result.to_json() for result in results])
    else:
        show(results_table(results, plan.name))
    if report is not None:
        from pegcp.report import write_report

        write_report(report, results, plan)
    return status or of_comparison(results)


def _plan(
    problems: tuple[str, ...], experiment: Path | None, methods: str | None, given: Mapping[str, Any]
) -> Experiment:
    """The runs that the command line asks for; ``given`` are the limits, and what changes the problems."""
    from pegcp.catalogue.methods import split
    from pegcp.comparison.experiment import TOUR, Experiment, read_experiment
    from pegcp.comparison.schedule import tasks

    if experiment is not None:
        if problems or methods or given:
            raise InputError(
                "an experiment file says all of what to run: give no problems, methods or limits besides it"
            )
        return read_experiment(experiment)
    if not problems:
        if methods or given:
            raise InputError("the tour has its own methods and limits: name the problems to compare them on")
        return read_experiment(TOUR)
    limits = {key: value for key, value in given.items() if key in _LIMITS}
    changes = {key: value for key, value in given.items() if key not in _LIMITS}
    wanted = [find(text, **changes) for problem in problems for text in lookup.each(problem)]
    return Experiment(
        "Comparison",
        "",
        tuple(
            task
            for problem in wanted
            for task in tasks([problem], split(methods) if methods else _takers(problem), **limits)
        ),
    )


def _takers(problem: Problem) -> list[str]:
    """The methods of the tour that take a problem."""
    from pegcp.comparison.experiment import TOUR, read_experiment

    methods = {task.method.text: task.method.method for task in read_experiment(TOUR).tasks}
    return [text for text, method in methods.items() if method.refusal(problem) is None]


def _proved(results: Sequence[Result], folder: Path, plan: Experiment) -> list[Result]:
    """The results, with what proof folders show of verdicts that are only claimed."""
    from pegcp.comparison.agreement import confirmed
    from pegcp.method import Limits
    from pegcp.proofs.writing import proved

    longest = max((task.limits.time for task in plan.tasks), default=0.0)
    memory = [task.limits.memory for task in plan.tasks if task.limits.memory is not None]
    return confirmed([*results, *proved(results, folder, Limits(longest, max(memory, default=None)))])


@click.command(
    epilog=examples(
        "pegcp report monday.jsonl tuesday.jsonl -o report.html", "pegcp report old.jsonl new.jsonl --against"
    )
)
@click.argument("results", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="RESULTS...")
@click.option("--output", "-o", type=click.Path(path_type=Path), metavar="FILE", help=".html, .csv, .md, .tex")
@click.option(
    "--experiment", type=click.Path(path_type=Path), metavar="FILE", help="For its name and published values."
)
@click.option(
    "--measure",
    metavar="NAME",
    help="run (build, solve), solve, build, cpu, wall, memory, nodes, conflicts, size, root [run, where all tell it].",
)
@click.option("--against", is_flag=True, help="Two files, before and after: what changed.")
@force_option
def report(
    results: tuple[Path, ...],
    output: Path | None,
    experiment: Path | None,
    measure: str | None,
    against: bool,
    force: bool,
) -> int:
    """Merge result files and make a report; a summary is printed."""
    from pegcp.comparison import scores
    from pegcp.comparison.agreement import confirmed
    from pegcp.comparison.experiment import Experiment, read_experiment
    from pegcp.comparison.store import read_results
    from pegcp.report import check_format, summary, write_report
    from pegcp.report.tables import listing

    by = None if measure is None else scores.measure(measure)
    if against and len(results) != 2:
        raise InputError(f"--against takes two files, before and after, not {len(results)}")
    if output is not None:
        check_format(output)
        if any(same_file(output, path) for path in (*results, *([experiment] if experiment else []))):
            raise InputError("the report would replace its own input: choose another file", source=str(output))
        check_writable(output, force=force)
    found, warnings = read_results(results)
    found = confirmed(found)
    if not found:
        reason = f" ({warnings[0]})" if warnings else ""
        raise InputError("there are no results in " + ", ".join(map(str, results)) + reason)
    for warning in warnings:
        complain(warning)
    if experiment is not None:
        plan = read_experiment(experiment)
    else:
        plan = Experiment(" and ".join(path.stem for path in results) if against else results[0].stem)
    shown, extra = found, []
    by = by or scores.told(found)[0]
    if against:
        from pegcp.report.pairs import both, changes, tables

        before, after = (confirmed(read_results([path])[0]) for path in results)
        pairs = changes(before, after)
        shown, extra = both(pairs), tables(pairs, by, whole=True)
        for table in tables(pairs, by):
            show(listing(table), *([table.note] if table.note else []))
    else:
        show(summary(found, by, plan.parts))
    if output is not None:
        write_report(output, shown, plan, by=by, extra=extra)
        click.echo(output)
    return of_comparison(found)
