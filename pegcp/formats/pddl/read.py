"""Reading PDDL problems: those pegcp writes, and the pegsol files of the planning competitions.

Understood are the domains of ``models/*.pddl``, and of the competitions ``pegsolitaire-sequential`` (IPC 2008 and 2011;
its metric means fewest moves), ``pegsolitaire-netbenefit`` (IPC 2008: a weighted preference for each hole, a soft goal;
Unsolvability IPC 2016: a plain goal), ``pegsolitaire-temporal`` (IPC 2008 to 2014; its metric means fewest steps) and
``pegsolitaire-invasion`` (the army problems of the Unsolvability IPC). With the file of their domain, problems of other
names are read by what their ground actions do (:mod:`pegcp.formats.pddl.recognition`). Anything else is refused; the
error names the construct.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import lru_cache

from pegcp.errors import InputError
from pegcp.formats.pddl.actions import read_actions
from pegcp.formats.pddl.domains import DOMAINS, Domain, costs_of
from pegcp.formats.pddl.facts import Reader, has_preferences, read_preferences
from pegcp.formats.pddl.grounding import GroundTask
from pegcp.formats.pddl.recognition import RecognisedTask
from pegcp.formats.pddl.syntax import Form, Node, Symbol, parse
from pegcp.game.board import Board, Jump, lattice_board, lines_board
from pegcp.game.goal import DeadEnd, Exact, Goal, Nearest, Objective, OnePeg, Partial
from pegcp.game.lattice import Cell, lattice
from pegcp.game.position import Position
from pegcp.game.problem import Problem

_GRID = re.compile(r"pos-(0|[1-9]\d{0,2})-(0|[1-9]\d{0,2})")
_LETTERS = re.compile(r"([a-z]{1,2})([1-9]\d{0,2})")
_LATTICES = (
    lattice("square"),
    lattice("square", "diagonal"),
    lattice("triangular"),  # before the next, whose lines are the same on small triangles
    lattice("square", "both"),
)
_SECTIONS = frozenset({":domain", ":requirements", ":objects", ":init", ":goal", ":metric"})
_OWN_NAME = re.compile(r"^[ \t]*(\S+) - (?:hole|location) ; ([A-Za-z0-9_.]{1,100})[ \t]*$", re.MULTILINE)


@dataclass(frozen=True)
class Task:
    """A problem file: the problem, and how the file counts the cost of a plan.

    ``metric`` is its text, empty where it has none; ``most`` is what the metric of preferences takes their sum from,
    None where the sum itself is to be small. ``names`` are the objects that are the holes, ``ends`` is what the goal
    says beside pegs and vacancies. ``recognised`` is the task of a domain of other names, and ``names`` are as it has
    them.
    """

    problem: Problem
    domain: Domain
    metric: str = ""
    most: int | None = None
    names: tuple[str, ...] = ()
    ends: tuple[str, ...] = ()
    recognised: RecognisedTask | None = None

    @property
    def duration(self) -> float:
        """How long an action takes that has a duration."""
        return float((self.recognised and self.recognised.duration) or 1)


def read_problem(
    text: str, source: str = "problem", name: str = "problem", domain: tuple[str, str] | None = None
) -> Problem:
    """The problem of a PDDL problem file. Raises InputError with line and column.

    ``domain``: the text of its domain and where that is from; needed where it is none of those that are known by name.
    Holes named as cells (``d4``, or ``pos-ROW-COLUMN``) whose lines are those of a lattice give a lattice board.
    """
    return read_task(text, source, name, domain).problem


def task_of(problem: Problem) -> Task | None:
    """The task in the files that a problem was read from; None for one that was not read from PDDL, or was changed."""
    return replace(_of_files(*problem.files), problem=problem) if problem.files else None


@lru_cache(2)
def _of_files(text: str, domain: str | None = None) -> Task:
    return read_task(text, domain=None if domain is None else (domain, "domain"))


def read_task(text: str, source: str = "problem", name: str = "problem", domain: tuple[str, str] | None = None) -> Task:
    """The problem of a PDDL problem file, and how it counts costs. Raises InputError as :func:`read_problem`."""
    reader = Reader(source)
    sections = _sections(reader, parse(text, source))
    title = sections.pop(":domain", None)
    if title is None:
        raise InputError("no (:domain ...)", source=source, line=1, column=1)
    for section, meaning in ((":init", "no start position"), (":goal", "no goal")):
        if section not in sections:
            raise InputError(f"{meaning}: there is no ({section} ...)", source=source, line=1, column=1)
        if section == ":goal" and len(sections[section].items) != 2:
            raise reader.error(sections[section], "expected one condition in the goal")
    if domain is None:
        reader.domain = _known_domain(reader, title)
    else:
        _read_domain(reader, title, sections, *domain)
    task = reader.recognised
    if task is not None:
        for hole in task.names.values():
            reader.declare(hole, sections[":init"])
    elif ":objects" not in sections:
        raise InputError("no holes: there is no (:objects ...)", source=source, line=1, column=1)
    else:
        reader.objects(sections[":objects"])
    if not reader.holes:
        raise reader.error(sections.get(":objects", title), "no holes: the list of objects is empty")
    begin = _Start(reader, sections[":init"])
    board, index = _board(reader, begin.lines, dict(_OWN_NAME.findall(text)), name)
    names = tuple(sorted(index, key=index.__getitem__))
    start = Position(board, sum(1 << index[hole] for hole, peg in begin.held.items() if peg))
    condition, metric = sections[":goal"].items[1], sections.get(":metric")
    if isinstance(condition, Form) and has_preferences(condition):
        nearest, most = read_preferences(reader, condition, metric, index)
        soft = next(row for row in DOMAINS if row.name == "pegsolitaire-netbenefit")
        problem = Problem(board, start, nearest, Objective.NEAREST, name)
        return Task(problem, soft, "preferences", most, names, (), task)
    goal, ends = _goal(reader, condition, board, index)
    objective = Objective.ANY if metric is None else _measured(reader, metric, "total-cost" in begin.others)
    if objective is Objective.NEAREST:
        nearest = Nearest(
            sum(1 << index[hole] for hole, peg in begin.wanted.items() if peg),
            tuple(begin.weights.get(hole, 0) for hole in names),
        )
        if nearest.pegs or set(nearest.weights) != {1}:
            if goal != Partial(0):
                raise reader.error(condition, "weights of holes together with other goals are not understood")
            goal = nearest
        else:
            objective = Objective.FEWEST_PEGS
    measure = "" if metric is None else " ".join(map(str, metric.items[1:]))
    return Task(Problem(board, start, goal, objective, name), reader.domain, measure, None, names, ends, task)


def _known_domain(reader: Reader, title: Form) -> Domain:
    """The domain of that name. Raises InputError where there is none."""
    name = reader.symbol(title.items[1], "a domain") if len(title.items) == 2 else str(title)
    for row in DOMAINS:
        if row.name == name:
            return row
    names = ", ".join(row.name for row in DOMAINS)
    fault = f'domain "{name}" is not known by name: put its file beside this one, as domain.pddl, or give it'
    raise reader.error(title, f"{fault}; known are {names}")


def _read_domain(reader: Reader, title: Form, sections: dict[str, Form], text: str, source: str) -> None:
    """Find the domain that says the same as the file of a domain: by its actions, or else by those of the task."""
    match parse(text, source):
        case [Form(head="define", items=(_, Form(head="domain", items=(_, name)), *_)) as define]:
            parts = define.items[1:]
        case _:
            raise InputError("expected (define (domain ...) ...)", source=source, line=1, column=1)
    if list(map(str, title.items[1:])) != [str(name)]:
        raise reader.error(title, f'the domain is "{" ".join(map(str, title.items[1:]))}", and {source} has "{name}"')
    rows = [row for row in DOMAINS if row.is_domain(parts, source)]
    if rows:
        reader.domain = next((row for row in rows if row.name == str(name)), rows[0])
        actions = read_actions(parts, source, {})
        reader.has_costs = bool(costs_of(actions))
        kinds = {kind for action in actions.values() for kind in action.parameters.values()}
        reader.kinds = tuple(kinds - {"object"}) or reader.kinds
    else:
        reader.recognised = RecognisedTask(GroundTask(parts, source, sections, reader.source), source)
        reader.domain, reader.has_costs = reader.recognised.domain, reader.recognised.has_costs


def _measured(reader: Reader, metric: Form, cost: bool) -> Objective:
    """The objective that a metric means in its domain."""
    domain = reader.domain
    if domain.means is None:
        raise reader.error(metric, f"the actions of {domain.name} have no costs")
    if domain.measure != "total-time" and not reader.has_costs:
        raise reader.error(metric, "no action of the domain costs anything")
    measure = f"({domain.measure or 'total-cost'})"
    if [str(item) for item in metric.items[1:]] != ["minimize", measure] or not (cost or measure == "(total-time)"):
        begins = ", with (= (total-cost) 0) at the start" if measure == "(total-cost)" else ""
        raise reader.error(metric, f"the only metric understood in {domain.name} is minimize {measure}{begins}")
    return domain.means


def _sections(reader: Reader, nodes: list[Node]) -> dict[str, Form]:
    """The sections of the one problem in the file."""
    if not nodes:
        raise InputError("no (define (problem ...) ...) in the file", source=reader.source, line=1, column=1)
    define, *more = nodes
    match define:
        case Form(head="define", items=(_, Form(head="problem"), *sections)):
            pass
        case Form(head="define", items=(_, Form(head="domain"), *_)):
            raise reader.error(define, "this is a PDDL domain; give the problem file that goes with it")
        case Form(head="define", items=(_, title, *_)):
            raise reader.error(title, f"expected (problem NAME), found {title}")
        case _:
            raise reader.error(define, f"expected (define (problem ...) ...), found {define}")
    if more:
        raise reader.error(more[0], "a second problem or domain in the same file; split the file")
    by_name: dict[str, Form] = {}
    for section in sections:
        if not isinstance(section, Form) or section.head not in _SECTIONS:
            raise reader.error(section, f"{section} is not understood in a problem")
        if section.head in by_name:
            raise reader.error(section, f"a second {section.head}")
        by_name[section.head] = section
    return by_name


class _Start:
    """The facts of the start: lines (each with the place of its fact), what holes hold, what is wanted of them and
    what they weigh, and whether costs begin at 0."""

    def __init__(self, reader: Reader, section: Form) -> None:
        self.reader = reader
        self.lines: dict[tuple[str, ...], Node] = {}
        self.held: dict[str, bool] = {}
        self.wanted: dict[str, bool] = {}
        self.weights: dict[str, int] = {}
        self.others: set[str] = set()
        task = reader.recognised
        if task is not None:
            self.lines = {tuple(task.names[hole] for hole in line): section for line in task.lines}
        for node in section.items[1:]:
            match node:
                case Form(head="=", items=(_, Form(head="total-cost", items=(_,)), Symbol(text="0"))):
                    self.others.add("total-cost")
                case Form(head="=", items=(_, Form(head="weight", items=(_, weighed)), number)) if (
                    "settled" in reader.domain.predicates
                ):
                    self.weights[reader.hole(weighed)] = reader.number(number)
                case Form(head="="):
                    raise reader.error(node, f"{node} is not understood; the only number is (= (total-cost) 0)")
                case _:
                    self._take(node, *reader.fact(node))
        for name, place in reader.holes.items():
            if name not in self.held and task is not None and None in (task.full, task.empty):
                self.held[name] = task.full is None
            elif name not in self.held:
                raise reader.error(place, f"the start does not say whether {name} holds a peg")
        for needed in ("between-moves", "playing"):
            if needed in reader.domain.predicates and needed not in self.others:
                shown = reader.domain.shown(needed)
                raise reader.error(section, f"without ({shown}) at the start no jump is ever possible")
        for (a, over, b), place in self.lines.items():
            if (b, over, a) not in self.lines:
                message = f"{a} {over} {b} is a line in one direction only; on a board pegs jump both ways"
                raise reader.error(place, message)

    def _take(self, node: Node, kind: str, holes: tuple[str, ...]) -> None:
        """Take in a fact."""
        match kind:
            case "line":
                if len(set(holes)) < 3:
                    raise self.reader.error(node, f"{' '.join(holes)} is not a line: a hole is there twice")
                _in_a_row(self.reader, holes, node)
                self.lines[holes] = node
            case "peg" | "vacant":
                if self.held.setdefault(holes[0], kind == "peg") != (kind == "peg"):
                    raise self.reader.error(node, f"{holes[0]} is given both with and without a peg")
            case "wanted-peg" | "wanted-vacant":
                if self.wanted.setdefault(holes[0], kind == "wanted-peg") != (kind == "wanted-peg"):
                    raise self.reader.error(node, f"{holes[0]} is wanted both with and without a peg")
            case "":
                pass  # of a task that is recognised: what never changes
            case "between-moves" | "hand-empty" | "playing" | "turn" | "next":
                self.others.add(kind)
            case _:
                raise self.reader.error(node, f"{node} is not understood at the start: play must not have begun")


def _board(
    reader: Reader, lines: Iterable[tuple[str, ...]], own_names: dict[str, str], name: str
) -> tuple[Board, dict[str, int]]:
    """The board, and the index of each object's hole."""
    objects = list(reader.holes)
    for cells_of in (grid_cell, _letter_cell):
        cells = {hole: cells_of(hole) for hole in objects}
        if any(cell is None for cell in cells.values()):
            continue
        places = {hole: cell for hole, cell in cells.items() if cell is not None}
        if min(r for r, _ in places.values()) or min(c for _, c in places.values()):
            continue
        drawn = {(places[a], places[over], places[b]) for a, over, b in lines}
        for on in _LATTICES:
            natural = on.lines(set(places.values()))
            if drawn == {*natural, *((b, over, a) for a, over, b in natural)}:
                board = lattice_board(places.values(), on, f"{name}'s board")
                assert board.cells is not None
                numbers = {cell: i for i, cell in enumerate(board.cells)}
                return board, {hole: numbers[cell] for hole, cell in places.items()}
    named = [own_names.get(hole, hole.replace("-", "_")) for hole in objects]
    if len(set(named)) < len(named):
        named = [hole.replace("-", "_") for hole in objects]
    if len(set(named)) < len(named):
        named = [f"h{i}" for i in range(len(objects))]
    own = dict(zip(objects, named, strict=True))
    board = lines_board(named, [(own[a], own[over], own[b]) for a, over, b in lines], f"{name}'s board")
    return board, {hole: i for i, hole in enumerate(objects)}


