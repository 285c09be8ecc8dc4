"""Read positions as people draw them: signs in rows, lists of lists, words of bits, a triangle at the left.

A legend says what the signs mean. Without one each sign may mean what people use it for, no two signs mean the same,
and the drawing must make sense: it has pegs, three holes in a row and a jump to begin with, and what is outside touches
the border. The only reading that does is taken, and told in words; of several none is.
"""

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import pairwise, product
from math import gcd, isqrt, prod

from pegcp.errors import InputError, plural, refuse_if
from pegcp.formats.grids import Grid, find_grids, words_beside
from pegcp.formats.signs import RARE, USES, has_rows_of_bits
from pegcp.formats.words import BOARD_WORDS, with_words
from pegcp.game import (
    MOST_HOLES,
    Board,
    Cell,
    Exact,
    Goal,
    Lattice,
    OnePeg,
    Position,
    Problem,
    fixed_goal,
    lattice_board,
)
from pegcp.game.lattice import MOST_PLACES, lattice

MEANINGS = ("peg", "vacancy", "outside", "free")
_CHANGE = re.compile(  # what a program does with rows
    r"[\])]\.T\b|\.transpose\b|\bflip(?:ud|lr)?\(|\brot90\(|\bt\(matrix\b|\border\s*=\s*[\"']F|\blogical_not\("
    r"|\bmatrix\(c\((?![\s\S]*\bbyrow\s*=\s*T)|\w(?:\[\d+\]){2}\s*=\s*\w+\s*(?:;|$)",
    re.MULTILINE,
)
_LAST = ",last"  # after a meaning: the last peg ends here
_USUAL = {"X": "peg", "o": "vacancy", ".": "outside"}
_MOST_SIGNS = 8  # of an alphabet, for all readings to be tried
_LONG_ROW = 27  # signs, as the least of the boards that are no triangle has holes
_MOST_SLIPS = 3  # strange signs in a drawing
_MOST_RIDDLES = 50_000  # signs of which all readings are tried
_MARKS = {"peg": "X", "vacancy": "o", "outside": ".", "free": "?"}
Legend = dict[str, str]  # sign -> meaning


def read_legend(text: str) -> dict[str, str]:
    """Read a legend such as ``*=peg O=vacancy .=outside``; ``O=peg,last`` is also where the last peg ends.

    Raises InputError.
    """
    legend = {}
    for word in text.split():
        sign, _, meaning = word.rpartition("=")
        refuse_if(
            not sign or meaning.removesuffix(_LAST) not in MEANINGS,
            f"cannot read \"{word}\" in the legend: write SIGN=MEANING, as in '*=peg O=vacancy .=outside'; "
            f"meanings: {', '.join(MEANINGS)}",
            source="legend",
        )
        legend[sign] = meaning
    return legend


def read_drawing(
    text: str, name: str, legend: str | None = None, boards: Callable[[], Sequence[Board]] = list
) -> Problem:
    """Read a position, or a start and a goal one after the other; the goal is else one peg anywhere.

    The shapes of well-known ``boards`` decide between two readings. Raises InputError with line and column.
    """
    problem = _read_text(text, name, legend, boards)
    vacant_corners = {*problem.board.holes[:1], *problem.board.holes[-1:]}.difference(problem.start.pegs)
    shapes = [board.cells for board in boards()] if vacant_corners else []
    refuse_if(
        legend is None and has_rows_of_bits(text) and vacant_corners and problem.board.cells not in shapes,
        "a bit that is 0 may be a vacancy, or outside of the board: say --legend '1=peg 0=vacancy', or draw the board",
        line=1,
    )
    return with_words(problem, words_beside(text))


def _read_text(text: str, name: str, legend: str | None, boards: Callable[[], Sequence[Board]]) -> Problem:
    """Return the problem of a text that draws a position, or a start and a goal."""
    if change := _CHANGE.search(text):
        raise InputError(f"the program changes the board ({change[0]}): paste the board that it makes", line=1)
    grids = sorted(find_grids(text, read_legend(legend or "")), key=lambda grid: grid.is_goal)
    size = re.search(r"\w[ \t]*\[(\d{1,9})\]\[\d+\][ \t]*=", text)
    refuse_if(
        size and int(size[1]) != len(grids[0].rows) and "' '" not in text,  # rows of blanks are outside
        f"the text declares other than {len(grids[0].rows)} rows: mend one of them",
        line=1,
    )
    if len(grids) == 1 or [len(grid.rows) for grid in grids] == [1, 1]:
        return _read_grids(grids, name, legend, boards)
    if len(grids) == 2:
        with suppress(InputError):
            return _read_grids(grids, name, legend, boards)
    counts = [len(_read_grids([grid], name, legend, boards).board.holes) for grid in grids[:2]]
    places = [f"line {grid.line} ({count} holes)" for grid, count in zip(grids, counts, strict=False)]
    raise InputError(
        f"{len(grids)} drawings, in {' and '.join(places)}: give one, or a start and a goal on the same holes", line=1
    )


