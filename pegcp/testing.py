"""Ask a method, a model file or a solver small problems whose answers are known: does it work?

What is right is found by playing all games of a problem by the rules alone, so problems must be small.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from pegcp.blame.explain import explain
from pegcp.catalogue.choice import choose
from pegcp.catalogue.methods import bundled
from pegcp.errors import refuse_if
from pegcp.game import Jump, Objective, Problem, equivalence, jump_name, replay_solution
from pegcp.library import lookup
from pegcp.method import Reason, Status, make_limits
from pegcp.results.result import Result
from pegcp.running import road
from pegcp.running.task import Task

PROBLEMS = (
    "XXo", "XoX", "XXX", "oXXo", "XoXX", "XXoX", "XXXo", "XXXX", "XXoXX", "XXoXo", "XoXoX", "XXXXo", "oXXoX",
    "XXoXXo", "XoXXXX", "triangle6:a1->?", "triangle6:a2->?", "rectangle2x3:a1->?", "rectangle3x3:b2->?",
    "rectangle3x3:a1->?", "line4:b1->c1", "line4:b1->b1", "line6:b1->e1", "triangle6:a2->b2", "triangle10:a2->a2",
    "triangle10:a2->b2", "cycle6:1->4",
)  # fmt: skip
# The last three are traps: nothing is to be done, no jump is possible, and jumps lead nowhere.
OF_BACKENDS = ("XoXX", "triangle10:a2->b2", "triangle6:a1->?", "oXoo", "XoX", "XXoXXX")
MOST_PEGS = 12  # at the start, so that all games can be played


@dataclass(frozen=True)
class Trial:
    """A small problem, what a method answered, and what is wrong with that; ``fault`` is empty if it is right."""

    problem: Problem
    result: Result | None
    fault: str = ""


def games(problem: Problem, position: int | None = None, jumps: tuple[Jump, ...] = ()) -> Iterator[tuple[Jump, ...]]:
    """Yield every solution of a problem by the rules alone: all sequences of jumps to its goal."""
    position = problem.start.mask if position is None else position
    if problem.is_goal(position):
        yield jumps
    for jump in problem.board.jumps:
        if position & jump.mask == jump.needs:
            yield from games(problem, position ^ jump.mask, (*jumps, jump))


def check_method(method: str, problems: Iterable[Problem | str] = PROBLEMS, *, time_limit: float = 20.0) -> list[Trial]:
    """Return what a method answers to small problems, those that it takes: each must be answered, and be right.

    ``method`` may also be a model file, or a planning domain (``.pddl``) that should have the actions of the game.
    Raises InputError for an unknown method.

    >>> from pegcp.testing import check_method
    >>> [trial.fault for trial in check_method("dfs", ["XoXX", "XoX"])]
    ['', '']
    """
    trials = []
    for problem in map(lookup.problem, [problems] if isinstance(problems, str) else problems):
        refuse_if(
            len(problem.start) > MOST_PEGS,
            f"{problem.name} has {len(problem.start)} pegs: all games are known up to {MOST_PEGS}",
        )
        if not method.endswith(".pddl"):
            result = road.run(Task(problem, choose(method), make_limits(time_limit, None, 1, 0)))
            if result.reason is not Reason.UNSUPPORTED:
                trials.append(Trial(problem, result, _fault(problem, result)))
        elif problem.goal.kind == "exact":
            why = explain(problem, method, None, time_limit)
            trials.append(Trial(problem, None, "" if why.kind == "agrees" else str(why)))
    refuse_if(not trials, f"{method} takes none of the problems")
    return trials


def check_backend(name: str, *, time_limit: float = 20.0) -> list[Trial]:
    """Return what a solver or planner answers to six small problems, three of which are traps.

    It runs the first of the models that it can run, or its own method.
    """
    return check_method(method_on(name), OF_BACKENDS, time_limit=time_limit)


def method_on(backend: str) -> str:
    """Return the written form of a method that runs on a backend. Raises InputError if there is none."""
    models = [key for key, method in bundled().items() if backend in method.backends and key != backend]
    if not models:
        return choose(backend).text
    return f"{next((key for key in models if 'rounds' in key), models[0])}:{backend}"


def _fault(problem: Problem, result: Result) -> str:
    """Return what is wrong with a result; solutions have been replayed."""
    if not result.answered:
        return f"{result.verdict}: {result.message}"
    right = list(games(problem))
    if result.status is Status.INFEASIBLE:
        names = " ".join(jump_name(problem.board, jump) for jump in right[0]) if right else ""
        return f"it finds no solution, but {names or 'no jumps'} is one" if right else ""
    if problem.objective is Objective.COUNT:
        number = len(
            {tuple(equivalence.in_normal_form(game)) for game in right}
            if result.counted == equivalence.UP_TO_ORDER
            else right
        )
        return "" if result.objective == number else f"it counts {result.objective} solutions, and there are {number}"
    best = min(replay_solution(problem, game).value or 0 for game in right)
    is_best = result.status is Status.SOLVED or result.objective == best
    return "" if is_best else f"it claims the optimum {result.objective}, and {best} is better"
