"""Goals, which the last position must satisfy; objectives, by which solutions are compared; and problems, made of a
board, a start position and these: their canonical text, and the replay of solutions, by the lines of the board alone,
which trusts no model and no solver."""

import hashlib
from collections.abc import Callable, Iterable, Sequence, Sized
from dataclasses import dataclass, field, replace
from functools import cached_property, reduce
from html import escape
from pathlib import Path
from typing import Any, NamedTuple, get_args

from pegcp.errors import InputError, InvalidSolution, plural, printable, refuse_if
from pegcp.game.board import Board, Jump, group_moves, group_steps, jump_name
from pegcp.game.lattice import PEG, VACANCY, draw
from pegcp.game.notation import write_move
from pegcp.game.position import Position, replay
from pegcp.game.svg import Drawn, Frame, strip_svg
from pegcp.game.symmetry import LISTED, Subgroup
from pegcp.habits import GuidedWord
from pegcp.writing import write_file

FREE = "?"  # a hole that may end with a peg or without, in the canonical text


class Objective(GuidedWord):
    """The measure by which solutions are compared."""

    ANY = "any"
    FEWEST_JUMPS = "fewest-jumps"
    FEWEST_MOVES = "fewest-moves"
    FEWEST_STEPS = "fewest-steps"
    FEWEST_PEGS = "fewest-pegs"
    NEAREST = "nearest"
    COUNT = "count"


_PARTS: dict[Objective, Callable[[Sequence[Jump]], Sized]] = {  # of a solution, which are counted
    Objective.FEWEST_JUMPS: tuple,
    Objective.FEWEST_MOVES: group_moves,
    Objective.FEWEST_STEPS: group_steps,
}


@dataclass(frozen=True, kw_only=True)
class _Aim:
    """A goal with its words: those of its problem, which knows the names of the holes."""

    words: str = field(default="", compare=False)

    def __str__(self) -> str:
        return self.words or repr(self)


@dataclass(frozen=True)
class Exact(_Aim):
    """The last position is exactly this one (a bit mask)."""

    pegs: int
    kind = "exact"


@dataclass(frozen=True)
class OnePeg(_Aim):
    """One peg is left, anywhere."""

    kind = "one-peg"


@dataclass(frozen=True)
class Partial(_Aim):
    """Some holes end with a peg, some as vacancies (bit masks), the others are free; as in the army problems."""

    pegs: int
    vacancies: int = 0
    kind = "partial"


@dataclass(frozen=True)
class DeadEnd(_Aim):
    """No jump is possible."""

    kind = "dead-end"


@dataclass(frozen=True)
class Nearest(_Aim):
    """Every position satisfies this goal; the best by the objective ``nearest`` is the one nearest to ``pegs``.

    ``pegs`` is a bit mask; ``weights[i]`` is what it costs that hole i ends otherwise. A soft goal, as in the
    net-benefit track of the planning competition.
    """

    pegs: int
    weights: tuple[int, ...]
    kind = "nearest"

    def cost(self, last: Iterable[Any]) -> Any:
        """Return the distance as an expression of a solver, or as an array.

        ``last`` has for each hole a variable, or an array, that is 1 iff the hole ends with a peg.
        """
        return sum(
            weight * (1 - peg if self.pegs >> hole & 1 else peg)
            for hole, (weight, peg) in enumerate(zip(self.weights, last, strict=True))
        )

    def distance(self, position: int) -> int:
        """Return the total weight of the holes that differ from the goal in a position (a bit mask)."""
        return sum(weight for hole, weight in enumerate(self.weights) if (position ^ self.pegs) >> hole & 1)


def fixed_goal(board: Board, pegs: int, vacancies: int) -> Exact | Partial:
    """Return the goal that these holes (bit masks) end with a peg and those without; the others are free."""
    return Exact(pegs) if pegs | vacancies == board.full else Partial(pegs, vacancies)


HEAVIEST = 1_000_000  # weight of a hole

Goal = Exact | OnePeg | Partial | DeadEnd | Nearest
GOAL_KINDS = frozenset(str(kind.kind) for kind in get_args(Goal))


