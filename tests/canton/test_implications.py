"""What always comes along with what, found again from hands, against what the rows keep out as implied."""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from collections.abc import Iterator

import pytest

from quepu.hands.hand import Hand, Luck, MeldKind
from quepu.hands.planes import Planes
from quepu.rulebooks import book
from quepu.rulebooks.canton.row import SHAPE, CantonExtra
from quepu.rulebooks.canton.shapes.outside import OUTSIDE
from quepu.scoring.samples import wins
from quepu.shapes.readings import readings
from quepu.tiles import EAST

CANTON = book("canton")
NAMES = [fan.name for fan in CANTON.fans]

BY_CASE = {
    "全大/全中/全小": {"大于五", "小于五", "断幺九", "缺五"},  # by which of the three it is
    "大四喜": {"混一色"},  # 混一色 or 字一色
    "满分花杠": {"三杠子", "杠上开花", "自摸", "抢杠"},  # by replacement or by robbing
    "万炮齐发": {"海底捞月", "海底捞鱼"},  # the seed calls it by the one, the robbed tile is rather the other
    "清老头": {"对对糊", "老少", "两数"},  # not in 4 + 4 + 4 + 2, and one number is possible there
    "两数": {"对对糊", "无字", "双同刻"},  # the same
    "混老头": {"对对糊", "浑带幺"},  # not in seven pairs, thirteen orphans
    "字一色": {"对对糊", "四字刻", "浑带幺"},  # the same
    "同般低": {"乱蛇"},  # concealed only
    "十三不搭": {"全不靠"},  # where all are different
    "地糊": {"天听"},  # declared or not
    **{name: {"单吊"} for name in ("连七对", "连六对", "三元七对", "四喜七对", "十三骑士")},  # waits for sets
    **{name: {"单吊"} for name in ("全不靠", "十三魔王", "十三金字塔")},  # no pair, or another tile came last
    "大三元": {"小三元"},  # the stronger name for the same pungs
    "天糊": {"生张"},  # a circumstance that nobody names there
}
"""Names kept out that come along only sometimes, and why."""
DRAWN = {"自摸", "不求人"}
"""What only a self-drawn hand can have: kept out where it comes."""


def lucky(rng: random.Random, hand: Hand) -> Hand:
    """The hand with circumstances that fit it."""
    drawn = rng.random() < 0.5
    luck = Luck.SELF_DRAW if drawn else Luck(0)
    kongs = sum(meld.kind >= MeldKind.KONG for meld in hand.melds)
    closed = all(meld.kind is MeldKind.CONCEALED_KONG for meld in hand.melds)
    wishes = [
        (Luck.KONG_DRAW, drawn and kongs > 0, 0.4),
        (Luck.KONG_DRAW | Luck.TWO_KONGS, drawn and kongs > 1, 0.4),
        (Luck.KONG_DRAW | Luck.TWO_KONGS | Luck.THREE_KONGS, drawn and kongs > 2, 0.4),
        (Luck.LAST_DRAW, drawn, 0.2),
        (Luck.LAST_DISCARD, not drawn, 0.2),
        (Luck.ROBBED_KONG | Luck.FOURTH_TILE, not drawn and hand.counts()[hand.winning or 0] == 1, 0.5),
        (Luck.FIRST_ROUND, closed, 0.2),
        (Luck.READY_AT_DEAL, closed and hand.seat != EAST, 0.2),
        (Luck.READY_AT_FIRST, closed, 0.2),
        (Luck.READY_AT_FIRST | Luck.FIRST_CHANCE, closed, 0.2),
        (Luck.READY_AT_DEAL | Luck.EARTHLY, not hand.melds and drawn and hand.seat != EAST, 0.3),
        (Luck.READY_AT_DEAL | Luck.HUMANLY, not hand.melds and not drawn and hand.seat != EAST, 0.3),
        (Luck.HEAVENLY | Luck.FRESH_TILE, not hand.melds and drawn and hand.seat == EAST, 0.3),
    ]
    for wish, fits, share in wishes:
        if fits and rng.random() < share:
            luck |= wish
    return hand._replace(luck=int(luck))


