"""The text of ``pegcp show``: picture, counts, symmetries, class, goal and certificate of a problem."""

from __future__ import annotations

import time
from collections.abc import Sequence
from functools import partial
from html import escape
from textwrap import fill

from pegcp.errors import line_width, plural
from pegcp.game import Board, Nearest, Objective, Problem
from pegcp.game.lattice import PEG, VACANCY, draw, draw_labels
from pegcp.game.svg import Drawn
from pegcp.method import Data
from pegcp.theory import certificates, parity

_CERTIFICATE_SECONDS = 5.0  # to look for a certificate
_OBJECTIVES = {  # in words, where the name alone does not say it
    Objective.ANY: "any solution",
    Objective.COUNT: "count all solutions",
    Objective.NEAREST: "nearest to the goal",
}


class Page(str, Drawn):
    """A text that prints as it is; a notebook also shows its picture, an SVG document, which ``save`` writes."""

    svg: str

    def __new__(cls, text: str, svg: str = "") -> Page:
        """Return a text with a picture; a copy gets it later."""
        page = super().__new__(cls, text)
        page.svg = svg
        return page

    def __repr__(self) -> str:
        return str(self)

    def _repr_svg_(self) -> str:
        return self.svg

    def _repr_html_(self) -> str:
        return (
            f"<figure>{self.svg}<pre style='white-space:pre-wrap;font-family:monospace'>{escape(self)}</pre></figure>"
        )


def describe(problem: Problem) -> Page:
    """Return a problem's picture, counts, symmetries, class, goal and certificate."""
    began = time.monotonic()
    certificate = certificates.find(problem, seconds=_CERTIFICATE_SECONDS)
    is_late = time.monotonic() - began >= _CERTIFICATE_SECONDS
    search = "none found" + f" within {_CERTIFICATE_SECONDS:g} s; pegcp explain searches longer" * is_late
    rows = [
        *_board_rows(problem),
        *_position_rows(problem),
        ("fingerprint", problem.fingerprint),
        ("certificate", search if certificate is None else _certificate(certificate)),
    ]
    pictures = [_drawing(problem.board, problem.start.mask)]
    if problem.final_pegs.bit_count() > 1 or isinstance(problem.goal, Nearest):
        pictures.append("goal:\n" + _goal(problem))
    return Page("\n\n".join([problem.name, *pictures, align(rows)]) + "\n", problem._repr_svg_())


def align(rows: Sequence[tuple[str, str]]) -> str:
    """Format rows of a word and its value as aligned lines, wrapped, but not at \\xa0."""
    width = max(len(key) for key, _ in rows)
    wrap = partial(
        fill, width=line_width(), subsequent_indent=" " * (width + 2), break_long_words=False, break_on_hyphens=False
    )
    return "\n".join(wrap(value, initial_indent=f"{key:<{width}}  ") for key, value in rows).replace("\xa0", " ")


def _board_rows(problem: Problem) -> list[tuple[str, str]]:
    """Describe the board; of each class of holes under its symmetries there is one hole, and the size of the class."""
    board, group, own = problem.board, problem.board.symmetries, problem.symmetries(most=1000)
    order = str(group.order) if group.order < 10**12 else f"about 10^{group.order.bit_length() * 30103 // 100000}"
    classes = [f"{board.holes[orbit[0]]}\xa0({len(orbit)})" for orbit in group.orbits]
    of_problem = f", {len(own)} of the problem" if own.complete else ""
    return [
        ("board", f"{board.name}{f', {board.title}' if board.title else ''}"),
        ("holes", f"{len(board.holes)}"),
        ("jumps", f"{len(board.jumps)}, along {plural(len(board.lines), 'line')}"),
        ("symmetries", f"{'' if group.complete else 'at least '}{order} of the board{of_problem}"),
        ("start classes", f"{len(classes)}: {_first(12, classes)}"),
    ]


def _position_rows(problem: Problem) -> list[tuple[str, str]]:
    """Describe the start, its class, and what is asked for."""
    board, start, counts = problem.board, problem.start.mask, problem.lengths
    vacancies = board.names(board.full & ~start)
    bits = "".join(map(str, parity.position_class(board, start)))
    finishes = board.names(parity.possible_finishes(board, start))
    last = f"possible only at {_first(16, finishes)}" if finishes else "impossible"
    parities = f"{bits} ({len(bits)} parit{'y' if len(bits) == 1 else 'ies'}); last peg {last}"
    length = f"{f'{counts[0]} to ' if len(counts) > 1 else ''}{plural(counts[-1], 'jump')}" if counts else ""
    return [
        ("pegs", f"{len(problem.start)}" + (f", vacancies {' '.join(vacancies)}" if 0 < len(vacancies) <= 12 else "")),
        ("position class", parities if bits else "all positions of this board are in one class"),
        ("goal", problem.goal_text),
        ("objective", _OBJECTIVES.get(problem.objective, problem.objective.replace("-", " "))),
        ("solution length", length or "none: no number of jumps leaves the pegs of the goal"),
    ]


def _first(most: int, names: Sequence[str]) -> str:
    return " ".join([*names[:most], *["..."] * (len(names) > most)])


def _certificate(certificate: Data) -> str:
    kinds = sorted({case["kind"] for case in certificate["cases"]} if "cases" in certificate else {certificate["kind"]})
    return f"no solution, by {' and '.join(kinds)}; pegcp explain draws it"


def _drawing(board: Board, start: int) -> str:
    """Draw the start position; on staggered lattices with the names of the holes beside it."""
    drawing = draw(board, start, coordinates=True)
    if board.lattice is not None and board.lattice.staggered:
        names = ["", *draw_labels(board, board.holes).split("\n")]
        width = max(map(len, drawing.split("\n")))
        return "\n".join(f"{line:<{width}}     {row}" for line, row in zip(drawing.split("\n"), names, strict=True))
    return drawing


def _goal(problem: Problem) -> str:
    """Draw the goal."""
    board, goal, pegs, vacancies = problem.board, problem.goal, problem.final_pegs, problem.final_vacancies
    if isinstance(goal, Nearest):
        pegs, vacancies = goal.pegs, board.full & ~goal.pegs
    marks = [PEG if pegs >> i & 1 else VACANCY if vacancies >> i & 1 else "?" for i in range(len(board.holes))]
    drawing = draw_labels(board, marks, coordinates=True)
    if isinstance(goal, Nearest) and len(set(goal.weights)) > 1:
        drawing += "\n\nweights:\n" + draw_labels(board, list(map(str, goal.weights)))
    return drawing
