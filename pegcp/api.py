"""The public functions: problems may be given by name, jumps as people write them.

Everything that a function needs beyond the standard library is imported when it is called.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from dataclasses import replace
from numbers import Integral
from pathlib import Path
from queue import SimpleQueue
from threading import Event
from typing import TYPE_CHECKING, Any

from pegcp import habits, library
from pegcp.catalogue import exporting
from pegcp.catalogue.choice import split
from pegcp.catalogue.methods import added, bundled, explain_name
from pegcp.checking import verification
from pegcp.errors import InputError, need, refuse_if
from pegcp.formats.pddl import unified
from pegcp.game import Jump, Problem, Replay
from pegcp.habits import P, T
from pegcp.library import lookup
from pegcp.machine import IN_BROWSER
from pegcp.method import Answer, Reason, Run, Status, check_number, make_limits
from pegcp.modelling.formulation import AnyFormulation
from pegcp.render.show import Page, describe
from pegcp.results import judge
from pegcp.results.result import Result, Solutions
from pegcp.running.road import Progress, list_solutions, run_task
from pegcp.running.task import Solution, Task, make_task, read_solution, solution_text
from pegcp.theory import certificates

if TYPE_CHECKING:
    from networkx import DiGraph
    from unified_planning.model import Problem as PlanningTask
    from unified_planning.plans import Plan

    from pegcp.blame.answer import Why
    from pegcp.comparison.schedule import RunEvent
    from pegcp.play.advice import NextJumps
    from pegcp.report import Comparison


_NEXT_MEMORY = 4000.0  # MB for a winnable set
_LISTED = 1000  # solutions
_EXPORTED = (".cnf", ".lp", ".mps", ".mzn", ".opb", ".pddl", ".smt2", ".txt", ".xml")  # endings of files


def guided(function: Callable[P, T]) -> Callable[P, T]:
    """Let wrong calls of a public function say what to write, such as the method that runs on a solver."""
    return habits.guided(function, explain_name)


def _read(problem: Problem | str | Path | Result, method: object = None, **changes: str | None) -> Problem:
    """Return the problem that is meant, also that of a result; warn of how a text was read, if not as usual.

    Raises InputError, which knows problems and methods that are in each other's place.
    """
    try:
        result = lookup.problem(problem.problem if isinstance(problem, Result) else problem, **changes)
    except InputError:
        refuse_if(
            isinstance(problem, str) and problem in methods(),
            f'"{problem}" is a method; the problem goes first: "english", "{problem}"',
        )
        raise
    refuse_if(
        result.board.has_hole(str(method)) and method not in methods(),
        f'"{method}" is a hole; with it as the vacancy the problem is "{result.board.name}:{method}"',
    )
    if isinstance(problem, str) and result.read_as:
        warnings.warn(f"read as: {habits.in_python(result.read_as)}", stacklevel=4)
    return result


@guided
def boards() -> list[str]:
    """Return the names of the boards that ship with pegcp; families such as ``triangle21`` have more.

    >>> import pegcp
    >>> "english" in pegcp.boards()
    True
    """
    return [*library.board_names()]


@guided
def problems() -> list[str]:
    """Return the names of the problems that ship with pegcp; a board's name stands for a problem, too.

    >>> import pegcp
    >>> pegcp.problem(pegcp.problems()[0]).board.name
    'asymmetric'
    """
    return library.all_problems()


@guided
def methods() -> list[str]:
    """Return the names of the methods: models, planners and searches that ship, and plug-ins.

    >>> import pegcp
    >>> "moves" in pegcp.methods()
    True
    """
    return [*dict.fromkeys((*bundled(), *added()))]


@guided
def solve(
    problem: Problem | str | Path | Result,
    method: str | None = None,
    *,
    objective: str | None = None,
    time_limit: float = 60.0,
    memory_limit: float | None = None,
    seed: int = 0,
    workers: int = 2,
    log: bool = False,
    hint: Solution | None = None,
    interrupter: Event | None = None,
    on_progress: Callable[[Progress], None] | None = None,
) -> Result:
    """Answer a problem (or the problem of that name) by a method, by default the best one for it.

    Here only the answer counts: where a certificate is quick to find, no model is solved. If a model was asked for by
    its name, ``message`` says so, and ``statistics["chosen"]`` is ``certificate``. ``objective`` replaces that of the
    problem, as in :func:`pegcp.problem`.

    The method runs in a child process, for at most ``time_limit`` wall seconds and with at most ``memory_limit`` MB for
    all its processes together (by default three quarters of the machine's memory); its answer is checked.
    ``hint`` is a solution, or the beginning of one, from which a solver starts that takes such (CP-SAT, SCIP). Setting
    the ``interrupter``, a :class:`threading.Event`, ends the run with what it has found.
    ``on_progress`` gets mappings with the latest ``bound``, counters and so on; ``log`` reports the lines of the
    solver's log, one by one, as ``log``. Raises InputError for an unknown problem or method, or one that takes no
    hint, and for a hint with an impossible jump; everything that goes wrong later is in the Result.

    >>> import pegcp
    >>> result = pegcp.solve("XoXX", "dfs")
    >>> result
    <Result XoXX by dfs: SOLVED; 2 jumps in 2 moves>
    >>> result.moves, [len(position) for position in result.positions()]
    (['d1-b1', 'a1-c1'], [3, 2, 1])
    """
    limits = make_limits(time_limit, memory_limit, workers, seed)
    task = make_task(_read(problem, method, objective=objective), method, limits, interrupter, hint=hint, log=log)
    return run_task(task, method, on_progress, interrupter)


@guided
def improve(
    problem: Problem | str | Path | Result,
    method: str | None = None,
    *,
    objective: str | None = None,
    time_limit: float = 60.0,
    memory_limit: float | None = None,
    seed: int = 0,
    workers: int = 2,
    hint: Solution | None = None,
    interrupter: Event | None = None,
) -> Iterator[Result]:
    """Yield better and better solutions, as a method reports them, and at last its answer; see :func:`solve`.

    Models that minimise by themselves report solutions on the way (``fools``, ``moves`` to a position), planners that
    go on after the first plan, and ``beam``. To leave the loop, or to set the ``interrupter``, ends the run.

    >>> import pegcp
    >>> [result.objective for result in pegcp.improve("XXoXX", objective="fewest-pegs")][-1]
    2
    """
    limits = make_limits(time_limit, memory_limit, workers, seed)
    task = make_task(_read(problem, method, objective=objective), method, limits, interrupter, hint=hint)
    return _improvements(task, method, interrupter or Event())


def _improvements(task: Task, method: str | None, stop: Event) -> Iterator[Result]:
    """Yield the solutions that are reported on the way, each replayed, and at last the result of the run."""
    updates = SimpleQueue[Any]()
    best: object = None
    with ThreadPoolExecutor(1) as pool:
        try:
            future = pool.submit(run_task, task, method, updates.put, stop)
            future.add_done_callback(updates.put)
            while (update := updates.get()) is not future:
                jumps = update.get("jumps")
                if jumps and jumps != best:
                    best = jumps
                    answer = Answer(Status.SOLVED, Reason.TIME, tuple(jumps), message="there may be better ones")
                    yield judge.judge_answer(task.problem, task.choice.text, answer, task.limits)
            yield future.result()
        finally:
            stop.set()


@guided
def solutions(
    problem: Problem | str | Path,
    method: str | None = None,
    *,
    most: int | None = None,
    up_to: str = "",
    sample: int = False,
    time_limit: float = 60.0,
    memory_limit: float | None = None,
    workers: int = 2,
    seed: int = 0,
) -> Solutions:
    """List the solutions of a problem, or the first ``most``, by any method that can count; or draw a ``sample``.

    The method says what they are: jump sequences, or one of those that are the same up to the order of independent
    jumps; ``up_to`` can ask for ``order``, or ``symmetry``, which is up to both. Every solution is replayed and none is
    listed twice. Without ``most`` it is 1000, and a warning says that there are more. In a ``sample``, of that number
    or of ``most``, which the method ``count`` draws by ``seed``, each has the same chance. That the list is complete is
    claimed by the method. Raises InputError for an unknown problem or method, for a method that cannot list, and with
    ``symmetry`` for a board that has too many to list them.

    >>> import pegcp
    >>> solutions = pegcp.solutions("XoXX", "moves")
    >>> solutions
    <Solutions: 1 solution of XoXX by moves, up to the order of independent jumps; that is all>
    >>> list(solutions.written())
    [['d1-b1', 'a1-c1']]
    """
    limits = make_limits(time_limit, memory_limit, workers, seed)
    number = (_LISTED if most is None else most) if isinstance(sample, bool) else sample
    result = list_solutions(_read(problem, method), method, limits, number, up_to, is_sample=bool(sample))
    if len(result) == _LISTED and most is None and not (sample or result.complete):
        warnings.warn(f'the first {_LISTED:,}; use most=..., or pegcp.solve(problem, objective="count")', stacklevel=3)
    return result


@guided
def compare(
    problems: Problem | str | Path | Iterable[Problem | str | Path] | Mapping[str, Problem | str | Path] = (),
    methods: str | Iterable[str] = (),
    *,
    experiment: str | Path | None = None,
    time_limit: float | None = None,
    memory_limit: float | None = None,
    seeds: int | Sequence[int] | None = None,
    workers: int | None = None,
    jobs: int = 1,
    executor: Executor | None = None,
    on: str | None = None,
    out: str | Path | None = None,
    retry: bool = False,
    on_event: Callable[[RunEvent], None] | None = None,
) -> Comparison:
    """Run every method on every problem with every seed; the checked results, in that order.

    One problem or one method may stand for itself; a mapping has problems by names of one's own. Without methods, those
    of the tour run that suit the problems; an ``experiment`` file has its own problems, methods and limits. Elsewhere
    60 seconds, one seed, two workers are taken.
    ``BOARD:*`` stands for the problems with each of the holes as the vacancy (also ``BOARD:*!``, ``BOARD:*->?``). Up to
    ``jobs`` runs go on at once, never more than the cores allow; or give an ``executor`` of the kind of
    :mod:`concurrent.futures`, which then decides, or say with ``on`` which cluster makes the runs, such as
    ``"dask:tcp://head:8786"``. With ``out``, each result is appended
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
    if isinstance(problems, Mapping):
        problems = [replace(_read(subject), name=str(name)) for name, subject in problems.items()]
    problems = [problems] if isinstance(problems, str | Path) or not isinstance(problems, Iterable) else problems
    methods = split(methods) if isinstance(methods, str) else methods if isinstance(methods, Iterable) else [methods]
    check_number("number of jobs", jobs, Integral)
    need("a comparison", "pegcp", "msgspec", "rich", *(() if IN_BROWSER else ("psutil",)))
    from pegcp.comparison import places, schedule
    from pegcp.comparison.experiment import choose_runs
    from pegcp.report import Comparison, notebook_bar

    limits = {"time_limit": time_limit, "memory_limit": memory_limit, "seeds": seeds, "workers": workers}
    selection = choose_runs([*problems], [*methods], None if experiment is None else Path(experiment), limits)
    with places.open_place(on, executor) as elsewhere:
        results = schedule.run_all(
            selection.tasks,
            jobs=jobs,
            elsewhere=elsewhere,
            out=out,
            retry=retry,
            on_event=on_event or notebook_bar(len(selection.tasks)),
            shuffled=selection.shuffled,
        )
    return Comparison(results, selection)


@guided
def next_jumps(
    problem: Problem | str | Path,
    after: str | Sequence[Jump] = (),
    *,
    time_limit: float = 60.0,
    memory_limit: float | None = None,
    workers: int = 2,
    on_progress: Callable[[Progress], None] = lambda _: None,
) -> NextJumps:
    """Return which jumps keep the goal in reach, after some jumps from the start of a problem.

    ``after`` is written as in a solution (``"d2-d4 b3-d3"``). Beams and certificates are tried for a second at most.
    For the jumps that they leave open, the winnable set is built, in this process, with at most ``memory_limit`` MB
    (4000); where that fails, beams and certificates get the rest of the time. Verdicts that are still open after
    ``time_limit`` seconds are None. ``on_progress`` gets the verdicts so far, as ``log``. Raises InputError for an
    unknown problem or an impossible jump.

    >>> import pegcp
    >>> print(pegcp.next_jumps("XXXoXX", after="b1-d1"))
       a b c d e f
    1  X o o X X X
    lead to no solution: e1-c1
    The goal is out of reach.
    """
    from pegcp.play.advice import find_next_jumps

    limits = make_limits(time_limit, _NEXT_MEMORY if memory_limit is None else memory_limit, workers, 0)
    return find_next_jumps(_read(problem), after, Run(limits, report=on_progress))


@guided
def check(problem: Problem | str | Path | Result, jumps: Solution | None = None, *, time_limit: float = 10.0) -> Replay:
    """Replay a solution: jumps, their names, a solution or plan file or its text, or those of a result, which can also
    stand alone.

    The replay has the positions, the moves and the value of the objective, and ``read_as``, how a text was read. Raises
    InvalidSolution: the first impossible jump and why, or what the goal lacks, and as ``lost``, for which at most
    ``time_limit`` seconds are taken, the jump that lost the game; InputError for what is no jump.

    >>> import pegcp
    >>> replay = pegcp.check("XoXX", "d1-b1 a1-c1")
    >>> len(replay.moves), replay.positions[-1].pegs
    (2, ['c1'])
    >>> pegcp.check("XoXX", ["a1-c1"])
    Traceback (most recent call last):
        ...
    pegcp.errors.InvalidSolution: jump 1 (a1-c1) is impossible: there is no peg at b1 to jump over
    """
    from pegcp.play.advice import replay_or_explain

    jumps = problem if jumps is None and isinstance(problem, Result) else jumps
    if jumps is None:
        raise InputError(
            'there are no jumps to check: jumps are text, such as "d2-d4 b3-d3", or a list; '
            'the command "pegcp check" takes folders with proofs'
        )
    problem = _read(problem)
    return replay_or_explain(problem, read_solution(problem, jumps), Run(make_limits(time_limit, _NEXT_MEMORY, 1, 0)))


@guided
def load(*paths: str | Path) -> Comparison:
    """Read result files (``pegcp compare --out``, ``pegcp solve --json``) as a comparison; each solution is replayed.

    Lines that are no results become Python warnings. Raises InputError.

    >>> import pegcp, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     table = pegcp.compare("XoXX", "dfs", out=f"{folder}/r.jsonl")
    ...     pegcp.load(f"{folder}/r.jsonl")
    <Comparison: 1 result, 1 problem, 1 method, 0 disagreements>
    """
    from pegcp.comparison.store import read_results
    from pegcp.report import Comparison

    for path in paths:
        refuse_if(str(path).endswith((".toml", ".pddl")), f"no results are in such a file; use pegcp.problem('{path}')")
    results, faults = read_results(paths)
    for fault in faults:
        warnings.warn(fault, stacklevel=3)
    return Comparison(results)


@guided
def read_result(data: Mapping[str, object]) -> Result:
    """Read the object that :meth:`Result.to_json` returned; its solution and certificate are checked again.

    Raises InputError.

    >>> import pegcp
    >>> pegcp.read_result(pegcp.solve("XoXX", "dfs").to_json())
    <Result XoXX by dfs: SOLVED; 2 jumps in 2 moves>
    """
    need("reading a result", "pegcp", "msgspec")
    from pegcp.results import reading

    return reading.read_result(data)


@guided
def show(problem: Problem | str | Path) -> Page:
    """Return what ``pegcp show`` prints of a problem: its picture, counts, symmetries, class and certificates.

    A notebook shows start and goal, which ``save`` writes to a file (.svg, .png).

    >>> import pegcp
    >>> "start classes" in pegcp.show("english")
    True
    """
    return describe(_read(problem))


@guided
def explain(problem: Problem | str | Path) -> Page | None:
    """Return why a problem has no solution, a text with drawings; None if no certificate shows that.

    A notebook shows its picture, which ``save`` writes to a file (.svg, .png).

    >>> import pegcp
    >>> print(pegcp.explain("XoX"))
    No jump is possible at the start, and the start is not the goal.
    """
    problem = _read(problem)
    certificate = certificates.find(problem, cases=True)
    if certificate is None:
        return None
    return Page(verification.explain(problem, certificate), certificates.certificate_svg(problem, certificate))


@guided
def prove(
    problem: Problem | str | Path,
    folder: str | Path,
    *,
    bound: int | None = None,
    time_limit: float = 600.0,
    memory_limit: float | None = None,
) -> verification.Claim | Answer:
    """Write a folder with a proof that a stranger can check, and check it: the claim, or an answer, which is
    false, that says why there is none.

    The proof is that there is no solution, or none better than the optimum of the objective, or than ``bound``; with
    the objective count, how many solutions there are. Raises InputError if the folder is there and not empty, and where
    nothing can be proved.

    >>> import pegcp
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     print(pegcp.prove("XoX", f"{folder}/proof"))
    there is no solution
    """
    need("a proof", "pegcp", "ortools", "psutil")
    from pegcp.proofs.writing import prove as write

    return write(_read(problem), Path(folder), Run(make_limits(time_limit, memory_limit, 2, 0)), bound)


@guided
def graph(problem: Problem | str | Path, *, symmetry: bool = True) -> DiGraph[int]:
    """Return the positions that can be reached, up to symmetry, and the jumps between them, for small boards.

    Vertices are bit masks with ``level`` (jumps made), ``pegs`` (hole names), ``goal`` and ``dead_end``; edges have
    ``jump``; ``graph["start"]`` is the start. Raises InputError beyond 20,000 positions, and Missing without networkx
    (``pegcp[graph]``).

    >>> import pegcp
    >>> pegcp.graph("XoXX").number_of_nodes()
    3
    """
    from pegcp.states.graph import state_graph

    return state_graph(_read(problem), symmetry)


@guided
def model(problem: Problem | str | Path, method: str) -> AnyFormulation:
    """Return a model of a problem: ``native`` is the solver's own model, to look at and to change.

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
    return exporting.formulation(_read(problem, method), method)


@guided
def export(problem: Problem | str | Path, method: str, format: str | None = None) -> dict[str, str]:  # noqa: A002
    """Return file names and texts of a problem compiled by a method; ``pddl`` and every planner give PDDL.

    ``format`` is one of the backend's formats, by default its first. Raises InputError when the method has none, or
    cannot take the problem.

    >>> import pegcp
    >>> sorted(pegcp.export("english", "pddl"))
    ['domain.pddl', 'names.json', 'problem.pddl']
    """
    refuse_if(
        any(str(name).endswith(_EXPORTED) and not Path(str(name)).exists() for name in (method, format))
        or (method == "pddl" and format not in (None, "pddl")),
        "export returns texts by file name; write them: "
        'for name, text in pegcp.export(problem, "pddl").items(): Path(name).write_text(text)',
    )
    return exporting.export(_read(problem, method), method, format)


@guided
def why(
    problem: Problem | str | Path,
    method: str,
    solution: Solution | None = None,
    *,
    time_limit: float = 60.0,
) -> Why:
    """Say which lines of a model file exclude a solution; or which rule of the game no line says.

    ``method`` is a model, most often a file (``mine.py``, ``mine.lp``, ``mine.mzn``, ``mine.pddl``), which is run in
    this process. ``solution`` is one to ask about, by default the one that :func:`solve` finds. Raises InputError for
    a method without lines, and Missing where its solver is not installed.

    >>> import pegcp
    >>> pegcp.why("XoXX", "moves").kind
    'agrees'
    """
    from pegcp.blame.explain import explain_or_solve

    problem = _read(problem, method)
    jumps = None if solution is None else tuple(read_solution(problem, solution).jumps)
    return explain_or_solve(problem, method, jumps, time_limit)


@guided
def to_unified_planning(problem: Problem | str | Path, domain: str | None = None) -> PlanningTask:
    """Return the problem as a ``unified_planning.model.Problem``, for any of its engines.

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
    return unified.to_unified_planning(_read(problem), domain)


@guided
def from_unified_planning(task: PlanningTask) -> Problem:
    """Return the problem that a ``unified_planning.model.Problem`` is, whatever its actions are called.

    Raises InputError, naming the action that is not understood, for a task that is not peg solitaire.

    >>> import pegcp
    >>> task = pegcp.to_unified_planning("triangle10:a2->b2", "jumps")
    >>> pegcp.from_unified_planning(task) == pegcp.problem("triangle10:a2->b2")
    True
    """
    return lookup.problem(task)


@guided
def from_plan(problem: Problem | str | Path, plan: Plan | str | Path | Sequence[str]) -> list[Jump]:
    """Return the jumps of a plan of unified-planning (sequential, partial-order, time-triggered) or of the text of a
    plan, its file, or its lines.

    They are not yet checked. Raises InputError, naming the step, for what is no action of the problem, and
    InvalidSolution for what the rules of its domain forbid.

    >>> import pegcp
    >>> jumps = pegcp.from_plan("XoXX", "(jump d1 c1 b1)")
    >>> problem = pegcp.problem("XoXX")
    >>> print(problem.start.after(*jumps))
       a b c d
    1  X X o o
    """
    return unified.from_plan(_read(problem), solution_text(plan))
