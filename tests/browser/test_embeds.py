"""Embeds in another site, as a browser shows them; and the ladder before anyone is on it."""

from __future__ import annotations

import functools
import http.server
import re
import threading
from pathlib import Path

import pytest

from tests.browser.targets import sideways
from tests.browser.test_play_table import faults

pytestmark = [pytest.mark.browser, pytest.mark.server("pictures are drawn by the server")]
HAND = "/calculator?rules=guobiao&h=234m234p2344567s%2B4s"


@pytest.fixture
def another_site(tmp_path: Path):
    """A folder served at another address."""
    handler = functools.partial(http.server.SimpleHTTPRequestHandler, directory=str(tmp_path))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield tmp_path, f"http://127.0.0.1:{server.server_port}/page.html"
        server.shutdown()


def test_the_code_of_the_calculator_shows_the_hand_in_another_site(visit, chromium, another_site):
    folder, address = another_site
    page = visit(HAND, size="bars")
    page.get_by_role("button", name="分享").first.click()
    code = page.get_by_label("嵌入网页的代码").input_value()
    assert sideways(page) == []
    site = re.match("https?://[^/]+", page.url)[0]
    link = f'<a class="quepu" href="{site}/practice/puzzles?rules=guobiao">每日一题</a>'
    script = f'{link}<script src="{site}/embed.js"></script>'
    (folder / "page.html").write_text(f'<!doctype html><meta charset="utf-8">{code}<p>{script}</p>', "utf-8")
    other = chromium.new_page()
    other.goto(address)
    assert other.locator("iframe").count() == 2
    for frame in other.locator("iframe").all():
        frame.scroll_into_view_if_needed()
        picture = frame.content_frame.locator("img")
        picture.wait_for()
        wide = "image => image.decode().then(() => [image.naturalWidth, image.naturalHeight])"
        assert picture.evaluate(wide) == [1200, 630]
    link = other.locator("iframe").first.content_frame.get_by_role("link")
    assert "国标麻将 16 番" in link.get_by_role("img").get_attribute("alt")
    assert link.get_attribute("href") == HAND
    other.close()


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_an_empty_ladder_says_how_to_get_on_it(visit, axe, lang):
    page = visit("/play/ladder", size="bars", lang=lang, book="guobiao")
    page.get_by_text("还没有人上榜" if lang == "zh" else "is empty so far").wait_for()
    assert sideways(page) == []
    assert faults(page, axe) == []
