"""The pages report the network correctly in each state: stored here, only in this page, sent, or no answer."""

import json
import re

import pytest

from tests.browser.files import ON_DEVICE
from tests.browser.score_table import NAMES, table
from tests.browser.targets import IN_SIGHT
from tests.browser.test_tables_together import wait_for_hands, write

pytestmark = [
    pytest.mark.browser,
    pytest.mark.timeout(600),
    pytest.mark.server("it goes away and comes back"),
    ON_DEVICE,
]
REFUSING = "IDBFactory.prototype.open = () => { throw new DOMException('refused', 'SecurityError'); };\n"
"""What a browser does whose user, or whose private window, forbids that anything is stored."""
BACK = "dispatchEvent(new Event('online'))"


def cut(page, *more):
    """The server is gone; the files of the page are there."""
    page.set_default_timeout(240_000)  # on a busy machine Python starts slowly
    for address in ("**/api/**", *more):
        page.route(address, lambda route: route.abort("internetdisconnected"))


def mend(page):
    page.unroute("**/api/**")
    page.evaluate(BACK)


def refuse_storage(page):
    """Nothing is stored, neither for the page nor for its worker."""

    def refusing(route):
        answer = route.fetch()
        route.fulfill(response=answer, body=REFUSING + answer.text())

    page.add_init_script(REFUSING)
    page.route(re.compile(r"/assets/worker-[^/]+\.js$"), refusing)
    page.reload()
    page.wait_for_selector("main#main *:visible")


def waiting(page):
    return page.get_by_role("group", name="等待联网").get_by_role("status")


def test_what_is_stored_here_and_waits_says_so_and_that_it_was_sent(visit):
    page = table(visit)
    cut(page)
    write(page, "周", "林", 24)
    waiting(page).get_by_text("连不上服务器：1 条待上传，连上后自动上传。").wait_for()
    assert "已保存在本机，关闭浏览器也不会丢。" in waiting(page).inner_text()
    page.get_by_role("status").filter(has_text="离线：在本机计算和保存。").wait_for()
    assert page.locator("p.offline").count() == 0
    mend(page)
    page.get_by_text("待上传的 1 条已全部上传。").wait_for()
    assert page.get_by_role("group", name="等待联网").count() == 0
    write(page, "何", "林", 24)
    wait_for_hands(page, 2)
    assert page.get_by_text("已全部上传").count() == 0  # this one went at once


def test_a_hand_written_before_this_device_answers_is_seen_at_once_and_taken_back_there(visit):
    page = table(visit, size="bars")
    cut(page, "**/device/**")
    for size in ({"width": 390, "height": 664}, {"width": 360, "height": 640}):
        page.set_viewport_size(size)
        write(page, "周", "林", 24)
        shown = page.get_by_role("main").get_by_role("status").filter(has=page.get_by_role("button", name="撤销"))
        shown.get_by_text("周 和 24 点，林 放铳").wait_for()
        shown.get_by_text("尚未上传到服务器").wait_for()
        assert shown.evaluate(IN_SIGHT), size
        shown.get_by_role("button", name="撤销").tap()
        shown.wait_for(state="detached")
        assert page.get_by_role("group", name="等待联网").count() == 0


@pytest.mark.quick("zh")
@pytest.mark.parametrize(
    ("lang", "away", "stored"),
    [
        ("zh", "连不上服务器，正在重试。", "1 条已存在本机，尚未上传。"),
        ("en", "The server cannot be reached. Retrying.", "Saved in this browser, waiting to be sent: 1."),
    ],
    ids=["zh", "en"],
)
def test_where_nobody_answers_nothing_is_promised_but_what_is_stored(visit, lang, away, stored):
    page = visit("/calculator", size="bars", lang=lang)
    page.locator("#notation").wait_for()
    cut(page, "**/device/**")  # nor are the files there that answer in its place
    page.fill("#notation", "123456789m1p(234p)+1p")
    line = page.locator("p.offline")
    line.get_by_text(away, exact=True).wait_for()
    write_one = """() => new Promise((done) => {
        const opening = indexedDB.open('quepu');
        opening.onsuccess = () => {
            const change = opening.result.transaction('waiting', 'readwrite');
            change.objectStore('waiting').add({key: 'k', address: '/api/tables/t', body: {}, base: 1});
            change.oncomplete = () => { opening.result.close(); done(); };
        };
    })"""
    page.evaluate(write_one)  # as another page of this browser does
    page.evaluate("new BroadcastChannel('quepu.store').postMessage({what: 'waiting', page: 0})")
    line.get_by_text(stored).wait_for()


