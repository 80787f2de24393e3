"""Names, words and buttons at the widths at which they were missing, cut off or touched an edge."""

import itertools

import pytest

from tests.browser import felt
from tests.browser.targets import TOO_WIDE

pytestmark = pytest.mark.browser


@pytest.mark.parametrize("width", [390, 1024, 1280, 1440])
def test_the_list_of_fans_has_english_names_at_every_width(visit, width):
    page = visit("/rulebooks/lingque-29", lang="en")
    page.set_viewport_size({"width": width, "height": 800})
    name = page.locator("[data-fan='天和'] .english")
    name.wait_for()
    assert name.inner_text() == "Heavenly hand"
    box = page.locator("[data-fan='天和']").bounding_box()
    inside = name.bounding_box()
    assert box["x"] <= inside["x"] < inside["x"] + inside["width"] <= box["x"] + box["width"]


def test_english_tabs_do_not_touch_on_a_narrow_phone(visit):
    page = visit("/practice", size="phone", lang="en")
    page.set_viewport_size({"width": 360, "height": 640})
    page.reload()  # a page that was wider stays so for a moment
    page.locator(".tabs [aria-current]").wait_for()
    boxes = page.evaluate(
        "[...document.querySelectorAll('.tabs a span')].map((one) => one.getBoundingClientRect().toJSON())"
    )
    assert len(boxes) == 7
    gaps = [after["x"] - before["x"] - before["width"] for before, after in itertools.pairwise(boxes)]
    assert min(gaps) >= 5, gaps
    assert boxes[-1]["x"] + boxes[-1]["width"] <= 360


def test_kinds_of_questions_fit_a_narrow_phone_in_english(visit):
    page = visit("/practice?rules=lingque-29&kind=fans&level=1&seed=11", size="phone", lang="en")
    page.set_viewport_size({"width": 360, "height": 640})
    page.reload()
    page.get_by_role("button", name="Pay", exact=True).wait_for()
    assert page.evaluate(TOO_WIDE) <= 0
    kinds = page.get_by_role("group", name="What to practise")
    assert kinds.evaluate("row => row.scrollWidth - row.clientWidth") <= 0


def test_one_fan_of_two_names_is_one_row(visit):
    page = visit("/calculator?rules=guobiao-mcr&h=123m123p123sEEEC%2BC")
    table = page.get_by_role("region", name="两本对照")
    table.get_by_text("门前清 | 门清").wait_for()
    assert table.get_by_role("row").filter(has_text="门清").count() == 1


@pytest.mark.server("a table is opened")
def test_without_people_no_clock_is_offered_and_with_them_none_is_cut_off(visit):
    page = visit("/play")
    form = page.get_by_role("form", name="开一桌")
    form.get_by_text("更多设置").click()
    form.get_by_text("只和电脑打，不限时。").wait_for()
    form.locator("fieldset select").first.select_option("")
    own = form.get_by_role("button", name="自定", exact=True)
    own.wait_for()
    group = form.get_by_role("group", name="时限")
    for width in (1280, 1024, 390, 360):
        page.set_viewport_size({"width": width, "height": 800})
        assert group.evaluate("box => box.scrollWidth - box.clientWidth") <= 0, width


@pytest.mark.parametrize("size", [(390, 664), (360, 640)])
def test_claims_keep_their_distance_from_the_edge(table, size):
    page = table.page
    page.set_viewport_size({"width": size[0], "height": size[1]})
    table.show(felt.snapshot(next(table.numbers), melds=1, drawn=None, options=felt.CLAIMS))
    edges = page.evaluate(
        """() => [...document.querySelectorAll('.act')].map((act) => {
            const [box, word] = [act, act.querySelector('b')].map((one) => one.getBoundingClientRect());
            const tiles = [...act.querySelectorAll('.tiles *')].map((one) => one.getBoundingClientRect().bottom);
            return [word.top - box.top, box.bottom - Math.max(word.bottom, ...tiles)];
        })"""
    )
    assert len(edges) == 7
    assert min(min(edge) for edge in edges) >= 4, edges


def test_the_header_names_the_rulebook_of_the_table(table):
    page = table.page
    page.set_viewport_size({"width": 1280, "height": 800})
    table.show(felt.snapshot(next(table.numbers), drawn=None, options=[]))
    assert page.evaluate("() => document.querySelector('.tools b[title]')?.textContent") == "国标麻将"


@pytest.mark.server("it goes away")
def test_who_has_nothing_to_play_offline_with_is_told_so(site, chromium):
    context = chromium.new_context(locale="zh-CN", service_workers="block")
    page = context.new_page()
    page.goto(site)
    page.route("**/device/**", lambda route: route.abort())
    page.route("**/api/**", lambda route: route.abort())
    page.get_by_role("link", name="打牌").locator("visible=true").first.click()
    page.get_by_text("离线打牌要用的文件还没有下载到本机").wait_for(timeout=90_000)
    assert page.get_by_role("button", name="开桌", exact=True).is_disabled()
    page.unroute("**/api/**")  # the server is there again, and is asked without a press
    page.get_by_text("离线打牌要用的文件还没有下载到本机").wait_for(state="detached", timeout=30_000)
    context.close()


@pytest.mark.parametrize("size", [(1280, 800), (1920, 1080), (2560, 1440)])
def test_the_own_hand_is_never_smaller_than_the_rivers_and_grows(table, size):
    page = table.page
    page.set_viewport_size({"width": size[0], "height": size[1]})
    table.show(felt.snapshot(next(table.numbers), melds=0, options=[]))
    wide = {
        name: page.evaluate("one => document.querySelector(one).getBoundingClientRect().height", where)
        for name, where in (("own", ".own .hand .tile"), ("river", ".zone.bottom .river .tile"))
    }
    assert wide["own"] >= wide["river"], wide
    assert wide["own"] >= size[1] * 0.085, wide  # a twelfth of the screen, however large it is


def test_help_is_one_press_away_on_a_phone_and_begins_with_how_to_play(visit):
    page = visit("/calculator?rules=guobiao-mcr&h=", size="bars")
    page.get_by_role("button", name="帮助").click()
    dialog = page.get_by_role("dialog", name="帮助")
    dialog.wait_for()
    heads = dialog.get_by_role("heading", level=3).all_inner_texts()
    assert heads[:3] == ["怎么打", "牌桌上的图标", "常用词"]
