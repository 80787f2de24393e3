"""A season on its page: ratings of a rulebook, attendance, records, a league, fees, the year as a picture."""

import pytest

from tests.browser.test_scorekeeper import table
from tests.browser.test_tables_together import wait_for_hands, write

pytestmark = [pytest.mark.browser, pytest.mark.server("seasons are added up by a server")]


def test_a_season_is_read_a_league_opened_and_a_fee_written(visit):
    page = table(visit)
    write(page, "周", "林", 24)
    wait_for_hands(page, 1)
    page.goto(f"{page.url.rsplit('/', 1)[0]}/players")
    page.get_by_role("link", name="赛季").click()
    guests = page.get_by_role("region", name="出席").locator("tbody tr")
    guests.nth(3).wait_for()
    assert {row.split()[0] for row in guests.all_inner_texts()} == {"林", "周", "何", "许"}
    assert "24" in page.get_by_role("region", name="纪录").inner_text()
    leagues = page.get_by_role("region", name="联赛")
    leagues.get_by_text("新联赛").click()
    leagues.get_by_label("名称").fill("周五联赛")
    leagues.get_by_role("button", name="开始", exact=True).click()
    leagues.get_by_role("alert").get_by_text("至少要四个人").wait_for()  # two divisions of two
    leagues.get_by_label("级数").fill("1")
    leagues.get_by_role("button", name="开始", exact=True).click()
    leagues.get_by_role("heading", name="周五联赛").wait_for()
    fees = page.get_by_role("region", name="会费")
    fees.get_by_label("姓名").fill("周")
    fees.get_by_label("金额").fill("20.5")
    fees.get_by_role("button", name="应交").click()
    fees.get_by_text("−20.50").first.wait_for()
    with page.expect_download() as given:
        page.get_by_role("button", name="存成图片").click()
    assert given.value.suggested_filename.endswith(".png")
