"""Take the figures that the pages quote, and put them into the pages.

python examples/figures.py                   list the figures with their commands
python examples/figures.py --write           take all of them: docs/figures.json, and every page
python examples/figures.py 'd4-*' --write    take these alone
python examples/figures.py --check           compare the pages with docs/figures.json

Runs are made one after the other, each command in fresh processes, and a figure is their median. The machine must do
nothing else: with more than 0.3 busy cores the script refuses, unless --busy says that the values don't matter.
A page has a figure between markers, as in ``<!--fig:d4-rounds-->0.16<!--/-->``.
"""

from __future__ import annotations

import argparse
import fnmatch
import json
import os
import platform
import re
import shlex
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).parents[1]
FILE = ROOT / "docs" / "figures.json"
MARKER = re.compile(r"<!--fig:([\w-]+)-->(.*?)<!--/-->")
MOST_LOAD = 0.3
PACKAGES = ("pegcp", "ortools", "python-sat", "clingo", "cpmpy", "pychoco", "oxidd", "python-constraint2", "numba")


class Output(NamedTuple):
    """The text that a command printed, and its wall seconds."""

    text: str
    wall: float


Reader = Callable[[Sequence[Output]], "float | None"]


@dataclass(frozen=True)
class Task:
    """Commands that are run in turn, and the figures that are read from what they print.

    ``{seed}`` stands for the number of the repeat, ``{folder}`` for a folder that is empty at first.
    """

    commands: tuple[str, ...]
    figures: dict[str, Reader]
    repeats: int = 3


def build_and_solve(outputs: Sequence[Output]) -> float | None:
    """Seconds to build and solve, the most of all results; None if one of them is not settled."""
    results = json.loads(outputs[-1].text or "[]")
    results = results if isinstance(results, list) else [results]
    if not results or any(result["status"] == "UNKNOWN" for result in results):
        return None
    parts = ("build_seconds", "solve_seconds")
    return max(sum(float(result["statistics"].get(part, 0)) for part in parts) for result in results)


def wall(number: int) -> Reader:
    """The wall seconds of a command."""
    return lambda outputs: outputs[number].wall


def printed(pattern: str) -> Reader:
    """The wall seconds that examples/state_spaces.py prints, all lines that begin with the pattern together."""
    line = re.compile(rf"^{pattern}.* ([\d.]+) s +[\d.]+ s CPU$", re.MULTILINE)
    return lambda outputs: sum(map(float, line.findall(outputs[-1].text))) or None


def solve(problem: str, method: str, repeats: int = 3, limit: int = 10) -> tuple[str, int]:
    """A command that solves a problem with one worker."""
    limits = f"--workers 1 --time-limit {limit} --seed {{seed}}"
    return f"pegcp solve {shlex.quote(problem)} -m {method} --json {limits}", repeats


