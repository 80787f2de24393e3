"""How does our club play? The questions on a phone, and what comes out of them: a file, a card, a table, a match."""

import tomllib
from pathlib import Path

import pytest

from quepu.rulebooks.house_rules import read
from quepu.rules.play_rules import play_rules
from tests.browser.targets import sideways, too_small
from tests.browser.test_pages import sound

pytestmark = pytest.mark.browser


def question(page, text):
    return page.get_by_role("group", name=text)


@pytest.mark.quick
def test_a_club_answers_on_a_phone_and_keeps_score_by_it(visit, axe, tmp_path: Path) -> None:
    page = visit("/rulebooks/canton", size="phone", book="canton")
    page.get_by_role("link", name="我们社团怎样打？").tap()
    page.get_by_label("规则名称").fill("雀会")
    question(page, "起和番数").get_by_role("button", name="3", exact=True).tap()
    question(page, "付钱表").get_by_role("button", name="别的…").tap()
    own = question(page, "付钱表").get_by_label("自定", exact=True)
    own.fill("8-4")
    page.get_by_role("alert").filter(has_text="payment 应是").wait_for()
    assert page.get_by_role("button", name="规则文件").is_disabled()
    assert page.get_by_label("规则名称").input_value() == "雀会"  # nothing is lost
    own.fill("4-6-8")
    question(page, "一炮多响").get_by_role("button", name="两家").tap()
    page.get_by_role("link", name="打印卡片").wait_for()
    assert too_small(page) == []
    assert sideways(page) == []
    sound(page, axe)
    with page.expect_download() as caught:
        page.get_by_role("button", name="规则文件").tap()
    caught.value.save_as(tmp_path / "club.toml")
    text = (tmp_path / "club.toml").read_text("utf-8")
    assert tomllib.loads(text)["options"] == {"minimum": 3, "payment": "4-6-8", "winners": 2}
    made = read(text)
    assert (made.title.zh, play_rules(made).table.most_winners) == ("雀会", 2)

    page.reload()
    page.get_by_role("link", name="打印卡片").wait_for()
    assert page.get_by_label("规则名称").input_value() == "雀会"
    assert own.input_value() == "4-6-8"
    with page.context.expect_page() as opened:
        page.get_by_role("link", name="打印卡片").tap()
    card = opened.value
    card.get_by_role("heading", name="雀会").wait_for()
    assert card.get_by_text("怎样付").count() == 1
    card.close()

    page.get_by_role("link", name="用它记分").tap()
    page.get_by_role("button", name="自定规则：已启用").wait_for()
    page.go_back()
    page.get_by_role("button", name="用它打牌").tap()
    page.get_by_text("自定规则已启用").wait_for()


def test_books_without_such_questions_lead_to_those_that_have_them(visit) -> None:
    page = visit("/rulebooks/lingque-29?view=club", size="phone", lang="en")
    page.get_by_text("leaves no such questions").wait_for()
    page.get_by_role("link", name="MCR (EMA)").tap()
    group = question(page, "penalties")
    group.get_by_role("button", name="none").tap()
    assert group.get_by_role("button", name="none").get_attribute("aria-pressed") == "true"
    page.get_by_role("button", name="Start over").tap()
    assert group.get_by_role("button", name="none").get_attribute("aria-pressed") == "false"
