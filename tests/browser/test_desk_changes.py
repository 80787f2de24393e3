"""Changes at the desk: drafts of entries, corrections, seats, seating brought along, a player's page, the wall."""

import re

import pytest

from tests.browser.desk import DRAWN, SLIP, opened, pages, part, slip, web
from tests.browser.targets import CUT, TOO_WIDE, sideways

pytestmark = pytest.mark.browser


def test_what_was_typed_for_a_desk_or_a_table_is_there_again_after_another_page(visit):
    page = visit("/scorekeeper", size="bars")
    page.locator("form input").first.fill("欧阳长名")
    page.get_by_role("link", name="比赛（多桌）：裁判台").click()
    names = page.get_by_role("form", name="开一场比赛").locator("textarea")
    names.fill("甲\n乙\n丙\n丁")
    page.get_by_role("link", name="番谱").locator("visible=true").click()
    page.get_by_role("searchbox").wait_for()
    page.go_back()
    page.go_back() if "/rulebooks" in page.url else None  # that of the rulebooks went on to a book
    names.wait_for()
    assert names.input_value() == "甲\n乙\n丙\n丁"
    page.go_back()
    page.get_by_role("button", name="开始记分").wait_for()
    assert page.locator("form input").first.input_value() == "欧阳长名"
    page.get_by_role("button", name="开始记分").click()
    page.get_by_role("region", name=re.compile("^记一")).wait_for()
    page.go_back()
    page.get_by_role("button", name="开始记分").wait_for()
    assert page.locator("form input").first.input_value() == ""  # that table is open


@pytest.mark.server("another device's may be there")
def test_a_desk_that_is_not_there_shows_the_way_back(visit):
    page = visit("/scorekeeper/desk/nosuch", missing=["/api/desks/nosuch"])
    page.get_by_role("alert").get_by_role("link", name="返回裁判台").click()
    page.get_by_role("form", name="开一场比赛").wait_for()


BEGUN = {"do": "begin", "open_tables": False, "open_rooms": False}


@pytest.mark.server("what the desk has is written there")
@pytest.mark.quick("bars")
@pytest.mark.parametrize("size", ["bars", "desktop"])
def test_a_wrong_result_and_a_wrong_penalty_are_taken_back(visit, site, size):
    page = visit(f"/scorekeeper/desk/{opened(site, DRAWN, BEGUN, SLIP)}", size=size)
    first = page.get_by_role("region", name="第 1 轮")
    first.get_by_text("+324").wait_for()
    form = slip(page, 1)
    form.get_by_role("button", name="删除成绩").click()
    form.wait_for(state="detached")
    first.get_by_text("+324").wait_for(state="detached")
    page.get_by_role("button", name="撤销上一步").first.click()
    first.get_by_text("+324").wait_for()
    if size == "bars":
        part(page, "名次")
    page.get_by_label("受罚者").select_option("选手3")
    page.get_by_label("罚多少", exact=True).fill("20")
    page.get_by_label("为什么").fill("迟到")
    page.get_by_role("button", name="罚", exact=True).click()
    page.get_by_text("选手3 −20").wait_for()
    part(page, "记录")
    log = page.get_by_role("region", name="记录")
    lines = log.get_by_role("list")  # above it stands the latest step, in the same words
    log.get_by_role("button", name="改：第 1 轮 选手3 罚 20 分（迟到）").click()
    form = page.get_by_role("dialog")
    form.get_by_label("罚分", exact=True).fill("10")
    form.get_by_label("更正或删除的原因").fill("只迟到五分钟")
    form.get_by_role("button", name="更正").click()
    form.wait_for(state="detached")
    lines.get_by_text("更正：第 1 轮 选手3 罚 10 分（迟到）").wait_for()
    lines.get_by_text("只迟到五分钟").wait_for()
    page.get_by_label("裁决或备注").fill("牌墙倒了，重新开局")
    log.get_by_role("button", name="记下").click()
    lines.get_by_text("牌墙倒了，重新开局").wait_for()
    log.get_by_role("button", name="改：牌墙倒了，重新开局").click()
    page.get_by_role("dialog").get_by_role("button", name="删除").click()
    lines.get_by_text("删除：牌墙倒了，重新开局").wait_for()
    assert page.evaluate(TOO_WIDE) <= 0
    assert sideways(page) == []


