"""Boards: holes, jumps, symmetries and classes against published tables; board files, good and bad."""

from __future__ import annotations

import json
import random
from itertools import combinations, islice, permutations
from pathlib import Path
from typing import Any

import pytest
from asking import boards

import pegcp
from pegcp import library
from pegcp.errors import InputError
from pegcp.formats.toml import read_board, read_problem
from pegcp.game import Board, OnePeg, Position, Problem, graph_board, lattice_board, lines_board
from pegcp.game.lattice import lattice
from pegcp.game.symmetry import automorphisms, image
from pegcp.library.lookup import own_form
from pegcp.theory.parity import possible_finishes

DATA = Path(__file__).parent / "data"

# board: holes, jumps, symmetries, start classes, class-compatible pairs (start, finish), complement pairs; pairs are
# counted up to symmetry.
TABLE = {
    "english": (33, 76, 8, 7, 21, 7),
    "french": (37, 92, 8, 8, 10, 0),
    "asymmetric": (39, 92, 2, 21, 88, 21),
    "diamond": (41, 100, 8, 9, 17, 0),
    "wiegleb": (45, 108, 8, 9, 36, 9),
    "square5": (25, 60, 8, 6, 4, 0),
    "square6": (36, 96, 8, 6, 21, 6),
    "square7": (49, 140, 8, 10, 20, 0),
}
SHAPES = {
    "English": "english",
    "4x6": "rectangle4x6",
    "8x8": "square8",
    "9x9": "square9",
    "Cross 1": "cross1",
    "Cross 2": "cross2",
    "Cross 4": "asymmetric",
    "Diamond 32": "diamond32",
    "Hermary 39": "hermary",
    "Huber 37": "huber",
    "Kralenspel": "kralenspel",
    "Wiegleb": "wiegleb",
}


def compatible_pairs(board: Board) -> set[tuple[int, int]]:
    """Pairs (start vacancy, finish) of one class, one of each orbit of the symmetries."""
    symmetries = list(board.symmetries.elements())
    found = set()
    for start in range(len(board.holes)):
        ends = possible_finishes(board, board.full & ~(1 << start))
        for end in range(len(board.holes)):
            if ends >> end & 1:
                found.add(min((p[start], p[end]) for p in symmetries))
    return found


def test_every_board_that_ships_is_counted_and_has_a_name_of_its_own() -> None:
    assert {*library.board_names()} <= {*TABLE, *SHAPES.values()}
    taken = [*library.board_names(), *library.problem_names(), *library.set_names()]
    assert len(set(taken)) == len(taken)


@pytest.mark.parametrize("name", TABLE)
def test_table_of_boards(name: str) -> None:
    board = pegcp.board(name)
    pairs = compatible_pairs(board)
    assert TABLE[name] == (
        len(board.holes),
        len(board.jumps),
        board.symmetries.order,
        len(board.symmetries.orbits),
        len(pairs),
        sum(start == end for start, end in pairs),
    )


@pytest.mark.parametrize("shape", json.loads((DATA / "boards.json").read_text()), ids=lambda shape: str(shape["name"]))
def test_shapes_and_the_finishes_of_their_class(shape: dict[str, Any]) -> None:
    board = pegcp.board(SHAPES[shape["name"]])
    cells = [tuple(cell) for cell in shape["cells"]]
    assert board.cells == tuple(cells)
    start = cells.index(tuple(shape["start_hole"]))
    ends = possible_finishes(board, board.full & ~(1 << start))
    assert [cells[i] for i in range(len(cells)) if ends >> i & 1] == [
        tuple(c) for c in shape["class_consistent_finishes"]
    ]
    assert bool(ends >> start & 1) == shape["complement_allowed"]


@pytest.mark.parametrize(
    ("name", "holes", "jumps", "symmetries"),
    [
        ("triangle15", 15, 36, 6),
        ("triangle10", 10, 18, 6),
        ("hexagon19", 19, 54, 12),
        ("hexagon7", 7, 6, 12),
        ("rectangle4x6", 24, 2 * (2 * 6 + 4 * 4), 4),
        ("line9", 9, 14, 2),
        ("line1", 1, 0, 1),
        ("cycle8", 8, 16, 16),
        ("cycle3", 3, 6, 6),
        ("square12", 144, 480, 8),
    ],
)
def test_families(name: str, holes: int, jumps: int, symmetries: int) -> None:
    board = pegcp.board(name)
    assert (len(board.holes), len(board.jumps), board.symmetries.order) == (holes, jumps, symmetries)


def test_triangle15_positions_by_level() -> None:
    known = json.loads((DATA / "triangle15.json").read_text())["by_start_hole"]
    board = pegcp.board("triangle15")
    for number, facts in known.items():
        level = {board.full & ~(1 << int(number) - 1)}
        counts = []
        while level:
            counts.append(len(level))
            level = {p ^ jump.mask for p in level for jump in board.jumps if jump.is_legal(p)}
        assert counts == facts["positions_per_jump"]


