"""Pictures: maps in characters, SVG of positions and solutions, and the page of ``pegcp show``."""

from __future__ import annotations

import json
import re
import zlib
from collections.abc import Sequence
from pathlib import Path
from xml.etree import ElementTree

import pytest
from asking import boards, typed
from parts import need

import pegcp
from pegcp import library
from pegcp.api import show
from pegcp.errors import InputError, InvalidSolution, Missing
from pegcp.formats.solution import read_solution
from pegcp.formats.toml import read_board, read_problem
from pegcp.game import Board, Jump, Position, Problem, graph_board, replay_solution
from pegcp.game.lattice import draw_labels
from pegcp.game.svg import ARROW, GROUND, INK, PEG, RIM, VACANCY, WIDEST, Drawn, position_svg
from pegcp.method import Answer, Reason, Status
from pegcp.render.page import page_file
from pegcp.results.judge import judge_answer
from pegcp.results.result import failed
from pegcp.theory import certificates

SVG = "{http://www.w3.org/2000/svg}"
CENTRAL = (
    "d2-d4 d5-d3 b5-d5 c7-c5 d5-b5 d7-d5 a5-c5 d5-b5 a3-a5 a5-c5 c3-a3 f5-d5 d5-b5 "
    "e7-e5 e4-e6 e2-e4 b5-b3 a3-c3 d3-b3 c1-c3 c4-c2 e1-c1 c1-c3 g3-e3 g5-g3 b3-d3 d3-f3 g3-e3 e3-e5 e6-e4 f4-d4"
)


def solution_svg(problem: Problem, jumps: Sequence[Jump]) -> str:
    return replay_solution(problem, jumps)._repr_svg_()


def texts(root: ElementTree.Element) -> list[str | None]:
    """What is written in a picture, without the letters and numbers beside the boards."""
    return [text.text for text in root.iter(f"{SVG}text") if text.get("class") != "coordinate"]


def test_pictures_in_characters() -> None:
    triangle = pegcp.board("triangle6")
    assert draw_labels(triangle, triangle.holes) == "     a1\n   a2  b2\n a3  b3  c3"
    assert draw_labels(triangle, ["X"] * 6) == "  X\n X X\nX X X"
    assert draw_labels(pegcp.board("rectangle3x2"), ["1", "22", "3", ".", ".", "10"]) == " 1 22  3\n .  . 10"


def test_the_holes_of_a_graph_lie_on_a_circle_and_are_listed() -> None:
    square = graph_board("abcd", [("a", "b"), ("b", "c"), ("c", "d"), ("d", "a")], "square")
    assert [(round(x, 6), round(y, 6)) for x, y in square.places] == [
        (1.414214, 0.707107), (0.707107, 1.414214), (0, 0.707107), (0.707107, 0)
    ]  # fmt: skip
    assert draw_labels(square, "XXoX") == "a=X b=X c=o d=X"
    large = graph_board([str(i) for i in range(70)], [(str(i), str(i + 1)) for i in range(69)], "long")
    assert max(map(len, draw_labels(large, ["X"] * 70).split("\n"))) <= 75


@pytest.mark.thorough
def test_coordinates_of_a_file() -> None:
    text = 'lines = "a-b-c, d-e-f"\n[coordinates]\n'
    block = read_board(text + "a=[0,0]\nb=[2,0]\nc=[4,0]\nd=[0,2]\ne=[2,2]\nf=[4,2]")
    assert list(block.places) == [(0, 0), (1, 0), (2, 0), (0, 1), (1, 1), (2, 1)]
    assert block == read_board('lines = "a-b-c, d-e-f"')  # the same board, drawn otherwise
    cube = pegcp.board("examples/boards/cube.toml")
    assert (len(cube.holes), len(cube.lines)) == (27, 27)
    assert len(set(cube.places)) == 27
    result = pegcp.solve("examples/boards/cube.toml", "fools-counts")
    data = json.loads(json.dumps(result.to_json()))
    assert pegcp.read_result(data).problem.board.places == cube.places
    spoilt: object
    for spoilt in ([], [[0, 0]] * 26 + [[0]], [[0, 0]] * 26 + [[0, "1"]], [[0, 0]] * 26 + [[0, 1e9]], {}, "x"):
        with pytest.raises(InputError, match="not a result: coordinates"):
            pegcp.read_result(data | {"coordinates": spoilt})
    for wrong, message in (
        ("a=[0,0]", 'coordinates: hole "b" has no coordinates'),
        ("a=[0]\nb=[1]\nc=[2]\nd=[3]\ne=[4]\nf=[5]", "coordinates: expected two numbers for each hole, or three"),
        (
            "a=[0,0]\nb=[1,0]\nc=[2,0]\nd=[3,0]\ne=[4,0]\nf=[5,0,0]",
            "coordinates: expected two numbers for each hole, or three",
        ),
        ("a=[0,0]\nb=[1,0]\nc=[2,0]\nd=[3,0]\ne=[4,0]\nf=[inf,0]", "coordinates.*numbers"),
        ("a=[0,0]\nb=[1,0]\nc=[2,0]\nd=[3,0]\ne=[4,0]\nf=[0,0]", "alike"),
        ("a=[0,0]\nb=[1,0]\nc=[2,0]\nd=[3,0]\ne=[4,0]\nf=[0,1]\ng=[0,0]", 'coordinates: there is no hole "g"'),
    ):
        with pytest.raises(InputError, match=message):
            read_board(text + wrong)
    with pytest.raises(InputError, match="a map already gives"):
        read_board('legend = { hole = "o" }\nmap = "o o o"\ncoordinates = {}')


