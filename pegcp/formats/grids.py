"""Find the grids of signs that any text draws: in strings, in lists, in lines.

No language is known. A text is cut in three ways into pieces that may be rows: its strings, its innermost lists, its
lines. Rows that follow one another are a run; the text between two rows tells whether another run begins.
The first runs that are drawings are taken, best those that are whole; lone rows only where there is no drawing.
"""

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from itertools import groupby, pairwise, zip_longest
from operator import itemgetter
from typing import NamedTuple

from pegcp.errors import InputError, plural, refuse_if
from pegcp.formats.facts import read_facts
from pegcp.formats.labels import find_rules, without_labels
from pegcp.formats.signs import USES, WORD, has_words, is_word, unify_spelling
from pegcp.game import Cell

_STRING = re.compile(r"\"\"\"([\s\S]*?)\"\"\"|'''([\s\S]*?)'''|\"([\s\S]*?)\"|`([^`]*)`|(?<![^\W\d_])'([^'\n]*)'")
_LIST = re.compile(r"[\[({]([^\[\](){}]*)[\])}]")
# An item of a list without commas; a word or a number that stands alone between strings or lists
_SPACED = re.compile(r"'[^']*'|\"[^\"]*\"|\S+")
_LOOSE = re.compile(r"(?<![\w=.<\"'!-])[^\s,;:()\[\]{}\"'+\\|!]+(?![\w.(=!])")
_INDEX = re.compile(r"[\w\]]\[.?$|\[[\w\[]$|\.\w+\(.?$")  # around an index, or a size in a type or of a method
_EMPTY_CELL = re.compile(r"(?<=[|│║┃]) +(?=[|│║┃])")
_STROKE = re.compile(r"[|`\u2500-\u257f]")
_ARROW = re.compile(r"[-=~]{1,9}>|[→⇒⟶➜]")
_COUNT = re.compile(r"\s*[A-Za-z]\w*\s*[:=]\s*-?\d+\s*[,;]?\s*")
_NO_ROW = re.compile(  # brackets, quotes, counts, marks around programs and remarks, numbers in a row
    r"[\[\](){}\"']"
    rf"|\A(?:{_COUNT.pattern}|#\||\|#|/\*+|\*+/|[-=~]{{1,9}}>|[→⇒⟶➜]|EOF|([=*~-])\1+ \d+ \1+|\$ [\w./~-]*[a-z].*)\Z"
    r"|(?<=\S[ ])\s*(?=\d*[3-9])\d{2,}(?=\s+\S)"
)
_REMARK = re.compile(r"[ \t]*(//|--|;+|%+|#|\*|>(?:[ \t]?>)*)(?=[ \t]|$)")
_INNER = re.compile(r"/\*((?:(?!/\*).)*?)\*/", re.DOTALL)  # what a remark of C has inside
_QUOTED_CELL = re.compile(r"\"([^\"\n]?)\"(?=[,;\t]|\s*$)")  # of a table
_BESIDE = re.compile(r"^[ \t]*[A-Za-z]\w*[ \t]*:?=[ \t](?=[ \t]*\D)|\+[-=]{3,}\+")  # what is no sign of a row
_NAME = r"(?<!\w)[^\W\d]\w*[\"'\])]*[ \t]*(?:\[[^\[\]]*\][ \t]*)*(?::(?!:)|:?=|<-)"  # a key, or what is assigned to
_AFTER = r"\b(?:after|apr[eè]s|nachher|danach|después|depois|dopo)\b|после"
_END = rf"\b(?:start|init|begin|goal|target|end|fin)[a-z]*\W|{_AFTER}|[-=~]{{1,9}}>|[→⇒⟶➜]"  # of a start or goal
_PARTS = {  # what stands before another drawing, by the first of these with which the drawings are whole
    "strings": (rf"[\])}}][^\[({{\])}}]*[\[({{]|{_NAME}", _NAME, _END),
    "lists": (rf"[\])}}][^\[({{\])}}]*[\[({{]|{_NAME}", _NAME, _END),
    "lines": (rf"\n|{_END}", rf"(?m:^[ \t]*\n)|{_END}"),
}
_GOAL = re.compile(
    r"goal|target|final|finish|\bend|_end\b|ziel|schluss|\bfin\b|objeti|\bmeta\b|\bwin|arriv|reached|solved|gelöst|résolu"
    rf"|{_AFTER}|resuelt|resolvid|doel\b|eind|slut|koniec|конец|конечн|цель|目标|目標|结束|終",
    re.IGNORECASE,
)
_SHAPE = re.compile(r"nrows?\s*=\s*(\d{1,9})|ncols?\s*=\s*(\d{1,9})|reshape\(\(?(\d{1,9})|array2d\(\d\.\.(\d{1,9})")
_MOST_SIGNS = 5  # that stand more than once in a drawing


