"""A table in the browser: opened, played through a hand by keyboard and presses, dropped and come back to."""

import json
import re

import pytest

from tests.browser.felt import UNPAINTED
from tests.browser.targets import CUT, TOO_WIDE

pytestmark = pytest.mark.browser


def opens_a_room(request):
    """Whether a request opens a table: the lobby is asked for at the same address, again and again."""
    return request.method == "POST" and request.url.endswith("/api/rooms")


def hurry(page):
    """Bots that do not wait."""

    def quick(route):
        if route.request.method == "POST":
            route.continue_(post_data=json.dumps({**route.request.post_data_json, "think": 0}))
        else:
            route.continue_()

    page.route(re.compile(r"/api/(rooms|replays/[^/]+/table)$"), quick)


_OFFERED = """() => ({
    over: !!document.querySelector('dialog[open]'), n: document.querySelector('main').dataset.n,
    acts: [...document.querySelectorAll('.acts .act')].map((act) => act.classList[1]),
    mine: !!document.querySelector('.own .hand button:enabled'),
})"""


def move(page, found):
    """Do what is offered: win, pass, else discard the drawn tile, by keyboard."""
    key = next((key for act, key in (("win", "h"), ("flower", "b"), ("pass", "Space")) if act in found["acts"]), "")
    if key:
        page.keyboard.press(key)
    else:  # to the last tile, and out with it
        page.keyboard.press("ArrowLeft")
        page.keyboard.press("Enter")
    page.wait_for_function(
        "n => document.querySelector('dialog[open]') || document.querySelector('main').dataset.n !== n"
        " || !document.querySelector('.acts .act, .own .hand button:enabled')",
        arg=found["n"],
    )


def play_on(page, most=400):
    """Do what is offered until the hand is over; the table is painted before and afterwards."""
    page.evaluate(UNPAINTED, True)
    for _ in range(most):
        page.wait_for_function("() => document.querySelector('dialog[open], .acts .act, .own .hand button:enabled')")
        found = page.evaluate(_OFFERED)
        if found["over"]:
            page.evaluate(UNPAINTED, False)
            return
        move(page, found)
    raise AssertionError("the hand never ended")


def play_together(pages, most=2000):
    """The same for several who sit at one table, each when it is his turn."""
    for _ in range(most):
        offered = [page.evaluate(_OFFERED) for page in pages]
        if all(found["over"] for found in offered):
            return
        for page, found in zip(pages, offered, strict=True):
            if not found["over"] and (found["acts"] or found["mine"]):
                move(page, found)
        pages[0].wait_for_timeout(50)
    raise AssertionError("the hand never ended")


@pytest.mark.quick
@pytest.mark.parametrize("size", ["phone", pytest.param("desktop", marks=pytest.mark.slow)])
def test_a_hand_with_bots_is_played_to_its_end_and_survives_a_reload(visit, axe, size, monkeypatch):
    monkeypatch.setattr("quepu.server.rooms.playing.SHOWN_WITHIN", 60.0)  # a busy machine shows its salt late
    page = visit("/play", size=size)
    hurry(page)
    page.get_by_label("你的名字").fill("林")
    page.get_by_role("button", name="开桌", exact=True).click()
    page.wait_for_url("**/play/*")
    assert page.locator("#invite").input_value() == page.url
    page.get_by_role("button", name="准备，开打").click()
    page.locator(".own .hand button").nth(12).wait_for()
    assert page.evaluate(TOO_WIDE) <= 0
    page.evaluate(axe)
    found = page.evaluate(
        "async () => (await axe.run(document, {resultTypes: ['violations']})).violations"
        ".filter(v => ['serious', 'critical'].includes(v.impact)).map(v => v.id + ' ' + v.nodes[0].target)"
    )
    assert found == []
    page.reload()  # the token is kept: the same place, the same tiles
    page.locator(".own .hand button").nth(12).wait_for()
    page.get_by_role("button", name="提示").click()
    page.get_by_role("list", name="提示").get_by_role("listitem").first.wait_for()
    page.evaluate("document.activeElement.blur()")  # the keys below are for the table, not for the hint button
    play_on(page)
    dialog = page.get_by_role("dialog")
    dialog.get_by_text(re.compile("牌墙已验证.*其中有林出的随机数")).wait_for()
    assert dialog.get_by_text(re.compile("合计 0|没有收付|公池")).count() >= 1
    dialog.get_by_role("button", name="下一局").click()
    dialog.wait_for(state="detached", timeout=30_000)
    page.goto(page.url.rsplit("/", 1)[0])
    page.get_by_role("region", name="接着打").get_by_role("link").first.click()
    page.locator(".own .hand button").first.wait_for()


