"""What methods say that they take, and what they take."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from asking import answer
from click.testing import CliRunner

import pegcp
from pegcp.backends import planners
from pegcp.catalogue.choice import best_for, choose
from pegcp.cli.main import cli
from pegcp.errors import InputError
from pegcp.formats.pddl import export
from pegcp.game import Board, DeadEnd, Exact, Goal, Nearest, Objective, OnePeg, Partial, Position, Problem
from pegcp.library import lookup
from pegcp.method import Answer, Limits, Method, Reason, Run, Status
from pegcp.results.result import Result
from pegcp.running.road import run_task
from pegcp.running.task import make_task

GOALS: tuple[Goal, ...] = (Exact(0b10), OnePeg(), Partial(0b10), DeadEnd())


def goals(board: Board) -> list[Goal]:
    """One of each kind."""
    return [*GOALS, Nearest(0b10, (1,) * len(board.holes))]


def problems(board: Board) -> Iterator[Problem]:
    for goal, objective in product(goals(board), Objective):
        if objective is Objective.NEAREST and not isinstance(goal, Nearest):
            continue
        yield Problem(board, Position(board, 0b1101), goal, objective, f"{board.name} {goal} {objective}")


@pytest.mark.parametrize("planner", [*map(planners.method, planners.shipped().values())], ids=lambda one: one.name)
def test_planners_take_what_can_be_written_in_pddl(planner: Method) -> None:
    for problem in problems(pegcp.board("line4")):
        if problem.objective not in planner.objectives:
            continue
        if not planner.refusal(problem):
            assert export(problem)
        else:
            with pytest.raises(InputError):
                export(problem)


def test_what_planners_do_not_take_is_listed() -> None:
    shown = " ".join(CliRunner().invoke(cli, ["models", "fast-downward"]).stdout.split())
    assert "dead-end with fewest-pegs" in shown
    without = {("dead-end", "fewest-pegs"), ("dead-end", "fewest-steps")}
    without |= {(goal.kind, "nearest") for goal in GOALS}
    assert choose("fast-downward").method.without == without
    assert not choose("pyperplan").method.without  # it takes no fewest-moves at all


@pytest.mark.thorough
def test_long_hop_refuses_some_graphs_and_names_a_method_that_takes_the_goal() -> None:
    refused = pegcp.solve("cycle9", "long-hop")
    assert refused.reason is Reason.UNSUPPORTED
    assert "may land in" in refused.message
    assert "-m dfs" in refused.message
    problem = pegcp.problem("cycle9", objective="fewest-moves")
    assert pegcp.solve(problem, "long-hop").message.endswith("-m fewest-moves")
    assert "cycle9 objective" not in pegcp.solve(problem, "long-hop").message
    partial = pegcp.problem("cycle9", goal="1 *", objective="fewest-moves")
    assert pegcp.solve(partial, "long-hop").message.endswith("-m fewest-moves")
    stuck = pegcp.problem("cycle9", goal="dead end", objective="fewest-moves")
    assert "dead-end" in (refusal := pegcp.solve(stuck, "long-hop").message)
    assert refusal.endswith("-m fewest-moves")


@pytest.mark.thorough
def test_the_best_method_for_fewest_moves_takes_every_graph_and_goal() -> None:
    for start, goal in (("1 3 4", "2 *"), ("1 2 4", "dead end"), ("1 2 4", "one peg")):
        problem = pegcp.problem("cycle5", start=start, goal=goal, objective="fewest-moves")
        assert best_for(problem).text in ("fewest-moves", "certificate")
        assert answer(problem, best_for(problem).text).status in (Status.OPTIMAL, Status.INFEASIBLE)


def test_other_refusals_name_a_method_too() -> None:
    refused = pegcp.solve("triangle15:a1!", "moves")
    assert "dead-end" in refused.message
    assert refused.message.endswith("-m bfs")


PICKY = '''"""A model that takes small boards only."""
from ortools.sat.python.cp_model import CpModel
from pegcp.modelling import Formulation

GOALS = ("one-peg",)


def refuse(problem):
    {body}


def build(problem):
    return Formulation(CpModel(), lambda value: [])
'''


def test_a_model_file_may_refuse_problems(tmp_path: Path) -> None:
    path = tmp_path / "picky.py"
    path.write_text(PICKY.format(body='return "four holes at most" if len(problem.board.holes) > 4 else None'))
    refused = pegcp.solve("XXoXXX", str(path))
    assert (refused.status, refused.reason) == (Status.UNKNOWN, Reason.UNSUPPORTED)
    assert refused.message.startswith("four holes at most")
    assert refused.message.endswith("-m dfs")
    assert CliRunner().invoke(cli, ["solve", "XXoXXX", "-m", str(path)]).stdout.count("four holes at most") == 1
    assert pegcp.solve("XoXX", str(path)).reason is Reason.INVALID_SOLUTION  # it is no good otherwise


def test_a_model_file_that_stumbles_while_it_refuses_is_an_error_of_its_run(tmp_path: Path) -> None:
    path = tmp_path / "stumbling.py"
    path.write_text(PICKY.format(body="raise ZeroDivisionError('oh')"))
    assert not choose(str(path)).method.refusal(pegcp.problem("XoXX"), header_only=True)  # runs none of its code
    stumbled = pegcp.solve("XoXX", str(path))
    assert (stumbled.status, stumbled.reason) == (Status.UNKNOWN, Reason.ERROR)
    assert "ZeroDivisionError: oh" in stumbled.message


def test_an_answer_in_this_process_is_a_refusal_too() -> None:
    refused: Answer = choose("moves").run(pegcp.problem("triangle15:a1!"), Run())
    assert (refused.status, refused.reason) == (Status.UNKNOWN, Reason.UNSUPPORTED)


@pytest.mark.parametrize("method", ["moves", "dfs"])
def test_one_run_looks_once_at_the_problem_and_makes_one_result(method: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """With worker and host in one process, as in a browser, what both do is counted together."""
    calls: Counter[str] = Counter()

    def count(owner: object, name: str) -> None:
        function = getattr(owner, name)

        def counting(*arguments: Any, **named: Any) -> Any:
            calls[name] += 1
            return function(*arguments, **named)

        monkeypatch.setattr(owner, name, counting)

    monkeypatch.setattr("pegcp.machine.IN_BROWSER", True)
    problem = pegcp.problem("XoXX")
    for owner, name in ((lookup, "problem"), (Result, "__post_init__")):
        count(owner, name)
    assert pegcp.solve(problem, method).answered
    assert calls == {"problem": 1, "__post_init__": 1}
    calls.clear()
    assert run_task(make_task(problem, method, Limits()), method).answered  # as the command does
    assert calls == {"__post_init__": 1}
