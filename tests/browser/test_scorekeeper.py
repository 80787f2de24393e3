"""The scorekeeper at a noisy table: the usual hand is three taps, whatever else is not far."""

import json

import pytest

import quepu
from quepu.cli import run
from quepu.rules.measured_figures import usual
from quepu.rules.play_rules import play_rules
from tests.browser.score_table import COUNT, FIRST_OF_THREE, table
from tests.browser.targets import IN_SIGHT, TOO_WIDE

pytestmark = pytest.mark.browser


@pytest.mark.quick
@pytest.mark.parametrize("book", FIRST_OF_THREE)
def test_the_usual_hand_is_three_taps(visit, book):
    page = table(visit, book)
    page.evaluate(COUNT)
    form = page.locator("form")
    value = usual(quepu.book(book))[0]
    unit, words = quepu.book(book).unit.zh, play_rules(quepu.book(book)).words
    form.get_by_role("group", name="和家").get_by_role("button", name="周").tap()
    form.get_by_role("group", name=f"谁{words.discarded.zh}").get_by_role("button", name="林").tap()
    key = form.get_by_role("button", name=f"{value} {unit}，记下", exact=True)
    box = key.bounding_box()
    assert box["y"] + box["height"] < 844 - 56  # reached without scrolling, above the tabs
    key.tap()
    just = page.get_by_role("main").get_by_role("status").filter(has_text="林 付 周")  # another says what was sent late
    just.get_by_text(f"周 {words.won.zh} {value} {unit}，林 {words.discarded.zh}").wait_for()
    assert page.evaluate("window.taps") == 3
    page.get_by_role("button", name="撤销", exact=True).tap()  # a slip is taken back with one more
    just.wait_for(state="detached")
    assert page.get_by_role("region", name="分数").locator("strong").all_inner_texts() == ["0"] * 4


def test_a_name_of_four_characters_stands_whole_above_its_score(visit):
    page = visit("/scorekeeper", size="bars")
    for i, name in enumerate(["欧阳长名", "司马相如", "诸葛孔明", "上官婉儿"]):
        page.locator("form input").nth(i).fill(name)
    page.get_by_role("button", name="开始记分").click()
    names = page.get_by_role("region", name="分数").locator("b")
    names.nth(3).wait_for()
    for width in (390, 360):
        page.set_viewport_size({"width": width, "height": 640})
        assert names.evaluate_all("all => all.map((one) => one.scrollWidth - one.clientWidth)") == [0] * 4, width


@pytest.mark.quick
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


@pytest.mark.server("what is on its way there is held up")
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
    while not held:
        page.wait_for_timeout(50)
    held.pop().continue_()
    form.get_by_text("东 2 局").or_(page.get_by_text("东 2 局")).first.wait_for()
    assert [text.split() for text in winners.all_inner_texts()] == [
        one.split() for one in ["北 林", "东 周", "南 何", "西 许"]
    ]
    assert winners.nth(2).get_attribute("aria-pressed") == "true"
    assert winners.nth(1).get_attribute("aria-pressed") == "false"


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


@pytest.mark.quick
def test_house_rules_of_a_table_are_in_force(visit):
    page = visit("/scorekeeper")
    page.get_by_role("button", name="自定规则…").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("起和（原规则 10）").fill("20")
    dialog.get_by_text("起和 20").wait_for()
    dialog.get_by_role("button", name="启用").click()
    page.get_by_role("button", name="开始记分").click()
    form = page.locator("form")
    form.get_by_text("起和 20").wait_for()
    assert form.get_by_role("group", name="常见点数").get_by_role("button", name="12 点").count() == 0


@pytest.mark.quick
def test_an_option_of_a_long_list_is_found_and_asked_for_before_the_numbers(visit):
    page = visit("/scorekeeper", book="canton", size="bars")
    page.get_by_role("button", name="自定规则…").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("searchbox").fill("一炮多響")  # in the other script
    most = dialog.get_by_label("一炮多响：同一张牌至多几家食糊")
    most.wait_for()
    assert dialog.get_by_label("打出第三副三元牌的人包大三元").count() == 0
    most.select_option(label="两家")
    dialog.get_by_text("可用：").wait_for()
    dialog.get_by_role("button", name="启用").click()
    page.get_by_role("button", name="开始记分").click()
    page.get_by_role("group", name="和家").get_by_role("button", name="南").click()
    page.get_by_role("group", name="谁出冲，或自摸").get_by_role("button", name="西").click()
    also = page.get_by_role("group", name="同一张牌还有谁和").bounding_box()
    keys = page.get_by_role("group", name="常见番数").bounding_box()
    assert also["y"] + also["height"] <= keys["y"]  # a number is saved as soon as it is tapped
    saving = page.get_by_role("group", name="常见番数").get_by_role("button", name="番，记下")
    assert saving.count() > 1
    page.get_by_role("group", name="同一张牌还有谁和").get_by_role("button").first.click()
    saving.first.wait_for(state="detached")  # with two winners a key chooses the fan, and a button saves
    assert saving.count() == 0
    assert page.get_by_text("点数字即记下").count() == 0


