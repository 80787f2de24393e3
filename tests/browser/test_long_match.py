"""A room of fifteen thousand messages in real pages: a phone, a desktop, a spectator; and what they show beside."""

import json

import pytest

from tests.browser.conftest import SIZES
from tests.server.long_match import store_match
from tests.server.serving import Server

pytestmark = [pytest.mark.browser, pytest.mark.server("the match is a server's")]

MESSAGES = 15_000
LONGEST_HAND = 400
PATIENCE = 90_000
PERSON = {"bots": ["", "closed", "closed", "closed"], "think": 0}


@pytest.fixture(scope="module")
def served(tmp_path_factory, chromium):
    """A server with three such rooms: in a hand, between two hands, and over."""
    folder = tmp_path_factory.mktemp("long") / "data"
    rooms = {
        "in a hand": store_match(folder, MESSAGES),
        "between hands": store_match(folder, MESSAGES, "between hands", **PERSON),
        "over": store_match(folder, MESSAGES, "over"),
    }
    server = Server(folder)
    yield server, rooms
    server.kill()


class Page:
    """A page with what it was sent."""

    def __init__(self, chromium, size="desktop"):
        self.context = chromium.new_context(
            viewport=SIZES[size], reduced_motion="reduce", service_workers="block", locale="zh-CN"
        )
        settings = json.dumps({"lang": "zh", "theme": "light", "aid": True, "sound": False})
        self.context.add_init_script(f"localStorage.setItem('quepu', '{settings}')")
        self.page = self.context.new_page()
        self.heard = []
        self.complaints = []
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on("websocket", lambda line: line.on("framereceived", self.hear))

    def hear(self, frame):
        self.heard.append(json.loads(frame))

    def open(self, server, room, place=None):
        seat = "" if place is None else f"#seat={room.tokens[place]}"
        self.page.goto(f"{server.address}play/{room.id}{seat}")
        self.page.locator(".board").wait_for(timeout=PATIENCE)

    def lines(self):
        """Numbers of the lines of the match that it was sent."""
        return [one["n"] for one in self.heard if "n" in one and "phase" not in one]


@pytest.fixture
def pages(chromium):
    made = []

    def one(size="desktop"):
        made.append(Page(chromium, size))
        return made[-1]

    yield one
    for page in made:
        page.context.close()
        assert page.complaints == []


def test_every_page_gets_to_the_table(served, pages):
    server, rooms = served
    room = rooms["in a hand"]
    phone, desktop, watching = pages("bars"), pages(), pages()
    phone.open(server, room, 0)
    desktop.open(server, room, 1)
    watching.open(server, room)
    for page, seated in ((phone, True), (desktop, True), (watching, False)):
        lines = page.lines()
        assert 0 < len(lines) < LONGEST_HAND, "the hand being played alone"
        assert lines == list(range(lines[0], lines[0] + len(lines)))
        assert lines[0] > MESSAGES - LONGEST_HAND
        assert (page.page.locator(".own .hand button").count() > 0) is seated
        assert page.page.get_by_text("正在进入牌桌").count() == 0
    phone.heard.clear()
    phone.page.reload()
    phone.page.locator(".own .hand button").first.wait_for(timeout=PATIENCE)
    assert 0 < len(phone.lines()) < 2 * LONGEST_HAND
    other = pages("bars")  # the same place on another device
    other.open(server, room, 0)
    other.page.locator(".own .hand button").first.wait_for(timeout=PATIENCE)
    phone.page.get_by_text("座位已转到另一台设备").wait_for(timeout=PATIENCE)
    record = desktop.page.locator("ol.log li")
    if record.count() == 0:
        desktop.page.get_by_role("button", name="记录").first.click()
    numbers = [int(text) for text in desktop.page.locator("ol.log .num").all_inner_texts()]
    assert 0 < len(numbers) < LONGEST_HAND, "the record is that of this hand"
    assert numbers == list(range(len(numbers), 0, -1))


def test_a_fresh_page_between_hands_has_the_result_and_verifies_the_wall(served, pages):
    server, rooms = served
    page = pages("bars")
    page.open(server, rooms["between hands"], 0)
    page.page.get_by_text("牌墙已验证").first.wait_for(state="attached", timeout=PATIENCE)
    sealed = [one["sealed"] for one in page.heard if "sealed" in one]
    over = next(one["over"] for one in page.heard if "over" in one)
    assert sealed[0]["commitment"] == over["reveal"]["commitment"], "it was held against what it was told before"
    assert len(over["standings"]) == 4


def test_a_match_that_is_over_can_be_seen_stored_and_replayed(served, pages):
    server, rooms = served
    room = rooms["over"]
    page = pages()
    page.page.goto(f"{server.address}play/{room.id}#seat={room.tokens[2]}")
    page.page.get_by_text("打完").first.wait_for(timeout=PATIENCE)
    assert len(page.lines()) < LONGEST_HAND
    shown = [line for line in server.read(f"api/rooms/{room.id}/log").decode().splitlines() if line[:5] != '{"a":']
    assert shown == room.lines
    page.page.goto(f"{server.address}replays/{room.id}")
    page.page.locator(".board").wait_for(timeout=PATIENCE)
