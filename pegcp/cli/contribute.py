"""The command ``contribute``: peg solitaire in the form in which others take it."""

from pathlib import Path

import click

from pegcp.cli.console import show, write_all
from pegcp.cli.options import examples, force_option, json_option, output_folder
from pegcp.errors import InputError, plural, suggestion


@click.command(epilog=examples("pegcp contribute", "pegcp contribute unified-planning -o DIR"))
@click.argument("kit", required=False)
@output_folder()
@force_option
@json_option
def contribute(kit: str | None, output: Path | None, force: bool, as_json: bool) -> None:
    """Write peg solitaire for a library of problems or a test suite.

    Without a name, list the kits: what takes each, under which licence, and how.
    """
    from pegcp.contribute.kits import KITS
    from pegcp.render.table import Column, Table

    if kit is None:
        columns = (Column("kit"), Column("for", prose=18), Column("licence", 1), Column("how", prose=18))
        rows = tuple((each.name, each.place, each.licence, each.use) for each in KITS.values())
        show(Table("Kits", columns, rows), '"pegcp contribute KIT -o DIR" writes one.', as_json=as_json)
        return
    if kit not in KITS:
        raise InputError(f'there is no kit "{kit}"{suggestion(kit, KITS)}; "pegcp contribute" lists them')
    if output is None:
        raise InputError(f"choose a folder: pegcp contribute {kit} -o DIR")
    files = KITS[kit].files()
    write_all(output, files, force=force, announce=False)
    click.echo(f"{output}: {plural(len(files), 'file')} for {KITS[kit].place}; {KITS[kit].use}")
