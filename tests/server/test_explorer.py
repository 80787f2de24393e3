"""The stored discards of a server: questions over HTTP, their refusals, and logs that open as replays."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from quepu.explorer.filters import GROUPS, NAMES_OF, read
from quepu.explorer.rows import discards, write_matches
from quepu.explorer.store import Store
from quepu.server.app import create_app
from quepu.server.replays.explorer_api import log_in
from tests.server.serving import unlimited

pytest.importorskip("duckdb")

WHO = "explorer-tests"


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("store")
    write_matches(folder / "bots.logs", "guobiao-mcr", ["plain"] * 4, 6, 5)
    discards(folder / "bots.logs", jobs=1).to_parquet(folder / "bots.parquet")
    return folder


@pytest.fixture(scope="module")
def client(store: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    with TestClient(create_app(unlimited(tmp_path_factory.mktemp("served"), explorer=store))) as found:
        yield found


def test_the_page_is_told_what_can_be_asked(
    client: TestClient, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    start = client.get("/api/explorer").json()
    assert start["available"] is True
    assert [term["name"]["en"] for term in start["terms"]] == list(NAMES_OF)
    assert start["groups"] == list(GROUPS)
    monkeypatch.setitem(sys.modules, "duckdb", None)  # as if it was not installed
    assert client.get("/api/explorer").json()["available"] is False
    monkeypatch.undo()
    with TestClient(create_app(unlimited(tmp_path))) as without:
        assert without.get("/api/explorer").json()["available"] is False
        answer = without.post("/api/explorer", json={"filter": "turn>=1"})
        assert answer.status_code == 404
        assert "--explorer" in answer.json()["error"]


@pytest.mark.parametrize("by", ["", "turn", "shown"])
def test_the_answer_is_that_of_the_command_line(client: TestClient, store: Path, by: str) -> None:
    text = "shown>=0 turn>=5"
    found = client.post("/api/explorer", json={"filter": text, "by": by, "examples": 3})
    assert found.status_code == 200, found.text
    answer = found.json()
    direct = Store(store)
    expected = direct.ask(read(text), by, 3).to_json("zh")
    direct.close()
    assert answer["groups"] == expected["groups"]
    assert answer["rows"] == expected["rows"] > 100
    assert [(one["hand"], one["frame"], one["cost"]) for one in answer["examples"]] == [
        (one["hand"], one["frame"], one["cost"]) for one in expected["examples"]
    ]


def test_an_example_opens_where_the_tile_is_discarded(client: TestClient) -> None:
    example = client.post("/api/explorer", json={"filter": "turn>=2", "examples": 1}).json()["examples"][0]
    assert example["log"].startswith("bots.logs/match-")
    opened = client.post("/api/explorer/replay", json={"log": example["log"], "who": WHO})
    assert opened.status_code == 201, opened.text
    film = client.get(f"/api/replays/{opened.json()['id']}/hands/{example['hand']}").json()
    frames = film["frames"]
    assert example["tile"] in str(frames[example["frame"] + 1])
    assert frames[example["frame"]] != frames[example["frame"] + 1]


@pytest.mark.parametrize(
    ("body", "status", "words"),
    [
        ({"filter": "trun>=1"}, 400, "没有“trun”这一项"),
        ({"filter": "turn>=x"}, 400, "应是整数"),
        ({"filter": "turn>=1", "by": "colour"}, 400, "不能按“colour”分"),
        ({"filter": "turn>=1", "by": "shown"}, 400, "按 shown 分要有关于对手的一项"),
        ({"filter": "turn>=1", "examples": 51}, 422, ""),
        ({"filter": "x" * 1001}, 422, ""),
    ],
)
def test_a_bad_question_says_what_is_wrong(
    client: TestClient, body: dict[str, object], status: int, words: str
) -> None:
    answer = client.post("/api/explorer", json=body)
    assert answer.status_code == status, answer.text
    assert words in answer.json()["error"]


@pytest.mark.parametrize(
    "log", ["../secret.jsonl", "/etc/hostname", "bots.parquet", "bots.logs", "nothing.jsonl", "\0", "x" * 300]
)
def test_only_logs_of_the_folder_are_opened(client: TestClient, store: Path, log: str) -> None:
    (store.parent / "secret.jsonl").write_text("{}", "utf-8")
    answer = client.post("/api/explorer/replay", json={"log": log, "who": WHO})
    assert answer.status_code in (400, 404), answer.text
    assert answer.json()["error"]


def test_a_log_is_found_by_the_end_of_its_path(store: Path) -> None:
    """Stores name logs as they were called where they were made, perhaps on another machine."""
    name = next((store / "bots.logs").iterdir()).name
    there = (store / "bots.logs" / name).resolve()
    for written in (
        str(there),
        f"/home/ann/store/bots.logs/{name}",
        f"bots.logs/{name}",
        rf"C:\store\bots.logs\{name}",
    ):
        assert log_in(store, written) == there
    assert log_in(store, name) is None  # it lies in no folder above
    assert log_in(store, f"other.logs/{name}") is None


def test_no_answer_says_where_the_folder_is(tmp_path: Path) -> None:
    folder = tmp_path / "discards"
    with TestClient(create_app(unlimited(tmp_path / "data", explorer=folder))) as served:
        for _ in range(2):  # without the folder, and without files in it
            answer = served.post("/api/explorer", json={"filter": "turn>=1"}, headers={"accept-language": "en"})
            assert answer.status_code == 400
            assert "discards" in answer.json()["error"]
            assert str(tmp_path) not in answer.json()["error"]
            folder.mkdir(exist_ok=True)


def test_a_damaged_file_is_named_without_its_folder(store: Path, tmp_path: Path) -> None:
    (tmp_path / "whole.parquet").write_bytes((store / "bots.parquet").read_bytes())
    (tmp_path / "torn.parquet").write_bytes(b"PAR1")
    with TestClient(create_app(unlimited(tmp_path / "data", explorer=tmp_path))) as served:
        answer = served.post("/api/explorer", json={"filter": "turn>=1"}).json()
    assert [one["en"] for one in answer["unread"]] == ["torn.parquet: not a Parquet file, or damaged"]
    assert answer["groups"][0]["cases"] > 100
    assert all(one["log"] == "" for one in answer["examples"])
