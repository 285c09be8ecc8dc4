"""Parameters of solvers, by the names they have there: ``METHOD:SOLVER.PARAMETER=VALUE``.

They are options whose name has a point. What is wrong with one is said before anything runs. What pegcp itself sets
cannot be set: limits, threads, the seed, what is printed or written.
"""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from pegcp.errors import InputError, suggestion

_OURS = re.compile(
    r"max_time_in_seconds|max_deterministic_time|num_(search_)?workers|random_seed|enumerate_all_solutions|name|log_.*|"
    r"fix_variables_to_their_hinted_value|presolve_inclusion_work_limit|.*_(file|prefix|path|proof)(_.*)?"
)
_LISTING = 20.0  # seconds
_EMPHASIS = ("off", "low", "medium", "high", "very_high")
_MATHOPT = {  # what MathOpt passes on to all its solvers
    "presolve": _EMPHASIS,
    "cuts": _EMPHASIS,
    "heuristics": _EMPHASIS,
    "scaling": _EMPHASIS,
    "lp_algorithm": ("primal_simplex", "dual_simplex", "barrier", "first_order"),
}
_CLINGO = (  # those of clasp's search
    "configuration", "heuristic", "restarts", "deletion", "sat-prepro", "trans-ext", "eq", "backprop", "strengthen",
    "otfs", "save-progress", "sign-def", "rand-freq", "local-restarts", "lookahead", "loops", "init-moms",
)  # fmt: skip

_HUGE = 2_000_000_000
_CADICAL_SWITCHES = (  # those of its search
    "block", "bumpreason", "chronoalways", "condition", "cover", "decompose", "elim", "flush", "forcephase",
    "inprocessing", "instantiate", "lucky", "minimize", "phase", "probe", "reduce", "rephase", "restart", "reverse",
    "score", "shuffle", "stabilize", "stabilizeonly", "subsume", "ternary", "transred", "vivify", "walk",
    "walknonstable",
)  # fmt: skip
_CADICAL = {  # the least and the greatest value: the solver itself takes any name, and moves values into the range
    **dict.fromkeys(_CADICAL_SWITCHES, (0, 1)),
    "chrono": (0, 2), "shrink": (0, 3), "target": (0, 2), "bumpreasondepth": (1, 3), "elimrounds": (1, 512),
    "elimboundmax": (-1, 2_000_000), "elimint": (1, _HUGE), "emagluefast": (1, _HUGE), "emaglueslow": (1, _HUGE),
    "probeint": (1, _HUGE), "reduceint": (10, 1_000_000), "reducetarget": (10, 100), "reducetier1glue": (1, _HUGE),
    "reducetier2glue": (1, _HUGE), "reluctant": (0, _HUGE), "reluctantmax": (0, _HUGE), "rephaseint": (1, _HUGE),
    "restartint": (1, _HUGE), "restartmargin": (0, 100), "scorefactor": (500, 1000), "stabilizefactor": (101, _HUGE),
    "stabilizeint": (1, _HUGE), "subsumeint": (1, _HUGE), "walkreleff": (1, 100_000),
}  # fmt: skip


def given(solver: str, options: Mapping[str, Any]) -> dict[str, str]:
    """Those of the options that are parameters of a solver, by their names there."""
    begin = f"{solver}."
    return {key.removeprefix(begin): value for key, value in options.items() if key.startswith(begin)}


def check(solver: str, name: str, value: str) -> None:
    """See that a solver has a parameter of that name, and that it can have that value. Raises InputError."""
    takes = _TAKES.get(solver)
    if takes is None:
        raise InputError(f"{solver} takes no parameters; {', '.join(_TAKES)} do")
    takes(solver, name, value)


def _among(what: str, name: str, known: Iterable[str], more: str = "") -> None:
    known = list(known)
    if name not in known:
        raise InputError(f'{what} "{name}"{suggestion(name, known)}; {more or ", ".join(known)}')


def _cp_sat(solver: str, name: str, value: str) -> None:
    from google.protobuf import text_format
    from ortools.sat.sat_parameters_pb2 import SatParameters

    known = [field for field in SatParameters.DESCRIPTOR.fields_by_name if not _OURS.fullmatch(field)]
    _among(f"{solver} has no parameter", name, known, "those of SatParameters, but for limits, threads, seed")
    try:
        read = text_format.Parse(f"{name}: {value}", SatParameters())
    except text_format.ParseError as error:
        raise InputError(f'{solver}.{name} cannot be "{value}": {str(error).partition(" : ")[2]}') from None
    if [field.name for field, _ in read.ListFields()] != [name]:
        raise InputError(f'{solver}.{name} cannot be "{value}": that sets other parameters, too')


def _mathopt(solver: str, name: str, value: str) -> None:
    _among(f"{solver} has no parameter", name, _MATHOPT)
    _among(f"{solver}.{name} cannot be", value, _MATHOPT[name])


def _clingo(solver: str, name: str, _: str) -> None:
    _among(f"{solver} has no parameter", name, _CLINGO)  # what values there are, clingo says in the run


def _cadical(solver: str, name: str, value: str) -> None:
    _among(f"{solver} has no parameter", name, _CADICAL)
    low, high = _CADICAL[name]
    if not re.fullmatch(r"-?\d{1,10}", value, re.ASCII) or not low <= int(value) <= high:
        raise InputError(f'{solver}.{name} cannot be "{value}": it takes {low} to {high}')


def _minizinc(solver: str, name: str, value: str) -> None:
    _among(f"{solver} has no parameter", name, ("solver",))
    ids = _minizinc_solvers()
    _among(f"{solver}.{name} cannot be", value, [*ids, *(known.rpartition(".")[2] for known in ids)])


def _minizinc_solvers() -> list[str]:
    """The solvers that the program lists. Raises InputError if it does not."""
    command = ["minizinc", "--solvers-json"]
    try:
        said = subprocess.run(command, capture_output=True, text=True, timeout=_LISTING, check=False).stdout
        return [found["id"] for found in json.loads(said or "[]")]
    except (OSError, ValueError, TypeError, KeyError, subprocess.TimeoutExpired) as error:
        raise InputError(f'"{" ".join(command)}" does not list its solvers: {type(error).__name__}') from None


_TAKES: dict[str, Callable[[str, str, str], None]] = {
    "cp-sat": _cp_sat,
    "cp-sat-mathopt": _cp_sat,
    "highs": _mathopt,
    "scip": _mathopt,
    "cadical": _cadical,
    "clingo": _clingo,
    "minizinc": _minizinc,
}
