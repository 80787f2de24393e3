"""An evening in a hall whose server comes and goes: whatever was pressed is there once, and in its order."""

import signal
import socket
import time

import pytest

from tests.browser.files import ON_DEVICE
from tests.browser.test_tables_together import wait_for_hands, write
from tests.server.serving import Server

pytestmark = [pytest.mark.browser, ON_DEVICE, pytest.mark.xdist_group("offline")]
FOUR = ["林", "周", "何", "许"]
POINTS = (24, 30, 48)
COPIED = """async (length) => {
    const opening = indexedDB.open('quepu');
    const database = await new Promise((done) => (opening.onsuccess = () => done(opening.result)));
    const all = database.transaction('logs').objectStore('logs').getAll();
    const logs = await new Promise((done) => (all.onsuccess = () => done(all.result)));
    database.close();
    return logs.some((log) => log.copy && log.entries.length >= length);
}"""
"""Whether this browser has a copy of a table whose log is that long."""


@pytest.fixture
def hall(tmp_path):
    """Starts and kills a server at one address, with one store."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    running = []

    def start():
        running.append(Server(tmp_path / "data", "--port", str(port)))
        return running[-1]

    def kill():
        server = running.pop()
        server.process.send_signal(signal.SIGKILL)
        server.process.wait()

    yield f"http://127.0.0.1:{port}", start, kill
    while running:
        kill()


@pytest.fixture
def phone(chromium):
    """A phone's browser, with its service worker."""
    context = chromium.new_context(
        viewport={"width": 390, "height": 664}, has_touch=True, reduced_motion="reduce", locale="zh-CN"
    )
    context.add_init_script("localStorage.setItem('quepu', JSON.stringify({lang: 'zh', book: 'lingque-29'}))")
    context.set_default_timeout(300_000)  # Python starts anew in each page: a minute and more on a crowded machine
    yield context
    context.close()


def wait_for_copy(page, length):
    """Wait until this browser has a copy of a table with a log of this length; a pending promise does not count."""
    deadline = time.monotonic() + 240
    while not page.evaluate(COPIED, length):
        assert time.monotonic() < deadline
        page.wait_for_timeout(50)


def ready_for_anything(page):
    """Until the pages and what answers in their stead are kept by the browser."""
    page.evaluate("""async () => {
        const workers = navigator.serviceWorker;
        if (!workers.controller) await new Promise((seen) => (workers.oncontrollerchange = seen));
        const bundle = await (await fetch('/device/bundle.json')).json();
        for (const name of Object.keys(bundle.files)) {
            await (await fetch('/device/' + name)).arrayBuffer();
            while (!(await caches.match('/device/' + name))) await new Promise((later) => setTimeout(later, 50));
        }
    }""")


def totals(page):
    return page.get_by_role("region", name="分数").locator("strong").all_inner_texts()


