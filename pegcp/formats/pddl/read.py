"""Reading PDDL problems: those pegcp writes, and the pegsol files of the planning competitions.

Supported are the domains of ``models/*.pddl``, and of the competitions ``pegsolitaire-sequential`` (IPC 2008 and 2011;
its metric means fewest moves), ``pegsolitaire-netbenefit`` (IPC 2008: a weighted preference for each hole, a soft goal;
Unsolvability IPC 2016: a plain goal), ``pegsolitaire-temporal`` (IPC 2008 to 2014; its metric means fewest steps) and
``pegsolitaire-invasion`` (the army problems of the Unsolvability IPC). With the file of their domain, problems of other
names are read if all their ground actions are single jumps (:mod:`pegcp.formats.pddl.grounding`). Anything else is
refused; the error names the construct. The file of a domain lies where collections of problems keep it.
"""

import re
from collections.abc import Iterable, Iterator
from contextlib import nullcontext, suppress
from dataclasses import dataclass, field, replace
from os.path import isfile
from pathlib import Path

from pegcp.errors import InputError, accepts, refuse_if, suggestion
from pegcp.formats.files import read_file
from pegcp.formats.pddl.domains import DOMAINS, Costs, Domain, costs_of
from pegcp.formats.pddl.facts import Facts, Reader, cell_of, read_metric, read_preferences, word
from pegcp.formats.pddl.grounding import JumpTask, Key
from pegcp.formats.pddl.syntax import Fact, Node, feature, parse, read_actions
from pegcp.game import (
    Board,
    DeadEnd,
    Goal,
    Nearest,
    Objective,
    OnePeg,
    Partial,
    Position,
    Problem,
    fixed_goal,
    lattice_board,
    lines_board,
)
from pegcp.game.lattice import lattice

_LATTICES = (
    lattice("square"),
    lattice("square", "diagonal"),
    lattice("triangular"),  # before the next, whose lines are the same on small triangles
    lattice("square", "both"),
)
_ROWS = {row.name: row for row in DOMAINS}
_REQUIRED = {":domain": "no domain", ":init": "no start position", ":goal": "no goal"}
_SECTIONS = frozenset({*_REQUIRED, ":requirements", ":objects", ":metric", ":length"})  # the last says nothing
_AT_START = {
    "line",
    "peg",
    "vacant",
    "wanted-peg",
    "wanted-vacant",
    "between-moves",
    "hand-empty",
    "playing",
    "turn",
    "next",
}
_AT_END = {"peg", "vacant", "blocked", "holding", "stopped", "settled", "between-moves"}
_MOST_BYTES = 10_000_000  # bytes
_COMMENT = re.compile(r";[^\n\r]*")
_DOMAIN = re.compile(r"\(\s*define\s*\(\s*domain\s+([^\s()]+)", re.IGNORECASE)
_OWN_NAME = re.compile(r"^[ \t]*(\S+) - (?:hole|location) ; ([A-Za-z0-9_.]{1,100})[ \t]*$", re.MULTILINE)


@dataclass(frozen=True)
class PlanningTask:
    """A problem file: the problem, and how the file counts the cost of a plan.

    ``most`` is the number from which the metric of preferences subtracts their sum, None where it minimises the sum.
    ``names`` are the objects that are the holes. ``jumps`` translates the actions of a domain of other names: an action
    with its objects to a jump with its holes, as ``names`` has them. ``endings`` are facts of the goal that are not
    about the last position, ``costs`` those of the file's actions, where they may not be the domain's own.
    """

    problem: Problem
    domain: Domain
    most: int | None = None
    names: tuple[str, ...] = ()
    jumps: dict[Key, Key] = field(default_factory=dict)
    endings: tuple[Fact, ...] = ()
    costs: Costs = field(default_factory=dict)

    @property
    def known_problem(self) -> Problem:
        """The problem, which knows its file: its plans are written and read in the words of that."""
        return replace(self.problem, origin=self)


def read_problem(
    text: str, source: str = "problem", name: str = "problem", domain: tuple[str, str] | None = None
) -> Problem:
    """Return the problem of a PDDL problem file. Raises InputError with line and column.

    ``domain``: the text of its domain and where that is from; needed where it is none of those that are known by name.
    Holes named as cells (``d4``, or ``pos-ROW-COLUMN``) whose lines are those of a lattice give a lattice board.
    """
    return read_task(text, source, name, domain).known_problem


