"""The desk of a tournament as an organiser uses it who has never seen it, and as everybody else sees it."""

import re
from collections import Counter

import pytest

from tests.browser.desk import DRAWN, SLIP, opened, pages, part, slip, web, written
from tests.browser.targets import CUT, TOO_WIDE, sideways

pytestmark = pytest.mark.browser


def test_from_nothing_to_the_standings_of_round_one(visit):
    page = visit("/scorekeeper")
    page.get_by_role("link", name="比赛（多桌）：裁判台").click()
    form = page.get_by_role("form", name="开一场比赛")
    form.get_by_label("名称").fill("周五赛")
    form.locator("textarea").fill(
        "\n".join([*(f"选手{i},红" for i in range(1, 7)), *(f"选手{i}" for i in range(7, 14))])
    )
    form.get_by_text("（13 人）").wait_for()
    form.get_by_role("button", name="开裁判台").click()
    page.locator("details", has_text="余下的 4 轮").wait_for()  # drawn as it was opened
    page.get_by_label("名字", exact=True).fill("晚到")
    page.get_by_role("button", name="报到").click()
    page.get_by_text("14 人在场").wait_for()
    page.get_by_role("button", name="选手13", exact=True).click()  # away
    page.get_by_text("13 人在场").wait_for()
    page.get_by_text("谁在哪几轮缺席").click()
    page.get_by_label("谁", exact=True).select_option("选手2")
    page.get_by_role("group", name="选手2缺席的轮次").get_by_role("button", name="第 2 轮").click()
    page.get_by_role("button", name="重新排桌").click()
    coming = page.locator("details", has_text="余下的 4 轮")
    coming.locator("ol", has_text="晚到").first.wait_for()
    seated = [re.findall(r"选手2(?!\d)", text) for text in coming.locator("ol").all_inner_texts()]
    assert len(seated) == 4
    assert not seated[1]
    assert sum(map(len, seated)) >= 2  # in the other rounds, but for one of rest
    page.get_by_label("各桌牌墙相同").check()
    page.get_by_role("button", name="开第 1 轮").click()
    first = page.get_by_role("region", name="第 1 轮")
    first.get_by_text("轮空：").wait_for()
    assert re.fullmatch(r"\d+:\d\d", page.get_by_role("timer").inner_text())

    promised = first.locator("code").inner_text()
    assert re.fullmatch("[0-9a-f]{64}", promised)
    blank = visit(page.url[page.url.index("/scorekeeper") :] + "?slips")
    blank.locator("main section table").nth(2).wait_for()
    assert blank.locator("main section table").count() == 3
    assert pages(blank) == 1

    schedule = visit(page.url[page.url.index("/scorekeeper") :] + "?schedule")
    row = schedule.locator("tr", has_text="选手1 红")
    row.wait_for()
    assert row.locator("td").count() == 4
    assert re.fullmatch(r"\d [东南西北]|轮空", row.locator("td").first.inner_text())
    assert pages(schedule) == 1

    page.get_by_role("button", name="公开页").click()
    link = page.get_by_role("dialog").get_by_label("排桌、成绩、名次").input_value()
    page.get_by_role("dialog").get_by_role("button", name="关闭").click()
    reader = visit(link[link.index("/scorekeeper") :], size="phone")
    reader.get_by_role("region", name="第 1 轮").wait_for()
    assert reader.get_by_role("button", name="填成绩").count() == 0
    assert reader.get_by_role("button", name="开第").count() == 0

    for i in range(3):
        first.get_by_role("button", name="填成绩").first.click()
        slip = page.get_by_role("dialog")
        for seat, points in enumerate((30 + i, 10, -10)):
            slip.locator("input").nth(seat).fill(str(points))
        assert slip.locator("input").nth(3).get_attribute("placeholder") == f"−{30 + i}"  # the fourth follows
        slip.get_by_role("button", name="记下").click()
        slip.wait_for(state="detached")
    first.get_by_text("打完了").wait_for()
    first.get_by_role("button", name="改成绩").first.click()
    slip = page.get_by_role("dialog")
    slip.locator("input").nth(0).fill("31")
    slip.locator("input").nth(3).fill("-31")
    slip.get_by_label("更正原因").fill("抄错")
    slip.get_by_role("button", name="记下").click()
    first.get_by_text("改过，原来：+30 +10 −10 −30").wait_for()
    standings = page.get_by_role("region", name="名次")
    assert standings.locator("tbody").first.locator("tr").count() == 14
    assert "+32" in standings.locator("tbody tr").first.inner_text()
    reader.get_by_text("改过，原来").wait_for()  # it follows

    page.get_by_role("button", name="撤回第 1 轮…").click()
    page.get_by_role("button", name="取消").click()
    wall = visit(f"{link[link.index('/scorekeeper') :]}?big")
    wall.get_by_role("timer").wait_for()
    wall.get_by_text("周五赛").wait_for()
    assert pages(page) <= 2
    page.emulate_media(media="print")
    assert not page.get_by_role("button", name="开第").first.is_visible()
    assert standings.is_visible()


