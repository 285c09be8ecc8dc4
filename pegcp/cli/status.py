"""Exit statuses: what a command tells the shell."""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntEnum
from typing import TYPE_CHECKING

from pegcp.method import Reason

if TYPE_CHECKING:
    from pegcp.result import Result


class Exit(IntEnum):
    """Answered (a proof that there is no solution is an answer), or why not."""

    ANSWERED = 0
    BAD_INPUT = 2
    NO_ANSWER = 3
    WRONG_ANSWER = 4
    INTERRUPTED = 130


_OTHERS = {
    Reason.INVALID_SOLUTION: Exit.WRONG_ANSWER,
    Reason.UNSUPPORTED: Exit.BAD_INPUT,
    Reason.MISSING: Exit.BAD_INPUT,
    Reason.INTERRUPTED: Exit.INTERRUPTED,
}


def of_result(result: Result) -> Exit:
    """The exit status that a result stands for."""
    return Exit.ANSWERED if result.answered else _OTHERS.get(result.reason, Exit.NO_ANSWER)


def of_comparison(results: Sequence[Result]) -> Exit:
    """Answered if something was and nothing disagrees."""
    from pegcp.comparison.agreement import disagreements

    if disagreements(results):
        return Exit.WRONG_ANSWER
    return Exit.ANSWERED if any(result.answered for result in results) else Exit.NO_ANSWER