@dataclass(frozen=True, repr=False)
class Problem(Drawn):
    """Reach the goal from the start position, best by the objective. Immutable, hashable; ``name`` is not compared.

    >>> import pegcp
    >>> problem = pegcp.problem("english:c1->d4")
    >>> problem
    <Problem english:c1->d4 on english: 32 pegs, goal exactly d4>
    >>> print(problem)
    english:c1->d4
       a b c d e f g
    1      o X X
    2      X X X
    3  X X X X X X X
    4  X X X X X X X
    5  X X X X X X X
    6      X X X
    7      X X X
    goal: exactly d4
    """

    board: Board
    start: Position
    goal: Goal
    objective: Objective = Objective.ANY
    name: str = field(default="problem", compare=False)
    read_as: str = field(default="", compare=False)  # how a drawing or numbers were read, in words
    origin: object = field(default=None, compare=False)  # the file that it was read from, where plans have words of it

    def __post_init__(self) -> None:
        parts = (self.board, Board), (self.start, Position), (self.goal, Goal), (self.objective, Objective)
        refuse_if(
            not all(isinstance(part, kind) for part, kind in parts),
            "a Problem is made of a Board, a Position, a goal and an Objective; "
            'pegcp.problem("english", start="all but d4", goal="d4") reads their names',
        )
        object.__setattr__(self, "name", printable(self.name))
        refuse_if(self.start.board != self.board, f"the start position of {self.name} is on another board")
        refuse_if(
            self.final_pegs | self.final_vacancies > self.board.full,
            f"the goal of {self.name} names holes outside board {self.board.name}",
        )
        both = self.board.names(self.final_pegs & self.final_vacancies)
        refuse_if(both, f"the goal of {self.name} wants {', '.join(both)} both with and without a peg")
        if self.objective is Objective.NEAREST and not isinstance(self.goal, Nearest):
            raise InputError(
                "the objective nearest needs a position to end near, "
                f'such as the goal "near {self.board.holes[0]}", not "{self.goal_text}"'
            )
        if isinstance(self.goal, Nearest):
            refuse_if(
                self.goal.pegs > self.board.full or len(self.goal.weights) != len(self.board.holes),
                f"the goal of {self.name} is not a position of board {self.board.name}",
            )
            for hole, weight in zip(self.board.holes, self.goal.weights, strict=True):
                refuse_if(
                    not 0 <= weight <= HEAVIEST,
                    f"the weight of {hole} must be an integer from 0 to {HEAVIEST:,}, not {weight}",
                )
        object.__setattr__(self, "goal", replace(self.goal, words=self.goal_text))

    def with_board(self, **about: Any) -> "Problem":
        """Return the same problem, on a board with another ``name`` or other ``coordinates``; see
        :class:`pegcp.Board`."""
        board = replace(self.board, **about)
        return replace(self, board=board, start=Position(board, self.start.mask))

    def save(self, path: str | Path) -> None:
        """Write the problem to a file: its text (.toml), or its picture as other pictures are."""
        if Path(path).suffix.lower() == ".toml":
            write_file(Path(path), self.text)
        else:
            super().save(path)

    def __repr__(self) -> str:
        return f"<Problem {self.name} on {self.board.name}: {plural(len(self.start), 'peg')}, goal {self._aim}>"

    def __str__(self) -> str:
        return f"{self.name}\n{self.start}\ngoal: {self._aim}"

    def _repr_html_(self) -> str:
        caption = escape(f"{self.name}: {plural(len(self.start), 'peg')}, goal {self._aim}")
        return f"<figure>{self._repr_svg_()}<figcaption>{caption}</figcaption></figure>"

    def _repr_svg_(self) -> str:
        """Return the start, and the goal where that is more than one peg."""
        if self.final_pegs.bit_count() < 2:
            return self.start._repr_svg_()
        return strip_svg(
            self.board,
            [Frame(self.start.mask, "start"), Frame(self.final_pegs, "goal")],
            f"{self.name}: start and goal",
        )

    @cached_property
    def final_pegs(self) -> int:
        """Holes (a bit mask) that must end with a peg."""
        return self.goal.pegs if isinstance(self.goal, Exact | Partial) else 0

    @cached_property
    def final_vacancies(self) -> int:
        """Holes (a bit mask) that must end without a peg."""
        if isinstance(self.goal, Exact):
            return self.board.full & ~self.goal.pegs
        return self.goal.vacancies if isinstance(self.goal, Partial) else 0

    @property
    def sought(self) -> Nearest | None:
        """The position to end near, with the weights of the holes, if the objective is to end near one; else None.

        To leave few pegs is to end near the empty board.
        """
        if self.objective is Objective.FEWEST_PEGS:
            return Nearest(0, (1,) * len(self.board.holes))
        return self.goal if self.objective is Objective.NEAREST and isinstance(self.goal, Nearest) else None

    @property
    def goal_pegs(self) -> tuple[int, int]:
        """The least and the largest number of pegs that a position satisfying the goal may have."""
        if isinstance(self.goal, OnePeg):
            return 1, 1
        return self.final_pegs.bit_count(), len(self.board.holes) - self.final_vacancies.bit_count()

    @property
    def targets(self) -> list[int] | None:
        """All positions (bit masks) that satisfy the goal, if it is exact or one peg; else None."""
        if isinstance(self.goal, Exact):
            return [self.goal.pegs]
        return [1 << hole for hole in range(len(self.board.holes))] if isinstance(self.goal, OnePeg) else None

    @property
    def lengths(self) -> range:
        """The numbers of jumps a solution can have: a jump removes one peg and leaves at least one. May be empty.

        On a board without jumps only a solution without jumps is possible.
        """
        pegs = len(self.start)
        least, most = self.goal_pegs
        longest = pegs - max(least, 1 if pegs else 0)
        return range(max(0, pegs - most), (longest if self.board.lines else min(0, longest)) + 1)

    jump_counts = lengths  # its name before, for model files that use it

    def is_goal(self, position: int | Position | str | Iterable[str]) -> bool:
        """Tell whether a position, also given by its bit mask or the names of its pegs (``"d4 e4"``), satisfies the
        goal."""
        if isinstance(position, Position):
            position = position.mask
        elif isinstance(position, Iterable):
            position = self.board.mask(position.split() if isinstance(position, str) else position)
        if isinstance(self.goal, DeadEnd):
            return not any(jump.is_legal(position) for jump in self.board.jumps)
        if isinstance(self.goal, OnePeg):
            return position.bit_count() == 1
        return not (self.final_pegs & ~position or self.final_vacancies & position)

    def value(self, jumps: list[Jump] | tuple[Jump, ...]) -> int | None:
        """Return the objective value of a solution; None when the objective is any solution or a count."""
        if self.sought is not None:
            return self.sought.distance(reduce(lambda position, jump: position ^ jump.mask, jumps, self.start.mask))
        parts = _PARTS.get(self.objective)
        return None if parts is None else len(parts(jumps))

    @property
    def least_value(self) -> int | None:
        """A lower bound on the value of the objective, by the numbers of pegs alone; None if there is none."""
        match self.objective:
            case Objective.FEWEST_JUMPS:
                return self.lengths[0] if self.lengths else None
            case Objective.FEWEST_MOVES | Objective.FEWEST_STEPS:
                return 0 if self.is_goal(self.start.mask) else 1
            case Objective.FEWEST_PEGS:
                return len(self.start) - self.lengths[-1] if self.lengths else None
            case Objective.NEAREST:
                return 0
            case Objective.ANY | Objective.COUNT:
                return None

    def goal_symmetries(self, most: int = LISTED) -> Subgroup:
        """Return the board symmetries that leave the goal as it is, or a group of at most ``most`` of them."""
        sets = [self.final_pegs, self.final_vacancies]
        if isinstance(self.goal, Nearest):
            weights = self.goal.weights
            alike = (sum(1 << h for h, other in enumerate(weights) if other == weight) for weight in set(weights))
            sets += [self.goal.pegs, *alike]
        return self.board.symmetries.subgroup(most).fixing(*sets)

    def symmetries(self, most: int = LISTED) -> Subgroup:
        """Return the symmetries that keep both the goal and the start position: a part of :meth:`goal_symmetries`."""
        return self.goal_symmetries(most).fixing(self.start.mask)

    @cached_property
    def text(self) -> str:
        """The canonical text: a problem file without names, in TOML, which :mod:`pegcp.formats.toml` reads back.

        Equal problems have equal texts, and different problems never share one.
        """
        board, start = self.board, self.start.mask
        if board.lattice is None:
            lines = ["-".join(board.holes[hole] for hole in line) for line in board.lines]
            text = f"holes = {_array(board.holes)}\nlines = {_array(lines)}\nstart = {_array(board.names(start))}\n"
        else:
            name, _, jumps = board.lattice.name.partition(" ")
            text = (
                f'lattice = "{name}"\n'
                + (f'jumps = "{jumps}"\n' if jumps else "")
                + f'legend = {{ peg = "{PEG}", vacancy = "{VACANCY}", free = "{FREE}" }}\n'
                + f'start = """\n{draw(board, start)}\n"""\n'
            )
        return f'{text}goal = {self.goal_forms.text}\nobjective = "{self.objective.value}"\n'

    @cached_property
    def fingerprint(self) -> str:
        """Sixteen hexadecimal digits that stay the same between runs, machines and versions of Python."""
        return hashlib.sha256(self.text.encode()).hexdigest()[:16]

    @property
    def _aim(self) -> str:
        return self.goal_text + ("" if self.objective is Objective.ANY else f", {self.objective}")

    @property
    def goal_text(self) -> str:
        """The goal in words."""
        return self.goal_forms.words

    @cached_property
    def goal_forms(self) -> "GoalForms":
        """The goal as people read it, as they type it, and as it is in the canonical text."""
        pegs, vacancies = map(self.board.names, (getattr(self.goal, "pegs", 0), self.final_vacancies))
        match self.goal:
            case OnePeg():
                return GoalForms("one peg anywhere", "one peg", quoted("one peg"))
            case DeadEnd():
                return GoalForms("a dead end", "dead end", quoted("dead end"))
            case Exact():
                return GoalForms(f"exactly {_list_names(pegs)}", " ".join(pegs), _array(pegs))
            case Partial():
                parts = (("pegs", pegs), ("vacancies", vacancies))
                words = " and ".join(f"{noun} in {_list_names(holes)}" for noun, holes in parts if holes) or "anything"
                option = " ".join([*pegs, "*", *(f"-{hole}" for hole in vacancies)])
                return GoalForms(words, option, f"{{ pegs = {_array(pegs)}, vacancies = {_array(vacancies)} }}")
            case Nearest(_, weights):
                words = f"as near as possible to {_list_names(pegs) or 'the empty board'}"
                words += ", by the weights of the holes" * (len(set(weights)) > 1)
                pairs = zip(self.board.holes, weights, strict=True)
                weighted = ", ".join(f"{quoted(hole)} = {weight}" for hole, weight in pairs if weight != 1)
                text = f"{{ nearest = {_array(pegs)}, weights = {{ {weighted} }} }}"
                return GoalForms(words, " ".join(["near", *pegs]), text)


