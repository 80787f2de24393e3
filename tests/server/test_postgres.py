"""The same store on PostgreSQL: migrations, the scorekeeper and practice, two writers at once."""

import asyncio

from starlette.testclient import TestClient

from quepu.server.app import Settings, create_app
from quepu.server.store.database import Database
from quepu.server.store.logs import Logs
from quepu.server.store.values import Conflict
from tests.loop import run

NAMES = ["林", "周", "何", "许"]


def test_a_table_is_stored_and_read_again(postgres_address, tmp_path):
    settings = Settings(data=tmp_path, database=postgres_address, rate=1e6, burst=10**6)
    with TestClient(create_app(settings)) as client:
        body = {"who": "somebody-1234", "rules": "lingque-29", "names": NAMES}
        table = client.post("/api/tables", json=body).json()
        record = {"kind": "hand", "winner": 0, "points": 48, "discarder": 1}
        answer = client.post(f"/api/tables/{table['id']}", json={"seen": 1, "do": "add", "record": record})
        assert answer.json()["totals"] == [192, -96, -48, -48]
        reply = {"rules": "guobiao", "kind": "points", "level": 1, "seed": 1, "who": "somebody-1234", "points": 3}
        assert client.post("/api/practice/answer", json=reply).status_code == 200
    with TestClient(create_app(settings)) as client:
        assert client.get(f"/api/tables/{table['id']}").json()["totals"] == [192, -96, -48, -48]
        told = client.get("/api/practice/history", params={"rules": "guobiao"}, headers={"X-Who": "somebody-1234"})
        assert told.json()["answered"] == 1
        assert client.delete(f"/api/tables/{table['id']}", headers={"X-Who": "somebody-1234"}).status_code == 204


def test_of_two_writers_at_once_one_is_refused(postgres_address, tmp_path):
    async def both():
        one, two = Database(tmp_path, postgres_address), Database(tmp_path, postgres_address)
        head = await Logs(one).create("table", "somebody-1234", "t", {"n": 0})
        done = await asyncio.gather(
            *(Logs(base).append(head.id, 1, [{"n": 1}]) for base in (one, two)), return_exceptions=True
        )
        _, entries = await Logs(one).read(head.id)
        await one.close()
        await two.close()
        return done, entries

    done, entries = run(both())
    assert sorted(map(str, (type(one).__name__ for one in done))) == sorted(["int", Conflict.__name__])
    assert [entry.n for entry in entries] == [0, 1]
