"""Problems: compact names, goals, files, and everything that can be wrong with them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from asking import typed
from hypothesis import given
from hypothesis import strategies as st

import pegcp
from pegcp import library
from pegcp.catalogue.choice import choose
from pegcp.errors import InputError
from pegcp.formats.toml import problem_file, read_problem
from pegcp.game import (
    GOAL_KINDS,
    DeadEnd,
    Exact,
    Goal,
    Nearest,
    Objective,
    OnePeg,
    Partial,
    Position,
    Problem,
    lines_board,
)
from pegcp.game.lattice import draw
from pegcp.library import lookup

DATA = Path(__file__).parent / "data"


@pytest.mark.parametrize(
    ("text", "vacancies", "goal", "objective"),
    [
        ("english", "d4", ["d4"], "any"),
        ("english:c1", "c1", ["c1"], "any"),
        ("english:C1", "c1", ["c1"], "any"),
        ("english:c1->d4", "c1", ["d4"], "any"),
        ("english:c1->?", "c1", "one peg anywhere", "any"),
        ("english:d4!", "d4", "a dead end", "fewest-jumps"),
        ("triangle15", "a1", "one peg anywhere", "any"),
        ("triangle15:5", "b3", ["b3"], "any"),
        ("triangle15:c5->c5", "c5", ["c5"], "any"),
        ("cycle8:3!", "3", "a dead end", "fewest-jumps"),
    ],
)
def test_compact_names(text: str, vacancies: str, goal: list[str] | str, objective: str) -> None:
    problem = pegcp.problem(text)
    board = problem.board
    assert problem.start.mask == board.full & ~board.mask(vacancies.split())
    assert problem.objective == objective
    if isinstance(goal, str):
        assert problem.goal_text == goal
    else:
        assert problem.goal == Exact(board.mask(goal))


def test_line_strings_and_grid_numbers(tmp_path: Path) -> None:
    line = pegcp.problem("XoXX")
    assert (line.start.pegs, line.goal) == (["a1", "c1", "d1"], OnePeg())
    numbers = tmp_path / "b1.txt"
    numbers.write_text("9 18 19\n29, 30 38\n")
    assert pegcp.problem(str(numbers)) == pegcp.problem("lab1")
    string = tmp_path / "line.txt"
    string.write_text("XoXX\n")
    assert pegcp.problem(str(string)) == line


def test_start_goal_and_objective_in_place_of_the_problems_own() -> None:
    problem = pegcp.problem("english", start="c3 d3 e3", goal="d3", objective="fewest moves")
    assert problem.start.pegs == ["c3", "d3", "e3"]
    assert (problem.goal, problem.objective) == (Exact(problem.board.mask(["d3"])), Objective.FEWEST_MOVES)
    assert pegcp.problem("english", start="all but c1 d1").start.mask.bit_count() == 31
    assert pegcp.problem("english", goal="dead end").objective is Objective.FEWEST_JUMPS
    assert pegcp.problem("english", goal="d4 * -c1").goal == Partial(1 << 16, 1)


@pytest.mark.parametrize("name", library.problem_names())
def test_bundled_problems_read_back(name: str) -> None:
    problem = pegcp.problem(name)
    assert problem.name == name
    for text in (problem.text, problem_file(problem)):
        again = read_problem(text, pegcp.board)
        assert (again, again.fingerprint) == (problem, problem.fingerprint)


def test_bundled_patterns_are_those_of_the_paper() -> None:
    patterns = json.loads((DATA / "patterns.json").read_text())
    for pattern in patterns:
        problem = pegcp.problem(f"pattern{pattern['name'].rstrip(']')[-1]}")
        cells = problem.board.cells
        assert cells is not None
        assert [list(cells[i]) for i in range(33) if problem.final_pegs >> i & 1] == pattern["final_pegs"]
        assert problem.lengths == range(pattern["jumps"], pattern["jumps"] + 1)


def test_lab_boards() -> None:
    boards = {
        "lab1": "9 18 19 29 30 38",
        "lab2": "2 3 4 9 10 14 15 16 17 19 20 21",
        "lab3": "2 3 4 9 10 14 15 16 17 19",
        "lab4": "3 4 9 15 16 17 19 20 22 23 25 26 27 30 31 33 34 38 45 46",
    }
    for name, numbers in boards.items():
        problem = pegcp.problem(name)
        assert problem.board.cells is not None
        cells = [7 * r + c for i, (r, c) in enumerate(problem.board.cells) if problem.start.mask >> i & 1]
        assert " ".join(map(str, cells)) == numbers
        assert problem.goal == OnePeg()


def test_equal_problems_have_one_fingerprint() -> None:
    """The fingerprint is part of stored results, so it must not change."""
    written = 'board = "english"\nstart = "all but d4"\ngoal = ["d4"]\n'
    problem = read_problem(written, pegcp.board)
    assert problem == pegcp.problem("english")
    assert hash(problem) == hash(pegcp.problem("english"))
    assert problem.fingerprint == "d7a12da632471c54"
    assert pegcp.problem("english:d4!").fingerprint == "d81dbfd6e9fafdb2"
    assert pegcp.problem("english:c1").fingerprint != problem.fingerprint


@pytest.mark.parametrize(
    ("pegs", "goal", "counts"),
    [
        (32, Exact(1), range(31, 32)),
        (32, Exact(0b111), range(29, 30)),
        (2, Exact(0b111), range(0)),
        (2, Exact(0), range(0)),
        (0, Exact(0), range(1)),
        (32, OnePeg(), range(31, 32)),
        (1, OnePeg(), range(1)),
        (0, OnePeg(), range(0)),
        (5, DeadEnd(), range(5)),
        (0, DeadEnd(), range(1)),
        (5, Partial(0b11), range(4)),
        (5, Partial(1, 0b110), range(5)),
        (5, Partial(0, (1 << 33) - 2), range(4, 5)),
        (5, Partial(0, (1 << 33) - 1), range(0)),
        (1, Partial(0b11), range(0)),
        (0, Partial(1), range(0)),
        (0, Partial(0, 1), range(1)),
    ],
)
def test_numbers_of_jumps(pegs: int, goal: Exact | OnePeg | DeadEnd | Partial, counts: range) -> None:
    board = pegcp.board("english")
    assert list(Problem(board, Position(board, (1 << pegs) - 1), goal).lengths) == list(counts)


def test_problem_symmetries() -> None:
    assert len(pegcp.problem("english").symmetries()) == 8
    assert len(pegcp.problem("english:c1").symmetries()) == 1
    assert len(pegcp.problem("english:d1").symmetries()) == 2
    assert len(pegcp.problem("english:d4->d1").symmetries()) == 2


def test_a_problem_with_its_own_drawn_board() -> None:
    text = (
        'lattice = "square"\nlegend = { peg = "X", vacancy = "o", free = "?", outside = "." }\n'
        'start = """\n. o .\no X X\n"""\ngoal = """\n. ? .\nX ? o\n"""\n'
    )
    problem = read_problem(text, pegcp.board)
    board = problem.board
    assert board.holes == ("b1", "a2", "b2", "c2")
    assert problem.goal == Partial(board.mask(["a2"]), board.mask(["c2"]))


@pytest.mark.parametrize("start", ["4", "[4]", '"4"', '["4"]'])
def test_holes_that_are_numbers(start: str) -> None:
    assert read_problem(f'board = "cycle8"\nstart = {start}\n', pegcp.board).start.pegs == ["4"]
    drawn = read_problem(f'edges = [[4, 5], "5-6"]\nholes = [6, 5, 4]\nstart = {start}\n', pegcp.board)
    assert (drawn.board.holes, drawn.start.pegs) == (("6", "5", "4"), ["4"])


def test_an_empty_name_is_no_hole() -> None:
    problem = read_problem('edges = [["a", "b", ""], "b-c"]\nstart = "a b"\n', pegcp.board)
    assert problem.board.holes == ("a", "b", "c")


def test_problem_on_a_graph() -> None:
    problem = read_problem('edges = "0-1 1-2 2-3 3-0"\nstart = [0, 1]\ngoal = "one peg"\n', pegcp.board)
    assert (problem.board, problem.start.pegs) == (pegcp.board("cycle4"), ["0", "1"])


LEGEND = 'legend = { peg = "X", vacancy = "o", outside = "." }\n'


@pytest.mark.parametrize(
    ("text", "place", "word"),
    [
        ('board = "english"\nstart = "all but d4"\ngaol = "d4"', 'unknown key "gaol"', 'did you mean "goal"'),
        ('board = "englich"\nstart = "d4"', "board: ", 'did you mean "english"'),
        ('board = "english"\ngoal = "d4"', "start: ", "missing"),
        ('board = "english"\nstart = "d4 d4"', "start: ", "twice"),
        ('board = "english"\nstart = "d4 z9"', "start: ", '"z9"'),
        ('board = "english"\nstart = 4', "start: ", "holes"),
        ('board = "english"\nstart = "d4"\ngoal = ""', "goal: ", "expected a goal"),
        ('board = "english"\nstart = "d4"\ngoal = " , "', "goal: ", "expected a goal"),
        ('board = "english"\nstart = "d4"\ngoal = { pegs = true }', "goal: ", "names of holes, not True"),
        (f'board = "english"\nstart = 0x{"f" * 4000}', "start: ", "names of holes, not a number"),
        ('edges = [[1.5, "b"]]\nstart = "b"', "edges: ", "names of holes, not 1.5"),
        ('edges = "a-b"\nholes = ["a", "b", true]\nstart = "b"', "holes: ", "names of holes, not True"),
        ('edges = "a-b"\nholes = "a b a"\nstart = "b"', "holes: ", "a hole is listed twice"),
        ('board = "english"\nstart = "d4"\ngoal = { pegs = ["d4"], free = [] }', 'unknown key "goal.free"', ""),
        ('board = "english"\nstart = "d4"\ngoal = "d4 * -d4"', "goal: ", "both"),
        ('board = "english"\nstart = "d4"\nobjective = "fewest"', "objective: ", '"fewest"'),
        ('board = 3\nstart = "d4"', "board: ", "name"),
        (LEGEND + 'board = "english"\nstart = """\nXX\n"""', "start: ", "33"),
        (LEGEND + 'lattice = "square"\nstart = """\nXX\nXY\n"""', "start, row 2, column 2: ", '"Y"'),
        ('board = "cycle8"\n' + LEGEND + 'start = """\nXX\n"""', "start: ", "lattice"),
        ("start = [", (1, 10), "not valid TOML"),
    ],
)
def test_bad_problem_files(text: str, place: str | tuple[int, int], word: str) -> None:
    """The place is the key, or the line and column of text that is not TOML."""
    with pytest.raises(InputError) as caught:
        read_problem(text, pegcp.board, "mine.toml")
    error = caught.value
    assert word in error.message
    assert error.source == "mine.toml"
    assert error.message.startswith(place) if isinstance(place, str) else (error.line, error.column) == place


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("englsh", 'did you mean "english"'),
        ("patern3", 'did you mean "pattern3"'),
        ("english:d9", 'no hole "d9" (did you mean "d7"?)'),
        ("english:d4->z", 'no hole "z"'),
        ("english:c1->d4!", "no hole"),
        ("nothing/here.toml", 'there is no file "nothing/here.toml"'),
        ("/", '"/" is a folder'),
        ("english:c1-", "quotes"),
        ("cycle8:10", 'no hole "10"'),
        ("x\0y", "unknown board"),
        ("", "unknown board"),
    ],
)
def test_unknown_problems(text: str, message: str) -> None:
    with pytest.raises(InputError) as caught:
        pegcp.problem(text)
    assert message in str(caught.value)


def test_a_line_of_few_signs_is_read_without_the_boards_that_ship(monkeypatch: pytest.MonkeyPatch) -> None:
    assert min(len(board) for board in lookup._boards()) == lookup._FEWEST_SIGNS + 2
    monkeypatch.setattr(lookup, "_boards", lambda: pytest.fail("their files are read"))
    assert pegcp.problem("XoXX").start.pegs == ["a1", "c1", "d1"]


@pytest.mark.parametrize(
    ("content", "place", "message"),
    [
        (b"2 3 0 9", (1, 5), "0 is"),
        (b"2 3\n9 nine", (2, 3), "nine is"),
        (b"2 3 2", (1, 5), "2 is given twice"),
        (b"", (1, 1), "no peg numbers"),
        (b"2 3\n\xff", (2, 1), "not UTF-8"),
        (b"-2", (1, 1), "-2 is"),
    ],
)
def test_bad_number_files(tmp_path: Path, content: bytes, place: tuple[int, int], message: str) -> None:
    path = tmp_path / "board.txt"
    path.write_bytes(content)
    with pytest.raises(InputError) as caught:
        pegcp.problem(str(path))
    error = caught.value
    assert message in error.message
    assert (error.source, error.line, error.column) == (str(path), *place)


def test_unreadable_files(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no file"):
        pegcp.problem(str(tmp_path / "missing.toml"))
    with pytest.raises(InputError, match="cannot read the file: No such file"):
        pegcp.board(str(tmp_path / "missing.toml"))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("movse", 'unknown method "movse" (did you mean "moves"?)'),
        ("moves:ordr=off", 'no option "ordr" (did you mean "order"?)'),
        ("moves:cpsat", 'no backend "cpsat" (did you mean "cp-sat"?)'),
        ("moves:order=maybe", 'cannot be "maybe": it takes on or off'),
    ],
)
def test_unknown_methods(text: str, message: str) -> None:
    with pytest.raises(InputError) as caught:
        choose(text)
    assert message in str(caught.value)


GOALS: dict[str, st.SearchStrategy[Goal]] = {
    Exact.kind: st.builds(Exact, st.integers(0, 15)),
    OnePeg.kind: st.just(OnePeg()),
    Partial.kind: st.builds(Partial, st.sampled_from([0, 1, 2, 3]), st.sampled_from([0, 4, 8, 12])),
    DeadEnd.kind: st.just(DeadEnd()),
    Nearest.kind: st.builds(Nearest, st.integers(0, 15), st.tuples(*[st.integers(0, 2)] * 4)),
}
BOARDS = (
    pegcp.board("line4"),
    pegcp.board("cycle4"),
    pegcp.board("square2"),
    lines_board(["one", "peg", "dead", "end"], [("one", "peg", "dead")]),
    lines_board(["all", "but", "free", "any"], [("all", "but", "free"), ("but", "free", "any")]),
)


@st.composite
def any_problem(draw: st.DrawFn) -> Problem:
    board = draw(st.sampled_from(BOARDS))
    goal = draw(st.one_of(*GOALS.values()))
    start = Position(board, draw(st.integers(0, board.full)))
    fitting = [o for o in Objective if o is not Objective.NEAREST or isinstance(goal, Nearest)]
    return Problem(board, start, goal, draw(st.sampled_from(fitting)))


def test_every_kind_of_goal_is_tried() -> None:
    assert GOALS.keys() == GOAL_KINDS


@given(any_problem(), any_problem())
def test_two_different_problems_never_share_a_text(one: Problem, other: Problem) -> None:
    assert (one == other) == (one.text == other.text) == (one.fingerprint == other.fingerprint)
    assert read_problem(one.text) == one


def test_a_position_on_a_named_board_needs_no_legend() -> None:
    drawn = """
    o o o
    o X o
