"""A table on the server where a drawn flower may be held: what its holder sees, and what the others do not."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from quepu.rulebooks.house_rules import read
from quepu.server.rooms.hints import _by_shape, hint
from quepu.table import Table
from quepu.tiles import FLOWERS
from tests.server.rooms import lazy, opened, served, to_act
from tests.table.walls import go, settle_offer, stacked

HOUSE = 'base = "guobiao-mcr"\n[options]\nheld_flowers = true\n'


def held_by(view: dict[str, Any]) -> list[str]:
    return [tile for tile in view.get("hand") or () if tile in FLOWERS]


def test_a_flower_is_held_until_the_hand_is_over(tmp_path: Path) -> None:
    seen, message = 0, {}
    with served(tmp_path) as client:
        me = opened(client, house=HOUSE, bots=["", "plain", "plain", "random"], seed=3)
        with client.websocket_connect(f"/api/rooms/{me['room']}/ws") as socket:
            socket.send_json({"token": me["token"]})
            socket.send_json({"ready": True})
            for _ in range(5000):
                message = socket.receive_json()
                assert "error" not in message, message
                if "over" in message:
                    break
                view = message.get("view") or {}
                seen += bool(held_by(view) and view.get("options"))
                if to_act(message):
                    options = view["options"]
                    kept = [one for one in options if one["do"] == "discard" and one["tile"] not in FLOWERS]
                    choice = options[0] if options[0]["do"] == "win" else kept[0] if kept else lazy(options)
                    socket.send_json({"action": {k: v for k, v in choice.items() if k != "score"}, "n": message["n"]})
    assert seen
    assert "over" in message


def test_a_hint_about_a_hand_with_a_flower() -> None:
    """Thirteen tiles beside the flower are looked at as they will stand once it is replaced; twelve say nothing."""
    table = Table(read(HOUSE), stacked(["111234567899mE"], "春FFF9m", flowers=True))
    go(table, "E discard E")
    assert hint(table.view(0), table.options(0)) == {"hint": {}}
    for seat in ("S", "W", "N"):
        settle_offer(go(table, f"{seat} discard F drawn"))
    view, options = table.view(0), table.options(0)
    assert view.has_flower
    shape = _by_shape(view, options, "zh")
    assert {wait["tile"] for wait in shape["outlook"]["waits"]} >= {"1m", "9m"}  # nine gates
