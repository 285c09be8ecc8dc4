"""Tables about planners. With ``--write`` the sizes are put into docs/planning.md.

python examples/planning_tables.py sizes                what Fast Downward makes of each encoding (12 s)
python examples/planning_tables.py times RUNS.jsonl     runs of examples/pddl_encodings.toml
python examples/planning_tables.py planners RUNS.jsonl  runs of examples/planners_by_command.toml
python examples/planning_tables.py round-trips          which goals and objectives each domain of PDDL can say
python examples/planning_tables.py files FOLDER         the PDDL problems in a folder: how many are read, and why not
"""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path

import pegcp
from pegcp.comparison.agreement import confirm_verdicts, find_disagreements
from pegcp.comparison.store import read_results
from pegcp.errors import InputError
from pegcp.formats import pddl
from pegcp.formats.pddl.domains import DOMAINS
from pegcp.game import Objective
from pegcp.method import Limits, Reason, Status
from pegcp.results.result import Result
from pegcp.running.road import measure_models

PAGE = Path(__file__).parents[1] / "docs" / "planning.md"
PLAIN = "fast-downward"
SIZES = {  # problems, each with an objective, and the encodings that Fast Downward is given
    ("english", "any"): ("plain", "parallel"),
    ("english:d4->?", "any"): ("plain", "parallel"),
    ("triangle15:b3!", "fewest-jumps"): ("plain", "derived"),
    ("english:d4!", "fewest-jumps"): ("plain", "derived"),
    ("triangle15", "fewest-moves"): ("plain",),
    ("triangle15:b3!", "fewest-moves"): ("plain",),
    ("triangle15", "fewest-steps"): ("parallel",),
    ("triangle15", "fewest-pegs"): ("plain",),
    ("examples/planning/near_e4.toml", "nearest"): ("plain",),
}
FIGURES = ("variables", "facts", "operators", "mutex_groups")
GOALS = {
    "exact": "e1",
    "one peg": None,
    "partial": "e1 -a1 *",
    "dead end": "dead end",
    "near": "near e1",
}


def table(head: Iterable[str], rows: Iterable[Iterable[object]]) -> str:
    """A table."""
    head = list(head)
    lines = [head, ["---"] * len(head), *([str(cell) for cell in row] for row in rows)]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def sizes() -> str:
    """Sizes of each encoding after the translator."""
    rows = []
    for (name, objective), encodings in SIZES.items():
        problem = pegcp.problem(name, objective=objective)
        for encoding in encodings:
            (result,) = measure_models(problem, f"{PLAIN}:encoding={encoding}", Limits(time=60, workers=1))
            told = result.statistics
            shown = f"`{encoding}`" if encoding != "plain" else f"`{pddl.domain_for(problem).stem}`"
            rows.append([Path(name).stem, objective, shown, *(told.get(key, "–") for key in FIGURES)])
    heads = [name.replace("_", " ") for name in FIGURES]
    return table(["problem", "objective", "encoding", *heads], rows)


def runs(path: str) -> list[Result]:
    """What is in a file of results, with what agrees."""
    results, warnings = read_results([path])
    print(*warnings, sep="\n", file=sys.stderr)
    return confirm_verdicts(results)


def cell(result: Result | None, *, expanded: bool = True) -> str:
    """What a run answered, how many positions were expanded, and its CPU seconds."""
    if result is None:
        return ""
    none = "gave up" if result.reason is Reason.COMPLETED else f"{result.reason}".lower()
    told = {Status.UNKNOWN: none, Status.INFEASIBLE: "no solution"}.get(result.status, "solved")
    if result.objective is not None:
        told = f"{result.objective}{', optimal' if result.status is Status.OPTIMAL else ''}"
    told += " at the limit" if result.statistics.get("stopped") else ""
    plans = result.statistics.get("plans")
    told += f" ({plans} plans)" if plans else ""
    if expanded and "expanded" in result.statistics:
        told += f", {result.statistics['expanded']:,} expanded"
    seconds = result.statistics.get("cpu_seconds")
    return "–" if seconds is None else f"{told}; {seconds:.1f}"


def grid(results: list[Result], *, expanded: bool = True) -> str:
    """Methods by problems; ``–`` is what a method does not take."""
    found = {(result.method, result.problem.name): result for result in results}
    names = sorted({result.problem.name for result in results})
    rows = (
        [f"`{m}`", *(cell(found.get((m, name)), expanded=expanded) for name in names)]
        for m in sorted({m for m, _ in found})
    )
    return table(["method", *names], rows)


