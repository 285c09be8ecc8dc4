"""The page to play on: the command that writes it, and its games, played in headless Chromium."""

from __future__ import annotations

import itertools
import json
import random
import re
import shlex
import socket
import subprocess
import time
import webbrowser
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlencode

import pytest
from asking import boards, typed
from parts import need

import pegcp
from pegcp.formats.toml import read_problem
from pegcp.game import GOAL_KINDS, Jump, Problem
from pegcp.game.svg import ARROW, GROUND, INK, PEG, VACANCY
from pegcp.library import lookup
from pegcp.play import page as page_room
from pegcp.play import winnable_table
from pegcp.play.page import board_problems, html
from pegcp.play.winnable_table import pack_winnable_set
from pegcp.render.page import page_file

PATIENCE = 60.0
LOST = ["a3-a1", "c3-a3", "a4-a2", "c4-a4"]  # jumps of the triangle after which no game is won
MODULES = [page_file("drawing.js"), *map(page_room._read, page_room._MODULES)]


def wait_until(true: Callable[[], Any], what: str = "it") -> Any:
    end = time.monotonic() + PATIENCE
    while not (value := true()):
        assert time.monotonic() < end, f"waited for {what}"
        time.sleep(0.05)
    return value


# The command ----------------------------------------------------------------------------------------------------------


@pytest.fixture
def opened_pages(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[str]:
    """What the command opens in the browser; the cache folder is a new one, and pages have no tables."""
    addresses: list[str] = []
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr(winnable_table, "pack_winnable_set", lambda _: None)

    def open_page(address: str) -> bool:
        addresses.append(address)
        return True

    monkeypatch.setattr(webbrowser, "open", open_page)
    return addresses


def test_the_page_is_written_into_the_cache_and_opened(opened_pages: list[str], tmp_path: Path) -> None:
    path = Path(typed("play", "XoXX").strip())
    assert path.is_relative_to(tmp_path / "cache" / "pegcp" / "play")
    assert opened_pages == [path.as_uri()]
    assert "<title>XoXX - pegcp</title>" in path.read_text("utf-8")


def test_pages_have_folders_of_their_own_in_which_nothing_is_removed(opened_pages: list[str]) -> None:
    first = Path(typed("play", "XoXX").strip())
    mine = first.with_name("mine.html")
    mine.write_text("mine")
    assert Path(typed("play", "XoXX").strip()) == first
    assert Path(typed("play", "XXo").strip()).parent != first.parent
    assert sorted(path.name for path in first.parent.iterdir()) == ["mine.html", "page.html"]
    assert len(opened_pages) == 3


def test_without_a_browser_the_path_alone_is_printed(opened_pages: list[str]) -> None:
    assert Path(typed("play", "XoXX", "--no-browser").strip()).is_file()
    assert opened_pages == []


def test_the_page_is_written_where_it_is_wanted(opened_pages: list[str], tmp_path: Path) -> None:
    assert typed("play", "XoXX", "-o", tmp_path / "page.html").strip() == str(tmp_path / "page.html")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["page.html"]
    assert opened_pages == []


def test_a_page_is_not_written_under_the_name_of_a_picture(opened_pages: list[str], tmp_path: Path) -> None:
    assert "p.svg: " in typed("play", "XoXX", "-o", tmp_path / "p.svg", status=2)
    assert list(tmp_path.iterdir()) == []
    assert opened_pages == []


def test_a_browser_that_does_not_start_is_told(opened_pages: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(webbrowser, "open", lambda _: False)
    assert "no browser" in typed("play", "XoXX")
    assert opened_pages == []


def test_there_is_no_port_any_more(opened_pages: list[str]) -> None:
    assert "--port" in typed("play", "XoXX", "--port", "0", status=2)
    assert opened_pages == []


def test_boards_that_are_too_large_to_draw_are_refused(opened_pages: list[str]) -> None:
    assert "at most 400 holes" in typed("play", "square21", status=2)
    assert opened_pages == []


# The file -------------------------------------------------------------------------------------------------------------


def test_names_are_shown_and_never_run() -> None:
    name = "</script><script>alert(1)</script>{script}"
    text = html(replace(pegcp.problem("XoXX"), name=name))
    assert text.count("<script") == 2
    assert "&lt;/script&gt;" in text


def test_the_page_has_all_boards_that_ship() -> None:
    assert [problem["board"]["name"] for problem in board_problems()] == [board.name for board in boards()]


def test_the_page_knows_every_kind_of_goal() -> None:
    assert {kind for kind in GOAL_KINDS if f'case "{kind}"' not in page_room._read("game.js")} == set()


def test_no_name_is_at_the_top_of_two_modules() -> None:
    names = re.findall(r"^(?:export )?(?:async )?(?:const|class|function) (\w+)", "\n".join(MODULES), re.MULTILINE)
    assert [name for name, times in Counter(names).items() if times > 1] == []
    assert len(names) > 30


def test_sets_that_are_too_large_are_left_out() -> None:
    assert pack_winnable_set(pegcp.problem("english:d4!")) is None
    assert pack_winnable_set(pegcp.problem("square9:e5")) is None
    small = pack_winnable_set(pegcp.problem("triangle15:a1"))
    assert small is not None
    assert (small["reversal"], len(small["kept"])) == (tuple(range(15)), 13)


# In the browser -------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def page_of(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str | Problem], str]:
    """Gives the address of a page for a problem."""
    addresses: dict[Problem, str] = {}

    def address(name: str | Problem) -> str:
        problem = pegcp.problem(name)
        if problem not in addresses:
            path = tmp_path_factory.mktemp("page") / "page.html"
            path.write_text(html(problem), encoding="utf-8")
            addresses[problem] = path.as_uri()
        return addresses[problem]

    return address


PageOf = Callable[[str | Problem], str]


def find(browser: Any, selector: str) -> Any:
    return browser.find_element("css selector", selector)


def text(browser: Any, selector: str) -> str:
    return str(find(browser, selector).get_property("textContent"))


def hole(browser: Any, name: str) -> Any:
    return next(
        group
        for group in browser.find_elements("css selector", "#board [data-hole]")
        if group.get_attribute("aria-label").split(",")[0] == name
    )


def click(browser: Any, name: str) -> None:
    from selenium.webdriver import ActionChains

    ActionChains(browser).move_to_element(hole(browser, name)).click().perform()


def pegs(browser: Any) -> list[str]:
    groups = browser.find_elements("css selector", "#board [data-hole]")
    labels = [group.get_attribute("aria-label").split(", ") for group in groups]
    return [label[0] for label in labels if label[1] == "peg"]


def known(browser: Any) -> str:
    """What is said of the position, once that is known."""
    return str(wait_until(lambda: (said := text(browser, "#standing")) and not said.startswith("Searching") and said))


def at(browser: Any, link: str) -> None:
    browser.get("about:blank")
    browser.get(link)
    known(browser)


def console(browser: Any) -> list[str]:
    return [entry["message"] for entry in browser.get_log("browser") if entry["level"] == "SEVERE"]


@pytest.mark.thorough
def test_a_game_won_by_clicks_and_hints(browser: Any, page_of: PageOf) -> None:
    browser.get("about:blank")
    console(browser)
    at(browser, page_of("triangle15:a1->?"))
    assert known(browser) == "✓ Still winnable."
    assert not browser.find_elements("css selector", "#board .winning")  # marks are off until they are wanted
    for left in range(13, 0, -1):
        find(browser, "#hint").click()
        first, second = hinted(browser)
        click(browser, first)
        click(browser, second)
        assert len(pegs(browser)) == left
        assert "✓" in known(browser)
    assert text(browser, "#standing") == "✓ The goal is reached."
    assert text(browser, "#count").startswith("13 of 13")
    assert find(browser, "#ending").is_displayed()
    find(browser, "#undo").click()
    assert len(pegs(browser)) == 2
    assert not find(browser, "#ending").is_displayed()
    find(browser, "#first").click()
    assert len(pegs(browser)) == 14
    find(browser, "#play").click()
    wait_until(lambda: len(pegs(browser)) == 1, "the game to be played")
    browser.find_elements("css selector", "#jumps button")[4].click()
    assert len(pegs(browser)) == 9
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
    try:  # on paper the jumps remain
        printed = [find(browser, part).is_displayed() for part in ("#jumps button", "#undo")]
    finally:
        browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})
    assert printed == [True, False]
    assert console(browser) == []


