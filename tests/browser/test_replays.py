"""Replays and reviews in the browser: stepped through, linked to, brought along, reviewed; wrong logs are told.

Reviews and what only takes longer run with `-m slow`.
"""

from __future__ import annotations

import gzip
import json
import re
import urllib.request
from pathlib import Path

import pytest

from quepu.rulebooks import book
from tests.browser import felt
from tests.browser.conftest import ALONE
from tests.browser.targets import IN_SIGHT
from tests.browser.test_pages import sound
from tests.match.botzone_writer import record
from tests.match.test_botzone import WON
from tests.match.test_log import play_match
from tests.review.flat import write_flat
from tests.server.test_review import LOG as SHORT
from tests.table.walls import go

pytestmark = pytest.mark.browser

WHO = "browser-browser"
MATCH = play_match("yuque-54", 3)[1]
FLOWERED = play_match("guobiao-mcr", 4)[1]
SLOW_FILES = """() => {
    const read = Blob.prototype.text;
    Blob.prototype.text = function () {
        return new Promise((done) => setTimeout(done, 1000)).then(() => read.call(this));
    };
}"""


@pytest.fixture(scope="module", autouse=True)
def flat(tmp_path_factory):
    """Tables for reviews that are there at once."""
    folder = tmp_path_factory.mktemp("flat")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("QUEPU_CACHE", str(folder))
        write_flat(book("guobiao"), folder)
        yield


GOLDEN = Path(__file__).parents[1] / "golden" / "0.1.0-e1aac81" / "logs"
PROMISED = gzip.decompress((GOLDEN / "promised.jsonl.gz").read_bytes()).decode().splitlines()


def stored(site, lines):
    """The id under which the server has put a log's lines among its replays."""
    body = json.dumps({"who": WHO, "text": "\n".join(lines), "title": ""}).encode()
    request = urllib.request.Request(f"{site}/api/replays", body, {"content-type": "application/json"})
    with urllib.request.urlopen(request) as answer:
        return json.load(answer)["id"]


@pytest.fixture
def replay(visit, site):
    """Open the replay of a log's lines: stored by the server, or without one imported by the page."""

    def opened(lines, query="", lang="zh", **look):
        if ALONE:
            page = visit("/replays", lang=lang, **look)
            page.get_by_role("button", name="导入牌谱" if lang == "zh" else "Import a log").click()
            page.locator("dialog textarea").first.fill("\n".join(lines))
            page.get_by_role("button", name="导入" if lang == "zh" else "Import", exact=True).click()
            page.wait_for_url("**/replays/*")
            page.goto(page.url.split("?")[0] + query)
            return page
        return visit(f"/replays/{stored(site, lines)}{query}", lang=lang, **look)

    return opened


def at(page):
    return int(page.locator("main").get_attribute("data-at"))


def ready(page):
    page.locator(".own .hand").first.wait_for()


@pytest.mark.parametrize(
    ("size", "theme", "lang"),
    [("desktop", "dark", "zh"), pytest.param("phone", "light", "en", marks=pytest.mark.slow)],
)
def test_a_match_is_stepped_through_and_linked_to(replay, axe, size, theme, lang):
    page = replay(MATCH, "?at=40&seat=S", size=size, theme=theme, lang=lang)
    ready(page)
    sound(page, axe)
    assert at(page) == 40
    page.keyboard.press("ArrowRight")
    assert at(page) == 41
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("PageDown")
    turned = at(page)
    assert turned > 40
    page.keyboard.press("PageUp")
    assert at(page) <= 40
    page.keyboard.press("Home")
    assert at(page) == 0
    page.keyboard.press("End")
    page.get_by_role("region", name="本局结果" if lang == "zh" else "Result of the hand").wait_for()
    sound(page, axe)
    last = at(page)
    page.keyboard.press("ArrowRight")  # into the next hand
    page.wait_for_function("n => Number(document.querySelector('main').dataset.at) === n", arg=last + 1)
    ready(page)
    page.keyboard.press("[")
    assert at(page) == 0
    assert page.locator(".rack .tile.back").count() == 0
    page.keyboard.press("o")
    assert page.locator(".rack .tile.back").count() == 39
    page.keyboard.press("v")
    page.wait_for_function("() => location.search.includes('seat=W') && location.search.includes('hands=one')")
    page.get_by_role("slider").first.fill("7")
    page.wait_for_function("() => location.search.includes('at=7')")
    page.reload()  # the address is the position
    ready(page)
    assert at(page) == 7
    assert page.locator(".rack .tile.back").count() >= 39 - 1
    page.get_by_role("button", name="牌墙" if lang == "zh" else "Wall", exact=True).click()
    assert page.locator(".wall li").count() == 136
    page.get_by_text("这一局的牌墙没有封存" if lang == "zh" else "was not sealed").wait_for()
    sound(page, axe)
    page.get_by_role("button", name="这一场" if lang == "zh" else "Match", exact=True).click()
    with page.expect_download() as caught:
        page.get_by_role("link", name="下载牌谱" if lang == "zh" else "Download the log").click()
    assert caught.value.path().read_text(encoding="utf-8") == "\n".join(MATCH) + "\n"


