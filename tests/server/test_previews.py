"""Link previews: what a chat app reads of a shared address, the picture, and embeds in other sites."""

from __future__ import annotations

import re
import struct
import sys
from collections.abc import Iterator
from datetime import date, timedelta
from html import unescape
from pathlib import Path
from urllib.parse import urlencode

import pytest
from sqlalchemy.exc import OperationalError
from starlette.testclient import TestClient

import quepu
from quepu.errors import MissingExtra
from quepu.server.app import create_app
from quepu.server.http.pages import STATIC
from quepu.server.practice.questions import puzzle_of, question
from quepu.server.previews import subjects
from quepu.server.previews.pictures import BACK, Shown, draw, draw_svg
from quepu.server.previews.subjects import describe, describe_moment, describe_puzzle, find_subject
from quepu.server.replays.review_worker import Source
from quepu.server.store.logs import Logs
from quepu.server.store.values import StoreError
from quepu.tiles import NAMES
from tests.match.test_log import play_match
from tests.server.serving import unlimited

LOG = play_match("guobiao", 3)[1]
HAND = {"rules": "guobiao", "h": "234m234p2344567s+4s"}
WINS = "/calculator?" + urlencode(HAND)
BUILT = pytest.mark.skipif(not (STATIC / "index.html").is_file(), reason="the web client is not built")
pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    with TestClient(create_app(unlimited(tmp_path_factory.mktemp("previews"))), base_url="https://quepu.home") as made:
        yield made


@pytest.fixture(scope="module")
def replay(client: TestClient) -> str:
    answer = client.post("/api/replays", json={"who": "me-me-me-me", "text": "\n".join(LOG), "title": "周末<b>桌"})
    return str(answer.json()["id"])


def tags(client: TestClient, address: str) -> dict[str, str]:
    """The tags of a page's head, as a chat app reads them."""
    answer = client.get(address, headers={"accept-language": ""})
    assert answer.status_code == 200, address
    found = re.findall(r'<meta\s+(?:name|property)="([^"]+)"\s+content="([^"]*)"', answer.text)
    title = re.search("<title>(.*?)</title>", answer.text, re.DOTALL)
    return {key: unescape(value) for key, value in found} | {"title": unescape(title[1] if title else "")}


def size(picture: bytes) -> tuple[int, int]:
    assert picture.startswith(b"\x89PNG\r\n")
    wide, high = struct.unpack(">II", picture[16:24])
    return wide, high


@BUILT
def test_the_address_of_a_hand_has_its_score_and_its_picture(client):
    read = tags(client, WINS)
    score = quepu.score(HAND["h"], "guobiao")
    assert read["title"] == read["og:title"] == f"国标麻将 {score.total} 番"
    assert all(fan.name in read["og:description"] for fan in score.fans)
    assert read["description"] == read["og:description"]
    assert read["og:url"] == f"https://quepu.home{WINS}"
    assert read["twitter:card"] == "summary_large_image"
    picture = client.get(read["og:image"])
    assert picture.headers["content-type"] == "image/png"
    assert "max-age" in picture.headers["cache-control"]
    assert size(picture.content) == (1200, 630)
    assert "points" in tags(client, f"{WINS}&lang=en")["og:title"]


@BUILT
def test_below_the_minimum_the_title_says_so(client):
    poor = urlencode({"rules": "guobiao", "h": "456m234p78sEE(123m)+9s"})
    assert quepu.score("456m234p78sEE(123m)+9s", "guobiao").can_win is False
    assert tags(client, f"/calculator?{poor}")["og:title"].endswith("，不够起和")
    assert not tags(client, WINS)["og:title"].endswith("不够起和")


@BUILT
@pytest.mark.parametrize(
    "address",
    [
        "/calculator",
        "/calculator?h=",
        "/calculator?rules=guobiao&h=hello",
        "/calculator?rules=nothing&h=123m",
        "/calculator?h=" + "1m" * 101,
        "/calculator?rules=guobiao&h=123m&luck=" + "x" * 301,
        "/calculator?rules=guobiao&h=11111m",
        "/calculator?rules=guobiao&h=234m234p2344567s%2B4s&seat=Q",
        "/calculator?rules=guobiao&h=%00%ff%3Cscript%3E",
        "/practice",
        "/replays",
        "/replays/none-such",
        "/replays/" + "x" * 33,
        "/practice/puzzles?rules=nothing",
    ],
)
def test_an_address_that_shows_nothing_gets_the_plain_page(client, address):
    answer = client.get(address)
    plain = client.get("/scorekeeper")
    assert (answer.status_code, answer.content) == (200, plain.content)
    assert 400 <= client.get(f"/api/previews{address}").status_code < 500
    assert client.get(f"/embed{address}").status_code == 404


