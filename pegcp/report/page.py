"""The report as one page of HTML that needs no network: everything is in it, and nothing in it is executed but its own
script, whose hash the page's security policy names."""

from __future__ import annotations

import json
from base64 import b64encode
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from hashlib import sha256
from html import escape
from importlib.resources import files
from itertools import combinations
from typing import TYPE_CHECKING, Any

from pegcp.comparison.agreement import agreement, claims, disagreements
from pegcp.comparison.scores import by_method, duels
from pegcp.method import Reason
from pegcp.report.plots import cactus, scatter
from pegcp.report.tables import Table, problem_table, score_table
from pegcp.result import Result
from pegcp.version import __version__

if TYPE_CHECKING:
    from pegcp.comparison.experiment import Published

_MOST_SCATTERS = 21  # pairs of seven methods


def html(results: Sequence[Result], title: str, published: Sequence[Published] = (), description: str = "") -> str:
    """The page."""
    script, style = (files("pegcp.report").joinpath(name).read_text("utf-8") for name in ("report.js", "report.css"))
    script_hash = b64encode(sha256(script.encode()).digest()).decode()
    data = json.dumps(_data(results), ensure_ascii=False, separators=(",", ":"))
    data = data.replace("&", "\\u0026").replace("<", "\\u003c").replace(">", "\\u003e")
    body = "\n".join(
        [
            _head(results, title, description),
            _disagreements(results),
            _table(score_table(results), "scores"),
            _agreement(results),
            _duels(results),
            _plots(results),
            _table(problem_table(results, published), "problems", filtered=True),
            _runs(),
        ]
    )
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="Content-Security-Policy"
 content="default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{script_hash}'">
