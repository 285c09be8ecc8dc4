"""Refute the formula of a horizon, and write a proof that the checker can follow."""

from pathlib import Path
from typing import Literal

from pegcp.checking import checker
from pegcp.errors import InputError
from pegcp.game import Problem
from pegcp.method import Answer, Run, Status
from pegcp.modelling.cnf import Clauses
from pegcp.modelling.formulation import Formulation


def search(
    problem: Problem,
    run: Run,
    *,
    model: Literal["sat-moves", "sat-parallel", "sat-rounds"] = "sat-moves",
    horizon: int = 1,
    order: str = "",
    proof: str = "",
) -> Answer:
    """Return a solution with this horizon, or UNKNOWN; if there is none, the proof is in the file ``proof``.

    ``order``: the numbers of the jumps in a round, with blanks between. ``proof`` is a path in hexadecimal digits,
    since an option cannot have every character. Raises InputError.
    """
    from pegcp.backends.sat import refute

    try:
        game = checker.read_problem(problem.text.encode())
        variables, clauses = checker.formula(game, model, horizon, list(map(int, order.split())))
        formula = Clauses()
        formula.names, formula.clauses = [""] * variables, list(map(list, clauses))
        jumps = list(enumerate(problem.board.jumps * horizon, start=1 + len(game.holes) * (horizon + 1)))
        formulation = Formulation(formula, lambda value: [jump for variable, jump in jumps if value(variable)])
        raw = run.folder / "proof"
        with open(raw, "w+b") as file:
            answer = refute(formulation, file, run)
        if answer.status is not Status.INFEASIBLE:
            return answer
        from pegcp.proofs.lrat import trimmed

        Path(bytes.fromhex(proof).decode("utf-8", "surrogateescape")).write_bytes(trimmed(raw, len(clauses)))
    except (checker.Rejected, ValueError) as error:
        raise InputError(str(error)) from None
    except OSError as error:
        raise InputError(f"cannot write the proof: {error.strerror}") from None
    return Answer(Status.UNKNOWN, message=f"no solution with horizon {horizon}")
