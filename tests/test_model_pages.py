"""What pages say of models, computed: lines of files, sizes of formulas; and variables by their names in the paper."""

from __future__ import annotations

import ast
import re
from dataclasses import replace
from pathlib import Path

import pytest
from asking import answer
from click.testing import CliRunner
from parts import need

import pegcp
from pegcp import backends
from pegcp.backends.interface import HorizonLoop
from pegcp.catalogue.choice import choose
from pegcp.cli.main import cli
from pegcp.errors import InputError
from pegcp.game import Partial
from pegcp.method import Answer, Limits, Run, Status

ROOT = Path(__file__).parent.parent
OPENINGS = {".lp": r"%\*.*?\*%", ".mzn": r"/\*.*?\*/", ".pddl": r"(?:;.*\n)*"}


def lines_of_code(file: Path) -> int:
    """The lines without the opening comment and blank lines."""
    text = file.read_text(encoding="utf-8")
    if file.suffix == ".py":
        opening = ast.parse(text).body[0]
        text = "\n".join(text.splitlines()[opening.end_lineno or 0 :])
    else:
        text = re.sub(rf"\A\s*{OPENINGS[file.suffix]}", "", text, flags=re.DOTALL if file.suffix != ".pddl" else 0)
    return sum(bool(line.strip()) for line in text.splitlines())


def test_languages_have_the_lines_that_their_page_says() -> None:
    page = (ROOT / "docs" / "languages.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| [^|]+ \| \[?`([\w.-]+)`[^|]*\| (\d+) \|", page, re.MULTILINE)
    assert len(rows) == 12
    files = {
        path.stem.replace("_", "-"): path for path in (ROOT / "models").iterdir() if path.suffix in {".py", *OPENINGS}
    }
    measured = {name: lines_of_code(files[name.removesuffix(".pddl")]) for name, _ in rows}
    assert measured == {name: int(number) for name, number in rows}


@pytest.mark.parametrize(
    ("method", "name"),
    [("sat-rounds:horizon=6", "english"), ("sat-parallel:horizon=14", "english"), ("sat-moves", "english"),
     ("sat-fools:horizon=9", "english:c1!")],
)  # fmt: skip
def test_formulas_have_the_sizes_that_their_page_says(method: str, name: str) -> None:
    need("cadical")
    page = (ROOT / "models" / "SAT.md").read_text(encoding="utf-8")
    row = re.search(rf"^\| \[`{method.partition(':')[0]}`.*\| ([\d,]+) and ([\d,]+) with", page, re.MULTILINE)
    assert row is not None
    header = re.search(r"^p cnf (\d+) (\d+)$", pegcp.export(name, method)["model.cnf"], re.MULTILINE)
    assert header is not None
    assert [number.replace(",", "") for number in row.groups()] == list(header.groups())


def test_the_model_of_the_literature_has_its_variables() -> None:
    built = pegcp.model("english", "moves")
    assert [variable.name for variable in built.moves] == [f"moves_t{t:02}" for t in range(31)]
    assert "moves_t00" in pegcp.export("english", "moves")["model.textproto"]
    dead_end = pegcp.model("english:d4!", "fools:horizon=6")
    assert [variable.name for variable in dead_end.moves] == [f"moves_t{t:02}" for t in range(7)]


@pytest.mark.parametrize(("name", "jumps"), [("triangle10:a2!", 4), ("XoXX", 2)])
def test_moves_have_the_numbers_of_the_jumps_and_a_last_value(name: str, jumps: int) -> None:
    from ortools.sat.python.cp_model import CpSolver

    problem = pegcp.problem(name)
    built = pegcp.model(problem, f"fools:horizon={jumps}" if name.endswith("!") else "moves")
    solver = CpSolver()
    assert solver.status_name(solver.solve(built.native)) in ("OPTIMAL", "FEASIBLE")
    numbers = [solver.value(variable) for variable in built.moves]
    played = [problem.board.jumps[number] for number in numbers if number < len(problem.board.jumps)]
    assert played == built.jumps(solver)
    assert len(played) == jumps
    assert numbers[jumps:] == [len(problem.board.jumps)] * (len(numbers) - jumps)
    assert pegcp.check(problem, played)


