"""The planners that pegcp knows, ``planners.toml``, and those of the user: how to start each on PDDL files, and what it
means when no plan was written.

Those that ship come in the engine packages of unified-planning (``up-fast-downward``, ``up-symk``, ...), and are
started with the command lines of those engines, but on pegcp's own files. To pass a problem through unified-planning's
reader and writer (1.3.0) takes three seconds for the English board, ten times what Fast Downward needs to solve it,
orders ``:constants`` by the hash seed, and loses the log of a run that is stopped. Only Tamer, which has no command
line, goes through that of unified-planning.
"""

from __future__ import annotations

import importlib.util
import os
import re
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from pegcp.backends.backend_info import BackendInfo, resolved_words, split_command
from pegcp.backends.program import failure
from pegcp.backends.program_tables import own_rows, read_rows
from pegcp.errors import InputError, suggestion
from pegcp.formats.pddl import GOALS
from pegcp.method import Answer, Reason, Status

DOMAIN, PROBLEM, PLAN = "domain.pddl", "problem.pddl", "plan.txt"
BY_COMMAND = "planner"  # any planner by its command line
OWN = "planners.toml"  # of the user

Options = Mapping[str, Any]

_MEANS = {
    "unsolvable": Answer(Status.INFEASIBLE, message="the planner has shown that there is no plan"),
    "incomplete": Answer(Status.UNKNOWN, message="the planner gave up: its search is no proof"),
    "unsupported": Answer(Status.UNKNOWN, Reason.UNSUPPORTED, message="the planner does not take this problem"),
    "memory": Answer(Status.UNKNOWN, Reason.MEMORY, message="the planner ran out of memory"),
    "time": Answer(Status.UNKNOWN, Reason.TIME, message="the planner ran out of time"),
}
ENCODINGS = ("parallel", "derived")  # that a planner may be asked to take
_SIGNALS = 128  # shells and drivers end with this and the number of the signal that killed a part


@dataclass(frozen=True, kw_only=True)
class Planner(BackendInfo):
    """How to run a planner on files in the current directory: a table of ``planners.toml``, which tells of its keys.

    ``costs``: it understands action costs; ``temporal``: durative actions; ``encodings``: the domains of ``models/``
    that it understands beside those; ``goals``: of the problems it takes; ``plan``: the file that it writes, where it
    cannot be told; ``version_command``: what makes a program tell its version.
    """

    about: str = ""
    command_mac: str = ""
    options: Options = field(default_factory=dict)
    optimal: bool | tuple[str, str] = False
    costs: bool = True
    temporal: bool = False
    encodings: tuple[str, ...] = ()
    goals: tuple[str, ...] = GOALS
    plan: str = PLAN
    exit: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    says: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for what, known in (
            (self.exit, _MEANS),
            (self.says, (*_MEANS, "doubtful")),
            (self.goals, GOALS),
            (self.encodings, ENCODINGS),
        ):
            for word in what:
                if word not in known:
                    raise InputError(f'"{word}" is not understood{suggestion(word, known)}; {", ".join(known)} are')

    @property
    def choices(self) -> dict[str, Any]:
        """Its options. Those of a program of the user are also what its row says of it."""
        if self.modules:
            return dict(self.options)
        proves = {} if isinstance(self.optimal, tuple) else {"optimal": "yes" if self.optimal else "no"}
        return {**self.options, **proves, "exit.unsolvable": Codes(""), "says.unsolvable": "", "command": self.command}

    def started(self, options: Options, seed: int, seconds: float) -> list[str]:
        """The command line. Raises InputError for a command that cannot be split into words."""
        template = options.get("command") or self.command_mac * (sys.platform == "darwin") or self.command
        if not template.strip():
            raise InputError(
                f'{self.name} needs a command, such as {self.name}:command="mine {{domain}} {{problem}} {{plan}}"'
            )
        files = {"domain": DOMAIN, "problem": PROBLEM, "plan": self.plan}
        values = {
            **{name: os.path.abspath(file) for name, file in files.items()},
            "python": sys.executable,
            "time": f"{max(1, seconds):.0f}",
            **{package: _folder(package) for package in self.modules},
            **{name: str(value) for name, value in options.items()},
        }

        def filled(word: str) -> str:
            word = re.sub(r"\{(\w+)\}", lambda place: values.get(place[1], place[0]), word)
            return word.replace("{seed}", str(seed))  # also in the options

        words = split_command(template) if self.modules else resolved_words(template)  # those that ship name no files
        return [filled(word) for word in words]

    def proves(self, options: Options) -> bool:
        """Whether a plan that it ends with is the best."""
        if "optimal" in options:
            return bool(options["optimal"] == "yes")
        if isinstance(self.optimal, bool):
            return self.optimal
        text, pattern = self.optimal
        return re.fullmatch(pattern, text.format(**options), re.DOTALL) is not None

    def judge(self, options: Options, code: int, log: str) -> Answer:
        """Conclude from a run without a plan. A proof of a program that crashed is none."""
        by_code = {meaning for meaning, codes in self.exit.items() if code in codes}
        by_log = {meaning for meaning, words in self.says.items() if any(word in log for word in words)}
        by_code |= {"unsolvable"} if str(code) in options.get("exit.unsolvable", "").split(",") else set()
        by_log |= {"unsolvable"} if options.get("says.unsolvable") and options["says.unsolvable"] in log else set()
        if not 0 <= code < _SIGNALS:
            by_log &= {"memory"}
        for meaning in ("memory", "time", "unsupported"):
            if meaning in by_code | by_log:
                return _MEANS[meaning]
        if "unsolvable" in by_code | by_log and "doubtful" not in by_log:
            return _MEANS["unsolvable"]
        if "incomplete" in by_code | by_log or "unsolvable" in by_code | by_log:
            return _MEANS["incomplete"]
        if code == 0:
            return Answer(Status.UNKNOWN, message="the planner ended without a plan")
        return Answer(Status.UNKNOWN, Reason.ERROR, message=f"the planner failed {failure(code, log)}")


class Codes(str):
    """Exit codes separated by commas. Raises ValueError for what are none."""

    __slots__ = ()

    def __new__(cls, text: str) -> Codes:
        """The codes in a text."""
        if text and not re.fullmatch(r"\d{1,3}(,\d{1,3})*", text):
            raise ValueError(text)
        return super().__new__(cls, text)


def _folder(package: str) -> str:
    """Where a package is that is there."""
    spec = importlib.util.find_spec(package)
    assert spec is not None
    assert spec.submodule_search_locations
    return spec.submodule_search_locations[0]


@cache
def shipped() -> dict[str, Planner]:
    """The planners that ship, by name."""
    return {row.name: row for row in read_rows(Path(__file__).with_name(OWN), Planner, formats=("pddl",))}


def own() -> tuple[Planner, ...]:
    """The planners of the user's own file, if there is one. Raises InputError."""
    return own_rows(OWN, Planner, formats=("pddl",))
