"""A result: its data, its views, and what it is written to; and the solutions of one that lists them, each replayed,
none twice. :mod:`pegcp.results.reading` reads its JSON."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from pathlib import Path
from textwrap import fill
from typing import Any, Never, overload

from pegcp.errors import clipped, line_width, plural, refuse_if
from pegcp.formats.pddl import domain_for, write_plan
from pegcp.game import Jump, Objective, Position, Problem, Replay, group_moves, write_move
from pegcp.game.svg import PICTURE_ENDINGS, animation_svg, check_picture, picture_file
from pegcp.habits import Guided
from pegcp.method import Answer, Data, Evidence, Reason, Status
from pegcp.theory import certificates
from pegcp.writing import check_ending, write_file

FORMATS = (*PICTURE_ENDINGS, ".html", ".json", ".txt", ".soln")  # of files that a result can be written to


@dataclass(frozen=True, repr=False, kw_only=True)
class Result(Answer, Guided):
    """A checked answer. Immutable; ``jumps`` are there if and only if the status is SOLVED or OPTIMAL, and then they
    have been replayed. Make one with
    :func:`pegcp.results.judge.judge_answer` or :func:`failed`.

    It has the fields of an :class:`pegcp.method.Answer`, and the data of its run: ``backend`` is what ran the model;
    ``versions`` and ``parameters`` say what ran and how, ``provenance`` where and when. ``message`` explains every
    status but success. ``log`` is the end of the solver's own log, if it was asked for.

    ``evidence`` is what the verdict rests on, None if there is none; for ``agreed``, which a comparison finds out,
    ``agrees_with`` names the other method.
    """

    problem: Problem
    """The problem that was asked."""
    method: str
    """The method as it was written, with its options."""
    backend: str | None = None
    """The backend that ran the model; None for a search."""
    versions: Mapping[str, str] = field(default_factory=dict)
    """The versions of the programs and files that ran, by name."""
    parameters: Data = field(default_factory=dict)
    """Options of the method, limits and seed, by name."""
    provenance: Data = field(default_factory=dict)
    """Where and when the run was made."""
    replay: Replay | None = field(default=None, compare=False)
    """The replay of the solution; None if there is none."""
    evidence: Evidence | None = field(default=None, compare=False)
    """The evidence that the verdict rests on; None if there is no verdict."""
    agrees_with: str = field(default="", compare=False)
    """The method that confirms the verdict, where the evidence is ``agreed``."""
    log: str = field(default="", compare=False)
    """The end of the solver's own log, if it was asked for."""
    solutions: tuple[tuple[Jump, ...], ...] = field(default=(), compare=False)
    """The solutions that were listed, all of them replayed; else the one that was found."""

    def __post_init__(self) -> None:
        if self.evidence is None or not self.answered:
            counts = self.problem.objective is Objective.COUNT and self.objective is not None
            by_status = {
                Status.UNKNOWN: None,
                Status.INFEASIBLE: Evidence.CLAIMED if self.certificate is None else Evidence.CERTIFICATE,
                Status.SOLVED: Evidence.CLAIMED if counts else Evidence.REPLAYED,
                # Where no solution can be better than this one, that needs no other evidence.
                Status.OPTIMAL: Evidence.REPLAYED if self.objective == self.problem.least_value else Evidence.CLAIMED,
            }
            object.__setattr__(self, "evidence", by_status[self.status])
        has_solution = self.status.has_solution
        if self.jumps is not None:
            object.__setattr__(self, "jumps", self.problem.board.name_jumps(self.jumps))
            object.__setattr__(self, "solutions", self.solutions or (self.jumps,))
        if has_solution != (self.jumps is not None) or has_solution != (self.replay is not None):
            raise ValueError(
                f"a result with status {self.status} must {'' if has_solution else 'not '}have replayed jumps"
            )
        if self.reason.sort not in REASONS[self.status]:
            raise ValueError(f"a result cannot be {self.status} {self.reason}")

    def __bool__(self) -> Never:
        """Raise TypeError: there may be a solution, none, or no answer, and a result is there in each case."""
        raise TypeError(
            'a Result is neither true nor false: ask .status.has_solution, or .status == "INFEASIBLE" '
            '(there is none), or "is not None"'
        )

    def __len__(self) -> Never:
        raise TypeError("a Result has no length: use len(result.jumps) or len(result.moves)")

    @property
    def rests_on(self) -> str:
        """The evidence in words: ``replayed``, ``certificate``, ``proof``, ``agreed (METHOD)`` or ``claimed``."""
        return f"{self.evidence or ''}{f' ({self.agrees_with})' if self.agrees_with else ''}"

    @property
    def caution(self) -> str:
        """A warning if the verdict is only claimed."""
        if self.evidence is not Evidence.CLAIMED:
            return ""
        more = " (pegcp prove looks for a proof)"
        if self.status is Status.INFEASIBLE:
            is_looked_for = "certificate_seconds" in self.statistics
            more = f"; no certificate was found{more}" if is_looked_for else " (pegcp explain looks for a certificate)"
        elif self.problem.objective in (Objective.COUNT, Objective.NEAREST):
            more = ""
        return f"claimed, not verified: only {self.method} says so{more}"

    @property
    def moves(self) -> list[str]:
        """The moves by name, such as ``d2-d4-f4``; empty without a solution. :func:`pegcp.check` reads them back."""
        return [write_move(self.problem.board, move) for move in self.replay.moves] if self.replay else []

    @property
    def seconds(self) -> float | None:
        """Wall seconds of the whole run; None if the result does not say."""
        return self.statistics.get("wall_seconds")

    def save(self, path: str | Path) -> None:
        """Write the solution, or the proof that there is none, as ``pegcp solve -o`` does.

        The ending says how: a picture (.svg; .png, which needs CairoSVG) or one that plays the solution
        (.animated.svg), a page (.html), data (.json), moves (.txt), a plan (.soln). Raises InputError for another
        ending, and if the file cannot be written.
        """
        check_format(Path(path), self.problem)
        write_file(Path(path), self.as_file(Path(path)))

    def as_file(self, path: Path) -> bytes:
        """Return the content of the file that :meth:`save` writes. Raises InputError for a result that the format
        cannot show."""
        match path.suffix.lower():
            case ".json":
                return (json.dumps(self.to_json(), ensure_ascii=False) + "\n").encode()
            case ".html":
                return self._page().encode()
            case ".txt":
                headline, *more = str(self).split("\n")
                lines = self.moves or [f"# {line}".rstrip() for line in more]
                return "".join(f"{line}\n" for line in (f"# {headline}", *lines)).encode()
            case ".soln":
                refuse_if(self.jumps is None, f"there is no solution to write: {self.verdict}", path)
                return write_plan(self.problem, self.jumps or ()).encode()
            case _:
                picture = self._animation() if path.stem.lower().endswith(".animated") else self._repr_svg_()
                refuse_if(picture is None, f"no solution to draw: {self.verdict}", path)
                return picture_file(path, picture or "")

    def _animation(self) -> str | None:
        """Return the solution as an SVG document that plays it; None without one."""
        start, label = self.problem.start, f"{self.problem.name}: {'; '.join(self._figures())}"
        return None if self.jumps is None else animation_svg(start.board, start.mask, self.jumps, label)

    def _page(self) -> str:
        """Make a page with a player, on paper a filmstrip, and the result in words; without a solution, with its proof
        drawn."""
        from pegcp.render.page import board_data, problem_data, render_page

        text, jumps = str(self), None
        if self.jumps is not None:
            text = text.replace(f"\n{self.positions()[-1]}", "")
            jumps = [hole for jump in self.jumps for hole in jump]
        return render_page(
            "solution.html",
            ("page.js", "drawing.js", "player.js", "solution.js"),
            {
                "methods": [self.method],
                "boards": [board_data(self.problem.board)],
                "problems": [problem_data(self.problem, 0, 0)],
                "runs": [{"problem": 0, "method": 0, "jumps": jumps}],
            },
            title=f"{self.problem.name} by {self.method}",
            solved=jumps is not None,
            text=text,
            picture=self._repr_svg_() or "",
        )

    def positions(self) -> list[Position]:
        """Return the positions of the solution, from the start to the last; empty without a solution."""
        return list(self.replay.positions) if self.replay else []

    @property
    def verdict(self) -> str:
        """The status, and the reason where it says more."""
        return self.status if self.reason is Reason.COMPLETED else f"{self.status} {self.reason}"

    @property
    def answered(self) -> bool:
        """True if the question is settled one way or the other."""
        return self.status is not Status.UNKNOWN

    def __repr__(self) -> str:
        install = [self.message] if self.reason is Reason.MISSING else []
        return f"<Result {'; '.join([self._headline, *self._figures(), *install])}>"

    def __str__(self) -> str:
        """Return the verdict, the moves and their last position, or the certificate; and the time the run took."""
        lines = [self._headline, "; ".join(self._figures())]
        if self.replay is not None:
            moves = fill(
                " ".join(self.moves), line_width(), initial_indent="  ", subsequent_indent="  ", break_on_hyphens=False
            )
            lines += [moves, str(self.replay.positions[-1])]
        lines += [self._proof, self.caution, self.message, self._costs]
        return "\n".join(line for line in lines if line.strip())

    def _repr_html_(self) -> str:
        """Return the solution or the certificate with its picture."""
        caption = "; ".join([self._headline, *self._figures(), *([self.message] if self.message else [])])
        style = "white-space:pre-wrap;font-family:monospace"
        proof = f"<pre style='{style}'>{escape(self._proof)}</pre>" if self._proof else ""
        return f"<figure>{self._repr_svg_() or ''}{proof}<figcaption>{escape(caption)}</figcaption></figure>"

    def _repr_svg_(self) -> str | None:
        """Return the solution as a filmstrip, or the certificate on the board; None without either."""
        if self.certificate is not None:
            return certificates.certificate_svg(self.problem, self.certificate)
        return None if self.replay is None else self.replay._repr_svg_()

    @property
    def _headline(self) -> str:
        return f"{self.problem.name} by {self.method}: {self.verdict}"

    def _figures(self) -> list[str]:
        """Return the length of the solution, the value of the objective and its bound, in words."""
        objective, parts = self.problem.objective, []
        if self.replay is not None:
            jumps, moves = len(self.replay.positions) - 1, len(self.replay.moves)
            parts.append(f"{plural(jumps, 'jump')} in {plural(moves, 'move')}")
        if self.objective is not None:
            parts.append(
                f"{objective} {'=' if self.counted or self.status is Status.OPTIMAL else 'at most'} {self.objective:,}"
                f"{f' ({self.counted})' if self.counted else ''}"
            )
        if self.bound is not None and self.bound != self.objective:
            parts.append(f"{objective} at least {self.bound:,}")
        return parts

    @property
    def _proof(self) -> str:
        return "" if self.certificate is None else certificates.explain(self.problem, self.certificate)

    @property
    def _costs(self) -> str:
        """Time and memory, in words."""
        times = [(key, self.statistics.get(f"{key}_seconds")) for key in ("compile", "build", "solve", "wall")]
        memory = self.statistics.get("peak_memory_mb")
        figures = [f"{key} {seconds:.2f} s" for key, seconds in times if seconds is not None]
        return ", ".join([*figures, *([] if memory is None else [f"{memory:.0f} MB"])])

    def to_json(self) -> dict[str, object]:
        """Return the object of the JSON contract; jumps are triples of hole names. :func:`pegcp.read_result` reads it
        back."""
        problem, board = self.problem, self.problem.board
        return {
            "problem": problem.name,
            "fingerprint": problem.fingerprint,
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
            "description": problem.text,
            **({"log": self.log} if self.log else {}),
            **({} if board.coordinates is None else {"coordinates": [list(point) for point in board.coordinates]}),
        }


