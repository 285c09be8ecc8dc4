"""Texts of solutions in forms that are easier to read: their jumps in usual signs, without what stands between them."""

import json
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import partial
from html import unescape
from operator import itemgetter

from pegcp.errors import refuse_if, suggestion

_INSTEAD = (  # how jumps are written elsewhere, and what is read there
    (r"\bpos-(\d+)-(\d+)|\b[Rr](\d+)[CcPp](\d+)", r"\1\3 \2\4"),  # places of planners, cells of a spreadsheet
    (r"\x1b\[[\d;]*m", ""),  # colours of a terminal
    (r"\b\w{1,30}\s{0,9}=\s{0,9}\[\|", "|"),  # the first row of a matrix in MiniZinc
    (r"<-\s{0,9}c\(([^()]*)\)", r"= [\1]"),  # a vector in R
    (r"https?://[^\s=]{0,99}=", " "),
    (r"\bto\s(\w{1,4})\sfrom\s(\w{1,4})", r"from \2 to \1"),
    (r"\"\w+\"\s*:\s*(?=\[\s*[\[{])", ""),  # a key of JSON
    (r"\b(\w{1,9})\s{0,9}<[-=]{1,9}\s{0,9}(\w{1,9})", r"\2-\1"),
    (r"→(?=\s*(?:\n|\Z|[,;)\]]))", "⇨"),  # a way, and not to another hole
    (r"\b(?:p|pegs?|holes?|pos|cell|loc)[-_]?(?=\d{1,2}\b)", " "),
    (r"\b([A-Za-z])_\{?(\d{1,2})\}?", r"\1\2"),  # a name as LaTeX sets it
    (r"\bP(?=[a-z]\d)|_(?=\d)", " "),  # a pawn, and what parts the numbers of a name
    (r"<(\d[^<>]{0,30})>", r"t(\1)"),  # a tuple
    (r"\(?\b(\d+)\+(\d+)j\)?", r"(\1,\2)"),  # a complex number
    (r"(?<![\d+])\b(\d+)j\b", r"(0,\1)"),
    (r"(?<=[A-Za-z]\d)(?:[/+_]|\.\.)(?=[A-Za-z]\d)", "-"),
    (r"\n[ \t]*(?=(?:over|to):)", " "),  # keys of YAML
    (r"<\w{1,30}((?:\s{1,9}\w{1,30}=[\"'][^\"'<>]{0,30}[\"']){1,9})\s{0,9}/?>", r"\1"),  # attributes of XML
    (r"(\w[-–:x*]\w{1,4})[ \t]{1,9}(?:>{1,3}|[-=]{1,9}>|[→⇒➔»])[ \t]{1,9}(?=\w{1,4}[-–:x*]\w)", r"\1;"),  # of jumps
    (r"➡\ufe0f?(?=\s*(?:\n|\Z|[,;)\]]))", "⇨"),
    ("⬆\ufe0f?", "↑"),
    ("⬇\ufe0f?", "↓"),
    ("⬅\ufe0f?", "←"),
    # Figures beside a jump: of a search, how many pegs remain, which jump it is, and when it was made.
    (r"\b(?:depth|pegs|left|remaining|nodes|level|time)\s{0,9}[=:]\s{0,9}[\d.]+s?\b(?!\sover)", " "),
    (r"\b(?:remaining \d+|(?:move|step|jump) \d+/\d+|\d\d?:\d\d:\d\d(?:[.,]\d+)?)\b:?", " "),
    (r"(?i)\b(?:take|capture|remove)s?\s(\w{1,4})\s(?:with|by)\s(\w{1,4})", r"\2 over \1"),
    (r"(?<!\S)\d{1,3}\.(?=[A-Za-z]\d)", " "),  # the number of a jump
    (r"(?<!\S)##[ \t]{0,9}(?=\d{1,3}[.):])", "\n"),
    (r"(?i)<(?:up|down|left|right)>(?=\s*\()", " "),  # a way that two holes show
    (r"(?m)^[ \t]*(\d\d)(\d\d)[ \t,;]*$", r"\1-\2"),  # rows and columns without a sign between them
    (r"\b[A-Z]\w{0,30}(?:\.|::)(?=(?i:up|down|left|right|north|south|east|west)\b)", " "),  # the type of a way
    ("上", "↑"),
    ("下", "↓"),
    ("左", "←"),
    ("右", "⇨"),
    (r"[\u3040-\u30ff\u4e00-\u9fff]+", " "),  # words without blanks between them
    (r"<[A-Za-z]{1,30} (\w{1,3})\s?[-=]?>\s?(\w{1,3})>", r"(\1 \2)"),
    (r"\[(\w{1,3}), ?\[(\w{1,3}), ?(\w{1,3})\]\]", r"[\1, \2, \3]"),
    (r"[-–]\((\w{1,4}[-–][^()\n]{0,99})\)", r"-\1"),  # a sweep
)
_ALONE = {  # what all words of a text may be, and what is read there
    r"(\d\d)(\d\d)": r"\1-\2",
    r"(?i)(\d{1,2})([UDLR])": r"\1 \2",
}
_PROSE = re.compile(r"(?:\b[^\W\d_]{2,}\b.*?){3}|^\s*\S(?:\s+\S)*\s*$|^\D*\b[12]\d{3}\b\D*$")
# three words; signs with blanks; a year
_PICTURE = re.compile(  # rows of single signs, behind the last of which words may begin
    r"(?:^[ \t]*\S(?:[ \t]+\S)*[ \t]*\n){3,}(?:[ \t]*\S(?:[ \t]+\S)*(?:[ \t]*$|[ \t]{2,}(?=[A-Z][a-z])))?", re.MULTILINE
)
_SAYS_JUMP = re.compile(
    r"(?<!\w)(?:[A-Za-z]?\d{1,2}|[A-Z])\b\W{0,4}(?:[-–—>→x*:]\W*(?:[A-Za-z]?\d|[A-Z]\b)|[aà]\W|(?:(?!and)\w{1,30}\W{1,9}){0,3}(?:to|over|into|onto|nach|para|vers)\W)",
    re.IGNORECASE,
)
_ONE_NUMBER = re.compile(r"(?!.*\b(?:to|from|over|into)\b)(?=[^\d>→⇒=-]*?[^\W\d_]{2})[^\d>→⇒=-]*+\d+\W*")
UNITS = (  # lines, lists without lists inside, what stands between commas, and jumps over holes to nowhere
    re.compile(r"[^\n]+"),
    re.compile(r"[\[({][^][(){}\n]*[])}]"),
    re.compile(r"[^\n,;]{1,40}?\d[^\n,;\d]{1,40}\d[^\n,;]*"),
    re.compile(r"\b[A-Za-z]?\d{1,2}\s(?:over|über|sobre|sopra|saute|через)\s[A-Za-z]?\d{1,2}\b(?!\s(?:in|on)?to\b)"),
)
_HIDDEN = re.compile(r"<(style|script|svg|title|h1)\b.*?(?:</\1>|\Z)", re.DOTALL | re.IGNORECASE)  # in a page
_BREAKS = re.compile(r"</?(?:li|p|tr|div|br|ol|ul|pre|h\d)\b[^<>]*>", re.IGNORECASE)
_TAGS = re.compile(r"<[^<>]*>")
REMARK = re.compile(r"(?:#(?!\d)|//|%|--\s).*")
_NUMBERS = (  # of lines: what stands at their beginning, or before an item
    re.compile(r"^[ \t|(\[]*(?:move[ \t])?0*(\d{1,5})\b[\]|.:)]?[ \t,;](?!\s*pegs?\b)", re.MULTILINE),
    re.compile(r"(?<![\w(-])(\d{1,5})\)(?=\s)"),
)
PARTS = {  # keys of a jump or of a hole in JSON, in the order in which these are read
    key: place
    for place, keys in enumerate(
        (
            "from start source src origin jump peg",
            "over mid middle jumped jumps captured removed removes via",
            "to end target dest dst destination land lands landing",
            "direction dir way",
            "x column col c",  # first, as in the first reading of two numbers
            "y row r",
        )
    )
    for key in keys.split()
}
_ARGUMENT = re.compile(r"[^(),]*(?:\([^()]*\))?[^(),]+|[^(),]*\([^()]*\)")
WORD = re.compile(r"[A-Za-z]+\d+|\w+")
_VARIABLE = re.compile(  # of a solver: its indices; in a solution it is 1
    r"\b[A-Za-z]+[_#]((?:\d+[_#]){2,5}(?:(?:up|down|left|right|[UDLRNSEW])[_#])?\d+)\b[ \t]*=?[ \t]*1(?:\.0*)?(?![\d.])"
)
_GAME = re.compile(r"\b(?:[a-z]\d[a-z]\d){11,}\b")  # jumps without a sign between them; no sweep is as long
_HEADER = re.compile(r"^(?=.*\bfrom\b)(?=.*\bto\b)(?:[^\W\d]|[|,;\t #])+$", re.MULTILINE | re.IGNORECASE)


