"""The end of a hand on its page: the hands of the others, and the won hand as a picture."""

import pytest

from quepu.json_lines.answers import score_object
from tests.browser import felt

pytestmark = pytest.mark.browser
WON = {"rules": "guobiao", "hand": "123456789m44p23s+4s", "seat": "S", "round": "E", "circumstances": [], "flowers": []}
OTHERS = ["1m", "4m", "7m", "2p", "5p", "8p", "3s", "6s", "9s", "E", "S", "W", "N"]


def over(state, **more):
    """A hand that South has won on East's discard, as the page is sent it."""
    score = score_object(WON | {"self_draw": False}, explain=True)
    assert score["total"] >= 16
    won = [f"{rank}m" for rank in range(1, 10)] + ["4p", "4p", "2s", "3s"]
    words = {"zh": "东圈 1 局", "en": "East 1"}
    made = {
        "winner": "S", "discarder": "E", "self_draw": False, "robbed": False, "place": words, "next": words,
        "score": {"zh": score, "en": score}, "payments": [], "gains": [-40, 56, -8, -8], "pool": 0, "supplied": [0] * 4,
        "ready": None, "announced": [], "hands": {"E": OTHERS, "S": won, "W": OTHERS, "N": OTHERS}, "zero_sum": True,
        "board": state["view"]["board"], "standings": [], "match_over": False, "seats": ["E", "S", "W", "N"],
        "reveal": {"hand": 1, "wall": "", "dice": [1, 2]}, "great": None, "also": [],
    }  # fmt: skip
    made["won"] = {key: value for key, value in WON.items() if key != "rules"} | {"self_draw": False, "givers": ""}
    return made | more


def test_the_other_hands_are_seen_and_the_won_one_is_saved(table):
    table.page.set_viewport_size({"width": 390, "height": 664})
    state = felt.snapshot(next(table.numbers), melds=0, discards=6, drawn=None, over=True)
    table.show(state)
    n = next(table.numbers)
    table.send(
        {"n": n, "event": {"e": "win", "seat": "S", "tile": "4s", "from": "E"}, "text": {"zh": "和", "en": "wins"}}
    )
    table.send({"n": next(table.numbers), "over": over(state)})
    dialog = table.page.get_by_role("dialog")
    tiles = dialog.locator(".hands .tile")
    tiles.last.wait_for()
    assert tiles.count() == 3 * 13
    assert "16+2+2=20 番" in dialog.locator("div.sum").inner_text()  # beside what was combined
    assert min(tiles.nth(at).bounding_box()["width"] for at in (0, 20, 38)) >= 20
    with table.page.expect_download() as caught:
        dialog.get_by_role("button", name="存图").click()
    with open(caught.value.path(), "rb") as picture:
        assert picture.read(8) == b"\x89PNG\r\n\x1a\n"


# Every run of text and every tile of the result, placed in what its middle scrolls through; the edges of the dialog.
PARTS = """() => {
    const dialog = document.querySelector('dialog[open]'), body = dialog.querySelector('.body');
    const home = body.getBoundingClientRect(), boxes = [];
    const add = (what, {left, top, right, bottom}) => {
        const x = home.left, y = home.top - body.scrollTop;
        boxes.push({what, left: left - x, top: top - y, right: right - x, bottom: bottom - y});
    };
    for (const tile of body.querySelectorAll('.tile'))
        if (tile.checkVisibility()) add(`tile ${tile.ariaLabel ?? ''}`, tile.getBoundingClientRect());
    const texts = document.createTreeWalker(body, NodeFilter.SHOW_TEXT);
    for (let text; (text = texts.nextNode()); ) {
        if (!text.data.trim() || text.parentElement.closest('.tile, .sr') || !text.parentElement.checkVisibility())
            continue;
        const range = document.createRange();
        range.selectNodeContents(text);
        for (const line of range.getClientRects()) add(text.data.trim().slice(0, 20), line);
    }
    const edges = (one) => (({left, top, right, bottom}) => ({left, top, right, bottom}))(one.getBoundingClientRect());
    const shown = (one) => one.checkVisibility() && !one.matches('.sr');
    const rest = [...dialog.querySelectorAll('header > *, footer > *')].filter(shown);
    const [paid, others] = ['.paid', '.others'].map((name) => edges(body.querySelector(name)));
    return {boxes, width: body.clientWidth, height: body.scrollHeight, shown: body.clientHeight,
        across: body.scrollWidth, dialog: edges(dialog),
        rest: rest.map((one) => ({what: one.className, ...edges(one)})),
        beside: paid.left >= others.right};
}"""


