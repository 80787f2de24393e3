"""What each line of a room's log says to a player, a spectator, or somebody who comes back: never a hidden tile.

The stream is the log's lines but for answers to offers, numbered from 0: nobody can count who could have claimed. What
a seat may not see is its bare number, so there are no holes and "everything after n" is all that reconnecting needs.
"""

from __future__ import annotations

import json
from typing import Any

from quepu.errors import Text
from quepu.server.settling import flows
from quepu.table.events import read_event
from quepu.table.view import seen_by

_SECRET = ("wall", "salt", "h", "seed")


def told(line: str, number: int, seat: int | None) -> dict[str, Any]:
    """Line `number` as the seat (None: a spectator) may see it, before its hand is over.

    The seed of a match and the wall of a hand stay in the house until the end.
    """
    data = json.loads(line)
    shown: dict[str, Any] = {"n": number}
    if "e" in data:
        event = read_event(data)
        if isinstance(seen_by(event, -1 if seat is None else seat, data["n"]), int):
            return shown
        shown["event"] = {key: value for key, value in data.items() if key not in ("h", "n")}
        shown["text"] = event.text()._asdict()
    elif "hand" in data:
        shown["hand"] = {key: value for key, value in data.items() if key not in _SECRET}
    elif "result" in data:
        shown["result"] = {
            "payments": flows((*flow[:3], Text(*flow[3:])) for flow in data["result"]),
            "totals": data["totals"],
        }
    elif "end" in data:
        shown["end"] = True
    elif "log" in data:
        shown["log"] = {key: value for key, value in data.items() if key not in _SECRET}
    elif "fault" in data or "revoke" in data:
        shown["penalty"] = {key: value for key, value in data.items() if key != "h"}
    return shown


def revealed(line: str) -> dict[str, Any]:
    """The wall of a hand that is over, with what proves that it was the one promised."""
    data = json.loads(line)
    return {key: data[key] for key in ("hand", "wall", "dice", "commitment", "salt") if key in data}