@BUILT
def test_house_rules_are_not_read_for_the_page_but_for_the_picture(client):
    house = {**HAND, "house": 'base = "guobiao"\nminimum = 20\n'}
    read = tags(client, "/calculator?" + urlencode(house))
    assert read["og:title"] == "自定规则的一手牌"
    assert size(client.get(read["og:image"]).content) == (1200, 630)
    wrong = urlencode({**HAND, "house": "base = 3"})
    assert client.get(f"/api/previews/calculator?{wrong}").status_code == 400


@BUILT
def test_a_puzzle_shows_its_day_and_never_its_answer(client):
    read = tags(client, "/practice/puzzles?rules=guobiao&day=2026-11-20")
    assert "2026-11-20" in read["og:title"]
    assert size(client.get(read["og:image"]).content) == (1200, 630)
    subject = find_subject("/practice/puzzles", {"rules": "guobiao", "day": "2026-11-20"})
    assert subject is not None
    shown = describe(subject, "zh")
    asked = question(quepu.book("guobiao"), "discard", 1, 20261120)
    assert shown.concealed == tuple(NAMES[kind] for kind in asked.hand.concealed)
    assert shown.last == ""


@pytest.mark.parametrize("rules", ["guobiao", "lingque-29"])
def test_every_kind_of_puzzle_has_its_question(rules):
    book = quepu.book(rules)
    for n in range(5):
        day = date(2026, 12, 1) + timedelta(n)
        shown = describe_puzzle(book, day, "en")
        kind, level, seed = puzzle_of(book, day)
        hand = question(book, kind, level, seed).hand
        assert shown.concealed == tuple(NAMES[tile] for tile in hand.concealed)
        assert bool(shown.last) == (hand.winning is not None) == (kind not in ("discard", "waits", "aim"))
        assert ("self-drawn" in shown.description) == (hand.winning is not None and hand.self_draw)
        if kind == "points":
            assert str(quepu.score(hand, book).total) not in shown.lines[0]


def test_a_puzzle_of_no_day_is_that_of_today():
    today = find_subject("/practice/puzzles", {"rules": "guobiao"})
    assert today is not None
    for day in ("2026-10-31", "9999-01-01", "yesterday", "2026-13-01"):
        other = find_subject("/practice/puzzles", {"rules": "guobiao", "day": day})
        assert other is not None
        assert describe(other, "en") == describe(today, "en")


def test_what_is_kept_of_a_puzzle_names_its_day(monkeypatch):
    first, later = date(2026, 11, 20), date(2026, 11, 21)
    monkeypatch.setattr(subjects, "_today", lambda: first)
    kept = find_subject("/practice/puzzles", {"rules": "guobiao"})
    monkeypatch.setattr(subjects, "_today", lambda: later)
    assert kept != find_subject("/practice/puzzles", {"rules": "guobiao"})
    assert kept is not None
    assert describe(kept, "en").title.startswith("Puzzle of 2026-11-20")
    # the page reads no other way of writing a day, and shows today's
    for text in ("20261120", "2026-W47-5"):
        other = find_subject("/practice/puzzles", {"day": text})
        assert other is not None
        assert other.get("day") == "2026-11-21"


@BUILT
def test_a_picture_is_kept_by_browsers_if_its_address_names_all_that_it_shows(client):
    for address, kept in (
        (WINS, "public, max-age=86400"),
        ("/practice/puzzles?rules=guobiao&day=2026-11-20", "public, max-age=86400"),
        ("/practice/puzzles?rules=guobiao", "no-cache"),
    ):
        headers = client.get(f"/api/previews{address}").headers
        assert headers["cache-control"] == kept
        assert "accept-language" in headers["vary"].casefold()


@pytest.mark.parametrize("rules", ["guobiao", "lingque-29", "yuque-54", "canton"])
def test_puzzles_speak_one_language(rules):
    book = quepu.book(rules)
    days = [date(2026, 12, 1) + timedelta(n) for n in range(28)]
    for day in days:
        shown = describe_puzzle(book, day, "en")
        assert not re.search("[\u3000-\u9fff]", shown.title + shown.description), shown
    assert re.search("[A-Za-z]{2}", "".join(describe_puzzle(book, day, "zh").description for day in days)) is None


@BUILT
def test_nothing_is_shown_of_a_deleted_replay(client):
    log = {"who": "me-me-me-me", "text": "\n".join(LOG), "title": "要删的"}
    page = f"/replays/{client.post('/api/replays', json=log).json()['id']}"
    assert "要删的" in tags(client, page)["og:title"]
    assert client.get(f"/api/previews{page}").status_code == 200
    assert client.delete(f"/api{page}", headers={"x-who": "me-me-me-me"}).status_code == 204
    assert client.get(page).content == client.get("/scorekeeper").content
    assert client.get(f"/api/previews{page}").status_code == 404
    assert client.get(f"/embed{page}").status_code == 404


@BUILT
@pytest.mark.parametrize(
    "failure", [OperationalError("", {}, Exception("away")), StoreError("away", "away"), KeyError("room")]
)
def test_a_page_opens_without_the_log_it_shows(client, monkeypatch, failure):
    async def fail(*_):
        raise failure

    monkeypatch.setattr(Logs, "read", fail)
    answer = client.get("/replays/abcdefgh")
    assert (answer.status_code, answer.content) == (200, client.get("/scorekeeper").content)


