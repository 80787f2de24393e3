"""Clocks of a room: nobody pays for the time that somebody else took, however slow the disk is."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path

from quepu.server.rooms.room import Room
from tests.server.rooms import opened, served, to_act, until


def test_who_was_not_to_act_yet_is_not_out_of_time(tmp_path: Path) -> None:
    with served(tmp_path) as client:
        me = opened(client, bots=["", "", "plain", "plain"], move=0.5, bank=0.7, seed=8)
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

            async def slow() -> None:
                room.record.save = save  # type: ignore[method-assign]
                await asyncio.sleep(0.8)
                await save()

            room.record.save = slow  # type: ignore[method-assign]
            time.sleep(0.9)  # most of his time; when the disk is done, all of it would be gone
            discard = next(o for o in reversed(moment["view"]["options"]) if o["do"] == "discard")
            first.send_json({"action": discard, "n": moment["n"]})
            until(second, lambda m: to_act(m) and any(o["do"] == "discard" for o in m["view"]["options"]))
            sent_at = time.monotonic()
            assert sent_at - began > 1.6  # it was slow, and went on past the first one's time
            until(second, lambda m: m.get("event", {}).get("e") == "discard" and m["event"]["seat"] == "S")
            assert time.monotonic() - sent_at > 0.9  # he had a move and his reserve of his own
