"""The page "Models here", in a browser: positions, models that are changed, solvers, answers that are replayed."""

from __future__ import annotations

import fcntl
import functools
import http.server
import json
import os
import re
import runpy
import subprocess
import sys
import threading
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any, ClassVar

import pytest
from parts import need

import pegcp
from pegcp.play.page import html

DOCS = Path(__file__).parent.parent / "docs"
LESSONS = {"modelling": 9, "symmetry": 6, "planning": 6, "proofs": 6}  # cells that run, at least
LONGEST = 180  # seconds for a step of the page
FAULTS = "return [...document.querySelectorAll('.fault')].map((place) => place.textContent).join(' ')"

SITE = DOCS / "_extra" / "lab"  # where the page is built for the site
SOURCES = ("docs/lab", "docs/make_lab.py", "docs/make_lessons.py", "examples/exercises", "models", "pegcp")

pytestmark = pytest.mark.thorough


def is_built() -> bool:
    """Whether the site has the page, with the lessons, and no source has been changed since."""
    if not (SITE / "lessons" / "notebooks" / "index.html").exists():
        return False
    sources = [DOCS / "teaching" / f"{lesson}.md" for lesson in LESSONS]
    for place in map(DOCS.parent.joinpath, SOURCES):
        sources += [place] if place.is_file() else [file for file in place.rglob("*") if file.is_file()]
    last = max(file.stat().st_mtime for file in sources if "__pycache__" not in file.parts)
    return (SITE / "parts.json").stat().st_mtime > last


