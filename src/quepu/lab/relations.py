"""Relations between fans: implications, declared against derived relations, overlap, fans that never matter."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from quepu.errors import Text
from quepu.fast.universe.census import Census, Progress
from quepu.hands.planes import Planes
from quepu.lab.captions import fan_words, sets_column, source
from quepu.lab.hand_text import reading_text
from quepu.lab.sheet import Sheet, SheetColumn

Array = NDArray[Any]
A = SheetColumn("fan", Text("番种", "fan"), "fan")
B = SheetColumn("other", Text("与", "with"), "fan")


def together(census: Census, held: bool) -> Array:
    """Return tile sets [fans, fans] with a reading where both hold, or (not `held`) whose best reading counts both."""
    if held:
        return _cached_pairs(census.holds, census.whole.by_class("reading_sets"))
    return _pairs(census.counts > 0, census.whole.by_class("sets"))


_REMEMBERED = 4
_lately: list[tuple[Array, Array, Array]] = []


def _cached_pairs(holds: Array, weight: Array) -> Array:
    """Return `_pairs`, cached: a draft that only changes values and relations has the same table."""
    for table, other, found in _lately:
        if table is holds and np.array_equal(other, weight):
            return found
    made = _pairs(holds, weight)
    made.flags.writeable = False
    _lately.append((holds, weight, made))
    del _lately[:-_REMEMBERED]
    return made


def _pairs(table: Array, weight: Array) -> Array:
    """Return the weight of classes that have two fans: float64 [fans, fans] of a bool table [classes, fans].

    A class has few of the fans, so only its pairs are added. Sums of doubles are exact here: below 2 ** 53.
    """
    met, fans = np.flatnonzero(weight), table.shape[1]
    row, fan = np.nonzero(table[met])
    size = np.bincount(row, minlength=len(met))
    start, weight = np.cumsum(size) - size, weight[met]
    total = np.zeros(fans * fans)
    for n in np.unique(size[size > 0]).tolist():
        at = np.flatnonzero(size == n)
        some = fan[start[at][:, None] + np.arange(n)]
        pairs = some[:, :, None] * fans + some[:, None, :]
        total += np.bincount(pairs.reshape(-1), np.repeat(weight[at], n * n), fans * fans)
    return total.reshape(fans, fans)


def _table(masks: tuple[int, ...]) -> Array:
    """Return masks of fans as bool [fans, fans]."""
    return np.array([[mask >> other & 1 for other in range(len(masks))] for mask in masks], np.bool_)


def _everywhere(census: Census, both: Array) -> tuple[Array, list[Text]]:
    """Return the fans that hold in every reading of a state (门前清 in a closed one), and a sentence about them.

    That all other fans imply them follows from the state and not from the book.
    """
    fans = census.book.fans
    found = both.diagonal() == census.whole.by_class("reading_sets").sum()
    names = [fans[i].name for i in np.flatnonzero(found)]
    words = fan_words(census.book)
    lines = [
        Text(f"在这个状态里总是成立，下面不再列出：{'、'.join(names)}",
             f"hold in every hand here and are not listed with others: {', '.join(words[n].en for n in names)}")
    ]  # fmt: skip
    return found, lines if names else []


def implications(census: Census) -> Sheet:
    """Tabulate, for every two fans that meet, the share of readings with one that also hold the other."""
    both = together(census, held=True)
    alone = both.diagonal()
    names = [fan.name for fan in census.book.fans]
    everywhere, lines = _everywhere(census, both)
    rows = []
    for i in range(len(names)):
        for j in np.flatnonzero(both[i]).tolist():
            if i != j and not everywhere[j]:
                share = both[i, j] / alone[i]
                rows.append((names[i], names[j], share, _often(share), int(both[i, j])))
    rows.sort(key=lambda row: (names.index(row[0]), -row[2]))
    columns = (
        A, B,
        SheetColumn("share", Text("同现比例", "share"), "share"),
        SheetColumn("how", Text("关系", "relation"), "word"),
        sets_column(census.state),
    )  # fmt: skip
    always = sum(row[3] == "always" for row in rows)
    title = Text(f"{census.book.title.zh}：番种蕴含", f"{census.book.title.en}: which fan comes with which")
    line = Text(f"{always} 对必然同现", f"{always} pairs where one always brings the other")
    return Sheet("implications", title, source(census), columns, rows, {"always": always}, [line, *lines],
                 words=fan_words(census.book) | HOW)  # fmt: skip


HOW = {
    "always": Text("必然", "always"),
    "often": Text("多半", "often"),
    "sometimes": Text("有时", "sometimes"),
    "rarely": Text("罕见", "rarely"),
}
"""Always; in at least half; in at least one of a hundred; in fewer."""


def _often(share: float) -> str:
    return "always" if share == 1 else "often" if share >= 0.5 else "sometimes" if share >= 0.01 else "rarely"


WHY = {
    "implied and counted": Text("必然同现却一起计", "always comes with it, yet both count"),
    "dropped but not implied": Text("声明不计，却不必然同现", "declared not counted, though it does not always hold"),
    "dropped but never met": Text("声明不计，却从不同现", "declared not counted, though they never meet"),
    "conflict never met": Text("声明互斥，却从不同现", "declared exclusive, though they never meet"),
    "never counted together": Text(
        "同时成立，未声明不计或互斥，却从不一起计", "hold together, nothing is declared, yet never count together"
    ),
}


def compare_declared(census: Census) -> Sheet:
    """Compare declared relations of two fans (不计, 互斥) with those over all hands; only the differences."""
    book = census.book
    names = [fan.name for fan in book.fans]
    both = together(census, held=True)
    counted = _pairs(census.counts > 0, census.whole.by_class("reading_sets"))
    everywhere, lines = _everywhere(census, both)
    alone = both.diagonal()
    there = (alone > 0)[:, None] & (alone > 0) & ~np.eye(len(names), dtype=np.bool_)  # both can hold in this state
    meet, always = both > 0, both == alone[:, None]
    drops, conflict = _table(book.drops), _table(book.conflicts)
    first = np.triu(there)
    kinds = {
        "dropped but never met": there & drops & ~meet,
        "dropped but not implied": there & drops & meet & ~always,
        "conflict never met": first & conflict & ~drops & ~meet,
        "implied and counted": there & always & (counted > 0) & ~drops & ~conflict & ~everywhere,
        "never counted together": first & meet & (counted == 0) & ~(drops | conflict | drops.T),
    }
    found = [(i, j, kind) for kind, at in kinds.items() for i, j in np.argwhere(at).tolist()]
    rows = [(names[i], names[j], kind, float(both[i, j] / alone[i])) for i, j, kind in sorted(found)]
    columns = (
        A, B,
        SheetColumn("kind", Text("差别", "difference"), "word"),
        SheetColumn("share", Text("同现比例", "share"), "share"),
    )  # fmt: skip
    title = Text(f"{book.title.zh}：声明与实际", f"{book.title.en}: declared against derived relations")
    reasons = [row[2] for row in rows]
    some = [(why, reasons.count(key)) for key, why in WHY.items() if key in reasons]
    line = Text(
        f"{len(rows)} 处不同：{'，'.join(f'{why.zh} {n}' for why, n in some) or '无'}",
        f"{len(rows)} differences: {', '.join(f'{n} × {why.en}' for why, n in some) or 'none'}",
    )
    return Sheet("declared", title, source(census), columns, rows, {"differences": len(rows)}, [line, *lines],
                 words=fan_words(book) | WHY)  # fmt: skip


def overlap(census: Census) -> Sheet:
    """Tabulate the overlap of the hands that count two fans: pairs that meet, closest first."""
    both = together(census, held=False)
    alone = both.diagonal()
    total = float(census.whole.sets.sum())
    names = [fan.name for fan in census.book.fans]
    rows = []
    for i in range(len(names)):
        for j in range(i + 1, len(names)):
            if both[i, j]:
                either = alone[i] + alone[j] - both[i, j]
                lift = both[i, j] * total / (alone[i] * alone[j])
                rows.append((names[i], names[j], both[i, j] / either, float(lift), int(both[i, j])))
    rows.sort(key=lambda row: -row[2])
    columns = (
        A, B,
        SheetColumn("jaccard", Text("重合度", "overlap"), "share"),
        SheetColumn("lift", Text("相对独立", "against chance"), "number"),
        sets_column(census.state),
    )  # fmt: skip
    title = Text(f"{census.book.title.zh}：番种重合", f"{census.book.title.en}: overlap of fans")
    return Sheet("overlap", title, source(census), columns, rows, words=fan_words(census.book))


MATTERS = {
    "matters": Text("有影响", "matters"),
    "never matters": Text("从不影响", "never matters"),
    "cannot hold here": Text("此状态下不会成立", "cannot hold here"),
}


def redundant(census: Census, progress: Progress | None = None) -> Sheet:
    """Count, for every fan, the readings whose score changes without it; 0 means that it never matters.

    If interrupted, it returns the fans finished so far.

    Raises:
        KeyboardInterrupt: none was finished yet.
    """
    book = census.book
    work, done, cut = int(census.holds.sum()), 0, False
    planes = [census.example(at) for at in range(len(census.points))]
    rows: list[tuple[Any, ...]] = []
    for row in range(len(book.fans)):
        try:
            rows.append(_struck(census, planes, row))
            done += int(census.holds[:, row].sum())
            if progress is not None:
                progress(done, work)
        except KeyboardInterrupt:
            if not rows:
                raise
            cut = True
            break
    columns = (
        A,
        SheetColumn("holding", Text("成立", "holds"), "int"),
        SheetColumn("changed", Text("删去则变", "changes without it"), "int"),
        SheetColumn("share", Text("占比", "share"), "share"),
        SheetColumn("verdict", Text("结论", "verdict"), "word"),
        SheetColumn("example", Text("牌例", "example")),
    )
    never = [row[0] for row in rows if row[4] == "never matters"]
    words = fan_words(book)
    line = Text(
        f"从不影响得分：{'、'.join(never) or '无'}",
        f"never change a score: {', '.join(words[name].en for name in never) or 'none'}",
    )
    title = Text(f"{book.title.zh}：多余的番种", f"{book.title.en}: fans that never matter")
    return Sheet(
        "redundant", title, source(census), columns, rows, {"never": never}, [line], cut, words=words | MATTERS
    )


def _struck(census: Census, planes: list[Planes], row: int) -> tuple[Any, ...]:
    """Return a fan's line: readings that hold it, those whose score changes without it, an example."""
    name = census.book.fans[row].name
    less = census.book.having(without=[name])
    readings = census.whole.by_class("readings")
    at = np.flatnonzero(census.holds[:, row] & (readings > 0)).tolist()
    changed = 0
    example = None
    for number in at:
        without = less.tally(planes[number])
        if without.points + without.bonus != int(census.points[number]) + int(census.bonus[number]):
            changed += int(readings[number])
            example = example or reading_text(planes[number])
    holding = int(readings[at].sum())
    verdict = "cannot hold here" if not holding else "never matters" if not changed else "matters"
    return name, holding, changed, changed / holding if holding else None, verdict, example
