"""All backends: solvers, planners that ship, and programs of the user."""

from contextlib import suppress

from pegcp.backends import BACKENDS, backend, external, find, planners, plugins
from pegcp.backends.interface import BackendInfo, InputError


def infos() -> tuple[BackendInfo, ...]:
    """All backends, planners and programs of the user included."""
    programs: list[BackendInfo] = [planner for planner in planners.shipped().values() if planner.modules]
    for read_own in (planners.own, external.own):
        with suppress(InputError):  # the list of methods shows the error
            programs += read_own()
    return (*map(backend, BACKENDS), *plugins().values(), *programs)


def info(name: str | None) -> BackendInfo | None:
    """The backend of that name, or None if there is none, as for a search."""
    if name is None:
        return None
    return find(name) or next((program for program in infos() if program.name == name), None)
