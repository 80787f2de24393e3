"""Rules of table, match and faults, as the books state them, written down apart from the program, every one of them.

灵雀: 行牌 and 附录 (v29), 行牌 (v26). 玉雀: 行牌相关规则, 圈数, 座位轮换, 罚例. 国标: 庄家不连庄, 局; what it leaves
open follows the rules of 1998 and, in guobiao-mil-2025, those of 2025. 广东: 抢杠, 天糊, 流局十番. Rulings do the rest.
"""

from __future__ import annotations

from dataclasses import fields
from typing import Any

import pytest

from quepu.hands.planes import ORPHANS
from quepu.rulebooks import book as get
from quepu.rules.faults import Fault
from quepu.rules.play_rules import MatchRules, PlayRules, TableRules, play_rules

WIN_ONLY = {"win"}
ANYTHING = {"win", "chow", "pung", "kong"}

TABLE: dict[str, Any] = {
    "tiles": 0,  # the number of flowers
    "flowers_replaced": True,
    "flowers_held": False,
    "dead_wall": 0,
    "dead_wall_feeds": False,
    "kong_after_claim": False,
    "claims": {"chow", "pung", "kong"},
    "last_discard": WIN_ONLY,
    "kong_without_replacement": False,
    "concealed_kong_robbed_by": 0,
    "earthly": "first discard",
    "heavenly_after_kong": False,
    "declares_ready": False,
    "flower_wins": False,
    "concealed_kongs_hidden": False,
    "most_winners": 1,
    "barred_claims": False,
    "outer_discards": False,
}
"""A table at which a book says nothing special."""
MATCH: dict[str, Any] = {
    "rounds": 4,
    "dealer_repeats": "never",
    "shared_win": "any",
    "moves": (),
    "reduced": None,
    "start": 0,
    "standard": (),
}

# 任意时刻，只要一家可以舍牌，该家亦可以杠牌; 不设王张; 牌墙被摸完时，仍可吃、碰、杠、和牌
LINGQUE = {"kong_after_claim": True, "last_discard": ANYTHING, "kong_without_replacement": True}
# 東起家“東、南、北、西”，南起家“南、東、西、北”，西起家“西、北、東、南”，北起家“北、西、南、東”: columns of this
LINGQUE_MOVES = ((1, 0, 3, 2), (2, 3, 1, 0), (1, 0, 3, 2), (3, 2, 0, 1))
# 奇数: 東南互换，西北互换; 不被 4 整除的偶数: 東→北，南→西，西→東，北→南; 4 的倍数: 東→西，南→北，西→南，北→東
YUQUE_MOVES = ((1, 0, 3, 2), (3, 2, 0, 1), (1, 0, 3, 2), (2, 3, 1, 0))
GUOBIAO = {"tiles": 8, "flowers_replaced": False}
GUOBIAO_MATCH = {"moves": ((1, 0, 3, 2), (2, 3, 1, 0), (1, 0, 3, 2)), "standard": (4, 2, 1, 0)}
CANTON = {
    "tiles": 8,
    "kong_without_replacement": True,
    "concealed_kong_robbed_by": ORPHANS,  # 暗杠除听十三幺者外均不可抢
    "earthly": "first draw",
    "heavenly_after_kong": True,  # 天糊: 暗杠、连杠照计
    "declares_ready": True,
    "flower_wins": True,
    "outer_discards": True,  # 流局十番
}
STATED: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "lingque-29": (LINGQUE, {"dealer_repeats": "win", "moves": LINGQUE_MOVES}),
    "lingque-26": (LINGQUE, {"reduced": (1.0, 480.0)}),  # T₀ 一般可取 480
    "yuque-54": ({"dead_wall": 14, "kong_after_claim": True}, {"moves": YUQUE_MOVES}),
    "guobiao": (GUOBIAO, GUOBIAO_MATCH),
    "guobiao-mcr": (GUOBIAO | {"concealed_kongs_hidden": True}, GUOBIAO_MATCH),
    "guobiao-mil-2025": (GUOBIAO | {"concealed_kongs_hidden": True}, GUOBIAO_MATCH),
    "canton": (CANTON, {"dealer_repeats": "win or draw"}),
}