@pytest.mark.quick
def test_what_begins_a_match_stands_above_the_tabs(visit):
    page = visit("/play", size="bars", lang="en")
    page.get_by_label("Seat 2").select_option("")
    page.get_by_role("button", name="Open", exact=True).click()
    ready = page.get_by_role("button", name=re.compile("^Ready"))
    ready.wait_for()
    for width, height in ((390, 664), (360, 640), (375, 548), (360, 560), (667, 375), (844, 340)):
        page.set_viewport_size({"width": width, "height": height})
        page.evaluate("scrollTo(0, 0)")
        corners = ready.evaluate("""(button) => {
            const {left, top, right, bottom} = button.getBoundingClientRect();
            return [[left + 8, top + 2], [right - 8, bottom - 2]].map(([x, y]) =>
                button.contains(document.elementFromPoint(x, y)));
        }""")
        assert corners == [True, True], (width, height)


def test_before_the_levels_of_bots_are_known_no_place_is_empty(visit):
    page = visit("/calculator", lang="en")
    held = []

    def hold(route):
        held.append(route)

    page.route("**/api/rooms/levels", hold)
    page.get_by_role("link", name="Play").locator("visible=true").first.click()
    place = page.get_by_label("Seat 2")
    place.wait_for()
    chosen = "select => select.selectedOptions[0]?.textContent"
    assert place.evaluate(chosen) == "Bot · getting ready…"
    assert held
    for route in held:
        route.continue_()
    page.locator("option", has_text="Bot · beginner").first.wait_for(state="attached")
    assert place.evaluate(chosen).startswith("Bot · ")


def test_a_lost_line_is_shown_and_found_again(visit):
    page = visit("/")
    lines = []

    def through(line):
        lines.append((line, line.connect_to_server()))

    page.route_web_socket(re.compile("/api/rooms/.*/ws"), through)
    page.get_by_role("link", name="打牌").first.click()
    page.get_by_role("button", name="开桌", exact=True).click()
    page.get_by_role("button", name="准备，开打").click()
    page.locator(".own .hand button").nth(12).wait_for()
    page.evaluate(
        "new MutationObserver(() => { if (document.querySelector('.strip')) window.told = true; })"
        ".observe(document.body, {childList: true, subtree: true})"
    )
    assert len(lines) == 1
    lines[0][1].close()
    lines[0][0].close()
    page.wait_for_function("() => window.told && !document.querySelector('.strip')")
    assert len(lines) == 2
    assert page.locator(".own .hand button").count() >= 13


def test_a_friend_sits_down_by_the_link_and_a_third_watches(visit):
    host = visit("/play")
    host.get_by_label("你的名字").fill("甲")
    host.get_by_label("第 2 家").select_option("")
    host.get_by_text("更多设置").click()
    host.get_by_role("button", name="不限").click()
    host.get_by_role("button", name="开桌", exact=True).click()
    host.wait_for_url("**/play/*")
    path = "/play/" + host.url.rsplit("/", 1)[1]
    gone = visit(path)
    gone.get_by_label("你的名字").fill("丙")
    gone.get_by_role("button", name="坐下").click()
    host.get_by_text("丙").wait_for()
    gone.close()
    friend = visit(path)
    friend.get_by_text("请房主把一个电脑的座位让出来").wait_for()
    host.get_by_role("button", name="空出座位").last.click()
    friend.get_by_label("你的名字").fill("乙")
    friend.get_by_role("button", name="坐下").click()
    host.get_by_text("乙").wait_for()
    friend.get_by_role("button", name="准备，开打").click()
    host.get_by_role("button", name="准备，开打").click()
    host.get_by_role("button", name="不等了，开打（1 人没到，电脑代打）").click()
    for page in (host, friend):
        page.locator(".own .hand button").nth(12).wait_for()
    watcher = visit(path)
    watcher.get_by_text("旁观", exact=True).wait_for()
    assert watcher.locator(".own .hand button, .act").count() == 0
    assert watcher.locator(".rack").count() == 4


