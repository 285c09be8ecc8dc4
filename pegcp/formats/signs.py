"""Find the signs of a drawing in what people paste: programs, tables, pages, contests, answers.

What stands around them is left out by a table of patterns. The rest is strings, lists, a table, or a picture in which
each character is a sign.
"""

import re
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from itertools import groupby, pairwise, product
from operator import itemgetter

from pegcp.errors import InputError, plural, refuse_if
from pegcp.game import Cell, column_letters

_WORDS = {
    "p": "peg true full occupied filled",
    "v": "hole empty vacant vacancy hollow open",
    "o": "none null na nan out outside wall invalid blocked off unused border forbidden not non",
    "vo": "nil false",
}
USES = {  # what people use a sign for: peg, vacancy, outside, free
    **{
        case(word): use
        for use, words in _WORDS.items()
        for word in words.split()
        for case in (str, str.upper, str.capitalize)
    },
    **dict.fromkeys("XPipTtYy●⬤•■◉⚫🔴🔵🟢🟡🟠🟣🟤⭐★@&", "p"),
    **dict.fromkeys("○◯◌◦∘eEhH🕳", "v"),
    **dict.fromkeys("._-·□", "vo"),
    **dict.fromkeys("*oO1F", "pv"),
    **dict.fromkeys("#█⬛+🟥🟧🟨🟩🟦🟪🟫", "po"),
    **dict.fromkeys(("-1", "3", "9", "~", "NaN", "🧱"), "o"),
    **dict.fromkeys("0nN⬜", "vo"),
    **dict.fromkeys("2x", "pvo"),
    "⚪": "pv",
    "?": "f",
}
RARE = {
    ".": "p",
    "·": "p",
    "X": "o",
    "⚫": "v",
    "E": "o",
    "e": "o",
}  # what they are used for where no other reading makes sense
_NO = r"(?:not?(?: an?)?|non|without|geen|keine?|ohne|pas (?:de |un )|sans|sin|sem|senza|нет)"
_HOLE = (
    r"holes?|loch|löcher|trous?|huecos?|agujeros?|hoyos?|buracos?|furos?|buc[oh]i?|for[oi]|gat(?:en)?|delik|doł\w+|hål"
    r"|отверсти\w+|лунк\w+|дырк\w+"
)
EMPTY = (
    r"empty|vacant|vacanc(?:y|ies)|unoccupied|hollow|open|free|gaps?|leer\w*|frei\w*|vides?|libres?|vac[ií][oa]s?|buit"
    r"|vuot[aoie]|vazi[ao]s?|leeg|boş|prázd\w+|pust\w+|пуст\w*|свободн\w*"
)
PEG = (
    r"pegs?|marbles?|pins?|balls?|pieces?|stones?|tees?|counters?|tokens?|true|full|occupied|filled|besetzt\w*|belegt\w*"
    r"|steine?|kugeln?|stifte?|figur(?:en)?|billes?|chevilles?|pions?|occupé\w*|fichas?|bola|bolitas?|canicas?|piezas?"
    r"|ocupad[oa]s?|peças?|pinos?|pedin[ae]|bigli[ae]|pieno|occupat[oa]|knikkers?|pinn\w+|kul\w+|pion\w+|kolík\w*|piyon|taş"
    r"|dolu|фишк\w+|колыш\w+|шарик\w*|камень|камни|занят\w*"
)
_OUTSIDE = (
    rf"{_NO} ?(?:valid |part |on the )?(?:{_HOLE}|board|spot|square|position|cell|field|feld)"
    r"|none|null|nan|out(?:side)?|walls?|invalid|illegal|block(?:ed|ing)|off|unus(?:ed|able)|borders?|forbidden|unplayable"
    r"|au(?:ß|ss)er(?:halb)?|au(?:ß|ss)en|rand|ungültig\w*|hors|dehors|a?fuera|fora|fuori|inválid\w+|buiten|dışı|geçersiz|вне"
)
_NAMES = f"{PEG}|{_HOLE}|{EMPTY}|{_OUTSIDE}"
_MEANINGS = [  # what words say that a sign means, in the languages in which people write of this game
    (meaning, re.compile(rf"(?<!\w)(?:{words})(?!\w)|[{ideograms}]", re.IGNORECASE))
    for meaning, words, ideograms in (
        ("outside", _OUTSIDE, "外壁"),
        ("vacancy", rf"{_NO} ?(?:{PEG})|{EMPTY}", "空"),
        ("peg", PEG, "子球石駒ペコ"),
        ("vacancy", _HOLE, "穴"),
    )
]
_LINK = (
    r"(?:[-=]>|:=|[=:]|[-–—](?=[ \t])|(?<=[^\x00-\x7f])[ \t]|(?<=^.)[ \t]{2,}"
    r"|\b(?:is|are|be|means?|marks?|denotes?|represents?|stands? for|ist|est|es|é)\b)"
)
_SIGN = r"(?P<quote>[\"'`‘“「]?)(?P<sign>-\d|[^\s\"'`\[\](){},;])[\"'`’”」]?"
_SAYINGS = (  # what a sign means, in words and by names: {peg: 'o'}, const PEG = 1; #define HOLE 0
    re.compile(
        rf"(?<![\w:=]){_SIGN}[ \t]*{_LINK}[ \t]*[\"'`]?"
        rf"(?P<words>[^\W\d_](?:[^\W\d_]|[ \t'’/-](?![ \t]*(?:[^\w\s]|\w[ \t]*{_LINK}))|[ \t]?\([^()=:\d]*\)){{0,80}})"
        r"[\"'`]?",
        re.IGNORECASE,
    ),
    re.compile(
        rf"(?<!\w)(?P<words>[^\W\d]\w{{0,60}})[\"'`]?[ \t]*(?::[ \t]*\w{{2,}}[ \t]*=|{_LINK}|(?<=[A-Z] ))[ \t]*"
        rf"{_SIGN}(?=[ \t]*(?:[;,}})|]|//|#|$))"
    ),
)
_Instead = tuple[tuple[str, str | Callable[[re.Match[str]], str]], ...]
_ALIKE = str.maketrans("ХхОоΧχΟο", "XxOoXxOo")  # letters of other alphabets that look like X and o
WIDE = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)} | str.maketrans(
    "\u3000・×", " ·x"
)  # in Chinese and Japanese, and what is read there
_INSTEAD: _Instead = (  # how signs and ends of rows are written elsewhere, and what is read there
    (
        r"(?<![^\W\d_])[XxOo]*[ХхОоΧχΟο][XxOoХхОоΧχΟο]*(?![^\W\d_])",
        lambda signs: signs[0].translate(_ALIKE),
    ),
    (r"<!--[^\n]*?-->", ""),
    (r"\x1b\[[\d;]*m", ""),  # colours of a terminal
    (r"(?<=\d)-1(?=-1|\s|\Z)", " -1"),  # in columns as wide as their numbers
    (  # the form of Tatham's game of pegs
        r"\b(\d{1,2})x\d{1,2}\w*:([OPH]{9,})\b",
        lambda game: re.sub("(.{" + game[1] + "})", r"\1\n", game[2].translate({79: ".", 80: "X", 72: "o"})),
    ),
    (r"\\(?:math\w+|text\w*)\{([^{}\s])\}|\\multicolumn\{1\}\{[^{}]*\}\{([^{}]*)\}", r"\1\2"),
    (r"\\(?:begin|end)\{\w+\}(?:\{.*?\})?", ""),
    (r"\\cdot\b", "."),
    (r"\\(?:[;,\[\]()]|quad\b)", " "),
    (r"\\(?:leadsto|(?:[Ll]ong)?[Rr]ightarrow|to|mapsto)\b", "\n→\n"),
    (r"</(?:div|p|li)>", "\n"),
    (r"\((?:list|vector)[ \t]+(?=[-\d(])|\b(?:array|Array|list|List|listOf|arrayOf|vec|tuple)\((?=[-\d])", "("),
    (r"(?m:(?<![ \t])[ \t]+(?:<[-=]{1,9}|←)[ \t]+(?:\([\d, ]*\)[ \t]*)?[^\W\d][\w ]*$)", ""),
    (r"(?m:^[ \t]*(?:\d+[ \t]+)?DATA[ \t]+)(?=[-\d])", ""),
    (r"</?(?:pre|font|code|b|strong|em)\b[^<>\n]*>|<span\b[^<>\n]*>(?=[^<>\n])|(?<=[^<>\n])</span>", ""),
    (r"(?m:^[ \t]*(?:\^|/[_ -]{2,}\\)[ \t]*$)", ""),  # a triangle around it
    (r"(?m:^([ \t]*)/(.*)\\[ \t]*$)", r"\1 \2"),
    (r"(?m:^[ \t]*_{3}(?:[ \t]+_{3})*[ \t]*\n)(?=\|)", ""),  # cells on lines
    (r"(?<=\|)_(.)_(?=\|)", r" \1 "),
    (r"(?<=\])\[([012])\]|(?<![\w\]])\[([012])\](?=\[)", r" \1\2 "),
    (r"\b0b[01_]+", lambda bits: bits[0][2:].replace("_", "")),
    (r":(?:red|orange|yellow|green|blue|large_blue|purple|brown)_circle:", "🔵"),  # names of emoji
    (r":white_circle:", "⚪"),
    (r":(?:black|white)_\w*square\w*:", "⬛"),
    (r"\r|[\ufe0e\ufe0f\ufeff\u20e3]", ""),  # emoji are written with a mark of their style
    (r"(?<![\w.])(-?\d)\.(?:0+(?![\w.])|(?![\w.])(?=[^\[\]]*\]))", r"\1"),  # floats
    (r"\\bullet|&#9679;|&bull;", "●"),
    (r"\\(?:big)?circ\b|&#9675;", "○"),
    (r"(?m:^)(?:\{\||\|\}|\|-(?=[ \t]*\n)|\|={3,}).*\n?", ""),  # tables of wikis
    (r"\|\|", "|"),
    (r"&nbsp;|&#160;|\u00a0", " "),
    (r"<(?:td|th|span|div|i)\b[^<>]*\bclass=[\"']?(?:[\w-]+ )*([\w-]+)[^<>]*>\s*(?=</)", r"<td>\1"),
    (r"<\w+\s+\w+=[\"'](\w+)[\"']\s*/>", r"\1, "),
    (r"</t[dh]>\s*<t[dh]\b[^<>]*>", "&"),
    (r"<(?:table|tbody)\b[^<>]*>\n?", ""),
    (r"<((?:\w,)+\w)>", r"[\1]"),  # a sequence
    (  # the rows of a string
        r"([\"'])((?:(?!\1)[^\\\n]|\\n){1,999}?)\1",
        lambda string: string[1] + string[2].replace("\\n", f"{string[1]}\n{string[1]}") + string[1],
    ),
    (r"(?m:^([^\"'`\\\n]*[^\s\"'`\\,{}])\\$)", r"\1"),  # a break of Markdown
    (r"(?<=\S \S\n)[ \t]*_{5,}[ \t]*(?=\n|\Z)", ""),  # a rule below rows with blanks between their signs
    (r"\+[-=]{3,}\+", lambda frame: " " * len(frame[0])),
    (r"\((?:define|def\w*|let)[ \t]+[\w*!?-]+[ \t]+(?=[\[('])", ""),  # a name in Lisp
    (r"\\\\[ \t]*(?:\n|(?=\s|$))|\\n(?:\\\n\s*\\?)?|<br ?/?>\n?|</tr>\n?", "\n"),
    (r"(?<=[,{}])[ \t]*\\\n", "\n"),
    (r"\\\n", ""),
    (r"R\"\(|\)\"(?=;)|\br#+\"|\"#+(?=[;,)]|$)", '"'),
    (r"(?m:^)([ \t]*-[ \t]+)([^\s'\"\[{-][^\s'\"]+)[ \t]*(?m:$)", r"\1'\2'"),  # items of YAML without quotes
    (r"<<[~-]?(\w+)\n([\s\S]*?)\n[ \t]*\1\b", r"\n\2"),
    (r"(?<![\w,\[({])[\[(]([^\w\s]|[^\W\d])[\])](?!\s*[,\])}])", r" \1 "),  # holes in brackets
    (r"(?<![\w,\[({])(?:\[ \]|\( \))(?!\s*[,\])}])", " □ "),
)
_AROUND = re.compile(
    "|".join(
        (
            r"^.*\b(?i:pegs?|marbles?|moves?|jumps?|left|remain\w*|score|steps?)\b[^\n:=]{0,40}[:=]"  # counts
            r"[ \t]*\d{1,2}[ \t]*$",
            r"^[ \t]*[A-Za-z][\w ]{0,40}[:=][ \t]*\d+\.\d+\w{0,3}[ \t]*$",
            r"^[^\[\](){}\n]*\b(?i:moves?|moved|jump(?:s|ed)?|after)\b[^\[\](){}\n]*$",
            rf"^[ \t]*(?!(?:{_NAMES})s?\b)(?=\w*[b-df-gj-mq-wyz])[A-Z][a-z]{{2,}}\b"  # titles
            r"(?!.*(?:[.XxOo*#●○_-] ?){3})"
            r"[^\[\]{}\n:=\"',]*$",
            r"^.*\b(?:target|position|goal|end|finish)\b[^\n:=]{0,40}[:=][ \t]*\(\d+,[ \t]*\d+\)[ \t]*$",
            r"<!--[\s\S]{0,9999}?-->|/\*.{0,999}?\*/|^[ \t]*/\*+[ \t]*$|^ \*(?:/|(?=[\s\S]{0,2000}?\*/))",  # remarks
            r"^[ \t]*//|(?<=\S)[ \t]*//.*|^[ \t]*%+(?=[ \t]|$)",
            r"(?<!\S)(?:[#%]|--|;+)[ \t]+(?![XxOoPpHhEeIin]+\b)[A-Za-z]{2,}.*",
            r"\b(?=[A-Z]\w{0,30}[a-df-gj-mq-wyz_])\w{2,60}(?:::|\.)(?=[A-Z])|(?<=[{,])\s*\d+\s*:(?=\s*\S)",
            r"</?[A-Za-z][^<>\n]*>|`{3}.*|^[ \t]*~{3,}\w*[ \t]*$|^>>>[ \t]*\w+(?:\(\w+\))?[ \t]*$",  # pages
            r"^(?:>[ \t]?)+|^\[(?:[A-Z]{4,}|[\d., -]+:[\d:., -]+)\]:?|\[/?(?:code|pre|quote|spoiler)\b[^\]\n]*\]",
            r"^[ \t]*#define\b.*|^[ \t]*(?:(?:pub|public|private|static|final|const|let|mut|val|var|auto|int|long|char"
            r"|unsigned|u?int\d+(?:_t)?)[ \t]+)+\w+[ \t]*(?::[ \t]*[\w\[\]; ]+)?(?:\[\w*\])*[ \t]*=(?=\s*[^\s=])",
            r"\\(?:begin|end)\{\w+\}(?:\{.*?\})?|\\[hc]line(?:\{.*?\})?|\$",  # LaTeX
            r"^[ \t]*\w+[ \t]*::.*|:(?!=)[^=\n\"'`,]{0,80}=(?!=)|(?<=[\w\]])\[[\d, ]*\]|\[\](?=[\[\w])",  # types
            rf"\bnew[ \t]+(?=\w)|(?<![\w.:])[.:](?=(?:{_NAMES})\b)",  # constants
            r"^[ \t]*\d+[.)][ \t]*$",
            r"\barray[ \t]*\[[^\]]*\][ \t]*of\b[^=\n]*=|(?:\[\d+\])+(?=[a-z]\w*\{)",
            r"\b(?:(?:let|val|var|int|char|auto|const)[ \t]+)?"  # names
            r"(?![XxOoPpHhEeIin]{2,}[ \t]*=)[A-Za-z]\w*[ \t]*(?::?=|<-)(?=\s*[A-Za-z\[({\"'%<.#*●○_-])",
            r"\"\w+\"[ \t]*:[ \t]*(?:\d+(?=[,}\s])|\"[A-Za-z]\w+\"(?=[,}\s]))?",  # keys
            r",\s*[a-z]\w*[ \t]*=[ \t]*[\w'\"<]+|^[ \t]*[a-z]\w*\(\d+,[ \t]*(?=\[)",  # arguments
            r"(?<=[\])}\"'`])\.(?![xophein]+\b)[a-z]\w*(?:\([^()\n]*\))?|#\dA(?=\()|\b0b(?=[01])|\b[A-Za-z]+!(?=[\[(])|%[wi](?=[\[({])",
            r"\(\d+ ?[x×] ?\d+\)|^(?:[ \t]*\[,\d+\])+[ \t]*$|^[ \t]*\[\d+,\]|^[ \t]*==+(?:[ \t]+==+)*[ \t]*$",  # frames
            r"^[ \t]*\+(?:[-=]{3,}\+)+[ \t]*$|^[ \t]*\+(?:[-=]{1,2}\+)+[ \t]*$(?:(?=\n[ \t]*\|)|(?=\s*\Z))"
            r"|^[ \t]*\w+[ \t]*=[ \t]*(?:\d+[ \t]*;[ \t]*)?$",
        )
    ),
    re.MULTILINE,
)
_MASK = re.compile(r"\b0[xX][0-9a-fA-F]{1,8}\b")
_FRAME = re.compile(r"[|`\u2500-\u257f]|^[ \t]*[\])};]+[ \t]*$|[,;][ \t]*$", re.MULTILINE)
_STRING = re.compile(r"(\"\"\"|'''|[\"`])([\s\S]*?)\1|'([^'\n]*)'")
_LIST = re.compile(r"[\[({]([^\[\](){}]*)[\])}]")
_FACT = re.compile(
    r"\b([A-Za-z]\w*)\(\s*(\d{1,3})\s*,\s*(\d{1,3})\s*\)"
    r"|\b\w+\(\s*(\d{1,3})\s*,\s*(\d{1,3})\s*,\s*[\"']?(\w+)[\"']?\s*\)"
    r"|\(\s*(\d{1,3})\s*,\s*(\d{1,3})\s*\)\s*:\s*(-?\w+)"
)
_AXES = {**dict.fromkeys(("row", "r", "y"), 0), **dict.fromkeys(("col", "column", "c", "x"), 1)}


