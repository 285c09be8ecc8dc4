"""The example of boards of one's own, and its six board files."""

from __future__ import annotations

import runpy
from pathlib import Path

import pytest

import pegcp

EXAMPLES = Path(__file__).parent.parent / "examples"

# kind: holes, jumps, symmetries
BOARDS = {
    "cube": (27, 54, 48),
    "square": (24, 54, 2),
    "diagonal": (16, 48, 8),
    "triangular": (13, 30, 12),
    "hexagonal": (16, 40, 4),
    "graph": (10, 60, 120),
    "lines": (7, 18, 12),
}


@pytest.mark.parametrize("kind", BOARDS)
def test_board_files(kind: str) -> None:
    board = pegcp.board(str(EXAMPLES / "boards" / f"{kind}.toml"))
    assert (len(board.holes), len(board.jumps), board.symmetries.order) == BOARDS[kind]


@pytest.mark.thorough
def test_the_example_solves_them_all(capsys: pytest.CaptureFixture[str]) -> None:
    main = runpy.run_path(str(EXAMPLES / "own_board.py"))["main"]
    main([])
    printed = capsys.readouterr().out
    assert printed.count("symmetries") == len(BOARDS)
    assert printed.count(": SOLVED") + printed.count(": OPTIMAL") == len(BOARDS)
    assert "The Petersen graph: 10 holes, 60 jumps, 120 symmetries" in printed