# key, points, to, barred, points of further ones, ways to make it good
MCR_FAULTS = [
    ("错和", 10, "others", True, (), 0),
    ("和错牌", 10, "others", True, (), 0),
    ("诈和", 20, "others", True, (), 0),
    ("相公", 0, "nobody", True, (), 0),
    ("错吃碰杠", 0, "nobody", True, (), 0),
    ("空吃碰杠", 0, "nobody", False, (5, 10, 20), 0),
    ("提前摸牌", 0, "nobody", False, (5, 10, 20), 0),
    ("迟到", 10, "nobody", False, (), 0),
]
FAULTS = {
    "lingque-29": [("错和", 15, "others", True, (), 0)],
    "lingque-26": [("错和", 15, "others", True, (), 0)],
    "yuque-54": [
        ("错摭牌", 40, "pool", False, (), 0),
        ("错鸣牌", 40, "pool", True, (), 4),
        ("错加杠", 40, "pool", False, (), 2),
        ("错报鸣牌", 40, "pool", False, (), 0),
        ("错喊和", 40, "pool", True, (), 0),
        ("冲和", 120, "pool", True, (), 0),
        ("毁坏牌河", 120, "pool", True, (), 0),
        ("毁坏牌墙", 120, "pool", True, (), 0),
        ("错明牌:自家", 0, "pool", False, (), 0),
        ("错明牌:别家", 40, "pool", True, (), 0),
        ("错明牌:多张", 120, "pool", True, (), 0),
    ],
    "guobiao": MCR_FAULTS,
    "guobiao-mcr": MCR_FAULTS,
    "guobiao-mil-2025": [
        ("错和", 40, "nobody", True, (), 0),
        ("和错牌", 40, "nobody", True, (), 0),
        ("诈和", 80, "nobody", True, (), 0),
        ("报和未亮牌", 0, "nobody", True, (), 0),
        ("和牌不规范", 0, "nobody", False, (), 0),
        ("相公", 0, "nobody", True, (), 0),
        ("错吃碰杠", 0, "nobody", True, (), 0),
        ("空吃碰杠", 0, "nobody", False, (10, 20, 40), 0),
        ("提前摸牌", 0, "nobody", False, (10, 20, 40), 0),
        ("摸错位置", 0, "nobody", False, (10,), 0),
        ("补花次序", 0, "nobody", False, (10,), 0),
        ("毁坏牌墙", 80, "nobody", False, (), 0),
        ("错暗杠", 40, "nobody", False, (), 0),
        ("迟到", 10, "nobody", False, (), 0),
        ("迟到十分钟", 20, "nobody", False, (), 0),
        ("迟到十五分钟", 40, "nobody", False, (), 0),
        ("缺席", 80, "nobody", False, (), 0),
    ],
    "canton": [("诈糊", 1, "others", True, (), 0)],  # the smallest self-draw
}


def rules_of(id: str) -> PlayRules:
    return play_rules(get(id))


def test_no_field_is_left_out() -> None:
    assert [one.name for one in fields(TableRules)] == list(TABLE)
    assert {one.name for one in fields(MatchRules)} == {*MATCH, "another_round"}  # 玉雀's is a function
    assert set(Fault._fields) == {
        "key", "text", "points", "to", "barred", "remedies", "again", "names", "open",
    }  # fmt: skip


@pytest.mark.parametrize("id", STATED)
def test_rules_of_the_table(id: str) -> None:
    table = rules_of(id).table
    found = {name: getattr(table, name) for name in TABLE} | {"tiles": len(table.tiles.flowers)}
    assert found == TABLE | STATED[id][0]


@pytest.mark.parametrize("id", STATED)
def test_rules_of_the_match(id: str) -> None:
    match = rules_of(id).match
    assert {name: getattr(match, name) for name in MATCH} == MATCH | STATED[id][1]
    assert (match.another_round is not None) == (id == "yuque-54")


@pytest.mark.parametrize("id", STATED)
def test_faults_cost_what_is_stated(id: str) -> None:
    found = rules_of(id).faults
    assert [(one.key, one.points, one.to, one.barred, one.again, len(one.remedies)) for one in found] == FAULTS[id]


@pytest.mark.parametrize("id", STATED)
def test_only_yuque_has_a_pool(id: str) -> None:
    assert rules_of(id).zero_sum == (id != "yuque-54")


def test_seats_in_lingque_are_those_of_the_printed_columns() -> None:
    """東起家“東、南、北、西”，南起家“南、東、西、北”，西起家“西、北、東、南”，北起家“北、西、南、東”."""
    printed = {0: "東南北西", 1: "南東西北", 2: "西北東南", 3: "北西南東"}
    for start, columns in printed.items():
        at, seen = start, ["東南西北"[start]]
        for move in LINGQUE_MOVES:
            at = move[at]
            seen.append("東南西北"[at])
        assert "".join(seen) == columns + columns[0]  # the fifth round begins as the first


@pytest.mark.parametrize("id", STATED)
def test_bots_pay_for_danger_where_they_reckon_in_powers_of_points(id: str) -> None:
    rules = rules_of(id)
    assert rules.pay_power >= 1
    assert (rules.danger_price > 0) == (rules.defence and rules.pay_power != 1)
    assert 0 < rules.claim_share <= 1
    assert rules.pace is None or 0 < rules.pace < 1
    assert rules.meld_turns >= 0