@pytest.mark.server("two browsers meet at one desk, and what it has is read from the server")
@pytest.mark.slow
def test_two_desks_at_once_lose_nothing(visit, site):
    body = {
        "who": "0123456789ab",
        "title": "两台",
        "rules": "guobiao-mcr",
        "players": [f"选手{i}" for i in range(1, 14)],
    }
    made = web.post(f"{site}/api/desks", json=body).json()
    path = f"/api/desks/{made['id']}"
    record = {"do": "draw", "rounds": 2, "by": "schedule"}
    web.post(site + path, json={"seen": made["length"], "record": record}).raise_for_status()
    desk, phone = (visit(f"/scorekeeper/desk/{made['id']}", size=size) for size in ("desktop", "bars"))
    desk.get_by_role("button", name="开第 1 轮").click()
    for page in (desk, phone):
        page.get_by_role("region", name="第 1 轮").wait_for()

    forms = [slip(desk, 1, 30, 10, -10), slip(phone, 2, 50, -20, -20)]
    for form in forms:  # two tables at the same moment: whoever comes second is sent again by itself
        form.locator("form button.main").click()
    for form in forms:
        form.wait_for(state="detached")

    other = slip(phone, 3, 80, 8, -8)
    written(slip(desk, 3, 8, 8, 8))
    other.get_by_text("别处刚填了这一桌：+8 +8 +8 −24").wait_for()  # nothing is overwritten unseen
    other.get_by_role("button", name="改用我的").click()
    other.wait_for(state="detached")

    right = slip(phone, 1, 31, 10, -10, -31)
    right.get_by_label("更正原因").fill("抄错")
    desk.get_by_label("受罚者").select_option("选手3")
    desk.get_by_label("罚多少").fill("20")
    desk.get_by_role("button", name="罚", exact=True).click()
    written(right)
    desk.get_by_text("选手3 −20").wait_for()

    phone.context.set_offline(True)
    part(phone, "选手")
    phone.get_by_label("名字", exact=True).fill("晚到")
    phone.get_by_role("button", name="报到").click()
    phone.get_by_text("已保存在本机").wait_for()
    phone.context.set_offline(False)
    desk.get_by_text("尚未排入：晚到").wait_for()
    desk.get_by_role("button", name="重排余下 1 轮").click()
    part(phone, "轮次")
    phone.get_by_text("尚未排入").wait_for(state="detached")
    phone.get_by_role("button", name="开第 2 轮").click()
    for page in (desk, phone):
        page.get_by_role("region", name="第 2 轮").get_by_text("轮空：").wait_for()

    view = web.get(site + path).json()
    results = [[one["points"] for one in table["results"]] for table in view["rounds"][0]["tables"]]
    assert results == [
        [[30, 10, -10, -30], [31, 10, -10, -31]],
        [[50, -20, -20, -10]],
        [[8, 8, 8, -24], [80, 8, -8, -80]],
    ]
    total = Counter(dict.fromkeys([*body["players"], "晚到"], 0))
    for table in view["rounds"][0]["tables"]:
        total.update(dict(zip(table["names"], table["results"][-1]["points"], strict=True)))
    total["选手3"] -= 20
    part(phone, "名次")
    for page in (desk, phone):
        rows = page.get_by_role("region", name="名次").locator("tbody").first.locator("tr").all()
        cells = [row.locator("td").all_inner_texts() for row in rows]
        assert {name: int(points.replace("−", "-")) for _, name, points, *_ in cells} == dict(total)


