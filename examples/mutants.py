"""Change the bundled models by one token each, and see whether ``pegcp why`` names the line: the table of docs/why.md.

    python examples/mutants.py [--number 300] [--seed 1] [--board triangle10] [--show]

Tokens are drawn at random: an operator, a sign or a negation, a number or a name in an index, or a whole statement that
is dropped. Changes that crash a model, or change no answer, are drawn again. Times are CPU seconds of one process.
"""

from __future__ import annotations

import argparse
import ast
import io
import random
import re
import signal
import statistics
import time
import tokenize
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pegcp

MODELS = {
    "CP-SAT": "moves rounds parallel fools",
    "MathOpt": "ip_state ip_parallel ip_rounds",
    "clauses": "sat_moves sat_rounds sat_parallel sat_fools",
    "rules": "asp_rounds asp_fools",
    "MiniZinc": "mzn_moves mzn_rounds",
    "other Python": "smt_sweep cpmpy_rounds choco_rounds constraint constraint_replay constraint_positions",
    "PDDL": "jumps.pddl last-peg.pddl fools.pddl",
}
DOMAINS = "PDDL"  # of which all changes are asked about, beside the draw
PROBLEMS = {"jumps.pddl": "{}:a2->a2", "fools": "{}:a2!"}  # by words in the name of a model, on the board of the draw
SWAPS = {
    "+": "-", "-": "+", "==": "!=", "!=": "==", "<=": ">=", ">=": "<=", "<": ">", ">": "<", "and": "or", "or": "and",
    "/\\": "\\/", "\\/": "/\\", "<->": "->", "->": "<->", "=": "!=", "*": "+", "0": "1", "1": "0", "2": "1", "3": "2",
    "not": "", "~": "", "F": "O", "O": "D", "D": "F", "J": "K", "K": "J", "i": "j", "j": "i", "t": "t - 1",
    "a": "b", "b": "c", "c": "a", "x": "y", "before": "after", "after": "before", "takes": "lands", "lands": "takes",
    "taken": "landed", "landed": "taken", "from_": "over", "over": "to", "to": "from_", "h": "0", "True": "False",
    "False": "True", "start": "goal",
}  # fmt: skip
# What a statement says, by its words: the numbers of the sentences (pegcp.blame.answer) that are missing without it.
SAYS = (
    (r"return |lambda|value\(|moves\[t\] ==", {0}),
    (r"begins_at_start|start", {1}),
    (r"ends_in_goal|final|goal|one_peg|query|dead|last|sum\(peg", {5}),
    (r"exactly_one|at_most_one|fast_sum\(made\[t\]\) == 1|1 \{ made|around|touching\b|<-> moves", {2}),
    (r"<= 1 - peg|taken <= peg", {2, 3}),
    (r"only_enforce_if|implies|before = |after = |:- made|\{ made|<= .*state|<= peg|<= 1 - peg", {3}),
    (r"add_bool_or\(.*state|add\(.*peg", {4}),
)
SECONDS = 60


@dataclass(frozen=True)
class Mutant:
    """A changed text of a model: the lines of the statement that was changed, and what was changed."""

    model: str
    text: str
    lines: tuple[int, int]
    change: str


@dataclass(frozen=True)
class Outcome:
    """The answer of ``pegcp why`` to a mutant."""

    mutant: Mutant
    kind: str
    named: tuple[int, ...] = ()
    rule: int | None = None
    seconds: float = 0.0
    says: str = ""


def mutants(path: Path) -> list[Mutant]:
    """All changes of a model by one token or one dropped statement."""
    text = path.read_text(encoding="utf-8")
    read = {".py": _of_python, ".pddl": _of_domain}.get(path.suffix, _of_statements)
    changes = list(read(text))
    return [
        Mutant(path.name, text[:start] + new + text[end:], lines, f"{text[start:end]!r} -> {new!r}")
        for start, end, new, lines in changes
    ]