@pytest.mark.parametrize("board", list(boards()), ids=lambda board: str(board.name))
def test_svg_of_every_board(board: Board) -> None:
    position = Position(board, board.full >> 1)
    root = ElementTree.fromstring(position_svg(position.board, position.mask))
    titles = [circle.findtext(f"{SVG}title") for circle in root.iter(f"{SVG}circle")]
    assert titles == [f"{hole}: {'peg' if position.mask >> i & 1 else 'vacancy'}" for i, hole in enumerate(board.holes)]
    width, height = float(root.attrib["width"]), float(root.attrib["height"])
    assert width <= WIDEST
    for circle in root.iter(f"{SVG}circle"):
        x, y, r = (float(circle.attrib[key]) for key in ("cx", "cy", "r"))
        assert 0 <= x - r < x + r <= width + 1
        assert 0 <= y - r < y + r <= height + 1


def test_holes_do_not_overlap() -> None:
    for board in boards():
        places = board.places
        assert all((x - u) ** 2 + (y - v) ** 2 > 0.98 for i, (x, y) in enumerate(places) for u, v in places[:i]), (
            board.name
        )


def test_svg_of_a_solution() -> None:
    problem = pegcp.problem("english")
    jumps = read_solution(problem, CENTRAL)
    root = ElementTree.fromstring(solution_svg(problem, jumps))
    captions = texts(root)
    moves = replay_solution(problem, jumps).moves
    assert len(captions) == len(moves) + 1
    assert captions[0] == "1. d2-d4"
    assert captions[8] == "9. a3-a5-c5"
    assert captions[-1] == "end"
    assert len(list(root.iter(f"{SVG}polygon"))) == len(jumps)
    assert float(root.attrib["width"]) <= WIDEST + 1
    assert root.attrib["aria-label"] == "english: 31 jumps in 26 moves"
    with pytest.raises(InvalidSolution):
        solution_svg(problem, jumps[1:])


def test_arrows_stand_out_in_black_and_white() -> None:
    root = ElementTree.fromstring(solution_svg(pegcp.problem("XXo"), read_solution(pegcp.problem("XXo"), "a1-c1")))
    strokes = [path.get("stroke") for path in root.iter(f"{SVG}path")]
    assert [stroke for stroke in strokes if stroke in (RIM, ARROW)] == [RIM, ARROW]  # the rim lies under the arrow


def test_captions_name_the_middle_hole_where_two_lines_join_the_same_holes() -> None:
    problem = pegcp.problem("cycle4", start="0 1", goal="2")
    assert ">1. (0 1 2)<" in solution_svg(problem, read_solution(problem, "(0 1 2)"))


def test_names_of_holes_are_drawn_over_arrows() -> None:
    problem = pegcp.problem("cycle4", start="0 1", goal="2")
    picture = solution_svg(problem, read_solution(problem, "(0 1 2)"))
    first = picture[: picture.index("end<")]
    assert first.rindex("<polygon") < first.index("<circle") < first.index(">0</text>")  # and holes over arrows


def test_svg_of_a_wide_board_and_of_no_jumps() -> None:
    line = pegcp.problem("o" * 60 + "X" + "o" * 60)
    root = ElementTree.fromstring(solution_svg(line, []))
    assert texts(root) == ["end"]
    assert float(root.attrib["width"]) <= WIDEST + 1


