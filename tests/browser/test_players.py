"""A name over months: the list of everybody, and one player's page."""

import gzip

import pytest

from tests.browser.score_table import table
from tests.browser.test_tables_together import wait_for_hands, write
from tests.golden.test_logs import LOGS

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
    rates.get_by_text("和牌率").wait_for()
    assert "50.0%" in rates.inner_text()
    assert "1/2" in rates.inner_text()
    page.get_by_role("region", name="对手").get_by_text("1 场").first.wait_for()
    page.get_by_role("link", name="战绩").click()
    page.get_by_role("button", name="今年").click()
    rows.nth(3).wait_for()


def test_a_player_is_renamed_and_two_entries_are_made_one(visit):
    page = table(visit)
    write(page, "周", "林", 24)
    wait_for_hands(page, 1)
    page.goto(f"{page.url.rsplit('/', 1)[0]}/players")
    page.get_by_role("link", name="周", exact=True).click()
    roster = page.get_by_role("region", name="名册")
    roster.get_by_label("名字", exact=True).fill("周海")
    roster.get_by_role("button", name="改名").click()
    page.get_by_role("heading", name="周海").wait_for()
    roster.get_by_label("与此人是同一人").select_option(label="许")
    roster.get_by_role("button", name="并入 许").click()
    page.get_by_text("同桌打过 1 次").wait_for()  # they sat at one table: they are two people
    page.get_by_role("link", name="战绩").click()
    page.get_by_role("link", name="周海").wait_for()
    page.get_by_label("名字").fill("林")
    page.get_by_label("备注").fill("高个")
    page.get_by_role("button", name="添加一人").click()
    page.get_by_text("新的人：林（高个）").wait_for()
    page.get_by_role("button", name="撤回：周 改名 周海").click()
    page.get_by_role("link", name="周", exact=True).wait_for()
    page.goto(page.url.rsplit("/", 1)[0])
    page.get_by_role("button", name="林（高个）").click()
    assert page.get_by_label("东家（起庄）").input_value() == "林（高个）"


@pytest.mark.slow
def test_figures_of_logs_and_tables_are_worked_out_in_the_browser(visit, tmp_path):
    for i, path in enumerate(LOGS[:12]):
        (tmp_path / f"{i}.jsonl").write_bytes(gzip.decompress(path.read_bytes()))
    (tmp_path / "notes.txt").write_text("买菜", encoding="utf-8")
    page = table(visit)
    write(page, "周", "林", 24)
    wait_for_hands(page, 1)
    sent = []
    page.on("request", lambda request: sent.append(request.url))
    page.goto(f"{page.url.rsplit('/', 1)[0]}/stats")
    page.get_by_label("选文件", exact=True).set_input_files(sorted(tmp_path.iterdir()))
    page.get_by_text("12 场").wait_for(timeout=180_000)
    page.get_by_text("notes.txt").wait_for()
    assert not [address for address in sent if "/api/stats" in address]  # no file left this browser
    page.get_by_role("button", name="我的记分桌").click()
    page.get_by_text("13 场").wait_for(timeout=60_000)
    page.get_by_role("link", name="周", exact=True).click()
    page.get_by_role("region", name="比率").get_by_text("和牌率").wait_for()
