"""The steps of plan files of any domain, such as ``(jump a b c)``, perhaps with times and durations."""

import re
from dataclasses import dataclass

from pegcp.errors import InputError, InvalidSolution, clipped
from pegcp.formats.pddl.syntax import Place

# "12: (jump a b c)", "0.001: (JUMP A B C) [1]", "(jump a b c) ; cost 1"
_STEP = re.compile(
    r"\s*(?:(?P<start>\d+(?:\.\d*)?)\s*:)?\s*\((?P<action>[^()]*)\)"
    r"\s*(?:\[\s*(?:D:)?\s*(?P<duration>\d+(?:\.\d*)?)?[^\]]*\]\)?)?\s*(?P<rest>.*)"
)


@dataclass(frozen=True)
class Step(Place):
    """An action of a plan with its objects (``names``); ``number`` counts the actions from 1.

    ``text`` is the action as written, without its brackets; ``start`` and ``end`` are None in a plan without times;
    ``holes`` are the objects as indices on a board.
    """

    number: int
    text: str
    action: str
    names: tuple[str, ...]
    start: float | None
    end: float | None
    holes: tuple[int, ...] = ()

    @property
    def is_jump(self) -> bool:
        """True for a jump, False for bookkeeping."""
        return self.action.startswith("jump")

    def fault(self, message: str) -> InputError:
        """An error with its place in the file."""
        return self.error(f"step {self.number}: {message}")

    def invalid(self, why: str) -> InvalidSolution:
        """An error about a plan that is wrong at this step."""
        return InvalidSolution(f"step {self.number} of the plan ({clipped(self.text, 80)}) {why}", step=self.number)


def written_steps(text: str, source: str) -> list[Step]:
    """Read the actions of a plan, one a line, with ``;`` comments; sorted by their start if all have times.

    Raises InputError, naming the step, for any other line.
    """
    steps: list[Step] = []
    for row, content in enumerate(text.split("\n"), start=1):
        line = content.partition(";")[0].strip()
        if not line:
            continue
        number, place = len(steps) + 1, (source, row, len(content) - len(content.lstrip()) + 1)
        match = _STEP.fullmatch(line)
        if match is None or match["rest"]:
            raise Place(*place).error(f'step {number}: "{clipped(line, 40)}" is not an action such as (jump d2 d3 d4)')
        words = match["action"].lower().split() or [""]
        start = float(match["start"]) if match["start"] else None
        end = start + float(match["duration"]) if start is not None and match["duration"] else None
        steps.append(Step(*place, number, " ".join(words), words[0], tuple(words[1:]), start, end))
    return steps if any(step.end is None for step in steps) else sorted(steps, key=lambda step: step.start or 0.0)
