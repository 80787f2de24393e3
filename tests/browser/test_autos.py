"""What is left to the page, at tables of a real server: hands played on from records whose next events are known."""

import json
import re

import pytest

from quepu.bots import make_bot
from quepu.match.frames import hand_frames
from quepu.match.log import LogWriter
from quepu.match.match import Match
from quepu.match.reader import read_log
from quepu.rulebooks import book
from quepu.table import Table, make_wall
from quepu.tiles import PLAIN, WINDS
from tests.browser.test_replays import stored

pytestmark = [pytest.mark.browser, pytest.mark.server("it asks what a server's table is sent")]
BOOK = "guobiao"


def played(seed, most):
    """A match of novices, up to so many hands: its log."""
    match, lines = Match(book(BOOK), rounds=1), []
    log = LogWriter(match, lines.append, seed=seed)
    bots = [make_bot("plain", seed=0) for _ in WINDS]
    for number in range(1, most + 1):
        if match.over:
            break
        table = Table(match.book, make_wall(seed, number, PLAIN.with_flowers(True)), round=match.place.round_wind)
        log.hand(number, match.place, table)
        for seat, bot in enumerate(bots):
            bot.begin(match.book, seat)
        while table.to_act:
            seat = table.to_act[0]
            table.step(seat, bots[seat].act(table.view(seat), table.options(seat)))
        match = match.add_hand(table.ending)
        log.result(match.hands[-1].settlement, match.totals)
    if match.over:
        log.end()
    return lines


def before(lines, wanted):
    """Where a seat holds what it drew, throws it, and before it throws again the event comes that is `wanted`."""
    replay = read_log(lines, unfinished=True)
    frames = hand_frames(replay.hands[0], replay.book).frames
    for end, frame in enumerate(frames):
        event = frame.event
        if event is None or not wanted(event):
            continue
        mine = [
            at
            for at, one in enumerate(frames[:end])
            if one.to_act == (event.seat,) and one.drawn and one.drawn[0] == event.seat
        ]
        if event.tag == "flower":
            mine = [at for at in mine if frames[at + 1] is frame]
        elif mine and event.tag == "win" and event.giver is None:
            mine = mine[:-1]  # but the draw that wins
        if mine and event.tag != "flower":
            thrown = frames[mine[-1] + 1].event
            mine = mine[-1:] if thrown.tag == "discard" and thrown.as_drawn else []
        if mine:
            return mine[-1], WINDS[event.seat]
    return None


THROW = "自动摸切"
WINS_ONLY = ["不吃", "不碰", "不杠", "能和就和", THROW]
CASES = {  # what is left to the page, what happens next in the record, what is sent of itself, the first seed looked at
    "win": (WINS_ONLY, lambda event: event.tag == "win" and event.giver is not None, "win", 0),
    "self-draw": (WINS_ONLY, lambda event: event.tag == "win" and event.giver is None, "win", 13),
    "flower": (["自动补花"], lambda event: event.tag == "flower", "flower", 0),
    "chow": (["不吃", THROW], lambda event: event.tag == "chow", "pass", 1),
    "pung": (["不碰", "不吃", THROW], lambda event: event.tag == "pung", "pass", 3),
}


@pytest.mark.parametrize("case", CASES)
def test_what_is_left_to_the_page_is_done_at_a_table(visit, site, case):
    choices, wanted, done, first = CASES[case]
    seed, (at, seat) = next(
        (seed, found) for seed in range(first, first + 200) if (found := before(played(seed, 1), wanted)) is not None
    )
    id = stored(site, played(seed, 40))
    page = visit("/play", book=BOOK)
    offered, done_so_far = set(), []  # what may be done; what was, with what else might have been

    def heard(text):
        if options := (json.loads(text).get("view") or {}).get("options"):
            offered.clear()
            offered.update(option["do"] for option in options)

    def sent(text):
        if action := json.loads(text).get("action"):
            done_so_far.append((action["do"], action.get("drawn"), set(offered)))

    def listen(socket):
        socket.on("framereceived", heard)
        socket.on("framesent", sent)

    page.on("websocket", listen)
    body = {"name": "林", "at": at, "seat": seat, "redealt": False, "think": 0}
    sat = page.request.post(f"{site}/api/replays/{id}/table", data=body).json()
    page.goto(f"{site}/play/{sat['room']}#seat={sat['token']}")
    ready = page.get_by_role("button", name="准备，开打")
    page.locator(".own .hand button").or_(ready).first.wait_for()
    if ready.count():
        ready.click()
    page.locator(".own .hand button").first.wait_for()
    assert done_so_far == []
    page.get_by_role("button", name="自动", exact=True).click()
    dialog = page.get_by_role("dialog", name="自动")
    for choice in choices:
        dialog.get_by_label(re.compile(f"^{choice}")).check()
    dialog.get_by_role("button", name="关闭").dispatch_event("click")  # the result may lie over it already
    for _ in range(600):  # nothing is pressed
        found = [do == done and (done != "pass" or case in might) for do, _, might in done_so_far]
        if any(found):
            break
        page.wait_for_timeout(100)
    assert any(found), done_so_far
    before_it = done_so_far[: found.index(True)]  # more may have followed
    assert {(do, drawn) for do, drawn, _ in before_it} <= {("discard", True), ("pass", None)}
    if done == "win":
        page.get_by_role("dialog").get_by_text(re.compile("林 ?(自摸|和了)")).first.wait_for()