@dataclass(frozen=True)
class Grid:
    """The signs of a drawing by row and place.

    ``lists``: they are items of lists, not characters; ``pasted``: signs of a program or a page around it are left out;
    ``note``: what is said of it; ``line``: where it begins, from 1; ``is_goal``: it is named as a goal.
    """

    signs: Mapping[Cell, str]
    lists: bool
    pasted: bool
    note: str = ""
    line: int = 1
    is_goal: bool = False

    @property
    def rows(self) -> list[list[Cell]]:
        """The places of the signs, row by row."""
        return [[*cells] for _, cells in groupby(self.signs, key=itemgetter(0))]


class Piece(NamedTuple):
    """A part of a text that may be a row."""

    line: int  # where it begins, from 0
    text: str
    before: str  # what stands between the piece before and this one, or beside it
    is_sure: bool = True  # no words stand beside it


Run = list[Piece]
Lines = Sequence[str | None]


def find_grids(text: str, legend: Collection[str] = ()) -> list[Grid]:
    """Return the drawings of a text, or else its lone rows; ``legend``: signs with a meaning. Raises InputError."""
    if facts := read_facts(text, legend):
        return [Grid(facts, lists=True, pasted=True, note="each sign by row and column")]
    grids = find_drawings(text, legend) or find_drawings(text, legend, lone=True)
    refuse_if(not grids, "no peg numbers, and no drawing", line=1, column=1)
    return grids


def find_drawings(text: str, legend: Collection[str] = (), *, lone: bool = False) -> list[Grid]:
    """Return the drawings of several rows in a text, from the top; or its ``lone`` rows. Raises InputError."""
    known = USES.keys() | {*legend}
    for lines in _code_and_remarks(unify_spelling(text).split("\n")):  # code in remarks is no longer used
        cuts = {
            "strings": _cut(_STRING, _rows_of_string, lines, known),
            "lists": _cut(_LIST, _rows_of_list, lines, known),
            "lines": _cut_lines(lines, known),
        }
        for kind, pieces in cuts.items():
            if runs := _find_runs([*pieces], kind, lone=lone):
                return [grid for run in runs for grid in _grids(run, kind, known, text)]
    return []


def words_beside(text: str) -> str:
    """Return the lines of a text that hold words."""
    return "\n".join(line for line in text.split("\n") if has_words(line) or _COUNT.fullmatch(line))


def _code_and_remarks(lines: list[str]) -> list[list[str | None]]:
    """Return the lines without remarks (None in their places), and the remarks without their marks."""
    marks = [_REMARK.match(line) for line in lines]
    bodies = [(mark[1].strip(), mark.string[mark.end() :]) for mark in marks if mark]
    times = Counter(mark for mark, _ in bodies)
    in_rows = "".join(body for _, body in bodies if not has_words(body))
    inner = [line.strip() for body in _INNER.findall("\n".join(lines)) for line in body.split("\n")[1:-1]]
    choice = {mark for mark, body in bodies if mark not in in_rows and (times[mark] > 2 or has_words(body))}
    choice |= {"//", ";", *(["*"] if inner and all(line.startswith("*") for line in inner) else [])}
    remarks = [mark is not None and mark[1].strip() in choice for mark in marks]  # which part no rows
    bare = [" " * mark.end() + line[mark.end() :] if mark else line for line, mark in zip(lines, marks, strict=True)]
    code = [None if is_remark else line for line, is_remark in zip(lines, remarks, strict=True)]
    return [code, [line if is_remark else "" for line, is_remark in zip(bare, remarks, strict=True)]]


