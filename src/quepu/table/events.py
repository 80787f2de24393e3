"""Events of a table: frozen values, one class for each kind of event, numbered from 0 within a hand.

    in a log  | class            | meaning
    ----------|------------------|--------
    dice      | DiceThrown       | the dealer's two dice and the opener's two
    deal      | Dealt            | the tiles dealt to a seat
    draw      | Drawn            | a tile from the head of the wall
    replace   | ReplacementDrawn | a tile from the tail, for a kong or flower
    flower    | FlowerSetAside   | a flower put beside the hand
    discard   | Discarded        | a discard, as drawn or from the hand; with it the hand may be declared ready
    ready     | ReadyDeclared    | the dealt hand is declared ready
    chow      | ChowClaimed      | a discard claimed for the chow that starts at `low`
    pung      | PungClaimed      | a discard claimed for a pung
    kong      | KongClaimed      | a discard claimed for an exposed kong
    added     | KongAdded        | a fourth tile added to a pung; it may be robbed
    concealed | KongConcealed    | a concealed kong
    win       | Won              | a win on `tile`, which `giver` gave
    exhausted | Exhausted        | the wall ran out and nobody won
    show      | HandShown        | the concealed tiles a seat still held when the hand ended
    barred    | Barred           | the seat may neither claim nor win for the rest of the hand (停和陪打)
    freed     | BarLifted        | that was taken back

`quepu.table.position.apply` is the only place where an event changes a position. Tiles are kinds (0 … 41), seats
winds (0 East … 3 North). Events that come again and again are interned.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any, ClassVar

from quepu.errors import Text
from quepu.hands.hand import Meld, MeldKind
from quepu.rules.play_rules import USUAL_WORDS, Words
from quepu.table.actions import (
    ADDED,
    AS_DRAWN,
    AS_DRAWN_READY,
    CONCEALED,
    FROM_HAND,
    FROM_HAND_READY,
    Action,
    ActionKind,
    tile_text,
)
from quepu.table.actions import FLOWER as FLOWER_ACTION
from quepu.table.event_fields import codecs_of
from quepu.tiles import KINDS, WINDS, WINDS_CHINESE, WINDS_ENGLISH


@dataclass(frozen=True, slots=True)
class Event:
    """An event. `tag` names it in logs and messages, `in_book` is the field of `Words` that names it.

    Examples:
        >>> import quepu
        >>> from quepu.table import make_wall
        >>> quepu.Table(quepu.book("guobiao"), make_wall(7)).events_from(0)[0].tag
        'dice'
    """

    tag: ClassVar[str] = ""
    words: ClassVar[Text] = Text("", "")
    in_book: ClassVar[str] = ""

    def to_json(self) -> dict[str, Any]:
        """Return plain data: {"e": "chow", "seat": "S", "tile": "5m", "low": "4m", "from": "E"}."""
        data: dict[str, Any] = {"e": self.tag}
        for name, key, encode, _ in codecs_of(type(self)):
            value = getattr(self, name)
            if value is not None and value is not False:
                data[key] = encode(value)
        return data

    def action(self) -> Action | None:
        """The action that made the event on a seat's own turn; None for claims and events that follow by themselves."""
        return None

    @classmethod
    def name_event(cls, book: Words) -> Text:
        """Return the words for this kind of event, the book's own if it has any."""
        return cls.words._replace(zh=getattr(book, cls.in_book).zh) if cls.in_book else cls.words

    def text(self, book: Words = USUAL_WORDS) -> Text:
        """Return the event in words."""
        return self.name_event(book)


@dataclass(frozen=True, slots=True)
class DiceThrown(Event):
    """The four dice."""

    tag = "dice"
    dice: tuple[int, int, int, int]

    def text(self, book: Words = USUAL_WORDS) -> Text:
        """Return the event in words."""
        return Text(f"骰子 {'、'.join(map(str, self.dice))}", f"dice {' '.join(map(str, self.dice))}")


@dataclass(frozen=True, slots=True)
class Exhausted(Event):
    """No more tiles can be drawn."""

    tag = "exhausted"
    words = Text("流局", "the hand ends without a winner")
    in_book = "drawn"


@dataclass(frozen=True, slots=True)
class SeatEvent(Event):
    """An event of one seat."""

    seat: int

    def text(self, book: Words = USUAL_WORDS) -> Text:
        """Return the event in words."""
        zh, en = self.name_event(book)
        return Text(f"{WINDS_CHINESE[self.seat]}家{zh}", f"{WINDS_ENGLISH[self.seat]} {en}")


