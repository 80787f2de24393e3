"""Lines of a room's log as a player, a spectator, or a reconnecting client may see them: never a hidden tile.

The stream is the log's lines without answers to offers, numbered from 0, so that possible claims cannot be counted. A
line that a seat may not see becomes its bare number, so numbers have no gaps, and reconnecting only needs "everything
after n".
"""

from __future__ import annotations

import json
import re
from functools import lru_cache
from typing import Any, NamedTuple

from quepu.errors import Text
from quepu.match.log_lines import acted_for, add_actor
from quepu.rules.play_rules import USUAL_WORDS, Words
from quepu.server.payments import flows
from quepu.server.rooms.messages import Message
from quepu.table.event_json import read_event
from quepu.table.events import SeatEvent
from quepu.table.visibility import owner as owner_of
from quepu.table.visibility import seen_by

_SECRET = ("wall", "salt", "secret", "h", "seed")


_EVENT = re.compile(r'\{"n":\d+,("e":.*),"h":\d+\}')
"""The line of an event: its number, the event, the line's hash."""


class RedactedLine(NamedTuple):
    """A line for those who may see it, and for others; `owner` is the only seat that may (None: all)."""

    shown: Message
    bare: Message
    owner: int | None

    def to(self, seat: int | None) -> Message:
        """Return the message for a seat (None: a spectator) before the hand is over."""
        return self.shown if self.owner is None or self.owner == seat else self.bare


def redact(line: str, number: int, hidden: bool = False, words: Words = USUAL_WORDS) -> RedactedLine:
    """Read line `number` once for all listeners. `hidden`: concealed kongs lie face down; `words`: the book's own.

    The seed of a match, the wall of a hand and the secret it is made of stay in the server until the end.
    """
    bare: Message = {"n": number}
    shown: Message = {"n": number}
    owner = None
    if (found := _EVENT.fullmatch(line)) is not None:
        event = _event(found[1], hidden, words)
        return RedactedLine(shown | event.shown, bare | event.bare, event.owner)
    data = json.loads(line)
    if "sealed" in data:
        shown["sealed"] = {"hand": data["sealed"], **{key: data[key] for key in ("commitment", "commitments")}}
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
    elif "undo" in data:
        shown["undone"] = data["undo"]
    elif "joined" in data:
        shown["joined"] = {"place": data["joined"], "name": data["name"]}
    elif "fault" in data or "revoke" in data:
        shown["penalty"] = {key: value for key, value in data.items() if key != "h"}
    return RedactedLine(shown, bare, owner)


@lru_cache(4096)
def _event(text: str, hidden: bool, words: Words) -> RedactedLine:
    """Return an event without its number, for both: tables have few different ones."""
    data = json.loads(f"{{{text}}}")
    event = read_event(data)
    owner = owner_of(event)
    shown: Message = {"event": data, "text": add_actor(event.text(words), acted_for(data))._asdict()}
    bare: Message = {}
    others = seen_by(event, None, 0, hidden)
    if not isinstance(others, int) and others != event:
        owner = event.seat if isinstance(event, SeatEvent) else None
        bare = {"event": others.to_json(), "text": others.text(words)._asdict()}
    return RedactedLine(shown, bare, owner)


def reveal_wall(wall: str, sealed: str) -> dict[str, Any]:
    """Return the wall of a finished hand, with proof that it matches the commitment.

    `wall` is the line that dealt it, `sealed` the one before the deal ("" if nothing was sealed).
    """
    data = {**(json.loads(sealed) if sealed else {}), **json.loads(wall)}
    keys = ("hand", "wall", "dice", "commitment", "salt", "secret", "commitments", "salts")
    return {key: data[key] for key in keys if key in data}
