"""Facts that people report of a hand played with real tiles, each written in one line.

    E discard 5m          東 打 五万
    S chow 3m 2m          南 吃 3m 2m (or 234m)        the tile claimed, then the lowest of the chow
    W pung 5m             西 碰 5m                     N kong 5m · 北 杠 5m
    E added 5m            東 加杠 5m                   E concealed 9m · 東 暗杠 9m
    S flower 春           南 补 春                     S ready · 南 听
    W draw 5m             西 摸 5m                     rarely known, never needed
    W win 123m…+5m        西 和 123m…+5m               the concealed tiles, then the winning one (on a claim it may
    W win 123m…+5m drawn  西 自摸 123m…+5m             be left out)
    N show 123m…          北 亮 123m…                  the hand of a seat that has not won
    drawn · 流局          N barred · 北 停             N freed · 北 免

An unseen tile is written ?. After a discard, "drawn" (摸切) or "hand" (手切) says where it came from.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from quepu.errors import Error, Text, join_list
from quepu.folding import fold
from quepu.hands.notation import tile as read_tile
from quepu.hands.notation import tiles as read_tiles
from quepu.hands.notation import tiles_text
from quepu.rules.play_rules import USUAL_WORDS, Words
from quepu.table.actions import CHOWS, TILE_NUMBER, tile_text
from quepu.table.events import (
    BarLifted,
    Barred,
    ChowClaimed,
    Claimed,
    Dealt,
    Discarded,
    Drawn,
    Event,
    Exhausted,
    FlowerSetAside,
    HandShown,
    KongAdded,
    KongClaimed,
    KongConcealed,
    PungClaimed,
    ReadyDeclared,
    ReplacementDrawn,
    SeatEvent,
    TileEvent,
    TilesEvent,
    Won,
    without_object,
)
from quepu.table.wall import TILE_NAMES
from quepu.tiles import WINDS, WINDS_CHINESE, WINDS_ENGLISH

_WORDS: Final[dict[type[Event], tuple[str, ...]]] = {
    Dealt: ("配",),
    Drawn: ("摸",),
    ReplacementDrawn: ("补牌",),
    FlowerSetAside: ("补花", "补", "花"),
    Discarded: ("打", "切", "出"),
    ReadyDeclared: ("报听", "听"),
    ChowClaimed: ("吃", "上"),
    PungClaimed: ("碰",),
    KongClaimed: ("杠", "明杠", "直杠"),
    KongAdded: ("加杠", "补杠"),
    KongConcealed: ("暗杠",),
    Won: ("和", "胡", "自摸", "食糊"),
    Exhausted: ("流局", "荒牌", "drawn"),
    HandShown: ("亮", "明"),
    Barred: ("停", "停和"),
    BarLifted: ("免", "免停"),
}
"""The Chinese words of each kind of fact; the first one is written. The English word is the kind's tag."""
_MEANS: Final = {word: event for event, words in _WORDS.items() for word in (event.tag, *words)}
_AS_DRAWN: Final = {"drawn": True, "摸切": True, "hand": False, "手切": False}


SELF_DRAWN: Final = Text("自摸", "draws a win with")


class FactError(Error):
    """A line that is not a fact."""


class Fact(NamedTuple):
    """A fact that people reported: the kind of an event, and its fields.

    `seat` is None only for an exhausted wall; `tile` is None if unseen or not applicable; `drawn` tells whether a
    discard or a winning tile was the tile just drawn (None: unknown); `tiles` are the concealed tiles of a win (without
    the winning one), of a hand shown, or dealt.
    """

    event: type[Event]
    seat: int | None = None
    tile: int | None = None
    low: int | None = None
    drawn: bool | None = None
    tiles: tuple[int, ...] = ()
    ready: bool = False

    @classmethod
    def of(cls, event: Event) -> Fact:
        """Return a table's event as a fact; the winner's tiles are another event, `HandShown`."""
        made = cls(type(event), event.seat if isinstance(event, SeatEvent) else None)
        match event:
            case Won():
                return made._replace(tile=event.tile, drawn=event.giver is None)
            case Discarded():
                return made._replace(tile=event.tile, drawn=event.as_drawn, ready=event.declares)
            case ChowClaimed():
                return made._replace(tile=event.tile, low=event.low)
            case TileEvent():
                return made._replace(tile=event.tile)
            case TilesEvent():
                return made._replace(tiles=event.tiles)
        return made

    @property
    def by(self) -> int:
        """The seat of a fact about one seat.

        Raises:
            ValueError: it is not about a seat.
        """
        if self.seat is None:
            raise ValueError(self)
        return self.seat

    @property
    def claims_meld(self) -> bool:
        """Whether it claims a discard for a meld."""
        return issubclass(self.event, Claimed)

    @property
    def claims(self) -> bool:
        """Whether it takes another seat's tile."""
        return self.claims_meld or (self.event is Won and not self.drawn)

    @property
    def run(self) -> range:
        """The kinds of a chow; empty for any other fact."""
        return range(0) if self.low is None else range(self.low, self.low + 3)

    def write(self) -> str:
        """Return the line that `read_fact` reads."""
        words = [self.event.tag] if self.seat is None else [WINDS[self.seat], self.event.tag]
        if self.event is Won:
            words.append(tiles_text(self.tiles) + ("" if self.tile is None else f"+{TILE_NAMES[self.tile]}"))
        elif self.tile is not None:
            words.append(TILE_NAMES[self.tile])
        elif self.event in _MAY_BE_UNSEEN:
            words.append("?")
        if self.low is not None:
            words.append(TILE_NAMES[self.low] if self.tile is not None else tiles_text(self.run))
        if self.tiles and self.event is not Won:
            words.append(tiles_text(self.tiles))
        if self.drawn or (self.drawn is False and self.event is Discarded):
            words.append("drawn" if self.drawn else "hand")
        if self.ready:
            words.append("ready")
        return " ".join(filter(None, words))

    def text(self, book: Words = USUAL_WORDS) -> Text:
        """Return the fact in words, the book's own if they differ from the usual ones."""
        if self.event is Drawn and self.tile is None:
            return Text(f"{WINDS_CHINESE[self.by]}家摸牌", f"{WINDS_ENGLISH[self.by]} draws")
        won = self.event is Won
        zh, en = SELF_DRAWN if won and self.drawn else self.event.name_event(book)
        if self.seat is not None:
            zh, en = f"{WINDS_CHINESE[self.seat]}家{zh}", f"{WINDS_ENGLISH[self.seat]} {en}"
        if self.tile is not None:
            name = tile_text(self.tile)
            zh, en = zh + name.zh, f"{en} {name.en}"
        elif self.event in _MAY_BE_UNSEEN:
            zh, en = zh + "？", en + " ?"
        else:
            en = without_object(en)
        if self.low is not None:
            names = [tile_text(kind) for kind in self.run]
            zh, en = f"{zh}（{''.join(n.zh for n in names)}）", f"{en} ({''.join(n.en for n in names)})"
        if self.drawn and not won:
            zh, en = zh + "（摸切）", en + " (as drawn)"
        if self.ready:
            zh, en = zh + "，报听", en + ", ready"
        tiles = f" {tiles_text(self.tiles)}" if self.tiles else ""
        return Text(zh + tiles, en + tiles)


