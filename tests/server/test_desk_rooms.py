"""A round of the desk played online: a room a table, places held, the same committed walls, results out of the logs."""

import pytest
from starlette.testclient import TestClient

from quepu.server.app import Settings, create_app
from tests.server.test_table_results import WHO

EIGHT = ["张伟", "王芳", "李娜", "刘洋", "陈静", "杨帆", "赵磊", "黄敏"]


@pytest.fixture
def client(tmp_path):
    settings = (
        Settings(data=tmp_path, rate=1e6, burst=10**6, limits=None)
        if False
        else Settings(data=tmp_path, rate=1e6, burst=10**6)
    )
    with TestClient(create_app(settings)) as made:
        yield made


def write(client, desk, **record):
    answer = client.post(f"/api/desks/{desk['id']}", json={"seen": desk["length"], "record": record})
    assert answer.status_code == 200, answer.text
    return answer.json()


def begun(client, **more):
    body = {"who": WHO, "title": "周五", "rules": "guobiao-mcr", "players": EIGHT, "length": 1}
    desk = client.post("/api/desks", json=body).json()
    desk = write(client, desk, do="draw", rounds=1)
    return write(client, desk, do="begin", open_rooms=True, **more)


def sit(client, room, name):
    return client.post(f"/api/rooms/{room}/sit", json={"name": name})


def test_rooms_are_made_with_places_held_for_who_sits_there(client):
    desk = begun(client)
    tables = desk["rounds"][0]["tables"]
    assert [table["online"] for table in tables] == [True, True]
    head = client.get(f"/api/rooms/{tables[0]['opened']}").json()
    assert [place["reserved"] for place in head["places"]] == tables[0]["names"]
    assert head["title"] == "周五 1-1"
    refused = sit(client, tables[0]["opened"], tables[1]["names"][0])
    assert refused.status_code == 400  # that place is at the other table
    own = sit(client, tables[0]["opened"], tables[0]["names"][2])
    assert own.json()["place"] == 2