def test_names_are_shown_not_executed() -> None:
    name = '<script>"&'
    board = graph_board(["a", "b", "c"], [("a", "b"), ("b", "c")], name)
    start = Position(board, 0b011)
    root = ElementTree.fromstring(position_svg(start.board, start.mask))
    assert root.attrib["aria-label"] == f"{name}: 2 pegs, vacant at c"
    assert [text.text for text in root.iter(f"{SVG}text")] == list(board.holes)
    assert root.findtext(f"{SVG}circle/{SVG}title") == "a: peg"


def test_notebooks() -> None:
    problem = pegcp.problem("XXo")
    jumps = tuple(read_solution(problem, "a1-c1"))
    result = judge_answer(problem, "mine", Answer(Status.SOLVED, jumps=jumps))
    assert (result._repr_svg_() or "").startswith("<svg")
    assert failed(problem, "mine", Reason.TIME, "too slow")._repr_svg_() is None
    assert problem.start._repr_svg_() == position_svg(problem.board, problem.start.mask)


@pytest.mark.parametrize(
    ("name", "kind", "pictures", "labels"),
    [
        ("english:c1->e5", "class", 1, {"#"}),
        ("army5", "pagoda", 1, {"102", "1"}),
        ("triangle6", "finishes", 3, {"#", "-1"}),
        ("fig5", "cases", 1, {"1"}),
        ("XoX", "dead-end", 1, set()),
    ],
)
def test_every_kind_of_certificate_has_a_picture(name: str, kind: str, pictures: int, labels: set[str]) -> None:
    problem = pegcp.problem(name)
    certificate = certificates.find(problem, cases=True)
    assert certificate is not None
    assert certificate["kind"] == kind
    root = ElementTree.fromstring(certificates.certificate_svg(problem, certificate))
    assert len(list(root.iter(f"{SVG}circle"))) == pictures * len(problem.board.holes)
    assert labels <= set(texts(root))


def test_pictures_are_readable_on_dark_pages_and_have_the_colours_of_the_pages() -> None:
    light = dict(re.findall(r"--(\w+): light-dark\((#\w+)", page_file("style.css")))
    assert [light[name] for name in ("board", "ink", "peg", "hole", "pick")] == [GROUND, INK, PEG, VACANCY, ARROW]
    problem = pegcp.problem("triangle10:a2->?")
    explained = pegcp.explain("english:c1->e5")
    assert explained is not None
    views: list[Drawn] = [problem, problem.board, problem.start, pegcp.show("fig5"), explained]
    for picture in (*(view._repr_svg_() for view in views), pegcp.solve(problem, "dfs")._repr_svg_() or ""):
        root = ElementTree.fromstring(picture)
        assert (root[0].tag, root[0].get("fill")) == (f"{SVG}rect", GROUND)
        assert abs(float(root[0].get("width", 0)) - float(root.attrib["width"])) < 1
        assert {text.get("fill") for text in root.iter(f"{SVG}text")} <= {INK, RIM}


def test_pictures_are_saved(tmp_path: Path) -> None:
    problem = pegcp.problem("triangle10:a2->b2")
    explained = pegcp.explain("XoX")
    assert explained is not None
    for drawn in (problem, problem.start, problem.board, explained, pegcp.check(problem, pegcp.solve(problem).moves)):
        drawn.save(tmp_path / "new" / "picture.SVG")
        assert (tmp_path / "new" / "picture.SVG").read_text("utf-8") == drawn._repr_svg_()
    with pytest.raises(InputError, match=r'must end in \.svg, \.png, not "\.gif"'):
        problem.start.save(tmp_path / "picture.gif")
    with pytest.raises(InputError, match="cannot write"):
        problem.start.save(tmp_path / "new" / "picture.SVG" / "picture.svg")


def test_a_picture_as_png_says_what_it_needs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pegcp.errors.is_importable", lambda module: module != "cairosvg")
    for act in (pegcp.position("XXo").save, pegcp.solve("XXo", "dfs").save):
        with pytest.raises(Missing, match=r"needs the package cairosvg; install it with: .*pegcp\[pictures\]"):
            act(tmp_path / "picture.png")


