"""Matches against bots that are stored on the device: a begun and a finished one are deleted there, and stay away."""

import asyncio
import threading

import pytest

from quepu.server.device.app import Device
from quepu.server.device.stored_logs import MemoryStorage
from tests.browser.files import ON_DEVICE
from tests.server.test_device_rooms import begun

pytestmark = [
    pytest.mark.browser,
    pytest.mark.timeout(600),
    ON_DEVICE,
]

PUT = """({logs, tickets}) => new Promise((done, failed) => {
    localStorage.setItem('quepu.rooms', JSON.stringify(tickets));
    const opening = indexedDB.open('quepu');
    opening.onsuccess = () => {
        const change = opening.result.transaction(['heads', 'entries'], 'readwrite');
        for (const {head, entries} of logs) {
            change.objectStore('heads').put(head, head[0]);
            for (const entry of entries) change.objectStore('entries').add(entry, [head[0], entry[0]]);
        }
        change.oncomplete = () => { opening.result.close(); done(); };
        change.onabort = () => failed(change.error);
    };
})"""
LEFT = """(id) => new Promise((done) => {
    const opening = indexedDB.open('quepu');
    opening.onsuccess = () => {
        const read = opening.result.transaction(['heads', 'entries']);
        const head = read.objectStore('heads').count(id);
        const entries = read.objectStore('entries').count(IDBKeyRange.bound([id], [id, []]));
        read.oncomplete = () => { opening.result.close(); done([head.result, entries.result]); };
    };
})"""
"""How many heads and entries of a log the browser has."""


@pytest.fixture(scope="module")
def played():
    """Two matches as a device writes them, and who sits there: one is over, one was left after its first hand."""
    storage, sat = MemoryStorage(), []

    async def play():
        for ends in (lambda page, seen: bool(seen.get("over", {}).get("match_over")), lambda page, _: page.hands == 1):
            page, ticket = await begun(Device(storage), rounds=1)
            await page.play(lambda seen, ends=ends, page=page: ends(page, seen))
            await page.lines.close(1)
            sat.append({"room": ticket["room"], "token": ticket["token"], "place": ticket["place"], "at": 0})

    thread = threading.Thread(target=lambda: asyncio.run(play()))  # the browser's driver has this thread's loop
    thread.start()
    thread.join()
    assert len(sat) == 2
    return [storage.logs[ticket["room"]] for ticket in sat], sat


@pytest.mark.slow  # a match is played by the device first
def test_a_finished_and_a_begun_match_are_deleted_on_the_device(visit, played):
    logs, tickets = played
    finished, left = (ticket["room"] for ticket in tickets)
    page = visit("/replays", size="bars")
    page.set_default_timeout(240_000)  # on a busy machine Python starts slowly
    page.get_by_text("还没有牌谱").or_(page.locator("ul a.card")).first.wait_for()
    page.wait_for_function(
        "async () => (await indexedDB.databases()).some((one) => one.name === 'quepu' && one.version)"
    )
    page.evaluate(PUT, {"logs": logs, "tickets": tickets})
    assert [page.evaluate(LEFT, id) for id in (finished, left)] == [[1, len(log["entries"])] for log in logs]

    page.goto(page.url.split("/replays")[0] + "/play")
    going = page.get_by_role("region", name="接着打")
    going.get_by_role("link", name="回到牌桌").wait_for()
    assert going.get_by_role("link").count() == 1  # the other is over
    going.get_by_role("button", name="不打了，删除").click()
    going.get_by_role("button", name="再按一次就删除").click()
    going.wait_for(state="detached")
    assert page.evaluate(LEFT, left) == [0, 0]
    page.reload()
    page.get_by_role("button", name="开桌").wait_for()
    over = page.get_by_role("region", name="刚打完")
    over.locator(f"a[href='/replays/{finished}']").wait_for()
    assert going.count() == 0

    page.goto(page.url.split("/play")[0] + f"/replays/{finished}")
    page.locator(".board").wait_for()
    page.get_by_text("这一场", exact=True).first.click()
    about = page.get_by_role("region", name="关于这份牌谱")
    about.get_by_role("button", name="删除").click()
    about.get_by_role("button", name="再按一次就删除").click()
    page.wait_for_url("**/replays")
    page.get_by_text("还没有牌谱").or_(page.locator("ul a.card")).first.wait_for()
    assert page.locator(f"a[href='/replays/{finished}']").count() == 0
    assert page.evaluate(LEFT, finished) == [0, 0]
    page.goto(page.url.split("/replays")[0] + "/play")
    page.get_by_role("button", name="开桌").wait_for()
    page.wait_for_timeout(500)
    assert over.count() == 0
