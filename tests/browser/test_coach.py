"""A coach to question: why not another tile, studies that are shared and tried, a week of drills."""

import json
import re
from datetime import UTC, datetime, timedelta

import pytest

from quepu.match import read_log
from quepu.match.frames import frame_at
from quepu.match.steps import follow
from quepu.table import ActionKind, Table
from tests.browser.test_play import _OFFERED, hurry, move
from tests.browser.test_replays import stored
from tests.server.test_review import LOG

pytestmark = [pytest.mark.browser, pytest.mark.server("questions, stored logs and stored discards are of a server")]

TILES = ("1m", "2m", "3m", "5p", "5p", "6p", "7p", "9p", "1s", "2s", "3s", "E", "E")
STUDY = "?hand=1&frame=1&seat=E&hands=one&tab=study"


@pytest.fixture
def written(visit, site):
    """A page with a study of one chapter: a note, another line, and a question with its answer."""
    page = visit(f"/replays/{stored(site, LOG)}{STUDY}")
    page.get_by_role("button", name="编写", exact=True).click()
    page.get_by_label("题目").fill("开局第一张")
    page.get_by_role("button", name="把这一刻加为一章").click()
    page.get_by_label("章名").fill("先打哪张")
    page.get_by_label("说明", exact=True).fill("看剩下的张数。")
    page.get_by_role("button", name="提一个问题").click()
    page.get_by_role("group", name="正确答案").get_by_role("button").first.click()
    page.get_by_label("理由").fill("它最没用。")
    page.get_by_role("button", name="写完了").click()
    return page


def check_hidden(page):
    """The answer and the note are hidden until something was tried."""
    page.locator(".question", has_text="打哪张？").wait_for()
    assert page.get_by_text("看剩下的张数。").count() == 0
    assert page.get_by_text("它最没用。").count() == 0
    assert page.get_by_label("为什么不打…？").count() == 0


def test_a_study_is_written_shared_by_a_link_and_hides_its_answer(written, visit, site):
    check_hidden(written)
    written.context.grant_permissions(["clipboard-read", "clipboard-write"])
    written.get_by_role("region", name="研究").get_by_role("button", name="复制链接").click()
    said = written.locator(".study .said")
    said.wait_for()
    link = said.inner_text()
    if not link.startswith("http"):
        link = written.evaluate("navigator.clipboard.readText()")
    assert link.startswith(site) and "#study=" in link
    written.evaluate("localStorage.removeItem('quepu-study')")

    page = visit(link.removeprefix(site), size="phone")
    page.get_by_role("heading", name="开局第一张", level=2).wait_for()
    check_hidden(page)
    page.get_by_role("group", name="你的答案").get_by_role("button").last.click()
    page.locator(".verdict.bad", has_text="答案是").wait_for()
    page.get_by_text("看剩下的张数。").wait_for()
    page.get_by_text("它最没用。").wait_for()
    page.get_by_role("button", name=re.compile("先打哪张 ✗")).wait_for()


def test_a_study_is_a_file_that_brings_its_logs(written, visit, tmp_path):
    with written.expect_download() as download:
        written.get_by_role("button", name="存成文件").click()
    path = tmp_path / "study.json"
    download.value.save_as(path)
    study = json.loads(path.read_text(encoding="utf-8"))
    (chapter,) = study["chapters"]
    assert (chapter["title"], chapter["note"], study["teacher"]) == ("先打哪张", "看剩下的张数。", True)
    assert list(study["logs"]) == [chapter["replay"]]
    written.evaluate("localStorage.removeItem('quepu-study')")

    page = visit(f"/replays/{chapter['replay']}{STUDY}")
    page.locator(".study input[type=file]").set_input_files(path)
    page.get_by_role("heading", name="开局第一张", level=2).wait_for()
    check_hidden(page)
    page.locator(".study input[type=file]").set_input_files(
        {
            "name": "other.json",
            "mimeType": "application/json",
            "buffer": b'{"quepu": "study", "version": 1, "chapters": 3}',
        }
    )
    page.get_by_text("这个文件不是研究：chapters 不对。").wait_for()
    page.get_by_role("heading", name="开局第一张", level=2).wait_for()  # nothing is lost


