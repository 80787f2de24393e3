"""A table over a bad line: clicks, refusals, a line that dies silently, a link without a seat."""

import re

import pytest

from tests.browser import felt

pytestmark = pytest.mark.browser

RIVER = ".zone.bottom .cell"
LATENESS = """() => {
    window.late = 0;
    const began = performance.now(), look = new MutationObserver(() => {
        if (!document.body.innerText.includes('正在重连')) return;
        window.seen = (performance.now() - began) / 1000;
        look.disconnect();
    });
    look.observe(document.body, {childList: true, characterData: true, subtree: true});
    let last = began;
    setInterval(() => {
        const now = performance.now();
        window.late += Math.max(0, now - last - 120) / 1000;
        last = now;
    }, 100);
}"""
"""Seconds until the page says that its line is dead, and by which its clock runs behind on a crowded machine."""


@pytest.fixture
def turn(table):
    """A table where one's own turn has come; nothing is answered but pings."""
    table.page.set_viewport_size({"width": 1280, "height": 720})
    table.heard.clear()
    table.show(felt.snapshot(next(table.numbers), melds=1, discards=3, flowers=0, options=felt.DISCARDS))
    return table


@pytest.mark.quick
def test_a_press_shows_at_once_and_is_the_only_one(turn):
    page = turn.page
    page.keyboard.press("1")
    page.keyboard.press("Enter")
    page.locator(RIVER).nth(3).wait_for()
    assert page.locator(RIVER).nth(3).locator("[aria-label^=一万]").count() == 1
    assert page.locator(".own .hand button:enabled").count() == 0
    page.keyboard.press(" ")  # another discard
    page.keyboard.press("2")
    page.keyboard.press("Enter")
    turn.acted(1)
    page.wait_for_timeout(100)
    assert [(action["do"], action["tile"]) for action in turn.actions()] == [("discard", "1m")]
    turn.send({"refused": {"zh": "不行。", "en": "no."}})
    page.get_by_role("alert").get_by_text("不行。").wait_for()
    assert page.locator(RIVER).count() == 3
    assert page.locator(".own .hand button:enabled").count() >= 2
    page.keyboard.press(" ")
    page.locator(RIVER).nth(3).wait_for()
    assert turn.actions()[1]["drawn"] is True


@pytest.mark.quick
def test_offers_go_when_one_was_taken(turn):
    turn.show(felt.snapshot(next(turn.numbers), drawn=None, options=felt.CLAIMS))
    turn.page.keyboard.press("p")
    turn.page.locator(".act").first.wait_for(state="detached")
    turn.page.keyboard.press("h")
    assert [action["do"] for action in turn.actions()] == ["pung"]


def test_a_fresh_page_says_what_was_played_without_it(turn):
    """The tab was closed, or loaded anew, and others or the clock went on."""
    page = turn.page
    ticket = [{"room": "ROOM", "token": "a-token-of-mine", "place": 0, "at": 1}]
    page.evaluate("one => localStorage.setItem('quepu.rooms', JSON.stringify(one))", ticket)
    page.reload()
    words = page.locator(".when > .words")
    turn.show(felt.snapshot(next(turn.numbers), melds=1, discards=3, options=felt.DISCARDS))
    assert words.get_by_role("status").count() == 0
    deeds = [("E", "7s"), ("S", "2m"), ("E", "9p")]
    turn.happened = [
        {"n": next(turn.numbers), "event": {"e": "discard", "seat": seat, "tile": tile}, "text": {"zh": "", "en": ""}}
        for seat, tile in deeds
    ]
    turn.state = felt.snapshot(next(turn.numbers), melds=1, discards=5, options=felt.DISCARDS)
    page.reload()
    words.get_by_text("你离开时由电脑打了 2 步：七索、九筒").wait_for()
    page.reload()  # it was told
    page.locator(".own .hand button:enabled").first.wait_for()
    assert words.get_by_role("status").count() == 0
    turn.happened = []
    page.evaluate("() => localStorage.removeItem('quepu.rooms')")
    page.reload()
    page.locator(".board").wait_for()


