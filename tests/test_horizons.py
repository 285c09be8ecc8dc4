"""What is concluded from attempts at horizons: no bound and no optimum before every smaller horizon is refuted."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import accumulate
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from ortools.math_opt.python import mathopt
from ortools.sat.python import cp_model
from test_levels import exhausted

import pegcp
from pegcp.backends import cpsat
from pegcp.backends.horizons import Horizon, Horizons, approach, solve
from pegcp.catalogue.choice import choose
from pegcp.errors import InputError
from pegcp.game import Jump, Objective, Partial, Problem
from pegcp.method import Answer, Limits, Reason, Run, Status
from pegcp.results.judge import judge_answer
from pegcp.theory.equations import Equations, JumpCounts

FOOLS = "triangle15:a1!"  # 6 jumps
STOPPED = Answer(Status.UNKNOWN, Reason.TIME)
REFUTED = Answer(Status.INFEASIBLE)
FOUND = Answer(Status.SOLVED, jumps=(Jump(0, 1, 2),))


@dataclass(frozen=True)
class Timed(Run):
    """A run whose time is only what the fake solver takes."""

    taken: list[float] = field(default_factory=list)

    @property
    def remaining(self) -> float:
        return max(0.0, self.limits.time - sum(self.taken))


@dataclass(frozen=True)
class Until(Run):
    """A run whose time is over as soon as something has happened, however slow the machine is."""

    over: Callable[[], bool] = lambda: False

    @property
    def remaining(self) -> float:
        return 0.0 if self.over() else 60.0


class Fake:
    """A solver that stops without an answer the given number of times at each horizon, and then tells the truth."""

    def __init__(self, run: Timed, solvable: set[int], stops: Mapping[int, int], seconds: float = 1.0) -> None:
        self.run, self.solvable, self.stops, self.seconds = run, solvable, dict(stops), seconds
        self.attempts: list[int] = []

    def __call__(self, horizon: Horizon, seconds: float) -> Answer:
        assert horizon is not None
        assert 0 < seconds <= self.run.remaining
        self.attempts.append(horizon)
        self.run.taken.append(min(seconds, self.seconds))
        if self.stops.get(horizon, 0) > 0:
            self.stops[horizon] -= 1
            return STOPPED
        return FOUND if horizon in self.solvable else REFUTED


def test_a_horizon_that_is_not_refuted_is_tried_again_and_never_the_next_one() -> None:
    run = Timed(Limits(time=100))
    fake = Fake(run, {6, 7}, {6: 3})
    answer = solve(Horizons(range(5, 9), measured=True), fake, run)
    assert (answer.status, answer.bound) == (Status.OPTIMAL, 6)
    assert fake.attempts == [5, 6, 6, 6, 6]


def test_the_bound_stays_when_the_time_is_over() -> None:
    run = Timed(Limits(time=4))
    fake = Fake(run, {7}, {6: 100})
    answer = solve(Horizons(range(5, 9), measured=True), fake, run)
    assert (answer.status, answer.reason, answer.bound) == (Status.UNKNOWN, Reason.TIME, 6)
    assert fake.attempts == [5, 6, 6, 6]


def test_other_horizons_take_turns_twice_as_long_each_time() -> None:
    run = Timed(Limits(time=70))
    fake = Fake(run, {30}, {10: 99, 20: 99, 30: 99}, seconds=1000)
    answer = solve(Horizons((10, 20, 30)), fake, run, first_turn=5)
    assert (answer.status, answer.reason, answer.bound) == (Status.UNKNOWN, Reason.TIME, None)
    assert fake.attempts == [10, 10, 20, 10, 20, 30]
    assert run.taken == [5, 10, 10, 20, 20, 5]


def test_a_refuted_horizon_has_no_more_turns() -> None:
    run = Timed(Limits(time=1000))
    fake = Fake(run, {20}, {20: 2, 30: 99}, seconds=1)
    answer = solve(Horizons((10, 20, 30)), fake, run, first_turn=5)
    assert (answer.status, answer.bound) == (Status.SOLVED, None)
    assert fake.attempts == [10, 20, 30, 20, 30, 20]


def test_an_error_ends_the_run_with_the_bound() -> None:
    run = Timed(Limits(time=100))
    broken = Answer(Status.UNKNOWN, Reason.ERROR, message="broken")
    answer = solve(Horizons((3, 4), measured=True), lambda horizon, _: REFUTED if horizon == 3 else broken, run)
    assert (answer.status, answer.reason, answer.bound, answer.message) == (Status.UNKNOWN, Reason.ERROR, 4, "broken")


def test_a_horizon_that_the_solver_gave_up_is_not_tried_again() -> None:
    tried: list[Horizon] = []

    def attempt(horizon: Horizon, _: float) -> Answer:
        tried.append(horizon)
        return REFUTED if horizon == 20 else Answer(Status.UNKNOWN, Reason.TIME, message=f"gave up {horizon}")

    answer = solve(Horizons((10, 20, 30)), attempt, Run(), first_turn=5)
    assert (answer.status, answer.reason, answer.message) == (Status.UNKNOWN, Reason.TIME, "gave up 30")
    assert tried == [10, 20, 30]


@pytest.mark.parametrize("horizons", [(2, 1), (1, 1), (1, 3, 2), (None, None)])
def test_horizons_that_do_not_rise_are_an_error(horizons: tuple[Horizon, ...]) -> None:
    with pytest.raises(InputError, match="must rise"):
        Horizons(horizons)


@given(st.permutations(range(6)), st.integers(0, 5), st.integers(0, 6))
def test_refuted_in_any_order_the_bound_is_the_first_open_horizon(order: list[int], many: int, solved: int) -> None:
    book = Horizons(range(6), measured=True)
    for horizon in order[:many]:
        book.open.remove(horizon)
    left = sorted(order[many:])
    assert book.bound == left[0]
    if solved in left:
        answer = book.conclude_solution(solved, FOUND)
        assert answer.bound == left[0]
        assert (answer.status is Status.OPTIMAL) == (solved == left[0])


rising = st.lists(st.integers(1, 4), min_size=1, max_size=8).map(lambda steps: list(accumulate(steps)))


@given(st.data(), rising, st.booleans(), st.booleans(), st.floats(1, 60), st.floats(0.25, 20))
def test_whatever_the_solver_does_the_conclusion_is_true(
    data: st.DataObject, horizons: list[int], measured: bool, complete: bool, limit: float, seconds: float
) -> None:
    tried = horizons if complete else horizons[-1:]
    solvable = data.draw(st.sets(st.sampled_from(horizons)))
    stops = data.draw(st.dictionaries(st.sampled_from(horizons), st.integers(0, 9)))
    run = Timed(Limits(time=limit))
    fake = Fake(run, solvable, stops, seconds)
    answer = solve(Horizons(tried, measured=measured, complete=complete), fake, run, first_turn=5)
    best = min(solvable, default=None)
    if answer.status in (Status.SOLVED, Status.OPTIMAL):
        assert fake.attempts[-1] in solvable
    if answer.status is Status.OPTIMAL:
        assert measured
        assert complete
        assert fake.attempts[-1] == best == answer.bound
    if measured and answer.status is Status.SOLVED:
        assert not complete
    if answer.status is Status.INFEASIBLE:
        assert complete
        assert best is None
    if answer.bound is not None:
        assert measured
        assert complete
        assert best is None or answer.bound <= best
    if answer.status is Status.UNKNOWN and answer.reason is Reason.TIME:
        assert run.remaining == 0
    if measured:
        assert fake.attempts == sorted(fake.attempts)


@given(st.lists(st.sampled_from([None, 2, 3, 5]), max_size=6), st.integers(5, 9))
def test_bounds_that_the_solver_proves_of_the_only_model_are_kept(bounds: list[int | None], value: int) -> None:
    run = Timed(Limits(time=len(bounds)))
    told = iter(bounds)

    def attempt(_: Horizon, __: float) -> Answer:
        run.taken.append(1.0)
        return replace(STOPPED, bound=next(told))

    answer = solve(Horizons([None]), attempt, run)
    assert answer.bound == max((bound for bound in bounds if bound is not None), default=None)
    # Of one horizon among several it proves nothing.
    found = Horizons((3, 4)).conclude_solution(3, Answer(Status.OPTIMAL, jumps=(), objective=value, bound=value))
    assert (found.status, found.bound) == (Status.SOLVED, None)


@pytest.mark.parametrize(
    ("end", "reason"), [(Reason.ERROR, Reason.COMPLETED), (Reason.TIME, Reason.TIME), (Reason.MEMORY, Reason.MEMORY)]
)
def test_a_solution_outlives_what_ends_the_search_for_a_nearer_one(end: Reason, reason: Reason) -> None:
    problem = pegcp.problem("XXoXXo", objective="fewest-pegs")
    jump = next(jump for jump in problem.board.jumps if jump.is_legal(problem.start.mask))
    answers = iter((Answer(Status.OPTIMAL, jumps=(jump,)), Answer(Status.UNKNOWN, end, message="it ended")))
    answer = approach(problem, Horizons([1, 2]), lambda *_: next(answers), Run())
    assert (answer.status, answer.reason, answer.message) == (Status.SOLVED, reason, "it ended")
    assert judge_answer(problem, "m", answer).status is Status.SOLVED


# The backends ---------------------------------------------------------------------------------------------------------


def told(method: str, problem: Problem, over: Callable[[], bool] = lambda: False) -> tuple[Answer, list[int]]:
    """The answer of a run that may be over, and the bounds reported on the way, which count if it is killed."""
    bounds: list[int] = []

    def report(progress: Mapping[str, Any]) -> None:
        if progress.get("bound") is not None:
            bounds.append(progress["bound"])

    answer = choose(method).run(problem, Until(Limits(time=60, workers=1), report=report, over=over))
    result = judge_answer(problem, method, answer)
    assert result.status is answer.status, result.message
    return answer, bounds


def cpsat_stops_at(
    monkeypatch: pytest.MonkeyPatch, horizon: int, times: float, status: Any = cp_model.UNKNOWN
) -> list[int]:
    """Let CP-SAT stop without an answer that many times at a horizon; the horizons of its attempts."""
    attempts: list[int] = []
    original = cp_model.CpSolver.solve

    def solve(self: cp_model.CpSolver, model: cp_model.CpModel, callback: Any = None) -> Any:
        here = horizon_of(model)
        attempts.append(here)
        if here != horizon or attempts.count(here) > times:
            return original(self, model, callback)
        original(self, cp_model.CpModel())
        return status

    monkeypatch.setattr(cp_model.CpSolver, "solve", solve)
    monkeypatch.setattr(Equations, "fewest_jumps", lambda *_: 5)  # one less than the optimum
    return attempts


def horizon_of(model: cp_model.CpModel) -> int:
    """The last step of the model; in `fools-counts`, the sum of the counts."""
    named = [v.name.partition("_t") for v in model.proto.variables]
    steps = [int(about[:2]) for name, _, about in named if name in ("peg", "bState")]
    return max(steps) if steps else max(v.domain[1] for v in model.proto.variables)


def _is_tried(attempts: list[int], horizon: int) -> bool:
    return attempts.count(horizon) > 3


MEASURED = [
    ("fools", "triangle10:a1!", "", 6),
    ("fools-counts", "triangle10:a1!", "", 6),
    pytest.param("long-hop", "triangle10:a2->?", "fewest-moves", 5, marks=pytest.mark.slow),
]


@pytest.mark.thorough
@pytest.mark.parametrize(("method", "name", "objective", "optimum"), MEASURED)
def test_no_bound_beyond_a_horizon_that_cp_sat_leaves_open(
    monkeypatch: pytest.MonkeyPatch, method: str, name: str, objective: str, optimum: int
) -> None:
    problem = pegcp.problem(name, objective=objective or None)
    assert told(method, problem)[0].bound == optimum
    for horizon in (optimum, optimum - 1):
        with monkeypatch.context() as patch:
            attempts = cpsat_stops_at(patch, horizon, float("inf"))
            is_over = partial(_is_tried, attempts, horizon)
            answer, bounds = told(method, problem, is_over)
            assert (answer.status, answer.reason, answer.bound) == (Status.UNKNOWN, Reason.TIME, horizon)
            assert max(bounds) == horizon
            assert max(attempts) == horizon
        with monkeypatch.context() as patch:
            attempts = cpsat_stops_at(patch, horizon, 2)
            answer, bounds = told(method, problem)
            assert (answer.status, answer.bound, max(bounds)) == (Status.OPTIMAL, optimum, optimum)
            assert attempts.count(horizon) == 3


def test_jump_counts_begin_at_what_the_relaxation_allows() -> None:
    answer, bounds = told("fools-counts", pegcp.problem(FOOLS))
    assert (answer.status, answer.bound, set(bounds)) == (Status.OPTIMAL, 6, {6})


def test_a_relaxation_that_is_stopped_before_all_its_solutions_were_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    attempts = cpsat_stops_at(monkeypatch, 5, float("inf"), cp_model.FEASIBLE)
    answer, bounds = told("fools-counts", pegcp.problem(FOOLS), lambda: attempts.count(5) > 3)
    assert (answer.status, answer.reason, answer.bound) == (Status.UNKNOWN, Reason.TIME, 5)
    assert max(bounds) == 5
    assert max(attempts) == 5


@pytest.mark.parametrize("method", ["parallel", "rounds"])
def test_no_denial_while_a_horizon_is_open(monkeypatch: pytest.MonkeyPatch, method: str) -> None:
    problem = pegcp.problem("XXXoXXoX")
    original = cp_model.CpSolver.solve
    sizes: list[int] = []

    def solve(self: cp_model.CpSolver, model: cp_model.CpModel, callback: Any = None) -> Any:
        sizes.append(len(model.proto.variables))
        if sizes[-1] == max(sizes):  # the largest horizon so far is never refuted
            original(self, cp_model.CpModel())
            return cp_model.UNKNOWN
        return original(self, model, callback)

    monkeypatch.setattr(cp_model.CpSolver, "solve", solve)
    monkeypatch.setattr("pegcp.backends.interface.FIRST_TURN", 0.01)
    answer, bounds = told(f"{method}:pagoda=off", problem, lambda: len(sizes) > 12)
    assert (answer.status, answer.reason, answer.bound) == (Status.UNKNOWN, Reason.TIME, None)
    assert not bounds


def mathopt_stops_at(monkeypatch: pytest.MonkeyPatch, horizon: int, times: float) -> list[int]:
    attempts: list[int] = []
    original = mathopt.solve

    def solve(model: mathopt.Model, *about: Any, **more: Any) -> Any:
        here = 1 + max((int(v.name[2:4]) for v in model.variables() if v.name.startswith("M_")), default=-1)
        attempts.append(here)
        if here != horizon or attempts.count(here) > times:
            return original(model, *about, **more)
        return SimpleNamespace(
            termination=SimpleNamespace(
                reason=mathopt.TerminationReason.NO_SOLUTION_FOUND, limit=mathopt.Limit.TIME, detail=""
            ),
            solve_stats=SimpleNamespace(node_count=0, simplex_iterations=0),
            has_primal_feasible_solution=lambda: False,
        )

    monkeypatch.setattr(mathopt, "solve", solve)
    return attempts


@pytest.mark.thorough
@pytest.mark.parametrize("backend", ["scip", "highs", "cp-sat-mathopt"])
def test_no_bound_beyond_a_horizon_that_an_integer_program_leaves_open(
    monkeypatch: pytest.MonkeyPatch, backend: str
) -> None:
    problem = pegcp.problem("triangle10:a2!")
    method = f"ip-state:{backend}"
    optimum = told(method, problem)[0].bound
    assert isinstance(optimum, int)
    with monkeypatch.context() as patch:
        attempts = mathopt_stops_at(patch, optimum, float("inf"))
        answer, bounds = told(method, problem, lambda: attempts.count(optimum) > 3)
        assert (answer.status, answer.reason, answer.bound) == (Status.UNKNOWN, Reason.TIME, optimum)
        assert max(bounds) == optimum == max(attempts)
    with monkeypatch.context() as patch:
        attempts = mathopt_stops_at(patch, optimum, 2)
        answer, bounds = told(method, problem)
        assert (answer.status, answer.bound) == (Status.OPTIMAL, optimum)
        assert attempts.count(optimum) == 3


UNBOUNDED = '''"""An integer program that is infeasible or unbounded, as far as presolve can tell."""
from ortools.math_opt.python import mathopt
from pegcp.modelling.formulation import Formulation

BACKENDS = ("highs",)
GOALS = ("one-peg",)


def build(problem):
    model = mathopt.Model()
    x = model.add_variable(lb=0)
    {objective}
    return Formulation(model, lambda value: [])
'''


@pytest.mark.parametrize(("objective", "status"), [("model.maximize(x)", Status.UNKNOWN), ("", Status.INFEASIBLE)])
def test_infeasible_or_unbounded_is_no_proof_where_there_is_an_objective(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, objective: str, status: Status
) -> None:
    path = tmp_path / "unbounded.py"
    path.write_text(UNBOUNDED.format(objective=objective))
    ended = SimpleNamespace(
        termination=SimpleNamespace(
            reason=mathopt.TerminationReason.INFEASIBLE_OR_UNBOUNDED, limit=None, detail="presolve"
        ),
        solve_stats=SimpleNamespace(node_count=0, simplex_iterations=0),
        has_primal_feasible_solution=lambda: False,
    )
    monkeypatch.setattr(mathopt, "solve", lambda *_, **__: ended)
    assert told(str(path), pegcp.problem("XoXX"))[0].status is status


# Models with an objective ---------------------------------------------------------------------------------------------

SHORTEST = '''"""A dead end after at most so many jumps, in as few of them as possible."""
from ortools.sat.python.cp_model import CpModel
from pegcp.modelling import Formulation
from pegcp.modelling.clauses import begins_at_start, ends_in_goal, step

BACKENDS = ("cp-sat",)
GOALS = ("dead-end",)
OBJECTIVES = ("any", "fewest-jumps")


def formulation(problem, T, fewest):
    board, jumps = problem.board, problem.board.jumps
    model = CpModel()
    state = [[model.new_bool_var("") for _ in board.holes] for _ in range(T + 1)]
    made = [[model.new_bool_var("") for _ in jumps] for _ in range(T)]
    for t in range(T):
        model.add_at_most_one(made[t])
        step(model, board, state[t], made[t], state[t + 1])
    begins_at_start(model, problem, state[0])
    ends_in_goal(model, problem, state[T])
    total = sum(x for row in made for x in row)
    model.add(total >= fewest)
    model.{sense}(total)
    return Formulation(model, lambda value: [jumps[j] for row in made for j, x in enumerate(row) if value(x)])
'''
ONE = "\n\ndef build(problem):\n    return formulation(problem, problem.lengths[-1], 0)\n"
SEVERAL = """

