"""The next edition of 灵雀 in one file: v29 from v26, and every key that an edition needs."""

from __future__ import annotations

import pickle
from pathlib import Path

import pytest

from quepu.errors import OverlayError
from quepu.rulebooks import book
from quepu.rulebooks.house_rules import load, read
from quepu.rules.diff import difference
from quepu.rules.play_rules import play_rules
from quepu.scoring.score import score_hand
from tests.editions import EVERY_STATE, differing_hands, differing_rows, differing_states, more_than_text

FILE = Path(__file__).parents[2] / "examples" / "house" / "lingque-29-from-26.toml"
V29 = 'base = "lingque-29"\n'


def points(text: str, hand: str, **how: object) -> int:
    import quepu

    return quepu.score(hand, rules=read(V29 + text), **how).points  # type: ignore[arg-type]


# ---- v29 from v26


def test_the_file_makes_the_rows_of_v29_and_only_text_differs() -> None:
    made, v29 = load(FILE), book("lingque-29")
    assert differing_rows(made, v29) == []
    assert more_than_text(made, v29) == []
    assert more_than_text(book("lingque-26"), v29) != []
    assert {fan.name for fan in difference(made, v29).rewritten} == {"混幺九", "缺一门", "三同顺", "一般高"}


def test_the_file_scores_every_conformance_case_and_random_wins_as_v29_does() -> None:
    assert list(differing_hands(load(FILE), book("lingque-29"), 1500)) == []
    assert next(differing_hands(book("lingque-26"), book("lingque-29"), 0))


@pytest.mark.long
def test_the_file_scores_every_hand_of_two_states_as_v29_does() -> None:
    assert differing_states(load(FILE), book("lingque-29"), ["closed-discard", "kongs"]) == []


@pytest.mark.slow
@pytest.mark.timeout(7200)
def test_the_file_scores_every_hand_of_every_state_as_v29_does() -> None:
    assert differing_states(load(FILE), book("lingque-29"), EVERY_STATE) == []


def test_the_file_makes_a_book_that_travels_between_processes() -> None:
    made = load(FILE)
    again = pickle.loads(pickle.dumps(made))
    assert again.fingerprint == made.fingerprint
    assert [fan.name for fan in again.fans] == [fan.name for fan in made.fans]


# ---- the arithmetic

SEVEN = "1199m44p3377sNNC+C"  # 七对 8/3 and a pair of 中 2/1, closed: (3 + 0 + 1) × 10


@pytest.mark.parametrize(
    ("jump", "expected"),
    [
        ('"f1*f1 > 2*f0"', 40),
        ('"f1 >= 1"', 50),
        ('"f1 >= 1 且 f0 < 3"', 40),
        ('"f1 + f1"', 60),
        ("[[3, 1], [3, 3]]", 50),
        ("[[3, 1, 2]]", 60),
        ("[]", 40),
    ],
)
def test_the_jump_is_a_formula_or_a_table(jump: str, expected: int) -> None:
    assert points(f"[options]\njump = {jump}", SEVEN) == expected


@pytest.mark.parametrize(
    ("jump", "zh"),
    [
        ('"f1 >"', "jump 的公式第 5 个字符：这里少了一个条件、牌或数。"),
        ('"有(刻子)"', "jump 的公式第 1 个字符：这里只能用f0、f1和数。"),
        ('"f0 - 5"', "加 -5 翻，应在 0 到 30 之间"),
        ("[[3, 4]]", "f0 是较大的"),
        ("5", "jump 应是一个公式"),
    ],
)
def test_a_wrong_jump_is_refused_with_its_line(jump: str, zh: str) -> None:
    with pytest.raises(OverlayError) as caught:
        read(f"{V29}[options]\njump = {jump}")
    assert "第 3 行" in caught.value.say("zh")
    assert zh in caught.value.say("zh")


