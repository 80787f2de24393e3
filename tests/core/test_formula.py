"""Conditions written as formulas: they are those of rows, errors have places, nothing hostile gets through."""

from __future__ import annotations

import pickle
import random
import time

import numpy as np
import pytest

import quepu
from quepu.batch import score_many
from quepu.errors import OverlayError
from quepu.hands.planes import Planes
from quepu.rulebooks import book, book_ids, house_rules
from quepu.rules.arithmetic import ResidueArithmetic
from quepu.rules.digest import expression
from quepu.rules.formula import LONGEST, Formula, FormulaError, parse_formula
from quepu.rules.formula_words import TRUTH, words
from quepu.rules.rulebook import Rulebook
from quepu.scoring.samples import win, wins
from quepu.scoring.score import score_hand
from quepu.shapes.readings import readings

LINGQUE = book("lingque-29")


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("有(相连(刻子, 3))", "三连刻"),
        ("has(in_a_row(pungs, 3))", "三连刻"),
        ("有（相连（刻子，3））", "三连刻"),
        ("有(三色相同(顺子))", "三色三同顺"),
        ("has(mixed_row(chows, 3))", "花龙"),
    ],
)
def test_a_formula_is_the_condition_of_a_row(text: str, name: str) -> None:
    rules = LINGQUE if name in LINGQUE.index else book("guobiao-mcr")
    assert expression(parse_formula(text, rules)) == expression(rules.fan(name).when)


@pytest.mark.parametrize(
    ("text", "other"),
    [
        ("三连刻 且 非 对对和", "三连刻 and not 对对和"),
        ("三连刻且非对对和", '"三连刻" 且 !“对对和”'),
        ("个数(刻子 & 字牌) >= 2", "count(pungs & honours) ≥ 2"),
        ("有(牌 & 19m东)".replace("19m东", "(19m | 东)"), "has(tiles & (19万 | E))"),
        ("只有(序数(258) | 字牌)", "only(rank(258) | honours)"),
        ("有(刻子 除 字牌)", "has(pungs without honours)"),
        ("自摸的 或 门清的", "drawn || closed"),
        ("有(风牌)", "has(tiles & winds)"),
        ("没有(字牌 | 19m)", "none(tiles & (honours | 19m))"),
        ("个数(序数(258)) > 2", "count(rank(258) & tiles) > 2"),
        ("有(门风牌)", "has(tiles & seat_wind)"),
        ("有(相连(万子, 4))", "has(in_a_row(tiles & characters, 4))"),
    ],
)
def test_both_languages_say_the_same(text: str, other: str) -> None:
    assert expression(parse_formula(text, LINGQUE)) == expression(parse_formula(other, LINGQUE))


def test_kinds_that_are_named_are_those_that_the_hand_has() -> None:
    """五门齐 in the words of the 29th edition: without the hand's tiles every hand had it."""
    formula = parse_formula("标准形 且 有(风牌) 且 有(箭牌) 且 有(万子) 且 有(筒子) 且 有(索子)", book("lingque-26"))
    met = {True: 0, False: 0}
    for hand in wins(LINGQUE, 400, seed=5):
        for reading in readings(hand, LINGQUE.shapes):
            holds = bool(LINGQUE.fan("五门齐").when(reading.h))
            assert bool(formula(reading.h)) == holds
            met[holds] += 1
    assert min(met.values()) >= 5


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("没有(字牌 | 老头牌)", "断幺"),
        ("只有(序数(2345678))", "断幺"),
        ("only(rank(6789))", "大于五"),
        ("只有(序数(1234))", "小于五"),
        ("标准形 且 只有(序数(2468)) 且 没有(顺子)", "全双刻"),
    ],
)
def test_lists_of_ranks_of_any_length_say_what_rows_of_the_book_say(text: str, name: str) -> None:
    rules = book("guobiao")
    when, row = parse_formula(text, rules), rules.fan(name).when
    met = {True: 0, False: 0}
    hands = [win(random.Random(seed), rules) for seed in range(600)]
    hands += [quepu.parse(f"{k}{k}{k}m{k + 2}{k + 2}{k + 2}p222s444s{k}p+{k}p") for k in (2, 4, 6)]
    for hand in hands:
        for reading in readings(hand, rules.shapes):
            holds = bool(row(reading.h))
            assert bool(when(reading.h)) == holds, (str(hand), text)
            met[holds] += 1
    assert met[True] > 2 and met[False] > 100


@pytest.mark.parametrize("digits", ["1", "258", "2468", "1234", "123456789", "987654321"])
def test_a_list_of_ranks_is_the_tiles_of_these_ranks(digits: str) -> None:
    tiles = " | ".join(f"{digits}{suit}" for suit in "mps")
    for word in ("序数", "rank"):
        assert expression(parse_formula(f"只有({word}({digits}))", LINGQUE)) == expression(
            parse_formula(f"只有({tiles})", LINGQUE)
        )