USUAL = """() => ['.game > header', '.ticker', '.mine .own', '.stepper'].flatMap((name) => {
    const parts = document.querySelector(name).querySelectorAll('select, a, button, input, .count, .tile, b');
    return [...parts].filter((one) => one.checkVisibility() && !one.matches('.tile *')).map((one) => {
        const {left, top, right, bottom} = one.getBoundingClientRect();
        return {what: `${name} ${one.ariaLabel ?? one.textContent.trim()}`, left, top, right, bottom};
    });
})"""
"""What is pressed and read at every step of a replay, and the hand looked at."""
WHOLE = "(one) => one.checkVisibility() && one.clientHeight > 14 && one.scrollHeight <= one.clientHeight + 1"
"""Whether the words of the event are there, none of them cut off."""
PHONES = [(390, 664), (360, 560), (667, 375)]
OTHER_PHONES = [(360, 640), (375, 548), (412, 720), (390, 844), (844, 340)]


STOPS = [(0, "E"), (230, "W"), (420, "E"), (9999, "W")]
OTHER_STOPS = [(130, "S"), (320, "S"), (640, "N"), (700, "N")]


@pytest.mark.parametrize(
    ("phones", "stops"),
    [
        (PHONES, STOPS),
        pytest.param(PHONES, [*STOPS, *OTHER_STOPS], marks=pytest.mark.slow),
        pytest.param(OTHER_PHONES, [*STOPS, *OTHER_STOPS], marks=pytest.mark.slow),
    ],
)
def test_on_a_phone_hand_and_steps_are_in_view_and_cover_nothing(replay, phones, stops):
    """At every size, with as many melds and flowers as come, nothing scrolled."""
    page = replay(FLOWERED, "?at=0&seat=S", size="bars")
    ready(page)
    melds, piled, places = set(), False, set()
    for at, seat in stops:
        page.goto(f"{page.url.split('?')[0]}?at={at}&seat={seat}")
        ready(page)
        melds.add(page.locator(".own .meld").count())
        piled = piled or page.locator(".own .pile").count() > 0
        for width, height in phones:
            page.set_viewport_size({"width": width, "height": height})
            page.evaluate("scrollTo(0, 0)")
            tabs = page.locator("nav.tabs")
            foot = tabs.bounding_box()["y"] if tabs.is_visible() else height
            usual, board = page.evaluate(USUAL), page.locator(".board").bounding_box()
            assert len(usual) > 15
            assert page.locator(".ticker").evaluate(WHOLE), (at, width, height)
            assert felt.faults(usual, width, foot) == [], (at, width, height)
            stands = {"what": "board", "left": board["x"], "top": board["y"]}
            stands |= {"right": board["x"] + board["width"], "bottom": board["y"] + board["height"]}
            assert felt.faults([stands, *usual], width, foot) == [], (at, width, height)
            tiles = [box for box in page.evaluate(felt.BOXES) if "header" not in box["what"]]
            assert felt.faults(tiles, width, foot) == [], (at, width, height)
            rivers = [box["across"] for box in tiles if "cell" in box["within"]]
            assert min(rivers, default=22) >= 22
            places.add((width, height, page.locator(".stepper").bounding_box()["y"]))
    assert len(melds) > 2
    assert piled
    assert len(places) == len(phones), "whatever lies in a hand, the steps stay where they are"


def test_a_win_leads_to_the_calculator_with_all_that_lay_around_it(replay):
    table = go(WON.copy(), "E win")
    page = replay([json.dumps(record(table, 2))], "?at=9999")
    page.get_by_role("region", name=re.compile("^本.结果")).get_by_text("88", exact=True).first.wait_for()
    page.get_by_role("link", name="在算番里看这手牌").click()
    page.wait_for_url("**/calculator?*")
    assert "round=W" in page.url
    page.get_by_text("十三幺").first.wait_for()
    page.locator(".worth, .points, .sum").get_by_text("88", exact=True).first.wait_for()


@pytest.mark.slow
def test_it_plays_by_itself(replay):
    page = replay(MATCH, "?at=7")
    ready(page)
    page.keyboard.press("Space")
    page.wait_for_function("() => Number(document.querySelector('main').dataset.at) > 8", timeout=20_000)


