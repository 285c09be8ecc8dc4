"""The board on the first page of the site can be played on, with keys, and everybody can use it."""

from __future__ import annotations

import runpy
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from parts import need

DOCS = Path(__file__).parent.parent / "docs"
PAGE = """<!doctype html><html lang="en"><title>A page</title><link rel="stylesheet" href="front.css">
<main><h1>A page</h1><div id="front">A picture</div></main><script src="front.js"></script></html>"""
JUMP = """const press = (hole) => {
  const group = document.querySelector(`[data-hole="${hole}"]`);
  group.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", bubbles: true }));
};
[...arguments].forEach(press);
const pegs = document.querySelectorAll("#front .peg:not(.moving)");
return [document.querySelector("#front p").textContent, pegs.length];"""

pytestmark = pytest.mark.thorough


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    need("selenium", "chromium", "chromedriver")
    from selenium import webdriver

    folder = tmp_path_factory.mktemp("front")
    runpy.run_path(str(DOCS / "front.py"))["build"](folder)
    (folder / "index.html").write_text(PAGE, encoding="utf-8")
    options = webdriver.ChromeOptions()
    for argument in ("--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--force-prefers-reduced-motion"):
        options.add_argument(argument)
    driver = webdriver.Chrome(options=options, service=webdriver.ChromeService("/usr/bin/chromedriver"))
    try:
        driver.get((folder / "index.html").as_uri())
        yield driver
    finally:
        driver.quit()


def test_jumps_are_made_and_taken_back(browser: Any) -> None:
    """The holes a1, a2, b2, a3, ... are numbers: 3 is a3, 0 is a1; a3-a1 is possible, b3-a1 is no jump."""
    assert browser.execute_script(JUMP, 4, 0) == ["14 pegs. Choose one, then the vacancy where it lands.", 14]
    assert browser.execute_script(JUMP, 3, 0) == ["13 pegs.", 13]
    back, again = browser.find_elements("css selector", "#front button")
    back.click()
    assert not back.is_enabled()
    assert not again.is_enabled()
    assert browser.execute_script(JUMP)[1] == 14


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_everybody_can_use_the_board(browser: Any, scheme: str) -> None:
    need("axe_core_python")
    from axe_core_python import selenium as axe_module

    feature = {"name": "prefers-color-scheme", "value": scheme}
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [feature]})
    assert [fault["id"] for fault in axe_module.Axe().run(browser)["violations"]] == []