@pytest.mark.quick
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
    printed = json.loads(capsys.readouterr().out)["rows"]
    assert printed[-1]["totals"] == [-48, 96, -24, -24]
    page.get_by_role("link", name="我的桌").click()
    page.locator("input[type=file]").set_input_files(log)
    page.get_by_role("region", name="分数").get_by_text("+96").wait_for()
    with page.expect_download() as caught:
        page.get_by_role("link", name="CSV").click()
    written = caught.value.path().read_text("utf-8")
    assert written.startswith("\ufeff"), "spreadsheets read it as UTF-8"
    assert "周 和 24 点" in written


@pytest.mark.parametrize("book", FIRST_OF_THREE)
def test_the_usual_hand_needs_no_scrolling_where_the_browser_shows_its_bars(visit, book):
    page = table(visit, book, size="bars")
    words = play_rules(quepu.book(book)).words
    form = page.locator("form")
    keys = form.get_by_role("group", name="常见").get_by_role("button")
    status = page.get_by_role("status")
    page.evaluate(COUNT)
    for n, size in enumerate(({"width": 390, "height": 664}, {"width": 360, "height": 640})):
        page.set_viewport_size(size)
        winner, payer = (("周", "林"), ("何", "许"))[n]
        form.get_by_role("group", name="和家").get_by_role("button", name=winner).tap()
        form.get_by_role("group", name=f"谁{words.discarded.zh}").get_by_role("button", name=payer).tap()
        box = keys.last.bounding_box()
        assert box["y"] + box["height"] <= size["height"] - 56, size
        keys.nth(3).tap()
        status.get_by_text(f"{payer} {words.discarded.zh}").wait_for()
        assert page.evaluate("[window.taps, scrollY]") == [3 * (n + 1), 0]


@pytest.mark.parametrize("book", FIRST_OF_THREE)
def test_a_phone_that_lies_flat_shows_names_and_keys_at_once(visit, book):
    page = table(visit, book, size="bars")
    page.set_viewport_size({"width": 844, "height": 390})
    form = page.locator("form").first
    keys = form.get_by_role("group", name="常见").get_by_role("button")
    names = form.get_by_role("group", name="和家").get_by_role("button")

    def in_view(*buttons):
        for one in buttons:
            box = one.bounding_box()
            assert 0 <= box["y"] < box["y"] + box["height"] <= 390, one

    in_view(*names.all(), *keys.all(), page.get_by_role("region", name="分数"))
    names.nth(1).tap()
    form.get_by_role("group", name="谁").get_by_role("button").first.tap()
    keys.nth(3).tap()
    undo = page.get_by_role("main").get_by_role("status").get_by_role("button", name="撤销", exact=True)
    undo.wait_for()
    in_view(undo, *names.all(), *keys.all())
    assert page.evaluate("scrollY") == 0
    assert page.evaluate(TOO_WIDE) <= 0


def test_a_self_draw_is_a_whole_word_in_english_too(visit):
    page = table(visit, size="bars")
    page.locator("form").get_by_role("group", name="和家").get_by_role("button", name="周").tap()
    page.get_by_role("button", name="设置").tap()
    page.get_by_role("dialog").get_by_role("button", name="English").tap()
    page.keyboard.press("Escape")
    key = page.get_by_role("group", name="Who discarded").get_by_text("Self-draw")
    key.tap()  # chosen, it is bold
    for width in (390, 360):
        page.set_viewport_size({"width": width, "height": 640})
        assert key.evaluate("one => one.scrollWidth - one.clientWidth") <= 0, width