def test_an_invitation_to_a_table_that_spectators_see_late(visit):
    host = visit("/play", lang="en")
    host.get_by_label("Your name").fill("甲")
    host.get_by_label("Seat 2").select_option("")
    host.get_by_text("More settings").click()
    host.get_by_label("Spectator delay").select_option(label="10 min")
    host.get_by_label("Wall seed (optional)").fill("12")
    host.get_by_role("button", name="Open", exact=True).click()
    host.wait_for_url("**/play/*")
    host.get_by_text("walls from a seed, not sealed").wait_for()
    path = "/play/" + host.url.rsplit("/", 1)[1]
    friend, watcher = visit(path), visit(path)
    friend.get_by_label("你的名字").fill("乙")
    friend.get_by_role("button", name="坐下").click()
    watcher.get_by_role("list", name="座位").get_by_text("乙").wait_for()  # who sits there is no secret
    friend.get_by_role("button", name="准备，开打").click()
    host.get_by_role("button", name="Ready").click()
    friend.locator(".own .hand button").nth(12).wait_for()
    host.locator("[role=log] p").get_by_text("Tiles dealt", exact=True).first.wait_for(state="attached")
    watcher.get_by_text("旁观比牌桌延迟 600 秒。").wait_for()
    assert watcher.locator(".board").count() == 0


def test_a_host_holds_a_place_and_sends_somebody_away(visit):
    host = visit("/play")
    host.get_by_label("你的名字").fill("甲")
    for place in ("第 2 家", "第 3 家"):
        host.get_by_label(place).select_option("")
    host.get_by_text("更多设置").click()
    host.get_by_role("button", name="不限").click()
    host.get_by_role("button", name="开桌", exact=True).click()
    host.wait_for_url("**/play/*")
    path = "/play/" + host.url.rsplit("/", 1)[1]
    host.locator(".places").get_by_text("留座", exact=True).first.click()
    host.get_by_label(re.compile("留给谁")).fill("林")
    host.locator("form").get_by_role("button", name="留座").click()
    host.get_by_text("留给 林").wait_for()

    stranger = visit(path)
    stranger.get_by_label("你的名字").fill("客")
    stranger.get_by_role("button", name="坐这里").wait_for()  # one place is anybody's
    stranger.get_by_role("button", name="我是林").wait_for()  # and one is another's
    stranger.get_by_role("button", name="坐下").click()
    host.get_by_role("button", name="请出房间").click()
    stranger.get_by_text("房主请你离开了这一桌").wait_for()
    host.get_by_role("button", name="请出房间").wait_for(state="detached")

    friend = visit(path)
    friend.get_by_label("你的名字").fill("林")
    friend.get_by_role("button", name="坐下").click()
    host.get_by_text("留给 林").wait_for(state="detached")
    host.get_by_role("button", name="停止入座").click()
    late = visit(path)
    late.get_by_label("你的名字").fill("丙")
    late.get_by_role("button", name="坐下").click()
    late.get_by_role("alert").wait_for()


def test_a_table_against_bots_is_in_no_lobby(visit):
    page, other = visit("/play"), visit("/play")
    with page.expect_response(lambda answer: opens_a_room(answer.request)) as opened:
        page.get_by_role("button", name="开桌", exact=True).click()
    room = opened.value.json()["room"]
    assert opened.value.request.post_data_json.get("listed") is not True
    other.reload()
    other.get_by_role("button", name="开桌", exact=True).wait_for()
    assert other.locator(f"a[href$='{room}']").count() == 0
    page.get_by_role("link", name="回大厅").or_(page.get_by_role("link", name="打牌")).first.click()
    waiting = page.get_by_role("region", name="接着打")
    waiting.get_by_role("button", name="离座").click()  # a table that never began is not offered for ever
    waiting.wait_for(state="detached")


