"""The first page: which mahjong is played is asked once; a hand to enter, a puzzle, one press to play or to learn."""

import re
from datetime import date, timedelta

import pytest

import quepu
from quepu.server.practice.aims import find_aims
from quepu.server.practice.questions import puzzle_of, question, ready_discards
from quepu.tiles import SIMPLIFIED
from tests.browser.targets import sideways, too_small
from tests.browser.test_play_table import faults

pytestmark = pytest.mark.browser
HONOURS = {"中": "红中", "发": "发财", "白": "白板"}
QUESTION = {"zh": "你打哪种麻将？", "en": "Which mahjong do you play?"}


def first_visit(visit, lang="zh", **kwargs):
    """The first page of a browser that has nothing of ours yet."""
    page = visit("/", lang=lang, **kwargs)
    page.evaluate("localStorage.clear()")
    language = "zh-CN" if lang == "zh" else "en-US"
    page.add_init_script(f"Object.defineProperty(navigator, 'languages', {{get: () => ['{language}']}})")
    # the page writes its settings as it goes: only an address that runs nothing leaves the storage empty
    address = page.url
    page.goto(address + "addresses.json")
    page.evaluate("localStorage.clear()")
    page.goto(address)
    page.get_by_role("heading", name=QUESTION[lang]).wait_for()
    return page


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_which_mahjong_is_asked_once(visit, lang, axe):
    page = first_visit(visit, lang, size="bars")
    assert ("麻将" if lang == "zh" else "mahjong") in page.locator("main header").inner_text()
    assert too_small(page) == []
    assert sideways(page) == []
    assert page.get_by_role("button", name="帮助" if lang == "zh" else "Help", exact=True).is_visible()
    page.evaluate(axe)
    assert page.evaluate("async () => (await axe.run()).violations.map((one) => [one.id, one.nodes[0].html])") == []
    page.get_by_role("button", name="广东" if lang == "zh" else "Cantonese").click()
    assert page.evaluate("JSON.parse(localStorage.getItem('quepu')).book") == "canton"
    page.reload()
    page.get_by_role("region", name="算一手牌" if lang == "zh" else "Score a hand").wait_for()
    assert page.get_by_role("heading", name=QUESTION[lang]).count() == 0
    page.get_by_role("button", name="换一种麻将" if lang == "zh" else "Another mahjong").click()
    page.get_by_role("heading", name=QUESTION[lang]).wait_for()


@pytest.mark.parametrize(("lang", "title"), [("zh", "雀谱"), ("en", "Quepu")])
def test_the_first_words_are_there_before_the_scripts_and_stay_in_place(visit, site, lang, title):
    page = visit("/practice", lang=lang, size="bars")
    held = []
    page.route("**/assets/shell-*.js", lambda route: held.append(route))  # noqa: PLW0108  # playwright asks a function
    page.goto(f"{site}/", wait_until="commit")
    page.wait_for_function("() => document.styleSheets.length > 0")  # without them all words count as visible
    words = page.locator("#first h1:visible")
    words.wait_for()
    assert words.inner_text() == title
    before = words.bounding_box()
    held[0].continue_()
    page.unroute("**/assets/shell-*.js")
    heading = page.locator("main header h1")
    heading.wait_for()
    assert page.locator("#first").count() == 0
    assert heading.bounding_box()["y"] == before["y"]
    assert heading.inner_text() == title


def test_whoever_was_here_before_is_not_asked(visit):
    page = visit("/", size="bars")
    page.get_by_role("region", name="算一手牌").wait_for()
    assert page.get_by_role("heading", name=QUESTION["zh"]).count() == 0


@pytest.mark.server("tables are on a server")
def test_three_presses_from_an_empty_browser_to_a_running_table(visit):
    page = first_visit(visit)
    presses = (page.get_by_role("button", name="国标"), page.get_by_role("button", name="和三个电脑开一桌"))
    for one in presses:
        one.click()
    assert len(presses) <= 3
    page.locator(".own .hand button").nth(12).wait_for()
    page.get_by_text("轮到你", exact=True).wait_for()


def test_who_has_never_played_comes_to_the_first_lesson(visit):
    page = first_visit(visit)
    page.get_by_role("button", name="从没打过").click()
    page.wait_for_url("**/practice/lessons?rules=guobiao-mcr*")
    page.get_by_role("heading", name="1. 认牌").wait_for()