@pytest.mark.parametrize(
    ("id", "text", "other"),
    [
        ("lingque-29", "有(刻子 & 中)", "有(刻子 & C)"),
        ("lingque-29", "有(刻子 & (中 | 發 | 白))", "有(刻子 & 箭牌)"),
        ("lingque-29", "只有(1234589p | 245689s | 白)", "only(1234589p | 245689s | P)"),
        ("lingque-29", "没有(中)", "none(C)"),
        ("lingque-29", "有(刻子 除 中)", "has(pungs without C)"),
        ("lingque-29", "个数(中 | 白) = 2", "count(C | P) = 2"),
        ("lingque-29", "中 且 白", '"番牌 中" 且 "番牌 白"'),
        ("lingque-29", "非 中", 'not "番牌 中"'),
        ("lingque-29", "中", '"中"'),
        ("canton", "有(刻子 & 三元牌)", "has(pungs & dragons)"),
        ("canton", "三元牌", '"三元牌"'),
        ("canton", "有(刻子 & 风牌)", "has(pungs & winds)"),
        ("canton", "风牌", '"风牌"'),
        ("canton", "非 风牌", 'not "风牌"'),
    ],
)
def test_the_place_decides_whether_a_name_means_tiles_or_a_fan(id: str, text: str, other: str) -> None:
    rules = book(id)
    formula = parse_formula(text, rules)
    assert expression(formula) == expression(parse_formula(other, rules))
    assert expression(pickle.loads(pickle.dumps(formula))) == expression(formula)


@pytest.mark.parametrize("id", book_ids())
def test_every_fan_and_tile_can_be_named_in_every_book(id: str) -> None:
    """No alias hides another: fans by name and alias where a truth is asked for, tiles where a set is."""
    rules = book(id)
    for fan in rules.fans:
        held = expression(lambda h, fan=fan: fan.when(h) != 0)
        for name in (fan.name, *fan.aliases):
            if sum(name in (one.name, *one.aliases) for one in rules.fans) == 1:
                quoted = expression(parse_formula(f'非 非 "{name}"', rules))
                assert quoted == held, name
                if not any(sign in name for sign in ": ：—-()"):
                    assert expression(parse_formula(f"非 非 {name}", rules)) == held, name
    for letters in ("东東E", "南S", "西W", "北N", "中C", "发發F", "白P"):
        for name in letters:
            assert expression(parse_formula(f"有({name})", rules)) == expression(
                parse_formula(f"有({letters[-1]})", rules)
            )
    for name, bits in rules.circumstances.items():
        if name not in rules.index:
            held = expression(lambda h, bits=int(bits): (h.luck & bits) != 0)
            assert expression(parse_formula(name, rules)) == held


@pytest.mark.parametrize(
    ("text", "at", "zh"),
    [
        ("只有(牌, 字牌)", 4, "“只有”只有 1 项"),
        ("相连(刻子, 3, 1, 1) = 1", 11, "“相连”只有 3 项"),
        ("有(2)", 2, "“有”的第 1 项应是牌的集合或序数的集合，现在是数"),
        ("有(相连(刻子, 牌))", 9, "“相连”的第 2 项应是数，现在是牌的集合"),
        ("有(序数(牌))", 5, "“序数”里应直接写序数"),
        ("有(序数(2 + 3))", 7, "没有合上"),
        ("", 0, "少了一个条件"),
        ("刻子", 0, "应是条件或数"),
        ("有(刻子", 4, "没有合上"),
        ("有(刻子) 且 天方夜谭", 8, "不认识“天方夜谭”"),
        ("有(刻子) 且 3", 8, "应是条件"),
        ("个数(刻子) > 有(刻子)", 9, "应是数"),
        ("相连(刻子, 9)", 7, "2 到 4"),
        ("有(相连(顺子, 4, 3))", 12, "排不下"),
        ("有(相连(顺子, 个数(牌)))", 9, "直接写一个数"),
        ("有 刻子", 2, "要有括号"),
        ("有(刻子) )", 6, "不该在这里"),
        ('"没有的番"', 0, "没有“没有的番”"),
        ("Count(pungs) > 1", 0, "小写"),
        ("1000 > 1", 0, "最大 999"),
        ("9999999999 > 1", 0, "最大 999"),
        ("__import__('os')", 0, "不认识“__import__”"),
        ("(" * 40 + "1" + ")" * 40, 25, "套得太深"),
        ("自摸的 & 字牌", 6, "应是条件"),
        ("1 > 2 > 3", 6, "不该在这里"),
        ("!" * 9 + "3 = ", 13, "少了"),
    ],
)
def test_an_error_says_what_and_where(text: str, at: int, zh: str) -> None:
    with pytest.raises(FormulaError) as found:
        parse_formula(text, LINGQUE)
    assert zh in found.value.say("zh"), found.value.say("zh")
    assert found.value.at == at
    assert found.value.say("en") != found.value.say("zh")


