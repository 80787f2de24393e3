"""Fans in a file of house rules: new and changed rows, the columns of each family, their relations and classes."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from tests.books import SMALL

from quepu.errors import OverlayError, Text
from quepu.rulebooks import book
from quepu.rulebooks.house_rules import book_of, read
from quepu.rulebooks.lingque.row import FuFan
from quepu.rules.arithmetic import MOST_TIMES
from quepu.rules.formula import Formula
from quepu.rules.house_fans import column_head, columns_of
from quepu.rules.row import ALL, EACH, Fan
from quepu.rules.rulebook import Rulebook

NEW = '[fans."新番"]\nwhen = "有(相连(刻子, 2))"\nvalue = '


def made(base: str, text: str) -> Rulebook:
    return read(f'base = "{base}"\n{text}')


def refused(base: str, text: str) -> tuple[int, str, str]:
    """Return the line of the sentence with which a file is refused, and the sentence in both languages."""
    with pytest.raises(OverlayError) as error:
        made(base, text)
    place, _, zh = error.value.say("zh").partition("：")
    return int(place.removeprefix("TOML 第 ").removesuffix(" 行")), zh, error.value.say("en").partition(": ")[2]


def changed(rules: Rulebook) -> Fan:
    """Return the new fan of a book."""
    return rules.fan("新番")


# ---- columns of a family


def test_columns_that_a_file_may_write() -> None:
    names = {one: {key: column.optional for key, column in columns_of(book(one)).items()} for one in (
        "lingque-29", "yuque-54", "guobiao", "canton",
    )}  # fmt: skip
    assert names["lingque-29"] == {"pair": True}
    assert names["yuque-54"] == dict.fromkeys(("number", "groups", "priority", "off", "cut", "serves"), False)
    assert names["guobiao"] == {"beside": False, "when_nothing": False, "source": True, "japanese": True}
    assert names["canton"] == {"beside": False, "frees": False, "each_more": True, "plain": False}
    assert columns_of(SMALL) == {}
    assert column_head(book("yuque-54"), "priority") == Text("优先级", "priority")
    assert column_head(replace(book("yuque-54"), columns={}), "off") == Text(
        "计入后扣去的番", "fan taken off once counted"
    )
    assert column_head(replace(book("canton"), columns={"only_with": Text("甲", "a")}), "only_with") == Text("甲", "a")
    assert column_head(SMALL, "priority") == Text("priority", "priority")


def test_a_cell_as_a_row_has_it() -> None:
    for base, written, wanted in (
        ("lingque-29", "pair = [2, 1]", FuFan(2, 1)),
        ("lingque-29", "pair = { fu = 0, fan = 1000 }", FuFan(0, 1000)),
        ("lingque-29", "pair = false", None),
        ("guobiao", "beside = true", True),
        ("guobiao", "beside = false", False),
        ("guobiao", 'source = "第 3 页"', "第 3 页"),
        ("guobiao", "source = false", None),
        ("canton", "each_more = 0", 0),
        ("canton", "each_more = 1000", 1000),
        ("canton", "each_more = false", None),
        ("canton", 'frees = ["平糊", "鸡糊"]', ("平糊", "鸡糊")),
        ("yuque-54", "off = 1", 1),
        ("yuque-54", "serves = false", False),
        ("yuque-54", 'number = "5.4"', "5.4"),
    ):
        value = "[8, 2]" if base == "lingque-29" else "8"
        extra = changed(made(base, f"{NEW}{value}\n{written}")).extra
        cell = getattr(extra, written.partition(" ")[0])
        assert (type(cell), cell) == (type(wanted), wanted)


def test_a_cell_that_is_refused() -> None:
    for base, written, zh, en in (
        ("lingque-29", "pair = 3", "“新番”的值应写作 { fu = 48, fan = 3 } 或 [48, 3]。", "must be like"),
        (
            "guobiao",
            "beside = 1",
            "番种“新番”的 beside 应是 true 或 false。",
            "beside of the fan '新番' must be true or false.",
        ),
        (
            "guobiao",
            'source = ""',
            "番种“新番”的 source 应是一行，1 到 60 个字。",
            "source of the fan '新番' must be one line of 1 to 60 characters.",
        ),
        (
            "canton",
            "each_more = true",
            "番种“新番”的 each_more 应是 0 到 1000。",
            "each_more of the fan '新番' must be 0 to 1000.",
        ),
        ("canton", "each_more = 1001", "番种“新番”的 each_more 应是 0 到 1000。", "must be 0 to 1000."),
        (
            "canton",
            'frees = "平糊"',
            "番种“新番”的 frees 应是番种名称的列表。",
            "frees of the fan '新番' must be a list of names of fans.",
        ),
        ("yuque-54", "off = false", "番种“新番”的 off 应是 0 到 1000。", "off of the fan '新番' must be 0 to 1000."),
        (
            "canton",
            "only_with = 3",
            "番种“新番”没有“only_with”，可用：when value english definition of before after "
            "class sentence most drops conflicts beside frees each_more plain。",
            "a fan has no 'only_with'; there are: ",
        ),
        (
            "lingque-29",
            "priority = 3",
            "番种“新番”没有“priority”，可用：when value english definition of before after "
            "class sentence most drops conflicts pair。",
            "a fan has no 'priority'; there are: when",
        ),
    ):
        value = "[8, 2]" if base == "lingque-29" else "8"
        line, said, english = refused(base, f"{NEW}{value}\n{written}")
        assert (line, said) == (5, zh) and en in english


def test_other_cells_of_a_changed_row_stay() -> None:
    rules = book("yuque-54")
    row = made("yuque-54", '[changes."三连刻"]\npriority = 7').fan("三连刻")
    own: Any = rules.fan("三连刻").extra
    extra: Any = row.extra
    assert (extra.priority, extra.number, extra.groups, extra.serves) == (7, own.number, 3, True)
    pair = made("lingque-29", '[changes."番牌 中"]\npair = false').fan("番牌 中")
    assert pair.parts == {"fu": 4, "fan": 1} != book("lingque-29").fan("番牌 中").parts


def test_a_new_fan_of_some_sets_leaves_that_many_groups() -> None:
    for written, groups in (
        ("", None),
        ("of = 1", 1),
        ("of = 2", 2),
        ("of = 7", 7),
        ('of = "all"', None),
        ("of = 2\ngroups = 5", 5),
        ("groups = 5", 5),
    ):
        assert changed(made("yuque-54", f"{NEW}2\n{written}")).column("groups") == groups


# ---- the first value shows how values are written


def test_a_refused_value_of_a_new_fan_shows_that_of_the_first_row() -> None:
    text = '[values]\n"天和" = [47, 3]\n' + NEW
    line, zh, en = refused("lingque-29", f"{text}3")
    assert (line, zh) == (6, "“新番”的值应写作 { fu = 47, fan = 3 } 或 [47, 3]。")
    assert en == "the value of '新番' must be like { fu = 47, fan = 3 } or [47, 3]."
    assert refused("lingque-29", f"{text}[8, 2]\npair = 3")[:2] == (7, zh)


def test_the_name_and_the_parts_that_a_new_fan_needs() -> None:
    for text, line, zh, en in (
        (
            '[fans.""]\nwhen = "1"\nvalue = 1',
            2,
            "番种的名称应是一行，1 到 60 个字。",
            "the name of a fan must be one line of",
        ),
        ('[fans."新番"]\nwhen = "1"', 2, "番种“新番”缺少 value。", "the fan '新番' has no value."),
        ('[fans."新番"]\nvalue = 1', 2, "番种“新番”缺少 when。", "the fan '新番' has no when."),
        ('[fans]\n"新番" = 3', 3, "“新番”应是一张表：when、value……", "'新番' must be a table: when, value …"),
        ('[fans."花龙"]\nwhen = "1"\nvalue = 1', 2, "已经有叫“花龙”的番种；", "a fan called '花龙' already exists; "),
        (f"{NEW}1\nbeside = true\ncolour = 3", 6, "番种“新番”没有“colour”，可用：when", "a fan has no 'colour'"),
        (
            f"{NEW}1\nbeside = true\nmost = 0",
            6,
            "番种“新番”的 most 应是 1 到 9。",
            "most of the fan '新番' must be 1 to 9.",
        ),
        (
            '[sentences]\n"花龙" = " "',
            3,
            "“花龙”的话应是一行，最多 400 字。",
            "the sentence of '花龙' must be one line of",
        ),
    ):
        at, said, english = refused("guobiao", text)
        assert at == line and said.startswith(zh) and english.startswith(en), text
    assert made("guobiao", '[changes."花龙"]\nmost = 2').fan("花龙").most == 2
    assert made("guobiao", '[sentences]\n"花龙" = "有花龙。"').fan("花龙").sentence == "有花龙。"


# ---- how many sets make a fan


def test_a_condition_that_does_not_tell_its_sets_is_refused_where_sets_count() -> None:
    """玉雀 counts which sets a fan has used; of=2 must tell them, the whole hand need not."""
    unclear = '[fans."新番"]\nwhen = "有(字牌)"\nvalue = 2\n'
    line, zh, en = refused("yuque-54", f"{unclear}of = 2")
    assert line == 5 and "由 2 副组成（of=2）的条件只能看" in zh and "(of=2) may look at" in en
    for good in ("", 'of = "all"\n', "of = 4\n"):
        assert changed(made("yuque-54", unclear + good)).of == (4 if "4" in good else ALL)
    assert changed(made("guobiao", f"{unclear}of = 2")).of == 2
    line, zh, _ = refused("yuque-54", '[changes."双杠"]\nwhen = "有(字牌)"')
    assert line == 2 and "“双杠”" in zh and "of=2" in zh
    assert refused("yuque-54", '[changes."岭上开花"]\nwhen = "有(字牌)"\nof = 3')[0] == 4
    assert made("yuque-54", '[changes."岭上开花"]\nwhen = "有(字牌)"').fan("岭上开花").of == ALL
    assert made("yuque-54", '[changes."双杠"]\nwhen = "有(刻子)"\nvalue = 9').fan("双杠").value == 9
    assert made("guobiao", '[changes."三杠"]\nwhen = "有(字牌)"').fan("三杠").of == 3


def test_a_row_for_each_place_that_gets_a_condition_of_the_whole_hand() -> None:
    rules = book("guobiao")
    assert (rules.fan("四归一").of, rules.fan("四归一").most) == (EACH, 3)
    whole = made("guobiao", '[changes."四归一"]\nwhen = "有(成四的牌)"').fan("四归一")
    assert (whole.of, whole.on, whole.most) == (ALL, None, 3)
    assert made("guobiao", '[changes."四归一"]\nwhen = "有(成四的牌)"\nof = 2').fan("四归一").of == 2
    each = made("guobiao", '[changes."四归一"]\nwhen = "成四的牌 除 各副杠"\nof = "each"').fan("四归一")
    assert each.of == EACH and isinstance(each.when, Formula) and each.when.places
    assert made("guobiao", '[changes."四归一"]\nvalue = 3').fan("四归一").of == EACH
    sets = made("guobiao", '[changes."大三元"]\nwhen = "个数(刻子 & 箭牌) = 3"').fan("大三元")
    assert (sets.of, sets.on) == (3, rules.fan("大三元").on)
    for before in ("", "  "):
        line, zh, _ = refused("guobiao", f'[changes."四归一"]\nwhen = "{before}成四的牌"')
        assert line == 3 and zh.startswith(
            f"“四归一”的公式第 {len(before) + 1} 个字符：整个公式应是条件或数，现在是牌的集合"
        )


# ---- words and classes


def test_a_new_fan_that_says_little_has_the_usual_words() -> None:
    row = changed(made("guobiao", f"{NEW}1"))
    assert (row.sentence, row.english, row.category, row.of, row.most) == ("有(相连(刻子, 2))", "新番", "自定", ALL, 1)
    told = 'class = "8番"\nenglish = "new"\nsentence = "新的。"\ndefinition = "It is new."\nmost = 2'
    row = changed(made("guobiao", f"{NEW}1\n{told}"))
    assert (row.sentence, row.english, row.category) == ("新的。", "new", "8番")
    assert (row.definition, row.most) == ("It is new.", 2)


def test_the_fingerprint_has_the_classes_of_the_houses_fans() -> None:
    settings = {
        text: dict(made("lingque-29", text).settings)
        for text in (f'{NEW}[8, 2]\nclass = "字牌"', f"{NEW}[8, 2]", '[changes."三连刻"]\nclass = "字牌"',
                     '[changes."三连刻"]\nclass = "部分关联"', '[changes."三连刻"]\nvalue = [9, 2]')
    }  # fmt: skip
    new, plain, moved, same, value = settings.values()
    assert new["classes of new fans"] == (("新番", "字牌"),) and "classes of new fans" not in plain
    assert moved["classes of changed fans"] == (("三连刻", "字牌"),)
    assert "classes of changed fans" not in same and "classes of changed fans" not in value
    assert made("lingque-29", '[changes."三连刻"]\nclass = "字牌"').fan("三连刻").category == "字牌"


def test_the_first_class_that_a_book_lacks_is_named() -> None:
    names = ", ".join(f'"{one}"' for one in dict.fromkeys(fan.category for fan in book("guobiao").fans))
    more = ', { name = "甲", was = "丙" }, { name = "乙", was = "丁" }'
    line, zh, en = refused("guobiao", f"classes = [{names}{more}]")
    assert line == 2 and "没有“丙”这一类" in zh and "has no category '丙'" in en
    named = made("guobiao", f"classes = [{names}]".replace('"88番"', '{ name = "最大", was = "88番" }'))
    assert named.fans[0].category == "最大" and named.class_name("最大", "en") == "最大"


# ---- relations


def test_rows_that_a_house_relates_anew_name_each_other_no_more() -> None:
    """三杠 and 杠 exclude each other in some books; a list takes the place of the book's on both sides."""
    base = made("lingque-29", '[conflicts]\n"三杠" = ["杠", "双杠"]\n"双杠" = ["杠"]')
    assert [base.fan(name).conflicts for name in ("三杠", "双杠", "杠")] == [("杠",), ("杠",), ()]
    both = made("lingque-29", '[conflicts]\n"三杠" = ["杠"]\n"杠" = ["三杠"]')
    assert [both.fan(name).conflicts for name in ("三杠", "杠")] == [("杠",), ("三杠",)]
    alone = made("lingque-29", '[conflicts]\n"三杠" = ["杠"]\n"杠" = ["双杠"]')
    assert [alone.fan(name).conflicts for name in ("三杠", "杠")] == [(), ("双杠",)]


