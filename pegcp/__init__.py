"""pegcp: peg solitaire in every declarative form, side by side, with answers you can trust.

>>> import pegcp
>>> problem = pegcp.problem("triangle15:a1->?")
>>> result = pegcp.solve(problem, "moves")
>>> result.status.value, len(result.jumps)
('SOLVED', 13)
"""

from importlib import import_module as _import_module

from pegcp.version import __version__

TYPE_CHECKING = False  # Ctrl-C is not handled before this file is loaded: it loads nothing else, such as typing

if TYPE_CHECKING:
    from pegcp import testing as testing
    from pegcp.api import (
        boards,
        check,
        compare,
        explain,
        export,
        from_plan,
        from_unified_planning,
        graph,
        improve,
        load,
        methods,
        model,
        next_jumps,
        problems,
        prove,
        read_result,
        show,
        solutions,
        solve,
        to_unified_planning,
        why,
    )
    from pegcp.blame.answer import Why
    from pegcp.errors import InputError, InvalidSolution, Missing, PegcpError
    from pegcp.game import Board, Jump, Objective, Position, Problem
    from pegcp.library.lookup import board, position, problem
    from pegcp.method import Limits, Reason, Status
    from pegcp.play.advice import NextJumps
    from pegcp.report import Comparison
    from pegcp.results.result import Result, Solutions

__all__ = [
    "Board",
    "Comparison",
    "InputError",
    "InvalidSolution",
    "Jump",
    "Limits",
    "Missing",
    "NextJumps",
    "Objective",
    "PegcpError",
    "Position",
    "Problem",
    "Reason",
    "Result",
    "Solutions",
    "Status",
    "Why",
    "__version__",
    "board",
    "boards",
    "check",
    "compare",
    "explain",
    "export",
    "from_plan",
    "from_unified_planning",
    "graph",
    "improve",
    "load",
    "methods",
    "model",
    "next_jumps",
    "position",
    "problem",
    "problems",
    "prove",
    "read_result",
    "show",
    "solutions",
    "solve",
    "to_unified_planning",
    "why",
]

_MODULES = {  # of the names that are loaded when they are used
    **dict.fromkeys(__all__, "pegcp.api"),
    **dict.fromkeys(("InputError", "InvalidSolution", "Missing", "PegcpError"), "pegcp.errors"),
    **dict.fromkeys(("Board", "Jump"), "pegcp.game.board"),
    **dict.fromkeys(("board", "position", "problem"), "pegcp.library.lookup"),
    **dict.fromkeys(("Limits", "Reason", "Status"), "pegcp.method"),
    "Comparison": "pegcp.report",
    "NextJumps": "pegcp.play.advice",
    "Objective": "pegcp.game.problem",
    "Position": "pegcp.game.position",
    "Problem": "pegcp.game.problem",
    "Result": "pegcp.results.result",
    "Solutions": "pegcp.results.result",
    "Why": "pegcp.blame.answer",
}


def __getattr__(name: str) -> object:
    """Load a public function or class when it is first used."""
    if name in _MODULES:
        return getattr(_import_module(_MODULES[name]), name)
    if name in ("backends", "testing"):  # a package, which can be called, and a module
        return _import_module(f"pegcp.{name}")
    from pegcp.habits import absent

    raise absent("pegcp", name, [*__all__, "backends", "testing"])


def __dir__() -> list[str]:
    return sorted(__all__)