def _fact_of_object(braces: re.Match[str]) -> str:
    """Return what an object with its row, its column and what is there says, as a fact; other braces as they are."""
    fields = [(key.lower(), value) for key, value in re.findall(r"[\"']?(\w+)[\"']?\s*[:=]\s*[\"']?(-?\w+)", braces[1])]
    place = dict(sorted((_AXES[key], value) for key, value in fields if key in _AXES))
    marks = [
        str(value.lower() == "false") if meaning_of(key) == "vacancy" and value.lower() in ("true", "false") else value
        for key, value in fields
        if key not in _AXES and value in USES and key != "id"
    ]
    return f"({place[0]},{place[1]}):{marks[0]}" if len(place) == 2 and len(marks) == 1 else braces[0]


def _facts_of_ranges(fact: re.Match[str]) -> str:
    """Return the facts that one with ranges, such as ``peg(1..2,3)``, stands for."""
    rows, columns = (range(int(a), int(b or a) + 1) for a, b in (fact.group(2, 3), fact.group(4, 5)))
    if len(rows) * len(columns) > _MOST_FACTS:
        return fact[0]
    return " ".join(f"{fact[1]}({r},{c})" for r in rows for c in columns)


_FACTS_INSTEAD: _Instead = (  # how facts are written elsewhere
    (r"(?m:^[^\n(){}\[\]]*=[ \t]*\d+[.;]?[ \t]*$)|(?://|%).*|\b\w+\([ \t]*\d+(?:\.\.\w+)?[ \t]*\)", ""),
    (r"\bpos[-_](\d+)[-_](\d+)", r"\1,\2"),
    (r"\((\w+) (\d+,\d+)\)", r"\1(\2)"),
    (r"<(\w+)\s([^<>]*)>", r"{what: \1, \2}"),
    (r"\{([^{}]*)\}", _fact_of_object),
    (r"\b(\w+)\(\s*(\d{1,3})(?:\.\.(\d{1,3}))?\s*,\s*(\d{1,3})(?:\.\.(\d{1,3}))?\s*\)", _facts_of_ranges),
    (
        r"\(?[\"']?\b([A-Za-z])(\d{1,2})\b[\"']?\s*[,:=]\s*[\"']?(-?\w+)[\"']?",
        lambda hole: f"({int(hole[2]) - 1},{ord(hole[1].lower()) - ord('a')}):{hole[3]}",
    ),
    (
        r"[\"']?\b(\w{1,30})[\"']?\s{0,9}[:=]\s{0,9}[\[({]\s{0,9}((?:[\[(]\s*\d{1,3}\s*,\s*\d{1,3}\s*[\])]\s*,?\s*)+)[\])}]",
        lambda holes: " ".join(f"{holes[1]}({place})" for place in re.findall(r"\d+\s*,\s*\d+", holes[2])),
    ),
)
_MOST_FACTS = 400  # that one with ranges stands for
_TRIPLE = re.compile(r"(?<=[\s,;])\(\s*(\d{1,3})\s*,\s*(\d{1,3})\s*,\s*([\"']?\w+[\"']?)\s*\)")
_WORD = re.compile(r"[A-Za-z]{3,}|[^\W\d_\x00-\x7f]{2,}")
_ROW_OF_SIGNS = re.compile(r" *(?:[.XxOo*#●○_01-] ?){3,} *")
_LABEL = re.compile(r"[ \t]*(?:row[ \t]*)?(\d{1,5}|[A-Za-z])(?:[.:|)]?[ \t]|[,;&])", re.IGNORECASE)
_TOML_KEYS = {"edges", "lines", "map", "start", "goal", "legend", "lattice", "title", "objective", "holes", "default"}


