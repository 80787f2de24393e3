"""Both sides of every limit of a formula, and the place of each error (`formula_parser`, `formula_tokens`)."""

from __future__ import annotations

import pickle
from dataclasses import replace

import pytest

from quepu.hands.notation import parse
from quepu.hands.planes import Planes
from quepu.rulebooks import book
from quepu.rules.formula import LONGEST, FormulaError, parse_formula, parse_numbers
from quepu.shapes.readings import readings
from quepu.tiles import BIT, RED

LINGQUE = book("lingque-29")


def hand(text: str) -> Planes:
    """Return the reading of a hand with the most pungs."""
    return max((one.h for one in readings(parse(text), LINGQUE.shapes)), key=lambda h: h.p.bit_count())


CHOWS = hand("123m456p789sCCEE+E")
PUNGS = hand("111m222m333m444mC+C")


def wrong(text: str) -> FormulaError:
    with pytest.raises(FormulaError) as found:
        parse_formula(text, LINGQUE)
    return found.value


def test_four_hundred_characters() -> None:
    text = "有(刻子)" + " " * (LONGEST - 5)
    assert len(text) == LONGEST == 400 and parse_formula(text, LINGQUE)(PUNGS)
    error = wrong(text + " ")
    assert error.at == LONGEST and "400" in error.say("zh") and "400" in error.say("en")


def test_twenty_four_levels_of_brackets() -> None:
    for deep in (1, 23, 24):
        assert parse_formula("(" * deep + "1" + ")" * deep, LINGQUE)(PUNGS) == 1
    assert wrong("(" * 25 + "1" + ")" * 25).at == 25
    assert parse_formula("(" * 22 + "有(牌 & (刻子))" + ")" * 22, LINGQUE)(PUNGS)
    assert "24" in wrong("(" * 23 + "有(牌 & (刻子))" + ")" * 23).say("zh")
    beside = " 且 ".join(["((((有(刻子)))))"] * 8)  # side by side is not deep
    assert parse_formula(beside, LINGQUE)(PUNGS)


def test_a_hundred_and_twenty_parts() -> None:
    sixty = "+".join("1" * 60)  # 60 numbers and 59 sums
    assert parse_formula(sixty, LINGQUE)(PUNGS) == 60 and parse_formula(sixty, LINGQUE).size == 119
    whole = parse_formula(f"非 自摸的 或 {'+'.join('1' * 58)} > 0", LINGQUE)
    assert whole.size == 2 + 1 + 115 + 2 == 120
    error = wrong("  " + "+".join("1" * 61))
    assert "最多 120 个" in error.say("zh") and "at most 120" in error.say("en") and error.at == 2


def test_a_thousand_parts_with_those_of_the_fans_that_are_named() -> None:
    rules = LINGQUE
    for name, n in (("三连刻", 50), ("三同顺", 49)):  # of 99 and 97 parts
        rules = rules.having(fans={name: {"when": parse_formula("+".join("1" * n), rules)}})
    assert [getattr(rules.fan(name).when, "size", 1) for name in ("三连刻", "三同顺", "杠")] == [99, 97, 1]
    most = " 且 ".join(["三连刻"] * 9 + ["三同顺"] + ["杠"] * 12)  # 891 + 97 + 12
    assert parse_formula(most, rules).size == 22 + 21 + 1000
    with pytest.raises(FormulaError, match="连同所指番种的公式，部分太多，最多 1000 个") as refused:
        parse_formula(f"{most} 且 三连刻", rules)
    assert "at most 1000" in refused.value.say("en") and refused.value.at == len(most) + 3
    assert parse_formula("三连刻", LINGQUE).size == 2
    assert parse_formula("刻子 & 中", LINGQUE, places=True).size == 4 + 1  # 中 is a fan and a tile


def test_numbers_to_999() -> None:
    assert parse_formula("999", LINGQUE)(PUNGS) == 999 and parse_formula("0", LINGQUE)(PUNGS) == 0
    assert wrong("1 + 1000").at == 4


N, STEP = ("这里应是 2 到 4。", "this must be 2 to 4."), ("这里应是 1 到 8。", "this must be 1 to 8.")
RANKS = ("一色只有九个序数，排不下。", "a suit has nine ranks only.")


