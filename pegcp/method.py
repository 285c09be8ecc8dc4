"""The contract of a method: its problem and run, its answer, and the problems that it takes."""

import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from math import inf
from numbers import Integral, Real
from pathlib import Path
from typing import Any, Literal, Self

from pegcp.errors import need, refuse_if, shown
from pegcp.game import Jump, Problem, equivalence
from pegcp.habits import GuidedWord

Number = int | float
MOST_JUMPS = 2_000_000  # of all solutions that are listed, together
SOFT_SHARE = 0.9  # of the memory limit, at which a method stops by itself

Data = Mapping[str, Any]  # an object of JSON: values by name


class Status(GuidedWord):
    """The verdict of a run about a problem. INFEASIBLE means refuted."""

    SOLVED = "SOLVED"
    OPTIMAL = "OPTIMAL"
    INFEASIBLE = "INFEASIBLE"
    UNKNOWN = "UNKNOWN"

    @property
    def has_solution(self) -> bool:
        """True if a solution comes with the status."""
        return self in (Status.SOLVED, Status.OPTIMAL)


class Reason(GuidedWord):
    """Why a run ended."""

    COMPLETED = "COMPLETED"
    TIME = "TIME"
    MEMORY = "MEMORY"
    UNSUPPORTED = "UNSUPPORTED"
    MISSING = "MISSING"
    ERROR = "ERROR"
    INVALID_SOLUTION = "INVALID_SOLUTION"
    INTERRUPTED = "INTERRUPTED"

    @property
    def sort(self) -> Literal["completed", "limit", "fault", "refusal", "interruption"]:
        """The sort of the reason."""
        return _SORTS[self]


_SORTS: dict[Reason, Literal["completed", "limit", "fault", "refusal", "interruption"]] = {
    Reason.COMPLETED: "completed",
    Reason.TIME: "limit",
    Reason.MEMORY: "limit",
    Reason.UNSUPPORTED: "refusal",
    Reason.MISSING: "refusal",
    Reason.ERROR: "fault",
    Reason.INVALID_SOLUTION: "fault",
    Reason.INTERRUPTED: "interruption",
}


class Evidence(GuidedWord):
    """The evidence for a verdict: that of its weakest part.

    Solutions are replayed; certificates and proofs are verified by the checker. An optimum has two parts, the solution
    and that none is better; a count has the solution and the number.
    """

    REPLAYED = "replayed"
    CERTIFICATE = "certificate"
    PROOF = "proof"
    AGREED = "agreed"  # the word of two engines: programs that reason
    CLAIMED = "claimed"  # the word of one engine alone


@dataclass(frozen=True)
class Limits:
    """The limits of a run: wall seconds, MB of memory for all its processes together, threads; and its random seed."""

    time: float = 60.0
    """Wall seconds."""
    memory: float | None = None
    """MB of all processes of the run together; None: no limit."""
    workers: int = 2
    """Threads that a solver may use."""
    seed: int = 0
    """The random seed."""

    def explain_stop(self, reason: Reason) -> str:
        """Return how a run ended that was stopped, in words."""
        words = {
            Reason.TIME: f"stopped after {self.time:g} s",
            Reason.MEMORY: f"stopped with more than {self.memory or 0:,.0f} MB",
        }
        return words.get(reason, "interrupted")


def check_number(name: str, value: object, kind: type[Real | Integral]) -> None:
    """Raise InputError unless a value is a number of a kind."""
    refuse_if(
        isinstance(value, bool) or not isinstance(value, kind),
        f"the {name} must be a {'whole ' * (kind is Integral)}number, not {shown(value)}",
    )


def make_limits(time_limit: float, memory_limit: float | None, workers: int, seed: int) -> Limits:
    """Return limits; raises InputError for values that make no sense."""
    memory, largest_seed = 1 if memory_limit is None else memory_limit, 2**31 - 1
    for name, value, kind, least, most, words in (
        ("time limit", time_limit, Real, 1e-9, 1e9, "a positive number of seconds"),
        ("memory limit", memory, Real, 1e-9, 1e12, "a positive number of MB"),
        ("number of workers", workers, Integral, 1, inf, "at least 1"),
        ("seed", seed, Integral, 0, largest_seed, f"between 0 and {largest_seed}"),
    ):
        check_number(name, value, kind)
        refuse_if(not least <= value <= most, f"the {name} must be {words}, not {shown(value)}")
    return Limits(time_limit, memory_limit, workers, seed)


