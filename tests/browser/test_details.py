"""What makes the pages good to use: groups that stay lit, tiles picked instead of typed, paper, where focus goes."""

import re

import pytest

import quepu
from tests.browser.score_table import table

pytestmark = pytest.mark.browser

HAND = "234m234p2344567s%2B4s"


@pytest.mark.quick
def test_a_tapped_fan_keeps_its_groups_lit_and_its_clause_is_quoted(visit):
    page = visit(f"/calculator?rules=lingque-29&h={HAND}", size="phone")
    result = page.get_by_role("region", name="结果")
    row = result.locator("tr", has_text="三色同顺").first
    row.locator("td").nth(1).tap()
    assert result.locator(".group.lit").count() == 3
    row.locator("td").nth(1).tap()
    result.locator(".group.lit").first.wait_for(state="detached")
    clause = result.locator("tr.off", has_text="喜相逢").locator("q").inner_text()
    assert "不计喜相逢" in clause
    assert clause in quepu.book("lingque-29").fan("三色同顺").sentence


def test_the_answer_is_shown_while_it_is_below_the_picker(visit):
    page = visit(f"/calculator?rules=lingque-29&h={HAND}", size="phone")
    bar = page.get_by_role("button", name=re.compile("48 点 · 可和"))
    bar.click()
    bar.wait_for(state="detached")
    top = page.get_by_role("region", name="结果").bounding_box()["y"]
    assert 0 < top < 500


@pytest.mark.parametrize("size", ["phone", pytest.param("desktop", marks=pytest.mark.slow)])
def test_a_hand_is_picked_at_the_table_with_who_gave_it(visit, axe, size):
    page = visit("/scorekeeper", size=size)
    page.get_by_role("button", name="开始记分").click()
    form = page.get_by_role("form").or_(page.locator("form")).first
    for group, name in (("和家", "东 东"), ("谁放铳", "南 南")):
        form.get_by_role("group", name=group).get_by_role("button", name=name).click()
    form.get_by_role("button", name="填牌").click()
    form.get_by_role("button", name="选牌").click()
    pad = page.get_by_role("dialog")
    page.evaluate(axe)
    assert page.evaluate("axe.run().then((r) => r.violations.filter((v) => v.impact === 'serious').length)") == 0
    pad.get_by_role("button", name="碰", exact=True).click()
    pad.get_by_role("button", name=re.compile("^碰 红中")).click()
    pad.get_by_role("button", name=re.compile("^碰 红中.*换来源")).click()
    pad.get_by_role("button", name="上家给的").click()  # now from 对家
    pad.get_by_role("button", name="立牌", exact=True).click()
    assert pad.get_by_role("button", name="用这手牌").is_disabled()
    for name in ["二万", "二万", "二万", "三筒", "三筒", "三筒", "四索", "四索", "四索", "九索", "九索"]:
        pad.get_by_role("button", name=re.compile(f"^{name}，余")).click()
    pad.get_by_role("button", name="用这手牌").click()
    pad.wait_for(state="detached")
    assert form.get_by_label("和牌的十四张").input_value() == "222m333p4449s(CCC)+9s"
    score = quepu.score("222m333p4449s(CCC)+9s", "lingque-29")
    form.get_by_text(score.tally.how.zh).first.wait_for()
    assert form.get_by_text("各家供牌张数").count() == 0  # the tiles say it
    form.get_by_role("button", name="记下", exact=True).click()
    page.get_by_role("region", name="分数").get_by_text(f"+{4 * score.total}").wait_for()


def test_the_first_page_counts_one_hand_by_every_book_and_goes_on(visit):
    page = visit("/")
    books = page.get_by_role("region", name="规则书")
    for name in ("lingque-29", "guobiao", "yuque-54"):
        score = quepu.score("234m234p2344567s+4s", name)
        row = books.locator("li", has=page.locator(f'a[href="/rulebooks/{name}"]'))
        row.get_by_text(str(score.total), exact=True).wait_for()
        assert all(fan.name in row.inner_text() for fan in score.fans)
    assert page.get_by_role("region", name="继续").count() == 0
    page.goto(page.url + "calculator?rules=guobiao&h=123m456p7s")
    page.get_by_text("还差 7 张").wait_for()
    page.get_by_role("link", name="雀谱 首页").click()
    page.get_by_role("region", name="继续").get_by_role("link").click()
    page.get_by_text("还差 7 张").wait_for()
    assert page.input_value("#notation") == "123m456p7s"


@pytest.mark.quick
def test_a_new_page_has_the_focus_and_the_back_button_works(visit):
    page = visit("/")
    page.get_by_role("navigation").first.get_by_role("link", name="番谱").click()
    page.wait_for_url("**/rulebooks/**")
    page.locator("main#main:focus").wait_for()
    page.get_by_role("searchbox").wait_for()
    page.keyboard.press("Tab")
    assert page.evaluate("document.getElementById('main').contains(document.activeElement)")
    page.go_back()
    page.get_by_role("region", name="规则书").wait_for()


