"""The command ``suite``: sets of problems with known answers."""

from __future__ import annotations

from pathlib import Path

import click

from pegcp import library
from pegcp.cli.console import show, write
from pegcp.cli.options import examples, output_folder
from pegcp.errors import InputError, plural
from pegcp.game.goal import DeadEnd, Exact, Objective, OnePeg, Partial
from pegcp.library import suites
from pegcp.library.suites import Suite
from pegcp.render.columns import Column, Listing


@click.command(epilog=examples("pegcp suite csplib", "pegcp suite csplib --formats cnf,pddl -o DIR"))
@click.argument("name", required=False)
@click.option("--formats", metavar="A,B", help="Formats to write, such as toml,cnf,mps,pddl.")
@output_folder("Folder to write to: new, or empty.")
def suite(name: str | None, formats: str | None, output: Path | None) -> None:
    """List sets of problems with known answers; write a set to files.

    A problem of a set is called SET:NAME, and SET:* names all of them. A written set has a manifest.json with the
    answers and their evidence, and .yml files with task definitions for BenchExec.
    """
    if (formats is None) is not (output is None) or (output is not None and name is None):
        raise InputError("to write a set, give its name, --formats and -o DIR")
    if name is None:
        _list()
    elif formats is None or output is None:
        _rows(suites.suite(name))
    else:
        from pegcp.catalogue.suites import files

        if output.exists() and any(output.iterdir()):
            raise InputError("the folder for a set must be new or empty", source=str(output))
        problems, size = suites.suite(name), 0
        for path, text in files(problems, list(dict.fromkeys(item.strip() for item in formats.split(",")))):
            write(output / path, text, announce=False)
            size += len(text)
        click.echo(f"{output}: {plural(len(problems.rows), 'problem')} of {name} ({size / 1e6:.1f} MB)")


def _list() -> None:
    heads = (Column("name"), Column("problems", right=True), Column("answered", right=True), Column("title", prose=18))
    table = Listing("Sets", *heads)
    for name in library.set_names():
        rows, title = suites.suite(name).rows, suites.suite(name).title
        table.add(name, str(len(rows)), str(sum(row.answer is not None for row in rows)), title)
    show(table, '"pegcp suite NAME" lists a set; "pegcp compare --suite NAME -m A,B" runs methods on it.')


def _rows(problems: Suite) -> None:
    heads = (Column("name"), Column("board", 2), Column("pegs", 3, right=True), Column("goal", 1), Column("grade", 1))
    languages = Column("languages", 1)
    table = Listing(problems.title, *heads, languages, Column("answer"), Column("shown by", 2, prose=30))
    goals = {Exact: "exact", OnePeg: "one peg", Partial: "partial", DeadEnd: "dead end"}
    for row in problems.rows:
        problem = problems.problem(row)
        goal = goals[type(problem.goal)] if problem.objective is Objective.ANY else str(problem.objective)
        answer = str(row.answer) if row.kind == "optimum" else row.kind
        pegs = str(len(problem.start))
        grade = str(row.grade or "")
        table.add(row.name, problem.board.name, pegs, goal, grade, row.languages, answer, row.shown)
    note = f"languages: the grades in {', '.join(suites.LANGUAGES)}; - where a language was not tried"
    show(table, *[note] * any(row.languages for row in problems.rows))
