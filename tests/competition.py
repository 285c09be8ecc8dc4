"""Problem files in the words of the competitions' peg solitaire domains, written here from their description."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

Cell = tuple[int, int]  # row, column
ENGLISH = [(r, c) for r in range(7) for c in range(7) if 2 <= r <= 4 or 2 <= c <= 4]


def competition_file(
    pegs: set[Cell],
    target: Cell,
    metric: bool = True,
    kind: str = "sequential",
    *,
    cells: Iterable[Cell] = ENGLISH,
    weights: Mapping[Cell, int] | None = None,
) -> str:
    """A problem in the words of a track: sequential, temporal or netbenefit.

    With weights the goal of each hole is a preference, as in the net-benefit track of IPC 2008; without, the goal is a
    plain one, as in the files of that name in the Unsolvability IPC.
    """
    cells = list(cells)
    at = {cell: f"pos-{cell[0]}-{cell[1]}" for cell in cells}
    lines = [
        f"(IN-LINE {at[r, c]} {at[r + dr, c + dc]} {at[r + 2 * dr, c + 2 * dc]})"
        for r, c in cells
        for dr, dc in ((0, 1), (1, 0), (0, -1), (-1, 0))
        if (r + dr, c + dc) in at and (r + 2 * dr, c + 2 * dc) in at
    ]
    start = [f"({'occupied' if cell in pegs else 'free'} {at[cell]})" for cell in cells]
    goal = [f"({'occupied' if cell == target else 'free'} {at[cell]})" for cell in cells]
    begins = ["(= (total-cost) 0) (move-ended)"] if kind == "sequential" else []
    measure = {"sequential": "minimize (total-cost)", "temporal": "minimize (total-time)"}.get(kind, "")
    if weights is not None:
        goal = [f"(preference g{i} {fact})" for i, fact in enumerate(goal)]
        terms = [f"(* (is-violated g{i}) {weights[cell]})" for i, cell in enumerate(cells)]
        measure = f"maximize (- {max(weights.values())} (+ {' '.join(terms)}))"
    return "\n".join(
        [
            f"(define (problem pegsolitaire-{kind}-001) (:domain pegsolitaire-{kind})",
            "(:objects", *(f"{name} - location" for name in at.values()), ")",
            "(:init", *begins, *lines, *start, ")",
            "(:goal (and", *goal, "))",
            f"(:metric {measure})" if metric and measure else "",
            ")",
        ]
    )  # fmt: skip


def army_file(width: int, height: int, pegs: list[list[int]], goal: list[list[int]]) -> str:
    """A problem in the words of the row-5 domain of the Unsolvability IPC 2016."""
    cells = [(x, y) for x in range(width) for y in range(height)]
    at = {cell: f"pos-{cell[0]}-{cell[1]}" for cell in cells}
    filled = {(x, y) for x, y in pegs}
    lines = [
        f"(IN-LINE {at[x, y]} {at[x + dx, y + dy]} {at[x + 2 * dx, y + 2 * dy]})"
        for dx, dy in ((0, 1), (0, -1), (1, 0), (-1, 0))
        for x, y in cells
        if (x + 2 * dx, y + 2 * dy) in at
    ]
    start = [f"({'occupied' if cell in filled else 'free'} {name})" for cell, name in at.items()]
    wanted = [f"(occupied {at[x, y]})" for x, y in goal]
    return "\n".join(
        [
            ";; Try to move one peg to the middle of the top line",
            "(define (problem pegsolitaire-invasion-1) (:domain pegsolitaire-invasion)",
            "(:objects", *(f"{name} - location" for name in at.values()), ")",
            "(:init", *lines, *start, ")",
            "(:goal (and", *wanted, ")))",
        ]
    )  # fmt: skip