def sample(n: int, seed: int) -> Iterator[tuple[Planes, set[str]]]:
    """Planes and what holds of every reading of n wins."""
    rng = random.Random(seed)
    for hand in wins(CANTON, n, seed=seed):
        for reading in readings(lucky(rng, hand), CANTON.shapes, CANTON.reads):
            if reading.h.form != OUTSIDE:
                yield reading.h, {NAMES[i] for i, _ in CANTON.detect(reading.h)}


def missing(n: int, seed: int) -> dict[str, Counter[str]]:
    """For each pattern, implied names that did not come along, but for the cases named."""
    found: dict[str, Counter[str]] = defaultdict(Counter)
    for h, held in sample(n, seed):
        for name in held:
            implied = set(CANTON.fan(name).implied) - BY_CASE.get(name, set())
            if not h.luck & Luck.SELF_DRAW:
                implied -= DRAWN
            for lacking in implied - held:
                found[name][lacking] += 1
    return found


def test_every_implied_pattern_always_comes_along() -> None:
    assert missing(2500, seed=3) == {}


@pytest.mark.slow
def test_every_implied_pattern_always_comes_along_in_many_hands() -> None:
    assert missing(120_000, seed=4) == {}


def always_together() -> tuple[dict[str, set[str]], dict[str, int]]:
    """For each pattern of tiles, what held in every one of the 11 580 567 standard hands (chows concealed, pungs
    claimed, seat and round E) in which it held; and in how many it did."""
    import numpy as np

    from quepu.fast.universe.standard_hands import STATES, Universe

    rows = [i for i, fan in enumerate(CANTON.fans) if fan.category == SHAPE and not fan.own(CantonExtra).plain]
    universe = Universe(STATES["pungs-open"])
    seen: Counter[int] = Counter()
    for kind, index in universe.pairs():
        h = universe.block(kind, index)
        words = [np.zeros(len(index), np.uint64) for _ in range(2)]
        for bit, i in enumerate(rows):
            held = np.broadcast_to(np.asarray(CANTON.fans[i].when(h)) != 0, (len(index),))
            words[bit >> 6] |= held.astype(np.uint64) << np.uint64(bit & 63)
        both = np.stack(words, axis=1)
        for (low, high), n in zip(*np.unique(both, axis=0, return_counts=True), strict=True):
            seen[int(low) | int(high) << 64] += int(n)
    together: dict[str, set[str]] = {}
    number: Counter[str] = Counter()
    for signature, n in seen.items():
        held = {NAMES[i] for bit, i in enumerate(rows) if signature >> bit & 1}
        for name in held:
            number[name] += n
            together[name] = together[name] & held if name in together else set(held)
    return together, dict(number)


def excluded(name: str) -> set[str]:
    """What a pattern keeps out, and what that keeps out."""
    out, todo = set(CANTON.fan(name).drops), list(CANTON.fan(name).drops)
    while todo:
        row = todo.pop()
        new = set(CANTON.fan(row).drops) - out if row in NAMES else set()
        out |= new
        todo += new
    return out


@pytest.mark.slow
def test_what_always_comes_along_is_excluded_or_known() -> None:
    """Derived anew from every standard hand: what must accompany a pattern is kept out by it, but for `ALONGSIDE`."""
    together, number = always_together()
    left = {
        name: rest
        for name, held in together.items()
        if (rest := held - {name, "清四碰"} - excluded(name) - ALONGSIDE.get(name, set()))
    }
    assert left == {}
    for name, held in together.items():
        implied = {other for other in CANTON.fan(name).implied if CANTON.fan(other).category == SHAPE}
        lacking = implied - held - BY_CASE.get(name, set())
        assert not {other for other in lacking if not set(CANTON.fan(other).reads) & {"k", "kc", "place"}}, name
    assert sum(number.values()) > 10_000_000


ALONGSIDE = {
    "三色双龙会": {"双飘"},  # the seed adds it (A15)
    "四方大发": {"大四喜", "三喜临门"},  # the seed adds 大四喜, which keeps 三喜临门 out
}
"""What always comes along and is added all the same. (清四碰 is there because the state claims every pung.)"""
