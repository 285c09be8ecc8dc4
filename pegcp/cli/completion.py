"""What the shell offers when Tab is pressed: problems, methods with their backends and options, objectives.

``_PEGCP_COMPLETE=bash_source pegcp`` prints what switches it on; zsh and fish likewise.
"""

from __future__ import annotations

from collections.abc import Iterable

from click import Context, Parameter
from click.shell_completion import BashComplete, CompletionItem, add_completion_class


class _Bash(BashComplete):
    """Bash would break ``english:d`` and ``order=off`` into words at these signs, and replace the last word alone."""

    source_template = "COMP_WORDBREAKS=${COMP_WORDBREAKS//[:=]/}\n" + BashComplete.source_template


add_completion_class(_Bash)


def problems(_context: Context, _parameter: Parameter, typed: str) -> list[CompletionItem]:
    """Bundled boards and problems; after ``BOARD:`` its holes; else files."""
    from pegcp import library
    from pegcp.errors import PegcpError

    name, colon, _ = typed.rpartition(":")
    if colon:
        try:
            return _offered(typed, (f"{name}:{hole}" for hole in library.board(name).holes))
        except PegcpError:
            return []
    families = (family.example for family in library.FAMILIES)
    return _offered(typed, [*library.all_problems(), *families]) or _file(typed)


def boards(_context: Context, _parameter: Parameter, typed: str) -> list[CompletionItem]:
    """Bundled boards, and a member of each family."""
    from pegcp import library

    return _offered(typed, (board.name for board in library.boards()))


def methods(_context: Context, _parameter: Parameter, typed: str) -> list[CompletionItem]:
    """Names of methods; after ``NAME:`` its backends, options and their values. The last of a list with commas."""
    from pegcp.catalogue.methods import bundled, option_text, split

    before, comma, last = typed.rpartition(",") if len(split(typed)) > 1 else ("", "", typed)
    names = {name: method.summary for name, method in bundled().items()}
    name, colon, _ = last.partition(":")
    if not colon:
        return _offered(last, names, before + comma, names) or _file(typed)
    method = bundled().get(name)
    if method is None:
        return []
    first = last.rpartition(":")[0]
    values = {key: method.values(key) or (option_text(default),) for key, default in method.options.items()}
    forms = [*method.backends, *(f"{key}={value}" for key, among in values.items() for value in among)]
    return _offered(last, (f"{first}:{form}" for form in forms), before + comma)


def _offered(
    typed: str, names: Iterable[str], before: str = "", about: dict[str, str] | None = None
) -> list[CompletionItem]:
    return [CompletionItem(before + name, help=(about or {}).get(name)) for name in names if name.startswith(typed)]


def _file(typed: str) -> list[CompletionItem]:
    """Let the shell complete the name of a file."""
    return [CompletionItem(typed, type="file")]
