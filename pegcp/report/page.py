"""The report as one page of HTML."""

from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime
from typing import Any

from pegcp.comparison.agreement import claims, disagreements, refuted
from pegcp.comparison.experiment import Experiment
from pegcp.comparison.scores import counts, measures, settled, trace
from pegcp.errors import plural
from pegcp.method import Data
from pegcp.render.page import board_data, problem_data, render_page
from pegcp.render.table import Table
from pegcp.report.tables import growths, problem_table, score_table
from pegcp.results.result import Result
from pegcp.running.task import FILES
from pegcp.version import __version__


def html(
    results: Sequence[Result],
    plan: Experiment,
    extra: Sequence[Table] = (),
    missing: Sequence[str] = (),
    mark: str = "",
) -> str:
    """Render the page. ``extra`` tables come first; parts of the plan that grow get a plot; ``missing`` are lines about
    methods that were not run, and runs that are kept apart; ``mark`` is for programs."""
    verdicts, wrong, results = claims(results), disagreements(results), refuted(results)
    methods = list(dict.fromkeys(result.method for result in results))
    views: list[dict[str, Any]] = [
        {
            "measure": by,
            "scores": score_table(results, by),
            "problems": problem_table(results, plan.published, by),
        }
        for by in measures(results)
    ]
    data = _data(results, methods, views)
    families = [(part.name, part.select(results)) for part in plan.parts if part.grows]
    data["growth"] = {
        view["measure"].name: [
            {"name": name, "methods": [vars(growth) for growth in growths(runs, view["measure"])]}
            for name, runs in families
        ]
        for view in views
    }
    return render_page(
        "page.html",
        ("page.js", "drawing.js", "player.js", "plots.js", "report.js"),
        data,
        title=plan.name,
        description=plan.description.strip(),
        facts=list(_facts(results)),
        disagreements=wrong,
        claims=verdicts,
        mark=mark,
        missing=missing,
        extra=extra,
        views=views,
        methods=methods,
        boards=list(dict.fromkeys(board["name"] for board in data["boards"])),
        verdicts=list(dict.fromkeys(result.verdict for result in results)),
    )


def _data(results: Sequence[Result], methods: Sequence[str], views: Sequence[Data]) -> dict[str, Any]:
    """Collect the data for the script: boards and problems once each, and the runs."""
    problems = {(problem.fingerprint, problem.name): problem for problem in (result.problem for result in results)}
    number, row = _numbered(problems), _numbered(fingerprint for fingerprint, _ in problems)
    boards, abouts = _numbered(problem.board for problem in problems.values()), _numbered(map(_about, results))
    return {
        "methods": methods,
        "measures": [{key: getattr(view["measure"], key) for key in ("name", "title", "limited")} for view in views],
        "boards": [board_data(board) for board in boards],
        "problems": [
            problem_data(problem, boards[problem.board], row[problem.fingerprint]) for problem in problems.values()
        ],
        "runs": [
            {
                "problem": number[result.problem.fingerprint, result.problem.name],
                "method": methods.index(result.method),
                "seed": result.parameters.get("seed"),
                "status": result.status,
                "verdict": result.verdict,
                "fault": result.reason.sort == "fault",
                "counts": counts(result),
                "settled": settled(result),
                "evidence": result.rests_on,
                "jumps": None if result.jumps is None else [hole for jump in result.jumps for hole in jump],
                "moves": len(result.moves) if result.jumps is not None else None,
                "objective": result.objective,
                "bound": result.bound,
                "costs": {view["measure"].name: view["measure"].read(result) for view in views},
                "message": result.message or (f"counted: {result.counted}" if result.counted else ""),
                "about": abouts[_about(result)],
                "log": result.log,
                "trace": trace(result) or None,
            }
            for result in results
        ],
        "abouts": list(abouts),
    }


def _numbered(items: Iterable[Any]) -> dict[Any, int]:
    """Number the items, each once."""
    return {item: number for number, item in enumerate(dict.fromkeys(items))}


def _about(result: Result) -> str:
    """Describe the backend, parameters, versions and machine of a run, without its seed: many runs share the text."""
    parameters = {k: v for k, v in result.parameters.items() if k != "seed" and v is not None}
    parts = (
        f"backend {result.backend}" if result.backend else "",
        ", ".join(f"{key} {value}" for key, value in parameters.items()),
        ", ".join(f"{name} {version}" for name, version in result.versions.items()),
        _machine(result) if "host" in result.provenance else "",
    )
    return "\n".join(filter(None, parts))


def _facts(results: Sequence[Result]) -> Iterator[str]:
    """List numbers of runs, limits, machines and versions."""
    problems = len({result.problem.fingerprint for result in results})
    methods = len({result.method for result in results})
    seeds = len({result.parameters.get("seed", 0) for result in results})
    about = [plural(problems, "problem"), plural(methods, "method"), *[f"{seeds} seeds"] * (seeds > 1)]
    yield f"{len(results):,} run{'s' * (len(results) != 1)}: {', '.join(about)}"
    facts = {
        "Time limit": {f"{r.parameters['time_limit']:g} s" for r in results if r.parameters.get("time_limit")},
        "Machines": {_machine(result) for result in results if "host" in result.provenance},
        "Versions": {f"{name} {version}" for r in results for name, version in r.versions.items() if name not in FILES},
    }
    yield from (f"{name}: {', '.join(sorted(values))}" for name, values in facts.items() if values)
    yield f"Written by pegcp {__version__} on {datetime.now(UTC):%Y-%m-%d %H:%M} UTC"


def _machine(result: Result) -> str:
    about = result.provenance
    return f"{about['host']} ({about.get('system', '?')}, {about.get('cores', '?')} cores)"
