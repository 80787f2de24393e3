"""A whole match in several browsers against a real server: reload, closed tab, kill -9, another device, in mid-hand."""

import json
import socket
import subprocess
import sys
import time
import urllib.request

import pytest

from quepu.cli import run
from tests.browser.bad_line import BadLine

pytestmark = pytest.mark.browser

PLAYER = """
window.halt = window.halt ?? false;
setInterval(() => {
  if (window.halt || document.querySelector('.strip')) return;
  const dialog = document.querySelector('dialog[open]');
  if (dialog?.querySelector('a[download]')) return;  // the match is over: no other is begun
  if (dialog) { dialog.querySelector('footer button.main:enabled')?.click(); return; }
  const order = ['win', 'flower', ...(window.claims ? ['kong', 'pung', 'chow'] : []), 'pass'];
  const act = order.map((one) => document.querySelector('.act.' + one)).find((one) => one);
  if (act) { act.click(); return; }
  const tiles = document.querySelectorAll('.own .hand button:enabled');
  if (tiles.length) { tiles[tiles.length - 1].click(); }
}, 25);
"""
"""Plays by pressing what is on the page: the next hand, a win, a claim if it `claims`, else the last tile, twice.
At the end of the match it stops: the button there opens another.

Four who claim nothing hardly ever win, and where a drawn hand leaves the dealer their match has no end."""

UNSEEN = """() => {
    const sheet = new CSSStyleSheet();  // a style element would be refused by the content policy
    sheet.replaceSync('main[data-n] .game {display: none !important}');
    document.adoptedStyleSheets.push(sheet);
}"""
"""Five pages laid out and painted without a graphics card take longer than all the rest; when nobody looks, they need
not be."""

SAVING = "Object.defineProperty(navigator, 'connection', {value: {saveData: true}})"
"""Saves data: a match on a server needs nothing of what answers without one."""

LOOK = """() => ({
    n: Number(document.querySelector('main').dataset.n), hand: document.querySelector('.facts')?.textContent ?? '',
    tiles: [...document.querySelectorAll('.own .hand [aria-label]')].map((tile) => tile.ariaLabel.split(/[,，]/)[0]),
    mayAct: !!document.querySelector('.acts .act, .own .hand button:enabled'),
    strip: !!document.querySelector('.strip'), dialog: !!document.querySelector('dialog[open]'),
})"""


class House:
    """`quepu serve` on one port and one folder, to be killed and started again."""

    def __init__(self, folder):
        with socket.create_server(("127.0.0.1", 0)) as free:
            self.port = free.getsockname()[1]
        self.address = f"http://127.0.0.1:{self.port}"
        self.command = [
            sys.executable, "-c", "from quepu.cli import main; main()", "serve", "--no-browser",
            "--port", str(self.port), "--data", str(folder),
        ]  # fmt: skip
        self.start()

    def start(self):
        self.process = subprocess.Popen(self.command, stdout=subprocess.PIPE, text=True)
        assert self.process.stdout.readline()

    def kill(self):
        """Without a word, as when the power goes."""
        self.process.kill()
        self.process.wait()
        self.process.stdout.close()


@pytest.fixture
def house(tmp_path):
    made = House(tmp_path / "data")
    yield made
    made.kill()


class Person:
    """Somebody with a browser of his own, whose page plays by itself unless halted."""

    def __init__(self, chromium, house, plays=True, wide=True, claims=False):
        self.house, self.port = house, house.port
        size = {"width": 1280, "height": 900} if wide else {"width": 390, "height": 700}
        self.context = chromium.new_context(viewport=size, reduced_motion="reduce")
        settings = json.dumps({"lang": "zh", "theme": "light", "book": "lingque-26", "sound": False, "once": True})
        self.context.add_init_script(f"if (!localStorage.getItem('quepu')) localStorage.setItem('quepu', '{settings}')")
        self.context.add_init_script(SAVING)
        self.context.add_init_script(f"window.halt = true; window.claims = {str(claims).lower()}" if plays else "")
        self.plays, self.claims = plays, claims
        self.faults = []
        self.page = self.open()

    def open(self, address=None):
        page = self.context.new_page()
        page.set_default_timeout(240_000)
        page.on("pageerror", lambda error: self.faults.append(str(error)))
        if self.plays:
            page.add_init_script(PLAYER)
        if address:
            page.goto(address)
        return page

    def reach(self, port):
        """From now on over another port of this machine."""
        self.port = port

    def there(self, address):
        """An address of the server as this person reaches it."""
        return address.replace(f":{self.house.port}", f":{self.port}")

    def look(self):
        return self.page.evaluate(LOOK)

    def halt(self, halted):
        self.page.evaluate("halted => (window.halt = halted)", halted)


