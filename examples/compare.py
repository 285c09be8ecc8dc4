"""Put several formulations of one problem side by side, and see whether they agree."""

from rich.console import Console

import pegcp
from pegcp.comparison.agreement import disagreements
from pegcp.comparison.table import results_table

METHODS = ["moves", "moves:order=off", "parallel", "rounds", "constraint", "dfs"]

results = pegcp.compare(["triangle15:a1->?", "XXXoXXX"], METHODS, time_limit=60, jobs=2)
Console(width=140).print(results_table(results))
for disagreement in disagreements(results):
    print(disagreement)
