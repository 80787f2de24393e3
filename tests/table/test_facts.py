"""Facts of a hand with real tiles: written and read again, and said in both languages."""

from __future__ import annotations

import re
from collections import Counter
from random import Random

import pytest

from quepu.errors import Error, Text
from quepu.rules.play_rules import Words
from quepu.table.events import (
    BarLifted,
    Barred,
    ChowClaimed,
    Dealt,
    DiceThrown,
    Discarded,
    Drawn,
    Event,
    Exhausted,
    FlowerSetAside,
    HandShown,
    KongAdded,
    KongClaimed,
    KongConcealed,
    PungClaimed,
    ReadyDeclared,
    ReplacementDrawn,
    Won,
)
from quepu.table.facts import Fact, FactError, event_of, read_fact
from quepu.table.sampling import _nearly_complete
from quepu.table.wall_completion import _ready_tiles

HAND = (0, 0, 0, 9, 10, 11, 18, 18, 27, 27, 27, 31, 31)
SHOWN = "111m123p11sEEECC"


@pytest.mark.parametrize(
    ("fact", "line", "zh", "en"),
    [
        (Fact(Discarded, 0, 4), "E discard 5m", "东家打五万", "East discards 5m"),
        (Fact(Discarded, 0, 4, drawn=True), "E discard 5m drawn", "东家打五万（摸切）", "East discards 5m (as drawn)"),
        (Fact(Discarded, 0, 4, drawn=False), "E discard 5m hand", "东家打五万", "East discards 5m"),
        (Fact(Discarded, 3), "N discard ?", "北家打？", "North discards ?"),
        (Fact(Discarded, 1, 27, ready=True), "S discard E ready", "南家打东，报听", "South discards E, ready"),
        (
            Fact(Discarded, 1, 27, drawn=True, ready=True),
            "S discard E drawn ready",
            "南家打东（摸切），报听",
            "South discards E (as drawn), ready",
        ),
        (Fact(ChowClaimed, 1, 2, 1), "S chow 3m 2m", "南家吃三万（二万三万四万）", "South chows 3m (2m3m4m)"),
        (Fact(ChowClaimed, 1, None, 1), "S chow 234m", "南家吃（二万三万四万）", "South chows (2m3m4m)"),
        (Fact(PungClaimed, 2, 4), "W pung 5m", "西家碰五万", "West pungs 5m"),
        (Fact(PungClaimed, 2), "W pung", "西家碰", "West pungs"),
        (Fact(KongClaimed, 3, 0), "N kong 1m", "北家杠一万", "North kongs 1m"),
        (Fact(KongAdded, 0, 4), "E added 5m", "东家加杠五万", "East adds to the pung of 5m"),
        (Fact(KongConcealed, 0, 8), "E concealed 9m", "东家暗杠九万", "East makes a concealed kong of 9m"),
        (Fact(KongConcealed, 0), "E concealed ?", "东家暗杠？", "East makes a concealed kong of ?"),
        (Fact(FlowerSetAside, 1, 34), "S flower 春", "南家补花：春", "South sets aside spring"),
        (Fact(FlowerSetAside, 1, 41), "S flower 菊", "南家补花：菊", "South sets aside chrysanthemum"),
        (Fact(ReadyDeclared, 1), "S ready", "南家报听", "South declares ready"),
        (Fact(Drawn, 2, 0), "W draw 1m", "西家摸一万", "West draws 1m"),
        (Fact(Drawn, 2), "W draw", "西家摸牌", "West draws"),
        (Fact(ReplacementDrawn, 2, 4), "W replace 5m", "西家补五万", "West replaces with 5m"),
        (Fact(ReplacementDrawn, 2), "W replace", "西家补", "West replaces"),
        (Fact(Won, 2, 30, drawn=False, tiles=HAND), f"W win {SHOWN}+N", f"西家和北 {SHOWN}",
         f"West wins with N {SHOWN}"),
        (Fact(Won, 2, 30, drawn=True, tiles=HAND), f"W win {SHOWN}+N drawn", f"西家自摸北 {SHOWN}",
         f"West draws a win with N {SHOWN}"),
        (Fact(Won, 0, drawn=False), "E win", "东家和", "East wins"),
        (Fact(Won, 0, 0, drawn=False), "E win +1m", "东家和一万", "East wins with 1m"),
        (Fact(HandShown, 3, tiles=HAND), f"N show {SHOWN}", f"北家亮牌： {SHOWN}", f"North shows {SHOWN}"),
        (Fact(HandShown, 3), "N show", "北家亮牌：", "North shows"),
        (Fact(Dealt, 3, tiles=HAND), f"N deal {SHOWN}", f"北家配牌： {SHOWN}", f"North is dealt {SHOWN}"),
        (Fact(Exhausted), "exhausted", "流局", "the hand ends without a winner"),
        (Fact(Barred, 3), "N barred", "北家停和陪打", "North has a dead hand"),
        (Fact(BarLifted, 3), "N freed", "北家不再停和陪打", "North no longer has a dead hand"),
    ],
)  # fmt: skip
def test_a_fact_is_written_and_read_again(fact: Fact, line: str, zh: str, en: str) -> None:
    written = fact.write()
    assert read_fact(written) == fact
    assert written == line
    said = fact.text()
    assert said == Text(zh, en)
    winds = ("East", "South", "West", "North")
    if fact.seat is None:
        assert not any(wind in said.en for wind in winds)
    else:
        assert said.zh.startswith("东南西北"[fact.seat] + "家") and said.en.split()[0] in (
            winds[fact.seat],
            "ESWN"[fact.seat],
        )
    if fact.low is not None:
        assert "（二万三万四万）" in said.zh and "(2m3m4m)" in said.en and list(fact.run) == [1, 2, 3]
    else:
        assert list(fact.run) == []


