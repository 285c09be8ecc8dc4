"""Make runs on the workers of a Dask cluster."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable, Mapping
from contextlib import suppress
from itertools import count
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit
from uuid import uuid4

from pegcp.comparison.places import Outcome, Place, run_request
from pegcp.errors import InputError, PegcpError, shown
from pegcp.running.messages import Request
from pegcp.running.story import Progress

if TYPE_CHECKING:
    from distributed import Client

_PATIENCE = 60  # seconds for the first worker
_PAUSE = 1.0  # seconds between looks at whether runs are to stop


def connect(address: str) -> Place:
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
        with suppress(TimeoutError):
            client.wait_for_workers(1, timeout=_PATIENCE)
        if not self._workers():
            self._close_clients()
            raise InputError('the Dask scheduler has no workers: "dask worker ADDRESS" starts one')
        self._stop = Event(self._channel, client=client)
        self._executor = client.get_executor(pure=False)
        self._notes: dict[int, Callable[[Progress], None]] = {}
        self._numbers = count()
        client.subscribe_topic(self._channel, self._note)

    def _workers(self) -> dict[str, int]:
        """Return the threads of each worker."""
        workers = self._client.scheduler_info(n_workers=-1)["workers"]
        return {address: about["nthreads"] for address, about in workers.items()}

    @property
    def slots(self) -> int:  # type: ignore[override]
        """The threads of all workers."""
        return sum(self._workers().values())

    def ask(self, function: Callable[..., Any], *arguments: object) -> Mapping[str, Any]:
        """Return what a function returns on each worker. Raises PegcpError for one without pegcp."""
        try:
            return self._client.run(function, *arguments)  # type: ignore[no-any-return]
        except Exception as error:  # noqa: BLE001 - whatever a worker raises
            raise PegcpError(f"a worker cannot run pegcp: {type(error).__name__}: {error}") from None

    def start(self, request: Request, note: Callable[[Progress], None]) -> Outcome:
        """Start a run on any worker."""
        self.check()
        threads, together = self._workers(), Counter[str]()
        for address, number in threads.items():
            together[_machine(address)] += number
        number = next(self._numbers)
        self._notes[number] = note
        return self._executor.submit(_run, self._channel, number, dict(together), request)  # type: ignore[no-any-return]

    def check(self) -> None:
        """Raise PegcpError if the scheduler is gone."""
        if self._client.status != "running":
            raise PegcpError("the scheduler of Dask is gone; with --out FILE the same command goes on from there")

    def _note(self, event: tuple[float, Mapping[str, Any]]) -> None:
        _, message = event
        self._notes[message["run"]](message["progress"])

    def close(self) -> None:
        """Stop the runs that go on, and leave the cluster."""
        with suppress(Exception):  # the scheduler may be gone
            self._stop.set()
        self._close_clients()

    def _close_clients(self) -> None:
        with suppress(Exception):
            self._client.close(timeout=5)
        self._close_cluster()


def _machine(address: str) -> str:
    """Return the machine of a worker's address."""
    return urlsplit(address).hostname or address


def _run(channel: str, number: int, together: Mapping[str, int], request: Request) -> dict[str, Any]:
    """Make a run in a worker, which shares the memory of its machine with others."""
    from distributed import Event, get_client, get_worker

    worker, event = get_worker(), Event(channel, client=get_client())
    stop, ended = threading.Event(), threading.Event()

    def note(progress: Progress) -> None:
        plain = {key: value for key, value in progress.items() if isinstance(value, int | float | str)}
        worker.log_event(channel, {"run": number, "progress": plain})

    def watch() -> None:
        with suppress(Exception):  # the scheduler may be gone
            while not (ended.is_set() or stop.is_set()):
                if event.wait(timeout=_PAUSE):
                    stop.set()

    threading.Thread(target=watch, daemon=True).start()
    note({})
    try:
        result = run_request(request, note, stop, together.get(_machine(worker.address), 1))
    finally:
        ended.set()
    result["provenance"]["worker"] = worker.address
    return result
