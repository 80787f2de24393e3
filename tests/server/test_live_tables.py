"""Pages that follow a table hear of each change, and a change that is sent twice is made once."""

import asyncio

import httpx
import pytest
from starlette.testclient import TestClient

from quepu.server.app import create_app
from quepu.server.device.stores import DeviceLogs
from quepu.server.http.responses import Refusal
from quepu.server.live import Followers
from quepu.server.lru_cache import SharedWork
from tests.server.serving import unlimited


def test_whoever_follows_a_log_gets_each_length_at_once():
    async def follow():
        logs = DeviceLogs()
        head = await logs.create("table", "me", "t", {})
        followers = Followers(logs)
        lengths = followers.lengths(head.id)
        found = [await anext(lengths)]
        following = asyncio.ensure_future(anext(lengths))
        await asyncio.sleep(0)
        await logs.append(head.id, 1, [{}, {}])
        followers.grown(head.id)
        found.append(await asyncio.wait_for(following, 60))
        await logs.delete(head.id)
        following = asyncio.ensure_future(anext(lengths, "gone"))
        await asyncio.sleep(0)
        followers.grown(head.id)
        found.append(await asyncio.wait_for(following, 60))
        return found, followers._of

    found, left = asyncio.run(follow())
    assert found == [1, 3, "gone"]
    assert left == {}


def test_a_change_sent_again_is_made_once_and_readers_may_follow(tmp_path, monkeypatch):
    monkeypatch.setattr("quepu.server.live.Followers.stream.__defaults__", (0.2,))
    with TestClient(create_app(unlimited(tmp_path))) as client:
        table = client.post("/api/tables", json={"who": "somebody-1234", "names": ["林", "周", "何", "许"]}).json()
        path = f"/api/tables/{table['id']}"
        record = {"kind": "hand", "winner": 0, "points": 48, "discarder": 1}
        body = {"seen": 1, "do": "add", "record": record, "key": "abc"}
        first = client.post(path, json=body)
        again = client.post(path, json=body)
        assert (first.status_code, again.status_code) == (200, 200)
        assert again.json()["rows"] == first.json()["rows"]
        assert len(again.json()["rows"]) == 1
        assert client.post(path, json=body | {"key": "other"}).status_code == 409
        reader = client.post(f"{path}/reader").json()["reader"]
        for id in (table["id"], reader):
            answer = client.get(f"/api/tables/{id}/live")
            assert answer.headers["content-type"].startswith("text/event-stream")
            assert "data: 2\n\n" in answer.text
        assert client.get("/api/tables/nothing/live").status_code == 404


def test_what_many_ask_for_at_once_is_worked_out_once():
    begun = []

    async def work(key):
        begun.append(key)
        await asyncio.sleep(0)
        return key

    async def asked():
        shared = SharedWork()
        keys = [3, 3, 3, 4, 3]
        found = await asyncio.gather(*(shared.run(key, lambda key=key: work(key)) for key in keys))
        assert found == keys
        assert await shared.run(3, lambda: work(3)) == 3  # what has ended is not stored here
        assert shared._tasks == {}

    asyncio.run(asked())
    assert begun == [3, 4, 3]


def test_who_goes_away_stops_nothing_that_others_wait_for():
    async def asked():
        shared, ready = SharedWork(), asyncio.Event()

        async def work():
            await ready.wait()
            return "done"

        first, second = (asyncio.ensure_future(shared.run("key", work)) for _ in range(2))
        await asyncio.sleep(0)
        first.cancel()
        await asyncio.sleep(0)
        ready.set()
        return await second

    assert asyncio.run(asked()) == "done"


def test_a_refusal_is_of_who_asked():
    async def refused():
        await asyncio.sleep(0)
        raise Refusal(429, "太多", "too many")

    async def done():
        return "done"

    async def asked():
        shared = SharedWork()
        poor = asyncio.ensure_future(shared.run("key", refused))
        await asyncio.sleep(0)
        assert await shared.run("key", done) == "done"
        with pytest.raises(Refusal):
            await poor

    asyncio.run(asked())


def test_sixty_pages_that_follow_a_tournament_all_see_it_when_it_has_grown(tmp_path):
    """They share an address, and ask at the same time; only twelve pieces of its work may wait."""

    async def looked(app, path):
        transport = httpx.ASGITransport(app)
        async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1") as web:
            return [one.status_code for one in await asyncio.gather(*(web.get(path) for _ in range(60)))]

    with TestClient(create_app(unlimited(tmp_path))) as client:
        players = [f"选手{i}" for i in range(60)]
        desk = client.post("/api/desks", json={"who": "somebody-1234", "title": "杯", "players": players}).json()
        assert client.portal.call(looked, client.app, f"/api/desks/{desk['id']}") == [200] * 60