def test_a_picture_as_png_is_not_empty(tmp_path: Path) -> None:
    need("cairosvg")
    pegcp.position("english").save(tmp_path / "picture.png")
    data = (tmp_path / "picture.png").read_bytes()
    assert data.startswith(b"\x89PNG")
    assert any(zlib.decompressobj().decompress(data[data.index(b"IDAT") + 4 :], 1000))  # of the first rows


def test_the_commands_write_pictures(tmp_path: Path) -> None:
    show, explain = tmp_path / "show.svg", tmp_path / "explain.svg"
    assert str(show) in typed("show", "fig5", "-o", show)
    assert texts(ElementTree.parse(show).getroot()) == ["start", "goal"]
    typed("explain", "english:c1->e5", "-o", explain)
    assert texts(ElementTree.parse(explain).getroot()) == ["#"] * 12
    assert "the file exists; --force replaces it" in typed("show", "english", "-o", show, status=2)
    assert "must end in .svg, .png" in typed("explain", "XoX", "-o", tmp_path / "x.pdf", status=2)
    assert "leave one of them out" in typed("show", "XXo", "-m", "moves", "-o", tmp_path / "x.svg", status=2)


def test_an_animation_plays_the_solution(tmp_path: Path) -> None:
    problem = pegcp.problem("triangle10:a2->b2")
    result = pegcp.solve(problem, "dfs")
    result.save(tmp_path / "solution.animated.svg")
    circles = list(ElementTree.parse(tmp_path / "solution.animated.svg").getroot().iter(f"{SVG}circle"))
    holes, pegs = circles[:10], circles[10:]
    captured = [{move.get("attributeName") for move in peg} & {"opacity"} for peg in pegs]
    assert (len(pegs), captured.count({"opacity"})) == (9, 8)
    (last,) = (peg for peg, gone in zip(pegs, captured, strict=True) if not gone)
    ends = [move.attrib["values"].split(";")[-1] for move in last]
    finish = holes[problem.board.hole("b2")]
    assert ends == [finish.attrib["cx"], finish.attrib["cy"]]
    for move in last:
        times = [float(time) for time in move.attrib["keyTimes"].split(";")]
        assert times == sorted(times)
        assert (times[0], times[-1], len(times)) == (0, 1, len(move.attrib["values"].split(";")))
    with pytest.raises(InputError, match="no solution to draw"):
        pegcp.solve("XoX", "dfs").save(tmp_path / "none.animated.svg")


def rows(problem: Problem) -> dict[str, str]:
    table = show(problem).split("\n\n")[-1]
    return dict(line.split("  ", 1) for line in table.strip().splitlines())


def test_show_english() -> None:
    text = show(pegcp.problem("english"))
    assert "   a b c d e f g\n1      X X X\n2      X X X\n3  X X X X X X X\n4  X X X o X X X\n" in text
    facts = {key.strip(): value.strip() for key, value in rows(pegcp.problem("english")).items()}
    assert facts["holes"] == "33"
    assert facts["jumps"] == "76, along 38 lines"
    assert facts["symmetries"] == "8 of the board, 8 of the problem"
    assert facts["start classes"] == "7: c1 (8) d1 (4) c2 (8) d2 (4) c3 (4) d3 (4) d4 (1)"
    assert facts["position class"].endswith("at d1 a4 d4 g4 d7")
    assert facts["goal"] == "exactly d4"
    assert facts["solution length"] == "31 jumps"
    assert facts["certificate"] == "none found"


def test_show_tells_of_certificates_and_goals() -> None:
    assert "no solution, by class;" in show(pegcp.problem("lab2"))
    army = show(pegcp.problem("army5"))
    assert "by pagoda" in army
    assert "10  X X X X X X X X X" in army
    assert "goal:\n   a b c d e f g\n1      o o X\n2      X X X" in show(pegcp.problem("fig5"))
    assert "solution length  none" in show(pegcp.problem("english", start="d4", goal="c4 d4"))
    assert "0 to 31 jumps" in show(pegcp.problem("english:d4!"))


@pytest.mark.parametrize("name", [*library.board_names(), *library.problem_names(), "cycle12", "hexagon37", "line1"])
def test_show_takes_everything_bundled(name: str) -> None:
    assert show(pegcp.problem(name)).startswith(f"{name}\n\n")


def test_show_a_complete_graph() -> None:
    edges = " ".join(f"{a}-{b}" for a in range(10) for b in range(a))
    problem = read_problem(f'edges = "{edges}"\nstart = "all but 0"\n', pegcp.board)
    assert "symmetries       3628800 of the board\n" in show(problem)
