"""The answer to why: a sentence, and the lines of the file that it is about."""

from dataclasses import asdict, dataclass
from pathlib import Path
from textwrap import shorten


@dataclass(frozen=True)
class Line:
    """A line of a model file: its number, its text, and an instance by meaning.

    ``excludes``: False for a line that only defines what a line before it uses.
    """

    number: int
    text: str
    place: str = ""
    excludes: bool = True


@dataclass(frozen=True)
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
        rows = [self.says]
        for line in self.lines:
            begin, end = ("", f": at {line.place}" if line.place else "") if line.excludes else ("  from ", "")
            rows.append(
                f"{begin}{Path(self.path).name}:{line.number} `{shorten(line.text, 100, placeholder='...')}`{end}"
            )
        return "\n".join(rows)

    def to_json(self) -> dict[str, object]:
        """The answer for programs."""
        return asdict(self)
