"""The model in bit vectors on every SMT solver: verdicts, directions, limits, exports."""

from __future__ import annotations

import time

import pytest
from asking import answer
from parts import need

import pegcp
from pegcp.catalogue.exporting import export
from pegcp.errors import InputError
from pegcp.method import Reason, Status
from pegcp.modelling.smt import Grid

SOLVERS = ("bitwuzla", "z3", "cvc5")


def setup_module() -> None:
    need(*SOLVERS)


def test_directions() -> None:
    """Four on the square lattice and six on the triangular one; a jump shifts its peg twice, wherever it begins."""
    for name, directions in (("english", 4), ("triangle15", 6), ("hexagon19", 6), ("line7", 2)):
        problem = pegcp.problem(name)
        grid = Grid(problem)
        assert len(grid.directions) == directions
        jumps = [
            (grid.bit[jump.from_] + shift, grid.bit[jump.from_] + 2 * shift) == (grid.bit[jump.over], grid.bit[jump.to])
            for shift, jumps_of in grid.directions.items()
            for jump in jumps_of.values()
        ]
        assert len(jumps) == len(problem.board.jumps)
        assert all(jumps)


@pytest.mark.thorough
@pytest.mark.parametrize("hole", ["c2", *(pytest.param(hole, marks=pytest.mark.slow) for hole in ("c3", "d3"))])
def test_english_reversals(hole: str) -> None:
    assert answer(pegcp.problem(f"english:{hole}"), "smt-sweep").status is Status.SOLVED


def test_a_graph_has_no_directions() -> None:
    result = answer(pegcp.problem("cycle6"), "smt-sweep")
    assert result.reason is Reason.UNSUPPORTED
    assert "a graph has no directions" in result.message


def test_a_board_without_jumps() -> None:
    assert answer(pegcp.problem("X"), "smt-sweep:horizon=3").status is Status.SOLVED
    assert answer(pegcp.problem("XX"), "smt-sweep").status is Status.INFEASIBLE


@pytest.mark.thorough
@pytest.mark.parametrize("solver", SOLVERS)
def test_time_limit(solver: str) -> None:
    began = time.monotonic()
    result = answer(pegcp.problem("wiegleb:e1"), f"smt-sweep:{solver}", 0.3)
    assert (result.status, result.reason) == (Status.UNKNOWN, Reason.TIME)
    assert time.monotonic() - began < 60


@pytest.mark.thorough
@pytest.mark.parametrize(("name", "steps", "solvable"), [("triangle15:a1->?", 24, True), ("fig5", 12, False)])
def test_the_exported_script_has_the_same_answer_elsewhere(name: str, steps: int, solvable: bool) -> None:
    """Read as a whole, its last commands too, by the other solvers."""
    import bitwuzla
    import z3

    text = export(pegcp.problem(name), f"smt-sweep:cvc5:horizon={steps}", "smt2")["model.smt2"]
    assert text.rstrip().splitlines()[-2] == "(check-sat)"
    solver = z3.Solver()
    solver.add(z3.parse_smt2_string(text))
    assert solver.check() == (z3.sat if solvable else z3.unsat)
    without_values = text[: text.index("(get-value")]
    parser = bitwuzla.Parser(bitwuzla.TermManager(), bitwuzla.Options())
    parser.parse(without_values, True, False)
    assert parser.bitwuzla().check_sat() == (bitwuzla.Result.SAT if solvable else bitwuzla.Result.UNSAT)


def test_other_formats() -> None:
    with pytest.raises(InputError, match="smt2"):
        export(pegcp.problem("english"), "smt-sweep", "cnf")
