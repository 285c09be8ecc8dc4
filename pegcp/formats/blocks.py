"""Find the drawings in a text: runs of lines that hold signs and no words, and what stands above each.

Marks of remarks, names and calls of programs, and rules are left out; two drawings may stand side by side.
"""

import re
from collections import Counter
from collections.abc import Iterator
from itertools import groupby, pairwise, product, takewhile, zip_longest
from typing import NamedTuple

from pegcp.formats.signs import USES, find_rules, is_word, without_labels

_REMARK = re.compile(r"[ \t]*(//|--|;+|%+|#|\\?\*|>)(?=[ \t]|$)")
_BEFORE = re.compile(  # the name, key or call before a row
    r"[^=\"'{}\n]{0,200}(?::=|=|<-)\s*(?:new\b[^\"'{]*)?(?=[\[({<\"'`])"
    r"|[ \t]*[\w.]+\((?:[\w.]+(?:\([\w.]*\))?,[ \t]*)+(?=[\[({\"'`])"
    r"|(?:[ \t{\[(]*[\"']?[A-Za-z][\w.]*[\"']?(?:[ \t]*:|\()[ \t]*(?=[\[({<\"'`|]))+"
)
_BREAK = re.compile(  # between two rows in a line, and before the name of another list
    r"(?<=[\])}])[ \t]*[,;]?[ \t]*(?=[\[({])|(?<=[^\s\"',]{2}[\"'])[ \t]*,[ \t]*(?=[\"'][^\s\"',]{2})"
    r"|(?<=\w);[ \t]+(?=-?\w+[ ,])|(?:(?<=[\])},])|(?<=\S;))[ \t]*[,;]?[ \t]*"
    r"(?=(?:[\w<>]+[ \t]+){0,4}[\"']?[A-Za-z]\w*[\"']?[ \t]*(?:\[\w*\])*[ \t]*[:=][ \t]*[\[({\"'])"
)
_BEHIND = re.compile(
    r"(?<=[\"'`\])}])\.\w+(?:\(.*|[ \t]*$)|\\n(?=[\"'])|(?<=[\"'])[ \t]*[+\\][ \t]*$|\\[ \t]*$"
    r"|(?<=\S)[ \t]*(?:#|//|--|%|;+)[ \t]+[^\W\d]{3,}.*$"
)
_TOKEN = re.compile(
    r"[A-Za-z](?=\w{0,20}[a-z])\w{1,40}(?:\.|::)[A-Z]\w*|[^\W\d_]\w*|-?\d+(?:\.0*)?(?![\w.])|\d|[^\s\w\[\]{}(),;\"'`<>|&\\$]|_"
)
_FENCE = re.compile(r"(?:#\||\|#|/\*+|\*+/|\A\(\*|\A\*\)|\{-|-\}|<!--|-->|[-=~]{1,9}>|[→⇒⟶➜])\Z|'{3}|\"{3}")
_INNER = re.compile(r"/\*(.*?)\*/", re.DOTALL)  # what a remark of C has inside
_ARROW = re.compile(r"[-=~]{1,9}>|[→⇒⟶➜]")
_GOAL = re.compile(
    r"goal|target|final|finish|\bend|_end\b|ziel|schluss|\bfin\b|objeti|\bmeta\b|\bwin|arriv|reached|solved|gelöst|résolu"
    r"|resuelt|resolvid|doel\b|eind|slut|koniec|конец|конечн|цель|目标|目標|结束|終",
    re.IGNORECASE,
)
_COUNT = re.compile(r"\s*[A-Za-z]\w*\s*[:=]\s*-?\d+\s*[,;]?\s*")
_CELL = re.compile(r"(?<=[|│║┃]) +(?=[|│║┃])")
_DRAWN = ("signs", "digits")
_JOINS = {*product(_DRAWN, ("words",)), ("signs", "digits")}  # lines that may belong together
_MOST_SIGNS = 5  # that stand more than once in a drawing


class Block(NamedTuple):
    """A drawing in a text: the number of its first line, whether it is named as a goal or in remarks, and its lines."""

    line: int
    is_goal: bool
    is_remark: bool
    text: str  # below as many empty lines as stand before it


