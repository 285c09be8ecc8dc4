"""Bit vectors: the position is one number, and a step makes any set of jumps that go in the same direction.

On a lattice all jumps of a direction shift their peg by the same number of bits. So one step is a handful of operations
on whole positions, which treat all holes at once; other models treat them one by one.

Variables    p[t], a bit vector: the pegs after t steps;  m[t]: where the jumps of step t begin
Constraints  in step t with direction d, m = m[t], over = m shifted by d, to = over shifted by d:
             m is within the holes from which a jump in direction d leads to holes of the board
             m and over have pegs in p[t], to has none; m and over have no hole in common
             p[t + 1] = p[t] xor (m or over or to)
             p[0] = start; p[last] satisfies the goal
Symmetry     early: since the previous turn of its direction, another jump touches one of its holes; so every jump is
             made as early as possible
Horizon      the directions take turns; one turn of each for every jump is always enough
"""

from collections.abc import Iterable

from pegcp.modelling import ByJump, Formulation, Jump, Problem, Value
from pegcp.modelling.smt import Grid, Script, bit, satisfies

BACKENDS = ("bitwuzla", "z3", "cvc5")
GOALS = ("exact", "one-peg", "partial")
OBJECTIVES = ("any",)


def refuse(problem: Problem) -> str | None:
    """On a graph there are no directions."""
    return "smt-sweep takes boards on a lattice: a graph has no directions" if problem.board.cells is None else None


def horizons(problem: Problem) -> Iterable[int]:
    """Return a few turns of each direction, then more; from half the jumps on one for each jump, which refutes once."""
    most, directions = problem.lengths[-1], len(Grid(problem).directions)
    few = (turns for turns in (3, 4, 5, 6, 7, 8, 10, 14) if 2 * turns <= most)
    return [turns * directions for turns in (*few, most)]


def build(problem: Problem, horizon: int, *, early: bool = True) -> Formulation[Script]:
    """Return the script for ``horizon`` steps; ``early`` as above."""
    grid = Grid(problem)
    directions = list(grid.directions.items())
    steps = range(horizon if directions else 0)

    model = Script(grid.bits)
    none = model.constant(0)
    for d, (shift, jumps_of) in enumerate(directions):
        towards = "bvshl" if shift > 0 else "bvlshr"
        begins = model.constant(sum(1 << bit for bit in jumps_of))
        model.define(f"next{d}", "m", model.holes, f"({towards} m {model.constant(abs(shift))})")
        model.define(f"holes{d}", "m", model.holes, f"(bvor m (next{d} m) (next{d} (next{d} m)))")
        away = "bvlshr" if shift > 0 else "bvshl"
        near = " ".join(f"({away} holes {model.constant(abs(shift) * hops)})" for hops in (1, 2))
        model.define(f"touches{d}", "m holes", "Bool", f"(= (bvand m (bvnot (bvor holes {near}))) {none})")
        model.define(
            f"step{d}",
            "p m q",
            "Bool",
            f"(let ((over (next{d} m))) (let ((to (next{d} over)))\n"
            f"    (and (= (bvand m {begins}) m) (= (bvand p m) m) (= (bvand p over) over)\n"
            f"         (= (bvand p to) {none}) (= (bvand m over) {none}) (= q (bvxor p (bvor m over to))))))",
        )
    p = [model.declare(f"p{t:02}") for t in range(len(steps) + 1)]
    m = [model.declare(f"m{t:02}") for t in steps]
    model.add(f"(= {p[0]} {model.constant(grid.mask(problem.start.mask))})")
    for t in steps:
        model.add(f"(step{t % len(directions)} {p[t]} {m[t]} {p[t + 1]})")
    for t in steps[len(directions) :] if early else ():
        since = " ".join(f"(holes{k % len(directions)} {m[k]})" for k in range(t - len(directions), t))
        model.add(f"(touches{t % len(directions)} {m[t]} (bvor {since}))")
    model.add(satisfies(model, grid, problem, p[-1]))

    def jumps(value: Value) -> list[Jump]:
        made = [(directions[t % len(directions)][1], value(m[t])) for t in steps]
        return [jump for jumps_of, begins in made for bit, jump in jumps_of.items() if begins >> bit & 1]

    made = [directions[t % len(directions)][1] for t in steps]
    return Formulation(
        model,
        jumps,
        made=[ByJump(problem.board, [*of.values()], [bit(m[t], at) for at in of]) for t, of in enumerate(made)],
        peg=[{h: bit(pegs, at) for h, at in zip(problem.board.holes, grid.bit, strict=True)} for pegs in p],
    )
