"""From what a person types to a problem: compact names, files, and lists of numbers.

``BOARD`` is a bundled name, a family member such as ``triangle15``, or a board file.

    BOARD               the board's own problem
    BOARD:HOLE          start with that vacancy, finish with one peg there (reversal)
    BOARD:HOLE->HOLE    start vacancy, hole of the last peg
    BOARD:HOLE->?       one peg anywhere
    BOARD:HOLE!         Fool's Solitaire: a dead end in as few jumps as possible
    SET:NAME            a problem of a set ("pegcp suite")
    XoXX                a drawing: signs, lists, bits (pegcp.formats.drawing); one peg anywhere
    '3 4 9'             numbers of holes, on the 7 x 7 grid unless --board and --numbering say otherwise
    FILE                a problem file, a board file, a PDDL file, a drawing, or numbers
    -                   what standard input holds, like a file

A file is meant by a path (``./mine``) or by a name with a suffix (``mine.toml``); other names are those that ship. A
text of several lines is what a file may hold.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from os.path import exists, isdir, isfile  # unlike Path.is_file it takes any text
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from pegcp import library
from pegcp.errors import InputError, accepts, name_source, refuse_if, shown, suggestion
from pegcp.formats import drawing, files, numbers, signs, solution, toml, words
from pegcp.formats.grids import find_drawings, words_beside
from pegcp.game import (
    Board,
    DeadEnd,
    Exact,
    Goal,
    Nearest,
    Objective,
    OnePeg,
    Partial,
    Position,
    Problem,
    graph_board,
    read_hole,
)
from pegcp.habits import Guided, guided
from pegcp.theory.parity import possible_finishes

if TYPE_CHECKING:
    from networkx import Graph
    from unified_planning.model import Problem as PlanningTask

_ARROW = re.compile(r"\s*(?:[-=–—]+\^?>?|[→⇒⟶]|\bto\b)\s*")
_QUOTES = " \t\"'`“”‘’„"
# Signs of a drawing in an argument of one line, and such an argument that is no name
_SIGNS = r"[XxOoPHp*#.01_+@~?●○◯•⚫⚪⬤◉⬛⬜⭐★\U0001F534-\U0001F7EB-]"
_DRAWING = re.compile(
    rf"[Xo ]{{1,1000}}|(?:{_SIGNS}|[,;>=→⇒⟶\s]){{3,1000}}"
    rf"|(?!\.\.?/)(?:{_SIGNS}|[ 2-9]){{1,99}}(?:[/|](?:{_SIGNS}|[ 2-9]){{1,99}}){{2,99}}"
    r"|0[bx][0-9A-Fa-f]+|(?!.*\.\w{2,4}\Z).*[\[({].*",
    re.DOTALL,
)
_ESCAPED = re.compile(rf"(?:(?:{_SIGNS}|[ 2-9])*\\n)+(?:{_SIGNS}|[ 2-9])*")  # lines as a program writes them
_SIZE = re.compile(r"[A-Za-z]{4,}\s*[:(]\s*\d{1,3}\)?")  # of a shape, not numbers of holes
_FILE_NAME = re.compile(r"[^\s,]+\.[A-Za-z]\w*")
_LONGEST_NAME = 60  # characters of a name in another form
_FEWEST_SIGNS = 8  # of a drawing that may be a board that ships, but for two holes


@guided
def board(text: str | Path | Board | Problem | Position | Graph[str]) -> Board:
    """Return the board of that name, in that file or of that drawing in lines, or that of a problem, a position or a
    graph. Raises InputError.

    >>> import pegcp
    >>> board = pegcp.board("triangle15")
    >>> board
    <Board triangle15: 15 holes, 36 jumps>
    >>> len(board.holes), len(board.jumps)
    (15, 36)
    """
    if isinstance(text, Board | Problem | Position):
        return text if isinstance(text, Board) else text.board
    name = unwrap(text)
    if not isinstance(name, str):  # a graph of networkx
        refuse_if(not hasattr(name, "nodes"), f"expected the name of a board, or a file; not {type(text).__name__}")
        return graph_board([*map(str, name.nodes)], [(str(a), str(b)) for a, b in name.edges], "graph")
    path = Path(name)
    if path.suffix == ".toml":
        return toml.read_board(files.read_toml(path), str(path), path.stem)
    if "\n" in name or (files.is_path(name) and isfile(path)):
        return _read_argument(name, _AS_USUAL, is_drawing=False).board
    return library.board(name)


def unwrap(subject: Any) -> Any:
    """Return a path as its text, an open file as what it holds, an array or a data frame as lists, a drawing with
    ``\\n`` between its lines with line breaks, others as they are."""
    for method in ("__fspath__", "read", "to_numpy", "tolist"):
        subject = getattr(subject, method, lambda value=subject: value)()
    return subject.replace("\\n", "\n") if isinstance(subject, str) and _ESCAPED.fullmatch(subject) else subject


@guided
def problem(
    text: str | Path | Problem | Board | Position | Graph[str] | PlanningTask,
    *,
    start: str | Collection[str] | Position | None = None,
    after: str | Sequence[str] | None = None,
    goal: str | Collection[str] | Position | None = None,
    objective: str | None = None,
    legend: str | Mapping[str, str] | None = None,
    board: str | None = None,
    numbering: str | None = None,
) -> Problem:
    """Return the problem a person means, with its start, goal or objective replaced where given. It may also be a
    problem, a board or a graph (its own problem), a position (one peg anywhere), a task of unified-planning, or an
    array.

    ``start``: holes with pegs (``"d4 e4"``) or ``"all but d4"``; ``after``: jumps that have been made from there
    (``"d2-d4 b3-d3"``), either also as a list; ``goal``: ``"one peg"``, ``"dead end"``, holes of the last pegs, with
    ``*`` when the other holes are free, ``"near d4"``, the ``"complement"`` of the start; start and goal may also be a
    drawing, or a file with one, an array or a position; ``objective``: any, fewest-jumps, fewest-moves, fewest-steps,
    count; fewest-pegs, for which without a goal any end will do; nearest, which makes the goal a target to end near.

    A drawing, bits or numbers are read by a ``legend`` (``"*=peg O=vacancy .=outside"``), on the board of a name, in a
    ``numbering`` (zero, one, grid or letters); what is not given is found out where it can be, and ``read_as`` of the
    problem says how it was read. Raises InputError.

    >>> import pegcp
    >>> problem = pegcp.problem("english:c1->d4", after="c3-c1 e3-c3")
    >>> len(problem.start), problem.goal_text
    (30, 'exactly d4')
    >>> position = pegcp.problem('''
    ...    X
    ...   o X
    ...  X X o
    ... ''')
    >>> position.start.pegs, position.goal_text
    (['a1', 'b2', 'a3', 'b3'], 'one peg anywhere')
    """
    if isinstance(legend, Mapping):
        legend = " ".join(f"{sign}={meaning}" for sign, meaning in legend.items())
    conventions = Conventions(legend, board, numbering)
    text = text if isinstance(text, Guided) else unwrap(text)
    start, after, goal = (
        value.pegs if isinstance(value, Position) else unwrap(value) for value in (start, after, goal)
    )
    if isinstance(text, list | tuple):
        refuse_if(
            any(isinstance(item, str) and library.is_name(item) for item in text),
            "expected one problem, not a list; pegcp.compare(problems, methods) takes several",
        )
        text = str(text)
    if type(text) is int and board is not None:
        text = hex(text)
    is_drawing, has_holes = isinstance(text, str) and _is_drawing(text, conventions), any((start, after, goal))
    of_text = conventions if is_drawing or not has_holes else _AS_USUAL
    if not isinstance(text, str) or of_text is _AS_USUAL:
        conventions.refuse("board", *([] if start is not None else ["legend"]), *([] if has_holes else ["numbering"]))
    subject = _read_or_suggest(text, of_text, is_drawing=is_drawing) if isinstance(text, str) else _read_object(text)
    changes = {"start": start, "after": after, "goal": goal, "objective": objective}
    return _with_changes(subject, changes, conventions, _AS_USUAL if is_drawing else conventions)


@guided
def position(text: str, **options: str | None) -> Position:
    """Return the start position of a problem, a drawing or numbers of holes, with the options of :func:`problem`.

    >>> import pegcp
    >>> pegcp.position("X X o X").legal_jumps()
    ['a1-c1']
    """
    return problem(text, **options).start


def _read_or_suggest(text: str, conventions: Conventions, *, is_drawing: bool) -> Problem:
    """Read what a person types. Raises InputError, with what is meant where that is known."""
    try:
        refuse_if(_SIZE.fullmatch(text) and library.usual_problem(text), "this is no name")
        return _read_argument(text, conventions, is_drawing=is_drawing)
    except InputError:
        name = text if len(text) < _LONGEST_NAME else ""
        as_start = re.sub(r"\A(\w+):([a-z]+\d+(?:, *[a-z]+\d+)+)\Z", r"\1 --start 'all but \2'", name)  # two vacancies
        other = as_start if as_start != name else library.usual_problem(name)
        other = f"{text}/problem.pddl" if not other and isfile(f"{text}/problem.pddl") else other
        refuse_if(other not in ("", text), f'there is no problem "{text}"; did you mean "{other}"?')
        raise


def _with_changes(
    problem: Problem, changes: Mapping[str, Any], conventions: Conventions, of_start: Conventions
) -> Problem:
    """Return the problem with its start, goal or objective replaced, as its name says; None changes nothing.

    ``of_start``: how a start is read that has no holes by number. Raises InputError whose source is the option.
    """
    replacements = {option: change for option, change in changes.items() if change is not None}
    for option, change in replacements.items():
        are_names = option == "goal" and isinstance(change, list) and all(isinstance(item, str) for item in change)
        is_several = isinstance(change, list | tuple | set) and not are_names
        value: Any = " ".join(map(str, change)) if is_several else change
        what = "an objective" if option == "objective" else "holes or jumps"
        is_text = isinstance(value, str)
        may_be_file = option in ("start", "goal") and is_text and files.is_path(value)
        is_lost = may_be_file and _FILE_NAME.fullmatch(value) and not (exists(value) or problem.board.has_hole(value))
        try:
            refuse_if(option != "goal" and not is_text, f"expected text that names {what}, not {shown(value)}")
            refuse_if(is_lost, f'there is no file "{value}"')
            content = files.read_text(value) if may_be_file and isfile(value) else value
            as_written = option == "objective" or (option == "start" and numbers.are_numbers(content))
            by_name = content if as_written else conventions.with_names(problem.board, content)
            of_value = of_start if by_name == content else _AS_USUAL
            other = _change_problem(problem, option, by_name, of_value, keep_goal="goal" in replacements)
        except InputError as error:
            raise InputError(error.message, source=option) from None
        problem = replace(other, name=f"{problem.name} {option}={value}")
    return problem


def _change_problem(problem: Problem, option: str, value: Any, conventions: Conventions, *, keep_goal: bool) -> Problem:
    """Return the problem with its start, goal or objective replaced; an objective changes the goal, too, unless it is
    kept."""
    match option:
        case "start":
            mask, read_as = _read_start(problem.board, value, conventions)
            if mask.bit_count() == 1 and not read_as:
                other = f"{problem.board.name}:{value}" if library.is_name(problem.board.name) else f"all but {value}"
                read_as = f"one peg, in {value}; for a peg in every other hole write: {other}"
            return replace(problem, start=Position(problem.board, mask), read_as=read_as)
        case "after":
            jumps = solution.read_beginning(problem, value)
            return replace(problem, start=problem.start.after(*jumps.jumps), read_as=jumps.read_as or problem.read_as)
        case "goal":
            board = problem.board
            is_drawn = isinstance(value, str) and (
                "\n" in value
                or (_DRAWING.fullmatch(value.strip()) and not accepts(lambda text: toml.read_goal(board, text), value))
            )
            pegs = conventions.position(board, value)[0] if is_drawn else board.full & ~problem.start.mask
            goal = Exact(pegs) if is_drawn or value in ("complement", "inverse") else toml.read_goal(board, value)
            return replace(problem, goal=goal, objective=toml.default_objective(goal))
        case _:
            objective = toml.read_objective(value)
            return replace(
                problem, goal=problem.goal if keep_goal else _goal_of(problem, objective), objective=objective
            )


def _read_start(board: Board, text: str, conventions: Conventions) -> tuple[int, str]:
    """Return the pegs of a start: holes, numbers of holes, or a drawing; and how they were read, in words."""
    if not any(conventions):
        try:
            return toml.read_pegs(board, text), ""
        except InputError:
            if not (
                _DRAWING.fullmatch(text) or "\n" in text or numbers.are_numbers(text) or words.name_holes(board, text)
            ):
                raise
    return conventions.position(board, text)


def _is_drawing(text: str, conventions: Conventions) -> bool:
    """Tell whether a text is no name: a drawing, numbers, or a file that may have them."""
    if text == "-" or "\n" in text or (files.is_path(text) and isfile(text)):
        return Path(text).suffix.lower() not in (".toml", ".pddl")
    if text in library.problem_names() or text.partition(":")[0] in library.set_names():
        return False
    has_signs = _DRAWING.fullmatch(text) is not None
    with suppress(InputError):
        library.board(text.rpartition(":")[0] or text)
        return any(conventions) and has_signs
    return (
        ("=" in text and not signs.is_toml(text))
        or has_signs
        or numbers.are_numbers(text)
        or numbers.is_mask(text)
        or ("/" not in text and (any(conventions) or len(text.split()) > 3))
    )


def _read_object(subject: Any) -> Problem:
    """Return a problem as it is, that of a board or a graph, one peg anywhere from a position, or that of a task of
    unified-planning. Raises InputError for other objects."""
    match subject:
        case Problem():
            return subject
        case Board():
            return read_compact(subject, "", subject.name)
        case Position():
            return Problem(subject.board, subject, OnePeg())
    if hasattr(subject, "nodes"):  # a graph of networkx
        return read_compact(board(subject), "", "graph")
    refuse_if(
        not type(subject).__module__.startswith("unified_planning"),
        f"expected a problem, its name, a map, a board or a position; not {type(subject).__name__}",
    )
    from pegcp.formats.pddl.unified import UnifiedTask

    return UnifiedTask(subject).problem


def _goal_of(problem: Problem, objective: Objective) -> Goal:
    """Return the goal that goes with an objective when no goal is given: most objectives keep the goal of the
    problem."""
    if objective is Objective.FEWEST_PEGS:
        return Partial(0)
    holes = problem.final_pegs | problem.final_vacancies
    if objective is Objective.NEAREST and holes:
        return Nearest(problem.final_pegs, tuple(holes >> hole & 1 for hole in range(len(problem.board.holes))))
    return problem.goal


def _read_argument(text: str, conventions: Conventions, *, is_drawing: bool) -> Problem:
    """Read what a person types: a text of several lines, a file, a drawing in one line, or a name."""
    path = Path(text)
    if text == "-" or "\n" in text:
        source = "standard input" if text == "-" else "the text"
        return _read_content(files.read_text(text) if text == "-" else text, source, "position", conventions)
    if path.suffix.lower() == ".pddl":
        from pegcp.formats.pddl import read_named

        try:
            task = read_named(text)
        except InputError:
            if "(define" not in (content := files.read_text(path) if isfile(path) else "(define").lower():
                with suppress(InputError):  # a drawing or facts, whatever the ending promises
                    return _read_content(content, f"{path.stem}.txt", path.stem, conventions)
            raise
        if task:
            conventions.refuse(*conventions._fields)
            return task.known_problem
    if files.is_path(text) and isfile(path):
        return _read_content(files.read_text(path), str(path), path.stem, conventions)
    if is_drawing:
        with name_source("the text"):
            return conventions.problem(files.not_too_long(text, "the text"), " ".join(text.split()))
    return _read_name(text, conventions)


def _read_name(text: str, conventions: Conventions) -> Problem:
    """Return the problem of a name: that of a board, of a problem that ships, or of a set. Raises InputError."""
    has_number = re.search(r":(?:.*\W)?\d", text)
    conventions.refuse("legend", "board", *([] if has_number else ["numbering"]))
    if (name := text.strip(_QUOTES)) != text:  # as shells of Windows, and programs, hand them over
        return _read_argument(name, conventions, is_drawing=False)
    if text in library.problem_names():
        bundled = library.PROBLEMS / f"{text}.toml"
        return toml.read_problem(files.read_text(bundled), board, bundled.name, text)
    prefix, colon, pattern = text.partition(":")
    if prefix in library.set_names():
        row, *more = library.suite(prefix).chosen(pattern or "*")
        refuse_if(
            more,
            f"{text} is a set of {len(more) + 1} problems: name one, or compare all, {prefix}:*; "
            f'"pegcp suite {prefix}" lists them',
        )
        return library.suite(prefix).problem(row)
    if (not colon and files.is_path(text)) or "\\" in text:
        other = "a folder" if isdir(text) else 'no regular file ("-" reads standard input)'
        raise InputError(f'"{text}" is {other}' if exists(text) else f'there is no file "{text}"')
    name, form = text.rpartition(":")[::2] if colon else (text, "")
    refuse_if(
        form.endswith(("-", "=")),
        f"{text} ends with {form[-1:]}; in a shell, write quotes around a name with >, as in '{text}>?'",
    )
    try:
        place = board(name)
        form = conventions.with_names(place, form)
        return read_compact(place, form, f"{name}:{form}" if conventions.numbering else text)
    except InputError as error:
        refuse_if(isfile(text), f'{error.message}; for the file of that name write "./{text}"')
        near = suggestion(text, library.problem_names())
        refuse_if(
            error.source is None and not colon and near,
            f'unknown board or problem "{text}"{near}; "pegcp problems" lists them',
        )
        raise


def expand_name(text: str) -> list[str]:
    """Return the names that a name with a pattern stands for: of ``BOARD:*``, ``BOARD:*!`` and ``BOARD:*->?`` one for
    every hole; of ``SET:*``, ``SET:french*`` and ``SET:grade3+unsolvable`` those of the set; of a file with several
    names, one to a line, these; of others the name."""
    names = re.findall(r"\S.*\S", files.read_text(text) if files.beside(Path(), text) else "")  # one to a line
    if sum(map(library.is_name, names)) > 1 and all(accepts(problem, name) for name in names):
        return names
    prefix, colon, pattern = text.partition(":")
    if colon and prefix in library.set_names():
        return [f"{prefix}:{row.name}" for row in library.suite(prefix).chosen(pattern)]
    name, _, form = text.rpartition(":")
    if not (name and form.startswith("*")):
        return [text]
    return [f"{name}:{hole}{form[1:]}" for hole in board(name).holes]


def read_compact(board: Board, text: str, name: str) -> Problem:
    """Return the problem that a compact form such as ``d4``, ``c1->d4``, ``c1->?`` or ``d4!`` means on a board."""
    text = text.strip() or own_form(board)
    first, arrow, last = (text if board.has_hole(text) else _ARROW.sub("->", text, count=1)).partition("->")
    vacancy = read_hole(board, first.removesuffix("!"))
    start = Position(board, board.full & ~(1 << vacancy))
    finish = read_hole(board, last) if arrow and last.strip() != "?" else vacancy
    goal: Goal = OnePeg() if last.strip() == "?" else Exact(1 << finish)
    if text.endswith("!") and not arrow:
        goal = DeadEnd()
    return Problem(board, start, goal, toml.default_objective(goal), name)


def own_form(board: Board) -> str:
    """Return the compact form of a board's own problem: its default, or one peg anywhere from the first vacancy whose
    position class allows a last peg (that of the first hole, if there is none)."""
    holes = (hole for i, hole in enumerate(board.holes) if possible_finishes(board, board.full & ~(1 << i)))
    return board.default or f"{next(holes, board.holes[0])}->?"


class Conventions(NamedTuple):
    """How to read a drawing, bits or numbers: what signs mean, on which board they stand, how holes are numbered."""

    legend: str | None = None
    board: str | None = None
    numbering: str | None = None

    def position(self, board: Board, text: str) -> tuple[int, str]:
        """Return the pegs on a board (a bit mask), and how they were read, in words. Raises InputError."""
        named = all(map(board.has_hole, re.split(r"[\s,]+", text.strip().lower())))
        if named:
            self.refuse("legend")
        elif self.legend is None and self.numbering is None and words.name_holes(board, text):
            with suppress(InputError):  # words beside a drawing
                return drawing.read_position(board, text)
            return words.read_words(board, text)
        is_number = (numbers.are_numbers(text) or numbers.are_places(text)) and not numbers.is_mask(text)
        if self.legend is None and (self.numbering or named or is_number):
            return numbers.read_numbers(board, text, self.numbering)
        self.refuse("numbering")
        return (
            numbers.read_mask(board, text) if numbers.is_mask(text) else drawing.read_position(board, text, self.legend)
        )

    def problem(self, text: str, name: str) -> Problem:
        """Return the problem of a text that is neither TOML nor PDDL: one peg anywhere, unless it says more."""
        text = text.translate(signs.WIDE)
        if record := _read_record(text):
            self.refuse("board")
            return _read_fields(record, name, self.numbering)
        text, legend = signs.without_legend(text) if self.legend is None else (text, self.legend)
        try:
            return self._replace(legend=legend)._problem(text, name)
        except InputError as error:
            if self.legend is not None or not signs.has_words(text):
                raise
            return self._replace(legend=legend)._problem_among_words(text, name, error)

    def _problem_among_words(self, text: str, name: str, fault: InputError) -> Problem:
        """Return the problem of a text that names its board, or that is words alone. Raises InputError."""
        boards = [self.board] if self.board else words.find_boards(text, _boards())
        drawings = find_drawings(text)
        if len(boards) == 1 and len(drawings) < 2:
            bare = text if drawings else signs.without_remarks(text)
            with suppress(InputError):
                return words.with_words(self._replace(board=boards[0])._problem(bare, name), words_beside(text))
        if drawings:
            fault.message += "; or cut the text to the drawing alone"
            raise fault from None
        if len(boards) == 1:
            return words.read_prose(text, board(boards[0]), name)
        about = f"the words name the boards {' and '.join(boards)}" if boards else fault.message
        raise InputError(
            f"no position is found in this text ({about}): cut it to the drawing, or name board and holes, as in "
            f'"{[*boards, "english"][0]}:d4->?"',
            line=fault.line,
        ) from None

    def _problem(self, text: str, name: str) -> Problem:
        if not numbers.are_numbers(without_first_line := signs.without_size(text)):
            text = without_first_line
        refuse_if(
            self.board is None and numbers.is_mask(text),
            "say whose holes the bits are, as in --board english",
            line=1,
            column=1,
        )
        refuse_if(
            self.board is None and self.legend is None and _HOLES.fullmatch(text),
            "say on which board these holes are, as in --board english",
            line=1,
            column=1,
        )
        if self.board is None and self.numbering is None and (self.legend or not numbers.are_numbers(text)):
            boards = _boards if len(text) >= _FEWEST_SIGNS else list
            drawn = drawing.read_drawing(text, name, self.legend, boards)
            names = words.find_boards(text, boards()) if {r for r, _ in drawn.board.cells or ()} == {0} else []
            return _place(drawn, board(names[0])) if len(names) == 1 else drawn
        if self.numbering != "letters" and not re.search(r"\d", text):
            self.refuse("numbering")
        where = board(self.board or "english")
        if self.board and self.numbering is None:
            with suppress(InputError):
                drawn = drawing.read_drawing(text, name, self.legend, _boards)
                if (drawn.board.cells, drawn.board.lines) == (where.cells, where.lines):
                    return _place(drawn, where)
        by = self if self.board else self._replace(numbering=self.numbering or "grid")
        try:
            mask, read_as = by.position(where, text)
        except InputError as error:
            if self.board is None:  # nobody has named this one
                error.message += "; name the board, as in --board triangle15"
            raise
        return words.with_words(
            Problem(where, Position(where, mask), OnePeg(), name=name, read_as=read_as), words_beside(text)
        )

    def with_names(self, board: Board, text: str) -> str:
        """Return a text that names holes, such as ``all but 17`` or ``5-17``, with their names in place of numbers."""
        scheme = self.numbering
        if scheme is None or scheme == "letters":
            return text
        return re.sub(r"\b\d+\b", lambda number: board.holes[read_hole(board, number[0], scheme)], text)

    def refuse(self, *options: str) -> None:
        """Raise InputError if one of these options is given: it would say nothing."""
        kinds = {"legend": "drawings and bits", "board": "drawings, bits and numbers", "numbering": "numbers"}
        for option in options:
            refuse_if(getattr(self, option) is not None, f"--{option} is for {kinds[option]}; leave it out")


def _place(problem: Problem, where: Board) -> Problem:
    """Return a problem on a board with as many holes, in their order. Raises InputError if it has another number."""
    count = len(problem.board.holes)
    refuse_if(count != len(where.holes), f"board {where.name} has {len(where.holes)} holes, not {count}", line=1)
    read_as = f"{problem.read_as}, on board {where.name}".removeprefix(", ")
    return replace(problem, board=where, start=Position(where, problem.start.mask), read_as=read_as)


def _boards() -> list[Board]:
    """Return the boards that ship, and triangles."""
    triangles = (f"triangle{holes}" for holes in (10, 15, 21, 28))
    return [library.board(name) for name in (*library.board_names(), *triangles)]


_AS_USUAL = Conventions()
_HOLES = re.compile(r"(?:all but|empty:)?(?:[^\w*.#●○◯•⚫⚪-]*[a-z]\d{1,2}\b)+\W*", re.IGNORECASE)
_FIELD = re.compile(  # a key, and a list of lines, a list in brackets, a text in quotes, or words
    r"""["']?\b([a-zA-Z]+)["']?[ \t]*[:=]"""
    r"""((?:\s*\n[ \t]*- .+)+|\s*\[[^][]*\]|\s*"[^"\n]*"|\s*'[^'\n]*'|\s*[^][{},:="'\n]+)"""
)
_STARTS = {  # the key of a record that says where pegs are, and what comes before its value in words
    **dict.fromkeys(("start", "pegs", "position", "initial", "state"), ""),
    **dict.fromkeys(("vacant", "vacancy", "vacancies", "empty", "hole"), "all but "),
}


