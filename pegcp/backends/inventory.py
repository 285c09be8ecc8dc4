"""All backends: solvers, planners that ship, and programs of the user."""

from contextlib import suppress

from pegcp.backends import BACKENDS, backend, external, find, planners, plugins
from pegcp.backends.interface import BackendInfo, InputError
from pegcp.backends.program import home

OWN_PROGRAMS = (planners.Planner, external.OwnSolver)  # each a table of a file of the user


def infos() -> tuple[BackendInfo, ...]:
    """Return all backends, planners and programs of the user included."""
    programs: list[BackendInfo] = [planner for planner in planners.shipped().values() if planner.modules]
    for kind in OWN_PROGRAMS:
        with suppress(InputError):  # the list of methods shows the error
            programs += kind.read_all(home() / kind.file)
    return (*map(backend, BACKENDS), *plugins().values(), *programs)


def info(name: str | None) -> BackendInfo | None:
    """Return the backend of that name, or None if there is none, as for a search."""
    if name is None:
        return None
    return find(name) or next((program for program in infos() if program.name == name), None)