def _read_grids(grids: Sequence[Grid], name: str, legend: str | None, boards: Callable[[], Sequence[Board]]) -> Problem:
    """Return the problem of a drawing, or of a start and a goal."""
    meanings = read_legend(legend or "")
    grids = [_with_blanks(_on_shape(grid, boards), boards) for grid in grids]
    lengths = [*map(len, grids[0].rows)]
    refuse_if(
        grids[0].note and len(lengths) > 2 and lengths == [*range(2, len(lengths) + 2)],
        "the first row of this triangle is missing, or stands beside words: give it a line of its own",
        line=1,
    )
    signs = {sign for grid in grids for sign in grid.signs.values()}
    is_line = len(grids[0].rows) == 1 and "." not in signs and ("X" in signs or len(grids[0].signs) < 3)
    is_usual = is_line or ("X" in signs and ("o" in signs or "." not in signs))  # so a dot or a blank is outside
    certain = meanings or (_USUAL if is_usual else {})
    if certain.keys() >= signs:
        problem = _problem(grids, certain, name, legend is not None or any(grid.pasted for grid in grids))
    else:
        problem = _find_reading([*map(_with_gaps, grids)], meanings, name, boards)
    _refuse_slips(problem.board, boards() if legend is None else ())
    _refuse_stripped(grids[0], problem.board, boards)
    return problem


def _find_reading(grids: Sequence[Grid], meanings: Legend, name: str, boards: Callable[[], Sequence[Board]]) -> Problem:
    """Return the problem of the only reading that makes sense. Raises InputError that names several, or a legend."""
    signs = list(dict.fromkeys(sign for grid in grids for sign in grid.signs.values()))
    is_large = len(grids[0].signs) > _MOST_RIDDLES
    refuse_if(is_large, f"the drawing has more than {_MOST_RIDDLES:,} signs: say what they mean with --legend", line=1)
    known = USES | meanings
    strange = [sign for sign in signs if sign not in known]
    is_symbol = len(strange) == 1 and not (strange[0].isalnum() or strange[0].isascii())
    is_wall = len(strange) == 1 and len(signs) > 2 and [*grids[0].signs.values()].count(strange[0]) > _MOST_SLIPS
    uses = known | dict.fromkeys(strange if is_symbol or is_wall else (), "pvo" if is_symbol else "o")
    _require_meanings(grids, signs, uses)
    shapes, sensible = [board.cells for board in boards()], list[tuple[Legend, Problem]]()
    width = isqrt(len(grids[0].signs))
    are_squares = width > 2 and all((len(grid.rows), len(grid.signs)) == (1, width * width) for grid in grids)
    # A row may be a square. Uncommon uses of signs, and dead ends, are for the shapes of well-known boards.
    for drawn, meant, needs_jump, is_any in (
        (grids, uses, True, True),
        ([_fold(grid, width) for grid in grids if are_squares], uses, True, True),
        *([(grids, dict.fromkeys(signs, "pvo") | meanings, True, True)] if meanings else []),
        (grids, uses | {sign: uses[sign] + RARE[sign] for sign in RARE.keys() & signs - meanings.keys()}, True, False),
        *([(grids, uses, False, False)] if len(signs) > 1 else []),
    ):
        readings = _find_sensible(drawn, signs, name, meant, needs_jump) if drawn and not sensible else ()
        sensible += [item for item in readings if is_any or item[1].board.cells in shapes]
    sensible = [item for item in sensible if item[1].board.cells in shapes or _is_full(item[1].board)] or sensible
    if len(sensible) == 1:
        peg, *others = [sign for sign, meaning in sensible[0][0].items() if meaning in ("peg", "vacancy")]
        refuse_if(
            not meanings and others and {peg, *others} <= {*"oO0"},
            f"{' and '.join([peg, *others])} look alike, and nothing says which is the peg: say "
            + " or ".join(f"--legend '{peg}={a} {''.join(others)}={b}'" for a, b in (MEANINGS[:2], MEANINGS[1::-1])),
            line=1,
        )
        _refuse_two_in_one(*sensible[0], boards())
        return sensible[0][1]
    _require_meanings(grids, signs, uses if sensible or is_symbol else known)
    raise _riddle(grids, signs, uses, [reading for reading, _ in sensible])