def tasks() -> Iterator[Task]:
    """Every task, with the names of its figures."""
    languages = "moves rounds parallel ip-rounds sat-rounds asp-rounds smt-sweep cpmpy-rounds choco-rounds"
    languages += " mzn-rounds constraint benders bdd fast-downward"
    problems = {"d4": "english", "d1": "english:d1", "fig5": "fig5", "b3a1": "triangle15:b3->a1"}
    runs = {f"{short}-{m}": solve(name, m) for m in languages.split() for short, name in problems.items()}
    runs |= {f"d4-{method}": solve("english", method, 5) for method in ("moves", "rounds", "budget", "beam", "auto")}
    for hole in ("c1", "c2", "c3", "d1", "d2", "d3", "d4"):
        runs[f"fools-counts-{hole}"] = solve(f"english:{hole}!", "fools-counts", limit=60)
    runs["fools-c2"] = solve("english:c2!", "fools", limit=120)
    for board, hole in ("asymmetric", "d4"), ("wiegleb", "e5"), ("square9", "e5"), ("square12", "f6"):
        runs[f"rounds-{board}-{hole}"] = solve(f"{board}:{hole}", "rounds", limit=60)
    for name, (command, repeats) in runs.items():
        yield Task((command,), {name: build_and_solve}, repeats)
    for method in ("rounds", "moves", "sat-rounds", "ip-rounds", "auto"):
        command = f"pegcp compare 'english:*' -m {method} --workers 1 --json --seeds 1"
        yield Task((command,), {f"reversals-{method}-worst": build_and_solve, f"reversals-{method}-all": wall(0)})
    central = {
        "positions-english": printed("positions that can be reached"),
        "winnable-english": printed("winnable positions"),
        "count-english": printed(r"solutions \(the winnable set made first"),
        "fewest-moves-english": printed("fewest moves"),
    }
    yield Task(("python examples/state_spaces.py",), central)
    yield Task(("python examples/state_spaces.py fools english",), {"fools-bfs-english": printed("fewest jumps")})
    yield Task(("pegcp graph french:d4",), {"positions-french": wall(0)})
    claims = {"fools-d1": "'english:d1!'", "fools-d2": "'english:d2!'", "thirteen": "english --bound 13"}
    claims["eighteen"] = "english --objective fewest-moves"
    for name, claim in claims.items():
        make = f"pegcp prove {claim} --time-limit 300 -o {{folder}}/{name}"
        check = f"pegcp check {{folder}}/{name} --time-limit 300"
        yield Task((make, check), {f"prove-{name}": wall(0), f"check-{name}": wall(1)})


def run(task: Task, seed: int) -> list[Output]:
    """Run the commands of a task once, from the root of the repository."""
    outputs = []
    with tempfile.TemporaryDirectory() as folder:
        for command in task.commands:
            words = [word.replace("{seed}", str(seed)).replace("{folder}", folder) for word in shlex.split(command)]
            program = [sys.executable, "-m", "pegcp"] if words[0] == "pegcp" else [sys.executable]
            began = time.perf_counter()
            done = subprocess.run([*program, *words[1:]], cwd=ROOT, capture_output=True, text=True, check=False)
            outputs.append(Output(done.stdout, time.perf_counter() - began))
            if done.returncode not in (0, 3) or not done.stdout:
                raise RuntimeError(f"{command}: exit status {done.returncode}\n{done.stderr[-500:]}")
    return outputs


def measure(task: Task, repeats: int) -> dict[str, dict[str, Any]]:
    """Repeat a task, and describe each of its figures."""
    values: dict[str, list[float | None]] = {name: [] for name in task.figures}
    for seed in range(repeats):
        try:
            outputs = run(task, seed)
        except RuntimeError as error:
            print(f"  {error}", file=sys.stderr)
            return {}
        for name, read in task.figures.items():
            values[name].append(read(outputs))
        if any(None in column for column in values.values()):
            break  # no answer within the limit
    return {name: describe(column, task) for name, column in values.items()}


def describe(values: Sequence[float | None], task: Task) -> dict[str, Any]:
    """The median, the spread, the text for the pages, and how the figure was taken."""
    about: dict[str, Any] = {"unit": "s", "runs": len(values), "command": "; ".join(task.commands)}
    numbers = [value for value in values if value is not None]
    if len(numbers) < len(values):
        limit = re.search(r"--time-limit (\d+)", about["command"])
        return {"text": f"none in {limit[1] if limit else 60}", "value": None, **about}
    value = statistics.median(numbers)
    spread = {"least": round(min(numbers), 4), "most": round(max(numbers), 4)}
    return {"text": write_number(value), "value": round(value, 4), **spread, **about}


def write_number(value: float) -> str:
    """Two digits: 0.16, 1.2, 12."""
    return f"{value:.0f}" if value >= 9.95 else f"{value:.1f}" if value >= 0.995 else f"{max(value, 0.01):.2f}"