def _of_python(text: str) -> Iterator[tuple[int, int, str, tuple[int, int]]]:
    """Yield changes within the functions that build the model: from, to, new text, lines of the statement."""
    tree = ast.parse(text)
    starts = [0]
    for line in text.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    lines: dict[int, tuple[int, int]] = {}
    for top in tree.body:
        if isinstance(top, ast.FunctionDef | ast.ClassDef) and top.name not in ("horizons", "refuse"):
            for node in ast.walk(top):
                if not isinstance(node, ast.stmt) or (
                    isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
                ):
                    continue
                body = getattr(node, "body", None)  # whose lines are statements of their own
                last = body[0].lineno - 1 if body else node.end_lineno or node.lineno
                lines |= {
                    line: (node.lineno, max(last, node.lineno))
                    for line in range(node.lineno, max(last, node.lineno) + 1)
                }
                if isinstance(node, ast.Expr | ast.AugAssign):
                    start = starts[node.lineno - 1] + node.col_offset
                    end = starts[(node.end_lineno or 0) - 1] + (node.end_col_offset or 0)
                    yield start, end, "pass", (node.lineno, node.end_lineno or 0)
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        row, column = token.start
        if row in lines and token.string in SWAPS and token.string != "=" and token.type != tokenize.STRING:
            at = starts[row - 1] + column
            yield at, at + len(token.string), SWAPS[token.string], lines[row]


def _of_statements(text: str) -> Iterator[tuple[int, int, str, tuple[int, int]]]:
    """Yield changes of the statements of a file of rules or in MiniZinc."""
    is_rules = "#program" in text
    code = re.sub(r"%\*.*?\*%|/\*.*?\*/|%[^\n]*", lambda found: re.sub(r"[^\n]", " ", found[0]), text, flags=re.DOTALL)
    end = r"\.(?=\s)" if is_rules else ";"
    for found in re.finditer(rf"\S(?:[^.;]|\.(?!\s)|;(?!\s*$))*?{end}|\S.*?{end}", code, re.DOTALL):
        statement = found[0]
        if statement.startswith("#") or (not is_rules and not re.match("constraint|function", statement)):
            continue
        lines = text.count("\n", 0, found.start()) + 1, text.count("\n", 0, found.end()) + 1
        yield found.start(), found.end(), "", lines
        for token in re.finditer(r"/\\|\\/|<->|->|!=|<=|>=|\w+|[-+*<>=]", statement):
            if token[0] in SWAPS and statement[token.start() - 1 : token.start()] != ":":
                yield found.start() + token.start(), found.start() + token.end(), SWAPS[token[0]], lines


def _of_domain(text: str) -> Iterator[tuple[int, int, str, tuple[int, int]]]:
    """Yield changes of conditions and effects of actions: dropped, negated, of another predicate, of another hole."""
    for action in re.finditer(r"\(:action(?:(?!\(:action)[\s\S])*", text):
        names = re.findall(r"\?\w+", action[0].partition("- hole")[0])
        body = action.start() + action[0].index(":precondition")
        for literal in re.finditer(r"\(not (\([^()]*\))\)|\([\w-]+(?: \?[^()]*)?\)", text[body : action.end()]):
            start, end = body + literal.start(), body + literal.end()
            line = text.count("\n", 0, start) + 1
            swaps = {"(peg": "(vacant", "(vacant": "(peg"} | {name: other for name in names for other in names[:2]}
            changes = [literal[1] or "", ""]
            changes += [
                literal[0].replace(old, new) for old, new in swaps.items() if re.search(rf"\{old}\b", literal[0])
            ]
            for new in dict.fromkeys(changes):
                if new != literal[0]:
                    yield start, end, new, (line, line)


def _late(*_: object) -> None:
    raise TimeoutError


def ask(task: tuple[Mutant, str]) -> Outcome:
    """Ask ``pegcp why`` about a mutant."""
    import pegcp
    from pegcp.blame.explain import explain

    mutant, board = task
    form = next((form for word, form in PROBLEMS.items() if word in mutant.model), "{}")
    form = form.replace("a2", "a2" if board.startswith("triangle") else "d4")
    problem = pegcp.problem(form.format(board))
    jumps = solution(problem)
    signal.signal(signal.SIGALRM, _late)
    signal.alarm(SECONDS)
    with TemporaryDirectory() as folder:
        path = Path(folder, mutant.model)
        path.write_text(mutant.text, encoding="utf-8")
        began = time.process_time() + sum(_children())
        try:
            why = explain(problem, str(path), jumps, 30)
        except TimeoutError:
            return Outcome(mutant, "late")
        except BaseException as error:  # noqa: BLE001 -- whatever a changed model may raise
            return Outcome(mutant, "crash", says=f"{type(error).__name__}: {error}")
        finally:
            signal.alarm(0)
        seconds = time.process_time() + sum(_children()) - began
    return Outcome(mutant, why.kind, tuple(line.number for line in why.lines), why.rule, seconds, str(why))


def _children() -> tuple[float, float]:
    import resource

    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime, usage.ru_stime


_solutions: dict[str, Sequence[pegcp.Jump] | None] = {}


