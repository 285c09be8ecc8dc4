"""Texts of solutions in forms that are easier to read: their jumps in usual signs, without what stands between them."""

import json
import re
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from functools import partial
from html import unescape

from pegcp.errors import refuse_if, suggestion

_INSTEAD = (  # how jumps are written elsewhere, and what is read there
    (r"\bpos-(\d+)-(\d+)|\b[Rr](\d+)[CcPp](\d+)", r"\1\3 \2\4"),  # places of planners, cells of a spreadsheet
    (r"\x1b\[[\d;]*m", ""),  # colours of a terminal
    (r"\b\w{1,30}\s{0,9}=\s{0,9}\[\|", "|"),  # the first row of a matrix in MiniZinc
    (r"<-\s{0,9}c\(([^()]*)\)", r"= [\1]"),  # a vector in R
    (r"https?://[^\s=]{0,99}=", " "),
    (r"\bto[ \t](\w{1,4})[ \t]from[ \t](\w{1,4})", r"from \2 to \1"),
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
    (r"(?<=[XxOo.*●○_])[ \t]*(?:[-=]{1,2}>|[→⇒])[ \t]*(?=[XxOo.*●○_]{3})", "\n"),  # between positions of a line
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
    (r"(?m)^[^\w\n]*\w+[ \t,]+-1[ \t,]+-1[ \t]*$", ""),  # no holes
    ("上", "↑"),
    ("下", "↓"),
    ("左", "←"),
    ("右", "⇨"),
    (r"[\u3040-\u30ff\u4e00-\u9fff]+", " "),  # words without blanks between them
    (r"<[A-Za-z]{1,30} (\w{1,3})\s?[-=]?>\s?(\w{1,3})>", r"(\1 \2)"),
    (r"\[(\w{1,3}), ?\[(\w{1,3}), ?(\w{1,3})\]\]", r"[\1, \2, \3]"),
    (r"[-–]\((\w{1,4}[-–][^()\n]{0,99})\)", r"-\1"),  # a sweep
)
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
_HOLE = r"[A-Za-z]?\d{1,2}"
_SIGN = r"[ \t]*(?:[-–—=]{0,3}>|[-–—→⇒➔»x])[ \t]*"
_HIDDEN = re.compile(r"<(style|script|svg|title|h1)\b.*?(?:</\1>|\Z)", re.DOTALL | re.IGNORECASE)  # in a page
_BREAKS = re.compile(r"</?(?:li|p|tr|div|br|ol|ul|pre|h\d)\b[^<>]*>", re.IGNORECASE)
_TAGS = re.compile(r"<[^<>]*>")
REMARK = re.compile(r"(?:#(?!\d)|//|%|--\s).*")
JUMP_KEYS = {  # keys of a jump or of a hole in JSON, in the order in which these are read
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
HOLE_NAME = re.compile(r"[A-Za-z]+\d+|\w+")


def as_text(text: str) -> str:
    """Return a text in which jumps are written in usual signs; objects of JSON as lists of their parts."""
    with suppress(RecursionError, ValueError):
        text = _list_json(json.loads(text)) if re.match(r"\s*\{|\s*\[\s*\{", text) else text
    if re.search(r"<(?:html|body|style|script|[ou]l|li|table|t[rd]|p|pre|div|br)\b", text, re.IGNORECASE):
        text = unescape(_TAGS.sub(" ", _BREAKS.sub("\n", _HIDDEN.sub(" ", text))))
    if re.search("[↑↓⬆⬇]", text):
        text = text.replace("→", "⇨").replace("➡", "⇨")
    for pattern, sign in _INSTEAD:
        text = re.sub(pattern, partial(_expand, sign), text)
    return text


def _expand(template: str, match: re.Match[str]) -> str:
    """Return what is read in place of a part of a text, as long as that if it can be."""
    return match.expand(template).ljust(len(match[0]))


def _list_json(value: object) -> str:
    """Return a value of JSON as text: of an object the values of a jump or a hole in their order, or else its lists."""
    if isinstance(value, dict):
        has_jumps = any(isinstance(item, list) and {*map(type, item)} & {list, dict} for item in value.values())
        parts = {} if has_jumps else {key: JUMP_KEYS[key.lower()] for key in value if key.lower() in JUMP_KEYS}
        for key in value.keys() - parts.keys() if parts else ():
            hint = suggestion(key, JUMP_KEYS, 0.75)
            refuse_if(hint, f'unknown key "{key}"{hint}')
        lists = [item for item in value.values() if isinstance(item, list | dict)]
        value = [value[key] for key in sorted(parts, key=parts.__getitem__)] or lists or [*value.values()]
    return f"[{', '.join(map(_list_json, value))}]" if isinstance(value, list) else str(value)


def without_prose(text: str) -> str:
    """Return a text with blanks for drawings, and for sentences that say no jump."""
    text = _PICTURE.sub(lambda rows: re.sub(r"\S", " ", rows[0]), text)
    sentences = re.split(r"\n|(?<=[a-z\d][.!?])\s(?=[A-Z])", text)
    return "\n".join(
        " " * len(part) if _PROSE.search(part) and not _SAYS_JUMP.search(part) else part for part in sentences
    )


def cut_to_joined_holes(text: str) -> Iterator[str]:
    """Yield a text with nothing but the holes that signs join, and with nothing but those that one word often joins;
    what is left out must be words, or signs alone."""
    words = Counter(re.findall(rf"(?=\b{_HOLE}[ \t]+([^\W\d_]+)[ \t]+{_HOLE}\b)", text)).most_common(1)
    for join in (_SIGN, *(rf"[ \t]+{word}[ \t]+" for word, times in words if times > 2)):
        parts, rest, end = list[str](), list[str](), 0
        for holes in re.finditer(rf"(?<![\w.-]){_HOLE}(?:{join}{_HOLE})+(?![\w-])", text):
            space = holes.start() - end
            rest.append(text[end : holes.start()])
            parts += ["\n".ljust(space)[:space], re.sub(join, "-", holes[0]).ljust(len(holes[0]))]
            end = holes.end()
        if parts and all(re.search(r"[^\W\d_]{3}|\A\W*\Z", part) for part in (*rest, text[end:])):
            yield "".join(parts)


def is_open(text: str) -> bool:
    """Tell whether a list lacks its end, so that a part of the text may be missing."""
    return any(text.count(opening) != text.count(closing) for opening, closing in ("[]", "{}"))


def says_much(text: str, place: int) -> bool:
    """Tell whether a line has three words from a place on, or one number that nothing joins to another."""
    line = text[place:].partition("\n")[0]
    return len(re.findall(r"[^\W\d_]{3,}", line)) > 2 or _ONE_NUMBER.fullmatch(line) is not None