@pytest.mark.parametrize("size", ["desktop", "phone"])
def test_a_moment_is_asked_about_and_a_bad_question_is_answered(written, size):
    page = written
    page.set_viewport_size({"width": 1280, "height": 900} if size == "desktop" else {"width": 390, "height": 844})
    page.get_by_role("group", name="你的答案").get_by_role("button").first.click()
    asking = page.get_by_label("为什么不打…？")
    asking.get_by_role("button", name=re.compile("^为什么不打东")).click()
    asking.locator(".headline", has_text="打东").wait_for()
    stop = asking.get_by_role("button", name="停")
    if stop.count():
        stop.click()
    assert asking.get_by_role("row").count() == 3
    asking.get_by_text("假设…").click()
    asking.get_by_role("button", name="南家已听牌").click()
    asking.get_by_text("假设：南家已听牌。").wait_for()
    asking.get_by_label("我要做（番种）").fill("没有这种番")
    asking.get_by_label("我要做（番种）").press("Enter")
    asking.get_by_role("alert").filter(has_text="没有这种番").wait_for()


def test_a_discard_of_a_replay_is_asked_about_without_a_review(visit, site):
    page = visit(f"/replays/{stored(site, LOG)}?hand=1&frame=1&seat=E&tab=review")
    asking = page.get_by_label("为什么不打…？")
    asking.get_by_role("button", name=re.compile("^为什么不打东")).click()
    asking.locator(".headline", has_text="打东").wait_for()
    page.get_by_role("button", name="复盘这一场").wait_for()


SIZES = {
    "desktop": {"width": 1280, "height": 800},
    "phone": {"width": 390, "height": 664},
    "sideways": {"width": 844, "height": 390},
}
COVERED = """() => {
    const box = (one) => one.getBoundingClientRect();
    const ask = box([...document.querySelectorAll("button")].find((one) => one.textContent === "为什么不…？"));
    const hit = (one) => one.left < ask.right && ask.left < one.right && one.top < ask.bottom && ask.top < one.bottom;
    const tiles = [...document.querySelectorAll(".area .tile, .own .tile, .acts .act")].map(box);
    return [tiles.filter((one) => one.width && hit(one)).length, ask.left >= 0 && ask.right <= innerWidth];
}"""
"""Tiles and actions under the button, and whether all of it is on the screen."""


@pytest.mark.parametrize("size", ["desktop", "phone"])
def test_a_claim_of_a_replay_is_asked_about_without_a_review(visit, site, size):
    page = visit(f"/replays/{stored(site, LOG)}?{claim_of(LOG)}&tab=review")
    page.set_viewport_size(SIZES[size])
    asking = page.get_by_label("为什么不…？")
    asking.get_by_role("button", name="过", exact=True).click()
    asking.locator(".headline", has_text="过").wait_for()
    assert asking.get_by_role("row").count() == 3
    stop = asking.get_by_role("button", name="停")
    if stop.count():
        stop.click()
    assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0


def claim_of(lines):
    """The address of the first moment of a log at which a seat could claim a tile, and discarded before."""
    replay = read_log(lines, unfinished=True)
    for hand in replay.hands:
        table = Table(replay.book, hand.wall, round=hand.place.round_wind)
        for number, step in enumerate(hand.steps):
            who = table.to_act
            if len(who) == 1 and table.options(who[0])[-1].do is ActionKind.PASS and table.board.rivers[who[0]]:
                return f"hand={hand.number}&frame={frame_at(hand, number)}&seat={'ESWN'[who[0]]}"
            follow(table, step)
    raise AssertionError("the log has no claim")


@pytest.mark.parametrize("size", ["desktop", "phone"])
def test_a_tile_offered_to_a_typed_hand_is_asked_about(visit, size):
    page = visit("/calculator?rules=lingque-29&h=123m4466p789sCCE")
    page.set_viewport_size(SIZES[size])
    page.get_by_text("别家打出一张：要不要？").click()
    page.get_by_label("打出的牌").fill("4p")
    page.get_by_label("打出的牌").press("Enter")
    asking = page.get_by_label("为什么不…？")
    asking.get_by_role("button", name="碰四筒").click()
    asking.locator(".headline", has_text="碰四筒打").wait_for()
    asking.get_by_text("过可以做").wait_for()
    assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
    page.get_by_label("打出的牌").fill("9m")
    page.get_by_label("打出的牌").press("Enter")
    page.get_by_role("alert").filter(has_text="九万现在不能吃、碰、杠，也不能和，只能过。").wait_for()


