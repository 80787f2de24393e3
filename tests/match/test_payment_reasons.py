"""Every payment says why it is what it is, with all numbers needed to check it by hand, in both languages."""

from __future__ import annotations

from typing import Any

import pytest

from quepu.hands.hand import Luck
from quepu.rulebooks import book
from quepu.rules.play_rules import Ending, SeatWin, play_rules
from quepu.rules.rulebook import Rulebook

CANTON, GUOBIAO, LINGQUE, YUQUE = (book(name) for name in ("canton", "guobiao", "lingque-29", "yuque-54"))
DRAWN = {"self_draw": True}
ROBBED = {"discarder": 1, "robbed": True}


def told(rules: Rulebook, win: SeatWin | None, **ending: Any) -> list[tuple[int, int, str, str]]:
    """Return payer, points and reason of every payment."""
    flows = play_rules(rules).settle(Ending((win,) if win else (), **ending), rules)
    return [(flow.payer, flow.points, flow.why.zh, flow.why.en) for flow in flows]


def canton(**options: Any) -> Rulebook:
    return CANTON.having(id="house", options=options)


@pytest.mark.parametrize(
    ("options", "points", "ending", "said"),
    [
        ({}, 5, DRAWN, [(0, 6, "自摸：6 番（庄家多赔 1 番）", "self-draw: 6 fan (1 more for the dealer)"),
                        (1, 5, "自摸：5 番", "self-draw: 5 fan"), (2, 5, "自摸：5 番", "self-draw: 5 fan")]),
        ({}, 5, {"discarder": 1}, [(1, 5, "出冲：5 番", "discarded it: 5 fan")]),
        ({}, 5, ROBBED, [(1, 5, "被抢：5 番", "robbed: 5 fan")]),
        ({"discard": "half"}, 4, {"discarder": 1}, [
            (0, 5, "陪付：5 番（庄家多赔 1 番）", "pays along: 5 fan (1 more for the dealer)"),
            (1, 8, "出冲：4 番，2 份：4×2", "discarded it: 4 fan, 2 shares: 4×2"),
            (2, 4, "陪付：4 番", "pays along: 4 fan")]),
        ({"base": 3}, 4, {"discarder": 1}, [(1, 12, "出冲：4 番，底 3：4×3", "discarded it: 4 fan, base 3: 4×3")]),
        ({"base": 3, "discard": "double"}, 4, {"discarder": 1}, [
            (1, 24, "出冲：4 番，底 3、2 份：4×3×2", "discarded it: 4 fan, base 3, 2 shares: 4×3×2")]),
        ({"cap": 5}, 5, {"discarder": 1}, [(1, 5, "出冲：5 番", "discarded it: 5 fan")]),
        ({"cap": 5}, 6, {"discarder": 1}, [
            (1, 5, "出冲：6 番，5 番封顶", "discarded it: 6 fan, capped at 5")]),
        ({"payment": "half_doubling"}, 5, {"discarder": 1}, [
            (1, 24, "出冲：5 番，半辣上 24", "discarded it: 5 fan, half doubling: 24")]),
        ({"payment": [3, 5, 9]}, 1, {"discarder": 1}, [(1, 5, "出冲：1 番", "discarded it: 1 fan")]),
    ],
)  # fmt: skip
def test_canton(options: dict[str, Any], points: int, ending: dict[str, Any], said: list[Any]) -> None:
    assert told(canton(**options), SeatWin(3, points), **ending) == said


def test_who_is_liable_in_canton_is_named_only_where_he_pays_for_another() -> None:
    found = told(CANTON, SeatWin(3, 5, liable=2), self_draw=True)
    assert [(payer, zh, en) for payer, _, zh, en in found] == [
        (2, "自摸：6 番（庄家多赔 1 番），包东家的一份",
         "self-draw: 6 fan (1 more for the dealer), liable for the hand, pays East's share"),
        (2, "自摸：5 番，包南家的一份", "self-draw: 5 fan, liable for the hand, pays South's share"),
        (2, "自摸：5 番", "self-draw: 5 fan"),
    ]  # fmt: skip


def test_who_fed_the_kong_in_canton_is_named_only_where_he_pays_for_another() -> None:
    luck = int(Luck.THREE_KONGS | Luck.TWO_KONGS | Luck.KONG_DRAW | Luck.SELF_DRAW)
    found = told(CANTON, SeatWin(3, 30, luck=luck), self_draw=True, kong_feeder=1)
    assert [(payer, zh.partition("，")[2], en.partition(", ")[2]) for payer, _, zh, en in found] == [
        (1, "明杠出冲包自摸，包东家的一份", "having fed the kong, pays East's share"),
        (1, "", ""),
        (1, "明杠出冲包自摸，包西家的一份", "having fed the kong, pays West's share"),
    ]