def _cut(
    pattern: re.Pattern[str],
    rows_of: Callable[[re.Match[str], AbstractSet[str]], list[str]],
    lines: Lines,
    known: AbstractSet[str],
) -> Iterator[Piece]:
    """Yield the rows of strings or lists; what has none is left in front of the next."""
    text, before, line, begin, end = "\n".join(line or "" for line in lines), "", 0, 0, 0
    for group in pattern.finditer(text):
        before += text[end : group.start()]
        line += text.count("\n", begin, group.start())
        begin, end = group.span()
        rows = rows_of(group, known)
        for row in rows:
            yield Piece(line, row, before)
            before = ""
        before += "" if rows else group[0]
    yield Piece(len(lines), "", before + text[end:])


def _rows_of_string(string: re.Match[str], known: AbstractSet[str]) -> list[str]:
    """Return the rows of a string, with nothing in the place of a line that is none; nothing at all for words."""
    content = re.sub(r"\A\(\n?|\n?\)\Z", "", next(filter(None, string.groups()), ""))
    rows = [
        row if is_short and signs and not has_words(row, known) and (row not in known or len(row) == 1) else ""
        for row in re.split(r"\n|\\n", content)
        for signs in [{*row} - {*" ,;:"}]
        if row.strip()
        for is_short in [signs <= known or 1 < len({*row}) < 5]
    ]
    return rows if any(rows) else []


def _rows_of_list(group: re.Match[str], known: AbstractSet[str]) -> list[str]:
    """Return a list of signs, with & between its items; of a list with ends of rows these; nothing for other things."""
    rows = [_items(row) for row in re.split(r"[;|\n]", group[1]) if row.strip(" \t,")]
    lengths = [*map(len, rows)]
    is_rectangle = len({*lengths}) == 1 and lengths[0] > 1
    if len(rows) < 2 or not (is_rectangle or lengths == [*range(1, len(rows) + 1)]):
        rows = [_items(group[1])]
    items = [item for row in rows for item in row]
    around = group.string[max(0, group.start() - 30) : group.start() + 1] + group.string[group.end() :][:1]
    is_index = len(items) < 3 and (_INDEX.search(around) or not known & {*items})
    if not is_index and all(len(item) > 1 and item not in known and {*item} <= known for item in items):
        return items  # words of bits
    is_row = any(items) and all(len(item) < 2 or item in known for item in items)
    return [] if is_index or not is_row else ["&".join(row) for row in rows]


def _cut_lines(lines: Lines, known: AbstractSet[str]) -> Iterator[Piece]:
    """Yield the lines that are rows, without words beside them; other lines are left in front of the next."""
    rules, before = find_rules([line or "" for line in lines]), ""
    for r, line in enumerate(lines):
        if line is None or r in rules:
            continue
        bare = _BESIDE.sub(lambda part: " " * len(part[0]), _QUOTED_CELL.sub(r"\1", line)).rstrip(";, ")
        words = [word for word in WORD.finditer(bare) if is_word(word[0], known)]
        if words:
            end = max(bare.find(mark, words[-1].end()) for mark in ":=") + 1 or words[-1].end()
            sides = (bare[: words[0].start()].rstrip("[({<"), re.sub(r"\A[])}>]+", "", bare[end:]).rjust(len(bare)))
            is_title = sides[0].strip() == sides[1].strip() != ""
            bare = (
                "" if is_title else max(sides, key=lambda side: ({*side.strip()} <= {*known, " "}, len(side.strip())))
            )
        row = _STROKE.sub(" ", bare).strip()
        is_count = words and row.isdecimal() and len(row) < 3 and not re.search(r"\d\W*[:.)]", line)
        is_strange = words and not {*row} <= {*known, " ", *"123456789.:|)"}
        if not row or _NO_ROW.search(row) or is_count or is_strange:
            before += f"{line}\n"
        else:
            yield Piece(r, bare, before + (line if words else ""), not words)
            before = ""
    yield Piece(len(lines), "", before)


