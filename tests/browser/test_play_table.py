"""The table as it is used: by keyboard, by ear, held every way, with a clock; and what a table is opened with."""

import json
import re

import pytest

from tests.browser.targets import CUT, TOO_WIDE
from tests.browser.test_play import hurry, opens_a_room, play_on

pytestmark = pytest.mark.browser

# Held sideways on a phone the tools beside the table are narrower: the river needs the width.
_SMALL = """() => [...document.querySelectorAll('button:enabled, a[href], select, input:not([type=radio]):not(.sr)')]
    .filter((one) => one.checkVisibility({visibilityProperty: true}))
    .map((one) => [one.getBoundingClientRect(), one])
    .filter(([box, one]) => !one.closest('table, .sr, .skip, .terms, p') && (box.height < 43.5 ||
        box.width < (innerHeight < 500 && one.matches('.tool') ? 35.5 : 43.5)))
    .map(([box, one]) => `${one.className} ${one.textContent.trim().slice(0, 20)} ${box.width} x ${box.height}`)"""


def faults(page, axe):
    page.evaluate(axe)
    return page.evaluate(
        "async () => (await axe.run(document, {resultTypes: ['violations']})).violations"
        ".filter(v => ['serious', 'critical'].includes(v.impact)).map(v => v.id + ' ' + v.nodes[0].target)"
    )


def sit(visit, seed, size="desktop", **more):
    """A table with bots that do not wait and one wall: the page, after the deal."""
    page = visit("/play", size=size, theme=more.pop("theme", "light"), book=more.pop("book", "lingque-29"))

    def answered(route):
        if route.request.method == "POST":
            spec = {**route.request.post_data_json, "think": 0, "move": 0, "bank": 0, "seed": seed, **more}
            route.continue_(post_data=json.dumps(spec))
        else:
            route.continue_()

    page.route("**/api/rooms", answered)
    page.get_by_role("button", name="开桌", exact=True).click()
    page.get_by_role("button", name="准备，开打").click()
    page.locator(".own .hand button").nth(12).wait_for()
    return page


def test_what_a_table_is_opened_with(visit, axe):
    page = visit("/play", book="guobiao")
    form = page.get_by_role("form", name="开一桌")
    form.get_by_label("你的名字").fill("阿梧")
    form.get_by_label("规则书").select_option("canton")
    form.get_by_label("第 2 家").select_option("")
    form.get_by_label("第 3 家").select_option(label="电脑 · 普通")
    form.get_by_text("更多设置").click()
    form.get_by_label("电脑思考时间").select_option(label="不等")
    form.get_by_role("button", name="半庄 两圈").click()
    form.get_by_role("button", name="自定", exact=True).click()
    form.get_by_label("每步").fill("7")
    form.get_by_label("备用时间").fill("9")
    for chip in ("听牌提示", "按名次计", "列在大厅", "打完亮牌"):
        form.get_by_role("button", name=chip).click()
    form.get_by_label("花牌").select_option(label="无花 136 张")
    form.get_by_label("鸣牌保护").select_option(label="等 0.5 秒")
    form.get_by_label("旁观延迟").select_option(label="30 秒")
    form.get_by_label("桌名（可不填）").fill("周末")
    form.get_by_role("button", name="自定规则…").click()
    house = page.get_by_role("dialog")
    house.get_by_label("规则文件（TOML，可直接改）").fill('base = "canton"\nminimum = 3\n')
    house.get_by_text("可用：").wait_for()
    house.get_by_role("button", name="启用").click()
    assert faults(page, axe) == []
    with page.expect_request(opens_a_room) as request:
        form.get_by_role("button", name="开桌", exact=True).click()
    spec = request.value.post_data_json
    assert spec == {
        "title": "周末", "house": 'base = "canton"\nminimum = 3\n', "rounds": 2, "ranked": True,
        "bots": ["", "", "steps", "plain"], "move": 7, "bank": 9, "think": 0, "shield": 0.5, "hints": False,
        "listed": False, "spectators": True, "delay": 30, "flowers": False, "name": "阿梧", "rules": "canton",
        "open_hands": False, "own_walls": False, "shuffle": False, "show_hands": False,
    }  # fmt: skip
    terms = page.get_by_role("list", name="本桌规定")
    for text in (
        "2 圈",
        "3 番起和",
        "无花",
        "每步 7 秒，备用 9 秒",
        "不给提示",
        "鸣牌保护",
        "延迟 30 秒",
        "有自定规则",
    ):
        terms.get_by_text(text).wait_for()
    page.get_by_role("img", name=re.compile("二维码")).wait_for()
    assert page.locator("#device").get_attribute("type") == "password"  # the secret is covered until it is asked for
    assert faults(page, axe) == []
    page.get_by_role("button", name="离座").click()
    again = page.get_by_role("form", name="开一桌")  # the next table opens alike
    again.wait_for()
    again.get_by_text("更多设置").click()
    assert again.get_by_label("你的名字").input_value() == "阿梧"
    assert again.get_by_label("花牌").locator("option:checked").inner_text() == "无花 136 张"