def build_once(folder: Path) -> Path:
    """Build the page with the lessons in a folder that all workers share; the first one builds."""
    site = folder / "lab"
    with (folder / "building").open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        if not site.exists():
            subprocess.run([sys.executable, DOCS / "make_lab.py", site], check=True)
            if find_spec("myst_nb"):
                subprocess.run([sys.executable, DOCS / "make_lessons.py", site], check=True)
    return site


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The page, built and served."""
    need("selenium", "chromium", "chromedriver", "npm")
    shared = tmp_path_factory.getbasetemp()
    shared = shared.parent if "PYTEST_XDIST_WORKER" in os.environ else shared
    site = tmp_path_factory.mktemp("lab")
    for child in (SITE if is_built() else build_once(shared)).iterdir():
        (site / child.name).symlink_to(child)
    models = '<head><meta name="pegcp-models" content="index.html">'  # as docs/conf.py writes it
    (site / "play.html").write_text(html(pegcp.problem("english")).replace("<head>", models, 1), encoding="utf-8")
    handler = functools.partial(_Counting, directory=str(site))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_address[1]}/index.html"
        server.shutdown()


class _Counting(http.server.SimpleHTTPRequestHandler):
    """A server that packs nothing, counts the bytes that it sends, and knows what it was asked for."""

    sent = 0
    asked: ClassVar[set[str]] = set()  # paths

    def send_head(self) -> Any:
        self.asked.add(self.path)
        return super().send_head()

    def copyfile(self, source: Any, outputfile: Any) -> None:
        data = source.read()
        _Counting.sent += len(data)
        outputfile.write(data)

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
        pass


@pytest.fixture(scope="module")
def page(address: str) -> Iterator[Page]:
    from selenium import webdriver

    options = webdriver.ChromeOptions()
    for argument in ("--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--window-size=1240,1000"):
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"performance": "ALL", "browser": "ALL"})
    driver = webdriver.Chrome(options=options, service=webdriver.ChromeService("/usr/bin/chromedriver"))
    driver.set_script_timeout(LONGEST)
    try:
        yield Page(driver, address)
        assert asked_elsewhere(driver, address) == []
    finally:
        driver.quit()


@pytest.fixture
def tab(page: Page) -> Iterator[Page]:
    """A window for another page than that of the models, which the next test finds as it was."""
    first = page.driver.current_window_handle
    page.driver.switch_to.new_window("tab")
    yield page
    page.driver.close()
    page.driver.switch_to.window(first)


def asked_elsewhere(driver: Any, address: str) -> list[str]:
    """What a browser has asked of any other site, in all tests."""
    messages = [json.loads(entry["message"])["message"] for entry in driver.get_log("performance")]
    urls = [m["params"]["request"]["url"] for m in messages if m["method"] == "Network.requestWillBeSent"]
    assert urls
    return [url for url in urls if not url.startswith((address.rpartition("/")[0], "blob:", "data:"))]


class Page:
    """The page, as somebody uses it."""

    def __init__(self, driver: Any, address: str) -> None:
        self.driver, self.address = driver, address
        self.open()
        self.first_bytes, self.first_paths = _Counting.sent, _Counting.asked.copy()

    def open(self, link: str = "") -> None:
        """Open the page anew, with what stands behind the # of its address."""
        self.driver.get("about:blank")
        self.driver.get(self.address + link)
        self.wait("document.body.dataset.usable")

    def run(self, script: str, *arguments: Any) -> Any:
        return self.driver.execute_script(script, *arguments)

    def wait(self, condition: str, seconds: int = LONGEST) -> None:
        from selenium.webdriver.support.ui import WebDriverWait

        WebDriverWait(self.driver, seconds).until(
            lambda _: self.run(f"return {condition}"), f"{condition}; the page says: {self.run(FAULTS)}"
        )

    def text(self, name: str) -> str:
        words: str = self.run("return document.getElementById(arguments[0])?.textContent ?? ''", name)
        return words

    def read(self, position: str) -> None:
        """Type a position."""
        self.run(
            "document.getElementById('text').value = arguments[0]; document.getElementById('name').textContent = ''",
            position,
        )
        self.run("document.getElementById('read').click()")
        self.wait("document.getElementById('name').textContent")

    def click(self, name: str) -> None:
        self.run("document.getElementById(arguments[0]).click()", name)

    def choose(self, model: str) -> None:
        """Look at another model, as it is kept."""
        self.run(
            "const model = document.getElementById('model'); model.value = arguments[0];"
            "document.getElementById('source').value = ''; model.dispatchEvent(new Event('change'))",
            model,
        )
        self.wait("document.getElementById('source').value")

    @property
    def source(self) -> str:
        """What stands in the editor."""
        text: str = self.run("return document.getElementById('source').value")
        return text

    def change_only(self, model: str, old: str, new: str) -> None:
        """Change a model, and no other: what a test that failed has left is forgotten, which takes a while."""
        if self.run("return ![null, '{}'].includes(localStorage.getItem('pegcp: changed models'))"):
            self.run("localStorage.clear()")
            self.open("#" + self.run("return location.hash.slice(1).split('&')[0]"))
        self.choose(model)
        self.change(old, new)

    def change(self, old: str, new: str) -> None:
        """Change the model."""
        assert old in self.source
        self.run(
            "const source = document.getElementById('source'); source.value = source.value.replace(...arguments);"
            "source.dispatchEvent(new Event('input'))",
            old,
            new,
        )

    def tick(self, *rows: str) -> None:
        self.run(
            "for (const box of document.querySelectorAll('#rows input'))"
            " box.checked = arguments[0].includes(box.id.slice(4))",
            rows,
        )

    def solve(self, *rows: str) -> list[list[str]]:
        """Solve with these rows, and return what the table then says: model, solver, verdict, evidence, jumps, ..."""
        self.tick(*rows)
        self.click("solve")
        self.wait("document.getElementById('cancel').hidden")
        table: list[list[str]] = self.run(
            "return [...document.querySelectorAll('#table tr[data-row]')]"
            ".map((row) => [...row.cells].map((cell) => cell.textContent))"
        )
        return table

    def notes(self) -> dict[str, str]:
        """What stands below each row."""
        notes: dict[str, str] = self.run(
            "return Object.fromEntries([...document.querySelectorAll('#table tr.note:not([hidden])')]"
            ".map((row) => [row.dataset.note, row.textContent]))"
        )
        return notes