def hinted(browser: Any) -> tuple[str, str]:
    """The holes of a hint from which and to which to jump."""
    words = text(browser, "#tip").removeprefix("Hint: ").split()
    return words[0], words[-1]


@pytest.mark.thorough
def test_a_game_won_by_the_keyboard(browser: Any, page_of: PageOf) -> None:
    from selenium.webdriver.common.keys import Keys

    at(browser, page_of("XoXX"))
    hole(browser, "a1").send_keys(Keys.ARROW_RIGHT, Keys.ARROW_RIGHT, Keys.ARROW_RIGHT, Keys.ENTER)
    assert "d1 can jump to b1" in text(browser, "#log")
    browser.switch_to.active_element.send_keys(Keys.ARROW_LEFT, Keys.ARROW_LEFT, Keys.ENTER)
    assert pegs(browser) == ["a1", "b1"]
    browser.switch_to.active_element.send_keys("u")
    assert pegs(browser) == ["a1", "c1", "d1"]
    browser.switch_to.active_element.send_keys("r")
    hole(browser, "a1").send_keys(Keys.ENTER, Keys.ARROW_RIGHT, Keys.ARROW_RIGHT, Keys.ENTER)
    assert text(browser, "#standing") == "✓ The goal is reached."
    assert "1 peg left" in text(browser, "#log")


@pytest.mark.thorough
@pytest.mark.parametrize(("vacancy", "first_wins"), [("a1", False), ("a2", True)])
def test_duotaire_against_the_page(browser: Any, page_of: PageOf, vacancy: str, first_wins: bool) -> None:
    problem = pegcp.problem(f"triangle15:{vacancy}->?")
    at(browser, page_of(problem))
    find(browser, "#duotaire").click()
    chance, position, made = random.Random(1), problem.start.mask, 0
    while legal := [jump for jump in problem.board.jumps if jump.is_legal(position)]:
        assert known(browser).startswith("✓ The first player" if first_wins else "✕ The first player")
        find(browser, "#hint").click()
        if first_wins:  # with hints the page is beaten, which else plays without a mistake
            first, second = hinted(browser)
        else:
            assert "No jump wins" in text(browser, "#tip")
            first, _, second = (problem.board.holes[hole] for hole in chance.choice(legal))
        click(browser, first)
        click(browser, second)
        position, before = problem.board.mask(pegs(browser)), made
        made = len(problem.start) - position.bit_count()
        assert made in (before + 1, before + 2)
    assert made % 2 == first_wins
    assert text(browser, "#ending-title").startswith("The second" if first_wins else "The first")
    at(browser, page_of("english"))
    assert not find(browser, "#duotaire").is_displayed()