@dataclass(frozen=True)
class Grid:
    """The signs of a drawing by row and place.

    ``lists``: they are items of lists, not characters; ``pasted``: signs of a program or a page around it are left out;
    ``note``: what is said of it.
    """

    signs: Mapping[Cell, str]
    lists: bool
    pasted: bool
    note: str = ""

    @property
    def rows(self) -> list[list[Cell]]:
        """The places of the signs, row by row."""
        return [[*cells] for _, cells in groupby(self.signs, key=itemgetter(0))]


def is_toml(text: str) -> bool:
    """Tell whether a text has keys of a board or problem file with such values; no program has ``board = [[1, 0]]``."""
    values = re.findall(r"^[ \t]*[\"']?([\w-]+)[\"']?[ \t]*=(?![>=])[ \t]*(\[\s*\[|.?)(.*)", text, re.MULTILINE)
    return not re.search(r"^[^=\n]*=[^\n]*;[ \t]*$|=\s*\[\s*(?:\[\s*)?[A-Za-z]", text, re.MULTILINE) and any(
        re.fullmatch(r"[\w./-]+[\"']\s*(?:#.*)?", rest) is not None and not {*rest.strip(" \"'")} <= USES.keys()
        if key == "board"
        else key in _TOML_KEYS and (begin in {*"\"'["} or key in ("edges", "lines") or (begin == "{" and "=" in rest))
        for key, begin, rest in values
    )