def _riddle(
    grids: Sequence[Grid], signs: Sequence[str], uses: Mapping[str, str], readings: Sequence[Legend]
) -> InputError:
    """Return the error about a drawing that has no reading, or several."""
    example = next(_readings(signs, uses), dict(zip(signs, [*MEANINGS[:2], *["outside"] * len(signs)], strict=False)))
    no_reading = (
        "no reading of this drawing has pegs, three holes in a row and a jump to begin with"
        f"{', and fewer pegs at the end' * (len(grids) > 1)}; "
        f"say what its signs mean: --legend '{_legend_text(example)}'"
    )
    ways = [
        "".join(_MARKS[reading[grids[0].signs[cell]].removesuffix(_LAST)] for cell in grids[0].rows[0])
        + f" with --legend '{_legend_text(reading)}'"
        for reading in readings[:4]
    ]
    several = f"the drawing can be read in {plural(len(readings), 'way')}: its first row is {'; or '.join(ways)}"
    return InputError(several if readings else no_reading, line=1, column=1)


def _find_sensible(
    grids: Sequence[Grid], signs: Sequence[str], name: str, uses: Mapping[str, str], needs_jump: bool
) -> Iterator[tuple[Legend, Problem]]:
    """Yield the readings that make sense, and what is read."""
    for reading in _readings(signs, uses):
        with suppress(InputError):
            problem = _problem(grids, reading, name, True)
            is_playable = not needs_jump or any(problem.start.jumps())
            if is_playable and _makes_sense(problem, grids[0], reading):
                yield reading, problem


def read_position(board: Board, text: str, legend: str | None = None) -> tuple[int, str]:
    """Read a drawing of a position on a board: its pegs (a bit mask), and how it was read.

    It has the rows of the board, or one sign for each hole. Raises InputError.
    """
    meanings = read_legend(legend or "")
    grid, *others = find_grids(text, meanings)
    refuse_if(others, f"{1 + len(others)} drawings: give one", line=1)
    on_board, outside = _lay_on(board, grid)
    signs = list(dict.fromkeys(on_board))
    _require_meanings([grid], signs, meanings or USES)
    readings = [meanings] if meanings else [r for r in _readings(signs, USES) if "outside" not in r.values()]
    masks = [(r, _mask([r[sign] for sign in on_board], "peg", "peg" + _LAST)) for r in readings]
    able = [(r, mask) for r, mask in masks if any(jump.is_legal(mask) for jump in board.jumps)] or masks
    ways = " or ".join(f"--legend '{_legend_text(r)}'" for r, _ in able) or "--legend 'SIGN=peg SIGN=vacancy'"
    refuse_if(len(able) != 1, f"say what the signs mean: {ways}", line=1, column=1)
    ((reading, mask),) = able
    for (row, column), sign in outside.items():
        refuse_if(
            reading.get(sign, "").startswith("peg"),
            f'"{sign}" is a peg, but board {board.name} has no hole there',
            line=row + 1,
            column=column + 1,
        )
    return mask, f"{_in_words(reading)}, on board {board.name}"


def _lay_on(board: Board, grid: Grid) -> tuple[list[str], dict[Cell, str]]:
    """Return the signs on the holes of a board, and those beside it by their places."""
    if len(grid.rows) == 1 and len(grid.signs) == len(board.holes):
        return [*grid.signs.values()], {}
    size = _size(board.cells or [(0, 0)])
    if len(grid.rows) == 1 and len(grid.signs) == prod(size):  # all places of the grid in a row
        grid = _fold(grid, size[1])
    for cells in (*(cells for _, cells in _layouts(grid, grid.signs)), _centred(grid)):
        places = {cell: place for place, cell in cells.items()}
        if places and board.cells is not None and _size(places) == size and places.keys() >= {*board.cells}:
            on_board = [grid.signs[places.pop(cell)] for cell in board.cells]
            return on_board, {place: grid.signs[place] for place in places.values()}
    rows = f"{size[0]} rows and {size[1]} columns, or " if board.cells else ""
    raise InputError(
        f"not a position of board {board.name}: expected {rows}{len(board.holes)} signs in a row", line=1, column=1
    )


