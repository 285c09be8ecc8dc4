"""Answer one request: read its problem, choose its method, run it."""

from __future__ import annotations

import json
import os
import time
import traceback
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from pegcp.catalogue.methods import choose
from pegcp.errors import InputError, Missing, PegcpError
from pegcp.formats.toml import read_problem
from pegcp.method import Answer, Limits, Listing, Reason, Run, Status

_LONGEST_MESSAGE = 10_000  # characters

Report = Callable[[Mapping[str, Any]], None]


def answer(request: Mapping[str, Any], started: float, report: Report) -> Answer:
    """Answer a request, made by :func:`pegcp.running.run.make_request`; every Exception becomes an answer."""
    try:
        problem = read_problem(request["problem"], name=request["name"])
        spec = choose(request["method"])
        if spec.method.fingerprint != request["fingerprint"]:
            raise InputError("the file was changed after this run was asked for", source=str(spec.method.path))
        listing = Listing(**request["listing"]) if request.get("listing") else None
        run = Run(Limits(**request["limits"]), started, report, request.get("log", False), listing=listing)
        start = time.monotonic() - started
        report({"start_seconds": start})
        began = time.perf_counter()
        ask = spec.look if request["look"] else spec.certify_or_run if request["certificate"] else spec.run
        claim = ask(problem, run)
        elapsed = time.perf_counter() - began
        compiled = {"compile_seconds": run.pause.seconds} if run.pause.seconds else {}
        statistics = {"start_seconds": start, **compiled, **claim.statistics}
        built = statistics.setdefault("build_seconds", 0.0)
        elsewhere = built + run.pause.seconds + statistics.get("certificate_seconds", 0.0)
        statistics.setdefault("solve_seconds", max(0.0, elapsed - elsewhere))
        return replace(claim, statistics=statistics)
    except Missing as error:
        reason, message = Reason.MISSING, str(error)
    except MemoryError:
        reason, message = Reason.MEMORY, "out of memory"
    except PegcpError as error:
        reason, message = Reason.ERROR, str(error)
    except Exception as error:  # noqa: BLE001 - whatever a method raises becomes a row of the table
        traceback.print_exc()
        frame = traceback.extract_tb(error.__traceback__)[-1]
        reason = Reason.ERROR
        message = f"{type(error).__name__}: {error} ({os.path.basename(frame.filename)}, line {frame.lineno})"
    return Answer(Status.UNKNOWN, reason, message=message[:_LONGEST_MESSAGE])


def answer_as_json(request: Mapping[str, Any], started: float, report: Report) -> bytes:
    """Answer a request, as one line of JSON. The jumps of a list of solutions are numbers of the board's jumps, which
    are shorter than their holes; -1 stands for any other jump."""
    claim = answer(request, started, report)
    jumps = read_problem(request["problem"]).board.jumps if claim.solutions else ()
    number = {jump: n for n, jump in enumerate(jumps)}
    solutions = [[number.get(jump, -1) for jump in solution] for solution in claim.solutions]
    return encode(vars(claim) | {"solutions": solutions})


def encode(values: Mapping[str, Any]) -> bytes:
    """Return values as one line of JSON: numbers of numpy become numbers, sets lists, unknown things text."""
    return json.dumps(values, default=_plain).encode()


def _plain(value: Any) -> Any:
    if hasattr(value, "item"):
        return value.item()
    if isinstance(value, Mapping):
        return dict(value)
    if isinstance(value, set | frozenset):
        return sorted(value)
    return str(value)