@pytest.mark.quick
def test_a_dead_line_is_seen_within_five_seconds_and_opened_again(turn):
    lines = len(turn.sockets)
    turn.deaf = True
    turn.page.evaluate(LATENESS)
    turn.page.get_by_text("正在重连").wait_for(timeout=60_000)
    assert turn.page.evaluate("() => (window.seen ?? 0) - window.late") < 5.5
    for width, height in ((844, 340), (375, 548), (1280, 720)):  # said where it covers no tile
        turn.page.set_viewport_size({"width": width, "height": height})
        assert felt.faults(turn.page.evaluate(felt.BOXES), width, height) == []
    turn.deaf = False
    turn.page.get_by_text("正在重连").wait_for(state="detached", timeout=60_000)
    assert len(turn.sockets) > lines
    assert "after" in turn.heard[-1] or any("after" in message for message in turn.heard)


@pytest.mark.quick
def test_what_is_left_to_the_page(turn):
    page = turn.page
    page.get_by_role("button", name="自动", exact=True).click()
    dialog = page.get_by_role("dialog", name="自动")
    dialog.get_by_label("不吃").check()
    dialog.get_by_label("不碰").check()
    dialog.get_by_label("能和就和").check()
    page.keyboard.press("Escape")
    dialog.wait_for(state="detached")
    turn.show(felt.snapshot(next(turn.numbers), drawn=None, options=[felt.CLAIMS[2], *felt.CLAIMS[3:]]))
    assert turn.acted(1) == [{"do": "pass"}]
    turn.show(felt.snapshot(next(turn.numbers), drawn=None, options=felt.CLAIMS[1:]))  # a kong is still asked about
    assert page.locator(".act").count() == 2
    turn.show(felt.snapshot(next(turn.numbers), drawn=None, options=felt.CLAIMS))
    assert turn.acted(2)[-1]["do"] == "win"
    page.get_by_role("button", name="自动", exact=True).click()
    for name in ("不吃", "不碰", "能和就和"):  # the page is that of the other tests
        dialog.get_by_label(name).uncheck()
    page.keyboard.press("Escape")
    dialog.wait_for(state="detached")


@pytest.mark.quick
def test_a_hint_that_was_pressed_is_discarded_by_enter(turn):
    turn.send({"hint": felt.HINT})
    turn.page.get_by_role("list", name="提示").get_by_role("button").first.click()
    turn.page.locator(".own .pick button:focus").wait_for()  # not the hint, which Enter would press again
    turn.page.keyboard.press("Enter")
    turn.page.locator(RIVER).nth(3).wait_for()
    assert [(action["do"], action["tile"]) for action in turn.acted(1)] == [("discard", "1m")]


def test_a_press_while_tiles_are_dealt_counts_and_ends_the_dealing(turn):
    page = turn.page
    page.emulate_media(reduced_motion="no-preference")
    dealt = felt.snapshot(next(turn.numbers), melds=0, discards=0, flowers=0, options=felt.DISCARDS)
    page.evaluate("""() => {
        window.dealing = [];
        new MutationObserver((_, look) => {
            if (!document.querySelector('.area.dealing')) return;
            look.disconnect();
            window.dealing.push(true);
            dispatchEvent(new KeyboardEvent('keydown', {key: ' '}));
            setTimeout(() => window.dealing.push(!!document.querySelector('.area.dealing')), 100);
        }).observe(document.body, {attributes: true, attributeFilter: ['class'], subtree: true});
    }""")
    turn.show(dealt | {"hand": 2})
    page.wait_for_function("() => window.dealing.length === 2")
    assert page.evaluate("window.dealing") == [True, False]
    page.locator(RIVER).first.wait_for()
    assert [action["tile"] for action in turn.acted(1)] == ["5p"]
    page.emulate_media(reduced_motion="reduce")


