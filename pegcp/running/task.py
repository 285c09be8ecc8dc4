"""One run: its method, problem and limits, the key of its result, and the solutions that people hand to it."""

import json
import os
import platform
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, cached_property
from hashlib import sha256
from pathlib import Path
from threading import Event
from typing import Any

from pegcp import backends, machine
from pegcp.backends import external, inventory
from pegcp.backends.info import Ability
from pegcp.backends.program import resolved_words
from pegcp.catalogue.choice import Choice, choose_for
from pegcp.catalogue.methods import bundled
from pegcp.catalogue.modelfile import LINEAR_PROGRAMS, SUFFIXES, FileMethod, ModelMethod, name_of
from pegcp.errors import InputError, refuse_if, shown
from pegcp.formats import files
from pegcp.formats.files import PACKAGE
from pegcp.formats.readings import SolutionReading
from pegcp.formats.solution import read_any_solution
from pegcp.game import Jump, Problem, jump_name, jumps_of
from pegcp.library import lookup
from pegcp.method import Limits, Wishes
from pegcp.results.result import Result
from pegcp.running.messages import Request
from pegcp.version import __version__

MOST_RUNS = 100_000  # of a comparison
LIMIT_NAMES = ("seed", "workers", "time_limit", "memory_limit")  # parameters that are no options of the method
FILES = ("model", "program")  # versions that are fingerprints of files
_SLOW_MODULES = {  # modules that searches begin with and that are slow to load
    **dict.fromkeys(("auto", "beam"), ("pegcp.search.beam", LINEAR_PROGRAMS)),
    **dict.fromkeys(("budget", "certificate"), (LINEAR_PROGRAMS,)),
    "refutation": ("pegcp.proofs.lrat", "pysat.solvers"),
}
_PAUSE_SECONDS = 120.0  # seconds of compilation in a run, all together
Solution = str | Path | Sequence[Jump | str] | Result  # its text in any notation, its jumps, or a result that has one


@dataclass(frozen=True)
class Task:
    """One run to make: a choice of a method, for a problem, within limits, which hold its seed.

    ``versions_there`` are those of :func:`base_versions` on the machine that makes the run, if that is another one.
    """

    problem: Problem
    choice: Choice
    limits: Limits
    wishes: Wishes = field(default_factory=Wishes)
    versions_there: Mapping[str, str] | None = field(default=None, compare=False)

    @property
    def cores(self) -> int:
        """The number of cores that the run keeps busy."""
        info = inventory.info(self.choice.backend)
        return self.limits.workers if info is not None and Ability.THREADS in info.abilities else 1

    @property
    def modules(self) -> list[str]:
        """The modules to load before the run: those of its backend or search."""
        solvers = self.choice.method.backends[:1] if self.choice.backend == external.NAME else (self.choice.backend,)
        usual = (LINEAR_PROGRAMS,) if isinstance(self.choice.method, ModelMethod) else ()
        slow = _SLOW_MODULES.get(self.choice.method.name, usual)
        return [*slow, *(module for name in solvers for module in backends.modules(name))]

    @property
    def pauses(self) -> bool:
        """True if the time of compilation is not charged to the run: for the searches that come with pegcp."""
        method = self.choice.method
        return not method.backends and (
            PACKAGE in (method.path or Path()).parents or bundled().get(method.name) is method
        )

    def request(self, sharers: int = 1, *, elsewhere: bool = False) -> Request:
        """Return the run as plain data: for a keeper of this machine; or for another machine, with the texts of files.

        Without a memory limit there is that of the machine here: a share of its memory, divided by the number of runs
        on it, ``sharers``. Here the path of a model file is absolute.
        """
        choice, method, limits, contents = self.choice, self.choice.method, self.limits, dict[str, str]()
        name, colon, options = choice.text.partition(":")
        if isinstance(method, FileMethod) and name.endswith(SUFFIXES):
            source = method.source
            name = str(source.path)
            if elsewhere:
                name = source.path.name
                all_files = {name: source.content, **{f"{stem}.py": text for stem, text in source.helpers}}
                contents = {key: content.decode("latin-1") for key, content in all_files.items()}
        if limits.memory is None and not elsewhere:
            limits = replace(limits, memory=machine.MEMORY_SHARE * machine.memory() / sharers)
        return Request(
            self.problem.text,
            self.problem.name,
            f"{name}{colon}{options}",
            choice.backend,
            dict(choice.options),
            limits,
            self.wishes,
            method.fingerprint,
            contents,
            pause=_PAUSE_SECONDS * self.pauses,
        )

    @property
    def parameters(self) -> dict[str, object]:
        """The options of the method, the seed and the limits."""
        limits, wishes = self.limits, self.wishes
        return {
            **self.choice.all_options,
            **dict(zip(LIMIT_NAMES, (limits.seed, limits.workers, float(limits.time), limits.memory), strict=True)),
            **({} if wishes.listing is None else vars(wishes.listing)),
            **({"hint": " ".join(jump_name(self.problem.board, jump) for jump in wishes.hint)} if wishes.hint else {}),
        }

    @property
    def versions(self) -> dict[str, str]:
        """The versions of pegcp, Python and the backend, and fingerprints of the files of a model or command."""
        backend = self.choice.backend or ""
        versions = dict(self.versions_there or base_versions([backend])[backend])
        command = self.parameters.get("command")
        files = {
            "model": self.choice.method.fingerprint,
            "program": _fingerprint_of_program(str(command)) if command else "",
        }
        return versions | {name: fingerprint for name, fingerprint in files.items() if fingerprint}

    @cached_property
    def key(self) -> str:
        """The fingerprint of problem, method, parameters (with the seed) and versions: they decide the result."""
        name, backend = self.choice.method.name, self.choice.backend
        return result_key(self.problem.fingerprint, name, backend, self.parameters, self.versions)


