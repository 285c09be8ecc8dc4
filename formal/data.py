"""Writes Data.v, the certificates and solutions that English.v is about: python formal/data.py > formal/Data.v"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pegcp

PROVED = Path(__file__).parent.parent / "examples" / "proved"
BERGHOLT = """46-44 65-45 57-55 54-56 52-54 73-53 43-63 75-73-53 35-55 15-35 23-43-63-65-45-25 37-57-55-53 31-33 34-32 51-31-33
13-15-35 36-34-32-52-54-34 24-44"""  # 1912; column and row of each hole


def numbers(values: Any) -> str:
    return "[" + "; ".join(map(str, values)) + "]"


def node(given: list[Any]) -> str:
    match given:
        case ["split", number, k]:
            return f"Split (number {number}) {k}"
        case ["cut", i]:
            return f"Cut {i}"
        case ["sum", times]:
            pairs = "; ".join(f"(number {row}, {f'({many})' if many < 0 else many}%Z)" for row, many in times)
            return f"Sum [{pairs}]"
    return "Stuck"


def certificate(name: str, folder: str) -> str:
    claim = json.loads((PROVED / folder / "claim.json").read_text())
    (part,) = claim["parts"]
    given = part["certificate"]
    tree = ";\n  ".join(map(node, given["tree"]))
    cuts = "; ".join("[" + "; ".join(f"({j}, {m}%Z)" for j, m in cut) + "]" for cut in given.get("cuts", []))
    most = f"Some {given['most']}%Z" if "most" in given else "None"
    return f"Definition {name} : certificate := Certificate [\n  {tree}\n] [{cuts}] ({most}).\n"


def main() -> None:
    """Print the file."""
    board = pegcp.board("english")
    place = {(jump.from_, jump.over, jump.to): j for j, jump in enumerate(board.jumps)}
    print("(** Written by data.py. *)\n\nFrom Coq Require Import List ZArith.\nFrom Pegcp Require Import Certificates.")
    print("Import ListNotations.\n")
    for name, folder in (("figure_5", "kiyomi-matsui-figure-5"), ("d1_five", "english-fools-d1"), ("d4_five", "english-fools-d4")):
        print(certificate(name, folder))
    for name in "d1", "d4":
        made = json.loads((PROVED / f"english-fools-{name}" / "claim.json").read_text())["solution"]
        print(f"Definition {name}_six := {numbers(place[tuple(map(board.holes.index, jump))] for jump in made)}.\n")
    central = []
    for move in BERGHOLT.split():
        stops = [(int(column), int(row)) for column, row in move.split("-")]
        for (x, y), (x2, y2) in zip(stops, stops[1:]):
            names = [f"{'_abcdefg'[a]}{b}" for a, b in ((x, y), ((x + x2) // 2, (y + y2) // 2), (x2, y2))]
            central.append(place[tuple(map(board.holes.index, names))])
    print(f"Definition bergholt := {numbers(central)}.\n")
    print("(** Vacancy, last peg, solution: every pair of the English board that has one. *)\n")
    print("Definition pairs : list (nat * nat * list nat) := [")
    lines = []
    cells = [(ord(hole[0]) - ord("d"), int(hole[1]) - 4) for hole in board.holes]
    turns = [lambda x, y: (x, y), lambda x, y: (-x, y), lambda x, y: (x, -y), lambda x, y: (-x, -y),
             lambda x, y: (y, x), lambda x, y: (-y, x), lambda x, y: (y, -x), lambda x, y: (-y, -x)]  # fmt: skip
    images = [[cells.index(turn(x, y)) for x, y in cells] for turn in turns]
    found: dict[tuple[int, int], list[int]] = {}
    classes = [[(x + sign * y) % 3 != k for x, y in cells] for sign in (1, -1) for k in range(3)]
    for c in range(33):
        for f in range(33):
            if (c, f) in found or any((sum(s) - s[c] - s[f]) % 2 for s in classes):
                continue
            result = pegcp.solve(pegcp.problem(f"english:{board.holes[c]}->{board.holes[f]}"), "parallel", time_limit=300)
            for image in images:
                moved = [tuple(image[board.holes.index(hole)] if isinstance(hole, str) else image[hole] for hole in (j.from_, j.over, j.to)) for j in result.jumps]
                found.setdefault((image[c], image[f]), [place[jump] for jump in moved])
    for (c, f), jumps in sorted(found.items()):
        lines.append(f"  ({c}, {f}, {numbers(jumps)})")
    print(";\n".join(lines) + "\n].")


if __name__ == "__main__":
    main()
