"""Solve the central game and print the moves: the shortest way into pegcp."""

import pegcp

problem = pegcp.problem("english")  # start with a vacancy at d4, finish with one peg there
print(problem)

result = pegcp.solve(problem, "rounds", time_limit=60)
print(result)
