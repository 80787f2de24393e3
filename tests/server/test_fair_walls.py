"""Walls that no side chooses: salts of people at the table, and clients who would hold it up or choose."""

from __future__ import annotations

import asyncio
import json
import random
import time
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from starlette.testclient import TestClient, WebSocketTestSession

from quepu.cli import run
from quepu.match.log import LogError, chain_hash
from quepu.match.reader import read_log
from quepu.rulebooks import book
from quepu.server.rooms import playing
from quepu.server.rooms.game import Game
from quepu.server.rooms.messages import RoomSpec
from quepu.server.rooms.record import RoomLog
from quepu.server.rooms.salts import Salts
from quepu.server.rooms.socket_messages import ANY_MESSAGE
from quepu.table.mixed_wall import commit_to, mix_wall, seal
from tests.books import MANY_HANDS
from tests.loop import run as run_in_loop
from tests.server.rooms import lazy, opened, served, to_act, until

Json = dict[str, Any]
SALT = "00112233445566778899aabbccddeeff"
OTHER = "f" * 32


@pytest.fixture
def client(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[TestClient]:
    with served(tmp_path) as made:
        yield made


class Player:
    """A client that commits to a salt for each wall and shows it when it is wanted, unless it is told otherwise."""

    def __init__(self, socket: WebSocketTestSession, sat: Json, after: int | None = None) -> None:
        self.socket, self.place = socket, sat["place"]
        self.shows = True
        self.sealed: list[Json] = []
        self.hands: list[Json] = []
        self.refused: list[str] = []
        socket.send_json({"token": sat["token"], "after": after})

    def commit(self) -> None:
        self.socket.send_json({"commitment": commit_to(self.place, SALT)})

    def play(self, over: Any) -> Json:
        for _ in range(20_000):
            message: Json = self.socket.receive_json()
            ANY_MESSAGE.validate_python(message, strict=True)
            if "sealed" in message:
                self.sealed.append(message["sealed"])
                if self.shows and message["sealed"]["commitments"][self.place]:
                    self.socket.send_json({"salt": SALT, "commitment": commit_to(self.place, SALT)})
            elif isinstance(message.get("hand"), dict):
                self.hands.append(message["hand"])
            elif "refused" in message:
                self.refused.append(message["refused"]["zh"])
            if over(message):
                return message
            if "over" in message and not message["over"]["match_over"]:
                self.socket.send_json({"ready": True})
            elif to_act(message):
                choice = lazy(message["view"]["options"])
                self.socket.send_json({"action": {k: v for k, v in choice.items() if k != "score"}, "n": message["n"]})
        raise AssertionError("it never came")


def forged(lines: list[str], change: Any) -> list[str]:
    """The log with its data changed and its chain made anew."""
    made, last = [], 0
    for line in lines:
        data = json.loads(line)
        del data["h"]
        text = json.dumps(change(data), ensure_ascii=False, separators=(",", ":"))[:-1]
        last = chain_hash(last, text)
        made.append(f'{text},"h":{last}}}')
    return made


def test_a_salt_goes_into_the_wall_and_everybody_can_check(client: TestClient, tmp_path: Path) -> None:
    me = opened(client, seed=None)
    with client.websocket_connect(f"/api/rooms/{me['room']}/ws") as socket:
        player = Player(socket, me)
        player.commit()
        socket.send_json({"ready": True})
        over = player.play(lambda m: "over" in m)["over"]
        reveal = over["reveal"]
    assert player.sealed[0]["commitments"] == [commit_to(0, SALT), "", "", ""]
    assert player.hands[0]["salts"] == [SALT, "", "", ""]
    assert reveal["wall"] == mix_wall(1, reveal["secret"], reveal["salts"]).text()
    assert commit_to("secret", reveal["secret"]) == player.sealed[0]["commitment"]


@pytest.fixture(scope="module")
def whole() -> list[str]:
    """The log of a match in whose walls the first player's salts are, as a room writes it."""

    class Lines(RoomLog):
        def line(self, line: str) -> None:
            lines.append(line)
            self.remember(line)

    lines: list[str] = []
    names = ["我", "乙", "丙", "丁"]
    spec = RoomSpec(rules="lingque-29")
    game = Game.begin(book("lingque-29"), spec, Lines("", None, 0), names, ["person"] * 4)  # type: ignore[arg-type]
    rng = random.Random(1)
    while not game.over:
        assert len(game.match.hands) < MANY_HANDS, "the dealer never leaves"
        game.seal([commit_to(0, SALT), "", "", ""])
        game.deal([SALT, "", "", ""])
        while (table := game.table) is not None and table.to_act:
            options = table.options(table.to_act[0])
            wins = [option for option in options if option.do == "win"]
            game.step(table.to_act[0], rng.choice(wins or options))
        game.settle()
    return lines


def test_a_replay_shows_what_a_wall_was_made_of(client: TestClient, whole: list[str]) -> None:
    request = {"who": "0123456789abcdef", "text": "\n".join(whole)}
    replay = client.post("/api/replays", json=request).json()
    reveal = client.get(f"/api/replays/{replay['id']}/hands/2").json()["reveal"]
    assert reveal["salts"] == [SALT, "", "", ""]
    assert reveal["commitments"] == [commit_to(0, SALT), "", "", ""]
    assert reveal["commitment"] == commit_to("secret", reveal["secret"])
    assert mix_wall(2, reveal["secret"], reveal["salts"]).text() == reveal["wall"]


@pytest.mark.parametrize(
    ("key", "value", "words"),
    [
        ("secret", "0" * 64, "密数"),
        ("commitment", "0" * 64, "密数"),
        ("commitments", ["", "", "", ""], "盐"),
        ("commitments", [0, "", "", ""], "缺少或写错"),
        ("commitments", ["0", "", "", ""], "写得不对"),
        ("commitments", [""], "四位"),
        ("secret", 5, "缺少或写错"),
        ("sealed", 9, "下一局"),
        ("salts", ["", "", "", ""], "密数和盐"),
        ("salts", [OTHER, "", "", ""], "盐"),
        ("salts", [None, "", "", ""], "缺少或写错"),
        ("salts", [], "四位"),
    ],
)
def test_a_log_that_was_changed_is_refused(whole: list[str], key: str, value: Any, words: str) -> None:
    def change(data: Json) -> Json:
        return {**data, key: value} if key in data else data

    with pytest.raises(LogError, match=words):
        read_log(forged(whole, change))
    assert read_log(forged(whole, lambda data: data)).finished


def test_a_wall_is_sealed_once(whole: list[str]) -> None:
    at = next(i for i, line in enumerate(whole) if line.startswith('{"sealed"'))
    with pytest.raises(LogError, match="两次"):
        read_log(forged([*whole[: at + 1], *whole[at:]], lambda data: data))
    with pytest.raises(LogError, match="没有"):  # the wall was mixed, and what it was made of is left out
        read_log(forged([*whole[:at], *whole[at + 1 :]], lambda data: data))


def test_verify_says_whose_salts_are_in(whole: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "log.jsonl"
    path.write_text("\n".join(whole) + "\n", encoding="utf-8")
    hands = sum(line.startswith('{"hand"') for line in whole)
    assert run(["verify", str(path), "--json"]) == 0
    printed = json.loads(capsys.readouterr().out)
    assert (printed["commitments"], printed["mixed"]) == (hands, hands)
    assert printed["salts"] == {"我": hands}
    assert printed["withheld"] == {}
    assert run(["verify", str(path), "--lang", "zh"]) == 0
    assert f"我（{hands} 局）" in capsys.readouterr().out


@pytest.mark.long
def test_who_commits_and_never_shows_holds_nobody_up(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(playing, "SHOWN_WITHIN", 0.3)
    me = opened(client, seed=None, rounds=1)
    with client.websocket_connect(f"/api/rooms/{me['room']}/ws") as socket:
        player = Player(socket, me)
        player.shows = False
        began = time.monotonic()
        for hand in range(3):
            player.commit()
            socket.send_json({"ready": True})
            player.play(lambda m: "over" in m)
            if hand == 1:
                began = time.monotonic()
    assert [bool(sealed["commitments"][0]) for sealed in player.sealed] == [True, True, False]  # not waited for again
    assert [hand["salts"] for hand in player.hands] == [[""] * 4] * 3
    assert time.monotonic() - began < 20


def test_another_salt_is_refused_and_the_right_one_counts_once(client: TestClient) -> None:
    me = opened(client, seed=None)
    with client.websocket_connect(f"/api/rooms/{me['room']}/ws") as socket:
        player = Player(socket, me)
        player.shows = False
        for wrong in ({"commitment": "x"}, {"commitment": 5}, {"salt": "zz"}, {"salt": ["a"]}, {"salt": SALT * 2}):
            socket.send_json(wrong)
        player.commit()
        socket.send_json({"ready": True})
        player.play(lambda m: "sealed" in m)
        for salt in (OTHER, OTHER[::-1].replace("f", "e"), SALT, OTHER, SALT):
            socket.send_json({"salt": salt})
        socket.send_json({"commitment": commit_to(0, OTHER)})  # for the next wall: this one is sealed
        player.play(lambda m: isinstance(m.get("hand"), dict))
        socket.send_json({"salt": OTHER})  # too late: nobody's mistake
        player.play(to_act)
    assert len(player.refused) >= 5 + 3 - 1  # the last may come after the deal
    assert player.hands[0]["salts"] == [SALT, "", "", ""]


def test_nobody_shows_a_salt_for_another_place(client: TestClient) -> None:
    me = opened(client, seed=None, bots=["", "", "plain", "plain"])
    you = client.post(f"/api/rooms/{me['room']}/sit", json={"name": "客"}).json()
    path = f"/api/rooms/{me['room']}/ws"
    with client.websocket_connect(path) as mine, client.websocket_connect(path) as yours:
        player, thief = Player(mine, me), Player(yours, you)
        player.commit()
        yours.send_json({"commitment": commit_to(0, SALT)})  # what was published of the other, copied
        for socket in (mine, yours):
            socket.send_json({"ready": True})
        thief.shows = False
        until(yours, lambda m: "sealed" in m)
        yours.send_json({"salt": SALT})
        player.play(lambda m: isinstance(m.get("hand"), dict))
        thief.play(lambda m: "refused" in m)
    assert thief.refused == ["这不是所承诺的盐。"]
    assert player.hands[0]["salts"] == [SALT, "", "", ""]


def test_a_salt_shown_as_the_wall_is_dealt_is_in_no_later_wall(monkeypatch: pytest.MonkeyPatch) -> None:
    """The time for salts ends while another task changes the room: salts up to the deal are for that wall."""

    class Busy(SimpleNamespace):
        async def wait(self, seconds: float) -> None:
            await self.lock.acquire()
            await asyncio.sleep(seconds)
            asyncio.get_running_loop().call_soon(self.late)

        def late(self) -> None:
            self.salts.hear(0, SALT, commit_to(0, OTHER), game.sealed)
            self.lock.release()

    async def published(_room: Any) -> None:
        pass

    async def deal() -> list[int]:
        seating, clock = SimpleNamespace(places=[]), SimpleNamespace(fill=lambda places: None)
        room = Busy(lock=asyncio.Lock(), salts=Salts(), seating=seating, clock=clock)
        room.salts.hear(0, None, commit_to(0, SALT), None)
        monkeypatch.setattr(playing, "publish", published)
        monkeypatch.setattr(playing, "send_head", lambda _room: None)
        await playing._deal(room, game)  # type: ignore[arg-type]  # what of a room is used for it
        return room.salts.missing(seal(2, room.salts.seal()))

    monkeypatch.setattr(playing, "SHOWN_WITHIN", 0.01)
    lines: list[str] = []
    log = SimpleNamespace(line=lines.append, walls="")
    spec = RoomSpec(rules="lingque-29")
    game = Game.begin(book("lingque-29"), spec, log, list("甲乙丙丁"), ["person"] * 4)  # type: ignore[arg-type]
    assert run_in_loop(deal()) == [0]  # the next salt is not there yet
    assert any(json.loads(line).get("salts") == [SALT, "", "", ""] for line in lines)


def test_a_watcher_puts_nothing_in(client: TestClient) -> None:
    me = opened(client, seed=None)
    with client.websocket_connect(f"/api/rooms/{me['room']}/ws") as socket:
        socket.send_json({})
        socket.send_json({"commitment": commit_to(0, SALT)})
        assert "旁观" in until(socket, lambda m: "refused" in m)["refused"]["zh"]


def test_after_a_restart_the_wall_is_the_one_that_was_sealed(
    client: TestClient, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The server dies between the seal and the deal: it may not seal another."""
    monkeypatch.setattr(playing, "SHOWN_WITHIN", 30.0)
    me = opened(client, seed=None)
    with client.websocket_connect(f"/api/rooms/{me['room']}/ws") as socket:
        player = Player(socket, me)
        player.shows = False
        player.commit()
        socket.send_json({"ready": True})
        player.play(lambda m: "sealed" in m)
    house = client.app.state.rooms  # type: ignore[attr-defined]
    room = house.rooms.pop(me["room"])
    assert client.portal is not None
    client.portal.call(room.close)
    with client.websocket_connect(f"/api/rooms/{me['room']}/ws") as socket:
        again = Player(socket, me, after=0)
        again.play(lambda m: isinstance(m.get("hand"), dict))
    assert again.sealed == player.sealed  # it comes again, and the salt is shown now
    assert again.hands[0]["salts"] == [SALT, "", "", ""]
