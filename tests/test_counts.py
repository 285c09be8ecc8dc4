"""How much work answers take, in counts that are the same on every machine: a test of speed without a clock.

Searches are pegcp's own, with one thread and one seed, and so are the formulas: their counts are exact. Solvers change
from version to version: theirs may double. Who makes a method quicker, or slower for a good reason, changes the counts.
"""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from asking import answer
from parts import need

import pegcp

EXACT: dict[tuple[str, str, str | None], Mapping[str, int]] = {
    ("english:d4!", "bfs", None): {"nodes": 941, "largest_level": 719},
    ("triangle15:a1!", "bfs", None): {"nodes": 504, "largest_level": 268},
    ("triangle15:a1->?", "dfs", None): {"nodes": 92, "stored": 79},
    ("english", "dfs", None): {"nodes": 8992, "stored": 8961},
    ("square4:b2!", "bfs", None): {"nodes": 678, "largest_level": 226},
    ("english", "beam", None): {"nodes": 6438},
    ("cross1", "dfs", None): {"nodes": 14507, "stored": 14482},
}
SIZES: dict[tuple[str, str, str | None], Mapping[str, int]] = {
    ("triangle15:a1!", "sat-fools", None): {"variables": 538, "constraints": 3995, "literals": 9329},
    ("english:d1!", "sat-fools", None): {"variables": 1144, "constraints": 15929, "literals": 34699},
    ("triangle15:a1->?", "rounds", None): {"variables": 879, "constraints": 2170, "literals": 11814},
    ("triangle15:b3!", "fools", None): {"variables": 265, "constraints": 814, "literals": 4390},
    ("triangle10:a2->?", "parallel", "fewest-steps"): {"variables": 178, "constraints": 423, "literals": 2296},
}
CONFLICTS = {"triangle15:a1!": 447, "english:d1!": 220, "triangle15:a1->?": 303, "triangle15:b3!": 15}


def counts(name: str, method: str, objective: str | None) -> Mapping[str, int]:
    if method.startswith("sat-"):
        need("cadical")
    result = answer(pegcp.problem(name, objective=objective), method)
    assert result.answered
    return result.statistics


@pytest.mark.parametrize(("asked", "expected"), EXACT.items(), ids=lambda value: "-".join(map(str, value)))
def test_searches_look_at_as_many_positions_as_ever(
    asked: tuple[str, str, str | None], expected: Mapping[str, int]
) -> None:
    statistics = counts(*asked)
    assert {key: statistics[key] for key in expected} == expected


@pytest.mark.parametrize(("asked", "expected"), SIZES.items(), ids=lambda value: "-".join(map(str, value)))
def test_models_are_as_large_as_ever_and_solvers_search_no_longer(
    asked: tuple[str, str, str | None], expected: Mapping[str, int]
) -> None:
    statistics = counts(*asked)
    assert {key: statistics[key] for key in expected} == expected
    assert statistics["conflicts"] <= 2 * CONFLICTS.get(asked[0], 95) + 100
