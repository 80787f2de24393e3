"""What belongs to a browser goes on on another device: by a code that is good once, or with an account."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

from sqlalchemy import create_engine, text
from starlette.testclient import TestClient

from quepu.server.app import create_app
from quepu.server.store.database import FILE
from tests.server.serving import unlimited

TABLE = {"title": "周五", "rules": "lingque-29", "names": ["甲", "乙", "丙", "丁"]}
OLD, NEW = "an-old-phone-1", "a-new-phone-22"


def opened(client: TestClient, who: str, title: str = "周五") -> str:
    return str(client.post("/api/tables", json={**TABLE, "title": title, "who": who}).json()["id"])


def listed(client: TestClient, who: str) -> list[str]:
    return [one["title"] for one in client.get("/api/tables", headers={"X-Who": who}).json()]


def post(client: TestClient, path: str, body: dict[str, Any], who: str) -> Any:
    return client.post(f"/api/belongings{path}", json=body, headers={"X-Who": who})


def test_a_code_is_good_once_and_for_a_while(tmp_path: Path) -> None:
    app = create_app(unlimited(tmp_path, transfer_minutes=1))
    with TestClient(app) as client:
        opened(client, OLD)
        opened(client, NEW, "周六")
        desk = client.post("/api/desks", json={"title": "赛", "who": OLD, "players": list("甲乙丙丁")})
        assert desk.status_code == 201
        question = {"rules": "lingque-29", "kind": "points", "level": 1, "seed": 3}
        client.post("/api/practice/answer", json={**question, "points": 1, "who": OLD})
        assert client.get("/api/belongings", headers={"X-Who": OLD}).json() == {
            "tables": 1, "desks": 1, "replays": 0, "answers": 1,
        }  # fmt: skip
        first = post(client, "/code", {}, OLD).json()["code"]
        code = post(client, "/code", {}, OLD).json()["code"]  # the first is good no more
        database = create_engine(f"sqlite:///{tmp_path / FILE}")
        with database.connect() as rows:
            stored = [str(row) for row in rows.execute(text("SELECT * FROM transfer_code"))]
        assert len(stored) == 1
        assert code.replace("-", "") not in stored[0]
        assert post(client, "/take", {"code": first}, NEW).status_code == 400
        taken = post(client, "/take", {"code": f" {code.upper()} "}, NEW)
        assert taken.json() == {"who": OLD}
        assert taken.headers["cache-control"] == "no-store"
        assert sorted(listed(client, OLD)) == ["周五", "周六"]
        assert listed(client, NEW) == []
        assert post(client, "/take", {"code": code}, NEW).status_code == 400
        # a code that is too old
        code = post(client, "/code", {}, OLD).json()["code"]
        with database.begin() as rows:
            rows.execute(text("UPDATE transfer_code SET until = :now"), {"now": time.time() - 1})
        assert post(client, "/take", {"code": code}, NEW).status_code == 400
        # what is left behind stays where it is
        opened(client, NEW, "周日")
        code = post(client, "/code", {}, OLD).json()["code"]
        assert post(client, "/take", {"code": code, "merge": False}, NEW).status_code == 200
        assert listed(client, NEW) == ["周日"]
        # nobody finds a code by guessing, and no code stands in an address
        tries = [post(client, "/take", {"code": f"{n:012}"}, NEW).status_code for n in range(12)]
        assert tries[-1] == 429
        assert client.post("/api/belongings/code?who=" + OLD).status_code == 422


def test_tables_follow_an_account(tmp_path: Path) -> None:
    app = create_app(unlimited(tmp_path))
    with TestClient(app) as phone:
        laptop = TestClient(app)
        laptop.portal = phone.portal
        opened(phone, OLD)
        assert post(phone, "/account", {}, OLD).status_code == 401
        me = {"name": "林清", "password": "correct horse 马"}
        assert phone.post("/api/account/register", json=me).status_code == 200
        mine = post(phone, "/account", {"merge": True}, OLD).json()["who"]
        assert listed(phone, mine) == ["周五"]
        assert listed(phone, OLD) == []
        assert laptop.post("/api/account/login", json=me).status_code == 200
        opened(laptop, NEW, "客人的")
        assert post(laptop, "/account", {}, NEW).json() == {"who": mine}
        assert listed(laptop, mine) == ["周五"]  # a guest's table is not taken along unasked
        exported = phone.get("/api/account/export").json()["belongings"]
        assert [(one["kind"], one["title"]) for one in exported] == [("table", "周五")]
        # a code used where the account is followed: the account has both
        code = post(TestClient(app), "/code", {}, NEW)
        assert code.status_code == 200
        assert post(laptop, "/take", {"code": code.json()["code"], "merge": False}, mine).json() == {"who": NEW}
        assert post(phone, "/account", {}, mine).json() == {"who": NEW}
        assert sorted(listed(phone, NEW)) == ["周五", "客人的"]
        # another password: whoever had the name has the tables no more
        body = {"old": me["password"], "password": "another 密码 1"}
        assert phone.post("/api/account/password", json=body).status_code == 200
        assert listed(phone, NEW) == []
        again = post(phone, "/account", {}, NEW).json()["who"]
        assert again != NEW
        assert sorted(listed(phone, again)) == ["周五", "客人的"]
        gone = phone.post("/api/account/delete", json={"password": body["password"]})
        assert gone.status_code == 200
        assert sorted(listed(phone, again)) == ["周五", "客人的"]  # they stay in the browser that has the name
