"""The same store on PostgreSQL: migrations, the scorekeeper and practice, two writers at once."""

import asyncio

from starlette.testclient import TestClient

from quepu.server.app import create_app
from quepu.server.store.database import Database
from quepu.server.store.logs import Logs
from quepu.server.store.practice import PracticeStore
from quepu.server.store.values import Answered, Conflict
from tests.loop import run
from tests.match.test_log import forged, play_match
from tests.server.serving import unlimited

NAMES = ["林", "周", "何", "许"]


def test_a_table_is_stored_and_read_again(postgres_address, tmp_path):
    settings = unlimited(tmp_path, database=postgres_address)
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
        found = client.get("/api/practice/history", params={"rules": "guobiao"}, headers={"X-Who": "somebody-1234"})
        assert found.json()["answered"] == 1
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


def test_an_answer_that_two_servers_receive_is_counted_once(postgres_address, tmp_path):
    """A slow page sends an answer again, and a load balancer may pass it to another server."""

    async def both():
        bases = [Database(tmp_path, postgres_address) for _ in range(2)]
        answer = Answered("guobiao", "points", 1, 1, True, 2.0, {}, 1_790_000_000.0)
        await asyncio.gather(*(PracticeStore(base).add("somebody-1234", answer) for base in bases * 4))
        found = await PracticeStore(bases[0]).history("somebody-1234", "guobiao")
        for base in bases:
            await base.close()
        return found

    assert len(run(both())) == 1


STRANGE = {
    "NUL in the rules": {"rules": "a\0b"},
    "long rules": {"rules": "b" * 300},
    "NUL in the title": {"rules": "c", "title": ["a\0", "b\0"]},
    "NUL in names": {"players": ["a\0b", "周", "何", "许"], "bots": ["\0", "", "", ""]},
    "no number": {"quepu": float("nan"), "note": "\0"},
}


def test_logs_with_strange_words_in_their_headers_are_stored_and_listed(postgres_address, tmp_path):
    """SQLite holds whatever it is given; PostgreSQL no text with NUL in it."""
    log = play_match("yuque-54", 3)[1]
    settings = unlimited(tmp_path, database=postgres_address)
    with TestClient(create_app(settings), raise_server_exceptions=False) as client:
        for what, changes in STRANGE.items():
            body = {"who": "somebody-1234", "text": "\n".join(forged(log, 0, **changes))}
            made = client.post("/api/replays", json=body)
            assert made.status_code == 201, (what, made.text)
            path = f"/api/replays/{made.json()['id']}"
            for one in (path, f"{path}/log", f"{path}/hands/1"):
                assert client.get(one).status_code == 200, (what, one)
        listed = client.get("/api/replays", headers={"X-Who": "somebody-1234"}).json()["replays"]
        assert len(listed) == len(STRANGE)