def test_names_among_relations_are_those_of_the_rows() -> None:
    house = made("guobiao", f'{NEW}3\ndrops = ["*", "+碰碰和", "*8番", "*自定", "花龙"]')
    assert changed(house).drops == ("*", "+碰碰胡", "*8番", "*自定", "花龙")
    for wrong, zh in (('["*9番"]', "没有“*9番”"), ('["+*"]', "没有“*”"), ('["8番"]', "没有“8番”")):
        line, said, _ = refused("guobiao", f"{NEW}3\ndrops = {wrong}")
        assert line == 5 and zh in said
    for wrong in ('["*"]', '["+碰碰和"]', '["*8番"]'):
        line, said, _ = refused("lingque-29", f"{NEW}[3, 1]\nconflicts = {wrong}")
        assert line == 5 and "没有“" in said


def test_a_class_without_its_star_is_refused_with_its_line_but_stays_readable() -> None:
    text = '[drops]\n"三连刻" = ["刻、杠"]'
    assert refused("lingque-29", text)[:2] == (3, "灵雀（第二十九版）没有“刻、杠”这个番种。是不是杠？")
    assert book_of("", f'base = "lingque-29"\n{text}').base == "lingque-29"  # as games were played by it


def test_names_of_one_character_among_relations() -> None:
    fans = "".join(f'[fans."{name}"]\nwhen = "有(刻子)"\nvalue = 1\n' for name in "甲乙丙")
    house = made("canton", f'{fans}[drops]\n"甲" = ["乙", "*"]\n"乙" = ["*自定", "+丙", "+甲"]')
    a, b, c = (house.index[name] for name in "甲乙丙")
    assert house.drops[a] == (1 << len(house.fans)) - 1 & ~(1 << a) and house.drops[b] == 0 != 1 << c