def complete(n: int) -> Board:
    names = [str(i) for i in range(n)]
    return graph_board(names, combinations(names, 2))


def petersen() -> Board:
    ring = [(str(i), str((i + 1) % 5)) for i in range(5)]
    star = [(str(i + 5), str((i + 2) % 5 + 5)) for i in range(5)]
    return graph_board([str(i) for i in range(10)], [*ring, *star, *((str(i), str(i + 5)) for i in range(5))])


def cube() -> Board:
    names = [f"{i:03b}" for i in range(8)]
    return graph_board(names, [(a, b) for a, b in combinations(names, 2) if (int(a, 2) ^ int(b, 2)).bit_count() == 1])


@pytest.mark.parametrize(
    ("board", "order", "orbits"),
    [
        (complete(10), 3628800, 1),
        (complete(3), 6, 1),
        (petersen(), 120, 1),
        (cube(), 48, 1),
        (lines_board("abcdef", []), 720, 1),
        (graph_board("abcdefgh", [("a", leaf) for leaf in "bcdefgh"]), 5040, 2),
    ],
)
def test_automorphisms_of_graph_boards(board: Board, order: int, orbits: int) -> None:
    assert board.symmetries.order == order
    assert len(board.symmetries.orbits) == orbits


def test_automorphisms_of_a_long_cycle() -> None:
    assert pegcp.board("cycle120").symmetries.order == 240


@pytest.mark.parametrize("name", ["english", "wiegleb", "asymmetric", "triangle15", "hexagon19", "square6"])
def test_lattice_symmetries_are_those_of_the_lines(name: str) -> None:
    board = pegcp.board(name)
    assert automorphisms(len(board.holes), board.lines).order == board.symmetries.order


def test_automorphisms_against_all_permutations() -> None:
    draw = random.Random(37)
    for _ in range(150):
        n = draw.randint(1, 6)
        possible = [(a, over, b) for a, over, b in permutations(range(n), 3) if a < b]
        lines = set(draw.sample(possible, min(len(possible), draw.randint(0, 8))))

        group = automorphisms(n, sorted(lines))
        expected = {
            p
            for p in permutations(range(n))
            if {(min(p[a], p[b]), p[over], max(p[a], p[b])) for a, over, b in lines} == lines
        }
        assert set(group.elements()) == expected
        assert group.order == len(expected)


def test_every_bundled_board_reads_back_and_draws() -> None:
    for board in boards():
        problem = Problem(board, Position(board, board.full), OnePeg())
        assert read_problem(problem.text) == problem
        for symmetry in islice(board.symmetries.elements(), 16):
            assert {image(symmetry, 1 << a | 1 << o | 1 << b) for a, o, b in board.lines} == {
                1 << a | 1 << o | 1 << b for a, o, b in board.lines
            }


def test_positions() -> None:
    board = pegcp.board("english")
    start = Position(board, board.full & ~board.mask(["d4"]))
    assert len(start) == 32
    assert [board.jump_names(jump) for jump in start.jumps()] == [
        ("d2", "d3", "d4"),
        ("b4", "c4", "d4"),
        ("f4", "e4", "d4"),
        ("d6", "d5", "d4"),
    ]
    assert str(start.after(next(start.jumps()))).splitlines()[:3] == [
        "   a b c d e f g",
        "1      X X X",
        "2      X o X",
    ]
    assert Position(board, board.full).is_dead_end()
    with pytest.raises(InputError, match="outside board english"):
        Position(board, 1 << 33)


def test_jumps_along_diagonals() -> None:
    cells = [(r, c) for r in range(3) for c in range(3)]
    counts = {
        jumps: len(lattice_board(cells, lattice("square", jumps)).jumps) for jumps in ("orthogonal", "diagonal", "both")
    }
    assert counts == {"orthogonal": 12, "diagonal": 4, "both": 16}


def test_a_hexagon_map_is_a_triangular_map() -> None:
    rows = "  o o o\n o o o o\no o o o o\n o o o o\n  o o o\n"
    text = f'lattice = "hexagonal"\nlegend = {{ hole = "o" }}\nmap = """\n{rows}"""\n'
    assert read_board(text) == pegcp.board("hexagon19")


