"""The plans that a planner writes while it runs: each is read and checked when it is new, and the best is kept."""

import re
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path

from pegcp.errors import PegcpError
from pegcp.formats import pddl
from pegcp.formats.files import read_file
from pegcp.method import Run

_MOST_BYTES = 10_000_000  # bytes of a plan


class PlanFiles:
    """The plans in the folder of a run: the file ``name``, and of planners that continue after the first plan
    ``name.1``, ``name.2``, ... A file that cannot be read may be half written, and is read again when it has changed.

    ``best`` is the best plan; ``faults`` say of each other file why it is no plan.
    """

    def __init__(self, name: str, task: pddl.PlanningTask, run: Run) -> None:
        self.task, self.run = task, run
        self.count = 0
        self.best: pddl.Plan | None = None
        self.faults: dict[str, str] = {}
        self._name = re.compile(re.escape(name) + r"(\.\d{1,9})?")
        self._seen: dict[Path, tuple[int, int]] = {}

    def poll(self) -> None:
        """Read the plans that are new, those without a number first."""
        for path in sorted(self.run.folder.glob("*"), key=lambda path: (len(path.name), path.name)):
            with suppress(OSError):
                about = path.stat()
                stamp = about.st_mtime_ns, about.st_size
                if self._name.fullmatch(path.name) and path.is_file() and self._seen.get(path) != stamp:
                    self._seen[path] = stamp
                    self.add(path.name, partial(read_file, path, _MOST_BYTES))

    def add(self, name: str, read_content: Callable[[], bytes]) -> None:
        """Read and check a plan, and keep it if it is the best."""
        self.faults.pop(name, None)
        try:
            text = read_content().decode("utf-8", "replace")
            if text.endswith("no solution"):
                return
            plan = pddl.read_whole_plan(self.task, text, name)
        except PegcpError as error:
            self.faults[name] = str(error)
            return
        self.count += 1
        if self.best is None or self._rank(plan) < self._rank(self.best):
            self.best = plan
            value = self.task.problem.value(plan.jumps)
            self.run.report({"jumps": plan.jumps, **({} if value is None else {"objective": value})})

    def _rank(self, plan: pddl.Plan) -> tuple[float, float]:
        return self.task.problem.value(plan.jumps) or 0, plan.cost

    @property
    def statistics(self) -> dict[str, object]:
        """The number of plans, and the cost of the best."""
        several = {"plans": self.count} if self.count > 1 else {}
        return {} if self.best is None else {"plan_cost": self.best.cost, **several}