def as_text(text: str) -> str:
    """Return a text in which jumps are written in usual signs; objects of JSON as lists of their parts."""
    with suppress(RecursionError, ValueError):
        text = _listed(json.loads(text)) if re.match(r"\s*\{|\s*\[\s*\{", text) else text
    if re.search(r"<(?:html|body|style|script|[ou]l|li|table|t[rd]|p|pre|div|br)\b", text, re.IGNORECASE):
        text = unescape(_TAGS.sub(" ", _BREAKS.sub("\n", _HIDDEN.sub(" ", text))))
    if re.search("[↑↓⬆⬇]", text):
        text = text.replace("→", "⇨").replace("➡", "⇨")
    text = _GAME.sub(lambda game: " ".join(re.findall("....", game[0])), text)
    text = _VARIABLE.sub(lambda name: f"x({re.sub('[_#]', ',', name[1])})", text)
    for pattern, sign in _INSTEAD:
        text = re.sub(pattern, partial(_expand, sign), text)
    words = re.split(r"[\s,;]+", text.strip(" \n,;"))
    for pattern, sign in _ALONE.items():
        text = re.sub(pattern, sign, text) if all(re.fullmatch(pattern, word) for word in words) else text
    texts_by_step = [*_by_steps(text)]
    return texts_by_step[0] if len(texts_by_step) == 1 else _by_header(text)