LONGEST_MESSAGE = 2_000  # characters that are kept of a message

REASONS: dict[Status, tuple[str, ...]] = {  # sorts of reasons that can go with a status
    Status.SOLVED: ("completed", "limit", "interruption"),
    Status.OPTIMAL: ("completed",),
    Status.INFEASIBLE: ("completed",),
    Status.UNKNOWN: ("completed", "limit", "fault", "refusal", "interruption"),
}


def failed(problem: Problem, method: str, reason: Reason, message: str, **about: Any) -> Result:
    """Return the result of a run without a usable answer: UNKNOWN, with the reason and a message."""
    message = clipped(message, LONGEST_MESSAGE)
    return Result(Status.UNKNOWN, reason, message=message, problem=problem, method=method, **about)


def check_format(path: Path, problem: Problem) -> None:
    """Check that a file ends in one of :data:`FORMATS`, and that the format suits the problem.

    Raises InputError, or Missing for .png without CairoSVG."""
    refuse_if(path.suffix.lower() in (".gif", ".mp4"), 'what moves is SVG here: write "solution.animated.svg"')
    check_ending(path, FORMATS)
    if path.suffix.lower() in PICTURE_ENDINGS:
        check_picture(path)
    if path.suffix.lower() == ".soln":
        domain_for(problem)


