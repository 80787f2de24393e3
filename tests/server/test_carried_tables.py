"""Tables that go between a device and the server: one log, merged by its length, nothing lost and nothing twice."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from quepu.server.app import create_app
from quepu.server.device.app import Device
from tests.server.serving import unlimited

WHO = "who-of-a-device"
HEADERS = {"content-type": "application/json", "x-who": WHO}
ID = "abcdefghijkl"
SPEC = {"who": WHO, "id": ID, "rules": "yuque-54", "names": ["甲", "乙", "丙", "丁"], "title": "周五"}
WINS: list[dict[str, Any]] = [{"kind": "hand", "winner": i % 4, "fan": 9 + i, "self_draw": True} for i in range(4)]


@pytest.fixture
def client(tmp_path: Path) -> Iterator[TestClient]:
    with TestClient(create_app(unlimited(tmp_path))) as made:
        yield made


def of_device(device: Device, method: str, address: str, body: Any = None) -> Any:
    data = b"" if body is None else json.dumps(body).encode()
    status, _, answer = asyncio.run(device.request(method, address, HEADERS, data))
    assert status in (200, 201), answer.decode()
    return json.loads(answer)


def evening() -> tuple[Device, Any]:
    """A table opened on a device with two hands and one taken back."""
    device = Device()
    of_device(device, "POST", "/api/tables", SPEC)
    for seen, record in enumerate(WINS[:2], 1):
        change = {"seen": seen, "do": "add", "record": record, "key": f"k{seen}"}
        of_device(device, "POST", f"/api/tables/{ID}", change)
    return device, of_device(device, "POST", f"/api/tables/{ID}", {"seen": 3, "do": "undo", "key": "k3"})


def carried(device: Device, who: str = WHO) -> dict[str, Any]:
    log = device.logs.json_of(ID)
    assert log is not None
    entries = [{k: v for k, v in body.items() if k != "came_to"} for _, _, body in log["entries"][1:]]
    return {"who": who, "spec": log["entries"][0][2]["spec"], "entries": entries}


def settled(view: Any) -> Any:
    return {k: v for k, v in view.items() if k not in ("created", "updated")}


def test_a_table_of_a_device_becomes_the_same_table_of_the_server(client: TestClient) -> None:
    device, here = evening()
    for _ in range(2):  # its answer may be lost: it is sent again
        there = client.put(f"/api/tables/{ID}/log", json=carried(device), headers=HEADERS)
        assert there.status_code == 200
        assert settled(there.json()) == settled(here)
    log = client.get(f"/api/tables/{ID}/log", headers=HEADERS).json()
    stored = device.logs.json_of(ID)
    assert stored is not None
    assert [entry["body"] for entry in log["entries"]] == json.loads(
        json.dumps([body for _, _, body in stored["entries"]])
    )
    assert log["mine"]
    stranger = client.get(f"/api/tables/{ID}/log", headers={"x-who": "who-is-somebody-else"})
    assert not stranger.json()["mine"]
    assert WHO not in stranger.text, "whoever knows this name has the tables"
    assert client.get("/api/tables", headers=HEADERS).json()[0]["id"] == ID
    # the device was behind: nothing to do
    body = {"seen": 4, "do": "add", "record": WINS[2], "key": "k4"}
    assert client.post(f"/api/tables/{ID}", json=body, headers=HEADERS).status_code == 200
    again = client.put(f"/api/tables/{ID}/log", json=carried(device), headers=HEADERS)
    assert again.json()["length"] == 5


def test_what_others_wrote_meanwhile_is_never_written_over(client: TestClient) -> None:
    device, _ = evening()
    mine = carried(device)
    assert client.put(f"/api/tables/{ID}/log", json=mine, headers=HEADERS).status_code == 200
    client.post(f"/api/tables/{ID}", json={"seen": 4, "do": "add", "record": WINS[2], "key": "o"}, headers=HEADERS)
    of_device(device, "POST", f"/api/tables/{ID}", {"seen": 4, "do": "add", "record": WINS[3], "key": "m"})
    late = client.put(f"/api/tables/{ID}/log", json=carried(device), headers=HEADERS)
    assert late.status_code == 409
    assert client.get(f"/api/tables/{ID}").json()["length"] == 5
    taken = {**carried(device, "who-is-somebody-else"), "entries": []}
    assert client.put(f"/api/tables/{ID}/log", json=taken).status_code == 409
    wrong = {**mine, "entries": [{"do": "add", "record": {"kind": "hand", "winner": 1, "discarder": 1, "fan": 9}}]}
    assert client.put("/api/tables/mnopqrstuvwx/log", json=wrong).status_code in (400, 422)
    assert client.get("/api/tables/mnopqrstuvwx").status_code == 404, "it is taken in whole or not at all"
    assert client.put("/api/tables/x/log", json=mine).status_code == 422


def test_a_table_is_opened_once_however_often_that_is_sent(client: TestClient) -> None:
    one, two = (client.post("/api/tables", json=SPEC, headers=HEADERS) for _ in range(2))
    assert one.json() == two.json()
    assert len(client.get("/api/tables", headers=HEADERS).json()) == 1
    other = client.post("/api/tables", json={**SPEC, "who": "who-is-somebody-else"})
    assert other.status_code == 409


def test_a_change_that_is_sent_twice_at_once_is_made_once(client: TestClient) -> None:
    client.post("/api/tables", json=SPEC, headers=HEADERS)
    body = {"seen": 1, "do": "add", "record": WINS[0], "key": "k1"}
    with ThreadPoolExecutor(6) as several:
        sent = [several.submit(client.post, f"/api/tables/{ID}", json=body, headers=HEADERS) for _ in range(6)]
        answers = [one.result() for one in sent]
    assert {(answer.status_code, answer.json()["length"]) for answer in answers} == {(200, 2)}


def test_a_device_goes_on_with_the_servers_table_and_changes_nothing_of_its_copy(client: TestClient) -> None:
    view = client.post("/api/tables", json={k: v for k, v in SPEC.items() if k != "id"}, headers=HEADERS).json()
    id, address = view["id"], f"/api/tables/{view['id']}"
    log = client.get(f"{address}/log", headers=HEADERS).json()
    head = [id, "table", WHO, log["title"], log["created"], log["updated"], log["length"]]
    copy = {"head": head, "entries": [[e["n"], e["at"], e["body"]] for e in log["entries"]], "copy": True}
    device = Device()
    device.put_back(json.dumps({"logs": [copy], "answers": []}))
    waiting = [{"do": "add", "record": record, "key": f"k{i}"} for i, record in enumerate(WINS)]
    for n in (1, 3, 4, 2):
        status, _, answer = asyncio.run(device.ahead(id, waiting[:n], "GET", address, HEADERS))
        assert status == 200
        assert json.loads(answer)["length"] == 1 + n
    wrong = {"do": "add", "record": {"kind": "hand", "winner": 1, "discarder": 1, "fan": 9}, "key": "wrong"}
    status, _, answer = asyncio.run(device.ahead(id, [waiting[0], wrong], "GET", address, HEADERS))
    assert status == 400
    assert json.loads(answer)["key"] == "wrong"
    assert json.loads(device.changes()) == {"logs": {}, "answers": None}
    _, _, ahead = asyncio.run(device.ahead(id, waiting, "GET", address, HEADERS))
    for seen, change in enumerate(waiting, 1):
        there = client.post(address, json={**change, "seen": seen}, headers=HEADERS)
        log = client.get(f"{address}/log", headers=HEADERS).json()
        copy["entries"] = [[e["n"], e["at"], e["body"]] for e in log["entries"]]
        copy["head"] = [*head[:6], log["length"]]
        device.put_back(json.dumps({"logs": [copy], "answers": []}))
        _, _, later = asyncio.run(device.ahead(id, waiting, "GET", address, HEADERS))  # the copy has some of them
        assert json.loads(later)["length"] == 1 + len(waiting)
    assert settled(json.loads(ahead)) == settled(there.json()) == settled(json.loads(later))


def test_a_late_practice_answer_is_counted_once_and_on_its_day(client: TestClient) -> None:
    reply = {
        "rules": "canton", "kind": "fans", "level": 1, "seed": 7, "fans": [], "who": WHO, "seconds": 3.5,
        "at": 1_700_000_000.25,
    }  # fmt: skip
    verdicts = [client.post("/api/practice/answer", json=reply).json() for _ in range(2)]
    assert verdicts[0] == verdicts[1]
    history = client.get("/api/practice/history?rules=canton", headers=HEADERS).json()
    assert history["answered"] == 1
    assert history["days"][0]["day"] == "2023-11-14"
