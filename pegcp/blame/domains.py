"""Which precondition or effect of a planning domain is wrong or missing, next to the bundled domain of its actions."""

from pathlib import Path

from pegcp.blame.answer import Line, Why
from pegcp.errors import InputError
from pegcp.formats.files import read_file
from pegcp.formats.pddl.actions import Action, read_actions
from pegcp.formats.pddl.domains import DOMAINS
from pegcp.formats.pddl.syntax import Node, decode, parse
from pegcp.game import Problem

_MOST_BYTES = 1_000_000


def explain_domain(problem: Problem, source: str) -> Why:
    """Return which part of an action excludes what the game allows; or which part is missing, so that it allows more.

    Raises InputError if no bundled domain for the problem has these actions.
    """
    text = decode(read_file(Path(source), _MOST_BYTES))
    actions = read_actions([item for node in parse(text, source) for item in node.items], {})
    domain = next((row for row in DOMAINS if row.fits(problem) and actions.keys() == row.actions.keys()), None)
    if domain is None:
        raise InputError(f"no bundled domain for {problem.name} has the actions {', '.join(actions)}", source=source)
    for name, right in domain.actions.items():
        mine = actions[name]
        for word, node, right_node in (
            ("precondition", mine.condition, right.condition),
            ("effect", mine.effect, right.effect),
        ):
            parts, right_parts = _parts(mine, node), _parts(right, right_node)
            wrong = [part for meaning, part in parts.items() if meaning not in right_parts]
            missing = [part for meaning, part in right_parts.items() if meaning not in parts]
            for part in wrong[:1] or missing[:1]:
                number = (part if wrong else node or mine.place).line
                line = Line(number, text.splitlines()[number - 1].strip(), excludes=bool(wrong))
                fault = f"the action {name} {'has' if wrong else 'lacks'} the {word} {_text(part)}"
                if wrong:
                    return Why("excludes", f"The domain excludes jumps: {fault}.", source, (line,))
                return Why("accepts", f"The domain accepts what is no jump: {fault}.", source, (line,), rule=3)
    return Why("agrees", "The domain has the actions of the game.", source)


def _parts(action: Action, node: Node | None) -> dict[object, Node]:
    """The parts of a condition or an effect by what they mean, whatever the parameters are called."""
    values = {name: number for number, name in enumerate(action.parameters)}
    parts = node.items[1:] if node is not None and node.head == "and" else [node]
    return {meaning: part for part in parts if part for meaning in action.facts(part, values, ("*",))}


def _text(node: Node) -> str:
    """The text of a condition or an effect."""
    return node.text or f"({' '.join(map(_text, node.items))})"