def find_blocks(text: str) -> list[Block]:
    """Return the drawings of several rows in a text, from the top."""
    rules = find_rules(text.split("\n"))
    pieces = [
        (r, piece)
        for r, line in enumerate(text.split("\n"))
        if r not in rules
        for piece in _BREAK.sub("\n", line.expandtabs()).split("\n")
    ]
    lines = [piece for _, piece in pieces]
    remarks = [_REMARK.match(line) for line in lines]
    bodies = [(mark[1], mark.string[mark.end() :]) for mark in remarks if mark]
    bare_rows = "".join(body for _, body in bodies if _kind(body) != "words")
    times = Counter(mark for mark, _ in bodies)
    marks = {mark for mark, body in bodies if mark not in bare_rows and (times[mark] > 2 or _kind(body) == "words")}
    inner = [line.strip() for body in _INNER.findall(text) for line in body.split("\n")[1:-1]]
    marks |= {"//", ";", *(["*"] if inner and all(line.startswith("*") for line in inner) else [])}
    rows, titles, kinds = list[str](), list[str](), list[tuple[bool, str, int]]()
    number, name = 0, list[str]()
    for line, mark in zip(lines, remarks, strict=True):
        is_remark = mark is not None and mark[1] in marks
        bare = " " * mark.end() + line[mark.end() :] if mark and is_remark else line
        bare = "" if _FENCE.fullmatch(bare.strip()) else _FENCE.sub(lambda fence: " " * len(fence[0]), bare)
        before = _BEFORE.match(bare)
        titles.append(before[0] if before else "")
        names = re.findall(r"\w+", titles[-1])[-1:]
        number += bool(names) and names != name  # a name begins another drawing
        name = names or name
        rows.append(_BEHIND.sub("", " " * before.end() + bare[before.end() :] if before else bare))
        kinds.append((is_remark, _kind(_CELL.sub(" □", rows[-1])), number))
    for r, beside in [*pairwise(range(len(rows))), *pairwise(reversed(range(len(rows))))]:
        if (kinds[r][1], kinds[beside][1]) in _JOINS:
            row = _without_words(rows[beside]) if kinds[beside][1] == "words" else rows[beside]
            signs, others = _signs(row), _signs(rows[r])
            is_alike = len(signs) == len(others) > 2 or kinds[beside][1] == "digits"
            is_near = row.endswith("  ") and len(others) <= len(signs) + 1 > 1  # and apart from a word beside it
            if (is_alike and not {*signs}.isdisjoint(others)) or (is_near and {*signs} <= USES.keys()):
                rows[beside], kinds[beside] = row, kinds[r]
    keep = [r for r in range(len(rows)) if not _is_between(rows, kinds, r)]
    lines, rows, titles = ([texts[r] for r in keep] for texts in (lines, rows, titles))
    pieces, kinds = [pieces[r] for r in keep], [kinds[r] for r in keep]
    blocks, title = list[Block](), ""
    for (is_remark, kind, _), run in groupby(range(len(rows)), key=lambda r: kinds[r]):
        places = [*run]
        if kind in _DRAWN:
            first, drawn = pieces[places[0]][0], {sign for r in places for sign in _signs(rows[r])}
            around = [*range(places[0])[-2:], *range(len(rows))[places[-1] + 1 : places[-1] + 3]]
            lengths = [len(_signs(rows[r])) for r in places]
            has_top = lengths != [*range(2, len(places) + 2)] or len(places) < 3  # of a triangle
            lost = [
                r
                for r in around
                if kinds[r][1] == "words"
                and (_may_be_row(rows[r], drawn) or not (has_top or drawn.isdisjoint(_signs(_without_words(rows[r])))))
            ]
            blocks += [
                Block(first + 1, is_goal is not None, is_remark, "\n" * first + "\n".join(part))
                for above, part in _side_by_side(title, [rows[r] for r in places])
                for is_goal in [_GOAL.search(above + titles[places[0]])]
                if _is_drawing(part) and not lost
            ]
            title = ""
        elif kind != "blank":
            title += "\n".join([*(lines if kind == "words" else titles)[places[0] : places[-1] + 1], ""])
    return blocks