@dataclass(frozen=True, slots=True)
class ReadyDeclared(SeatEvent):
    """A dealt hand that is declared ready."""

    tag = "ready"
    words = Text("报听", "declares ready")


@dataclass(frozen=True, slots=True)
class Barred(SeatEvent):
    """The seat may neither claim nor win for the rest of the hand."""

    tag = "barred"
    words = Text("停和陪打", "has a dead hand")


@dataclass(frozen=True, slots=True)
class BarLifted(SeatEvent):
    """The seat may claim and win again."""

    tag = "freed"
    words = Text("不再停和陪打", "no longer has a dead hand")


@dataclass(frozen=True, slots=True)
class TilesEvent(SeatEvent):
    """An event with several tiles of a seat."""

    tiles: tuple[int, ...]

    def text(self, book: Words = USUAL_WORDS) -> Text:
        """Return the event in words."""
        names = [tile_text(kind) for kind in self.tiles]
        zh, en = super(TilesEvent, self).text(book)
        return Text(zh + " ".join(name.zh for name in names), f"{en} {' '.join(name.en for name in names)}")


@dataclass(frozen=True, slots=True)
class Dealt(TilesEvent):
    """The tiles dealt to a seat, in the order of the deal."""

    tag = "deal"
    words = Text("配牌：", "is dealt")


@dataclass(frozen=True, slots=True)
class HandShown(TilesEvent):
    """The concealed tiles of a seat at the end, sorted, without a tile just drawn."""

    tag = "show"
    words = Text("亮牌：", "shows")


@dataclass(frozen=True, slots=True)
class TileEvent(SeatEvent):
    """An event of a seat with one tile."""

    tile: int

    def text(self, book: Words = USUAL_WORDS) -> Text:
        """Return the event in words."""
        zh, en = super(TileEvent, self).text(book)
        name = tile_text(self.tile)
        return Text(zh + name.zh, f"{en} {name.en}")


@dataclass(frozen=True, slots=True)
class Drawn(TileEvent):
    """A tile from the head of the wall."""

    tag = "draw"
    words = Text("摸", "draws")


@dataclass(frozen=True, slots=True)
class ReplacementDrawn(TileEvent):
    """A tile from the tail of the wall."""

    tag = "replace"
    words = Text("补", "replaces with")


@dataclass(frozen=True, slots=True)
class FlowerSetAside(TileEvent):
    """A flower set aside."""

    tag = "flower"
    words = Text("补花：", "sets aside")

    def action(self) -> Action:
        """The action that made the event."""
        return FLOWER_ACTION[self.tile]


@dataclass(frozen=True, slots=True)
class Discarded(TileEvent):
    """A discard: the tile just drawn (`as_drawn`), or one from the hand. `declares` the hand ready."""

    tag = "discard"
    words = Text("打", "discards")
    as_drawn: bool = False
    declares: bool = False

    def action(self) -> Action:
        """The action that made the event."""
        if self.declares:
            return (AS_DRAWN_READY if self.as_drawn else FROM_HAND_READY)[self.tile]
        return (AS_DRAWN if self.as_drawn else FROM_HAND)[self.tile]

    def text(self, book: Words = USUAL_WORDS) -> Text:
        """Return the event in words."""
        zh, en = super(Discarded, self).text(book)
        if self.as_drawn:
            zh, en = zh + "（摸切）", en + " (as drawn)"
        return Text(zh + "，报听", en + ", ready") if self.declares else Text(zh, en)


@dataclass(frozen=True, slots=True)
class Claimed(TileEvent):
    """A discard that a seat took from `giver` for a meld."""

    giver: int

    @property
    def meld(self) -> Meld:
        """The meld made."""
        raise NotImplementedError

    @property
    def own(self) -> tuple[int, ...]:
        """The tiles of the meld that come out of the hand."""
        raise NotImplementedError

    def text(self, book: Words = USUAL_WORDS) -> Text:
        """Return the event in words."""
        zh, en = super(Claimed, self).text(book)
        return _with_giver(zh, en, self.giver)


@dataclass(frozen=True, slots=True)
class ChowClaimed(Claimed):
    """A discard claimed for the chow that starts at `low`."""

    tag = "chow"
    words = Text("吃", "chows")
    low: int

    @property
    def meld(self) -> Meld:
        """The meld made."""
        return _CHOWS[self.low]

    @property
    def own(self) -> tuple[int, ...]:
        """The tiles of the meld that come out of the hand."""
        low, tile = self.low, self.tile
        if tile == low:
            return (low + 1, low + 2)
        return (low, low + 2) if tile == low + 1 else (low, low + 1)

    def text(self, book: Words = USUAL_WORDS) -> Text:
        """Return the event in words."""
        zh, en = super(Claimed, self).text(book)
        names = [tile_text(kind) for kind in range(self.low, self.low + 3)]
        zh, en = f"{zh}（{''.join(n.zh for n in names)}）", f"{en} ({''.join(n.en for n in names)})"
        return _with_giver(zh, en, self.giver)