@pytest.mark.parametrize(
    ("options", "points", "ending", "said"),
    [
        ({}, 9, DRAWN, [(seat, 17, "自摸：底分 8＋9 番", "self-draw: base 8 + 9 points") for seat in (0, 1, 2)]),
        ({}, 9, {"discarder": 1}, [(0, 8, "底分 8", "base 8"),
                                   (1, 17, "点炮：底分 8＋9 番", "discarded it: base 8 + 9 points"),
                                   (2, 8, "底分 8", "base 8")]),
        ({"base": 1}, 9, ROBBED, [(0, 1, "底分 1", "base 1"),
                                  (1, 10, "被抢杠：底分 1＋9 番", "robbed of a kong: base 1 + 9 points"),
                                  (2, 1, "底分 1", "base 1")]),
        ({"base": 0}, 9, {"discarder": 1}, [(1, 9, "点炮：底分 0＋9 番", "discarded it: base 0 + 9 points")]),
        ({"base": 0, "most": 1}, 9, {"discarder": 1}, [
            (1, 1, "点炮：底分 0＋1 番（封顶 1）", "discarded it: base 0 + 1 point (at most 1)")]),
        ({"most": 9}, 9, DRAWN, [
            (seat, 17, "自摸：底分 8＋9 番", "self-draw: base 8 + 9 points") for seat in (0, 1, 2)]),
        ({"most": 9}, 10, DRAWN, [
            (seat, 17, "自摸：底分 8＋9 番（封顶 9）", "self-draw: base 8 + 9 points (at most 9)")
            for seat in (0, 1, 2)]),
    ],
)  # fmt: skip
def test_guobiao(options: dict[str, Any], points: int, ending: dict[str, Any], said: list[Any]) -> None:
    assert told(GUOBIAO.having(id="house", options=options), SeatWin(3, points), **ending) == said


def test_lingque() -> None:
    win = SeatWin(3, 10)
    assert told(LINGQUE, win, self_draw=True) == [(seat, 15, "自摸：10×3/2", "self-draw: 10×3/2") for seat in (0, 1, 2)]
    assert told(LINGQUE, win, discarder=1) == [
        (0, 10, "他家放铳：10", "another dealt in: 10"),
        (1, 20, "放铳：2×10", "dealt in: 2×10"),
        (2, 10, "他家放铳：10", "another dealt in: 10"),
    ]
    assert told(LINGQUE, win, discarder=1, robbed=True)[:2] == [
        (0, 10, "他家被抢杠：10", "another was robbed of a kong: 10"),
        (1, 20, "被抢杠：2×10", "was robbed of a kong: 2×10"),
    ]


@pytest.mark.parametrize(
    ("supplied", "said"),
    [
        (3, [(0, 15, "自摸：10×3/2", "self-draw: 10×3/2"), (1, 15, "自摸：10×3/2", "self-draw: 10×3/2")]),
        (4, [(0, 7, "自摸：10×3/2，南家代付一半", "self-draw: 10×3/2, half of it paid by South"),
             (1, 8, "半包牌（提供 4 枚）：代东家付 15 之半（上取整）",
              "supplied 4 tiles: pays half of 15 for East, rounded up"),
             (1, 15, "自摸：10×3/2", "self-draw: 10×3/2")]),
    ],
)  # fmt: skip
def test_who_supplied_tiles_in_lingque(supplied: int, said: list[Any]) -> None:
    """若一家提供 4 枚牌张，则代其余两家支付他们本应支付分数之半（上取整）."""
    win = SeatWin(3, 10, supplied=(0, supplied, 0, 0))
    assert told(LINGQUE, win, self_draw=True)[: len(said)] == said


def test_who_supplied_the_whole_hand_in_lingque() -> None:
    win = SeatWin(3, 10, supplied=(0, 5, 0, 0))
    assert told(LINGQUE, win, discarder=1) == [
        (1, 10, "全包牌（提供 5 枚）：代东家付全部 10", "supplied 5 tiles: pays all 10 for East"),
        (1, 20, "放铳：2×10", "dealt in: 2×10"),
        (1, 10, "全包牌（提供 5 枚）：代西家付全部 10", "supplied 5 tiles: pays all 10 for West"),
    ]


READY = (None, 49, 16, None)
HALVES = [
    (4, 24, "听牌，得己点数之半：49/2=24.5→24（凑偶）", "ready: half of the hand's points, 49/2=24.5→24 (to even)"),
    (4, 8, "听牌，得己点数之半：16/2=8", "ready: half of the hand's points, 16/2=8"),
]
SIXTH = ("他家自摸，失和家点数的六分之一：25/6≈4.17→4", "self-draw: a sixth of the winner's, 25/6≈4.17→4")


@pytest.mark.parametrize(
    ("options", "win", "ending", "before", "after"),
    [
        ({}, None, {}, [], []),
        ({}, SeatWin(3, 25), {"discarder": 0}, [(4, 25, "和牌，得己点数 25", "win: the hand's points, 25")], [
            (0, 12, "放铳，失和家点数之半：25/2=12.5→12（凑偶）",
             "discarder: half of the winner's points, 25/2=12.5→12 (to even)")]),
        ({}, SeatWin(3, 25), DRAWN, [(4, 25, "和牌，得己点数 25", "win: the hand's points, 25")],
         [(seat, 4, *SIXTH) for seat in (0, 1, 2)]),
        ({"self_draw": "winner_gains"}, SeatWin(3, 25), DRAWN, [
            (4, 29, "自摸，得己点数的六分之七：25×7/6≈29.17→29",
             "self-draw: seven sixths of the hand's points, 25×7/6≈29.17→29")], []),
        ({"unready_quarter": 1}, None, {}, [(4, 1, "未听牌", "not ready")], []),
    ],
)  # fmt: skip
def test_yuque(
    options: dict[str, Any], win: SeatWin | None, ending: dict[str, Any], before: list[Any], after: list[Any]
) -> None:
    """和家得己点数，听牌家得己点数之半，铳家失和家点数之半，自摸时他家各失六分之一；未听牌者得约定之数."""
    rules = YUQUE.having(id="house", options=options)
    found = told(rules, win, ready=READY, **ending)
    last = [(4, 1, "未听牌", "not ready")] if win is None and options else []
    assert found == [*before, *HALVES, *last, *after]
