"""Read positions written as holes: by letters, by running numbers, by numbers of the grid, or as bits of a number."""

import re
from collections import Counter
from contextlib import suppress

from pegcp.errors import InputError, line_and_column, refuse_if
from pegcp.formats.labels import without_labels
from pegcp.formats.namings import places
from pegcp.game import SCHEMES, Board, hole_names, read_hole, scheme_in_words

_WORD = re.compile(r"[^\s,;()\[\]{}]+(?<!\.)")
_MASK = re.compile(  # perhaps with a name
    r"(?:[^=\n]*=|[a-z]\w*[\s:])?\s*(0[xX](?:_?[0-9A-Fa-f]){1,2500}|(?=\d*[2-9])[1-9](?:_?\d){5,2999})[uUlLn]{0,3}\s*;?"
)
_PAIR = re.compile(r"[(\[]\s*(\d{1,4})\s*,\s*(\d{1,4})\s*[)\]]|(?<!\w)(\d)(\d)(?!\w)")  # or two digits
_NUMBERS = re.compile(r"[(\[{]?\s*-?\d+(?![^\s,;)\]}])(?!.*[XoO●○*#+])", re.DOTALL)
_BESIDE = re.compile(
    r"\A\s*(?:\{\s*)?[\"']?[A-Za-z]{1,30}[\"']?\s*(?:[:=]|\((?=\[[^\[\]]*\]\)?\.?\s*\Z))\s*"
)  # a key before a list, or a title


def is_mask(text: str) -> bool:
    """Tell whether a text is a number, in hexadecimal or too large for a hole, whose bits are holes."""
    return _MASK.fullmatch(text.strip()) is not None


def read_mask(board: Board, text: str) -> tuple[int, str]:
    """Read the pegs of a position (a bit mask) from a number, and which of its bits is the first hole, in words.

    Bits are holes row by row, or all places of the grid. Raises InputError if they do not fit, or fit in two ways.
    """
    number, masks = int(_MASK.sub(r"\1", text.strip()), 0), dict[int, str]()
    for scheme in ("zero", "grid") if board.cells else ("zero",):
        places = [int(name) for name in hole_names(board, scheme)]
        for first, bits in (("lowest", places), ("highest", [places[0] + places[-1] - place for place in places])):
            if not number & ~sum(1 << bit for bit in bits):
                mask = sum(1 << hole for hole, bit in enumerate(bits) if number >> bit & 1)
                masks.setdefault(mask, f"bits of a number, the {first} first, {scheme_in_words(board, scheme)}")
    signs = ["".join("01"[mask >> hole & 1] for hole in range(len(board.holes))) for mask in masks]
    ways = f"can be {' or '.join(signs)}; type the one that is meant" if masks else f"do not fit board {board.name}"
    refuse_if(len(masks) != 1, f"the bits of {text.strip()} {ways}", line=1, column=1)
    ((mask, words),) = masks.items()
    return mask, f"{words}, on board {board.name}"


def are_numbers(text: str) -> bool:
    """Tell whether a text holds numbers of holes, and no signs or bits of a drawing."""
    lines = _BESIDE.sub("", text).strip().split("\n")
    text = "\n".join(without_labels(lines) if len(lines) > 1 else lines)
    words = _WORD.findall(text)
    bits = all(re.fullmatch("[0-2]+", word) for word in words)
    drawn = (
        len(words) == 1
        or {len(word) for word in words} == {1}
        or "\n" in text.strip()
        or min(map(len, words), default=0) > 2
        or [*map(len, words)] == [*range(1, len(words) + 1)]
    )
    signs = {"-1", "0", "1", "2", *("39" if "\n" in text.strip() else "")}
    is_thrice = max(Counter(words).values(), default=0) > 2  # so it is no hole
    has_sign = is_thrice or ("x" in words and len(words) > 2 and max(map(len, words)) == 1)  # among digits
    return _NUMBERS.match(text.strip()) is not None and not ({*words} <= signs or (bits and drawn) or has_sign)


def read_numbers(board: Board, text: str, numbering: str | None = None) -> tuple[int, str]:
    """Read the pegs of a position (a bit mask), and how the holes are numbered, in words.

    Without ``numbering`` names of holes are taken, or the only numbering that fits. Raises InputError.
    """
    text = _BESIDE.sub(lambda key: " " * len(key[0]), text)
    is_list = (text.count("[") == 1 and "(" not in text) or text.strip().isdecimal()  # of two numbers, or one number
    are_pairs = not re.sub(r"[\s,;:\[\](){}\"']", "", _PAIR.sub("", text)) and not is_list
    in_brackets = are_pairs and re.search(r"[(\[]\s*\d+\s*,", text) is not None
    masks: dict[str, int] = {}  # by schemes, or by ways to write places, in words
    schemes = [numbering] if numbering else [] if in_brackets and board.cells else [*SCHEMES]
    for scheme in schemes:
        with suppress(InputError):
            masks[scheme] = _mask(board, text, scheme)
    advice = f"write the names of holes, such as {board.holes[0]}"
    pairs = {(int(a or c), int(b or d)) for a, b, c, d in _PAIR.findall(text)}
    if are_pairs and board.cells and numbering is None and "letters" not in masks:
        fitting = ((words, holes) for words, holes in places(board) if holes.keys() >= pairs)
        masks |= {words: sum(1 << holes[pair] for pair in pairs) for words, holes in fitting}
        refuse_if(not masks, f"these are no places of board {board.name}; {advice}", line=1, column=1)
    if not masks:
        _mask(board, text, schemes[-1] if are_numbers(text) else schemes[0])  # which says why not
    ways = {
        scheme: f"{scheme_in_words(board, scheme)} (--numbering {scheme})" if scheme in SCHEMES else scheme
        for scheme in masks
    }
    refuse_if(
        "letters" not in masks and len({*masks.values()}) > 1,
        f"these can be {' or '.join(ways.values())}; {advice}",
        line=1,
        column=1,
    )
    scheme, mask = next(iter(masks.items()))
    if scheme == "letters" and board.numbered_from is not None and are_numbers(text):
        scheme = "one" if board.numbered_from else "zero"  # as the holes of this board are often numbered
    read_as = f"{scheme_in_words(board, scheme)} on board" if scheme in SCHEMES else f"{scheme}, on board"
    return mask, "" if scheme == "letters" else f"{read_as} {board.name}"


def are_places(text: str) -> bool:
    """Tell whether a text holds pairs of numbers, and no signs of a drawing."""
    numbers = {int(number) for number in re.findall(r"\d{1,5}", text)}
    return max(numbers, default=0) > 2 and re.search(r"\d", _PAIR.sub("", text)) is None


def _mask(board: Board, text: str, scheme: str) -> int:
    mask = 0
    for word in _WORD.finditer(text):
        try:
            peg = 1 << read_hole(board, word[0].lstrip("0")[:20] or "0", scheme)
            refuse_if(mask & peg, f"{word[0]} is given twice")
        except InputError as error:
            error.line, error.column = line_and_column(text, word.start())
            raise
        mask |= peg
    return mask
