"""Plans of a domain of other names: played by that domain's own actions, and told as those of pegcp's domain."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from pegcp.errors import InputError, suggestion
from pegcp.formats.pddl.steps import Step, short
from pegcp.formats.pddl.structure import Action, Atom, Key
from pegcp.formats.pddl.translation import Line, Translation

Meant = tuple[str, tuple[Key, ...]]  # an action of pegcp's domain and its holes


class Foreign:
    """How a problem of other names is played. A play begins at its start, with each plan that is read or written."""

    def __init__(self, translation: Translation) -> None:
        self.translation = translation
        self.structure = translation.structure
        self.actions = {action.name: action for action in self.structure.actions}
        self._keys = {name: key for key, name in translation.names.items()}
        self._jumps = {jump.action.name: jump for jump in self.structure.jumps}
        self._lines = {(frozenset(line[:2]), line[2]): line for line in translation.ways}

    def read(self, plan: Iterable[Step]) -> Iterator[Step]:
        """The actions of a plan as those of pegcp's domain.

        Raises InputError, naming the step, for what is no action on these objects, and InvalidSolution for one that is
        impossible where it stands.
        """
        true = self._start()
        for step in plan:
            action, values = self._bound(step)
            fault = action.fault(values, true)
            meant = None if fault else self._meaning(action, values)
            if meant is None:
                raise step.invalid(f"is impossible: {fault or 'a hole twice'}")
            _play(action, values, true)
            yield replace(step, action=meant[0], names=tuple(self.translation.names[key] for key in meant[1]))

    def write(self, steps: Iterable[tuple[str, tuple[str, ...]]]) -> Iterator[tuple[str, tuple[str, ...]]]:
        """The actions and objects for those of pegcp's domain. Raises InputError where there are none."""
        true = self._start()
        for role, names in steps:
            action, values = self._possible((role, tuple(self._keys[name] for name in names)), true)
            _play(action, values, true)
            yield action.name, tuple(values[parameter] for parameter in action.parameters)

    def _start(self) -> dict[str, set[Key]]:
        return {predicate: set(having) for predicate, having in self.translation.facts.items()}

    def _bound(self, step: Step) -> tuple[Action, dict[str, str]]:
        """The action of a step, and the objects of its parameters."""
        if step.action not in self.actions:
            raise step.fault(f'unknown action "{short(step.action)}"{suggestion(step.action, self.actions)}')
        action, objects = self.actions[step.action], self.translation.objects
        if len(step.names) != len(action.parameters):
            raise step.fault(f"{action.name} takes {len(action.parameters)} objects, not {len(step.names)}")
        for name, type_ in zip(step.names, action.parameters.values(), strict=True):
            if name not in objects:
                raise step.fault(f'there is no object "{short(name)}"{suggestion(name, objects)}')
            if not self.translation.of_type(name, type_):
                raise step.fault(f"{name} is no {type_}")
        return action, dict(zip(action.parameters, step.names, strict=True))

    def _meaning(self, action: Action, values: Mapping[str, str]) -> Meant | None:
        jump = self._jumps.get(action.name)
        if jump is None:
            return "end-move", (self.structure.ending(action).on(values),)
        first, second, to = jump.at(values)
        line = self._lines.get((frozenset((first, second)), to))
        return None if line is None else (self._role(action), line)

    def _role(self, action: Action) -> str:
        """What a jump is called in pegcp's domain."""
        wanted = {atom.predicate for atom in action.wants}
        name = {self.structure.between: "jump-new-move", self.structure.on_its_way: "jump-continue-move"}
        return next((name[word] for word in name if word and word in wanted), "jump")

    def _possible(self, step: Meant, true: Mapping[str, set[Key]]) -> tuple[Action, dict[str, str]]:
        """An action that a step means and that is possible, with all its objects."""
        for action, values in self._ways(step):
            changing = [atom for atom in action.wants if atom.predicate in self.structure.changing]

            def facts(atom: Atom, some: Mapping[str, str]) -> Iterable[Key]:
                args, having = atom.on(some), true.get(atom.predicate, set())
                return having & {args} if not any(arg.startswith("?") for arg in args) else having

            for whole in self.translation.joined(action, changing, dict(values), facts):
                if whole.keys() >= action.parameters.keys() and action.fault(whole, true) is None:
                    return action, whole
        raise InputError(
            f"no action of {self.structure.name} is {step[0]} {' '.join('-'.join(key) for key in step[1])}"
        )

    def _ways(self, step: Meant) -> Iterator[tuple[Action, Mapping[str, str]]]:
        """The actions that a step may be, with the objects that are known."""
        role, holes = step
        if len(holes) == 3:
            line: Line = (holes[0], holes[1], holes[2])
            ways = self.translation.ways.get(line, [])
            yield from ((jump.action, values) for jump, values in ways if self._role(jump.action) == role)
        for action in self.structure.ends if role == "end-move" else ():
            values = self.translation.match(action, {}, self.structure.ending(action), holes[0])
            if values is not None:
                yield action, values


def _play(action: Action, values: Mapping[str, str], true: dict[str, set[Key]]) -> None:
    """Make an action on these objects."""
    for atom in action.takes:
        true.get(atom.predicate, set()).discard(atom.on(values))
    for atom in action.gives:
        true.setdefault(atom.predicate, set()).add(atom.on(values))
