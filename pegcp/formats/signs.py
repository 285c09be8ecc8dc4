"""Signs with which people draw positions: their uses, the words that say what they mean, other spellings."""

import re
from collections.abc import Callable, Collection
from html import unescape
from itertools import product

_WORDS = {
    "p": "peg true full occupied filled",
    "v": "hole empty vacant vacancy hollow open",
    "o": "none null na nan out outside wall invalid blocked off unused border forbidden not non",
    "vo": "nil false",
}
USES = {  # the first letters of what people use a sign for: peg, vacancy, outside, free
    **{
        case(word): use
        for use, words in _WORDS.items()
        for word in words.split()
        for case in (str, str.upper, str.capitalize)
    },
    **dict.fromkeys("XPIipTtYy●⬤•■◉⚫🔴🔵🟢🟡🟠🟣🟤⭐★@&!", "p"),
    **dict.fromkeys("○◯◌◦∘eEhH🕳", "v"),
    **dict.fromkeys("._-·□", "vo"),
    **dict.fromkeys("*oO1F", "pv"),
    **dict.fromkeys("#█⬛🟥🟧🟨🟩🟦🟪🟫", "po"),
    **dict.fromkeys(("-1", "3", "9", "~", "NaN", "🧱"), "o"),
    **dict.fromkeys("0nN⬜", "vo"),
    **dict.fromkeys("2x+", "pvo"),
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
    "O": "o",
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
    r"(?:[-=]>|:=|[=:]|[-–—](?=[ \t])|(?<=[^\x00-\x7f])[ \t]|(?<=^.)[ \t]{2,}+"
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
Spellings = tuple[tuple[str, str | Callable[[re.Match[str]], str]], ...]
_ALIKE = str.maketrans("ХхОоΧχΟο", "XxOoXxOo")  # letters of other alphabets that look like X and o
FULL_WIDTH = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)}  # letters, digits and signs as wide as ideographs
WIDE = FULL_WIDTH | str.maketrans("\u3000・×", " ·x")
_SPELLINGS: Spellings = (  # how signs, cells and ends of rows are written elsewhere, and what is read there
    # Characters, styles of emoji, colours of a terminal
    (
        r"\r|[\ufe0e\ufe0f\ufeff\u20e3]|\x1b\[[\d;]*m|<!--(?:(?!<!--)[^\n])*?-->",
        "",
    ),
    (r"&(?:#\d+|#x[0-9a-fA-F]+|[a-zA-Z]+);", lambda entity: unescape(entity[0])),
    (r"\u00a0", " "),
    (r"(?<![^\W\d_])[XxOo]*[ХхОоΧχΟο][XxOoХхОоΧχΟο]*(?![^\W\d_])", lambda signs: signs[0].translate(_ALIKE)),
    (r":(?:red|orange|yellow|green|blue|large_blue|purple|brown)_circle:", "🔵"),
    (r":white_circle:", "⚪"),
    (r":(?:black|white)_\w*square\w*:", "⬛"),
    # LaTeX
    (r"\\(?:math\w+|text\w*)\{([^{}\s])\}|\\multicolumn\{1\}\{[^{}]*\}\{([^{}]*)\}", r"\1\2"),
    (r"\\bullet\b", "●"),
    (r"\\(?:big)?circ\b", "○"),
    (r"\\cdot\b", "."),
    (r"\$([^\s$]{1,9})\$", r"\1"),
    (r"\\(?:leadsto|(?:[Ll]ong)?[Rr]ightarrow|to|mapsto)\b", "\n→\n"),
    (r"\\\\[ \t]*(?:\n|(?=\s|$))", "\n"),
    (r"\\(?:begin|end)\{\w+\}(?:\{[^}\n]{0,99}\})?|\\[hc]line(?:\{[^}\n]{0,99}\})?|\\(?:[;,\[\]()]|quad\b)", " "),
    # HTML, wikis, forums, Markdown
    (
        r"<(?:td|th|span|div|i)\b[^<>]{0,200}\bclass=[\"']?(?:[\w-]{1,30} ){0,9}([\w-]{1,30})[^<>]{0,200}>\s*(?=</)",
        r"\1, ",
    ),
    (r"<\w+\s+\w+=[\"']([^\"'<>]*)[\"']\s*/>", r"\1, "),
    (r"</t[dh]>\s*<t[dh]\b[^<>]*>", "&"),
    (r"<br ?/?>\n?|</(?:tr|div|p|li|row)>\n?", "\n"),
    (r"<((?:\w,)+\w)>", r"[\1]"),  # a sequence
    (r"</?[A-Za-z][^<>\n]*>|\[/?(?:code|pre|quote|spoiler)\b[^\[\]\n]*\]|(?m:^[ \t]*(?:`{3}|~~~(?=\w*$)).*$)", ""),
    (r"(?m:^)(?:\{\||\|\}|\|-(?=[ \t]*\n)|\|={3,}).*\n?", ""),  # tables of wikis
    (r"(?m:^\^.*\^[ \t]*\n)|(?m:^\^ \d+ (?=\|))", ""),  # headers
    (r"\|\|", "|"),
    # Programs
    (r"\\n\\\n\s*\\?", r"\\n"),
    (r"(?<![ \t])[ \t]*\\(?=\n|\Z)", ""),
    (r"(?:\b0b|#b|%)(?=[01])([01_]{2,})", lambda bits: bits[1].replace("_", "")),
    (r"(?<=\d)-1(?=-1|\s|\Z)", " -1"),  # in columns as wide as their numbers
    (r"(?m:^)([ \t]*-[ \t]+)([^\s'\"\[{-][^\s'\"]+)[ \t]*(?m:$)", r"\1'\2'"),  # items of YAML without quotes
    (  # the form of Tatham's game of pegs
        r"\b(\d{1,2})x\d{1,2}\w*:([OPH]{9,})\b",
        lambda game: re.sub("(.{" + game[1] + "})", r"\1\n", game[2].translate({79: ".", 80: "X", 72: "o"})),
    ),
    (r"(?m:^[ \t]*\[\d+,\]|\[,\d+\])", lambda label: " " * len(label[0])),  # of rows and columns in R
    (r"/\*.{0,999}?\*/", lambda remark: " " * len(remark[0])),
    (
        r"(?m:(?<=\S)[ \t]*(?:(?:#|//|--|%|(?<!;);+|/\*)[ \t]+(?=\w)|(?<=  )(?:<-++|←))[^#%;\n]{0,300}+$)",
        lambda remark: "" if has_words(remark[0]) else remark[0],
    ),
    # Boxes, and a triangle around
    (r"(?<=\])\[([012])\]|(?<![\w\]])\[([012])\](?=\[)", r" \1\2 "),
    (r"(?<![\w,\[({])[\[(]([^\w\s]|[^\W\d])[\])](?!\s*[,\])}])", r" \1 "),
    (r"(?<![\w,\[({])(?:\[ \]|\( \))(?!\s*[,\])}])", " □ "),
    (r"(?<=\|)_(.)_(?=\|)", r" \1 "),
    (r"(?m:^[ \t]*(?:\^|/[_ -]{2,}+\\?)[ \t]*$)", ""),
    (r"(?m:^([ \t]*)/((?: \w| [^\w\s])+) \\?[ \t]*$)", r"\1 \2"),
)
_MASK = re.compile(r"\b0[xX][0-9a-fA-F]{1,8}\b")
_BITS = re.compile(r"(?:\b0b|#b|%)[01_]{3,}\b")
_ROW_OF_SIGNS = re.compile(r" *(?:[.XxOo*#●○_01-] ?){3,} *")
_TOML_KEYS = {"edges", "lines", "map", "start", "goal", "legend", "lattice", "title", "objective", "holes", "default"}
WORD = re.compile(r"[^\W\d_][\w'’]*")
_SHORT_WORDS = {  # that could be signs
    "the", "then", "there", "here", "their", "other", "one", "end", "top", "hop", "tip", "not", "fin", "to", "in", "he",
    "is", "of", "on", "at",
}  # fmt: skip


