"""The planners of ``planners.toml`` and those of the user: how to start each, and how to read a run without a plan.

Those that ship come in the engine packages of unified-planning (``up-fast-downward``, ``up-symk``, ...). They are
started with the command lines of those engines, but on pegcp's own files: unified-planning's reader and writer (1.3.0)
take three seconds for the English board, ten times what Fast Downward needs to solve it, order ``:constants`` by the
hash seed, and lose the log of a run that is stopped. Only Tamer, which has no command line of its own, is started
through unified-planning.
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
from typing import Any, Literal

from pegcp.backends.backend import BackendInfo
from pegcp.backends.program import failure, resolved_words, split_command
from pegcp.backends.program_tables import own_programs, read_programs, read_tables
from pegcp.errors import InputError, suggestion
from pegcp.formats.pddl import GOALS
from pegcp.method import Answer, Reason, Status

DOMAIN, PROBLEM, PLAN = "domain.pddl", "problem.pddl", "plan.txt"
BY_COMMAND = "planner"  # any planner by its command line
OWN = "planners.toml"  # of the user

Options = Mapping[str, Any]
Meaning = Literal["unsolvable", "incomplete", "unsupported", "memory", "time"]
_MEANINGS: dict[Meaning, Answer] = {
    "unsolvable": Answer(Status.INFEASIBLE, message="the planner proved that there is no plan"),
    "incomplete": Answer(Status.UNKNOWN, message="the planner gave up, which proves nothing"),
    "unsupported": Answer(Status.UNKNOWN, Reason.UNSUPPORTED, message="the planner does not support this problem"),
    "memory": Answer(Status.UNKNOWN, Reason.MEMORY, message="the planner ran out of memory"),
    "time": Answer(Status.UNKNOWN, Reason.TIME, message="the planner ran out of time"),
}
_SIGNALS = 128  # a shell or driver whose part was killed ends with this and the number of the signal
_SHIPPED = Path(__file__).with_name(OWN)
_FORMATS = ("pddl",)


@dataclass(frozen=True, kw_only=True)
class Planner(BackendInfo):
    """How to run a planner on files in the current directory: a table of ``planners.toml``, which explains its keys.

    ``costs``: it supports action costs; ``temporal``: durative actions; ``encodings``: the domains of ``models/`` that
    it supports beside those; ``goals``: of the problems it takes; ``plan``: the file that it writes, if its command
    cannot name one.
    """

    about: str = ""
    command_mac: str = ""
    options: Mapping[str, str] = field(default_factory=dict)
    optimal: bool | tuple[str, str] = False
    costs: bool = True
    temporal: bool = False
    encodings: tuple[Literal["parallel", "derived"], ...] = ()
    goals: tuple[str, ...] = GOALS
    plan: str = PLAN
    exit: Mapping[Meaning, tuple[int, ...]] = field(default_factory=dict)
    says: Mapping[Meaning | Literal["doubtful"], tuple[str, ...]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for goal in self.goals:
            if goal not in GOALS:
                raise InputError(f'goals: unknown kind "{goal}"{suggestion(goal, GOALS)}; kinds: {", ".join(GOALS)}')

    @property
    def choices(self) -> dict[str, Any]:
        """Its options. Those of the user's programs include the claims to trust, and the command."""
        if self.modules:
            return dict(self.options)
        proves = {} if isinstance(self.optimal, tuple) else {"optimal": "yes" if self.optimal else "no"}
        return {**self.options, **proves, "exit.unsolvable": Codes(""), "says.unsolvable": "", "command": self.command}

    def command_line(self, options: Options, seed: int, seconds: float) -> list[str]:
        """The words that start it. Raises InputError for a command that cannot be split into words."""
        template = options.get("command") or self.command_mac * (sys.platform == "darwin") or self.command
        if not template.strip():
            example = f'{self.name}:command="mine {{domain}} {{problem}} {{plan}}"'
            raise InputError(f"{self.name} needs a command, such as {example}")
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
        """True if its last plan is proved to be the best."""
        if "optimal" in options:
            return bool(options["optimal"] == "yes")
        if isinstance(self.optimal, bool):
            return self.optimal
        text, pattern = self.optimal
        return re.fullmatch(pattern, text.format(**options), re.DOTALL) is not None

    def judge(self, options: Options, code: int, log: str) -> Answer:
        """Conclude from a run without a plan. A program that crashed proves nothing."""
        by_code = {meaning for meaning, codes in self.exit.items() if code in codes}
        by_log = {meaning for meaning, words in self.says.items() if any(word in log for word in words)}
        by_code |= {"unsolvable"} if str(code) in options.get("exit.unsolvable", "").split(",") else set()
        by_log |= {"unsolvable"} if options.get("says.unsolvable") and options["says.unsolvable"] in log else set()
        if not 0 <= code < _SIGNALS:
            by_log &= {"memory"}
        limits: tuple[Meaning, ...] = ("memory", "time", "unsupported")
        for meaning in limits:
            if meaning in by_code | by_log:
                return _MEANINGS[meaning]
        if "unsolvable" in by_code | by_log and "doubtful" not in by_log:
            return _MEANINGS["unsolvable"]
        if not (by_code | by_log).isdisjoint(("incomplete", "unsolvable")):
            return _MEANINGS["incomplete"]
        if code == 0:
            return Answer(Status.UNKNOWN, message="the planner ended without a plan")
        return Answer(Status.UNKNOWN, Reason.ERROR, message=f"the planner failed {failure(code, log)}")


class Codes(str):
    """Exit codes separated by commas. Raises ValueError for any other text."""

    __slots__ = ()

    def __new__(cls, text: str) -> Codes:
        """The codes in a text."""
        if text and not re.fullmatch(r"\d{1,3}(,\d{1,3})*", text):
            raise ValueError(text)
        return super().__new__(cls, text)


def _folder(package: str) -> str:
    """The folder of an installed package."""
    spec = importlib.util.find_spec(package)
    assert spec is not None
    assert spec.submodule_search_locations
    return spec.submodule_search_locations[0]


def shipped_names() -> tuple[str, ...]:
    """The names of the planners that ship."""
    return tuple(read_tables(_SHIPPED))


@cache
def shipped() -> dict[str, Planner]:
    """The planners that ship, by name."""
    return {planner.name: planner for planner in read_programs(_SHIPPED, Planner, formats=_FORMATS)}


def own() -> list[Planner]:
    """The planners of the user's own file, if there is one. Raises InputError."""
    return own_programs(OWN, Planner, formats=_FORMATS)