def _read_content(text: str, source: str, name: str, conventions: Conventions) -> Problem:
    """Read a problem from a text in any of the forms that a file may have; it may name a board file beside it."""
    if re.match(r"(?:\s|;.*\n)*\(define\s*\((?:problem|domain)\b", text, re.IGNORECASE):
        from pegcp.formats.pddl import read_problem as read_pddl

        conventions.refuse(*conventions._fields)
        return read_pddl(text, source, name)
    files.not_too_long(text, source)
    is_other = not signs.is_toml(text) or _read_record(text)
    if is_other:
        with suppress(InputError) if source.endswith(".toml") else name_source(source):
            return conventions.problem(text, name)
    conventions.refuse(*conventions._fields)
    if toml.is_problem(text, source):
        return toml.read_problem(
            text, lambda name: board(str(files.beside(Path(source).parent, name) or name)), source, name
        )
    return read_compact(toml.read_board(text, source, name), "", name)


def _read_record(text: str) -> dict[str, str]:
    """Return the fields of a record, such as ``{"board": "english", "vacant": ["d4"]}``, in JSON, YAML or lines of
    ``board = english``; nothing for a text that is none, or that is TOML."""
    pairs = _FIELD.findall(text)
    fields = {key.lower(): value.strip(" \t\"'") for key, value in pairs}
    beside = re.sub(r"[{},\s]|---", "", _FIELD.sub("", text))
    is_record = library.is_name(fields.get("board", "").lower()) and not beside
    refuse_if(is_record and len(pairs) > len(fields), "a key is there twice")
    may_be_toml = "start" in fields or fields.keys().isdisjoint(_STARTS)
    is_toml = is_record and may_be_toml and accepts(lambda text: toml.parse_toml(text, "record"), text)
    return fields if is_record and not is_toml else {}


def _read_fields(fields: Mapping[str, str], name: str, numbering: str | None) -> Problem:
    """Return the problem of a record. Raises InputError for a key that it does not have."""
    keys = ("board", "goal", "objective", "name", *_STARTS)
    for key in [key for key in fields if key not in keys]:
        raise InputError(f'unknown key "{key}"{suggestion(key, keys)}')
    words = {key: " ".join(re.findall(r"""[^][\s,"'-][^][\s,"']*""", value)) for key, value in fields.items()}
    places = [f"{before}{words[key]}" for key, before in _STARTS.items() if words.get(key)]
    refuse_if(len(places) != 1, f"say by one key where the pegs are: {', '.join(_STARTS)}")
    goal, by = words.get("goal", None if "objective" in words else "one peg"), Conventions(numbering=numbering)
    try:
        subject = _with_changes(
            _read_name(words["board"].lower(), _AS_USUAL),
            {"start": places[0], "goal": goal, "objective": words.get("objective")},
            by,
            by,
        )
    except InputError as error:  # which calls what is a key an option
        raise InputError(error.message) from None
    return replace(subject, name=fields.get("name", name))