def _is_between(rows: list[str], kinds: list[tuple[bool, str, int]], r: int) -> bool:
    """Tell whether a line is a remark between two rows of the same drawing."""
    ends = (kinds[r - 1], kinds[min(r + 1, len(rows) - 1)])
    if kinds[r][1] != "words" or r == 0 or ends[0] != ends[1] or ends[0][1] not in _DRAWN:
        return False
    above = [*takewhile(lambda beside: kinds[beside] == ends[0], range(r - 1, -1, -1))][::-1]
    below = [*takewhile(lambda beside: kinds[beside] == ends[0], range(r + 1, len(rows)))]
    parts = [[len(_signs(rows[beside])) for beside in part] for part in (above, below)]
    lengths = [*parts[0], *parts[1]]
    is_whole = lengths == lengths[::-1] or {b - a for a, b in pairwise(lengths)} in ({1}, {-1})
    row_signs = {sign for beside in (*above, *below) for sign in _signs(rows[beside])}
    return (
        parts[0] != parts[1]
        and (is_whole or min(map(len, parts)) < 3 <= max(map(len, parts)))
        and not _may_be_row(rows[r], row_signs)
    )


def words_beside(text: str) -> str:
    """Return the lines of a text that hold words."""
    return "\n".join(line for line in text.split("\n") if _kind(line) == "words")


def _kind(row: str) -> str:
    """Return what a line holds."""
    tokens = _TOKEN.findall(row)
    if not tokens:
        return "brackets" if row.strip() else "blank"
    are_words = (
        _is_word(token) or (token.isdecimal() and len(token) > 1 and not {*token} <= {*"012"}) for token in tokens
    )
    if _COUNT.fullmatch(row) or any(are_words):
        return "words"
    return "digits" if all(token.lstrip("-")[:1].isdigit() for token in tokens) else "signs"


def _without_words(line: str) -> str:
    """Return what stands before the words of a line, or behind them: that with more signs."""
    words = [token for token in _TOKEN.finditer(line) if _is_word(token[0])]
    sides = (line[: words[0].start()], line[words[-1].end() :].rjust(len(line))) if words else [""]
    return max(sides, key=lambda side: len(_signs(side)))


def _may_be_row(line: str, drawn: set[str]) -> bool:
    """Tell whether a line with words beside a drawing may be a row of it: then the drawing is not found."""
    letters = "".join(line.split())
    # A slip within a row, or a word beside it.
    ends = [*letters] if letters == line.strip() else _signs(_without_words(line))
    if re.match(r"\s*\w+\s*=\s*[\w.]+\(", line):  # a statement of a program
        return False
    return len(ends) > 2 and 2 * sum(sign in drawn for sign in ends) >= len(ends)


def _signs(row: str) -> list[str]:
    """Return the signs of a row: words and numbers that are signs, and else characters."""
    return [sign for token in _TOKEN.findall(row) for sign in ([token] if token in USES else token)]


def _is_word(token: str) -> bool:
    """Tell whether letters are a word, no sign and no row of signs."""
    is_signs = ({*token} <= USES.keys() and len({*token}) < 4 and not is_word(token, ())) or 2 * len({*token}) < len(
        token
    )
    return token[0].isalpha() and len(token) > 1 and not (is_signs or re.split(r"\W+", token)[-1] in USES)


def _is_drawing(rows: list[str]) -> bool:
    """Tell whether lines without words are the rows of a drawing: some of several signs, and few signs."""
    bare = without_labels([*rows])
    signs = [_signs(_CELL.sub(" □", row)) for row in bare]
    numbers = [*map(int, re.findall(r"(?<!\d)\d{1,3}(?!\d)", " ".join(bare)))]
    if len(numbers) > 5 and numbers == [*range(numbers[0], numbers[0] + len(numbers))]:  # of the holes
        return False
    times = Counter(sign for row in signs for sign in row)
    return sum(len(row) > 1 for row in signs) > 1 and 0 < sum(n > 1 for n in times.values()) <= _MOST_SIGNS


def _side_by_side(title: str, rows: list[str]) -> Iterator[tuple[str, list[str]]]:
    """Yield the drawings of a run of lines with their titles: two, if there is one wide gap down between two."""
    bare = [_ARROW.sub(lambda arrow: " " * len(arrow[0]), row) for row in rows]
    columns = "".join("x" if "".join(column).strip() else " " for column in zip_longest(*bare, fillvalue=" "))
    gaps = sorted((len(gap[0]), gap.start()) for gap in re.finditer(r"(?<=x) +(?=x)", columns))
    if gaps and gaps[-1][0] > 2 + (gaps[-2][0] if len(gaps) > 1 else 0):
        cut = gaps[-1][1] + gaps[-1][0] // 2
        halves = [[row[:cut] for row in bare], [" " * cut + row[cut:] for row in bare]]
        if all(map(_is_drawing, halves)):
            yield title[:cut], halves[0]
            yield title[cut:], halves[1]
            return
    yield title, rows