@pytest.mark.parametrize(
    ("event", "fact"),
    [
        (Dealt(2, HAND), Fact(Dealt, 2, tiles=HAND)),
        (HandShown(3, HAND), Fact(HandShown, 3, tiles=HAND)),
        (Drawn(1, 0), Fact(Drawn, 1, 0)),
        (ReplacementDrawn(1, 33), Fact(ReplacementDrawn, 1, 33)),
        (FlowerSetAside(0, 41), Fact(FlowerSetAside, 0, 41)),
        (Discarded(1, 4, True), Fact(Discarded, 1, 4, drawn=True)),
        (Discarded(1, 4, False, True), Fact(Discarded, 1, 4, drawn=False, ready=True)),
        (ReadyDeclared(1), Fact(ReadyDeclared, 1)),
        (ChowClaimed(1, 2, 0, 1), Fact(ChowClaimed, 1, 2, 1)),
        (PungClaimed(1, 2, 0), Fact(PungClaimed, 1, 2)),
        (KongClaimed(1, 2, 0), Fact(KongClaimed, 1, 2)),
        (KongAdded(1, 2), Fact(KongAdded, 1, 2)),
        (KongConcealed(1, 2), Fact(KongConcealed, 1, 2)),
        (Won(1, 2, 0), Fact(Won, 1, 2, drawn=False)),
        (Won(1, 2), Fact(Won, 1, 2, drawn=True)),
        (Exhausted(), Fact(Exhausted)),
        (DiceThrown((1, 2, 3, 4)), Fact(DiceThrown)),
        (Barred(0), Fact(Barred, 0)),
        (BarLifted(0), Fact(BarLifted, 0)),
    ],
)
def test_the_fact_of_a_tables_event(event: Event, fact: Fact) -> None:
    assert Fact.of(event) == fact


def test_a_fact_is_said_in_the_books_own_words() -> None:
    words = Words(won=Text("食糊", "wins"), drawn=Text("荒牌", "no winner"))
    assert Fact(Won, 0, 4, drawn=False).text(words).zh == "东家食糊五万"
    assert Fact(Won, 0, 4, drawn=True).text(words).zh == "东家自摸五万"
    assert Fact(Exhausted).text(words).zh == "荒牌"


def test_which_facts_take_another_seats_tile() -> None:
    claims = {ChowClaimed, PungClaimed, KongClaimed}
    for kind in (*claims, KongAdded, KongConcealed, Discarded, Drawn, ReplacementDrawn, FlowerSetAside, HandShown):
        assert Fact(kind, 1, 4).claims_meld is Fact(kind, 1, 4).claims is (kind in claims)
    assert Fact(Won, 1, 4, drawn=False).claims and not Fact(Won, 1, 4, drawn=True).claims
    assert Fact(Won, 1, 4).claims and not Fact(Won, 1, 4).claims_meld
    assert Fact(Won, 1, 4).by == 1
    with pytest.raises(ValueError, match="Exhausted"):
        _ = Fact(Exhausted).by


