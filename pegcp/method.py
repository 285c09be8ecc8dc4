"""A method: one way to answer problems, and which problems it takes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pegcp.game.problem import Problem
from pegcp.modelling.formulation import Run
from pegcp.result import Answer

Runner = Callable[[Problem, Run, Mapping[str, Any], str | None], Answer]


@dataclass(frozen=True)
class Method:
    """One way to answer problems.

    ``run(problem, run, options, backend)`` does the work; ``refuse(problem)`` gives a reason beyond goals and
    objectives why the method cannot take a problem, or None; ``backends`` names what can run it, the default first;
    ``options`` have defaults, and ``choices`` the values that some of them take.
    """

    name: str
    summary: str
    goals: frozenset[str]
    objectives: frozenset[str]
    run: Runner
    backends: tuple[str, ...] = ()
    options: Mapping[str, Any] = field(default_factory=dict)
    choices: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    refuse: Callable[[Problem], str | None] = lambda _: None
    path: Path | None = None

    def refusal(self, problem: Problem) -> str | None:
        """Why the method cannot take the problem, or None if it can."""
        if problem.goal.kind not in self.goals:
            return f"{self.name} takes goals of kind {_either(self.goals)}, not {problem.goal.kind}"
        if problem.objective not in self.objectives:
            return f"{self.name} takes objectives {_either(self.objectives)}, not {problem.objective}"
        return self.refuse(problem)


def _either(names: frozenset[str]) -> str:
    return " or ".join(sorted(names))