@pytest.mark.thorough
def test_the_central_game_by_the_keyboard(browser: Any, page_of: PageOf) -> None:
    """31 jumps with the arrows and Enter alone."""
    from selenium.webdriver import ActionChains
    from selenium.webdriver.common.keys import Keys

    problem = pegcp.problem("english")
    holes = set(problem.board.holes)
    arrows = {(1, 0): Keys.ARROW_RIGHT, (-1, 0): Keys.ARROW_LEFT, (0, 1): Keys.ARROW_DOWN, (0, -1): Keys.ARROW_UP}

    def way(start: str, end: str) -> list[str]:
        """The arrows from one hole to another, along the lines of the board."""
        ways: dict[str, list[str]] = {start: []}
        for here in (queue := [start]):
            for (right, down), arrow in arrows.items():
                there = f"{chr(ord(here[0]) + right)}{int(here[1]) + down}"
                if there in holes and there not in ways:
                    ways[there] = [*ways[here], arrow]
                    queue.append(there)
        return ways[end]

    keys: list[str] = []
    here = "d4"
    for move in pegcp.solve(problem, "beam").moves:
        for pair in itertools.pairwise(str(move).split("-")):
            for there in pair:
                keys += [*way(here, there), Keys.ENTER]
                here = there
    at(browser, page_of(problem))
    hole(browser, "d4").send_keys(*keys[: len(keys) // 2])
    assert len(pegs(browser)) > 1
    ActionChains(browser).send_keys(*keys[len(keys) // 2 :]).perform()
    assert text(browser, "#standing") == "✓ The goal is reached."
    assert text(browser, "#count") == "31 of 31 jumps, 1 peg left"
    assert find(browser, "#ending").is_displayed()


@pytest.mark.thorough
def test_marks_say_which_jumps_win(browser: Any, page_of: PageOf) -> None:
    """By a key: a ring where a jump wins, a cross where a peg can move and only loses."""
    from selenium.webdriver.common.keys import Keys

    at(browser, f"{page_of('triangle15:a1->?')}#{restoring('triangle15:a1->?', 'a3-a1', 'c4-a2')}")
    expected = pegcp.next_jumps("triangle15:a1->?", "a3-a1 c4-a2")
    board = expected.position.board
    winning = {board.holes[jump.from_] for jump, good in expected.jumps if good}
    losing = {board.holes[jump.from_] for jump, _ in expected.jumps} - winning
    assert winning
    assert losing
    find(browser, "body").send_keys("m")
    assert named(browser, "#board .winning") == winning
    assert signs(browser) == dict.fromkeys(losing, "✕")
    start = board.holes[expected.jumps[0][0].from_]
    click(browser, start)
    for jump, good in expected.jumps:
        if board.holes[jump.from_] == start:
            assert signs(browser)[board.holes[jump.to]] == ("✓" if good else "✕")
    find(browser, "body").send_keys(Keys.ESCAPE, "m")
    assert not named(browser, "#board .winning")
    assert not signs(browser)


def named(browser: Any, selector: str) -> set[str]:
    """The names of the holes."""
    return {g.get_attribute("aria-label").split(",")[0] for g in browser.find_elements("css selector", selector)}


def signs(browser: Any) -> dict[str, str]:
    """The sign on each hole that has one."""
    holes = [g.get_attribute("aria-label").split(",")[0] for g in browser.find_elements("css selector", "[data-hole]")]
    marks = (g.get_property("textContent") for g in browser.find_elements("css selector", "#board .mark"))
    return {hole: mark for hole, mark in zip(holes, marks, strict=True) if mark}


def restoring(name: str, *jumps: str, start: list[int] | None = None) -> str:
    """What a link to a game says after its #."""
    holes = pegcp.problem(name).board.holes
    told = {"start": " ".join(holes[hole] for hole in start or ()), "after": " ".join(jumps)}
    return "&".join([name, *([urlencode(told)] if start else [urlencode({"after": told["after"]})] if jumps else [])])


@pytest.mark.thorough
def test_a_link_restores_a_lost_game(browser: Any, page_of: PageOf) -> None:
    at(browser, f"{page_of('triangle15:a1->?')}#{restoring('triangle15:a1->?', *LOST)}")
    assert known(browser) == "✕ Lost by jump 4, c4-a4."
    assert [item.text for item in browser.find_elements("css selector", "#jumps .lost")] == ["✕ c4-a4"]
    here = browser.current_url
    browser.get("about:blank")
    browser.get(here)
    assert "Lost" in known(browser)
    assert text(browser, "#count").startswith("4 of 4")
    find(browser, "#back").click()
    assert known(browser).startswith("✓")
    assert text(browser, "#count").startswith("3 of 4")


@pytest.mark.thorough
@pytest.mark.parametrize("more", [0, 2])
def test_why_names_the_jump_that_lost_and_those_that_would_have_won(browser: Any, page_of: PageOf, more: int) -> None:
    """Jumps after the one that lost do not change the reason."""
    name = "triangle15:a1->?"
    position = pegcp.problem(name).start.after(" ".join(LOST))
    later = []
    for _ in range(more):
        jump = next(position.jumps())
        later.append(f"({' '.join(position.board.jump_names(jump))})")
        position = position.after(jump)
    at(browser, f"{page_of(name)}#{restoring(name, *LOST, *later)}")
    assert "Lost by jump 4" in known(browser)
    before = pegcp.next_jumps(name, " ".join(LOST[:-1]))
    after = pegcp.next_jumps(name, " ".join(LOST))
    reason = text(browser, "#why-text")
    assert find(browser, "#why").is_displayed()
    assert reason.startswith("c4-a4 lost the game.")
    assert f"{len(after.jumps)} jumps are possible" in reason
    winning = {"-".join(before.position.board.jump_names(jump)[::2]) for jump, good in before.jumps if good}
    assert set(reason.rpartition("won with ")[2].rstrip(".").split(", ")) == winning


@pytest.mark.thorough
def test_a_game_that_no_start_wins_is_explained(browser: Any, page_of: PageOf) -> None:
    at(browser, f"{page_of('english')}#{restoring('english:c1->e5', 'c3-c1')}")
    assert known(browser) == "✕ Lost: this game had no solution from the start."
    assert "odd" in text(browser, "#why-text")


@pytest.mark.thorough
@pytest.mark.parametrize(("name", "word"), [("triangle15:b3->b4", "odd"), ("line7:b1->f1", "weigh")])
def test_a_start_without_a_solution_shows_the_reason(browser: Any, page_of: PageOf, name: str, word: str) -> None:
    """A parity, although the page has a winnable set, or the certificate that the terminal shows."""
    at(browser, page_of(name))
    assert known(browser) == "✕ No solution from here."
    assert text(browser, "#why-title") == "Why there is no solution"
    assert word in text(browser, "#why-text")
    assert word in (pegcp.explain(name) or "")


@pytest.mark.thorough
def test_hints_of_fools_solitaire_lead_to_the_fewest_jumps(browser: Any, page_of: PageOf) -> None:
    at(browser, page_of("english:d1!"))
    assert text(browser, "#goal") == "Goal: get stuck in as few jumps as you can"
    for left in range(6, 0, -1):
        assert known(browser) == f"A dead end takes {left} more jump{'s' * (left > 1)}."
        find(browser, "#hint").click()
        for name in hinted(browser):
            click(browser, name)
    assert known(browser) == "✓ The goal is reached."
    assert "6 jumps (6 are the fewest)" in text(browser, "#ending-text")


@pytest.mark.thorough
@pytest.mark.parametrize("name", ["square9:e5", "square9:e5!"])
def test_a_board_that_is_too_large_for_hints_says_so(browser: Any, page_of: PageOf, name: str) -> None:
    at(browser, page_of(name))
    assert known(browser) == "This board is too large for hints."


@pytest.mark.thorough
def test_a_jump_after_which_none_can_be_made_is_said_to_be_the_reason(browser: Any, page_of: PageOf) -> None:
    at(browser, page_of("XoXXo"))
    click(browser, "c1")
    click(browser, "e1")
    assert known(browser) == "✕ Lost by jump 1, c1-e1."
    assert "no jump is possible" in text(browser, "#why-text")
    assert "d1-b1" in text(browser, "#why-text")
    assert text(browser, "#ending-title") == "No jump is possible."


@pytest.mark.thorough
def test_the_page_says_where_its_answers_come_from(browser: Any, page_of: PageOf) -> None:
    at(browser, page_of("triangle15:a1->?"))
    assert "winnable set: all" in text(browser, "#source")
    choose_board(browser, "line9")
    assert "no winnable set" in text(browser, "#source")


def opened(browser: Any, summary: str) -> None:
    for part in browser.find_elements("css selector", "details"):
        if part.find_element("css selector", "summary").text == summary and part.get_attribute("open") is None:
            part.find_element("css selector", "summary").click()


def choose_board(browser: Any, name: str) -> None:
    script = """const list = document.getElementById('boards');
        list.value = [...list.options].find((option) => option.text === arguments[0]).value;
        document.getElementById('board-form').requestSubmit();"""
    browser.execute_script(script, name)


@pytest.mark.thorough
def test_boards_are_changed_and_played(browser: Any, page_of: PageOf) -> None:
    at(browser, page_of("XoXX"))
    labels = """return [...document.querySelectorAll('#board [data-hole]')]
        .map((hole) => hole.getAttribute('aria-label').split(', '))"""
    for board in boards():
        problem = pegcp.problem(board.name)
        jump = next(problem.start.jumps())
        choose_board(browser, board.name)
        assert text(browser, "#goal") == f"Goal: {problem.goal_text}".replace("exactly", "one peg, in")
        for position in (problem.start, problem.start.after(jump)):
            shown = [label[0] for label in browser.execute_script(labels) if label[1] == "peg"]
            assert shown == position.pegs
            for hole_ in (jump.from_, jump.to):
                browser.execute_script(ENTER, find(browser, f"#board [data-hole='{hole_}']"))
    assert text(browser, "#fault") == ""


ENTER = "arguments[0].dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true }))"


@pytest.mark.thorough
def test_a_verdict_of_the_game_before_is_not_shown(browser: Any, page_of: PageOf) -> None:
    """At the moment of a change of board, of a link, and later when a search for the game before would have ended."""
    at(browser, f"{page_of('triangle15:a1->?')}#{restoring('triangle15:a1->?', *LOST)}")
    shown = """return ['standing', 'why-text', 'tip', 'fault', 'count', 'link-copied', 'command-copied']
        .map((id) => document.getElementById(id).textContent).join('|')"""
    script = """document.getElementById('hint').click();
        const list = document.getElementById('boards');
        list.value = [...list.options].find((option) => option.text === 'french').value;
        document.getElementById('board-form').requestSubmit();"""
    standing, *others = browser.execute_script(script + shown).split("|")
    assert standing.startswith("Searching")
    assert others == ["", "", "", "36 pegs left", "", ""]
    assert not find(browser, "#why").is_displayed()
    browser.execute_script("location.hash = 'line9:a1->?'")
    wait_until(lambda: text(browser, "#count") == "8 pegs left")
    verdict = known(browser)
    time.sleep(0.5)
    assert known(browser) == verdict == "✕ No solution from here."
    assert not find(browser, "#back").is_displayed()


@pytest.mark.thorough
def test_edit_and_choose_a_goal(browser: Any, page_of: PageOf) -> None:
    at(browser, page_of("triangle15:a1->?"))
    opened(browser, "Position and goal")
    find(browser, "#edit").click()
    for name in ("b4", "c4", "d4"):
        click(browser, name)
    assert len(pegs(browser)) == 11
    find(browser, "#edit").click()
    find(browser, "#goal-kind option[value=holes]").click()
    find(browser, "#goal-holes").send_keys("a1 *")
    find(browser, "#goal-form button").click()
    assert "a1" in text(browser, "#goal")
    assert len(pegs(browser)) == 11
    for wrong, word in (("z9", "z9"), ("", "which holes"), ("a1 a1", "twice"), ("*-", "*-")):
        find(browser, "#goal-holes").clear()
        find(browser, "#goal-holes").send_keys(wrong)
        find(browser, "#goal-form button").click()
        assert word in text(browser, "#fault")
        assert "a1" in text(browser, "#goal")


@pytest.mark.thorough
def test_what_cannot_be_done_is_told_visibly(browser: Any, page_of: PageOf) -> None:
    from selenium.webdriver import ActionChains

    at(browser, page_of("XoXX"))

    def tip() -> str:
        assert find(browser, "#tip").is_displayed()
        return text(browser, "#tip")

    click(browser, "a1")
    assert tip() == "No jump from a1."
    click(browser, "b1")
    assert tip() == "No jump from a1."
    click(browser, "b1")
    assert "b1 is vacant" in tip()
    ActionChains(browser).drag_and_drop(hole(browser, "d1"), hole(browser, "a1")).perform()
    assert tip() == "d1 cannot jump to a1."
    ActionChains(browser).drag_and_drop(hole(browser, "c1"), hole(browser, "d1")).perform()
    assert tip() == "No jump from c1."
    assert pegs(browser) == ["a1", "c1", "d1"]
    ActionChains(browser).drag_and_drop(hole(browser, "d1"), find(browser, "#title")).perform()
    assert "d1 stays" in tip()


COPYING = """Object.defineProperty(navigator, 'clipboard', { configurable: true, value: {
    writeText: async (text) => { if (!arguments[0]) throw new Error('no'); window.copied = text; } } })"""


@pytest.mark.thorough
@pytest.mark.parametrize("what", ["link", "command"])
def test_only_what_was_copied_is_said_to_be(browser: Any, page_of: PageOf, what: str) -> None:
    at(browser, page_of("XoXX"))
    opened(browser, "Share and save")
    browser.execute_script(COPYING, False)
    find(browser, f"[data-copy={what}]").click()
    wait_until(lambda: "does not allow" in text(browser, f"#{what}-copied"))
    assert browser.execute_script("return String(getSelection())") == text(browser, f"#{what}")
    browser.execute_script(COPYING, True)
    find(browser, f"[data-copy={what}]").click()
    wait_until(lambda: text(browser, f"#{what}-copied") == "Copied.")
    address = browser.current_url  # of a file, which is nobody else's: only what follows it can be given away
    shown = {"link": f"#{address.split('#')[1]}", "command": "pegcp solve 'line4:a1->?' --start 'x'"}
    copied = browser.execute_script("return window.copied")
    assert copied == text(browser, f"#{what}")
    if what == "link":
        assert copied == shown["link"]


@pytest.mark.thorough
def test_a_phone_has_no_hints_about_keys(browser: Any, page_of: PageOf) -> None:
    at(browser, page_of("XoXX"))
    assert find(browser, ".keys").is_displayed()
    with phone(browser):
        at(browser, page_of("XoXX"))
        assert not find(browser, ".keys").is_displayed()
        assert find(browser, "#rules").is_displayed()


# The command that is shown --------------------------------------------------------------------------------------------


def shown_problem(browser: Any) -> tuple[list[str], Problem]:
    """The words of the command on the page, and its problem."""
    return problem_of(text(browser, "#command"))


def problem_of(command: str) -> tuple[list[str], Problem]:
    """The words of a command, as a shell takes them, and its problem."""
    words = shlex.split(command)
    assert words[:2] == ["pegcp", "solve"]
    options = dict(zip(words[3::2], words[4::2], strict=True))
    options.pop("-m", None)
    return words, lookup.problem(words[2], **{name.removeprefix("--"): value for name, value in options.items()})


@pytest.mark.thorough
def test_the_command_is_about_the_position_on_any_board(browser: Any, page_of: PageOf) -> None:
    """After jumps, from an edited start, to a goal that was set: the command has the same pegs and goal."""
    script = """const [link, done] = arguments;
        addEventListener('hashchange', () => done([document.getElementById('command').textContent,
            document.getElementById('fault').textContent,
            [...document.querySelectorAll('#board [data-hole]')].map((g) => g.getAttribute('aria-label').split(', '))
        ]), { once: true });
        location.hash = link;"""
    for number, board in enumerate(boards()):
        if number % 10 == 0:
            at(browser, page_of("XoXX"))  # a browser follows some hundred links in a page, not more
        names = random.Random(board.name).sample(board.holes, 5)
        first, second = names[:2]
        start = " ".join(names)
        own = pegcp.problem(board.name)
        jump = next(own.start.jumps())
        for link, expected in (
            (f"{board.name}&", own),
            (restoring(board.name, f"({' '.join(board.jump_names(jump))})"), replace(own, start=own.start.after(jump))),
            (f"{board.name}&{urlencode({'start': start, 'goal': 'one peg'})}",
             lookup.problem(own, start=start, goal="one peg")),
            (f"{board.name}&{urlencode({'start': start, 'goal': f'{first} -{second} *'})}",
             lookup.problem(own, start=start, goal=f"{first} -{second} *")),
            (f"{board.name}:{first}!", pegcp.problem(f"{board.name}:{first}!")),
            (f"{board.name}:{first}->{second}", pegcp.problem(f"{board.name}:{first}->{second}")),
        ):  # fmt: skip
            command, fault, labels = browser.execute_async_script(script, link)
            assert fault == "", link
            words, problem = problem_of(command)
            assert (problem.start, problem.goal, problem.objective) == (
                expected.start,
                expected.goal,
                expected.objective,
            )
            assert sorted(expected.start.pegs) == sorted(label[0] for label in labels if label[1] == "peg")
            assert ("-m" in words) == (expected.goal.kind != "dead-end")


@pytest.mark.thorough
@pytest.mark.parametrize(
    "name",
    [
        "english:d4", "cycle8:0->?", "XoXX", "triangle15:b2!", "near", "moves", "graph", "map",
    ],
)  # fmt: skip
def test_the_command_is_accepted_and_answers(browser: Any, page_of: PageOf, name: str) -> None:
    problem = {
        "near": lambda: pegcp.problem("XXo", goal="near a1"),
        "moves": lambda: pegcp.problem("triangle10:a2->?", objective="fewest-moves"),
        "graph": lambda: pegcp.problem('edges = "a-b b-c c-d"\nstart = ["a", "b", "d"]\ngoal = "one peg"'),
        "map": lambda: pegcp.problem(" XX\nXoX\nXX \n"),
    }.get(name, lambda: pegcp.problem(name))()
    at(browser, page_of(problem))
    words, shown = shown_problem(browser)
    assert (shown.start.mask, shown.goal, shown.objective) == (problem.start.mask, problem.goal, problem.objective)
    answer = json.loads(typed("solve", *words[2:], "--json", "--time-limit", "60"))
    assert answer["reason"] == "COMPLETED"
    opened(browser, "Position and goal")
    find(browser, "#edit").click()
    click(browser, problem.board.holes[0])
    assert shown_problem(browser)[1].start.mask == problem.start.mask ^ 1
    assert text(browser, "#fault") == ""


@pytest.mark.thorough
def test_the_shell_takes_the_command_as_it_is_shown(browser: Any, page_of: PageOf) -> None:
    """The text of a problem has several lines, quotes and brackets."""
    need("bash")
    at(browser, page_of('edges = "a-b b-c c-d"\nstart = ["a", "b", "d"]\ngoal = "one peg"'))
    command = text(browser, "#command")
    script = "pegcp() { printf '%s\\0' pegcp \"$@\"; }\n" + command
    words = subprocess.run(["bash", "-c", script], capture_output=True, text=True, check=True).stdout.split("\0")[:-1]
    assert "\n" in words[2]
    assert words == shlex.split(command)


# Fingers and motion ---------------------------------------------------------------------------------------------------


def touched(browser: Any, from_: str, to: str) -> None:
    """A finger drags a peg from a hole to another."""
    places = []
    for name in (from_, to):
        browser.execute_script("scrollTo(0, 0)")
        box = hole(browser, name).rect
        places.append((box["x"] + box["width"] / 2, box["y"] + box["height"] / 2))
    (x, y), (to_x, to_y) = places
    points = [(x + (to_x - x) * part / 4, y + (to_y - y) * part / 4) for part in range(5)]
    for kind, (px, py) in zip(("touchStart", *["touchMove"] * 4), points, strict=True):
        browser.execute_cdp_cmd("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": px, "y": py}]})
    assert browser.find_elements("css selector", "#board .held")  # the peg is under the finger
    browser.execute_cdp_cmd("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})


@contextmanager
def phone(browser: Any) -> Iterator[None]:
    metrics = {"width": 360, "height": 740, "deviceScaleFactor": 1, "mobile": True}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
    browser.execute_cdp_cmd("Emulation.setTouchEmulationEnabled", {"enabled": True})
    try:
        yield
    finally:
        browser.execute_cdp_cmd("Emulation.setTouchEmulationEnabled", {"enabled": False})
        browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


@pytest.mark.thorough
def test_a_game_by_touch(browser: Any, page_of: PageOf) -> None:
    browser.get("about:blank")
    console(browser)  # what was said before is not about this page
    with phone(browser):
        browser.get(page_of("triangle15:a1->?"))
        for left in range(13, 0, -1):
            assert "✓" in known(browser)
            find(browser, "#hint").click()
            touched(browser, *hinted(browser))
            assert len(pegs(browser)) == left
        assert find(browser, "#ending").is_displayed()
    assert text(browser, "#standing") == "✓ The goal is reached."
    assert console(browser) == []


@pytest.mark.thorough
def test_the_peg_slides_unless_motion_is_not_wanted(browser: Any, page_of: PageOf) -> None:
    """A peg that is let go elsewhere stays where it was."""
    from selenium.webdriver import ActionChains

    sliding = "document.getElementById('redo').click(); return document.querySelectorAll('#board .moving').length"
    for wanted, moving in (("no-preference", 2), ("reduce", 0)):
        features = [{"name": "prefers-reduced-motion", "value": wanted}]
        browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})
        at(browser, page_of("XoXX"))
        ActionChains(browser).drag_and_drop(hole(browser, "d1"), hole(browser, "a1")).perform()
        assert pegs(browser) == ["a1", "c1", "d1"]
        ActionChains(browser).drag_and_drop(hole(browser, "d1"), hole(browser, "b1")).perform()
        assert pegs(browser) == ["a1", "b1"]
        find(browser, "#undo").click()
        assert browser.execute_script(sliding) == moving
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})


