"""Solve the central game and print the moves: the shortest way into pegcp."""

import pegcp

problem = pegcp.problem("english")  # start with a vacancy at d4, finish with one peg there
print(problem.start)

result = pegcp.solve(problem, "rounds", time_limit=60)
print(f"{result.status}: {len(result.jumps or ())} jumps in {result.moves} moves")
for move in result.replay.moves if result.replay else ():
    print("  " + "-".join(problem.board.holes[hole] for hole in (move[0].from_, *(jump.to for jump in move))))
