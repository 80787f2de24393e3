"""The workshop: a change shows what it does at once, can be undone, and the page is sound on desktop and phone."""

import json
import re
import tomllib
from urllib.parse import quote

import pytest

from quepu.rulebooks import book
from tests.browser.targets import sideways, too_small
from tests.browser.test_pages import sound
from tests.browser.test_play import play_together

pytestmark = pytest.mark.browser


@pytest.mark.server("a draft is counted with numpy, which no device has")
def test_a_change_is_counted_undone_and_stored(visit, axe):
    page = visit("/workshop?rules=guobiao-mcr", size="desktop")
    page.get_by_text("所有和牌的点数都不变").wait_for(timeout=240_000)
    page.get_by_label("起和（原规则 8）").fill("10")
    page.get_by_label("起和（原规则 8）").press("Tab")
    page.get_by_text("起和 8 → 10").first.wait_for(timeout=240_000)
    assert "不再可和" in page.locator(".moves").inner_text()
    assert page.get_by_label("规则书").count() == 0  # the header names no other book than the draft's
    page.get_by_label("规则文件").scroll_into_view_if_needed()
    box = page.get_by_role("region", name="改前与改后").bounding_box()  # in view wherever one edits
    assert box["y"] >= 0 and box["y"] + box["height"] < page.viewport_size["height"] / 2
    sound(page, axe)
    page.get_by_role("button", name="撤销").click()
    page.get_by_text("所有和牌的点数都不变").wait_for(timeout=240_000)
    page.get_by_role("button", name="重做").click()
    page.get_by_text("起和 8 → 10").first.wait_for(timeout=240_000)
    page.reload()
    page.get_by_text("改动 1 处").wait_for()
    other = page.context.new_page()  # a second window: each has what the other writes
    other.goto(page.url)
    other.get_by_label("起和（原规则 8）").fill("9")
    other.get_by_label("起和（原规则 8）").press("Tab")
    page.get_by_text("起和 8 → 9").first.wait_for(timeout=240_000)
    other.get_by_role("button", name="新草稿").click()
    other.get_by_label("草稿的名称").fill("另一份")
    other.get_by_label("草稿的名称").press("Tab")
    other.close()
    assert page.get_by_label("草稿", exact=True).locator("option").all_inner_texts()[0] == "另一份"
    page.get_by_label("草稿的名称").fill("另一份")
    page.get_by_label("草稿的名称").press("Tab")
    page.get_by_text("已经有叫“另一份”的草稿").wait_for()
    page.get_by_role("button", name="撤销").click()
    page.get_by_text("起和 8 → 10").first.wait_for(timeout=240_000)
    assert page.get_by_label("规则文件").first.input_value() == 'base = "guobiao-mcr"\nminimum = 10\n'


@pytest.mark.slow
@pytest.mark.server("a draft is counted with numpy, which no device has")
def test_a_draft_is_played_against_its_book(visit, axe):
    draft = quote('base = "guobiao-mcr"\nminimum = 10\n')
    page = visit(f"/workshop?house={draft}", size="desktop")
    page.get_by_label("牌墙").select_option("200")
    page.get_by_role("button", name="开打").click(timeout=240_000)
    page.get_by_text("200 / 200 副牌墙").wait_for(timeout=240_000)  # on whatever processor is left
    assert page.get_by_role("row", name="每局点数").is_visible()
    sound(page, axe)