def grid_cell(hole: str) -> Cell | None:
    """The cell of ``pos-ROW-COLUMN``, as the competitions name holes."""
    match = _GRID.fullmatch(hole)
    return (int(match[1]), int(match[2])) if match else None


def _letter_cell(hole: str) -> Cell | None:
    """The cell of ``d4``: letter = column, number = row."""
    match = _LETTERS.fullmatch(hole)
    if match is None:
        return None
    column = 0
    for letter in match[1]:
        column = 26 * column + ord(letter) - ord("a") + 1
    return int(match[2]) - 1, column - 1


def _in_a_row(reader: Reader, line: tuple[str, ...], place: Node) -> None:
    """Holes that are named by their cells must be adjacent in a row."""
    cells = [cell for cell in map(grid_cell, line) if cell is not None]
    if len(cells) < 3:
        return
    (ra, ca), (ro, co), (rb, cb) = cells
    if (ro - ra, co - ca) != (rb - ro, cb - co) or max(abs(ro - ra), abs(co - ca)) != 1:
        raise reader.error(place, f"{' '.join(line)} is not a line of the board: the holes are not adjacent in a row")


def _goal(reader: Reader, condition: Node, board: Board, index: dict[str, int]) -> tuple[Goal, tuple[str, ...]]:
    """The goal, and what the end of a plan must make true beside it."""
    parts = condition.items[1:] if isinstance(condition, Form) and condition.head in ("and", "") else (condition,)
    masks = {"peg": 0, "vacant": 0}
    blocked: set[tuple[int, int, int]] = set()
    others: set[str] = set()
    for part in parts:
        fact, negated = part, isinstance(part, Form) and part.head == "not" and len(part.items) == 2
        if isinstance(part, Form) and negated:
            fact = part.items[1]
        kind, holes = reader.fact(fact)
        if negated:
            kind = {"peg": "vacant", "vacant": "peg"}.get(kind, "")
        if kind in masks:
            masks[kind] |= 1 << index[holes[0]]
            if masks["peg"] & masks["vacant"]:
                raise reader.error(part, f"the goal wants {holes[0]} both with and without a peg")
        elif kind == "blocked":
            a, over, b = (index[hole] for hole in holes)
            blocked.add((min(a, b), over, max(a, b)))
            if not board.has_jump(Jump(a, over, b)):
                raise reader.error(part, f"{' '.join(holes)} is not a line of the board")
        elif kind in ("holding", "stopped", "between-moves", "settled"):
            others.add(kind)
        else:
            raise reader.error(part, f"{part} is not understood in a goal")
    if blocked or ("stopped" in others and "blocked" in reader.domain.predicates):
        if len(blocked) != len(board.lines) or masks["peg"] | masks["vacant"]:
            raise reader.error(condition, "the goal of Fool's Solitaire blocks every line, and says nothing else")
        return DeadEnd(), ()
    if "holding" in others:
        if masks["vacant"] != board.full:
            raise reader.error(condition, "a goal with (holding) is understood only with every hole vacant")
        return OnePeg(), ()
    ends = tuple(kind for kind in ("between-moves",) if kind in others)
    if masks["peg"] | masks["vacant"] == board.full:
        return Exact(masks["peg"]), ends
    return Partial(masks["peg"], masks["vacant"]), ends