def test_a_step_after_the_goal_is_idle_in_moves() -> None:
    from ortools.sat.python.cp_model import CpSolver

    line = pegcp.problem("XXoXX")
    problem = replace(line, goal=Partial(pegs=1 << 2))  # c1, full after one jump
    built = pegcp.model(problem, "moves")
    assert len(built.moves) == problem.lengths[-1] > 1
    built.native.add(built.moves[1] == len(problem.board.jumps))  # idle from the second step on
    solver = CpSolver()
    assert solver.status_name(solver.solve(built.native)) in ("OPTIMAL", "FEASIBLE")
    assert [solver.value(variable) for variable in built.moves[1:]] == [len(problem.board.jumps)] * (
        len(built.moves) - 1
    )
    assert len(built.jumps(solver) or ()) == 1


def test_minizinc_hands_out_the_moves_that_a_file_declares() -> None:
    assert list(pegcp.model("XoXX", "mzn-moves").moves) == ["moves[1]", "moves[2]"]
    assert not pegcp.model("XoXX", "mzn-rounds").moves


@pytest.mark.parametrize("solver", ["highs", "scip", "cp-sat-mathopt"])
def test_every_parameter_that_an_integer_program_takes_works(solver: str) -> None:
    backend = backends.backend(solver)
    for parameter in backend.words:  # type: ignore[attr-defined]
        for value in backend._values(parameter):  # type: ignore[attr-defined]
            result = answer(pegcp.problem("XoXX"), f"ip1:{solver}:{solver}.{parameter}={value}")
            assert result.status is Status.SOLVED, (parameter, value, result.message)
    with pytest.raises(InputError, match="parameters: "):
        choose(f"ip1:{solver}:{solver}.lp_algorithm=barrier")


@pytest.mark.parametrize("method", ["rounds", "sat-rounds"])
def test_from_the_bottom_every_smaller_number_of_rounds_is_refuted(
    method: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    need("cadical")
    monkeypatch.setattr("pegcp.backends.interface.FIRST_TURN", 1e-9)  # a turn in which nothing is refuted
    statistics = answer(pegcp.problem("english"), f"{method}:bottom=on").statistics
    assert statistics["horizon"] == 6
    assert statistics["refuted_horizons"] == [1, 2, 3, 4, 5]


@pytest.mark.parametrize("method", ["parallel", "rounds:bottom=on", "sat-rounds:bottom=on"])
def test_the_model_of_a_refuted_horizon_is_dropped(method: str, monkeypatch: pytest.MonkeyPatch) -> None:
    need("cadical")
    kept: list[set[int]] = []
    answered = HorizonLoop.answer

    def answer_and_look(self: HorizonLoop) -> Answer:
        result = answered(self)
        kept.append({horizon for horizon in self._states if horizon is not None})
        return result

    monkeypatch.setattr(HorizonLoop, "answer", answer_and_look)
    problem = pegcp.problem("triangle10:a2->b2", objective="fewest-steps" if method == "parallel" else None)
    refuted = choose(method).run(problem, Run(Limits(time=60, workers=1))).statistics["refuted_horizons"]
    assert refuted
    assert not kept[0].intersection(refuted)


@pytest.mark.parametrize("method", ["moves", "asp-rounds", "mzn-moves"])
def test_what_models_writes_to_a_file_is_a_model(method: str, tmp_path: Path) -> None:
    file = choose(method).method.path
    assert file is not None
    shown = CliRunner().invoke(cli, ["models", method])
    assert shown.stdout.encode() == file.read_bytes()
    assert "goals" in shown.stderr
    copy = tmp_path / f"my{file.suffix}"
    copy.write_text(shown.stdout, encoding="utf-8")
    need(choose(method).method.backends[0])
    assert answer(pegcp.problem("XXo"), str(copy)).status is Status.SOLVED