def busy_cores(seconds: float = 2.0) -> float:
    """How many cores other programs keep busy; where Linux doesn't say, the load of the last minute."""
    stat = Path("/proc/stat")
    if not stat.exists():
        return os.getloadavg()[0]

    def busy() -> int:
        ticks = list(map(int, stat.read_text().split("\n", 1)[0].split()[1:9]))
        return sum(ticks) - ticks[3] - ticks[4]

    before = busy()
    time.sleep(seconds)
    return (busy() - before) / os.sysconf("SC_CLK_TCK") / seconds


def machine(busy: bool) -> str:
    """The sentence that says once where and when the figures were taken."""
    cpuinfo = Path("/proc/cpuinfo")
    model = re.search(r"model name\s*: (.*)", cpuinfo.read_text()) if cpuinfo.exists() else None
    name = model[1].strip() if model else platform.processor()
    how = "Tried out once each on a busy machine," if busy else "Measured on"
    return f"{how} {os.cpu_count()} cores ({name}, Python {platform.python_version()}), {datetime.now():%B %Y}."


def pages() -> list[Path]:
    """All pages that can have figures."""
    return [page for folder in ("*.md", "docs/*.md", "models/*.md") for page in sorted(ROOT.glob(folder))]


def texts_of(kept: dict[str, Any]) -> dict[str, str]:
    """The text of each figure for the pages."""
    return {name: figure["text"] for name, figure in kept["figures"].items()} | {"machine": kept["machine"]}


def disagreements(kept: dict[str, Any], page: str) -> list[str]:
    """The figures on a page that are not those of the file."""
    texts, marked = texts_of(kept), MARKER.findall(page)
    return [f"{name} is {text}, not {texts.get(name)}" for name, text in marked if text != texts.get(name)]


def put(kept: dict[str, Any], page: str) -> str:
    """A page with the figures of the file between its markers."""
    texts = texts_of(kept)
    return MARKER.sub(lambda mark: f"<!--fig:{mark[1]}-->{texts.get(mark[1], mark[2])}<!--/-->", page)


def main(arguments: Sequence[str] | None = None) -> int:
    """List, take or check figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", help="figures, or patterns such as 'd4-*'; all, if none are named")
    parser.add_argument("--write", action="store_true", help="take figures, and put them into the pages")
    parser.add_argument("--check", action="store_true", help="say which pages disagree with docs/figures.json")
    parser.add_argument("--busy", action="store_true", help="try the script out where other programs run: once each")
    options = parser.parse_args(arguments)
    kept: dict[str, Any] = json.loads(FILE.read_text("utf-8"))
    if options.check:
        wrong = [f"{page}: {line}" for page in pages() for line in disagreements(kept, page.read_text("utf-8"))]
        print(*(wrong or ["All pages agree."]), sep="\n")
        return 4 if wrong else 0
    patterns = options.names or ["*"]
    chosen = [task for task in tasks() if any(fnmatch.filter(task.figures, pattern) for pattern in patterns)]
    if not options.write:
        print(*(f"{', '.join(task.figures)}:\n    {'; '.join(task.commands)}" for task in chosen), sep="\n")
        return 0
    load, began = busy_cores(), time.monotonic()
    if load > MOST_LOAD and not options.busy:
        sys.exit(f"Other programs keep {load:.1f} cores busy: wait for a quiet machine, or say --busy.")
    for number, task in enumerate(chosen, 1):
        figures = measure(task, 1 if options.busy else task.repeats)
        kept["figures"].update(figures)
        shown = ", ".join(f"{name} {figure['text']}" for name, figure in figures.items())
        print(f"{number} of {len(chosen)}, {time.monotonic() - began:.0f} s: {shown}", flush=True)
        kept |= {"machine": machine(options.busy), "load": round(load, 2)}
        kept["versions"] = {package: version(package) for package in PACKAGES}
        FILE.write_text(json.dumps(kept, indent=1, sort_keys=True) + "\n", encoding="utf-8")
    for page in pages():
        page.write_text(put(kept, page.read_text("utf-8")), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
