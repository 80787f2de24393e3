"""Points of hands under a book: their exact distribution, and the highest-scoring hands."""

from __future__ import annotations

import numpy as np

from quepu.errors import Text
from quepu.fast.universe.census import Census
from quepu.lab.captions import fan_words, fans_text, hands_column, sets_column, source
from quepu.lab.hand_text import reading_text
from quepu.lab.sheet import Sheet, SheetColumn, format_value

POINTS = Text("点数", "points")


def distribution(census: Census) -> Sheet:
    """Tabulate, for every number of points, the hands and physical tile sets with that score."""
    whole = census.whole
    hands, sets = whole.by_class("hands"), whole.by_class("sets")
    total = int(sets.sum())
    rows = []
    below_hands = below_sets = 0
    seen = 0
    for points in np.unique(census.points[hands > 0]).tolist():
        at = census.points == points
        n, weight = int(hands[at].sum()), int(sets[at].sum())
        seen += weight
        rows.append((points, n, weight, weight / total, (total - seen + weight) / total))
        if points < census.book.minimum:
            below_hands += n
            below_sets += weight
    mean = float((census.points * (sets / total)).sum())
    facts = {
        "hands": int(hands.sum()), "sets": total, "minimum": census.book.minimum, "below_hands": below_hands,
        "below_sets": below_sets, "share_below": below_sets / total, "mean": mean, "unit": _both(census.book.unit),
    }  # fmt: skip
    lines = [
        Text(
            f"平均 {mean:.3g} {census.book.unit.zh}（按实体牌组加权）",
            f"mean {mean:.3g}, weighted by physical tile sets",
        )
    ]
    if census.book.minimum:
        share = 100 * below_sets / total
        kinds = format_value(below_hands, "int")
        lines.append(
            Text(
                f"不足起和 {census.book.minimum} 的占 {share:.3g}%（{kinds} 种牌）",
                f"{share:.3g}% are below the minimum of {census.book.minimum} ({kinds} hands)",
            )
        )
    columns = (
        SheetColumn("points", POINTS, "int"),
        hands_column(census.state),
        sets_column(census.state),
        SheetColumn("share", Text("占比", "share"), "share"),
        SheetColumn("at_least", Text("不低于此", "at least"), "share"),
    )
    title = Text(f"{census.book.title.zh}：点数分布", f"{census.book.title.en}: distribution of points")
    return Sheet("points", title, source(census), columns, rows, facts, lines)


def _both(text: Text) -> dict[str, str]:
    return {"zh": text.zh, "en": text.en}


def biggest(census: Census, n: int = 20) -> Sheet:
    """List the highest-scoring hands, one of each kind."""
    hands = census.whole.by_class("hands")
    order = np.argsort(-census.points, kind="stable")
    rows = [
        (int(census.points[at]), int(hands[at]), reading_text(census.example(at)), fans_text(census, at))
        for at in order.tolist()
        if hands[at]
    ][:n]
    columns = (
        SheetColumn("points", POINTS, "int"),
        SheetColumn("hands", Text("同类", "such hands"), "int"),
        SheetColumn("example", Text("牌例", "example")),
        SheetColumn("fans", Text("番种", "fans"), "fans"),
    )
    title = Text(f"{census.book.title.zh}：最大的和牌", f"{census.book.title.en}: the biggest hands")
    return Sheet("biggest", title, source(census), columns, rows, words=fan_words(census.book))
