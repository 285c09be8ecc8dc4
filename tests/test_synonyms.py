"""Names of solvers and languages where a method is asked for."""

from __future__ import annotations

import re

import pytest

from pegcp.backends import BACKENDS
from pegcp.catalogue.choice import choose
from pegcp.catalogue.methods import bundled
from pegcp.errors import InputError
from pegcp.habits import SOLVERS


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("cp-sat", "cp-sat is a backend of .*moves.*; type: -m rounds;"),
        ("CPSAT", "cpsat is cp-sat, a backend of "),
        ("sat", '"sat": sat-fools, sat-moves, sat-parallel, sat-rounds; type: -m sat-rounds;'),
        ("clingo", "clingo is a backend of asp-fools, asp-rounds; type: -m asp-rounds;"),
        ("z3", "z3 is a backend of smt-sweep; type: -m smt-sweep:z3;"),
        ("mip", "ip1, .*; type: -m ip-rounds;"),
        ("fd", "type: -m fast-downward;"),
        ("kissat", "type: -m 'sat-rounds:command=kissat {cnf}';"),
        ("movs", 'did you mean "moves"'),
        ("nonsense", '"nonsense"; "pegcp models" lists all'),
    ],
)
def test_what_a_name_stands_for(name: str, words: str) -> None:
    with pytest.raises(InputError, match=words) as error:
        choose(name)
    assert "ip-state" not in error.value.message or name == "mip"


@pytest.mark.parametrize("name", [*BACKENDS, *" ".join(SOLVERS.values()).split()])
def test_what_is_to_be_typed_is_a_method(name: str) -> None:
    """A name that is a method itself, such as that of a planner, needs no explanation."""
    if name in bundled():
        return
    with pytest.raises(InputError) as error:
        choose(name)
    typed = re.search(r"type: -m ('?)(.+?)\1; \"pegcp", error.value.message)
    assert typed is not None, error.value.message
    choose(typed[2])
