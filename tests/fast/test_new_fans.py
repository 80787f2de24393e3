"""New fans of any condition: refused with their name, or counted alike in one hand and in many."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import pytest

from quepu.batch import score_many
from quepu.errors import OverlayError
from quepu.hands import planes
from quepu.hands.notation import parse
from quepu.hands.planes import Planes
from quepu.rulebooks import book, book_ids, house_rules
from quepu.rulebooks import readings as other_books
from quepu.rules import compiled
from quepu.rules.arithmetic import ResidueArithmetic
from quepu.rules.formula_words import RANKS, TILES, TRUTH, words
from quepu.rules.row import ALL, EACH, Fan
from quepu.rules.rulebook import Rulebook
from quepu.scoring.samples import wins
from quepu.scoring.score import score_hand

BOOKS = [*book_ids(), *(one.id for one in other_books())]
HAND = "123m456p789sCCEE+E"
SPACE = {name: getattr(planes, name) for name in (
    "count", "suits", "run", "mixed", "same_rank", "two_suits", "any_suit", "only", "lucky", "is_form", "most",
    "mirrored", "couples", "nine_gates", "has_honours", "four_unkonged", "SUIT_TILES", "HONOUR_TILES", "TERMINALS",
)}  # fmt: skip


class Conditions:
    """Random conditions in Python: most of them well formed, some with what Python has and arrays have not."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.planes: tuple[str, ...] = Planes._fields

    def plane(self, deep: int) -> str:
        pick = self.rng.random()
        if deep <= 0 or pick < 0.4:
            return f"h.{self.rng.choice(self.planes)}"
        if pick < 0.55:
            return f"({self.plane(deep - 1)} {self.rng.choice('&|^')} {self.plane(deep - 1)})"
        if pick < 0.65:
            return f"({self.plane(deep - 1)} {self.rng.choice(['<<', '>>'])} {self.rng.choice([1, 2, 9, 16, 32])})"
        if pick < 0.75:
            return f"run({self.plane(deep - 1)}, {self.rng.choice([2, 3, 4])})"
        if pick < 0.85:
            return f"{self.rng.choice(['same_rank', 'two_suits', 'any_suit', 'mirrored'])}({self.plane(deep - 1)})"
        return (
            f"({self.plane(deep - 1)} & {self.rng.choice(['SUIT_TILES', 'HONOUR_TILES', 'TERMINALS', '~h.p', '-1'])})"
        )

    def number(self, deep: int) -> str:
        pick = self.rng.random()
        if deep <= 0 or pick < 0.35:
            return f"{self.rng.choice(['count', 'suits'])}({self.plane(deep - 1)})"
        if pick < 0.45:
            return str(self.rng.choice([0, 1, 2, 3, 7, 8, 255, 256, 257, True]))
        if pick < 0.75:
            return f"({self.number(deep - 1)} {self.rng.choice('+-*')} {self.number(deep - 1)})"
        if pick < 0.9:
            return f"({self.truth(deep - 1)}) * {self.number(deep - 1)}"
        return f"most({self.number(deep - 1)}, {self.number(deep - 1)})"

    def truth(self, deep: int) -> str:
        pick = self.rng.random()
        sign = self.rng.choice(["==", "!=", "<", "<=", ">", ">="])
        if deep <= 0 or pick < 0.4:
            return f"({self.plane(deep - 1)} {self.rng.choice(['!=', '=='])} 0)"
        if pick < 0.6:
            return f"({self.number(deep - 1)} {sign} {self.number(deep - 1)})"
        if pick < 0.7:
            return f"lucky(h, {1 << self.rng.randrange(20)})"
        if pick < 0.95:
            return f"({self.truth(deep - 1)} {self.rng.choice('&|^')} {self.truth(deep - 1)})"
        return f"({self.truth(deep - 1)}) ^ True"

    def odd(self, deep: int) -> str:
        """A condition with a slip that people make."""
        a, b, x = self.truth(deep), self.truth(deep), self.plane(deep)
        return self.rng.choice([
            f"{a} and {b}", f"{a} or {b}", f"not {a}", f"{a} + {b}", f"{a} - {b}", f"~{a}", f"-{a}", x, f"{x} / 2 != 0",
            f"1 < {self.number(deep)} < 4", f"{a} if {b} else 0", f"int({a})", f"bool({x})", f"sum([{a}, {b}])",
            f"{self.number(deep)} - {self.number(deep)}", f"{x} % 2", f"{self.number(deep)} ** 2", f"len([{x}])",
            "None", "h.nothing", f"max({self.number(deep)}, 2)", f"abs({self.number(deep)})", f"{a} << {b}",
            f"count({a})", f"h[{self.rng.randrange(30)}] != 0", f"{x}.bit_count()", f"'{a}'", f"({x}, {a})",
            f"{x} * {x} * {x} != 0",
        ])  # fmt: skip

    def fan(self, name: str, like: Fan) -> Fan:
        pick, deep = self.rng.random(), self.rng.randrange(4)
        of = self.rng.choice([ALL, ALL, ALL, ALL, EACH, EACH, 1, 2, 3])
        self.planes = (
            Planes._fields if of <= ALL else self.rng.choice([("c1", "c2", "c3", "c4"), ("p", "pc", "k", "pair")])
        )
        kind = self.odd if pick < 0.25 else self.plane if of == EACH else self.truth if pick < 0.6 else self.number
        text = kind(deep)
        when = eval(f"lambda h: {text}", dict(SPACE))
        value = replace_value(like, self.rng)
        return Fan(name, value, like.category, text, when, name, of=of, most=self.rng.choice([1, 1, 2, 3, 9]))