@pytest.mark.server("what the desk has is written there")
def test_a_button_pressed_twice_begins_one_round_and_blames_nobody(visit, site):
    id = opened(site, DRAWN)
    page = visit(f"/scorekeeper/desk/{id}", size="bars")
    page.get_by_role("button", name="开第 1 轮").dblclick()
    page.get_by_role("region", name="第 1 轮").wait_for()
    page.wait_for_load_state("networkidle")
    assert page.get_by_role("alert").count() == 0
    assert web.get(f"{site}/api/desks/{id}").json()["number"] == 1


@pytest.mark.server("what the desk has is written there")
def test_what_was_refused_at_the_desk_does_not_stand_at_a_result(visit, site):
    id = opened(site, DRAWN, {"do": "begin", "open_tables": False, "open_rooms": False})
    page = visit(f"/scorekeeper/desk/{id}", size="bars")
    why = {"error": "不行。"}
    page.route(
        "**/api/desks/*",
        lambda route: (
            route.fulfill(status=400, json=why) if "enter" in (route.request.post_data or "") else route.continue_()
        ),
    )
    part(page, "选手")
    page.get_by_label("名字", exact=True).fill("晚到")
    page.get_by_role("button", name="报到").click()
    page.get_by_role("alert").wait_for()
    part(page, "轮次")
    form = slip(page, 1, 30, 10, -10)
    form.get_by_role("button", name="记下").wait_for()
    assert form.get_by_role("alert").count() == 0


@pytest.mark.server("what the desk has is written there")
@pytest.mark.parametrize(
    ("lang", "called"),
    [("zh", "选手{}"), ("en", "选手{}"), ("zh", "长" * 39 + "{}"), ("en", "Maria-Magdalena van den Nieuwendijk-Vos{}")],
)
def test_a_desk_and_its_public_page_fit_a_phone(visit, site, lang, called):
    id = opened(site, DRAWN, {"do": "begin", "open_tables": False, "open_rooms": False}, SLIP, called=called)
    public = web.post(f"{site}/api/desks/{id}/reader", json={}).json()["reader"]
    for address in (id, public, f"{id}?schedule"):
        page = visit(f"/scorekeeper/desk/{address}", size="bars", lang=lang)
        page.get_by_text("Konstantin").first.wait_for()
        parts = page.get_by_role("group", name=re.compile("显示内容|View")).get_by_role("button")
        assert parts.count() == {id: 5, public: 3}.get(address, 0)
        for shown in parts.all() or [None]:
            if shown:
                shown.click()
            for width, height in ((390, 664), (360, 640)):
                page.set_viewport_size({"width": width, "height": height})
                assert page.evaluate(TOO_WIDE) <= 0, (address, width)
                assert sideways(page) == [], (address, width)


@pytest.mark.server("what the desk has is written there")
def test_a_phone_shows_one_part_of_a_long_evening_at_a_time(visit, site):
    begin = {"do": "begin", "open_tables": False, "open_rooms": False, "anyway": True}
    page = visit(f"/scorekeeper/desk/{opened(site, DRAWN, begin, begin, begin, players=40)}", size="bars")
    height = "document.documentElement.scrollHeight"
    current, earlier = (page.get_by_role("region", name=f"第 {n} 轮") for n in (3, 1))
    current.get_by_text("桌 10", exact=True).wait_for()
    assert page.get_by_role("region", name=re.compile("^(选手|名次)$")).count() == 0
    assert not earlier.get_by_text("桌 1", exact=True).is_visible()
    earlier.get_by_role("heading").click()
    earlier.get_by_text("桌 1", exact=True).wait_for()
    earlier.get_by_role("heading").click()
    assert page.evaluate(height) < 5000  # ten tables with their buttons; all together it was three times as much
    for name, region in (("选手", "选手"), ("名次", "名次")):
        part(page, name)
        page.get_by_role("region", name=region).wait_for()
        assert page.get_by_role("region").count() == 1
        assert page.evaluate(height) < 3000
    assert pages(page) >= 2  # paper has everything, whatever the phone shows
    page.emulate_media(media="print")
    assert current.is_visible() and page.get_by_role("region", name="名次").is_visible()
    page.emulate_media(media="screen")
    page.set_viewport_size({"width": 1200, "height": 800})
    assert page.get_by_role("group", name="显示内容").get_by_role("button").count() == 3
    assert all(page.get_by_role("region", name=name).is_visible() for name in ("选手", "名次", "第 1 轮"))
    assert earlier.get_by_text("桌 1", exact=True).is_visible()