def _fold(grid: Grid, width: int) -> Grid:
    """Return the signs of a row as rows of that width."""
    return replace(grid, signs={divmod(i, width): sign for i, sign in enumerate(grid.signs.values())})


def _on_shape(grid: Grid, boards: Callable[[], Sequence[Board]]) -> Grid:
    """Return the signs of a long row on the board that has as many holes. Raises InputError for several."""
    count = len(grid.signs)
    is_row = len(grid.rows) == 1 and (count >= _LONG_ROW or grid.pasted)
    alike = [board for board in boards() if len(board.holes) == count] if is_row else []
    if alike and count < _LONG_ROW:
        notes = filter(
            None, (f"a row of {count} holes; if they are those of a board: --board {alike[0].name}", grid.note)
        )
        return replace(grid, note="; ".join(notes))
    shapes = {board.name: board.cells for board in alike if board.cells}
    at = [x for _, x in grid.signs]
    by_place = [  # all places of the rows, one after the other
        name
        for name, cells in shapes.items()
        if at == [at[0] + r * _size(cells)[1] + c - cells[0][1] for r, c in cells]
    ]
    is_even = len({b - a for a, b in pairwise(at)}) == 1  # a sign for each hole
    names = by_place or ([*BOARD_WORDS.keys() & shapes] or [*shapes] if is_even else [])
    refuse_if(
        len(names) > 1,
        f"a row of {count} signs may be a board row by row: say {' or '.join(f'--board {name}' for name in names)}",
        line=1,
    )
    for name in names:
        note = f"a row of {count} signs as the rows of board {name}"
        return Grid(dict(zip(shapes[name], grid.signs.values(), strict=True)), lists=True, pasted=True, note=note)
    return grid


def _size(cells: Collection[Cell]) -> tuple[int, int]:
    """Return the numbers of rows and columns."""
    return 1 + max(r for r, _ in cells), 1 + max(c for _, c in cells)


def _require_meanings(grids: Sequence[Grid], signs: Collection[str], meanings: Collection[str]) -> None:
    for sign in [sign for sign in signs if sign not in meanings]:
        grid, cell = next((grid, cell) for grid in grids for cell, other in grid.signs.items() if other == sign)
        raise InputError(
            f"cannot tell what \"{sign}\" means; say it, as in --legend 'X=peg o=vacancy {sign}=outside'",
            line=cell[0] + 1,
            column=None if grid.lists else cell[1] + 1,
        )


def _readings(signs: Sequence[str], uses: Mapping[str, str]) -> Iterator[dict[str, str]]:
    """Yield the legends in which no two signs mean the same; a capital may mark where the last peg ends."""
    refuse_if(len(signs) > _MOST_SIGNS, f"the drawing has {len(signs)} signs: say what they mean with --legend")
    ways = [
        [uses[sign]]
        if uses[sign].removesuffix(_LAST) in MEANINGS
        else [
            *(meaning for meaning in MEANINGS if meaning[0] in uses[sign]),
            *([_LAST] if sign.lower() in {*signs} - {sign} else []),
        ]
        for sign in signs
    ]
    for meanings in product(*ways):
        plain = [meaning for meaning in meanings if meaning != _LAST]
        legend = dict(zip(signs, meanings, strict=True))
        marks = {sign: legend[sign.lower()] for sign in signs if legend[sign] == _LAST}
        if (
            any(meaning.startswith("peg") for meaning in plain)
            and len({*plain}) == len(plain)
            and {"peg", "vacancy"}.issuperset(marks.values())
        ):
            yield legend | {sign: meaning + _LAST for sign, meaning in marks.items()}