@pytest.mark.parametrize(
    ("text", "place", "word"),
    [
        ('map = """\nooo\n"""', "legend: ", "hole"),
        ('legend = { hole = "o" }\nmap = """\noo\noxo\n"""', "map, row 2, column 2: ", '"x"'),
        ('legend = { hole = "o", outside = "o" }\nmap = "o"', "legend: ", "both"),
        ('legend = { holes = "o" }\nmap = "o"', "legend: ", 'did you mean "hole"'),
        ('legend = { hole = "o" }\nmap = """\n\n"""', "map, row 1: ", "no holes"),
        (
            'lattice = "triangular"\nlegend = { hole = "o" }\nmap = """\n o\no o\noo\n"""',
            "map, row 3, column 1: ",
            "two characters apart",
        ),
        (
            'lattice = "triangular"\nlegend = { hole = "o" }\nmap = """\no o\n o\n o o\n"""\n',
            "map, row 3, column 2: ",
            "two characters apart",
        ),
        ('lattice = "sqare"\nlegend = { hole = "o" }\nmap = "o"', "lattice: ", "sqare"),
        ('name = "x"\n jumps = "up"\nlegend = { hole = "o" }\nmap = "o"', "jumps: ", '"up"'),
        ('edges = "0-1 1-2-3"', "edges: ", "two holes"),
        ('edges = "0-1 1-1"', "edges: ", "1-1"),
        ('lines = ["a b"]', "lines: ", "three holes"),
        ('holes = "a b"\nlines = ["a b c"]', "holes: ", "c"),
        ('name = "x"\nedgs = "0-1"', 'unknown key "edgs"', 'did you mean "edges"'),
        ('name = "x"', "map, edges, lines: ", "needs"),
        ('edges = "0-1"\nlines = "0 1 2"', "map, edges, lines: ", "one of"),
        ("map = ", (1, 7), "not valid TOML"),
        ('name = "x"\nmap = "unclosed', (2, 16), "not valid TOML"),
    ],
)
def test_bad_board_files(text: str, place: str | tuple[int, int], word: str) -> None:
    """The place is the key, or the line and column of text that is not TOML."""
    with pytest.raises(InputError) as caught:
        read_board(text, "mine.toml")
    error = caught.value
    assert word in error.message
    assert error.source == "mine.toml"
    assert error.message.startswith(place) if isinstance(place, str) else (error.line, error.column) == place


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("englsh", 'did you mean "english"'),
        ("Wiegelb", 'did you mean "wiegleb"'),
        ("triangl15", 'did you mean "triangle15"'),
        ("triangle14", "triangle15 has side 5"),
        ("hexagon20", "hexagon37 has side 4"),
        ("square101", "10,201 holes; boards have 1 to 10,000"),
        ("line0", "boards have 1 to"),
        ("cycle2", "at least 3 holes"),
        ("square" + "9" * 5000, "unknown board"),
        ("", "unknown board"),
    ],
)
def test_unknown_boards(name: str, message: str) -> None:
    with pytest.raises(InputError) as caught:
        pegcp.board(name)
    assert message in str(caught.value)
    assert len(str(caught.value)) < 300


@pytest.mark.parametrize(
    ("name", "own"), [("triangle10", "a2->?"), ("square10", "b1->?"), ("hexagon37", "b1->?"), ("line3", "a1->?")]
)
def test_the_own_problem_of_a_family_is_in_a_class_that_can_be_won(name: str, own: str) -> None:
    assert own_form(pegcp.board(name)) == own
    assert pegcp.problem(name) == pegcp.problem(f"{name}:{own}")


def test_stars_houses_and_boxes_have_the_lines_of_their_shapes() -> None:
    # A side of n: six triangles of side n - 1 around a hexagon; the lines along each of three directions are counted
    # row by row: rows of 1, 2, 13 holes and so on.
    rows = {13: [1, 4, 3, 4, 1], 37: [1, 2, 7, 6, 5, 6, 7, 2, 1]}
    for holes, lengths in rows.items():
        star = pegcp.board(f"star{holes}")
        assert len(star.holes) == sum(lengths) == holes
        inner = [length for length in lengths if length > 2]
        assert len(star.lines) == 3 * sum(length - 2 for length in inner)
        assert star.symmetries.order == 12
    for side, roof in ((3, [1]), (4, [2]), (5, [3, 1]), (6, [4, 2])):
        house = pegcp.board(f"house{side}")
        assert len(house.holes) == side * side + sum(roof)
        across = side * (side - 2) + sum(max(0, row - 2) for row in roof)
        heights = [side + sum(column in range(r, side - r) for r in range(1, len(roof) + 1)) for column in range(side)]
        assert len(house.lines) == across + sum(height - 2 for height in heights)
    for sizes in ((3, 3, 3), (2, 3, 4), (1, 1, 5)):
        box = pegcp.board(f"box{'x'.join(map(str, sizes))}")
        a, b, c = sizes
        assert len(box.holes) == a * b * c
        assert len(box.lines) == max(0, a - 2) * b * c + a * max(0, b - 2) * c + a * b * max(0, c - 2)
    assert pegcp.board("box3x3x3").symmetries.order == 48
    assert pegcp.check("box1x1x4:a1.2->?", "a1.4-a1.2 a1.1-a1.3").value is None


def test_a_wrong_solution_on_a_graph_is_said_to_be_wrong() -> None:
    with pytest.raises(pegcp.InvalidSolution, match="jump 1 "):
        pegcp.check("cycle6:1->4", "0-2")