def without_remarks(text: str) -> str:
    """Return a text without the remarks of programs."""
    return re.sub(r"/\*[\s\S]*?\*/|(?<!\S)(?:#|//|--|%|;+)[ \t].*", "", text)


def meaning_of(words: str) -> str | None:
    """Return what words say that a sign means: outside, vacancy or peg; None if they say something else."""
    words = re.sub(r"(?<=[a-z])(?=[A-Z])|_", " ", words)
    return next((meaning for meaning, form in _MEANINGS if form.search(words)), None)


def without_legend(text: str) -> tuple[str, str | None]:
    """Return a drawing without what says what signs mean, and that as a legend; None without any."""

    def is_said(pair: re.Match[str]) -> bool:
        return meaning_of(pair["words"]) is not None and text.count(pair["sign"]) > 1

    lines, legend = text.split("\n"), dict[str, str | None]()
    for pattern, r in product(_SAYINGS, range(len(lines))):
        pairs = [*filter(is_said, pattern.finditer(lines[r]))]
        start = pairs[0].start() if pairs else 0
        if not (lines[r][:start].endswith("   ") or _ROW_OF_SIGNS.match(lines[r][:start])):  # no row stands before it
            start = 0
        rest = pattern.sub(lambda pair: " " if is_said(pair) else pair[0], lines[r][start:])
        if pairs:
            lines[r] = lines[r][:start].rstrip("( ") or (rest if re.search(r"[^\W\d]{3,}|[\[{]", rest) else "")
        legend |= {pair["sign"]: meaning_of(pair["words"]) for pair in pairs}
    return "\n".join(lines), " ".join(f"{sign}={meaning}" for sign, meaning in legend.items()) or None


