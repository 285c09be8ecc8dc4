"""The answer to why: a sentence, and the lines of the file that it is about."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any


@dataclass(frozen=True)
class Line:
    """A line of a model file: its number, its text, and an instance by meaning.

    ``excludes``: False for a line that only defines what a line before it uses.
    """

    number: int
    text: str
    place: str = ""
    excludes: bool = True


@dataclass(frozen=True, repr=False)
class Why:
    """The answer: ``says`` in one sentence, and the lines that exclude, or the rule that is missing.

    ``kind``: ``excludes``, ``impossible`` (no solution at all), ``order`` (only this order is excluded), ``accepts``
    (what is no solution; ``rule`` is the sentence that no line says, ``step`` where), ``agrees`` or ``unknown``.
    ``step`` is the step, from 1, at which model and rules part; ``jumps`` the solution that was asked about.
    """

    kind: str
    says: str
    path: str = ""
    lines: tuple[Line, ...] = ()
    step: int | None = None
    rule: int | None = None
    jumps: tuple[str, ...] = ()

    def __str__(self) -> str:
        name = Path(self.path).name
        rows = [
            f"{name}:{line.number} `{_short(line.text)}`{f': at {line.place}' if line.place else ''}"
            for line in self.lines
            if line.excludes
        ]
        used = [f"  from {name}:{line.number} `{_short(line.text)}`" for line in self.lines if not line.excludes]
        return "\n".join([self.says, *rows, *used])

    def to_json(self) -> dict[str, Any]:
        """The answer for programs."""
        return asdict(self)

    def __repr__(self) -> str:
        return f"<Why: {self.kind}, lines {[line.number for line in self.lines]}>"


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= 100 else f"{line[:97]}..."
