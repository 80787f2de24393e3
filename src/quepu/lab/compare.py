"""Effects of an edition or a proposed change: tables over every hand, scored under two books."""

from __future__ import annotations

from typing import Any

import numpy as np

from quepu.errors import Text
from quepu.fast.universe.limits import claims_chows
from quepu.lab.captions import fan_words, unclaimed
from quepu.lab.hand_text import reading_text
from quepu.lab.pairing import NO_WIN, ClassPairs, pair_up
from quepu.lab.sheet import Sheet, SheetColumn, format_value
from quepu.rules.rulebook import Rulebook

__all__ = ["ClassPairs", "by_fan", "most_changed", "pair_up", "summary"]


def _source(pairs: ClassPairs) -> Text:
    hands = format_value(int(pairs.hands.sum()), "int")
    what = f"quepu lab · {pairs.old.id} {pairs.old.fingerprint} → {pairs.new.id} {pairs.new.fingerprint}"
    no_chows = unclaimed(pairs.old if claims_chows(pairs.old) else pairs.new, pairs.state)
    return Text(
        f"{what} · {pairs.state.text.zh} · 全部 {hands} 种和牌，精确枚举{no_chows.zh}",
        f"{what} · {pairs.state.text.en} · all {hands} winning hands, exact{no_chows.en}",
    )


def summary(pairs: ClassPairs) -> Sheet:
    """Count the hands that rise, fall, or cross the minimum.

    Examples:
        >>> import quepu
        >>> from quepu.lab.states import state
        >>> old = quepu.book("guobiao-mcr")
        >>> pairs = pair_up(old, old.having(values={"花龙": 10}), state("closed-discard"))
        >>> summary(pairs).lines[0].en
        'mean points 8.33 → 8.36'
    """
    a, b = pairs.points(0), pairs.points(1)
    pays = pairs.pays(0), pairs.pays(1)
    kinds = (
        ("same", Text("不变", "unchanged"), a == b),
        ("up", Text("变大", "worth more"), b > a),
        ("down", Text("变小", "worth less"), b < a),
        ("payable", Text("由不够起和变为可和", "become valid"), ~pays[0] & pays[1]),
        ("lost", Text("由可和变为不够起和", "no longer valid"), pays[0] & ~pays[1]),
    )
    hands, sets = int(pairs.hands.sum()), int(pairs.sets.sum())
    rows = []
    for key, _, which in kinds:
        n, w = int(pairs.hands[which].sum()), int(pairs.sets[which].sum())
        change = float(((b - a) * pairs.sets)[which].sum() / w) if w else None
        rows.append((key, n, w, n / hands, w / sets, change))
    columns = (
        SheetColumn("change", Text("变化", "change"), "word"),
        SheetColumn("hands", Text("和牌种数", "hands"), "int"),
        SheetColumn("sets", Text("实体牌组", "tile sets"), "int"),
        SheetColumn("share_hands", Text("占种数", "of hands"), "share"),
        SheetColumn("share_sets", Text("占牌组", "of tile sets"), "share"),
        SheetColumn("mean_change", Text("平均变化", "mean change"), "number"),
    )
    mean = [float((x * (pairs.sets / sets)).sum()) for x in (a, b)]
    facts = {"mean_old": mean[0], "mean_new": mean[1], "hands": hands, "sets": sets}
    line = Text(f"平均点数 {mean[0]:.3g} → {mean[1]:.3g}", f"mean points {mean[0]:.3g} → {mean[1]:.3g}")
    words = {key: name for key, name, _ in kinds}
    return Sheet(
        "compare", _title(pairs, "变化总览", "what changes"), _source(pairs), columns, rows, facts, [line], words=words
    )