def test_an_alias_of_two_fans_is_refused() -> None:
    with pytest.raises(FormulaError, match="“花幺”可以指简单花幺、混老头，请写明"):
        parse_formula("标准形 且 花幺", book("canton"))


def test_a_formula_is_bounded() -> None:
    with pytest.raises(FormulaError, match="太长"):
        parse_formula("有(刻子) 且 " * 100, LINGQUE)
    with pytest.raises(FormulaError, match="部分太多"):
        parse_formula("且".join(["1>0"] * 60), LINGQUE)


def test_words_as_books_have_them() -> None:
    assert expression(parse_formula("有(三元牌)", LINGQUE)) == expression(parse_formula("有(箭牌)", LINGQUE))
    fan = parse_formula("三元牌", book("canton"))  # there a fan is called so, and comes first
    assert expression(fan) == expression(lambda h: book("canton").fan("三元牌").when(h) != 0)
    with pytest.raises(FormulaError, match=r"不认识“三元派”。是不是.*三元牌"):
        parse_formula("有(三元派)", LINGQUE)


def test_every_word_runs_on_one_hand_as_on_many() -> None:
    rng = np.random.default_rng(3)
    rows = rng.integers(0, 1 << 55, (200, len(Planes._fields)), dtype=np.int64)
    many = Planes(*rows.T)
    for name, word in words().items():
        arguments = {"NUMBER": "2", "TILES": "牌", "RANKS": "三色相同(牌)", "TRUTH": "门清的"}
        text = f"{name}({', '.join(arguments[kind.name] for kind in word.takes)})" if word.takes else name
        if word.gives.name in ("TILES", "RANKS"):
            text = f"个数({text})"
        when = parse_formula(text, LINGQUE)
        together = np.broadcast_to(when(many), (200,)).astype(np.int64)
        alone = [int(when(Planes(*row))) for row in rows.tolist()]
        assert together.tolist() == alone, name
        assert expression(when) == expression(parse_formula(text, LINGQUE))
        assert word.gives is not TRUTH or set(alone) <= {0, 1}


def made(rules: Rulebook, when: str = "个数(刻子 & 字牌)", **more: object) -> Rulebook:
    value = "{ fu = 6, fan = 2 }" if isinstance(rules.fans[0].value, tuple) else "6"
    fields = {"most": 1 if isinstance(rules.arithmetic, ResidueArithmetic) else 4, **more}
    lines = [f'base = "{rules.id}"', '[fans."新番"]', f'when = "{when}"', f"value = {value}"]
    return house_rules.read("\n".join([*lines, *(f"{key} = {x}" for key, x in fields.items())]))


HAND = "111m444p777s9s(EEE)+9s"


@pytest.mark.parametrize("id", book_ids())
def test_a_new_fan_is_a_row_like_any_other(id: str) -> None:
    base = book(id)
    house = made(base)
    assert house.fans[-1].name == "新番"
    assert house.fingerprint != base.fingerprint
    assert pickle.loads(pickle.dumps(house)).fingerprint == house.fingerprint
    assert "新番" in [line.name for line in quepu.score(HAND, rules=house).fans]
    again = made(base, when="count(honours & pungs)")
    assert again.fingerprint == house.fingerprint


@pytest.mark.parametrize("id", book_ids())
def test_many_hands_count_a_new_fan_as_one_does(id: str) -> None:
    house = made(book(id), when="个数(刻子 除 字牌) + 个数(两副顺子)")
    hands = list(wins(house, 60, seed=8))
    many = score_many(hands, house)
    assert [score_hand(hand, house).points for hand in hands] == many.points.tolist()


@pytest.mark.parametrize("id", [*book_ids(), "guobiao-ema", "guobiao-jmsa"])
@pytest.mark.parametrize("most", [1, 2, 3, 4])
def test_a_new_fan_counts_most_times_at_most_in_every_book(id: str, most: int) -> None:
    base = book(id)
    if isinstance(base.arithmetic, ResidueArithmetic) and most > 1:
        with pytest.raises(OverlayError, match=r"第 5 行：.*各计一次"):
            made(base, "个数(顺子)", most=most)
        return
    house = made(base, "个数(顺子)", most=most)  # three chows
    hands = ["123m456p789sCCEE+E", "(123m)(456p)CCCEE12s+3s"]
    for hand, many in zip(hands, np.asarray(score_many(hands, house).fans).tolist(), strict=True):
        counted = {line.name: line.count for line in quepu.score(hand, rules=house).fans}
        assert counted["新番"] == min(most, 3) == many[-1]


