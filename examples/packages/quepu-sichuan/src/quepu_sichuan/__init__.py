"""四川麻将 in small: 108 tiles, no chows, a hand of all three suits does not win; points double with every 番."""

from __future__ import annotations

from quepu.errors import Text
from quepu.hands.hand import Luck
from quepu.hands.planes import PAIRS, Planes, count, four_unkonged, is_form, lucky, suits
from quepu.rules.arithmetic import Counted, Dropped, Hits, Tally
from quepu.rules.row import fan, hand
from quepu.rules.rulebook import Rulebook
from quepu.tiles import TileSet

QUEPU_RULEBOOKS = "1.1"
SUITS = TileSet(kinds=tuple(range(27)))
"""108 tiles: four of each number tile."""
THREE_SUITS = "花猪"
MOST = 4
"""封顶: the most 番 that double the points."""

ROWS = (
    fan(THREE_SUITS, 0, "缺门", "手里三门都有，不能和。", lambda h: suits(h.t1) == 3, "three suits",
        definition="Tiles of all three suits: not a win.",
        example="111m222p333s444m5m+5m", near_miss="111m222p333p444m5m+5m"),
    fan("清一色", 2, "牌型", "只有一门。", lambda h: suits(h.t1) == 1, "one suit",
        definition="Tiles of one suit.",
        example="111m222m333m999m5m+5m", near_miss="111m222m333m999m5p+5p"),
    fan("七对", 2, "牌型", "七个对子。", lambda h: is_form(h, PAIRS), "seven pairs",
        definition="Seven pairs.",
        example="1199m44p3377p55m2p+2p", near_miss="111m222p333p444m5m+5m"),
    fan("对对胡", 1, "牌型", "四副刻子或杠。", lambda h: count(h.p) == 4, "all pungs",
        definition="Four pungs or kongs.", of=4,
        example="111m222p333p444m5m+5m", near_miss="1199m44p3377p55m2p+2p"),
    fan("根", 1, "牌型", "四张相同的牌，杠也算。每组计一次。",
        lambda h: count(h.k | four_unkonged(h)), "four alike",
        definition="Four tiles alike, in a kong or not; once for each.", most=4,
        example="(1111m)222p333p444m5m+5m", near_miss="111m222p333p444m5m+5m"),
    fan("自摸", 1, "和法", "和自己摸的牌。", lambda h: lucky(h, Luck.SELF_DRAW), "self-draw",
        definition="Won on a tile of one's own drawing.",
        example=hand("111m222p333p444m5m+5m", self_draw=True), near_miss="111m222p333p444m5m+5m"),
    fan("杠上花", 1, "和法", "和杠后补的牌。", lambda h: lucky(h, Luck.KONG_DRAW), "win on a replacement tile",
        definition="Won on the tile that replaces a kong.",
        example=hand("(1111m)222p333p444m5m+5m", "杠上花", self_draw=True),
        near_miss=hand("(1111m)222p333p444m5m+5m", self_draw=True)),
    fan("抢杠胡", 1, "和法", "和别家加杠的牌。", lambda h: lucky(h, Luck.ROBBED_KONG), "robbing a kong",
        definition="Won on the tile that another player adds to a pung.",
        example=hand("12m456m789p22p555p+3m", "抢杠胡"),
        near_miss="12m456m789p22p555p+3m"),
)  # fmt: skip


class Doubling:
    """Points are 1, doubled for each 番 (four at most); a hand of three suits has none."""

    reads: tuple[str, ...] = ()

    def situation(self, book: Rulebook, hits: Hits, h: Planes) -> Hits:
        """Everything that a tally depends on: the rows that hold, and how often."""
        return hits

    def combine(self, book: Rulebook, hits: Hits) -> Tally:
        """Return the tally of the rows that hold."""
        held = sorted(hits)
        three = next((row for row, _ in held if book.fans[row].name == THREE_SUITS), None)
        if three is not None:
            why = Text("三门都有，不能和", "a hand of three suits does not win")
            dropped = tuple(Dropped(row, three, why) for row, _ in held if row != three)
            return Tally(0, {"fan": 0}, (Counted(three, 1, {"fan": 0}),), dropped, why)
        counted = tuple(Counted(row, min(n, book.fans[row].most), {"fan": book.fans[row].value}) for row, n in held)
        fan = sum(one.times * one.value["fan"] for one in counted)
        points = 1 << min(fan, MOST)
        return Tally(points, {"fan": fan}, counted, (), Text(f"{fan} 番 {points} 点", f"{fan} fan, {points} points"))


BOOK = Rulebook(
    id="sichuan",
    title=Text("四川麻将（小）", "Sichuan, small"),
    fans=ROWS,
    arithmetic=Doubling(),
    shapes=("standard", "pairs"),
    minimum=1,
    tiles=SUITS,
    classes={"缺门": "voided suit", "牌型": "hand shape", "和法": "winning manner"},
    unit=Text("点", "points"),
    circumstances={"杠上花": Luck.KONG_DRAW, "抢杠胡": Luck.ROBBED_KONG},
    aliases=("四川", "四川麻将"),
    family="sichuan",
    play="quepu_sichuan.play_rules",
)

BOOKS = (BOOK,)
