"""One jump per step in PyCSP3, in the formulation of its collection of models (PegSolitaire; CSPLib 037, model C).

Run by compare.py, which writes the data: python pycsp3_moves.py -data=DATA.json [-variant=table] -solver=ace

Variables    bState[t][h] = 1 iff hole h holds a peg before step t; moves[t] = number of the jump made at step t
Constraints  for each step and hole: it gains a peg iff moves[t] lands there; it loses one iff moves[t] leaves it or
             jumps over it; it stays as it is iff moves[t] does not touch it. As conditions, or as a table of
             bState[t][h], bState[t+1][h], moves[t]
"""

from pycsp3 import VarArray, both, data, iff, satisfy, variant  # type: ignore[import-untyped]

holes, jumps, start, goal = data  # pyright: ignore[reportGeneralTypeIssues]
T = sum(start) - sum(goal)
takes = [[j for j, (a, b, c) in enumerate(jumps) if h in (a, b)] for h in range(holes)]
lands = [[j for j, (a, b, c) in enumerate(jumps) if h == c] for h in range(holes)]

bState = VarArray(size=[T + 1, holes], dom={0, 1})  # noqa: N816
moves = VarArray(size=T, dom=range(len(jumps)))

satisfy([bState[0][h] == start[h] for h in range(holes)], [bState[T][h] == goal[h] for h in range(holes)])

if variant("table"):
    satisfy(
        (bState[t][h], bState[t + 1][h], moves[t])
        in {(1, 0, j) for j in takes[h]}
        | {(0, 1, j) for j in lands[h]}
        | {(peg, peg, j) for peg in (0, 1) for j in range(len(jumps)) if j not in takes[h] + lands[h]}
        for t in range(T)
        for h in range(holes)
    )
else:
    satisfy(
        [
            [
                iff(moves[t] in set(takes[h]), both(bState[t][h] == 1, bState[t + 1][h] == 0)),
                iff(moves[t] in set(lands[h]), both(bState[t][h] == 0, bState[t + 1][h] == 1)),
                iff(moves[t] not in set(takes[h] + lands[h]), bState[t][h] == bState[t + 1][h]),
            ]
            for t in range(T)
            for h in range(holes)
        ]
    )
