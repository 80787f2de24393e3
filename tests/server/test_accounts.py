"""Accounts: known again by a cookie or a token, places that follow from device to device, and gone when deleted."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import argon2
import pytest
from starlette.testclient import TestClient

from quepu.server.accounts.passwords import check_password
from quepu.server.app import Settings, create_app
from quepu.server.http.responses import Refusal
from quepu.server.store import accounts
from quepu.server.store.administration import Administration
from tests.server.rooms import play_on
from tests.server.serving import unlimited

NAME, PASSWORD = "林清", "correct horse 马"
ROOM = {"name": "我", "think": 0, "move": 0, "bank": 0, "seed": 5, "rules": "lingque-29"}


@pytest.fixture(params=["sqlite", "postgres"])
def made(request: pytest.FixtureRequest, tmp_path: Path) -> Settings:
    if request.param == "sqlite":
        return unlimited(tmp_path)
    address = request.getfixturevalue("postgres_address")
    return unlimited(tmp_path, database=address)


def entered(client: TestClient, how: str = "register", name: str = NAME, password: str = PASSWORD) -> Any:
    return client.post(f"/api/account/{how}", json={"name": name, "password": password})


def test_an_account_from_its_first_day_to_its_last(made: Settings, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    app = create_app(made)
    with TestClient(app) as phone:
        desk = TestClient(app)  # another jar of cookies at the same server
        desk.portal = phone.portal
        assert phone.get("/api/account").status_code == 401
        first = entered(phone)
        assert first.status_code == 200
        cookie = first.headers["set-cookie"].lower()
        assert all(part in cookie for part in ("httponly", "samesite=strict", "path=/api"))
        assert entered(desk, name=f" {NAME} ").status_code == 409
        assert phone.get("/api/account").json()["name"] == NAME

        # a place taken on one device goes on on another, and the old token is nobody's
        mine = phone.post("/api/rooms", json={**ROOM, "bots": ["", "plain", "plain", "plain"]}).json()
        shared = phone.post("/api/rooms", json={**ROOM, "bots": ["", "", "plain", "plain"]}).json()
        assert desk.post(f"/api/rooms/{shared['room']}/sit", json={"name": "客"}).status_code == 200
        assert desk.get("/api/account/seats").status_code == 401
        assert entered(desk, "login").status_code == 200
        listed = desk.get("/api/account/seats").json()
        assert {seat["room"]: seat["over"] for seat in listed} == {mine["room"]: False, shared["room"]: False}
        again = desk.post(f"/api/account/seats/{mine['room']}").json()
        assert again["place"] == mine["place"]
        path = f"/api/rooms/{mine['room']}/ws"
        with desk.websocket_connect(path) as socket:
            socket.send_json({"token": again["token"]})
            assert socket.receive_json()["you"] == mine["place"]
        with desk.websocket_connect(path) as socket:
            socket.send_json({"token": mine["token"]})
            assert "refused" in socket.receive_json()
        assert desk.post("/api/account/seats/none").status_code == 404

        # a program brings the same token as a bearer
        desk.cookies.clear()
        bearer = {"authorization": f"Bearer {first.json()['token']}"}
        assert desk.get("/api/account", headers=bearer).json()["name"] == NAME
        assert desk.get("/api/account", headers={"authorization": "Bearer x"}).status_code == 401

        # another password logs everybody else out
        body = {"old": PASSWORD, "password": "another 密码 1"}
        assert phone.post("/api/account/password", json={**body, "old": "wrong word"}).status_code == 401
        assert phone.post("/api/account/password", json=body).status_code == 200
        assert desk.get("/api/account", headers=bearer).status_code == 401
        assert phone.get("/api/account").status_code == 200

        # gone for good: the tables played with bots alone too, those with others stay theirs
        assert phone.post("/api/account/delete", json={"password": "wrong word"}).status_code == 401
        app.state.replays._opened.put(mine["room"], object())  # as if somebody had just looked at its replay
        gone = phone.post("/api/account/delete", json={"password": "another 密码 1"})
        assert gone.json() == {"rooms": [mine["room"]]}
        assert phone.get("/api/account").status_code == 401
        assert phone.get(f"/api/rooms/{mine['room']}").status_code == 404
        assert phone.get(f"/api/replays/{mine['room']}").status_code == 404
        assert phone.get(f"/api/rooms/{shared['room']}").status_code == 200
        assert entered(phone, "login", password="another 密码 1").status_code == 401
        for secret in (PASSWORD, "another 密码 1", first.json()["token"], again["token"], mine["token"]):
            assert secret not in caplog.text


@pytest.mark.long
def test_finished_matches_follow_their_account(tmp_path: Path) -> None:
    app = create_app(unlimited(tmp_path))
    with TestClient(app) as desk:
        assert entered(desk).status_code == 200
        sat = desk.post("/api/rooms", json={**ROOM, "bots": ["", *["plain"] * 3], "listed": False}).json()
        with desk.websocket_connect(f"/api/rooms/{sat['room']}/ws") as socket:
            socket.send_json({"token": sat["token"]})
            socket.send_json({"ready": True})
            play_on(socket, lambda message: message.get("over", {}).get("match_over", False))
        phone = TestClient(app)
        phone.portal = desk.portal
        assert phone.get("/api/replays").json()["replays"] == []
        assert entered(phone, "login").status_code == 200
        assert [one["id"] for one in phone.get("/api/replays").json()["replays"]] == [sat["room"]]
        assert [seat["over"] for seat in phone.get("/api/account/seats").json()] == [True]


@pytest.mark.long
def test_a_password_is_stored_at_the_cost_of_the_standard(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(argon2, "PasswordHasher", argon2.PasswordHasher.func)  # type: ignore[attr-defined]  # cheap in tests
    accounts._hasher.cache_clear()
    try:
        stored = accounts._hasher().hash(PASSWORD)
        assert argon2.extract_parameters(stored) == argon2.profiles.RFC_9106_LOW_MEMORY
        assert accounts._matches(stored, PASSWORD) and not accounts._matches(stored, PASSWORD + "!")
    finally:
        accounts._hasher.cache_clear()


GUESSED = [
    ("林清", "12345678"), ("林清", "１２３４５６７８"), ("林清", "9876543210"), ("林清", "90123456"),
    ("林清", "abcdefgh"), ("林清", "ZYXWVUTS"), ("林清", "11111111"), ("林清", "12121212"), ("林清", "abc abc abc"),
    ("林清", "1234512345"), ("林清", "qwertyui"), ("林清", "poiuytre"), ("林清", "1QAZ2wsx"), ("林清", "Password"),
    ("林清", "woaini1314"), ("longname", "LongName"), ("longname", "longname123"), ("longname", "1234longname"),
    ("longname", "longname!"), ("林清", "林清林清林清林清"), ("林清", "Dragonball"), ("林清", "michael1"),
    ("林清", "liverpool1"), ("林清", "q1w2e3r4t5"),
    (" Ｌｏｎｇname ", "long name"),
]  # fmt: skip
NOT_GUESSED = [
    ("林清", "correct horse 马"), ("longname", "longname 东南西北"), ("林清", "13574682"), ("林清", "1234567x"),
    ("a", "aardvark banana"), ("林清", "12341235"), ("林清", "124578pq"), ("林清", "ace12345"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "password"), GUESSED)
def test_a_password_that_is_guessed_first_is_refused_with_a_better_one(name: str, password: str) -> None:
    with pytest.raises(Refusal, match="太好猜") as refused:
        check_password(password, name)
    assert refused.value.status == 422
    assert "三四个不相干的词" in refused.value.text.zh and "unrelated words" in refused.value.text.en


@pytest.mark.parametrize(("name", "password"), NOT_GUESSED)
def test_other_passwords_are_taken(name: str, password: str) -> None:
    check_password(password, name)


def test_no_way_leads_to_a_password_that_is_guessed_first_and_none_of_before_is_shut_out(tmp_path: Path) -> None:
    app = create_app(unlimited(tmp_path))
    with TestClient(app) as client:
        refused = entered(client, password="12345678")
        assert (refused.status_code, "太好猜" in refused.json()["error"]) == (422, True)
        short = entered(client, password="zq8")
        assert (short.status_code, short.json()["error"]) == (422, "密码太短，至少 8 个字符。")
        assert client.portal is not None
        client.portal.call(app.state.accounts.register, NAME, "12345678")  # as before there was a check
        assert entered(client, "login", password="12345678").status_code == 200
        for new, status in (("abcdefgh", 422), (f"{NAME}{NAME}{NAME}{NAME}", 422), (PASSWORD, 200)):
            body = {"old": "12345678", "password": new}
            assert client.post("/api/account/password", json=body).status_code == status
        code = client.portal.call(Administration(app.state.database).code, NAME)
        for new, status in (("12345678", 422), ("another one", 200)):  # the code is still good after the refusal
            body = {"name": NAME, "code": code, "password": new}
            assert client.post("/api/account/reset", json=body).status_code == status


def test_passwords_are_tried_slowly_and_from_here_only(tmp_path: Path) -> None:
    with TestClient(create_app(unlimited(tmp_path))) as client:
        assert entered(client).status_code == 200
        answers = [entered(client, "login", password=f"guess {n} ......").status_code for n in range(9)]
        assert answers.count(401) == 7
        assert answers[-2:] == [429, 429]
        late = entered(client, "login")
        assert late.status_code == 429
        assert "频繁" in late.json()["error"]
        mine = {"old": PASSWORD, "password": PASSWORD + "!"}  # who is in already is not kept from changing it
        assert client.post("/api/account/password", json=mine).status_code == 200
        other = client.get("/api/account", headers={"origin": "https://evil.example"})
        assert other.status_code == 403
        assert client.get("/api/account", headers={"origin": "http://testserver"}).status_code == 200
        client.post("/api/account/logout")
        assert client.get("/api/account").status_code == 401


def test_a_stranger_who_guesses_locks_nobody_out_and_many_of_them_guess_no_more(tmp_path: Path) -> None:
    app = create_app(unlimited(tmp_path))

    def at(address: str) -> TestClient:
        client = TestClient(app, client=(address, 50000))
        client.portal = home.portal
        return client

    with TestClient(app) as home:
        assert entered(home).status_code == 200
        answers = [entered(at("203.0.113.1"), "login", password=f"guess {n} .....").status_code for n in range(9)]
        assert answers == [401] * 8 + [429]
        assert entered(at("203.0.113.2"), "login").status_code == 200
        app.state.tries[2].burst = 3
        answers = [entered(at(f"203.0.113.{n}"), "login", password="another .....").status_code for n in range(3, 8)]
        assert answers == [401] * 5, "the owner, from wherever he comes, has one try"
        answers = [entered(at(f"203.0.113.{n}"), "login", password="another .....").status_code for n in range(3, 8)]
        assert answers == [429] * 5


@pytest.fixture(scope="module")
def empty(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    """A server without accounts."""
    settings = unlimited(tmp_path_factory.mktemp("empty"))
    with TestClient(create_app(settings)) as client:
        yield client


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ({"name": NAME, "password": "short"}, 422),
        ({"name": "", "password": PASSWORD}, 422),
        ({"name": "  ", "password": PASSWORD}, 422),
        ({"name": "x" * 25, "password": PASSWORD}, 422),
        ({"name": NAME, "password": "x" * 201}, 422),
        ({"name": NAME, "password": 3}, 422),
        ({"name": "nul\x00", "password": PASSWORD}, 422),
        ({"name": "\ud800", "password": PASSWORD}, 422),
    ],
)
def test_what_cannot_be_an_account_is_refused(empty: TestClient, body: dict[str, Any], status: int) -> None:
    answer = empty.post("/api/account/register", content=json.dumps(body), headers={"content-type": "application/json"})
    assert answer.status_code == status
    assert answer.json()["error"]
    assert str(body["password"]) not in answer.text