def test_a_table_by_keyboard_and_by_ear(visit, axe):
    page = sit(visit, 5)
    page.evaluate("""() => {
        window.made = 0;
        for (const kind of [AudioScheduledSourceNode.prototype, AudioBufferSourceNode.prototype]) {
            const start = kind.start;
            kind.start = function (...at) { window.made++; return start.apply(this, at); };
        }
    }""")
    hand = page.locator(".own .hand button")
    labels = [tile.get_attribute("aria-label") for tile in hand.all()]
    page.keyboard.press("3")
    assert page.locator(".own .pick button").get_attribute("aria-label").startswith(labels[2].split(",")[0])
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    chosen = page.locator(".own .pick button").get_attribute("aria-label").split(",")[0]
    assert chosen == labels[4].split(",")[0]
    page.keyboard.press("Escape")
    assert page.locator(".own .pick").count() == 0
    page.keyboard.press("5")
    before = page.locator("main").get_attribute("data-n")
    page.keyboard.press("Enter")
    page.wait_for_function("n => document.querySelector('main').dataset.n !== n", arg=before)
    assert page.get_by_role("log").get_by_text(re.compile(f"我打{chosen}")).count() >= 1  # said as it happened
    heard, shown = page.evaluate("""() => [
        [...document.querySelectorAll('[role=log] p')].at(-1).innerText,
        document.querySelector('.log .now .what').innerText,
    ]""")  # at one moment: the others play on
    assert heard == shown
    assert page.evaluate("window.made") > 0
    order = [tile.get_attribute("aria-label") for tile in page.locator(".own .hand [aria-label]").all()]
    page.keyboard.press("t")
    assert [tile.get_attribute("aria-label") for tile in page.locator(".own .hand [aria-label]").all()] != order
    page.keyboard.press("i")
    assert page.locator("html").get_attribute("data-index") == "on"
    page.keyboard.press("v")
    page.get_by_role("list", name="提示").get_by_role("listitem").first.wait_for()
    page.keyboard.press("m")
    assert page.get_by_role("button", name="声音").get_attribute("aria-pressed") == "false"
    made = page.evaluate("window.made")
    page.keyboard.press("f")  # nothing is claimed in this hand: only wins are asked about
    assert page.get_by_role("button", name="不吃碰杠").get_attribute("aria-pressed") == "true"
    page.evaluate("""() => new MutationObserver(() => {
        window.asked ||= !!document.querySelector('.acts:not(:has(.win)) :is(.chow, .pung, .kong)');
    }).observe(document.body, {childList: true, subtree: true})""")
    play_on(page)
    assert page.evaluate("window.made") == made
    assert not page.evaluate("window.asked")
    dialog = page.get_by_role("dialog")
    assert faults(page, axe) == []
    page.wait_for_timeout(1100)
    page.keyboard.press("Enter")
    dialog.wait_for(state="detached")
    page.keyboard.press("?")
    page.get_by_role("dialog", name="帮助").get_by_text("打完之前不吃碰杠").wait_for()


HELD = [(844, 390), (390, 844), *(pytest.param(*size, marks=pytest.mark.slow) for size in ((667, 375), (768, 1024)))]