@pytest.mark.parametrize("size", ["desktop", "phone", "sideways"])
def test_a_claim_at_the_table_is_asked_about(visit, size):
    """Whoever is offered a tile asks before answering; nothing hidden is sent."""
    page = visit("/play", size="phone" if size == "sideways" else size)
    page.set_viewport_size(SIZES[size])
    hurry(page)
    sent = []
    page.on("request", lambda one: sent.append(one.post_data_json) if one.url.endswith("/api/ask") else None)
    page.get_by_label("你的名字").fill("林")
    page.get_by_role("button", name="开桌", exact=True).click()
    page.get_by_role("button", name="准备，开打").click()
    page.locator(".own .hand button").nth(12).wait_for()
    ask = page.get_by_role("button", name="为什么不…？")
    for _ in range(100):
        page.wait_for_function("() => document.querySelector('dialog[open], .acts .act, .own .hand button:enabled')")
        found = page.evaluate(_OFFERED)
        if "pass" in found["acts"]:
            break
        move(page, found)
    page.get_by_role("button", name="提示", exact=True).click()
    ask.wait_for()
    assert page.evaluate(COVERED) == [0, True]
    ask.click()
    asking = page.get_by_role("dialog", name="为什么不…？")
    asking.get_by_role("button", name="过", exact=True).click()
    asking.locator(".headline", has_text="过").wait_for()
    assert asking.locator(".body").evaluate("one => one.scrollWidth - one.clientWidth") <= 0
    assert sent[0]["offered"] and sent[0]["giver"]


def test_a_hint_at_the_table_is_asked_about_and_its_lines_break_on_a_phone(visit):
    page = visit("/play", size="phone")
    hurry(page)
    page.get_by_label("你的名字").fill("林")
    page.get_by_role("button", name="开桌", exact=True).click()
    page.get_by_role("button", name="准备，开打").click()
    page.locator(".own .hand button").nth(12).wait_for()
    page.get_by_role("button", name="提示", exact=True).click()
    page.get_by_role("button", name="为什么不打…？").click()
    asking = page.get_by_role("dialog", name="为什么不打…？")
    asking.get_by_role("button", name=re.compile("^为什么不打")).nth(1).click()
    asking.locator(".headline").wait_for()
    assert asking.locator(".body").evaluate("one => one.scrollWidth - one.clientWidth") <= 0


def puzzle(frame, day):
    """A claim that was misjudged, as this browser keeps it."""
    options = [("pass", "过", "pass"), ("pung 5p", "碰五筒", "pung 5p")]
    return {
        "replay": "none", "hand": 1, "frame": frame, "seat": "E", "rules": "lingque-29",
        "tiles": list(TILES), "drawn": None, "melds": [],
        "mistake": {"kind": "claim", "name": {"zh": "鸣牌", "en": "claim"}}, "offer": "5p",
        "options": [{"key": key, "text": {"zh": zh, "en": en}} for key, zh, en in options],
        "shares": {"pass": 1.0, "pung 5p": 0.4}, "best": "pass", "chosen": "pung 5p",
        "why": {"zh": f"第 {frame} 题：门清更值钱。", "en": "Concealed is worth more."},
        "met": 0, "solved": 0, "due": day.timestamp() * 1000,
    }  # fmt: skip


def test_a_week_of_drills_brings_back_what_was_missed(visit):
    """Two puzzles are always solved; the third is missed on the first day: each day only those that are due."""
    first = datetime(2026, 11, 2, 20, tzinfo=UTC)
    page = visit("/practice/puzzles")
    kept = {"puzzles": [puzzle(n, first) for n in (1, 2, 3)], "tries": [], "matches": []}
    page.evaluate("kept => localStorage.setItem('quepu.mistakes', JSON.stringify(kept))", kept)
    asked = []
    for number in range(8):
        page.clock.set_fixed_time(first + timedelta(days=number, minutes=number))
        page.reload()
        card = page.get_by_role("region", name="我的失误")
        card.get_by_text(re.compile(r"共 3 题|今天的都做完了")).first.wait_for()
        due = int(re.search(r"今天 (\d+) 题", card.inner_text())[1])
        for n in range(due):
            wrong = number == 0 and n == 2
            card.get_by_role("button", name="碰五筒" if wrong else "过", exact=True).click()
            card.get_by_text("不对" if wrong else "对", exact=True).wait_for()
            card.get_by_text(re.compile("门清更值钱")).wait_for()
            card.get_by_role("button", name=re.compile("下一题|做完了")).click()
        card.get_by_text("今天的都做完了").wait_for()
        asked.append(due)
    assert asked == [3, 3, 1, 0, 2, 1, 0, 0]  # after 1, 3 and 7 days; the one missed begins anew
    card.get_by_text("各类失误的进步").click()
    card.get_by_role("row").filter(has_text="9/10").first.wait_for()
