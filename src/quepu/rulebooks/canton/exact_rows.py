"""Words by which some rows of 广东 say more exactly of one hand which of several patterns it is, which winds match."""

from __future__ import annotations

from collections.abc import Mapping

from quepu.errors import Text
from quepu.hands.planes import Condition, Planes, only, ranks

Parts = tuple[tuple[Text, Condition], ...]

CALLED: Mapping[str, Parts] = {
    "全大/全中/全小": (
        (Text("全大", "only 789"), lambda h: only(h, ranks("789"))),
        (Text("全中", "only 456"), lambda h: only(h, ranks("456"))),
        (Text("全小", "only 123"), lambda h: only(h, ranks("123"))),
    ),
}
"""Rows that stand for several patterns: what each is called."""

MADE_OF: Mapping[str, Parts] = {
    "风牌": (
        (Text("门风", "seat wind"), lambda h: (h.p & h.seat) != 0),
        (Text("圈风", "round wind"), lambda h: (h.p & h.round) != 0),
    ),
}
"""Rows that count once for each of several things: what they are."""


def text_for(parts: Parts | None, h: Planes) -> Text | None:
    """Those that hold; None where there is nothing to say."""
    found = [text for text, holds in parts or () if holds(h)]
    if not found:
        return None
    return Text("、".join(text.zh for text in found), " and ".join(text.en for text in found))
