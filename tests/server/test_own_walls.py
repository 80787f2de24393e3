"""A room in which each seat draws from its own wall: played, shown with four piles, its log and its replay."""

from __future__ import annotations

from pathlib import Path

from quepu.match.reader import read_log
from tests.server.rooms import opened, play_on, served


def test_a_room_with_own_walls_is_played_to_its_end_and_shown_again(tmp_path: Path) -> None:
    with served(tmp_path) as client:
        room = opened(
            client, own_walls=True, bots=["", "random", "random", "random"], rules="guobiao-mcr", flowers=False
        )
        assert client.get(f"/api/rooms/{room['room']}").json()["terms"]["own_walls"]
        with client.websocket_connect(f"/api/rooms/{room['room']}/ws") as socket:
            socket.send_json({"token": room["token"]})
            socket.send_json({"ready": True})
            seen = play_on(socket, lambda message: message.get("over", {}).get("match_over", False))
        piles = [
            message["view"]["board"]["stacks"]["piles"] for message in seen if (message.get("view") or {}).get("board")
        ]
        assert piles
        assert all(len(four) == 4 and max(four) <= 21 for four in piles)
        assert min(map(sum, piles)) < 84
        lines = client.get(f"/api/rooms/{room['room']}/log").text.splitlines()
        replay = read_log(lines)
        assert replay.header["walls"] == "own"
        assert not replay.remarks
        assert all(hand.wall.own for hand in replay.hands)
        shown = client.post("/api/replays", json={"who": "0123456789abcdef", "text": "\n".join(lines)}).json()
        hand = client.get(f"/api/replays/{shown['id']}/hands/1").json()
        assert "自己的牌墙" in hand["opening"]["zh"]
        assert hand["frames"][0]["board"]["stacks"]["piles"] == [21, 21, 21, 21]
        drawn = [one["seat"] for one in hand["wall"][13:20]]
        assert set(drawn) <= {"E", None}


def test_a_room_has_one_wall_unless_it_says_otherwise(tmp_path: Path) -> None:
    with served(tmp_path) as client:
        room = opened(client)
        assert not client.get(f"/api/rooms/{room['room']}").json()["terms"]["own_walls"]