# ---- how often


@pytest.mark.parametrize("most", [1, MOST_TIMES])
def test_a_new_fan_that_is_excluded_by_no_sentence(most: int) -> None:
    assert changed(made("lingque-29", f"{NEW}[2, 1]\nmost = {most}")).most == most


# ---- residues


def test_residues_of_a_file() -> None:
    cells = {"0": 0, "1": 1, "2": 2, "3": -1, "false": -1, "{ left = 2 }": 2, '{ left = 0, why = "共用" }': 0}
    for written, left in cells.items():
        house = made("yuque-54", f'[residues."三连刻"]\n"三色连刻" = {written}')
        assert house.settings["residues"] == (("三连刻", "三色连刻", left),), written
        why = {("三连刻", "三色连刻"): Text("共用", "共用")} if "why" in written else {}
        assert house.reasons == {**book("yuque-54").reasons, **why}
    two = made("yuque-54", '[residues."三连刻"]\n"三色连刻" = 1\n"数同" = 5\n[residues."四连刻"]\n"三色连刻" = 0')
    assert two.settings["residues"] == (("三连刻", "三色连刻", 1), ("三连刻", "数同", -1), ("四连刻", "三色连刻", 0))
    assert made("yuque-54", "[residues]").settings.get("residues") is None


def test_residues_that_are_refused() -> None:
    for base, text, line, zh, en in (
        ("guobiao", '[residues."清一色"]\n"混一色" = 0', 2, "没有 [residues]", "so there is no [residues]"),
        (
            "yuque-54",
            '[residues]\n"三连刻" = 3',
            3,
            "“三连刻”应是一张表：后计的番种 = 剩下的组数。",
            "'三连刻' must be a table of fan = groups left.",
        ),
        (
            "yuque-54",
            '[residues."三连客"]\n"数同" = 1',
            3,
            "没有“三连客”这个番种。是不是三连环、三连刻、三色连刻？",
            "there is no fan '三连客'. Did you mean 三连环 / 三连刻 / 三色连刻?",
        ),
        ("yuque-54", '[residues."三连刻"]\n"天方夜谭" = 1', 3, "没有“天方夜谭”这个番种。", "no fan '天方夜谭'."),
        (
            "yuque-54",
            '[residues."三连刻"]\n"数同" = 6',
            3,
            "“数同”涉及 5 组，剩下的应是 0 到 5，或 false（不减）。",
            "'数同' has 5 groups, so 0 to 5 are left, or false for all of them.",
        ),
        ("yuque-54", '[residues."三连刻"]\n"数同" = { why = "共用" }', 3, "剩下的应是 0 到 5", "so 0 to 5 are left"),
        ("yuque-54", '[residues."三连刻"]\n"数同" = { left = 1, rest = 2, why = "共" }', 3, "应写作 { left", "write {"),
    ):
        at, said, english = refused(base, text)
        assert at == line and zh in said and en in english
