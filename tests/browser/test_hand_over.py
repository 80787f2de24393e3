"""The end of a hand on its page: the hands of the others, and the won hand as a picture."""

import pytest

from tests.browser import felt

pytestmark = pytest.mark.browser
WON = {"rules": "guobiao", "hand": "123456789m44p23s+4s", "seat": "S", "round": "E", "circumstances": [], "flowers": []}
SCORE = """async (asked) => (await fetch('/api/score?explain=true', {
    method: 'POST', headers: {'content-type': 'application/json'}, body: JSON.stringify(asked)})).json()"""
OTHERS = ["1m", "4m", "7m", "2p", "5p", "8p", "3s", "6s", "9s", "E", "S", "W", "N"]


def over(table, state, **more):
    """A hand that South has won on East's discard, as the page is sent it."""
    score = table.page.evaluate(SCORE, WON | {"self_draw": False})
    assert score["total"] >= 16
    won = [f"{rank}m" for rank in range(1, 10)] + ["4p", "4p", "2s", "3s"]
    words = {"zh": "东圈 1 局", "en": "East 1"}
    made = {
        "winner": "S", "discarder": "E", "self_draw": False, "robbed": False, "place": words, "next": words,
        "score": {"zh": score, "en": score}, "payments": [], "gains": [-40, 56, -8, -8], "pool": 0, "supplied": [0] * 4,
        "ready": None, "announced": [], "hands": {"E": OTHERS, "S": won, "W": OTHERS, "N": OTHERS}, "zero_sum": True,
        "board": state["view"]["board"], "standings": [], "match_over": False, "seats": ["E", "S", "W", "N"],
        "reveal": {"hand": 1, "wall": "", "dice": [1, 2]}, "great": None,
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
    table.send({"n": next(table.numbers), "over": over(table, state)})
    dialog = table.page.get_by_role("dialog")
    tiles = dialog.locator(".hands .tile")
    tiles.last.wait_for()
    assert tiles.count() == 3 * 13
    assert min(tiles.nth(at).bounding_box()["width"] for at in (0, 20, 38)) >= 20
    with table.page.expect_download() as caught:
        dialog.get_by_role("button", name="存图").click()
    with open(caught.value.path(), "rb") as picture:
        assert picture.read(8) == b"\x89PNG\r\n\x1a\n"


# What a great hand was called before its result was open; then a press.
WATCH = """() => {
    window.called = [];
    new MutationObserver(() => {
        const stamp = document.querySelector('.great:not([data-seen])');
        if (!stamp) return;
        stamp.dataset.seen = '';
        window.called.push(document.querySelector('dialog[open]') ? 'too late' : stamp.innerText);
        window.dispatchEvent(new PointerEvent('pointerdown'));
    }).observe(document.body, {childList: true, subtree: true});
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
        table.send({"n": next(table.numbers), "over": over(table, state, great=great)})
        dialog.wait_for()
        assert stamp.count() == 0
        assert page.evaluate("window.called") == [name["zh"]]  # once: with motion, and only then
        page.keyboard.press("Escape")
        table.show(felt.snapshot(next(table.numbers), melds=0, discards=6, drawn=None))