def test_steps_beyond_the_limit() -> None:
    for text, at, said in (
        ("有(相连(刻子, 1))", 9, N),
        ("有(相连(刻子, 5))", 9, N),
        ("有(相连(刻子, 2, 0))", 12, STEP),
        ("有(相连(刻子, 2, 9))", 12, STEP),
        ("有(相连(刻子, 3, 5))", 12, RANKS),
        ("有(相连(刻子, 4, 3))", 12, RANKS),
        ("有(三色相连(刻子, 0))", 11, STEP),
        ("有(三色相连(刻子, 9))", 11, STEP),
        ("有(升(刻子, 0))", 8, STEP),
        ("有(升(刻子, 9))", 8, STEP),
        ("几对顺子(0)", 5, STEP),
        ("几对顺子(9)", 5, STEP),
        ("has(in_a_row(pungs, 1))", 20, N),
        ("has(in_a_row(pungs, 3, 5))", 23, RANKS),
    ):
        error = wrong(text)
        assert (error.at, (error.text.zh, error.text.en)) == (at, said)


def test_steps_within_the_limit() -> None:
    for text in (
        "有(相连(刻子, 2))",
        "有(相连(刻子, 4))",
        "有(相连(刻子, 2, 8))",
        "有(相连(刻子, 3, 4))",
        "有(相连(刻子, 4, 2))",
        "有(三色相连(刻子, 1))",
        "有(三色相连(刻子, 8))",
        "有(升(刻子, 8))",
        "有(降(刻子, 1))",
        "几对顺子(8)",
        "has(in_a_row(pungs, 3, 1))",
    ):
        assert int(parse_formula(text, LINGQUE)(PUNGS)) >= 0


def test_rows_of_n_in_steps() -> None:
    for text, holds in (
        ("有(相连(刻子, 4))", True),
        ("有(相连(刻子, 3))", True),
        ("有(相连(刻子, 2, 3))", True),
        ("有(相连(刻子, 2, 4))", False),
        ("有(相连(刻子, 3, 2))", False),
        ("有(三色相连(顺子, 3))", False),
    ):
        assert bool(parse_formula(text, LINGQUE)(PUNGS)) is holds, text
    assert parse_formula("有(三色相连(顺子, 3))", LINGQUE)(CHOWS)
    assert not parse_formula("有(三色相连(顺子, 2))", LINGQUE)(CHOWS)


def test_what_a_formula_comes_to() -> None:
    for text, value in (
        ("非 有(顺子)", 1),
        ("非 非 有(刻子)", 1),
        ("非 非 非 有(刻子)", 0),
        ("三连刻", 1),
        ("清一色", 0),
        ("非 清一色", 1),
        ("三連刻 且 !清一色", 1),
        ("“三連刻”", 1),
        ('"番牌 中" 且 非 "番牌 白"', 1),
        ("自摸的", 0),
        ("抢杠 或 对对和", 1),
        ("!有(刻子)", 0),
        ("not not 1 > 0", 1),
        ("5 - 2 - 1", 2),
        ("5 - (2 - 1)", 4),
        ("2 - 5", 0),
        ("1 - 1", 0),
        ("1 + 2 = 3", 1),
        ("2 >= 2", 1),
        ("2 > 2", 0),
        ("2 <= 2", 1),
        ("2 < 2", 0),
        ("2 != 2", 0),
        ("2 = 2", 1),
        ("3 >= 2 且 1 > 2", 0),
        ("3 >= 2 或 1 > 2", 1),
        ("个数(刻子)", 4),
        ("个数(刻子 & 1m)", 1),
        ("个数(刻子 & 14m)", 2),
        ("个数(14m | 9s)", 2),
        ("个数(牌 除 14m)", 3),
        ("个数(牌 除 中)", 4),
        ("有(雀头 & 中)", 1),
        ("有(雀头 & 发)", 0),
        ("只有(序数(1234) | 字牌)", 1),
        ("只有(序数(123) | 字牌)", 0),
        ("有(字牌) 且 (有(刻子) 或 有(顺子)) 且 非 (有(顺子) 且 有(刻子))", 1),
    ):
        assert int(parse_formula(text, LINGQUE)(PUNGS)) == value


