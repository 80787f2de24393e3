"""Facts of a hand with real tiles: written and read again, and said in both languages."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from quepu.errors import Error, Text
from quepu.table.events import (
    BarLifted,
    Barred,
    ChowClaimed,
    Dealt,
    Discarded,
    Drawn,
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
        (Fact(ChowClaimed, 1, 2, 1), "S chow 3m 2m", None, None),
        (Fact(ChowClaimed, 1, None, 1), "S chow 234m", None, None),
        (Fact(PungClaimed, 2, 4), "W pung 5m", None, None),
        (Fact(PungClaimed, 2), "W pung", None, None),
        (Fact(KongClaimed, 3, 4), "N kong 5m", None, None),
        (Fact(KongAdded, 0, 4), "E added 5m", None, None),
        (Fact(KongConcealed, 0, 8), "E concealed 9m", None, None),
        (Fact(KongConcealed, 0), "E concealed ?", None, None),
        (Fact(FlowerSetAside, 1, 34), "S flower 春", None, None),
        (Fact(ReadyDeclared, 1), "S ready", None, None),
        (Fact(Drawn, 2, 4), "W draw 5m", None, None),
        (Fact(Drawn, 2), "W draw", "西家摸牌", "W draws"),
        (Fact(ReplacementDrawn, 2, 4), "W replace 5m", None, None),
        (Fact(Won, 2, 30, drawn=False, tiles=HAND), None, None, None),
        (Fact(Won, 2, 30, drawn=True, tiles=HAND), None, None, None),
        (Fact(HandShown, 3, tiles=HAND), None, None, None),
        (Fact(Dealt, 3, tiles=HAND), None, None, None),
        (Fact(Exhausted), "exhausted", None, None),
        (Fact(Barred, 3), "N barred", None, None),
        (Fact(BarLifted, 3), "N freed", None, None),
    ],
)
def test_a_fact_is_written_and_read_again(fact: Fact, line: str | None, zh: str | None, en: str | None) -> None:
    written = fact.write()
    assert read_fact(written) == fact
    assert line is None or written == line
    said = fact.text()
    assert (zh is None or said == Text(zh, en or "")) and said.zh and said.en
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
        assert not fact.run
    if fact.event is Won:
        assert ("自摸" in said.zh, "draws a win" in said.en) == (fact.drawn, fact.drawn)
    if fact.tiles:
        assert said.zh.endswith(said.en.split()[-1]) and "111m" in said.en


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
    ],
)
def test_a_line_that_is_not_a_fact(line: str, zh: str) -> None:
    with pytest.raises(Error) as refused:
        read_fact(line)
    assert zh in refused.value.say("zh"), refused.value.say("zh")
    assert isinstance(refused.value, FactError)


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
