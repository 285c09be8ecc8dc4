"""Fool's Solitaire on the triangle: the shortest game from every start vacancy up to symmetry, by two models."""

import pegcp

board = pegcp.board("triangle15")
for orbit in board.symmetries.orbits:
    hole = board.holes[orbit[0]]
    problem = pegcp.problem(f"triangle15:{hole}!")
    by_steps = pegcp.solve(problem, "fools", time_limit=60)
    by_counts = pegcp.solve(problem, "fools-counts", time_limit=60)
    print(f"{hole}: {by_steps.objective} jumps ({by_steps.status}), by jump counts {by_counts.objective}")
    if by_steps.replay:
        print(by_steps.replay.positions[-1], "\n")