def without_size(text: str) -> str:
    """Return a drawing without the first line, if it says how many rows follow, or how many rows and columns; and with
    pegs in place of the numbers of holes that a program writes for them."""
    words = text.split()
    for base in (0, 1):
        others = [word for i, word in enumerate(words, base) if word.upper() not in (str(i), f"{i:X}")]
        if len({*others}) == 1 and len(words) > len(others) + 2 and not others[0].isdecimal():
            return re.sub(r"\w+", lambda number: "●".ljust(len(number[0])), text)
    text = re.sub(r"\A\s*1\n(?=\D+\Z)", "\n", text)
    first, _, rest = re.sub(r"\A1\n(?=\d+(?: \d+)?\n)", "", text.strip("\n")).partition("\n")
    rows, sizes = rest.split("\n"), first.split()
    is_size = len(sizes) in (1, 2) and "".join(sizes).isdecimal() and str(len(rows)) in sizes
    return f"\n{rest}" if is_size and len(rows) > 2 and len(rows[0].strip()) > 2 else text


def has_rows_of_bits(text: str) -> bool:
    """Tell whether a text has hexadecimal numbers, a row each."""
    return len(_MASK.findall(text)) > 2


def plain(text: str) -> str:
    """Return a text with the usual signs and ends of rows in place of those of programs, pages and games."""
    for pattern, sign in _INSTEAD:
        text = re.sub(pattern, sign, text)
    if has_rows_of_bits(text):
        width = max(int(mask, 16).bit_length() for mask in _MASK.findall(text))
        text = _MASK.sub(lambda mask: f"{int(mask[0], 16):0{width}b}", text)
    words = re.split(r"[\s;]+", text.strip())
    lengths = [*map(len, words)]
    if (
        "\n" not in text.strip()
        and len(words) > 2
        and {*"".join(words)} <= USES.keys() - {*("" if ";" in text else "01")}
        and (min(lengths) > 1 or lengths == [*range(1, len(words) + 1)])
    ):
        longest = max(lengths)
        return "\n".join(word.center(longest) for word in words)  # rows in one line
    runs = re.sub(r"(?<!\d)([2-9]|1\d)([XxOo.*#-])", lambda run: run[2] * int(run[1]), text)  # as in 3Xo3X
    widths = [*map(len, re.split(r"[/|$!\n]+", runs.strip()))]
    is_runs = len(widths) > len({*widths}) == 1 and {*text} <= {*"0123456789XxOo.*#-/|$! \n"}
    return runs if is_runs else text