class GoalForms(NamedTuple):
    """A goal as it is written: in ``words``, as an ``option``, without weights, and in the canonical ``text``."""

    words: str
    option: str
    text: str


@dataclass(frozen=True, repr=False)
class Replay(Drawn):
    """A correct solution: the positions from start to end, its moves and the value of the objective; and how the text
    of the solution was read, in words, if it was not read as usual."""

    positions: tuple[Position, ...]
    moves: tuple[tuple[Jump, ...], ...]
    value: int | None
    read_as: str = ""

    def __repr__(self) -> str:
        value = "" if self.value is None else f", value {self.value}"
        return f"<Replay: {plural(len(self.positions) - 1, 'jump')} in {plural(len(self.moves), 'move')}{value}>"

    def __str__(self) -> str:
        """Return the moves, and the last position as a map."""
        moves = " ".join(write_move(self.positions[0].board, move) for move in self.moves)
        return f"{moves or 'no jumps'}\n{self.positions[-1]}"

    def _repr_svg_(self) -> str:
        """Return a picture for each move, its jumps drawn as arrows, and one of the last position."""
        board, step, frames = self.positions[0].board, 0, []
        for number, move in enumerate([*self.moves, ()], start=1):
            caption = f"{number}. {write_move(board, move)}" if move else "end"
            frames.append(Frame(self.positions[step].mask, caption, move))
            step += len(move)
        jumps, moves = plural(len(self.positions) - 1, "jump"), plural(len(self.moves), "move")
        return strip_svg(board, frames, f"{board.name}: {jumps} in {moves}")

    @property
    def jumps(self) -> tuple[Jump, ...]:
        """The jumps of all moves."""
        return tuple(jump for move in self.moves for jump in move)

    @property
    def sweeps(self) -> int:
        """How many moves have more than one jump."""
        return sum(len(move) > 1 for move in self.moves)