@pytest.mark.quick
def test_one_press_from_the_first_page(visit):
    page = visit("/", book="canton")
    wishes = {"think": 0, "move": 0, "bank": 0, "bots": ["", "random", "gone"]}
    page.evaluate("wishes => localStorage.setItem('quepu.table', JSON.stringify(wishes))", wishes)
    with page.expect_request(opens_a_room) as request:
        page.get_by_role("button", name="和三个电脑开一桌").click()
    spec = request.value.post_data_json
    assert (spec["rules"], spec["bots"], spec["listed"]) == ("canton", ["", "plain", "random", "plain"], False)
    page.locator(".own .hand button").nth(12).wait_for()  # nothing else was pressed
    assert page.evaluate("location.hash") == ""


def test_a_lobby_begins_with_one_press_and_who_waits(visit):
    host = visit("/play")
    host.get_by_label("第 2 家").select_option("")
    host.get_by_role("button", name="开桌", exact=True).click()
    host.wait_for_url("**/play/*")
    page = visit("/play", size="bars", book="guobiao-mcr")
    page.set_viewport_size({"width": 390, "height": 500})
    row = page.get_by_role("region", name="正在等人").get_by_role("link").first
    row.wait_for()
    for one in (page.get_by_role("button", name="和三个电脑开一桌"), row):
        box = one.bounding_box()
        assert box["y"] + box["height"] <= 500 - 56, box  # above the tabs, without scrolling
    assert page.get_by_label("花牌").count() == 1
    assert not page.get_by_label("花牌").is_visible()  # all but three choices stand under "more"


def test_a_first_hand_has_a_coach(visit):
    page = visit("/play", size="bars", book="guobiao-mcr")
    with page.expect_request(opens_a_room) as request:
        page.get_by_role("button", name="打一场，有人指点").click()
    assert request.value.post_data_json["hints"] is True
    page.locator(".own .hand button").nth(12).wait_for()
    coach = page.get_by_role("region", name="指点")
    coach.wait_for()
    page.wait_for_function("() => /打.+：|轮到别家|：/.test(document.querySelector('.coach')?.innerText ?? '')")
    assert page.evaluate("JSON.parse(localStorage.getItem('quepu')).aid") is True


def test_what_an_english_coach_says_fits_a_narrow_phone(visit):
    page = visit("/play", size="bars", lang="en", book="guobiao-mcr")
    page.set_viewport_size({"width": 360, "height": 640})
    page.get_by_role("button", name="Play with a coach").click()
    page.locator(".own .hand button").nth(13).wait_for()
    said = "() => /^(?!Thinking|The others)./.test(document.querySelector('.coach div')?.innerText ?? '')"
    scrolls = "() => { const box = document.querySelector('.coach div'); return box.scrollHeight - box.clientHeight; }"
    page.wait_for_function(said)
    assert page.evaluate(scrolls) <= 1
    page.locator(".own .hand button").last.click()
    page.keyboard.press("Enter")
    page.locator(".coach").get_by_role("button", name="Undo").wait_for()
    page.wait_for_function(said)
    assert page.evaluate(scrolls) <= 1
    assert page.evaluate("document.documentElement.scrollHeight - innerHeight") <= 0
    assert page.evaluate(CUT) == []


@pytest.mark.server("people meet on a server")
def test_two_who_look_for_players_meet_and_bots_fill_in(visit):
    one = visit("/play", book="guobiao")
    one.get_by_role("button", name="快速匹配真人").click()
    one.get_by_text("秒后由电脑补位开打").wait_for()
    two = visit("/play", size="phone", book="guobiao")
    two.get_by_role("button", name="快速匹配真人").click()
    two.wait_for_url(f"**{one.url[one.url.index('/play/') :]}")  # they meet at one table
    for page in (one, two):
        page.locator(".own .hand button").nth(12).wait_for(timeout=90_000)
    assert one.locator(".plate .bot").count() == 2
    assert one.get_by_role("button", name="悔牌").count() == 0  # somebody else plays