@pytest.mark.parametrize("id", ["guobiao@2", "guobiao-mcr@2", "guobiao-mil-2025@1"])
def test_a_game_played_before_fans_of_a_house_were_capped_keeps_its_points(id: str) -> None:
    new = book(id.partition("@")[0])
    house = made(new, "个数(顺子)", most=1)
    before = made(book(id), "个数(顺子)", most=1)
    hand = "123m456p789sCCEE+E"
    assert quepu.score(hand, rules=before).points == quepu.score(hand, rules=house).points + 2 * 6
    assert score_many([hand], before).points[0] == quepu.score(hand, rules=before).points
    assert house.at(new.revision - 1).fingerprint == before.fingerprint != house.fingerprint
    assert quepu.score(hand, rules=house.at(new.revision - 1)).points == quepu.score(hand, rules=before).points


@pytest.mark.parametrize(
    ("more", "sentence"),
    [
        ({"when": '"有("'}, "第 3 个字符"),
        ({"value": '"x"'}, "value"),
        ({"most": "0"}, "1 到 9"),
        ({"drops": '["无此番"]'}, "无此番"),
        ({"colour": "1"}, "可用：when"),
        ({"english": '""'}, "english"),
    ],
)
def test_a_wrong_fan_in_a_file_is_one_sentence(more: dict[str, str], sentence: str) -> None:
    fan = {"when": '"有(刻子)"', "value": "[6, 2]"} | more
    text = "\n".join(['base = "lingque-29"', '[fans."新番"]', *(f"{key} = {value}" for key, value in fan.items())])
    with pytest.raises(OverlayError) as found:
        house_rules.read(text)
    assert sentence in found.value.say("zh"), found.value.say("zh")
    assert "第" in found.value.say("zh")


def test_relations_in_a_file() -> None:
    drops = '[drops]\n"三连刻" = ["对对和", "*刻、杠", "+三暗刻"]\n'
    conflicts = '[conflicts]\n"镜同" = []\n"三杠" = ["杠"]\n'
    house = house_rules.read(f'base = "lingque-29"\n{drops}{conflicts}')
    assert house.fan("三连刻").drops == ("对对和", "*刻、杠", "+三暗刻")
    row, other = house.index["三杠"], house.index["杠"]
    assert house.conflicts[row] == 1 << other
    assert house.conflicts[house.index["镜同"]] == 0
    assert house_rules.read('base = "lingque-29"\n').fingerprint == LINGQUE.fingerprint
    for wrong in ('[drops]\n"无此番" = []', '[conflicts]\n"三杠" = "杠"', '[conflicts]\n"三杠" = ["*"]'):
        with pytest.raises(OverlayError):
            house_rules.read(f'base = "lingque-29"\n{wrong}\n')


PIECES = [
    *words(), *"且或非除()+-=!&|,、", "and", "or", "not", "((", "))", ">=", "123m", "9s", "东", "1", "2", "9" * 21,
    "\0", "\n", "😀", "“", '"', "'", "__class__", "lambda: 0", "eval(", "import os", "h.t1", "[0]", "{}", "**", ":=",
    "三连刻", "清一色", '"三连刻"', "岭上开花", "\u202e", "Ａ", "１", "ｍ", "%s", "{0.__class__}",
]  # fmt: skip


def _text(rng: random.Random) -> str:
    if rng.random() < 0.2:
        return "".join(chr(rng.randrange(1, 0x3000)) for _ in range(rng.randrange(80)))
    pieces = (rng.choice(PIECES) for _ in range(rng.randrange(1, rng.choice([6, 14, 60]))))
    return rng.choice(["", " "]).join(pieces)


def _read(text: str) -> Formula | int:
    """The formula, or the place of the error."""
    try:
        return parse_formula(text, LINGQUE)
    except FormulaError as error:
        return -1 if error.at is None else error.at


def _fuzz(n: int, seed: int) -> int:
    """How many of so many hostile texts are formulas after all."""
    rng = random.Random(seed)
    h = readings(win(rng, LINGQUE), LINGQUE.shapes)[0].h
    read = 0
    for _ in range(n):
        text = _text(rng)
        start = time.process_time()
        found = _read(text)
        if isinstance(found, Formula):
            read += 1
            assert int(found(h)) >= 0
            assert len(expression(found)) == 12
        else:
            assert 0 <= found <= max(len(text), LONGEST)
        assert time.process_time() - start < 20
    return read


def test_hostile_formulas_do_nothing() -> None:
    assert _fuzz(700, 5) > 5


@pytest.mark.slow
def test_a_hundred_thousand_hostile_formulas_do_nothing() -> None:
    assert _fuzz(100_000, 6) > 200
