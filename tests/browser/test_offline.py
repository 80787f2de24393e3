"""The pages as files of any web host, and after the network is cut: this browser answers by itself."""

import json
import math
import re

import pytest

import quepu
from quepu.server.practice.course import course
from tests.browser.files import serving
from tests.browser.test_evening_offline import ready_for_anything
from tests.browser.test_match import PLAYER

pytestmark = pytest.mark.browser
HAND = "123456789m1p(234p)%2B1p"


@pytest.fixture
def files(tmp_path):
    """The address of the folder that `make app` makes, and what closes it."""
    with serving(tmp_path / "app") as host:
        yield host


@pytest.fixture
def page(chromium):
    """A page of a phone whose service workers work."""
    context = chromium.new_context(viewport={"width": 390, "height": 664}, reduced_motion="reduce", locale="zh-CN")
    page = context.new_page()
    page.set_default_timeout(90_000)
    yield page
    context.close()


def begin_an_evening(page):
    """Four names and a press: the table of an evening, written to from now on."""
    page.get_by_role("button", name="开始记分").wait_for()
    for name, field in zip(
        "甲乙丙丁", page.locator("form input[type=text], form input:not([type])").all()[:4], strict=True
    ):
        field.fill(name)
    page.get_by_role("button", name="开始记分").click()
    page.wait_for_url(re.compile("/scorekeeper/.+"))
    page.get_by_role("heading", name="记录").wait_for()


def test_without_any_server_a_hand_is_scored_and_an_evening_stored(files, page):
    site, stop = files
    page.goto(f"{site}/")
    page.wait_for_function("navigator.serviceWorker.controller !== null")  # a host of files knows no other address
    page.get_by_role("link", name="算番").locator("visible=true").first.click()  # what answers here has begun on "/"
    page.fill("#notation", HAND.replace("%2B", "+"))
    page.get_by_text("30 点").first.wait_for()
    word = page.get_by_role("status").filter(has_text="离线：在本机计算和保存。")
    word.wait_for()
    assert page.locator("p.offline").count() == 0  # a word in the header, and no line of its own
    box, top = word.bounding_box(), page.locator("header.top").bounding_box()
    assert box["width"] < 40
    assert top["y"] <= box["y"] < box["y"] + box["height"] <= top["y"] + top["height"]
    page.get_by_role("link", name="记分").locator("visible=true").first.click()
    begin_an_evening(page)
    first = page.url
    ready_for_anything(page)

    page.context.set_offline(True)
    stop()
    page.goto(first)  # a cold start without a network: it was kept
    page.get_by_text("甲").first.wait_for()
    page.get_by_role("heading", name="记录").wait_for()
    page.get_by_role("link", name="记分").locator("visible=true").first.click()
    begin_an_evening(page)  # and another without a network
    assert page.url != first
    box = page.get_by_role("group", name="常见点数").get_by_role("button").last.bounding_box()
    assert box["y"] + box["height"] <= 664 - 56  # offline too, all numbers stand above the tabs
    page.goto(f"{site}/play/AAAAAA")
    page.get_by_text("这一桌在服务器上，现在连不上").wait_for()


def test_without_any_server_discards_are_compared_by_shape_and_the_rest_is_named(files, page):
    site, _ = files
    page.goto(f"{site}/calculator?rules=lingque-29&h=123m4466p789sCCE2s")
    asking = page.get_by_label("为什么不打…？")
    asking.get_by_role("button", name="为什么不打四筒？").click()
    best, asked = (asking.get_by_role("row", name=re.compile(f"^打{name}")) for name in ("二索", "四筒"))
    hand = quepu.parse("123m4466p789sCCE2s")
    left = {"4p": 2, "5p": 4, "6p": 2, "C": 2}
    useful = sum(left.values())
    unseen = 136 - len(hand.concealed)
    within = [1 - math.comb(unseen - useful, draws) / math.comb(unseen, draws) for draws in (1, 3, 6)]
    assert best.inner_text().split()[-3:] == [f"{round(100 * chance)}%" for chance in within]
    asked.wait_for()
    asking.get_by_text("和牌率、估值和模拟对局要连上服务器才有").wait_for()
    assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
    page.goto(f"{site}/calculator?rules=lingque-29&h=123m4466p789sCCE")
    page.get_by_text("别家打出一张：要不要？").click()
    page.get_by_text("要用到估值和模拟对局，连上服务器才有").wait_for()


