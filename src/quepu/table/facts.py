"""What people tell of a hand played with real tiles, one fact after another, and how it is written in a line.

    E discard 5m          東 打 五万
    S chow 3m 2m          南 吃 3m 2m (or 234m)        the tile claimed, then the lowest of the chow
    W pung 5m             西 碰 5m                     N kong 5m · 北 杠 5m
    E added 5m            東 加杠 5m                   E concealed 9m · 東 暗杠 9m
    S flower 春           南 补 春                     S ready · 南 听
    W draw 5m             西 摸 5m                     seldom known, never needed
    W win 123m…+5m        西 和 123m…+5m               the concealed tiles, then the winning one (on a claim it may
    W win 123m…+5m drawn  西 自摸 123m…+5m             be left out)
    N show 123m…          北 亮 123m…                  what a seat shows that has not won
    drawn · 流局          N barred · 北 停             N freed · 北 免

A tile that nobody saw is written ?. After a discard, "drawn" (摸切) or "hand" (手切) says where it came from.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from quepu.errors import Error, Text
from quepu.hands.notation import tile as read_tile
from quepu.hands.notation import tiles as read_tiles
from quepu.hands.notation import tiles_text
from quepu.rules.play_rules import USUAL_WORDS, Words
from quepu.table.actions import TILE_NUMBER, tile_text
from quepu.table.events import (
    KINDS_OF_EVENT,
    SEATS_ENGLISH,
    ChowClaimed,
    Discarded,
    Event,
    SeatEvent,
    TileEvent,
    TilesEvent,
    Won,
)
from quepu.table.wall import TILE_NAMES
from quepu.tiles import FIRST_FLOWER, FLOWERS, WINDS, WINDS_CHINESE

_WORDS: Final[dict[str, tuple[str, ...]]] = {
    "deal": ("配",),
    "draw": ("摸",),
    "replace": ("补牌",),
    "flower": ("补花", "补", "花"),
    "discard": ("打", "切", "出"),
    "ready": ("报听", "听"),
    "chow": ("吃", "上"),
    "pung": ("碰",),
    "kong": ("杠", "明杠", "直杠"),
    "added": ("加杠", "补杠"),
    "concealed": ("暗杠",),
    "win": ("和", "胡", "自摸", "食糊"),
    "exhausted": ("流局", "荒牌", "drawn"),
    "show": ("亮", "明"),
    "barred": ("停", "停和"),
    "freed": ("免", "免停"),
}
"""Each fact's English word and the Chinese ones; the first of those is written."""
_MEANS: Final = {word: e for e, words in _WORDS.items() for word in (e, *words)}
_AS_DRAWN: Final = {"drawn": True, "摸切": True, "hand": False, "手切": False}


SELF_DRAWN: Final = Text("自摸", "draws a win with")
CLAIMS: Final = frozenset({"chow", "pung", "kong"})


class FactError(Error):
    """A line that tells nothing that could be understood."""


class Fact(NamedTuple):
    """Something that happened, as far as people saw it. Fields and names are those of an `Event`.

    `tile` is -1 where nobody saw it; `drawn` whether a discard was the tile just drawn, None where nobody looked, and
    whether a win was; `tiles` are the concealed tiles of a win (without the winning one), of a hand shown, or dealt.
    """

    e: str
    seat: int = -1
    tile: int = -1
    low: int = -1
    drawn: bool | None = None
    tiles: tuple[int, ...] = ()
    ready: bool = False

    @classmethod
    def of(cls, event: Event) -> Fact:
        """A table's event as a fact; what a winner held is another event, `show`."""
        made = cls(event.tag, event.seat if isinstance(event, SeatEvent) else -1)
        match event:
            case Won():
                return made._replace(tile=-1 if event.tile is None else event.tile, drawn=event.giver is None)
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
    def claims(self) -> bool:
        """Whether it takes another's tile."""
        return self.e in CLAIMS or (self.e == "win" and not self.drawn)

    def write(self) -> str:
        """The line that `read_fact` reads."""
        words = [self.e] if self.seat < 0 else [WINDS[self.seat], self.e]
        if self.e == "win":
            words.append(tiles_text(self.tiles) + (f"+{TILE_NAMES[self.tile]}" if self.tile >= 0 else ""))
        elif self.tile >= 0:
            words.append(TILE_NAMES[self.tile])
        elif self.e in ("discard", "concealed"):
            words.append("?")
        if self.low >= 0:
            words.append(TILE_NAMES[self.low] if self.tile >= 0 else tiles_text(range(self.low, self.low + 3)))
        if self.tiles and self.e != "win":
            words.append(tiles_text(self.tiles))
        if self.drawn or (self.drawn is False and self.e == "discard"):
            words.append("drawn" if self.drawn else "hand")
        if self.ready:
            words.append("ready")
        return " ".join(filter(None, words))

    def text(self, book: Words = USUAL_WORDS) -> Text:
        """In words, those of its book where they differ from the usual ones."""
        if self.e == "draw" and self.tile < 0:
            return Text(f"{WINDS_CHINESE[self.seat]}家摸牌", f"{WINDS[self.seat]} draws")
        zh, en = KINDS_OF_EVENT[self.e].named(book)
        if self.e == "win" and self.drawn:
            zh, en = SELF_DRAWN
        if self.seat >= 0:
            zh, en = f"{WINDS_CHINESE[self.seat]}家{zh}", f"{SEATS_ENGLISH[self.seat]} {en}"
        if self.tile >= 0:
            name = tile_text(self.tile)
            zh, en = zh + name.zh, f"{en} {name.en}"
        elif self.e in ("discard", "concealed"):
            zh, en = zh + "？", en + " ?"
        if self.low >= 0:
            names = [tile_text(kind) for kind in range(self.low, self.low + 3)]
            zh, en = f"{zh}（{''.join(n.zh for n in names)}）", f"{en} ({''.join(n.en for n in names)})"
        if self.drawn and self.e != "win":
            zh, en = zh + "（摸切）", en + " (as drawn)"
        if self.ready:
            zh, en = zh + "，报听", en + ", ready"
        tiles = f" {tiles_text(self.tiles)}" if self.tiles else ""
        return Text(zh + tiles, en + tiles)


