"""Which precondition or effect of a planning domain excludes a solution, or allows what is no jump.

The actions of the file are played next to those of the bundled domain that has the same ones.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from pegcp.blame.answer import Line, Why
from pegcp.errors import InputError
from pegcp.formats import pddl
from pegcp.formats.files import read_file
from pegcp.formats.pddl.actions import Action, Fact, Literal, read_actions
from pegcp.formats.pddl.domains import DOMAINS, Domain, start_facts
from pegcp.formats.pddl.syntax import Form, Node, decode, parse
from pegcp.game.board import Jump, jump_name
from pegcp.game.problem import Problem

_MOST_BYTES = 1_000_000


def explain_domain(problem: Problem, path: Path, jumps: Sequence[Jump]) -> Why:
    """Return which part of an action excludes a solution; or which part is missing, if it allows more than jumps."""
    text = decode(read_file(path, _MOST_BYTES))
    defines = [node for node in parse(text, str(path)) if isinstance(node, Form)]
    actions = read_actions([item for define in defines for item in define.items], str(path), {})
    domain = next(
        (domain for domain in DOMAINS if domain.fits(problem) and actions.keys() == domain.actions.keys()), None
    )
    if domain is None:
        raise InputError(f"no bundled domain for {problem.name} has the actions {', '.join(actions)}", source=str(path))
    return _Play(problem, domain, actions, str(path), text.splitlines()).compare(jumps)


class _Play:
    """A solution played by the actions of a file and by the right ones."""

    def __init__(
        self, problem: Problem, domain: Domain, actions: dict[str, Action], path: str, lines: list[str]
    ) -> None:
        self.problem, self.domain, self.actions = problem, domain, actions
        self.path, self.lines, self.holes = path, lines, range(len(problem.board.holes))

    def compare(self, jumps: Sequence[Jump]) -> Why:
        """The first difference in the play of a solution; then preconditions that are missing."""
        names = tuple(jump_name(self.problem.board, jump) for jump in jumps)
        facts = set(start_facts(self.problem, self.domain))
        number = {hole: h for h, hole in enumerate(self.problem.board.holes)}
        plan = [
            line.strip("()").split()
            for line in pddl.write_plan(self.problem, jumps, self.domain.stem).splitlines()
            if line[:1] == "("
        ]
        for step, (name, *holes) in enumerate(plan, start=1):
            values = tuple(number[hole] for hole in holes)
            about = f"step {step}, {' '.join([name, *holes])}"
            mine, right = self.actions[name], self.domain.actions[name]
            if len(mine.parameters) != len(values):
                raise mine.error(f"expected {len(values)} parameters")
            for node, literal in self.literals(mine, mine.condition, values):
                if (literal.fact in facts) is not literal.holds:
                    says = f"The domain excludes a solution at {about}: the precondition {_text(node)} does not hold."
                    return self.why("excludes", says, node, about, step, names)
            for node, literal in self.literals(mine, mine.effect, values):
                if (literal.fact in self.after(right, facts, values)) is not literal.holds:
                    says = f"The domain parts from the rules at {about}: the effect {_text(node)} is wrong."
                    return self.why("excludes", says, node, about, step, names)
            for node, literal in self.literals(right, right.effect, values):
                if (literal.fact in self.after(mine, facts, values)) is not literal.holds:
                    says = (
                        f"The domain parts from the rules at {about}: its action {name} lacks the effect {_text(node)}."
                    )
                    return self.why("accepts", says, mine.effect or mine.place, about, step, names, rule=3)
            facts = self.after(right, facts, values)
        for name, right in self.domain.actions.items():
            mine = self.actions[name]
            values = tuple(range(len(right.parameters)))
            own = {literal for _, literal in self.literals(mine, mine.condition, values)}
            for node, literal in self.literals(right, right.condition, values):
                if literal not in own:
                    says = (
                        f"The domain accepts what is no jump: its action {name} lacks the precondition {_text(node)}."
                    )
                    return self.why("accepts", says, mine.condition or mine.place, "", None, names, rule=3)
        return Why("agrees", "The domain has the actions of the game.", self.path, jumps=names)

    def literals(self, action: Action, node: Node | None, values: Sequence[int]) -> Iterator[tuple[Node, Literal]]:
        """Yield the parts of a condition or an effect, each with what it says of some holes."""
        of_name = dict(zip(action.parameters, values, strict=True))
        parts = node.items[1:] if isinstance(node, Form) and node.head == "and" else [node]
        for part in parts:
            for literal in action.literals(part, of_name, self.holes):
                assert part is not None
                yield part, literal

    def after(self, action: Action, facts: set[Fact], values: Sequence[int]) -> set[Fact]:
        """The facts after an action."""
        ground = action.ground(dict(zip(action.parameters, values, strict=True)), self.holes)
        return (facts - set(ground.takes)) | set(ground.gives)

    def why(
        self,
        kind: str,
        says: str,
        node: Node,
        place: str,
        step: int | None,
        jumps: tuple[str, ...],
        rule: int | None = None,
    ) -> Why:
        """The answer that names the line of a part."""
        line = Line(node.line, self.lines[node.line - 1].strip(), place, excludes=kind == "excludes")
        return Why(kind, says, self.path, (line,), step, rule, jumps)


def _text(node: Node) -> str:
    """A part as it is written."""
    return f"({' '.join(map(_text, node.items))})" if isinstance(node, Form) else str(node)
