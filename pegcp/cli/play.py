"""The command ``play``."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from pegcp.cli.console import check_writable, write
from pegcp.cli.options import examples, given_problem, output_file
from pegcp.errors import need

if TYPE_CHECKING:
    from pegcp.game.problem import Problem


@click.command(epilog=examples("pegcp play english", "pegcp play triangle15 -o triangle.html"))
@partial(given_problem, default="english")
@click.option("--port", type=click.IntRange(0, 65535), default=8037, show_default=True, help="0: any free one.")
@click.option("--browser/--no-browser", default=True, show_default=True, help="Open the page.")
@output_file("Write one page that needs no server, and no network.")
def play(problem: Problem, port: int, browser: bool, output: Path | None) -> None:
    """Play in the browser: drag pegs, take back, see what wins.

    It says what to take back, why a position is lost, and what solvers say from here. The server is for this machine
    alone; Ctrl-C ends it.
    """
    if output is not None:
        from pegcp.play.page import offline

        check_writable(output)
        write(output, offline(problem))
        return
    need("the server of the page", "pegcp[play]", "starlette", "uvicorn")
    from pegcp.play.server import serve

    def tell(link: str, found: int) -> None:
        if port not in (0, found):
            click.echo(f"port {port} is in use; {found} is not", err=True)
        click.echo(f"{link}\nCtrl-C ends it.")
        if browser:
            click.launch(link)

    serve(problem, port, tell)
