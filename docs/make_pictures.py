"""Make the pictures of the README and the pages: ``python docs/make_pictures.py``.

All but the comparison, which has times in it, are the same on every run.
"""

from __future__ import annotations

import re
import shutil
import tempfile
from dataclasses import replace
from io import StringIO
from pathlib import Path

import pegcp
from pegcp.game.svg import position_svg

FOLDER = Path(__file__).parent / "pictures"
BOARDS = ("english", "french", "wiegleb", "triangle15", "hexagon37", "cycle8")
OWN = {name: str(FOLDER.parent.parent / "examples" / "boards" / f"{name}.toml") for name in ("graph", "cube")}


def drawn() -> dict[str, str]:
    """File names and pictures."""
    start = pegcp.problem("english").start
    jumps = list(start.jumps())
    files = {"start.svg": position_svg(start.board, start.mask, jumps=jumps)}
    files["solution.svg"] = _svg(pegcp.solve("triangle15:a1->?", "dfs"))
    files["fools.svg"] = _svg(pegcp.solve("english:d4!", "bfs"))
    files["class.svg"] = _svg(pegcp.solve("english:c1->e5", "certificate"))
    files["pagoda.svg"] = _svg(pegcp.solve("army5", "certificate"))
    for name, board in {**dict(zip(BOARDS, BOARDS, strict=True)), **OWN}.items():
        files[f"board-{name}.svg"] = pegcp.problem(board).start._repr_svg_()
    return files | sheets()


def sheets() -> dict[str, str]:
    """A picture for each sheet of the lessons."""
    named = pegcp.problem("triangle10:a2->b2").start
    first = named.board.hole("a4")  # an arrow shows one jump from there
    after = pegcp.problem("triangle15:b3->?").start.after("d5-b3")
    return {
        "sheet-modelling.svg": position_svg(
            named.board,
            named.mask,
            jumps=[jump for jump in named.jumps() if jump[0] == first],
            labels=named.board.holes,
        ),
        "sheet-symmetry.svg": position_svg(after.board, after.mask, jumps=list(after.jumps())),
        "sheet-planning.svg": _svg(pegcp.solve("line6:b1->e1", "dfs")),
        "sheet-proofs.svg": _svg(pegcp.solve("square3:b3->b3", "certificate")),
    }


def _svg(result: pegcp.Result) -> str:
    picture = result._repr_svg_()
    assert picture is not None
    return picture


def tour() -> pegcp.Comparison:
    """The runs of ``pegcp compare`` without a problem, in the order of its file."""
    from pegcp.comparison.experiment import TOUR, read_experiment
    from pegcp.comparison.schedule import run_all

    return pegcp.Comparison(run_all(read_experiment(TOUR).tasks))


def comparison(results: pegcp.Comparison) -> str:
    """A comparison as a terminal shows it, but for the line that says which columns had no room."""
    from rich.console import Console

    from pegcp.comparison.scores import review
    from pegcp.report.tables import results_table

    console = Console(record=True, width=120, file=StringIO(), color_system="truecolor", force_terminal=True)
    console.print(results_table(review(results)))
    picture = console.export_svg(title="pegcp compare", unique_id="comparison")
    picture = re.sub(r"<text [^>]*>No&#160;room.*?</text>", "", picture)
    return re.sub(r"@font-face \{.*?\}\s*", "", picture, flags=re.DOTALL).replace("Fira Code, ", "")


def report() -> bytes:
    """The beginning of a report, as Chromium shows it."""
    from selenium import webdriver

    methods = ["rounds", "parallel", "moves", "sat-rounds", "budget"]
    problems = ["english", "english:c1->c4", "triangle15:a1->?", "triangle15:b3->a1", "triangle10:a2->b2"]
    options = webdriver.ChromeOptions()
    options.binary_location = shutil.which("chromium") or ""
    for option in ("--headless=new", "--no-sandbox", "--window-size=1240,1300", "--force-device-scale-factor=0.8"):
        options.add_argument(option)
    with tempfile.TemporaryDirectory() as folder:
        page = Path(folder) / "report.html"
        results = pegcp.compare(problems, methods, seeds=3, time_limit=60, workers=1)
        shown = [replace(result, provenance={}) for result in results]  # without the name of the machine
        pegcp.Comparison(shown, "Five methods on five problems").report(page)
        browser = webdriver.Chrome(options, webdriver.ChromeService(shutil.which("chromedriver")))
        browser.get(page.as_uri())
        picture = browser.get_screenshot_as_png()
        browser.quit()
    return picture


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for name, text in {**drawn(), "comparison.svg": comparison(tour())}.items():
        (FOLDER / name).write_text(text, encoding="utf-8")
        print(FOLDER / name)
    (FOLDER / "report.png").write_bytes(report())
    print(FOLDER / "report.png")