# Lists of solutions ---------------------------------------------------------------------------------------------------

MOST_SOLUTIONS = 100_000  # in a list


@dataclass(frozen=True, repr=False)
class Solutions(Sequence[tuple[Jump, ...]], Guided):
    """Solutions in the order in which they were found; ``result`` is that of the run."""

    result: Result

    @property
    def notion(self) -> str:
        """The equivalence up to which no two solutions are the same; empty without solutions."""
        return self.result.counted

    @property
    def complete(self) -> bool:
        """True if these are all solutions, as the method claims."""
        return self.result.status in (Status.OPTIMAL, Status.INFEASIBLE)

    def __len__(self) -> int:
        return len(self.result.solutions)

    @overload
    def __getitem__(self, index: int) -> tuple[Jump, ...]: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[tuple[Jump, ...]]: ...
    def __getitem__(self, index: int | slice) -> object:
        """Return a solution by its number, or several by a slice."""
        return self.result.solutions[index]

    def __repr__(self) -> str:
        return f"<Solutions: {self}>"

    def __str__(self) -> str:
        """Say how many solutions of which problem these are, and whether they are all."""
        result, number = self.result, len(self)
        if not result.answered:
            return f"{result.problem.name} by {result.method}: {result.verdict}; {result.message}"
        text = f"{number:,} solution{'s' * (number != 1)} of {result.problem.name} by {result.method}"
        return (
            f"{text}{f', {self.notion}' if self.notion else ''}; {'that is all' if self.complete else result.message}"
        )

    def written(self) -> Iterator[list[str]]:
        """Yield each solution as its moves, such as ``d2-d4-f4``."""
        board = self.result.problem.board
        return ([write_move(board, move) for move in group_moves(jumps)] for jumps in self)

    def to_json(self) -> Iterator[dict[str, object]]:
        """Yield the objects of a JSON-lines file: one about the list, then one for each solution."""
        result, board = self.result, self.result.problem.board
        yield {
            "problem": result.problem.name,
            "fingerprint": result.problem.fingerprint,
            "method": result.method,
            "status": result.status.value,
            "reason": result.reason.value,
            "solutions": len(self),
            "notion": self.notion,
            "complete": self.complete,
        }
        for jumps, moves in zip(self, self.written(), strict=True):
            yield {"jumps": [list(board.jump_names(jump)) for jump in jumps], "solution": moves}
