"""Pages that follow a table hear of each change, and a change that is sent twice is made once."""

import asyncio

from starlette.testclient import TestClient

from quepu.server.app import create_app
from quepu.server.device.stores import DeviceLogs
from quepu.server.live import Followers
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
        found.append(await asyncio.wait_for(following, 2))
        await logs.delete(head.id)
        following = asyncio.ensure_future(anext(lengths, "gone"))
        await asyncio.sleep(0)
        followers.grown(head.id)
        found.append(await asyncio.wait_for(following, 2))
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
