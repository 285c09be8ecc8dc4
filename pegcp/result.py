"""Results: what pegcp found when it checked the answer of a method."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from pegcp import plain
from pegcp.errors import InputError, InvalidSolution
from pegcp.formats.toml import read_problem
from pegcp.game.board import Jump
from pegcp.game.check import Replay, check
from pegcp.game.problem import Problem
from pegcp.method import Answer, Number, Reason, Status
from pegcp.render.filmstrip import solution_svg
from pegcp.theory.certificates import verify


@dataclass(frozen=True)
class Result:
    """A checked answer. Immutable; ``jumps`` are there if and only if the status is SOLVED or OPTIMAL, and then they
    have been replayed. Make one with :func:`checked` or :func:`failed`.

    ``backend`` is what ran the model; ``message`` explains every status but success; ``versions`` and ``parameters``
    say what ran and how, ``provenance`` where and when.
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
    replay: Replay | None = field(default=None, compare=False, repr=False)

    def __post_init__(self) -> None:
        answered = self.status in (Status.SOLVED, Status.OPTIMAL)
        if answered != (self.jumps is not None) or answered != (self.replay is not None):
            raise ValueError(f"a result with status {self.status} must {'' if answered else 'not '}have replayed jumps")
        if self.status is not Status.UNKNOWN and self.reason is Reason.INVALID_SOLUTION:
            raise ValueError("a result whose answer failed its check is UNKNOWN")

    @property
    def moves(self) -> int | None:
        """How many moves the solution has."""
        return len(self.replay.moves) if self.replay else None

    @property
    def answered(self) -> bool:
        """Whether the question is settled one way or the other."""
        return self.status is not Status.UNKNOWN

    def _repr_svg_(self) -> str | None:
        return None if self.jumps is None else solution_svg(self.problem, self.jumps)

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
            "bound": self.bound,
            "certificate": None if self.certificate is None else dict(self.certificate),
            "statistics": dict(self.statistics),
            "versions": dict(self.versions),
            "parameters": dict(self.parameters),
            "provenance": dict(self.provenance),
            "message": self.message,
            "description": self.problem.text,
        }

    @staticmethod
    def from_json(data: Mapping[str, Any]) -> Result:
        """The result that :meth:`to_json` wrote, its solution and certificate checked again. Raises InputError."""
        try:
            name = plain.text("problem", data["problem"])
            problem = read_problem(plain.description(data["description"]), source="result", name=name)
            board = problem.board
            if problem.fingerprint != data["fingerprint"]:
                raise InputError(f"the description of {name} does not have its fingerprint {data['fingerprint']}")
            jumps = data["jumps"]
            if jumps is not None:
                jumps = tuple(Jump(*(board.hole(hole) for hole in jump)) for jump in jumps)
            replay = None if jumps is None else check(problem, jumps)
            objective = plain.number("objective", data["objective"])
            if replay is not None and replay.value is not None and replay.value != objective:
                raise InputError(f"the objective of {name} is {replay.value}, not {objective}")
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
                Status(data["status"]),
                Reason(data["reason"]),
                jumps,
                objective,
                plain.number("bound", data["bound"]),
                certificate,
                plain.statistics(data["statistics"]),
                None if data["backend"] is None else plain.text("backend", data["backend"]),
                {about: plain.text(about, version) for about, version in versions.items()},
                _parameters(data["parameters"]),
                plain.mapping("provenance", data["provenance"]),
                plain.text("message", data["message"]),
                replay=replay,
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


def checked(problem: Problem, method: str, answer: Answer, **about: Any) -> Result:
    """The result of a method's answer: solutions replayed, objective values recomputed, certificates verified.

    An answer that fails becomes UNKNOWN with reason INVALID_SOLUTION and a message. ``about`` goes to Result as it is.
    """
    jumps, replay, objective = answer.jumps, None, answer.objective
    fault = ""
    if answer.status in (Status.SOLVED, Status.OPTIMAL):
        if jumps is None:
            fault = f"{method} claims {answer.status} without a solution"
        else:
            try:
                replay = check(problem, jumps)
            except InvalidSolution as error:
                fault = str(error)
            else:
                if replay.value is not None:
                    if answer.objective is not None and answer.objective != replay.value:
                        fault = f"{method} claims objective {answer.objective}, the solution has {replay.value}"
                    objective = replay.value
                if not fault and answer.bound is not None and objective is not None and answer.bound > objective:
                    fault = f"{method} claims the bound {answer.bound}, its own solution has {objective}"
    elif jumps is not None:
        fault = f"{method} gives a solution together with {answer.status}"
    if answer.certificate is not None and not fault:
        flaw = verify(problem, answer.certificate)
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
        replay=replay,
        **about,
    )


def failed(problem: Problem, method: str, reason: Reason, message: str, **about: Any) -> Result:
    """The result of a run without a usable answer: UNKNOWN, with the reason and a message."""
    message = plain.text("message", message, plain.LONGEST_MESSAGE)
    return Result(problem, method, Status.UNKNOWN, reason, message=message, **about)