def read_task(
    text: str, source: str = "problem", name: str = "problem", domain: tuple[str, str] | None = None
) -> PlanningTask:
    """Return the problem of a PDDL problem file, and how it counts costs. Raises InputError as :func:`read_problem`."""
    reader = Reader()
    nodes = parse(text, source)
    own_domain = [
        node for node in nodes if len(nodes) == 2 and [part.head for part in node.items[:2]] == ["", "domain"]
    ]
    sections = _sections([node for node in nodes if node not in own_domain], source)
    reader.domain, costs, jumps, sections = (
        _read_domain(reader, sections, parse(*domain) if domain else own_domain, domain[1] if domain else source)
        if domain or own_domain
        else _known_domain(sections)
    )
    reader.objects(sections[":objects"])
    sections[":init"].require(bool(reader.holes), "no holes: there are no (:objects ...)")
    facts = _start(reader, sections[":init"])
    board, names = _board(reader, facts["line"], dict(_OWN_NAME.findall(text)), name)
    index = {hole: number for number, hole in enumerate(names)}
    position = Position(board, sum(1 << index[hole] for (hole,) in facts["peg"]))
    condition, metric = sections[":goal"].items[1], sections.get(":metric")
    if any(part.head == "preference" for part, _ in reader.literals(condition)):
        nearest, most = read_preferences(reader, condition, metric, index)
        problem, row = Problem(board, position, nearest, Objective.NEAREST, name), _ROWS["pegsolitaire-netbenefit"]
        return PlanningTask(problem, row, most, names, jumps)
    goal, endings = _goal(reader, condition, board, index)
    objective, most = _objective(reader, metric, has_costs=bool(costs))
    if objective is Objective.NEAREST:
        pegs = sum(1 << index[hole] for (hole,) in facts["wanted-peg"])
        target = Nearest(pegs, tuple(reader.weights.get(hole, 0) for hole in names))
        is_fewest = target.pegs == 0 and {*target.weights} == {1}
        condition.require(is_fewest or goal == Partial(0), "weights of holes cannot be combined with other goals")
        objective, goal = (Objective.FEWEST_PEGS, goal) if is_fewest else (objective, target)
    problem = Problem(board, position, goal, objective, name)
    return PlanningTask(problem, reader.domain, most, names, jumps, endings, costs)


# Pegcp's domain of a file; the costs of its actions; the jumps of a domain of other names by its actions; and the
# sections of the problem in the words of pegcp's domain.
_Meaning = tuple[Domain, Costs, dict[Key, Key], dict[str, Node]]


def _known_domain(sections: dict[str, Node]) -> _Meaning:
    """Find the domain of a problem by its name. Raises InputError for an unknown name."""
    title = sections[":domain"]
    name = word(title.items[1], "a domain") if len(title.items) == 2 else str(title)
    title.require(
        name in _ROWS,
        f'unknown domain "{name}": put its file beside this one, as domain.pddl, or give it, too, as in: '
        f"domain.pddl problem.pddl; domains known by name are {', '.join(_ROWS)}",
    )
    return _ROWS[name], _ROWS[name].costs, {}, sections


def _read_domain(reader: Reader, sections: dict[str, Node], nodes: list[Node], source: str) -> _Meaning:
    """Find the domain with the same actions as the file of a domain, or else read that as one of single jumps."""
    match nodes:
        case [Node(head="define", items=(_, Node(head="domain", items=(_, name)), *_)) as define]:
            parts = define.items[1:]
        case _:
            raise InputError("expected (define (domain ...) ...)", source=source, line=1, column=1)
    title = " ".join(map(str, sections[":domain"].items[1:]))
    sections[":domain"].require(title == str(name), f'the domain is "{title}", but {source} has "{name}"')
    reader.functions = {item.head for part in parts if part.head == ":functions" for item in part.items[1:]}
    rows = [row for row in DOMAINS if row.is_domain(parts)]
    if not rows:
        task = JumpTask(define, sections, reader)
        return _ROWS["peg-jumps"], task.costs, task.jumps, task.translate(sections, reader)
    row, costs = max(rows, key=lambda row: row.name == str(name)), costs_of(read_actions(parts, {}))
    unit_costs = {} if row.measure else dict.fromkeys(row.actions, 1)  # of which plans have as many, but for jumps
    define.require(
        costs in ({}, row.costs, unit_costs),
        f"the actions are those of {row.name}, but their costs are not: "
        f"{', '.join(f'{action} {cost}' for action, cost in row.costs.items())}",
    )
    constants = [item for part in parts if part.head == ":constants" for item in part.items[1:]]
    objects = replace(sections[":objects"], items=(*sections[":objects"].items, *constants))
    return row, costs, {}, {**sections, ":objects": objects}


