"""Results: what pegcp found when it checked the answer of a method."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from html import escape
from textwrap import fill
from typing import Any, assert_never

from pegcp import plain
from pegcp.errors import InputError, InvalidSolution, plural
from pegcp.formats.toml import read_problem
from pegcp.game.board import Jump
from pegcp.game.check import Replay, check
from pegcp.game.goal import Objective
from pegcp.game.position import Position
from pegcp.game.problem import Problem
from pegcp.game.written import written
from pegcp.method import Answer, Evidence, Limits, Number, Reason, Status
from pegcp.render.filmstrip import solution_svg
from pegcp.theory.certificates import Unchecked, explain, picture, verify


@dataclass(frozen=True, repr=False)
class Result:
    """A checked answer. Immutable; ``jumps`` are there if and only if the status is SOLVED or OPTIMAL, and then they
    have been replayed. Make one with :func:`checked` or :func:`failed`.

    ``objective`` is its value, or for the objective ``count`` how many solutions there are, and ``counted`` what was
    counted. ``backend`` is what ran the model; ``message`` explains every status but success; ``versions`` and
    ``parameters`` say what ran and how, ``provenance`` where and when.

    ``log`` is the end of the solver's own log, where it was asked for.

    ``evidence`` is what the verdict rests on, None if there is none; for ``agreed``, which a comparison finds out,
    ``agrees_with`` names the other method.
    """

    problem: Problem
    method: str
    status: Status
    reason: Reason
    jumps: tuple[Jump, ...] | None = None
    objective: Number | None = None
    bound: Number | None = None
    certificate: Mapping[str, Any] | None = None
    statistics: Mapping[str, Any] = field(default_factory=dict)
    backend: str | None = None
    versions: Mapping[str, str] = field(default_factory=dict)
    parameters: Mapping[str, Any] = field(default_factory=dict)
    provenance: Mapping[str, Any] = field(default_factory=dict)
    message: str = ""
    counted: str = ""
    replay: Replay | None = field(default=None, compare=False, repr=False)
    evidence: Evidence | None = field(default=None, compare=False)
    agrees_with: str = field(default="", compare=False)
    log: str = field(default="", compare=False, repr=False)

    def __post_init__(self) -> None:
        if self.evidence is None or not self.answered:
            object.__setattr__(self, "evidence", self._evidence())
        answered = self.status.has_solution
        if answered != (self.jumps is not None) or answered != (self.replay is not None):
            raise ValueError(f"a result with status {self.status} must {'' if answered else 'not '}have replayed jumps")
        if self.status is not Status.UNKNOWN and self.reason is Reason.INVALID_SOLUTION:
            raise ValueError("a result whose answer failed its check is UNKNOWN")

    def _evidence(self) -> Evidence | None:
        match self.status:
            case Status.UNKNOWN:
                return None
            case Status.INFEASIBLE:
                return Evidence.CLAIMED if self.certificate is None else Evidence.CERTIFICATE
            case Status.SOLVED:
                counted = self.problem.objective is Objective.COUNT and self.objective is not None
                return Evidence.CLAIMED if counted else Evidence.REPLAYED
            case Status.OPTIMAL:
                # Where no solution can be better than this one, that needs no other evidence.
                return Evidence.REPLAYED if self.objective == self.problem.least_value else Evidence.CLAIMED
            case _:
                assert_never(self.status)

    @property
    def rests_on(self) -> str:
        """The evidence in words: ``replayed``, ``certificate``, ``proof``, ``agreed (METHOD)`` or ``claimed``."""
        return f"{self.evidence or ''}{f' ({self.agrees_with})' if self.agrees_with else ''}"

    @property
    def caution(self) -> str:
        """What to bear in mind of a verdict that is only claimed."""
        return "claimed by the method; no certificate shows it" if self.evidence is Evidence.CLAIMED else ""

    @property
    def moves(self) -> int | None:
        """How many moves the solution has."""
        return len(self.replay.moves) if self.replay else None

    @property
    def solution(self) -> list[str]:
        """The moves by name, such as ``d2-d4-f4``; empty without a solution. :func:`pegcp.check` reads them back."""
        return [written(self.problem.board, move) for move in self.replay.moves] if self.replay else []

    def positions(self) -> list[Position]:
        """The positions of the solution, from the start to the last; empty without a solution."""
        return list(self.replay.positions) if self.replay else []

    @property
    def verdict(self) -> str:
        """The status, and the reason where it says more."""
        return self.status.value if self.reason is Reason.COMPLETED else f"{self.status} {self.reason}"

    @property
    def answered(self) -> bool:
        """Whether the question is settled one way or the other."""
        return self.status is not Status.UNKNOWN

    def __repr__(self) -> str:
        return f"<Result {'; '.join([self._head(), *self._figures()])}>"

    def __str__(self) -> str:
        """A page of text: the verdict, the moves and where they lead, or the certificate; the time it took."""
        lines = [self._head(), "; ".join(self._figures())]
        if self.replay is not None:
            moves = fill(
                " ".join(self.solution), 78, initial_indent="  ", subsequent_indent="  ", break_on_hyphens=False
            )
            lines += [moves, str(self.replay.positions[-1])]
        lines += [self._proof(), self.caution, self.message, self._spent()]
        return "\n".join(line for line in lines if line.strip())

    def _repr_html_(self) -> str:
        caption = escape("; ".join([self._head(), *self._figures(), self.message]).removesuffix("; "))
        proof = (
            f"<pre style='white-space:pre-wrap'>{escape(self._proof())}</pre>" if self.certificate is not None else ""
        )
        picture = self._repr_svg_() or ""
        if self.jumps is not None:  # a filmstrip scrolls where there is no room, for smaller nobody could read it
            inner = f"<div style='width:max-content'>{picture}</div>"
            picture = f"<div style='overflow-x:auto' tabindex='0'>{inner}</div>"
        return f"<figure>{picture}{proof}<figcaption>{caption}</figcaption></figure>"

    def _repr_svg_(self) -> str | None:
        """The solution as a filmstrip, or the certificate on the board."""
        if self.certificate is not None:
            return picture(self.problem, self.certificate)
        return None if self.jumps is None else solution_svg(self.problem, self.jumps)

    def _head(self) -> str:
        return f"{self.problem.name} by {self.method}: {self.verdict}"

    def _figures(self) -> list[str]:
        """What was reached, in words."""
        aim = self.problem.objective
        found = []
        if self.replay is not None and self.jumps is not None:
            found.append(f"{plural(len(self.jumps), 'jump')} in {plural(len(self.replay.moves), 'move')}")
        if self.objective is not None:
            found.append(f"{aim} = {self.objective:,}{f' ({self.counted})' if self.counted else ''}")
        if self.bound is not None and self.bound != self.objective:
            found.append(f"{aim} at least {self.bound:,}")
        return found

    def _proof(self) -> str:
        return "" if self.certificate is None else explain(self.problem, self.certificate)

    def _spent(self) -> str:
        """Time and memory, in words."""
        spent = [(key, self.statistics.get(f"{key}_seconds")) for key in ("build", "solve", "wall")]
        memory = self.statistics.get("peak_memory_mb")
        figures = [f"{key} {seconds:.2f} s" for key, seconds in spent if seconds is not None]
        return ", ".join([*figures, *([] if memory is None else [f"{memory:.0f} MB"])])

    def to_json(self) -> dict[str, Any]:
        """The object of the JSON contract; jumps are triples of hole names. :meth:`from_json` reads it back."""
        board = self.problem.board
        return {
            "problem": self.problem.name,
            "fingerprint": self.problem.fingerprint,
            "method": self.method,
            "backend": self.backend,
            "status": self.status.value,
            "reason": self.reason.value,
            "jumps": None if self.jumps is None else [list(board.jump_names(jump)) for jump in self.jumps],
            "moves": self.moves,
            "objective": self.objective,
            "counted": self.counted or None,
            "bound": self.bound,
            "certificate": None if self.certificate is None else dict(self.certificate),
            "evidence": None if self.evidence is None else self.evidence.value,
            "agrees_with": self.agrees_with or None,
            "statistics": dict(self.statistics),
            "versions": dict(self.versions),
            "parameters": dict(self.parameters),
            "provenance": dict(self.provenance),
            "message": self.message,
            "description": self.problem.text,
            **({"log": self.log} if self.log else {}),
            **({} if board.coordinates is None else {"coordinates": [list(point) for point in board.coordinates]}),
        }

    @staticmethod
    def from_json(data: Mapping[str, Any]) -> Result:
        """The result that :meth:`to_json` wrote, its solution and certificate checked again. Raises InputError."""
        try:
            name = plain.text("problem", data["problem"])
            problem = read_problem(plain.description(data["description"]), source="result", name=name)
            if data.get("coordinates") is not None:
                problem = problem.drawn_at(plain.points("coordinates", data["coordinates"], len(problem.board.holes)))
            board = problem.board
            if problem.fingerprint != data["fingerprint"]:
                raise InputError(f"the description of {name} does not have its fingerprint {data['fingerprint']}")
            jumps = data["jumps"]
            if jumps is not None:
                jumps = tuple(Jump(*(board.hole(hole) for hole in jump)) for jump in jumps)
            replay = None if jumps is None else check(problem, jumps)
            status, objective = Status(data["status"]), plain.number("objective", data["objective"])
            value = _value(problem, status, replay, objective)
            if objective not in (None, value):
                raise InputError(f"the objective of {name} is {value}, not {objective}")
            certificate = data["certificate"]
            if certificate is not None:
                certificate = plain.mapping("certificate", certificate)
                flaw = verify(problem, certificate)
                if flaw:
                    raise InputError(f"the certificate for {name} is wrong: {flaw}")
            versions = plain.mapping("versions", data["versions"])
            return Result(
                problem,
                plain.text("method", data["method"]),
                status,
                Reason(data["reason"]),
                jumps,
                value,
                plain.number("bound", data["bound"]),
                certificate,
                plain.statistics(data["statistics"]),
                None if data["backend"] is None else plain.text("backend", data["backend"]),
                {about: plain.text(about, version) for about, version in versions.items()},
                _parameters(data["parameters"]),
                plain.mapping("provenance", data["provenance"]),
                plain.text("message", data["message"]),
                plain.text("counted", data.get("counted") or ""),
                replay=replay,
                log=plain.text("log", data.get("log", "")),
            )
        except KeyError as error:
            raise InputError(f"not a result: it has no {error}") from None
        except (TypeError, ValueError, AttributeError, InvalidSolution) as error:
            raise InputError(f"not a result: {error}") from None


def _parameters(value: Any) -> dict[str, Any]:
    """Parameters of a run, of which the seed and the limits are numbers that make sense."""
    parameters = plain.mapping("parameters", value)
    for key in ("seed", "workers"):
        if key in parameters:
            plain.whole(key, parameters[key])
    for key in ("time_limit", "memory_limit"):
        if key in parameters and not (key == "memory_limit" and parameters[key] is None):
            plain.amount(key, parameters[key])
    return parameters


def checked(problem: Problem, method: str, answer: Answer, limits: Limits | None = None, **about: Any) -> Result:
    """The result of a method's answer: solutions replayed, objective values recomputed, certificates verified.

    An answer that fails becomes UNKNOWN with reason INVALID_SOLUTION and a message; one with a certificate that takes
    more than the limits to verify, with reason TIME or MEMORY. ``about`` goes to Result as it is.
    """
    jumps, replay, fault = answer.jumps, None, ""
    if answer.status.has_solution:
        if jumps is None:
            fault = f"{method} claims {answer.status} without a solution"
        else:
            try:
                replay = check(problem, jumps)
            except InvalidSolution as error:
                fault = str(error)
    elif jumps is not None:
        fault = f"{method} gives a solution together with {answer.status}"
    objective = _value(problem, answer.status, replay, answer.objective)
    fault = fault or _misjudged(problem, method, answer, objective)
    if answer.certificate is not None and not fault:
        try:
            flaw = verify(problem, answer.certificate, limits)
        except Unchecked as error:
            return failed(problem, method, error.reason, error.message, statistics=answer.statistics, **about)
        fault = f"the certificate of {method} is wrong: {flaw}" if flaw else ""
    if fault:
        return failed(problem, method, Reason.INVALID_SOLUTION, fault, statistics=answer.statistics, **about)
    return Result(
        problem,
        method,
        answer.status,
        answer.reason,
        jumps if replay else None,
        objective,
        answer.bound,
        answer.certificate,
        answer.statistics,
        message=answer.message,
        counted=answer.counted if replay else "",
        replay=replay,
        **about,
    )


def _value(problem: Problem, status: Status, replay: Replay | None, claimed: Number | None) -> Number | None:
    """The value of the objective: what the replay says, or of a count what is claimed. No solution counts as 0."""
    if problem.objective is Objective.COUNT:
        return 0 if status is Status.INFEASIBLE else claimed if replay else None
    return replay.value if replay else None


def _misjudged(problem: Problem, method: str, answer: Answer, objective: Number | None) -> str:
    """What does not fit together in the claims of a method about the objective."""
    if problem.objective is Objective.COUNT and answer.jumps is not None:
        whole = isinstance(objective, int) and objective > 0
        if not whole and (answer.status is Status.OPTIMAL or objective is not None):
            return f"{method} has a solution and counts {objective}"
    if objective is None:
        return ""
    if answer.objective not in (None, objective):
        return f"{method} claims objective {answer.objective}, the solution has {objective}"
    if answer.bound is None:
        return ""
    if answer.bound > objective:
        return f"{method} claims the bound {answer.bound}, its own solution has {objective}"
    if answer.status is Status.OPTIMAL and answer.bound < objective:
        return f"{method} claims the optimum {objective} with the bound {answer.bound}"
    return ""


def failed(problem: Problem, method: str, reason: Reason, message: str, **about: Any) -> Result:
    """The result of a run without a usable answer: UNKNOWN, with the reason and a message."""
    message = plain.text("message", message, plain.LONGEST_MESSAGE)
    return Result(problem, method, Status.UNKNOWN, reason, message=message, **about)