# Links and files ------------------------------------------------------------------------------------------------------


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("link", "left"),
    [
        ("triangle15:a3&after=a1-a3+c3-a1", 12), ("triangle15:a1->c5&after=a3-a1", 13),
        ("triangle15&start=a1+a2+b3&goal=one+peg&after=a1-a3", 2), ("triangle15:c5!", 14),
        ("english:c1&after=c3-c1", 31), ("cycle8:0->?&after=(2+1+0)", 6),
    ],
)  # fmt: skip
def test_a_link_opens_in_every_page(browser: Any, page_of: PageOf, link: str, left: int) -> None:
    for own in ("triangle15", "XoXX"):
        at(browser, f"{page_of(own)}#{link}")
        assert len(pegs(browser)) == left
        assert text(browser, "#fault") == ""
        assert browser.current_url.replace("%3E", ">").replace("%28", "(").replace("%29", ")").split("#")[1] == link


BAD_LINKS = [
    ("nowhere:d4", "nowhere"), ("%", "%"), ("english:z9", "z9"), ("english:d4&after=d2-d4+d2-d4", "jump 2"),
    ("english:d4&after=d2", "jump 1"), ("english:d4&after=(d2", "d2"), ("english&start=d4+d4", "twice"),
    ("english&start=d4&goal=", "which holes"), ("english:d4->", "which holes"), ("__proto__", "__proto__"),
    ("x&text=y", "from a file"),
    ("english:d4&after=" + "d2-d4+" * 20_000, "longer"), ("english:%00", "no hole"), ("english:d4&after=-", "no hole"),
    ("english:d4&after=()", "no hole"), ("&&&==", "board"),
]  # fmt: skip


