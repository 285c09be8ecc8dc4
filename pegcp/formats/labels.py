"""Leave out what stands beside the rows of a drawing: rules between them, and labels of rows and columns."""

import re
from itertools import pairwise

from pegcp.formats.signs import has_words
from pegcp.game import column_letters

_LABEL = re.compile(r"[ \t]*(?:row[ \t]*)?(\d{1,5}|[A-Za-z])(?:[.:|)]?[ \t]|[,;&])", re.IGNORECASE)


def find_rules(lines: list[str]) -> set[int]:
    """Return which lines part the rows of a table, by their numbers from 0."""
    rules = {r for r, line in enumerate(lines) if re.fullmatch(r"[ \t|+:]*[-=_][ \t|+:=_-]*", line)}
    rest = "\n".join(line for r, line in enumerate(lines) if r not in rules)
    if not re.search(r"\|.*\|", rest):  # a rule above or below is no row: it is longer or shorter, and of other signs
        rows = {r: line.strip() for r, line in enumerate(lines) if line.strip() and not has_words(line)}
        widest = max((len(row) for r, row in rows.items() if r not in rules), default=0)
        return {
            r
            for r in rules & rows.keys()
            if len({*rows[r]}) == 1 and len(rows[r]) not in (1, 2, widest) and rows[r][:2] not in rest
            if not (r - 1 in rows and r + 1 in rows)
        }
    is_apart = "| " in rest or " |" in rest  # so no row of signs looks like a rule
    return {
        r
        for r in rules
        for line in [lines[r]]
        if (
            is_apart or "|" not in line or "+" in line or ("-" not in rest and line.count("|") != 2)
            if re.search("[-=]{2}", line) or ("+" in line and "|" not in line)
            else r == 1 and "-" not in rest and " " not in line.strip() and len({*rest} - {*" |\n"}) > 1
        )
    }


def without_labels(lines: list[str]) -> list[str]:
    """Leave out the numbers or letters that stand in their order beside a picture, above it and below it."""
    content = [r for r, line in enumerate(lines) if line.strip()]
    scales = [r for r in {*content[:1], *content[-1:]} if is_scale(lines[r])]
    for rows in (
        content,
        [r for r in content if r not in scales],
        content[1:] if len(content) > 3 else content,
    ):  # below a title
        labels = {r: match for r in rows if (match := _LABEL.match(lines[r]))}
        numbers = [int(label[1]) if label[1].isdecimal() else ord(label[1]) for label in labels.values()]
        steps = {b - a for a, b in pairwise(numbers)}
        heads = len(rows) < len(content)
        if len(labels) == len(rows) and (steps in ({1}, {-1}) or (heads and not steps)) and (len(rows) > 2 or heads):
            head = lines[content[0]].lower().split()
            letters = len(head) if head[0] == "a" else -1
            is_twice = len(rows) > 1 and all(
                re.search(rf"\s{label[1]}\s*$", lines[r][label.end() :]) for r, label in labels.items()
            )
            for r in content:
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
