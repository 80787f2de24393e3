"""Friends by link: both sides at once, privately, without an account; removed in the same way."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from quepu.server.app import create_app
from quepu.server.players import friends as friends_module
from tests.server.serving import unlimited

ANNA, BO, CAI = ("anna-browser-1", "bo-browser-222", "cai-browser-33")
Json = dict[str, Any]


@pytest.fixture
def client(tmp_path: Path) -> Iterator[TestClient]:
    with TestClient(create_app(unlimited(tmp_path))) as client:
        yield client


def invite(client: TestClient, who: str, name: str) -> str:
    answer = client.post("/api/friends/invitation", json={"who": who, "name": name})
    assert answer.status_code == 200, answer.text
    return str(answer.json()["code"])


def accept(client: TestClient, who: str, name: str, code: str) -> Any:
    return client.post("/api/friends/accept", json={"who": who, "name": name, "code": code})


def friends(client: TestClient, who: str, at: str = "") -> list[Json]:
    found: list[Json] = client.get("/api/friends", headers={"X-Who": who}, params={"at": at}).json()["friends"]
    return found


def test_a_link_makes_two_players_friends_on_both_sides(client: TestClient) -> None:
    assert friends(client, ANNA) == []
    code = invite(client, ANNA, "安娜")
    assert client.post("/api/friends/invited", json={"code": code}).json() == {"name": "安娜"}
    accepted = accept(client, BO, "小波", code).json()
    assert [(one["name"], one["online"]) for one in accepted["friends"]] == [("安娜", True)]
    assert [(one["name"], one["online"]) for one in friends(client, ANNA)] == [("小波", True)]
    accept(client, BO, "小波", code)  # twice is once
    assert len(friends(client, ANNA)) == len(friends(client, BO)) == 1
    accept(client, CAI, "小蔡", code)
    assert {one["name"] for one in friends(client, ANNA)} == {"小波", "小蔡"}
    assert {one["name"] for one in friends(client, BO)} == {"安娜"}, "friends of a friend are not told"


def test_friends_see_who_is_online_and_at_a_table(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    accept(client, BO, "小波", invite(client, ANNA, "安娜"))
    friends(client, BO, "table12345")
    assert friends(client, ANNA) == [{**friends(client, ANNA)[0], "name": "小波", "online": True, "room": "table12345"}]
    friends(client, BO, "-")
    assert friends(client, ANNA)[0]["room"] == "-"
    friends(client, BO)
    assert friends(client, ANNA)[0]["room"] == ""
    monkeypatch.setattr(friends_module, "ONLINE", -1.0)
    assert [(one["online"], one["room"]) for one in friends(client, ANNA)] == [(False, "")]


def test_who_removes_a_friend_is_removed_there_too(client: TestClient) -> None:
    accept(client, BO, "小波", invite(client, ANNA, "安娜"))
    other = friends(client, BO)[0]["id"]
    for who in (CAI, BO):  # a stranger removes nothing
        gone = client.delete(f"/api/friends/{other}", headers={"X-Who": who})
        assert gone.status_code == 200
        assert len(friends(client, ANNA)) == (1 if who == CAI else 0)
    assert friends(client, BO) == []
    code = invite(client, ANNA, "安娜")
    accept(client, BO, "小波", code)
    assert len(friends(client, BO)) == 1, "they may become friends again"


def test_who_leaves_is_forgotten(client: TestClient) -> None:
    code = invite(client, ANNA, "安娜")
    for who, name in ((BO, "小波"), (CAI, "小蔡")):
        accept(client, who, name, code)
    assert client.delete("/api/friends", headers={"X-Who": ANNA}).json() == {"name": "", "friends": []}
    assert friends(client, BO) == friends(client, CAI) == []
    assert accept(client, BO, "小波", code).status_code == 400


def test_only_a_valid_invitation_of_another_person_is_accepted(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    old = invite(client, ANNA, "安娜")
    new = invite(client, ANNA, "安娜")
    id, _, secret = new.partition(".")
    for wrong in (old, "", ".", id, f"{id}.", f"{id}.{secret[:-1]}", f"x{id}.{secret}", f".{secret}"):
        refused = accept(client, BO, "小波", wrong)
        assert (refused.status_code, refused.json()["error"][:7]) == (400, "这个邀请无效或"), wrong
        assert client.post("/api/friends/invited", json={"code": wrong}).status_code == 400
    assert accept(client, ANNA, "安娜", new).json()["error"] == "这是你自己的邀请，发给朋友吧。"
    assert accept(client, BO, "电脑1·快手", new).status_code == 400
    monkeypatch.setattr(friends_module, "MOST", 0)
    assert "最多" in accept(client, BO, "小波", new).json()["error"]
    monkeypatch.setattr(friends_module, "MOST", 100)
    assert accept(client, BO, "小波", new).status_code == 200
    monkeypatch.setattr(friends_module, "DAYS", -1)
    assert accept(client, CAI, "小蔡", invite(client, ANNA, "安娜")).status_code == 400, "expired"


def test_a_name_of_an_account_can_only_be_used_by_its_owner(client: TestClient) -> None:
    code = invite(client, ANNA, "安娜")
    new = client.post("/api/account/register", json={"name": "老手", "password": "long enough 1"}).json()
    client.cookies.clear()
    assert accept(client, BO, "老手", code).status_code == 400
    body = {"who": BO, "name": "老手", "code": code}
    headers = {"authorization": f"Bearer {new['token']}"}
    assert client.post("/api/friends/accept", json=body, headers=headers).status_code == 200


def test_friends_go_along_to_another_device(client: TestClient) -> None:
    accept(client, BO, "小波", invite(client, ANNA, "安娜"))
    accept(client, CAI, "小蔡", invite(client, BO, "小波"))
    code = client.post("/api/belongings/code", headers={"X-Who": ANNA}).json()["code"]
    moved = client.post("/api/belongings/take", json={"code": code, "merge": True}, headers={"X-Who": CAI}).json()[
        "who"
    ]
    assert {one["name"] for one in friends(client, moved)} == {"小波"}
    assert len(friends(client, BO)) == 2
    client.delete(f"/api/friends/{friends(client, moved)[0]['id']}", headers={"X-Who": moved})
    assert friends(client, moved) == friends(client, BO) == []
