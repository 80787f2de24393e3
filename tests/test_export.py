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
