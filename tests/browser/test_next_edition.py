"""The workshop writes what an edition changes: conditions, columns, residues, relations; and settles sentences."""

import tomllib
from urllib.parse import quote

import pytest

from tests.browser.targets import sideways, too_small
from tests.browser.test_pages import sound

pytestmark = pytest.mark.browser
NEXT = (
    'base = "yuque-54"\n[fans."二步高"]\nwhen = "有(相连(顺子, 2))"\nvalue = 4\nof = 2\npriority = 1\n'
    'class = "连顺、连刻"\n'
)


def written(page):
    """The rules file on the page."""
    return tomllib.loads(page.get_by_label("规则文件").first.input_value())


@pytest.mark.server("a draft is counted with numpy, which no device has")
def test_residues_are_proposed_and_clashes_settled(visit, axe):
    page = visit(f"/workshop?house={quote(NEXT)}", size="desktop")
    page.get_by_role("button", name="提出建议").click(timeout=60_000)
    page.get_by_role("button", name="采纳", exact=True).first.click(timeout=240_000)
    assert len(written(page)["residues"]) == 1
    page.get_by_role("button", name="三步高不计二步高").click(timeout=240_000)
    assert written(page)["drops"] == {"三步高": ["二步高"]}
    sound(page, axe)
    assert sideways(page) == []


@pytest.mark.server("a draft is counted with numpy, which no device has")
def test_a_fan_of_the_book_is_changed_and_the_file_edited(visit, axe):
    page = visit("/workshop?rules=lingque-29", size="bars")
    page.get_by_label("找番种").fill("混一色")
    page.locator("li .name", has_text="混一色").click()
    page.get_by_text("何时成立").click()
    when = "有(字牌) 且 几门(牌) = 1"  # once the book's own has come
    page.wait_for_function("when => document.querySelector('#changed-formula').value === when", arg=when)
    page.locator("#changed-formula").fill("有(字牌) 且 几门(牌) <= 1")
    page.get_by_role("list", name="同一个公式的写法").get_by_text("has(honours) and suit_count(tiles) <= 1").wait_for()
    page.get_by_role("button", name="改用这个条件").click()
    assert written(page)["changes"] == {"混一色": {"when": "有(字牌) 且 几门(牌) <= 1"}}
    file = page.get_by_label("规则文件").first
    file.fill(
        'base = "lingque-29"\nid = "lingque-30"\n[options]\njump = "f0 < 3"\nclosed_jump = 0\n[match]\nrounds = 4\n'
    )
    page.get_by_role("button", name="应用修改").click()
    page.get_by_text("只在文件里改过：id").wait_for()
    assert written(page)["options"] == {"jump": "f0 < 3", "closed_jump": 0}
    sound(page, axe)
    assert too_small(page) == []
    assert sideways(page) == []


@pytest.mark.server("a draft is counted with numpy, which no device has")
def test_a_relation_names_a_fan_by_its_other_names(visit):
    page = visit("/workshop?rules=lingque-26", size="desktop")
    page.get_by_label("找番种").fill("大四喜")
    page.locator("li .name", has_text="大四喜").click()
    drops = page.get_by_role("group", name="不计")
    for chip in drops.locator(".chip").all_inner_texts():
        drops.get_by_role("button", name=f"移除{chip.strip()}", exact=True).click()
    drops.get_by_label("不计：加一个番种").fill("门风牌 客风刻")
    drops.get_by_label("不计：加一个番种").press("Enter")
    assert written(page)["drops"] == {"大四喜": ["番牌 门风牌", "客风刻"]}


@pytest.mark.server("a draft is counted with numpy, which no device has")
def test_a_sentence_is_settled_by_hands(visit, axe):
    page = visit("/workshop?rules=lingque-29", size="bars")
    page.get_by_label("哪个问题").select_option("LQ1")
    page.get_by_role("button", name="开始").click()
    page.locator(".choice").first.wait_for(timeout=240_000)
    while page.locator(".choice").count():
        page.locator(".choice", has_text="喜相逢").first.click()
    page.get_by_text("两者同计").last.wait_for()
    page.get_by_role("button", name="把裁定写进草稿").click()
    (ruling,) = written(page)["rulings"]
    assert ruling["id"] == "LQ1"
    assert len(ruling["hands"]) == 3
    sound(page, axe)
    assert too_small(page) == []
    assert sideways(page) == []


@pytest.mark.server("a draft is counted with numpy, which no device has")
def test_a_question_names_fans_in_english_while_the_draft_is_read(visit):
    page = visit("/workshop?rules=lingque-29", size="desktop", lang="en")
    page.route("**/api/house/page", lambda route: None)  # never answered
    page.get_by_label("Which question").select_option("LQ1")
    page.get_by_role("button", name="Begin", exact=True).click()
    page.locator(".choice", has_text="mixed double chow×2").wait_for(timeout=240_000)
