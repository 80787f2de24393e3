"""A hand won at a table with bots, by a player who wins if possible and discards every drawn tile."""

from __future__ import annotations

import json
from typing import Any

from quepu.hands.hand import Luck
from quepu.hands.notation import write
from quepu.match.reader import read_log
from quepu.tiles import FLOWERS, WINDS

TABLE = {"name": "我", "think": 0, "move": 0, "bank": 0, "rounds": 1, "rules": "guobiao", "seed": 1}


def first_win(socket: Any, token: str) -> str:
    """The frame that ends the first hand with a winner, as it came over the socket."""
    socket.send(json.dumps({"token": token}))
    socket.send(json.dumps({"ready": True}))
    for _ in range(20_000):
        frame = socket.recv()
        message = json.loads(frame)
        options = (message.get("view") or {}).get("options")
        if message.get("over", {}).get("score"):
            return frame
        if "over" in message:
            socket.send(json.dumps({"ready": True}))
        elif options:
            action = next((o for do in ("win", "pass", "flower") for o in options if o["do"] == do), options[-1])
            if action["do"] == "kong":
                action = next(o for o in options if o["do"] == "discard")
            socket.send(json.dumps({"action": action, "n": message["n"]}))
    raise AssertionError("nobody ever won")


def score_request(lines: list[str]) -> dict[str, Any]:
    """The request to score the last hand of a room's log, as anybody would write it down from the table."""
    match = read_log(lines, unfinished=True).match
    score = match.hands[-1].ending.winners[0].score
    hand, book = score.hand, match.book
    luck = hand.luck & ~Luck.SELF_DRAW
    names = [name for name, bits in book.circumstances.items() if (own := bits & ~Luck.SELF_DRAW) and own & luck == own]
    return {
        "rules": book.id,
        "hand": write(hand),
        "seat": WINDS[hand.seat - 27],
        "round": WINDS[hand.round - 27],
        "self_draw": hand.self_draw,
        "circumstances": names,
        "flowers": [FLOWERS[i] for i in hand.flowers],
    }