def _objective(reader: Reader, metric: Node | None, *, has_costs: bool) -> tuple[Objective, int | None]:
    """Return the objective that a metric means in its domain, and the number from which it subtracts the cost, if
    any."""
    domain = reader.domain
    if metric is None:
        return Objective.ANY, None
    measure = domain.measure or "total-cost"
    if domain.means is None or (measure == "total-cost" and not has_costs):
        raise metric.error(f"a metric, but no action of {domain.name} costs anything")
    terms, most = read_metric(metric)
    metric.require(
        [(str(quantity).strip("()"), weight) for quantity, weight in terms] == [(measure, 1)],
        f"the only metric of {domain.name} is minimize ({measure}), not {metric.items[-1]}",
    )
    metric.require(reader.zero or measure == "total-time", "the metric needs (= (total-cost) 0) at the start")
    return domain.means, most


def _sections(nodes: list[Node], source: str) -> dict[str, Node]:
    """Return the sections of the one problem in the file."""
    match nodes:
        case []:
            raise InputError("no (define (problem ...) ...) in the file", source=source, line=1, column=1)
        case [Node(text=""), other, *_]:
            raise other.error("a second problem or domain in the same file; split the file")
        case [Node(head="define", items=(_, Node(head="problem"), *sections))]:
            pass
        case [Node(head="define", items=(_, Node(head="domain"), *_)) as define]:
            raise define.error(f"this is a PDDL domain; give the problem file, too, as in: {source} problem.pddl")
        case _:
            raise nodes[0].error(f"expected (define (problem NAME) ...), found {nodes[0]}")
    by_name: dict[str, Node] = {}
    for section in sections:
        if section.head not in _SECTIONS:
            raise section.error(
                feature(section) or f"{section} is not supported in a problem{suggestion(section.head, _SECTIONS)}"
            )
        section.require(section.head not in by_name, f"a second {section.head}")
        by_name[section.head] = section
    for name, meaning in _REQUIRED.items():
        nodes[0].require(name in by_name, f"{meaning}: there is no ({name} ...)")
    by_name.setdefault(":objects", by_name[":init"].with_words(":objects"))
    by_name[":goal"].require(len(by_name[":goal"].items) == 2, "expected one condition in the goal")
    return by_name


def _start(reader: Reader, section: Node) -> Facts:
    """Return the facts of the start. Raises InputError, saying where, for what cannot be a start."""
    literals = ((node, True) for node in reader.start_facts(section))
    facts = reader.facts(literals, _AT_START, "cannot be true at the start: play must not have begun")
    stated = facts["peg"] | facts["vacant"]
    for name, place in reader.holes.items():
        place.require((name,) in stated, f"the start does not say whether {name} holds a peg")
    for fact in sorted({"between-moves", "playing"} & reader.domain.predicates.keys() - facts.keys()):
        raise section.error(f"without ({reader.domain.shown(fact)}) at the start no jump is possible")
    for line, place in facts["line"].items():
        place.require(len({*line}) == len(line), f"{place} is not a line: a hole is there twice")
    for line, place in facts["line"].items():
        fault = f"{' '.join(line)} is a line in one direction only; on a board pegs jump both ways"
        place.require(line[::-1] in facts["line"], fault)
    return facts


def _board(
    reader: Reader, lines: Iterable[tuple[str, ...]], own_names: dict[str, str], name: str
) -> tuple[Board, tuple[str, ...]]:
    """Return the board, and the object of each hole."""
    objects = list(reader.holes)
    cells = {hole: cell for hole in objects if (cell := cell_of(hole)) is not None}
    rows, columns = ({cell[axis] for cell in cells.values()} for axis in (0, 1))
    if len({*cells.values()}) == len(objects) and 0 in rows & columns:
        jumps = {(cells[a], cells[over], cells[b]) for a, over, b in lines}
        for on in _LATTICES:
            if jumps == {line[::way] for line in on.lines({*cells.values()}) for way in (1, -1)}:
                return lattice_board(cells.values(), on, f"{name}'s board"), tuple(
                    sorted(objects, key=cells.__getitem__)
                )
    plain = [hole.replace("-", "_") for hole in objects]
    choices = (
        [own_names.get(hole, other) for hole, other in zip(objects, plain, strict=True)],
        plain,
        [f"h{i}" for i in range(len(objects))],
    )
    names = next(names for names in choices if len(set(names)) == len(names))
    own = dict(zip(objects, names, strict=True))
    return lines_board(names, [(own[a], own[over], own[b]) for a, over, b in lines], f"{name}'s board"), tuple(objects)