def verb(word: str) -> str:
    """What a word says happened, in English ("" if it says nothing of the kind)."""
    return _MEANS.get(word.lower(), "")


def read_fact(line: str) -> Fact:
    """A fact from its line.

    Raises:
        FactError: it says nothing that is known; NotationError: a tile that is none.
    """
    words = line.split()
    if len(words) == 1 and verb(words[0]) == "exhausted":
        return Fact("exhausted")
    if len(words) < 2:
        raise FactError("写法：谁 做什么 哪张牌，如“東 打 5m”。", "say: who, what, which tile, as “E discard 5m”.")
    seat = _seat(words[0])
    e = verb(words[1])
    if not e or e == "exhausted":
        listed = "、".join(chinese[0] for chinese in _WORDS.values())
        raise FactError(
            f"没看懂“{words[1]}”，可以说：{listed}。", f"{words[1]!r} is not known; say one of {', '.join(_WORDS)}."
        )
    rest = words[2:]
    drawn: bool | None = None
    ready = False
    while rest and (rest[-1] in _AS_DRAWN or rest[-1] in ("ready", "报听", "听")):
        word = rest.pop()
        if word in _AS_DRAWN:
            drawn = _AS_DRAWN[word]
        else:
            ready = True
    fact = Fact(e, seat, drawn=drawn if e == "discard" else None, ready=ready and e == "discard")
    if e in ("win", "show", "deal"):
        held, _, won = "".join(rest).replace("＋", "+").partition("+")
        if e == "win":
            fact = fact._replace(drawn=drawn is True or words[1] == "自摸", tile=_tile(won) if won else -1)
        return fact._replace(tiles=tuple(sorted(read_tiles(held))) if held else ())
    if e in ("ready", "barred", "freed"):
        return fact
    if not rest:
        if e in ("draw", "replace", "discard", "concealed", "pung", "kong"):
            return fact
        raise FactError(f"没有说哪张牌：{line}。", f"no tile was named: {line}.")
    if e == "chow":
        return _chow(fact, rest)
    if len(rest) > 1:
        raise FactError(f"“{rest[1]}”是多出来的。", f"{rest[1]!r} is too much.")
    return fact._replace(tile=_tile(rest[0]))


def _chow(fact: Fact, words: list[str]) -> Fact:
    """`3m 2m` (the tile claimed, the lowest), or `234m` (the whole chow; which was claimed lies on the table)."""
    if len(words) == 2:
        return fact._replace(tile=_tile(words[0]), low=_tile(words[1]))
    kinds = sorted(read_tiles(words[0]))
    if len(kinds) == 3 and kinds == list(range(kinds[0], kinds[0] + 3)):
        return fact._replace(low=kinds[0])
    raise FactError("吃：写整副顺子，如 234m。", "a chow is named whole, as 234m.")


def _seat(word: str) -> int:
    for winds in (WINDS, WINDS.lower(), "東南西北", "东南西北"):
        if len(word) == 1 and word in winds:
            return winds.index(word)
    raise FactError(f"“{word}”不是東南西北之一。", f"{word!r} is none of E S W N.")


def _tile(word: str) -> int:
    if word in ("?", "？"):
        return -1
    if word in FLOWERS:
        return FIRST_FLOWER + FLOWERS.index(word)
    return TILE_NUMBER[word] if word in TILE_NUMBER else read_tile(word)


def named(kind: int) -> Text:
    """A tile's name, or that nobody saw it."""
    return tile_text(kind) if kind >= 0 else Text("？", "?")
