"""推倒胡 in small: a book of 108 tiles, without chows and honours, all of it in this folder.

It shows what a book of another game than those in `quepu.rulebooks` needs: rows, an arithmetic and table rules.
"""

from __future__ import annotations

from quepu.errors import Text
from quepu.hands.hand import Luck
from quepu.hands.planes import Planes, count, suits
from quepu.rules.arithmetic import Counted, Hits, Tally
from quepu.rules.row import Fan
from quepu.rules.rulebook import Rulebook
from quepu.tiles import TileSet

SUITS = TileSet(kinds=tuple(range(27)))
"""108 tiles: four of each number tile."""


class Sum:
    """Every fan that holds counts once."""

    reads: tuple[str, ...] = ()

    def situation(self, book: Rulebook, hits: Hits, h: Planes) -> Hits:
        return hits

    def combine(self, book: Rulebook, hits: Hits) -> Tally:
        counted = tuple(Counted(row, 1, {"fan": book.fans[row].value}) for row, _ in hits)
        points = sum(book.fans[row].value for row, _ in hits)
        return Tally(points, {"fan": points}, counted, (), Text(f"{points} 番", f"{points} fan"))


BOOK = Rulebook(
    id="tuidaohu",
    title=Text("推倒胡（小）", "Push-over win, small"),
    fans=(
        Fan("平胡", 1, "番", "和牌。", lambda h: h.t1 != 0, "Win"),
        Fan("碰碰胡", 2, "番", "四副刻子或杠。", lambda h: count(h.p) == 4, "All pungs"),
        Fan("清一色", 4, "番", "只有一门。", lambda h: suits(h.t1) == 1, "One suit"),
        Fan("自摸", 1, "番", "和自己摸的牌。", lambda h: (h.luck & int(Luck.SELF_DRAW)) != 0, "Self-drawn"),
        Fan("杠上开花", 1, "番", "杠后补牌和。", lambda h: (h.luck & int(Luck.KONG_DRAW)) != 0, "On a kong"),
    ),
    arithmetic=Sum(),
    shapes=("standard",),
    minimum=1,
    tiles=SUITS,
    unit=Text("番", "fan"),
    circumstances={"杠上开花": Luck.KONG_DRAW},
    family="tuidaohu",
    play="tests.tuidaohu.play_rules",
)

BOOKS = (BOOK,)
