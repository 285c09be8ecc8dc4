"""The rules of the game and a reader of canonical problems, written apart from pegcp and its checker.

Campaigns of forgeries and tests of bounds ask it for the truth. A position is a set of names of holes; everything is
found by trying all there is, so it is for small boards only.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache

Names = frozenset[str]
Jump = tuple[str, str, str]  # from, over, to

NAME = r"[A-Za-z0-9_.]{1,100}"
LIST = rf'\[(?:"{NAME}"(?:, "{NAME}")*)?\]'
GOAL = rf'goal = (?P<goal>"one peg"|"dead end"|{LIST}|\{{ pegs = {LIST}, vacancies = {LIST} \}})\n'
END = GOAL + r'objective = "(?:any|fewest-jumps|fewest-moves|fewest-pegs|fewest-steps|count)"\n'
DRAWN = re.compile(
    r'lattice = "(?:square"\njumps = "(?P<jumps>orthogonal|diagonal|both)|triangular)"\n'
    r'legend = \{ peg = "X", vacancy = "o", free = "\?" \}\nstart = """\n(?P<map>[Xo \n]*)\n"""\n' + END
)
LINE = rf'"{NAME}-{NAME}-{NAME}"'
LISTED = re.compile(
    rf"holes = (?P<holes>{LIST})\nlines = (?P<lines>\[(?:{LINE}(?:, {LINE})*)?\])\nstart = (?P<start>{LIST})\n{END}"
)
# Characters down and to the right of a neighbour; on a triangular lattice each row stands one character farther left.
STEPS = {
    "orthogonal": [(0, 2), (1, 0)],
    "diagonal": [(1, 2), (1, -2)],
    "both": [(0, 2), (1, 0), (1, 2), (1, -2)],
    None: [(0, 2), (1, -1), (1, 1)],
}


@dataclass(frozen=True)
class Game:
    """Holes and jumps in their order, the pegs at the start, and the goal: ``one peg``, ``dead end``, or the pegs and
    the vacancies that the last position must have."""

    holes: tuple[str, ...]
    jumps: tuple[Jump, ...]
    start: Names
    goal: str | tuple[Names, Names]

    def possible(self, position: Names) -> list[Jump]:
        """The jumps that can be made."""
        return [(a, b, c) for a, b, c in self.jumps if a in position and b in position and c not in position]

    def is_goal(self, position: Names) -> bool:
        """Whether the game may end here."""
        if self.goal == "one peg":
            return len(position) == 1
        if self.goal == "dead end":
            return not self.possible(position)
        assert isinstance(self.goal, tuple)
        pegs, vacancies = self.goal
        return pegs <= position and not position & vacancies


def names_in(text: str) -> list[str]:
    return re.findall(rf'"({NAME})"', text)


def read(data: bytes) -> Game:
    """The game of a canonical text. Raises ValueError for any other text."""
    text = data.decode("ascii")
    drawn, listed = DRAWN.fullmatch(text), LISTED.fullmatch(text)
    if drawn:
        names, start, lines = on_a_lattice(drawn["map"], drawn["jumps"])
        goal = drawn["goal"]
    elif listed:
        names, start, goal = names_in(listed["holes"]), names_in(listed["start"]), listed["goal"]
        lines = [tuple(line.split("-")) for line in re.findall(LINE.replace('"', ""), listed["lines"])]
        if not names or len(set(names)) < len(names) or start != sorted(set(start), key=names.index):
            raise ValueError("a hole is there twice, or not in order")
        places = [tuple(map(names.index, line)) for line in lines]
        if places != sorted(set(places)) or any(a >= c or b in (a, c) for a, b, c in places):
            raise ValueError("lines are not in order, or no lines")
    else:
        raise ValueError("not a canonical text")
    number = {name: i for i, name in enumerate(names)}
    both = [jump for a, b, c in lines for jump in ((a, b, c), (c, b, a))]
    jumps = sorted(both, key=lambda jump: [number[name] for name in jump])
    return Game(tuple(names), tuple(jumps), frozenset(start), goal_of(goal, names))


def on_a_lattice(drawing: str, jumps: str | None) -> tuple[list[str], list[str], list[tuple[str, ...]]]:
    """The names of the holes, those with a peg, and the lines."""
    rows = drawing.split("\n")
    marks = {(y, x): mark for y, row in enumerate(rows) for x, mark in enumerate(row) if mark != " "}
    if not rows[0] or not rows[-1] or any(row.endswith(" ") for row in rows) or min(x for _, x in marks) > 0:
        raise ValueError("the drawing has a margin")
    columns = {(y, x): x + (y if jumps is None else 0) for y, x in marks}
    first = min(columns.values())
    if any((column - first) % 2 for column in columns.values()):
        raise ValueError("a hole between two columns")
    name = {place: letters((columns[place] - first) // 2) + str(place[0] + 1) for place in sorted(marks)}
    lines = [
        (name[y, x], name[y + dy, x + dx], name[y + 2 * dy, x + 2 * dx])
        for y, x in name
        for dy, dx in STEPS[jumps]
        if (y + dy, x + dx) in name and (y + 2 * dy, x + 2 * dx) in name
    ]
    return [*name.values()], [name[place] for place in name if marks[place] == "X"], list(lines)


def letters(column: int) -> str:
    """a to z, aa to zz, ..."""
    text = ""
    while column >= 0:
        text, column = chr(97 + column % 26) + text, column // 26 - 1
    return text


def goal_of(text: str, names: list[str]) -> str | tuple[Names, Names]:
    if text in ('"one peg"', '"dead end"'):
        return text.strip('"')
    pegs, _, vacancies = text.partition(", vacancies = ")
    lists = [names_in(pegs), names_in(vacancies)]
    for some in lists:
        if some != sorted(set(some), key=names.index):
            raise ValueError("the goal's holes are not in order")
    if not text.startswith("{"):
        lists[1] = [name for name in names if name not in lists[0]]
    if set(lists[0]) & set(lists[1]):
        raise ValueError("a hole ends with a peg and without")
    return frozenset(lists[0]), frozenset(lists[1])


def after(position: Names, jump: Jump) -> Names:
    """The position after a jump."""
    return position - {jump[0], jump[1]} | {jump[2]}


@cache
def truth(data: bytes, order: tuple[int, ...] = ()) -> dict[str, int | None]:
    """The fewest jumps, moves, steps, rounds and pegs of a solution; None for each if there is none."""
    game = read(data)
    level, jumps, pegs = {game.start}, None, None
    made = 0
    while level:
        if any(map(game.is_goal, level)):
            jumps = made if jumps is None else jumps
            pegs = len(game.start) - made
        level = {after(position, jump) for position in level for jump in game.possible(position)}
        made += 1
    if jumps is None:
        return dict.fromkeys(("jumps", "moves", "steps", "rounds", "pegs"))
    ways: dict[str, Callable[[Names], Iterable[Names]]] = {
        "moves": lambda position: in_a_move(game, position),
        "steps": lambda position: in_parallel(game, position),
    }
    if order:
        ways["rounds"] = lambda position: in_a_round(game, position, order)
    least: dict[str, int | None] = {"rounds": None, "jumps": jumps, "pegs": pegs}
    return least | {measure: fewest(game, way) for measure, way in ways.items()}


def number_of_solutions(data: bytes) -> int:
    """How many sequences of jumps end in the goal, those that go on from there, too."""
    game = read(data)
    total, ways = 0, {game.start: 1}
    while ways:
        total += sum(number for position, number in ways.items() if game.is_goal(position))
        later: dict[Names, int] = {}
        for position, number in ways.items():
            for jump in game.possible(position):
                later[after(position, jump)] = later.get(after(position, jump), 0) + number
        ways = later
    return total


def fewest(game: Game, way: Callable[[Names], Iterable[Names]]) -> int:
    """How often it takes a way on, from the start to a goal that can be reached."""
    new, made = {game.start}, 0
    seen = set(new)
    while not any(map(game.is_goal, new)):
        new = {later for position in new for later in way(position)} - seen
        seen, made = seen | new, made + 1
    return made


def in_a_move(game: Game, position: Names) -> set[Names]:
    """Positions after one jump or more by one peg."""
    ends = {(after(position, jump), jump[2]) for jump in game.possible(position)}
    queue = list(ends)
    for here, peg in queue:
        for jump in game.possible(here):
            end = after(here, jump), jump[2]
            if jump[0] == peg and end not in ends:
                ends.add(end)
                queue.append(end)
    return {here for here, _ in ends}


def in_parallel(game: Game, position: Names) -> set[Names]:
    """Positions after jumps without common holes."""
    ends: dict[Names, Names] = {frozenset(): position}  # by the holes of the jumps
    for jump in game.possible(position):
        holes = frozenset(jump)
        ends |= {done | holes: after(here, jump) for done, here in ends.items() if not done & holes}
    return set(ends.values())


def in_a_round(game: Game, position: Names, order: Iterable[int]) -> set[Names]:
    """Positions after a round through all jumps, each of which is made or not."""
    ends = {position}
    for j in order:
        a, b, c = game.jumps[j]
        ends |= {after(here, (a, b, c)) for here in ends if a in here and b in here and c not in here}
    return ends


def worth(game: Game, measure: str, solution: list[list[str]], order: tuple[int, ...] = ()) -> int | None:
    """What a solution is worth by a measure; None if it is not one."""
    position, moves, rounds, last, peg = game.start, 0, 0, len(order), None
    steps: list[set[str]] = []
    for jump in solution:
        if tuple(jump) not in game.possible(position):
            return None
        made = (jump[0], jump[1], jump[2])
        position = after(position, made)
        moves, peg = moves + (peg != made[0]), made[2]
        level = max((i + 1 for i, holes in enumerate(steps) if holes & {*made}), default=0)
        steps += [set()] * (level == len(steps))
        steps[level] = steps[level] | {*made}
        if order:
            place = order.index(game.jumps.index(made))
            rounds, last = rounds + (place <= last), place
    if not game.is_goal(position):
        return None
    values = {"jumps": len(solution), "moves": moves, "steps": len(steps), "rounds": rounds, "pegs": len(position)}
    return values[measure]


def is_true(data: bytes, claim: dict[str, object], solution: list[list[str]] | None) -> bool:
    """Whether a claim of docs/proof-format.md is so, with the solution that is worth the bound, if there is one."""
    try:
        game = read(data)
    except ValueError:
        return False  # nothing can be true of a text that is none
    order, measure = claim.get("order") or [], str(claim["type"])
    if measure == "count":
        return solution is None and number_of_solutions(data) == claim.get("number", claim.get("least"))
    if measure == "rounds" and sorted(order) != list(range(len(game.jumps))):  # type: ignore[call-overload]
        return False
    order = tuple(order)  # type: ignore[arg-type]
    least = truth(data, order)
    if measure == "infeasible":
        return least["jumps"] is None and solution is None
    if solution is not None and worth(game, measure, solution, order) != claim["least"]:
        return False
    fewest_ = least[measure]
    if solution is not None:
        return fewest_ == claim["least"]
    return fewest_ is None or fewest_ >= int(str(claim["least"]))
