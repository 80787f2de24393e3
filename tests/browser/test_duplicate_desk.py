"""A duplicate session at the desk: ticked, begun, its slips to print, and IMPs as the score tables fill."""

import pytest

from tests.browser.desk import DRAWN, opened, part, web
from tests.browser.targets import TOO_WIDE

pytestmark = [pytest.mark.browser, pytest.mark.server("what the desk has is written there")]


@pytest.mark.parametrize("size", ["bars", "desktop"])
def test_a_duplicate_session_from_the_tick_to_the_imps(visit, site, size):
    id = opened(site, {**DRAWN, "rounds": 1})
    page = visit(f"/scorekeeper/desk/{id}", size=size)
    shared, own = page.get_by_label("各桌牌墙相同"), page.get_by_label("复式：每家一副自己的牌墙")
    shared.check()
    own.check()
    assert not shared.is_checked()
    page.get_by_text("按牌条摆好每家的牌").wait_for()
    page.get_by_role("button", name="开第 1 轮").click()
    slips = page.get_by_role("link", name="牌条（打印）")
    slips.wait_for()
    with page.expect_download() as download:
        slips.click()
    assert download.value.suggested_filename == "quepu-trays-1.html"
    tables = web.get(f"{site}/api/desks/{id}").json()["rounds"][0]["tables"]
    for table, winner in zip(tables, (0, 1), strict=True):
        record = {"kind": "hand", "winner": winner, "points": 24, "self_draw": True}
        path = f"{site}/api/tables/{table['opened']}"
        seen = web.get(path).json()["length"]
        web.post(path, json={"seen": seen, "do": "add", "record": record}).raise_for_status()
        web.post(path, json={"seen": seen + 1, "do": "add", "record": {"kind": "end"}}).raise_for_status()
    page = visit(f"/scorekeeper/desk/{id}", size=size)
    if size == "bars":
        part(page, "名次")
    standings = page.get_by_role("region", name="名次")
    standings.get_by_role("columnheader", name="IMP").first.wait_for()
    # winners drew 32 from each: +96 beside −32 at the other table, so 64 from the average, 2 IMPs
    won = standings.get_by_role("row", name=tables[0]["names"][0]).get_by_role("cell")
    assert "+2" in won.all_inner_texts()
    assert page.evaluate(TOO_WIDE) == 0
