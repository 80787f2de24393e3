"""A draft as Python rows makes the same book; its changes are listed for readers."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from quepu.rulebooks import find_registered, house_rules
from quepu.rules.change_list import change_list
from quepu.rules.export import python_rows
from quepu.rules.rulebook import Rulebook
from quepu.scoring.samples import wins
from quepu.scoring.score import score_hand

HOUSES = sorted(Path("examples/house").glob("*.toml"))
DRAFTS = {
    "yuque": """
base = "yuque-54"
without = ["三色贯通"]
[aliases]
"喜相逢" = "二色同"
[fans."二步高"]
when = "有(相连(顺子, 2))"
value = 4
of = 2
priority = 1
class = "连顺、连刻"
before = "三步高"
[drops]
"三步高" = ["二步高"]
[changes."一般高"]
value = 3
[residues."二步高"]
"混一色" = { left = 4, why = { zh = "改一副即成。", en = "One change does it." } }
[options]
order = "highest"
""",
    "lingque": """
base = "lingque-29"
minimum = 12
[options]
jump = "f1 >= 3 且 f1*f1 > 2*f0"
closed_jump = 0
[changes."混一色"]
when = "有(字牌) 且 几门(牌) <= 1 且 非 岭上开花"
[fans."圈风牌"]
when = "个数((刻子 | 雀头) & 圈风牌) + 个数(刻子 & 圈风牌)"
value = [4, 1]
pair = [2, 1]
class = "字牌"
[fans."无对对"]
when = "非 对对和 且 非 三连刻"
value = [2, 1]
[fans."镜中刻"]
when = "镜数 且 有(刻子)"
value = [2, 1]
[fans."刻子所在"]
when = "刻子 & 19m"
of = "each"
value = [2, 1]
""",
    "guobiao": """
base = "guobiao-mcr"
[options]
joins = false
[fans."双连刻"]
when = "个数(刻子) - 1"
most = 2
value = 2
""",
    "canton": """
base = "canton"
[options]
payment = [0, 1, 2, 4, 8]
cap = 8
[values]
"自摸" = 2
[changes."老少"]
most = 2
""",
}


def made_again(book: Rulebook) -> Rulebook:
    names: dict[str, Any] = {}
    exec(compile(python_rows(find_registered(book), book), "draft", "exec"), names)
    found = names["BOOK"]
    assert isinstance(found, Rulebook)
    return found


@pytest.mark.parametrize("path", HOUSES, ids=lambda path: path.stem)
def test_an_example_is_the_same_book_in_python(path: Path) -> None:
    book = house_rules.load(path)
    assert made_again(book).fingerprint == book.fingerprint


@pytest.mark.parametrize("name", DRAFTS)
def test_a_draft_is_the_same_book_in_python(name: str) -> None:
    book = house_rules.read(DRAFTS[name])
    again = made_again(book)
    for hand in wins(book, 80, seed=3):
        assert score_hand(hand, again).to_json() == score_hand(hand, book).to_json()
    assert [fan.name for fan in again.fans] == [fan.name for fan in book.fans]
    assert again.minimum == book.minimum


def test_changes_are_listed_for_readers() -> None:
    book = house_rules.read(DRAFTS["yuque"])
    zh, en = (change_list(find_registered(book), book, lang) for lang in ("zh", "en"))
    assert "- 三色贯通\n" in zh
    left_out = find_registered(book).fan("三色贯通").english_and_name
    assert f": now counted together with {left_out}" in en and "三色贯通" in zh.partition("## 不计与互斥")[2]
    assert "- 喜相逢 → 二色同\n" in zh
    assert "一般高：5 番 → 3 番" in zh
    assert "涉及 2 组，优先级 1" in zh
    assert "`has(in_a_row(chows, 2))`" in en
    assert (
        "the order of addition among fans of equal priority: the order with the lowest total → the order with the" in en
    )
    assert zh.count("\n## ") == en.count("\n## ") >= 6
    plain = house_rules.read('base = "yuque-54"\n')
    assert "两本没有不同" in change_list(find_registered(plain), plain, "zh")


HOUSE = """
base = "guobiao-mcr"
minimum = 6
without = ["绿一色"]
[aliases]
"花龙" = "三色龙"
[values]
"清龙" = 20
[fans."双连刻"]
when = "个数(刻子) - 1"
most = 2
value = 2
class = "2番"
[fans."假"]
when = "有(字牌)"
sentence = "有字牌。"
value = 1
[drops]
"双连刻" = ["碰碰和", "双暗刻"]
"三色龙" = ["一般高"]
[changes."缺一门"]
when = "几门(牌) == 2"
[changes."老少副"]
sentence = "一二三和七八九。"
[options]
base = 4
[table]
concealed_kongs_hidden = false
"""
RELATED = """
base = "lingque-29"
[conflicts]
"一般高" = ["门前清"]
"镜同" = []
[drops]
"清一色" = ["门前清"]
"""
DOCUMENTS = {
    ("zh", HOUSE): """# 国标麻将（平台通行）（自定规则）：与国标麻将（平台通行）的不同

