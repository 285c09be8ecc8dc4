"""The command line: the group of all commands, and how errors become exit statuses."""

import io
import sys

import click

from pegcp.cli import files, show, solve, suggestions
from pegcp.cli.console import Exit, complain, interruption
from pegcp.cli.options import CHANGES, examples, join_domain
from pegcp.errors import PegcpError
from pegcp.version import __version__

SECTIONS: dict[str, tuple[click.Command, ...]] = {
    "Solve and compare": (solve.solve, solve.compare, solve.report),
    "Boards, problems, methods": (
        show.boards, show.problems, show.suite, show.models, show.backends, show.show, show.explain,
    ),
    "Problem and model files": (
        files.generate, files.export, files.import_, files.why, files.mark, files.contribute,
    ),
    "Proofs": (files.prove, files.check),
    "Play": (show.play, show.next_, show.graph),
}  # fmt: skip


class _Group(click.Group):
    """A group that lists its commands by section."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find a command; a PDDL domain and its problem are one word."""
        return super().resolve_command(ctx, join_domain(args))

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        """Write each section with its commands and their first sentences."""
        for title, commands in SECTIONS.items():
            with formatter.section(title):
                formatter.write_dl([(command.name or "", command.get_short_help_str(70)) for command in commands])


@click.group(
    cls=_Group,
    commands=[command for section in SECTIONS.values() for command in section],
    epilog=examples("pegcp show english", "pegcp solve 'english:c1->f4' -m moves")
    + """

\b
Tab completes words after this (or zsh, fish):
  eval "$(_PEGCP_COMPLETE=bash_source pegcp)"
""",
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.version_option(__version__, "-V", "--version", prog_name="pegcp")
def cli() -> None:
    """Peg solitaire as constraints, integer programs, SAT, planning and search, side by side.

    \b
    A PROBLEM is
      a bundled name    english, triangle15, fig7
      BOARD:HOLE        vacant at HOLE first, last peg there
      BOARD:HOLE->HOLE  first vacancy, hole of the last peg
      BOARD:HOLE->?     last peg anywhere
      BOARD:HOLE!       Fool's Solitaire: get stuck in as
                        few jumps as possible
      a line            XoXX: X is a peg, o a vacancy
      a file            a map of X and o, TOML, PDDL, or peg
                        numbers; - is standard input
    """


def main() -> None:
    """Run the command line; errors become one line on standard error."""
    status: object = Exit.BAD_INPUT
    interruption.install()
    try:
        if isinstance(sys.stdout, io.TextIOWrapper):
            sys.stdout.reconfigure(errors="backslashreplace")  # for terminals that do not take every character
        if sys.argv[1:2] == ["help"]:
            sys.argv[1:] = [*sys.argv[2:3], "--help"]
        status = cli.main(prog_name="pegcp", standalone_mode=False)
    except (click.Abort, KeyboardInterrupt):
        interruption.end()  # here no other signal raises
        status = Exit.INTERRUPTED
    except SystemExit as error:  # click ends so when the reader of a pipe is gone, and after Tab was completed
        status = Exit.ANSWERED if isinstance(error.__context__, BrokenPipeError) else error.code
        if isinstance(status, str):
            complain(status)
            status = Exit.BAD_INPUT
    except click.exceptions.NoArgsIsHelpError as error:
        error.show()
    except click.UsageError as error:
        complain(_one_line(error))
    except PegcpError as error:
        complain(f"{'--' * (getattr(error, 'source', None) in CHANGES)}{error}")
    except OSError as error:
        complain(f"cannot write the output: {error.strerror or error}")
        sys.stdout = None  # else Python tries to write the rest at its end
    except Exception as error:
        if isinstance(error, (ImportError, MemoryError)) and not interruption.signal:
            complain(f"cannot go on: {str(error).strip().rpartition(chr(10))[2] or 'out of memory'}")
        elif not interruption.signal:
            raise
    finally:
        interruption.end()
    if interruption.signal:  # whatever a library made of it
        status = 128 + interruption.signal  # as shells do
    sys.exit(status if isinstance(status, int) else Exit.ANSWERED)


def _one_line(error: click.UsageError) -> str:
    """Return an error of click in the style of pegcp's own, with the line to type next."""
    message = " ".join(error.format_message().split()).partition("Did you mean")[0].rstrip(" (.")
    command = error.ctx.command_path if error.ctx else " ".join(["pegcp", *cli.commands.keys() & sys.argv[1:2]])
    advice = suggestions.next_line(cli, sys.argv[1:]) or f'"{command} --help" shows the usage'
    return f"{message[:1].lower()}{message[1:]}; {advice}"