def in_sight(browser: Any, selector: str) -> bool:
    """Whether an element is seen without scrolling."""
    script = """const box = arguments[0].getBoundingClientRect();
        return box.height > 0 && box.top >= 0 && box.bottom <= innerHeight"""
    return bool(browser.execute_script(script, find(browser, selector)))


@pytest.mark.thorough
def test_a_link_that_cannot_be_followed_is_one_clear_error(browser: Any, page_of: PageOf) -> None:
    browser.get("about:blank")
    console(browser)
    for link, word in BAD_LINKS:
        at(browser, f"{page_of('triangle15:a1->?')}#{link}")
        assert word in text(browser, "#fault"), link
        assert in_sight(browser, "#fault")
        assert len(text(browser, "#fault")) < 250
        assert len(pegs(browser)) == 14
    assert console(browser) == []


@pytest.mark.thorough
def test_nothing_in_a_link_is_run(browser: Any, page_of: PageOf) -> None:
    at(browser, f"{page_of('XoXX')}#english:d4&goal={quote('<img src=x onerror=document.title=1>')}")
    assert "no hole" in text(browser, "#fault")
    assert not browser.find_elements("css selector", "#fault img")
    assert "pegcp" in browser.title


def saved(browser: Any, kind: str) -> str:
    """What a button that saves would put into the file."""
    browser.execute_script(
        "URL.createObjectURL = (blob) => { blob.text().then((t) => { window.saved = t; }); return 'data:,'; }"
    )
    browser.execute_script("window.saved = null")
    find(browser, f"[data-save={kind}]").click()
    return str(wait_until(lambda: browser.execute_script("return window.saved")))


