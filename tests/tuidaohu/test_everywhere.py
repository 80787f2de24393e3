"""The book of this folder through HTTP, in the browser and by `quepu verify`: nothing outside the folder names it."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import urllib.error
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from websockets.sync.client import connect

from quepu.server.http.pages import STATIC
from tests.browser import browser_path
from tests.browser.test_play import hurry, play_on
from tests.server.serving import Server

ROOT = Path(__file__).parents[2]
CHROMIUM = browser_path()


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server whose processes know the book."""
    with pytest.MonkeyPatch.context() as patch:
        paths = (Path(__file__).parent / "site", ROOT / "src", ROOT, os.environ.get("PYTHONPATH", ""))
        patch.setenv("PYTHONPATH", os.pathsep.join(map(str, paths)))
        made = Server(tmp_path_factory.mktemp("tuidaohu"))
        yield made
        made.kill()


def test_it_is_listed_and_scores(server: Server) -> None:
    assert "tuidaohu" in {one["id"] for one in server.fetch("api/books")}
    assert [fan["name"] for fan in server.fetch("api/books/tuidaohu")["fans"]][:2] == ["平胡", "碰碰胡"]
    answer = server.fetch("api/score", {"rules": "tuidaohu", "hand": "111m222m333m444m5m+5m"})
    assert answer["points"] == 7
    with pytest.raises(urllib.error.HTTPError) as refused:
        server.fetch("api/score", {"rules": "tuidaohu", "hand": "111m222m333m444mE+E"})
    assert refused.value.code == 400
    assert "没有东这样的牌" in refused.value.read().decode()


def play(socket: Any) -> None:
    """Answer until the match is over: win, pass, else the last discard."""
    for _ in range(20_000):
        message = json.loads(socket.recv(60))
        options = (message.get("view") or {}).get("options")
        if message.get("over", {}).get("match_over"):
            return
        if "over" in message:
            socket.send(json.dumps({"ready": True}))
        elif options:
            quick = [option for option in options if option["do"] in ("win", "pass")]
            choice = (quick or [option for option in reversed(options) if option["do"] == "discard"])[0]
            action = {key: value for key, value in choice.items() if key != "score"}
            socket.send(json.dumps({"action": action, "n": message["n"]}))
    raise AssertionError("the match never ended")


@pytest.mark.long
def test_a_match_with_bots_is_played_and_verified(server: Server, tmp_path: Path) -> None:
    room = {"name": "我", "think": 0, "move": 0, "bank": 0, "rounds": 1, "seed": 5, "rules": "tuidaohu"}
    me = server.fetch("api/rooms", room)
    address = server.address.replace("http", "ws") + f"api/rooms/{me['room']}/ws"
    with connect(address, max_size=None) as socket:
        socket.send(json.dumps({"token": me["token"]}))
        socket.send(json.dumps({"ready": True}))
        play(socket)
    log = tmp_path / "log.jsonl"
    log.write_bytes(server.read(f"api/rooms/{me['room']}/log"))
    done = subprocess.run(
        [sys.executable, "-c", "from quepu.cli import main; main()", "verify", str(log)],
        env={
            **os.environ,
            "PYTHONPATH": os.pathsep.join(map(str, (Path(__file__).parent / "site", ROOT / "src", ROOT))),
        },
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "无误" in done.stdout + done.stderr


@pytest.mark.long
@pytest.mark.skipif(not CHROMIUM or not (STATIC / "index.html").is_file(), reason="no Chromium or no built client")
def test_the_browser_shows_it_and_plays_a_hand_to_its_end(server: Server) -> None:
    playwright = pytest.importorskip("playwright.sync_api")
    with playwright.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"])
        page = browser.new_page(locale="zh-CN")
        page.set_default_timeout(30_000)
        page.goto(server.address + "rulebooks/tuidaohu")
        page.locator("main").get_by_text("推倒胡（小）").locator("visible=true").first.wait_for()
        page.locator("main").get_by_text("碰碰胡").locator("visible=true").first.wait_for()
        page.goto(server.address + "play")
        hurry(page)
        page.get_by_label("你的名字").fill("林")
        page.locator("label", has_text="规则书").locator("select").select_option("tuidaohu")
        page.get_by_role("button", name="开桌", exact=True).click()
        page.wait_for_url("**/play/*")
        page.get_by_role("button", name="准备，开打").click()
        page.locator(".own .hand button").nth(12).wait_for()
        kinds = page.locator(".own .hand button").evaluate_all("tiles => tiles.map(tile => tile.textContent)")
        assert len(kinds) in (13, 14)
        assert not set("".join(kinds)) & set("东東南西北中发發白")
        page.locator("main h1").click()  # the keys are for the table
        play_on(page)
        dialog = page.get_by_role("dialog")
        dialog.get_by_text(re.compile("牌墙已验证")).wait_for()
        browser.close()


def test_nothing_outside_the_folder_names_it() -> None:
    found = [
        path
        for folder in ("src", "web/src")
        for path in (ROOT / folder).rglob("*")
        if path.suffix in (".py", ".ts", ".svelte", ".toml") and "tuidaohu" in path.read_text(encoding="utf-8")
    ]
    assert not found
