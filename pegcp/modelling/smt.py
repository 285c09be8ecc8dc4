"""SMT-LIB scripts: positions and sets of jumps as bit vectors. Every SMT solver reads this language."""

from pegcp.modelling import Jump, OnePeg, Problem


class Script:
    """Commands of SMT-LIB 2.6 in the logic of bit vectors, all ``bits`` wide; ``names`` are the declared constants."""

    def __init__(self, bits: int) -> None:
        self.bits = bits
        self.names: list[str] = []
        self.holes = f"(_ BitVec {bits})"  # the sort, written out, as not every solver takes define-sort
        self.commands = ["(set-logic QF_BV)"]

    def declare(self, name: str) -> str:
        """Declare a new constant, and return its name."""
        self.names.append(name)
        self.commands.append(f"(declare-const {name} {self.holes})")
        return name

    def define(self, name: str, parameters: str, sort: str, term: str) -> None:
        """Define a function; ``parameters`` are names, all of the sort ``holes``."""
        signature = " ".join(f"({parameter} {self.holes})" for parameter in parameters.split())
        self.commands.append(f"(define-fun {name} ({signature}) {sort} {term})")

    def add(self, term: str) -> None:
        """Require that the term is true."""
        self.commands.append(f"(assert {term})")

    def constant(self, value: int) -> str:
        """Return a bit vector with this value."""
        return f"#b{value:0{self.bits}b}"

    @property
    def text(self) -> str:
        """All commands."""
        return "\n".join(self.commands) + "\n"


class Grid:
    """The holes of a lattice board as bits: a step in a direction is a shift by the same number of bits everywhere."""

    def __init__(self, problem: Problem) -> None:
        board = problem.board
        assert board.cells is not None
        rows, columns = zip(*board.cells, strict=True)
        width = max(columns) - min(columns) + 1
        self.bit = [(row - min(rows)) * width + column - min(columns) for row, column in board.cells]
        self.bits = max(self.bit) + 1
        self.directions: dict[int, dict[int, Jump]] = {}  # for each shift, the jumps by the bit that they begin in
        for jump in board.jumps:
            shift = self.bit[jump.over] - self.bit[jump.from_]
            self.directions.setdefault(shift, {})[self.bit[jump.from_]] = jump

    def mask(self, holes: int) -> int:
        """Return a bit mask of holes as one of this grid."""
        return sum(1 << bit for hole, bit in enumerate(self.bit) if holes >> hole & 1)


def bit(vector: str, at: int) -> str:
    """Return the term that a bit of a constant is 1."""
    return f"(= ((_ extract {at} {at}) {vector}) #b1)"


def satisfies(model: Script, grid: Grid, problem: Problem, last: str) -> str:
    """Return the term that the position ``last`` satisfies the goal, which is neither a dead end nor soft."""
    if isinstance(problem.goal, OnePeg):
        zero = model.constant(0)
        return f"(and (distinct {last} {zero}) (= (bvand {last} (bvsub {last} {model.constant(1)})) {zero}))"
    mask = grid.mask(problem.final_pegs | problem.final_vacancies)
    return f"(= (bvand {last} {model.constant(mask)}) {model.constant(grid.mask(problem.final_pegs))})"