def _find_runs(pieces: Run, kind: str, *, lone: bool) -> list[Run]:
    """Return the runs of rows that are drawings, or else the ``lone`` rows; nothing if there are none."""
    rows = pieces[:-1]
    sure = [piece if piece.is_sure else piece._replace(text="") for piece in rows]
    ways = [_runs(some, part) for some in (rows, sure) for part in _PARTS[kind]]
    drawings = [[*map(_without_odd_ends, filter(_is_drawing, runs))] for runs in ways]
    half = len(ways) // 2
    whole = (runs for runs in drawings if runs and all(map(_is_whole, runs)))
    choice = next(whole, next(filter(None, [*drawings[half:], *drawings]), []))
    if kind == "lines" and choice:
        _refuse_lost_rows([piece for run in choice for piece in run], pieces)
    for run in (choice or ways[half - 1]) if kind != "lines" else ():
        if any(len(_signs(piece.text)) > 2 for piece in run):
            _refuse_rest(run, pieces, kind)
    if choice or not lone:
        return choice
    runs = [
        run
        for run in ways[0 if kind == "lines" else half - 1]
        if kind == "lines" or len(_signs("".join(piece.text for piece in run))) > 2
    ]
    return runs if len(runs) < 3 else [rows]


def _without_odd_ends(run: Run) -> Run:
    """Return a run without its first or last row if that stands beside words, and the others are whole."""
    ends = [
        (0, 0),
        *((a, b) for a, b in ((1, 0), (0, 1), (1, 1)) if not ((a and run[0].is_sure) or (b and run[-1].is_sure))),
    ]
    return next((part for a, b in ends if _is_whole(part := run[a : len(run) - b])), run)


def _runs(pieces: Run, part: str) -> list[Run]:
    """Return the pieces that follow one another without such a part of the text between them."""
    runs = [Run()]
    for piece in pieces:
        if not piece.text or re.search(part, piece.before, re.IGNORECASE):
            runs.append([])
        if piece.text:
            runs[-1].append(piece)
    return [run for run in runs if run]


def _refuse_rest(run: Run, pieces: Run, kind: str) -> None:
    """Refuse strings or lists if other signs stand between or beside them that are no numbers of the rows."""
    first = next(i for i, piece in enumerate(pieces) if piece.line == run[0].line and piece.text == run[0].text)
    *between, behind = [piece.before for piece in pieces[first + 1 : first + len(run) + 1]]
    gaps = [re.split(r"[\[({=;]", run[0].before)[-1] * (len(run) > 1), *between, re.split(r"[\])};=]", behind)[0]]
    signs = {*"".join(piece.text for piece in run), *("XxOo*@●○" if kind == "strings" else "01")} - {*"&, "}
    tokens = [token for gap in gaps for token in _LOOSE.findall(gap)]
    rest = [token for token in tokens if {*token} <= signs and token.strip("._-+") and len(token) > (kind == "strings")]
    labels = [int(token[:9]) for token in tokens if token.isdecimal()]
    is_count = {*map(str, labels)} >= {*rest} and {b - a for a, b in pairwise(labels)} == {1}
    refuse_if(
        rest and not is_count,
        f"cannot read what stands outside of the {'quotes' if kind == 'strings' else 'lists'}: "
        f"{rest[0] if rest else ''}; write all rows alike",
        line=1,
    )


def _refuse_lost_rows(rows: Run, pieces: Run) -> None:
    """Refuse drawings in lines if another line near them may be a row, too."""
    lines, signs = {piece.line for piece in rows}, {sign for piece in rows for sign in _signs(piece.text)}
    some = re.compile(rf"(?<!\S)(?:[{re.escape(''.join(signs))}] ?){{3,}}(?!\w)")
    for above, piece in pairwise([Piece(-1, "", ""), *pieces]):
        is_near = piece.line not in lines and not lines.isdisjoint(range(piece.line - 2, piece.line + 3))
        is_row = is_near and len(_signs(piece.text)) > 2 and signs.issuperset(_signs(piece.text))
        words = piece.before.split("\n")
        beside = [*(words[:2] if above.line in lines else []), *(words[-3:] if piece.line in lines else [])]
        parts = [part for line in beside for part in some.findall(line) if piece.is_sure and len({*part} - {" "}) > 1]
        refuse_if(
            is_row or parts,
            f"{parts[0] if parts else 'this line'} may be a row of the drawing: "
            "give it a line of its own among the rows, or cut it",
            line=piece.line + 1,
        )


def _signs(row: str) -> list[str]:
    """Return the signs of a row: words and numbers that are signs, and else characters."""
    parts = re.findall(r"[^\W\d_]+|-\d+|[^\s,;&|│┃║\"'`]", row)
    return [sign for part in parts for sign in ([part] if part in USES else part)]


