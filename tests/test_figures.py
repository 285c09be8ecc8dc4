"""The figures on the pages are those of docs/figures.json."""

from __future__ import annotations

import json
import re
import runpy
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parent.parent
PAGE = "A game takes <!--fig:game-->0.16<!--/--> s. <!--fig:machine-->Measured here.<!--/-->"
KEPT = {"machine": "Measured here.", "figures": {"game": {"text": "0.16"}}}


@pytest.fixture(scope="module")
def figures() -> dict[str, Any]:
    return runpy.run_path(str(ROOT / "examples" / "figures.py"))


def test_every_page_agrees_with_the_file_of_figures(
    figures: dict[str, Any], capsys: pytest.CaptureFixture[str]
) -> None:
    assert figures["main"](["--check"]) == 0, capsys.readouterr().out


def test_no_line_begins_with_a_marker_which_would_be_a_block_of_html(figures: dict[str, Any]) -> None:
    assert [
        page for page in figures["pages"]() if re.search(r"^ *<!--fig", page.read_text("utf-8"), re.MULTILINE)
    ] == []


def test_a_digit_that_is_changed_on_a_page_is_named(figures: dict[str, Any]) -> None:
    assert figures["disagreements"](KEPT, PAGE) == []
    [line] = figures["disagreements"](KEPT, PAGE.replace("0.16", "0.17"))
    assert "game is 0.17" in line


def test_a_figure_that_nobody_took_is_named(figures: dict[str, Any]) -> None:
    [line] = figures["disagreements"](KEPT, "It takes <!--fig:other-->1.2<!--/--> s.")
    assert "other" in line


def test_figures_are_put_between_their_markers(figures: dict[str, Any]) -> None:
    assert figures["put"](KEPT, PAGE.replace("0.16", "?")) == PAGE


def test_every_figure_of_the_file_has_a_command_of_today(figures: dict[str, Any]) -> None:
    commands = {name: "; ".join(task.commands) for task in figures["tasks"]() for name in task.figures}
    kept = json.loads((ROOT / "docs" / "figures.json").read_text(encoding="utf-8"))["figures"]
    assert {name: figure["command"] for name, figure in kept.items()} == commands


@pytest.mark.parametrize(("seconds", "text"), [(0.0021, "0.01"), (0.158, "0.16"), (0.996, "1.0"), (9.97, "10")])
def test_a_figure_has_two_digits(seconds: float, text: str, figures: dict[str, Any]) -> None:
    assert figures["write_number"](seconds) == text


def test_no_page_but_references_is_longer_than_a_reader_finishes() -> None:
    references = {"glossary.md"}
    folders = ("*.md", "docs/*.md", "docs/teaching/*.md", "models/*.md", "examples/*.md", "formal/*.md")
    texts = {page: page.read_text("utf-8") for folder in folders for page in ROOT.glob(folder)}
    lengths = {page: len(re.sub("<!--.*?-->", "", text, flags=re.DOTALL).split()) for page, text in texts.items()}
    assert {page.name: n for page, n in lengths.items() if n > 1500 and page.name not in references} == {}