@pytest.mark.server("the workshop has a server read the rules file of an address")
def test_a_draft_is_a_book_on_other_pages(visit, axe):
    draft = quote('base = "guobiao-mcr"\nminimum = 10\n[values]\n"平和" = 4\n')
    page = visit(f"/rulebooks/guobiao-mcr?house={draft}#{quote('平和')}", size="desktop")
    page.locator("h1 .tag", has_text="草稿").wait_for()
    page.locator("aside .worth", has_text="4").wait_for()
    page.get_by_role("button", name="对照").click()
    page.get_by_text("改动一览").click()
    page.get_by_text("起和 8 → 10", exact=True).wait_for()
    sound(page, axe)
    page.goto(page.url.split("/rulebooks")[0] + f"/practice?rules=guobiao-mcr&house={draft}&kind=payable&seed=5")
    page.get_by_text("够不够起和 10").wait_for()
    page.keyboard.press("1")  # enough
    page.get_by_role("button", name="提交").click()
    page.get_by_role("heading", name="练习记录").get_by_text("/ 1").wait_for()
    page.get_by_role("button", name="改练原规则").click()
    page.get_by_text("还没有答过题").wait_for()
    page.goto(page.url.split("/practice")[0] + f"/workshop?house={draft}")
    page.get_by_role("button", name="用它算番").click()
    page.get_by_role("button", name="自定规则：已启用").wait_for()
    page.locator("#notation").fill("22p234m567m34p678s+5p")
    page.get_by_text("2+4+2+1=9 番").first.wait_for()  # 平和 is 4
    page.go_back()
    page.get_by_role("button", name="用它记分").click()
    page.get_by_role("button", name="自定规则：已启用").click()
    rules = page.get_by_role("textbox", name="规则文件")
    rules.wait_for()
    assert rules.input_value().startswith('base = "guobiao-mcr"\nminimum = 10\n')
    page.get_by_label("工坊草稿").locator("option", has_text="规则文件").wait_for(state="attached")


@pytest.mark.server("friends meet at a table of a server")
def test_friends_play_by_a_draft_and_are_paid_by_it(visit):
    easy = [fan.name for fan in book("guobiao-mcr").fans if fan.value <= 2 or fan.name == "无番和"]
    values = "\n".join(f'"{name}" = 90' for name in easy if name != "花牌")  # nearly no hand has none of them
    draft = f'base = "guobiao-mcr"\ntitle = "社里的草稿"\nminimum = 0\n[values]\n{values}\n'
    host = visit(f"/workshop?house={quote(draft)}")
    host.get_by_role("button", name="用它开一桌").click()
    sent = []

    def opened(route):
        if route.request.method == "POST":
            sent.append(route.request.post_data_json)
            route.continue_(post_data=json.dumps({**sent[0], "think": 0, "move": 0, "bank": 0, "seed": 7}))
        else:
            route.continue_()

    host.route("**/api/rooms", opened)
    host.get_by_label("你的名字").fill("甲")
    host.get_by_label("第 2 家").select_option("")
    host.get_by_text("更多设置").click()
    host.get_by_role("button", name="用自定规则").wait_for()
    host.get_by_role("button", name="开桌", exact=True).click()
    host.wait_for_url("**/play/*")
    assert sent[0]["rules"] == "guobiao-mcr"
    room = host.url.rsplit("/", 1)[1]
    friend = visit(f"/play/{room}", book="lingque-29")  # whichever book is in force there
    for page in (host, friend):
        terms = page.get_by_role("list", name="本桌规定")
        terms.get_by_text("不设起和").wait_for()
        terms.get_by_text("有自定规则").wait_for()
    house = friend.evaluate(f"fetch('/api/rooms/{room}/house').then(answer => answer.text())")
    assert tomllib.loads(house) == tomllib.loads(draft)
    friend.get_by_label("你的名字").fill("乙")
    friend.get_by_role("button", name="坐下").click()
    host.get_by_text("乙").wait_for()
    friend.get_by_role("button", name="准备，开打").click()
    host.get_by_role("button", name="准备，开打").click()
    for page in (host, friend):
        page.locator(".own .hand button").nth(12).wait_for()
    play_together((host, friend))
    for page in (host, friend):
        result = page.get_by_role("dialog").inner_text()
        assert max(int(n) for n in re.findall(r"(\d+)\s*番", result)) >= 90, result


@pytest.mark.server("a draft is counted with numpy, which no device has")
def test_a_formula_is_judged_while_it_is_written(visit, axe):
    page = visit("/workshop?rules=guobiao-mcr", size="bars")
    page.get_by_role("button", name="新建番种").click()
    page.get_by_label("什么时候成立").press_sequentially("有")
    page.get_by_role("button", name="没有(…)", exact=True).wait_for()
    assert page.locator(".words .chip").all_inner_texts()[:2] == ["有(…)", "没有(…)"]  # those that begin so come first
    page.get_by_role("button", name="有(…)", exact=True).click()
    assert page.get_by_label("什么时候成立").input_value() == "有("
    page.get_by_label("什么时候成立").fill("有(刻子) 且 无此番")
    page.get_by_text("第 9 个字符").wait_for()
    page.get_by_label("什么时候成立").fill("有(相连(刻子, 2))")
    page.get_by_text("写法正确").wait_for()
    page.get_by_label("名称", exact=True).fill("清一色")
    page.get_by_text("已经有叫“清一色”的番种").wait_for()
    assert page.get_by_role("button", name="加进草稿").is_disabled()
    page.get_by_label("名称", exact=True).fill("双连刻")
    page.get_by_role("button", name="加进草稿").click()
    page.get_by_text("改动 1 处").wait_for()
    assert '[fans."双连刻"]' in page.get_by_label("规则文件").first.input_value()
    sound(page, axe)
    assert too_small(page) == []
    assert sideways(page) == []