@dataclass(frozen=True)
class Answer:
    """The answer of a method, not yet judged. ``jumps`` is a solution; ``bound`` bounds the objective; ``certificate``
    is evidence for INFEASIBLE; ``statistics`` has at least ``build_seconds`` and ``solve_seconds`` where they apply;
    ``counted`` says what was counted, for only equal notions can be compared (:mod:`pegcp.game.equivalence`), and
    ``solutions`` are those that the run was asked to list."""

    status: Status
    """The verdict on the problem."""
    reason: Reason = Reason.COMPLETED
    """Why the run ended."""
    jumps: tuple[Jump, ...] | None = None
    """A solution, in playing order; None if there is none."""
    objective: Number | None = None
    """The value of the solution, or how many solutions were counted."""
    bound: Number | None = None
    """A number that the objective cannot be better than; None if none is claimed."""
    certificate: Data | None = None
    """Evidence for INFEASIBLE that is verified without search, as JSON; None if there is none."""
    statistics: Data = field(default_factory=dict)
    """Figures of the run by name: seconds, MB, or numbers of nodes and conflicts."""
    message: str = ""
    """Why there is no answer, in a sentence; else empty."""
    counted: str = ""
    """The notion that was counted, such as ``jump sequences``; empty where nothing was."""
    solutions: tuple[tuple[Jump, ...], ...] = ()
    """The solutions that the run was asked to list, each in playing order."""


OUT_OF_TIME = Answer(Status.UNKNOWN, Reason.TIME, message="time limit")


class Pause:
    """Time not charged to a run: compilation by numba, whose machine code is kept for later runs."""

    def __init__(self) -> None:
        self._before = 0.0
        self._since = inf

    @property
    def seconds(self) -> float:
        """The length of all pauses so far."""
        return self._before + max(0.0, time.monotonic() - self._since)

    def turn(self, on: bool) -> None:
        """Begin a pause, or end it."""
        self._before, self._since = self.seconds, time.monotonic() if on else inf


@dataclass(frozen=True)
class Listing:
    """A request for at most ``most`` solutions in a list, of equivalent ones one only: ``up_to`` order or symmetry.

    ``sample``: drawn at random, each solution with the same chance.
    """

    most: int
    up_to: str = ""
    sample: bool = False


@dataclass(frozen=True)
class Wishes:
    """Wishes about a run, beyond an answer within its limits."""

    log: bool = False
    """The solver's own lines, which are reported as ``log``, one by one."""
    listing: Listing | None = None
    """A list of the solutions that are counted (:class:`Tally`)."""
    hint: tuple[Jump, ...] = ()
    """A solution that the solver begins with."""
    sizes_only: bool = False
    """The model is built and measured, but not solved."""
    may_certify: bool = False
    """A certificate may answer in place of the method."""


@dataclass(frozen=True)
class Run:
    """A run in progress: its limits, when it started, and where to report bounds and counts on the way.

    ``pause`` is not in the time of the run.
    """

    limits: Limits = field(default_factory=Limits)
    started: float = field(default_factory=time.monotonic)
    report: Callable[[Data], None] = lambda _: None
    wishes: Wishes = field(default_factory=Wishes)
    pause: Pause = field(default_factory=Pause)

    @cached_property
    def folder(self) -> Path:
        """A new folder for files of the run, which is removed when this object is."""
        import shutil  # it takes a hundredth of a second to load
        import tempfile
        import weakref

        folder = tempfile.mkdtemp(prefix="pegcp-")
        weakref.finalize(self, shutil.rmtree, folder, ignore_errors=True)
        return Path(folder)

    @property
    def remaining(self) -> float:
        """Seconds of wall time left, never negative."""
        return max(0.0, self.started + self.limits.time + self.pause.seconds - time.monotonic())

    def within(self, seconds: float, memory: float | None = None) -> Self:
        """Return the same run with at most so many seconds from now, and so many MB."""
        limits, elapsed_seconds = self.limits, self.limits.time - self.remaining
        limits = replace(limits, time=min(limits.time, elapsed_seconds + seconds), memory=memory or limits.memory)
        return replace(self, limits=limits)


def watch(run: Run) -> Callable[[], None]:
    """Return a function that raises TimeoutError or MemoryError when this process has reached a limit of the run: that
    of memory a little before, since a run that reaches it is killed. Raises Missing for such a limit without psutil."""
    limit, memory_info = inf, None
    if run.limits.memory is not None:
        need("a memory limit", "pegcp", "psutil")
        import psutil

        limit, memory_info = SOFT_SHARE * run.limits.memory * 1e6, psutil.Process().memory_info

    def tick() -> None:
        if run.remaining <= 0:
            raise TimeoutError
        if memory_info is not None and memory_info().rss > limit:
            raise MemoryError

    return tick


def stopped(error: Exception, jumps: tuple[Jump, ...] | None = None, **about: Any) -> Answer:
    """Return the answer of a run that :func:`watch` stopped, or that got no memory; ``jumps``: the best so far."""
    reason = Reason.TIME if isinstance(error, TimeoutError) else Reason.MEMORY
    status = Status.UNKNOWN if jumps is None else Status.SOLVED
    return Answer(status, reason, jumps, message=f"{reason.lower()} limit", **about)


