"""Books made from 玉雀: other values, rows switched off, renamed or added."""

from __future__ import annotations

import pytest

from quepu.errors import OverlayError
from quepu.hands.planes import count, run
from quepu.rulebooks.yuque import YUQUE_54
from quepu.rules.row import Fan
from tests.yuque import stated
from tests.yuque.helpers import added, score

FLUSH = "(123m)(234m)66m789m44m+6m"


def test_another_value_changes_what_is_added():
    other = YUQUE_54.having(values={"清一色:萬": 20, "番刻": 3})
    assert added(score(FLUSH, rules=other)) == {"清一色:萬": 18}
    assert added(score("(CCC)(123m)456p67s99m+8s", rules=other)) == {"番牌:中": 1, "番刻": 3}
    assert added(score(FLUSH)) == {"清一色:萬": 13}


def test_without_fan_pungs_nothing_is_deducted_for_them():
    other = YUQUE_54.having(without=["番刻"])
    assert len(other.fans) == stated.ROWS - 1
    assert added(score("222m333m(666m)(345m)9m+9m", rules=other)) == {"双暗刻": 1, "清一色:萬": 13}
    assert added(score("222m(555p)(777s)(888m)4p+4p", rules=other)) == {}


def test_a_row_switched_off_frees_what_it_excluded():
    other = YUQUE_54.having(without=["三同顺"])
    assert added(score("(789m)(789m)(789m)NNN5s+5s", rules=other)) == {"一般高": 5}


def test_a_renamed_row_keeps_its_residues():
    other = YUQUE_54.having(aliases={"三同顺": "一色三同顺", "番刻": "刻子番"})
    fans = added(score("11223sCC(NNNN)(123s)+3s", "N", True, "岭上开花", rules=other))
    assert fans["一色三同顺"] == 17
    assert fans["混带幺"] == 3
    assert fans["刻子番"] == 2
    assert sum(fans.values()) == 28


def test_an_added_row_is_counted_in_full():
    plain = Fan("全顺", 4, "牌型类", "四副顺子。", lambda h: count(h.p) == 0, "all chows")
    other = YUQUE_54.having(add=[plain])
    assert added(score("(123m)(345m)789p678s5p+5p", rules=other)) == {"全顺": 4}
    pungs = Fan("连刻", 3, "牌型类", "两副相连的刻子。", lambda h: run(h.p, 2) != 0, "pungs in a row", of=2)
    found = score("(222m)(111m)789p678sN+N", rules=YUQUE_54.having(add=[pungs]))
    assert added(found)["连刻"] == 3
    assert found.explain()
    mixed = Fan("顺刻", 3, "牌型类", "同位的顺子和刻子。", lambda h: (h.c1 & h.p) != 0, "chow on pung", of=2)
    with pytest.raises(OverlayError, match="顺刻"):
        YUQUE_54.having(add=[mixed])


def test_an_added_row_of_all_four_sets_may_ask_which_chows_are_exposed() -> None:
    claimed = Fan("全吃", 3, "牌型类", "四副吃来的顺子。", lambda h: count(h.o1) == 4, "four claimed chows", of=4)
    twice = Fan("双吃", 3, "牌型类", "同样的两副顺子都是吃来的。", lambda h: h.o2 != 0, "a chow claimed twice", of=4)
    house = YUQUE_54.having(add=[claimed, twice])
    new = [
        {"全吃", "双吃"} & set(added(score(hand, rules=house)))
        for hand in (
            "(123m)(345m)(789p)(678s)5p+5p", "(123m)(345m)(789p)678s5p+5p", "(123m)(123m)(789p)678s5p+5p",
            "(123m)123m(789p)678s5p+5p",
        )
    ]  # fmt: skip
    assert new == [{"全吃"}, set(), {"双吃"}, set()]
