"""Clocks of a room: players are charged only for their own time, however slow the disk is."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path
from types import SimpleNamespace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from quepu.server.rooms import places as places_module
from quepu.server.rooms.places import Clock, SeatSlot
from quepu.server.rooms.room import Room
from tests.server.rooms import opened, served, to_act, until


class Time:
    """A time that stands until it is set."""

    def __init__(self, patch: pytest.MonkeyPatch, now: float = 1000.0) -> None:
        self.now = now
        patch.setattr(places_module, "time", SimpleNamespace(monotonic=lambda: self.now))


@pytest.mark.parametrize(("move", "bank", "runs"), [(0, 0, False), (0.5, 0, True), (0, 0.5, True), (5, 20, True)])
def test_there_is_a_clock_where_there_is_time_for_a_move_or_in_reserve(move: float, bank: float, runs: bool) -> None:
    assert Clock(move, bank).runs is runs


@pytest.mark.parametrize(
    ("used", "left"),
    [(0.0, 20.0), (4.0, 20.0), (5.0, 20.0), (5.25, 19.75), (6.0, 19.0), (24.0, 1.0), (25.0, 0.0), (26.0, 0.0)],
)
def test_only_what_goes_beyond_the_time_of_a_move_comes_out_of_the_reserve(
    monkeypatch: pytest.MonkeyPatch, used: float, left: float
) -> None:
    time, place, other = Time(monkeypatch), SeatSlot(bank=20.0), SeatSlot(bank=20.0)
    clock = Clock(move=5.0, bank=20.0)
    time.now += used
    assert clock.end(place) == 1025.0, "the end does not move while time passes"
    assert clock.to_json(place) == {"move": 5.0, "bank": 20.0, "used": used if used != 5.25 else 5.2}
    clock.charge(place)
    assert place.bank == left
    assert other.bank == 20.0, "nobody else pays"
    clock.restart()
    assert clock.end(place) == time.now + 5.0 + left
    assert clock.to_json(place) == {"move": 5.0, "bank": round(left, 1), "used": 0.0}


def test_a_new_hand_gives_everybody_the_whole_reserve_and_no_time(monkeypatch: pytest.MonkeyPatch) -> None:
    time, places = Time(monkeypatch), [SeatSlot(bank=bank) for bank in (0.0, 3.0, 20.0, 99.0)]
    clock = Clock(move=5.0, bank=20.0)
    time.now += 3
    clock.fill(places)
    assert [place.bank for place in places] == [20.0] * 4
    assert clock.since == 1000.0


def test_plain_data_of_a_clock_is_rounded_to_a_tenth(monkeypatch: pytest.MonkeyPatch) -> None:
    time = Time(monkeypatch)
    clock = Clock(move=7.5, bank=20.0)
    time.now += 1.26
    assert clock.to_json(SeatSlot(bank=3.14159)) == {"move": 7.5, "bank": 3.1, "used": 1.3}


@settings(deadline=None)
@given(
    st.integers(0, 30), st.integers(0, 60),
    st.lists(st.tuples(st.integers(0, 3), st.integers(0, 40)), max_size=30),
)  # fmt: skip
def test_a_reserve_is_what_the_slow_moves_of_its_owner_leave(
    move: int, bank: int, moves: list[tuple[int, int]]
) -> None:
    """Second by second: each of a move beyond its time takes one out of the reserve of who acts, while there is one."""
    with pytest.MonkeyPatch.context() as patch:
        time = Time(patch)
        clock, places = Clock(move, bank), [SeatSlot() for _ in range(4)]
        clock.fill(places)
        expected = [bank] * 4
        for seat, seconds in moves:
            clock.restart()
            for second in range(seconds):
                out_of_time = second >= move + expected[seat]
                assert (time.now + second >= clock.end(places[seat])) is out_of_time
            time.now += seconds
            clock.charge(places[seat])
            for second in range(seconds):
                if second >= move and expected[seat]:
                    expected[seat] -= 1
            assert [place.bank for place in places] == expected


def test_who_was_not_to_act_yet_is_not_out_of_time(tmp_path: Path) -> None:
    with served(tmp_path) as client:
        me = opened(client, bots=["", "", "plain", "plain"], move=2, bank=1, seed=8)
        path = f"/api/rooms/{me['room']}"
        friend = client.post(path + "/sit", json={"name": "乙"}).json()
        with client.websocket_connect(path + "/ws") as first, client.websocket_connect(path + "/ws") as second:
            for socket, who in ((first, me), (second, friend)):
                socket.send_json({"token": who["token"]})
                socket.send_json({"ready": True})
            moment = until(first, to_act)
            began = time.monotonic()
            room: Room = client.app.state.rooms.rooms[me["room"]]  # type: ignore[attr-defined]
            save = room.record.save

            async def slow() -> int:
                room.record.save = save  # type: ignore[method-assign]
                await asyncio.sleep(3.5)  # when the disk is done, all of his time would be gone
                return await save()

            room.record.save = slow  # type: ignore[method-assign]
            charge, used = room.clock.charge, []

            def charged(place: SeatSlot) -> None:
                """Seconds by the server's clock: a busy machine may deliver a line late and the next one at once."""
                used.append((place.name, time.monotonic() - room.clock.since))
                charge(place)

            room.clock.charge = charged  # type: ignore[method-assign]
            discard = next(o for o in reversed(moment["view"]["options"]) if o["do"] == "discard")
            first.send_json({"action": discard, "n": moment["n"]})
            until(second, lambda m: to_act(m) and any(o["do"] == "discard" for o in m["view"]["options"]))
            assert time.monotonic() - began > 3.2  # it was slow, and went on past the first one's time
            until(second, lambda m: m.get("event", {}).get("e") == "discard" and m["event"]["seat"] == "S")
            assert [name for name, _ in used][:2] == ["我", "乙"]
            assert used[1][1] >= 3, "he had a move and his reserve of his own"
