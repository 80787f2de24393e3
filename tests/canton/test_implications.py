"""What always comes along with what, found again from hands, against what the rows keep out as implied."""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from collections.abc import Iterator

import pytest

from quepu.generate import wins
from quepu.hand import Hand, Luck, MeldKind
from quepu.planes import OUTSIDE, Planes
from quepu.readings import readings
from quepu.rulebooks import book
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
            implied = set(CANTON.fan(name).extra.get("implied", ())) - BY_CASE.get(name, set())
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


@pytest.mark.slow
def test_what_always_comes_along_is_kept_out() -> None:
    """The other way round: pairs of names always seen together, not kept out, and none of the known coincidences."""
    together: dict[str, set[str]] = {}
    seen: Counter[str] = Counter()
    for _, held in sample(120_000, seed=5):
        for name in held:
            seen[name] += 1
            together[name] = together[name] & held if name in together else set(held)
    kept_out = {fan.name: set(fan.drops) for fan in CANTON.fans}
    left: dict[str, set[str]] = {}
    for name, n in seen.items():
        if n >= 30:
            out = set(kept_out[name])
            for _ in range(4):  # what is kept out keeps out too
                out |= {far for near in out if near in kept_out for far in kept_out[near]}
            rest = together[name] - out - {name} - ALONGSIDE.get(name, set()) - {"鸡糊", "无花", "庄家"}
            if rest:
                left[name] = rest
    assert left == {}


ALONGSIDE: dict[str, set[str]] = {}