def _expand(template: str, match: re.Match[str]) -> str:
    """Return what is read in place of a part of a text, as long as that if it can be."""
    return match.expand(template).ljust(len(match[0]))


def _listed(value: object) -> str:
    """Return a value of JSON as text: of an object the values of a jump or a hole in their order, or else its lists."""
    if isinstance(value, dict):
        has_jumps = any(isinstance(item, list) and {*map(type, item)} & {list, dict} for item in value.values())
        parts = {} if has_jumps else {key: PARTS[key.lower()] for key in value if key.lower() in PARTS}
        for key in value.keys() - parts.keys() if parts else ():
            hint = suggestion(key, PARTS, 0.75)
            refuse_if(hint, f'unknown key "{key}"{hint}')
        lists = [item for item in value.values() if isinstance(item, list | dict)]
        value = [value[key] for key in sorted(parts, key=parts.__getitem__)] or lists or [*value.values()]
    return f"[{', '.join(map(_listed, value))}]" if isinstance(value, list) else str(value)


def without_prose(text: str) -> str:
    """Return a text with blanks for drawings, and for sentences that say no jump."""
    text = _PICTURE.sub(lambda rows: re.sub(r"\S", " ", rows[0]), text)
    sentences = re.split(r"\n|(?<=[a-z\d][.!?])\s(?=[A-Z])", text)
    return "\n".join(
        " " * len(part) if _PROSE.search(part) and not _SAYS_JUMP.search(part) else part for part in sentences
    )


