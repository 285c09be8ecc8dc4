"""Read facts that say what is on each place: ``peg(1,3)``, ``cell(1,3,peg)``, ``(1, 3): 1``, objects, places."""

import re
from collections.abc import Collection

from pegcp.formats.signs import USES, Spellings, meaning_of
from pegcp.game import Cell

_FACT = re.compile(
    r"\b([A-Za-z]\w*)\(\s*(\d{1,3})\s*,\s*(\d{1,3})\s*\)"
    r"|\b\w+\(\s*(\d{1,3})\s*,\s*(\d{1,3})\s*,\s*[\"']?(\w+)[\"']?\s*\)"
    r"|\(\s*(\d{1,3})\s*,\s*(\d{1,3})\s*\)\s*:\s*(-?\w+)"
)
_MOST_FACTS = 400  # that one with ranges stands for, and facts with ranges in a text
_AXES = {**dict.fromkeys(("row", "r", "y"), 0), **dict.fromkeys(("col", "column", "c", "x"), 1)}


def _fact_of_object(braces: re.Match[str]) -> str:
    """Return what an object with its row, its column and what is there says, as a fact; other braces as they are."""
    fields = [(key.lower(), value) for key, value in re.findall(r"[\"']?(\w+)[\"']?\s*[:=]\s*[\"']?(-?\w+)", braces[1])]
    places = sorted((_AXES[key], value) for key, value in fields if key in _AXES)
    marks = [
        str(value.lower() == "false") if meaning_of(key) == "vacancy" and value.lower() in ("true", "false") else value
        for key, value in fields
        if key not in _AXES and value in USES and key != "id"
    ]
    is_fact = [axis for axis, _ in places] == [0, 1] and len(marks) == 1  # not of pixels beside the row and column
    return f"({places[0][1]},{places[1][1]}):{marks[0]}" if is_fact else braces[0]


def _facts_of_ranges(fact: re.Match[str]) -> str:
    """Return the facts that one with ranges, such as ``peg(1..2,3)``, stands for."""
    rows, columns = (range(int(a), int(b or a) + 1) for a, b in (fact.group(2, 3), fact.group(4, 5)))
    if len(rows) * len(columns) > _MOST_FACTS:
        return fact[0]
    return " ".join(f"{fact[1]}({r},{c})" for r in rows for c in columns)


_FACTS_INSTEAD: Spellings = (  # how facts are written elsewhere
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
        r"[\"']?\b(\w{1,30})[\"']?\s{0,9}[:=]\s{0,9}[\[({]\s{0,9}"
        r"((?:[\[(]\s*\d{1,3}\s*,\s*\d{1,3}\s*[\])]\s*+(?:,\s*+)?)+)[\])}]",
        lambda holes: " ".join(f"{holes[1]}({place})" for place in re.findall(r"\d+\s*,\s*\d+", holes[2])),
    ),
)
_TRIPLE = re.compile(r"(?<=[\s,;])\(\s*(\d{1,3})\s*,\s*(\d{1,3})\s*,\s*([\"']?\w+[\"']?)\s*\)")


def read_facts(text: str, legend: Collection[str]) -> dict[Cell, str]:
    """Return the signs of facts such as ``peg(1,3)``, ``cell(1,3,peg)`` and ``(1, 3): 1`` by row and column."""
    if text.count("..") > _MOST_FACTS:
        return {}
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