def read_grid(text: str, legend: Collection[str] = ()) -> Grid:
    """Read the signs of a drawing; ``legend``: those that have a meaning. Raises InputError."""
    if facts := read_facts(text, legend):
        return Grid(facts, lists=True, pasted=True, note="each sign by row and column")
    written = len("".join(text.split()))
    rules = find_rules(text.split("\n"))
    text = plain("\n".join(line for r, line in enumerate(text.split("\n")) if r not in rules))
    shape = re.search(r"nrows?\s*=\s*(\d+)|ncols?\s*=\s*(\d+)|reshape\(\(?(\d+)|array2d\(\d\.\.(\d+)", text)
    signs_meant = {*"".join(legend)}

    def blank(part: re.Match[str]) -> str:
        """Return blanks for what is left out, and its ends of lines; signs of a legend stay."""
        return part[0] if signs_meant and {*part[0]} <= signs_meant else re.sub(r"[^\n]", " ", part[0])

    bare = _AROUND.sub(blank, text)
    strings = [string or item for _, string, item in _STRING.findall(bare)]
    longer = [string for string in strings if len(string) > 1 and "".join(without_words(string, legend)).strip()]
    if longer and not any(string in USES for string in longer):
        for row in [row.strip(" ,;[](){}") for row in _STRING.sub("\n", bare).split("\n")]:
            refuse_if(
                len(row) > 1 and row.strip("._- ") and {*row} <= {*"".join(longer), *"XxOo*@●○ "},
                f"cannot read what stands outside of the quotes: {row}; quote all rows, or none",
                line=1,
            )
        bare = "\n".join(strings)
    parts = bare.strip("\n").split("/" if "/" in bare else "|")
    if len(parts) > 1 and "\n" not in bare.strip() and ("/" in bare or min(map(len, parts)) > 2):
        runs = [re.sub("[1-9]", lambda blanks: " " * int(blanks[0]), part) for part in parts]
        bare = "\n".join(runs if len({*map(len, runs)}) == 1 < len({*map(len, parts)}) else parts)
    rows = _rows_of_lists(bare) or _rows_of_table(bare, legend)
    rows = _folded(rows[0], shape, text) if shape and len(rows) == 1 else rows
    if len(rows) == 1 and all(len(item) > 1 for item in rows[0]) and not {*rows[0]} & {*USES, *legend}:
        bare, rows = "\n".join(rows[0]), []  # a list of words
    bare = _FRAME.sub(blank, bare.expandtabs())
    lines = rows or without_labels(without_words(bare, legend))
    signs = {(r, x): sign for r, line in enumerate(lines) for x, sign in enumerate(line) if sign.strip()}
    refuse_if(not signs, "no peg numbers, and no drawing", line=1, column=1)
    cells = re.sub(r"(?<=[|│║┃]) +(?=[|│║┃])", lambda empty: "□".center(len(empty[0])), text)
    if len({*signs.values()}) == 1 and cells != text:
        return read_grid(cells, legend)
    has_words = any(is_word(word, legend) for word in _WORD.findall(text))
    return Grid(
        signs,
        lists=bool(rows),
        pasted=bool(rows) or len("".join(bare.split())) != written,
        note="words beside it are left out" if has_words else "",
    )