def _even(basis: Collection[Cell], places: Collection[Cell]) -> dict[Cell, Cell]:
    """Return the row and the column of places, which in the basis are as near to each other as can be."""
    top, left = (min(place[axis] for place in basis) for axis in (0, 1))
    height, width = gcd(*(r - top for r, _ in basis)) or 1, gcd(*(x - left for _, x in basis)) or 1
    return {(r, x): ((r - top) // height, (x - left) // width) for r, x in places}


def _layouts(grid: Grid, holes: Collection[Cell]) -> Iterator[tuple[Lattice, dict[Cell, Cell]]]:
    """Yield the ways in which the signs may stand on a lattice: the row and the column of each, from the first hole."""
    rows, is_bare = grid.rows, len(holes) == len(grid.signs)  # nothing is outside
    stairs = replace(grid, signs={place: grid.signs[place] for place in holes}).rows
    lengths, rising = [*map(len, stairs)], [*range(1, len(stairs) + 1)]
    is_edge = is_bare or any(len({row[end][1] for row in stairs}) == 1 for end in (0, -1))
    if len(stairs) > 2 and is_edge and lengths in (rising, rising[::-1]):
        yield (
            lattice("triangular"),
            {
                place: (r, k if lengths == rising else r + k)
                for r, row in enumerate(stairs)
                for k, place in enumerate(row)
            },
        )
    steps = {b[1] - a[1] for row in rows for a, b in pairwise(row)}
    step, left = min(steps, default=0), rows[0][0][1]
    if (
        (is_bare and len(steps) == 1 and step > 2)
        and any(2 * (row[0][1] - left) % step for row in rows)
        and (centred := _centred(grid))
    ):
        yield lattice("square"), centred  # boxes in rows that do not quite stand under one another
    for basis in (grid.signs, holes):  # the places that show how far signs are apart, and whether the rows lean
        cells = _even(basis, grid.signs)
        stand = [cells[place] for place in basis]
        lean = not grid.lists and len({(r + x) % 2 for r, x in stand}) < len({x % 2 for _, x in stand})
        if lean:
            cells = {place: (r, (x + r) // 2) for place, (r, x) in cells.items()}
        places = {cells[place] for place in holes}
        if not lean and basis is grid.signs and not any((r, x + 1) in places for r, x in places):
            continue  # what is outside stands between the holes of each row
        top, margin = (min(cells[place][axis] for place in holes) for axis in (0, 1))
        yield (
            lattice("triangular" if lean else "square"),
            {place: (r - top, c - margin) for place, (r, c) in cells.items()},
        )


def _centred(grid: Grid) -> dict[Cell, Cell]:
    """Return the row and the column of each sign if the rows are centred; nothing if they cannot be."""
    width = max(map(len, grid.rows))
    if grid.lists or any((width - len(row)) % 2 for row in grid.rows):
        return {}
    return {place: (r, (width - len(row)) // 2 + k) for r, row in enumerate(grid.rows) for k, place in enumerate(row)}


def _board(grid: Grid, legend: Legend, name: str) -> tuple[Board, list[str]]:
    """Return the board of a drawing, and the meaning of the sign on each hole. Raises InputError if there is none."""
    holes = [place for place, sign in grid.signs.items() if legend[sign] != "outside"]
    refuse_if(not holes, "the drawing has no holes", line=1)
    refuse_if(len(holes) > MOST_HOLES, f"a board has at most {MOST_HOLES:,} holes, not {len(holes):,}", line=1)
    for on, cells in _layouts(grid, holes):
        places = prod(1 + max(cells[hole][axis] for hole in holes) for axis in (0, 1))
        refuse_if(places > MOST_PLACES, f"the drawing spans {places:,} places, more than {MOST_PLACES:,}", line=1)
        meanings = {cells[hole]: legend[grid.signs[hole]] for hole in holes}
        board = lattice_board(meanings, on, f"{name}'s board")
        if board.lines or len(holes) < 3:
            return board, [meanings[cell] for cell in board.cells or ()]
    uneven = next((q for (r, x), (q, y) in pairwise(holes) if r != q and (x + r - y - q) % 2), None)
    about = "" if uneven is None else "; this row does not stand to the one above as the others do"
    raise InputError(f"no three holes of the drawing are in a row{about}", line=(uneven or 0) + 1)


def _problem(grids: Sequence[Grid], legend: Legend, name: str, is_said: bool) -> Problem:
    """Return the problem of a drawing, or of a start and a goal, by a legend. Raises InputError."""
    board, marks = _board(grids[0], legend, name)
    start = _mask(marks, "peg", "peg" + _LAST)
    refuse_if((is_said and not start) or "free" in marks, "the drawing of a start has pegs, and no free holes", line=1)
    last = _mask(marks, "peg" + _LAST, "vacancy" + _LAST)
    goal: Goal = Exact(last) if last else OnePeg()
    if len(grids) > 1:
        other, marks = _board(grids[1], legend, name)
        refuse_if(other.cells != board.cells, "the drawings of the start and of the goal have different holes", line=1)
        pegs, vacancies = _mask(marks, "peg"), _mask(marks, "vacancy")
        refuse_if(
            pegs.bit_count() > start.bit_count(),
            "the second drawing, the goal, has more pegs than the first, the start: write the start first",
            line=1,
        )
        goal = fixed_goal(board, pegs, vacancies)
    is_upright = len({row[0][1] for row in grids[0].rows}) == 1
    notes = {
        _in_words({sign: legend[sign] for grid in grids for sign in grid.signs.values()}): is_said,
        "rows of a triangle": is_said and is_upright and board.lattice and board.lattice.staggered,
        "a start and a goal": len(grids) > 1,
        **{grid.note: True for grid in grids if grid.note},
    }
    return Problem(
        board,
        Position(board, start),
        goal,
        name=name,
        read_as="; ".join(note for note, is_true in notes.items() if is_true),
    )


def _mask(marks: Sequence[str], *meanings: str) -> int:
    """Return the holes (a bit mask) on which a sign with one of some meanings stands."""
    return sum(1 << hole for hole, mark in enumerate(marks) if mark in meanings)


def _gaps(grid: Grid) -> Iterator[tuple[Cell, Cell]]:
    """Yield the blanks among signs on all sides, each with the place before it."""
    signs = dict(zip(_even(grid.signs, grid.signs).values(), grid.signs, strict=True))
    for (r, x), place in signs.items():
        if (r, x + 1) not in signs and {*_beside((r, x + 1))} <= signs.keys():
            yield (r, x + 1), place


def _with_gaps(grid: Grid) -> Grid:
    """Return a drawing in which another sign stands for what is outside with boxes in its gaps."""
    is_dense = any((r, x + 1) in grid.signs for r, x in grid.signs)
    has_outside = any("o" in USES.get(sign, "") for sign in grid.signs.values())
    may_be = is_dense and has_outside and not grid.lists
    boxes = {(place[0], place[1] + 1): "□" for _, place in _gaps(grid)} if may_be else {}
    return replace(grid, signs=dict(sorted({**boxes, **grid.signs}.items()))) if boxes else grid


def _with_blanks(grid: Grid, boards: Callable[[], Sequence[Board]]) -> Grid:
    """Return a drawing of one sign with vacancies in the blanks among it. Raises InputError if no board that ships is
    so."""
    gaps = [*_gaps(grid)] if len({*grid.signs.values()}) == 1 else []
    if not gaps:
        return grid
    signs = dict(zip(_even(grid.signs, grid.signs).values(), grid.signs.values(), strict=True))
    line, column = gaps[0][1]
    all_signs = dict(sorted((signs | {gap: "o" if "X" in signs.values() else "□" for gap, _ in gaps}).items()))
    refuse_if(
        tuple(all_signs) not in {board.cells for board in boards()},
        "a blank is outside of the board; where it is a vacancy, type a sign there, such as -",
        line=line + 1,
        column=column + 2,
    )
    return Grid(all_signs, lists=True, pasted=True, note="blanks on it are vacancies")


def _makes_sense(problem: Problem, grid: Grid, legend: Legend) -> bool:
    """Tell whether all that is outside is connected with the border, not within a line."""
    cells = _even(grid.signs, grid.signs)
    drawn = {*cells.values()}
    places = (
        [] if problem.board.lattice and problem.board.lattice.staggered else grid.signs
    )  # signs between the holes of a row are outside, too
    outside = {cells[place] for place in places if legend[grid.signs[place]] == "outside"}
    border = {cell for cell in outside if not {*_beside(cell)} <= drawn}
    while border:
        outside -= border
        border = {beside for cell in border for beside in _beside(cell)} & outside
    row = [column for _, column in problem.board.cells or ()] if len(grid.rows) == 1 else []
    return not outside and row == [*range(len(row))]


def _beside(cell: Cell) -> list[Cell]:
    return [(cell[0] + down, cell[1] + right) for down, right in ((0, -1), (0, 1), (-1, 0), (1, 0))]


def _is_full(board: Board) -> bool:
    """Tell whether a board is a full rectangle or triangle."""
    rows, columns = _size(board.cells or [(0, 0)])
    return len(board.holes) == (rows * (rows + 1) // 2 if board.lattice and board.lattice.staggered else rows * columns)


def _refuse_two_in_one(legend: Legend, problem: Problem, boards: Sequence[Board]) -> None:
    """Refuse a full rectangle whose sign for a vacancy may also be what is outside of a well-known board."""
    both = [sign for sign, meaning in legend.items() if meaning == "vacancy" and "o" in USES.get(sign, "")]
    cells = problem.board.cells or ()
    if not both or "outside" in legend.values() or not _is_full(problem.board):
        return
    rows, columns = _size(cells)
    vacant = {cell for hole, cell in enumerate(cells) if not problem.start.mask >> hole & 1}
    inner = (board for board in boards if board.cells and _size(board.cells) == _size(cells) and not _is_full(board))
    names = [f"--board {board.name}" for board in inner if vacant.issuperset({*cells}.difference(board.cells or ()))]
    corners = [
        {(r, c) for r, c in cells if down * (2 * r - rows + 1) + right * (2 * c - rows + 1) > 0}
        for down, right in product((1, -1), repeat=2)
    ]
    if rows == columns > 3 and len(cells) == rows * columns and sum(map(vacant.issuperset, corners)) == 1:
        names.append("cut what is outside of a triangle")
    refuse_if(
        names,
        f'"{both[0]}" may be a vacancy everywhere, or outside of a board, too: '
        f"say --legend '{_legend_text(legend)}' or {' or '.join(names)}",
        line=1,
        column=1,
    )


def _refuse_stripped(grid: Grid, board: Board, boards: Callable[[], Sequence[Board]]) -> None:
    """Refuse a drawing that has no axis upright, and whose rows are as long as those of a well-known board."""
    cells, lengths = board.cells or (), _row_lengths(board)
    _, width = _size(cells or [(0, 0)])
    is_even = {*cells} == {(r, width - 1 - c) for r, c in cells} or len({*lengths}) == 1
    if is_even or (board.lattice and board.lattice.staggered) or cells in [other.cells for other in boards()]:
        return
    name = next((other.name for other in boards() if _row_lengths(other) == lengths), "")
    at_left = len({row[0][1] for row in grid.rows}) == 1
    turns = pairwise(b > a for a, b in pairwise(lengths) if a != b)
    refuse_if(
        at_left and sum(a != b for a, b in turns) > 2,
        "the rows begin at the left, and are longer and shorter by turns: write blanks before them",
        line=1,
        column=1,
    )
    refuse_if(
        name,
        f"the rows begin {'at the left' if at_left else 'elsewhere than those of a board that is as long'}: "
        f"say --board {name} if they are centred, or write blanks before them",
        line=1,
        column=1,
    )


def _row_lengths(board: Board) -> list[int]:
    return [*Counter(row for row, _ in board.cells or ()).values()]


def _refuse_slips(board: Board, boards: Sequence[Board]) -> None:
    """Refuse a board that no two mirrors leave as it is, and that is a well-known one but for one or two holes."""
    cells = {*(board.cells or ())}
    height, width = _size(cells)
    is_even = {(height - 1 - r, c) for r, c in cells} == cells == {(r, width - 1 - c) for r, c in cells}
    slips = {other.name: cells ^ {*(other.cells or ())} for other in boards if other.lattice == board.lattice}
    for name, holes in slips.items() if all(slips.values()) and not is_even else ():
        row = 1 + min(holes)[0]
        refuse_if(
            len(holes) < 3,
            f"this is board {name} but for {plural(len(holes), 'hole')}, from row {row} of the board on: "
            "mend it, or say by --legend that it is meant",
            line=row,
        )


def _legend_text(legend: Legend) -> str:
    return " ".join(f"{sign}={meaning}" for sign, meaning in legend.items())


def _in_words(legend: Legend) -> str:
    words = {"peg,last": "a peg where the last peg ends", "vacancy,last": "a vacancy where the last peg ends"}
    return ", ".join(
        f"{sign} {words.get(meaning, meaning)}"
        for sign, meaning in sorted(legend.items(), key=lambda item: MEANINGS.index(item[1].removesuffix(_LAST)))
    )
