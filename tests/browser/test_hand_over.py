"""The end of a hand on its page: the hands of the others, and the won hand as a picture."""

import pytest

from tests.browser import felt

pytestmark = pytest.mark.browser
WON = {"rules": "guobiao", "hand": "123456789m44p23s+4s", "seat": "S", "round": "E", "circumstances": [], "flowers": []}
SCORE = """async (asked) => (await fetch('/api/score?explain=true', {
    method: 'POST', headers: {'content-type': 'application/json'}, body: JSON.stringify(asked)})).json()"""
OTHERS = ["1m", "4m", "7m", "2p", "5p", "8p", "3s", "6s", "9s", "E", "S", "W", "N"]


def test_the_other_hands_are_seen_and_the_won_one_is_saved(table):
    table.page.set_viewport_size({"width": 390, "height": 664})
    state = felt.snapshot(next(table.numbers), melds=0, discards=6, drawn=None, over=True)
    table.show(state)
    n = next(table.numbers)
    table.send(
        {"n": n, "event": {"e": "win", "seat": "S", "tile": "4s", "from": "E"}, "text": {"zh": "和", "en": "wins"}}
    )
    score = table.page.evaluate(SCORE, WON | {"self_draw": False})
    assert score["total"] >= 16
    won = [f"{rank}m" for rank in range(1, 10)] + ["4p", "4p", "2s", "3s"]
    words = {"zh": "东圈 1 局", "en": "East 1"}
    over = {
        "winner": "S", "discarder": "E", "self_draw": False, "robbed": False, "place": words, "next": words,
        "score": {"zh": score, "en": score}, "payments": [], "gains": [-40, 56, -8, -8], "pool": 0, "supplied": [0] * 4,
        "ready": None, "announced": [], "hands": {"E": OTHERS, "S": won, "W": OTHERS, "N": OTHERS}, "zero_sum": True,
        "board": state["view"]["board"], "standings": [], "match_over": False, "seats": ["E", "S", "W", "N"],
        "reveal": {"hand": 1, "wall": "", "dice": [1, 2]},
    }  # fmt: skip
    over["won"] = {key: value for key, value in WON.items() if key != "rules"} | {"self_draw": False, "givers": ""}
    table.send({"n": next(table.numbers), "over": over})
    dialog = table.page.get_by_role("dialog")
    tiles = dialog.locator(".hands .tile")
    tiles.last.wait_for()
    assert tiles.count() == 3 * 13
    assert min(tiles.nth(at).bounding_box()["width"] for at in (0, 20, 38)) >= 20
    with table.page.expect_download() as caught:
        dialog.get_by_role("button", name="存图").click()
    with open(caught.value.path(), "rb") as picture:
        assert picture.read(8) == b"\x89PNG\r\n\x1a\n"