def test_an_error_names_the_place_and_what_belongs_there() -> None:
    for text, at, zh, en in (
        ("个数(刻子) + 有(刻子)", 9, "应是数，现在是条件", "must be a number, and is a condition"),
        ("  刻子", 2, "整个公式应是条件或数，现在是牌的集合", "not a set of tiles"),
        ("有(刻子))", 5, "“)”不该在这里", "')' cannot stand here"),
        ("(有(刻子) 且 (有(顺子)", 15, "第 10 个字符的括号没有合上", "the bracket of character 10 is not closed"),
        ("有(顺子) 且 (有(刻子)", 14, "第 9 个字符的括号没有合上", "the bracket of character 9 is not closed"),
        ("(有(刻子) 且 有(顺子)", 14, "第 1 个字符的括号没有合上", "the bracket of character 1 is not closed"),
        ("有", 1, "“有”之后要有括号", "'有' needs brackets"),
        ("三色相连(顺子)", 7, "“三色相连”要有 2 项", "'三色相连' takes 2"),
        ("个数(刻子, 顺子)", 5, "“个数”只有 1 项", "takes 1 argument:"),
        ("三色相连(顺子, 3, 1)", 10, "“三色相连”只有 2 项", "takes 2 arguments:"),
        ("三色相连(顺子, 3) = 个数(牌)", 0, "应是数，现在是序数的集合", "must be a number, and is a set of ranks"),
        ("相同(刻子, 3)", 7, "“相同”的第 2 项应是牌的集合", "argument 2 of '相同'"),
        ("相同(3, 刻子)", 3, "“相同”的第 1 项应是牌的集合", "argument 1 of '相同'"),
        ("有(序数())", 5, "“序数”里应直接写序数", "'序数' takes ranks"),
        ("有(刻子) 且 dice", 8, "不认识“dice”", "unknown word 'dice'"),
        ("有(刻子) 且 AND", 8, "“AND”请写作小写", "in small letters"),
        ("有(刻子 & 3)", 7, "应是牌的集合", "must be a set of tiles"),
        (
            "3 & 5",
            0,
            "应是牌的集合或序数的集合或条件，现在是数",
            "must be a set of tiles or a set of ranks or a condition",
        ),
        ("有(刻子 & 各色合并(刻子))", 7, "应是牌的集合，现在是序数的集合", "a set of tiles, and is a set of ranks"),
        ("有(刻子) 除 有(雀头)", 0, "应是牌的集合或序数的集合，现在是条件", "a set of ranks, and is a condition"),
        ("非 刻子", 2, "这里应是条件，现在是牌的集合", "here must be a condition, and is a set of tiles"),
        ("非 非 3", 4, "这里应是条件，现在是数", "here must be a condition, and is a number"),
        ("中 + 1", 0, "这里应是数，现在是条件", "here must be a number, and is a condition"),
        (
            "有(刻子) 顺子 且 有(雀头) 且 门清的",
            6,
            "“顺子 且 有(雀头) 且”不该在",
            "'顺子 且 有(雀头) 且' cannot stand here",
        ),
        ("有(刻子) 且", 7, "这里少了一个条件、牌或数。", "a condition, tiles or a number is missing here."),
        ('有(刻子) 且 "', 8, '不认识“"”。', "unknown word '\"'."),
        ("有(刻子) 且 “番", 8, "不认识““”。", "unknown word '“'."),
        (
            f"有({'天地玄黄宇宙洪荒日月盈昃辰宿'})",
            2,
            "不认识“天地玄黄宇宙洪荒日月盈昃”。",
            "'天地玄黄宇宙洪荒日月盈昃'.",
        ),
        (f"x{'abcdefghi_' * 3}", 0, "不认识“xabcdefghi_abcdefghi”。", "unknown word 'xabcdefghi_abcdefghi'."),
        (f'"{"甲" * 21}"', 0, f"没有“{'甲' * 20}”这个番种。", f"there is no fan '{'甲' * 20}'."),
        ("相连(刻子) = 1", 5, "“相连”要有 3 项，逗号分开：", "'相连' takes 3, with commas: "),
        ("有(刻子 & 顺", 7, "不认识“顺”。是不是", "Did you mean "),
    ):
        error = wrong(text)
        assert error.at == at, (error.at, error.say("zh"))
        assert zh in error.say("zh") and en in error.say("en"), (error.say("zh"), error.say("en"))


def test_three_names_at_most_are_suggested_for_an_unknown_word() -> None:
    for text in ("刻", "顺"):
        for near in (wrong(text).say("zh").partition("是不是")[2].split("、"), wrong(text).say("en").split(" / ")):
            assert len(near) == 3, (text, near)


def test_a_fan_in_the_script_in_which_it_is_written() -> None:
    """A house may have two names that differ in nothing but the script."""
    two = (replace(LINGQUE.fans[0], name=name, when=lambda h, n=n: n) for n, name in ((1, "开发财"), (2, "開發財")))
    rules = replace(LINGQUE, fans=tuple(two), circumstances={})
    for text, name in (("开发财", "开发财"), ("開發財", "開發財"), ("“開發財”", "開發財"), ("開发财", "开发财")):
        assert [fan.name for fan in parse_formula(text, rules).fans] == [name]


def test_the_place_decides_between_a_word_and_a_fan_of_its_name() -> None:
    rules = replace(LINGQUE, fans=(replace(LINGQUE.fans[0], name="镜像", when=lambda h: h.k != 0),))
    for text, value in (("镜像", 0), ("非 镜像", 1), ("个数(镜像(14m))", 2), ("有(镜像(刻子) & 9m) 且 非 镜像", 1)):
        assert parse_formula(text, rules)(PUNGS) == value, text