def times(path: str) -> str:
    """A table for each set of problems that the same methods answered."""
    results = runs(path)
    groups: dict[frozenset[str], list[Result]] = {}
    for result in results:
        methods = frozenset(other.method for other in results if other.problem == result.problem)
        groups.setdefault(methods, []).append(result)
    return "\n\n".join(sorted(map(grid, groups.values()), key=len, reverse=True))


def planners(path: str) -> str:
    """What planners answered, and what became of each lie."""
    results = runs(path)
    lies = [result for result in results if result.method.startswith("liar")]
    about = {lie.problem for lie in lies}
    honest = [result for result in results if result.problem not in about]
    truth = [result for result in results if result.problem in about and result not in lies]
    rows = []
    for lie in sorted(lies, key=lambda lie: (lie.status, lie.method)):
        verdict = str(lie.reason if lie.status is Status.UNKNOWN else lie.status)
        found = f", {lie.objective}" if lie.objective is not None else ""
        told = re.sub(r"/\S+/", "", lie.message)
        told = re.sub(r"(\\\\x00\ufffd?)+", "...", told)
        if find_disagreements([*truth, lie]):
            told = "comparison: contradicts the search, exit status 4"
        rows.append([lie.method.partition("=")[2], f"{verdict}{found}", told or "what it claims is true"])
    wrong = [fault.message for fault in find_disagreements(honest)]
    head = f"{len(honest)} runs of planners, {len(wrong)} contradictions. {len(lies)} lies:"
    return "\n\n".join([grid(honest, expanded=False), *wrong, head, table(["lie", "verdict", "why"], rows)])


def round_trips() -> str:
    """For each goal and objective the domains whose files read back as the same problem, and those that say it
    otherwise, with what comes back."""
    rows = []
    for kind, goal in GOALS.items():
        base = pegcp.problem("line6:b1->?", goal=goal)
        for objective in Objective:
            if objective is Objective.NEAREST and kind != "near":
                continue
            problem = replace(base, objective=objective)
            same, others = [], []
            for domain in DOMAINS:
                if domain.fits(problem):
                    back = pddl.read_problem(pddl.export(problem, domain=domain.stem)["problem.pddl"])
                    if back.fingerprint == problem.fingerprint:
                        same.append(f"`{domain.stem}`")
                    else:
                        others.append(f"`{domain.stem}`: {back.goal_text}, {back.objective}")
            rows.append([kind, objective, ", ".join(same) or "–", "; ".join(others) or "–"])
    return table(
        ["goal", "objective", "the same problem", "another one, which the best solutions do not tell apart"], rows
    )


def files(folder: str) -> str:
    """How many problems of a folder are read, by the domain that they name, and why the others are not."""
    counts: dict[tuple[str, str], Counter[str]] = {}
    for path in sorted(Path(folder).rglob("*.pddl")):
        text = path.read_text(encoding="utf-8", errors="replace")
        named = re.search(r"\(\s*:domain\s+([^\s()]+)", text)
        if named is None:  # a domain
            continue
        try:
            task = pddl.read_files(path)
            meant = f"{task.problem.objective}, as `{task.domain.name}`"
            counts.setdefault((named[1].lower(), "read"), Counter())[meant] += 1
        except InputError as error:
            why = error.message.replace("not peg solitaire: ", "").replace(f"{path.parent}/", "")
            why = re.sub(r"^\S+ \S+ \S+ (is a line in one)", r"x y z \1", why)
            counts.setdefault((named[1].lower(), "refused"), Counter())[why] += 1
    rows = [
        [f"`{domain}`", verdict, number, why]
        for (domain, verdict), told in sorted(counts.items())
        for why, number in told.most_common()
    ]
    return table(
        ["domain", "", "files", "meaning, or reason"], [*rows, ["", "", sum(int(str(r[2])) for r in rows), ""]]
    )


TABLES: dict[str, Callable[..., str]] = {
    "sizes": sizes,
    "times": times,
    "planners": planners,
    "round-trips": round_trips,
    "files": files,
}


def written(name: str, text: str, page: str) -> str:
    """A page with a table in its place, if it has one."""
    place = re.compile(rf"(<!-- planning_tables.py {name}[^>]*-->\n).*?(<!-- end -->)", re.DOTALL)
    return place.sub(lambda found: f"{found[1]}\n{text}\n\n{found[2]}", page)


def main(name: str = "", *arguments: str) -> None:
    """Print a table, or write it into the page."""
    if name not in TABLES:
        sys.exit(__doc__)
    text = TABLES[name](*[argument for argument in arguments if argument != "--write"])
    if "--write" not in arguments:
        print(text)
        return
    PAGE.write_text(written(name, text, PAGE.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
