"""Results of runs: data, views in text and HTML, JSON."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from html import escape
from pathlib import Path
from textwrap import fill
from typing import Any, assert_never

from pegcp import plain
from pegcp.errors import InputError, InvalidSolution, plural
from pegcp.formats.toml import read_problem
from pegcp.game.board import Jump
from pegcp.game.goal import Objective
from pegcp.game.jump_notation import written
from pegcp.game.position import Position
from pegcp.game.problem import Problem
from pegcp.game.replay import Replay
from pegcp.method import Answer, Evidence, Number, Reason, Status
from pegcp.render.filmstrip import solution_svg
from pegcp.theory.certificates import explain, picture


@dataclass(frozen=True, repr=False)
class Result:
    """A checked answer. Immutable; ``jumps`` are there if and only if the status is SOLVED or OPTIMAL, and then they
    have been replayed. Make one with
    :func:`pegcp.running.judge.checked` or :func:`failed`.

    ``objective`` is its value, or for the objective ``count`` how many solutions there are, and ``counted`` what was
    counted. ``backend`` is what ran the model; ``message`` explains every status but success; ``versions`` and
    ``parameters`` say what ran and how, ``provenance`` where and when.

    ``log`` is the end of the solver's own log, and ``solutions`` are those that were listed, all of them replayed;
    each where it was asked for.

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
    solutions: tuple[tuple[Jump, ...], ...] = field(default=(), compare=False, repr=False)

    def __post_init__(self) -> None:
        if self.evidence is None or not self.answered:
            object.__setattr__(self, "evidence", self._evidence())
        answered = self.status.has_solution
        if answered != (self.jumps is not None) or answered != (self.replay is not None):
            raise ValueError(f"a result with status {self.status} must {'' if answered else 'not '}have replayed jumps")
        if self.reason.sort not in REASONS[self.status]:
            raise ValueError(f"a result cannot be {self.status} {self.reason}")

    def _evidence(self) -> Evidence | None:
        match self.status:
            case Status.UNKNOWN:
                return None
            case Status.INFEASIBLE:
                if self.certificate is None:
                    return Evidence.CLAIMED
                return Evidence.CERTIFICATE
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
    def moves(self) -> list[str]:
        """The moves by name, such as ``d2-d4-f4``; empty without a solution. :func:`pegcp.check` reads them back."""
        return [written(self.problem.board, move) for move in self.replay.moves] if self.replay else []

    @property
    def seconds(self) -> float | None:
        """Wall seconds of the whole run; None if the result does not say."""
        return self.statistics.get("wall_seconds")

    def save(self, path: str | Path) -> None:
        """Write the solution, or the proof that there is none, as ``pegcp solve -o`` does.

        The ending says how: a picture (.svg, .png), an animation (.gif), a page (.html), data (.json), moves (.txt),
        a plan (.soln). Raises InputError for another ending, and if the file cannot be written.
        """
        from pegcp.report.solution import save

        save(self, Path(path))

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
            moves = fill(" ".join(self.moves), 78, initial_indent="  ", subsequent_indent="  ", break_on_hyphens=False)
            lines += [moves, str(self.replay.positions[-1])]
        lines += [self._proof(), self.caution, self.message, self._spent()]
        return "\n".join(line for line in lines if line.strip())

    def _repr_html_(self) -> str:
        caption = escape("; ".join([self._head(), *self._figures(), self.message]).removesuffix("; "))
        proof = (
            f"<pre style='white-space:pre-wrap;font-family:monospace'>{escape(self._proof())}</pre>"
            if self.certificate is not None
            else ""
        )
        picture = self._repr_svg_() or "" if self.replay is None else self.replay._repr_html_()
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
        spent = [(key, self.statistics.get(f"{key}_seconds")) for key in ("compile", "build", "solve", "wall")]
        memory = self.statistics.get("peak_memory_mb")
        figures = [f"{key} {seconds:.2f} s" for key, seconds in spent if seconds is not None]
        return ", ".join([*figures, *([] if memory is None else [f"{memory:.0f} MB"])])

    def to_json(self) -> dict[str, Any]:
        """The object of the JSON contract; jumps are triples of hole names. :meth:`from_json` reads it back."""
        board = self.problem.board
        return {
            "problem": self.problem.name,
            "fingerprint": self.problem.fingerprint,
            "board": board.name,
            "method": self.method,
            "backend": self.backend,
            "status": self.status.value,
            "reason": self.reason.value,
            "jumps": None if self.jumps is None else [list(board.jump_names(jump)) for jump in self.jumps],
            "moves": len(self.moves) if self.replay else None,
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
        from pegcp.running.judge import examine, make_result

        try:
            name = plain.text("problem", data["problem"])
            problem = read_problem(plain.description(data["description"]), source="result", name=name)
            problem = problem.with_board(**_about_board(data, len(problem.board.holes)))
            board = problem.board
            if problem.fingerprint != data["fingerprint"]:
                raise InputError(f"the description of {name} does not have its fingerprint {data['fingerprint']}")
            method = plain.text("method", data["method"])
            answer = read_answer(data, lambda jump: Jump(*map(board.hole, jump)))
            replay, fault = examine(problem, method, answer, None)
            if fault:
                raise InputError(fault)
            versions = plain.mapping("versions", data["versions"])
            return make_result(
                problem,
                method,
                answer,
                replay,
                backend=None if data["backend"] is None else plain.text("backend", data["backend"]),
                versions={about: plain.text(about, version) for about, version in versions.items()},
                parameters=_parameters(data["parameters"]),
                provenance=plain.mapping("provenance", data["provenance"]),
                log=plain.text("log", data.get("log", "")),
            )
        except KeyError as error:
            raise InputError(f"not a result: it has no {error}") from None
        except (TypeError, ValueError, AttributeError, InvalidSolution) as error:
            raise InputError(f"not a result: {error}") from None


def read_answer(data: Mapping[str, Any], jump: Callable[[Any], Jump], most: int = plain.LONGEST_TEXT) -> Answer:
    """The answer in plain data, whose jumps are read by ``jump``; at most so many characters of its message.

    All but the status and the reason may be missing. Raises KeyError, TypeError or ValueError for what is none.
    """
    jumps, certificate = data.get("jumps"), data.get("certificate")
    return Answer(
        Status(data["status"]),
        Reason(data["reason"]),
        None if jumps is None else tuple(map(jump, jumps)),
        plain.number("objective", data.get("objective")),
        plain.number("bound", data.get("bound")),
        None if certificate is None else plain.mapping("certificate", certificate),
        plain.statistics(data.get("statistics") or {}),
        plain.text("message", data.get("message", ""), most),
        plain.text("counted", data.get("counted") or ""),
    )


def _about_board(data: Mapping[str, Any], holes: int) -> dict[str, Any]:
    """What a result says of its board that is not in the description: its name, and where its holes are drawn."""
    about: dict[str, Any] = {}
    if data.get("board") is not None:
        about["name"] = plain.text("board", data["board"], 1000)
    if data.get("coordinates") is not None:
        about["coordinates"] = plain.points("coordinates", data["coordinates"], holes)
    return about


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


REASONS: dict[Status, tuple[str, ...]] = {  # sorts of reasons that can go with a status
    Status.SOLVED: ("completed", "limit", "interruption"),
    Status.OPTIMAL: ("completed",),
    Status.INFEASIBLE: ("completed",),
    Status.UNKNOWN: ("completed", "limit", "fault", "refusal", "interruption"),
}


def failed(problem: Problem, method: str, reason: Reason, message: str, **about: Any) -> Result:
    """The result of a run without a usable answer: UNKNOWN, with the reason and a message."""
    message = plain.text("message", message, plain.LONGEST_MESSAGE)
    return Result(problem, method, Status.UNKNOWN, reason, message=message, **about)