def alike(text: str, unit: re.Pattern[str]) -> str:
    """Return a text with blanks for all but those units, its lines or lists, that have a form that many have, whatever
    numbers and names are in them; nothing if there are none, or a jump may be left out."""
    units = [*unit.finditer("" if is_open(text) else REMARK.sub(lambda remark: " " * len(remark[0]), text))]
    forms = [re.sub(r"[A-Za-z]?\d+", "0", " ".join(match[0].split())) for match in units]
    times = Counter(form for form in forms if "0" in form)
    many = max(2, max(times.values(), default=0) / 2)
    numbers = [number for number, form in enumerate(forms) if times[form] > many]
    parts, end = list[str](), 0
    for number in range(numbers[0], numbers[-1] + 1) if numbers else ():
        match, form = units[number], forms[number]
        if times[form] > many:
            parts += [re.sub(r"[^\n]", " ", text[end : match.start()]), match[0]]
            end = match.end()
        elif times[form] == 1 and not says_much(match[0], 0):  # it may be a jump with a slip
            return ""
    return "".join(parts)


def arrangements(text: str) -> Sequence[str]:
    """Return a text, and what it is without the numbers of its lines, by its columns and by its steps."""
    without_numbers = (_without_numbers(text, numbers) for numbers in _NUMBERS)
    return [*dict.fromkeys((text, *without_numbers, text.replace(";", ","), _by_columns(text), *_by_steps(text)))]


def _without_numbers(text: str, pattern: re.Pattern[str]) -> str:
    """Return a text without the numbers of its lines, if all that have a number count on from 0 or 1."""
    numbers = [int(number) for number in pattern.findall(text)]
    if numbers not in ([*range(first, first + len(numbers))] for first in (0, 1)):
        return text
    return pattern.sub(lambda number: " " * len(number[0]), text).replace(";", ",")


def _by_header(text: str) -> str:
    """Return a table with its columns in the order of the holes of a jump, if its header names them in another."""
    header = _HEADER.search(text)
    names = re.findall(r"[a-z#]+", header[0].lower()) if header else []
    order = sorted(range(len(names)), key=lambda column: PARTS.get(names[column], -1))
    if header is None or order == [*range(len(names))]:
        return text
    rows = [WORD.findall(line) for line in text[header.end() :].split("\n")]
    return "\n".join(" ".join(row[column] for column in order) for row in rows if len(row) == len(names))


def _by_steps(text: str) -> Iterator[str]:
    """Yield atoms such as ``jump(2,d4,d2)``, which a solver writes in any order, by each place that may count them."""
    atoms = [_ARGUMENT.findall(atom) for atom in re.findall(r"\w\(((?:[^()]|\([^()]{0,99}\)){1,200})\)", text)]
    for place in range(len(atoms[0]) if len(atoms) > 1 and len({*map(len, atoms)}) == 1 else 0):
        steps = [int(atom[place]) if atom[place].strip().isdecimal() else -1 for atom in atoms]
        if {*steps} in ({*range(first, first + len({*steps}))} for first in (0, 1)):
            ordered = sorted(zip(steps, atoms, strict=True), key=itemgetter(0))
            yield "\n".join(",".join(atom[:place] + atom[place + 1 :]) for _, atom in ordered)


def _by_columns(text: str) -> str:
    """Return jumps by lines, where all starts, all that is jumped over and all ends, or all their rows and columns, are
    lists of their own."""
    lists = [WORD.findall(numbers) for numbers in re.findall(r"\[([^\[\]]*)\]", text)]
    are_columns = 1 < len(lists) < 7 and len({*map(len, lists)}) == 1 and len(lists[0]) > 3
    return "\n".join(map(" ".join, zip(*lists, strict=True))) if are_columns else text


def is_open(text: str) -> bool:
    """Tell whether a list lacks its end, so that a part of the text may be missing."""
    return any(text.count(opening) != text.count(closing) for opening, closing in ("[]", "{}"))


def says_much(text: str, place: int) -> bool:
    """Tell whether a line has three words from a place on, or one number that nothing joins to another."""
    line = text[place:].partition("\n")[0]
    return len(re.findall(r"[^\W\d_]{3,}", line)) > 2 or _ONE_NUMBER.fullmatch(line) is not None
