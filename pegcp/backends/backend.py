"""The class that every backend extends."""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping, Set
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar, Self

from pegcp.backends.backend_info import BackendInfo
from pegcp.errors import InputError, suggestion

if TYPE_CHECKING:
    from pegcp.backends.model import Model
    from pegcp.backends.run_loop import HorizonRun
    from pegcp.game.problem import Problem
    from pegcp.method import Answer, Run
    from pegcp.modelling.formulation import Formulation, Value

Options = Mapping[str, Any]
Figures = dict[str, Any]
REFUTED_AT_ROOT: Figures = {"root": "infeasible", "root_open": 0}


@dataclass(frozen=True)
class Backend(BackendInfo):
    """A solver that runs models.

    A subclass says which ``runs`` it makes, or defines :meth:`run`; all else is optional. It imports the solver where
    that is used, never when its module is imported.
    """

    # What to import before a model file is, and before the clock of a run starts; by default the modules.
    preload: tuple[str, ...] = field(default=(), kw_only=True)
    runs: ClassVar[type[HorizonRun]]

    def loaded(self) -> Self:
        """The backend. Raises Missing if the solver is not installed."""
        if self.version() is None:
            raise self.missing()
        return self

    def run(self, model: Model, problem: Problem, run: Run, options: Options) -> Answer:
        """Build the model of the problem, solve it within the limits, and decode."""
        return self.runs(self, model, problem, run, options).answer()

    def write(self, formulation: Formulation[Any], format: str, options: Options) -> dict[str, str]:  # noqa: A002, ARG002
        """File names and texts of a formulation in one of the ``formats``; the solver itself may be missing."""
        raise InputError(f"backend {self.name} has no export format")

    def reader(self, solution: Any) -> Value:
        """The function from variable to value that a solution stands for.

        That is a mapping, the set of variables that are true, or the function itself.
        """
        if isinstance(solution, Mapping):
            return solution.__getitem__
        if isinstance(solution, Set):
            return solution.__contains__
        if not callable(solution):
            raise InputError(f"{self.name} cannot read values from {type(solution).__name__}")
        return solution  # type: ignore[no-any-return]

    def statistics(self, native: Any, run: Run, parameters: Mapping[str, str]) -> Figures:  # noqa: ARG002
        """Sizes of a solver's own model, and what follows at the root, before any search.

        The same names for all: ``variables``, ``constraints`` (rows, clauses, rules), ``literals`` (of clauses,
        non-zeros of rows); with ``_presolved`` what the solver's presolve leaves of them. ``root_fixed``: variables
        fixed by propagation alone, ``root_open`` the others; ``root_bound``: the least value of the objective in the
        linear relaxation; ``root`` is "infeasible" where the root shows that there is no solution. Raises InputError
        for a solver that has none of them.
        """
        raise InputError(f"{self.name} tells no sizes")

    def model_statistics(self, model: Model, problem: Problem, run: Run, options: Options) -> Figures:
        """The statistics of the model with the given or the first horizon."""
        horizons = model.horizon_log(problem, options).open
        if not horizons:
            return dict(REFUTED_AT_ROOT)
        began = time.perf_counter()
        native = model.build(problem, horizons[0], options).model
        figures: Figures = {"build_seconds": time.perf_counter() - began}
        figures |= {} if horizons[0] is None else {"horizon": horizons[0]}
        return figures | self.statistics(native, run, self.parameters(options))

    def parameters(self, options: Options) -> dict[str, str]:
        """Those of the options that are parameters of this solver, ``SOLVER.PARAMETER=VALUE``, by their names there."""
        begin = f"{self.name}."
        return {key.removeprefix(begin): value for key, value in options.items() if key.startswith(begin)}

    def check_parameter(self, name: str, value: str) -> None:  # noqa: ARG002
        """See that the solver has a parameter of that name, which can have that value. Raises InputError.

        What pegcp itself sets is none: limits, threads, the seed, what is printed or written.
        """
        raise InputError(f"{self.name} takes no parameters")

    def check_word(self, name: str, names: Iterable[str], which: str = "", parameter: str = "") -> None:
        """See that a parameter, or the value of a parameter, is one of these names. Raises InputError."""
        names = list(names)
        if name not in names:
            fault = f"{self.name}.{parameter} cannot be" if parameter else f"{self.name} has no parameter"
            raise InputError(f'{fault} "{name}"{suggestion(name, names)}; {which or ", ".join(names)}')