@pytest.mark.thorough
def test_no_button_is_dead(browser: Any, page_of: PageOf) -> None:
    browser.get("about:blank")
    console(browser)
    at(browser, f"{page_of('english')}#{restoring('english', 'd2-d4', 'b3-d3')}")
    for summary in ("Position and goal", "Another board", "Share and save"):
        opened(browser, summary)
    shown = {button.text for button in browser.find_elements("css selector", "button") if button.is_displayed()}
    assert shown == {
        "Start", "Back", "Play", "Next", "End", "d2-d4", "b3-d3", "Hint", "Copy the command", "Set the goal", "Open",
        "Copy the link to this game", "problem", "jumps", "SVG",
    }  # fmt: skip
    assert find(browser, "#goal-holes").get_property("value") == "d4"  # the menu of goals says what the goal is
    assert "ends with a peg" in hole(browser, "d4").get_attribute("aria-label")
    assert saved(browser, "txt").split() == ["d2-d4", "b3-d3"]
    picture = saved(browser, "svg")
    assert picture.count("<g ") == 3
    assert set(re.findall(r"#\w{6}", picture)) == {GROUND, INK, PEG, VACANCY, ARROW}
    assert console(browser) == []


@pytest.mark.thorough
@pytest.mark.parametrize("name", ["english", "cycle8", "XoXX", "mine"])
def test_the_saved_problem_is_that_on_the_board(browser: Any, page_of: PageOf, name: str) -> None:
    mine = 'edges = "a-b b-c c-d"\nstart = ["a", "b", "d"]\ngoal = ["d"]'
    problem = pegcp.problem(mine if name == "mine" else name)
    jump = next(problem.start.jumps())
    at(browser, f"{page_of(problem)}")
    click(browser, problem.board.holes[jump.from_])
    click(browser, problem.board.holes[jump.to])
    opened(browser, "Share and save")
    read = read_problem(saved(browser, "toml"), pegcp.board)
    assert (read.start.mask, read.goal) == (problem.start.after(jump).mask, problem.goal)
    first, second, *_ = problem.board.holes
    opened(browser, "Position and goal")
    find(browser, "#goal-kind option[value=holes]").click()
    find(browser, "#goal-holes").clear()
    find(browser, "#goal-holes").send_keys(f"{first} -{second} *")
    find(browser, "#goal-form button").click()
    goal = read_problem(saved(browser, "toml"), pegcp.board).goal
    assert goal == replace(problem, goal=pegcp.problem(problem, goal=f"{first} -{second} *").goal).goal
    link = browser.current_url
    at(browser, link)
    assert text(browser, "#fault") == ""
    assert first in text(browser, "#goal")


