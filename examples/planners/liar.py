"""A planner that lies: ``liar.py HOW DOMAIN PROBLEM PLAN``, about ``planning/two_moves.toml``."""

import os
import sys
import time
from pathlib import Path

FIRST, LAST = "(jump-new-move f1 g1 h1)\n(end-move h1)\n", "(jump-new-move a1 b1 c1)\n(jump-continue-move c1 d1 e1)\n"
RIGHT = FIRST + LAST
SPLIT = "(jump-new-move a1 b1 c1)\n(end-move c1)\n(jump-new-move c1 d1 e1)\n"  # one move told as two
PLANS = {
    "impossible-jump": FIRST + SPLIT.replace("d1 e1", "b1 a1"),
    "forbidden-action": RIGHT.replace("(end-move h1)\n", ""),
    "wrong-end": FIRST + "(jump-new-move a1 b1 c1)\n",
    "no-such-hole": RIGHT.replace("a1", "a9"),
    "no-such-action": RIGHT.replace("(jump-continue-move", "(teleport"),
    "half-a-plan": RIGHT[:-9],
    "empty-plan": "",
    "binary": "\x00\xff" * 999,
    "too-large": "; " + "x" * 11_000_000 + "\n" + RIGHT,
    "not-the-best": "(jump-new-move a1 b1 c1)\n(end-move c1)\n" + FIRST + "(jump-new-move c1 d1 e1)\n",
    "told-as-three": FIRST + SPLIT,
    "cost-told-lower": RIGHT + "; cost = 1 (unit cost)\n",
}


def lie(how: str, domain: Path, problem: Path, plan: Path) -> int:
    """Do it; the exit code."""
    if how in PLANS:
        plan.write_text(PLANS[how], encoding="latin-1")
    match how:
        case "no-plan-exists":
            return 11
        case "proof-then-crash":
            print("Task unsolvable", flush=True)
            os.abort()
        case "plan-then-crash":
            plan.write_text(RIGHT, encoding="utf-8")
            os.abort()
        case "plan-in-the-past":
            plan.write_text(RIGHT, encoding="utf-8")
            os.utime(plan, (0, 0))
        case "better-and-worse":
            for number, text in enumerate([RIGHT, PLANS["wrong-end"], PLANS["half-a-plan"]], start=1):
                plan.with_name(f"{plan.name}.{number}").write_text(text, encoding="utf-8")
        case "another-problem":
            for file in (domain, problem):
                file.write_text(file.read_text(encoding="utf-8").replace("(vacant c1)", "(peg c1)"), encoding="utf-8")
            plan.write_text("(jump-new-move c1 d1 e1)\n", encoding="utf-8")
        case "plan-is-a-device":
            plan.symlink_to("/dev/zero")
        case "never-ends":
            time.sleep(1000)
        case "floods":
            while True:
                print("Solution found!" * 99)
    return 0


if __name__ == "__main__":
    sys.exit(lie(sys.argv[1], *map(Path, sys.argv[2:5])))
