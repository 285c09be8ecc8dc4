"""What the shell offers when Tab is pressed: names of problems and methods, else files.

``_PEGCP_COMPLETE=bash_source pegcp`` prints what switches it on; zsh and fish likewise.
"""

from __future__ import annotations

from collections.abc import Iterable

from click import Context, Parameter
from click.shell_completion import CompletionItem


def problems(_context: Context, _parameter: Parameter, typed: str) -> list[CompletionItem]:
    """Bundled problems, and a member of each family of boards."""
    from pegcp import library

    return _offered(typed, [*library.all_problems(), *(family.example for family in library.FAMILIES)])


def methods(_context: Context, _parameter: Parameter, typed: str) -> list[CompletionItem]:
    """Names of methods; of a list with commas the last."""
    from pegcp.catalogue.methods import bundled

    before, comma, _ = typed.rpartition(",")
    return _offered(typed, (before + comma + name for name in bundled()))


def _offered(typed: str, names: Iterable[str]) -> list[CompletionItem]:
    found = [CompletionItem(name) for name in names if name.startswith(typed)]
    return found or [CompletionItem(typed, type="file")]