@pytest.mark.server("what the desk has is written there")
def test_a_player_is_renamed_replaced_and_moved_with_the_cost_shown(visit, site):
    page = visit(f"/scorekeeper/desk/{opened(site, DRAWN, BEGUN, SLIP)}")
    choice = page.get_by_label("改某位选手")
    choice.select_option("选手3")
    page.get_by_role("dialog").get_by_label("名字（所有轮次一起改）").fill("选手叁")
    page.get_by_role("dialog").get_by_role("button", name="改名").click()
    page.get_by_role("dialog").wait_for(state="detached")
    page.get_by_role("region", name="第 1 轮").get_by_text("选手叁").wait_for()
    choice.select_option("选手4")
    form = page.get_by_role("form", name="替补")
    form.get_by_label("谁来替").fill("选手5")
    form.get_by_label("从第几轮起").fill("1")
    form.get_by_role("button", name="换人").click()
    page.get_by_role("dialog").get_by_role("alert").get_by_text("自己有座位").wait_for()
    form.get_by_label("谁来替").fill("替补")
    form.get_by_label("从第几轮起").fill("2")
    form.get_by_role("button", name="换人").click()
    page.get_by_role("dialog").wait_for(state="detached")
    page.get_by_role("region", name="名次").get_by_role("cell", name="替补").wait_for()
    choice.select_option("选手叁")
    form = page.get_by_role("form", name="换座")
    form.get_by_label("哪一轮").select_option("2")
    other = form.get_by_label("与谁换")
    other.wait_for()
    assert "重复" in other.locator("option").nth(1).inner_text()
    other.select_option(index=1)
    form.get_by_role("button", name="换座").click()
    page.get_by_role("dialog").wait_for(state="detached")


@pytest.mark.server("what the desk has is written there")
def test_seating_brought_along_names_each_wrong_line_and_keeps_what_was_there(visit, site):
    id = opened(site, DRAWN)
    page = visit(f"/scorekeeper/desk/{id}")
    page.get_by_role("button", name="用自己的排桌").click()
    form = page.get_by_role("form", name="用自己的排桌")
    form.get_by_label("排桌", exact=True).fill("1,2,3,谁\n5,6,7,5")
    form.get_by_role("button", name="用这份排桌").click()
    said = form.get_by_role("alert")
    said.get_by_text("第 1 行：名单里没有“谁”").wait_for()
    assert "第 2 行" in said.inner_text()
    assert len(web.get(f"{site}/api/desks/{id}").json()["rounds"]) == 4
    form.get_by_label("排桌", exact=True).fill("1,2,3,4\n5,6,7,8")
    form.get_by_role("button", name="用这份排桌").click()
    page.locator("details", has_text="余下的 1 轮").wait_for()


@pytest.mark.server("what the desk has is written there")
@pytest.mark.parametrize("lang", ["zh", "en"])
def test_a_players_own_page_tells_where_to_sit_and_checks_in(visit, site, lang):
    id = opened(site, DRAWN, BEGUN, SLIP, {"do": "amend", "check_in": True})
    public = web.post(f"{site}/api/desks/{id}/reader", json={}).json()["reader"]
    table = web.get(f"{site}/api/desks/{id}").json()["rounds"][1]["tables"][0]
    name = next(
        n for n in table["names"] if n in web.get(f"{site}/api/desks/{id}").json()["rounds"][0]["tables"][0]["names"]
    )
    page = visit(f"/scorekeeper/desk/{public}?me={name}", size="bars", lang=lang)
    page.get_by_text("桌 1 ·" if lang == "zh" else "Table 1 ·").wait_for()
    page.get_by_role("button", name="签到" if lang == "zh" else "check in").click()
    page.get_by_text("✓ 已签到" if lang == "zh" else "✓ checked in").wait_for()
    assert page.evaluate(TOO_WIDE) <= 0
    assert page.evaluate(CUT) == []
    cards = visit(f"/scorekeeper/desk/{id}?codes")
    cards.get_by_role("img").nth(7).wait_for()
    assert cards.get_by_role("img").count() == 8
    assert pages(cards) == 1