# What is known --------------------------------------------------------------------------------------------------------


@pytest.mark.thorough
@pytest.mark.parametrize("name", ["triangle10:a2->?", "square4:b1->c1", "english:d4->?"])
def test_edited_positions_are_searched_in_the_page(browser: Any, page_of: PageOf, name: str) -> None:
    problem = pegcp.problem(name)
    holes = problem.board.holes
    for seed in range(6):
        start = random.Random(f"{name} {seed}").sample(range(len(holes)), 7)
        edited = replace(problem, start=pegcp.Position(problem.board, sum(1 << hole for hole in start)))
        at(browser, f"{page_of(name)}#{restoring(name, start=start)}")
        find(browser, "#marks").click()
        expected = pegcp.next_jumps(edited)
        assert (known(browser)[0] == "✓") == expected.solvable
        assert named(browser, "#board .winning") == {holes[jump.from_] for jump, good in expected.jumps if good}


@pytest.mark.thorough
@pytest.mark.parametrize("name", ["square4:b1->c1", "triangle15:b2", "cycle8:0->?"])
def test_the_packed_set_is_the_winnable_set(browser: Any, page_of: PageOf, name: str) -> None:
    """The page says of every jump what the library says, in a game that can be won for long."""
    problem = pegcp.problem(name)
    at(browser, page_of(name))
    find(browser, "#marks").click()
    position, jumps = problem.start, list[Jump]()
    for step in range(9):
        legal = list(position.jumps())
        if not legal:
            break
        keeping = [jump for jump, good in pegcp.next_jumps(problem, jumps).jumps if good] or legal
        jump = keeping[step * 7 % len(keeping)]
        jumps.append(jump)
        click(browser, problem.board.holes[jump.from_])
        click(browser, problem.board.holes[jump.to])
        position = position.after(jump)
        expected = pegcp.next_jumps(problem, jumps)
        winning = {problem.board.holes[j.from_] for j, good in expected.jumps if good}
        assert named(browser, "#board .winning") == winning
        assert ("✓" in known(browser)) == expected.solvable


