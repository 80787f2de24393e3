"""Programs as bots of rooms: only those that the operator named; one that fails does not stop the game."""

from __future__ import annotations

import dataclasses
import logging
import math
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from starlette.testclient import TestClient

from quepu.arena import match
from quepu.bots.line_process import BotError
from quepu.bots.option_form import WIDTH
from quepu.bots.payable_bot import payable
from quepu.match import read_log
from quepu.review import decisions
from quepu.rl.action_numbers import COUNT
from quepu.rl.encodings import encoding_of
from quepu.rulebooks import book
from quepu.rulebooks.house_rules import book_of
from quepu.server.app import create_app
from quepu.server.operations.configuration import load
from quepu.server.rooms.guests import Guests
from quepu.tiles import WINDS
from tests.bots.test_botzone import CAREFUL
from tests.bots.test_guests import BAD
from tests.server.rooms import FAST, opened, play_on, served
from tests.server.serving import unlimited

WHO = "me-me-me-me"
MCR = {"rules": "guobiao-mcr", "flowers": False, "own_walls": True}


def program(folder: Path, text: str, *words: str) -> str:
    file = folder / "guest.py"
    file.write_text(text, "utf-8")
    return " ".join([sys.executable, str(file), *words])


@contextmanager
def serving(folder: Path, patience: float = 120.0, **guests: str) -> Iterator[TestClient]:
    app = create_app(dataclasses.replace(unlimited(folder), guests=guests))
    app.state.rooms.guests.patience = patience
    with TestClient(app) as client:
        yield client


def played_room(client: TestClient, guest: str, hands: int = 2) -> None:
    """Play so many hands of a match, which has four."""
    left = hands

    def last(message: dict[str, Any]) -> bool:
        nonlocal left
        left -= "over" in message
        return not left

    room = opened(client, bots=["", f"guest:{guest}", "random", "closed"], rounds=1, **MCR)
    with client.websocket_connect(f"/api/rooms/{room['room']}/ws") as socket:
        socket.send_json({"token": room["token"]})
        socket.send_json({"ready": True})
        assert play_on(socket, last)[-1]["over"]["match_over"] == (hands == 4)