class Tally:
    """Counts solutions as a method finds them, each once; and lists them, each once, if the run asks for that."""

    def __init__(self, problem: Problem, run: Run, notion: str) -> None:
        self.problem, self.run = problem, run
        self.notion = equivalence.COARSER.get(run.wishes.listing.up_to if run.wishes.listing else "", notion)
        self.count = 0
        self.solutions: dict[tuple[Jump, ...], None] = {}  # only the first where solutions are counted
        self.is_cut = False

    def add(self, played: Callable[[], Sequence[Jump]]) -> bool:
        """Record a solution; return False once the list is full."""
        self.count += 1
        if self.count % 256 == 0:
            self.run.report({"solutions": self.count})
        listing = self.run.wishes.listing
        if listing is not None:
            self.solutions.setdefault(equivalence.representative(self.problem, played(), self.notion))
            self.is_cut = (
                len(self.solutions) > listing.most or len(self.solutions) * len(self.problem.start) > MOST_JUMPS
            )
        elif not self.solutions:
            self.solutions[tuple(played())] = None
        return not self.is_cut

    def answer(self, *, is_complete: bool) -> Answer:
        """Return the number of solutions and one of them, or the list; ``is_complete``: the search came to its end."""
        if not self.solutions:
            return Answer(Status.INFEASIBLE) if is_complete else OUT_OF_TIME
        solutions, listing = tuple(self.solutions), self.run.wishes.listing
        answer = Answer(Status.SOLVED, jumps=solutions[0], objective=self.count, counted=self.notion)
        if listing is not None:
            answer = replace(answer, objective=min(len(solutions), listing.most), solutions=solutions[: listing.most])
        if self.is_cut:
            return replace(answer, message="there are more")
        if is_complete:
            return replace(answer, status=Status.OPTIMAL)
        return replace(answer, reason=Reason.TIME, message="stopped early: there may be more")


Options = Data  # of a method, by name: values of the types that it declares


@dataclass(frozen=True)
class Method(ABC):
    """One way to answer problems: what is known of it without running it, and :meth:`run`, which a subclass defines.

    It takes every goal of ``goals`` with every objective of ``objectives``, but for the pairs in ``without``.
    ``backends`` names what can run it, the default first; ``options`` have defaults, and ``option_values`` are those
    that some of them take. ``path`` is the file of a model or search, and ``fingerprint`` that of its content when it
    was read; ``parameters`` are those that a model gives its solver. ``engine`` is the name of the code of a search, if
    it shares that with others.
    """

    name: str
    summary: str
    goals: frozenset[str]
    objectives: frozenset[str]
    backends: tuple[str, ...] = ()
    options: Options = field(default_factory=dict)
    option_values: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    path: Path | None = None
    without: frozenset[tuple[str, str]] = frozenset()
    parameters: Data = field(default_factory=dict)
    engine: str = ""
    fingerprint: str = ""

    @abstractmethod
    def run(self, problem: Problem, run: Run, options: Options, backend: str | None) -> Answer:
        """Answer a problem with all options; ``backend`` is one of the backends, or the name of a command."""

    def refuse(self, problem: Problem) -> str | None:  # noqa: ARG002
        """Return a reason beyond the goal and the objective why the method cannot take a problem, or None."""
        return None

    def check_options(self, options: Options) -> None:  # noqa: B027 - most methods take all values of their options
        """Raise InputError for options that are chosen and cannot be."""

    def refusal(self, problem: Problem, *, header_only: bool = False) -> str:
        """Return why the method does not take a problem; empty if it does. ``header_only``: by the goal and the
        objective alone, without code of the method."""
        goal, objective = problem.goal.kind, problem.objective.value
        if goal not in self.goals:
            return f"Method {self.name} supports only {_listed(self.goals)} goals, and this goal is {goal}"
        if objective not in self.objectives:
            objectives = f"objective{'s' * (len(self.objectives) > 1)} {_listed(self.objectives)}"
            return f"Method {self.name} supports only the {objectives}, and this problem has {objective}"
        if (goal, objective) in self.without:
            return f"Method {self.name} does not take the objective {objective} with a goal of the kind {goal}"
        return "" if header_only else self.refuse(problem) or ""

    def values(self, option: str) -> tuple[str, ...]:
        """Return the values of an option, as they are written; none where it takes any number or text."""
        return self.option_values.get(option) or (("on", "off") if isinstance(self.options[option], bool) else ())


def _listed(names: frozenset[str]) -> str:
    """Return names in a sentence: ``any, count and nearest``."""
    *rest, last = sorted(names)
    return f"{', '.join(rest)} and {last}" if rest else last
