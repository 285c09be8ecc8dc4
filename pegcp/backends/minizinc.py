"""MiniZinc: runs models that return a Formulation of a MiniZinc model, by the program ``minizinc``.

The program on the path is started, with its default solver, such as Gecode, or another solver that it lists:
``mzn-rounds:minizinc.solver=scip``.
"""

import shutil

from pegcp.backends.external import Command
from pegcp.backends.interface import Answer, Backend, Formulation, Missing, ModelFile, Options, Problem, Run, check_word
from pegcp.backends.program import printed_version
from pegcp.modelling.mzn import MiniZinc


class MiniZincProgram(Backend):
    """The program ``minizinc``, which pip cannot install: ``package`` is the command that does."""

    def version(self) -> str | None:
        """Return the version that the program prints, or None if it is not installed."""
        return printed_version("minizinc --version") if shutil.which("minizinc") else None

    def missing(self) -> Missing:
        """Return the error that says how to install the program."""
        return Missing(f"{self.title} is not installed: {self.package}")

    def run(self, model: ModelFile, problem: Problem, run: Run, options: Options) -> Answer:
        """Solve the model like a solver started by its command line."""
        solver = [word for name, value in self.parameters(options).items() for word in (f"--{name}", value)]
        words = ("minizinc", "--output-mode", "json", "--random-seed", "{seed}", *solver, "{file}")
        return Command(words, self, "mzn").run(model, problem, run, options)

    def write(self, formulation: Formulation[MiniZinc], format: str, rising: bool = False) -> dict[str, str]:  # noqa: A002, ARG002
        """Write model and data."""
        return {"model.mzn": formulation.model.text, "model.dzn": formulation.model.data}

    def check_parameter(self, name: str, value: str) -> None:  # noqa: ARG002
        """Raise InputError for any parameter but the solver, of which the program itself says whether it has it."""
        check_word(self.name, "parameter", name, ("solver",))


MINIZINC = MiniZincProgram(
    name="minizinc",
    title="MiniZinc",
    licence="MPL-2.0",
    distribution="minizinc",
    package="apt install minizinc",
    formats=("mzn",),
)