SNAPSHOT = """async (least) => {
    for (const cache = await caches.open('device'); ; await new Promise((then) => setTimeout(then, 200)))
        for (const one of await cache.keys())
            if (one.url.includes('/snapshot-') && (await (await cache.match(one)).blob()).size > least) return one.url;
}"""
"""The address of a snapshot larger than this, once there is one."""


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_the_next_visit_starts_from_a_snapshot_and_from_files_where_that_is_damaged(files, page):
    site, stop = files
    page.set_default_timeout(240_000)
    page.goto(f"{site}/")
    ready_for_anything(page)
    fetched = []
    page.on("request", lambda request: fetched.append(request.url))

    def scored():
        """The files that a start took until there was a score."""
        fetched.clear()
        page.goto(f"{site}/calculator?h={HAND}")
        page.get_by_text("30 点").first.wait_for()
        return [address for address in fetched if "/libraries-" in address]

    assert scored()
    snapshot = page.evaluate(SNAPSHOT, 1_000_000)
    page.context.set_offline(True)
    stop()
    assert not scored()
    page.goto(f"{site}/rulebooks")  # nothing of this was imported before: its files are there
    page.locator("main a[data-fan]").first.wait_for()
    damage = """async (address) => {
        const cache = await caches.open('device');
        const whole = await (await cache.match(address)).arrayBuffer();
        await cache.put(address, new Response(whole.slice(0, whole.byteLength - 1000)));
    }"""
    page.evaluate(damage, snapshot)
    assert scored()
    page.evaluate(SNAPSHOT, 1_000_000)  # another is made
    assert not scored()


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_without_any_server_a_match_against_bots_is_played_to_its_end(files, page):
    site, stop = files
    wishes = json.dumps({"rounds": 1, "think": 0, "move": 0, "bank": 0, "bots": ["plain", "steps", "gain"]})
    page.context.add_init_script(f"""
        if (!localStorage.getItem('quepu')) localStorage.setItem('quepu', JSON.stringify(
            {{lang: 'zh', book: 'guobiao', sound: false, once: true}}));
        if (!localStorage.getItem('quepu.table')) localStorage.setItem('quepu.table', JSON.stringify({wishes}));
        window.halt = true; window.claims = true;
        {PLAYER}""")
    page.goto(f"{site}/")
    ready_for_anything(page)
    page.context.set_offline(True)
    stop()
    page.goto(f"{site}/play")
    page.get_by_text("离线只有这几级电脑").wait_for()
    page.get_by_role("button", name="开桌").click()
    page.get_by_role("button", name="准备，开打").click()
    page.locator(".own .hand button").first.wait_for()
    room = page.url
    assert "/play/here-" in room
    page.evaluate("window.halt = false")
    page.wait_for_function("document.querySelectorAll('.river .cell').length > 12")
    page.evaluate("window.halt = true")
    page.wait_for_timeout(300)  # (what was pressed is done)
    before = page.evaluate("document.querySelector('.facts').textContent")
    page.close()  # in mid-hand: the worker dies with its page

    page = page.context.new_page()
    page.set_default_timeout(90_000)
    page.goto(f"{site}/play")
    page.get_by_role("link", name="回到牌桌").wait_for()
    assert page.get_by_text("正在等人").count() == 0  # without a network there is nobody to wait for, or to send a link
    page.get_by_role("link", name="回到牌桌").click()
    page.wait_for_url(room)
    page.locator(".own .hand button").first.wait_for()
    assert page.evaluate("document.querySelector('.facts').textContent") == before
    page.evaluate("window.halt = false")
    page.get_by_role("button", name="再来一局").wait_for(timeout=400_000)
    with page.expect_download() as saving:
        page.get_by_role("link", name="下载牌谱").click()
    log = saving.value.path().read_text("utf-8")
    assert log.splitlines()[-1].startswith('{"end":')
    page.get_by_role("link", name="看牌谱").click()
    page.wait_for_url("**/replays/here-*")
    page.locator(".board").wait_for()
    page.goto(f"{site}/replays")
    page.locator("ul a.card").get_by_text(re.compile("电脑[1-4]·")).first.wait_for()  # its seats were drawn

    page.get_by_role("button", name="导入牌谱").click()  # the same log, brought along
    page.locator("dialog textarea").first.fill(log)
    page.get_by_role("button", name="导入", exact=True).click()
    page.wait_for_url("**/replays/here-*")
    page.locator(".board").wait_for()
    page.keyboard.press("End")
    page.locator("main[data-at]:not([data-at='0'])").wait_for()
    page.get_by_text("复盘", exact=True).first.click()
    page.get_by_text("连上服务器后可以在这里复盘。").wait_for()


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_lessons_go_on_without_any_server_and_a_wrong_answer_is_not_green(files, page):
    site, stop = files
    page.goto(f"{site}/")
    page.wait_for_function("navigator.serviceWorker.controller !== null")
    page.goto(f"{site}/practice/lessons?rules=lingque-29")
    page.locator(".option").first.wait_for()
    ready_for_anything(page)
    page.context.set_offline(True)
    stop()
    page.goto(f"{site}/practice/lessons?rules=lingque-29")  # a cold start without a network
    (first, *_) = course(quepu.book("lingque-29"))
    for screen in first.screens:
        page.get_by_text(screen.ask.zh, exact=True).wait_for()
        options = page.locator(".option")
        wrong, *_ = [at for at, one in enumerate(screen.options) if not one.right]
        options.nth(wrong).click()
        page.get_by_text("不对。").wait_for()
        assert "good" not in (options.nth(wrong).get_attribute("class") or "")
        for at, one in enumerate(screen.options):
            if one.right:
                options.nth(at).click()
        if screen is not first.screens[-1]:
            page.get_by_role("button", name="下一步", exact=True).click()
    page.get_by_text("学完 1 / 10").wait_for()
    page.goto(f"{site}/practice/lessons?rules=lingque-29")  # and what was passed stays so
    page.get_by_text("学完 1 / 10").wait_for()
