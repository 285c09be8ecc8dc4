"""Writes Data.v, the certificates and solutions that English.v is about: python formal/data.py > formal/Data.v"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pegcp

PROVED = Path(__file__).parent.parent / "examples" / "proved"
BERGHOLT = """46-44 65-45 57-55 54-56 52-54 73-53 43-63 75-73-53 35-55 15-35 23-43-63-65-45-25 37-57-55-53 31-33 34-32
51-31-33 13-15-35 36-34-32-52-54-34 24-44"""  # 1912; column and row of each hole
BOARD = pegcp.board("english")
NUMBER = {(jump.from_, jump.over, jump.to): j for j, jump in enumerate(BOARD.jumps)}
CELLS = [(ord(hole[0]) - ord("d"), int(hole[1]) - 4) for hole in BOARD.holes]  # from the centre
SYMMETRIES = [
    [CELLS.index((a * y, b * x) if turned else (a * x, b * y)) for x, y in CELLS]
    for turned in (False, True)
    for a in (1, -1)
    for b in (1, -1)
]


def numbers(values: Iterable[int]) -> str:
    """A list in Coq."""
    return "[" + "; ".join(map(str, values)) + "]"


def jump(*holes: str) -> int:
    """The number of a jump between these holes."""
    start, over, end = map(BOARD.holes.index, holes)
    return NUMBER[start, over, end]


def node(given: list[Any]) -> str:
    """A node of a tree of cases."""
    match given:
        case ["split", number, k]:
            return f"Split (number {number}) {k}"
        case ["cut", i]:
            return f"Cut {i}"
        case ["sum", times]:
            return "Sum [" + "; ".join(f"(number {row}, ({many})%Z)" for row, many in times) + "]"
    return "Stuck"


def certificate(name: str, folder: str) -> str:
    """The certificate of a proof folder."""
    (part,) = json.loads((PROVED / folder / "claim.json").read_text())["parts"]
    given = part["certificate"]
    tree = ";\n  ".join(map(node, given["tree"]))
    cuts = "; ".join("[" + "; ".join(f"({j}, {m}%Z)" for j, m in cut) + "]" for cut in given.get("cuts", []))
    most = f"Some {given['most']}%Z" if "most" in given else "None"
    return f"Definition {name} : certificate := Certificate [\n  {tree}\n] [{cuts}] ({most}).\n"


def bergholt() -> Iterator[int]:
    """The jumps of his solution of the central game."""
    for move in BERGHOLT.split():
        for start, end in pairwise([(int(column), int(row)) for column, row in move.split("-")]):
            over = (start[0] + end[0]) // 2, (start[1] + end[1]) // 2
            yield jump(*(f"{'_abcdefg'[column]}{row}" for column, row in (start, over, end)))


def pairs() -> dict[tuple[int, int], list[int]]:
    """A solution for each vacancy and last peg that the position classes allow; of symmetric pairs one is solved."""
    found: dict[tuple[int, int], list[int]] = {}
    classes = [[(x + sign * y) % 3 != k for x, y in CELLS] for sign in (1, -1) for k in range(3)]
    for c, vacancy in enumerate(BOARD.holes):
        for f, last in enumerate(BOARD.holes):
            if (c, f) in found or any((sum(some) - some[c] - some[f]) % 2 for some in classes):
                continue
            result = pegcp.solve(pegcp.problem(f"english:{vacancy}->{last}"), "parallel", time_limit=300)
            for image in SYMMETRIES:
                jumps = [NUMBER[image[j.from_], image[j.over], image[j.to]] for j in result.jumps]
                found.setdefault((image[c], image[f]), jumps)
    return found


def main() -> None:
    """Print the file."""
    print("(** Written by data.py. *)\n\nFrom Coq Require Import List ZArith.\nFrom Pegcp Require Import Certificates.")
    print("Import ListNotations.\n")
    print(certificate("figure_5", "kiyomi-matsui-figure-5"))
    for hole in "d1", "d4":
        folder = f"english-fools-{hole}"
        print(certificate(f"{hole}_five", folder))
        made = json.loads((PROVED / folder / "claim.json").read_text())["solution"]
        print(f"Definition {hole}_six := {numbers(jump(*holes) for holes in made)}.\n")
    print(f"Definition bergholt := {numbers(bergholt())}.\n")
    print("(** Vacancy, last peg, solution: every pair of the English board that has one. *)\n")
    lines = [f"  ({c}, {f}, {numbers(jumps)})" for (c, f), jumps in sorted(pairs().items())]
    print("Definition pairs : list (nat * nat * list nat) := [\n" + ";\n".join(lines) + "\n].")


if __name__ == "__main__":
    main()