@pytest.mark.parametrize("form", ["lines", "json"])
def test_a_named_guest_plays_a_match_in_a_room(form: str, tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    prefix = "json:" if form == "json" else ""
    with serving(tmp_path, careful=f"botzone:{prefix}{program(tmp_path, CAREFUL, form, 'keep')}") as client:
        assert [one["key"] for one in client.get("/api/rooms/levels").json()][-1] == "guest:careful"
        with caplog.at_level(logging.WARNING):
            played_room(client, "careful", hands=4 if form == "lines" else 2)
        assert not [record.getMessage() for record in caplog.records if record.name == "quepu.bots.botzone"]
        guests = client.app.state.rooms.guests  # type: ignore[attr-defined]  # a Starlette application has it
        assert guests.levels == ("guest:careful",)


@pytest.mark.parametrize("fault", BAD)
def test_a_guest_that_fails_is_reported_and_the_match_goes_on(
    fault: str, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with serving(tmp_path, 2.5, bad=f"botzone:{program(tmp_path, BAD[fault])}") as client:
        with caplog.at_level(logging.WARNING, "quepu.bots.botzone"):
            played_room(client, "bad")
        found = [record for record in caplog.records if record.name == "quepu.bots.botzone"]
        assert 1 <= len(found) <= 2  # one for each hand


def net(folder: Path, form: str, takes: int, gives: int, weight: float = 0.0) -> str:
    """A net that rates all actions alike, or (a weight that is not a number) none of them."""
    file = folder / f"{form}.npz"
    np.savez(file, w0=np.full((gives, takes), weight, np.float32), form=np.array(form))
    return f"net:{file}"


@pytest.mark.parametrize("form", ["stale", "options", pytest.param("counts", marks=pytest.mark.long)])
def test_a_net_plays_a_match_in_a_room(form: str, tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    size = {"stale": (38 * 4 * 9, 235), "options": (WIDTH, 1), "counts": (70 * 42, 153)}[form]
    broken = net(tmp_path, form, *size, float("nan"))
    (tmp_path / f"{form}.npz").rename(tmp_path / "broken.npz")
    made = {"even": net(tmp_path, form, *size), "broken": broken.replace(f"{form}.npz", "broken.npz")}
    with serving(tmp_path, **made) as client, caplog.at_level(logging.WARNING, "quepu.server.rooms.guests"):
        played_room(client, "even")
        assert not caplog.records
        played_room(client, "broken")
        assert 1 <= len(caplog.records) <= 2  # one for each hand
        assert all("rating is not a number" in record.getMessage() for record in caplog.records)
        other = client.post("/api/rooms", json={**FAST, "bots": ["", "guest:even", "plain", "plain"]})
        assert other.status_code == (400 if form == "stale" else 200)  # the public form is of one book


def test_a_net_that_reads_tables_never_builds_those_of_house_rules(tmp_path: Path) -> None:
    house = 'base = "lingque-29"\ntitle = "家规"\nminimum = 77\n'
    with serving(tmp_path, rows=net(tmp_path, "options", WIDTH, 1)) as client:
        bots = ["", "guest:rows", "plain", "plain"]
        refused = client.post("/api/rooms", json={**FAST, "house": house, "bots": bots})
        assert refused.status_code == 400 and "自定规则还没有表" in refused.json()["error"]
        assert client.post("/api/rooms", json={**FAST, "bots": bots}).status_code == 200
    assert not payable(book_of("", house)).ready()


def test_visitors_cannot_name_commands_or_guests_that_are_not_there(tmp_path: Path) -> None:
    command = program(tmp_path, CAREFUL, "lines", "keep")
    with serving(tmp_path, careful=f"botzone:{command}") as client:
        for level in (f"botzone:{command}", f"exec:{command}", "guest:other", f"guest:{command}", "guest:", "careful"):
            wrong = client.post("/api/rooms", json={**FAST, **MCR, "bots": ["", level[:64], "plain", "plain"]})
            assert wrong.status_code in (400, 404, 422), level
            assert client.post(f"/api/rooms?bots={level}", json={}).status_code == 422
        other = client.post("/api/rooms", json={**FAST, "bots": ["", "guest:careful", "plain", "plain"]})
        assert other.status_code == 400 and "国标" in other.json()["error"]  # the platform plays one book
    with served(tmp_path / "none") as client:
        assert not [one for one in client.get("/api/rooms/levels").json() if one["key"].startswith("guest:")]
        wrong = client.post("/api/rooms", json={**FAST, **MCR, "bots": ["", "guest:careful", "plain", "plain"]})
        assert wrong.status_code == 400


@pytest.mark.parametrize(
    "guests",
    [{"a b": "exec:true"}, {"": "exec:true"}, {"x" * 25: "exec:true"}, {"a": "true"}, {"a": "exec:"},
     {"a": "botzone:json:"}, {"a": "exec:no-such-program-here"}, {"a": "exec:'true"}],
)  # fmt: skip
def test_what_an_operator_gets_wrong_is_refused_at_the_start(guests: dict[str, str]) -> None:
    with pytest.raises(BotError):
        Guests(guests)


def test_guests_come_from_the_file_the_environment_and_flags(tmp_path: Path) -> None:
    file = tmp_path / "quepu.toml"
    file.write_text('[guests]\na = "exec:true"\n', "utf-8")
    assert load({}, str(file), {}).configuration.settings().guests == {"a": "exec:true"}
    there = load({}, "", {"QUEPU_SERVE_GUESTS": '{"b": "exec:true"}'})
    assert there.configuration.settings().guests == {"b": "exec:true"}
    assert load({"guests": {"c": "exec:true"}}, str(file), {}).configuration.settings().guests == {
        "a": "exec:true",
        "c": "exec:true",
    }
    assert not load({}, "", {}).configuration.settings().guests


def test_a_net_is_asked_about_a_replay(tmp_path: Path) -> None:
    sample = str(Path(__file__).parents[2] / "examples" / "plain.npz")
    log = tmp_path / "match.jsonl"
    match("guobiao-mcr", [f"net:{sample}", "plain", "closed", "random"], seed=2, rounds=1, flowers=False, log=log)
    counted = tmp_path / "counts.npz"
    encoding = encoding_of("counts")
    np.savez(counted, w0=np.zeros((COUNT, math.prod(encoding.shape)), np.float32), form="counts")
    with serving(tmp_path, sample=f"net:{sample}", even=f"net:{counted}", other="exec:true") as client:
        id = client.post("/api/replays", json={"who": WHO, "text": log.read_text("utf-8")}).json()["id"]
        assert client.get(f"/api/replays/{id}/nets").json() == {"nets": ["sample", "even"]}
        hand = client.get(f"/api/replays/{id}/nets/sample/1").json()
        review = {(one.frame, one.seat): one for one in decisions(read_log(log).hands[0], book("guobiao-mcr"))}
        assert hand["number"] == 1
        own = [one for one in hand["decisions"] if one["seat"] == "E"]  # the net's own seat
        assert own and all(one["same"] and one["chosen"] == one["best"] for one in own)
        assert not all(one["same"] for one in hand["decisions"])
        for one in hand["decisions"]:
            assert 0 <= one["chosen"]["share"] <= one["best"]["share"] <= 1
            rated = review.get((one["frame"], WINDS.index(one["seat"])))  # a review leaves some out
            if rated is not None and rated.chosen is not None:
                assert rated.choices[rated.chosen].action.do == one["chosen"]["do"]
        assert sum((one["frame"], WINDS.index(one["seat"])) in review for one in hand["decisions"]) > len(review) / 2
        even = client.get(f"/api/replays/{id}/nets/even/1").json()["decisions"]
        assert {one["frame"] for one in even} >= {one["frame"] for one in own}
        for wrong in ("none/1", "other/1", "sample/99"):
            assert client.get(f"/api/replays/{id}/nets/{wrong}").status_code == 404, wrong
        assert client.get(f"/api/replays/{id}/nets/sample/0").status_code == 422
        assert client.get("/api/replays/nothing/nets").status_code == 404
        other = tmp_path / "other.jsonl"
        match("lingque", ["random"] * 4, seed=1, rounds=1, log=other)
        id = client.post("/api/replays", json={"who": WHO, "text": other.read_text("utf-8")}).json()["id"]
        assert client.get(f"/api/replays/{id}/nets").json() == {"nets": ["even"]}
        refused = client.get(f"/api/replays/{id}/nets/sample/1")
        assert refused.status_code == 400 and "国标" in refused.text
