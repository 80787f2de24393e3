"""`kill -9` of a server in the middle of a review: what was worked out is kept, the rest follows, nothing hangs."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import pytest

from quepu.match import read_log
from quepu.review import review_hand
from quepu.rulebooks import book
from tests.review.flat import write_flat
from tests.server.test_kills import Running
from tests.server.test_review import LOG, WHO


def hands_until(server: Running, path: str, least: int) -> dict[str, Any]:
    """Where the review stands once so many hands are done."""
    until = time.monotonic() + 200
    while time.monotonic() < until:
        answer: dict[str, Any] = server.fetch(path)
        assert answer["state"] in ("preparing", "running", "done"), answer
        if answer["done"] >= least and (least < answer["total"] or answer["state"] == "done"):
            return answer
        time.sleep(0.01)
    raise AssertionError(answer)


@pytest.mark.slow
@pytest.mark.timeout(900)  # the process that reviews waits for whatever else the machine has to do
def test_a_review_goes_on_after_its_server_was_killed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("QUEPU_CACHE", str(tmp_path / "cache"))
    write_flat(book("guobiao"), tmp_path / "cache")
    server = Running(tmp_path / "data")
    id = server.fetch("api/replays", {"who": WHO, "text": "\n".join(LOG)})["id"]
    path = f"api/replays/{id}/review"
    assert server.fetch(path, {})["state"] in ("running", "preparing")
    server.kill()  # before the first hand is done; its process ends, too, or this says so

    server = Running(tmp_path / "data")
    answer = hands_until(server, path, 1)
    server.kill()
    assert answer["done"] < answer["total"], "killed in the middle of it"

    server = Running(tmp_path / "data")
    began = server.fetch(path)
    assert began["done"] >= answer["done"], "what was told to be done is there"
    assert began["hands"][: answer["done"]] == answer["hands"]
    assert server.fetch(path, {})["state"] in ("preparing", "running", "done"), "it may be asked for again"
    answer = hands_until(server, path, answer["total"])
    replay = read_log(LOG, unfinished=True)
    for hand in replay.hands:
        assert server.fetch(f"{path}/{hand.number}")["decisions"] == review_hand(hand, replay.book)["decisions"]
    server.kill()