CONTROLS = """() => ['header.top :is(a, button, select)', 'nav.tabs a', '#notation', '.keys button']
    .flatMap((which) => [...document.querySelectorAll(which)]).map((one) => one.getBoundingClientRect())
    .filter((box) => box.width > 1 && box.bottom < innerHeight + 1)
    .map((box) => [box.x, box.y, box.width, box.height])"""
UNDER = """(line) => {
    const [own, tabs] = [line.getBoundingClientRect(), document.querySelector('nav.tabs').getBoundingClientRect()];
    const names = [...document.querySelectorAll('nav.tabs a span')].map((one) => one.getBoundingClientRect());
    const covers = (box) => box.width && box.top < own.bottom - 1 && box.bottom > own.top + 1;
    const others = [...document.querySelectorAll('header.top *, main :is(a, button, input, select)')]
        .filter((one) => !tabs.height && one.checkVisibility()).map((one) => one.getBoundingClientRect());
    return [own.height > 12, !tabs.height || own.top >= tabs.top, [...names, ...others].some(covers),
            line.scrollHeight > line.clientHeight, getComputedStyle(line).pointerEvents];
}"""


@pytest.mark.parametrize(("size", "height"), [("bars", 664), ("bars", 640), ("desktop", 900)])
def test_nothing_moves_or_is_covered_when_the_line_comes_and_goes(visit, size, height):
    page = visit("/calculator", size=size, lang="en")
    page.set_viewport_size({"width": 360 if height == 640 else page.viewport_size["width"], "height": height})
    page.fill("#notation", "123456789m1p(234p)")
    page.locator("#notation:focus").wait_for()
    page.get_by_text("left player").first.wait_for(state="attached")  # the hand was read, and stands with its meld
    page.wait_for_load_state("networkidle")
    before = page.evaluate(CONTROLS)
    assert len(before) > 40
    cut(page, "**/device/**")
    page.fill("#notation", "123456789m2p(234p)")
    line = page.locator("p.offline")
    line.wait_for()
    assert page.evaluate(CONTROLS) == before
    assert line.evaluate(UNDER) == [True, True, False, False, "none"]
    mend(page)
    line.wait_for(state="detached")
    assert page.evaluate(CONTROLS) == before


@pytest.mark.slow
def test_what_cannot_be_stored_says_so_stays_with_the_page_and_is_sent(visit, site):
    """A whole table first, then hands of a table that the server has."""
    page = visit("/scorekeeper", size="bars")
    refuse_storage(page)
    cut(page)
    for i, name in enumerate(NAMES):
        page.locator("form input").nth(i).fill(name)
    page.get_by_role("button", name="开始记分").click()
    page.wait_for_url("**/scorekeeper/*")
    id = page.url.rsplit("/", 1)[1]

    def winners():
        """Of the hands of this table that the server has."""
        found = json.loads(page.request.get(f"{site}/api/tables/{id}").text())
        assert found["names"] == NAMES
        return [NAMES[row["record"]["winner"]] for row in found["rows"]]

    line = page.locator("p.offline")
    line.get_by_text("离线开的 1 桌只在这一页里，关掉或刷新就没了。").wait_for()
    write(page, "周", "林", 24)
    wait_for_hands(page, 1)
    mend(page)
    line.wait_for(state="detached")
    assert winners() == ["周"]
    write(page, "何", "林", 24)
    wait_for_hands(page, 2)
    assert winners() == ["周", "何"]

    cut(page)
    for n, winner in enumerate(("周", "何"), 1):
        write(page, winner, "林", 24)
        waiting(page).get_by_text(f"连不上服务器：{n} 条待上传").wait_for()
    assert "未能保存，只在这一页里。" in waiting(page).inner_text()
    assert "存在这个浏览器里" not in page.locator("body").inner_text()
    line.get_by_text("2 条未能保存，只在这一页里：上传之前请勿关闭或刷新。").wait_for()
    page.get_by_role("link", name="算番").locator("visible=true").first.click()
    page.fill("#notation", "123456789m1p(234p)+1p")
    page.get_by_text("30 点").first.wait_for()  # without storage this device answers all the same
    page.get_by_role("status").filter(has_text="离线：在本机计算；浏览器禁止保存，关闭后会丢失。").wait_for()
    line.get_by_text("2 条未能保存").wait_for()
    dialogs = []
    page.on("dialog", lambda dialog: (dialogs.append(dialog.type), dialog.dismiss()))
    page.close(run_before_unload=True)
    page.wait_for_timeout(500)
    assert dialogs == ["beforeunload"]
    mend(page)
    line.wait_for(state="detached")
    assert winners() == ["周", "何", "周", "何"]