def test_the_first_view_is_small_from_a_server_that_packs_nothing(page: Page) -> None:
    assert 5_000_000 < page.first_bytes < 7_000_000


def test_solvers_of_three_languages_answer_and_are_replayed(page: Page) -> None:
    page.read("triangle15:a1->?")
    table = page.solve("sat-rounds cadical", "asp-rounds", "mzn-rounds chuffed", "pddl")
    assert [row[2:5] for row in table] == [["SOLVED", "replayed", "13"]] * 4


def test_a_dead_end_has_rows_in_three_languages_and_models_that_do_not_take_it_say_so(page: Page) -> None:
    page.read("triangle10:a2!")
    table = page.solve("sat-fools", "asp-fools", "mzn-fools chuffed", "pddl")
    assert [row[2] for row in table] == ["OPTIMAL", "OPTIMAL", "OPTIMAL", "SOLVED"]
    assert [row[4] for row in table[:3]] == ["4"] * 3
    assert "sat-rounds" in page.text("others")
    assert not page.run("return document.getElementById('use sat-rounds cadical').checkVisibility()")
    page.choose("sat-rounds")
    assert "dead-end" in page.text("refusal")
    assert "asp-fools" in page.text("refusal")
    page.read("XoXX")


@pytest.mark.parametrize(
    ("model", "old", "new", "line"),
    [
        ("sat-rounds", "model.add(after, -x, made[i])", "model.add(after, x, made[i])", "model.add(after, x, made[i])"),
        ("asp-rounds", "final_peg(H), not peg(t,H)", "final_peg(H), peg(t,H)", "final_peg(H), peg(t,H)"),
        ("mzn-moves", "(bState[0, h] = (h in start))", "(bState[0, h] != (h in start))", "!= (h in start)"),
        ("pddl", "(peg ?over) (vacant ?to))", "(peg ?over) (peg ?to))", "(peg ?to))"),
    ],
)
def test_a_model_that_forbids_a_solution_gets_it_with_the_line(
    page: Page, model: str, old: str, new: str, line: str
) -> None:
    """Ticked or not; and if no other row has a solution, the page asks a model that is not changed."""
    page.read("XoXX" if model == "mzn-moves" else "triangle10:a2->b2")
    page.change_only(model, old, new)
    alone = page.solve(*(["pddl"] if model == "pddl" else []), *(["dfs-plain"] if model == "asp-rounds" else []))
    assert [row[2] for row in alone if "changed" in row[0]] == ["WRONG: INFEASIBLE"]
    assert "SOLVED" in [row[2] for row in alone]
    said = page.text("wrong")
    assert "It says that there is no solution, but" in said
    assert line in said
    number = page.run(
        "const button = document.querySelector('#wrong li button'); button.click(); return button.textContent"
    )
    page.wait("document.activeElement.id === 'source'")
    selected = page.run("const s = document.activeElement; return s.value.slice(s.selectionStart, s.selectionEnd)")
    assert number == f"line {1 + page.source[: page.source.index(selected)].count(chr(10))}"
    page.click("restore")
    page.wait("document.getElementById('restore').hidden")


def test_a_model_that_accepts_what_is_no_solution_is_told_which_rule_it_does_not_say(page: Page) -> None:
    page.read("triangle10:a2->b2")
    page.change_only("asp-rounds", "before(t,J,O), not before(t,J,D)", "not before(t,J,D)")
    assert page.solve("asp-rounds")[0][2] == "WRONG: not a solution"
    assert "impossible" in page.notes()["asp-rounds"]
    assert "No line says that a jump that is made finds two pegs and a vacancy" in page.text("wrong")
    page.click("restore")
    assert page.solve("asp-rounds")[0][2] == "SOLVED"
    assert page.text("wrong") == ""