@pytest.mark.quick("390-664-False", "1440-900-True")
@pytest.mark.parametrize("ended", [False, True])
@pytest.mark.parametrize(("width", "height"), [(390, 664), (844, 340), (1440, 900)])
def test_nothing_of_a_result_lies_over_anything_or_outside(table, width, height, ended):
    page = table.page
    page.set_viewport_size({"width": width, "height": height})
    state = felt.snapshot(next(table.numbers), melds=2, discards=6, drawn=None, over=True)
    table.show(state)
    standings = [
        {"player": at, "name": wind, "rank": at + 1, "total": total, "points": total}
        for at, (wind, total) in enumerate(zip("SEWN", (1288, -40, -624, -624), strict=True))
    ]
    why = {"zh": "底分 8＋番 32", "en": "base 8 + fan 32"}
    payments = [{"payer": wind, "payee": "S", "points": 40 if wind == "E" else 8, "why": why} for wind in "EWN"]
    hands = {"E": OTHERS[:7], "S": over(state)["hands"]["S"], "W": OTHERS[:7], "N": OTHERS[:7]}
    more = {"standings": standings, "payments": payments, "hands": hands, "match_over": ended}
    table.send({"n": next(table.numbers), "over": over(state, **more)})
    page.locator("dialog[open] .hands .tile").last.wait_for()
    found = page.evaluate(PARTS)
    assert len(found["boxes"]) > 80
    assert felt.faults(found["boxes"], found["width"], found["height"], slack=3) == []
    assert found["across"] <= found["width"]
    assert felt.faults([{"what": "dialog", **found["dialog"]}], width, height) == []
    assert felt.faults(found["rest"], width, height, slack=4) == []  # the stamp stands aslant
    assert found["beside"] == (width >= 1200), "two columns where there is room for both"
    page.keyboard.press("Escape")
    page.get_by_role("dialog").wait_for(state="detached")


@pytest.mark.quick
def test_the_result_is_opened_again_while_the_next_hand_is_played(table):
    page = table.page
    page.set_viewport_size({"width": 1280, "height": 720})
    state = felt.snapshot(next(table.numbers), melds=0, discards=6, drawn=None, over=True)
    table.show(state)
    table.send({"n": next(table.numbers), "over": over(state)})
    page.get_by_role("dialog").get_by_role("button", name="看看牌桌").click()
    table.show(felt.snapshot(next(table.numbers), melds=0, discards=1, drawn=None))
    page.get_by_role("dialog").wait_for(state="detached")
    page.get_by_role("button", name="结果").click()
    assert page.get_by_role("dialog").locator(".reading .tile.win[aria-label^=四索]").count() == 1
    page.keyboard.press("Escape")
    page.get_by_role("dialog").wait_for(state="detached")


@pytest.mark.quick
def test_every_winner_of_one_tile_is_named_and_shown(table):
    page = table.page
    page.set_viewport_size({"width": 390, "height": 664})
    state = felt.snapshot(next(table.numbers), melds=0, discards=6, drawn=None, over=True)
    table.show(state)
    ended = over(state)
    further = {"winner": "W", "points": ended["score"]["zh"]["total"], "score": ended["score"]}
    further["won"] = ended["won"] | {"seat": "W"}
    table.send({"n": next(table.numbers), "over": {**ended, "also": [further], "gains": [-80, 48, 48, -16]}})
    dialog = page.get_by_role("dialog")
    assert dialog.locator(".titles .kai").inner_text().startswith("S、W ")
    assert dialog.locator(".reading .tile.win[aria-label^=四索]").count() == 2
    assert dialog.locator(".gains .winner").count() == 2
    assert dialog.locator(".hands .tile").count() == 2 * 13  # of those who did not win
    found = page.evaluate(PARTS)
    assert felt.faults(found["boxes"], found["width"], found["height"], slack=3) == []
    page.keyboard.press("Escape")
    dialog.wait_for(state="detached")