## 新番种

- **双连刻** · 2 番 · 2番
  `个数(刻子) - 1`
  不计：双暗刻、碰碰和
- **假** · 1 番 · 自定
  有字牌。
  `有(字牌)`

## 删去的番种

- 绿一色

## 改名

- 花龙 → 三色龙

## 番值

- 清龙：16 番 → 20 番

## 何时成立

- 老少副：由一种花色的123、789的顺子组成。 → 一二三和七八九。
- 缺一门：和牌中缺少一种花色序数牌。
  `几门(牌) = 2`

## 不计与互斥

- 三色龙 不计一般高

## 怎么算

- 起和 8 → 6
- 底分：没有和的每家都付：8 → 4

## 牌桌与对局

- 暗杠扣放，局终亮出：是 → 否
- 自定番种按 most 封顶：无 → 是
""",
    ("en", HOUSE): """# MCR (online platforms) (house rules): differences from MCR (online platforms)

## New fans

- **双连刻** · 2 fan · 2 points
  `count(pungs) - 1`
  not counted with it: Two Concealed Pungs 双暗刻, All Pungs 碰碰和
- **假** · 1 fan · 自定
  有字牌。
  `has(honours)`

## Fans left out

- All Green 绿一色

## Renamed

- 花龙 → Mixed Straight 三色龙

## Values

- Pure Straight 清龙: 16 fan → 20 fan

## When fans hold

- Two Terminal Chows 老少副: 123 and 789 of one suit.
- One Voided Suit 缺一门: One of the three suits is missing.
  `suit_count(tiles) = 2`

## Exclusions

- Mixed Straight 三色龙: Pure Double Chow 一般高 no longer counted with it

## How hands are scored

- minimum 8 → 6
- base: paid by every player who did not win: 8 → 4

## Table and match

- concealed kongs lie face down until the end: yes → no
- new fans count `most` times at most: none → yes
""",
    ("zh", RELATED): """# 灵雀（第二十九版）（自定规则）：与灵雀（第二十九版）的不同

## 不计与互斥