def test_the_concealed_jump_is_a_number() -> None:
    assert [points(f"[options]\nclosed_jump = {n}", SEVEN) for n in range(3)] == [30, 40, 50]
    with pytest.raises(OverlayError, match="0 到 5"):
        read(f"{V29}[options]\nclosed_jump = 6")


def test_pungs_of_fan_tiles_merge_or_do_not() -> None:
    two = "23m678s55p(CCC)(FFF)+4m"  # 中 and 發: 8 副 × 2 merged, × 1 apart
    merged, apart = (points(f"[options]\nmerges = {text}", two) for text in ("true", "false"))
    assert (merged, apart) == (2 * apart, apart)


def test_a_changed_arithmetic_changes_the_fingerprint_and_the_usual_one_does_not() -> None:
    v29 = book("lingque-29")
    texts = ["", '[options]\njump = "f1 >= 2"', "[options]\nclosed_jump = 2", "[options]\nmerges = false"]
    prints = [read(V29 + text).fingerprint for text in texts]
    assert prints[0] == v29.fingerprint
    assert len(set(prints)) == 4
    assert read(f'{V29}[options]\njump = "f1*f1 > 2*f0"\nclosed_jump = 1').fingerprint == v29.fingerprint


def test_many_hands_at_once_use_the_changed_arithmetic() -> None:
    from quepu.batch import score_many
    from quepu.scoring.samples import wins

    house = read(f'{V29}[options]\njump = "f1 >= 2"\nclosed_jump = 3\nmerges = false')
    hands = list(wins(house, 400, 3))
    assert score_many(hands, house, fast=False).points.tolist() == [score_hand(one, house).points for one in hands]


# ---- rows


def test_a_change_of_a_fan_takes_every_field() -> None:
    house = read(
        V29 + '[changes."四归"]\nwhen = "个数(成四的牌)"\nvalue = [5, 2]\nclass = "序数"\nmost = 2\nof = "all"\n'
        'english = "all four"\nsentence = "四张。"\ndefinition = "Four alike."\nbefore = "暗刻"\n'
        'drops = ["杠"]\nconflicts = ["二数"]\n'
    )
    row = house.fan("四归")
    assert (tuple(row.value), row.category, row.most, row.english, row.sentence, row.definition) == (
        (5, 2), "序数", 2, "all four", "四张。", "Four alike.",
    )  # fmt: skip
    assert (row.drops, row.conflicts) == (("杠",), ("二数",))
    names = [fan.name for fan in house.fans]
    assert names[names.index("四归") + 1] == "暗刻"


def test_a_formula_of_places_counts_once_for_each() -> None:
    given = read(V29 + '[changes."四归"]\nwhen = "成四的牌 除 各副杠"\nof = "each"')
    assert list(differing_hands(given, book("lingque-29"), 300)) == []
    with pytest.raises(OverlayError, match="整个公式应是牌的集合，现在是条件"):
        read(V29 + '[changes."四归"]\nwhen = "有(成四的牌)"\nof = "each"')


def test_a_formula_sees_the_changes_above_it() -> None:
    text = '[changes."缺一门"]\nwhen = "没有(字牌)"\n[fans."无字"]\nwhen = "缺一门"\nvalue = [2, 1]'
    hand = "123m456p78s99s111s+9s"
    import quepu

    assert "无字" in {fan.name for fan in quepu.score(hand, read(V29 + text)).fans}


def test_a_pair_value_makes_a_fan_tile_of_a_new_fan() -> None:
    text = (
        '[fans."圈牌"]\nwhen = "个数((刻子 | 雀头) & 东) + 个数(刻子 & 东)"\nvalue = [4, 1]\n'
        'pair = [2, 1]\nclass = "字牌"\n'
    )
    import quepu

    house = read(V29 + text)
    pair = quepu.score("234m567p678s444mE+E", house, seat="S")
    pung = quepu.score("234m567p678s44mEE+E", house, seat="S")
    assert [dict(f.value) for s in (pair, pung) for f in s.fans if f.name == "圈牌"] == [
        {"fu": 2, "fan": 1},
        {"fu": 4, "fan": 1},
    ]


