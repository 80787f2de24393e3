"""A name over months: the list of everybody, and one player's page."""

import pytest

from tests.browser.test_scorekeeper import table
from tests.browser.test_tables_together import wait_for_hands, write

pytestmark = pytest.mark.browser


def test_players_are_found_from_the_scorekeeper(visit):
    page = table(visit)
    write(page, "周", "林", 24)
    wait_for_hands(page, 1)
    write(page, "何", "许", 30)
    wait_for_hands(page, 2)
    page.goto(page.url.rsplit("/", 1)[0])
    page.get_by_role("link", name="战绩").click()
    rows = page.locator("tbody tr")
    rows.nth(3).wait_for()
    assert {row.split()[0] for row in rows.all_inner_texts()} == {"林", "周", "何", "许"}
    page.get_by_role("link", name="周", exact=True).click()
    rates = page.get_by_role("region", name="比率")
    rates.get_by_text("和率").wait_for()
    assert "50.0%" in rates.inner_text()
    assert "1/2" in rates.inner_text()
    page.get_by_role("region", name="对手").get_by_text("1 场").first.wait_for()
    page.get_by_role("link", name="战绩").click()
    page.get_by_role("button", name="今年").click()
    rows.nth(3).wait_for()
