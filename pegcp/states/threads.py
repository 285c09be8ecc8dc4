"""Work on many positions, shared among threads: compiled functions run in all of them at once."""

from __future__ import annotations

from collections.abc import Callable, Sized
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any

_CHUNK = 1 << 14  # positions that a thread treats at a time


class Threads:
    """``workers`` threads.

    ``tick`` is called between chunks of the work and may raise to stop it.
    """

    def __init__(self, workers: int, tick: Callable[[], None]) -> None:
        self.workers, self.tick = workers, tick

    def run(self, kernel: Callable[..., int], rows: Sized, chunk: int = _CHUNK, **others: Any) -> int:
        """Give all rows to a compiled function, with its other arguments; the sum of its results."""
        return self.share(partial(kernel, rows, **others), len(rows), chunk)

    def share(self, work: Callable[[int, int], int], size: int, chunk: int = _CHUNK) -> int:
        """Call ``work(first, last)`` for all chunks of ``size`` positions, in all threads; the sum of the results."""
        chunks = iter(range(0, size, chunk))

        def some() -> int:
            total = 0
            for begin in chunks:
                self.tick()
                total += work(begin, min(begin + chunk, size))
            return total

        if self.workers == 1 or size <= chunk:
            return some()
        with ThreadPoolExecutor(self.workers - 1) as pool:
            others = [pool.submit(some) for _ in range(self.workers - 1)]
            try:
                return some() + sum(other.result() for other in others)
            except BaseException:
                for _ in chunks:  # leaves nothing for the others to do
                    pass
                raise
