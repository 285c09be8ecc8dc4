"""Places where runs are made: executors, clusters, and those of plug-ins (entry points ``pegcp.places``)."""

import os
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import Executor, Future
from contextlib import closing, contextmanager, nullcontext
from dataclasses import replace
from importlib import import_module
from importlib.metadata import entry_points
from math import inf
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from pegcp.catalogue.modelfile import SUFFIXES, read_source
from pegcp.errors import InputError, missing, shown, suggestion, there
from pegcp.formats.toml import read_problem
from pegcp.running import road
from pegcp.running.messages import Request
from pegcp.running.story import Progress
from pegcp.running.task import Task, base_versions
from pegcp.running.worker import choice_of

# By name: the module that connects to a cluster, and the library that it needs.
_CLUSTERS = {
    "dask": ("pegcp.comparison.clusters:connect_dask", "distributed"),
    "dask-slurm": ("pegcp.comparison.clusters:start_on_slurm", "dask_jobqueue"),
    "ray": ("pegcp.comparison.clusters:Ray", "ray"),
}


Outcome = Future[dict[str, Any]]  # the result of a run as plain data


class Place:
    """Workers elsewhere, which make ``slots`` runs at a time. A place defines :meth:`start`; the rest is optional."""

    slots: float = inf

    def start(self, request: Request, note: Callable[[Progress], None]) -> Outcome:
        """Start the run of a request by :func:`run_request`; its result comes as plain data.

        ``note`` gets an empty mapping when the run begins, and then its progress.
        """
        raise NotImplementedError

    def ask(self, function: Callable[..., Any], *arguments: object) -> Mapping[str, Any]:  # noqa: ARG002
        """Return what a function returns on each worker, by the worker's name; empty if the place cannot tell."""
        return {}

    def check(self) -> None:
        """Raise PegcpError if the place is gone, so that no more runs can be made there."""

    def close(self) -> None:
        """Stop the runs that go on, and let the workers go."""


class OnExecutor(Place):
    """An executor of the kind of concurrent.futures, which does its own scheduling. Raises InputError for none."""

    def __init__(self, executor: Executor) -> None:
        if not isinstance(executor, Executor):
            raise InputError(f"the executor must be one of concurrent.futures, or of its kind, not {shown(executor)}")
        self.executor = executor

    def start(self, request: Request, note: Callable[[Progress], None]) -> Outcome:  # noqa: ARG002
        """Start a run; nothing is known of its progress."""
        return self.executor.submit(run_request, request)


def place(text: str) -> Place:
    """Return the place of a name with its address, such as ``dask:tcp://head:8786``. Raises InputError."""
    name, _, address = text.partition(":")
    plugins = {point.name: point for point in entry_points(group="pegcp.places")}
    if name in plugins:
        return plugins[name].load()(address)  # type: ignore[no-any-return]
    if name not in _CLUSTERS:
        raise InputError(f'there is no place "{name}" for runs{suggestion(name, [*_CLUSTERS, *plugins])}')
    where, library = _CLUSTERS[name]
    if not there(library):
        raise missing(f"a place {name} needs the package {library}", f"pegcp[{name.partition('-')[0]}]")
    module, _, function = where.partition(":")
    return getattr(import_module(module), function)(address)  # type: ignore[no-any-return]


def make_request(task: Task) -> Request:
    """Return a run as plain data, for another process or machine, with the text of a model file."""
    request, (name, colon, options) = task.request, task.method.text.partition(":")
    if not name.endswith(SUFFIXES) or task.method.method.path is None:
        return request
    source = read_source(task.method.method.path)
    beside = {f"{helper}.py": content for helper, content in source.helpers}
    files = {name: content.decode("latin-1") for name, content in {source.path.name: source.content, **beside}.items()}
    return replace(request, method=f"{source.path.name}{colon}{options}", files=files)


def run_request(
    request: Request,
    on_progress: Callable[[Progress], None] | None = None,
    stop: threading.Event | None = None,
    together: int = 1,
) -> dict[str, Any]:
    """Make the run of a :func:`make_request`, see :func:`pegcp.running.road.run`; return the result as plain data."""
    with TemporaryDirectory() if request.files else nullcontext("") as folder:
        for name, text in request.files.items():
            Path(folder, name).write_bytes(text.encode("latin-1"))
        choice = choice_of(replace(request, method=os.path.join(folder, request.method)))
        problem = read_problem(request.problem, name=request.name)
        details = request.log, request.listing, request.sizes, request.certificate
        return road.run(Task(problem, choice, request.limits, *details), on_progress, stop, together).to_json()


@contextmanager
def place_or(text: str | None, executor: Executor | None = None) -> Iterator[Place | Executor | None]:
    """Connect to the place of that name while the block runs; without a name, use the executor, if there is one."""
    if text is None:
        yield executor
    elif executor is not None:
        raise InputError("runs are made on one place: give either on or executor")
    else:
        with closing(place(text)) as connected:
            yield connected


def with_versions(tasks: Iterable[Task], where: Place) -> list[Task]:
    """Return the tasks with the versions that the workers have. Raises InputError where two workers differ."""
    tasks = list(tasks)
    backends = sorted({task.method.backend or "" for task in tasks})
    answers = list(where.ask(base_versions, backends).items())
    if not answers:
        return tasks
    first, versions = answers[0]
    for worker, others in answers[1:]:
        for backend in backends:
            if others[backend] != versions[backend]:
                raise InputError(
                    f"workers differ: {first} has {_listed(versions[backend])}, and {worker} has "
                    f"{_listed(others[backend])}: give them the same versions"
                )
    return [replace(task, versions_there=versions[task.method.backend or ""]) for task in tasks]


def _listed(versions: Mapping[str, str]) -> str:
    return ", ".join(f"{name} {version}" for name, version in versions.items())
