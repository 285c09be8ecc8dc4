"""Read the jumps of a solution from text, in every form that ``pegcp check`` accepts:

* JSON as ``pegcp solve --json`` prints it (an object with ``jumps``), or a list of triples of hole names;
* a plan: ``(jump d2 d3 d4)`` and the other actions that :func:`pegcp.formats.pddl.read_plan` reads;
* triples in parentheses, ``(32 39 46)``, in any numbering;
* one jump or sweep a line, or several separated by blanks: ``d2 d3 d4``, ``d2-d4``, ``d2xd4``, ``d2-d4-f4``;
* what people and other programs write: ``Move from 6 over 3 to 1``, ``(3,1) to (3,3) remove (3,2)``, ``d4 up``, numbers
  of jumps. Holes are named by letters, numbered from 0 or 1 or by the grid, or given as row and column; jumps stand in
  the order of play, or reversed. Each reading that the text may have is replayed, and the only one that reaches the
  goal is taken.

Comments that begin with ``#``, ``;``, ``%``, ``//`` or ``--``, and those in ``/* */`` and ``<!-- -->``, are left out.
"""

import re
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import chain
from operator import itemgetter

from pegcp.errors import InputError, clipped, line_and_column, refuse_if
from pegcp.formats.passages import JUMP_KEYS, REMARK, is_open, says_much
from pegcp.formats.readings import Fault, SolutionReading, count_legal_jumps, read_as_usual, read_in_groups
from pegcp.formats.signs import FULL_WIDTH
from pegcp.game import Jump, Position, Problem, write_move

_COMMENT = re.compile(  # from the last beginning to an end, so that each is looked for once
    r"/\*(?:(?!/\*).)*?\*/|<!--(?:(?!<!--).)*?-->|^[ \t]*(?:%|;|--[ \t]|//)[^\n]*", re.DOTALL | re.MULTILINE
)


def read_solution(problem: Problem, text: str, source: str = "solution", numbering: str | None = None) -> list[Jump]:
    """Read the jumps of a solution, in the order they are written; they are not yet checked.

    ``numbering`` is one of :data:`pegcp.game.notation.SCHEMES`.
    Raises InputError with line and column.
    """
    return read_as_usual(problem, text, source, numbering).jumps


def read_beginning(problem: Problem, text: str) -> SolutionReading:
    """Read the jumps of an option, in any notation without words but those of jumps. Raises InputError."""
    try:
        return read_as_usual(problem, text, "", None)
    except InputError:
        words = {*re.findall(r"[^\W\d_]{2,}(?!\d)", text.lower())}
        if not words <= {*JUMP_KEYS, "into", "up", "down", "left", "right"}:
            raise
        return read_any_solution(problem, text)


def read_any_solution(
    problem: Problem, text: str, source: str = "solution", numbering: str | None = None
) -> SolutionReading:
    """Read the jumps of a solution in any notation, of which the replay decides which one it is.

    Comments of programs are left out, unless there are no jumps beside them. Raises InputError if the text has no
    jumps, or if readings that differ reach the goal.
    """
    bare = _COMMENT.sub(lambda comment: re.sub(r"[^\n]", " ", comment[0]), text)
    if bare != text and bare.strip():
        with suppress(InputError):
            return read_any_solution(problem, bare, source, numbering)
    text = text.translate(FULL_WIDTH)
    groups = list[list[SolutionReading]]()
    faults = list[Fault]()
    for group in read_in_groups(problem, text, source, numbering):
        groups.append([reading for reading in group if isinstance(reading, SolutionReading)])
        faults += [fault for fault in group if not isinstance(fault, SolutionReading)]
        right = [reading for reading in groups[-1] if count_legal_jumps(problem, reading.jumps)[1]]
        images = {
            tuple(Jump(*(symmetry[hole] for hole in jump)) for jump in reading.jumps)
            for reading in right[:1]
            for symmetry in problem.symmetries()
        }
        others = [reading for reading in right if tuple(reading.jumps) not in images]
        ways = "; ".join(reading.read_as or "holes by their names" for reading in (*right[:1], *others))
        refuse_if(others, f"readings of this text are different solutions: {ways}; choose one by --numbering", source)
        if right:
            return _with_gaps(text, right[0])
    legal = max((fault[0] for fault in faults), default=0)  # jumps before a fault
    most, longest = _longest(problem, [*chain(*groups[:3])], [*chain(*groups)], legal)
    if not most and not groups[0]:
        raise _worst(problem, text, source, faults)
    if most < len(longest.jumps) and longest.jumps[most].is_legal(problem.start.mask):
        _refuse_two(problem, text, longest, most, source)
    if groups[0] and longest.jumps == groups[0][0].jumps:
        return longest._replace(read_as="")
    return _with_gaps(text, longest)


