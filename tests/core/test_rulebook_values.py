"""A rulebook as a value: what its fingerprints have in them, equality, lookups, and every change of `having`."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from types import MappingProxyType
from typing import Any

import pytest
from tests.books import SMALL, Sum

from quepu.errors import OverlayError, Text, UnknownName
from quepu.hands.notation import parse
from quepu.hands.planes import Planes
from quepu.rulebooks import book
from quepu.rules import rulebook as rulebook_module
from quepu.rules.arithmetic import Counted
from quepu.rules.parts import Correction, Option, Ruling, was
from quepu.rules.row import Example, Fan
from quepu.rules.rulebook import Rulebook
from quepu.rules.rulings import read as read_rulings
from quepu.rules.rulings import write_plain as shown
from quepu.shapes.readings import readings
from quepu.tiles import TileSet

NOTHING = Planes(*[0] * len(Planes._fields))


@dataclass(frozen=True)
class Own:
    """Columns of a family."""

    pair: int = 0


class Measured(Sum):
    """An arithmetic with figures, settings for new fans, and a part that repeated fans add once."""

    figures = (1, 2)
    new_fans: Mapping[str, object] = MappingProxyType({"capped": 1})
    not_summed = ("fu",)


class Printed(Sum):
    """An arithmetic that prints values of its own."""

    def print_value(self, fan: Fan) -> str:
        return f"{fan.value}-1" if fan.value > 1 else str(fan.value)


def row(at: int, **changes: Any) -> Rulebook:
    """Return the small book with one row changed."""
    return replace(SMALL, fans=(*SMALL.fans[:at], replace(SMALL.fans[at], **changes), *SMALL.fans[at + 1 :]))


NAMES = [fan.name for fan in SMALL.fans]
SCORING = {
    **{f"{a} drops {b}": row(i, drops=(b,)) for i, a in enumerate(NAMES) for b in NAMES if a != b},
    **{f"{a} excludes {b}": row(i, conflicts=(b,)) for i, a in enumerate(NAMES) for b in NAMES[i + 1 :]},
    "excludes itself": row(0, conflicts=("和牌",)),
    "name": row(0, name="糊"),
    "value": row(1, value=7),
    "condition": row(1, when=lambda h: h.k),
    "places": row(0, on=lambda h: h.p),
    "other places": row(0, on=lambda h: h.k),
    "sets": row(0, of=2),
    "each": row(0, of=-1),
    "times": row(0, most=2),
    "joins": row(0, joins=True),
    "column": row(0, extra=Own(2)),
    "another cell": row(0, extra=Own(3)),
    "implied": row(0, implied=("四刻",)),
    "minimum": replace(SMALL, minimum=3),
    "flowers": replace(SMALL, flower_value=2),
    "settings": replace(SMALL, settings={"cap": 8}),
    "circumstances": replace(SMALL, circumstances={"天和": 64}),
    "shapes": replace(SMALL, shapes=("standard", "pairs")),
    "arithmetic": replace(SMALL, arithmetic=Measured()),
    "option": replace(SMALL, chosen={"大吗": True}),
    "fewer tiles": replace(SMALL, tiles=TileSet(copies=3)),
    "flowers among the tiles": replace(SMALL, tiles=TileSet().with_flowers(True)),
    "id": replace(SMALL, id="other"),
    "order": replace(SMALL, fans=SMALL.fans[::-1]),
}
"""Books that may score differently, each from every other."""
TEXTS = {
    "english": row(0, english="Mahjong"),
    "definition": row(0, definition="It is won."),
    "sentence": row(0, sentence="和。"),
    "class": row(0, category="三"),
    "alias": row(0, aliases=("胡",)),
    "example": row(0, example=Example("11m+1m")),
    "near miss": row(0, near_miss=Example("11m+1m")),
    "ruling of a row": row(0, rulings=("x",)),
    "ruling": replace(SMALL, rulings=(Ruling("x", Text("问", "q"), Text("答", "a"), ""),)),
    "answer": replace(SMALL, rulings=(Ruling("x", Text("问", "q"), Text("是", "yes"), ""),)),
    "open ruling": replace(SMALL, rulings=(Ruling("x", Text("问", "q"), Text("答", "a"), "", open=True),)),
    "title": replace(SMALL, title=Text("书", "Book")),
    "unit": replace(SMALL, unit=Text("点", "points")),
    "edition": replace(SMALL, edition="2"),
    "aliases": replace(SMALL, aliases=("s",)),
    "near": replace(SMALL, near={}),
    "classes": replace(SMALL, classes={"一": "one"}),
    "words of an option": replace(SMALL, options=(replace(SMALL.options[0], text=Text("大", "big")),)),
}
"""Books that score as the small book does, and say something else."""


def test_every_change_that_can_change_a_score_is_in_the_fingerprint() -> None:
    prints = {"as it is": SMALL.fingerprint, **{name: one.fingerprint for name, one in SCORING.items()}}
    seen: dict[str, str] = {}
    for name, found in prints.items():
        assert found not in seen, (name, seen.get(found))
        seen[found] = name
    assert all(one != SMALL for one in SCORING.values())


def test_words_are_in_the_other_fingerprint() -> None:
    prints = [one.text_fingerprint for one in (SMALL, *TEXTS.values())]
    assert len({*prints}) == len(prints)
    for name, one in TEXTS.items():
        assert one.fingerprint == SMALL.fingerprint and one != SMALL, name


def test_what_is_written_in_another_way_has_the_same_fingerprint() -> None:
    for one, other in (
        (row(0, drops=("四刻", "自摸")), row(0, drops=("*",))),
        (row(0, drops=("自摸",)), row(0, drops=("*二", "+四刻"))),
        (row(0, conflicts=("自摸",)), row(2, conflicts=("和牌",))),
        (row(0, when=lambda h: (h.t1 == h.t1) * 1), SMALL),
        (replace(SMALL, chosen={"大吗": False}), SMALL),
        (replace(SMALL, chosen={"大吗": True}, options=()), replace(SMALL, chosen={"大吗": True})),
        (SMALL.having(id="mine", title=Text("我的", "Mine")), SMALL),
        (SMALL.having(order=NAMES[::-1]).having(order=NAMES), SMALL),
        (replace(SMALL, settings={"cap": None}), SMALL),
    ):
        assert one.fingerprint == other.fingerprint


def test_books_are_equal_if_they_score_and_say_the_same() -> None:
    same, again = SMALL, replace(SMALL)
    assert same == SMALL and again is not SMALL and again == SMALL and hash(again) == hash(SMALL)
    assert SMALL not in ("small", 5, None)
    assert copy.copy(SMALL) is SMALL and copy.deepcopy(SMALL) is SMALL
    assert (repr(SMALL), str(SMALL)) == ("Rulebook('small', 3 fans)", "小书")


def test_a_name_that_is_nearly_right_suggests_the_fans_it_may_mean() -> None:
    two = replace(
        SMALL,
        fans=(
            replace(SMALL.fans[0], aliases=("一二三四",)),
            replace(SMALL.fans[1], aliases=("一二三四",), english="四刻"),
            replace(SMALL.fans[2], former=("Drawn by oneself",)),
        ),
    )
    with pytest.raises(UnknownName) as refused:
        two.fan("一二三五")
    assert refused.value.say("zh") == "小书没有“一二三五”这个番种。是不是和牌？"
    assert refused.value.say("en") == "Small book has no fan called '一二三五'. Did you mean Win 和牌?"
    with pytest.raises(UnknownName) as refused:
        two.fan("一二三四")
    assert refused.value.say("en") == "'一二三四' can mean Win 和牌 or 四刻: use one of these names."
    assert two.fan(" DRAWN by oneself").name == "自摸" and two.fan("self-drawn").name == "自摸"


def test_the_same_name_in_two_scripts_is_two_fans() -> None:
    two = replace(SMALL, fans=tuple(replace(SMALL.fans[0], name=name) for name in ("发财", "發財")))
    assert [two.fan(name).name for name in ("发财", "發財", "發财")] == ["发财", "發財", "发财"]


def test_choices_and_classes() -> None:
    option = SMALL.options[0]
    assert SMALL.choice(option) is False and SMALL.having(options={"大吗": True}).choice(option) is True
    numbers = Option("n", Text("数", "n"), (3, 5, 7), lambda rules, n: rules.having(minimum=n))
    assert SMALL.choice(numbers) == 3
    named = replace(SMALL, classes={"一": "one"})
    assert [named.class_name(*given) for given in (("一",), ("一", "en"), ("二", "en"), ("二", "zh"))] == [
        "一", "one", "二", "二",
    ]  # fmt: skip


def test_a_value_is_printed_where_the_book_says_more_than_a_number() -> None:
    printed = replace(SMALL, arithmetic=Printed())
    assert [printed.printed_value(fan) for fan in printed.fans] == [None, "6-1", "2-1"]
    assert SMALL.printed_value(SMALL.fans[1]) is None


def test_what_a_fan_adds_that_counts_more_than_once() -> None:
    measured = replace(SMALL, arithmetic=Measured())
    assert SMALL.adds(Counted(0, 3, {"fu": 4, "fan": 2})) == {"fu": 12, "fan": 6}
    assert measured.adds(Counted(0, 3, {"fu": 4, "fan": 2})) == {"fu": 4, "fan": 6}
    assert measured.adds(Counted(0, 1, {"fu": 4, "fan": 2})) == {"fu": 4, "fan": 2}


def test_a_book_without_more_to_explain_explains_its_tally() -> None:
    assert SMALL.explain_tally(NOTHING) == SMALL.tally(NOTHING) and SMALL.tally(NOTHING).points == 1
    rules = book("guobiao")
    h = readings(parse("123m456p789sCCEE+E"), rules.shapes)[0].h
    told = rules.explain_tally(h)
    assert told.points == rules.tally(h).points and told.dropped


def test_tallies_are_kept_up_to_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rulebook_module, "_MEMO_MOST", 2)
    rules = replace(SMALL)
    hits = [((0, 1),), ((1, 1),), ((2, 1),)]
    first = [rules.tally_hits(one, NOTHING) for one in hits[:2]]
    assert [one.points for one in first] == [1, 6]
    assert [rules.tally_hits(one, NOTHING) is kept for one, kept in zip(hits, first, strict=False)] == [True, True]
    assert rules.tally_hits(hits[2], NOTHING).points == 2
    assert rules.tally_hits(hits[0], NOTHING) is not first[0] and rules.tally_hits(hits[0], NOTHING) == first[0]


# ---- house rules


def test_a_change_keeps_everything_else() -> None:
    why, so = {("和牌", "自摸"): Text("因", "why")}, {("自摸", "和牌"): Text("果", "so")}
    whole = replace(SMALL, settings={"a": 1}, classes={"一": "one"}, reasons=why)
    for name, change, after in (
        ("minimum", 0, 0),
        ("minimum", 7, 7),
        ("flower_value", 0, 0),
        ("flower_value", 3, 3),
        ("title", Text("甲", "A"), Text("甲", "A")),
        ("id", "mine", "mine"),
        ("settings", {"b": 2}, {"a": 1, "b": 2}),
        ("settings", {"a": 3}, {"a": 3}),
        ("classes", {"二": "two"}, {"一": "one", "二": "two"}),
        ("reasons", so, {**why, **so}),
    ):  # fmt: skip
        made = whole.having(**{name: change})  # type: ignore[misc]
        assert getattr(made, name) == after, name
        for other in {"id", "title", "fans", "minimum", "settings", "flower_value", "classes", "reasons"} - {name}:
            assert getattr(made, other) == getattr(whole, other), (name, other)
        assert made.base == "small" and made.origin is not None
        assert (made.origin.book, made.origin.changes) == (whole, {name: change})
    assert whole.having(id="one").having(id="two").base == "small"
    assert whole.having().origin.changes == {}  # type: ignore[union-attr]
    with pytest.raises(TypeError, match="unexpected keyword argument 'maximum'"):
        whole.having(maximum=3, zero=1)  # type: ignore[call-arg]


def test_rows_that_a_house_changes() -> None:
    new = Fan("新番", 5, "三", "新。", lambda h: (h.k != 0) * 1, "New")
    assert [fan.name for fan in SMALL.having(add=[new]).fans] == [*NAMES, "新番"]
    assert [fan.name for fan in SMALL.having(without=["Four pungs"]).fans] == ["和牌", "自摸"]
    assert [fan.name for fan in SMALL.having(order=["自摸"]).fans] == ["自摸", "和牌", "四刻"]
    assert [fan.name for fan in SMALL.having(order=["自摸", "四刻", "和牌"]).fans] == NAMES[::-1]
    assert [fan.value for fan in SMALL.having(values={"Win": 9, "自摸": 0}).fans] == [9, 6, 0]
    renamed = SMALL.having(aliases={"Win": "糊"})
    assert [fan.name for fan in renamed.fans] == ["糊", "四刻", "自摸"] and renamed.fan("和牌").name == "糊"
    changed = SMALL.having(fans={"Win": {"most": 3, "value": 8}}).fan("和牌")
    assert (changed.most, changed.value, changed.sentence) == (3, 8, "和了。")
    every = SMALL.having(options={"大吗": True}, minimum=4, without=["四刻"], values={"自摸": 3})
    assert (every.minimum, [fan.value for fan in every.fans], every.chosen) == (4, [1, 3], {"大吗": True})
    for wrong in ({"values": {"无": 1}}, {"without": ["无"]}, {"aliases": {"无": "有"}}, {"fans": {"无": {}}}):
        with pytest.raises(UnknownName):
            SMALL.having(**wrong)  # type: ignore[arg-type]
    for wrong in ({"minimum": -1}, {"flower_value": 1.5}, {"minimum": True}):
        with pytest.raises(OverlayError):
            SMALL.having(**wrong)  # type: ignore[arg-type]


def test_settings_that_come_with_a_new_fan() -> None:
    new = Fan("新番", 5, "三", "新。", lambda h: (h.k != 0) * 1, "New")
    measured = replace(SMALL, arithmetic=Measured())
    assert measured.having(add=[new]).settings == {"capped": 1}
    assert measured.having(minimum=3).settings == {} == SMALL.having(add=[new]).settings
    assert measured.having(add=[new], settings={"capped": 0}).settings == {"capped": 0}
    assert replace(measured, settings={"capped": 5}).having(add=[new]).settings == {"capped": 5}


def test_corrections_are_undone_from_the_newest_on() -> None:
    said = Text("改", "changed")
    changes = (was(minimum=1, flower_value=3), was(minimum=5), was(values={"自摸": 9}))
    rules = replace(SMALL, corrections=tuple(Correction("2026-11-22", said, one) for one in changes))
    states = [(one.minimum, one.flower_value, one.fan("自摸").value) for one in map(rules.at, (1, 2, 3, 4))]
    assert states == [(1, 3, 9), (5, 1, 9), (2, 1, 9), (2, 1, 2)]
    assert [one.at(1).minimum for one in map(rules.at, (2, 3))] == [1, 1]


def test_an_earlier_revision_is_a_book_of_its_own() -> None:
    rules = book("yuque-54")
    assert rules.revision == 3
    first = rules.at(1)
    assert (first.base, first.aliases, first.origin) == ("yuque-54", (), (rules, {"revision": 1}))
    assert first.title == Text("玉雀第 54 版（修订 1）", f"{rules.title.en}, revision 1")
    house = rules.having(id="club")
    assert house.at(2).id == "club@2" and house.at(2).base == "yuque-54"
    assert house.at(2).fingerprint == rules.at(2).fingerprint


# ---- rulings


def test_rulings_in_a_file(tmp_path: Path) -> None:
    text = '[[ruling]]\nid = "{0}"\nquestion = {{ zh = "问", en = "q" }}\nanswer = {{ zh = "答", en = "a" }}\n'
    text += 'sentence = "$n$ 番"\ntests = ["t"]\n'
    more = 'open = true\nweight = 3\nedition = "v2"\noption = "o"\n'
    (tmp_path / "rulings.toml").write_text(text.format("A") + text.format("B") + more, encoding="utf-8")
    (tmp_path / "more.toml").write_text(text.format("C"), encoding="utf-8")
    plain = Ruling("A", Text("问", "q"), Text("答", "a"), "n 番", ("t",))
    full = replace(plain, id="B", open=True, weight=3, edition="v2", option="o")
    usual, both = (
        read_rulings(str(tmp_path / "x.py")),
        read_rulings(str(tmp_path / "x.py"), "more.toml", "rulings.toml"),
    )
    assert [*usual] == [plain, full] and len(usual) == 2 and usual[1:] == (full,) and usual[-1] == full
    assert [one.id for one in both] == ["C", "A", "B"] and pickle.loads(pickle.dumps(usual)) == (plain, full)


def test_formulas_of_a_seed_as_they_are_shown() -> None:
    assert shown(r"$n$ 番 $\times 2$ 计") == "n 番×2计"
    assert shown(r"a $\times 10$, $x + y$ b") == "a×10, x + y b"
    assert shown("5 $ 钱") == "5 $ 钱"