def hand(i):
    return FOUR[i % 4], FOUR[(i + 1 + i // 4 % 3) % 4], POINTS[i % 3]


@pytest.mark.slow
@pytest.mark.timeout(1800)
def test_sixteen_hands_with_the_server_killed_in_between(hall, phone):
    site, start, kill = hall
    server = start()
    page = phone.new_page()
    page.goto(f"{site}/scorekeeper")
    for i, name in enumerate(FOUR):
        page.locator("form input").nth(i).fill(name)
    ready_for_anything(page)
    page.get_by_role("button", name="开始记分").click()
    page.wait_for_url("**/scorekeeper/*")
    id = page.url.rsplit("/", 1)[1]
    for i in range(5):
        write(page, *hand(i))
        wait_for_hands(page, i + 1)
    kill()
    for i in range(5, 9):
        write(page, *hand(i))
        wait_for_hands(page, i + 1)  # worked out on the device
    page.reload()
    wait_for_hands(page, 9)
    other = phone.new_page()  # a second tab of the same phone
    other.goto(f"{site}/scorekeeper/{id}")
    wait_for_hands(other, 9)
    write(other, *hand(9))
    wait_for_hands(other, 10)
    wait_for_hands(page, 10)
    write(page, *hand(10))
    wait_for_hands(page, 11)
    before = totals(page)
    other.close()
    server = start()
    page.get_by_role("group", name="等待联网").wait_for(state="detached")
    wait_for_hands(page, 11)
    assert totals(page) == before, "the server came to the same"
    write(page, *hand(11))
    wait_for_hands(page, 12)
    kill()
    for i in range(12, 14):
        write(page, *hand(i))
        wait_for_hands(page, i + 1)
    page.close()  # the phone is put away before the server is back
    server = start()
    page = phone.new_page()
    page.goto(f"{site}/scorekeeper/{id}")
    wait_for_hands(page, 14)
    page.get_by_role("group", name="等待联网").wait_for(state="detached")
    for i in range(14, 16):
        write(page, *hand(i))
        wait_for_hands(page, i + 1)
    rows = server.fetch(f"api/tables/{id}")["rows"]
    won = [(row["record"]["winner"], row["record"]["discarder"], row["record"]["points"]) for row in rows]
    assert won == [(FOUR.index(a), FOUR.index(b), points) for a, b, points in map(hand, range(16))]
    waiting = page.evaluate("""() => new Promise((resolve) => {
        const opening = indexedDB.open('quepu');
        opening.onsuccess = () => {
            const all = opening.result.transaction('waiting').objectStore('waiting').getAll();
            all.onsuccess = () => resolve(all.result.length);
        };
    })""")
    assert waiting == 0


@pytest.mark.slow
@pytest.mark.timeout(1800)
def test_what_was_opened_without_a_server_goes_to_it_whole(hall, phone):
    site, start, kill = hall
    start()
    page = phone.new_page()
    page.goto(f"{site}/practice?rules=guobiao&kind=payable&seed=7")
    ready_for_anything(page)
    who = page.evaluate("localStorage.getItem('quepu.who')")
    kill()
    page.goto(f"{site}/scorekeeper")
    for i, name in enumerate(FOUR):
        page.locator("form input").nth(i).fill(name)
    page.get_by_role("button", name="开始记分").click()
    page.wait_for_url("**/scorekeeper/*")
    id = page.url.rsplit("/", 1)[1]
    second = phone.new_page()
    second.goto(f"{site}/scorekeeper/{id}")
    for i, tab in enumerate((page, second, page)):  # two tabs in turn: neither writes over the other
        tab.get_by_role("region", name="记录").wait_for()
        wait_for_hands(tab, i) if i else None
        write(tab, *hand(i))
        wait_for_hands(tab, i + 1)
    wait_for_hands(second, 3)
    before = totals(page)
    second.goto(f"{site}/practice?rules=guobiao&kind=payable&seed=7")
    second.get_by_role("button", name="提交").wait_for()
    second.keyboard.press("1")
    second.get_by_role("button", name="提交").click()
    second.get_by_role("button", name="下一题").wait_for()
    server = start()
    while not server.fetch("api/tables", who=who):
        page.wait_for_timeout(100)
    page.reload()
    wait_for_hands(page, 3)
    assert totals(page) == before
    assert len(server.fetch("api/tables", who=who)) == 1
    while not (history := server.fetch("api/practice/history?rules=guobiao", who=who))["answered"]:
        page.wait_for_timeout(100)
    assert history["answered"] == 1
    write(page, *hand(3))
    wait_for_hands(page, 4)
    assert len(server.fetch(f"api/tables/{id}")["rows"]) == 4


@pytest.mark.slow
@pytest.mark.timeout(1800)
def test_a_hand_that_the_server_took_stays_when_the_network_goes_before_its_copy_came(hall, phone):
    site, start, kill = hall
    start()
    page = phone.new_page()
    page.goto(f"{site}/scorekeeper")
    for i, name in enumerate(FOUR):
        page.locator("form input").nth(i).fill(name)
    ready_for_anything(page)
    page.get_by_role("button", name="开始记分").click()
    page.wait_for_url("**/scorekeeper/*")
    wait_for_copy(page, 1)
    kill()
    write(page, *hand(0))
    wait_for_hands(page, 1)  # Python has started
    start()
    page.get_by_role("group", name="等待联网").wait_for(state="detached")
    wait_for_copy(page, 2)
    page.route("**/api/tables/*/log", lambda route: route.abort())
    write(page, *hand(1))
    wait_for_hands(page, 2)
    kill()
    write(page, *hand(2))
    wait_for_hands(page, 3)  # worked out on the device
    start()
    page.unroute("**/api/tables/*/log")
    page.get_by_role("group", name="等待联网").wait_for(state="detached")
    wait_for_copy(page, 4)
    wait_for_hands(page, 3)
