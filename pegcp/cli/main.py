"""The command line: the group of all commands, and how errors become exit statuses."""

from __future__ import annotations

import io
import signal
import sys

import click

from pegcp.cli import convert, look
from pegcp.cli.compare import compare, report
from pegcp.cli.console import Exit, complain, flush_output
from pegcp.cli.limit import outside_imports, raise_interrupt
from pegcp.cli.options import examples
from pegcp.cli.play import graph, next_, play
from pegcp.cli.proofs import check, prove
from pegcp.cli.solve import solve
from pegcp.cli.suite import suite
from pegcp.errors import PegcpError, suggestion
from pegcp.version import __version__

SECTIONS: dict[str, tuple[click.Command, ...]] = {
    "Solve and compare": (solve, compare, report, suite),
    "Look": look.COMMANDS,
    "Files": convert.COMMANDS,
    "Proofs": (prove, check),
    "Play": (play, next_, graph),
}


class _Group(click.Group):
    """Lists its commands by section, and suggests the nearest one for one that is unknown."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """As click does, with a hint."""
        name = args[0]
        if self.get_command(ctx, name) is None and not name.startswith("-"):
            ctx.fail(f'there is no command "{name}"{suggestion(name, self.list_commands(ctx))}')
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        """The commands with their first sentences, section by section."""
        for title, commands in SECTIONS.items():
            with formatter.section(title):
                formatter.write_dl([(command.name or "", command.get_short_help_str(70)) for command in commands])


_END = (
    examples("pegcp show english", "pegcp solve 'english:c1->d4' -m moves")
    + """

\b
Tab completes problems, methods and options after this (or zsh, fish):
  eval "$(_PEGCP_COMPLETE=bash_source pegcp)"
"""
)


@click.group(
    cls=_Group, epilog=_END, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100}
)
@click.version_option(__version__, prog_name="pegcp")
def cli() -> None:
    """Peg solitaire in every declarative form, side by side.

    PROBLEM is a bundled name (english, english:c1, english:c1->d4, french:c1->?, english:d4!, triangle15:a1->?), a line
    such as XoXX, or a file (- is standard input): a map of X and o, a problem or board file (TOML), PDDL, or numbers on
    the 7 x 7 grid.
    """


def main() -> None:
    """Run the command line; errors become one line on standard error."""
    try:
        if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
            signal.signal(signal.SIGINT, outside_imports(raise_interrupt))
        if isinstance(sys.stdout, io.TextIOWrapper):
            sys.stdout.reconfigure(errors="backslashreplace")  # for terminals that do not take every character
        try:
            status = cli.main(standalone_mode=False)
        finally:
            flush_output()
    except click.exceptions.Abort:
        status = Exit.INTERRUPTED
    except KeyboardInterrupt:
        status = Exit.INTERRUPTED
    except click.ClickException as error:
        error.show()
        status = error.exit_code
    except PegcpError as error:
        complain(str(error))
        status = Exit.BAD_INPUT
    except BrokenPipeError:
        status = Exit.ANSWERED
    except OSError as error:
        complain(f"cannot write the output: {error.strerror or error}")
        status = Exit.BAD_INPUT
    sys.exit(status if isinstance(status, int) else Exit.ANSWERED)


for section in SECTIONS.values():
    for command in section:
        cli.add_command(command)