def test_a_formula_that_is_a_name_alone_may_be_written_on(visit):
    page = visit("/workshop", size="bars")
    page.get_by_role("button", name="新建番种").click()
    formula = page.get_by_label("什么时候成立")
    formula.fill("镜同")  # the same in both languages
    page.get_by_text("写法正确").wait_for()
    formula.fill("镜同 且 清一色")
    page.get_by_role("button", name="镜同 and 清一色").wait_for()  # a page error fails the test


@pytest.mark.server("a draft is counted with numpy, which no device has")
def test_examples_of_a_formula_are_in_sight_on_a_phone(visit):
    page = visit("/workshop", size="bars")
    page.get_by_role("button", name="新建番种").click()
    formula = page.get_by_label("什么时候成立")
    formula.fill("镜同 且 非 清一色")
    page.get_by_text("差一点的牌例").wait_for()
    assert formula.evaluate("area => area.offsetWidth <= area.closest('section').clientWidth")
    last = page.locator(".field [data-hand], .field .hand").first
    assert last.evaluate("hand => hand.getBoundingClientRect().right <= innerWidth")


@pytest.mark.slow
@pytest.mark.server("a draft is counted with numpy, which no device has")
def test_a_new_fan_is_counted_and_every_figure_is_in_sight(visit):
    draft = quote('base = "guobiao-mcr"\n[fans."双连刻"]\nwhen = "有(相连(刻子, 2))"\nvalue = 8\n')
    page = visit(f"/workshop?house={draft}", size="bars")
    page.get_by_role("button", name="看结果").or_(page.get_by_text("看结果")).first.click()
    fans = page.locator(".table table")
    fans.get_by_text("双连刻").wait_for(timeout=240_000)
    assert fans.evaluate("table => table.scrollWidth <= table.parentElement.clientWidth")


@pytest.mark.server("a draft is counted with numpy, which no device has")
def test_the_figures_of_a_fan_stand_beside_each_other_and_are_all_in_sight(visit):
    draft = quote('base = "lingque-29"\n[values]\n"三连刻" = {fu = 20, fan = 3}\n"全不靠" = {fu = 14, fan = 3}\n')
    page = visit(f"/workshop?house={draft}", size="bars", lang="en")
    page.set_viewport_size({"width": 360, "height": 640})
    page.get_by_role("button", name="Effects").or_(page.get_by_text("Effects")).first.click()
    page.locator("td", has_text="→").first.wait_for(timeout=90_000)
    cells = page.locator("tr > td").evaluate_all(
        "cells => cells.map((cell) => [cell.innerText, cell.scrollWidth - cell.clientWidth])"
    )
    assert len(cells) > 7
    assert [text for text, beyond in cells if beyond > 1] == []
    fans = page.locator(".table table")
    whole = "table => table.scrollWidth <= table.parentElement.clientWidth"
    assert fans.evaluate(whole)
    assert page.locator("nav.tabs").get_by_text("Workshop").is_visible()
    assert too_small(page) == []
    for width in (1280, 1440):
        page.set_viewport_size({"width": width, "height": 900})
        assert fans.evaluate(whole), width


@pytest.mark.server("a draft is counted with numpy, which no device has")
def test_a_hand_is_found_and_a_suggestion_taken_over(visit, axe):
    page = visit("/workshop?rules=guobiao-mcr", size="desktop")
    page.get_by_text("所有和牌的点数都不变").wait_for(timeout=240_000)
    page.get_by_label("要计入的番种").fill("混一色")
    page.get_by_label("离这副手牌最近（可不填）").fill("123456m11p(999m)EE")
    page.get_by_role("button", name="找", exact=True).click()
    page.get_by_text("最近的差 3 张").wait_for(timeout=240_000)
    page.get_by_text("番种简表").click()
    page.get_by_role("button", name="指定平均").click()
    page.get_by_label("平均点数").fill("12")
    page.get_by_role("button", name="给建议").click()
    page.get_by_role("button", name="采用").first.click(timeout=240_000)
    page.get_by_text("改动 1 处").wait_for()
    page.locator("dl.old").wait_for(state="detached", timeout=240_000)
    sound(page, axe)
    assert sideways(page) == []


