"""Wins of 广东 that cannot be are refused with a sentence, and what is accepted counts."""

from __future__ import annotations

import random

import pytest

from quepu.errors import Error
from quepu.hands.notation import write
from quepu.rulebooks import book
from quepu.scoring.samples import wins
from tests.canton.hands import score

CANTON = book("canton")


@pytest.mark.parametrize(
    ("hand", "circumstances", "seat", "flowers", "sentence"),
    [
        ("159m2468p37sEWCF", "花糊", "S", "春夏", "七张花牌"),
        ("159m2468p37sEWCF", "花糊", "S", "", "七张花牌"),
        ("159m2468p37sEWCF", "八仙过海", "S", "春夏秋冬梅兰菊", "八张花牌"),
        ("159m2468p37sEWCF", "七抢一", "S", "春", "七张花牌"),
        ("159m2468p37sEWCF", "七抢一 自摸", "S", "春夏秋冬梅兰菊", "不能同时是自摸"),
        ("159m2468p37sEWCF", "花糊 八仙过海", "S", "春夏秋冬梅兰菊竹", "不能同时"),
        ("23455m2468pE(337s)", "流局十番", "S", "", ""),
        ("45m2468pEEEC(333s)", "流局十番", "S", "", "门清"),
        ("123p333s567s678mE+E", "流局十番", "S", "", "没有和的那张牌"),
        ("123p333s567s678mE+E", "天听", "E", "", "只属于闲家"),
        ("123p333s567s678mE+E", "人糊", "E", "", "只属于闲家"),
        ("123p333s567s678mE+E", "地糊", "E", "", "只属于闲家"),
        ("123p333s567s678mE+E", "天听 地听", "S", "", "不能同时"),
        ("123p333s567s678mE+E", "自摸 天糊 地听", "E", "", "不能同时"),
        ("123p333s567s678mE+C", "自摸 天糊 绝张", "E", "", "不能同时"),
        ("123p333s567s678mE+E", "人糊 自摸", "S", "", "自摸"),
        ("23p567s678mEE(333s)+1p", "天听", "S", "", "明的副露"),
        ("23p567s678mEE(333s)+1p", "海底捞鱼 自摸", "S", "", "自摸"),
    ],
)
def test_wins_that_cannot_be_are_refused(hand: str, circumstances: str, seat: str, flowers: str, sentence: str) -> None:
    with pytest.raises(Error) as caught:
        score(hand, circumstances, seat=seat, flowers=flowers)
    assert sentence in caught.value.say("zh")


def test_no_circumstance_that_is_accepted_is_dropped_in_silence() -> None:
    """Whatever is named either counts, or is among what does not count with its reason, or is refused."""
    rng = random.Random(4)
    names = [name for name in CANTON.circumstances if name in CANTON.index]
    accepted = 0
    for hand in wins(CANTON, 700, seed=21):
        named = rng.sample(names, rng.choice((1, 1, 2)))
        seat, flowers = rng.choice("ESWN"), rng.choice((0, 0, 7, 8))
        try:
            found = score(write(hand), " ".join(named), seat=seat, flowers=flowers)
        except Error:
            continue
        accepted += 1
        held = {CANTON.fans[row].name for row, _ in CANTON.detect(found.best.h)}
        flower_wins = {"花糊", "八仙过海", "七抢一"}  # may be worth less than the hand that came with them
        assert flower_wins & held or set(named) - flower_wins <= held, (write(hand), named, seat)
    assert accepted > 150
