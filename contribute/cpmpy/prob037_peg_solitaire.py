#!/usr/bin/python3
"""
Peg solitaire in CPMpy (CSPLib 037)

Peg solitaire is played on a board with a number of holes. In the English version there are 33 holes. All but the one
in the middle have a peg. A peg jumps over its neighbour into the vacancy behind it, which removes the peg that was
jumped over. The aim is to end with one peg in the middle.

The model is model C of Jefferson, Miguel, Miguel and Tarim, "Modelling and solving English peg solitaire" (2006):
moves[t] is the jump that is made at step t, bState[t, h] whether hole h holds a peg before step t.

https://www.csplib.org/Problems/prob037/
"""

import argparse

import cpmpy as cp

ENGLISH = """
  ooo
  ooo
ooooooo
ooo.ooo
ooooooo
  ooo
  ooo
"""


def read_board(text):
    """Return the holes, as (row, column), which of them hold a peg, and the jumps, as triples of indices."""
    rows = [line for line in text.split("\n") if line.strip()]
    cells = {(r, c): sign for r, row in enumerate(rows) for c, sign in enumerate(row) if sign in "o."}
    holes = sorted(cells)
    index = {cell: i for i, cell in enumerate(holes)}
    jumps = [
        (index[r, c], index[r + dr, c + dc], index[r + 2 * dr, c + 2 * dc])
        for r, c in holes
        for dr, dc in ((0, 1), (1, 0), (0, -1), (-1, 0))
        if (r + dr, c + dc) in index and (r + 2 * dr, c + 2 * dc) in index
    ]
    return holes, [cells[cell] == "o" for cell in holes], jumps


def peg_solitaire(text=ENGLISH):
    """Return the model of the reversal on a board: each hole ends as it does not begin."""
    holes, start, jumps = read_board(text)
    n_steps = sum(start) - (len(holes) - sum(start))

    moves = cp.intvar(0, len(jumps) - 1, shape=n_steps, name="moves")
    bState = cp.boolvar(shape=(n_steps + 1, len(holes)), name="bState")

    model = cp.Model()
    model += [bState[0, h] == start[h] for h in range(len(holes))]
    model += [bState[n_steps, h] == (not start[h]) for h in range(len(holes))]
    for t in range(n_steps):
        made = [moves[t] == j for j in range(len(jumps))]
        for h in range(len(holes)):
            leaves = cp.any([made[j] for j, (a, over, _) in enumerate(jumps) if h in (a, over)])
            lands = cp.any([made[j] for j, (_, _, b) in enumerate(jumps) if h == b])
            model += (bState[t, h] & ~bState[t + 1, h]) == leaves
            model += (~bState[t, h] & bState[t + 1, h]) == lands
    return model, (moves, bState)


def print_sol(text, moves):
    """Print the jumps of a solution, from hole to hole."""
    holes, _, jumps = read_board(text)
    for move in moves.value():
        (r, c), _, (s, d) = (holes[h] for h in jumps[move])
        print(f"({r}, {c}) -> ({s}, {d})")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("-b", "--board", type=argparse.FileType("r"), help="a drawing of a board: o is a peg")
    parser.add_argument("-s", "--solver", default="ortools")
    args = parser.parse_args()
    board = args.board.read() if args.board else ENGLISH
    model, (moves, bState) = peg_solitaire(board)
    if model.solve(solver=args.solver, time_limit=60):
        print_sol(board, moves)
    else:
        print("No solution found")
