"""Company by one press: a bot hands its seat over after the hand, and a link makes two players friends."""

import re

import pytest

from tests.browser.targets import sideways, too_small

pytestmark = [pytest.mark.browser, pytest.mark.server("other people's tables are on a server")]
SPEC = {"rules": "guobiao-mcr", "rounds": 1, "move": 0, "bank": 0, "think": 0, "joins": True}


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_whoever_arrives_late_joins_after_the_hand(visit, lang):
    page = visit("/play", size="bars", lang=lang, book="guobiao-mcr")
    site = page.url.removesuffix("/play")
    bots = ["", "plain", "plain", "plain"]
    sat = page.request.post(f"{site}/api/rooms", data={**SPEC, "name": "Anna", "bots": bots, "listed": True}).json()
    host = visit(f"/play/{sat['room']}#seat={sat['token']}", book="guobiao-mcr")
    host.get_by_role("button", name=re.compile("^准备")).click()
    host.locator(".own .hand button").first.wait_for()
    page.get_by_role("button", name="快速匹配真人" if lang == "zh" else "Find players").click()
    page.wait_for_url(f"**/play/{sat['room']}*")
    told = page.get_by_text("打完，你就接替" if lang == "zh" else "after this hand", exact=False)
    told.wait_for()
    assert page.locator(".own .hand button").count() == 0
    assert too_small(page) == []
    assert sideways(page) == []
    page.get_by_role("button", name="不等了" if lang == "zh" else "Stop waiting").click()
    page.wait_for_url("**/play")
    room = page.request.get(f"{site}/api/rooms/{sat['room']}").json()
    assert (room["joinable"], [place["joiner"] for place in room["places"]]) == (3, [""] * 4)


def test_a_link_makes_two_players_friends(visit):
    first = visit("/play", size="bars")
    card = first.get_by_role("region", name="好友")
    card.get_by_label("给好友看的名字").fill("安娜")
    card.get_by_role("button", name="邀请好友").click()
    link = re.search(r"https?://\S+", card.get_by_role("status").inner_text())
    assert link is not None
    second = visit(link[0][link[0].index("/play") :], size="bars")
    card = second.get_by_role("region", name="好友")
    card.get_by_text("安娜 想加你为好友。").wait_for()
    assert "#" not in second.url
    card.get_by_label("给好友看的名字").fill("小波")
    card.get_by_role("button", name="加为好友").click()
    card.get_by_text("安娜", exact=True).wait_for()
    card.get_by_text("在线").wait_for()
    assert too_small(second) == []
    assert sideways(second) == []
    first.reload()
    card = first.get_by_role("region", name="好友")
    card.get_by_text("小波", exact=True).wait_for()
    card.get_by_role("button", name="删除好友 小波").click()
    card.get_by_role("button", name="删除好友 小波").click()
    card.get_by_text("把邀请链接发给朋友", exact=False).wait_for()
    second.reload()
    second.get_by_role("region", name="好友").get_by_text("把邀请链接发给朋友", exact=False).wait_for()