@pytest.mark.quick("390-664")
@pytest.mark.parametrize(("width", "height"), [(1280, 720), (844, 340), (390, 664), (360, 560)])
def test_beside_the_tool_for_the_result_all_others_are_in_reach(table, width, height):
    page = table.page
    page.set_viewport_size({"width": width, "height": height})
    table.send({"room": {**felt.ROOM, "watching": 12}, "you": 0})
    state = felt.snapshot(next(table.numbers), melds=0, discards=6, drawn=None, over=True)
    table.show(state)
    table.send({"n": next(table.numbers), "over": over(state)})
    page.get_by_role("dialog").wait_for()
    page.keyboard.press("Escape")
    page.get_by_role("dialog").wait_for(state="detached")
    place = {"zh": "东 4 局 连庄 2", "en": "East 4, repeat 2"}
    table.show({**felt.snapshot(next(table.numbers), melds=0, discards=1, drawn=None), "place": place})
    boxes = page.evaluate(felt.BOXES)
    assert felt.faults(boxes, width, height) == []
    shown = "one => one.offsetWidth <= one.parentElement.clientWidth || one.parentElement.clientWidth === 1"
    assert page.locator("header .facts b").evaluate(shown)  # held sideways it is for ears only
    table.send({"room": felt.ROOM, "you": 0})


@pytest.mark.quick
def test_another_match_is_opened_by_one_press_after_the_last_hand(table):
    page = table.page
    state = felt.snapshot(next(table.numbers), melds=0, discards=6, drawn=None, over=True)
    table.show(state)
    table.send({"n": next(table.numbers), "over": over(state, match_over=True, next=None)})
    page.route("**/api/rooms**", lambda route: route.fulfill(status=400, json={"error": "满了。"}))
    page.route("**/again", lambda route: route.fulfill(status=400, json={"error": "满了。"}))
    dialog = page.get_by_role("dialog")
    with page.expect_request("**/api/rooms/ROOM/again"):  # where all who sat here are to meet
        dialog.get_by_role("button", name="再来一局").click()
    dialog.get_by_role("alert").wait_for()
    alone = [{**place, "kind": "person" if at == 0 else "bot"} for at, place in enumerate(felt.ROOM["places"])]
    table.send({"room": {**felt.ROOM, "places": alone, "next": ""}, "you": 0})
    with page.expect_request("**/api/rooms") as request:
        dialog.get_by_role("button", name="再来一局").click()
    spec = request.value.post_data_json
    assert (spec["rules"], spec["rounds"], spec["bots"]) == ("guobiao", 1, ["", "plain", "master", ""])
    table.send({"room": {**felt.ROOM, "next": "NEXT"}, "you": 0})
    dialog.get_by_role("button", name="加入下一场").wait_for()
    table.send({"room": felt.ROOM, "you": 0})
    page.unroute("**/api/rooms**")
    page.unroute("**/again")
    page.keyboard.press("Escape")
    dialog.wait_for(state="detached")


# What a great hand was called before its result was open; then a press. Fans being counted, before and after one.
WATCH = """() => {
    window.called = [];
    window.counts = [];
    new MutationObserver(() => {
        const score = document.querySelector('dialog[open] .score:not([data-seen])');
        if (score) {
            score.dataset.seen = '';
            const counting = () => score.getAnimations({subtree: true}).length;
            const before = counting();
            requestAnimationFrame(() => requestAnimationFrame(() => {  // nobody presses before it is drawn
                window.dispatchEvent(new PointerEvent('pointerdown'));
                const soon = (frames) => counting() && frames
                    ? requestAnimationFrame(() => soon(frames - 1))
                    : window.counts.push([before, counting()]);
                soon(10);
            }));
        }
        const stamp = document.querySelector('.great:not([data-seen])');
        if (!stamp) return;
        stamp.dataset.seen = '';
        window.called.push(document.querySelector('dialog[open]') ? 'too late' : stamp.innerText);
        window.dispatchEvent(new PointerEvent('pointerdown'));
    }).observe(document.body, {childList: true, subtree: true, attributeFilter: ['open']});
}"""


def test_a_great_hand_has_its_moment_and_a_press_goes_on(table):
    page = table.page
    page.evaluate(WATCH)
    stamp, dialog = page.locator(".great"), page.locator("dialog[open]")
    name = {"zh": "一色四同顺", "en": "Quadruple Chow"}
    for motion, great in (("no-preference", name), ("no-preference", None), ("reduce", name)):
        page.emulate_media(reduced_motion=motion)
        state = felt.snapshot(next(table.numbers), melds=0, discards=6, drawn=None, over=True)
        table.show(state)
        table.send({"n": next(table.numbers), "over": over(state, great=great)})
        dialog.wait_for()
        assert stamp.count() == 0
        assert page.evaluate("window.called") == [name["zh"]]  # once: with motion, and only then
        page.wait_for_function("() => window.counts.length > 0")
        [[before, after]] = page.evaluate("window.counts.splice(0)")
        assert (before > 1) == (motion != "reduce")
        assert after == 0
        page.keyboard.press("Escape")
        table.show(felt.snapshot(next(table.numbers), melds=0, discards=6, drawn=None))
