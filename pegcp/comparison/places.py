"""Places where runs are made: executors, clusters of Dask (also by way of Slurm) and of Ray, and those of plug-ins
(entry points ``pegcp.places``). The libraries of clusters are loaded where one is asked for."""

from __future__ import annotations

import logging
import os
import threading
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import Executor, Future
from contextlib import closing, contextmanager, nullcontext, suppress
from dataclasses import replace
from functools import partial
from math import inf
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from pegcp import machine
from pegcp.errors import InputError, PegcpError, need, refuse_if, shown, suggestion
from pegcp.formats.toml import read_problem
from pegcp.running import road
from pegcp.running.messages import Request
from pegcp.running.task import Task, base_versions
from pegcp.running.worker import choice_of

if TYPE_CHECKING:
    from distributed import Client

_FIRST_WORKER_SECONDS = 60
_LOOK_EVERY_SECONDS = 1.0  # between looks at whether runs are to stop

RunFuture = Future[Any]  # of a Result, or of one as plain data


class Place:
    """Workers elsewhere, which make ``slots`` runs at a time. A place defines :meth:`start`; the rest is optional."""

    slots: float = inf

    def start(self, request: Request, note: Callable[[road.Progress], None]) -> RunFuture:
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


@contextmanager
def open_place(text: str | None, executor: Executor | None = None) -> Iterator[Place | None]:
    """Give the place of that name to a block, else the executor as a place, else None."""
    refuse_if(text is not None and executor is not None, "runs are made on one place: give either on or executor")
    here = None if executor is None else ExecutorPlace(executor)
    with nullcontext(here) if text is None else closing(place(text)) as where:
        yield where


def place(text: str) -> Place:
    """Return the place of a name with its address, such as ``dask:tcp://head:8786``. Raises InputError."""
    clusters: dict[str, tuple[Callable[[str], Place], str]] = {  # and the libraries that they need
        "dask": (connect_dask, "distributed"),
        "dask-slurm": (start_on_slurm, "dask_jobqueue"),
        "ray": (Ray, "ray"),
    }
    name, _, address = text.partition(":")
    plugins = machine.plugins("pegcp.places", object)
    if name in plugins:
        plugin = plugins[name]
        refuse_if(isinstance(plugin, Exception), f"the place {name} does not load: {type(plugin).__name__}: {plugin}")
        cluster = plugin(address)
        is_place = isinstance(cluster, Place) and type(cluster).start is not Place.start
        refuse_if(
            not is_place,
            f"the place {name} is {shown(cluster)}: it must be a pegcp.comparison.places.Place that defines start",
        )
        return cluster  # type: ignore[no-any-return]
    refuse_if(name not in clusters, f'there is no place "{name}" for runs{suggestion(name, [*clusters, *plugins])}')
    connect, library = clusters[name]
    need(f"a place {name}", f"pegcp[{name.partition('-')[0]}]", library)
    return connect(address)


def with_versions(tasks: Iterable[Task], where: Place) -> list[Task]:
    """Return the tasks with the versions that the workers have. Raises InputError where two workers differ."""
    tasks = list(tasks)
    backends = sorted({task.choice.backend or "" for task in tasks})
    answers = list(where.ask(base_versions, backends).items())
    if not answers:
        return tasks
    first, versions = answers[0]
    for worker, others in answers[1:]:
        for backend in backends:
            here, elsewhere = (
                ", ".join(f"{name} {version}" for name, version in about[backend].items())
                for about in (versions, others)
            )
            refuse_if(
                here != elsewhere,
                f"workers differ: {first} has {here}, and {worker} has {elsewhere}: give them the same versions",
            )
    return [replace(task, versions_there=versions[task.choice.backend or ""]) for task in tasks]


# A run as plain data --------------------------------------------------------------------------------------------------


def run_request(
    request: Request,
    on_progress: Callable[[road.Progress], None] | None = None,
    stop: threading.Event | None = None,
    sharers: int = 1,
) -> dict[str, Any]:
    """Make the run of a request from another machine (:func:`pegcp.running.road.run`); return plain data."""
    with TemporaryDirectory() if request.files else nullcontext("") as folder:
        for name, text in request.files.items():
            Path(folder, name).write_bytes(text.encode("latin-1"))
        choice = choice_of(replace(request, method=os.path.join(folder, request.method)))
        problem = read_problem(request.problem, name=request.name)
        return road.run(Task(problem, choice, request.limits, request.wishes), on_progress, stop, sharers).to_json()


# Places ---------------------------------------------------------------------------------------------------------------


class ExecutorPlace(Place):
    """An executor of the kind of concurrent.futures, which does its own scheduling. Raises InputError for none."""

    def __init__(self, executor: Executor) -> None:
        refuse_if(
            not isinstance(executor, Executor),
            f"the executor must be one of concurrent.futures, or of its kind, not {shown(executor)}",
        )
        self.executor = executor

    def start(self, request: Request, note: Callable[[road.Progress], None]) -> RunFuture:  # noqa: ARG002
        """Start a run; nothing is known of its progress."""
        return self.executor.submit(run_request, request)


