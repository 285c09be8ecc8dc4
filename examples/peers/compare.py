"""The English central game by programs of others, each with its own model, one after the other on one machine.

python examples/peers/compare.py [SECONDS [PROBLEM]]

Needs pycsp3 (with the ACE and Choco that it carries) and Java, clingo with its example of solitaire, MiniZinc
with Gecode; a command that is missing is told and left out. Prints CPU seconds, of all processes together.
"""

import json
import os
import resource
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import pegcp

HERE = Path(__file__).parent
CLINGO = Path("/usr/share/doc/gringo/examples/clingo/solitaire/solitaire.lp")  # where Debian puts it; MIT licence


def pycsp3_data(problem: pegcp.Problem) -> str:
    """The data of pycsp3_moves.py."""
    board = problem.board
    bits = [[mask >> hole & 1 for hole in range(len(board.holes))] for mask in (problem.start.mask, problem.final_pegs)]
    return json.dumps({"holes": len(board.holes), "jumps": board.jumps, "start": bits[0], "goal": bits[1]})


def clingo_facts(problem: pegcp.Problem) -> str:
    """The instance of clingo's example: fields, directions, stones at the start and the goal."""
    places = [f"({round(x)},{round(y)})" for x, y in problem.board.places]
    facts = [f"dir({d},{x},{y})." for d, (x, y) in enumerate([(1, 0), (-1, 0), (0, 1), (0, -1)])]
    for name, mask in (("field", -1), ("stone", problem.start.mask), ("goal", problem.final_pegs)):
        facts += [f"{name}{place}." for hole, place in enumerate(places) if mask >> hole & 1]
    return "\n".join(facts) + "\n"


def main(seconds: int = 60, name: str = "english") -> None:
    """Run every command in a folder of its own and print what it took and whether it found a solution."""
    problem = pegcp.problem(name)
    model = str(HERE.resolve() / "pycsp3_moves.py")
    commands = {
        "PyCSP3, ACE": [sys.executable, model, "-data=data.json", "-solver=ace"],
        "PyCSP3 with tables, ACE": [sys.executable, model, "-data=data.json", "-variant=table", "-solver=ace"],
        "PyCSP3, Choco": [sys.executable, model, "-data=data.json", "-solver=choco"],
        "clingo's example": ["clingo", str(CLINGO), "facts.lp", "--quiet=0"],
    }
    for method in ("mzn-moves", "mzn-rounds"):
        commands[f"{method}, Gecode"] = ["minizinc", "--solver", "gecode", method]
    for method in ("moves", "rounds", "asp-rounds"):
        commands[f"pegcp {method}"] = [sys.executable, "-m", "pegcp", "solve", name, "-m", method, "--workers", "1"]
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "data.json").write_text(pycsp3_data(problem))
        Path(folder, "facts.lp").write_text(clingo_facts(problem))
        for title, command in commands.items():
            if "Gecode" in title:
                for file, text in pegcp.export(problem, method := command.pop()).items():
                    Path(folder, method + Path(file).suffix).write_text(text)
                    command.append(method + Path(file).suffix)
            if shutil.which(command[0]) is None or not all(map(os.path.exists, filter(os.path.isabs, command))):
                print(f"{title:26} not here", flush=True)
            else:
                print(f"{title:26}", *told(command, folder, seconds), flush=True)


def told(command: list[str], folder: str, seconds: int) -> tuple[str, str]:
    """CPU seconds of a command and its children, and whether they found a solution within so many."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    limit = f'ulimit -t {seconds}; exec "$@"'
    try:
        run = ["bash", "-c", limit, "bash", *command]
        output = subprocess.run(run, cwd=folder, capture_output=True, text=True, timeout=4 * seconds).stdout
    except subprocess.TimeoutExpired:
        output = ""
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    found = any(word in output for word in ("Result:  SAT", "\nSATISFIABLE", "----------", ": SOLVED"))
    return f"{used:6.1f} s", "solved" if found else "no solution"


if __name__ == "__main__":
    limit, board = (*sys.argv[1:], *("60", "english")[len(sys.argv) - 1 :])[:2]
    main(int(limit), board)
