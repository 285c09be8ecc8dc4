"""The page to play on: its server attacked, its games played in headless Chromium, the page without a server."""

from __future__ import annotations

import http.client
import itertools
import json
import random
import re
import signal
import socket
import subprocess
import sysconfig
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import urlencode, urlsplit

import psutil
import pytest
from asking import own_cache
from click.testing import CliRunner
from parts import need

import pegcp
from pegcp.cli.main import cli
from pegcp.formats.toml import read_problem
from pegcp.game.board import Jump
from pegcp.game.goal import GOAL_KINDS
from pegcp.play.page import offline, online, read
from pegcp.play.winnable_table import packed

PATIENCE = 60.0
LOST = ["a3-a1", "c3-a3", "a4-a2", "c4-a4"]  # jumps of the triangle after which no game is won


def wait_until(true: Callable[[], Any], what: str = "it") -> Any:
    end = time.monotonic() + PATIENCE
    while not (found := true()):
        assert time.monotonic() < end, f"waited for {what}"
        time.sleep(0.05)
    return found


@contextmanager
def served(*arguments: str, cache: Path, cwd: Path | None = None) -> Iterator[tuple[str, subprocess.Popen[str]]]:
    """A server for a problem; its link and its process."""
    need("starlette", "uvicorn")
    process = subprocess.Popen(
        [str(Path(sysconfig.get_path("scripts"), "pegcp")), "play", *arguments, "--no-browser"], cwd=cwd,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=own_cache(cache),
    )  # fmt: skip
    try:
        assert process.stdout is not None
        line = process.stdout.readline()
        assert line.startswith("http://127.0.0.1:"), line + process.communicate()[1]
        yield line.strip(), process
    finally:
        process.send_signal(signal.SIGINT)
        process.wait(30)


