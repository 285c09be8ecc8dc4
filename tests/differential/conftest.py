"""Adds to the summary of a test run how much was compared with brute force, over all workers."""

from __future__ import annotations

import pytest

from .campaign import summary


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    tallies: dict[str, list[str]] = {}
    for report in terminalreporter.getreports("passed") + terminalreporter.getreports("failed"):
        for kind, tally in getattr(report, "user_properties", []):
            if kind in ("in full", "cut short"):
                tallies.setdefault(kind, []).append(tally)
    for kind, found in tallies.items():
        terminalreporter.write_line(f"compared with brute force, {kind}: {summary(found)}")
