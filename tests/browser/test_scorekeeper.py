"""The scorekeeper at a noisy table: the usual hand is three taps, whatever else is not far."""

import json

import pytest

import quepu
from quepu.cli import run
from quepu.figures import usual

pytestmark = pytest.mark.browser

NAMES = ["林", "周", "何", "许"]
COUNT = "window.taps = 0; addEventListener('click', (event) => { if (event.isTrusted) window.taps++; }, true);"


def table(visit, book="lingque-29", size="phone"):
    """A fresh table with four names."""
    page = visit("/scorekeeper", size=size, book=book)
    for i, name in enumerate(NAMES):
        page.locator("form input").nth(i).fill(name)
    page.get_by_role("button", name="开始记分").click()
    page.get_by_role("region", name="记一局").wait_for()
    return page


@pytest.mark.parametrize("book", ["lingque-29", "guobiao", "canton"])
def test_the_usual_hand_is_three_taps(visit, book):
    page = table(visit, book)
    page.evaluate(COUNT)
    form = page.locator("form")
    value = usual(quepu.book(book))[0]
    unit = quepu.book(book).unit.zh
    form.get_by_role("group", name="和家").get_by_role("button", name="周").tap()
    form.get_by_role("group", name="谁放铳").get_by_role("button", name="林").tap()
    key = form.get_by_role("button", name=f"{value} {unit}，记下", exact=True)
    box = key.bounding_box()
    assert box["y"] + box["height"] < 844 - 56  # reached without scrolling, above the tabs
    key.tap()
    said = page.get_by_role("status")
    said.get_by_text(f"周 和 {value} {unit}，林 放铳").wait_for()
    assert "林 付 周" in said.inner_text()
    assert page.evaluate("window.taps") == 3
    page.get_by_role("button", name="撤销", exact=True).tap()  # a slip is taken back with one more
    said.get_by_text("林 付 周").wait_for(state="detached")
    assert page.get_by_role("region", name="分数").locator("strong").all_inner_texts() == ["0"] * 4


def test_a_self_draw_is_three_taps_and_a_drawn_hand_two(visit):
    page = table(visit)
    page.evaluate(COUNT)
    form = page.locator("form")
    form.get_by_role("group", name="和家").get_by_role("button", name="何").tap()
    form.get_by_role("group", name="谁放铳").get_by_role("button", name="自摸").tap()
    form.get_by_role("button", name="30 点，记下", exact=True).tap()
    page.get_by_role("status").get_by_text("何 自摸 30 点").wait_for()
    assert page.evaluate("window.taps") == 3
    form.get_by_role("button", name="流局").tap()
    form.get_by_role("button", name="记下", exact=True).tap()
    page.get_by_role("status").get_by_text("流局").wait_for()
    assert page.evaluate("window.taps") == 5


def test_keys_stay_where_they_are_while_the_deal_goes_round_and_a_fast_finger_loses_nothing(visit):
    page = table(visit)
    form = page.locator("form")
    winners = form.get_by_role("group", name="和家").get_by_role("button")
    assert [text.split() for text in winners.all_inner_texts()] == [
        one.split() for one in ["东 林", "南 周", "西 何", "北 许"]
    ]
    held = []
    page.route(
        "**/api/tables/*", lambda route: held.append(route) if route.request.method == "POST" else route.continue_()
    )
    winners.nth(1).tap()
    form.get_by_role("group", name="谁放铳").get_by_role("button", name="林").tap()
    form.get_by_role("button", name="24 点，记下", exact=True).tap()
    winners.nth(2).tap()  # the next hand, while the first is still on its way
    page.wait_for_timeout(100)
    held.pop().continue_()
    form.get_by_text("东 2 局").or_(page.get_by_text("东 2 局")).first.wait_for()
    assert [text.split() for text in winners.all_inner_texts()] == [
        one.split() for one in ["北 林", "东 周", "南 何", "西 许"]
    ]
    assert winners.nth(2).get_attribute("aria-pressed") == "true"
    assert winners.nth(1).get_attribute("aria-pressed") == "false"


def test_what_cannot_be_sent_stays_to_be_sent_again(visit):
    page = table(visit)
    form = page.locator("form")
    form.get_by_role("group", name="和家").get_by_role("button", name="周").tap()
    form.get_by_role("group", name="谁放铳").get_by_role("button", name="林").tap()
    page.context.set_offline(True)
    form.get_by_role("button", name="24 点，记下", exact=True).tap()
    form.get_by_text("连不上服务器").wait_for()
    page.context.set_offline(False)
    form.get_by_role("button", name="24 点，记下", exact=True).tap()
    page.get_by_role("status").get_by_text("周 和 24 点，林 放铳").wait_for()


def test_keys_wait_for_who_and_learn_what_the_table_has(visit):
    page = table(visit)
    form = page.locator("form")
    keys = form.get_by_role("group", name="常见点数")
    assert keys.get_by_role("button").first.is_disabled()
    form.get_by_role("group", name="和家").get_by_role("button", name="周").click()
    form.get_by_role("group", name="谁放铳").get_by_role("button", name="许").click()
    assert keys.get_by_role("button", name="324 点，记下").count() == 0
    form.get_by_role("spinbutton").last.fill("324")
    form.get_by_text("合计 0").wait_for()
    form.get_by_role("button", name="记下", exact=True).click()
    keys.get_by_role("button", name="324 点，记下").wait_for()
    values = [int(text) for text in keys.get_by_role("button").all_inner_texts()]
    assert values == sorted(values)
    assert min(values) >= quepu.book("lingque-29").minimum


def test_house_rules_of_a_table_are_in_force(visit):
    page = visit("/scorekeeper")
    page.get_by_role("button", name="本桌规则…").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("起和（书上 10）").fill("20")
    dialog.get_by_text("起和 20").wait_for()
    dialog.get_by_role("button", name="用这些规则").click()
    page.get_by_role("button", name="开始记分").click()
    form = page.locator("form")
    form.get_by_text("起和 20").wait_for()
    assert form.get_by_role("group", name="常见点数").get_by_role("button", name="12 点").count() == 0


def test_the_log_opens_in_the_terminal_and_here_again(visit, tmp_path, capsys):
    page = table(visit, size="desktop")
    form = page.locator("form")
    form.get_by_role("group", name="和家").get_by_role("button", name="周").click()
    form.get_by_role("group", name="谁放铳").get_by_role("button", name="林").click()
    form.get_by_role("button", name="24 点，记下", exact=True).click()
    page.get_by_role("status").get_by_text("周 和 24 点").wait_for()
    with page.expect_download() as caught:
        page.get_by_role("link", name="JSON").click()
    log = tmp_path / "table.json"
    caught.value.save_as(log)
    assert run(["match", str(log), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)["rows"]
    assert told[-1]["totals"] == [-48, 96, -24, -24]
    page.get_by_role("link", name="我的桌").click()
    page.locator("input[type=file]").set_input_files(log)
    page.get_by_role("region", name="分数").get_by_text("+96").wait_for()
    with page.expect_download() as caught:
        page.get_by_role("link", name="CSV").click()
    assert "周 和 24 点" in caught.value.path().read_text("utf-8-sig")