@pytest.mark.parametrize(("width", "height"), HELD)
def test_every_way_to_hold_it(visit, axe, width, height):
    page = sit(visit, 9, size="phone", book="guobiao", theme="dark" if width == 844 else "light", flowers=True)
    page.set_viewport_size({"width": width, "height": height})
    page.get_by_role("button", name="提示").click()
    page.get_by_role("list", name="提示").get_by_role("listitem").first.wait_for()
    assert page.evaluate(TOO_WIDE) <= 0
    assert page.evaluate(_SMALL) == []
    boxes = [tile.bounding_box() for tile in page.locator(".own .hand button").all()]
    assert all(box["x"] >= 0 and box["x"] + box["width"] <= width for box in boxes)
    assert all(box["y"] + box["height"] <= height for box in boxes)
    turned = page.locator(".zone.left").evaluate("zone => getComputedStyle(zone).transform")
    assert turned == "none"  # on phones and upright tablets faces stand upright
    assert faults(page, axe) == []
    page.get_by_role("button", name="这一桌").click()
    page.get_by_role("dialog").get_by_label("旁观链接").wait_for()
    assert page.evaluate(_SMALL) == []
    assert faults(page, axe) == []


@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
def test_a_discard_flies_from_the_hand_unless_motion_is_unwelcome(visit, motion):
    page = sit(visit, 5, think=1)  # or the next discards would be there before this one is drawn
    page.emulate_media(reduced_motion=motion)
    page.reload()
    page.locator(".own .hand button").nth(12).wait_for()
    page.evaluate("""() => {
        const set = Element.prototype.animate;
        window.flown = [];
        Element.prototype.animate = function (frames, timing) {
            const kinds = [...new Set(frames.flatMap(Object.keys))];
            if (this.matches('.cell')) window.flown.push(kinds.join() + timing.duration);
            return set.call(this, frames, timing);
        };
    }""")
    page.keyboard.press("2")
    page.keyboard.press("Enter")
    page.locator(".zone.bottom .cell.last").wait_for()
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    assert ("transform160" in page.evaluate("window.flown")) == (motion == "no-preference")


def test_the_clock_plays_when_the_reserve_is_spent_and_says_so(visit):
    host, guest = visit("/play"), visit("/play")
    hurry(host)
    form = host.get_by_role("form", name="开一桌")
    form.get_by_label("你的名字").fill("阿梧")
    form.get_by_label("第 2 家").select_option("")
    form.get_by_text("更多设置").click()
    form.get_by_role("button", name="自定", exact=True).click()
    form.get_by_label("每步").fill("1")
    form.get_by_label("备用时间").fill("1")
    form.get_by_role("button", name="开桌", exact=True).click()
    host.get_by_role("button", name="准备，开打").wait_for()
    guest.goto(host.url)
    guest.get_by_label("你的名字").fill("阿桐")
    guest.get_by_role("button", name="坐下").click()
    for page in (guest, host):
        page.get_by_role("button", name="准备，开打").click()
    for page in (guest, host):  # each waits for the other: with bots alone no clock runs
        page.get_by_text("时间到，已替你出牌").wait_for(timeout=20_000)


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_no_choice_of_a_new_table_is_cut_on_a_narrow_phone(visit, lang):
    page = visit("/play", size="bars", lang=lang, book="guobiao")
    page.set_viewport_size({"width": 360, "height": 640})
    page.get_by_text("更多设置" if lang == "zh" else "More settings").click()
    page.get_by_label("花牌" if lang == "zh" else "Flowers").wait_for()
    page.wait_for_function("() => /[(（]/.test(document.querySelector('.pairs select').selectedOptions[0].text)")
    assert page.evaluate(CUT) == []


def test_a_move_is_taken_back_against_bots(visit, axe):
    page = sit(visit, 5, coached=True)
    own = page.locator(".own .hand button")
    own.nth(13).wait_for()
    before = own.evaluate_all("all => all.map(one => one.getAttribute('aria-label'))")
    page.keyboard.press("1")
    page.keyboard.press("Enter")
    page.locator(".coach").get_by_role("button", name="悔牌").wait_for()
    page.get_by_text("轮到你", exact=True).wait_for()
    assert faults(page, axe) == []
    page.locator(".coach").get_by_role("button", name="悔牌").click()
    page.wait_for_function(
        "before => JSON.stringify([...document.querySelectorAll('.own .hand button')]"
        ".map(one => one.getAttribute('aria-label'))) === JSON.stringify(before)",
        arg=before,
    )
    assert page.locator(".zone .cell").count() == 0  # no discard lies on the table
    assert page.locator(".coach").get_by_role("button", name="悔牌").count() == 0  # nothing is left to take back
    page.keyboard.press("u")
    page.get_by_text("你还没有出过牌").wait_for()
