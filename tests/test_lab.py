"""The page "Models here", in a browser: positions, models that are changed, solvers, answers that are replayed."""

from __future__ import annotations

import functools
import http.server
import json
import subprocess
import sys
import threading
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any, ClassVar

import pytest
from parts import need

DOCS = Path(__file__).parent.parent / "docs"
LONGEST = 90  # seconds for a step of the page

pytestmark = [pytest.mark.thorough, pytest.mark.xdist_group("lab")]


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The page, built and served."""
    need("selenium", "chromium", "chromedriver", "npm")
    site = tmp_path_factory.mktemp("lab")
    subprocess.run([sys.executable, DOCS / "make_lab.py", site], check=True)
    if find_spec("myst_nb"):
        subprocess.run([sys.executable, DOCS / "make_lessons.py", site], check=True)
    handler = functools.partial(_Quiet, directory=str(site))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_address[1]}/index.html"
        server.shutdown()


class _Quiet(http.server.SimpleHTTPRequestHandler):
    asked: ClassVar[set[str]] = set()  # paths

    def send_head(self) -> Any:
        self.asked.add(self.path)
        return super().send_head()

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
    finally:
        driver.quit()


class Page:
    """The page, as somebody uses it."""

    def __init__(self, driver: Any, address: str) -> None:
        self.driver = driver
        driver.get(address)
        self.wait("document.body.dataset.usable")

    def run(self, script: str, *arguments: Any) -> Any:
        return self.driver.execute_script(script, *arguments)

    def wait(self, condition: str) -> None:
        from selenium.webdriver.support.ui import WebDriverWait

        WebDriverWait(self.driver, LONGEST).until(
            lambda _: self.run(f"return {condition}"), f"{condition}; the page says: {self.text('fault')}"
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

    def choose(self, model: str) -> None:
        """Look at another model, as it ships."""
        self.run(
            "const model = document.getElementById('model'); model.value = arguments[0];"
            "document.getElementById('source').value = ''; model.dispatchEvent(new Event('change'))",
            model,
        )
        self.wait("document.getElementById('source').value")

    def change(self, old: str, new: str) -> None:
        """Change the model."""
        assert old in self.run("return document.getElementById('source').value")
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
        self.run("document.getElementById('solve').click()")
        self.wait("document.getElementById('cancel').hidden")
        table: list[list[str]] = self.run(
            "return [...document.querySelectorAll('#table tr')]"
            ".map((row) => [...row.cells].map((cell) => cell.textContent))"
        )
        return table


def test_solvers_of_three_languages_answer_and_are_replayed(page: Page) -> None:
    page.read("triangle15:a1->?")
    table = page.solve("sat-rounds cadical", "asp-rounds", "mzn-rounds chuffed")
    assert [row[2:5] for row in table] == [["SOLVED", "replayed", "13"]] * 3


def test_a_wrong_change_of_a_model_is_found_by_the_rules_of_the_game(page: Page) -> None:
    page.read("triangle15:a1->?")
    page.choose("asp-rounds")
    page.change("before(t,J,O), not before(t,J,D)", "not before(t,J,D)")
    ((_, _, verdict, *_),) = page.solve("asp-rounds")
    assert "INVALID" in verdict
    assert "impossible" in page.text("message")
    page.run("document.getElementById('restore').click()")
    assert page.solve("asp-rounds")[0][2] == "SOLVED"


def test_each_change_of_a_python_model_is_run_ticked_or_not(page: Page) -> None:
    page.read("XoXX")
    page.choose("sat-rounds")
    for old, new in (("def build(", "first\n\ndef build("), ("first\n", "second\n")):
        page.change(old, new)
        rows = page.solve("dfs-plain")
        assert [row[0] for row in rows if "changed" in row[0]] == ["sat-rounds (changed)"]
        assert new.split()[0] in page.text("message")
    page.run("document.getElementById('restore').click()")
    assert page.solve("sat-rounds cadical")[0][2] == "SOLVED"


def test_a_position_without_solution_says_why_before_anything_is_solved(page: Page) -> None:
    page.read("XXoXX")
    assert "odd" in page.text("why-text")
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
    assert not any("or-tools" in path for path in _Quiet.asked)
    page.read("english")
    assert [row[2:5] for row in page.solve("rounds", "moves")] == [["SOLVED", "replayed", "31"]] * 2
    assert any("or-tools" in path for path in _Quiet.asked)


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
    assert {row[0]: row[2] for row in table} == dict.fromkeys(rows, verdict), page.text("message")


def test_a_change_of_a_model_for_cp_sat_is_solved_and_replayed(page: Page) -> None:
    page.read("english")
    page.choose("rounds")
    page.change(
        "x, after = (~before, ~peg[hole]) if hole == jump.to else",
        "x, after = (before, ~peg[hole]) if hole == jump.to else",
    )
    assert "INVALID" in page.solve("rounds")[0][2]
    assert "impossible" in page.text("message")
    page.run("document.getElementById('restore').click()")
    page.change("model = CpModel()", "model = CpModel()\n    model.add_cumulative()")
    page.solve("rounds")
    assert "the CpModel of this page has no add_cumulative" in page.text("message")
    page.run("document.getElementById('restore').click()")
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


def test_a_click_changes_the_position_and_its_model(page: Page) -> None:
    page.read("XoXX")
    page.run(
        "document.querySelector('[data-hole=\"1\"]')"
        ".dispatchEvent(new KeyboardEvent('keydown', {key: 'Enter', bubbles: true}))"
    )
    page.wait("document.getElementById('name').textContent.includes('4 pegs')")
    assert "X X X X" in page.run("return document.getElementById('text').value")
    page.run("document.querySelector('[value=compiled]').click()")
    page.wait(
        "document.getElementById('compiled').textContent.length > 10 || document.getElementById('fault').textContent"
    )
    page.run("document.querySelector('[value=source]').click()")


def test_what_is_not_a_position_is_said_in_one_sentence(page: Page) -> None:
    page.read("XoXX")
    page.run("document.getElementById('text').value = 'engish'; document.getElementById('read').click()")
    page.wait("document.getElementById('fault').textContent")
    assert "english" in page.text("fault")
    assert "Traceback" not in page.text("fault")


@pytest.mark.parametrize("width", [1240, 360])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_everybody_can_use_it(page: Page, width: int, scheme: str) -> None:
    need("axe_core_python")
    from axe_core_python import selenium as axe_module

    page.read("XXoXX")
    page.solve("dfs-plain")
    metrics = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": width < 500}
    page.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
    feature = {"name": "prefers-color-scheme", "value": scheme}
    page.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [feature]})
    report = axe_module.Axe().run(page.driver)
    assert [(fault["id"], [node["html"][:200] for node in fault["nodes"]]) for fault in report["violations"]] == []
    assert page.run("return document.documentElement.scrollWidth") <= width


def test_the_lesson_on_modelling_runs_whole(page: Page, address: str) -> None:
    need("myst_nb")
    page.driver.get(address.replace("index.html", "lessons/notebooks/index.html?path=modelling.ipynb"))
    page.wait("window.jupyterapp?.shell.currentWidget?.content?.widgets && true")
    page.wait("!!window.jupyterapp.shell.currentWidget.sessionContext.session?.kernel")
    page.run("window.jupyterapp.commands.execute('notebook:run-all-cells')")
    cells = "window.jupyterapp.shell.currentWidget.content.widgets.filter((cell) => cell.model.type === 'code')"
    faults = (
        f"{cells}.flatMap((cell) => cell.model.outputs.toJSON()).filter((output) => output.output_type === 'error')"
    )
    page.wait(f"{cells}.every((cell) => cell.model.executionCount) || {faults}.length > 0")
    assert page.run(f"return {faults}") == []
    assert page.run(f"return {cells}.length") >= 6


def test_no_other_site_is_asked(page: Page, address: str) -> None:
    messages = [json.loads(entry["message"])["message"] for entry in page.driver.get_log("performance")]
    urls = [m["params"]["request"]["url"] for m in messages if m["method"] == "Network.requestWillBeSent"]
    own = (address.rpartition("/")[0], "blob:", "data:")
    assert urls
    assert [url for url in urls if not url.startswith(own)] == []