def read_facts(text: str, legend: Collection[str]) -> dict[Cell, str]:
    """Return the signs of facts such as ``peg(1,3)``, ``cell(1,3,peg)`` and ``(1, 3): 1`` by row and column."""
    triples = _TRIPLE.findall(text)
    if len({place[:2] for place in triples}) == len(triples) > 4:  # rows of a table of places
        text = _TRIPLE.sub(r" cell(\1,\2,\3)", text)
    for pattern, fact in _FACTS_INSTEAD:
        text = re.sub(pattern, fact, text)
    parts = [[meaning_of(part) or str(part) for part in fact if part] for fact in _FACT.findall(text)]
    by_name = all(fact[0] in {*USES, *legend} and not fact[0].isdecimal() for fact in parts)
    parts = [[*fact[1:], fact[0]] for fact in parts] if by_name else parts
    parts = (
        [[c, r, sign] for r, c, sign in parts] if re.search(r"\bx, ?y\b(?!\)[ \t]*:)", text, re.IGNORECASE) else parts
    )
    facts = {(int(r), int(c)): sign for r, c, sign in parts if r.isdecimal() and sign in {*USES, *legend}}
    is_all = len(parts) > 2 and len(facts) == len(parts) and not re.search(r"\d", _FACT.sub("", text))
    return dict(sorted(facts.items())) if is_all else {}


def find_rules(lines: list[str]) -> set[int]:
    """Return which lines part the rows of a table, by their numbers from 0."""
    rules = {r for r, line in enumerate(lines) if re.fullmatch(r"[ \t|+:]*[-=][ \t|+:=-]*", line)}
    rest = "\n".join(line for r, line in enumerate(lines) if r not in rules)
    if not re.search(r"\|.*\|", rest):  # a rule above or below is no row: it is longer or shorter, and of other signs
        widths = {len(lines[r].strip()) for r in rules} - {1, 2, max(len(line.strip()) for line in rest.split("\n"))}
        is_frame = widths and rules <= {0, len(lines) - 1, len(lines) - 2} and not {*rest} & {*"-="}
        return rules if is_frame else set()
    is_apart = "| " in rest or " |" in rest  # so no row of signs looks like a rule
    return {
        r
        for r in rules
        for line in [lines[r]]
        if (
            is_apart or "|" not in line or "+" in line or ("-" not in rest and line.count("|") != 2)
            if re.search("[-=]{2}", line)
            else r == 1 and "-" not in rest and " " not in line.strip() and len({*rest} - {*" |\n"}) > 1
        )
    }


def is_word(word: str, legend: Collection[str]) -> bool:
    """Tell whether letters are a word, and no signs."""
    letters = {*word.lower()}
    return (
        (
            len(letters.difference("".join(legend).lower(), "xopehin")) > 1
            or word.lower() in {"here", "there", "then", "the", "their", "other", "end", "one", "top", "hop", "tip"}
        )
        and (not word.isascii() or not letters.isdisjoint("aeiouy"))
        and not {word, word.lower()} & {*USES, *legend}
    )


def without_words(text: str, legend: Collection[str]) -> list[str]:
    """Return lines with blanks for their words, and for what stands before these; without a colon also for the rest."""
    lines = text.split("\n")
    for r, line in enumerate(lines):
        if words := [word for word in _WORD.finditer(line) if is_word(word[0], legend)]:
            end = max(line.find(mark, words[-1].end()) for mark in ":=") + 1 or words[-1].end()
            sides = (line[: words[0].start()], line[end:].rjust(len(line)), "")
            lines[r] = max(sides, key=lambda side: bool(_ROW_OF_SIGNS.fullmatch(side)) * len(side.split()))
    return lines


def _items(row: str) -> list[str]:
    """Return the items of a list or of a row of a table."""
    sign = next((sign for sign in "&,;\t" if sign in row), None)
    return [item.strip(" \n\"'|") for item in (row.split(sign) if sign else row.split())]


