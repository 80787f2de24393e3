"""What an edition or a proposed change does: every hand scored under two books."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from quepu.batch.classes import Classes
from quepu.errors import Text
from quepu.lab.census import Progress, classify
from quepu.lab.sheet import Column, Sheet
from quepu.lab.universe import State, Universe, shared
from quepu.lab.words import reading_text
from quepu.planes import Planes
from quepu.rulebook import Rulebook

Array = Any


@dataclass(frozen=True)
class Pairs:
    """Kinds of standard hands: its class under the old book, its class under the new, and how many there are.

    A hand with several readings is the best of them under either book. `example` is the planes of one such hand
    (under the old book's reading).
    """

    old: Rulebook
    new: Rulebook
    state: State
    classes: tuple[Classes, Classes]
    number: Array  # int32 [kinds, 2]
    hands: Array  # int64 [kinds]
    sets: Array  # int64 [kinds]
    examples: list[Planes]

    def points(self, side: int) -> Array:
        """Points under the old (0) or the new book (1): int64 [kinds]."""
        return self.classes[side].points[self.number[:, side]].astype(np.int64)

    def counts(self, side: int, name: str) -> Array:
        """How often a fan counts, or zeros if the book has it not."""
        book = (self.old, self.new)[side]
        if name not in book.index:
            return np.zeros(len(self.hands), np.uint8)
        return self.classes[side].counts[self.number[:, side], book.index[name]]


def pair_up(old: Rulebook, new: Rulebook, state: State, progress: Progress | None = None) -> Pairs:
    """Score every standard hand under both books (twice the time of a census)."""
    universe = Universe(state)
    classes = Classes(old), Classes(new)

    def half(n: int) -> Progress | None:
        return None if progress is None else lambda done, all_: progress(done + n * all_, 2 * all_)

    made = [classify(c, universe, half(n)) for n, c in enumerate(classes)]
    same = shared()
    keys: list[Array] = []
    weights: list[Array] = []
    first: list[tuple[int, Array]] = []
    several: dict[int, Array] = {}
    size = len(classes[1])
    for (kind, index, a), (_, _, b) in zip(*made, strict=True):
        mine = np.flatnonzero(same.pair == kind)
        at = np.minimum(np.searchsorted(index, same.melds[mine]), len(index) - 1)
        there = index[at] == same.melds[mine]
        alone = np.ones(len(index), np.bool_)
        alone[at[there]] = False
        several[kind] = np.stack([mine[there], a[at[there]], b[at[there]]])
        keys.append(a[alone].astype(np.int64) * size + b[alone])
        weights.append(universe.weights(kind, index[alone]))
        first.append((kind, index[alone]))
    number, weight, where = _best_of_shared(universe, classes, several)
    keys.append(number[:, 0] * size + number[:, 1])
    weights.append(weight)
    every, at, inverse, hands = np.unique(
        np.concatenate(keys), return_index=True, return_inverse=True, return_counts=True
    )
    sets = np.bincount(inverse, np.concatenate(weights)).astype(np.int64)  # doubles are exact below 2 ** 53
    places = np.concatenate([np.stack([np.full(len(i), k), i]) for k, i in [*first]], axis=1)
    places = np.concatenate([places, where], axis=1)
    examples = [_planes(universe, int(kind), int(meld)) for kind, meld in places[:, at].T]
    return Pairs(
        old,
        new,
        state,
        classes,
        np.stack([every // size, every % size], axis=1),
        hands.astype(np.int64),
        sets,
        examples,
    )


def _best_of_shared(
    universe: Universe, classes: tuple[Classes, Classes], several: dict[int, Array]
) -> tuple[Array, Array, Array]:
    """The hands of several readings: their best class under either book, weight, and where one reading stands."""
    same = shared()
    rows = np.concatenate(list(several.values()), axis=1)
    rows = rows[:, np.argsort(rows[0], kind="stable")]
    member, group = rows[0], same.group[rows[0]]
    best = []
    for side in (0, 1):
        number = rows[1 + side]
        points, bonus = classes[side].points[number].astype(np.int64), classes[side].bonus[number]
        order = np.lexsort((same.order[member], -points, -points - bonus, group))
        starts = np.concatenate([[True], group[order][1:] != group[order][:-1]])
        best.append(order[starts])
    weight = np.zeros(len(best[0]), np.int64)
    pair, melds = same.pair[member[best[0]]], same.melds[member[best[0]]]
    for kind in np.unique(pair):
        mine = pair == kind
        weight[mine] = universe.weights(int(kind), melds[mine])
    number = np.stack([rows[1][best[0]], rows[2][best[1]]], axis=1).astype(np.int64)
    return number, weight, np.stack([pair, melds])


def _planes(universe: Universe, kind: int, meld: int) -> Planes:
    from quepu.batch.classes import one

    return one(universe.block(kind, np.array([meld])), 0)


# ---- tables


def _source(pairs: Pairs) -> Text:
    what = f"quepu lab · {pairs.old.id} {pairs.old.fingerprint} → {pairs.new.id} {pairs.new.fingerprint}"
    return Text(
        f"{what} · {pairs.state.text.zh} · 全部 {int(pairs.hands.sum())} 种四副一对的和牌，精确枚举",
        f"{what} · {pairs.state.text.en} · all {int(pairs.hands.sum())} standard hands, exact",
    )


def summary(pairs: Pairs) -> Sheet:
    """How many hands rise, fall, become payable or stop being so."""
    a, b = pairs.points(0), pairs.points(1)
    pays = a >= pairs.old.minimum, b >= pairs.new.minimum
    kinds = (
        ("same", Text("不变", "unchanged"), a == b),
        ("up", Text("变大", "worth more"), b > a),
        ("down", Text("变小", "worth less"), b < a),
        ("payable", Text("由不足起和变为可和", "become payable"), ~pays[0] & pays[1]),
        ("lost", Text("由可和变为不足起和", "no longer payable"), pays[0] & ~pays[1]),
    )
    hands, sets = int(pairs.hands.sum()), int(pairs.sets.sum())
    rows = []
    for key, name, which in kinds:
        n, w = int(pairs.hands[which].sum()), int(pairs.sets[which].sum())
        change = float(((b - a) * pairs.sets)[which].sum() / w) if w else None
        rows.append((key, name.zh, name.en, n, w, n / hands, w / sets, change))
    columns = (
        Column("key", Text("键", "key")),
        Column("zh", Text("变化", "in Chinese")),
        Column("en", Text("英文", "change")),
        Column("hands", Text("和牌种数", "hands"), "int"),
        Column("sets", Text("实体牌组", "tile sets"), "int"),
        Column("share_hands", Text("占种数", "of hands"), "share"),
        Column("share_sets", Text("占牌组", "of tile sets"), "share"),
        Column("mean_change", Text("平均变化", "mean change"), "number"),
    )
    mean = [float((x * (pairs.sets / sets)).sum()) for x in (a, b)]
    facts = {"mean_old": mean[0], "mean_new": mean[1], "hands": hands, "sets": sets}
    line = Text(f"平均点数 {mean[0]:.3g} → {mean[1]:.3g}", f"mean points {mean[0]:.3g} → {mean[1]:.3g}")
    return Sheet("compare", _title(pairs, "总览", "summary"), _source(pairs), columns, rows, facts, [line])


def by_fan(pairs: Pairs) -> Sheet:
    """For every fan of either book: hands that count it under each, and what happens to them."""
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
        Column("fan", Text("番种", "fan")),
        Column("old_value", Text("旧值", "old value")),
        Column("new_value", Text("新值", "new value")),
        Column("old_hands", Text("旧计入", "hands before"), "int"),
        Column("new_hands", Text("新计入", "hands now"), "int"),
        Column("changed", Text("其中变化", "of them changed"), "int"),
        Column("share", Text("变化占比", "share changed"), "share"),
        Column("mean_change", Text("平均变化", "mean change"), "number"),
    )
    return Sheet("compare-fans", _title(pairs, "逐番种", "by fan"), _source(pairs), columns, rows)


def most_changed(pairs: Pairs, n: int = 20) -> Sheet:
    """The kinds of hands whose points change most, up and down."""
    change = pairs.points(1) - pairs.points(0)
    order = np.lexsort((-pairs.sets, -np.abs(change)))
    rows = []
    for at in order[:n].tolist():
        if not change[at]:
            break
        texts = [
            " ".join(
                book.fans[c.row].name + (f"×{c.times}" if c.times > 1 else "")
                for c in pairs.classes[side].tallies[int(pairs.number[at, side])].counted
            )
            for side, book in enumerate((pairs.old, pairs.new))
        ]
        rows.append(
            (reading_text(pairs.examples[at]), int(pairs.points(0)[at]), int(pairs.points(1)[at]), int(change[at]),
             int(pairs.hands[at]), *texts)
        )  # fmt: skip
    columns = (
        Column("example", Text("牌例", "example")),
        Column("old", Text("旧", "before"), "int"),
        Column("new", Text("新", "now"), "int"),
        Column("change", Text("变化", "change"), "int"),
        Column("hands", Text("同类", "such hands"), "int"),
        Column("old_fans", Text("旧番种", "fans before")),
        Column("new_fans", Text("新番种", "fans now")),
    )
    return Sheet("compare-hands", _title(pairs, "变化最大的和牌", "most changed hands"), _source(pairs), columns, rows)


def _title(pairs: Pairs, zh: str, en: str) -> Text:
    return Text(
        f"{pairs.old.title.zh} → {pairs.new.title.zh}：{zh}", f"{pairs.old.title.en} → {pairs.new.title.en}: {en}"
    )


def _value(book: Rulebook, name: str) -> str | None:
    if name not in book.index:
        return None
    value = book.fan(name).value
    return "/".join(map(str, value)) if isinstance(value, tuple) else str(value)