@pytest.mark.server("what the desk has is written there")
def test_a_desk_without_rounds_begins_at_its_players(visit, site):
    page = visit(f"/scorekeeper/desk/{opened(site)}", size="bars")
    page.get_by_role("region", name="选手").get_by_role("button", name="排桌", exact=True).click()
    page.get_by_role("button", name="开第 1 轮").wait_for()  # on to what is next


@pytest.mark.server("what the desk has is written there")
@pytest.mark.parametrize("called", ["选手{}", "Maximiliane Wertheim {}", "司马欧阳上官诸葛皇甫尉迟{}"])
@pytest.mark.parametrize(("players", "sheets"), [(24, 1), (28, 2), (48, 2)])
def test_six_slips_fill_a_page(visit, site, players, sheets, called):
    begin = {"do": "begin", "open_tables": False, "open_rooms": False}
    id = opened(site, {**DRAWN, "rounds": 1}, begin, players=players, called=called)
    page = visit(f"/scorekeeper/desk/{id}?slips")
    page.get_by_role("region", name=f"桌 {players // 4}").wait_for()
    assert pages(page) == sheets


@pytest.mark.server("what the desk has is written there")
def test_six_slips_of_a_long_title_fill_a_page(visit, site):
    title = "第十七届全国麻将邀请赛暨 Open Championship of the Northern Counties 2026 决赛日"
    begin = {"do": "begin", "open_tables": False, "open_rooms": False}
    id = opened(site, {"do": "amend", "title": title}, {**DRAWN, "rounds": 1}, begin, players=24, called="选手先生{}")
    page = visit(f"/scorekeeper/desk/{id}?slips")
    page.get_by_role("region", name="桌 6").wait_for()
    assert pages(page) == 1


@pytest.mark.server("what the desk has is written there")
@pytest.mark.parametrize("where", ["desk", "table"])
def test_the_top_of_the_page_names_the_book_that_counts_there(visit, site, where):
    body = {"who": "0123456789ab", "rules": "guobiao", "names": ["林", "周", "何", "许"]}
    id = f"desk/{opened(site)}" if where == "desk" else web.post(f"{site}/api/tables", json=body).json()["id"]
    page = visit(f"/scorekeeper/{id}", size="bars", book="lingque-29")
    page.get_by_role("banner").locator("b[title^=国标麻将]").wait_for()
    assert page.get_by_role("banner").get_by_role("combobox").count() == 0
    page.get_by_role("link", name="番谱").locator("visible=true").click()
    assert page.get_by_role("banner").get_by_role("combobox").input_value() == "lingque-29"  # the own choice stays


@pytest.mark.server("what the desk has is written there")
def test_no_word_of_a_desk_is_cut_on_a_narrow_phone(visit, site):
    id = opened(site, DRAWN, {"do": "begin", "open_tables": False, "open_rooms": False})
    page = visit(f"/scorekeeper/desk/{id}", size="bars", lang="en")
    page.set_viewport_size({"width": 360, "height": 640})
    for name, words in (("Players", "Register"), ("Sessions", "Start session 2"), ("Standings", "Penalise")):
        part(page, name)
        page.get_by_role("button", name=words, exact=True).wait_for()
        assert page.evaluate(CUT) == []


@pytest.mark.server("what the desk has is written there")
def test_points_that_no_table_can_have_are_refused_before_they_are_written(visit, site):
    id = opened(site, DRAWN, {"do": "begin", "open_tables": False, "open_rooms": False})
    page = visit(f"/scorekeeper/desk/{id}", size="bars")
    form = slip(page, 1, 30, 10, -10, -20)
    form.get_by_role("button", name="记下").wait_for()
    fields = form.locator("input[type=number]")
    for points, words, goes in (
        ("-20", "合计 +10", False),
        ("-40.5", "分数须为整数", False),
        ("-40", "罚分不归任何人时可以这样记", True),
    ):
        fields.nth(3).fill(points)
        form.get_by_text(words).wait_for()
        assert form.get_by_role("button", name="记下").is_enabled() == goes


@pytest.mark.server("what the desk has is written there")
def test_the_rounds_to_come_are_as_many_as_are_drawn(visit, site):
    page = visit(f"/scorekeeper/desk/{opened(site, {**DRAWN, 'rounds': 3})}")
    field = page.get_by_label("还打几轮")
    assert field.input_value() == "3"
    field.fill("2")
    page.get_by_role("button", name="重新排桌").click()
    page.locator("details", has_text="余下的 2 轮").wait_for()