def test_while_python_starts_on_a_device_without_a_server_nothing_pretends_to_count(visit):
    page = visit("/", lang="en")
    page.route("**/api/**", lambda route: route.abort("internetdisconnected"))
    page.route("**/device/**", lambda route: None)  # it never comes
    page.goto(page.url + "workshop")
    page.get_by_text("The server cannot be reached").wait_for(timeout=20_000)
    assert page.get_by_text("Counting").count() == 0
    assert page.get_by_text("First run: classifying every hand").count() == 0


@pytest.mark.server("it goes away and comes back")
def test_without_a_server_one_quiet_sentence_says_what_works(visit):
    page = visit("/", lang="en")
    page.route("**/api/workshop/**", lambda route: route.abort("internetdisconnected"))
    page.get_by_role("link", name="Workshop").locator("visible=true").first.click()
    sentence = page.get_by_text("The server cannot be reached. You can still edit and save drafts")
    sentence.wait_for()
    assert page.get_by_role("alert").count() == 0
    assert page.get_by_text("Counting").count() == 0
    page.get_by_role("button", name="Use in the calculator").wait_for()
    assert page.get_by_role("button", name="Use in the calculator").is_enabled()
    page.unroute("**/api/workshop/**")
    page.get_by_label("Rulebook title").fill("Ours")
    page.get_by_label("Rulebook title").blur()
    sentence.wait_for(state="detached")


@pytest.mark.parametrize("size", ["phone", "desktop"])
@pytest.mark.server("a draft is counted with numpy, which no device has")
def test_matches_table_penalties_and_categories_are_edited(visit, axe, size):
    page = visit("/workshop?rules=lingque-29", size=size)
    page.locator("summary", has_text=re.compile("^对局")).click()
    rounds = page.get_by_label("圈数（原规则 4）")
    rounds.fill("0")
    rounds.press("Tab")
    page.get_by_text("应为 1 到 16 的整数。").wait_for()
    rounds.fill("2")
    rounds.press("Tab")
    page.get_by_label("连庄").select_option("win or draw")
    page.locator("summary", has_text=re.compile("^牌桌")).click()
    page.get_by_label("用花牌").click()
    page.locator("summary", has_text=re.compile("^罚例")).click()
    fault = page.get_by_label(re.compile("的分数$")).first
    name = fault.get_attribute("aria-label").removesuffix(" 的分数")
    fault.fill("77")
    fault.press("Tab")
    page.get_by_label("新罚例的名称").fill("手机响铃")
    page.get_by_label("新罚例的名称").press("Enter")
    page.get_by_label("手机响铃 的分数").wait_for()
    row = page.locator("li", has=page.get_by_label(f"{name} 的分数", exact=True))
    row.get_by_role("button", name="去掉").click()  # and back, as it was
    assert tomllib.loads(page.get_by_label("规则文件").first.input_value())["penalties"][name] is False
    row.get_by_role("button", name="恢复").click()
    assert fault.input_value() == "77"
    page.locator("summary", has_text=re.compile("^番种类别")).click()
    first, second = (page.get_by_label(f"第 {n} 类的名称").input_value() for n in (1, 2))
    page.get_by_role("button", name=f"{second}上移").click()
    assert size == "desktop" or too_small(page) == []
    assert sideways(page) == []
    sound(page, axe)
    rest = tomllib.loads(page.get_by_label("规则文件").first.input_value())
    assert rest["match"] == {"rounds": 2, "dealer_repeats": "win or draw"}
    assert list(rest["table"]) == ["flowers"]
    assert rest["penalties"] == {name: 77, "手机响铃": {"points": 10, "text": "手机响铃"}}
    assert rest["classes"][:2] == [second, first]
    page.get_by_role("button", name="撤销").click()
    assert page.get_by_label("第 1 类的名称").input_value() == first
