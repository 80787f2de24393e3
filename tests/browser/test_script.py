"""繁體: chosen once, it holds for the pages, the rulebooks and what the server says."""

import pytest

pytestmark = pytest.mark.browser


def test_pages_and_books_are_shown_in_the_other_script_once_it_is_chosen(visit):
    page = visit("/", size="desktop")
    page.get_by_role("button", name="设置").click()
    page.get_by_role("group", name="字形").get_by_text("繁體").click()
    page.locator("html[lang=zh-Hant]").wait_for()
    page.get_by_role("link", name="番譜").first.wait_for()
    page.goto(page.url.rstrip("/") + "/calculator?rules=guobiao&h=123456789m123p9p%2B9p")
    page.get_by_text("清龍").first.wait_for()
    assert page.locator("main").inner_text().count("听") == 0
    page.get_by_label("手牌").first.wait_for()
    page.get_by_role("button", name="分享").click()
    text = page.get_by_label("文字").input_value()  # what is passed on is written alike
    assert "國標" in text
    assert "国" not in text