def test_logs_are_imported_found_and_deleted(visit, axe, tmp_path):
    page = visit("/replays")
    page.get_by_role("button", name="导入牌谱").click()
    dialog = page.get_by_role("dialog")
    sound(page, axe)
    dialog.get_by_role("button", name="导入", exact=True).click()
    dialog.get_by_text("先选一个文件").wait_for()
    for text, sentence in (
        ("喵", "第 1 行"),
        ("\n".join([*MATCH[:20], *MATCH[21:]]), "第 21 行"),
        ('{"logs": [{}]}', "四家的配牌"),
    ):
        dialog.get_by_label("或粘贴内容").fill(text)
        dialog.get_by_role("button", name="导入", exact=True).click()
        dialog.get_by_text(sentence).wait_for()
    large = tmp_path / "large.jsonl"
    large.write_text("x" * (5 * 1024 * 1024))
    dialog.locator("input[type=file]").set_input_files(str(large))
    dialog.get_by_text("文件太大").wait_for()
    foreign = tmp_path / "match.json"
    foreign.write_text(json.dumps(record(go(WON.copy(), "E win"), 0)), encoding="utf-8")
    page.evaluate(SLOW_FILES)  # what is not read yet is neither sent nor put over what is pasted meanwhile
    dialog.locator("input[type=file]").set_input_files(str(foreign))
    dialog.get_by_label("或粘贴内容").fill("喵喵")
    page.wait_for_timeout(1500)
    assert dialog.get_by_label("或粘贴内容").input_value() == "喵喵"
    dialog.locator("input[type=file]").set_input_files([])
    dialog.locator("input[type=file]").set_input_files(str(foreign))
    dialog.get_by_label("标题（可不填）").fill("平台赛")
    dialog.get_by_role("button", name="导入", exact=True).click()
    page.wait_for_url("**/replays/*")
    ready(page)
    page.get_by_role("button", name="这一场", exact=True).click()
    page.get_by_text("未能保留的内容").wait_for()
    page.goto(page.url.split("/replays")[0] + "/replays")
    page.get_by_label("查牌谱").fill("平台赛 机器")
    page.get_by_role("link", name="平台赛").wait_for()
    page.get_by_label("查牌谱").fill("没有这个")
    page.get_by_text("没有找到").wait_for()
    page.get_by_label("查牌谱").fill("平台")
    page.get_by_role("link", name="平台赛").click()
    ready(page)
    page.get_by_role("button", name="这一场", exact=True).click()
    page.get_by_role("button", name="删除").click()
    page.get_by_role("button", name="再按一次就删除").click()
    page.wait_for_url("**/replays")
    assert page.get_by_role("link", name="平台赛").count() == 0


@pytest.mark.slow
def test_a_torn_log_is_shown_as_far_as_it_goes(replay):
    page = replay([*MATCH[:150], MATCH[150][:9]], "?at=99999")
    ready(page)
    page.get_by_role("button", name="这一场", exact=True).click()
    page.get_by_text("第 151 行：牌谱在这里中断").wait_for()


@pytest.mark.server("reviews are the work of a server")
@pytest.mark.slow
@pytest.mark.parametrize("size", ["phone", pytest.param("desktop", marks=pytest.mark.slow)])
def test_a_match_is_reviewed(replay, axe, size):
    page = replay(SHORT, "?seat=S&tab=review", size=size)
    page.get_by_role("button", name="复盘这一场").click()
    page.get_by_role("list", name="本盘").wait_for(timeout=90_000)
    page.get_by_role("button", name="林").or_(page.get_by_role("button", name="甲")).first.wait_for()
    page.get_by_text("整场").wait_for(timeout=60_000)
    page.keyboard.press("End")
    page.get_by_role("button", name="复盘", exact=True).click()
    page.locator(".decision ol li").first.wait_for()
    sound(page, axe)
    page.keyboard.press("n")  # South threw nothing away that matters, or the next mistake is shown
    page.locator(".none, .decision .tag.bad").first.wait_for()
    page.reload()
    page.goto(page.url.split("?")[0] + "?tab=review")
    page.get_by_role("list", name="本盘").wait_for()  # kept: at once


@pytest.mark.quick
def test_what_is_not_there_is_a_sentence(visit):
    page = visit("/replays/nothing-here", missing=["/api/replays/nothing-here"])
    page.get_by_text("连不上服务器" if ALONE else "没有这份牌谱").wait_for()  # another device's may be there
    page.get_by_role("link", name="回牌谱").click()
    page.wait_for_url("**/replays")


def test_the_walls_of_an_imported_log_are_checked_and_not_called_sealed(replay):
    page = replay(PROMISED, "?at=9")
    ready(page)
    page.get_by_role("button", name="牌墙", exact=True).click()
    page.get_by_text("已核对：牌墙与文件中的承诺相符").wait_for()


@pytest.mark.parametrize(("lang", "width", "height"), [("zh", 390, 664), ("en", 360, 640)])
def test_why_a_log_cannot_be_read_is_seen_without_scrolling(visit, lang, width, height):
    page = visit("/replays", size="bars", lang=lang)
    page.set_viewport_size({"width": width, "height": height})
    page.get_by_role("button", name="导入牌谱" if lang == "zh" else "Import a log").click()
    dialog = page.get_by_role("dialog")
    dialog.locator("textarea").first.fill("nothing of the kind")
    dialog.get_by_role("button", name="导入" if lang == "zh" else "Import", exact=True).click()
    refused = dialog.get_by_role("alert")
    refused.wait_for()
    assert refused.evaluate(IN_SIGHT)
