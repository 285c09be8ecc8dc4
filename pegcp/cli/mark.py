"""The command ``mark``: points for the model files of a class."""

import csv
import shlex
from io import StringIO
from pathlib import Path

import click

from pegcp.cli.console import Exit, check_writable, show, write
from pegcp.cli.options import FILE, examples, json_option, output_file, time_option
from pegcp.errors import InputError
from pegcp.render.table import Column, Table
from pegcp.writing import check_ending


@click.command(epilog=examples("pegcp mark mine.py", "pegcp mark submissions -o points.csv"))
@click.argument("path", type=FILE, metavar="FILE|FOLDER")
@click.option("--problems", type=FILE, metavar="FILE", help="Ask the problems on the lines of FILE, not the usual 27.")
@time_option(20)
@output_file("Also write the table to a file: .csv.")
@json_option
def mark(path: Path, problems: Path | None, time_limit: float, output: Path | None, force: bool, as_json: bool) -> int:
    """Mark a model file, or all of a folder, by small problems.

    Each file runs within limits, in a process of its own. A planning domain has a point for each problem on which its
    actions are those of the game.
    """
    from pegcp.catalogue.modelfile import SUFFIXES
    from pegcp.formats.texts import read_text
    from pegcp.testing import PROBLEMS, check_method

    if output is not None:
        check_ending(output, (".csv",))
        check_writable(output, force=force)
    files = sorted(file for file in path.iterdir() if file.suffix in (*SUFFIXES, ".pddl")) if path.is_dir() else [path]
    if not files:
        raise InputError(f"there are no model files ({', '.join((*SUFFIXES, '.pddl'))})", source=str(path))
    lines = PROBLEMS if problems is None else read_text(problems).splitlines()
    names = [name for line in lines if (name := line.partition("#")[0].strip())]
    rows, commands = [], []
    for file in files:
        try:
            trials = check_method(str(file), names, time_limit=time_limit)
        except InputError as error:
            if not path.is_dir():
                raise
            rows.append((file.name, "0", "", str(error)))
            continue
        wrong = [trial for trial in trials if trial.fault]
        first = f"{wrong[0].problem.name}: {wrong[0].fault}" if wrong else ""
        rows.append((file.name, str(len(trials) - len(wrong)), str(len(trials)), first))
        if wrong and file.suffix != ".pddl":
            commands.append(f"Which line: {shlex.join(['pegcp', 'why', wrong[0].problem.name, '-m', str(file)])}")
    columns = (
        Column("file", prose=16), Column("points", right=True), Column("of", right=True), Column("fault", prose=40),
    )  # fmt: skip
    show(Table("Points", columns, tuple(rows)), *commands, as_json=as_json)
    if output is not None:
        text = StringIO()
        csv.writer(text, lineterminator="\n").writerows([[column.name for column in columns], *rows])
        write(output, text.getvalue(), err=as_json)
    return Exit.WRONG_ANSWER if any(fault for *_, fault in rows) else Exit.ANSWERED