def _goal(reader: Reader, condition: Node, board: Board, index: dict[str, int]) -> tuple[Goal, tuple[Fact, ...]]:
    """Return the goal of a condition, and the facts of it that are not about the position.

    Raises InputError, saying where, for facts that are not supported.
    """
    facts = reader.facts(reader.literals(condition), _AT_END, "is not supported in a goal")
    pegs, vacancies = (sum(1 << index[hole] for (hole,) in facts[predicate]) for predicate in ("peg", "vacant"))
    rest: tuple[Fact, ...] = (("between-moves", ()),) if facts["between-moves"] else ()
    if facts["blocked"] or (facts["stopped"] and "blocked" in reader.domain.predicates):
        blocked = ([index[hole] for hole in line] for line in facts["blocked"])
        is_dead_end = {(min(a, b), over, max(a, b)) for a, over, b in blocked} == {
            *board.lines
        } and not pegs | vacancies
        condition.require(is_dead_end, "the goal of Fool's Solitaire must block every line, and nothing else")
        return DeadEnd(), rest
    if facts["holding"]:
        condition.require(vacancies == board.full, "a goal with (holding) must have every hole vacant")
        return OnePeg(), rest
    return fixed_goal(board, pegs, vacancies), rest


def are_files(names: Iterable[str]) -> bool:
    """Tell whether some names are those of PDDL files."""
    return all(name.lower().endswith(".pddl") and isfile(name) for name in names)


def is_domain(path: Path) -> bool:
    """Tell whether a file defines a domain."""
    return _DOMAIN.search(_COMMENT.sub("", read_text(path))) is not None


def read_named(text: str) -> PlanningTask | None:
    """Return the task of a problem file, or of that and its domain, in either order; None for what names no such
    files."""
    names = [text] if isfile(text) else re.split(r"(?<=\.pddl)\s+", text, flags=re.IGNORECASE)
    return read_files(*sorted(map(Path, names), key=is_domain)) if len(names) < 3 and are_files(names) else None


def read_files(path: Path, domain: Path | None = None) -> PlanningTask:
    """Read a problem file and its domain: the file ``domain``, or else the one that belongs to it.

    That is ``p01-domain.pddl``, ``domain-p01.pddl``, ``domain-01.pddl`` or ``domain.pddl`` in the folder of
    ``p01.pddl`` or one folder up, where it may lie in the folder ``domains``. Raises InputError, also if two files
    define the domain and make different problems.
    """
    problem_text = read_text(path)

    def task(file: Path | None) -> PlanningTask:
        return read_task(problem_text, str(path), path.stem, (read_text(file), str(file)) if file else None)

    bare = _COMMENT.sub("", problem_text)
    if domain is not None or _DOMAIN.search(bare):  # it has its domain in it
        return task(domain)
    wanted = re.findall(r"\(\s*:domain\s+([^\s()]+)", bare.lower())[:1]
    files: dict[str, Path] = {}  # by their texts
    for file in _domain_files(path):
        with nullcontext() if file.parent == path.parent else suppress(InputError):  # this may belong to anything
            files.setdefault(_COMMENT.sub("", read_text(file)), file)
    fitting = [file for text, file in files.items() if {*wanted} & {*map(str.lower, _DOMAIN.findall(text))}]
    # Another domain beside it is read all the same: the error says what is wrong with it.
    first = next(iter(fitting or [file for file in files.values() if file.parent == path.parent]), None)
    problem = task(first)
    for other in [file for file in fitting[1:] if accepts(lambda name: task(Path(name)), str(file))]:
        refuse_if(
            task(other) != problem,
            f"{first} and {other} both define its domain, and make different problems of it; "
            f"choose one: pegcp import {path} --domain FILE",
            path,
        )
    return problem


def read_text(path: Path) -> str:
    """Return the text of a file of PDDL: UTF-8 or UTF-16. Raises InputError if it cannot be read.

    Bytes that are neither, such as Latin-1 in comments, stay as marks, which :func:`parse` refuses outside comments.
    """
    data = read_file(path, _MOST_BYTES)
    is_wide = data.startswith((b"\xff\xfe", b"\xfe\xff"))
    return data.decode("utf-16", "surrogatepass") if is_wide else data.decode("utf-8-sig", "surrogateescape")


def _domain_files(path: Path) -> Iterator[Path]:
    """Return the files that may define the domain of a problem, the nearest first."""
    own = [path.stem, *re.findall(r"\d.*", path.stem)]  # of p01 also 01
    after = [f"domain{sign}{name}" for name in own for sign in ("-", "_", "")]
    names = [f"{path.stem}-domain", f"{path.stem}_domain", *after, "domain"]
    up = path.parent / ".."
    folders = (path.parent, path.parent / "domains", up, up / "domains", up / "domain")
    return filter(Path.is_file, (folder / f"{name}.pddl" for folder in folders for name in names))