def make_task(
    problem: Problem,
    method: str | None,
    limits: Limits,
    interrupter: object = None,
    *,
    hint: Solution | None = None,
    log: bool = False,
) -> Task:
    """Return what is asked of a method. Raises InputError if it takes no hint, or if the hint has impossible jumps, and
    for an interrupter that is no event."""
    refuse_if(
        not isinstance(interrupter, Event | None),
        f"the interrupter must be a threading.Event, not {shown(interrupter)}",
    )
    jumps = () if hint is None else read_solution(problem, hint).jumps
    choice = choose_for(problem, method or ("moves" if jumps else None))
    info = inventory.info(choice.backend)
    if jumps and (info is None or Ability.HINTS not in info.abilities):
        takers = ", ".join(other.name for other in inventory.infos() if Ability.HINTS in other.abilities)
        raise InputError(f"{choice.text} takes no hint; models on {takers} do, such as moves")
    problem.start.after(*jumps)
    return Task(problem, choice, limits, Wishes(bool(log), hint=tuple(jumps), may_certify=True))


def read_solution(problem: Problem, solution: Solution) -> SolutionReading:
    """Return the jumps of a solution, and how a text was read. Raises InputError, also for a result on another
    board."""
    given = solution_text(solution)
    if isinstance(given, str):
        return read_any_solution(problem, given)
    if isinstance(given, Result):
        refuse_if(
            given.problem.board != problem.board,
            f"the solution is one of {given.problem.name}, on another board than {problem.name}",
        )
        given = given.jumps or ()
    return SolutionReading([*jumps_of(problem.board, given)], [], "")


def solution_text(solution: Any) -> Any:
    """Return what the file of a solution holds, if it is given by its path or open; another solution as it is."""
    text = lookup.unwrap(solution)
    is_file = isinstance(text, str) and (isinstance(solution, Path) or files.beside(Path(), text))
    return files.read_text(text) if is_file else text


def base_versions(backends: Iterable[str]) -> dict[str, dict[str, str]]:
    """Return the versions of pegcp and Python, and of a backend, for each; an empty name stands for none."""
    own = {"pegcp": __version__, "python": platform.python_version()}
    return {name: own | _backend_version(name or None) for name in backends}


def method_name(text: str) -> str:
    """Return the name of a method without its backend and options; for a model file that of the file, with hyphens."""
    name = text.partition(":")[0]
    return name_of(Path(name)) if name.endswith(SUFFIXES) else name


def result_key(
    fingerprint: str, method: str, backend: str | None, parameters: Mapping[str, object], versions: Mapping[str, str]
) -> str:
    """Return sixteen hexadecimal digits that identify a run."""
    identity = json.dumps([fingerprint, method, backend, dict(parameters), dict(versions)], sort_keys=True)
    return sha256(identity.encode()).hexdigest()[:16]


def _fingerprint_of_program(command: str) -> str:
    """Return the fingerprint of the files in a command that can be read, such as a script; empty if there are none."""
    words = [word for word in resolved_words(command) if os.sep in word]
    contents = [Path(word).read_bytes() for word in words if os.path.isfile(word) and os.access(word, os.R_OK)]
    return sha256(b"".join(contents)).hexdigest()[:12] if contents else ""


@cache
def _backend_version(backend: str | None) -> dict[str, str]:
    info = inventory.info(backend)
    version = info.version() if info is not None else None
    return {info.distribution or info.name: version} if info is not None and version is not None else {}
