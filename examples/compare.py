"""Put several formulations of one problem side by side, and see whether they agree."""

import pegcp

METHODS = ["moves", "moves:order=off", "parallel", "rounds", "constraint", "dfs"]

table = pegcp.compare(["triangle15:a1->?", "XXXoXXX"], METHODS, time_limit=60, jobs=2)
print(table)
for disagreement in table.disagreements:
    print(disagreement)
