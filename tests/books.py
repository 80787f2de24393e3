"""A rulebook of three rows for tests that are about the machinery, and which registered books have a table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from quepu.errors import Text
from quepu.hands.hand import Luck
from quepu.hands.planes import Planes
from quepu.rulebooks import book, book_ids
from quepu.rules.arithmetic import Counted, Hits, Tally
from quepu.rules.row import Fan
from quepu.rules.rulebook import Option, Rulebook

PLAYED = [name for name in book_ids() if book(name).play]
"""Ids of the registered books that have a table."""
MANY_HANDS = 200
"""More hands than a match of the tests ever has: a dealer who never leaves fails a test and does not hang it."""


def long_but(books: Sequence[Rulebook], *quick: str) -> list[Any]:
    """These books as parameters: all but those named are left to `make long`."""
    return [pytest.param(one, id=one.id, marks=() if one.id in quick else pytest.mark.long) for one in books]


class Sum:
    """Every fan that holds counts once."""

    reads: tuple[str, ...] = ()

    def situation(self, book: Rulebook, hits: Hits, h: Planes) -> Hits:
        return hits

    def combine(self, book: Rulebook, hits: Hits) -> Tally:
        counted = tuple(Counted(row, 1, {"fan": book.fans[row].value}) for row, _ in hits)
        points = sum(book.fans[row].value for row, _ in hits)
        return Tally(points, {"fan": points}, counted, (), Text(f"{points} 番", f"{points} fan"))


SMALL = Rulebook(
    id="small",
    title=Text("小书", "Small book"),
    fans=(
        Fan("和牌", 1, "一", "和了。", lambda h: (h.t1 == h.t1) * 1, "Win"),
        Fan("四刻", 6, "二", "四副刻子。", lambda h: (h.p & (h.p - 1)) * 0, "Four pungs"),
        Fan("自摸", 2, "二", "自己摸到。", lambda h: h.luck & int(Luck.SELF_DRAW), "Self-drawn"),
    ),
    arithmetic=Sum(),
    shapes=("standard",),
    minimum=2,
    unit=Text("番", "fan"),
    circumstances={
        "天和": Luck.HEAVENLY,
        "地和": Luck.EARTHLY,
        "人和": Luck.HUMANLY,
        "岭上开花": Luck.KONG_DRAW,
        "连杠开花": Luck.KONG_DRAW | Luck.TWO_KONGS,
        "海底捞月": Luck.LAST_DRAW,
        "河底捞鱼": Luck.LAST_DISCARD,
        "抢杠": Luck.ROBBED_KONG,
        "和绝张": Luck.FOURTH_TILE,
        "生张": Luck.FRESH_TILE,
        "天听": Luck.READY_AT_DEAL,
    },
    near={"妙手回春": "海底捞月", "抢杠和": "抢杠"},
    flower_value=1,
    options=(
        Option("大吗", Text("大小", "size"), (False, True), lambda book, big: book.having(minimum=9 if big else 2)),
    ),
)