def test_typed_tiles_off_a_discard_need_who_gave_the_pungs(visit):
    page = table(visit, size="bars")
    form = page.locator("form")
    form.get_by_role("group", name="和家").get_by_role("button", name="林").tap()
    form.get_by_role("group", name="谁放铳").get_by_role("button", name="周").tap()
    form.get_by_role("button", name="填牌").tap()
    form.get_by_label("和牌的十四张").fill("3s(111m)(222m)(EEE)(888p)+3s")
    form.get_by_text("(111m) (222m) (EEE) (888p) 是谁打的").wait_for()
    assert form.get_by_role("button", name="记下", exact=True).is_disabled()
    for meld in ("(111m)", "(222m)", "(EEE)", "(888p)"):
        form.get_by_role("group", name=f"{meld} 是谁打的", exact=True).get_by_role("button", name="周").tap()
    form.get_by_text("全包牌（提供 5 枚）").first.wait_for()
    form.get_by_role("button", name="河底捞鱼").wait_for()
    assert form.get_by_role("button", name="岭上开花").count() == 0, "nobody drew this tile"
    form.get_by_role("button", name="记下", exact=True).tap()
    page.get_by_role("status").get_by_text("林 和 42 点，周 放铳").wait_for()
    assert page.get_by_role("region", name="分数").locator("strong").all_inner_texts() == ["+168", "−168", "0", "0"]


def test_fan_are_announced_at_a_table_of_yuque(visit):
    page = table(visit, "yuque-54", size="bars")
    form = page.locator("form")
    form.get_by_role("group", name="和家").get_by_role("button", name="林").tap()
    form.get_by_role("group", name="谁放铳").get_by_role("button", name="自摸").tap()
    form.get_by_label("周 听牌番数").fill("7")
    form.get_by_label("番数", exact=True).fill("18")
    form.get_by_text("林 自摸 18 番 324 点").wait_for()
    form.get_by_role("button", name="记下", exact=True).tap()
    page.get_by_role("status").get_by_text("林 自摸 18 番 324 点").wait_for()
    assert page.get_by_role("region", name="分数").locator("strong").all_inner_texts() == ["+324", "−30", "−54", "−54"]
    keys = form.get_by_role("group", name="常见番数")
    form.get_by_role("group", name="和家").get_by_role("button", name="周").tap()
    form.get_by_role("group", name="谁放铳").get_by_role("button", name="林").tap()
    assert "324 点" in keys.get_by_role("button", name="18 番，记下").inner_text()
    form.get_by_role("button", name="填 何 的牌").tap()
    form.get_by_label("何 的十三张").fill("(123m)(456m)78m234s66s")
    form.get_by_label("桌上已亮出的其他牌").fill("9999m")
    keys.get_by_role("button", name="9 番，记下").tap()
    page.get_by_role("region", name="记录").get_by_text("听六万：无番，0 番 0 点，未和得 0").wait_for()
    form.get_by_role("button", name="罚分").tap()
    form.get_by_role("group", name="谁", exact=True).get_by_role("button", name="何").tap()
    form.get_by_role("group", name="违例").get_by_role("button", name="冲和").tap()
    form.get_by_role("button", name="记下", exact=True).tap()
    page.get_by_text("这一局停和陪打：何").wait_for()
    form.get_by_text("停和陪打，不算听牌").wait_for()
    form.get_by_role("group", name="和家").get_by_role("button", name="何").tap()
    form.get_by_role("group", name="谁放铳").get_by_role("button", name="林").tap()
    form.get_by_label("番数", exact=True).fill("4")
    form.get_by_text("何 这一局停和陪打，不能和").wait_for()


@pytest.mark.parametrize("size", [(390, 664), (360, 640)])
def test_a_refused_tap_says_so_where_it_is_seen(visit, size):
    page = table(visit, "guobiao", size="bars")
    page.set_viewport_size({"width": size[0], "height": size[1]})
    form = page.locator("form")
    form.get_by_role("button", name="罚分").tap()
    form.get_by_role("group", name="谁", exact=True).get_by_role("button", name="许").tap()
    form.get_by_role("group", name="违例").get_by_role("button", name="诈和").tap()
    form.get_by_role("button", name="记下", exact=True).tap()
    winners = form.get_by_role("group", name="和家").get_by_role("button")
    winners.filter(has_text="停和").wait_for()
    assert ["停和" in text for text in winners.all_inner_texts()] == [False, False, False, True]
    winners.nth(3).tap()
    form.get_by_role("group", name="谁点炮").get_by_role("button", name="林").tap()
    form.get_by_role("button", name="24 番，记下", exact=True).tap()
    refused = form.get_by_text("许 这一盘停和陪打，不能和。")
    refused.wait_for()
    assert refused.evaluate(IN_SIGHT)
