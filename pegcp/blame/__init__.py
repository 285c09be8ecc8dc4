"""Which line of a model file excludes a solution, or which rule of the game no line says.

``explain`` asks the questions; ``parts`` and ``statements`` build a model without some of its constraints, ``layout``
places a solution on the steps of a model, ``fixing`` gives its variables their values, ``rules`` says which rule of the
game an answer breaks, ``domains`` reads planning domains.
"""

from collections.abc import Sequence
from pathlib import Path

from pegcp.blame.answer import Why
from pegcp.blame.domains import explain_domain
from pegcp.blame.explain import explain
from pegcp.catalogue.methods import choose
from pegcp.errors import InputError
from pegcp.game.board import Jump
from pegcp.game.problem import Problem


def ask(problem: Problem, method: str, jumps: Sequence[Jump] | None, seconds: float, *, is_given: bool = False) -> Why:
    """Ask a model file, or a planning domain, about a solution. Raises InputError for a method without lines."""
    if not method.endswith(".pddl"):
        return explain(problem, choose(method), jumps, seconds, is_given=is_given)
    if jumps is None:
        raise InputError("a planning domain is asked about a solution, and none is known", source=method)
    return explain_domain(problem, Path(method), jumps)