def between(people):
    return any(person.look()["dialog"] for person in people)


def stopped(people, least=12):
    """Let them play on to the middle of a hand, and stop there, where only they are waited for: what each sees."""
    for person in people:
        person.halt(False)
    deadline = time.monotonic() + 600  # seconds: a busy machine is slow, an idle one does not wait
    while time.monotonic() < deadline:
        first = people[0].look()
        begun = people[0].page.evaluate("document.querySelectorAll('.river .cell').length")
        if not first["dialog"] and first["tiles"] and least <= begun <= 50:
            break
        time.sleep(0.05)
    for person in people:
        person.halt(True)
    before = None
    while time.monotonic() < deadline:
        now = [person.look() for person in people]
        if now == before and any(one["mayAct"] for one in now):
            return now
        if any(one["dialog"] for one in now):  # the hand was over sooner than it could be stopped: the next one
            return stopped(people, least)
        before = now
        time.sleep(0.4)
    raise AssertionError(f"never came to rest: {before}")


def same(before, people):
    """Everybody sees what he saw: the same event, the same tiles."""
    for was, person in zip(before, people, strict=True):
        person.page.locator(".own .hand button").first.wait_for()
        person.page.locator(".strip").wait_for(state="detached")
        now = person.look()
        assert (now["n"], now["hand"], now["tiles"]) == (was["n"], was["hand"], was["tiles"])


def sit_down(people, house, bots, rules):
    host = people[0].page
    spec = {"name": "一号", "rules": rules, "think": 0, "move": 0, "bank": 0, "bots": bots}
    request = urllib.request.Request(
        house.address + "/api/rooms", json.dumps(spec).encode(), {"content-type": "application/json"}
    )
    with urllib.request.urlopen(request, timeout=240) as answer:
        sat = json.load(answer)
    where = f"{house.address}/play/{sat['room']}"
    host.goto(f"{where}#seat={sat['token']}")  # as another device would
    for number, person in zip("二三四", people[1:], strict=False):
        person.page.goto(person.there(where))
        person.page.get_by_label("你的名字").fill(f"{number}号")
        person.page.get_by_role("button", name="坐下", exact=True).click()
        person.page.get_by_role("button", name="准备，开打").wait_for()
    for person in people:
        person.page.get_by_role("button", name="准备，开打").click()
    return where


def reload(people):
    people[1].page.reload()


def close_the_tab(people):
    address = people[0].page.url
    people[0].page.close()
    people[0].page = people[0].open(address)


def kill_the_server(people):
    house = people[0].house
    house.kill()
    people[0].page.get_by_text("正在重连，牌局已保存。").wait_for()
    house.start()


def another_device(people, chromium):
    """The second person goes on at another device, by the link that the first shows; the first is told."""
    first = people[1]
    first.page.get_by_role("button", name="这一桌").click()
    link = first.page.locator("#device-link").input_value()
    second = Person(chromium, first.house, claims=first.claims)
    second.page.goto(link)
    first.page.get_by_text("座位已转到另一台设备。").wait_for()
    assert "#" not in second.page.url  # the secret does not stay in the address
    people[1] = second
    return first