def test_a_rulebook_on_paper_is_short_and_has_its_fans_table_and_rulings(visit):
    page = visit("/rulebooks/lingque-29?view=print")
    page.get_by_text("庄家和牌连庄").wait_for()
    page.locator("ol li").last.wait_for()
    page.evaluate("document.fonts.ready.then(() => true)")  # letters of another font break lines elsewhere
    book = quepu.book("lingque-29")
    assert page.locator("ol li").count() == len(book.rulings)
    assert page.locator("article").count() == len(book.fans)
    page.get_by_role("heading", name=re.compile("简表")).first.wait_for()
    page.emulate_media(media="print")
    page.get_by_role("button", name="打印", exact=True).wait_for(state="hidden")
    pages = page.pdf(format="A4").count(b"/Type /Page\n")
    assert 4 <= pages <= 16  # with the rules in words


def test_what_an_edition_changed_stands_with_the_fan_and_with_the_table(visit):
    page = visit("/rulebooks/lingque-29#全不靠")
    detail = page.get_by_role("complementary", name="全不靠")
    detail.get_by_text("8 副 3 翻 → 12 副 3 翻").wait_for()
    page.get_by_role("button", name="对照").click()
    page.get_by_role("region", name="牌桌规定").get_by_text("庄家和牌", exact=True).wait_for()
    page.get_by_role("region", name="规则文字").get_by_text("庄家（東家）首先掷骰").wait_for()
    page.get_by_role("button", name="规则", exact=True).click()
    page.get_by_text("放铳者付和家 48，其余各家付和家 24").wait_for()


def test_the_character_that_is_wrong_is_shown_whole(visit):
    page = visit("/calculator?rules=guobiao&h=")
    page.fill("#notation", "12m😀")
    page.locator("mark").wait_for()
    assert page.locator("mark").inner_text() == "😀"


def test_a_book_that_there_is_not_is_no_list_of_ids(visit):
    page = visit("/rulebooks/nosuchbook", lang="en")
    page.get_by_text("This rulebook does not exist.").wait_for()
    assert "guobiao-mcr" not in page.locator("main").inner_text()


def test_the_way_back_from_the_rulebooks_loads_no_other_book(visit):
    page = visit("/scorekeeper/club/desk")
    page.get_by_role("link", name="番谱").first.click()
    page.locator("[data-fan]").first.wait_for()
    loaded = []
    page.on("request", lambda request: loaded.append(request.url))
    page.go_back()
    page.get_by_role("heading", name="desk").wait_for()
    page.wait_for_load_state("networkidle")
    assert [url for url in loaded if "/api/books/" in url] == []


def test_a_question_without_melds_says_nothing_of_them(visit):
    page = visit("/practice?rules=guobiao&kind=pays&level=1&seed=7")
    page.get_by_text("其余三家未听").wait_for()
    assert page.get_by_text("副露都来自上家").count() == 0
    page.goto(page.url.replace("seed=7", "seed=1"))
    page.get_by_text("副露都来自上家").wait_for()


def test_an_empty_log_is_refused_when_it_is_chosen(visit, tmp_path):
    page = visit("/replays")
    page.get_by_role("button", name="导入牌谱").click()
    dialog = page.get_by_role("dialog")
    empty = tmp_path / "empty.log"
    empty.write_text("\n")
    dialog.locator("input[type=file]").set_input_files(str(empty))
    dialog.get_by_text("“empty.log”是空的").wait_for()
    dialog.get_by_text("选一个文件，或拖到这里").wait_for()


@pytest.mark.server("a draft is counted with numpy, which no device has")
def test_the_workshop_says_what_it_took_for_another(visit):
    page = visit("/workshop?rules=guobiao-mcr")
    value = page.get_by_role("spinbutton", name="大四喜 番")
    for typed, taken in (("-5", "0"), ("1.5", "2"), ("99999", "1000")):
        value.fill(typed)
        value.press("Tab")
        page.get_by_text(f"应为 0 到 1000 的整数，已记作 {taken}。").wait_for()
        assert value.input_value() == taken
    value.fill("80")
    value.press("Tab")
    page.get_by_text("的整数，已记作").wait_for(state="hidden")
    called = page.get_by_label("草稿的名称")
    name = called.input_value()
    called.fill("")
    called.press("Tab")
    page.get_by_text(f"草稿须有名称，仍叫“{name}”。").wait_for()
    called.fill(name)
    page.get_by_text("草稿须有名称").wait_for(state="hidden")


def test_a_table_counts_in_the_words_of_its_book(visit):
    page = table(visit, book="guobiao")
    page.get_by_text("依次点和家、谁点炮、番数，即可记下。").wait_for()


def test_the_way_back_closes_a_fan_of_a_phone_and_then_leaves_the_book(visit):
    page = visit("/", size="bars")
    page.get_by_role("link", name="番谱", exact=True).locator("visible=true").click()
    page.locator("[data-fan]").nth(3).click()
    page.get_by_role("dialog").wait_for()
    page.evaluate("history.back()")
    page.get_by_role("dialog").wait_for(state="detached")
    page.evaluate("history.back()")
    page.wait_for_function("() => location.pathname === '/'")