def test_changes_are_kept_over_a_change_of_model_a_reload_and_in_the_link(page: Page) -> None:
    page.read("XoXX")
    page.change_only("sat-rounds", "def build(", "first = 1 / 0\n\ndef build(")
    page.choose("sat-moves")
    page.change("def build(", "second\n\ndef build(")
    page.choose("sat-rounds")
    assert "first" in page.source
    page.run("document.getElementById('source').dispatchEvent(new Event('input'))")
    page.wait("location.hash.includes('changes=')")
    page.driver.refresh()
    page.wait("document.body.dataset.usable")
    assert "first" in page.source
    rows = page.solve("dfs-plain")  # both are run, and each keeps its message
    assert [row[0] for row in rows] == ["sat-rounds (changed)", "sat-moves (changed)", "dfs-plain"]
    notes = page.notes()
    assert "ZeroDivisionError" in notes["sat-rounds cadical"]
    assert "second" in notes["sat-moves"]
    assert "/tmp" not in "".join(notes.values())
    assert "ZeroDivisionError" in page.text("model-fault")
    page.wait("location.hash.includes('changes=')")
    link = page.run("return location.hash")
    page.run("localStorage.clear()")
    page.open(link)
    assert "first" in page.source
    page.change("first = 1 / 0", "third")  # each change is run, not the first one again
    page.click("solve")
    page.wait(
        "document.getElementById('cancel').hidden && document.getElementById('table').textContent.includes('third')"
    )
    page.click("restore")
    page.choose("sat-moves")
    page.click("restore")
    assert [row[2] for row in page.solve("sat-rounds cadical", "sat-moves")] == ["SOLVED", "SOLVED"]


def test_errors_of_rules_and_minizinc_have_their_line(page: Page) -> None:
    page.read("XoXX")
    page.change_only("asp-rounds", ":- query(t), one_peg", ":- query(t) one_peg")
    page.choose("mzn-moves")
    page.change("constraint one_peg ->", "constraint one_pig ->")
    page.solve("asp-rounds", "mzn-moves chuffed")
    rules, minizinc = page.notes()["asp-rounds"], page.notes()["mzn-moves chuffed"]
    assert "syntax error" in rules
    assert "one_pig" in minizinc
    assert f"line {1 + page.source[: page.source.index('one_pig')].count(chr(10))}:" in minizinc
    page.click("restore")
    page.choose("asp-rounds")
    assert f"line {1 + page.source[: page.source.index('query(t) one_peg')].count(chr(10))}:" in rules
    page.click("restore")


def test_a_position_without_solution_says_why_before_anything_is_solved(page: Page) -> None:
    page.read("XXoXX")
    assert "odd" in page.text("why-text")
    assert "pegcp" not in page.text("why-text")
    assert [row[2] for row in page.solve("sat-rounds cadical", "dfs-plain")] == ["INFEASIBLE", "INFEASIBLE"]


def test_a_run_can_be_cancelled_and_the_next_one_goes_on(page: Page) -> None:
    page.read("english")
    page.tick("dfs-plain")
    page.run("document.getElementById('solve').click()")
    page.wait("document.getElementById('table').textContent.includes('running')")
    page.run("document.getElementById('cancel').click()")
    page.wait("document.getElementById('cancel').hidden")
    page.wait("document.getElementById('table').textContent.includes('INTERRUPTED')")
    assert page.solve("sat-rounds cadical")[0][2:5] == ["SOLVED", "replayed", "31"]


def test_cp_sat_is_fetched_when_it_is_first_used_and_its_answers_are_replayed(page: Page) -> None:
    assert not any("or-tools" in path for path in page.first_paths)
    page.read("english")
    assert [row[2:5] for row in page.solve("rounds", "moves")] == [["SOLVED", "replayed", "31"]] * 2
    assert any("or-tools" in path for path in _Counting.asked)