def test_classes_are_renamed_and_ordered() -> None:
    now = list(dict.fromkeys(fan.category for fan in book("lingque-29").fans))
    asked = [*now[1:], now[0]]
    listed = ", ".join(
        f'"{name}"' if name != "鸣牌" else '{ name = "叫牌", was = "鸣牌", en = "calling" }' for name in asked
    )
    house = read(f"{V29}classes = [{listed}]")
    assert list(dict.fromkeys(fan.category for fan in house.fans)) == ["叫牌" if n == "鸣牌" else n for n in asked]
    assert house.class_name("叫牌", "en") == "calling"
    with pytest.raises(OverlayError, match="还缺：偶然"):
        read(f"{V29}classes = [" + ", ".join(f'"{name}"' for name in now[1:]) + "]")


@pytest.mark.parametrize(
    ("text", "line", "zh"),
    [
        ('[changes."没有的"]\nvalue = [1, 1]', 2, "没有“没有的”这个番种"),
        ('[changes."杠"]\nvalu = [1, 1]', 3, "没有“valu”，可用：when"),
        ('[changes."杠"]\nof = 9', 3, "of 应是 1 到 7 副，或 each"),
        ('[changes."杠"]\nwhen = "有(各副杠"', 3, "公式第 6 个字符"),
        ('[changes."杠"]\nbefore = "无此番"', 3, "没有“无此番”这个番种"),
        ('[fans."杠"]\nwhen = "有(各副杠)"\nvalue = [1, 1]', 2, '要改它，写进 [changes."杠"]'),
        ('[fans."双"]\nwhen = "有(刻子)"\nvalue = [1, 1]\npair = 3', 5, "的值应写作"),
        ('[match]\nround = 3', 3, "[match] 没有“round”，可用：rounds（圈数）"),
        ('[match]\nrounds = 0', 3, "“rounds”应是 1 到 16"),
        ('[match]\nmoves = [[0, 1, 2, 2]]', 3, "“moves”应是列表"),
        ('[match]\nreduced = [1.0]', 3, "两个正数"),
        ("classes = [5]", 2, "“classes”应是列表"),
    ],
)  # fmt: skip
def test_mistakes_in_the_new_keys_have_their_line(text: str, line: int, zh: str) -> None:
    with pytest.raises(OverlayError) as caught:
        read(V29 + text)
    assert caught.value.say("zh").startswith(f"TOML 第 {line} 行：")
    assert zh in caught.value.say("zh")
    assert f"line {line}: " in caught.value.say("en")


def test_a_match_is_played_by_the_rules_of_the_file() -> None:
    house = read(V29 + '[match]\nrounds = 2\ndealer_repeats = "never"\nmoves = []\nreduced = [1.0, 300]')
    match = play_rules(house).match
    assert (match.rounds, match.dealer_repeats, match.moves, match.reduced) == (2, "never", (), (1.0, 300))
    changed = {one.what for one in difference(book("lingque-29"), house).play}
    assert changed == {"rounds", "dealer_repeats", "moves", "reduced"}


def test_the_table_of_jumps_in_the_rules_is_that_of_the_book() -> None:
    from quepu.rules.guide import Grid, guide

    def rows(text: str) -> list[tuple[str, ...]]:
        grids = [part for section in guide(read(V29 + text)) for part in section.parts if isinstance(part, Grid)]
        return [tuple(cell.zh for cell in row) for grid in grids for row in grid.rows if "计翻" in str(grid.heads)]

    assert rows("")[:-1] == [tuple(map(str, row)) for row in (
        (3, 3, 4, 5), (4, 3, 5, 6), (4, 4, 5, 6), (5, 4, 6, 7), (5, 5, 6, 7), (6, 4, 7, 8)
    )]  # fmt: skip
    assert rows("[options]\njump = [[2, 2]]\nclosed_jump = 2")[:-1] == [("2", "2", "3", "5")]