def number_in(text):
    """The number of a cell, as the pages write it."""
    return float(text.replace("−", "-").replace("+", ""))


@pytest.mark.server("what the desk has is written there")
@pytest.mark.parametrize(("lang", "half"), [("zh", "带入以上得分的一半"), ("en", "half of the points above")])
def test_the_rows_of_a_players_page_add_up_after_a_cut_with_half_of_the_points(visit, site, lang, half):
    drawn, second = {**DRAWN, "rounds": 1}, {**SLIP, "table": 2}
    fine = {"do": "fine", "name": "Konstantin", "points": 10}
    id = opened(site, drawn, BEGUN, SLIP, second, fine, {"do": "cut_to", "top": 4, "carry": 0.5}, drawn, BEGUN)
    path = f"{site}/api/desks/{id}"
    view = web.get(path).json()
    view = web.post(path, json={"seen": view["length"], "record": {**SLIP, "round": 2}}).json()
    for line in (view["standings"][0], view["standings"][3], view["standings"][7]):
        page = visit(f"/scorekeeper/desk/{id}?me={line['name']}", size="bars", lang=lang)
        table = page.get_by_role("table")
        table.wait_for()
        rows = [row.split("\t") for row in table.locator("tbody").inner_text().splitlines() if row.strip()]
        at = next((at for at, row in enumerate(rows) if half in row[0]), 0)
        assert at == (len(rows) - 2 if line["stage"] else 0)
        for column, key in ((-2, "total"), (-1, "standard")):
            assert sum(number_in(row[column]) for row in rows[at:]) == line[key]
            assert number_in(table.locator("tfoot td").all_inner_texts()[column]) == line[key]
        assert page.evaluate(TOO_WIDE) <= 0
    page = visit(f"/scorekeeper/desk/{id}", lang=lang)
    part(page, "成绩表" if lang == "zh" else "Results")
    page.get_by_role("columnheader", name="带入" if lang == "zh" else "Carried").wait_for()


@pytest.mark.server("what the desk has is written there")
@pytest.mark.parametrize("lang", ["zh", "en"])
def test_the_rows_of_a_players_page_add_up_after_a_substitute_in_the_middle(visit, site, lang):
    opening = {**BEGUN, "open_tables": True}
    id = opened(site, {"do": "amend", "order": ["standard", "total"]}, {**DRAWN, "rounds": 1}, opening)
    one, two = web.get(f"{site}/api/desks/{id}").json()["rounds"][0]["tables"]
    for number, record in enumerate(
        [
            {"kind": "hand", "winner": 1, "points": 30, "self_draw": True},
            {"kind": "substitute", "player": 1, "name": "Maximiliane Wolkenstein-Trostburg 上官长名"},
            {"kind": "hand", "winner": 1, "points": 24, "self_draw": True},
            {"kind": "end"},
        ],
        1,
    ):
        body = {"seen": number, "do": "add", "record": record}
        assert web.post(f"{site}/api/tables/{one['opened']}", json=body).status_code == 200
    path = f"{site}/api/desks/{id}"
    view = web.get(path).json()
    view = web.post(path, json={"seen": view["length"], "record": {**SLIP, "table": 2}}).json()
    lines = {line["name"]: line for line in view["standings"]}
    for name in (one["names"][1], "Maximiliane Wolkenstein-Trostburg 上官长名", two["names"][0]):
        page = visit(f"/scorekeeper/desk/{id}?me={name}", size="bars", lang=lang)
        table = page.get_by_role("table")
        table.wait_for()
        [row] = [row.split("\t") for row in table.locator("tbody").inner_text().splitlines() if row.strip()]
        points, standard = map(number_in, row[-2:])
        assert (points, standard) == (lines[name]["total"], round(lines[name]["standard"], 2))
        substitute = "替补" if lang == "zh" else "substitute"
        assert (substitute in row[-3]) == name.startswith("Maxi")
        assert list(map(number_in, table.locator("tfoot td").all_inner_texts())) == [points, standard]
        page.set_viewport_size({"width": 360, "height": 640})
        assert page.evaluate(TOO_WIDE) <= 0
        assert page.evaluate(CUT) == []