PASTE = """const data = new DataTransfer();
    data.setData('text', arguments[0]);
    document.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data }));
    return [document.querySelectorAll('#board [data-hole]').length, document.getElementById('fault').textContent];"""


@pytest.mark.thorough
def test_a_drawing_is_pasted(browser: Any, page_of: PageOf) -> None:
    for drawing, start in (
        ("..*..\n..O..\n", None),
        ("..***..\n..*O*..\n*******\n*******\n*******\n..***..\n..***..\n", "d2"),
        ("  ooo\n  oo.\nooooooo\nooooooo\nooooooo\n  ooo\n  ooo\n", "e2"),
    ):
        at(browser, page_of("english"))
        _, fault = browser.execute_script(PASTE, drawing)
        assert ("it has not the holes of english" in fault) == (start is None), fault
        if start is not None:
            assert f"english:{start}->d4" in text(browser, "#command")


# The network, and everybody -------------------------------------------------------------------------------------------


@pytest.mark.thorough
def test_the_page_asks_nothing_of_the_network_and_cannot(browser: Any, page_of: PageOf) -> None:
    """Nothing is loaded; and what would be asked for is stopped before anybody hears of it."""
    script = """const [address, done] = arguments;
        const add = (kind, more) => document.body.append(Object.assign(document.createElement(kind), more));
        const tries = [
          () => fetch(address), () => navigator.sendBeacon(address), () => new WebSocket(address.replace('http', 'ws')),
          () => new EventSource(address), () => { const r = new XMLHttpRequest(); r.open('GET', address); r.send(); },
          ...['img', 'script', 'iframe'].map((kind) => () => add(kind, { src: address })),
          () => add('link', { rel: 'stylesheet', href: address }),
          () => add('script', { textContent: 'window.ran = 1' }),
          () => import(address),
        ];
        let stopped = 0;
        addEventListener('securitypolicyviolation', () => { stopped += 1; });
        for (const one of tries) { try { Promise.resolve(one()).catch(() => {}); } catch {} }
        setTimeout(() => done([stopped, tries.length, window.ran ?? 0]), 1000);"""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        listening.settimeout(0.2)
        at(browser, page_of("english"))
        assert browser.execute_script("return performance.getEntriesByType('resource').length") == 0
        address = f"http://127.0.0.1:{listening.getsockname()[1]}/"
        stopped, tries, ran = browser.execute_async_script(script, address)
        assert (stopped >= tries, ran) == (True, 0)
        assert heard(listening) == b""


def heard(listening: socket.socket) -> bytes:
    """What came from all who connect. A browser opens a connection for a frame before the policy stops it."""
    data = b""
    while True:
        try:
            connection, _ = listening.accept()
        except TimeoutError:
            return data
        with connection, suppress(TimeoutError):
            connection.settimeout(0.2)
            data += connection.recv(1000)


@pytest.mark.thorough
@pytest.mark.parametrize(("width", "height", "scheme"), [(1240, 900, "dark"), (360, 740, "light")])
@pytest.mark.parametrize("link", ["english:c1->e5", restoring("triangle15:a1->?", *LOST), "english:z9"])
def test_everybody_can_use_it(browser: Any, page_of: PageOf, link: str, width: int, height: int, scheme: str) -> None:
    need("axe_core_python")
    from axe_core_python import selenium as axe_module

    metrics = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 500}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
    browser.execute_cdp_cmd(
        "Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": scheme}]}
    )
    try:
        at(browser, f"{page_of('triangle15:a1->?')}#{link}")
        find(browser, "#hint").click()
        browser.execute_script("for (const part of document.querySelectorAll('details')) part.open = true")
        report = axe_module.Axe().run(browser)
        assert [(v["id"], [n["html"][:200] for n in v["nodes"]]) for v in report["violations"]] == []
        assert browser.execute_script("return document.documentElement.scrollWidth") <= width
    finally:
        browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
        browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})