def is_toml(text: str) -> bool:
    """Tell whether a text has keys of a board or problem file with such values; no program has ``board = [[1, 0]]``."""
    values = re.findall(r"^[ \t]*[\"']?([\w-]+)[\"']?[ \t]*=(?![>=])[ \t]*(\[\s*\[|.?)(.*)", text, re.MULTILINE)
    no_toml = (
        r"^[^=\n]*=[^\n]*;[ \t]*$|=\s*\[\s*(?:\[\s*)?[A-Za-z]"
        r"|^[ \t]*(?:start|goal)[ \t]*=[ \t]*\[\s*[\"'][ .XxOo*#●○_01@-]{3,}[\"']"
    )
    return not re.search(no_toml, text, re.MULTILINE) and any(
        re.fullmatch(r"[\w./-]+[\"']\s*(?:#.*)?", rest) is not None and not {*rest.strip(" \"'")} <= USES.keys()
        if key == "board"
        else key in _TOML_KEYS and (begin in {*"\"'["} or key in ("edges", "lines") or (begin == "{" and "=" in rest))
        for key, begin, rest in values
    )


def without_remarks(text: str) -> str:
    """Return a text without the remarks of programs."""
    return re.sub(r"/\*(?:(?!/\*)[\s\S])*?\*/|(?<!\S)(?:#|//|--|%|;+)[ \t].*", "", text)


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
        rest = pattern.sub(lambda pair: " " if meaning_of(pair["words"]) else pair[0], lines[r][start:])
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
    """Tell whether a text has hexadecimal or binary numbers, a row each."""
    return len(_MASK.findall(text)) > 2 or len(_BITS.findall(text)) > 2


def unify_spelling(text: str) -> str:
    """Return a text with the usual signs and ends of rows in place of those of programs, pages and games."""
    for pattern, sign in _SPELLINGS:
        text = re.sub(pattern, sign, text)
    masks = _MASK.findall(text)
    width = max(int(mask, 16).bit_length() for mask in masks) if len(masks) > 2 else 0
    return _MASK.sub(lambda mask: f"{int(mask[0], 16):0{width}b}", text) if width else text


def is_word(word: str, legend: Collection[str] = ()) -> bool:
    """Tell whether letters are a word: no sign, and no row of signs."""
    letters, own = {*word}, {*legend} - USES.keys()
    if {word, word.lower()} & {*USES, *own} or (own and letters <= USES.keys() | own):
        return False
    if word.lower() in _SHORT_WORDS or len(word) < 3:
        return word.lower() in _SHORT_WORDS or not word.isascii() or word[1:].isdecimal()
    strange = {*word.lower()}.difference("".join(own).lower(), "xopehin")
    is_row = (letters <= USES.keys() | own and len(letters) < 4) or 2 * len(letters) < len(word)
    return len(strange) > (len(letters) < 4) and not is_row


def has_words(text: str, legend: Collection[str] = ()) -> bool:
    """Tell whether a text has words beside signs."""
    return any(is_word(word, legend) for word in WORD.findall(text))
