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
@click.option("--formats", metavar="A,B", help="Write the problems in these formats, such as toml,cnf,mps,pddl.")
@output_folder("Folder to write to: new, or empty.")
def suite(name: str | None, formats: str | None, output: Path | None) -> None:
    """List the sets of problems with known answers, or one set; or write it.

    A set's problems are called SET:NAME, and SET:* are all of them. manifest.json says of each what is true and what
    shows it; .yml files are task definitions of BenchExec.
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
        found = suites.suite(name)
        wanted = list(dict.fromkeys(item.strip() for item in formats.split(",")))
        size = sum(_written(output / path, text) for path, text in files(found, wanted))
        click.echo(f"{output}: {plural(len(found.rows), 'problem')} of {name} ({size / 1e6:.1f} MB)")


def _written(path: Path, text: str) -> int:
    write(path, text, say=False)
    return len(text)


def _list() -> None:
    heads = (Column("name"), Column("problems", right=True), Column("answered", right=True), Column("title", prose=18))
    table = Listing("Sets", *heads)
    for name in library.set_names():
        found = suites.suite(name)
        answered = sum(row.answer is not None for row in found.rows)
        table.add(name, str(len(found.rows)), str(answered), found.title)
    show(table, '"pegcp suite NAME" lists a set; "pegcp compare --suite NAME -m A,B" runs methods on it.')


def _rows(found: Suite) -> None:
    heads = (Column("name"), Column("board", 2), Column("pegs", 3, right=True), Column("goal", 1), Column("grade", 1))
    languages = Column("languages", 1)
    table = Listing(found.title, *heads, languages, Column("answer"), Column("shown by", 2, prose=30))
    goals = {Exact: "exact", OnePeg: "one peg", Partial: "partial", DeadEnd: "dead end"}
    for row in found.rows:
        problem = found.problem(row)
        goal = goals[type(problem.goal)] if problem.objective is Objective.ANY else str(problem.objective)
        answer = str(row.answer) if row.kind == "optimum" else row.kind
        pegs = str(len(problem.start))
        grade = str(row.grade or "")
        table.add(row.name, problem.board.name, pegs, goal, grade, row.languages, answer, row.shown)
    note = f"languages: the grades in {', '.join(suites.LANGUAGES)}; - where none of it was asked"
    show(table, *[note] * any(row.languages for row in found.rows))