@pytest.mark.parametrize(
    ("position", "rows", "verdict"),
    [
        ("lab1", ("rounds", "moves", "parallel", "long-hop", "benders"), "SOLVED"),
        ("XXoXX", ("rounds", "moves", "parallel", "long-hop", "benders"), "INFEASIBLE"),
        ("triangle10:a2!", ("fools", "fools-counts"), "OPTIMAL"),
    ],
)
def test_all_models_for_cp_sat_run(page: Page, position: str, rows: tuple[str, ...], verdict: str) -> None:
    page.read(position)
    table = page.solve(*rows)
    assert {row[0]: row[2] for row in table} == dict.fromkeys(rows, verdict), page.run(FAULTS)


def test_a_change_of_a_model_for_cp_sat_is_solved_and_replayed(page: Page) -> None:
    page.read("english")
    page.choose("rounds")
    page.change(
        "x, after = (~before, ~peg[hole]) if hole == jump.to else",
        "x, after = (before, ~peg[hole]) if hole == jump.to else",
    )
    assert page.solve("rounds")[0][2] == "WRONG: not a solution"
    assert "impossible" in page.notes()["rounds"]
    page.click("restore")
    page.change("model = CpModel()", "model = CpModel()\n    model.add_cumulative()")
    page.solve("rounds")
    assert "the CpModel of this page has no add_cumulative" in page.notes()["rounds"]
    page.click("restore")
    page.run("document.querySelector('[value=compiled]').click()")
    page.wait("document.getElementById('compiled').textContent.includes('start_c1')")
    page.run("document.querySelector('[value=source]').click()")


def test_cp_sat_can_be_cancelled_and_keeps_to_its_time(page: Page) -> None:
    page.read("english:c1->e5")
    page.tick("rounds")
    page.run("document.getElementById('solve').click()")
    page.wait("document.getElementById('table').textContent.includes('running, 1 s')")
    page.run("document.getElementById('cancel').click()")
    page.wait("document.getElementById('cancel').hidden")
    page.wait("document.getElementById('table').textContent.includes('INTERRUPTED')")
    page.run("document.getElementById('seconds').value = 2")
    assert page.solve("rounds")[0][2] == "UNKNOWN TIME"
    assert float(page.run("return document.querySelector('#table tr').cells[8].textContent")) < 4
    page.run("document.getElementById('seconds').value = 60")
    page.read("XoXX")
    assert page.solve("rounds")[0][2] == "SOLVED"


def test_a_click_changes_the_position_and_there_is_a_way_back(page: Page) -> None:
    page.read("english")
    page.run(
        "document.querySelector('[data-hole=\"1\"]')"
        ".dispatchEvent(new KeyboardEvent('keydown', {key: 'Enter', bubbles: true}))"
    )
    page.wait("document.getElementById('name').textContent.includes('31 pegs')")
    assert "start" in page.run("return document.getElementById('text').value")
    page.run("document.querySelector('[value=compiled]').click()")
    page.wait("document.getElementById('compiled').textContent.length > 10")
    page.run("document.querySelector('[value=source]').click()")
    page.wait("!document.getElementById('back').hidden")
    page.click("back")
    page.wait("document.getElementById('name').textContent.includes('32 pegs')")
    assert page.run("return document.getElementById('text').value") == "english"
    page.driver.back()
    page.wait("document.getElementById('name').textContent.includes('31 pegs')")


def test_what_is_not_a_position_is_said_where_it_was_typed(page: Page) -> None:
    page.read("XoXX")
    page.run("document.getElementById('text').value = 'engish'")
    page.click("read")
    page.wait("document.getElementById('position-fault').textContent")
    fault = page.text("position-fault")
    assert "english" in fault
    assert "Traceback" not in fault
    assert "pegcp boards" not in fault
    assert page.run(
        "const fault = document.getElementById('position-fault').getBoundingClientRect();"
        "return fault.bottom < innerHeight && fault.top > document.getElementById('read').getBoundingClientRect().top"
    )


