"""香港麻将 (old style) in small: values in common use, three 番 to win, ten at most, added up."""

from __future__ import annotations

from quepu.errors import Text
from quepu.hands.hand import Luck
from quepu.hands.planes import (
    DRAGONS,
    HONOUR_TILES,
    ORPHANS,
    STANDARD,
    TERMINALS,
    WINDS,
    Planes,
    count,
    has_honours,
    is_form,
    lucky,
    only,
    suits,
)
from quepu.rules.arithmetic import AdditiveFigures, Counted, Dropped, Hits, Pays, Tally
from quepu.rules.row import fan, hand
from quepu.rules.rulebook import Rulebook

QUEPU_RULEBOOKS = "1.1"
_PLAIN = "123m456p789s22m55p+5p"

ROWS = (
    fan("十三幺", 10, "牌型", "十三种幺九牌各一，再加其中任意一张。", lambda h: is_form(h, ORPHANS), "thirteen orphans",
        definition="One of each terminal and honour, and one more of them.", drops="门前清",
        example="19m19p19sESWNCFP+1m", near_miss=_PLAIN),
    fan("大四喜", 10, "牌型", "四副风刻。", lambda h: count(h.p & WINDS) == 4, "big four winds",
        definition="Four pungs of winds.", of=4, drops="对对糊 混一色 门风 圈风",
        example="EEESSS(WWW)NNN5m+5m", near_miss="EEESSS(WWW)CCCN+N"),
    fan("字一色", 10, "牌型", "全是字牌。", lambda h: only(h, HONOUR_TILES) & is_form(h, STANDARD), "all honours",
        definition="Honours only.", drops="对对糊",
        example="EEESSS(WWW)CCCN+N", near_miss="EEESSS(WWW)NNN5m+5m"),
    fan("清幺九", 10, "牌型", "全是一、九。", lambda h: only(h, TERMINALS) & is_form(h, STANDARD), "all terminals",
        definition="Ones and nines only.", drops="对对糊",
        example="111m999m111p999p1s+1s", near_miss="111m999m111p999pC+C"),
    fan("大三元", 8, "牌型", "三副三元刻。", lambda h: count(h.p & DRAGONS) == 3, "big three dragons",
        definition="Three pungs of dragons.", of=3, drops="三元刻",
        example="123mCCCFFFPPP5p+5p", near_miss="123m456mCCCFFFP+P"),
    fan("清一色", 7, "牌型", "只有一门，没有字牌。", lambda h: (suits(h.t1) == 1) & (has_honours(h) == 0), "full flush",
        definition="Tiles of one suit, and no honours.",
        example="123456m678m9922m+2m", near_miss="123456m678mCCC9m+9m"),
    fan("小四喜", 6, "牌型", "三副风刻，余下一种作眼。",
        lambda h: (count(h.p & WINDS) == 3) & ((h.pair & WINDS) != 0), "little four winds",
        definition="Three pungs of winds, and the fourth wind as the pair.", of=4, drops="混一色 门风 圈风",
        example="EEESSS(WWW)123mN+N", near_miss="EEESSS(WWW)123m5m+5m"),
    fan("小三元", 5, "牌型", "两副三元刻，余下一种作眼。",
        lambda h: (count(h.p & DRAGONS) == 2) & ((h.pair & DRAGONS) != 0), "little three dragons",
        definition="Two pungs of dragons, and the third as the pair.", of=3, drops="三元刻",
        example="123m456mCCCFFFP+P", near_miss="123m456mCCCFFF5p+5p"),
    fan("混一色", 3, "牌型", "一门和字牌。", lambda h: (suits(h.t1) == 1) & has_honours(h), "half flush",
        definition="Tiles of one suit, and honours.",
        example="123456m678mCCC9m+9m", near_miss="123456m678m9922m+2m"),
    fan("对对糊", 3, "牌型", "四副刻子或杠。", lambda h: count(h.p) == 4, "all pungs",
        definition="Four pungs or kongs.", of=4,
        example="111m222p333s999s5m+5m", near_miss=_PLAIN),
    fan("平糊", 1, "牌型", "四副顺子。", lambda h: is_form(h, STANDARD) & (h.p == 0), "all chows",
        definition="Four chows.",
        example="123m456p789s234s5p+5p", near_miss=_PLAIN),
    fan("三元刻", 1, "番子", "中、發、白的刻子，每副一番。", lambda h: count(h.p & DRAGONS), "pung of dragons",
        definition="A pung of dragons; once for each.", most=2,
        example="123456m678pCCC9m+9m", near_miss="123456m678pEEE9m+9m"),
    fan("门风", 1, "番子", "自己门风的刻子。", lambda h: (h.p & h.seat) != 0, "seat wind",
        definition="A pung of one's own wind.", of=1,
        example="123456m678pEEE9m+9m", near_miss="123456m678pCCC9m+9m"),
    fan("圈风", 1, "番子", "圈风的刻子。", lambda h: (h.p & h.round) != 0, "round wind",
        definition="A pung of the round wind.", of=1,
        example="123456m678pEEE9m+9m", near_miss="123456m678pCCC9m+9m"),
    fan("门前清", 1, "糊法", "没有吃、碰、明杠。", lambda h: lucky(h, Luck.CLOSED), "concealed hand",
        definition="Nothing was claimed.", example=_PLAIN, near_miss="(123m)456p789s22m55p+5p"),
    fan("自摸", 1, "糊法", "糊自己摸的牌。", lambda h: lucky(h, Luck.SELF_DRAW), "self-draw",
        definition="Won on a tile of one's own drawing.",
        example=hand(_PLAIN, self_draw=True), near_miss=_PLAIN),
    fan("杠上开花", 1, "糊法", "糊杠后补的牌。", lambda h: lucky(h, Luck.KONG_DRAW), "win on a replacement tile",
        definition="Won on the tile that replaces a kong.",
        example=hand("(1111m)456p789s555p2m+2m", "杠上开花", self_draw=True),
        near_miss=hand("(1111m)456p789s555p2m+2m", self_draw=True)),
    fan("抢杠", 1, "糊法", "糊别家加杠的牌。", lambda h: lucky(h, Luck.ROBBED_KONG), "robbing a kong",
        definition="Won on the tile that another player adds to a pung.",
        example=hand("12m456p789s22m555p+3m", "抢杠"), near_miss="12m456p789s22m555p+3m"),
    fan("海底捞月", 1, "糊法", "糊牌墙最后一张。", lambda h: lucky(h, Luck.LAST_DRAW), "last tile of the wall",
        definition="Won on the last tile of the wall.",
        example=hand(_PLAIN, "海底捞月", self_draw=True), near_miss=hand(_PLAIN, self_draw=True)),
)  # fmt: skip


