"""Make runs on the workers of a Ray cluster."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Any

from pegcp.comparison.places import Outcome, Place, run_request
from pegcp.errors import InputError
from pegcp.running.messages import Request
from pegcp.running.story import Progress


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