def horizons(problem):
    return (4, 9)


def build(problem, horizon):
    return formulation(problem, horizon, horizon - 1)
"""


@pytest.fixture
def shortest(tmp_path: Path) -> Callable[[str, str], str]:
    def write(build: str, sense: str = "minimize") -> str:
        path = tmp_path / f"shortest_{len(list(tmp_path.iterdir()))}.py"
        path.write_text(SHORTEST.replace("{sense}", sense) + build)
        return str(path)

    return write


def test_the_optimum_of_the_only_model_is_the_optimum(shortest: Callable[..., str]) -> None:
    answer, bounds = told(shortest(ONE), pegcp.problem("triangle10:a2!"))
    fewest = told("bfs", pegcp.problem("triangle10:a2!"))[0].bound
    assert (answer.status, answer.bound, answer.objective) == (Status.OPTIMAL, fewest, fewest)
    assert all(bound <= fewest for bound in bounds if fewest is not None)


def test_the_optimum_with_one_of_several_horizons_is_a_solution_only(shortest: Callable[..., str]) -> None:
    """With at least 8 of at most 9 jumps: the shortest dead end has 6."""
    answer, bounds = told(shortest(SEVERAL), pegcp.problem(FOOLS))
    assert (answer.status, answer.bound, bounds) == (Status.SOLVED, None, [])
    assert len(answer.jumps or ()) == 8
    assert told(f"{shortest(SEVERAL)}:horizon=9", pegcp.problem(FOOLS))[0].status is Status.SOLVED


def test_where_any_solution_will_do_nothing_is_optimal(shortest: Callable[..., str]) -> None:
    answer, bounds = told(shortest(ONE), pegcp.problem("triangle10:a2!", objective="any"))
    assert (answer.status, answer.bound, answer.objective, bounds) == (Status.SOLVED, None, None, [])


def test_a_model_that_maximises_is_an_error(shortest: Callable[..., str]) -> None:
    with pytest.raises(InputError, match="must minimise"):
        told(shortest(ONE, "maximize"), pegcp.problem("triangle10:a2!"))


def test_an_objective_that_is_not_the_problems_is_found_out(shortest: Callable[..., str]) -> None:
    path = shortest(ONE, "minimize(1 + total)  # ")
    problem = pegcp.problem("triangle10:a2!")
    result = judge_answer(problem, path, choose(path).run(problem, Run()))
    assert result.reason is Reason.INVALID_SOLUTION


@pytest.mark.parametrize("value", [float("inf"), float("-inf"), float("nan")])
def test_no_bound_yet_is_none(value: float) -> None:
    assert cpsat._bound(value) == {}
    assert cpsat._bound(6.9999999) == {"bound": 7}
    assert cpsat._bound(6.3) == {"bound": 7}


def test_a_bound_on_moves_is_none_on_an_objective_that_does_not_count_them(monkeypatch: pytest.MonkeyPatch) -> None:
    def late(*_: Any) -> None:
        raise TimeoutError

    monkeypatch.setattr("pegcp.states.frame.watch", lambda _: late)
    problem = pegcp.problem("triangle10:a2->?")
    assert told("fewest-moves", problem)[0].bound is None
    assert told("fewest-moves", pegcp.problem("triangle10:a2->?", objective="fewest-moves"))[0].bound is not None


def test_a_given_horizon_does_not_count_all_solutions() -> None:
    problem = pegcp.problem("XoXX", objective="count")
    answer, _ = told("rounds:horizon=1", problem)
    assert (answer.status, answer.reason) == (Status.UNKNOWN, Reason.UNSUPPORTED)
    assert told("rounds", problem)[0].status is Status.OPTIMAL


def test_the_last_horizon_refutes_as_all_horizons_do() -> None:
    problem = pegcp.problem("XXXoXXoX")
    last = problem.lengths[-1]
    assert told(f"rounds:horizon={last}", problem)[0].status is Status.INFEASIBLE
    assert told(f"rounds:horizon={last - 1}", problem)[0].status is Status.UNKNOWN


@pytest.mark.parametrize(("name", "bound"), [("french:d4", 2), ("XXoXX", 2), ("XoXX", 1)])
def test_the_position_class_bounds_the_pegs_that_are_left(name: str, bound: int) -> None:
    problem = pegcp.problem(name, objective="fewest-pegs", goal="*")
    assert Equations(JumpCounts(problem)).nearest(10.0) == bound


def test_no_end_is_better_than_the_bound_on_pegs(random_problem: Callable[[int], Problem]) -> None:
    for seed in range(40):
        problem = replace(random_problem(seed), goal=Partial(0, 0), objective=Objective.FEWEST_PEGS)
        fewest = min(position.bit_count() for level in exhausted(problem) for position in level)
        assert (Equations(JumpCounts(problem)).nearest(10.0) or 0) <= fewest, seed
