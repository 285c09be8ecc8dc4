"""Run a model file of your own beside the bundled ones; see ``examples/models/pegs_only.py``."""

from pathlib import Path

import pegcp

mine = str(Path(__file__).parent / "models" / "pegs_only.py")
for problem in ("triangle10:a2->b2", "triangle15:a1"):
    for method in (mine, "moves"):
        result = pegcp.solve(problem, method, time_limit=60)
        seconds = result.statistics["solve_seconds"]
        print(f"{problem} by {Path(method).stem}: {result.status}, {len(result.jumps or ())} jumps, {seconds:.2f} s")