def _longest(
    problem: Problem, readings: Sequence[SolutionReading], all_readings: Sequence[SolutionReading], legal: int
) -> tuple[int, SolutionReading]:
    """Return the most legal jumps, and their reading, where none is a solution; one more for a reading that is legal to
    its end from another start, so that it wins.

    Nothing is left out from the first jump on; and in an unusual reading all jumps are legal, more than before a fault,
    if not from the start of the problem then from that with the hole vacant in which the first jump ends.
    """
    candidates = [
        (count_legal_jumps(problem, reading.jumps)[0], reading)
        for reading in readings
        if max(reading.gaps, default=0) <= min(reading.places, default=0)
    ]
    for reading in all_readings:
        if len(reading.jumps) > max(2, legal) and max(reading.gaps, default=0) <= min(reading.places, default=0):
            most, _ = count_legal_jumps(problem, reading.jumps)
            vacant = reading.jumps[0].to
            other = replace(problem, start=Position(problem.board, problem.board.full ^ 1 << vacant))
            if most == len(reading.jumps):
                candidates.append((most, reading))
            elif problem.start != other.start and count_legal_jumps(other, reading.jumps)[0] == len(reading.jumps):
                name = f"{problem.board.name}:{problem.board.holes[vacant]}->?"
                words = f"jumps from another start; to check them there, type its name: pegcp check '{name}'"
                candidates.append((most + 1, reading._replace(read_as=f"{reading.read_as}; {words}".lstrip("; "))))
    return max(candidates, key=itemgetter(0), default=(0, SolutionReading([], [], "")))


def _worst(problem: Problem, text: str, source: str, faults: Sequence[Fault]) -> InputError:
    """Return an error about what is wrong with a text, in which faults were found in reading it in several ways."""
    lacks_end = is_open(text) or text.count("(") != text.count(")")
    most, furthest = max(
        faults,
        key=lambda fault: (
            lacks_end and not fault[1].hole,
            re.fullmatch(r"[A-Za-z]+\d+", fault[1].hole) is not None,
            fault[0],
            fault[1].line or 0,
            fault[1].column or 0,
        ),
    )
    first = faults[0][1]
    if says_much(text.replace("\n", " "), 0) and re.fullmatch(r"\D+", furthest.hole):
        furthest = InputError(f"no jumps of {problem.name} can be read in this text")
    # The first, unless it is about a word or a number that was read as a hole.
    is_other = re.fullmatch(r"\D+|\d+\W*", first.hole) or (text.lstrip()[:1] in "[{" and not first.hole)
    fault = furthest if is_other or most else first
    example = "".join(f", such as {write_move(problem.board, [jump])}" for jump in [*problem.start.jumps()][:1])
    return InputError(
        f"{fault.message}; write one jump a line: from-to, or from over to{example}",
        source=source,
        line=fault.line,
        column=fault.column,
    )


def _refuse_two(problem: Problem, text: str, reading: SolutionReading, most: int, source: str) -> None:
    """Raise InputError if the first jumps are a solution, so that another begins."""
    line, _ = line_and_column(text, reading.places[most] if reading.places else 0)
    is_below = line > line_and_column(text, reading.places[0] if reading.places else 0)[0]
    cut = f", in line {line}; give the lines before it, or it and those after it" if is_below else "; give one of them"
    refuse_if(
        count_legal_jumps(problem, reading.jumps[:most])[1],
        f"there are two solutions here: jump {most + 1} begins another{cut}",
        source,
    )


def _with_gaps(text: str, reading: SolutionReading) -> SolutionReading:
    """Return a reading that also says, in words, which lines between the first jump and the last are left out."""
    lines = text.split("\n")
    times = Counter(" ".join(re.sub(r"\d+", "0", line).split()) for line in lines)
    at = sorted(line_and_column(text, place)[0] for place in reading.places)
    gaps = {line_and_column(text, gap)[0] for gap in reading.gaps}
    for number in range(at[0] + 1, at[-1]) if at else ():
        bare = "".join(REMARK.sub("", lines[number - 1]).split())
        is_lone = times[" ".join(lines[number - 1].split())] < 3 and not re.search(r"\d", bare)
        is_drawn = len(bare) > 2 and len({*bare}) < 5
        if number not in at and is_lone and not is_drawn and re.search(r"\w\w|\?", bare):
            gaps.add(number)
    if not gaps:
        return reading
    first = min(gaps)
    more = f", and {len(gaps) - 1} more" if len(gaps) > 1 else ""
    words = f"line {first} ({clipped(lines[first - 1].strip(), 40)}){more} left out"
    return reading._replace(read_as=f"{reading.read_as or 'holes by their names'}; {words}")
