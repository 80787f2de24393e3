"""What a difference of two books says: one change of a book is told as that change and as nothing else."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from quepu.errors import Text
from quepu.rulebooks import book
from quepu.rulebooks.house_rules import read
from quepu.rules.diff import Difference, Relations, definition, difference, edition_changes, wording
from quepu.rules.row import Fan
from quepu.rules.rulebook import Rulebook

GUOBIAO, LINGQUE = book("guobiao"), book("lingque-29")
NEW = Fan("新番", 5, "8番", "有刻子。", lambda h: (h.p != 0) * 1, "new fan")


def told(old: Rulebook, new: Rulebook) -> dict[str, Any]:
    """Return what differs, by its kind, with the names of fans."""
    found = difference(old, new)
    said: dict[str, Any] = {
        "added": [fan.name for fan in found.added],
        "removed": [fan.name for fan in found.removed],
        "rewritten": [fan.name for fan in found.rewritten],
        "options": dict(found.options),
        "figures": [one.what for one in found.figures],
        "play": [one.what for one in found.play],
    }
    for change in found.changed:
        for kind in ("renamed", "revalued", "redefined", "restated", "reread", "moved", "related"):
            if getattr(change, kind):
                said.setdefault(kind, []).append(change.new.name)
        assert change.differs
    assert found.same == (not (found.added or found.removed or found.changed))
    return {kind: names for kind, names in said.items() if names}


def house(base: Rulebook = GUOBIAO, **changes: Any) -> Rulebook:
    return base.having(id="house", **changes)


def test_a_book_does_not_differ_from_itself() -> None:
    for rules in (GUOBIAO, LINGQUE, book("canton"), book("yuque-54")):
        assert told(rules, rules) == {} and difference(rules, rules).same and not difference(rules, rules).reworded
        assert told(rules, house(rules)) == {}
        assert not any(edition_changes(rules, house(rules)).values())


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"values": {"花龙": 9}}, {"revalued": ["花龙"]}),
        ({"aliases": {"花龙": "三色龙"}}, {"renamed": ["三色龙"]}),
        ({"add": [NEW]}, {"added": ["新番"], "play": ["new_fans_capped"]}),
        ({"without": ["花龙"]}, {"removed": ["花龙"]}),
        ({"fans": {"花龙": {"category": "6番"}}}, {"moved": ["花龙"]}),
        ({"fans": {"花龙": {"sentence": "另外的话。"}}}, {"redefined": ["花龙"]}),
        ({"fans": {"花龙": {"sentence": GUOBIAO.fan("花龙").sentence.replace("，", ", ").rstrip("。")}}}, {}),
        ({"fans": {"花龙": {"english": "other", "example": None}}}, {}),
        ({"fans": {"花龙": {"drops": ("喜相逢",)}}}, {"related": ["花龙"]}),
        ({"fans": {"花龙": {"conflicts": ("喜相逢",)}}}, {"related": ["花龙", "喜相逢"]}),
        ({"fans": {"花龙": {"when": GUOBIAO.fan("清一色").when}}}, {"reread": ["花龙"]}),
        ({"fans": {"花龙": {"sentence": "另外的话。", "when": GUOBIAO.fan("清一色").when}}}, {"redefined": ["花龙"]}),
        ({"options": {"base": 5}}, {"options": {"base": (8, 5)}}),
    ],
)
def test_one_change_is_told_as_what_it_is(changes: dict[str, Any], said: dict[str, Any]) -> None:
    assert told(GUOBIAO, house(**changes)) == said
    back = {"added": "removed", "removed": "added"}
    other = told(house(**changes), GUOBIAO)
    assert {back.get(kind, kind): len(what) for kind, what in other.items()} == {k: len(v) for k, v in said.items()}


def test_relations_are_told_by_which_way_they_went() -> None:
    old = GUOBIAO.fan("大四喜")
    gone, kept = old.drops[0], old.drops[1:]
    (change,) = difference(GUOBIAO, house(fans={"大四喜": {"drops": (*kept, "无字")}})).changed
    assert change.lost == Relations(frozenset({gone})) and change.gained == Relations(frozenset({"无字"}))
    data = difference(GUOBIAO, house(fans={"大四喜": {"drops": (*kept, "无字")}})).to_json()["changed"][0]
    assert (data["no_longer_drops"], data["now_drops"]) == ([gone], ["无字"])
    assert (data["no_longer_conflicts"], data["now_conflicts"]) == ([], [])
    lines = edition_changes(GUOBIAO, house(fans={"大四喜": {"drops": (*kept, "无字")}}))["relations"]
    assert [line.zh for line in lines] == ["大四喜 不计无字", f"大四喜 取消不计{gone}"]
    assert lines[0].en.endswith(" no longer counted with it") and ": now counted together with " in lines[1].en
    more = house(fans={"花龙": {"conflicts": ("喜相逢",)}})
    chow, straight = GUOBIAO.fan("喜相逢"), GUOBIAO.fan("花龙")
    for old, new, zh, en in (
        (GUOBIAO, more, " 与{}互斥", ": now mutually exclusive with {}"),
        (more, GUOBIAO, " 与{}不再互斥", ": no longer mutually exclusive with {}"),
    ):
        assert edition_changes(old, new)["relations"] == [
            Text(a.name + zh.format(b.name), a.english_and_name + en.format(b.english))
            for a, b in ((straight, chow), (chow, straight))
        ]
    assert not Relations() and Relations(conflicts=frozenset({"a"})) and Relations(frozenset({"a"}))


def test_lines_of_an_edition() -> None:
    made = house(minimum=10, values={"花龙": 9}, without=["清一色"], add=[NEW], options={"base": 5})
    values = edition_changes(GUOBIAO, made)["values"]
    title = next(option.text for option in GUOBIAO.options if option.key == "base")
    assert [line.zh for line in values] == [
        f"起和 {GUOBIAO.minimum} → 10",
        f"{title.zh}：8 → 5",
        "新增 新番（5）",
        "删去 清一色",
        "花龙 8 → 9",
    ]
    assert values[0].en == f"minimum {GUOBIAO.minimum} → 10" and values[2].en == "new: new fan 新番 (5)"
    renamed = edition_changes(GUOBIAO, house(aliases={"花龙": "三色龙"}))["wording"]
    assert [line.zh for line in renamed] == ["花龙 改名 三色龙"] and "is now" in renamed[0].en
    redefined = edition_changes(GUOBIAO, house(fans={"花龙": {"sentence": "另外的话。"}}))["wording"]
    assert redefined[0].zh == f"花龙 的定义有改：{GUOBIAO.fan('花龙').sentence} → 另外的话。"
    assert redefined[0].en.endswith("has a different definition")  # in English the definition is the same


def test_a_clause_of_a_sentence_in_other_words() -> None:
    fan = replace(NEW, sentence="有刻子。不计无字、缺一门。")
    old = GUOBIAO.having(add=[fan])
    for sentence, kind in (
        ("有刻子。不计无字、缺一门", None),
        ("有刻子。不计无字。", "restated"),
        ("有刻子。", "restated"),
        ("有杠。不计无字、缺一门。", "redefined"),
        ("有刻子。可加计无字。", "restated"),
        ("有刻子", "restated"),
    ):
        found = told(old, old.having(fans={"新番": {"sentence": sentence}}))
        assert found == ({} if kind is None else {kind: ["新番"]}), sentence
    assert wording(" 有 么，九。") == "有幺,九" and definition("有刻子。计 4 副 1 翻。不计无字。") == "有刻子"
    assert definition("有刻子。") == definition("有刻子") == "有刻子"
    dropped = old.having(fans={"新番": {"sentence": "有刻子。不计无字。", "drops": ("无字",)}})
    assert told(old, dropped) == {"related": ["新番"]}  # the relation is told, and not its words as well
    bare = old.having(fans={"新番": {"sentence": "有刻子。"}})
    apart = bare.having(fans={"新番": {"sentence": "有刻子。与无字互斥。", "conflicts": ("无字",)}})
    assert told(bare, apart) == told(apart, bare) == {"related": ["无字", "新番"]}
    less = edition_changes(old, old.having(fans={"新番": {"sentence": "有刻子。不计无字。"}}))["wording"]
    pair = "有刻子。不计无字、缺一门。 → 有刻子。不计无字。"
    assert less == [Text(f"新番 的文字有改：{pair}", f"new fan 新番 is reworded: {pair}")]
    other = edition_changes(old, old.having(fans={"新番": {"sentence": "有杠。"}}))["wording"]
    pair = "有刻子。不计无字、缺一门。 → 有杠。"
    assert other == [Text(f"新番 的定义有改：{pair}", f"new fan 新番 has a different definition: {pair}")]


def test_a_fan_is_the_same_by_its_sentence_or_an_alias() -> None:
    fan = GUOBIAO.fan("花龙")
    other = GUOBIAO.having(without=["花龙"], add=[replace(fan, name="三色龙", aliases=())])
    assert told(GUOBIAO, other)["renamed"] == ["三色龙"]
    by_alias = GUOBIAO.having(without=["花龙"], add=[replace(fan, name="三色龙", aliases=("花龙",), sentence="不同。")])
    assert told(GUOBIAO, by_alias)["renamed"] == ["三色龙"]
    neither = GUOBIAO.having(without=["花龙"], add=[replace(fan, name="三色龙", aliases=(), sentence="不同。")])
    assert told(GUOBIAO, neither) == {"added": ["三色龙"], "removed": ["花龙"], "play": ["new_fans_capped"]}


def test_a_formula_written_otherwise_is_not_read_otherwise() -> None:
    one = read('base = "guobiao"\n[fans."新番"]\nwhen = "有(刻子 & 字牌)"\nvalue = 5')
    same = read(
        'base = "guobiao"\n[fans."新番"]\nwhen = "个数(刻子 & 字牌) > 0"\nvalue = 5\nsentence = "有(刻子 & 字牌)"'
    )
    more = read('base = "guobiao"\n[fans."新番"]\nwhen = "有(刻子)"\nvalue = 5\nsentence = "有(刻子 & 字牌)"')
    assert told(one, same) == {"rewritten": ["新番"]} and told(one, more) == {"reread": ["新番"]}
    (change,) = difference(one, more).changed
    data = difference(one, more).to_json()["changed"][0]
    assert change.reread and data["holds_in_other_hands"] and data["sentence"] is None and data["value"] is None
    lines = edition_changes(one, more)["wording"]
    assert lines[0].zh == "新番 的定义有改"


def test_conditions_that_cannot_be_compared_count_as_read_otherwise() -> None:
    """Only formulas are tried on hands; and a fan of places is another fan than one of times, wherever it holds."""
    one, other = (GUOBIAO.having(add=[replace(NEW, when=when)]) for when in (lambda h: h.p != 0, lambda h: h.p > 0))
    assert told(one, other) == {"reread": ["新番"]} and told(one, one) == {}
    fan = '[fans."新番"]\nvalue = 5\nsentence = "有一万刻。"\n'
    places = read(f'base = "guobiao"\n{fan}when = "刻子 & 1m"\nof = "each"')
    times = read(f'base = "guobiao"\n{fan}when = "有(刻子 & 1m)"')
    assert told(places, times) == told(times, places) == {"reread": ["新番"]}
    often = read(f'base = "guobiao"\n{fan}when = "刻子 & 一万"\nof = "each"'.replace('一万"\nof', '1m & 1m"\nof'))
    assert told(places, often) == {"rewritten": ["新番"]}


def test_sections_of_the_rules_that_read_otherwise() -> None:
    higher = LINGQUE.having(id="house", minimum=14)
    found = {one.title.zh: one for one in difference(LINGQUE, higher).reworded}
    (old,), (new,) = found["和牌"].old, found["和牌"].new
    assert "不小于 10 点（达到" in old.zh and new.zh == "和牌点数不小于 14 点，即可和牌（自定规则；原书为 10 点）。"
    gone = next(one for one in found.values() if "十点的五种方式" in one.title.zh)
    assert len(gone.old) == 7 and gone.new == ()
    back = {one.title: one for one in difference(higher, LINGQUE).reworded}
    assert set(back) == {one.title for one in found.values()}
    assert all((back[one.title].old, back[one.title].new) == (one.new, one.old) for one in found.values())
    data = difference(LINGQUE, higher).to_json()["rules"]
    assert data[0] == {"section": found["和牌"].title._asdict(), "old": [old._asdict()], "new": [new._asdict()]}


def test_plain_data_of_a_difference() -> None:
    made = house(values={"花龙": 9}, fans={"清一色": {"category": "花牌"}}, add=[NEW], minimum=3)
    data = difference(GUOBIAO, made).to_json("en")
    assert (data["old"], data["new"], data["minimum"]) == ("guobiao", "house", [GUOBIAO.minimum, 3])
    rows = {row["name"]: row for row in data["changed"]}
    assert rows["花龙"]["value"] == [{"fan": 8}, {"fan": 9}] and rows["花龙"]["category"] is None
    assert "category_english" not in rows["花龙"]
    assert rows["清一色"]["category"] == [GUOBIAO.fan("清一色").category, "花牌"] and rows["清一色"]["value"] is None
    assert rows["清一色"]["category_english"][0] == GUOBIAO.class_name(GUOBIAO.fan("清一色").category, "en")
    assert (
        "category_english" not in {row["name"]: row for row in difference(GUOBIAO, made).to_json()["changed"]}["清一色"]
    )
    assert data["added"] == [{"name": "新番", "english": "new fan", "value": {"fan": 5}}] and data["removed"] == []
    assert all(row["sentence"] is None and row["renamed_from"] is None for row in rows.values())
    said = difference(GUOBIAO, house(aliases={"花龙": "三色龙"}, fans={"清一色": {"sentence": "一色。"}})).to_json()
    renamed, reworded = sorted(said["changed"], key=lambda row: row["name"])
    assert (renamed["name"], renamed["renamed_from"], renamed["sentence"]) == ("三色龙", "花龙", None)
    assert reworded["sentence"] == [GUOBIAO.fan("清一色").sentence, "一色。"]


def test_columns_and_residues_of_a_family() -> None:
    rules = book("yuque-54")
    fan = next(one for one in rules.fans if one.extra is not None)
    cells_of = {key: getattr(fan.extra, key) for key in fan.extra.__dataclass_fields__}  # type: ignore[attr-defined]
    columns = {key: value for key, value in cells_of.items() if type(value) in (int, bool)}
    assert columns
    for key, value in columns.items():
        other = not value if isinstance(value, bool) else value + 1
        changed = rules.having(fans={fan.name: {"extra": replace(fan.extra, **{key: other})}})  # type: ignore[type-var]
        cells = {one.what: one for one in difference(rules, changed).figures if one.what == f"{fan.name} {key}"}
        (cell,) = cells.values()
        yes_no = {True: Text("是", "yes"), False: Text("否", "no")}
        shown = [yes_no[one] if isinstance(one, bool) else Text(str(one), str(one)) for one in (value, other)]
        assert [cell.old, cell.new] == shown and fan.name in cell.label.zh and fan.english in cell.label.en
        label = rules.columns.get(key, Text(key, key))
        for old, new in (
            (rules, changed),
            (replace(rules, columns={}), changed),
            (rules, replace(changed, columns={})),
        ):
            (told_of,) = [one for one in difference(old, new).figures if one.what == f"{fan.name} {key}"]
            assert told_of.label == Text(f"{fan.name}：{label.zh}", f"{fan.english}: {label.en}")
        (bare,) = [
            one
            for one in difference(replace(rules, columns={}), replace(changed, columns={})).figures
            if one.what == f"{fan.name} {key}"
        ]
        assert bare.label == Text(f"{fan.name}：{key}", f"{fan.english}: {key}")
    names = list(rules.arithmetic.residue_names(rules))  # type: ignore[attr-defined]
    a, b = "三连刻", "三色连刻"
    assert a in names and b in names
    house = read(f'base = "yuque-54"\n[residues."{a}"]\n"{b}" = 2')
    before = read(f'base = "yuque-54"\n[residues."{a}"]\n"{b}" = 1')
    cells = {one.what: (one.old.zh, one.new.zh) for one in difference(before, house).figures}
    assert cells == {f"{a} → {b}": ("1/3", "2/3")}
    assert difference(GUOBIAO, rules).figures == ()  # another family has other columns
    bare = rules.having(fans={fan.name: {"extra": None}})  # a fan of a house without columns has the empty ones
    empty = {key: Text("否", "no") if shown is False else Text(str(shown), str(shown)) for key, shown in (
        ("groups", 0), ("priority", 0), ("off", 0), ("cut", 0), ("serves", False),
    )} | {"number": Text("无", "none")}  # fmt: skip
    for key, value in cells_of.items():
        for old, new, side in ((rules, bare, "new"), (bare, rules, "old")):
            found = [one for one in difference(old, new).figures if one.what == f"{fan.name} {key}"]
            assert [getattr(one, side) for one in found] == [empty[key]] * (value not in (0, "", False)), key
    three = rules.fan(a)
    larger = rules.having(fans={a: {"of": 2, "extra": replace(three.extra, groups=2)}})  # type: ignore[type-var]
    moved = {one.what for one in difference(rules, larger).figures if "→" in one.what}
    assert moved and all(what.count(a) == 1 for what in moved)  # what a fan leaves itself is no residue


def test_values_in_columns_of_a_family_are_told_as_values() -> None:
    pairs = next(one.name for one in LINGQUE.fans if "pair_fu" in one.parts)
    assert told(LINGQUE, house(LINGQUE, values={pairs: {"pair_fu": 77}})) == {"revalued": [pairs]}


def test_options_are_compared_where_both_books_have_them() -> None:
    jmsa, mil = book("guobiao-jmsa"), book("guobiao-mil-2025")
    assert difference(mil, jmsa).options["cap"] == (0, 88) and difference(jmsa, mil).options["cap"] == (88, 0)
    assert difference(mil, mil.having(options={"most": 0})).options == {}
    assert "most" not in {one.what for one in difference(mil, jmsa).play}  # told once
    assert set(difference(mil, LINGQUE).options) == set()
    assert isinstance(difference(mil, jmsa), Difference)