def by_fan(pairs: ClassPairs) -> Sheet:
    """Tabulate, for every fan of either book, the hands that count it under each, and how their points change.

    Examples:
        >>> import quepu
        >>> from quepu.lab.states import state
        >>> old = quepu.book("guobiao-mcr")
        >>> pairs = pair_up(old, old.having(values={"花龙": 10}), state("closed-discard"))
        >>> next(row for row in by_fan(pairs).rows if row[0] == "花龙")[:5]
        ('花龙', '8', '10', 11016, 11016)
    """
    a, b = pairs.points(0), pairs.points(1)
    names = list(dict.fromkeys([fan.name for fan in pairs.new.fans] + [fan.name for fan in pairs.old.fans]))
    rows = []
    for name in names:
        old, new = pairs.counts(0, name) > 0, pairs.counts(1, name) > 0
        either = old | new
        weight = int(pairs.sets[either].sum())
        changed = either & (a != b)
        mean = float(((b - a) * pairs.sets)[either].sum() / weight) if weight else None
        rows.append(
            (
                name,
                _value(pairs.old, name),
                _value(pairs.new, name),
                int(pairs.hands[old].sum()),
                int(pairs.hands[new].sum()),
                int(pairs.hands[changed].sum()),
                int(pairs.sets[changed].sum()) / weight if weight else None,
                mean,
            )
        )
    columns = (
        SheetColumn("fan", Text("番种", "fan"), "fan"),
        SheetColumn("old_value", Text("旧值", "old value")),
        SheetColumn("new_value", Text("新值", "new value")),
        SheetColumn("old_hands", Text("旧计入", "hands before"), "int"),
        SheetColumn("new_hands", Text("新计入", "hands now"), "int"),
        SheetColumn("changed", Text("其中变化", "of them changed"), "int"),
        SheetColumn("share", Text("变化占比", "share changed"), "share"),
        SheetColumn("mean_change", Text("平均变化", "mean change"), "number"),
    )
    words = fan_words(pairs.new, pairs.old)
    return Sheet(
        "compare-fans", _title(pairs, "逐番种变化", "changes by fan"), _source(pairs), columns, rows, words=words
    )


def most_changed(pairs: ClassPairs, n: int = 20) -> Sheet:
    """List the kinds of hands whose points change most, up and down.

    Examples:
        >>> import quepu
        >>> from quepu.lab.states import state
        >>> old = quepu.book("guobiao-mcr")
        >>> pairs = pair_up(old, old.having(values={"花龙": 10}), state("closed-discard"))
        >>> most_changed(pairs, 1).rows[0][:3]
        ('123m 456p 234s 789s 11m', 12, 14)
    """
    change = pairs.points(1) - pairs.points(0)
    size = np.abs(change)
    order = np.lexsort((-pairs.sets, -size))
    order = order[change[order] != 0]
    cut = min(n, len(order))
    while 0 < cut < len(order) and all(x[order[cut]] == x[order[cut - 1]] for x in (size, pairs.sets)):
        cut += 1  # ties with the last one
    rows: list[tuple[Any, ...]] = []
    for at in order[:cut].tolist():
        texts = [_fans(pairs, side, int(pairs.number[at, side])) for side in (0, 1)]
        rows.append(
            (reading_text(pairs.examples[at]), int(pairs.points(0)[at]), int(pairs.points(1)[at]), int(change[at]),
             int(pairs.hands[at]), *texts, int(pairs.sets[at]))
        )  # fmt: skip
    # the order of classes depends on how they were found, so equal numbers are ordered by fans
    rows.sort(key=lambda row: (-abs(row[3]), -row[7], -row[1], str(row[5]), str(row[6]), row[0]))
    rows = [row[:7] for row in rows[:n]]
    columns = (
        SheetColumn("example", Text("牌例", "example")),
        SheetColumn("old", Text("旧", "before"), "int"),
        SheetColumn("new", Text("新", "now"), "int"),
        SheetColumn("change", Text("变化", "change"), "int"),
        SheetColumn("hands", Text("同类", "such hands"), "int"),
        SheetColumn("old_fans", Text("旧番种", "fans before"), "fans"),
        SheetColumn("new_fans", Text("新番种", "fans now"), "fans"),
    )
    title = _title(pairs, "变化最大的和牌", "most changed hands")
    return Sheet("compare-hands", title, _source(pairs), columns, rows, words=fan_words(pairs.new, pairs.old))


def _fans(pairs: ClassPairs, side: int, number: int) -> str | None:
    """Return the fans that a class counts; None if it is not a win."""
    if number == NO_WIN:
        return None
    book = (pairs.old, pairs.new)[side]
    counted = pairs.classes[side].tallies[number].counted
    return "、".join(book.fans[c.row].name + (f"×{c.times}" if c.times > 1 else "") for c in counted)


def _title(pairs: ClassPairs, zh: str, en: str) -> Text:
    return Text(
        f"{pairs.old.title.zh} → {pairs.new.title.zh}：{zh}（{pairs.state.text.zh}）",
        f"{pairs.old.title.en} → {pairs.new.title.en}: {en} ({pairs.state.text.en})",
    )


def _value(book: Rulebook, name: str) -> str | None:
    if name not in book.index:
        return None
    value = book.fan(name).value
    return "/".join(map(str, value)) if isinstance(value, tuple) else str(value)