def _is_whole(run: Run) -> bool:
    """Tell whether the rows of a drawing are as long from the top as from below, or each longer by one."""
    lengths = [len(_signs(line)) for line in without_labels([piece.text for piece in run]) if line.strip()]
    return lengths == lengths[::-1] or lengths in ([*range(1, len(lengths) + 1)], [*range(len(lengths), 0, -1)])


def _is_drawing(run: Run) -> bool:
    """Tell whether rows are those of a drawing: some of several signs, and few signs."""
    bare = without_labels([piece.text for piece in run])
    signs = [_signs(_EMPTY_CELL.sub(" □", line)) for line in bare]
    numbers = [*map(int, re.findall(r"(?<!\d)\d{1,3}(?!\d)", " ".join(bare)))]
    if len(numbers) > 5 and numbers == [*range(numbers[0], numbers[0] + len(numbers))]:  # of the holes
        return False
    times = Counter(sign for row in signs for sign in row)
    return sum(len(row) > 1 for row in signs) > 1 and 0 < sum(n > 1 for n in times.values()) <= _MOST_SIGNS


def _grids(run: Run, kind: str, known: AbstractSet[str], text: str) -> Iterator[Grid]:
    """Yield the grid of a run; two, if two drawings stand side by side."""
    lines = [piece.text for piece in run]
    is_prose = has_words(text, known)
    has_rest = not is_prose and len("".join(text.split())) != len("".join("".join(lines).split()))
    title = run[0].before
    for above, part in _side_by_side(title, lines) if kind == "lines" else [(title, lines)]:
        rows = _rows_of_lists(part, text, known) if kind == "lists" else _rows_of_table(part, known)
        picture = rows or without_labels([_STROKE.sub(" ", line.expandtabs()) for line in _rows_in_line(part, known)])
        signs = {
            (r, x): sign for r, row in enumerate(picture, run[0].line) for x, sign in enumerate(row) if sign.strip()
        }
        cells = [_EMPTY_CELL.sub(lambda empty: "□".center(len(empty[0])), line) for line in part]
        if len({*signs.values()}) == 1 and cells != part:
            boxes = [piece._replace(text=line) for piece, line in zip(run, cells, strict=True)]
            yield from _grids(boxes, kind, known, text)
            continue
        yield Grid(
            signs,
            lists=bool(rows),
            pasted=bool(rows)
            or kind != "lines"
            or has_rest
            or len(picture) > len(part)
            or _STROKE.search("".join(part)) is not None,
            note="words beside it are left out" if is_prose else "",
            line=run[0].line + 1,
            is_goal=_GOAL.search(above) is not None,
        )


def _item(text: str) -> str:
    """Return an item without its quotes, the name of its type, and the zeros of a float."""
    text = re.sub(r"^(?:\d+\s*:\s*|b(?=['\"])|[A-Za-z]\w*(?:::|\.)(?=[A-Z])|[.:](?=\w))", "", text.strip(" \t\n|"))
    return re.sub(r"^(-?\d)\.0*$", r"\1", text.strip(" \"'"))


def _items(row: str, table: str = "") -> list[str]:
    """Return the items of a list, or of a row of a table, which are parted by the same signs in each of its rows."""
    row = row if table else row.strip(" \t\n,;|")
    sign = next((sign for sign in "&,;\t" if sign in (table or row)), None)
    items = [_item(item) for item in (row.split(sign) if sign else _SPACED.findall(row))]
    return items[1:] if not sign and len(items) > 1 and is_word(items[0]) else items