def whole_match(chromium, house, seats, rules, log):
    """`seats` people and bots for the rest; a spectator; and everything that can happen to a line."""
    people = [Person(chromium, house, wide=at < 2, claims=seats == 4) for at in range(seats)]  # others have phones
    watcher = Person(chromium, house, plays=False)
    old = []
    try:
        bots = ["" if at < seats else "plain" for at in range(4)]
        where = sit_down(people, house, bots, rules)
        watcher.page.goto(where)
        people[0].page.locator(".own .hand button").nth(12).wait_for()
        for change in (reload, close_the_tab, kill_the_server, another_device):
            before = stopped(people)
            if change is another_device:
                old.append(another_device(people, chromium))
            else:
                change(people)
            same(before, people)
        watcher.page.get_by_text("旁观", exact=True).wait_for()
        assert watcher.page.locator(".own .hand button, .act").count() == 0
        for person in (*people, watcher):
            person.page.evaluate(UNSEEN)
            assert person.page.locator(".game").is_hidden()
        for person in people:
            person.halt(False)
        for person in people:
            person.page.get_by_role("link", name="下载牌谱").wait_for(timeout=1_800_000)
        dialog = people[0].page.get_by_role("dialog")
        dialog.get_by_text("终局名次").wait_for()
        dialog.get_by_text("牌墙已验证").wait_for()
        watcher.page.get_by_role("dialog").get_by_text("终局名次").wait_for()
        with people[0].page.expect_download() as download:
            dialog.get_by_role("link", name="下载牌谱").click()
        assert [fault for person in (*people, watcher, *old) for fault in person.faults] == []
        download.value.save_as(log)
        dialog.get_by_role("link", name="看牌谱").click()
        people[0].page.wait_for_url("**/replays/*")
        people[0].page.locator(".board").wait_for()
        assert people[0].page.locator("header.top").is_visible()  # only a table that is played takes the whole page
    finally:
        for person in (*people, watcher, *old):
            person.context.close()


@pytest.mark.timeout(1200)
def test_a_match_of_two_people_and_two_bots_outlives_everything(chromium, house, tmp_path, capsys):
    log = tmp_path / "match.jsonl"
    whole_match(chromium, house, 2, "lingque-26", log)
    assert run(["verify", str(log)]) == 0
    assert "✗" not in capsys.readouterr().out


@pytest.mark.slow
@pytest.mark.timeout(3600)  # a round of hands in five pages, more where dealers stay: minutes, many on a busy machine
@pytest.mark.parametrize("rules", ["lingque-29", "guobiao-mcr", "yuque-54", "canton"])
def test_a_match_of_four_people_outlives_everything(chromium, house, tmp_path, rules):
    log = tmp_path / "match.jsonl"
    whole_match(chromium, house, 4, rules, log)
    assert run(["verify", str(log)]) == 0


@pytest.mark.slow
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("rules", ["lingque-29", "guobiao-mcr"])
def test_four_people_on_good_and_bad_lines_play_to_the_end(chromium, house, tmp_path, rules):
    """Two hold phones, one of them with 1.2 seconds there and back; the line of a third dies twice."""
    slow, dying = BadLine(house.port, 0.6), BadLine(house.port)
    people = [Person(chromium, house, wide=at < 2, claims=True) for at in range(4)]
    people[2].reach(slow.port)
    people[1].reach(dying.port)
    log = tmp_path / "match.jsonl"
    try:
        sit_down(people, house, [""] * 4, rules)
        for person in people:
            person.page.locator(".own .hand button").nth(12).wait_for()
        for _ in range(2):
            for person in people:
                person.halt(False)
            time.sleep(15)
            dying.die(8)
            people[1].page.get_by_text("正在重连").wait_for(timeout=15_000)
            people[1].page.get_by_text("正在重连").wait_for(state="detached", timeout=60_000)
        for person in people:
            person.page.evaluate(UNSEEN)
        for person in people:
            person.page.get_by_role("link", name="下载牌谱").wait_for(timeout=1_800_000)
        assert [fault for person in people for fault in person.faults] == []
        with people[0].page.expect_download() as download:
            people[0].page.get_by_role("dialog").get_by_role("link", name="下载牌谱").click()
        download.value.save_as(log)
    finally:
        for person in people:
            person.context.close()
        slow.close()
        dying.close()
    assert run(["verify", str(log)]) == 0
