"""Choco (pychoco): runs models that return a Formulation of a Choco model. It uses one thread, and no Java."""

from pegcp.backends.interface import AnyFormulation, Backend, HorizonLoop, Outcome, State


class Choco(Backend):
    """Choco on its own models, which are built anew for each turn, as its solver cannot go on."""

    keeps_model = False

    def begin(self, loop: HorizonLoop, formulation: AnyFormulation) -> State:
        """Return the solver of the model."""
        return formulation.model.get_solver()

    def search(self, loop: HorizonLoop, formulation: AnyFormulation, state: State, seconds: float) -> Outcome:
        """Search for some seconds."""
        has_solution = state.solve(time_limit=f"{seconds:.3f}s")
        loop.add_figures({"fails": state.get_fail_count()})
        if has_solution:
            return lambda variable: variable.get_value()
        return False if state.get_search_state() == "TERMINATED" else None


CHOCO = Choco(
    name="choco",
    title="Choco",
    licence="BSD-4-Clause",
    distribution="pychoco",
    modules=("pychoco",),
    package="pegcp[choco]",
)