- 门前清 与一般高互斥
- 清一色 不计门前清
- 清一色 取消不计缺一门
- 一般高 与门前清互斥
- 镜同 与双龙会不再互斥
- 双龙会 与镜同不再互斥
""",
}


@pytest.mark.parametrize("key", DOCUMENTS, ids=lambda key: f"{key[0]} {key[1][8:17]}")
def test_a_list_of_changes_from_beginning_to_end(key: tuple[str, str]) -> None:
    book = house_rules.read(key[1])
    assert change_list(find_registered(book), book, key[0]) == DOCUMENTS[key]


LEAVING = """
base = "yuque-54"
[fans."甲"]
when = "有(刻子)"
value = 4
of = 2
priority = 3
class = "连顺、连刻"
[residues."甲"]
"三连刻" = 1
"三色连刻" = 3
[conflicts]
"甲" = ["一般高"]
"""


def test_a_new_fan_is_listed_with_its_groups_and_with_all_that_others_keep_beside_it() -> None:
    book = house_rules.read(LEAVING)
    base = find_registered(book)
    zh, en = (change_list(base, book, lang).split("\n\n") for lang in ("zh", "en"))
    assert zh[2] == (
        "- **甲** · 4 番 · 连顺、连刻\n  `有(刻子)`\n  互斥：一般高\n  涉及 2 组，优先级 3\n  计它之后剩：三连刻 1/3"
    )
    assert en[2].split("\n")[2:] == [
        "  mutually exclusive with: pure double chow 一般高",
        "  groups: 2, priority: 3",
        "  left after it: pure shifted pungs 三连刻 1/3",
    ]
    assert change_list(book, base, "zh").split("\n\n")[2] == "- 甲"


def test_a_python_draft_from_beginning_to_end() -> None:
    book = house_rules.read(HOUSE)
    text = python_rows(find_registered(book), book)
    assert (
        text
        == '''"""国标麻将（平台通行）（自定规则）: rows of a house, made from guobiao-mcr."""

from quepu.errors import Text
from quepu.hands.planes import HONOUR_TILES, count, most, suits
from quepu.rulebooks import book
from quepu.rules.row import fan

BASE = book('guobiao-mcr')

CHANGED = {
    '清龙': {
        "value": 20,
    },
    '花龙': {
        "drops": ('一般高',),
    },
    '老少副': {
        "sentence": '一二三和七八九。',
    },
    '缺一门': {
        "when": lambda h: suits(h.t1) == 2,
        "on": None,
    },
}

NEW = (
    fan('双连刻', 2, '2番',
        '个数(刻子) - 1',
        lambda h: most(0, count(h.p) - 1), '双连刻',
        drops='碰碰和 双暗刻',
        most=2,
        example='',
        near_miss='',
    ),
    fan('假', 1, '自定',
        '有字牌。',
        lambda h: (h.t1 & HONOUR_TILES) != 0, '假',
        example='',
        near_miss='',
    ),
)

BOOK = BASE.having(options={'base': 4}, without=['绿一色'], aliases={'花龙': '三色龙'})'''
        + (
            ".having(id='house', title=Text('国标麻将（平台通行）（自定规则）', "
            "'MCR (online platforms) (house rules)'), fans=CHANGED, add=NEW, settings={'new_fans_capped': True, "
            "'table': (('concealed_kongs_hidden', False),), 'classes of new fans': (('双连刻', '2番'),)}, minimum=6)\n"
        )
    )


def test_hands_that_show_a_new_fan_and_names_with_spaces_are_written_out() -> None:
    base = find_registered(house_rules.read('base = "guobiao"'))
    fans = '[fans."New Fan"]\nwhen = "有(各副杠)"\nvalue = 1\nenglish = "new"\ndefinition = "with a kong"\n'
    more = '[fans."双连刻"]\nwhen = "刻子"\nof = "each"\nvalue = 2\n[drops]\n"双连刻" = ["New Fan"]\n'
    book = house_rules.read(f'base = "guobiao"\nminimum = 8\nflower_value = 2\n{fans}{more}')
    text = python_rows(base, book, {"双连刻": ("111m222m345p99s7s+7s", "123m456m789m11p22s+2s")})
    first, second = text.split("NEW = (\n")[1].split("    fan(")[1:3]
    assert first.partition("lambda")[2] == (
        " h: h.k != 0, 'new',\n        definition='with a kong',\n        example='',\n        near_miss='',\n    ),\n"
    )
    assert second.partition("lambda")[2].startswith(
        " h: (h.p) & ALL_TILES, '双连刻',\n        of=EACH,\n        drops=('New Fan',),\n"
        "        example='111m222m345p99s7s+7s',\n        near_miss='123m456m789m11p22s+2s',\n    ),\n)"
    )
    assert "flower_value=2" in text and "minimum" not in text and "order=" not in text
    assert made_again(book).fingerprint == book.fingerprint


@pytest.mark.parametrize(
    ("base", "fan", "value", "condition"),
    [
        ("lingque-29", "对对和", "[2, 1]", "(count(h.p) == 4) != 0"),  # which is written as 个数(刻子) = 4
        ("canton", "门前清", "2", "BASE.fan('门前清').when(h) != 0"),  # which no formula says
    ],
)
def test_a_fan_in_a_formula_is_written_out_if_it_has_a_formula(base: str, fan: str, value: str, condition: str) -> None:
    book = house_rules.read(f'base = "{base}"\n[fans."新番"]\nwhen = "有(各副杠) 且 {fan}"\nvalue = {value}\n')
    assert f"lambda h: (h.k != 0) & ({condition}), '新番'," in python_rows(find_registered(book), book)
    assert made_again(book).fan("新番").parts == book.fan("新番").parts
