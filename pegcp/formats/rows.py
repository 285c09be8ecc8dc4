"""Read jumps from parts of a text that are alike, such as the rows of a table, lists and calls.

What stands in a column the board tells: columns are taken for the holes of a jump, or for a hole and a way, with which
each row is a jump of the board. What is left must be words, count on, or be the same in all rows.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import chain, pairwise, permutations, product

from pegcp.formats.namings import Naming, Word, offset_namings
from pegcp.formats.passages import REMARK, is_open, says_much
from pegcp.formats.prose import WAYS
from pegcp.game import Board, Jump, Problem
from pegcp.game.notation import leads

_UNITS = (  # lines, all, lists without lists inside, what stands between commas, and jumps over holes to nowhere
    re.compile(r"[^\n]+"),
    re.compile(r".+", re.DOTALL),
    re.compile(r"[\[({][^][(){}\n]*[])}]"),
    re.compile(r"\((?:[^()]|\([^()]{0,99}\)){1,200}\)"),
    re.compile(r"(?:(?!\. )[^\n,;]){0,40}?(?:\d|\b[A-Za-z]\b)(?:(?!\. )[^\n,;\d]){1,40}(?:\d|\b[A-Za-z]\b)[^\n,;]*"),
    re.compile(r"\b[A-Za-z]?\d{1,2}\s(?:over|über|sobre|sopra|saute|через)\s[A-Za-z]?\d{1,2}\b(?!\s(?:in|on)?to\b)"),
)
_WORD = re.compile(r"\d+\.\d+|(?<![\w)\]}])[-−]\d+|\d+|[^\W\d_]{2,}(?:[-_][^\W\d_]{2,})+|[^\W\d_]+|[↑↓←⇨↖↗↘↙]")
_ROLES = ((0, 1, 2), (0, 2), (0, 1), (2, 1))  # which holes of a jump are written: from 0, over 1 and to 2
_MOST_COLUMNS = 12
_FEW_ROWS = 8  # of which the numbers in a column may count by chance
_MOST_WAYS = 6

Row = Sequence[tuple[Word, int]]  # each word with its place in the text
Holes = tuple[set[int], list[int]]  # the columns of a table that are holes, and these


def read_rows(
    problem: Problem, text: str, namings: Sequence[Naming] | None, *, is_odd: bool = False
) -> Iterator[tuple[list[Jump], list[int], str]]:
    """Yield the jumps that rows of a text are, their places, and how the holes are named, in words.

    Without ``namings`` all are tried that fit the numbers. In odd rows the end of a jump stands before its start, or a
    way or a step is said.
    """
    for rows, places in _find_tables(text).items():
        columns = [*zip(*rows, strict=True)]
        needs = {number for number, column in enumerate(columns) if not _is_spare(column)}
        numbers = [word for row in rows for n, word in enumerate(row) if n in needs and isinstance(word, int)]
        for naming in offset_namings(problem.board, numbers) if namings is None else namings:
            names = [[row[at : at + naming.size] for row in rows] for at in range(len(columns) - naming.size + 1)]
            holes = [
                ({*range(at, at + naming.size)}, [naming.holes[name] for name in column])
                for at, column in enumerate(names)
                if naming.holes.keys() >= {*column}
            ]
            for jumps in (
                *_read_holes(problem.board, holes, needs, is_odd),
                *(_read_ways(problem, holes, rows, needs) if is_odd else ()),
            ):
                yield jumps, places, naming.words


def _read_holes(board: Board, holes: Sequence[Holes], needed: set[int], is_odd: bool) -> Iterator[list[Jump]]:
    """Yield the jumps whose holes are in columns: all three of them, or else two."""
    for group in chain(permutations(holes, 3), permutations(holes, 2)):
        starts, own_columns = [min(columns) for columns, _ in group], {*chain(*(columns for columns, _ in group))}
        is_straight = starts == sorted(starts)
        for roles in _ROLES if own_columns >= needed and len(own_columns) == len(group) * len(group[0][0]) else ():
            if len(roles) == len(group) and is_odd == (roles == _ROLES[-1] or not is_straight):
                keys = zip(*(column for _, column in group), strict=True)
                jumps = [_jumps_by(board, roles).get(key) for key in keys]
                if all(jumps):
                    yield [jump for jump in jumps if jump]


def _read_ways(
    problem: Problem, holes: Sequence[Holes], rows: Sequence[tuple[Word, ...]], needed: set[int]
) -> Iterator[list[Jump]]:
    """Yield the jumps whose starts are in one column, and whose ways are in another, or are steps in two."""
    for (own_columns, starts), at, width in product(holes, range(len(rows[0])), (1, 2)):
        columns = {*range(at, at + width)}
        signs = [row[at : at + width] for row in rows]
        are_ways = len({*signs}) <= min(_MOST_WAYS, len(rows) / 2) or _are_ways(signs)
        if are_ways and not columns & own_columns and {*columns, *own_columns} >= needed:
            yield from _play_ways(problem, [*zip(starts, signs, strict=True)])


def _play_ways(problem: Problem, steps: Sequence[tuple[int, tuple[Word, ...]]]) -> Iterator[list[Jump]]:
    """Yield the jumps from holes in ways that words or other signs say, so that all can be made: signs that are no
    words for ways are each the same way wherever they stand."""
    cells, are_words = problem.board.cells or (), _are_ways(sign for _, sign in steps)
    games = [(problem.start.mask, dict[tuple[Word, ...], tuple[int, int]](), list[Jump]())]
    while games and cells:
        position, ways, jumps = games.pop()
        if len(jumps) == len(steps):
            yield jumps
            continue
        start, sign = steps[len(jumps)]
        way_of_word = WAYS[str(sign[0]).lower()] if are_words else None
        for jump in problem.board.jumps_from[start]:
            way = cells[jump.to][0] - cells[start][0], cells[jump.to][1] - cells[start][1]
            fits = leads(problem.board, jump, way_of_word) if way_of_word else ways.get(sign, way) == way
            if jump.is_legal(position) and fits and (way_of_word or sign in ways or way not in ways.values()):
                games.append((position ^ jump.mask, ways | {sign: way}, [*jumps, jump]))


def _are_ways(signs: Iterable[tuple[Word, ...]]) -> bool:
    """Tell whether all signs are words for ways."""
    return all(str(sign[0]).lower() in WAYS for sign in signs)


@lru_cache(maxsize=16)
def _jumps_by(board: Board, roles: tuple[int, ...]) -> dict[tuple[int, ...], Jump]:
    """Return the jumps of a board by some of their holes, where no other jump has the same."""
    times = Counter(tuple(jump[role] for role in roles) for jump in board.jumps)
    keys = ((tuple(jump[role] for role in roles), jump) for jump in board.jumps)
    return {key: jump for key, jump in keys if times[key] == 1}


def _find_tables(text: str) -> dict[tuple[tuple[Word, ...], ...], list[int]]:
    """Return the words of tables in a text, and the places of their rows."""
    tables: dict[tuple[tuple[Word, ...], ...], list[int]] = {}
    for rows in filter(None, (_find_alike(text, unit) for unit in _UNITS)):
        is_even = len({*map(len, rows)}) == 1
        choices: list[Sequence[Row]] = [rows, [*zip(*rows, strict=True)]] if is_even else []
        for signs in (
            [*chain(*rows)],
            [item for item in chain(*rows) if isinstance(item[0], int)],
            [item for item in chain(*rows) if isinstance(item[0], int) or item[0].lower() in WAYS],
            [
                (letter, at)
                for word, at in chain(*rows)
                if len(str(word)) < 3
                for letter in ([word] if isinstance(word, int) else word)
            ],
        ):
            widths = [width for width in range(1, _MOST_COLUMNS) if signs and len(signs) % width == 0]
            choices += [[signs[at : at + width] for at in range(0, len(signs), width)] for width in widths]
        for table in choices:
            for ordered in _in_order(table) if len(table) > 1 and len(table[0]) <= _MOST_COLUMNS else ():
                key = tuple(tuple(word for word, _ in row) for row in ordered)
                tables.setdefault(key, [row[0][1] for row in ordered])
    return tables


def _find_alike(text: str, unit: re.Pattern[str]) -> list[Row]:
    """Return the words of those units of a text, its lines or lists, that have a form that many have, whatever numbers
    and words are in them; nothing if there are none, or if a jump may be left out."""
    bare = "" if is_open(text) else REMARK.sub(lambda remark: " " * len(remark[0]), text)
    units = [*unit.finditer(bare)]
    times = Counter(form for form in map(_form_of, (match[0] for match in units)) if "0" in form)
    many = max(max(times.values(), default=0) / 2, times.total() > 1)  # a unit alone may have all jumps
    rows = [match for match in units if times[_form_of(match[0])] > many]
    parts = Counter(map(_form_of, re.split("[,;\n]", bare)))
    for before, after in pairwise(rows):
        for part in re.split("[,;\n]", bare[before.end() : after.start()]):
            if parts[_form_of(part)] == 1 and re.search(r"\d", part) and not says_much(part, 0):  # a jump with a slip?
                return []
    return [_split(match[0], match.start()) for match in rows]


def _form_of(text: str) -> str:
    """Return a text with one sign for all that may be holes or ways, and one for all other words."""
    return _WORD.sub(
        lambda word: "0" if word[0][-1].isdecimal() or len(word[0]) < 3 or word[0].lower() in WAYS else "a",
        " ".join(text.split()),
    )


def _split(text: str, at: int = 0) -> Row:
    """Return the numbers and words of a part of a text, with their places."""
    words = ((word[0].replace("−", "-"), at + word.start()) for word in _WORD.finditer(text))
    return [(int(word[:9]) if word[-1].isdecimal() and "." not in word else word, place) for word, place in words]


def _in_order(table: Sequence[Row]) -> Iterator[Sequence[Row]]:
    """Yield a table by the numbers that count its rows, where these stand in another order, or else as it is."""
    columns = [[word for word, _ in column] for column in zip(*table, strict=True)]
    counters = [column for column in columns if _counts(column) and min(column) in (0, 1)]
    is_shuffled = counters and not any(column == sorted(column) for column in counters)
    if is_shuffled:
        yield [table[number] for number in sorted(range(len(table)), key=counters[0].__getitem__)]
    if not is_shuffled or len(table) < _FEW_ROWS:
        yield table


def _counts(column: Sequence[Word]) -> bool:
    """Tell whether a column has numbers that count, in any order."""
    numbers = [word for word in column if isinstance(word, int)]
    return len(numbers) == len(column) and {*numbers} == {*range(min(numbers), min(numbers) + len(numbers))}


def _is_spare(column: Sequence[Word]) -> bool:
    """Tell whether a column may say nothing: its numbers count, or are the same, or it has words."""
    counts = _counts(column) and (len(column) >= _FEW_ROWS or min(column) in (0, 1))
    return counts or len({*column}) == 1 or all(isinstance(word, str) and len(word) > 1 for word in column)
