"""Write a problem as PDDL, run a planner by hand, read its plan back and check it.

Any planner will do; here it is Fast Downward, from the package up-fast-downward.
"""

import subprocess
import sys
import tempfile
from importlib.util import find_spec
from pathlib import Path

import pegcp

problem = pegcp.problem("triangle15:a1->?")
folder = Path(tempfile.mkdtemp())
for name, text in pegcp.export(problem, "pddl").items():
    (folder / name).write_text(text, encoding="utf-8")
print("wrote", ", ".join(sorted(path.name for path in folder.iterdir())))

package = find_spec("up_fast_downward")
if package is None or not package.submodule_search_locations:
    sys.exit('this example needs a planner: pip install "pegcp[planners]"')
planner = Path(package.submodule_search_locations[0], "downward", "fast-downward.py")
command = [
    sys.executable,
    str(planner),
    "--plan-file",
    "plan",
    "domain.pddl",
    "problem.pddl",
    "--search",
    "astar(lmcut())",
]
subprocess.run(command, cwd=folder, check=True, capture_output=True)

plan = (folder / "plan").read_text(encoding="utf-8")
print(plan)
found = pegcp.check(problem, pegcp.from_plan(problem, plan))
print(f"checked: {len(found.positions) - 1} jumps in {len(found.moves)} moves")
print(found.positions[-1])