@pytest.mark.parametrize(
    ("line", "fact"),
    [
        ("東 打 五万", Fact(Discarded, 0, 4)),
        ("东 切 5m 手切", Fact(Discarded, 0, 4, drawn=False)),
        ("e discard 5m 摸切 听", Fact(Discarded, 0, 4, drawn=True, ready=True)),
        ("南 吃 3m 2m", Fact(ChowClaimed, 1, 2, 1)),
        ("西 碰 5m", Fact(PungClaimed, 2, 4)),
        ("北 杠 5m", Fact(KongClaimed, 3, 4)),
        ("西 碰", Fact(PungClaimed, 2)),
        ("東 加杠 5m", Fact(KongAdded, 0, 4)),
        ("東 暗杠 ？", Fact(KongConcealed, 0)),
        ("南 补 春", Fact(FlowerSetAside, 1, 34)),
        ("流局", Fact(Exhausted)),
        ("drawn", Fact(Exhausted)),
        ("北 停", Fact(Barred, 3)),
        ("北 免", Fact(BarLifted, 3)),
        ("西 自摸 111m+E", Fact(Won, 2, 27, drawn=True, tiles=(0, 0, 0))),
        ("西 和 111m+E", Fact(Won, 2, 27, drawn=False, tiles=(0, 0, 0))),
        ("西 和 111m＋E 摸切", Fact(Won, 2, 27, drawn=True, tiles=(0, 0, 0))),
        ("西 和 111m", Fact(Won, 2, drawn=False, tiles=(0, 0, 0))),
        ("北 亮 31m", Fact(HandShown, 3, tiles=(0, 2))),
        ("w draw 5m", Fact(Drawn, 2, 4)),
        ("s ready", Fact(ReadyDeclared, 1)),
        ("n 听", Fact(ReadyDeclared, 3)),
        ("南 打 ？ 摸切", Fact(Discarded, 1, drawn=True)),
        ("南 打 摸切", Fact(Discarded, 1, drawn=True)),
        ("E discard 5m ready hand", Fact(Discarded, 0, 4, drawn=False, ready=True)),
        ("E discard 5m 报听", Fact(Discarded, 0, 4, ready=True)),
        ("W pung 5m hand", Fact(PungClaimed, 2, 4)),
        ("W pung 5m ready", Fact(PungClaimed, 2, 4)),
        ("北 杠", Fact(KongClaimed, 3)),
        ("北 暗杠", Fact(KongConcealed, 3)),
        ("北 补牌", Fact(ReplacementDrawn, 3)),
        ("W win 31m + E", Fact(Won, 2, 27, drawn=False, tiles=(0, 2))),
        ("W win 31m+E hand", Fact(Won, 2, 27, drawn=False, tiles=(0, 2))),
        ("W 自摸 31m", Fact(Won, 2, drawn=True, tiles=(0, 2))),
        ("S chow 4m 3m 2m", Fact(ChowClaimed, 1, None, 1)),
        ("S chow 一万 二万 三万", Fact(ChowClaimed, 1, None, 0)),
        ("S chow 987s", Fact(ChowClaimed, 1, None, 24)),
        ("S chow ? 2m", Fact(ChowClaimed, 1, None, 1)),
        ("东 花 菊", Fact(FlowerSetAside, 0, 41)),
    ],
)
def test_a_fact_in_other_words(line: str, fact: Fact) -> None:
    assert read_fact(line) == fact