def solution(problem: pegcp.Problem) -> Sequence[pegcp.Jump] | None:
    """A best solution of a problem, found once."""
    import pegcp

    if problem.name not in _solutions:
        _solutions[problem.name] = pegcp.solve(problem).jumps
    return _solutions[problem.name]


def says(mutant: Mutant, original: str) -> set[int]:
    """The sentences that the changed statement says."""
    first, last = mutant.lines
    statement = " ".join(original.splitlines()[first - 1 : last])
    return next((numbers for pattern, numbers in SAYS if re.search(pattern, statement)), {3, 4})


def is_named(outcome: Outcome, original: str) -> bool:
    """Whether the changed statement is named; of a rule that is not there any more, a line about what it defined."""
    first, last = outcome.mutant.lines
    if outcome.mutant.model.endswith(".pddl"):
        return any(text and text in outcome.says for text in re.findall(r"'(.*?)'", outcome.mutant.change))
    if outcome.mutant.model.endswith(".lp") and not outcome.mutant.text.splitlines()[first - 1].strip():
        predicate = re.search(r"\w+\(", original.splitlines()[first - 1])
        return predicate is not None and predicate[0] in outcome.says
    return any(first <= line <= last for line in outcome.named)


def is_right(outcome: Outcome, original: str) -> bool:
    """Whether the missing sentence is the right one; of a domain, whether the condition or effect is said."""
    if outcome.mutant.model.endswith(".pddl"):
        return is_named(outcome, original)
    return outcome.rule in says(outcome.mutant, original)


def main() -> None:
    """Draw mutants, ask, print the table."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--number", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--board", default="triangle10")
    parser.add_argument("--models", default="")
    parser.add_argument("--show", action="store_true", help="print each mutant that was not explained")
    options = parser.parse_args()
    folder = Path(__file__).parents[1] / "models"
    rng = random.Random(options.seed)
    tasks: list[tuple[Mutant, str]] = []
    domains: list[tuple[Mutant, str]] = []
    originals: dict[str, str] = {}
    languages = {}
    for language, names in MODELS.items():
        pool = []
        for name in names.split():
            if options.models and name not in options.models.split(","):
                continue
            path = next(path for path in folder.glob(name if "." in name else f"{name}.*") if path.suffix != ".md")
            originals[path.name] = path.read_text(encoding="utf-8")
            languages[path.name] = language
            pool += mutants(path)
        if language == DOMAINS:
            domains = [(mutant, options.board) for mutant in pool]
        else:
            tasks += [(mutant, options.board) for mutant in rng.sample(pool, min(len(pool), options.number))]
    rng.shuffle(tasks)
    with get_context("fork").Pool(2, maxtasksperchild=40) as workers:
        outcomes, drawn = list[Outcome](), list[Outcome]()
        for outcome in workers.imap_unordered(ask, domains + tasks):
            outcomes.append(outcome)
            drawn = [o for o in outcomes if languages[o.mutant.model] != DOMAINS]
            if sum(o.kind in ("excludes", "impossible", "accepts") for o in drawn) >= options.number:
                workers.terminate()
                break
    print("| language | excluding | line named | lines, median | CPU s, median | most | accepting | rule right |")
    print("|---|---|---|---|---|---|---|---|")
    for language in [*MODELS, "all"]:
        rows = drawn if language == "all" else [o for o in outcomes if languages[o.mutant.model] == language]
        excluding = [o for o in rows if o.kind in ("excludes", "impossible")]
        accepting = [o for o in rows if o.kind == "accepts"]
        named = [o for o in excluding if is_named(o, originals[o.mutant.model])]
        right = [o for o in accepting if is_right(o, originals[o.mutant.model])]
        if excluding or accepting:
            times = [o.seconds for o in excluding] or [0]
            sizes = [len(o.named) for o in excluding] or [0]
            median = statistics.median
            figures = (
                language,
                len(excluding),
                len(named),
                f"{median(sizes):g}",
                f"{median(times):.2f}",
                f"{max(times):.2f}",
            )
            print(f"| {' | '.join(map(str, (*figures, len(accepting), len(right))))} |")
        for o in rows if options.show and language != "all" else ():
            if (
                (o in excluding and o not in named)
                or (o in accepting and o not in right)
                or o.kind in ("late", "unknown", "crash")
            ):
                print(
                    "   ",
                    o.mutant.model,
                    o.mutant.lines,
                    o.mutant.change,
                    o.kind,
                    o.rule,
                    o.named,
                    "\n      ",
                    o.says.replace("\n", "\n        "),
                )
    kinds = [o.kind for o in outcomes]
    print({kind: kinds.count(kind) for kind in sorted(set(kinds))})


if __name__ == "__main__":
    main()