class Added:
    """Fans that hold and that no other keeps out are added; what is paid stops at ten."""

    reads: tuple[str, ...] = ()

    def situation(self, book: Rulebook, hits: Hits, h: Planes) -> Hits:
        """Everything that a tally depends on: the rows that hold, and how often."""
        return hits

    def additive_figures(self, book: Rulebook) -> AdditiveFigures:
        """Return how the book adds up, for many hands at once."""
        return AdditiveFigures(book.drops, tuple(Pays(fan.value, fan.most) for fan in book.fans))

    def combine(self, book: Rulebook, hits: Hits) -> Tally:
        """Return the sum of the rows that hold and that no other keeps out."""
        held = sorted(hits)
        counted: list[Counted] = []
        dropped: list[Dropped] = []
        for row, n in held:
            this = book.fans[row]
            by = next((i for i, _ in held if book.drops[i] >> row & 1), None)
            if by is None:
                counted.append(Counted(row, min(n, this.most), {"fan": this.value}))
            else:
                other = book.fans[by]
                why = Text(f"{other.name}不计{this.name}", f"{other.english} keeps out {this.english}")
                dropped.append(Dropped(row, by, why))
        points = sum(one.times * one.value["fan"] for one in counted)
        return Tally(points, {"fan": points}, tuple(counted), tuple(dropped), Text(f"{points} 番", f"{points} fan"))


BOOK = Rulebook(
    id="hongkong",
    title=Text("香港麻将（小）", "Hong Kong, small"),
    fans=ROWS,
    arithmetic=Added(),
    shapes=("standard", "orphans"),
    minimum=3,
    classes={"牌型": "hand shape", "番子": "honour pungs", "糊法": "winning manner"},
    unit=Text("番", "fan"),
    circumstances={"杠上开花": Luck.KONG_DRAW, "抢杠": Luck.ROBBED_KONG, "海底捞月": Luck.LAST_DRAW},
    aliases=("香港", "港式"),
    family="hongkong",
    play="quepu_hongkong.play_rules",
    settings={"most": 10},
)

BOOKS = (BOOK,)