@pytest.mark.quick
def test_what_people_say_is_seen_and_a_bot_goes_when_one_is_back(turn):
    page = turn.page
    page.get_by_role("button", name="说话").click()
    page.get_by_role("dialog", name="说一句").get_by_role("button", name="好牌").click()
    turn.send({"phrase": 3, "place": 3})
    page.locator(".board .phrase.left").get_by_text("承让").wait_for()
    away = felt.ROOM["places"][0] | {"level": "plain"}
    turn.send({"room": felt.ROOM | {"places": [away, *felt.ROOM["places"][1:]]}})
    page.get_by_role("button", name="我来打").click()
    turn.send({"room": felt.ROOM})
    page.get_by_role("button", name="我来打").wait_for(state="detached")
    assert [m for m in turn.heard if "phrase" in m or "back" in m] == [{"phrase": 2}, {"back": True}]


def test_a_phone_buzzes_at_ones_turn_where_that_is_wanted(turn):
    page = turn.page
    page.evaluate("navigator.vibrate = (length) => (window.buzzed ??= []).push(length)")
    page.get_by_role("button", name="这一桌").click()
    menu = page.get_by_role("dialog")
    menu.get_by_role("group", name="轮到我时振动").get_by_role("button", name="开", exact=True).click()
    page.keyboard.press("Escape")
    menu.wait_for(state="detached")
    turn.show(felt.snapshot(next(turn.numbers), melds=1, discards=4, flowers=0, drawn=None))
    page.evaluate("window.buzzed = []")
    turn.show(felt.snapshot(next(turn.numbers), melds=1, discards=4, flowers=0, options=felt.DISCARDS))
    assert page.evaluate("window.buzzed") == [40]


@pytest.mark.quick
def test_tiles_of_the_kind_looked_at_are_marked_and_counted(turn):
    page = turn.page
    turn.show(felt.snapshot(next(turn.numbers), melds=1, discards=9, flowers=0, options=felt.DISCARDS))
    page.keyboard.press("1")  # 一万: in four melds of four, which is what this test deals
    page.get_by_text(re.compile("一万 · 未见 -?[0-9]+ 张")).wait_for()
    assert (
        page.locator(".board .tile.same[aria-label^=一万]").count()
        == page.locator(".board :is(.cell, .rack) .tile[aria-label^=一万]").count()
    )
    page.keyboard.press("Escape")
    assert page.locator(".board .tile.same").count() == 0


def test_a_link_that_is_no_seat_leaves_the_own_seat_alone(site, turn):
    page = turn.page
    page.evaluate(
        "localStorage.setItem('quepu.rooms', JSON.stringify([{room: 'ROOM', token: 'mineminemine', place: 0, at: 1}]))"
    )
    turn.refuses = {"bogusbogusbogus"}
    page.goto(f"{site}/rulebooks")
    turn.heard.clear()
    page.goto(f"{site}/play/ROOM#seat=bogusbogusbogus")
    page.locator(".own .hand").wait_for()
    assert [message.get("token") for message in turn.heard if "after" in message] == ["bogusbogusbogus", "mineminemine"]
    assert "mineminemine" in page.evaluate("localStorage.getItem('quepu.rooms')")


def test_who_is_sent_away_reads_why(site, turn):
    turn.page.goto(f"{site}/rulebooks")
    turn.page.goto(f"{site}/play/ROOM#seat=mineminemine")
    turn.page.locator(".own .hand").wait_for()
    turn.send({"refused": {"zh": "房主请你离开了这一桌。", "en": "you were asked to leave."}})
    turn.sockets[-1].close(code=4401)
    turn.page.locator("main").get_by_text("房主请你离开了这一桌。").wait_for()
    assert turn.page.get_by_text("不再是你的").count() == 0
