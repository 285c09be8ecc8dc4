"""Asking one method, and typing one command, in this process: a process of its own takes half a second to start."""

from __future__ import annotations

import doctest
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from unittest.mock import patch

import pytest
from click.testing import CliRunner

from pegcp import library
from pegcp.catalogue.choice import choose
from pegcp.cli.main import main
from pegcp.game import Board, Problem
from pegcp.method import Limits, Run
from pegcp.results.judge import judge_answer
from pegcp.results.result import Result
from pegcp.states.levels import Level


def answer(problem: Problem, method: str, seconds: float = 100, seed: int = 0) -> Result:
    """The checked result of a method with one thread."""
    return judge_answer(problem, method, choose(method).run(problem, Run(Limits(time=seconds, workers=1, seed=seed))))


def said(
    *arguments: str | Path, stdin: str | bytes | None = None, columns: int | None = None
) -> tuple[str, str, str, int]:
    """What a command prints, its errors, both as they came, and its exit status."""
    width = None if columns is None else str(columns)
    with (
        CliRunner().isolation(stdin, env={"COLUMNS": width}) as streams,
        patch.object(sys, "argv", ["pegcp", *map(str, arguments)]),
    ):
        with pytest.raises(SystemExit) as ended:
            main()
        sys.stdout.flush()
        out, err, both = (stream.getvalue().decode() for stream in streams)
    assert isinstance(ended.value.code, int)
    return out, err, both, ended.value.code


def typed(*arguments: str | Path, stdin: str | bytes | None = None, status: int = 0) -> str:
    """What a command prints, errors included, after looking at its exit status."""
    _, _, text, ended = said(*arguments, stdin=stdin, columns=150)
    assert ended == status, text
    return text


def run_examples(module: ModuleType, are_wanted: Callable[[str], bool]) -> None:
    """Run the examples of the docstrings that are wanted, of which there are some."""
    runner, wanted = doctest.DocTestRunner(), [t for t in doctest.DocTestFinder().find(module) if t.examples]
    wanted = [test for test in wanted if are_wanted(test.docstring or "")]
    assert wanted
    assert sum(runner.run(test).failed for test in wanted) == 0


def boards() -> list[Board]:
    """All bundled boards, and one member of each family."""
    return [library.board(name) for name in (*library.board_names(), *(family.example for family in library.FAMILIES))]


def masks(level: Level) -> list[int]:
    """The positions of a level as bit masks."""
    return list(map(int, level))
