"""Winds and flowers as users write them."""

from __future__ import annotations

import pytest

from quepu.errors import Error, UnknownName
from quepu.rules.winds_and_flowers import flower_numbers, wind


def test_winds() -> None:
    for writings, kind in (
        ("E e 东 東 east EAST", 27),
        ("S s south South 南", 28),
        ("W w 西 West", 29),
        ("N n 北 north", 30),
    ):
        assert [wind(writing) for writing in writings.split()] == [kind] * len(writings.split())
        assert wind(f" {writings[0]} ") == kind


def test_no_such_winds() -> None:
    for given in (
        "",
        "中",
        "R",
        "東南",
        27,
        0,
        None,
        True,
    ):
        with pytest.raises(UnknownName) as refused:
            wind(given)
        assert refused.value.say("zh") == f"没有“{given}”这个风位，可用：东南西北或 E S W N。"
        assert refused.value.say("en") == f"no wind {given!r}; there are: E, S, W, N."


def test_flowers() -> None:
    for given, numbers in (
        ((), ()),
        (None, ()),
        (3, 3),
        ("3", 3),
        ("春梅", (0, 4)),
        ("梅, 春", (0, 4)),
        (["春", "蘭"], (0, 5)),
        ("spring,plum", (0, 4)),
        ("Spring plum", (0, 4)),
        ("🀦🀢", (0, 4)),
        ("", ()),
        (["🀩"], (3,)),
        ("春夏秋冬梅兰竹菊", (0, 1, 2, 3, 4, 5, 6, 7)),
        ("菊、竹，蘭", (5, 6, 7)),
        ({"夏"}, (1,)),
        (("冬", "菊"), (3, 7)),
        *((chr(0x1F022 + at), ((4, 5, 6, 7, 0, 1, 2, 3)[at],)) for at in range(8)),  # 梅兰竹菊 come first in Unicode
        (0, 0),
        (8, 8),
        ("0", 0),
        ("8", 8),
        (" 0008 ", 8),
    ):
        assert flower_numbers(given) == numbers


def test_no_such_flowers() -> None:
    for given, zh, en in (
        (9, "花牌有 0 到 8 张，写了 9。", "there are 0 to 8 flowers, not 9."),
        ("12", "花牌有 0 到 8 张，写了 12。", "there are 0 to 8 flowers, not 12."),
        (-1, "花牌有 0 到 8 张，写了 -1。", "there are 0 to 8 flowers, not -1."),
        (True, "flowers 应是花名的列表或张数。", "flowers must be a list of names or a number."),
        (2.5, "flowers 应是花名的列表或张数。", "flowers must be a list of names or a number."),
        ({"a": 1}, "flowers 应是花名的列表或张数。", "flowers must be a list of names or a number."),
        ("春梅春", "花牌春写了两次。", "the flower spring is given twice."),
        (["菊", "菊"], "花牌菊写了两次。", "the flower chrysanthemum is given twice."),
        ("龙", "没有“龙”这张花牌，可用：春夏秋冬梅兰竹菊。", "no flower '龙'; there are: spring, summer,"),
        (["x"], "没有“x”这张花牌", "no flower 'x'"),
        ([None], "没有“None”这张花牌", "no flower 'None'"),
        (["春梅"], "没有“春梅”这张花牌", "no flower '春梅'"),
        ([chr(0x1F021)], "没有“🀡”这张花牌", "no flower '🀡'"),
        ([chr(0x1F02A)], "没有“🀪”这张花牌", "no flower '🀪'"),
        ("99999999999999", "没有“99999999999999”这张花牌", "no flower '99999999999999'"),
        ("00001", "没有“00001”这张花牌", "no flower '00001'"),
    ):
        with pytest.raises(Error) as refused:
            flower_numbers(given)
        assert refused.value.say("zh").startswith(zh) and refused.value.say("en").startswith(en)
