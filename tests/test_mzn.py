"""Models in MiniZinc: verdicts, headers, limits, and exports that another program reads."""

from __future__ import annotations

from pathlib import Path

import pytest
from asking import answer
from parts import need

import pegcp
from pegcp import backends
from pegcp.catalogue.choice import choose
from pegcp.catalogue.exporting import export
from pegcp.catalogue.modelfile import file_method
from pegcp.errors import InputError, Missing
from pegcp.method import Reason, Status


def test_a_board_without_jumps() -> None:
    need("minizinc")
    assert answer(pegcp.problem("XX"), "mzn-rounds").status is Status.INFEASIBLE
    assert answer(pegcp.problem("XX"), "mzn-rounds:horizon=1").status is not Status.SOLVED


@pytest.mark.thorough
@pytest.mark.parametrize("hole", ["a1", "b3"])
def test_triangle15(hole: str) -> None:
    need("minizinc")
    assert answer(pegcp.problem(f"triangle15:{hole}->?"), "mzn-rounds").status is Status.SOLVED


@pytest.mark.thorough
@pytest.mark.parametrize(("name", "jumps"), [("triangle15:b3!", 4), ("english:d1!", 6)])
def test_a_dead_end_in_the_fewest_jumps(name: str, jumps: int) -> None:
    need("minizinc")
    result = answer(pegcp.problem(name), "mzn-fools")
    assert (result.status, result.objective) == (Status.OPTIMAL, jumps)


@pytest.mark.thorough
def test_time_limit() -> None:
    need("minizinc")
    result = answer(pegcp.problem("wiegleb:e1"), "mzn-rounds", 0.5)
    assert (result.status, result.reason) == (Status.UNKNOWN, Reason.TIME)


def test_the_model_is_exported_without_the_program(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(type(backends.backend("minizinc")), "version", lambda _: None)
    files = export(pegcp.problem("english"), "mzn-moves")
    assert files["model.mzn"].startswith("/*")
    assert "steps = 31;" in files["model.dzn"]
    with pytest.raises(Missing, match="apt install minizinc"):
        answer(pegcp.problem("XXo"), "mzn-rounds")


@pytest.mark.thorough
def test_what_has_no_solution_is_refuted_by_its_counts() -> None:
    need("minizinc")
    assert answer(pegcp.problem("fig5"), "mzn-rounds", 30).status is Status.INFEASIBLE


def test_your_own_file(tmp_path: Path) -> None:
    path = choose("mzn-rounds").method.path
    assert path is not None
    mine = tmp_path / "mine.mzn"
    text = path.read_text("utf-8")
    mine.write_text(text.replace('STEPS = "rounds"', 'STEPS = "2, most"'), encoding="utf-8")
    header = file_method(mine)
    assert (header.backends, header.summary) == (("minizinc",), choose("mzn-rounds").method.summary)
    slip = tmp_path / "slip.mzn"
    slip.write_text(text.replace("% STEPS", '% BACKENDS = ("mini-zinc",)\n% STEPS'), encoding="utf-8")
    with pytest.raises(InputError, match='did you mean "minizinc"'):
        file_method(slip)
    need("minizinc")
    faulty = tmp_path / "faulty.mzn"
    faulty.write_text(text.replace(" satisfy;", " satisfied;"), encoding="utf-8")
    result = answer(pegcp.problem("XXo"), str(faulty))
    assert (result.reason, "syntax error" in result.message) == (Reason.ERROR, True)