OUTSIDE = """() => [...document.querySelectorAll('.big .tables li, .big .four > span, .big .clock')].filter((one) => {
    const box = one.getBoundingClientRect();
    const out = box.left < 0 || box.top < 0 || box.right > innerWidth || box.bottom > innerHeight;
    return out || one.scrollWidth > one.clientWidth + 1;
}).map((one) => one.textContent)"""


@pytest.mark.server("what the desk has is written there")
@pytest.mark.parametrize("players", [40, 80, 84])
def test_a_wall_shows_twenty_tables_at_a_glance_and_turns_the_page_beyond(visit, site, players):
    page = visit(f"/scorekeeper/desk/{opened(site, {**DRAWN, 'rounds': 1}, BEGUN, players=players)}?big")
    page.get_by_role("timer").wait_for()
    for width, height in ((1920, 1080), (3840, 2160)):
        page.set_viewport_size({"width": width, "height": height})
        assert page.locator(".big .tables li").count() == {40: 10, 80: 20, 84: 11}[players]
        assert page.evaluate(OUTSIDE) == []
        assert page.get_by_role("timer").bounding_box()["height"] > height * 0.08
        box = page.get_by_role("region", name="大屏幕").bounding_box()
        assert (box["x"], box["y"], box["width"], box["height"]) == (0, 0, width, height)  # over the menu
    assert page.get_by_label("页", exact=True).count() == (players > 80)


@pytest.mark.server("what the desk has is written there")
@pytest.mark.parametrize(
    "called",
    ["选手{}", "Maria-Magdalena van den Nieuwendijk-Vr{}", "长" * 38 + "{}"],
    ids=["short", "latin", "chinese"],
)
@pytest.mark.parametrize("players", [4, 8, 12])
def test_few_tables_fill_a_wall_and_long_names_stay_in_their_place(visit, site, players, called):
    id = opened(site, {**DRAWN, "rounds": 1}, BEGUN, players=players, called=called)
    page = visit(f"/scorekeeper/desk/{id}?big")
    page.get_by_role("timer").wait_for()
    for width, height in ((1920, 1080), (3840, 2160)):
        page.set_viewport_size({"width": width, "height": height})
        assert page.locator(".big .tables li").count() == players // 4
        assert page.evaluate(OUTSIDE.replace(".big .four > span", ".big .standings li")) == []
        if called == "选手{}":
            names = [one.bounding_box()["height"] for one in page.locator(".big .four").all()]
            assert min(names) > height * 0.6 / (players // 4)
        full = [one.get_attribute("title") for one in page.locator(".big .four > span").all()]
        assert called.format(3) in full


@pytest.mark.server("what the desk has is written there")
@pytest.mark.parametrize(("rules", "there"), [("guobiao-ema", 1), ("lingque-29", 0)])
def test_results_for_ema_are_downloaded_where_the_book_is_mcr(visit, site, rules, there):
    short = {"do": "enter", "name": "Konstantin", "team": "Red", "number": "8010002"}
    page = visit(f"/scorekeeper/desk/{opened(site, short, DRAWN, BEGUN, rules=rules)}", size="bars")
    page.get_by_role("link", name="JSON").wait_for()
    page.get_by_text("国标麻将" if there else "灵雀").first.wait_for()  # the list of books is here
    assert page.get_by_role("button", name="EMA").count() == there
    if there:
        page.get_by_role("button", name="EMA").click()
        form = page.get_by_role("dialog")
        form.get_by_text("编号只有七位，已补上开头的 0：Konstantin。").wait_for()
        assert "Konstantin" not in form.get_by_text("没有 EMA 编号").text_content()
        form.get_by_label("举办国").fill("法国")
        form.get_by_text("国家应是三个字母，如 FRA。").wait_for()
        assert form.get_by_role("link", name="下载工作簿").count() == 0
        form.get_by_label("举办国").fill("fra")
        with page.expect_download() as got:
            form.get_by_role("link", name="下载工作簿").click()
        assert got.value.suggested_filename.endswith("-ema.xlsx")
        assert page.evaluate(TOO_WIDE) == 0