_MAY_BE_UNSEEN: Final = frozenset({Discarded, KongConcealed})
_WITHOUT_TILE: Final = frozenset({ReadyDeclared, Barred, BarLifted})
_TILE_OPTIONAL: Final = frozenset({Drawn, ReplacementDrawn, Discarded, KongConcealed, PungClaimed, KongClaimed})
_RUNS: Final = {tuple(chow.run): chow.low for chows in CHOWS for _, _, chow in chows}


def event_of(word: str) -> type[Event] | None:
    """Return the kind of event that a word names; None if it names none."""
    return _MEANS.get(fold(word))


def read_fact(line: str) -> Fact:
    """Read a fact from its line.

    Raises:
        FactError: the line is not a known fact; NotationError: invalid tile.
    """
    words = line.split()
    if [event_of(word) for word in words] == [Exhausted]:
        return Fact(Exhausted)
    if len(words) < 2:
        raise FactError(
            "写法：谁 做什么 哪张牌，如“東 打 5m”。", "write who, what and which tile, as in “E discard 5m”."
        )
    seat = _seat(words[0])
    event = event_of(words[1])
    if event is None or event is Exhausted:
        listed = join_list(Text(chinese[0], kind.tag) for kind, chinese in _WORDS.items())
        raise FactError(
            f"没看懂“{words[1]}”，可以用：{listed.zh}。", f"unknown word {words[1]!r}; use one of: {listed.en}."
        )
    rest = words[2:]
    drawn: bool | None = None
    ready = False
    while rest and (fold(rest[-1]) in _AS_DRAWN or fold(rest[-1]) in ("ready", "报听", "听")):
        word = fold(rest.pop())
        if word in _AS_DRAWN:
            drawn = _AS_DRAWN[word]
        else:
            ready = True
    fact = Fact(event, seat)
    if event is Discarded:
        fact = fact._replace(drawn=drawn, ready=ready)
    if event is Won or issubclass(event, TilesEvent):
        held, _, won = "".join(rest).replace("＋", "+").partition("+")
        if event is Won:
            fact = fact._replace(drawn=drawn is True or fold(words[1]) == "自摸", tile=_tile(won) if won else None)
        return fact._replace(tiles=tuple(sorted(read_tiles(held))) if held else ())
    if event in _WITHOUT_TILE:
        return fact
    if not rest:
        if event in _TILE_OPTIONAL:
            return fact
        raise FactError(f"没有写哪张牌：{line}。", f"no tile was named: {line}.")
    if event is ChowClaimed:
        return _chow(fact, rest)
    name, *more = rest
    if more:
        raise FactError(f"“{more[0]}”是多出来的。", f"{more[0]!r} is too much.")
    return fact._replace(tile=_tile(name))


def _chow(fact: Fact, words: list[str]) -> Fact:
    """Read a chow: `3m 2m` (claimed tile, lowest tile), or `234m` (the whole chow; the claimed tile is on view)."""
    if len(words) == 2:
        return fact._replace(tile=_tile(words[0]), low=_tile(words[1]))
    low = _RUNS.get(tuple(sorted(read_tiles("".join(words)))))
    if low is None:
        raise FactError("吃：写整副顺子，如 234m。", "write the whole chow, as in 234m.")
    return fact._replace(low=low)


def _seat(word: str) -> int:
    for winds in (WINDS, WINDS.lower(), "東南西北", "东南西北"):
        if len(word) == 1 and word in winds:
            return winds.index(word)
    raise FactError(f"“{word}”不是東南西北之一。", f"{word!r} is none of E S W N.")


def _tile(word: str) -> int | None:
    if word in ("?", "？"):
        return None
    return TILE_NUMBER[word] if word in TILE_NUMBER else read_tile(word)
