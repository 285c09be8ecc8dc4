"""Make runs on the workers of a cluster: of Dask, also by way of Slurm, and of Ray."""

from __future__ import annotations

import logging
import threading
from collections import Counter
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit
from uuid import uuid4

from pegcp.comparison.places import Outcome, Place, run_request
from pegcp.errors import InputError, PegcpError, shown
from pegcp.running.messages import Request
from pegcp.running.story import Progress

if TYPE_CHECKING:
    from distributed import Client

_FIRST_WORKER_SECONDS = 60
_LOOK_EVERY_SECONDS = 1.0  # between looks at whether runs are to stop


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
    if not (jobs.isdecimal() and cores.isdecimal() and all(settings.values())):
        raise InputError(f"expected QUEUE,cores=8,memory=16GB,jobs=4, not {shown(text)}")
    settings.setdefault("memory", f"{2 * int(cores)}GB")
    cluster = SLURMCluster(queue=queue or None, cores=int(cores), processes=1, **settings)
    cluster.scale(jobs=int(jobs))
    return Dask(Client(cluster), cluster.close)


class Dask(Place):
    """A Dask cluster: a slot for each thread of its workers. The runs of one machine share its memory."""

    def __init__(self, client: Client, close: Callable[[], object] = lambda: None) -> None:
        from distributed import Event

        self._client, self._close_cluster, self._channel = client, close, f"pegcp-{uuid4().hex}"
        self._stop = Event(self._channel, client=client)
        self._notes: list[Callable[[Progress], None]] = []
        with suppress(TimeoutError):
            client.wait_for_workers(1, timeout=_FIRST_WORKER_SECONDS)
        self.slots = sum(self._threads().values())
        if not self.slots:
            self.close()
            raise InputError('the Dask scheduler has no workers: "dask worker ADDRESS" starts one')
        self._executor = client.get_executor(pure=False)
        client.subscribe_topic(self._channel, lambda event: self._note(**event[1]))

    def _threads(self) -> Counter[str]:
        """Return the threads of the workers on each machine."""
        threads = Counter[str]()
        for address, about in self._client.scheduler_info(n_workers=-1)["workers"].items():
            threads[_machine(address)] += about["nthreads"]
        return threads

    def ask(self, function: Callable[..., Any], *arguments: object) -> Mapping[str, Any]:
        """Return what a function returns on each worker. Raises PegcpError for one without pegcp."""
        try:
            return self._client.run(function, *arguments)  # type: ignore[no-any-return]
        except Exception as error:  # noqa: BLE001 - whatever a worker raises
            raise PegcpError(f"a worker cannot run pegcp: {type(error).__name__}: {error}") from None

    def start(self, request: Request, note: Callable[[Progress], None]) -> Outcome:
        """Start a run on any worker."""
        self.check()
        self._notes.append(note)
        number, together = len(self._notes) - 1, dict(self._threads())
        return self._executor.submit(_run, self._channel, number, together, request)  # type: ignore[no-any-return]

    def check(self) -> None:
        """Raise PegcpError if the scheduler is gone."""
        if self._client.status != "running":
            raise PegcpError("the scheduler of Dask is gone; with --out FILE the same command goes on from there")

    def _note(self, run: int, progress: Progress) -> None:
        self._notes[run](progress)

    def close(self) -> None:
        """Stop the runs that go on, and leave the cluster."""
        for leave in (self._stop.set, partial(self._client.close, timeout=5)):
            with suppress(Exception):  # the scheduler may be gone
                leave()
        self._close_cluster()


def _machine(address: str) -> str:
    """Return the machine of a worker's address."""
    return urlsplit(address).hostname or address


def _run(channel: str, number: int, together: Mapping[str, int], request: Request) -> dict[str, Any]:
    """Make a run in a worker, which shares the memory of its machine with others."""
    from distributed import Event, get_client, get_worker

    worker, event, stop = get_worker(), Event(channel, client=get_client()), threading.Event()

    def note(progress: Progress) -> None:
        plain = {key: value for key, value in progress.items() if isinstance(value, int | float | str)}
        worker.log_event(channel, {"run": number, "progress": plain})

    def watch() -> None:
        with suppress(Exception):  # the scheduler may be gone
            while not stop.is_set():
                if event.wait(timeout=_LOOK_EVERY_SECONDS):
                    stop.set()

    threading.Thread(target=watch, daemon=True).start()
    note({})
    try:
        result = run_request(request, note, stop, together.get(_machine(worker.address), 1))
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
        nodes = [node for node in ray.nodes() if node["Alive"]]
        slots = [int(node["Resources"].get("CPU", 0)) // 2 for node in nodes]
        self.slots, self._together = sum(slots), max(slots)

    def start(self, request: Request, note: Callable[[Progress], None]) -> Outcome:  # noqa: ARG002
        """Start a run on any worker; the runs of one machine share its memory."""
        result: Outcome = self._run.remote(request, together=self._together).future()
        return result

    def close(self) -> None:
        """Stop the runs that go on, and leave the cluster."""
        import ray

        ray.shutdown()