def test_the_page_to_play_on_leads_here_with_its_position(page: Page, address: str) -> None:
    page.driver.get(address.replace("index.html", "play.html#english:d4&after=d2-d4"))
    page.wait("!document.getElementById('models-here').hidden")
    link = page.run("return document.getElementById('models').href")
    page.open(link.partition("index.html")[2])
    page.wait("document.getElementById('name').textContent.includes('31 pegs')")
    assert "../index.html" in page.run("return document.querySelector('header a').getAttribute('href')")


@pytest.mark.parametrize(("width", "scheme"), [(1240, "light"), (360, "dark")])
def test_everybody_can_use_it(page: Page, width: int, scheme: str, request: pytest.FixtureRequest) -> None:
    need("axe_core_python")
    from axe_core_python import selenium as axe_module

    page.read("XXoXX")
    page.solve("dfs-plain")
    metrics = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": width < 500}
    page.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
    feature = {"name": "prefers-color-scheme", "value": scheme}
    page.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [feature]})
    request.addfinalizer(lambda: page.driver.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {}))
    report = axe_module.Axe().run(page.driver)
    assert [(fault["id"], [node["html"][:200] for node in fault["nodes"]]) for fault in report["violations"]] == []
    assert page.run("return document.documentElement.scrollWidth") <= width
    if width < 500:  # Solve is on the first screen
        page.run("scrollTo(0, 0)")
        assert page.run("return document.getElementById('solve').getBoundingClientRect().bottom <= innerHeight")


@pytest.mark.parametrize("lesson", LESSONS)
def test_a_lesson_runs_whole_and_what_it_says_of_its_outputs_holds(tab: Page, address: str, lesson: str) -> None:
    need("myst_nb")
    expressions = runpy.run_path(str(DOCS / "checked_pages.py"))["expressions"]
    tab.driver.get(address.replace("index.html", f"lessons/notebooks/index.html?path={lesson}.ipynb"))
    tab.wait("window.jupyterapp?.shell.currentWidget?.content?.widgets && true")
    tab.wait("!!window.jupyterapp.shell.currentWidget.sessionContext.session?.kernel")
    tab.run("window.jupyterapp.commands.execute('notebook:run-all-cells')")
    widgets = "window.jupyterapp.shell.currentWidget.content.widgets"
    cells = f"{widgets}.filter((cell) => cell.model.type === 'code')"
    faults = (
        f"{cells}.flatMap((cell) => cell.model.outputs.toJSON()).filter((output) => output.output_type === 'error')"
    )
    tab.wait(f"{cells}.every((cell) => cell.model.executionCount) || {faults}.length > 0", 3 * LONGEST)
    assert tab.run(f"return {faults}") == []
    assert tab.run(f"return {cells}.length") >= LESSONS[lesson]
    words = tab.run(f"return {widgets}.map((cell) => cell.model.type === 'code' ? '' : cell.model.sharedModel.source)")
    assert [link for text in words for link in re.findall(r"\]\((?!https:|#)[^)\s]*", text)] == []
    sentences = [expression for text in words for expression in expressions(text)]
    assert sentences
    for sentence in sentences:
        reply = tab.driver.execute_async_script(
            "const [code, done] = arguments;"
            "window.jupyterapp.shell.currentWidget.sessionContext.session.kernel"
            ".requestExecute({code}).done.then((reply) => done(reply.content.status))",
            f"assert {sentence}",
        )
        assert reply == "ok", sentence


def test_the_files_of_the_lessons_can_be_opened(tab: Page, address: str) -> None:
    """File > Open leads to the list of files, and from there to an editor."""
    need("myst_nb")
    tab.driver.get(address.replace("index.html", "lessons/tree/index.html"))
    tab.wait("document.body.textContent.includes('sat_rounds.py')")
    tab.driver.get(address.replace("index.html", "lessons/edit/index.html?path=sat_rounds.py"))
    tab.wait("document.querySelector('.cm-content')?.textContent.includes('MISSING')")