@pytest.mark.parametrize(
    ("line", "zh"),
    [
        ("", "写法：谁 做什么 哪张牌"),
        ("E", "写法：谁 做什么 哪张牌"),
        ("X discard 5m", "“X”不是東南西北之一"),
        ("ES discard 5m", "“ES”不是東南西北之一"),
        ("E dance 5m", "没看懂“dance”"),
        ("E drawn 5m", "没看懂“drawn”"),
        ("E added", "没有写哪张牌：E added"),
        ("E flower", "没有写哪张牌"),
        ("E discard 5m 6m", "“6m”是多出来的"),
        ("E chow 24m", "吃：写整副顺子"),
        ("E chow 2345m", "吃：写整副顺子"),
        ("E chow 246m", "吃：写整副顺子"),
        ("E chow", "没有写哪张牌"),
        ("E chow 9m12p", "吃：写整副顺子"),
        ("E chow ESW", "吃：写整副顺子"),
        ("E chow 89m1p", "吃：写整副顺子"),
        ("E chow 234m 5m 6m", "吃：写整副顺子"),
        ("E added 5m 6m 7m", "“6m”是多出来的"),
        ("exhausted now", "“exhausted”不是東南西北之一"),
        ("ready", "写法：谁 做什么 哪张牌"),
    ],
)
def test_a_line_that_is_not_a_fact(line: str, zh: str) -> None:
    with pytest.raises(Error) as refused:
        read_fact(line)
    assert zh in refused.value.say("zh"), refused.value.say("zh")
    for quoted in re.findall("“(.+)”(?:不是|是)", zh) + re.findall("没看懂“(.+)”", zh):
        assert repr(quoted) in refused.value.say("en")
    assert isinstance(refused.value, FactError)


@pytest.mark.parametrize("names", ["ESWN", "eswn", "東南西北", "东南西北"])
def test_a_seat_is_named_in_either_language(names: str) -> None:
    assert [read_fact(f"{name} pung 1m") for name in names] == [Fact(PungClaimed, seat, 0) for seat in range(4)]


def test_an_unknown_word_is_refused_with_the_known_ones() -> None:
    with pytest.raises(FactError) as refused:
        read_fact("E dance 5m")
    assert "配、摸、补牌、补花、打、报听、吃、碰、杠、加杠、暗杠、和、流局、亮、停、免。" in refused.value.say("zh")
    assert "deal, draw, replace, flower, discard, ready, chow, pung, kong, added, concealed, win, exhausted, show" in (
        refused.value.say("en")
    )


def test_every_word_of_a_fact_means_it() -> None:
    for word, kind in (
        ("打", Discarded),
        ("出", Discarded),
        ("胡", Won),
        ("明杠", KongClaimed),
        ("补杠", KongAdded),
        ("win", Won),
    ):
        assert event_of(word) is kind
    assert event_of("跳舞") is None


def splits_into_sets(tiles: Counter[int]) -> bool:
    left = +tiles
    if not left:
        return True
    kind = min(left)
    groups = [[kind] * 3] + ([[kind, kind + 1, kind + 2]] if kind < 27 and kind % 9 < 7 else [])
    return any(not Counter(group) - left and splits_into_sets(left - Counter(group)) for group in groups)


@pytest.mark.parametrize("size", [1, 4, 7, 10, 13])
def test_a_hand_that_must_be_ready_is_sets_and_one_tile_over(size: int) -> None:
    rng = Random(size)
    for _ in range(60):
        pool = rng.sample([kind for kind in range(34) for _ in range(4)], 70)
        found = Counter(_ready_tiles(pool, size))
        assert found.total() == size and not found - Counter(pool)
        assert any(splits_into_sets(found - Counter([kind])) for kind in found)
    assert sorted(_ready_tiles([0, 0, 0, 27], 4)) == [0, 0, 0, 27]
    assert sorted(_ready_tiles([27, 28, 29, 30, 31], 4)) == [27, 28, 29, 30]  # nothing to make a set of


def test_a_hand_that_lacks_one_tile_needs_a_pair_in_the_pool() -> None:
    assert _nearly_complete(Counter({5: 2, 7: 1}), 0, Random(1)) == [5]
    assert _nearly_complete(Counter({5: 1, 7: 1}), 0, Random(1)) is None
    made = 0
    for seed in range(200):
        rng = Random(seed)
        pool = Counter(rng.sample([kind for kind in range(34) for _ in range(4)], 70))
        hand = _nearly_complete(pool, 4, rng)
        if hand is not None:
            made += 1
            assert len(hand) == 13 and hand == sorted(hand) and not Counter(hand) - pool
            whole = [Counter([*hand, kind]) for kind in range(34)]
            assert any(
                splits_into_sets(tiles - Counter([pair, pair])) for tiles in whole for pair in tiles if tiles[pair] > 1
            )
    assert made > 20