def replace_value(like: Fan, rng: random.Random) -> Any:
    numbers = [rng.randrange(9) for _ in range(2)]
    return (
        like.value._replace(**dict(zip(like.value._fields, numbers, strict=True)))
        if isinstance(like.value, tuple)
        else numbers[0]
    )


class Formulas:
    """Random formulas, each a condition."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.words = {word.zh: word for word in words().values()}

    def of(self, kind: Any, deep: int) -> str:
        made = [word for word in self.words.values() if word.gives is kind and (deep > 0 or not word.takes)]
        if kind is TRUTH and (not made or self.rng.random() < 0.4):
            sign = self.rng.choice(["=", "!=", "<", "<=", ">", ">="])
            join = self.rng.choice([" 且 ", " 或 "])
            return self.rng.choice([
                f"{self.number(deep - 1)} {sign} {self.number(deep - 1)}", f"非 有({self.of(TILES, deep - 1)})",
                f"({self.of(TRUTH, deep - 1)}{join}{self.of(TRUTH, deep - 1)})" if deep > 0 else "自摸的",
            ])  # fmt: skip
        if kind is RANKS and not made:
            return "三色相同(顺子)"
        if kind is TILES and deep > 0 and self.rng.random() < 0.3:
            return f"({self.of(TILES, deep - 1)} {self.rng.choice(['&', '|', '除'])} {self.of(TILES, deep - 1)})"
        word = self.rng.choice(made)
        if word.zh == "序数":
            return f"序数({self.rng.choice(['258', '2468', '19', '1'])})"
        given = []
        for place, takes in enumerate(word.takes):
            given.append(self.of(takes, deep - 1) if takes.name != "NUMBER" else "2" if place == 1 else "3")
        return f"{word.zh}({', '.join(given)})" if word.takes else word.zh

    def number(self, deep: int) -> str:
        pick = self.rng.random()
        if pick < 0.2:
            return str(self.rng.choice([0, 1, 2, 4, 255, 256, 999]))
        if pick < 0.5 and deep > 0:
            return f"{self.number(deep - 1)} {self.rng.choice('+-')} {self.number(deep - 1)}"
        return f"{self.rng.choice(['个数', '几种序数', '几门'])}({self.of(TILES, deep)})"

    def text(self) -> str:
        deep = self.rng.randrange(4)
        return self.number(deep) if self.rng.random() < 0.5 else self.of(TRUTH, deep)


@cache
def hands_of(id: str) -> list[Any]:
    return list(wins(book(id), 60, seed=20261129))


def both_count_alike(house: Rulebook, hands: list[Any]) -> None:
    """One hand and many come to the same, with fans and without, and no fan counts more than `most` times."""
    many, points = score_many(hands, house), score_many(hands, house, fans=False, reading=False)
    new = [(fan.sentence, fan.of, fan.most, fan.drops) for fan in house.fans if fan.name.startswith("新")]
    for i, hand in enumerate(hands):
        one = score_hand(hand, house)
        assert (one.points, one.total) == (many.points[i], many.total[i]), (house.id, repr(hand), new)
        assert (one.points, one.total) == (points.points[i], points.total[i]), (house.id, repr(hand), new)
        counts = {line.name: line.count for line in one.fans}
        assert len(counts) == len(one.fans)
        in_bulk = dict(zip([fan.name for fan in house.fans], np.asarray(many.fans)[i].tolist(), strict=True))
        assert counts == {name: n for name, n in in_bulk.items() if n}, (house.id, repr(hand), new)
        for fan in house.fans:
            assert not fan.name.startswith("新") or counts.get(fan.name, 0) <= fan.most, (house.id, repr(hand), new)


def having(house: Rulebook, fan: Fan) -> Rulebook | None:
    """The book with one more fan; None if it is refused, by its name."""
    try:
        return house.having(add=[fan])
    except OverlayError as error:
        refused = error
    assert fan.name in refused.say("zh") and fan.name in refused.say("en"), (fan.sentence, refused.text)
    return None


def try_many(id: str, n: int, seed: int, monkeypatch: pytest.MonkeyPatch) -> tuple[int, int]:
    """How many of n conditions, half of them formulas, were taken and how many refused."""
    rng = random.Random(seed)
    base, hands = book(id), hands_of(id)
    taken = refused = 0
    while taken + refused < n:
        monkeypatch.setattr(compiled, "_OFTEN", rng.choice([0, 20, 10**9]))
        python, formulas, house = Conditions(rng), Formulas(rng), base
        lines = []
        for k in range(rng.choice([1, 3, 10, 20])):
            if rng.random() < 0.5:
                fan = python.fan(f"新{k}", base.fans[0])
                made = having(house, fan)
                taken, refused = (taken, refused + 1) if made is None else (taken + 1, refused)
                house = made or house
            else:
                value = replace_value(base.fans[0], rng)
                written = list(value) if isinstance(value, tuple) else value
                most = 1 if isinstance(base.arithmetic, ResidueArithmetic) else rng.choice([1, 1, 2, 3, 7])
                lines.append(f'[fans."新式{k}"]\nwhen = "{formulas.text()}"\nvalue = {written}\nmost = {most}')
        if lines:
            made = house_rules.read("\n".join([f'base = "{id}"', *lines]))
            house = house.having(add=[fan for fan in made.fans if fan.name.startswith("新式")])
            taken += len(lines)
        names = [fan.name for fan in house.fans if fan.name.startswith("新")]
        others = [fan.name for fan in base.fans]
        drops = {name: {"drops": tuple(rng.sample(others, 2))} for name in names if rng.random() < 0.3}
        house = house.having(fans=drops)
        both_count_alike(house, rng.sample(hands, 12))
    return taken, refused


def new_fan(when: Callable[[Planes], Any], **more: Any) -> Fan:
    return Fan("新番", 5, "8番", "x", when, "new fan", **more)


@pytest.mark.parametrize(
    ("when", "zh"),
    [
        (lambda h: h.pair, "给出的是一组牌"),
        (lambda h: h.pair and h.t1, "and、or、not、if"),
        (lambda h: planes.count(h.p) == 1 and planes.suits(h.t1) == 3, "and、or、not、if"),
        (lambda h: 1 < planes.count(h.p) < 3, "连写的比较"),
        (lambda h: not h.p, "and、or、not、if"),
        (lambda h: 2 if h.p else 1, "and、or、not、if"),
        (lambda h: (h.p != 0) + (h.c1 != 0), "对真假用了 +"),
        (lambda h: (h.p != 0) + True, "对真假用了 +"),
        (lambda h: ~(h.p != 0), "对真假用了 ~"),
        (lambda h: -(h.p != 0), "对真假用了 -"),
        (lambda h: planes.count(h.p) - planes.count(h.k), "小于 0"),
        (lambda h: planes.count(h.t1) * 20, "最多 99 次"),
        (lambda h: (h.t1 * h.t1 * h.t1) != 0, "63 位"),
        (lambda h: (h.t1 << 20) > h.p, "63 位"),
        (lambda h: 2 if isinstance(h.p, int) else h.p != 0, "单独问得"),
        (lambda h: h.nothing, "AttributeError"),
        (lambda h: h.p / 2 != 0, "TypeError"),
        (lambda h: None, "给出 None"),
        (lambda h: 1 / 0, "ZeroDivisionError"),
    ],
)
def test_a_condition_that_one_hand_and_many_answer_differently_is_refused(
    when: Callable[[Planes], Any], zh: str
) -> None:
    base = book("guobiao-mcr")
    with pytest.raises(OverlayError) as refused:
        base.having(add=[new_fan(when)])
    assert "“新番”" in refused.value.say("zh") and zh in refused.value.say("zh"), refused.value.say("zh")
    assert "'新番'" in refused.value.say("en")
    with pytest.raises(OverlayError):
        base.having(fans={"花龙": {"when": when}})


@pytest.mark.parametrize(
    "when",
    [
        lambda h: (h.pair & planes.HONOUR_TILES) != 0,
        lambda h: (planes.count(h.p) == 1) & (planes.suits(h.t1) == 3),
        lambda h: (h.p != 0) * 1 + (h.c1 != 0),
        lambda h: planes.most(planes.count(h.p), planes.count(h.k)),
        lambda h: (planes.count(h.p) - planes.count(h.k)) * (planes.count(h.p) > planes.count(h.k)),
        lambda h: planes.couples(h, 1, 2),
        planes.nine_gates,
        lambda h: True,
        lambda h: 2,
    ],
)
def test_a_good_condition_is_taken(when: Callable[[Planes], Any]) -> None:
    for id in BOOKS:
        base = book(id)
        house = base.having(add=[replace(new_fan(when), value=base.fans[0].value)])
        both_count_alike(house, hands_of(id)[:20])


@pytest.mark.parametrize(
    ("more", "zh"),
    [
        ({"of": EACH}, "各处所在的牌"),
        ({"most": 0}, "most 应是 1 到 99"),
        ({"most": True}, "most 应是 1 到 99"),
        ({"most": 2.0}, "most 应是 1 到 99"),
        ({"joins": True, "of": 2}, "joins"),
        ({"value": (6, 2)}, "应是一个整数"),
        ({"value": -1}, "0 到 1000"),
        ({"name": "花龙"}, "已经有叫“花龙”的番种"),
    ],
)
def test_other_fields_of_a_new_fan_are_checked(more: dict[str, Any], zh: str) -> None:
    with pytest.raises(OverlayError) as refused:
        book("guobiao-mcr").having(add=[replace(new_fan(lambda h: h.c1 != 0), **more)])
    assert zh in refused.value.say("zh")


@pytest.mark.parametrize(("most", "good"), [(0, False), (1, True), (99, True), (100, False)])
def test_a_new_fan_counts_from_once_to_ninety_nine_times(most: int, good: bool) -> None:
    base = book("guobiao-mcr")
    if good:
        assert base.having(add=[new_fan(lambda h: h.c1 != 0, most=most)]).fan("新番").most == most
    else:
        with pytest.raises(OverlayError, match="most 应是 1 到 99"):
            base.having(add=[new_fan(lambda h: h.c1 != 0, most=most)])


@pytest.mark.parametrize(
    "when",
    [
        lambda h: (h.t1 << 2) * (h.p != 0),
        lambda h: (h.p != 0) * (h.t1 << 2),
        lambda h: h.t1 | ((h.p != 0) << 9),
        lambda h: h.t1 | (((h.p != 0) & (h.c1 != 0)) << 9),
    ],
)
def test_a_place_behind_a_truth_is_a_tile_too(when: Callable[[Planes], Any]) -> None:
    base = book("guobiao-mcr")
    with pytest.raises(OverlayError, match="& ALL_TILES"):
        base.having(add=[new_fan(when, of=EACH)])
    house = base.having(add=[new_fan(lambda h: when(h) & planes.ALL_TILES, of=EACH, most=3)])
    both_count_alike(house, hands_of("guobiao-mcr")[:10])


def test_places_are_tiles() -> None:
    base = book("guobiao-mcr")
    with pytest.raises(OverlayError, match="& ALL_TILES"):
        base.having(add=[new_fan(lambda h: h.t1 << 2, of=EACH)])
    house = base.having(add=[new_fan(lambda h: h.t1 << 2 & planes.ALL_TILES, of=EACH, most=3)])
    both_count_alike(house, hands_of("guobiao-mcr")[:20])
    with pytest.raises(OverlayError, match="of=2"):
        book("yuque-54").having(add=[new_fan(lambda h: (h.c1 & h.p) != 0, of=2)])
    with pytest.raises(OverlayError, match="各计一次"):
        book("yuque-54").having(add=[new_fan(lambda h: h.p, of=EACH)])


@pytest.mark.parametrize("on", [None, lambda h: h.k & planes.DRAGONS])
@pytest.mark.parametrize("when", [lambda h: h.k, lambda h: h.p & h.seat, lambda h: h.seat])
@pytest.mark.parametrize(
    ("id", "dropped", "by_places"),
    [
        ("canton", "开杠", False),
        ("canton", "三元牌", False),
        ("lingque", "幺九刻", False),
        ("guobiao-mcr", "箭刻", True),
    ],
)
def test_a_dropped_fan_keeps_places_in_guobiao_alone(
    id: str, dropped: str, by_places: bool, when: Callable[[Planes], Any], on: Callable[[Planes], Any] | None
) -> None:
    """国标 drops only the places that another fan covers (不重复); other books drop the whole fan."""
    base = book(id)
    new = new_fan(when, of=EACH, most=4, drops=(dropped,), on=on)
    house = base.having(add=[replace(new, value=base.fans[0].value)])
    hands = [
        parse("4555566778p[PPPP]+6p"),
        parse("[PPPP](CCC)(EEE)11m22p+1m"),
        parse("(1111m)(EEEE)(CCC)99p23s+1s"),
        *hands_of(id),
    ]
    both_count_alike(house, hands)
    counted = [{line.name for line in score_hand(hand, house).fans} for hand in hands]
    assert by_places == any({"新番", dropped} <= names for names in counted)
    assert any("新番" in names for names in counted)


@pytest.mark.parametrize("id", BOOKS)
def test_no_row_of_a_book_holds_more_often_than_it_may_count(id: str) -> None:
    """What caps new fans leaves the book's own alone."""
    rules = book(id)
    for hand in wins(rules, 300, seed=12):
        for line in score_hand(hand, rules).fans:
            assert line.count <= max(rules.fan(line.name).most, 8 if line.name == "番刻" else 1)


@pytest.mark.parametrize("id", BOOKS)
def test_one_hand_counts_random_new_fans_as_many_hands_do(id: str, monkeypatch: pytest.MonkeyPatch) -> None:
    taken, refused = try_many(id, 60, 5, monkeypatch)
    assert taken > 30 and refused > 3


@pytest.mark.slow
@pytest.mark.parametrize("id", BOOKS)
def test_ten_thousand_random_new_fans_count_alike(id: str, monkeypatch: pytest.MonkeyPatch) -> None:
    taken, refused = try_many(id, 10_000, 6, monkeypatch)
    assert taken > 5000 and refused > 500