def test_places_of_tiles_alone() -> None:
    """A fan that counts once for each place: only places where a tile can be."""
    for text, tiles in (("刻子 & 12m", (0, 1)), ("雀头 & 中", (RED,)), ("中", (RED,)), ("牌 除 刻子", (RED,))):
        assert parse_formula(text, LINGQUE, places=True)(PUNGS) == sum(BIT[tile] for tile in tiles), text
        again = pickle.loads(pickle.dumps(parse_formula(text, LINGQUE, places=True)))
        assert again.places and again(PUNGS) == sum(BIT[tile] for tile in tiles)
    with pytest.raises(FormulaError, match="整个公式应是牌的集合，现在是条件") as refused:
        parse_formula(" 有(刻子)", LINGQUE, places=True)
    assert refused.value.at == 1 and "the whole must be a set of tiles, and is a condition" in refused.value.say("en")


def test_a_formula_of_named_numbers() -> None:
    for text, value in (
        ("f0 + f1", 7),
        ("f0*f1 - 2", 10),
        ("f0 * 2 * f1", 24),
        ("f0 - f1 - 1", 0),
        ("(f1 > 3) + 1", None),
        ("f0 > f1", 0),
        ("f0 < f1 且 f1 = 4", 1),
        ("5 - f0 * 2", -1),
    ):
        if value is None:
            with pytest.raises(FormulaError):
                parse_numbers(text, ["f0", "f1"])
            return
        figures = {"f0": 3, "f1": 4} if value != 0 or "-" not in text else {"f0": 6, "f1": 5}
        assert parse_numbers(text, ["f0", "f1"])(figures) == value


def test_a_formula_of_numbers_is_as_deep_as_another() -> None:
    assert parse_numbers("(" * 24 + "1" + ")" * 24, ["f0"])({}) == 1
    with pytest.raises(FormulaError, match="套得太深"):
        parse_numbers("(" * 25 + "1" + ")" * 25, ["f0"])


def test_conditions_and_sets_joined_by_signs() -> None:
    for text, value in (
        ("有(刻子) & 有(雀头)", 1),
        ("有(刻子) & 有(顺子)", 0),
        ("有(刻子) | 有(顺子)", 1),
        ("有(三色相同(刻子) | 三色相同(牌))", 0),
        ("个数(各色合并(刻子) & 各色合并(牌))", 4),
        ("个数(各色合并(牌) 除 各色合并(1m))", 3),
    ):
        assert int(parse_formula(text, LINGQUE)(PUNGS)) == value, text
    for text in ("有(刻子) 除 有(雀头)", "刻子 & 各色合并(刻子)", "3 & 5", "有(刻子) & 3"):
        assert wrong(text).say("zh")


def test_only_named_numbers_stand_in_such_a_formula() -> None:
    for text, at in (("f0 + 中", 5), ("f0 + 3m", 5), ("有(刻子)", 0), ("f0 + f2", 5), ("", 0)):
        with pytest.raises(FormulaError) as found:
            parse_numbers(text, ["f0", "f1"])
        assert found.value.at == at
        if text.endswith(("中", "m", ")")):
            assert found.value.say("zh").endswith("这里只能用f0、f1和数。")
            assert found.value.say("en").endswith("only f0 and f1 and numbers can stand here.")
    with pytest.raises(FormulaError) as long:
        parse_numbers("1 " * 201, ["f0"])
    assert long.value.at == 400
    with pytest.raises(FormulaError):
        parse_formula("2 * 3", LINGQUE)  # hands are not multiplied


def test_suits_and_signs_in_every_writing() -> None:
    for text in ("有(1m)", "有(1M)", "有(1万)", "有(1萬)", "有（1万）"):
        assert parse_formula(text, LINGQUE)(PUNGS) and parse_formula(text, LINGQUE)(CHOWS)
    for text in ("有(4p)", "有(4筒)", "有(4饼)", "有(456餅)", "有(7s)", "有(7索)", "有(7条)", "有(9条)"):
        assert not parse_formula(text, LINGQUE)(PUNGS) and parse_formula(text, LINGQUE)(CHOWS)
    for text in (
        "1＝1",
        "1＋1≥2",
        "2≤2",
        "1≠2",
        "！1＝2",
        "1！=2",
        "1==1",
        "1=1 && 2=2",
        "1=2 || 2=2",
        "2＞1",
        "1＜2",
        "3－2=1",
    ):
        assert parse_formula(text, LINGQUE)(PUNGS) == 1, text
