"""Both sides of every limit of a file of house rules (`house_fans`, `house_play`), and what it makes of the book."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest

from quepu.errors import OverlayError, UnknownName
from quepu.rulebooks import book
from quepu.rulebooks.house_rules import read
from quepu.rules.edits import natural
from quepu.rules.play_rules import play_rules
from quepu.rules.row import EACH
from quepu.rules.rulebook import Rulebook
from quepu.scoring.describe import written_row
from quepu.server.http.rendering import book_page

NEW = '[fans."新番"]\nwhen = "有(刻子)"\n'
LONG = "字" * 400


def made(base: str, text: str) -> Rulebook:
    return read(f'base = "{base}"\n{text}')


def refused(base: str, text: str) -> str:
    """Return the sentence with which a file is refused, without its line."""
    with pytest.raises(OverlayError) as error:
        made(base, text)
    assert re.match("TOML, line [1-9]", error.value.say("en"))
    return error.value.say("zh").partition("：")[2]


@pytest.mark.parametrize(
    ("base", "good", "bad", "zh"),
    [
        ("guobiao", f"{NEW}value = 0", f"{NEW}value = -1", "在 0 到 1000 之间"),
        ("guobiao", f"{NEW}value = 1000", f"{NEW}value = 1001", "在 0 到 1000 之间"),
        ("guobiao", f"{NEW}value = 1\nmost = 1", f"{NEW}value = 1\nmost = 0", "most 应是 1 到 9"),
        ("guobiao", f"{NEW}value = 1\nmost = 9", f"{NEW}value = 1\nmost = 10", "most 应是 1 到 9"),
        ("guobiao", f"{NEW}value = 1\nof = 1", f"{NEW}value = 1\nof = 0", "of 应是 1 到 7 副"),
        ("guobiao", f"{NEW}value = 1\nof = 7", f"{NEW}value = 1\nof = 8", "of 应是 1 到 7 副"),
        ("guobiao", f'{NEW}value = 1\nof = "all"', f'{NEW}value = 1\nof = "some"', "of 应是 1 到 7 副"),
        ("guobiao", f"{NEW}value = 1\nof = 2", f"{NEW}value = 1\nof = true", "of 应是 1 到 7 副"),
        ("guobiao", f'{NEW}value = 1\nsentence = "{LONG}"', f'{NEW}value = 1\nsentence = "{LONG}字"', "1 到 400 个字"),
        ("guobiao", f'{NEW}value = 1\nsentence = "字"', f'{NEW}value = 1\nsentence = ""', "1 到 400 个字"),
        (
            "guobiao",
            f'{NEW}value = 1\ndefinition = "{LONG}"',
            f'{NEW}value = 1\ndefinition = "{LONG}字"',
            "1 到 400 个字",
        ),
        ("guobiao", f'[sentences]\n"花龙" = "{LONG}"', f'[sentences]\n"花龙" = "{LONG}字"', "应是一行，最多 400 字"),
        (
            "guobiao",
            f'[fans."{LONG[:60]}"]\nwhen = "1"\nvalue = 1',
            f'[fans."{LONG[:61]}"]\nwhen = "1"\nvalue = 1',
            "名称",
        ),
        ("guobiao", "[match]\nrounds = 1", "[match]\nrounds = 0", "1 到 16"),
        ("guobiao", "[match]\nrounds = 16", "[match]\nrounds = 17", "1 到 16"),
        ("guobiao", "[match]\nrounds = 2", "[match]\nrounds = 2.0", "1 到 16"),
        ("guobiao", f"[match]\nmoves = {[[1, 0, 3, 2]] * 16}", f"[match]\nmoves = {[[1, 0, 3, 2]] * 17}", "列表"),
        ("guobiao", "[match]\nmoves = []", "[match]\nmoves = [[0, 1, 2]]", "列表"),
        ("guobiao", "[match]\nmoves = [[3, 2, 1, 0]]", "[match]\nmoves = [[3, 2, 1, 1]]", "列表"),
        ("guobiao", "[match]\nmoves = [[3, 2, 1, 0]]", "[match]\nmoves = [[4, 2, 1, 0]]", "列表"),
        ("guobiao", "[match]\nmoves = [[3, 2, 1, 0]]", "[match]\nmoves = [3, 2, 1, 0]", "列表"),
        ("guobiao", "[match]\nmoves = [[3, 2, 1, 0]]", '[match]\nmoves = [["3", "2", "1", "0"]]', "列表"),
        ("guobiao", "[match]\nreduced = [1, 480]", "[match]\nreduced = [1, inf]", "两个正数"),
        ("guobiao", "[match]\nreduced = [1, 480]", "[match]\nreduced = [nan, 480]", "两个正数"),
        ("guobiao", "[match]\nreduced = [0.5, 1]", "[match]\nreduced = [0.5, 0]", "两个正数"),
        ("guobiao", "[match]\nreduced = false", "[match]\nreduced = true", "两个正数"),
        ("guobiao", "[match]\nreduced = [2, 300.0]", "[match]\nreduced = [2, 300, 1]", "两个正数"),
        ("guobiao", "[match]\nreduced = [2, 300.0]", "[match]\nreduced = [2]", "两个正数"),
        ("guobiao", "[match]\nreduced = [1, 1]", "[match]\nreduced = [true, 1]", "两个正数"),
        ("guobiao", '[match]\ndealer_repeats = "win"', '[match]\ndealer_repeats = "always"', "之一"),
        ("guobiao", "[table]\nflowers = false", "[table]\nflowers = 0", "true 或 false"),
        (
            "guobiao",
            f'[penalties]\n"错和" = {{ again = {[5] * 10} }}',
            f'[penalties]\n"错和" = {{ again = {[5] * 11} }}',
            "最多 10 个",
        ),
        ("guobiao", '[penalties]\n"错和" = 0', '[penalties]\n"错和" = -1', "从 0 到 1000000"),
        ("guobiao", '[penalties]\n"错和" = 1000000', '[penalties]\n"错和" = 1000001', "从 0 到 1000000"),
        ("guobiao", '[penalties]\n"错和" = 1', '[penalties]\n"错和" = true', "应是分数、false，或一张表"),
        (
            "guobiao",
            '[penalties]\n"错和" = { to = "one" }',
            '[penalties]\n"错和" = { from = "one" }',
            "应是分数、false",
        ),
        ("lingque-29", f"{NEW}value = [2, 1]\nmost = 7", f"{NEW}value = [2, 1]\nmost = 8", "最多计 7 次"),
        ("lingque-29", f"{NEW}value = {{ fu = 2, fan = 1 }}", f"{NEW}value = {{ fu = 2 }}", "还缺 fan"),
        ("lingque-29", f"{NEW}value = [1000, 0]", f"{NEW}value = [1001, 0]", "在 0 到 1000 之间"),
        ("lingque-29", f"{NEW}value = [1, 2]", f"{NEW}value = [1, 2, 3]", "应写作"),
        ("yuque-54", f"{NEW}value = 2\nmost = 1", f"{NEW}value = 2\nmost = 2", "只能是 1"),
        (
            "yuque-54",
            f"{NEW}value = 2\nof = 1\npriority = 1000",
            f"{NEW}value = 2\nof = 1\npriority = 1001",
            "0 到 1000",
        ),
        ("yuque-54", f"{NEW}value = 2\nof = 1\npriority = 0", f"{NEW}value = 2\nof = 1\npriority = -1", "0 到 1000"),
        (
            "yuque-54",
            '[residues."三连刻"]\n"三色连刻" = 0',
            '[residues."三连刻"]\n"三色连刻" = -1',
            "剩下的应是 0 到 3",
        ),
        ("yuque-54", '[residues."三连刻"]\n"三色连刻" = 3', '[residues."三连刻"]\n"三色连刻" = 4', "剩下的应是 0 到 3"),
        (
            "yuque-54",
            '[residues."三连刻"]\n"三色连刻" = false',
            '[residues."三连刻"]\n"三色连刻" = true',
            "剩下的应是 0 到 3",
        ),
        (
            "yuque-54",
            '[residues."三连刻"]\n"三色连刻" = { left = 1, why = "共一副" }',
            '[residues."三连刻"]\n"三色连刻" = { left = 1, why = "" }',
            "应写作 { left",
        ),
        (
            "yuque-54",
            '[residues."三连刻"]\n"三色连刻" = { left = 1 }',
            '[residues."三连刻"]\n"三色连刻" = { rest = 1 }',
            "应写作 { left",
        ),
    ],
)
def test_both_sides_of_a_limit(base: str, good: str, bad: str, zh: str) -> None:
    assert made(base, good).base == base
    assert zh in refused(base, bad)


def test_what_a_file_says_is_what_the_book_has() -> None:
    house = made(
        "guobiao",
        "[match]\nrounds = 3\nmoves = [[1, 0, 3, 2], [2, 3, 0, 1]]\nreduced = false\n"
        "[table]\nconcealed_kongs_hidden = true\n"
        '[penalties]\n"错和" = { points = 7, again = [8, 9], to = "one", barred = false, text = "报和而不成" }\n'
        '"迟到" = false\n'
        '"自带麻将" = { points = 3, text = "自己带牌来" }\n',
    )
    play = play_rules(house)
    assert (play.match.rounds, play.match.moves, play.match.reduced) == (3, ((1, 0, 3, 2), (2, 3, 0, 1)), None)
    assert play.table.concealed_kongs_hidden and play.notes[-1].zh.startswith("暗杠扣放")
    faults = {fault.key: fault for fault in play.faults}
    false_win = faults["错和"]
    assert (false_win.points, false_win.again, false_win.to, false_win.barred) == (7, (8, 9), "one", False)
    assert [false_win.amount(before) for before in range(5)] == [7, 8, 9, 9, 9]
    assert "迟到" not in faults and (faults["自带麻将"].points, faults["自带麻将"].to) == (3, "others")
    usual = {fault.key for fault in play_rules(book("guobiao")).faults}
    assert {*faults} == (usual - {"迟到"}) | {"自带麻将"}


def test_a_house_plays_as_its_base_where_it_says_nothing() -> None:
    first = made("guobiao", '[table]\nflowers = false\n[match]\nrounds = 2\n[penalties]\n"迟到" = 9')
    play = play_rules(first)
    more = first.having(settings={"match": (*first.settings["match"], ("dealer_repeats", "win"))})
    assert (play.table.flowers, play.match.rounds, play.match.dealer_repeats) == (False, 2, "never")
    assert (play_rules(more).match.rounds, play_rules(more).match.dealer_repeats) == (2, "win")
    assert [one.points for one in play.faults if one.key == "迟到"] == [9]
    plain = made("guobiao", "[table]\n[match]\n[penalties]")
    assert plain.settings == book("guobiao").settings and play_rules(plain).match == play_rules(book("guobiao")).match
    both = made("guobiao", "[table]\nflowers = true\nkong_after_claim = true\n[match]\nreduced = [1, 480]")
    assert both.settings["table"] == (("flowers", True), ("kong_after_claim", True))
    assert play_rules(both).match.reduced == (1, 480)


def test_how_a_house_cannot_play() -> None:
    for text, zh, en in (
        ("[table]\nwater = true", "[table] 没有“water”，可用：flowers（", "[table] has no 'water'; there are: fl"),
        ("[table]\nflowers = 1", "“flowers”应是 true 或 false。", "'flowers' must be true or false."),
        ("[match]\nhands = 4", "[match] 没有“hands”，可用：rounds（", "[match] has no 'hands'; there are: rounds ("),
        ("[match]\nrounds = 17", "“rounds”应是 1 到 16。", "'rounds' must be 1 to 16."),
        ("[match]\nmoves = [[1, 0, 3, 2, 4]]", "“moves”应是列表，", "'moves' must be where East, South, West"),
        ('[match]\nmoves = "x"', "“moves”应是列表，", "'moves' must be where East, South, West"),
        (
            '[penalties]\n"错和" = "x"',
            "罚例“错和”应是分数、false，或一张表：points、again、to、barred、text。",
            "the fault '错和' must be points, false, or a table of: points, again, to, barred, text.",
        ),
        (
            '[penalties]\n"错和" = { points = "x" }',
            "罚例“错和”的 points 应是从 0 到 1000000 的整数。",
            "points of the fault '错和' must be an integer from 0 to 1000000.",
        ),
        ('[penalties]\n"错和" = { again = 5 }', "罚例“错和”的 again 应是再犯各次的分数的列表，", "10 at most, "),
        ('[penalties]\n"错和" = { to = "all" }', "罚例“错和”的 to 应是 pool others one nobody 之一。", "one of pool,"),
        ('[penalties]\n"错和" = { text = 5 }', "罚例“错和”的 text 应是一段文字", "text of the fault '错和' must be"),
    ):
        with pytest.raises(OverlayError) as error:
            made("guobiao", text)
        assert error.value.say("zh").startswith(f"TOML 第 3 行：{zh}") and en in error.value.say("en")


def test_a_fan_goes_where_the_file_puts_it() -> None:
    names = [fan.name for fan in book("guobiao").fans]
    for side, other in (("before", names[0]), ("after", names[0]), ("before", names[5]), ("after", names[-1])):
        house = made("guobiao", f'{NEW}value = 1\n{side} = "{other}"')
        at = names.index(other) + (side == "after")
        assert [fan.name for fan in house.fans] == [*names[:at], "新番", *names[at:]], (side, other)
    moved = made("guobiao", f'[changes."{names[7]}"]\nbefore = "{names[2]}"')
    assert [fan.name for fan in moved.fans] == [*names[:2], names[7], *names[2:7], *names[8:]]
    for side in ("before", "after"):
        said = refused("guobiao", f'[changes."{names[7]}"]\n{side} = "{names[7]}"')
        assert said == f"“{names[7]}”不能排在自己的前后：{side} 应是另一个番种。"
        assert "“新番”不能排在自己的前后" in refused("guobiao", f'{NEW}value = 1\n{side} = "新番"')
    assert "没有“四方大发”" in refused("guobiao", f'{NEW}value = 1\nafter = "四方大发"')


def test_classes_are_listed_whole_and_once() -> None:
    rules = book("guobiao")
    classes = list(dict.fromkeys(fan.category for fan in rules.fans))
    house = made("guobiao", f"classes = {classes[::-1]!r}".replace("'", '"'))
    assert list(dict.fromkeys(fan.category for fan in house.fans)) == classes[::-1]
    kept = {one: [fan.name for fan in rules.fans if fan.category == one] for one in classes}
    assert kept == {one: [fan.name for fan in house.fans if fan.category == one] for one in classes}
    listed = ", ".join(f'"{one}"' for one in classes[1:])
    house = made("guobiao", f'classes = [{listed}, {{ name = "最大", was = "{classes[0]}", en = "largest" }}]')
    assert house.fans[-1].category == "最大" and house.class_name("最大", "en") == "largest"
    assert house.fan(rules.fans[0].name).category == "最大"
    told = made("guobiao", f'classes = [{listed}, {{ name = "{classes[0]}", en = "largest of all" }}]')
    assert told.class_name(classes[0], "en") == "largest of all" and told.fans[-1].category == classes[0]
    assert f"还缺：{classes[0]}" in refused("guobiao", f"classes = [{listed}]")
    both = f'classes = [{listed}, "{classes[0]}", "{classes[0]}"]'
    assert "写了两次" in refused("guobiao", both)
    twice = f'classes = [{listed}, {{ name = "甲", was = "{classes[0]}" }}, {{ name = "乙", was = "{classes[0]}" }}]'
    assert "写了两次" in refused("guobiao", twice)
    assert "没有“丙”这一类" in refused(
        "guobiao", f'classes = [{listed}, "{classes[0]}", {{ name = "丁", was = "丙" }}]'
    )


def test_relations_of_a_file_take_the_place_of_the_books() -> None:
    rules = book("lingque-29")
    pair = next(
        (a, rules.fans[j])
        for a in rules.fans
        for j in range(len(rules.fans))
        if rules.conflicts[rules.index[a.name]] >> j & 1
    )
    a, b = pair
    house = made("lingque-29", f'[conflicts]\n"{a.name}" = []')
    assert (
        not house.conflicts[house.index[a.name]] and not house.conflicts[house.index[b.name]] >> house.index[a.name] & 1
    )
    kept = made("lingque-29", f'[conflicts]\n"{a.name}" = ["{b.name}"]')
    assert kept.conflicts[kept.index[b.name]] >> kept.index[a.name] & 1
    dropping = next(fan for fan in book("guobiao").fans if len(fan.drops) > 1)
    less = made("guobiao", f'[drops]\n"{dropping.name}" = ["{dropping.drops[0]}"]')
    assert less.fan(dropping.name).drops == dropping.drops[:1] and less.fan(dropping.name).implied == ()
    alone = made("canton", f'{NEW}value = 3\ndrops = ["*", "+庄家"]')
    row = alone.index["新番"]
    assert alone.drops[row] == (1 << len(alone.fans)) - 1 & ~(1 << row) & ~(1 << alone.index["庄家"])


@pytest.mark.parametrize("base", ["guobiao", "canton"])
def test_circles_of_any_length_are_named_in_order(base: str) -> None:
    names = ["甲番", "乙番", "丙番", "丁番", "戊番"]
    fans = "".join(f'[fans."{name}"]\nwhen = "有(刻子)"\nvalue = 1\n' for name in names)
    for n in (3, 4, 5):
        ring = [*names[:n], names[0]]
        drops = "[drops]\n" + "".join(f'"{a}" = ["{b}"]\n' for a, b in pairwise(ring))
        assert refused(base, fans + drops) == f"不计绕成了一圈：{' → '.join(ring)}。"
        line = "[drops]\n" + "".join(f'"{a}" = ["{b}"]\n' for a, b in pairwise(ring[:-1]))
        assert made(base, fans + line).base == base
    assert "互相不计" in refused(base, fans + '[drops]\n"甲番" = ["乙番"]\n"乙番" = ["甲番"]\n')
    assert "不能不计自己" in refused(base, fans + '[drops]\n"甲番" = ["甲番"]\n')
    assert "没有互斥" in refused(base, fans + '[conflicts]\n"甲番" = ["乙番"]\n')
    assert made(base, fans + '[conflicts]\n"甲番" = []\n').base == base


def test_numbers_of_options_on_both_sides() -> None:
    canton, guobiao = book("canton"), book("guobiao")
    for rules, key, least, most in ((canton, "base", 1, 100000), (canton, "cap", 0, 1000), (guobiao, "base", 0, 1000)):
        for choice in (least, least + 1, most):
            assert rules.having(options={key: choice}).chosen[key] == choice
        for choice in (least - 1, most + 1, True, "3", 2.5):
            with pytest.raises(OverlayError, match=f"{least} 到 {most}"):
                rules.having(options={key: choice})
    for wrong in (1, 0, "true", None):
        with pytest.raises(OverlayError, match="只能取：False, True"):
            guobiao.having(options={"dead_waits": wrong})
    for key, zh, en in (("dead_wait", "是不是dead_waits？", " Did you mean dead_waits?"), ("xyzzy", "", "")):
        with pytest.raises(UnknownName) as refused:
            guobiao.having(options={key: True})
        assert refused.value.say("zh") == f"{guobiao.title.zh}没有选项“{key}”。{zh}"
        assert refused.value.say("en") == f"{guobiao.title.en} has no option {key!r}.{en}"


def test_numbers_of_a_book_are_whole_and_not_below_nought() -> None:
    for number in (0, 1, 10**6):
        assert natural(number, "minimum") == number
        assert book("guobiao").having(minimum=number).minimum == number
    for wrong in (-1, True, False, 1.0, "1", None):
        with pytest.raises(OverlayError, match="minimum 应是不小于 0 的整数"):
            natural(wrong, "minimum")  # type: ignore[arg-type]
    with pytest.raises(OverlayError, match="flower_value"):
        book("guobiao").having(flower_value=-1)


def test_a_value_may_be_changed_in_part() -> None:
    rules = book("lingque-29")
    name = next(fan.name for fan in rules.fans if "pair_fu" in fan.parts)
    old = rules.fan(name).parts
    for part in old:
        changed = rules.having(values={name: {part: 77}}).fan(name).parts
        assert changed == {**old, part: 77}
    for wrong in (
        {"points": 3}, {"fu": -1}, {"fu": 1001}, {"fu": True}, {"fu": 1.5}, 3, [1], [1, 2, 3], [1.5, 2], "3", "34",
        None,
    ):  # fmt: skip
        with pytest.raises(OverlayError):
            rules.having(values={name: wrong})
    with pytest.raises(OverlayError, match="的值里没有“points”，可用：") as refused:
        rules.having(values={name: {"points": 3, "fu": 2, "others": 4}})
    assert "has no 'points'; there are: " in refused.value.say("en")
    assert rules.having(values={name: (8, 3)}).fan(name).value == (8, 3)
    for wrong in (True, -1, 1001, 2.0, "3", None, [3], {"fan": 3}):
        with pytest.raises(OverlayError):
            book("guobiao").having(values={"花龙": wrong})
    assert book("guobiao").having(values={"花龙": 0}).fan("花龙").value == 0
    assert book("guobiao").having(values={"花龙": 1000}).fan("花龙").value == 1000


def test_the_value_of_the_original_book_stands_beside_its_sentence() -> None:
    """The sentence of 番牌 names 4 副: a house that gives it 6 shows both, unless it wrote its own sentence."""
    house = made("lingque-29", '[values]\n"番牌 中" = { fu = 6 }\n[aliases]\n"番牌 中" = "红中"\n')
    assert "计 4 副 1 翻" in house.fan("红中").sentence
    written = {fan.name: row.parts for fan in house.fans if (row := written_row(house, fan))}
    assert written == {"红中": {"fu": 4, "fan": 1, "pair_fu": 2, "pair_fan": 1}}
    shown = {row.name: row.written and row.written.zh for row in book_page(house).fans}
    assert shown["红中"] == "4 副 1 翻（对 2 副 1 翻）"
    assert shown["番牌 發"] is None
    own = book("lingque-29").having(fans={"番牌 中": {"value": (6, 1), "sentence": "计 6 副 1 翻，作对也是。"}})
    assert not any(written_row(own, fan) for fan in own.fans)


def test_a_fan_may_be_renamed_and_have_its_name_back() -> None:
    rules = book("guobiao")
    once = rules.having(aliases={"花龙": "三色龙"})
    row = once.fan("花龙")
    assert (row.name, row.aliases) == ("三色龙", (*rules.fan("花龙").aliases, "花龙"))
    assert all("花龙" not in fan.drops for fan in once.fans)
    dropped = [fan.name for fan in rules.fans if "花龙" in fan.drops]
    assert dropped == [fan.name for fan in once.fans if "三色龙" in fan.drops]
    back = once.having(aliases={"三色龙": "花龙"}).fan("三色龙")
    assert back.name == "花龙" and back.aliases.count("三色龙") == 1 and "花龙" not in back.aliases


def test_only_conditions_from_outside_are_tried() -> None:
    """The program's own may relate sets to each other; every one from outside is tried, beside its own as well."""
    base = book("guobiao-mcr")
    related = next(fan for fan in base.fans if fan.joins)
    assert base.having(fans={related.name: {"most": 2}}).fan(related.name).most == 2
    own = next(fan for fan in base.fans if fan.of == EACH)
    assert base.having(fans={own.name: {"on": lambda h: h.k}}).fan(own.name).when is own.when
    for wrong in ({"on": lambda h: h.k != 0}, {"when": lambda h: h.k != 0}):
        with pytest.raises(OverlayError, match="各处所在的牌"):
            base.having(fans={own.name: wrong})
    for most in (0, 100):
        with pytest.raises(OverlayError, match="most 应是 1 到 99"):
            base.having(fans={"花龙": {"most": most}})