<title>{escape(title)}</title>
<style>{style}</style>
</head>
<body>
{body}
<script type="application/json" id="data">{data}</script>
<script>{script}</script>
</body>
</html>
"""


def _data(results: Sequence[Result]) -> dict[str, Any]:
    """What the script needs: boards and problems once each, and the runs."""
    boards: dict[Any, int] = {}
    problems: dict[tuple[str, str], int] = {}
    board_data, problem_data, runs = [], [], []
    for result in results:
        problem, board = result.problem, result.problem.board
        if board not in boards:
            boards[board] = len(boards)
            places = [[round(x, 3), round(y, 3)] for x, y in board.places]
            lines = [] if board.lattice is not None else [[a, over, b] for a, over, b in board.lines]
            board_data.append({"holes": board.holes, "places": places, "lines": lines})
        known = problem.fingerprint, problem.name
        if known not in problems:
            problems[known] = len(problems)
            pegs = [hole for hole in range(len(board.holes)) if problem.start.mask >> hole & 1]
            problem_data.append({"name": problem.name, "board": boards[board], "pegs": pegs, "goal": problem.goal_text})
        statistics = result.statistics
        runs.append(
            {
                "problem": problems[known],
                "method": result.method,
                "seed": result.parameters.get("seed"),
                "status": result.status,
                "reason": None if result.reason is Reason.COMPLETED else result.reason,
                "evidence": result.rests_on,
                "jumps": None if result.jumps is None else [hole for jump in result.jumps for hole in jump],
                "moves": result.moves,
                "objective": result.objective,
                "bound": result.bound,
                "build": _rounded(statistics.get("build_seconds")),
                "solve": _rounded(statistics.get("solve_seconds")),
                "wall": _rounded(statistics.get("wall_seconds")),
                "cpu": _rounded(statistics.get("cpu_seconds")),
                "memory": _rounded(statistics.get("peak_memory_mb"), 1),
                "message": result.message or (f"counted: {result.counted}" if result.counted else ""),
            }
        )
    return {"boards": board_data, "problems": problem_data, "runs": runs}


def _rounded(value: float | None, digits: int = 3) -> float | None:
    return None if value is None else round(value, digits)


def _head(results: Sequence[Result], title: str, description: str) -> str:
    problems = len({result.problem.fingerprint for result in results})
    methods = len({result.method for result in results})
    machines = sorted({_machine(result) for result in results if "host" in result.provenance})
    versions = sorted({f"{name} {version}" for r in results for name, version in r.versions.items() if name != "model"})
    limits = sorted({f"{r.parameters['time_limit']:g} s" for r in results if r.parameters.get("time_limit")})
    facts = [
        f"{len(results):,} runs: {problems} problems, {methods} methods",
        "Time limit " + ", ".join(limits) if limits else "",
        "Machines: " + "; ".join(machines) if machines else "",
        "Versions: " + ", ".join(versions) if versions else "",
        f"Made by pegcp {__version__} on {datetime.now(UTC):%Y-%m-%d %H:%M} UTC",
    ]
    items = "".join(f"<li>{escape(fact)}</li>" for fact in facts if fact)
    about = f"<p>{escape(description)}</p>" if description.strip() else ""
    return (
        f"<header><h1>{escape(title)}</h1>{about}<ul class='facts'>{items}</ul>"
        "<button type='button' id='look'>Change light or dark</button></header>\n<main>"
        "<noscript><p>Sorting, filtering and the player need JavaScript.</p></noscript>"
    )


def _machine(result: Result) -> str:
    about = result.provenance
    return f"{about['host']} ({about.get('system', '?')}, {about.get('cores', '?')} cores)"


def _disagreements(results: Sequence[Result]) -> str:
    found = disagreements(results)
    if not found:
        return f"<p class='good'>All verdicts agree, and every solution was replayed. {escape(claims(results))}.</p>"
    items = "".join(f"<li><b>{escape(item.problem)}</b>: {escape(item.message)}</li>" for item in found)
    return f"<section class='wrong'><h2>Disagreements</h2><ul>{items}</ul><p>{escape(claims(results))}.</p></section>"


def _agreement(results: Sequence[Result]) -> str:
    pairs = {frozenset((pair.first, pair.second)): pair for pair in agreement(results)}
    methods = list(dict.fromkeys(result.method for result in results))
    rows = []
    for one in methods:
        cells = [one]
        for other in methods:
            pair = pairs.get(frozenset((one, other)))
            text = "" if pair is None or one == other else str(pair.same)
            cells.append(
                f"{text} \N{MULTIPLICATION X} {pair.different}" if pair is not None and pair.different else text
            )
        rows.append(tuple(cells))
    note = "Problems that both methods answered with the same verdict; \N{MULTIPLICATION X}: contradictions."
    return _table(Table("Agreement", ("method", *methods), tuple(rows), note), "agreement")


def _duels(results: Sequence[Result]) -> str:
    rows = tuple(
        (f"{d.first} \N{EN DASH} {d.second}", str(d.wins), str(d.losses), str(d.ties), _p(d.p)) for d in duels(results)
    )
    if not rows:
        return ""
    note = (
        "Problems on which the first or the second is faster (median over seeds; differences under 5 % are ties); p: "
        "two-sided sign test, corrected for the number of pairs (Benjamini and Hochberg)."
    )
    return _table(Table("Pairwise wins", ("methods", "first", "second", "ties", "p"), rows, note), "duels")


def _p(value: float) -> str:
    return f"{value:.4f}" if value >= 0.0001 else "< 0.0001"


def _plots(results: Sequence[Result]) -> str:
    methods = [method for method, runs in by_method(results).items() if runs]
    pairs = list(combinations(methods, 2))[:_MOST_SCATTERS]
    options = "".join(f"<option value='{i}'>{escape(a)} / {escape(b)}</option>" for i, (a, b) in enumerate(pairs))
    scatters = "".join(
        f"<div class='plot scatter' data-pair='{i}'{' hidden' if i else ''}>{scatter(results, a, b)}</div>"
        for i, (a, b) in enumerate(pairs)
    )
    select = f"<p><label>Methods <select id='pair'>{options}</select></label></p>" if pairs else ""
    return f"<section><h2>Instances settled over time</h2><div class='plot'>{cactus(results)}</div></section>" + (
        f"<section><h2>Two methods against each other</h2>{select}{scatters}</section>" if pairs else ""
    )


def _table(table: Table, name: str, *, filtered: bool = False) -> str:
    head = "".join(f"<th scope='col'>{escape(text)}</th>" for text in table.head)
    rows = "".join(_row(row) for row in table.rows)
    return _section(table.title, name, f"<thead><tr>{head}</tr></thead><tbody>{rows}</tbody>", table.note, filtered)


def _row(cells: Iterable[str]) -> str:
    first, *rest = map(escape, cells)
    return f"<tr><th scope='row'>{first}</th>{''.join(f'<td>{text}</td>' for text in rest)}</tr>"


def _runs() -> str:
    names = ("problem", "method", "seed", "verdict", "evidence", "solution", "jumps", "moves", "objective", "bound",
             "build s", "solve s", "wall s", "CPU s", "MB", "message")  # fmt: skip
    head = "".join(f"<th scope='col'>{name}</th>" for name in names)
    table = _section("Runs", "runs", f"<thead><tr>{head}</tr></thead><tbody></tbody>", "", True)
    return table + f"</main>{_PLAYER}"


def _section(title: str, name: str, content: str, note: str, filtered: bool) -> str:
    search = (
        f"<p class='filter'><label>Filter <input type='search' data-table='{name}'></label> "
        f"<span role='status' data-count='{name}'></span> "
        f"<button type='button' data-all='{name}' hidden>Show all</button></p>"
        if filtered
        else ""
    )
    return (
        f"<section><h2 id='{name}-title'>{escape(title)}</h2>{search}"
        f"<div class='scroll' role='region' aria-labelledby='{name}-title' tabindex='0'>"
        f"<table id='{name}'>{content}</table></div>"
        + (f"<p class='note'>{escape(note)}</p>" if note else "")
        + "</section>"
    )


_PLAYER = """<dialog id="player" aria-labelledby="player-title">
<h2 id="player-title"></h2>
<p id="player-goal"></p>
<div id="player-board"></div>
<p id="player-step" role="status"></p>
<p><input type="range" id="player-scrub" min="0" value="0" aria-label="Jump"></p>
<p class="controls">
<button type="button" data-go="first">Start</button>
<button type="button" data-go="back">Back</button>
<button type="button" data-go="play">Play</button>
<button type="button" data-go="next">Next</button>
<button type="button" data-go="last">End</button>
<button type="button" data-go="close">Close</button>
</p>
<p class="note">Keys: left and right arrow, Home, End, space to play, Escape to close.</p>
</dialog>"""