o o X X o o o
o o o X o o o
o o o o o o o
    o o o
    o o o
"""
    problem = read_problem(f'board = "english"\nstart = """{drawn}"""\ngoal = "d4"\n', pegcp.board)
    assert problem.start.pegs == ["d2", "c3", "d3", "d4"]
    with pytest.raises(InputError, match='"#" has no meaning'):
        read_problem(f'board = "english"\nstart = """{drawn.replace("X", "#")}"""\ngoal = "d4"\n', pegcp.board)


@pytest.mark.parametrize("name", ["english", "triangle10", "triangle15:b3", "square3", "line5:b1->?", "hexagon7"])
def test_a_position_as_it_is_printed_or_drawn_is_a_problem(name: str, tmp_path: Path) -> None:
    position = pegcp.problem(name).start
    for text in (str(position), draw(position.board, position.mask)):
        (tmp_path / "pasted.txt").write_text(text)
        for found in (pegcp.problem(f"{text}\n"), pegcp.problem(str(tmp_path / "pasted.txt"))):
            assert (found.start, found.goal) == (position, OnePeg())


def test_a_map_side_by_side_and_its_faults() -> None:
    assert pegcp.problem("XXo\nXoX\n.X.\n").start.pegs == ["a1", "b1", "a2", "c2", "b3"]
    with pytest.raises(InputError, match=r"the text:2:3: cannot tell what .q. means"):
        pegcp.problem("X X\nX q\n")
    assert "SOLVED" in typed("solve", "-", "-m", "dfs", "--goal", "a1 *", stdin="X X\nX o\nX X\no X\n")


@pytest.mark.parametrize(("objective", "most"), [("fewest-moves", 1), ("fewest-steps", 1), ("fewest-jumps", 3)])
def test_no_solution_is_below_the_least_value(objective: str, most: int) -> None:
    assert pegcp.problem("XXXoX", goal="a1 b1 c1 e1", objective=objective).least_value == 0
    assert pegcp.problem("XXXoX", objective=objective).least_value == most


@pytest.mark.parametrize("goal", [Nearest(1 << 4, (1,) * 4), Nearest(1, (1,) * 3), Nearest(1, (1, 1, 1, -1))])
def test_a_soft_goal_is_a_position_of_the_board(goal: Nearest) -> None:
    board = pegcp.board("line4")
    with pytest.raises(InputError, match=r"not a position|the weight of"):
        Problem(board, Position(board, 1), goal, Objective.NEAREST)