@BUILT
def test_a_replay_has_title_players_and_a_picture_of_the_moment(client, replay):
    read = tags(client, f"/replays/{replay}?at=30&seat=S&tab=review")
    assert read["og:title"] == "周末<b>桌 · 国标麻将"
    assert "<b>" not in client.get(f"/replays/{replay}").text
    assert read["og:url"] == f"https://quepu.home/replays/{replay}?at=30&seat=S"
    page = client.get(f"/api/replays/{replay}").json()
    assert all(name in read["og:description"] for name in page["players"])
    pictures = {client.get(f"/api/previews/replays/{replay}?at={at}&seat=S").content for at in (0, 30, 31, 10**8)}
    assert len(pictures) == 4
    assert {size(one) for one in pictures} == {(1200, 630)}


def test_the_moment_is_the_frame_that_the_page_shows(client, replay):
    page = client.get(f"/api/replays/{replay}").json()
    source = Source(replay, "", "", tuple(LOG))
    for head in page["hand_list"][:2]:
        film = client.get(f"/api/replays/{replay}/hands/{head['number']}").json()
        for n in (0, 1, 20, head["frames"] - 1):
            frame = film["frames"][n]
            for at, seat in enumerate("ESWN"):
                subject = find_subject(f"/replays/{replay}", {"at": str(frame["at"]), "seat": seat})
                assert subject is not None
                shown = describe_moment(subject, source, "", "zh")
                assert list(shown.concealed) == frame["hands"][at]
                drawn = frame["drawn"]
                assert shown.last == (drawn["tile"] if drawn and drawn["seat"] == seat else "")
                assert shown.lines[0] == frame["text"]["zh"]
                assert len(shown.melds) == len(frame["board"]["melds"][at])


def test_concealed_kongs_show_two_tiles(client):
    subject = find_subject("/calculator", {"rules": "guobiao", "h": "123m456p78sEE[9999m]+9s"})
    assert subject is not None
    assert describe(subject, "zh").melds == ((BACK, "9m", "9m", BACK),)


def test_thirteen_tiles_show_their_waits():
    subject = find_subject("/calculator", {"rules": "guobiao", "h": "234m234p2344567s"})
    assert subject is not None
    shown = describe(subject, "en")
    assert all(str(tile) in shown.description for tile in ("1s", "4s", "7s"))
    assert "2s (" not in shown.description


def test_a_server_without_the_drawing_package_says_so(monkeypatch):
    monkeypatch.setitem(sys.modules, "resvg_py", None)
    with pytest.raises(MissingExtra, match=re.escape("quepu[server]")):
        draw(Shown("好"))


def test_text_is_cut_at_the_edge_and_escaped():
    svg = draw_svg(Shown("<script>&" + "长" * 300, ("\x00\x0b\u202e好",)))
    assert "<script>" not in svg
    assert "&lt;script&gt;&amp;" in svg
    assert 20 < svg.count("长") < 30
    assert not re.search("[\x00\x0b\u202e]", svg)


@BUILT
def test_every_tile_has_its_own_art():
    kinds = (*NAMES, *(f"f{n}" for n in range(1, 9)), BACK)
    svg = draw_svg(Shown("", (), kinds))
    assert set(re.findall(r'<symbol id="(\w+)"', svg)) == set(kinds)
    assert "var(" not in svg  # a picture has no style sheet


@BUILT
def test_any_site_may_frame_an_embed_and_only_that(client, replay):
    embedded = client.get(f"/embed{WINS}")
    policy = embedded.headers["content-security-policy"]
    assert "frame-ancestors *" in policy
    assert "script" not in policy.replace("default-src 'none'", "")
    assert "frame-ancestors 'none'" in client.get(WINS).headers["content-security-policy"]
    picture = unescape(re.search('src="([^"]+)"', embedded.text)[1])
    assert size(client.get(picture).content) == (1200, 630)
    assert unescape(re.search('<a href="([^"]+)"', embedded.text)[1]) == WINS
    assert "<b>" not in client.get(f"/embed/replays/{replay}?at=3").text
    missing = client.get("/embed/calculator?h=hello", headers={"accept-language": "en"})
    assert missing.status_code == 404
    assert "nothing to embed" in missing.text.casefold()


@BUILT
def test_pictures_cost_computing_time_and_are_kept(tmp_path: Path):
    with TestClient(create_app(unlimited(tmp_path, work_rate=1e-9, work_burst=1e-6))) as client:
        address = f"/api/previews{WINS}&lang=zh"
        first = client.get(address)
        assert first.status_code == 200
        assert client.get(address).content == first.content  # drawn before
        refused = client.get(address.replace("2344567s", "3334567s"))
        assert refused.status_code == 429
        assert "og:image" in client.get(WINS).text  # the page itself needs no process
