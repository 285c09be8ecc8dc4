"""Read what words say of a position and of its goal, in the languages in which people write of this game."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from pegcp.errors import InputError, refuse_if
from pegcp.formats.namings import places
from pegcp.formats.numbers import read_numbers
from pegcp.formats.signs import EMPTY, PEG, USES
from pegcp.game import Board, Exact, Goal, OnePeg, Position, Problem, read_hole

_EMPTY = re.compile(EMPTY)
_EXCEPT = re.compile(
    rf"{EMPTY}|but|except|excluding|without|missing|removed?|removing|außer|ohne|sauf|excepto|salvo|menos|menys"
    r"|tranne|eccetto|exceto|кроме|без|quit\w+|enlev\w+|retir\w+|remov\w+"
)
_NONE_BUT = re.compile(  # all the others are empty
    rf"(?:{EMPTY}|removed)\b.{{0,200}}\b(?:but|except|excluding|apart|außer|sauf|excepto|salvo|menos|tranne|кроме)\b"
)
_NOT = re.compile(r"\b(?:not|never|nicht|kein\w*|pas|no|не)\b|n't\b")
_MIDDLE = re.compile(
    r"cent(er|re|ral\w*|ro)|middle|mitte|mittler\w*|zentrum|milieu|medio|meio|midden|центр\w*|中央|中心|正中"
)
_END = re.compile(
    r"\b(?:last|finish(?:e[sd]|ing)?|goal|target|end(?:s|ing)? (?:with|in|at|up|the game)|end position|solved? with"
    r"|remain(?:s|ing)?|leav(?:e|es|ing)|left(?!\W*\d)|letzte\w*|übrig|bleib\w*|schluss|ziel\w*|derni[eè]re?|rest[ae]\w*|fin(?:ir)?"
    r"|final (?:position|state|peg)"
    r"|qued[ae]\w*|[uú]ltim\w+|termin\w+|objetivo|riman\w+|fica\w*|послед\w+|оста\w+|doel|laatste"
    r"|ostatni\w*|sista|wins? if)\b|最后|最後|剩|残"
)
_ANYWHERE = re.compile(r"any|anywhere|irgendwo|egal|beliebig\w*|n'importe|cualquier\w*|qualsiasi|qualquer|любо\w*")
_SAME = re.compile(r"initial|original|starting|same|initialement|selben?|même|mism[ao]|stess[ao]")
_SAYING = re.compile(
    r"a|all|every(thing)?|each|has|have|had|pegs?|marbles?|one|only|just|exactly|squares?|spots?|places?|at|in|of|on|with"
    r"|and|the|is|are|be|to|there|that|this|must|should|end|ends|stand|stay|full|filled|occupied|start(ing)?|begin|initial|remaining|left"
    r"|single|solitaire|standard|classic|game|puzzle|cross|shaped|triangle|board|from|position|for"
    r"|holes?|alle|besetzt|felder|ein|eine|der|die|das|im|in|dem|stein|feld|loch|brett|nur|ist|sind|soll|stehen|und"
    r"|il|doit|une?|bille|au|du|est|le|la|les|toutes|tous|cases|trous?|sont|occupées?|el|los|las|todas|todos|casillas|ocupadas|tablero|fichas?|la|debe|quedar|están|en"
)
BOARD_WORDS = {
    "english": r"engl[a-z]+|engels\w*|anglaise?s?|ingl[eéê]s[ae]?|английск\w*|英国|英式|イギリス",
    "french": r"french|europ[a-z]+|français[es]*|französisch\w*|franc[eé]s[ae]?|французск\w*|ヨーロッパ",
    "wiegleb": r"wiegleb(?:'s)?|german",
    "triangle15": r"cracker ?barrel",
}
_COUNT = re.compile(
    r"\b(\d{2,3})[- ]?(?:bits?|holes?|löcher\w*|(?:spiel)?felder\w*|trous|cases|fori|agujeros|hoyos"
    r"|huecos|buracos|casas|casillas|forats|пол[еяй]\w*|лун\w+|bolitas|穴|孔)"
)
_PEGS = re.compile(
    r"\b(\d{1,3})\s+(?:pegs?|marbles?|pins?|pieces?|stones?|balls?|counters?|steine?|billes?|bolitas?)\b"
)
_COUNTED = re.compile(rf"\b(?:{PEG})[ \t]*[:=][ \t]*(\d{{1,9}})\b")
_FEWEST_HOLES = 10  # in a picture of their numbers
_PAIRS = re.compile(r"[(\[]\s*\d+\s*,\s*\d+\s*[)\]]")
_ADVICE = 'write the names of the holes with pegs alone, or "all but" and those without'
_WORD = re.compile(r"[^\W\d]\w*(?:'[a-z]\w*)?")


def name_holes(board: Board, text: str) -> bool:
    """Tell whether a text has words in each line, not signs of a drawing alone, and they name holes or say which."""
    lines = [line.lower().split() for line in text.split("\n") if line.strip()]
    is_drawn = any(not any(map(str.isalpha, "".join(line))) or (len(line) > 2 and {*line} <= {*USES}) for line in lines)
    words = _WORD.findall(text.lower())
    are_known = (any(known.fullmatch(word) for known in (_SAYING, _EXCEPT, _MIDDLE)) for word in words)
    return not is_drawn and (any(map(board.has_hole, words)) or (len(words) > 1 and all(are_known)))


def read_words(board: Board, text: str) -> tuple[int, str]:
    """Read the pegs of a position (a bit mask) from words such as "all holes are filled except d4"; and how, in words.

    Raises InputError for other words.
    """
    pegs_alone = re.search(r"\bpegs?[\"']?\s*[:=]\s*[\[{(]([^\[\](){}]*)[\])}]", text, re.IGNORECASE)
    counts = [int(count) for count in _PEGS.findall(text.lower())]
    words = re.findall(r"\w+", _PEGS.sub(" ", (pegs_alone[1] if pegs_alone else text).lower()))
    middle = _middle(board)
    words = [middle if middle and _MIDDLE.fullmatch(word) else word for word in words]
    holes = [word for word in words if board.has_hole(word) or word.isdecimal()]
    names = {*holes}
    others = [word for word in words if word not in names and not _EXCEPT.fullmatch(word)]
    is_all_but = len(holes) + len(others) < len(words) and not _NONE_BUT.search(text.lower())
    refuse_if(
        (not is_all_but and any(word.startswith("hole") for word in others))
        or not (holes and all(map(_SAYING.fullmatch, others)))
        or re.search(r"\b(?:left|remaining)\W+\d", text, re.IGNORECASE) is not None,
        _ADVICE,
        line=1,
        column=1,
    )
    pegs, read_as = read_numbers(board, " ".join(_PAIRS.findall(text)) or f"({' '.join(dict.fromkeys(holes))})")
    pegs = board.full & ~pegs if is_all_but else pegs
    refuse_if(
        counts and counts != [pegs.bit_count()],
        f"the words say {' and '.join(map(str, counts))} pegs, and name holes of {pegs.bit_count()}",
        line=1,
    )
    return pegs, read_as or f"words about holes of board {board.name}"


def _middle(board: Board) -> str | None:
    """Return the hole in the middle, where all holes balance; None if there is none."""
    middle = tuple(sum(axis) / len(axis) for axis in zip(*board.cells or ((-1, -1),), strict=True))
    return next((hole for hole, cell in zip(board.holes, board.cells or (), strict=False) if cell == middle), None)


def _hole(board: Board, text: str) -> str | None:
    """Return the hole that words name, or the one in the middle; None for none, and for several."""
    words = _WORD.findall(text.lower())
    holes = {word for word in words if len(word) > 1 and board.has_hole(word)}
    holes |= {_middle(board) or "" for word in words if _MIDDLE.fullmatch(word)} - {""}
    for row, column in re.findall(r"\(\s*(\d{1,9})\s*,\s*(\d{1,9})\s*\)", text):
        holes |= {
            board.holes[ways[int(row), int(column)]] for _, ways in places(board) if (int(row), int(column)) in ways
        }
        holes = holes & {_middle(board) or ""} or holes  # else from 0 or from 1
    return holes.pop() if len(holes) == 1 else None


def _sentences(text: str) -> Iterator[tuple[str, str]]:
    """Yield the parts of each sentence before and from the word that tells of the end of the game."""
    for sentence in re.split(r"[.!?;\n。]+(?!\d)", text.lower()):
        end = _END.search(sentence)
        yield (sentence[: end.start()], sentence[end.start() :]) if end else (sentence, "")


def with_words(problem: Problem, text: str) -> Problem:
    """Return the problem of a drawing with the goal that the words beside it tell.

    Raises InputError if they say something else than the drawing.
    """
    board, counts = problem.board, {int(count) for count in _COUNT.findall(text.lower())}
    refuse_if(
        counts and len(board.holes) not in counts,
        f"the words say {' and '.join(map(str, counts))} holes, and the drawing has "
        f"{len(board.holes)}: mend one of them",
        line=1,
    )
    vacancies = [hole for i, hole in enumerate(board.holes) if not problem.start.mask >> i & 1]
    pegs = {int(count) for start, _ in _sentences(text) for count in _COUNTED.findall(start)} - {len(problem.start)}
    refuse_if(
        pegs,
        f"the words say {min(pegs, default=0)} pegs, and the drawing has {len(problem.start)}: mend one of them",
        line=1,
    )
    for start, _ in _sentences(text):
        hole = _hole(board, start)
        refuse_if(
            hole and hole not in vacancies and any(map(_EMPTY.fullmatch, _WORD.findall(start))),
            f"the words say that {hole} is empty, and the drawing has a peg there (and none in "
            f"{', '.join(vacancies[:5])}): mend one of them",
            line=1,
        )
    goal = read_goal(board, problem.start.mask, text)
    refuse_if(
        isinstance(goal, Exact) and isinstance(problem.goal, Exact) and goal != problem.goal,
        "the words say another goal than the drawing: mend one of them",
        line=1,
    )
    is_other = goal != problem.goal == OnePeg()
    if goal and is_other:
        return replace(problem, goal=goal, read_as=f"{problem.read_as}; the goal in words".removeprefix("; "))
    is_lost = is_other and "words beside" in problem.read_as and any(end for _, end in _sentences(text))
    return replace(problem, read_as=f"{problem.read_as}{', also of the goal: say it by --goal' * is_lost}")


def read_goal(board: Board, start: int, text: str) -> Goal | None:
    """Return the goal that words tell for a start (a bit mask); None if they do not, or not clearly."""
    vacancies, goals = [hole for i, hole in enumerate(board.holes) if not start >> i & 1], set[Goal]()
    for _, end in _sentences(text):
        words, hole = _WORD.findall(end), _hole(board, end)
        if not hole and len(vacancies) == 1 and any(map(_SAME.fullmatch, words)):
            hole = vacancies[0]
        if hole and not any(map(_EMPTY.fullmatch, words)):
            goals.add(Exact(1 << read_hole(board, hole)))
        elif any(map(_ANYWHERE.fullmatch, words)) or re.search(r"\b(?:one|single) (?:peg|marble|piece)\b", end):
            goals.add(OnePeg())
    goals = goals - {OnePeg()} or goals
    return goals.pop() if len(goals) == 1 else None


def find_boards(text: str, boards: Sequence[Board]) -> list[str]:
    """Return the names of the boards that words tell: in words, else by a picture of numbers or the number of holes."""
    words = text.lower()
    names = [name for name, form in BOARD_WORDS.items() if re.search(rf"\b(?:{form})(?!\w)", words)]
    names += [board.name for board in boards if re.search(rf"\b{board.name}\b", words) and board.name not in names]
    numbers = [*map(int, re.findall(r"\d{1,9}", words))]
    of_picture = next((i for i, number in enumerate(numbers) if number != i + 1), len(numbers))
    counts = {*map(int, _COUNT.findall(words)), *([of_picture] if of_picture >= _FEWEST_HOLES else [])}
    return names or [board.name for board in boards if len(board.holes) in counts]


def read_prose(text: str, board: Board, name: str) -> Problem:
    """Return the problem that words alone tell on a board. Raises InputError with what it may be."""
    text = re.sub("|".join(rf"\b(?:{form})(?!\w)" for form in BOARD_WORDS.values()), " ", text.lower())
    text = re.sub(r"\s+|\b\d+ ?[x×] ?\d+\b", " ", text)
    text = _COUNT.sub(lambda count: " " if int(count[1]) == len(board.holes) else count[0], text)
    starts = [start for start, _ in _sentences(text)]
    words = [word for word in _WORD.findall(text) if not board.has_hole(word)]
    forms = (_SAYING, _EXCEPT, _END, _MIDDLE, _ANYWHERE, _SAME)
    goal = read_goal(board, board.full, text)
    if words and all(any(form.fullmatch(word) for form in forms) for word in words):
        pegs, read_as = read_words(board, "; ".join(starts))
        return Problem(board, Position(board, pegs), goal or OnePeg(), name=name, read_as=read_as)
    empty = {
        _hole(board, part)
        for part in starts
        if any(map(_EXCEPT.fullmatch, _WORD.findall(part))) or re.search(r"\bhole (?:is )?(?:at|in)\b", part)
    } - {None}
    empty = set() if _NOT.search(text) else empty
    finish = board.holes[goal.pegs.bit_length() - 1] if isinstance(goal, Exact) else "?"
    way = f'; if it is meant, type "{board.name}:{empty.pop()}->{finish}"' if len(empty) == 1 else f"; {_ADVICE}"
    raise InputError(f"there is no drawing on board {board.name}, and not all the words are clear{way}", line=1)