def connect_dask(address: str) -> Place:
    """Return the cluster whose scheduler has an address, such as ``tcp://head:8786``. Raises InputError."""
    from distributed import Client

    try:
        return Dask(Client(address, timeout=10))
    except (OSError, ValueError) as error:
        raise InputError(f'no Dask scheduler answers at {address}: "dask scheduler" starts one ({error})') from None


def start_on_slurm(text: str) -> Place:
    """Start workers by Slurm: ``QUEUE,cores=8,memory=16GB,jobs=4``, and other settings of dask-jobqueue's cluster."""
    from dask_jobqueue.slurm import SLURMCluster
    from distributed import Client

    queue, *words = text.split(",")
    settings: dict[str, Any] = {key: value for key, _, value in (word.partition("=") for word in words)}
    jobs, cores = (settings.pop(name, default) for name, default in (("jobs", "1"), ("cores", "2")))
    refuse_if(
        not (jobs.isdecimal() and cores.isdecimal() and all(settings.values())),
        f"expected QUEUE,cores=8,memory=16GB,jobs=4, not {shown(text)}",
    )
    settings.setdefault("memory", f"{2 * int(cores)}GB")
    cluster = SLURMCluster(queue=queue or None, cores=int(cores), processes=1, **settings)
    cluster.scale(jobs=int(jobs))
    return Dask(Client(cluster), cluster.close)


class Dask(Place):
    """A Dask cluster: a slot for each thread of its workers. The runs of one machine share its memory."""

    def __init__(self, client: Client, close: Callable[[], object] = lambda: None) -> None:
        from distributed import Event

        self._client, self._close_cluster, self._stop = client, close, Event(client=client)
        with suppress(TimeoutError):
            client.wait_for_workers(1, timeout=_FIRST_WORKER_SECONDS)
        self.slots = sum(self._threads().values())
        if not self.slots:
            self.close()
            raise InputError('the Dask scheduler has no workers: "dask worker ADDRESS" starts one')
        self._executor = client.get_executor(pure=False)

    def _threads(self) -> Counter[str | None]:
        """Return the threads of the workers on each machine."""
        threads = Counter[str | None]()
        for address, about in self._client.scheduler_info(n_workers=-1)["workers"].items():
            threads[urlsplit(address).hostname] += about["nthreads"]
        return threads

    def ask(self, function: Callable[..., Any], *arguments: object) -> Mapping[str, Any]:
        """Return what a function returns on each worker. Raises PegcpError for one without pegcp."""
        try:
            return self._client.run(function, *arguments)  # type: ignore[no-any-return]
        except Exception as error:  # noqa: BLE001 - whatever a worker raises
            raise PegcpError(f"a worker cannot run pegcp: {type(error).__name__}: {error}") from None

    def start(self, request: Request, note: Callable[[road.Progress], None]) -> RunFuture:  # noqa: ARG002
        """Start a run on any worker."""
        self.check()
        return self._executor.submit(_run_on_dask, request, self._stop.name, dict(self._threads()))  # type: ignore[no-any-return]

    def check(self) -> None:
        """Raise PegcpError if the scheduler is gone."""
        if self._client.status != "running":
            raise PegcpError("the scheduler of Dask is gone; with --out FILE the same command goes on from there")

    def close(self) -> None:
        """Stop the runs that go on, and leave the cluster."""
        for leave in (self._stop.set, partial(self._client.close, timeout=5)):
            with suppress(Exception):  # the scheduler may be gone
                leave()
        self._close_cluster()


def _run_on_dask(request: Request, stop_name: str, sharers: Mapping[str | None, int]) -> dict[str, Any]:
    """Make a run in a worker of Dask, which shares the memory of its machine with others."""
    from distributed import Event, get_client, get_worker

    worker, event, stop = get_worker(), Event(stop_name, client=get_client()), threading.Event()

    def watch() -> None:
        with suppress(Exception):  # the scheduler may be gone
            while not stop.is_set():
                if event.wait(timeout=_LOOK_EVERY_SECONDS):
                    stop.set()

    threading.Thread(target=watch, daemon=True).start()
    try:
        result = run_request(request, None, stop, sharers.get(urlsplit(worker.address).hostname, 1))
    finally:
        stop.set()  # for the thread that watches
    result["provenance"]["worker"] = worker.address
    return result


class Ray(Place):
    """The Ray cluster of an address, ``auto`` for the one of this machine: a slot for each two of its processors."""

    def __init__(self, address: str) -> None:
        import ray

        try:
            ray.init(address=address or "auto", log_to_driver=False, logging_level=logging.ERROR)
        except (ConnectionError, ValueError) as error:
            raise InputError(f'no Ray cluster answers: "ray start --head" starts one ({error})') from None
        self._run: Any = ray.remote(num_cpus=2, max_retries=-1)(run_request)
        slots = [int(node["Resources"].get("CPU", 0)) // 2 for node in ray.nodes() if node["Alive"]]
        self.slots, self._sharers = sum(slots), max(slots)

    def start(self, request: Request, note: Callable[[road.Progress], None]) -> RunFuture:  # noqa: ARG002
        """Start a run on any worker; the runs of one machine share its memory."""
        return self._run.remote(request, sharers=self._sharers).future()  # type: ignore[no-any-return]

    def close(self) -> None:
        """Stop the runs that go on, and leave the cluster."""
        import ray

        ray.shutdown()
