"""What happened at a table: small frozen records, numbered from 0 within a hand. Folding them gives the state.

Most events are interned (a seat can draw 42 kinds), so that recording one is appending a reference.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from quepu.errors import Error, Text
from quepu.table.actions import Action, tile_text
from quepu.table.wall import TILE_NAMES
from quepu.tiles import WINDS, WINDS_CHINESE

_NUMBER = {name: kind for kind, name in enumerate(TILE_NAMES)}


class Event(NamedTuple):
    """One thing that happened. `seat` did it (-1: nobody), to `tile` (a kind, -1: none).

    e         | meaning
    ----------|--------
    dice      | `tiles` are the four dice
    deal      | `tiles` are the thirteen dealt to the seat
    draw      | a tile from the head of the wall
    replace   | a tile from the tail, for a kong or flower
    flower    | a flower set aside
    discard   | `drawn`: as drawn; otherwise from the hand; `ready`: with it the hand is declared ready
    ready     | the dealt hand is declared ready
    chow      | `tile` claimed from `source`, the chow starts at `low`
    pung kong | `tile` claimed from `source`
    added     | a fourth tile put to a pung; it may be robbed
    concealed | a concealed kong
    win       | on `tile`; `source` gave it, -1 if drawn
    exhausted | the wall ran out: nobody won
    show      | `tiles` are what the seat still held when the hand ended
    barred    | the seat may neither claim nor win for the rest of the hand (停和陪打)
    freed     | that was taken back
    """

    e: str
    seat: int = -1
    tile: int = -1
    low: int = -1
    source: int = -1
    drawn: bool = False
    tiles: tuple[int, ...] = ()
    ready: bool = False

    def to_json(self) -> dict[str, Any]:
        """As plain data, without what says nothing."""
        data: dict[str, Any] = {"e": self.e}
        if self.seat >= 0:
            data["seat"] = WINDS[self.seat]
        if self.tile >= 0:
            data["tile"] = TILE_NAMES[self.tile]
        if self.low >= 0:
            data["low"] = TILE_NAMES[self.low]
        if self.source >= 0:
            data["from"] = WINDS[self.source]
        if self.drawn:
            data["drawn"] = True
        if self.ready:
            data["ready"] = True
        if self.e == "dice":
            data["dice"] = list(self.tiles)
        elif self.e in ("deal", "show"):
            data["tiles"] = "".join(TILE_NAMES[kind] for kind in self.tiles)
        return data

    def action(self) -> Action | None:
        """What the seat said, if a seat said it on its own turn; None for what follows by itself or was a claim."""
        if self.e == "discard":
            return Action("discard", self.tile, drawn=self.drawn, ready=self.ready)
        if self.e in ("added", "concealed", "flower"):
            return Action(self.e, self.tile)
        return None

    def text(self) -> Text:
        """In words."""
        who = Text(WINDS_CHINESE[self.seat] + "家", _SEAT_ENGLISH[self.seat]) if self.seat >= 0 else Text("", "")
        if self.e == "dice":
            dice = "、".join(map(str, self.tiles))
            return Text(f"骰子 {dice}", f"dice {' '.join(map(str, self.tiles))}")
        zh, en = _WORDS[self.e]
        what = tile_text(self.tile) if self.tile >= 0 else Text("", "")
        if self.tiles:
            what = Text(*(" ".join(tile_text(k)[i] for k in self.tiles) for i in (0, 1)))
        if self.low >= 0:
            parts = [tile_text(k) for k in range(self.low, self.low + 3)]
            what = Text(f"{what.zh}（{''.join(t.zh for t in parts)}）", f"{what.en} ({''.join(t.en for t in parts)})")
        end_zh, end_en = ("（摸切）", " (as drawn)") if self.drawn else ("", "")
        if self.ready:
            end_zh, end_en = end_zh + "，报听", end_en + ", ready"
        if self.source >= 0:
            end_zh = f"（{WINDS_CHINESE[self.source]}家给）"
            end_en = f" (from {_SEAT_ENGLISH[self.source]})"
        return Text(f"{who.zh}{zh}{what.zh}{end_zh}", f"{who.en} {en} {what.en}{end_en}".strip())


_SEAT_ENGLISH = ("East", "South", "West", "North")
_WORDS = {
    "deal": ("配牌：", "is dealt"), "draw": ("摸", "draws"), "replace": ("补", "replaces with"),
    "flower": ("补花：", "sets aside"), "discard": ("打", "discards"), "ready": ("报听", "declares ready"),
    "chow": ("吃", "chows"), "pung": ("碰", "pungs"), "kong": ("杠", "kongs"), "added": ("加杠", "adds to the pung"),
    "concealed": ("暗杠", "concealed kong"), "win": ("和", "wins with"), "exhausted": ("流局", "the hand is drawn"),
    "show": ("亮牌：", "shows"), "barred": ("停和陪打", "may neither claim nor win"),
    "freed": ("不再停和陪打", "may claim and win again"),
}  # fmt: skip


class EventError(Error):
    """Data that is no event."""


def read_event(data: Any) -> Event:
    """An event from its JSON form.

    Raises:
        EventError: it is none.
    """
    try:
        e = data["e"]
        seat = WINDS.index(data["seat"]) if "seat" in data else -1
        tile = _NUMBER[data["tile"]] if "tile" in data else -1
        low = _NUMBER[data["low"]] if "low" in data else -1
        source = WINDS.index(data["from"]) if "from" in data else -1
        tiles: tuple[int, ...] = ()
        if e == "dice":
            tiles = tuple(int(die) for die in data["dice"])
        elif e in ("deal", "show"):
            tiles = _tiles(data["tiles"])
        if e != "dice" and e not in _WORDS:
            raise KeyError(e)
    except (KeyError, ValueError, TypeError, AttributeError) as wrong:
        raise EventError("不是事件。", "this is no event.") from wrong
    return Event(e, seat, tile, low, source, data.get("drawn") is True, tiles, data.get("ready") is True)


def _tiles(text: str) -> tuple[int, ...]:
    found, at = [], 0
    while at < len(text):
        step = 2 if text[at].isdigit() else 1
        found.append(_NUMBER[text[at : at + step]])
        at += step
    return tuple(found)


DRAW = tuple(tuple(Event("draw", seat, kind) for kind in range(42)) for seat in range(4))
REPLACE = tuple(tuple(Event("replace", seat, kind) for kind in range(42)) for seat in range(4))
FLOWER = tuple(tuple(Event("flower", seat, kind) for kind in range(42)) for seat in range(4))
DISCARD = tuple(tuple(Event("discard", seat, kind) for kind in range(42)) for seat in range(4))
DISCARD_DRAWN = tuple(tuple(Event("discard", seat, kind, drawn=True) for kind in range(42)) for seat in range(4))