def _rows_of_lists(text: str) -> list[list[str]]:
    """Return the items of the innermost lists; those of a single list by its lines. Raises InputError."""
    groups = _LIST.findall(text)
    if groups and (stray := re.search(r"(?<![\w=.<\"'-])-?\d+(?![\w.])|(?<!\w)[XxOo*●○](?!\w)", _LIST.sub("", text))):
        raise InputError(f"cannot read what stands outside of the lists: {stray[0]}", line=1)
    rows = [_items(group.rstrip(", \n")) for group in groups]
    refuse_if(
        len(rows) == 2
        and re.fullmatch(r"\d+,\d+", ",".join(rows[1]))
        and len(rows[0]) == int(rows[1][0]) * int(rows[1][1]),
        "a list with its shape may go by rows or by columns: write it row by row",
        line=1,
        column=1,
    )
    if len(rows) == 1:
        lines = [_items(line.strip(", ")) for line in re.split(r"[;|\n]", groups[0]) if line.strip(", ")]
        lengths = [*map(len, lines)]
        is_rectangle = len({*lengths}) == 1 and lengths[0] > 1
        if len(lines) > 1 and (is_rectangle or lengths == [*range(1, len(lines) + 1)]):
            return lines
    lengths = [*map(len, rows)]
    half = lengths[: (len(lengths) + 1) // 2]
    if (lengths != lengths[::-1] or half != sorted(half)) and {b - a for a, b in pairwise(lengths)} not in ({1}, {-1}):
        odd = min(lengths, key=lengths.count)
        raise InputError(
            f"row {lengths.index(odd) + 1} has {plural(odd, 'item')}, and others have more or less", line=1
        )
    return rows


def _rows_of_table(text: str, legend: Collection[str]) -> list[list[str]]:
    """Return the items of rows that are parted by commas, tabulators and the like, or have items of several signs."""
    lines = without_words(text, legend)
    cells = [line.strip() for line in lines if line.strip()]
    if {line[:: len(line) - 1] for line in cells if len(line) > 1} == {"||"} and len(
        {c.count("|") for c in cells}
    ) == 1:
        lines = [line.strip()[1:-1].replace("|", "&") for line in lines]
    words, parted = "\n".join(lines).split(), re.search(r"[,;&].*\S|\S\t|(?<!\S)(?:-1|NA|NaN)(?!\S)", "\n".join(lines))
    are_words = {*words} <= {*USES, *legend} and any(len(word) > 1 for word in words)
    if not (parted or are_words) or not {*legend}.isdisjoint(",;&"):
        bits = re.fullmatch(r"\s*[01]+(?: [01]{2,})+\s*", text)
        return [[*word] for word in text.split()] if bits else []
    rows = [_items(line) for line in without_labels(lines) if line.strip()]
    known = {*USES, *legend, ""}
    has_head = len(rows) > 1 and known.isdisjoint(rows[0]) and all({*row} <= known for row in rows[1:])
    return rows[has_head:]


def _folded(items: list[str], shape: re.Match[str], text: str) -> list[list[str]]:
    """Return the rows of a matrix whose items are a single list: by columns in R, unless it says otherwise."""
    number = next(int(size) for size in shape.groups() if size)
    width = number if shape[2] else len(items) // max(1, number)
    if "matrix(" in text and not re.search(r"byrow\s*=\s*T", text):
        height = len(items) // max(1, width)
        return [items[r::height] for r in range(height)]
    return [items[i : i + width] for i in range(0, len(items), width or 1)]


def without_labels(lines: list[str]) -> list[str]:
    """Leave out the numbers or letters that stand in their order beside a picture, above it and below it."""
    drawn = [r for r, line in enumerate(lines) if line.strip()]
    scales = [r for r in {*drawn[:1], *drawn[-1:]} if is_scale(lines[r])]
    for rows in (drawn, [r for r in drawn if r not in scales], drawn[1:] if len(drawn) > 3 else drawn):  # below a title
        labels = {r: match for r in rows if (match := _LABEL.match(lines[r]))}
        numbers = [int(label[1]) if label[1].isdecimal() else ord(label[1]) for label in labels.values()]
        steps = {b - a for a, b in pairwise(numbers)}
        heads = len(rows) < len(drawn)
        if len(labels) == len(rows) and (steps in ({1}, {-1}) or (heads and not steps)) and (len(rows) > 2 or heads):
            head = lines[drawn[0]].lower().split()
            letters = len(head) if head[0] == "a" else -1
            is_twice = len(rows) > 1 and all(
                re.search(rf"\s{label[1]}\s*$", lines[r][label.end() :]) for r, label in labels.items()
            )
            for r in drawn:
                end = labels[r].end() if r in rows else len(lines[r])
                second = labels[r][1] if is_twice and r in rows else ""
                lines[r] = " " * end + lines[r][end:].rstrip().removesuffix(second)
                if letters > 0 and lines[r].endswith(f" {column_letters(letters)}"):  # columns that lean begin here
                    lines[r] = lines[r].removesuffix(column_letters(letters))
                    letters += 1
            return lines
    for r in scales:
        lines[r] = "" if re.search(r"[b-z4-9]", lines[r], re.IGNORECASE) else lines[r]
    return lines


def is_scale(line: str) -> bool:
    """Tell whether a line has the letters or numbers of columns, in their order."""
    signs = re.findall(r"[^\s,;&|]+", line.lower())
    counts = [[str(first + i) for i in range(len(signs))] for first in (0, 1)]
    return (len(signs) > 1 or signs == ["a"]) and signs in ([column_letters(i) for i in range(len(signs))], *counts)
