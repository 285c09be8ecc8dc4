"""Views of a result: a line, a page of text, a figure for notebooks."""

from __future__ import annotations

from html import escape
from textwrap import fill

from pegcp.errors import plural
from pegcp.render.filmstrip import solution_svg
from pegcp.result import Result
from pegcp.theory import certificates


def headline(result: Result) -> str:
    """Return the verdict, and the length and values of the solution."""
    return "; ".join([_verdict(result), *_figures(result)])


def page(result: Result) -> str:
    """Return the verdict, the moves and their last position, or the certificate; and the time the run took."""
    lines = [_verdict(result), "; ".join(_figures(result))]
    if result.replay is not None:
        moves = fill(" ".join(result.moves), 78, initial_indent="  ", subsequent_indent="  ", break_on_hyphens=False)
        lines += [moves, str(result.replay.positions[-1])]
    lines += [_proof(result), result.caution, result.message, _costs(result)]
    return "\n".join(line for line in lines if line.strip())


def figure(result: Result) -> str:
    """Return the solution or the certificate as HTML with its picture."""
    caption = escape("; ".join([headline(result), *([result.message] if result.message else [])]))
    proof = (
        f"<pre style='white-space:pre-wrap;font-family:monospace'>{escape(_proof(result))}</pre>"
        if result.certificate is not None
        else ""
    )
    drawing = picture(result) or "" if result.replay is None else result.replay._repr_html_()
    return f"<figure>{drawing}{proof}<figcaption>{caption}</figcaption></figure>"


def picture(result: Result) -> str | None:
    """Return the solution as a filmstrip, or the certificate on the board, as SVG; None without either."""
    if result.certificate is not None:
        return certificates.picture(result.problem, result.certificate)
    return None if result.jumps is None else solution_svg(result.problem, result.jumps)


def _verdict(result: Result) -> str:
    return f"{result.problem.name} by {result.method}: {result.verdict}"


def _figures(result: Result) -> list[str]:
    """Return the length of the solution, the value of the objective and its bound, in words."""
    objective, parts = result.problem.objective, []
    if result.replay is not None and result.jumps is not None:
        parts.append(f"{plural(len(result.jumps), 'jump')} in {plural(len(result.replay.moves), 'move')}")
    if result.objective is not None:
        parts.append(f"{objective} = {result.objective:,}{f' ({result.counted})' if result.counted else ''}")
    if result.bound is not None and result.bound != result.objective:
        parts.append(f"{objective} at least {result.bound:,}")
    return parts


def _proof(result: Result) -> str:
    return "" if result.certificate is None else certificates.explain(result.problem, result.certificate)


def _costs(result: Result) -> str:
    """Return time and memory, in words."""
    times = [(key, result.statistics.get(f"{key}_seconds")) for key in ("compile", "build", "solve", "wall")]
    memory = result.statistics.get("peak_memory_mb")
    figures = [f"{key} {seconds:.2f} s" for key, seconds in times if seconds is not None]
    return ", ".join([*figures, *([] if memory is None else [f"{memory:.0f} MB"])])