@dataclass(frozen=True, slots=True)
class PungClaimed(Claimed):
    """A discard claimed for a pung."""

    tag = "pung"
    words = Text("碰", "pungs")

    @property
    def meld(self) -> Meld:
        """The meld made."""
        return _PUNGS[self.tile]

    @property
    def own(self) -> tuple[int, ...]:
        """The tiles of the meld that come out of the hand."""
        return (self.tile, self.tile)


@dataclass(frozen=True, slots=True)
class KongClaimed(Claimed):
    """A discard claimed for an exposed kong."""

    tag = "kong"
    words = Text("杠", "kongs")

    @property
    def meld(self) -> Meld:
        """The meld made."""
        return _KONGS[self.tile]

    @property
    def own(self) -> tuple[int, ...]:
        """The tiles of the meld that come out of the hand."""
        return (self.tile, self.tile, self.tile)


@dataclass(frozen=True, slots=True)
class KongAdded(TileEvent):
    """A fourth tile added to an exposed pung."""

    tag = "added"
    words = Text("加杠", "adds to the pung of")

    def action(self) -> Action:
        """The action that made the event."""
        return ADDED[self.tile]


@dataclass(frozen=True, slots=True)
class KongConcealed(TileEvent):
    """Four tiles of the hand made a concealed kong."""

    tag = "concealed"
    words = Text("暗杠", "makes a concealed kong of")

    def action(self) -> Action:
        """The action that made the event."""
        return CONCEALED[self.tile]


@dataclass(frozen=True, slots=True)
class KongFaceDown(SeatEvent):
    """A concealed kong for those who see it face down; never in a log or a position."""

    tag = KongConcealed.tag
    words = Text("暗杠", "makes a concealed kong")

    def to_json(self) -> dict[str, Any]:
        """Return the event as plain data, without a tile."""
        return {"e": self.tag, "seat": WINDS[self.seat]}


@dataclass(frozen=True, slots=True)
class Won(SeatEvent):
    """A win. `tile` is None if no tile won (seven flowers, outer discards), `giver` None if no other seat gave it."""

    tag = "win"
    words = Text("和", "wins with")
    in_book = "won"
    tile: int | None = None
    giver: int | None = None

    def action(self) -> Action:
        """The action that made the event."""
        return Action(ActionKind.WIN, self.tile)

    def text(self, book: Words = USUAL_WORDS) -> Text:
        """Return the event in words."""
        zh, en = super(Won, self).text(book)
        if self.tile is None:
            en = without_object(en)
        else:
            name = tile_text(self.tile)
            zh, en = zh + name.zh, f"{en} {name.en}"
        return _with_giver(zh, en, self.giver)


_CHOWS, _PUNGS, _KONGS = (tuple(Meld(kind, tile) for tile in range(KINDS)) for kind in list(MeldKind)[:3])

KONGS = (KongClaimed, KongAdded, KongConcealed)
"""The kinds of event that make a kong."""


def without_object(english: str) -> str:
    """Return the words for an event whose tile is unknown, without the preposition: "wins" of "wins with"."""
    return english.removesuffix(" with").removesuffix(" of")


def _with_giver(zh: str, en: str, giver: int | None) -> Text:
    if giver is None:
        return Text(zh, en)
    return Text(f"{zh}（{WINDS_CHINESE[giver]}家给）", f"{en} (from {WINDS_ENGLISH[giver]})")


chow_claimed, pung_claimed, kong_claimed = cache(ChowClaimed), cache(PungClaimed), cache(KongClaimed)
"""Interned claims: a few hundred of each kind."""

DRAW = tuple(tuple(Drawn(seat, kind) for kind in range(42)) for seat in range(4))
REPLACE = tuple(tuple(ReplacementDrawn(seat, kind) for kind in range(42)) for seat in range(4))
FLOWER = tuple(tuple(FlowerSetAside(seat, kind) for kind in range(42)) for seat in range(4))
DISCARD = tuple(tuple(Discarded(seat, kind) for kind in range(42)) for seat in range(4))
DISCARD_DRAWN = tuple(tuple(Discarded(seat, kind, as_drawn=True) for kind in range(42)) for seat in range(4))
