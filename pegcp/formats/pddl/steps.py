"""The lines of a plan file, whatever its domain: ``(jump a b c)``, with times and durations where they have some."""

from __future__ import annotations

import re
from dataclasses import dataclass

from pegcp.errors import InputError

# "12: (jump a b c)", "0.001: (JUMP A B C) [1]", "(jump a b c) ; cost 1"
_STEP = re.compile(
    r"\s*(?:(?P<start>\d+(?:\.\d*)?)\s*:)?\s*\((?P<action>[^()]*)\)"
    r"\s*(?:\[\s*(?:D:)?\s*(?P<duration>\d+(?:\.\d*)?)?[^\]]*\]\)?)?\s*(?P<rest>.*)"
)


@dataclass(frozen=True)
class Written:
    """An action of a plan as it is written; ``number`` counts the actions from 1.

    ``start`` and ``end`` are its times; None in a plan without times.
    """

    number: int
    action: str
    names: tuple[str, ...]
    start: float | None
    end: float | None
    source: str
    line: int
    column: int

    @property
    def text(self) -> str:
        """The action and its objects."""
        return " ".join((self.action, *self.names))

    def fault(self, message: str) -> InputError:
        """An error that says where in the file."""
        told = f"step {self.number}: {message}"
        return InputError(told, source=self.source, line=self.line, column=self.column)


def written_steps(text: str, source: str) -> list[Written]:
    """The actions of a plan, one to a line, ``;`` comments; in the order in which they start, where all have times.

    Raises InputError, naming the step, for anything else.
    """
    steps: list[Written] = []
    for row, content in enumerate(text.split("\n"), start=1):
        line = content.partition(";")[0].strip()
        if not line:
            continue
        number = len(steps) + 1
        column = len(content) - len(content.lstrip()) + 1
        match = _STEP.fullmatch(line)
        if match is None or match["rest"]:
            told = f'step {number}: "{short(line)}" is not an action such as (jump d2 d3 d4)'
            raise InputError(told, source=source, line=row, column=column)
        action, *names = match["action"].lower().split() or [""]
        start = float(match["start"]) if match["start"] else None
        end = start + float(match["duration"]) if start is not None and match["duration"] else None
        steps.append(Written(number, action, tuple(names), start, end, source, row, column))
    return steps if any(step.end is None for step in steps) else sorted(steps, key=lambda step: step.start or 0.0)


def short(text: str) -> str:
    """A text that is cut where it is long, for messages."""
    return text if len(text) <= 40 else text[:37] + "..."