@pytest.mark.quick
def test_a_hand_of_tiles_is_scored(visit):
    page = visit("/", size="bars", book="guobiao-mcr")
    card = page.get_by_role("region", name="算一手牌")
    for tile in ("2m", "3m", "4m", "2p", "3p", "4p", "2s", "3s", "4s", "4s", "5s", "6s", "7s", "1m"):
        card.locator(f"[data-kind='{tile}']").click()
    card.get_by_role("button", name="拿掉一万").click()  # a slip
    card.locator("[data-kind='4s']").click()
    assert sideways(page) == []
    card.get_by_role("link", name="算番").click()
    score = quepu.score("234m234p2344567s+4s", "guobiao-mcr")
    page.get_by_text(score.tally.how.zh).first.wait_for()


def test_the_puzzle_of_the_day_is_answered_once(visit):
    page = visit("/", size="bars")
    page.clock.set_fixed_time("2026-11-29T12:00:00Z")  # a day that asks for a discard
    page.reload()
    card = page.get_by_role("region", name="今日一题")
    tiles = card.get_by_role("button", name=re.compile("^打"))
    tiles.first.wait_for()
    assert tiles.count() == 14
    with page.expect_request("**/api/practice/question") as asked:
        page.reload()
    assert asked.value.post_data_json["day"] == "2026-11-29"
    tiles.first.wait_for()
    next(tile for tile in tiles.all() if tile.is_enabled()).click()
    told = card.get_by_role("status").inner_text()
    card.get_by_text("明天还有一题").or_(card.get_by_text("连续")).wait_for()
    told = card.get_by_role("status").inner_text()
    page.reload()
    card.get_by_text("明天还有一题").or_(card.get_by_text("连续")).wait_for()
    assert card.get_by_role("status").inner_text() == told


@pytest.mark.parametrize("kind", ["points", "payable", "waits", "aim", "fans"])
def test_a_puzzle_may_ask_for_something_else_than_a_discard(visit, axe, kind):
    book = quepu.book("guobiao")
    days = (date(2026, 12, 1) + timedelta(n) for n in range(14))
    day = next(day for day in days if puzzle_of(book, day)[0] == kind)
    made = question(book, *puzzle_of(book, day))
    page = visit("/", size="bars", book="guobiao")
    page.clock.set_fixed_time(f"{day}T12:00:00Z")
    page.goto(f"{page.url}practice/puzzles?rules=guobiao")
    card = page.get_by_role("region", name="今日一题")
    if kind == "points":
        card.get_by_role("spinbutton").fill(str(made.score.total))
    elif kind == "payable":
        card.get_by_role("button", name="可以和" if made.score.can_win else "不够").click()
    elif kind == "aim":
        best = find_aims(ready_discards(made.hand, book))[0]
        card.get_by_role("button", name=re.compile(rf"^\d+\s*{'、'.join(best.fans)}$")).click()
    elif kind == "fans":
        for fan in made.score.fans:
            card.get_by_role("button", name=re.compile(rf"^\d+\s*{fan.name}$")).click()
    else:
        for wait in made.outlook.waits:
            name = SIMPLIFIED[wait.tile]
            card.get_by_role("button", name=HONOURS.get(name, name), exact=True).click()
    assert sideways(page) == []
    assert faults(page, axe) == []
    card.get_by_role("button", name="提交").click()
    card.get_by_text("对", exact=True).wait_for()
    told = card.get_by_role("status").inner_text()
    page.reload()  # what was answered is remembered
    card.get_by_text("对", exact=True).wait_for()
    assert card.get_by_role("status").inner_text() == told
    assert card.get_by_role("button", name="提交").count() == 0


def test_puzzles_of_earlier_days_are_shared_by_link_and_fill_the_archive(visit, axe):
    page = visit("/practice/puzzles?rules=canton&day=2026-11-05", size="bars", book="guobiao-mcr")
    card = page.get_by_role("region", name="往日一题")
    tiles = card.get_by_role("button", name=re.compile("^打"))
    tiles.first.wait_for()
    hand = [tile.get_attribute("aria-label") for tile in tiles.all()]
    next(tile for tile in tiles.all() if tile.is_enabled()).click()
    page.get_by_role("link", name=re.compile("2026-11-05，做")).wait_for()
    assert "连续" not in page.locator("main").inner_text()  # made up for later: no streak
    with page.expect_download() as saved:
        card.get_by_role("button", name="存成图片").click()
    assert saved.value.suggested_filename == "quepu-2026-11-05.png"
    assert sideways(page) == []
    assert faults(page, axe) == []
    page.get_by_role("link", name=re.compile("2026-11-06，没做")).click()
    page.wait_for_url("**day=2026-11-06")
    page.wait_for_function(
        "hand => { const now = [...document.querySelectorAll('[data-hand] button')].map(one => one.ariaLabel);"
        " return now.length === 14 && JSON.stringify(now) !== JSON.stringify(hand) }",
        arg=hand,
    )
    page.goto(page.url.replace("2026-11-06", "2099-01-01"))
    page.get_by_text("没有那一天的题").wait_for()