def replay_solution(problem: Problem, jumps: Sequence[Jump]) -> Replay:
    """Replay a solution, and check that its last position satisfies the goal.

    Raises InvalidSolution: the first impossible jump and why, or why the last position does not satisfy the goal.
    """
    board = problem.board
    positions = replay(board, problem.start.mask, jumps)
    if not problem.is_goal(positions[-1]):
        raise InvalidSolution(
            f"after {plural(len(jumps), 'jump')} the goal ({problem.goal_text}) is not reached: "
            f"{_why_not_goal(problem, positions[-1])}"
        )
    moves = group_moves(board.name_jumps(jumps))
    return Replay(tuple(Position(board, mask) for mask in positions), moves, problem.value(tuple(jumps)))


def _why_not_goal(problem: Problem, last: int) -> str:
    board = problem.board
    if isinstance(problem.goal, DeadEnd):
        return f"{jump_name(board, next(Position(board, last).jumps()))} is still possible"
    if isinstance(problem.goal, OnePeg):
        return f"{last.bit_count()} pegs are left"
    faults = (("no peg", problem.final_pegs & ~last), ("a peg too many", problem.final_vacancies & last))
    return " and ".join(f"{fault} at {' '.join(board.names(holes))}" for fault, holes in faults if holes)


def _list_names(names: Sequence[str]) -> str:
    """Return the names of holes in words; of many holes the first ten and their number."""
    return " ".join(names) if len(names) <= 12 else f"{' '.join(names[:10])} ... ({len(names)} holes)"


def quoted(text: str) -> str:
    """Return a TOML string on one line; line breaks and controls become escapes."""
    return '"' + "".join(f"\\u{ord(c):04x}" if c in '"\\' or ord(c) < 32 or ord(c) == 127 else c for c in text) + '"'


def _array(names: Sequence[str]) -> str:
    return f"[{', '.join(map(quoted, names))}]"