def _rows_of_lists(lists: list[str], text: str, known: AbstractSet[str]) -> list[list[str]]:
    """Return the items of lists. Raises InputError if one has an item too few."""
    rows = [row.split("&") for row in lists]
    if all(len(row) == 1 and len(row[0]) > 1 and row[0] not in known for row in rows):
        return [[*row[0]] for row in rows]  # words of bits
    shape = _SHAPE.search(text)
    if len(rows) == 1 and shape:
        (items,), number = rows, next(int(size) for size in shape.groups() if size)
        refuse_if(
            not number or len(items) % number,
            f"{plural(len(items), 'item')} cannot be parted into {number} rows or columns",
            line=1,
        )
        width = number if shape[2] else len(items) // number
        return [items[i : i + width] for i in range(0, len(items), width)]
    if len(rows) == 1:
        return rows
    refuse_if(
        len(rows) == 2
        and re.fullmatch(r"\d{1,9},\d{1,9}", ",".join(rows[1]))
        and len(rows[0]) == int(rows[1][0]) * int(rows[1][1]),
        "a list with its shape may go by rows or by columns: write it row by row",
        line=1,
        column=1,
    )
    lengths = [*map(len, rows)]
    half = lengths[: (len(lengths) + 1) // 2]
    if (lengths != lengths[::-1] or half != sorted(half)) and {b - a for a, b in pairwise(lengths)} not in ({1}, {-1}):
        odd = min(lengths, key=lengths.count)
        raise InputError(
            f"row {lengths.index(odd) + 1} has {plural(odd, 'item')}, and others have more or less", line=1
        )
    return rows


def _rows_of_table(lines: list[str], known: AbstractSet[str]) -> list[list[str]]:
    """Return the items of rows that are parted by commas, tabulators and the like, or are words; else nothing."""
    cells = [line.strip() for line in lines]
    ends, strokes = {line[:: len(line) - 1] for line in cells if len(line) > 1}, {line.count("|") for line in cells}
    if ends == {"||"} and len(strokes) == 1:
        lines = [line[1:-1].replace("|", "&") for line in cells]
    text = "\n".join(lines)
    words = text.split()
    is_parted = re.search(r"[,;&].*\S|\S\t|(?<!\S)(?:-1|NA|NaN)(?!\S)", text)
    if (
        not (is_parted or ({*words} <= known and any(len(word) > 1 for word in words)))
        or (len(lines) == 1 and ";" in text)
        or ({*known} - USES.keys()) & {*",;&"}
    ):
        return []
    rows = [_items(line, text) for line in without_labels([*lines])]
    rows = [row for row in rows if row]
    has_head = len(rows) > 1 and known.isdisjoint(rows[0]) and all({*row} <= {*known, ""} for row in rows[1:])
    return rows[has_head:]


def _rows_in_line(lines: list[str], known: AbstractSet[str]) -> list[str]:
    """Return the rows that stand in a single line, between strokes or blanks, perhaps with runs as in ``3Xo3X``."""
    if len(lines) > 1:
        return lines
    line = lines[0].strip()
    by_strokes = next((parts for sign in "/|$!;" if len(parts := line.split(sign)) > 2), [])
    words = [*filter(None, map(str.strip, by_strokes))] or line.split(" ")
    lengths = [*map(len, words)]
    if len(words) < 3 or not {*"".join(words)} <= {*known, *"456789", " "}:
        return lines
    for run in (r"(?<!\d)([2-9]|1\d)([XxOo.*#-])", r"([1-9])()"):
        longer = [re.sub(run, lambda part: (part[2] or " ") * int(part[1]), word) for word in words]
        if len({*map(len, longer)}) == 1 < len({*lengths}) and lengths != [*range(1, len(words) + 1)]:
            return longer
    if min(lengths) > 1 or lengths == [*range(1, len(words) + 1)]:
        return [word.center(max(lengths)) for word in words]
    return lines


def _side_by_side(title: str, rows: list[str]) -> Iterator[tuple[str, list[str]]]:
    """Yield the drawings of a run of lines with their titles: two, if there is an arrow or one wide gap between two."""
    bare = [_ARROW.sub(lambda arrow: " " * len(arrow[0]), row) for row in rows]
    columns = "".join("x" if "".join(column).strip() else " " for column in zip_longest(*bare, fillvalue=" "))
    gaps = sorted((len(gap[0]), gap.start()) for gap in re.finditer(r"(?<=x) +(?=x)", columns))
    if gaps and gaps[-1][0] > 2 + (gaps[-2][0] if len(gaps) > 1 else 0):
        cut = gaps[-1][1] + gaps[-1][0] // 2
        halves = [[row[:cut] for row in bare], [" " * cut + row[cut:] for row in bare]]
        if bare != rows or all(_is_drawing([Piece(0, row, "") for row in half]) for half in halves):
            yield "\n".join(line[:cut] for line in title.split("\n")), halves[0]
            yield "\n".join(line[cut:] for line in title.split("\n")), halves[1]
            return
    yield title, rows
