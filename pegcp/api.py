"""The public functions: problems may be given by name, jumps as people write them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Executor
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pegcp import library
from pegcp.catalogue import exporting
from pegcp.catalogue.registry import added, bundled
from pegcp.comparison.schedule import Event, run_all, tasks
from pegcp.formats.solution import read_solution
from pegcp.game import replay as checker
from pegcp.game.board import Jump
from pegcp.game.jump_notation import read_jumps
from pegcp.game.problem import Problem
from pegcp.game.replay import Replay
from pegcp.library import lookup
from pegcp.method import Answer, Limits, Run
from pegcp.modelling.formulation import Formulation
from pegcp.render.show import Page
from pegcp.report.comparison import Comparison, notebook_bar
from pegcp.theory import certificates

if TYPE_CHECKING:
    from networkx import DiGraph
    from unified_planning.model import Problem as Task
    from unified_planning.plans import Plan

    from pegcp.proofs.verify_folder import Claim


def boards() -> list[str]:
    """The names of the boards that ship with pegcp; families such as ``triangle21`` have more.

    >>> import pegcp
    >>> "english" in pegcp.boards()
    True
    """
    return library.board_names()


def problems() -> list[str]:
    """The names of the problems that ship with pegcp; a board's name stands for a problem, too.

    >>> import pegcp
    >>> pegcp.problem(pegcp.problems()[0]).board.name
    'asymmetric'
    """
    return library.all_problems()


def methods() -> list[str]:
    """The names of the methods: models, planners and searches that ship, and plug-ins.

    >>> import pegcp
    >>> "moves" in pegcp.methods()
    True
    """
    return [*bundled(), *added()]


def compare(
    problems: Problem | str | Iterable[Problem | str],
    methods: str | Iterable[str],
    *,
    time_limit: float = 60.0,
    memory_limit: float | None = None,
    seeds: int | Sequence[int] = 1,
    workers: int = 2,
    jobs: int = 1,
    executor: Executor | None = None,
    out: str | Path | None = None,
    retry: bool = False,
    on_event: Callable[[Event], None] | None = None,
) -> Comparison:
    """Run every method on every problem with every seed; the checked results, in that order.

    One problem or one method may stand for itself.
    ``BOARD:*`` stands for the problems with each of the holes as the vacancy (also ``BOARD:*!``, ``BOARD:*->?``). Up to
    ``jobs`` runs go on at once, never more than the cores allow; or give an ``executor`` of the kind of
    :mod:`concurrent.futures`, such as that of a Dask client, which then decides. With ``out``, each result is appended
    to that file as a line of JSON as soon as it is there, and runs that are in it already are not made again (with
    ``retry``, those that failed or hit a limit are). Raises InputError for unknown names before anything runs, and
    :class:`pegcp.comparison.schedule.Interrupted` at Ctrl-C, when no child process is left. A notebook shows a bar.

    >>> import pegcp
    >>> table = pegcp.compare(["XXoX", "XoXX"], ["dfs", "moves"])
    >>> table
    <Comparison: 4 results, 2 problems, 2 methods, 0 disagreements>
    >>> [result.verdict for result in table]
    ['SOLVED', 'SOLVED', 'SOLVED', 'SOLVED']
    >>> [score.settled for score in table.scores()]
    [2, 2, 2]
    """
    problems = [problems] if isinstance(problems, Problem | str) else problems
    methods = [methods] if isinstance(methods, str) else methods
    todo = tasks(problems, methods, time_limit=time_limit, memory_limit=memory_limit, seeds=seeds, workers=workers)
    with notebook_bar(len(todo)) as bar:
        return Comparison(run_all(todo, jobs=jobs, executor=executor, out=out, retry=retry, on_event=on_event or bar))


def check(problem: Problem | str, jumps: str | Sequence[Jump | str]) -> Replay:
    """Replay a solution: jumps, their names, or the text of a solution or plan file.

    The replay has the positions, the moves and the value of the objective. Raises InvalidSolution: the first impossible
    jump and why, or what the goal lacks; InputError for what is no jump.

    >>> import pegcp
    >>> replay = pegcp.check("XoXX", "d1-b1 a1-c1")
    >>> len(replay.moves), replay.positions[-1].pegs
    (2, ['c1'])
    >>> pegcp.check("XoXX", ["a1-c1"])
    Traceback (most recent call last):
        ...
    pegcp.errors.InvalidSolution: jump 1 (a1-c1) is impossible: there is no peg at b1 to jump over
    """
    problem = lookup.problem(problem)
    if isinstance(jumps, str):
        return checker.check(problem, read_solution(problem, jumps))
    made: list[Jump] = []
    for jump in jumps:
        made += read_jumps(problem.board, jump) if isinstance(jump, str) else [jump]
    return checker.check(problem, made)


def explain(problem: Problem | str) -> Page | None:
    """Why a problem has no solution, a text with drawings; None if no certificate shows that.

    >>> import pegcp
    >>> print(pegcp.explain("XoX"))
    No jump is possible at the start, and the start is not the goal.
    """
    problem = lookup.problem(problem)
    certificate = certificates.find(problem, cases=True)
    if certificate is None:
        return None
    return Page(certificates.explain(problem, certificate), certificates.picture(problem, certificate))


def prove(
    problem: Problem | str,
    folder: str | Path,
    *,
    bound: int | None = None,
    rounds: bool = False,
    time_limit: float = 600.0,
    memory_limit: float | None = None,
) -> Claim | Answer:
    """Write a folder with a proof that a stranger can check, and check it: the claim, or an answer that says why not.

    The proof is that there is no solution, or none better than the optimum of the objective, or than ``bound``; with
    ``rounds`` about rounds through all jumps in one order. Raises InputError if the folder is there and not empty, and
    where nothing can be proved.

    >>> import pegcp
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     print(pegcp.prove("XoX", f"{folder}/proof"))
    there is no solution
    """
    from pegcp.proofs.writing import prove as write

    return write(lookup.problem(problem), Path(folder), Run(Limits(time_limit, memory_limit)), bound, rounds=rounds)


def graph(problem: Problem | str, *, symmetry: bool = True) -> DiGraph[int]:
    """The positions that can be reached, up to symmetry, and the jumps between them, for small boards.

    Vertices are bit masks with ``level`` (jumps made), ``pegs`` (hole names), ``goal`` and ``dead_end``; edges have
    ``jump``; ``graph["start"]`` is the start. Raises InputError beyond 20,000 positions.

    >>> import pegcp
    >>> pegcp.graph("XoXX").number_of_nodes()
    3
    """
    from pegcp.states.graph import state_graph

    return state_graph(lookup.problem(problem), symmetry)


def model(problem: Problem | str, method: str) -> Formulation[Any]:
    """What a model makes of a problem: ``native`` is the solver's own model, to look at and to change.

    That is a CpModel, a MathOpt model, a python-constraint Problem, clauses, or rules. ``jumps(solver)`` reads the
    jumps back from a solver, or a result of MathOpt, a solution of python-constraint, the set of what is true. Of a
    model with horizons it is the one of the option ``horizon``, else the last, which has all solutions. Raises
    InputError if the method has no model, or does not take the problem; so does ``jumps`` for a solver of CP-SAT
    without a solution.

    >>> import pegcp
    >>> from ortools.sat.python.cp_model import CpSolver
    >>> built = pegcp.model("XoXX", "moves:order=off")
    >>> solver = CpSolver()
    >>> solver.status_name(solver.solve(built.native))
    'OPTIMAL'
    >>> len(pegcp.check("XoXX", built.jumps(solver)).moves)
    2

    ``built.made[t][jump]`` and ``built.peg[t][hole]`` are its variables by what they mean, in every language: literals,
    terms, atoms. So constraints of your own need no names:

    >>> built = pegcp.model("english", "moves")
    >>> first = built.native.add(built.made[0]["d2-d4"] == 1)  # the first jump is d2-d4
    >>> full = built.native.add(built.peg[25]["a3"] == 1)  # a3 is still full after 25 jumps
    >>> never = [built.native.add(step["b4-d4"] == 0) for step in built.made]  # b4-d4 is never made
    """
    return exporting.formulation(lookup.problem(problem), method)


def export(problem: Problem | str, method: str, format: str | None = None) -> dict[str, str]:  # noqa: A002
    """File names and texts of a problem compiled by a method; ``pddl`` and every planner give PDDL.

    ``format`` is one of the backend's formats, by default its first. Raises InputError when the method has none, or
    cannot take the problem.

    >>> import pegcp
    >>> sorted(pegcp.export("english", "pddl"))
    ['domain.pddl', 'names.json', 'problem.pddl']
    """
    return exporting.export(lookup.problem(problem), method, format)


def to_unified_planning(problem: Problem | str, domain: str | None = None) -> Task:
    """The problem as a ``unified_planning.model.Problem``, for any of its engines.

    It has the actions of the PDDL domain, and the objective as a quality metric. ``domain`` is ``jumps``, ``last-peg``,
    ``fools``, ``nearest``, ``steps``, ``parallel`` or ``fewest-moves``, by default the one that fits the goal and
    objective.
    :func:`from_plan` is the way back. Raises InputError for a domain that does not fit, and Missing without
    unified-planning.

    >>> import pegcp
    >>> task = pegcp.to_unified_planning("XoXX", "last-peg")
    >>> [action.name for action in task.actions]
    ['jump', 'take']
    """
    from pegcp.formats.pddl.unified import to_unified_planning as task

    return task(lookup.problem(problem), domain)


def from_unified_planning(task: Task) -> Problem:
    """The problem that a ``unified_planning.model.Problem`` is, whatever its actions are called.

    Raises InputError, naming the action that is not understood, for a task that is not peg solitaire.

    >>> import pegcp
    >>> task = pegcp.to_unified_planning("english:c1->d4", "jumps")
    >>> pegcp.from_unified_planning(task) == pegcp.problem("english:c1->d4")
    True
    """
    return lookup.problem(task)


def from_plan(problem: Problem | str, plan: Plan | str) -> list[Jump]:
    """The jumps of a plan of unified-planning (sequential, partial-order, time-triggered) or of the text of a plan.

    They are not yet checked. Raises InputError, naming the step, for what is no action of the problem, and
    InvalidSolution for what the rules of its domain forbid.

    >>> import pegcp
    >>> jumps = pegcp.from_plan("XoXX", "(jump d1 c1 b1)")
    >>> problem = pegcp.problem("XoXX")
    >>> print(problem.start.after(*jumps))
       a b c d
    1  X X o o
    """
    from pegcp.formats.pddl.unified import from_plan as jumps

    return jumps(lookup.problem(problem), plan)