@pytest.fixture(scope="module")
def link(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with served("triangle15:a1->?", "--port", "0", cache=tmp_path_factory.mktemp("cache")) as (found, _):
        yield found


def send(
    link: str, where: str, data: Any = None, headers: dict[str, str] | None = None, method: str = ""
) -> tuple[int, bytes, dict[str, str]]:
    parts = urlsplit(link)
    connection = http.client.HTTPConnection(parts.netloc, timeout=PATIENCE)
    body = data if isinstance(data, bytes) or data is None else json.dumps(data).encode()
    path = where if where.startswith("/") else parts.path + where
    connection.request(method or ("GET" if data is None else "POST"), path, body, headers or {})
    answer = connection.getresponse()
    found = answer.status, answer.read(), {name.lower(): value for name, value in answer.getheaders()}
    connection.close()
    return found


def game(name: str, *jumps: str, **changes: Any) -> dict[str, Any]:
    problem = pegcp.problem(name)
    made, position = [], problem.start
    for name_ in jumps:
        after = position.after(name_)
        made += [
            [*j] for j in problem.board.jumps if j.is_legal(position.mask) and position.mask ^ j.mask == after.mask
        ]
        position = after
    return {"problem": problem.text, "name": name, "jumps": made, **changes}


def lines(link: str, where: str, data: Any) -> list[dict[str, Any]]:
    status, text, _ = send(link, where, data)
    assert status == 200, text
    return [json.loads(line) for line in text.splitlines()]


# The server -----------------------------------------------------------------------------------------------------------


def test_advice_is_that_of_the_library(link: str) -> None:
    for made in ([], ["a3-a1"], LOST):
        answer = lines(link, "advice", game("triangle15:a1->?", *made))[-1]
        expected = pegcp.next_jumps("triangle15:a1->?", " ".join(made))
        assert answer["solvable"] is expected.solvable
        assert [(Jump(*jump[:3]), jump[3]) for jump in answer["jumps"]] == list(expected.jumps)
        assert answer["taken_back"] == (1 if made is LOST else None)


def test_a_lost_position_is_explained(link: str) -> None:
    answer = lines(link, "advice", game("english:c1->e5"))[-1]
    assert (answer["solvable"], answer["taken_back"]) == (False, None)
    assert "odd" in answer["why"]["text"]
    assert answer["why"]["picture"].startswith("<svg")


def test_large_boards_with_few_pegs(link: str) -> None:
    """No winnable set has more than 64 holes."""
    army = {"problem": 'board = "square9"\nstart = ["e5", "e6", "e8"]\ngoal = "one peg"', "name": "small", "jumps": []}
    answer = lines(link, "advice", army)[-1]
    holes = pegcp.board("square9").holes
    assert {f"{holes[a]}-{holes[b]}": good for a, _, b, good in answer["jumps"]} == {"e5-e7": True, "e6-e4": False}


@pytest.mark.thorough
def test_a_race(link: str) -> None:
    told = lines(link, "solve", game("triangle10:a2->?", methods=["dfs", "moves", "bfs"], time_limit=60))
    done = {line["method"]: line for line in told if line["state"] == "done"}
    assert {name: line["status"] for name, line in done.items()} == dict.fromkeys(("dfs", "moves", "bfs"), "SOLVED")
    problem = pegcp.problem("triangle10:a2->?")
    for line in done.values():
        pegcp.check(problem, [Jump(*jump) for jump in line["jumps"]])
        assert line["evidence"] == "replayed"


def test_foreign_requests_are_refused(link: str) -> None:
    place = urlsplit(link)
    assert send(link, "boards")[0] == 200
    assert send(link, "boards", headers={"Host": "evil.example"})[0] == 421
    assert send(link, "boards", headers={"Host": f"127.0.0.1.evil.example:{place.port}"})[0] == 421
    assert send(link, "boards", headers={"Origin": "http://evil.example"})[0] == 403
    assert send(link, "boards", headers={"Origin": f"http://{place.netloc}"})[0] == 200
    for path in ("/", "/boards", "/x/boards", f"{place.path}../boards", f"{place.path}%2e%2e/%2e%2e/etc/passwd"):
        assert send(link, path)[0] == 404, path
    for name in ("..", "index.html", "__init__.py", "%2e%2e%2fserver.py", "nothing.js"):
        assert send(link, name)[0] == 404, name
    headers = send(link, "")[2]
    assert "default-src 'none'" in headers["content-security-policy"]
    assert headers["cache-control"] == "no-store"


@pytest.mark.parametrize("where", ["advice", "solve", "problem"])
@pytest.mark.parametrize(
    "data",
    [
        b"", b"[]", b"{", b"[" * 100_000, b'{"problem": NaN}', b"\xff\xfe", {"problem": 5}, {"problem": "goal"},
        {"problem": 'board = "/etc/passwd"\nstart = []\ngoal = "one peg"'},
        {"problem": 'board = "square40"\nstart = ["a1"]\ngoal = "one peg"'},
        {"problem": 'board = "english"\nstart = ["d4"]\ngoal = "one peg"', "jumps": [[0, 1, 2]], "format": "txt",
         "methods": ["dfs"], "start": [99]},
        game("XoXX", jumps=[[0, 1, 10**30]]), game("XoXX", jumps=[[3, 2]]), game("XoXX", jumps="d1-b1"),
        game("XoXX", jumps=[[3, 2, 1]] * 2, methods=["dfs"], format="txt", start=[[]]),
    ],
)  # fmt: skip
def test_malformed_requests_are_refused(link: str, where: str, data: Any) -> None:
    if where == "problem" and isinstance(data, dict) and "start" not in data:
        data = {**data, "start": data.get("jumps", 5)}
    status, text, _ = send(link, where, data)
    assert status == 400, text
    assert json.loads(text)["error"]
    assert b"Traceback" not in text


@pytest.mark.parametrize(
    ("where", "more"),
    [
        ("solve", {"methods": ["/tmp/mine.py"]}),
        ("solve", {"methods": ["planner:command=touch /tmp/x {domain} {problem} {plan}"]}),
        ("solve", {"methods": []}),
        ("solve", {"methods": ["dfs"] * 9}),
        ("solve", {"methods": ["dfs"], "time_limit": -1}),
        ("problem", {"board": "../../etc/passwd"}),
        ("problem", {"goal": "z99"}),
    ],
)
def test_what_a_page_must_not_ask_for(link: str, where: str, more: dict[str, Any]) -> None:
    status, text, _ = send(link, where, {**game("triangle10:a2->?"), **more})
    assert status == 400, text


def test_large_bodies_are_refused(link: str) -> None:
    assert send(link, "advice", b" " * 600_000)[0] == 413
    place = urlsplit(link)
    connection = http.client.HTTPConnection(place.netloc, timeout=PATIENCE)
    chunks = (b" " * 60_000 for _ in range(20))
    with suppress(BrokenPipeError, ConnectionResetError):  # the server may hang up
        connection.request("POST", f"{place.path}advice", chunks, {}, encode_chunked=True)
        assert connection.getresponse().status == 413
    assert send(link, "boards")[0] == 200


@pytest.mark.thorough
def test_a_thousand_requests_are_not_all_taken(link: str) -> None:
    """Those beyond the queue are told so at once; the others end when their connections do."""
    place = urlsplit(link)
    body = json.dumps(game("wiegleb:e1", methods=["moves"] * 4, time_limit=600)).encode()  # too hard to end
    open_ones, refused = [], 0
    for _ in range(30):
        connection = http.client.HTTPConnection(place.netloc, timeout=PATIENCE)
        connection.request("POST", f"{place.path}solve", body)
        answer = connection.getresponse()
        refused += answer.status == 503
        open_ones.append((connection, answer))
    assert refused == 26
    for connection, answer in open_ones:
        answer.close()
        connection.close()
    wait_until(lambda: send(link, "solve", game("XoXX", methods=["dfs"]))[0] == 200, "room in the queue")


@pytest.mark.thorough
def test_a_port_in_use_and_the_end(tmp_path: Path) -> None:
    with served("XoXX", "--port", "0", cache=tmp_path) as (first, _):
        port = str(urlsplit(first).port)
        with served("XoXX", "--port", port, cache=tmp_path) as (second, process):
            assert urlsplit(second).port != int(port)
            body = json.dumps(game("english", methods=["moves"], time_limit=600)).encode()
            connection = http.client.HTTPConnection(urlsplit(second).netloc)
            connection.request("POST", f"{urlsplit(second).path}solve", body)
            family = psutil.Process(process.pid)
            wait_until(lambda: family.children(recursive=True), "the run")
            children = family.children(recursive=True)
            process.send_signal(signal.SIGINT)
            assert process.wait(30) in (0, 130)
            assert process.stderr is not None
            said = process.stderr.read()
            assert f"port {port} is in use" in said
            assert "Traceback" not in said
            assert not psutil.wait_procs(children, 20)[1]


@pytest.mark.thorough
def test_cut_requests_and_the_end_are_quiet(tmp_path: Path) -> None:
    """Nothing in the current folder is executed; a lost position is settled by a table from another process."""
    for name in ("pegcp", "multiprocessing", "json", "numpy", "subprocess"):
        (tmp_path / f"{name}.py").write_text(f"open({str(tmp_path / 'marks')!r}, 'a')\n")
    with served("english", "--port", "0", cache=tmp_path / "cache", cwd=tmp_path) as (link, process):
        place = urlsplit(link)
        cut = f"POST {place.path}advice HTTP/1.1\r\nHost: {place.netloc}\r\nContent-Length: 500\r\n\r\n{{"
        for _ in range(30):
            with socket.create_connection((place.hostname or "", place.port or 0)) as connection:
                connection.sendall(cut.encode())
        lost = ["b4-d4", "c6-c4", "e6-c6", "d4-b4", "a5-c5", "d5-b5", "d2-d4", "c2-c4"]
        told = lines(link, "advice", game("english", *lost))
        assert [line["state"] for line in (told[0], told[-1])] == ["searching", "known"]
        assert {jump[3] for jump in told[0]["jumps"]} == {True, None}  # what is known is told at once
        assert {jump[3] for jump in told[-1]["jumps"]} == {True, False}
        with socket.create_connection((place.hostname or "", place.port or 0)) as connection:
            connection.sendall(cut.encode())
            process.send_signal(signal.SIGINT)
            began = time.monotonic()
            assert process.wait(30) in (0, 130)
        assert time.monotonic() - began < 5  # a second, where nothing else is going on
        assert process.stderr is not None
        assert process.stderr.read().strip() == ""
    assert not (tmp_path / "marks").exists()


def test_boards_that_are_too_large_to_draw() -> None:
    need("starlette", "uvicorn")
    result = CliRunner().invoke(cli, ["play", "square40", "--no-browser"])
    assert "at most 400 holes" in str(result.exception)


def test_names_are_shown_and_never_run() -> None:
    name = "</script><script>alert(1)</script>{script}"
    text = online(replace(pegcp.problem("XoXX"), name=name))
    assert text.count("<script") == 2
    assert "&lt;/script&gt;" in text


# In the browser -------------------------------------------------------------------------------------------------------


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
    return str(
        wait_until(lambda: (said := text(browser, "#standing")) and not said.startswith("Not known yet") and said)
    )


def at(browser: Any, link: str) -> None:
    browser.get("about:blank")
    browser.get(link)
    known(browser)


def console(browser: Any) -> list[str]:
    return [entry["message"] for entry in browser.get_log("browser") if entry["level"] == "SEVERE"]


@pytest.mark.thorough
def test_a_game_won_by_clicks_and_hints(browser: Any, link: str) -> None:
    console(browser)
    at(browser, link)
    assert known(browser) == "✓ Still winnable."
    assert not browser.find_elements("css selector", "#board .winning")  # marks are off until they are wanted
    for left in range(13, 0, -1):
        find(browser, "#hint").click()
        first, second = re.findall(r"Hint: (\S+) over \S+ to (\S+)", text(browser, "#said"))[0]
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
    assert console(browser) == []


@pytest.mark.thorough
def test_a_game_won_by_the_keyboard(browser: Any, tmp_path: Path) -> None:
    from selenium.webdriver.common.keys import Keys

    with served("XoXX", "--port", "0", cache=tmp_path) as (link, _):
        at(browser, link)
        hole(browser, "a1").send_keys(Keys.ARROW_RIGHT, Keys.ARROW_RIGHT, Keys.ARROW_RIGHT, Keys.ENTER)
        assert "d1 can jump to b1" in text(browser, "#said")
        browser.switch_to.active_element.send_keys(Keys.ARROW_LEFT, Keys.ARROW_LEFT, Keys.ENTER)
        assert pegs(browser) == ["a1", "b1"]
        browser.switch_to.active_element.send_keys("u")
        assert pegs(browser) == ["a1", "c1", "d1"]
        browser.switch_to.active_element.send_keys("r")
        hole(browser, "a1").send_keys(Keys.ENTER, Keys.ARROW_RIGHT, Keys.ARROW_RIGHT, Keys.ENTER)
        assert text(browser, "#standing") == "✓ The goal is reached."
        assert "1 peg left" in text(browser, "#said")


@pytest.mark.thorough
def test_the_central_game_by_the_keyboard_without_a_server(browser: Any, tmp_path: Path) -> None:
    """31 jumps with the arrows and Enter alone, on a page in a file."""
    from selenium.webdriver import ActionChains
    from selenium.webdriver.common.keys import Keys

    problem = pegcp.problem("english")
    holes = set(problem.board.holes)
    page = tmp_path / "page.html"
    page.write_text(offline(problem), encoding="utf-8")
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
    at(browser, page.as_uri())
    hole(browser, "d4").send_keys(*keys[: len(keys) // 2])
    assert len(pegs(browser)) > 1
    ActionChains(browser).send_keys(*keys[len(keys) // 2 :]).perform()
    assert text(browser, "#standing") == "✓ The goal is reached."
    assert text(browser, "#count") == "31 of 31 jumps, 1 peg left"
    assert find(browser, "#ending").is_displayed()


@pytest.mark.thorough
def test_marks_say_which_jumps_win(browser: Any, link: str) -> None:
    """By a key: a ring where a jump wins, a cross where a peg can move and only loses."""
    from selenium.webdriver.common.keys import Keys

    at(browser, f"{link}#{restoring('triangle15:a1->?', 'a3-a1', 'c4-a2')}")
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
def test_a_link_restores_a_lost_game(browser: Any, link: str) -> None:
    at(browser, f"{link}#{restoring('triangle15:a1->?', *LOST)}")
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
def test_why_it_is_lost_is_drawn(browser: Any, link: str) -> None:
    at(browser, f"{link}#{restoring('english:c1->e5')}")
    assert known(browser) == "✕ No solution from here."
    wait_until(lambda: find(browser, "#why").is_displayed())
    assert "odd" in text(browser, "#why-text")
    wait_until(lambda: find(browser, "#why-picture").get_property("naturalWidth") > 100)


def opened(browser: Any, summary: str) -> None:
    for part in browser.find_elements("css selector", "details"):
        if part.find_element("css selector", "summary").text == summary and part.get_attribute("open") is None:
            part.find_element("css selector", "summary").click()


@pytest.mark.thorough
def test_edit_and_choose_a_goal(browser: Any, link: str) -> None:
    at(browser, link)
    opened(browser, "Position and goal")
    find(browser, "#edit").click()
    for name in ("b4", "c4", "d4"):
        click(browser, name)
    assert len(pegs(browser)) == 11
    find(browser, "#edit").click()
    find(browser, "#goal-kind option[value=holes]").click()
    find(browser, "#goal-holes").send_keys("a1 *")
    find(browser, "#goal-form button").click()
    wait_until(lambda: "pegs in a1" in text(browser, "#goal"))
    assert len(pegs(browser)) == 11
    find(browser, "#goal-holes").clear()
    find(browser, "#goal-holes").send_keys("z9")
    find(browser, "#goal-form button").click()
    wait_until(lambda: "z9" in text(browser, "#fault"))


@pytest.mark.thorough
def test_draw_a_board_and_win(browser: Any, link: str) -> None:
    at(browser, link)
    opened(browser, "Another board")
    for field, value in (("#draw-wide", "3"), ("#draw-high", "1")):
        browser.execute_script(
            "arguments[0].value = arguments[1]; arguments[0].dispatchEvent(new Event('change'))",
            find(browser, field), value,
        )  # fmt: skip
    cells = browser.find_elements("css selector", "#draw button")
    assert len(cells) == 3
    cells[0].click()
    cells[1].click()
    find(browser, "#draw-with option[value=o]").click()
    cells[2].click()
    find(browser, "#draw-form > button").click()
    wait_until(lambda: len(browser.find_elements("css selector", "#board [data-hole]")) == 3)
    known(browser)
    click(browser, "a1")
    click(browser, "c1")
    assert text(browser, "#standing") == "✓ The goal is reached."
    area = find(browser, "#text")
    area.clear()
    area.send_keys('edges = "a-b b-c c-d"\nstart = ["a", "b", "d"]\ngoal = "one peg"')
    find(browser, "#text-form button").click()
    wait_until(lambda: len(browser.find_elements("css selector", "#board [data-hole]")) == 4)
    assert hole(browser, "c").get_attribute("aria-label").startswith("c, vacancy")


def chosen(browser: Any, *methods: str) -> None:
    opened(browser, "Solve from here")
    for box in browser.find_elements("css selector", "#methods input"):
        if box.is_selected() != (box.get_attribute("value") in methods):
            browser.execute_script("arguments[0].click()", box)


@pytest.mark.thorough
def test_solve_race_and_step_through(browser: Any, link: str) -> None:
    at(browser, link)
    chosen(browser, "dfs", "moves")
    find(browser, "#solve").click()
    shown = wait_until(lambda: len(found := browser.find_elements("css selector", "#race button")) == 2 and found)
    assert {row.text.split()[1] for row in browser.find_elements("css selector", "#race tbody tr")} == {"SOLVED"}
    shown[0].click()  # it is played
    find(browser, "#play").click()
    find(browser, "#first").click()
    for left in range(13, 0, -1):
        find(browser, "#redo").click()
        assert len(pegs(browser)) == left
    assert text(browser, "#standing") == "✓ The goal is reached."


@pytest.mark.thorough
@pytest.mark.parametrize("how", ["cancel", "close"])
def test_what_is_not_wanted_any_more_ends(browser: Any, how: str, tmp_path: Path) -> None:
    with served("english", "--port", "0", cache=tmp_path) as (link, process):
        at(browser, link)
        chosen(browser, "constraint-replay")
        family = psutil.Process(process.pid)
        before = set(family.children(recursive=True))  # what makes the table

        def running() -> list[psutil.Process]:
            found = []
            for child in set(family.children(recursive=True)) - before:
                with suppress(psutil.Error):
                    if child.cwd() != "/":  # there is what is kept warm for later runs
                        found.append(child)
            return found

        find(browser, "#solve").click()
        children = wait_until(running, "the run")
        if how == "cancel":
            find(browser, "#cancel").click()
            wait_until(lambda: "cancelled" in text(browser, "#race"))
        else:
            browser.get("about:blank")
        assert not psutil.wait_procs(children, 20)[1]


@pytest.mark.thorough
def test_a_race_is_cancelled_before_the_server_has_answered(browser: Any, link: str) -> None:
    at(browser, link)
    chosen(browser, "dfs", "moves")
    browser.execute_script("document.querySelector('#solve').click(); document.querySelector('#cancel').click()")
    wait_until(lambda: find(browser, "#solve").is_enabled())
    rows = browser.find_elements("css selector", "#race tbody tr")
    assert [row.text.split()[-1] for row in rows] == ["cancelled", "cancelled"]


@pytest.mark.thorough
def test_a_race_of_too_many_methods_has_failed(browser: Any, link: str) -> None:
    at(browser, link)
    opened(browser, "Solve from here")
    browser.execute_script("document.querySelectorAll('#methods input').forEach((box) => { box.checked = true; })")
    find(browser, "#solve").click()
    wait_until(lambda: find(browser, "#solve").is_enabled())
    rows = browser.find_elements("css selector", "#race tbody tr")
    assert len(rows) > 8
    assert {row.text.split()[-1] for row in rows} == {"failed"}


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
def test_a_game_by_touch_without_a_server(browser: Any, tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    result = CliRunner().invoke(cli, ["play", "triangle15:a1->?", "-o", str(page)])
    assert result.exit_code == 0, result.output
    addresses = re.findall(r"""\b(?:src|href|action)=["']?([^"'> ]*)""", page.read_text("utf-8"))
    assert addresses
    assert all(address.startswith("data:") for address in addresses)
    assert "default-src 'none'" in page.read_text("utf-8")
    browser.get("about:blank")
    console(browser)  # what was said before is not about this page
    with phone(browser):
        browser.get(page.as_uri())
        for left in range(13, 0, -1):
            assert "✓" in known(browser)
            find(browser, "#hint").click()
            touched(browser, *re.findall(r"Hint: (\S+) over \S+ to (\S+)", text(browser, "#said"))[0])
            assert len(pegs(browser)) == left
        assert find(browser, "#ending").is_displayed()
    assert text(browser, "#standing") == "✓ The goal is reached."
    assert console(browser) == []


@pytest.mark.thorough
def test_the_peg_slides_unless_motion_is_not_wanted(browser: Any, tmp_path: Path) -> None:
    """A peg that is let go elsewhere stays where it was."""
    from selenium.webdriver import ActionChains

    page = tmp_path / "page.html"
    page.write_text(offline(pegcp.problem("XoXX")), encoding="utf-8")
    sliding = "document.getElementById('redo').click(); return document.querySelectorAll('#board .moving').length"
    for wanted, moving in (("no-preference", 2), ("reduce", 0)):
        features = [{"name": "prefers-reduced-motion", "value": wanted}]
        browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})
        at(browser, page.as_uri())
        ActionChains(browser).drag_and_drop(hole(browser, "d1"), hole(browser, "a1")).perform()
        assert pegs(browser) == ["a1", "c1", "d1"]
        ActionChains(browser).drag_and_drop(hole(browser, "d1"), hole(browser, "b1")).perform()
        assert pegs(browser) == ["a1", "b1"]
        find(browser, "#undo").click()
        assert browser.execute_script(sliding) == moving
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})


@pytest.mark.thorough
def test_a_link_opens_with_and_without_a_server(browser: Any, link: str, tmp_path: Path) -> None:
    """What stands after # is the position: the same in every page, in the words of the command line."""
    page = tmp_path / "page.html"
    page.write_text(offline(pegcp.problem("triangle15")), encoding="utf-8")
    for told, peg in (
        ("triangle15:a3&after=a1-a3+c3-a1", 12), ("triangle15:a1->c5&after=a3-a1", 13),
        ("triangle15&start=a1+a2+b3&goal=one+peg&after=a1-a3", 2), ("triangle15:c5!", 14),
    ):  # fmt: skip
        for start in (link, page.as_uri()):
            at(browser, f"{start}#{told}")
            assert len(pegs(browser)) == peg
            assert text(browser, "#fault") == ""
            assert browser.current_url.replace("%3E", ">").split("#")[1] == told
    at(browser, f"{page.as_uri()}#english:c1&after=c3-c1")
    assert "another board" in text(browser, "#fault")
    at(browser, f"{link}#english:c1&after=c3-c1")
    assert len(pegs(browser)) == 31
    at(browser, f"{link}#english:c1&after=c3-c1+c3-c2")
    assert "jump 2 of the link" in text(browser, "#fault")
    assert len(pegs(browser)) == 31


def saved(browser: Any, kind: str) -> str:
    """What a button that saves would put into the file."""
    browser.execute_script(
        "URL.createObjectURL = (blob) => { blob.text().then((t) => { window.saved = t; }); return 'data:,'; }"
    )
    browser.execute_script("window.saved = null")
    find(browser, f"[data-export={kind}]").click()
    return str(wait_until(lambda: browser.execute_script("return window.saved")))


@pytest.mark.thorough
def test_no_button_is_dead_without_a_server(browser: Any, tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    page.write_text(offline(pegcp.problem("english")), encoding="utf-8")
    browser.get("about:blank")
    console(browser)
    browser.get(f"{page.as_uri()}#{restoring('english', 'd2-d4', 'b3-d3')}")
    opened(browser, "Position and goal")
    opened(browser, "Keep it")
    shown = {button.text for button in browser.find_elements("css selector", "button") if button.is_displayed()}
    assert shown == {
        "Start", "Back", "Play", "Next", "End", "d2-d4", "b3-d3",
        "Hint",
        "Set the goal",
        "Copy a link to this game",
        "problem",
        "jumps",
        "SVG",
    }  # fmt: skip
    assert find(browser, "#goal-holes").get_property("value") == "d4"  # the menu of goals says what the goal is
    assert "ends with a peg" in hole(browser, "d4").get_attribute("aria-label")
    assert saved(browser, "txt").split() == ["d2-d4", "b3-d3"]
    assert saved(browser, "svg").count("<g ") == 3
    position = pegcp.problem("english").start.after("d2-d4", "b3-d3")
    assert read_problem(saved(browser, "toml")).start.mask == position.mask
    find(browser, "#goal-holes").clear()
    find(browser, "#goal-holes").send_keys("c1 -d1 *")
    find(browser, "#goal-form button").click()
    goal = read_problem(saved(browser, "toml")).goal
    assert goal == pegcp.problem("english", goal="c1 -d1 *").goal
    link = browser.current_url
    browser.get("about:blank")
    browser.get(link)
    assert "c1" in text(browser, "#goal")
    assert console(browser) == []


@pytest.mark.thorough
@pytest.mark.parametrize("name", ["triangle10:a2->?", "square4:b1->c1", "english:d4->?"])
def test_edited_positions_are_searched_in_the_page(browser: Any, name: str, tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    problem = pegcp.problem(name)
    page.write_text(offline(problem), encoding="utf-8")
    holes = problem.board.holes
    for seed in range(6):
        start = random.Random(f"{name} {seed}").sample(range(len(holes)), 7)
        edited = replace(problem, start=pegcp.Position(problem.board, sum(1 << hole for hole in start)))
        browser.get("about:blank")
        browser.get(f"{page.as_uri()}#{restoring(name, start=start)}")
        find(browser, "#glow").click()
        expected = pegcp.next_jumps(edited)
        assert (known(browser)[0] == "✓") == expected.solvable
        assert named(browser, "#board .winning") == {holes[jump.from_] for jump, good in expected.jumps if good}


def test_the_page_knows_every_kind_of_goal() -> None:
    assert {kind for kind in GOAL_KINDS if f'case "{kind}"' not in read("game.js")} == set()


@pytest.mark.thorough
@pytest.mark.parametrize("name", ["square4:b1->c1", "triangle15:b2", "cycle8:0->?"])
def test_the_packed_set_is_the_winnable_set(browser: Any, name: str, tmp_path: Path) -> None:
    """The page without a server says of every jump what the library says, in a game that can be won for long."""
    problem = pegcp.problem(name)
    page = tmp_path / "page.html"
    page.write_text(offline(problem), encoding="utf-8")
    browser.get("about:blank")
    browser.get(page.as_uri())
    find(browser, "#glow").click()
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
        assert ("✓" in text(browser, "#standing")) == expected.solvable


def test_sets_that_are_too_large_are_left_out() -> None:
    assert packed(pegcp.problem("english:d4!")) is None
    assert packed(pegcp.problem("square9:e5")) is None
    small = packed(pegcp.problem("triangle15:a1"))
    assert small is not None
    assert (small["reversal"], len(small["kept"])) == (tuple(range(15)), 13)


@pytest.mark.thorough
@pytest.mark.parametrize(("width", "height"), [(1280, 900), (360, 740)])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_everybody_can_use_it(browser: Any, link: str, width: int, height: int, scheme: str) -> None:
    need("axe_core_python")
    from axe_core_python import selenium as axe_module

    metrics = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 500}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
    browser.execute_cdp_cmd(
        "Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": scheme}]}
    )
    try:
        at(browser, f"{link}#{restoring('english:c1->e5')}")
        wait_until(lambda: find(browser, "#why").is_displayed())
        browser.execute_script("for (const part of document.querySelectorAll('details')) part.open = true")
        found = axe_module.Axe().run(browser)
        assert [(v["id"], [n["html"][:200] for n in v["nodes"]]) for v in found["violations"]] == []
        assert browser.execute_script("return document.documentElement.scrollWidth") <= width
    finally:
        browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
        browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})
