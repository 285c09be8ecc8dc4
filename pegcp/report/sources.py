"""The model behind a run: the text of its file, if that is still what ran."""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import sha256
from pathlib import Path

from pegcp.catalogue.methods import bundled
from pegcp.catalogue.modelfile import SUFFIXES
from pegcp.result import Result

_LARGEST = 100_000  # bytes

Run = tuple[str, str | None]  # a method and the fingerprint of its file


def sources(results: Iterable[Result]) -> tuple[dict[Run, int], list[str]]:
    """The texts of all models, and which run has which.

    A text is included only if its fingerprint is that of the run: readers see the model that answered, and a forged
    file of results cannot show other files of the reader's machine.
    """
    texts: dict[str, str | None] = {}
    found: dict[Run, int] = {}
    listed: list[str] = []
    for method, print_ in dict.fromkeys((result.method, result.versions.get("model")) for result in results):
        if print_ is None:
            continue
        if texts.get(print_) is None:
            texts[print_] = _text(method.partition(":")[0].partition(" (")[0], print_)
        text = texts[print_]
        if text is not None:
            if text not in listed:
                listed.append(text)
            found[method, print_] = listed.index(text)
    return found, listed


def _text(name: str, print_: str) -> str | None:
    method = bundled().get(name)
    path = method.path if method is not None else Path(name) if name.endswith(SUFFIXES) else None
    try:
        if path is None or not path.is_file() or path.stat().st_size > _LARGEST:
            return None
        content = path.read_bytes()
        return content.decode("utf-8") if sha256(content).hexdigest()[:12] == print_ else None
    except (OSError, ValueError):
        return None
