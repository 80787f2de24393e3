"""Replays over HTTP: rooms that are over, logs brought along, every picture of a hand; wrong logs get a sentence."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from quepu.match import LogWriter, Match, read_log
from quepu.match.log import chain_hash
from quepu.match.penalties import Penalty
from quepu.rulebooks import book
from quepu.server.app import Settings, create_app
from quepu.server.replays.messages import HandFilm, ReplayList, ReplayPage
from quepu.server.rooms.seat_taking import name_text
from quepu.server.store.database import Database
from quepu.server.store.logs import Logs
from quepu.table import Table, commitment, secret_wall
from tests.loop import run
from tests.match.botzone_writer import record
from tests.match.test_botzone import WON
from tests.match.test_log import play_match
from tests.server.serving import unlimited
from tests.table.walls import go

ME, OTHER = "me-me-me-me", "somebody-else"
LOG = play_match("yuque-54", 3)[1]
"""A whole match with a penalty that was taken back."""
SPEC = {"title": "周末桌", "rules": "lingque-29", "house": "", "listed": True}


@pytest.fixture
def client(tmp_path: Path) -> Iterator[TestClient]:
    with TestClient(create_app(unlimited(tmp_path))) as made:
        yield made


def upload(client: TestClient, text: str, who: str = ME, **more: Any) -> Any:
    return client.post("/api/replays", json={"who": who, "text": text, **more})


def uploaded(client: TestClient, lines: list[str], **more: Any) -> dict[str, Any]:
    answer = upload(client, "\n".join(lines), **more)
    assert answer.status_code == 201, answer.text
    made: dict[str, Any] = answer.json()
    return made


def listed(client: TestClient, who: str = "", **query: Any) -> list[str]:
    found = client.get("/api/replays", params=query, headers={"X-Who": who} if who else {})
    assert found.status_code == 200, found.text
    return [one["id"] for one in found.json()["replays"]]


def room(folder: Path, lines: list[str], **spec: Any) -> str:
    """A room with this log in the store, as a server that ran before left it."""

    async def write() -> str:
        database = Database(folder)
        logs = Logs(database)
        head = await logs.create("room", "", "", {"room": {**SPEC, **spec}})
        await logs.append(head.id, 1, [{"place": 0, "name": "林", "token": "x"}, *({"line": line} for line in lines)])
        await database.close()
        return head.id

    return str(run(write()))


def test_a_log_comes_in_is_shown_and_goes_out_as_it_was(client: TestClient) -> None:
    page = uploaded(client, LOG, title="练习赛")
    replay = read_log(LOG)
    assert page["players"] == list(replay.match.names)
    assert page["totals"] == list(replay.match.totals)
    assert page["hands"] == len(page["hand_list"]) == len(replay.hands)
    assert page["whole"]
    assert not page["lost"]
    assert client.get(f"/api/replays/{page['id']}/log").text == "\n".join(LOG) + "\n"
    ReplayPage.model_validate(page)
    first = 0
    totals = [0, 0, 0, 0]
    for head in page["hand_list"]:
        film = client.get(f"/api/replays/{page['id']}/hands/{head['number']}").json()
        HandFilm.model_validate(film)
        assert head["first"] == first
        assert [frame["at"] for frame in film["frames"]] == list(range(first, first + head["frames"]))
        first += head["frames"]
        assert film["players"] == head["players"]
        assert [film["before"][film["players"].index(p)] for p in range(4)] == totals
        end = film["end"]
        totals = [end["totals"][film["players"].index(player)] for player in range(4)]
        assert [gain for _, gain in sorted(zip(film["players"], end["gains"], strict=True))] == head["gains"]
        assert len(film["wall"]) in (136, 144)
        drawn = [tile for tile in film["wall"] if tile["how"] == "draw"]
        assert len(drawn) == sum(frame["e"] == "draw" for frame in film["frames"])
        for frame in film["frames"]:
            if frame["e"] in ("draw", "replace"):
                assert frame["hidden"]
                assert frame["drawn"] == {"seat": frame["seat"], "tile": frame["tile"]}
    assert "罚" in json.dumps(client.get(f"/api/replays/{page['id']}/hands/2").json(), ensure_ascii=False)


def test_rooms_that_are_over_are_listed_or_found_by_those_who_know_them(tmp_path: Path) -> None:
    over = play_match("lingque-29", 8)[1]
    shown, hidden = room(tmp_path, over), room(tmp_path, over, listed=False, title="私下")
    playing = room(tmp_path, over[:-40])
    with TestClient(create_app(Settings(data=tmp_path))) as client:
        assert listed(client) == [shown]
        assert set(listed(client, rooms=f"{hidden},{playing}")) == {shown, hidden}
        assert listed(client, rooms=hidden, q="私下") == [hidden]
        head = client.get("/api/replays").json()["replays"][0]
        assert (head["kind"], head["title"], head["rules"]) == ("room", "周末桌", "lingque-29")
        assert client.get(f"/api/replays/{hidden}").status_code == 200
        refused = client.get(f"/api/replays/{playing}")
        assert refused.status_code == 409
        assert "打完" in refused.json()["error"]
        assert client.get(f"/api/replays/{playing}/log").status_code == 409
        assert client.delete(f"/api/replays/{shown}", headers={"X-Who": ME}).status_code == 404


def test_logs_that_would_take_for_ever(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    lines: list[str] = []
    log = LogWriter(Match(book("guobiao")), lines.append)
    for _ in range(2000):
        log.penalty(Penalty(0, "错和"))
    refused = upload(client, "\n".join(lines))
    assert (refused.status_code, "一局都没有" in refused.json()["error"]) == (400, True)
    assert upload(client, "\n" * 50_000 + "x").json()["error"].startswith("第 40001 行：牌谱太长")
    header = json.loads(LOG[0])
    for key, value in (("rounds", 10**30), ("bots", 5), ("bots", [1]), ("players", [1, 2, 3, 4]), ("begin", 7)):
        body = json.dumps({k: v for k, v in (header | {key: value}).items() if k != "h"}, ensure_ascii=False)[:-1]
        text = f'{body},"h":{chain_hash(0, body)}}}'
        refused = upload(client, "\n".join([text, *LOG[1:]]))
        assert (refused.status_code, refused.json()["error"][:6]) == (400, "第 1 行："), refused.text


@pytest.mark.long
def test_search_and_pages(client: TestClient) -> None:
    names = [uploaded(client, LOG, title=f"第{n}场 100%")["id"] for n in range(3)]
    other = upload(client, "\n".join(play_match("guobiao", 2)[1]), OTHER).json()["id"]
    assert listed(client, who=ME) == names[::-1]
    assert listed(client, who=OTHER) == [other]
    assert listed(client) == []
    assert listed(client, who=ME, q="第1场") == [names[1]]
    assert listed(client, who=ME, q="第1場 甲") == [names[1]]
    assert listed(client, who=ME, q="靈雀") == listed(client, who=ME, q="灵雀")
    assert listed(client, who=ME, q="甲 玉雀") == names[::-1]
    assert listed(client, who=ME, q="100%") == names[::-1]
    assert listed(client, who=ME, q="1_0%") == []
    assert listed(client, who=ME, rules="guobiao") == []
    page = client.get("/api/replays", params={"most": 2}, headers={"X-Who": ME}).json()
    assert [one["id"] for one in page["replays"]] == names[:0:-1]
    ReplayList.model_validate(page)
    rest = client.get("/api/replays", params={"most": 2, "before": page["before"]}, headers={"X-Who": ME}).json()
    assert [one["id"] for one in rest["replays"]] == names[:1]
    assert rest["before"] is None


def test_only_the_owner_deletes(client: TestClient) -> None:
    id = uploaded(client, LOG)["id"]
    assert client.delete(f"/api/replays/{id}", headers={"X-Who": OTHER}).status_code == 403
    assert client.delete(f"/api/replays/{id}", headers={"X-Who": ME}).status_code == 204
    assert client.get(f"/api/replays/{id}").status_code == 404
    assert client.get(f"/api/replays/{id}/hands/1").status_code == 404
    assert listed(client, who=ME) == []


def test_what_is_wrong_is_reported_with_its_line(client: TestClient) -> None:
    changed = [*LOG[:30], LOG[30].replace('"seat"', '"sert"'), *LOG[31:]]
    for lines, sentence in (
        (changed, "第 31 行"), (LOG[1:], "第 1 行"), (["喵"], "第 1 行"), ([""], "空"),
        ([LOG[0]], "一局都没有"), (['{"logs": []}'], "Botzone"), ([*LOG, LOG[-1]], "结束之后"),
    ):  # fmt: skip
        refused = upload(client, "\n".join(lines))
        assert refused.status_code == 400, sentence
        assert sentence in refused.json()["error"]
    assert upload(client, "x" * (9 * 1024 * 1024)).status_code == 413
    assert upload(client, "x" * (3 * 1024 * 1024)).status_code == 422
    english = client.post("/api/replays?lang=en", json={"who": ME, "text": "\n".join(changed)})
    assert english.json()["error"].startswith("line 31")
    assert listed(client, who=ME) == []
    id = uploaded(client, LOG)["id"]
    assert client.get(f"/api/replays/{id}/hands/99").status_code == 404
    assert client.get(f"/api/replays/{'x' * 60}").status_code == 404


def test_a_log_that_breaks_off_is_shown_as_far_as_it_goes(client: TestClient) -> None:
    torn = [*LOG[:200], LOG[200][:20]]
    page = uploaded(client, torn)
    assert not page["whole"]
    assert "第 201 行" in page["lost"][0]["zh"]
    last = page["hand_list"][-1]
    assert last["gains"] is None
    film = client.get(f"/api/replays/{page['id']}/hands/{last['number']}").json()
    assert film["end"] is None
    assert len(film["frames"]) == last["frames"]


def test_house_rules_come_with_their_text(client: TestClient) -> None:
    house = 'base = "lingque-29"\nminimum = 12\ntitle = "本社"\n'
    from quepu.rulebooks.house_rules import book_of

    match = Match(book_of("", house))
    wall, salt = secret_wall()
    lines: list[str] = []
    log = LogWriter(match, lines.append)
    table = Table(match.book, wall)
    log.hand(1, match.place, table, salt=salt, commitment=commitment(wall, salt))
    alone = upload(client, "\n".join(lines)).json()  # read without its rules, and that is said
    assert "house" in alone["lost"][-1]["zh"]
    page = uploaded(client, lines, house=house)
    assert page["book"]["zh"] == "本社"
    assert page["hand_list"][0]["sealed"]
    assert client.get(f"/api/replays/{page['id']}").json() == {**page, "mine": False}
    reveal = client.get(f"/api/replays/{page['id']}/hands/1").json()["reveal"]
    assert reveal["commitment"] == commitment(wall, reveal["salt"])


def test_a_match_of_botzone(client: TestClient) -> None:
    data = record(go(WON.copy(), "E win"), 0)
    page = uploaded(client, [json.dumps(data, indent=1)])
    assert page["kind"] == "botzone"
    assert page["rules"] == book("guobiao-mcr").id
    assert page["totals"] == [112, -8, -96, -8]
    assert any("次序" in text["zh"] for text in page["lost"])
    film = client.get(f"/api/replays/{page['id']}/hands/1").json()
    assert film["end"]["winner"] == "E"
    assert film["end"]["winning"] == "P"
    assert film["frames"][-1]["won"]
    assert film["frames"][-1]["drawn"] == {"seat": "E", "tile": "P"}


def test_a_server_that_starts_again_has_the_same_replays(tmp_path: Path) -> None:
    with TestClient(create_app(Settings(data=tmp_path))) as client:
        page = uploaded(client, LOG)
        film = client.get(f"/api/replays/{page['id']}/hands/1").json()
    with TestClient(create_app(Settings(data=tmp_path))) as client:
        assert client.get(f"/api/replays/{page['id']}", headers={"X-Who": ME}).json() == page
        assert client.get(f"/api/replays/{page['id']}/hands/1").json() == film


def test_bots_are_called_in_the_readers_language() -> None:
    assert name_text("电脑2·新手") == ("电脑2·新手", "Bot 2·beginner")
    assert name_text("阿竹") == ("阿竹", "阿竹")
    assert name_text("(我)") == name_text("(Player)") == ("我", "Player")
    assert name_text("(Host)") == ("桌主", "Host")
    assert name_text("我") == ("我", "我")


def test_a_kong_face_down_is_not_named_to_the_others(client: TestClient) -> None:
    lines = play_match("guobiao-mcr", 1)[1]
    id = client.post("/api/replays", json={"who": "replay-replay", "text": "\n".join(lines)}).json()["id"]
    frames = client.get(f"/api/replays/{id}/hands/1").json()["frames"]
    kong = next(frame for frame in frames if frame["e"] == "concealed")
    assert kong["text"]["zh"] == "南家暗杠八索" and kong["hidden"]["zh"] == "南家暗杠"
    assert frames[-1]["text"]["zh"] == "荒牌"
