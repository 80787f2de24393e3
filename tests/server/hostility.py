"""What a hostile client sends, from a seed: nothing of it may have an effect."""

from __future__ import annotations

import json
import random
from typing import Any

_DO = ("discard", "chow", "pung", "kong", "added", "concealed", "flower", "ready", "win", "pass", "fly", "", None, 7)
_TILES = ("5m", "1p", "9s", "E", "C", "f1", "9z", "", "5m5m", None, 5, "😀", "\ud800")
_STRANGE: tuple[Any, ...] = (
    None, True, 0, -1, 2**70, 10**400, 1e308, float("nan"), "", "x" * 3000, [], {}, [[]], {"": {}}, "\u0000", "\ud800",
)  # fmt: skip


def message(rnd: random.Random, heard: list[str], actions: list[str]) -> str | bytes:
    """One message. Actions among it are of no moment (`n` is never the present one) or not actions at all."""
    kind = rnd.randrange(14)
    if kind == 0:
        return bytes(rnd.randrange(256) for _ in range(rnd.randrange(60)))
    if kind == 1:
        return "".join(chr(rnd.choice((rnd.randrange(32, 127), rnd.randrange(0x4E00, 0x9FFF)))) for _ in range(40))
    if kind == 2:
        return "[" * rnd.randrange(2000, 4000)
    if kind == 3:
        return json.dumps({"action": {"do": "x" * rnd.randrange(4000, 40_000)}})
    if kind == 4 and actions:
        return rnd.choice(actions)  # replayed: its moment has passed
    if kind == 5 and heard:
        return rnd.choice(heard)[:3000]  # told back
    if kind == 6:
        return json.dumps(rnd.choice(_STRANGE))
    if kind == 7:
        return json.dumps({"ping": rnd.choice(_STRANGE)})
    if kind == 8:
        return json.dumps({"hint": rnd.choice((1, "true", [], {})), "lang": rnd.choice(_STRANGE)})
    if kind == 9:
        return json.dumps({"ready": rnd.choice((1, "true", None, [True]))})
    if kind == 10:
        return json.dumps({"token": rnd.choice(_STRANGE), "after": rnd.choice(_STRANGE)})
    if kind == 11:
        return json.dumps({rnd.choice(("saay", "view", "over", "room", "taken", "__class__")): rnd.choice(_STRANGE)})
    if kind == 12:
        return json.dumps({"action": rnd.choice(_STRANGE), "n": rnd.choice((-1, -5, 0, "1", 1.5, True, [], {}))})
    action = {
        "do": rnd.choice(_DO),
        "tile": rnd.choice(_TILES),
        "low": rnd.choice(_TILES),
        "drawn": rnd.choice(_STRANGE),
    }
    return json.dumps({"action": action, "n": rnd.choice((-7, 0, 1, 2, 3, 10**9, "57", 0.5))})


def body(rnd: random.Random, token: str) -> Any:
    """The body of a request to take a place, or to open a table."""
    name = rnd.choice((token, "", "x" * 500, "客", "\u0000", 5, None, {"zh": "x"}))
    return {"name": name, rnd.choice(("place", "bots", "seed", "house", "rules")): rnd.choice(_STRANGE)}
